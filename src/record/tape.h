/* SPDX-License-Identifier: Apache-2.0
 * tape.h: layouts and frames of a run on their way into the journal.
 *
 * A run announces a layout at its start and whenever sizes change (links were split). The first is written at once, a later one with its first frame: when links split
 * several times between two frames only the last layout counts, and a checkpoint in between leaves nothing behind that going on from it would have to repeat. */
#ifndef ZW_RECORD_TAPE_H
#define ZW_RECORD_TAPE_H

#include "record/journal.h"

typedef struct zw_tape {
    zw_context        *context;
    zw_journal_writer *journal;
    zw_layout         *known;  /* of the epoch that the journal ends with; NULL: it has none yet */
    zw_layout         *coming; /* of one that has no frame yet; NULL: none                       */
} zw_tape;

zw_status zw_tape_epoch(zw_tape         *t,
                        const zw_layout *layout); /* one that is known already begins nothing new: a run that goes on says it again */
zw_status zw_tape_frame(zw_tape *t, const double *frame); /* as wide as the last layout */
void      zw_tape_close(zw_tape *t);                      /* with the journal; once more is legal */

#endif
