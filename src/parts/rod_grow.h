/* SPDX-License-Identifier: Apache-2.0
 * rod_grow.h: rods whose reference changes in time. The fields s of a growing rod of n links are
 *
 *   l [n]   reference (grown, unstressed) lengths, m             k0 [3 n]  natural curvature and twist per reference length, 1/m
 *   rho [n] radius over that of the start                        y [nf n]  memory of the growth law
 *
 * Areas go as a = rho^2 (l/l0)^p, p = growth.section; stiffness of stretch and shear as a, of bending and twist as a^2, inertia as mass times a.
 * Kelvin-Voigt damping goes with the rate of the elastic strain, e' - p with p what growth adds: C e + eta C (e' - p) is the stress of a rod whose natural strain is moved by
 * eta p, which is how it is done while growth goes at the pace p.
 * Mass of a link: m0 l0, or m0 a l where growth adds mass. Elastic strain is by division: w/l - k0, u/l - Gamma0. */
#ifndef ZW_PARTS_ROD_GROW_H
#define ZW_PARTS_ROD_GROW_H

#include "parts/growth_law.h"
#include "parts/rod.h"
#include "parts/rod_section.h"
#include "zwang/grow.h"

typedef struct zw_rod_growth { /* of one rod */
    zw_rods           *rods;
    const zw_body_def *body;
    const zw_rod      *rod;
    zw_growth_law     *law;
    zw_growth_rod      view;
    zw_growth_rate    *rate;   /* [nlinks] scratch */
    size_t             s0, w0; /* first of its fields in s, and of its memory, in those of the part */
    bool               mass;   /* growth adds mass */
    bool               touched;
    double             exponent, split; /* split 0: never */
} zw_rod_growth;

struct zw_rods_growth {
    const zw_model    *model;
    zw_rods           *rods;
    int                n;
    zw_rod_growth     *of;       /* [n] */
    size_t             ns, nw;   /* doubles of s and w */
    zw_section_values *section;  /* [nlinks] at the start */
    double            *natural0; /* [6 nlinks] */
    double            *radius0;  /* [nnodes]   */
    double            *J33;      /* [9 nnodes] */
    double            *seen;     /* [ns] the fields that the arrays of the rods follow from; nan: none yet */
    double            *pace;     /* [6 nlinks] strain per time that growth adds, where strains are damped; 0: it stands still */
    double            *contact;  /* [6 nnodes] force of contacts, per column of v */
    double            *in;       /* parameters of the model */
    const double      *q;        /* placement that laws feel */
    zw_growth_rate    *rate;     /* [nlinks]: rod_growth_rates.c */
    double            *rates;    /* [43 nlinks + 10 nnodes] */
};

int       zw_rods_growth_fields(const zw_rods *rods);                                  /* doubles of s */
void      zw_rods_growth_begin(const zw_rods *rods, double *s);                        /* fields at the start, but for memory of laws */
zw_status zw_rods_growth_create(const zw_model *m, zw_rods *rods);                     /* leaves rods->growth NULL where nothing grows */
void      zw_rods_growth_section(zw_rods *rods, int link, const zw_section_values *v); /* while sections are read */
void      zw_rods_growth_ready(zw_rods *rods, const double *J33);                      /* after all else of the rods is made */
void      zw_rods_growth_destroy(zw_rods *rods);

/* fields of a growing rod in s of the part */
static inline double *zw_rod_growth_l(const zw_rod_growth *g, double *s) {
    return s + g->s0;
}
static inline double *zw_rod_growth_natural(const zw_rod_growth *g, double *s) {
    return s + g->s0 + (size_t)g->rod->nlinks;
}
static inline double *zw_rod_growth_radius(const zw_rod_growth *g, double *s) {
    return s + g->s0 + 4 * (size_t)g->rod->nlinks;
}
static inline double *zw_rod_growth_memory(const zw_rod_growth *g, double *s) {
    return s + g->s0 + 5 * (size_t)g->rod->nlinks;
}
/* growth of rod i; NULL: it does not grow */
const zw_rod_growth *zw_rods_growth_of(const zw_rods *rods, int i_rod);
/* driving force at a place of a rod that grows: P of the link, and the weight of what lies between its middle and the place; false: it does not grow */
bool zw_rods_growth_driving(const zw_rods *rods, const zw_place *p, const zw_state *x, double *out);
/* rates of all links of a growing rod at a state; w: memory of the part's laws; out [nlinks] */
zw_status zw_rods_growth_rates(const zw_rod_growth *g, const zw_state *x, const double *w, zw_growth_rate *out);

extern const zw_grow_ops zw_rods_grow_ops;

#endif
