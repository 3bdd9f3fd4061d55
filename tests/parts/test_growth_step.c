/* SPDX-License-Identifier: Apache-2.0
 * test_growth_step.c: the step that growth_law.h prescribes: half growth at fixed nodes, mechanics, half growth, push; of order 2, and why halves.
 *
 * The rod is one link that carries a mass: x'' = -N + F, N = K (x/l - 1), which at fixed l is a harmonic motion, stepped exactly; its wall
 * yields to N, and its tip turns late towards the direction that the swinging mass looks to. */
#include "support/growth.h"

static const double stiffness = 30.0, load = 1.0;

/* data: x, x' */
static void hangs(bench *b, double t) {
    zw_growth_sense *a = &b->sense[0];
    (void)t;
    a->area = 0.5;
    a->tension = stiffness * (b->data[0] / b->l[0] - 1.0);
    a->tension_slope = -stiffness * b->data[0] / b->l[0];
    a->R[6] = sin(b->data[0]); /* direction cue */
}

static void swing(bench *b, double h) {
    double l = b->l[0], omega = sqrt(stiffness / l), rest = l * (1.0 + load / stiffness), x = b->data[0] - rest, v = b->data[1];
    b->data[0] = rest + x * cos(omega * h) + v / omega * sin(omega * h);
    b->data[1] = v * cos(omega * h) - x * omega * sin(omega * h);
}

/* l, x and k0 at t = 1 */
static void run(zw_growth_kind kind, bool halves, int steps, double out[3]) {
    bench *b = bench_open(1, 1.0);
    double h = 1.0 / steps;
    b->load = hangs;
    b->data[0] = 1.05; /* the wall yields all the time: stopping and starting again is a kink */
    b->def.sample = h;
    if (kind == ZW_GROWTH_LOCKHART) {
        bench_make(b, ZW_GROWTH_LOCKHART, "0.2", "0.5", "0.3");
    } else {
        bench_make(b, ZW_GROWTH_ACE, "2", "1", "[0, 0, 1]", "0.125", "0.2", NULL, NULL, "0.4*tension/30");
    }
    for (int i = 0; i < steps; i++) {
        bench_must(b, zw_growth_flow(b->law, &b->rod, i * h, halves ? 0.5 * h : h));
        swing(b, h);
        if (halves) {
            bench_must(b, zw_growth_flow(b->law, &b->rod, (i + 0.5) * h, 0.5 * h));
        }
        bench_must(b, zw_growth_push(b->law, &b->rod, (i + 1) * h));
    }
    out[0] = b->l[0];
    out[1] = b->data[0];
    out[2] = b->natural[1];
    bench_close(b);
}

static void errors_of(zw_growth_kind kind, bool halves, double error[3]) {
    double fine[3], coarse[3];
    run(kind, true, 8192, fine);
    for (int i = 0; i < 3; i++) {
        run(kind, halves, 64 << i, coarse);
        error[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            error[i] = fmax(error[i], fabs(coarse[k] - fine[k]));
        }
    }
}

static void half_growth_mechanics_half_growth_is_of_order_two(void **state) {
    double error[3];
    (void)state;
    errors_of(ZW_GROWTH_LOCKHART, true, error);
    check_order(error, 3, 2.0, 2.0, 0.15);
    check_below(error[2], 5e-5, 1.63e-5);
    /* with a delay line and a filter */
    errors_of(ZW_GROWTH_ACE, true, error);
    check_order(error, 3, 2.0, 2.0, 0.15);
    check_below(error[2], 1e-6, 3.1e-7);
}

static void growth_in_one_piece_is_of_order_one(void **state) {
    double error[3];
    (void)state;
    errors_of(ZW_GROWTH_LOCKHART, false, error);
    check_order(error, 3, 2.0, 1.0, 0.15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_growth_mechanics_half_growth_is_of_order_two),
        cmocka_unit_test(growth_in_one_piece_is_of_order_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
