/* SPDX-License-Identifier: Apache-2.0
 * verify.h: the inside of a verification: one random admissible state after the other, what is known about it, and the ledger of differences.
 * Public face: zwang/verify.h.
 *
 *   verify.c              the loop over states and the ledger
 *   verify_state.c        random admissible states
 *   verify_look.c         metric, rows, forces and Gauss's accelerations there
 *   verify_principles.c   accelerations by every principle, Gauss's minimum, work of reactions, eq. 14
 *   verify_differences.c  derivatives by differences: the one way all of them are made
 *   verify_rows.c         rows, forces and power against differences
 *   verify_lagrangian.c   metric, velocity terms and forces of lagrangian parts against differences
 *   verify_equation.c     Mac-Millan's equation (13)
 *   verify_rods.c         kinematics and links of rods: equations (4), (19), growth
 *   verify_growth.c       growth power; random lengths
 *   verify_space.c        Gauss's measure along rods: equations (34), (45), equilibria */
#ifndef ZW_ANALYSIS_VERIFY_H
#define ZW_ANALYSIS_VERIFY_H

#include "base/arena.h"
#include "project/principles.h"
#include "zwang/step.h"
#include "zwang/verify.h"

enum { ZW_VERIFY_DENSE = 200 }; /* more velocities than that: no dense formulations */

typedef struct zw_lagrangian_probe zw_lagrangian_probe; /* verify_lagrangian.c */
typedef struct zw_equation_probe   zw_equation_probe;   /* verify_equation.c */
typedef struct zw_space_probe      zw_space_probe;      /* verify_space.c */

typedef struct zw_verifier {
    zw_system       *y;
    zw_context      *c;
    zw_arena         arena;
    zw_verification *out;
    zw_size          n;
    int              m; /* rows */
    bool             dense;
    uint64_t         random;
    int              state;                   /* its number, from 1                 */
    int              noted[ZW_VERIFY_CHECKS]; /* the last state a check was made at */

    zw_solver    *solver;
    zw_gauss     *gauss;
    zw_principles principles;      /* dense only */
    double       *unit_q, *unit_v; /* [nv] what a small motion and a velocity are like in each column */
    double        unit_t;
    zw_state      start, x, moved; /* x: the state that is looked at; moved: scratch for differences */

    /* at x */
    int     rank, *row;          /* independent rows, by the kernel */
    int     redundant, *dropped; /* the others                      */
    double  condition;           /* of the scaled A M^-1 A' */
    double *f, *a, *lambda, *D;  /* all forces without reactions; Gauss's accelerations and multipliers; A a + D = 0 */
    double *a_free;
    double *rate;     /* [nv] v as the rate of the chart at q: what moves q */
    double *row_size; /* [m] |A| (|v| + unit_v) + |b|: what a row's velocity level is like here */
    double  pace;     /* time in which v moves something by its unit */
    double *M, *A;    /* dense only: [n n], [m n] */

    double *line[6];   /* [nv] scratch */
    double *column[4]; /* [m] scratch  */

    int                   nprobes;
    zw_lagrangian_probe **probe;  /* one per lagrangian part */
    zw_space_probe       *space;  /* of the rods; NULL: there are none */
    double               *memory; /* of growth laws, as at the start */
} zw_verifier;

/* ---- the ledger: keeps what is largest beside its tolerance; nan is larger than everything */
void zw_verify_note(zw_verifier *k, zw_verify_kind kind, double difference, double tolerance, const char *where);
void zw_verify_skip(zw_verifier *k, zw_verify_kind kind, const char *why); /* says why a check was not made, where it never was */

bool zw_verify_is_lagrangian(const zw_part *part);
bool zw_verify_is_rods(const zw_part *part);

/* ---- random numbers: -1 .. 1 */
double zw_verify_random(zw_verifier *k);

/* ---- states */
typedef enum zw_verify_fate { ZW_FATE_ADMISSIBLE, ZW_FATE_POSITION, ZW_FATE_VELOCITY, ZW_FATE_UNDEFINED } zw_verify_fate;
zw_status zw_verify_units(zw_verifier *k);
zw_status zw_verify_random_state(zw_verifier *k, zw_verify_fate *fate); /* fills k->x; raises only when memory is out */
zw_status zw_verify_look(zw_verifier *k);                               /* fails where the state is not one to look at */

/* ---- checks at k->x */
zw_status zw_verify_principles(zw_verifier *k);
zw_status zw_verify_rows(zw_verifier *k);
zw_status zw_verify_forces(zw_verifier *k);
zw_status zw_verify_power(zw_verifier *k);
zw_status zw_verify_lagrangian_create(zw_verifier *k);
void      zw_verify_lagrangian_destroy(zw_verifier *k);
zw_status zw_verify_lagrangian(zw_verifier *k);
zw_status zw_verify_rods(zw_verifier *k);
zw_status zw_verify_growth_create(zw_verifier *k);
void      zw_verify_growth_shake(zw_verifier *k); /* fields of growing rods in k->x */
zw_status zw_verify_growth(zw_verifier *k);
zw_status zw_verify_space_create(zw_verifier *k);
void      zw_verify_space_destroy(zw_verifier *k);
zw_status zw_verify_space(zw_verifier *k);
zw_status zw_verify_equation_create(zw_verifier *k, void *lagrangian, const char *body, zw_equation_probe **out);
void      zw_verify_equation_destroy(zw_equation_probe *p);
/* inertia: how large the terms of M a + c = F are */
zw_status zw_verify_equation(zw_verifier *k, zw_equation_probe *p, const double *q, const double *qdot, const double *qddot,
                             double inertia);

/* ---- products with the metric and the rows as they come from the system */
void   zw_verify_metric_product(const zw_metric *M, const double *x, double *y);
void   zw_verify_rows_product(const zw_rows *A, const double *x, double *y, bool sizes); /* sizes: |A| |x| instead of A x */
double zw_verify_dot(int n, const double *a, const double *b);

/* ---- differences: the derivative at 0 of a curve with nf values, by central differences of order eight over steps that are parts of `unit`.
 * The ledger gets the largest |difference - exact|/scale of the step that agrees best: differences are wrong by truncation or by round-off, each
 * at one end of the steps. Where the curve is not defined nearby nothing is noted. */
typedef zw_status (*zw_verify_curve)(zw_verifier *k, void *user, double tau, double *value);
typedef void (*zw_verify_name)(zw_verifier *k, void *user, int i, char *out, size_t size);
typedef struct zw_verify_difference {
    zw_verify_kind  kind;
    zw_verify_curve curve;
    void           *user;
    int             n; /* values */
    double          unit;
    const double   *exact, *scale; /* [n] */
    zw_verify_name  name;          /* of the i-th value; NULL: none */
} zw_verify_difference;
enum { ZW_VERIFY_STEPS = 7 };
extern const double zw_verify_step[ZW_VERIFY_STEPS];
enum { ZW_VERIFY_POINTS = 8 };
extern const double zw_verify_point[ZW_VERIFY_POINTS], zw_verify_weight[ZW_VERIFY_POINTS]; /* f' = sum weight[i] f(point[i] h)/h */
#define ZW_VERIFY_DIFFERENCE 1e-8 /* tolerance of differences, relative to the scale; agreement is 1e-11 where nothing is singular nearby */
zw_status zw_verify_compare(zw_verifier *k, const zw_verify_difference *d);
zw_status zw_verify_level_along(zw_verifier *k, void *direction, double tau, double *value); /* velocity level at v + tau direction */
void      zw_verify_row_name(zw_verifier *k, void *user, int i, char *out, size_t size);

#endif
