/* SPDX-License-Identifier: Apache-2.0
 * grow.h: what a part supplies whose reference changes in time: lengths, natural curvature, sections. All of that is in the first-order fields s of
 * its state, so whatever a part answers at a state follows from that state alone; memory of its laws (delay lines) is behind the integrator's in w.
 *
 *   dynamic       half growth - mechanics over h - half growth, placements fixed while growth flows: order 2 (Strang)
 *   quasi-static  predict - equilibrium - correct - equilibrium: the laws feel forces at rest, order 2 (Heun)
 *
 * Growth leaves q and v as they are: new mass arrives with the velocity of its place. What growth does to the energy is therefore the difference of two accounts at the
 * same q and v, exactly. */
#ifndef ZWANG_GROW_H
#define ZWANG_GROW_H

#include "zwang/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_grow_ops {
    size_t (*memory)(const void *self); /* doubles of memory w                                             */
    zw_status (*start)(
        void *self, zw_state *x,
        double *w); /* s and w of a part that has been as it is for ever; x->s is filled by start already but for memory of laws */
    /* first stage over h: x1->s from the rates at x0 (x1 may be x0 with other s; its q, v are not looked at). follows: placements follow growth at once, so that the
     * stiffness of laws at fixed placements is none of theirs */
    zw_status (*predict)(void *self, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1);
    /* second stage, after predict from the same x0: x1 is placed at x1->t with the s of predict; its s becomes that of order 2 */
    zw_status (*correct)(void *self, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1);
    /* how fast growth goes at a state, for what damps strains: Kelvin-Voigt stress goes with the rate of the elastic strain, not with what growth adds. Kept until the next call;
     * w NULL: growth stands still. *power += what the damping would take if nothing moved, W */
    zw_status (*pace)(void *self, const zw_state *x, const double *w, double *power);
    zw_status (*push)(void *self, const zw_state *x, double *w); /* end of a step: delay lines hear it */
    bool (*touched)(const void *self);                           /* does a law feel contacts? */
    /* force of contacts at a state, per column of v of the part, as the integrator had it in its last step; for laws that feel contacts. Kept until the next call */
    void (*contact)(void *self, const double *f);
    double (*longest)(
        const void *self,
        const zw_state *
            x); /* of what has to be split: largest l over what is allowed, 2 at least where links are to be joined, 0: nothing is ever split */
} zw_grow_ops;

#ifdef __cplusplus
}
#endif
#endif
