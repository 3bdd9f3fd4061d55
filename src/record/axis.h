/* SPDX-License-Identifier: Apache-2.0
 * axis.h: a scale of a plot: round ticks, and short labels with what they have in common (a power of ten, an offset) set apart. */
#ifndef ZW_RECORD_AXIS_H
#define ZW_RECORD_AXIS_H

#include <stdbool.h>

#include "record/svg.h"

enum { ZW_AXIS_TICKS = 16 };

typedef struct zw_axis {
    bool   log;
    double lo, hi; /* what is shown; decimal exponents when log */
    int    nticks;
    double tick[ZW_AXIS_TICKS]; /* positions; exponents when log             */
    char   label[ZW_AXIS_TICKS][ZW_SVG_NUMBER];
    char   note[2 * ZW_SVG_NUMBER]; /* "x10^-6 + 102.9": what every label is to be read with; "" for none */
} zw_axis;

void   zw_axis_fit(zw_axis *a, double least, double most, bool log, int ticks); /* about that many ticks; a little room beyond the data */
double zw_axis_place(const zw_axis *a, double value);                           /* 0 at lo, 1 at hi; NaN when it has no place   */
double zw_axis_round(double x);                                                 /* the largest 1, 2, 5 times 10^k not above x > 0 */

#endif
