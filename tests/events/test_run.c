/* SPDX-License-Identifier: Apache-2.0
 * test_run.c: schedule of frames, choice of the step, probes, and how a run ends: reached, diverged, cancelled. */
#include "support/model.h"

#include "base/number.h"
#include "math/quat.h"

enum { MOST_FRAMES = 2000 };

typedef struct recording {
    int              epochs, frames;
    double           t[MOST_FRAMES];
    const zw_layout *layout;
    double          *last;   /* newest frame */
    zw_context      *cancel; /* cancel it at the third frame */
} recording;

static zw_status on_epoch(void *self, const zw_layout *layout) {
    recording *rec = self;
    rec->epochs++;
    rec->layout = layout;
    rec->last = realloc(rec->last, layout->width * sizeof(double));
    return ZW_OK;
}

static zw_status on_frame(void *self, const double *frame) {
    recording *rec = self;
    assert_true(rec->frames < MOST_FRAMES);
    rec->t[rec->frames++] = frame[0];
    memcpy(rec->last, frame, rec->layout->width * sizeof(double));
    if (rec->cancel != NULL && rec->frames == 3) {
        zw_context_cancel(rec->cancel);
    }
    return ZW_OK;
}

static void record(fixture *f, recording *rec) {
    zw_recorder recorder = {.self = rec, .epoch = on_epoch, .frame = on_frame};
    memset(rec, 0, sizeof *rec);
    zw_run_set_recorder(f->r, &recorder);
}

static const double *channel(const recording *rec, const char *name) {
    for (int i = 0; i < rec->layout->nchannels; i++) {
        if (strcmp(rec->layout->channel[i].name, name) == 0) {
            return rec->last + rec->layout->channel[i].offset;
        }
    }
    fail_msg("there is no channel %s", name);
    return NULL;
}

#define ROD                                                                                                            \
    "zwang: 1\nbodies:\n  a: {rod: {length: 1, elements: 8, along: [1, 0, 0], up: [0, 0, 1], section: {square: 0.1}, " \
    "material: {density: 1000, young: 1e6, poisson: 0.25}, velocity: [0, s, 0]}}\n"

static void times_of(const char *tail, recording *rec) {
    fixture f;
    char    text[1000];
    snprintf(text, sizeof text, ROD "%s", tail);
    fixture_run(&f, text);
    record(&f, rec);
    fixture_advance(&f, INT64_MAX);
    assert_int_equal(rec->epochs, 1);
    assert_int_equal(rec->frames, zw_run_frames(f.r));
    zw_summary sum;
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.outcome, ZW_REACHED);
    assert_true(zw_run_done(f.r));
    assert_true(rec->t[rec->frames - 1] == sum.until); /* the end is exact, and always a frame */
    free(rec->last);
    fixture_close(&f);
}

static void frames_fall_where_record_says(void **state) {
    recording rec;
    (void)state;
    times_of("run: {until: 0.1, step: 1e-3}\nrecord: {every: 30}\n", &rec);
    assert_int_equal(rec.frames, 5);
    check_array_near(rec.t, ((double[]){0, 0.03, 0.06, 0.09, 0.1}), 5, 1e-15);
    times_of("run: {until: 0.1, step: 1e-3}\nrecord: {interval: 0.025}\n", &rec);
    assert_int_equal(rec.frames, 5);
    check_array_near(rec.t, ((double[]){0, 0.025, 0.05, 0.075, 0.1}), 5, 1e-15);
    times_of("run: {until: 0.1}\nrecord: {interval: 0.02}\n", &rec); /* a chosen step divides the interval */
    assert_int_equal(rec.frames, 6);
    check_array_near(rec.t, ((double[]){0, 0.02, 0.04, 0.06, 0.08, 0.1}), 6, 1e-12);
    times_of("run: {until: 0.1, step: 1e-3}\nrecord: {frames: 11}\n", &rec);
    assert_int_equal(rec.frames, 11);
    for (int i = 0; i < 11; i++) {
        check_near(rec.t[i], 0.01 * i, 1e-15);
    }
    times_of("run: {until: 0.1, step: 1e-3}\nrecord: {frames: 8}\n", &rec); /* 7 parts of 100 steps: near the even times */
    assert_int_equal(rec.frames, 8);
    for (int i = 0; i < 8; i++) {
        check_near(rec.t[i], 0.1 * i / 7, 1e-3);
    }
    times_of("run: {until: 0.1, step: 1e-3}\nrecord: {frames: 5000}\n", &rec); /* more than steps: every step */
    assert_int_equal(rec.frames, 101);
    times_of("run: {until: 0.1, step: 1e-3}\n", &rec); /* 200 by default */
    assert_int_equal(rec.frames, 101);
}

static void step_is_chosen_kept_or_shortened(void **state) {
    fixture    f;
    zw_summary sum;
    double     length;
    (void)state;
    fixture_run(&f, ROD "run: {until: 0.1}\n");
    zw_run_summary(f.r, &sum);
    double safe = zw_system_step_limit(zw_run_system(f.r), &length);
    assert_true(sum.step <= 0.9 * fmin(safe, sum.limit) && sum.step > 0.85 * fmin(safe, sum.limit));
    check_near((double)sum.steps_total * sum.step, 0.1, 1e-15);
    double limit = sum.limit;
    fixture_close(&f);
    char text[600];
    snprintf(text, sizeof text, ROD "run: {until: 0.1, step: %.17g}\n", 0.99 * limit);
    fixture_run(&f, text); /* below the limit: taken, and shortened to whole steps */
    zw_run_summary(f.r, &sum);
    assert_true(sum.step <= 0.99 * limit);
    assert_non_null(strstr(f.log, "shortened"));
    fixture_close(&f);
    fixture_run(&f, ROD "run: {until: 0.1, step: 1e-3}\n");
    zw_run_summary(f.r, &sum);
    assert_true(sum.step == 0.1 / 100);
    assert_null(strstr(f.log, "shortened"));
    fixture_close(&f);
}

static void step_beyond_the_limit_is_refused(void **state) {
    fixture f;
    (void)state;
    zw_summary sum;
    char       limit[ZW_NUMBER_TEXT];
    fixture_run(&f, ROD "run: {until: 0.1}\n");
    zw_run_summary(f.r, &sum);
    zw_number_short(sum.limit, 4, limit);
    fixture_close(&f);
    fixture_parse(&f, ROD "run: {until: 0.1, step: 0.01}\n");
    assert_int_equal(zw_run_create(f.m, &f.r), ZW_E_STEP);
    assert_null(f.r);
    const zw_error *e = fixture_error(&f);
    assert_string_equal(e->subject, "run.step");
    assert_non_null(strstr(e->message, "stability limit"));
    assert_non_null(strstr(e->message, "0.01"));
    assert_non_null(strstr(e->message, limit));
    assert_true(e->line > 0);
    assert_non_null(strstr(e->remedy, "at most"));
    fixture_close(&f);
}

static void run_without_run_says_what_to_add(void **state) {
    fixture f;
    (void)state;
    fixture_parse(&f, ROD);
    assert_int_equal(zw_run_create(f.m, &f.r), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->remedy, "run:"));
    fixture_close(&f);
}

/* one body in a known state: every kind of probe against numbers worked out by hand */
static void probes_read_what_they_say(void **state) {
    fixture   f;
    recording rec;
    (void)state;
    fixture_run(
        &f,
        "zwang: 1\nparameters: {P: 2}\ngravity: [0, 0, -10]\nbodies:\n"
        "  a: {rod: {length: 1, elements: 10, along: [1, 0, 0], up: [0, 0, 1], at: [0, 0, 2], section: {bending: [4, 5], torsion: 6, stretch: 100, shear: 50, mass: 3, inertia: 0.1}, "
        "shape: {curvature: [0.5, 0, 0]}, velocity: [1, 0, 0]}}\n"
        "constraints:\n  hold: {clamp: a, s: 0, fix: [z, rx]}\n"
        "run: {until: 1e-6, step: 1e-6}\n"
        "probes:\n"
        "  x: {position: a, s: 0}\n"
        "  v: {velocity: a, s: 0.55}\n"
        "  o: {orientation: a, s: 0}\n"
        "  e: {strain: a, s: 0.3}\n"
        "  k: {curvature: a, s: 0.3}\n"
        "  n: {force: a, s: 0.3}\n"
        "  m: {moment: a, s: end}\n"
        "  r: {reaction: hold}\n"
        "  u: {multiplier: hold}\n"
        "  K: {energy: kinetic}\n"
        "  U: {energy: elastic}\n"
        "  V: {energy: potential}\n"
        "  E: {energy: total}\n"
        "  A: {energy: a}\n"
        "  L: {length: a}\n"
        "  q: {expression: \"P*x.z + K + t\"}\n"
        "  w: {expression: \"[x.x, k.d1, q]\"}\n");
    record(&f, &rec);
    fixture_advance(&f, 0); /* the frame of the start */
    assert_int_equal(rec.frames, 1);
    check_array_near(channel(&rec, "probe/x"), ((double[]){0, 0, 2}), 3, 1e-15);
    check_near(channel(&rec, "probe/v")[0], 1.0, 1e-12);
    double R[9];
    zw_q_to_matrix(channel(&rec, "probe/o"), R); /* columns d1 = z, d2 = d3 x d1 = -y, d3 = x */
    check_array_near(R, ((double[]){0, 0, 1, 0, -1, 0, 1, 0, 0}), 9, 1e-15);
    check_array_near(channel(&rec, "probe/e"), ((double[]){0, 0, 0}), 3, 1e-14);
    check_array_near(channel(&rec, "probe/k"), ((double[]){0.5, 0, 0}), 3, 1e-13);
    check_array_near(channel(&rec, "probe/n"), ((double[]){0, 0, 0}), 3, 1e-11);
    check_array_near(channel(&rec, "probe/m"), ((double[]){2, 0, 0}), 3, 1e-12);
    const double *r = channel(&rec, "probe/r"), *u = channel(&rec, "probe/u");
    check_near(r[0], 0.0, 1e-12);
    check_near(r[1], 0.0, 1e-12);
    check_near(r[2], u[0], 1e-12); /* force along z, couple about x */
    check_near(r[3], u[1], 1e-9);
    assert_true(r[2] > 0.0);
    check_near(channel(&rec, "probe/K")[0], 0.5 * 3, 1e-12);
    check_near(channel(&rec, "probe/U")[0], 0.5 * 4 * 0.25, 1e-12);
    double V = channel(&rec, "probe/V")[0];
    check_near(channel(&rec, "probe/E")[0], 1.5 + 0.5 + V, 1e-12);
    check_near(channel(&rec, "probe/A")[0], 1.5 + 0.5 + V, 1e-12);
    check_near(channel(&rec, "probe/L")[0], 1.0, 1e-13);
    check_near(channel(&rec, "probe/q")[0], 2 * 2 + 1.5, 1e-12);
    check_array_near(channel(&rec, "probe/w"), ((double[]){0, 0.5, 5.5}), 3, 1e-12);
    check_near(channel(&rec, "energy/total")[0], 2.0 + V, 1e-12);
    check_near(channel(&rec, "momentum/linear")[0], 3.0, 1e-12);
    /* summaries know the least and the most */
    fixture_advance(&f, 10);
    zw_summary sum;
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.nprobes, 17);
    assert_string_equal(sum.probes[0].name, "x");
    assert_true(sum.probes[0].min[0] == 0.0 && sum.probes[0].max[0] == sum.probes[0].final[0] && sum.probes[0].final[0] > 0.0);
    assert_int_equal(sum.rows, 2);
    assert_true(sum.zwang_max > 0.0);
    free(rec.last);
    fixture_close(&f);
}

static void a_probe_that_is_not_finite_is_named(void **state) {
    fixture f;
    (void)state;
    fixture_run(&f, ROD "run: {until: 0.1, step: 1e-3}\nprobes:\n  bad: {expression: \"1/(t - 0.05)\"}\n  x: {position: a, s: 0}\n");
    zw_status status = zw_run_advance(f.r, 1000);
    assert_int_equal(status, ZW_E_DIVERGED);
    assert_non_null(strstr(fixture_error(&f)->subject, "bad"));
    fixture_close(&f);
}

/* a load that pulls itself up: x grows as exp until numbers end; body, node and time are named, and frames before stay */
static void numbers_that_end_stop_the_run(void **state) {
    fixture    f;
    recording  rec;
    zw_summary sum;
    (void)state;
    fixture_run(
        &f, ROD
        "loads:\n  blow: {force: [0, \"1e6*exp(min(700, 3e3*t))*(1 + y)\", 0], on: a, s: end}\nrun: {until: 1, step: 1e-3}\nrecord: {every: 5}\n");
    record(&f, &rec);
    zw_status status = zw_run_advance(f.r, INT64_MAX);
    assert_int_equal(status, ZW_E_DIVERGED);
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.outcome, ZW_DIVERGED);
    assert_true(zw_run_done(f.r));
    char line[1200];
    zw_error_format(fixture_error(&f), line, sizeof line);
    print_message("%s\n", line);
    assert_non_null(strstr(line, "rod 'a'"));
    assert_true(strstr(line, "node") != NULL || strstr(line, "link") != NULL);
    assert_non_null(strstr(line, "t = "));
    assert_true(rec.frames >= 1 && rec.frames == zw_run_frames(f.r));
    assert_true(sum.t < 1.0 && sum.steps == (int64_t)(sum.t / sum.step + 0.5));
    for (int i = 0; i < 63; i++) { /* the state that was kept is finite */
        assert_true(isfinite(zw_run_state(f.r)->q[i]));
    }
    free(rec.last);
    fixture_close(&f);
}

static void a_cancelled_run_stops_and_can_go_on(void **state) {
    fixture    f, g;
    recording  rec;
    zw_summary sum;
    (void)state;
    fixture_run(&f, ROD "run: {until: 0.1, step: 1e-3}\nrecord: {every: 10}\n");
    record(&f, &rec);
    rec.cancel = f.c;
    assert_int_equal(zw_run_advance(f.r, 1000), ZW_E_CANCELLED);
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.outcome, ZW_RUNNING);
    assert_int_equal(sum.steps, 20);
    assert_int_equal(rec.frames, 3);
    assert_non_null(strstr(fixture_error(&f)->message, "t = 0.02"));
    /* what it saved goes on in another run */
    size_t size = zw_run_save_size(f.r);
    void  *bytes = malloc(size);
    zw_run_save(f.r, bytes);
    fixture_run(&g, ROD "run: {until: 0.1, step: 1e-3}\nrecord: {every: 10}\n");
    fixture_must(&g, zw_run_restore(g.r, bytes, size), "restore");
    fixture_advance(&g, 1000);
    assert_int_equal(zw_run_frames(g.r), 11);
    free(bytes);
    free(rec.last);
    fixture_close(&f);
    fixture_close(&g);
}

static void slices_are_one_run(void **state) {
    fixture f, g;
    (void)state;
    fixture_run(&f, ROD "run: {until: 0.1, step: 1e-3}\n");
    fixture_run(&g, ROD "run: {until: 0.1, step: 1e-3}\n");
    fixture_advance(&f, 100);
    for (int i = 0; i < 34; i++) {
        fixture_advance(&g, 3);
    }
    assert_true(zw_run_done(f.r) && zw_run_done(g.r));
    assert_memory_equal(zw_run_state(f.r)->q, zw_run_state(g.r)->q, 63 * sizeof(double));
    fixture_close(&f);
    fixture_close(&g);
}

static void unknown_fields_are_refused(void **state) {
    fixture     f;
    const char *text = ROD "run: {until: 0.1}\nrecord: {fields: [position, color]}\n";
    (void)state;
    assert_int_equal(zw_context_create(NULL, &f.c), ZW_OK);
    f.m = NULL;
    f.r = NULL;
    f.y = NULL;
    zw_status status = zw_model_parse(f.c, "test.yaml", text, strlen(text), 0, NULL, &f.m);
    assert_int_equal(status == ZW_OK ? zw_run_create(f.m, &f.r) : status, ZW_E_MODEL);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_fall_where_record_says),
        cmocka_unit_test(step_is_chosen_kept_or_shortened),
        cmocka_unit_test(step_beyond_the_limit_is_refused),
        cmocka_unit_test(run_without_run_says_what_to_add),
        cmocka_unit_test(probes_read_what_they_say),
        cmocka_unit_test(a_probe_that_is_not_finite_is_named),
        cmocka_unit_test(numbers_that_end_stop_the_run),
        cmocka_unit_test(a_cancelled_run_stops_and_can_go_on),
        cmocka_unit_test(slices_are_one_run),
        cmocka_unit_test(unknown_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
