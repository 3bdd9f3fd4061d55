/* SPDX-License-Identifier: Apache-2.0
 * test_epochs_users.c: what is made of results whose sizes change: tables, arrays, VTK, packed files, pages; and all frames on one mesh. */
#define _GNU_SOURCE
#include "session.h"

#include "record/epochs.h"
#include "record/events.h"
#include "record/recover.h"
#include "record/view.h"
#include "zwang/results.h"

static void must(scratch *x, zw_status status) {
    if (status != ZW_OK) {
        print_error("%s\n", zw_error_count(x->context) > 0 ? zw_error_at(x->context, 0)->message : "no error");
    }
    assert_int_equal(status, ZW_OK);
}

static char *load_text(scratch *x, const char *name) {
    size_t n;
    char  *text = (char *)scratch_load(x, name, &n);
    text[n] = 0;
    return text;
}

static int count_of(const char *text, const char *word) {
    int n = 0;
    for (text = strstr(text, word); text; text = strstr(text + strlen(word), word)) {
        n++;
    }
    return n;
}

/* ---- one mesh */

static void rods_of_earlier_epochs_are_looked_up_by_label(void **state) {
    scratch    *x = *state;
    zw_results *r;
    zw_epochs   all;
    zw_arena    arena;
    double      p[TOTAL][9][3], q[TOTAL][9][4], k[TOTAL][8][3], ring[TOTAL][8][3], strain[TOTAL][8][3], tip[TOTAL][3], whole[TOTAL][3];
    double      worst = 0, worst_turn = 0;
    session_write(x, true);
    must(x, zw_results_open(x->context, x->path, &r));
    zw_arena_init(&arena, x->context);
    zw_epochs_init(&all, &arena, r);
    assert_int_equal(all.frames, TOTAL);
    assert_ptr_equal(all.layout, zw_results_layout(r, 2));
    must(x, zw_epochs_read(&all, POSITION, 0, TOTAL, &p[0][0][0]));
    must(x, zw_epochs_read(&all, ORIENTATION, 0, TOTAL, &q[0][0][0]));
    must(x, zw_epochs_read(&all, CURVATURE, 0, TOTAL, &k[0][0][0]));
    must(x, zw_epochs_read(&all, RING_POSITION, 0, TOTAL, &ring[0][0][0]));
    must(x, zw_epochs_read(&all, RING_STRAIN, 0, TOTAL, &strain[0][0][0]));
    must(x, zw_epochs_read(&all, TIP, 0, TOTAL, &tip[0][0]));
    must(x, zw_results_read_steady(r, "probe/tip", 0, TOTAL, &whole[0][0]));
    assert_true(scratch_same(&tip[0][0], &whole[0][0], 3 * TOTAL));
    for (int i = 0; i < TOTAL; i++) {
        double t = 0.125 * i, corner[3];
        int    e = i < 5 ? 0 : i < 12 ? 1 : 2;
        for (int n = 0; n < 9; n++) {
            double s = session_label[2][n], to[3] = {s, s * t, 0.5 - s}, turn = 0;
            for (int c = 0; c < 3; c++) {
                worst = fmax(worst, fabs(p[i][n][c] - to[c]));
            }
            for (int c = 0; c < 4; c++) {
                turn += q[i][n][c] * q[i][n][c];
            }
            worst_turn = fmax(worst_turn, fmax(fabs(turn - 1), fabs(q[i][n][3] - sin(0.1 * s * t))));
        }
        for (int n = 0; n < 8; n++) { /* the number of the old link: a hundred times the label where it begins */
            double middle = 0.5 * (session_label[2][n] + session_label[2][n + 1]), begin = 0;
            for (int m = 0; m < session_nodes[e] - 1; m++) {
                begin = session_label[e][m] <= middle ? session_label[e][m] : begin;
            }
            assert_true(k[i][n][0] == 100 * begin && k[i][n][2] == 100 * begin + 2);
            session_corner(session_ring_label[2][n], t, corner); /* the last, at 3.5, is between the last node and the first */
            assert_true(scratch_same(ring[i][n], corner, 3));
            middle = session_ring_label[2][n] + 0.25;
            for (int m = 0; m < session_ring[e]; m++) {
                begin = session_ring_label[e][m] <= middle ? session_ring_label[e][m] : begin;
            }
            assert_true(strain[i][n][1] == 100 * begin + 1);
        }
    }
    check_below(worst, 1e-15, 0.0);
    check_below(worst_turn, 2e-6, 1.95e-6); /* the chord of a turn: d^3 f (1 - f) (1 - 2 f)/6 = 1.95e-6 with d = 0.05, f = 1/4 */
    double part[5][9][3];                   /* a piece that begins and ends inside epochs */
    must(x, zw_epochs_read(&all, POSITION, 3, 5, &part[0][0][0]));
    assert_true(scratch_same(&part[0][0][0], &p[3][0][0], 5 * 27));
    zw_arena_destroy(&arena);
    zw_results_close(r);
}

static void what_cannot_be_looked_up_is_nan(void **state) {
    scratch           *x = *state;
    zw_journal_writer *w = session_create(x);
    zw_channel         channel[4];
    zw_results        *r;
    zw_epochs          all;
    zw_arena           arena;
    double             frame[32] = {0}, out[2][12];
    for (int e = 0; e < 2; e++) { /* no labels; a list that grows; a channel that comes later */
        size_t width = 0;
        scratch_channel(&channel[0], "time", "s", 0, 0, 0, &width);
        scratch_channel(&channel[1], "rod/a/position", "m", 2, 2 + 2 * e, 3, &width);
        scratch_channel(&channel[2], "multiplier", "N", 1, 1 + e, 0, &width);
        if (e == 1) {
            scratch_channel(&channel[3], "late", "1", 0, 0, 0, &width);
        }
        zw_layout l = {3 + e, 0, channel, NULL, width, 0, NULL};
        assert_int_equal(zw_journal_epoch(w, &l), ZW_OK);
        frame[4] = 3; /* the last node of the first */
        assert_int_equal(zw_journal_frame(w, frame, width), ZW_OK);
    }
    zw_journal_close(w);
    must(x, zw_results_open(x->context, x->path, &r));
    zw_arena_init(&arena, x->context);
    zw_epochs_init(&all, &arena, r);
    must(x, zw_epochs_read(&all, 1, 0, 2, out[0]));
    assert_true(out[0][0] == 0 && fabs(out[0][3] - 1) < 1e-15 && fabs(out[0][6] - 2) < 1e-15 && out[0][9] == 3); /* evenly spread */
    must(x, zw_epochs_read(&all, 2, 0, 2, out[0]));
    assert_true(isnan(out[0][0]) && isnan(out[0][1]) && out[0][2] == 0 && out[0][3] == 0);
    must(x, zw_epochs_read(&all, 3, 0, 2, out[0]));
    assert_true(isnan(out[0][0]) && out[0][1] == 0);
    zw_arena_destroy(&arena);
    zw_results_close(r);
}

/* ---- exports */

static void tables_go_on_over_epochs(void **state) {
    scratch *x = *state;
    char     out[400];
    int      nodes = 0, links = 0;
    session_write(x, true);
    snprintf(out, sizeof out, "%s/csv", x->path);
    must(x, zw_export_csv(x->context, x->path, out));
    for (int e = 0; e < EPOCHS; e++) {
        nodes += session_nodes[e] * session_frames[e];
        links += (session_nodes[e] - 1) * session_frames[e];
    }
    char *text = load_text(x, "csv/probes.csv");
    assert_int_equal(count_of(text, "\n"), 1 + TOTAL);
    free(text);
    text = load_text(x, "csv/energy.csv");
    assert_int_equal(count_of(text, "\n"), 1 + TOTAL);
    free(text);
    text = load_text(x, "csv/rod-beam.csv"); /* a row per frame and node, however many there are */
    assert_int_equal(count_of(text, "\n"), 1 + nodes);
    assert_non_null(strstr(text, "\n0.5,3,3,0.05,3,1.5,-2.5,"));     /* t, node, label, radius, x: the last of four */
    assert_non_null(strstr(text, "\n0.625,5,3,0.05,3,1.875,-2.5,")); /* the last of six in the next frame */
    free(text);
    text = load_text(x, "csv/rod-beam-links.csv");
    assert_int_equal(count_of(text, "\n"), 1 + links);
    assert_non_null(strstr(text, "\n1.5,7,250,251,252\n")); /* the last of eight */
    free(text);
    struct stat info;
    assert_true(fstatat(x->dir.fd, "csv/rod-beam-epoch1.csv", &info, 0) != 0); /* the columns are the same */
}

static void arrays_that_change_have_one_for_each_epoch(void **state) {
    static const char *const there[] = {"time.npy",
                                        "energy/total.npy",
                                        "rigid/ball/position.npy",
                                        "epoch0/time.npy",
                                        "epoch1/rod/beam/position.npy",
                                        "epoch2/rod/ring/strain.npy",
                                        "epoch2/constant/rod/beam/label.npy",
                                        "constant/rigid/ball/mass.npy"};
    static const char *const absent[] = {"epoch1/energy/total.npy", "epoch0/constant/rigid/ball/mass.npy"};
    scratch                 *x = *state;
    char                     out[400];
    size_t                   n;
    session_write(x, true);
    snprintf(out, sizeof out, "%s/x.npz", x->path);
    must(x, zw_export_numpy(x->context, x->path, out, false));
    unsigned char *bytes = scratch_load(x, "x.npz", &n);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        assert_non_null(memmem(bytes, n, there[i], strlen(there[i])));
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        assert_null(memmem(bytes, n, absent[i], strlen(absent[i])));
    }
    assert_non_null(memmem(bytes, n, "'shape': (7, 6, 3)", 18));
    assert_non_null(memmem(bytes, n, "'shape': (4, 9, 4)", 18));
    assert_non_null(memmem(bytes, n, "'shape': (16, 3)", 16));
    free(bytes);
}

static void vtk_frames_have_the_mesh_of_their_epoch(void **state) {
    scratch *x = *state;
    char     out[400], name[64];
    session_write(x, true);
    snprintf(out, sizeof out, "%s/vtk", x->path);
    must(x, zw_export_vtk(x->context, x->path, out, false));
    char *list = load_text(x, "vtk/rods.pvd");
    assert_int_equal(count_of(list, "<DataSet "), TOTAL);
    assert_non_null(strstr(list, "timestep=\"1.875\""));
    free(list);
    for (int i = 0; i < TOTAL; i++) {
        int  e = i < 5 ? 0 : i < 12 ? 1 : 2;
        char points[64];
        snprintf(name, sizeof name, "vtk/rods_%06d.vtp", i);
        snprintf(points, sizeof points, "NumberOfPoints=\"%d\"", session_nodes[e] + session_ring[e]);
        char *text = load_text(x, name);
        assert_non_null(strstr(text, points));
        free(text);
    }
}

static void packed_results_are_the_same(void **state) {
    scratch    *x = *state;
    uint64_t    before, after;
    zw_results *r;
    session_write(x, true);
    must(x, zw_results_make(&x->dir));
    assert_int_equal(zw_directory_remove(&x->dir, ZW_FILE_JOURNAL), ZW_OK);
    must(x, zw_results_pack(x->context, x->path, 9, &before, &after));
    assert_true(after < before); /* small arrays become contiguous */
    must(x, zw_results_open(x->context, x->path, &r));
    int64_t done = 0;
    for (int e = 0; e < EPOCHS; e++) {
        session s;
        session_layout(e, &s);
        assert_true(zw_layout_equal(zw_results_layout(r, e), &s.layout));
        for (int64_t i = 0; i < session_frames[e]; i++) {
            double expected[WIDE], found[WIDE];
            session_frame(&s, e, done + i, expected);
            for (int k = 0; k < CHANNELS; k++) {
                must(x, zw_results_read(r, e, k, i, 1, found));
                assert_true(scratch_same(found, expected + s.channel[k].offset, s.channel[k].count));
            }
        }
        done += session_frames[e];
    }
    zw_results_close(r);
}

/* ---- pages */

static void pages_hold_all_frames(void **state) {
    static const char page[] = "<html><!--zwang:title--><!--zwang:data--></html>";
    scratch          *x = *state;
    char             *written = NULL;
    session_write(x, true);
    must(x, zw_report_write(x->context, x->path));
    char *text = load_text(x, "report.html");
    assert_non_null(strstr(text, "3 elements at the start, 8 at the end"));
    assert_non_null(strstr(text, "Probe tip"));
    assert_non_null(strstr(text, "t = 0 s"));
    free(text);
    x->log[0] = 0;
    zw_view_def def = {.page = page, .page_size = sizeof page - 1};
    must(x, zw_view_write(x->context, x->path, &def, &written));
    text = load_text(x, "view.html");
    assert_non_null(strstr(text, "\"frames\":{\"total\":16,\"kept\":16,\"epochs\":3,"));
    assert_non_null(strstr(text, "{\"name\":\"rod/beam/position\",\"unit\":\"m\",\"shape\":[9,3]"));
    assert_non_null(strstr(text, "{\"name\":\"rod/beam/curvature\",\"unit\":\"1/m\",\"shape\":[8,3]"));
    free(text);
    zw_string_free(x->context, written);
    assert_string_equal(x->log, ""); /* nothing was left out */
}

/* ---- names of contacts, which links take part in */

static void names_of_a_new_mesh_join_the_others(void **state) {
    scratch *x = *state;
    zw_text  all;
    int      first;
    char     name[32];
    zw_text_init(&all, x->context);
    assert_false(zw_ledger_join(&all, "", &first));
    assert_int_equal(first, 0);
    assert_true(zw_ledger_join(&all, "floor-a\nfloor-b", &first));
    assert_int_equal(first, 0);
    assert_false(zw_ledger_join(&all, "floor-a\nfloor-b", &first));
    assert_int_equal(first, 0);
    assert_true(zw_ledger_join(&all, "or-b", &first)); /* the end of a name is no name */
    assert_int_equal(first, 2);
    assert_true(zw_ledger_join(&all, "floor-a\nfloor-c\nfloor-b", &first));
    assert_int_equal(first, 3);
    assert_false(zw_ledger_join(&all, "floor-a\nfloor-c\nfloor-b", &first));
    assert_int_equal(first, 3);
    zw_ledger_side(all.s, first + 1, name, sizeof name);
    assert_string_equal(name, "floor-c");
    assert_int_equal(zw_text_status(&all), ZW_OK);
    zw_text_destroy(&all);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(rods_of_earlier_epochs_are_looked_up_by_label),
        TEST(what_cannot_be_looked_up_is_nan),
        TEST(tables_go_on_over_epochs),
        TEST(arrays_that_change_have_one_for_each_epoch),
        TEST(vtk_frames_have_the_mesh_of_their_epoch),
        TEST(packed_results_are_the_same),
        TEST(pages_hold_all_frames),
        TEST(names_of_a_new_mesh_join_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
