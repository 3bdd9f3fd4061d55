/* SPDX-License-Identifier: Apache-2.0
 * held.c: the force in a rod whose shear or stretch is held by rows: elastic where a strain is free, a multiplier where it is held. */
#include "system/system.h"

#include "parts/rod.h"
#include "rows/kirchhoff.h"

#include <stdio.h>
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
