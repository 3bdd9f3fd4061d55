/* SPDX-License-Identifier: Apache-2.0
 * test_unilateral_piles.c: the kernel with inequalities on bodies in contact: boxes on a plane and in stacks, rows of balls, a thousand spheres in a box. x is the
 * velocity after a step or an impact, c = 0 or -e N v, and the forces or velocities are known by hand where they can be. */
#include "tests/project/heaps.h"

#include <time.h>

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void box_on_a_plane_shares_its_weight(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    contacts_open(&q, NULL, 1);
    for (int way = 1; way <= 2; way++) {
        for (int points = 4; points <= 8; points += 4) {
            contacts_clear(&q);
            zw_unilateral_forget(q.u);
            q.u->force = way;
            boxes(&q, 1);
            for (int k = 0; k < points; k++) {
                corner(&q, -1, 0, around[k][0], around[k][1]);
            }
            vectors_make(&q);
            q.f[2] = -9.81;
            solve_well(&q, &info);
            for (int k = 0; k < points; k++) {
                check_near(q.mu[k], 9.81 / points, 1e-14); /* 4.4e-16 */
            }
            check_below(largest(q.x, 6), 1e-14, 7.9e-31);
            assert_int_equal(info.redundant, points - 3);
            assert_int_equal(info.active, points);
            check_below(info.residual, 1e-14, 2.6e-32);
            /* pushed at (0.2, 0.1): the multipliers of least norm are linear in the place, and the outermost may be zero */
            q.f[3] = -9.81 * 0.1;
            q.f[4] = 9.81 * 0.2;
            solve_well(&q, &info);
            double sum = 0.0, x = 0.0, y = 0.0;
            for (int k = 0; k < points; k++) {
                sum += q.mu[k];
                x += q.mu[k] * around[k][0];
                y += q.mu[k] * around[k][1];
                if (points == 4) {
                    check_near(q.mu[k], 9.81 * (0.25 + 0.2 * around[k][0] + 0.1 * around[k][1]), 1e-14); /* 4.4e-16 */
                }
            }
            check_near(sum, 9.81, 1e-14);     /* 0 */
            check_near(x, 9.81 * 0.2, 1e-14); /* 2.3e-16 */
            check_near(y, 9.81 * 0.1, 1e-14); /* 1.2e-16 */
            /* pushed beyond the edge at x = 0.5: it tips, two or three points carry */
            q.f[3] = 0.0;
            q.f[4] = 9.81 * 0.7;
            solve_well(&q, &info);
            assert_true(q.x[4] > 0.0);
            assert_int_equal(info.active, points == 4 ? 2 : 3);
            check_below(kkt_of(&q).natural, 1e-14, 0.0);
        }
    }
    contacts_close(&q);
}

static void stack_of_boxes_carries_its_weight(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    int                heights[] = {10, 50, 200};
    contacts_open(&q, NULL, 2);
    for (int h = 0; h < 3; h++) {
        int n = heights[h];
        contacts_clear(&q);
        zw_unilateral_forget(q.u);
        boxes(&q, n);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < 4; i++) {
                corner(&q, k - 1, k, around[i][0], around[i][1]);
            }
        }
        vectors_make(&q);
        for (int k = 0; k < n; k++) {
            q.f[6 * k + 2] = -1.0;
        }
        double begin = seconds();
        solve_well(&q, &info);
        double cold = seconds() - begin, worst = 0.0;
        int    iterations = info.iterations;
        for (int k = 0; k < 4 * n; k++) {
            worst = fmax(worst, fabs(q.mu[k] / (0.25 * (n - k / 4)) - 1.0));
        }
        begin = seconds();
        solve_well(&q, &info);
        print_message("%d boxes: %d changes, %.2f ms, again %d changes, %.2f ms; weights off by %.1e, residual %.1e, redundant %d\n", n,
                      iterations, 1e3 * cold, info.iterations, 1e3 * (seconds() - begin), worst, info.residual, info.redundant);
        assert_int_equal(info.redundant, n);
        assert_int_equal(info.iterations, 0);
        check_below(worst, 1e-11, 2.3e-13);
        check_below(info.residual, 1e-14, 1.2e-16);
    }
    contacts_close(&q);
}

/* ---- balls in a row ---- */

static void row_of_balls(contacts *q, int n) {
    add_diagonal(&q->p, n, 0.0);
    for (int k = 0; k + 1 < n; k++) {
        double value[2] = {-1.0, 1.0};
        int    col[2] = {k, k + 1};
        add_contact(q, 2, col, 1, value);
    }
    vectors_make(q);
    q->f[0] = 1.0;
}

static void cradle_under_the_metric_projection(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    contacts_open(&q, NULL, 3);
    int sizes[] = {2, 3, 5, 50, 65, 500};
    for (int way = 0; way <= 2; way++) {
        for (int s = 0; s < 6; s++) {
            int n = sizes[s];
            contacts_clear(&q);
            zw_unilateral_forget(q.u);
            q.u->force = way;
            row_of_balls(&q, n);
            solve_well(&q, &info); /* e = 0: all go together */
            for (int k = 0; k < n; k++) {
                check_near(q.x[k], 1.0 / n, 1e-14); /* 0 */
            }
            q.c[0] = 1.0; /* e = 1: N v+ >= -N v- */
            solve_well(&q, &info);
            check_near(q.x[0], (2.0 - n) / n, 1e-14); /* 5e-32 */
            for (int k = 1; k < n; k++) {
                check_near(q.x[k], 2.0 / n, 1e-14); /* 0 */
            }
            check_near(largest(q.mu, n - 1), q.mu[0], 0.0);
            q.c[0] = -2.0; /* parting already */
            q.f[0] = -1.0;
            solve_well(&q, &info);
            assert_int_equal(info.active, 0);
            check_near(info.value, 0.0, 0.0);
        }
    }
    contacts_close(&q);
}

static void thousand_spheres_in_a_box(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    heap_def           heaps[] = {{10, 10, false, 0.0}, {10, 10, true, 0.0}, {10, 10, false, 0.3}, {6, 8, true, 0.3}, {6, 8, true, 3.0}};
    contacts_open(&q, NULL, 4);
    for (int h = 0; h < 5; h++) {
        contacts_clear(&q);
        zw_unilateral_forget(q.u);
        heap_of_spheres(&q, heaps[h]);
        double begin = seconds();
        solve_well(&q, &info);
        double cold = seconds() - begin;
        kkt    r = kkt_of(&q);
        print_message(
            "%s heap, shaken by %.1f: %d rows, %d active, %d redundant, %d changes, %.0f ms; residual %.1e, stationary %.1e, natural %.1e, condition %.1e\n",
            heaps[h].shifted ? "shifted" : "cubic", heaps[h].shake, q.N.m, info.active, info.redundant, info.iterations, 1e3 * cold,
            info.residual, r.stationary, r.natural, info.condition);
        check_below(info.residual, 1e-14, 2.1e-16);
        check_below(r.natural, 1e-14, 2.1e-16);
        check_below(r.stationary, 1e-14, 1.4e-16);
        if (heaps[h].shake == 0.0) {
            check_below(largest(q.x, q.p.metric.n), 1e-12, 4.8e-14);
        }
        for (int again = 0; again < 2; again++) { /* the same, and then a little different */
            for (int j = 0; j < q.p.metric.n && again > 0; j++) {
                q.f[j] += 1e-3 * random_unit(&q.p);
            }
            begin = seconds();
            solve_well(&q, &info);
            print_message("    %s: %d active, %d changes, %.0f ms, residual %.1e\n", again == 0 ? "again" : "nudged", info.active,
                          info.iterations, 1e3 * (seconds() - begin), info.residual);
        }
    }
    contacts_close(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_a_plane_shares_its_weight),
        cmocka_unit_test(stack_of_boxes_carries_its_weight),
        cmocka_unit_test(cradle_under_the_metric_projection),
        cmocka_unit_test(thousand_spheres_in_a_box),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
