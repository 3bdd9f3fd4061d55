/* SPDX-License-Identifier: Apache-2.0
 * pack.c: zwang pack. */
#include "output.h"
#include "session.h"
#include "verbs.h"
#include "zwang/results.h"

enum { DEFLATE_USUAL = 4, DEFLATE_MOST = 9 };

int zw_verb_pack(const zw_options *o) {
    int level = o->deflate > 0 ? o->deflate : DEFLATE_USUAL;
    if (level > DEFLATE_MOST) {
        return zw_usage_error(false, "pack", "--deflate: give a whole number from 1 (fast) to 9 (small)");
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    uint64_t before, after;
    zw_interrupt_catch(s.context);
    zw_status status = zw_results_pack(s.context, o->argument[0], level, &before, &after);
    zw_interrupt_release();
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        printf("%s/results.h5: %llu bytes before, %llu after", o->argument[0], (unsigned long long)before, (unsigned long long)after);
        if (after < before) {
            unsigned long long share = (unsigned long long)((double)after / (double)before * 1000.0);
            printf(" (%llu.%llu %%)\n", share / 10, share % 10);
        } else {
            printf("; it would not become smaller and is as it was\n");
        }
    }
    zw_session_end(&s);
    return code;
}
