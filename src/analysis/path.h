/* SPDX-License-Identifier: Apache-2.0
 * path.h: equilibria along one parameter of the model.
 *
 *   R(x, lambda, p) = 0, followed by arc length: |dx|^2 + (dp/P)^2 = ds^2, |dx| as in rest.h, P = |to - from|
 * Asked-for values of p are met exactly, by Newton at that value, whenever the path passes them. Where the path turns back (limit points) it is followed around.
 * Between two points the number of eigenvalues of the stiffness below 0 and the sign of dp/ds are compared: dp/ds changes its sign at a limit point, and at a bifurcation
 * the number changes without it. Both are located by a root search along the path; branches start there from the shapes that nothing resists.
 *
 *   path.c           points, steps, the way from `from` to `to`
 *   path_locate.c    limit points and bifurcations between two points
 *   path_branch.c    leaving the path at a bifurcation */
#ifndef ZW_ANALYSIS_PATH_H
#define ZW_ANALYSIS_PATH_H

#include "steps/equilibrium.h"
#include "analysis/vary.h"

typedef enum zw_path_kind { ZW_PATH_LIMIT, ZW_PATH_BIFURCATION } zw_path_kind;

typedef struct zw_path_point {
    int             branch;    /* 0: the path itself                                                */
    double          parameter; /* NaN: nothing varies                                               */
    double          length;    /* arc length from the first point of the branch                     */
    bool            asked;     /* at one of the values asked for                                    */
    int             below;     /* eigenvalues of the stiffness below 0: 0 is stable                 */
    bool            lopsided;  /* the stiffness is not symmetric (following loads): below counts divergence only, modulo 2 */
    double          residual, rows;
    const zw_model *model; /* at this value */
    zw_system      *system;
    const zw_state *x;
    const double   *lambda; /* forces of the rows */
} zw_path_point;

typedef struct zw_path_special {
    zw_path_kind kind;
    int          branch, multiplicity;
    double       parameter;
    bool         maximum; /* limit: of the parameter */
} zw_path_special;

typedef struct zw_path_def {
    const char *parameter; /* NULL: one equilibrium */
    double      from, to;
    int         points;
    int         branches; /* bifurcations at which branches are followed, from the first on */
    void       *self;
    zw_status (*point)(void *self, const zw_path_point *p);
    zw_status (*special)(void *self, const zw_path_special *s);
} zw_path_def;

typedef struct zw_path_info {
    int    points, limits, bifurcations, branches, steps, rebuilt;
    double last; /* value of the parameter that was reached */
    bool   lopsided, turned;
    int    holds;         /* directions that nothing resists */
    char   free_way[200]; /* the first of them */
    bool   cut;           /* a branch was not followed to its end */
} zw_path_info;

/* what was found before a failure has been told */
ZW_MUST_USE zw_status zw_path_follow(const zw_model *m, const zw_path_def *def, zw_path_info *info);

#endif
