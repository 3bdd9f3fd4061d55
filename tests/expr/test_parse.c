/* SPDX-License-Identifier: Apache-2.0
 * What texts mean and, for texts that mean nothing, where and why. Values are compared with the C expression beside them. */
#include "fixture.h"

/* the inputs of the fixture by name */
#define X  0.5
#define Y  (-1.5)
#define T  2.0
#define S  0.25
#define L_ 4.0

static const struct {
    const char *text;
    double      value;
} good[] = {
    {"1", 1.0},
    {" 2.5e-3 ", 2.5e-3},
    {".5", 0.5},
    {"3.", 3.0},
    {"1E3", 1000.0},
    {"pi", 3.14159265358979323846},
    {"e", 2.71828182845904523536},
    {"x", X},
    {"+x", X},
    {"-x", -X},
    {"--x", X},
    {"x+y", X + Y},
    {"x - y - t", X - Y - T},
    {"x - (y - t)", X - (Y - T)},
    {"x*y/t", X *Y / T},
    {"x/y*t", X / Y *T},
    {"x/(y*t)", X / (Y * T)},
    {"2 + 3*4", 14.0},
    {"(2 + 3)*4", 20.0},
    {"-x^2", -(X *X)},
    {"(-x)^2", X *X},
    {"2^3^2", 512.0},
    {"(2^3)^2", 64.0},
    {"2^-2", 0.25},
    {"t^0.5", 1.4142135623730951},
    {"x^3", X *X *X},
    {"x^0", 1.0},
    {"x^-1", 1.0 / X},
    {"-2^2", -4.0},
    {"2^-x^2", 0.8408964152537145},
    {"1 < 2", 1.0},
    {"2 <= 1", 0.0},
    {"x > y", 1.0},
    {"x >= y", 1.0},
    {"x == 0.5", 1.0},
    {"x != 0.5", 0.0},
    {"x > 0 and y > 0", 0.0},
    {"x > 0 or y > 0", 1.0},
    {"not x > 0", 0.0},
    {"not not x", 1.0},
    {"1 or 0 and 0", 1.0},
    {"2 + 1 > 2 and 1", 1.0},
    {"sin(0)", 0.0},
    {"cos(0) + tan(0)", 1.0},
    {"asin(1) + acos(1)", 1.5707963267948966},
    {"atan2(1, -1)", 2.356194490192345},
    {"atan(1)*4", 3.14159265358979323846},
    {"exp(0) + log(e)", 2.0},
    {"log10(1000)", 3.0},
    {"sqrt(16) + cbrt(27)", 7.0},
    {"abs(y)", 1.5},
    {"sign(y) + sign(0) + sign(x)", 0.0},
    {"floor(y)*10 + ceil(y)", -21.0},
    {"mod(7, 3)", 1.0},
    {"mod(-7, 3)", 2.0},
    {"mod(7, -3)", -2.0},
    {"pow(2, 10)", 1024.0},
    {"hypot(3, 4)", 5.0},
    {"min(x, y, t)", Y},
    {"max(x, y, t)", T},
    {"clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(x, 0, 1)", 1.5},
    {"step(-1) + step(0) + step(1)", 1.5},
    {"if(x > 0, 10, 20)", 10.0},
    {"if(x < 0, 10, if(y < 0, 30, 40))", 30.0},
    {"table(x, 0, 0, 1, 10)", 5.0},
    {"table(-3, 0, 1, 1, 10)", 1.0},
    {"table(3, 0, 1, 1, 10, 2, 7)", 7.0},
    {"table(1, 0, 1, 1, 10, 2, 7)", 10.0},
    {"table(x, 0, 0, L, 8)", 1.0},
    {"table_slope(x, 0, 0, L, 8)", 2.0},
    {"table_slope(1, 0, 1, 1, 10, 2, 7)", -3.0},
    {"dot(r, r)", 14.0},
    {"norm([3, 0, 4])", 5.0},
    {"cross([1,0,0], [0,1,0]).z", 1.0},
    {"unit([0, 0, 5]).z", 1.0},
    {"r.x + r.y*10 + r.z*100", 321.0},
    {"kappa.d1 + kappa.d2*10", 5.4},
    {"kappa.y", 0.2},
    {"(2*r - r/2).y", 3.0},
    {"(-r).z", -3.0},
    {"(r + [1, 1, 1]).x", 2.0},
    {"if(x > 0, r, -r).z", 3.0},
    {"[x, y, t] . y", Y},
    {"area/3", L_},
    {"s*L", S *L_},
    {"sinh(0) + cosh(0) + tanh(0) + asinh(0) + acosh(1) + atanh(0) + erf(0)", 1.0},
    {"((((x))))", X},
    {"x\n + y\t", X + Y},
};

static void good_texts_have_their_values(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = fixture_eval(&f, fixture_node(&f, good[i].text), fixture_in);
        check_near_at(value, good[i].value, 2.0 * DBL_EPSILON * fabs(good[i].value), good[i].text, __FILE__, __LINE__); /* measured: 0 */
    }
    assert_true(sizeof good / sizeof good[0] >= 60);
    fixture_close(&f);
}

static const struct {
    const char *text;
    int         col;
    const char *message; /* all of it */
    const char *remedy;  /* must be found in it */
} bad[] = {
    {"", 1, "the expression is empty", "write a number or a formula"},
    {"   ", 1, "the expression is empty", "write a number"},
    {"sinn(x)", 1, "unknown name 'sinn'", "did you mean 'sin'?"},
    {"1 + kapa.x", 5, "unknown name 'kapa'", "did you mean 'kappa'?"},
    {"x + quux", 5, "unknown name 'quux'", "known here: s, L, r, kappa, area, x, y, t, pi, e"},
    {"x*speed", 3, "'speed' cannot be used here: it is known in probes only", "known here: s"},
    {"foobarbaz(2)", 1, "unknown name 'foobarbaz'", "functions: sin, cos"},
    {"sin(x, y)", 1, "sin takes 1 argument, 2 are given", "write sin(x)"},
    {"1 + atan2(x)", 5, "atan2 takes 2 arguments, 1 is given", "atan2(y, x)"},
    {"min(x)", 1, "min takes at least 2 arguments, 1 is given", "min(a, b, ...)"},
    {"cos()", 1, "cos takes 1 argument, 0 are given", "cos(x)"},
    {"clamp(x, 1)", 1, "clamp takes 3 arguments, 2 are given", "clamp(x, low, high)"},
    {"if(x, 1)", 1, "if takes 3 arguments, 2 are given", "if(condition, then, else)"},
    {"table(x, 1, 2)", 1, "table takes at least 5 arguments, 3 are given", "x1,y1"},
    {"table(x, 1, 2, 3, 4, 5)", 1, "table needs x and then pairs of numbers, an odd number of arguments; 6 are given", "x1,y1"},
    {"table(x, 1, 0, 1, 4)", 16, "the x of point 2 of the table, 1, must be greater than the one before it, 1", "increasing"},
    {"sin", 1, "'sin' is a function and needs arguments", "sin(x)"},
    {"x(2)", 1, "'x' is not a function", "write x*(...)"},
    {"(x + 1", 1, "unbalanced parentheses: '(' at column 1 is never closed", "close it"},
    {"sin(x", 4, "unbalanced parentheses: '(' at column 4 is never closed", "close it"},
    {"x + 1)", 6, "unbalanced parentheses: ')' at column 6 has no '('", "delete it"},
    {"2*(x + (y - 1)", 3, "unbalanced parentheses: '(' at column 3 is never closed", "close it"},
    {"[1, 2, 3", 1, "unbalanced brackets: '[' at column 1 is never closed", "close it with ]"},
    {"(1, 2]", 1, "unbalanced parentheses: '(' at column 1 is never closed", "close it with )"},
    {"1]", 2, "unbalanced brackets: ']' at column 2 has no '['", "delete it"},
    {"x +", 4, "the expression ends where a value is expected", "write a number"},
    {"* x", 1, "'*' stands where a value is expected", "write a number"},
    {"x + * y", 5, "'*' stands where a value is expected", "write a number"},
    {"()", 2, "')' stands where a value is expected", "write a number"},
    {"sin(x,)", 7, "')' stands where a value is expected", "write a number"},
    {"x, y", 2, "unexpected ','", "[a, b, c]"},
    {"2x", 2, "an operator is missing between '2' and 'x'", "write 2*x"},
    {"2 x", 3, "an operator is missing between '2' and 'x'", "write 2*x"},
    {"2(x)", 2, "an operator is missing between '2' and '('", "write 2*("},
    {"(x)(y)", 4, "an operator is missing between ')' and '('", "write )*("},
    {"x y", 3, "an operator is missing between 'x' and 'y'", "write x*y"},
    {"(x) 3", 5, "an operator is missing between ')' and '3'", "write )*3"},
    {"x not y", 3, "unexpected 'not'", "write an operator"},
    {"1.2.3", 1, "'1.2.3' is not a number", "1.2e-3"},
    {"x + 1e", 5, "'1e' has an exponent without digits", "1.2e-3"},
    {"1e+", 1, "'1e+' has an exponent without digits", "1.2e-3"},
    {"1e999", 1, "number 1e999 is too large", "1.797e308"},
    {"x*1e-999", 3, "number 1e-999 is too small", "write 0"},
    {"x \xe2\x88\x92 y", 3, "character '\xe2\x88\x92' cannot be used in an expression", "write - for minus"},
    {"2*\xcf\x80", 3, "character '\xcf\x80' cannot be used in an expression", "write pi"},
    {"\xc3\xa9t", 1, "character '\xc3\xa9' cannot be used in an expression", "a-z"},
    {"x\xff", 2, "unexpected byte 0xff", "UTF-8"},
    {"x $ y", 3, "unexpected character '$'", "allowed"},
    {"x & y", 3, "unexpected character '&'", "write and"},
    {"x || y", 3, "unexpected character '|'", "write or"},
    {"!x", 1, "unexpected character '!'", "write not"},
    {"x % 2", 3, "unexpected character '%'", "mod(a, b)"},
    {"x\a", 2, "unexpected control character with code 7", "delete"},
    {"x**2", 2, "'**' is not an operator", "write ^"},
    {"0 < x < 1", 7, "comparisons cannot be chained", "write a < b and b < c"},
    {"x = 1", 3, "'=' is not an operator of an expression", "write =="},
    {"x + r", 3, "a scalar and a vector cannot be added", "[a, b, c]"},
    {"r - 1", 3, "a vector and a scalar cannot be subtracted", "v.x"},
    {"r*r", 2, "two vectors cannot be multiplied with '*'", "dot(v, w) or cross(v, w)"},
    {"1/r", 2, "nothing can be divided by a vector", "norm(v)"},
    {"r^2", 2, "a vector has no powers", "dot(v, v)"},
    {"r < 1", 3, "'<' is for scalars, not for vectors", "norm(v)"},
    {"not r", 1, "'not' is for scalars, not for vectors", "norm(v)"},
    {"x and r", 3, "'and' is for scalars, not for vectors", "norm(v)"},
    {"sin(r)", 5, "argument 1 of sin must be a scalar, this is a vector", "norm(v)"},
    {"max(1, 2*r)", 8, "argument 2 of max must be a scalar, this is a vector", "norm(v)"},
    {"norm(x)", 6, "argument 1 of norm must be a vector, this is a scalar", "[a, b, c]"},
    {"dot(r, 2)", 8, "argument 2 of dot must be a vector, this is a scalar", "[a, b, c]"},
    {"if(x, r, 1)", 10, "the branches of if differ: a vector and a scalar", "same width"},
    {"[1, 2]", 1, "a vector has 3 components, this one has 2", "[a, b, c]"},
    {"[1, r, 3]", 5, "component 2 of a vector must be a scalar, this is a vector", "v.x"},
    {"r.w", 3, "a vector has no component 'w'", ".x .y .z"},
    {"r.d1", 3, "this vector has no directors", ".x .y .z"},
    {"kappa.d4", 7, "a vector has no component 'd4'", ".d1 .d2 .d3"},
    {"x.y", 3, "a scalar has no component 'y'", "only vectors"},
    {"r.", 3, "a component is missing after '.'", ".x .y .z"},
    {"x 'y'", 3, "unexpected character '''", "quotes"},
};

static void bad_texts_are_refused_with_column_message_and_remedy(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        zw_value        v;
        zw_expr_problem p;
        zw_status       status = zw_expr_parse(f.scope, bad[i].text, &v, &p);
        if (status != ZW_E_MODEL || p.col != bad[i].col || p.length < 1 || strcmp(p.message, bad[i].message) != 0 ||
            !strstr(p.remedy, bad[i].remedy)) {
            print_error("'%s': %s, column %d: %s; %s\n", bad[i].text, zw_status_name(status), p.col, p.message, p.remedy);
            wrong++;
        }
        assert_int_equal(v.width, 0);
    }
    assert_int_equal(wrong, 0);
    assert_true(sizeof bad / sizeof bad[0] >= 45);
    assert_int_equal(zw_error_count(f.context), 0);
    fixture_close(&f);
}

static void relations_move_everything_to_the_left(void **state) {
    (void)state;
    static const struct {
        const char *text;
        zw_relation relation;
        double      value;
        int         width;
    } table[] = {
        {"x^2 + y^2 <= L", ZW_RELATION_AT_MOST, 0.25 + 2.25 - 4.0, 1},
        {"x >= y", ZW_RELATION_AT_LEAST, 2.0, 1},
        {"x = 2", ZW_RELATION_EQUAL, -1.5, 1},
        {"x == 2*y", ZW_RELATION_EQUAL, 3.5, 1},
        {"r = [0, 0, 1]", ZW_RELATION_EQUAL, 1.0, 3},
        {"r = 0", ZW_RELATION_EQUAL, 1.0, 3},
        {"(x > 0) = 1", ZW_RELATION_EQUAL, 0.0, 1},
    };
    static const struct {
        const char *text;
        int         col;
        const char *message;
    } wrong[] = {
        {"x + 1", 6, "a relation is expected, but there is no =, <= or >="},
        {"x < 1", 3, "'<' is not a relation here"},
        {"x > 1", 3, "'>' is not a relation here"},
        {"x != 1", 3, "'!=' is not a relation here"},
        {"0 <= x <= 1", 8, "comparisons cannot be chained"},
        {"x = y = 1", 7, "a relation has only one =, <= or >="},
        {"r <= 0", 3, "'<=' is for scalars, not for vectors"},
        {"r = 1", 3, "a vector and a scalar cannot be compared"},
        {"= 1", 1, "'=' stands where a value is expected"},
        {"x =", 4, "the expression ends where a value is expected"},
        {"x y = 1", 3, "an operator is missing between 'x' and 'y'"},
    };
    fixture f;
    fixture_open(&f);
    zw_value        v;
    zw_relation     relation;
    zw_expr_problem p;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_int_equal(zw_expr_parse_relation(f.scope, table[i].text, &v, &relation, &p), ZW_OK);
        assert_int_equal(relation, table[i].relation);
        assert_int_equal(v.width, table[i].width);
        assert_true(fixture_eval(&f, v.n[0], fixture_in) == table[i].value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(zw_expr_parse_relation(f.scope, wrong[i].text, &v, &relation, &p), ZW_E_MODEL);
        assert_string_equal(p.message, wrong[i].message);
        assert_int_equal(p.col, wrong[i].col);
    }
    fixture_close(&f);
}

/* parameters that are asked for by name: a = 2, b = a + 1 by a parse inside the parse, c is circular */
typedef struct parameters {
    zw_scope *scope;
    int       asked;
} parameters;

static zw_status resolve(void *user, const char *name, zw_value *out, zw_expr_problem *problem) {
    parameters *p = user;
    p->asked++;
    if (strcmp(name, "a") == 0) {
        return zw_expr_parse(p->scope, "2", out, problem);
    }
    if (strcmp(name, "b") == 0) {
        return zw_expr_parse(p->scope, "a + 1", out, problem);
    }
    if (strcmp(name, "c") == 0) {
        problem->col = 77;
        snprintf(problem->message, sizeof problem->message, "parameter 'c' uses itself");
        return ZW_E_MODEL;
    }
    if (strcmp(name, "e") == 0) {
        return zw_expr_parse(p->scope, "7", out, problem);
    }
    return ZW_OK;
}

static void resolver_is_asked_for_names_the_scope_does_not_have(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    parameters user = {.scope = f.outer};
    zw_scope_set_resolver(f.outer, resolve, &user);
    assert_true(fixture_eval(&f, fixture_node(&f, "a*b + x"), fixture_in) == 6.5);
    assert_int_equal(user.asked, 3);
    assert_true(fixture_eval(&f, fixture_node(&f, "e + pi*0"), fixture_in) == 7.0); /* a parameter may be called e */
    zw_value        v;
    zw_expr_problem p;
    assert_int_equal(zw_expr_parse(f.scope, "x + c", &v, &p), ZW_E_MODEL);
    assert_string_equal(p.message, "parameter 'c' uses itself");
    assert_int_equal(p.col, 5);
    assert_int_equal(zw_expr_parse(f.scope, "x + zzz", &v, &p), ZW_E_MODEL);
    assert_string_equal(p.message, "unknown name 'zzz'");
    fixture_close(&f);
}

static void inner_scope_hides_and_hints_close_names(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_scope       *inner;
    zw_value        v;
    zw_expr_problem p;
    assert_int_equal(zw_scope_create(f.pool, f.scope, &inner), ZW_OK);
    assert_int_equal(zw_scope_add_hint(inner, "x", "x is not known before the start"), ZW_OK);
    assert_int_equal(zw_scope_add_value(inner, "y", (zw_value){.width = 1, .n = {zw_node_constant(f.pool, 9.0)}}), ZW_OK);
    assert_int_equal(zw_scope_add_input(inner, "tip.z"), ZW_OK);
    assert_int_equal(zw_expr_parse(inner, "y", &v, &p), ZW_OK);
    assert_true(zw_node_is_constant(f.pool, v.n[0], NULL));
    assert_int_equal(zw_expr_parse(inner, "tip.z + 1", &v, &p), ZW_OK);
    assert_true(zw_node_depends(f.pool, v.n[0], zw_pool_input(f.pool, "tip.z")));
    assert_int_equal(zw_expr_parse(inner, "x", &v, &p), ZW_E_MODEL);
    assert_string_equal(p.message, "'x' cannot be used here: x is not known before the start");
    assert_null(strstr(p.remedy, "x"));
    int inputs = zw_pool_inputs(f.pool);
    assert_int_equal(zw_scope_add_input(inner, "2bad"), ZW_E_ARG);
    assert_int_equal(zw_scope_add_vector(inner, "a b", true), ZW_E_ARG);
    assert_int_equal(zw_pool_inputs(f.pool), inputs);
    assert_int_equal(zw_scope_add_input(inner, "and"), ZW_E_ARG);
    assert_int_equal(zw_scope_add_value(inner, "empty", (zw_value){.width = 0}), ZW_E_ARG);
    zw_scope_destroy(inner);
    fixture_close(&f);
}

static void names_are_letters_digits_and_underscores(void **state) {
    (void)state;
    assert_true(zw_expr_is_name("a") && zw_expr_is_name("_b2") && zw_expr_is_name("Left_End"));
    assert_false(zw_expr_is_name("") || zw_expr_is_name("2a") || zw_expr_is_name("a b") || zw_expr_is_name("a.b") ||
                 zw_expr_is_name("a-b"));
    assert_false(zw_expr_is_name("and") || zw_expr_is_name("or") || zw_expr_is_name("not") || zw_expr_is_name("\xc3\xa9") ||
                 zw_expr_is_name(NULL));
}

static void random_bytes_never_break_the_parser(void **state) {
    (void)state;
    static const char alphabet[] = "xyrt0123456789.e+-*/^()[],<>=! andornotsinmaxif\xce\xb1\x01";
    fixture           f;
    fixture_open(&f);
    fixture_random random = {.state = 7};
    int            accepted = 0;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        int  n = random_below(&random, (int)sizeof text);
        for (int k = 0; k < n; k++) {
            text[k] = alphabet[random_below(&random, (int)sizeof alphabet - 1)];
        }
        text[n] = '\0';
        zw_value        v;
        zw_expr_problem p;
        zw_status       status = zw_expr_parse(f.scope, text, &v, &p);
        accepted += status == ZW_OK;
        assert_true(status == ZW_OK || status == ZW_E_MODEL);
        if (status == ZW_E_MODEL) {
            assert_true(p.col >= 1 && p.col <= n + 1 && p.length >= 1 && p.message[0]);
        }
    }
    assert_true(accepted > 100); /* measured 237 */
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_texts_have_their_values),
        cmocka_unit_test(bad_texts_are_refused_with_column_message_and_remedy),
        cmocka_unit_test(relations_move_everything_to_the_left),
        cmocka_unit_test(resolver_is_asked_for_names_the_scope_does_not_have),
        cmocka_unit_test(inner_scope_hides_and_hints_close_names),
        cmocka_unit_test(names_are_letters_digits_and_underscores),
        cmocka_unit_test(random_bytes_never_break_the_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
