/* SPDX-License-Identifier: Apache-2.0
 * epochs.h: results of several epochs as if there were one: all frames on the mesh of the last epoch that has frames. For pictures, which need one mesh; whoever wants the
 * numbers as they were computed reads epoch by epoch (zwang/results.h).
 *
 * A rod that had other nodes then is looked up by label: what belongs to nodes is linear between them (orientations are normalised), so that its line is the one it had; what
 * belongs to links is that of the link that holds the middle of the new one. Nothing is smoothed. Labels beyond its ends, of parts that came later, are the nearer end.
 * A rod that had as many nodes is taken node by node. What else has another size in an epoch, or is missing there, is NaN. */
#ifndef ZW_RECORD_EPOCHS_H
#define ZW_RECORD_EPOCHS_H

#include "base/arena.h"
#include "zwang/results.h"

typedef struct zw_epochs {
    const zw_results *results;
    zw_arena         *arena;
    const zw_layout  *layout; /* sizes and constants of all that is read; NULL: there is no epoch */
    int64_t           frames; /* of all epochs */
} zw_epochs;

void      zw_epochs_init(zw_epochs *e, zw_arena *a, const zw_results *r);
zw_status zw_epochs_read(const zw_epochs *e, int channel, int64_t first, int64_t count, double *out); /* channel of e->layout */

#endif
