/* SPDX-License-Identifier: Apache-2.0
 * test_dense.c: LU, Cholesky, QR and symmetric eigenvalues by their residuals and by matrices with known answers. */
#include "support/check.h"

#include "math/dense.h"
#include "samples.h"

#include <string.h>

enum { MOST = 24 };
static const double pi = 3.14159265358979323846;

static void multiply(int n, int m, int p, const double *a, const double *b, double *out) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < p; k++) {
            double sum = 0.0;
            for (int j = 0; j < m; j++) {
                sum += a[i * m + j] * b[j * p + k];
            }
            out[i * p + k] = sum;
        }
    }
}

static void lu_solves_inverts_and_signs(void **state) {
    (void)state;
    samples s = {51};
    double  solve = 0.0, transposed = 0.0, inverse = 0.0;
    for (int n = 1; n <= MOST; n++) {
        double a[MOST * MOST], lu[MOST * MOST], x[MOST * 3], b[MOST * 3], inv[MOST * MOST], one[MOST * MOST], t[MOST];
        int    pivot[MOST];
        sample_array(&s, 1.0, a, n * n);
        for (int i = 0; i < n; i++) {
            a[i * n + (i + 1) % n] += 3.0; /* the large entries are off the diagonal: pivoting has work */
        }
        sample_array(&s, 1.0, x, n * 3);
        multiply(n, n, 3, a, x, b);
        memcpy(lu, a, sizeof(double) * (size_t)(n * n));
        assert_int_equal(zw_lu_factor(n, lu, pivot), -1);
        zw_lu_solve(n, lu, pivot, 3, b);
        solve = larger(solve, most_apart(x, b, n * 3));
        for (int k = 0; k < n; k++) {
            t[k] = 0.0;
            for (int i = 0; i < n; i++) {
                t[k] += a[i * n + k] * x[i];
            }
        }
        zw_lu_solve_transposed(n, lu, pivot, t);
        transposed = larger(transposed, most_apart(t, x, n));
        zw_lu_inverse(n, lu, pivot, inv);
        multiply(n, n, n, a, inv, one);
        for (int i = 0; i < n * n; i++) {
            one[i] -= i % (n + 1) == 0 ? 1.0 : 0.0;
            inverse = larger(inverse, fabs(one[i]));
        }
    }
    check_below(solve, 1e-13, 1.8e-14);
    check_below(transposed, 2e-13, 3.9e-14);
    check_below(inverse, 1e-13, 2.3e-14);
}

static void determinant_sign_follows_exchanges_and_pivots(void **state) {
    (void)state;
    double cycle[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, swap[4] = {0, 1, 1, 0}, minus[4] = {2, 1, 1, -3};
    int    pivot[3];
    assert_int_equal(zw_lu_factor(3, cycle, pivot), -1);
    assert_int_equal(zw_lu_det_sign(3, cycle, pivot), 1); /* an even permutation */
    assert_int_equal(zw_lu_factor(2, swap, pivot), -1);
    assert_int_equal(zw_lu_det_sign(2, swap, pivot), -1);
    assert_int_equal(zw_lu_factor(2, minus, pivot), -1);
    assert_int_equal(zw_lu_det_sign(2, minus, pivot), -1);
    check_near(zw_lu_log_abs_det(2, minus), log(7.0), 1e-15); /* measured 2.2e-16 */
    double singular[9] = {1, 2, 3, 2, 4, 6, 0, 1, 1}, bad[4] = {1, NAN, NAN, 1};
    assert_int_equal(zw_lu_factor(3, singular, pivot), 2);
    assert_int_equal(zw_lu_det_sign(3, singular, pivot), 0);
    assert_int_equal(zw_lu_factor(2, bad, pivot), 0);
}

static void cholesky_solves_and_refuses_indefinite(void **state) {
    (void)state;
    samples s = {52};
    double  worst = 0.0;
    for (int n = 1; n <= MOST; n++) {
        double g[MOST * MOST], a[MOST * MOST], x[MOST * 2], b[MOST * 2];
        sample_array(&s, 1.0, g, n * n);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                a[i * n + k] = i == k ? 1.0 : 0.0;
                for (int j = 0; j < n; j++) {
                    a[i * n + k] += g[i * n + j] * g[k * n + j];
                }
            }
        }
        sample_array(&s, 1.0, x, n * 2);
        multiply(n, n, 2, a, x, b);
        assert_int_equal(zw_cholesky_factor(n, a), -1);
        zw_cholesky_solve(n, a, 2, b);
        worst = larger(worst, most_apart(x, b, n * 2));
    }
    check_below(worst, 2e-14, 2.6e-15);
    double saddle[9] = {4, 2, 0, 2, 1, 1, 0, 1, 5};
    assert_int_equal(zw_cholesky_factor(3, saddle), 1);
}

static void pivoted_cholesky_finds_the_rank_and_reproduces(void **state) {
    (void)state;
    samples s = {53};
    double  worst = 0.0, left = 0.0;
    for (int rank = 0; rank <= 9; rank++) {
        enum { N = 12 };
        double g[N * 9], a[N * N], l[N * N], rest = 0.0;
        int    perm[N];
        sample_array(&s, 1.0, g, N * 9);
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < N; k++) {
                a[i * N + k] = 0.0;
                for (int j = 0; j < rank; j++) {
                    a[i * N + k] += g[i * 9 + j] * g[k * 9 + j];
                }
            }
        }
        memcpy(l, a, sizeof a);
        assert_int_equal(zw_cholesky_pivoted(N, l, 1e-12, perm, &rest), rank);
        left = larger(left, rest);
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < N; k++) {
                double sum = 0.0;
                for (int j = 0; j < N; j++) {
                    sum += l[i * N + j] * l[k * N + j];
                }
                worst = larger(worst, fabs(sum - a[perm[i] * N + perm[k]]));
            }
        }
    }
    check_below(worst, 1e-14, 1.3e-15);
    check_below(left, 1e-14, 1.1e-15);
    double indefinite[4] = {1, 2, 2, 1};
    int    perm[2];
    assert_int_equal(zw_cholesky_pivoted(2, indefinite, 1e-12, perm, NULL), -1);
}

static void qr_gives_least_squares_and_rank(void **state) {
    (void)state;
    samples s = {54};
    enum { M = 10, N = 6 };
    double worst = 0.0, gradient = 0.0, minimum = 0.0;
    for (int round = 0; round < 20; round++) {
        int    rank = N - round % 3, perm[N];
        double a[M * N], q[M * N], tau[N], work[N], b[M], c[M], x[N], left[M * N], right[N * N];
        sample_array(&s, 1.0, left, M * rank);
        sample_array(&s, 1.0, right, rank * N);
        multiply(M, rank, N, left, right, a);
        memcpy(q, a, sizeof a);
        zw_qr_factor(M, N, q, tau, perm, work);
        assert_int_equal(zw_qr_rank(M, N, q, 1e-12), rank);
        sample_array(&s, 1.0, b, M);
        memcpy(c, b, sizeof b);
        zw_qr_apply_transposed(M, N, q, tau, c);
        zw_qr_apply(M, N, q, tau, c);
        worst = larger(worst, most_apart(b, c, M));
        zw_qr_solve(M, N, q, tau, perm, rank, c, x);
        for (int k = 0; k < N; k++) { /* the residual is orthogonal to every column */
            double sum = 0.0;
            for (int i = 0; i < M; i++) {
                double r = b[i];
                for (int j = 0; j < N; j++) {
                    r -= a[i * N + j] * x[j];
                }
                sum += a[i * N + k] * r;
            }
            gradient = larger(gradient, fabs(sum));
        }
        /* unpivoted, full rank: a square system */
        double square[N * N], sx[N], sb[N], st[N];
        sample_array(&s, 1.0, square, N * N);
        for (int i = 0; i < N; i++) {
            square[i * N + i] += 3.0;
        }
        sample_array(&s, 1.0, sx, N);
        multiply(N, N, 1, square, sx, sb);
        zw_qr_factor(N, N, square, st, NULL, work);
        zw_qr_solve(N, N, square, st, NULL, N, sb, x);
        minimum = larger(minimum, most_apart(x, sx, N));
    }
    check_below(worst, 4e-15, 1.3e-15);
    check_below(gradient, 3e-13, 6.3e-14);
    check_below(minimum, 1e-14, 5.6e-16);
    double wide[6] = {1, 0, 0, 0, 0, 0}, tau[2], work[3]; /* 2 x 3, rank 1 */
    int    perm[3];
    zw_qr_factor(2, 3, wide, tau, perm, work);
    assert_int_equal(zw_qr_rank(2, 3, wide, 1e-12), 1);
}

static void symmetric(samples *s, int n, double *a) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++) {
            a[i * n + k] = a[k * n + i] = sample(s);
        }
    }
}

static void jacobi_diagonalises_symmetric_matrices(void **state) {
    (void)state;
    samples s = {55};
    double  residual = 0.0, orthogonal = 0.0;
    for (int n = 1; n <= MOST; n++) {
        double a[MOST * MOST], t[MOST * MOST], v[MOST * MOST], w[MOST], av[MOST * MOST];
        symmetric(&s, n, a);
        memcpy(t, a, sizeof a);
        assert_true(zw_sym_eigen(n, t, w, v));
        multiply(n, n, n, a, v, av);
        for (int i = 0; i < n; i++) {
            assert_true(i == 0 || w[i - 1] <= w[i]);
            for (int k = 0; k < n; k++) {
                double sum = i == k ? -1.0 : 0.0;
                residual = larger(residual, fabs(av[i * n + k] - w[k] * v[i * n + k]));
                for (int j = 0; j < n; j++) {
                    sum += v[j * n + i] * v[j * n + k];
                }
                orthogonal = larger(orthogonal, fabs(sum));
            }
        }
        if (n == 3) {
            double w3[3], v3[9];
            zw_sym3_eigen(a, w3, v3);
            check_array_near(w3, w, 3, 0.0);
            check_array_near(v3, v, 9, 0.0);
        }
    }
    check_below(residual, 2e-14, 4.4e-15);
    check_below(orthogonal, 2e-14, 5.9e-15);
    double zero[4] = {0, 0, 0, 0}, w[2], swap[4] = {0, 1, 1, 0}, bad[4] = {1, NAN, NAN, 1};
    assert_true(zw_sym_eigen(2, zero, w, NULL));
    check_near(w[0], 0.0, 0.0);
    assert_true(zw_sym_eigen(2, swap, w, NULL));
    check_near(w[0], -1.0, 1e-16); /* measured 0 */
    assert_false(zw_sym_eigen(2, bad, w, NULL));
}

/* D A D with D = 1, 1e-6, 1e-12: the small eigenvalues keep their relative digits. Reference: 60-digit arithmetic. */
static void jacobi_keeps_digits_of_graded_matrices(void **state) {
    (void)state;
    double a[9] = {2.0, 1e-6, 1e-12, 1e-6, 2e-12, 1e-18, 1e-12, 1e-18, 2e-24}, w[3], v[9];
    zw_sym3_eigen(a, w, v);
    check_relative(w[0], 1.333333333333185e-24, 1e-15);  /* measured 0 */
    check_relative(w[1], 1.4999999999997917e-12, 1e-15); /* measured 1.3e-16 */
    check_relative(w[2], 2.0000000000005, 1e-15);        /* measured 0 */
}

/* second difference: 2 - 2 cos(k pi/(n+1)), with eigenvectors sin(i k pi/(n+1)) */
static void tridiagonal_ql_matches_the_second_difference(void **state) {
    (void)state;
    enum { N = 50 };
    double d[N], e[N], z[N * N], last[N] = {0}, w[N], worst = 0.0, vector = 0.0, tail = 0.0;
    for (int i = 0; i < N; i++) {
        d[i] = 2.0;
        e[i] = -1.0;
        for (int k = 0; k < N; k++) {
            z[i * N + k] = i == k ? 1.0 : 0.0;
        }
    }
    memcpy(w, d, sizeof d);
    assert_true(zw_tridiagonal_eigen(N, w, e, N, z));
    for (int k = 0; k < N; k++) {
        double phase = pi * (k + 1) / (N + 1), norm = sqrt(2.0 / (N + 1));
        worst = larger(worst, fabs(w[k] - (2.0 - 2.0 * cos(phase))));
        double sign = z[k] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < N; i++) {
            vector = larger(vector, fabs(sign * z[i * N + k] - norm * sin((i + 1) * phase)));
        }
    }
    check_below(worst, 1e-14, 1.8e-15);
    check_below(vector, 1e-13, 2.2e-14);
    for (int i = 0; i < N; i++) {
        e[i] = -1.0;
    }
    last[N - 1] = 1.0;
    assert_true(zw_tridiagonal_eigen(N, d, e, 1, last));
    for (int k = 0; k < N; k++) {
        tail = larger(tail, fabs(last[k] - z[(N - 1) * N + k]));
    }
    check_near(tail, 0.0, 0.0);                             /* the same rotations */
    double split[4] = {3, 1, 2, 0}, none[4] = {0, 1, 0, 0}; /* two pieces: {3}, {1 1; 1 2}, {0} */
    assert_true(zw_tridiagonal_eigen(4, split, none, 0, NULL));
    check_near(split[1], 1.5 - sqrt(1.25), 4e-16); /* measured 1.1e-16 */
    check_near(split[3], 3.0, 0.0);
    double bad[2] = {NAN, 1}, be[2] = {1, 0};
    assert_false(zw_tridiagonal_eigen(2, bad, be, 0, NULL));
}

static void fixed_size_kernels_match_plain_loops(void **state) {
    (void)state;
    samples s = {56};
    double  worst = 0.0;
    for (int n = 0; n < 20; n++) {
        double a[36], b[36], c[36], t[36], want[36], got[36], v[6], u[6], w[6];
        sample_array(&s, 1.0, a, 36);
        sample_array(&s, 1.0, b, 36);
        sample_array(&s, 1.0, c, 36);
        sample_array(&s, 1.0, v, 6);
        multiply(6, 6, 6, a, b, want);
        zw_m6_mul(got, a, b);
        worst = larger(worst, most_apart(want, got, 36));
        memcpy(got, c, sizeof c);
        zw_m6_mulsub(got, a, b);
        for (int i = 0; i < 36; i++) {
            want[i] = c[i] - want[i];
        }
        worst = larger(worst, most_apart(want, got, 36));
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 6; k++) {
                t[6 * i + k] = a[6 * k + i];
            }
        }
        multiply(6, 6, 6, t, b, want);
        zw_m6_tmul(got, a, b);
        worst = larger(worst, most_apart(want, got, 36));
        multiply(6, 6, 6, want, c, got);
        zw_m6_sandwich(want, a, b, c);
        worst = larger(worst, most_apart(want, got, 36));
        multiply(6, 6, 1, a, v, u);
        zw_m6_mulv(w, a, v);
        worst = larger(worst, most_apart(u, w, 6));
        multiply(6, 6, 1, t, v, u);
        zw_m6_tmulv(w, a, v);
        worst = larger(worst, most_apart(u, w, 6));
    }
    check_below(worst, 8e-15, 1.3e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_inverts_and_signs),
        cmocka_unit_test(determinant_sign_follows_exchanges_and_pivots),
        cmocka_unit_test(cholesky_solves_and_refuses_indefinite),
        cmocka_unit_test(pivoted_cholesky_finds_the_rank_and_reproduces),
        cmocka_unit_test(qr_gives_least_squares_and_rank),
        cmocka_unit_test(jacobi_diagonalises_symmetric_matrices),
        cmocka_unit_test(jacobi_keeps_digits_of_graded_matrices),
        cmocka_unit_test(tridiagonal_ql_matches_the_second_difference),
        cmocka_unit_test(fixed_size_kernels_match_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
