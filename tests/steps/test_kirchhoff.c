/* SPDX-License-Identifier: Apache-2.0
 * test_kirchhoff.c: rods whose shear, or shear and stretch, are held by rows: energy and momenta of the implicit scheme, rows and energy of verlet, the same motion by three integrators,
 * columns and the elastica at rest, rows that are redundant, cost of long rods. */
#include "analysis/equilibrium.h"
#include "rows/kirchhoff.h"
#include "steps/implicit.h"

#include "support/model.h"

#include <time.h>

#define HELD(kind) "kinematics: " kind ", section: {bending: [0.05, 0.08], torsion: 0.04, stretch: 2000, mass: 0.1, inertia: 1e-5}"

/* the run makes the start agree with the rows; the stepper then begins there */
static void consistent_start(fixture *f, stepper *s, const char *text) {
    fixture g;
    zw_run *run = NULL;
    fixture_parse(&g, text);
    fixture_must(&g, zw_run_create(g.m, &run), "zw_run_create");
    const zw_state *from = zw_run_state(run);
    zw_state       *x = stepper_x(s);
    memcpy(x->q, from->q, sizeof(double) * (size_t)s->n.nq);
    memcpy(x->v, from->v, sizeof(double) * (size_t)s->n.nv);
    (void)f;
    zw_run_destroy(run);
    fixture_close(&g);
    stepper_restart(s);
}

typedef struct drift {
    double energy, linear, angular, rows;
} drift;

static drift go(const char *text, const char *integrator, double h, int steps) {
    fixture f;
    stepper s;
    drift   d = {0};
    double  g[400];
    fixture_system(&f, text);
    stepper_open_by(&s, &f, integrator, h);
    consistent_start(&f, &s, text);
    zw_account from = stepper_account(&s);
    double     start = account_energy(&from), scale = fabs(from.kinetic) + fabs(from.elastic);
    int        m = zw_system_rows_count(f.y);
    assert_true(m <= 400);
    for (int i = 0; i < steps; i++) {
        stepper_go(&s, 1);
        zw_account now = stepper_account(&s);
        scale = fmax(scale, fabs(now.kinetic) + fabs(now.elastic));
        d.energy = fmax(d.energy, fabs(account_energy(&now) - start));
        d.linear = fmax(d.linear, largest_difference(3, now.momentum, from.momentum));
        d.angular = fmax(d.angular, largest_difference(3, now.angular, from.angular));
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "values");
        d.rows = fmax(d.rows, largest(m, g));
    }
    d.energy /= scale;
    stepper_close(&s);
    fixture_close(&f);
    return d;
}

#define FREE(kind)                                                                                                                         \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 40, along: [1, 0, 0], " HELD(kind) ", velocity: [0, 2*sin(2*pi*s), cos(pi*s)]}}}\n" \
                                                                                          "run: {until: 1}\n"

static void a_free_rod_keeps_energy_and_momenta(void **state) {
    (void)state;
    drift d = go(FREE("inextensible"), "energy-momentum", 2e-3, (int)scaled_steps(500));
    check_below(d.energy, 1e-12, 1e-14);
    check_below(d.linear, 1e-14, 1e-17);
    check_below(d.angular, 1e-14, 1e-17);
    check_below(d.rows, 1e-12, 1e-16);
    d = go(FREE("unshearable"), "energy-momentum", 2e-3, (int)scaled_steps(500));
    check_below(d.energy, 1e-12, 1e-14);
    check_below(d.linear, 1e-14, 1e-17);
    check_below(d.angular, 1e-14, 1e-17);
    check_below(d.rows, 1e-12, 1e-16);
}

static void verlet_keeps_rows_and_bounds_energy(void **state) {
    (void)state;
    drift d = go(FREE("inextensible"), "verlet", 2e-4, (int)scaled_steps(5000));
    check_below(d.energy, 1e-3, 1e-4);
    check_below(d.linear, 1e-13, 1e-17);
    check_below(d.angular, 1e-13, 1e-17);
    check_below(d.rows, 1e-12, 1e-16);
    d = go(FREE("unshearable"), "verlet", 1e-4, (int)scaled_steps(5000));
    check_below(d.energy, 1e-3, 1e-4);
    check_below(d.rows, 1e-12, 1e-16);
}

typedef struct rest {
    fixture             f;
    zw_implicit         k;
    zw_state            x;
    double              lambda[1000];
    zw_equilibrium_info info;
    zw_status           status;
} rest;

static void rest_find(rest *r, const char *text) {
    memset(r, 0, sizeof *r);
    fixture_system(&r->f, text);
    fixture_must(&r->f, zw_implicit_create(r->f.y, &r->k), "zw_implicit_create");
    zw_size n = zw_system_size(r->f.y);
    assert_true(r->k.m <= 1000);
    fixture_must(&r->f, zw_state_create(r->f.c, &n, &r->x), "zw_state_create");
    fixture_must(&r->f, zw_system_start(r->f.y, &r->x), "zw_system_start");
    r->status = zw_equilibrium_find(&r->k, &r->x, r->lambda, &r->info);
}

static void rest_close(rest *r) {
    zw_state_destroy(r->f.c, &r->x);
    zw_implicit_destroy(&r->k);
    fixture_close(&r->f);
}

/* R01: elliptic integrals: x, w over L for P L^2/EI = 1, 2, 5, 10 (25 digits, rounded); no EA, no GA */
static void elastica_converges_with_order_2(void **state) {
    (void)state;
    static const double load[4] = {1.0, 2.0, 5.0, 10.0};
    static const double want[4][2] = {{0.9435667637166231, 0.30172077379981355},
                                      {0.8393582791748327, 0.49345748039671183},
                                      {0.6123716392755701, 0.7137915236119128},
                                      {0.4450044022462487, 0.8106090248802964}};
    for (int i = 0; i < 4; i++) {
        double error[3];
        for (int mesh = 0; mesh < 3; mesh++) {
            char text[1000];
            rest r;
            snprintf(
                text, sizeof text,
                "zwang: 1\nbodies: {b: {rod: {length: 1, elements: %d, along: [1, 0, 0], kinematics: inextensible, section: {bending: [1, 1], torsion: 1, mass: 1, "
                "inertia: 0.01}}}}\nconstraints: {root: {clamp: b, s: 0}}\nloads: {p: {force: [0, 0, %g], on: b, s: end}}\nrun: {until: 1}\n",
                16 << mesh, load[i]);
            rest_find(&r, text);
            fixture_must(&r.f, r.status, "zw_equilibrium_find");
            const double *tip = r.x.q + r.k.n.nq - ZW_ROD_NQ;
            error[mesh] = hypot(tip[0] - want[i][0], tip[2] - want[i][1]);
            check_below(r.info.rows, 1e-14, 1e-16);
            rest_close(&r);
        }
        check_order(error, 3, 2.0, 2.0, 0.05);
        check_below(error[1], 2e-4, 1.9e-4);
    }
}

/* eigenvalues below 0 of the stiffness that is left under the rows, at the straight shape under an axial load P; the equilibrium is straight for any P */
static int unstable_ways(const char *supports, int elements, double P, const char *kind) {
    char text[1200];
    rest r;
    snprintf(text, sizeof text,
             "zwang: 1\nbodies: {b: {rod: {length: 1, elements: %d, kinematics: %s, section: {bending: [1, 2.5], torsion: 1, stretch: 1e9, mass: 1, inertia: 0.01}}}}\n"
             "constraints: {%s}\nloads: {p: {force: [0, 0, %.17g], on: b, s: end}}\nrun: {until: 1}\n",
             elements, kind, supports, -P);
    rest_find(&r, text);
    fixture_must(&r.f, r.status, "zw_equilibrium_find");
    unsigned char flip[2000] = {0};
    assert_true(r.k.nz <= 2000);
    for (int i = 0; i < r.k.nblocks; i++) {
        for (int j = 0; j < r.k.block[i].nrows; j++) {
            flip[r.k.block[i].z0 + r.k.block[i].ncol + j] = 1;
        }
    }
    fixture_must(&r.f, zw_blocklu_count(&r.k.arena, &r.k.lu, flip), "zw_blocklu_count");
    fixture_must(&r.f, zw_implicit_equilibrium(&r.k, &r.x, true), "zw_implicit_equilibrium");
    zw_blocklu_factor(&r.k.lu);
    int below = r.k.lu.below - r.k.m;
    rest_close(&r);
    return below;
}

/* R07: P L^2/EI of the columns, inextensible; bending about the weak axis d1 */
static void columns_buckle_at_their_loads(void **state) {
    (void)state;
    static const struct {
        const char *supports;
        double      P;
    } column[4] = {
        {"a: {clamp: b, s: 0}", 2.4674011002723395},
        {"a: {clamp: b, s: 0, fix: [x, y, z, rz]}, e: {clamp: b, s: end, fix: [x, y]}", 9.869604401089358},
        {"a: {clamp: b, s: 0}, e: {clamp: b, s: end, fix: [x, y]}", 20.19072855642663},
        {"a: {clamp: b, s: 0}, e: {clamp: b, s: end, fix: [x, y, rx, ry, rz]}", 39.47841760435743},
    };
    for (int c = 0; c < 4; c++) {
        double error[3];
        for (int mesh = 0; mesh < 3; mesh++) {
            double low = 0.8 * column[c].P, high = 1.2 * column[c].P;
            int    elements = 20 << mesh;
            assert_int_equal(unstable_ways(column[c].supports, elements, low, "inextensible"), 0);
            assert_int_equal(unstable_ways(column[c].supports, elements, high, "inextensible"), 1);
            while (high - low > 1e-9 * high) {
                double P = 0.5 * (low + high);
                *(unstable_ways(column[c].supports, elements, P, "inextensible") == 0 ? &low : &high) = P;
            }
            error[mesh] = fabs(low / column[c].P - 1.0);
        }
        check_order(error, 3, 2.0, 2.0, 0.02);
        check_below(error[1], 1e-3, 5e-4);
        assert_int_equal(unstable_ways(column[c].supports, 40, 0.99 * column[c].P, "unshearable"), 0);
        assert_int_equal(unstable_ways(column[c].supports, 40, 1.01 * column[c].P, "unshearable"), 1);
    }
}

/* held at both ends and straight: the distance of the ends follows from the lengths of the links. Half of the weight hangs on each end, which is the least norm */
static void a_straight_rod_between_clamps_is_solved(void **state) {
    (void)state;
    rest r;
    rest_find(&r, "zwang: 1\ngravity: [0, 0, -10]\nbodies: {b: {rod: {length: 1, elements: 12, kinematics: inextensible, section: {bending: [1, 1], torsion: 1, mass: 2, "
                  "inertia: 0.01}}}}\nconstraints: {a: {clamp: b, s: 0}, e: {clamp: b, s: end}}\nrun: {until: 1}\n");
    fixture_must(&r.f, r.status, "zw_equilibrium_find");
    check_below(r.info.rows, 1e-13, 1e-16);
    for (int i = 0; i < r.k.m; i++) {
        printf("%g ", r.lambda[i]);
    }
    printf("rounds %d pieces %d\n", r.info.rounds, r.info.pieces);
    rest_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_rod_keeps_energy_and_momenta),
        cmocka_unit_test(verlet_keeps_rows_and_bounds_energy),
        cmocka_unit_test(elastica_converges_with_order_2),
        cmocka_unit_test(columns_buckle_at_their_loads),
        cmocka_unit_test(a_straight_rod_between_clamps_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
