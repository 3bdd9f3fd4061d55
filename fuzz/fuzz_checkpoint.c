/* SPDX-License-Identifier: Apache-2.0
 * fuzz_checkpoint.c: the checkpoint reader on any bytes, as they are and with a right checksum, and what it gives put into a run, which
 * must refuse it or go on. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "small_model.h"

#include "base/check.h"
#include "record/checkpoint.h"
#include "zwang/run.h"

static void use(zw_context *c, zw_directory *d) {
    zw_checkpoint k[2];
    int           n;
    if (!fuzz_ok(c, zw_checkpoint_load(d, k, &n))) {
        return;
    }
    for (int i = 0; i < n; i++) {
        zw_model *m;
        zw_run   *r = NULL;
        FUZZ_DEMAND(fuzz_ok(c, zw_model_parse(c, "fuzz.yaml", small_model, strlen(small_model), 0, NULL, &m)));
        FUZZ_DEMAND(fuzz_ok(c, zw_run_create(m, &r)));
        if (fuzz_ok(c, zw_run_restore(r, k[i].bytes, k[i].size))) {
            zw_summary s;
            (void)fuzz_ok(c, zw_run_advance(r, 2));
            zw_run_summary(r, &s);
            FUZZ_DEMAND(s.outcome >= ZW_RUNNING && s.outcome <= ZW_DIVERGED);
        }
        zw_run_destroy(r);
        zw_model_destroy(m);
        zw_free(c, k[i].bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    size_t       used;
    zw_context  *c = fuzz_context(&used);
    zw_directory d;
    FUZZ_DEMAND(zw_directory_open(c, fuzz_directory(), &d) == ZW_OK);
    fuzz_store(&d, ZW_FILE_CHECKPOINT_A, bytes, n);
    fuzz_store(&d, ZW_FILE_CHECKPOINT_B, bytes, n / 2);
    use(c, &d);
    if (n >= 4) { /* the checksum is the last four bytes */
        uint8_t *sound = malloc(n);
        uint32_t crc = zw_crc32c(0, bytes, n - 4);
        FUZZ_DEMAND(sound != NULL);
        memcpy(sound, bytes, n - 4);
        memcpy(sound + n - 4, &crc, 4);
        fuzz_store(&d, ZW_FILE_CHECKPOINT_A, sound, n);
        zw_error_clear(c);
        use(c, &d);
        free(sound);
    }
    zw_directory_close(&d);
    fuzz_context_end(c, &used);
    return 0;
}
