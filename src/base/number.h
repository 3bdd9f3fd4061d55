/* SPDX-License-Identifier: Apache-2.0
 * number.h: numbers to text and back, the same in every locale; correctly rounded both ways, shortest text that reads back. */
#ifndef ZW_BASE_NUMBER_H
#define ZW_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZW_NUMBER_TEXT = 40 }; /* room that every number fits in */

/* reads the longest decimal number (digits, one dot, exponent; no sign, no hex, no inf or nan) at text[0..n); *used = 0 when there is none */
double zw_number_read(const char *text, size_t n, size_t *used);
/* the whole of text as a number with optional sign, nothing else around it; false when it is not one or not finite */
bool zw_number_parse(const char *text, double *value);
bool zw_integer_parse(const char *text, int64_t *value);
/* shortest decimal that reads back as the same double ("0.1", "1e-05" style: 1e-5, -0, nan, inf); returns out */
const char *zw_number_text(double value, char out[ZW_NUMBER_TEXT]);
/* rounded to that many significant digits, for people */
const char *zw_number_short(double value, int digits, char out[ZW_NUMBER_TEXT]);

#endif
