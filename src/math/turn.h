/* SPDX-License-Identifier: Apache-2.0
 * turn.h: the two functions that make the SE(3) logarithm out of bilinear invariants. With z = 1 - cos th:
 *
 *   phi(z) = th/sin th        chi(z) = (1 - phi)/(z (2 - z))
 *
 * with derivatives, and their divided differences between two values of z, which an energy-momentum scheme needs exact: secant * (z1 - z0) is the
 * difference to round-off, however near z0 and z1 are. Valid for 0 <= z < 2 (th < pi). */
#ifndef ZW_MATH_TURN_H
#define ZW_MATH_TURN_H

typedef struct zw_turn {
    double phi, phi1, phi2; /* value, first and second derivative in z */
    double chi, chi1, chi2;
} zw_turn;

typedef struct zw_turn_secant {
    double phi, chi;   /* (f(z1) - f(z0))/(z1 - z0) */
    double phi1, chi1; /* derivatives of that in z1 */
} zw_turn_secant;

void zw_turn_at(double z, zw_turn *out);
void zw_turn_between(double z0, double z1, const zw_turn *at0, const zw_turn *at1, zw_turn_secant *out);

#endif
