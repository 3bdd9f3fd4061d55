/* SPDX-License-Identifier: Apache-2.0
 * run.h: a model set in motion: system + integrator + schedule of frames, advanced in slices; what it computed goes to a recorder. */
#ifndef ZWANG_RUN_H
#define ZWANG_RUN_H

#include "zwang/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- events of unilateral constraints. A side is one inequality at one point: zw_run_side_name */
typedef enum zw_event_kind {
    ZW_EVENT_IMPACT,
    ZW_EVENT_ZENO, /* the last of infinitely many impacts: t is their limit, the numbers are those of all that were left */
    ZW_EVENT_REST, /* a contact begins to last                     */
    ZW_EVENT_RELEASE
} zw_event_kind;
ZW_API const char *zw_event_kind_name(zw_event_kind kind); /* "impact", "zeno", "rest", "release" */
ZW_API const char *zw_event_law_name(int law);             /* "reflect", "moreau", "sequential", "compliant", "stick"; "none" */

typedef struct zw_event_contact {
    int    side;
    double impulse;       /* N s along the gradient of the gap                      */
    double before, after; /* rate of the gap, m/s                                   */
    double slide;         /* N s across it: what kept it from sliding; only `stick` */
} zw_event_contact;
/* what a joint or another equation of the model took up in an impact */
typedef struct zw_event_joint {
    int    joint;  /* zw_run_joint_name */
    bool   unique; /* false: other equations could have taken it up too, and this is the part of least norm */
    int    rows;
    double impulse[6]; /* moment N m s, force N s on its first body at its place, space axes; 0 for equations of a lagrangian */
    double row[6];     /* the multipliers themselves, one for each row */
} zw_event_joint;
typedef struct zw_event_record {
    int64_t                 number; /* from 1 */
    double                  t;
    zw_event_kind           kind;
    int                     law; /* -1: none, it is no impact */
    int                     ncontacts;
    const zw_event_contact *contact; /* all gaps that are closed then */
    int                     njoints;
    const zw_event_joint   *joint;                                   /* those that felt the impact */
    double                  energy_before, energy_after, dissipated; /* J */
    double                  condition;                               /* of the scaled matrix of the contacts */
    bool                    order_dependent; /* simultaneous impacts one after the other: another order has another result */
} zw_event_record;

typedef struct zw_recorder {
    void *self;
    zw_status (*epoch)(void *self, const zw_layout *layout);  /* sizes from here on                                  */
    zw_status (*frame)(void *self, const double *frame);      /* layout.width doubles                                */
    zw_status (*event)(void *self, const zw_event_record *e); /* may be NULL                                        */
} zw_recorder;

typedef enum zw_outcome { ZW_RUNNING, ZW_REACHED, ZW_STOPPED_BY_EVENT, ZW_DIVERGED } zw_outcome;
ZW_API const char *zw_outcome_name(zw_outcome o); /* "running", "reached", "stopped-by-event", "diverged" */

typedef struct zw_probe_summary {
    const char *name;
    int         width;
    double      final[6], min[6], max[6];
} zw_probe_summary;

typedef struct zw_own_summary { /* a number that the integrator reports of its own */
    const char *name;
    double      final, max;
} zw_own_summary;

/* everything that a person or program wants at the end; absolute SI values with the scale beside them */
typedef struct zw_summary {
    zw_outcome              outcome;
    double                  t, until, step;             /* s; adaptive: the next step to be tried */
    bool                    adaptive;                   /* the length of the steps follows from the tolerance */
    double                  tolerance;                  /* of the local error, relative; 0 where steps have one length */
    double                  step_least, step_most;      /* s, of the steps taken */
    int64_t                 rejected;                   /* steps that were tried again shorter */
    int64_t                 steps, steps_total, frames; /* adaptive: steps_total is an estimate until the end */
    double                  limit;                      /* largest stable step, s; 0 when unlimited */
    const char             *integrator;
    double                  energy_initial, energy_final, energy_drift_max, energy_scale; /* drift: change minus work plus dissipation */
    double                  kinetic, elastic, potential, work, dissipated;                /* at the end                                */
    double                  linear_drift_max, angular_drift_max, linear_scale, angular_scale; /* 0 scale: not conserved in this model  */
    double                  linear[3], angular[3];               /* at the end, N s and N m s about the origin */
    bool                    linear_conserved, angular_conserved; /* by the model: no gravity, loads, supports */
    double                  constraint_position_max, constraint_velocity_max;
    double                  constraint_velocity_relative_max; /* relative to the terms of the row added up in size */
    int                     rows, redundant;
    double                  zwang_max, zwang_mean;
    int64_t                 events, impacts, zenos, rests, releases; /* of unilateral constraints */
    int64_t                 order_dependent;                         /* impacts whose result depends on an order */
    double                  impact_loss, impulse_max;                /* J, N s */
    int                     sides;
    int                     nown;
    const zw_own_summary   *own;
    int                     nprobes;
    const zw_probe_summary *probes;
} zw_summary;

typedef struct zw_run zw_run;

ZW_API zw_status        zw_run_create(const zw_model *m, zw_run **out); /* binds and checks everything; the model must outlive it     */
ZW_API void             zw_run_destroy(zw_run *r);
ZW_API const zw_layout *zw_run_layout(const zw_run *r);
ZW_API void      zw_run_set_recorder(zw_run *r, const zw_recorder *recorder); /* before the first advance; may be NULL                    */
ZW_API zw_status zw_run_advance(zw_run *r, int64_t steps); /* at most that many; stops at the end, on cancel, on failure */
ZW_API bool      zw_run_done(const zw_run *r);
ZW_API void      zw_run_summary(const zw_run *r, zw_summary *out); /* pointers stay valid while the run lives                   */
ZW_API const zw_state *zw_run_state(const zw_run *r);
ZW_API zw_system      *zw_run_system(zw_run *r);
/* all that changes while running, as bytes: a checkpoint. Restoring it into a run of the same model goes on bitwise */
ZW_API size_t    zw_run_save_size(const zw_run *r);
ZW_API void      zw_run_save(const zw_run *r, void *bytes);
ZW_API zw_status zw_run_restore(zw_run *r, const void *bytes, size_t size);
ZW_API int64_t   zw_run_steps(const zw_run *r); /* steps taken so far                                       */
/* on: the arrays of zw_run_state stay where they are now, so that others may look at them; off: each step changes between two places */
ZW_API void zw_run_pin(zw_run *r, bool on);
/* a frame (zw_run_layout) of the state as it is now, valid until the next call on r; neither recorded nor counted in the summary */
ZW_API zw_status zw_run_look(zw_run *r, const double **frame);
/* where a channel lies in the arrays of zw_run_state; strides in doubles; false: it is computed, ask zw_run_look */
typedef struct zw_span {
    const double *data;
    int           rank;
    ptrdiff_t     shape[2], stride[2];
} zw_span;
ZW_API bool        zw_run_span(const zw_run *r, const char *channel, zw_span *out);
ZW_API int         zw_run_sides(const zw_run *r);
ZW_API const char *zw_run_side_name(const zw_run *r, int side);
ZW_API int         zw_run_joints(const zw_run *r); /* equations of the model that impacts may meet: joints, rows of lagrangians */
ZW_API const char *zw_run_joint_name(const zw_run *r, int joint);
ZW_API int64_t     zw_run_frames(const zw_run *r); /* frames handed to the recorder so far                      */

#ifdef __cplusplus
}
#endif
#endif
