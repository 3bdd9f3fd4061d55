/* SPDX-License-Identifier: Apache-2.0
 * slow.h: what motion without inertia is made of, quasi-static and overdamped: equations of rest (rest.h) at the end of a step, what is kept in w, and the account.
 *
 *   slow.c           the equations, memory from and to w
 *   slow_work.c      ways between two states, contact forces, work
 *   slow_fall.c      from a state that is not stable downhill to one that is
 *   quasi_static.c   equilibria one after the other; quasi_static_follow.c: how far they can be followed, and the instant where stability is lost
 *   overdamped.c     drag of a medium
 *
 * w: account, forces of the rows, what is held (count, soft, unknowns), numbers of the integrator's own, pushes of contacts (count; high and low half of an id, force), and
 * the memory of growth last. All that a step starts from is there, so that a step is a map of its start. */
#ifndef ZW_STEPS_SLOW_H
#define ZW_STEPS_SLOW_H

#include "steps/equilibrium.h"

enum { ZW_SLOW_MODES = 6 };

typedef struct zw_slow {
    zw_system  *y;
    zw_context *c;
    const char *mode; /* "quasi-static" */
    zw_implicit k;
    zw_rest     rest;
    zw_size     size; /* with w */
    int         w_hold, w_own, w_push, w_grow;
    int         room; /* for pushes in w */
    bool        grows, touched;
    bool        follows;                  /* a load follows, or turns, or depends on the place: it may have no potential */
    double     *u, *f, *g, *mode_shape;   /* [nv] way, loads; [ZW_SLOW_MODES nz] */
    double     *lambda, *drive, *z, *zok; /* [m], [m], [nz] forces to come back to, twice */
    zw_state    at, back;
    zw_rows     row; /* of one contact */
} zw_slow;

/* own: how many numbers of its own the integrator keeps in w, at w_own */
ZW_MUST_USE zw_status zw_slow_create(zw_system *y, const char *mode, int own, zw_slow *e);
void                  zw_slow_destroy(zw_slow *e);
/* w of a start: all 0, but what is kept */
ZW_MUST_USE zw_status zw_slow_recall(zw_slow *e, const zw_state *x); /* forces, holds and pushes of w */
void                  zw_slow_keep(zw_slow *e, zw_state *x);         /* to w */
/* x of a system whose links were split: w but the memory of growth from x0 of the integrator before; its own numbers are the same ones */
void zw_slow_carry(zw_slow *e, const zw_slow *before, const zw_state *x0, int own, zw_state *x);
/* free directions at an equilibrium are held from now on, and no longer those of before; the factor and info->below are those of it */
ZW_MUST_USE zw_status zw_slow_hold(zw_slow *e, const zw_state *x, zw_equilibrium_info *info);
bool                  zw_slow_lopsided(const zw_slow *e); /* the derivative is not symmetric: following loads */
/* eigenvalues below 0 as far as they are known: of the last factor; where it is lopsided 0 or 1, by the sign of its determinant */
int zw_slow_below(const zw_slow *e, const zw_equilibrium_info *info);

/* slow_work.c */
double    zw_slow_energy(zw_slow *e, const zw_state *x);                              /* elastic and potential, J */
void      zw_slow_way(zw_slow *e, const zw_state *x0, const zw_state *x1, double *u); /* turns and ways from one state to the other */
void      zw_slow_velocity(zw_slow *e, const zw_state *x0, double h, zw_state *x1);   /* x1->v: mean velocity on the way from x0 */
zw_status zw_slow_loads(zw_slow *e, const zw_state *x, double *f);                    /* in columns of turns and ways */
/* f += forces of contacts per column of v, of the pushes in w; *power: of obstacles that move, W */
zw_status zw_slow_touch(zw_slow *e, const zw_state *x, double *f, double *power);
zw_status zw_slow_tell_contacts(zw_slow *e, const zw_state *x); /* to laws of growth that feel them */
zw_status zw_slow_rows_power(zw_slow *e, const zw_state *x, const double *lambda, double *power);
double    zw_slow_growth_work(zw_slow *e, const zw_state *x, const double *s0,
                              const double *s1); /* dE/ds at x times (s1 - s0), placements as they are */
/* work of loads, of growth and of moving obstacles over a step, trapezoidal */
zw_status zw_slow_work(zw_slow *e, const zw_state *x0, const zw_state *x1, double h, double *work);

/* slow_fall.c: the shape along which the factor's matrix is most negative: e->mode_shape, of measure 1, its largest number positive; false: there is none */
bool zw_slow_unstable(zw_slow *e, const zw_state *x, int below);
/* x moved along it */
void zw_slow_disturb(zw_slow *e, double size, zw_state *x);
/* downhill from x to a stable equilibrium; *work: of the loads on the way. ZW_E_STEP, not raised: none was reached */
ZW_MUST_USE zw_status zw_slow_fall(zw_slow *e, zw_state *x, double *work, zw_equilibrium_info *info);

#endif
