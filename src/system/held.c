/* SPDX-License-Identifier: Apache-2.0
 * held.c: the force in a rod whose shear or stretch is held by rows: elastic where a strain is free, a multiplier where it is held. */
#include "system/system.h"

#include "parts/rod.h"
#include "rows/kirchhoff.h"

#include <math.h>
#include <string.h>

/* the rows of a rod of a part; NULL: it has none */
static const zw_constraint *rows_of(const zw_system *y, int part, int rod) {
    for (int i = 0; i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        if (c->ops == &zw_kirchhoff_ops && zw_kirchhoff_part(c->self) == part && zw_kirchhoff_rod(c->self) == rod) {
            return c;
        }
    }
    return NULL;
}

bool zw_system_held(const zw_system *y, const zw_place *p) {
    return y->part[p->part].ops == &zw_rods_ops && rows_of(y, p->part, p->body) != NULL;
}

void zw_system_held_force(const zw_system *y, const zw_place *p, const double *lambda, double force[3]) {
    const zw_constraint *c = y->part[p->part].ops == &zw_rods_ops ? rows_of(y, p->part, p->body) : NULL;
    if (c != NULL) {
        double more[3];
        zw_kirchhoff_force(c->self, p, lambda + c->row0, more);
        for (int i = 0; i < 3; i++) {
            force[i] += more[i];
        }
    }
}

void zw_system_held_links(const zw_system *y, int part, const char *channel, const double *lambda, double *out) {
    const char *word = strrchr(channel, '/');
    if (y->part[part].ops != &zw_rods_ops || word == NULL || strcmp(word, "/force") != 0) {
        return;
    }
    const zw_rods *rods = y->part[part].self;
    for (int i = 0; i < rods->nrods; i++) {
        size_t               n = strlen(rods->rod[i].name);
        const zw_constraint *c = NULL;
        if (strncmp(channel + 4, rods->rod[i].name, n) == 0 && channel + 4 + n == word) { /* behind "rod/" */
            c = rows_of(y, part, i);
        }
        for (int k = 0, held = c != NULL ? zw_kirchhoff_held(c->self) : 0; k < held * rods->rod[i].nlinks; k++) {
            out[3 * (k / held) + k % held] += lambda[c->row0 + k];
        }
    }
}

zw_status zw_system_balance(zw_system *y, const zw_state *x, const double *lambda, double *r) {
    const zw_rows *A;
    memset(r, 0, sizeof(double) * (size_t)y->size.nv);
    if (zw_system_rows_count(y) == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_rows(y, x, &A));
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        bool           internal = false;
        for (int i = 0; i < y->nconstraints; i++) {
            const zw_constraint *c = &y->constraint[i];
            internal = internal || (c->ops == &zw_kirchhoff_ops && tile->row >= c->row0 && tile->row < c->row0 + c->m);
        }
        for (int j = tile->block0; !internal && j < tile->block0 + tile->nblocks; j++) {
            const zw_block *block = &A->block[j];
            for (int i = 0; i < tile->m * block->ncol; i++) {
                r[block->col0 + i % block->ncol] -= A->a[block->a + i] * lambda[tile->row + i / block->ncol];
            }
        }
    }
    return ZW_OK;
}

/* The fastest motion of nodes that the rows allow: neighbours turn to and fro against each other, by +-theta. A link then is bent by 2 theta and shortened by l (2 theta)^2/24, so that
 *   omega^2 rhoI = 4 EI/l^2 + n/3 */
double zw_system_held_step(const zw_system *y, const zw_state *x, const double *lambda, const char **name, int *link, double *tension) {
    double least = HUGE_VAL;
    for (int i = 0; i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        if (c->ops != &zw_kirchhoff_ops) {
            continue;
        }
        const zw_part *p = &y->part[zw_kirchhoff_part(c->self)];
        const zw_rods *rods = p->self;
        const zw_rod  *r = &rods->rod[zw_kirchhoff_rod(c->self)];
        for (int j = 0; j < r->nlinks; j++) {
            size_t at = (size_t)(r->link0 + j), node = (size_t)(r->node0 + j);
            double strain[6], stress[6], l = rods->l[at], n;
            zw_rod_link_strain(rods, r, j, x->q + p->q0, strain);
            zw_rod_link_stress(rods, r, j, strain, stress);
            n = r->held == 3 ? lambda[c->row0 + 3 * j + 2] : stress[5];
            for (int axis = 0; axis < 2 && n > 0.0; axis++) {
                double inertia = rods->inertia[3 * node + (size_t)axis] / rods->weight[node];
                double h = 2.0 * sqrt(inertia / (4.0 * rods->stiffness[6 * at + (size_t)axis] / (l * l) + n / 3.0));
                if (h < least) {
                    least = h;
                    *name = r->name;
                    *link = j + 1;
                    *tension = n;
                }
            }
        }
    }
    return least < HUGE_VAL ? least : 0.0;
}
