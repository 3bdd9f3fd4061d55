/* SPDX-License-Identifier: Apache-2.0
 * view_page.h: the viewer that `zwang view` fills, carried inside the program. viewer/build.mjs writes the table at build time; a program built without it has none. */
#ifndef ZWANG_CLI_VIEW_PAGE_H
#define ZWANG_CLI_VIEW_PAGE_H

#include <stddef.h>

#include "zwang/results.h"

extern const unsigned char *const zw_view_page; /* a 0 follows; NULL: built without it */
extern const size_t               zw_view_page_size;

void zw_view_ask(zw_simulate_def *def);   /* a run shall leave view.html, where the program has a viewer */
void zw_view_tell(const char *directory); /* says where it is, or why it is not there */

#endif
