/* SPDX-License-Identifier: Apache-2.0
 * report.c: zwang report. */
#include "output.h"
#include "session.h"
#include "verbs.h"
#include "zwang/results.h"

int zw_verb_report(const zw_options *o) {
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_status status = zw_report_write(s.context, o->argument[0]);
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        printf("%s/report.html\n", o->argument[0]);
    }
    zw_session_end(&s);
    return code;
}
