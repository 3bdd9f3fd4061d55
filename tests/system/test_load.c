/* SPDX-License-Identifier: Apache-2.0
 * test_load.c: loads reach the nodes with their full force and moment, dead or following, at a point or spread; gravity; what a system conserves. */
#include "support/model.h"

#include "math/quat.h"

#define BENT                                                                                                                         \
    "zwang: 1\nbodies:\n"                                                                                                            \
    "  a: {rod: {length: 2, elements: 8, along: [1, 0, 0], up: [0, 0, 1], shape: {curvature: [1, 0.5, 1]}, section: {square: 0.1}, " \
    "material: {density: 1000, young: 1e6, poisson: 0.25}}}\n"

/* total force, and total moment about the origin, of node loads f */
static void resultant(const fixture *f, const zw_state *x, const double *load, double force[3], double moment[3]) {
    zw_v3_zero(force);
    zw_v3_zero(moment);
    for (int i = 0; i < zw_system_size(f->y).nv / 6; i++) {
        double T[3], arm[3];
        zw_q_rotate(x->q + 7 * i + 3, load + 6 * i, T);
        zw_v3_cross(arm, x->q + 7 * i, load + 6 * i + 3);
        zw_v3_add(force, force, load + 6 * i + 3);
        zw_v3_add(moment, moment, T);
        zw_v3_add(moment, moment, arm);
    }
}

static void loads_of(const char *tail, double t, fixture *f, zw_state *x, double force[3], double moment[3]) {
    char   text[1000];
    double load[60] = {0};
    snprintf(text, sizeof text, BENT "%s", tail);
    fixture_system(f, text);
    fixture_state(f, x);
    fixture_must(f, zw_system_load(f->y, x, t, load), "load");
    resultant(f, x, load, force, moment);
}

static void frame_at(const fixture *f, const zw_state *x, double s, zw_frame *F) {
    const zw_part *part;
    zw_place       p;
    zw_system_parts(f->y, &part);
    assert_true(part[0].ops->place(part[0].self, 0, (double[]){s, 0, 0}, &p));
    zw_system_frame(f->y, x, &p, F, NULL);
}

/* inside a link: the resultant at the place is the load */
static void point_loads_keep_force_and_moment(void **state) {
    fixture  f;
    zw_state x;
    zw_frame F;
    double   force[3], moment[3], arm[3], want[3];
    (void)state;
    loads_of("loads:\n  p: {force: [1, 2 + t, 3], on: a, s: 0.83}\n", 0.5, &f, &x, force, moment);
    frame_at(&f, &x, 0.83, &F);
    zw_v3_cross(arm, F.r, (double[]){1, 2.5, 3});
    check_array_near(force, ((double[]){1, 2.5, 3}), 3, 1e-14);
    check_array_near(moment, arm, 3, 1e-14);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);

    loads_of(
        "loads:\n  p: {moment: [1, 2, 3], on: a, s: 0.83, axes: directors}\n  q: {force: [s, x, 0], on: a, s: 0.83, axes: directors}\n", 0,
        &f, &x, force, moment);
    frame_at(&f, &x, 0.83, &F);
    zw_m3_mulv(want, F.R, (double[]){0.83, F.r[0], 0});
    check_array_near(force, want, 3, 1e-14);
    zw_v3_cross(arm, F.r, want);
    zw_m3_mulv(want, F.R, (double[]){1, 2, 3});
    zw_v3_add(want, want, arm);
    check_array_near(moment, want, 3, 1e-14);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void spread_loads_are_per_length(void **state) {
    fixture  f;
    zw_state x;
    double   force[3], moment[3];
    (void)state;
    loads_of("loads:\n  w: {force: [3, 0, 0], on: a}\n  v: {force: [0, s, 0], on: a, per: length}\n", 0, &f, &x, force, moment);
    check_array_near(force, ((double[]){6, 2, 0}), 3, 1e-14); /* 3 N/m on 2 m; int s ds = 2 by the trapezoid, exact */
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* gravity of time is a load, constant gravity a force with a potential: the same on every node */
static void gravity_is_the_same_as_potential_and_as_load(void **state) {
    fixture    f[2];
    zw_state   x[2];
    double     force[2][60];
    zw_account a;
    (void)state;
    fixture_system(&f[0], BENT "gravity: [0, 1, -9.81]\n");
    fixture_system(&f[1], BENT "gravity: [0, \"1 + 0*t\", \"-9.81*cos(t)\"]\n");
    for (int i = 0; i < 2; i++) {
        fixture_state(&f[i], &x[i]);
        memset(force[i], 0, sizeof force[i]);
        fixture_must(&f[i], zw_system_force(f[i].y, &x[i], force[i]), "force");
        fixture_must(&f[i], zw_system_load(f[i].y, &x[i], 0.0, force[i]), "load");
    }
    check_below(largest_difference(54, force[0], force[1]), 1e-12, 4.4e-16); /* N of 1e4 */
    zw_system_account(f[0].y, &x[0], &a);
    double         V = 0.0;
    const zw_rods *rods = fixture_rods(&f[0]);
    for (int i = 0; i < rods->nnodes; i++) {
        V -= rods->mass[i] * (x[0].q[7 * i + 1] - 9.81 * x[0].q[7 * i + 2]);
    }
    check_relative(a.potential, V, 1e-14);
    for (int i = 0; i < 2; i++) {
        zw_state_destroy(f[i].c, &x[i]);
        fixture_close(&f[i]);
    }
}

static void what_is_conserved_is_known(void **state) {
    static const struct {
        const char *tail;
        bool        kept;
    } cases[] = {
        {"", true},
        {"gravity: [0, 0, 0]\n", true},
        {"gravity: [0, 0, -1]\n", false},
        {"constraints:\n  k: {clamp: a, s: 0}\n", false},
        {"constraints:\n  k: {fixed: [{body: a, s: 0}, {body: a, s: 1}]}\n", true},
        {"loads:\n  p: {force: [1, 0, 0], on: a, s: 0}\n", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        char    text[1000];
        bool    linear, angular;
        snprintf(text, sizeof text, BENT "%s", cases[i].tail);
        fixture_system(&f, text);
        zw_system_conserves(f.y, &linear, &angular);
        assert_int_equal(linear, cases[i].kept);
        assert_int_equal(angular, cases[i].kept);
        fixture_close(&f);
    }
}

/* the same loads, eight stations at a time and one by one; 9 stations are a full group and one more, 4 are less than a group */
static void groups_of_stations_give_the_bits_of_single_ones(void **state) {
    static const int elements[] = {3, 7, 8, 29, 64};
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        fixture  f;
        zw_state x;
        char     text[1000];
        double  *load[2], *kept[3];
        snprintf(
            text, sizeof text,
            "zwang: 1\nparameters: {k: 3, L: 2}\nbodies:\n  a: {rod: {length: L, elements: %d, shape: {curvature: [1, 0.5, 1]}, section: {square: 0.1}, "
            "material: {density: 1000, young: 1e6, poisson: 0.25}}}\nloads:\n"
            "  u: {force: ['-k*sin(2*t - k*x)*(1 - s/L)', 'exp(-y^2)*cos(k*t)', 'if(s < L/2, z, sqrt(s))'], on: a}\n"
            "  v: {moment: ['x*y', 's^3', 'max(z, atan2(y, x))'], on: a, axes: directors}\n  w: {force: [t, 0, k], on: a}\n",
            elements[i]);
        fixture_system(&f, text);
        fixture_state(&f, &x);
        int nv = zw_system_size(f.y).nv;
        assert_int_equal(f.y->load[0].nstations, elements[i] + 1);
        assert_non_null(f.y->load[0].field.wide);
        assert_null(f.y->load[2].field.wide); /* one value for all of its stations */
        for (int k = 0; k < 2; k++) {
            load[k] = calloc((size_t)nv, sizeof *load[k]);
            for (int n = 0; n < 3; n++) {
                kept[n] = f.y->load[n].field.wide;
                f.y->load[n].field.wide = k == 0 ? kept[n] : NULL;
            }
            fixture_must(&f, zw_system_load(f.y, &x, 0.0, load[k]), "load"); /* twice: another time shows in what is common */
            fixture_must(&f, zw_system_load(f.y, &x, 0.7, load[k]), "load");
            for (int n = 0; n < 3; n++) {
                f.y->load[n].field.wide = kept[n];
            }
        }
        assert_true(fabs(load[0][3]) > 0.0);
        assert_memory_equal(load[0], load[1], (size_t)nv * sizeof *load[0]);
        free(load[0]), free(load[1]);
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
}

/* the first station where it happens is named, whether it comes in a group or alone */
static void load_that_is_not_finite_names_its_place(void **state) {
    fixture  f;
    zw_state x;
    char     text[1000], message[2][400];
    double   load[66] = {0};
    (void)state;
    snprintf(text, sizeof text, "%s", BENT "loads:\n  w: {force: [0, 'sqrt(s) + log(1.6 - s)', 0], on: a}\n");
    fixture_system(&f, text);
    fixture_state(&f, &x);
    for (int k = 0; k < 2; k++) {
        double *kept = f.y->load[0].field.wide;
        f.y->load[0].field.wide = k == 0 ? kept : NULL;
        assert_int_equal(zw_system_load(f.y, &x, 0.5, load), ZW_E_DIVERGED);
        f.y->load[0].field.wide = kept;
        snprintf(message[k], sizeof message[k], "%s", fixture_error(&f)->message);
        assert_string_equal(fixture_error(&f)->subject, "load 'w'");
        assert_int_equal(fixture_error(&f)->line, 5);
    }
    assert_string_equal(message[0], "log(1.6 - s) with s = 1.75 gives nan");
    assert_string_equal(message[1], message[0]);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_loads_keep_force_and_moment),
        cmocka_unit_test(spread_loads_are_per_length),
        cmocka_unit_test(gravity_is_the_same_as_potential_and_as_load),
        cmocka_unit_test(what_is_conserved_is_known),
        cmocka_unit_test(groups_of_stations_give_the_bits_of_single_ones),
        cmocka_unit_test(load_that_is_not_finite_names_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
