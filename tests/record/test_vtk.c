/* SPDX-License-Identifier: Apache-2.0
 * test_vtk.c: the VTK export, its files read back byte by byte. tests/cli/test_export.py also opens them with VTK where it is installed. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "base/number.h"
#include "zwang/results.h"

/* an open rod of four nodes, and a ring of three with three links */
enum { NODES = 4, RING = 3, POINTS = NODES + RING, WIDTH = 1 + 3 * NODES + 4 * NODES + 3 * (NODES - 1) + 3 * RING + 3 * RING };

typedef struct world {
    zw_channel channel[6], constant[3];
    double     constants[NODES + 2];
    zw_layout  layout;
} world;

static void world_make(world *w) {
    size_t width = 0, constants = 0;
    scratch_channel(&w->channel[0], "time", "s", 0, 0, 0, &width);
    scratch_channel(&w->channel[1], "rod/a <&>/position", "m", 2, NODES, 3, &width);
    scratch_channel(&w->channel[2], "rod/a <&>/orientation", "1", 2, NODES, 4, &width);
    scratch_channel(&w->channel[3], "rod/a <&>/moment", "N m", 2, NODES - 1, 3, &width);
    scratch_channel(&w->channel[4], "rod/ring/position", "m", 2, RING, 3, &width);
    scratch_channel(&w->channel[5], "rod/ring/moment", "N m", 2, RING, 3, &width);
    scratch_channel(&w->constant[0], "rod/a <&>/radius", "m", 1, NODES, 0, &constants);
    scratch_channel(&w->constant[1], "rod/a <&>/closed", "1", 0, 0, 0, &constants);
    scratch_channel(&w->constant[2], "rod/ring/closed", "1", 0, 0, 0, &constants);
    assert_int_equal((int)width, WIDTH);
    for (int i = 0; i < NODES; i++) {
        w->constants[i] = 0.01 * (i + 1);
    }
    w->constants[NODES] = 0;
    w->constants[NODES + 1] = 1;
    w->layout = (zw_layout){6, 3, w->channel, w->constant, width, constants, w->constants};
}

static void world_frame(int frame, double *out) {
    for (int i = 0; i < WIDTH; i++) {
        out[i] = sin(1.7 * i + 0.3 * frame);
    }
    out[0] = 0.125 * frame;
    for (int i = 0; i < NODES; i++) { /* unit quaternions */
        double *q = out + 1 + 3 * NODES + 4 * i, angle = 0.4 * i + 0.1 * frame;
        q[0] = cos(angle), q[1] = 0.6 * sin(angle), q[2] = 0, q[3] = 0.8 * sin(angle);
    }
}

static void world_run(scratch *s, world *w, int frames) {
    double frame[WIDTH];
    world_make(w);
    zw_journal_writer *j = scratch_create(s);
    assert_int_equal(zw_journal_epoch(j, &w->layout), ZW_OK);
    for (int i = 0; i < frames; i++) {
        world_frame(i, frame);
        assert_int_equal(zw_journal_frame(j, frame, WIDTH), ZW_OK);
    }
    assert_int_equal(zw_journal_end(j, 1, "{}\n"), ZW_OK);
    zw_journal_close(j);
}

static zw_status export_vtk(scratch *s, bool force) {
    char out[400];
    snprintf(out, sizeof out, "%s/vtk", s->path);
    return zw_export_vtk(s->context, s->path, out, force);
}

typedef struct file {
    char                *text; /* up to the appended bytes */
    const unsigned char *bytes, *end;
    unsigned char       *all;
} file;

static file load(scratch *s, int frame) {
    char   name[64];
    file   f;
    size_t n, mark = 0;
    snprintf(name, sizeof name, "vtk/rods_%06d.vtp", frame);
    f.all = scratch_load(s, name, &n);
    static const char start[] = "<AppendedData encoding=\"raw\">\n_", foot[] = "\n</AppendedData>\n</VTKFile>\n";
    while (memcmp(f.all + mark, start, sizeof start - 1) != 0) {
        mark++;
    }
    f.text = calloc(1, mark + 1);
    memcpy(f.text, f.all, mark);
    f.bytes = f.all + mark + sizeof start - 1;
    f.end = f.all + n - (sizeof foot - 1);
    assert_memory_equal(f.end, foot, sizeof foot - 1);
    return f;
}

static void unload(file *f) {
    free(f->text);
    free(f->all);
}

/* count numbers of eight bytes of the array whose element begins so, after checking type and byte count */
static void numbers(const file *f, const char *type, const char *name, size_t count, void *out) {
    char key[128];
    snprintf(key, sizeof key, "<DataArray type=\"%s\" Name=\"%s\"", type, name);
    const char *p = strstr(f->text, key);
    if (!p) {
        fail_msg("there is no %s %s in:\n%s", type, name, f->text);
        return;
    }
    p = strstr(p, " offset=\"");
    assert_non_null(p);
    const unsigned char *at = f->bytes + strtoul(p + 9, NULL, 10);
    uint64_t             bytes;
    memcpy(&bytes, at, 8); /* the tests run on little-endian machines */
    assert_int_equal(bytes, 8 * count);
    assert_true(at + 8 + bytes <= f->end);
    memcpy(out, at + 8, 8 * count);
}

static void frames_hold_polylines_with_their_point_data(void **state) {
    scratch *s = *state;
    world    w;
    world_run(s, &w, 3);
    assert_int_equal(export_vtk(s, false), ZW_OK);
    for (int frame = 0; frame < 3; frame++) {
        double  given[WIDTH], x[3 * POINTS];
        int64_t n[2 * POINTS];
        file    f = load(s, frame);
        world_frame(frame, given);
        assert_non_null(strstr(f.text, "NumberOfPoints=\"7\" NumberOfVerts=\"0\" NumberOfLines=\"2\" "));
        assert_non_null(
            strstr(f.text, "Name=\"rod_names\" NumberOfTuples=\"2\" format=\"ascii\">97 32 60 38 62 0 114 105 110 103 0 </Array>"));
        numbers(&f, "Float64", "TimeValue", 1, x);
        assert_true(x[0] == given[0]);
        numbers(&f, "Float64", "Points", 3 * POINTS, x);
        assert_true(scratch_same(x, given + w.channel[1].offset, 3 * NODES));
        assert_true(scratch_same(x + 3 * NODES, given + w.channel[4].offset, 3 * RING));
        numbers(&f, "Int64", "connectivity", POINTS + 1, n);
        assert_memory_equal(n, ((const int64_t[]){0, 1, 2, 3, 4, 5, 6, 4}), sizeof(int64_t) * (POINTS + 1));
        numbers(&f, "Int64", "offsets", 2, n);
        assert_memory_equal(n, ((const int64_t[]){4, 8}), 16);
        numbers(&f, "Int64", "rod", 2, n);
        assert_memory_equal(n, ((const int64_t[]){0, 1}), 16);
        numbers(&f, "Float64", "radius", POINTS, x);
        assert_true(scratch_same(x, w.constants, NODES));
        assert_true(isnan(x[NODES])); /* the ring has none */
        numbers(&f, "Float64", "moment", 3 * POINTS, x);
        const double *a = given + w.channel[3].offset, *b = given + w.channel[5].offset;
        for (int j = 0; j < 3; j++) {
            assert_true(x[j] == a[j] && x[9 + j] == a[6 + j]); /* ends of the open rod */
            assert_true(x[3 + j] == 0.5 * a[j] + 0.5 * a[3 + j] && x[6 + j] == 0.5 * a[3 + j] + 0.5 * a[6 + j]);
            assert_true(x[12 + j] == 0.5 * b[6 + j] + 0.5 * b[j] && x[15 + j] == 0.5 * b[j] + 0.5 * b[3 + j]);
        }
        for (int column = 0; column < 3; column++) {
            numbers(&f, "Float64", column == 0 ? "d1" : column == 1 ? "d2" : "d3", 3 * POINTS, x);
            for (int i = 0; i < NODES; i++) { /* Rodrigues: turn by 2 angle about (0.6, 0, 0.8) */
                double axis[3] = {0.6, 0, 0.8}, angle = 2 * (0.4 * i + 0.1 * frame), e[3] = {column == 0, column == 1, column == 2};
                double cross[3] = {axis[1] * e[2] - axis[2] * e[1], axis[2] * e[0] - axis[0] * e[2], axis[0] * e[1] - axis[1] * e[0]};
                for (int j = 0; j < 3; j++) {
                    double d = cos(angle) * e[j] + sin(angle) * cross[j] + (1 - cos(angle)) * axis[column] * axis[j];
                    check_below(fabs(x[3 * i + j] - d), 1e-14, 3.3e-16);
                }
            }
        }
        unload(&f);
    }
}

static void collection_names_frames_with_their_times(void **state) {
    scratch *s = *state;
    world    w;
    world_run(s, &w, 3);
    assert_int_equal(export_vtk(s, false), ZW_OK);
    size_t n;
    char  *text = (char *)scratch_load(s, "vtk/rods.pvd", &n);
    text[n] = 0;
    assert_string_equal(text,
                        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n"
                        "<DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"rods_000000.vtp\"/>\n"
                        "<DataSet timestep=\"0.125\" group=\"\" part=\"0\" file=\"rods_000001.vtp\"/>\n"
                        "<DataSet timestep=\"0.25\" group=\"\" part=\"0\" file=\"rods_000002.vtp\"/>\n"
                        "</Collection>\n</VTKFile>\n");
    free(text);
}

static void earlier_export_stays_without_force_and_other_files_with_it(void **state) {
    scratch *s = *state;
    world    w;
    world_run(s, &w, 5);
    assert_int_equal(export_vtk(s, false), ZW_OK);
    assert_int_equal(export_vtk(s, false), ZW_E_EXISTS);
    assert_non_null(strstr(zw_error_at(s->context, 0)->remedy, "--force"));
    zw_error_clear(s->context);
    scratch_store(s, "vtk/rods_000099.vtp", "old", 3);
    scratch_store(s, "vtk/rods_mine.vtp", "mine", 4);
    assert_int_equal(export_vtk(s, true), ZW_OK);
    assert_false(zw_directory_has(&s->dir, "vtk/rods_000099.vtp"));
    assert_true(zw_directory_has(&s->dir, "vtk/rods_mine.vtp"));
    assert_true(zw_directory_has(&s->dir, "vtk/rods_000004.vtp"));
}

static void interrupted_export_leaves_no_frames(void **state) {
    scratch *s = *state;
    world    w;
    world_run(s, &w, 5);
    zw_context_cancel(s->context);
    assert_int_equal(export_vtk(s, false), ZW_E_CANCELLED);
    assert_false(zw_directory_has(&s->dir, "vtk/rods.pvd"));
    assert_false(zw_directory_has(&s->dir, "vtk/rods.pvd.tmp"));
    assert_false(zw_directory_has(&s->dir, "vtk/rods_000000.vtp"));
}

static void results_without_rods_are_refused(void **state) {
    scratch           *s = *state;
    zw_journal_writer *j = scratch_create(s);
    s->layout = (zw_layout){1, 0, s->channel, NULL, 1, 0, NULL};
    assert_int_equal(zw_journal_epoch(j, &s->layout), ZW_OK);
    assert_int_equal(zw_journal_frame(j, (const double[]){0.5}, 1), ZW_OK);
    zw_journal_close(j);
    assert_int_equal(export_vtk(s, false), ZW_E_NO_INPUT);
    assert_false(zw_directory_has(&s->dir, "vtk/rods.pvd.tmp"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(frames_hold_polylines_with_their_point_data),
        TEST(collection_names_frames_with_their_times),
        TEST(earlier_export_stays_without_force_and_other_files_with_it),
        TEST(interrupted_export_leaves_no_frames),
        TEST(results_without_rods_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
