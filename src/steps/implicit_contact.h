/* SPDX-License-Identifier: Apache-2.0
 * implicit_contact.h: contacts in an implicit step, and at rest. Gaps g of rows/meet.h, impulses p:
 *
 *   balance -= Gbar' p,    0 <= p  _|_  g(x1) >= 0,     Gbar.(h u) + h tau = g1 - g0          (discrete gradient: a contact works p (g1 - g0)/h <= 0)
 * Each impulse is a block of its own behind all others, eliminated last. Its equation is g1/h = 0 where it pushes, else p = 0; who pushes is found in every round of
 * Newton's method for its linear equations (zw_implicit_contacts_solve), by block pivoting that falls back to one exchange at a time.
 *
 *   implicit_contact.c         who takes part, the pattern, the solve
 *   implicit_contact_row.c     rows, discrete gradients, their derivatives
 *
 * At rest (statics): equations g = 0 or p = 0, chosen by the sign of p - stiffness g in zw_implicit_equilibrium itself (semismooth Newton):
 *   zw_implicit_contacts_create(k)            once; k->contacts stays NULL where nothing can meet
 *   zw_implicit_contacts_near(k, x, margin)   what is nearer than margin at x takes part from now on, with p kept for the same ids. nz, nblocks, the pattern of k->lu and the
 *                                             arrays z, r, dz may change: ask zw_blocklu_count again, copy nothing across
 *   zw_implicit_equilibrium, factor, solve    as without; p of contact i is k->z[k->block[k->contacts->contact[i].block].z0]
 *                                             every contact in play counts as a row: eigenvalues below 0 are lu.below - m - k->contacts->n
 *   zw_implicit_contacts_missed(k, x, &n)     after convergence: how many that do not take part overlap at x; if there are, take more margin and go on
 * An arena of its own holds what depends on who takes part: a step or an equilibrium with the same ones allocates nothing. */
#ifndef ZW_STEPS_IMPLICIT_CONTACT_H
#define ZW_STEPS_IMPLICIT_CONTACT_H

#include "steps/contact_set.h"
#include "steps/implicit.h"

typedef struct zw_implicit_contact {
    int     block;               /* of its impulse */
    int     ntouched, *touched;  /* blocks that its row touches */
    int     ncolumns;            /* of all of them */
    double *mean, *end, *weight; /* [ncolumns]: Gbar; row at the end, by u, over h; masses */
    double  stiff;               /* p per gap rate: what a push would do, roughly */
    double  rate;                /* equation where it pushes: (g1 - shift)/h      */
    bool    pushes, first;       /* first: before it was looked for who should */
} zw_implicit_contact;

typedef struct zw_implicit_contacts {
    zw_contact_set       set;
    zw_arena             arena;
    zw_arena_mark        empty;
    zw_blocklu           bare, with;  /* the factor without contacts; with those that it was built for, while nobody takes part */
    int                  nblocks;     /* without contacts            */
    int                  n;           /* contacts in play: 0 or set.n */
    int                  room;        /* unknowns that z, r, dz have room for */
    int                  built;       /* contacts that the pattern was made for */
    zw_implicit_contact *contact;     /* [built] */
    double              *kept;        /* values of the factor before contact rows are put */
    double              *trial;       /* [nz] */
    double              *side;        /* [nz] right side */
    zw_rows              row;         /* scratch: of one contact */
    int                  most, *list; /* most blocks that a row can touch; scratch of so many */
    double              *scratch;     /* [9 widest] */
    int                  widest;
    double              *one;      /* [nv] zeros */
    zw_state             mid, end; /* for differences */
    double               wedge;    /* overlaps up to here, of the terms of a gap, are not pushed out */
    bool                 turns;    /* with the derivative of the directions of pushes */
    int                  rounds;   /* of the last search for who pushes */
} zw_implicit_contacts;

zw_status zw_implicit_contacts_create(zw_implicit *k);
void      zw_implicit_contacts_destroy(zw_implicit *k);
/* the set as it is takes part from now on (on), or nobody */
zw_status zw_implicit_contacts_use(zw_implicit *k, const zw_state *x0, bool on);
/* what zw_implicit_balance and zw_implicit_equilibrium add: balance, equations, columns of the factor; rows of the factor come with zw_implicit_contacts_put */
zw_status zw_implicit_contacts_add(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum);
void      zw_implicit_contacts_put(zw_implicit *k);
/* k->lu assembled, k->r -> k->dz with everybody who should push pushing; false: not found, or singular */
bool zw_implicit_contacts_solve(zw_implicit *k, double h);

/* at rest: k->lu assembled, right side in k->dz -> the step of the linear equations with everybody who should push pushing; where that is not found within some rounds, with those
 * who pushed when it was called. false: singular. k->lu is factored then */
bool zw_implicit_contacts_settle(zw_implicit *k);

zw_status zw_implicit_contacts_near(zw_implicit *k, const zw_state *x, double margin);
zw_status zw_implicit_contacts_missed(zw_implicit *k, const zw_state *x, int *n);

/* implicit_contact_row.c */
/* mean row and tau of contact i between states, u in k->u; the gap at the end */
zw_status zw_implicit_contact_mean(zw_implicit *k, int i, const zw_state *x0, const zw_state *xm, const zw_state *x1, double h,
                                   double *mean, double *tau, double *gap);
zw_status zw_implicit_contact_end(zw_implicit *k, int i, const zw_state *x0, const zw_state *x1, double h, double *end);
/* adds -p dGbar/du to the factor, by differences */
zw_status zw_implicit_contact_turns(zw_implicit *k, int i, const zw_state *x0, double h, const zw_state *x1);

#endif
