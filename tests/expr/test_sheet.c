/* SPDX-License-Identifier: Apache-2.0
 * Sheets: text with named parts parses back to the identical nodes, C computes what the tape computes to the last bit, LaTeX reads well. */
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"

#include "expr/sheet.h"

#include <unistd.h>

static char *shown(zw_text *t) {
    assert_int_equal(zw_text_status(t), ZW_OK);
    return t->s ? t->s : "";
}

static void sheet_open(fixture *f, const zw_node *roots, int n, zw_notation as, zw_sheet **s) {
    assert_int_equal(zw_sheet_create(f->context, f->pool, roots, n, as, NULL, s), ZW_OK);
}

static void latex_is(fixture *f, const char *text, const char *expected) {
    zw_sheet *s;
    zw_text   out;
    zw_node   n = fixture_node(f, text);
    zw_text_init(&out, f->context);
    sheet_open(f, &n, 1, ZW_AS_LATEX, &s);
    zw_sheet_print(s, 0, &out);
    assert_string_equal(shown(&out), expected);
    zw_sheet_destroy(s);
    zw_text_destroy(&out);
}

static void c_is(fixture *f, const char *text, const char *expected) {
    zw_sheet *s;
    zw_text   out;
    zw_node   n = fixture_node(f, text);
    zw_text_init(&out, f->context);
    sheet_open(f, &n, 1, ZW_AS_C, &s);
    zw_sheet_print(s, 0, &out);
    assert_string_equal(shown(&out), expected);
    zw_sheet_destroy(s);
    zw_text_destroy(&out);
}

static void name_is(fixture *f, const char *name, const char *expected) {
    zw_text out;
    zw_text_init(&out, f->context);
    zw_latex_name(name, &out);
    assert_string_equal(shown(&out), expected);
    zw_text_destroy(&out);
}

static void names_become_greek_letters_accents_and_subscripts(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    name_is(&f, "x", "x");
    name_is(&f, "theta", "\\theta");
    name_is(&f, "theta1", "\\theta_{1}");
    name_is(&f, "xdot", "\\dot{x}");
    name_is(&f, "thetadot", "\\dot{\\theta}");
    name_is(&f, "theta12ddot", "\\ddot{\\theta}_{12}");
    name_is(&f, "mass", "\\mathit{mass}");
    name_is(&f, "m_left", "m_{\\mathit{left}}");
    name_is(&f, "I_zz2", "I_{\\mathit{zz}2}");
    name_is(&f, "_odd_", "\\mathit{\\_odd\\_}");
    name_is(&f, "epsilon", "\\varepsilon");
    name_is(&f, "Omega0", "\\Omega_{0}");
    name_is(&f, "cart.xdot", "\\dot{x}_{\\mathit{cart}}");
    name_is(&f, "dot", "\\mathit{dot}");
    name_is(&f, "lambda_wheel", "\\lambda_{\\mathit{wheel}}");
    fixture_close(&f);
}

static void latex_is_written_as_one_writes_it(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    latex_is(&f, "x + y", "x + y");
    latex_is(&f, "x - (y - t)", "x - y + t");
    latex_is(&f, "-(x + y)", "-x - y");
    latex_is(&f, "2*x*y", "2 x\\, y");
    latex_is(&f, "0.5*x*y^2", "\\frac{x\\, y^{2}}{2}");
    latex_is(&f, "x/y/t", "\\frac{x}{y\\, t}");
    latex_is(&f, "x^-2", "\\frac{1}{x^{2}}");
    latex_is(&f, "x/(-2*y)", "-\\frac{x}{2 y}");
    latex_is(&f, "x - t/(-2*y)", "x + \\frac{t}{2 y}");
    latex_is(&f, "-2*x", "-2 x");
    latex_is(&f, "sin(x)^2", "\\sin^{2} x");
    latex_is(&f, "sin(x)*y", "y\\, \\sin x");
    latex_is(&f, "cos(x + y)*(x - 1)", "\\left(x - 1\\right)\\, \\cos\\left(x + y\\right)");
    latex_is(&f, "(x + y)^2", "\\left(x + y\\right)^{2}");
    latex_is(&f, "(x*y)^12", "\\left(x\\, y\\right)^{12}");
    latex_is(&f, "x^y", "x^{y}");
    latex_is(&f, "(-2)^x", "\\left(-2\\right)^{x}");
    latex_is(&f, "sqrt(x + 1)/2", "\\frac{\\sqrt{x + 1}}{2}");
    latex_is(&f, "1.5e-7*x", "1.5 \\cdot 10^{-7} x");
    latex_is(&f, "exp(-x)", "\\mathrm{e}^{-x}");
    latex_is(&f, "if(x < 0, -1, y)", "\\begin{cases} -1 & \\text{if } x < 0 \\\\ y & \\text{otherwise} \\end{cases}");
    latex_is(&f, "min(x, 2)", "\\min\\left(x,\\, 2\\right)");
    latex_is(&f, "table(x, 0, 1, 2, 3)", "\\operatorname{table}\\left(x;\\, 0,\\,1;\\; 2,\\,3\\right)");
    latex_is(&f, "2*x/2", "x");
    latex_is(&f, "3*x*2/y", "\\frac{2 \\cdot 3 x}{y}");
    latex_is(&f, "x*sin(t)*(y*x)*sin(t)", "x^{2}\\, y\\, \\sin^{2} t");
    latex_is(&f, "t*x*((y + 1)/x)", "t\\, \\left(y + 1\\right)");
    latex_is(&f, "t*x^3/x^2/x", "t");
    latex_is(&f, "t*x/x^3", "\\frac{t}{x^{2}}");
    latex_is(&f, "exp(x)*y", "y\\, \\mathrm{e}^{x}");
    fixture_close(&f);
}

static void c_has_constants_of_type_double_and_no_needless_brackets(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    c_is(&f, "x/2 + 1", "x/2.0 + 1.0");
    c_is(&f, "x - (y - t)", "x - (y - t)");
    c_is(&f, "x^2*y", "y*zw_power(x, 2)");
    c_is(&f, "-(x*y)", "-(x*y)");
    c_is(&f, "1e-9*x", "1e-9*x");
    c_is(&f, "not x < y and t", "(double)(t != 0.0 && (double)((double)(x < y) == 0.0) != 0.0)");
    c_is(&f, "table(x, 0, 1, 2, 3)", "zw_table(x, 2, (const double[]){0.0, 1.0, 2.0, 3.0})");
    fixture_close(&f);
}

static void what_is_used_twice_gets_a_number(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node   roots[3] = {fixture_node(&f, "sin(x*y + t)^2*L"), fixture_node(&f, "-sin(x*y + t) + (x*y + t)^2*s"),
                          fixture_node(&f, "x^2 + cos(x*y + t)*x^2")};
    zw_sheet *s;
    zw_text   name, is, out;
    zw_text_init(&name, f.context);
    zw_text_init(&is, f.context);
    zw_text_init(&out, f.context);
    sheet_open(&f, roots, 3, ZW_AS_TEXT, &s);
    assert_int_equal(zw_sheet_shared(s), 1);
    zw_sheet_shared_print(s, 0, &name, &is);
    assert_string_equal(shown(&name), "a1");
    assert_string_equal(shown(&is), "t + x*y");
    zw_sheet_print(s, 1, &out);
    assert_string_equal(shown(&out), "s*a1^2 - sin(a1)");
    zw_sheet_destroy(s);
    zw_text_destroy(&name);
    zw_text_destroy(&is);
    zw_text_destroy(&out);
    fixture_close(&f);
}

static const char *rename_to_a7(void *user, int slot) {
    (void)user;
    return slot == 0 ? "a7" : NULL;
}

static void numbers_do_not_clash_with_inputs(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node   n = fixture_node(&f, "(x*y + t)^2 + (x*y + t)*s + sin(x*y + t)");
    zw_naming naming = {.name = rename_to_a7};
    zw_sheet *s;
    zw_text   out;
    zw_text_init(&out, f.context);
    assert_int_equal(zw_sheet_create(f.context, f.pool, &n, 1, ZW_AS_TEXT, &naming, &s), ZW_OK);
    zw_sheet_print(s, 0, &out);
    assert_string_equal(shown(&out), "b1^2 + s*b1 + sin(b1)");
    zw_sheet_destroy(s);
    zw_text_destroy(&out);
    fixture_close(&f);
}

/* a random operation on random earlier nodes, so that the result is a DAG with every operation */
static zw_node random_node(fixture *f, fixture_random *r, const zw_node *have, int n) {
    static const double constants[] = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.1, 1e-7, -1e300, 33.0, -3.0};
    zw_node             a = have[random_below(r, n)], b = have[random_below(r, n)], c = have[random_below(r, n)];
    int                 op = ZW_OP_NEG + random_below(r, ZW_OP_COUNT - ZW_OP_NEG);
    if (random_below(r, 3)) {
        static const int arithmetic[] = {ZW_OP_ADD, ZW_OP_SUB, ZW_OP_MUL, ZW_OP_DIV, ZW_OP_NEG, ZW_OP_SIN};
        op = arithmetic[random_below(r, 6)];
    }
    if (random_below(r, 6) == 0) {
        a = zw_node_constant(f->pool, constants[random_below(r, 12)]);
    }
    if (random_below(r, 6) == 0) {
        b = zw_node_constant(f->pool, constants[random_below(r, 12)]);
    }
    if (op == ZW_OP_POWI) {
        return zw_node_powi(f->pool, a, random_below(r, 9) - 4);
    }
    if (op == ZW_OP_TABLE || op == ZW_OP_SLOPE) {
        double knots[6] = {0.0, random_between(r, -1.0, 1.0), 1.0, 1e-3, random_between(r, 1.5, 2.0), -4.0};
        return zw_node_build(f->pool, op, a, zw_pool_table(f->pool, knots, 2 + random_below(r, 2)), 0);
    }
    return zw_node_build(f->pool, op, a, b, c);
}

enum { HAVE = 120, LEAVES = 6, ROOTS = 40 };

static void random_roots(fixture *f, fixture_random *r, zw_node *roots) {
    static const char *const leaves[LEAVES] = {"x", "y", "t", "kappa.d1", "2", "-3.5"};
    zw_node                  have[HAVE];
    int                      n = 0;
    for (; n < LEAVES; n++) {
        have[n] = fixture_node(f, leaves[n]);
    }
    for (; n < HAVE; n++) {
        have[n] = random_node(f, r, have, n);
        assert_int_not_equal(have[n], 0);
    }
    for (int i = 0; i < ROOTS; i++) {
        roots[i] = have[HAVE - ROOTS + i];
    }
}

static void random_sheets_parse_back_to_the_same_nodes(void **state) {
    (void)state;
    fixture_random r = {.state = 8};
    int            shared = 0;
    for (int round = 0; round < 200; round++) {
        fixture   f;
        zw_node   roots[ROOTS];
        zw_sheet *s;
        fixture_open(&f);
        random_roots(&f, &r, roots);
        sheet_open(&f, roots, ROOTS, ZW_AS_TEXT, &s);
        for (int i = 0; i < zw_sheet_shared(s) + ROOTS; i++) {
            zw_text name, is;
            zw_text_init(&name, f.context);
            zw_text_init(&is, f.context);
            if (i < zw_sheet_shared(s)) {
                zw_sheet_shared_print(s, i, &name, &is);
            } else {
                zw_sheet_print(s, i - zw_sheet_shared(s), &is);
            }
            zw_node         expected = i < zw_sheet_shared(s) ? s->shared[i] : roots[i - zw_sheet_shared(s)];
            zw_value        v;
            zw_expr_problem p;
            zw_status       status = zw_expr_parse(f.scope, shown(&is), &v, &p);
            if (status != ZW_OK || v.n[0] != expected) {
                print_error("'%s' %s\n", is.s, status == ZW_OK ? "is another node" : p.message);
                fail();
            }
            if (i < zw_sheet_shared(s)) {
                shared++;
                assert_int_equal(zw_scope_add_value(f.scope, shown(&name), v), ZW_OK);
            }
            zw_text_destroy(&name);
            zw_text_destroy(&is);
        }
        zw_sheet_destroy(s);
        fixture_close(&f);
    }
    assert_true(shared > 700); /* 970 */
}

static void add_c_body(zw_sheet *s, int round, zw_text *file) {
    zw_text_addf(file, "void f%d(const double *in, double *out);\nvoid f%d(const double *in, double *out) {\n", round, round);
    zw_text_add(file, "    const double x = in[0], y = in[1], t = in[2], kappa = in[11];\n    (void)x, (void)y, (void)t, (void)kappa;\n");
    for (int i = 0; i < zw_sheet_shared(s); i++) {
        zw_text_add(file, "    const double ");
        zw_text name, is;
        zw_text_init(&name, file->context);
        zw_text_init(&is, file->context);
        zw_sheet_shared_print(s, i, &name, &is);
        zw_text_addf(file, "%s = %s;\n", shown(&name), shown(&is));
        zw_text_destroy(&name);
        zw_text_destroy(&is);
    }
    for (int i = 0; i < ROOTS; i++) {
        zw_text_addf(file, "    out[%d] = ", i);
        zw_sheet_print(s, i, file);
        zw_text_add(file, ";\n");
    }
    zw_text_add(file, "}\n");
}

static const char *without_dots(void *user, int slot) {
    (void)user;
    return slot == 11 ? "kappa" : NULL;
}

/* a C file with all rounds, compiled by the machine's compiler and run: the same bits as the tape */
static void random_sheets_as_c_give_the_bits_of_the_tape(void **state) {
    (void)state;
    enum { ROUNDS = 6 };
    fixture_random r = {.state = 81};
    char           folder[] = "/tmp/zwang-sheet-XXXXXX", path[80], command[400];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sheet.c", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    double *expected = malloc(sizeof(double) * ROUNDS * ROOTS);
    /* each round is a unit of its own, so that functions are emitted as they are needed */
    for (int round = 0; round < ROUNDS; round++) {
        fixture   f;
        zw_node   roots[ROOTS];
        zw_sheet *s;
        zw_tape  *tape;
        zw_text   file;
        zw_naming naming = {.name = without_dots};
        fixture_open(&f);
        random_roots(&f, &r, roots);
        zw_text_init(&file, f.context);
        assert_int_equal(zw_sheet_create(f.context, f.pool, roots, ROOTS, ZW_AS_C, &naming, &s), ZW_OK);
        zw_text functions;
        zw_text_init(&functions, f.context);
        zw_sheet_c_functions(s, &functions);
        zw_text_addf(&file, "#ifdef ROUND%d\n#include <math.h>\n%s", round, shown(&functions));
        add_c_body(s, round, &file);
        zw_text_add(&file, "#endif\n");
        fputs(shown(&file), out);
        assert_int_equal(zw_tape_create(f.context, f.pool, roots, ROOTS, &tape), ZW_OK);
        double *work = malloc(sizeof *work * ((size_t)zw_tape_work(tape) + 1));
        zw_tape_eval(tape, fixture_in, work, expected + (size_t)round * ROOTS);
        free(work);
        zw_text_destroy(&functions);
        zw_text_destroy(&file);
        zw_tape_destroy(tape);
        zw_sheet_destroy(s);
        fixture_close(&f);
    }
    fputs("#ifdef MAIN\n#include <stdio.h>\nint main(void) {\n    double in[14], out[40];\n", out);
    for (int i = 0; i < FIXTURE_INPUTS; i++) {
        fprintf(out, "    in[%d] = %.17g;\n", i, fixture_in[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        fprintf(out, "    void f%d(const double *, double *);\n    f%d(in, out);\n", round, round);
        fputs("    for (int i = 0; i < 40; i++) {\n        printf(\"%a\\n\", out[i]);\n    }\n", out);
    }
    fputs("    return 0;\n}\n#endif\n", out);
    assert_int_equal(fclose(out), 0);
    const char *cc = getenv("CC") ? getenv("CC") : "cc";
    for (int round = 0; round <= ROUNDS; round++) {
        char define[20];
        snprintf(define, sizeof define, round < ROUNDS ? "ROUND%d" : "MAIN", round);
        snprintf(command, sizeof command, "%s -std=c17 -O1 -ffp-contract=off -Wall -Wextra -Werror -D%s -c %s -o %s/%s.o", cc, define, path,
                 folder, define);
        assert_int_equal(system(command), 0);
    }
    snprintf(command, sizeof command, "%s %s/*.o -lm -o %s/sheet && %s/sheet > %s/bits", cc, folder, folder, folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/bits", folder);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    int finite = 0;
    for (int i = 0; i < ROUNDS * ROOTS; i++) {
        char   line[80];
        double value;
        assert_non_null(fgets(line, sizeof line, in));
        value = strtod(line, NULL);
        assert_true(value == expected[i] || (value != value && expected[i] != expected[i]));
        finite += isfinite(value) != 0;
    }
    assert_true(finite > ROUNDS * ROOTS / 4);
    fclose(in);
    free(expected);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void deep_and_wide_nodes_print_without_recursion(void **state) {
    (void)state;
    fixture f;
    fixture_open(&f);
    zw_node nest = fixture_node(&f, "x"), sum = fixture_node(&f, "y"), product = fixture_node(&f, "t");
    for (int i = 0; i < 20000; i++) {
        nest = zw_node_build(f.pool, ZW_OP_SIN, nest, 0, 0);
        sum = zw_node_add(f.pool, sum, zw_node_mul(f.pool, zw_node_constant(f.pool, i + 2.5), fixture_node(&f, i % 2 ? "x" : "t")));
        product = i < 2000 ? zw_node_mul(f.pool, product, fixture_node(&f, i % 2 ? "x" : "y")) : product;
    }
    zw_node roots[3] = {nest, sum, product};
    for (int as = ZW_AS_TEXT; as <= ZW_AS_C; as++) {
        zw_sheet *s;
        zw_text   out;
        zw_text_init(&out, f.context);
        sheet_open(&f, roots, 3, (zw_notation)as, &s);
        assert_true(zw_sheet_shared(s) > 20000 / 100);
        for (int i = 0; i < zw_sheet_shared(s); i++) {
            zw_sheet_shared_print(s, i, NULL, &out);
        }
        for (int i = 0; i < 3; i++) {
            zw_sheet_print(s, i, &out);
        }
        assert_true(strlen(shown(&out)) < 3000000);
        if (as == ZW_AS_LATEX) {
            out.n = 0;
            zw_sheet_latex_lines(s, 1, 0, 60, &out);
            assert_non_null(strstr(shown(&out), "\\\\\n&\\quad {} + "));
        }
        zw_sheet_destroy(s);
        zw_text_destroy(&out);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_greek_letters_accents_and_subscripts),
        cmocka_unit_test(latex_is_written_as_one_writes_it),
        cmocka_unit_test(c_has_constants_of_type_double_and_no_needless_brackets),
        cmocka_unit_test(what_is_used_twice_gets_a_number),
        cmocka_unit_test(numbers_do_not_clash_with_inputs),
        cmocka_unit_test(random_sheets_parse_back_to_the_same_nodes),
        cmocka_unit_test(random_sheets_as_c_give_the_bits_of_the_tape),
        cmocka_unit_test(deep_and_wide_nodes_print_without_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
