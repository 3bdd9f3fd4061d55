/* SPDX-License-Identifier: Apache-2.0
 * test_kirchhoff.c: strains of rods that are held by rows: derivatives against differences, discrete gradients over a step, names, forces in the section, start shapes that do not fit. */
#include "rows/kirchhoff.h"

#include "math/quat.h"
#include "parts/node_step.h"
#include "support/model.h"

#define ROD(kind, more)                                                                                                             \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 5, along: [1, 0, 0], kinematics: " kind                                      \
    ", section: {bending: [0.05, 0.08], torsion: 0.04, stretch: 20, mass: 0.1, inertia: [1e-3, 2e-3, 3e-3]}, natural: {curvature: " \
    "[s, 2, 1]}" more "}}}\nrun: {until: 1}\n"

static const char *const models[2] = {ROD("unshearable", ""), ROD("inextensible", ", shape: {ring: [0, 1, 0]}")};

/* position level, rows, velocity level and rate at a state far off the rows, links turned by up to 2 rad */
static void derivatives_agree_with_differences(void **state) {
    (void)state;
    for (int model = 0; model < 2; model++) {
        for (int size = 0; size < 2; size++) { /* small turns: the series; large ones: the closed forms */
            fixture        f;
            zw_state       x, near;
            const zw_rows *A;
            uint64_t       seed = 77;
            fixture_system(&f, models[model]);
            fixture_state(&f, &x);
            fixture_state(&f, &near);
            zw_size n = zw_system_size(f.y);
            int     m = zw_system_rows_count(f.y);
            assert_int_equal(m, model == 0 ? 10 : 15);
            shake(f.y, &x, size == 0 ? 0.05 : 0.8, 0.05, 1.0, &seed);
            double v0[15], v1[15], level1[15], Av[15], slope[15] = {0}, slope1[15] = {0}, D[15], dv[36], unit = 1e-2;
            fixture_must(&f, zw_system_values(f.y, &x, 1, level1), "values");
            fixture_must(&f, zw_system_row_rates(f.y, &x, D), "rates");
            fixture_must(&f, zw_system_rows(f.y, &x, &A), "rows");
            memset(Av, 0, sizeof Av);
            assert_int_equal(A->m, m);
            for (int t = 0; t < A->ntiles; t++) {
                for (int b = 0; b < A->tile[t].nblocks; b++) {
                    const zw_block *block = &A->block[A->tile[t].block0 + b];
                    for (int i = 0; i < A->tile[t].m; i++) {
                        for (int c = 0; c < block->ncol; c++) {
                            Av[A->tile[t].row + i] += A->a[block->a + (ptrdiff_t)i * block->ncol + c] * x.v[block->col0 + c];
                        }
                    }
                }
            }
            for (int k = 1; k <= 4; k++) {
                for (int side = -1; side <= 1; side += 2) {
                    for (int i = 0; i < n.nv; i++) {
                        dv[i] = side * k * unit * x.v[i];
                    }
                    zw_system_retract(f.y, x.q, dv, near.q);
                    memcpy(near.v, x.v, sizeof(double) * (size_t)n.nv);
                    fixture_must(&f, zw_system_values(f.y, &near, 0, v0), "values");
                    fixture_must(&f, zw_system_values(f.y, &near, 1, v1), "values");
                    for (int i = 0; i < m; i++) {
                        slope[i] += side * difference8[k - 1] * v0[i] / unit;
                        slope1[i] += side * difference8[k - 1] * v1[i] / unit;
                    }
                }
            }
            check_below(largest_difference(m, Av, level1), 1e-14, 4.5e-16);
            check_below(largest_difference(m, slope, level1), 1e-12, 1.3e-14);
            check_below(largest_difference(m, slope1, D), 5e-12, 9.4e-14);
            zw_state_destroy(f.c, &x);
            zw_state_destroy(f.c, &near);
            fixture_close(&f);
        }
    }
}

static void random_node(zw_secant_node *n, const zw_secant_node *from, double turn, double shift, uint64_t *seed) {
    double d[3], q[4], R[9];
    for (int i = 0; i < 3; i++) {
        d[i] = 2.0 * turn * noise(seed);
        n->x[i] = (from != NULL ? from->x[i] : 0.0) + 2.0 * shift * noise(seed);
    }
    zw_q_exp(d, q);
    zw_q_to_matrix(q, R);
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        zw_q_rotate(q, from != NULL ? from->d[i] : axis, n->d[i]);
    }
}

/* the second state of a node moved by a small turn (space axes) and way */
static void moved(const zw_secant_node *n, int column, double by, zw_secant_node *out) {
    double turn[3] = {0}, q[4];
    *out = *n;
    if (column >= 3) {
        out->x[column - 3] += by;
        return;
    }
    turn[column] = by;
    zw_q_exp(turn, q);
    for (int i = 0; i < 3; i++) {
        zw_q_rotate(q, n->d[i], out->d[i]);
    }
}

/* over a step: x1 = x0 + way, R1 = cay(turn) R0 */
static void the_difference_over_a_step_is_exact(void **state) {
    (void)state;
    uint64_t seed = 5;
    fixture  f;
    fixture_system(&f, models[1]);
    const zw_constraint *c;
    assert_int_equal(zw_system_constraints(f.y, &c), 1);
    double off = 0.0, slope_off = 0.0, turns_off = 0.0;
    for (int trial = 0; trial < 20; trial++) {
        zw_secant_node a[2], b[2], near;
        double         z[12], g0[3], g[3], gp[3], gm[3], mean[3][12], end[3][12], other[3][12], otherm[3][12], K[144];
        double         force[3] = {1.0, -2.0, 1.5};
        random_node(&a[0], NULL, 1.0, 0.2, &seed);
        random_node(&b[0], &a[0], trial % 2 == 0 ? 0.02 : 0.8, 0.2, &seed);
        for (int side = 0; side < 2; side++) { /* Cayley */
            zw_secant_node *n = side == 0 ? a : b;
            double          w[3], q0[4] = {1, 0, 0, 0}, q1[4];
            for (int i = 0; i < 6; i++) {
                z[6 * side + i] = noise(&seed);
            }
            zw_v3_copy(w, z + 6 * side);
            zw_node_turn(q0, w, 1.0, q1);
            n[1] = n[0];
            for (int i = 0; i < 3; i++) {
                n[1].x[i] += z[6 * side + 3 + i];
                zw_q_rotate(q1, n[0].d[i], n[1].d[i]);
            }
        }
        zw_kirchhoff_secant(c->self, 1, (zw_secant_node[2]){a[0], a[0]}, (zw_secant_node[2]){b[0], b[0]}, g0, mean, end);
        off = fmax(off, largest_difference(36, &mean[0][0], &end[0][0])); /* both states equal: the gradient */
        zw_kirchhoff_secant(c->self, 1, a, b, g, mean, end);
        zw_kirchhoff_turns(c->self, 1, a, b, force, K);
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int k = 0; k < 12; k++) {
                sum += mean[i][k] * z[k];
            }
            off = fmax(off, fabs(g[i] - g0[i] - sum));
        }
        for (int k = 0; k < 12; k++) {
            double          eps = 1e-5;
            zw_secant_node *at = k < 6 ? &a[1] : &b[1], kept = *at;
            moved(&kept, k % 6, eps, &near);
            *at = near;
            zw_kirchhoff_secant(c->self, 1, a, b, gp, other, end);
            moved(&kept, k % 6, -eps, &near);
            *at = near;
            zw_kirchhoff_secant(c->self, 1, a, b, gm, otherm, end);
            *at = kept;
            zw_kirchhoff_secant(c->self, 1, a, b, g, mean, end);
            for (int i = 0; i < 3; i++) {
                slope_off = fmax(slope_off, fabs((gp[i] - gm[i]) / (2.0 * eps) - end[i][k]));
            }
            for (int r = 0; r < 12; r++) {
                double slope = 0.0;
                for (int i = 0; i < 3; i++) {
                    slope += force[i] * (other[i][r] - otherm[i][r]) / (2.0 * eps);
                }
                turns_off = fmax(turns_off, fabs(slope - K[12 * r + k]));
            }
        }
    }
    check_below(off, 1e-13, 3.4e-16);
    check_below(slope_off, 1e-9, 1.8e-11);
    check_below(turns_off, 2e-9, 6.9e-11);
    fixture_close(&f);
}

static void rows_are_named_by_link_and_strain(void **state) {
    (void)state;
    fixture f;
    char    name[160];
    fixture_system(&f, models[1]);
    zw_system_row_name(f.y, 0, name, sizeof name);
    assert_string_equal(name, "constraint 'b.inextensible': shear along d1 of link 1");
    zw_system_row_name(f.y, 14, name, sizeof name);
    assert_string_equal(name, "constraint 'b.inextensible': stretch of link 5");
    fixture_close(&f);
}

/* a hanging rod: what the rows carry is the weight below */
static void the_force_in_the_section_is_that_of_the_rows(void **state) {
    (void)state;
    static const char *const kind[3] = {"cosserat", "unshearable", "inextensible"};
    double                   elastic = 0.0;
    for (int i = 0; i < 3; i++) {
        char    text[1200];
        fixture f;
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [0, 0, -10]\nbodies: {b: {rod: {length: 1, elements: 10, along: [0, 0, -1], kinematics: %s, section: {bending: [1, 1], torsion: 1, "
            "stretch: 1e6, shear: 1e6, mass: 2, inertia: 0.01}}}}\nconstraints: {a: {clamp: b, s: 0}}\nprobes: {n: {force: b, s: 0.25}, r: {reaction: a}}\n"
            "record: {fields: [force]}\nrun: {until: 1e-3, step: 1e-5}\n",
            kind[i]);
        fixture_run(&f, text);
        const double     *frame;
        const zw_layout  *layout = zw_run_layout(f.r);
        const zw_channel *all = NULL, *probe = NULL;
        fixture_must(&f, zw_run_look(f.r, &frame), "zw_run_look");
        for (int c = 0; c < layout->nchannels; c++) {
            all = strcmp(layout->channel[c].name, "rod/b/force") == 0 ? &layout->channel[c] : all;
            probe = strcmp(layout->channel[c].name, "probe/n") == 0 ? &layout->channel[c] : probe;
        }
        assert_true(all != NULL && probe != NULL);
        if (i == 2) { /* inextensible: at once; the others stretch first */
            check_near(frame[probe->offset + 2], 15.0, 1e-11);
            for (int link = 0; link < 10; link++) {
                check_near(frame[all->offset + 3 * (size_t)link + 2], 20.0 - 2.0 * (link + 0.5), 1e-11);
            }
        }
        zw_run_advance(f.r, 300);
        fixture_must(&f, zw_run_look(f.r, &frame), "zw_run_look");
        elastic = i == 0 ? frame[probe->offset + 2] : elastic; /* a wave of stretch, with or without shear; the rows do not stretch */
        check_near(frame[probe->offset + 2], i == 2 ? 15.0 : elastic, 1e-11);
        fixture_close(&f);
    }
}

static zw_status create(const char *text, char *message, size_t size) {
    fixture   f;
    zw_status status;
    fixture_parse(&f, text);
    status = zw_system_create(f.m, &f.y);
    if (status != ZW_OK) {
        zw_error_format(fixture_error(&f), message, size);
    }
    fixture_close(&f);
    return status;
}

static void start_shapes_that_do_not_fit_are_refused(void **state) {
    (void)state;
    char message[1200];
    assert_int_equal(create(ROD("inextensible", ", shape: {points: [[0, 0, 0], [1.2, 0, 0]]}"), message, sizeof message), ZW_E_MODEL);
    assert_non_null(strstr(message, "link 1 has a stretch of 0.2 at the start"));
    assert_int_equal(create(ROD("unshearable", ", shape: {points: [[0, 0, 0], [1.2, 0, 0]]}"), message, sizeof message), ZW_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),       cmocka_unit_test(the_difference_over_a_step_is_exact),
        cmocka_unit_test(rows_are_named_by_link_and_strain),        cmocka_unit_test(the_force_in_the_section_is_that_of_the_rows),
        cmocka_unit_test(start_shapes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
