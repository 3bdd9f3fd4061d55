/* SPDX-License-Identifier: Apache-2.0
 * coulomb_couple.c: W = B P B'. Columns that H, rows A or a block of a contact's row connect make a component; P couples no two components. So one solve with a
 * right side that has one row of B in every component gives a column of W for all of them at once, and as many solves are needed as the busiest component has rows.
 * Contacts that share a component are coupled; an island is what such couplings connect. */
#include "project/coulomb_part.h"

#include <math.h>
#include <string.h>

static int find(int *root, int j) {
    while (root[j] != j) {
        root[j] = root[root[j]];
        j = root[j];
    }
    return j;
}

static void join(int *root, int i, int j) { /* the smaller stands for both */
    i = find(root, i);
    j = find(root, j);
    if (i < j) {
        root[j] = i;
    } else {
        root[i] = j;
    }
}

static void blocks_join(int *root, const zw_rows *R, const zw_tile *t, bool all) {
    int first = -1;
    for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
        const zw_block *b = &R->block[e];
        for (int j = 0; j < b->ncol; j++) {
            first = first < 0 || (!all && j == 0) ? b->col0 + j : first;
            join(root, first, b->col0 + j);
        }
    }
}

static void metric_join(int *root, const zw_metric *H) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        int              b = m->block, v0 = H->v0[k];
        for (int i = 0; m->kind != ZW_DIAGONAL && i < m->n / b; i++) {
            for (int j = 1; j < b; j++) {
                join(root, v0 + i * b, v0 + i * b + j);
            }
            for (int e = m->start[i]; e < m->start[i + 1]; e++) {
                join(root, v0 + i * b, v0 + m->col[e] * b);
            }
        }
    }
}

/* columns that a block of H or of a row holds together: as components, but for what blocks of H and rows connect */
static void nodes_find(zw_coulomb *s, const zw_coulomb_problem *pb) {
    for (int j = 0; j < s->nv; j++) {
        s->node[j] = j;
    }
    for (int k = 0; k < pb->H->nparts; k++) {
        const zw_matrix *m = &pb->H->part[k];
        for (int j = 0; m->kind != ZW_DIAGONAL && j < m->n; j++) {
            join(s->node, pb->H->v0[k] + j - j % m->block, pb->H->v0[k] + j);
        }
    }
    for (int t = 0; t < pb->A->ntiles; t++) {
        blocks_join(s->node, pb->A, &pb->A->tile[t], false);
    }
    for (int i = 0; i < s->n; i++) {
        blocks_join(s->node, pb->N, &pb->N->tile[i], false);
        if (pb->slide[i] >= 0) {
            blocks_join(s->node, pb->T, &pb->T->tile[pb->slide[i]], false);
        }
    }
    for (int j = 0; j < s->nv; j++) {
        s->node[j] = find(s->node, j);
    }
}

static void components_find(zw_coulomb *s, const zw_coulomb_problem *pb) {
    for (int j = 0; j < s->nv; j++) {
        s->root[j] = j;
    }
    metric_join(s->root, pb->H);
    for (int t = 0; t < pb->A->ntiles; t++) {
        blocks_join(s->root, pb->A, &pb->A->tile[t], true);
    }
    for (int i = 0; i < s->n; i++) {
        blocks_join(s->root, pb->N, &pb->N->tile[i], false);
        if (pb->slide[i] >= 0) {
            blocks_join(s->root, pb->T, &pb->T->tile[pb->slide[i]], false);
        }
    }
    s->ncomponents = 0;
    for (int j = 0; j < s->nv; j++) {
        int r = find(s->root, j);
        s->component[j] = r == j ? s->ncomponents++ : s->component[r];
    }
}

/* ---- entries */

static zw_status entry_add(zw_coulomb *s, int contact, int component) {
    int last = -1;
    for (int e = s->first[contact]; e >= 0; e = s->entry[e].next) {
        if (s->entry[e].component == component) {
            return ZW_OK;
        }
        last = e;
    }
    if ((size_t)s->nentries == s->room_entries) {
        size_t more = s->room_entries + s->room_entries / 2 + 64;
        ZW_COULOMB_WANT(s->context, s->entry, more);
        ZW_COULOMB_WANT(s->context, s->of.item, more);
        s->room_entries = more;
    }
    s->entry[s->nentries] = (zw_coulomb_entry){.contact = contact, .component = component, .next = -1};
    *(last < 0 ? &s->first[contact] : &s->entry[last].next) = s->nentries;
    s->nentries++;
    return ZW_OK;
}

static zw_status tile_enter(zw_coulomb *s, int contact, const zw_rows *R, const zw_tile *t) {
    for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
        if (R->block[e].ncol > 0) {
            ZW_TRY(entry_add(s, contact, s->component[R->block[e].col0]));
        }
    }
    return ZW_OK;
}

static zw_status entries_make(zw_coulomb *s, const zw_coulomb_problem *pb) {
    s->nentries = 0;
    for (int i = 0; i < s->n; i++) {
        s->first[i] = -1;
        ZW_TRY(tile_enter(s, i, pb->N, &pb->N->tile[i]));
        if (pb->slide[i] >= 0) {
            ZW_TRY(tile_enter(s, i, pb->T, &pb->T->tile[pb->slide[i]]));
        }
    }
    memset(s->of.start, 0, sizeof(int) * ((size_t)s->ncomponents + 1));
    memset(s->rows, 0, sizeof(int) * (size_t)s->ncomponents);
    for (int e = 0; e < s->nentries; e++) {
        s->of.start[s->entry[e].component + 1]++;
    }
    for (int k = 0; k < s->ncomponents; k++) {
        s->of.start[k + 1] += s->of.start[k];
    }
    for (int e = 0; e < s->nentries; e++) { /* entries rise by contact; begins move up and are moved back */
        zw_coulomb_entry *n = &s->entry[e];
        n->row0 = s->rows[n->component];
        s->rows[n->component] += pb->slide[n->contact] >= 0 ? 3 : 1;
        s->of.item[s->of.start[n->component]++] = e;
    }
    for (int k = s->ncomponents; k > 0; k--) {
        s->of.start[k] = s->of.start[k - 1];
    }
    s->of.start[0] = 0;
    size_t terms = 0;
    for (int i = 0; i < s->n; i++) {
        s->begin[i] = (int)terms;
        for (int e = s->first[i]; e >= 0; e = s->entry[e].next) {
            s->entry[e].term0 = (int)terms;
            terms += (size_t)(s->of.start[s->entry[e].component + 1] - s->of.start[s->entry[e].component]);
            if (terms > (size_t)1 << 28) {
                return zw_raise(s->context, ZW_E_MEMORY, "friction", "use fewer contacts on one connected body",
                                "%d contacts are coupled in too many pairs", s->n);
            }
        }
    }
    s->begin[s->n] = s->nterms = (int)terms;
    if (terms > s->room_terms) {
        size_t more = terms + terms / 4;
        ZW_COULOMB_WANT(s->context, s->term, more);
        s->room_terms = more;
    }
    return ZW_OK;
}

/* ---- W */

static const zw_tile *row_of(const zw_coulomb_problem *pb, int contact, int row, const zw_rows **R, int *at) {
    *R = row == 0 ? pb->N : pb->T;
    *at = row == 0 ? 0 : row - 1;
    return row == 0 ? &pb->N->tile[contact] : &pb->T->tile[pb->slide[contact]];
}

static void scatter(zw_coulomb *s, const zw_coulomb_problem *pb, int contact, int row, int component) {
    const zw_rows *R;
    int            at;
    const zw_tile *t = row_of(pb, contact, row, &R, &at);
    for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
        const zw_block *b = &R->block[e];
        const double   *a = R->a + b->a + (ptrdiff_t)at * b->ncol;
        for (int j = 0; j < b->ncol && s->component[b->col0] == component; j++) {
            s->z[b->col0 + j] += a[j];
        }
    }
}

static double gather(const zw_coulomb *s, const zw_coulomb_problem *pb, int contact, int row, int component) {
    const zw_rows *R;
    int            at;
    const zw_tile *t = row_of(pb, contact, row, &R, &at);
    double         sum = 0.0;
    for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
        const zw_block *b = &R->block[e];
        const double   *a = R->a + b->a + (ptrdiff_t)at * b->ncol;
        for (int j = 0; j < b->ncol && s->component[b->col0] == component; j++) {
            sum += a[j] * s->y[b->col0 + j];
        }
    }
    return sum;
}

static int rows_of(const zw_coulomb_problem *pb, int contact) {
    return pb->slide[contact] >= 0 ? 3 : 1;
}

/* row `slot` of every component at once; next[k] walks the entries of component k */
static zw_status column_solve(zw_coulomb *s, const zw_coulomb_problem *pb, int slot, int *next) {
    memset(s->z, 0, sizeof(double) * (size_t)s->nv);
    for (int k = 0; k < s->ncomponents; k++) {
        if (slot < s->rows[k]) {
            const zw_coulomb_entry *e = &s->entry[s->of.item[next[k]]];
            if (slot - e->row0 >= rows_of(pb, e->contact)) {
                e = &s->entry[s->of.item[++next[k]]];
            }
            scatter(s, pb, e->contact, slot - e->row0, k);
        }
    }
    if (s->m > 0) {
        ZW_TRY(zw_solver_solve(s->solver, s->z, s->zero, s->y, NULL, NULL));
    } else {
        zw_solver_metric_inverse(s->solver, s->z, s->y);
    }
    for (int k = 0; k < s->ncomponents; k++) {
        if (slot < s->rows[k]) {
            const zw_coulomb_entry *e = &s->entry[s->of.item[next[k]]];
            int                     row = slot - e->row0;
            for (int i = s->of.start[k]; i < s->of.start[k + 1]; i++) {
                zw_coulomb_term *t = &s->term[e->term0 + i - s->of.start[k]];
                int              j = s->entry[s->of.item[i]].contact;
                t->j = j;
                for (int r = 0; r < rows_of(pb, j); r++) {
                    t->W[3 * row + r] = gather(s, pb, j, r, k);
                }
            }
        }
    }
    return ZW_OK;
}

/* axes of the soft directions at a contact, once its normal is eliminated */
void zw_coulomb_prepare(zw_coulomb *s, int i, double mu, double hold) {
    zw_coulomb_contact *c = &s->at[i];
    memset(c->D, 0, sizeof c->D);
    for (int e = s->begin[i]; e < s->begin[i + 1]; e++) {
        for (int r = 0; s->term[e].j == i && r < 9; r++) {
            c->D[r] += s->term[e].W[r];
        }
    }
    c->hold = hold * c->D[0];
    c->D[0] += c->hold;
    c->mu = mu;
    c->k = 0.0;
    c->turn[0] = 1.0;
    c->turn[1] = 0.0;
    if (mu > 0.0 && c->D[0] > 0.0) {
        double n = c->D[0], a = c->D[4] - c->D[1] * c->D[1] / n, b = 0.5 * (c->D[5] + c->D[7]) - c->D[1] * c->D[2] / n,
               d = c->D[8] - c->D[2] * c->D[2] / n;
        double angle = b != 0.0 ? 0.5 * atan2(2.0 * b, a - d) : 0.0, half = hypot(0.5 * (a - d), b), mean = 0.5 * (a + d);
        double least = 1e-13 * fmax(n, fmax(c->D[4], c->D[8]));
        c->turn[0] = cos(angle);
        c->turn[1] = sin(angle);
        c->soft[0] = fmax(b != 0.0 ? mean + half : a, least);
        c->soft[1] = fmax(b != 0.0 ? mean - half : d, least);
        c->tn[0] = c->turn[0] * c->D[1] + c->turn[1] * c->D[2];
        c->tn[1] = -c->turn[1] * c->D[1] + c->turn[0] * c->D[2];
    }
}

/* ---- islands: contacts that components connect, in the order of their first contacts */
static void islands_find(zw_coulomb *s) {
    int *root = s->root; /* of components; columns are done with */
    for (int k = 0; k < s->ncomponents; k++) {
        root[k] = k;
    }
    for (int i = 0; i < s->n; i++) {
        for (int e = s->first[i]; e >= 0; e = s->entry[e].next) {
            join(root, s->entry[s->first[i]].component, s->entry[e].component);
        }
    }
    int *number = s->rows; /* of an island, by its root; rows are done with */
    s->nislands = 0;
    memset(s->island.start, 0, sizeof(int) * ((size_t)s->n + 1));
    for (int k = 0; k < s->ncomponents; k++) {
        number[k] = -1;
    }
    for (int i = 0; i < s->n; i++) {
        if (s->first[i] >= 0) {
            int r = find(root, s->entry[s->first[i]].component);
            number[r] = number[r] < 0 ? s->nislands++ : number[r];
            s->island.start[number[r] + 1]++;
        }
    }
    for (int k = 0; k < s->nislands; k++) {
        s->island.start[k + 1] += s->island.start[k];
    }
    for (int i = 0; i < s->n; i++) {
        if (s->first[i] >= 0) {
            s->island.item[s->island.start[number[find(root, s->entry[s->first[i]].component)]]++] = i;
        }
    }
    for (int k = s->nislands; k > 0; k--) {
        s->island.start[k] = s->island.start[k - 1];
    }
    s->island.start[0] = 0;
}

zw_status zw_coulomb_couple(zw_coulomb *s, const zw_coulomb_problem *pb) {
    int busiest = 0;
    components_find(s, pb);
    nodes_find(s, pb);
    ZW_TRY(entries_make(s, pb));
    if (s->nterms > 0) {
        memset(s->term, 0, sizeof *s->term * (size_t)s->nterms);
    }
    int *next = s->root; /* columns are done with */
    for (int k = 0; k < s->ncomponents; k++) {
        next[k] = s->of.start[k];
        busiest = s->rows[k] > busiest ? s->rows[k] : busiest;
    }
    for (int slot = 0; slot < busiest; slot++) {
        ZW_TRY(column_solve(s, pb, slot, next));
    }
    islands_find(s);
    return ZW_OK;
}
