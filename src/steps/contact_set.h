/* SPDX-License-Identifier: Apache-2.0
 * contact_set.h: the meetings that take part in one step over contacts, for schemes with forces along the discrete gradient of the gap (gauss with one stage, energy-momentum).
 *
 * All meetings near the start take part; what overlaps at the end joins until nothing does; what pushes although its features no longer face each other at the end is
 * let go, once. Features are those at the start of the step, so that gaps are smooth functions of the state; those that jump are frozen (rows/meet_step.h). */
#ifndef ZW_STEPS_CONTACT_SET_H
#define ZW_STEPS_CONTACT_SET_H

#include "rows/meet.h"

enum { ZW_CONTACT_COUNT, ZW_CONTACT_DEPTH, ZW_CONTACT_RESIDUAL, ZW_CONTACT_WORDS }; /* what a step over contacts keeps in w */

#define ZW_CONTACT_OVERLAP 1e-12 /* of the size of the terms of a gap: what counts as none */

typedef struct zw_contact_set {
    zw_context    *context;
    zw_meet       *meet;
    int            n, room;
    zw_meeting    *from, *now;                                              /* at x0; somewhere else  */
    unsigned char *freed;                                                   /* it was let go once     */
    double        *gap0, *gap1, *tau, *scale, *p, *c, *push, *total, *rate; /* p: impulses of the position level */
    zw_rows        N;
    double         reach;         /* largest of a piece, m */
    bool           whole, frozen; /* some forms meet as a whole; that was changed (rows/meet_freeze.h) */
} zw_contact_set;

void zw_contact_set_destroy(zw_contact_set *s); /* and its meet */
/* room for n contacts; grows only when there are more than ever before */
zw_status zw_contact_set_hold(zw_contact_set *s, int n);
double    zw_contact_set_size(const zw_contact_set *s, const zw_meeting *m); /* of the terms of a gap */
double    zw_contact_set_margin(const zw_contact_set *s);                    /* what touches is found within */
zw_status zw_contact_set_gather(zw_contact_set *s, const zw_state *x0, double h);
/* contacts that overlap at x: how many; those that did not take part do from now on (*more). solved: gap1 and scale are those at x */
zw_status zw_contact_set_look(zw_contact_set *s, const zw_state *x0, const zw_state *x, bool solved, int *overlaps, bool *more);
/* lets go who pushes (p) and is not among those that were found at the end */
bool   zw_contact_set_let_go(zw_contact_set *s, int n, const zw_meeting *found);
double zw_contact_set_residual(
    const zw_contact_set *s);                /* largest |min(p, g1)| of the scales: gaps by their terms, pushes by the largest */
bool zw_contact_own(int i, zw_channel *out); /* channels of the words */

#endif
