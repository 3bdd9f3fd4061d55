/* SPDX-License-Identifier: Apache-2.0
 * feature_part.h: the inside of zw_features. */
#ifndef ZW_ROWS_FEATURE_PART_H
#define ZW_ROWS_FEATURE_PART_H

#include "base/arena.h"
#include "parts/rigid.h"
#include "parts/rod.h"
#include "rows/feature.h"
#include "rows/meet_part.h"

/* ---- what a formula is made of; "a" has the corner, but for edges */
typedef enum zw_formula_kind {
    ZW_CORNER_FACE,
    ZW_CORNER_EDGE,
    ZW_CORNER_CORNER,
    ZW_CORNER_BALL_ROOM,
    ZW_CORNER_PIPE,
    ZW_EDGE_EDGE,
    ZW_RIM_FACE,
    ZW_RIM_BALL_ROOM,
    ZW_CORNER_RIM,
    ZW_RIM_EDGE,       /* a sharp edge passes the plane of the rim next to the rim   */
    ZW_RIM_EDGE_CHORD, /* a sharp edge across the cap, where it leaves the cap          */
    ZW_RIM_RIM,
    ZW_RIM_ROUND, /* axis of a stick or drum, or of a pipe from inside: the place on the rim is solved for (feature_rim.c) */
    ZW_FORMULAS
} zw_formula_kind;

enum { ZW_FEATURE_INPUTS = 2 * ZW_MOVER_NUMBERS + 1, ZW_FORMULA_NUMBERS = 19, ZW_RIM_SECTORS = 4 };

typedef struct zw_constants { /* of a feature, in the axes of its movers */
    double p[3], f[3];        /* on a: corner or a point of the edge, middle of the rim; direction of the edge, axis of the rim    */
    double e[3], u[3];        /* on b: corner or a point of the edge; direction of the edge, normal of the face, axis              */
    double o[3];              /* on a: across the axis of the rim, where its angle is 0                                          */
    double d;                 /* what is taken off: radii, offset of the face; rooms: radius without that of the corner           */
    double sign, rho;         /* which side of the edges, which of two crossings; radius of the rim                             */
    double phi;               /* where on the rim its sector begins                                                              */
} zw_constants;

/* roots of the tape of a state */
enum { ZW_AT_GAP, ZW_AT_RATE, ZW_AT_SLOPES, ZW_AT_ROOTS = ZW_AT_SLOPES + 12 }; /* slopes: by velocity and spin of a, of b */

/* half the square of the distance, with the sign of the gap: its slope and bend by the angle; slope of the rate; the distance */
enum { ZW_ROUND_SLOPE, ZW_ROUND_BEND, ZW_ROUND_RATE, ZW_ROUND_WAY, ZW_ROUND_ROOTS };

typedef struct zw_formula {
    zw_tape *at, *gap, *rate, *bend;
    zw_tape *across; /* square of the sine between edges: below a bound there is no crossing; NULL: everywhere there is one */
    zw_tape *round;  /* of a rim, roots ZW_ROUND_*: see feature_rim.c; NULL elsewhere */
} zw_formula;

typedef struct zw_formulas {
    zw_pool     *pool;
    int          slot[ZW_FEATURE_INPUTS - 1], constant[ZW_FORMULA_NUMBERS], ninputs;
    zw_formula   of[ZW_FORMULAS];
    zw_tape     *relative, *relative_rate; /* the corner of a in the axes of b; how it moves there */
    double      *in, *work;
    zw_interval *box, *slope, *box_work, *level_in, *level_work; /* of expressions of levels */
} zw_formulas;

/* ---- elements of a form, in the axes of its mover */
enum { ZW_ELEMENT_TANGENTS = 64 };
typedef struct zw_corner {
    double p[3];
    int    nways; /* edges that leave it */
    double (*way)[3];
} zw_corner;
typedef struct zw_edge {
    double p[3], u[3], length; /* from p along u; length INFINITY: endless */
    int    nfaces;
    double inward[2][3]; /* into its faces, across the edge */
} zw_edge;
typedef struct zw_wall { /* a face */
    double n[3], d;      /* n.r = d */
    int    nsides;
    double (*at)[3], (*inward)[3]; /* its sides; a disc has none */
    double radius, middle[3];      /* of a disc; 0: not one */
} zw_wall;
typedef struct zw_elements {
    int        ncorners, nedges, nwalls, nrims;
    zw_corner *corner;
    zw_edge   *edge;
    zw_wall   *wall;
    zw_corner  rim[2];      /* middles; way[0] is outward along the axis */
    double     radius;      /* of corners and edges */
    double     edge_radius; /* of a drum's side: that of its axis, whose corners are no corners */
} zw_elements;

typedef struct zw_mover {
    enum { ZW_MOVER_RIGID, ZW_MOVER_NODE, ZW_MOVER_LINK, ZW_MOVER_OBSTACLE } kind;
    int             index; /* body of the part, node, first node of a link, obstacle */
    int             far;   /* the other node of a link          */
    int             part;
    const zw_rigid *rigid;
} zw_mover;

typedef struct zw_form_pair {
    int           a, b; /* pieces; b: piece or npieces + solid */
    int           mover[2];
    zw_solid_kind kind;    /* of b */
    zw_placed     form[2]; /* in the axes of the movers */
    bool          link[2]; /* a link of a rod: as long as its mover says */
    double        size;
    int           side0, nsides;
    char          name[80];
} zw_form_pair;

typedef struct zw_feature_side {
    zw_side          side;
    zw_features     *set;
    int              first; /* which of the pair's movers is a: 0, 1 */
    zw_formula_kind  kind;
    zw_constants     c;
    double           reach;     /* of the constants: sizes of their terms */
    const zw_corner *corner[2]; /* of a, of b */
    const zw_edge   *edge[2];   /* of a, of b */
    const zw_wall   *wall;      /* of b */
    bool             sharp;     /* no radius: a closed gap may belong to another direction of contact */
} zw_feature_side;

struct zw_features {
    zw_context      *context;
    const zw_model  *model;
    zw_meet         *meet;
    zw_arena         arena;
    const zw_part   *parts;
    int              nmovers;
    zw_mover        *mover;
    int              npairs;
    zw_form_pair    *pair;
    int              nsides;
    zw_feature_side *side;
    zw_formulas      formulas;
};

zw_status zw_formulas_create(zw_context *c, zw_formulas *f); /* feature_formula.c */
void      zw_formulas_destroy(zw_context *c, zw_formulas *f);
zw_status zw_elements_create(zw_arena *a, const zw_placed *form,
                             zw_elements *out); /* feature_element.c: form is in the axes of its mover */
zw_status zw_elements_triangle(zw_arena *a, const double t[9], const double n[3], unsigned bent, zw_elements *out);
/* feature_mover.c: the number of a mover that is known already, or of a new one */
int zw_features_add_mover(zw_features *f, zw_mover m);
/* feature.c */
bool zw_feature_evaluate(zw_feature_side *s, const double *z, double out[ZW_AT_ROOTS]); /* false: it has no gap here */
void zw_feature_side_init(zw_features *set, zw_feature_side *s, int pair, int first, zw_formula_kind kind);
/* feature.c: numbers of both movers of a side and the time; inputs along a step, their rates, which of them time alone moves; the row of slopes by velocities and
 * spins of a, of b */
zw_status zw_feature_numbers(zw_feature_side *s, const zw_state *x, double *z);
void      zw_feature_read(zw_side *side, const zw_system *y, const zw_state *x, double *z);
void      zw_feature_rates(zw_side *side, const zw_interval *z, zw_interval *dz);
bool      zw_feature_timed(const zw_side *side, int input);
zw_status zw_feature_restitution(zw_side *side, const zw_system *y, const zw_state *x, double *e);
zw_status zw_feature_row(zw_feature_side *s, const double *z, const double *slopes, int64_t id, zw_rows *A);
void      zw_feature_put_boxes(const zw_feature_side *s, const zw_interval *z, bool constants, zw_interval *to);
/* feature_level.c: the side of a corner against a level; memory for boxes of its expression */
zw_status zw_feature_level_init(zw_features *set, zw_feature_side *s);
/* feature_rim.c: the angle of the rim of a that is nearest to the line of b; false: none in the sector of the side */
bool   zw_rim_solve(const zw_feature_side *s, const double *z, double *phi);
double zw_rim_pace(const zw_feature_side *s, const double *z); /* how fast that angle changes */
/* the same over a box of inputs (f->box, as put there by the side): true: *phi holds all of them. Otherwise *least is a lower bound of the gap over the sector */
bool zw_rim_enclose(zw_feature_side *s, const double *middle, zw_interval *phi, double *least);
/* feature_inside.c: z: numbers of both movers */
double zw_feature_inside(const zw_feature_side *s, const double *z, double *speed);
bool   zw_feature_touches(zw_side *s, const zw_system *y, const zw_state *x, const zw_side_look *at);
void   zw_feature_margin(zw_side *s, const zw_system *y, const zw_state *x, double *margin, double *speed);

#endif
