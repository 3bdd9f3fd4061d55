/* SPDX-License-Identifier: Apache-2.0
 * meeting.h: a model with its meetings, for the tests of rows/meet.h: all forms and obstacles in one model, random states of it, rows times velocities. */
#ifndef ZW_TESTS_MEETING_H
#define ZW_TESTS_MEETING_H

#include "support/model.h"

#include "tests/math/samples.h"

#include "math/form.h"
#include "parts/carrier.h"
#include "rows/meet.h"

typedef struct scene {
    fixture  f;
    zw_meet *s;
    zw_state x, y;
    zw_size  n;
    zw_rows  rows;
    zw_tile  tile[4];
    zw_block block[16];
    double   a[256];
} scene;

static inline void open(scene *s, const char *text) {
    memset(s, 0, sizeof *s);
    fixture_system(&s->f, text);
    fixture_must(&s->f, zw_meet_create(s->f.y, &s->s), "zw_meet_create");
    assert_non_null(s->s);
    fixture_state(&s->f, &s->x);
    fixture_state(&s->f, &s->y);
    s->n = zw_system_size(s->f.y);
    s->rows = (zw_rows){.tile = s->tile, .block = s->block, .a = s->a};
}

static inline void shut(scene *s) {
    zw_meet_destroy(s->s);
    zw_state_destroy(s->f.c, &s->x);
    zw_state_destroy(s->f.c, &s->y);
    fixture_close(&s->f);
}

static inline void find(scene *s, double margin, int *n, const zw_meeting **m) {
    fixture_must(&s->f, zw_meet_find(s->s, &s->x, margin, n, m), "zw_meet_find");
}

static inline void scatter(scene *s, samples *r, double spread) {
    double dv[512];
    assert_true(s->n.nv <= 512);
    fixture_must(&s->f, zw_system_start(s->f.y, &s->x), "zw_system_start");
    sample_array(r, spread, dv, s->n.nv);
    zw_system_retract(s->f.y, s->x.q, dv, s->y.q);
    memcpy(s->x.q, s->y.q, sizeof(double) * (size_t)s->n.nq);
    sample_array(r, 1.0, s->x.v, s->n.nv);
    s->x.t = 0.5 + 0.5 * sample(r);
}

static inline double times(const zw_rows *A, int row_of_tile, const double *v) {
    const zw_tile *t = &A->tile[0];
    double         sum = 0.0;
    int            last = -1;
    for (int b = 0; b < t->nblocks; b++) {
        const zw_block *k = &A->block[t->block0 + b];
        assert_true(k->col0 > last);
        last = k->col0;
        for (int c = 0; c < k->ncol; c++) {
            sum += A->a[k->a + k->ncol * row_of_tile + c] * v[k->col0 + c];
        }
    }
    return sum;
}

/* a body above a plane */
#define ON(form, z)                                                      \
    "zwang: 1\nbodies: {b: {rigid: {" form ", density: 1, at: [0, 0, " z \
    "]}}}\nobstacles: {f: {plane: {normal: [0, 0, 1]}}}\nrun: {until: 1, integrator: verlet}\n"
/* every form of a body and every obstacle, some of them moving */
#define ZOO                                                                                                                                       \
    "zwang: 1\n"                                                                                                                                  \
    "contact: {friction: 0.3, loss: 0.19}\n"                                                                                                      \
    "bodies:\n"                                                                                                                                   \
    "  ball: {rigid: {sphere: {radius: 0.5}, density: 1}}\n"                                                                                      \
    "  ball2: {rigid: {sphere: {radius: 0.3}, density: 1}}\n"                                                                                     \
    "  pill: {rigid: {capsule: {radius: 0.2, length: 0.8}, density: 1}}\n"                                                                        \
    "  pill2: {rigid: {capsule: {radius: 0.3, length: 0.5}, density: 1}}\n"                                                                       \
    "  brick: {rigid: {box: {size: [0.6, 0.8, 1.1]}, density: 1}}\n"                                                                              \
    "  brick2: {rigid: {box: {size: [0.9, 0.5, 0.7]}, density: 1}}\n"                                                                             \
    "  can: {rigid: {cylinder: {radius: 0.4, length: 0.9}, density: 1}}\n"                                                                        \
    "  coin: {rigid: {cylinder: {radius: 0.6, length: 0.2}, density: 1}}\n"                                                                       \
    "  gem: {rigid: {hull: [[0.5,0,0],[-0.5,0.1,0],[0,0.6,0],[0,-0.4,0.1],[0,0,0.5],[0.1,0,-0.6]], density: 1}}\n"                                \
    "  gem2: {rigid: {hull: [[0.4,0.4,0],[-0.4,0.4,0],[0.4,-0.4,0],[-0.4,-0.4,0],[0,0,0.5]], density: 1}}\n"                                      \
    "  dumbbell: {rigid: {compound: [{sphere: {radius: 0.3}, at: [0.5, 0, 0]}, {box: {size: [0.4, 0.4, 0.4]}, at: [-0.5, 0, 0]}], density: 1}}\n" \
    "  flat: {rigid: {box: {size: [0.5, 0.4, 0.3]}, density: 1, plane: [0.2, 1, 0.1]}}\n"                                                         \
    "obstacles:\n"                                                                                                                                \
    "  floor: {plane: {normal: [0.1, 0.2, 1], at: [0, 0, -2]}}\n"                                                                                 \
    "  lift: {plane: {normal: [0, 1, 0.3], at: [0, -2, 0]}, motion: {shift: [0.1*t, sin(t), 0.2*t^2], turn: [0.3*sin(t), 0.1*t, 0]}}\n"           \
    "  planet: {sphere: {radius: 0.8, at: [1, 1, 1]}, motion: {shift: [cos(t) - 1, 0, t]}}\n"                                                     \
    "  room: {sphere: {radius: 3.5, hollow: true}, motion: {shift: [0.1*sin(3*t), 0, 0]}}\n"                                                      \
    "  pipe: {cylinder: {radius: 3, axis: [1, 1, 0], hollow: true}, motion: {turn: [0, 0, 0.2*t]}}\n"                                             \
    "  pole: {cylinder: {radius: 0.2, axis: [0, 1, 2], at: [-1, 0, 0]}, motion: {shift: [0.3*sin(t), 0, 0], turn: [0.1*t, 0, 0]}}\n"              \
    "  block: {box: {size: [1, 1.2, 0.6], at: [-1, 1.5, 0], turn: [0.3, 0.2, 0.1]}, motion: {turn: [0, 0, t]}}\n"                                 \
    "  bar: {capsule: {radius: 0.3, length: 2, at: [0, 0, 1], axis: [1, 0, 0.2]}}\n"                                                              \
    "  drum: {cylinder: {radius: 0.5, length: 0.7, at: [1.5, -1, 0.5]}, motion: {shift: [0, t, 0], turn: [t, 0, 0]}}\n"                           \
    "  dune: {gap: 'z + 2.2 - 0.3*sin(x + t)*cos(y)'}\n"                                                                                          \
    "  egg: {gap: 'x^2 + 2*y^2 + 0.5*z^2 - 1.1', motion: {shift: [2*t, 0, 0], turn: [0, t, 0]}}\n"                                                \
    "  ramp: {mesh: {points: [[-3,-3,-1.5],[3,-3,-1.2],[3,3,-1.8],[-3,3,-1.4],[0,0,-1]], triangles: [[0,1,4],[1,2,4],[2,3,4],[3,0,4]]}, "         \
    "motion: {shift: [0,0,0.1*t], turn: [0,0,t]}}\n"                                                                                              \
    "run: {until: 1, integrator: verlet}\n"

#endif
