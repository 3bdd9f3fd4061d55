/* SPDX-License-Identifier: Apache-2.0
 * test_rod_secant_lanes.c: links of an energy-momentum step have the same bits from every instruction set and in any company. */
#define ZW_WIDE_LANES 8
#include "support/check.h"

#include "tests/math/samples.h"

#include "math/quat.h"
#include "parts/rod_secant_tile.h"

/* the eight lanes of avx512 in the instruction set of this build: they run on every machine */
#define ZW_ROD_ISA  eight
#define ZW_ROD_NAME "eight"
#include "parts/rod_secant_kernel.h"

static void random_tile(samples *s, bool full, zw_secant_tile *t) {
    *t = (zw_secant_tile){.full = full, .turned = true, .scale = 1e-4};
    for (int i = 0; i < ZW_SECANT_LANES; i++) {
        for (int k = 0; k < 4; k++) {
            double q[4], axes[9], x[3], most = i == 0 ? 0.9 : 0.3; /* one lane is bent far: no series there */
            sample_array(s, most, q, 4);
            q[0] = 1.0;
            zw_q_normalize(q);
            zw_q_to_matrix(q, axes);
            sample_array(s, 0.3, x, 3);
            for (int j = 0; j < 3; j++) {
                t->node[k / 2][k % 2][j][i] = x[j] + (j == 2 ? k / 2 : 0);
            }
            for (int j = 0; j < 9; j++) {
                t->node[k / 2][k % 2][3 + 3 * (j % 3) + j / 3][i] = axes[j];
            }
        }
        for (int k = 0; k < 18; k++) {
            t->rate[k / 9][k % 9][i] = sample(s);
        }
        t->l[i] = 1.0 + 0.5 * sample(s);
        t->damp[i] = 0.1 + 0.1 * sample(s);
        for (int k = 0; k < 6; k++) {
            t->natural[k][i] = sample(s);
        }
        for (int k = 0; k < 36; k++) {
            t->stiffness[k][i] = 2.0 + sample(s);
        }
    }
}

static bool same(const zw_secant_tile *a, const zw_secant_tile *b) {
    return memcmp(a->wrench, b->wrench, sizeof a->wrench) == 0 && memcmp(a->K, b->K, sizeof a->K) == 0 &&
           memcmp(a->stored, b->stored, sizeof a->stored) == 0 && memcmp(a->dissipated, b->dissipated, sizeof a->dissipated) == 0 &&
           memcmp(a->z, b->z, sizeof a->z) == 0;
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    samples s = {.state = 11};
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        zw_secant_tile t, best, eight;
        random_tile(&s, trial % 2 == 1, &t);
        best = eight = t;
        zw_secant_path_any.links(&t, true);
        zw_secant_path_best()->links(&best, true);
        zw_secant_path_eight.links(&eight, true);
        assert_true(same(&t, &best));
        assert_true(same(&t, &eight));
        assert_true(isfinite(t.K[0][0]));
    }
}

static void a_link_does_not_feel_its_neighbours(void **state) {
    samples        s = {.state = 12};
    zw_secant_tile t, other, alone;
    (void)state;
    random_tile(&s, false, &t);
    random_tile(&s, false, &other);
    alone = other;
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < ZW_SECANT_NODE; j++) {
            alone.node[k / 2][k % 2][j][5] = t.node[k / 2][k % 2][j][2];
        }
    }
    for (int k = 0; k < 18; k++) {
        alone.rate[k / 9][k % 9][5] = t.rate[k / 9][k % 9][2];
    }
    alone.l[5] = t.l[2];
    alone.damp[5] = t.damp[2];
    for (int k = 0; k < 36; k++) {
        alone.stiffness[k][5] = t.stiffness[k][2];
        alone.natural[k % 6][5] = t.natural[k % 6][2];
    }
    zw_secant_path_best()->links(&t, true);
    zw_secant_path_best()->links(&alone, true);
    for (int k = 0; k < 81; k++) {
        assert_memory_equal(&t.K[k][2], &alone.K[k][5], sizeof(double));
        assert_memory_equal(&t.wrench[k % 9][2], &alone.wrench[k % 9][5], sizeof(double));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(a_link_does_not_feel_its_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
