/* SPDX-License-Identifier: Apache-2.0
 * journal.h: DIR/journal.zwj, what a run writes while it goes: append only, each record with a checksum.
 *
 *   file    head (64 bytes), then records
 *   head    magic, format, byte-order mark, model hash, library version, checksum
 *   record  type u32, crc u32, length u64, payload, zeros up to a multiple of 8;
 *           crc = CRC-32C of position in the file, type, length and the padded payload
 *
 * The reader believes nothing: it stops at the first record that is not whole and sound, and what came before is the result. */
#ifndef ZW_RECORD_JOURNAL_H
#define ZW_RECORD_JOURNAL_H

#include "base/context.h"
#include "zwang/system.h"

enum { ZW_JOURNAL_FORMAT = 1, ZW_JOURNAL_HEAD = 64, ZW_RECORD_HEAD = 16 };
typedef enum zw_record_type {
    ZW_RECORD_MODEL = 1, /* seed, title, text of the model   */
    ZW_RECORD_EPOCH,     /* a layout with its constants       */
    ZW_RECORD_FRAME,     /* width doubles                     */
    ZW_RECORD_NOTE,      /* names of the unilateral constraints, a line each */
    ZW_RECORD_EVENT,     /* rows of the ledger, of 13 numbers: older versions wrote them */
    ZW_RECORD_END,       /* outcome u32 and the summary, JSON */
    ZW_RECORD_CONTACT,   /* rows of the ledger: events.h      */
    ZW_RECORD_JOINTS,    /* names of the joints, a line each  */
    ZW_RECORD_JOINT      /* rows of joints in the ledger      */
} zw_record_type;

/* what identifies a run */
typedef struct zw_run_label {
    uint64_t    hash; /* of the model */
    uint64_t    seed;
    const char *title, *text; /* never NULL */
} zw_run_label;

/* ---- writing. After a failure every call returns it again, and the file ends with the last whole record */
typedef struct zw_journal_writer zw_journal_writer;
zw_status zw_journal_create(zw_context *c, int dir, const char *directory, const zw_run_label *label, zw_journal_writer **out);
zw_status zw_journal_reopen(zw_context *c, int dir, const char *directory, uint64_t offset,
                            zw_journal_writer **out); /* cuts it there and goes on */
zw_status zw_journal_epoch(zw_journal_writer *w, const zw_layout *layout);
zw_status zw_journal_frame(zw_journal_writer *w, const double *frame, size_t width);
zw_status zw_journal_note(zw_journal_writer *w, zw_record_type type, const char *text);                    /* NOTE, JOINTS */
zw_status zw_journal_event(zw_journal_writer *w, zw_record_type type, const double *rows, size_t numbers); /* CONTACT, JOINT */
zw_status zw_journal_end(zw_journal_writer *w, int outcome, const char *summary);
zw_status zw_journal_tick(zw_journal_writer *w);         /* hands the buffer to the kernel when it is a quarter second old */
zw_status zw_journal_flush(zw_journal_writer *w);        /* hands the buffer to the kernel now                             */
zw_status zw_journal_sync(zw_journal_writer *w);         /* and on to the disk                                             */
uint64_t  zw_journal_offset(const zw_journal_writer *w); /* end of the last record, buffered ones included             */
void      zw_journal_close(zw_journal_writer *w);        /* flushes what it can; NULL is legal                             */

/* ---- reading */
typedef struct zw_journal_epoch_data {
    zw_layout *layout;
    int64_t    frames;
    size_t     run0, nruns; /* its runs of neighbouring frames */
} zw_journal_epoch_data;

typedef struct zw_journal_run {
    int64_t  first;  /* frame of the epoch                    */
    uint64_t offset; /* of the record that holds it           */
} zw_journal_run;

typedef struct zw_journal {
    zw_context            *context;
    char                  *directory;
    int                    fd;
    uint64_t               hash;
    char                   version[32]; /* of the library that wrote it                           */
    uint64_t               size, valid; /* bytes in the file, and up to the end of the last sound record */
    const char            *stopped;     /* why the reader stopped before the end; NULL: it did not */
    uint64_t               seed;
    char                  *title, *text; /* never NULL                                             */
    char                  *summary;      /* never NULL; "" while the run has not ended              */
    bool                   ended;
    int                    outcome; /* zw_outcome, when ended                                       */
    int                    nepochs;
    zw_journal_epoch_data *epoch;
    zw_journal_run        *run;
    size_t                 nruns;
    int64_t                frames; /* of all epochs */
    char                  *sides;  /* names of the unilateral constraints; NULL: none  */
    double                *ledger; /* rows of events */
    int64_t                events, events_room;
    char                  *joint_names; /* NULL: none */
    double                *joint;       /* rows of joints */
    int64_t                joints, joints_room;
} zw_journal;

/* reads and checks the file up to `limit` bytes (UINT64_MAX: all of it). Fails only without a sound head, or without memory */
zw_status zw_journal_open(zw_context *c, int dir, const char *directory, uint64_t limit, zw_journal **out);
/* numbers [offset, offset + width) of `count` frames from `first`, frame after frame */
zw_status zw_journal_read(const zw_journal *j, int epoch, int64_t first, int64_t count, size_t offset, size_t width, double *out);
double    zw_journal_last_time(const zw_journal *j); /* nan without frames */
void      zw_journal_destroy(zw_journal *j);         /* NULL is legal      */

/* common to both */
uint32_t zw_record_crc(uint64_t position, uint32_t type, uint64_t length, const void *padded, size_t n);

#endif
