/* SPDX-License-Identifier: Apache-2.0
 * still.h: probes and a frame of a state at rest, with the channels that a run has, so that everything which reads results reads equilibria too.
 *
 * Channels of its own: statics/parameter, statics/stable (1 or 0), statics/below (eigenvalues below 0), statics/branch. "time" is the number of the point, from 0. */
#ifndef ZW_ANALYSIS_STILL_H
#define ZW_ANALYSIS_STILL_H

#include "events/run.h"

typedef struct zw_still {
    zw_run run; /* without integrator: what run.h binds for probes and frames */
} zw_still;

ZW_MUST_USE zw_status zw_still_create(const zw_model *m, zw_system *y, zw_still *out); /* both must outlive it */
/* the same with other numbers of its own, by their channels */
ZW_MUST_USE zw_status zw_still_create_named(const zw_model *m, zw_system *y, const char *const name[ZW_OWN_MOST], zw_still *out);
void                  zw_still_destroy(zw_still *s);
/* probes in run.probe_value, the frame in run.frame; before: the point before it, for angles that go on (NULL: the first) */
ZW_MUST_USE zw_status zw_still_take(zw_still *s, const zw_state *x, const double *lambda, double number, const double own[ZW_OWN_MOST],
                                    double (*before)[ZW_PROBE_WIDTH]);

#endif
