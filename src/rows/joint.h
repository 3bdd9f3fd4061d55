/* SPDX-License-Identifier: Apache-2.0
 * joint.h: clamps, balls, hinges, sliders, universal and fixed joints, to ground or between two places: one kind of row for all. */
#ifndef ZW_ROWS_JOINT_H
#define ZW_ROWS_JOINT_H

#include "model/model.h"
#include "rows/carriage.h"
#include "zwang/system.h"

/* what a joint holds on to */
typedef struct zw_joint_base {
    const zw_place *b;     /* a second place; NULL: the ground                                                   */
    zw_carriage    *frame; /* the ground moves with it; NULL: it rests                                            */
    const double   *tilt;  /* quaternion: axes of a carried frame in those of b; NULL: no frame is carried by b   */
} zw_joint_base;

extern const zw_constraint_ops zw_joint_ops;       /* rates of the rows by differences                */
extern const zw_constraint_ops zw_joint_exact_ops; /* in closed form: where frames know their own rate */

/* a is a bound place; x is the start state, whose relative frame is kept; ops: one of the two above */
zw_status zw_joint_create(const zw_model *m, const zw_constraint_def *def, const zw_system *y, const zw_state *x, const zw_place *a,
                          const zw_joint_base *base, const zw_constraint_ops **ops, void **out);
bool      zw_joint_moves(const void *self); /* does it depend on time? */
/* multipliers (room for 6) of the components as written in the model; 0 for those that the plane of planar bodies holds already */
void zw_joint_multipliers(const void *self, const double *lambda, double *out);
/* 'a': a hinge's angle, 'w': a slider's way, counted from the start; 0: a joint of another kind */
char zw_joint_leaves_free(const void *self);
/* its value (an angle in -pi .. pi), and the coefficients of (w, v) of the first and the second place in its rate, space axes */
zw_status zw_joint_free_value(void *self, const zw_system *y, const zw_state *x, double *value, double row[2][6]);

#endif
