/* SPDX-License-Identifier: Apache-2.0
 * check.h: checksums and hashes of bytes: CRC-32C for journal records and checkpoints, CRC-32 for ZIP files, 64-bit FNV-1a
 * for tables and model identity. */
#ifndef ZW_BASE_CHECK_H
#define ZW_BASE_CHECK_H

#include <stddef.h>
#include <stdint.h>

uint32_t zw_crc32c(uint32_t seed, const void *bytes, size_t n); /* seed 0 to begin, the last result to go on */
uint32_t zw_crc32(uint32_t seed, const void *bytes, size_t n);  /* likewise: that of ZIP, gzip and PNG */
uint64_t zw_hash64(uint64_t seed, const void *bytes, size_t n); /* seed 0 to begin */

#endif
