/* SPDX-License-Identifier: Apache-2.0
 * Hash-consing, simplification, bounds: the same text gives the same node, long and deep expressions do not break anything. */
#include "fixture.h"

static void equal_expressions_are_one_node(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"x + y", "y + x"},
        {"x*y", "y*x"},
        {"sin(x)*2", "2*sin(x)"},
        {"x - y", "x + -y"},
        {"x*x", "x^2"},
        {"pow(x, 3)", "x^3"},
        {"x^0.5", "sqrt(x)"},
        {"x^-1", "1/x"},
        {"x + 0", "x"},
        {"0 + x", "x"},
        {"x - 0", "x"},
        {"x*1", "x"},
        {"x/1", "x"},
        {"x^1", "x"},
        {"x^0", "1"},
        {"0*x", "0"},
        {"x*0", "0"},
        {"x - x", "0"},
        {"0 - x", "-x"},
        {"-(-x)", "x"},
        {"(-x)*(-y)", "x*y"},
        {"(-x)/y", "-(x/y)"},
        {"(-x)^2", "x^2"},
        {"(-x)^3", "-x^3"},
        {"x + x", "2*x"},
        {"2*3 + 1", "7"},
        {"sin(1)^2", "sin(1)*sin(1)"},
        {"x > y", "y < x"},
        {"x >= y", "y <= x"},
        {"x == y", "y == x"},
        {"x and y", "y and x"},
        {"if(1, x, y)", "x"},
        {"if(1 > 2, x, y)", "y"},
        {"if(t, x, x)", "x"},
        {"min(x, x)", "x"},
        {"abs(-x)", "abs(x)"},
        {"table(x, 0, 1, 2, 3)", "table(x, 0.0, 1e0, 2, 3)"},
        {"sqrt(4)", "2"},
    };
    static const char *const differ[][2] = {
        {"0*log(x)", "0"},        /* would hide a nan */
        {"x/x", "1"},             /* not at 0 */
        {"1/x - 1/x", "0"},       /* not at 0 */
        {"(x + 1) + 2", "x + 3"}, /* other roundings */
        {"x*2/2", "x"},
        {"min(x, y)", "min(y, x)"}, /* the first one gives the derivative at a tie */
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (fixture_node(&f, pairs[i][0]) != fixture_node(&f, pairs[i][1])) {
            print_error("'%s' and '%s' are two nodes\n", pairs[i][0], pairs[i][1]);
            fail();
        }
    }
    for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++) {
        if (fixture_node(&f, differ[i][0]) == fixture_node(&f, differ[i][1])) {
            print_error("'%s' and '%s' are one node\n", differ[i][0], differ[i][1]);
            fail();
        }
    }
    fixture_close(&f);
}

static void folding_stops_at_results_that_are_not_finite(void **state) {
    (void)state;
    static const char *const texts[] = {"1/0", "log(0)", "sqrt(-1)", "1e300*1e300", "asin(2)", "0^-1", "0^-2", "exp(1000)", "mod(1, 0)"};
    fixture                  f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        zw_node n = fixture_node(&f, texts[i]);
        assert_false(zw_node_is_constant(f.pool, n, NULL));
        assert_false(isfinite(fixture_eval(&f, n, fixture_in)));
    }
    double value;
    assert_true(zw_node_is_constant(f.pool, fixture_node(&f, "sin(2)*3"), &value));
    assert_true(value == sin(2.0) * 3.0);
    /* a constant that is not finite is kept as a division */
    assert_true(isinf(fixture_eval(&f, zw_node_constant(f.pool, INFINITY), fixture_in)));
    assert_true(fixture_eval(&f, zw_node_constant(f.pool, -INFINITY), fixture_in) < 0.0);
    assert_true(isnan(fixture_eval(&f, zw_node_constant(f.pool, NAN), fixture_in)));
    fixture_close(&f);
}

/* repeats a text n times around a middle */
static char *repeated(const char *before, const char *middle, const char *after, int n) {
    size_t a = strlen(before), m = strlen(middle), b = strlen(after);
    char  *text = malloc((size_t)n * (a + b) + m + 1), *w = text;
    assert_non_null(text);
    for (int i = 0; i < n; i++, w += a) {
        memcpy(w, before, a);
    }
    memcpy(w, middle, m);
    w += m;
    for (int i = 0; i < n; i++, w += b) {
        memcpy(w, after, b);
    }
    *w = '\0';
    return text;
}

static void long_sums_are_parsed_differentiated_printed_and_run(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    char   *text = repeated("x*sin(t) + y - ", "x", "", 10000);
    zw_node n = fixture_node(&f, text);
    zw_node d = zw_node_diff(f.pool, n, zw_pool_input(f.pool, "y"));
    assert_true(fixture_eval(&f, d, fixture_in) == 10000.0);
    zw_text out;
    zw_text_init(&out, f.context);
    zw_node_print(f.pool, n, &out);
    assert_int_equal(fixture_node(&f, out.s), n);
    zw_text_destroy(&out);
    zw_tape *t;
    assert_int_equal(zw_tape_create(f.context, f.pool, &n, 1, &t), ZW_OK);
    assert_true(zw_tape_work(t) <= 8); /* measured 5: places are used again */
    zw_tape_destroy(t);
    free(text);
    /* deep by substitution: x -> sin(x) + t, 20000 times */
    zw_node step = fixture_node(&f, "sin(x) + t"), deep = fixture_node(&f, "x");
    for (int i = 0; i < 20000; i++) {
        deep = zw_node_add(f.pool, zw_node_build(f.pool, ZW_OP_SIN, deep, 0, 0), fixture_node(&f, "t"));
    }
    assert_int_not_equal(step, deep);
    zw_node slope = zw_node_diff(f.pool, deep, zw_pool_input(f.pool, "t"));
    assert_true(isfinite(fixture_eval(&f, slope, fixture_in)));
    zw_node other = zw_node_substitute(f.pool, deep, zw_pool_input(f.pool, "t"), fixture_node(&f, "2*y"));
    assert_false(zw_node_depends(f.pool, other, zw_pool_input(f.pool, "t")));
    fixture_close(&f);
}

static void nesting_is_bounded_at_200(void **state) {
    (void)state;
    static const struct {
        const char *before, *middle, *after;
    } kinds[] = {{"(", "x", ")"}, {"sin(", "x", ")"},    {"-", "x", ""},       {"not ", "x", ""},
                 {"x^", "x", ""}, {"[1,2,", "x", "].z"}, {"if(x,1,", "x", ")"}};
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        zw_value        v;
        zw_expr_problem p;
        char           *text = repeated(kinds[i].before, kinds[i].middle, kinds[i].after, 199);
        if (zw_expr_parse(f.scope, text, &v, &p) != ZW_OK) {
            print_error("%s: %s\n", kinds[i].before, p.message);
            fail();
        }
        free(text);
        text = repeated(kinds[i].before, kinds[i].middle, kinds[i].after, 201);
        assert_int_equal(zw_expr_parse(f.scope, text, &v, &p), ZW_E_MODEL);
        assert_string_equal(p.message, "the expression is nested deeper than 200 levels");
        free(text);
        text = repeated(kinds[i].before, kinds[i].middle, kinds[i].after, 50000);
        assert_int_equal(zw_expr_parse(f.scope, text, &v, &p), ZW_E_MODEL);
        free(text);
    }
    fixture_close(&f);
}

static void texts_are_bounded_at_one_mebibyte(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_value        v;
    zw_expr_problem p;
    char           *text = repeated("x+", "x", "", ZW_EXPR_TEXT_MAX / 2);
    assert_int_equal(zw_expr_parse(f.scope, text, &v, &p), ZW_E_MODEL);
    assert_string_equal(p.message, "the expression has 1048577 bytes, at most 1048576 are possible");
    text[ZW_EXPR_TEXT_MAX] = '\0';
    text[ZW_EXPR_TEXT_MAX - 1] = ' ';
    assert_int_equal(zw_expr_parse(f.scope, text, &v, &p), ZW_OK);
    free(text);
    fixture_close(&f);
}

static void a_full_pool_says_so(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    assert_int_equal(f.pool->nodes_max, 4000000);
    f.pool->nodes_max = 1000;
    zw_value        v;
    zw_expr_problem p;
    char           *text = repeated("x*sin(", "t", ")", 150), *more = repeated("t - sin(", "y", ")", 199),
         *most = repeated("s - cos(", "y", ")", 199);
    assert_int_equal(zw_expr_parse(f.scope, text, &v, &p), ZW_OK);
    assert_int_equal(zw_expr_parse(f.scope, more, &v, &p), ZW_OK);
    assert_int_equal(zw_expr_parse(f.scope, most, &v, &p), ZW_E_MODEL);
    assert_string_equal(p.message, "the expressions of this model need more than 1000 nodes");
    assert_true(p.col > 1);
    assert_int_equal(zw_error_count(f.context), 0);
    free(text);
    free(more);
    free(most);
    /* outside of a parse it is raised */
    assert_int_equal(zw_node_constant(f.pool, 0.123456), 0);
    assert_int_equal(zw_error_at(f.context, 0)->code, ZW_E_LIMIT);
    assert_int_equal(zw_node_add(f.pool, 0, fixture_node(&f, "x")), 0);
    fixture_close(&f);
}

static void dependence_is_exact_beyond_64_inputs(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node n = 0;
    for (int i = 0; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i);
        zw_node q = zw_node_input(f.pool, zw_pool_input(f.pool, name));
        if (i % 3 == 0) {
            n = n ? zw_node_add(f.pool, n, zw_node_powi(f.pool, q, 2)) : q;
        }
    }
    for (int i = 1; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i);
        int slot = zw_pool_input(f.pool, name);
        assert_int_equal(zw_node_depends(f.pool, n, slot), i % 3 == 0);
        zw_node d = zw_node_diff(f.pool, n, slot);
        double  zero;
        if (i % 3 == 0) {
            assert_int_equal(d, zw_node_mul(f.pool, zw_node_constant(f.pool, 2.0), zw_node_input(f.pool, slot)));
        } else {
            assert_true(zw_node_is_constant(f.pool, d, &zero) && zero == 0.0);
        }
    }
    int q3 = zw_pool_input(f.pool, "q3"), q67 = zw_pool_input(f.pool, "q67"); /* 64 apart */
    assert_int_equal(zw_node_substitute(f.pool, n, q67, fixture_node(&f, "x")), n);
    zw_node without = zw_node_substitute(f.pool, n, q3, fixture_node(&f, "x"));
    assert_false(zw_node_depends(f.pool, without, q3));
    assert_true(zw_node_depends(f.pool, without, zw_pool_input(f.pool, "x")));
    assert_true(zw_node_depends(f.pool, without, zw_pool_input(f.pool, "q6")));
    fixture_close(&f);
}

static void substitution_gives_the_node_of_the_substituted_text(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        /* in place of x */
        {"x^2 + sin(x)*y", "t + 1", "(t + 1)^2 + sin(t + 1)*y"},
        {"if(x < 1, x, y)", "0", "0"},
        {"table(x, 0, 1, 2, 3) + x", "2*t", "table(2*t, 0, 1, 2, 3) + 2*t"},
        {"atan2(x, y) - max(x, t)", "y", "atan2(y, y) - max(y, t)"},
        {"x^y^x", "x + x", "(2*x)^y^(2*x)"},
        {"y + t", "5", "y + t"},
        {"x^-3", "2", "0.125"},
    };
    fixture f;
    fixture_open(&f);
    int slot = zw_pool_input(f.pool, "x");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zw_node n = zw_node_substitute(f.pool, fixture_node(&f, cases[i][0]), slot, fixture_node(&f, cases[i][1]));
        assert_int_equal(n, fixture_node(&f, cases[i][2]));
    }
    fixture_close(&f);
}

/* an allocator that gives up after some calls; the library must hand back ZW_E_MEMORY and leak nothing */
typedef struct stingy {
    long left;
} stingy;

static void *stingy_realloc(void *user, void *p, size_t size) {
    stingy *s = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return s->left-- > 0 ? realloc(p, size) : NULL;
}

static void running_out_of_memory_anywhere_is_reported(void **state) {
    (void)state;
    int failures = 0, successes = 0;
    for (long calls = 1; calls < 400 && successes == 0; calls++) {
        stingy         s = {.left = calls};
        zw_context_def def = zw_context_def_default();
        def.realloc = stingy_realloc;
        def.realloc_user = &s;
        zw_context *c = NULL;
        if (zw_context_create(&def, &c) != ZW_OK) {
            continue;
        }
        zw_pool        *p = NULL;
        zw_scope       *scope = NULL;
        zw_tape        *tape = NULL;
        zw_value        v = {.width = 0};
        zw_expr_problem problem;
        zw_text         out;
        zw_text_init(&out, c);
        zw_status status = zw_pool_create(c, &p);
        if (status == ZW_OK) {
            status = zw_scope_create(p, NULL, &scope);
        }
        if (status == ZW_OK) {
            status = zw_scope_add_vector(scope, "r", true);
        }
        if (status == ZW_OK) {
            status = zw_scope_add_hint(scope, "h", "why");
        }
        if (status == ZW_OK) {
            status = zw_expr_parse(scope, "table(r.x, 0, 1, 2, 3) + min(r.y, r.z, 1, 2)*norm(r)/(r.x + 5)", &v, &problem);
        }
        zw_node d = status == ZW_OK ? zw_node_diff(p, v.n[0], 0) : 0;
        if (d) {
            zw_node_print(p, d, &out);
            status = zw_text_status(&out);
        }
        if (d && status == ZW_OK) {
            status = zw_tape_create(c, p, &d, 1, &tape);
        }
        if (d && status == ZW_OK) {
            const double in[6] = {NAN, 1.0, 2.0, 3.0, 4.0, 5.0};
            zw_tape_explain(tape, in, &out);
            status = zw_text_status(&out);
        }
        if (d && status == ZW_OK) {
            successes++;
        } else {
            assert_true(status == ZW_E_MEMORY || (status == ZW_OK && !d));
            failures++;
        }
        zw_text_destroy(&out);
        zw_tape_destroy(tape);
        zw_scope_destroy(scope);
        zw_pool_destroy(p);
        zw_context_destroy(c);
    }
    assert_int_equal(successes, 1);
    assert_true(failures > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one_node),
        cmocka_unit_test(folding_stops_at_results_that_are_not_finite),
        cmocka_unit_test(long_sums_are_parsed_differentiated_printed_and_run),
        cmocka_unit_test(nesting_is_bounded_at_200),
        cmocka_unit_test(texts_are_bounded_at_one_mebibyte),
        cmocka_unit_test(a_full_pool_says_so),
        cmocka_unit_test(dependence_is_exact_beyond_64_inputs),
        cmocka_unit_test(substitution_gives_the_node_of_the_substituted_text),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
