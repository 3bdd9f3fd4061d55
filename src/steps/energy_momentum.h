/* SPDX-License-Identifier: Apache-2.0
 * energy_momentum.h: the inside of the integrator energy-momentum.
 *
 *   energy_momentum.c            Newton, shorter steps where it fails, the integrator
 *   energy_momentum_contact.c    a step over contacts
 *   energy_momentum_adapt.c      steps whose length follows from a tolerance */
#ifndef ZW_STEPS_ENERGY_MOMENTUM_H
#define ZW_STEPS_ENERGY_MOMENTUM_H

#include "project/solver.h"
#include "steps/contact_end.h"
#include "steps/implicit_contact.h"

enum { ZW_EM_DEEPEST = 12 };

typedef struct zw_energy_momentum {
    zw_implicit k;
    zw_state    half[ZW_EM_DEEPEST + 1]; /* ends of first halves, by depth; then what adapt needs */
    zw_state    middle, whole;
    int         w_halvings; /* in w: steps that were halved since the start */
    int         w_contact;  /* in w: ZW_CONTACT_WORDS                       */
    int         w_mean;     /* in w: 1 and the mean velocities of the step before; -1: after contact; 0: no step yet */
    int         nw;
    double      h;      /* of the last step over contacts */
    bool        told;   /* that a step was halved */
    int         worst;  /* block whose velocity changed most in the last round */
    zw_solver  *close;  /* chosen steps: velocities onto the rows; NULL until then */
    double     *lambda; /* [m] of it */
    /* steps over contacts */
    zw_contact_end end;
} zw_energy_momentum;

/* one step as k->contacts is: x1, sum. ZW_E_STEP, not raised: no solution found */
zw_status zw_energy_momentum_solve(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1, zw_secant_sum *sum);
/* w of x1 */
void zw_energy_momentum_finish(zw_energy_momentum *e, const zw_state *x0, double h, const zw_secant_sum *sum, zw_state *x1);
/* the same without halving: raises where there is no solution */
zw_status zw_energy_momentum_whole(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1);
zw_status zw_energy_momentum_step(void *self, const zw_state *x0, double h, zw_state *x1);

/* energy_momentum_contact.c: refuses what stepping over contacts does not have */
zw_status zw_energy_momentum_contacts(zw_energy_momentum *e);
void      zw_energy_momentum_contacts_destroy(zw_energy_momentum *e);
/* one step over contacts, without halving; ZW_E_STEP, not raised: not found */
zw_status zw_energy_momentum_over(zw_energy_momentum *e, const zw_state *x0, double h, int depth, zw_state *x1);

void zw_energy_momentum_touch(void *self, const zw_state *x, double *f); /* f += mean force of contacts in the last step */

/* energy_momentum_adapt.c */
zw_status zw_energy_momentum_first(void *self, const zw_state *x, double *h);
zw_status zw_energy_momentum_adapt(void *self, const zw_state *x0, double h, double tolerance, zw_state *x1, double *error, double *next);

#endif
