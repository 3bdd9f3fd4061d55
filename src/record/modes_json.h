/* SPDX-License-Identifier: Apache-2.0
 * modes_json.h: small motions as one JSON object. */
#ifndef ZW_RECORD_MODES_JSON_H
#define ZW_RECORD_MODES_JSON_H

#include "base/text.h"
#include "zwang/modes.h"

zw_status zw_modes_json(const zw_model *m, const zw_modes *s, const char *file, double wall_s, int nwarnings, const char *const *warnings,
                        zw_text *t);

#endif
