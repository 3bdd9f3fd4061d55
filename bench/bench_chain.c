/* SPDX-License-Identifier: Apache-2.0
 * bench_chain.c: cost per link and step of chains of rigid links joined by balls, from 10 to 10000 links: trees cost linear time, so the cost of a link does not
 * depend on how many there are. Processor time of the least of REPEATS runs; reading and binding the model do not count.
 *
 *   bench_chain [REPEATS] */
#define _POSIX_C_SOURCE 200809L
#include "zwang/zwang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* straight, 0.5 rad from hanging */
static char *chain(int n, const char *run) {
    size_t size = 400 + 320 * (size_t)n, used = 0;
    char  *text = calloc(size, 1);
    if (text == NULL) {
        return NULL;
    }
    used += (size_t)snprintf(text, size, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++) {
        double along = 0.1 * i + 0.05;
        used += (size_t)snprintf(
            text + used, size - used,
            "  l%d: {rigid: {capsule: {length: 0.08, radius: 0.01}, mass: 0.1, at: [%.17g, 0, %.17g], turn: [0, pi - 0.5, 0]}}\n", i,
            along * sin(0.5), -along * cos(0.5));
    }
    used += (size_t)snprintf(text + used, size - used, "constraints:\n  j0: {ball: l0, at: [0, 0, -0.05]}\n");
    for (int i = 1; i < n; i++) {
        used += (size_t)snprintf(text + used, size - used,
                                 "  j%d: {ball: [{body: l%d, at: [0, 0, 0.05]}, {body: l%d, at: [0, 0, -0.05]}]}\n", i, i - 1, i);
    }
    snprintf(text + used, size - used, "run: {%s}\nrecord: {frames: 2}\n", run);
    return text;
}

int main(int argc, char **argv) {
    static const int links[] = {10, 30, 100, 300, 1000, 3000, 10000};
    int              repeats = argc > 1 ? atoi(argv[1]) : 3;
    static const struct {
        const char *name, *run;
        int         work; /* links times steps of one run */
        int         most; /* links */
    } rule[] = {{"verlet", "until: 100, step: 1e-4, integrator: verlet", 200000, 10000},
                {"gauss, 2 stages", "until: 100, step: 1e-3, integrator: gauss, stages: 2", 10000, 1000}};
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++) {
        double least = HUGE_VAL, most = 0.0;
        printf("%s\n%8s %18s\n", rule[k].name, "links", "us per link, step");
        for (size_t i = 0; i < sizeof links / sizeof *links && links[i] <= rule[k].most; i++) {
            zw_context *c = NULL;
            double      best = HUGE_VAL;
            char       *text = chain(links[i], rule[k].run);
            int         steps = rule[k].work / links[i] > 2 ? rule[k].work / links[i] : 2;
            if (text == NULL || zw_context_create(NULL, &c) != ZW_OK) {
                return 1;
            }
            for (int n = 0; n < repeats; n++) {
                zw_model *m = NULL;
                zw_run   *r = NULL;
                if (zw_model_parse(c, "chain.yaml", text, strlen(text), 0, NULL, &m) != ZW_OK || zw_run_create(m, &r) != ZW_OK ||
                    zw_run_advance(r, 1) != ZW_OK) {
                    return fail(c);
                }
                double t = now();
                if (zw_run_advance(r, steps) != ZW_OK) {
                    return fail(c);
                }
                best = fmin(best, (now() - t) / ((double)steps * links[i]));
                zw_run_destroy(r);
                zw_model_destroy(m);
            }
            printf("%8d %18.3f\n", links[i], 1e6 * best);
            least = fmin(least, best);
            most = fmax(most, best);
            zw_context_destroy(c);
            free(text);
        }
        printf("   max/min %16.3f\n", most / least);
    }
    return 0;
}
