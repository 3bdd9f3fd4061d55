/* SPDX-License-Identifier: Apache-2.0
 * output.h: what the program writes on its streams: colours, errors as text and as JSON, and whether it all arrived. */
#ifndef ZWANG_CLI_OUTPUT_H
#define ZWANG_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "zwang/base.h"

void zw_output_prepare(void);        /* before anything else: streams 0, 1, 2 exist, a broken pipe is an error and not a death */
int  zw_output_finish(int code);     /* last: flushes stdout; gives 74 when it did not arrive and code was 0 */
bool zw_output_is_terminal(FILE *f); /* a terminal that can move its cursor (TERM is not dumb) */
bool zw_output_has_colour(FILE *f);  /* and NO_COLOR is not set */
int  zw_output_width(void);          /* columns of the terminal: COLUMNS, else what it says, else 80 */

void zw_output_errors(FILE *f, const zw_context *c);                 /* every error with its source line and a caret; "N errors" */
void zw_output_errors_json(zw_text *t, const zw_context *c);         /* [{file, line, col, subject, message, remedy}, ...]        */
void zw_output_failure_json(const char *model, const zw_context *c); /* one object on stdout: the run did not take place          */
void zw_output_error_json(const char *model, const zw_error *e);     /* the same with one error and without a context             */

#endif
