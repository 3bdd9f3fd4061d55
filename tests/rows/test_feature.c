/* SPDX-License-Identifier: Apache-2.0
 * test_feature.c: features of forms as sides: counts, gaps against the distance of the forms, rows and accelerations against differences. */
#include "support/model.h"

#include "rows/feature.h"
#include "system/system.h"

static const char meeting[] =
    "zwang: 1\n"
    "bodies:\n"
    "  box: {rigid: {box: {size: [0.4, 0.3, 0.2]}, mass: 1, at: [0, 0, 1], turn: [0.3, 0.2, 0.1]}}\n"
    "  ball: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [1, 0, 1]}}\n"
    "  stick: {rigid: {capsule: {radius: 0.05, length: 0.6}, mass: 1, at: [0, 1, 1], turn: [0.5, 0.4, 0.2]}}\n"
    "  hull: {rigid: {hull: {points: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3], [0.1, 0.05, 0.05]]}, mass: 1, at: [1, 1, 1]}}\n"
    "  disc: {rigid: {box: {size: [0.2, 0.1, 0.3]}, mass: 1, at: [-1, 0, 1], plane: [0, 1, 0]}}\n"
    "  drum: {rigid: {cylinder: {radius: 0.2, length: 0.1}, mass: 1, at: [-1, -1, 1], turn: [0.4, 0.3, 0]}}\n"
    "  can: {rigid: {cylinder: {radius: 0.15, length: 0.2}, mass: 1, at: [-1.1, -0.8, 1.2], turn: [0.9, 0.2, 0.3]}}\n"
    "  rod: {rod: {length: 1, at: [-0.5, -0.9, 1.1], along: [1, 0.2, 0.1], up: [0, 0, 1], elements: 3, section: {round: 0.02},\n"
    "              material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
    "  vine: {rod: {length: 1, at: [0, -0.5, 1.3], along: [0.2, 1, -0.3], up: [0, 0, 1], elements: 2, section: {round: 0.03},\n"
    "               material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
    "obstacles:\n"
    "  floor: {plane: {normal: [0, 0.1, 1]}, motion: {shift: [0, 0, 0.1*sin(3*t)], turn: [0.2*t, 0, 0]}}\n"
    "  bowl: {sphere: {radius: 3, at: [0, 0, 1], hollow: true}}\n"
    "  post: {box: {size: [0.2, 0.2, 1], at: [0, -1, 0.5]}}\n"
    "  pipe: {cylinder: {radius: 2, axis: [1, 0.1, 0], hollow: true}}\n"
    "  bar: {cylinder: {radius: 0.1, axis: [0, 1, 0.2]}}\n"
    "  hill: {gap: (z + 2)*(1 + 0.1*x^2) - 0.3*sin(x)*cos(y) + 0.1*t, motion: {shift: [0.1*t, 0, 0], turn: [0, 0.2*t, 0]}}\n"
    "contact:\n"
    "  pairs: [[box, ball], [box, stick], [box, hull], [box, disc], [stick, hull], [ball, drum], [box, floor], [drum, floor], [drum, bowl], [stick, bowl],\n"
    "          [ball, post], [hull, post], [ball, stick], [disc, floor],\n"
    "          [drum, can], [drum, box], [drum, stick], [can, hull], [can, pipe], [can, bar], [rod, box], [rod, can], [rod, vine], [vine, ball], [rod, bar],\n"
    "          [vine, floor], [can, disc], [ball, hill], [stick, hill], [box, hill], [can, hill], [vine, hill]]\n"
    "run: {until: 1, integrator: gauss}\n";

/* along a random motion of all bodies: g' = N v + g_t is the rate, the rate is the derivative of the gap, D that of the rate */
static void rows_and_accelerations_are_derivatives(void **state) {
    (void)state;
    fixture  f;
    uint64_t seed = 11;
    zw_state x, moved;
    double   worst_rate = 0.0, worst_row = 0.0, worst_bend = 0.0;
    int      looked = 0;
    fixture_system(&f, meeting);
    zw_size         size = zw_system_size(f.y);
    zw_side *const *side;
    int             n = zw_system_sides(f.y, &side);
    assert_true(n > 200);
    fixture_state(&f, &x);
    fixture_state(&f, &moved);
    double *dv = calloc((size_t)size.nv, sizeof *dv);
    for (int trial = 0; trial < 3; trial++) {
        shake(f.y, &x, 1.0, 0.1, 1.0, &seed);
        x.t = 0.1 + 0.2 * trial;
        memcpy(moved.v, x.v, sizeof(double) * (size_t)size.nv);
        for (int i = 0; i < n; i++) {
            zw_side_look at, next;
            zw_tile      tile[1];
            zw_block     block[4];
            double       a[24], D, rate = 0.0, bend = 0.0, h = 5e-4;
            bool         fine = true;
            zw_rows      N = {.tile = tile, .block = block, .a = a};
            fixture_must(&f, zw_side_raw(side[i], f.y, &x, &at), "zw_side_raw");
            fixture_must(&f, zw_side_row(side[i], f.y, &x, 0, &N), "zw_side_row");
            fixture_must(&f, zw_side_acceleration(side[i], f.y, &x, &D), "zw_side_acceleration");
            for (int k = 1; k <= 4; k++) {
                for (int sign = -1; sign <= 1; sign += 2) {
                    for (int j = 0; j < size.nv; j++) {
                        dv[j] = sign * k * h * x.v[j];
                    }
                    zw_system_retract(f.y, x.q, dv, moved.q);
                    moved.t = x.t + sign * k * h;
                    fixture_must(&f, zw_side_raw(side[i], f.y, &moved, &next), "zw_side_raw");
                    fine = fine && isfinite(next.gap);
                    rate += sign * difference8[k - 1] * next.gap / h;
                    bend += sign * difference8[k - 1] * next.rate / h;
                }
            }
            double steep = 1.0 + fabs(D); /* nearly parallel edges, corners near a line: differences are poor there */
            if (!fine || !isfinite(at.gap) || steep > 100.0) {
                continue;
            }
            looked++;
            worst_row = fmax(worst_row, fabs(zw_side_row_times(&N, 0, x.v, false) + at.drive - at.rate) / fmax(1.0, at.rate_size));
            worst_rate = fmax(worst_rate, fabs(rate - at.rate) / steep);
            worst_bend = fmax(worst_bend, fabs(bend - D) / (steep * steep));
        }
    }
    assert_true(looked > 500);
    check_below(worst_row, 1e-13, 1.5e-15);
    check_below(worst_rate, 1e-10, 2.1e-12);
    check_below(worst_bend, 1e-9, 2.3e-10);
    free(dv);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &moved);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_accelerations_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
