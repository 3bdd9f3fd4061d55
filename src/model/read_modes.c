/* SPDX-License-Identifier: Apache-2.0
 * read_modes.c: which small motions are wanted, about which state. */
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_MOST = 1000 };

static void read_critical(zw_reader *r, zw_yaml *map, zw_modes_def *d) {
    zw_yaml *critical = zw_read_get(map, "critical"), *from = zw_read_get(map, "from"), *to = zw_read_get(map, "to");
    double   a = 0.0, b = 0.0;
    if (critical == NULL) {
        if (from || to) {
            zw_report_key(r, from ? from : to, "write critical: PARAMETER beside it",
                          "the range belongs to a parameter whose critical value is sought");
        }
        return;
    }
    int known = zw_names_find(&r->parameter, critical->text);
    if (known < 0) {
        char remedy[300] = "";
        zw_read_suggest(critical->text, r->parameter.name, r->parameter.n, r->parameter.n ? "parameters: " : "the model has no parameters",
                        remedy, sizeof remedy);
        zw_report(r, critical, remedy, "there is no parameter '%.60s'", critical->text);
        return;
    }
    d->critical = r->parameter.name[known];
    if (to == NULL) {
        zw_report_key(r, critical, "write how far to search: to: VALUE", "the range of the search has no end");
        return;
    }
    bool known_from = from == NULL || zw_read_constant(r, from, d->from, &a), known_to = zw_read_constant(r, to, d->to, &b);
    if (known_from && known_to && a == b) {
        zw_report_key(r, to, "give it another value than from", "the range of the search is empty");
    }
}

void zw_read_modes(zw_reader *r) {
    zw_yaml      *map = zw_read_get(r->root, "modes");
    zw_modes_def *d = &r->model->modes;
    int64_t       count = 6;
    *d = (zw_modes_def){.about = ZW_ABOUT_EQUILIBRIUM, .damped = true};
    if (map != NULL && map->kind == ZW_YAML_MAP) {
        zw_yaml *about = zw_read_get(map, "about"), *damped = zw_read_get(map, "damped"), *wanted = zw_read_get(map, "count");
        d->given = true;
        d->at = zw_read_where(r, map);
        zw_read_fields(r, map, d);
        if (wanted && !zw_read_count(r, wanted, 1.0, COUNT_MOST, &count)) {
            count = 6;
        }
        if (about && !about->bad) {
            d->about = strcmp(about->text, "start") == 0    ? ZW_ABOUT_START
                       : strcmp(about->text, "steady") == 0 ? ZW_ABOUT_STEADY
                                                            : ZW_ABOUT_EQUILIBRIUM;
        }
        d->damped = damped == NULL || strcmp(damped->text, "true") == 0;
        read_critical(r, map, d);
    }
    d->count = (int)count;
}
