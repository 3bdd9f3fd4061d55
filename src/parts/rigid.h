/* SPDX-License-Identifier: Apache-2.0
 * rigid.h: all rigid bodies of a model as one population.
 *
 *   q   per body: x (3, centre of mass), quaternion w x y z (4) of its PRINCIPAL axes, so that the metric is diagonal for every body
 *   v   per body: Omega, angular velocity in principal axes (3); xdot, space velocity (3), as for the nodes of a rod;
 *       a planar body (normal n, e1, e2 across it, fixed in space): omega about n, and the velocities along e1, e2
 *   f   per body: torque in principal axes (3); force in space (3); planar: torque about n, forces along e1, e2
 *
 * Principal axes are inside only: places, frames, probes and what is recorded are in the body axes as written in the model, which are the principal ones
 * turned by `axes`. Where the inertia is diagonal as written, both are the same. */
#ifndef ZW_PARTS_RIGID_H
#define ZW_PARTS_RIGID_H

#include "base/arena.h"
#include "math/form.h"
#include "model/model.h"
#include "zwang/system.h"

enum { ZW_RIGID_NQ = 7 };

typedef struct zw_rigid {
    const char  *name;
    bool         planar;
    int          q0, v0, nv;            /* where its numbers begin in the part */
    double       mass;                  /* kg */
    double       inertia[9];            /* about the centre of mass, body axes */
    double       principal[3], axes[4]; /* principal moments; v in body axes = axes rotating v in principal axes */
    double       plane[9];              /* planar: rows n, e1, e2 */
    double       moment;                /* planar: of inertia about n */
    double       com[3];                /* centre of mass in the axes of the form as written: forms are placed from there */
    int          npoints;
    const char **point_name;
    double      *point; /* [3 npoints] body axes, from the centre of mass */
    int          nforms;
    zw_placed   *form; /* [nforms] its convex members, in body axes from the centre of mass */
    int          nlines;
    double      *line; /* [nlines][2][3] wire outline for pictures, in body axes from the centre of mass */
} zw_rigid;

typedef struct zw_rigids {
    zw_context     *context;
    const zw_model *model;
    zw_arena        arena;
    int             nbodies, nv;
    zw_rigid       *body;
    int            *of_column; /* [nv] body that a column belongs to */
    int            *piece0;    /* [nbodies + 1] number of a body's first form among those of all   */
    int            *of_piece;  /* body that a form belongs to */
    int            *field0;    /* [nbodies + 1] number of a body's first recordable array */
    double          gravity[3];
    double         *q0, *v0;
    double         *metric_a; /* diagonal */
} zw_rigids;

/* the population of all rigid bodies of a model; gravity is the constant part of the model's (0 when it depends on time) */
zw_status                          zw_rigids_create(const zw_model *m, const double gravity[3], void **out);
extern const zw_part_ops           zw_rigids_ops;
extern const struct zw_carrier_ops zw_rigids_carrier_ops; /* rigid_carrier.c */
extern const struct zw_secant_ops  zw_rigids_secant_ops;  /* rigid_balance.c */

/* quaternion of the body axes as written, at a state of the part */
void zw_rigid_orientation(const zw_rigid *b, const double *q, double out[4]);
/* angular velocity in space */
void zw_rigid_spin(const zw_rigid *b, const double *q, const double *v, double out[3]);
void zw_rigid_velocity(const zw_rigid *b, const double *v, double out[3]); /* of the centre of mass, space */

/* ---- rooms */
zw_status zw_rigid_forms(const zw_model *m, const zw_body_def *def, zw_arena *a, zw_rigid *b); /* rigid_form.c: forms, mass, inertia, com */
zw_status zw_rigid_outline(const zw_model *m, zw_arena *a, zw_rigid *b);                       /* rigid_outline.c: line */
zw_status zw_rigids_number_pieces(zw_rigids *all);                                             /* rigid_carrier.c */
void      zw_rigids_number_fields(zw_rigids *all);                                             /* rigid_observe.c */
bool      zw_rigids_field(const void *self, int i, zw_channel *out, bool *constant);
void      zw_rigids_observe(void *self, const zw_state *x, int i, double *out);
void      zw_rigids_account(void *self, const zw_state *x, zw_account *a);
bool      zw_rigids_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out);

#endif
