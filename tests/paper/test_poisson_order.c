/* SPDX-License-Identifier: Apache-2.0
 * Orders of poisson, hamel, poisson-consistent and verlet in dt and ds on smooth data: curvature and velocity like sin^2, so that free
 * ends start at rest
 * and without stress. Error: rms distance of the nodes at t = 0.05 s. */
#include "support/bracket.h"

static const double T = 0.05;
enum { NODES = 26 };

static void final(scheme s, int elements, int steps, double out[3 * NODES]) {
    char    text[1000];
    fixture f;
    snprintf(
        text, sizeof text,
        "zwang: 1\nparameters: {L: 2*pi/3, a: 0.1}\nbodies:\n  beam:\n    rod:\n      length: L\n      elements: %d\n      section: {square: a}\n"
        "      material: {density: 1000, young: 1e7, poisson: 0.35}\n      shape: {curvature: [0, -sin(pi*s/L)^2, 0]}\n"
        "      velocity: {director: [0, sin(pi*s/L)^2, sin(pi*s/L)^2]}\nrun: {until: 0.05, step: 1e-6}\n",
        elements);
    bracket_open(&f, text, s);
    bracket_go(&f, T / steps, steps);
    for (int i = 0; i < NODES; i++) {
        zw_v3_copy(out + 3 * i, bracket_x(&f)->q + 7 * i * (elements / 25));
    }
    fixture_close(&f);
}

static double rms(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < 3 * NODES; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum / NODES);
}

typedef struct orders {
    double both[3], time[3], space[3]; /* errors for dt and ds halved twice, for dt alone, for ds alone */
} orders;

static orders measure(scheme s, const double reference[3 * NODES]) {
    orders o;
    double own[3 * NODES], x[3 * NODES];
    for (int k = 0; k < 3; k++) {
        final(s, 25 << k, 160 << k, x);
        o.both[k] = rms(x, reference);
    }
    final(s, 25, 10240, own);
    for (int k = 0; k < 3; k++) {
        final(s, 25, 160 << k, x);
        o.time[k] = rms(x, own);
    }
    final(s, 400, 2560, own);
    for (int k = 0; k < 3; k++) {
        final(s, 25 << k, 2560, x);
        o.space[k] = rms(x, own);
    }
    print_message("%-18s %s %d  both %.2e %.2e %.2e (%.2f %.2f)  dt %.2e %.2e %.2e (%.2f %.2f)  ds %.2e %.2e %.2e (%.2f %.2f)\n", s.name,
                  s.ends == ZW_ENDS_FULL ? "full" : "half", (int)s.reconstruct, o.both[0], o.both[1], o.both[2],
                  log2(o.both[0] / o.both[1]), log2(o.both[1] / o.both[2]), o.time[0], o.time[1], o.time[2], log2(o.time[0] / o.time[1]),
                  log2(o.time[1] / o.time[2]), o.space[0], o.space[1], o.space[2], log2(o.space[0] / o.space[1]),
                  log2(o.space[1] / o.space[2]));
    return o;
}

static void orders_on_smooth_data(void **state) {
    double reference[3 * NODES];
    scheme verlet = {"verlet", ZW_ENDS_HALF, ZW_RECONSTRUCT_OLD}, better = {"poisson", ZW_ENDS_HALF, ZW_RECONSTRUCT_MEAN};
    (void)state;
    final(verlet, 800, 8000, reference);
    /* as printed: first order in everything; hamel the same */
    orders o = measure(POISSON, reference);
    check_order(o.both, 3, 2.0, 0.91, 0.05);
    check_order(o.time, 3, 2.0, 1.02, 0.05);
    check_order(o.space, 3, 2.0, 1.07, 0.12); /* against 400 elements of its own: the end mass is of first order in ds */
    orders h = measure(HAMEL, reference);
    check_order(h.both, 3, 2.0, 0.91, 0.05);
    check_order(h.time, 3, 2.0, 1.02, 0.05);
    check_order(h.space, 3, 2.0, 1.07, 0.12);
    /* half ends: second order in space, first in time, so the joint slope falls from 2 to 1 */
    orders m = measure(better, reference);
    check_order(m.time, 3, 2.0, 1.0, 0.06);
    check_order(m.space, 3, 2.0, 2.03, 0.12);
    assert_true(o.both[2] > 20.0 * m.both[2]); /* 39 times smaller: measured 1.42e-3 and 3.6e-5 */
    orders c = measure(CONSISTENT, reference);
    check_order(c.time, 3, 2.0, 1.0, 0.06);
    check_order(c.space, 3, 2.0, 2.03, 0.12);
    orders v = measure(verlet, reference);
    check_order(v.both, 3, 2.0, 2.0, 0.12);
    check_order(v.time, 3, 2.0, 1.8, 0.15);
    check_order(v.space, 3, 2.0, 2.04, 0.12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_on_smooth_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
