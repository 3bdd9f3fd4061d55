/* SPDX-License-Identifier: Apache-2.0
 * test_sweep.c: pairs of boxes against all comparisons, in their order, at all sizes, with unbounded ones and exclusions; and the cost. */
#include "support/check.h"

#include "forms.h"
#include "math/sweep.h"

#include <string.h>
#include <time.h>

enum { MOST = 600 };

static zw_context *context(void) {
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    return c;
}

static bool skip_some(void *user, int i, int j) {
    int *asked = user;
    (*asked)++;
    assert_true(i < j);
    return (i + j) % 3 == 0;
}

static size_t by_comparison(const zw_box *box, int n, bool skip, zw_pair *out) {
    size_t count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            bool valid = true;
            for (int k = 0; k < 3; k++) {
                valid = valid && box[i].low[k] <= box[i].high[k] && box[j].low[k] <= box[j].high[k];
            }
            if (valid && zw_boxes_overlap(&box[i], &box[j]) && !(skip && (i + j) % 3 == 0)) {
                out[count++] = (zw_pair){i, j};
            }
        }
    }
    return count;
}

static void random_box(samples *s, int kind, zw_box *b) {
    double x[3], h[3], scale = kind == 1 ? pow(10.0, 3.0 * sample(s) - 3.0) : kind == 3 ? 1e-320 : 0.1;
    sample_array(s, kind == 2 ? 1e9 : 1.0, x, 3);
    sample_array(s, scale, h, 3);
    for (int k = 0; k < 3; k++) {
        if (kind == 4) { /* on a lattice: boxes of size 1/4 that touch exactly */
            x[k] = floor(8.0 * x[k]) / 4.0;
            h[k] = 0.125;
        }
        b->low[k] = x[k] - fabs(h[k]);
        b->high[k] = x[k] + fabs(h[k]);
    }
}

static void pairs_are_those_of_all_comparisons_in_order(void **state) {
    (void)state;
    static zw_box  box[MOST];
    static zw_pair expected[MOST * MOST / 2];
    zw_context    *c = context();
    samples        s = {1};
    zw_sweep       sweep;
    size_t         total = 0;
    assert_int_equal(zw_sweep_init(&sweep, c, MOST, 0), ZW_OK);
    for (int round = 0; round < 60; round++) {
        int n = round < 3 ? round : (int)positive(&s, 2.0, MOST), asked = 0;
        for (int i = 0; i < n; i++) {
            random_box(&s, round % 5, &box[i]);
            if (round % 2 && i % 50 == 3) { /* a plane, all of space, nothing, not a number */
                box[i].high[i % 3] = INFINITY;
                box[i].low[(i + round) % 3] = -INFINITY;
            }
            if (round % 4 == 3 && i % 40 == 7) {
                box[i].low[1] = i % 80 == 7 ? NAN : box[i].high[1] + 1.0;
            }
            if (round % 4 == 2 && i % 30 == 5) {
                box[i].high[0] += 3.0; /* a long one */
            }
        }
        bool           skip = round % 3 == 1;
        const zw_pair *pair;
        size_t         count, want = by_comparison(box, n, skip, expected);
        assert_int_equal(zw_sweep_pairs(&sweep, box, n, skip ? skip_some : NULL, &asked, &pair, &count), ZW_OK);
        assert_int_equal(count, want);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(pair[k].i, expected[k].i);
            assert_int_equal(pair[k].j, expected[k].j);
        }
        total += count;
    }
    print_message("%zu pairs\n", total);
    assert_true(total > 4000);
    const zw_pair *pair;
    size_t         count;
    assert_int_equal(zw_sweep_pairs(&sweep, box, MOST + 1, NULL, NULL, &pair, &count), ZW_E_ARG);
    zw_sweep_destroy(&sweep);
    zw_context_destroy(c);
}

typedef struct counter {
    int calls;
} counter;

static void *counting_realloc(void *user, void *p, size_t size) {
    counter *n = user;
    n->calls++;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}

static void nothing_is_allocated_once_it_is_sized(void **state) {
    (void)state;
    static zw_box  box[MOST];
    counter        n = {0};
    zw_context_def def = zw_context_def_default();
    zw_context    *c = NULL;
    def.realloc = counting_realloc;
    def.realloc_user = &n;
    assert_int_equal(zw_context_create(&def, &c), ZW_OK);
    zw_sweep       sweep;
    samples        s = {2};
    const zw_pair *pair;
    size_t         count;
    assert_int_equal(zw_sweep_init(&sweep, c, MOST, 20000), ZW_OK);
    int before = n.calls;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < MOST; i++) {
            random_box(&s, round, &box[i]);
        }
        assert_int_equal(zw_sweep_pairs(&sweep, box, MOST, NULL, NULL, &pair, &count), ZW_OK);
    }
    assert_int_equal(n.calls, before);
    zw_sweep_destroy(&sweep);
    zw_context_destroy(c);
}

static void box_of_a_form_is_tight(void **state) {
    (void)state;
    samples s = {3};
    double  off = 0.0;
    for (int k = 0; k < 500; k++) {
        body   b;
        zw_box box;
        sample_body(&s, (zw_form_shape)(k % 5), 2.0, &b);
        zw_box_of_form(&b.placed, 0.25, &box);
        for (int i = 0; i < 3; i++) {
            double d[3] = {0.0, 0.0, 0.0};
            d[i] = 1.0;
            off = larger(off, fabs(box.high[i] - (b.placed.x[i] + (double)reach_of(&b.placed, d) + 0.25)));
            d[i] = -1.0;
            off = larger(off, fabs(box.low[i] - (b.placed.x[i] - (double)reach_of(&b.placed, d) - 0.25)));
        }
    }
    check_below(off, 1e-14, 8.9e-16);
}

static double seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* as many boxes in as much more space: pairs for each box stay the same. Times are printed, not judged. */
static void cost_is_linear_in_the_boxes(void **state) {
    (void)state;
    zw_context *c = context();
    for (int n = 1000; n <= 64000; n *= 4) {
        zw_box        *box = test_malloc((size_t)n * sizeof *box);
        samples        s = {4};
        zw_sweep       sweep;
        const zw_pair *pair;
        size_t         count;
        double         side = cbrt((double)n);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                double x = side * sample(&s), h = i % 100 == 0 ? 3.0 : 0.5 + 0.3 * sample(&s);
                box[i].low[k] = x - h;
                box[i].high[k] = x + h;
            }
        }
        assert_int_equal(zw_sweep_init(&sweep, c, n, (size_t)(16 * n)), ZW_OK);
        double begin = seconds();
        assert_int_equal(zw_sweep_pairs(&sweep, box, n, NULL, NULL, &pair, &count), ZW_OK);
        double time = seconds() - begin;
        print_message("%6d boxes: %7zu pairs, %6.2f ms, %.0f ns for each box\n", n, count, 1e3 * time, 1e9 * time / n);
        assert_true(count > (size_t)n / 2 && count < (size_t)(10 * n));
        zw_sweep_destroy(&sweep);
        test_free(box);
    }
    zw_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_all_comparisons_in_order),
        cmocka_unit_test(nothing_is_allocated_once_it_is_sized),
        cmocka_unit_test(box_of_a_form_is_tight),
        cmocka_unit_test(cost_is_linear_in_the_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
