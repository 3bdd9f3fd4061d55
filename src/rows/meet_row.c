/* SPDX-License-Identifier: Apache-2.0
 * meet_row.c: rows of a meeting: the gradient of its gap, and how its two points slide past each other. */
#include "rows/meet_part.h"

#include "math/form_core.h"
#include "math/vec3.h"
#include "rows/side.h"

#include <string.h>

void zw_meet_middle(const zw_meeting *m, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0.5 * (m->touch.a[i] + m->touch.b[i]);
    }
}

typedef struct line {
    int    nblocks, col0[ZW_MEET_ROW_BLOCKS], ncol[ZW_MEET_ROW_BLOCKS];
    double a[ZW_MEET_ROW_BLOCKS][ZW_CARRIER_COLUMNS];
} line;

/* adds sign times the velocity along n of what touches with the point r of a piece, at a place; outward: from the piece to the other, unit; blocks in rising
 * columns, one for each node */
static void add_piece(const zw_meet *s, const zw_state *x, int i, const zw_feature *f, const double r[3], const double place[3],
                      const double outward[3], const double n[3], double sign, line *out) {
    const zw_meet_piece *p = &s->piece[i];
    const zw_part       *part = &s->part[p->part];
    zw_state             own = zw_meet_slice(s, p, x);
    zw_carrier_row       row;
    double               core[3], off[3];
    zw_v3_scale(off, f->kind == ZW_FEATURE_RIM ? 0.0 : f->radius, outward);
    zw_v3_sub(core, r, off);
    if (place != r) {
        zw_v3_sub(off, place, core);
    }
    part->ops->carrier->row(part->self, &own, p->k, core, off, n, &row);
    for (int b = 0; b < row.nblocks; b++) {
        int col0 = part->v0 + row.col0[b], at = 0;
        while (at < out->nblocks && out->col0[at] < col0) {
            at++;
        }
        if (at == out->nblocks || out->col0[at] != col0) {
            for (int k = out->nblocks; k > at; k--) {
                out->col0[k] = out->col0[k - 1];
                out->ncol[k] = out->ncol[k - 1];
                memcpy(out->a[k], out->a[k - 1], sizeof out->a[k]);
            }
            out->nblocks++;
            out->col0[at] = col0;
            out->ncol[at] = row.ncol[b];
            memset(out->a[at], 0, sizeof out->a[at]);
        }
        for (int c = 0; c < row.ncol[b]; c++) {
            out->a[at][c] += sign * row.a[b][c];
        }
    }
}

/* across: n is square to the normal. Two bodies that are still apart rub at one place, midway, and keep their angular momentum */
static void row_along(const zw_meet *s, const zw_state *x, const zw_meeting *m, const double n[3], bool across, line *out) {
    double back[3], middle[3];
    bool   pair = across && m->b >= 0;
    out->nblocks = 0;
    zw_v3_negate(back, m->touch.n);
    zw_meet_middle(m, middle);
    if (m->b >= 0) {
        add_piece(s, x, m->b, &m->fb, m->touch.b, pair ? middle : m->touch.b, back, n, 1.0, out);
    }
    add_piece(s, x, m->a, &m->fa, m->touch.a, pair ? middle : m->touch.a, m->touch.n, n, -1.0, out);
}

/* all lines have the same blocks */
static void append(zw_rows *A, int64_t id, int m, const line *l) {
    zw_tile *tile = &A->tile[A->ntiles++];
    *tile = (zw_tile){.id = id, .row = A->m, .m = m, .block0 = A->nblocks, .nblocks = l->nblocks, .kind = ZW_ROW_EQUAL};
    A->m += m;
    for (int b = 0; b < l->nblocks; b++) {
        A->block[A->nblocks++] = (zw_block){.col0 = l->col0[b], .ncol = l->ncol[b], .a = A->nvalues};
        for (int i = 0; i < m; i++) {
            memcpy(A->a + A->nvalues, l[i].a[b], sizeof(double) * (size_t)l->ncol[b]);
            A->nvalues += l->ncol[b];
        }
    }
}

zw_status zw_meet_row(zw_meet *s, const zw_state *x, const zw_meeting *m, zw_rows *N) {
    line l;
    if (m->side >= 0) {
        return zw_side_row(s->side[m->side], s->y, x, m->id, N);
    }
    row_along(s, x, m, m->touch.n, false, &l);
    append(N, m->id, 1, &l);
    return ZW_OK;
}

void zw_meet_row_most(const zw_meet *s, int *blocks, int *values) {
    *blocks = s->side_blocks > ZW_MEET_ROW_BLOCKS ? s->side_blocks : ZW_MEET_ROW_BLOCKS;
    *values = s->side_values > ZW_MEET_ROW_VALUES ? s->side_values : ZW_MEET_ROW_VALUES;
}

zw_status zw_meet_slide(zw_meet *s, const zw_state *x, const zw_meeting *m, zw_rows *T, double drift2[2]) {
    double t[2][3], v[3] = {0.0, 0.0, 0.0};
    line   l[2];
    drift2[0] = drift2[1] = 0.0;
    if (m->side >= 0) {
        return ZW_OK; /* an expression has no surface to slide along */
    }
    zw_any_square_to(t[0], m->touch.n);
    zw_v3_cross(t[1], m->touch.n, t[0]);
    if (m->b < 0) {
        zw_meet_obstacle *o = &s->obstacle[-1 - m->b];
        ZW_TRY(zw_meet_obstacle_at(s, o, x->t));
        zw_meet_obstacle_velocity(o, m->touch.b, v);
    }
    for (int i = 0; i < 2; i++) {
        row_along(s, x, m, t[i], true, &l[i]);
        drift2[i] = zw_v3_dot(t[i], v);
    }
    append(T, m->id, 2, l);
    return ZW_OK;
}
