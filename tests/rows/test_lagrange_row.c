/* SPDX-License-Identifier: Apache-2.0
 * Equations of lagrangian bodies as rows of a system: where their columns are, values at every level, exact rates, and what kind of row each one is. */
#include "support/lagrangian.h"

/* a rod before them and two bodies, so that columns begin elsewhere than at 0 */
static const char three[] = "zwang: 1\nbodies:\n"
                            "  beam:\n    rod:\n      length: 1\n      elements: 2\n"
                            "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: 0.1}\n"
                            "  sled:\n    lagrangian:\n      coordinates: [x, y, theta]\n"
                            "      kinetic: thetadot^2/4 + (xdot - 0.3*thetadot*sin(theta))^2 + (ydot + 0.3*thetadot*cos(theta))^2\n"
                            "      constraints: {blade: ydot*cos(theta) = xdot*sin(theta)}\n"
                            "      start: {theta: 0.7, xdot: 0.4, thetadot: 1.5}\n"
                            "  bead:\n    lagrangian:\n      coordinates: [x, y]\n"
                            "      kinetic: xdot^2 + ydot^2\n"
                            "      constraints:\n"
                            "        wire: y = x^2 + t*x\n"
                            "        pace: xdot^2 + ydot^2 = 4*exp(-t)\n"
                            "        line: 3*x + 2*y = 1\n"
                            "      start: {x: 0.3, xdot: 0.2, ydot: 1}\n" RUNS;

/* frame velocities: rows are in them, too */
static const char turned[] =
    "zwang: 1\nbodies:\n  sled:\n    lagrangian:\n      coordinates: [x, y, theta]\n"
    "      kinetic: thetadot^2/4 + (xdot - 0.3*thetadot*sin(theta))^2 + (ydot + 0.3*thetadot*cos(theta))^2\n"
    "      velocities: {u: xdot*cos(theta) + ydot*sin(theta), w: ydot*cos(theta) - xdot*sin(theta) + 0.2*x, spin: thetadot}\n"
    "      constraints: {blade: ydot*cos(theta) = xdot*sin(theta), place: x + y*theta = 2*t}\n"
    "      start: {theta: 0.7, u: 0.4, spin: 1.5}\n" RUNS;

enum { MOST_V = 30, MOST_M = 8 };

static void rows_and_values_belong_together(const char *text, int m) {
    fixture  f;
    zw_state x, moved;
    uint64_t seed = 12;
    double   slopes = 0.0, rates = 0.0, firsts = 0.0, sums = 0.0;
    fixture_system(&f, text);
    zw_size n = zw_system_size(f.y);
    assert_int_equal(zw_system_rows_count(f.y), m);
    fixture_must(&f, zw_state_create(f.c, &n, &x), "zw_state_create");
    fixture_must(&f, zw_state_create(f.c, &n, &moved), "zw_state_create");
    fixture_must(&f, zw_system_start(f.y, &x), "zw_system_start");
    const zw_constraint *constraint;
    zw_system_constraints(f.y, &constraint);
    for (int trial = 0; trial < 3; trial++) {
        double level[4][MOST_M], c[MOST_M], D[MOST_M], Av[MOST_M] = {0}, rate[MOST_M] = {0}, first[MOST_M] = {0}, zero[MOST_V] = {0};
        const zw_rows *A;
        x.t = 0.3 + 0.2 * trial;
        for (int i = 0; i < n.nv; i++) {
            x.v[i] += 0.3 * noise(&seed);
        }
        for (int i = 14; i < n.nq; i++) { /* not the rod, whose coordinates have a form to keep */
            x.q[i] += 0.3 * noise(&seed);
        }
        for (int l = 0; l < 4; l++) {
            fixture_must(&f, zw_system_values(f.y, &x, l, level[l]), "zw_system_values");
        }
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "zw_system_rows");
        fixture_must(&f, zw_system_row_rates(f.y, &x, D), "zw_system_row_rates");
        assert_int_equal(A->m, m);
        assert_int_equal(A->ntiles, m);
        for (int i = 0; i < m; i++) {
            assert_int_equal(A->tile[i].row, i);
            assert_int_equal(A->tile[i].nblocks, 1);
            const zw_block *block = &A->block[A->tile[i].block0];
            for (int k = 0; k < n.nv; k++) {
                double along = 0.0, a = k >= block->col0 && k < block->col0 + block->ncol ? A->a[block->a + k - block->col0] : 0.0;
                for (int h = 1; h <= 4; h++) {
                    for (int side = -1; side <= 1; side += 2) {
                        zw_state_copy(&n, &x, &moved);
                        moved.v[k] += side * h * 0.01;
                        fixture_must(&f, zw_system_values(f.y, &moved, 1, c), "zw_system_values");
                        along += side * difference8[h - 1] * c[i] / 0.01;
                    }
                }
                slopes = fmax(slopes, fabs(along - a));
                Av[i] += a * x.v[k];
            }
            assert_true(constraint[i].velocity_only ? level[0][i] == 0.0 : level[0][i] != 0.0);
            sums = fmax(sums, fabs(Av[i] - level[2][i] - level[1][i]));
            assert_true(level[3][i] >= fabs(level[1][i]) * (1.0 - 1e-15));
        }
        for (int h = 1; h <= 4; h++) { /* along the motion, v as it is */
            for (int side = -1; side <= 1; side += 2) {
                double dv[MOST_V], chart[MOST_V], s = side * h * 0.005;
                zw_system_chart_rate(f.y, x.q, zero, x.q, x.v, chart);
                for (int k = 0; k < n.nv; k++) {
                    dv[k] = s * chart[k];
                }
                zw_state_copy(&n, &x, &moved);
                zw_system_retract(f.y, x.q, dv, moved.q);
                moved.t += s;
                fixture_must(&f, zw_system_values(f.y, &moved, 1, c), "zw_system_values");
                for (int i = 0; i < m; i++) {
                    rate[i] += side * difference8[h - 1] * c[i] / 0.005;
                }
                fixture_must(&f, zw_system_values(f.y, &moved, 0, c), "zw_system_values");
                for (int i = 0; i < m; i++) {
                    first[i] += side * difference8[h - 1] * c[i] / 0.005;
                }
            }
        }
        for (int i = 0; i < m; i++) {
            rates = fmax(rates, fabs(rate[i] - D[i]));
            firsts = fmax(firsts, constraint[i].velocity_only ? 0.0 : fabs(first[i] - level[1][i]));
        }
    }
    check_below(slopes, 1e-12, 4.3e-14);
    check_below(rates, 2e-12, 9.2e-14);
    check_below(firsts, 2e-12, 7.1e-14);
    check_below(sums, 1e-14, 4.4e-16);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &moved);
    fixture_close(&f);
}

static void rows_are_slopes_of_values_and_rates_are_exact(void **state) {
    (void)state;
    rows_and_values_belong_together(three, 4);
    rows_and_values_belong_together(turned, 2);
}

static void every_row_says_what_kind_it_is(void **state) {
    static const struct {
        const char *name, *text;
        bool        velocity_only, nonlinear, moves;
    } expected[] = {{"sled.blade", "ydot*cos(theta) = xdot*sin(theta)", true, false, false},
                    {"bead.wire", "y = x^2 + t*x", false, false, true},
                    {"bead.pace", "xdot^2 + ydot^2 = 4*exp(-t)", true, true, true},
                    {"bead.line", "3*x + 2*y = 1", false, false, false}};
    fixture              f;
    const zw_constraint *c;
    (void)state;
    fixture_system(&f, three);
    assert_int_equal(zw_system_constraints(f.y, &c), 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(c[i].name, expected[i].name);
        assert_string_equal(c[i].ops->row_name(c[i].self, 0), expected[i].text);
        assert_int_equal(c[i].velocity_only, expected[i].velocity_only);
        assert_int_equal(c[i].nonlinear, expected[i].nonlinear);
        assert_int_equal(c[i].moves, expected[i].moves);
        assert_int_equal(c[i].row0, i);
        assert_int_equal(c[i].m, 1);
    }
    fixture_close(&f);
}

/* what cannot be evaluated is explained by whoever meets it first */
static void rows_that_are_not_finite_are_explained(void **state) {
    fixture        f;
    zw_state       x;
    double         c[1];
    const zw_rows *A;
    (void)state;
    fixture_system(&f, LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2\n"
                                  "      constraints: {ratio: ydot/xdot = 2}\n      start: {xdot: 1, ydot: 2}\n" RUNS);
    zw_size n = zw_system_size(f.y);
    fixture_must(&f, zw_state_create(f.c, &n, &x), "zw_state_create");
    fixture_must(&f, zw_system_start(f.y, &x), "zw_system_start");
    fixture_must(&f, zw_system_values(f.y, &x, 1, c), "zw_system_values");
    check_near(c[0], 0.0, 0.0);
    x.v[0] = 0.0;
    assert_int_equal(zw_system_values(f.y, &x, 1, c), ZW_E_DIVERGED);
    assert_int_equal(zw_system_rows(f.y, &x, &A), ZW_E_DIVERGED);
    assert_int_equal(zw_system_row_rates(f.y, &x, c), ZW_E_DIVERGED);
    const zw_error *e = fixture_error(&f);
    assert_string_equal(e->subject, "bodies.sys.lagrangian.constraints.ratio");
    assert_non_null(strstr(e->message, "sys.ydot/sys.xdot"));
    assert_non_null(strstr(e->message, "xdot = 0"));
    assert_int_equal(e->line, 7);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_slopes_of_values_and_rates_are_exact),
        cmocka_unit_test(every_row_says_what_kind_it_is),
        cmocka_unit_test(rows_that_are_not_finite_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
