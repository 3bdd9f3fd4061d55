/* SPDX-License-Identifier: Apache-2.0
 * blame.h: the kernel knows rows by number; whoever reads the message knows constraints by name. */
#ifndef ZW_STEPS_BLAME_H
#define ZW_STEPS_BLAME_H

#include "zwang/system.h"

/* passes a status on; when it is ZW_E_RANK of this solver, the error gets the name of the constraint as its subject */
zw_status zw_blame(const zw_system *y, const zw_solver *s, zw_status status);

#endif
