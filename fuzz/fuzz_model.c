/* SPDX-License-Identifier: Apache-2.0
 * fuzz_model.c: the model reader on any bytes: encoding, YAML, schema, values, expressions, references, --set.
 *
 * Input: a model file; behind each byte 0x1e (which no model may hold) one text as after --set. An accepted model, written out
 * again, must read back as the same model. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "zwang/model.h"

enum { SETS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *text = malloc(n + 1), *sets[SETS];
    int   nsets = 0;
    FUZZ_DEMAND(text != NULL);
    if (n > 0) {
        memcpy(text, bytes, n);
    }
    text[n] = 0;
    size_t size = n;
    for (size_t i = 0; i < n && nsets < SETS; i++) {
        if (text[i] == 0x1e) {
            size = nsets == 0 ? i : size;
            text[i] = 0;
            sets[nsets++] = text + i + 1;
        }
    }
    size_t      used;
    zw_context *c = fuzz_context(&used);
    zw_model   *m = NULL, *again = NULL;
    if (fuzz_ok(c, zw_model_parse(c, "fuzz.yaml", text, size, nsets, (const char *const *)sets, &m))) {
        const char *as_run = zw_model_text(m);
        zw_status   status = zw_model_parse(c, "fuzz.yaml", as_run, strlen(as_run), 0, NULL, &again);
        FUZZ_DEMAND(fuzz_ok(c, status) || status == ZW_E_MEMORY); /* two models together may pass the cap */
        FUZZ_DEMAND(!again || (zw_model_hash(m) == zw_model_hash(again) && strcmp(zw_model_title(m), zw_model_title(again)) == 0));
    }
    zw_model_destroy(again);
    zw_model_destroy(m);
    fuzz_context_end(c, &used);
    free(text);
    return 0;
}
