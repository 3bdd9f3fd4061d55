/* SPDX-License-Identifier: Apache-2.0
 * test_coulomb.c: the kernel with Coulomb's friction: single bodies against formulas, random problems and piles against the law itself and against plain
 * Gauss-Seidel of many sweeps, without friction against the kernel with inequalities. */
#include "tests/project/rubs.h"

#include <time.h>

static void solve_rubs(rubs *r, zw_coulomb_info *info) {
    zw_error_clear(r->q.p.context);
    assert_int_equal(rubs_solve(r, false, info), ZW_OK);
}

/* ---- a point mass on the ground: columns (v, omega), contact at the centre */

static void point_on_ground(rubs *r, double mu, double vx, double vy, double vz) {
    static const double zero[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    rubs_open(r, 1);
    add_bodies(r, 1, 2.0, 1.0);
    add_rub(r, 0, zero, -1, NULL, up, mu);
    rubs_make(r);
    r->q.f[0] = 2.0 * vx;
    r->q.f[1] = 2.0 * vy;
    r->q.f[2] = 2.0 * vz;
}

static void a_point_sticks_slides_or_leaves(void **state) {
    rubs            r;
    zw_coulomb_info info;
    (void)state;
    point_on_ground(&r, 0.5, 0.3, -0.2, -1.0); /* 0.36 < 0.5 */
    solve_rubs(&r, &info);
    check_below(fabs(r.q.x[0]) + fabs(r.q.x[1]) + fabs(r.q.x[2]), 1e-14, 0.0);
    check_near(r.p[0], 2.0, 1e-14);
    rubs_close(&r);
    point_on_ground(&r, 0.5, 0.3, 0.2, 0.1);
    solve_rubs(&r, &info);
    assert_true(r.p[0] == 0.0 && r.pt[0] == 0.0 && r.pt[1] == 0.0);
    check_near(r.q.x[2], 0.1, 1e-15);
    rubs_close(&r);
    for (int k = 0; k < 24; k++) { /* isotropy: slowed by mu along its way, whatever that is */
        double angle = 0.1 + k * 0.26179938779914944, c = cos(angle), s = sin(angle);
        point_on_ground(&r, 0.5, 3.0 * c, 3.0 * s, -1.0);
        solve_rubs(&r, &info);
        check_near(r.q.x[0], 2.5 * c, 1e-13);
        check_near(r.q.x[1], 2.5 * s, 1e-13);
        check_near(hypot(r.pt[0], r.pt[1]), 1.0, 1e-13);
        rubs_close(&r);
    }
}

/* a ball that slides: v falls by mu p/m, it turns by mu p R/I; a slow one rolls at once, at (m v R^2)/(m R^2 + I) */
static void a_ball_slides_or_rolls(void **state) {
    static const double down[3] = {0.0, 0.0, -0.5}, up[3] = {0.0, 0.0, 1.0};
    (void)state;
    for (int k = 0; k < 2; k++) {
        rubs            r;
        zw_coulomb_info info;
        double          v = k == 0 ? 4.0 : 0.5, mu = 0.4, I = 0.1;
        rubs_open(&r, 1);
        add_bodies(&r, 1, 1.0, I);
        add_rub(&r, 0, down, -1, NULL, up, mu);
        rubs_make(&r);
        r.q.f[0] = v;
        r.q.f[2] = -1.0;
        solve_rubs(&r, &info);
        double roll = v * 0.25 / (0.25 + I);
        check_near(r.q.x[0], k == 0 ? v - mu : roll, 1e-13);
        check_near(r.q.x[4], k == 0 ? mu * 0.5 / I : roll / 0.5, 1e-13);
        rubs_close(&r);
    }
}

/* a box on its four corners: more impulses than there are unknowns */
static void a_box_on_a_plane_is_redundant(void **state) {
    static const double up[3] = {0.0, 0.0, 1.0};
    (void)state;
    for (int k = 0; k < 3; k++) {
        rubs            r;
        zw_coulomb_info info;
        rubs_open(&r, 3);
        add_bodies(&r, 1, 1.0, 1.0 / 6.0);
        for (int i = 0; i < 4; i++) {
            double at[3] = {i % 2 ? 0.5 : -0.5, i / 2 ? 0.5 : -0.5, -0.25};
            add_rub(&r, 0, at, -1, NULL, up, 0.5);
        }
        rubs_make(&r);
        r.q.f[0] = k == 0 ? 0.2 : k == 1 ? 2.0 : 0.0;
        r.q.f[2] = -1.0;
        r.q.f[5] = k == 2 ? 1.0 : 0.0; /* spins */
        solve_rubs(&r, &info);
        check_below(verdict_worst(rubs_look(&r)), 1e-11, 8.7e-14);
        check_near(r.q.x[0], k == 1 ? 1.5 : 0.0, 1e-11);
        check_near(r.q.x[2], 0.0, 1e-11);
        rubs_close(&r);
    }
}

/* corners that are drawn apart by very little cannot all stick: Newton's method finds who slips */
static void corners_that_cannot_all_stick(void **state) {
    static const double up[3] = {0.0, 0.0, 1.0};
    rubs                r;
    zw_coulomb_info     info;
    (void)state;
    rubs_open(&r, 5);
    add_bodies(&r, 1, 1.0, 1.0 / 6.0);
    for (int i = 0; i < 4; i++) {
        double at[3] = {i % 2 ? 0.5 : -0.4, i / 2 ? 0.3 : -0.5, -0.25};
        add_rub(&r, 0, at, -1, NULL, up, 0.4);
    }
    rubs_make(&r);
    for (int i = 0; i < 4; i++) {
        r.wind[2 * i] = 1e-6 * (i % 2 ? 0.5 : -0.4);
        r.wind[2 * i + 1] = 1e-6 * (i / 2 ? -0.3 : 0.5);
    }
    r.q.f[0] = 0.2;
    r.q.f[2] = -1.0;
    solve_rubs(&r, &info);
    assert_true(info.newtons > 0);
    check_below(info.residual, 2e-9, 2.9e-10); /* the direction of a slip of 1e-7 is known to 1e-9 of it */
    check_below(verdict_worst(rubs_look(&r)), 1e-14, 2.6e-16);
    rubs_close(&r);
}

/* several contacts at one place that ask for speeds a little apart: one of them carries all. With a hold the guess decides who */
static void contacts_at_one_place(void **state) {
    static const double up[3] = {0.0, 0.0, 1.0};
    (void)state;
    for (int k = 0; k < 8; k++) {
        rubs            r;
        zw_coulomb_info info;
        double          apart = pow(10.0, -4 - k), v = k % 2 ? 0.1 : 3.0; /* sticks, slides */
        rubs_open(&r, 5);
        add_bodies(&r, 1, 1.0, 1.0 / 6.0);
        for (int i = 0; i < 12; i++) {
            double at[3] = {i / 3 % 2 ? 0.5 : -0.4, i / 6 ? 0.3 : -0.5, -0.25};
            add_rub(&r, 0, at, -1, NULL, up, 0.4);
        }
        rubs_make(&r);
        for (int i = 0; i < 12; i++) {
            r.c[i] = -apart * (i % 3);
        }
        r.q.f[0] = v;
        r.q.f[2] = -1.0;
        solve_rubs(&r, &info);
        check_below(info.residual, 1e-9, 1.4e-10); /* where they are 1e-10 apart */
        check_below(verdict_worst(rubs_look(&r)), 1e-9, 1.4e-10);
        zw_coulomb_problem pb = rubs_problem(&r);
        for (int i = 0; i < 12; i++) { /* each third has its part; all ask for the same */
            r.c[i] = 0.0;
            r.p[i] = 0.25 * (i % 3 + 1) / 6.0;
        }
        memset(r.pt, 0, sizeof(double) * 24);
        pb.guess = true;
        pb.hold = 1e-4;
        assert_int_equal(zw_coulomb_solve(r.s, &pb, r.q.x, r.q.lambda, r.p, r.pt, &info), ZW_OK);
        check_below(info.residual, 1e-10, 1.2e-13);
        assert_true(r.p[0] > 0.0 && r.p[1] - r.p[0] > 0.02 && r.p[2] - r.p[1] > 0.02); /* as the guess has it */
        rubs_close(&r);
    }
}

/* ---- random problems */

static void random_problem(rubs *r, int bodies, int count, int joints, double mu) {
    add_bodies(r, bodies, 1.0, 0.3);
    for (int i = 0; i < joints; i++) { /* a ball joint between two bodies */
        int col[2] = {6 * (i % bodies), 6 * ((i + 1) % bodies)};
        add_tile(&r->q.p, 3, bodies > 1 ? 2 : 1, col, 6);
    }
    for (int i = 0; i < count; i++) {
        double n[3], ra[3], rb[3], size = 0.0;
        for (int k = 0; k < 3; k++) {
            n[k] = random_unit(&r->q.p) + (k == 2 ? 1.5 : 0.0);
            ra[k] = 0.4 * random_unit(&r->q.p);
            rb[k] = 0.4 * random_unit(&r->q.p);
            size += n[k] * n[k];
        }
        for (int k = 0; k < 3; k++) {
            n[k] /= sqrt(size);
        }
        int a = i % bodies, b = a - 1 - i / bodies % 2;
        add_rub(r, a, ra, b < 0 ? -1 : b, rb, n, mu * (1.0 + 0.5 * random_unit(&r->q.p)));
    }
    rubs_make(r);
    for (int k = 0; k < 6 * bodies; k++) {
        r->q.f[k] = random_unit(&r->q.p) - (k % 6 == 2 ? 1.0 : 0.0);
    }
    for (int i = 0; i < count; i++) {
        r->wind[2 * i] = 0.1 * random_unit(&r->q.p);
        r->wind[2 * i + 1] = 0.1 * random_unit(&r->q.p);
        r->c[i] = -0.05 * fabs(random_unit(&r->q.p)); /* v = 0 opens none further */
    }
}

static void random_problems_hold_the_law(void **state) {
    double worst = 0.0, rows = 0.0;
    (void)state;
    for (int k = 0; k < 120; k++) {
        rubs            r;
        zw_coulomb_info info;
        int             count = 1 + k / 2;
        rubs_open(&r, (uint64_t)k + 100);
        random_problem(&r, 2 + count / 3, count, k % 2 ? 1 + count / 6 : 0, 0.3);
        solve_rubs(&r, &info);
        verdict v = rubs_look(&r);
        worst = fmax(worst, verdict_worst(v));
        rows = fmax(rows, v.equal);
        rubs_close(&r);
    }
    check_below(worst, 1e-10, 9.6e-13);
    check_below(rows, 1e-12, 6.7e-16);
}

/* plain Gauss-Seidel by projected gradients on x, written down a second time: one contact, many little corrections */
static void reference(rubs *r, int sweeps) {
    const contacts *q = &r->q;
    double         *H = q->p.part[0].a;
    memset(r->p, 0, sizeof(double) * (size_t)r->count);
    memset(r->pt, 0, sizeof(double) * 2 * (size_t)r->count);
    for (int j = 0; j < q->p.metric.n; j++) {
        q->x[j] = q->f[j] / H[j];
    }
    for (int s = 0; s < sweeps; s++) {
        for (int i = 0; i < r->count; i++) {
            double v[3] = {-r->c[i], r->wind[2 * i], r->wind[2 * i + 1]}, D = 0.0, next[3], change[3];
            for (int row = 0; row < 3; row++) {
                const zw_rows *R = row == 0 ? &q->N : &r->T;
                const zw_tile *t = row == 0 ? &q->N.tile[i] : &r->T.tile[r->slide[i]];
                double         weight = 0.0;
                for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
                    for (int j = 0; j < 6; j++) {
                        double a = R->a[R->block[e].a + (row > 1 ? 6 : 0) + j];
                        v[row] += a * q->x[R->block[e].col0 + j];
                        weight += a * a / H[R->block[e].col0 + j];
                    }
                }
                D += weight; /* at least the largest eigenvalue: a step that cannot overshoot */
            }
            next[0] = fmax(r->p[i] - v[0] / D, 0.0);
            next[1] = r->pt[2 * i] - v[1] / D;
            next[2] = r->pt[2 * i + 1] - v[2] / D;
            double size = hypot(next[1], next[2]), limit = r->mu[i] * next[0], cut = size > limit ? limit / size : 1.0;
            next[1] *= cut;
            next[2] *= cut;
            change[0] = next[0] - r->p[i];
            change[1] = next[1] - r->pt[2 * i];
            change[2] = next[2] - r->pt[2 * i + 1];
            r->p[i] = next[0];
            r->pt[2 * i] = next[1];
            r->pt[2 * i + 1] = next[2];
            for (int row = 0; row < 3; row++) {
                const zw_rows *R = row == 0 ? &q->N : &r->T;
                const zw_tile *t = row == 0 ? &q->N.tile[i] : &r->T.tile[r->slide[i]];
                for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
                    for (int j = 0; j < 6; j++) {
                        q->x[R->block[e].col0 + j] += R->a[R->block[e].a + (row > 1 ? 6 : 0) + j] * change[row] / H[R->block[e].col0 + j];
                    }
                }
            }
        }
    }
}

static void a_second_method_agrees(void **state) {
    double most = 0.0;
    int    seen = 0;
    (void)state;
    for (int k = 0; k < 12; k++) {
        rubs            r;
        zw_coulomb_info info;
        rubs_open(&r, (uint64_t)k + 900);
        random_problem(&r, 3 + k, 4 + 2 * k, 0, 0.2);
        solve_rubs(&r, &info);
        size_t  n = (size_t)r.q.p.metric.n;
        double *x = malloc(n * sizeof *x);
        memcpy(x, r.q.x, n * sizeof *x);
        reference(&r, 20000);
        if (verdict_worst(rubs_look(&r)) < 1e-12) { /* it got there */
            seen++;
            for (size_t j = 0; j < n; j++) {
                most = fmax(most, fabs(x[j] - r.q.x[j]));
            }
        }
        free(x);
        rubs_close(&r);
    }
    assert_true(seen >= 8);
    check_below(most, 1e-10, 1.4e-12);
}

static void without_friction_it_is_the_other_kernel(void **state) {
    double most = 0.0;
    (void)state;
    for (int k = 0; k < 20; k++) {
        rubs               r;
        zw_coulomb_info    info;
        zw_unilateral_info told;
        rubs_open(&r, (uint64_t)k + 500);
        random_problem(&r, 4 + k, 6 + 2 * k, k % 3, k % 2 ? -1.0 : 0.0);
        solve_rubs(&r, &info);
        size_t  n = (size_t)r.q.p.metric.n;
        double *x = malloc(n * sizeof *x);
        memcpy(x, r.q.x, n * sizeof *x);
        memcpy(r.q.c, r.c, sizeof(double) * (size_t)r.count);
        assert_int_equal(contacts_solve(&r.q, &told), ZW_OK);
        for (size_t j = 0; j < n; j++) {
            most = fmax(most, fabs(x[j] - r.q.x[j]));
        }
        free(x);
        rubs_close(&r);
    }
    check_below(most, 1e-10, 1.2e-12);
}

/* a guess changes nothing but the time; the same problem gives the same bits */
static void a_guess_changes_nothing(void **state) {
    rubs            r;
    zw_coulomb_info first, second, third;
    (void)state;
    rubs_open(&r, 11);
    pile_of_spheres(&r, 3, 3, 0.3, 0.5, 0.0);
    solve_rubs(&r, &first);
    size_t  n = (size_t)r.q.p.metric.n;
    double *x = malloc(n * sizeof *x), most = 0.0;
    memcpy(x, r.q.x, n * sizeof *x);
    solve_rubs(&r, &second);
    assert_memory_equal(x, r.q.x, n * sizeof *x);
    assert_int_equal(first.sweeps, second.sweeps);
    assert_int_equal(rubs_solve(&r, true, &third), ZW_OK);
    assert_true(third.sweeps < first.sweeps);
    for (size_t j = 0; j < n; j++) {
        most = fmax(most, fabs(x[j] - r.q.x[j]));
    }
    check_below(most, 1e-11, 3.1e-13);
    free(x);
    rubs_close(&r);
}

static void piles(void **state) {
    static const struct {
        int    wide, layers;
        double mu, shake, disorder;
    } all[] = {{2, 2, 0.3, 0.5, 0.0}, {4, 4, 0.3, 0.5, 0.0}, {4, 4, 0.3, 0.0, 0.0}, {4, 4, 0.8, 0.5, 0.05}, {10, 10, 0.3, 0.1, 0.05}};
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        rubs            r;
        zw_coulomb_info info;
        rubs_open(&r, 7);
        pile_of_spheres(&r, all[k].wide, all[k].layers, all[k].mu, all[k].shake, all[k].disorder);
        clock_t begin = clock();
        solve_rubs(&r, &info);
        printf("           %d spheres, %d contacts, mu = %.1f: %.1f ms, %d sweeps, %d steps of Newton, residual %.1e\n",
               all[k].wide * all[k].wide * all[k].layers, r.count, all[k].mu, 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC, info.sweeps,
               info.newtons, info.residual);
        check_below(info.residual, 1e-10, 8.8e-13);
        check_below(verdict_worst(rubs_look(&r)), 1e-10, 3.2e-13);
        rubs_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_sticks_slides_or_leaves), cmocka_unit_test(a_ball_slides_or_rolls),
        cmocka_unit_test(a_box_on_a_plane_is_redundant),   cmocka_unit_test(corners_that_cannot_all_stick),
        cmocka_unit_test(contacts_at_one_place),           cmocka_unit_test(random_problems_hold_the_law),
        cmocka_unit_test(a_second_method_agrees),          cmocka_unit_test(without_friction_it_is_the_other_kernel),
        cmocka_unit_test(a_guess_changes_nothing),         cmocka_unit_test(piles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
