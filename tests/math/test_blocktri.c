/* SPDX-License-Identifier: Apache-2.0
 * test_blocktri.c: bordered block-tridiagonal solves against dense LU, refinement, singular blocks, determinant sign, inertia. */
#include "support/check.h"

#include "math/blocktri.h"
#include "math/dense.h"
#include "samples.h"

#include <string.h>

static zw_context *context;

static int make_context(void **state) {
    (void)state;
    return zw_context_create(NULL, &context) == ZW_OK ? 0 : -1;
}

static int drop_context(void **state) {
    (void)state;
    zw_context_destroy(context);
    return 0;
}

static zw_blocktri *create(int n, int b, int nb, int rhs) {
    zw_blocktri *t = NULL;
    assert_int_equal(zw_blocktri_create(context, n, b, nb, rhs, &t), ZW_OK);
    assert_non_null(t);
    return t;
}

/* random entries, with `weight` added on a shifted diagonal inside each block so that pivoting inside blocks has work */
static void fill(zw_blocktri *t, samples *s, double weight) {
    int n = t->n, b = t->b, nb = t->nb, rows = n * b;
    sample_array(s, 1.0, t->lower, rows * b);
    sample_array(s, 1.0, t->diag, rows * b);
    sample_array(s, 1.0, t->upper, rows * b);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < b; k++) {
            t->diag[(i * b + k) * b + (k + 1) % b] += weight;
        }
    }
    if (nb > 0) {
        sample_array(s, 1.0, t->column, rows * nb);
        sample_array(s, 1.0, t->row, rows * nb);
        sample_array(s, 1.0, t->corner, nb * nb);
    }
}

static double *dense_of(const zw_blocktri *t) {
    int     b = t->b, nb = t->nb, rows = t->n * b, all = rows + nb;
    double *a = test_calloc((size_t)all * (size_t)all, sizeof *a);
    for (int i = 0; i < t->n; i++) {
        for (int k = 0; k < b; k++) {
            double *row = a + (size_t)(i * b + k) * (size_t)all;
            for (int j = 0; j < b; j++) {
                int at = (i * b + k) * b + j;
                if (i > 0) {
                    row[(i - 1) * b + j] = t->lower[at];
                }
                row[i * b + j] = t->diag[at];
                if (i + 1 < t->n) {
                    row[(i + 1) * b + j] = t->upper[at];
                }
            }
            for (int j = 0; j < nb; j++) {
                row[rows + j] = t->column[(i * b + k) * nb + j];
            }
        }
    }
    for (int r = 0; r < nb; r++) {
        memcpy(a + (size_t)(rows + r) * (size_t)all, t->row + (size_t)r * (size_t)rows, sizeof(double) * (size_t)rows);
        memcpy(a + (size_t)(rows + r) * (size_t)all + rows, t->corner + (size_t)r * (size_t)nb, sizeof(double) * (size_t)nb);
    }
    return a;
}

static void solutions_match_dense_lu(void **state) {
    (void)state;
    static const struct {
        int n, b, nb, rhs;
    } sizes[] = {{1, 6, 0, 1},  {1, 1, 0, 1}, {2, 6, 0, 1},  {9, 6, 0, 1},  {9, 6, 0, 4}, {20, 6, 3, 1},
                 {12, 6, 6, 3}, {1, 6, 2, 2}, {30, 1, 1, 1}, {15, 3, 2, 5}, {8, 7, 0, 2}, {8, 12, 4, 1}};
    samples s = {61};
    double  worst = 0.0, backward = 0.0, unrefined = 0.0, product = 0.0;
    for (size_t c = 0; c < sizeof sizes / sizeof sizes[0]; c++) {
        int          n = sizes[c].n, b = sizes[c].b, nb = sizes[c].nb, m = sizes[c].rhs, rows = n * b, all = rows + nb;
        zw_blocktri *t = create(n, b, nb, m);
        fill(t, &s, 4.0 * b);
        double *a = dense_of(t);
        double *f = test_malloc(sizeof(double) * (size_t)(all * m)), *x = test_malloc(sizeof(double) * (size_t)(all * m));
        double *y = test_malloc(sizeof(double) * (size_t)(all * m));
        int    *pivot = test_malloc(sizeof(int) * (size_t)all);
        sample_array(&s, 1.0, f, all * m);
        assert_int_equal(zw_blocktri_factor(t), ZW_OK);
        assert_int_equal(t->report.bad_block, -1);
        assert_int_equal(zw_blocktri_solve(t, m, f, f + rows * m, x, x + rows * m, 0), ZW_OK);
        memcpy(y, f, sizeof(double) * (size_t)(all * m));
        assert_int_equal(zw_lu_factor(all, a, pivot), -1);
        zw_lu_solve(all, a, pivot, m, y);
        unrefined = larger(unrefined, most_apart(x, y, all * m));
        assert_int_equal(t->report.det_sign, zw_lu_det_sign(all, a, pivot));
        /* in place, refined */
        memcpy(x, f, sizeof(double) * (size_t)(all * m));
        assert_int_equal(zw_blocktri_solve(t, m, x, x + rows * m, x, x + rows * m, 2), ZW_OK);
        worst = larger(worst, most_apart(x, y, all * m));
        backward = larger(backward, t->report.residual);
        zw_blocktri_mul(t, m, x, x + rows * m, y, y + rows * m);
        product = larger(product, most_apart(y, f, all * m));
        test_free(a);
        test_free(f);
        test_free(x);
        test_free(y);
        test_free(pivot);
        zw_blocktri_destroy(t);
    }
    /* the border makes some of these ill-conditioned (1e2): both sides carry round-off */
    check_below(unrefined, 6e-14, 1.5e-14);
    check_below(worst, 6e-14, 1.5e-14);
    check_below(backward, 6e-16, 2.4e-16);
    check_below(product, 1e-14, 3.6e-15);
}

/* stiffness of a slender cantilever in units that differ by 1e12 between rows: scaled pivoting and one refinement keep the residual */
static void graded_rows_are_solved_to_round_off(void **state) {
    (void)state;
    samples      s = {62};
    zw_blocktri *t = create(100, 6, 0, 1);
    fill(t, &s, 20.0);
    double x[600], want[600], f[600];
    for (int r = 0; r < 600; r++) {
        double row = r % 6 < 3 ? 1e-6 : 1e6;
        for (int j = 0; j < 6; j++) {
            t->lower[r * 6 + j] *= row;
            t->diag[r * 6 + j] *= row;
            t->upper[r * 6 + j] *= row;
        }
    }
    sample_array(&s, 1.0, want, 600);
    zw_blocktri_mul(t, 1, want, NULL, f, NULL);
    assert_int_equal(zw_blocktri_factor(t), ZW_OK);
    assert_int_equal(zw_blocktri_solve(t, 1, f, NULL, x, NULL, 2), ZW_OK);
    check_below(most_apart(x, want, 600), 2e-14, 4.4e-16);
    check_below(t->report.residual, 6e-16, 1.9e-16);
    zw_blocktri_destroy(t);
}

/* pivots cannot cross blocks: a small leading block makes elements grow by 1e8, and refinement repairs what that costs */
static void refinement_repairs_growth(void **state) {
    (void)state;
    samples      s = {63};
    zw_blocktri *t = create(10, 6, 0, 1);
    fill(t, &s, 10.0);
    for (int j = 0; j < 36; j++) {
        t->diag[j] *= 1e-8;
    }
    double x[60], want[60], f[60];
    sample_array(&s, 1.0, want, 60);
    zw_blocktri_mul(t, 1, want, NULL, f, NULL);
    assert_int_equal(zw_blocktri_factor(t), ZW_OK);
    assert_true(t->report.growth > 1e6);
    assert_int_equal(zw_blocktri_solve(t, 1, f, NULL, x, NULL, 0), ZW_OK);
    double before = most_apart(x, want, 60);
    assert_int_equal(zw_blocktri_solve(t, 1, f, NULL, x, NULL, 2), ZW_OK);
    double after = most_apart(x, want, 60);
    check_below(before, 5e-8, 1.5e-08);
    check_below(after, 6e-14, 1.4e-14);
    check_below(t->report.residual, 1e-15, 1.6e-16);
    zw_blocktri_destroy(t);
}

static void singular_matrices_are_named(void **state) {
    (void)state;
    samples      s = {64};
    zw_blocktri *t = create(12, 6, 0, 1);
    double       x[72] = {0};
    /* a row of zeros in block 7 */
    fill(t, &s, 20.0);
    memset(t->lower + (7 * 6 + 2) * 6, 0, 6 * sizeof(double));
    memset(t->diag + (7 * 6 + 2) * 6, 0, 6 * sizeof(double));
    memset(t->upper + (7 * 6 + 2) * 6, 0, 6 * sizeof(double));
    assert_int_equal(zw_blocktri_factor(t), ZW_E_RANK);
    assert_int_equal(t->report.bad_block, 7);
    assert_int_equal(t->report.det_sign, 0);
    assert_int_equal(zw_blocktri_solve(t, 1, x, NULL, x, NULL, 1), ZW_E_ARG);
    /* a free chain of springs with random stiffness: rigid motion is found at the last block, with round-off in the way */
    zw_blocktri_zero(t);
    for (int i = 0; i + 1 < 12; i++) {
        double g[36], k[36];
        sample_array(&s, 1.0, g, 36);
        zw_m6_tmul(k, g, g);
        for (int j = 0; j < 36; j++) {
            k[j] += j % 7 == 0 ? 1.0 : 0.0;
            t->diag[i * 36 + j] += k[j];
            t->diag[(i + 1) * 36 + j] += k[j];
            t->upper[i * 36 + j] -= k[j];
            t->lower[(i + 1) * 36 + j] -= k[j];
        }
    }
    assert_int_equal(zw_blocktri_factor(t), ZW_E_RANK);
    assert_int_equal(t->report.bad_block, 11);
    check_below(t->report.pivot_ratio, 16.0 * DBL_EPSILON, 1.2e-16);
    /* not a number */
    fill(t, &s, 20.0);
    t->diag[5 * 36 + 3] = NAN;
    assert_int_equal(zw_blocktri_factor(t), ZW_E_DIVERGED);
    assert_int_equal(t->report.bad_block, 5);
    assert_int_equal(zw_error_count(context), 0);
    zw_blocktri_destroy(t);
    /* border rows that say the same twice */
    t = create(5, 6, 2, 1);
    fill(t, &s, 20.0);
    memcpy(t->row + 30, t->row, 30 * sizeof(double));
    t->corner[2] = t->corner[0];
    t->corner[3] = t->corner[1];
    assert_int_equal(zw_blocktri_factor(t), ZW_E_RANK);
    assert_int_equal(t->report.bad_block, 5);
    assert_int_equal(t->report.bad_column, 1);
    zw_blocktri_destroy(t);
}

/* a constraint C x = 0 without corner: [T C^T; C 0] holds the constraint to round-off */
static void constraints_as_border_hold_to_round_off(void **state) {
    (void)state;
    samples s = {65};
    enum { N = 40, ROWS = 6 * N, NB = 5 };
    zw_blocktri *t = create(N, 6, NB, 1);
    fill(t, &s, 20.0);
    for (int k = 0; k < ROWS; k++) {
        for (int r = 0; r < NB; r++) {
            t->column[k * NB + r] = t->row[r * ROWS + k];
        }
    }
    memset(t->corner, 0, NB * NB * sizeof(double));
    double f[ROWS], g[NB] = {0}, x[ROWS], y[NB], worst = 0.0;
    sample_array(&s, 1.0, f, ROWS);
    assert_int_equal(zw_blocktri_factor(t), ZW_OK);
    assert_int_equal(zw_blocktri_solve(t, 1, f, g, x, y, 1), ZW_OK);
    for (int r = 0; r < NB; r++) {
        double sum = 0.0;
        for (int k = 0; k < ROWS; k++) {
            sum += t->row[r * ROWS + k] * x[k];
        }
        worst = larger(worst, fabs(sum));
    }
    check_below(worst, 4e-15, 3.3e-16);
    check_below(t->report.residual, 8e-16, 2.6e-16);
    zw_blocktri_destroy(t);
}

/* symmetric indefinite: inertia against Jacobi eigenvalues of the dense matrix */
static void negative_eigenvalues_are_counted(void **state) {
    (void)state;
    samples s = {66};
    for (int round = 0; round < 6; round++) {
        int          nb = round % 3, n = 4, b = round < 3 ? 6 : 4, rows = n * b, all = rows + nb, negative = -1, want = 0;
        zw_blocktri *t = create(n, b, nb, 1);
        fill(t, &s, 0.0);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < b; k++) {
                for (int j = 0; j < k; j++) {
                    t->diag[(i * b + k) * b + j] = t->diag[(i * b + j) * b + k];
                }
                for (int j = 0; j < b && i > 0; j++) {
                    t->lower[(i * b + k) * b + j] = t->upper[((i - 1) * b + j) * b + k];
                }
                for (int r = 0; r < nb; r++) {
                    t->row[r * rows + i * b + k] = t->column[(i * b + k) * nb + r];
                }
            }
        }
        for (int r = 0; r < nb; r++) {
            for (int j = 0; j < r; j++) {
                t->corner[r * nb + j] = t->corner[j * nb + r];
            }
        }
        double *a = dense_of(t), *w = test_malloc(sizeof(double) * (size_t)all);
        assert_true(zw_sym_eigen(all, a, w, NULL));
        for (int k = 0; k < all; k++) {
            want += w[k] < 0.0 ? 1 : 0;
        }
        assert_int_equal(zw_blocktri_negative(t, &negative), ZW_OK);
        assert_int_equal(negative, want);
        assert_int_equal(zw_blocktri_factor(t), ZW_OK);
        assert_int_equal(t->report.det_sign, want % 2 == 0 ? 1 : -1);
        test_free(a);
        test_free(w);
        zw_blocktri_destroy(t);
    }
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    zw_blocktri *t = NULL;
    assert_int_equal(zw_blocktri_create(context, 0, 6, 0, 1, &t), ZW_E_ARG);
    assert_null(t);
    assert_int_equal(zw_blocktri_create(context, 3, 6, -1, 1, &t), ZW_E_ARG);
    assert_int_equal(zw_blocktri_create(context, 2147483647, 6, 0, 1, &t), ZW_E_LIMIT);
    assert_int_equal(zw_error_count(context), 3);
    zw_error_clear(context);
    zw_blocktri_destroy(NULL);
    t = create(2, 6, 0, 2);
    double f[36] = {0};
    assert_int_equal(zw_blocktri_solve(t, 1, f, NULL, f, NULL, 0), ZW_E_ARG); /* not factored */
    for (int i = 0; i < 2; i++) {
        zw_m6_identity(t->diag + 36 * i);
    }
    assert_int_equal(zw_blocktri_factor(t), ZW_OK);
    assert_int_equal(zw_blocktri_solve(t, 3, f, NULL, f, NULL, 0), ZW_E_ARG); /* more right sides than made for */
    f[0] = INFINITY;
    assert_int_equal(zw_blocktri_solve(t, 2, f, NULL, f, NULL, 1), ZW_E_DIVERGED);
    zw_blocktri_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_match_dense_lu),
        cmocka_unit_test(graded_rows_are_solved_to_round_off),
        cmocka_unit_test(refinement_repairs_growth),
        cmocka_unit_test(singular_matrices_are_named),
        cmocka_unit_test(constraints_as_border_hold_to_round_off),
        cmocka_unit_test(negative_eigenvalues_are_counted),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
