/* SPDX-License-Identifier: Apache-2.0
 * spin.h: the free rotation of a rigid body over a time h: the flow of its kinetic energy in orientation q and body angular velocity omega, both in
 * principal axes. Both forms are symplectic, reversible, and keep the momentum R J omega to round-off; q is left unnormalised. */
#ifndef ZW_MATH_SPIN_H
#define ZW_MATH_SPIN_H

/* exact where the moments about the two axes other than `axis` are equal; ratio = moment about `axis` / one of the others */
void zw_spin_symmetric(int axis, double ratio, double h, double q[4], double omega[3]);
/* any principal moments J > 0: of order 2 */
void zw_spin_split(const double J[3], double h, double q[4], double omega[3]);

#endif
