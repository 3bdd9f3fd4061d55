/* SPDX-License-Identifier: Apache-2.0
 * outline.c: what is said and which equations are given in each of the three forms. */
#include "analysis/outline.h"

#include "expr/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void zw_outline_add(zw_outline *o, zw_line line) {
    if (o->status != ZW_OK) {
        return;
    }
    if (line.kind == ZW_LINE_EQUATION && !line.right) {
        o->status = ZW_E_MEMORY;
        return;
    }
    if (o->n == o->room) {
        int      room = o->room ? 2 * o->room : 64;
        zw_line *bigger = zw_arena_alloc(o->arena, (size_t)room, sizeof *bigger, "lines of equations");
        if (!bigger) {
            o->status = ZW_E_MEMORY;
            return;
        }
        if (o->n > 0) {
            memcpy(bigger, o->line, (size_t)o->n * sizeof *bigger);
        }
        o->line = bigger;
        o->room = room;
    }
    o->line[o->n++] = line;
}

static const char *format(zw_outline *o, const char *fmt, va_list args) {
    va_list again;
    va_copy(again, args);
    int   n = vsnprintf(NULL, 0, fmt, again);
    char *text = n < 0 ? NULL : zw_arena_alloc(o->arena, (size_t)n + 1, 1, "words of equations");
    va_end(again);
    if (!text) {
        o->status = ZW_E_MEMORY;
        return "";
    }
    vsnprintf(text, (size_t)n + 1, fmt, args);
    return text;
}

const char *zw_outline_text(zw_outline *o, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = format(o, fmt, args);
    va_end(args);
    return text;
}

const char *zw_outline_latex_name(zw_outline *o, const char *fmt, ...) {
    zw_text t;
    va_list args;
    va_start(args, fmt);
    const char *name = format(o, fmt, args), *kept = NULL;
    va_end(args);
    zw_text_init(&t, o->model->context);
    zw_latex_name(name, &t);
    if (zw_text_status(&t) == ZW_OK) {
        kept = zw_arena_strdup(o->arena, t.s);
    }
    zw_text_destroy(&t);
    if (!kept) {
        o->status = ZW_E_MEMORY;
        return "";
    }
    return kept;
}

void zw_outline_heading(zw_outline *o, const char *latex, const char *words) {
    zw_outline_add(o, (zw_line){.kind = ZW_LINE_HEADING, .words = words, .latex = latex});
}

void zw_outline_note(zw_outline *o, const char *latex, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    zw_outline_add(o, (zw_line){.kind = ZW_LINE_NOTE, .words = format(o, fmt, args), .latex = latex});
    va_end(args);
}

zw_node zw_outline_multiplier(zw_outline *o, int row) {
    const char *name = zw_outline_text(o, "%s.lambda_%s", o->body, o->def->row[row].name);
    int         slot = o->status == ZW_OK ? zw_pool_input(o->model->pool, name) : -1;
    return slot < 0 ? 0 : zw_node_input(o->model->pool, slot);
}

const char *zw_outline_name(void *user, int slot) {
    const zw_outline *o = user;
    const char       *name = zw_pool_input_name(o->model->pool, slot);
    size_t            n = strlen(o->body);
    return strncmp(name, o->body, n) == 0 && name[n] == '.' ? name + n + 1 : NULL;
}

/* ---- pieces of all forms */

static const char *q_name(zw_outline *o, int i) {
    return zw_outline_latex_name(o, "%s", o->def->coordinate[i]);
}

static zw_node acceleration(zw_outline *o, int i) {
    int slot;
    if (o->status == ZW_OK) {
        o->status = zw_acceleration_input(o->model->pool, o->body, o->def->coordinate[i], &slot);
    }
    return o->status == ZW_OK ? zw_node_input(o->model->pool, slot) : 0;
}

static bool begins_negative(const zw_pool *p, zw_node n) {
    double value;
    int    op = p->dag.node[n].op;
    return op == ZW_OP_NEG || (zw_node_is_constant(p, op == ZW_OP_MUL ? p->dag.node[n].a : n, &value) && value < 0.0);
}

/* sum_i factor[i stride] x_i + rest; the rest comes first where it is a sum itself, which saves its brackets */
static zw_node weighted_sum(zw_outline *o, const zw_node *factor, int stride, int n, zw_node (*x)(zw_outline *, int), zw_node rest) {
    zw_pool *p = o->model->pool;
    bool     first = rest && (p->dag.node[rest].op == ZW_OP_ADD || p->dag.node[rest].op == ZW_OP_SUB);
    zw_node  sum = first ? rest : zw_node_constant(p, 0.0);
    for (int i = 0; i < n; i++) {
        zw_node f = factor[i * stride];
        sum = begins_negative(p, f) ? zw_node_sub(p, sum, zw_node_mul(p, zw_node_neg(p, f), x(o, i)))
                                    : zw_node_add(p, sum, zw_node_mul(p, f, x(o, i)));
    }
    return first ? sum : zw_node_add(p, sum, rest);
}

/* NAME: KIND, as written: TEXT */
static const char *written_as(zw_outline *o, const char *name, const char *kind, const char *text) {
    zw_text     t;
    const char *kept = NULL;
    zw_text_init(&t, o->model->context);
    zw_text_add(&t, "\\texttt{");
    zw_latex_words(name, &t);
    zw_text_addf(&t, "}: %s, as written: \\texttt{", kind);
    zw_latex_words(text, &t);
    zw_text_add(&t, "}");
    if (zw_text_status(&t) == ZW_OK) {
        kept = zw_arena_strdup(o->arena, t.s);
    }
    zw_text_destroy(&t);
    o->status = kept ? o->status : ZW_E_MEMORY;
    return kept ? kept : "";
}

static void add_constraints(zw_outline *o, bool differentiated) {
    zw_pool *p = o->model->pool;
    if (o->y->m == 0) {
        return;
    }
    zw_outline_heading(o, NULL, "constraints");
    for (int b = 0; b < o->y->m; b++) {
        const char *name = o->def->row[b].name, *text = o->def->row[b].text ? o->def->row[b].text : "";
        const char *kind = o->y->holonomic[b] ? "holonomic, g = left - right" : "nonholonomic, f = left - right";
        zw_outline_note(o, written_as(o, name, kind, text), "%s: %s, as written: %s", name, kind, text);
        zw_outline_add(
            o, (zw_line){.kind = ZW_LINE_EQUATION, .words = name, .latex = "", .left = o->y->value[b], .right = zw_node_constant(p, 0.0)});
    }
    if (!differentiated) {
        return;
    }
    zw_outline_heading(o, "Constraints, differentiated by time: $A a + D = 0$", "constraints, differentiated by time: A a + D = 0");
    for (int b = 0; b < o->y->m; b++) {
        zw_node sum = weighted_sum(o, o->y->A + b * o->y->n, 1, o->y->n, acceleration, o->y->D[b]);
        zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                    .words = zw_outline_text(o, "%s, differentiated", o->def->row[b].name),
                                    .latex = "",
                                    .left = sum,
                                    .right = zw_node_constant(p, 0.0)});
    }
}

static void add_matrix(zw_outline *o, const char *symbol, const zw_node *entry, bool symmetric, int rows, const char *const *row_name) {
    int    n = o->y->n;
    double value;
    for (int i = 0; i < rows; i++) {
        for (int j = symmetric ? i : 0; j < n; j++) {
            if (zw_node_is_constant(o->model->pool, entry[i * n + j], &value) && value == 0.0) {
                continue;
            }
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = zw_outline_text(o, "%s[%s,%s]", symbol, row_name[i], o->def->coordinate[j]),
                                        .latex = zw_outline_text(o, "%s_{%s,\\,%s}", symbol, zw_outline_latex_name(o, "%s", row_name[i]),
                                                                 q_name(o, j)),
                                        .right = entry[i * n + j]});
        }
    }
}

/* ---- multiplier */

void zw_outline_multiplier_form(zw_outline *o) {
    int n = o->y->n;
    zw_outline_heading(o, NULL, "multiplier form (Lagrange, Chetaev)");
    zw_outline_note(
        o,
        "Convention: $M a + c = F + A^{\\mathsf T} \\lambda$ with $A = \\partial f/\\partial\\dot q$; $\\lambda_b$ is the generalised force per "
        "unit of the gradient of $f_b$ = left $-$ right as written.",
        "convention: M a + c = F + A' lambda, A = df/d(velocity); lambda_b is the generalised force per unit of the gradient of f_b = "
        "left - right as written");
    zw_outline_heading(o, NULL, "equations of motion");
    for (int i = 0; i < n; i++) {
        zw_node left = weighted_sum(o, o->y->M + i * n, 1, n, acceleration, o->y->c[i]);
        zw_node right = weighted_sum(o, o->y->A + i, n, o->y->m, zw_outline_multiplier, o->y->F[i]);
        zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION, .words = o->def->coordinate[i], .latex = "", .left = left, .right = right});
    }
    add_constraints(o, true);
}

/* ---- gauss */

void zw_outline_gauss_form(zw_outline *o) {
    zw_pool     *p = o->model->pool;
    const char **row = zw_arena_alloc(o->arena, (size_t)o->y->m, sizeof *row, "names of rows");
    if (!row) {
        o->status = ZW_E_MEMORY;
        return;
    }
    for (int b = 0; b < o->y->m; b++) {
        row[b] = o->def->row[b].name;
    }
    zw_outline_heading(o, NULL, "Gauss form: least constraint (kleinster Zwang)");
    zw_outline_note(
        o,
        "Among all accelerations $a$ with $A a + D = 0$ the true ones make the Zwang $Z = \\frac12 (a - a_0)^{\\mathsf T} M (a - a_0)$ least; "
        "$a_0$ are those of the free system, $M a_0 = F - c$. Convention: $A = \\partial f/\\partial\\dot q$, $f$ = left $-$ right as written; "
        "the reactions are $M (a - a_0) = A^{\\mathsf T} \\lambda$.",
        "among all accelerations a with A a + D = 0 the true ones make the Zwang Z = 1/2 (a - a_free)' M (a - a_free) least; a_free are those "
        "of the free system, M a_free = force = F - c");
    zw_outline_note(o, "", "convention: A = df/d(velocity), f = left - right as written; the reactions are M (a - a_free) = A' lambda");
    zw_outline_heading(o, "Mass matrix $M$ (symmetric; entries not listed are 0)", "mass matrix M (symmetric; entries not listed are 0)");
    add_matrix(o, "M", o->y->M, true, o->y->n, o->def->coordinate);
    zw_outline_heading(o, "Force $F - c$", "force = F - c");
    for (int i = 0; i < o->y->n; i++) {
        zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                    .words = zw_outline_text(o, "force[%s]", o->def->coordinate[i]),
                                    .latex = zw_outline_text(o, "(F - c)_{%s}", q_name(o, i)),
                                    .right = zw_node_sub(p, o->y->F[i], o->y->c[i])});
    }
    if (o->y->m > 0) {
        zw_outline_heading(o, "Rows $A a + D = 0$ (entries not listed are 0)", "rows A a + D = 0 (entries not listed are 0)");
        add_matrix(o, "A", o->y->A, false, o->y->m, row);
        for (int b = 0; b < o->y->m; b++) {
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = zw_outline_text(o, "D[%s]", row[b]),
                                        .latex = zw_outline_text(o, "D_{%s}", zw_outline_latex_name(o, "%s", row[b])),
                                        .right = o->y->D[b]});
        }
    }
    add_constraints(o, false);
}

/* ---- macmillan */

static const char *list_names(zw_outline *o, const int *index, int n, bool latex) {
    const char *list = n > 0 ? "" : "none";
    for (int i = 0; i < n; i++) {
        const char *name = o->def->coordinate[index[i]];
        list = latex ? zw_outline_text(o, "%s%s$%s$", list, i ? ", " : "", zw_outline_latex_name(o, "%sdot", name))
                     : zw_outline_text(o, "%s%s%sdot", list, i ? ", " : "", name);
    }
    return list;
}

static void add_partition(zw_outline *o, bool pivoted, const char *where) {
    const zw_partition *part = &o->macmillan->part;
    const char         *how = pivoted ? "chosen by pivoting at" : "as asked for; pivots taken at";
    zw_outline_note(o, zw_outline_text(o, "Independent velocities: %s.", list_names(o, part->independent, part->e, true)),
                    "independent velocities: %s", list_names(o, part->independent, part->e, false));
    zw_outline_note(o, zw_outline_text(o, "Dependent velocities: %s, %s %s.", list_names(o, part->dependent, part->g, true), how, where),
                    "dependent velocities: %s, %s %s", list_names(o, part->dependent, part->g, false), how, where);
    for (int b = 0; b < o->y->m; b++) {
        if (o->y->holonomic[b]) {
            zw_outline_note(o, NULL, "%s is holonomic: its form at velocity level, dg/dt = 0, is used", o->def->row[b].name);
        }
    }
    for (int i = 0; i < part->nredundant; i++) {
        zw_outline_note(o, NULL, "%s follows from the other constraints there and takes no part", o->def->row[part->redundant[i]].name);
    }
}

static void add_solved(zw_outline *o) {
    const zw_macmillan *k = o->macmillan;
    const zw_partition *part = &k->part;
    zw_pool            *p = o->model->pool;
    zw_outline_heading(o, NULL, "the constraints, solved");
    for (int b = 0; b < part->g; b++) {
        const char *name = o->def->coordinate[part->dependent[b]];
        if (k->phi[b]) {
            zw_outline_note(o, "", "%sdot = phi[%s]", name, name);
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = zw_outline_text(o, "phi[%s]", name),
                                        .latex = zw_outline_text(o, "%s = \\varphi_{%s}", zw_outline_latex_name(o, "%sdot", name),
                                                                 q_name(o, part->dependent[b])),
                                        .right = k->phi[b]});
        } else {
            const char *row = o->def->row[part->row[b]].name;
            zw_outline_note(o,
                            zw_outline_text(o, "$%s$ from the constraint $%s$, which is not linear in the dependent velocities:",
                                            zw_outline_latex_name(o, "%sdot", name), zw_outline_latex_name(o, "%s", row)),
                            "%sdot from the constraint %s, which is not linear in the dependent velocities", name, row);
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = row,
                                        .latex = "",
                                        .left = o->y->first[part->row[b]],
                                        .right = zw_node_constant(p, 0.0)});
        }
    }
    zw_outline_heading(o, "Their derivatives, by implicit differentiation: $B_{b,\\,s} = \\partial\\varphi_b/\\partial\\dot q_s$",
                       "their derivatives, by implicit differentiation: B[b,s] = dphi_b/d(velocity s), phi_q[b,s] = dphi_b/dq_s");
    for (int b = 0; b < part->g; b++) {
        for (int s = 0; s < part->e; s++) {
            int d = part->dependent[b], i = part->independent[s];
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = zw_outline_text(o, "B[%s,%s]", o->def->coordinate[d], o->def->coordinate[i]),
                                        .latex = zw_outline_text(o, "B_{%s,\\,%s}", q_name(o, d), q_name(o, i)),
                                        .right = k->B[b * part->e + s]});
        }
        for (int s = 0; s < part->e; s++) {
            int d = part->dependent[b], i = part->independent[s];
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = zw_outline_text(o, "phi_q[%s,%s]", o->def->coordinate[d], o->def->coordinate[i]),
                                        .latex = zw_outline_text(o, "\\partial\\varphi_{%s}/\\partial %s", q_name(o, d), q_name(o, i)),
                                        .right = k->phi_q[b * part->n + i]});
        }
    }
}

void zw_outline_macmillan_form(zw_outline *o, bool pivoted, const char *where) {
    const zw_macmillan *k = o->macmillan;
    const zw_partition *part = &k->part;
    zw_outline_heading(o, NULL, "Mac-Millan form: equation (13), written with the kinetic energy");
    add_partition(o, pivoted, where);
    zw_outline_note(
        o,
        "For every independent index $s$, with $b$ running over the dependent ones, $p = \\partial T/\\partial\\dot q$, a tilde for the "
        "substitution of the dependent velocities and $B_{bs} = \\partial\\varphi_b/\\partial\\dot q_s$:\n"
        "\\[ \\frac{d}{dt}\\frac{\\partial\\tilde T}{\\partial\\dot q_s} - \\frac{\\partial\\tilde T}{\\partial q_s} = \\tilde Q_s + \\sum_b "
        "\\widetilde{\\frac{\\partial T}{\\partial q_b}} B_{bs} + \\sum_b \\tilde p_b \\Bigl(\\dot B_{bs} - \\frac{\\partial\\varphi_b}{\\partial "
        "q_s}\\Bigr), \\qquad \\tilde Q_s = Q_s + \\sum_b Q_b B_{bs}. \\]",
        "left[s] = force[s] + carried[s] + turning[s] for every independent s, where b runs over the dependent coordinates, p = dT/d(velocity) "
        "and ~ means: dependent velocities substituted");
    zw_outline_note(o, "", "  left[s]    = d/dt dT~/d(velocity s) - dT~/dq_s");
    zw_outline_note(o, "", "  force[s]   = Q~_s = Q_s + sum_b Q_b B[b,s]; Q are all given forces, -dV/dq and -dR/d(velocity) among them");
    zw_outline_note(o, "", "  carried[s] = sum_b (dT/dq_b)~ B[b,s]");
    zw_outline_note(o, "", "  turning[s] = sum_b p_b~ (dB[b,s]/dt - phi_q[b,s])");
    zw_outline_note(o, "Dependent velocities and accelerations stand for what the constraints make of them.",
                    "dependent velocities and accelerations stand for what the constraints make of them");
    for (int s = 0; s < part->e; s++) {
        int         i = part->independent[s];
        const char *name = o->def->coordinate[i], *q = q_name(o, i), *v = zw_outline_latex_name(o, "%sdot", name);
        const struct {
            const char *words, *latex;
            zw_node     node;
        } side[] = {
            {"left",
             zw_outline_text(o, "\\frac{d}{dt}\\frac{\\partial\\tilde T}{\\partial %s} - \\frac{\\partial\\tilde T}{\\partial %s}", v, q),
             k->left[s]},
            {"force", zw_outline_text(o, "\\tilde Q_{%s}", q), k->force[s]},
            {"carried", zw_outline_text(o, "\\sum_b \\widetilde{\\frac{\\partial T}{\\partial q_b}} B_{b,\\,%s}", q), k->carried[s]},
            {"turning",
             zw_outline_text(o, "\\sum_b \\tilde p_b \\Bigl(\\dot B_{b,\\,%s} - \\frac{\\partial\\varphi_b}{\\partial %s}\\Bigr)", q, q),
             k->turning[s]}};
        zw_outline_heading(o, zw_outline_text(o, "Equation for $%s$", q), zw_outline_text(o, "equation for %s", name));
        for (size_t j = 0; j < sizeof side / sizeof side[0]; j++) {
            zw_outline_add(o, (zw_line){.kind = ZW_LINE_EQUATION,
                                        .words = zw_outline_text(o, "%s[%s]", side[j].words, name),
                                        .latex = side[j].latex,
                                        .right = side[j].node});
        }
    }
    if (part->g > 0) {
        add_solved(o);
    }
}
