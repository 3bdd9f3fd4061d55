/* SPDX-License-Identifier: Apache-2.0
 * solver.h: what the rooms after this one may ask of the kernel beyond zwang/project.h. */
#ifndef ZW_PROJECT_SOLVER_H
#define ZW_PROJECT_SOLVER_H

#include "zwang/project.h"

/* How far redundant rows may contradict b, relative to their terms, before a solve fails with ZW_E_RANK: 1e-8 at first, INFINITY to
 * let all pass. A Newton iteration on positions wants that: off the constraint set, and again at round-off, redundant rows contradict
 * each other by as much as they are violated; whether the iteration closed them is seen from the constraints themselves. */
void zw_solver_tolerate(zw_solver *s, double contradiction);
int  zw_solver_contradicts(const zw_solver *s); /* the row that contradicted most in the last ZW_E_RANK; -1 when there was none */

#endif
