/* SPDX-License-Identifier: Apache-2.0
 * test_growing_rods_kinematics.c: equations (1) to (27) of "Gauss principle of least constraint for Cosserat growing elastic rod dynamics" (Xue, Qu, Chen 2015), on a field in
 * closed form (support/growing_field.h) and on rods of the library: what holds as printed, what holds as corrected, and that the printed form does not where it was corrected. */
#include "support/growing_field.h"

#include "analysis/compatibility.h"
#include "parts/rod_growth_observe.h"
#include "parts/rod_link.h"

static const double T = 0.7;

/* ---- (6): a segment that is dS long grows by its own change of length; the printed second term is the motion of its far end */
static void equation_6_growth_of_a_segment(void **state) {
    const double S = 0.6, dS = 1e-3, dt = 1e-3;
    double       before = field_s(S + dS, T) - field_s(S, T), after = field_s(S + dS, T + dt) - field_s(S, T + dt);
    field_at     at = {.S = S, .t = T};
    double       rate[2];
    (void)state;
    field_slope(field_lengths, &at, 2, 0.01, rate);
    double rate_of_stretch = (field_stretch(S, T + 1e-4) - field_stretch(S, T - 1e-4)) / 2e-4;
    double corrected = field_stretch(S, T) * dS + rate_of_stretch * dS * dt, printed = field_stretch(S, T) * dS + rate[0] * dt;
    check_below(fabs(corrected - after) / dS, 3e-4, 7.5e-5); /* of order dS */
    assert_true(fabs(printed - after) > 0.1 * dS);           /* the way of the end, which the segment shares */
    assert_true(after > before);
}

/* ---- (8), (11), (12), with (14), (15): Omega = w_s ds/dt + w_se dse/dt + Omega_r, dse/dt at fixed s and Omega_r at fixed se */
static void equation_11_parts_of_the_angular_velocity(void **state) {
    double corrected = 0.0, twice = 0.0, at_label = 0.0;
    (void)state;
    for (int i = 1; i <= 10; i++) {
        double   S = 0.1 * i, w[3], spin[3], own[3], rate[2], Gamma[3];
        field_at at = {.S = S, .t = T};
        field_bend(S, T, w);
        field_spin(S, T, spin);
        field_spin_rigid(S, T, own);
        field_slope(field_lengths, &at, 2, 0.01, rate);
        field_strain(S, T, Gamma);
        double lambda = field_stretch(S, T), stretch = zw_v3_norm(Gamma), at_fixed_s = rate[1] - stretch * rate[0];
        for (int h = 0; h < 3; h++) {
            double grow = w[h] / lambda * rate[0], elastic = w[h] / (lambda * stretch) * at_fixed_s;
            corrected = fmax(corrected, fabs(grow + elastic + own[h] - spin[h]));
            /* dse/dt taken at a fixed label counts growth twice */
            twice = fmax(twice, fabs(grow + w[h] / (lambda * stretch) * rate[1] + own[h] - spin[h]));
            /* with (14) the rest is the rate at fixed s, which holds the elastic part already */
            at_label = fmax(at_label, fabs(grow + elastic + (spin[h] - grow) - spin[h]));
        }
    }
    check_below(corrected, 1e-12, 5.5e-14);
    assert_true(twice > 0.1);
    assert_true(at_label > 0.01);
}

/* ---- (17), (19): derivatives by differences of the field itself, per reference length, at a fixed label; correct as printed */
static void bend_along_time(const void *user, double tau, double *value) {
    const field_at *at = user;
    field_bend(at->S, at->t + tau, value);
    zw_v3_scale(value, 1.0 / field_stretch(at->S, at->t + tau), value);
}

static void spin_along_label(const void *user, double tau, double *value) {
    const field_at *at = user;
    field_spin(at->S + tau, at->t, value);
}

static void equation_19_holds_as_printed(void **state) {
    double worst = 0.0, other_sign = 0.0, without_growth = 0.0;
    (void)state;
    for (int i = 1; i < 10; i++) {
        field_at at = {.S = 0.1 * i, .t = T};
        double   w[3], spin[3], wdot[3], dspin[3], turned[3], lambda = field_stretch(at.S, T);
        field_bend(at.S, T, w);
        zw_v3_scale(w, 1.0 / lambda, w);
        field_spin(at.S, T, spin);
        field_slope(bend_along_time, &at, 3, 0.02, wdot);
        field_slope(spin_along_label, &at, 3, 0.02, dspin);
        zw_v3_scale(dspin, 1.0 / lambda, dspin);
        zw_v3_cross(turned, spin, w);
        double rate = (field_stretch(at.S, T + 1e-4) - field_stretch(at.S, T - 1e-4)) / 2e-4 / lambda; /* d(ds/dt)/ds */
        for (int h = 0; h < 3; h++) {
            worst = fmax(worst, fabs(wdot[h] - (dspin[h] - w[h] * rate - turned[h])));
            other_sign = fmax(other_sign, fabs(wdot[h] - (dspin[h] - w[h] * rate + turned[h])));
            without_growth = fmax(without_growth, fabs(wdot[h] - (dspin[h] - turned[h])));
        }
    }
    check_below(worst, 5e-11, 1.7e-12);
    assert_true(other_sign > 0.1 && without_growth > 0.05);
}

/* the residual of (19) of a rod from frames at t - dt, t, t + dt: of second order in both */
static double residual_of_frames(int n, double dt) {
    fixture       f;
    zw_state      x[3];
    static double l[3][200], out[600], size[200];
    double        most = 0.0;
    field_open(&f, n);
    const zw_rods          *rods = fixture_rods(&f);
    zw_compatibility_frames frames = {.dt = dt};
    for (int i = 0; i < 3; i++) {
        fixture_state(&f, &x[i]);
        field_place(rods, T + (i - 1) * dt, &x[i]);
        field_grown(rods, T + (i - 1) * dt, l[i]);
        frames.q[i] = x[i].q;
        frames.l[i] = l[i];
    }
    frames.v = x[1].v;
    zw_compatibility_residual(rods, &rods->rod[0], &frames, out, size);
    most = largest(3 * n, out);
    for (int i = 0; i < 3; i++) {
        zw_state_destroy(f.c, &x[i]);
    }
    fixture_close(&f);
    return most;
}

static void equation_19_from_frames_is_of_second_order(void **state) {
    double both[3], step[3], mesh[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        both[i] = residual_of_frames(20 << i, 0.04 / (1 << i));
        step[i] = residual_of_frames(160, 0.2 / (1 << i));
        mesh[i] = residual_of_frames(6 << i, 1e-3);
    }
    check_order(both, 3, 2.0, 2.0, 0.1);
    check_order(step, 3, 2.0, 2.0, 0.1);
    check_order(mesh, 3, 2.0, 2.0, 0.2);
    check_below(both[2], 1e-4, 3.5e-5);
}

/* ---- (21) to (24): the centre line leans against the sections by cos phi = (1 + g3)/|e3 + g| */
static void equation_24_angle_of_the_centre_line(void **state) {
    const double pressed[3] = {0, 0, -0.01}, some[3] = {0.02, -0.03, -0.01};
    double       Gamma[3] = {some[0], some[1], 1.0 + some[2]};
    (void)state;
    double printed = acos((1.0 + pressed[2]) / (1.0 + zw_v3_norm(pressed)));
    check_near(printed * 180.0 / 3.14159265358979323846, 11.4, 0.05); /* degrees, without any shear */
    assert_true(zw_rod_shear_angle((double[3]){0, 0, 0.99}) == 0.0);
    check_near(tan(zw_rod_shear_angle(Gamma)), hypot(some[0], some[1]) / (1.0 + some[2]), 1e-15);
    /* elastic strain is |e3 + g| - 1, which is g3 only without shear */
    check_near(zw_v3_norm(Gamma) - 1.0, some[2] + (some[0] * some[0] + some[1] * some[1]) / (2.0 * 0.99), 1e-6);
    assert_true(fabs(zw_v3_norm(Gamma) - 1.0 - some[2]) > 1e-4);
}

/* the angle of a rod: between the tangent of its centre line and d3, by places along a link */
static void equation_24_on_a_rod(void **state) {
    enum { N = 4 };
    fixture  f;
    zw_state x;
    double   worst = 0.0;
    (void)state;
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    field_place(rods, T, &x);
    for (int i = 0; i < N; i++) {
        zw_place at[2] = {{.element = i, .u = {0.5 - 1e-4, 0, 0}, .turns = true}, {.element = i, .u = {0.5 + 1e-4, 0, 0}, .turns = true}};
        zw_place mid = {.element = i, .u = {0.5, 0, 0}, .turns = true};
        zw_frame F[2], M;
        double   way[3], d3[3], across[3], strain[6];
        zw_rods_frame(rods, &x, &at[0], &F[0], NULL);
        zw_rods_frame(rods, &x, &at[1], &F[1], NULL);
        zw_rods_frame(rods, &x, &mid, &M, NULL);
        zw_v3_sub(way, F[1].r, F[0].r);
        zw_m3_column(d3, M.R, 2);
        zw_v3_cross(across, d3, way);
        zw_rod_link_strain(rods, &rods->rod[0], i, x.q, strain);
        worst = fmax(worst, fabs(atan2(zw_v3_norm(across), zw_v3_dot(d3, way)) - zw_rod_shear_angle(strain + 3)));
    }
    check_below(worst, 1e-9, 8.8e-11);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* ---- (25): a rod that has grown and is not held carries no force; subtracting the growth strain from d_s r - e3 counts it twice */
static void equation_25_growth_is_divided_out_not_taken_away(void **state) {
    enum { N = 6 };
    const double eg = 0.3;
    fixture      f;
    zw_state     x;
    (void)state;
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i < N; i++) {
        rods->l[i] *= 1.0 + eg;
    }
    for (int i = 0; i <= N; i++) {
        zw_v3_scale(x.q + 7 * (size_t)i, 1.0 + eg, x.q + 7 * (size_t)i);
    }
    for (int i = 0; i < N; i++) {
        double strain[6], stress[6], K3 = rods->stiffness[6 * i + 5];
        zw_rod_link_strain(rods, &rods->rod[0], i, x.q, strain);
        zw_rod_link_stress(rods, &rods->rod[0], i, strain, stress);
        check_below(largest(6, stress) / K3, 1e-14, 5.6e-16);
        double printed = K3 * (strain[5] - 1.0 - eg), by_label = K3 * ((strain[5] * (1.0 + eg) - 1.0) - eg) / (1.0 + eg);
        check_near(printed / K3, -eg, 1e-14);
        check_near(by_label / K3, 0.0, 1e-14);
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equation_6_growth_of_a_segment),
        cmocka_unit_test(equation_11_parts_of_the_angular_velocity),
        cmocka_unit_test(equation_19_holds_as_printed),
        cmocka_unit_test(equation_19_from_frames_is_of_second_order),
        cmocka_unit_test(equation_24_angle_of_the_centre_line),
        cmocka_unit_test(equation_24_on_a_rod),
        cmocka_unit_test(equation_25_growth_is_divided_out_not_taken_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
