/* SPDX-License-Identifier: Apache-2.0
 * rod_damp_any.c: the damping loops for the instruction set the library is built for. */
#define ZW_ROD_ISA    any
#define ZW_ROD_NAME   "any"
#define ZW_WIDE_LANES 2
#include "parts/rod_damp_kernel.h"
