/* SPDX-License-Identifier: Apache-2.0
 * samples.h: numbers for the tests of src/math: a repeatable random stream, and derivatives by an eight-point central difference
 * (error h^8/630 of the ninth derivative, h = 0.01, so round-off of some 1e-14 is what remains). */
#ifndef ZW_TESTS_SAMPLES_H
#define ZW_TESTS_SAMPLES_H

#include <math.h>
#include <stdint.h>

typedef struct samples {
    uint64_t state;
} samples;

/* splitmix64, mapped to -1..1 */
static inline double sample(samples *s) {
    uint64_t z = (s->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (double)(int64_t)(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static inline void sample_array(samples *s, double scale, double *out, int n) {
    for (int i = 0; i < n; i++) {
        out[i] = scale * sample(s);
    }
}

/* a vector of that length in a random direction */
static inline void sample_length(samples *s, double length, double out[3]) {
    double norm;
    do {
        sample_array(s, 1.0, out, 3);
        norm = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    } while (norm > 1.0 || norm < 0.1);
    for (int i = 0; i < 3; i++) {
        out[i] *= length / norm;
    }
}

static inline double most_apart(const double *a, const double *b, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        most = d > most || isnan(d) ? d : most;
    }
    return most;
}

static inline double larger(double a, double b) {
    return b > a || isnan(b) ? b : a;
}

enum { DIFFERENCE_MOST = 64 };

/* out[0..m) = d/ds f(x + s d) at s = 0 for f of n variables and m <= DIFFERENCE_MOST values */
static inline void difference(void (*f)(const double *x, const void *data, double *out), const void *data, int n, const double *x,
                              const double *d, int m, double *out) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double        h = 0.01;
    double              at[16], plus[DIFFERENCE_MOST], minus[DIFFERENCE_MOST];
    for (int i = 0; i < m; i++) {
        out[i] = 0.0;
    }
    for (int k = 3; k >= 0; k--) {
        for (int i = 0; i < n; i++) {
            at[i] = x[i] + (k + 1) * h * d[i];
        }
        f(at, data, plus);
        for (int i = 0; i < n; i++) {
            at[i] = x[i] - (k + 1) * h * d[i];
        }
        f(at, data, minus);
        for (int i = 0; i < m; i++) {
            out[i] += weight[k] * (plus[i] - minus[i]) / h;
        }
    }
}

#endif
