/* SPDX-License-Identifier: Apache-2.0
 * scene_part.h: what the rooms of a scene share: bodies at some times, obstacles, and the view that takes space to paper.
 * Orthographic: p goes to (x0 + scale right.p, y0 - scale up.p); towards = right x up points to who looks. */
#ifndef ZW_RECORD_SCENE_PART_H
#define ZW_RECORD_SCENE_PART_H

#include "base/arena.h"
#include "base/text.h"
#include "expr/expr.h"
#include "math/form.h"
#include "model/model.h"
#include "record/scene.h"
#include "zwang/results.h"

typedef struct zw_scene_solid { /* a convex piece of a rigid body, or an obstacle */
    zw_placed     at;           /* in body axes                                   */
    int           nlines;
    const double *line; /* [nlines][2][3] edges and circles, body axes    */
} zw_scene_solid;

typedef struct zw_scene_shape {
    int                   n;
    const double         *p; /* [n][3] */
    double                radius;
    bool                  closed;
    int                   body;   /* colour */
    bool                  points; /* of a lagrangian body: dots, not a line  */
    bool                  pairs;  /* of a rigid body: every two are a line   */
    int                   nlinks;
    const double         *link; /* [nlinks][2] numbers of points            */
    int                   nsolids;
    const zw_scene_solid *solid; /* of a rigid body whose form is known      */
    double                x[3], R[9];
    double                depth; /* towards who looks */
} zw_scene_shape;

typedef struct zw_scene_moment {
    double          t;
    int             nshapes;
    zw_scene_shape *shape;
    int            *order; /* [nshapes] room */
} zw_scene_moment;

typedef struct zw_scene_wall { /* an obstacle, or an inequality of x, y, z, t */
    zw_form_kind   kind;
    bool           hollow, moves;
    bool           flips;                    /* an inequality: f > 0 is forbidden; of a gap f < 0 is     */
    zw_scene_solid solid;                    /* ball, block, stick, drum: about its own place            */
    double         n[3];                     /* plane                                                    */
    double         x[3], R[9];               /* where it is at the start                                 */
    double         pose[ZW_SCENE_TIMES][12]; /* x and R at the moments                               */
    int            ntriangles;
    const double  *corner; /* [ntriangles][9], from x                                                */
    zw_tape       *tape;
} zw_scene_wall;

typedef struct zw_scene {
    zw_context     *context;
    const zw_model *model; /* NULL: not known; then there are outlines and no obstacles */
    bool            still; /* points of a path of equilibria, not moments of a motion */
    int             nmoments, nbodies;
    zw_scene_moment at[ZW_SCENE_TIMES];
    char            body[ZW_SCENE_TIMES][80]; /* names of the first bodies, for the legend */
    int             ntrails;
    zw_scene_shape *trail; /* where each point went */
    int             nsolids_of;
    zw_scene_shape *solids_of; /* [bodies of the model] their solids */
    int             nwalls;
    zw_scene_wall  *wall;
    double         *in, *work; /* of the tapes */
    int             nmarks;
    double         *mark; /* [nmarks][3] where impacts were */
    double          lo[3], hi[3];
    double          floor; /* where shadows fall: the lowest place, or a level plane of the model */
} zw_scene;

typedef struct zw_scene_view {
    const char *name;
    double      right[3], up[3], towards[3];
    bool        floor;
    bool        large;
    double      width, height;
    double      scale, x0, y0;
} zw_scene_view;

/* scene_read.c */
zw_status zw_scene_read(zw_scene *s, zw_arena *a, const zw_results *r);
void      zw_scene_include(zw_scene *s, int n, const double *p, bool *some); /* widens the box by points */
int       zw_scene_links_of(const zw_scene_shape *one, int point);           /* how many links a point has */
/* scene_mark.c: where points of inequalities were at the times of their impacts */
zw_status zw_scene_marks_read(zw_scene *s, zw_arena *a, const zw_results *r);
/* scene_solid.c: light inside, outline, and the edges that are seen; hollow: all edges and nothing inside */
void      zw_scene_place(const zw_scene_view *v, const double p[3], double *x, double *y);
void      zw_scene_solid_draw(zw_text *t, const zw_scene_view *v, const zw_scene_solid *one, const double x[3], const double R[9],
                              const char *klass, double strength, bool hollow);
int       zw_scene_solid_outline(const zw_scene_view *v, const zw_scene_solid *one, const double x[3], const double R[9], double (*out)[2],
                                 int most);                                  /* on paper */
zw_status zw_scene_solid_lines(zw_arena *a, zw_scene_solid *one, bool fine); /* fills line from at */
/* scene_wall.c */
zw_status zw_scene_walls_read(zw_scene *s, zw_arena *a);
void      zw_scene_walls_draw(zw_text *t, const zw_scene *s, const zw_scene_view *v);
void      zw_scene_walls_end(zw_scene *s);

#endif
