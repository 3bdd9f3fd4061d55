/* SPDX-License-Identifier: Apache-2.0
 * frame.c: frames of reference that the model names. */
#include "system/system.h"

bool zw_system_spin(const zw_system *y, zw_spin *out) {
    (void)y;
    *out = (zw_spin){0}; /* no frame moves in this version */
    return false;
}
