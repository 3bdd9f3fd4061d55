/* SPDX-License-Identifier: Apache-2.0
 * test_adaptive.c: steps of chosen length: frames fall on their times and leave the motion alone, a run resumes bitwise, tolerances are kept, and
 * the motion between two states is near it. */
#include "support/model.h"

#include "events/run.h"

#define DISK                                                                                               \
    "zwang: 1\nbodies:\n  disk:\n    lagrangian:\n"                                                        \
    "      coordinates: [x, y, psi, theta, phi]\n"                                                         \
    "      kinetic: phidot^2/16 - phidot*psidot*sin(theta)/8 + 5*psidot^2*sin(theta)^2/32 + psidot^2/32"   \
    " - psidot*xdot*sin(theta)*cos(psi)/2 - psidot*ydot*sin(psi)*sin(theta)/2 + 5*thetadot^2/32"           \
    " - thetadot*xdot*sin(psi)*cos(theta)/2 + thetadot*ydot*cos(psi)*cos(theta)/2 + xdot^2/2 + ydot^2/2\n" \
    "      potential: 981*cos(theta)/200\n"                                                                \
    "      constraints: {a: xdot = phidot*cos(psi)/2, b: ydot = phidot*sin(psi)/2}\n"                      \
    "      start: {theta: 0.1, xdot: 3, psidot: 0.2, thetadot: 0.1, phidot: 6}\n"                          \
    "probes: {lean: {coordinate: disk.theta}}\n"

enum { MOST = 4000 };

typedef struct tape {
    int    n;
    size_t width;
    double time[MOST], lean[MOST];
    int    channel;
} tape;

static zw_status tape_epoch(void *self, const zw_layout *layout) {
    tape *t = self;
    t->width = layout->width;
    for (int i = 0; i < layout->nchannels; i++) {
        if (strcmp(layout->channel[i].name, "probe/lean") == 0) {
            t->channel = (int)layout->channel[i].offset;
        }
    }
    return ZW_OK;
}

static zw_status tape_frame(void *self, const double *frame) {
    tape *t = self;
    assert_true(t->n < MOST);
    t->time[t->n] = frame[0];
    t->lean[t->n++] = frame[t->channel];
    return ZW_OK;
}

static void record(fixture *f, tape *t) {
    zw_recorder r = {.self = t, .epoch = tape_epoch, .frame = tape_frame};
    *t = (tape){0};
    zw_run_set_recorder(f->r, &r);
}

static void finish(fixture *f) {
    while (!zw_run_done(f->r)) {
        fixture_advance(f, 7);
    }
}

static void frames_fall_on_their_times_and_leave_the_motion_alone(void **state) {
    (void)state;
    static tape              t;
    static const char *const how[] = {"frames: 2", "frames: 301", "interval: 0.07", "every: 3", "frames: 1"};
    static const int         count[] = {2, 301, 44, 0, 1};
    double                   q[5] = {0}, v[5] = {0}, lean = 0.0;
    for (int i = 0; i < 5; i++) {
        char    text[3000];
        fixture f;
        snprintf(text, sizeof text, DISK "run: {until: 3}\nrecord: {%s}\n", how[i]);
        fixture_run(&f, text);
        record(&f, &t);
        finish(&f);
        const zw_state *x = zw_run_state(f.r);
        zw_summary      sum;
        zw_run_summary(f.r, &sum);
        assert_int_equal(sum.frames, t.n);
        assert_true(sum.t == 3.0 && t.time[t.n - 1] == 3.0);
        assert_true(sum.steps_total == sum.steps && sum.step_least > 0.0 && sum.step_least < sum.step_most);
        if (count[i] > 0) {
            assert_int_equal(t.n, count[i]);
        }
        if (i == 0) {
            memcpy(q, x->q, sizeof q);
            memcpy(v, x->v, sizeof v);
        }
        assert_memory_equal(q, x->q, sizeof q); /* the same bits whatever is recorded */
        assert_memory_equal(v, x->v, sizeof v);
        for (int k = 0; i == 1 && k < t.n - 1; k++) {
            assert_true(t.time[k] == 3.0 * (k / 300.0));
        }
        for (int k = 0; i == 2 && k < t.n - 1; k++) {
            assert_true(t.time[k] == k * 0.07);
        }
        lean = i == 1 ? t.lean[100] : lean;
        fixture_close(&f);
    }
    check_near(lean, 0.113133437102480239, 1e-13); /* t = 1, from the reference; 3.4e-15 */
}

static void tolerances_are_kept(void **state) {
    (void)state;
    static const double reference[] = {8.29405255907203021, 3.05036980088850124, 0.670714010409358372, 0.100796268691056114,
                                       18.0126546528152351};
    double              last = 0.0;
    for (int i = 0; i < 4; i++) {
        char    text[3000];
        fixture f;
        double  tolerance = pow(10.0, -6 - 2 * i);
        snprintf(text, sizeof text, DISK "run: {until: 3, tolerance: %g}\n", tolerance);
        fixture_run(&f, text);
        finish(&f);
        double error = largest_difference(5, zw_run_state(f.r)->q, reference);
        check_below(error / tolerance, 10.0, 0.25);
        assert_true(i == 0 || error < last);
        last = error;
        fixture_close(&f);
    }
}

static void resumes_bitwise(const char *run) {
    static tape whole, first, second;
    char        text[3000];
    fixture     f, g;
    snprintf(text, sizeof text, DISK "run: {until: 3%s}\nrecord: {frames: 50}\n", run);
    fixture_run(&f, text);
    record(&f, &whole);
    finish(&f);
    for (int at = 1; at < 40; at += 19) {
        fixture_run(&g, text);
        record(&g, &first);
        fixture_advance(&g, at);
        size_t         size = zw_run_save_size(g.r);
        unsigned char *bytes = malloc(size), *one = malloc(size), *two = malloc(size);
        assert_true(bytes && one && two);
        zw_run_save(g.r, bytes);
        fixture_close(&g);
        fixture_run(&g, text);
        fixture_must(&g, zw_run_restore(g.r, bytes, size), "zw_run_restore");
        record(&g, &second);
        second.channel = whole.channel; /* the epoch went to the first one */
        finish(&g);
        zw_run_save(f.r, one);
        zw_run_save(g.r, two);
        assert_memory_equal(one, two, size);
        assert_int_equal(first.n + second.n, whole.n);
        for (int k = 0; k < whole.n; k++) {
            const tape *t = k < first.n ? &first : &second;
            int         i = k < first.n ? k : k - first.n;
            assert_true(t->time[i] == whole.time[k] && t->lean[i] == whole.lean[k]);
        }
        fixture_close(&g);
        free(bytes), free(one), free(two);
    }
    fixture_close(&f);
}

static void adaptive_runs_resume_bitwise(void **state) {
    (void)state;
    resumes_bitwise("");
    resumes_bitwise(", formulation: macmillan");
}

static void fixed_steps_of_gauss_resume_bitwise(void **state) {
    (void)state;
    resumes_bitwise(", step: 0.04");
    resumes_bitwise(", step: 0.04, stages: 2");
}

static void the_motion_between_two_states_is_near(void **state) {
    (void)state;
    fixture f;
    fixture_run(&f, DISK "run: {until: 3}\n");
    fixture_advance(&f, 20);
    zw_run  *r = f.r;
    zw_state out = {0}, x1 = {0};
    double   error, next, worst = 0.0, h = 0.04;
    zw_size  n = r->size;
    fixture_must(&f, zw_state_create(f.c, &n, &out), "zw_state_create");
    fixture_must(&f, zw_state_create(f.c, &n, &x1), "zw_state_create");
    const zw_state *x0 = zw_run_state(r);
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i <= 10; i++) {
            double theta = 0.1 * i;
            fixture_must(
                &f, way == 0 ? r->ops->adapt(r->integrator, x0, h, 1e-12, &x1, &error, &next) : r->ops->step(r->integrator, x0, h, &x1),
                "step");
            r->ops->between(r->integrator, x0, &x1, theta, &out);
            double q[5];
            memcpy(q, out.q, sizeof q);
            if (i > 0) {
                fixture_must(&f, r->ops->step(r->integrator, x0, theta * h, &x1), "step");
                worst = fmax(worst, largest_difference(5, q, x1.q));
            } else {
                check_below(largest_difference(5, q, x0->q), 1e-15, 0.0);
            }
        }
    }
    check_below(worst, 1e-7, 1.8e-9);
    zw_state_destroy(f.c, &out);
    zw_state_destroy(f.c, &x1);
    fixture_close(&f);
}

static void a_singular_motion_ends_with_its_time(void **state) {
    (void)state;
    fixture f; /* x'' = -1/x^2 from rest: x = 0 at t = pi/(2 sqrt 2) = 1.1107 */
    fixture_run(
        &f,
        "zwang: 1\nbodies:\n  it: {lagrangian: {coordinates: [x], kinetic: xdot^2/2, potential: -1/x, start: {x: 1}}}\nrun: {until: 2}\n");
    zw_status status = zw_run_advance(f.r, 1000000);
    assert_int_not_equal(status, ZW_OK);
    assert_true(zw_run_done(f.r));
    check_near(zw_run_state(f.r)->t, 1.1107207345395915, 1e-9); /* 1.6e-12 before it */
    assert_true(zw_error_count(f.c) > 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_fall_on_their_times_and_leave_the_motion_alone),
        cmocka_unit_test(tolerances_are_kept),
        cmocka_unit_test(adaptive_runs_resume_bitwise),
        cmocka_unit_test(fixed_steps_of_gauss_resume_bitwise),
        cmocka_unit_test(the_motion_between_two_states_is_near),
        cmocka_unit_test(a_singular_motion_ends_with_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
