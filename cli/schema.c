/* SPDX-License-Identifier: Apache-2.0
 * schema.c: zwang schema. */
#include <string.h>

#include "output.h"
#include "session.h"
#include "verbs.h"

int zw_verb_schema(const zw_options *o) {
    bool markdown = o->as && strcmp(o->as, "markdown") == 0;
    if (o->as && !markdown && strcmp(o->as, "json") != 0) {
        return zw_usage_error(false, "schema", "--as takes json or markdown");
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    char     *text = NULL;
    zw_status status = markdown ? zw_schema_markdown(s.context, &text) : zw_schema_json(s.context, &text);
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        fputs(text, stdout);
        if (text[0] && text[strlen(text) - 1] != '\n') {
            fputc('\n', stdout);
        }
    }
    zw_string_free(s.context, text);
    zw_session_end(&s);
    return code;
}
