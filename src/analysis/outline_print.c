/* SPDX-License-Identifier: Apache-2.0
 * outline_print.c: an outline as text and as LaTeX.
 *
 * Text: "# " begins what is said; everything else is NAME = EXPRESSION (numbered parts first, each by earlier ones), or LABEL: LEFT = RIGHT. The expressions are
 * those of model files. LaTeX: the equations first, then "where" with the numbered parts; long sums break before a sign. */
#include "analysis/outline.h"

#include "expr/sheet.h"

#include <string.h>

enum { LINE_WIDTH = 78 };

zw_status zw_outline_roots(zw_outline *o, zw_node **roots, int *n) {
    zw_node *list = zw_arena_alloc(o->arena, 2 * (size_t)o->n, sizeof *list, "sides of equations");
    *n = 0;
    *roots = list;
    if (!list) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < o->n; i++) {
        if (o->line[i].kind == ZW_LINE_EQUATION) {
            if (o->line[i].left) {
                list[(*n)++] = o->line[i].left;
            }
            list[(*n)++] = o->line[i].right;
        }
    }
    return ZW_OK;
}

static zw_status open_sheet(zw_outline *o, zw_notation as, zw_sheet **s) {
    zw_naming naming = {.name = zw_outline_name, .user = o};
    zw_node  *roots;
    int       n;
    ZW_TRY(zw_outline_roots(o, &roots, &n));
    return zw_sheet_create(o->model->context, o->model->pool, roots, n, as, &naming, s);
}

/* ---- text */

static void say(zw_text *out, const char *words) {
    zw_text_addf(out, "# %s\n", words);
}

static zw_status say_parameters(const zw_outline *o, zw_text *out) {
    zw_parameter_use *list;
    int               n, plain = 0;
    ZW_TRY(zw_outline_parameters(o, &list, &n));
    for (int i = 0; i < n; i++) {
        if (!list[i].definition) {
            zw_text_addf(out, "%s%s = ", plain++ ? ", " : "# parameters: ", list[i].name);
            zw_text_number(out, list[i].value);
        }
    }
    zw_text_add(out, plain ? "\n" : "");
    for (int i = 0; i < n; i++) {
        if (list[i].definition) {
            zw_text_addf(out, "# substituted: %s = %s = ", list[i].name, list[i].definition);
            zw_text_number(out, list[i].value);
            zw_text_add(out, "\n");
        }
    }
    return ZW_OK;
}

zw_status zw_outline_print_text(zw_outline *o, zw_text *out) {
    zw_sheet *s;
    int       root = 0;
    ZW_TRY(o->status);
    ZW_TRY(open_sheet(o, ZW_AS_TEXT, &s));
    if (o->model->title && o->model->title[0]) {
        say(out, o->model->title);
    }
    zw_text_addf(out, "# body %s; coordinates", o->body);
    for (int i = 0; i < o->def->n; i++) {
        zw_text_addf(out, "%s %s", i ? "," : "", o->def->coordinate[i]);
    }
    zw_text_add(out, "; NAMEdot and NAMEddot are velocity and acceleration\n");
    zw_status status = say_parameters(o, out);
    if (zw_sheet_shared(s) > 0) {
        zw_text_add(out, "\n# numbered parts\n");
    }
    for (int i = 0; i < zw_sheet_shared(s); i++) {
        zw_sheet_shared_print(s, i, out, NULL);
        zw_text_add(out, " = ");
        zw_sheet_shared_print(s, i, NULL, out);
        zw_text_add(out, "\n");
    }
    for (int i = 0; i < o->n; i++) {
        const zw_line *line = &o->line[i];
        switch (line->kind) {
        case ZW_LINE_HEADING:
            zw_text_add(out, "\n");
            say(out, line->words);
            break;
        case ZW_LINE_NOTE: say(out, line->words); break;
        case ZW_LINE_EQUATION:
            zw_text_add(out, line->words);
            if (line->left) {
                zw_text_add(out, ": ");
                zw_sheet_print(s, root++, out);
            }
            zw_text_add(out, " = ");
            zw_sheet_print(s, root++, out);
            zw_text_add(out, "\n");
            break;
        }
    }
    zw_sheet_destroy(s);
    return status == ZW_OK ? zw_text_status(out) : status;
}

/* ---- LaTeX */

static zw_status latex_parameters(const zw_outline *o, zw_text *out) {
    zw_parameter_use *list;
    int               n, plain = 0, derived = 0;
    ZW_TRY(zw_outline_parameters(o, &list, &n));
    for (int i = 0; i < n; i++) {
        if (!list[i].definition) {
            zw_text_add(out, plain++ ? ", " : "\\noindent Parameters: ");
            zw_text_add(out, "$");
            zw_latex_name(list[i].name, out);
            zw_text_add(out, " = ");
            zw_latex_number(out, list[i].value);
            zw_text_add(out, "$");
        }
    }
    zw_text_add(out, plain ? ".\n\n" : "");
    for (int i = 0; i < n; i++) {
        if (list[i].definition) {
            zw_text_add(out, derived++ ? ", " : "\\noindent Substituted: ");
            zw_text_add(out, "$");
            zw_latex_name(list[i].name, out);
            zw_text_add(out, "$ = \\texttt{");
            zw_latex_words(list[i].definition, out);
            zw_text_add(out, "} = $");
            zw_latex_number(out, list[i].value);
            zw_text_add(out, "$");
        }
    }
    zw_text_add(out, derived ? ".\n\n" : "");
    return ZW_OK;
}

typedef struct display { /* an align* environment that is open or not */
    zw_text *out;
    bool     open;
} display;

static void next_row(display *d) {
    zw_text_add(d->out, d->open ? " \\\\\n& " : "\\begin{align*}\n& ");
    d->open = true;
}

static void close_display(display *d) {
    if (d->open) {
        zw_text_add(d->out, "\n\\end{align*}\n");
    }
    d->open = false;
}

/* how wide the last line of what was added since `start` is */
static int last_width(const zw_text *out, size_t start) {
    const char *s = out->s ? out->s + start : "", *line;
    while ((line = strstr(s, "\\\\\n&")) != NULL) {
        s = line + 4;
    }
    return zw_latex_width(s);
}

static void latex_equation(const zw_sheet *s, const zw_line *line, int *root, display *d) {
    zw_text *out = d->out;
    next_row(d);
    size_t start = out->n;
    if (line->left) {
        zw_sheet_latex_lines(s, (*root)++, 0, LINE_WIDTH, out);
    } else {
        zw_text_add(out, line->latex ? line->latex : "");
    }
    int used = last_width(out, start);
    if (used > LINE_WIDTH / 2) {
        zw_text_add(out, " \\\\\n&\\quad {}");
        used = 4;
    }
    zw_text_add(out, " = ");
    zw_sheet_latex_lines(s, (*root)++, used + 2, LINE_WIDTH, out);
}

static void latex_shared(const zw_sheet *s, display *d) {
    if (zw_sheet_shared(s) == 0) {
        return;
    }
    close_display(d);
    zw_text_add(d->out, "\\paragraph{Where}\n");
    for (int i = 0; i < zw_sheet_shared(s); i++) {
        next_row(d);
        size_t start = d->out->n;
        zw_sheet_shared_print(s, i, d->out, NULL);
        zw_text_add(d->out, " = ");
        zw_sheet_latex_shared_lines(s, i, last_width(d->out, start), LINE_WIDTH, d->out);
    }
    close_display(d);
}

static void latex_words(const zw_line *line, zw_text *out) {
    if (line->latex) {
        zw_text_add(out, line->latex);
        return;
    }
    size_t start = out->n;
    zw_latex_words(line->words, out);
    if (!out->failed && out->s && out->s[start] >= 'a' && out->s[start] <= 'z' && line->kind == ZW_LINE_HEADING) {
        out->s[start] = (char)(out->s[start] - 'a' + 'A');
    }
    zw_text_add(out, line->kind == ZW_LINE_NOTE ? "." : "");
}

zw_status zw_outline_print_latex(zw_outline *o, zw_text *out) {
    zw_sheet *s;
    int       root = 0;
    display   d = {.out = out};
    ZW_TRY(o->status);
    ZW_TRY(open_sheet(o, ZW_AS_LATEX, &s));
    zw_text_add(out, "\\section*{");
    zw_latex_words(o->model->title && o->model->title[0] ? o->model->title : o->body, out);
    zw_text_add(out, "}\n\\noindent Body \\texttt{");
    zw_latex_words(o->body, out);
    zw_text_add(out, "}, coordinates $");
    for (int i = 0; i < o->def->n; i++) {
        zw_text_add(out, i ? ",\\, " : "");
        zw_latex_name(o->def->coordinate[i], out);
    }
    zw_text_add(out, "$.\n\n");
    zw_status status = latex_parameters(o, out);
    for (int i = 0; i < o->n; i++) {
        const zw_line *line = &o->line[i];
        switch (line->kind) {
        case ZW_LINE_HEADING:
            close_display(&d);
            zw_text_add(out, i == 0 ? "\\subsection*{" : "\\paragraph{");
            latex_words(line, out);
            zw_text_add(out, "}\n");
            break;
        case ZW_LINE_NOTE:
            if (!line->latex || line->latex[0]) {
                close_display(&d);
                zw_text_add(out, "\\noindent ");
                latex_words(line, out);
                zw_text_add(out, "\n\n");
            }
            break;
        case ZW_LINE_EQUATION: latex_equation(s, line, &root, &d); break;
        }
    }
    latex_shared(s, &d);
    close_display(&d);
    zw_sheet_destroy(s);
    return status == ZW_OK ? zw_text_status(out) : status;
}
