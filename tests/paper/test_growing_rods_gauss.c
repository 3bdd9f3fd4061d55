/* SPDX-License-Identifier: Apache-2.0
 * test_growing_rods_gauss.c: equations (28) to (46) of "Gauss principle of least constraint for Cosserat growing elastic rod dynamics" (Xue, Qu, Chen 2015): the balance (37), the two
 * measures Z_t (38) and Z_s (39), what they grow by (42) to (45), ideal reactions (32), (34); as corrected, and that the printed form does not hold where it was corrected. */
#include "support/growing_field.h"

#include "math/dense.h"
#include "parts/rod_growth_observe.h"
#include "parts/rod_zwang.h"
#include "steps/equilibrium.h"
#include "zwang/verify.h"

static const double T = 0.7;

/* ---- (29), (30): the second derivatives of the coordinates move w' by the matrix that the first move w by; the same in time */
typedef struct angles {
    double q[3], q1[3], q2[3], tau;
} angles;

static void turned(const double q[3], double out[4]) {
    double a[3] = {0, 0, q[0]}, b[3] = {q[1], 0, 0}, c[3] = {0, 0, q[2]}, qa[4], qb[4], qc[4], qab[4];
    zw_q_exp(a, qa);
    zw_q_exp(b, qb);
    zw_q_exp(c, qc);
    zw_q_mul(qa, qb, qab);
    zw_q_mul(qab, qc, out);
}

static void turn_along(const void *user, double tau, double *value) {
    const angles *at = user;
    double        from[3], to[3], a[4], b[4], turn[4];
    for (int i = 0; i < 3; i++) {
        double s = at->tau, e = at->tau + tau;
        from[i] = at->q[i] + s * at->q1[i] + 0.5 * s * s * at->q2[i];
        to[i] = at->q[i] + e * at->q1[i] + 0.5 * e * e * at->q2[i];
    }
    turned(from, a);
    turned(to, b);
    zw_q_conj_mul(a, b, turn);
    zw_q_log(turn, value);
}

static void bend_along(const void *user, double tau, double *value) {
    angles at = *(const angles *)user;
    at.tau = tau;
    field_slope(turn_along, &at, 3, 0.02, value);
}

static void equations_29_and_30_second_derivatives_act_like_first(void **state) {
    angles base = {.q = {0.3, 0.9, -0.4}, .q1 = {0.7, -0.5, 1.1}, .q2 = {0.2, 0.4, -0.6}};
    double bend_rate[3], worst = 0.0;
    (void)state;
    field_slope(bend_along, &base, 3, 0.02, bend_rate);
    for (int i = 0; i < 3; i++) {
        angles more = base, unit = {.q = {0.3, 0.9, -0.4}};
        double changed[3], column[3];
        more.q2[i] += 1.0;
        unit.q1[i] = 1.0;
        field_slope(bend_along, &more, 3, 0.02, changed);
        bend_along(&unit, 0.0, column);
        for (int h = 0; h < 3; h++) {
            worst = fmax(worst, fabs(changed[h] - bend_rate[h] - column[h]));
        }
    }
    check_below(worst, 1e-11, 2.5e-13);
}

/* ---- (37): forces and moments of the links at a node, over its length, are d_s F and d_s M + d_s r x F of the field; of second order */
typedef struct loaded {
    double        S;
    const double *C; /* stiffness of the section, B and K */
} loaded;

static void force_along(const void *user, double tau, double *value) { /* in space */
    const loaded *at = user;
    double        Gamma[3], q[4], n[3];
    field_strain(at->S + tau, T, Gamma);
    field_quaternion(at->S + tau, T, q);
    for (int i = 0; i < 3; i++) {
        n[i] = at->C[3 + i] * (Gamma[i] - (i == 2 ? 1.0 : 0.0));
    }
    zw_q_rotate(q, n, value);
}

static void moment_along(const void *user, double tau, double *value) {
    const loaded *at = user;
    double        w[3], q[4];
    field_bend(at->S + tau, T, w);
    field_quaternion(at->S + tau, T, q);
    for (int i = 0; i < 3; i++) {
        w[i] *= at->C[i] / field_stretch(at->S + tau, T);
    }
    zw_q_rotate(q, w, value);
}

static double balance_error(int n) {
    fixture       f;
    zw_state      x;
    static double out[6 * 200];
    double        most = 0.0;
    field_open(&f, n);
    fixture_state(&f, &x);
    zw_rods             *rods = (zw_rods *)fixture_rods(&f);
    struct zw_rods_wide *wide = rods->wide;
    field_place(rods, T, &x);
    field_grown(rods, T, rods->l);
    memset(out, 0, sizeof out);
    rods->wide = NULL; /* its copy of l is of the start */
    zw_rods_elastic(rods, x.q, out);
    rods->wide = wide;
    for (int i = n / 4; i <= 3 * n / 4; i += n / 20) {
        loaded at = {.S = rods->label[i], .C = rods->stiffness};
        double dF[3], dM[3], F[3], dr[3], Gamma[3], q[4], couple[3], turn[3], l = 0.5 * (rods->l[i - 1] + rods->l[i]),
                                                                              lambda = field_stretch(at.S, T);
        field_slope(force_along, &at, 3, 0.02, dF);
        field_slope(moment_along, &at, 3, 0.02, dM);
        force_along(&at, 0.0, F);
        field_strain(at.S, T, Gamma);
        field_quaternion(at.S, T, q);
        zw_q_rotate(q, Gamma, dr);
        zw_v3_cross(couple, dr, F);
        zw_q_rotate(q, out + 6 * (size_t)i, turn);
        for (int h = 0; h < 3; h++) {
            double force = dF[h] / lambda, moment = dM[h] / lambda + couple[h];
            most = fmax(most, fmax(fabs(out[6 * i + 3 + h] / l - force) / 1e3, fabs(turn[h] / l - moment) / 1e2));
        }
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
    return most;
}

static void equation_37_is_what_the_nodes_balance(void **state) {
    double error[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        error[i] = balance_error(40 << i);
    }
    check_order(error, 3, 2.0, 2.0, 0.2);
}

/* ---- (39): with w x (K.g) in X_1, the derivative of g is the one relative to the section */
static void strain_relative(const void *user, double tau, double *value) {
    const loaded *at = user;
    field_strain(at->S + tau, T, value);
    value[2] -= 1.0;
}

static void strain_absolute(const void *user, double tau, double *value) { /* in space */
    const loaded *at = user;
    double        g[3], q[4];
    strain_relative(at, tau, g);
    field_quaternion(at->S + tau, T, q);
    zw_q_rotate(q, g, value);
}

static void equation_39_derivatives_are_relative_to_the_sections(void **state) {
    const double C[6] = {0, 0, 0, 3.0, 2.0, 5.0};
    loaded       at = {.S = 0.4, .C = C};
    double       q[4], w[3], g[3], n[3], dF[3], true_rate[3], relative[3], absolute[3], own[3], turn[3], lambda = field_stretch(at.S, T);
    (void)state;
    field_quaternion(at.S, T, q);
    field_bend(at.S, T, w);
    field_slope(force_along, &at, 3, 0.02, dF);
    zw_q_rotate_back(q, dF, true_rate);
    strain_relative(&at, 0.0, g);
    field_slope(strain_relative, &at, 3, 0.02, relative);
    field_slope(strain_absolute, &at, 3, 0.02, absolute);
    zw_q_rotate_back(q, absolute, own);
    for (int i = 0; i < 3; i++) {
        n[i] = C[3 + i] * g[i];
    }
    zw_v3_cross(turn, w, n);
    double right = 0.0, printed = 0.0;
    for (int i = 0; i < 3; i++) {
        right = fmax(right, fabs(C[3 + i] * relative[i] + turn[i] - true_rate[i]) / lambda);
        printed = fmax(printed, fabs(C[3 + i] * own[i] + turn[i] - true_rate[i]) / lambda);
    }
    check_below(right, 1e-10, 1.5e-12);
    assert_true(printed > 0.3 * zw_v3_norm(true_rate)); /* 0.036 of 0.11 */
}

/* ---- (38): a couple m turns a section as J^-1 m, with its own sign */
#define TURNED_ROD                                                                                                                     \
    "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 4, section: {rectangle: [0.1, 0.06]}, material: {density: 1000, young: 1e6, " \
    "poisson: 0.25}}}\nloads:\n  couple: {moment: [0.3, 0, 0], on: {body: r, s: 0.5}}\n"

static void equation_38_has_the_couple_with_its_own_sign(void **state) {
    fixture         f;
    zw_state        x;
    zw_gauss       *gauss;
    zw_project_info info;
    double          a[30], load[30] = {0}, r[30], wrong[30];
    (void)state;
    fixture_system(&f, TURNED_ROD);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    fixture_must(&f, zw_gauss_create(f.y, &gauss), "zw_gauss_create");
    fixture_must(&f, zw_gauss_solve(gauss, &x, a, NULL, &info), "zw_gauss_solve");
    fixture_must(&f, zw_system_load(f.y, &x, 0.0, load), "zw_system_load");
    for (int i = 0; i < 30; i++) { /* at rest and straight nothing else acts */
        double M = rods->metric_a[i];
        r[i] = load[i] - M * a[i];
        wrong[i] = -load[i] - M * a[i];
    }
    check_below(zw_rod_zwang_time(rods, &rods->rod[0], r), 1e-25, 1e-30);
    assert_true(zw_rod_zwang_time(rods, &rods->rod[0], wrong) > 1.0);
    zw_gauss_destroy(gauss);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* ---- a constrained rod at a random state: clamped at its root, its tip on a ball joint at an unstressed place, loads, damping */
#define MATERIAL "section: {rectangle: [0.1, 0.06]}, material: {density: 1000, young: 1e6, poisson: 0.25, damping: 0.001}"
#define HELD                                                                                                                                      \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  r: {rod: {length: 1, elements: 8, along: [1, 0, 0], shape: {curvature: [1, 0.5, 1]}, " MATERIAL \
    "}}\nconstraints:\n  root: {clamp: r, s: 0}\n  pin: {ball: r, s: 0.7}\nloads:\n  pull: {force: [1, 2, sin(t)], on: {body: r, s: 1}}\n"

enum { NODES = 9, NV = 6 * NODES };

static void shake_free(fixture *f, zw_state *x, uint64_t seed) { /* but for what is held */
    double dv[NV], q[7 * NODES];
    (void)f;
    for (int i = 0; i < NV; i++) {
        dv[i] = i < 6 ? 0.0 : (i % 6 < 3 ? 0.04 : 0.005) * noise(&seed);
        x->v[i] = i < 6 ? 0.0 : noise(&seed);
    }
    zw_system_retract(f->y, x->q, dv, q);
    memcpy(x->q, q, sizeof q);
}

static double product(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < NV; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* all forces without those of the rows */
static void forces(fixture *f, const zw_state *x, double *Q) {
    fixture_must(f, zw_system_force(f->y, x, Q), "zw_system_force");
    fixture_must(f, zw_system_load(f->y, x, x->t, Q), "zw_system_load");
    zw_system_damp(f->y, x, Q);
    zw_system_bias(f->y, x, Q);
}

/* (42), (44) at accelerations that are none of the motion: the linear terms are those of the residual, with - rho rddot */
static void equations_42_and_44_linear_terms(void **state) {
    fixture  f;
    zw_state x;
    double   Q[NV], r[NV], moved[NV], H[36], worst_t = 0.0, worst_s = 0.0;
    uint64_t seed = 5;
    (void)state;
    fixture_system(&f, HELD);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    const zw_rod  *rod = &rods->rod[0];
    for (int k = 0; k < 10; k++) {
        double a[NV], d[NV], Md[NV], Hd[NV], e[NV];
        shake_free(&f, &x, 3 + (uint64_t)k);
        forces(&f, &x, Q);
        for (int i = 0; i < NV; i++) {
            a[i] = 100.0 * noise(&seed);
            d[i] = 100.0 * noise(&seed);
            e[i] = 0.1 * noise(&seed);
            r[i] = Q[i] - rods->metric_a[i] * a[i];
            Md[i] = rods->metric_a[i] * d[i];
            moved[i] = r[i] - Md[i];
        }
        double at = zw_rod_zwang_time(rods, rod, r), away = zw_rod_zwang_time(rods, rod, moved);
        worst_t = fmax(worst_t, fabs(away - at - 0.5 * product(d, Md) + product(r, d)) / (at + away));
        for (int j = 0; j < NODES; j++) {
            zw_rod_node_gradient(rods, rod, j, x.q, 0.0, H);
            zw_m6_mulv(Hd + 6 * j, H, e + 6 * j);
        }
        for (int i = 0; i < NV; i++) {
            moved[i] = r[i] + Hd[i];
        }
        at = zw_rod_zwang_space(rods, rod, x.q, r);
        away = zw_rod_zwang_space(rods, rod, x.q, moved);
        worst_s = fmax(worst_s, fabs(away - at - 0.5 * product(e, Hd) - product(r, e)) / (at + away));
    }
    check_below(worst_t, 1e-13, 9.7e-17);
    check_below(worst_s, 1e-13, 1.1e-16);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* (32), (43): accelerations by minimising Z_t through the kernel; Z_t rises by 1/2 d'M d for all d that the rows allow, and only for those */
static void equation_43_of_a_random_constrained_rod(void **state) {
    fixture         f;
    zw_state        x;
    zw_gauss       *gauss;
    zw_solver      *solver;
    zw_project_info info;
    double          a[NV], lambda[9], Q[NV], r[NV], worst = 0.0, work = 0.0, zwang = 0.0, forbidden = 0.0;
    uint64_t        seed = 17;
    (void)state;
    fixture_system(&f, HELD);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    const zw_rod  *rod = &rods->rod[0];
    fixture_must(&f, zw_gauss_create(f.y, &gauss), "zw_gauss_create");
    fixture_must(&f, zw_solver_create(f.c, &solver), "zw_solver_create");
    for (int k = 0; k < 20; k++) {
        const zw_rows *A;
        double         any[NV], d[NV], Md[NV], moved[NV], far[NV], mu[9], zero[9] = {0}, push[NV];
        shake_free(&f, &x, 100 + (uint64_t)k);
        fixture_must(&f, zw_gauss_solve(gauss, &x, a, lambda, &info), "zw_gauss_solve");
        zwang = info.value;
        forces(&f, &x, Q);
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "zw_system_rows");
        fixture_must(&f, zw_solver_factor(solver, zw_system_mass(f.y, &x), A, &info), "zw_solver_factor");
        for (int i = 0; i < NV; i++) {
            any[i] = rods->metric_a[i] * 1000.0 * noise(&seed);
        }
        fixture_must(&f, zw_solver_solve(solver, any, zero, d, mu, &info), "zw_solver_solve");
        zw_solver_force(solver, lambda, push);
        for (int i = 0; i < NV; i++) {
            r[i] = Q[i] - rods->metric_a[i] * a[i];
            Md[i] = rods->metric_a[i] * d[i];
            moved[i] = r[i] - Md[i];
            far[i] = r[i] - any[i];
        }
        double at = zw_rod_zwang_time(rods, rod, r), away = zw_rod_zwang_time(rods, rod, moved), half = 0.5 * product(d, Md);
        worst = fmax(worst, fabs(away - at - half) / (away + at));
        work = fmax(work, fabs(product(push, d)) / sqrt(product(push, push) * product(d, d)));
        zwang = fabs(zwang - at) / at;
        assert_true(zwang < 1e-12 && half > 0.0);
        double across = 0.0;
        for (int i = 0; i < NV; i++) {
            across += any[i] * any[i] / rods->metric_a[i];
        }
        forbidden = fmax(forbidden, fabs(zw_rod_zwang_time(rods, rod, far) - at - 0.5 * across) / at);
    }
    check_below(worst, 1e-12, 1.9e-16);
    check_below(work, 1e-12, 5.2e-18);
    assert_true(forbidden > 0.1);
    zw_solver_destroy(solver);
    zw_gauss_destroy(gauss);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* (34), (45), for clamps, pins, moving supports, joints between rods, held strains, rings: by `zwang verify` */
#define UNSHEARABLE                                                                                                                                \
    "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 8, along: [1, 0, 0], kinematics: unshearable, shape: {curvature: [1, 0.5, 1]}, " MATERIAL \
    "}}\nconstraints:\n  root: {clamp: r, s: 0, motion: {shift: [0, 0.1*t^2, 0.2*t], turn: [0, 2*t, t^2]}}\n  pin: {ball: r, s: 0.73}\n"
#define RING                                                                                                                                        \
    "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 8, kinematics: inextensible, shape: {ring: [1, 0, 0]}, section: {round: 0.04}, material: " \
    "{density: 1000, young: 1e6, poisson: 0.3}}}\nconstraints:\n  hold: {ball: r, s: 0}\n"
#define JOINED                                                                           \
    "zwang: 1\nbodies:\n  a: {rod: {length: 1, elements: 5, along: [1, 0, 0], " MATERIAL \
    "}}\n  b: {rod: {length: 0.5, elements: 4, at: [0.5, 0.1, 0], "                      \
    "along: [0, 1, 0], " MATERIAL                                                        \
    "}}\nconstraints:\n  root: {clamp: a, s: 0}\n  knee: {clamp: [{body: a, s: 0.5}, {body: b, s: 0}], fix: [x, y, z, rx]}\n"

static void equations_34_and_45_of_constrained_rods(void **state) {
    static const char *const text[] = {HELD, UNSHEARABLE, RING, JOINED};
    double                   rise = 0.0, work = 0.0, rest = 0.0;
    int                      at_rest = 0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        fixture         f;
        zw_verification v;
        zw_verify_def   def = zw_verify_def_default();
        def.states = 20;
        fixture_system(&f, text[i]);
        fixture_must(&f, zw_verify(f.y, &def, &v), "zw_verify");
        assert_true(v.ok);
        assert_true(v.check[ZW_VERIFY_SPACE].states == 20 && v.check[ZW_VERIFY_IDEAL].states == 20);
        rise = fmax(rise, v.check[ZW_VERIFY_SPACE].largest);
        work = fmax(work, v.check[ZW_VERIFY_IDEAL].largest);
        if (v.check[ZW_VERIFY_REST].states > 0) {
            rest = fmax(rest, v.check[ZW_VERIFY_REST].largest);
            at_rest++;
        }
        fixture_close(&f);
    }
    check_below(rise, 1e-12, 2.3e-15);
    check_below(work, 1e-12, 1.5e-15);
    assert_true(at_rest >= 3);
    check_below(rest, 1e-12, 1.2e-14);
}

/* forces of held strains: counted as forces of the rod nothing is left at free nodes; taken as reactions they would work on changes of curvature */
static void forces_of_held_strains_are_not_ideal_along_the_rod(void **state) {
    fixture         f;
    zw_state        x;
    zw_gauss       *gauss;
    zw_project_info info;
    double          a[NV], lambda[6 + 3 * (NODES - 1)], r[NV], Q[NV], couple = 0.0, left = 0.0;
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  r: {rod: {length: 1, elements: 8, along: [1, 0, 0], kinematics: inextensible, " MATERIAL
        "}}\nconstraints:\n  root: {clamp: r, s: 0}\n");
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    fixture_must(&f, zw_gauss_create(f.y, &gauss), "zw_gauss_create");
    fixture_must(&f, zw_gauss_solve(gauss, &x, a, lambda, &info), "zw_gauss_solve");
    fixture_must(&f, zw_system_balance(f.y, &x, lambda, r), "zw_system_balance");
    forces(&f, &x, Q);
    for (int j = 1; j < NODES; j++) {
        for (int h = 0; h < 3; h++) {
            couple = fmax(couple, fabs(Q[6 * j + h] - rods->metric_a[6 * j + h] * a[6 * j + h]));
            left = fmax(left, fabs(r[6 * j + h]));
        }
    }
    assert_true(left == 0.0);
    assert_true(couple > 0.01); /* N m: d_s r x n, on directions that the rows of places leave free */
    zw_gauss_destroy(gauss);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* ---- equilibrium by Z_s alone: a beam under a force at its tip, all free nodes moved so that Z_s becomes least; the same shape as statics finds */
#define BENT                                                                             \
    "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 8, along: [1, 0, 0], " MATERIAL \
    "}}\nconstraints:\n  root: {clamp: r, s: 0}\nloads:\n  pull: {force: [0, 3, 4], on: {body: r, s: 1}}\n"

enum { FREE = NV - 6 };

/* r_j weighted so that 1/2 |.|^2 = Z_s of the nodes that are free: the root carries the reaction, and d is 0 there. A share of the loads acts */
static void weighted(fixture *f, const zw_state *x, double share, double *out) {
    const zw_rods *rods = fixture_rods(f);
    double         Q[NV], load[NV] = {0};
    fixture_must(f, zw_system_force(f->y, x, Q), "zw_system_force");
    fixture_must(f, zw_system_load(f->y, x, x->t, load), "zw_system_load");
    for (int j = 1; j < NODES; j++) {
        double D[36], body[6], l = zw_rod_node_stiffness(rods, &rods->rod[0], j, D);
        for (int h = 0; h < 6; h++) {
            Q[6 * j + h] += share * load[6 * j + h];
        }
        zw_v3_copy(body, Q + 6 * j);
        zw_q_rotate_back(x->q + 7 * j + 3, Q + 6 * j + 3, body + 3);
        for (int h = 0; h < 6; h++) {
            out[6 * (j - 1) + h] = body[h] / sqrt(l * D[7 * h]);
        }
    }
}

static double half_square(const double *r) {
    double sum = 0.0;
    for (int i = 0; i < FREE; i++) {
        sum += 0.5 * r[i] * r[i];
    }
    return sum;
}

static void move(fixture *f, const double *q, const double *d, double part, double *out) {
    double dv[NV] = {0};
    for (int i = 0; i < FREE; i++) {
        dv[6 + i] = part * d[i];
    }
    zw_system_retract(f->y, q, dv, out);
}

/* least Z_s by Gauss and Newton; the derivative by differences */
static bool minimise(fixture *f, zw_state *x, double share, double *least) {
    static double J[FREE * FREE], r[FREE], up[FREE], down[FREE], d[FREE], tau[FREE], work[FREE], q[7 * NODES];
    int           perm[FREE];
    double        first = 0.0;
    for (int round = 0; round < 30; round++) {
        weighted(f, x, share, r);
        *least = half_square(r);
        first = round == 0 ? *least : first;
        if (*least <= 1e-24) {
            return true;
        }
        for (int i = 0; i < FREE; i++) {
            double   unit[FREE] = {0}, h = 1e-6;
            zw_state moved = *x;
            unit[i] = 1.0;
            moved.q = q;
            move(f, x->q, unit, h, q);
            weighted(f, &moved, share, up);
            move(f, x->q, unit, -h, q);
            weighted(f, &moved, share, down);
            for (int m = 0; m < FREE; m++) {
                J[m * FREE + i] = (up[m] - down[m]) / (2.0 * h);
            }
        }
        zw_qr_factor(FREE, FREE, J, tau, perm, work);
        zw_qr_solve(FREE, FREE, J, tau, perm, FREE, r, d);
        move(f, x->q, d, -1.0, q);
        memcpy(x->q, q, sizeof q);
    }
    return false;
}

static void equilibrium_is_where_the_measure_in_space_is_least(void **state) {
    enum { PIECES = 10 };
    fixture             f;
    zw_state            x, rest;
    zw_implicit         k;
    zw_equilibrium_info info;
    double              lambda[6] = {0}, least = 0.0;
    (void)state;
    fixture_system(&f, BENT);
    fixture_state(&f, &x);
    fixture_state(&f, &rest);
    for (int i = 1; i <= PIECES; i++) {
        assert_true(minimise(&f, &x, (double)i / PIECES, &least));
    }
    fixture_must(&f, zw_implicit_create(f.y, &k), "zw_implicit_create");
    fixture_must(&f, zw_equilibrium_find(&k, &rest, lambda, &info), "zw_equilibrium_find");
    zw_implicit_destroy(&k);
    double off = 0.0, bent = fabs(rest.q[7 * (NODES - 1) + 1]) + fabs(rest.q[7 * (NODES - 1) + 2]);
    for (int j = 0; j < NODES; j++) {
        off = fmax(off, zw_v3_distance(x.q + 7 * j, rest.q + 7 * j));
    }
    assert_true(bent > 0.5);
    check_below(off, 1e-12, 3.1e-15);
    /* the force of the root is what is left there: Z_s of the whole rod is that of its reaction */
    const zw_rods *rods = fixture_rods(&f);
    double         left[NV], root[NV] = {0}, Q[NV];
    fixture_must(&f, zw_system_balance(f.y, &rest, lambda, left), "zw_system_balance");
    fixture_must(&f, zw_system_force(f.y, &rest, Q), "zw_system_force");
    fixture_must(&f, zw_system_load(f.y, &rest, 0.0, Q), "zw_system_load");
    memcpy(root, Q, 6 * sizeof *Q);
    check_relative(zw_rod_zwang_space(rods, &rods->rod[0], rest.q, left), zw_rod_zwang_space(rods, &rods->rod[0], rest.q, root), 1e-10);
    check_below(largest(NV - 6, left + 6), 1e-12, 0.0);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &rest);
    fixture_close(&f);
}

/* ---- channels: Z_t of the rods is the Zwang of the model, both are 0 where nothing is constrained */
static const double *channel(fixture *f, const char *name, const double *frame) {
    const zw_layout *layout = zw_run_layout(f->r);
    for (int i = 0; i < layout->nchannels; i++) {
        if (strcmp(layout->channel[i].name, name) == 0) {
            return frame + layout->channel[i].offset;
        }
    }
    return NULL;
}

static void both_measures_are_recorded(void **state) {
    fixture       f;
    const double *frame;
    (void)state;
    fixture_run(&f, JOINED "run: {until: 0.01, step: 1e-5}\nrecord: {fields: [position, zwang_time, zwang_space, shear_angle]}\n");
    fixture_advance(&f, 200);
    fixture_must(&f, zw_run_look(f.r, &frame), "zw_run_look");
    double zwang = *channel(&f, "zwang", frame), a = *channel(&f, "rod/a/zwang_time", frame), b = *channel(&f, "rod/b/zwang_time", frame);
    assert_true(zwang >= 0.0 && *channel(&f, "rod/a/zwang_space", frame) >= 0.0);
    check_near(a + b, zwang, 1e-12 * (zwang + 1e-6));
    assert_null(channel(&f, "rod/a/growth_strain", frame));
    fixture_close(&f);
    fixture_run(&f, "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 8, shape: {curvature: [1, 0.5, 1]}, " MATERIAL
                    "}}\nrun: {until: 0.01, step: 1e-5}\nrecord: {fields: [zwang_time, zwang_space]}\n");
    fixture_advance(&f, 50);
    fixture_must(&f, zw_run_look(f.r, &frame), "zw_run_look");
    assert_true(*channel(&f, "rod/r/zwang_time", frame) == 0.0 && *channel(&f, "rod/r/zwang_space", frame) == 0.0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_29_and_30_second_derivatives_act_like_first),
        cmocka_unit_test(equation_37_is_what_the_nodes_balance),
        cmocka_unit_test(equation_38_has_the_couple_with_its_own_sign),
        cmocka_unit_test(equation_39_derivatives_are_relative_to_the_sections),
        cmocka_unit_test(equations_42_and_44_linear_terms),
        cmocka_unit_test(equation_43_of_a_random_constrained_rod),
        cmocka_unit_test(equations_34_and_45_of_constrained_rods),
        cmocka_unit_test(forces_of_held_strains_are_not_ideal_along_the_rod),
        cmocka_unit_test(equilibrium_is_where_the_measure_in_space_is_least),
        cmocka_unit_test(both_measures_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
