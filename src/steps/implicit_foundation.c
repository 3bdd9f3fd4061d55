/* SPDX-License-Identifier: Apache-2.0
 * implicit_foundation.c: elastic foundations in an implicit step and at rest.
 *
 * With p_i = axis_i.(r - a), which is bilinear in the axis and the way, the difference of the energy over a step is exactly
 *   sum_i k_i pbar_i (axisbar_i.(x1 - x0) + (axisbar_i x waybar).(h w)),    pbar = (p0 + p1)/2, axisbar and waybar means of both states,
 * so the force k_i pbar_i axisbar_i and its moment keep the energy. Axes in space rest: then it is the midpoint rule. Damping: c_i (axisbar_i.vb) axisbar_i. */
#include "steps/implicit.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct spot {               /* a node over a step */
    double axis[3][3], axis1[3][3]; /* means, and at the end */
    double way[3], way1[3];
    double p[3]; /* means */
} spot;

static void node_at(const zw_implicit *k, int block, const zw_state *x, zw_secant_node *out) {
    const zw_implicit_block *b = &k->block[block];
    const zw_part           *p = &k->y->part[b->part];
    zw_state                 part = zw_implicit_slice(k, b->part, x);
    p->ops->secant->node(p->self, &part, b->index, out);
}

static void look(const zw_implicit *k, const zw_foundation *f, int block, const double *anchor, const zw_state *x0, const zw_state *x1,
                 spot *s) {
    zw_secant_node n[2];
    double         way[2][3];
    node_at(k, block, x0, &n[0]);
    node_at(k, block, x1, &n[1]);
    for (int t = 0; t < 2; t++) {
        zw_v3_sub(way[t], n[t].x, anchor);
    }
    for (int c = 0; c < 3; c++) {
        s->way[c] = 0.5 * (way[0][c] + way[1][c]);
        s->way1[c] = way[1][c];
    }
    for (int i = 0; i < 3; i++) {
        double p = 0.0;
        for (int t = 0; t < 2; t++) {
            const double *axis = n[t].d[i], space[3] = {i == 0, i == 1, i == 2};
            p += 0.5 * zw_v3_dot(f->directors ? axis : space, way[t]);
        }
        s->p[i] = p;
        for (int c = 0; c < 3; c++) {
            s->axis[i][c] = f->directors ? 0.5 * (n[0].d[i][c] + n[1].d[i][c]) : i == c;
            s->axis1[i][c] = f->directors ? n[1].d[i][c] : i == c;
        }
    }
}

/* turn and way of a unit along axis i: moment, force */
static void direction(const zw_foundation *f, const double axis[3], const double way[3], double out[6]) {
    zw_v3_zero(out);
    if (f->directors) {
        zw_v3_cross(out, axis, way);
    }
    zw_v3_copy(out + 3, axis);
}

/* derivative of force n_i times direction_i by (eta, x) at the end, the direction alone: half of what changes there; row-major 6 x 6, added */
static void direction_turns(const double axis[3], const double axis1[3], const double way[3], double n, double *K) {
    for (int c = 0; c < 3; c++) {
        double e[3] = {c == 0, c == 1, c == 2}, turned[3], moment[3];
        zw_v3_cross(turned, e, axis1); /* axis moves by eta x axis1 /2 */
        zw_v3_cross(moment, turned, way);
        for (int r = 0; r < 3; r++) {
            K[6 * r + c] += 0.5 * n * moment[r];
            K[6 * (3 + r) + c] += 0.5 * n * turned[r];
        }
        zw_v3_cross(moment, axis, e); /* way moves by x/2 */
        for (int r = 0; r < 3; r++) {
            K[6 * r + 3 + c] += 0.5 * n * moment[r];
        }
    }
}

static void foundation_node(zw_implicit *k, const zw_foundation *f, int i, const zw_state *x0, double h, const zw_state *x1,
                            bool derivative, zw_secant_sum *sum) {
    int                      block = k->part_block[f->part] + f->first + i;
    const zw_implicit_block *b = &k->block[block];
    bool                     rest = k->share == 2.0;
    double                   K[36] = {0}, out[36];
    spot                     s;
    look(k, f, block, zw_foundation_anchors(f, x0) + 3 * (ptrdiff_t)i, x0, x1, &s);
    for (int a = 0; a < 3; a++) {
        double stiff = f->stiffness[3 * i + a], drag = rest ? 0.0 : f->damping[3 * i + a], rate = zw_v3_dot(s.axis[a], k->u + b->col0 + 3);
        double to[6], to1[6], n = stiff * s.p[a];
        direction(f, s.axis[a], s.way, to);
        direction(f, s.axis1[a], s.way1, to1);
        for (int c = 0; c < 6; c++) { /* damping has no moment */
            double push = n * to[c] + (c < 3 ? 0.0 : drag * rate * to[c]);
            k->ru[b->col0 + c] += h * push;
            k->size[b->col0 + c] += fabs(h * push);
        }
        sum->dissipated += h * drag * rate * rate;
        if (!derivative) {
            continue;
        }
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                K[6 * r + c] += 0.5 * stiff * to[r] * to1[c];
            }
        }
        if (f->directors) {
            direction_turns(s.axis[a], s.axis1[a], s.way, n, K);
        }
        for (int r = 3; r < 6 && drag > 0.0; r++) { /* by u itself, not by the way over the step */
            for (int c = 3; c < 6; c++) {
                double one = h * drag * to[r] * to[c];
                zw_implicit_add(k, block, block, r, c, 1, 1, &one);
            }
        }
    }
    if (derivative) {
        const zw_part *p = &k->y->part[f->part];
        zw_state       part = zw_implicit_slice(k, f->part, x0);
        double         P[36], D[36];
        p->ops->secant->columns_of(p->self, &part, k->u + p->v0, h, b->index, P, D);
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                double one = 0.0;
                for (int n = 0; n < 6; n++) {
                    one += K[6 * r + n] * D[6 * n + c];
                }
                out[6 * r + c] = h * h * k->share * one;
            }
        }
        zw_implicit_add(k, block, block, 0, 0, 6, 6, out);
    }
}

void zw_implicit_foundations(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum) {
    for (int n = 0; n < k->y->nfoundations; n++) {
        const zw_foundation *f = &k->y->foundation[n];
        for (int i = 0; i < f->count; i++) {
            foundation_node(k, f, i, x0, h, x1, derivative, sum);
        }
    }
}

void zw_implicit_foundation_damping(zw_implicit *k, const zw_state *x) {
    for (int n = 0; n < k->y->nfoundations; n++) {
        const zw_foundation *f = &k->y->foundation[n];
        for (int i = 0; i < f->count && f->damps; i++) {
            int  block = k->part_block[f->part] + f->first + i;
            spot s;
            look(k, f, block, zw_foundation_anchors(f, x) + 3 * (ptrdiff_t)i, x, x, &s);
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    double one = 0.0;
                    for (int a = 0; a < 3; a++) {
                        one += f->damping[3 * i + a] * s.axis[a][r] * s.axis[a][c];
                    }
                    zw_implicit_add(k, block, block, 3 + r, 3 + c, 1, 1, &one);
                }
            }
        }
    }
}
