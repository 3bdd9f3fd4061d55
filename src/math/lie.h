/* SPDX-License-Identifier: Apache-2.0
 * lie.h: a Lie algebra of small dimension by its structure constants, [e_i, e_j] = sum_k c[i][j][k] e_k, and what its group does to it.
 *
 *   ad_x y = [x, y],   [x, m]* = ad_x' m,   <[x, m]*, y> = <m, [x, y]>
 *
 * Group elements are written by a map tau from the algebra: its adjoint matrix is the Cayley map cay(ad_x) where that is an automorphism of the
 * algebra (so(3), se(2), se(3), sl(2) and their kind, without centre) and exp(ad_x) otherwise. Which one, zw_lie_init finds out:
 *
 *   turn      Ad of tau(x)
 *   slope     T(x): tau^-1 d tau = w  <=>  dx = T(x) w.   Cayley: 1 + ad/2 + Q/4 with ad_{Q w} = -ad_x ad_w ad_x;   exp: phi(-ad)^-1, phi(z) = (e^z - 1)/z
 *             A strain x = l gamma of a link from node a to node b changes by  dx = T(x) eta_b - T(-x) eta_a
 *   compose   y with tau(y) = tau(-a) tau(x) tau(b): how the strain follows when its nodes move by tau(a), tau(b)
 *
 * Without allocation: the caller gives the storage. Matrices are n x n, row-major. */
#ifndef ZW_MATH_LIE_H
#define ZW_MATH_LIE_H

#include <stdbool.h>
#include <stddef.h>

enum { ZW_LIE_MOST = 16, ZW_LIE_SQUARE = ZW_LIE_MOST * ZW_LIE_MOST }; /* largest dimension; su(4) has 15 */

typedef struct zw_lie_term { /* [e_i, e_j] has c of e_k */
    int    i, j, k;
    double c;
} zw_lie_term;

typedef struct zw_lie {
    int          n, nterms;
    zw_lie_term *term;
    double      *gather; /* [n][n^2]: x from ad_x; only when there is no centre */
    bool         centreless, cayley;
    double       defect; /* largest |cay(ad_x)[y, w] - [cay(ad_x) y, cay(ad_x) w]| of some unit x, y, w */
} zw_lie;

/* structure constants of "so(3)" (3), "se(2)" (rotation, then 2 translations), "se(3)" (rotations first); 0: unknown. c has room for 216 */
int zw_lie_known(const char *name, double *c);
/* largest |c_ij^k + c_ji^k|, and of the sum over the circle of [[e_i, e_j], e_k]; at: the indices, from 0 */
double zw_lie_antisymmetry(int n, const double *c, int at[3]);
double zw_lie_jacobi(int n, const double *c, int at[4]);

size_t zw_lie_terms(int n, const double *c); /* how many constants differ from 0 */
/* term[zw_lie_terms], gather[n^3] live as long as g */
void zw_lie_init(zw_lie *g, int n, const double *c, zw_lie_term *term, double *gather);

void zw_lie_bracket(const zw_lie *g, const double *x, const double *y, double *out); /* [x, y]                      */
void zw_lie_star(const zw_lie *g, const double *x, const double *m, double *out);    /* [x, m]*                     */
void zw_lie_ad(const zw_lie *g, const double *x, double *A);                         /* A y = [x, y]                */
void zw_lie_star_of(const zw_lie *g, const double *m, double *B);                    /* B x = [x, m]*               */
void zw_lie_turn(const zw_lie *g, const double *x, double *C);
bool zw_lie_slope(const zw_lie *g, const double *x, double *T); /* false: x lies where tau has no derivative */
bool zw_lie_compose(const zw_lie *g, const double *a, const double *x, const double *b, double *y);
void zw_lie_exp(int n, const double *A, double *E, double *phi); /* e^A and (e^A - 1)/A; phi may be NULL */

#endif
