/* SPDX-License-Identifier: Apache-2.0
 * test_events.c: the ledger of a run, from the journal, from results.h5 and as CSV: the same numbers. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/directory.h"
#include "record/events.h"
#include "record/journal.h"

static const char text[] =
    "zwang: 1\nbodies: {ball: {lagrangian: {coordinates: [y], kinetic: ydot^2/2, potential: 9.81*y, start: {y: 1}}}}\n"
    "constraints: {floor: {unilateral: y >= 0, on: ball, restitution: 0.5}, roof: {unilateral: y <= 3, on: ball}}\n"
    "run: {until: 2, integrator: gauss}\n";

static void the_ledger_reads_back(void **state) {
    scratch *s = *state;
    char     directory[300], out[340];
    char    *summary = NULL;
    snprintf(directory, sizeof directory, "%s/run", s->path);
    snprintf(out, sizeof out, "%s/csv", directory);
    zw_model *m;
    assert_int_equal(zw_model_parse(s->context, "test.yaml", text, strlen(text), 0, NULL, &m), ZW_OK);
    zw_simulate_def def = zw_simulate_def_default();
    def.directory = directory;
    assert_int_equal(zw_simulate(s->context, m, &def, &summary), ZW_OK);
    assert_non_null(strstr(summary, "\"count\": 22"));
    zw_string_free(s->context, summary);
    zw_results *r;
    zw_ledger   l;
    assert_int_equal(zw_results_open(s->context, directory, &r), ZW_OK);
    zw_results_ledger(r, &l);
    assert_int_equal(l.rows, 23);
    assert_string_equal(l.sides, "floor\nroof");
    for (int64_t i = 0; i < l.rows; i++) {
        const double *row = l.row + i * ZW_LEDGER_COLUMNS;
        check_near(row[0], (double)(i + 1), 0.0);
        check_near(row[4], 0.0, 0.0);
        check_near(row[3], i < 22 ? 0.0 : -1.0, 0.0);
        check_near(row[8] - row[9], row[10], 1e-15);
    }
    check_near(l.row[1], sqrt(2.0 / 9.81), 1e-15);
    check_near(l.row[21 * ZW_LEDGER_COLUMNS + 1], 3.0 * sqrt(2.0 / 9.81), 1e-14);
    check_near(l.row[21 * ZW_LEDGER_COLUMNS + 2], ZW_EVENT_ZENO, 0.0);
    zw_results_close(r);
    assert_int_equal(zw_export_csv(s->context, directory, out), ZW_OK);
    size_t n;
    char  *csv = (char *)scratch_load(s, "run/csv/events.csv", &n);
    csv[n] = 0;
    assert_int_equal(strncmp(csv, "event,time [s],kind,law,side,impulse [N s],", 43), 0);
    assert_non_null(strstr(csv, ",zeno,reflect,floor,"));
    assert_non_null(strstr(csv, ",rest,none,floor,"));
    free(csv);
    char *page = (char *)scratch_load(s, "run/report.html", &n);
    page[n] = 0;
    assert_non_null(strstr(page, "<h2>Events</h2>"));
    free(page);
    zw_model_destroy(m);
}

/* a crank, a bar and two more cranks: a wall stops them at once; a body far away feels nothing */
static const char linkage[] =
    "zwang: 1\nbodies:\n"
    "  a: {rigid: {mass: 1, inertia: [1, 1, 0.1], at: [0, 0.5, 0], spin: [0, 0, 1], velocity: [-0.5, 0, 0], plane: [0, 0, 1]}}\n"
    "  b: {rigid: {mass: 1, inertia: [1, 1, 0.1], at: [1, 0.5, 0], spin: [0, 0, 1], velocity: [-0.5, 0, 0], plane: [0, 0, 1]}}\n"
    "  bar: {rigid: {mass: 1, inertia: [1, 1, 0.1], at: [0.5, 1, 0], velocity: [-1, 0, 0], plane: [0, 0, 1], points: {c: [-0.6, 0.1, 0]}}}\n"
    "  far: {rigid: {mass: 1, inertia: [1, 1, 0.1], at: [9, 9, 0], plane: [0, 0, 1]}}\n"
    "constraints:\n  a0: {ball: a, at: [0, -0.5, 0]}\n  b0: {ball: b, at: [0, -0.5, 0]}\n"
    "  a1: {ball: [{body: a, at: [0, 0.5, 0]}, {body: bar, at: [-0.5, 0, 0]}]}\n"
    "  b1: {ball: [{body: b, at: [0, 0.5, 0]}, {body: bar, at: [0.5, 0, 0]}]}\n"
    "  far: {ball: far, at: [1, 0, 0]}\n"
    "  wall: {unilateral: x >= -0.1, on: bar, points: [c], loss: 1}\n"
    "run: {until: 1e-3, integrator: gauss}\n";

/* the joints of the linkage take up what the wall gives: 4 of 5, each impulse with its force on the first body */
static void joints_that_felt_an_impact_are_told(void **state) {
    scratch  *s = *state;
    char      directory[300], out[340], name[16];
    char     *summary = NULL;
    zw_model *m;
    snprintf(directory, sizeof directory, "%s/linkage", s->path);
    snprintf(out, sizeof out, "%s/csv", directory);
    assert_int_equal(zw_model_parse(s->context, "test.yaml", linkage, strlen(linkage), 0, NULL, &m), ZW_OK);
    zw_simulate_def def = zw_simulate_def_default();
    def.directory = directory;
    assert_int_equal(zw_simulate(s->context, m, &def, &summary), ZW_OK);
    zw_string_free(s->context, summary);
    zw_results *r;
    zw_ledger   l;
    assert_int_equal(zw_results_open(s->context, directory, &r), ZW_OK);
    zw_results_ledger(r, &l);
    assert_string_equal(l.joints, "a0\nb0\na1\nb1\nfar");
    assert_int_equal(l.joint_rows, 4);
    double sum = l.row[5]; /* the bar: wall - a1 - b1 = m (v+ - v-) = 1 */
    for (int64_t i = 0; i < l.joint_rows; i++) {
        const double *row = l.joint_row + i * ZW_LEDGER_JOINT_COLUMNS;
        zw_ledger_side(l.joints, (int)row[1], name, sizeof name);
        assert_string_not_equal(name, "far");
        check_near(row[0], 1.0, 0.0);
        check_near(row[2], 1.0, 0.0);
        check_near(row[3], 2.0, 0.0);
        check_near(row[6], 0.0, 0.0); /* no moment about the hinge */
        sum -= name[1] == '1' ? row[7] : 0.0;
    }
    check_near(sum, 1.0, 1e-14);
    zw_results_close(r);
    assert_int_equal(zw_export_csv(s->context, directory, out), ZW_OK);
    size_t n;
    char  *csv = (char *)scratch_load(s, "linkage/csv/event-joints.csv", &n);
    csv[n] = 0;
    assert_int_equal(strncmp(csv, "event,joint,unique,rows,mx [N m s],", 35), 0);
    assert_non_null(strstr(csv, "\n1,a0,1,2,"));
    assert_non_null(strstr(csv, ",,,,\n")); /* two rows of six */
    free(csv);
    char *page = (char *)scratch_load(s, "linkage/report.html", &n);
    page[n] = 0;
    assert_non_null(strstr(page, "<h3>Impulses of joints</h3>"));
    free(page);
    zw_model_destroy(m);
}

/* what older versions wrote, 13 numbers a row, is read with 0 for what they did not know */
static void an_old_journal_is_read(void **state) {
    scratch           *s = *state;
    zw_directory       d;
    zw_journal_writer *w;
    zw_journal        *j;
    const zw_run_label label = {.hash = 1, .seed = 2, .title = "", .text = "zwang: 1\n"};
    double             old[2 * ZW_LEDGER_COLUMNS_OLD], row[ZW_LEDGER_COLUMNS];
    for (int i = 0; i < 2 * ZW_LEDGER_COLUMNS_OLD; i++) {
        old[i] = i;
    }
    for (int i = 0; i < ZW_LEDGER_COLUMNS; i++) {
        row[i] = 100.0 + i;
    }
    assert_int_equal(zw_directory_open(s->context, s->path, &d), ZW_OK);
    assert_int_equal(zw_journal_create(s->context, d.fd, d.path, &label, &w), ZW_OK);
    assert_int_equal(zw_journal_note(w, ZW_RECORD_NOTE, "floor"), ZW_OK);
    assert_int_equal(zw_journal_event(w, ZW_RECORD_EVENT, old, 2 * ZW_LEDGER_COLUMNS_OLD), ZW_OK);
    assert_int_equal(zw_journal_event(w, ZW_RECORD_CONTACT, row, ZW_LEDGER_COLUMNS), ZW_OK);
    assert_int_equal(zw_journal_flush(w), ZW_OK);
    zw_journal_close(w);
    assert_int_equal(zw_journal_open(s->context, d.fd, d.path, UINT64_MAX, &j), ZW_OK);
    assert_null(j->stopped);
    assert_int_equal(j->events, 3);
    for (int i = 0; i < ZW_LEDGER_COLUMNS_OLD; i++) {
        check_near(j->ledger[ZW_LEDGER_COLUMNS + i], ZW_LEDGER_COLUMNS_OLD + i, 0.0);
    }
    check_near(j->ledger[ZW_LEDGER_COLUMNS - 1], 0.0, 0.0);
    check_near(j->ledger[3 * ZW_LEDGER_COLUMNS - 1], 113.0, 0.0);
    zw_journal_destroy(j);
    zw_directory_close(&d);
}

static void names_of_sides_are_found_or_empty(void **state) {
    (void)state;
    char name[8];
    zw_ledger_side("floor\nroof", 0, name, sizeof name);
    assert_string_equal(name, "floor");
    zw_ledger_side("floor\nroof", 1, name, sizeof name);
    assert_string_equal(name, "roof");
    zw_ledger_side("floor\nroof", 2, name, sizeof name);
    assert_string_equal(name, "");
    zw_ledger_side("floor\nroof", -1, name, sizeof name);
    assert_string_equal(name, "");
    zw_ledger_side("a-long-name", 0, name, sizeof name);
    assert_string_equal(name, "a-long-");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_ledger_reads_back, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(joints_that_felt_an_impact_are_told, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(an_old_journal_is_read, scratch_setup, scratch_teardown),
        cmocka_unit_test(names_of_sides_are_found_or_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
