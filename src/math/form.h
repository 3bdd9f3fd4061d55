/* SPDX-License-Identifier: Apache-2.0
 * form.h: bodies as geometry: volume and inertia, how far a form reaches in a direction, and how far two forms are from each other.
 * Convex forms are a core swept by a radius: sphere = point, capsule = segment; box, cylinder, hull have radius 0. */
#ifndef ZW_MATH_FORM_H
#define ZW_MATH_FORM_H

#include <stdbool.h>
#include <stddef.h>

#define ZW_CLOUD_MOST 1024 /* points of a cloud whose inertia can be had (the hull is built on the stack) */

typedef enum zw_form_shape { ZW_SHAPE_BALL, ZW_SHAPE_STICK, ZW_SHAPE_BLOCK, ZW_SHAPE_DRUM, ZW_SHAPE_CLOUD } zw_form_shape;

typedef struct zw_form { /* in its own axes, about its own origin */
    zw_form_shape shape;
    double        radius;  /* ball, stick, drum               */
    double        half;    /* half length along z: stick, drum */
    double        size[3]; /* half sizes of a block            */
    int           n;       /* points of a cloud (its convex hull is meant) */
    const double *point;   /* [3 n]                            */
} zw_form;

/* volume, centre of volume and inertia about that centre for density 1 (row-major); false: no volume (a flat hull) */
bool zw_form_inertia(const zw_form *f, double *volume, double centre[3], double inertia[9]);
/* the point of the form farthest along d (own axes) */
void   zw_form_support(const zw_form *f, const double d[3], double out[3]);
double zw_form_reach(const zw_form *f); /* largest distance of its points from the origin */

typedef struct zw_placed { /* a form in space: r = x + R p */
    const zw_form *form;
    double         x[3], R[9];
} zw_placed;

typedef struct zw_touch {
    double gap;        /* > 0 apart, < 0 how deep they overlap     */
    double n[3];       /* unit, from a to b                        */
    double a[3], b[3]; /* nearest (or deepest) points, space     */
} zw_touch;

/* distance and nearest points of two convex forms; exact for balls, sticks and blocks among themselves, to 1e-12 of the size for all */
void zw_form_distance(const zw_placed *a, const zw_placed *b, zw_touch *out);
/* where two forms that touch or nearly touch (gap <= margin) meet: up to 8 points that together span the face of contact, each with its own gap along the common normal */
int zw_form_manifold(const zw_placed *a, const zw_placed *b, double margin, zw_touch *out, int most);
/* obstacles: half space n.(r - at) >= 0 is free; inside of a hollow ball or endless hollow drum is free; triangle */
void zw_form_against_plane(const zw_placed *a, const double n[3], const double at[3], zw_touch *out);
int  zw_form_manifold_plane(const zw_placed *a, const double n[3], const double at[3], double margin, zw_touch *out, int most);
void zw_form_inside_ball(const zw_placed *a, const double centre[3], double radius, zw_touch *out);
void zw_form_inside_drum(const zw_placed *a, const double at[3], const double axis[3], double radius, zw_touch *out);
/* all points that touch a hollow (axis NULL: ball, otherwise endless drum) from inside, each with its own normal */
int  zw_form_manifold_inside(const zw_placed *a, const double at[3], const double *axis, double radius, double margin, zw_touch *out,
                             int most);
void zw_form_against_triangle(const zw_placed *a, const double t[9], zw_touch *out);

typedef struct zw_moving { /* bounds on how a body moves from now on */
    double v[3];           /* velocity of its origin now            */
    double gain;           /* largest |dv/dt|                       */
    double spin, reach;    /* largest |omega|; zw_form_reach        */
} zw_moving;

/* A time before which two forms cannot touch. Along the n of now (fixed) the separation shrinks at most at the rate
 * n.(v_a - v_b) + spin_a reach_a + spin_b reach_b, which grows at most by gain_a + gain_b: the separation is never more than the gap.
 * INFINITY: never; 0 when they touch already. An obstacle that rests is a zw_moving of zeros. */
double zw_form_safe_time(const zw_touch *t, const zw_moving *a, const zw_moving *b);

#endif
