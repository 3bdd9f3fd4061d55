/* SPDX-License-Identifier: Apache-2.0
 * system.h: the inside of a system: parts, constraints, loads, and the storage that its answers point into. Public face: zwang/system.h. */
#ifndef ZW_SYSTEM_SYSTEM_H
#define ZW_SYSTEM_SYSTEM_H

#include "model/field.h"
#include "rows/carriage.h"
#include "zwang/system.h"

typedef struct zw_load {
    const char *name;
    bool        moment, directors;
    zw_field    field;
    int         nstations;
    zw_place   *place;
    double     *weight, *label;
} zw_load;

typedef struct zw_spring {
    int      constraint; /* its number in the model */
    zw_place a, b;
    bool     ground;
    double   anchor[3]; /* the point of space that it hangs on, where b is the ground */
    double   stiffness, damping, length;
} zw_spring;

typedef struct zw_foundation {  /* foundation.c */
    int     body;               /* of the model */
    int     part, first, count; /* nodes of the part */
    bool    directors;
    double *stiffness, *damping; /* [3 count], times the label length of the node */
    double *weight, *label;      /* [count] */
    double *anchor;              /* [3 count] at the start */
    double  relax;               /* 1/s; > 0: anchors are in s */
    int     s0;
    bool    damps;
} zw_foundation;

typedef struct zw_reference { /* a frame of reference of the model */
    bool        carried;
    zw_carriage moving; /* not carried: by itself; carried: origin and R0 are in the axes of the place */
    zw_place    place;
    double      tilt[4]; /* R0 */
} zw_reference;

struct zw_system {
    zw_context     *context;
    const zw_model *model;
    zw_arena        arena;

    const struct zw_rod_mesh *mesh; /* of the rods, while they are made; NULL: links of one length */

    int      nparts;
    zw_part *part;                   /* all rods, all fields, all rigid bodies, then every lagrangian body */
    int     *body_part, *body_index; /* [nbodies] where a body of the model went */
    zw_size  size;
    bool     damps;

    bool     gravity_moves; /* gravity depends on time: it is a load then, not a potential */
    bool     gravity_acts;
    zw_field gravity;

    int           nreferences;
    zw_reference *reference;

    int            nconstraints;
    zw_constraint *constraint;
    int           *joint_of; /* [constraints of the model] number among constraint[]; -1: a spring, which has no rows */
    int           *along_of; /* [equations along rods] the same */
    bool           rows_move;
    bool           rows_nonlinear;
    zw_rows        rows;
    int            npositions, *position;    /* numbers of the rows that have a position level */
    double        *rate_q, *rate_v, *rate_c; /* for differences of rows along the motion; NULL where none are needed */
    int           *some0, *some;             /* blocks that the rows touch: those of part p are some[some0[p] .. some0[p + 1] - 1] */

    int                 nsides; /* unilateral constraints: rows only while they hold, after the others */
    struct zw_side    **side;
    struct zw_slide   **slide;    /* [nsides] contact.law: stick: rows beside that of the side while it holds; NULL: contacts slide */
    struct zw_features *features; /* forms that meet by located impacts, NULL: none; they own the last of the sides */
    int                 nfixed, nfixed_positions; /* constraints of the model */
    bool                fixed_move;

    int      nloads;
    zw_load *load;

    struct zw_tracks *tracks; /* places that move along rods: track.h */

    int        nsprings;
    zw_spring *spring;
    bool       springs_damp;

    int            nfoundations;
    zw_foundation *foundation;

    zw_matrix *mass_part, *damp_part;
    int       *v0;
    zw_metric  mass, damp;
};

/* track.c: from here on travelling places stay on the helices of the links that they are on at the time t, for differences along a motion; until thawed */
void zw_system_freeze(const zw_system *y, double t);
void zw_system_thaw(const zw_system *y);
/* held.c: rods whose shear or stretch is held by rows. Their force is what the rows carry: is it so at a place; force += of the rows there, in the directors; force of each link
 * += for the channel "rod/NAME/force" of a part. lambda: multipliers of all rows */
bool zw_system_held(const zw_system *y, const zw_place *p);
void zw_system_held_force(const zw_system *y, const zw_place *p, const double *lambda, double force[3]);
void zw_system_held_links(const zw_system *y, int part, const char *channel, const double *lambda, double *out);
/* forces - M a of a constrained motion where the rows push with lambda: minus their forces, but for those of strains that are held, which are forces in the rods. r [nv] */
zw_status zw_system_balance(zw_system *y, const zw_state *x, const double *lambda, double *r);
/* largest step of an explicit integrator that tension in such rods allows, with the link that sets it; 0: there is no tension */
double    zw_system_held_step(const zw_system *y, const zw_state *x, const double *lambda, const char **name, int *link, double *tension);
zw_status zw_system_bind_place(const zw_system *y, const zw_place_def *def, const char *subject, zw_place *out); /* bind.c */
zw_status zw_system_bind_frames(zw_system *y); /* frame.c: frames of reference, and the start of what is placed in them */
void      zw_system_destroy_frames(zw_system *y);
zw_status zw_system_bind_sides(zw_system *y);    /* hold.c */
zw_status zw_system_bind_contacts(zw_system *y); /* sides that need the joints: their limits, and features of forms */
void      zw_system_count_sides(const zw_system *y, int *tiles, int *rows, int *blocks, int *values);
void      zw_system_destroy_sides(zw_system *y);
zw_status zw_system_bind_slides(zw_system *y, const zw_state *x); /* slides.c: after all sides */
int       zw_system_sides(const zw_system *y, struct zw_side *const **sides);
struct zw_features *zw_system_features(const zw_system *y);
/* these sides, and no others, are equations from now on; integrators are to be made anew */
void      zw_system_hold(zw_system *y, int n, const int *which);
zw_status zw_system_bind_loads(zw_system *y); /* load.c */
void      zw_system_destroy_loads(zw_system *y);
zw_status zw_system_bind_springs(zw_system *y, const zw_state *x);                  /* spring.c */
void      zw_system_spring_force(const zw_system *y, const zw_state *x, double *f); /* adds */
double    zw_system_spring_energy(const zw_system *y, const zw_state *x);
zw_status zw_system_bind_foundations(
    zw_system *y); /* foundation.c: after the bodies are placed, before a state is made; adds to the size */
void   zw_system_foundation_start(const zw_system *y, zw_state *x);
void   zw_system_foundation_force(const zw_system *y, const zw_state *x, double *out); /* adds, as the next one */
void   zw_system_foundation_damp(const zw_system *y, const zw_state *x, double *out);
double zw_system_foundation_energy(const zw_system *y, const zw_state *x);
double zw_system_foundation_fastest(const zw_system *y); /* largest square of an angular frequency, of single nodes */
bool   zw_system_foundations_relax(const zw_system *y);
/* anchors of glue over h, while the rod goes straight from x0 to x1: s of x1 */
void zw_system_foundation_relax(const zw_system *y, const zw_state *x0, double h, const double *q1, zw_state *x1);
void zw_system_foundation_carry(const zw_system *from, const zw_state *x, const zw_system *to, zw_state *x1); /* to another mesh */
int  zw_system_foundation_nearest(const zw_system *y, int foundation, double s);                              /* node of it */
/* moment and force on the rod: per label length at a node; node -1: the sum, with the moment about the first node's place */
void          zw_system_foundation_reaction(const zw_system *y, const zw_state *x, int foundation, int node, double wrench[6]);
const double *zw_foundation_anchors(const zw_foundation *f, const zw_state *x);
/* force of a spring on its first place, as a constraint's reaction: moment, force; false: that constraint is no spring */
bool zw_system_spring_reaction(const zw_system *y, const zw_state *x, int constraint, double wrench[6]);

#endif
