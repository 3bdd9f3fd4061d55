/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_part.h: the inside of a lagrangian body, shared by the files of the part.
 *
 * Four tapes, each evaluated at a state only when something of it is asked for:
 *   axes     Y, y of u = Y qdot + y; only with quasi-velocities, and then first: it gives qdot
 *   motion   M F c A D value first, and the rates of the quasi-velocities: what an integrator needs
 *   account  energies, power, terms of the equations
 *   point    places of points, their derivatives by coordinates and by time
 * Results are kept in records. Every record belongs to one (t, q, v), found by contents. */
#ifndef ZW_PARTS_LAGRANGIAN_PART_H
#define ZW_PARTS_LAGRANGIAN_PART_H

#include "parts/lagrangian.h"

enum { ZW_LAGRANGIAN_RECORDS = 8 };

typedef struct zw_lagrangian_tape {
    zw_tape *tape; /* NULL: nothing to evaluate */
    int      roots;
    double  *work, *wide, *lanes_out;
} zw_lagrangian_tape;

typedef struct zw_lagrangian_record {
    zw_lagrangian_look look;
    uint64_t           used; /* when it was asked for last; 0: empty */
    bool               has_motion, has_account, has_point;
    bool               foreseen; /* it came with others in one call */
    double             t;
    double            *q, *v;                           /* [n] what it is known by           */
    double            *axes, *motion, *account, *point; /* results of the tapes             */
    double            *first_size;                      /* [m]                               */
    /* only with quasi-velocities */
    double *W, *qdot;          /* [n n], [n]: qdot = W (u - y)       */
    double *M, *F, *c, *A, *D; /* in the velocities of the state     */
    bool    axes_regular;
} zw_lagrangian_record;

typedef struct zw_lagrangian_memo {
    zw_lagrangian_record record[ZW_LAGRANGIAN_RECORDS];
    int                  last;
    uint64_t             clock;
    double              *in;              /* inputs of the pool; parameters are in it */
    double              *lanes;           /* [8 (2 n + 1)] q, v, t                     */
    double              *square;          /* [n n + n] scratch: Y, y                  */
    double              *other, *inverse; /* [n n] scratch                            */
    double              *line, *more;     /* [n] scratch                              */
    int                 *pivot;           /* [n]                                      */
    bool                 wants_points;    /* some frame was asked for                 */
    bool                 points_pay;      /* frames of foreseen states were asked for */
} zw_lagrangian_memo;

typedef struct zw_lagrangian_point {
    const zw_lagrange_point_def *def;
    bool                         turns;
    int                          r, turn; /* where in the results of the tape: value [3], d/dt [3], d/dq [3 n] */
    int                          nblocks; /* of its jet: runs of at most 6 columns */
    int                         *col, *ncol;
} zw_lagrangian_point;

struct zw_lagrangian {
    zw_context              *context;
    const zw_model          *model;
    const zw_body_def       *body;
    const zw_lagrangian_def *def;
    zw_arena                 arena;
    zw_lagrange              equations;
    int                      n, m;
    bool                     quasi;
    bool                     all_particles; /* no kinetic energy but theirs: momenta are known */
    zw_node                 *axes;          /* [n n + n] Y, y */
    zw_lagrangian_tape       tape_axes, tape_motion, tape_account, tape_point;
    bool                     powerless; /* neither forces of the user nor dissipation nor explicit time in the energies */
    int                      nterms;
    int                     *term_row; /* which equation a term of the account belongs to */
    bool                    *by_terms; /* [m] size of an equation is that of its terms; else of A v, and of what else it holds */
    zw_lagrangian_point     *point;
    zw_node                 *point_root; /* what the tape of points gives */
    double                  *q0, *v0;
    zw_lagrangian_memo      *memo;
};

/* results of the account tape */
enum { ZW_ACCOUNT_T, ZW_ACCOUNT_V, ZW_ACCOUNT_ENERGY, ZW_ACCOUNT_WORK, ZW_ACCOUNT_DISSIPATED, ZW_ACCOUNT_MASS, ZW_ACCOUNT_NUMBERS };

/* ---- lagrangian_tape.c */
zw_status zw_lagrangian_bind_tapes(zw_lagrangian *L); /* all four, and the records */
zw_status zw_lagrangian_tape_create(zw_lagrangian *L, const zw_node *roots, int n, zw_lagrangian_tape *out);

/* ---- lagrangian_look.c */
zw_lagrangian_record *zw_lagrangian_record_at(const zw_lagrangian *L, const zw_state *x);
/* the same with only what the motion needs: M F c value first A D qdot finite */
const zw_lagrangian_look *zw_lagrangian_motion_at(const zw_lagrangian *L, const zw_state *x);
const double             *zw_lagrangian_points_at(const zw_lagrangian *L, zw_lagrangian_record *r);
void                      zw_lagrangian_foresee(void *self, int count, const zw_state *x);
/* Y [n n], y [n] at q; false when Y cannot be inverted: W is what remains of the try */
bool zw_lagrangian_axes_at(const zw_lagrangian *L, const double *q, double *Yy, double *W);

/* ---- lagrangian_point.c */
zw_status zw_lagrangian_bind_points(zw_lagrangian *L);
void      zw_lagrangian_frame(const void *self, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J);
bool      zw_lagrangian_place(const void *self, int body, const double u[3], zw_place *out);

/* ---- lagrangian_observe.c */
bool zw_lagrangian_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out);
void zw_lagrangian_account(void *self, const zw_state *x, zw_account *a);
void zw_lagrangian_power(void *self, const zw_state *x, double *work, double *dissipated);
bool zw_lagrangian_powerless(const void *self);
bool zw_lagrangian_whole(void *self, const zw_state *x, zw_whole *out);
bool zw_lagrangian_field(const void *self, int i, zw_channel *out, bool *constant);
void zw_lagrangian_observe(void *self, const zw_state *x, int i, double *out);
bool zw_lagrangian_at_fault(const void *self, const zw_state *x, char *text, size_t size);

/* ---- lagrangian_check.c */
zw_status zw_lagrangian_explain(const zw_lagrangian *L, const zw_state *x); /* raises what is not finite at x */
zw_status zw_lagrangian_check(void *self, const zw_state *x);
zw_status zw_lagrangian_near(void *self, const zw_state *x, double h); /* raises what is not bounded on the way of the next h */

#endif
