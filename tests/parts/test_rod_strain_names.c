/* SPDX-License-Identifier: Apache-2.0
 * test_rod_strain_names.c: what a rod records by the names of the growing rod's paper: strains, bend-twist, shear angle, driving force, growth power, parts of the angular
 * velocity; against lengths, energies and turns that are found in other ways. */
#include "support/growing_field.h"

#include "parts/rod_growth_observe.h"
#include "parts/rod_link.h"
#include "parts/rod_zwang.h"

static int channel_index(const zw_rods *rods, const char *name) {
    zw_channel c;
    bool       constant;
    for (int i = 0; zw_rods_field(rods, i, &c, &constant); i++) {
        if (strcmp(c.name, name) == 0) {
            return i;
        }
    }
    fail_msg("there is no channel %s", name);
    return -1;
}

static void observe(const zw_rods *rods, const zw_state *x, const char *name, double *out) {
    zw_rods_observe((void *)rods, x, channel_index(rods, name), out);
}

/* arc of the helix through two frames from its axis: the way along it, and across it radius times angle */
static double arc_of(const double *qa, const double *qb) {
    double turn[4], axis[3], own[3], d[3];
    zw_q_conj_mul(qa + 3, qb + 3, turn);
    double angle = 2.0 * atan2(zw_v3_norm(turn + 1), turn[0]);
    zw_v3_unit(own, turn + 1);
    zw_q_rotate(qa + 3, own, axis);
    zw_v3_sub(d, qb, qa);
    double along = zw_v3_dot(d, axis);
    zw_v3_addscaled(d, d, -along, axis);
    return hypot(along, zw_v3_norm(d) / (2.0 * sin(0.5 * angle)) * angle);
}

/* eq. (4), with the current length from the geometry of the helix and the grown length as it was set */
static void total_strain_is_growth_and_elastic_and_their_product(void **state) {
    enum { N = 12 };
    fixture  f;
    zw_state x;
    double   eg[N], ee[N], e[N], worst = 0.0, lengths = 0.0;
    (void)state;
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    field_place(rods, 0.8, &x);
    field_grown(rods, 0.8, rods->l);
    observe(rods, &x, "rod/r/growth_strain", eg);
    observe(rods, &x, "rod/r/elastic_strain", ee);
    observe(rods, &x, "rod/r/total_strain", e);
    for (int i = 0; i < N; i++) {
        double label = 1.0 / N, arc = arc_of(x.q + 7 * (size_t)i, x.q + 7 * (size_t)(i + 1));
        double grown = field_s((i + 1.0) / N, 0.8) - field_s((double)i / N, 0.8);
        worst = fmax(worst, fabs(ee[i] + eg[i] + ee[i] * eg[i] - (arc / label - 1.0)));
        lengths = fmax(lengths, fmax(fabs(e[i] - (arc / label - 1.0)), fabs(eg[i] - (grown / label - 1.0))));
        assert_true(eg[i] > 0.2 && fabs(ee[i]) > 1e-4);
    }
    check_below(worst, 1e-14, 1.5e-15);
    check_below(lengths, 1e-14, 2.4e-15);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void bend_twist_is_per_original_reference_and_current_length(void **state) {
    enum { N = 9 };
    fixture  f;
    zw_state x;
    double   w0[3 * N], ws[3 * N], we[3 * N], worst = 0.0;
    (void)state;
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    field_place(rods, 0.5, &x);
    field_grown(rods, 0.5, rods->l);
    observe(rods, &x, "rod/r/bend_twist_original", w0);
    observe(rods, &x, "rod/r/bend_twist_reference", ws);
    observe(rods, &x, "rod/r/bend_twist_current", we);
    for (int i = 0; i < N; i++) {
        double turn[4], w[3], length[3] = {1.0 / N, rods->l[i], arc_of(x.q + 7 * (size_t)i, x.q + 7 * (size_t)(i + 1))};
        zw_q_conj_mul(x.q + 7 * (size_t)i + 3, x.q + 7 * (size_t)(i + 1) + 3, turn);
        zw_q_log(turn, w);
        for (int h = 0; h < 3; h++) {
            worst = fmax(worst, fabs(w0[3 * i + h] * length[0] - w[h]));
            worst = fmax(worst, fabs(ws[3 * i + h] * length[1] - w[h]));
            worst = fmax(worst, fabs(we[3 * i + h] * length[2] - w[h]));
        }
    }
    check_below(worst, 1e-15, 8.3e-17);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void shear_angle_is_the_one_between_centre_line_and_section(void **state) {
    const double pressed[3] = {0, 0, 0.99}, pulled[3] = {0, 0, 1.2}, sheared[3] = {0.03, 0.04, 1.0}, both[3] = {0.3, -0.1, 0.8};
    (void)state;
    assert_true(zw_rod_shear_angle(pressed) == 0.0 && zw_rod_shear_angle(pulled) == 0.0);
    check_near(zw_rod_shear_angle(sheared), atan(0.05), 1e-16);
    check_near(cos(zw_rod_shear_angle(both)), 0.8 / sqrt(0.09 + 0.01 + 0.64), 1e-15);
    /* a rod of the library, pressed by 1 %: 0 to the last bit */
    enum { N = 5 };
    fixture  f;
    zw_state x;
    double   angle[N], ee[N];
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i <= N; i++) {
        zw_v3_scale(x.q + 7 * (size_t)i, 0.99, x.q + 7 * (size_t)i);
    }
    observe(rods, &x, "rod/r/shear_angle", angle);
    observe(rods, &x, "rod/r/elastic_strain", ee);
    for (int i = 0; i < N; i++) {
        check_near(angle[i], 0.0, 1e-15);
        check_near(ee[i], -0.01, 1e-15);
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* ---- energy of the links at fixed nodes, l, k0 and C moved */
typedef struct grown {
    const zw_rods *rods;
    const double  *q, *l, *natural, *stiffness; /* as they are */
    const double  *ldot, *kdot, *cdot;
} grown;

static void energy_along(const void *user, double tau, double *value) {
    const grown *g = user;
    for (int i = 0; i < g->rods->nlinks; i++) {
        g->rods->l[i] = g->l[i] + tau * g->ldot[i];
        for (int h = 0; h < 6; h++) {
            g->rods->natural[6 * i + h] = g->natural[6 * i + h] + tau * g->kdot[6 * i + h];
            g->rods->stiffness[6 * i + h] = g->stiffness[6 * i + h] + tau * g->cdot[6 * i + h];
        }
    }
    *value = zw_rods_elastic_energy(g->rods, &g->rods->rod[0], g->q);
}

static void growth_power_is_the_rate_of_the_energy_at_fixed_nodes(void **state) {
    enum { N = 8 };
    fixture  f;
    zw_state x;
    double   l[N], natural[6 * N], stiffness[6 * N], ldot[N], kdot[6 * N], cdot[6 * N], slope, none[6 * N] = {0};
    uint64_t seed = 11;
    (void)state;
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    field_place(rods, 0.6, &x);
    field_grown(rods, 0.6, rods->l);
    for (int i = 0; i < N; i++) {
        ldot[i] = 0.05 * (1.0 + noise(&seed));
        for (int h = 0; h < 6; h++) {
            kdot[6 * i + h] = h < 3 ? noise(&seed) : 0.0;
            cdot[6 * i + h] = rods->stiffness[6 * i + h] * noise(&seed);
        }
    }
    memcpy(l, rods->l, sizeof l);
    memcpy(natural, rods->natural, sizeof natural);
    memcpy(stiffness, rods->stiffness, sizeof stiffness);
    grown        g = {rods, x.q, l, natural, stiffness, ldot, kdot, cdot};
    zw_rod_rates rates = {.l = ldot, .natural = kdot, .stiffness = cdot};
    field_slope(energy_along, &g, 1, 1e-3, &slope);
    energy_along(&g, 0.0, &(double){0});
    check_relative(zw_rod_growth_power(rods, &rods->rod[0], &x, &rates), slope, 1e-12);
    /* one after the other */
    zw_rod_rates lengths = {.l = ldot}, bends = {.natural = kdot}, stiffs = {.stiffness = cdot};
    double       sum = zw_rod_growth_power(rods, &rods->rod[0], &x, &lengths) + zw_rod_growth_power(rods, &rods->rod[0], &x, &bends) +
                 zw_rod_growth_power(rods, &rods->rod[0], &x, &stiffs);
    check_relative(sum, slope, 1e-12);
    /* the driving force of a link is what its own length gives */
    double force[N], worst = 0.0;
    observe(rods, &x, "rod/r/driving_force", force);
    for (int i = 0; i < N; i++) {
        double alone[N] = {0}, dE;
        alone[i] = 1.0;
        grown one = {rods, x.q, l, natural, stiffness, alone, none, none};
        field_slope(energy_along, &one, 1, 1e-4, &dE);
        worst = fmax(worst, fabs(dE + force[i]) / fabs(force[i]));
    }
    energy_along(&g, 0.0, &(double){0});
    check_below(worst, 3e-11, 5.8e-13);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* ---- angular velocity: the three parts against those of the field in closed form */
static void parts_of_the_angular_velocity_are_those_of_the_field(void **state) {
    enum { MESHES = 3, MOST = 80 };
    const double t = 0.7;
    double       error[3][MESHES];
    (void)state;
    for (int mesh = 0; mesh < MESHES; mesh++) {
        int           n = 20 << mesh;
        fixture       f;
        zw_state      x;
        static double growth[3 * (MOST + 1)], elastic[3 * (MOST + 1)], rigid[3 * (MOST + 1)], ldot[MOST];
        field_open(&f, n);
        fixture_state(&f, &x);
        const zw_rods *rods = fixture_rods(&f);
        field_place(rods, t, &x);
        field_grown(rods, t, rods->l);
        for (int i = 0; i < n; i++) {
            field_at at[2] = {{.S = rods->label[i], .t = t}, {.S = rods->label[i + 1], .t = t}};
            double   rate[2][2];
            field_slope(field_lengths, &at[0], 2, 0.01, rate[0]);
            field_slope(field_lengths, &at[1], 2, 0.01, rate[1]);
            ldot[i] = rate[1][0] - rate[0][0];
        }
        zw_rod_rates rates = {.l = ldot};
        zw_rod_spin_parts(rods, &rods->rod[0], &x, &rates, growth, elastic);
        observe(rods, &x, "rod/r/spin_rigid", rigid);
        double most[3] = {0}, sum = 0.0;
        for (int i = 0; i <= n; i++) {
            double   S = rods->label[i], w[3], spin[3], own[3], rate[2], Gamma[3];
            field_at at = {.S = S, .t = t};
            field_bend(S, t, w);
            field_spin(S, t, spin);
            field_spin_rigid(S, t, own);
            field_slope(field_lengths, &at, 2, 0.01, rate);
            field_strain(S, t, Gamma);
            double lambda = field_stretch(S, t), stretch = zw_v3_norm(Gamma);
            for (int h = 0; h < 3; h++) {
                double g = w[h] / lambda * rate[0], e = w[h] / (lambda * stretch) * (rate[1] - stretch * rate[0]);
                most[0] = fmax(most[0], fabs(growth[3 * i + h] - g));
                most[1] = fmax(most[1], fabs(elastic[3 * i + h] - e));
                most[2] = fmax(most[2], fabs(rigid[3 * i + h] - own[h]));
                sum = fmax(sum, fabs(growth[3 * i + h] + elastic[3 * i + h] + rigid[3 * i + h] - spin[h]));
            }
        }
        check_below(sum, 1e-12, 1.1e-16);
        for (int k = 0; k < 3; k++) {
            error[k][mesh] = most[k];
        }
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
    for (int k = 0; k < 3; k++) {
        check_order(error[k], MESHES, 2.0, 2.0, 0.15);
    }
    check_below(error[0][MESHES - 1], 3e-5, 1.9e-5); /* of 0.6 rad/s */
    check_below(error[1][MESHES - 1], 2e-6, 1.1e-6);
    check_below(error[2][MESHES - 1], 3e-5, 1.8e-5);
}

static void a_rigid_spin_has_no_growth_and_no_elastic_part(void **state) {
    enum { N = 10 };
    const double spin[3] = {1.5, -2.0, 3.0};
    fixture      f;
    zw_state     x;
    double       growth[3 * (N + 1)], elastic[3 * (N + 1)], rigid[3 * (N + 1)], left[3 * N];
    (void)state;
    field_open(&f, N);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    field_place(rods, 0.4, &x);
    field_grown(rods, 0.4, rods->l);
    for (int i = 0; i <= N; i++) {
        zw_q_rotate_back(x.q + 7 * (size_t)i + 3, spin, x.v + 6 * (size_t)i);
        zw_v3_cross(x.v + 6 * (size_t)i + 3, spin, x.q + 7 * (size_t)i);
    }
    observe(rods, &x, "rod/r/spin_growth", growth);
    observe(rods, &x, "rod/r/spin_elastic", elastic);
    observe(rods, &x, "rod/r/spin_rigid", rigid);
    observe(rods, &x, "rod/r/compatibility", left);
    assert_true(largest(3 * (N + 1), growth) == 0.0);
    check_below(largest(3 * (N + 1), elastic), 1e-13, 1.1e-16);
    for (int i = 0; i <= N; i++) {
        double own[3];
        zw_v3_sub(own, rigid + 3 * (size_t)i, x.v + 6 * (size_t)i);
        check_below(zw_v3_norm(own), 1e-13, 5.6e-17);
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* a ring is counted from its first node; its last link closes it */
static void a_ring_has_all_of_it(void **state) {
    enum { N = 12 };
    fixture  f;
    zw_state x;
    double   eg[N], e[N], power;
    (void)state;
    fixture_system(
        &f, "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 12, shape: {ring: [1, 0, 0]}, natural: start, section: {round: 0.02}, "
            "material: {density: 1000, young: 1e6, poisson: 0.25}}}\n");
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i < N; i++) {
        rods->l[i] *= 1.25;
    }
    observe(rods, &x, "rod/r/growth_strain", eg);
    observe(rods, &x, "rod/r/total_strain", e);
    observe(rods, &x, "rod/r/growth_power", &power);
    for (int i = 0; i < N; i++) {
        check_near(eg[i], 0.25, 1e-14);
        check_near(e[i], 0.0, 1e-14);
    }
    assert_true(power == 0.0); /* nothing grows just now */
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(total_strain_is_growth_and_elastic_and_their_product),
        cmocka_unit_test(bend_twist_is_per_original_reference_and_current_length),
        cmocka_unit_test(shear_angle_is_the_one_between_centre_line_and_section),
        cmocka_unit_test(growth_power_is_the_rate_of_the_energy_at_fixed_nodes),
        cmocka_unit_test(parts_of_the_angular_velocity_are_those_of_the_field),
        cmocka_unit_test(a_rigid_spin_has_no_growth_and_no_elastic_part),
        cmocka_unit_test(a_ring_has_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
