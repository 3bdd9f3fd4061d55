/* SPDX-License-Identifier: Apache-2.0
 * test_interval.c: tapes over boxes. Random expressions of all operations and random boxes: what is computed at points of the box, in
 * doubles and in long doubles, lies in the enclosure; the slope encloses every difference quotient and the derivative of diff.c; a box in a
 * box gives an enclosure in the enclosure. */
#include "boxed.h"

enum { LEAVES = 3, SIZE = 14 };

/* ---- random expressions */

/* an operation for random operands: the ones of the table and integer powers, if, table, table_slope */
static zw_node random_operation(fixture *f, fixture_random *r, const zw_node *have, int n) {
    int     op = ZW_OP_NEG + random_below(r, ZW_OP_COUNT - ZW_OP_NEG);
    zw_node a = have[random_below(r, n)], b = have[random_below(r, n)], c = have[random_below(r, n)];
    if (op == ZW_OP_POWI) {
        return zw_node_powi(f->pool, a, random_below(r, 13) - 5);
    }
    if (op == ZW_OP_TABLE || op == ZW_OP_SLOPE) {
        static const double knots[] = {-1.5, 0.3, -0.25, 2.0, 0.5, -1.0, 2.0, 0.7};
        return zw_node_build(f->pool, op, a, zw_pool_table(f->pool, knots, 4), 0);
    }
    if (op == ZW_OP_IF) { /* a comparison decides, as in texts */
        a = zw_node_build(f->pool, random_below(r, 2) ? ZW_OP_LT : ZW_OP_LE, a, c, 0);
    }
    return zw_node_build(f->pool, op, a, b, c);
}

static zw_node random_expression(fixture *f, fixture_random *r) {
    zw_node have[SIZE + LEAVES + 1];
    int     n = 0;
    for (; n < LEAVES; n++) {
        have[n] = zw_node_input(f->pool, n);
    }
    have[n++] = zw_node_constant(f->pool, random_below(r, 9) / 4.0 - 1.0);
    for (int size = 1 + random_below(r, SIZE); size > 0; size--) {
        have[n] = random_operation(f, r, have, n);
        assert_true(have[n] > 0);
        n++;
    }
    return have[n - 1];
}

/* ---- long doubles, where they are longer */

static long double table_long(const double *k, int points, long double x, bool slope) {
    int i = -1;
    while (i + 1 < points && (long double)k[2 * (i + 1)] <= x) {
        i++;
    }
    if (i < 0 || i == points - 1) {
        return slope ? 0.0L : k[2 * (i < 0 ? 0 : i) + 1];
    }
    k += 2 * i;
    long double rate = ((long double)k[3] - k[1]) / ((long double)k[2] - k[0]);
    return slope ? rate : k[1] + rate * (x - k[0]);
}

static long double mod_long(long double a, long double b) {
    long double r = fmodl(a, b);
    return r != 0.0L && (r < 0.0L) != (b < 0.0L) ? r + b : r;
}

static long double compute_long(const zw_dag *d, const zw_expr_node *n, long double a, long double b, long double c) {
    switch ((zw_op)n->op) {
    case ZW_OP_SIN: return sinl(a);
    case ZW_OP_COS: return cosl(a);
    case ZW_OP_TAN: return tanl(a);
    case ZW_OP_ASIN: return asinl(a);
    case ZW_OP_ACOS: return acosl(a);
    case ZW_OP_ATAN: return atanl(a);
    case ZW_OP_SINH: return sinhl(a);
    case ZW_OP_COSH: return coshl(a);
    case ZW_OP_TANH: return tanhl(a);
    case ZW_OP_ASINH: return asinhl(a);
    case ZW_OP_ACOSH: return acoshl(a);
    case ZW_OP_ATANH: return atanhl(a);
    case ZW_OP_EXP: return expl(a);
    case ZW_OP_LOG: return logl(a);
    case ZW_OP_LOG10: return log10l(a);
    case ZW_OP_SQRT: return sqrtl(a);
    case ZW_OP_CBRT: return cbrtl(a);
    case ZW_OP_ABS: return fabsl(a);
    case ZW_OP_FLOOR: return floorl(a);
    case ZW_OP_CEIL: return ceill(a);
    case ZW_OP_ERF: return erfl(a);
    case ZW_OP_POW: return powl(a, b);
    case ZW_OP_ATAN2: return atan2l(a, b);
    case ZW_OP_HYPOT: return hypotl(a, b);
    case ZW_OP_MOD: return mod_long(a, b);
    case ZW_OP_POWI: return powl(a, (long double)n->b);
    case ZW_OP_TABLE: return table_long(d->knots + d->table[n->b].first, d->table[n->b].points, a, false);
    case ZW_OP_SLOPE: return table_long(d->knots + d->table[n->b].first, d->table[n->b].points, a, true);
    case ZW_OP_IF: return a != a ? a : a != 0.0L ? b : c;
    case ZW_OP_NEG: return -a;
    case ZW_OP_NOT: return a != 0.0L ? 0.0L : 1.0L;
    case ZW_OP_SIGN: return a > 0.0L ? 1.0L : a < 0.0L ? -1.0L : a;
    case ZW_OP_STEP: return a > 0.0L ? 1.0L : a < 0.0L ? 0.0L : a == 0.0L ? 0.5L : a;
    case ZW_OP_ADD: return a + b;
    case ZW_OP_SUB: return a - b;
    case ZW_OP_MUL: return a * b;
    case ZW_OP_DIV: return a / b;
    case ZW_OP_LT: return a < b;
    case ZW_OP_LE: return a <= b;
    case ZW_OP_EQ: return a == b;
    case ZW_OP_NE: return a != b;
    case ZW_OP_AND: return a != 0.0L && b != 0.0L;
    case ZW_OP_OR: return a != 0.0L || b != 0.0L;
    case ZW_OP_MIN: return a <= b ? a : b < a ? b : a + b;
    case ZW_OP_MAX: return a >= b ? a : b > a ? b : a + b;
    case ZW_OP_CONSTANT:
    case ZW_OP_INPUT:
    case ZW_OP_COUNT: break;
    }
    return n->value;
}

static long double eval_long(const zw_tape *t, const double *in) {
    long double   v[BOXED_MOST] = {0.0L};
    const zw_dag *d = &t->dag;
    assert_true(d->nodes <= BOXED_MOST);
    for (int i = 1; i < d->nodes; i++) {
        const zw_expr_node *n = &d->node[i];
        int                 arity = zw_op_arity(n->op);
        v[i] = n->op == ZW_OP_INPUT
                   ? (long double)in[n->a]
                   : compute_long(d, n, arity > 0 ? v[n->a] : 0.0L, arity > 1 ? v[n->b] : 0.0L, arity > 2 ? v[n->c] : 0.0L);
    }
    return v[t->root[0]];
}

/* ---- boxes */

static void random_box(fixture_random *r, zw_interval *in) {
    static const double widths[] = {0.0, 0x1p-40, 1e-3, 0.1, 1.0, 4.0};
    for (int i = 0; i < FIXTURE_INPUTS; i++) {
        double lo = random_below(r, 4) ? random_between(r, -3.0, 3.0) : random_below(r, 9) / 2.0 - 2.0;
        in[i] = zw_interval_make(lo, lo + widths[random_below(r, 6)]);
    }
}

static double random_in(fixture_random *r, zw_interval a) {
    int k = random_below(r, 4);
    return k == 0 ? a.lo : k == 1 ? a.hi : fmin(fmax(random_between(r, a.lo, a.hi), a.lo), a.hi);
}

static void show(fixture *f, zw_node n, const zw_interval *in, const double *at) {
    zw_text out;
    zw_text_init(&out, f->context);
    zw_node_print(f->pool, n, &out);
    print_error("%s\n", out.s);
    for (int i = 0; i < LEAVES; i++) {
        print_error("  %s in [%.17g, %.17g], %.17g\n", zw_pool_input_name(f->pool, i), in[i].lo, in[i].hi, at ? at[i] : 0.0);
    }
    zw_text_destroy(&out);
}

static void values_of_points_lie_in_the_enclosure_of_their_box(void **state) {
    (void)state;
    fixture_random r = {.state = 77};
    long           bounded = 0, checked = 0;
    for (int i = 0; i < 300; i++) { /* a new pool now and then: expressions do not share too much */
        fixture f;
        fixture_open(&f);
        for (int e = 0; e < 20; e++) {
            zw_node n = random_expression(&f, &r);
            boxed   b;
            box_open(&f, &b, n);
            for (int k = 0; k < 5; k++) {
                zw_interval in[FIXTURE_INPUTS];
                random_box(&r, in);
                zw_interval out = box_value(&b, in);
                bounded += isfinite(out.lo) && isfinite(out.hi);
                for (int p = 0; p < 8; p++) {
                    double at[FIXTURE_INPUTS], value;
                    for (int j = 0; j < FIXTURE_INPUTS; j++) {
                        at[j] = random_in(&r, in[j]);
                    }
                    zw_tape_eval(b.tape, at, b.work, &value);
                    long double exact = eval_long(b.tape, at);
                    bool        inside = value != value ? zw_interval_is_whole(out) : zw_interval_has(out, value);
                    bool        exactly = exact != exact || (out.lo <= exact && exact <= out.hi);
                    if (!inside || !exactly) {
                        show(&f, n, in, at);
                        print_error("  [%.17g, %.17g] does not hold %.17g or %.21Lg\n", out.lo, out.hi, value, exact);
                        fail();
                    }
                    checked++;
                }
            }
            zw_tape_destroy(b.tape);
        }
        fixture_close(&f);
    }
    print_message("%ld values inside, %ld of 30000 enclosures bounded\n", checked, bounded);
    assert_true(bounded > 10000);
}

static void a_box_in_a_box_gives_an_enclosure_in_the_enclosure(void **state) {
    (void)state;
    fixture_random r = {.state = 5};
    fixture        f;
    fixture_open(&f);
    for (int e = 0; e < 4000; e++) {
        zw_node n = random_expression(&f, &r);
        boxed   b;
        box_open(&f, &b, n);
        zw_interval outer[FIXTURE_INPUTS], inner[FIXTURE_INPUTS];
        random_box(&r, outer);
        for (int j = 0; j < FIXTURE_INPUTS; j++) {
            double u = random_in(&r, outer[j]), v = random_in(&r, outer[j]);
            inner[j] = (zw_interval){fmin(u, v), fmax(u, v)};
        }
        zw_interval big = box_value(&b, outer), small = box_value(&b, inner);
        if (!(big.lo <= small.lo && small.hi <= big.hi)) {
            show(&f, n, outer, NULL);
            show(&f, n, inner, NULL);
            print_error("  [%.17g, %.17g] is not inside [%.17g, %.17g]\n", small.lo, small.hi, big.lo, big.hi);
            fail();
        }
        zw_tape_destroy(b.tape);
    }
    fixture_close(&f);
}

/* by the mean value theorem a difference quotient along the direction, taken in the box, lies in the slope of the box; both are enclosures,
 * so that they meet, without any tolerance */
static void slopes_enclose_difference_quotients_and_derivatives(void **state) {
    (void)state;
    fixture_random r = {.state = 31};
    long           bounded = 0;
    for (int i = 0; i < 200; i++) {
        fixture f;
        fixture_open(&f);
        for (int e = 0; e < 20; e++) {
            zw_node n = random_expression(&f, &r), seed[LEAVES], along;
            boxed   b;
            box_open(&f, &b, n);
            zw_interval in[FIXTURE_INPUTS], din[FIXTURE_INPUTS] = {{0}}, from[FIXTURE_INPUTS], to[FIXTURE_INPUTS], out, slope;
            int         slots[LEAVES];
            random_box(&r, in);
            for (int j = 0; j < LEAVES; j++) {
                slots[j] = j;
                din[j] = zw_interval_point(random_below(&r, 3) ? random_below(&r, 17) / 8.0 - 1.0 : 0.0);
                seed[j] = zw_node_constant(f.pool, din[j].lo);
            }
            zw_tape_eval_interval_slope(b.tape, in, din, b.room, &out, &slope);
            assert_true(slope.lo <= slope.hi);
            zw_interval same = box_value(&b, in);
            assert_true(same.lo == out.lo && same.hi == out.hi);
            bounded += isfinite(slope.lo) && isfinite(slope.hi);
            assert_int_equal(zw_node_push(f.pool, 1, &n, LEAVES, slots, seed, &along), ZW_OK);
            zw_tape *tape;
            assert_int_equal(zw_tape_create(f.context, f.pool, &along, 1, &tape), ZW_OK);
            zw_interval *room = malloc(sizeof *room * (size_t)(zw_tape_work(tape) + 1));
            assert_non_null(room);
            for (int p = 0; p < 6; p++) {
                const double tau = p % 2 ? 0x1p-3 : 0x1p-10;
                bool         inside = true;
                for (int j = 0; j < FIXTURE_INPUTS; j++) {
                    from[j] = zw_interval_point(random_in(&r, in[j]));
                    to[j] = zw_interval_add(from[j], zw_interval_mul(zw_interval_point(tau), din[j]));
                    inside = inside && in[j].lo <= to[j].lo && to[j].hi <= in[j].hi;
                }
                zw_interval derivative;
                zw_tape_eval_interval(tape, from, room, &derivative);
                bool good = zw_interval_meets(derivative, slope);
                if (inside) {
                    zw_interval quotient = zw_interval_div(zw_interval_sub(box_value(&b, to), box_value(&b, from)), zw_interval_point(tau));
                    good = good && zw_interval_meets(quotient, slope);
                }
                if (!good) {
                    show(&f, n, in, NULL);
                    show(&f, n, din, NULL);
                    print_error("  slope [%.17g, %.17g], derivative [%.17g, %.17g]\n", slope.lo, slope.hi, derivative.lo, derivative.hi);
                    fail();
                }
            }
            free(room);
            zw_tape_destroy(tape);
            zw_tape_destroy(b.tape);
        }
        fixture_close(&f);
    }
    print_message("%ld of 4000 slopes bounded\n", bounded);
    assert_true(bounded > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_points_lie_in_the_enclosure_of_their_box),
        cmocka_unit_test(a_box_in_a_box_gives_an_enclosure_in_the_enclosure),
        cmocka_unit_test(slopes_enclose_difference_quotients_and_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
