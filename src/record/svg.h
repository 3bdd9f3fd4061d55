/* SPDX-License-Identifier: Apache-2.0
 * svg.h: pieces of an SVG picture as text. Coordinates are rounded to 1/100; colours come from classes, so that the page decides. */
#ifndef ZW_RECORD_SVG_H
#define ZW_RECORD_SVG_H

#include "base/text.h"

void zw_svg_begin(zw_text *t, double width, double height, const char *description); /* escaped here, as all texts below */
void zw_svg_end(zw_text *t);
void zw_svg_coordinate(zw_text *t, double x);
void zw_svg_line(zw_text *t, const char *klass, double x0, double y0, double x1, double y1);
void zw_svg_text(zw_text *t, const char *klass, double x, double y, const char *anchor, const char *text); /* anchor: start, middle, end */
/* a path: begin, any number of points (the first, and every one with move, starts a new stroke), end */
void zw_svg_path_begin(zw_text *t, const char *klass);
void zw_svg_path_point(zw_text *t, bool move, double x, double y);
void zw_svg_path_end(zw_text *t, bool closed);

/* a number for people, with a real minus sign: U+2212 instead of the hyphen; returns out */
enum { ZW_SVG_NUMBER = 64 };
const char *zw_svg_number(double value, int digits, char out[ZW_SVG_NUMBER]);
/* 10 to a power, as text with raised digits */
const char *zw_svg_power(int exponent, char out[ZW_SVG_NUMBER]);
double      zw_svg_text_width(const char *text, double size); /* about, for a sans-serif of that size */

#endif
