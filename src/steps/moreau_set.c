/* SPDX-License-Identifier: Apache-2.0
 * moreau_set.c: the contacts of a state as verlet sees them: found with a margin, with one row each for the gap and two for sliding. Room grows when more are
 * found than ever before, and never else. */
#include "base/context.h"
#include "steps/moreau.h"

#include <math.h>
#include <string.h>

void zw_contact_set_init(zw_context *c, zw_meet *meet, zw_contact_set *s) {
    *s = (zw_contact_set){.context = c, .meet = meet};
    zw_meet_row_most(meet, &s->blocks, &s->values);
}

static void rows_release(zw_context *c, zw_rows *R) {
    zw_free(c, R->tile);
    zw_free(c, R->block);
    zw_free(c, R->a);
    *R = (zw_rows){0};
}

void zw_contact_set_release(zw_contact_set *s) {
    if (s->context != NULL) {
        zw_free(s->context, s->meeting);
        zw_free(s->context, s->later);
        zw_free(s->context, s->at);
        rows_release(s->context, &s->N);
        rows_release(s->context, &s->T);
    }
    *s = (zw_contact_set){0};
}

static zw_status rows_grow(zw_context *c, zw_rows *R, int tiles, int blocks, int values) {
    zw_tile  *tile = zw_resize(c, R->tile, (size_t)tiles, sizeof *tile, "contacts");
    zw_block *block = NULL;
    double   *a = NULL;
    if (tile != NULL) {
        R->tile = tile;
        block = zw_resize(c, R->block, (size_t)tiles * (size_t)blocks, sizeof *block, "contacts");
    }
    if (block != NULL) {
        R->block = block;
        a = zw_resize(c, R->a, (size_t)tiles * (size_t)values, sizeof *a, "contacts");
    }
    if (a != NULL) {
        R->a = a;
    }
    return a != NULL ? ZW_OK : ZW_E_MEMORY;
}

static zw_status grow(zw_contact_set *s, int need) {
    if (need <= s->room) {
        return ZW_OK;
    }
    int         room = need + need / 4 + 8;
    zw_meeting *meeting = zw_resize(s->context, s->meeting, (size_t)room, sizeof *meeting, "contacts");
    s->meeting = meeting != NULL ? meeting : s->meeting;
    zw_meeting *later = zw_resize(s->context, s->later, (size_t)room, sizeof *later, "contacts");
    s->later = later != NULL ? later : s->later;
    zw_contact *at = zw_resize(s->context, s->at, (size_t)room, sizeof *at, "contacts");
    s->at = at != NULL ? at : s->at;
    if (meeting == NULL || later == NULL || at == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(rows_grow(s->context, &s->N, room, s->blocks, s->values));
    ZW_TRY(rows_grow(s->context, &s->T, room, s->blocks, 2 * s->values));
    s->room = room;
    return ZW_OK;
}

static zw_status append(zw_contact_set *s, const zw_state *x, const zw_meeting *m) {
    zw_contact *c = &s->at[s->n];
    s->meeting[s->n] = *m;
    *c = (zw_contact){.slide = -1};
    ZW_TRY(zw_meet_row(s->meet, x, m, &s->N));
    if (m->friction > 0.0) {
        c->slide = s->T.ntiles;
        ZW_TRY(zw_meet_slide(s->meet, x, m, &s->T, c->wind));
        s->rubs++;
    }
    s->n++;
    return ZW_OK;
}

zw_status zw_contact_set_find(zw_contact_set *s, const zw_state *x, double margin) {
    int               n;
    const zw_meeting *found;
    s->n = s->rubs = 0;
    s->N.m = s->N.ntiles = s->N.nblocks = s->T.m = s->T.ntiles = s->T.nblocks = 0;
    s->N.nvalues = s->T.nvalues = 0;
    ZW_TRY(zw_meet_find(s->meet, x, margin, &n, &found));
    ZW_TRY(grow(s, n));
    for (int i = 0; i < n; i++) {
        ZW_TRY(append(s, x, &found[i]));
    }
    s->sorted = n;
    return ZW_OK;
}

zw_status zw_contact_set_add(zw_contact_set *s, const zw_state *x, const zw_meeting *m) {
    zw_meeting here;
    ZW_TRY(grow(s, s->n + 1));
    ZW_TRY(zw_meet_again(s->meet, x, 1, m, &here));
    return append(s, x, &here);
}

int zw_contact_set_number(const zw_contact_set *s, int64_t id) {
    int low = 0, high = s->sorted;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->meeting[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < s->sorted && s->meeting[low].id == id) {
        return low;
    }
    for (int i = s->sorted; i < s->n; i++) { /* few: those that were added */
        if (s->meeting[i].id == id) {
            return i;
        }
    }
    return -1;
}

static double product(const zw_rows *R, int tile, int row, const double *v) {
    const zw_tile *t = &R->tile[tile];
    double         sum = 0.0;
    for (int k = t->block0; k < t->block0 + t->nblocks; k++) {
        const zw_block *b = &R->block[k];
        const double   *a = R->a + b->a + (ptrdiff_t)row * b->ncol;
        for (int j = 0; j < b->ncol; j++) {
            sum += a[j] * v[b->col0 + j];
        }
    }
    return sum;
}

double zw_contact_set_rate(const zw_contact_set *s, int i, const double *v) {
    return product(&s->N, i, 0, v) + s->meeting[i].drift;
}

void zw_contact_set_slide(const zw_contact_set *s, int i, const double *v, double w[2]) {
    const zw_contact *c = &s->at[i];
    for (int k = 0; k < 2; k++) {
        w[k] = c->slide >= 0 ? product(&s->T, c->slide, k, v) + c->wind[k] : 0.0;
    }
}

static void add(const zw_rows *R, int tile, int row, double p, double *z) {
    const zw_tile *t = &R->tile[tile];
    for (int k = t->block0; k < t->block0 + t->nblocks; k++) {
        const zw_block *b = &R->block[k];
        const double   *a = R->a + b->a + (ptrdiff_t)row * b->ncol;
        for (int j = 0; j < b->ncol; j++) {
            z[b->col0 + j] += a[j] * p;
        }
    }
}

bool zw_contact_set_push(const zw_contact_set *s, int i, double *z) {
    const zw_contact *c = &s->at[i];
    if (!c->on || c->p == 0.0) {
        return false;
    }
    add(&s->N, i, 0, c->p, z);
    for (int k = 0; k < 2 && c->slide >= 0; k++) {
        add(&s->T, c->slide, k, c->pt[k], z);
    }
    return true;
}

void zw_contact_set_account(const zw_contact_set *s, const double *before, const double *after, double *taken, double *work) {
    for (int i = 0; i < s->n; i++) {
        const zw_contact *c = &s->at[i];
        if (!c->on || c->p == 0.0) {
            continue;
        }
        *taken -= 0.5 * c->p * (zw_contact_set_rate(s, i, before) + zw_contact_set_rate(s, i, after));
        *work -= c->p * s->meeting[i].drift;
        if (c->slide >= 0) {
            double w0[2], w1[2];
            zw_contact_set_slide(s, i, before, w0);
            zw_contact_set_slide(s, i, after, w1);
            for (int k = 0; k < 2; k++) {
                *taken -= 0.5 * c->pt[k] * (w0[k] + w1[k]);
                *work -= c->pt[k] * c->wind[k];
            }
        }
    }
}
