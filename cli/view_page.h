/* SPDX-License-Identifier: Apache-2.0
 * view_page.h: the viewer that `zwang view` fills, carried inside the program. viewer/build.mjs writes the table at build time; a program built without it has none. */
#ifndef ZWANG_CLI_VIEW_PAGE_H
#define ZWANG_CLI_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char *const zw_view_page; /* a 0 follows */
extern const size_t               zw_view_page_size;

#endif
