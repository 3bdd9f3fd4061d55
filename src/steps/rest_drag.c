/* SPDX-License-Identifier: Apache-2.0
 * rest_drag.c: drag of a medium in the equations of rest. A node of a rod stands for half of each link beside it, with its length as it is now:
 *
 *   R_i += drag l_i (x_i - base_i),   l_i = 1/2 sum |x_b - x_a| over the links (a, b) beside i
 * Turns feel no drag. The derivative has the change of l_i too, which couples a node with its neighbours and is not symmetric. */
#include "steps/rest.h"

#include <math.h>
#include <string.h>

void zw_rest_places(zw_rest *s, const zw_state *x) {
    const zw_implicit *k = s->k;
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part       *p = &k->y->part[i];
        const zw_secant_ops *of = p->ops->secant;
        zw_state             part = zw_implicit_slice(k, i, x);
        int                  first = k->part_block[i], blocks = of != NULL ? of->blocks(p->self) : 0;
        for (int b = 0; b < blocks; b++) {
            zw_secant_node n;
            of->node(p->self, &part, b, &n);
            memcpy(s->place + 3 * (size_t)(first + b), n.x, sizeof n.x);
            s->share[first + b] = 0.0;
        }
        for (int j = 0, pairs = blocks > 0 ? of->pairs(p->self) : 0; j < pairs; j++) {
            int pair[2];
            of->pair(p->self, j, pair);
            const double *a = s->place + 3 * (size_t)(first + pair[0]), *b = s->place + 3 * (size_t)(first + pair[1]);
            double        half = 0.5 * sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) + (b[2] - a[2]) * (b[2] - a[2]));
            s->share[first + pair[0]] += half;
            s->share[first + pair[1]] += half;
        }
    }
}

/* how the lengths change, over the links of a part */
static void add_lengths(zw_rest *s, int part) {
    zw_implicit         *k = s->k;
    const zw_part       *p = &k->y->part[part];
    const zw_secant_ops *of = p->ops->secant;
    int                  first = k->part_block[part];
    for (int j = 0, pairs = of->pairs(p->self); j < pairs; j++) {
        int    pair[2];
        double way[3], length = 0.0;
        of->pair(p->self, j, pair);
        for (int c = 0; c < 3; c++) {
            way[c] = s->place[3 * (first + pair[1]) + c] - s->place[3 * (first + pair[0]) + c];
            length += way[c] * way[c];
        }
        length = sqrt(length);
        for (int side = 0; side < 2 && length > 0.0; side++) {
            int    own = first + pair[side];
            double a[9], back[9];
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    a[3 * r + c] = 0.5 * s->drag * (s->place[3 * own + r] - s->base[3 * own + r]) * way[c] / length;
                    back[3 * r + c] = -a[3 * r + c];
                }
            }
            zw_implicit_add(k, own, first + pair[1], 3, 3, 3, 3, a);
            zw_implicit_add(k, own, first + pair[0], 3, 3, 3, 3, back);
        }
    }
}

void zw_rest_add_drag(zw_rest *s, const zw_state *x, bool derivative) {
    zw_implicit *k = s->k;
    zw_rest_places(s, x);
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part *p = &k->y->part[i];
        int            first = k->part_block[i];
        for (int b = 0, blocks = p->ops->secant != NULL ? p->ops->secant->blocks(p->self) : 0; b < blocks; b++) {
            const zw_implicit_block *own = &k->block[first + b];
            double                   per = s->drag * s->share[first + b];
            for (int c = 0; per > 0.0 && c < 3; c++) {
                double force = per * (s->place[3 * (first + b) + c] - s->base[3 * (first + b) + c]);
                k->r[own->z0 + 3 + c] += force;
                k->size[own->col0 + 3 + c] += fabs(force);
                if (derivative) {
                    zw_implicit_add(k, first + b, first + b, 3 + c, 3 + c, 1, 1, &per);
                }
            }
        }
        if (derivative && p->ops->secant != NULL) {
            add_lengths(s, i);
        }
    }
}
