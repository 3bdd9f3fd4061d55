/* SPDX-License-Identifier: Apache-2.0
 * summary.h: the JSON object that says how a run went: DIR/summary.json and `zwang run --json`. */
#ifndef ZW_RECORD_SUMMARY_H
#define ZW_RECORD_SUMMARY_H

#include "base/text.h"
#include "zwang/run.h"

/* everything in it but wall_s depends on the model alone, so that a resumed run gives the same object */
zw_status zw_summary_json(zw_context *c, const zw_model *m, const zw_summary *s, double wall_s, zw_text *out);

#endif
