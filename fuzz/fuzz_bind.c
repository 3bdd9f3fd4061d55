/* SPDX-License-Identifier: Apache-2.0
 * fuzz_bind.c: sets accepted models in motion: shapes, sections, joints, loads, probes, integrators, frames, checkpoints.
 *
 * Models of more than a few elements are left out: size is not what is being looked for. A run that is accepted takes three steps,
 * goes back to where it was after the first, and must come to the same bits. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "model/model.h"
#include "zwang/run.h"

enum { ELEMENTS = 48, BODIES = 4, ROWS = 8, STEPS = 3 };

static bool is_small(const zw_model *m) {
    int elements = 0;
    if (m->nbodies > BODIES || m->nconstraints > ROWS || m->nloads > ROWS || m->nprobes > ROWS) {
        return false;
    }
    for (int i = 0; i < m->nbodies; i++) {
        const zw_lagrangian_def *l = &m->bodies[i].lagrangian;
        int                      more = m->bodies[i].rod.elements + l->n + l->nrows + l->npoints;
        if (more > ELEMENTS - elements || m->bodies[i].rod.shape.npoints > 4 * ELEMENTS) {
            return false;
        }
        elements += more;
    }
    return true;
}

static zw_status take_epoch(void *self, const zw_layout *layout) {
    *(size_t *)self = layout->width;
    return ZW_OK;
}

/* touches every number, so that the sanitizer sees a frame that is too short */
static zw_status take_frame(void *self, const double *frame) {
    double sum = 0.0;
    for (size_t i = 0; i < *(size_t *)self; i++) {
        sum += frame[i];
    }
    volatile double sink = sum;
    (void)sink;
    return ZW_OK;
}

static void move(zw_context *c, zw_run *r) {
    size_t        width = 0, size = zw_run_save_size(r);
    zw_recorder   recorder = {.self = &width, .epoch = take_epoch, .frame = take_frame};
    zw_summary    summary;
    const double *frame;
    char         *first = malloc(size), *second = malloc(size), *third = malloc(size);
    FUZZ_DEMAND(first && second && third);
    zw_run_set_recorder(r, &recorder);
    if (fuzz_ok(c, zw_run_advance(r, 1))) {
        zw_run_save(r, first);
        if (fuzz_ok(c, zw_run_advance(r, STEPS - 1))) {
            zw_run_save(r, second);
            FUZZ_DEMAND(fuzz_ok(c, zw_run_restore(r, first, size)));
            FUZZ_DEMAND(fuzz_ok(c, zw_run_advance(r, STEPS - 1)));
            zw_run_save(r, third);
            FUZZ_DEMAND(memcmp(second, third, size) == 0);
        }
    }
    (void)fuzz_ok(c, zw_run_look(r, &frame));
    zw_run_summary(r, &summary);
    free(first);
    free(second);
    free(third);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    size_t      used;
    zw_context *c = fuzz_context(&used);
    zw_model   *m = NULL;
    zw_run     *r = NULL;
    char       *text = malloc(n + 1); /* the reader asks for a 0 behind the text */
    FUZZ_DEMAND(text != NULL);
    if (n > 0) {
        memcpy(text, bytes, n);
    }
    text[n] = 0;
    if (fuzz_ok(c, zw_model_parse(c, "fuzz.yaml", text, n, 0, NULL, &m)) && is_small(m) && fuzz_ok(c, zw_run_create(m, &r))) {
        move(c, r);
    }
    zw_run_destroy(r);
    zw_model_destroy(m);
    fuzz_context_end(c, &used);
    free(text);
    return 0;
}
