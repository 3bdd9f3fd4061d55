/* SPDX-License-Identifier: Apache-2.0
 * test_symplectic.c: a step of verlet without damping keeps the symplectic form of (SO(3) x R^3)^n, whatever the inertia, and can be run back.
 *
 * With tangents (a, b): a = (R' dR, dx) and b = (dPi, dp) of all nodes, and Pi in the directors,
 *   form((a1, b1), (a2, b2)) = a1.b2 - a2.b1 + sum Pi.(a1 x a2)       (rotations only in the last term).
 * Tangents are carried by the step through central differences of eighth order. */
#include "steps/mass.h"
#include "support/model.h"

#include "math/quat.h"

enum { TANGENTS = 6 };

typedef struct tangent {
    double *a, *b;
} tangent;

static double form(const zw_rods *rods, const double *p, const tangent *s, const tangent *t) {
    double sum = 0.0;
    for (int i = 0; i < 6 * rods->nnodes; i++) {
        sum += s->a[i] * t->b[i] - t->a[i] * s->b[i];
    }
    for (int i = 0; i < rods->nnodes; i++) {
        double cross[3];
        zw_v3_cross(cross, s->a + 6 * i, t->a + 6 * i);
        sum += zw_v3_dot(p + 6 * i, cross);
    }
    return sum;
}

/* `steps` steps from x moved by e along the tangent */
static void moved(stepper *s, const zw_mass *mass, const zw_state *x, const tangent *t, double e, int steps, zw_state *out) {
    int     nv = s->n.nv;
    double *da = calloc((size_t)nv, sizeof *da);
    for (int i = 0; i < nv; i++) {
        da[i] = e * t->a[i];
    }
    zw_system_retract(s->f->y, x->q, da, stepper_x(s)->q);
    zw_mass_kick(mass, x->v, e, t->b, stepper_x(s)->v);
    stepper_restart(s);
    stepper_go(s, steps);
    zw_state_copy(&s->n, stepper_x(s), out);
    free(da);
}

/* the largest change of the form over all pairs of random tangents, relative to the largest form */
static double form_defect(const char *text, double h, int64_t before, int steps) {
    fixture  f;
    stepper  s;
    zw_mass  mass;
    zw_state x, x1, y[2];
    uint64_t seed = 7;
    double   most = 0.0, worst = 0.0, length;
    tangent  from[TANGENTS], to[TANGENTS];
    fixture_system(&f, text);
    stepper_open(&s, &f, h);
    stepper_go(&s, before); /* to a state with waves of all lengths */
    const zw_rods *rods = fixture_rods(&f);
    int            nv = s.n.nv;
    size_t         bytes = sizeof(double) * (size_t)nv;
    double        *p0 = malloc(bytes), *p1 = malloc(bytes), *u = malloc(bytes), *w = malloc(bytes);
    zw_state      *all[] = {&x, &x1, &y[0], &y[1]};
    for (int i = 0; i < 4; i++) {
        fixture_must(&f, zw_state_create(f.c, &s.n, all[i]), "zw_state_create");
    }
    zw_state_copy(&s.n, stepper_x(&s), &x);
    fixture_must(&f, zw_mass_create(f.y, &x, &mass), "zw_mass_create");
    zw_mass_multiply(&mass, x.v, p0);
    zw_system_step_limit(f.y, &length);
    for (int k = 0; k < TANGENTS; k++) { /* turns of a radian, shifts of an element, momenta that move as much in one step */
        from[k] = (tangent){malloc(bytes), malloc(bytes)};
        to[k] = (tangent){calloc((size_t)nv, sizeof(double)), calloc((size_t)nv, sizeof(double))};
        for (int i = 0; i < nv; i++) {
            from[k].a[i] = noise(&seed) * (i % 6 < 3 ? 1.0 : length);
            u[i] = noise(&seed) * (i % 6 < 3 ? 1.0 : length) / h;
        }
        zw_mass_multiply(&mass, u, from[k].b);
    }
    moved(&s, &mass, &x, &from[0], 0.0, steps, &x1);
    zw_mass_multiply(&mass, x1.v, p1);
    for (int k = 0; k < TANGENTS; k++) {
        const double e = 4e-3;
        for (int j = 1; j <= 4; j++) {
            for (int side = 0; side < 2; side++) {
                moved(&s, &mass, &x, &from[k], side == 0 ? j * e : -j * e, steps, &y[side]);
            }
            zw_mass_multiply(&mass, y[0].v, u);
            zw_mass_multiply(&mass, y[1].v, w);
            for (int i = 0; i < nv; i++) {
                to[k].b[i] += difference8[j - 1] / e * (u[i] - w[i]);
            }
            for (int i = 0; i < rods->nnodes; i++) {
                const double *q = x1.q + 7 * i;
                for (int side = 0; side < 2; side++) {
                    double turn[4], *way = (side == 0 ? u : w) + 6 * i;
                    zw_q_conj_mul(q + 3, y[side].q + 7 * i + 3, turn);
                    zw_q_log(turn, way);
                    zw_v3_sub(way + 3, y[side].q + 7 * i, q);
                }
            }
            for (int i = 0; i < nv; i++) {
                to[k].a[i] += difference8[j - 1] / e * (u[i] - w[i]);
            }
        }
    }
    for (int k = 0; k < TANGENTS; k++) {
        for (int j = 0; j < k; j++) {
            double was = form(rods, p0, &from[k], &from[j]), is = form(rods, p1, &to[k], &to[j]);
            most = fmax(most, fabs(was));
            worst = fmax(worst, fabs(is - was));
        }
    }
    for (int k = 0; k < TANGENTS; k++) {
        free(from[k].a);
        free(from[k].b);
        free(to[k].a);
        free(to[k].b);
    }
    for (int i = 0; i < 4; i++) {
        zw_state_destroy(f.c, all[i]);
    }
    free(p0);
    free(p1);
    free(u);
    free(w);
    zw_mass_destroy(&mass);
    stepper_close(&s);
    fixture_close(&f);
    print_message("h %.3g, %d steps after %lld: form %.3e, changed by %.3e of it\n", h, steps, (long long)before, most, worst / most);
    return worst / most;
}

#define BEAM                                                                                                                   \
    "zwang: 1\nparameters: {L: 2*pi/3}\nbodies:\n  beam:\n    rod:\n      length: L\n      elements: 100\n      section: %s\n" \
    "      %sshape: {curvature: [0, -1, 0.3]}\n      velocity: {director: [0, sin(pi*s/L), 1]}\n%s"
#define MATTER "material: {density: 1000, young: 1e7, poisson: 0.35}\n      "

static void a_step_keeps_the_symplectic_form(void **state) {
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, BEAM, "{square: 0.1}", MATTER, "");
    check_below(form_defect(text, 1e-4, 2000, 1), 2e-11, 1.7e-12);
    check_below(form_defect(text, 1e-4, 2000, 10), 2e-11, 2.0e-12);
    snprintf(text, sizeof text, BEAM, "{rectangle: [0.1, 0.06]}", MATTER, "gravity: [0, 0, -9.81]\n"); /* J1 != J2: five rotations */
    check_below(form_defect(text, 6e-5, 2000, 1), 2e-11, 9.6e-13);
    snprintf(
        text, sizeof text, BEAM,
        "{stiffness: [[90, 9, 3, 0, 0, 0], [9, 80, 5, 0, 0, 0], [3, 5, 60, 0, 0, 0], [0, 0, 0, 4e4, 0, 0], [0, 0, 0, 0, 4e4, 0], [0, 0, 0, 0, 0, 1e5]],"
        " inertia: [[0.008, 0.002, 0.001, 0, 0, 0], [0.002, 0.01, -0.001, 0, 0, 0], [0.001, -0.001, 0.015, 0, 0, 0],"
        " [0, 0, 0, 10, 0, 0], [0, 0, 0, 0, 10, 0], [0, 0, 0, 0, 0, 10]]}",
        "", ""); /* principal axes that are not the directors */
    check_below(form_defect(text, 6e-5, 2000, 1), 2e-11, 1.2e-12);
}

/* the same number sees a damping time of 1e-9 s: it is not blind */
static void a_damped_step_does_not(void **state) {
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, BEAM, "{square: 0.1}", "material: {density: 1000, young: 1e7, poisson: 0.35, damping: 1e-9}\n      ", "");
    assert_true(form_defect(text, 1e-4, 2000, 1) > 1e-6); /* measured 3.5e-6 */
}

/* the shock of the bent beam with all its short waves, at half of the stability limit: there and back again */
static void the_bent_beam_can_be_run_back(void **state) {
    fixture f;
    stepper s;
    char    text[2000];
    double  off = 0.0, spin = 0.0;
    (void)state;
    snprintf(text, sizeof text, BEAM, "{square: 0.1}", MATTER, "");
    fixture_system(&f, text);
    stepper_open(&s, &f, 1e-4);
    zw_state x;
    fixture_must(&f, zw_state_create(f.c, &s.n, &x), "zw_state_create");
    zw_state_copy(&s.n, stepper_x(&s), &x);
    for (int turn = 0; turn < 2; turn++) {
        stepper_go(&s, 10000);
        for (int i = 0; i < s.n.nv; i++) {
            stepper_x(&s)->v[i] = -stepper_x(&s)->v[i];
        }
        stepper_restart(&s);
    }
    for (int i = 0; i < s.n.nv / 6; i++) {
        double turn[4], w[3];
        zw_q_conj_mul(x.q + 7 * i + 3, stepper_x(&s)->q + 7 * i + 3, turn);
        zw_q_log(turn, w);
        off = fmax(off, fmax(zw_v3_norm(w), zw_v3_distance(x.q + 7 * i, stepper_x(&s)->q + 7 * i)));
    }
    spin = largest_difference(s.n.nv, x.v, stepper_x(&s)->v);
    check_below(off, 5e-12, 2.6e-13); /* rad and m */
    check_below(spin, 2e-8, 1.1e-9);  /* rad/s and m/s; the shortest waves spin with 1e4 times their angle */
    zw_state_destroy(f.c, &x);
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_keeps_the_symplectic_form),
        cmocka_unit_test(a_damped_step_does_not),
        cmocka_unit_test(the_bent_beam_can_be_run_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
