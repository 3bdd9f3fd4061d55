/* SPDX-License-Identifier: Apache-2.0
 * resume.h: what a results directory allows: to start, to go on from a checkpoint, to finish the paperwork, or nothing any more. */
#ifndef ZW_RECORD_RESUME_H
#define ZW_RECORD_RESUME_H

#include "record/checkpoint.h"
#include "zwang/run.h"

typedef enum zw_resume_kind {
    ZW_RESUME_ANEW,    /* nothing to go on from                                               */
    ZW_RESUME_ON,      /* the run was restored from a checkpoint; the journal goes on at offset */
    ZW_RESUME_ENDED,   /* the journal has its end record, but the files after it are missing   */
    ZW_RESUME_FINISHED /* everything is there                                                  */
} zw_resume_kind;

typedef struct zw_resume {
    zw_resume_kind kind;
    uint64_t       offset;   /* ZW_RESUME_ON: of the journal                      */
    uint64_t       sequence; /* of the newest checkpoint, 0: none                 */
    double         wall_s;   /* spent before                                      */
    int            outcome;  /* ENDED, FINISHED                                   */
    char          *summary;  /* ENDED, FINISHED: JSON, for zw_free; else NULL     */
    zw_layout     *layout;   /* ZW_RESUME_ON: of the journal's last epoch, for zw_free; NULL: it has none yet */
    char          *names[2]; /* ZW_RESUME_ON: of sides and joints in the journal, for zw_free; NULL: none     */
} zw_resume;

/* ZW_E_MISMATCH when the directory belongs to another model or program version. The caller holds the lock */
zw_status zw_resume_prepare(zw_directory *d, uint64_t hash, zw_run *run, zw_resume *out);

#endif
