/* SPDX-License-Identifier: Apache-2.0
 * Equations of lagrangian bodies: Mac-Millan's equation (13) holds for the accelerations of the multiplier form and has the matrix S'MS; text parses back to the
 * numbers of the engine's tape; C computes the tape's bits. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include "analysis/equations.h"
#include "math/dense.h"

#include <string.h>
#include <unistd.h>

static const char appell[] = "zwang: 1\n"
                             "parameters: {m: 1.25, a: 3/2, g: 9.81}\n"
                             "bodies:\n"
                             "  machine:\n"
                             "    lagrangian:\n"
                             "      coordinates: [x, y, z]\n"
                             "      kinetic: m*(xdot^2 + ydot^2 + zdot^2)/2\n"
                             "      potential: m*g*z\n"
                             "      constraints: {wheel: xdot^2 + ydot^2 = a^2*zdot^2}\n"
                             "      start: {xdot: 0.3, ydot: 0.4, zdot: -1/3}\n"
                             "run: {until: 3}\n";
static const char constant_speed[] = "zwang: 1\n"
                                     "parameters: {m: 1, g: 9.81, c: 4}\n"
                                     "bodies:\n"
                                     "  particle:\n"
                                     "    lagrangian:\n"
                                     "      coordinates: [x, y, z]\n"
                                     "      kinetic: m*(xdot^2 + ydot^2 + zdot^2)/2\n"
                                     "      potential: m*g*z\n"
                                     "      constraints: {speed: xdot^2 + ydot^2 + zdot^2 = c}\n"
                                     "      start: {xdot: 1.03, ydot: 0.6, zdot: 1.6}\n"
                                     "run: {until: 1}\n";
static const char disk[] = "zwang: 1\n"
                           "parameters: {m: 1, R: 0.5, g: 9.81, I: m*R^2/4, J: m*R^2/2}\n"
                           "bodies:\n"
                           "  disk:\n"
                           "    lagrangian:\n"
                           "      coordinates: [x, y, psi, theta, phi]\n"
                           "      define:\n"
                           "        cx: x - R*sin(theta)*sin(psi)\n"
                           "        cy: y + R*sin(theta)*cos(psi)\n"
                           "        cz: R*cos(theta)\n"
                           "      kinetic: m*(dt(cx)^2 + dt(cy)^2 + dt(cz)^2)/2 + I*(thetadot^2 + (psidot*cos(theta))^2)/2 + J*(phidot - "
                           "psidot*sin(theta))^2/2\n"
                           "      potential: m*g*cz\n"
                           "      constraints: [xdot = R*cos(psi)*phidot, ydot = R*sin(psi)*phidot]\n"
                           "      start: {theta: 0.1, xdot: 3, psidot: 0.2, thetadot: 0.1, phidot: 6}\n"
                           "run: {until: 3}\n";
static const char tip[] = "zwang: 1\n"
                          "parameters: {m: 1, l: 1, g: 9.81, k: 0.1}\n"
                          "bodies:\n"
                          "  chain:\n"
                          "    lagrangian:\n"
                          "      coordinates: [th1, th2, th3]\n"
                          "      define:\n"
                          "        x2: l*sin(th1) + l*sin(th2)\n"
                          "        z2: -l*cos(th1) - l*cos(th2)\n"
                          "        x3: x2 + l*sin(th3)\n"
                          "        z3: z2 - l*cos(th3)\n"
                          "      kinetic: m/2*(l^2*th1dot^2 + dt(x2)^2 + dt(z2)^2 + dt(x3)^2 + dt(z3)^2)\n"
                          "      potential: m*g*(z2 + z3 - l*cos(th1))\n"
                          "      dissipation: k*th1dot^2/2\n"
                          "      constraints: {tip: dt(x3)^2 + dt(z3)^2 = 1 + 0.5*sin(t)}\n"
                          "      start: {th1: 0.3, th2: 0.5, th3: 0.9, th1dot: 1}\n"
                          "run: {until: 1}\n";
static const char loop[] = "zwang: 1\n" /* holonomic beside nonholonomic, names that C does not take, a table, a force with a jump */
                           "parameters: {double: 2, q: 0.7, a1: 0.3}\n"
                           "bodies:\n"
                           "  loop:\n"
                           "    lagrangian:\n"
                           "      coordinates: [x, y, M, w]\n"
                           "      kinetic: double*(xdot^2 + ydot^2)/2 + q*(Mdot^2 + Mdot*wdot + wdot^2)*(2 + sin(x*y))\n"
                           "      potential: a1*(x^2 + y^4) + exp(w*M/3)\n"
                           "      forces: {w: \"if(w < 0, 1, -sign(wdot)*t)\", M: \"table(t, 0, 1, 2, 5)*max(x, y)\"}\n"
                           "      constraints: {ring: x^2 + y^2 = 1 + 0.1*w, roll: xdot*M + wdot^3 = 0.2*Mdot + 0.1}\n"
                           "      start: {x: 1, Mdot: 0.3}\n"
                           "run: {until: 1}\n";
static const char *const models[] = {appell, constant_speed, disk, tip, loop};
enum { MODELS = sizeof models / sizeof models[0], STATES = 20 };

typedef struct fixture {
    zw_context              *c;
    zw_model                *m;
    zw_arena                 arena;
    const zw_lagrangian_def *def;
    zw_lagrange              y;
    zw_partition             part;
    zw_macmillan             k;
    double                  *in;
    int                      inputs;
} fixture;

static void must(fixture *f, zw_status status, const char *what) {
    for (int i = 0; status != ZW_OK && i < zw_error_count(f->c); i++) {
        char line[1200];
        zw_error_format(zw_error_at(f->c, i), line, sizeof line);
        print_error("%s: %s\n", what, line);
    }
    assert_int_equal(status, ZW_OK);
}

static void open_model(fixture *f, const char *text) {
    bool consistent;
    *f = (fixture){0};
    assert_int_equal(zw_context_create(NULL, &f->c), ZW_OK);
    must(f, zw_model_parse(f->c, "test.yaml", text, strlen(text), 0, NULL, &f->m), "model");
    zw_arena_init(&f->arena, f->c);
    f->def = &f->m->bodies[0].lagrangian;
    must(f, zw_lagrange_derive(f->m, f->def, &f->arena, &f->y), "derive");
    f->inputs = zw_pool_inputs(f->m->pool) + f->def->n;
    f->in = zw_arena_alloc(&f->arena, (size_t)f->inputs, sizeof(double), "inputs");
    must(f, zw_lagrange_start(f->m, f->def, &f->y, &f->arena, f->in, &consistent), "start");
    assert_true(consistent);
    must(f, zw_partition_choose(f->m, f->def, &f->y, f->in, NULL, &f->arena, &f->part), "partition");
    must(f, zw_macmillan_derive(f->m, f->m->bodies[0].name, f->def, &f->y, &f->part, &f->arena, &f->k), "macmillan");
    assert_int_equal(zw_pool_inputs(f->m->pool), f->inputs);
}

static void close_model(fixture *f) {
    zw_arena_destroy(&f->arena);
    zw_model_destroy(f->m);
    zw_context_destroy(f->c);
}

static void eval(fixture *f, const zw_node *roots, int n, double *out) {
    zw_tape *t;
    must(f, zw_tape_create(f->c, f->m->pool, roots, n, &t), "tape");
    double *work = calloc((size_t)zw_tape_work(t) + 1, sizeof *work);
    zw_tape_eval(t, f->in, work, out);
    free(work);
    zw_tape_destroy(t);
}

static double noise(uint64_t *seed) { /* -1 .. 1 */
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* near the start and on the constraints: dependent velocities by Newton; false when it does not get there */
static bool random_state(fixture *f, uint64_t *seed) {
    int    n = f->y.n, g = f->part.g, pivot[8];
    double first[8], A[40], J[64];
    bool   consistent;
    must(f, zw_lagrange_start(f->m, f->def, &f->y, &f->arena, f->in, &consistent), "start");
    f->in[f->m->slot_t] = 1.0 + noise(seed);
    for (int i = 0; i < n; i++) {
        f->in[f->def->slot_q[i]] += 0.5 * noise(seed);
        f->in[f->def->slot_v[i]] += 0.5 * noise(seed);
    }
    for (int step = 0; step < 50; step++) {
        double most = 0.0;
        eval(f, f->y.first, f->y.m, first);
        eval(f, f->y.A, f->y.m * n, A);
        for (int k = 0; k < g; k++) {
            for (int l = 0; l < g; l++) {
                J[k * g + l] = A[f->part.row[k] * n + f->part.dependent[l]];
            }
        }
        if (zw_lu_factor(g, J, pivot) >= 0) {
            return false;
        }
        double dv[8];
        for (int k = 0; k < g; k++) {
            dv[k] = first[f->part.row[k]];
        }
        zw_lu_solve(g, J, pivot, 1, dv);
        for (int k = 0; k < g; k++) {
            f->in[f->def->slot_v[f->part.dependent[k]]] -= dv[k];
            most = fmax(most, fabs(dv[k]));
        }
        if (!(most < 1e3)) {
            return false;
        }
        if (most < 1e-15) {
            break;
        }
    }
    eval(f, f->y.first, f->y.m, first);
    for (int k = 0; k < f->y.m; k++) {
        if (!(fabs(first[k]) < 1e-13)) {
            return false;
        }
    }
    return true;
}

/* M a + c = F + A' lambda, A a + D = 0 by LU; 1/condition as estimated by the size of the inverse, in *inverse */
static bool accelerations(fixture *f, double *a, double *inverse) {
    int    n = f->y.n, m = f->y.m, size = n + m, pivot[16];
    double M[64], A[64], c[8], F[8], D[8], W[256], x[16], V[256];
    eval(f, f->y.M, n * n, M);
    eval(f, f->y.A, m * n, A);
    eval(f, f->y.c, n, c);
    eval(f, f->y.F, n, F);
    eval(f, f->y.D, m, D);
    memset(W, 0, sizeof W);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            W[i * size + j] = M[i * n + j];
        }
        for (int b = 0; b < m; b++) {
            W[i * size + n + b] = -A[b * n + i];
            W[(n + b) * size + i] = A[b * n + i];
        }
        x[i] = F[i] - c[i];
    }
    for (int b = 0; b < m; b++) {
        x[n + b] = -D[b];
    }
    if (zw_lu_factor(size, W, pivot) >= 0) {
        return false;
    }
    zw_lu_solve(size, W, pivot, 1, x);
    zw_lu_inverse(size, W, pivot, V);
    *inverse = 0.0;
    for (int i = 0; i < size * size; i++) {
        *inverse = fmax(*inverse, fabs(V[i]));
    }
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        f->in[f->k.slot_a[i]] = x[i];
    }
    return true;
}

static void equation_13_holds_for_the_accelerations_of_the_multiplier_form(void **state) {
    (void)state;
    double worst = 0.0, worst_reduced = 0.0, worst_matrix = 0.0, worst_dependent = 0.0;
    for (int model = 0; model < MODELS; model++) {
        fixture  f;
        uint64_t seed = 99;
        int      states = 0;
        open_model(&f, models[model]);
        int n = f.y.n, g = f.part.g, e = f.part.e;
        assert_int_equal(g + e, n);
        for (int trial = 0; trial < 20 * STATES && states < STATES; trial++) {
            double a[8], left[8], force[8], carried[8], turning[8], K[64], rest[8], B[64], sigma[8], M[64], inverse;
            if (!random_state(&f, &seed) || !accelerations(&f, a, &inverse) || inverse > 1e3) {
                continue;
            }
            states++;
            eval(&f, f.k.left, e, left);
            eval(&f, f.k.force, e, force);
            eval(&f, f.k.carried, e, carried);
            eval(&f, f.k.turning, e, turning);
            eval(&f, f.k.K, e * e, K);
            eval(&f, f.k.rest, e, rest);
            eval(&f, f.k.B, g * e, B);
            eval(&f, f.k.sigma, g, sigma);
            eval(&f, f.y.M, n * n, M);
            double scale = inverse, most = 0.0;
            for (int s = 0; s < e; s++) {
                most = fmax(most, fabs(left[s]) + fabs(force[s]) + fabs(carried[s]) + fabs(turning[s]));
            }
            scale *= 1.0 + most;
            for (int s = 0; s < e; s++) {
                double reduced = -rest[s];
                for (int t = 0; t < e; t++) {
                    double sum = 0.0; /* (S'MS)_st, S = [1; B] */
                    for (int i = 0; i < n; i++) {
                        for (int j = 0; j < n; j++) {
                            double x = 0.0, y = 0.0;
                            for (int k = 0; k < e; k++) {
                                x = f.part.independent[k] == i ? (k == s) : x;
                                y = f.part.independent[k] == j ? (k == t) : y;
                            }
                            for (int k = 0; k < g; k++) {
                                x = f.part.dependent[k] == i ? B[k * e + s] : x;
                                y = f.part.dependent[k] == j ? B[k * e + t] : y;
                            }
                            sum += x * M[i * n + j] * y;
                        }
                    }
                    worst_matrix = fmax(worst_matrix, fabs(sum - K[s * e + t]) / (1.0 + fabs(sum)));
                    reduced += K[s * e + t] * a[f.part.independent[t]];
                }
                worst = fmax(worst, fabs(left[s] - force[s] - carried[s] - turning[s]) / scale);
                worst_reduced = fmax(worst_reduced, fabs(reduced) / scale);
            }
            for (int b = 0; b < g; b++) {
                double r = sigma[b] - a[f.part.dependent[b]];
                for (int s = 0; s < e; s++) {
                    r += B[b * e + s] * a[f.part.independent[s]];
                }
                worst_dependent = fmax(worst_dependent, fabs(r) / scale);
            }
        }
        assert_int_equal(states, STATES);
        close_model(&f);
    }
    check_below(worst, 1e-14, 2.7e-16);
    check_below(worst_reduced, 1e-14, 5.3e-16);
    check_below(worst_matrix, 1e-14, 3.3e-16);
    check_below(worst_dependent, 1e-14, 1.7e-16);
}

static void left_side_of_the_particle_of_constant_speed_is_0(void **state) {
    (void)state;
    fixture f;
    open_model(&f, constant_speed);
    for (int s = 0; s < f.part.e; s++) {
        double value = 1.0;
        assert_true(zw_node_is_constant(f.m->pool, f.k.left[s], &value));
        assert_true(value == 0.0);
    }
    close_model(&f);
}

static void start_is_moved_onto_the_constraints(void **state) {
    (void)state;
    fixture f;
    open_model(&f, constant_speed); /* written: 1.03, 0.6, 1.6 */
    double first, v2 = 0.0;
    eval(&f, f.y.first, 1, &first);
    for (int i = 0; i < 3; i++) {
        v2 += f.in[f.def->slot_v[i]] * f.in[f.def->slot_v[i]];
    }
    check_near(first, 0.0, 2e-15);                                                      /* 4.4e-16 */
    check_near(v2, 4.0, 2e-15);                                                         /* 4.4e-16 */
    check_relative(f.in[f.def->slot_v[1]] / f.in[f.def->slot_v[0]], 0.6 / 1.03, 4e-16); /* 0 */
    close_model(&f);
}

/* ---- printed */

static void print_equations(fixture *f, zw_form form, zw_notation as, zw_text *out) {
    zw_equations_ask ask = {.form = form, .as = as};
    zw_text_init(out, f->c);
    must(f, zw_equations_print(f->m, &ask, out), "print");
}

static char *trimmed(char *s) {
    return s + strspn(s, " ");
}

/* every line of the text, read by our own parser in a scope with the names as printed, has the value of the engine's tape */
static void text_parses_back_to_the_numbers_of_the_tape(void **state) {
    (void)state;
    int    compared = 0;
    double worst = 0.0;
    for (int model = 0; model < MODELS; model++) {
        fixture  f;
        uint64_t seed = 5;
        open_model(&f, models[model]);
        zw_text   out;
        zw_scope *scope;
        print_equations(&f, ZW_FORM_GAUSS, ZW_AS_TEXT, &out);
        zw_pool *pool = f.m->pool;
        int      n = f.y.n;
        must(&f, zw_scope_create(pool, NULL, &scope), "scope");
        must(&f, zw_scope_add_input(scope, "t"), "scope");
        for (int i = 0; i < f.m->nparameters; i++) {
            if (f.m->parameter_slot[i] >= 0) {
                must(&f, zw_scope_add_input(scope, f.m->parameter_name[i]), "scope");
            }
        }
        for (int i = 0; i < n; i++) {
            char     v[40];
            zw_value q = {1, {zw_node_input(pool, f.def->slot_q[i])}}, qdot = {1, {zw_node_input(pool, f.def->slot_v[i])}};
            snprintf(v, sizeof v, "%sdot", f.def->coordinate[i]);
            must(&f, zw_scope_add_value(scope, f.def->coordinate[i], q), "scope");
            must(&f, zw_scope_add_value(scope, v, qdot), "scope");
        }
        random_state(&f, &seed);
        for (char *line = strtok(out.s, "\n"); line; line = strtok(NULL, "\n")) {
            char *is = strstr(line, " = ");
            if (line[0] == '#' || !is || strchr(line, ':')) {
                continue;
            }
            *is = 0;
            zw_value        v;
            zw_expr_problem problem;
            zw_status       status = zw_expr_parse(scope, trimmed(is + 3), &v, &problem);
            if (status != ZW_OK) {
                print_error("%s: column %d: %s\n", is + 3, problem.col, problem.message);
                fail();
            }
            if (!strchr(line, '[')) {
                must(&f, zw_scope_add_value(scope, line, v), "scope");
                continue;
            }
            char *comma = strchr(line, ','), *name = strchr(line, '[') + 1;
            name[strcspn(name, ",]")] = 0;
            int row = -1, column = -1;
            for (int i = 0; i < n; i++) {
                row = strcmp(name, f.def->coordinate[i]) == 0 && line[0] != 'A' && line[0] != 'D' ? i : row;
                column = comma && strncmp(comma + 1, f.def->coordinate[i], strlen(f.def->coordinate[i])) == 0 &&
                                 comma[1 + strlen(f.def->coordinate[i])] == ']'
                             ? i
                             : column;
            }
            for (int b = 0; b < f.y.m; b++) {
                row = (line[0] == 'A' || line[0] == 'D') && strcmp(name, f.def->row[b].name) == 0 ? b : row;
            }
            assert_true(row >= 0);
            zw_node node = line[0] == 'M'   ? f.y.M[row * n + column]
                           : line[0] == 'A' ? f.y.A[row * n + column]
                           : line[0] == 'D' ? f.y.D[row]
                                            : zw_node_sub(pool, f.y.F[row], f.y.c[row]);
            double  expected, actual;
            eval(&f, &node, 1, &expected);
            eval(&f, &v.n[0], 1, &actual);
            worst = fmax(worst, fabs(actual - expected));
            compared++;
        }
        zw_scope_destroy(scope);
        zw_text_destroy(&out);
        close_model(&f);
    }
    assert_true(compared > 60);
    check_below(worst, 0.0, 0.0); /* the same nodes, so the same bits */
}

static void write_file(const char *path, const char *text, const char *more) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fputs(more, f);
    assert_int_equal(fclose(f), 0);
}

/* the file for a body, compiled and called at a state */
static void run_c(fixture *f, zw_form form, const char *folder, int count[4], double *result) {
    zw_text out;
    char    path[100], more[2000], command[400];
    int     n = f->y.n, used = 0, total = 0;
    print_equations(f, form, ZW_AS_C, &out);
    assert_int_equal(zw_text_status(&out), ZW_OK);
    used += snprintf(more, sizeof more,
                     "#include <stdio.h>\nint main(void) {\n    static double r0[64], r1[64], r2[64], r3[64];\n    double q[] = {");
    for (int i = 0; i < 2 * n; i++) {
        int slot = i < n ? f->def->slot_q[i] : f->def->slot_v[i - n];
        used += snprintf(more + used, sizeof more - (size_t)used, "%s%a", i == n ? "}, v[] = {" : i ? ", " : "", f->in[slot]);
    }
    used +=
        snprintf(more + used, sizeof more - (size_t)used, "};\n    %s_%s(q, v, %a, %s_parameter_value, r0, r1, r2, r3);\n",
                 f->m->bodies[0].name, form == ZW_FORM_MACMILLAN ? "macmillan" : "equations", f->in[f->m->slot_t], f->m->bodies[0].name);
    for (int k = 0; k < 4; k++) {
        used += snprintf(more + used, sizeof more - (size_t)used,
                         "    for (int i = 0; i < %d; i++) {\n        printf(\"%%a\\n\", r%d[i]);\n    }\n", count[k], k);
        total += count[k];
    }
    snprintf(more + used, sizeof more - (size_t)used, "    return 0;\n}\n");
    snprintf(path, sizeof path, "%s/equations.c", folder);
    write_file(path, out.s, more);
    const char *cc = getenv("CC") ? getenv("CC") : "cc";
    snprintf(command, sizeof command,
             "cd %s && %s -std=c17 -O2 -Wall -Wextra -Werror equations.c -lm -o equations && ./equations > numbers", folder, cc);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/numbers", folder);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    for (int i = 0; i < total; i++) {
        char line[80];
        assert_non_null(fgets(line, sizeof line, in));
        result[i] = strtod(line, NULL);
    }
    fclose(in);
    zw_text_destroy(&out);
}

static void c_gives_the_bits_of_the_tape(void **state) {
    (void)state;
    char folder[] = "/tmp/zwang-equations-XXXXXX", command[100];
    assert_non_null(mkdtemp(folder));
    for (int model = 0; model < MODELS; model++) {
        fixture  f;
        uint64_t seed = 17;
        double   actual[200], expected[200];
        open_model(&f, models[model]);
        for (int trial = 0; trial < 1000 && !random_state(&f, &seed); trial++) {
        }
        int     n = f.y.n, m = f.y.m, g = f.part.g, e = f.part.e, full[4] = {n * n, n, m * n, m}, reduced[4] = {e * e, e, g * e, g};
        zw_node roots[200], *r = roots;
        run_c(&f, ZW_FORM_MULTIPLIER, folder, full, actual);
        memcpy(r, f.y.M, sizeof *r * (size_t)(n * n));
        r += n * n;
        for (int i = 0; i < n; i++) {
            *r++ = zw_node_sub(f.m->pool, f.y.F[i], f.y.c[i]);
        }
        memcpy(r, f.y.A, sizeof *r * (size_t)(m * n));
        memcpy(r + m * n, f.y.D, sizeof *r * (size_t)m);
        r += m * n + m;
        eval(&f, roots, (int)(r - roots), expected);
        for (int i = 0; i < r - roots; i++) {
            assert_true(actual[i] == expected[i]);
        }
        run_c(&f, ZW_FORM_MACMILLAN, folder, reduced, actual);
        r = roots;
        memcpy(r, f.k.K, sizeof *r * (size_t)(e * e));
        memcpy(r + e * e, f.k.rest, sizeof *r * (size_t)e);
        memcpy(r + e * e + e, f.k.B, sizeof *r * (size_t)(g * e));
        memcpy(r + e * e + e + g * e, f.k.sigma, sizeof *r * (size_t)g);
        eval(&f, roots, e * e + e + g * e + g, expected);
        for (int i = 0; i < e * e + e + g * e + g; i++) {
            assert_true(actual[i] == expected[i]);
        }
        close_model(&f);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void wrong_questions_are_answered(void **state) {
    (void)state;
    static const struct {
        zw_equations_ask ask;
        const char      *message, *remedy;
    } wrong[] = {
        {{.form = ZW_FORM_MULTIPLIER, .body = "machin"}, "'machin' is no lagrangian body", "did you mean 'machine'?"},
        {{.form = ZW_FORM_MACMILLAN, .dependent = "x,u"}, "'u' is no coordinate of machine", ""},
        {{.form = ZW_FORM_MACMILLAN, .dependent = "x,y"}, "determine 1 of the 2 velocities", "name other coordinates"},
    };
    fixture f;
    open_model(&f, appell);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        zw_text out;
        zw_text_init(&out, f.c);
        assert_int_equal(zw_equations_print(f.m, &wrong[i].ask, &out), ZW_E_ARG);
        const zw_error *e = zw_error_at(f.c, zw_error_count(f.c) - 1);
        assert_non_null(strstr(e->message, wrong[i].message));
        assert_non_null(strstr(e->remedy, wrong[i].remedy));
        zw_text_destroy(&out);
    }
    close_model(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equation_13_holds_for_the_accelerations_of_the_multiplier_form),
        cmocka_unit_test(left_side_of_the_particle_of_constant_speed_is_0),
        cmocka_unit_test(start_is_moved_onto_the_constraints),
        cmocka_unit_test(text_parses_back_to_the_numbers_of_the_tape),
        cmocka_unit_test(c_gives_the_bits_of_the_tape),
        cmocka_unit_test(wrong_questions_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
