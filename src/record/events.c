/* SPDX-License-Identifier: Apache-2.0
 * events.c: the ledger of events as rows of numbers, as CSV and as a table of the report. */
#include "record/events.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { NUMBER, TIME, KIND, LAW, SIDE, IMPULSE, BEFORE, AFTER, ENERGY_BEFORE, ENERGY_AFTER, DISSIPATED, CONDITION, ORDER };

const char *const zw_ledger_column[ZW_LEDGER_COLUMNS] = {"event",      "time",        "kind",           "law",           "side",
                                                         "impulse",    "rate_before", "rate_after",     "energy_before", "energy_after",
                                                         "dissipated", "condition",   "order_dependent"};
const char *const zw_ledger_unit[ZW_LEDGER_COLUMNS] = {"1", "s", "1", "1", "1", "N s", "m/s", "m/s", "J", "J", "J", "1", "1"};

void zw_ledger_row(const zw_event_record *e, int contact, double row[ZW_LEDGER_COLUMNS]) {
    const zw_event_contact *k = &e->contact[contact];
    row[NUMBER] = (double)e->number;
    row[TIME] = e->t;
    row[KIND] = e->kind;
    row[LAW] = e->law;
    row[SIDE] = k->side;
    row[IMPULSE] = k->impulse;
    row[BEFORE] = k->before;
    row[AFTER] = k->after;
    row[ENERGY_BEFORE] = e->energy_before;
    row[ENERGY_AFTER] = e->energy_after;
    row[DISSIPATED] = e->dissipated;
    row[CONDITION] = e->condition;
    row[ORDER] = e->order_dependent ? 1.0 : 0.0;
}

void zw_ledger_sides(const zw_run *r, zw_text *out) {
    zw_text_add(out, "");
    for (int i = 0; i < zw_run_sides(r); i++) {
        zw_text_add(out, i > 0 ? "\n" : "");
        zw_text_add(out, zw_run_side_name(r, i));
    }
}

void zw_ledger_side(const char *sides, int n, char *out, size_t size) {
    for (int i = 0; i < n && sides != NULL; i++) {
        sides = strchr(sides, '\n');
        sides = sides != NULL ? sides + 1 : NULL;
    }
    size_t length = sides != NULL && n >= 0 ? strcspn(sides, "\n") : 0;
    length = length < size ? length : size - 1;
    if (length > 0) {
        memcpy(out, sides, length);
    }
    out[length] = 0;
}

static int whole(double value) { /* rows may come from a damaged file */
    return value >= -1.0 && value < 1e9 ? (int)value : -1;
}

static const char *kind_of(const double *row) {
    int kind = whole(row[KIND]);
    return kind >= ZW_EVENT_IMPACT && kind <= ZW_EVENT_RELEASE ? zw_event_kind_name((zw_event_kind)kind) : "unknown";
}

void zw_ledger_csv_head(zw_text *out) {
    for (int i = 0; i < ZW_LEDGER_COLUMNS; i++) {
        zw_text_add(out, i > 0 ? "," : "");
        zw_text_add(out, zw_ledger_column[i]);
        if (strcmp(zw_ledger_unit[i], "1") != 0) {
            zw_text_addf(out, " [%s]", zw_ledger_unit[i]);
        }
    }
    zw_text_add(out, "\n");
}

void zw_ledger_csv(const double *row, const char *sides, zw_text *out) {
    char name[128];
    zw_ledger_side(sides, whole(row[SIDE]), name, sizeof name);
    for (int i = 0; i < ZW_LEDGER_COLUMNS; i++) {
        zw_text_add(out, i > 0 ? "," : "");
        switch (i) {
        case KIND: zw_text_add(out, kind_of(row)); break;
        case LAW: zw_text_add(out, zw_event_law_name(whole(row[LAW]))); break;
        case SIDE: zw_text_add(out, name); break;
        default: zw_text_number(out, row[i]); break;
        }
    }
    zw_text_add(out, "\n");
}

static void cell(zw_text *out, double value, int digits) {
    char text[ZW_NUMBER_TEXT];
    zw_text_add(out, "<td class=\"n\">");
    zw_text_add(out, zw_number_short(value, digits, text));
    zw_text_add(out, "</td>");
}

static void word(zw_text *out, const char *text) {
    zw_text_add(out, "<td>");
    zw_text_html(out, text);
    zw_text_add(out, "</td>");
}

void zw_ledger_html(const zw_ledger *l, zw_text *out) {
    enum { SHOWN = 200 };
    if (l->rows == 0) {
        return;
    }
    zw_text_add(out, "<h2>Events</h2>\n");
    if (l->rows > SHOWN) {
        zw_text_addf(out, "<p>The first %d of %lld rows; all of them are in results.h5, and in events.csv of an export.</p>\n", SHOWN,
                     (long long)l->rows);
    }
    zw_text_add(out,
                "<div class=\"scroll\"><table><thead><tr><th>time, s</th><th>event</th><th>law</th><th>contact</th><th>impulse, N s</th>"
                "<th>rate before</th><th>rate after, m/s</th><th>lost, J</th><th>condition</th><th>order matters</th></tr></thead>"
                "<tbody>\n");
    for (int64_t i = 0; i < l->rows && i < SHOWN; i++) {
        const double *row = l->row + i * ZW_LEDGER_COLUMNS;
        char          name[128];
        bool          impact = whole(row[LAW]) >= 0;
        zw_ledger_side(l->sides, whole(row[SIDE]), name, sizeof name);
        zw_text_add(out, "<tr>");
        cell(out, row[TIME], 12);
        word(out, kind_of(row));
        word(out, impact ? zw_event_law_name(whole(row[LAW])) : "");
        word(out, name);
        if (impact) {
            cell(out, row[IMPULSE], 6);
            cell(out, row[BEFORE], 6);
            cell(out, row[AFTER], 6);
            cell(out, row[DISSIPATED], 4);
            cell(out, row[CONDITION], 3);
            word(out, row[ORDER] != 0.0 ? "yes" : "no");
        } else {
            zw_text_add(out, "<td></td><td></td><td></td><td></td><td></td><td></td>");
        }
        zw_text_add(out, "</tr>\n");
    }
    zw_text_add(out, "</tbody></table></div>\n");
}
