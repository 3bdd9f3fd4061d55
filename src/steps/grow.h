/* SPDX-License-Identifier: Apache-2.0
 * grow.h: integrators of systems that grow. */
#ifndef ZW_STEPS_GROW_H
#define ZW_STEPS_GROW_H

#include "zwang/step.h"

/* the integrator that moves a system, by the name its model gives: as it is, or within growth. Raises where it cannot move what grows */
zw_status zw_integrator_for(zw_system *y, const char *name, const zw_integrator_ops **out);

#endif
