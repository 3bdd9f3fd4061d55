/* SPDX-License-Identifier: Apache-2.0
 * Lie algebras by structure constants: brackets and their duals, which map is an automorphism, its derivative and composition. */
#include "math/algebras.h"
#include "support/check.h"

#include "math/lie.h"

#include <string.h>

typedef struct algebra {
    zw_lie      g;
    double      c[512], gather[512];
    zw_lie_term term[512];
} algebra;

static const char *const names[] = {"so(3)", "se(2)", "se(3)", "sl(2)", "su(3)", "heisenberg"};
enum { NAMES = sizeof names / sizeof names[0] };

static void open(algebra *a, const char *name) {
    int n = strcmp(name, "sl(2)") == 0        ? algebra_sl2(a->c)
            : strcmp(name, "su(3)") == 0      ? algebra_su3(a->c)
            : strcmp(name, "heisenberg") == 0 ? algebra_heisenberg(a->c)
                                              : zw_lie_known(name, a->c);
    assert_true(n > 0);
    assert_true(zw_lie_terms(n, a->c) <= 512);
    zw_lie_init(&a->g, n, a->c, a->term, a->gather);
}

static double noise(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static void fill(int n, double size, uint64_t *seed, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = size * noise(seed);
    }
}

static double distance(int n, const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void the_known_ones_are_lie_algebras(void **state) {
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        algebra a;
        int     at[4];
        open(&a, names[i]);
        assert_true(zw_lie_antisymmetry(a.g.n, a.c, at) == 0.0);
        check_below(zw_lie_jacobi(a.g.n, a.c, at), 1e-15, 1.1e-16); /* su(3) has sqrt(3)/2 in it */
    }
    double c[216];
    assert_int_equal(zw_lie_known("so(4)", c), 0);
}

static void broken_constants_are_found_with_their_indices(void **state) {
    algebra a;
    int     at[4];
    (void)state;
    open(&a, "se(3)");
    a.c[(6 * 1 + 4) * 6 + 2] = 0.25;
    check_near(zw_lie_antisymmetry(6, a.c, at), 0.25, 0.0);
    assert_int_equal(at[0], 1);
    assert_int_equal(at[1], 4);
    assert_int_equal(at[2], 2);
    open(&a, "so(3)");
    algebra_put(a.c, 3, 1, 2, 1, 0.5); /* [[e1, e2], e3] + ... = 0.5 [e1, e3] = -0.5 e2 */
    check_near(zw_lie_jacobi(3, a.c, at), 0.5, 1e-16);
    assert_int_equal(at[0], 0);
    assert_int_equal(at[1], 1);
    assert_int_equal(at[2], 2);
    assert_int_equal(at[3], 1);
}

/* <[x, m]*, y> = <m, [x, y]>, and the matrices of both */
static void brackets_and_duals_agree(void **state) {
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        algebra a;
        double  x[8], y[8], m[8], xy[8], xm[8], A[64], B[64], left = 0.0, right = 0.0, fromA[8] = {0}, fromB[8] = {0};
        open(&a, names[i]);
        int n = a.g.n;
        fill(n, 2.0, &seed, x);
        fill(n, 2.0, &seed, y);
        fill(n, 2.0, &seed, m);
        zw_lie_bracket(&a.g, x, y, xy);
        zw_lie_star(&a.g, x, m, xm);
        zw_lie_ad(&a.g, x, A);
        zw_lie_star_of(&a.g, m, B);
        for (int k = 0; k < n; k++) {
            left += xm[k] * y[k];
            right += m[k] * xy[k];
            for (int j = 0; j < n; j++) {
                fromA[k] += A[n * k + j] * y[j];
                fromB[k] += B[n * k + j] * x[j];
            }
        }
        check_near(left, right, 2e-15);
        check_array_near(fromA, xy, n, 2e-15);
        check_array_near(fromB, xm, n, 2e-15);
    }
    algebra      a; /* the signs of se(3): [x, y] = (w1 x w2, w1 x v2 + v1 x w2) */
    const double x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {-2, 1, 4, 3, -1, 2};
    const double expected[6] = {2 * 4 - 3 * 1,
                                3 * -2 - 1 * 4,
                                1 * 1 - 2 * -2,
                                2 * 2 - 3 * -1 + 5 * 4 - 6 * 1,
                                3 * 3 - 1 * 2 + 6 * -2 - 4 * 4,
                                1 * -1 - 2 * 3 + 4 * 1 - 5 * -2};
    double       xy[6];
    open(&a, "se(3)");
    zw_lie_bracket(&a.g, x, y, xy);
    check_array_near(xy, expected, 6, 0.0);
}

static void the_cayley_map_is_chosen_where_it_is_an_automorphism(void **state) {
    static const struct {
        const char *name;
        bool        cayley, centreless;
    } expected[] = {{"so(3)", true, true}, {"se(2)", true, true},  {"se(3)", true, true},
                    {"sl(2)", true, true}, {"su(3)", false, true}, {"heisenberg", false, false}};
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        algebra a;
        open(&a, expected[i].name);
        print_message("%s: defect of cay(ad) %.2e, %s\n", expected[i].name, a.g.defect, a.g.cayley ? "Cayley" : "exp");
        assert_int_equal(a.g.cayley, expected[i].cayley);
        assert_int_equal(a.g.centreless, expected[i].centreless);
        if (a.g.cayley) {
            check_below(a.g.defect, 1e-14, 6e-16);
        }
    }
}

static void turn_respects_brackets(void **state) {
    uint64_t seed = 5;
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        algebra a;
        double  x[8], y[8], w[8], yw[8], C[64], Cy[8] = {0}, Cw[8] = {0}, Cyw[8] = {0}, both[8];
        open(&a, names[i]);
        int n = a.g.n;
        fill(n, 3.0, &seed, x);
        fill(n, 2.0, &seed, y);
        fill(n, 2.0, &seed, w);
        zw_lie_turn(&a.g, x, C);
        zw_lie_bracket(&a.g, y, w, yw);
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                Cy[k] += C[n * k + j] * y[j];
                Cw[k] += C[n * k + j] * w[j];
                Cyw[k] += C[n * k + j] * yw[j];
            }
        }
        zw_lie_bracket(&a.g, Cy, Cw, both);
        check_array_near(both, Cyw, n, 2e-13); /* sl(2) stretches; measured 1.4e-14 */
    }
}

/* dx = T(x) w is how x follows a right factor tau(w), and dx = -T(-x) w a left factor tau(-w) */
static void slope_is_the_derivative_of_compose(void **state) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    uint64_t            seed = 9;
    double              most = 0.0;
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        algebra a;
        double  x[8], w[8], T[64], none[8] = {0};
        open(&a, names[i]);
        int n = a.g.n;
        fill(n, 1.5, &seed, x);
        fill(n, 2.0, &seed, w);
        for (int side = 0; side < 2; side++) {
            double rate[8] = {0}, expected[8] = {0}, at[8];
            for (int k = 1; k <= 4; k++) {
                for (int sign = -1; sign <= 1; sign += 2) {
                    double step[8], y[8];
                    for (int j = 0; j < n; j++) {
                        step[j] = 0.02 * k * sign * w[j];
                    }
                    assert_true(zw_lie_compose(&a.g, side == 0 ? none : step, x, side == 0 ? step : none, y));
                    for (int j = 0; j < n; j++) {
                        rate[j] += sign * weight[k - 1] * y[j] / 0.02;
                    }
                }
            }
            for (int j = 0; j < n; j++) {
                at[j] = side == 0 ? x[j] : -x[j];
            }
            assert_true(zw_lie_slope(&a.g, at, T));
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    expected[j] += (side == 0 ? 1.0 : -1.0) * T[n * j + k] * w[k];
                }
            }
            most = fmax(most, distance(n, rate, expected));
        }
    }
    print_message("slope against differences: %.2e\n", most);
    check_below(most, 1e-12, 1.1e-14);
}

static void compose_multiplies_in_the_group(void **state) {
    uint64_t seed = 21;
    double   most = 0.0;
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        algebra a;
        double  p[8], x[8], q[8], y[8], minus[8], P[64], X[64], Q[64], Y[64], PX[64] = {0}, PXQ[64] = {0};
        open(&a, names[i]);
        int n = a.g.n;
        fill(n, 0.3, &seed, p);
        fill(n, 1.0, &seed, x);
        fill(n, 0.3, &seed, q);
        for (int k = 0; k < n; k++) {
            minus[k] = -p[k];
        }
        assert_true(zw_lie_compose(&a.g, p, x, q, y));
        zw_lie_turn(&a.g, minus, P);
        zw_lie_turn(&a.g, x, X);
        zw_lie_turn(&a.g, q, Q);
        zw_lie_turn(&a.g, y, Y);
        for (int r = 0; r < n; r++) {
            for (int s = 0; s < n; s++) {
                for (int k = 0; k < n; k++) {
                    PX[n * r + s] += P[n * r + k] * X[n * k + s];
                }
            }
        }
        for (int r = 0; r < n; r++) {
            for (int s = 0; s < n; s++) {
                for (int k = 0; k < n; k++) {
                    PXQ[n * r + s] += PX[n * r + k] * Q[n * k + s];
                }
            }
        }
        most = fmax(most, distance(n * n, PXQ, Y));
    }
    print_message("compose against products of matrices: %.2e\n", most);
    check_below(most, 1e-13, 1e-15);
    /* Heisenberg by hand: log(e^-a e^x e^b) = -a + x + b + ([-a, x] + [-a, b] + [x, b])/2, centre too */
    algebra      h;
    const double a[3] = {0.1, -0.2, 0.3}, x[3] = {0.7, 0.4, -0.5}, b[3] = {-0.3, 0.2, 0.1};
    double       y[3];
    open(&h, "heisenberg");
    assert_true(zw_lie_compose(&h.g, a, x, b, y));
    check_near(y[0], -a[0] + x[0] + b[0], 2e-14); /* measured 3.8e-15, in 300 parts */
    check_near(y[1], -a[1] + x[1] + b[1], 2e-14);
    double turn = -(a[0] * x[1] - a[1] * x[0]) - (a[0] * b[1] - a[1] * b[0]) + (x[0] * b[1] - x[1] * b[0]);
    check_near(y[2], -a[2] + x[2] + b[2] + 0.5 * turn, 2e-14);
}

/* e^A of a rotation, and phi as its mean over the way */
static void exponentials_of_so3(void **state) {
    algebra      a;
    const double w[3] = {0.3, -2.1, 0.8};
    double       A[9], E[9], phi[9], R[9];
    (void)state;
    open(&a, "so(3)");
    zw_lie_ad(&a.g, w, A);
    zw_lie_exp(3, A, E, phi);
    double th = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), s = sin(th) / th, c = (1.0 - cos(th)) / (th * th), d = (1.0 - s) / (th * th);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double one = i == j ? 1.0 : 0.0, square = w[i] * w[j] - one * th * th;
            R[3 * i + j] = one + s * A[3 * i + j] + c * square;
            check_near(phi[3 * i + j], one + c * A[3 * i + j] + d * square, 1e-15);
        }
    }
    check_array_near(E, R, 9, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_known_ones_are_lie_algebras), cmocka_unit_test(broken_constants_are_found_with_their_indices),
        cmocka_unit_test(brackets_and_duals_agree),        cmocka_unit_test(the_cayley_map_is_chosen_where_it_is_an_automorphism),
        cmocka_unit_test(turn_respects_brackets),          cmocka_unit_test(slope_is_the_derivative_of_compose),
        cmocka_unit_test(compose_multiplies_in_the_group), cmocka_unit_test(exponentials_of_so3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
