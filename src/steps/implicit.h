/* SPDX-License-Identifier: Apache-2.0
 * implicit.h: one implicit step of the whole system as one set of equations in the mean velocities u and the impulses of the rows.
 *
 *   implicit_pattern.c   blocks, who couples with whom, where multipliers live
 *   implicit_balance.c   the balance of momenta of all parts, loads and springs, and its derivative
 *   implicit_rows.c      rows: joints between levers exactly, everything else by the midpoint and a correction that makes it workless
 *   implicit_links.c     strains of rods that are held: exactly; and where the multipliers of such rods live
 *   implicit_along.c     equations along rods, section by section
 *   implicit_contact.c   contacts, in a step and at rest: implicit_contact.h
 *   energy_momentum.c    Newton, shorter steps where it fails, the integrator itself
 *
 * Unknowns come in blocks: the columns of a node, of a body or of a whole lagrangian part, then the impulses of the rows that were given to it. A row is given to a body
 * with columns left for it, so that eliminating the body with it is sound; rows that find none (loops) are blocks of their own, eliminated last. Trees then cost
 * linear time, and loops a small dense end. */
#ifndef ZW_STEPS_IMPLICIT_H
#define ZW_STEPS_IMPLICIT_H

#include "base/arena.h"
#include "zwang/secant.h"
#include "project/blocklu.h"
#include "system/system.h"
#include "zwang/step.h"

typedef struct zw_implicit_block {
    int           part, index; /* -1: rows only                        */
    int           col0, ncol;  /* columns of the system                */
    int           nrows;       /* impulses behind the columns          */
    unsigned char last;        /* 1: eliminated behind all others, 2: behind those */
    int           z0;          /* first unknown                        */
} zw_implicit_block;

typedef enum zw_tie_kind {
    ZW_TIE_LEVERS,  /* a joint between turning nodes or the ground: bilinear */
    ZW_TIE_LINK,    /* strains of a link of a rod: kirchhoff.h              */
    ZW_TIE_PLACES,  /* holonomic, other places: midpoint, corrected          */
    ZW_TIE_VELOCITY /* nonholonomic: at the midpoint                         */
} zw_tie_kind;

typedef struct zw_tie { /* the rows of one constraint, or of one link of it */
    zw_tie_kind kind;
    int         constraint, row0, m;
    int         link;     /* in its rod; along: the section */
    bool        travels;  /* along a rod: it touches all nodes that it may come to */
    bool        along;    /* a section of rows along a rod: ZW_TIE_PLACES or ZW_TIE_VELOCITY */
    int         home, at; /* block that its impulses live in, and the first of them there (columns not counted) */
    bool        ground;
    zw_lever    lever[2];
    int         block[2];           /* levers: blocks of A and B; links: near and far node */
    int         ntouched, *touched; /* others: blocks, and their rows: mean and end, one block behind the other */
    int         ncolumns;           /* of all touched              */
    double     *mean, *end;         /* [m ncolumns]               */
    double     *g, *g0;             /* [m] at the end, at the start of the step */
} zw_tie;

typedef struct zw_implicit_spring {
    int      spring; /* number in the system */
    bool     exact;
    zw_lever lever[2];
    int      block[2]; /* -1: ground */
} zw_implicit_spring;

typedef struct zw_implicit {
    zw_system          *y;
    zw_context         *c;
    zw_arena            arena;
    zw_size             n;
    int                 m, nblocks, nz;
    zw_implicit_block  *block;
    int                *part_block; /* [nparts] first block of a part */
    int                 nties;
    zw_tie             *tie;
    double              shortest; /* link whose strains rows hold, m: its nodes turn where their places move across it; 0: none */
    int                 nsprings;
    zw_implicit_spring *spring;
    zw_blocklu          lu;
    double              damp;  /* algorithmic */
    zw_spin             spin;  /* statics: of the frame that is rested in */
    double              share; /* 1: only the end of the step moves; 2: both states are the one that is sought (statics) */
    /* work */
    zw_state                     xm, near;                /* half way; for differences */
    double                      *u, *impulse, *ru, *size; /* columns; rows; balance and the size of its terms, columns */
    double                      *f, *fu, *flat;           /* columns; flat: scratch of flat parts */
    double                      *z, *r, *dz;              /* unknowns */
    zw_rows                      rows;                    /* scratch: of one constraint */
    double                      *ease;     /* [m] what keeps redundant rows solvable: a compliance far below round-off of the rest */
    struct zw_implicit_contacts *contacts; /* NULL: none (implicit_contact.h) */
} zw_implicit;

zw_status zw_implicit_create(zw_system *y, zw_implicit *k);
zw_status zw_implicit_stays(zw_system *y, const char *what); /* raises where a constraint travels along a rod; what: who cannot follow it */
void      zw_implicit_destroy(zw_implicit *k);
/* k->u, k->impulse and x1 from k->z, then k->r; with the derivative in k->lu where wanted */
zw_status zw_implicit_balance(zw_implicit *k, const zw_state *x0, double h, zw_state *x1, bool derivative, zw_secant_sum *sum);
/* rows into k->ru and k->r; into the factor */
zw_status zw_implicit_rows_begin(zw_implicit *k, const zw_state *x0);
zw_status zw_implicit_rows(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum);
/* rows of a tie between places at a state, in the columns of mean velocities there, block by touched block: out [block][m ncol] */
zw_status zw_implicit_rows_at(zw_implicit *k, const zw_tie *t, const zw_state *x, double *out);
/* implicit_links.c: how many ties a constraint has; the tie of a link; homes of all ties where a rod holds strains, false: there is no such rod; rows of a link as zw_implicit_rows */
int       zw_implicit_ties_of(const zw_constraint *c);
void      zw_implicit_link(zw_implicit *k, int constraint, int link, zw_tie *t);
zw_status zw_implicit_link_homes(zw_implicit *k, bool *found);
void      zw_implicit_link_rows(zw_implicit *k, zw_tie *t, const zw_state *x0, double h, const zw_state *x1, bool derivative,
                                zw_secant_sum *sum);
/* implicit_along.c: the tie of a section; its values; its rows in columns of u, block by touched block; K += minus f times how its forces turn with the state x, in the columns of the mean velocities,
 * where D (NULL: 1) is how turns and ways of each touched block follow them */
zw_status zw_implicit_along(zw_implicit *k, int constraint, int section, zw_tie *t);
zw_status zw_implicit_along_values(const zw_implicit *k, const zw_tie *t, const zw_state *x, int level, double *c);
zw_status zw_implicit_along_rows(const zw_implicit *k, const zw_tie *t, const zw_state *x, double *out);
zw_status zw_implicit_along_turns(zw_implicit *k, const zw_tie *t, const zw_state *x, double f, double (*D)[36]);
/* implicit_foundation.c: foundations over a step, as springs are; C += what their damping takes per velocity, at rest */
void      zw_implicit_foundations(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum);
void      zw_implicit_foundation_damping(zw_implicit *k, const zw_state *x);
int       zw_tie_touched(const zw_tie *t); /* blocks that it acts on */
int       zw_tie_touched_block(const zw_tie *t, int i);
zw_status zw_implicit_springs(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum);
/* Equilibrium: forces that are left at a state at rest, k->r = what parts take - loads - rows' impulse, and values of the rows; unknowns of the derivative are small
 * turns and ways. k->impulse is taken from k->z */
zw_status zw_implicit_equilibrium(zw_implicit *k, const zw_state *x, bool derivative);
/* implicit_norm.c: lambda of an equilibrium where rows are redundant: that of least norm; the rows that follow from others, at most so many; how many they are */
zw_status zw_implicit_least_norm(zw_implicit *k, const zw_state *x, double *lambda, int *row, int most, int *redundant);
/* block (i, j) += a (m x n, row-major) at rows r0, columns c0 */
void zw_implicit_add(zw_implicit *k, int i, int j, int r0, int c0, int m, int n, const double *a);
typedef struct zw_implicit_into { /* blocks of one part */
    zw_implicit *k;
    int          part;
} zw_implicit_into;
zw_secant_sink zw_implicit_sink(zw_implicit_into *into); /* for what a part adds; valid as long as into */
int            zw_implicit_block_of(const zw_implicit *k, int column);
zw_status      zw_implicit_pattern(zw_implicit *k, zw_arena *arena, zw_blocklu *out); /* of all blocks, contacts included */
zw_state       zw_implicit_slice(const zw_implicit *k, int part, const zw_state *x);

#endif
