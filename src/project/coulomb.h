/* SPDX-License-Identifier: Apache-2.0
 * coulomb.h: the kernel with contacts and Coulomb's friction, at velocity level:
 *
 *   H x = f + A' lambda + N' p + T' pt,    A x = b,    0 <= p_i _|_ u_i = N_i x - c_i >= 0
 *   |pt_i| <= mu_i p_i,    pt_i . w_i = -mu_i p_i |w_i|,    w_i = T_i x + wind_i                (sticks where w_i = 0, maximal dissipation where it slides)
 *
 * The answer is a function of the problem, and of the guess where one is given. Where contacts share a load (hyperstatic) impulses are not unique; one set is returned. */
#ifndef ZW_PROJECT_COULOMB_H
#define ZW_PROJECT_COULOMB_H

#include "zwang/project.h"

typedef struct zw_coulomb zw_coulomb;

typedef struct zw_coulomb_problem {
    const zw_metric *H;
    const zw_rows   *A, *N, *T; /* N: tiles of one row, each a contact; T: tiles of two rows */
    const int       *slide;     /* per contact: its tile of T, -1: no friction */
    const double    *f, *b, *c, *mu;
    const double    *wind;  /* two per contact */
    double           speed; /* what residuals are relative to */
    bool             guess; /* p and pt hold one */
    /* > 0, with a guess p0: u_i + hold W_ii (p_i - p0_i) takes the place of u_i, W_ii the softness of the contact; where contacts share a load, the guess decides who
     * has how much of it */
    double hold;
    bool   again; /* H, A, N, T, slide and mu are bit by bit those of the last call, only right sides differ */
} zw_coulomb_problem;

typedef struct zw_coulomb_info {
    int    sweeps, newtons, islands;
    double residual; /* largest by which a contact misses its law, over speed */
    int    worst;    /* that contact */
} zw_coulomb_info;

ZW_MUST_USE zw_status zw_coulomb_create(zw_context *c, zw_coulomb **out);
void                  zw_coulomb_destroy(zw_coulomb *s);
/* ZW_OK with info->residual up to 1e-6, mostly below 1e-10; beyond that ZW_E_CONVERGENCE, not raised (the caller knows the contact's name), x and impulses as far as
 * they came. ZW_E_CANCELLED, not raised, when the run was asked to stop. Other errors are raised */
ZW_MUST_USE zw_status zw_coulomb_solve(zw_coulomb *s, const zw_coulomb_problem *pb, double *x, double *lambda, double *p, double *pt,
                                       zw_coulomb_info *info);

#endif
