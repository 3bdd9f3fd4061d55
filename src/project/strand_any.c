/* SPDX-License-Identifier: Apache-2.0
 * strand_any.c: the loops of strand.h for the instruction set the library is built for. */
#define ZW_STRAND_ISA  any
#define ZW_STRAND_NAME "any"
#define ZW_WIDE_LANES  2
#include "project/strand_kernel.h"
