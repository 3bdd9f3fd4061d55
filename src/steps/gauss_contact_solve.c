/* SPDX-License-Identifier: Apache-2.0
 * gauss_contact_solve.c: the position level of a step over contacts. A round places the middle and the end of the step by the velocities it has, makes the forces
 * and the discrete gradients there, and asks the kernel for
 *   min 1/2 |x - M^-1 h F|^2_M   with   Abar x = -2 Abar v0 - (2/h)(g0 + h tau),   Gbar x >= -2 Gbar v0 - (2/h)(g0 + h tau)        x = v1 - v0
 * which says g1 = 0 and g1 >= 0, because Gbar.(h v0 + h x/2) + h tau = g1 - g0. Forces and gradients are those of the round before: a fixed point, whose rate is
 * of the order of the turn in a step, plus that of the stage of gauss. Rows of velocities alone hold at the middle. */
#include "steps/gauss_contact.h"

#include "base/number.h"
#include "steps/sizes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* q1 and q_mid of the velocities v0 + dv/2; the chart is iterated, which costs no forces */
static void place(zw_gauss_contact *s, const zw_state *x0, double h) {
    enum { MOST = 30 };
    zw_collocation *k = s->k;
    int             nv = k->n.nv;
    for (int l = 0; l < nv; l++) {
        s->mid.v[l] = x0->v[l] + 0.5 * s->dv[l];
        s->end.v[l] = x0->v[l] + s->dv[l];
        s->xi[l] = k->all_flat ? h * s->mid.v[l] : s->xi[l];
    }
    s->mid.t = x0->t + 0.5 * h;
    s->end.t = x0->t + h;
    s->mid.s = s->end.s = x0->s;
    s->mid.w = s->end.w = x0->w;
    for (int pass = 0; !k->all_flat && pass < MOST; pass++) {
        double moved = 0.0;
        for (int l = 0; l < nv; l++) {
            s->d[l] = 0.5 * s->xi[l];
        }
        zw_system_retract(k->y, x0->q, s->d, s->mid.q);
        zw_system_chart_rate(k->y, x0->q, s->d, s->mid.q, s->mid.v, s->chart);
        for (int l = 0; l < nv; l++) {
            double next = h * s->chart[l];
            moved = fmax(moved, fabs(next - s->xi[l]));
            s->xi[l] = next;
        }
        if (!(moved > 0.25 * DBL_EPSILON)) {
            break;
        }
    }
    for (int l = 0; l < nv; l++) {
        s->d[l] = 0.5 * s->xi[l];
    }
    zw_system_retract(k->y, x0->q, s->d, s->mid.q);
    zw_system_retract(k->y, x0->q, s->xi, s->end.q);
    for (int i = 0; i < k->nflat; i++) { /* as the step itself will add them up */
        const zw_flat *p = &k->flat[i];
        for (int j = 0; j < p->n; j++) {
            s->end.q[p->q0 + j] = x0->q[p->q0 + j] + (s->xi[p->v0 + j] + x0->w[k->w_rest_q + p->q0 + j]);
        }
    }
    memset(s->d, 0, sizeof(double) * (size_t)nv);
}

static zw_status forces(zw_gauss_contact *s, double h) {
    zw_collocation *k = s->k;
    ZW_TRY(zw_system_force(k->y, &s->mid, s->f));
    if (k->loads) {
        ZW_TRY(zw_system_load(k->y, &s->mid, s->mid.t, s->f));
    }
    if (k->damps) {
        zw_system_damp(k->y, &s->mid, s->f);
    }
    zw_system_bias(k->y, &s->mid, s->f);
    for (int l = 0; l < k->n.nv; l++) {
        s->f[l] *= h;
        if (!isfinite(s->f[l])) {
            ZW_TRY(zw_system_check(k->y, &s->mid));
            return zw_raise(k->c, ZW_E_DIVERGED, "contacts", "use a smaller step", "a force is not finite");
        }
    }
    return ZW_OK;
}

/* sizes of coordinates by column, for the round-off of gaps: as in gauss_close.c, but no less than 1 nowhere known */
static void extents(const zw_collocation *k, const zw_state *x, double *out) {
    for (int l = 0; l < k->n.nv; l++) {
        out[l] = 1.0;
    }
    for (int i = 0; i < k->nflat; i++) {
        for (int j = 0; j < k->flat[i].n; j++) {
            out[k->flat[i].v0 + j] = fabs(x->q[k->flat[i].q0 + j]);
        }
    }
}

/* rows of the system at the middle, without those that follow from others, bent; and what they have to give */
static zw_status joints(zw_gauss_contact *s, const zw_state *x0, double h) {
    zw_collocation *k = s->k;
    const zw_rows  *from;
    zw_rows        *A = &s->A;
    A->m = A->ntiles = A->nblocks = 0;
    A->nvalues = 0;
    if (k->m == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_values(k->y, &s->end, 0, s->value1));
    ZW_TRY(zw_system_values(k->y, &s->mid, 1, s->row_tau)); /* rows without a position level: what is missing at the middle */
    ZW_TRY(zw_system_values(k->y, &s->mid, 2, s->b));       /* the others: their drift is -b */
    ZW_TRY(zw_system_rows(k->y, &s->mid, &from));
    zw_row_sizes(from, s->extent, s->row_scale);
    const zw_metric *M = zw_system_mass(k->y, &s->mid);
    for (int t = 0; t < from->ntiles; t++) {
        const zw_tile *tile = &from->tile[t];
        int            kept = 0;
        for (int i = 0; i < tile->m; i++) {
            int row = tile->row + i;
            s->kept[row] = k->known[row] ? -1 : A->m + kept++;
        }
        if (kept == 0) {
            continue;
        }
        A->tile[A->ntiles] =
            (zw_tile){.id = tile->id, .row = A->m, .m = kept, .block0 = A->nblocks, .nblocks = tile->nblocks, .kind = tile->kind};
        for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
            const zw_block *b = &from->block[j];
            A->block[A->nblocks++] = (zw_block){.col0 = b->col0, .ncol = b->ncol, .a = A->nvalues};
            for (int i = 0; i < tile->m; i++) {
                if (s->kept[tile->row + i] >= 0) {
                    memcpy(A->a + A->nvalues, from->a + b->a + (ptrdiff_t)i * b->ncol, sizeof(double) * (size_t)b->ncol);
                    A->nvalues += b->ncol;
                }
            }
        }
        for (int i = 0; i < tile->m; i++) {
            int row = tile->row + i, at = s->kept[row];
            if (at < 0) {
                continue;
            }
            double *right = &s->lambda[at]; /* gathered there, b is still read */
            if (s->holonomic[row]) {
                zw_bend bend = {.h = h,
                                .v = s->mid.v,
                                .change = s->value1[row] - s->value0[row],
                                .drift = -s->b[row],
                                .noise = 4.0 * DBL_EPSILON * s->row_scale[row]};
                double  tau = zw_bend_row(&s->bender, M, &bend, A, A->ntiles, at - A->m);
                *right = -2.0 * zw_row_times(A, A->ntiles, at - A->m, x0->v) - 2.0 / h * (s->value0[row] + h * tau);
            } else { /* A (x - x_now) / 2 = -what is missing */
                *right = zw_row_times(A, A->ntiles, at - A->m, s->dv) - 2.0 * s->row_tau[row];
            }
        }
        A->m += kept;
        A->ntiles++;
    }
    memcpy(s->b, s->lambda, sizeof(double) * (size_t)A->m);
    return ZW_OK;
}

static zw_status gaps(zw_gauss_contact *s) {
    ZW_TRY(zw_meet_again(s->set.meet, &s->end, s->set.n, s->set.from, s->set.now));
    for (int i = 0; i < s->set.n; i++) {
        s->set.gap1[i] = s->set.now[i].touch.gap;
        if (!isfinite(s->set.gap1[i])) {
            return zw_raise(s->k->c, ZW_E_DIVERGED, "contacts", "use a smaller step", "a gap is not finite");
        }
    }
    return ZW_OK;
}

static zw_status contacts(zw_gauss_contact *s, const zw_state *x0, double h) {
    zw_collocation *k = s->k;
    zw_rows        *N = &s->set.N;
    N->m = N->ntiles = N->nblocks = 0;
    N->nvalues = 0;
    s->identity = 0.0;
    ZW_TRY(gaps(s));
    ZW_TRY(zw_meet_again(s->set.meet, &s->mid, s->set.n, s->set.from, s->set.now));
    for (int i = 0; i < s->set.n; i++) {
        ZW_TRY(zw_meet_row(s->set.meet, &s->mid, &s->set.now[i], N));
    }
    zw_row_sizes(N, s->extent, s->set.scale);
    const zw_metric *M = zw_system_mass(k->y, &s->mid);
    for (int i = 0; i < s->set.n; i++) {
        s->set.scale[i] = s->set.now[i].side >= 0 ? fmax(s->set.scale[i], DBL_MIN) : zw_contact_set_size(&s->set, &s->set.now[i]);
        zw_bend bend = {.h = h,
                        .v = s->mid.v,
                        .change = s->set.gap1[i] - s->set.gap0[i],
                        .drift = s->set.now[i].drift,
                        .noise = 4.0 * DBL_EPSILON * s->set.scale[i],
                        .pair = s->set.from[i].a >= 0 && s->set.from[i].b >= 0};
        s->set.tau[i] = zw_bend_row(&s->bender, M, &bend, N, i, 0);
        double off = h * (zw_row_times(N, i, 0, s->mid.v) + s->set.tau[i]) - bend.change;
        s->identity = fmax(s->identity, fabs(off) / s->set.scale[i]);
        /* what overlaps by round-off is not pushed out, so that to stay where they are is a solution where bodies have no room at all */
        double open = s->set.gap0[i] < 0.0 && s->set.gap0[i] >= -s->wedge * s->set.scale[i] ? 0.0 : s->set.gap0[i];
        s->set.c[i] = -2.0 * zw_row_times(N, i, 0, x0->v) - 2.0 / h * (open + h * s->set.tau[i]);
    }
    return ZW_OK;
}

/* 1/size of each velocity: what it has, or what the forces or the contacts make of it in a step, and a hundredth of the largest */
static void measure(zw_gauss_contact *s, const zw_state *x0, const zw_metric *M) {
    double largest = 0.0;
    int    nv = s->k->n.nv;
    for (int l = 0; l < nv; l++) {
        s->w[l] = 1.0;
    }
    for (int l = 0; l < nv; l++) {
        double weight = fabs(zw_metric_times(M, l, s->w)), size = fmax(fabs(x0->v[l]), fabs(s->next[l]));
        size = fmax(size, weight > 0.0 ? fabs(s->f[l]) / weight : 0.0);
        s->size[l] = fmax(s->size[l], size);
        largest = fmax(largest, s->size[l]);
    }
    for (int l = 0; l < nv; l++) {
        s->w[l] = largest > 0.0 ? 1.0 / fmax(s->size[l], 1e-2 * largest) : 1.0;
    }
}

/* of the gaps and the values of joints, m */
static double round_off(const zw_gauss_contact *s) {
    double most = 0.0;
    for (int i = 0; i < s->set.n; i++) {
        most = fmax(most, s->set.scale[i]);
    }
    for (int i = 0; i < s->k->m; i++) {
        most = fmax(most, s->row_scale[i]);
    }
    return DBL_EPSILON * most;
}

/* of the velocities, relative to their sizes; *way: as a way over a step */
static double change(const zw_gauss_contact *s, double h, double *way) {
    double most = 0.0;
    *way = 0.0;
    for (int l = 0; l < s->k->n.nv; l++) {
        double part = fabs(s->next[l] - s->dv[l]);
        *way = fmax(*way, h * part);
        most = part * s->w[l] <= most ? most : part * s->w[l]; /* nan is most */
    }
    return most;
}

/* as good as it gets: below the last bits of velocities or of gaps; or no longer shrinking, near them */
static bool settled(const zw_gauss_contact *s, double left, double way, double rate, int since) {
    double bits = round_off(s);
    return left <= 0.25 * DBL_EPSILON || (rate < 0.5 && left * rate <= 0.125 * DBL_EPSILON) || way <= 0.25 * bits ||
           (since > 1 && (left < 1e-12 || way <= 256.0 * bits)) || (since > 4 && left < s->accept);
}

static zw_status not_found(zw_gauss_contact *s, const zw_state *x0, double h, double left) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], c[ZW_NUMBER_TEXT];
    return zw_raise(s->k->c, ZW_E_CONVERGENCE, "contacts", "use a smaller run.step, or run.events: on",
                    "the step from t = %s s over %d contacts with a length of %s s did not converge: change %s after %d rounds",
                    zw_number_short(x0->t, 8, a), s->set.n, zw_number_short(h, 4, b), zw_number_short(left, 3, c), s->rounds);
}

zw_status zw_gauss_contact_solve(zw_gauss_contact *s, const zw_state *x0, double h) {
    enum { MOST = 100 };
    zw_collocation    *k = s->k;
    size_t             bytes = sizeof(double) * (size_t)k->n.nv;
    zw_unilateral_info info;
    double             before = 0.0, best = HUGE_VAL, left = HUGE_VAL, way;
    int                since = 0;
    memset(s->dv, 0, bytes);
    memset(s->size, 0, bytes);
    for (int l = 0; l < k->n.nv; l++) {
        s->xi[l] = h * x0->v[l];
    }
    extents(k, x0, s->extent);
    if (k->m > 0) {
        ZW_TRY(zw_system_values(k->y, x0, 0, s->value0));
    }
    for (s->rounds = 1; s->rounds <= MOST; s->rounds++) {
        place(s, x0, h);
        ZW_TRY(forces(s, h));
        ZW_TRY(joints(s, x0, h));
        ZW_TRY(contacts(s, x0, h));
        const zw_metric *M = zw_system_mass(k->y, &s->mid);
        ZW_TRY(zw_unilateral_solve(s->solver, M, &s->A, &s->set.N, s->f, s->b, s->set.c, s->next, s->lambda, s->set.p, &info));
        measure(s, x0, M);
        left = change(s, h, &way);
        double *swap = s->dv;
        s->dv = s->next;
        s->next = swap;
        if (!isfinite(left)) {
            break;
        }
        double rate = before > 0.0 ? left / before : 1.0;
        since = left < 0.9 * best ? 0 : since + 1;
        best = fmin(best, left);
        before = left;
        if (settled(s, left, way, rate, since)) {
            place(s, x0, h);
            ZW_TRY(gaps(s));
            s->residual = zw_contact_set_residual(&s->set);
            if (s->residual <= 1e-12) {
                return ZW_OK;
            }
        }
        if (since > 8) {
            break;
        }
    }
    return not_found(s, x0, h, left);
}
