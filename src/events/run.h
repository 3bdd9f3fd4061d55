/* SPDX-License-Identifier: Apache-2.0
 * run.h: the inside of a run. Public face: zwang/run.h. */
#ifndef ZW_EVENTS_RUN_H
#define ZW_EVENTS_RUN_H

#include "model/model.h"
#include "zwang/run.h"

enum { ZW_PROBE_WIDTH = 6 };
typedef struct zw_contacts zw_contacts; /* contacts.h */

/* what a run adds up on its way: plain numbers, so that a checkpoint is a copy */
typedef struct zw_tally {
    int64_t step, frames, monitors;
    double  energy_initial, drift_max, energy_scale;
    double  kinetic, elastic, potential; /* newest */
    double  linear_initial[3], angular_initial[3], linear[3], angular[3];
    double  linear_drift_max, angular_drift_max, linear_scale, angular_scale;
    double  position_max, velocity_max, velocity_relative_max;
    double  zwang_max, zwang_sum, zwang_count;
    double  own[ZW_OWN_MOST], own_max[ZW_OWN_MOST]; /* numbers of the integrator's own: newest, largest */
    int64_t outcome;
    double  h, h_least, h_most; /* steps of chosen length: the next one to try, the shortest (but for the last) and the longest taken */
    int64_t rejected, next_frame;
    int64_t events, impacts, zenos, rests, releases, order_dependent, begun;
    double  lost, impulse_max;
} zw_tally;

typedef struct zw_probe_tally {
    double final[ZW_PROBE_WIDTH], min[ZW_PROBE_WIDTH], max[ZW_PROBE_WIDTH];
} zw_probe_tally;

/* where each channel of a frame comes from */
typedef enum zw_source_kind {
    ZW_FROM_TIME,
    ZW_FROM_PART,
    ZW_FROM_BALANCE, /* of a part, by what the balance leaves */
    ZW_FROM_ENERGY,
    ZW_FROM_MOMENTUM,
    ZW_FROM_CONSTRAINT,
    ZW_FROM_ZWANG,
    ZW_FROM_OWN,
    ZW_FROM_PROBE,
    ZW_FROM_ALONG,    /* multipliers of equations along a rod; index: which */
    ZW_FROM_REFERENCE /* part: 0 position, 1 orientation; index: which frame of reference */
} zw_source_kind;
typedef struct zw_source {
    zw_source_kind kind;
    int            part, index;
} zw_source;

/* the numbers of one state that both monitor and frame use */
typedef struct zw_picture {
    zw_account account;
    double     position, velocity; /* largest row values */
    double     velocity_relative;  /* the same relative to the terms of the row */
    double     zwang;
    double     own[ZW_OWN_MOST];
} zw_picture;

struct zw_run {
    zw_context              *context;
    const zw_model          *model;
    zw_arena                 arena;
    zw_system               *system;
    zw_size                  size; /* with the integrator's w */
    const zw_integrator_ops *ops;
    void                    *integrator;
    zw_gauss                *gauss;
    zw_state                 x[2];
    int                      now; /* x[now] is the state */
    bool                     pinned;
    int                      home; /* where the state is between advances while pinned */
    int                      m, redundant;
    int                      nown; /* numbers that the integrator reports of its own */
    zw_channel               own[ZW_OWN_MOST];
    zw_own_summary          *own_summary;

    bool     adaptive; /* step length from the tolerance; nsteps and h mean nothing then */
    double   tolerance;
    zw_state spare; /* adaptive: for frames within a step */

    double  h, until, limit;
    int64_t nsteps, monitor_every;
    double  frame_interval; /* s, for ZW_RECORD_INTERVAL */

    zw_layout   layout;
    zw_source  *source;
    double     *frame, *constants;
    zw_recorder recorder;
    bool        recording, epoch_sent;
    bool        linear_conserved, angular_conserved;

    zw_place *probe_place; /* [nprobes] */
    zw_tape **probe_tape;
    double   *probe_work, *probe_in;
    double (*probe_value)[ZW_PROBE_WIDTH];
    zw_probe_tally   *probe_tally;
    zw_probe_summary *probe_summary;
    bool              needs_multipliers;
    bool              told_tension; /* that the step is too long for it */
    double           *lambda, *row_values;
    double           *balance;  /* [nv] forces - M a at the last whole picture, forces of held strains counted; NULL: no channel needs it */
    zw_contacts      *contacts; /* NULL: nothing is unilateral */
    zw_size           first;    /* sizes of the first epoch */
    bool              told_split;
    bool              splits; /* links may be split: a checkpoint holds the meshes */
    zw_tally          tally;
};

/* run.c: monitor, probes and, if asked for, a frame at a state */
zw_status zw_run_look_at(zw_run *r, const zw_state *x, bool first, bool frame);
/* remesh.c: links that have grown too long are halved, and a new epoch begins. The meshes of a checkpoint: doubles, writing, going back to them */
zw_status zw_run_remesh(zw_run *r);
size_t    zw_run_mesh_words(const zw_run *r);
void      zw_run_mesh_save(const zw_run *r, void *bytes);
zw_status zw_run_mesh_restore(zw_run *r, const void *bytes, size_t n);
/* run.c: states, multipliers of r->system with nw doubles of w; all that is bound to the system taken down */
zw_status zw_run_make_room(zw_run *r, int nw);
void      zw_run_unbind(zw_run *r);
/* start.c, adapt.c */
zw_status zw_run_make_consistent(zw_run *r);
zw_status zw_run_choose_tolerance(zw_run *r);
zw_status zw_run_first_step(zw_run *r);
zw_status zw_run_step_adaptive(zw_run *r);
/* observe.c: channels and frames; probes.c; tally.c */
zw_status zw_run_bind_layout(zw_run *r);
zw_status zw_run_take_picture(zw_run *r, const zw_state *x, bool whole, zw_picture *out); /* whole: multipliers and Zwang too */
zw_status zw_run_fill_frame(zw_run *r, const zw_state *x, const zw_picture *p);           /* r->frame */
zw_status zw_run_bind_probes(zw_run *r);
void      zw_run_destroy_probes(zw_run *r);
zw_status zw_run_read_probes(zw_run *r, const zw_state *x, const zw_picture *p); /* r->probe_value */
void      zw_run_monitor(zw_run *r, const zw_state *x, const zw_picture *p, bool first);
void      zw_run_monitor_probes(zw_run *r, bool first);

#endif
