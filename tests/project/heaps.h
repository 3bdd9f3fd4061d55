/* SPDX-License-Identifier: Apache-2.0
 * heaps.h: bodies in contact for the tests of the unilateral kernel. */
#ifndef ZW_TESTS_PROJECT_HEAPS_H
#define ZW_TESTS_PROJECT_HEAPS_H

#include "tests/project/contacts.h"

static inline void solve_well(contacts *q, zw_unilateral_info *info) {
    if (contacts_solve(q, info) != ZW_OK) {
        char text[900];
        zw_error_format(zw_error_at(q->p.context, 0), text, sizeof text);
        fail_msg("%s", text);
    }
}

/* ---- boxes: columns (velocity, angular velocity), unit mass and inertia 1/6 ---- */

static inline void boxes(contacts *q, int count) {
    add_diagonal(&q->p, 6 * count, 0.0);
    for (int k = 0; k < count; k++) {
        for (int j = 3; j < 6; j++) {
            q->p.part[0].a[6 * k + j] = 1.0 / 6.0;
        }
    }
}

/* the point (x, y) on the upper side of box `below` (-1: the ground) carries the lower side of box `above` */
static inline void corner(contacts *q, int below, int above, double x, double y) {
    double value[12] = {0.0, 0.0, 1.0, y, -x, 0.0, 0.0, 0.0, -1.0, -y, x, 0.0};
    int    col[2] = {6 * above, 6 * below};
    add_contact(q, below < 0 ? 1 : 2, col, 6, value);
}

static const double around[8][2] = {{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.0}, {0.0, 0.5}, {-0.5, 0.0}, {0.0, -0.5}};

/* ---- spheres of radius 1/2 in a box, mass 1, three columns each ---- */

typedef struct heap_def {
    int    across, layers;
    bool   shifted; /* layers shifted by half a sphere, each sphere on four below: faces of cubes; otherwise simply cubic */
    double shake;   /* random velocities beside that of falling */
} heap_def;

static inline void heap_of_spheres(contacts *q, heap_def d) {
    int     across = d.across, count = across * across * d.layers;
    double *at = malloc(3 * (size_t)count * sizeof *at), rise = d.shifted ? sqrt(0.5) : 1.0, wall = across - 0.5 + (d.shifted ? 0.5 : 0.0);
    add_diagonal(&q->p, 3 * count, 0.0);
    for (int k = 0; k < count; k++) {
        int    layer = k / (across * across);
        double shift = d.shifted && layer % 2 == 1 ? 0.5 : 0.0;
        at[3 * k] = k % across + shift;
        at[3 * k + 1] = k / across % across + shift;
        at[3 * k + 2] = rise * layer;
    }
    for (int k = 0; k < count; k++) {
        for (int l = k + 1; l < count && at[3 * l + 2] - at[3 * k + 2] < 1.01; l++) {
            double e[3] = {at[3 * l] - at[3 * k], at[3 * l + 1] - at[3 * k + 1], at[3 * l + 2] - at[3 * k + 2]};
            double r = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
            if (r < 1.0 + 1e-9) {
                double value[6] = {-e[0] / r, -e[1] / r, -e[2] / r, e[0] / r, e[1] / r, e[2] / r};
                int    col[2] = {3 * k, 3 * l};
                add_contact(q, 2, col, 3, value);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            for (int side = 0; side < 2; side++) {
                double value[3] = {0.0, 0.0, 0.0};
                bool   touches = side == 0 ? at[3 * k + axis] < 1e-9 : axis < 2 && at[3 * k + axis] > wall - 0.5 - 1e-9;
                int    col = 3 * k;
                value[axis] = side == 0 ? 1.0 : -1.0;
                if (touches) {
                    add_contact(q, 1, &col, 3, value);
                }
            }
        }
    }
    vectors_make(q);
    for (int k = 0; k < count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            q->f[3 * k + axis] = d.shake * random_unit(&q->p) - (axis == 2 ? 1.0 : 0.0);
        }
    }
    free(at);
}

#endif
