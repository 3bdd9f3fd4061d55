/* SPDX-License-Identifier: Apache-2.0
 * step.h: an integrator is a pure map x0 -> x1: what it remembers lives in state.w, so that events can re-step and a run resumes bitwise. */
#ifndef ZWANG_STEP_H
#define ZWANG_STEP_H

#include "zwang/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* the first numbers of state.w, whatever the integrator; then what it keeps for itself */
enum {
    ZW_W_WORK,       /* J, work of loads and moving constraints since the start */
    ZW_W_DISSIPATED, /* J, by damping since the start; >= 0                      */
    ZW_W_ACCOUNT
};

typedef struct zw_integrator_ops {
    const char *name;
    int         order;
    zw_status (*create)(zw_system *y, void **self, int *nw); /* checks capabilities, sizes scratch; nw is its whole w       */
    zw_status (*start)(void *self, zw_state *x);             /* fills w of a consistent state                               */
    zw_status (*step)(void *self, const zw_state *x0, double h, zw_state *x1);      /* x1 arrays differ from x0's                        */
    zw_status (*limit)(void *self, const zw_state *x, double *safe, double *sharp); /* largest stable steps: by formula, by Lanczos */
    void (*destroy)(void *self);
    /* NULL where there is nothing to add */
    void (*account)(void *self, const zw_state *x,
                    zw_account *a);                          /* instead of zw_system_account: energy in the integrator's own variables */
    bool (*own)(void *self, int i, zw_channel *out);         /* i-th number of its own, e.g. "poisson/mismatch", at most ZW_OWN_MOST   */
    double (*observe)(void *self, const zw_state *x, int i); /* its value                                                   */
    /* steps of chosen length: NULL when it cannot tell its error. adapts: does it do so when the model gives neither step nor tolerance? */
    bool (*adapts)(void *self);
    double tolerance;                                             /* where none is given; 0: 1e-13 */
    zw_status (*first)(void *self, const zw_state *x, double *h); /* a step to begin with */
    /* x1 after two steps of h/2; *error: largest local error, 1 is what the tolerance (relative) allows; *next: advised length of the next step,
     * or of another try when *error > 1 */
    zw_status (*adapt)(void *self, const zw_state *x0, double h, double tolerance, zw_state *x1, double *error, double *next);
    /* the motion between x0 and x1, theta of the way: q, v and t only, near enough to bracket events by, not to go on from */
    void (*between)(void *self, const zw_state *x0, const zw_state *x1, double theta, zw_state *out);
    bool (*over)(const void *self); /* does it step over contacts by itself, so that no events are located? */
    void (*react)(
        void *self, const zw_state *x,
        double *lambda); /* lambda of the state: adds how rows hold against contacts, or puts forces of its last step, in the mean of it */
    /* fields s of the state changed since its last step: what it keeps of them, in w and in itself, is made anew. NULL: it keeps nothing of them */
    /* x has q, v, s of a system whose links were split; w is filled: accounts and memory as in x0 of the integrator `before`, of the system before. NULL: it cannot */
    zw_status (*carry)(void *self, void *before, const zw_state *x0, zw_state *x);
    size_t (*memory)(const void *self); /* where in w the memory of growth laws begins; with carry */
    bool grows;                         /* it moves what grows by itself; false: growth is done around its steps, if it can refresh */
    zw_status (*refresh)(void *self, zw_state *x);
    void (*touch)(void *self, const zw_state *x,
                  double *f); /* f += mean force of contacts in its last step, per column of v; NULL: not told */
} zw_integrator_ops;

enum { ZW_OWN_MOST = 4 }; /* numbers of its own that an integrator may report: recorded, and the largest in the summary */

ZW_API const zw_integrator_ops *zw_integrator_find(const char *name); /* NULL when unknown */

/* Gauss's principle at a state: a minimises 1/2 |a - a_free|^2_M under the rows; that minimum is the Zwang.
 * lambda: forces of the rows. info->value is the Zwang, info->residual and rank as in project.h */
typedef struct zw_gauss zw_gauss;
ZW_API zw_status        zw_gauss_create(zw_system *y, zw_gauss **out);
ZW_API void             zw_gauss_destroy(zw_gauss *g);
ZW_API zw_status zw_gauss_solve(zw_gauss *g, const zw_state *x, double *a, double *lambda, zw_project_info *info); /* a may be NULL */
/* at the state of the last solve, where rows are redundant: the forces of least norm among all that act as lambda does */
ZW_API zw_status zw_gauss_least_norm(zw_gauss *g, double *lambda);

#ifdef __cplusplus
}
#endif
#endif
