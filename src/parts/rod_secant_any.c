/* SPDX-License-Identifier: Apache-2.0
 * rod_secant_any.c: the loops over links of an energy-momentum step for the instruction set the library is built for. */
#define ZW_ROD_ISA    any
#define ZW_ROD_NAME   "any"
#define ZW_WIDE_LANES 2
#include "parts/rod_secant_kernel.h"
