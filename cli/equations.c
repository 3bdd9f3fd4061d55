/* SPDX-License-Identifier: Apache-2.0
 * equations.c: zwang equations: the derived equations of a model's lagrangian bodies, printed or written to a file. */
#include <errno.h>
#include <string.h>

#include "analysis/equations.h"
#include "output.h"
#include "session.h"
#include "verbs.h"

/* the place of word in the list; -1 when it is not there */
static int choice(const char *word, const char *const *list, int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(word, list[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static int deliver(const zw_options *o, const zw_text *text) {
    if (!o->output) {
        fputs(text->s, stdout);
        return ZW_EXIT_OK;
    }
    FILE *f = fopen(o->output, "w");
    bool  ok = f && fwrite(text->s, 1, text->n, f) == text->n;
    int   why = errno;
    if (f && fclose(f) != 0) {
        why = errno;
        ok = false;
    }
    if (!ok) {
        fprintf(stderr, "zwang equations: %s: %s\n", o->output, strerror(why));
        return ZW_EXIT_IO;
    }
    return ZW_EXIT_OK;
}

int zw_verb_equations(const zw_options *o) {
    static const char *const forms[] = {"multiplier", "macmillan", "gauss"}, *const notations[] = {"text", "latex", "c"};
    int form = o->form ? choice(o->form, forms, 3) : 0, as = o->as ? choice(o->as, notations, 3) : 0;
    if (form < 0) {
        return zw_usage_error(false, "equations", "--form takes multiplier, macmillan or gauss");
    }
    if (as < 0) {
        return zw_usage_error(false, "equations", "--as takes text, latex or c");
    }
    if (o->dependent && form != ZW_FORM_MACMILLAN) {
        return zw_usage_error(false, "equations", "--dependent belongs to --form macmillan");
    }
    if (o->fragment && as != ZW_AS_LATEX) {
        return zw_usage_error(false, "equations", "--fragment belongs to --as latex");
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_equations_ask ask = {
        .form = (zw_form)form, .as = (zw_notation)as, .body = o->body, .dependent = o->dependent, .fragment = o->fragment};
    zw_model *m = NULL;
    zw_text   text;
    zw_text_init(&text, s.context);
    zw_status status = zw_session_load(&s, &m);
    if (status == ZW_OK) {
        status = zw_equations_print(m, &ask, &text);
    }
    code = status == ZW_OK ? deliver(o, &text) : zw_session_fail(&s, status);
    zw_session_warnings(&s, stderr);
    zw_text_destroy(&text);
    zw_model_destroy(m);
    zw_session_end(&s);
    return code;
}
