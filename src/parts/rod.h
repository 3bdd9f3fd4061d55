/* SPDX-License-Identifier: Apache-2.0
 * rod.h: all Cosserat rods of a model as one population.
 *
 * A rod is a row of nodes (position x, rotation R with directors d1 d2 d3 in its columns, d3 along the rod) joined by links. A link has
 * a reference length l, a natural strain (kappa0, Gamma0) and a stiffness; its strain is the SE(3) logarithm of the relative
 * placement of its nodes, exact for every helix. Masses sit in the nodes: half of each adjacent link, so ends get half
 * (and a whole cell where the model's integrator is the printed poisson or hamel with full ends).
 *
 *   q   per node: x (3), quaternion w x y z (4)
 *   v   per node: Omega, body angular velocity (3); xdot, space velocity (3)
 *   f   per node: torque in the directors (3); force in space (3)
 *
 * Nodes of all rods stand one behind the other, and so do links; link j of a rod joins its nodes j and j+1 (the last one of a ring closes it). */
#ifndef ZW_PARTS_ROD_H
#define ZW_PARTS_ROD_H

#include "model/model.h"
#include "zwang/system.h"

enum { ZW_ROD_NQ = 7, ZW_ROD_NV = 6 };

typedef struct zw_rod {
    const char *name;
    int         node0, nnodes, link0, nlinks;
    bool        closed;
    int         held;   /* shear and stretch strains that rows hold, in the order of Gamma: 0, 2 or 3; no stiffness goes with them */
    double      length; /* reference length, m */
} zw_rod;

typedef struct zw_rod_mesh { /* where the nodes of a rod are */
    int           nlinks;
    const double *label; /* [nlinks + 1] rising, from 0 to the length of the rod */
} zw_rod_mesh;

typedef struct zw_rods {
    zw_context *context;
    zw_arena    arena; /* owns everything below */
    int         nrods, nnodes, nlinks;
    zw_rod     *rod;
    double      gravity[3]; /* m/s^2, constant part */

    /* nodes */
    double *label;     /* s, m                                                                   */
    double *radius;    /* contact and drawing radius, m                                          */
    double *weight;    /* share of the label length, m                                           */
    double *mass;      /* kg                                                                     */
    double *inertia;   /* [3 nnodes] principal moments, kg m^2                                   */
    double *principal; /* [4 nnodes] rotation from directors to principal axes; NULL: the same axes */
    double *inertia33; /* [9 nnodes] in the directors; NULL like principal                        */
    double *q0, *v0;   /* start                                                                  */

    /* links; of a rod that grows l, natural, stiffness and the masses of its nodes follow from the fields s of a state: zw_rods_tune */
    double *l0;        /* label length, m                                                        */
    double *l;         /* reference length, m                                                    */
    double *natural;   /* [6 nlinks] kappa0 (1/m), Gamma0                                         */
    double *stiffness; /* [6 nlinks] B1 B2 B3 (N m^2), K1 K2 K3 (N)                               */
    double *coupling;  /* [36 nlinks] full stiffness; NULL when every link is diagonal            */
    double *damping;   /* [nlinks] Kelvin-Voigt time eta, s; stress += eta C d(strain)/dt          */
    bool    damps;

    double safe_step; /* s, by the formula of step_limit; 0: none */

    struct zw_rods_growth  *growth; /* rod_grow.h; NULL: nothing grows */
    struct zw_rods_wide    *wide;   /* rod_wide.h; NULL: the scalar loops */
    int                     threads;
    struct zw_rods_bracket *bracket; /* rod_bracket.h; NULL until an integrator asks for it */

    /* metric storage */
    double *metric_a; /* mass: [6 nnodes], or blocks [36 nnodes] */
    int    *metric_start, *metric_col;
    double *damp_a; /* M + h D: block tridiagonal (cyclic for rings) */
    int    *damp_start, *damp_col;
    double *force; /* scratch [6 nnodes] */
} zw_rods;

/* the population of all rods of a model; gravity is the constant part of the model's (0 when it depends on time). mesh: of every rod; NULL: links of one length */
zw_status                          zw_rods_create(const zw_model *m, const double gravity[3], const zw_rod_mesh *mesh, void **out);
extern const zw_part_ops           zw_rods_ops;
extern const struct zw_carrier_ops zw_rods_carrier_ops; /* rod_carrier.c */
extern const zw_bracket_ops        zw_rods_bracket_ops; /* rod_bracket.c */
extern const struct zw_secant_ops  zw_rods_secant_ops;  /* rod_balance.c */

/* node at the far end of a link of rod r; i_link counts within the rod */
static inline int zw_rod_far(const zw_rod *r, int i_link) {
    return i_link + 1 < r->nnodes ? r->node0 + i_link + 1 : r->node0;
}

/* label at the far end of a link */
static inline double zw_rod_far_label(const zw_rods *rods, const zw_rod *r, int i_link) {
    return i_link + 1 < r->nnodes ? rods->label[r->node0 + i_link + 1] : r->length;
}

/* brings what the rods keep of the fields s of a state up to date; the slices are those of the part. rod_grow.c */
void               zw_rods_grow(zw_rods *rods, double *s);
static inline void zw_rods_tune(const void *self, const zw_state *x) {
    zw_rods *rods = (zw_rods *)self; /* a cache of what the state says */
    if (rods->growth != NULL) {
        zw_rods_grow(rods, x->s);
    }
}

/* ---- the rooms of a rod, each in its own file */
void      zw_rods_set_inertia(zw_rods *rods, const double *J33); /* rod.c: masses and J33 of all nodes to the metric */
zw_status zw_rod_shape(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r); /* rod_shape.c: fills q0 and natural */
void      zw_rods_elastic(const zw_rods *rods, const double *q, double *f);                         /* rod_force.c: adds */
double    zw_rods_elastic_energy(const zw_rods *rods, const zw_rod *r, const double *q);
void      zw_rod_link_strain(const zw_rods *rods, const zw_rod *r, int i_link, const double *q, double strain[6]);        /* kappa, Gamma */
void      zw_rod_link_stress(const zw_rods *rods, const zw_rod *r, int i_link, const double strain[6], double stress[6]); /* m, n */
bool      zw_rods_overbent(const zw_rods *rods, const double *q, int *i_rod, int *i_link, double *angle);          /* a link near pi? */
void      zw_rods_drift(const void *self, const zw_state *x0, double h, zw_state *x1, int nsome, const int *some); /* rod_drift.c */
void      zw_rods_damp(void *self, const zw_state *x, double *f);                                                  /* rod_damp.c */
void      zw_rods_damp_metric(void *self, const zw_state *x, double h, zw_matrix *H);
void      zw_rods_frame(const void *self, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J); /* rod_frame.c */
/* the frame at tau in 0..1 between two nodes of a link, and how (w, v) of it follow (Omega body, xdot) of each of them */
void zw_rod_between(const double *qa, const double *qb, const double *va, const double *vb, double tau, zw_frame *F, double block[2][36]);
bool zw_rods_place(const void *self, int body, const double u[3], zw_place *out);
void zw_rods_slip(const void *self, const zw_state *x, double label, double from, zw_place *at, double tangent[6]);
int  zw_rods_stations(const void *self, int body, zw_place *out, double *weight, double *label);
bool zw_rods_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out);
/* the one or two links that a strain or stress at a place is taken from, counted in the rod, and their shares; returns how many */
int  zw_rod_measured_links(const zw_rods *rods, const zw_rod *r, const zw_place *p, int link[2], double share[2]);
bool zw_rods_field(const void *self, int i, zw_channel *out, bool *constant); /* rod_observe.c */
void zw_rods_observe(void *self, const zw_state *x, int i, double *out);
bool zw_rods_shown(const void *self, int i);
bool zw_rods_of_balance(const void *self, int i);
void zw_rods_zwang(void *self, const zw_state *x, int i, const double *f, double *out);

#endif
