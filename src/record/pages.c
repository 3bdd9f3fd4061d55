/* SPDX-License-Identifier: Apache-2.0
 * pages.c: the pages that a run leaves beside its results: the viewer filled with them, and the report, which says where the viewer is and so comes last. */
#include "record/pages.h"

#include "base/context.h"
#include "record/view.h"

zw_status zw_pages_write(zw_context *c, const zw_simulate_def *def) {
    if (!def->report) {
        return ZW_OK;
    }
    if (def->view_page) {
        zw_view_def view = {.page = def->view_page, .page_size = def->view_page_size};
        ZW_TRY(zw_view_write(c, def->directory, &view, NULL));
    }
    return zw_report_write(c, def->directory);
}
