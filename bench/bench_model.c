/* SPDX-License-Identifier: Apache-2.0
 * bench_model.c: processor time of a model's steps, and a channel after them.
 *
 *   bench_model MODEL CHANNEL REPEATS STEPS [KEY=VALUE...]
 *
 * First line: steps, least processor time of the repeats in ms (of this process: others on the machine do not count). Then one line per row of the
 * channel. Reading the model, binding and writing do not count, and nothing is recorded: the steps alone, with the monitors of the run. Those look 200 times
 * at a short run and at every 100th step of a long one, so a model whose `until` lies far beyond STEPS shows the cost of steps. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/zwang.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(zw_context *c) {
    for (int i = 0; i < zw_error_count(c); i++) {
        char text[1024];
        zw_error_format(zw_error_at(c, i), text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    return 1;
}

static int show(const zw_run *r, const char *channel) {
    zw_span s;
    if (!zw_run_span(r, channel, &s)) {
        fprintf(stderr, "%s: no such channel in the state\n", channel);
        return 1;
    }
    ptrdiff_t rows = s.rank > 0 ? s.shape[0] : 1, columns = s.rank > 1 ? s.shape[1] : 1;
    for (ptrdiff_t i = 0; i < rows; i++) {
        for (ptrdiff_t j = 0; j < columns; j++) {
            printf("%s%.17g", j > 0 ? "," : "", s.data[(s.rank > 0 ? i * s.stride[0] : 0) + (s.rank > 1 ? j * s.stride[1] : 0)]);
        }
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv) {
    zw_context *c = NULL;
    zw_model   *m = NULL;
    if (argc < 5) {
        fprintf(stderr, "usage: bench_model MODEL CHANNEL REPEATS STEPS [KEY=VALUE...]\n");
        return 64;
    }
    if (zw_context_create(NULL, &c) != ZW_OK) {
        return 1;
    }
    int    failed = zw_model_load(c, argv[1], argc - 5, (const char *const *)(argv + 5), &m) != ZW_OK;
    double best = 1e300;
    for (int k = 0, repeats = atoi(argv[3]); !failed && k < repeats; k++) {
        zw_run *r = NULL;
        failed = zw_run_create(m, &r) != ZW_OK || zw_run_advance(r, 0) != ZW_OK;
        if (!failed) {
            double start = now();
            failed = zw_run_advance(r, atol(argv[4])) != ZW_OK;
            double took = now() - start;
            best = took < best ? took : best;
        }
        if (!failed && k + 1 == repeats) {
            printf("%lld,%.6g\n", (long long)zw_run_steps(r), 1e3 * best);
            failed = show(r, argv[2]);
        }
        zw_run_destroy(r);
    }
    failed = failed ? fail(c) : 0;
    zw_model_destroy(m);
    zw_context_destroy(c);
    return failed;
}
