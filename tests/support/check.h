/* SPDX-License-Identifier: Apache-2.0
 * check.h: floating-point asserts on top of cmocka. Each failure prints file:line, actual, expected, difference, tolerance.
 *
 * Environment:
 *   ZW_TOL_SCALE    multiplies every tolerance (default 1); 0 prints all residuals and fails none
 *   ZW_CHECK_SLACK  1: check_below fails a bound above 100 times its measured value, unless the bound is below 1e4 eps
 *                   of the scale (check_below: scale 1; check_below_scaled: given)
 *   ZW_TEST_SCALE   multiplies the length of long tests (default 1), see scaled_steps */
#ifndef ZW_TESTS_CHECK_H
#define ZW_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define check_near(actual, expected, tol)     check_near_at((actual), (expected), (tol), #actual, __FILE__, __LINE__)
#define check_relative(actual, expected, tol) check_relative_at((actual), (expected), (tol), #actual, __FILE__, __LINE__)
#define check_array_near(actual, expected, n, tol) \
    check_array_near_at((actual), (expected), (size_t)(n), (tol), #actual, __FILE__, __LINE__)
/* errors[i] belongs to the step h/ratio^i; every slope log(errors[i]/errors[i+1])/log(ratio) is within slack of expected_order */
#define check_order(errors, n, ratio, expected_order, slack) \
    check_order_at((errors), (int)(n), (ratio), (expected_order), (slack), #errors, __FILE__, __LINE__)
/* value <= bound; `measured` is the value seen when the bound was written */
#define check_below(value, bound, measured)               check_below_at((value), (bound), (measured), 1.0, #value, __FILE__, __LINE__)
#define check_below_scaled(value, bound, measured, scale) check_below_at((value), (bound), (measured), (scale), #value, __FILE__, __LINE__)

static inline double check_env_number(const char *name, double otherwise) {
    const char *text = getenv(name);
    if (!text || !*text) {
        return otherwise;
    }
    char  *end;
    double value = strtod(text, &end);
    if (*end || !(value >= 0.0)) {
        fprintf(stderr, "%s='%s' is not a number >= 0\n", name, text);
        exit(2);
    }
    return value;
}

static inline double check_tol_scale(void) {
    return check_env_number("ZW_TOL_SCALE", 1.0);
}

static inline double test_scale(void) {
    return check_env_number("ZW_TEST_SCALE", 1.0);
}

/* n times ZW_TEST_SCALE, at least 1 */
static inline long scaled_steps(long n) {
    double steps = floor((double)n * test_scale() + 0.5);
    return steps < 1.0 ? 1 : steps > 1e15 ? (long)1e15 : (long)steps;
}

/* the heart of all asserts: passes when difference <= tol; nan never passes */
static inline void check_difference_at(double actual, double expected, double difference, double tol, const char *what, const char *file,
                                       int line) {
    double scale = check_tol_scale();
    if (scale == 0.0) {
        print_message("%s:%d: %s: actual %.17g, expected %.17g, difference %.3e, tolerance %.3e\n", file, line, what, actual, expected,
                      difference, tol);
        return;
    }
    if (!(difference <= tol * scale)) {
        print_error("%s:%d: %s\n    actual     %.17g\n    expected   %.17g\n    difference %.6e\n    tolerance  %.6e\n", file, line, what,
                    actual, expected, difference, tol * scale);
        _fail(file, line);
    }
}

static inline double check_distance(double actual, double expected) {
    return actual == expected ? 0.0 : fabs(actual - expected); /* equal infinities have distance 0 */
}

static inline void check_near_at(double actual, double expected, double tol, const char *what, const char *file, int line) {
    check_difference_at(actual, expected, check_distance(actual, expected), tol, what, file, line);
}

/* |actual - expected| <= tol * |expected| */
static inline void check_relative_at(double actual, double expected, double tol, const char *what, const char *file, int line) {
    double distance = check_distance(actual, expected);
    check_difference_at(actual, expected, distance == 0.0 ? 0.0 : distance / fabs(expected), tol, what, file, line);
}

/* reports the element that is worst */
static inline void check_array_near_at(const double *actual, const double *expected, size_t n, double tol, const char *what,
                                       const char *file, int line) {
    size_t worst = 0;
    double most = -1.0;
    for (size_t i = 0; i < n; i++) {
        double d = check_distance(actual[i], expected[i]);
        if (isnan(d) || d > most) {
            most = d;
            worst = i;
            if (isnan(d)) {
                break;
            }
        }
    }
    if (n > 0) {
        char name[160];
        snprintf(name, sizeof name, "%.100s[%zu] (worst of %zu)", what, worst, n);
        check_difference_at(actual[worst], expected[worst], most, tol, name, file, line);
    }
}

static inline void check_order_at(const double *errors, int n, double ratio, double expected_order, double slack, const char *what,
                                  const char *file, int line) {
    for (int i = 0; i + 1 < n; i++) {
        double slope = log(errors[i] / errors[i + 1]) / log(ratio);
        char   name[200];
        snprintf(name, sizeof name, "order of %.60s between [%d] = %.6e and [%d] = %.6e", what, i, errors[i], i + 1, errors[i + 1]);
        check_difference_at(slope, expected_order, fabs(slope - expected_order), slack, name, file, line);
    }
}

static inline void check_below_at(double value, double bound, double measured, double scale, const char *what, const char *file, int line) {
    double tol_scale = check_tol_scale();
    if (tol_scale == 0.0) {
        print_message("%s:%d: %s: value %.6e, measured once %.6e, bound %.3e\n", file, line, what, value, measured, bound);
        return;
    }
    if (!(value <= bound * tol_scale)) {
        print_error("%s:%d: %s\n    value    %.17g\n    bound    %.6e\n    excess   %.6e\n    measured %.6e when the bound was written\n",
                    file, line, what, value, bound * tol_scale, value - bound * tol_scale, measured);
        _fail(file, line);
    }
    bool strict = check_env_number("ZW_CHECK_SLACK", 0.0) == 1.0;
    if (strict && bound > 100.0 * measured && bound >= 1e4 * DBL_EPSILON * scale) {
        print_error("%s:%d: %s: the bound %.6e is more than 100 times the measured %.6e\n", file, line, what, bound, measured);
        _fail(file, line);
    }
}

#endif
