/* SPDX-License-Identifier: Apache-2.0
 * progress.h: how far a run is, on stderr. */
#ifndef ZWANG_CLI_PROGRESS_H
#define ZWANG_CLI_PROGRESS_H

#include "zwang/results.h"

typedef struct zw_progress_line {
    bool bar;   /* redraw one line        */
    bool lines; /* a line per tenth, for terminals that cannot go back */
    bool colour;
    int  tenths; /* printed so far         */
    bool drawn;
} zw_progress_line;

void zw_progress_line_begin(zw_progress_line *p, bool wanted); /* decides by the kind of stderr whether there is anything to draw */
void zw_progress_line_draw(void *line, const zw_progress *at); /* a zw_progress_fn */
void zw_progress_line_end(zw_progress_line *p);                /* clears the line */

#endif
