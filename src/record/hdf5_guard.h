/* SPDX-License-Identifier: Apache-2.0
 * hdf5_guard.h: between enter and leave HDF5 prints nothing and serves this thread alone; its failures become errors of ours. */
#ifndef ZW_RECORD_HDF5_GUARD_H
#define ZW_RECORD_HDF5_GUARD_H

#include "base/context.h"

#include <hdf5.h>

typedef struct zw_hdf5_guard {
    H5E_auto2_t function; /* what printed errors before */
    void       *data;
} zw_hdf5_guard;

void zw_hdf5_enter(zw_hdf5_guard *g);
void zw_hdf5_leave(zw_hdf5_guard *g);
/* raises what HDF5 has on its error stack, so call it right after the failure: ZW_E_IO when the system refused, else `otherwise` */
zw_status zw_hdf5_raise(zw_context *c, zw_status otherwise, const char *path, const char *verb, const char *object);

#endif
