/* SPDX-License-Identifier: Apache-2.0
 * test_events.c: the ledger of a run, from the journal, from results.h5 and as CSV: the same numbers. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/events.h"

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
        cmocka_unit_test(names_of_sides_are_found_or_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
