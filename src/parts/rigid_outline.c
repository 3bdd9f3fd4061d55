/* SPDX-License-Identifier: Apache-2.0
 * rigid_outline.c: a rigid body as lines, for pictures: edges of boxes and hulls, circles and side lines of the round forms; a body without a form is the
 * star of its points. */
#include "parts/rigid.h"

#include "base/context.h"
#include "math/vec3.h"

#include <math.h>

enum { ARC = 16, HULL_MOST = 48 }; /* lines of a circle; points of a hull whose edges are looked for by trying all */

static const double PI = 3.14159265358979323846;

typedef struct sink { /* counts, or writes where line is not NULL */
    int     n;
    double *line;
} sink;

static void add(sink *s, const zw_placed *at, const double a[3], const double b[3]) {
    if (s->line != NULL) {
        double *to = s->line + 6 * (size_t)s->n;
        zw_m3_mulv(to, at->R, a);
        zw_v3_add(to, to, at->x);
        zw_m3_mulv(to + 3, at->R, b);
        zw_v3_add(to + 3, to + 3, at->x);
    }
    s->n++;
}

/* part of a circle about c in the plane of axes i and k, from angle `from` on */
static void arc(sink *s, const zw_placed *at, const double c[3], int i, int k, double r, double from, int lines) {
    for (int n = 0; n < lines; n++) {
        double e[2][3];
        for (int end = 0; end < 2; end++) {
            double angle = from + 2.0 * PI * (n + end) / ARC;
            zw_v3_copy(e[end], c);
            e[end][i] += r * cos(angle);
            e[end][k] += r * sin(angle);
        }
        add(s, at, e[0], e[1]);
    }
}

static void round_form(sink *s, const zw_placed *at, const zw_form *f) {
    double top[3] = {0.0, 0.0, f->half}, bottom[3] = {0.0, 0.0, -f->half}, centre[3] = {0.0, 0.0, 0.0};
    if (f->shape == ZW_SHAPE_BALL) {
        for (int i = 0; i < 3; i++) {
            arc(s, at, centre, i, (i + 1) % 3, f->radius, 0.0, ARC);
        }
        return;
    }
    arc(s, at, top, 0, 1, f->radius, 0.0, ARC);
    arc(s, at, bottom, 0, 1, f->radius, 0.0, ARC);
    for (int side = 0; side < 4; side++) {
        double a[3] = {0.0, 0.0, f->half}, b[3] = {0.0, 0.0, -f->half};
        a[side / 2] = b[side / 2] = side % 2 ? -f->radius : f->radius;
        add(s, at, a, b);
    }
    for (int i = 0; f->shape == ZW_SHAPE_STICK && i < 2; i++) {
        arc(s, at, top, i, 2, f->radius, 0.0, ARC / 2);
        arc(s, at, bottom, i, 2, f->radius, PI, ARC / 2);
    }
}

static void block(sink *s, const zw_placed *at, const zw_form *f) {
    for (int axis = 0; axis < 3; axis++) {
        int i = (axis + 1) % 3, k = (axis + 2) % 3;
        for (int n = 0; n < 4; n++) {
            double a[3], b[3];
            a[axis] = -f->size[axis];
            b[axis] = f->size[axis];
            a[i] = b[i] = n % 2 ? f->size[i] : -f->size[i];
            a[k] = b[k] = n / 2 ? f->size[k] : -f->size[k];
            add(s, at, a, b);
        }
    }
}

/* two points are an edge when some plane through both has all others on one side, and not all of its own points on one line with them: two faces that
 * are not the same meet there */
static bool is_edge(const zw_form *f, double size, int i, int k) {
    int    faces = 0;
    double first[3] = {0.0, 0.0, 0.0}, along[3];
    zw_v3_sub(along, f->point + 3 * k, f->point + 3 * i);
    for (int j = 0; j < f->n; j++) {
        double d[3], n[3], least = 0.0, most = 0.0;
        zw_v3_sub(d, f->point + 3 * j, f->point + 3 * i);
        zw_v3_cross(n, along, d);
        if (!(zw_v3_unit(n, n) > 1e-12 * size * size)) {
            continue;
        }
        for (int l = 0; l < f->n; l++) {
            zw_v3_sub(d, f->point + 3 * l, f->point + 3 * i);
            least = fmin(least, zw_v3_dot(n, d));
            most = fmax(most, zw_v3_dot(n, d));
        }
        if (fmin(-least, most) > 1e-9 * size) {
            continue;
        }
        if (faces == 0) {
            zw_v3_copy(first, n);
            faces = 1;
        } else if (fabs(zw_v3_dot(first, n)) < 1.0 - 1e-9) {
            return true;
        }
    }
    return false;
}

static void cloud(sink *s, const zw_placed *at, const zw_form *f) {
    double size = zw_form_reach(f);
    for (int i = 0; i < f->n; i++) {
        if (f->n > HULL_MOST) { /* many points: from each to the next one as written */
            add(s, at, f->point + 3 * (size_t)i, f->point + 3 * (size_t)((i + 1) % f->n));
            continue;
        }
        for (int k = i + 1; k < f->n; k++) {
            if (is_edge(f, size, i, k)) {
                add(s, at, f->point + 3 * (size_t)i, f->point + 3 * (size_t)k);
            }
        }
    }
}

static void draw(const zw_rigid *b, sink *s) {
    static const double centre[3] = {0.0, 0.0, 0.0};
    zw_placed           here = {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    s->n = 0;
    for (int i = 0; i < b->nforms; i++) {
        const zw_form *f = b->form[i].form;
        switch (f->shape) {
        case ZW_SHAPE_BLOCK: block(s, &b->form[i], f); break;
        case ZW_SHAPE_CLOUD: cloud(s, &b->form[i], f); break;
        default: round_form(s, &b->form[i], f); break;
        }
    }
    for (int i = 0; b->nforms == 0 && i < b->npoints; i++) {
        add(s, &here, centre, b->point + 3 * (size_t)i);
    }
}

zw_status zw_rigid_outline(const zw_model *m, zw_arena *a, zw_rigid *b) {
    sink s = {0};
    (void)m;
    draw(b, &s);
    b->nlines = s.n;
    b->line = s.line = zw_arena_alloc(a, 6 * (size_t)s.n + 1, sizeof(double), "outline of a rigid body");
    if (s.line == NULL) {
        return ZW_E_MEMORY;
    }
    draw(b, &s);
    return ZW_OK;
}
