/* SPDX-License-Identifier: Apache-2.0
 * verbs.h: what the program can be asked to do. One row per verb (verbs.c), one file per verb that does something. */
#ifndef ZWANG_CLI_VERBS_H
#define ZWANG_CLI_VERBS_H

#include "options.h"

enum { ZW_EXIT_OK = 0, ZW_EXIT_FAILED = 1, ZW_EXIT_USAGE = 64, ZW_EXIT_NO_INPUT = 66, ZW_EXIT_IO = 74, ZW_EXIT_INTERRUPTED = 130 };

struct zw_verb {
    const char *name;
    const char *arguments;               /* as in the usage line: "MODEL"                                     */
    int         least, most;             /* how many arguments; most < 0: any number                         */
    const char *sentence;                /* one line in the list of verbs; what replaces it, when do is NULL  */
    const char *details;                 /* under `zwang help VERB`                                           */
    int (*perform)(const zw_options *o); /* gives the exit code; NULL: not in this version       */
};

extern const zw_verb zw_verbs[]; /* ends with a row whose name is NULL */
const zw_verb       *zw_verb_find(const char *name);
const char          *zw_verb_nearest(const char *word); /* for "did you mean"; NULL when none is near */

int zw_verb_run(const zw_options *o);
int zw_verb_check(const zw_options *o);
int zw_verb_schema(const zw_options *o);
int zw_verb_export(const zw_options *o);
int zw_verb_pack(const zw_options *o);
int zw_verb_report(const zw_options *o);
int zw_verb_view(const zw_options *o);
int zw_verb_validate(const zw_options *o);
int zw_verb_verify(const zw_options *o);
int zw_verb_statics(const zw_options *o);
int zw_verb_equations(const zw_options *o);
int zw_verb_modes(const zw_options *o);
int zw_verb_help(const zw_options *o);

#endif
