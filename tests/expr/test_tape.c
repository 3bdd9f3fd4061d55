/* SPDX-License-Identifier: Apache-2.0
 * The tape against a direct recursive evaluation written a second time here; explanations of results that are not finite. */
#include "fixture.h"

static double direct_power(double a, int k) {
    double r = 1.0, base = a;
    for (int n = abs(k); n > 0; n /= 2) {
        r = n % 2 ? r * base : r;
        base *= base;
    }
    return k < 0 ? 1.0 / r : r;
}

static double direct_table(const zw_pool *p, int table, double x, bool slope) {
    const zw_expr_table *t = &p->dag.table[table];
    const double        *k = p->dag.knots + t->first;
    if (isnan(x)) {
        return x;
    }
    if (x < k[0]) {
        return slope ? 0.0 : k[1];
    }
    for (int i = 0; i + 1 < t->points; i++, k += 2) {
        if (x < k[2]) {
            return slope ? (k[3] - k[1]) / (k[2] - k[0]) : k[1] + (k[3] - k[1]) * ((x - k[0]) / (k[2] - k[0]));
        }
    }
    return slope ? 0.0 : k[1];
}

static double direct(const zw_pool *p, zw_node n, const double *in) {
    const zw_expr_node *e = &p->dag.node[n];
    if (e->op == ZW_OP_CONSTANT) {
        return e->value;
    }
    if (e->op == ZW_OP_INPUT) {
        return in[e->a];
    }
    int    arity = zw_op_arity(e->op);
    double a = direct(p, e->a, in), b = arity > 1 ? direct(p, e->b, in) : 0.0;
    switch (e->op) {
    case ZW_OP_NEG: return -a;
    case ZW_OP_NOT: return a == 0.0;
    case ZW_OP_SIN: return sin(a);
    case ZW_OP_COS: return cos(a);
    case ZW_OP_TAN: return tan(a);
    case ZW_OP_ASIN: return asin(a);
    case ZW_OP_ACOS: return acos(a);
    case ZW_OP_ATAN: return atan(a);
    case ZW_OP_SINH: return sinh(a);
    case ZW_OP_COSH: return cosh(a);
    case ZW_OP_TANH: return tanh(a);
    case ZW_OP_ASINH: return asinh(a);
    case ZW_OP_ACOSH: return acosh(a);
    case ZW_OP_ATANH: return atanh(a);
    case ZW_OP_EXP: return exp(a);
    case ZW_OP_LOG: return log(a);
    case ZW_OP_LOG10: return log10(a);
    case ZW_OP_SQRT: return sqrt(a);
    case ZW_OP_CBRT: return cbrt(a);
    case ZW_OP_ABS: return fabs(a);
    case ZW_OP_SIGN: return isnan(a) ? a : (double)((a > 0.0) - (a < 0.0));
    case ZW_OP_FLOOR: return floor(a);
    case ZW_OP_CEIL: return ceil(a);
    case ZW_OP_ERF: return erf(a);
    case ZW_OP_STEP: return isnan(a) ? a : a == 0.0 ? 0.5 : a > 0.0;
    case ZW_OP_ADD: return a + b;
    case ZW_OP_SUB: return a - b;
    case ZW_OP_MUL: return a * b;
    case ZW_OP_DIV: return a / b;
    case ZW_OP_POW: return pow(a, b);
    case ZW_OP_LT: return a < b;
    case ZW_OP_LE: return a <= b;
    case ZW_OP_EQ: return a == b;
    case ZW_OP_NE: return a != b;
    case ZW_OP_AND: return a != 0.0 && b != 0.0;
    case ZW_OP_OR: return a != 0.0 || b != 0.0;
    case ZW_OP_MIN: return isnan(a) || isnan(b) ? NAN : b < a ? b : a;
    case ZW_OP_MAX: return isnan(a) || isnan(b) ? NAN : b > a ? b : a;
    case ZW_OP_ATAN2: return atan2(a, b);
    case ZW_OP_HYPOT: return hypot(a, b);
    case ZW_OP_MOD: {
        double r = fmod(a, b);
        return (r > 0.0 && b < 0.0) || (r < 0.0 && b > 0.0) ? r + b : r;
    }
    case ZW_OP_POWI: return direct_power(a, e->b);
    case ZW_OP_TABLE: return direct_table(p, e->b, a, false);
    case ZW_OP_SLOPE: return direct_table(p, e->b, a, true);
    case ZW_OP_IF: return isnan(a) ? a : a != 0.0 ? b : direct(p, e->c, in);
    default: fail(); return 0.0;
    }
}

/* same bits; a nan is a nan whatever its bits are */
static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static zw_node random_node(fixture *f, fixture_random *r, const zw_node *have, int n) {
    /* recent nodes more often: the DAG becomes deep, and old ones are still read much later */
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
        double knots[10];
        int    points = 2 + random_below(r, 4);
        for (int i = 0; i < points; i++) {
            knots[2 * i] = i - 1.0 + random_between(r, 0.0, 0.9);
            knots[2 * i + 1] = random_between(r, -2.0, 2.0);
        }
        return zw_node_build(f->pool, op, pick[0], zw_pool_table(f->pool, knots, points), 0);
    }
    return zw_node_build(f->pool, op, pick[0], pick[1], pick[2]);
}

enum { NODES = 26 };

static void tape_gives_the_bits_of_direct_evaluation(void **state) {
    (void)state;
    fixture_random r = {.state = 11};
    int            finite = 0, all = 0;
    for (int round = 0; round < 400; round++) {
        fixture f;
        fixture_open(&f);
        zw_node have[NODES];
        for (int i = 0; i < 5; i++) {
            have[i] = zw_node_input(f.pool, i);
        }
        have[5] = zw_node_constant(f.pool, random_between(&r, -3.0, 3.0));
        for (int i = 6; i < NODES; i++) {
            have[i] = random_node(&f, &r, have, i);
            assert_int_not_equal(have[i], 0);
        }
        zw_tape *t;
        assert_int_equal(zw_tape_create(f.context, f.pool, have, NODES, &t), ZW_OK);
        double *work = malloc(sizeof *work * (size_t)zw_tape_work(t)); /* of exactly this size: the sanitizer sees a step beyond */
        assert_non_null(work);
        for (int k = 0; k < 4; k++) {
            double in[FIXTURE_INPUTS] = {0}, out[NODES];
            for (int i = 0; i < 5; i++) {
                in[i] = random_below(&r, 8) ? random_between(&r, -2.0, 2.0) : 0.0;
            }
            zw_tape_eval(t, in, work, out);
            for (int i = 0; i < NODES; i++) {
                double expected = direct(f.pool, have[i], in);
                assert_true(same(out[i], expected));
                finite += isfinite(expected) != 0;
                all++;
            }
        }
        free(work);
        zw_tape_destroy(t);
        fixture_close(&f);
    }
    assert_true(finite > all / 2);
}

static void folded_constants_have_the_bits_of_the_tape(void **state) {
    (void)state;
    /* the same DAG with inputs, and with the inputs replaced by constants */
    fixture_random r = {.state = 12};
    int            folded = 0;
    for (int round = 0; round < 400; round++) {
        fixture f;
        fixture_open(&f);
        zw_node have[NODES];
        double  in[FIXTURE_INPUTS] = {0};
        for (int i = 0; i < 5; i++) {
            have[i] = zw_node_input(f.pool, i);
            in[i] = random_between(&r, -2.0, 2.0);
        }
        have[5] = zw_node_constant(f.pool, 0.7);
        for (int i = 6; i < NODES; i++) {
            have[i] = random_node(&f, &r, have, i);
        }
        zw_node n = have[NODES - 1];
        double  expected = fixture_eval(&f, n, in);
        for (int i = 0; i < 5; i++) {
            n = zw_node_substitute(f.pool, n, i, zw_node_constant(f.pool, in[i]));
        }
        double value;
        if (zw_node_is_constant(f.pool, n, &value)) {
            folded++;
            assert_true(value == expected || (value == 0.0 && expected == 0.0)); /* the sign of a zero may change: x + 0 is x */
        } else {
            assert_true(same(fixture_eval(&f, n, in), expected));
        }
        fixture_close(&f);
    }
    assert_true(folded > 200);
}

static void tape_outlives_its_pool_and_knows_its_inputs(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node  roots[3] = {fixture_node(&f, "table(x, 0, 1, 1, 2)*L + 3"), fixture_node(&f, "L"), fixture_node(&f, "4")};
    zw_tape *t;
    assert_int_equal(zw_tape_create(f.context, f.pool, roots, 3, &t), ZW_OK);
    zw_scope_destroy(f.scope);
    zw_scope_destroy(f.outer);
    zw_pool_destroy(f.pool);
    assert_true(zw_tape_uses(t, 0) && zw_tape_uses(t, 4));
    assert_false(zw_tape_uses(t, 1) || zw_tape_uses(t, 99) || zw_tape_uses(t, -1));
    double work[32], out[3];
    assert_in_range(zw_tape_work(t), 1, 32);
    zw_tape_eval(t, fixture_in, work, out);
    assert_true(out[0] == 9.0 && out[1] == 4.0 && out[2] == 4.0);
    zw_tape *none;
    zw_tape_destroy(t);
    zw_tape_destroy(NULL);
    assert_int_equal(zw_pool_create(f.context, &f.pool), ZW_OK);
    assert_int_equal(zw_tape_create(f.context, f.pool, NULL, 0, &none), ZW_OK);
    zw_tape_eval(none, NULL, work, out);
    zw_tape_destroy(none);
    zw_node zero = 0;
    assert_int_equal(zw_tape_create(f.context, f.pool, &zero, 1, &none), ZW_E_ARG);
    assert_null(none);
    zw_pool_destroy(f.pool);
    zw_context_destroy(f.context);
}

static void explain_is(fixture *f, const char *text, const double *in, const char *expected) {
    zw_node  n = fixture_node(f, text);
    zw_tape *t;
    zw_text  out;
    zw_text_init(&out, f->context);
    assert_int_equal(zw_tape_create(f->context, f->pool, &n, 1, &t), ZW_OK);
    zw_tape_explain(t, in, &out);
    assert_int_equal(zw_text_status(&out), ZW_OK);
    assert_string_equal(out.s, expected);
    zw_text_destroy(&out);
    zw_tape_destroy(t);
}

static void explanations_name_the_first_operation_at_fault(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    double in[FIXTURE_INPUTS] = {1.0, 2.0, 3.0, 0.0, 4.0};
    double bad[FIXTURE_INPUTS] = {NAN, 2.0};
    /* the C library decides the sign of a nan; the text does not show it */
    explain_is(&f, "3 + y*log(x - 2)", in, "log(x - 2) with x = 1 gives nan");
    explain_is(&f, "sin(1/s) + 2", in, "1/s with s = 0 gives inf");
    explain_is(&f, "x/(y - 2)", in, "x/(y - 2) with x = 1, y = 2 gives inf");
    explain_is(&f, "1/0 + x", in, "1/0 gives inf");
    explain_is(&f, "sqrt(x - y)*exp(1000*y)", in, "sqrt(x - y) with x = 1, y = 2 gives nan");
    explain_is(&f, "if(x > 2, log(-x), sqrt(-y))", in, "sqrt(-y) with y = 2 gives nan");
    explain_is(&f, "if(s > 0, 1/s, 2) + asin(y)", in, "asin(y) with y = 2 gives nan");
    explain_is(&f, "if(s > 0, 1/s, 2)", in, "every result is finite");
    explain_is(&f, "x + y", bad, "x is nan");
    explain_is(&f, "(x + t)^-3 - s^-2", in, "s^-2 with s = 0 gives inf");
    explain_is(&f,
               "2*log(x - 1 - (y*(x*t)^2 + y*(x*t + 1)^2 + y*(x*t + 2)^2 + y*(x*t + 3)^2 + "
               "y*(x*t + 4)^2 + y*(x*t + 5)^2 + L*x^4 + L*t^4 + L*t^5 + L*t^6))",
               in, "log of [x - 1 - (y*(x*t)^2 + y*(x*t + 1)^2 + y*(x... = -4614] with x = 1, y = 2, t = 3, L = 4 gives nan");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tape_gives_the_bits_of_direct_evaluation),
        cmocka_unit_test(folded_constants_have_the_bits_of_the_tape),
        cmocka_unit_test(tape_outlives_its_pool_and_knows_its_inputs),
        cmocka_unit_test(explanations_name_the_first_operation_at_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
