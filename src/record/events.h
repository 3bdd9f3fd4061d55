/* SPDX-License-Identifier: Apache-2.0
 * events.h: the ledger of events as a table of numbers, one row for each contact of each event, and one for each joint that felt it. */
#ifndef ZW_RECORD_EVENTS_H
#define ZW_RECORD_EVENTS_H

#include "base/text.h"
#include "zwang/results.h"

enum { ZW_LEDGER_COLUMNS_OLD = 13 }; /* of results before there was `stick`: without the last column, which is 0 then */

extern const char *const zw_ledger_column[ZW_LEDGER_COLUMNS], *const zw_ledger_unit[ZW_LEDGER_COLUMNS];
extern const char *const zw_ledger_joint_column[ZW_LEDGER_JOINT_COLUMNS], *const zw_ledger_joint_unit[ZW_LEDGER_JOINT_COLUMNS];

/* first: where the names of the run begin among those of the ledger, zw_ledger_join */
void zw_ledger_row(const zw_event_record *e, int contact, int first, double row[ZW_LEDGER_COLUMNS]);
void zw_ledger_joint_row(const zw_event_record *e, int joint, int first, double row[ZW_LEDGER_JOINT_COLUMNS]);
void zw_ledger_widen(const double *old, int64_t rows, double *row); /* rows of the old width */
void zw_ledger_sides(const zw_run *r, zw_text *out);                /* their names, a line each */
void zw_ledger_joints(const zw_run *r, zw_text *out);
/* A run has new names when its mesh changed: they join those before, and *first is the number of the first of them. False: `all` ends with them already */
bool zw_ledger_join(zw_text *all, const char *names, int *first);
/* the n-th of these lines; "" when there is none */
void zw_ledger_side(const char *sides, int n, char *out, size_t size);
void zw_ledger_csv_head(zw_text *out);
void zw_ledger_csv(const double *row, const char *sides, zw_text *out);
void zw_ledger_joint_csv_head(zw_text *out);
void zw_ledger_joint_csv(const double *row, const char *joints, zw_text *out);
void zw_ledger_html(const zw_ledger *l, zw_text *out); /* a table of the first of them */

#endif
