/* SPDX-License-Identifier: Apache-2.0
 * coulomb_part.h: what the files of coulomb.h share. With P the inverse of H within the rows A, and B_i = (N_i, T_i), velocities at contacts are
 *   v = q + W p,    W_ij = B_i P B_j',    q_i = B_i P f - (c_i, -wind_i)
 *
 *   coulomb.c         the face: right sides, answer, verdict
 *   coulomb_couple.c  W in blocks of 3 x 3, islands
 *   coulomb_sweep.c   the law at one contact; Gauss-Seidel over an island, accelerated
 *   coulomb_bodies.c  one linear step of an island, sparse, in the columns of its bodies
 *   coulomb_newton.c  Newton's method on the equations of an island
 *   coulomb_interior.c  the interior point method, where that does not find them */
#ifndef ZW_PROJECT_COULOMB_PART_H
#define ZW_PROJECT_COULOMB_PART_H

#include "base/context.h"
#include "project/coulomb.h"

enum { ZW_COULOMB_DEPTH = 12 };

typedef struct zw_coulomb_contact {
    double D[9];           /* W_ii */
    double mu;             /* 0: no friction, and no tangential rows */
    double turn[2];        /* cos, sin: axes in which D_tt - D_tn D_nt/D_nn is diagonal */
    double soft[2], tn[2]; /* there: its diagonal, D_tn */
    double q[3], p[3];     /* normal first */
    double k;              /* w = -k pt, when it slid last; a guess */
    double hold, held;     /* part of D_nn that is not of W; the p that it holds */
    double r[3];           /* W p, of the last look */
} zw_coulomb_contact;

typedef struct zw_coulomb_term { /* W_ij */
    int    j;
    double W[9];
} zw_coulomb_term;

typedef struct zw_coulomb_entry { /* rows of a contact in a component of columns */
    int contact, component, next; /* next of the contact; -1: last */
    int row0;                     /* first of its rows among those of the component */
    int term0;                    /* its terms: one for each entry of the component */
} zw_coulomb_entry;

typedef struct zw_coulomb_list {
    int *start, *item;
} zw_coulomb_list;

typedef struct zw_coulomb_bodies zw_coulomb_bodies;

struct zw_coulomb {
    zw_context *context;
    zw_solver  *solver;
    int         n, nv, m; /* contacts, columns, rows of A */
    int         ncomponents, nentries, nterms, nislands;
    /* columns */
    int    *root, *component; /* [nv] */
    int    *node;             /* [nv] smallest column of those that a block of H or of a row holds together */
    double *z, *y, *zero;     /* [nv], [nv], [m] */
    /* components and their entries, sorted */
    zw_coulomb_list     of; /* component -> entries */
    zw_coulomb_entry   *entry;
    int                *first; /* contact -> its first entry */
    int                *rows;  /* per component */
    zw_coulomb_term    *term;
    int                *begin; /* [n + 1] terms of a contact lie together */
    zw_coulomb_contact *at;
    zw_coulomb_list     island;
    double             *past, *last; /* Anderson */
    zw_coulomb_bodies  *bodies;
    double              hold;    /* of the last call */
    double             *scratch; /* Newton, interior points */
    size_t              room_columns, room_rows, room_contacts, room_entries, room_terms;
};

zw_status zw_coulomb_want(zw_context *c, void **p, size_t count, size_t size);
#define ZW_COULOMB_WANT(c, p, count)                                        \
    do {                                                                    \
        void *want_ = (p);                                                  \
        ZW_TRY(zw_coulomb_want((c), &want_, (size_t)(count), sizeof *(p))); \
        (p) = want_;                                                        \
    } while (0)

zw_status zw_coulomb_go_on(const zw_coulomb *s); /* ZW_E_CANCELLED, not raised, when the run was asked to stop */

/* W and islands, the solver is factored; what the law at a contact needs */
zw_status zw_coulomb_couple(zw_coulomb *s, const zw_coulomb_problem *pb);
void      zw_coulomb_prepare(zw_coulomb *s, int i, double mu, double hold);

/* p of one contact for given velocity r without it: the exact law */
void zw_coulomb_law(zw_coulomb_contact *c, const double r[3], double p[3]);
/* W p of contact i into its r */
void zw_coulomb_look(zw_coulomb *s, int i);
/* by how much a contact misses its law with velocity v, as a speed */
double zw_coulomb_missed(const zw_coulomb_contact *c, const double v[3]);
/* the worst of an island, W p looked at freshly */
double zw_coulomb_worst(zw_coulomb *s, int island, int *who);
/* until the worst is below `aim` or `most` sweeps are done; returns the worst */
double zw_coulomb_sweep(zw_coulomb *s, int island, double aim, int most, bool accelerated, int *sweeps);
/* the same by Newton's method, from the p there, which become the best that it saw; below `enough` no patience is had, and
 * little where it is not careful */
zw_status zw_coulomb_newton(zw_coulomb *s, const zw_coulomb_problem *pb, int island, bool careful, double aim, double enough, double *worst,
                            int *newtons);
/* the same by interior points, near the p there or from nowhere */
zw_status zw_coulomb_interior(zw_coulomb *s, const zw_coulomb_problem *pb, int island, bool warm, double aim, double *worst, int *newtons);

zw_status zw_coulomb_bodies_create(zw_context *c, zw_coulomb_bodies **out);
void      zw_coulomb_bodies_destroy(zw_context *c, zw_coulomb_bodies *k);
void      zw_coulomb_bodies_forget(zw_coulomb_bodies *k);                                  /* the problem is another one */
zw_status zw_coulomb_bodies_make(zw_coulomb *s, const zw_coulomb_problem *pb, int island); /* pattern, H and A */
/* dp = g - Z dv;  Z: 9 for each contact of the island, g, dv, dp: 3 */
bool zw_coulomb_bodies_factor(zw_coulomb *s, const double *Z);
bool zw_coulomb_bodies_solve(zw_coulomb *s, const double *Z, const double *g, double *dv, double *dp);

#endif
