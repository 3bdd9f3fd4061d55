/* SPDX-License-Identifier: Apache-2.0
 * hdf5_compare.h: are two HDF5 files the same to a reader? Names, links, types, shapes, attributes and every number as bits; how the
 * numbers are stored (chunks, filters) does not count. */
#ifndef ZW_RECORD_HDF5_COMPARE_H
#define ZW_RECORD_HDF5_COMPARE_H

#include "record/hdf5_guard.h"

/* within a guard. ZW_E_IO, raised, with the first object of b that differs; path is b's, for the message */
zw_status zw_hdf5_compare(zw_context *c, hid_t a, hid_t b, const char *path);

/* attributes of an object; < 0 on failure. The call has changed with the versions of HDF5 */
int zw_hdf5_attributes(hid_t object);

#endif
