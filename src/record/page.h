/* SPDX-License-Identifier: Apache-2.0
 * page.h: the frame of a self-contained HTML page: head, style, end. No script, no network, light and dark. */
#ifndef ZW_RECORD_PAGE_H
#define ZW_RECORD_PAGE_H

#include "base/text.h"

void zw_page_begin(zw_text *t, const char *title); /* escaped here */
void zw_page_end(zw_text *t);

#endif
