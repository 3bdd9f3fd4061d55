/* SPDX-License-Identifier: Apache-2.0
 * bench_links.c: a model file run to its end in the library: processor time of the motion alone (reading and binding do not count), and how far the energy went.
 *
 *   bench_links MODEL REPEATS SECONDS [KEY=VALUE...]      prints steps, ms, largest |E - E0|, impacts, largest error of the constraints at velocity level, relative
 *
 * The time is the least of REPEATS runs. A run that takes more than SECONDS is given up: it prints "slow". One that fails prints "failed" and why. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/zwang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLICE = 200 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int failed(zw_context *c) {
    char text[1024] = "";
    if (zw_error_count(c) > 0) {
        zw_error_format(zw_error_at(c, 0), text, sizeof text);
    }
    printf("failed %s\n", text);
    return 0;
}

int main(int argc, char **argv) {
    zw_context *c = NULL;
    zw_model   *m = NULL;
    double      best = HUGE_VAL;
    zw_summary  s = {0};
    if (argc < 4 || zw_context_create(NULL, &c) != ZW_OK) {
        fprintf(stderr, "usage: bench_links MODEL REPEATS SECONDS [KEY=VALUE...]\n");
        return 64;
    }
    double limit = atof(argv[3]);
    if (zw_model_load(c, argv[1], argc - 4, (const char *const *)(argv + 4), &m) != ZW_OK) {
        return failed(c);
    }
    for (int k = 0; k < atoi(argv[2]); k++) {
        zw_run *r = NULL;
        if (zw_run_create(m, &r) != ZW_OK || zw_run_advance(r, 0) != ZW_OK) {
            return failed(c);
        }
        double start = now();
        while (!zw_run_done(r) && now() - start < limit) {
            if (zw_run_advance(r, SLICE) != ZW_OK) {
                return failed(c);
            }
        }
        double took = now() - start;
        best = took < best ? took : best;
        if (!zw_run_done(r)) {
            printf("slow\n");
            return 0;
        }
        zw_run_summary(r, &s);
        zw_run_destroy(r);
    }
    printf("%lld,%.6g,%.6g,%lld,%.3g\n", (long long)s.steps, 1e3 * best, s.energy_drift_max, (long long)s.impacts,
           s.constraint_velocity_relative_max);
    zw_model_destroy(m);
    zw_context_destroy(c);
    return 0;
}
