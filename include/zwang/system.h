/* SPDX-License-Identifier: Apache-2.0
 * system.h: parts, constraints and loads bound together, and what an integrator asks of them. Every call names the state it is evaluated at.
 *
 *   part        a population of bodies of one kind: supplies metric, forces, frames at places, and capabilities (NULL when absent)
 *   constraint  supplies tiles of rows and their values at position and velocity level
 *   system      the sum; integrators see nothing else */
#ifndef ZWANG_SYSTEM_H
#define ZWANG_SYSTEM_H

#include "zwang/grow.h"
#include "zwang/model.h"
#include "zwang/project.h"
#include "zwang/secant.h"
#include "zwang/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_system zw_system;

/* one recorded array: a name like "rod/beam/position", and its shape per frame */
typedef struct zw_channel {
    char   name[96];
    char   unit[16];
    int    rank, shape[3]; /* rank 0: a number */
    size_t offset;         /* first double in the frame, or in the constants */
    size_t count;          /* doubles */
} zw_channel;
/* one frame is `width` doubles; channel[0] is "time". Constants are written once per epoch (labels, radii, ...) */
typedef struct zw_layout {
    int           nchannels, nconstants;
    zw_channel   *channel, *constant;
    size_t        width, constants_width;
    const double *constants;
} zw_layout;

/* what can be asked of a body at a place, in its own axes (directors) */
typedef enum zw_measure {
    ZW_MEASURE_STRAIN,
    ZW_MEASURE_CURVATURE,
    ZW_MEASURE_FORCE,
    ZW_MEASURE_MOMENT,
    ZW_MEASURE_LENGTH,
    ZW_MEASURE_ENERGY,
    ZW_MEASURE_DRIVING
} zw_measure;

/* How a part that is a chain on a Lie group moves in the variables of a Poisson bracket: z = (mu, gamma), momenta of its nodes in their own frames and
 * strains of its links, side by side with the configuration q. The layout of z is the part's own.
 *   poisson     mu by an implicit midpoint bracket, gamma linearly implicit, frames by the Cayley map of 4x4 matrices
 *   hamel       the same with the mean of the two brackets
 *   consistent  the derivative of a true link strain, kick and free motion apart, frames and strains moved by the same Cayley map */
typedef enum zw_bracket_scheme { ZW_BRACKET_POISSON, ZW_BRACKET_HAMEL, ZW_BRACKET_CONSISTENT } zw_bracket_scheme;
typedef enum zw_reconstruct {
    ZW_RECONSTRUCT_OLD,
    ZW_RECONSTRUCT_NEW,
    ZW_RECONSTRUCT_MEAN
} zw_reconstruct; /* velocity that moves the frames */

typedef struct zw_bracket_rule {
    zw_bracket_scheme scheme;
    zw_reconstruct    reconstruct; /* consistent has its own */
} zw_bracket_rule;

typedef struct zw_bracket_ops {
    zw_status (*prepare)(void *self, const zw_bracket_rule *rule, int *nz,
                         int *nmu);                                             /* once; doubles of z, and of a field like mu (its head) */
    zw_status (*enter)(void *self, const zw_state *x, double *z);               /* z of q and v                         */
    void (*velocity)(void *self, const double *z, zw_state *x);                 /* v of q and mu                        */
    void (*pace)(void *self, const double *z, double *zeta);                    /* dh/dmu, a field like mu              */
    void (*wrench)(void *self, const zw_state *at, const double *z, double *F); /* F = of the links, and gravity at `at` */
    void (*load)(void *self, const zw_state *at, const double *f, double *F);   /* F += f, given per velocity column    */
    bool (*momenta)(void *self, const double *z0, const double *F, double h, double *z1, double *moving,
                    double *straining);                                                          /* mu1, and the velocity
                                              that moves strains; moving: the mean of the old and the new, unless NULL; false: no solution found */
    void (*place)(void *self, const zw_state *x0, const double *moving, double h, zw_state *x1); /* q1                                   */
    void (*arrive)(void *self, const zw_state *x0, const double *moving, const double *z1, double h,
                   zw_state *x1); /* place and velocity in one; NULL: one by one */
    void (*strains)(void *self, const double *z0, const double *straining, double h, double *z1); /* gamma1                               */
    void (*account)(void *self, const zw_state *x, const double *z, zw_account *a);               /* adds its share, energy from z        */
    /* NULL where there is nothing to say */
    double (*mismatch)(void *self, const zw_state *x, const double *z); /* largest |strain of q - gamma|        */
    void (*fault)(void *self, char *text, size_t size);                 /* names what momenta could not solve for */
    bool (*own)(void *self, int i, zw_channel *out);                    /* i-th number of its own to report     */
    double (*observe)(void *self, const double *z, int i);              /* its value                            */
} zw_bracket_ops;

/* all that the accelerations of a part follow from, with the rows of its own equations: M a + c = F + A' lambda, A a + D = 0 */
typedef struct zw_whole {
    int           m;                 /* rows */
    const double *M, *F, *c, *A, *D; /* [n n], [n], [n], [m n], [m] */
} zw_whole;

typedef struct zw_part_ops {
    const char *kind;
    zw_size (*size)(const void *self);
    void (*start)(const void *self, zw_state *x);                                                  /* the state at t = 0             */
    void (*retract)(const void *self, const double *q, const double *dv, double *q1);              /* q moved along velocities       */
    void (*mass)(void *self, const zw_state *x, zw_matrix *M);                                     /* fills M; storage is the part's */
    zw_status (*force)(void *self, const zw_state *x, double *f);                                  /* f = elastic and gravity        */
    void (*bias)(void *self, const zw_state *x, double *f);                                        /* f -= c, where M a + c = force  */
    void (*gravity)(void *self, const zw_state *x, const double g[3], double *f);                  /* f += mass times g              */
    void (*frame)(const void *self, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J); /* J may be NULL; columns of the part */
    bool (*place)(const void *self, int body, const double u[3], zw_place *out); /* rods: u[0] = label; lagrangian: number of the point */
    int (*stations)(const void *self, int body, zw_place *out, double *weight,
                    double *label); /* places that carry a load spread over the body,
                                                     with their share of its length and their labels; out NULL: only the count */
    bool (*measure)(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out); /* false: not of this kind */
    void (*account)(void *self, const zw_state *x, zw_account *a);                                   /* adds its share                 */
    bool (*field)(const void *self, int i, zw_channel *out, bool *constant);        /* i-th recordable array; false past the end */
    void (*observe)(void *self, const zw_state *x, int i, double *out);             /* its values; x NULL for constants */
    bool (*at_fault)(const void *self, const zw_state *x, char *text, size_t size); /* names what is not finite       */
    void (*destroy)(void *self);
    /* the rest may be NULL: nothing to say */
    /* these states come next, one after the other or again: a part may evaluate them together. A hint: answers are the same without it */
    void (*foresee)(void *self, int n, const zw_state *x);
    /* rate of the chart coordinates dv of q = retract(q0, dv) when the velocity at q is v; NULL: flat, the rate is v */
    void (*chart_rate)(const void *self, const double *q0, const double *dv, const double *q, const double *v, double *rate);
    /* power of what changes the energy of account() beyond rows, loads and Kelvin-Voigt damping (forces of the user, explicit time), and what is dissipated, W */
    void (*power)(void *self, const zw_state *x, double *work, double *dissipated);
    bool (*powerless)(const void *self);                         /* power is always 0 */
    bool (*whole)(void *self, const zw_state *x, zw_whole *out); /* false: not finite here; valid until eight other states were looked at */
    /* rate of the velocity (w, v) of a frame while q moves with v and v stays; NULL or false: not known in closed form */
    bool (*frame_rate)(const void *self, const zw_state *x, const zw_place *p, double rate[6]);
    zw_status (*check)(
        void           *self,
        const zw_state *x); /* raises when the part cannot be evaluated here: not finite, no positive mass; names place and state */
    zw_status (*near)(void *self, const zw_state *x,
                      double h); /* raises when something is not bounded on the way of the next h: after a step failed */
    /* capabilities: NULL when absent; an integrator names what it needs, checked once when it is created */
    void (*drift)(const void *self, const zw_state *x0, double h, zw_state *x1, int nsome,
                  const int *some);  /* flow of the kinetic energy alone, q and v;
                                                     only the blocks that begin at the listed columns of the part when some != NULL: verlet */
    bool (*fuses)(const void *self); /* does the next one apply?       */
    void (*step_alone)(void *self, const zw_state *x0, const double *f0, double h, zw_state *x1,
                       double *f1);                                             /* verlet's whole step in one pass
                                                     where nothing but elastic forces and gravity acts; f0, f1: force at q0, q1 */
    bool (*damps)(const void *self);                                            /* is there any damping?          */
    void (*damp)(void *self, const zw_state *x, double *f);                     /* adds the damping force at x    */
    void (*damp_metric)(void *self, const zw_state *x, double h, zw_matrix *H); /* H = M + h D                    */
    double (*step_limit)(void *self, double *length);                           /* safe formula, s (0: no limit); least element length, m */
    const zw_bracket_ops        *bracket;                                       /* poisson, poisson-consistent, hamel */
    const struct zw_carrier_ops *carrier;                                       /* forms that contact meets          */
    const struct zw_secant_ops  *secant;                                        /* energy-momentum                   */
    const struct zw_grow_ops    *grow;                                          /* growth; asked only where the part has fields s */
    /* the place with this label at a state, on the helix of the link that has the label `from`, and how its frame changes with the label: (angle, position) per m, space axes; NULL: no labels */
    void (*slip)(const void *self, const zw_state *x, double label, double from, zw_place *at, double tangent[6]);
    /* the start of a body, given in the axes of F and from its origin, is taken to space: r = F.r + F.R r', v = F.v + F.w x (r - F.r) + F.R v' */
    void (*carry)(void *self, int body, const zw_frame *F);
    bool (*shown)(
        const void *self,
        int         i); /* is the i-th recordable array recorded where the model does not choose, though it is none that all bodies have? */
    /* arrays that follow from what the balance leaves: is the i-th one of them; its values, r = forces - M a of the constrained motion in the columns of the part */
    bool (*of_balance)(const void *self, int i);
    void (*zwang)(void *self, const zw_state *x, int i, const double *r, double *out);
} zw_part_ops;

typedef struct zw_part {
    const zw_part_ops *ops;
    void              *self;
    int                q0, v0, s0;
} zw_part;

typedef struct zw_constraint_ops {
    const char *kind;
    void (*count)(const void *self, int *tiles, int *rows, int *blocks, int *values); /* upper bounds, at bind */
    zw_status (*rows)(void *self, const zw_system *y, const zw_state *x, zw_rows *A); /* appends tiles: d(values level 1)/dv */
    /* 0: g(q,t), 0 where velocity_only   1: A v - b(t), or f(q,v,t)   2: b(t) = A v - (level 1)   3: terms of level 1 added up in size, which its round-off
     * is measured by (1 where that is not known) */
    zw_status (*values)(void *self, const zw_system *y, const zw_state *x, int level, double *c);
    /* D = rate of level 1 while q moves with v and v stays: the rows hold along the motion when A a + D = 0. NULL: by differences */
    zw_status (*rate)(void *self, const zw_system *y, const zw_state *x, double *D);
    void (*reaction)(void *self, const zw_system *y, const zw_state *x, const double *lambda,
                     double wrench[6]);                 /* moment, force on the first
                                                                                    body at its place, space axes; NULL: none       */
    const char *(*row_name)(const void *self, int row); /* "x", "rz"             */
    void (*destroy)(void *self);
} zw_constraint_ops;

typedef struct zw_constraint {
    const zw_constraint_ops *ops;
    void                    *self;
    const char              *name; /* "root"; "sled.blade" for a row of a lagrangian body */
    int                      row0, m;
    bool                     velocity_only; /* nonholonomic: there is no g(q,t) to close */
    bool                     nonlinear;     /* in the velocities: A depends on v          */
    bool                     moves;         /* depends on time                            */
} zw_constraint;

ZW_API zw_status        zw_system_create(const zw_model *m, zw_system **out); /* the model must outlive it       */
ZW_API void             zw_system_destroy(zw_system *y);
ZW_API zw_context      *zw_system_context(const zw_system *y);
ZW_API zw_size          zw_system_size(const zw_system *y); /* nw = 0: the integrator adds its own */
ZW_API int              zw_system_parts(const zw_system *y, const zw_part **parts);
ZW_API int              zw_system_constraints(const zw_system *y, const zw_constraint **constraints);
ZW_API int              zw_system_rows_count(const zw_system *y); /* equality rows                   */
ZW_API bool             zw_system_rows_move(const zw_system *y);  /* does any row depend on time?    */
ZW_API bool             zw_system_loaded(const zw_system *y);     /* are there loads?                */
ZW_API bool             zw_system_damps(const zw_system *y);      /* a part, or a spring             */
ZW_API int              zw_system_springs(const zw_system *y);    /* how many springs and foundations */
ZW_API bool             zw_system_springs_damp(const zw_system *y);
ZW_API zw_status        zw_system_start(zw_system *y, zw_state *x);      /* the state at t = 0 as written in the model */
ZW_API const zw_metric *zw_system_mass(zw_system *y, const zw_state *x); /* valid until the next call       */
ZW_API const zw_metric *zw_system_damp_metric(zw_system *y, const zw_state *x,
                                              double h);                             /* M + h D of the parts; valid until the next call */
ZW_API zw_status        zw_system_force(zw_system *y, const zw_state *x, double *f); /* f = elastic + gravity           */
ZW_API zw_status        zw_system_load(zw_system *y, const zw_state *x, double t, double *f);     /* f += loads, at time t           */
ZW_API void             zw_system_damp(zw_system *y, const zw_state *x, double *f);               /* f += damping                    */
ZW_API void             zw_system_damp_parts(zw_system *y, const zw_state *x, double *f);         /* of what damp_metric knows       */
ZW_API void             zw_system_damp_springs(const zw_system *y, const zw_state *x, double *f); /* the rest of it                  */
ZW_API void             zw_system_bias(zw_system *y, const zw_state *x, double *f);               /* f -= c, where M a + c = force   */
ZW_API zw_status        zw_system_rows(zw_system *y, const zw_state *x, const zw_rows **A);       /* valid until the next call       */
ZW_API zw_status        zw_system_values(zw_system *y, const zw_state *x, int level, double *c);  /* levels as in zw_constraint_ops   */
ZW_API zw_status zw_system_row_rates(zw_system *y, const zw_state *x, double *D); /* A a + D = 0; exact or by 6th-order differences */
/* only the rows that have a position level, and their numbers among all rows (NULL: not wanted); valid until the next call of this or zw_system_rows */
ZW_API zw_status zw_system_rows_position(zw_system *y, const zw_state *x, const zw_rows **A, const int **number);
ZW_API int       zw_system_rows_position_count(const zw_system *y);
ZW_API bool      zw_system_rows_nonlinear(const zw_system *y);              /* does any row depend on v? */
ZW_API void      zw_system_foresee(zw_system *y, int n, const zw_state *x); /* a hint: these states come next; n <= 8 */
ZW_API void zw_system_chart_rate(const zw_system *y, const double *q0, const double *dv, const double *q, const double *v, double *rate);
ZW_API void zw_system_power(zw_system *y, const zw_state *x, double *work, double *dissipated); /* of the parts, W */
ZW_API zw_status zw_system_near(zw_system *y, const zw_state *x, double h); /* after a step of h failed: does a part know why? raises it */
ZW_API zw_status zw_system_check(zw_system *y, const zw_state *x);          /* can every part be evaluated here? */
/* growth of all parts; w: its memory, zw_system_grow_memory doubles. See grow.h */
ZW_API bool      zw_system_grows(const zw_system *y);
ZW_API size_t    zw_system_grow_memory(const zw_system *y);
ZW_API zw_status zw_system_grow_start(zw_system *y, zw_state *x, double *w);
ZW_API zw_status zw_system_grow_predict(zw_system *y, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1);
ZW_API zw_status zw_system_grow_correct(zw_system *y, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1);
ZW_API zw_status zw_system_grow_pace(zw_system *y, const zw_state *x, const double *w, double *power);
ZW_API zw_status zw_system_grow_push(zw_system *y, const zw_state *x, double *w);
ZW_API bool      zw_system_grow_touched(const zw_system *y);
ZW_API void      zw_system_grow_contact(zw_system *y, const double *f); /* f per column of v */
ZW_API double    zw_system_grow_longest(const zw_system *y, const zw_state *x);
ZW_API void      zw_system_drift(zw_system *y, const zw_state *x0, double h, zw_state *x1, bool constrained_only);
ZW_API void      zw_system_retract(zw_system *y, const double *q, const double *dv, double *q1);
ZW_API void zw_system_frame(const zw_system *y, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J); /* J in system columns */
/* the name of a constraint that travels along a rod: its rows change their columns from step to step; NULL: there is none */
ZW_API const char *zw_system_slides_along(const zw_system *y);
/* first columns of the nodes that such a constraint (-1: all of them) may come to, more than once if need be; out NULL: only how many. 0: it stays where it is */
ZW_API int zw_system_travelled(const zw_system *y, int constraint, int *out);
/* rate of its (w, v) while q moves with v and v stays; false: not known in closed form */
ZW_API bool zw_system_frame_rate(const zw_system *y, const zw_state *x, const zw_place *p, double rate[6]);
/* does the model rest in one frame that turns steadily? false: out->spins is false; out->why is empty where nothing moves by itself, else it names what is not steady */
ZW_API bool zw_system_spin(const zw_system *y, zw_spin *out);
ZW_API int  zw_system_references(const zw_system *y); /* frames of reference that the model names */
/* frame of reference number i at a state, with its velocity */
ZW_API zw_status zw_system_reference(const zw_system *y, const zw_state *x, int i, zw_frame *F);
ZW_API void      zw_system_account(zw_system *y, const zw_state *x, zw_account *a);
ZW_API void      zw_system_conserves(const zw_system *y, bool *linear, bool *angular); /* by its symmetry: no supports, loads, gravity */
ZW_API double    zw_system_step_limit(zw_system *y, double *length);                   /* over all parts, as in zw_part_ops  */
ZW_API zw_status zw_system_check_finite(zw_system *y, const zw_state *x);              /* raises ZW_E_DIVERGED with body, element, time */
ZW_API void      zw_system_row_name(const zw_system *y, int row, char *out, size_t size); /* "constraint 'root', rz"         */
/* "t = 1, x = 2, xdot = 0": time, and the coordinates and velocities of the lagrangian body that the row belongs to */
ZW_API void      zw_system_row_state(const zw_system *y, int row, const zw_state *x, char *out, size_t size);
ZW_API void      zw_system_row_where(const zw_system *y, int row,
                                     zw_error *e); /* file, line, column and excerpt of a row into an error; NULL: nothing */
ZW_API zw_status zw_state_create(zw_context *c, const zw_size *n, zw_state *x); /* zeroed arrays for one state     */
ZW_API void      zw_state_destroy(zw_context *c, zw_state *x);
ZW_API void      zw_state_copy(const zw_size *n, const zw_state *from, zw_state *to);

#ifdef __cplusplus
}
#endif
#endif
