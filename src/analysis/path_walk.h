/* SPDX-License-Identifier: Apache-2.0
 * path_walk.h: the inside of path.h: a place on the path, and the walk along it. */
#ifndef ZW_ANALYSIS_PATH_WALK_H
#define ZW_ANALYSIS_PATH_WALK_H

#include "analysis/path.h"

enum { ZW_PATH_SAVED = 64, ZW_PATH_MULTIPLE = 6 };

typedef struct zw_path_place {
    zw_state       x;
    double        *z;    /* [nz] forces of rows                                     */
    double         p, s; /* parameter; arc length                                   */
    int            below;
    double        *t, tp; /* [nz] dz/ds and d(p/P)/ds                                */
    double        *slope; /* [nz] dR/d(p/P)                                          */
    double         residual, rows;
    bool           lopsided, asked;
    zw_rest_pushes pushes; /* of contacts */
} zw_path_place;

typedef struct zw_path_saved { /* a bifurcation to come back to */
    zw_path_place at;
    int           n;
    double       *phi; /* [n nz] */
} zw_path_saved;

typedef struct zw_path_walk {
    zw_context        *c;
    const zw_path_def *def;
    zw_path_info      *info;
    zw_vary            v, near;
    zw_rest            rest;
    double             P;
    int                branch;
    bool               told_redundant; /* rows that follow from others were named */
    double             home;           /* value of the bifurcation that the branch left */
    bool               lively;         /* dR/dp changes along the path */
    zw_path_place      cur, next, work, lo, hi;
    double            *a, *b, *mode, *lambda;
    int                nsaved;
    zw_path_saved      saved[ZW_PATH_SAVED];
} zw_path_walk;

zw_status zw_path_place_create(zw_path_walk *w, zw_path_place *out);
void      zw_path_place_destroy(zw_path_walk *w, zw_path_place *p);
void      zw_path_place_copy(const zw_path_walk *w, const zw_path_place *from, zw_path_place *to);
/* out: the place at arc length s from `from` along its tangent; ZW_E_STEP, not raised: not found. A tangent is not made */
zw_status zw_path_arc(zw_path_walk *w, const zw_path_place *from, double s, zw_path_place *out, int *rounds);
/* out: the place at the value p, from `from` along its tangent */
zw_status zw_path_fixed(zw_path_walk *w, const zw_path_place *from, double p, zw_path_place *out, int *rounds);
/* slope and tangent of a place whose factor is at hand; oriented along (t, tp) of another, or towards `to` (NULL) */
zw_status zw_path_tangent(zw_path_walk *w, zw_path_place *at, const zw_path_place *along);
double    zw_path_along(const zw_path_walk *w, const zw_path_place *a, const zw_path_place *b); /* cosine of two tangents */
zw_status zw_path_tell(zw_path_walk *w, zw_path_place *at);
/* factor, number below 0 and residual of a place, the system at its value; free: look for free directions anew */
zw_status zw_path_settle(zw_path_walk *w, zw_path_place *at, bool free);
/* from a place on (cur, with tangent and inertia) to the end; every: each step is told, not only the asked-for values; both: it ends at either end of the values */
zw_status zw_path_go(zw_path_walk *w, double ds, bool every, bool both);
/* path_locate.c: what lies between two places; by p (both at fixed values) or by arc length, which b is at */
zw_status zw_path_locate(zw_path_walk *w, const zw_path_place *a, const zw_path_place *b, double arc, bool by_value);
/* path_branch.c */
zw_status zw_path_branches(zw_path_walk *w);

#endif
