/* SPDX-License-Identifier: Apache-2.0
 * svg.c: SVG as text, and numbers as they stand in pictures. */
#include "record/svg.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

void zw_svg_coordinate(zw_text *t, double x) {
    double bounded = !(fabs(x) < 1e7) ? (x > 0 ? 1e7 : x < 0 ? -1e7 : 0) : x; /* a picture has no place for more */
    long   n = lround(bounded * 100);
    if (n < 0) {
        zw_text_add(t, "-");
        n = -n;
    }
    zw_text_addf(t, "%ld", n / 100);
    if (n % 10) {
        zw_text_addf(t, ".%02ld", n % 100);
    } else if (n % 100) {
        zw_text_addf(t, ".%ld", n % 100 / 10);
    }
}

static void attribute(zw_text *t, const char *name, double x) {
    zw_text_addf(t, " %s=\"", name);
    zw_svg_coordinate(t, x);
    zw_text_add(t, "\"");
}

void zw_svg_begin(zw_text *t, double width, double height, const char *description) {
    zw_text_add(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    zw_svg_coordinate(t, width);
    zw_text_add(t, " ");
    zw_svg_coordinate(t, height);
    zw_text_add(t, "\" role=\"img\" aria-label=\"");
    zw_text_html(t, description);
    zw_text_add(t, "\">\n");
}

void zw_svg_end(zw_text *t) {
    zw_text_add(t, "</svg>\n");
}

void zw_svg_line(zw_text *t, const char *klass, double x0, double y0, double x1, double y1) {
    zw_text_addf(t, "<line class=\"%s\"", klass);
    attribute(t, "x1", x0);
    attribute(t, "y1", y0);
    attribute(t, "x2", x1);
    attribute(t, "y2", y1);
    zw_text_add(t, "/>\n");
}

void zw_svg_text(zw_text *t, const char *klass, double x, double y, const char *anchor, const char *text) {
    zw_text_addf(t, "<text class=\"%s\" text-anchor=\"%s\"", klass, anchor);
    attribute(t, "x", x);
    attribute(t, "y", y);
    zw_text_add(t, ">");
    zw_text_html(t, text);
    zw_text_add(t, "</text>\n");
}

void zw_svg_path_begin(zw_text *t, const char *klass) {
    zw_text_addf(t, "<path class=\"%s\" d=\"", klass);
}

void zw_svg_path_point(zw_text *t, bool move, double x, double y) {
    zw_text_add(t, move ? "M" : "L");
    zw_svg_coordinate(t, x);
    zw_text_add(t, " ");
    zw_svg_coordinate(t, y);
}

void zw_svg_path_end(zw_text *t, bool closed) {
    zw_text_add(t, closed ? "Z\"/>\n" : "\"/>\n");
}

const char *zw_svg_number(double value, int digits, char out[ZW_SVG_NUMBER]) {
    char   plain[ZW_NUMBER_TEXT];
    size_t n = 0;
    zw_number_short(value, digits, plain);
    if (strcmp(plain, "-0") == 0) {
        memcpy(plain, "0", 2);
    }
    for (const char *s = plain; *s && n + 4 < ZW_SVG_NUMBER; s++) {
        if (*s == '-') {
            memcpy(out + n, "\xe2\x88\x92", 3);
            n += 3;
        } else {
            out[n++] = *s;
        }
    }
    out[n] = 0;
    return out;
}

const char *zw_svg_power(int exponent, char out[ZW_SVG_NUMBER]) {
    static const char *const raised[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
                                         "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    int                      n = exponent < 0 ? -exponent : exponent, divisor = n >= 100 ? 100 : n >= 10 ? 10 : 1;
    strcpy(out, exponent < 0 ? "10\xe2\x81\xbb" : "10");
    for (; divisor > 0; divisor /= 10) {
        strcat(out, raised[n / divisor % 10]);
    }
    return out;
}

double zw_svg_text_width(const char *text, double size) {
    double width = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if ((*p & 0xc0) != 0x80) { /* one per character */
            width += *p == '.' || *p == ',' || *p == ' ' ? 0.3 : *p >= 0xe3 ? 1.0 : 0.58;
        }
    }
    return width * size;
}
