/* SPDX-License-Identifier: Apache-2.0
 * rest.h: the equations of rest as one set of unknowns, and what every search for an equilibrium does with them: sizes, steps, turns and ways, names of places.
 *
 *   R(x, lambda) = forces that are left, and values of the rows;  derivative  [K -A'; A 0], in small turns (rad) and ways (m) of all nodes and bodies
 * A step is measured by  |dx|^2 = 1/n sum(turns^2 + (ways/reach)^2): n nodes, reach the size of the model; forces of rows do not count. It hardly depends on the mesh.
 *
 * Overdamped motion adds a drag per current length l of a rod's nodes, on ways only:  R += drag l (x - base);  l: half of the links beside the node (rest_drag.c).
 *
 * Free directions (neutral.h) are taken out of the derivative by a stiffness on one of their unknowns, a hold; forces are not changed, so that whatever is found is an
 * equilibrium, and the held unknown does not move. */
#ifndef ZW_STEPS_REST_H
#define ZW_STEPS_REST_H

#include "steps/implicit.h"

enum { ZW_REST_HOLDS = 6 };

/* contacts that push, by what meets what; kept where systems are built anew */
typedef struct zw_rest_pushes {
    int      n;
    int64_t *id; /* [room] */
    double  *p;  /* N */
} zw_rest_pushes;

typedef struct zw_rest {
    zw_implicit   *k; /* not owned; may be exchanged for one of the same sizes: zw_rest_use */
    zw_context    *c;
    int            nz, m;
    double         reach;     /* m                                              */
    double         scale;     /* of the measure: 1, but finer where little moves */
    double        *weight;    /* [nz] of the measure of steps; 0: forces of rows */
    double        *diagonal;  /* [nz] of K as last assembled                    */
    double         stiff;     /* largest of diagonal/weight, N m                */
    double         elastic;   /* the same without the drag                      */
    double         force;     /* largest of the terms, N m in the measure of steps */
    double         asymmetry; /* largest difference of K and its transpose, over its largest number */
    bool           lopsided;  /* asymmetry is beyond differences and round-off  */
    int            nholds;
    int            hold[ZW_REST_HOLDS]; /* unknowns */
    bool           soft;                /* more directions are free than can be held: a stiffness of 1e-12 of the largest on all of them */
    double         sigma;               /* added to the diagonal: weight sigma; 0 but for searches far from rest */
    unsigned char *flip;
    /* contacts: their unknowns are behind all others, as many as there are just then */
    bool           meets;
    int            room;   /* unknowns that the arrays above are made for, contacts included */
    double         margin; /* m: what is nearer takes part */
    zw_rest_pushes kept;
    bool           recall; /* pushes of the next look come from kept */
    double        *count;  /* scratch of the factor that counts */
    /* drag of a medium on rods, N/m per m; 0: none */
    double  drag;
    int     blocks;        /* without those of contacts */
    double *base;          /* [3 blocks] where the nodes would be without forces */
    double *place, *share; /* [3 blocks] where they are; [blocks] their share of the current length */
    /* scratch of a search (equilibrium.c, neutral.c): states and forces to come back to */
    const char *subject; /* of its errors: "statics" */
    zw_state    from, good;
    double     *left, *z0, *back, *phi; /* [room] */
    int        *parent;                 /* [nblocks + 1] */
} zw_rest;

double                zw_rest_reach(const zw_implicit *k,
                                    const zw_state    *x); /* size of the model: its largest extent along an axis, m; 1 where it has none */
ZW_MUST_USE zw_status zw_rest_create(zw_implicit *k, const zw_state *x, zw_rest *out);
void                  zw_rest_destroy(zw_rest *s);
ZW_MUST_USE zw_status zw_rest_use(zw_rest *s, zw_implicit *k); /* from now on; its factor counts eigenvalues */

/* room for as many contacts as take part; of a model without contacts for none */
ZW_MUST_USE zw_status zw_rest_pushes_create(const zw_rest *s, zw_rest_pushes *out);
void                  zw_rest_pushes_destroy(const zw_rest *s, zw_rest_pushes *p);
void                  zw_rest_pushes_copy(const zw_rest_pushes *from, zw_rest_pushes *to);
void                  zw_rest_pushes_keep(const zw_rest *s, zw_rest_pushes *out); /* those of s->k */

/* k->r at a state, forces of rows in k->z; with the derivative where wanted (holds and sigma added, diagonal and asymmetry noted) */
ZW_MUST_USE zw_status zw_rest_look(zw_rest *s, const zw_state *x, bool derivative);
/* factors what look assembled; false: singular. *below: eigenvalues below 0 of K on what the rows leave free, so 0 at a stable equilibrium */
bool   zw_rest_factor(zw_rest *s, int *below);
double zw_rest_product(const zw_rest *s, const double *a, const double *b);  /* of the measure: |dx|^2 = product(dx, dx) */
void   zw_rest_scale(zw_rest *s, double scale);                              /* the measure of steps is that of above times scale */
double zw_rest_change(const zw_rest *s, const double *dz);                   /* largest turn or way over reach */
double zw_rest_allowed(const zw_rest *s, const double *dz);                  /* how much of a Newton step may be taken */
void   zw_rest_move(zw_rest *s, const double *dz, double part, zw_state *x); /* x by part of dz; forces of rows in k->z by all of theirs */
/* largest force left over the largest of its terms, and the largest value of a row, of k->r; where: the unknown of the largest force */
void   zw_rest_left(const zw_rest *s, double *force, double *rows, int *where);
double zw_rest_rounding(const zw_rest *s,
                        const double  *way);   /* what rounding leaves of the forces along a way, J; needs a derivative before */
bool   zw_rest_is_roundoff(const zw_rest *s); /* is k->r what rounding leaves? needs a derivative before */

void zw_rest_forces(const zw_rest *s, const double *z, double *lambda); /* forces of rows, in the order of the rows */
void zw_rest_set_forces(const zw_rest *s, const double *lambda, double *z);
/* "node 3 of rod 'beam'", "rigid body 'arm'", "lagrangian 'machine'" of an unknown; "constraint 'root', x" of a force */
/* rest_drag.c: the drag into k->r, k->size and, where wanted, the factor; place and share at x */
void        zw_rest_add_drag(zw_rest *s, const zw_state *x, bool derivative);
void        zw_rest_places(zw_rest *s, const zw_state *x);
void        zw_rest_name(const zw_rest *s, int unknown, char *out, size_t size);
int         zw_rest_block(const zw_rest *s, int unknown);
const char *zw_rest_body(const zw_rest *s, int block); /* name of its body, "" where there is none */

#endif
