/* SPDX-License-Identifier: Apache-2.0
 * rod_bracket_any.c: the loops with whatever the compiler's baseline has. */
#define ZW_ROD_ISA    any
#define ZW_WIDE_LANES 2
#include "parts/rod_bracket_kernel.h"
