/* SPDX-License-Identifier: Apache-2.0
 * test_rod_bracket_lanes.c: the loops of poisson, hamel and poisson-consistent give the same bits on every instruction set: momenta and strains,
 * frames, velocities. */

/* the eight lanes of avx512 in the instruction set of this build: they run on every machine */
#define ZW_WIDE_LANES 8
#define ZW_ROD_ISA    eight
#include "parts/rod_bracket_kernel.h"

#include "support/bracket.h"

#include <string.h>

#define ROD(name, elements, rest)                                                                \
    "  " name ": {rod: {length: 1, elements: " elements ", shape: {curvature: [0.2, -1, 0.3]}, " \
    "natural: {curvature: [0.3, -0.5, 0.2]}, velocity: {director: [0, sin(pi*s), 1]}, " rest "}}\n"
#define MATERIAL "material: {density: 1000, young: 1e7, poisson: 0.35}"
#define RUN      "run: {until: 1, step: 1e-4}\n"

/* closed form; Newton's loop, two rods in one tile; stiffness and inertia that couple */
static const char *const models[] = {
    "zwang: 1\nbodies:\n" ROD("beam", "13", "section: {square: 0.1}, " MATERIAL) RUN,
    "zwang: 1\nbodies:\n" ROD("beam", "13", "section: {rectangle: [0.1, 0.05]}, " MATERIAL)
        ROD("next", "4", "at: [3, 0, 0], section: {rectangle: [0.05, 0.1]}, " MATERIAL) RUN,
    "zwang: 1\nbodies:\n" ROD(
        "beam", "13",
        "section: {stiffness: [[90, 3, 1, 20, 0, 5], [3, 70, 2, 0, 30, 0], [1, 2, 60, 0, 4, 10], [20, 0, 0, 4e4, 0, 100], [0, 30, 4, 0, 3e4, 0], "
        "[5, 0, 10, 100, 0, 9e4]], inertia: [[9e-3, 1e-3, 5e-4, 0, 0, 0], [1e-3, 7e-3, 1e-3, 0, 0, 0], [5e-4, 1e-3, 1.5e-2, 0, 0, 0], "
        "[0, 0, 0, 10, 0, 0], [0, 0, 0, 0, 10, 0], [0, 0, 0, 0, 0, 10]]}") RUN,
};
enum { NMODELS = sizeof models / sizeof *models };

static const scheme schemes[] = {
    {"poisson", ZW_ENDS_FULL, ZW_RECONSTRUCT_OLD},
    {"poisson", ZW_ENDS_FULL, ZW_RECONSTRUCT_NEW},
    {"poisson", ZW_ENDS_HALF, ZW_RECONSTRUCT_MEAN},
    {"hamel", ZW_ENDS_FULL, ZW_RECONSTRUCT_OLD},
    {"hamel", ZW_ENDS_FULL, ZW_RECONSTRUCT_NEW},
    {"hamel", ZW_ENDS_HALF, ZW_RECONSTRUCT_MEAN},
    {"poisson-consistent", ZW_ENDS_HALF, ZW_RECONSTRUCT_OLD},
};
enum { NSCHEMES = sizeof schemes / sizeof *schemes, ROOM = 12 * 64 };

typedef struct outcome { /* z, q, v after the run */
    size_t n[3];
    double value[3][ROOM];
} outcome;

/* false when this machine lacks the path */
static bool outcome_of(const char *model, scheme s, const char *path, outcome *out) {
    fixture  f;
    uint64_t seed = 5;
    bracket_open(&f, model, s);
    zw_rods_bracket *B = fixture_rods(&f)->bracket;
    bool             found = strcmp(path, "eight") == 0;
    if (found) {
        B->path = &zw_bracket_eight;
    } else {
        found = zw_rods_bracket_choose(B, path);
    }
    if (found) {
        shake(f.r->system, bracket_x(&f), 0.05, 0.01, 10.0, &seed);
        fixture_must(&f, f.r->ops->start(f.r->integrator, bracket_x(&f)), "start");
        bracket_go(&f, 2e-5, 50);
        const zw_state *x = bracket_x(&f);
        const double   *from[3] = {bracket_z(&f, x), x->q, x->v};
        out->n[0] = 12 * B->stride;
        out->n[1] = (size_t)f.r->size.nq;
        out->n[2] = (size_t)f.r->size.nv;
        for (int i = 0; i < 3; i++) {
            assert_true(out->n[i] <= ROOM);
            memcpy(out->value[i], from[i], out->n[i] * sizeof(double));
        }
    }
    fixture_close(&f);
    return found;
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    static const char *const path[] = {"eight", "avx2", "avx512"};
    static outcome           any, other;
    (void)state;
    for (int i = 0; i < NMODELS; i++) {
        for (int k = 0; k < NSCHEMES; k++) {
            assert_true(outcome_of(models[i], schemes[k], "any", &any));
            for (int p = 0; p < 3; p++) {
                if (!outcome_of(models[i], schemes[k], path[p], &other)) {
                    if (i == 0 && k == 0) {
                        print_message("%s: not on this machine\n", path[p]);
                    }
                    continue;
                }
                for (int a = 0; a < 3; a++) {
                    assert_memory_equal(any.value[a], other.value[a], any.n[a] * sizeof(double));
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
