/* SPDX-License-Identifier: Apache-2.0
 * checkpoint.h: DIR/checkpoint-a and -b, written in turn: the whole of a run at one moment, and how far the journal was then. */
#ifndef ZW_RECORD_CHECKPOINT_H
#define ZW_RECORD_CHECKPOINT_H

#include "record/directory.h"

enum { ZW_CHECKPOINT_FORMAT = 1 };

typedef struct zw_checkpoint {
    uint64_t sequence; /* rises by one with each; odd ones go to -a, even ones to -b */
    uint64_t hash;     /* of the model                                               */
    char     version[32];
    int64_t  frames;         /* in the journal                                       */
    uint64_t journal_offset; /* the journal's end; everything before it is on disk   */
    double   wall_s;         /* spent so far                                         */
    void    *bytes;          /* of zw_run_save; loading allocates, zw_free           */
    size_t   size;
} zw_checkpoint;

/* the journal must have been synced up to journal_offset before. version is filled in by the writer */
zw_status zw_checkpoint_write(zw_directory *d, const zw_checkpoint *k);
/* the sound ones, newest first; *n is 0, 1 or 2. A file that is there but unusable is named in the log. Fails only on I/O or memory */
zw_status zw_checkpoint_load(zw_directory *d, zw_checkpoint out[2], int *n);

#endif
