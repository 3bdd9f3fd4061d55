/* SPDX-License-Identifier: Apache-2.0
 * neutral.c: what floats, what turns freely, what buckles. See neutral.h. */
#include "steps/neutral.h"

#include "base/number.h"
#include "math/dense.h"
#include "model/model.h"
#include "rows/along.h"
#include "rows/bilinear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* mu below this part of the largest stiffness is round-off of it */
#define NOTHING 2e-14
#define SHIFT   1e-13

/* ---- what nothing holds */

static int root_of(int *parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(int *parent, int i, int j) {
    int a = root_of(parent, i), b = root_of(parent, j);
    parent[a > b ? a : b] = a < b ? a : b;
}

zw_status zw_neutral_floats(const zw_rest *s) {
    const zw_implicit *k = s->k;
    const zw_system   *y = k->y;
    int                ground = k->nblocks;
    if (s->meets) { /* contacts may hold what nothing else does */
        return ZW_OK;
    }
    int      *parent = s->parent;
    zw_status status = ZW_OK;
    for (int i = 0; i <= ground; i++) {
        parent[i] = i;
    }
    for (int i = 0; i < y->nparts; i++) {
        const zw_secant_ops *of = y->part[i].ops->secant;
        for (int n = 0, count = of != NULL ? of->pairs(y->part[i].self) : 0; n < count; n++) {
            int pair[2];
            of->pair(y->part[i].self, n, pair);
            join(parent, k->part_block[i] + pair[0], k->part_block[i] + pair[1]);
        }
        if (of == NULL) { /* coordinates of a lagrangian may be held by its potential */
            join(parent, k->part_block[i], ground);
        }
    }
    for (int i = 0; i < k->nties; i++) {
        const zw_tie        *t = &k->tie[i];
        const zw_constraint *c = &y->constraint[t->constraint];
        bool                 joint = c->ops == &zw_joint_ops || c->ops == &zw_joint_exact_ops;
        bool                 fast = t->kind == ZW_TIE_LINK || (t->along && zw_along_inner(c->self)) ? false
                                    : joint                                                         ? ((const zw_joint *)c->self)->ground
                                            : true; /* other equations name places of space */
        for (int a = 0; a < zw_tie_touched(t); a++) {
            join(parent, zw_tie_touched_block(t, a), fast ? ground : zw_tie_touched_block(t, 0));
        }
    }
    for (int i = 0; i < y->nfoundations; i++) {
        const zw_foundation *f = &y->foundation[i];
        for (int n = 0; n < f->count; n++) {
            join(parent, k->part_block[f->part] + f->first + n, ground);
        }
    }
    for (int i = 0; i < k->nsprings; i++) {
        const zw_implicit_spring *p = &k->spring[i];
        for (int side = 0; side < 2; side++) {
            if (p->block[side] >= 0) {
                join(parent, p->block[side], p->block[1 - side] >= 0 ? p->block[1 - side] : ground);
            }
        }
    }
    for (int i = 0; i < ground && status == ZW_OK; i++) {
        if (k->block[i].part >= 0 && root_of(parent, i) != root_of(parent, ground)) {
            char subject[160];
            snprintf(subject, sizeof subject, "bodies.%s", zw_rest_body(s, i));
            status = zw_raise(
                s->c, ZW_E_MODEL, subject, "clamp it, or join it to something that is held: constraints: {root: {clamp: ...}}",
                "a floating model has no equilibrium without a support: '%s' can move freely in every direction", zw_rest_body(s, i));
        }
    }
    return status;
}

/* ---- inverse iteration */

static void start_vector(const zw_rest *s, double *phi) { /* a fixed mixture of everything */
    unsigned seed = 12345u;
    for (int i = 0; i < s->nz; i++) {
        seed = seed * 1664525u + 1013904223u;
        phi[i] = s->weight[i] > 0.0 ? ((double)(seed >> 8) / 8388608.0 - 1.0) / sqrt(s->weight[i]) : 0.0;
    }
}

static double normalise(const zw_rest *s, double *phi) {
    double size = sqrt(zw_rest_product(s, phi, phi));
    for (int i = 0; i < s->nz && size > 0.0; i++) {
        phi[i] /= size;
    }
    return size;
}

double zw_neutral_mode(const zw_rest *s, int rounds, double *phi) {
    double mu = 0.0;
    if (normalise(s, phi) == 0.0) {
        start_vector(s, phi);
        normalise(s, phi);
    }
    for (int round = 0; round < rounds; round++) {
        double *b = s->k->dz, along = 0.0;
        for (int i = 0; i < s->nz; i++) {
            b[i] = s->weight[i] * phi[i];
        }
        memset(b + s->nz, 0, sizeof(double) * (size_t)(s->k->nz - s->nz)); /* contacts */
        zw_blocklu_solve(&s->k->lu, b);
        along = zw_rest_product(s, phi, b);
        mu = along != 0.0 ? 1.0 / along : HUGE_VAL;
        memcpy(phi, b, sizeof(double) * (size_t)s->nz);
        if (!(normalise(s, phi) > 0.0)) {
            return HUGE_VAL;
        }
    }
    return mu;
}

/* phi[row] -= its parts along the rows before it */
static void orthogonalise(const zw_rest *s, double *phi, int row) {
    size_t  nz = (size_t)s->nz;
    double *own = phi + nz * (size_t)row;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < row; j++) {
            const double *other = phi + nz * (size_t)j;
            double        along = zw_rest_product(s, own, other);
            for (size_t i = 0; i < nz; i++) {
                own[i] -= along * other[i];
            }
        }
    }
    normalise(s, own);
}

/* shapes of one mu may be mixed at will: those are taken that make (ways and turns, with axes weighted 1, 2, 3) extreme. */
static void along_axes(const zw_rest *s, int n, double *phi) {
    enum { MOST = 6 };
    double             B[MOST * MOST] = {0}, value[MOST], V[MOST * MOST], mixed[MOST];
    const zw_implicit *k = s->k;
    size_t             nz = (size_t)s->nz;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol && b->ncol == 6; c++) {
            double w = s->weight[b->z0 + c] * (c < 3 ? 1.0 : 1.0 + c % 3);
            for (int p = 0; p < n; p++) {
                for (int q = 0; q < n; q++) {
                    B[p * n + q] += w * phi[nz * (size_t)p + (size_t)(b->z0 + c)] * phi[nz * (size_t)q + (size_t)(b->z0 + c)];
                }
            }
        }
    }
    if (n < 2 || n > MOST || !zw_sym_eigen(n, B, value, V)) {
        return;
    }
    for (size_t i = 0; i < nz; i++) {
        for (int p = 0; p < n; p++) {
            mixed[p] = 0.0;
            for (int q = 0; q < n; q++) {
                mixed[p] += V[q * n + p] * phi[nz * (size_t)q + i];
            }
        }
        for (int p = 0; p < n; p++) {
            phi[nz * (size_t)p + i] = mixed[p];
        }
    }
}

void zw_neutral_modes(const zw_rest *s, int n, int rounds, double *phi) {
    size_t nz = (size_t)s->nz;
    for (int p = 0; p < n; p++) {
        double  *own = phi + nz * (size_t)p;
        unsigned seed = 99u + (unsigned)p;
        start_vector(s, own);
        for (size_t i = 0; i < nz; i++) { /* different from each other */
            seed = seed * 1664525u + 1013904223u;
            own[i] *= (double)(seed >> 8) / 16777216.0;
        }
        orthogonalise(s, phi, p);
    }
    for (int round = 0; round < rounds; round++) {
        for (int p = 0; p < n; p++) {
            zw_neutral_mode(s, 1, phi + nz * (size_t)p);
            orthogonalise(s, phi, p);
        }
    }
    along_axes(s, n, phi);
    for (int p = 0; p < n; p++) { /* a sign that does not depend on the way here */
        double *own = phi + nz * (size_t)p;
        size_t  most = 0;
        for (size_t i = 0; i < nz; i++) {
            if (s->weight[i] * own[i] * own[i] > 1.0001 * s->weight[most] * own[most] * own[most]) {
                most = i;
            }
        }
        bool turn = own[most] < 0.0;
        for (size_t i = 0; i < nz && turn; i++) {
            own[i] = -own[i];
        }
    }
}

zw_status zw_neutral_hold(zw_rest *s, const zw_state *x, double *phi, bool *loaded, bool *many) {
    double kept = s->sigma;
    *loaded = *many = s->soft = false;
    s->nholds = 0;
    for (;;) {
        int    below;
        double force = 0.0, size = 0.0;
        s->sigma = 0.0;
        ZW_TRY(zw_rest_look(s, x, true));
        s->sigma = SHIFT * s->elastic;
        if (s->elastic == 0.0) {
            s->sigma = kept;
            *many = s->soft = true;
            return ZW_OK;
        }
        ZW_TRY(zw_rest_look(s, x, true));
        memset(phi, 0, sizeof(double) * (size_t)s->nz);
        double mu = zw_rest_factor(s, &below) ? zw_neutral_mode(s, 6, phi) - s->sigma : 0.0;
        double most = NOTHING * s->elastic;
        s->sigma = kept;
        if (fabs(mu) > most) {
            return ZW_OK;
        }
        int hold = -1;
        for (int i = 0; i < s->nz; i++) {
            if (s->weight[i] > 0.0) {
                double part = sqrt(s->weight[i]) * fabs(phi[i]), best = hold < 0 ? 0.0 : sqrt(s->weight[hold]) * fabs(phi[hold]);
                force += s->k->r[i] * phi[i];
                size += fabs(s->k->r[i] * phi[i]);
                hold = part > 1.0001 * best ? i : hold;
            }
        }
        if (hold < 0 || s->nholds == ZW_REST_HOLDS) {
            s->nholds = 0;
            *many = s->soft = true;
            return ZW_OK;
        }
        if (fabs(force) > 1e-9 * size && fabs(force) > 1e-9 * s->force && fabs(force) > zw_rest_rounding(s, phi)) {
            s->nholds = 0;
            *loaded = true;
            return ZW_OK;
        }
        s->hold[s->nholds++] = hold;
    }
}

void zw_neutral_describe(const zw_rest *s, const double *phi, char *out, size_t size) {
    const zw_implicit *k = s->k;
    int                best = 0;
    double             most = -1.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        double                   sum = 0.0;
        for (int c = 0; c < b->ncol; c++) {
            sum += s->weight[b->z0 + c] * phi[b->z0 + c] * phi[b->z0 + c];
        }
        if (sum > 1.0001 * most) {
            most = sum;
            best = i;
        }
    }
    const zw_implicit_block *b = &k->block[best];
    char                     where[160], number[3][ZW_NUMBER_TEXT];
    zw_rest_name(s, b->z0, where, sizeof where);
    if (b->ncol != 6) {
        snprintf(out, size, "%s can move freely", where);
        return;
    }
    double turn = 0.0, way = 0.0;
    for (int c = 0; c < 3; c++) {
        turn += phi[b->z0 + c] * phi[b->z0 + c];
        way += phi[b->z0 + 3 + c] * phi[b->z0 + 3 + c] / (s->reach * s->reach);
    }
    const double *v = phi + b->z0 + (way > turn ? 3 : 0);
    double        norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; c++) {
        double part = norm > 0.0 ? v[c] / norm : 0.0;
        zw_number_short(fabs(part) < 1e-3 ? 0.0 : part, 3, number[c]);
    }
    snprintf(out, size, "%s can %s (%s, %s, %s)", where, way > turn ? "move freely along" : "turn freely about", number[0], number[1],
             number[2]);
}
