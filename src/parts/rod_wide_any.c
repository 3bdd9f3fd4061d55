/* SPDX-License-Identifier: Apache-2.0
 * rod_wide_any.c: the wide loops for the instruction set the library is built for. */
#define ZW_ROD_ISA    any
#define ZW_ROD_NAME   "any"
#define ZW_WIDE_LANES 2
#include "parts/rod_wide_kernel.h"
