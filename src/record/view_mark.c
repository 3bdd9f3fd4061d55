/* SPDX-License-Identifier: Apache-2.0
 * view_mark.c: the ledger of events in the page, and where they were. The ledger has times and impulses but no places: bodies are carried to the time of the event from
 * the nearest frame before it, or after it where another event lies between, with the velocity recorded there; two forms then touch where they are nearest, a point of an
 * inequality is where it is. An event between bodies that are then still far apart (a twentieth of the scene) has no place. Rods have none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "record/events.h"
#include "record/view_part.h"

enum { ROWS = 2000 };

typedef struct pose {
    double x[3], q[4], R[9];
} pose;

typedef struct times { /* of all frames that are like the first */
    int64_t n;
    double *t;
} times;

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

static bool event_between(const zw_ledger *e, double from, double to, double but) {
    for (int64_t i = 0; i < e->rows; i++) {
        double t = e->row[i * ZW_LEDGER_COLUMNS + 1];
        if (t > from && t < to && t != but) {
            return true;
        }
    }
    return false;
}

/* the frame to start from */
static int64_t nearest_frame(const times *f, const zw_ledger *e, double t) {
    int64_t lo = 0, hi = f->n - 1;
    while (lo < hi) { /* last frame that is not later */
        int64_t middle = lo + (hi - lo + 1) / 2;
        if (f->t[middle] <= t) {
            lo = middle;
        } else {
            hi = middle - 1;
        }
    }
    bool before = !event_between(e, f->t[lo], t, t);
    return !before && lo + 1 < f->n && !event_between(e, t, f->t[lo + 1], t) ? lo + 1 : lo;
}

static zw_status pose_at(const zw_view *v, const times *f, const char *name, int64_t frame, double t, pose *out, bool *known) {
    const zw_layout     *l = v->epochs.layout;
    const zw_view_frames all = {.total = f->n, .kept = f->n};
    int                  x = find_channel(l, "rigid", name, "position"), q = find_channel(l, "rigid", name, "orientation");
    int                  dx = find_channel(l, "rigid", name, "velocity"), dq = find_channel(l, "rigid", name, "spin");
    double               u[3] = {0, 0, 0}, spin[3] = {0, 0, 0}, turn[4], start[4] = {1, 0, 0, 0}, dt = t - f->t[frame];
    *known = x >= 0 && q >= 0;
    if (!*known) {
        return ZW_OK;
    }
    ZW_TRY(zw_view_read(v, &all, x, frame, 1, out->x));
    ZW_TRY(zw_view_read(v, &all, q, frame, 1, start));
    if (dx >= 0) {
        ZW_TRY(zw_view_read(v, &all, dx, frame, 1, u));
    }
    if (dq >= 0) {
        ZW_TRY(zw_view_read(v, &all, dq, frame, 1, spin));
    }
    zw_v3_addscaled(out->x, out->x, dt, u);
    zw_v3_scale(spin, dt, spin);
    zw_q_exp(spin, turn); /* body axes: from the right */
    zw_q_mul(start, turn, out->q);
    zw_q_to_matrix(out->q, out->R);
    return ZW_OK;
}

static zw_placed placed(const zw_placed *piece, const pose *p) {
    zw_placed out = {.form = piece->form};
    zw_m3_mulv(out.x, p->R, piece->x);
    zw_v3_add(out.x, out.x, p->x);
    zw_m3_mul(out.R, p->R, piece->R);
    return out;
}

static void nearer(zw_touch *best, const zw_touch *one) {
    if (one->gap < best->gap) {
        *best = *one;
    }
}

static void against_wall(const zw_scene_wall *w, const zw_placed *a, zw_touch *best) {
    zw_touch  one = {.gap = INFINITY};
    zw_placed b = {.form = w->solid.at.form};
    double    axis[3] = {w->R[2], w->R[5], w->R[8]}, n[3];
    memcpy(b.x, w->x, sizeof b.x);
    memcpy(b.R, w->R, sizeof b.R);
    if (w->kind == ZW_FORM_PLANE) {
        zw_m3_mulv(n, w->R, w->n);
        zw_form_against_plane(a, n, w->x, &one);
    } else if (w->kind == ZW_FORM_MESH) {
        for (int i = 0; i < w->ntriangles; i++) {
            double   corner[9];
            zw_touch each;
            for (int k = 0; k < 3; k++) {
                zw_m3_mulv(corner + 3 * k, w->R, w->corner + 9 * (size_t)i + 3 * k);
                zw_v3_add(corner + 3 * k, corner + 3 * k, w->x);
            }
            zw_form_against_triangle(a, corner, &each);
            nearer(&one, &each);
        }
    } else if (w->hollow && w->kind == ZW_FORM_SPHERE) {
        zw_form_inside_ball(a, w->x, b.form->radius, &one);
    } else if (w->hollow && w->kind == ZW_FORM_CYLINDER) {
        zw_form_inside_drum(a, w->x, axis, b.form->radius, &one);
    } else if (b.form && !w->hollow) {
        zw_form_distance(a, &b, &one);
    }
    nearer(best, &one);
}

/* names of a side are "A and B" with or without ": how" */
static bool is_pair(const char *side, const char *a, const char *b) {
    char both[300];
    int  n = snprintf(both, sizeof both, "%.120s and %.120s", a, b);
    return n > 0 && strncmp(side, both, (size_t)n) == 0 && (side[n] == 0 || side[n] == ':' || side[n] == ' ');
}

static zw_status forms_touch(zw_view *v, const times *f, const char *side, int64_t frame, double t, zw_touch *best) {
    const zw_model *m = v->model;
    for (int i = 0; i < m->nbodies; i++) {
        pose p, o;
        bool known;
        if (m->bodies[i].kind != ZW_BODY_RIGID || strncmp(side, m->bodies[i].name, strlen(m->bodies[i].name)) != 0) {
            continue;
        }
        for (int j = 0; j < m->nbodies + m->nobstacles; j++) {
            bool wall = j >= m->nbodies;
            if (!is_pair(side, m->bodies[i].name, wall ? m->obstacles[j - m->nbodies].name : m->bodies[j].name) ||
                (!wall && m->bodies[j].kind != ZW_BODY_RIGID) || (wall && v->scene.nwalls < m->nobstacles)) {
                continue;
            }
            ZW_TRY(pose_at(v, f, m->bodies[i].name, frame, t, &p, &known));
            if (known && !wall) {
                ZW_TRY(pose_at(v, f, m->bodies[j].name, frame, t, &o, &known));
            }
            for (int k = 0; known && k < v->scene.solids_of[i].nsolids; k++) {
                zw_placed a = placed(&v->scene.solids_of[i].solid[k].at, &p);
                if (wall) {
                    against_wall(&v->scene.wall[j - m->nbodies], &a, best);
                    continue;
                }
                for (int h = 0; h < v->scene.solids_of[j].nsolids; h++) {
                    zw_placed b = placed(&v->scene.solids_of[j].solid[h].at, &o);
                    zw_touch  one;
                    zw_form_distance(&a, &b, &one);
                    nearer(best, &one);
                }
            }
            return ZW_OK;
        }
    }
    return ZW_OK;
}

/* the wall of an inequality, when none was left out */
static const zw_scene_wall *wall_of(const zw_view *v, int unilateral) {
    int k = v->model->nobstacles;
    for (int i = 0; i < unilateral; i++) {
        k += v->model->unilaterals[i].npoints > 0;
    }
    return k < v->scene.nwalls && v->scene.wall[k].kind == ZW_FORM_GAP ? &v->scene.wall[k] : NULL;
}

/* away from where bodies cannot be */
static void normal_at(const zw_view *v, const zw_scene_wall *w, const double x[3], double t, double n[3]) {
    const zw_scene *s = &v->scene;
    double          size = 1e-5 * fmax(fmax(s->hi[0] - s->lo[0], s->hi[1] - s->lo[1]), fmax(s->hi[2] - s->lo[2], 1e-9));
    int             slot[3] = {s->model->slot_x, s->model->slot_y, s->model->slot_z};
    for (int k = 0; k < 3; k++) {
        double f[2];
        for (int j = 0; j < 2; j++) {
            s->in[slot[0]] = x[0], s->in[slot[1]] = x[1], s->in[slot[2]] = x[2];
            s->in[s->model->slot_t] = t;
            s->in[slot[k]] += j ? size : -size;
            zw_tape_eval(w->tape, s->in, s->work, &f[j]);
        }
        n[k] = (w->flips ? -1.0 : 1.0) * (f[1] - f[0]);
    }
    double length = zw_v3_norm(n);
    for (int k = 0; k < 3; k++) {
        n[k] = length > 0.0 && isfinite(length) ? n[k] / length : 0.0;
    }
}

static zw_status point_touch(zw_view *v, const times *f, const char *side, int64_t frame, double t, zw_touch *best) {
    const zw_model      *m = v->model;
    const zw_layout     *l = v->epochs.layout;
    const zw_view_frames all = {.total = f->n, .kept = f->n};
    for (int i = 0; i < m->nunilaterals; i++) {
        const zw_unilateral_def *u = &m->unilaterals[i];
        const zw_body_def       *b = &m->bodies[u->body];
        bool                     rigid = b->kind == ZW_BODY_RIGID;
        for (int k = 0; k < u->npoints; k++) {
            const zw_lagrange_point_def *p = &(rigid ? b->rigid.point : b->lagrangian.point)[u->point[k]];
            char                         name[200];
            double                       x[3], r[3];
            bool                         known = true;
            snprintf(name, sizeof name, u->npoints > 1 ? "%.90s.%.90s" : "%.90s", u->name, p->name);
            if (strcmp(name, side) != 0) {
                continue;
            }
            if (rigid) {
                pose at;
                ZW_TRY(pose_at(v, f, b->name, frame, t, &at, &known));
                for (int c = 0; known && c < 3; c++) {
                    known = zw_view_constant(v, p->r[c], 0.0, &r[c]);
                }
                if (known) {
                    zw_m3_mulv(x, at.R, r);
                    zw_v3_add(x, x, at.x);
                }
            } else { /* points have no velocities: a straight line between frames */
                int     channel = find_channel(l, "lagrangian", b->name, "points");
                int64_t from = frame > 0 && f->t[frame] <= t ? frame - 1 : frame;
                known = channel >= 0 && from + 1 < f->n && 3 * (size_t)u->point[k] + 3 <= l->channel[channel].count;
                if (known) {
                    size_t        width = l->channel[channel].count;
                    zw_arena_mark mark = zw_arena_mark_now(&v->arena);
                    double       *two = zw_arena_alloc(&v->arena, 2 * width, sizeof *two, "points");
                    if (!two) {
                        return ZW_E_MEMORY;
                    }
                    ZW_TRY(zw_view_read(v, &all, channel, from, 2, two));
                    for (int c = 0; c < 3; c++) {
                        double a = two[3 * u->point[k] + c], d = two[width + 3 * (size_t)u->point[k] + (size_t)c];
                        x[c] = a + (d - a) * (t - f->t[from]) / (f->t[from + 1] - f->t[from]);
                    }
                    zw_arena_release(&v->arena, mark);
                }
            }
            const zw_scene_wall *w = wall_of(v, i);
            if (known) {
                *best = (zw_touch){.gap = 0.0};
                zw_v3_copy(best->a, x);
                zw_v3_copy(best->b, x);
                if (w) {
                    normal_at(v, w, x, t, best->n);
                    zw_v3_scale(best->n, -1.0, best->n); /* of a touch: from the body outwards */
                }
            }
            return ZW_OK;
        }
    }
    return ZW_OK;
}

static void names(zw_text *t, const char *key, const char *lines) {
    zw_text_addf(t, ",\"%s\":[", key);
    for (bool first = true; *lines; first = false) {
        size_t n = strcspn(lines, "\n");
        char   one[300];
        snprintf(one, sizeof one, "%.*s", (int)(n < 290 ? n : 290), lines);
        zw_text_add(t, first ? "" : ",");
        zw_text_json_string(t, one);
        lines += n + (lines[n] == '\n');
    }
    zw_text_add(t, "]");
}

zw_status zw_view_write_ledger(zw_view *v) {
    zw_ledger       e;
    zw_text        *t = &v->json;
    const zw_scene *s = &v->scene;
    zw_results_ledger(v->results, &e);
    if (e.rows == 0) {
        return ZW_OK;
    }
    int64_t rows = e.rows < ROWS ? e.rows : ROWS;
    times   f = {.n = v->frames.total};
    double *place = zw_arena_alloc(&v->arena, 6 * (size_t)rows, sizeof *place, "places of events");
    f.t = zw_arena_alloc(&v->arena, (size_t)f.n + 1, sizeof *f.t, "times of frames");
    if (!place || !f.t) {
        return ZW_E_MEMORY;
    }
    const zw_view_frames all = {.total = f.n, .kept = f.n};
    ZW_TRY(zw_view_read(v, &all, 0, 0, f.n, f.t));
    double size = fmax(fmax(s->hi[0] - s->lo[0], s->hi[1] - s->lo[1]), s->hi[2] - s->lo[2]);
    for (int64_t i = 0; i < rows; i++) {
        const double *row = e.row + i * ZW_LEDGER_COLUMNS;
        zw_touch      best = {.gap = INFINITY};
        char          side[300];
        zw_ledger_side(e.sides, row[4] >= 0 && row[4] < 1e6 ? (int)row[4] : -1, side, sizeof side);
        if (v->model && f.n > 1 && side[0]) {
            int64_t frame = nearest_frame(&f, &e, row[1]);
            ZW_TRY(point_touch(v, &f, side, frame, row[1], &best));
            if (!(best.gap < INFINITY)) {
                ZW_TRY(forms_touch(v, &f, side, frame, row[1], &best));
            }
        }
        bool good = fabs(best.gap) <= 0.05 * size;
        for (int k = 0; k < 3; k++) {
            place[6 * i + k] = good ? 0.5 * (best.a[k] + best.b[k]) : NAN;
            place[6 * i + 3 + k] = good ? -best.n[k] : NAN; /* the push on the body */
        }
    }
    zw_text_addf(t, ",\n\"ledger\":{\"rows\":%lld,\"total\":%lld,\"columns\":%d,\"data\":", (long long)rows, (long long)e.rows,
                 ZW_LEDGER_COLUMNS);
    zw_blob_array(&v->blob, t, e.row, (size_t)rows * ZW_LEDGER_COLUMNS, ZW_BLOB_F64);
    zw_text_add(t, ",\"place\":");
    zw_blob_array(&v->blob, t, place, 6 * (size_t)rows, ZW_BLOB_F32);
    names(t, "sides", e.sides);
    zw_text_add(t, ",\"kinds\":[");
    for (int k = ZW_EVENT_IMPACT; k <= ZW_EVENT_RELEASE; k++) {
        zw_text_add(t, k ? "," : "");
        zw_text_json_string(t, zw_event_kind_name((zw_event_kind)k));
    }
    zw_text_add(t, "],\"laws\":[");
    for (int k = 0; k < 5; k++) {
        zw_text_add(t, k ? "," : "");
        zw_text_json_string(t, zw_event_law_name(k));
    }
    zw_text_add(t, "]}");
    return zw_text_status(t);
}
