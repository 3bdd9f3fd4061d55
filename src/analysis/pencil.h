/* SPDX-License-Identifier: Apache-2.0
 * pencil.h: small motions about a state at rest, or steady in a frame that turns:
 *
 *   M y'' + C y' + K y = A' mu,   A y = 0        y: small turns (space axes) and ways of nodes and bodies, coordinates of lagrangian bodies
 *
 * K is the derivative of zw_implicit_equilibrium: elastic, geometric (stresses, forces of the rows), of loads that follow, centrifugal. C: damping and gyroscopic
 * terms. All live in the pattern of the implicit step's factor, so that  K + s C + s^2 M  with its rows is factored as cheaply as a step. */
#ifndef ZW_ANALYSIS_PENCIL_H
#define ZW_ANALYSIS_PENCIL_H

#include "steps/implicit.h"

typedef struct zw_pencil {
    zw_implicit   *k;
    zw_arena       arena;
    int            n;             /* columns */
    size_t         half;          /* values of the lower half */
    double        *K, *C, *M, *R; /* [2 half] lower, upper as in k->lu; R: the rows */
    double        *chol;          /* Cholesky factors of the blocks of M, one behind the other */
    ptrdiff_t     *chol0;         /* [nblocks] */
    unsigned char *flip;          /* [nz] for counts of negative eigenvalues */
    double        *z;             /* [3 nz] scratch */
    int            redundant;     /* rows */
    bool           symmetric;     /* K is */
    bool           rates;         /* C is not 0 */
    bool           dissipates;    /* C holds damping, not gyroscopic terms only */
    double         left;          /* largest force or moment that is not balanced at the state */
    double         size;          /* largest of the forces that balance there */
    double         fastest;       /* rough upper estimate of omega^2: largest K_ii/M_ii */
} zw_pencil;

/* x: the state; lambda [m]: forces of the rows, NULL: those that leave the least constraint (the state need not be an equilibrium then). damped: C holds damping */
ZW_MUST_USE zw_status zw_pencil_create(zw_implicit *k, const zw_state *x, const double *lambda, bool damped, zw_pencil *out);
void                  zw_pencil_destroy(zw_pencil *p);
/* factors K + c C + m M with the rows; false: singular */
bool zw_pencil_factor(zw_pencil *p, double c, double m);
/* eigenvalues below 0 of the last factor on what the rows leave free; K must be symmetric and c = 0 */
int zw_pencil_below(const zw_pencil *p);
/* y [n] = solution with right side f [n] on the columns; y and f may be the same */
void zw_pencil_solve(zw_pencil *p, const double *f, double *y);
/* y [n] = A x, A one of p->K, p->C, p->M */
void zw_pencil_times(zw_pencil *p, const double *A, const double *x, double *y);
/* x'|A| x with sizes of all terms */
double zw_pencil_terms(zw_pencil *p, const double *A, const double *x);
void   zw_pencil_root(const zw_pencil *p, const double *x, double *y);         /* y = L x, M = L L'  */
void   zw_pencil_root_turned(const zw_pencil *p, const double *x, double *y);  /* y = L' x           */
void   zw_pencil_root_inverse(const zw_pencil *p, const double *x, double *y); /* y = L'^-1 x        */

#endif
