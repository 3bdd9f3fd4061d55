/* SPDX-License-Identifier: Apache-2.0
 * form_face.c: the face a core turns towards a direction: a point, a segment, a polygon or a disc.
 *
 * A face is taken when all of it is within the slack asked for and n leans less than TILT from its normal; otherwise its farthest edge, and
 * otherwise the farthest corner. The round end of a drum comes with four points of its rim, the farthest along n first. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <math.h>

#define TILT      0.1  /* a face is left for its edge when n leans further than this */
#define DISC_TILT 0.02 /* and a round end, which is taken for a circle in the view along n */
#define GATHERED  256

static void put(zw_face *f, const zw_placed *p, const double shift[3], double x, double y, double z) {
    double v[3] = {x, y, z};
    zw_m3_mulv(v, p->R, v);
    zw_v3_add(f->p[f->n++], v, shift);
}

static void face_of_block(const zw_placed *p, const double shift[3], const double d[3], double slack, zw_face *f) {
    const double *s = p->form->size;
    double        c[3];
    int           free_axis[3], n_free = 0, fixed = 0;
    for (int k = 0; k < 3; k++) {
        c[k] = d[k] < 0.0 ? -s[k] : s[k];
        if (fabs(d[k]) <= TILT && 2.0 * s[k] * fabs(d[k]) <= slack) {
            free_axis[n_free++] = k;
        } else {
            fixed = k;
        }
    }
    if (n_free == 0) {
        put(f, p, shift, c[0], c[1], c[2]);
        return;
    }
    static const double corner[4][2] = {{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}};
    for (int i = 0; i < (n_free == 2 ? 4 : 2); i++) {
        c[free_axis[0]] = corner[i][0] * s[free_axis[0]];
        if (n_free == 2) {
            c[free_axis[1]] = corner[i][1] * s[free_axis[1]];
        }
        put(f, p, shift, c[0], c[1], c[2]);
    }
    if (n_free == 2) {
        zw_m3_column(f->normal, p->R, fixed);
        zw_v3_scale(f->normal, d[fixed] < 0.0 ? -1.0 : 1.0, f->normal);
    }
}

static void face_of_drum(const zw_placed *p, const double shift[3], const double d[3], double slack, zw_face *f) {
    double r = p->form->radius, h = p->form->half, across = hypot(d[0], d[1]), end = d[2] < 0.0 ? -h : h;
    double x = across > 1e-13 ? d[0] / across : 1.0, y = across > 1e-13 ? d[1] / across : 0.0;
    if (across <= DISC_TILT && 2.0 * r * across <= slack) {
        f->disc = true;
        f->radius = r;
        put(f, p, shift, 0.0, 0.0, end);
        put(f, p, shift, r * x, r * y, end); /* the deepest first */
        put(f, p, shift, -r * y, r * x, end);
        put(f, p, shift, -r * x, -r * y, end);
        put(f, p, shift, r * y, -r * x, end);
        zw_m3_column(f->normal, p->R, 2);
        zw_v3_scale(f->normal, d[2] < 0.0 ? -1.0 : 1.0, f->normal);
    } else {
        put(f, p, shift, r * x, r * y, end);
        if (fabs(d[2]) <= TILT && 2.0 * h * fabs(d[2]) <= slack) {
            put(f, p, shift, r * x, r * y, -end);
        }
    }
}

/* corners of the plane hull of the points kept, anticlockwise about n */
static void order_polygon(zw_face *f, const double n[3]) {
    double t[3], u[3], xy[ZW_FACE_MOST][2], size = 0.0;
    int    order[ZW_FACE_MOST], chain[2 * ZW_FACE_MOST + 2], m = 0;
    zw_any_square_to(t, n);
    zw_v3_cross(u, n, t);
    for (int i = 0; i < f->n; i++) {
        double d[3];
        zw_v3_sub(d, f->p[i], f->p[0]);
        xy[i][0] = zw_v3_dot(t, d);
        xy[i][1] = zw_v3_dot(u, d);
        size = fmax(size, hypot(xy[i][0], xy[i][1]));
        int k = i;
        while (k > 0 && (xy[order[k - 1]][0] > xy[i][0] || (xy[order[k - 1]][0] == xy[i][0] && xy[order[k - 1]][1] > xy[i][1]))) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = i;
    }
    for (int pass = 0; pass < 2; pass++) { /* lower border, then the upper one back */
        int base = m + 1;
        for (int k = 0; k < f->n; k++) {
            int i = order[pass ? f->n - 1 - k : k];
            while (m > base - (pass ? 1 : 0) && m >= 2) {
                const double *a = xy[chain[m - 2]], *b = xy[chain[m - 1]], *c = xy[i];
                if ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 1e-13 * size * size) {
                    break;
                }
                m--;
            }
            if (m == 0 || chain[m - 1] != i) {
                chain[m++] = i;
            }
        }
    }
    if (m > 1 && chain[m - 1] == chain[0]) {
        m--;
    }
    zw_face old = *f;
    f->n = 0;
    for (int k = 0; k < m && k < ZW_FACE_MOST; k++) {
        zw_v3_copy(f->p[f->n++], old.p[chain[k]]);
    }
}

/* false: the points within the slack do not lie in one plane */
static bool face_within(const zw_placed *p, const double shift[3], const double d[3], const double n[3], double slack, zw_face *f) {
    const zw_form *form = p->form;
    double         top = -INFINITY, low = INFINITY, size = zw_form_reach(form);
    for (int i = 0; i < form->n; i++) {
        double high = zw_v3_dot(d, form->point + 3 * i);
        top = fmax(top, high);
        low = fmin(low, high);
    }
    double within = top - low > 1e-9 * size ? fmin(slack, 0.25 * (top - low)) : 1e-9 * size;
    int    kept[GATHERED], n_kept = 0;
    for (int i = 0; i < form->n && n_kept < GATHERED; i++) {
        if (zw_v3_dot(d, form->point + 3 * i) >= top - within) {
            kept[n_kept++] = i;
        }
    }
    if (n_kept > ZW_FACE_MOST) { /* a face of many points: the farthest in 32 directions */
        double t[3], u[3];
        zw_any_square_to(t, d);
        zw_v3_cross(u, d, t);
        int chosen[ZW_FACE_MOST], n_chosen = 0;
        for (int k = 0; k < ZW_FACE_MOST; k++) {
            double angle = 6.283185307179586 * k / ZW_FACE_MOST, most = -INFINITY;
            int    best = kept[0];
            for (int i = 0; i < n_kept; i++) {
                const double *q = form->point + 3 * kept[i];
                double        far = cos(angle) * zw_v3_dot(t, q) + sin(angle) * zw_v3_dot(u, q);
                if (far > most) {
                    most = far;
                    best = kept[i];
                }
            }
            if (n_chosen == 0 || (chosen[n_chosen - 1] != best && chosen[0] != best)) {
                chosen[n_chosen++] = best;
            }
        }
        n_kept = n_chosen;
        for (int i = 0; i < n_kept; i++) {
            kept[i] = chosen[i];
        }
    }
    for (int i = 0; i < n_kept; i++) {
        const double *q = form->point + 3 * kept[i];
        put(f, p, shift, q[0], q[1], q[2]);
    }
    if (f->n > 1) {
        order_polygon(f, n);
    }
    if (f->n >= 3) {
        for (int i = 1; i + 1 < f->n; i++) {
            double e[3], g[3], c[3];
            zw_v3_sub(e, f->p[i], f->p[0]);
            zw_v3_sub(g, f->p[i + 1], f->p[0]);
            zw_v3_cross(c, e, g);
            zw_v3_add(f->normal, f->normal, c);
        }
        zw_v3_unit(f->normal, f->normal);
    }
    for (int i = 0; f->n >= 3 && i < n_kept; i++) {
        double q[3];
        zw_m3_mulv(q, p->R, form->point + 3 * kept[i]);
        zw_v3_add(q, q, shift);
        zw_v3_sub(q, q, f->p[0]);
        if (fabs(zw_v3_dot(q, f->normal)) > 1e-9 * size) {
            return false;
        }
    }
    return n_kept < 3 || f->n >= 3;
}

static void face_of_cloud(const zw_placed *p, const double shift[3], const double d[3], const double n[3], double slack, zw_face *f) {
    for (int narrow = 0; narrow < 3; narrow++) {
        f->n = 0;
        zw_v3_zero(f->normal);
        if (face_within(p, shift, d, n, slack, f)) {
            return;
        }
        slack = narrow == 0 ? fmin(slack, 1e-6 * zw_form_reach(p->form)) : fmin(slack, 1e-12 * zw_form_reach(p->form));
    }
}


void zw_face_at(const zw_placed *p, const double shift[3], const double n[3], double slack, zw_face *out) {
    double d[3], h = p->form->half;
    out->n = 0;
    out->disc = false;
    out->radius = 0.0;
    zw_v3_zero(out->normal);
    zw_m3_tmulv(d, p->R, n);
    switch (p->form->shape) {
    case ZW_SHAPE_BALL: put(out, p, shift, 0.0, 0.0, 0.0); break;
    case ZW_SHAPE_STICK:
        put(out, p, shift, 0.0, 0.0, d[2] < 0.0 ? -h : h);
        if (fabs(d[2]) <= TILT && 2.0 * h * fabs(d[2]) <= slack) {
            put(out, p, shift, 0.0, 0.0, d[2] < 0.0 ? h : -h);
        }
        break;
    case ZW_SHAPE_BLOCK: face_of_block(p, shift, d, slack, out); break;
    case ZW_SHAPE_DRUM: face_of_drum(p, shift, d, slack, out); break;
    case ZW_SHAPE_CLOUD: face_of_cloud(p, shift, d, n, slack, out); break;
    }
}
