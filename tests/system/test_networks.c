/* SPDX-License-Identifier: Apache-2.0
 * test_networks.c: rods joined to rods and bodies: rings, trees, nets, places between nodes; by verlet, energy-momentum and at rest; for rods that shear and stretch and rods that do
 * not. The cost of a tree is linear. */
#include "steps/equilibrium.h"

#include "support/model.h"

#include <time.h>

static const char *const kinds[3] = {"cosserat", "unshearable", "inextensible"};

typedef struct text {
    char   s[200000];
    size_t used;
} text;

static void put(text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->s + t->used, sizeof t->s - t->used, format, list);
    va_end(list);
    assert_true(n >= 0 && t->used + (size_t)n < sizeof t->s);
    t->used += (size_t)n;
}

static const char *young = "1e7";

static const char *section(const char *kind) {
    static char out[200];
    snprintf(out, sizeof out, "kinematics: %s, section: {round: 0.005}, material: {density: 1000, young: %s, poisson: 0.5}", kind, young);
    return out;
}

/* rods that part in two, depth times; joined at their ends by `joint` */
typedef struct tree {
    text        bodies, joints;
    const char *kind, *joint;
    int         elements, rods;
} tree;

static void grow(tree *t, int parent, const double at[3], double angle, int depth) {
    for (int side = -1; side <= 1 && depth > 0; side += 2) {
        double a = angle + 0.4 * side, u[3] = {sin(a), 0.1 * side, cos(a)}, n = sqrt(1.01), tip[3];
        int    me = t->rods++;
        for (int i = 0; i < 3; i++) {
            u[i] /= n;
            tip[i] = at[i] + 0.3 * u[i];
        }
        put(&t->bodies, "  r%d: {rod: {length: 0.3, elements: %d, at: [%.17g, %.17g, %.17g], along: [%.17g, %.17g, %.17g], %s}}\n", me,
            t->elements, at[0], at[1], at[2], u[0], u[1], u[2], section(t->kind));
        put(&t->joints, "  j%d: {%s: [{body: r%d, s: 0}, {body: r%d, s: end}]}\n", me, t->joint, me, parent);
        grow(t, me, tip, a, depth - 1);
    }
}

static void make_tree(const char *kind, const char *joint, int elements, int depth, text *out) {
    tree        *t = calloc(1, sizeof *t);
    const double top[3] = {0.0, 0.0, 0.3};
    *t = (tree){.kind = kind, .joint = joint, .elements = elements, .rods = 1};
    grow(t, 0, top, 0.0, depth);
    out->used = 0;
    put(out,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  r0: {rod: {length: 0.3, elements: %d, %s}}\n%sconstraints:\n  root: {clamp: r0, s: 0}\n%srun: {until: 1}\n",
        elements, section(kind), t->bodies.s, t->joints.s);
    free(t);
}

/* n and n rods across, on a frame: held at one end, by a spring at the other */
static void make_net(const char *kind, const char *joint, int n, int links, text *out) {
    double L = 0.2 * (n + 1);
    out->used = 0;
    put(out, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++) {
        put(out, "  x%d: {rod: {length: %.17g, elements: %d, at: [0, %.17g, 0], along: [1, 0, 0], up: [0, 0, 1], %s}}\n", i, L,
            links * (n + 1), 0.2 * (i + 1), section(kind));
        put(out, "  y%d: {rod: {length: %.17g, elements: %d, at: [%.17g, 0, 0], along: [0, 1, 0], up: [0, 0, 1], %s}}\n", i, L,
            links * (n + 1), 0.2 * (i + 1), section(kind));
    }
    put(out, "constraints:\n");
    for (int i = 0; i < n; i++) {
        put(out, "  ax%d: {ball: x%d, s: 0}\n  ay%d: {ball: y%d, s: 0}\n", i, i, i, i);
        put(out, "  ex%d: {spring: x%d, s: end, stiffness: 500}\n  ey%d: {spring: y%d, s: end, stiffness: 500}\n", i, i, i, i);
    }
    for (int i = 0; i < n * n; i++) {
        put(out, "  k%d: {%s: [{body: x%d, s: %.17g}, {body: y%d, s: %.17g}]}\n", i, joint, i / n, 0.2 * (i % n + 1), i % n,
            0.2 * (i / n + 1));
    }
    put(out, "run: {until: 1}\n");
}

typedef struct outcome {
    double energy, rows; /* drift over the scale; largest row */
    double place[3];     /* of the last node */
} outcome;

static outcome move(const char *model, const char *integrator, double h, double until) {
    fixture f;
    stepper s;
    outcome out = {0};
    fixture_system(&f, model);
    stepper_open_by(&s, &f, integrator, h);
    zw_account a = stepper_account(&s);
    double     start = account_energy(&a), scale = 0.0;
    int        m = zw_system_rows_count(f.y);
    double    *g = calloc((size_t)m + 1, sizeof *g);
    for (int i = 0, steps = (int)(until / h + 0.5); i < steps; i++) {
        stepper_go(&s, 1);
        a = stepper_account(&s);
        scale = fmax(scale, a.kinetic + a.elastic);
        out.energy = fmax(out.energy, fabs(account_energy(&a) - start - stepper_x(&s)->w[ZW_W_WORK] + stepper_x(&s)->w[ZW_W_DISSIPATED]));
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "values");
        out.rows = fmax(out.rows, largest(m, g));
    }
    out.energy /= scale;
    memcpy(out.place, stepper_x(&s)->q + ZW_ROD_NQ * (size_t)(fixture_rods(&f)->nnodes - 1), sizeof out.place);
    free(g);
    stepper_close(&s);
    fixture_close(&f);
    return out;
}

/* the same motion by both, energy to the tolerance of the solve */
static void both_ways(const char *model, double until) {
    outcome v = move(model, "verlet", 5e-5, until), e = move(model, "energy-momentum", 1e-3, until);
    double  d = largest_difference(3, v.place, e.place);
    check_below(e.energy, 1e-12, 1.4e-13);
    check_below(e.rows, 1e-13, 1.3e-15);
    check_below(v.rows, 1e-13, 1.5e-15);
    check_below(v.energy, 1e-5, 1e-6);
    check_below(d, 1e-4, 1.2e-5);
}

static void trees_move(void **state) {
    (void)state;
    static const char *const joint[2] = {"fixed", "ball"};
    text                    *t = calloc(1, sizeof *t);
    for (int i = 0; i < 6; i++) {
        make_tree(kinds[i % 3], joint[i / 3], 4, 2, t);
        both_ways(t->s, 0.05);
    }
    free(t);
}

static void nets_move(void **state) {
    (void)state;
    static const char *const joint[2] = {"fixed", "ball"};
    text                    *t = calloc(1, sizeof *t);
    for (int i = 0; i < 6; i++) {
        make_net(kinds[i % 3], joint[i / 3], 3, 2, t);
        both_ways(t->s, 0.05);
    }
    free(t);
}

static void rings_move(void **state) {
    (void)state;
    text *t = calloc(1, sizeof *t);
    for (int i = 0; i < 3; i++) {
        t->used = 0;
        put(t,
            "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  r: {rod: {length: 1, elements: 24, along: [1, 0, 0], shape: {ring: [0, 1, 0]}, natural: start, %s}}\n"
            "  w: {rigid: {sphere: {radius: 0.02}, mass: 0.05, at: [0, 0, -1/pi]}}\n"
            "constraints: {hang: {ball: r, s: 0}, low: {ball: [{body: w}, {body: r, s: 0.5}]}}\nrun: {until: 1}\n",
            section(kinds[i]));
        both_ways(t->s, 0.05);
    }
    free(t);
}

/* places between nodes: inside a link the rod is a helix, and joints there go by the midpoint */
static void places_between_nodes_are_joined(void **state) {
    (void)state;
    text *t = calloc(1, sizeof *t);
    for (int i = 0; i < 3; i++) {
        t->used = 0;
        put(t, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {rod: {length: 0.5, elements: 7, along: [1, 0, 0], %s}}\n",
            section(kinds[i]));
        put(t, "  b: {rod: {length: 0.3, elements: 5, at: [0.27, 0, 0], along: [0, 0, -1], %s}}\n", section(kinds[i]));
        put(t, "constraints: {root: {clamp: a, s: 0.03}, joint: {fixed: [{body: b, s: 0}, {body: a, s: 0.27}]}}\nrun: {until: 1}\n");
        both_ways(t->s, 0.05);
    }
    free(t);
}

static zw_status rest(const char *model, double place[3], zw_equilibrium_info *info, char *message, size_t size) {
    fixture     f;
    zw_implicit k;
    zw_state    x;
    fixture_system(&f, model);
    fixture_must(&f, zw_implicit_create(f.y, &k), "zw_implicit_create");
    fixture_state(&f, &x);
    double   *lambda = calloc((size_t)k.m + 1, sizeof *lambda);
    zw_status status = zw_equilibrium_find(&k, &x, lambda, info);
    if (status != ZW_OK) {
        zw_error_format(fixture_error(&f), message, size);
    }
    memcpy(place, x.q + ZW_ROD_NQ * (size_t)(fixture_rods(&f)->nnodes - 1), 3 * sizeof *place);
    free(lambda);
    zw_state_destroy(f.c, &x);
    zw_implicit_destroy(&k);
    fixture_close(&f);
    return status;
}

/* nearly the same place whether stiff strains are free or held */
static void networks_come_to_rest(void **state) {
    (void)state;
    text               *t = calloc(1, sizeof *t);
    double              place[3][3];
    char                message[1000];
    zw_equilibrium_info info;
    young = "1e9";
    for (int shape = 0; shape < 2; shape++) {
        for (int i = 0; i < 3; i++) {
            if (shape == 0) {
                make_net(kinds[i], "fixed", 3, 2, t);
            } else {
                make_tree(kinds[i], "fixed", 4, 2, t);
            }
            assert_int_equal(rest(t->s, place[i], &info, message, sizeof message), ZW_OK);
            check_below(info.residual, 1e-8, 2.4e-10); /* of the load: the last bits of axial forces */
            check_below(info.rows, 1e-10, 3.5e-12);
        }
        check_below(largest_difference(3, place[1], place[0]), 1e-4, 3.3e-6);
        check_below(largest_difference(3, place[2], place[0]), 1e-4, 9.8e-6);
    }
    young = "1e7";
    make_tree("inextensible", "ball", 4, 2, t); /* nothing holds the branches: a mechanism */
    assert_int_equal(rest(t->s, place[0], &info, message, sizeof message), ZW_E_CONVERGENCE);
    assert_non_null(strstr(message, "no equilibrium was found"));
    free(t);
}

static void trees_cost_linear_time(void **state) {
    (void)state;
    text *t = calloc(1, sizeof *t);
    for (int kind = 0; kind < 3; kind++) {
        double each[2], time[2];
        for (int size = 0; size < 2; size++) {
            fixture f;
            stepper s;
            int     depth = size == 0 ? 3 : 6, rods = (2 << depth) - 1;
            make_tree(kinds[kind], "fixed", 4, depth, t);
            fixture_system(&f, t->s);
            zw_implicit k;
            fixture_must(&f, zw_implicit_create(f.y, &k), "zw_implicit_create");
            each[size] = (double)k.lu.pattern.nvalues / rods;
            zw_implicit_destroy(&k);
            stepper_open_by(&s, &f, "energy-momentum", 1e-3);
            stepper_go(&s, 1);
            clock_t from = clock();
            stepper_go(&s, 4);
            time[size] = (double)(clock() - from) / CLOCKS_PER_SEC / 4 / rods;
            stepper_close(&s);
            fixture_close(&f);
        }
        print_message("%s: %.0f and %.0f numbers of the factor, %.0f and %.0f us of a step per rod, with 15 and 127 rods\n", kinds[kind],
                      each[0], each[1], 1e6 * time[0], 1e6 * time[1]);
        assert_true(each[1] < 1.1 * each[0]);
    }
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_move),
        cmocka_unit_test(nets_move),
        cmocka_unit_test(rings_move),
        cmocka_unit_test(places_between_nodes_are_joined),
        cmocka_unit_test(networks_come_to_rest),
        cmocka_unit_test(trees_cost_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
