/* SPDX-License-Identifier: Apache-2.0
 * field.h: all fields of a model as one population. A field is a chain: momenta mu (per length) on nodes 0..J and strains gamma on links, with values in the
 * dual of a Lie algebra and in the algebra, moved by the bracket of parts/field_bracket.c and a Hamiltonian density h(gamma, mu, s) that the user wrote.
 *
 *   energy   sum over the links of ds/2 [h(gamma, mu_a, s_a) + h(gamma, mu_b, s_b)];  with whole ends, end nodes count a whole cell in what depends on mu
 *   zeta     dh/dmu of a node: the mean over its links;   sigma   dh/dgamma of a link: the mean over its nodes;   beyond the ends dh/dgamma = 0
 *   state    s = z = (mu of all fields, gamma of all fields), node by node; neither q nor v */
#ifndef ZW_PARTS_FIELD_H
#define ZW_PARTS_FIELD_H

#include "math/lie.h"
#include "model/field.h"
#include "zwang/system.h"

typedef struct zw_chain {
    const char *name;
    zw_where    at; /* of the Hamiltonian */
    int         n, nlinks;
    size_t      mu0, gamma0; /* where its numbers begin in z */
    double      length, ds;
    double      end; /* weight of the end nodes in cells: 1/2, or 1 */
    zw_lie      algebra;

    zw_node    hamiltonian;
    bool       mixed;                         /* dh/dmu depends on gamma                      */
    bool       varies;                        /* dh/dgamma depends on mu or on s              */
    bool       couples;                       /* dh/dgamma depends on mu                     */
    zw_tape   *energy, *pace, *bend, *stress; /* h; dh/dmu; the same and d2h/dmu2; dh/dgamma */
    double    *in, *work;
    int        slot_s;
    const int *slot_mu, *slot_gamma;

    int          ncasimirs;
    const char **casimir_name;
    zw_tape     *casimir; /* all of them, of mu */
    double      *casimir_start;
} zw_chain;

typedef struct zw_fields {
    zw_context     *context;
    const zw_model *model;
    zw_arena        arena;
    int             nchains;
    zw_chain       *chain;
    size_t          nz, nmu;
    double         *start;          /* [nz] */
    double         *gradient;       /* [nz] scratch: zeta and sigma */
    double         *casimir;        /* scratch */
    double         *middle, *force; /* scratch [nz], [nmu]: new momenta with old strains, and what they do */
    zw_bracket_rule rule;
    int             fault_chain, fault_node; /* where the momenta could not be solved for */
    double          safe_step;
} zw_fields;

zw_status                   zw_fields_create(const zw_model *m, void **out);
extern const zw_part_ops    zw_fields_ops;
extern const zw_bracket_ops zw_fields_bracket_ops; /* field_bracket.c */

static inline const double *zw_chain_mu(const zw_chain *c, const double *z, int node) {
    return z + c->mu0 + (size_t)c->n * (size_t)node;
}
static inline const double *zw_chain_gamma(const zw_chain *c, const double *z, int link) {
    return z + c->gamma0 + (size_t)c->n * (size_t)link;
}
static inline double zw_chain_weight(const zw_chain *c, int node) { /* cells that a node stands for */
    return node == 0 || node == c->nlinks ? c->end : 1.0;
}

/* ---- field_energy.c: the Hamiltonian and its derivatives; gamma is that of z, mu of a node may be another */
zw_status zw_chain_bind_energy(zw_fields *f, zw_chain *c, const zw_field_def *def);
void      zw_chain_unbind_energy(zw_chain *c);
void      zw_chain_pace(zw_chain *c, const double *z, int node, const double *mu, double *zeta);
void zw_chain_bend(zw_chain *c, const double *z, int node, const double *mu, double *zeta, double *slope); /* slope [n][n] = d zeta/d mu */
void zw_chain_stress(zw_chain *c, const double *z, int link, double *sigma);
void zw_chain_energy(zw_chain *c, const double *z, double *kinetic, double *elastic);     /* kinetic: what vanishes with mu */
zw_status zw_chain_check_energy(zw_fields *f, zw_chain *c, const double *z);              /* raises where it is not finite */
zw_status zw_chain_step_limit(zw_fields *f, zw_chain *c, const double *z, double *limit); /* 2/omega_max; 0: none */
void      zw_chain_casimirs(zw_chain *c, const double *z, double *out);                   /* at the total momentum */

/* ---- field_bracket.c */
/* a link with slopes T of its strain (T = 1 -+ ds/2 ad without the true ones): near = T(-x)' sigma, far = T(x)' sigma */
void zw_chain_push(const zw_chain *c, zw_bracket_scheme scheme, const double *gamma, const double *sigma, double *near, double *far);
/* rate = (T(x) zb - T(-x) za)/ds */
void zw_chain_pull(const zw_chain *c, zw_bracket_scheme scheme, const double *gamma, const double *za, const double *zb, double *rate);
/* {f, g} at z. df, dg: laid out like z, derivatives per length: df/dmu_j/(w_j ds), df/dgamma/ds */
double zw_chain_bracket(const zw_chain *c, zw_bracket_scheme scheme, const double *z, const double *df, const double *dg);
void   zw_chain_gradient(zw_chain *c, const double *z, double *out); /* of the energy, for zw_chain_bracket */

#endif
