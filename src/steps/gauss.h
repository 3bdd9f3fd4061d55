/* SPDX-License-Identifier: Apache-2.0
 * gauss.h: the inside of the integrator gauss.
 *
 *   gauss.c         what it is: capabilities, memory in w, one step
 *   gauss_stage.c   accelerations at a state by the formulation asked for; work and dissipation
 *   gauss_solve.c   the stages: start values, fixed point, simplified Newton
 *   gauss_close.c   q and v back onto the rows
 *   gauss_rank.c    does a row lose its meaning within a step?
 *   gauss_adapt.c   step doubling, and the motion between two states
 *   gauss_contact.h stepping over contacts with one stage, where events are off */
#ifndef ZW_STEPS_GAUSS_H
#define ZW_STEPS_GAUSS_H

#include "base/context.h"
#include "project/principles.h"
#include "steps/both.h"
#include "steps/gauss_tableau.h"
#include "project/solver.h"
#include "zwang/step.h"

enum { ZW_ALONE_COLUMNS = 32, ZW_ALONE_ROWS = 16 }; /* of a body that is asked for everything at once */
enum { ZW_NEWTON_MOST = 64 };                       /* velocities up to which a dense Jacobian is kept */

/* rests of the iteration below 1/16 of an ulp of the velocities do not reach the result */
#define ZW_COLLOCATION_TARGET (0x1p-52 / 16.0)

typedef enum zw_formulation { ZW_BY_GAUSS, ZW_BY_MULTIPLIER, ZW_BY_MACMILLAN } zw_formulation;

/* what the integrator remembers: numbers at w + ZW_W_ACCOUNT, then the arrays */
typedef enum zw_collocation_word {
    ZW_COLLOCATION_COUNT = ZW_W_ACCOUNT,                 /* steps in the history                                          */
    ZW_COLLOCATION_H,                                    /* their lengths, newest first                                   */
    ZW_COLLOCATION_RATE = ZW_COLLOCATION_H + ZW_HISTORY, /* contraction of the last iteration             */
    ZW_COLLOCATION_ROUNDS,                               /* its rounds                                    */
    ZW_COLLOCATION_MODE,                                 /* 0: fixed point; > 0: Newton, since so many steps */
    ZW_COLLOCATION_STALE,                                /* the Jacobian is to be made anew                */
    ZW_COLLOCATION_HALVES,                               /* the last two of the history were one step      */
    ZW_COLLOCATION_PIVOT,                                /* smallest pivot of the partition when it was chosen */
    ZW_COLLOCATION_ARRAYS
} zw_collocation_word;

typedef struct zw_flat { /* columns whose chart is flat: q = q0 + dv */
    int q0, v0, n;
} zw_flat;

typedef struct zw_collocation {
    zw_system        *y;
    zw_context       *c;
    zw_size           n;
    int               m, s, depth; /* rows, stages, steps of history kept */
    const zw_tableau *T;
    bool              all_flat, loads, damps, accounts, works, watch, symmetric;
    int               nflat;
    zw_flat          *flat;
    int               nturning, *turning; /* columns whose chart ends: angular velocities in space, q = q0 exp(dv) */
    bool             *drives;             /* [m] rows that do work: they move, or are nonlinear */
    unsigned char    *known;              /* [m] rows that were redundant at the start */
    unsigned char    *known_q;            /* the same of those with a position level, as they are counted there */
    int               redundant;
    zw_formulation    formulation;
    const zw_part    *alone;    /* the only part, which gives all of itself at once; NULL: there is more, or it is large */
    bool              newton;   /* small enough for a Jacobian */
    bool              linked;   /* rigid bodies and joints only: nothing is stiff, and the fixed point is cheaper as long as it converges */
    bool              adapting; /* within zw_collocation_adapt: a step that fails is tried again shorter */
    double            target;   /* rests of the iteration below this part of the velocities do not matter */
    /* offsets in w */
    int w_history, w_rest_q, w_rest_v, w_jacobian, w_order, w_contact, nw;

    struct zw_gauss_contact *contact; /* NULL: events are located, or nothing can meet */

    zw_solver    *solver, *close_q, *close_v, *from_q, *from_v; /* accelerations; rows at the end and at the start of a step */
    zw_both       both_q, both_v;                               /* both ends together, where charts are not flat */
    double       *both_work, *both_shift;                       /* [2 nv] */
    zw_principles principles;
    double       *M, *A; /* dense, for the other formulations and for the watch */
    int          *order;

    zw_state stage[ZW_STAGES], trial, base, middle, whole;         /* middle and whole: with w */
    double  *a, *fresh, *xi, *rate, *guess, *guess_again, *lambda; /* [s][nv], [s][m] */
    double  *shift0, *shift1, *extra;                              /* of q and v [2 nv] by the multipliers of the symmetric projection */
    double  *mu_q, *mu_v;
    double  *f, *b, *dv, *sum, *scale, *load, *damp, *noise; /* [nv]; b [max(nv, m)] */
    double  *g, *size, *mu;                                  /* [m] */
    double  *row0, *row1, *row_kept, *row_weight;            /* dense rows [m nv] where they are watched, 1/sqrt(M_jj) [nv] */
    zw_state kept;                                           /* the state that row_kept belongs to */
    bool     has_kept;
    double  *newton_matrix, *newton_inverse, *newton_side, *made_of; /* of all stages; made_of: the Jacobian they were made of */
    int     *newton_pivot;
    double   made_h;
    double   apart; /* residual of the last pass of the symmetric projection */
    double   moved; /* largest change of chart coordinates in the last round, where charts are not flat */
    bool     made;
    double   weight[ZW_STAGES * ZW_STAGES * ZW_HISTORY], weight_of[ZW_HISTORY + 2]; /* of the extrapolation, and what they were made for */
    double  *scratch;
} zw_collocation;

/* gauss_stage.c */
zw_status zw_collocation_accelerate(zw_collocation *k, const zw_state *x, double *a, double *lambda);
zw_status zw_collocation_partition(zw_collocation *k,
                                   zw_state       *x); /* macmillan: chooses the dependent velocities anew where they got bad */
zw_status zw_collocation_power(zw_collocation *k, const zw_state *x, const double *lambda, double *work, double *dissipated);
/* gauss_solve.c; guess: start values [s][nv], or NULL: from the history in x0. Fills k->a, k->xi, k->stage and the words of x1->w */
zw_status zw_collocation_solve(zw_collocation *k, const zw_state *x0, double h, const double *guess, zw_state *x1);
void      zw_collocation_noise(const zw_collocation *k, const zw_state *x, const double *J,
                               double *out); /* of the accelerations, by round-off */
/* gauss_close.c; symmetric: x1 -> multipliers, shifts and the shifted start *base of the next pass; *more: there is to be one */
zw_status zw_collocation_close(zw_collocation *k, zw_state *x);
zw_status zw_collocation_symmetric_begin(zw_collocation *k, const zw_state *x0);
zw_status zw_collocation_symmetric(zw_collocation *k, const zw_state *x0, const zw_state *x1, int pass, zw_state *base, bool *more);
/* gauss_rank.c: watch_from before the step; watch raises ZW_E_RANK when rows vanish or become dependent between x0 and x1 */
zw_status zw_collocation_watch_from(zw_collocation *k, const zw_state *x0);
void      zw_collocation_watch_keep(zw_collocation *k, const zw_state *x,
                                    const zw_rows *A); /* the rows at x, for watch and the next watch_from */
void      zw_collocation_weights(zw_collocation *k, const zw_state *x, double *weight); /* 1/diagonal of M */
double    zw_collocation_held(zw_collocation *k,
                              double h); /* gauss_solve.c: velocity that the reactions of the last stage make in h; noise, dv are scratch */
zw_status zw_collocation_watch(zw_collocation *k, const zw_state *x0, double h, const zw_state *x1);
/* a step did not converge: perhaps because rows vanish in it; gives that, or the status again */
zw_status zw_collocation_watch_failed(zw_collocation *k, const zw_state *x0, double h, zw_status status);
zw_status zw_collocation_vanishes(zw_collocation *k, const zw_state *x, int row); /* raises it */
/* gauss.c: one step without contacts */
zw_status zw_collocation_plain(zw_collocation *k, const zw_state *x0, double h, zw_state *x1);
/* the same, not watched */
zw_status zw_collocation_step(zw_collocation *k, const zw_state *x0, double h, const double *guess, zw_state *x1);
/* gauss_adapt.c */
zw_status zw_collocation_adapt(void *self, const zw_state *x0, double h, double tolerance, zw_state *x1, double *error, double *next);
zw_status zw_collocation_first(void *self, const zw_state *x0, double *h);
void      zw_collocation_between(void *self, const zw_state *x0, const zw_state *x1, double theta, zw_state *out);

#endif
