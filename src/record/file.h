/* SPDX-License-Identifier: Apache-2.0
 * file.h: reading and writing whole files below a directory descriptor, safely: interrupted calls are repeated, short writes continued,
 * a replaced file is either the old one or the new one, also after a power cut. Failures are raised with file, cause and remedy. */
#ifndef ZW_RECORD_FILE_H
#define ZW_RECORD_FILE_H

#include "base/context.h"

/* the text of an errno, in out */
const char *zw_errno_text(int error, char *out, size_t size);
/* raises ZW_E_IO (ZW_E_NO_INPUT for a missing file): "DIR/NAME: VERB failed: No space left on device"; the remedy follows from the errno */
zw_status zw_file_raise(zw_context *c, int error, const char *directory, const char *name, const char *verb);

/* errno values, 0 on success; nothing is raised */
int zw_file_put(int fd, const void *bytes, size_t n);                         /* all of it, at the descriptor's position */
int zw_file_get(int fd, uint64_t offset, void *bytes, size_t n, size_t *got); /* up to n from offset; less only at the end of the file */
int zw_file_sync(int fd);                                                     /* data and size are on the disk            */

/* a replacement in three acts: begin, write to the descriptor, commit (or abandon). NAME.tmp is the file meanwhile */
zw_status zw_file_begin(zw_context *c, int dir, const char *directory, const char *name, int *fd);
zw_status zw_file_commit(zw_context *c, int dir, const char *directory, const char *name,
                         int fd); /* fsync, rename, fsync of the directory */
void      zw_file_abandon(int dir, const char *name, int fd);
/* the same with the bytes at hand */
zw_status zw_file_replace(zw_context *c, int dir, const char *directory, const char *name, const void *bytes, size_t n);

/* the whole file and a 0 behind it, for zw_free; larger than limit: ZW_E_LIMIT */
zw_status zw_file_read(zw_context *c, int dir, const char *directory, const char *name, size_t limit, char **bytes, size_t *n);

/* "DIRECTORY/NAME" for zw_free; NULL after raising */
char *zw_path_join(zw_context *c, const char *directory, const char *name);
/* seconds of a clock that never goes back */
double zw_clock(void);

#endif
