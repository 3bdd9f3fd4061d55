/* SPDX-License-Identifier: Apache-2.0
 * test_interval_known.c: enclosures and slopes with known ends, the cases in which a function is not smooth or not defined among them; how
 * wide one operation on points is. */
#include "boxed.h"

typedef struct expected {
    const char *text;
    double      x0, x1, lo, hi; /* of the value, or of the slope along x, up to a few places */
} expected;

static int64_t place(double x) {
    int64_t i;
    memcpy(&i, &x, sizeof i);
    return i < 0 ? INT64_MIN - i : i;
}

static void check_enclosure(const char *text, zw_interval got, double lo, double hi) {
    bool low = got.lo == lo || (got.lo <= lo && place(lo) - place(got.lo) <= 12);
    bool high = got.hi == hi || (got.hi >= hi && place(got.hi) - place(hi) <= 12);
    bool wide = fabs(got.lo - lo) < 1e-300 && fabs(got.hi - hi) < 1e-300; /* around 0 places are small */
    if (!(low && high) && !wide) {
        print_error("'%s': [%.17g, %.17g], expected [%.17g, %.17g]\n", text, got.lo, got.hi, lo, hi);
        fail();
    }
}

#define WHOLE -INFINITY, INFINITY
static const double pi = 3.14159265358979323846;

static void known_enclosures(void **state) {
    (void)state;
    const expected table[] = {
        {"x^2", -1, 2, 0, 4},
        {"x^3", -1, 2, -1, 8},
        {"x^-2", 1, 2, 0.25, 1},
        {"x^-2", -1, 2, WHOLE},
        {"x^-3", -2, -1, -1, -0.125},
        {"x*x - x", 0, 1, -1, 1}, /* each x for itself */
        {"1/x", 2, 4, 0.25, 0.5},
        {"1/x", 0, 4, WHOLE},
        {"1/x", -1, 4, WHOLE},
        {"sin(x)", 0, 1, 0, 0.8414709848078965},
        {"sin(x)", 1, 2, 0.8414709848078965, 1},
        {"sin(x)", -2, 2, -1, 1},
        {"sin(x)", 4, 5, -1, -0.7568024953079282},
        {"sin(x)", 1e10, 1e10 + 1, -1, 1},
        {"sin(x)", 1e10, 1e10, -0.48750602508751067, -0.48750602508751067},
        {"cos(x)", -1, 2, -0.4161468365471424, 1},
        {"cos(x)", 3, 4, -1, -0.6536436208636119},
        {"cos(x)", 1, 2, -0.4161468365471424, 0.5403023058681398},
        {"tan(x)", -1, 1, -1.5574077246549022, 1.5574077246549022},
        {"tan(x)", 1, 2, WHOLE},
        {"tan(x)", 2, 4, -2.185039863261519, 1.1578212823495775},
        {"asin(x)", -1, 1, -1.5707963267948966, 1.5707963267948966},
        {"asin(x)", 0, 1.1, WHOLE},
        {"acos(x)", 0, 1, 0, 1.5707963267948966},
        {"log(x)", 1, 2, 0, 0.6931471805599453},
        {"log(x)", 0, 2, WHOLE},
        {"sin(log(x))", -1, 2, WHOLE}, /* not defined stays so */
        {"0*log(x)", -1, 2, WHOLE},
        {"if(x > 0, log(x), x)", 1, 2, 0, 0.6931471805599453},
        {"if(x > 0, log(x), x)", -2, -1, -2, -1}, /* the other branch is not asked */
        {"if(x > 0, 1, 2)", -1, 1, 1, 2},
        {"sqrt(x)", 0, 4, 0, 2},
        {"sqrt(x)", -1e-9, 4, WHOLE},
        {"exp(x)", 0, 1000, 1, INFINITY},
        {"exp(x)", -1000, 0, 0, 1},
        {"acosh(x)", 1, 2, 0, 1.3169578969248166},
        {"acosh(x)", 0.5, 2, WHOLE},
        {"atanh(x)", 0, 0.5, 0, 0.5493061443340548},
        {"atanh(x)", 0, 1, WHOLE},
        {"cosh(x)", -1, 2, 1, 3.7621956910836314},
        {"abs(x)", -3, 2, 0, 3},
        {"floor(x)", -0.5, 1.5, -1, 1},
        {"ceil(x)", -0.5, 1.5, 0, 2},
        {"sign(x)", 0, 1, 0, 1},
        {"step(x)", -1, 0, 0, 0.5},
        {"mod(x, 3)", 3.5, 5, 0.5, 2},
        {"mod(x, 3)", 2, 4, 0, 3},
        {"mod(x, -3)", 3.5, 5, -2.5, -1},
        {"mod(2, x)", -1, 1, WHOLE},
        {"mod(0.3, 0.1*x)", 1, 1, 0.09999999999999998, 0.09999999999999998},
        {"min(x, 1)", 0, 3, 0, 1},
        {"max(x, 1)", 0, 3, 1, 3},
        {"x < 1", 0, 0.5, 1, 1},
        {"x < 1", 0, 1, 0, 1},
        {"x <= 1", 0, 1, 1, 1},
        {"x == 1", 1, 1, 1, 1},
        {"x == 1", 0, 1, 0, 1},
        {"x != 1", 2, 3, 1, 1},
        {"x > 0 and x < 5", 1, 2, 1, 1},
        {"x > 0 or x < 5", -1, 2, 1, 1},
        {"not x", -1, 2, 0, 1},
        {"2^x", -1, 2, 0.5, 4},
        {"x^2.5", 0, 4, 0, 32},
        {"x^2.5", -1, 4, WHOLE},
        {"x^-0.25", 0, 1, WHOLE},
        {"x^33", -1.0625, 1, -7.393583429544983, 1},
        {"x^34", -1, 1, 0, 1},
        {"atan2(x, -1)", 0.5, 1, 2.356194490192345, 2.677945044588987},
        {"atan2(x, -1)", -1, 1, -pi, pi},
        {"atan2(x, 1)", -1, 1, -0.7853981633974483, 0.7853981633974483},
        {"atan2(1, x)", -1, 1, 0.7853981633974483, 2.356194490192345},
        {"hypot(x, 4)", -3, 2, 4, 5},
        {"erf(x)", 0, 30, 0, 1},
        {"table(x, 0, 1, 1, 3, 2, 0)", 0.5, 1.5, 1.5, 3},
        {"table(x, 0, 1, 1, 3, 2, 0)", -5, 0, 1, 1},
        {"table_slope(x, 0, 1, 1, 3, 2, 0)", 0.5, 1.5, -3, 2},
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        boxed       b;
        zw_interval in[FIXTURE_INPUTS] = {{table[i].x0, table[i].x1}};
        box_open(&f, &b, fixture_node(&f, table[i].text));
        check_enclosure(table[i].text, box_value(&b, in), table[i].lo, table[i].hi);
        zw_tape_destroy(b.tape);
    }
    boxed       b;
    zw_interval odd[FIXTURE_INPUTS] = {{2.0, 1.0}}; /* not a box */
    box_open(&f, &b, fixture_node(&f, "x + 1"));
    assert_true(zw_interval_is_whole(box_value(&b, odd)));
    odd[0].lo = (double)NAN;
    assert_true(zw_interval_is_whole(box_value(&b, odd)));
    zw_tape_destroy(b.tape);
    fixture_close(&f);
}

static void known_slopes(void **state) {
    (void)state;
    const expected table[] = {
        {"x^2", -1, 2, -2, 4},
        {"y^2", -1, 2, 0, 0}, /* does not move */
        {"abs(x)", -1, 2, -1, 1},
        {"abs(x)", 0, 2, -1, 1},
        {"abs(x)", 1, 2, 1, 1},
        {"max(x, 3*x)", -1, 1, 1, 3},
        {"min(x, 5)", 0, 1, 1, 1},
        {"step(x)", -1, 1, WHOLE},
        {"step(x)", 0, 1, WHOLE},
        {"step(x)", 0.5, 1, 0, 0},
        {"step(y)", -1, 1, 0, 0},
        {"sign(x)*x", 1, 2, 1, 1},
        {"floor(x)", 0.25, 0.5, 0, 0},
        {"floor(x)", 0.25, 1, WHOLE},
        {"mod(x, 3)", 3.5, 5, 1, 1},
        {"mod(x, 3)", 2, 4, WHOLE},
        {"if(x > 0, x, 2*x)", -1, 1, WHOLE},
        {"if(x > 0, x, 2*x)", 1, 2, 1, 1},
        {"if(y > 0, x, 2*x)", 1, 2, 1, 2}, /* the condition does not move: one or the other */
        {"x < 1", 0, 1, WHOLE},
        {"x < 1 or y < 7", 0, 1, 0, 0},
        {"x < 1 and y > 7", 0, 1, 0, 0},
        {"table(x, 0, 1, 1, 3, 2, 0)", 0.5, 1.5, -3, 2},
        {"table(x, 0, 1, 1, 3, 2, 0)", 1, 1.5, -3, 2}, /* from the left too */
        {"table_slope(x, 0, 1, 1, 3, 2, 0)", 0.5, 1.5, WHOLE},
        {"table_slope(x, 0, 1, 1, 3, 2, 0)", 0.5, 0.75, 0, 0},
        {"atan2(x, -1)", -1, 1, WHOLE},
        {"atan2(x, 2)", -1, 1, 0.4, 0.5},
        {"hypot(x, 0*y)", -1, 1, -1, 1},
        {"sqrt(x)", 0, 1, WHOLE},
        {"sqrt(x)", 1, 4, 0.25, 0.5},
        {"log(x)*y", 1, 2, -2.5, 0 /* y in [-2.5, 0] */},
        {"log(y)", 1, 2, 0, 0}, /* not defined, but it does not move */
        {"sin(x)", 0, 1, 0.5403023058681398, 1},
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        boxed       b;
        zw_interval in[FIXTURE_INPUTS] = {{table[i].x0, table[i].x1}, {-2.5, 0.0}}, din[FIXTURE_INPUTS] = {{1.0, 1.0}}, out, slope;
        if (strstr(table[i].text, "y > 0")) {
            in[1] = (zw_interval){-1.0, 1.0};
        }
        box_open(&f, &b, fixture_node(&f, table[i].text));
        zw_tape_eval_interval_slope(b.tape, in, din, b.room, &out, &slope);
        check_enclosure(table[i].text, slope, table[i].lo, table[i].hi);
        zw_tape_destroy(b.tape);
    }
    fixture_close(&f);
}

/* width of f over a point, in places */
static void points_give_a_few_places(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double      x0, x1;
        int         places;
    } table[] = {
        {"x + 0.1", 1, 2, 1},
        {"x - 0.1", 1, 2, 1},
        {"x*0.1", -2, 2, 1},
        {"x/3", -2, 2, 1},
        {"3/x", 1, 2, 1},
        {"sqrt(x)", 0.1, 9, 1},
        {"-x", -1, 1, 0},
        {"abs(x)", -1, 1, 0},
        {"x^2", -2, 2, 1},
        {"x^5", -2, 2, 8},
        {"x^-2", 1, 2, 3},
        {"sin(x)", -99, 99, 8},
        {"cos(x)", -99, 99, 8},
        {"tan(x)", -99, 99, 8},
        {"asin(x)", -1, 1, 8},
        {"acos(x)", -1, 0.9, 8},
        {"atan(x)", -9, 9, 8},
        {"sinh(x)", -9, 9, 8},
        {"cosh(x)", -9, 9, 8},
        {"tanh(x)", -9, 9, 8},
        {"asinh(x)", -9, 9, 8},
        {"acosh(x)", 1, 9, 8},
        {"atanh(x)", -0.9, 1, 8},
        {"exp(x)", -99, 99, 8},
        {"log(x)", 0.1, 99, 8},
        {"log10(x)", 0.1, 99, 8},
        {"cbrt(x)", -9, 9, 16},
        {"erf(x)", -3, 3, 8},
        {"floor(x)", -9, 9, 0},
        {"ceil(x)", -9, 9, 0},
        {"step(x)", -9, 9, 0},
        {"sign(x)", -9, 9, 0},
        {"mod(x, 0.7)", -9, 9, 2},
        {"x^2.5", 0.1, 9, 8},
        {"2.5^x", -9, 9, 8},
        {"atan2(x, 2)", -9, 9, 8},
        {"hypot(x, 2)", -9, 9, 8},
        {"min(x, 0)", -9, 9, 0},
        {"max(x, 0)", -9, 9, 0},
        {"x < 1", -9, 9, 0},
        {"x <= 1", -9, 9, 0},
        {"if(x < 1, x, -x)", -9, 9, 0},
        {"table(x, 0, 1, 1, 3, 2, 1)", 0.01, 1.99, 6},
        {"table_slope(x, 0, 1, 0.3, 2)", -1, 2, 4},
    };
    fixture_random r = {.state = 8};
    fixture        f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        boxed b;
        box_open(&f, &b, fixture_node(&f, table[i].text));
        int64_t worst = 0;
        for (int k = 0; k < 200; k++) {
            zw_interval in[FIXTURE_INPUTS] = {{0}};
            in[0] = zw_interval_point(random_between(&r, table[i].x0, table[i].x1));
            zw_interval out = box_value(&b, in);
            int64_t     width = place(out.hi) - place(out.lo);
            worst = width > worst ? width : worst;
        }
        if (worst > table[i].places) {
            print_error("'%s': %ld places, expected %d\n", table[i].text, (long)worst, table[i].places);
        }
        assert_true(worst <= table[i].places);
        zw_tape_destroy(b.tape);
    }
    fixture_close(&f);
}

/* ends are the best doubles: the exact result is between them, and no double is */
static void arithmetic_is_rounded_to_the_next_double(void **state) {
    (void)state;
    fixture_random r = {.state = 2};
    for (int k = 0; k < 20000; k++) {
        double x = ldexp(random_between(&r, -1, 1), random_below(&r, 80) - 40),
               y = ldexp(random_between(&r, -1, 1), random_below(&r, 80) - 40);
        zw_interval a = zw_interval_point(x), b = zw_interval_point(y), v[4];
        long double exact[4] = {(long double)x + y, (long double)x * y, (long double)x / y, sqrtl(fabsl((long double)x))};
        v[0] = zw_interval_add(a, b);
        v[1] = zw_interval_mul(a, b);
        v[2] = zw_interval_div(a, b);
        v[3] = zw_interval_sqrt(zw_interval_abs(a));
        for (int i = 0; i < 4; i++) {
            assert_true(v[i].lo <= (double)exact[i] && (double)exact[i] <= v[i].hi);
            assert_true(place(v[i].hi) - place(v[i].lo) <= 1);
            assert_true(v[i].lo <= exact[i] && exact[i] <= v[i].hi);
        }
    }
    zw_interval big = zw_interval_point(DBL_MAX), small = zw_interval_point(DBL_TRUE_MIN), inf = {1.0, INFINITY}, v;
    v = zw_interval_add(big, big);
    assert_true(v.lo == DBL_MAX && v.hi == INFINITY);
    v = zw_interval_mul(big, zw_interval_neg(big));
    assert_true(v.lo == -INFINITY && v.hi == -DBL_MAX);
    v = zw_interval_mul(small, small);
    assert_true(v.lo <= 0.0 && v.hi >= DBL_TRUE_MIN);
    v = zw_interval_div(inf, inf);
    assert_true(v.lo == 0.0 && v.hi == INFINITY);
    v = zw_interval_mul(zw_interval_point(0.0), inf);
    assert_true(zw_interval_is_zero(v));
    v = zw_interval_sub(inf, inf);
    assert_true(zw_interval_is_whole(v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_rounded_to_the_next_double),
        cmocka_unit_test(known_enclosures),
        cmocka_unit_test(known_slopes),
        cmocka_unit_test(points_give_a_few_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
