/* SPDX-License-Identifier: Apache-2.0
 * meet_create.c: what can meet what in a model.
 *
 * Contact is looked for where the model has `contact:` or `obstacles:`; without them bodies pass through each other. Left out are bodies that a joint
 * holds together, pieces of one rigid body, and links of a rod that are nearer along it than pi/2 diameters: a rod bent to a half circle of its own
 * radius comes no nearer to itself. */
#include "rows/meet_part.h"

#include "base/context.h"
#include "base/number.h"
#include "parts/rigid.h"
#include "parts/rod.h"
#include "rows/side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static int pair_order(const void *a, const void *b) {
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static bool in_list(int n, int (*list)[2], int i, int j) {
    int key[2] = {i < j ? i : j, i < j ? j : i};
    return n > 0 && bsearch(key, list, (size_t)n, sizeof *list, pair_order) != NULL;
}

static void put_pair(int (*list)[2], int *n, int i, int j) {
    list[*n][0] = i < j ? i : j;
    list[*n][1] = i < j ? j : i;
    (*n)++;
}

static zw_status read_pairs(zw_meet *s) {
    const zw_model *m = s->model;
    s->joined = zw_arena_alloc(&s->arena, (size_t)m->nconstraints + 1, sizeof *s->joined, "joined bodies");
    s->listed = zw_arena_alloc(&s->arena, (size_t)m->contact.npairs + 1, sizeof *s->listed, "pairs of contact");
    if (s->joined == NULL || s->listed == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nconstraints; i++) {
        const zw_constraint_def *c = &m->constraints[i];
        if (c->a.body >= 0 && c->b.body >= 0 && c->a.body != c->b.body && strcmp(c->kind, "spring") != 0) {
            put_pair(s->joined, &s->njoined, c->a.body, c->b.body);
        }
    }
    qsort(s->joined, (size_t)s->njoined, sizeof *s->joined, pair_order);
    for (int i = 0; i < m->contact.npairs; i++) {
        put_pair(s->listed, &s->nlisted, m->contact.pair[i][0], m->contact.pair[i][1]);
    }
    qsort(s->listed, (size_t)s->nlisted, sizeof *s->listed, pair_order);
    s->all = m->contact.npairs == 0 && m->contact.all;
    return ZW_OK;
}

/* links of one rod: nearer along it, from end to end, than either bends around itself */
static bool neighbours(const zw_meet *s, int i, int j) {
    double way = fabs(s->label[i] - s->label[j]);
    if (s->ring[i] > 0.0) {
        way = fmin(way, s->ring[i] - way);
    }
    return way - 0.5 * (s->link[i] + s->link[j]) < fmax(s->reach[i], s->reach[j]);
}

bool zw_meet_skips(void *user, int i, int j) {
    const zw_meet *s = user;
    if (i >= s->npieces) {
        return true; /* two obstacles */
    }
    int a = s->piece[i].body, b = j < s->npieces ? s->piece[j].body : -1 - s->of_solid[j - s->npieces];
    if (a == b) {
        return s->piece[i].link < 0 || !s->model->contact.self || neighbours(s, i, j);
    }
    return in_list(s->njoined, s->joined, a, b) || (!s->all && !in_list(s->nlisted, s->listed, a, b));
}

static zw_status read_pieces(zw_meet *s) {
    const zw_model *m = s->model;
    size_t          n = 0;
    for (int i = 0; i < s->nparts; i++) {
        n += s->part[i].ops->carrier != NULL ? (size_t)s->part[i].ops->carrier->count(s->part[i].self) : 0;
    }
    if (n + (size_t)s->nsolids >= (size_t)1 << ZW_MEET_BITS) {
        return zw_raise(s->context, ZW_E_MODEL, "contact", "use fewer forms or triangles",
                        "there are %zu forms and triangles; contact knows at most %d", n + (size_t)s->nsolids, (1 << ZW_MEET_BITS) - 1);
    }
    s->piece = zw_arena_alloc(&s->arena, n + 1, sizeof *s->piece, "pieces");
    s->label = zw_arena_alloc(&s->arena, n + 1, sizeof *s->label, "pieces");
    s->reach = zw_arena_alloc(&s->arena, n + 1, sizeof *s->reach, "pieces");
    s->link = zw_arena_alloc(&s->arena, n + 1, sizeof *s->link, "pieces");
    s->ring = zw_arena_alloc(&s->arena, n + 1, sizeof *s->ring, "pieces");
    s->own = zw_arena_alloc(&s->arena, n + 1, sizeof *s->own, "pieces");
    s->placed = zw_arena_alloc(&s->arena, n + 1, sizeof *s->placed, "pieces");
    s->box = zw_arena_alloc(&s->arena, n + (size_t)s->nobstacles + 1, sizeof *s->box, "boxes of pieces");
    if (!s->piece || !s->label || !s->reach || !s->link || !s->ring || !s->own || !s->placed || !s->box) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < s->nparts; i++) {
        const zw_part *part = &s->part[i];
        bool           rods = part->ops == &zw_rods_ops;
        int            count = part->ops->carrier != NULL ? part->ops->carrier->count(part->self) : 0;
        int            body = -1, next = -1; /* bodies of the model in the order of the part */
        for (int k = 0; k < count; k++) {
            zw_meet_piece *p = &s->piece[s->npieces];
            zw_carried     c = {0};
            part->ops->carrier->piece(part->self, k, &c);
            for (; next < c.body; next++) {
                do {
                    body++;
                } while (m->bodies[body].kind != (rods ? ZW_BODY_ROD : ZW_BODY_RIGID));
            }
            *p = (zw_meet_piece){
                .part = i, .k = k, .body = body, .piece = c.piece, .link = c.bends ? c.piece : -1, .rod = c.bends ? c.body : -1};
            s->npieces++;
        }
        s->grows = s->grows || (rods && ((const zw_rods *)part->self)->growth != NULL);
    }
    zw_meet_measure(s, NULL);
    return ZW_OK;
}

void zw_meet_measure(zw_meet *s, const zw_state *x) {
    double length = 0.0;
    for (int i = 0; i < s->npieces; i++) {
        const zw_meet_piece *p = &s->piece[i];
        const zw_rods       *all = s->part[p->part].self;
        if (p->link < 0) {
            continue;
        }
        const zw_rod *r = &all->rod[p->rod];
        if (p->link == 0 && x != NULL) {
            zw_state own = zw_meet_slice(s, p, x);
            zw_rods_tune(all, &own);
        }
        length = p->link == 0 ? 0.0 : length;
        s->link[i] = all->l[p->k];
        s->label[i] = length + 0.5 * s->link[i];
        s->reach[i] = PI * 0.5 * (all->radius[r->node0 + p->link] + all->radius[zw_rod_far(r, p->link)]);
        length += s->link[i];
        for (int k = i - p->link; k <= i && p->link == r->nlinks - 1; k++) {
            s->ring[k] = r->closed ? length : 0.0;
        }
    }
}

/* a rod without a radius is a line: it has no normal where it meets */
static zw_status check_radii(zw_meet *s) {
    for (int i = 0; i < s->npieces; i++) {
        const zw_body_def *b = &s->model->bodies[s->piece[i].body];
        if (s->piece[i].link >= 0 && !(s->reach[i] > 0.0)) {
            char subject[128];
            snprintf(subject, sizeof subject, "bodies.%.100s.rod", b->name);
            return zw_model_raise(s->model, ZW_E_MODEL, b->at, subject, "give it radius:, or list the pairs of contact without it",
                                  "it has no radius, and a line without thickness meets nothing");
        }
    }
    return ZW_OK;
}

static zw_status count_sides(zw_meet *s) {
    for (int i = 0; i < s->nsides; i++) {
        int tiles, rows, blocks, values;
        zw_side_ops.count(s->side[i], &tiles, &rows, &blocks, &values);
        s->side_blocks = blocks > s->side_blocks ? blocks : s->side_blocks;
        s->side_values = values > s->side_values ? values : s->side_values;
    }
    return ZW_OK;
}

/* can anything meet? */
static bool is_empty(const zw_meet *s) {
    return s->nsides == 0 && (s->npieces == 0 || (!s->all && s->nlisted == 0 && !s->model->contact.self));
}

static zw_status read_law(zw_meet *s) {
    const zw_contact_def *c = &s->model->contact;
    s->restitution = 1.0;
    if (c->restitution.node != 0) {
        ZW_TRY(zw_model_constant(s->model, c->restitution, "contact.restitution", &s->restitution));
    } else if (c->loss.node != 0) {
        double loss;
        ZW_TRY(zw_model_constant(s->model, c->loss, "contact.loss", &loss));
        s->restitution = sqrt(fmax(0.0, 1.0 - loss));
    }
    return c->friction.node != 0 ? zw_model_constant(s->model, c->friction, "contact.friction", &s->friction) : ZW_OK;
}

void zw_meet_destroy(zw_meet *s) {
    if (s == NULL) {
        return;
    }
    zw_context *c = s->context;
    zw_meet_obstacles_destroy(s);
    if (s->sweep.context != NULL) {
        zw_sweep_destroy(&s->sweep);
    }
    zw_free(c, s->found);
    zw_arena_destroy(&s->arena);
    zw_free(c, s);
}

zw_status zw_meet_build(zw_system *y, const zw_model *m, int nsides, struct zw_side *const *side, zw_meet **out) {
    zw_status status = ZW_OK;
    *out = NULL;
    bool looks = m->contact.given || m->nobstacles > 0;
    if (!looks && nsides == 0) {
        return ZW_OK;
    }
    zw_meet *s = zw_alloc(m->context, 1, sizeof *s, "contact");
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->context = m->context;
    s->model = m;
    s->y = y;
    s->nsides = nsides;
    s->side = side;
    s->nparts = looks ? zw_system_parts(y, &s->part) : 0;
    zw_arena_init(&s->arena, m->context);
    ZW_TRY_GOTO(count_sides(s), done);
    ZW_TRY_GOTO(read_law(s), done);
    ZW_TRY_GOTO(read_pairs(s), done);
    if (looks) {
        ZW_TRY_GOTO(zw_meet_obstacles_create(s), done);
    }
    ZW_TRY_GOTO(read_pieces(s), done);
    if (is_empty(s)) {
        goto done;
    }
    ZW_TRY_GOTO(check_radii(s), done);
    ZW_TRY_GOTO(zw_sweep_init(&s->sweep, s->context, s->npieces + s->nobstacles, 4 * (size_t)(s->npieces + s->nobstacles)), done);
    *out = s;
    return ZW_OK;
done:
    zw_meet_destroy(s);
    return status;
}
