/* SPDX-License-Identifier: Apache-2.0
 * export.h: what the exporters to NumPy and VTK share: a place that is not overwritten by accident, errors that speak of an export, and
 * numbers in the byte order of both formats. */
#ifndef ZW_RECORD_EXPORT_H
#define ZW_RECORD_EXPORT_H

#include "record/directory.h"
#include "zwang/results.h"

enum { ZW_EXPORT_SLAB = 8 << 20 }; /* bytes of frames held at a time */

/* opens the directory of the file, made when missing, and gives the file's name in it; refuses a directory in its place, and a file unless force */
zw_status zw_export_place(zw_context *c, const char *file, bool force, zw_directory *d, const char **name);
zw_status zw_export_exists(zw_context *c, const char *path); /* raises ZW_E_EXISTS: --force replaces it */
zw_status zw_export_error(zw_context *c, zw_status status);  /* gives the status; the last error no longer speaks of resuming a run */
zw_status zw_export_go_on(zw_context *c);                    /* ZW_E_CANCELLED, raised, after zw_context_cancel */
zw_status zw_export_open(zw_context *c, const char *directory, zw_results **out); /* fails when there is not even one epoch */
size_t    zw_export_rows(size_t width, int64_t frames);                /* how many frames of that many doubles to hold at a time */
void      zw_export_order_bytes(void *numbers, size_t n, size_t size); /* little-endian, in place: n numbers of so many bytes */

#endif
