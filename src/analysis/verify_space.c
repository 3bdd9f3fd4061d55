/* SPDX-License-Identifier: Apache-2.0
 * verify_space.c: Gauss's measure along rods (src/parts/rod_zwang.h). With r = forces - M a at the nodes, H_j = l_j D_j and a change d of the strain gradients,
 *   Z_s(x + d) - Z_s(x) = r.d + d'H d/2,    and r.d = 0 for every d with A d = 0    (eqs 45 and 34)
 * The rows A are those that hold accelerations: a place that may not move has no second derivative along the rod either, with the same derivatives by its coordinates (eqs 29, 30).
 * Two kinds are apart: a strain that is held has no gradient (rows of their own here, its force belongs to the links), and other bodies have none (their columns are left out).
 * At the equilibrium that statics finds from the start, the gradients that minimise Z_s, through the kernel with the metric H, are the ones that are there. */
#include "analysis/verify.h"

#include "math/quat.h"
#include "parts/rod_link.h"
#include "parts/rod_zwang.h"
#include "rows/kirchhoff.h"
#include "steps/equilibrium.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE 1e-12

struct zw_space_probe {
    const zw_part *part;
    const zw_rods *rods;
    int            n;    /* columns of the rods */
    int            room; /* rows of the system and those of held strains: at most */
    zw_solver     *solver;
    zw_matrix      matrix;
    zw_metric      H;
    int           *start, *col, v0;
    zw_rows        A;                                /* in the columns of the rods */
    double        *a;                                /* H */
    double        *r, *size, *d, *noise, *all, *sum; /* [n]; all, sum: [nv of the system] */
    double        *zero, *mu, *lambda;               /* [room] */
    double         condition;
};

static double *numbers(zw_verifier *k, size_t count) {
    return zw_arena_alloc(&k->arena, count + 1, sizeof(double), "a verification");
}

static zw_status create(zw_verifier *k, const zw_part *part) {
    zw_space_probe *p = zw_arena_alloc(&k->arena, 1, sizeof *p, "a verification");
    if (p == NULL) {
        return ZW_E_MEMORY;
    }
    p->part = part;
    p->rods = part->self;
    p->n = ZW_ROD_NV * p->rods->nnodes;
    size_t n = (size_t)p->n, nodes = (size_t)p->rods->nnodes, nv = (size_t)k->n.nv;
    int    held = 0;
    for (int i = 0; i < p->rods->nrods; i++) {
        held += p->rods->rod[i].held * p->rods->rod[i].nnodes;
    }
    p->room = k->m + held;
    p->start = zw_arena_alloc(&k->arena, nodes + 1, sizeof(int), "a verification");
    p->col = zw_arena_alloc(&k->arena, nodes, sizeof(int), "a verification");
    p->a = numbers(k, 36 * nodes);
    p->r = numbers(k, n);
    p->size = numbers(k, n);
    p->d = numbers(k, n);
    p->noise = numbers(k, n);
    p->all = numbers(k, nv);
    p->sum = numbers(k, nv);
    p->zero = numbers(k, (size_t)p->room);
    p->mu = numbers(k, (size_t)p->room);
    p->lambda = numbers(k, (size_t)p->room);
    if (!p->start || !p->col || !p->a || !p->r || !p->size || !p->d || !p->noise || !p->all || !p->sum || !p->zero || !p->mu ||
        !p->lambda) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i <= p->rods->nnodes; i++) {
        p->start[i] = i;
    }
    for (int i = 0; i < p->rods->nnodes; i++) {
        p->col[i] = i;
    }
    p->matrix = (zw_matrix){.kind = ZW_SPD, .n = p->n, .block = 6, .start = p->start, .col = p->col, .a = p->a};
    p->H = (zw_metric){.n = p->n, .nparts = 1, .part = &p->matrix, .v0 = &p->v0};
    k->space = p;
    return zw_solver_create(k->c, &p->solver);
}

zw_status zw_verify_space_create(zw_verifier *k) {
    const zw_part *part;
    int            parts = zw_system_parts(k->y, &part);
    for (int i = 0; i < parts; i++) {
        if (zw_verify_is_rods(&part[i]) && part[i].ops->size(part[i].self).nv > 0) {
            return create(k, &part[i]); /* one population holds all rods */
        }
    }
    return ZW_OK;
}

void zw_verify_space_destroy(zw_verifier *k) {
    if (k->space != NULL) {
        zw_solver_destroy(k->space->solver);
    }
}

static bool is_held_row(const zw_verifier *k, int row) {
    for (int i = 0; i < k->y->nconstraints; i++) {
        const zw_constraint *c = &k->y->constraint[i];
        if (strcmp(c->ops->kind, zw_kirchhoff_ops.kind) == 0 && row >= c->row0 && row < c->row0 + c->m) {
            return true;
        }
    }
    return false;
}

static bool is_ours(const zw_space_probe *p, const zw_block *block) {
    return block->col0 >= p->part->v0 && block->col0 < p->part->v0 + p->n;
}

/* forces of the rows of held strains are forces of the links; sizes: their terms */
static void add_held(const zw_verifier *k, const zw_rows *A, const double *lambda, double *f, double *sizes) {
    const zw_space_probe *p = k->space;
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int b = tile->block0; is_held_row(k, tile->row) && b < tile->block0 + tile->nblocks; b++) {
            const zw_block *block = &A->block[b];
            for (int i = 0; is_ours(p, block) && i < tile->m * block->ncol; i++) {
                double term = A->a[block->a + i] * lambda[tile->row + i / block->ncol];
                f[block->col0 - p->part->v0 + i % block->ncol] += term;
                sizes[block->col0 - p->part->v0 + i % block->ncol] += fabs(term);
            }
        }
    }
}

/* rows of places in the columns of the rods, then the held strains of every node: d_i.(force part of d) = 0 */
static zw_status take_rows(zw_verifier *k, const zw_rows *from, const double *q) {
    zw_space_probe *p = k->space;
    zw_rows        *A = &p->A;
    int       tiles = (from != NULL ? from->ntiles : 0) + p->rods->nnodes, blocks = (from != NULL ? from->nblocks : 0) + p->rods->nnodes;
    ptrdiff_t values = (from != NULL ? from->nvalues : 0) + 18 * (ptrdiff_t)p->rods->nnodes;
    *A = (zw_rows){.tile = zw_arena_alloc(&k->arena, (size_t)tiles, sizeof(zw_tile), "a verification"),
                   .block = zw_arena_alloc(&k->arena, (size_t)blocks, sizeof(zw_block), "a verification"),
                   .a = numbers(k, (size_t)values)};
    if (A->tile == NULL || A->block == NULL || A->a == NULL) {
        return ZW_E_MEMORY;
    }
    for (int t = 0; from != NULL && t < from->ntiles; t++) {
        const zw_tile *tile = &from->tile[t];
        zw_tile        own = {.id = A->ntiles, .row = A->m, .m = tile->m, .block0 = A->nblocks};
        for (int b = tile->block0; !is_held_row(k, tile->row) && b < tile->block0 + tile->nblocks; b++) {
            const zw_block *block = &from->block[b];
            if (is_ours(p, block)) {
                size_t count = (size_t)tile->m * (size_t)block->ncol;
                A->block[A->nblocks++] = (zw_block){block->col0 - p->part->v0, block->ncol, A->nvalues};
                memcpy(A->a + A->nvalues, from->a + block->a, sizeof(double) * count);
                A->nvalues += (ptrdiff_t)count;
                own.nblocks++;
            }
        }
        if (own.nblocks > 0) {
            A->tile[A->ntiles++] = own;
            A->m += own.m;
        }
    }
    for (int i = 0; i < p->rods->nrods; i++) {
        const zw_rod *r = &p->rods->rod[i];
        for (int j = r->node0; r->held > 0 && j < r->node0 + r->nnodes; j++) {
            double R[9], *a = A->a + A->nvalues;
            zw_q_to_matrix(q + ZW_ROD_NQ * (size_t)j + 3, R);
            for (int h = 0; h < 6 * r->held; h++) {
                a[h] = h % 6 < 3 ? 0.0 : R[3 * (h % 6 - 3) + h / 6];
            }
            A->tile[A->ntiles] = (zw_tile){.id = A->ntiles, .row = A->m, .m = r->held, .block0 = A->nblocks, .nblocks = 1};
            A->block[A->nblocks++] = (zw_block){ZW_ROD_NV * j, ZW_ROD_NV, A->nvalues};
            A->nvalues += 6 * (ptrdiff_t)r->held;
            A->m += r->held;
            A->ntiles++;
        }
    }
    return ZW_OK;
}

static double measure(const zw_space_probe *p, const double *q, const double *f) {
    double sum = 0.0;
    for (int i = 0; i < p->rods->nrods; i++) {
        sum += zw_rod_zwang_space(p->rods, &p->rods->rod[i], q, f);
    }
    return sum;
}

/* H and its rows at a placement, factored */
static zw_status set_up(zw_verifier *k, const zw_rows *from, const double *q) {
    zw_space_probe *p = k->space;
    zw_project_info info;
    for (int i = 0; i < p->rods->nrods; i++) {
        const zw_rod *r = &p->rods->rod[i];
        for (int j = 0; j < r->nnodes; j++) {
            double D[36], l = zw_rod_node_stiffness(p->rods, r, j, D);
            zw_rod_node_gradient(p->rods, r, j, q, D[0] / (l * l), p->a + 36 * (size_t)(r->node0 + j));
        }
    }
    ZW_TRY(take_rows(k, from, q));
    ZW_TRY(zw_solver_factor(p->solver, &p->H, &p->A, &info));
    p->condition = fmax(1.0, info.condition);
    return ZW_OK;
}

/* (45) and (34) for a random admissible d; p->r is what the balance leaves, p->size what it is made of */
static zw_status vary(zw_verifier *k, const double *q) {
    zw_space_probe *p = k->space;
    zw_project_info info;
    double          scale = 0.0, work = 0.0, tolerance = TOLERANCE * sqrt(p->condition), *Hd = p->sum;
    for (int i = 0; i < p->n; i++) { /* the same share of every term: strains are not alike in size */
        p->noise[i] = p->size[i] * zw_verify_random(k);
    }
    zw_solver_metric_inverse(p->solver, p->noise, p->d);
    memcpy(p->noise, p->d, sizeof(double) * (size_t)p->n);
    zw_verify_metric_product(&p->H, p->noise, Hd);
    ZW_TRY(zw_solver_solve(p->solver, Hd, p->zero, p->d, p->mu, &info));
    zw_verify_metric_product(&p->H, p->d, Hd);
    double half = 0.5 * zw_verify_dot(p->n, p->d, Hd), at = measure(p, q, p->r);
    for (int i = 0; i < p->n; i++) {
        work += p->r[i] * p->d[i];
        scale += p->size[i] * fabs(p->noise[i]);
        Hd[i] += p->r[i];
    }
    double away = measure(p, q, Hd), off = fabs(away - at - half);
    zw_verify_note(k, ZW_VERIFY_SPACE, off == 0.0 ? 0.0 : off / (away + at + half), tolerance, NULL);
    if (k->m > 0) {
        zw_verify_note(k, ZW_VERIFY_IDEAL, work == 0.0 ? 0.0 : fabs(work) / scale, tolerance, NULL);
    }
    return ZW_OK;
}

/* what the links put on their nodes, and loads, added up in size. A rod that rests without a load has nothing but round-off in it, so a strain like those of random states counts
 * besides */
static void add_sizes(const zw_space_probe *p, const double *q, const double *more, double *sizes) {
    for (int i = 0; i < p->n; i++) {
        sizes[i] = fabs(more[i]);
    }
    for (int i = 0; i < p->rods->nrods; i++) {
        const zw_rod *r = &p->rods->rod[i];
        for (int j = 0; j < r->nlinks; j++) {
            size_t        a = (size_t)(r->node0 + j), b = (size_t)zw_rod_far(r, j);
            const double *qa = q + ZW_ROD_NQ * a;
            double        strain[6], stress[6], Ta[3], Tb[3], body[3], space[3];
            zw_link       link;
            zw_link_strain(qa, q + ZW_ROD_NQ * b, &link);
            zw_rod_link_strain(p->rods, r, j, q, strain);
            zw_rod_link_stress(p->rods, r, j, strain, stress);
            for (int h = 0; h < 6; h++) {
                double usual =
                    p->rods->stiffness[6 * (size_t)(r->link0 + j) + (size_t)h] * (h < 3 ? 0.02 / p->rods->l[r->link0 + j] : 0.02);
                stress[h] = copysign(fabs(stress[h]) + usual, stress[h]);
            }
            zw_link_wrench(&link, stress, stress + 3, Ta, Tb, body);
            zw_q_rotate(qa + 3, body, space);
            for (int h = 0; h < 3; h++) {
                sizes[ZW_ROD_NV * a + (size_t)h] += fabs(Ta[h]);
                sizes[ZW_ROD_NV * b + (size_t)h] += fabs(Tb[h]);
                sizes[ZW_ROD_NV * a + 3 + (size_t)h] += fabs(space[h]);
                sizes[ZW_ROD_NV * b + 3 + (size_t)h] += fabs(space[h]);
            }
        }
    }
}

/* the gradients at the equilibrium x, where the rows push with lambda */
static zw_status check_rest(zw_verifier *k, const zw_state *x, const double *lambda) {
    zw_space_probe *p = k->space;
    const zw_rows  *A = NULL;
    zw_project_info info;
    const double   *q = x->q + p->part->q0;
    ZW_TRY(zw_system_force(k->y, x, p->all));
    ZW_TRY(zw_system_load(k->y, x, x->t, p->all));
    memcpy(p->r, p->all + p->part->v0, sizeof(double) * (size_t)p->n);
    add_sizes(p, q, p->r, p->size);
    if (k->m > 0) {
        ZW_TRY(zw_system_rows(k->y, x, &A));
        add_held(k, A, lambda, p->r, p->size);
    }
    ZW_TRY(set_up(k, A, q));
    ZW_TRY(vary(k, q));
    for (int i = 0; i < p->n; i++) { /* least of r.d + d'H d/2 under A d = 0: H d - A'mu = -r */
        p->noise[i] = -p->r[i];
    }
    ZW_TRY(zw_solver_solve(p->solver, p->noise, p->zero, p->d, p->mu, &info));
    zw_verify_metric_product(&p->H, p->d, p->sum);
    double off = sqrt(fmax(0.0, zw_verify_dot(p->n, p->d, p->sum))), scale = sqrt(2.0 * measure(p, q, p->size));
    zw_verify_note(k, ZW_VERIFY_REST, off == 0.0 ? 0.0 : off / scale, 1e-9, NULL);
    return ZW_OK;
}

/* from the start; models without an equilibrium nearby, or whose equilibria statics does not take, are left out */
static zw_status find_rest(zw_verifier *k) {
    zw_space_probe     *p = k->space;
    zw_implicit         implicit;
    zw_equilibrium_info info;
    zw_status           status = zw_implicit_stays(k->y, "statics");
    status = status == ZW_OK ? zw_implicit_create(k->y, &implicit) : status;
    if (status != ZW_OK) {
        zw_error_clear(k->c);
        zw_verify_skip(k, ZW_VERIFY_REST, "statics does not take this model");
        return status == ZW_E_MEMORY ? status : ZW_OK;
    }
    if (implicit.contacts != NULL || implicit.spin.spins) {
        zw_verify_skip(k, ZW_VERIFY_REST, implicit.spin.spins ? "it rests in a frame that turns" : "contacts push besides the rows");
    } else {
        zw_state_copy(&k->n, &k->start, &k->moved);
        memset(p->lambda, 0, sizeof(double) * (size_t)k->m);
        status = zw_equilibrium_find(&implicit, &k->moved, p->lambda, &info);
        if (status == ZW_OK) {
            status = check_rest(k, &k->moved, p->lambda);
        } else if (status != ZW_E_MEMORY) {
            zw_error_clear(k->c);
            zw_verify_skip(k, ZW_VERIFY_REST, "no equilibrium was found from the start");
            status = ZW_OK;
        }
    }
    zw_implicit_destroy(&implicit);
    return status;
}

zw_status zw_verify_space(zw_verifier *k) {
    zw_space_probe *p = k->space;
    const zw_rows  *A = NULL;
    if (p == NULL) {
        return ZW_OK;
    }
    zw_arena_mark    mark = zw_arena_mark_now(&k->arena);
    const zw_metric *M = zw_system_mass(k->y, &k->x);
    const double    *q = k->x.q + p->part->q0;
    zw_status        status = k->m > 0 ? zw_system_rows(k->y, &k->x, &A) : ZW_OK;
    zw_verify_metric_product(M, k->a, p->all);
    for (int i = 0; i < p->n; i++) {
        double f = k->f[p->part->v0 + i], Ma = p->all[p->part->v0 + i];
        p->r[i] = f - Ma;
        p->sum[i] = fabs(f) + fabs(Ma);
    }
    add_sizes(p, q, p->sum, p->size);
    if (status == ZW_OK && k->m > 0) {
        add_held(k, A, k->lambda, p->r, p->size);
    }
    status = status == ZW_OK ? set_up(k, A, q) : status;
    status = status == ZW_OK ? vary(k, q) : status;
    if (status == ZW_OK && k->m == 0) {
        zw_verify_skip(k, ZW_VERIFY_IDEAL, "no constraints");
    }
    zw_arena_release(&k->arena, mark);
    if (status == ZW_OK && k->state == 1) { /* once: it begins from the start */
        mark = zw_arena_mark_now(&k->arena);
        status = find_rest(k);
        zw_arena_release(&k->arena, mark);
    }
    return status;
}
