/* SPDX-License-Identifier: Apache-2.0
 * test_geodesic.c: theorem 3. With energy kept and V < E everywhere, the path of a linked system with elastic impacts is a billiard: geodesics of the metric
 * (E - V) A, reflected at the walls in that metric. The geodesics are computed here on their own, as the flow of
 *   H(q, p) = p' A^-1 p / (2 (E - V)) = 1,   in the parameter s of arc,
 * with reflections p+ = p - 2 (n' A^-1 p)/(n' A^-1 n) n; dt = ds/(E - V) is added up only to know where to compare. The engine moves in time by Gauss's principle. */
#include "support/ledger.h"

/* double pendulum of unit masses and links, wall x <= 0.5 for both masses */
static const double g = 9.81, wall = 0.5;

typedef struct geodesic {
    double y[5]; /* a, b, p_a, p_b, t */
    double E;
    int    bounces;
} geodesic;

static double potential(const double *y) {
    return -g * (2.0 * cos(y[0]) + cos(y[1]));
}

static void flow(double E, const double *y, double *d) {
    double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]), D = 2.0 - c * c, p = y[2], q = y[3], left = E - potential(y);
    double K = (p * p - 2.0 * c * p * q + 2.0 * q * q) / D, Kc = -2.0 * p * q / D + 2.0 * c * K / D;
    d[0] = (p - c * q) / D / left;
    d[1] = (2.0 * q - c * p) / D / left;
    d[2] = -(-s * Kc / left + K * 2.0 * g * sin(y[0]) / (left * left)) / 2.0;
    d[3] = -(s * Kc / left + K * g * sin(y[1]) / (left * left)) / 2.0;
    d[4] = 1.0 / left;
}

static void step(double E, const double *y, double h, double *out) { /* Runge and Kutta's */
    double k[4][5], z[5];
    flow(E, y, k[0]);
    for (int j = 1; j < 4; j++) {
        for (int i = 0; i < 5; i++) {
            z[i] = y[i] + (j == 3 ? h : 0.5 * h) * k[j - 1][i];
        }
        flow(E, z, k[j]);
    }
    for (int i = 0; i < 5; i++) {
        out[i] = y[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static double gap(const double *y, int mass) {
    return wall - sin(y[0]) - (mass > 0 ? sin(y[1]) : 0.0);
}

static void reflect(geodesic *k, int mass) {
    double *y = k->y, c = cos(y[0] - y[1]), D = 2.0 - c * c, n[2] = {-cos(y[0]), mass > 0 ? -cos(y[1]) : 0.0};
    double  up = (n[0] * (y[2] - c * y[3]) + n[1] * (2.0 * y[3] - c * y[2])) / D;
    double  size = (n[0] * (n[0] - c * n[1]) + n[1] * (2.0 * n[1] - c * n[0])) / D;
    for (int i = 0; i < 2; i++) {
        y[2 + i] -= 2.0 * up / size * n[i];
    }
    k->bounces++;
}

/* along the geodesic until its time is t */
static void follow(geodesic *k, double t, double ds) {
    while (k->y[4] < t) {
        double z[5], h = ds;
        int    hit = -1;
        step(k->E, k->y, h, z);
        if (z[4] > t) { /* the last part: Newton on the length of the step */
            for (int i = 0; i < 20; i++) {
                h -= (z[4] - t) * (k->E - potential(z));
                step(k->E, k->y, h, z);
            }
            z[4] = t;
        }
        for (int mass = 0; mass < 2; mass++) {
            if (gap(z, mass) < 0.0 && gap(k->y, mass) > 0.0) {
                double lo = 0.0, hi = h;
                for (int i = 0; i < 200 && hi - lo > 1e-16 * ds; i++) {
                    double mid = 0.5 * (lo + hi), at[5];
                    step(k->E, k->y, mid, at);
                    if (gap(at, mass) > 0.0) {
                        lo = mid;
                    } else {
                        hi = mid;
                    }
                }
                h = lo;
                hit = mass;
                step(k->E, k->y, h, z);
            }
        }
        memcpy(k->y, z, sizeof z);
        if (hit >= 0) {
            reflect(k, hit);
        }
    }
}

static void geodesics_reproduce_the_path_over_ten_bounces(void **state) {
    (void)state;
    static ledger     l;
    static const char text[] = "zwang: 1\nbodies:\n  arm:\n    lagrangian:\n      coordinates: [a, b]\n      particles:\n"
                               "        upper: {mass: 1, position: [sin(a), 0, -cos(a)]}\n"
                               "        lower: {mass: 1, position: [sin(a) + sin(b), 0, -cos(a) - cos(b)]}\n"
                               "      potential: -9.81*(2*cos(a) + cos(b))\n"
                               "      start: {a: -1.5, b: -2, adot: 6, bdot: 4}\n"
                               "constraints: {wall: {unilateral: x <= 0.5, on: arm, points: [upper, lower]}}\n"
                               "run: {until: 20, integrator: gauss}\n";
    double            worst = 0.0;
    geodesic          k = {.y = {-1.5, -2.0}};
    double            c = cos(0.5);
    ledger_open(&l, text);
    k.y[2] = 2.0 * 6.0 + c * 4.0;
    k.y[3] = c * 6.0 + 4.0;
    k.E = 0.5 * (6.0 * k.y[2] + 4.0 * k.y[3]) + potential(k.y);
    assert_true(k.E > 3.0 * g); /* V < E everywhere */
    while (k.bounces < 10 || ledger_summary(&l).impacts < 10) {
        fixture_must(&l.f, zw_run_advance(l.f.r, 1), "zw_run_advance");
        assert_false(zw_run_done(l.f.r));
        const zw_state *x = zw_run_state(l.f.r);
        follow(&k, x->t, 0.004);
        worst = fmax(worst, largest_difference(2, x->q, k.y));
    }
    assert_int_equal(k.bounces, ledger_summary(&l).impacts);
    check_below(worst, 1e-9, 4.2e-11);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(geodesics_reproduce_the_path_over_ten_bounces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
