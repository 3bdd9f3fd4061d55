/* SPDX-License-Identifier: Apache-2.0
 * coulomb.c: the face of the kernel with friction. Right sides, islands one after the other, the answer from the impulses by one solve with the rows A, and a
 * verdict at that answer. */
#include "project/coulomb_part.h"
#include "project/solver.h"

#include <math.h>
#include <string.h>

/* of the speed: what is aimed at; what is enough where that costs more; what is taken when nothing better was found */
static const double AIM = 1e-12, ENOUGH = 1e-10, TAKE = 1e-6;
/* sweeps until Newton's method is cheaper; after it */
enum { FEW = 12, MANY = 300, SWEEPS = 60, SWEEPS_MANY = 200, SWEEPS_MORE = 400, SCRATCH = 52 };

zw_status zw_coulomb_want(zw_context *c, void **p, size_t count, size_t size) {
    void *more = zw_resize(c, *p, count, size, "friction");
    *p = more != NULL ? more : *p;
    return more != NULL ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_coulomb_create(zw_context *c, zw_coulomb **out) {
    zw_coulomb *s = zw_alloc(c, 1, sizeof *s, "friction");
    *out = NULL;
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->context = c;
    zw_status status = zw_solver_create(c, &s->solver);
    if (status == ZW_OK) {
        status = zw_coulomb_bodies_create(c, &s->bodies);
    }
    if (status != ZW_OK) {
        zw_coulomb_destroy(s);
        return status;
    }
    *out = s;
    return ZW_OK;
}

void zw_coulomb_destroy(zw_coulomb *s) {
    if (s != NULL) {
        zw_context *c = s->context;
        void       *all[] = {s->root,        s->component, s->z,    s->y,       s->zero,  s->of.start, s->of.item,
                             s->entry,       s->first,     s->rows, s->term,    s->begin, s->at,       s->island.start,
                             s->island.item, s->past,      s->last, s->scratch, s->node};
        zw_solver_destroy(s->solver);
        zw_coulomb_bodies_destroy(c, s->bodies);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            zw_free(c, all[i]);
        }
        zw_free(c, s);
    }
}

static zw_status reserve(zw_coulomb *s) {
    size_t n = (size_t)s->n, nv = (size_t)s->nv, m = (size_t)s->m;
    if (nv > s->room_columns || s->root == NULL) {
        ZW_COULOMB_WANT(s->context, s->root, nv + 1);
        ZW_COULOMB_WANT(s->context, s->component, nv + 1);
        ZW_COULOMB_WANT(s->context, s->node, nv + 1);
        ZW_COULOMB_WANT(s->context, s->z, nv + 1);
        ZW_COULOMB_WANT(s->context, s->y, nv + 1);
        ZW_COULOMB_WANT(s->context, s->rows, nv + 1);
        ZW_COULOMB_WANT(s->context, s->of.start, nv + 2);
        s->room_columns = nv;
    }
    if (m > s->room_rows || s->zero == NULL) {
        ZW_COULOMB_WANT(s->context, s->zero, m + 1);
        s->room_rows = m;
    }
    memset(s->zero, 0, sizeof(double) * (m + 1));
    if (n > s->room_contacts || s->at == NULL) {
        size_t more = n + n / 4 + 8;
        ZW_COULOMB_WANT(s->context, s->first, more);
        ZW_COULOMB_WANT(s->context, s->begin, more + 1);
        ZW_COULOMB_WANT(s->context, s->at, more);
        ZW_COULOMB_WANT(s->context, s->island.start, more + 1);
        ZW_COULOMB_WANT(s->context, s->island.item, more);
        ZW_COULOMB_WANT(s->context, s->past, 6 * ZW_COULOMB_DEPTH * more);
        ZW_COULOMB_WANT(s->context, s->last, 12 * more);
        ZW_COULOMB_WANT(s->context, s->scratch, SCRATCH * more);
        s->room_contacts = more;
    }
    return ZW_OK;
}

static double row_times(const zw_rows *R, const zw_tile *t, int row, const double *x) {
    double sum = 0.0;
    for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
        const zw_block *b = &R->block[e];
        const double   *a = R->a + b->a + (ptrdiff_t)row * b->ncol;
        for (int j = 0; j < b->ncol; j++) {
            sum += a[j] * x[b->col0 + j];
        }
    }
    return sum;
}

static void row_push(const zw_rows *R, const zw_tile *t, int row, double p, double *z) {
    for (int e = t->block0; e < t->block0 + t->nblocks && p != 0.0; e++) {
        const zw_block *b = &R->block[e];
        const double   *a = R->a + b->a + (ptrdiff_t)row * b->ncol;
        for (int j = 0; j < b->ncol; j++) {
            z[b->col0 + j] += a[j] * p;
        }
    }
}

static void rates(const zw_coulomb_problem *pb, int i, const double *x, double v[3]) {
    v[0] = row_times(pb->N, &pb->N->tile[i], 0, x) - pb->c[i];
    v[1] = v[2] = 0.0;
    for (int k = 0; k < 2 && pb->slide[i] >= 0; k++) {
        v[1 + k] = row_times(pb->T, &pb->T->tile[pb->slide[i]], k, x) + pb->wind[2 * i + k];
    }
}

zw_status zw_coulomb_go_on(const zw_coulomb *s) {
    return zw_context_cancelled(s->context) ? ZW_E_CANCELLED : ZW_OK;
}

/* the best so far */
typedef struct record {
    double *p, worst;
} record;

static void keep(const zw_coulomb *s, int island, double worst, record *best) {
    double *p = best->p;
    if (worst < best->worst) {
        best->worst = worst;
        for (int k = s->island.start[island]; k < s->island.start[island + 1]; k++, p += 3) {
            memcpy(p, s->at[s->island.item[k]].p, sizeof(double[3]));
        }
    }
}

static void take(zw_coulomb *s, int island, const record *best) {
    const double *p = best->p;
    for (int k = s->island.start[island]; k < s->island.start[island + 1]; k++, p += 3) {
        memcpy(s->at[s->island.item[k]].p, p, sizeof(double[3]));
    }
}

/* Gauss-Seidel while that is quick, then Newton's method; where that does not find it interior points near what was found and from nowhere, each followed by Newton's
 * method and Gauss-Seidel. The best is kept */
static zw_status island_solve(zw_coulomb *s, const zw_coulomb_problem *pb, int island, zw_coulomb_info *info) {
    int    count = s->island.start[island + 1] - s->island.start[island];
    double aim = AIM * pb->speed, enough = ENOUGH * pb->speed, first = count <= FEW ? aim : enough, worst;
    record best = {.p = s->scratch + (SCRATCH - 3) * s->room_contacts, .worst = HUGE_VAL};
    ZW_TRY(zw_coulomb_go_on(s));
    worst = zw_coulomb_sweep(s, island, aim, count > MANY ? SWEEPS_MANY : SWEEPS, true, &info->sweeps);
    if (worst <= first) {
        return ZW_OK;
    }
    ZW_TRY(zw_coulomb_newton(s, pb, island, false, aim, first, &worst, &info->newtons));
    keep(s, island, worst, &best);
    for (int warm = 1; warm >= 0 && best.worst > (warm == 1 ? first : enough); warm--) {
        ZW_TRY(zw_coulomb_interior(s, pb, island, warm == 1, aim, &worst, &info->newtons));
        keep(s, island, worst, &best);
        if (worst > aim) {
            ZW_TRY(zw_coulomb_newton(s, pb, island, true, aim, enough, &worst, &info->newtons));
            keep(s, island, worst, &best);
        }
        if (worst > enough) {
            worst = zw_coulomb_sweep(s, island, enough, SWEEPS_MORE, true, &info->sweeps);
            keep(s, island, worst, &best);
        }
        take(s, island, &best);
    }
    return ZW_OK;
}

zw_status zw_coulomb_solve(zw_coulomb *s, const zw_coulomb_problem *pb, double *x, double *lambda, double *p, double *pt,
                           zw_coulomb_info *info) {
    *info = (zw_coulomb_info){0};
    s->n = pb->N->ntiles;
    s->nv = pb->H->n;
    s->m = pb->A->m;
    if (!pb->again) {
        ZW_TRY(reserve(s));
        zw_coulomb_bodies_forget(s->bodies);
        zw_solver_tolerate(s->solver, INFINITY); /* columns of W ask nothing of the rows */
        ZW_TRY(zw_solver_factor(s->solver, pb->H, pb->A, NULL));
        ZW_TRY(zw_coulomb_couple(s, pb));
        zw_solver_tolerate(s->solver, 1e-8);
    }
    ZW_TRY(zw_solver_solve(s->solver, pb->f, pb->b, x, lambda, NULL));
    for (int i = 0; i < s->n; i++) {
        zw_coulomb_contact *c = &s->at[i];
        rates(pb, i, x, c->q);
        if (!pb->again || pb->hold != s->hold) {
            zw_coulomb_prepare(s, i, pb->slide[i] >= 0 ? pb->mu[i] : 0.0, pb->hold);
        }
        c->p[0] = pb->guess ? p[i] : 0.0;
        c->p[1] = pb->guess ? pt[2 * i] : 0.0;
        c->p[2] = pb->guess ? pt[2 * i + 1] : 0.0;
        c->held = c->p[0];
        c->q[0] -= c->hold * c->held;
    }
    s->hold = pb->hold;
    for (int k = 0; k < s->nislands; k++) {
        ZW_TRY(island_solve(s, pb, k, info));
    }
    info->islands = s->nislands;
    memcpy(s->z, pb->f, sizeof(double) * (size_t)s->nv);
    for (int i = 0; i < s->n; i++) {
        zw_coulomb_contact *c = &s->at[i];
        p[i] = c->p[0];
        row_push(pb->N, &pb->N->tile[i], 0, c->p[0], s->z);
        for (int k = 0; k < 2; k++) {
            pt[2 * i + k] = c->p[1 + k];
            if (pb->slide[i] >= 0) {
                row_push(pb->T, &pb->T->tile[pb->slide[i]], k, c->p[1 + k], s->z);
            }
        }
    }
    ZW_TRY(zw_solver_solve(s->solver, s->z, pb->b, x, lambda, NULL));
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        double v[3];
        rates(pb, i, x, v);
        v[0] += s->at[i].hold * (s->at[i].p[0] - s->at[i].held);
        double missed = zw_coulomb_missed(&s->at[i], v);
        if (!(missed <= most)) {
            most = missed;
            info->worst = i;
        }
    }
    info->residual = most / pb->speed;
    return info->residual <= TAKE ? ZW_OK : ZW_E_CONVERGENCE;
}
