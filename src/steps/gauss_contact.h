/* SPDX-License-Identifier: Apache-2.0
 * gauss_contact.h: the inside of stepping over contacts with gauss, one stage, run.events off. A step x0 -> x1 of length h is
 *
 *   M (v1 - v0) = h F + Abar' L + Gbar' p         F, M at the middle of the step; v_mid = (v0 + v1)/2 moves q0 to q1 as the one stage of gauss does
 *   g_joint(q1) = 0,   0 <= p  _|_  g(q1, t1) >= 0       position level, at the END of the step
 *   Gbar . (h v_mid) + h tau = g1 - g0                   discrete gradient: a contact works p (g1 - g0)/h = -p g0/h <= 0, a joint nothing
 * and then, where contacts pushed, v1 becomes the nearest velocity (metric M) to v1 - M^-1 N' p with joints closed and N v + drift >= 0: the impact is plastic,
 * no contact pulls, and the kinetic energy does not grow: v1.M v' = |v'|^2 + p.N v' >= |v'|^2.
 *
 *   gauss_contact.c         set-up, refusals, one step: without contacts first, then with those that are violated; halving
 *   gauss_contact_solve.c   the position level: fixed point over the kernel with inequalities
 *   gauss_contact_row.c     the discrete gradient of a row
 *   gauss_contact_end.c     x1 of that, and the account of work
 *   contact_set.c, contact_end.c   who takes part, and the velocity level: shared with energy-momentum */
#ifndef ZW_STEPS_GAUSS_CONTACT_H
#define ZW_STEPS_GAUSS_CONTACT_H

#include "project/unilateral.h"
#include "steps/contact_end.h"
#include "steps/gauss.h"

enum { ZW_CONTACT_HALVINGS = 8 };

/* gauss_contact_row.c */
typedef struct zw_bend {
    double        h;
    const double *v;      /* v_mid [nv] */
    double        change; /* g1 - g0 */
    double        drift;  /* rate of the gap at v = 0, at the middle */
    double        noise;  /* round-off of change: differences up to here are not bent for */
    bool          pair;   /* of two bodies that move: keep their common linear momentum   */
} zw_bend;

typedef struct zw_bender { /* scratch of the next one */
    const double *shift;   /* [3 nv] velocities of all bodies when space is shifted along x, y, z */
    double       *d, *w;   /* [nv] d: 0 between calls */
    int          *column;  /* [nv] */
    ptrdiff_t    *at;      /* [nv] */
    int           n;
} zw_bender;

/* bends row i of a tile, which is the gradient at the middle, into the discrete gradient; gives tau */
double zw_bend_row(zw_bender *s, const zw_metric *M, const zw_bend *b, zw_rows *R, int tile, int i);

typedef struct zw_gauss_contact {
    zw_collocation *k;
    zw_unilateral  *solver, *solver_v;
    zw_solver      *answer;    /* of the rows to the pushes of contacts */
    bool           *holonomic; /* [m] the row has a position level                                    */
    zw_bender       bender;
    double         *shift;    /* of it */
    zw_state        mid, end; /* without w                                                           */
    zw_state        half[ZW_CONTACT_HALVINGS];
    zw_rows         A;    /* rows of joints with their discrete gradients                            */
    int            *kept; /* [m] number in A of a row of the system; -1: left out, it follows from others */
    int             m;    /* rows of A                                                                */
    zw_contact_set  set;  /* of this step                                                            */
    /* [nv] */
    double *dv, *next, *xi, *chart, *f, *size, *d, *w, *extent;
    /* [m] */
    double *b, *lambda, *value0, *value1, *row_tau, *row_scale, *none;
    double  identity; /* largest |Gbar.d + h tau - (g1 - g0)| over the scale, of the last round */
    double  residual; /* of complementarity at the end of the step                              */
    double  wedge;    /* overlaps up to here, of the terms of a gap, are not pushed out         */
    double  accept;   /* largest change that may be left when it does not shrink any more       */
    int     rounds;
    bool    told;
    double *scratch;
} zw_gauss_contact;

/* k->contact stays NULL where events are located or nothing can meet; refuses what this mode does not have */
zw_status zw_gauss_contact_create(zw_collocation *k);
void      zw_gauss_contact_destroy(zw_gauss_contact *s);
zw_status zw_gauss_contact_start(zw_collocation *k, const zw_state *x);          /* raises where bodies overlap */
void      zw_gauss_contact_react(void *self, const zw_state *x, double *lambda); /* of zw_integrator_ops */
zw_status zw_gauss_contact_step(zw_collocation *k, const zw_state *x0, double h, zw_state *x1);

/* gauss_contact_solve.c: s->n contacts -> s->dv, s->p, s->gap1, states mid and end. ZW_E_CONVERGENCE (raised): not found */
zw_status zw_gauss_contact_solve(zw_gauss_contact *s, const zw_state *x0, double h);
/* gauss_contact_end.c: x1 of that */
zw_status zw_gauss_contact_arrive(zw_gauss_contact *s, const zw_state *x0, double h, zw_state *x1);

#endif
