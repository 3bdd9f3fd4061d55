/* SPDX-License-Identifier: Apache-2.0
 * meet.c: finding meetings at a state, and the same ones at another.
 *
 * id = piece a, piece or solid b, features: 21 bits each, so that the order of ids is the order of the broad phase's pairs; sides come last. */
#include "rows/meet_part.h"

#include "base/context.h"
#include "base/number.h"
#include "math/vec3.h"
#include "rows/side.h"

#include <math.h>
#include <stdio.h>

int zw_meet_pieces(const zw_meet *s) {
    return s->npieces;
}

double zw_meet_friction(const zw_meet *s) {
    return s->friction;
}

static void place(zw_meet *s, const zw_state *x, int i, zw_form *own, zw_placed *out) {
    const zw_meet_piece *p = &s->piece[i];
    zw_state             part = zw_meet_slice(s, p, x);
    s->part[p->part].ops->carrier->place(s->part[p->part].self, &part, p->k, own, out);
}

static zw_meeting *room_for(zw_meet *s, int n) {
    if (n > s->room) {
        int         more = n + n / 2 + 64;
        zw_meeting *found = zw_resize(s->context, s->found, (size_t)more, sizeof *found, "meetings");
        if (found == NULL) {
            return NULL;
        }
        s->found = found;
        s->room = more;
    }
    return s->found;
}

static int64_t make_id(int a, int b, int feature) {
    return ((int64_t)a << ZW_MEET_BITS | b) << ZW_MEET_BITS | feature;
}

/* by feature; two that share a number (hashed edges of hulls) are told apart by their order */
static void order_points(zw_meeting *m, int n, int a, int b) {
    for (int i = 0; i < n; i++) {
        m[i].id = zw_meet_feature_number(&m[i]);
    }
    for (int i = 1; i < n; i++) {
        zw_meeting keep = m[i];
        int        k = i;
        for (; k > 0 && m[k - 1].id > keep.id; k--) {
            m[k] = m[k - 1];
        }
        m[k] = keep;
    }
    for (int i = 1; i < n; i++) {
        m[i].id = m[i].id <= m[i - 1].id ? m[i - 1].id + 1 : m[i].id;
    }
    for (int i = 0; i < n; i++) {
        m[i].id = make_id(a, b, (int)m[i].id);
    }
}

static zw_status meet_solid(zw_meet *s, const zw_state *x, int i, int solid, double margin, zw_meeting *out, int *n) {
    zw_meet_obstacle *o = &s->obstacle[s->of_solid[solid]];
    const zw_placed  *a = &s->placed[i];
    zw_form           own;
    zw_placed         b;
    bool              form = zw_meet_solid_place(o, solid - o->solid0, a, &own, &b);
    if (o->kind == ZW_SOLID_MESH) {
        *n = zw_meet_facet(o, solid - o->solid0, a, &b, margin, out);
    } else if (form) {
        *n = zw_meet_forms(a, &b, margin, o->kind == ZW_SOLID_ENDLESS, out);
    } else if (o->kind == ZW_SOLID_PLANE) {
        *n = zw_meet_plane(a, &b, margin, out);
    } else if (o->kind == ZW_SOLID_LEVEL) {
        return zw_meet_level_find(s, o, a, x->t, margin, out, n);
    } else {
        *n = zw_meet_hollow(a, o, margin, out);
    }
    for (int k = 0; k < *n; k++) {
        double v[3];
        zw_meet_obstacle_velocity(o, out[k].touch.b, v);
        out[k].drift = zw_v3_dot(out[k].touch.n, v);
    }
    return ZW_OK;
}

/* neighbouring triangles of a mesh find the same point at their common edge: the first of them keeps it */
static int drop_doubles(const zw_meet *s, const zw_meeting *before, int n_before, zw_meeting *m, int n) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const zw_touch *t = &m[i].touch;
        bool            known = false;
        for (int k = 0; k < n_before + kept && !known; k++) {
            const zw_touch *u = k < n_before ? &before[k].touch : &m[k - n_before].touch;
            double          near = 1e-8 * zw_form_reach(s->placed[before[0].a].form);
            known = zw_v3_distance(t->a, u->a) <= near && zw_v3_dot(t->n, u->n) > 1.0 - 1e-9;
        }
        if (!known) {
            m[kept++] = m[i];
        }
    }
    return kept;
}

static zw_status find_sides(zw_meet *s, const zw_state *x, double margin, int *n) {
    for (int i = 0; i < s->nsides; i++) {
        zw_side_look look;
        if (s->side[i]->pair >= 0) {
            continue; /* a feature of two forms: found already */
        }
        ZW_TRY(zw_side_at(s->side[i], s->y, x, &look));
        if (!(look.gap <= margin)) {
            continue;
        }
        zw_meeting *m = room_for(s, *n + 1);
        if (m == NULL) {
            return ZW_E_MEMORY;
        }
        m += (*n)++;
        *m = (zw_meeting){.id = (int64_t)1 << 62 | i, .a = -1, .b = -1, .side = i, .touch = {.gap = look.gap}, .drift = look.drive};
        ZW_TRY(zw_side_restitution(s->side[i], s->y, x, &m->restitution));
    }
    return ZW_OK;
}

static zw_status place_all(zw_meet *s, const zw_state *x, double margin) {
    if (s->grows) {
        zw_meet_measure(s, x);
    }
    for (int i = 0; i < s->npieces; i++) {
        place(s, x, i, &s->own[i], &s->placed[i]);
        zw_box_of_form(&s->placed[i], 0.5 * margin, &s->box[i]);
    }
    for (int i = 0; i < s->nobstacles; i++) {
        zw_meet_obstacle *o = &s->obstacle[i];
        ZW_TRY(zw_meet_obstacle_at(s, o, x->t));
        zw_meet_obstacle_box(o, 0.5 * margin, &s->box[s->npieces + i]);
    }
    return ZW_OK;
}

/* boxes of the broad phase are pieces and obstacles */
static bool skips(void *user, int i, int j) {
    const zw_meet *s = user;
    return i >= s->npieces || zw_meet_skips(user, i, j < s->npieces ? j : s->npieces + s->obstacle[j - s->npieces].solid0);
}

/* adds what piece i has with piece or solid j; group: first meeting of the piece with the present obstacle */
static zw_status meet_pair(zw_meet *s, const zw_state *x, int i, int j, double margin, int group, int *n) {
    int         points = 0, b = j < s->npieces ? j : -1 - s->of_solid[j - s->npieces];
    zw_meeting *m = room_for(s, *n + ZW_MEET_POINTS);
    if (m == NULL) {
        return ZW_E_MEMORY;
    }
    if (b >= 0) {
        points = zw_meet_forms(&s->placed[i], &s->placed[j], margin, false, m + *n);
    } else {
        ZW_TRY(meet_solid(s, x, i, j - s->npieces, margin, m + *n, &points));
    }
    for (int p = 0; p < points; p++) {
        m[*n + p].a = i;
        m[*n + p].b = b;
        m[*n + p].restitution = s->restitution;
        m[*n + p].friction = s->friction;
    }
    if (b < 0 && s->obstacle[-1 - b].kind == ZW_SOLID_MESH) {
        points = drop_doubles(s, m + group, *n - group, m + *n, points);
    }
    order_points(m + *n, points, i, j);
    *n += points;
    return ZW_OK;
}

zw_status zw_meet_find(zw_meet *s, const zw_state *x, double margin, int *n, const zw_meeting **out) {
    const zw_pair *pair;
    size_t         count;
    *n = 0;
    *out = s->found;
    ZW_TRY(place_all(s, x, margin));
    ZW_TRY(zw_sweep_pairs(&s->sweep, s->box, s->npieces + s->nobstacles, skips, s, &pair, &count));
    for (size_t k = 0; k < count; k++) {
        int               i = pair[k].i, j = pair[k].j, group = *n;
        zw_meet_obstacle *o = j < s->npieces ? NULL : &s->obstacle[j - s->npieces];
        if (o == NULL || o->kind != ZW_SOLID_MESH) {
            ZW_TRY(meet_pair(s, x, i, o == NULL ? j : s->npieces + o->solid0, margin, group, n));
            continue;
        }
        zw_box     grown;
        const int *triangle;
        zw_box_of_form(&s->placed[i], margin, &grown);
        int near = zw_meet_tree_find(o, &grown, &triangle);
        for (int t = 0; t < near; t++) {
            ZW_TRY(meet_pair(s, x, i, s->npieces + o->solid0 + triangle[t], margin, group, n));
        }
    }
    ZW_TRY(find_sides(s, x, margin, n));
    *out = s->found;
    return ZW_OK;
}

static int solid_of(const zw_meet *s, const zw_meeting *m) {
    return (int)(m->id >> ZW_MEET_BITS & (((int64_t)1 << ZW_MEET_BITS) - 1)) - s->npieces;
}

static zw_status again_with_obstacle(zw_meet *s, const zw_state *x, const zw_placed *a, zw_meeting *m) {
    zw_meet_obstacle *o = &s->obstacle[-1 - m->b];
    zw_form           own;
    zw_placed         b;
    double            v[3];
    ZW_TRY(zw_meet_obstacle_at(s, o, x->t));
    bool form = zw_meet_solid_place(o, solid_of(s, m) - o->solid0, a, &own, &b);
    if (m->fb.kind == ZW_FEATURE_LEVEL) {
        return zw_meet_level_again(s, o, a, x->t, m);
    }
    if (m->fb.kind == ZW_FEATURE_HOLLOW_BALL || m->fb.kind == ZW_FEATURE_HOLLOW_DRUM) {
        zw_meet_hollow_again(a, o, &m->fa, &m->touch);
    } else if (!zw_meet_evaluate(a, &b, &m->fa, &m->fb, &m->touch) && form) {
        zw_form_distance(a, &b, &m->touch);
    }
    zw_meet_obstacle_velocity(o, m->touch.b, v);
    m->drift = zw_v3_dot(m->touch.n, v);
    return ZW_OK;
}

zw_status zw_meet_again(zw_meet *s, const zw_state *x, int n, const zw_meeting *from, zw_meeting *out) {
    for (int i = 0; i < n; i++) {
        zw_meeting *m = &out[i];
        zw_form     own[2];
        zw_placed   a, b;
        *m = from[i];
        if (m->side >= 0) {
            zw_side_look look;
            ZW_TRY(zw_side_at(s->side[m->side], s->y, x, &look));
            m->touch.gap = look.gap;
            m->drift = look.drive;
            continue;
        }
        place(s, x, m->a, &own[0], &a);
        if (m->b < 0) {
            ZW_TRY(again_with_obstacle(s, x, &a, m));
            continue;
        }
        place(s, x, m->b, &own[1], &b);
        if (!zw_meet_evaluate(&a, &b, &m->fa, &m->fb, &m->touch)) {
            zw_form_distance(&a, &b, &m->touch);
        }
    }
    return ZW_OK;
}

static void name_piece(const zw_meet *s, int i, char *out, size_t size) {
    const zw_meet_piece *p = &s->piece[i];
    const zw_body_def   *b = &s->model->bodies[p->body];
    if (b->kind == ZW_BODY_ROD || b->rigid.form.kind == ZW_FORM_COMPOUND) {
        snprintf(out, size, "%s.%d", b->name, p->piece + 1);
    } else {
        snprintf(out, size, "%s", b->name);
    }
}

void zw_meet_name(const zw_meet *s, const zw_meeting *m, char *out, size_t size) {
    char a[100], b[100];
    if (m->side >= 0) {
        snprintf(out, size, "%s", zw_side_name(s->side[m->side]));
        return;
    }
    name_piece(s, m->a, a, sizeof a);
    if (m->b >= 0) {
        name_piece(s, m->b, b, sizeof b);
    } else {
        snprintf(b, sizeof b, "%s", s->obstacle[-1 - m->b].def->name);
    }
    snprintf(out, size, "%s and %s", a, b);
}

zw_status zw_meet_check_start(zw_meet *s, const zw_state *x) {
    int               n, worst = -1;
    const zw_meeting *m;
    ZW_TRY(zw_meet_find(s, x, 0.0, &n, &m));
    for (int i = 0; i < n; i++) {
        double size = m[i].side >= 0 ? 0.0 : zw_form_reach(s->placed[m[i].a].form) + zw_v3_norm(s->placed[m[i].a].x);
        if (m[i].side < 0 && m[i].touch.gap < -1e-10 * size && (worst < 0 || m[i].touch.gap < m[worst].touch.gap)) {
            worst = i;
        }
    }
    if (worst < 0) {
        return ZW_OK;
    }
    char subject[220], depth[ZW_NUMBER_TEXT];
    int  a = s->piece[m[worst].a].body;
    bool self = m[worst].b >= 0 && s->piece[m[worst].b].body == a;
    zw_meet_name(s, &m[worst], subject, sizeof subject);
    return zw_model_raise(s->model, ZW_E_MODEL, s->model->bodies[a].at, subject,
                          self ? "start the rod farther from itself, make it thinner, or leave contact.self away"
                               : "move them apart, or list the pairs that may meet in contact.pairs",
                          "they overlap at the start by %s m", zw_number_short(-m[worst].touch.gap, 6, depth));
}
