/* SPDX-License-Identifier: Apache-2.0
 * test_geometry_pairs.c: every form against every form and every obstacle, turned at random and thrown at each other without spin. The time of the impact is
 * where their distance (math/form.h) along the straight way is 0, found by halving; the velocities after it are those of two bodies hit at the nearest points along
 * the normal: neither knows about features. */
#include "support/ledger.h"

#include "math/form.h"
#include "math/quat.h"

enum { SHAPES = 5, TRIALS = 6 };

static const double      cloud[3 * 10] = {0.3,  0.05, 0.02, -0.3, -0.05, -0.02, 0.04,  0.25,  -0.06, -0.04, -0.25, 0.06, 0.1,  -0.08, 0.2,
                                          -0.1, 0.08, -0.2, 0.17, 0.15,  0.12,  -0.17, -0.15, -0.12, -0.15, 0.11,  0.14, 0.15, -0.11, -0.14};
static const char *const shape_text[SHAPES] = {
    "sphere: {radius: 0.2}", "capsule: {radius: 0.1, length: 0.5}", "box: {size: [0.4, 0.3, 0.2]}", "cylinder: {radius: 0.2, length: 0.3}",
    ("hull: {points: [[0.3, 0.05, 0.02], [-0.3, -0.05, -0.02], [0.04, 0.25, -0.06], [-0.04, -0.25, 0.06], [0.1, -0.08, 0.2], [-0.1, 0.08, -0.2],"
     " [0.17, 0.15, 0.12], [-0.17, -0.15, -0.12], [-0.15, 0.11, 0.14], [0.15, -0.11, -0.14]]}")};
static const zw_form shape_form[SHAPES] = {{.shape = ZW_SHAPE_BALL, .radius = 0.2},
                                           {.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 0.25},
                                           {.shape = ZW_SHAPE_BLOCK, .size = {0.2, 0.15, 0.1}},
                                           {.shape = ZW_SHAPE_DRUM, .radius = 0.2, .half = 0.15},
                                           {.shape = ZW_SHAPE_CLOUD, .n = 10, .point = cloud}};

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

typedef struct thrown { /* one body: where, how turned, how fast */
    zw_placed at;
    double    turn[3], v[3], mass, inverse[9]; /* of its inertia, in space */
} thrown;

static void throw_it(thrown *b, int shape, double mass, uint64_t *seed) {
    double volume, centre[3], inertia[9], q[4], R[9], left[9];
    *b = (thrown){.mass = mass};
    b->at.form = &shape_form[shape];
    double angle = 0.0;
    for (int i = 0; i < 3; i++) {
        b->turn[i] = 2.0 * uniform(seed);
        angle += b->turn[i] * b->turn[i];
    }
    angle = sqrt(angle);
    q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++) {
        q[1 + i] = sin(0.5 * angle) * b->turn[i] / angle;
    }
    zw_q_to_matrix(q, b->at.R);
    assert_true(zw_form_inertia(b->at.form, &volume, centre, inertia));
    zw_m3_scale(inertia, mass / volume, inertia);
    zw_m3_inverse(R, inertia);
    zw_m3_mul(left, b->at.R, R);
    zw_m3_mult(b->inverse, left, b->at.R);
}

/* what stands still: a body (shape >= 0) or an obstacle */
typedef enum wall { BODY, PLANE, BALL, POST, BLOCK, CAPSULE, BALL_ROOM, PIPE, SHEET, WALLS } wall;

static const double  sheet[9] = {-3.0, -3.0, 0.0, 3.0, -3.0, 0.0, 0.0, 4.0, 0.0};
static const zw_form ball_form = {.shape = ZW_SHAPE_BALL, .radius = 0.3},
                     post_form = {.shape = ZW_SHAPE_STICK, .radius = 0.15, .half = 5.0},
                     block_form = {.shape = ZW_SHAPE_BLOCK, .size = {0.25, 0.2, 0.15}},
                     capsule_form = {.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 0.3};
static const char *const wall_text[WALLS] = {
    "",
    "plane: {normal: [0, 0, 1]}",
    "sphere: {radius: 0.3}",
    "cylinder: {radius: 0.15, axis: [1, 0, 0]}",
    "box: {size: [0.5, 0.4, 0.3]}",
    "capsule: {radius: 0.1, length: 0.6, axis: [1, 0, 0]}",
    "sphere: {radius: 1.5, hollow: true}",
    "cylinder: {radius: 1.5, axis: [1, 0, 0], hollow: true}",
    "mesh: {points: [[-3, -3, 0], [3, -3, 0], [0, 4, 0]], triangles: [[0, 1, 2]]}",
};

static void distance(const thrown *a, double t, wall w, const zw_placed *b, zw_touch *out) {
    static const double ez[3] = {0.0, 0.0, 1.0}, ex[3] = {1.0, 0.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    zw_placed           p = a->at;
    zw_v3_addscaled(p.x, p.x, t, a->v);
    switch (w) {
    case PLANE: zw_form_against_plane(&p, ez, zero, out); break;
    case BALL_ROOM: zw_form_inside_ball(&p, zero, 1.5, out); break;
    case PIPE: zw_form_inside_drum(&p, zero, ex, 1.5, out); break;
    case SHEET: zw_form_against_triangle(&p, sheet, out); break;
    default: zw_form_distance(&p, b, out); break;
    }
}

static double time_of_impact(const thrown *a, wall w, const zw_placed *b, zw_touch *at) {
    double lo = 0.0, hi = 0.0;
    do { /* no way of more than a hundredth at a time */
        lo = hi;
        hi += 0.002;
        distance(a, hi, w, b, at);
    } while (at->gap > 0.0 && hi < 4.0);
    if (!(hi < 4.0)) {
        return -1.0;
    }
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (lo + hi);
        distance(a, mid, w, b, at);
        *(at->gap > 0.0 ? &lo : &hi) = mid;
    }
    distance(a, lo - 1e-9, w, b, at);
    return lo;
}

static double felt(const thrown *b, const zw_touch *t, double when, double arm_cross_n[3]) {
    double x[3], arm[3], turned[3];
    zw_v3_addscaled(x, b->at.x, when, b->v);
    for (int i = 0; i < 3; i++) {
        arm[i] = 0.5 * (t->a[i] + t->b[i]) - x[i];
    }
    zw_v3_cross(arm_cross_n, arm, t->n);
    zw_m3_mulv(turned, b->inverse, arm_cross_n);
    return 1.0 / b->mass + zw_v3_dot(turned, arm_cross_n);
}

static void describe(const char *name, const char *form, const thrown *b, char *text, size_t size) {
    size_t used = strlen(text);
    snprintf(text + used, size - used,
             "  %s: {rigid: {%s, mass: %.17g, at: [%.17g, %.17g, %.17g], turn: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g]}}\n",
             name, form, b->mass, b->at.x[0], b->at.x[1], b->at.x[2], b->turn[0], b->turn[1], b->turn[2], b->v[0], b->v[1], b->v[2]);
}

static double worst_time, worst_velocity, worst_spin, worst_energy;

static void check_pair(int shape, wall w, int other, uint64_t *seed) {
    static ledger l;
    char          text[2400] = "zwang: 1\nbodies:\n";
    thrown        a, b = {.mass = INFINITY};
    zw_touch      t;
    throw_it(&a, shape, 1.0, seed);
    zw_m3_identity(b.at.R);
    bool room = w == BALL_ROOM || w == PIPE;
    if (w == BODY) {
        throw_it(&b, other, 2.0, seed);
    } else if (w != PLANE && !room && w != SHEET) {
        b.at.form = w == BALL ? &ball_form : w == POST ? &post_form : w == BLOCK ? &block_form : &capsule_form;
        if (w == POST || w == CAPSULE) { /* z is along x */
            const double R[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
            memcpy(b.at.R, R, sizeof R);
        }
    }
    zw_v3_set(a.v, 0.3 * uniform(seed), 0.3 * uniform(seed), -1.0);
    zw_v3_set(a.at.x, 0.15 * uniform(seed) - a.v[0], 0.15 * uniform(seed) - a.v[1], room ? 0.0 : 1.0);
    double when = time_of_impact(&a, w, &b.at, &t);
    assert_true(when > 0.0);
    describe("a", shape_text[shape], &a, text, sizeof text);
    if (w == BODY) {
        describe("b", shape_text[other], &b, text, sizeof text);
    } else {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "obstacles: {b: {%s}}\n", wall_text[w]);
    }
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "contact: {restitution: 1}\nrun: {until: %.17g, integrator: gauss}\n", when + 1e-6);
    ledger_open(&l, text);
    ledger_finish(&l);
    double arm_a[3], arm_b[3], w_a[3], w_b[3], closing = zw_v3_dot(t.n, a.v);
    double G = felt(&a, &t, when, arm_a) + (w == BODY ? felt(&b, &t, when, arm_b) : 0.0), p = 2.0 * closing / G;
    zw_m3_mulv(w_a, a.inverse, arm_a);
    const double *v = zw_run_state(l.f.r)->v;
    if (ledger_summary(&l).impacts != 1) {
        print_error("%s\n", text);
    }
    assert_int_equal(ledger_summary(&l).impacts, 1);
    double off = fabs(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.t - when), speed = 0.0, spin;
    for (int i = 0; i < 3; i++) {
        speed = fmax(speed, fabs(v[3 + i] - (a.v[i] - p * t.n[i])));
        speed = w == BODY ? fmax(speed, fabs(v[9 + i] - p * t.n[i] / b.mass)) : speed;
    }
    spin = fabs(zw_v3_norm(v) - p * zw_v3_norm(w_a));
    if (w == BODY) {
        zw_m3_mulv(w_b, b.inverse, arm_b);
        spin = fmax(spin, fabs(zw_v3_norm(v + 6) - p * zw_v3_norm(w_b)));
    }
    if (off > 1e-10 || speed > 1e-7 || spin > 1e-6) {
        print_message("%.5s on %d/%d: time %.1e velocity %.1e spin %.1e\n", shape_text[shape], w, other, off, speed, spin);
    }
    worst_time = fmax(worst_time, off);
    worst_velocity = fmax(worst_velocity, speed);
    worst_spin = fmax(worst_spin, spin);
    worst_energy = fmax(worst_energy, ledger_summary(&l).energy_drift_max);
    fixture_close(&l.f);
}

static void all_forms_meet_each_other(void **state) {
    (void)state;
    uint64_t seed = 5;
    worst_time = worst_velocity = worst_spin = worst_energy = 0.0;
    for (int i = 0; i < SHAPES; i++) {
        for (int j = i; j < SHAPES; j++) {
            for (int k = 0; k < TRIALS; k++) {
                check_pair(i, BODY, j, &seed);
            }
        }
    }
    check_below(worst_time, 1e-13, 6.7e-16);
    check_below(worst_velocity, 1e-6, 6.6e-9);
    check_below(worst_spin, 1e-5, 4e-7);
    check_below(worst_energy, 1e-12, 4.4e-16);
}

static void all_forms_meet_all_obstacles(void **state) {
    (void)state;
    uint64_t seed = 7;
    worst_time = worst_velocity = worst_spin = worst_energy = 0.0;
    for (int i = 0; i < SHAPES; i++) {
        for (int w = PLANE; w < WALLS; w++) {
            for (int k = 0; k < TRIALS; k++) {
                check_pair(i, (wall)w, 0, &seed);
            }
        }
    }
    check_below(worst_time, 1e-13, 1.3e-15);
    check_below(worst_velocity, 1e-6, 2.2e-8);
    check_below(worst_spin, 1e-5, 6e-7);
    check_below(worst_energy, 1e-12, 6.7e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_meet_each_other),
        cmocka_unit_test(all_forms_meet_all_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
