/* SPDX-License-Identifier: Apache-2.0
 * test_unilateral.c: linked systems with unilateral constraints: theorems 1 and 2 (reflection, and the inelastic law with e = sqrt(1 - k)) against dense
 * equations on random systems, and the benchmarks that have numbers: bouncing ball, rod on a floor and in a corner, double pendulum and wall, cradle,
 * Galperin's pi, springs of Hertz. */
#include "support/ledger.h"

#include "math/dense.h"

#define GAUSS(until) "run: {until: " until ", integrator: gauss}\n"

/* ---- theorems 1 and 2 */

static uint64_t seed = 20260101;

static double uniform(double lo, double hi) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

enum { N = 4 };

typedef struct sample {
    int    n, m; /* coordinates, equations */
    double M[N * N], q[N], v[N], c[N], A[2 * N], e;
    bool   by_loss;
} sample;

static sample draw(void) {
    sample s = {.n = 2 + (int)uniform(0.0, 2.999)};
    double L[N * N];
    s.m = (int)uniform(0.0, 1.0 + (s.n > 2) - 1e-9);
    for (int i = 0; i < s.n; i++) {
        for (int j = 0; j < s.n; j++) {
            L[N * i + j] = uniform(-1.0, 1.0);
        }
        s.q[i] = uniform(-2.0, 2.0);
        s.v[i] = uniform(-2.0, 2.0);
        s.c[i] = uniform(-1.5, 1.5);
        for (int k = 0; k < s.m; k++) {
            s.A[N * k + i] = uniform(-1.0, 1.0);
        }
    }
    for (int i = 0; i < s.n; i++) {
        for (int j = 0; j < s.n; j++) {
            s.M[N * i + j] = i == j ? 0.3 : 0.0;
            for (int k = 0; k < s.n; k++) {
                s.M[N * i + j] += L[N * i + k] * L[N * j + k];
            }
        }
    }
    s.by_loss = uniform(0.0, 1.0) < 0.5;
    double share = uniform(0.0, 1.0);
    s.e = share < 0.2 ? 0.0 : share < 0.4 ? 1.0 : uniform(0.0, 1.0);
    return s;
}

/* kinetic energy with that matrix at q and another elsewhere, a gap that is 0 there and bends, equations of the velocities */
static void write_model(const sample *s, char *out, size_t size) {
    size_t n = 0;
#define PUT(...) n += (size_t)snprintf(out + n, size - n, __VA_ARGS__)
    PUT("zwang: 1\nbodies:\n  p:\n    lagrangian:\n      coordinates: [");
    for (int i = 0; i < s->n; i++) {
        PUT("%sq%d", i > 0 ? ", " : "", i);
    }
    PUT("]\n      kinetic: (1 + 0.2*sin(q0 - (%.17g)))*(0", s->q[0]);
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            PUT(" + (%.17g)/2*q%ddot*q%ddot", s->M[N * i + j], i, j);
        }
    }
    PUT(")\n");
    for (int k = 0; k < s->m; k++) {
        PUT("%s        r%d: 0", k == 0 ? "      constraints:\n" : "", k);
        for (int i = 0; i < s->n; i++) {
            PUT(" + (%.17g)*q%ddot", s->A[N * k + i], i);
        }
        PUT(" = 0\n");
    }
    PUT("      start: {");
    for (int i = 0; i < s->n; i++) {
        PUT("%sq%d: %.17g, q%ddot: %.17g", i > 0 ? ", " : "", i, s->q[i], i, s->v[i]);
    }
    PUT("}\nconstraints:\n  wall: {unilateral: \"0");
    for (int i = 0; i < s->n; i++) {
        PUT(" + (%.17g)*(q%d - (%.17g)) + 0.3*(q%d - (%.17g))^2", s->c[i], i, s->q[i], i, s->q[i]);
    }
    PUT(" <= 0\", on: p, %s: %.17g}\nrun: {until: 1e-3, integrator: gauss}\n", s->by_loss ? "loss" : "restitution",
        s->by_loss ? 1.0 - s->e * s->e : s->e);
#undef PUT
}

/* momentum, rows, and the rate after: M (v+ - v-) = A' a + y c, A v+ = 0, c.v+ = -e c.v-: solved as one dense system */
static void dense_impact(const sample *s, const double *v, double *out) {
    int    n = s->n, size = n + s->m + 1, pivot[N + 3];
    double K[(N + 3) * (N + 3)] = {0}, b[N + 3] = {0}, rate = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            K[size * i + j] = s->M[N * i + j];
            b[i] += s->M[N * i + j] * v[j];
        }
        for (int k = 0; k < s->m; k++) {
            K[size * i + n + k] = -s->A[N * k + i];
            K[size * (n + k) + i] = s->A[N * k + i];
        }
        K[size * i + size - 1] = -s->c[i];
        K[size * (size - 1) + i] = s->c[i];
        rate += s->c[i] * v[i];
    }
    if (rate <= 0.0) {
        memcpy(out, v, sizeof(double) * (size_t)n);
        return;
    }
    b[size - 1] = -s->e * rate;
    assert_int_equal(zw_lu_factor(size, K, pivot), -1);
    zw_lu_solve(size, K, pivot, 1, b);
    memcpy(out, b, sizeof(double) * (size_t)n);
}

static void theorems_1_and_2_on_random_systems(void **state) {
    (void)state;
    static ledger l;
    static char   text[6000];
    double        worst = 0.0, energy = 0.0;
    int           hits = 0, count = (int)scaled_steps(400);
    for (int i = 0; i < count; i++) {
        sample s = draw();
        double before[N], expected[N];
        write_model(&s, text, sizeof text);
        ledger_open(&l, text);
        memcpy(before, zw_run_state(l.f.r)->v, sizeof(double) * (size_t)s.n); /* on the rows */
        dense_impact(&s, before, expected);
        fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
        const double *after = zw_run_state(l.f.r)->v;
        for (int k = 0; k < s.n; k++) {
            worst = fmax(worst, fabs(after[k] - expected[k]));
        }
        hits += l.count > 0 && l.kept[0].e.kind == ZW_EVENT_IMPACT;
        if (l.count > 0 &&
            l.kept[0].e.kind == ZW_EVENT_IMPACT) { /* loss = (1 - e^2) (c.v)^2/(2 c A^-1 c) = k E_t, and it is what the energy lost */
            const zw_event_record *e = &l.kept[0].e;
            double                 transferred = -0.5 * e->contact[0].impulse * e->contact[0].before / (1.0 + s.e);
            energy = fmax(energy, fabs(e->dissipated - (1.0 - s.e * s.e) * transferred));
            energy = fmax(energy, fabs(e->energy_before - e->energy_after - e->dissipated));
        }
        fixture_close(&l.f);
    }
    assert_true(hits > count / 4);
    check_below(worst, 1e-12, 1.4e-14);
    check_below(energy, 1e-12, 1.1e-14);
}

/* ---- benchmarks */

static void a_bouncing_ball_comes_to_rest_at_the_limit(void **state) {
    (void)state;
    static const char format[] =
        "zwang: 1\nbodies: {ball: {lagrangian: {coordinates: [y], kinetic: ydot^2/2, potential: 9.81*y, start: {y: 1}}}}\n"
        "constraints: {floor: {unilateral: y >= 0, on: ball, restitution: %s}}\n" GAUSS("10");
    static const char *const e[] = {"0.5", "0.9"};
    static const double      limit[] = {1.3545709230, 8.5789491787};
    static ledger            l;
    for (int i = 0; i < 2; i++) {
        char   text[sizeof format + 8];
        double value = strtod(e[i], NULL), t = sqrt(2.0 / 9.81) * (1.0 + value) / (1.0 - value);
        snprintf(text, sizeof text, format, e[i]);
        ledger_open(&l, text);
        ledger_finish(&l);
        zw_summary s = ledger_summary(&l);
        check_near(t, limit[i], 1e-10);
        check_near(ledger_find(&l, ZW_EVENT_ZENO, 0)->e.t, t, 1e-12); /* 5.4e-15 */
        check_near(s.dissipated, 9.81, 1e-13);
        check_near(zw_run_state(l.f.r)->q[0], 0.0, 1e-15);
        check_near(zw_run_state(l.f.r)->v[0], 0.0, 1e-15);
        assert_int_equal(s.zenos, 1);
        assert_int_equal(s.rests, 1);
        fixture_close(&l.f);
    }
}

#define ROD(x, y, more)                                                                                                         \
    "zwang: 1\nparameters: {a: 0}\nbodies:\n  rod:\n    lagrangian:\n      coordinates: [x, y, th]\n"                           \
    "      kinetic: (xdot^2 + ydot^2)/2 + thdot^2/24\n"                                                                         \
    "      points: {low: {position: [x + cos(th)/2, y - sin(th)/2, 0]}, left: {position: [x - cos(th)/2, y + sin(th)/2, 0]}}\n" \
    "      start: {x: " x ", y: " y ", " more "}\n"

/* m = L = 1, v0 = 1: p = (1 + e) v0/(1 + 3 cos^2), omega = 6 (1 + e) v0 cos/(1 + 3 cos^2); the low end is at +x: it turns the other way */
static void a_rod_dropped_on_a_floor(void **state) {
    (void)state;
    static const char format[] =
        ROD("0", "sin(%.17g)/2", "th: %.17g, ydot: -1") "constraints: {floor: {unilateral: y >= 0, on: rod, points: [low], "
                                                        "restitution: %.17g}}\n" GAUSS("1e-3");
    static ledger l;
    for (int i = 0; i < 20; i++) {
        char   text[sizeof format + 80];
        double th = i == 0 ? acos(-1.0) / 4.0 : i == 1 ? acos(1.0 / sqrt(3.0)) : 0.05 + 0.07 * i, e = i < 2 ? 1.0 : 0.05 * i;
        snprintf(text, sizeof text, format, th, th, e);
        ledger_open(&l, text);
        fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
        double D = 1.0 + 3.0 * cos(th) * cos(th);
        check_near(ledger_find(&l, ZW_EVENT_IMPACT, 0)->contact[0].impulse, (1.0 + e) / D, 1e-14); /* 4.5e-16 */
        check_near(fabs(zw_run_state(l.f.r)->v[2]), 6.0 * (1.0 + e) * cos(th) / D, 1e-14);         /* 4.5e-16 */
        if (i == 0) {
            check_near(ledger_find(&l, ZW_EVENT_IMPACT, 0)->contact[0].impulse / 2.0, 0.4, 1e-14);
            check_near(fabs(zw_run_state(l.f.r)->v[2]) / 2.0, 1.697056, 5e-7);
        } else if (i == 1) {
            check_near(fabs(zw_run_state(l.f.r)->v[2]) / 2.0, sqrt(3.0), 1e-14);
        }
        fixture_close(&l.f);
    }
}

/* leaning with its low end at +x on the floor and the other on the wall: omega = thdot */
static void a_rod_in_a_corner_by_each_law(void **state) {
    (void)state;
    static const char format[] =
        ROD("cos(pi/4)/2", "sin(pi/4)/2", "th: pi/4, xdot: %s, ydot: -1") "constraints:\n  %s\n  %s\ncontact: {law: %s}\n" GAUSS("1e-3");
    static const char floor_[] = "floor: {unilateral: y >= 0, on: rod, points: [low]}",
                      wall[] = "wall: {unilateral: x >= 0, on: rod, points: [left]}";
    static const struct {
        const char *xdot, *law;
        bool        floor_first;
        double      v[3];
    } list[] = {{"-1", "sequential", true, {0.76, 1.112, -1.493410}},
                {"-1", "sequential", false, {1.112, 0.76, 1.493410}},
                {"-1", "moreau", true, {1.0, 1.0, 0.0}},
                {"0", "sequential", true, {0.96, 0.152, -0.814587}},
                {"0", "sequential", false, {0.96, 0.152, -0.814587}},
                {"0", "moreau", true, {0.75, 0.25, -2.121320}}};
    static ledger l;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char text[sizeof format + 240];
        snprintf(text, sizeof text, format, list[i].xdot, list[i].floor_first ? floor_ : wall, list[i].floor_first ? wall : floor_,
                 list[i].law);
        ledger_open(&l, text);
        fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
        const double *v = zw_run_state(l.f.r)->v;
        check_near(v[0], list[i].v[0], 1e-14);
        check_near(v[1], list[i].v[1], 1e-14);
        check_near(v[2], list[i].v[2], 5e-7);
        assert_int_equal(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.order_dependent, strcmp(list[i].xdot, "-1") == 0);
        assert_int_equal(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.ncontacts, 2);
        fixture_close(&l.f);
    }
}

/* without a law, what depends on an order is refused */
static void a_corner_without_a_law_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_run(
        &f,
        ROD("cos(pi/4)/2", "sin(pi/4)/2",
            "th: pi/4, xdot: -1, ydot: -1") "constraints:\n"
                                            "  floor: {unilateral: y >= 0, on: rod, points: [low]}\n  wall: {unilateral: x >= 0, on: rod, points: [left]}\n" GAUSS(
                                                "1e-3"));
    assert_int_equal(zw_run_advance(f.r, 1), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->remedy, "name a law"));
    fixture_close(&f);
}

static const char pendulum[] = "zwang: 1\nbodies:\n  arm:\n    lagrangian:\n      coordinates: [a, b]\n      particles:\n"
                               "        upper: {mass: 1, position: [sin(a), 0, -cos(a)]}\n"
                               "        lower: {mass: 1, position: [sin(a) + sin(b), 0, -cos(a) - cos(b)]}\n"
                               "      potential: -9.81*(2*cos(a) + cos(b))\n"
                               "      start: {a: %.17g, b: %.17g, adot: %.17g, bdot: %.17g}\n"
                               "constraints: {wall: {unilateral: x <= 0.5, on: arm, points: [upper, lower]}}\n"
                               "run: {until: %.17g, integrator: gauss, tolerance: %g}\n";

static void a_double_pendulum_at_a_wall_keeps_its_energy(void **state) {
    (void)state;
    static ledger l;
    char          text[sizeof pendulum + 160];
    double        pi = acos(-1.0);
    snprintf(text, sizeof text, pendulum, -pi / 2.0, -2.0 * pi / 3.0, 0.0, 0.0, 100.0, 1e-12);
    ledger_open(&l, text);
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts > 0); /* how many depends on the tolerance: the motion is chaotic */
    check_below(s.energy_drift_max, 1e-9, 2.5e-10);
    check_near(s.dissipated, 0.0, 1e-14);
    fixture_close(&l.f);
}

static int64_t swing(double x[4], double T) {
    static ledger l;
    char          text[sizeof pendulum + 160];
    snprintf(text, sizeof text, pendulum, x[0], x[1], x[2], x[3], T, 1e-14);
    ledger_open(&l, text);
    ledger_finish(&l);
    const zw_state *end = zw_run_state(l.f.r);
    int64_t         impacts = ledger_summary(&l).impacts;
    for (int k = 0; k < 2; k++) {
        x[k] = end->q[k];
        x[2 + k] = end->v[k];
    }
    fixture_close(&l.f);
    return impacts;
}

static double distance(const double a[4], const double b[4]) {
    double most = 0.0;
    for (int k = 0; k < 4; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

/* Forwards, all velocities turned round, forwards again: back at the start. How near depends on how much the motion enlarges errors, which is measured
 * beside it by a start that is 1e-12 away. The statement of the case has returns of 2.5e-11 (5 s), 3.8e-9 (10 s) and 2.2e-7 (20 s) with 4, 7 and 14 impacts; none of
 * its readings has these counts (180 starts and walls were tried: links at multiples of 30 degrees, the wall for one or both masses). With the second angle
 * counted from the first link the motion enlarges errors 17, 400 and 1e6 times, as the statement's must, and ours returns nearer each time. With both
 * angles counted from the vertical it is 10, 1.7e4 and 5e9 times: after 20 s round-off itself is 1e-4. */
static void a_double_pendulum_at_a_wall_runs_backwards(void **state) {
    (void)state;
    static const double T[] = {5.0, 10.0, 20.0};
    static const struct {
        double second; /* its angle from the vertical, degrees */
        double bound[3], measured[3];
    } list[] = {{30.0, {2.5e-11, 3.8e-9, 2.2e-7}, {2.1e-13, 8.1e-11, 3.9e-8}},
                {-120.0, {2.5e-11, 3.8e-9, 1e-2}, {6.1e-13, 7.3e-11, 1.9e-4}}};
    double pi = acos(-1.0);
    for (int i = 0; i < 6; i++) {
        int    reading = i / 3, k = i % 3;
        double x[4] = {-pi / 2.0, list[reading].second * pi / 180.0, 0.0, 0.0}, start[4], near_by[4], end[4];
        memcpy(start, x, sizeof x);
        memcpy(near_by, x, sizeof x);
        near_by[0] += 1e-12;
        swing(near_by, T[k]);
        int64_t there = swing(x, T[k]);
        memcpy(end, x, sizeof x);
        double enlarged = distance(near_by, end) / 1e-12;
        x[2] = -x[2];
        x[3] = -x[3];
        assert_int_equal(swing(x, T[k]), there);
        double apart = distance(x, start);
        check_below(apart, list[reading].bound[k], list[reading].measured[k]);
        check_below(apart / enlarged, 1e-12, 2e-13); /* round-off of the motion itself */
    }
}

static void cradle(const char *law, int n, const double *expected, double tolerance) {
    static ledger l;
    char          text[2000];
    size_t        at = (size_t)snprintf(text, sizeof text, "zwang: 1\nbodies:\n  row:\n    lagrangian:\n      coordinates: [");
    for (int i = 1; i <= n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%sx%d", i > 1 ? ", " : "", i);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "]\n      kinetic: (0");
    for (int i = 1; i <= n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " + x%ddot^2", i);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, ")/2\n      start: {x1: -0.7, x1dot: 1");
    for (int i = 2; i <= n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, ", x%d: %d", i, i - 1);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "}\nconstraints:\n");
    for (int i = 1; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "  c%d: {unilateral: x%d + 1 <= x%d, on: row}\n", i, i, i + 1);
    }
    snprintf(text + at, sizeof text - at, "contact: {law: %s}\n" GAUSS("1"), law);
    ledger_open(&l, text);
    ledger_finish(&l);
    assert_int_equal(ledger_summary(&l).impacts, 1);
    check_near(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.t, 0.7, 1e-15);
    check_array_near(zw_run_state(l.f.r)->v, expected, n, tolerance); /* compliant: 4.6e-9 */
    fixture_close(&l.f);
}

static void a_cradle_under_each_law(void **state) {
    (void)state;
    static const double last3[] = {0, 0, 1}, last5[] = {0, 0, 0, 0, 1};
    static const double moreau3[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, moreau5[] = {-0.6, 0.4, 0.4, 0.4, 0.4};
    static const double hertz3[] = {-0.07095235, 0.07640304, 0.99454931};
    static const double hertz5[] = {-0.07108502, -0.03027376, -0.01446363, 0.12704499, 0.98877742};
    cradle("sequential", 3, last3, 1e-14);
    cradle("sequential", 5, last5, 1e-14);
    cradle("reflect", 5, last5, 1e-14); /* the same in every order */
    cradle("moreau", 3, moreau3, 1e-14);
    cradle("moreau", 5, moreau5, 1e-14);
    cradle("compliant", 3, hertz3, 1e-8); /* the reference has 8 digits */
    cradle("compliant", 5, hertz5, 1e-8);
}

/* two balls and a wall, mass ratio 100^N: the digits of pi */
static void galperin_counts_the_digits_of_pi(void **state) {
    (void)state;
    static const char format[] =
        "zwang: 1\nbodies: {balls: {lagrangian: {coordinates: [x1, x2], kinetic: x1dot^2/2 + 100^%d*x2dot^2/2,\n"
        "  start: {x1: 1, x2: 2, x2dot: -1}}}}\n"
        "constraints: {wall: {unilateral: x1 >= 0, on: balls}, meet: {unilateral: x1 <= x2, on: balls}}\n" GAUSS("100");
    static const int64_t digits[] = {3, 31, 314, 3141, 31415, 314159};
    static ledger        l;
    int                  most = test_scale() >= 10.0 ? 5 : 4; /* soak_chopstick.c goes to 5 */
    for (int i = 0; i <= most; i++) {
        char text[sizeof format + 16];
        snprintf(text, sizeof text, format, i);
        ledger_open(&l, text);
        ledger_finish(&l);
        assert_int_equal(ledger_summary(&l).impacts, digits[i]);
        fixture_close(&l.f);
    }
}

/* A parallelogram with cranks of length 1 and angle th, struck by a wall at its bar: one degree of freedom, A = sum of m/3 + m_bar, grad f = -sin th,
 * so th' turns round (times e), and p = (1 + e) |th' A/sin th|. A third crank makes one joint redundant: impulses of the joints are not unique then, and said to be so.
 * Light as nothing, it changes nothing. */
static double parallelogram(int cranks, double third, double e, double *rate, bool *unique) {
    static ledger l;
    char          text[3000];
    size_t        at = (size_t)snprintf(text, sizeof text, "zwang: 1\nparameters: {c: cos(1), d: sin(1)}\nbodies:\n");
    for (int i = 0; i < cranks; i++) {
        double m = i < 2 ? 1.0 : third;
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "  c%d: {rigid: {mass: %.17g, inertia: [%.17g/12, %.17g/12, %.17g/12], at: [%g + c/2, d/2, 0], turn: [0, 0, 1], plane: [0, 0, 1], "
            "velocity: [-d, c, 0], spin: [0, 0, 2]}}\n",
            i, m, m, m, m, i == 2 ? 0.7 : (double)i);
    }
    at += (size_t)snprintf(
        text + at, sizeof text - at,
        "  bar: {rigid: {mass: 2, inertia: [1, 1, 1], at: [0.5 + c, d, 0], velocity: [-2*d, 2*c, 0], plane: [0, 0, 1], points: {end: [-0.8, 0.1, "
        "0]}}}\nconstraints:\n");
    for (int i = 0; i < cranks; i++) {
        double x = i == 2 ? 0.7 : (double)i;
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "  g%d: {ball: c%d, at: [-0.5, 0, 0]}\n  j%d: {ball: [{body: c%d, at: [0.5, 0, 0]}, {body: bar, at: [%g, 0, 0]}]}\n", i, i, i,
            i, x - 0.5);
    }
    snprintf(text + at, sizeof text - at, "  wall: {unilateral: x >= c - 0.3, on: bar, points: [end], restitution: %.17g}\n" GAUSS("1e-3"),
             e);
    ledger_open(&l, text);
    fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
    const zw_event_record *r = &ledger_find(&l, ZW_EVENT_IMPACT, 0)->e;
    double                 p = r->contact[0].impulse;
    *rate = zw_run_state(l.f.r)->v[0]; /* of the first crank */
    *unique = true;
    assert_int_equal(r->njoints, 2 * cranks);
    for (int i = 0; i < r->njoints; i++) {
        *unique = *unique && r->joint[i].unique;
    }
    fixture_close(&l.f);
    return p;
}

static void a_redundant_linkage_struck_by_a_wall(void **state) {
    (void)state;
    static const double mass[] = {1.0, 1e-2, 1e-4, 1e-6, 1e-8};
    double              rate, e = 0.6;
    bool                unique;
    double              alone = parallelogram(2, 0.0, e, &rate, &unique);
    assert_true(unique);
    check_near(rate, -2.0 * e, 1e-14);
    check_relative(alone, (1.0 + e) * 2.0 * (2.0 / 3.0 + 2.0) / sin(1.0), 1e-14);
    for (int i = 0; i < 5; i++) {
        double p = parallelogram(3, mass[i], e, &rate, &unique);
        assert_false(unique);
        check_near(rate, -2.0 * e, 1e-13); /* 1e-15 */
        check_relative(p, (1.0 + e) * 2.0 * ((2.0 + mass[i]) / 3.0 + 2.0) / sin(1.0), 1e-13);
        check_below(fabs(p - alone), 1.3 * mass[i], 1.27 * mass[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorems_1_and_2_on_random_systems),
        cmocka_unit_test(a_bouncing_ball_comes_to_rest_at_the_limit),
        cmocka_unit_test(a_rod_dropped_on_a_floor),
        cmocka_unit_test(a_rod_in_a_corner_by_each_law),
        cmocka_unit_test(a_corner_without_a_law_is_refused),
        cmocka_unit_test(a_double_pendulum_at_a_wall_keeps_its_energy),
        cmocka_unit_test(a_double_pendulum_at_a_wall_runs_backwards),
        cmocka_unit_test(a_cradle_under_each_law),
        cmocka_unit_test(a_redundant_linkage_struck_by_a_wall),
        cmocka_unit_test(galperin_counts_the_digits_of_pi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
