/* SPDX-License-Identifier: Apache-2.0
 * path_plot.h: a path of equilibria on the page of a report, drawn from its summary: probes over the parameter, stable parts solid, unstable ones dashed, limits and
 * bifurcations marked. */
#ifndef ZW_RECORD_PATH_PLOT_H
#define ZW_RECORD_PATH_PLOT_H

#include "base/arena.h"
#include "base/text.h"
#include "record/json.h"

typedef struct zw_path_names { /* how the components of a probe are called */
    const void *self;
    const char *const *(*of)(const void *self, const char *probe, int width);
    const char *(*unit)(const void *self, const char *probe);
} zw_path_names;

bool zw_path_is(const zw_json *summary); /* is this the summary of a path, or of one equilibrium? */
void zw_path_table(zw_text *t, const zw_json *summary);
/* figures; nothing where there is one point only */
zw_status zw_path_plots(zw_text *t, zw_arena *a, const zw_json *summary, const zw_path_names *names);

#endif
