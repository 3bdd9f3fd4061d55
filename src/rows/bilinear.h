/* SPDX-License-Identifier: Apache-2.0
 * bilinear.h: joints between levers as bilinear functions of two nodes, over a whole step.
 *
 * With b_i the working axes of B, a_j those of A (a = b where the joint is closed), r = x + R arm:
 *   position i     g = b_i.(rA - xB) - constant            rotation       sums of  +- a_j.b_k
 * The difference of g over a step is its gradient at the means of both states times (w, v) h, exactly: the impulse of a row along that gradient does no work, and
 * has no moment. Zero sets are those of joint.c; values of rotation rows are sines there instead of angles. */
#ifndef ZW_ROWS_BILINEAR_H
#define ZW_ROWS_BILINEAR_H

#include "zwang/secant.h"
#include "rows/joint_part.h"

enum { ZW_BILINEAR_ROWS = 6 };

typedef struct zw_bilinear { /* of a step; sides: A, B. Rows act on (w, v) of the node, space axes */
    int    m;
    double g[ZW_BILINEAR_ROWS];          /* value at the end                                             */
    double size[ZW_BILINEAR_ROWS];       /* of the terms of it, which round-off is measured by           */
    double mean[ZW_BILINEAR_ROWS][2][6]; /* gradient at the means                                        */
    double end[ZW_BILINEAR_ROWS][2][6];  /* at the end: of (eta, x)                                       */
} zw_bilinear;

/* nodes of A and B before and after (b NULL: ground); levers as given by the parts */
zw_status zw_joint_bilinear(zw_joint *k, double t0, double t1, const zw_lever *la, const zw_lever *lb, const zw_secant_node a[2],
                            const zw_secant_node b[2], zw_bilinear *out);
/* derivative of sum_i impulse_i mean_i in (eta, x) of A and B at the end: 12 x 12, added */
zw_status zw_joint_bilinear_turns(zw_joint *k, double t0, double t1, const zw_lever *la, const zw_lever *lb, const zw_secant_node a[2],
                                  const zw_secant_node b[2], const double *impulse, double *K);

#endif
