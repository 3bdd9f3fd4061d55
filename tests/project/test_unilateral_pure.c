/* SPDX-License-Identifier: Apache-2.0
 * test_unilateral_pure.c: the answer of the kernel with inequalities is a function of the problem: the same bits from a kernel that remembers and from one that does
 * not, on heaps that move a little from solve to solve; islands and the whole agree; ten thousand solves of a heap whose load drifts. */
#include "tests/project/heaps.h"

#include <time.h>

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* columns of boxes on the ground, each on the four corners of the one below: rows are redundant, columns of boxes are islands */
static void towers(contacts *q, int count, int height) {
    boxes(q, count * height);
    for (int k = 0; k < count * height; k++) {
        for (int i = 0; i < 4; i++) {
            corner(q, k % height == 0 ? -1 : k - 1, k, around[i][0], around[i][1]);
        }
    }
    vectors_make(q);
    for (int k = 0; k < count * height; k++) {
        q->f[6 * k + 2] = -1.0;
    }
}

/* chains of points in the plane: links of unit length as equalities along (0.8, 0.6), every point above a floor */
static void chains(contacts *q, int count, int links) {
    int points = links + 1;
    add_diagonal(&q->p, 2 * points * count, 0.3);
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < links; k++) {
            int       col[2] = {2 * (c * points + k), 2 * (c * points + k + 1)};
            double    value[4] = {-0.8, -0.6, 0.8, 0.6};
            ptrdiff_t at = q->p.rows.nvalues;
            add_tile(&q->p, 1, 2, col, 2);
            memcpy(q->p.rows.a + at, value, sizeof value);
        }
    }
    for (int k = 0; k < points * count; k++) {
        int    col = 2 * k;
        double value[2] = {0.0, 1.0};
        add_contact(q, 1, &col, 2, value);
    }
    vectors_make(q);
    for (int k = 0; k < points * count; k++) {
        q->f[2 * k] = random_unit(&q->p);
        q->f[2 * k + 1] = random_unit(&q->p) - 0.5;
    }
}

/* spheres thrown into a box at random, those nearer than their diameters in contact: islands of all sizes, no two directions alike */
static void thrown(contacts *q, int count, double box) {
    double *at = malloc(3 * (size_t)count * sizeof *at);
    add_diagonal(&q->p, 3 * count, 0.5);
    for (int k = 0; k < 3 * count; k++) {
        at[k] = 0.5 * box * (random_unit(&q->p) + 1.0);
    }
    for (int k = 0; k < count; k++) {
        for (int l = k + 1; l < count; l++) {
            double e[3] = {at[3 * l] - at[3 * k], at[3 * l + 1] - at[3 * k + 1], at[3 * l + 2] - at[3 * k + 2]};
            double r = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
            if (r < 1.0) {
                double value[6] = {-e[0] / r, -e[1] / r, -e[2] / r, e[0] / r, e[1] / r, e[2] / r};
                int    col[2] = {3 * k, 3 * l};
                add_contact(q, 2, col, 3, value);
            }
        }
        if (at[3 * k + 2] < 0.5) {
            double value[3] = {0.0, 0.0, 1.0};
            int    col = 3 * k;
            add_contact(q, 1, &col, 3, value);
        }
    }
    vectors_make(q);
    for (int k = 0; k < 3 * count; k++) {
        q->f[k] = random_unit(&q->p) - (k % 3 == 2 ? 1.0 : 0.0);
    }
    free(at);
}

enum { LATTICE, SHIFTED, SHAKEN, TOWERS, CHAINS, THROWN, CASES };

static const char *case_make(contacts *q, int which) {
    contacts_clear(q);
    zw_unilateral_forget(q->u);
    switch (which) {
    case LATTICE: heap_of_spheres(q, (heap_def){6, 6, false, 0.0}); return "lattice between walls";
    case SHIFTED: heap_of_spheres(q, (heap_def){5, 5, true, 0.0}); return "shifted lattice";
    case SHAKEN: heap_of_spheres(q, (heap_def){5, 5, true, 0.5}); return "shaken lattice";
    case TOWERS: towers(q, 6, 20); return "columns of boxes";
    case CHAINS: chains(q, 8, 30); return "chains above a floor";
    default: thrown(q, 400, 8.0); return "thrown spheres";
    }
}

static void memory_leaves_no_trace(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 51);
    zw_unilateral *fresh;
    assert_int_equal(zw_unilateral_create(q.p.context, &fresh), ZW_OK);
    for (int which = 0; which < CASES; which++) {
        const char        *name = case_make(&q, which);
        size_t             n = (size_t)q.p.metric.n, ma = (size_t)q.p.rows.m, mi = (size_t)q.N.m;
        double            *keep = malloc(n * sizeof *keep), *x = malloc((n + ma + mi) * sizeof *x);
        zw_unilateral_info info, other;
        int                warm = 0, cold = 0, steps = (int)scaled_steps(12);
        kkt                worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        double             residual = 0.0;
        memcpy(keep, q.f, n * sizeof *keep);
        for (int step = 0; step < steps; step++) { /* the load drifts, jumps once, and comes back */
            for (size_t j = 0; j < n; j++) {
                q.f[j] += (step == steps / 2 ? 1.0 : 1e-3) * random_unit(&q.p);
            }
            if (step == steps - 1) {
                memcpy(q.f, keep, n * sizeof *keep);
            }
            solve_well(&q, &info);
            zw_unilateral_forget(fresh);
            assert_int_equal(zw_unilateral_solve(fresh, &q.p.metric, &q.p.rows, &q.N, q.f, q.b, q.c, x, x + n, x + n + ma, &other), ZW_OK);
            assert_memory_equal(q.x, x, n * sizeof *x);
            assert_memory_equal(q.mu, x + n + ma, mi * sizeof *x);
            if (ma > 0) {
                assert_memory_equal(q.lambda, x + n, ma * sizeof *x);
            }
            warm += info.iterations;
            cold += other.iterations;
            residual = fmax(residual, info.residual);
            kkt_worst(&worst, kkt_of(&q));
        }
        print_message("%s: %d columns, %d + %d rows, %d islands, %d redundant; %d changes warm, %d cold; residual %.1e, stationary %.1e, "
                      "equal %.1e, natural %.1e\n",
                      name, (int)n, (int)ma, (int)mi, q.u->islands.count, info.redundant, warm, cold, residual, worst.stationary,
                      worst.equal, worst.natural);
        check_below(residual, 1e-14, 2.8e-16);
        check_below(worst.stationary, 1e-14, 1.4e-16);
        check_below(worst.equal, 1e-14, 8.5e-17);
        check_below(worst.natural, 1e-14, 2.6e-16);
        free(keep);
        free(x);
    }
    zw_unilateral_destroy(fresh);
    contacts_close(&q);
}

/* the same bits again and again, by whatever was kept: nothing, the factor, the answer */
static void what_is_kept_gives_the_same_bits(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    contacts_open(&q, NULL, 52);
    for (int which = 0; which < CASES; which++) {
        const char *name = case_make(&q, which);
        size_t      n = (size_t)q.p.metric.n;
        double     *x = malloc(n * sizeof *x), time[3], keep = q.f[0];
        for (int round = 0; round < 3; round++) { /* cold; the answer; other right sides between, so that the factor stays */
            if (round == 2) {
                q.f[0] += 1e-6;
                solve_well(&q, NULL);
                q.f[0] = keep;
            }
            double begin = seconds();
            solve_well(&q, NULL);
            time[round] = seconds() - begin;
            if (round == 0) {
                memcpy(x, q.x, n * sizeof *x);
            }
            assert_memory_equal(q.x, x, n * sizeof *x);
        }
        solve_well(&q, &info);
        print_message("%s: cold %.2f ms, the answer kept %.2f ms, the factor kept %.2f ms\n", name, 1e3 * time[0], 1e3 * time[1],
                      1e3 * time[2]);
        free(x);
    }
    contacts_close(&q);
}

static void islands_are_the_whole(void **state) {
    (void)state;
    contacts       q;
    zw_unilateral *whole;
    double         worst = 0.0, worst_mu = 0.0;
    contacts_open(&q, NULL, 53);
    assert_int_equal(zw_unilateral_create(q.p.context, &whole), ZW_OK);
    for (int which = TOWERS; which < CASES; which++) {
        case_make(&q, which);
        solve_well(&q, NULL);
        assert_true(q.u->islands.count > 1);
        zw_problem     p = {&q.p.metric, &q.p.rows, &q.N, q.f, q.b, q.c};
        unsigned char *none = calloc((size_t)q.N.m, 1);
        zw_unilateral_forget(whole);
        assert_int_equal(zw_unilateral_whole(whole, &p, none), ZW_OK);
        worst = fmax(worst, distance(q.x, whole->best.x, q.p.metric.n));
        worst_mu = fmax(worst_mu, distance(q.mu, whole->best.y + q.p.rows.m, q.N.m));
        free(none);
    }
    print_message("islands and the whole differ in x by %.1e, in mu by %.1e\n", worst, worst_mu);
    check_below(worst, 1e-13, 9.1e-16);
    check_below(worst_mu, 1e-13, 4.2e-16);
    zw_unilateral_destroy(whole);
    contacts_close(&q);
}

/* one contact each, four, and a pair: linear in their number */
static void many_islands_cost_what_they_are(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    double             time[2] = {0.0, 0.0};
    contacts_open(&q, NULL, 54);
    for (int size = 0; size < 2; size++) {
        int count = size == 0 ? 200 : 2000;
        contacts_clear(&q);
        zw_unilateral_forget(q.u);
        boxes(&q, count);
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < (k % 3 == 0 ? 4 : 1); i++) {
                corner(&q, k % 3 == 2 ? k - 1 : -1, k, around[i][0], around[i][1]);
            }
        }
        vectors_make(&q);
        for (int k = 0; k < 6 * count; k++) {
            q.f[k] = random_unit(&q.p) - (k % 6 == 2 ? 2.0 : 0.0);
        }
        solve_well(&q, &info);
        for (int again = 0; again < 10; again++) {
            q.f[0] += 1e-3;
            for (int k = 0; k < 6 * count; k++) {
                q.f[k] += 1e-3 * random_unit(&q.p);
            }
            double begin = seconds();
            solve_well(&q, NULL);
            time[size] += (seconds() - begin) / 10.0;
        }
        kkt r = kkt_of(&q);
        check_below(r.natural, 1e-12, 3.0e-16);
        check_below(r.stationary, 1e-14, 3.0e-16);
        print_message("%d boxes, %d islands: %.3f ms\n", count, q.u->islands.count, 1e3 * time[size]);
    }
    assert_true(time[1] < 30.0 * time[0] + 1e-3); /* ten times as many */
    contacts_close(&q);
}

static void ten_thousand_solves_under_a_drifting_load(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    int                count = (int)scaled_steps(10000), changes = 0;
    double             residual = 0.0, natural = 0.0;
    contacts_open(&q, NULL, 55);
    contacts_clear(&q);
    heap_of_spheres(&q, (heap_def){4, 4, true, 0.0});
    int     n = q.p.metric.n;
    double *rate = random_vector(&q.p, n), *f = malloc((size_t)n * sizeof *f), begin = seconds();
    memcpy(f, q.f, (size_t)n * sizeof *f);
    for (int step = 0; step < count; step++) {
        for (int j = 0; j < n; j++) {
            q.f[j] = f[j] + 0.8 * sin(1e-3 * step * (1.0 + rate[j]));
        }
        assert_int_equal(zw_unilateral_solve(q.u, &q.p.metric, &q.p.rows, &q.N, q.f, q.b, q.c, q.x, q.lambda, q.mu, &info), ZW_OK);
        changes += info.iterations;
        residual = fmax(residual, info.residual);
        if (step % 100 == 0) {
            natural = fmax(natural, kkt_of(&q).natural);
        }
    }
    print_message("%d solves of %d rows: %d changes, %.3f ms each; residual %.1e, natural %.1e\n", count, q.N.m, changes,
                  1e3 * (seconds() - begin) / count, residual, natural);
    check_below(residual, 1e-13, 8.9e-16);
    check_below(natural, 1e-13, 7.6e-16);
    free(rate);
    free(f);
    contacts_close(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_leaves_no_trace),
        cmocka_unit_test(what_is_kept_gives_the_same_bits),
        cmocka_unit_test(islands_are_the_whole),
        cmocka_unit_test(many_islands_cost_what_they_are),
        cmocka_unit_test(ten_thousand_solves_under_a_drifting_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
