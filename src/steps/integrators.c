/* SPDX-License-Identifier: Apache-2.0
 * integrators.c: integrators by name. */
#include "steps/integrators.h"

#include <string.h>

static const zw_integrator_ops *const list[] = {&zw_verlet_ops, &zw_gauss_ops,           &zw_poisson_ops,      &zw_poisson_consistent_ops,
                                                &zw_hamel_ops,  &zw_energy_momentum_ops, &zw_quasi_static_ops, &zw_overdamped_ops};

const zw_integrator_ops *zw_integrator_find(const char *name) {
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (strcmp(list[i]->name, name) == 0) {
            return list[i];
        }
    }
    return NULL;
}
