/* SPDX-License-Identifier: Apache-2.0
 * equilibrium_contact.h: what the search for an equilibrium does where bodies meet. */
#ifndef ZW_STEPS_EQUILIBRIUM_CONTACT_H
#define ZW_STEPS_EQUILIBRIUM_CONTACT_H

#include "steps/equilibrium.h"

/* zw_rest_factor, and k->dz: right side in, step out; of the linear equations with everybody who should push pushing. false: singular */
bool zw_rest_solve(zw_rest *s, int *below);
/* raises where forms overlap in the start shape: who, where in the model file, how deep */
ZW_MUST_USE zw_status zw_rest_check_start(const zw_rest *s, const zw_state *x);
/* from s->from, s->z0 by an overdamped motion to an equilibrium; rounds: of Newton's method in the end. ZW_E_STEP, not raised: none was found */
ZW_MUST_USE zw_status zw_equilibrium_creep(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info);

#endif
