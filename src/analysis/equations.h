/* SPDX-License-Identifier: Apache-2.0
 * equations.h: the equations of motion of a lagrangian body as expressions, in the form of the principle that was asked for, and printed.
 *
 *   multiplier   M a + c = F + A' lambda, A a + D = 0             (Lagrange, Chetaev: reactions along the gradients df/dv)
 *   gauss        Z = 1/2 (a - a_free)' M (a - a_free) least subject to A a + D = 0, M a_free = F - c
 *   macmillan    the dependent velocities eliminated, v_b = phi_b(q, v_s, t); T~ is T after that. With B_bs = dphi_b/dv_s, for every independent s
 *
 *                  d/dt dT~/dv_s - dT~/dq_s = Q~_s + sum_b (dT/dq_b)~ B_bs + sum_b p_b~ (dB_bs/dt - dphi_b/dq_s),   Q~_s = F_s + sum_b F_b B_bs
 *
 * phi is never needed itself: f(q, v, t) = 0 gives B = -A_d^-1 A_s and dphi/dq = -A_d^-1 df/dq, where A_d are the columns of A = df/dv of the dependent
 * velocities. All nodes below are therefore expressions of q, all velocities, t and (where something is differentiated by time) all accelerations;
 * they mean what the formulas say at states with f = 0 and accelerations with A a + D = 0. */
#ifndef ZW_ANALYSIS_EQUATIONS_H
#define ZW_ANALYSIS_EQUATIONS_H

#include "parts/lagrangian_derive.h"

typedef enum zw_form { ZW_FORM_MULTIPLIER, ZW_FORM_MACMILLAN, ZW_FORM_GAUSS } zw_form;

/* ---- printing */
typedef struct zw_equations_ask {
    zw_form     form;
    zw_notation as;
    const char *body;      /* NULL: every lagrangian body                                                           */
    const char *dependent; /* macmillan: names of coordinates, separated by commas; NULL: chosen by pivoting at the start */
    bool        fragment;  /* LaTeX without preamble                                                               */
} zw_equations_ask;
zw_status zw_equations_print(const zw_model *m, const zw_equations_ask *ask, zw_text *out);

/* ---- which velocities are dependent */
typedef struct zw_partition {
    int    n, g, e;                 /* coordinates; dependent = rank of A at `in`; independent, n - g                                */
    int   *dependent, *independent; /* [g] [e] numbers of coordinates                                                */
    int   *row;                     /* [g] the row that is solved for dependent[k], in the order of elimination      */
    int    nredundant;
    int   *redundant; /* [m] rows that follow from the others there                                                  */
    double pivot;     /* smallest pivot of the scaled rows, 1 is best                                                 */
} zw_partition;
/* by complete pivoting of A at the inputs `in` (q, v, t, parameters), rows and columns scaled by M's diagonal there. Storage is the arena's.
 * `only` (may be NULL, [n]): coordinates that may be dependent */
zw_status zw_partition_choose(const zw_model *m, const zw_lagrangian_def *def, const zw_lagrange *y, const double *in, const bool *only,
                              zw_arena *arena, zw_partition *out);
/* in[] of the pool with the parameters, and the body at its start: q0, v0 moved onto the constraints (M metric) where Newton converges */
zw_status zw_lagrange_start(const zw_model *m, const zw_lagrangian_def *def, const zw_lagrange *y, zw_arena *arena, double *in,
                            bool *consistent);

/* ---- Mac-Millan's equation (13) */
typedef struct zw_macmillan {
    zw_partition part;
    int         *slot_a;  /* [n] inputs BODY.xddot of the pool: the accelerations                                     */
    zw_node     *phi;     /* [g] v_b where the rows are linear in the dependent velocities; 0: not explicit           */
    zw_node     *B;       /* [g e] dphi_b/dv_s                                                                        */
    zw_node     *phi_q;   /* [g n] dphi_b/dq_j, every coordinate                                                      */
    zw_node     *sigma;   /* [g] a_b = sum_s B_bs a_s + sigma_b                                                       */
    zw_node     *p;       /* [e] dT~/dv_s                                                                             */
    zw_node     *T_q;     /* [e] dT~/dq_s                                                                             */
    zw_node     *left;    /* [e] d/dt dT~/dv_s - dT~/dq_s                                                             */
    zw_node     *force;   /* [e] Q~_s                                                                                 */
    zw_node     *carried; /* [e] sum_b (dT/dq_b)~ B_bs                                                                */
    zw_node     *turning; /* [e] sum_b p_b~ (dB_bs/dt - dphi_b/dq_s)                                                  */
    zw_node     *K;    /* [e e] what (13) multiplies the independent accelerations with: d(left - turning)/da_s along a_b = B a_s + sigma */
    zw_node     *rest; /* [e] K a = rest                                                                           */
} zw_macmillan;
/* the input BODY.xddot of the pool, made when new */
zw_status zw_acceleration_input(zw_pool *p, const char *body, const char *coordinate, int *slot);
/* storage is the arena's; `name` is the body's */
zw_status zw_macmillan_derive(const zw_model *m, const char *name, const zw_lagrangian_def *def, const zw_lagrange *y,
                              const zw_partition *part, zw_arena *arena, zw_macmillan *out);

#endif
