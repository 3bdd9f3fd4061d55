/* SPDX-License-Identifier: Apache-2.0
 * begin.h: a results directory made ready for something new. */
#ifndef ZW_RECORD_BEGIN_H
#define ZW_RECORD_BEGIN_H

#include "record/directory.h"
#include "record/journal.h"
#include "zwang/model.h"

/* Empties the (locked) directory of our files, writes DIR/model.yaml and begins a journal. A model.yaml that no run of ours wrote is not replaced, nor the model that is being
 * read: ZW_E_EXISTS */
zw_status zw_record_begin(zw_directory *d, const zw_model *m, bool force, zw_journal_writer **out);

#endif
