/* SPDX-License-Identifier: Apache-2.0
 * view.h: the interactive page: results as JSON and base64 inside the viewer's page, which the program carries. One file that opens from disk. */
#ifndef ZW_RECORD_VIEW_H
#define ZW_RECORD_VIEW_H

#include "base/text.h"
#include "zwang/results.h"

typedef struct zw_view_def {
    const char *page; /* the viewer with its two marks, <!--zwang:title--> and <!--zwang:data--> */
    size_t      page_size;
    const char *file;   /* NULL: DIRECTORY/view.html             */
    int         frames; /* of the scene at most; 0: as many as fit */
    size_t      limit;  /* bytes of the page; 0: 20 MB            */
} zw_view_def;

/* the page, behind what is in `page` already; def->file says nothing here */
zw_status zw_view_text(zw_context *c, const char *directory, const zw_view_def *def, zw_text *page);
/* *written (zw_string_free, may be NULL): where it is; a note of what was thinned goes to the context's log */
zw_status zw_view_write(zw_context *c, const char *directory, const zw_view_def *def, char **written);

#endif
