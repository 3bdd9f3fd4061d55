/* SPDX-License-Identifier: Apache-2.0
 * test_form_distance.c: distance of every pair of shapes: proved from both sides in random places, the same under exchange and rigid motion, continuous
 * through touching, with the derivative the contact's velocities give; and the degenerate places. */
#include "support/check.h"

#include "forms.h"

#include <time.h>

static const char *const name[] = {"ball", "stick", "block", "drum", "cloud"};

static double clock_us(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double mismatch(const zw_touch *t) {
    double d[3];
    zw_v3_sub(d, t->b, t->a);
    zw_v3_addscaled(d, d, -t->gap, t->n);
    return zw_v3_norm(d);
}

static void two_bodies(samples *s, int p, int q, double spread, body *a, body *b) {
    sample_body(s, (zw_form_shape)p, spread, a);
    sample_body(s, (zw_form_shape)q, spread, b);
}

typedef struct worst {
    double low, outside, apart, unit, deeper;
} worst;

static void judge(samples *s, const body *a, const body *b, const zw_touch *t, worst *w) {
    w->low = larger(w->low, fabs(t->gap - separation_of(&a->placed, &b->placed, t->n)));
    w->outside = larger(w->outside, larger(outside_of(&a->placed, t->a), outside_of(&b->placed, t->b)));
    w->apart = larger(w->apart, mismatch(t));
    w->unit = larger(w->unit, fabs(zw_v3_norm(t->n) - 1.0));
    if (t->gap < 0.0) {
        w->deeper = larger(w->deeper, best_sampled(s, &a->placed, &b->placed, 200, 200) - t->gap);
    }
}

static void gap_is_proved_from_both_sides_for_every_pair(void **state) {
    (void)state;
    const int cases = (int)scaled_steps(1200);
    worst     w = {0};
    for (int p = 0; p < 5; p++) {
        for (int q = p; q < 5; q++) {
            samples s = {(uint64_t)(50 + 5 * p + q)};
            double  us[2] = {0.0, 0.0};
            int     n[2] = {0, 0};
            for (int k = 0; k < cases; k++) {
                body     a, b;
                zw_touch t;
                two_bodies(&s, p, q, k % 3 == 0 ? 0.3 : k % 3 == 1 ? 1.0 : 2.0, &a, &b);
                double begin = clock_us();
                zw_form_distance(&a.placed, &b.placed, &t);
                us[t.gap < 0.0] += clock_us() - begin;
                n[t.gap < 0.0]++;
                judge(&s, &a, &b, &t, &w);
            }
            print_message("%-5s %-5s %4d apart %6.2f us, %4d overlap %6.2f us\n", name[p], name[q], n[0], us[0] / (n[0] ? n[0] : 1), n[1],
                          us[1] / (n[1] ? n[1] : 1));
        }
    }
    check_below(w.low, 1e-13, 2.4e-14);
    check_below(w.outside, 1e-12, 2.7e-14);
    check_below(w.apart, 1e-12, 5.9e-15);
    check_below(w.unit, 1e-14, 1.0e-15);
    check_below(w.deeper, 1e-13, 0.0);
}

static void exchange_and_rigid_motion_leave_the_gap(void **state) {
    (void)state;
    samples s = {7};
    double  exchange = 0.0, motion = 0.0, turned = 0.0;
    for (int k = 0; k < 200; k++) {
        for (int p = 0; p < 5; p++) {
            for (int q = 0; q < 5; q++) {
                body     a, b;
                zw_touch t, r;
                double   R[9], x[3], n[3];
                two_bodies(&s, p, q, 1.5, &a, &b);
                zw_form_distance(&a.placed, &b.placed, &t);
                zw_form_distance(&b.placed, &a.placed, &r);
                exchange = larger(exchange, fabs(r.gap - t.gap));
                if (t.gap > 0.01) {
                    zw_v3_add(n, t.n, r.n);
                    turned = larger(turned, zw_v3_norm(n));
                }
                sample_turn(&s, R);
                sample_array(&s, 3.0, x, 3);
                body *both[2] = {&a, &b};
                for (int i = 0; i < 2; i++) {
                    zw_m3_mul(both[i]->placed.R, R, both[i]->placed.R);
                    zw_m3_mulv(both[i]->placed.x, R, both[i]->placed.x);
                    zw_v3_add(both[i]->placed.x, both[i]->placed.x, x);
                }
                zw_form_distance(&a.placed, &b.placed, &r);
                motion = larger(motion, fabs(r.gap - t.gap));
                if (t.gap > 0.01) {
                    zw_m3_mulv(n, R, t.n);
                    turned = larger(turned, zw_v3_distance(n, r.n));
                }
            }
        }
    }
    check_below(exchange, 1e-13, 6.7e-16);
    check_below(motion, 1e-12, 4.4e-15);
    check_below(turned, 1e-12, 8.5e-15);
}

/* moved along n until the gap should be so much, down to touching */
static void gap_follows_the_approach_down_to_touching(void **state) {
    (void)state;
    static const double target[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 0.0};
    samples             s = {8};
    double              off = 0.0, outside = 0.0;
    for (int k = 0; k < 60; k++) {
        for (int p = 0; p < 5; p++) {
            for (int q = p; q < 5; q++) {
                body     a, b;
                zw_touch t, r;
                double   x[3];
                two_bodies(&s, p, q, 2.0, &a, &b);
                zw_form_distance(&a.placed, &b.placed, &t);
                if (t.gap < 0.02) {
                    continue;
                }
                zw_v3_copy(x, b.placed.x);
                for (int i = 0; i < 7; i++) {
                    zw_v3_addscaled(b.placed.x, x, target[i] - t.gap, t.n);
                    zw_form_distance(&a.placed, &b.placed, &r);
                    double size = zw_form_reach(&a.form) + zw_form_reach(&b.form);
                    off = larger(off, fabs(r.gap - target[i]) / size);
                    outside = larger(outside, larger(outside_of(&a.placed, r.a), outside_of(&b.placed, r.b)));
                }
            }
        }
    }
    check_below(off, 1e-12, 4.0e-13);
    check_below(outside, 1e-11, 2.7e-12);
}

static void moved(const body *from, const double v[3], const double w[3], double t, body *to) {
    double turn[3], R[9];
    to->form = from->form;
    to->placed.form = &to->form;
    for (int i = 0; i < 3 * FORM_POINTS; i++) {
        to->point[i] = from->form.shape == ZW_SHAPE_CLOUD ? from->point[i] : 0.0;
    }
    to->form.point = to->point;
    zw_v3_addscaled(to->placed.x, from->placed.x, t, v);
    zw_v3_scale(turn, t, w);
    zw_so3_exp(turn, R);
    zw_m3_mul(to->placed.R, R, from->placed.R);
}

static void point_velocity(const body *b, const double v[3], const double w[3], const double p[3], double out[3]) {
    double arm[3];
    zw_v3_sub(arm, p, b->placed.x);
    zw_v3_cross(out, w, arm);
    zw_v3_add(out, out, v);
}

static void rate_of_the_gap_is_the_normal_velocity_at_the_nearest_points(void **state) {
    (void)state;
    const double h = 1e-6;
    samples      s = {9};
    double       most = 0.0;
    int          count = 0;
    for (int k = 0; k < 200; k++) {
        for (int p = 0; p < 5; p++) {
            for (int q = 0; q < 5; q++) {
                body     a, b, a1, b1;
                zw_touch t, r[2];
                double   v[2][3], w[2][3], va[3], vb[3];
                two_bodies(&s, p, q, 2.0, &a, &b);
                zw_form_distance(&a.placed, &b.placed, &t);
                if (t.gap < 0.1) {
                    continue;
                }
                for (int i = 0; i < 2; i++) {
                    sample_array(&s, 1.0, v[i], 3);
                    sample_array(&s, 1.0, w[i], 3);
                }
                for (int i = 0; i < 2; i++) {
                    moved(&a, v[0], w[0], i ? h : -h, &a1);
                    moved(&b, v[1], w[1], i ? h : -h, &b1);
                    zw_form_distance(&a1.placed, &b1.placed, &r[i]);
                }
                point_velocity(&a, v[0], w[0], t.a, va);
                point_velocity(&b, v[1], w[1], t.b, vb);
                zw_v3_sub(vb, vb, va);
                most = larger(most, fabs((r[1].gap - r[0].gap) / (2.0 * h) - zw_v3_dot(t.n, vb)));
                count++;
            }
        }
    }
    assert_true(count > 1000);
    check_below(most, 5e-8, 9.6e-10); /* rounding over the step */
}

static zw_placed at(const zw_form *f, double x, double y, double z) {
    return (zw_placed){.form = f, .x = {x, y, z}, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

static void lean(zw_placed *p, double x, double y, double z) {
    double w[3] = {x, y, z}, R[9];
    zw_so3_exp(w, R);
    zw_m3_mul(p->R, R, p->R);
}

static void parallel_sticks_touch_in_the_middle_of_where_they_are_beside_each_other(void **state) {
    (void)state;
    zw_form   stick = {.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 1.0};
    zw_placed a = at(&stick, 0.0, 0.0, 0.0), b = at(&stick, 0.5, 0.0, 1.2);
    zw_touch  t;
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, 0.3, 1e-15);
    check_near(t.n[0], 1.0, 1e-15);
    check_near(t.a[2], 0.6, 1e-15);
    b = at(&stick, 0.0, 0.0, 3.0); /* in one line */
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, 0.8, 1e-15);
    check_near(t.n[2], 1.0, 1e-15);
    b = at(&stick, 0.0, 0.0, 0.5); /* one inside the other */
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, -0.2, 1e-15);
    check_near(zw_v3_norm(t.n), 1.0, 1e-15);
}

static void gap_is_continuous_as_faces_edges_and_axes_become_parallel(void **state) {
    (void)state;
    zw_form form[] = {{.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 1.0},
                      {.shape = ZW_SHAPE_BLOCK, .size = {0.5, 0.6, 0.7}},
                      {.shape = ZW_SHAPE_DRUM, .radius = 0.4, .half = 0.6}};
    double  most = 0.0, outside = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            for (int side = 0; side < 2; side++) {
                for (int e = -16; e <= -2; e++) {
                    for (int sign = -1; sign <= 1; sign += 2) {
                        for (double gap = -0.01; gap < 0.02; gap += 0.01) { /* overlap, touching, apart */
                            double    dx[3] = {side ? 1.0 : 0.0, 0.0, side ? 0.1 : 1.0}, down[3], n[3];
                            zw_placed a = at(&form[i], 0.0, 0.0, 0.0), b = at(&form[k], 0.0, 0.0, 0.0);
                            zw_touch  t;
                            double    tilt = sign * pow(10.0, e);
                            zw_v3_set(n, side ? 1.0 : 0.0, 0.0, side ? 0.0 : 1.0);
                            zw_v3_negate(down, n);
                            double far = (double)(reach_of(&a, n) + reach_of(&b, down)) + gap;
                            zw_v3_scale(b.x, far, n);
                            b.x[2] += side ? dx[2] : 0.0;
                            lean(&b, 0.3 * tilt, tilt, -0.7 * tilt);
                            zw_form_distance(&a, &b, &t);
                            most = larger(most, fabs(t.gap - separation_of(&a, &b, t.n)));
                            if (gap > -0.005) { /* no direction among many does better, and the points are there */
                                most = larger(most, separation_of(&a, &b, n) - t.gap);
                            }
                            outside = larger(outside, larger(outside_of(&a, t.a), outside_of(&b, t.b)));
                            outside = larger(outside, mismatch(&t));
                            check_near(t.gap, gap, 3.0 * fabs(tilt) + 1e-13);
                        }
                    }
                }
            }
        }
    }
    check_below(most, 1e-13, 3.4e-15);
    check_below(outside, 1e-7, 1.8e-8); /* a corner may be beside the face by tilt times size when that costs 1e-14 of gap */
}

static void concentric_forms_have_the_least_way_out(void **state) {
    (void)state;
    samples s = {11};
    double  low = 0.0, deeper = 0.0;
    for (int p = 0; p < 5; p++) {
        for (int q = 0; q < 5; q++) {
            for (int k = 0; k < 40; k++) {
                body     a, b;
                zw_touch t;
                two_bodies(&s, p, q, 0.0, &a, &b);
                if (k % 2) {
                    zw_m3_identity(a.placed.R);
                    zw_m3_identity(b.placed.R);
                }
                zw_form_distance(&a.placed, &b.placed, &t);
                assert_true(t.gap < 0.0);
                check_near(zw_v3_norm(t.n), 1.0, 1e-14);
                low = larger(low, fabs(t.gap - separation_of(&a.placed, &b.placed, t.n)));
                deeper = larger(deeper, best_sampled(&s, &a.placed, &b.placed, 300, 200) - t.gap);
            }
        }
    }
    check_below(low, 1e-13, 1.3e-15);
    check_below(deeper, 1e-13, 6.7e-16);
}

static void corners_edges_and_faces_of_blocks_in_closed_form(void **state) {
    (void)state;
    zw_form   cube = {.shape = ZW_SHAPE_BLOCK, .size = {1.0, 1.0, 1.0}};
    zw_placed a = at(&cube, 0.0, 0.0, 0.0), b = at(&cube, 3.0, 3.0, 3.0);
    zw_touch  t;
    zw_form_distance(&a, &b, &t); /* corner to corner */
    check_near(t.gap, sqrt(3.0), 1e-15);
    check_near(t.a[0] + t.a[1] + t.a[2], 3.0, 1e-14);
    b = at(&cube, 3.0, 3.0, 0.5); /* edge to edge, parallel */
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, sqrt(2.0), 1e-15);
    b = at(&cube, 2.5, 0.3, 0.5); /* face to face */
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, 0.5, 1e-15);
    check_near(t.n[0], 1.0, 1e-15);
    b = at(&cube, 0.0, 0.0, 0.0); /* the same place */
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, -2.0, 1e-15);
    b = at(&cube, 1.0 + sqrt(2.0) + 0.1, 0.0, 0.0); /* an edge over a face: turned by 45 degrees about z */
    lean(&b, 0.0, 0.0, 0.78539816339744830962);
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, 0.1, 1e-15);
    b = at(&cube, 0.0, 0.0, 2.0 * sqrt(2.0) - 0.1); /* crossed edges, overlapping by 0.1 */
    a = at(&cube, 0.0, 0.0, 0.0);
    lean(&a, 0.78539816339744830962, 0.0, 0.0);
    lean(&b, 0.0, 0.78539816339744830962, 0.0);
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, -0.1, 1e-15);
    check_near(t.n[2], 1.0, 1e-15);
    check_near(fabs(t.a[0]) + fabs(t.a[1]), 0.0, 1e-14);
}

static void flat_clouds_in_one_plane_part_across_it(void **state) {
    (void)state;
    static const double square[] = {-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0};
    zw_form             flat = {.shape = ZW_SHAPE_CLOUD, .n = 4, .point = square}, ball = {.shape = ZW_SHAPE_BALL, .radius = 0.3};
    zw_placed           a = at(&flat, 0.0, 0.0, 0.0), b = at(&flat, 0.5, 0.2, 0.0);
    zw_touch            t;
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, 0.0, 1e-15);
    check_near(fabs(t.n[2]), 1.0, 1e-15);
    b = at(&flat, 3.0, 0.2, 0.0);
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, 1.0, 1e-15);
    b = at(&ball, 0.2, 0.1, 0.0); /* its centre in the plate */
    zw_form_distance(&a, &b, &t);
    check_near(t.gap, -0.3, 1e-15);
    check_near(fabs(t.n[2]), 1.0, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_is_proved_from_both_sides_for_every_pair),
        cmocka_unit_test(exchange_and_rigid_motion_leave_the_gap),
        cmocka_unit_test(gap_follows_the_approach_down_to_touching),
        cmocka_unit_test(rate_of_the_gap_is_the_normal_velocity_at_the_nearest_points),
        cmocka_unit_test(parallel_sticks_touch_in_the_middle_of_where_they_are_beside_each_other),
        cmocka_unit_test(gap_is_continuous_as_faces_edges_and_axes_become_parallel),
        cmocka_unit_test(concentric_forms_have_the_least_way_out),
        cmocka_unit_test(corners_edges_and_faces_of_blocks_in_closed_form),
        cmocka_unit_test(flat_clouds_in_one_plane_part_across_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
