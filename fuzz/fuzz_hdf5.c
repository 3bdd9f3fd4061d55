/* SPDX-License-Identifier: Apache-2.0
 * fuzz_hdf5.c: the reader of results.h5 on any bytes. libhdf5 itself is not proof against hostile files; docs/fuzzing.md says what is done
 * about that, and scripts/fuzz tells its crashes from ours. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "record/hdf5_file.h"
#include "record/layout.h"

enum { NUMBERS = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    size_t       used;
    zw_context  *c = fuzz_context(&used);
    zw_directory d;
    zw_hdf5     *h;
    FUZZ_DEMAND(zw_directory_open(c, fuzz_directory(), &d) == ZW_OK);
    fuzz_store(&d, ZW_FILE_RESULTS, bytes, n);
    if (fuzz_ok(c, zw_hdf5_open(c, &d, &h))) {
        FUZZ_DEMAND(h->text && h->summary);
        for (int e = 0; e < h->nepochs && e < 8; e++) {
            const zw_layout *l = h->epoch[e].layout;
            int64_t          frames = h->epoch[e].frames;
            FUZZ_DEMAND(zw_layout_fault(l) == NULL && frames >= 0);
            for (int k = 0; k < l->nchannels; k++) {
                size_t  each = l->channel[k].count;
                int64_t some = frames < 16 ? frames : 16;
                if (each > NUMBERS / 16) {
                    continue;
                }
                double *out = malloc(sizeof *out * (each * (size_t)some + 1));
                FUZZ_DEMAND(out != NULL);
                (void)fuzz_ok(c, zw_hdf5_read(h, e, k, 0, some, out));
                (void)fuzz_ok(c, zw_hdf5_read(h, e, k, frames - some, some, out));
                free(out);
            }
        }
        zw_hdf5_close(h);
    } else {
        FUZZ_DEMAND(h == NULL);
    }
    zw_directory_close(&d);
    fuzz_context_end(c, &used);
    return 0;
}
