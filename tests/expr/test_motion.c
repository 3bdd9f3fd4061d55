/* SPDX-License-Identifier: Apache-2.0
 * test_motion.c: dt() in texts: its values, what it is refused for, and at which column. */
#include "fixture.h"

/* x and y move with rates L and x*s, time is t; r.x is a velocity whose rate is not known, and `vel` names it too */
static void open_moving(fixture *f) {
    fixture_open(f);
    zw_pool  *p = f->pool;
    const int slots[2] = {zw_pool_input(p, "x"), zw_pool_input(p, "y")};
    zw_node   rates[2];
    rates[0] = fixture_node(f, "L");
    rates[1] = fixture_node(f, "x*s");
    const int still[2] = {zw_pool_input(p, "r.y"), zw_pool_input(p, "r.x")};
    assert_int_equal(zw_scope_set_motion(f->outer, 2, slots, rates, zw_pool_input(p, "t"), 2, still), ZW_OK);
    assert_int_equal(zw_scope_add_value(f->scope, "vel", (zw_value){.width = 1, .n = {zw_node_input(p, still[1])}}), ZW_OK);
    assert_int_equal(zw_scope_add_value(f->scope, "speedup", (zw_value){.width = 1, .n = {fixture_node(f, "3*vel + x")}}), ZW_OK);
    assert_int_equal(zw_scope_add_input(f->scope, "body.v"), ZW_OK);
}

static void dt_is_the_derivative_along_the_motion(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"dt(x)", "L"},
        {"dt(t)", "1"},
        {"dt(3)", "0"},
        {"dt(s)", "0"}, /* does not move */
        {"dt(x*y)", "y*L + x*(x*s)"},
        {"dt(sin(x) + t^2)", "cos(x)*L + 2*t"},
        {"dt(dt(x*t))", "L + L"}, /* L is no moving input: dt(L) = 0 */
        {"dt([x, y, t]).x", "L"},
        {"dt([x, y, t]).y", "x*s"},
        {"dt([x, y, t]).z", "1"},
        {"0.5*t*dot(dt([x, y, 0]), dt([x, y, 0]))", "0.5*t*(L^2 + (x*s)^2)"},
        {"if(x > 0, dt(x), dt(y))", "if(x > 0, L, x*s)"},
    };
    fixture f;
    open_moving(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double got = fixture_eval(&f, fixture_node(&f, table[i][0]), fixture_in);
        double want = fixture_eval(&f, fixture_node(&f, table[i][1]), fixture_in);
        check_near_at(got, want, 4e-15, table[i][0], __FILE__, __LINE__); /* measured 0 */
    }
    assert_int_equal(fixture_node(&f, "dt(x)"), fixture_node(&f, "L"));
    assert_int_equal(fixture_parse(&f, "dt(x*[1, x, t])").width, 3);
    fixture_close(&f);
}

static void check_problem(zw_scope *s, const char *text, int col, int length, const char *message, const char *remedy) {
    zw_value        v;
    zw_expr_problem problem;
    assert_int_equal(zw_expr_parse(s, text, &v, &problem), ZW_E_MODEL);
    if (problem.col != col || problem.length != length || !strstr(problem.message, message) || !strstr(problem.remedy, remedy)) {
        print_error("'%s': column %d, length %d: %s; %s\n", text, problem.col, problem.length, problem.message, problem.remedy);
        fail();
    }
}

static void errors_are_at_the_name_that_cannot_be_differentiated(void **state) {
    (void)state;
    fixture f;
    open_moving(&f);
    check_problem(f.scope, "1 + dt(x*vel)", 10, 3, "dt() of 'vel' needs an acceleration, which is not known here", "positions");
    check_problem(f.scope, "dt(x + sin(r.y))", 12, 3, "dt() of 'r.y' needs an acceleration", "");
    check_problem(f.scope, "dt(r.z*norm(x*r))", 15, 1, "dt() of 'r' needs", "");
    check_problem(f.scope, "2*dt(x*speedup + 1)", 6, 13, "dt() of 'r.x' needs", ""); /* inside a named value */
    check_problem(f.scope, "dt(dt(x)*vel)", 10, 3, "'vel'", "");
    check_problem(f.scope, "dt()", 1, 2, "dt takes 1 argument, 0 are given", "write dt(e)");
    check_problem(f.scope, "dt(x, y)", 1, 2, "dt takes 1 argument, 2 are given", "write dt(e)");
    check_problem(f.scope, "dt*2", 1, 2, "'dt' is a function and needs arguments", "dt(e)");
    check_problem(f.scope, "dq(x)", 1, 2, "unknown name 'dq'", "did you mean 'dt'?");
    const int dotted = zw_pool_input(f.pool, "body.v"), x = zw_pool_input(f.pool, "x");
    zw_node   rate = fixture_node(&f, "body.v");
    assert_int_equal(zw_scope_set_motion(f.scope, 1, &x, &rate, -1, 1, &dotted), ZW_OK);
    check_problem(f.scope, "x + dt(x*body.v)", 10, 6, "dt() of 'body.v' needs", "");
    check_problem(f.scope, "dt(dt(x))", 4, 5, "dt() of 'body.v' needs", ""); /* its rate contains it */
    fixture_close(&f);
}

static void without_motion_there_is_no_dt(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    check_problem(f.scope, "1 + dt(x)", 5, 2, "dt() cannot be used here: nothing is known to move", "coordinates");
    check_problem(f.scope, "dt + 1", 1, 2, "unknown name 'dt'", "");
    zw_value        v;
    zw_expr_problem problem;
    assert_int_equal(zw_expr_parse(f.scope, "dq(x)", &v, &problem), ZW_E_MODEL);
    assert_null(strstr(problem.remedy, "'dt'"));
    /* dt may be the name of something: a parameter for a step, say */
    assert_int_equal(zw_scope_add_value(f.scope, "dt", (zw_value){.width = 1, .n = {zw_node_constant(f.pool, 0.5)}}), ZW_OK);
    check_near(fixture_eval(&f, fixture_node(&f, "2*dt"), fixture_in), 1.0, 0.0);
    fixture_close(&f);
}

static void a_child_inherits_and_may_replace_the_motion(void **state) {
    (void)state;
    fixture f;
    open_moving(&f); /* the motion is that of the outer scope */
    zw_scope *child, *quiet;
    assert_int_equal(zw_scope_create(f.pool, f.scope, &child), ZW_OK);
    assert_int_equal(zw_scope_create(f.pool, f.scope, &quiet), ZW_OK);
    zw_value        v;
    zw_expr_problem problem;
    assert_int_equal(zw_expr_parse(child, "dt(x)", &v, &problem), ZW_OK);
    assert_int_equal(v.n[0], fixture_node(&f, "L"));
    const int slot = zw_pool_input(f.pool, "x"), bad = 1000;
    zw_node   rate = fixture_node(&f, "y");
    for (int i = 0; i < 2; i++) { /* a second call replaces the first */
        assert_int_equal(zw_scope_set_motion(child, 1, &slot, &rate, -1, 0, NULL), ZW_OK);
    }
    assert_int_equal(zw_expr_parse(child, "dt(x + 7*t)", &v, &problem), ZW_OK);
    assert_int_equal(v.n[0], rate);
    assert_int_equal(zw_scope_set_motion(quiet, 0, NULL, NULL, -1, 0, NULL), ZW_OK);
    check_problem(quiet, "dt(x)", 1, 2, "nothing is known to move", "");
    assert_int_equal(zw_scope_set_motion(child, 1, &bad, &rate, -1, 0, NULL), ZW_E_ARG);
    zw_scope_destroy(child);
    zw_scope_destroy(quiet);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dt_is_the_derivative_along_the_motion),
        cmocka_unit_test(errors_are_at_the_name_that_cannot_be_differentiated),
        cmocka_unit_test(without_motion_there_is_no_dt),
        cmocka_unit_test(a_child_inherits_and_may_replace_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
