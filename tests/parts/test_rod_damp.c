/* SPDX-License-Identifier: Apache-2.0
 * test_rod_damp.c: Kelvin-Voigt damping: force and metric are of one D, D dissipates and keeps momenta, modes decay as eta omega^2/2, energy is accounted
 * for, and damping never costs stability. */
#define _GNU_SOURCE /* M_PI */
#include "support/model.h"

#include "math/dense.h"
#include "math/quat.h"

static const char *const rod_and_ring = "zwang: 1\n"
                                        "bodies:\n"
                                        "  a:\n"
                                        "    rod:\n"
                                        "      length: 1.2\n"
                                        "      elements: 4\n"
                                        "      section: {rectangle: [0.1, 0.05]}\n"
                                        "      material: {density: 100, young: 1e4, poisson: 0.3, damping: 0.02*(1 + s)}\n"
                                        "      shape: {curvature: [1, -2, 1.5]}\n"
                                        "  b:\n"
                                        "    rod:\n"
                                        "      length: 1\n"
                                        "      elements: 5\n"
                                        "      along: [0, 1, 0]\n"
                                        "      shape: {ring: [1, 0, 0]}\n"
                                        "      section: {round: 0.04}\n"
                                        "      material: {density: 100, young: 1e4, poisson: 0.3, damping: 0.01}\n";

static void multiply(const zw_metric *H, const double *v, double *out) {
    const zw_matrix *a = &H->part[0];
    memset(out, 0, sizeof(double) * (size_t)a->n);
    for (int row = 0; row < a->n / 6; row++) {
        for (int k = a->start[row]; k < a->start[row + 1]; k++) {
            for (int h = 0; h < 36; h++) {
                out[6 * row + h / 6] += a->a[36 * k + h] * v[6 * a->col[k] + h % 6];
            }
        }
    }
}

static void force_and_metric_are_of_one_damping_matrix(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 2;
    double   worst = 0.0, symmetry = 0.0, force_sum = 0.0, moment_sum = 0.0, power_max = -HUGE_VAL;
    (void)state;
    fixture_system(&f, rod_and_ring);
    fixture_state(&f, &x);
    int    n = zw_system_size(f.y).nv;
    double damp[100], Hv[100], Mv[100], v1[100], v2[100], u1[100], u2[100];
    for (int trial = 0; trial < 20; trial++) {
        fixture_must(&f, zw_system_start(f.y, &x), "start");
        shake(f.y, &x, 0.3, 0.05, 1.0, &seed);
        memset(damp, 0, sizeof damp);
        zw_system_damp(f.y, &x, damp);
        /* (M + h D) v - (M + 0 D) v = -h damp(v) */
        multiply(zw_system_damp_metric(f.y, &x, 0.37), x.v, Hv);
        multiply(zw_system_damp_metric(f.y, &x, 0.0), x.v, Mv);
        double power = 0.0, sum[3] = {0}, moment[3] = {0}, scale = largest(n, damp);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(Hv[i] - Mv[i] + 0.37 * damp[i]) / scale);
            power += damp[i] * x.v[i];
            v1[i] = noise(&seed);
            v2[i] = noise(&seed);
        }
        power_max = fmax(power_max, power / scale);
        for (int i = 0; i < n / 6; i++) {
            double T[3], arm[3];
            zw_q_rotate(x.q + 7 * i + 3, damp + 6 * i, T);
            zw_v3_cross(arm, x.q + 7 * i, damp + 6 * i + 3);
            zw_v3_add(sum, sum, damp + 6 * i + 3);
            zw_v3_add(moment, moment, T);
            zw_v3_add(moment, moment, arm);
        }
        force_sum = fmax(force_sum, largest(3, sum) / scale);
        moment_sum = fmax(moment_sum, largest(3, moment) / scale);
        const zw_metric *H = zw_system_damp_metric(f.y, &x, 0.37);
        multiply(H, v1, u1);
        multiply(H, v2, u2);
        double a = 0.0, b = 0.0;
        for (int i = 0; i < n; i++) {
            a += v2[i] * u1[i];
            b += v1[i] * u2[i];
        }
        symmetry = fmax(symmetry, fabs(a - b) / (fabs(a) + scale));
    }
    check_below(worst, 1e-13, 1.7e-16);
    check_below(symmetry, 1e-13, 1.1e-16);
    check_below(force_sum, 1e-14, 1.9e-16);
    check_below(moment_sum, 1e-14, 1.5e-16);
    assert_true(power_max < 0.0);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* the damping force of a motion is that of the rate of strain: -eta * power = l rate.C rate, rates by differences */
static void power_is_that_of_the_strain_rates(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 21;
    double   worst = 0.0;
    (void)state;
    fixture_system(&f, rod_and_ring);
    fixture_state(&f, &x);
    shake(f.y, &x, 0.3, 0.05, 1.0, &seed);
    const zw_rods *rods = fixture_rods(&f);
    int            n = zw_system_size(f.y).nv;
    double         damp[100] = {0}, dv[100], q[100], power = 0.0, want = 0.0, step = 5e-3;
    zw_system_damp(f.y, &x, damp);
    for (int i = 0; i < n; i++) {
        power += damp[i] * x.v[i];
    }
    for (int i_rod = 0; i_rod < 2; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int link = 0; link < r->nlinks; link++) {
            double rate[6] = {0};
            for (int k = -4; k <= 4; k++) {
                double strain[6];
                if (k == 0) {
                    continue;
                }
                for (int i = 0; i < n; i++) {
                    dv[i] = k * step * x.v[i];
                }
                zw_system_retract(f.y, x.q, dv, q);
                zw_rod_link_strain(rods, r, link, q, strain);
                for (int i = 0; i < 6; i++) {
                    rate[i] += (k > 0 ? 1 : -1) * difference8[(k > 0 ? k : -k) - 1] * strain[i] / step;
                }
            }
            int j = r->link0 + link;
            for (int i = 0; i < 6; i++) {
                want -= rods->damping[j] * rods->l[j] * rods->stiffness[6 * j + i] * rate[i] * rate[i];
            }
        }
    }
    worst = fabs(power / want - 1.0);
    check_below(worst, 5e-13, 6.9e-15);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* a mode q'' + 2 sigma q' + omega^2 q = 0: (v + sigma x)^2 + (omega^2 - sigma^2) x^2 falls as exp(-2 sigma t) */
static double decayed(double x, double v, double omega, double sigma) {
    return (v + sigma * x) * (v + sigma * x) + (omega * omega - sigma * sigma) * x * x;
}

static void axial_mode_decays_as_kelvin_voigt(void **state) {
    fixture f;
    stepper s;
    double  L = 1.0, c = 100.0, eta = 1e-4; /* c = sqrt(E/rho) */
    enum { N = 20 };
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 20\n      section: {square: 0.1}\n"
        "      material: {density: 1000, young: 1e7, poisson: 0.25, damping: 1e-4}\n      velocity: {director: [0, 0, 1e-4*cos(pi*s)]}\n");
    stepper_open(&s, &f, 1e-4);
    double l = L / N, omega = 2.0 / l * c * sin(0.5 * M_PI * l / L),
           sigma = 0.5 * eta * omega * omega; /* of the chain with half end masses */
    long steps = 1000;                        /* five periods, sigma t = 0.49 */
    stepper_go(&s, steps);
    double         x = 0.0, v = 0.0, norm = 0.0;
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i <= N; i++) {
        double mode = cos(M_PI * i / N), m = rods->mass[i];
        x += m * mode * (stepper_x(&s)->q[7 * i + 2] - L * i / N);
        v += m * mode * stepper_x(&s)->v[6 * i + 5];
        norm += m * mode * mode;
    }
    double rate = -log(decayed(x / norm, v / norm, omega, sigma) / decayed(0.0, 1e-4, omega, sigma)) / (2.0 * s.h * (double)steps);
    check_below(fabs(rate / sigma - 1.0), 1e-5, 1.7e-07);
    stepper_close(&s);
    fixture_close(&f);
}

static void bending_mode_decays_as_kelvin_voigt(void **state) {
    fixture f;
    stepper s;
    enum { N = 12, NV = 6 * (N + 1) };
    static double K[NV * NV], values[NV], vectors[NV * NV];
    double        eta = 2e-3;
    (void)state;
    fixture_system(&f, "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 12\n      section: {rectangle: [0.03, 0.02]}\n"
                       "      material: {density: 1000, young: 1e7, poisson: 0.25, damping: 2e-3}\n");
    stepper_open(&s, &f, 1e-4);
    const zw_rods *rods = fixture_rods(&f);
    zw_state      *x = stepper_x(&s);
    double         dv[NV], q[7 * (N + 1)], f0[NV], f1[NV], root[NV];
    zw_state       moved = *x;
    moved.q = q;
    for (int i = 0; i < NV; i++) {
        root[i] = sqrt(i % 6 < 3 ? rods->inertia[3 * (i / 6) + i % 6] : rods->mass[i / 6]);
    }
    for (int i = 0; i < NV; i++) { /* M^-1/2 K M^-1/2 */
        for (int side = 0; side < 2; side++) {
            memset(dv, 0, sizeof dv);
            dv[i] = side == 0 ? 1e-6 : -1e-6;
            zw_system_retract(f.y, x->q, dv, q);
            fixture_must(&f, zw_system_force(f.y, &moved, side == 0 ? f0 : f1), "force");
        }
        for (int k = 0; k < NV; k++) {
            K[NV * k + i] = -(f0[k] - f1[k]) / 2e-6 / root[i] / root[k];
        }
    }
    for (int i = 0; i < NV; i++) {
        for (int k = 0; k < i; k++) {
            K[NV * i + k] = K[NV * k + i] = 0.5 * (K[NV * i + k] + K[NV * k + i]);
        }
    }
    assert_true(zw_sym_eigen(NV, K, values, vectors));
    int at = -1; /* the lowest that is not rigid */
    for (int i = 0; i < NV; i++) {
        if (values[i] > 100.0 && (at < 0 || values[i] < values[at])) {
            at = i;
        }
    }
    double omega = sqrt(values[at]), sigma = 0.5 * eta * values[at];
    /* Euler-Bernoulli about d1 (the soft way): (4.730/L)^2 sqrt(E I/(rho A)), I/A = 0.02^2/12 */
    double beam = 4.730041 * 4.730041 * sqrt(1e7 / 1000 * 0.02 * 0.02 / 12);
    check_relative(omega, beam, 0.02); /* 12 links, shear and rotary inertia; measured 1.2e-2 */
    double mode[NV], v0 = 1e-4, modal_x = 0.0, modal_v = 0.0, q_start[7 * (N + 1)];
    memcpy(q_start, x->q, sizeof q_start);
    for (int i = 0; i < NV; i++) {
        mode[i] = vectors[NV * i + at] / root[i];
        x->v[i] = v0 * mode[i];
    }
    stepper_restart(&s);
    long steps = 1500;
    stepper_go(&s, steps);
    x = stepper_x(&s);
    for (int i = 0; i < NV; i++) {
        double d = i % 6 < 3 ? 0.0 : x->q[7 * (i / 6) + i % 6 - 3] - q_start[7 * (i / 6) + i % 6 - 3];
        if (i % 6 < 3) {
            d = 2.0 * (x->q[7 * (i / 6) + 4 + i % 6] * q_start[7 * (i / 6) + 3] - x->q[7 * (i / 6) + 3] * q_start[7 * (i / 6) + 4 + i % 6]);
        }
        modal_x += mode[i] * root[i] * root[i] * d;
        modal_v += mode[i] * root[i] * root[i] * x->v[i];
    }
    double rate = -log(decayed(modal_x, modal_v, omega, sigma) / decayed(0.0, v0, omega, sigma)) / (2.0 * s.h * (double)steps);
    check_below(fabs(rate / sigma - 1.0), 5e-4, 7.3e-06);
    stepper_close(&s);
    fixture_close(&f);
}

static void energy_is_accounted_for_to_second_order(void **state) {
    enum { N = 3 };
    double drift[N], lost = 0.0, E0 = 0.0;
    (void)state;
    for (int i = 0; i < N; i++) {
        fixture f;
        stepper s;
        fixture_system(
            &f,
            "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 10\n      section: {square: 0.1}\n"
            "      material: {density: 1000, young: 1e6, poisson: 0.25, damping: 1e-3}\n      velocity: [\"sin(pi*s)^2\", 0, \"0.3*cos(pi*s)\"]\n");
        stepper_open(&s, &f, 4e-4 / (1 << i));
        zw_account a = stepper_account(&s);
        E0 = account_energy(&a);
        drift[i] = 0.0;
        for (int k = 0; k < 500 << i; k++) {
            stepper_go(&s, 1);
            a = stepper_account(&s);
            drift[i] = fmax(drift[i], fabs(account_energy(&a) - E0 + stepper_x(&s)->w[ZW_W_DISSIPATED]));
        }
        lost = stepper_x(&s)->w[ZW_W_DISSIPATED];
        stepper_close(&s);
        fixture_close(&f);
    }
    assert_true(lost > 0.05 * E0);
    check_order(drift, N, 2.0, 2.0, 0.2);
    check_below(drift[N - 1] / E0, 5e-5, 5e-06);
}

/* eta omega_max = 1000: heavily overdamped links, step at 0.9 of the undamped limit */
static void stiff_damping_stays_stable(void **state) {
    fixture  f;
    stepper  s;
    double   length;
    uint64_t seed = 77;
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 20\n      section: {square: 0.05}\n      shape: {curvature: [1, 2, 1]}\n"
        "      material: {density: 1000, young: 1e7, poisson: 0.25, damping: 0.25}\n");
    double h = 0.9 * zw_system_step_limit(f.y, &length);
    check_near(0.25 * 2.0 / (h / 0.9), 1000.0, 500.0); /* eta omega_max */
    stepper_open(&s, &f, h);
    shake(f.y, stepper_x(&s), 1e-3, 1e-4, 0.1, &seed);
    stepper_restart(&s);
    zw_account first = stepper_account(&s);
    double     most = account_energy(&first), P0[3];
    zw_v3_copy(P0, first.momentum);
    for (int i = 0; i < 100; i++) {
        stepper_go(&s, scaled_steps(50));
        zw_account a = stepper_account(&s);
        double     now = account_energy(&a);
        assert_true(now <= most * (1.0 + 1e-12));
        assert_true(stepper_x(&s)->w[ZW_W_DISSIPATED] > 0.0);
        most = now;
    }
    zw_account last = stepper_account(&s);
    /* a non-slaved start velocity must not be thrown back: nothing above the start, and the account closes to a few percent of what was lost */
    double drift = account_energy(&last) - account_energy(&first) + stepper_x(&s)->w[ZW_W_DISSIPATED];
    check_below(fabs(drift) / account_energy(&first), 1e-3, 6.6e-05);
    check_below(zw_v3_distance(last.momentum, P0) / sqrt(2 * last.mass * first.kinetic), 1e-13, 2.2e-15);
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_and_metric_are_of_one_damping_matrix), cmocka_unit_test(power_is_that_of_the_strain_rates),
        cmocka_unit_test(axial_mode_decays_as_kelvin_voigt),          cmocka_unit_test(bending_mode_decays_as_kelvin_voigt),
        cmocka_unit_test(energy_is_accounted_for_to_second_order),    cmocka_unit_test(stiff_damping_stays_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
