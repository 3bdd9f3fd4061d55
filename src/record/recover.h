/* SPDX-License-Identifier: Apache-2.0
 * recover.h: results.h5 from a journal, and the question whether one is up to date. */
#ifndef ZW_RECORD_RECOVER_H
#define ZW_RECORD_RECOVER_H

#include "record/hdf5_file.h"

/* results.h5 when it is whole and holds all that the journal beside it holds (or there is no journal); *out NULL otherwise, without an
 * error: the journal then knows more. Fails when results.h5 is unusable and there is no journal */
zw_status zw_results_current(zw_directory *d, zw_hdf5 **out);
/* makes results.h5 from the journal; the caller holds the lock */
zw_status zw_results_make(zw_directory *d);

#endif
