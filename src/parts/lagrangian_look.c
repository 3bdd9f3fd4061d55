/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_look.c: what a state determines: the records of the last eight states, evaluation of one or many, and the change to quasi-velocities
 *
 *   u = Y qdot + y,  W = Y^-1,  qdot = W (u - y),  qddot = W udot + b,  b = -W (rate of u at qddot = 0)
 *   M_u = W' M W,  F_u = W' F,  c_u = W' (c + M b),  A_u = A W,  D_u = D + A b
 *
 * Results of a tape lie in its record in the order of its roots, so that nothing is copied on the way to a caller. */
#include "parts/lagrangian_part.h"

#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDE_PAYS = 3 }; /* states from which one wide call is faster than as many scalar ones */

/* ---- evaluation */

static bool all_finite(const double *a, size_t n) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0}; /* a - a is 0, or nan for inf and nan; four sums do not wait for each other */
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            sum[k] += a[i + k] - a[i + k];
        }
    }
    for (; i < n; i++) {
        sum[0] += a[i] - a[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}

static void set_inputs(const zw_lagrangian *L, double t, const double *q, const double *qdot) {
    double *in = L->memo->in;
    for (int i = 0; i < L->n; i++) {
        in[L->def->slot_q[i]] = q[i];
        in[L->def->slot_v[i]] = qdot[i];
    }
    in[L->model->slot_t] = t;
}

static void eval(const zw_lagrangian *L, const zw_lagrangian_tape *tape, const zw_lagrangian_record *r, double *out) {
    set_inputs(L, r->t, r->q, r->look.qdot);
    zw_tape_eval(tape->tape, L->memo->in, tape->work, out);
}

/* out of a matrix (n x n, row-major) and vectors */
static void multiply(int n, const double *a, const double *x, double *out) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += a[n * i + k] * x[k];
        }
        out[i] = sum;
    }
}

static void multiply_transposed(int n, const double *a, const double *x, double *out) {
    memset(out, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            out[k] += a[n * i + k] * x[i];
        }
    }
}

/* W = Y^-1; what cannot be inverted gives nan all over */
static bool invert(const zw_lagrangian *L, const double *Y, double *W) {
    size_t count = (size_t)L->n * (size_t)L->n;
    memcpy(L->memo->other, Y, sizeof(double) * count);
    bool regular = all_finite(Y, count) && zw_lu_factor(L->n, L->memo->other, L->memo->pivot) < 0;
    if (regular) {
        zw_lu_inverse(L->n, L->memo->other, L->memo->pivot, W);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        W[i] = NAN;
    }
    return false;
}

bool zw_lagrangian_axes_at(const zw_lagrangian *L, const double *q, double *Yy, double *W) {
    set_inputs(L, 0.0, q, q); /* neither velocities nor time are in it */
    zw_tape_eval(L->tape_axes.tape, L->memo->in, L->tape_axes.work, Yy);
    return W == NULL || invert(L, Yy, W);
}

/* qdot from u, with Y and y known */
static void find_qdot(const zw_lagrangian *L, zw_lagrangian_record *r) {
    int n = L->n;
    r->axes_regular = invert(L, r->axes, r->W);
    for (int i = 0; i < n; i++) {
        L->memo->line[i] = r->v[i] - r->axes[n * n + i];
    }
    multiply(n, r->W, L->memo->line, r->qdot);
}

/* the formulas at the head of this file */
static void change_velocities(const zw_lagrangian *L, zw_lagrangian_record *r) {
    int           n = L->n, m = L->m;
    const double *M = r->motion, *F = M + n * n, *c = F + n, *A = c + n, *D = A + m * n, *rate = D + 3 * m, *W = r->W;
    double       *b = L->memo->line, *sum = L->memo->more, *MW = L->memo->other;
    multiply(n, W, rate, b);
    for (int i = 0; i < n; i++) {
        b[i] = -b[i];
    }
    multiply(n, M, b, sum);
    for (int i = 0; i < n; i++) {
        sum[i] += c[i];
    }
    multiply_transposed(n, W, sum, r->c);
    multiply_transposed(n, W, F, r->F);
    memset(MW, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        for (int h = 0; h < n; h++) {
            for (int k = 0; k < n; k++) {
                MW[n * i + k] += M[n * i + h] * W[n * h + k];
            }
        }
    }
    for (int i = 0; i < n; i++) { /* one triangle, and its image: symmetric to the last bit */
        for (int k = i; k < n; k++) {
            double entry = 0.0;
            for (int h = 0; h < n; h++) {
                entry += W[n * h + i] * MW[n * h + k];
            }
            r->M[n * i + k] = r->M[n * k + i] = entry;
        }
    }
    for (int i = 0; i < m; i++) {
        multiply_transposed(n, W, A + n * i, r->A + n * i);
        r->D[i] = D[i];
        for (int k = 0; k < n; k++) {
            r->D[i] += A[n * i + k] * b[k];
        }
    }
}

static void finish_motion(const zw_lagrangian *L, zw_lagrangian_record *r) {
    r->has_motion = true;
    r->look.finite = r->axes_regular && all_finite(r->motion, (size_t)L->tape_motion.roots);
    if (L->quasi) {
        change_velocities(L, r);
    }
}

static void need_motion(const zw_lagrangian *L, zw_lagrangian_record *r) {
    if (!r->has_motion) {
        eval(L, &L->tape_motion, r, r->motion);
        finish_motion(L, r);
    }
}

static void need_account(const zw_lagrangian *L, zw_lagrangian_record *r) {
    int n = L->n;
    if (r->has_account) {
        return;
    }
    need_motion(L, r);
    eval(L, &L->tape_account, r, r->account);
    r->has_account = true;
    r->look.T = r->account[ZW_ACCOUNT_T];
    r->look.potential = r->account[ZW_ACCOUNT_V];
    r->look.energy = r->account[ZW_ACCOUNT_ENERGY];
    r->look.work = r->account[ZW_ACCOUNT_WORK];
    r->look.dissipated = r->account[ZW_ACCOUNT_DISSIPATED];
    const double *A = r->motion + n * n + 2 * n; /* in qdot: sizes are those of the equation as written */
    for (int i = 0; i < L->m; i++) {
        r->first_size[i] = DBL_MIN;
        for (int k = 0; k < n && !L->by_terms[i]; k++) {
            r->first_size[i] += fabs(A[n * i + k] * r->look.qdot[k]);
        }
    }
    for (int i = 0; i < L->nterms; i++) {
        r->first_size[L->term_row[i]] += fabs(r->account[ZW_ACCOUNT_NUMBERS + i]);
    }
}

const double *zw_lagrangian_points_at(const zw_lagrangian *L, zw_lagrangian_record *r) {
    L->memo->wants_points = true;
    L->memo->points_pay = L->memo->points_pay || r->foreseen; /* probes look at the ends of steps, which were not */
    if (!r->has_point) {
        eval(L, &L->tape_point, r, r->point);
        r->has_point = true;
    }
    return r->point;
}

/* ---- finding a state again */

static uint64_t bits(double x) {
    uint64_t n;
    memcpy(&n, &x, sizeof n);
    return n;
}

/* by their bits: nan is itself, and 0 is not -0. Most records differ in the first numbers already */
static bool is_at(const zw_lagrangian *L, const zw_lagrangian_record *r, const zw_state *x) {
    if (r->used == 0 || bits(r->v[0]) != bits(x->v[0]) || bits(r->t) != bits(x->t)) {
        return false;
    }
    uint64_t apart = 0;
    for (int i = 0; i < L->n; i++) {
        apart |= (bits(r->q[i]) ^ bits(x->q[i])) | (bits(r->v[i]) ^ bits(x->v[i]));
    }
    return apart == 0;
}

static zw_lagrangian_record *find(const zw_lagrangian *L, const zw_state *x) {
    zw_lagrangian_memo *memo = L->memo;
    for (unsigned i = 0; i < ZW_LAGRANGIAN_RECORDS; i++) {
        unsigned              k = ((unsigned)memo->last + i) % ZW_LAGRANGIAN_RECORDS;
        zw_lagrangian_record *r = &memo->record[k];
        if (is_at(L, r, x)) {
            memo->last = (int)k;
            r->used = ++memo->clock;
            return r;
        }
    }
    return NULL;
}

/* the record that was not asked for the longest becomes that of x */
static zw_lagrangian_record *take(const zw_lagrangian *L, const zw_state *x) {
    zw_lagrangian_memo *memo = L->memo;
    int                 oldest = 0;
    for (int i = 1; i < ZW_LAGRANGIAN_RECORDS; i++) {
        oldest = memo->record[i].used < memo->record[oldest].used ? i : oldest;
    }
    zw_lagrangian_record *r = &memo->record[oldest];
    memo->last = oldest;
    r->used = ++memo->clock;
    r->has_motion = r->has_account = r->has_point = r->foreseen = false;
    r->t = x->t;
    memcpy(r->q, x->q, sizeof(double) * (size_t)L->n);
    memcpy(r->v, x->v, sizeof(double) * (size_t)L->n);
    return r;
}

zw_lagrangian_record *zw_lagrangian_record_at(const zw_lagrangian *L, const zw_state *x) {
    zw_lagrangian_record *r = find(L, x);
    if (r != NULL) {
        return r;
    }
    r = take(L, x);
    if (L->quasi) {
        zw_lagrangian_axes_at(L, r->q, r->axes, NULL);
        find_qdot(L, r);
    }
    return r;
}

const zw_lagrangian_look *zw_lagrangian_motion_at(const zw_lagrangian *L, const zw_state *x) {
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    need_motion(L, r);
    return &r->look;
}

const zw_lagrangian_look *zw_lagrangian_at(zw_lagrangian *L, const zw_state *x) {
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    need_account(L, r);
    return &r->look;
}

/* ---- many states in one call */

/* the tape at the first `count` lanes, its results into their records */
static void eval_lanes(const zw_lagrangian *L, const zw_lagrangian_tape *tape, int count, double *const *to) {
    if (count > ZW_TAPE_LANES / 2) {
        zw_tape_eval_wide(tape->tape, L->memo->lanes, tape->wide, tape->lanes_out);
    } else {
        zw_tape_eval_half(tape->tape, L->memo->lanes, tape->wide, tape->lanes_out);
    }
    for (int k = 0; k < count; k++) {
        const double *from = tape->lanes_out + k;
        double       *out = to[k];
        for (int i = 0; i < tape->roots; i++) {
            out[i] = from[ZW_TAPE_LANES * i];
        }
    }
}

static void fill_lanes(const zw_lagrangian *L, int count, zw_lagrangian_record *const *r) {
    double *lane = L->memo->lanes;
    int     n = L->n;
    for (int k = 0; k < ZW_TAPE_LANES; k++) { /* sound numbers in every lane */
        const zw_lagrangian_record *from = r[k < count ? k : 0];
        for (int i = 0; i < n; i++) {
            lane[ZW_TAPE_LANES * i + k] = from->q[i];
            lane[ZW_TAPE_LANES * (n + i) + k] = from->look.qdot[i];
        }
        lane[ZW_TAPE_LANES * 2 * n + k] = from->t;
    }
}

void zw_lagrangian_foresee(void *self, int count, const zw_state *x) {
    const zw_lagrangian  *L = self;
    zw_lagrangian_record *r[ZW_LAGRANGIAN_RECORDS];
    double               *to[ZW_LAGRANGIAN_RECORDS];
    int                   missing = 0;
    count = count < ZW_LAGRANGIAN_RECORDS ? count : ZW_LAGRANGIAN_RECORDS;
    bool known[ZW_LAGRANGIAN_RECORDS];
    for (int i = 0; i < count; i++) { /* those that are known become the newest, so that none of them is given away below */
        known[i] = find(L, &x[i]) != NULL;
    }
    for (int i = 0; i < count; i++) {
        if (!known[i]) {
            r[missing++] = take(L, &x[i]);
        }
    }
    if (missing == 0) {
        return;
    }
    bool wide = missing >= WIDE_PAYS;
    if (L->quasi && wide) {
        fill_lanes(L, missing, r);
        for (int k = 0; k < missing; k++) {
            to[k] = r[k]->axes;
        }
        eval_lanes(L, &L->tape_axes, missing, to);
    }
    for (int k = 0; L->quasi && k < missing; k++) {
        if (!wide) {
            zw_lagrangian_axes_at(L, r[k]->q, r[k]->axes, NULL);
        }
        find_qdot(L, r[k]);
    }
    if (!wide) {
        return; /* the rest is evaluated when it is asked for */
    }
    fill_lanes(L, missing, r);
    for (int k = 0; k < missing; k++) {
        to[k] = r[k]->motion;
    }
    eval_lanes(L, &L->tape_motion, missing, to);
    for (int k = 0; k < missing; k++) {
        finish_motion(L, r[k]);
        r[k]->foreseen = true;
    }
    if (L->memo->points_pay) {
        for (int k = 0; k < missing; k++) {
            to[k] = r[k]->point;
            r[k]->has_point = true;
        }
        eval_lanes(L, &L->tape_point, missing, to);
    }
    L->memo->points_pay = false; /* until they are asked for again */
}
