/* SPDX-License-Identifier: Apache-2.0
 * test_node_inertia.c: what a node feels in a turning frame, against the rates of its momenta in space taken by differences in time. */
#include "parts/node_inertia.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "support/model.h"
#include "tests/math/samples.h"

#include <string.h>

typedef struct path { /* eta = e (a + b t + c t^2/2) of turns and ways in the frame, about a node at x with axes q */
    zw_node_mass n;
    zw_spin      spin;
    double       x[3], q[4], a[6], b[6], c[6], e;
} path;

static void frame_turn(const path *p, double t, double Q[4]) {
    double turn[3];
    zw_v3_scale(turn, t, p->spin.w);
    zw_q_exp(turn, Q);
}

/* axes (9) and place (3) in space */
static void in_space(const double *t, const void *data, double *out) {
    const path *p = data;
    double      Q[4], turn[3], way[3], small[4], q[4], all[4], x[3];
    frame_turn(p, *t, Q);
    for (int i = 0; i < 3; i++) {
        turn[i] = p->e * (p->a[i] + p->b[i] * *t + 0.5 * p->c[i] * *t * *t);
        way[i] = p->x[i] - p->spin.centre[i] + p->e * (p->a[3 + i] + p->b[3 + i] * *t + 0.5 * p->c[3 + i] * *t * *t);
    }
    zw_q_exp(turn, small);
    zw_q_mul(small, p->q, q);
    zw_q_mul(Q, q, all);
    zw_q_to_matrix(all, out);
    zw_q_rotate(Q, way, x);
    zw_v3_add(out + 9, x, p->spin.centre);
}

/* angular momentum about the node (3) and momentum (3), space */
static void momenta(const double *t, const void *data, double *out) {
    const path  *p = data;
    const double one = 1.0;
    double       at[12], rate[12], W[9], w[3], body[3], L[3];
    in_space(t, p, at);
    difference(in_space, p, 1, t, &one, 12, rate);
    zw_m3_mult(W, rate, at); /* Rdot R' */
    zw_v3_set(w, 0.5 * (W[7] - W[5]), 0.5 * (W[2] - W[6]), 0.5 * (W[3] - W[1]));
    zw_m3_tmulv(body, at, w);
    zw_m3_mulv(L, p->n.J, body);
    zw_m3_mulv(out, at, L);
    zw_v3_scale(out + 3, p->n.m, rate + 9);
}

/* moment and force that the path needs at t = 0, where the axes of frame and space are the same */
static void needed(const double *e, const void *data, double *out) {
    path         p = *(const path *)data;
    const double zero = 0.0, one = 1.0;
    p.e = *e;
    difference(momenta, &p, 1, &zero, &one, 6, out);
}

static path path_sample(samples *s) {
    path   p = {.n = {.m = 0.7}, .spin = {.spins = true}};
    double A[9], turn[3];
    sample_array(s, 1.0, A, 9);
    zw_m3_mult(p.n.J, A, A);
    sample_array(s, 2.0, turn, 3);
    zw_q_exp(turn, p.q);
    sample_array(s, 1.0, p.x, 3);
    sample_array(s, 1.0, p.spin.w, 3);
    sample_array(s, 1.0, p.spin.centre, 3);
    sample_array(s, 1.0, p.a, 6);
    sample_array(s, 1.0, p.b, 6);
    sample_array(s, 1.0, p.c, 6);
    return p;
}

static void small_motions_in_the_frame(void **state) {
    (void)state;
    samples s = {.state = 11};
    double  rest = 0.0, slope = 0.0, skew = 0.0;
    for (int trial = 0; trial < 20; trial++) {
        path         p = path_sample(&s);
        const double zero = 0.0, one = 1.0;
        double       r[6], K[36], G[36], M[36], force[6], change[6], sum[6];
        zw_node_inertia(&p.n, p.x, p.q, &p.spin, r, K, G, M);
        needed(&zero, &p, force);
        difference(needed, &p, 1, &zero, &one, 6, change);
        for (int i = 0; i < 6; i++) {
            sum[i] = 0.0;
            for (int j = 0; j < 6; j++) {
                sum[i] += K[6 * i + j] * p.a[j] + G[6 * i + j] * p.b[j] + M[6 * i + j] * p.c[j];
                skew = larger(skew, fabs(G[6 * i + j] + G[6 * j + i]) + fabs(M[6 * i + j] - M[6 * j + i]));
            }
            assert_true(M[7 * i] > 0.0);
        }
        rest = larger(rest, most_apart(force, r, 6));
        slope = larger(slope, most_apart(change, sum, 6));
    }
    check_below(rest, 1e-10, 8e-12);
    check_below(slope, 1e-8, 8e-10);
    check_below(skew, 1e-15, 0.0);
}

static void nothing_turns(void **state) {
    (void)state;
    samples s = {.state = 12};
    path    p = path_sample(&s);
    double  r[6], K[36], G[36], most = 0.0;
    zw_node_inertia(&p.n, p.x, p.q, NULL, r, K, G, NULL);
    for (int i = 0; i < 36; i++) {
        most = larger(larger(most, fabs(K[i])), larger(fabs(G[i]), fabs(r[i / 6])));
    }
    check_below(most, 0.0, 0.0);
}

static void take(void *self, int i, int j, const double *a) {
    assert_int_equal(i, j);
    memcpy((double *)self + 36 * (ptrdiff_t)i, a, 9 * sizeof *a);
}

/* a planar body in a frame that turns about another axis than its normal: the same as the spatial body, seen in its three ways only */
static void planar_bodies_see_their_three_ways(void **state) {
    (void)state;
    fixture        f;
    zw_state       x = {0};
    const zw_part *part;
    double         r[3] = {0}, K[36] = {0}, G[36] = {0}, M[36] = {0}, r6[6], K6[36], G6[36], M6[36];
    zw_spin        spin = {.spins = true, .w = {0.3, -0.8, 0.5}, .centre = {0.1, 0.2, 0.3}};
    fixture_system(
        &f,
        "zwang: 1\nbodies: {b: {rigid: {mass: 2, inertia: [0.3, 0.5, 0.7], plane: [0, 0, 1], at: [1, 2, 3], turn: [0, 0, 0.4]}}}\nrun: {until: 1}\n");
    zw_size n = zw_system_size(f.y);
    fixture_must(&f, zw_state_create(f.c, &n, &x), "zw_state_create");
    fixture_must(&f, zw_system_start(f.y, &x), "zw_system_start");
    assert_int_equal(zw_system_parts(f.y, &part), 1);
    zw_secant_sink k = {.self = K, .add = take}, g = {.self = G, .add = take}, m = {.self = M, .add = take};
    part->ops->secant->inertia(part->self, &x, &spin, r, &k, &g, &m);
    zw_node_mass node = {.m = 2.0, .J = {0.3, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.7}};
    zw_node_inertia(&node, x.q, x.q + 3, &spin, r6, K6, G6, M6);
    double P[6 * 3], D[6 * 3], u[3] = {0}, most = 0.0;
    part->ops->secant->columns_of(part->self, &x, u, 1.0, 0, P, D);
    for (int i = 0; i < 3; i++) {
        double force = 0.0;
        for (int a = 0; a < 6; a++) {
            force += P[3 * a + i] * r6[a];
        }
        most = larger(most, fabs(force - r[i]));
        for (int j = 0; j < 3; j++) {
            double sk = 0.0, sg = 0.0, sm = 0.0;
            for (int a = 0; a < 36; a++) {
                sk += P[3 * (a / 6) + i] * K6[a] * P[3 * (a % 6) + j];
                sg += P[3 * (a / 6) + i] * G6[a] * P[3 * (a % 6) + j];
                sm += P[3 * (a / 6) + i] * M6[a] * P[3 * (a % 6) + j];
            }
            most = larger(most, larger(fabs(sk - K[3 * i + j]), larger(fabs(sg - G[3 * i + j]), fabs(sm - M[3 * i + j]))));
        }
    }
    check_below(most, 1e-14, 1e-16);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_motions_in_the_frame),
        cmocka_unit_test(nothing_turns),
        cmocka_unit_test(planar_bodies_see_their_three_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
