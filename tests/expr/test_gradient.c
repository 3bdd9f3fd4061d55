/* SPDX-License-Identifier: Apache-2.0
 * test_gradient.c: derivatives backward (zw_node_gradient) and forward with seeds (zw_node_push) against zw_node_diff and against
 * differences, their known forms, and how many nodes they make. */
#include "fixture.h"

typedef struct text_range {
    const char *text;
    double      x0, x1, y0, y1; /* a box in which the function is smooth */
} text_range;

/* every operation of the table, with both operands moving */
static const text_range texts[] = {
    {"x + y", -1, 1, -1, 1},
    {"x - y*x", -1, 1, -1, 1},
    {"-x*y", -1, 1, -1, 1},
    {"x/y", -1, 1, 1, 2},
    {"sin(x*y)", -1, 1, -1, 1},
    {"cos(x/y)", -1, 1, 1, 2},
    {"tan(x*y)", -1, 1, -1, 1},
    {"asin(x*y)", -0.8, 0.8, -0.8, 0.8},
    {"acos(x*y)", -0.8, 0.8, -0.8, 0.8},
    {"atan(x*y)", -1, 1, -1, 1},
    {"sinh(x*y)", -1, 1, -1, 1},
    {"cosh(x*y)", -1, 1, -1, 1},
    {"tanh(x*y)", -1, 1, -1, 1},
    {"asinh(x*y)", -1, 1, -1, 1},
    {"acosh(x*y)", 1.5, 2, 1.5, 2},
    {"atanh(x*y)", -0.8, 0.8, -0.8, 0.8},
    {"exp(x*y)", -1, 1, -1, 1},
    {"log(x*y)", 1, 2, 1, 2},
    {"log10(x*y)", 1, 2, 1, 2},
    {"sqrt(x^2 + y^2)", 0.5, 1, 0.5, 1},
    {"cbrt(x*y)", 1, 2, 1, 2},
    {"abs(x*y)", 0.5, 1, -1, -0.5},
    {"sign(x)*y", 0.5, 1, -1, 1},
    {"floor(x)*y + ceil(y)*x", 0.1, 0.9, 0.1, 0.9},
    {"erf(x*y)", -1, 1, -1, 1},
    {"step(x)*y^2", 0.5, 1, -1, 1},
    {"(x < y)*x + (x <= y and not y < 0 or x == 2)*y + (x != y)", 0, 1, 1.2, 2},
    {"min(x*y, x)*y", 0.1, 1, 1.2, 2},
    {"max(x*y, x, 0)*y", 0.1, 1, 1.2, 2},
    {"clamp(x*y, 0, 1)", 0.3, 0.8, 0.3, 0.8},
    {"atan2(x, y)*atan2(y*x, x)", 0.5, 1, 0.5, 1},
    {"hypot(x, x*y)", 0.5, 1, 0.5, 1},
    {"mod(x*7, y)", 1.01, 1.02, 3, 3.1},
    {"x^y*pow(y, 2.5)", 1, 2, 1, 2},
    {"2^(x*y)", 1, 2, 1, 2},
    {"x^5*y^-3", 1, 2, 1, 2},
    {"if(x < y, x*y, x^2)", 0, 1, 1.2, 2},
    {"if(x > y, x*y, sin(x*y))", 0, 1, 1.2, 2},
    {"table(x*y, 0, 1, 2, 5, 3, -1)*y", 1.1, 1.3, 1.1, 1.3},
    {"table_slope(x*y, 0, 1, 2, 5, 3, -1)*y", 1.1, 1.3, 1.1, 1.3},
    {"table(x, 0, y, y + 2, 5)", 0.2, 1, -1, 1},
    {"unit([x, y, 2]).x + unit([x, y, 1]).z", -1, 1, -1, 1},
    {"dot([x, y, x*y], cross([y, x, 1], [1, x, y^2]))", -1, 1, -1, 1},
    {"0.5*t*x^2*(y^2 + 2*x*y*cos(x - y)) - t*L*cos(x)", -1, 1, -1, 1},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void random_point(fixture_random *r, const text_range *c, double *in) {
    memcpy(in, fixture_in, sizeof fixture_in);
    in[0] = random_between(r, c->x0, c->x1);
    in[1] = random_between(r, c->y0, c->y1);
}

static double relative(double a, double b) {
    return fabs(a - b) / (1.0 + fabs(b));
}

static void gradient_and_push_equal_the_derivative_by_one_input(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    fixture_random r = {.state = 11};
    const int      slots[3] = {0, 1, 3};
    double         worst_gradient = 0.0, worst_push = 0.0, worst_second = 0.0;
    for (int i = 0; i < TEXTS; i++) {
        zw_node n = fixture_node(&f, texts[i].text), gradient[3], seed[3], along[2], second[3];
        seed[0] = fixture_node(&f, "L*2");
        seed[1] = fixture_node(&f, "s - 7");
        seed[2] = fixture_node(&f, "s");
        assert_int_equal(zw_node_gradient(f.pool, n, 3, slots, gradient), ZW_OK);
        assert_int_equal(zw_node_push(f.pool, 2, (zw_node[]){n, gradient[0]}, 3, slots, seed, along), ZW_OK);
        assert_int_equal(zw_node_gradient(f.pool, gradient[1], 3, slots, second), ZW_OK);
        for (int k = 0; k < 20; k++) {
            double in[FIXTURE_INPUTS], sum = 0.0, sum_of_x = 0.0;
            random_point(&r, &texts[i], in);
            for (int j = 0; j < 3; j++) {
                double d = fixture_eval(&f, zw_node_diff(f.pool, n, slots[j]), in);
                assert_true(isfinite(d));
                worst_gradient = fmax(worst_gradient, relative(fixture_eval(&f, gradient[j], in), d));
                sum += d * fixture_eval(&f, seed[j], in);
                double dd = fixture_eval(&f, zw_node_diff(f.pool, zw_node_diff(f.pool, n, 0), slots[j]), in);
                sum_of_x += dd * fixture_eval(&f, seed[j], in);
                dd = fixture_eval(&f, zw_node_diff(f.pool, zw_node_diff(f.pool, n, 1), slots[j]), in);
                worst_second = fmax(worst_second, relative(fixture_eval(&f, second[j], in), dd));
            }
            worst_push = fmax(worst_push, relative(fixture_eval(&f, along[0], in), sum));
            worst_push = fmax(worst_push, relative(fixture_eval(&f, along[1], in), sum_of_x));
        }
        if (!(worst_gradient < 1e-13 && worst_push < 1e-13 && worst_second < 1e-13)) {
            print_error("'%s' or one before it: %g, %g, %g\n", texts[i].text, worst_gradient, worst_push, worst_second);
        }
    }
    check_below(worst_gradient, 1e-15, 2.4e-16);
    check_below(worst_push, 2e-14, 4.7e-15);
    check_below(worst_second, 1e-14, 7.5e-16);
    fixture_close(&f);
}

static void gradient_agrees_with_central_differences(void **state) {
    (void)state;
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double        h = 1.0 / 1024.0;
    const int           slots[2] = {0, 1};
    fixture             f;
    fixture_open(&f);
    fixture_random r = {.state = 5};
    double         worst = 0.0;
    for (int i = 0; i < TEXTS; i++) {
        zw_node n = fixture_node(&f, texts[i].text), gradient[2];
        assert_int_equal(zw_node_gradient(f.pool, n, 2, slots, gradient), ZW_OK);
        for (int k = 0; k < 4; k++) {
            double in[FIXTURE_INPUTS];
            random_point(&r, &texts[i], in);
            for (int j = 0; j < 2; j++) {
                double exact = fixture_eval(&f, gradient[j], in), sum = 0.0, here = in[j];
                bool   inside = true;
                for (int q = 1; q <= 4; q++) {
                    in[j] = here + q * h;
                    double up = fixture_eval(&f, n, in);
                    inside = inside && in[j] <= (j ? texts[i].y1 : texts[i].x1);
                    in[j] = here - q * h;
                    sum += weight[q - 1] * (up - fixture_eval(&f, n, in));
                    inside = inside && in[j] >= (j ? texts[i].y0 : texts[i].x0);
                }
                in[j] = here;
                if (inside) {
                    worst = fmax(worst, relative(sum / h, exact));
                }
            }
        }
    }
    check_below(worst, 1e-11, 4.5e-13);
    fixture_close(&f);
}

static void derivatives_are_written_simply(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"0.5*t*x^2", "t*x"},
        {"t/2*x^2", "t*x"},
        {"1/2*t*L^2*x^2", "t*L^2*x"},
        {"t*L^2*x^2/2", "t*L^2*x"},
        {"L/4*x^4", "L*x^3"},
        {"sqrt(x^2 + y^2)", "x/sqrt(x^2 + y^2)"},
        {"-L*cos(x)", "L*sin(x)"},
        {"t*y", "0"},
        {"x", "1"},
        {"log(x)", "1/x"},
        {"max(x, y)", "if(y <= x, 1, 0)"},
        {"x/y", "1/y"},
        {"3*y*x^2", "6*y*x"},
        {"0.5*(L*x)^2", "x*L^2"}, /* L times L x */
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        zw_node   n = fixture_node(&f, table[i][0]), want = fixture_node(&f, table[i][1]), got[2];
        const int slot = 0;
        assert_int_equal(zw_node_gradient(f.pool, n, 1, &slot, &got[0]), ZW_OK);
        got[1] = zw_node_diff(f.pool, n, slot);
        for (int k = 0; k < 2; k++) {
            if (got[k] != want) {
                zw_text out;
                zw_text_init(&out, f.context);
                zw_node_print(f.pool, got[k], &out);
                print_error("%s: d/dx %s is %s, not %s\n", k ? "diff" : "gradient", table[i][0], out.s, table[i][1]);
                zw_text_destroy(&out);
            }
        }
        assert_int_equal(got[0], want);
        assert_int_equal(got[1], want);
    }
    fixture_close(&f);
}

/* T of n links in a plane, of unit masses and lengths, as a model writes it: 1/2 sum |r_i'|^2 */
static zw_node pendulum(zw_pool *p, int n, const int *q, const int *v, zw_node *seed) {
    zw_node x = zw_node_constant(p, 0.0), y = x, T = x, half = zw_node_constant(p, 0.5), rate[32];
    for (int i = 0; i < n; i++) {
        seed[i] = zw_node_input(p, v[i]);
    }
    for (int i = 0; i < n; i++) {
        zw_node angle = zw_node_input(p, q[i]);
        x = zw_node_add(p, x, zw_node_build(p, ZW_OP_SIN, angle, 0, 0));
        y = zw_node_sub(p, y, zw_node_build(p, ZW_OP_COS, angle, 0, 0));
        assert_int_equal(zw_node_push(p, 2, (zw_node[]){x, y}, n, q, seed, rate), ZW_OK);
        zw_node u = zw_node_powi(p, rate[0], 2);
        u = zw_node_add(p, u, zw_node_powi(p, rate[1], 2));
        T = zw_node_add(p, T, zw_node_mul(p, half, u));
    }
    return T;
}

/* the number of nodes made is a few for every node reached, whatever the pool holds beside them and however many inputs are asked for */
static void cost_is_linear_in_the_nodes_reached(void **state) {
    (void)state;
    double most = 0.0;
    for (int n = 4; n <= 16; n *= 2) {
        zw_context *c;
        zw_pool    *p;
        assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
        assert_int_equal(zw_pool_create(c, &p), ZW_OK);
        int     q[16], v[16];
        zw_node seed[16], momentum[16], column[16];
        for (int i = 0; i < n; i++) {
            char name[16];
            snprintf(name, sizeof name, "q%d", i);
            q[i] = zw_pool_input(p, name);
            snprintf(name, sizeof name, "v%d", i);
            v[i] = zw_pool_input(p, name);
        }
        zw_node T = pendulum(p, n, q, v, seed);
        int     before = p->dag.nodes;
        assert_int_equal(zw_node_gradient(p, T, n, v, momentum), ZW_OK);
        most = fmax(most, (double)(p->dag.nodes - before) / before);
        for (int i = 0; i < n; i++) {
            zw_node one = zw_node_constant(p, 1.0);
            int     here = p->dag.nodes;
            assert_int_equal(zw_node_push(p, n, momentum, 1, &v[i], &one, column), ZW_OK);
            most = fmax(most, (double)(p->dag.nodes - here) / before);
            for (int k = 0; k < n; k++) { /* M has no velocities in it */
                for (int j = 0; j < n; j++) {
                    assert_false(zw_node_depends(p, column[k], v[j]));
                }
            }
        }
        zw_pool_destroy(p);
        zw_context_destroy(c);
    }
    check_below(most, 1.0, 0.48);
}

static void more_inputs_than_bits_in_a_mask(void **state) {
    (void)state;
    enum { MANY = 200 };
    zw_context *c;
    zw_pool    *p;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    assert_int_equal(zw_pool_create(c, &p), ZW_OK);
    int     slots[MANY];
    zw_node sum = zw_node_constant(p, 0.0), gradient[MANY], seed[MANY], along;
    double  in[MANY];
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        slots[i] = zw_pool_input(p, name);
        in[i] = 1.0 + i;
        seed[i] = zw_node_constant(p, (double)i);
        zw_node x = zw_node_input(p, slots[i]);
        sum = zw_node_add(p, sum, zw_node_mul(p, zw_node_constant(p, 3.0 + i), x));
        sum = zw_node_add(p, sum, zw_node_build(p, ZW_OP_SIN, x, 0, 0));
    }
    int before = p->dag.nodes;
    assert_int_equal(zw_node_gradient(p, sum, 1, &slots[150], gradient), ZW_OK);
    assert_true(p->dag.nodes - before <= 3); /* cos(x150), 153 + cos(x150): nothing for inputs that share its bit */
    assert_int_equal(zw_node_gradient(p, sum, MANY, slots, gradient), ZW_OK);
    assert_int_equal(zw_node_push(p, 1, &sum, MANY, slots, seed, &along), ZW_OK);
    fixture f = {.context = c, .pool = p};
    double  want = 0.0;
    for (int i = 0; i < MANY; i++) {
        double d = fixture_eval(&f, gradient[i], in);
        check_near(d, 3.0 + i + cos(in[i]), 2e-14); /* measured 0 */
        want += i * d;
    }
    check_relative(fixture_eval(&f, along, in), want, 1e-14); /* measured 1.8e-16 */
    zw_pool_destroy(p);
    zw_context_destroy(c);
}

static void a_full_pool_is_reported(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node   n = fixture_node(&f, "sin(x*y)*exp(x)/log(y)*tanh(x)"), out[2];
    const int slots[2] = {0, 1};
    zw_node_constant(f.pool, 0.0);
    zw_node one = zw_node_constant(f.pool, 1.0);
    f.pool->nodes_max = f.pool->dag.nodes + 2;
    assert_int_equal(zw_node_gradient(f.pool, n, 2, slots, out), ZW_E_LIMIT);
    assert_int_equal(zw_node_push(f.pool, 1, &n, 1, slots, &one, out), ZW_E_LIMIT);
    fixture_close(&f);
}

/* an allocator that gives up after some calls */
static void *stingy_realloc(void *user, void *p, size_t size) {
    long *left = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(p, size) : NULL;
}

static zw_status all_of_it(zw_context *c, zw_pool **p, zw_scope **s) {
    zw_value        v;
    zw_expr_problem problem;
    zw_node         gradient[3], rate;
    const int       slots[3] = {0, 1, 2};
    ZW_TRY(zw_pool_create(c, p));
    ZW_TRY(zw_scope_create(*p, NULL, s));
    ZW_TRY(zw_scope_add_vector(*s, "r", false));
    rate = zw_node_input(*p, 1);
    ZW_TRY(rate ? zw_scope_set_motion(*s, 1, slots, &rate, 2, 0, NULL) : ZW_E_MEMORY);
    ZW_TRY(zw_expr_parse(*s, "dt(r.x^2*sin(r.y*r.z)/(2 + cos(r.x*r.z))) + dot(dt(r), r)*norm(r)", &v, &problem));
    ZW_TRY(zw_node_gradient(*p, v.n[0], 3, slots, gradient));
    return zw_node_push(*p, 3, gradient, 3, slots, (zw_node[]){rate, rate, rate}, gradient);
}

static void running_out_of_memory_anywhere_is_reported(void **state) {
    (void)state;
    int       failures = 0;
    zw_status status = ZW_E_MEMORY;
    for (long calls = 1; calls < 400 && status != ZW_OK; calls++) {
        long           left = calls;
        zw_context_def def = zw_context_def_default();
        zw_context    *c = NULL;
        zw_pool       *p = NULL;
        zw_scope      *s = NULL;
        def.realloc = stingy_realloc;
        def.realloc_user = &left;
        if (zw_context_create(&def, &c) != ZW_OK) {
            continue;
        }
        status = all_of_it(c, &p, &s);
        assert_true(status == ZW_OK || status == ZW_E_MEMORY);
        failures += status != ZW_OK;
        zw_scope_destroy(s);
        zw_pool_destroy(p);
        zw_context_destroy(c);
    }
    assert_int_equal(status, ZW_OK);
    assert_true(failures > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_and_push_equal_the_derivative_by_one_input),
        cmocka_unit_test(gradient_agrees_with_central_differences),
        cmocka_unit_test(derivatives_are_written_simply),
        cmocka_unit_test(cost_is_linear_in_the_nodes_reached),
        cmocka_unit_test(more_inputs_than_bits_in_a_mask),
        cmocka_unit_test(a_full_pool_is_reported),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
