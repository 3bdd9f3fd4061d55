/* SPDX-License-Identifier: Apache-2.0
 * bench_lagrangian.c: the rolling disk (5 coordinates, 2 rows that no coordinates integrate) with gauss: processor time, errors at t = 3 against 18 digits,
 * energy and rows over T = 200, fixed steps of every order and the default; and the kernel on its own.
 *
 *   bench_lagrangian [REPEATS]     least time of the repeats; reading and binding the model do not count, monitors do */
#define _POSIX_C_SOURCE 200809L
#include "zwang/zwang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char disk[] = "zwang: 1\nparameters: {m: 1, R: 0.5, g: 9.81, J: m*R^2/2, I: m*R^2/4}\nbodies:\n  disk:\n    lagrangian:\n"
                           "      coordinates: [x, y, psi, theta, phi]\n"
                           "      define:\n"
                           "        ahead: \"[cos(psi), sin(psi), 0]\"\n"
                           "        aside: \"[-sin(psi), cos(psi), 0]\"\n"
                           "        centre: \"[x, y, 0] + R*(sin(theta)*aside + cos(theta)*[0, 0, 1])\"\n"
                           "        v: dt(centre)\n"
                           "        axle: \"cos(theta)*aside - sin(theta)*[0, 0, 1]\"\n"
                           "        omega: \"psidot*[0, 0, 1] - thetadot*ahead + phidot*axle\"\n"
                           "        spin: dot(omega, axle)\n"
                           "      kinetic: m*dot(v, v)/2 + I*(dot(omega, omega) - spin^2)/2 + J*spin^2/2\n"
                           "      potential: m*g*R*cos(theta)\n"
                           "      constraints: {a: xdot = R*phidot*cos(psi), b: ydot = R*phidot*sin(psi)}\n"
                           "      start: {theta: 0.1, xdot: 3, psidot: 0.2, thetadot: 0.1, phidot: 6}\n"
                           "run: {until: 200}\nrecord: {frames: 2}\n";

static const double at3[5] = {8.29405255907203021, 3.05036980088850124, 0.670714010409358372, 0.100796268691056114, 18.0126546528152351};

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

/* one run; *error: largest |q - reference| when until is 3 */
static int run(zw_context *c, const char *until, const char *step, const char *stages, double *cpu, double *error, zw_summary *sum) {
    char        sets[3][64];
    const char *list[3] = {sets[0], sets[1], sets[2]};
    int         n = 1;
    zw_model   *m = NULL;
    zw_run     *r = NULL;
    snprintf(sets[0], sizeof sets[0], "run.until=%s", until);
    if (step != NULL) {
        snprintf(sets[1], sizeof sets[1], "run.step=%s", step);
        snprintf(sets[2], sizeof sets[2], "run.stages=%s", stages);
        n = 3;
    }
    if (zw_model_parse(c, "disk.yaml", disk, strlen(disk), n, list, &m) != ZW_OK || zw_run_create(m, &r) != ZW_OK) {
        return fail(c);
    }
    double before = now();
    while (!zw_run_done(r)) {
        if (zw_run_advance(r, INT64_MAX) != ZW_OK) {
            return fail(c);
        }
    }
    *cpu = fmin(*cpu, now() - before);
    zw_run_summary(r, sum);
    const zw_state *x = zw_run_state(r);
    *error = 0.0;
    for (int i = 0; i < 5; i++) {
        *error = fmax(*error, fabs(x->q[i] - at3[i]));
    }
    sum->own = NULL;
    sum->probes = NULL;
    zw_run_destroy(r);
    zw_model_destroy(m);
    return 0;
}

/* factor and solve of a dense metric of n columns with two rows, ns */
static int kernel(zw_context *c, int n, int repeats) {
    enum { MOST = 16, LOOPS = 20000 };
    double    H[MOST * MOST], A[2 * MOST], f[MOST], b[2] = {1.0, 2.0}, x[MOST], lambda[2], best = INFINITY;
    int       start[2] = {0, 1}, col[1] = {0}, v0 = 0;
    zw_matrix part = {.kind = ZW_SPD, .n = n, .block = n, .start = start, .col = col, .a = H};
    zw_metric M = {.n = n, .nparts = 1, .part = &part, .v0 = &v0};
    zw_tile   tile[2] = {{.row = 0, .m = 1, .block0 = 0, .nblocks = 1}, {.row = 1, .m = 1, .block0 = 1, .nblocks = 1}};
    zw_block  block[2] = {{0, n, 0}, {0, n, n}};
    zw_rows   rows = {.m = 2, .ntiles = 2, .nblocks = 2, .nvalues = 2 * n, .tile = tile, .block = block, .a = A};
    for (int i = 0; i < n * n; i++) {
        H[i] = i % (n + 1) == 0 ? 2.0 + i / n : 0.1;
    }
    for (int i = 0; i < 2 * n; i++) {
        A[i] = 0.3 * i - 1.0 + i % 3;
        f[i % n] = i;
    }
    zw_solver *s;
    if (zw_solver_create(c, &s) != ZW_OK) {
        return fail(c);
    }
    for (int r = 0; r < repeats; r++) {
        double before = now();
        for (int i = 0; i < LOOPS; i++) {
            H[0] = 2.0 + 1e-9 * i;
            if (zw_solver_factor(s, &M, &rows, NULL) != ZW_OK || zw_solver_solve(s, f, b, x, lambda, NULL) != ZW_OK) {
                return fail(c);
            }
        }
        best = fmin(best, (now() - before) / LOOPS);
    }
    zw_solver_destroy(s);
    printf("kernel, %d columns and 2 rows: factor and solve %.0f ns\n", n, 1e9 * best);
    return 0;
}

int main(int argc, char **argv) {
    static const char *const step[] = {NULL, "0.02", "0.04", "0.06", "0.02", "0.01"};
    static const char *const stages[] = {NULL, "4", "4", "4", "3", "2"};
    int                      repeats = argc > 1 ? atoi(argv[1]) : 5;
    zw_context              *c;
    if (zw_context_create(NULL, &c) != ZW_OK) {
        return 1;
    }
    printf("rolling disk\n  stages  step      error at 3   CPU to 200, ms   energy   rows     steps\n");
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        double     cpu = INFINITY, error, unused, ignored = INFINITY;
        zw_summary sum, whole;
        if (run(c, "3", step[i], stages[i], &ignored, &error, &sum) != 0) {
            return 1;
        }
        for (int r = 0; r < repeats; r++) {
            if (run(c, "200", step[i], stages[i], &cpu, &unused, &whole) != 0) {
                return 1;
            }
        }
        printf("  %-6s  %-8s  %-11.2g  %-15.1f  %-7.1g  %-7.1g  %lld\n", stages[i] != NULL ? stages[i] : "4",
               step[i] != NULL ? step[i] : "chosen", error, 1e3 * cpu, whole.energy_drift_max / whole.energy_scale,
               whole.constraint_velocity_relative_max, (long long)whole.steps);
    }
    for (int n = 3; n <= 9; n += 2) {
        if (kernel(c, n, repeats) != 0) {
            return 1;
        }
    }
    zw_context_destroy(c);
    return 0;
}
