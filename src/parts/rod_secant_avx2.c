/* SPDX-License-Identifier: Apache-2.0
 * rod_secant_avx2.c: the loops over links of an energy-momentum step compiled for avx2; called only where the processor has it. Other machines get the same loops under this name. */
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2")
#endif
#define ZW_ROD_ISA    avx2
#define ZW_ROD_NAME   "avx2"
#define ZW_WIDE_LANES 4
#include "parts/rod_secant_kernel.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
