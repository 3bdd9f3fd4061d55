/* SPDX-License-Identifier: Apache-2.0
 * joint_part.h: the inside of a joint, shared by its rows (joint.c), their rates (joint_rate.c) and its building (joint_create.c). */
#ifndef ZW_ROWS_JOINT_PART_H
#define ZW_ROWS_JOINT_PART_H

#include "math/quat.h"
#include "model/field.h"
#include "rows/joint.h"

enum { ZW_JOINT_ROWS = 6 };

typedef struct zw_joint {
    zw_context *context;
    const char *name;
    int         npos, pos[3]; /* fixed position components */
    int         nrot, rot[3]; /* fixed rotation components */
    bool        universal;    /* the one rotation row keeps two axes at right angles */
    bool        turned;       /* the components are along working axes: those of B turned by work */
    double      work[4];
    char        free;                  /* what a hinge ('a'ngle) or slider ('w'ay) leaves free; 0: another kind */
    int nwritten, slot[ZW_JOINT_ROWS]; /* rows as written, before those that hold nothing were left away; row i is number slot[i] of them */
    zw_place     a, b;
    bool         ground, moves;
    bool         elsewhere; /* its motion does not begin at 0, as on a path of statics: what its rows are at the start does not matter */
    bool         driven;    /* a place moves with time by itself */
    zw_carriage *base;      /* ground: what it moves with; NULL: it rests */
    bool         tilted;    /* to a carried frame: motion is along its axes, which are those of B turned by tilt */
    double       tilt[4];
    int          nblocks, ncols; /* what the rows touch: blocks, and columns in all */
    double       c[3], q0[4];
    zw_field     motion, rate, rate2; /* shift and turn (6), and their first and second time derivatives */
} zw_joint;

typedef struct zw_joint_target { /* of the motion at one time, axes of B */
    double shift[3], shift_rate[3];
    double q[4];     /* Q* */
    double omega[3]; /* omega* */
} zw_joint_target;

typedef struct zw_joint_geometry { /* "axes" are the working axes, which are those of B where the joint is not turned */
    zw_frame        A, B;
    zw_jet          JA, JB;
    zw_joint_target T;
    double          axes[9];          /* in space, in columns                         */
    double          d[3];             /* rA - rB, space                               */
    double          local[3];         /* in the axes, from the target                 */
    double          e[4];             /* E as quaternion, axes                        */
    double          omega_target[3];  /* E omega*, axes                               */
    double          shift_rate[3];    /* axes                                         */
    double          g[ZW_JOINT_ROWS]; /* values                                       */
    double          rot_row[3][3];    /* coefficients of omega_E in each rotation row */
} zw_joint_geometry;

zw_status zw_joint_geometry_at(zw_joint *k, const zw_system *y, const zw_state *x, bool jets, zw_joint_geometry *G);
zw_status zw_joint_target_at(zw_joint *k, double t, zw_joint_target *out);
zw_status zw_joint_ground(const zw_joint *k, double t, zw_frame *F, double rate[6]); /* the ground side at t; rate of its (w, v), or NULL */
/* a motion of the model, or a rate of it, as the joint uses it */
void      zw_joint_tilt(const zw_joint *k, double motion[6]);
zw_status zw_joint_rate(void *self, const zw_system *y, const zw_state *x, double *D); /* joint_rate.c: D in closed form */
void      zw_joint_destroy(void *self);

#endif
