/* SPDX-License-Identifier: Apache-2.0
 * form_core.h: the searches behind form.h, on cores (ball: its centre, stick: its axis, the rest: themselves).
 *
 * Everything is relative to the place of a, with D = x_b - x_a. For a unit vector n the separation
 *   s(n) = n.D - h_a(n) - h_b(-n),    h(n) = how far the core reaches along n from its place,
 * never exceeds the gap, and its largest value over all n is the gap, whether the cores are apart or overlap. */
#ifndef ZW_MATH_FORM_CORE_H
#define ZW_MATH_FORM_CORE_H

#include "math/form.h"

#define ZW_FACE_MOST 32 /* corners of one face that are kept */

typedef struct zw_cores {
    const zw_placed *a, *b;
    double           D[3], scale; /* scale: |D| and the two reaches, what rounding is relative to */
    bool             smooth;      /* a drum is among them: the search ends early, zw_cores_polish does the rest */
} zw_cores;

typedef struct zw_simplex { /* corners w = a - b of the set of differences, with weights of the nearest point */
    int    n;
    double w[4][3], a[4][3], b[4][3], weight[4];
} zw_simplex;

/* all that can touch at direction n: corners of a polygon (1: point, 2: segment), or a round disc */
typedef struct zw_face {
    int    n;
    bool   disc;
    double p[ZW_FACE_MOST][3]; /* relative to the place of a; disc: p[0] is its middle, p[1..4] are four points of the rim */
    double normal[3];          /* of the face, if it has one (3 corners or a disc); otherwise 0                          */
    double radius;
} zw_face;

void   zw_cores_set(zw_cores *c, const zw_placed *a, const zw_placed *b);
void   zw_core_far(const zw_placed *p, const double n[3], double out[3]); /* farthest core point along n, from the place of p */
double zw_cores_separation(const zw_cores *c, const double n[3], double a[3], double b[3]);

/* nearest points of cores that are apart: true; false: they touch or overlap, s holds the simplex about the origin, and out->n the direction of
 * the largest separation met */
bool zw_cores_nearest(const zw_cores *c, zw_simplex *s, zw_touch *out);
/* deepest overlap, starting from the simplex of zw_cores_nearest, and leaving in s the three corners of the facet found */
void zw_cores_deepest(const zw_cores *c, zw_simplex *s, zw_touch *out);
/* sharpen n and gap of a pair with drums, given the corners the search ended with */
void zw_cores_polish(const zw_cores *c, const zw_simplex *s, zw_touch *out);

/* the face of the core of p (shifted by `shift`) within `slack` of its farthest point along n */
void zw_face_at(const zw_placed *p, const double shift[3], const double n[3], double slack, zw_face *out);
/* points that span where the faces meet, seen along n: positions on a and on b. At least one, and at most `most` */
int zw_faces_meet(const zw_face *a, const zw_face *b, const double n[3], double near, double (*pa)[3], double (*pb)[3], int most);

/* the middle of where the cores meet at the direction t->n, as the touching points of t */
void zw_cores_middle(const zw_cores *c, zw_touch *t);

/* a unit vector square to u and to v, false when they are parallel; square to both up to rounding however small the angle between them */
bool zw_square_to(double out[3], const double u[3], const double v[3]);
void zw_any_square_to(double out[3], const double u[3]);

#endif
