/* SPDX-License-Identifier: Apache-2.0
 * moreau.h: what verlet does where bodies meet. The scheme is told in moreau.c, the law with friction in friction.c; docs/theory/contact-stepping.md has both.
 *
 *   moreau.c         first and second kick
 *   moreau_impact.c  impacts
 *   moreau_mix.c     passes of the first kick that creep
 *   moreau_memory.c  what is kept of contacts from step to step
 *   moreau_set.c     the contacts of a state: gaps, rows, rates
 *   friction.c       one kick: the velocities and impulses that satisfy Signorini's and Coulomb's law */
#ifndef ZW_STEPS_MOREAU_H
#define ZW_STEPS_MOREAU_H

#include "project/unilateral.h"
#include "rows/meet.h"
#include "steps/mass.h"

/* ---- the contacts of a state */

enum { ZW_MOREAU_MIX = 6 }; /* passes that are mixed */

typedef struct zw_contact {
    bool   on;          /* its law is part of the next solve                                  */
    bool   guess;       /* it is expected to push                                             */
    bool   pushed;      /* it did so in the step before */
    bool   comes;       /* its gap closes */
    bool   met;         /* it was on in the last round of this step */
    bool   due;         /* something else than forces drives bodies together here             */
    double c;           /* N v + drift >= c is asked for                                      */
    double p;           /* impulse, N s; a guess until the first kick                         */
    double pt[2];       /* along the rows of T                                                */
    int    slide;       /* its tile in T, -1: none                                            */
    double wind[2];     /* sliding rates that a moving obstacle makes alone                   */
    double bend[2];     /* sliding in a whole step beyond that of the rates at its beginning */
    double mixed[2][3]; /* two answers p, pt to be mixed                                  */
    double next;        /* c of the next pass; last F and G of moreau_mix.c, and their changes */
    double last[2], change[2][ZW_MOREAU_MIX];
} zw_contact;

typedef struct zw_contact_set {
    zw_context *context;
    zw_meet    *meet;
    int         n, room;      /* contacts; room for them */
    int         sorted, rubs; /* the first of them, which rise by id; how many have friction */
    int         blocks, values;
    zw_meeting *meeting, *later; /* at the state; the same features elsewhere */
    zw_contact *at;
    zw_rows     N, T; /* one row each; two rows each where there is friction */
} zw_contact_set;

void      zw_contact_set_init(zw_context *c, zw_meet *meet, zw_contact_set *s);
void      zw_contact_set_release(zw_contact_set *s);
zw_status zw_contact_set_find(zw_contact_set *s, const zw_state *x, double margin);
zw_status zw_contact_set_add(zw_contact_set *s, const zw_state *x, const zw_meeting *m); /* a feature of another state, at x */
int       zw_contact_set_number(const zw_contact_set *s, int64_t id);                    /* -1: not there */
/* w = T v + wind */
void   zw_contact_set_slide(const zw_contact_set *s, int i, const double *v, double w[2]);
double zw_contact_set_rate(const zw_contact_set *s, int i, const double *v); /* N v + drift of one */
bool   zw_contact_set_push(const zw_contact_set *s, int i, double *z); /* z += N' p + T' pt of one that is on; false: it does not push */
/* impulses of those that are on, times the mean rate of before and after: their share of the kinetic energy without what moving obstacles do, and the work of those */
void zw_contact_set_account(const zw_contact_set *s, const double *before, const double *after, double *taken, double *work);

/* ---- one kick */

typedef struct zw_kick zw_kick;

typedef struct zw_kick_problem {
    const zw_metric *H;
    const zw_rows   *A;
    const double    *f;     /* H x = f without contacts and rows    */
    const double    *b;     /* A x = b                              */
    double           speed; /* size of the velocities: what residuals are relative to */
    bool             again; /* H, A and the contacts that are on are those of the last call */
    double           hold;  /* with friction: as in coulomb.h                                 */
} zw_kick_problem;

zw_status zw_kick_create(zw_context *c, zw_kick **out);
void      zw_kick_destroy(zw_kick *k);
/* what friction missed at most since the beginning of the step */
void   zw_kick_begin(zw_kick *k);
double zw_kick_missed(const zw_kick *k);
/* x, lambda, and p, pt of the contacts that are on: 0 <= p _|_ N x + drift - c >= 0, |pt| <= mu p, pt against the sliding T x + wind where there is any; with friction the
 * p and pt that are there are a guess.
 * residual: the largest by which a contact misses its law, relative to the speed. ZW_E_CONVERGENCE (raised, with who) when friction was not found */
zw_status zw_kick_solve(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda, double *residual);

/* ---- the scheme */

typedef struct zw_moreau zw_moreau;

zw_status zw_moreau_create(zw_system *y, const zw_mass *mass, zw_moreau **out); /* *out NULL: nothing can meet */
void      zw_moreau_destroy(zw_moreau *k);
int       zw_moreau_memory(const zw_moreau *k);      /* doubles of w that it keeps */
void zw_moreau_be_strict(zw_moreau *k, bool strict); /* without friction: is an overlap that stays after all passes ZW_E_CONVERGENCE? */
zw_status zw_moreau_start(zw_moreau *k, const zw_state *x, double *w); /* raises where bodies overlap at x, or a side is violated */
/* first kick and drift. mid: v0 kicked by the forces, becomes the velocity of the drift; x1 its end; lambda [m] as verlet keeps it; f0: forces that have a
 * potential. *met false: nothing is near anything, and the drift is still to do. struck: v0 after the impacts at its place */
zw_status zw_moreau_first(zw_moreau *k, const zw_state *x0, const double *w0, double h, const zw_metric *H, const double *f0, double *mid,
                          zw_state *x1, double *lambda, const double **struck, bool *met);
/* contacts closed at the end of the drift (x1->v: the velocity that arrives); 0: none */
zw_status zw_moreau_arrive(zw_moreau *k, double h, const double *force, const zw_state *x1, int *closed);
/* second kick: H x1->v = f with rows and contacts; impulse of the rows in lambda; f1: forces that have a potential */
zw_status zw_moreau_second(zw_moreau *k, double h, const zw_metric *H, const double *f, const double *f1, const double *drifted,
                           zw_state *x1, double *lambda);
/* what the contacts did, once the step is accepted; w1 is written */
void   zw_moreau_finish(zw_moreau *k, const double *w0, double *w1, double *work, double *dissipated);
void   zw_moreau_react(const zw_moreau *k, const double *w, double *lambda); /* += what rows held against contacts, mean of the last step */
void   zw_moreau_touch(const zw_moreau *k, double *f); /* += mean force of the contacts in the last step, per column of v */
bool   zw_moreau_own(const zw_moreau *k, int i, zw_channel *out);
double zw_moreau_observe(const double *w, int i);

#endif
