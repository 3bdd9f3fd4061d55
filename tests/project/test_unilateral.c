/* SPDX-License-Identifier: Apache-2.0
 * test_unilateral.c: the kernel with inequalities on random problems: the conditions of the minimum, all active sets by brute force, degenerate, redundant and
 * contradictory rows, both searches against each other, memory, determinism. */
#include "tests/project/contacts.h"

static int random_int(problem *p, int low, int high) {
    int k = low + (int)((random_unit(p) + 1.0) * 0.5 * (high - low + 1));
    return k > high ? high : k;
}

/* n columns: a diagonal part and a coupled one; ma rows of A and mi of N with blocks of 3 columns in two places */
static void random_rows(contacts *q, int cells, int ma, int mi) {
    problem *p = &q->p;
    int      half = cells / 2;
    add_diagonal(p, 3 * (cells - half), 0.7);
    if (half > 0) {
        add_banded(p, half, 3, 1, false);
    }
    for (int i = 0; i < ma + mi; i++) {
        int col[2] = {3 * random_int(p, 0, cells - 1), 3 * random_int(p, 0, cells - 1)};
        if (i == ma) {
            rows_swap(q);
        }
        add_tile(p, 1, col[0] == col[1] ? 1 : 2, col, 3);
    }
    if (mi > 0) {
        rows_swap(q);
    }
}

/* A and N given densely: one block per row */
static void dense_tiles(contacts *q, int n, int ma, int mi, const double *A, const double *N) {
    int col = 0;
    for (int i = 0; i < ma; i++) {
        ptrdiff_t at = q->p.rows.nvalues;
        add_tile(&q->p, 1, 1, &col, n);
        memcpy(q->p.rows.a + at, A + (size_t)i * (size_t)n, (size_t)n * sizeof *A);
    }
    for (int i = 0; i < mi; i++) {
        add_contact(q, 1, &col, n, N + (size_t)i * (size_t)n);
    }
}

/* c, b and f so that the answer is known: x, the multipliers, and gaps; zero: share of the rows with gap 0 and mu 0 together */
static void known_answer(contacts *q, double active, double zero, double *x) {
    problem *p = &q->p;
    int      n = p->metric.n, ma = p->rows.m, mi = q->N.m;
    vectors_make(q);
    double *terms = calloc((size_t)(n + ma + mi) + 1, sizeof *terms), *size = calloc((size_t)n + 1, sizeof *size);
    for (int j = 0; j < n; j++) {
        x[j] = random_unit(p);
    }
    rows_product(&p->rows, x, size, q->b, terms);
    rows_product(&q->N, x, size, q->c, terms);
    metric_product(p, x, q->f, terms);
    double *minus = calloc((size_t)(ma + mi) + 1, sizeof *minus);
    for (int i = 0; i < ma; i++) {
        minus[i] = random_unit(p);
    }
    for (int i = 0; i < mi; i++) {
        double dice = 0.5 * (random_unit(p) + 1.0);
        if (dice < active) {
            minus[ma + i] = -(0.1 + fabs(random_unit(p)));
        } else if (dice >= active + zero) {
            q->c[i] -= 0.01 + fabs(random_unit(p));
        }
    }
    rows_transposed(&p->rows, minus, q->f, terms);
    rows_transposed(&q->N, minus + ma, q->f, terms);
    free(terms);
    free(size);
    free(minus);
}

/* of the ways to solve: largest differences in x and mu, and how far |y|^2 of the small ways is above that from the columns */
typedef struct agreement {
    double x, mu, norm;
} agreement;

static double norm_square(const contacts *q) {
    double sum = 0.0;
    for (int i = 0; i < q->p.rows.m; i++) {
        sum += q->lambda[i] * q->lambda[i];
    }
    for (int i = 0; i < q->N.m; i++) {
        sum += q->mu[i] * q->mu[i];
    }
    return sum;
}

static void solve_both(contacts *q, kkt *worst, agreement *agree, zw_unilateral_info *info) {
    int     n = q->p.metric.n, mi = q->N.m;
    double  norm = 0.0;
    double *x = malloc((size_t)(n + 1) * sizeof *x), *mu = malloc((size_t)(mi + 1) * sizeof *mu);
    for (int way = 1; way <= 3; way++) {
        zw_unilateral_forget(q->u);
        q->u->force = way;
        if (contacts_solve(q, info) != ZW_OK) {
            char text[900];
            zw_error_format(zw_error_at(q->p.context, 0), text, sizeof text);
            fail_msg("search %d: %s", way, text);
        }
        assert_true(info->residual <= 1e-10);
        kkt_worst(worst, kkt_of(q));
        if (way == 1) {
            memcpy(x, q->x, (size_t)n * sizeof *x);
            memcpy(mu, q->mu, (size_t)mi * sizeof *mu);
        }
        agree->x = fmax(agree->x, distance(q->x, x, n));
        if (way < 3) { /* from the columns multipliers are known to eps over the ridge */
            double top = largest(mu, mi);
            agree->mu = fmax(agree->mu, top > 1e-12 ? distance(q->mu, mu, mi) : largest(q->mu, mi));
            norm = fmax(norm, norm_square(q));
        } else if (norm > 1e-12) {
            agree->norm = fmax(agree->norm, norm / norm_square(q) - 1.0);
        }
    }
    q->u->force = 0;
    free(x);
    free(mu);
}

static void judge(const char *what, int count, kkt w, agreement agree) {
    print_message(
        "%s: %d problems; stationary %.1e, equal %.1e, gap %.1e, sign %.1e, product %.1e, natural %.1e; searches differ in x %.1e, mu %.1e, norm %.1e\n",
        what, count, w.stationary, w.equal, w.gap, w.sign, w.product, w.natural, agree.x, agree.mu, agree.norm);
    /* the worst of the four kinds of problems, all ways to solve them */
    check_below(w.stationary, 1e-14, 6.5e-16);
    check_below(w.equal, 1e-12, 7.5e-15);
    check_below(w.gap, 1e-12, 1.3e-13);
    check_below(w.sign, 0.0, 0.0);
    check_below(w.product, 1e-12, 8.8e-15);
    check_below(w.natural, 1e-12, 1.3e-13);
    check_below(agree.x, 1e-10, 6.4e-12);
    check_below(agree.mu, 1e-13, 0.0);
    check_below(agree.norm, 1e-7, 8.6e-9);
}

static void random_problems_satisfy_the_conditions_in_both_searches(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 11);
    kkt       worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    agreement agree = {0.0, 0.0, 0.0};
    int       count = (int)scaled_steps(2000);
    for (int k = 0; k < count; k++) {
        int cells = random_int(&q.p, 2, 9), ma = random_int(&q.p, 0, cells), mi = random_int(&q.p, 1, 3 * cells);
        contacts_clear(&q);
        random_rows(&q, cells, ma, mi);
        vectors_make(&q);
        int     n = q.p.metric.n;
        double *x = random_vector(&q.p, n), *size = calloc((size_t)n, sizeof *size), *terms = calloc((size_t)(ma + mi) + 1, sizeof *terms);
        rows_product(&q.p.rows, x, size, q.b, terms); /* x is feasible; half of the rows hold there exactly */
        rows_product(&q.N, x, size, q.c, terms);
        for (int i = 0; i < mi; i++) {
            q.c[i] -= random_unit(&q.p) > 0.0 ? 0.0 : fabs(random_unit(&q.p));
        }
        for (int j = 0; j < n; j++) {
            q.f[j] = 3.0 * random_unit(&q.p);
        }
        zw_unilateral_info info;
        solve_both(&q, &worst, &agree, &info);
        free(x);
        free(size);
        free(terms);
    }
    contacts_close(&q);
    judge("random", count, worst, agree);
}

static void degenerate_problems_give_the_known_answer(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 12);
    kkt       worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double    off = 0.0;
    agreement agree = {0.0, 0.0, 0.0};
    int       count = (int)scaled_steps(1500);
    for (int k = 0; k < count; k++) {
        int cells = random_int(&q.p, 2, 9), ma = random_int(&q.p, 0, cells), mi = random_int(&q.p, 1, 4 * cells);
        contacts_clear(&q);
        random_rows(&q, cells, ma, mi);
        double *x = malloc((size_t)q.p.metric.n * sizeof *x);
        known_answer(&q, 0.3, 0.4, x);
        zw_unilateral_info info;
        solve_both(&q, &worst, &agree, &info);
        off = fmax(off, distance(q.x, x, q.p.metric.n));
        free(x);
    }
    contacts_close(&q);
    judge("degenerate", count, worst, agree);
    print_message("    from the known x %.1e\n", off);
    check_below(off, 1e-11, 1.1e-13);
}

/* Rows of gap 0 that are redundant or nearly so: a search with a ridge for the set of least norm, as there once was, left the two ways apart in nine of 24000 of these,
 * by up to 0.98 of the largest multiplier; one of them is among the first 8200. And no trace of another load that was solved before */
static void searches_end_at_the_same_multipliers(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 101);
    kkt       worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    agreement agree = {0.0, 0.0, 0.0};
    int       count = (int)scaled_steps(8200), traces = 0;
    for (int k = 0; k < count; k++) {
        int cells = random_int(&q.p, 2, 9), ma = random_int(&q.p, 0, cells), mi = random_int(&q.p, 1, 4 * cells);
        contacts_clear(&q);
        random_rows(&q, cells, ma, mi);
        double *x = malloc((size_t)q.p.metric.n * sizeof *x);
        known_answer(&q, 0.3, 0.4, x);
        zw_unilateral_info info;
        solve_both(&q, &worst, &agree, &info);
        zw_unilateral_forget(q.u);
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        double *mu = malloc((size_t)mi * sizeof *mu), keep = q.f[0];
        memcpy(mu, q.mu, (size_t)mi * sizeof *mu);
        memcpy(x, q.x, (size_t)q.p.metric.n * sizeof *x);
        q.f[0] += 0.3;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        q.f[0] = keep;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        traces += memcmp(mu, q.mu, (size_t)mi * sizeof *mu) != 0 || memcmp(x, q.x, (size_t)q.p.metric.n * sizeof *x) != 0;
        free(mu);
        free(x);
    }
    contacts_close(&q);
    judge("touching", count, worst, agree);
    assert_int_equal(traces, 0);
}

/* rows of low rank: combinations of few, positive ones among N, and rows of N that are rows of A */
static void redundant_rows(contacts *q, int n, int rank, int ma, int mi) {
    double *basis = random_vector(&q->p, rank * n), *G = calloc((size_t)((ma + mi) * n), sizeof *G);
    add_diagonal(&q->p, n, 0.5);
    for (int i = 0; i < ma + mi; i++) {
        for (int r = 0; r < rank; r++) {
            double t = i < rank ? (i == r ? 1.0 : 0.0) : (double)random_int(&q->p, -2, 2);
            for (int j = 0; j < n; j++) {
                G[i * n + j] += t * basis[r * n + j];
            }
        }
    }
    dense_tiles(q, n, ma, mi, G, G + (size_t)ma * (size_t)n);
    free(basis);
    free(G);
}

static void redundant_problems_give_the_known_answer(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 13);
    kkt       worst = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double    off = 0.0;
    agreement agree = {0.0, 0.0, 0.0};
    int       count = (int)scaled_steps(1500), not_unique = 0;
    for (int k = 0; k < count; k++) {
        int n = random_int(&q.p, 3, 12), rank = random_int(&q.p, 2, n), ma = random_int(&q.p, 0, rank + 1),
            mi = random_int(&q.p, 2, 3 * rank);
        contacts_clear(&q);
        redundant_rows(&q, n, rank, ma, mi);
        double *x = malloc((size_t)n * sizeof *x);
        known_answer(&q, 0.5, 0.3, x);
        zw_unilateral_info info;
        solve_both(&q, &worst, &agree, &info);
        not_unique += info.redundant > 0;
        off = fmax(off, distance(q.x, x, n));
        free(x);
    }
    contacts_close(&q);
    judge("redundant", count, worst, agree);
    print_message("    from the known x %.1e; multipliers not unique in %d\n", off, not_unique);
    check_below(off, 1e-11, 6.5e-12);
    assert_true(not_unique > count / 2);
}

/* ---- all active sets ---- */

/* the x of the set whose multipliers and gaps have the right signs, over all sets of independent rows; returns false where there is none */
static bool brute_force(contacts *q, double *x) {
    int     n = q->p.metric.n, ma = q->p.rows.m, mi = q->N.m;
    double *H = dense_metric(&q->p), *A = dense_rows(&q->p), *N = dense_contacts(q);
    double *K = malloc((size_t)((n + ma + mi) * (n + ma + mi)) * sizeof *K), *z = malloc((size_t)(n + ma + mi) * sizeof *z), best = 1e-7;
    for (int set = 0; set < 1 << mi; set++) {
        int rows[40], count = 0;
        for (int i = 0; i < mi; i++) {
            if (set >> i & 1) {
                rows[count++] = i;
            }
        }
        int M = n + ma + count;
        memset(K, 0, (size_t)(M * M) * sizeof *K);
        for (int i = 0; i < n; i++) {
            z[i] = q->f[i];
            for (int j = 0; j < n; j++) {
                K[i * M + j] = H[i * n + j];
            }
            for (int k = 0; k < ma + count; k++) {
                double g = k < ma ? A[k * n + i] : N[rows[k - ma] * n + i];
                K[i * M + n + k] = -g;
                K[(n + k) * M + i] = g;
            }
        }
        for (int k = 0; k < ma + count; k++) {
            z[n + k] = k < ma ? q->b[k] : q->c[rows[k - ma]];
        }
        gauss(M, K, z);
        double bad = 0.0;
        for (int i = 0; i < mi; i++) {
            double gap = -q->c[i];
            for (int j = 0; j < n; j++) {
                gap += N[i * n + j] * z[j];
            }
            bad = fmax(bad, -gap);
        }
        for (int k = 0; k < count; k++) {
            bad = fmax(bad, -z[n + ma + k]);
        }
        for (int k = 0; k < M; k++) {
            bad = isfinite(z[k]) && fabs(z[k]) < 1e8 ? bad : INFINITY;
        }
        if (bad < best) {
            best = bad;
            memcpy(x, z, (size_t)n * sizeof *x);
        }
    }
    free(H);
    free(A);
    free(N);
    free(K);
    free(z);
    return best < 1e-7;
}

static void answers_are_those_of_all_active_sets(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 21);
    int    count = (int)scaled_steps(300), solvable = 0;
    double worst = 0.0;
    for (int k = 0; k < count; k++) { /* c is random here: more rows than columns often contradict */
        int cells = random_int(&q.p, 1, 2), ma = random_int(&q.p, 0, 2), mi = random_int(&q.p, 1, 8);
        contacts_clear(&q);
        random_rows(&q, cells, ma, mi);
        vectors_make(&q);
        int n = q.p.metric.n;
        for (int j = 0; j < n; j++) {
            q.f[j] = 3.0 * random_unit(&q.p);
        }
        for (int i = 0; i < ma; i++) {
            q.b[i] = random_unit(&q.p);
        }
        for (int i = 0; i < mi; i++) {
            q.c[i] = random_unit(&q.p);
        }
        double *x = malloc((size_t)n * sizeof *x);
        bool    exists = brute_force(&q, x);
        for (int way = 1; way <= 3; way++) {
            zw_unilateral_forget(q.u);
            q.u->force = way;
            assert_int_equal(contacts_solve(&q, NULL), exists ? ZW_OK : ZW_E_RANK);
            worst = exists ? fmax(worst, distance(q.x, x, n)) : worst;
        }
        solvable += exists;
        free(x);
    }
    contacts_close(&q);
    print_message("brute force: %d of %d solvable, x differs by %.1e\n", solvable, count, worst);
    assert_true(solvable > count / 4 && solvable < count);
    check_below(worst, 1e-10, 1.0e-11);
}

static void contradictions_are_named(void **state) {
    (void)state;
    contacts q;
    contacts_open(&q, NULL, 22);
    for (int way = 1; way <= 3; way++) {
        int col = 0;
        contacts_clear(&q);
        q.u->force = way;
        add_diagonal(&q.p, 3, 0.0);
        double up[3] = {0.0, 1.0, 0.0}, down[3] = {0.0, -2.0, 0.0}, side[3] = {1.0, 0.0, 0.0};
        add_contact(&q, 1, &col, 3, side);
        add_contact(&q, 1, &col, 3, up);
        add_contact(&q, 1, &col, 3, side);
        add_contact(&q, 1, &col, 3, down);
        vectors_make(&q);
        q.c[1] = 1.0; /* y >= 1 and -2 y >= -1 */
        q.c[3] = -1.0;
        assert_int_equal(contacts_solve(&q, NULL), ZW_E_RANK);
        assert_non_null(strstr(zw_error_at(q.p.context, 0)->message, "rows 1, 3 together"));
        q.c[3] = -2.0; /* y <= 1 */
        zw_unilateral_info info;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        check_near(q.x[1], 1.0, 1e-15);
        q.c[3] = -2.0 + 1e-12; /* as far as round-off may: passes, and is said */
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        check_below(info.residual, 1e-11, 2.5e-13);
        /* against an equality; and equalities among themselves, of which the redundant ones that agree are no matter */
        contacts_clear(&q);
        zw_unilateral_forget(q.u);
        add_diagonal(&q.p, 3, 0.0);
        for (int i = 0; i < 3; i++) {
            add_tile(&q.p, 1, 1, &col, 3);
            memcpy(q.p.rows.a + 3 * i, i < 2 ? up : side, sizeof up);
        }
        add_contact(&q, 1, &col, 3, side);
        add_contact(&q, 1, &col, 3, down);
        vectors_make(&q);
        q.b[0] = q.b[1] = 0.75;
        q.c[1] = -2.0;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        check_near(q.x[1], 0.75, 1e-15);
        q.c[1] = -1.0;
        assert_int_equal(contacts_solve(&q, NULL), ZW_E_RANK);
        assert_non_null(strstr(zw_error_at(q.p.context, 0)->message, "inequality rows 1 and equality rows 0"));
        q.c[1] = -2.0;
        q.b[1] = 0.5;
        assert_int_equal(contacts_solve(&q, NULL), ZW_E_RANK);
        assert_non_null(strstr(zw_error_at(q.p.context, 0)->message, "depends on other rows but contradicts them"));
    }
    contacts_close(&q);
}

/* ---- memory, bits, allocation ---- */

static void *counting_realloc(void *user, void *p, size_t size) {
    long *calls = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    ++*calls;
    return realloc(p, size);
}

/* the tiles of N in another order, ids kept; c moves along */
static void tiles_reverse(contacts *q) {
    int     nt = q->N.ntiles, row = 0;
    double *c = malloc((size_t)(q->N.m + 1) * sizeof *c);
    memcpy(c, q->c, (size_t)q->N.m * sizeof *c);
    for (int t = 0; t < nt / 2; t++) {
        zw_tile keep = q->N.tile[t];
        q->N.tile[t] = q->N.tile[nt - 1 - t];
        q->N.tile[nt - 1 - t] = keep;
    }
    for (int t = 0; t < nt; t++) {
        for (int i = 0; i < q->N.tile[t].m; i++) {
            q->c[row + i] = c[q->N.tile[t].row + i];
        }
        q->N.tile[t].row = row;
        row += q->N.tile[t].m;
    }
    free(c);
}

static void active_set_is_remembered_by_tile(void **state) {
    (void)state;
    long           calls = 0;
    zw_context_def def = zw_context_def_default();
    def.realloc = counting_realloc;
    def.realloc_user = &calls;
    contacts q;
    contacts_open(&q, &def, 31);
    int cold = 0, warm = 0, moved = 0, count = (int)scaled_steps(100);
    for (int k = 0; k < count; k++) {
        int cells = 12 + 20 * (k % 3), mi = 3 * cells; /* 36, 96 and 156 rows: both searches */
        contacts_clear(&q);
        zw_unilateral_forget(q.u);
        random_rows(&q, cells, 4, mi);
        double *x = malloc((size_t)q.p.metric.n * sizeof *x);
        known_answer(&q, 0.4, 0.0, x);
        zw_unilateral_info info;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        cold += info.iterations;
        tiles_reverse(&q);
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        warm += info.iterations;
        check_below(distance(q.x, x, q.p.metric.n), 1e-13, 4.8e-15);
        q.N.tile[0].id = 1000; /* one vanished, one is new; and another load */
        for (int j = 0; j < q.p.metric.n; j++) {
            q.f[j] += 1e-3 * random_unit(&q.p);
        }
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        moved += info.iterations;
        /* the same again: no allocation, the same bits */
        long before = calls;
        memcpy(x, q.x, (size_t)q.p.metric.n * sizeof *x);
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        assert_int_equal(info.iterations, 0);
        assert_memory_equal(x, q.x, (size_t)q.p.metric.n * sizeof *x);
        zw_unilateral_forget(q.u);
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        assert_int_equal(calls, before);
        double *again = malloc((size_t)q.p.metric.n * sizeof *again);
        memcpy(again, q.x, (size_t)q.p.metric.n * sizeof *again);
        zw_unilateral_forget(q.u);
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        assert_memory_equal(again, q.x, (size_t)q.p.metric.n * sizeof *x);
        free(again);
        free(x);
    }
    contacts_close(&q);
    print_message("memory: %d changes cold, %d warm, %d with another load and a new tile\n", cold, warm, moved);
    assert_int_equal(warm, 0);
    assert_true(4 * moved < cold);
}

static void empty_and_bad_problems(void **state) {
    (void)state;
    contacts           q;
    zw_unilateral_info info;
    contacts_open(&q, NULL, 41);
    for (int way = 0; way <= 3; way++) {
        contacts_clear(&q);
        q.u->force = way;
        add_diagonal(&q.p, 4, 0.0);
        vectors_make(&q);
        q.f[2] = 3.0;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK); /* no rows at all */
        check_near(q.x[2], 3.0, 0.0);
        int    col = 0;
        double zero[4] = {0.0, 0.0, 0.0, 0.0};
        add_contact(&q, 1, &col, 4, zero);
        vectors_make(&q);
        q.f[2] = 3.0;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK); /* 0 >= 0 */
        q.c[0] = -1.0;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        q.c[0] = 1.0; /* 0 >= 1 */
        assert_int_equal(contacts_solve(&q, &info), ZW_E_RANK);
        q.c[0] = 0.0;
        q.N.a[1] = NAN;
        assert_true(contacts_solve(&q, &info) != ZW_OK);
        q.N.a[1] = 1.0;
        q.f[1] = INFINITY;
        assert_true(contacts_solve(&q, &info) != ZW_OK);
        q.f[1] = -1.0;
        q.p.part[0].a[3] = -1.0;
        assert_true(contacts_solve(&q, &info) != ZW_OK);
        q.p.part[0].a[3] = 1.0;
        assert_int_equal(contacts_solve(&q, &info), ZW_OK);
        check_near(q.mu[0], 1.0, 1e-14); /* 1.0e-15 */
        q.N.block[0].ncol = 5;
        assert_int_equal(contacts_solve(&q, &info), ZW_E_ARG);
        q.N.block[0].ncol = 4;
    }
    contacts_close(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_satisfy_the_conditions_in_both_searches),
        cmocka_unit_test(degenerate_problems_give_the_known_answer),
        cmocka_unit_test(searches_end_at_the_same_multipliers),
        cmocka_unit_test(redundant_problems_give_the_known_answer),
        cmocka_unit_test(answers_are_those_of_all_active_sets),
        cmocka_unit_test(contradictions_are_named),
        cmocka_unit_test(active_set_is_remembered_by_tile),
        cmocka_unit_test(empty_and_bad_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
