/* SPDX-License-Identifier: Apache-2.0
 * report_words.h: the report in sentences: what was simulated, how it went, how to cite it. Everything is escaped on its way into the page. */
#ifndef ZW_RECORD_REPORT_WORDS_H
#define ZW_RECORD_REPORT_WORDS_H

#include "base/text.h"
#include "model/model.h"
#include "record/json.h"

/* what the model says of itself: the first paragraph of the comment at its head; nothing when there is none */
void zw_report_about(zw_text *t, const char *model_text);
/* "A rod of 100 elements, held by a joint, under gravity. Simulated from 0 to 0.5 s in 5000 steps with verlet."; model and summary may be NULL */
void zw_report_what(zw_text *t, const zw_model *m, const zw_json *summary);
/* what a reader wants to know first: outcome, energy, momenta, constraints, impacts, time, warnings, each in a line */
void zw_report_facts(zw_text *t, const zw_json *summary);
void zw_report_cite(zw_text *t, const zw_json *summary);

#endif
