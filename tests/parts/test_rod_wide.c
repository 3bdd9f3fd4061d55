/* SPDX-License-Identifier: Apache-2.0
 * test_rod_wide.c: the wide loops give the same bits on every instruction set, and what the scalar loops give to round-off. */
#define ZW_WIDE_LANES 8
#include "support/model.h"

/* the eight lanes of avx512 in the instruction set of this build: they run on every machine */
#define ZW_ROD_ISA  eight
#define ZW_ROD_NAME "eight"
#include "parts/rod_wide_kernel.h"

/* short and long rods side by side, symmetric and rectangular sections, links bent beyond the polynomials' range, a turn of more than 1 rad per step */
static const char several[] =
    "zwang: 1\n"
    "gravity: [0, 1, -9.81]\n"
    "bodies:\n"
    "  one: {rod: {length: 1, elements: 1, section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}, velocity: [1, 0, 0]}}\n"
    "  arc: {rod: {length: 2, elements: 130, section: {square: 0.1}, material: {density: 1000, young: 1e7, poisson: 0.35}, at: [5, 0, 0],\n"
    "        shape: {curvature: [0.2, -1, 0.3]}, velocity: {director: [0, sin(pi*s/2), 1]}}}\n"
    "  bent: {rod: {length: 1, elements: 7, section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}, at: [9, 0, 0],\n"
    "        shape: {curvature: [0, 3.3, 1]}, natural: {curvature: [0, 1, 0]}}}\n"
    "  ring: {rod: {length: 3, elements: 20, section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}, at: [12, 0, 0],\n"
    "        along: [0, 1, 0], shape: {ring: [0, 0, 1]}}}\n";
static const char flat[] =
    "  flat: {rod: {length: 1, elements: 11, section: {rectangle: [0.1, 0.03]}, material: {density: 900, young: 1e6, poisson: 0.3}, at: [20, 0, 0],\n"
    "        shape: {curvature: [0.5, 0.4, 2]}}}\n";
static const char run[] = "run: {until: 0.2}\n";
/* nothing but elastic forces and gravity: the whole step in one pass */
static const char alone[] =
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  arc: {rod: {length: 2, elements: 70, section: {square: 0.1}, material: {density: 1000, young: 1e7, poisson: 0.35},\n"
    "        shape: {curvature: [0, -1, 0]}, velocity: {director: [0, sin(pi*s/2), 1]}}}\nrun: {until: 0.1}\n";

static void model_text(char *out, size_t size, int which) {
    if (which == 2) {
        snprintf(out, size, "%s", alone);
        return;
    }
    snprintf(out, size, "%s%s%s", several, which == 1 ? flat : "", run);
}

static zw_rods *rods_of(fixture *f) {
    const zw_part *part;
    zw_system_parts(zw_run_system(f->r), &part);
    return part[0].self;
}

/* final q and v of a run on the path of that name; NULL path: the scalar loops. Returns their number, 0 when this machine lacks the path */
static size_t final_state(const char *text, const char *path, int steps, double *out, size_t room) {
    fixture f;
    fixture_run(&f, text);
    zw_rods *rods = rods_of(&f);
    if (path == NULL) {
        rods->wide = NULL;
    } else if (strcmp(path, "eight") == 0) {
        rods->wide->path = &zw_rods_path_eight;
    } else if (!zw_rods_wide_choose(rods, path)) {
        fixture_close(&f);
        return 0;
    }
    fixture_must(&f, zw_run_advance(f.r, steps), "advance");
    const zw_state *x = zw_run_state(f.r);
    zw_size         n = zw_system_size(zw_run_system(f.r));
    size_t          count = (size_t)n.nq + (size_t)n.nv;
    assert_true(count <= room);
    memcpy(out, x->q, sizeof(double) * (size_t)n.nq);
    memcpy(out + n.nq, x->v, sizeof(double) * (size_t)n.nv);
    fixture_close(&f);
    return count;
}

static void every_path_gives_the_same_bits(void **state) {
    (void)state;
    enum { ROOM = 4000 };
    static double any[ROOM], other[ROOM];
    for (int which = 0; which < 3; which++) {
        char text[3000];
        model_text(text, sizeof text, which);
        size_t n = final_state(text, "any", 400, any, ROOM);
        assert_true(n > 0);
        static const char *const path[] = {"eight", "avx2", "avx512"};
        for (int i = 0; i < 3; i++) {
            memset(other, 0, sizeof other);
            if (final_state(text, path[i], 400, other, ROOM) == 0) {
                print_message("%s: not on this machine\n", path[i]);
                continue;
            }
            assert_memory_equal(any, other, n * sizeof(double));
        }
    }
}

static void wide_and_scalar_agree_to_round_off(void **state) {
    (void)state;
    enum { ROOM = 4000 };
    static double wide[ROOM], scalar[ROOM];
    for (int which = 0; which < 2; which++) {
        char   text[3000];
        double worst = 0.0;
        model_text(text, sizeof text, which);
        size_t n = final_state(text, "any", 3, wide, ROOM);
        assert_int_equal(final_state(text, NULL, 3, scalar, ROOM), n);
        for (size_t i = 0; i < n; i++) {
            worst = fmax(worst, fabs(wide[i] - scalar[i]) / (1.0 + fabs(scalar[i])));
        }
        check_below(worst, 2e-10, 3.4e-12); /* three steps; the short stiff rod rings at 1e5 rad/s */
    }
}

/* the fused step of rods that are alone against the three calls that general steps are made of: a force of zero makes the model a general one */
static void fused_step_equals_the_general_one(void **state) {
    (void)state;
    enum { ROOM = 2000 };
    static double fused[ROOM], general[ROOM];
    char          text[2000];
    size_t        n = final_state(alone, "any", 400, fused, ROOM);
    snprintf(text, sizeof text, "%sloads: {none: {force: [0, 0, 0], on: arc, s: 0}}\n", alone);
    assert_int_equal(final_state(text, "any", 400, general, ROOM), n);
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(fused[i] - general[i]) / (1.0 + fabs(general[i])));
    }
    check_below(worst, 1e-13, 0.0); /* the same bits, in fact */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_gives_the_same_bits),
        cmocka_unit_test(wide_and_scalar_agree_to_round_off),
        cmocka_unit_test(fused_step_equals_the_general_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
