/* SPDX-License-Identifier: Apache-2.0
 * contact_end.h: the end of a step over contacts: velocities by a plastic impact.
 *
 *   v' nearest to v1 - M^-1 N' p  with  A v = b,  N v + drift >= 0;     impulses  q = p + more >= 0, so that no contact pulls
 * and no energy is given: v1.M v' = |v'|^2 + p.N v' >= |v'|^2. N are gradients at x1: momenta of what is free are kept. Work of a contact there, with u = N v + drift:
 * more (u1 + u')/2 - more drift. What the motion of an obstacle does (drift) is work, the rest is dissipated. */
#ifndef ZW_STEPS_CONTACT_END_H
#define ZW_STEPS_CONTACT_END_H

#include "project/unilateral.h"
#include "steps/contact_set.h"

typedef struct zw_contact_end {
    zw_system     *y;
    zw_unilateral *solver;
    int            m, nv;
    double        *f, *next;                   /* [nv] scratch */
    double        *b, *lambda, *drive, *value; /* [m] scratch  */
} zw_contact_end;

/* x1->v becomes v'; set: p, gap1 and scale of the position level */
zw_status zw_contact_end_meet(zw_contact_end *e, zw_contact_set *set, zw_state *x1, double *work, double *dissipated);
double    zw_row_times(const zw_rows *R, int tile, int i, const double *v);
double    zw_metric_times(const zw_metric *M, int column, const double *v); /* (M v) of a column */

#endif
