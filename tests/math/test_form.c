/* SPDX-License-Identifier: Apache-2.0
 * test_form.c: inertia against other ways to it, support and reach, points of contact with planes, hollows and triangles, and the safe time. */
#include "support/check.h"

#include "forms.h"

static const double pi = 3.14159265358979323846;

static zw_placed at(const zw_form *f, double x, double y, double z) {
    return (zw_placed){.form = f, .x = {x, y, z}, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

static void lean(zw_placed *p, double x, double y, double z) {
    double w[3] = {x, y, z}, R[9];
    zw_so3_exp(w, R);
    zw_m3_mul(p->R, R, p->R);
}

static void inertia_of(const zw_form *f, double *volume, double centre[3], double inertia[9]) {
    assert_true(zw_form_inertia(f, volume, centre, inertia));
}

/* sum over slices of thickness dz of a body of revolution with radius r(z): exact moments of each disc, midpoint rule in z */
static void inertia_of_revolution_by_slices(void **state) {
    (void)state;
    const int n = 200000;
    zw_form   form[3] = {{.shape = ZW_SHAPE_BALL, .radius = 0.7},
                         {.shape = ZW_SHAPE_STICK, .radius = 0.7, .half = 0.9},
                         {.shape = ZW_SHAPE_DRUM, .radius = 0.7, .half = 0.9}};
    double    most = 0.0;
    for (int k = 0; k < 3; k++) {
        double top = k == 0 ? 0.7 : k == 1 ? 1.6 : 0.9, flat = k == 0 ? 0.0 : 0.9, V = 0.0, across = 0.0, along = 0.0, dz = 2.0 * top / n;
        for (int i = 0; i < n; i++) {
            double z = -top + (i + 0.5) * dz, over = fmax(fabs(z) - flat, 0.0), rr = 0.49 - over * over, disc = pi * rr * dz;
            V += disc;
            along += disc * rr / 2.0;
            across += disc * (rr / 4.0 + z * z);
        }
        double volume, centre[3], inertia[9];
        inertia_of(&form[k], &volume, centre, inertia);
        most = larger(most, fabs(volume / V - 1.0));
        most = larger(most, fabs(inertia[8] / along - 1.0));
        most = larger(most, fabs(inertia[0] / across - 1.0));
        most = larger(most, fabs(inertia[4] / across - 1.0));
        most = larger(most, zw_v3_norm(centre));
    }
    check_below(most, 1e-9, 7.5e-11); /* the slices */
}

/* the corners of a block, alone and among points inside it and on its faces and edges, turned and shifted */
static void hull_of_a_block_has_the_inertia_of_the_block(void **state) {
    (void)state;
    samples s = {3};
    double  most = 0.0;
    for (int k = 0; k < 60; k++) {
        double  size[3], point[3 * 200], R[9], x[3], V, c[3], J[9], volume, centre[3], inertia[9], T[9];
        int     n = 8 + (k % 4) * 64;
        zw_form block = {.shape = ZW_SHAPE_BLOCK}, cloud = {.shape = ZW_SHAPE_CLOUD, .n = n, .point = point};
        for (int i = 0; i < 3; i++) {
            size[i] = block.size[i] = positive(&s, 0.1, 2.0);
        }
        sample_turn(&s, R);
        sample_array(&s, 3.0, x, 3);
        for (int i = 0; i < n; i++) {
            double *p = point + 3 * ((i + 5 * k) % n); /* the corners anywhere among them */
            for (int d = 0; d < 3; d++) {
                double inside = sample(&s);
                p[d] = i < 8              ? (i >> d & 1 ? size[d] : -size[d])
                       : (i + d) % 3 == 0 ? (inside < 0.0 ? -size[d] : size[d])
                                          : inside * size[d];
            }
            zw_m3_mulv(p, R, p);
            zw_v3_add(p, p, x);
        }
        inertia_of(&block, &V, c, J);
        zw_m3_mult(T, J, R);
        zw_m3_mul(J, R, T);
        inertia_of(&cloud, &volume, centre, inertia);
        most = larger(most, fabs(volume / V - 1.0));
        most = larger(most, zw_v3_distance(centre, x));
        most = larger(most, most_apart(inertia, J, 9) / zw_m3_trace(J));
    }
    check_below(most, 1e-13, 1.6e-15);
}

/* signed tetrahedra over all facets found by trying all triples: a hull without any order of construction */
static void hull_of_random_points_agrees_with_all_triples(void **state) {
    (void)state;
    samples s = {4};
    double  most = 0.0;
    for (int k = 0; k < 100; k++) {
        body b;
        sample_form(&s, ZW_SHAPE_CLOUD, &b);
        const double *p = b.point;
        double        V = 0.0, first[3] = {0.0, 0.0, 0.0}, zz = 0.0, volume, centre[3], inertia[9];
        for (int i = 0; i < FORM_POINTS; i++) {
            for (int j = 0; j < FORM_POINTS; j++) {
                for (int l = 0; l < FORM_POINTS; l++) {
                    if (i >= j || i >= l || j == l) { /* each triangle once for each sense */
                        continue;
                    }
                    double e[3], g[3], n[3], d[3], high = -INFINITY;
                    zw_v3_sub(e, p + 3 * j, p + 3 * i);
                    zw_v3_sub(g, p + 3 * l, p + 3 * i);
                    zw_v3_cross(n, e, g);
                    for (int m = 0; m < FORM_POINTS; m++) {
                        zw_v3_sub(d, p + 3 * m, p + 3 * i);
                        high = m == i || m == j || m == l ? high : fmax(high, zw_v3_dot(n, d));
                    }
                    if (high < 0.0) {
                        double part = zw_v3_dot(p + 3 * i, n) / 6.0, sum[3];
                        zw_v3_add(sum, p + 3 * i, p + 3 * j);
                        zw_v3_add(sum, sum, p + 3 * l);
                        V += part;
                        zw_v3_addscaled(first, first, part / 4.0, sum);
                        zz += part / 20.0 *
                              (sum[2] * sum[2] + p[3 * i + 2] * p[3 * i + 2] + p[3 * j + 2] * p[3 * j + 2] + p[3 * l + 2] * p[3 * l + 2]);
                    }
                }
            }
        }
        inertia_of(&b.form, &volume, centre, inertia);
        most = larger(most, fabs(volume / V - 1.0));
        zw_v3_scale(first, 1.0 / V, first);
        most = larger(most, zw_v3_distance(first, centre));
        double have = 0.5 * (inertia[0] + inertia[4] - inertia[8]); /* integral of z^2 about the centre */
        most = larger(most, fabs(have - (zz - V * first[2] * first[2])) / V);
    }
    check_below(most, 1e-13, 6.7e-16);
}

static void hull_of_a_thousand_points_on_a_ball(void **state) {
    (void)state;
    static double point[3 * ZW_CLOUD_MOST];
    samples       s = {5};
    for (int i = 0; i < ZW_CLOUD_MOST; i++) {
        sample_length(&s, 1.0, point + 3 * i);
    }
    zw_form cloud = {.shape = ZW_SHAPE_CLOUD, .n = ZW_CLOUD_MOST, .point = point};
    double  volume, centre[3], inertia[9];
    inertia_of(&cloud, &volume, centre, inertia);
    /* a polytope with its corners on the ball is inside it */
    check_relative(volume, 4.0 / 3.0 * pi, 0.02);      /* 0.0116 less */
    check_relative(inertia[0], 8.0 / 15.0 * pi, 0.03); /* 0.0194 less */
    assert_true(volume < 4.0 / 3.0 * pi);
    check_below(zw_v3_norm(centre), 1e-2, 3.4e-4);
}

static void flat_hulls_have_no_volume(void **state) {
    (void)state;
    samples s = {6};
    double  point[3 * 20], R[9], volume, centre[3], inertia[9];
    zw_form cloud = {.shape = ZW_SHAPE_CLOUD, .n = 20, .point = point};
    for (int kind = 0; kind < 3; kind++) { /* a plane, a line, a point */
        sample_turn(&s, R);
        for (int i = 0; i < 20; i++) {
            double p[3] = {kind < 2 ? sample(&s) : 0.0, kind < 1 ? sample(&s) : 0.0, 0.3};
            zw_m3_mulv(point + 3 * i, R, p);
        }
        assert_false(zw_form_inertia(&cloud, &volume, centre, inertia));
    }
    cloud.n = 3;
    assert_false(zw_form_inertia(&cloud, &volume, centre, inertia));
}

static void support_is_farthest_and_within_reach(void **state) {
    (void)state;
    samples s = {7};
    double  off = 0.0, outside = 0.0, reach = 0.0;
    for (int k = 0; k < 3000; k++) {
        body   b;
        double d[3], p[3];
        sample_form(&s, (zw_form_shape)(k % 5), &b);
        sample_length(&s, 2.0, d);
        zw_form_support(&b.form, d, p);
        off = larger(off, fabs((double)(reach_of(&b.placed, d) - zw_v3_dot(d, p))));
        outside = larger(outside, outside_of(&b.placed, p));
        reach = larger(reach, zw_v3_norm(p) - zw_form_reach(&b.form));
    }
    check_below(off, 1e-14, 6.2e-16);
    check_below(outside, 1e-14, 1.7e-15);
    check_below(reach, 1e-14, 2.2e-16);
}

static int on_floor(const zw_placed *p, double margin, zw_touch *t) {
    const double up[3] = {0.0, 0.0, 2.0}, origin[3] = {5.0, 5.0, 0.0};
    zw_touch     one;
    int          n = zw_form_manifold_plane(p, up, origin, margin, t, 8);
    zw_form_against_plane(p, up, origin, &one);
    check_near(one.n[2], -1.0, 1e-15);
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        least = fmin(least, t[i].gap);
        check_near(t[i].a[2], t[i].gap, 1e-14);
        check_near(t[i].b[2], 0.0, 1e-14);
        assert_true(outside_of(p, t[i].a) < 1e-14);
    }
    if (n > 0) {
        check_near(least, one.gap, 1e-14); /* the deepest is always among them */
    } else {
        assert_true(one.gap > margin);
    }
    return n;
}

static void points_of_contact_with_a_floor(void **state) {
    (void)state;
    zw_form  block = {.shape = ZW_SHAPE_BLOCK, .size = {0.5, 0.6, 0.7}}, stick = {.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 1.0};
    zw_form  drum = {.shape = ZW_SHAPE_DRUM, .radius = 0.4, .half = 0.6}, ball = {.shape = ZW_SHAPE_BALL, .radius = 0.4};
    zw_touch t[8];
    for (int e = -16; e <= -6; e++) { /* a small tilt changes nothing */
        double    tilt = pow(10.0, e);
        zw_placed p = at(&block, 0.0, 0.0, 0.7);
        lean(&p, tilt, -tilt, 0.0);
        assert_int_equal(on_floor(&p, 1e-5, t), 4);
        p = at(&stick, 0.0, 0.0, 0.1);
        lean(&p, 0.5 * pi + tilt, 0.0, 0.0);
        assert_int_equal(on_floor(&p, 1e-5, t), 2);
        p = at(&drum, 0.0, 0.0, 0.6);
        lean(&p, tilt, -tilt, 0.0);
        assert_int_equal(on_floor(&p, 1e-5, t), 4);
        p = at(&drum, 0.0, 0.0, 0.4); /* lying */
        lean(&p, 0.5 * pi + tilt, 0.0, 0.0);
        assert_int_equal(on_floor(&p, 1e-5, t), 2);
    }
    zw_placed p = at(&drum, 0.0, 0.0, 0.6 * cos(0.3) + 0.4 * sin(0.3)); /* on its rim */
    lean(&p, 0.3, 0.0, 0.0);
    assert_int_equal(on_floor(&p, 1e-5, t), 1);
    p = at(&drum, 0.0, 0.0, 0.6 * cos(0.01) + 0.4 * sin(0.01)); /* on its rim, the rest within the margin: the far side is 0.008 up */
    lean(&p, 0.01, 0.0, 0.0);
    assert_int_equal(on_floor(&p, 0.005, t), 3);
    p = at(&block, 0.0, 0.0, 0.7 * cos(0.3) + 0.6 * sin(0.3)); /* on an edge */
    lean(&p, 0.3, 0.0, 0.0);
    assert_int_equal(on_floor(&p, 1e-5, t), 2);
    p = at(&ball, 0.0, 0.0, 0.39);
    assert_int_equal(on_floor(&p, 1e-5, t), 1);
    check_near(t[0].gap, -0.01, 1e-15);
    p = at(&ball, 0.0, 0.0, 0.5);
    assert_int_equal(on_floor(&p, 1e-5, t), 0);
    samples s = {8};
    for (int k = 0; k < 3000; k++) {
        body b;
        sample_body(&s, (zw_form_shape)(k % 5), 0.7, &b);
        on_floor(&b.placed, 0.1, t);
    }
}

static double area_spanned(const zw_touch *t, int n) {
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            least[k] = fmin(least[k], t[i].a[k]);
            most[k] = fmax(most[k], t[i].a[k]);
        }
    }
    return (most[0] - least[0]) * (most[1] - least[1]);
}

static void points_of_contact_of_two_forms_span_the_common_face(void **state) {
    (void)state;
    zw_form   block = {.shape = ZW_SHAPE_BLOCK, .size = {1.0, 1.0, 0.5}}, drum = {.shape = ZW_SHAPE_DRUM, .radius = 0.4, .half = 0.6};
    zw_form   stick = {.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 2.0};
    zw_touch  t[8];
    zw_placed a = at(&block, 0.0, 0.0, 0.0), b = at(&block, 0.5, 0.3, 1.0);
    assert_int_equal(zw_form_manifold(&a, &b, 1e-6, t, 8), 4); /* overlap 1.5 x 1.7 */
    check_near(area_spanned(t, 4), 1.5 * 1.7, 1e-14);
    lean(&b, 0.0, 0.0, 0.25 * pi); /* an octagon when centred */
    b.x[0] = b.x[1] = 0.0;
    assert_int_equal(zw_form_manifold(&a, &b, 1e-6, t, 8), 8);
    check_near(area_spanned(t, 8), 4.0, 1e-13);
    assert_int_equal(zw_form_manifold(&a, &b, 1e-6, t, 4), 4);
    for (int e = -16; e <= -8; e++) {
        b = at(&block, 0.5, 0.3, 1.0);
        lean(&b, pow(10.0, e), -pow(10.0, e), pow(10.0, e));
        int n = zw_form_manifold(&a, &b, 1e-6, t, 8);
        assert_int_equal(n, 4);
        check_near(area_spanned(t, n), 1.5 * 1.7, 1e-6);
    }
    b = at(&drum, 0.0, 0.0, 1.1); /* the end of a drum inside a face, over an edge, and over a corner */
    assert_int_equal(zw_form_manifold(&a, &b, 1e-6, t, 8), 4);
    b.x[0] = 1.0;
    int n = zw_form_manifold(&a, &b, 1e-6, t, 8);
    assert_int_equal(n, 3); /* the ends of the chord and the far side */
    check_near(area_spanned(t, n), 0.4 * 0.8, 1e-12);
    b.x[1] = 1.0;
    assert_true(zw_form_manifold(&a, &b, 1e-6, t, 8) >= 3);
    a = at(&drum, 0.0, 0.0, 0.0); /* drum on drum, beside its axis */
    b = at(&drum, 0.3, 0.0, 1.2);
    n = zw_form_manifold(&a, &b, 1e-6, t, 8);
    assert_true(n >= 4);
    check_near(area_spanned(t, n), 0.5 * 2.0 * sqrt(0.16 - 0.0225), 1e-12);
    a = at(&block, 0.0, 0.0, 0.0); /* a stick across a face: where it leaves the block */
    b = at(&stick, 0.0, 0.0, 0.6);
    lean(&b, 0.5 * pi, 0.0, 0.0);
    n = zw_form_manifold(&a, &b, 1e-6, t, 8);
    assert_int_equal(n, 2);
    check_near(fabs(t[0].a[1] - t[1].a[1]), 2.0, 1e-12);
    check_near(t[0].gap, 0.0, 1e-14);
    a = at(&stick, 0.0, 0.0, 0.0); /* two sticks beside each other for 3 of 4 */
    b = at(&stick, 0.2, 0.0, 1.0);
    n = zw_form_manifold(&a, &b, 1e-6, t, 8);
    assert_int_equal(n, 2);
    check_near(fabs(t[0].a[2] - t[1].a[2]), 3.0, 1e-12);
}

static void deepest_point_is_always_in_the_manifold(void **state) {
    (void)state;
    samples s = {12};
    double  off = 0.0, outside = 0.0;
    int     count = 0;
    for (int k = 0; k < 200; k++) {
        for (int p = 0; p < 5; p++) {
            for (int q = 0; q < 5; q++) {
                body     a, b;
                zw_touch one, t[8];
                sample_body(&s, (zw_form_shape)p, 2.0, &a);
                sample_body(&s, (zw_form_shape)q, 2.0, &b);
                zw_form_distance(&a.placed, &b.placed, &one);
                int    n = zw_form_manifold(&a.placed, &b.placed, 0.1, t, 8);
                double least = INFINITY;
                assert_int_equal(n > 0, one.gap <= 0.1);
                for (int i = 0; i < n; i++) {
                    least = fmin(least, t[i].gap);
                    assert_true(t[i].gap <= 0.1);
                }
                if (n > 0) {
                    off = larger(off, fabs(least - one.gap));
                    count++;
                }
                for (int i = 0; one.gap > 0.0 && i < n; i++) {
                    outside = larger(outside, zw_v3_distance(t[i].n, one.n));
                }
            }
        }
    }
    assert_true(count > 500);
    check_below(off, 1e-13, 1.2e-15);
    check_below(outside, 1e-15, 0.0);
}

static void hollow_ball_and_drum_hold_what_is_inside(void **state) {
    (void)state;
    samples s = {13};
    double  ball = 0.0, drum = 0.0;
    for (int k = 0; k < 600; k++) {
        body     b;
        zw_touch t, u;
        double   centre[3], axis[3], far = 0.0, wide = 0.0, d[3], p[3];
        sample_body(&s, (zw_form_shape)(k % 5), 0.5, &b);
        sample_array(&s, 0.5, centre, 3);
        sample_length(&s, 2.0, axis);
        zw_form_inside_ball(&b.placed, centre, 5.0, &t);
        zw_form_inside_drum(&b.placed, centre, axis, 5.0, &u);
        zw_v3_unit(axis, axis);
        for (int i = 0; i < 4000; i++) { /* points of the form: no one farther */
            double local[3];
            sample_length(&s, 1.0, d);
            zw_form_support(&b.form, d, local);
            zw_m3_mulv(p, b.placed.R, local);
            zw_v3_add(p, p, b.placed.x);
            zw_v3_sub(p, p, centre);
            far = fmax(far, zw_v3_norm(p));
            zw_v3_addscaled(p, p, -zw_v3_dot(p, axis), axis);
            wide = fmax(wide, zw_v3_norm(p));
        }
        ball = larger(ball, far - (5.0 - t.gap)); /* <= 0 up to rounding */
        drum = larger(drum, wide - (5.0 - u.gap));
        assert_true(5.0 - t.gap - far < 0.02 && 5.0 - u.gap - wide < 0.02); /* and the sample comes near */
        assert_true(outside_of(&b.placed, t.a) < 1e-13 && outside_of(&b.placed, u.a) < 1e-13);
        check_near(zw_v3_distance(t.b, centre), 5.0, 1e-14);
        zw_v3_sub(p, u.b, centre);
        zw_v3_addscaled(p, p, -zw_v3_dot(p, axis), axis);
        check_near(zw_v3_norm(p), 5.0, 1e-13);
        check_near(zw_v3_dot(u.n, axis), 0.0, 1e-14);
    }
    check_below(ball, 1e-13, 4.4e-16);
    check_below(drum, 1e-13, 4.4e-16);
}

static void sticks_and_drums_rest_on_both_ends_in_a_hollow(void **state) {
    (void)state;
    const double y[3] = {0.0, 3.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
    zw_form      form[3] = {{.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 0.5},
                            {.shape = ZW_SHAPE_DRUM, .radius = 0.1, .half = 0.5},
                            {.shape = ZW_SHAPE_BLOCK, .size = {0.3, 0.2, 0.5}}};
    zw_touch     t[8], one;
    for (int k = 0; k < 3; k++) {
        for (int e = -16; e <= -7; e++) {
            zw_placed p = at(&form[k], 0.0, 0.0, k == 2 ? -sqrt(1.0 - 0.09) + 0.2 : -0.9); /* along the axis y, on the bottom */
            lean(&p, 0.5 * pi + pow(10.0, e), 0.0, 0.0);
            int n = zw_form_manifold_inside(&p, origin, y, 1.0, 1e-6, t, 8);
            assert_int_equal(n, k == 2 ? 4 : 2);
            check_near(t[0].gap, 0.0, 1e-7);
            zw_form_inside_drum(&p, origin, y, 1.0, &one);
            check_near(fmin(t[0].gap, t[1].gap), one.gap, k == 2 ? 1e-6 : 0.0);
        }
        zw_placed p = at(&form[k], 0.0, 0.0, k == 0 ? -sqrt(0.81 - 0.25) : -sqrt(0.75) + 0.2); /* on the bottom of a ball */
        lean(&p, 0.5 * pi, 0.0, 0.0);
        int n = zw_form_manifold_inside(&p, origin, NULL, 1.0, k == 0 ? 1e-9 : 0.5, t, 8);
        assert_true(n >= 2);
        zw_form_inside_ball(&p, origin, 1.0, &one);
        assert_true(one.gap <= t[0].gap && one.gap <= t[1].gap);
        if (k == 0) {
            check_near(t[0].gap, 0.0, 1e-15);
            check_near(t[1].gap, 0.0, 1e-15);
        }
    }
}

static void triangle_by_its_parts(void **state) {
    (void)state;
    const double t[9] = {0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0};
    zw_form      ball = {.shape = ZW_SHAPE_BALL, .radius = 0.1}, block = {.shape = ZW_SHAPE_BLOCK, .size = {0.1, 0.1, 0.1}};
    zw_form      drum = {.shape = ZW_SHAPE_DRUM, .radius = 0.3, .half = 0.2};
    zw_touch     r;
    zw_placed    p = at(&ball, 0.5, 0.5, 0.3);
    zw_form_against_triangle(&p, t, &r); /* inside */
    check_near(r.gap, 0.2, 1e-15);
    check_near(r.n[2], -1.0, 1e-15);
    p = at(&ball, 0.5, 0.5, -0.05); /* from below, pressed in by half */
    zw_form_against_triangle(&p, t, &r);
    check_near(r.gap, -0.05, 1e-15);
    check_near(r.n[2], 1.0, 1e-15);
    p = at(&ball, 1.0, -1.0, 0.0); /* edge */
    zw_form_against_triangle(&p, t, &r);
    check_near(r.gap, 0.9, 1e-15);
    p = at(&ball, -3.0, -4.0, 0.0); /* corner */
    zw_form_against_triangle(&p, t, &r);
    check_near(r.gap, 4.9, 1e-15);
    p = at(&block, 0.5, 0.5, 0.08);
    zw_form_against_triangle(&p, t, &r);
    check_near(r.gap, -0.02, 1e-15);
    p = at(&drum, 0.5, 0.5, 0.21);
    zw_form_against_triangle(&p, t, &r);
    check_near(r.gap, 0.01, 1e-15);
    check_near(r.n[2], -1.0, 1e-15);
}

/* two forms that move as allowed do not touch before the time promised */
static void safe_time_is_safe(void **state) {
    (void)state;
    samples s = {14};
    double  least = INFINITY;
    for (int k = 0; k < 1000; k++) {
        body      b[2];
        zw_touch  t;
        double    v[2][3], w[2][3], g[2][3];
        zw_moving m[2];
        for (int i = 0; i < 2; i++) {
            sample_body(&s, (zw_form_shape)((k / (i ? 5 : 1)) % 5), 2.0, &b[i]);
            sample_array(&s, 2.0, v[i], 3);
            sample_array(&s, 2.0, w[i], 3);
            sample_array(&s, 1.0, g[i], 3);
            m[i] = (zw_moving){
                .v = {v[i][0], v[i][1], v[i][2]}, .gain = zw_v3_norm(g[i]), .spin = zw_v3_norm(w[i]), .reach = zw_form_reach(&b[i].form)};
        }
        zw_form_distance(&b[0].placed, &b[1].placed, &t);
        double safe = zw_form_safe_time(&t, &m[0], &m[1]);
        if (t.gap <= 0.0) {
            check_near(safe, 0.0, 0.0);
            continue;
        }
        assert_true(safe > 0.0 && isfinite(safe));
        for (int j = 1; j <= 10; j++) {
            double    time = safe * j / 10.0, turn[3], R[9];
            zw_placed p[2];
            for (int i = 0; i < 2; i++) {
                p[i] = b[i].placed;
                zw_v3_addscaled(p[i].x, p[i].x, time, v[i]);
                zw_v3_addscaled(p[i].x, p[i].x, 0.5 * time * time, g[i]);
                zw_v3_scale(turn, time, w[i]);
                zw_so3_exp(turn, R);
                zw_m3_mul(p[i].R, R, p[i].R);
            }
            zw_touch later;
            zw_form_distance(&p[0], &p[1], &later);
            least = fmin(least, later.gap);
        }
    }
    check_below(-least, 1e-13, -6.2e-4);
    zw_touch  apart = {.gap = 1.0, .n = {1.0, 0.0, 0.0}};
    zw_moving rest = {.gain = 0.0}, coming = {.v = {-2.0, 0.0, 0.0}}, leaving = {.v = {2.0, 0.0, 0.0}},
              pulled = {.v = {2.0, 0.0, 0.0}, .gain = 4.0};
    check_near(zw_form_safe_time(&apart, &rest, &coming), 0.5, 1e-15);
    assert_true(isinf(zw_form_safe_time(&apart, &rest, &leaving)));
    assert_true(isinf(zw_form_safe_time(&apart, &rest, &rest)));
    check_near(zw_form_safe_time(&apart, &rest, &pulled), (2.0 + sqrt(4.0 + 8.0)) / 4.0, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_of_revolution_by_slices),
        cmocka_unit_test(hull_of_a_block_has_the_inertia_of_the_block),
        cmocka_unit_test(hull_of_random_points_agrees_with_all_triples),
        cmocka_unit_test(hull_of_a_thousand_points_on_a_ball),
        cmocka_unit_test(flat_hulls_have_no_volume),
        cmocka_unit_test(support_is_farthest_and_within_reach),
        cmocka_unit_test(points_of_contact_with_a_floor),
        cmocka_unit_test(points_of_contact_of_two_forms_span_the_common_face),
        cmocka_unit_test(deepest_point_is_always_in_the_manifold),
        cmocka_unit_test(hollow_ball_and_drum_hold_what_is_inside),
        cmocka_unit_test(sticks_and_drums_rest_on_both_ends_in_a_hollow),
        cmocka_unit_test(triangle_by_its_parts),
        cmocka_unit_test(safe_time_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
