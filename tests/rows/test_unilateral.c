/* SPDX-License-Identifier: Apache-2.0
 * test_unilateral.c: gaps of points of rigid and lagrangian bodies: the symbolic gap against the frame at the point, its row against the jet, its
 * acceleration against differences, boxes against samples; and an impact of a rigid rod against the closed form. */
#include "support/ledger.h"

#include "rows/unilateral.h"

#define F "0.3*x^2*y + sin(z) - y*t <= 100"
static const char text[] =
    "zwang: 1\nbodies:\n"
    "  a: {rigid: {mass: 1, inertia: [[1, 0.2, 0.1], [0.2, 1.5, -0.3], [0.1, -0.3, 1.2]], at: [0.3, 0.2, 1], turn: [0.4, -0.7, 0.2],\n"
    "              spin: [1, 2, 0.3], velocity: [0.1, -0.4, 0.6], points: {p: [0.5, 0.2, -0.7]}}}\n"
    "  b: {rigid: {box: {size: [0.3, 0.1, 0.2]}, mass: 2, plane: [0.6, 0, 0.8], velocity: [0.8, 0.5, -0.6], spin: [1.2, 0, 1.6],\n"
    "              turn: [0.1, 0.3, -0.2], points: {p: [0.5, 0.2, -0.7]}}}\n"
    "  c:\n    lagrangian:\n      coordinates: [u, w]\n      kinetic: udot^2 + wdot^2\n"
    "      velocities: {r: udot*cos(w) + wdot, k: wdot - 0.2*u*udot}\n"
    "      points: {p: {position: [u*w, cos(u), w - 0.1*t]}}\n      start: {u: 0.4, w: 0.9, r: 0.7, k: -0.3}\n"
    "constraints:\n"
    "  ga: {unilateral: " F ", on: a, points: [p]}\n"
    "  gb: {unilateral: " F ", on: b, points: [p]}\n"
    "  gc: {unilateral: " F ", on: c, points: [p]}\n"
    "run: {until: 1, integrator: gauss}\n";

static void sides_agree_with_frames(void **state) {
    (void)state;
    fixture f;
    fixture_system(&f, text);
    zw_size         n = zw_system_size(f.y);
    zw_side *const *side;
    zw_state        x, moved;
    assert_int_equal(zw_system_sides(f.y, &side), 3);
    assert_int_equal(zw_state_create(f.c, &n, &x), ZW_OK);
    assert_int_equal(zw_state_create(f.c, &n, &moved), ZW_OK);
    fixture_must(&f, zw_system_start(f.y, &x), "start");
    x.t = 0.35;
    double gap = 0.0, rate = 0.0, row = 0.0, bend = 0.0;
    for (int i = 0; i < 3; i++) {
        zw_place_def def = {.body = i, .point = 0};
        zw_place     place;
        zw_frame     frame;
        zw_jet       jet;
        zw_side_look at;
        fixture_must(&f, zw_system_bind_place(f.y, &def, "point", &place), "place");
        zw_system_frame(f.y, &x, &place, &frame, &jet);
        const double *r = frame.r, *v = frame.v;
        double        grad[3] = {-0.6 * r[0] * r[1], -(0.3 * r[0] * r[0] - x.t), -cos(r[2])};
        fixture_must(&f, zw_side_at(side[i], f.y, &x, &at), "zw_side_at");
        gap = fmax(gap, fabs(at.gap - (100.0 - (0.3 * r[0] * r[0] * r[1] + sin(r[2]) - r[1] * x.t))));
        rate = fmax(rate, fabs(at.rate - (grad[0] * v[0] + grad[1] * v[1] + grad[2] * v[2] + r[1])));
        double   values[16] = {0}, dense[32] = {0};
        zw_tile  tile[1];
        zw_block block[1];
        zw_rows  N = {.tile = tile, .block = block, .a = values};
        fixture_must(&f, zw_side_row(side[i], f.y, &x, 7, &N), "zw_side_row");
        for (int k = 0; k < block[0].ncol; k++) {
            dense[block[0].col0 + k] = values[k];
        }
        for (int b = 0; b < jet.nblocks; b++) {
            for (int k = 0; k < jet.ncol[b]; k++) {
                for (int l = 0; l < 3; l++) {
                    dense[jet.col[b] + k] -= grad[l] * jet.J[b][6 * (3 + l) + k];
                }
            }
        }
        for (int k = 0; k < n.nv; k++) {
            row = fmax(row, fabs(dense[k]));
        }
        /* acceleration at constant velocities: differences of order 4 */
        double D, sum = 0.0, h = 2e-3, dv[32];
        fixture_must(&f, zw_side_acceleration(side[i], f.y, &x, &D), "zw_side_acceleration");
        for (int k = -2; k <= 2; k++) {
            static const double weight[5] = {1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0};
            zw_side_look        there;
            for (int l = 0; l < n.nv; l++) {
                dv[l] = k * h * x.v[l];
            }
            zw_state_copy(&n, &x, &moved);
            zw_system_retract(f.y, x.q, dv, moved.q);
            moved.t = x.t + k * h;
            fixture_must(&f, zw_side_at(side[i], f.y, &moved, &there), "zw_side_at");
            sum += weight[k + 2] * there.rate / h;
        }
        bend = fmax(bend, fabs(sum - D));
    }
    check_below(gap, 1e-13, 1.5e-14); /* a unit in the last place of 100 */
    check_below(rate, 1e-14, 2.3e-16);
    check_below(row, 1e-14, 7e-17);
    check_below(bend, 1e-9, 2e-10);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &moved);
    fixture_close(&f);
}

static void boxes_enclose_gap_and_rates(void **state) {
    (void)state;
    fixture f;
    fixture_system(&f, text);
    zw_side *const *side;
    zw_size         n = zw_system_size(f.y);
    zw_state        x;
    zw_system_sides(f.y, &side);
    assert_int_equal(zw_state_create(f.c, &n, &x), ZW_OK);
    fixture_must(&f, zw_system_start(f.y, &x), "start");
    for (int i = 0; i < 3; i++) {
        double      z[20], point[20];
        zw_interval box[20], gap, rate;
        int         nz = zw_side_inputs(side[i]);
        zw_side_read(side[i], f.y, &x, z);
        for (int k = 0; k < nz; k++) {
            box[k] = (zw_interval){z[k] - 0.05, z[k] + 0.05};
        }
        zw_side_enclose(side[i], box, &gap, &rate);
        for (int trial = 0; trial < 500; trial++) {
            double g, u;
            for (int k = 0; k < nz; k++) {
                point[k] = z[k] + 0.05 * sin(1.7 * trial + 2.3 * k * trial);
            }
            zw_side_eval(side[i], point, &g, &u);
            assert_true(g >= gap.lo && g <= gap.hi && u >= rate.lo && u <= rate.hi);
        }
        assert_true(gap.hi - gap.lo < 2.0);
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* a rod of length 1 at angle th: p = (1 + e) m v0/(1 + 3 cos^2 th), by a rigid body in space, in the plane, with its axes turned */
static void a_rigid_rod_dropped_on_a_floor(void **state) {
    (void)state;
    static const char *const plane[] = {"", ", plane: [0, 1, 0]"};
    static ledger            l;
    for (int i = 0; i < 8; i++) {
        char   model[700];
        double th = 0.2 + 0.15 * i, e = i < 4 ? 1.0 : 0.1 * i;
        snprintf(
            model, sizeof model,
            "zwang: 1\nbodies:\n  rod: {rigid: {mass: 1, inertia: [%.17g, %.17g, 1e-3], at: [0, 0, %.17g], turn: [0, %.17g, 0],\n"
            "    velocity: [0, 0, -1], points: {low: [0, 0, 0.5]}%s}}\n"
            "constraints: {floor: {unilateral: z >= 0, on: rod, points: [low], restitution: %.17g}}\nrun: {until: 1e-3, integrator: gauss}\n",
            1.0 / 12.0, 1.0 / 12.0, 0.5 * sin(th), acos(-1.0) / 2.0 + th, plane[i % 2], e);
        ledger_open(&l, model);
        fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
        double D = 1.0 + 3.0 * cos(th) * cos(th);
        check_near(ledger_find(&l, ZW_EVENT_IMPACT, 0)->contact[0].impulse, (1.0 + e) / D, 1e-14); /* 4.5e-16 */
        check_near(fabs(zw_run_state(l.f.r)->v[i % 2 ? 0 : 1]), 6.0 * (1.0 + e) * cos(th) / D, 2e-14);
        fixture_close(&l.f);
    }
}

/* a stick in a bowl, both ends held inside a sphere, without loss */
static void a_stick_in_a_bowl_keeps_its_energy(void **state) {
    (void)state;
    static ledger l;
    ledger_open(
        &l,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  stick: {rigid: {mass: 1, inertia: [0.0834, 0.0834, 0.001], at: [0.2, 0.1, -0.5], turn: [0.4, 0.7, 0],\n"
        "    spin: [1, 2, 0.3], points: {a: [0, 0, 0.5], b: [0, 0, -0.5]}}}\n"
        "constraints: {bowl: {unilateral: x^2 + y^2 + z^2 <= 2, on: stick, points: [a, b]}}\ncontact: {law: sequential}\n"
        "run: {until: 5, integrator: gauss}\n");
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts > 5);
    check_below(s.energy_drift_max, 1e-12, 1.7e-14);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_agree_with_frames),
        cmocka_unit_test(boxes_enclose_gap_and_rates),
        cmocka_unit_test(a_rigid_rod_dropped_on_a_floor),
        cmocka_unit_test(a_stick_in_a_bowl_keeps_its_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
