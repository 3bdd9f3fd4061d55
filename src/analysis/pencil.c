/* SPDX-License-Identifier: Apache-2.0
 * pencil.c: matrices of small motions, see pencil.h.
 *
 * Derivatives in turns of a moment that is not balanced are not symmetric: K - K' = -r^ with the moment r that is left at a node. Half of it is taken away,
 * so that a conservative system has a symmetric K at every state; at an equilibrium r is 0 and nothing changes. */
#include "analysis/pencil.h"

#include "math/dense.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int block_size(const zw_implicit_block *b) {
    return b->ncol + b->nrows;
}

/* ---- values of the factor, taken and put */

static void take(const zw_pencil *p, double *to) {
    const zw_blocklu *f = &p->k->lu;
    memcpy(to, f->pattern.l, p->half * sizeof *to);
    memcpy(to + p->half, f->upper, p->half * sizeof *to);
}

/* what belongs to rows goes from K to R */
static void part_rows(zw_pencil *p) {
    const zw_implicit  *k = p->k;
    const zw_blockchol *f = &k->lu.pattern;
    for (int j = 0; j < f->nb; j++) {
        const zw_implicit_block *cols = &k->block[f->order[j]];
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            const zw_implicit_block *rows = &k->block[f->order[f->row[q]]];
            for (int r = 0; r < block_size(rows); r++) {
                for (int c = 0; c < block_size(cols); c++) {
                    size_t at = (size_t)f->value[q] + (size_t)r * (size_t)block_size(cols) + (size_t)c;
                    if (r >= rows->ncol || c >= cols->ncol) {
                        p->R[at] = p->K[at];
                        p->R[p->half + at] = p->K[p->half + at];
                        p->K[at] = p->K[p->half + at] = 0.0;
                    }
                }
            }
        }
    }
}

/* Redundant rows are kept solvable by a compliance far below all others; where there are none it is 0. That of an implicit step is measured by the stiffness of the body itself,
 * which at rest may be nothing but round-off: here columns that nothing else holds count with a part of the largest stiffness of their kind */
static void set_ease(zw_pencil *p) {
    const zw_implicit  *k = p->k;
    const zw_blockchol *f = &k->lu.pattern;
    double             *soft = p->z, *ease = p->z + k->nz, most[2] = {0.0, 0.0}; /* in the order of elimination; turns, others */
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < f->nb; j++) {
            const zw_implicit_block *b = &k->block[f->order[j]];
            for (int c = 0; c < b->ncol; c++) {
                int    turn = c < (b->ncol == 3 ? 1 : 3) ? 0 : 1;
                double own = fabs(p->K[f->value[f->start[j]] + (ptrdiff_t)c * block_size(b) + c]);
                if (pass == 0) {
                    most[turn] = fmax(most[turn], own);
                } else {
                    own = fmax(own, 1e-9 * most[turn]);
                    soft[f->row0[j] + c] = own > 0.0 ? 1.0 / own : 0.0;
                }
            }
        }
    }
    memset(ease, 0, sizeof(double) * (size_t)k->nz);
    for (int j = 0; j < f->nb && p->redundant > 0; j++) {
        const zw_implicit_block *cols = &k->block[f->order[j]];
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            const zw_implicit_block *rows = &k->block[f->order[f->row[q]]];
            for (int r = 0; r < block_size(rows); r++) {
                for (int c = 0; c < block_size(cols); c++) {
                    size_t at = (size_t)f->value[q] + (size_t)r * (size_t)block_size(cols) + (size_t)c;
                    double low = p->R[at], up = p->R[p->half + at];
                    if (r >= rows->ncol && c < cols->ncol) {
                        ease[f->row0[f->row[q]] + r] += 1e-14 * low * low * soft[f->row0[j] + c];
                    } else if (r < rows->ncol && c >= cols->ncol && q > f->start[j]) {
                        ease[f->row0[j] + c] += 1e-14 * up * up * soft[f->row0[f->row[q]] + r];
                    }
                }
            }
        }
    }
    for (int i = 0; i < k->nties; i++) {
        const zw_tie            *t = &k->tie[i];
        const zw_implicit_block *b = &k->block[t->home];
        int                      j = f->position[t->home];
        for (int c = b->ncol + t->at; c < b->ncol + t->at + t->m && t->kind != ZW_TIE_LINK;
             c++) { /* links have their own, which suits them */
            p->R[f->value[f->start[j]] + (ptrdiff_t)c * block_size(b) + c] = ease[f->row0[j] + c];
        }
    }
}

/* ---- M and C */

/* M, or what multiplies velocities; not damped: only its antisymmetric part, which takes no energy */
static zw_status flat_terms(zw_pencil *p, int part, const zw_state *x, bool mass, bool damped) {
    zw_implicit   *k = p->k;
    const zw_part *of = &k->y->part[part];
    int            n = of->ops->size(of->self).nv, block = k->part_block[part];
    zw_state       at = zw_implicit_slice(k, part, &k->near), from = zw_implicit_slice(k, part, x);
    at.t = x->t;
    memcpy(at.q, from.q, sizeof(double) * (size_t)n);
    memset(at.v, 0, sizeof(double) * (size_t)n);
    if (mass) {
        zw_matrix M;
        of->ops->mass(of->self, &at, &M);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double a = M.kind == ZW_DIAGONAL ? (i == j ? M.a[i] : 0.0) : M.a[(ptrdiff_t)i * n + j];
                zw_implicit_add(k, block, block, i, j, 1, 1, &a);
            }
        }
        return ZW_OK;
    }
    static const double weight[3] = {0.75, -0.15, 1.0 / 60.0};
    const double        step = 1e-3;
    double             *side[2] = {k->flat, k->flat + n};
    for (int j = 0; j < n; j++) {
        for (int wide = 1; wide <= 3; wide++) {
            for (int s = 0; s < 2; s++) {
                at.v[j] = (s == 0 ? 1.0 : -1.0) * wide * step;
                ZW_TRY(of->ops->force(of->self, &at, side[s]));
                if (of->ops->bias != NULL) {
                    of->ops->bias(of->self, &at, side[s]);
                }
                if (of->ops->damp != NULL && of->ops->damps(of->self)) {
                    of->ops->damp(of->self, &at, side[s]);
                }
            }
            for (int i = 0; i < n; i++) {
                double slope = (damped ? -1.0 : -0.5) * weight[wide - 1] * (side[0][i] - side[1][i]) / step, back = -slope;
                zw_implicit_add(k, block, block, i, j, 1, 1, &slope);
                if (!damped) {
                    zw_implicit_add(k, block, block, j, i, 1, 1, &back);
                }
            }
        }
        at.v[j] = 0.0;
    }
    return ZW_OK;
}

/* damper of a spring: c times the square of the rate of its length, which is J (u_a, u_b) */
static void spring_damping(zw_pencil *p, const zw_implicit_spring *s, const zw_state *x) {
    zw_implicit     *k = p->k;
    const zw_spring *of = &k->y->spring[s->spring];
    double           arm[2][3], r[2][3], along[3], J[2][36], P[36], D[36];
    for (int side = 0; side < 2; side++) {
        if (s->block[side] < 0) {
            zw_v3_copy(r[side], of->anchor);
            continue;
        }
        const zw_implicit_block *b = &k->block[s->block[side]];
        const zw_part           *part = &k->y->part[b->part];
        zw_state                 at = zw_implicit_slice(k, b->part, x);
        zw_secant_node           node;
        part->ops->secant->node(part->self, &at, b->index, &node);
        for (int i = 0; i < 3; i++) {
            const double *a = s->lever[side].arm;
            arm[side][i] = node.d[0][i] * a[0] + node.d[1][i] * a[1] + node.d[2][i] * a[2];
            r[side][i] = node.x[i] + arm[side][i];
        }
    }
    zw_v3_sub(along, r[0], r[1]);
    if (!(zw_v3_unit(along, along) > 0.0)) {
        return;
    }
    memset(k->u, 0, sizeof(double) * (size_t)k->n.nv);
    for (int side = 0; side < 2; side++) {
        if (s->block[side] < 0) {
            continue;
        }
        const zw_implicit_block *b = &k->block[s->block[side]];
        const zw_part           *part = &k->y->part[b->part];
        zw_state                 at = zw_implicit_slice(k, b->part, x);
        double                   twist[6], sign = side == 0 ? 1.0 : -1.0; /* along . (w x arm + v) */
        part->ops->secant->columns_of(part->self, &at, k->u + part->v0, 1.0, b->index, P, D);
        zw_v3_cross(twist, arm[side], along);
        zw_v3_copy(twist + 3, along);
        for (int c = 0; c < b->ncol; c++) {
            J[side][c] = 0.0;
            for (int i = 0; i < 6; i++) {
                J[side][c] += sign * twist[i] * P[i * b->ncol + c];
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            for (int r0 = 0; s->block[i] >= 0 && s->block[j] >= 0 && r0 < k->block[s->block[i]].ncol; r0++) {
                double row[36];
                int    ncol = k->block[s->block[j]].ncol;
                for (int c = 0; c < ncol; c++) {
                    row[c] = of->damping * J[i][r0] * J[j][c];
                }
                zw_implicit_add(k, s->block[i], s->block[j], r0, 0, 1, ncol, row);
            }
        }
    }
}

static zw_status rates(zw_pencil *p, const zw_state *x, bool damped) {
    zw_implicit *k = p->k;
    zw_blocklu_zero(&k->lu);
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part   *part = &k->y->part[i];
        zw_state         at = zw_implicit_slice(k, i, x);
        zw_implicit_into into = {.k = k, .part = i};
        zw_secant_sink   C = zw_implicit_sink(&into);
        if (part->ops->secant == NULL) {
            ZW_TRY(flat_terms(p, i, x, false, damped));
            continue;
        }
        if (damped && part->ops->secant->damping != NULL) {
            part->ops->secant->damping(part->self, &at, &C);
        }
        if (k->spin.spins && part->ops->secant->inertia != NULL) {
            part->ops->secant->inertia(part->self, &at, &k->spin, NULL, NULL, &C, NULL);
        }
    }
    for (int i = 0; i < k->nsprings && damped; i++) {
        if (k->y->spring[k->spring[i].spring].damping != 0.0) {
            spring_damping(p, &k->spring[i], x);
        }
    }
    if (damped) {
        zw_implicit_foundation_damping(k, x);
    }
    take(p, p->C);
    return ZW_OK;
}

static zw_status masses(zw_pencil *p, const zw_state *x) {
    zw_implicit *k = p->k;
    zw_blocklu_zero(&k->lu);
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part   *part = &k->y->part[i];
        zw_state         at = zw_implicit_slice(k, i, x);
        zw_implicit_into into = {.k = k, .part = i};
        zw_secant_sink   M = zw_implicit_sink(&into);
        if (part->ops->secant == NULL) {
            ZW_TRY(flat_terms(p, i, x, true, true));
        } else {
            part->ops->secant->inertia(part->self, &at, NULL, NULL, NULL, NULL, &M);
        }
    }
    take(p, p->M);
    ptrdiff_t at = 0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        bool                     turned;
        const double            *from = zw_blocklu_block(&k->lu, i, i, &turned);
        p->chol0[i] = at;
        for (int r = 0; r < b->ncol; r++) {
            memcpy(p->chol + at + (ptrdiff_t)r * b->ncol, from + (ptrdiff_t)r * block_size(b), sizeof(double) * (size_t)b->ncol);
        }
        if (b->ncol > 0 && zw_cholesky_factor(b->ncol, p->chol + at) >= 0) {
            return zw_raise(k->c, ZW_E_RANK, k->y->part[b->part].ops->kind, "give every coordinate a mass",
                            "the mass matrix is not positive definite here");
        }
        at += (ptrdiff_t)b->ncol * b->ncol;
    }
    return ZW_OK;
}

/* ---- K */

static void put_forces(zw_implicit *k, const double *lambda) {
    memset(k->z, 0, sizeof(double) * (size_t)k->nz);
    for (int i = 0; i < k->nties && lambda != NULL; i++) {
        const zw_tie *t = &k->tie[i];
        memcpy(k->z + k->block[t->home].z0 + k->block[t->home].ncol + t->at, lambda + t->row0, sizeof(double) * (size_t)t->m);
    }
}

static zw_status stiffness(zw_pencil *p, const zw_state *x) {
    zw_implicit *k = p->k;
    ZW_TRY(zw_implicit_equilibrium(k, x, true));
    take(p, p->K);
    part_rows(p);
    set_ease(p);
    for (int i = 0; i < k->nblocks; i++) { /* see the head */
        const zw_implicit_block *b = &k->block[i];
        if (b->part < 0 || b->ncol != 6 || k->y->part[b->part].ops->secant == NULL) {
            continue;
        }
        double hat[9];
        zw_m3_hat(hat, k->r + b->z0);
        const zw_blockchol *f = &k->lu.pattern;
        double             *d = p->K + f->value[f->start[f->position[i]]];
        for (int n = 0; n < 9; n++) {
            d[(ptrdiff_t)(n / 3) * block_size(b) + n % 3] += 0.5 * hat[n];
        }
    }
    return ZW_OK;
}

/* forces of the rows that a state at rest would have if it were let go: M a + r - A' lambda = 0, A a = 0 */
static zw_status forces_at_rest(zw_pencil *p, const zw_state *x) {
    zw_implicit *k = p->k;
    put_forces(k, NULL);
    ZW_TRY(stiffness(p, x));
    memcpy(p->K, p->M, 2 * p->half * sizeof(double));
    set_ease(p);
    if (!zw_pencil_factor(p, 0.0, 0.0)) {
        return zw_raise(k->c, ZW_E_RANK, "modes", "remove rows that say the same",
                        "the forces of the rows at the start are not determined");
    }
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < block_size(b); c++) {
            k->dz[b->z0 + c] = c < b->ncol ? -k->r[b->z0 + c] : 0.0;
        }
    }
    zw_blocklu_solve(&k->lu, k->dz);
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = b->ncol; c < block_size(b); c++) {
            k->z[b->z0 + c] = k->dz[b->z0 + c];
        }
    }
    return ZW_OK;
}

/* symmetric to round-off: made so to the last bit */
static void look_at_symmetry(zw_pencil *p) {
    const zw_implicit  *k = p->k;
    const zw_blockchol *f = &k->lu.pattern;
    double             *d = p->z; /* diagonal, in the order of elimination */
    for (int j = 0; j < f->nb; j++) {
        const zw_implicit_block *b = &k->block[f->order[j]];
        const double            *own = p->K + f->value[f->start[j]], *mass = p->M + f->value[f->start[j]];
        for (int c = 0; c < block_size(b); c++) {
            d[f->row0[j] + c] = fabs(own[(ptrdiff_t)c * block_size(b) + c]);
            if (c < b->ncol) {
                p->fastest = fmax(p->fastest, d[f->row0[j] + c] / mass[(ptrdiff_t)c * block_size(b) + c]);
            }
        }
    }
    p->symmetric = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < f->nb; j++) {
            int cols = block_size(&k->block[f->order[j]]);
            for (int q = f->start[j]; q < f->start[j + 1]; q++) {
                int rows = block_size(&k->block[f->order[f->row[q]]]);
                for (int r = 0; r < rows; r++) {
                    for (int c = 0; c < cols; c++) {
                        size_t  at = (size_t)f->value[q] + (size_t)r * (size_t)cols + (size_t)c;
                        double *a = p->K + at, *b = q == f->start[j] ? p->K + f->value[q] + (ptrdiff_t)c * cols + r : p->K + p->half + at;
                        double  scale = sqrt(d[f->row0[f->row[q]] + r] * d[f->row0[j] + c]);
                        if (pass == 0) {
                            p->symmetric = p->symmetric && fabs(*a - *b) <= 1e-11 * fmax(scale, fmax(fabs(*a), fabs(*b)) * 1e-1);
                        } else {
                            *a = *b = 0.5 * (*a + *b);
                        }
                    }
                }
            }
        }
        if (!p->symmetric) {
            return;
        }
    }
}

static void look_at_rates(zw_pencil *p) {
    for (size_t i = 0; i < 2 * p->half; i++) {
        p->rates = p->rates || p->C[i] != 0.0;
    }
    if (!p->rates) {
        return;
    }
    const zw_implicit  *k = p->k;
    const zw_blockchol *f = &k->lu.pattern;
    double              even = 0.0, odd = 0.0;
    for (int j = 0; j < f->nb; j++) {
        int cols = block_size(&k->block[f->order[j]]);
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            int rows = block_size(&k->block[f->order[f->row[q]]]);
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < cols; c++) {
                    size_t at = (size_t)f->value[q] + (size_t)r * (size_t)cols + (size_t)c;
                    double a = p->C[at], b = q == f->start[j] ? p->C[f->value[q] + (ptrdiff_t)c * cols + r] : p->C[p->half + at];
                    even = fmax(even, fabs(a + b));
                    odd = fmax(odd, fabs(a - b));
                }
            }
        }
    }
    p->dissipates = even > 1e-12 * odd;
}

static void look_at_balance(zw_pencil *p) {
    const zw_implicit *k = p->k;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            p->left = fmax(p->left, fabs(k->r[b->z0 + c]));
            p->size = fmax(p->size, k->size[b->col0 + c]);
        }
    }
}

static zw_status count_redundant(zw_pencil *p, const zw_state *x, const double *lambda) {
    zw_implicit *k = p->k;
    double      *guess = zw_arena_alloc(&p->arena, (size_t)k->m + 1, sizeof *guess, "modes");
    int          row = 0;
    if (guess == NULL) {
        return ZW_E_MEMORY;
    }
    if (lambda != NULL && k->m > 0) {
        memcpy(guess, lambda, sizeof(double) * (size_t)k->m);
    }
    return zw_implicit_least_norm(k, x, guess, &row, 1, &p->redundant);
}

zw_status zw_pencil_create(zw_implicit *k, const zw_state *x, const double *lambda, bool damped, zw_pencil *out) {
    zw_pencil p = {.k = k, .n = k->n.nv, .half = (size_t)k->lu.pattern.nvalues};
    zw_status status = ZW_OK;
    size_t    blocks = 0;
    zw_arena_init(&p.arena, k->c);
    for (int i = 0; i < k->nblocks; i++) {
        blocks += (size_t)k->block[i].ncol * (size_t)k->block[i].ncol;
    }
    p.K = zw_arena_alloc(&p.arena, 2 * p.half + 1, sizeof(double), "modes");
    p.C = zw_arena_alloc(&p.arena, 2 * p.half + 1, sizeof(double), "modes");
    p.M = zw_arena_alloc(&p.arena, 2 * p.half + 1, sizeof(double), "modes");
    p.R = zw_arena_alloc(&p.arena, 2 * p.half + 1, sizeof(double), "modes");
    p.chol = zw_arena_alloc(&p.arena, blocks + 1, sizeof(double), "modes");
    p.chol0 = zw_arena_alloc(&p.arena, (size_t)k->nblocks + 1, sizeof *p.chol0, "modes");
    p.flip = zw_arena_alloc(&p.arena, (size_t)k->nz + 1, sizeof *p.flip, "modes");
    p.z = zw_arena_alloc(&p.arena, 3 * (size_t)k->nz + 1, sizeof(double), "modes");
    if (p.K == NULL || p.C == NULL || p.M == NULL || p.R == NULL || p.chol == NULL || p.chol0 == NULL || p.flip == NULL || p.z == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    for (int i = 0; i < k->nblocks; i++) {
        memset(p.flip + k->block[i].z0 + k->block[i].ncol, 1, (size_t)k->block[i].nrows);
    }
    ZW_TRY_GOTO(zw_blocklu_count(&p.arena, &k->lu, NULL), fail);
    ZW_TRY_GOTO(count_redundant(&p, x, lambda), fail);
    ZW_TRY_GOTO(masses(&p, x), fail);
    ZW_TRY_GOTO(rates(&p, x, damped), fail);
    if (lambda == NULL) {
        ZW_TRY_GOTO(forces_at_rest(&p, x), fail);
    } else {
        put_forces(k, lambda);
    }
    ZW_TRY_GOTO(stiffness(&p, x), fail);
    look_at_balance(&p);
    look_at_symmetry(&p);
    look_at_rates(&p);
    *out = p;
    return ZW_OK;
fail:
    k->lu.flip = NULL;
    k->lu.room = NULL;
    zw_arena_destroy(&p.arena);
    return status;
}

void zw_pencil_destroy(zw_pencil *p) {
    if (p->k != NULL) {
        p->k->lu.flip = NULL;
        p->k->lu.room = NULL;
        zw_arena_destroy(&p->arena);
    }
    *p = (zw_pencil){0};
}

/* ---- use */

bool zw_pencil_factor(zw_pencil *p, double c, double m) {
    zw_blocklu *f = &p->k->lu;
    f->flip = p->symmetric && c == 0.0 ? p->flip : NULL;
    for (size_t i = 0; i < p->half; i++) {
        size_t up = p->half + i;
        f->pattern.l[i] = p->K[i] + c * p->C[i] + m * p->M[i] + p->R[i];
        f->upper[i] = p->K[up] + c * p->C[up] + m * p->M[up] + p->R[up];
    }
    return zw_blocklu_factor(f) < 0;
}

int zw_pencil_below(const zw_pencil *p) {
    return p->k->lu.flip != NULL ? p->k->lu.below - p->k->m : 0;
}

void zw_pencil_solve(zw_pencil *p, const double *f, double *y) {
    const zw_implicit *k = p->k;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < block_size(b); c++) {
            p->z[b->z0 + c] = c < b->ncol ? f[b->col0 + c] : 0.0;
        }
    }
    zw_blocklu_solve(&k->lu, p->z);
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            y[b->col0 + c] = p->z[b->z0 + c];
        }
    }
}

static void times(zw_pencil *p, const double *A, const double *x, double *y, bool sizes) {
    const zw_implicit  *k = p->k;
    const zw_blockchol *f = &k->lu.pattern;
    double             *from = p->z + k->nz, *to = p->z + 2 * (ptrdiff_t)k->nz;
    for (int j = 0; j < f->nb; j++) {
        const zw_implicit_block *b = &k->block[f->order[j]];
        for (int c = 0; c < block_size(b); c++) {
            double v = c < b->ncol ? x[b->col0 + c] : 0.0;
            from[f->row0[j] + c] = sizes ? fabs(v) : v;
            to[f->row0[j] + c] = 0.0;
        }
    }
    for (int j = 0; j < f->nb; j++) {
        int cols = f->row0[j + 1] - f->row0[j];
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            int           i = f->row[q], rows = f->row0[i + 1] - f->row0[i];
            const double *low = A + f->value[q], *up = A + p->half + f->value[q];
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < cols; c++) {
                    double a = low[(ptrdiff_t)r * cols + c], b = up[(ptrdiff_t)r * cols + c];
                    to[f->row0[i] + r] += (sizes ? fabs(a) : a) * from[f->row0[j] + c];
                    if (i != j) {
                        to[f->row0[j] + c] += (sizes ? fabs(b) : b) * from[f->row0[i] + r];
                    }
                }
            }
        }
    }
    for (int j = 0; j < f->nb; j++) {
        const zw_implicit_block *b = &k->block[f->order[j]];
        memcpy(y + b->col0, to + f->row0[j], sizeof(double) * (size_t)b->ncol);
    }
}

void zw_pencil_times(zw_pencil *p, const double *A, const double *x, double *y) {
    times(p, A, x, y, false);
}

double zw_pencil_terms(zw_pencil *p, const double *A, const double *x) {
    double *y = p->k->flat, sum = 0.0;
    times(p, A, x, y, true);
    for (int i = 0; i < p->n; i++) {
        sum += fabs(x[i]) * y[i];
    }
    return sum;
}

void zw_pencil_root(const zw_pencil *p, const double *x, double *y) {
    for (int i = 0; i < p->k->nblocks; i++) {
        const zw_implicit_block *b = &p->k->block[i];
        const double            *L = p->chol + p->chol0[i];
        for (int r = b->ncol - 1; r >= 0; r--) { /* from below: y may be x */
            double sum = 0.0;
            for (int c = 0; c <= r; c++) {
                sum += L[(ptrdiff_t)r * b->ncol + c] * x[b->col0 + c];
            }
            y[b->col0 + r] = sum;
        }
    }
}

void zw_pencil_root_turned(const zw_pencil *p, const double *x, double *y) {
    for (int i = 0; i < p->k->nblocks; i++) {
        const zw_implicit_block *b = &p->k->block[i];
        const double            *L = p->chol + p->chol0[i];
        for (int r = 0; r < b->ncol; r++) {
            double sum = 0.0;
            for (int c = r; c < b->ncol; c++) {
                sum += L[(ptrdiff_t)c * b->ncol + r] * x[b->col0 + c];
            }
            y[b->col0 + r] = sum;
        }
    }
}

void zw_pencil_root_inverse(const zw_pencil *p, const double *x, double *y) {
    for (int i = 0; i < p->k->nblocks; i++) {
        const zw_implicit_block *b = &p->k->block[i];
        const double            *L = p->chol + p->chol0[i];
        for (int r = b->ncol - 1; r >= 0; r--) {
            double sum = x[b->col0 + r];
            for (int c = r + 1; c < b->ncol; c++) {
                sum -= L[(ptrdiff_t)c * b->ncol + r] * y[b->col0 + c];
            }
            y[b->col0 + r] = sum / L[(ptrdiff_t)r * b->ncol + r];
        }
    }
}
