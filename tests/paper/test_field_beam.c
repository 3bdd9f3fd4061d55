/* SPDX-License-Identifier: Apache-2.0
 * The geometrically exact beam out of the general field: examples/field-beam.yaml, an energy written down on se(3), against the rod's own code for the
 * beam (eqs 53-54) and against a plain transcription of these equations, step by step over the 1000 steps of section 4. */
#include "support/bracket.h"

#include "parts/field.h"

#include <stdlib.h>

enum { NODES = 101, LINKS = 100, STEPS = 1000 };

static const char *read_example(char *text, size_t size) {
    char        path[1000];
    const char *dir = getenv("ZW_SOURCE_DIR");
#ifdef ZW_SOURCE_DIR
    dir = dir ? dir : ZW_SOURCE_DIR;
#endif
    snprintf(path, sizeof path, "%s/examples/field-beam.yaml", dir ? dir : ".");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, size - 1, file);
    fclose(file);
    text[n] = 0;
    return text;
}

static const zw_chain *the_chain(const fixture *f) {
    const zw_part *part;
    zw_system_parts(fixture_y(f), &part);
    assert_string_equal(part[0].ops->kind, "field");
    return &((const zw_fields *)part[0].self)->chain[0];
}

/* in the rod's variables: momenta of nodes p = w ds mu, and strains */
static void compare(fixture *rod, fixture *field, double *momentum, double *size, double *strain) {
    const zw_chain *c = the_chain(field);
    const double   *z = bracket_x(field)->s;
    for (int j = 0; j < NODES; j++) {
        double mu[6], gamma[6];
        bracket_mu(rod, bracket_x(rod), j, mu);
        for (int k = 0; k < 6; k++) {
            double weight = zw_chain_weight(c, j) * c->ds;
            *momentum = fmax(*momentum, fabs(mu[k] - weight * zw_chain_mu(c, z, j)[k]));
            *size = fmax(*size, fabs(mu[k]));
        }
        if (j < LINKS) {
            bracket_gamma(rod, bracket_x(rod), j, gamma);
            *strain = fmax(*strain, largest_difference(6, gamma, zw_chain_gamma(c, z, j)));
        }
    }
}

/* the rod starts from the logarithms of its links and the consistent scheme turns them into strains of cay6: that is not written in the field's model */
static void start_like(fixture *rod, fixture *field) {
    const zw_chain *c = the_chain(field);
    zw_state       *x = bracket_x(field);
    for (int j = 0; j < LINKS; j++) {
        bracket_gamma(rod, bracket_x(rod), j, x->s + c->gamma0 + 6 * (size_t)j);
    }
    fixture_must(field, field->r->ops->start(field->r->integrator, x), "start");
}

static void against_the_rod(scheme s, double measured_momentum, double measured_strain) {
    char    text[4000];
    fixture rod, field;
    double  momentum = 0.0, strain = 0.0, size = 0.0;
    bracket_open(&rod, SECTION4, s);
    bracket_open(&field, read_example(text, sizeof text), s);
    compare(&rod, &field, &momentum, &size, &strain);
    double start_momentum = momentum, start_strain = strain;
    start_like(&rod, &field);
    momentum = strain = 0.0;
    for (int i = 0; i < STEPS; i++) {
        bracket_step(&rod, 1e-4);
        bracket_step(&field, 1e-4);
        compare(&rod, &field, &momentum, &size, &strain);
    }
    zw_account a = bracket_account(&rod), b = bracket_account(&field);
    print_message("%s: as written %.1e, %.1e; over %d steps momenta %.2e (of %.3f), strains %.2e (of 1), energy %.2e of %.6f\n", s.name,
                  start_momentum, start_strain, STEPS, momentum, size, strain, account_energy(&a) - account_energy(&b), account_energy(&a));
    check_below(momentum, 1e-12, measured_momentum);
    check_below(strain, 1e-12, measured_strain);
    check_near(account_energy(&a), account_energy(&b), 1e-10); /* measured 7e-12 J of 103 */
    fixture_close(&rod);
    fixture_close(&field);
}

static void the_printed_beam_is_a_field_on_se3(void **state) {
    (void)state;
    against_the_rod(POISSON, 4.3e-13, 1.1e-13);
}

static void so_it_is_with_the_mean_of_brackets(void **state) {
    (void)state;
    against_the_rod(HAMEL, 3.9e-13, 9.6e-14);
}

static void so_it_is_with_the_true_bracket(void **state) {
    (void)state;
    against_the_rod(CONSISTENT, 5.7e-13, 2.4e-13);
}

/* ---- eqs 53-54 with fixed-point and Gauss-Seidel iterations instead of Newton's method: nothing in common with the library */

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void bracket(const double x[6], const double y[6], double out[6]) {
    double a[3], b[3];
    cross(x, y, out);
    cross(x, y + 3, a);
    cross(x + 3, y, b);
    for (int i = 0; i < 3; i++) {
        out[3 + i] = a[i] + b[i];
    }
}

static void star(const double x[6], const double m[6], double out[6]) {
    double a[3], b[3];
    cross(m, x, a);
    cross(m + 3, x + 3, b);
    cross(m + 3, x, out + 3);
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + b[i];
    }
}

typedef struct beam {
    double ds, D1[6], D2[6], mu[NODES][6], gamma[LINKS][6]; /* gamma without e3, as printed */
} beam;

static void transcribed_step(beam *b, double h) {
    static const double none[6] = {0};
    double              mu1[NODES][6], zeta1[NODES][6];
    for (int j = 0; j < NODES; j++) {
        const double *gl = j > 0 ? b->gamma[j - 1] : none, *gr = j < LINKS ? b->gamma[j] : none;
        double        sl[6], sr[6], fl[6], fr[6], left[6], right[6], rest[6];
        for (int k = 0; k < 6; k++) {
            sl[k] = b->D2[k] * gl[k];
            sr[k] = b->D2[k] * gr[k];
            fl[k] = gl[k] + (k == 5);
            fr[k] = gr[k] + (k == 5);
        }
        star(fl, sl, left);
        star(fr, sr, right);
        for (int k = 0; k < 6; k++) {
            rest[k] = b->mu[j][k] + h * ((sr[k] - sl[k]) / b->ds - 0.5 * (left[k] + right[k]));
            mu1[j][k] = rest[k];
        }
        for (int pass = 0; pass < 60; pass++) {
            double zm[6], mm[6], turn[6];
            for (int k = 0; k < 6; k++) {
                mm[k] = 0.5 * (mu1[j][k] + b->mu[j][k]);
                zm[k] = mm[k] / b->D1[k];
            }
            star(zm, mm, turn);
            for (int k = 0; k < 6; k++) {
                mu1[j][k] = rest[k] + h * turn[k];
            }
        }
        for (int k = 0; k < 6; k++) {
            zeta1[j][k] = mu1[j][k] / b->D1[k];
        }
    }
    for (int l = 0; l < LINKS; l++) {
        double zm[6], g1[6], turn[6], middle[6];
        for (int k = 0; k < 6; k++) {
            zm[k] = 0.5 * (zeta1[l][k] + zeta1[l + 1][k]);
            g1[k] = b->gamma[l][k];
        }
        for (int pass = 0; pass < 60; pass++) {
            for (int k = 0; k < 6; k++) {
                middle[k] = 0.5 * (g1[k] + b->gamma[l][k]) + (k == 5);
            }
            bracket(middle, zm, turn);
            for (int k = 0; k < 6; k++) {
                g1[k] = b->gamma[l][k] + h * ((zeta1[l + 1][k] - zeta1[l][k]) / b->ds + turn[k]);
            }
        }
        memcpy(b->gamma[l], g1, sizeof g1);
    }
    memcpy(b->mu, mu1, sizeof mu1);
}

static void the_field_follows_the_printed_equations(void **state) {
    static beam  b;
    char         text[4000];
    fixture      field;
    double       momentum = 0.0, strain = 0.0, a = 0.1, I = a * a * a * a / 12.0, G = 1e7 / 2.7;
    const double inertia = 1000.0 * I, D1[6] = {inertia, inertia, 2.0 * inertia, 10.0, 10.0, 10.0};
    const double D2[6] = {1e7 * I, 1e7 * I, 2.0 * G * I, G * a * a, G * a * a, 1e7 * a * a};
    (void)state;
    bracket_open(&field, read_example(text, sizeof text), POISSON);
    const zw_chain *c = the_chain(&field);
    assert_int_equal(c->nlinks, LINKS);
    b.ds = c->ds;
    memcpy(b.D1, D1, sizeof D1);
    memcpy(b.D2, D2, sizeof D2);
    for (int j = 0; j < NODES; j++) {
        b.mu[j][4] = 10.0 * sin(acos(-1.0) * j / LINKS);
        b.mu[j][5] = 10.0;
        if (j < LINKS) {
            b.gamma[j][1] = -1.0;
        }
    }
    for (int i = 0; i < STEPS; i++) {
        bracket_step(&field, 1e-4);
        transcribed_step(&b, 1e-4);
        for (int j = 0; j < NODES; j++) {
            momentum = fmax(momentum, largest_difference(6, b.mu[j], zw_chain_mu(c, bracket_x(&field)->s, j)));
            for (int k = 0; j < LINKS && k < 6; k++) {
                strain = fmax(strain, fabs(b.gamma[j][k] + (k == 5) - zw_chain_gamma(c, bracket_x(&field)->s, j)[k]));
            }
        }
    }
    print_message("eqs 53-54 transcribed: momenta %.2e, strains %.2e (of 1)\n", momentum * b.ds, strain);
    check_below(momentum * b.ds, 1e-12, 3.7e-13);
    check_below(strain, 1e-12, 6.9e-14);
    fixture_close(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_beam_is_a_field_on_se3),
        cmocka_unit_test(so_it_is_with_the_mean_of_brackets),
        cmocka_unit_test(so_it_is_with_the_true_bracket),
        cmocka_unit_test(the_field_follows_the_printed_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
