/* SPDX-License-Identifier: Apache-2.0
 * Wide tapes against the scalar tape: the same bits in every lane. */
#include "fixture.h"

enum { LANES = ZW_TAPE_LANES };

/* same bits; a nan is a nan whatever its bits are */
static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* every lane of every root against zw_tape_eval at that point */
static void compare(fixture *f, const zw_node *root, int roots, const int *slots, int n, const double *in, const double *lanes) {
    zw_tape *t = NULL;
    assert_int_equal(zw_tape_create(f->context, f->pool, root, roots, &t), ZW_OK);
    double *work = malloc(sizeof *work * ((size_t)zw_tape_work(t) + 1)), *expected = malloc(sizeof *expected * (size_t)roots);
    double *out = malloc(sizeof *out * LANES * (size_t)roots), point[FIXTURE_INPUTS];
    assert_int_equal(zw_tape_widen(t, slots, n), ZW_OK);
    size_t  size = (size_t)zw_tape_work_wide(t);
    double *wide = malloc(sizeof *wide * (size + 1));
    for (size_t i = 0; i <= size; i++) {
        wide[i] = -777.25; /* nothing may be read before it is written, and the end is the end */
    }
    zw_tape_common(t, in, wide);
    for (int again = 0; again < 4; again++) { /* what is common stays; each time other lanes pass through the same rows */
        int    points = again % 2 == 0 ? LANES : LANES / 2;
        double turned[LANES * FIXTURE_INPUTS];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < LANES; k++) {
                turned[LANES * i + k] = lanes[LANES * i + (k + 3 * again) % LANES];
            }
        }
        for (int i = 0; i < LANES * roots; i++) {
            out[i] = -777.25;
        }
        (points == LANES ? zw_tape_eval_wide : zw_tape_eval_half)(t, turned, wide, out);
        for (int i = 0; i < roots; i++) {
            for (int k = points; k < LANES; k++) {
                assert_true(out[LANES * i + k] == -777.25);
            }
        }
        for (int k = 0; k < points; k++) {
            memcpy(point, in, sizeof point);
            for (int i = 0; i < n; i++) {
                point[slots[i]] = turned[LANES * i + k];
            }
            zw_tape_eval(t, point, work, expected);
            for (int i = 0; i < roots; i++) {
                if (!same(out[LANES * i + k], expected[i])) {
                    zw_text text;
                    zw_text_init(&text, f->context);
                    zw_node_print(f->pool, root[i], &text);
                    print_error("lane %d of '%.300s': %.17g instead of %.17g\n", k, text.s, out[LANES * i + k], expected[i]);
                    zw_text_destroy(&text);
                    fail();
                }
            }
        }
    }
    assert_true(wide[size] == -777.25);
    free(work), free(expected), free(out), free(wide);
    zw_tape_destroy(t);
}

/* finite numbers of every size, zeros of both signs, infinities and nan */
static double any_number(fixture_random *r) {
    static const double special[] = {0.0,      -0.0,      1.0, -1.0,  0.5,    2.0,    -2.0,    3.0,
                                     INFINITY, -INFINITY, NAN, 1e300, -1e300, 5e-324, -1e-310, 709.8};
    switch (random_below(r, 4)) {
    case 0: return special[random_below(r, (int)(sizeof special / sizeof special[0]))];
    case 1: return (double)(random_below(r, 9) - 4);
    case 2: return random_between(r, -1.0, 1.0);
    default: return random_between(r, -30.0, 30.0);
    }
}

static void fill(fixture_random *r, double *in, double *lanes, int n) {
    for (int i = 0; i < FIXTURE_INPUTS; i++) {
        in[i] = any_number(r);
    }
    for (int i = 0; i < LANES * n; i++) {
        lanes[i] = any_number(r);
    }
}

/* each operation on inputs, so that no lane is spared */
static void every_operation_gives_the_bits_of_the_scalar_tape(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    fixture_random      r = {3};
    static const double knots[] = {-1.0, 2.0, 0.0, -1.0, 0.5, 4.0, 3.0, 4.5};
    int                 slots[3] = {0, 1, 3};
    double              in[FIXTURE_INPUTS], lanes[3 * LANES];
    int                 table = zw_pool_table(f.pool, knots, 4);
    for (int op = ZW_OP_NEG; op < ZW_OP_COUNT; op++) {
        zw_node a = zw_node_input(f.pool, 0), b = zw_node_input(f.pool, 1), c = zw_node_input(f.pool, 3), common = zw_node_input(f.pool, 2);
        zw_node root[3] = {0};
        int     roots = 3;
        if (op == ZW_OP_POWI) {
            root[0] = zw_node_powi(f.pool, a, 7);
            root[1] = zw_node_powi(f.pool, a, -5);
            root[2] = zw_node_powi(f.pool, b, 32);
        } else if (op == ZW_OP_TABLE || op == ZW_OP_SLOPE) {
            root[0] = zw_node_build(f.pool, op, a, table, 0);
            root[1] = zw_node_build(f.pool, op, common, table, 0);
            roots = 2;
        } else {
            root[0] = zw_node_build(f.pool, op, a, b, c);
            root[1] = zw_node_build(f.pool, op, common, b, a); /* of one operand: the same for all lanes */
            root[2] = zw_node_build(f.pool, op, a, common, common);
        }
        for (int k = 0; k < roots; k++) {
            assert_true(root[k] > 0);
        }
        for (int trial = 0; trial < 40; trial++) {
            fill(&r, in, lanes, 3);
            compare(&f, root, roots, slots, 3, in, lanes);
        }
    }
    fixture_close(&f);
}

static zw_node random_node(fixture *f, fixture_random *r, const zw_node *have, int n) {
    int     recent = n < 12 ? n : 12;
    zw_node pick[3];
    for (int k = 0; k < 3; k++) {
        pick[k] = random_below(r, 2) ? have[n - 1 - random_below(r, recent)] : have[random_below(r, n)];
    }
    int op = ZW_OP_NEG + random_below(r, ZW_OP_COUNT - ZW_OP_NEG);
    if (op == ZW_OP_POWI) {
        return zw_node_powi(f->pool, pick[0], random_below(r, 65) - 32);
    }
    if (op == ZW_OP_TABLE || op == ZW_OP_SLOPE) {
        double knots[6] = {-1.0, random_between(r, -2.0, 2.0), random_between(r, -0.5, 0.5), 1.0, 2.0, random_between(r, -2.0, 2.0)};
        return zw_node_build(f->pool, op, pick[0], zw_pool_table(f->pool, knots, 3), 0);
    }
    return zw_node_build(f->pool, op, pick[0], pick[1], pick[2]);
}

static void random_graphs_give_the_bits_of_the_scalar_tape(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        fixture f;
        fixture_open(&f);
        fixture_random r = {seed};
        zw_node        have[220];
        int            n = 0, slots[FIXTURE_INPUTS], varying = (int)(seed % 6); /* none at all too */
        for (int i = 0; i < FIXTURE_INPUTS; i++) {
            have[n++] = zw_node_input(f.pool, i);
        }
        have[n++] = zw_node_constant(f.pool, 0.75);
        have[n++] = zw_node_constant(f.pool, -2.0);
        while (n < 200) {
            have[n] = random_node(&f, &r, have, n);
            assert_true(have[n] > 0);
            n++;
        }
        for (int i = 0; i < varying; i++) {
            slots[i] = (3 * i + (int)seed) % FIXTURE_INPUTS;
        }
        zw_node root[8];
        int     roots = 1 + random_below(&r, 8);
        for (int i = 0; i < roots; i++) {
            root[i] = have[n - 1 - random_below(&r, i == 0 ? 1 : 60)]; /* the same one twice, an input or a constant may be among them */
        }
        if (seed % 7 == 0 && varying > 0) {
            root[0] = have[slots[0]];
        }
        double in[FIXTURE_INPUTS], lanes[LANES * 6];
        for (int trial = 0; trial < 6; trial++) {
            fill(&r, in, lanes, varying);
            if (trial < 3) { /* tame numbers reach further up */
                for (int i = 0; i < FIXTURE_INPUTS; i++) {
                    in[i] = random_between(&r, 0.1, 2.0);
                }
                for (int i = 0; i < LANES * varying; i++) {
                    lanes[i] = random_between(&r, 0.1, 2.0);
                }
            }
            compare(&f, root, roots, slots, varying, in, lanes);
        }
        fixture_close(&f);
    }
}

static void written_expressions_give_the_bits_of_the_scalar_tape(void **state) {
    (void)state;
    static const char *const texts[] = {"-3*sin(2*pi*t - 4*x)*(1 - s/L)^2 + cos(t)",
                                        "if(s < L/2, exp(-y^2), table(x, 0,0, 1,2, 3,-1))",
                                        "norm([x, y, s]) + dot(r, kappa)",
                                        "max(0, min(1, x*s)) + mod(x + t, 2) + hypot(x, y)",
                                        "t + L",
                                        "s"};
    fixture                  f;
    fixture_open(&f);
    fixture_random r = {11};
    int            slots[3] = {3, 0, 1};
    double         lanes[3 * LANES];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        zw_node root = fixture_node(&f, texts[i]);
        for (int k = 0; k < 3 * LANES; k++) {
            lanes[k] = random_between(&r, -3.0, 3.0);
        }
        compare(&f, &root, 1, slots, 3, fixture_in, lanes);
    }
    fixture_close(&f);
}

/* what all points share is worked out once: nothing but the common part may see a change of a common input */
static void common_inputs_are_read_by_the_common_part(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node  root = fixture_node(&f, "x*exp(t) + L");
    zw_tape *t = NULL;
    int      slot = 0;
    double   in[FIXTURE_INPUTS], lanes[LANES] = {1, 2, 3, 4, 5, 6, 7, 8}, out[LANES], work[256];
    memcpy(in, fixture_in, sizeof in);
    assert_int_equal(zw_tape_create(f.context, f.pool, &root, 1, &t), ZW_OK);
    assert_int_equal(zw_tape_widen(t, &slot, 1), ZW_OK);
    assert_true(zw_tape_work_wide(t) <= 256);
    zw_tape_common(t, in, work);
    in[2] = 0.0;
    zw_tape_eval_wide(t, lanes, work, out);
    assert_true(out[2] == 3.0 * exp(2.0) + 4.0);
    zw_tape_common(t, in, work);
    zw_tape_eval_wide(t, lanes, work, out);
    assert_true(out[7] == 12.0);
    int other = 2;
    assert_int_equal(zw_tape_widen(t, &other, 1), ZW_OK); /* widened anew: now t varies and x is common */
    assert_true(zw_tape_work_wide(t) <= 256);
    in[0] = 2.0;
    zw_tape_common(t, in, work);
    zw_tape_eval_wide(t, lanes, work, out);
    assert_true(out[0] == 2.0 * exp(1.0) + 4.0);
    zw_tape_destroy(t);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_gives_the_bits_of_the_scalar_tape),
        cmocka_unit_test(random_graphs_give_the_bits_of_the_scalar_tape),
        cmocka_unit_test(written_expressions_give_the_bits_of_the_scalar_tape),
        cmocka_unit_test(common_inputs_are_read_by_the_common_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
