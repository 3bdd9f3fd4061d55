/* SPDX-License-Identifier: Apache-2.0
 * moreau_mix.c: the passes of the first kick made faster where they creep. A pass is a map c -> G(c) of the rates that are asked for, F = G(c) - c; with the rows of the start in
 * place of those of the end it shrinks F by what the normals turn in the step, which is little for contacts that are far from each other, and may be nearly nothing
 * for a handful that hold the same few nodes (a knot that is pulled tight). Anderson's mixture takes the last few changes together,
 *   c' = G - sum gamma_j dG_j,    gamma least squares of F - sum gamma_j dF_j
 * and is exact after as many passes as there are slow directions, where the map is affine. */
#include "steps/moreau_part.h"

#include <math.h>

/* Cholesky of n equations, in place; false: a column follows from those before it */
static bool solve(int n, double G[ZW_MOREAU_MIX][ZW_MOREAU_MIX], double *b) {
    for (int j = 0; j < n; j++) {
        double own = G[j][j];
        for (int k = 0; k < j; k++) {
            own -= G[j][k] * G[j][k];
        }
        if (!(own > 1e-13 * G[j][j])) {
            return false;
        }
        G[j][j] = sqrt(own);
        for (int i = j + 1; i < n; i++) {
            double sum = G[j][i]; /* the upper half is as it was */
            for (int k = 0; k < j; k++) {
                sum -= G[i][k] * G[j][k];
            }
            G[i][j] = sum / G[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            b[i] -= G[i][k] * b[k];
        }
        b[i] /= G[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            b[i] -= G[k][i] * b[k];
        }
        b[i] /= G[i][i];
    }
    return true;
}

void zw_moreau_mix(zw_contact_set *s, int pass, bool creeps) {
    int    n = pass < ZW_MOREAU_MIX ? pass : ZW_MOREAU_MIX;
    double G[ZW_MOREAU_MIX][ZW_MOREAU_MIX] = {{0.0}}, b[ZW_MOREAU_MIX] = {0.0};
    for (int i = 0; i < s->n; i++) {
        zw_contact *c = &s->at[i];
        if (!c->on) {
            continue;
        }
        double F = c->next - c->c;
        if (pass > 0) {
            c->change[0][(pass - 1) % ZW_MOREAU_MIX] = F - c->last[0];
            c->change[1][(pass - 1) % ZW_MOREAU_MIX] = c->next - c->last[1];
        }
        c->last[0] = F;
        c->last[1] = c->next;
        for (int j = 0; j < n && creeps; j++) {
            b[j] += c->change[0][j] * F;
            for (int k = 0; k < n; k++) {
                G[j][k] += c->change[0][j] * c->change[0][k];
            }
        }
    }
    bool mixes = creeps && n > 0 && solve(n, G, b);
    for (int i = 0; i < s->n; i++) {
        zw_contact *c = &s->at[i];
        if (c->on) {
            c->c = c->next;
            for (int j = 0; j < n && mixes; j++) {
                c->c -= b[j] * c->change[1][j];
            }
        }
    }
}
