/* SPDX-License-Identifier: Apache-2.0
 * test_meet_mesh.c: triangles without ghosts at their common edges, ridges and grooves; levels of expressions without a gradient. */
#include "meeting.h"

/* ---- meshes */
static char *grid(int n, double bump, const char *form, double x, double y, double z, const char *more) {
    size_t size = 4000 + 80 * (size_t)(n + 1) * (size_t)(n + 1), used = 0;
    char  *text = malloc(size);
    assert_non_null(text);
    used += (size_t)snprintf(
        text + used, size - used,
        "zwang: 1\nbodies: {b: {rigid: {%s, density: 1, at: [%.17g, %.17g, %.17g]%s}}}\nobstacles:\n  m:\n    mesh:\n      points: [", form,
        x, y, z, more);
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= n; k++) {
            used += (size_t)snprintf(text + used, size - used, "%s[%.17g,%.17g,%.17g]", i + k > 0 ? "," : "", 2.0 * i / n - 1.0,
                                     2.0 * k / n - 1.0, bump * fabs(2.0 * i / n - 1.0));
        }
    }
    used += (size_t)snprintf(text + used, size - used, "]\n      triangles: [");
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            int a = i * (n + 1) + k, b = a + n + 1;
            used +=
                (size_t)snprintf(text + used, size - used, "%s[%d,%d,%d],[%d,%d,%d]", i + k > 0 ? "," : "", a, b, b + 1, a, b + 1, a + 1);
        }
    }
    snprintf(text + used, size - used, "]\nrun: {until: 1, integrator: verlet}\n");
    return text;
}

static void a_flat_mesh_is_a_plane(void **state) {
    (void)state;
    static const char *const forms[] = {
        "sphere: {radius: 0.2}", "box: {size: [0.5, 0.4, 0.4]}", "capsule: {radius: 0.2, length: 0.5}, turn: [0, 1.5707963267948966, 0]",
        "cylinder: {radius: 0.3, length: 0.4}",
        "hull: [[0.2,0.2,0.2],[-0.2,0.2,0.2],[0.2,-0.2,0.2],[-0.2,-0.2,0.2],[0.2,0.2,-0.2],[-0.2,0.2,-0.2],[0.2,-0.2,-0.2],[-0.2,-0.2,-0.2]]"};
    static const int most[] = {1, 4, 2, 5, 4};
    for (int form = 0; form < 5; form++) {
        char  *text = grid(8, 0.0, forms[form], 0.0, 0.0, 0.0, "");
        scene  s;
        double lean = 0.0, height = 0.0;
        open(&s, text);
        double start[7];
        memcpy(start, s.x.q, sizeof start);
        for (int i = 0; i < 60; i++) { /* across edges, corners and diagonals; a little above, and a little in */
            int               n;
            const zw_meeting *m;
            memcpy(s.x.q, start, sizeof start);
            s.x.q[0] = -0.5 + i / 64.0;
            s.x.q[1] = i % 3 == 0 ? 0.0 : i % 3 == 1 ? s.x.q[0] : 0.3 - 0.01 * i;
            s.x.q[2] = 0.2 + (i % 2 ? 1e-4 : -1e-4);
            find(&s, 1e-3, &n, &m);
            if (n != (form == 3 ? 4 : most[form])) {
                print_error("%s at %g %g: %d points\n", forms[form], s.x.q[0], s.x.q[1], n);
            }
            assert_int_equal(n, form == 3 ? 4 : most[form]);
            for (int k = 0; k < n; k++) {
                lean = fmax(lean, hypot(m[k].touch.n[0], m[k].touch.n[1]));
                height = fmax(height, fabs(m[k].touch.gap - (s.x.q[2] - 0.2)));
            }
        }
        check_below(lean, 1e-15, 0.0);
        check_below(height, 1e-15, 5.6e-17);
        shut(&s);
        free(text);
    }
}

/* a ridge (bump < 0) is felt along its edge, a groove (bump > 0) by its two sides */
static void ridges_and_grooves(void **state) {
    (void)state;
    scene             s;
    int               n;
    const zw_meeting *m;
    char             *text = grid(4, -1.0, "sphere: {radius: 0.2}", 0.0, 0.13, 0.3, "");
    open(&s, text);
    find(&s, 0.2, &n, &m);
    assert_int_equal(n, 1);
    check_near(m[0].touch.gap, 0.1, 1e-15);
    check_near(m[0].touch.n[2], -1.0, 1e-15);
    shut(&s);
    free(text);
    text = grid(4, 1.0, "sphere: {radius: 0.2}", 0.0, 0.13, 0.3, "");
    open(&s, text);
    find(&s, 0.2, &n, &m);
    assert_int_equal(n, 2);
    for (int i = 0; i < 2; i++) {
        check_near(m[i].touch.gap, 0.3 * sqrt(0.5) - 0.2, 1e-15);
        check_near(fabs(m[i].touch.n[0]), sqrt(0.5), 1e-15);
    }
    shut(&s);
    free(text);
    text = grid(4, -1.0, "box: {size: [0.4, 0.4, 0.2]}", 0.0, 0.13, 0.1, ""); /* its face on the edge of the ridge */
    open(&s, text);
    find(&s, 1e-3, &n, &m);
    assert_true(n >= 2);
    for (int i = 0; i < n; i++) {
        check_near(m[i].touch.gap, 0.0, 1e-15);
        check_near(m[i].touch.n[2], -1.0, 1e-12);
    }
    shut(&s);
    free(text);
    text = grid(4, 0.0, "sphere: {radius: 0.2}", 0.0, 0.13, -0.21, ""); /* wholly behind */
    open(&s, text);
    find(&s, 0.1, &n, &m);
    assert_int_equal(n, 0);
    shut(&s);
    free(text);
}

static void a_level_without_a_gradient_is_refused(void **state) {
    (void)state;
    scene             s;
    int               n;
    const zw_meeting *m;
    open(
        &s,
        "zwang: 1\nbodies: {b: {rigid: {sphere: {radius: 0.5}, mass: 1, at: [0, 0, 1]}}}\nobstacles: {f: {gap: z^2}}\nrun: {until: 1, integrator: verlet}\n");
    assert_int_equal(zw_meet_find(s.s, &s.x, 1.0, &n, &m), ZW_E_DIVERGED);
    assert_non_null(strstr(fixture_error(&s.f)->message, "gradient"));
    shut(&s);
    /* a ball on the axis of a tube: any nearest point will do */
    open(
        &s,
        "zwang: 1\nbodies: {b: {rigid: {sphere: {radius: 0.5}, mass: 1, at: [0, 0, 1]}}}\nobstacles: {f: {gap: 1 - x^2 - y^2}}\nrun: {until: 1, integrator: verlet}\n");
    find(&s, 1.0, &n, &m);
    assert_int_equal(n, 1);
    check_near(m[0].touch.gap, 0.5, 1e-15);
    shut(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_mesh_is_a_plane),
        cmocka_unit_test(ridges_and_grooves),
        cmocka_unit_test(a_level_without_a_gradient_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
