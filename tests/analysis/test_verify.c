/* SPDX-License-Identifier: Apache-2.0
 * test_verify.c: principles agree at random states of systems of the literature, of random systems and of rods; and whatever is broken on purpose is caught,
 * by the check that is there for it. */
#include "support/model.h"

#include "analysis/systems.h"
#include "analysis/udwadia.h"
#include "zwang/verify.h"

static zw_verification verify(fixture *f, int states, uint64_t seed) {
    zw_verification v;
    zw_verify_def   def = zw_verify_def_default();
    def.states = states;
    def.seed = seed;
    fixture_must(f, zw_verify(f->y, &def, &v), "zw_verify");
    return v;
}

static zw_verification verify_text(const char *text, int states) {
    fixture f;
    fixture_system(&f, text);
    zw_verification v = verify(&f, states, 1);
    fixture_close(&f);
    return v;
}

static void must_hold(const char *name, const zw_verification *v) {
    for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
        const zw_verify_check *c = &v->check[i];
        if (!c->ok) {
            print_error("%s: %s: %.3e beyond %.3e at state %d (%s)\n", name, c->name, c->largest, c->tolerance, c->state, c->where);
        }
    }
    assert_true(v->ok);
}

/* how far the formulations are apart, in 1e-12 cond(A M^-1 A') */
static double apart(const zw_verification *v) {
    double most = 0.0;
    for (int i = ZW_VERIFY_MULTIPLIER; i <= ZW_VERIFY_UDWADIA; i++) {
        assert_int_equal(v->check[i].states, v->states);
        most = fmax(most, v->check[i].largest / v->check[i].tolerance);
    }
    return most;
}

static void systems_of_the_literature_agree_at_100_states(void **state) {
    double worst = 0.0, equation = 0.0, differences = 0.0;
    (void)state;
    for (int i = 0; i < LITERATURE; i++) {
        zw_verification v = verify_text(literature[i].text, 100);
        must_hold(literature[i].name, &v);
        assert_int_equal(v.states, 100);
        assert_int_equal(v.check[ZW_VERIFY_EQUATION].states, 100);
        worst = fmax(worst, apart(&v));
        equation = fmax(equation, v.check[ZW_VERIFY_EQUATION].largest);
        for (int k = ZW_VERIFY_ROWS; k <= ZW_VERIFY_POWER; k++) {
            differences = fmax(differences, v.check[k].largest);
        }
    }
    check_below(worst, 0.1, 2.6e-3);
    check_below(equation, 1e-13, 4e-16);
    check_below(differences, 1.5e-11, 1.6e-13);
}

static void fifty_random_systems_agree_at_100_states(void **state) {
    enum { SYSTEMS = 50 };
    double worst = 0.0, equation = 0.0, differences = 0.0;
    int    nonlinear = 0, holonomic = 0, moving = 0, tried = 0;
    (void)state;
    for (int i = 0; i < SYSTEMS; i++) {
        static char text[16000];
        char        name[40];
        fixture     f;
        write_random_system(i, text, sizeof text);
        snprintf(name, sizeof name, "random system %d", i);
        fixture_system(&f, text);
        nonlinear += zw_system_rows_nonlinear(f.y);
        holonomic += zw_system_rows_position_count(f.y) > 0;
        moving += zw_system_rows_move(f.y);
        zw_verification v = verify(&f, 100, 1);
        fixture_close(&f);
        must_hold(name, &v);
        assert_int_equal(v.states, 100);
        tried += v.tried;
        worst = fmax(worst, apart(&v));
        equation = fmax(equation, v.check[ZW_VERIFY_EQUATION].largest);
        for (int k = ZW_VERIFY_ROWS; k <= ZW_VERIFY_POWER; k++) {
            differences = fmax(differences, v.check[k].largest);
        }
    }
    print_message("random systems: %d nonlinear, %d holonomic, %d with time, %d states tried\n", nonlinear, holonomic, moving, tried);
    assert_true(nonlinear >= 10 && holonomic >= 10 && moving >= 10);
    check_below(worst, 0.1, 4e-3);
    check_below(equation, 1e-13, 5.5e-16);
    check_below(differences, 1e-10, 9e-12);
}

#define MATERIAL "section: {rectangle: [0.1, 0.06]}, material: {density: 1000, young: 1e6, poisson: 0.25, damping: 0.001}"
#define CLAMPED                                                                                                         \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {rod: {length: 1, elements: 6, along: [1, 0, 0], " MATERIAL "}}\n" \
    "constraints:\n  root: {clamp: a, s: 0}\n"
#define JOINTED                                                                                                                        \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                                                                      \
    "  a: {rod: {length: 1, elements: 6, along: [1, 0, 0], shape: {curvature: [1, 0.5, 1]}, " MATERIAL "}}\n"                          \
    "  b: {rod: {length: 0.6, elements: 4, at: [0.2, 0.1, 0.3], along: [0, 1, 0], section: {square: 0.05}, material: {density: 1000, " \
    "young: 1e6, poisson: 0.25}}}\n"                                                                                                   \
    "constraints:\n  root: {clamp: a, s: 0, motion: {shift: [0, 0.1*t^2, 0.2*t], turn: [0, 2*t, t^2]}}\n"                              \
    "  knee: {clamp: [{body: a, s: 0.7}, {body: b, s: 0.2}], fix: [x, y, z, rx, ry]}\n"                                                \
    "loads:\n  pull: {force: [1, 2, sin(t)], on: {body: b, s: 0.6}}\n"
#define TOWED                                                                                                                            \
    "zwang: 1\nparameters: {m: 2, J: 0.5, a: 0.3, b: 0.4}\nbodies:\n  sleigh:\n    lagrangian:\n      coordinates: [x, y, theta]\n"      \
    "      kinetic: J*thetadot^2/2 + m/2*((xdot - a*thetadot*sin(theta))^2 + (ydot + a*thetadot*cos(theta))^2)\n"                        \
    "      constraints: {blade: ydot*cos(theta) = xdot*sin(theta)}\n"                                                                    \
    "      points: {hitch: [x - b*cos(theta), y - b*sin(theta), 0]}\n      start: {xdot: 1.5, thetadot: 2.5}\n"                          \
    "  rope: {rod: {length: 1, elements: 8, at: [-b, 0, 0], along: [-1, 0, 0], section: {round: 0.02}, material: {density: 200, young: " \
    "2e5, poisson: 0.4, damping: 2e-3}}}\n"                                                                                              \
    "constraints:\n  tow: {ball: [{body: sleigh, point: hitch}, {body: rope, s: 0}]}\n"

static void rods_that_are_clamped_jointed_and_towed_agree(void **state) {
    static const char *const text[] = {CLAMPED, JOINTED, TOWED};
    double                   worst = 0.0, differences = 0.0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        zw_verification v = verify_text(text[i], 30);
        must_hold(text[i], &v);
        worst = fmax(worst, apart(&v));
        assert_int_equal(v.check[ZW_VERIFY_FORCE].states, 30);
        assert_int_equal(v.check[ZW_VERIFY_LEVEL].states, 30);
        assert_int_equal(v.check[ZW_VERIFY_EQUATION].states, 0);
        for (int k = ZW_VERIFY_ROWS; k <= ZW_VERIFY_POWER; k++) {
            differences = fmax(differences, v.check[k].largest);
        }
    }
    check_below(worst, 0.03, 3.3e-4);
    check_below(differences, 1e-10, 5.1e-12);
}

static void redundant_rows_are_left_to_the_independent_ones(void **state) {
    zw_verification v =
        verify_text("zwang: 1\nbodies:\n  p:\n    lagrangian:\n      coordinates: [x, y, z]\n      kinetic: (xdot^2 + ydot^2 + "
                    "3*zdot^2)/2\n      potential: y\n      constraints: [x^2 + y^2 = 1, x*xdot + y*ydot = 0, zdot = x*ydot]\n"
                    "      start: {x: 1}\n",
                    50);
    (void)state;
    must_hold("redundant rows", &v);
    assert_int_equal(v.redundant, 1);
    assert_int_equal(v.redundant_states, 50);
    assert_int_equal(v.check[ZW_VERIFY_REACTIONS].states, 0);
    assert_non_null(strstr(v.check[ZW_VERIFY_REACTIONS].note, "not unique"));
    check_below(apart(&v), 0.01, 1.7e-4);
}

static void quasi_velocities_are_checked_in_their_own_axes(void **state) {
    zw_verification v =
        verify_text("zwang: 1\nparameters: {m: 2, I: 0.5, a: 0.3}\nbodies:\n  b:\n    lagrangian:\n      coordinates: [x, y, theta]\n"
                    "      velocities: {u: xdot*cos(theta) + ydot*sin(theta), w: -xdot*sin(theta) + ydot*cos(theta), r: thetadot}\n"
                    "      kinetic: I*thetadot^2/2 + m/2*((xdot - a*thetadot*sin(theta))^2 + (ydot + a*thetadot*cos(theta))^2)\n"
                    "      potential: x^2/2 + y\n      dissipation: 0.1*(xdot^2 + thetadot^2)\n"
                    "      constraints: {blade: -xdot*sin(theta) + ydot*cos(theta) = 0}\n      start: {xdot: 0.4, thetadot: 1.5}\n",
                    50);
    (void)state;
    must_hold("quasi-velocities", &v);
    check_below(v.check[ZW_VERIFY_BIAS].largest, 9e-12, 9.1e-14);
    check_below(v.check[ZW_VERIFY_EQUATION].largest, 1e-11, 1.1e-13);
}

/* exp(-x^2) is 0 in floating point where x is large: no reason to drop a term of equation 13 that has it */
static void exponentials_that_underflow_stay_in_the_equations(void **state) {
    static char text[16000];
    fixture     f;
    (void)state;
    write_random_system(233, text, sizeof text);
    fixture_system(&f, text);
    zw_verification v = verify(&f, 20, 3);
    fixture_close(&f);
    must_hold("system 233", &v);
}

/* attraction by 1/r: some states are near its centre */
static void states_near_a_singularity_pass(void **state) {
    zw_verification v = verify_text("zwang: 1\nbodies:\n  p: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + ydot^2)/2, potential: "
                                    "-1/sqrt(x^2 + y^2), constraints: [ydot = x*xdot], start: {x: 0.1}}}\n",
                                    400);
    (void)state;
    must_hold("1/r", &v);
    check_below(v.check[ZW_VERIFY_FORCE].largest, 1e-9, 1e-11);
}

static void bodies_beside_each_other_have_their_own_equations(void **state) {
    zw_verification v = verify_text(
        "zwang: 1\nbodies:\n"
        "  a: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + 2*ydot^2)/2, constraints: [xdot = x*ydot], start: {ydot: 1}}}\n"
        "  b: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + ydot^2)/2, constraints: [xdot^2 + ydot^2 = 1 + t], start: {xdot: 1}}}\n"
        "  c: {lagrangian: {coordinates: [phi], kinetic: phidot^2/2, potential: -cos(phi)}}\n",
        30);
    (void)state;
    must_hold("three bodies", &v);
    assert_int_equal(v.check[ZW_VERIFY_EQUATION].states, 30);
    check_below(v.check[ZW_VERIFY_EQUATION].largest, 1e-13, 4.3e-16);
}

static void the_same_seed_gives_the_same_numbers(void **state) {
    fixture f;
    (void)state;
    fixture_system(&f, literature[3].text);
    zw_verification a = verify(&f, 20, 5), b = verify(&f, 20, 5), c = verify(&f, 20, 6);
    assert_true(a.disagreement == b.disagreement && a.condition == b.condition);
    assert_true(a.condition != c.condition);
    for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
        assert_true(a.check[i].largest == b.check[i].largest && a.check[i].state == b.check[i].state);
    }
    fixture_close(&f);
}

static void a_model_without_accelerations_or_admissible_states_is_refused(void **state) {
    fixture         f;
    zw_verification v;
    (void)state;
    fixture_system(&f, "zwang: 1\nbodies:\n  p:\n    lagrangian:\n      coordinates: [x, y]\n      kinetic: (xdot^2 + ydot^2)/2\n"
                       "      constraints: [x^2 + y^2 = 1, x + y = 3]\n      start: {x: 1}\n");
    assert_int_equal(zw_verify(f.y, NULL, &v), ZW_E_CONVERGENCE);
    assert_non_null(strstr(fixture_error(&f)->message, "0 of 100 random states"));
    fixture_close(&f);
    fixture_system(&f, "zwang: 1\nbodies:\n  c: {field: {algebra: so(3), hamiltonian: mu1^2 + 2*mu2^2 + 3*mu3^2 + gamma1^2, elements: 4, "
                       "start: {mu: [1, 0.1, 0.2]}}}\n");
    assert_int_equal(zw_verify(f.y, NULL, &v), ZW_E_UNSUPPORTED);
    fixture_close(&f);
}

/* ---- broken on purpose: one function of a part or of a constraint is replaced by a wrong one */
#define TINY 1e-6
static const zw_part_ops       *sound;
static const zw_constraint_ops *sound_rows;
static int                      calls;

static zw_status wrong_force(void *self, const zw_state *x, double *f) {
    zw_status status = sound->force(self, x, f);
    f[0] += TINY * (fabs(f[0]) + 1.0);
    return status;
}

static void wrong_bias(void *self, const zw_state *x, double *f) {
    sound->bias(self, x, f);
    f[0] += 1e-4 * x->v[0] * x->v[1];
}

static void wrong_mass(void *self, const zw_state *x, zw_matrix *M) {
    static double copy[64];
    sound->mass(self, x, M);
    assert_true(M->n <= 8);
    memcpy(copy, M->a, sizeof(double) * (size_t)(M->n * M->n));
    copy[0] *= 1.0 + TINY;
    M->a = copy;
}

static void wrong_account(void *self, const zw_state *x, zw_account *a) {
    sound->account(self, x, a);
    a->kinetic *= 1.0 + TINY;
}

static void wrong_power(void *self, const zw_state *x, double *work, double *dissipated) {
    sound->power(self, x, work, dissipated);
    *dissipated *= 1.0 + TINY;
}

static zw_status wrong_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    ptrdiff_t first = A->nvalues;
    zw_status status = sound_rows->rows(self, y, x, A);
    A->a[first + 1] += TINY;
    return status;
}

static zw_status wrong_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    zw_status status = sound_rows->rate(self, y, x, D);
    D[0] += TINY * (1.0 + fabs(D[0]));
    return status;
}

static zw_status moody_rate(void *self, const zw_system *y, const zw_state *x,
                            double *D) { /* not the same twice: the kernel gets another one */
    zw_status status = sound_rows->rate(self, y, x, D);
    D[0] += calls++ % 2 == 0 ? 1e-9 : 0.0;
    return status;
}

static zw_status wrong_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    zw_status status = sound_rows->values(self, y, x, level, c);
    c[0] += level == 0 ? TINY * x->q[0] : 0.0;
    return status;
}

static void must_catch(const char *what, fixture *f, zw_verify_kind kind) {
    zw_verification v = verify(f, 10, 1);
    if (v.ok || v.check[kind].ok) {
        for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
            print_error("%s: %s %.3e %.3e\n", what, v.check[i].name, v.check[i].largest, v.check[i].tolerance);
        }
        fail_msg("%s was not caught by '%s'", what, v.check[kind].name);
    }
}

#define SWING                                                                                                                           \
    "zwang: 1\nbodies:\n  p:\n    lagrangian:\n      coordinates: [x, y, s]\n"                                                          \
    "      kinetic: (xdot^2 + ydot^2)/2 + (1 + x^2)*sdot^2\n      potential: 9.81*y + s^2*x\n      dissipation: xdot^2/10 + sdot^2/5\n" \
    "      constraints: {length: x^2 + y^2 = 1 + 0.1*t, pace: sdot = x*ydot}\n      start: {x: 1, ydot: 0.5}\n"

static void a_broken_part_is_caught_by_its_check(void **state) {
    fixture     f;
    zw_part_ops ops;
    (void)state;
    fixture_system(&f, SWING);
    sound = f.y->part[0].ops;
    f.y->part[0].ops = &ops;
    ops = *sound;
    zw_verification v = verify(&f, 10, 1);
    must_hold("a copy of the ops", &v);
    ops.force = wrong_force;
    must_catch("force", &f, ZW_VERIFY_FORCE);
    must_catch("force", &f, ZW_VERIFY_POWER);
    must_catch("force", &f, ZW_VERIFY_EQUATION);
    ops = *sound;
    ops.bias = wrong_bias;
    must_catch("bias", &f, ZW_VERIFY_BIAS);
    ops = *sound;
    ops.mass = wrong_mass;
    must_catch("mass", &f, ZW_VERIFY_MASS);
    ops = *sound;
    ops.account = wrong_account;
    must_catch("account", &f, ZW_VERIFY_POWER);
    ops = *sound;
    ops.power = wrong_power;
    must_catch("power", &f, ZW_VERIFY_POWER);
    f.y->part[0].ops = sound;
    fixture_close(&f);
}

static void a_broken_rod_is_caught(void **state) {
    fixture     f;
    zw_part_ops ops;
    (void)state;
    fixture_system(&f, CLAMPED);
    sound = f.y->part[0].ops;
    ops = *sound;
    ops.force = wrong_force;
    f.y->part[0].ops = &ops;
    must_catch("force of a rod", &f, ZW_VERIFY_FORCE);
    f.y->part[0].ops = sound;
    fixture_close(&f);
}

static void broken_rows_are_caught_by_their_checks(void **state) {
    fixture           f;
    zw_constraint_ops ops;
    (void)state;
    fixture_system(&f, SWING);
    sound_rows = f.y->constraint[0].ops;
    f.y->constraint[0].ops = &ops;
    ops = *sound_rows;
    ops.rows = wrong_rows;
    must_catch("rows", &f, ZW_VERIFY_ROWS);
    ops = *sound_rows;
    ops.rate = wrong_rate;
    must_catch("rate", &f, ZW_VERIFY_RATE);
    ops = *sound_rows;
    ops.values = wrong_values;
    must_catch("values", &f, ZW_VERIFY_LEVEL);
    ops = *sound_rows;
    ops.rate = moody_rate;
    calls = 0;
    must_catch("accelerations of the kernel", &f, ZW_VERIFY_MULTIPLIER);
    must_catch("accelerations of the kernel", &f, ZW_VERIFY_UDWADIA);
    must_catch("accelerations of the kernel", &f, ZW_VERIFY_HOLD);
    f.y->constraint[0].ops = sound_rows;
    fixture_close(&f);
}

/* two rows, the second three times the first: the answer is that of one row */
static void pseudo_inverse_takes_redundant_rows(void **state) {
    const double       M[4] = {2, 0, 0, 1}, A[4] = {1, 1, 3, 3}, f_[2] = {2, 3}, b[2] = {1, 3};
    double             a[2], lambda[2], condition;
    bool               solved;
    zw_context        *c;
    zw_arena           arena;
    zw_udwadia_problem p = {.n = 2, .m = 2, .M = M, .A = A, .f = f_, .b = b, .rank = 1};
    (void)state;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_arena_init(&arena, c);
    assert_int_equal(zw_udwadia_solve(&arena, &p, a, lambda, &condition, &solved), ZW_OK);
    assert_true(solved);
    /* a_free = (1, 3), open = 1 - 4 = -3, A M^-1 A' = 3/2: a = a_free - 2 (1/2, 1) */
    check_near(a[0], 0.0, 1e-15);
    check_near(a[1], 1.0, 1e-15);
    check_near(lambda[0] + 3.0 * lambda[1], -2.0, 1e-14);
    check_near(condition, 1.0, 1e-15);
    p.rank = 2;
    p.m = 1;
    assert_int_equal(zw_udwadia_solve(&arena, &p, a, lambda, &condition, &solved), ZW_OK);
    assert_false(solved);
    zw_arena_destroy(&arena);
    zw_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pseudo_inverse_takes_redundant_rows),
        cmocka_unit_test(systems_of_the_literature_agree_at_100_states),
        cmocka_unit_test(fifty_random_systems_agree_at_100_states),
        cmocka_unit_test(rods_that_are_clamped_jointed_and_towed_agree),
        cmocka_unit_test(redundant_rows_are_left_to_the_independent_ones),
        cmocka_unit_test(quasi_velocities_are_checked_in_their_own_axes),
        cmocka_unit_test(exponentials_that_underflow_stay_in_the_equations),
        cmocka_unit_test(states_near_a_singularity_pass),
        cmocka_unit_test(bodies_beside_each_other_have_their_own_equations),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(a_model_without_accelerations_or_admissible_states_is_refused),
        cmocka_unit_test(a_broken_part_is_caught_by_its_check),
        cmocka_unit_test(a_broken_rod_is_caught),
        cmocka_unit_test(broken_rows_are_caught_by_their_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
