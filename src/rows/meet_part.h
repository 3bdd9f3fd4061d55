/* SPDX-License-Identifier: Apache-2.0
 * meet_part.h: the inside of zw_meet. Boxes of the broad phase are numbered: pieces first, then obstacles. Ids count solids instead of obstacles:
 * a solid is an obstacle, or one triangle of a mesh. */
#ifndef ZW_ROWS_MEET_PART_H
#define ZW_ROWS_MEET_PART_H

#include "base/arena.h"
#include "math/sweep.h"
#include "model/field.h"
#include "parts/carrier.h"
#include "rows/meet.h"

enum { ZW_MEET_BITS = 21, ZW_MEET_POINTS = 8 }; /* bits of each of the three numbers in an id; points of a pair */

typedef struct zw_meet_piece {
    int part, k;     /* number in the part                  */
    int body, piece; /* body of the model; number in it     */
    int link, rod;   /* >= 0: link of a rod; rod of the part */
} zw_meet_piece;

typedef enum zw_solid_kind {
    ZW_SOLID_FORM,
    ZW_SOLID_PLANE,
    ZW_SOLID_BALL_ROOM,
    ZW_SOLID_PIPE,
    ZW_SOLID_ENDLESS,
    ZW_SOLID_MESH,
    ZW_SOLID_LEVEL
} zw_solid_kind;

typedef struct zw_meet_node { /* of a tree of triangles; its left half is the next node */
    zw_box box;
    int    first, count, right; /* in the order of the tree; -1: a leaf */
} zw_meet_node;

typedef struct zw_meet_obstacle {
    const zw_obstacle_def *def;
    zw_solid_kind          kind;
    zw_form                form;         /* of its own; endless: radius              */
    double                 x0[3], R0[9]; /* at the start; plane and pipe: z is the normal, the axis */
    bool                   moves;
    zw_field               motion, rate; /* shift and turn of t                     */
    double                 x[3], R[9];   /* at the time last asked for              */
    double                 v[3], w[3];   /* velocity of x, angular velocity, space  */
    int                    solid0, nsolids;
    double                *corner; /* mesh: [9 nsolids] triangles in its own axes                          */
    double                *normal; /* [3 nsolids]                                                          */
    double                *across; /* [9 nsolids] beyond edge k the next triangle's corner; NAN: a border  */
    int                   *point;  /* [3 nsolids] number of a corner; neighbours of point i are            */
    int                   *ring0;  /*   ring[3 ring0[i] .. 3 ring0[i + 1])                                 */
    double                *ring;
    unsigned char         *bent;  /* [nsolids] bit k: edge k sticks out; bit 3 + k: corner k does         */
    zw_form               *facet; /* [nsolids]                                      */
    zw_meet_node          *tree;
    int                    ntree, *tree_order, *tree_found;
    zw_field               level; /* gap, its gradient, its rate                    */
} zw_meet_obstacle;

struct zw_meet {
    zw_context            *context;
    const zw_model        *model;
    zw_system             *y;
    zw_arena               arena;
    int                    nparts;
    const zw_part         *part;
    int                    npieces, nsolids, nobstacles, nsides;
    zw_meet_piece         *piece;
    zw_meet_obstacle      *obstacle;
    int                   *of_solid; /* [nsolids] obstacle */
    struct zw_side *const *side;
    int                    side_blocks, side_values;
    bool                   all;              /* no list of pairs */
    int                    njoined, nlisted; /* pairs of bodies, sorted */
    int (*joined)[2], (*listed)[2];
    double *label, *link,
        *reach;    /* links of rods: middle along the rod, length, pi d/2, m; by reference lengths, as they are at the state */
    bool    grows; /* some rod grows: these change */
    double *ring;  /* length of the closed rod, 0: open */
    double  restitution, friction;

    zw_form    *own;    /* [npieces] */
    zw_placed  *placed; /* [npieces] */
    zw_box     *box;
    zw_sweep    sweep;
    int         room;
    zw_meeting *found;
};

/* ---- meet_create.c */
zw_status zw_meet_build(zw_system *y, const zw_model *m, int nsides, struct zw_side *const *side, zw_meet **out);
bool      zw_meet_skips(void *user, int i, int j);
void      zw_meet_measure(zw_meet *s, const zw_state *x); /* how long links are, where along their rods, how thick; x NULL: at the start */
/* ---- meet_obstacle.c */
zw_status zw_meet_obstacles_create(zw_meet *s);
void      zw_meet_obstacles_destroy(zw_meet *s);
zw_status zw_meet_obstacle_at(zw_meet *s, zw_meet_obstacle *o, double t);
void      zw_meet_obstacle_box(const zw_meet_obstacle *o, double margin, zw_box *out);
void      zw_meet_obstacle_velocity(const zw_meet_obstacle *o, const double r[3], double v[3]);
/* the placed form of a solid; endless: as much of it as the other form can reach; false: it has none (plane, hollow, level) */
bool zw_meet_solid_place(const zw_meet_obstacle *o, int solid, const zw_placed *other, zw_form *own, zw_placed *out);
/* ---- meet_row.c: between the two points of a touch */
void zw_meet_middle(const zw_meeting *m, double out[3]);
/* ---- meet_pair.c: all points where a piece meets another or a solid; returns how many, the first ZW_MEET_POINTS of them */
int  zw_meet_forms(const zw_placed *a, const zw_placed *b, double margin, bool endless, zw_meeting *out);
int  zw_meet_plane(const zw_placed *a, const zw_placed *plane, double margin, zw_meeting *out);
int  zw_meet_hollow(const zw_placed *a, const zw_meet_obstacle *o, double margin, zw_meeting *out);
void zw_meet_hollow_again(const zw_placed *a, const zw_meet_obstacle *o, const zw_feature *f, zw_touch *out);
/* ---- meet_feature.c */
/* the features at a touch of two forms; several: it is one of a face of contact, whose points may share a normal; endless: b is a stretch of an endless stick */
void zw_meet_features(const zw_placed *a, const zw_placed *b, double slack, bool several, bool endless, zw_meeting *m);
/* gap, normal and points of the features of m; false: not of this kind (whole forms, hollows, levels) */
bool zw_meet_evaluate(const zw_placed *a, const zw_placed *b, const zw_feature *fa, const zw_feature *fb, zw_touch *out);
int  zw_meet_feature_number(const zw_meeting *m);
/* the corner, cap or rim of a form that touches with t->a, or that point of it */
void zw_meet_corner(const zw_placed *a, const zw_touch *t, zw_feature *out);
/* ---- meet_level.c */
zw_status zw_meet_level_create(zw_meet *s, zw_meet_obstacle *o);
zw_status zw_meet_level_find(zw_meet *s, zw_meet_obstacle *o, const zw_placed *a, double t, double margin, zw_meeting *out, int *n);
/* signed distance of p (own axes of the obstacle) from the level, less a radius; nearest point, normal there, and what the level's own motion does to it */
zw_status zw_meet_level_nearest(zw_meet *s, zw_meet_obstacle *o, const double p[3], double radius, double t, double *gap, double y[3],
                                double m[3], double *rate);
enum {
    ZW_LEVEL_VALUE,
    ZW_LEVEL_GRADIENT,
    ZW_LEVEL_RATE = 4,
    ZW_LEVEL_BENDS,
    ZW_LEVEL_COUNT = 11
}; /* of the field; bends: xx xy xz yy yz zz */
zw_status zw_meet_level_again(zw_meet *s, zw_meet_obstacle *o, const zw_placed *a, double t, zw_meeting *m);
/* ---- meet_tree.c: which triangles overlap a box (in space), rising; the box of all */
zw_status zw_meet_tree_create(zw_meet *s, zw_meet_obstacle *o);
int       zw_meet_tree_find(zw_meet_obstacle *o, const zw_box *box, const int **out);
void      zw_meet_tree_box(const zw_meet_obstacle *o, double margin, zw_box *out);
/* ---- meet_mesh.c */
zw_status zw_meet_mesh_create(zw_meet *s, zw_meet_obstacle *o);
int       zw_meet_facet(const zw_meet_obstacle *o, int solid, const zw_placed *a, const zw_placed *facet, double margin, zw_meeting *out);

static inline zw_state zw_meet_slice(const zw_meet *s, const zw_meet_piece *p, const zw_state *x) {
    const zw_part *part = &s->part[p->part];
    return (zw_state){.t = x->t, .q = x->q + part->q0, .v = x->v + part->v0, .s = x->s + part->s0};
}

#endif
