/* SPDX-License-Identifier: Apache-2.0
 * plot.h: curves over time as an SVG figure of a page, and the reading of curves from results. */
#ifndef ZW_RECORD_PLOT_H
#define ZW_RECORD_PLOT_H

#include "base/arena.h"
#include "record/axis.h"
#include "zwang/results.h"

enum { ZW_CURVE_POINTS = 1000, ZW_PLOT_CURVES = 8 };

typedef struct zw_curve {
    char    name[48];
    int     n;     /* at most ZW_CURVE_POINTS           */
    double *x, *y; /* NaN in y interrupts the line     */
} zw_curve;

typedef struct zw_plot {
    const char *title, *unit; /* unit: of y, may be "" */
    bool        log;
    bool        zero; /* the y axis begins at zero where that is near: not farther than the values reach */
    int         ncurves;
    zw_curve    curve[ZW_PLOT_CURVES];
} zw_plot;

/* the components of a channel, thinned to least and greatest per stretch of time; *width 0 when there is no such channel */
zw_status zw_curves_read(const zw_results *r, zw_arena *a, const char *channel, zw_curve *out, int room, int *width, const char **unit);
bool      zw_curve_is_zero(const zw_curve *c);
void      zw_plot_write(zw_text *t, const zw_plot *p); /* a <figure>; nothing when no curve has a finite point */

#endif
