/* SPDX-License-Identifier: Apache-2.0
 * bench_statics.c: processor time of finding an equilibrium, and a place of it.
 *
 *   bench_statics MODEL REPEATS [KEY=VALUE...]
 *
 * First line: least processor time of the repeats in ms, Newton steps. Second line: position of the last node of the last rod. Reading the model does not count; building
 * the system, and everything that the search does, does. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/zwang.h"

#include "steps/equilibrium.h"
#include "analysis/vary.h"

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

static zw_status once(const zw_model *m, double *took, int *rounds, double tip[3]) {
    double              start = now();
    zw_vary             v;
    zw_state            x = {0};
    zw_equilibrium_info info;
    ZW_TRY(zw_vary_create(m, NULL, &v));
    zw_status status = zw_state_create(v.c, &v.k.n, &x);
    double   *lambda = calloc((size_t)v.k.m + 1, sizeof *lambda);
    status = status == ZW_OK && lambda == NULL ? ZW_E_MEMORY : status;
    if (status == ZW_OK) {
        status = zw_system_start(v.y, &x);
    }
    if (status == ZW_OK) {
        status = zw_equilibrium_find(&v.k, &x, lambda, &info);
    }
    if (status == ZW_OK) {
        *took = now() - start;
        *rounds = info.rounds;
        for (int i = 0; i < 3; i++) {
            tip[i] = x.q[v.k.n.nq - 7 + i];
        }
    }
    free(lambda);
    zw_state_destroy(v.c, &x);
    zw_vary_destroy(&v);
    return status;
}

int main(int argc, char **argv) {
    zw_context *c = NULL;
    zw_model   *m = NULL;
    if (argc < 3) {
        fprintf(stderr, "usage: bench_statics MODEL REPEATS [KEY=VALUE...]\n");
        return 64;
    }
    if (zw_context_create(NULL, &c) != ZW_OK) {
        return 1;
    }
    int    failed = zw_model_load(c, argv[1], argc - 3, (const char *const *)(argv + 3), &m) != ZW_OK, rounds = 0;
    double best = 1e300, tip[3] = {0};
    for (int k = 0, repeats = atoi(argv[2]); !failed && k < repeats; k++) {
        double took = 0.0;
        failed = once(m, &took, &rounds, tip) != ZW_OK;
        best = !failed && took < best ? took : best;
    }
    if (failed) {
        fail(c);
    } else {
        printf("%.6g,%d\n%.17g,%.17g,%.17g\n", 1e3 * best, rounds, tip[0], tip[1], tip[2]);
    }
    zw_model_destroy(m);
    zw_context_destroy(c);
    return failed;
}
