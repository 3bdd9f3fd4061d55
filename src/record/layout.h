/* SPDX-License-Identifier: Apache-2.0
 * layout.h: a zw_layout as bytes and back, checked: what comes from a file may say anything. */
#ifndef ZW_RECORD_LAYOUT_H
#define ZW_RECORD_LAYOUT_H

#include "base/context.h"
#include "zwang/system.h"

/* channel[0] is "time"; names are paths of clean components, each once; counts are the products of the shapes;
 * channels lie in rising order inside the frame without overlap. NULL when sound, else what is wrong */
const char *zw_layout_fault(const zw_layout *l);
bool        zw_layout_equal(const zw_layout *a, const zw_layout *b); /* also the values of the constants, bitwise */
/* number of the channel (constant) of that name, or -1; `near`: where it is looked for first. Layouts of one run have mostly the same order */
int  zw_layout_channel(const zw_layout *l, const char *name, int near);
int  zw_layout_constant(const zw_layout *l, const char *name, int near);
bool zw_channel_alike(const zw_channel *a, const zw_channel *b); /* of one shape */

size_t zw_layout_bytes(const zw_layout *l); /* size of the text below; a multiple of 8 */
void   zw_layout_write(const zw_layout *l, void *bytes);
/* a layout in one block for zw_free, constants included. NULL: not a sound layout (fault is set), or no memory (fault is NULL) */
zw_layout *zw_layout_read(zw_context *c, const void *bytes, size_t n, const char **fault);
/* an empty one in one block, for filling in: arrays for so many channels, constants and numbers */
zw_layout *zw_layout_create(zw_context *c, size_t nchannels, size_t nconstants, size_t constants_width);
void       zw_layout_set_constants(zw_layout *l, const double *values); /* of one made by create: copies constants_width numbers */
zw_layout *zw_layout_copy(zw_context *c, const zw_layout *l);

#endif
