/* SPDX-License-Identifier: Apache-2.0
 * latex_name.c: names and numbers of a model as LaTeX.
 *
 *   [SUB.] HEAD [digits] [_ SUB] [digits] [dot | ddot]     theta1dot -> \dot{\theta}_{1}, cart.x -> x_{\mathit{cart}}, I_zz -> I_{\mathit{zz}}
 *
 * A Greek word is its letter, a single letter is itself, anything longer is set in one piece. */
#include "expr/sheet.h"

#include "base/number.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_greek(const char *s, size_t n) {
    static const char *const greek[] = {"alpha",   "beta",   "gamma", "delta",   "epsilon", "zeta",  "eta",   "theta", "iota",
                                        "kappa",   "lambda", "mu",    "nu",      "xi",      "pi",    "rho",   "sigma", "tau",
                                        "upsilon", "phi",    "chi",   "psi",     "omega",   "Gamma", "Delta", "Theta", "Lambda",
                                        "Xi",      "Pi",     "Sigma", "Upsilon", "Phi",     "Psi",   "Omega"};
    for (size_t i = 0; i < sizeof greek / sizeof greek[0]; i++) {
        if (strlen(greek[i]) == n && memcmp(greek[i], s, n) == 0) {
            return true;
        }
    }
    return false;
}

static void add_escaped(const char *s, size_t n, zw_text *out) {
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '_') {
            zw_text_add(out, "\\_");
        } else {
            zw_text_add_n(out, s + i, 1);
        }
    }
}

static void add_word(const char *s, size_t n, zw_text *out) {
    bool digits = true;
    for (size_t i = 0; i < n; i++) {
        digits = digits && is_digit(s[i]);
    }
    if (is_greek(s, n)) {
        zw_text_add(out, n == 7 && memcmp(s, "epsilon", 7) == 0 ? "\\var" : "\\");
        zw_text_add_n(out, s, n);
    } else if (n == 1 || digits) {
        add_escaped(s, n, out);
    } else {
        zw_text_add(out, "\\mathit{");
        add_escaped(s, n, out);
        zw_text_add(out, "}");
    }
}

static bool ends_in(const char *s, size_t n, const char *end) {
    size_t m = strlen(end);
    return n > m && memcmp(s + n - m, end, m) == 0;
}

/* s[0..n) without digits behind it; they are s[result..n) */
static size_t before_digits(const char *s, size_t n) {
    while (n > 1 && is_digit(s[n - 1])) {
        n--;
    }
    return n;
}

void zw_latex_name(const char *name, zw_text *out) {
    const char *dot = strrchr(name, '.');
    const char *owner = dot && dot > name ? name : NULL;
    size_t      owner_n = owner ? (size_t)(dot - name) : 0;
    const char *s = dot && dot[1] ? dot + 1 : name;
    size_t      n = strlen(s);
    const char *accent = ends_in(s, n, "ddot") ? "\\ddot{" : ends_in(s, n, "dot") ? "\\dot{" : NULL;
    n -= accent ? strlen(accent) - 2 : 0;

    const char *line = memchr(s, '_', n);
    size_t      head_n = n;
    const char *sub = NULL;
    size_t      sub_n = 0;
    if (line && line > s && line + 1 < s + n) {
        head_n = (size_t)(line - s);
        sub = line + 1;
        sub_n = n - head_n - 1;
    }
    size_t bare = before_digits(s, head_n);

    zw_text_add(out, accent ? accent : "");
    add_word(s, bare, out);
    zw_text_add(out, accent ? "}" : "");
    if (bare < head_n || sub || owner) {
        const char *comma = "";
        zw_text_add(out, "_{");
        if (owner) {
            add_word(owner, owner_n, out);
            comma = ",";
        }
        if (bare < head_n) {
            zw_text_add(out, comma);
            zw_text_add_n(out, s + bare, head_n - bare);
            comma = ",";
        }
        if (sub) {
            size_t sub_bare = before_digits(sub, sub_n);
            zw_text_add(out, comma);
            add_word(sub, sub_bare, out);
            if (sub_bare < sub_n) {
                zw_text_add_n(out, sub + sub_bare, sub_n - sub_bare);
            }
        }
        zw_text_add(out, "}");
    }
}

void zw_latex_number(zw_text *out, double value) {
    char x[ZW_NUMBER_TEXT];
    if (!isfinite(value)) {
        zw_text_add(out, isnan(value) ? "\\mathrm{nan}" : value > 0 ? "\\infty" : "-\\infty");
        return;
    }
    zw_number_text(value, x);
    char *e = strchr(x, 'e');
    if (!e) {
        zw_text_add(out, x);
        return;
    }
    *e = 0;
    if (strcmp(x, "1") == 0 || strcmp(x, "-1") == 0) {
        zw_text_addf(out, "%s10^{%s}", x[0] == '-' ? "-" : "", e + 1);
    } else {
        zw_text_addf(out, "%s \\cdot 10^{%s}", x, e + 1);
    }
}

void zw_latex_words(const char *text, zw_text *out) {
    for (; *text; text++) {
        switch (*text) {
        case '#':
        case '$':
        case '%':
        case '&':
        case '_':
        case '{':
        case '}': zw_text_addf(out, "\\%c", *text); break;
        case '~': zw_text_add(out, "\\textasciitilde{}"); break;
        case '^': zw_text_add(out, "\\textasciicircum{}"); break;
        case '\\': zw_text_add(out, "\\textbackslash{}"); break;
        case '<': zw_text_add(out, "\\textless{}"); break;
        case '>': zw_text_add(out, "\\textgreater{}"); break;
        case '\n':
        case '\t': zw_text_add(out, " "); break;
        default: zw_text_add_n(out, text, 1); break;
        }
    }
}

/* letters that a command is wide: Greek letters and signs 1, functions their name, everything that only arranges 0 */
static int command_width(const char *s, size_t n) {
    static const char *const functions[] = {"sin",  "cos",  "tan", "arcsin", "arccos", "arctan", "sinh",
                                            "cosh", "tanh", "ln",  "log",    "min",    "max"};
    static const char *const nothing[] = {"left",         "right", "frac",  "dot", "ddot", "mathit", "mathrm",
                                          "operatorname", "sqrt",  "begin", "end", "quad", "text"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strlen(functions[i]) == n && memcmp(functions[i], s, n) == 0) {
            return (int)n;
        }
    }
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        if (strlen(nothing[i]) == n && memcmp(nothing[i], s, n) == 0) {
            return 0;
        }
    }
    return 1;
}

int zw_latex_width(const char *latex) {
    int width = 0;
    for (const char *s = latex; *s; s++) {
        if (*s == '\\') {
            size_t n = 0;
            while ((s[1 + n] >= 'a' && s[1 + n] <= 'z') || (s[1 + n] >= 'A' && s[1 + n] <= 'Z')) {
                n++;
            }
            width += n > 0 ? command_width(s + 1, n) : 0;
            s += n > 0 ? n : s[1] ? 1 : 0;
        } else if (!strchr("{}^_ &\n", *s)) {
            width += *s == '+' || *s == '-' || *s == '=' ? 2 : 1;
        }
    }
    return width;
}
