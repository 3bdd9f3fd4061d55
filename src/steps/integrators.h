/* SPDX-License-Identifier: Apache-2.0
 * integrators.h: the integrators of this version. */
#ifndef ZW_STEPS_INTEGRATORS_H
#define ZW_STEPS_INTEGRATORS_H

#include "zwang/step.h"

extern const zw_integrator_ops zw_verlet_ops, zw_gauss_ops, zw_poisson_ops, zw_poisson_consistent_ops, zw_hamel_ops, zw_energy_momentum_ops;
extern const zw_integrator_ops zw_quasi_static_ops, zw_overdamped_ops;

#endif
