/* SPDX-License-Identifier: Apache-2.0
 * pages.h: the pages that a run leaves beside its results. */
#ifndef ZW_RECORD_PAGES_H
#define ZW_RECORD_PAGES_H

#include "zwang/results.h"

/* view.html when the def has a viewer, then report.html, which names it; nothing without def->report */
zw_status zw_pages_write(zw_context *c, const zw_simulate_def *def);

#endif
