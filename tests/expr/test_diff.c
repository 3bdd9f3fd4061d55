/* SPDX-License-Identifier: Apache-2.0
 * Derivatives: every function against central differences of order 8 at random points, first and mixed second derivatives; the choices
 * at points without a derivative; known closed forms.
 *
 * Error of the differences: truncation h^8 f^(9)/630 with h = 2^-7, and rounding about 3 eps |f|/h = 1e-13 |f|. */
#include "fixture.h"

static const struct {
    const char *text;
    double      x0, x1, y0, y1; /* where x and y are drawn from */
} cases[] = {
    {"x + y - 3*x", -2, 2, -2, 2},
    {"x*y*x", -2, 2, -2, 2},
    {"x/y", -2, 2, 1, 3},
    {"-x*y/(1 + x^2)", -2, 2, -2, 2},
    {"x^2 + y^3", -2, 2, -2, 2},
    {"x^-2*y^-1", 1, 3, 1, 3},
    {"x^7 - y^5", -1, 1, -1, 1},
    {"(1 + x/20)^40 + y", -1, 0, -1, 1},
    {"x^2.5*y^0.5", 1, 3, 1, 3},
    {"x^y", 1, 3, -2, 2},
    {"2^(x*y)", -1, 1, -1, 1},
    {"sin(x*y)", -2, 2, -2, 2},
    {"cos(x + y^2)", -2, 2, -1, 1},
    {"tan(x - y)", -0.4, 0.4, -0.4, 0.4},
    {"asin(x*y)", -0.6, 0.6, -0.6, 0.6},
    {"acos(x - y)", -0.3, 0.3, -0.3, 0.3},
    {"atan(x*y)", -1, 1, -1, 1},
    {"atan2(x, y)", 1, 3, 1, 3},
    {"atan2(y, -x)", 1, 3, -3, -1},
    {"sinh(x*y)", -1, 1, -1, 1},
    {"cosh(x - y)", -1, 1, -1, 1},
    {"tanh(x + y)", -1, 1, -1, 1},
    {"asinh(x*y)", -1, 1, -1, 1},
    {"acosh(x + y)", 1, 2, 1, 2},
    {"atanh(x*y)", -0.5, 0.5, -0.5, 0.5},
    {"exp(x*y)", -1, 1, -1, 1},
    {"log(x + y)", 1, 2, 1, 2},
    {"log10(x*y)", 1, 3, 1, 3},
    {"sqrt(x + y)", 1, 2, 1, 2},
    {"cbrt(x*y)", 1, 2, 1, 2},
    {"abs(x)*y", -3, -1, -1, 1},
    {"abs(x - y)", 2, 3, -1, 1},
    {"x*sign(y)", -1, 1, 1, 2},
    {"floor(x)*y + ceil(x)*y^2", 1.1, 1.9, -1, 1},
    {"mod(x, y)", 7.2, 7.8, 2.95, 3.05},
    {"mod(x*y, 10)", 1, 2, 1, 2},
    {"pow(x, y)", 1, 3, -1, 1},
    {"hypot(x, y)", 1, 3, -3, 3},
    {"erf(x*y)", -1, 1, -1, 1},
    {"min(x, y)*x", 0, 1, 1.2, 2},
    {"max(x, y, 0)*x", 0, 1, 1.2, 2},
    {"clamp(x, 0, 1)*y", 0.1, 0.9, -1, 1},
    {"clamp(x, 0, 1)*y", 1.1, 1.9, -1, 1},
    {"step(x)*y^2", 0.5, 1, -1, 1},
    {"if(x < y, x*y, x^2)", 0, 1, 1.2, 2},
    {"if(x > y, x*y, sin(x*y))", 0, 1, 1.2, 2},
    {"(x < y)*x + (x <= y and not y < 0 or x == 2)*y + (x != y)", 0, 1, 1.2, 2},
    {"table(x, 0, 1, 2, 5, 3, -1)*y", 0.1, 1.9, -1, 1},
    {"table(x*y, 0, 1, 2, 5, 3, -1)", 1.5, 1.6, 1.5, 1.6},
    {"table(x, 0, y, y + 2, 5)", 0.2, 1, -1, 1},
    {"norm([x, y, 2])", -1, 1, -1, 1},
    {"unit([x, y, 2]).x + unit([x, y, 1]).z", -1, 1, -1, 1},
    {"dot([x, y, x*y], cross([y, x, 1], [1, x, y^2]))", -1, 1, -1, 1},
};

static double at(const zw_tape *t, double *work, double x, double y) {
    double in[FIXTURE_INPUTS], out;
    memcpy(in, fixture_in, sizeof in);
    in[0] = x;
    in[1] = y;
    zw_tape_eval(t, in, work, &out);
    return out;
}

/* |exact - difference|/(1 + |exact|) of the derivative d of f by x (slot 0) or y (slot 1) */
static double difference_error(fixture *f, zw_node n, zw_node d, int slot, double x, double y) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double        h = 1.0 / 128.0;
    zw_tape            *tn, *td;
    assert_int_equal(zw_tape_create(f->context, f->pool, &n, 1, &tn), ZW_OK);
    assert_int_equal(zw_tape_create(f->context, f->pool, &d, 1, &td), ZW_OK);
    int     room = zw_tape_work(tn) > zw_tape_work(td) ? zw_tape_work(tn) : zw_tape_work(td);
    double *work = malloc(sizeof *work * ((size_t)room + 1));
    assert_non_null(work);
    double exact = at(td, work, x, y), sum = 0.0;
    for (int k = 1; k <= 4; k++) {
        double dx = slot == 0 ? k * h : 0.0, dy = slot == 1 ? k * h : 0.0;
        sum += weight[k - 1] * (at(tn, work, x + dx, y + dy) - at(tn, work, x - dx, y - dy));
    }
    free(work);
    zw_tape_destroy(tn);
    zw_tape_destroy(td);
    assert_true(isfinite(exact) && isfinite(sum));
    return fabs(exact - sum / h) / (1.0 + fabs(exact));
}

static void every_function_agrees_with_central_differences(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    fixture_random r = {.state = 3};
    double         worst_first = 0.0, worst_second = 0.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zw_node n = fixture_node(&f, cases[i].text);
        for (int k = 0; k < 8; k++) {
            /* the stencil reaches 4 h = 1/32 beyond the point: keep it inside the range */
            double x = random_between(&r, cases[i].x0 + 0.04, cases[i].x1 - 0.04),
                   y = random_between(&r, cases[i].y0 + 0.04, cases[i].y1 - 0.04);
            for (int slot = 0; slot < 2; slot++) {
                zw_node d = zw_node_diff(f.pool, n, slot);
                worst_first = fmax(worst_first, difference_error(&f, n, d, slot, x, y));
                for (int other = 0; other < 2; other++) {
                    zw_node dd = zw_node_diff(f.pool, d, other);
                    worst_second = fmax(worst_second, difference_error(&f, d, dd, other, x, y));
                }
            }
        }
        if (!(worst_first < 1e-12 && worst_second < 1e-12)) {
            print_error("'%s' or one before it: error %g, second derivative %g\n", cases[i].text, worst_first, worst_second);
        }
    }
    check_below(worst_first, 1e-12, 6.8e-14);
    check_below(worst_second, 1e-12, 8.6e-14);
    fixture_close(&f);
}

static void mixed_second_derivatives_do_not_depend_on_their_order(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    double         worst = 0.0;
    fixture_random r = {.state = 9};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zw_node n = fixture_node(&f, cases[i].text);
        zw_node xy = zw_node_diff(f.pool, zw_node_diff(f.pool, n, 0), 1), yx = zw_node_diff(f.pool, zw_node_diff(f.pool, n, 1), 0);
        double  in[FIXTURE_INPUTS];
        memcpy(in, fixture_in, sizeof in);
        in[0] = random_between(&r, cases[i].x0, cases[i].x1);
        in[1] = random_between(&r, cases[i].y0, cases[i].y1);
        double a = fixture_eval(&f, xy, in), b = fixture_eval(&f, yx, in);
        assert_true(isfinite(a) && isfinite(b));
        worst = fmax(worst, fabs(a - b) / (1.0 + fabs(a)));
    }
    check_below(worst, 1e-14, 1.1e-16);
    fixture_close(&f);
}

static void choices_where_there_is_no_derivative(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double      x, slope;
    } table[] = {
        {"abs(x)", 0.0, 0.0},
        {"step(x)", 0.0, 0.0},
        {"sign(x)", 0.0, 0.0},
        {"floor(x)", 1.0, 0.0},
        {"min(x, 2*x)", 0.0, 1.0}, /* the first argument */
        {"min(2*x, x)", 0.0, 2.0},
        {"max(x, 0)", 0.0, 1.0},
        {"max(0, x)", 0.0, 0.0},
        {"clamp(x, 0, 1)", 0.0, 1.0},
        {"clamp(x, 0, 1)", 1.0, 1.0},
        {"clamp(x, 0, 1)", 1.5, 0.0},
        {"if(x < 0, 3*x, 5*x)", 0.0, 5.0},
        {"if(x <= 0, 3*x, 5*x)", 0.0, 3.0},
        {"table(x, 0, 0, 1, 2, 2, 7)", 0.0, 2.0}, /* to the right */
        {"table(x, 0, 0, 1, 2, 2, 7)", 1.0, 5.0},
        {"table(x, 0, 0, 1, 2, 2, 7)", 2.0, 0.0},
        {"table(x, 0, 0, 1, 2, 2, 7)", -1.0, 0.0},
        {"mod(x, 2)", 2.0, 1.0},
        {"if(x > 0, log(x), x)", -1.0, 1.0}, /* the branch that is not taken is nan */
        {"0^x", 2.0, 0.0},
        {"x^2", 0.0, 0.0},
        {"x^2.5", 0.0, 0.0},
        {"hypot(x, 0)", 3.0, 1.0},
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double in[FIXTURE_INPUTS] = {table[i].x};
        double slope = fixture_eval(&f, zw_node_diff(f.pool, fixture_node(&f, table[i].text), 0), in);
        check_near_at(slope, table[i].slope, 0.0, table[i].text, __FILE__, __LINE__);
    }
    fixture_close(&f);
}

static void derivatives_have_their_known_form(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"x", "1"},
        {"y", "0"},
        {"3*x + 7", "3"},
        {"x^2", "2*x"},
        {"x^3", "3*x^2"},
        {"sin(x)", "cos(x)"},
        {"cos(x)", "-sin(x)"},
        {"exp(x)", "exp(x)"},
        {"log(x)", "1/x"},
        {"sqrt(x)", "0.5/sqrt(x)"},
        {"1/x", "-1/x/x"},
        {"x*y", "y"},
        {"x/y", "1/y"},
        {"table(x, 0, 1, 2, 3)", "table_slope(x, 0, 1, 2, 3)"},
        {"abs(x)", "sign(x)"},
        {"sin(y)*t", "0"},
        {"sinh(x)", "cosh(x)"},
        {"-x", "-1"},
        {"log(2*x)", "2/(2*x)"},
        {"x^-32", "-32*x^-33"}, /* beyond the powers that are products */
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        zw_node d = zw_node_diff(f.pool, fixture_node(&f, table[i][0]), 0);
        if (d != fixture_node(&f, table[i][1])) {
            zw_text out;
            zw_text_init(&out, f.context);
            zw_node_print(f.pool, d, &out);
            print_error("d/dx %s is %s, not %s\n", table[i][0], out.s, table[i][1]);
            zw_text_destroy(&out);
            fail();
        }
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_agrees_with_central_differences),
        cmocka_unit_test(mixed_second_derivatives_do_not_depend_on_their_order),
        cmocka_unit_test(choices_where_there_is_no_derivative),
        cmocka_unit_test(derivatives_have_their_known_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
