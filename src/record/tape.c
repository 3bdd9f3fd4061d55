/* SPDX-License-Identifier: Apache-2.0
 * tape.c: see tape.h. */
#include "record/tape.h"

#include "record/layout.h"

static zw_status write_epoch(zw_tape *t) {
    ZW_TRY(zw_journal_epoch(t->journal, t->coming));
    zw_free(t->context, t->known);
    t->known = t->coming;
    t->coming = NULL;
    return ZW_OK;
}

zw_status zw_tape_epoch(zw_tape *t, const zw_layout *layout) {
    zw_free(t->context, t->coming);
    t->coming = NULL;
    if (t->known && zw_layout_equal(t->known, layout)) {
        return ZW_OK;
    }
    t->coming = zw_layout_copy(t->context, layout);
    if (!t->coming) {
        return ZW_E_MEMORY;
    }
    return t->known ? ZW_OK : write_epoch(t);
}

zw_status zw_tape_frame(zw_tape *t, const double *frame) {
    if (t->coming) {
        ZW_TRY(write_epoch(t));
    }
    if (!t->known) {
        return zw_raise(t->context, ZW_E_INTERNAL, "recorder", "please report it with the model", "a frame came before its layout");
    }
    return zw_journal_frame(t->journal, frame, t->known->width);
}

void zw_tape_close(zw_tape *t) {
    zw_journal_close(t->journal);
    zw_free(t->context, t->known);
    zw_free(t->context, t->coming);
    t->journal = NULL;
    t->known = t->coming = NULL;
}
