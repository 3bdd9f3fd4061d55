/* SPDX-License-Identifier: Apache-2.0
 * feature_element.c: corners, edges and faces of a form, in the axes of what carries it.
 *
 * Blocks and hulls: a plane through three points with all points on one side is a face; those on it, wrapped, are its corners; two faces meet in an edge. Points
 * inside the hull take no part. A stick is two corners and an edge with a radius, a ball one corner. The side of a drum is its axis with a radius, its ends
 * are discs with a rim. */
#include "rows/feature_part.h"

#include "base/context.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct wrap_wall {
    double n[3], d;
    int    count, *corner;
} wrap_wall;
typedef struct wrap_edge {
    int    from, to, nfaces; /* from < to */
    double inward[2][3], out[3];
} wrap_edge;

typedef struct wrap { /* while it is built; room for what a hull of n points can have: 2 n faces, 3 n edges, 6 n corners of faces */
    int n;
    double (*p)[3], size;
    int        nwalls, nedges, ncorners, most_walls, most_edges, most_corners;
    wrap_wall *wall;
    wrap_edge *edge;
    int       *corner, *on;
} wrap;

static bool known(const wrap *w, const double n[3], double d) {
    for (int i = 0; i < w->nwalls; i++) {
        if (zw_v3_dot(n, w->wall[i].n) > 1.0 - 1e-9 && fabs(d - w->wall[i].d) <= 1e-9 * w->size) {
            return true;
        }
    }
    return false;
}

/* corners of the face n.r = d in order: from one to the next that leaves all others to its left, as seen from outside */
static void wrap_face(wrap *w, const double n[3], double d) {
    int    count = 0, first = 0, *on = w->on;
    double middle[3] = {0.0, 0.0, 0.0}, far = -1.0, tolerance = 1e-9 * w->size;
    for (int i = 0; i < w->n; i++) {
        if (zw_v3_dot(n, w->p[i]) >= d - tolerance) {
            on[count++] = i;
            zw_v3_add(middle, middle, w->p[i]);
        }
    }
    zw_v3_scale(middle, 1.0 / count, middle);
    for (int i = 0; i < count; i++) {
        double away = zw_v3_distance(w->p[on[i]], middle);
        if (away > far + tolerance) {
            far = away;
            first = on[i];
        }
    }
    w->wall[w->nwalls].d = d;
    zw_v3_copy(w->wall[w->nwalls].n, n);
    int *to = w->wall[w->nwalls].corner = w->corner + w->ncorners, m = 0, at = first;
    do {
        if (w->ncorners == w->most_corners) {
            break;
        }
        w->ncorners++;
        int next = -1;
        to[m++] = at;
        for (int i = 0; i < count; i++) {
            double u[3], v[3], c[3];
            if (on[i] == at) {
                continue;
            }
            if (next < 0) {
                next = on[i];
                continue;
            }
            zw_v3_sub(u, w->p[next], w->p[at]);
            zw_v3_sub(v, w->p[on[i]], w->p[at]);
            zw_v3_cross(c, u, v);
            double left = zw_v3_dot(c, n), area = tolerance * (zw_v3_norm(u) + zw_v3_norm(v));
            if (left < -area || (left <= area && zw_v3_norm(v) > zw_v3_norm(u))) { /* to the right of what was next, or behind it */
                next = on[i];
            }
        }
        at = next;
    } while (at != first && at >= 0 && m < count);
    w->wall[w->nwalls++].count = m;
}

/* edges of the last face */
static void wrap_edges(wrap *w) {
    const wrap_wall *f = &w->wall[w->nwalls - 1];
    for (int k = 0; k < f->count; k++) {
        int    from = f->corner[k], to = f->corner[(k + 1) % f->count], low = from < to ? from : to, high = from < to ? to : from, at = 0;
        double u[3];
        zw_v3_sub(u, w->p[to], w->p[from]);
        zw_v3_unit(u, u);
        while (at < w->nedges && !(w->edge[at].from == low && w->edge[at].to == high)) {
            at++;
        }
        if (at == w->nedges && w->nedges < w->most_edges) {
            w->edge[w->nedges++] = (wrap_edge){.from = low, .to = high};
        }
        if (at < w->nedges && w->edge[at].nfaces < 2) {
            zw_v3_copy(w->edge[at].out, f->n);
            zw_v3_cross(w->edge[at].inward[w->edge[at].nfaces++], f->n, u);
        }
    }
}

/* all points on one side of the plane through i, j, k: a face, unless it is known */
static bool try_face(wrap *w, int i, int j, int k) {
    double u[3], v[3], n[3];
    bool   found = false, above = false, below = false;
    zw_v3_sub(u, w->p[j], w->p[i]);
    zw_v3_sub(v, w->p[k], w->p[i]);
    zw_v3_cross(n, u, v);
    if (!(zw_v3_unit(n, n) > 1e-9 * w->size * w->size)) {
        return false;
    }
    double d = zw_v3_dot(n, w->p[i]);
    for (int l = 0; l < w->n && !(above && below); l++) {
        double away = zw_v3_dot(n, w->p[l]) - d;
        above = above || away > 1e-9 * w->size;
        below = below || away < -1e-9 * w->size;
    }
    for (int side = 0; side < 2; side++) {
        if (!(side == 0 ? above : below) && w->nwalls < w->most_walls && !known(w, n, d)) {
            wrap_face(w, n, d);
            wrap_edges(w);
            found = true;
        }
        zw_v3_negate(n, n);
        d = -d;
    }
    return found;
}

/* the face across an edge with one face: the point that leaves all others behind when the plane turns about the edge */
static void turn_over(wrap *w, int edge) {
    const wrap_edge *e = &w->edge[edge];
    int              best = -1;
    double           value = INFINITY, out[3], inward[3];
    zw_v3_copy(out, e->out);
    zw_v3_copy(inward, e->inward[0]);
    for (int i = 0; i < w->n; i++) {
        double d[3];
        zw_v3_sub(d, w->p[i], w->p[e->from]);
        double along = zw_v3_dot(d, inward), deep = -zw_v3_dot(d, out);
        if (hypot(along, deep) > 1e-9 * w->size && deep > 1e-9 * w->size) { /* not on the face, nor on the edge */
            double angle = atan2(deep, -along);
            if (angle < value) {
                value = angle;
                best = i;
            }
        }
    }
    if (best >= 0) {
        try_face(w, e->from, e->to, best);
    }
}

/* a first face through the point farthest along x, then across all edges; small hulls: all triples, which also finds both sides of a flat one */
static void wrap_all(wrap *w) {
    enum { FEW = 24 };
    w->size = 0.0;
    for (int i = 0; i < w->n; i++) {
        w->size = fmax(w->size, zw_v3_distance(w->p[i], w->p[0]));
    }
    if (w->n <= FEW) {
        for (int i = 0; i < w->n; i++) {
            for (int j = i + 1; j < w->n; j++) {
                for (int k = j + 1; k < w->n; k++) {
                    try_face(w, i, j, k);
                }
            }
        }
        return;
    }
    int far = 0;
    for (int i = 1; i < w->n; i++) {
        for (int k = 0; k < 3; k++) {
            if (w->p[i][k] != w->p[far][k]) {
                far = w->p[i][k] > w->p[far][k] ? i : far;
                break;
            }
        }
    }
    for (int j = 0; j < w->n && w->nwalls == 0; j++) {
        for (int k = j + 1; k < w->n && w->nwalls == 0; k++) {
            if (j != far && k != far) {
                try_face(w, far, j, k);
            }
        }
    }
    for (int i = 0; i < w->nedges; i++) {
        if (w->edge[i].nfaces < 2) {
            turn_over(w, i);
        }
    }
}

static zw_status keep(zw_arena *a, const wrap *w, zw_elements *out) {
    int *number = w->on;
    out->corner = zw_arena_alloc(a, (size_t)w->n + 1, sizeof *out->corner, "features");
    out->edge = zw_arena_alloc(a, (size_t)w->nedges + 1, sizeof *out->edge, "features");
    out->wall = zw_arena_alloc(a, (size_t)w->nwalls + 1, sizeof *out->wall, "features");
    if (!out->corner || !out->edge || !out->wall) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < w->n; i++) {
        int ways = 0;
        for (int k = 0; k < w->nedges; k++) {
            ways += w->edge[k].from == i || w->edge[k].to == i;
        }
        number[i] = ways > 0 ? out->ncorners++ : -1;
        if (ways > 0) {
            zw_corner *c = &out->corner[number[i]];
            zw_v3_copy(c->p, w->p[i]);
            c->way = zw_arena_alloc(a, (size_t)ways, sizeof *c->way, "features");
            if (c->way == NULL) {
                return ZW_E_MEMORY;
            }
        }
    }
    for (int k = 0; k < w->nedges; k++) {
        zw_edge   *e = &out->edge[out->nedges++];
        zw_corner *from = &out->corner[number[w->edge[k].from]], *to = &out->corner[number[w->edge[k].to]];
        zw_v3_copy(e->p, from->p);
        zw_v3_sub(e->u, to->p, from->p);
        e->length = zw_v3_unit(e->u, e->u);
        e->nfaces = w->edge[k].nfaces;
        memcpy(e->inward, w->edge[k].inward, sizeof e->inward);
        zw_v3_copy(from->way[from->nways++], e->u);
        zw_v3_negate(to->way[to->nways++], e->u);
    }
    for (int k = 0; k < w->nwalls; k++) {
        zw_wall *f = &out->wall[out->nwalls++];
        zw_v3_copy(f->n, w->wall[k].n);
        f->d = w->wall[k].d;
        f->at = zw_arena_alloc(a, (size_t)w->wall[k].count, sizeof *f->at, "features");
        f->inward = zw_arena_alloc(a, (size_t)w->wall[k].count, sizeof *f->inward, "features");
        if (f->at == NULL || f->inward == NULL) {
            return ZW_E_MEMORY;
        }
        for (int i = 0; i < w->wall[k].count; i++) {
            double u[3];
            zw_v3_copy(f->at[i], w->p[w->wall[k].corner[i]]);
            zw_v3_sub(u, w->p[w->wall[k].corner[(i + 1) % w->wall[k].count]], f->at[i]);
            zw_v3_unit(u, u);
            zw_v3_cross(f->inward[i], f->n, u);
            f->nsides++;
        }
    }
    return ZW_OK;
}

static zw_status one_way(zw_arena *a, zw_corner *c, const double way[3]) {
    c->way = zw_arena_alloc(a, 1, sizeof *c->way, "features");
    if (c->way == NULL) {
        return ZW_E_MEMORY;
    }
    zw_v3_copy(c->way[0], way);
    c->nways = 1;
    return ZW_OK;
}

/* the axis as an edge; a stick has corners at its ends, a drum discs and rims */
static zw_status round_form(zw_arena *a, const zw_placed *form, zw_elements *out) {
    const zw_form *f = form->form;
    double         z[3], back[3];
    bool           drum = f->shape == ZW_SHAPE_DRUM;
    zw_m3_column(z, form->R, 2);
    zw_v3_negate(back, z);
    out->edge = zw_arena_alloc(a, 1, sizeof *out->edge, "features");
    out->corner = zw_arena_alloc(a, 2, sizeof *out->corner, "features");
    out->wall = zw_arena_alloc(a, 2, sizeof *out->wall, "features");
    if (!out->edge || !out->corner || !out->wall) {
        return ZW_E_MEMORY;
    }
    out->nedges = 1;
    out->edge[0].length = 2.0 * f->half;
    zw_v3_copy(out->edge[0].u, z);
    zw_v3_addscaled(out->edge[0].p, form->x, -f->half, z);
    for (int k = 0; k < 2; k++) {
        const double *outward = k == 0 ? z : back;
        zw_corner    *c = drum ? &out->rim[k] : &out->corner[k];
        zw_v3_addscaled(c->p, form->x, f->half, outward);
        ZW_TRY(one_way(a, c, drum ? outward : k == 0 ? back : z));
        if (drum) {
            zw_v3_copy(out->wall[k].n, outward);
            zw_v3_copy(out->wall[k].middle, c->p);
            out->wall[k].d = zw_v3_dot(outward, c->p);
            out->wall[k].radius = f->radius;
        }
    }
    out->ncorners = drum ? 0 : 2;
    out->nrims = out->nwalls = drum ? 2 : 0;
    out->edge_radius = f->radius;
    out->radius = drum ? 0.0 : f->radius;
    return ZW_OK;
}

zw_status zw_elements_create(zw_arena *a, const zw_placed *form, zw_elements *out) {
    const zw_form *f = form->form;
    *out = (zw_elements){0};
    if (f->shape == ZW_SHAPE_STICK || f->shape == ZW_SHAPE_DRUM) {
        return round_form(a, form, out);
    }
    if (f->shape == ZW_SHAPE_BALL) {
        out->radius = f->radius;
        out->ncorners = 1;
        out->corner = zw_arena_alloc(a, 1, sizeof *out->corner, "features");
        if (out->corner == NULL) {
            return ZW_E_MEMORY;
        }
        zw_v3_copy(out->corner[0].p, form->x);
        return ZW_OK;
    }
    int n = f->shape == ZW_SHAPE_BLOCK ? 8 : f->n;
    if (n > ZW_CLOUD_MOST) {
        return zw_raise(a->context, ZW_E_LIMIT, "contact", "use a hull of fewer points",
                        "a hull of %d points has too many features for located impacts: at most %d", n, ZW_CLOUD_MOST);
    }
    wrap w = {.n = n, .most_walls = 2 * n + 2, .most_edges = 3 * n + 6, .most_corners = 6 * n + 12};
    w.p = zw_alloc(a->context, (size_t)n, sizeof *w.p, "features");
    w.wall = zw_alloc(a->context, (size_t)w.most_walls, sizeof *w.wall, "features");
    w.edge = zw_alloc(a->context, (size_t)w.most_edges, sizeof *w.edge, "features");
    w.corner = zw_alloc(a->context, (size_t)w.most_corners + (size_t)n, sizeof *w.corner, "features");
    zw_status status = ZW_E_MEMORY;
    if (w.p != NULL && w.wall != NULL && w.edge != NULL && w.corner != NULL) {
        w.on = w.corner + w.most_corners;
        for (int i = 0; i < n; i++) {
            double p[3];
            if (f->shape == ZW_SHAPE_BLOCK) {
                zw_v3_set(p, i & 1 ? f->size[0] : -f->size[0], i & 2 ? f->size[1] : -f->size[1], i & 4 ? f->size[2] : -f->size[2]);
            } else {
                zw_v3_copy(p, f->point + 3 * (ptrdiff_t)i);
            }
            zw_m3_mulv(w.p[i], form->R, p);
            zw_v3_add(w.p[i], w.p[i], form->x);
        }
        wrap_all(&w);
        status = keep(a, &w, out);
    }
    zw_free(a->context, w.p);
    zw_free(a->context, w.wall);
    zw_free(a->context, w.edge);
    zw_free(a->context, w.corner);
    return status;
}

/* one side of a triangle, and those of its edges and corners that stick out of their mesh */
zw_status zw_elements_triangle(zw_arena *a, const double t[9], const double n[3], unsigned bent, zw_elements *out) {
    *out = (zw_elements){0};
    out->corner = zw_arena_alloc(a, 3, sizeof *out->corner, "features");
    out->edge = zw_arena_alloc(a, 3, sizeof *out->edge, "features");
    out->wall = zw_arena_alloc(a, 1, sizeof *out->wall, "features");
    if (!out->corner || !out->edge || !out->wall) {
        return ZW_E_MEMORY;
    }
    zw_wall *f = out->wall;
    f->at = zw_arena_alloc(a, 3, sizeof *f->at, "features");
    f->inward = zw_arena_alloc(a, 3, sizeof *f->inward, "features");
    if (f->at == NULL || f->inward == NULL) {
        return ZW_E_MEMORY;
    }
    out->nwalls = 1;
    f->nsides = 3;
    zw_v3_copy(f->n, n);
    f->d = zw_v3_dot(n, t);
    for (int k = 0; k < 3; k++) {
        const double *from = t + 3 * (ptrdiff_t)k, *to = t + 3 * (ptrdiff_t)((k + 1) % 3), *third = t + 3 * (ptrdiff_t)((k + 2) % 3);
        double        u[3], back[3];
        zw_v3_sub(u, to, from);
        double length = zw_v3_unit(u, u);
        zw_v3_copy(f->at[k], from);
        zw_v3_cross(f->inward[k], n, u);
        if (bent & (1u << k)) {
            zw_edge *e = &out->edge[out->nedges++];
            zw_v3_copy(e->p, from);
            zw_v3_copy(e->u, u);
            e->length = length;
            e->nfaces = 1;
            zw_v3_copy(e->inward[0], f->inward[k]);
        }
        if (bent & (8u << k)) {
            zw_corner *c = &out->corner[out->ncorners++];
            zw_v3_copy(c->p, from);
            c->way = zw_arena_alloc(a, 2, sizeof *c->way, "features");
            if (c->way == NULL) {
                return ZW_E_MEMORY;
            }
            zw_v3_sub(back, third, from);
            zw_v3_unit(back, back);
            zw_v3_copy(c->way[c->nways++], u);
            zw_v3_copy(c->way[c->nways++], back);
        }
    }
    return ZW_OK;
}
