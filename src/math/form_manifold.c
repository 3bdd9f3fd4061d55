/* SPDX-License-Identifier: Apache-2.0
 * form_manifold.c: all the points at which two forms, or a form and a half space, meet.
 *
 * A face on a face touches along an area; the points that span it, each with its own gap along the common normal, stand for it. The gap of an area
 * is linear over it, so its least value is among them. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <math.h>

#define CANDIDATES 40

/* leave the deepest and then, again and again, the one farthest from those left */
static int thin_out(zw_touch *t, int count, int most) {
    if (count <= most) {
        return count;
    }
    double far[CANDIDATES];
    for (int i = 0; i < count; i++) {
        far[i] = -t[i].gap;
    }
    for (int k = 0; k < most; k++) {
        int best = k;
        for (int i = k + 1; i < count; i++) {
            best = far[i] > far[best] ? i : best;
        }
        zw_touch swap = t[k];
        t[k] = t[best];
        t[best] = swap;
        far[best] = far[k];
        for (int i = k + 1; i < count; i++) {
            double d = zw_v3_distance(t[k].a, t[i].a);
            far[i] = k == 0 ? d : fmin(far[i], d);
        }
    }
    return most;
}

int zw_form_manifold(const zw_placed *a, const zw_placed *b, double margin, zw_touch *out, int most) {
    zw_touch deepest, all[CANDIDATES];
    zw_cores c;
    zw_face  fa, fb;
    double   origin[3] = {0.0, 0.0, 0.0}, back[3], pa[8][3], pb[8][3];
    if (most < 1) {
        return 0;
    }
    zw_form_distance(a, b, &deepest);
    if (!(deepest.gap <= margin)) {
        return 0;
    }
    if (a->form->shape == ZW_SHAPE_BALL || b->form->shape == ZW_SHAPE_BALL) {
        out[0] = deepest;
        return 1;
    }
    zw_cores_set(&c, a, b);
    double slack = fmax(margin - deepest.gap, 1e-9 * c.scale);
    zw_v3_negate(back, deepest.n);
    zw_face_at(a, origin, deepest.n, slack, &fa);
    zw_face_at(b, c.D, back, slack, &fb);
    int    found = zw_faces_meet(&fa, &fb, deepest.n, 1e-6 * c.scale, pa, pb, 8), count = 0;
    double ra = a->form->shape <= ZW_SHAPE_STICK ? a->form->radius : 0.0, rb = b->form->shape <= ZW_SHAPE_STICK ? b->form->radius : 0.0;
    double least = INFINITY;
    for (int i = 0; found > 1 && i < found; i++) {
        zw_touch *t = &all[count];
        double    d[3];
        zw_v3_sub(d, pb[i], pa[i]);
        t->gap = fmax(zw_v3_dot(d, deepest.n) - ra - rb, deepest.gap); /* a leaning disc is not quite a circle */
        if (t->gap > margin) {
            continue;
        }
        least = fmin(least, t->gap);
        zw_v3_copy(t->n, deepest.n);
        zw_v3_addscaled(t->a, pa[i], ra, t->n);
        zw_v3_add(t->a, t->a, a->x);
        zw_v3_addscaled(t->b, t->a, t->gap, t->n);
        count++;
    }
    if (!(least <= deepest.gap + 1e-9 * c.scale)) {
        all[count++] = deepest;
    }
    count = thin_out(all, count, most);
    for (int i = 0; i < count; i++) {
        out[i] = all[i];
    }
    return count;
}

/* corners of the core that can come to rest on the half space whose normal is -d (own axes), the farthest among them; from the place */
static int resting(const zw_placed *p, const double d[3], double slack, double (*q)[3]) {
    const zw_form *f = p->form;
    double         r = f->radius, h = f->half, end = d[2] < 0.0 ? -h : h, across = hypot(d[0], d[1]);
    double         x = across > 1e-13 ? d[0] / across : 1.0, y = across > 1e-13 ? d[1] / across : 0.0;
    int            n = 0, k = 0;
    switch (f->shape) {
    case ZW_SHAPE_BALL: zw_v3_zero(q[n++]); break;
    case ZW_SHAPE_STICK:
        zw_v3_set(q[n++], 0.0, 0.0, end);
        zw_v3_set(q[n++], 0.0, 0.0, -end);
        break;
    case ZW_SHAPE_BLOCK: /* the face that looks down most */
        k = fabs(d[0]) > fabs(d[1]) ? 0 : 1;
        k = fabs(d[2]) > fabs(d[k]) ? 2 : k;
        for (; n < 4; n++) {
            q[n][k] = d[k] < 0.0 ? -f->size[k] : f->size[k];
            q[n][(k + 1) % 3] = n == 0 || n == 3 ? f->size[(k + 1) % 3] : -f->size[(k + 1) % 3];
            q[n][(k + 2) % 3] = n < 2 ? f->size[(k + 2) % 3] : -f->size[(k + 2) % 3];
        }
        break;
    case ZW_SHAPE_DRUM:
        zw_v3_set(q[n++], r * x, r * y, end);
        if (across > fabs(d[2])) { /* lying: the line below the axis */
            zw_v3_set(q[n++], r * x, r * y, -end);
        } else { /* standing: four points of the rim */
            zw_v3_set(q[n++], -r * y, r * x, end);
            zw_v3_set(q[n++], -r * x, -r * y, end);
            zw_v3_set(q[n++], r * y, -r * x, end);
        }
        break;
    case ZW_SHAPE_CLOUD: {
        zw_face      face;
        const double origin[3] = {0.0, 0.0, 0.0};
        zw_placed    own = {.form = f, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
        zw_face_at(&own, origin, d, slack, &face);
        for (; n < face.n; n++) {
            zw_v3_copy(q[n], face.p[n]);
        }
        break;
    }
    }
    for (int i = 0; i < n; i++) {
        zw_m3_mulv(q[i], p->R, q[i]);
    }
    return n;
}

void zw_form_against_plane(const zw_placed *a, const double n[3], const double at[3], zw_touch *out) {
    double d[3], far[3], from[3], r = a->form->shape <= ZW_SHAPE_STICK ? a->form->radius : 0.0;
    zw_v3_unit(d, n);
    zw_v3_negate(out->n, d);
    zw_core_far(a, out->n, far);
    zw_v3_sub(from, a->x, at);
    out->gap = zw_v3_dot(d, from) + zw_v3_dot(d, far) - r;
    zw_v3_add(out->a, a->x, far);
    zw_v3_addscaled(out->a, out->a, r, out->n);
    zw_v3_addscaled(out->b, out->a, out->gap, out->n);
}

int zw_form_manifold_plane(const zw_placed *a, const double n[3], const double at[3], double margin, zw_touch *out, int most) {
    zw_touch all[CANDIDATES], deepest;
    double   q[ZW_FACE_MOST][3], d[3], own[3], from[3], r = a->form->shape <= ZW_SHAPE_STICK ? a->form->radius : 0.0;
    zw_form_against_plane(a, n, at, &deepest);
    if (!(deepest.gap <= margin) || most < 1) {
        return 0;
    }
    zw_v3_negate(d, deepest.n);
    zw_m3_tmulv(own, a->R, deepest.n);
    zw_v3_sub(from, a->x, at);
    int    found = resting(a, own, fmax(margin - deepest.gap, 1e-9 * zw_form_reach(a->form)), q), count = 0;
    double base = zw_v3_dot(d, from);
    for (int i = 0; i < found; i++) {
        zw_touch *t = &all[count];
        t->gap = base + zw_v3_dot(d, q[i]) - r;
        if (!(t->gap <= margin)) {
            continue;
        }
        zw_v3_copy(t->n, deepest.n);
        zw_v3_add(t->a, a->x, q[i]);
        zw_v3_addscaled(t->a, t->a, r, t->n);
        zw_v3_addscaled(t->b, t->a, t->gap, t->n);
        count++;
    }
    count = thin_out(all, count, most);
    for (int i = 0; i < count; i++) {
        out[i] = all[i];
    }
    return count;
}
