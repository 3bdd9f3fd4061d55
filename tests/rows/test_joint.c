/* SPDX-License-Identifier: Apache-2.0
 * test_joint.c: rows of clamps, balls and fixed joints, for every subset of the six components: values at velocity level are the time derivative of those
 * at position level, rows are their gradient (differences of eighth order), b is what the motion asks for, and multipliers do the work of the reaction. */
#define _GNU_SOURCE /* M_PI */
#include "support/model.h"

#include "math/quat.h"

#define RODS                                                                                                    \
    "zwang: 1\n"                                                                                                \
    "bodies:\n"                                                                                                 \
    "  a:\n"                                                                                                    \
    "    rod:\n"                                                                                                \
    "      length: 1\n"                                                                                         \
    "      elements: 3\n"                                                                                       \
    "      along: [1, 0.2, 0.1]\n"                                                                              \
    "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: [0.1, 0.2, 0.3]}\n" \
    "      shape: {curvature: [1, -1, 0.5]}\n"                                                                  \
    "  b:\n"                                                                                                    \
    "    rod:\n"                                                                                                \
    "      length: 1\n"                                                                                         \
    "      elements: 2\n"                                                                                       \
    "      at: [0.3, 0.1, 0]\n"                                                                                 \
    "      along: [0, 1, 0.5]\n"                                                                                \
    "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: 0.1}\n"
#define MOTION "motion: {shift: [0.1*sin(3*t), 0.2*t, t^2], turn: [0.3*sin(2*t), 0.5*t, -0.2*t^2]}"

enum { MAX_V = 42, MAX_Q = 49 };

typedef struct worst {
    double rate, rows, along, motion, power;
} worst;

static void row_products(const zw_rows *A, const double *v, double *out) {
    memset(out, 0, sizeof(double) * (size_t)A->m);
    for (int i = 0; i < A->ntiles; i++) {
        const zw_tile *t = &A->tile[i];
        for (int n = t->block0; n < t->block0 + t->nblocks; n++) {
            for (int row = 0; row < t->m; row++) {
                for (int col = 0; col < A->block[n].ncol; col++) {
                    out[t->row + row] += A->a[A->block[n].a + (ptrdiff_t)row * A->block[n].ncol + col] * v[A->block[n].col0 + col];
                }
            }
        }
    }
}

/* derivative of the position values when q moves along dv and t by dt */
static void value_rate(const fixture *f, const zw_state *x, const double *dv, double dt, double *out) {
    double   q[MAX_Q], d[MAX_V], g[12], step = 5e-3;
    int      nv = zw_system_size(f->y).nv, m = zw_system_rows_count(f->y);
    zw_state moved = *x;
    moved.q = q;
    memset(out, 0, sizeof(double) * (size_t)m);
    for (int k = -4; k <= 4; k++) {
        if (k == 0) {
            continue;
        }
        for (int i = 0; i < nv; i++) {
            d[i] = k * step * dv[i];
        }
        zw_system_retract(f->y, x->q, d, q);
        moved.t = x->t + k * step * dt;
        fixture_must(f, zw_system_values(f->y, &moved, 0, g), "values");
        for (int i = 0; i < m; i++) {
            out[i] += (k > 0 ? 1 : -1) * difference8[(k > 0 ? k : -k) - 1] * g[i] / step;
        }
    }
}

static void check_joint(const char *text, int trials, double turn, worst *w) {
    fixture  f;
    zw_state x;
    uint64_t seed = 13;
    fixture_system(&f, text);
    fixture_state(&f, &x);
    int nv = zw_system_size(f.y).nv, m = zw_system_rows_count(f.y);
    for (int trial = 0; trial < trials; trial++) {
        double         c1[12], b[12], Av[12], rate[12], dv[MAX_V], Ad[12];
        const double   zero[MAX_V] = {0};
        const zw_rows *A;
        fixture_must(&f, zw_system_start(f.y, &x), "start");
        shake(f.y, &x, turn, 0.05, 1.0, &seed);
        x.t = 0.5 + noise(&seed);
        fixture_must(&f, zw_system_values(f.y, &x, 1, c1), "values");
        fixture_must(&f, zw_system_values(f.y, &x, 2, b), "values");
        value_rate(&f, &x, x.v, 1.0, rate);
        w->rate = fmax(w->rate, largest_difference(m, rate, c1));
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "rows");
        assert_int_equal(A->m, m);
        row_products(A, x.v, Av);
        for (int i = 0; i < m; i++) {
            w->rows = fmax(w->rows, fabs(Av[i] - b[i] - c1[i]));
        }
        for (int i = 0; i < nv; i++) {
            dv[i] = 2 * noise(&seed);
        }
        row_products(A, dv, Ad);
        value_rate(&f, &x, dv, 0.0, rate);
        w->along = fmax(w->along, largest_difference(m, rate, Ad));
        value_rate(&f, &x, zero, 1.0, rate);
        for (int i = 0; i < m; i++) {
            w->motion = fmax(w->motion, fabs(rate[i] + b[i]));
        }
        /* lambda . A v is the work of the reaction on the first body, the second standing still */
        const zw_constraint *constraint;
        int                  n = zw_system_constraints(f.y, &constraint);
        for (int i = 0; i < n; i++) {
            const zw_constraint_def *def = &f.m->constraints[i];
            if (def->b.body == def->a.body) {
                continue;
            }
            zw_place p;
            zw_frame F;
            double   lambda[6], wrench[6], power = 0.0;
            fixture_must(&f, zw_system_bind_place(f.y, &def->a, "a", &p), "place");
            if (def->b.body >= 0) {
                const zw_rod *r = &fixture_rods(&f)->rod[def->b.body];
                memset(x.v + 6 * r->node0, 0, sizeof(double) * 6 * (size_t)r->nnodes);
            }
            zw_system_frame(f.y, &x, &p, &F, NULL);
            row_products(A, x.v, Av);
            for (int h = 0; h < constraint[i].m; h++) {
                lambda[h] = noise(&seed);
                power += lambda[h] * Av[constraint[i].row0 + h];
            }
            constraint[i].ops->reaction(constraint[i].self, f.y, &x, lambda, wrench);
            w->power = fmax(w->power, fabs(power - zw_v3_dot(wrench, F.w) - zw_v3_dot(wrench + 3, F.v)));
        }
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void fix_text(unsigned mask, char out[40]) {
    static const char *const name[6] = {"x", "y", "z", "rx", "ry", "rz"};
    out[0] = 0;
    for (int i = 0; i < 6; i++) {
        if (mask & (1u << i)) {
            strcat(out, out[0] != 0 ? ", " : "");
            strcat(out, name[i]);
        }
    }
}

static void check_worst(const worst *w) {
    check_below(w->rate, 5e-12, 1.9e-13); /* velocities of rows are of size 1 to 5 */
    check_below(w->rows, 1e-13, 6.7e-16);
    check_below(w->along, 5e-12, 1.4e-13);
    check_below(w->motion, 5e-12, 7.4e-14);
    check_below(w->power, 1e-13, 2.8e-16);
}

static void every_subset_to_ground_with_motion(void **state) {
    static const char *const places[] = {"0", "0.4", "end"};
    worst                    w = {0};
    (void)state;
    for (unsigned mask = 1; mask < 64; mask++) {
        for (int i = 0; i < 3; i++) {
            char text[2000], fix[40];
            fix_text(mask, fix);
            snprintf(text, sizeof text, RODS "constraints:\n  k: {clamp: a, s: %s, fix: [%s], " MOTION "}\n", places[i], fix);
            check_joint(text, 3, 0.2, &w);
        }
    }
    check_worst(&w);
}

static void every_subset_between_two_places(void **state) {
    static const char *const pairs[][2] = {
        {"{body: a, s: 0.4}", "{body: b, s: 0.7}"}, /* inside links of two rods  */
        {"{body: a, s: end}", "{body: b, s: 0}"},   /* nodes of two rods         */
        {"{body: a, s: 0.1}", "{body: a, s: 0.3}"}, /* the same link             */
        {"{body: a, s: 0}", "{body: a, s: 0.2}"},   /* node and inside its link  */
        {"{body: a, s: 0.2}", "{body: a, s: 0.5}"}, /* links that share a node   */
    };
    worst w = {0};
    (void)state;
    for (unsigned mask = 1; mask < 64; mask++) {
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            char text[2000], fix[40];
            fix_text(mask, fix);
            snprintf(text, sizeof text, RODS "constraints:\n  k: {clamp: %s, to: %s, fix: [%s]}\n", pairs[i][0], pairs[i][1], fix);
            check_joint(text, 2, 0.2, &w);
        }
    }
    check_worst(&w);
}

static void balls_and_fixed_joints(void **state) {
    worst w = {0};
    (void)state;
    check_joint(RODS "constraints:\n  k: {ball: a, s: 0.4, " MOTION "}\n  l: {fixed: [{body: a, s: end}, {body: b, s: 0.3}]}\n", 10, 0.2,
                &w);
    check_joint(RODS "constraints:\n  k: {fixed: a, s: 0.4, " MOTION "}\n", 10, 0.2, &w);
    check_worst(&w);
}

/* the start of the model satisfies its rows */
static void rows_vanish_at_the_start(void **state) {
    fixture  f;
    zw_state x;
    double   g[12];
    (void)state;
    fixture_system(&f, RODS "constraints:\n  k: {clamp: a, s: 0.4, " MOTION "}\n  l: {fixed: [{body: a, s: end}, {body: b, s: 0.3}]}\n");
    fixture_state(&f, &x);
    fixture_must(&f, zw_system_values(f.y, &x, 0, g), "values");
    check_below(largest(12, g), 1e-15, 0);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void hinge_spins_many_turns(void **state) {
    fixture f;
    stepper s;
    (void)state;
    fixture_system(
        &f, "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 4\n      along: [1, 0, 0]\n      up: [0, 0, 1]\n"
            "      section: {bending: [300, 500], torsion: 200, stretch: 40000, shear: 15000, mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
            "constraints:\n  k: {clamp: a, s: 0, fix: [x, y, z, rx, ry]}\n");
    stepper_open(&s, &f, 2e-4);
    zw_state *x = stepper_x(&s);
    double    w = 20.0, turned = 0.0, last = 0.0, worst_g = 0.0, g[5];
    for (int i = 0; i < 5; i++) { /* d1 is up: spin about d1 */
        x->v[6 * i] = w;
        x->v[6 * i + 4] = w * x->q[7 * i];
    }
    stepper_restart(&s);
    zw_account a = stepper_account(&s);
    double     E0 = account_energy(&a), drift = 0.0, L0 = a.angular[2];
    for (int i = 0; i < 400; i++) {
        stepper_go(&s, 20);
        const double *q = stepper_x(&s)->q + 7;
        double        angle = atan2(q[1], q[0]), step = angle - last;
        turned += step < -M_PI ? step + 2 * M_PI : step > M_PI ? step - 2 * M_PI : step;
        last = angle;
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "values");
        worst_g = fmax(worst_g, largest(5, g));
        a = stepper_account(&s);
        drift = fmax(drift, fabs(account_energy(&a) - E0));
    }
    assert_true(turned > 4 * M_PI);
    check_relative(turned, 1.6 * w, 0.02); /* it stretches by w^2 L^2/(2 c^2) and slows down */
    check_below(worst_g, 1e-14, 9.9e-16);
    check_below(drift / E0, 1e-4, 3.7e-06);
    check_below(fabs(a.angular[2] / L0 - 1.0), 1e-12, 1.9e-15); /* the hinge gives no moment about its axis */
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_subset_to_ground_with_motion),
        cmocka_unit_test(every_subset_between_two_places),
        cmocka_unit_test(balls_and_fixed_joints),
        cmocka_unit_test(rows_vanish_at_the_start),
        cmocka_unit_test(hinge_spins_many_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
