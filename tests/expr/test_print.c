/* SPDX-License-Identifier: Apache-2.0
 * Printed text parses back to the identical node, and has no bracket that is not needed. */
#include "fixture.h"

static void print_is(fixture *f, const char *text, const char *expected) {
    zw_text out;
    zw_text_init(&out, f->context);
    zw_node n = fixture_node(f, text);
    zw_node_print(f->pool, n, &out);
    assert_int_equal(zw_text_status(&out), ZW_OK);
    assert_string_equal(out.s, expected);
    assert_int_equal(fixture_node(f, out.s), n);
    zw_text_destroy(&out);
}

static void printed_text_has_minimal_brackets(void **state) {
    (void)state;
    static const char *const same[] = {
        /* these print as they are written */
        "x",
        "-x",
        "x + y",
        "x - y",
        "x - y - t",
        "x - (y - t)",
        "x - (y + t)",
        "2*x",
        "x*y",
        "x*y*t",
        "x/y",
        "x/y/t",
        "x/(y/t)",
        "x/(y*t)",
        "x*y/t",
        "-x*y",
        "-x/y",
        "-x/2",
        "x^2",
        "-x^2",
        "x^-2",
        "(x + y)^2",
        "t*(x + y)",
        "x^y",
        "x^-y",
        "2^x^y",
        "(2^x)^y",
        "x^(y + 1)",
        "x^(y*t)",
        "x^(-y*t)",
        "-2*x",
        "-2 - x",
        "x + 2",
        "x - 2",
        "(-2)^x",
        "2/x",
        "-2/x",
        "1/x",
        "1/0",
        "0/0",
        "-1/0",
        "x < y",
        "x <= y",
        "x == y",
        "x != y",
        "x < y and y < t",
        "x or y",
        "not x",
        "not (x or y)",
        "not x < y",
        "t*(x < y)",
        "x and (y or t)",
        "t or x and y",
        "sin(x + 1)",
        "atan2(x, y)",
        "if(x < y, x, y)",
        "min(x, y)",
        "max(x - 1, 0)",
        "table(x, 0, 1, 2, 3.5)",
        "table_slope(x, -1, 0.1, 2, 3)",
        "mod(x, 2)",
        "r.x*kappa.d2",
        "-(x + y)",
        "-(x - y)",
        "sqrt(x)",
        "1e-9*x",
        "1e300*1e300",
        "-(2*x*y)",
        "-(x/(y*t)*2*s)",
        "-sin(x)^3",
        "x/(-2*y)",
        "x/y*2",
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        print_is(&f, same[i], same[i]);
    }
    print_is(&f, "((x))", "x");
    print_is(&f, "x + (y + t)", "y + t + x");
    print_is(&f, "x*(y/t)", "y/t*x");
    print_is(&f, "x*x", "x^2");
    print_is(&f, "x + x", "2*x");
    print_is(&f, "y > x", "x < y");
    print_is(&f, "x + -2*y", "x - 2*y");
    print_is(&f, "-x + y", "y - x");
    print_is(&f, "-x - y", "-(x + y)");
    print_is(&f, "2*-x", "-2*x");
    print_is(&f, "--x", "x");
    print_is(&f, "norm(r)", "sqrt(r.x^2 + r.y^2 + r.z^2)");
    print_is(&f, "clamp(x, 0, 1)", "min(max(x, 0), 1)");
    print_is(&f, "x^0.5", "sqrt(x)");
    print_is(&f, "pow(x, 2.5)", "x^2.5");
    fixture_close(&f);
}

/* a random operation on random earlier nodes, so that the result is a DAG with every operation */
static zw_node random_node(fixture *f, fixture_random *r, const zw_node *have, int n) {
    static const double constants[] = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.1, 1e-7, -1e300, 1e300, 33.0, -3.0, -0.0};
    zw_node             a = have[random_below(r, n)], b = have[random_below(r, n)], c = have[random_below(r, n)];
    int                 op = ZW_OP_NEG + random_below(r, ZW_OP_COUNT - ZW_OP_NEG);
    if (random_below(r, 3) == 0) { /* arithmetic more often: that is where brackets and signs are */
        static const int arithmetic[] = {ZW_OP_ADD, ZW_OP_SUB, ZW_OP_MUL, ZW_OP_DIV, ZW_OP_NEG, ZW_OP_POW};
        op = arithmetic[random_below(r, 6)];
    }
    if (random_below(r, 6) == 0) {
        a = zw_node_constant(f->pool, constants[random_below(r, 14)]);
    }
    if (random_below(r, 6) == 0) {
        b = zw_node_constant(f->pool, constants[random_below(r, 14)]);
    }
    if (op == ZW_OP_POWI) {
        return zw_node_powi(f->pool, a, random_below(r, 9) - 4);
    }
    if (op == ZW_OP_TABLE || op == ZW_OP_SLOPE) {
        double knots[6] = {0.0, random_between(r, -1.0, 1.0), 1.0, 1e-3, random_between(r, 1.5, 2.0), -4.0};
        return zw_node_build(f->pool, op, a, zw_pool_table(f->pool, knots, 2 + random_below(r, 2)), 0);
    }
    return zw_node_build(f->pool, op, a, b, c);
}

static void random_expressions_parse_back_to_the_same_node(void **state) {
    (void)state;
    fixture_random r = {.state = 20};
    int            compared = 0, printed = 0;
    for (int round = 0; round < 300; round++) {
        fixture f;
        fixture_open(&f);
        zw_node                  have[60];
        int                      n = 0;
        static const char *const leaves[] = {"x", "y", "t", "kappa.d1", "2", "-3.5"};
        for (int i = 0; i < 6; i++) {
            have[n++] = fixture_node(&f, leaves[i]);
        }
        while (n < 60) {
            have[n] = random_node(&f, &r, have, n);
            assert_int_not_equal(have[n], 0);
            n++;
        }
        for (int i = 30; i < 40; i++) { /* derivatives are expressions too */
            have[i] = zw_node_diff(f.pool, have[i], random_below(&r, 3));
            assert_int_not_equal(have[i], 0);
        }
        for (int i = 6; i < n; i++) {
            zw_text out;
            zw_text_init(&out, f.context);
            zw_node_print(f.pool, have[i], &out);
            printed++;
            if (out.n < 20000) { /* a DAG can have a tree that is too long */
                zw_value        v;
                zw_expr_problem p;
                zw_status       status = zw_expr_parse(f.scope, out.s, &v, &p);
                if (status != ZW_OK || v.n[0] != have[i]) {
                    print_error("'%s' %s\n", out.s, status == ZW_OK ? "is another node" : p.message);
                    fail();
                }
                compared++;
            }
            zw_text_destroy(&out);
        }
        fixture_close(&f);
    }
    assert_true(compared > printed / 2);
}

static void random_texts_print_to_the_same_value(void **state) {
    (void)state;
    /* every text is parsed in two pools; in the second from the print of the first: same bits */
    static const char *const parts[] = {"x",  "y",      "-",  "2",   "(x - y)", "*",    "/", "+",
                                        "^2", "sin(t)", "-x", "*-3", "/-y",     " - (", ")", "0.1"};
    fixture                  f, g;
    fixture_open(&f);
    fixture_open(&g);
    fixture_random r = {.state = 5};
    int            parsed = 0;
    for (int i = 0; i < 20000; i++) {
        char text[200] = "";
        int  n = 1 + random_below(&r, 8);
        for (int k = 0; k < n; k++) {
            strcat(text, parts[random_below(&r, 16)]);
        }
        zw_value        v;
        zw_expr_problem p;
        if (zw_expr_parse(f.scope, text, &v, &p) != ZW_OK) {
            continue;
        }
        parsed++;
        zw_text out;
        zw_text_init(&out, f.context);
        zw_node_print(f.pool, v.n[0], &out);
        assert_int_equal(fixture_node(&f, out.s), v.n[0]);
        double a = fixture_eval(&f, v.n[0], fixture_in), b = fixture_eval(&g, fixture_node(&g, out.s), fixture_in);
        assert_true(a == b || (a != a && b != b));
        zw_text_destroy(&out);
    }
    assert_true(parsed > 1000);
    fixture_close(&g);
    fixture_close(&f);
}

static void printing_a_huge_tree_stops(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node n = fixture_node(&f, "x"), y = fixture_node(&f, "y");
    for (int i = 0; i < 100; i++) { /* 2^100 leaves as a tree */
        n = zw_node_build(f.pool, ZW_OP_ATAN2, n, zw_node_add(f.pool, n, y), 0);
    }
    zw_text out;
    zw_text_init(&out, f.context);
    zw_node_print(f.pool, n, &out);
    assert_int_equal(zw_text_status(&out), ZW_OK);
    assert_true(out.n >= ZW_EXPR_TEXT_MAX && out.n < ZW_EXPR_TEXT_MAX + 100);
    assert_string_equal(out.s + out.n - 3, "...");
    zw_text_destroy(&out);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_text_has_minimal_brackets),
        cmocka_unit_test(random_expressions_parse_back_to_the_same_node),
        cmocka_unit_test(random_texts_print_to_the_same_value),
        cmocka_unit_test(printing_a_huge_tree_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
