/* SPDX-License-Identifier: Apache-2.0
 * bench_rods.c: time per element and step of free rods under an integrator; one line of CSV per case on stdout.
 *
 *   bench_rods [INTEGRATOR [RODS ELEMENTS STEPS [THREADS]]]...      default: verlet at 10, 100, 1000, 10000 elements and 100 rods x 100
 *
 * The rod is that of the Poisson paper's section 4 (straight, with a transverse velocity ~ sin). The best of seven repeats is taken; set-up, start and the first
 * steps do not count. No recorder: the stepping alone, with the monitors that every run has. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/zwang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* processor time on one thread, so that a busy machine does not count; wall time where threads are compared */
static double now(int threads) {
    struct timespec t;
    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
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

static int bench(const char *integrator, int rods, int elements, long steps, int threads) {
    enum { REPEATS = 7, WARM = 50 };
    zw_context *c = NULL;
    zw_model   *m = NULL;
    zw_run     *r = NULL;
    size_t      room = 600 + 400 * (size_t)rods, used = 0;
    char       *text = malloc(room);
    if (text == NULL || zw_context_create(NULL, &c) != ZW_OK) {
        free(text);
        return 1;
    }
    double step = 0.3e-4 * 100.0 / elements; /* the same share of the stability limit for every mesh */
    used += (size_t)snprintf(text + used, room - used, "zwang: 1\nbodies:\n");
    for (int i = 0; i < rods; i++) {
        used += (size_t)snprintf(text + used, room - used,
                                 "  rod%d: {rod: {length: 2*pi/3, elements: %d, at: [%d, 0, 0], section: {square: 0.1}, "
                                 "material: {density: 1000, young: 1e7, poisson: 0.35}, velocity: ['0.1*sin(3*s/2)', 0, 0]}}\n",
                                 i, elements, i);
    }
    snprintf(text + used, room - used, "run: {until: %.17g, step: %.17g, integrator: %s, threads: %d}\nrecord: {frames: 2}\n", step * 1e7,
             step, integrator, threads); /* far beyond: in a long run the monitors look at every 100th step */
    int failed = 1;
    if (zw_model_parse(c, "bench", text, strlen(text), 0, NULL, &m) == ZW_OK && zw_run_create(m, &r) == ZW_OK &&
        zw_run_advance(r, WARM) == ZW_OK) {
        double best = 1e300;
        failed = 0;
        for (int k = 0; k < REPEATS && !failed; k++) {
            double start = now(threads);
            failed = zw_run_advance(r, steps) != ZW_OK;
            double took = now(threads) - start;
            best = took < best ? took : best;
        }
        if (!failed) {
            printf("%s,%d,%d,%ld,%d,%.4g\n", integrator, rods, elements, steps, threads, 1e9 * best / ((double)steps * rods * elements));
            fflush(stdout);
        }
    }
    failed = failed ? fail(c) : 0;
    zw_run_destroy(r);
    zw_model_destroy(m);
    zw_context_destroy(c);
    free(text);
    return failed;
}

int main(int argc, char **argv) {
    const char *integrator = argc > 1 ? argv[1] : "verlet";
    printf("integrator,rods,elements,steps,threads,ns_per_element_step\n");
    if (argc > 4) {
        return bench(integrator, atoi(argv[2]), atoi(argv[3]), atol(argv[4]), argc > 5 ? atoi(argv[5]) : 1);
    }
    static const int cases[][2] = {{1, 10}, {1, 100}, {1, 1000}, {1, 10000}, {100, 100}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        long steps = 2000000L / (cases[i][0] * cases[i][1]);
        if (bench(integrator, cases[i][0], cases[i][1], steps < 20 ? 20 : steps, 1) != 0) {
            return 1;
        }
    }
    return 0;
}
