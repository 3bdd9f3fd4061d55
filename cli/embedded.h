/* SPDX-License-Identifier: Apache-2.0
 * embedded.h: model files that the program carries inside itself, so that `zwang validate` works wherever it is installed.
 *
 * The build writes the table (cmake/ZwangEmbed.cmake) from the YAML files in validation/ and examples/. Names are relative to
 * the source tree, "validation/cases.yaml", in alphabetical order. The bytes are the file's own, followed by one 0 that size does not count. */
#ifndef ZWANG_CLI_EMBEDDED_H
#define ZWANG_CLI_EMBEDDED_H

#include <stddef.h>

typedef struct zw_embedded_file {
    const char          *name;  /* "validation/cases.yaml"                */
    const unsigned char *bytes; /* size bytes, then a 0                   */
    size_t               size;
} zw_embedded_file;

extern const zw_embedded_file zw_embedded_files[];    /* ends with a row whose name is NULL */
extern const size_t           zw_embedded_file_count; /* rows before that one               */

#endif
