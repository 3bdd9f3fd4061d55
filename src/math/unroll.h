/* SPDX-License-Identifier: Apache-2.0
 * unroll.h: ZW_UNROLL before a loop of few, known turns over an array of wide values: fully unrolled the array can live in registers. No effect on results. */
#ifndef ZW_MATH_UNROLL_H
#define ZW_MATH_UNROLL_H

#if defined(__clang__)
#define ZW_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define ZW_UNROLL _Pragma("GCC unroll 8")
#else
#define ZW_UNROLL
#endif

#endif
