/* SPDX-License-Identifier: Apache-2.0
 * test_rods.c: the same bits for any number of threads. */
#include "support/model.h"

enum { RODS = 60, ROOM = 60 * 51 * 13 };

static void model_text(char *out, size_t size, int threads) {
    size_t used = (size_t)snprintf(out, size, "zwang: 1\nbodies:\n");
    for (int i = 0; i < RODS; i++) {
        used += (size_t)snprintf(
            out + used, size - used,
            "  rod%d: {rod: {length: 1, elements: 50, at: [%d, 0, 0], section: {square: 0.1}, material: {density: 1000, young: 1e7, poisson: 0.35}, "
            "shape: {curvature: [0, %d/30, 0]}}}\n",
            i, i, i);
    }
    snprintf(out + used, size - used, "run: {until: 0.02, threads: %d}\n", threads);
}

static size_t final_state(int threads, double *out) {
    static char text[RODS * 200 + 500];
    fixture     f;
    model_text(text, sizeof text, threads);
    fixture_run(&f, text);
    fixture_must(&f, zw_run_advance(f.r, scaled_steps(200)), "advance");
    const zw_state *x = zw_run_state(f.r);
    zw_size         n = zw_system_size(zw_run_system(f.r));
    memcpy(out, x->q, sizeof(double) * (size_t)n.nq);
    memcpy(out + n.nq, x->v, sizeof(double) * (size_t)n.nv);
    fixture_close(&f);
    return (size_t)n.nq + (size_t)n.nv;
}

static void rods_move_to_the_same_bits_on_any_number_of_threads(void **state) {
    (void)state;
    static double    one[ROOM], many[ROOM];
    size_t           n = final_state(1, one);
    static const int threads[] = {2, 3, 8};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(final_state(threads[i], many), n);
        assert_memory_equal(one, many, n * sizeof(double));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rods_move_to_the_same_bits_on_any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
