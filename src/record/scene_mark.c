/* SPDX-License-Identifier: Apache-2.0
 * scene_mark.c: where impacts were. The ledger has their times and what was reached, but no places: the place of a point at the time of its impact is continued in a
 * straight line from two frames on one side of it, between which no impact was; where there are none, the impact has no mark. Forms have no marks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "record/epochs.h"
#include "record/events.h"
#include "record/scene_part.h"

enum { MARKS = 200 };

typedef struct track { /* the point of an inequality */
    int    body, point;
    int    channel, turn; /* of the points of a lagrangian; of position and orientation of a rigid body; -1: not recorded */
    double r[3];          /* rigid: in body axes */
} track;

static int find_channel(const zw_layout *l, const char *kind, const char *name, const char *what) {
    char full[200];
    snprintf(full, sizeof full, "%s/%.100s/%s", kind, name, what);
    for (int i = 0; i < l->nchannels; i++) {
        if (strcmp(l->channel[i].name, full) == 0) {
            return i;
        }
    }
    return -1;
}

/* side names are NAME, or NAME.POINT where there are several points */
static bool find_track(const zw_scene *s, const zw_layout *l, const char *side, track *out) {
    const zw_model *m = s->model;
    for (int i = 0; i < m->nunilaterals; i++) {
        const zw_unilateral_def *u = &m->unilaterals[i];
        const zw_body_def       *b = &m->bodies[u->body];
        bool                     rigid = b->kind == ZW_BODY_RIGID;
        for (int k = 0; k < u->npoints; k++) {
            const zw_lagrange_point_def *p = &(rigid ? b->rigid.point : b->lagrangian.point)[u->point[k]];
            char                         name[200];
            snprintf(name, sizeof name, u->npoints > 1 ? "%.90s.%.90s" : "%.90s", u->name, p->name);
            if (strcmp(name, side) != 0) {
                continue;
            }
            *out = (track){.body = u->body, .point = u->point[k], .turn = -1};
            out->channel = rigid ? find_channel(l, "rigid", b->name, "position") : find_channel(l, "lagrangian", b->name, "points");
            for (int c = 0; rigid && c < 3; c++) {
                if (p->r[c].node != 0 && zw_model_constant(m, p->r[c], "picture", &out->r[c]) != ZW_OK) {
                    return false;
                }
            }
            out->turn = rigid ? find_channel(l, "rigid", b->name, "orientation") : -1;
            return out->channel >= 0 && (!rigid || out->turn >= 0);
        }
    }
    return false;
}

static zw_status place_at(const zw_epochs *all, const track *k, int64_t frame, double *work, double out[3]) {
    double q[4];
    ZW_TRY(zw_epochs_read(all, k->channel, frame, 1, work));
    if (k->turn < 0) {
        bool there = 3 * (size_t)k->point + 3 <= all->layout->channel[k->channel].count;
        memcpy(out, work + (there ? 3 * k->point : 0), 3 * sizeof *out);
        return ZW_OK;
    }
    ZW_TRY(zw_epochs_read(all, k->turn, frame, 1, q));
    zw_q_rotate(q, k->r, out);
    zw_v3_add(out, out, work);
    return ZW_OK;
}

/* is there another event of the ledger between two times? */
static bool disturbed(const zw_ledger *e, double from, double to, double but) {
    for (int64_t i = 0; i < e->rows; i++) {
        double t = e->row[i * ZW_LEDGER_COLUMNS + 1];
        if (t > from && t < to && t != but) {
            return true;
        }
    }
    return false;
}

zw_status zw_scene_marks_read(zw_scene *s, zw_arena *a, const zw_results *r) {
    zw_ledger e;
    zw_results_ledger(r, &e);
    if (!s->model || e.rows == 0 || zw_results_epochs(r) == 0) {
        return ZW_OK;
    }
    zw_epochs all;
    zw_epochs_init(&all, a, r);
    const zw_layout *l = all.layout;
    int64_t          frames = all.frames;
    int              time = -1;
    size_t           most = 3;
    for (int i = 0; i < l->nchannels; i++) {
        time = strcmp(l->channel[i].name, "time") == 0 ? i : time;
        most = l->channel[i].count > most ? l->channel[i].count : most;
    }
    double *t = zw_arena_alloc(a, (size_t)frames + 1, sizeof *t, "times of frames"), *work = zw_arena_alloc(a, most, sizeof *work, "marks");
    s->mark = zw_arena_alloc(a, 3 * MARKS, sizeof *s->mark, "marks");
    if (!t || !work || !s->mark) {
        return ZW_E_MEMORY;
    }
    if (time < 0 || frames < 3) {
        return ZW_OK;
    }
    ZW_TRY(zw_epochs_read(&all, time, 0, frames, t));
    int64_t k = 0;
    for (int64_t i = 0; i < e.rows && s->nmarks < MARKS; i++) {
        const double *row = e.row + i * ZW_LEDGER_COLUMNS;
        double        at = row[1], p[2][3];
        char          side[200];
        track         one;
        zw_ledger_side(e.sides, row[4] >= 0 && row[4] < 1e6 ? (int)row[4] : -1, side, sizeof side);
        if (!(row[3] >= 0) || !(row[5] > 0) || !find_track(s, l, side, &one)) { /* no impact, or this one was not hit */
            continue;
        }
        k = t[k] > at ? 0 : k;
        while (k + 1 < frames && t[k + 1] <= at) {
            k++;
        }
        int64_t from = k - 1;
        if (k < 1 || disturbed(&e, t[k - 1], at, at)) {
            from = k + 1;
            if (k + 2 >= frames || disturbed(&e, at, t[k + 2], at)) {
                continue;
            }
        }
        ZW_TRY(place_at(&all, &one, from, work, p[0]));
        ZW_TRY(place_at(&all, &one, from + 1, work, p[1]));
        for (int c = 0; c < 3; c++) {
            s->mark[3 * s->nmarks + c] = p[0][c] + (p[1][c] - p[0][c]) * (at - t[from]) / (t[from + 1] - t[from]);
        }
        s->nmarks++;
    }
    return ZW_OK;
}
