/* SPDX-License-Identifier: Apache-2.0
 * gauss_tableau.h: the coefficients of Gauss collocation with 1 .. 4 stages, and polynomials through stage values. */
#ifndef ZW_STEPS_GAUSS_TABLEAU_H
#define ZW_STEPS_GAUSS_TABLEAU_H

enum { ZW_STAGES = 4, ZW_HISTORY = 5 }; /* most stages; steps back whose stages start the next one */

/* a_ij = mu_ij b_j with mu_ij + mu_ji = 1 exactly in double precision: the conditions of symplecticity hold to the last bit, whatever the b are */
typedef struct zw_tableau {
    int    s;
    double radius; /* spectral radius of a */
    double c[ZW_STAGES], b[ZW_STAGES];
    double mu[ZW_STAGES][ZW_STAGES];
    double l[ZW_STAGES][ZW_STAGES]; /* coefficients of the Lagrange polynomials: l_j(x) = sum_k l[j][k] x^k */
} zw_tableau;

const zw_tableau *zw_tableau_of(int stages);
/* beta_j(theta) = integral of l_j from 0 to theta */
void zw_tableau_between(const zw_tableau *T, double theta, double *beta);
/* weight[i][j] of node j in the value at target i of the polynomial through n nodes */
void zw_tableau_weights(int n, const double *node, int targets, const double *target, double *weight);

#endif
