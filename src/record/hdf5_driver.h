/* SPDX-License-Identifier: Apache-2.0
 * hdf5_driver.h: HDF5 writing to a descriptor of ours, and never learning that the disk is full. */
#ifndef ZW_RECORD_HDF5_DRIVER_H
#define ZW_RECORD_HDF5_DRIVER_H

#include <hdf5.h>

/* where HDF5 writes to; must outlive the file */
typedef struct zw_hdf5_sink {
    int fd;    /* open for reading and writing, empty      */
    int error; /* errno of the first failure; 0: all is well */
} zw_hdf5_sink;

/* a file access list that makes H5Fcreate write to the sink, whatever its name argument; *driver for H5FDunregister. < 0 on failure */
hid_t zw_hdf5_sink_access(zw_hdf5_sink *sink, hid_t *driver);

#endif
