/* SPDX-License-Identifier: Apache-2.0
 * scene_wall.c: obstacles in a picture, and inequalities of x, y, z. Solids are drawn like bodies. Of a plane seen from its edge, of a hollow and of an expression the side
 * where bodies cannot be is shaded: planes and hollows exactly, expressions in the plane through the middle of the scene, cell by cell with straight cuts between values.
 * In the skew view there is no such plane: planes are patches within the box of the scene, hollows are wires, expressions are their lines in the two upright
 * planes through the middle. What moves is drawn at every time of the picture, the early ones faint. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "math/quat.h"
#include "record/scene_part.h"
#include "record/svg.h"

enum { CELLS_X = 96, CELLS_Y = 72, TRIANGLES = 4000, CORNERS = 24 };

/* ---- reading */

static bool constant(const zw_scene *s, zw_quantity q, double otherwise, double *out) {
    *out = otherwise;
    return q.node == 0 || zw_model_constant(s->model, q, "picture", out) == ZW_OK;
}

static bool vector(const zw_scene *s, const zw_quantity *q, double x, double y, double z, double out[3]) {
    return constant(s, q[0], x, &out[0]) && constant(s, q[1], y, &out[1]) && constant(s, q[2], z, &out[2]);
}

static void axes_along(const double axis[3], double R[9]) {
    double n[3], across[3] = {0.0, 0.0, 0.0}, other[3];
    zw_v3_unit(n, axis);
    across[fabs(n[0]) < 0.7 ? 0 : 1] = 1.0;
    zw_v3_addscaled(across, across, -zw_v3_dot(across, n), n);
    zw_v3_unit(across, across);
    zw_v3_cross(other, n, across);
    for (int k = 0; k < 3; k++) {
        R[3 * k] = across[k];
        R[3 * k + 1] = other[k];
        R[3 * k + 2] = n[k];
    }
}

static double extent(const zw_scene *s) {
    return fmax(fmax(s->hi[0] - s->lo[0], s->hi[1] - s->lo[1]), s->hi[2] - s->lo[2]);
}

/* where it is at the times of the picture: shift and turn are counted from the start */
static zw_status read_motion(zw_scene *s, const zw_obstacle_def *d, zw_scene_wall *w) {
    zw_node  root[6];
    zw_tape *tape = NULL;
    double   out[6] = {0};
    for (int k = 0; k < 6; k++) {
        zw_quantity q = k < 3 ? d->shift[k] : d->turn[k - 3];
        root[k] = q.node ? q.node : zw_node_constant(s->model->pool, 0.0);
        w->moves = w->moves || q.node != 0;
    }
    if (w->moves) {
        ZW_TRY(zw_tape_create(s->context, s->model->pool, root, 6, &tape));
    }
    double *work = zw_alloc(s->context, (size_t)(tape ? zw_tape_work(tape) : 0) + 1, sizeof *work, "motion of an obstacle");
    for (int m = 0; m < s->nmoments && work; m++) {
        double q[4], turn[9], *x = w->pose[m], *R = w->pose[m] + 3;
        if (tape) {
            s->in[s->model->slot_t] = s->at[m].t;
            zw_tape_eval(tape, s->in, work, out);
        }
        zw_q_exp(out + 3, q);
        zw_q_to_matrix(q, turn);
        zw_m3_mul(R, turn, w->R);
        zw_v3_add(x, w->x, out);
    }
    zw_tape_destroy(tape);
    zw_free(s->context, work);
    return work ? ZW_OK : ZW_E_MEMORY;
}

static zw_status read_tape(zw_scene *s, zw_node f, zw_scene_wall *w) {
    w->kind = ZW_FORM_GAP;
    w->moves = zw_node_depends(s->model->pool, f, s->model->slot_t);
    return zw_tape_create(s->context, s->model->pool, &f, 1, &w->tape);
}

static zw_status read_mesh(zw_scene *s, zw_arena *a, const zw_form_def *d, zw_scene_wall *w) {
    int     n = d->ntriangles < TRIANGLES ? d->ntriangles : TRIANGLES;
    double *corner = zw_arena_alloc(a, 9 * (size_t)n + 1, sizeof *corner, "mesh of a picture");
    if (!corner) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            if (!vector(s, d->point[d->triangle[i][k]], 0, 0, 0, corner + 9 * (size_t)i + 3 * k)) {
                return ZW_E_MODEL;
            }
        }
    }
    w->ntriangles = n;
    w->corner = corner;
    return ZW_OK;
}

/* ZW_E_MODEL: it cannot be drawn */
static zw_status read_obstacle(zw_scene *s, zw_arena *a, const zw_obstacle_def *o, zw_scene_wall *w) {
    const zw_form_def *d = &o->form;
    zw_form           *f = zw_arena_alloc(a, 1, sizeof *f, "obstacle of a picture");
    double             turn[3], axis[3], q[4], length = 0.0;
    if (!f) {
        return ZW_E_MEMORY;
    }
    w->kind = d->kind;
    w->hollow = d->hollow;
    zw_m3_identity(w->R);
    if (!vector(s, d->at, 0, 0, 0, w->x) || !vector(s, d->turn, 0, 0, 0, turn) || !vector(s, d->axis, 0, 0, 1, axis) ||
        !constant(s, d->radius, 0, &f->radius) || !constant(s, d->length, 8.0 * extent(s), &length)) {
        return ZW_E_MODEL;
    }
    f->half = 0.5 * length;
    switch (d->kind) {
    case ZW_FORM_GAP: return read_tape(s, d->gap.node, w);
    case ZW_FORM_PLANE: zw_v3_unit(w->n, axis); break;
    case ZW_FORM_MESH: ZW_TRY(read_mesh(s, a, d, w)); break;
    case ZW_FORM_SPHERE: f->shape = ZW_SHAPE_BALL; break;
    case ZW_FORM_CAPSULE:
    case ZW_FORM_CYLINDER:
        f->shape = d->kind == ZW_FORM_CAPSULE ? ZW_SHAPE_STICK : ZW_SHAPE_DRUM;
        axes_along(axis, w->R);
        break;
    case ZW_FORM_BOX:
        f->shape = ZW_SHAPE_BLOCK;
        for (int k = 0; k < 3; k++) {
            if (!constant(s, d->size[k], 0, &f->size[k])) {
                return ZW_E_MODEL;
            }
            f->size[k] *= 0.5;
        }
        break;
    default: return ZW_E_MODEL;
    }
    if (zw_v3_norm(turn) > 0.0) {
        zw_q_exp(turn, q);
        zw_q_to_matrix(q, w->R);
    }
    w->solid.at = (zw_placed){.form = f, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (d->kind != ZW_FORM_PLANE && d->kind != ZW_FORM_MESH) {
        ZW_TRY(zw_scene_solid_lines(a, &w->solid, true));
    }
    return read_motion(s, o, w);
}

/* the box of the scene grows towards obstacles, by half its size at most */
static void reach_out(zw_scene *s) {
    double lo[3], hi[3], room = 0.5 * extent(s);
    bool   some = true;
    memcpy(lo, s->lo, sizeof lo);
    memcpy(hi, s->hi, sizeof hi);
    for (int i = 0; i < s->nwalls; i++) {
        const zw_scene_wall *w = &s->wall[i];
        double               p[2][3], d[3] = {0};
        int                  n = 2;
        if (w->kind == ZW_FORM_GAP) {
            continue;
        }
        if (w->kind == ZW_FORM_PLANE) { /* the foot of the middle */
            for (int k = 0; k < 3; k++) {
                d[k] = 0.5 * (lo[k] + hi[k]);
            }
            zw_v3_sub(p[0], d, w->x);
            zw_v3_addscaled(p[0], d, -zw_v3_dot(p[0], w->n), w->n);
            n = 1;
        } else if (w->kind == ZW_FORM_MESH) {
            for (int k = 0; k < 3; k++) {
                p[0][k] = p[1][k] = w->corner[k];
                for (int j = 0; j < 3 * w->ntriangles; j++) {
                    p[0][k] = fmin(p[0][k], w->corner[3 * (size_t)j + k]);
                    p[1][k] = fmax(p[1][k], w->corner[3 * (size_t)j + k]);
                }
            }
        } else {
            for (int k = 0; k < 3; k++) {
                double own[3], e[3] = {k == 0, k == 1, k == 2};
                zw_m3_tmulv(own, w->R, e);
                zw_form_support(w->solid.at.form, own, d);
                zw_m3_mulv(own, w->R, d);
                p[1][k] = w->x[k] + own[k];
                p[0][k] = w->x[k] - own[k]; /* all of them are alike on both sides */
            }
        }
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < 3; k++) {
                p[j][k] = fmin(fmax(p[j][k], lo[k] - room), hi[k] + room);
            }
        }
        zw_scene_include(s, n, p[0], &some);
    }
}

zw_status zw_scene_walls_read(zw_scene *s, zw_arena *a) {
    const zw_model *m = s->model;
    int             work = 1;
    s->floor = s->lo[2];
    if (!m || s->nmoments == 0) {
        return ZW_OK;
    }
    s->wall = zw_arena_alloc(a, (size_t)(m->nobstacles + m->nunilaterals) + 1, sizeof *s->wall, "obstacles of a picture");
    s->in = zw_arena_alloc(a, (size_t)zw_pool_inputs(m->pool) + 1, sizeof *s->in, "obstacles of a picture");
    if (!s->wall || !s->in) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(m, s->in);
    for (int i = 0; i < m->nobstacles + m->nunilaterals; i++) {
        zw_scene_wall *w = &s->wall[s->nwalls];
        zw_status      status = ZW_E_MODEL;
        if (i < m->nobstacles) {
            status = read_obstacle(s, a, &m->obstacles[i], w);
        } else if (m->unilaterals[i - m->nobstacles].npoints > 0) {
            w->flips = true;
            status = read_tape(s, m->unilaterals[i - m->nobstacles].f.node, w);
        }
        if (status == ZW_E_MEMORY) {
            return status;
        }
        if (status != ZW_OK) {
            *w = (zw_scene_wall){0};
            continue;
        }
        work = w->tape && zw_tape_work(w->tape) > work ? zw_tape_work(w->tape) : work;
        s->nwalls++;
    }
    s->work = zw_arena_alloc(a, (size_t)work + 1, sizeof *s->work, "obstacles of a picture");
    reach_out(s);
    s->floor = s->lo[2];
    for (int i = 0; i < s->nwalls; i++) {
        const zw_scene_wall *w = &s->wall[i];
        if (w->kind == ZW_FORM_PLANE && w->n[2] > 1.0 - 1e-9 && w->x[2] >= s->lo[2] && w->x[2] <= s->hi[2]) {
            s->floor = w->x[2];
        }
    }
    return s->work ? ZW_OK : ZW_E_MEMORY;
}

void zw_scene_walls_end(zw_scene *s) {
    for (int i = 0; i < s->nwalls; i++) {
        zw_tape_destroy(s->wall[i].tape);
        s->wall[i].tape = NULL;
    }
}

/* ---- drawing */

static void begin(zw_text *t, const char *klass, double strength) {
    zw_text_addf(t, "<path class=\"%s\" opacity=\"", klass);
    zw_svg_coordinate(t, strength);
    zw_text_add(t, "\" d=\"");
}

/* what of a polygon of width numbers a corner lies where the last number is positive; returns how many corners are left. At cuts that number is 0 */
static int cut(int n, int width, const double *in, double *out) {
    int left = 0;
    for (int i = 0; i < n; i++) {
        const double *a = in + (size_t)width * (size_t)i, *b = in + (size_t)width * (size_t)((i + 1) % n);
        double        fa = a[width - 1], fb = b[width - 1];
        if (fa > 0.0) {
            memcpy(out + (size_t)width * (size_t)left++, a, sizeof(double) * (size_t)width);
        }
        if ((fa > 0.0) != (fb > 0.0)) {
            double part = fa / (fa - fb);
            for (int k = 0; k < width; k++) {
                out[(size_t)width * (size_t)left + (size_t)k] = k < width - 1 ? a[k] + part * (b[k] - a[k]) : 0.0;
            }
            left++;
        }
    }
    return left;
}

static void polygon(zw_text *t, int n, int width, const double *p) {
    for (int i = 0; i < n; i++) {
        zw_svg_path_point(t, i == 0, p[(size_t)width * (size_t)i], p[(size_t)width * (size_t)i + 1]);
    }
    zw_text_add(t, n > 0 ? "Z" : "");
}

/* a plane seen from its edge: all that is below it */
static void draw_edge_on(zw_text *t, const zw_scene_view *v, const double n[3], const double x[3], double strength) {
    double corner[4][3], left[6][3], level = zw_v3_dot(n, x), nx = zw_v3_dot(n, v->right), ny = zw_v3_dot(n, v->up);
    for (int i = 0; i < 4; i++) {
        corner[i][0] = i == 1 || i == 2 ? v->width : 0.0;
        corner[i][1] = i >= 2 ? v->height : 0.0;
        corner[i][2] = level - nx * (corner[i][0] - v->x0) / v->scale - ny * (v->y0 - corner[i][1]) / v->scale;
    }
    int count = cut(4, 3, corner[0], left[0]);
    begin(t, "solid", strength);
    polygon(t, count, 3, left[0]);
    zw_svg_path_end(t, false);
    for (int i = 0; i < count; i++) { /* its edge is where the cut was */
        const double *a = left[i], *b = left[(i + 1) % count];
        if (a[2] == 0.0 && b[2] == 0.0) {
            begin(t, "edge wall", strength);
            zw_svg_path_point(t, true, a[0], a[1]);
            zw_svg_path_point(t, false, b[0], b[1]);
            zw_svg_path_end(t, false);
        }
    }
}

/* what of a plane lies in the box of the scene */
static void draw_patch(zw_text *t, const zw_scene *s, const zw_scene_view *v, const double n[3], const double x[3], double strength) {
    double p[2][CORNERS][4], R[9], middle[3], foot[3], size = extent(s);
    int    count = 4, now = 0;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (s->lo[k] + s->hi[k]);
    }
    zw_v3_sub(foot, middle, x);
    zw_v3_addscaled(foot, middle, -zw_v3_dot(foot, n), n);
    axes_along(n, R);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            p[0][i][k] = foot[k] + 4.0 * size * ((i == 1 || i == 2 ? 1.0 : -1.0) * R[3 * k] + (i >= 2 ? 1.0 : -1.0) * R[3 * k + 1]);
        }
    }
    for (int face = 0; face < 6 && count > 0; face++) {
        int k = face / 2;
        for (int i = 0; i < count; i++) {
            p[now][i][3] = face % 2 ? s->hi[k] + 1e-6 * size - p[now][i][k] : p[now][i][k] - s->lo[k] + 1e-6 * size;
        }
        count = cut(count, 4, p[now][0], p[1 - now][0]);
        now = 1 - now;
    }
    if (count < 3) {
        return;
    }
    begin(t, "solid patch", strength);
    for (int i = 0; i < count; i++) {
        double px, py;
        zw_scene_place(v, p[now][i], &px, &py);
        zw_svg_path_point(t, i == 0, px, py);
    }
    zw_svg_path_end(t, true);
}

static void draw_mesh(zw_text *t, const zw_scene_view *v, const zw_scene_wall *w, const double x[3], const double R[9], double strength) {
    begin(t, "solid facet", strength);
    for (int i = 0; i < w->ntriangles; i++) {
        for (int k = 0; k < 3; k++) {
            double p[3], px, py;
            zw_m3_mulv(p, R, w->corner + 9 * (size_t)i + 3 * k);
            zw_v3_add(p, p, x);
            zw_scene_place(v, p, &px, &py);
            zw_svg_path_point(t, k == 0, px, py);
        }
        zw_text_add(t, "Z");
    }
    zw_svg_path_end(t, false);
}

/* all that is outside of the outline */
static void draw_hollow(zw_text *t, const zw_scene_view *v, const zw_scene_wall *w, const double x[3], const double R[9], double strength) {
    double outline[128][2];
    int    n = zw_scene_solid_outline(v, &w->solid, x, R, outline, 128);
    begin(t, "solid", strength);
    zw_text_add(t, "M0 0L");
    zw_svg_coordinate(t, v->width);
    zw_text_add(t, " 0L");
    zw_svg_coordinate(t, v->width);
    zw_text_add(t, " ");
    zw_svg_coordinate(t, v->height);
    zw_text_add(t, "L0 ");
    zw_svg_coordinate(t, v->height);
    zw_text_add(t, "Z");
    polygon(t, n, 2, outline[0]);
    zw_svg_path_end(t, false);
    begin(t, "edge wall", strength);
    polygon(t, n, 2, outline[0]);
    zw_svg_path_end(t, false);
}

typedef struct sheet { /* points o + i a + k b of space, i = 0 .. CELLS_X, k = 0 .. CELLS_Y */
    double o[3], a[3], b[3];
} sheet;

static double value(const zw_scene *s, const zw_scene_wall *w, const sheet *h, int i, int k) {
    const zw_model *m = s->model;
    double          f = 0.0;
    s->in[m->slot_x] = h->o[0] + i * h->a[0] + k * h->b[0];
    s->in[m->slot_y] = h->o[1] + i * h->a[1] + k * h->b[1];
    s->in[m->slot_z] = h->o[2] + i * h->a[2] + k * h->b[2];
    zw_tape_eval(w->tape, s->in, s->work, &f);
    f = w->flips ? f : -f;
    return isfinite(f) ? f : -1.0; /* where it says nothing, nothing is shaded */
}

/* corners of a cell on paper, with the value there; left: what of it is forbidden */
static int cut_cell(const zw_scene_view *v, const sheet *h, const double *f0, const double *f1, int i, int k, double left[8][3]) {
    double corner[4][3];
    for (int j = 0; j < 4; j++) {
        int    di = j == 1 || j == 2, dk = j >= 2;
        double p[3];
        for (int c = 0; c < 3; c++) {
            p[c] = h->o[c] + (i + di) * h->a[c] + (k + dk) * h->b[c];
        }
        zw_scene_place(v, p, &corner[j][0], &corner[j][1]);
        corner[j][2] = (dk ? f1 : f0)[i + di];
    }
    return cut(4, 3, corner[0], left[0]);
}

static void draw_sheet(zw_text *t, const zw_scene *s, const zw_scene_view *v, const zw_scene_wall *w, const sheet *h, bool shade,
                       double strength) {
    double f[2][CELLS_X + 1], left[8][3];
    for (int pass = shade ? 0 : 1; pass < 2; pass++) {
        begin(t, pass ? "edge wall" : "solid", strength);
        for (int i = 0; i <= CELLS_X; i++) {
            f[0][i] = value(s, w, h, i, 0);
        }
        for (int k = 0; k < CELLS_Y; k++) {
            const double *f0 = f[k % 2], *f1 = f[(k + 1) % 2];
            int           full = -1; /* where a run of forbidden cells begins */
            for (int i = 0; i <= CELLS_X; i++) {
                f[(k + 1) % 2][i] = value(s, w, h, i, k + 1);
            }
            for (int i = 0; i <= CELLS_X; i++) {
                int signs = i < CELLS_X ? (f0[i] > 0.0) + (f0[i + 1] > 0.0) + (f1[i] > 0.0) + (f1[i + 1] > 0.0) : 0;
                if (signs == 4) {
                    full = full < 0 ? i : full;
                    continue;
                }
                if (full >= 0 && pass == 0) {
                    double ends[8][3], box[4][3];
                    cut_cell(v, h, f0, f1, full, k, left);
                    cut_cell(v, h, f0, f1, i - 1, k, ends);
                    memcpy(box[0], left[0], sizeof box[0]);
                    memcpy(box[1], ends[1], sizeof box[1]);
                    memcpy(box[2], ends[2], sizeof box[2]);
                    memcpy(box[3], left[3], sizeof box[3]);
                    polygon(t, 4, 3, box[0]);
                }
                full = -1;
                if (signs == 0) {
                    continue;
                }
                int n = cut_cell(v, h, f0, f1, i, k, left);
                if (pass == 0) {
                    polygon(t, n, 3, left[0]);
                }
                for (int j = 0; pass == 1 && j < n; j++) {
                    const double *a = left[j], *b = left[(j + 1) % n];
                    if (a[2] == 0.0 && b[2] == 0.0) {
                        zw_svg_path_point(t, true, a[0], a[1]);
                        zw_svg_path_point(t, false, b[0], b[1]);
                    }
                }
            }
        }
        zw_svg_path_end(t, false);
    }
}

static void draw_field(zw_text *t, const zw_scene *s, const zw_scene_view *v, const zw_scene_wall *w, double strength) {
    sheet  h;
    double size = 0.1 * extent(s);
    if (!v->floor) { /* all of the paper, through the middle */
        for (int k = 0; k < 3; k++) {
            double depth = 0.0;
            for (int j = 0; j < 3; j++) {
                depth += 0.5 * (s->lo[j] + s->hi[j]) * v->towards[j];
            }
            h.o[k] = depth * v->towards[k] - v->x0 / v->scale * v->right[k] + v->y0 / v->scale * v->up[k];
            h.a[k] = v->width / v->scale / CELLS_X * v->right[k];
            h.b[k] = -v->height / v->scale / CELLS_Y * v->up[k];
        }
        draw_sheet(t, s, v, w, &h, true, strength);
        return;
    }
    for (int across = 0; across < 2; across++) {
        int other = 1 - across;
        h = (sheet){0};
        h.o[across] = 0.5 * (s->lo[across] + s->hi[across]);
        h.o[other] = s->lo[other] - size;
        h.o[2] = s->lo[2] - size;
        h.a[other] = (s->hi[other] - s->lo[other] + 2.0 * size) / CELLS_X;
        h.b[2] = (s->hi[2] - s->lo[2] + 2.0 * size) / CELLS_Y;
        draw_sheet(t, s, v, w, &h, false, strength);
    }
}

static void draw_wall(zw_text *t, const zw_scene *s, const zw_scene_view *v, const zw_scene_wall *w, int moment, double strength) {
    const double *x = w->pose[moment], *R = w->pose[moment] + 3;
    if (w->kind == ZW_FORM_GAP) {
        s->in[s->model->slot_t] = s->at[moment].t;
        draw_field(t, s, v, w, strength);
    } else if (w->kind == ZW_FORM_PLANE) {
        double n[3], faces;
        zw_m3_mulv(n, R, w->n);
        faces = fabs(zw_v3_dot(n, v->towards));
        if (faces < 1e-6) {
            draw_edge_on(t, v, n, x, strength);
        } else if (v->floor || faces < 1.0 - 1e-6) {
            draw_patch(t, s, v, n, x, strength);
        }
    } else if (w->kind == ZW_FORM_MESH) {
        draw_mesh(t, v, w, x, R, strength);
    } else if (w->hollow && !v->floor) {
        draw_hollow(t, v, w, x, R, strength);
    } else {
        zw_scene_solid_draw(t, v, &w->solid, x, R, "wall", strength, w->hollow);
    }
}

/* solids first: the parts of them that lie in the ground are then shaded like all of it */
void zw_scene_walls_draw(zw_text *t, const zw_scene *s, const zw_scene_view *v) {
    int last = s->nmoments - 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->nwalls; i++) {
            const zw_scene_wall *w = &s->wall[i];
            bool                 shades = w->hollow || w->kind == ZW_FORM_PLANE || w->kind == ZW_FORM_GAP;
            for (int m = w->moves ? 0 : last; shades == (pass == 1) && m <= last; m++) {
                draw_wall(t, s, v, w, m, m == last ? 1.0 : 0.15 + 0.4 * m / last);
            }
        }
    }
}
