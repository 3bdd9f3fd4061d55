/* SPDX-License-Identifier: Apache-2.0
 * browser.h: other programs that `zwang view` starts: a headless Chromium that draws the page, and ffmpeg. They are found when they are needed; nothing is linked. */
#ifndef ZWANG_CLI_BROWSER_H
#define ZWANG_CLI_BROWSER_H

#include <stdio.h>

#include "base/context.h"
#include "base/text.h"

typedef struct zw_browser {
    zw_context *context;
    char        program[1024];
    char        folder[1024]; /* of this run: profile and page; removed at the end */
} zw_browser;

zw_status zw_browser_begin(zw_context *c, zw_browser *b); /* finds Chromium and makes the folder */
void      zw_browser_end(zw_browser *b);
/* what the page at `file#wish` leaves in its element zwang-picture, into out; what it leaves in zwang-error is raised */
zw_status zw_browser_ask(zw_browser *b, const char *file, const char *wish, zw_text *out);

/* a program by name along PATH; false when there is none */
bool zw_program_find(const char *name, char *out, size_t size);
/* starts argv with its standard input from the returned stream; *pid is for zw_program_wait. NULL after raising */
FILE *zw_program_feed(zw_context *c, char *const *argv, int *pid);
int   zw_program_wait(int pid);                                   /* its exit code; -1 when it was killed */
void  zw_url_add(zw_text *t, const char *word, const char *keep); /* percent-encoded but for letters, digits and what is in keep */

#endif
