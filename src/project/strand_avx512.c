/* SPDX-License-Identifier: Apache-2.0
 * strand_avx512.c: the loops of strand.h compiled for avx512; called only where the processor has it. Other machines get the same loops under this name. */
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx512f")
#endif
#define ZW_STRAND_ISA  avx512
#define ZW_STRAND_NAME "avx512"
#define ZW_WIDE_LANES  8
#include "project/strand_kernel.h"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
