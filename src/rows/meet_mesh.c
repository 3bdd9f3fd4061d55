/* SPDX-License-Identifier: Apache-2.0
 * meet_mesh.c: triangles as obstacles, felt on the side that their winding looks to.
 *
 * Corners, caps and rims of a piece meet the plane of a triangle where their foot is inside it. Edges and corners of the mesh meet a piece only where they
 * stick out: with d, the direction from the mesh to the piece, all neighbouring corners w of the feature must be below, d.(w - p) <= 0. So shared edges of a flat
 * surface push nobody sideways, and neither do the edges at the bottom of a groove. A piece wholly behind a triangle does not feel it. */
#include "rows/meet_part.h"

#include "base/context.h"
#include "math/form_core.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NEAR 1e-9 /* of the size */

typedef struct edge {
    int from, to; /* welded points, from < to */
    int triangle, k;
} edge;

static int edge_order(const void *a, const void *b) {
    const edge *e = a, *f = b;
    if (e->from != f->from) {
        return e->from < f->from ? -1 : 1;
    }
    if (e->to != f->to) {
        return e->to < f->to ? -1 : 1;
    }
    return e->triangle < f->triangle ? -1 : e->triangle > f->triangle;
}

typedef struct site {
    double p[3];
    int    number;
} site;

static int site_order(const void *a, const void *b) {
    const site *s = a, *t = b;
    for (int k = 0; k < 3; k++) {
        if (s->p[k] != t->p[k]) {
            return s->p[k] < t->p[k] ? -1 : 1;
        }
    }
    return s->number < t->number ? -1 : s->number > t->number;
}

/* points at the same place are one: weld[i] is the first of them */
static zw_status weld_points(zw_context *c, int n, const double *p, int *weld) {
    site *s = zw_alloc(c, (size_t)n, sizeof *s, "points of a mesh");
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            s[i].p[k] = p[3 * (size_t)i + (size_t)k] + 0.0; /* -0 is 0 */
        }
        s[i].number = i;
    }
    qsort(s, (size_t)n, sizeof *s, site_order);
    for (int i = 0, first = 0; i < n; i++) {
        first = zw_v3_distance(s[i].p, s[first].p) > 0.0 ? i : first;
        weld[s[i].number] = s[first].number;
    }
    zw_free(c, s);
    return ZW_OK;
}

static double size_of(const double t[9]) {
    return fmax(zw_v3_distance(t, t + 3), fmax(zw_v3_distance(t + 3, t + 6), zw_v3_distance(t + 6, t)));
}

/* across[3 i + k]: the corner opposite edge k in the triangle beyond it; NAN: a border */
static void find_neighbours(zw_meet_obstacle *o, int n, edge *e, int (*corner)[3]) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            int a = corner[i][k], b = corner[i][(k + 1) % 3];
            e[3 * i + k] = (edge){a < b ? a : b, a < b ? b : a, i, k};
            zw_v3_set(o->across + 9 * (size_t)i + 3 * (size_t)k, NAN, NAN, NAN);
        }
    }
    qsort(e, 3 * (size_t)n, sizeof *e, edge_order);
    for (int i = 0; i < 3 * n;) {
        int last = i + 1;
        while (last < 3 * n && e[last].from == e[i].from && e[last].to == e[i].to) {
            last++;
        }
        if (last - i == 2) { /* more than two triangles at an edge: each is a border for itself */
            for (int side = 0; side < 2; side++) {
                const edge *own = &e[i + side], *other = &e[i + 1 - side];
                zw_v3_copy(o->across + 9 * (size_t)own->triangle + 3 * (size_t)own->k,
                           o->corner + 9 * (size_t)other->triangle + 3 * (size_t)((other->k + 2) % 3));
            }
        }
        i = last;
    }
}

/* an edge sticks out when the triangle beyond it bends down, a corner when an edge at it does */
static void find_bends(zw_meet_obstacle *o, int n, int (*corner)[3], unsigned char *sharp) {
    for (int i = 0; i < n; i++) {
        const double *t = o->corner + 9 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            const double *w = o->across + 9 * (size_t)i + 3 * (size_t)k;
            double        d[3];
            zw_v3_sub(d, w, t + 3 * (size_t)k);
            if (!(zw_v3_dot(d, o->normal + 3 * (size_t)i) >= -NEAR * size_of(t))) { /* also a border */
                o->bent[i] |= (unsigned char)(1 << k);
                sharp[corner[i][k]] = sharp[corner[i][(k + 1) % 3]] = 1;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            o->bent[i] |= (unsigned char)(sharp[corner[i][k]] << (3 + k));
        }
    }
}

/* the two other corners of each triangle at a point, one behind the other */
static zw_status find_rings(zw_meet *s, zw_meet_obstacle *o, int n, int npoints, int (*corner)[3]) {
    o->ring0 = zw_arena_alloc(&s->arena, (size_t)npoints + 1, sizeof *o->ring0, "a mesh");
    o->ring = zw_arena_alloc(&s->arena, 18 * (size_t)n, sizeof *o->ring, "a mesh");
    o->point = zw_arena_alloc(&s->arena, 3 * (size_t)n, sizeof *o->point, "a mesh");
    if (o->ring0 == NULL || o->ring == NULL || o->point == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < 3 * n; i++) {
        o->point[i] = corner[i / 3][i % 3];
        o->ring0[o->point[i] + 1] += 2;
    }
    for (int i = 0; i < npoints; i++) {
        o->ring0[i + 1] += o->ring0[i];
    }
    for (int i = 0; i < 3 * n; i++) { /* filling moves the begin of a ring to its end, where the next begins */
        for (int k = 1; k < 3; k++) {
            zw_v3_copy(o->ring + 3 * (size_t)o->ring0[o->point[i]]++, o->corner + 9 * (size_t)(i / 3) + 3 * (size_t)((i % 3 + k) % 3));
        }
    }
    for (int i = npoints; i > 0; i--) {
        o->ring0[i] = o->ring0[i - 1];
    }
    o->ring0[0] = 0;
    return ZW_OK;
}

zw_status zw_meet_mesh_create(zw_meet *s, zw_meet_obstacle *o) {
    const zw_form_def *d = &o->def->form;
    size_t             n = (size_t)d->ntriangles, np = (size_t)d->npoints;
    zw_status          status = ZW_OK;
    char               subject[128];
    double            *p = zw_alloc(s->context, 3 * np, sizeof *p, "a mesh");
    int               *weld = zw_alloc(s->context, np, sizeof *weld, "a mesh");
    int(*corner)[3] = zw_alloc(s->context, n, sizeof *corner, "a mesh");
    edge          *e = zw_alloc(s->context, 3 * n, sizeof *e, "a mesh");
    unsigned char *sharp = zw_alloc(s->context, np, sizeof *sharp, "a mesh");
    o->nsolids = d->ntriangles;
    o->corner = zw_arena_alloc(&s->arena, 9 * n, sizeof *o->corner, "a mesh");
    o->across = zw_arena_alloc(&s->arena, 9 * n, sizeof *o->across, "a mesh");
    o->normal = zw_arena_alloc(&s->arena, 3 * n, sizeof *o->normal, "a mesh");
    o->bent = zw_arena_alloc(&s->arena, n, sizeof *o->bent, "a mesh");
    o->facet = zw_arena_alloc(&s->arena, n, sizeof *o->facet, "a mesh");
    if (!p || !weld || !corner || !e || !sharp || !o->corner || !o->across || !o->normal || !o->bent || !o->facet) {
        status = ZW_E_MEMORY;
        goto done;
    }
    snprintf(subject, sizeof subject, "obstacles.%.100s.mesh", o->def->name);
    for (size_t i = 0; i < 3 * np; i++) {
        ZW_TRY_GOTO(zw_model_constant(s->model, d->point[i / 3][i % 3], subject, &p[i]), done);
    }
    ZW_TRY_GOTO(weld_points(s->context, d->npoints, p, weld), done);
    for (size_t i = 0; i < n; i++) {
        double *t = o->corner + 9 * i, u[3], v[3];
        for (int k = 0; k < 3; k++) {
            corner[i][k] = weld[d->triangle[i][k]];
            zw_v3_copy(t + 3 * k, p + 3 * (size_t)corner[i][k]);
        }
        zw_v3_sub(u, t + 3, t);
        zw_v3_sub(v, t + 6, t);
        zw_v3_cross(o->normal + 3 * i, u, v);
        zw_v3_unit(o->normal + 3 * i, o->normal + 3 * i);
        o->facet[i] = (zw_form){.shape = ZW_SHAPE_CLOUD, .n = 3, .point = t};
    }
    find_neighbours(o, d->ntriangles, e, corner);
    find_bends(o, d->ntriangles, corner, sharp);
    ZW_TRY_GOTO(find_rings(s, o, d->ntriangles, d->npoints, corner), done);
    status = zw_meet_tree_create(s, o);
done:
    zw_free(s->context, p);
    zw_free(s->context, weld);
    zw_free(s->context, corner);
    zw_free(s->context, e);
    zw_free(s->context, sharp);
    return status;
}

/* ---- meeting */
static bool foot_inside(const double t[9], const double normal[3], const double p[3], double near) {
    for (int k = 0; k < 3; k++) {
        double e[3], d[3], in[3];
        zw_v3_sub(e, t + 3 * ((k + 1) % 3), t + 3 * k);
        zw_v3_sub(d, p, t + 3 * k);
        zw_v3_cross(in, normal, e);
        if (zw_v3_dot(in, d) < -near * zw_v3_norm(e)) {
            return false;
        }
    }
    return true;
}

static double off_segment(const double p[3], const double a[3], const double b[3]) {
    double d[3], e[3], foot[3];
    zw_v3_sub(d, b, a);
    zw_v3_sub(e, p, a);
    double k = zw_v3_dot(d, e) / zw_v3_norm2(d);
    zw_v3_addscaled(foot, a, k < 0.0 ? 0.0 : k > 1.0 ? 1.0 : k, d);
    return zw_v3_distance(p, foot);
}

/* does the mesh stick out along d (own axes) at the point p of a triangle: is p on a bent corner or edge whose neighbours are all below? */
static bool sticks_out(const zw_meet_obstacle *o, int i, const double p[3], const double d[3], double near) {
    const double *t = o->corner + 9 * (size_t)i;
    double        from[3], slack = 1e-7;
    for (int k = 0; k < 3; k++) {
        if (zw_v3_distance(p, t + 3 * k) > near) {
            continue;
        }
        if (!(o->bent[i] >> (3 + k) & 1)) {
            return false;
        }
        int point = o->point[3 * (size_t)i + (size_t)k];
        for (int w = o->ring0[point]; w < o->ring0[point + 1]; w++) {
            zw_v3_sub(from, o->ring + 3 * (size_t)w, t + 3 * k);
            if (zw_v3_dot(d, from) > slack * zw_v3_norm(from)) {
                return false;
            }
        }
        return true;
    }
    for (int k = 0; k < 3; k++) {
        const double *a = t + 3 * k, *b = t + 3 * ((k + 1) % 3), *w = o->across + 9 * (size_t)i + 3 * (size_t)k;
        if (off_segment(p, a, b) > near) {
            continue;
        }
        if (!(o->bent[i] >> k & 1)) {
            return false;
        }
        zw_v3_sub(from, t + 3 * ((k + 2) % 3), a);
        if (zw_v3_dot(d, from) > slack * zw_v3_norm(from)) {
            return false;
        }
        zw_v3_sub(from, w, a);
        return !(zw_v3_dot(d, from) > slack * zw_v3_norm(from)); /* a border has nothing beyond */
    }
    return false;
}

int zw_meet_facet(const zw_meet_obstacle *o, int solid, const zw_placed *a, const zw_placed *facet, double margin, zw_meeting *out) {
    const double *t = o->corner + 9 * (size_t)solid, *normal = o->normal + 3 * (size_t)solid;
    zw_meeting    edges[ZW_MEET_POINTS];
    zw_touch      nearest;
    zw_placed     plane;
    double        scale = zw_form_reach(a->form) + size_of(t), near = NEAR * (scale + 4e-7 * zw_v3_norm(a->x)), local[3], d[3];
    int           n = 0;
    /* its plane, as an obstacle of its own; then the features are put into the axes of the mesh */
    double x[3], y[3], z[3];
    zw_m3_mulv(z, o->R, normal);
    zw_any_square_to(x, z);
    zw_v3_cross(y, z, x);
    zw_m3_from_columns(plane.R, x, y, z);
    zw_m3_mulv(plane.x, o->R, t);
    zw_v3_add(plane.x, plane.x, o->x);
    plane.form = NULL;
    zw_form_against_plane(a, z, plane.x, &nearest);
    double lowest = nearest.gap;
    zw_v3_negate(z, z);
    zw_form_against_plane(a, z, plane.x, &nearest);
    if (lowest > margin || nearest.gap > near) { /* too high, or wholly behind */
        return 0;
    }
    int  found = zw_meet_plane(a, &plane, margin, out);
    bool looked = false;
    for (int i = 0; i < found; i++) {
        zw_v3_sub(d, out[i].touch.b, o->x);
        zw_m3_tmulv(local, o->R, d);
        if (!foot_inside(t, normal, local, near)) {
            continue;
        }
        if (out[i].touch.gap < -near) { /* below the plane: only what the triangle itself cuts */
            if (!looked) {
                zw_form_distance(a, facet, &nearest);
                looked = true;
            }
            if (nearest.gap > near) {
                continue;
            }
        }
        zw_v3_copy(out[i].fb.p, t);
        zw_v3_copy(out[i].fb.u, normal);
        zw_meet_evaluate(a, facet, &out[i].fa, &out[i].fb, &out[i].touch);
        out[n++] = out[i];
    }
    if (o->bent[solid] == 0) {
        return n;
    }
    found = zw_meet_forms(a, facet, margin, false, edges);
    for (int i = 0; i < found && n < ZW_MEET_POINTS; i++) {
        zw_v3_sub(d, edges[i].touch.b, o->x);
        zw_m3_tmulv(local, o->R, d);
        zw_m3_tmulv(d, o->R, edges[i].touch.n);
        zw_v3_negate(d, d);
        if (edges[i].fb.kind != ZW_FEATURE_PLANE && sticks_out(o, solid, local, d, near)) {
            out[n++] = edges[i];
        }
    }
    return n;
}
