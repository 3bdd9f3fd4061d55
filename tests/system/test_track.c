/* SPDX-License-Identifier: Apache-2.0
 * test_track.c: places whose label moves: velocities against differences of positions, rows against differences of values, also across nodes and beyond the ends. */
#include "support/model.h"

#include "system/track.h"

static const char text[] =
    "zwang: 1\nbodies:\n"
    "  rod: {rod: {length: 1, elements: 5, along: [1, 0, 0], shape: {curvature: [0.3, 0.9, -0.4]}, natural: straight, velocity: [0.1, 'sin(2*s)', 0.4], section: {bending: [1, 1], torsion: 1, stretch: 50, shear: 50, mass: 1, inertia: 0.01}}}\n"
    "  loop: {rod: {length: 1, elements: 6, at: [0, 0, 3], shape: {ring: [0, 1, 0]}, section: {bending: [1, 1], torsion: 1, stretch: 50, shear: 50, mass: 1, inertia: 0.01}}}\n"
    "  bead: {rigid: {mass: 0.3, inertia: [0.01, 0.02, 0.03], at: [0, 0, 0.2], turn: [0.3, 0.2, 0.1]}}\n"
    "constraints:\n"
    "  held: {clamp: rod, s: 0.25 + 0.3*t + 0.1*sin(t), motion: {shift: [0.2*t, 0, 0]}}\n"
    "  worn: {fixed: [{body: bead}, {body: rod, s: 0.7 - 0.5*t}]}\n"
    "  round: {fixed: [{body: loop, s: 0.1 + 2*t}, {body: rod, s: 1}]}\n"
    "loads: {push: {force: [0, 's', 0], on: rod, s: 0.9*t}}\n"
    "run: {until: 1, step: 1e-4}\n";

/* the start, bent more, with other velocities, at the time t */
static void disturb(const fixture *f, zw_state *x, double t) {
    zw_size n = zw_system_size(f->y);
    double  dv[200];
    assert_true(n.nv <= 200);
    for (int i = 0; i < n.nv; i++) {
        dv[i] = 0.05 * sin(1.3 * i);
        x->v[i] += 0.4 * cos(0.7 * i);
    }
    zw_system_retract(f->y, x->q, dv, x->q);
    x->t = t;
}

/* x moved by eps along its motion */
static void drifted(const fixture *f, const zw_state *x, double eps, zw_state *out) {
    double dv[200];
    for (int i = 0; i < zw_system_size(f->y).nv; i++) {
        dv[i] = eps * x->v[i];
    }
    zw_system_retract(f->y, x->q, dv, out->q);
    out->t = x->t + eps;
}

/* times: within links, near a node, and a little beyond an end */
static const double times[] = {0.0, 0.11, 0.43, 0.9};

static void the_rate_of_values_is_their_derivative(void **state) {
    (void)state;
    fixture  f;
    zw_state x, y;
    double   worst = 0.0, worst2 = 0.0;
    for (int n = 0; n < 4; n++) {
        double g[2][32], c1[32], b[32], eps = 1e-6;
        fixture_system(&f, text);
        fixture_state(&f, &x);
        fixture_state(&f, &y);
        disturb(&f, &x, times[n]);
        int m = zw_system_rows_count(f.y);
        assert_true(m <= 32);
        for (int k = 0; k < 2; k++) {
            drifted(&f, &x, k == 0 ? eps : -eps, &y);
            fixture_must(&f, zw_system_values(f.y, &y, 0, g[k]), "values");
        }
        fixture_must(&f, zw_system_values(f.y, &x, 1, c1), "values");
        fixture_must(&f, zw_system_values(f.y, &x, 2, b), "values");
        const zw_rows *A;
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "rows");
        for (int i = 0; i < A->ntiles; i++) {
            const zw_tile *t = &A->tile[i];
            for (int r = 0; r < t->m; r++) {
                double sum = 0.0;
                for (int k = t->block0; k < t->block0 + t->nblocks; k++) {
                    for (int col = 0; col < A->block[k].ncol; col++) {
                        sum += A->a[A->block[k].a + A->block[k].ncol * r + col] * x.v[A->block[k].col0 + col];
                    }
                }
                worst2 = fmax(worst2, fabs(sum - b[t->row + r] - c1[t->row + r]));
            }
        }
        for (int i = 0; i < m; i++) {
            worst = fmax(worst, fabs((g[0][i] - g[1][i]) / (2.0 * eps) - c1[i]));
        }
        zw_state_destroy(f.c, &x);
        zw_state_destroy(f.c, &y);
        fixture_close(&f);
    }
    check_below(worst, 1e-8, 1.4e-9);
    check_below(worst2, 1e-13, 1.8e-15);
}

static void labels_go_round_a_ring_and_off_the_end_of_a_rod(void **state) {
    (void)state;
    fixture  f;
    zw_state x;
    fixture_system(&f, text);
    fixture_state(&f, &x);
    zw_frame       F[2];
    const zw_part *part;
    zw_system_parts(f.y, &part);
    zw_place place;
    fixture_must(&f, zw_system_bind_place(f.y, &f.m->constraints[2].a, "test", &place), "bind");
    for (int k = 0; k < 2; k++) { /* s = 0.1 + 2 t: half a second is once around */
        x.t = 0.3 + 0.5 * k;
        zw_system_frame(f.y, &x, &place, &F[k], NULL);
    }
    check_below(zw_v3_distance(F[0].r, F[1].r), 1e-14, 2.2e-16);
    fixture_must(&f, zw_tracks_check(f.y, 1.0), "check"); /* rod: 0.25 + 0.3 + 0.084, 0.7 - 0.5, 0.9 */
    assert_int_equal(zw_tracks_check(f.y, 1.5), ZW_E_DIVERGED);
    assert_non_null(strstr(fixture_error(&f)->message, "left the rod 'rod': s = -0.05 m at t = 1.5 s"));
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void a_load_acts_where_it_is_now(void **state) {
    (void)state;
    fixture  f;
    zw_state x;
    fixture_system(&f, text);
    fixture_state(&f, &x);
    zw_size n = zw_system_size(f.y);
    double  force[200] = {0};
    x.t = 0.5; /* s = 0.45: in link 3, a quarter of it behind node 2 */
    fixture_must(&f, zw_system_load(f.y, &x, 0.5, force), "load");
    double sum = 0.0, near = 0.0;
    for (int i = 0; i < n.nv / 6; i++) {
        sum += force[6 * i + 4];
        near += i == 2 || i == 3 ? force[6 * i + 4] : 0.0;
    }
    check_near(sum, 0.45, 1e-14);
    check_near(near, 0.45, 1e-14);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_of_values_is_their_derivative),
        cmocka_unit_test(labels_go_round_a_ring_and_off_the_end_of_a_rod),
        cmocka_unit_test(a_load_acts_where_it_is_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
