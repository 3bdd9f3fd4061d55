/* SPDX-License-Identifier: Apache-2.0
 * test_carrier.c: pieces of rigid bodies and rods: their places follow the motion, velocities are rates of places, rows are velocities along n. */
#include "support/model.h"

#include "parts/carrier.h"

static const char text[] =
    "zwang: 1\nbodies:\n"
    "  a: {rigid: {box: {size: [0.6, 0.8, 1.1]}, density: 1, at: [0.3, 0.2, 1], turn: [0.4, -0.7, 0.2], spin: [1, 2, 0.3], velocity: [0.1, -0.4, 0.6]}}\n"
    "  vine: {rod: {length: 3, elements: 5, section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}, along: [1, 0.2, 0]}}\n"
    "  b: {rigid: {compound: [{sphere: {radius: 0.3}, at: [0.5, 0, 0]}, {capsule: {radius: 0.1, length: 0.4}, at: [-0.5, 0.3, 0], turn: [1, 2, 0.5]}],\n"
    "              density: 1, spin: [1, -2, 3], velocity: [1, 0, -1], at: [2, 2, 2], turn: [0.1, 0.2, 0.3]}}\n"
    "  c: {rigid: {cylinder: {radius: 0.3, length: 0.1}, mass: 2, plane: [0.6, 0, 0.8], velocity: [0.8, 0.5, -0.6], spin: [1.2, 0, 1.6], turn: [0.1, 0.3, -0.2]}}\n"
    "  hoop: {rod: {length: 4, elements: 6, section: {round: 0.07}, material: {density: 1000, young: 1e6, poisson: 0.3}, along: [1, 0, 0], shape: {ring: [0, 0, 1]}}}\n"
    "run: {until: 1}\n";

static double wave(int i) {
    return sin(12.9898 * i + 1.7) + 0.3 * cos(78.233 * i);
}

typedef struct look {
    zw_form   form;
    zw_placed at;
} look;

static void place(const zw_part *p, const zw_state *x, int k, look *out) {
    zw_state own = {.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0};
    p->ops->carrier->place(p->self, &own, k, &out->form, &out->at);
}

/* the point of a piece with the local coordinates u; z of a link in half lengths */
static void point(const look *l, const double u[3], double out[3]) {
    double p[3] = {u[0], u[1], u[2]};
    if (l->at.form == &l->form) {
        p[0] = p[1] = 0.0;
        p[2] *= l->form.half;
    }
    zw_m3_mulv(out, l->at.R, p);
    zw_v3_add(out, out, l->at.x);
}

static void velocities_are_rates_of_places(void **state) {
    (void)state;
    fixture        f;
    zw_state       x, moved;
    const zw_part *part;
    double         dv[256], speed = 0.0, row = 0.0, eps = 1e-4;
    fixture_system(&f, text);
    fixture_state(&f, &x);
    fixture_state(&f, &moved);
    zw_size n = zw_system_size(f.y);
    assert_true(n.nv <= 256);
    for (int i = 0; i < n.nv; i++) {
        dv[i] = 0.1 * wave(i);
    }
    zw_system_retract(f.y, moved.q, dv, x.q);
    for (int i = 0; i < n.nv; i++) {
        x.v[i] = wave(i + 500);
    }
    int nparts = zw_system_parts(f.y, &part), pieces = 0;
    for (int i = 0; i < nparts; i++) {
        const zw_carrier_ops *ops = part[i].ops->carrier;
        assert_non_null(ops);
        zw_state own = {.t = x.t, .q = x.q + part[i].q0, .v = x.v + part[i].v0};
        for (int k = 0; k < ops->count(part[i].self); k++, pieces++) {
            const double u[3] = {0.1, -0.2, 0.15}, weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0},
                         at[4] = {-2.0, -1.0, 1.0, 2.0};
            double r[3], v[3], rate[3] = {0.0, 0.0, 0.0}, spin, d[3], normal[3] = {0.48, -0.6, 0.64}, off[3] = {0.02, 0.01, -0.03},
                               sum = 0.0;
            look           l;
            zw_carrier_row a;
            place(&part[i], &x, k, &l);
            point(&l, u, r);
            for (int h = 0; h < 4; h++) {
                double p[3];
                for (int c = 0; c < n.nv; c++) {
                    dv[c] = at[h] * eps * x.v[c];
                }
                zw_system_retract(f.y, x.q, dv, moved.q);
                place(&part[i], &moved, k, &l);
                point(&l, u, p);
                zw_v3_addscaled(rate, rate, weight[h] / eps, p);
            }
            ops->velocity(part[i].self, &own, k, r, v, &spin);
            zw_v3_sub(d, v, rate);
            speed = fmax(speed, zw_v3_norm(d));
            assert_true(spin > 0.0);
            double surface[3];
            ops->row(part[i].self, &own, k, r, off, normal, &a);
            for (int b = 0; b < a.nblocks; b++) {
                for (int c = 0; c < a.ncol[b]; c++) {
                    sum += a.a[b][c] * own.v[a.col0[b] + c];
                }
            }
            if (l.at.form == &l.form) { /* off the axis, but across it: velocity() finds the same place on the axis */
                double along[3];
                place(&part[i], &x, k, &l);
                zw_m3_column(along, l.at.R, 2);
                zw_v3_addscaled(off, off, -zw_v3_dot(off, along), along);
                ops->row(part[i].self, &own, k, r, off, normal, &a);
                sum = 0.0;
                for (int b = 0; b < a.nblocks; b++) {
                    for (int c = 0; c < a.ncol[b]; c++) {
                        sum += a.a[b][c] * own.v[a.col0[b] + c];
                    }
                }
            }
            zw_v3_add(surface, r, off);
            ops->velocity(part[i].self, &own, k, surface, v, &spin);
            row = fmax(row, fabs(sum - zw_v3_dot(v, normal)));
        }
    }
    assert_int_equal(pieces, 4 + 5 + 6);
    check_below(speed, 1e-10, 3.5e-12);
    check_below(row, 1e-14, 2e-16);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &moved);
    fixture_close(&f);
}

static void pieces_know_their_bodies(void **state) {
    (void)state;
    static const int rigid[4][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 0}};
    fixture          f;
    const zw_part   *part;
    fixture_system(&f, text);
    assert_int_equal(zw_system_parts(f.y, &part), 2);
    for (int k = 0; k < 11; k++) {
        zw_carried c;
        part[0].ops->carrier->piece(part[0].self, k, &c);
        assert_true(c.bends && c.body == (k >= 5) && c.piece == (k < 5 ? k : k - 5));
    }
    for (int k = 0; k < 4; k++) {
        zw_carried c;
        part[1].ops->carrier->piece(part[1].self, k, &c);
        assert_true(!c.bends && c.body == rigid[k][0] && c.piece == rigid[k][1]);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_rates_of_places),
        cmocka_unit_test(pieces_know_their_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
