/* SPDX-License-Identifier: Apache-2.0
 * export.c: zwang export. */
#include <string.h>

#include "base/text.h"
#include "output.h"
#include "session.h"
#include "verbs.h"
#include "zwang/results.h"

int zw_verb_export(const zw_options *o) {
    if (!o->as) {
        return zw_usage_error(false, "export", "say which format: --as csv");
    }
    if (strcmp(o->as, "numpy") == 0 || strcmp(o->as, "vtk") == 0) {
        char wrong[120];
        snprintf(wrong, sizeof wrong, "--as %s is not in this version; there is --as csv, and results.h5 is readable by h5py", o->as);
        return zw_usage_error(false, "export", wrong);
    }
    if (strcmp(o->as, "csv") != 0) {
        char wrong[160];
        snprintf(wrong, sizeof wrong, "--as: unknown format '%.40s'; there is: csv", o->as);
        return zw_usage_error(false, "export", wrong);
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_text out;
    zw_text_init(&out, s.context);
    if (o->output) {
        zw_text_add(&out, o->output);
    } else {
        zw_text_addf(&out, "%s/csv", o->argument[0]);
    }
    zw_status status = zw_text_status(&out);
    if (status == ZW_OK) {
        status = zw_export_csv(s.context, o->argument[0], out.s);
    }
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        printf("%s\n", out.s);
    }
    zw_text_destroy(&out);
    zw_session_end(&s);
    return code;
}
