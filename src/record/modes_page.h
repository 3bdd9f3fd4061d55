/* SPDX-License-Identifier: Apache-2.0
 * modes_page.h: small motions on the report's page: a table, and the shapes moving. */
#ifndef ZW_RECORD_MODES_PAGE_H
#define ZW_RECORD_MODES_PAGE_H

#include "base/arena.h"
#include "base/text.h"
#include "record/json.h"
#include "zwang/results.h"

/* does the summary say that these results are modes? */
bool      zw_modes_page_applies(const zw_json *summary);
zw_status zw_modes_page_write(zw_text *t, zw_arena *a, const zw_results *r, const zw_json *summary);

#endif
