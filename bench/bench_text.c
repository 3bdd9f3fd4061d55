/* SPDX-License-Identifier: Apache-2.0
 * bench_text.c: systems written as text: how long until they run, and how long they run.
 *
 *   bench_text ready MODEL REPEATS
 *       one line: least and middle processor time in ms of: text read and checked, equations derived and compiled, system bound, first accelerations solved
 *   bench_text move MODEL REPEATS UNTIL STEP|auto [KEY=VALUE...]
 *       first line: steps, least processor time of the steps in ms, evaluations of the accelerations, energy at the start, largest energy drift, largest
 *       residual of the constraints relative to their terms; then q and v at the end
 *
 * The time of `move` is that of zw_run_advance with its monitors; nothing is recorded. Evaluations are counted in a run of their own. */
#define _POSIX_C_SOURCE 200809L
#include "system/system.h"
#include "zwang/zwang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETS_MOST = 16 };

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

static char *read_all(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    char *text = f != NULL ? malloc(1 << 20) : NULL;
    *size = text != NULL ? fread(text, 1, 1 << 20, f) : 0;
    if (f != NULL) {
        fclose(f);
    }
    return text;
}

static zw_status make_ready(zw_context *c, const char *path, const char *text, size_t size) {
    zw_model       *m = NULL;
    zw_system      *y = NULL;
    zw_gauss       *g = NULL;
    zw_state        x = {0};
    zw_project_info info;
    zw_status       status = zw_model_parse(c, path, text, size, 0, NULL, &m);
    status = status == ZW_OK ? zw_system_create(m, &y) : status;
    if (status == ZW_OK) {
        zw_size n = zw_system_size(y);
        double *a = calloc((size_t)n.nv + (size_t)zw_system_rows_count(y) + 1, sizeof *a);
        status = a == NULL ? ZW_E_MEMORY : zw_state_create(c, &n, &x);
        status = status == ZW_OK ? zw_system_start(y, &x) : status;
        status = status == ZW_OK ? zw_gauss_create(y, &g) : status;
        status = status == ZW_OK ? zw_gauss_solve(g, &x, a, a + n.nv, &info) : status;
        free(a);
    }
    zw_gauss_destroy(g);
    zw_state_destroy(c, &x);
    zw_system_destroy(y);
    zw_model_destroy(m);
    return status;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int ready(zw_context *c, const char *path, int repeats) {
    size_t  size;
    char   *text = read_all(path, &size);
    double *took = calloc((size_t)repeats + 1, sizeof *took);
    int     failed = text == NULL || took == NULL || repeats < 1;
    for (int k = 0; !failed && k < repeats; k++) {
        double start = now();
        failed = make_ready(c, path, text, size) != ZW_OK;
        took[k] = 1e3 * (now() - start);
    }
    if (!failed) {
        qsort(took, (size_t)repeats, sizeof *took, by_size);
        printf("%.6g,%.6g\n", took[0], took[repeats / 2]);
    }
    free(took);
    free(text);
    return failed;
}

/* A run of its own goes through a table that counts. The stages of a step are foreseen together; where the accelerations are made from forces one by one, force is
 * asked for once each time, for Jacobians too */
static long long forces, foreseen;
static zw_status (*counted_force)(void *self, const zw_state *x, double *f);
static void (*counted_foresee)(void *self, int n, const zw_state *x);

static zw_status count_force(void *self, const zw_state *x, double *f) {
    forces++;
    return counted_force(self, x, f);
}

static void count_foresee(void *self, int n, const zw_state *x) {
    foreseen += n;
    counted_foresee(self, n, x);
}

static long long evaluations(zw_run *r) {
    static zw_part_ops table;
    zw_part           *part = zw_run_system(r)->part;
    table = *part->ops;
    counted_force = table.force;
    counted_foresee = table.foresee;
    table.force = count_force;
    table.foresee = count_foresee;
    part->ops = &table;
    forces = foreseen = 0;
    return zw_run_advance(r, INT64_MAX) != ZW_OK ? -1 : forces > foreseen ? forces : foreseen;
}

static void show(zw_run *r, double ms, long long calls) {
    zw_summary      s;
    zw_size         n = zw_system_size(zw_run_system(r));
    const zw_state *x = zw_run_state(r);
    zw_run_summary(r, &s);
    printf("%lld,%.6g,%lld,%.17g,%.4g,%.4g\n", (long long)s.steps, ms, calls, s.energy_initial, s.energy_drift_max,
           s.constraint_velocity_relative_max);
    for (int i = 0; i < n.nq + n.nv; i++) {
        printf("%s%.17g", i > 0 ? "," : "", i < n.nq ? x->q[i] : x->v[i - n.nq]);
    }
    printf("\n");
}

static int move(zw_context *c, int argc, char **argv) {
    const char *sets[SETS_MOST];
    char        until[64], step[64];
    int         nsets = 0;
    zw_model   *m = NULL;
    long long   calls = 0;
    double      best = 1e300;
    snprintf(until, sizeof until, "run.until=%s", argv[4]);
    snprintf(step, sizeof step, "run.step=%s", argv[5]);
    sets[nsets++] = until;
    if (strcmp(argv[5], "auto") != 0) {
        sets[nsets++] = step;
    }
    for (int i = 6; i < argc && nsets < SETS_MOST; i++) {
        sets[nsets++] = argv[i];
    }
    int failed = zw_model_load(c, argv[2], nsets, sets, &m) != ZW_OK;
    for (int k = 0, repeats = atoi(argv[3]); !failed && k <= repeats; k++) {
        zw_run *r = NULL;
        failed = zw_run_create(m, &r) != ZW_OK || zw_run_advance(r, 0) != ZW_OK;
        if (!failed && k == 0) {
            calls = evaluations(r);
            failed = calls < 0;
        } else if (!failed) {
            double start = now();
            failed = zw_run_advance(r, INT64_MAX) != ZW_OK;
            double took = now() - start;
            best = took < best ? took : best;
        }
        if (!failed && k == repeats) {
            show(r, 1e3 * best, calls);
        }
        zw_run_destroy(r);
    }
    zw_model_destroy(m);
    return failed;
}

int main(int argc, char **argv) {
    zw_context *c = NULL;
    bool        first = argc == 4 && strcmp(argv[1], "ready") == 0, second = argc >= 6 && strcmp(argv[1], "move") == 0;
    if (!first && !second) {
        fprintf(stderr, "usage: bench_text ready MODEL REPEATS\n       bench_text move MODEL REPEATS UNTIL STEP|auto [KEY=VALUE...]\n");
        return 64;
    }
    if (zw_context_create(NULL, &c) != ZW_OK) {
        return 1;
    }
    int failed = first ? ready(c, argv[2], atoi(argv[3])) : move(c, argc, argv);
    failed = failed ? fail(c) : 0;
    zw_context_destroy(c);
    return failed;
}
