/* SPDX-License-Identifier: Apache-2.0
 * outline_c.c: the equations of every body as one C file that compiles by itself: a function with plain arrays, the order of coordinates, velocities and
 * parameters in tables and comments. The operations are those of the engine's tapes in their order. */
#include "analysis/outline.h"

#include "expr/sheet.h"

#include <string.h>

typedef struct writer {
    zw_outline       *o;
    zw_text          *out;
    zw_parameter_use *parameter;
    int               nparameters;
    const char      **name; /* [inputs of the pool] how an input is written */
    int               names;
    zw_node          *root; /* in the order of the arrays: rows of `array` */
    int               nroots;
} writer;

/* ---- names */

static bool in_list(const char *name, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* words that a local variable must not have: of the language, of what the file calls, of the function's arguments */
static bool reserved(const char *name) {
    static const char *const words[] = {
        "auto",   "break",  "case",     "char",     "const",   "continue", "default",  "do",       "double",   "else",   "enum",  "extern",
        "float",  "for",    "goto",     "if",       "inline",  "int",      "long",     "register", "restrict", "return", "short", "signed",
        "sizeof", "static", "struct",   "switch",   "typedef", "union",    "unsigned", "void",     "volatile", "while",  "asm",   "typeof",
        "q",      "v",      "t",        "par",      "M",       "force",    "A",        "D",        "K",        "rest",   "B",     "sigma",
        "sin",    "cos",    "tan",      "asin",     "acos",    "atan",     "sinh",     "cosh",     "tanh",     "asinh",  "acosh", "atanh",
        "exp",    "log",    "log10",    "sqrt",     "cbrt",    "fabs",     "floor",    "ceil",     "erf",      "pow",    "atan2", "hypot",
        "fmod",   "NAN",    "INFINITY", "HUGE_VAL", "unix",    "linux",    "i386",     "signbit",  "isnan",    "isinf",  "main",  "errno"};
    return in_list(name, words, sizeof words / sizeof words[0]) || strncmp(name, "zw_", 3) == 0 || strncmp(name, "M_", 2) == 0 ||
           strncmp(name, "FP_", 3) == 0 || strncmp(name, "MATH_", 5) == 0 || name[0] == '_';
}

static const char *name_of(void *user, int slot) {
    const writer *w = user;
    return slot < w->names ? w->name[slot] : NULL;
}

/* slot is array[i]: a local variable of that name, or the element itself where the name cannot be one */
static void give_name(writer *w, int slot, const char *name, const char *array, int i) {
    zw_outline *o = w->o;
    w->name[slot] = reserved(name) ? zw_outline_text(o, "%s[%d]", array, i) : name;
}

static zw_status give_names(writer *w) {
    zw_outline *o = w->o;
    w->names = zw_pool_inputs(o->model->pool);
    w->name = zw_arena_alloc(o->arena, (size_t)w->names, sizeof *w->name, "names of C");
    if (!w->name) {
        return ZW_E_MEMORY;
    }
    w->name[o->model->slot_t] = "t";
    for (int i = 0; i < o->def->n; i++) {
        give_name(w, o->def->slot_q[i], zw_outline_name(o, o->def->slot_q[i]), "q", i);
        give_name(w, o->def->slot_v[i], zw_outline_name(o, o->def->slot_v[i]), "v", i);
    }
    int k = 0;
    for (int i = 0; i < w->nparameters; i++) {
        if (w->parameter[i].slot >= 0) {
            give_name(w, w->parameter[i].slot, w->parameter[i].name, "par", k++);
        }
    }
    return o->status;
}

/* ---- results */

typedef struct array {
    const char    *name;
    const zw_node *node;
    int            rows, columns;
    const char    *says;
} array;

enum { ARRAYS = 4 };

static zw_status list_arrays(writer *w, array *a) {
    const zw_outline  *o = w->o;
    const zw_lagrange *y = o->y;
    if (o->macmillan) {
        const zw_macmillan *k = o->macmillan;
        int                 e = k->part.e, g = k->part.g;
        a[0] = (array){"K", k->K, e, e, "matrix of the independent accelerations in equation (13): K a = rest"};
        a[1] = (array){"rest", k->rest, e, 1, "everything else"};
        a[2] = (array){"B", k->B, g, e, "dependent accelerations: a_b = sum_s B[b][s] a_s + sigma[b]"};
        a[3] = (array){"sigma", k->sigma, g, 1, ""};
        return ZW_OK;
    }
    zw_node *force = zw_arena_alloc(o->arena, (size_t)y->n, sizeof *force, "forces");
    if (!force) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < y->n; i++) {
        force[i] = zw_node_sub(o->model->pool, y->F[i], y->c[i]);
        if (!force[i]) {
            return ZW_E_MEMORY;
        }
    }
    a[0] = (array){"M", y->M, y->n, y->n, "mass matrix, row by row"};
    a[1] = (array){"force", force, y->n, 1, "F - c: M a = force + A' lambda"};
    a[2] = (array){"A", y->A, y->m, y->n, "A = df/d(velocity), row by row, f = left - right as written"};
    a[3] = (array){"D", y->D, y->m, 1, "A a + D = 0"};
    return ZW_OK;
}

static zw_status collect_roots(writer *w, const array *a) {
    int n = 0;
    for (int k = 0; k < ARRAYS; k++) {
        w->nroots += a[k].rows * a[k].columns;
    }
    w->root = zw_arena_alloc(w->o->arena, (size_t)w->nroots, sizeof *w->root, "roots of C");
    if (!w->root) {
        return ZW_E_MEMORY;
    }
    for (int k = 0; k < ARRAYS; k++) {
        for (int i = 0; i < a[k].rows * a[k].columns; i++) {
            w->root[n++] = a[k].node[i];
        }
    }
    return ZW_OK;
}

/* ---- text */

static const char *function_name(const writer *w) {
    return w->o->macmillan ? "macmillan" : "equations";
}

static void write_list(writer *w, const char *what, const char *const *name, const int *index, int n, const char *suffix) {
    zw_text_addf(w->out, " *   %-6s", what);
    for (int i = 0; i < n; i++) {
        zw_text_addf(w->out, "%s %s%s", i ? "," : "", name[index ? index[i] : i], suffix);
    }
    zw_text_add(w->out, "\n");
}

static void comment_words(zw_text *out, const char *s) { /* nothing that ends the comment */
    for (; *s; s++) {
        zw_text_add_n(out, s, 1);
        if (s[0] == '*' && s[1] == '/') {
            zw_text_add(out, " ");
        }
    }
}

static void write_head(writer *w, const array *a) {
    const zw_outline *o = w->o;
    zw_text          *out = w->out;
    zw_text_addf(out, "/* body %s", o->body);
    zw_text_addf(out, ": %s\n", o->form == ZW_FORM_MACMILLAN ? "Mac-Millan's reduced equations" : "M a = force + A' lambda, A a + D = 0");
    write_list(w, "q", o->def->coordinate, NULL, o->def->n, "");
    write_list(w, "v", o->def->coordinate, NULL, o->def->n, "dot");
    int k = 0;
    for (int i = 0; i < w->nparameters; i++) {
        if (w->parameter[i].slot >= 0) {
            zw_text_addf(out, " *   par[%d] = %s, ", k++, w->parameter[i].name);
            zw_text_number(out, w->parameter[i].value);
            zw_text_add(out, " in the model\n");
        } else {
            zw_text_addf(out, " *   %s = ", w->parameter[i].name);
            comment_words(out, w->parameter[i].definition);
            zw_text_add(out, " is substituted\n");
        }
    }
    if (o->macmillan) {
        const zw_partition *part = &o->macmillan->part;
        write_list(w, "s", o->def->coordinate, part->independent, part->e, "dot, independent");
        write_list(w, "b", o->def->coordinate, part->dependent, part->g, "dot, dependent");
    }
    for (int b = 0; b < o->y->m; b++) {
        zw_text_addf(out, " *   row %d, %s: ", b, o->def->row[b].name);
        comment_words(out, o->def->row[b].text ? o->def->row[b].text : "");
        zw_text_add(out, o->y->holonomic[b] ? " (holonomic)\n" : "\n");
    }
    for (int i = 0; i < ARRAYS; i++) {
        if (a[i].columns > 1 || a[i].node == NULL || a[i].rows * a[i].columns == 0) {
            zw_text_addf(out, " *   %s[%d][%d]: %s\n", a[i].name, a[i].rows, a[i].columns, a[i].says);
        } else {
            zw_text_addf(out, " *   %s[%d]%s%s\n", a[i].name, a[i].rows, a[i].says[0] ? ": " : "", a[i].says);
        }
    }
    zw_text_add(out, " * v must satisfy the constraints where that matters: dependent velocities are read from it. */\n");
}

static void write_tables(writer *w) {
    const zw_outline *o = w->o;
    zw_text          *out = w->out;
    int               n = 0;
    zw_text_addf(out, "enum { %s_coordinates = %d, %s_rows = %d", o->body, o->def->n, o->body, o->y->m);
    if (o->macmillan) {
        zw_text_addf(out, ", %s_independent = %d, %s_dependent = %d", o->body, o->macmillan->part.e, o->body, o->macmillan->part.g);
    }
    zw_text_addf(out, " };\nconst char *const %s_coordinate_name[] = {", o->body);
    for (int i = 0; i < o->def->n; i++) {
        zw_text_addf(out, "%s\"%s\"", i ? ", " : "", o->def->coordinate[i]);
    }
    zw_text_addf(out, "};\nconst char *const %s_parameter_name[] = {", o->body);
    for (int i = 0; i < w->nparameters; i++) {
        if (w->parameter[i].slot >= 0) {
            zw_text_addf(out, "\"%s\", ", w->parameter[i].name);
        }
    }
    zw_text_addf(out, "0};\nconst double %s_parameter_value[] = {", o->body);
    for (int i = 0; i < w->nparameters; i++) {
        if (w->parameter[i].slot >= 0) {
            zw_text_add(out, n++ ? ", " : "");
            zw_c_number(out, w->parameter[i].value);
        }
    }
    zw_text_add(out, n ? "};\n\n" : "0.0};\n\n");
}

static bool used(const writer *w, int slot) {
    for (int i = 0; i < w->nroots; i++) {
        if (zw_node_depends(w->o->model->pool, w->root[i], slot)) {
            return true;
        }
    }
    return false;
}

static bool write_local(writer *w, int slot, const char *from, int i) {
    bool is = used(w, slot);
    if (is && !strchr(w->name[slot], '[')) {
        zw_text_addf(w->out, "    const double %s = %s[%d];\n", w->name[slot], from, i);
    }
    return is;
}

static void write_locals(writer *w) {
    const zw_outline *o = w->o;
    bool              q = false, v = false, par = false;
    int               k = 0;
    for (int i = 0; i < o->def->n; i++) {
        q |= write_local(w, o->def->slot_q[i], "q", i);
    }
    for (int i = 0; i < o->def->n; i++) {
        v |= write_local(w, o->def->slot_v[i], "v", i);
    }
    for (int i = 0; i < w->nparameters; i++) {
        if (w->parameter[i].slot >= 0) {
            par |= write_local(w, w->parameter[i].slot, "par", k++);
        }
    }
    zw_text_addf(w->out, "%s%s%s%s", q ? "" : "    (void)q;\n", v ? "" : "    (void)v;\n",
                 used(w, o->model->slot_t) ? "" : "    (void)t;\n", par ? "" : "    (void)par;\n");
}

static zw_status write_body(writer *w, const array *a) {
    const zw_outline *o = w->o;
    zw_text          *out = w->out;
    zw_naming         naming = {.name = name_of, .user = w};
    zw_sheet         *s;
    int               root = 0;
    ZW_TRY(zw_sheet_create(o->model->context, o->model->pool, w->root, w->nroots, ZW_AS_C, &naming, &s));
    for (int pass = 0; pass < 2; pass++) { /* declared, then defined */
        zw_text_addf(
            out,
            "void %s_%s(const double *q, const double *v, double t, const double *par, double *%s, double *%s, double *%s, double *%s)%s",
            o->body, function_name(w), a[0].name, a[1].name, a[2].name, a[3].name, pass ? " {\n" : ";\n");
    }
    write_locals(w);
    for (int i = 0; i < zw_sheet_shared(s); i++) {
        zw_text_add(out, "    const double ");
        zw_sheet_shared_print(s, i, out, NULL);
        zw_text_add(out, " = ");
        zw_sheet_shared_print(s, i, NULL, out);
        zw_text_add(out, ";\n");
    }
    for (int k = 0; k < ARRAYS; k++) {
        int count = a[k].rows * a[k].columns;
        for (int i = 0; i < count; i++) {
            zw_text_addf(out, "    %s[%d] = ", a[k].name, i);
            zw_sheet_print(s, root++, out);
            zw_text_add(out, ";\n");
        }
        if (count == 0) {
            zw_text_addf(out, "    (void)%s;\n", a[k].name);
        }
    }
    zw_text_add(out, "}\n");
    zw_sheet_destroy(s);
    return ZW_OK;
}

/* what all functions of the file call, once */
static zw_status write_functions(writer *w, int n, const zw_outline *o, zw_text *out) {
    int       count = 0, at = 0;
    zw_sheet *s;
    for (int i = 0; i < n; i++) {
        count += w[i].nroots;
    }
    zw_node *roots = zw_arena_alloc(o->arena, (size_t)count, sizeof *roots, "roots of C");
    if (!roots) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < w[i].nroots; k++) {
            roots[at++] = w[i].root[k];
        }
    }
    ZW_TRY(zw_sheet_create(o->model->context, o->model->pool, roots, count, ZW_AS_C, NULL, &s));
    zw_sheet_c_functions(s, out);
    zw_sheet_destroy(s);
    return ZW_OK;
}

zw_status zw_outlines_print_c(zw_outline *o, int n, zw_text *out) {
    writer *w = zw_arena_alloc(o->arena, (size_t)n, sizeof *w, "writers of C");
    array(*arrays)[ARRAYS] = zw_arena_alloc(o->arena, (size_t)n, sizeof *arrays, "arrays of C");
    if (!w || !arrays) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        w[i] = (writer){.o = &o[i], .out = out};
        ZW_TRY(o[i].status);
        ZW_TRY(zw_outline_parameters(&o[i], &w[i].parameter, &w[i].nparameters));
        ZW_TRY(list_arrays(&w[i], arrays[i]));
        ZW_TRY(collect_roots(&w[i], arrays[i]));
        ZW_TRY(give_names(&w[i]));
    }
    zw_text_add(out, "/* ");
    comment_words(out, o->model->title && o->model->title[0] ? o->model->title : "equations of motion");
    zw_text_addf(out, ", written by zwang %s. C17; needs the mathematics library. */\n#include <math.h>\n\n", zw_version());
    zw_text_add(
        out,
        "#ifdef __clang__ /* gcc needs no word in -std=c17, and -ffp-contract=off otherwise */\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n");
    ZW_TRY(write_functions(w, n, o, out));
    for (int i = 0; i < n; i++) {
        zw_text_add(out, i ? "\n" : "");
        write_head(&w[i], arrays[i]);
        write_tables(&w[i]);
        ZW_TRY(write_body(&w[i], arrays[i]));
    }
    return zw_text_status(out);
}
