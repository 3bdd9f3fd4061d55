/* SPDX-License-Identifier: Apache-2.0
 * growth_law.h: growth laws as data. A law says how fast the reference length and the natural curvature of every link of one rod change.
 *
 *   ldot/l = rate,   D k0/Dt = bend (3, directors; `dilute` subtracts k0 rate: the turning angle is kept),   rdot/r = thicken
 *
 * Legend: l reference (grown, unstressed) length of a link, l0 its label length, g = l/l0, d grown distance to the tip, N tension, M moment,
 * A I section, k = kappa actual and k0 natural curvature, d3 tangent, t time.
 *
 *   kind         rate                                  bend                                  memory               file
 *   expression   rate                                  bend                                  -                    growth_expression.c
 *   exponential  rate                                  0                                     -                    growth_prescribed.c
 *   linear       rate/g                                0                                     -
 *   logistic     rate (1 - g/limit)                    0                                     -
 *   table        interpolated over s, d or t           0                                     -
 *   tip          rate in from < d < from + zone        0                                     -
 *   lockhart     phi max(0, P - Y + N/A) + Pdot/eps    0                                     P                    growth_wall.c
 *                Pdot = eps (Lw (dpi - P) - phi max(0, P - Y + N/A)) where the conductance Lw is given, else P is given
 *   stein        a + b N/A                             b' M/I                                -
 *   homeostatic  gain (N - target)                     0                                     -
 *   ac           0                                     beta d3 x e - gamma k (or k0)         filters, delay line  growth_tropism.c
 *   ace          rate in the zone                      the same; `scaled`: times the rate    filters, delay line
 *   signal       rate (expression of chi)              bend (expression of chi)              chi l                growth_signal.c
 *                d(chi l)/dt = diffusive fluxes + l (reaction + source): dilution by growth is in it
 *   flank        (e+ + e-)/2 + K R (e+ - e-)/2         dK/dt = (e+ - e-)(1 - K^2 R^2)/(2R)   -                    growth_flank.c
 *   thicken      0                                     (k - k0) 4 rdot/r                     -
 *   thermal      expansion dT/dt                       expansion d(grad T)/dt across         -                    growth_thermal.c
 *   touch        rate                                  gain d3 x e where the force exceeds   -                    growth_touch.c
 *                the threshold, e towards what is touched
 *   feed         speed/l in the link of a label        0                                     -                    growth_feed.c
 *   sleeve       mobility (push + P)/l there           0                                     -
 *
 * Parameters are expressions of what a law may sense (zw_growth_scope_open lists the names) and of whatever else the pool knows.
 *
 * How a rod is bound to its law. Laws do not know rods: rod.l, rod.natural and the memory s, w are arrays of the caller (memory belongs into
 * zw_state.s and zw_state.w, so that a checkpoint has it), and `feel` fills what the law senses from the placement of the nodes, which stays
 * fixed while growth flows. A step from t to t + h, of order 2:
 *
 *   zw_growth_flow(law, rod, t, h/2)           half growth; l, k0, s change, placements do not
 *   mechanics over h with these l, k0          (stresses, masses, contacts)
 *   zw_growth_flow(law, rod, t + h/2, h/2)     half growth, with the contacts and placements of the end
 *   zw_growth_push(law, rod, t + h)            delay lines hear the end of the step; nothing else writes w
 *
 * zw_growth_start once before the first step; zw_growth_remesh when links were split, with zw_growth_reserve for the new number of links.
 * Quasi-static runs let `feel` find the equilibrium; then zw_growth_flow alone, over h, is of order 2.
 *
 * A ring has no tip: whoever binds a law refuses d, tip and zones there.
 * Numbers do not depend on what was computed before: the scratch of a law holds nothing between calls. */
#ifndef ZW_PARTS_GROWTH_LAW_H
#define ZW_PARTS_GROWTH_LAW_H

#include "base/arena.h"
#include "model/growth.h"

/* ---- what a law may sense at the middle of a link */
typedef struct zw_growth_sense {
    double label, label_length;     /* s, l0; m of the original rod                                                        */
    double from, to;                /* labels of its nodes, m                                                              */
    bool   last;                    /* at the end of an open rod                                                           */
    double tip;                     /* d: grown distance from the middle of the link to the tip, m                         */
    double tension, moment[3];      /* N; N m in directors                                                                 */
    double tension_slope;           /* dN/d(ln l) at fixed nodes, N: -K3 times the stretch; 0 makes a stiff law explicit    */
    double moment_slope[3];         /* dM_i/dk0_i, N m^2: -B_i                                                             */
    double strain;                  /* elastic axial strain                                                                */
    double driving;                 /* P = -dE/dl at fixed nodes: n.Gamma + m.kappa - energy per length, N                   */
    double driving_slope;           /* dP/d(ln l) at fixed nodes, N                                                        */
    double weight;                  /* half the weight of the link along the way from its first node to its second, N      */
    double kappa[3];                /* actual bend-twist per reference length, 1/m, directors                              */
    double R[9];                    /* directors in columns, row-major                                                     */
    double contact[3];              /* force of contacts on the rod per reference length, N/m, space                       */
    double area, second[2], radius; /* section: m^2, m^4 about d1 and d2, m                                              */
} zw_growth_sense;

/* what a law answers at a link; slopes are exact derivatives, or 0 where nothing can be stiff */
typedef struct zw_growth_rate {
    double rate, rate_slope;                                       /* 1/s; d rate/d(ln l) at fixed nodes                    */
    double rate_field;                                             /* d rate/d field[0]: lengths that follow a field are exact with it */
    double bend[3], bend_slope[3];                                 /* 1/(m s); d bend_i/d k0_i                               */
    double thicken;                                                /* rdot/r, 1/s                                           */
    double field[ZW_GROWTH_FIELDS], field_slope[ZW_GROWTH_FIELDS]; /* d(memory s)/dt, its derivative by itself */
} zw_growth_rate;

/* ---- the rod that grows, as its law sees it */
typedef struct zw_growth_rod zw_growth_rod;
struct zw_growth_rod {
    int              n; /* links */
    bool             closed;
    double          *l;       /* [n]                                                              */
    double          *natural; /* [stride n] the first three of each link are k0                   */
    int              stride;
    double          *radius; /* [n] of sections, changed by laws that thicken; NULL: the caller follows the rates itself */
    double          *s, *w;  /* memory, of the sizes that the law tells; NULL where there is none */
    const double    *in;     /* parameters of the model in the slots of the pool; what the law sets itself may be anything */
    zw_growth_sense *sense;  /* [n]                                                               */
    /* fills sense[] from the placement of the nodes, l and natural at time t */
    zw_status (*feel)(void *user, double t, zw_growth_rod *rod);
    void *user;
};

/* ---- a law */
typedef struct zw_growth_def {
    zw_growth_kind kind;
    zw_value       parameter[ZW_GROWTH_PARAMETERS]; /* in the order of zw_growth_keys; width 0: not given */
    bool           dilute;                          /* growth dilutes k0; false: k0 is kept */
    bool           natural;                         /* ac, ace: sense natural curvature instead of the actual one */
    bool           scaled;                          /* ace: the response goes with the rate; beta in 1/m, gamma a number */
    int            points;                          /* table: */
    const double  *table;                           /* [2 points] x, rate; x rising; constant outside */
    char           over;                            /* 's', 'd' or 't' */
    double         sample;                          /* least time between two entries of a delay line, s: the step of the run */
    int            links;
    const double  *in; /* [zw_pool_inputs] parameters of the model, for what must be known at once (delays); NULL: all 0 */
} zw_growth_def;

typedef struct zw_growth_law zw_growth_law;

zw_status zw_growth_create(zw_context *c, zw_pool *pool, const zw_growth_def *def, zw_growth_law **out);
void      zw_growth_destroy(zw_growth_law *law);
zw_status zw_growth_reserve(zw_growth_law *law, int links); /* scratch for that many links */

int         zw_growth_fields(const zw_growth_law *law);            /* doubles of s per link */
size_t      zw_growth_memory(const zw_growth_law *law, int links); /* doubles of w in all */
double      zw_growth_mouth(const zw_growth_law *law);             /* label that feed and sleeve work at; -1: another law */
const char *zw_growth_field_name(const zw_growth_law *law, int i); /* "turgor", "amount", "memory-1", ... */

/* memory at time t of a rod that has been as it is for ever */
zw_status zw_growth_start(zw_growth_law *law, zw_growth_rod *rod, double t);
/* rates at the present l, natural and memory; calls feel */
zw_status zw_growth_rates(zw_growth_law *law, zw_growth_rod *rod, double t, zw_growth_rate *out);
/* growth over h with memory; ZW_E_DIVERGED names link and number. Exact where a rate is linear in its own unknown, order 2 otherwise, stable however
 * stiff in the slopes: for each unknown y with slope c, z = c h,
 *   y* = y + h phi1(z) f(y),  y1 = y* + h phi2(z) (f(y*) - f(y) - c (y* - y)),  phi1 = (e^z - 1)/z,  phi2 = (e^z - 1 - z)/z^2, and y = ln l for lengths.
 * Diffusion takes half of h before and half after it. After a failure l, natural and s are half way: go back to the state before the step. */
zw_status zw_growth_flow(zw_growth_law *law, zw_growth_rod *rod, double t, double h);
/* the same in two: y* into rod (what was there is kept in the law); then, with the placement at t + h, y1. follows: placements follow growth at once, slopes at fixed nodes
 * are none of theirs and c = 0 */
zw_status zw_growth_predict(zw_growth_law *law, zw_growth_rod *rod, double t, double h, bool follows);
zw_status zw_growth_correct(zw_growth_law *law, zw_growth_rod *rod, double t, double h, bool follows);
/* what is sensed now enters the delay lines; at the end of a step */
zw_status zw_growth_push(zw_growth_law *law, zw_growth_rod *rod, double t);
/* memory after links were split: link i of `n` new ones is the share share[i] (by length) of the old link from[i]; values are copied, amounts divided */
void zw_growth_remesh(const zw_growth_law *law, const double *s, const double *w, int n, const int *from, const double *share,
                      double *s_out, double *w_out);

#endif
