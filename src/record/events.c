/* SPDX-License-Identifier: Apache-2.0
 * events.c: the ledger of events as rows of numbers, as CSV and as a table of the report. */
#include "record/events.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { NUMBER, TIME, KIND, LAW, SIDE, IMPULSE, BEFORE, AFTER, ENERGY_BEFORE, ENERGY_AFTER, DISSIPATED, CONDITION, ORDER, SLIDE };
enum { JOINT_EVENT, JOINT, UNIQUE, ROWS, WRENCH, MULTIPLIER = WRENCH + 6 };

const char *const zw_ledger_column[ZW_LEDGER_COLUMNS] = {
    "event",      "time",          "kind",         "law",        "side",      "impulse",         "rate_before",
    "rate_after", "energy_before", "energy_after", "dissipated", "condition", "order_dependent", "slide"};
const char *const zw_ledger_unit[ZW_LEDGER_COLUMNS] = {"1", "s", "1", "1", "1", "N s", "m/s", "m/s", "J", "J", "J", "1", "1", "N s"};
const char *const zw_ledger_joint_column[ZW_LEDGER_JOINT_COLUMNS] = {"event", "joint", "unique", "rows", "mx",   "my",   "mz",   "fx",
                                                                     "fy",    "fz",    "row1",   "row2", "row3", "row4", "row5", "row6"};
const char *const zw_ledger_joint_unit[ZW_LEDGER_JOINT_COLUMNS] = {"1",   "1",   "1", "1", "N m s", "N m s", "N m s", "N s",
                                                                   "N s", "N s", "1", "1", "1",     "1",     "1",     "1"};

void zw_ledger_row(const zw_event_record *e, int contact, int first, double row[ZW_LEDGER_COLUMNS]) {
    const zw_event_contact *k = &e->contact[contact];
    row[NUMBER] = (double)e->number;
    row[TIME] = e->t;
    row[KIND] = e->kind;
    row[LAW] = e->law;
    row[SIDE] = (double)first + k->side;
    row[IMPULSE] = k->impulse;
    row[BEFORE] = k->before;
    row[AFTER] = k->after;
    row[ENERGY_BEFORE] = e->energy_before;
    row[ENERGY_AFTER] = e->energy_after;
    row[DISSIPATED] = e->dissipated;
    row[CONDITION] = e->condition;
    row[ORDER] = e->order_dependent ? 1.0 : 0.0;
    row[SLIDE] = k->slide;
}

void zw_ledger_joint_row(const zw_event_record *e, int joint, int first, double row[ZW_LEDGER_JOINT_COLUMNS]) {
    const zw_event_joint *k = &e->joint[joint];
    row[JOINT_EVENT] = (double)e->number;
    row[JOINT] = (double)first + k->joint;
    row[UNIQUE] = k->unique ? 1.0 : 0.0;
    row[ROWS] = k->rows;
    memcpy(row + WRENCH, k->impulse, sizeof k->impulse);
    memcpy(row + MULTIPLIER, k->row, sizeof k->row);
}

void zw_ledger_widen(const double *old, int64_t rows, double *row) {
    for (int64_t i = 0; i < rows; i++, row += ZW_LEDGER_COLUMNS, old += ZW_LEDGER_COLUMNS_OLD) {
        memcpy(row, old, ZW_LEDGER_COLUMNS_OLD * sizeof *row);
        row[SLIDE] = 0.0;
    }
}

void zw_ledger_sides(const zw_run *r, zw_text *out) {
    zw_text_add(out, "");
    for (int i = 0; i < zw_run_sides(r); i++) {
        zw_text_add(out, i > 0 ? "\n" : "");
        zw_text_add(out, zw_run_side_name(r, i));
    }
}

void zw_ledger_joints(const zw_run *r, zw_text *out) {
    zw_text_add(out, "");
    for (int i = 0; i < zw_run_joints(r); i++) {
        zw_text_add(out, i > 0 ? "\n" : "");
        zw_text_add(out, zw_run_joint_name(r, i));
    }
}

bool zw_ledger_join(zw_text *all, const char *names, int *first) {
    size_t n = strlen(names), before = all->n >= n ? all->n - n : 0;
    bool   there = all->n >= n && n > 0 && memcmp(all->s + before, names, n) == 0 && (before == 0 || all->s[before - 1] == '\n');
    if (n == 0) {
        *first = 0;
        return false;
    }
    if (!there) {
        zw_text_add(all, all->n > 0 ? "\n" : "");
        before = all->n;
        zw_text_add(all, names);
    }
    *first = 0;
    for (size_t i = 0; i < before && i < all->n; i++) {
        *first += all->s[i] == '\n';
    }
    return !there;
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

static void csv_head(int n, const char *const *column, const char *const *unit, zw_text *out) {
    for (int i = 0; i < n; i++) {
        zw_text_add(out, i > 0 ? "," : "");
        zw_text_add(out, column[i]);
        if (strcmp(unit[i], "1") != 0) {
            zw_text_addf(out, " [%s]", unit[i]);
        }
    }
    zw_text_add(out, "\n");
}

void zw_ledger_csv_head(zw_text *out) {
    csv_head(ZW_LEDGER_COLUMNS, zw_ledger_column, zw_ledger_unit, out);
}

void zw_ledger_joint_csv_head(zw_text *out) {
    csv_head(ZW_LEDGER_JOINT_COLUMNS, zw_ledger_joint_column, zw_ledger_joint_unit, out);
}

/* names of contacts may have commas in them */
static void csv_name(zw_text *out, const char *name) {
    if (strpbrk(name, ",\"\n") == NULL) {
        zw_text_add(out, name);
        return;
    }
    zw_text_add(out, "\"");
    for (const char *c = name; *c; c++) {
        zw_text_addf(out, "%s%c", *c == '"' ? "\"" : "", *c);
    }
    zw_text_add(out, "\"");
}

void zw_ledger_joint_csv(const double *row, const char *joints, zw_text *out) {
    char name[128];
    zw_ledger_side(joints, whole(row[JOINT]), name, sizeof name);
    for (int i = 0; i < ZW_LEDGER_JOINT_COLUMNS; i++) {
        zw_text_add(out, i > 0 ? "," : "");
        if (i == JOINT) {
            zw_text_add(out, name);
        } else if (i < MULTIPLIER || i - MULTIPLIER < whole(row[ROWS])) {
            zw_text_number(out, row[i]);
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
        case SIDE: csv_name(out, name); break;
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

static void joints_html(const zw_ledger *l, zw_text *out) {
    enum { SHOWN = 200 };
    bool loose = false;
    if (l->joint_rows == 0) {
        return;
    }
    zw_text_add(out, "<h3>Impulses of joints</h3>\n");
    if (l->joint_rows > SHOWN) {
        zw_text_addf(out, "<p>The first %d of %lld rows.</p>\n", SHOWN, (long long)l->joint_rows);
    }
    zw_text_add(out, "<div class=\"scroll\"><table><thead><tr><th>event</th><th>joint</th><th>force x</th><th>y</th><th>z, N s</th>"
                     "<th>moment x</th><th>y</th><th>z, N m s</th><th>unique</th></tr></thead><tbody>\n");
    for (int64_t i = 0; i < l->joint_rows && i < SHOWN; i++) {
        const double *row = l->joint_row + i * ZW_LEDGER_JOINT_COLUMNS;
        char          name[128];
        zw_ledger_side(l->joints, whole(row[JOINT]), name, sizeof name);
        zw_text_add(out, "<tr>");
        cell(out, row[JOINT_EVENT], 9);
        word(out, name);
        for (int k = 0; k < 6; k++) {
            cell(out, row[WRENCH + (k + 3) % 6], 6);
        }
        word(out, row[UNIQUE] != 0.0 ? "yes" : "no");
        zw_text_add(out, "</tr>\n");
        loose = loose || row[UNIQUE] == 0.0;
    }
    zw_text_add(out, "</tbody></table></div>\n<p>On the first body of each joint, space axes.");
    if (loose) {
        zw_text_add(out, " Where the impulse is not unique, because other equations hold the same motion, it is the share of least norm.");
    }
    zw_text_add(out, "</p>\n");
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
    joints_html(l, out);
}
