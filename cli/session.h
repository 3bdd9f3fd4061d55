/* SPDX-License-Identifier: Apache-2.0
 * session.h: what every verb that works on a model begins with: a context with the program's wishes, warnings kept for the end, the
 * model from a file or from standard input, and Ctrl-C turned into the context's cancel flag. */
#ifndef ZWANG_CLI_SESSION_H
#define ZWANG_CLI_SESSION_H

#include "options.h"
#include "zwang/model.h"

enum { ZW_SESSION_WARNINGS = 32 };

typedef struct zw_session {
    zw_context       *context;
    const zw_options *options;
    const char       *model_name; /* "-" becomes "stdin" */
    int               nwarnings;
    char              warning[ZW_SESSION_WARNINGS][400]; /* what the library logged as a warning, oldest first */
    int               nnotes;
    char              note[ZW_SESSION_WARNINGS][400]; /* and as information: what it chose or changed itself */
} zw_session;

int       zw_session_begin(zw_session *s, const zw_options *o); /* gives an exit code; 0 is well */
zw_status zw_session_load(zw_session *s, zw_model **out);       /* the model named as first argument */
int       zw_session_fail(zw_session *s, zw_status status);     /* prints the errors (JSON too) and gives the exit code */
void      zw_session_warnings(const zw_session *s, FILE *f);    /* prints them, and the notes unless --quiet */
void      zw_session_end(zw_session *s);

void zw_interrupt_catch(zw_context *c); /* SIGINT and SIGTERM cancel the context; a second one ends the program at once */
void zw_interrupt_release(void);

#endif
