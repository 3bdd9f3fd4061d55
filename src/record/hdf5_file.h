/* SPDX-License-Identifier: Apache-2.0
 * hdf5_file.h: DIR/results.h5, written once at the end from a journal, and read back. Layout of the file: docs/results.md. */
#ifndef ZW_RECORD_HDF5_FILE_H
#define ZW_RECORD_HDF5_FILE_H

#include "record/directory.h"
#include "record/journal.h"

enum { ZW_RESULTS_FORMAT = 1 };

/* results.h5.tmp, fsync, rename. The journal is read in slabs; memory stays below about 100 MiB + two frames */
zw_status zw_hdf5_write(zw_directory *d, const zw_journal *j);

typedef struct zw_hdf5_epoch {
    zw_layout *layout;
    int64_t    frames;
    int64_t   *dataset; /* [nchannels] HDF5 identifiers, opened when first read; -1 before */
} zw_hdf5_epoch;

typedef struct zw_hdf5 {
    zw_context    *context;
    char          *path;
    int64_t        file; /* HDF5 identifier */
    uint64_t       hash, journal_size;
    char           version[32];
    bool           complete; /* the run had ended  */
    int            outcome;  /* zw_outcome         */
    char          *text, *summary;
    int            nepochs;
    zw_hdf5_epoch *epoch;
    int            reading; /* the epoch whose datasets are open */
    char          *sides;   /* NULL: no events */
    double        *ledger;
    int64_t        events;
    char          *joint_names; /* NULL: no joints */
    double        *joint;
    int64_t        joints;
} zw_hdf5;

zw_status zw_hdf5_open(zw_context *c, const zw_directory *d, zw_hdf5 **out);
zw_status zw_hdf5_read(zw_hdf5 *h, int epoch, int channel, int64_t first, int64_t count, double *out);
void      zw_hdf5_close(zw_hdf5 *h); /* NULL is legal */

#endif
