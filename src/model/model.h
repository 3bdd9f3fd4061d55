/* SPDX-License-Identifier: Apache-2.0
 * model.h: what a checked model holds, as plain structs. The reader fills them by the schema table; system/ builds from them.
 * A quantity is a number or an expression: a node of the model's pool, evaluated with in[] = the inputs of the pool.
 * Inputs: t, every parameter, and the variables of places (s, x, y, z). Vectors are three quantities. */
#ifndef ZW_MODEL_MODEL_H
#define ZW_MODEL_MODEL_H

#include "base/arena.h"
#include "expr/expr.h"
#include "model/growth.h"
#include "zwang/model.h"
#include "zwang/modes.h"
#include "zwang/system.h"

typedef struct zw_where {
    int line, col; /* 1-based in the model file; 0 when it comes from --set or a default */
} zw_where;

typedef struct zw_quantity {
    zw_node  node; /* 0: not given */
    zw_where at;
} zw_quantity;

/* ---- bodies */
typedef enum zw_section_kind {
    ZW_SECTION_SQUARE,    /* size[0] = side                                                             */
    ZW_SECTION_ROUND,     /* size[0] = radius                                                            */
    ZW_SECTION_RECTANGLE, /* size[0] along d1, size[1] along d2                                      */
    ZW_SECTION_TUBE,      /* size[0] outer, size[1] inner radius                                          */
    ZW_SECTION_EXPLICIT,  /* bending[2], torsion, stretch, shear, mass, inertia[3]                    */
    ZW_SECTION_MATRIX     /* stiffness 6x6, inertia 6x6, rotations first                                 */
} zw_section_kind;

typedef struct zw_section_def { /* all of s (label) */
    zw_section_kind kind;
    zw_where        at;
    zw_quantity     size[2];
    zw_quantity     bending[2], torsion, stretch, shear, mass, inertia[3];
    zw_quantity     stiffness66[36], inertia66[36];
} zw_section_def;

typedef struct zw_material_def { /* of s; not given where the section is explicit */
    zw_quantity density, young, poisson, shear, damping;
} zw_material_def;

typedef enum zw_shape_kind { ZW_SHAPE_STRAIGHT, ZW_SHAPE_CURVATURE, ZW_SHAPE_CURVE, ZW_SHAPE_POINTS, ZW_SHAPE_RING } zw_shape_kind;
typedef struct zw_shape_def {
    zw_shape_kind kind;
    zw_where      at;
    zw_quantity   v[3]; /* curvature (directors, of s), curve (space, of s) or ring normal          */
    zw_quantity (*points)[3];
    int npoints;
} zw_shape_def;

typedef enum zw_natural_kind { ZW_NATURAL_STRAIGHT, ZW_NATURAL_START, ZW_NATURAL_CURVATURE } zw_natural_kind;
typedef enum zw_kinematics {
    ZW_COSSERAT,
    ZW_UNSHEARABLE,
    ZW_INEXTENSIBLE
} zw_kinematics; /* which strains are free: all; all but shear; bending and twist */

typedef struct zw_rod_growth_def {
    bool           given;
    zw_growth_kind kind;
    zw_value       parameter[ZW_GROWTH_PARAMETERS]; /* in the order of zw_growth_keys; width 0: not given            */
    bool           dilute;                          /* elongation dilutes natural curvature; false: it is kept      */
    bool           natural, scaled;                 /* ac, ace                                                      */
    int            points;                          /* table: pairs of place and rate                              */
    const double  *table;
    char           over;
    bool           mass;    /* growth adds mass, which arrives with the velocity of its place                      */
    zw_quantity    section; /* p: areas grow as (l/l0)^p; not given: 0                                              */
    zw_quantity    split;   /* a link longer than this is halved, m; not given: never                               */
    zw_where       at;
} zw_rod_growth_def;

typedef struct zw_rod_def {
    zw_quantity       length;
    int               elements;
    zw_section_def    section;
    zw_material_def   material;
    zw_quantity       at[3], along[3], up[3]; /* not given: 0; (0,0,1); any direction across               */
    zw_quantity       radius;                 /* contact radius; not given: from the section               */
    zw_shape_def      shape;
    zw_natural_kind   natural;
    zw_kinematics     kinematics;
    bool              refined;              /* links: refined                                            */
    zw_quantity       natural_curvature[3]; /* directors, of s                                          */
    bool              velocity_in_directors;
    zw_quantity       velocity[3]; /* of s; not given: 0                                                */
    zw_rod_growth_def growth;
} zw_rod_def;

typedef struct zw_casimir_def {
    const char *name;
    zw_quantity c; /* of mu1 .. mun                                                                   */
} zw_casimir_def;

typedef struct zw_field_def { /* mu on nodes and gamma on links, with values in an algebra of dimension n and its dual */
    const char     *algebra;  /* "so(3)", "se(2)", "se(3)"; NULL: structure constants given           */
    int             n;
    const double   *structure;   /* [n][n][n]: [e_i, e_j] = sum_k structure[i][j][k] e_k                 */
    zw_quantity     hamiltonian; /* density, of mu1 .. mun, gamma1 .. gamman, s                        */
    zw_quantity     length;      /* not given: 1                                                        */
    int             elements;
    int            *slot_mu, *slot_gamma; /* [n] inputs of the pool                                   */
    zw_quantity    *mu, *gamma;           /* [n] the start, of s; not given: 0                                  */
    int             ncasimirs;
    zw_casimir_def *casimirs;
} zw_field_def;

/* ---- lagrangian: everything is of the coordinates, their velocities (NAMEdot), t and the parameters */
typedef struct zw_named_def {
    const char *name;
    zw_quantity e;
} zw_named_def;

typedef struct zw_lagrange_row_def { /* left = right, kept as f = left - right; it depends on a velocity: nonholonomic, else holonomic */
    const char *name;                /* as in a map, or c1, c2, ... in a list                          */
    const char *text;                /* as written                                                     */
    zw_quantity f;
} zw_lagrange_row_def;

typedef struct zw_lagrange_point_def {
    const char *name;
    zw_quantity r[3];    /* position in space, of the coordinates and t                              */
    zw_quantity turn[3]; /* rotation vector of its axes; not given: it has no axes                    */
    zw_quantity mass;    /* of a particle; not given: a point without mass                           */
} zw_lagrange_point_def;

typedef struct zw_lagrangian_def {
    int           n;
    const char  **coordinate;                      /* [n] as written: x; its velocity is xdot                 */
    int          *slot_q, *slot_v;                 /* [n] inputs of the pool, named BODY.x and BODY.xdot      */
    zw_quantity   kinetic, potential, dissipation; /* potential and dissipation: not given: 0; kinetic may be missing beside particles */
    zw_quantity  *force;                           /* [n] generalised forces; not given: 0     */
    int           nquasi;                          /* 0, or n: velocities of a moving frame are the state then */
    zw_named_def *quasi;                           /* linear in the velocities                                */
    int          *slot_u;                          /* [nquasi] inputs, named BODY.u                           */
    int           ndefines;
    zw_named_def *define;         /* in order; only for printing, they are substituted already (vectors: e.node 0) */
    int           nrows, npoints; /* particles are points with a mass                        */
    zw_lagrange_row_def   *row;
    zw_lagrange_point_def *point;
    int                    nlinks;
    int (*link)[2];       /* pairs of points that pictures join by a line */
    zw_quantity *q0, *v0; /* [n] start: constants; not given: 0. v0 of quasi-velocities where there are any and one of them is given */
    bool         start_in_quasi; /* v0 is of the quasi-velocities                          */
    zw_where     start_at;
} zw_lagrangian_def;

/* ---- forms: of rigid bodies and of obstacles */
typedef enum zw_form_kind {
    ZW_FORM_NONE,
    ZW_FORM_SPHERE,   /* radius                                                                       */
    ZW_FORM_CAPSULE,  /* radius, length of the axis along z without the caps                          */
    ZW_FORM_BOX,      /* size[3]                                                                      */
    ZW_FORM_CYLINDER, /* radius, length along z; an obstacle without length is endless                */
    ZW_FORM_HULL,     /* convex hull of points                                                        */
    ZW_FORM_COMPOUND, /* members                                                                      */
    ZW_FORM_PLANE,    /* obstacle: everything below normal.(r - at) = 0                               */
    ZW_FORM_MESH,     /* obstacle: triangles                                                          */
    ZW_FORM_GAP       /* obstacle: where the expression of x, y, z, t is negative                     */
} zw_form_kind;

typedef struct zw_form_def { /* constants, but for gap */
    zw_form_kind kind;
    zw_where     where;
    zw_quantity  radius, length, size[3];
    zw_quantity  at[3], turn[3]; /* place in the body or in space; not given: 0                */
    zw_quantity  axis[3];        /* plane: normal; cylinder and capsule obstacles: their axis; not given: z */
    bool         hollow;         /* obstacle: bodies are inside                                */
    int          npoints;        /* hull and mesh                                              */
    zw_quantity (*point)[3];
    int ntriangles;
    int (*triangle)[3];
    zw_quantity         gap;
    zw_quantity         mass, density; /* of a member                                                */
    int                 nmembers;
    struct zw_form_def *member;
} zw_form_def;

typedef struct zw_rigid_def {
    zw_form_def            form;
    zw_quantity            mass, density;
    int                    ninertia; /* 0: from the form; 3: principal; 9: matrix; about the centre of mass in body axes */
    zw_quantity            inertia[9];
    zw_quantity            at[3], turn[3], velocity[3], spin[3]; /* at: of the centre of mass; velocity, spin: space axes */
    bool                   planar;                               /* moves only across `plane`, its normal: three velocities        */
    zw_quantity            plane[3];
    int                    npoints;
    zw_lagrange_point_def *point; /* named points in body axes                                     */
} zw_rigid_def;

typedef enum zw_body_kind { ZW_BODY_ROD, ZW_BODY_FIELD, ZW_BODY_LAGRANGIAN, ZW_BODY_RIGID } zw_body_kind;
typedef struct zw_body_def {
    const char       *name;
    zw_where          at;
    zw_body_kind      kind;
    zw_rod_def        rod;
    zw_field_def      field;
    zw_lagrangian_def lagrangian;
    zw_rigid_def      rigid;
    int               frame; /* it is placed in: 1 + its number; 0: space                             */
} zw_body_def;

/* ---- places, constraints, loads, probes */
typedef struct zw_place_def {
    int         body;  /* index into bodies; -1: ground                                                */
    zw_quantity s;     /* rod label; not given: the whole body (loads), `end` is the rod's length       */
    int         point; /* number of a lagrangian or rigid body's point; -1: none                      */
    zw_quantity r[3];  /* rigid: point in body axes; not given: its centre of mass                    */
    zw_where    at;
} zw_place_def;

typedef struct zw_frame_def { /* a frame of reference: rests, spins, moves as prescribed, or is carried by a body */
    const char  *name;
    zw_where     at;
    zw_quantity  origin[3], axes[3]; /* at, turn: constants; carried: in the axes of the place. Not given: 0 */
    bool         spins, moves, carried;
    zw_quantity  spin[3];           /* constant, space axes, about the origin                           */
    zw_quantity  shift[3], turn[3]; /* motion from the start, of t, space axes; the turn is about the origin */
    zw_place_def place;             /* that carries it                                                  */
} zw_frame_def;

enum { ZW_FIX_X = 1, ZW_FIX_Y = 2, ZW_FIX_Z = 4, ZW_FIX_RX = 8, ZW_FIX_RY = 16, ZW_FIX_RZ = 32, ZW_FIX_POSITION = 7, ZW_FIX_ALL = 63 };

typedef struct zw_constraint_def { /* clamp: ZW_FIX_ALL unless fix is given; ball: ZW_FIX_POSITION; fixed: ZW_FIX_ALL */
    const char  *name;
    const char  *kind; /* "clamp", "ball", "fixed"; "hinge", "slider", "universal": fix is along axes whose z is `axis`; "spring": 0 */
    zw_where     at;
    zw_place_def a, b;  /* b.body = -1: to ground                                                      */
    int          frame; /* `to` names a frame: 1 + its number; b is the place that carries it, or ground; 0: none */
    unsigned     fix;
    zw_quantity  shift[3], turn[3]; /* motion of the ground side, of t; not given: at rest            */
    zw_quantity  axis[3];           /* hinge, slider: along it, axes of the first body (ground: space); universal: its first axis */
    zw_quantity  limit[2];          /* of the angle or way from the start; not given: none            */
    zw_quantity  stiffness, damping, length; /* spring along the line between its places; length not given: that of the start */
} zw_constraint_def;

/* ---- what holds a rod all along it */
enum { ZW_ALONG_MOST = 6 }; /* equations per section */
typedef struct zw_along_def {
    const char *name;
    zw_where    at;
    int         body;       /* a rod                                                          */
    bool        velocities; /* nonholonomic: f(position, directors, strains, velocities, s, t) = 0 */
    bool        links;      /* strains occur: it holds at the middles of links, otherwise at nodes  */
    bool        inner;      /* of strains, s and t alone: nothing acts from outside           */
    int         n;          /* equations                                                      */
    zw_quantity f[ZW_ALONG_MOST];
    const char *text[ZW_ALONG_MOST];
    zw_quantity from, to; /* labels, constants; not given: the whole rod                    */
} zw_along_def;

typedef struct zw_foundation_def { /* springs per label length from where the rod is at the start, or from anchors that follow it */
    const char *name;
    zw_where    at;
    int         body;
    bool        directors;                /* axes of stiffness and damping; space otherwise           */
    zw_quantity stiffness[3], damping[3]; /* N/m^2, N s/m^2; damping not given: 0                     */
    zw_quantity relax;                    /* 1/s; not given: 0                                        */
    zw_quantity from, to;
} zw_foundation_def;

/* ---- what may only be on one side */
typedef struct
    zw_unilateral_def { /* f <= 0, of t and the coordinates of a lagrangian body, or of t and the space position x y z of points */
    const char *name, *text;
    zw_where    at;
    int         body;
    int         npoints;
    const int  *point; /* numbers of points of a rigid or lagrangian body; none: coordinates */
    zw_quantity f;
    zw_quantity restitution, loss; /* e, or k = 1 - e^2; of what f sees; neither given: that of contact  */
} zw_unilateral_def;

typedef struct zw_obstacle_def {
    const char *name;
    zw_where    at;
    zw_form_def form;
    zw_quantity shift[3], turn[3]; /* motion, of t; not given: at rest */
} zw_obstacle_def;

typedef enum zw_impact_law { ZW_LAW_REFLECT, ZW_LAW_MOREAU, ZW_LAW_SEQUENTIAL, ZW_LAW_COMPLIANT, ZW_LAW_STICK } zw_impact_law;
typedef struct zw_contact_def {
    bool given, all, self; /* all: also where obstacles are given and pairs are not; a model with neither has no contact of forms */
    int  npairs;
    int (*pair)[2];    /* bodies by number; obstacle i is -1 - i */
    zw_impact_law law; /* default: reflect, which refuses simultaneous impacts whose result depends on their order */
    zw_quantity   restitution, loss, friction; /* default: restitution 1 for unilateral expressions and contact alike, friction 0 */
    zw_where      at;
} zw_contact_def;

typedef struct zw_load_def {
    const char  *name;
    zw_where     at;
    zw_place_def on;
    bool         moment;     /* force otherwise                                                       */
    bool         directors;  /* follower: components in the directors; space axes otherwise           */
    bool         per_length; /* per label length all along the rod; otherwise at the place            */
    zw_quantity  v[3];       /* of t, s, and the space position x y z of the place                    */
} zw_load_def;

typedef enum zw_probe_kind {
    ZW_PROBE_POSITION,    /* 3, space                                                                     */
    ZW_PROBE_VELOCITY,    /* 3, space                                                                     */
    ZW_PROBE_ORIENTATION, /* 4: w x y z                                                                */
    ZW_PROBE_STRAIN,      /* 3, directors: shear, shear, stretch                                            */
    ZW_PROBE_CURVATURE,   /* 3, directors                                                                */
    ZW_PROBE_FORCE,       /* 3, directors: internal force                                                    */
    ZW_PROBE_DRIVING,     /* 1: driving force, what the energy loses per reference length that is added at the place */
    ZW_PROBE_MOMENT,      /* 3, directors: internal moment                                                  */
    ZW_PROBE_REACTION,    /* 6: force and moment (about the place) in space axes that the constraint puts on its first body */
    ZW_PROBE_MULTIPLIER,  /* one per fixed component                                                    */
    ZW_PROBE_ENERGY,      /* 1                                                                              */
    ZW_PROBE_LENGTH,      /* 1: current length of a rod                                                     */
    ZW_PROBE_COORDINATE,  /* 1: a coordinate, velocity or quasi-velocity of a lagrangian body           */
    ZW_PROBE_EXPRESSION,  /* 1 or 3, of t, parameters and the probes before it                           */
    ZW_PROBE_ANGLE,       /* 1: of a hinge from the start, counted over full turns                          */
    ZW_PROBE_WAY          /* 1: of a slider from the start                                                  */
} zw_probe_kind;
typedef enum zw_energy_kind { ZW_ENERGY_TOTAL, ZW_ENERGY_KINETIC, ZW_ENERGY_ELASTIC, ZW_ENERGY_POTENTIAL, ZW_ENERGY_BODY } zw_energy_kind;

typedef struct zw_probe_def {
    const char    *name;
    zw_where       at;
    zw_probe_kind  kind;
    int            width; /* numbers it gives; expression: its value's width                     */
    int            frame; /* components in: 1 + number of the frame; 0: space                    */
    zw_place_def   place;
    int            constraint; /* index, for reaction, multiplier, angle and way; -1: a row of a lagrangian body, or one of the next two */
    int            along;      /* index, for reaction and multiplier of what holds a rod all along it, place.s: where; -1: none */
    int            foundation; /* index, for reaction; -1: none                                        */
    int            body, row;  /* coordinate and multiplier of a lagrangian body: which body; which row of it */
    int            slot_of;    /* coordinate: the input slot of the pool it is known by                  */
    zw_energy_kind energy;
    zw_value       expression; /* reads inputs named after probes: NAME, or NAME.x .y .z for vectors   */
    int            slot[6];    /* input slots of the pool that later expressions read this probe by; -1 unused */
} zw_probe_def;

/* ---- run and record */
typedef enum zw_ends { ZW_ENDS_HALF, ZW_ENDS_FULL } zw_ends; /* mass of a rod's end nodes: half a cell, or a whole one */
typedef struct zw_run_def {
    zw_quantity    until, step, tolerance; /* constants; step not given: chosen                          */
    const char    *integrator;             /* "verlet"; never NULL; of a motion without inertia: its mode */
    bool           integrator_given;
    const char    *mode;        /* "dynamic", "quasi-static", "overdamped"; never NULL                */
    zw_quantity    drag;        /* of overdamped, N s/m^2                                             */
    zw_ends        ends;        /* full only where poisson or hamel asks for it               */
    zw_reconstruct reconstruct; /* of poisson and hamel                                       */
    int            stages;      /* of gauss: 1 .. 4; 0: not given                             */
    zw_quantity    damping;     /* of energy-momentum, algorithmic                            */
    const char    *formulation; /* "gauss" (default), "multiplier", "macmillan": how accelerations are found */
    uint64_t       seed;
    int            threads; /* 0: the context's                                                          */
    zw_where       at;
} zw_run_def;

typedef struct zw_statics_def {
    bool        given;
    const char *vary;     /* NULL: one equilibrium                                */
    zw_quantity from, to; /* constants; from not given: the value of the parameter */
    int         points;
    int         branches; /* bifurcations whose branches are followed             */
    bool        check_mesh;
    zw_where    at;
} zw_statics_def;

typedef enum zw_record_kind { ZW_RECORD_FRAMES, ZW_RECORD_EVERY, ZW_RECORD_INTERVAL } zw_record_kind;
typedef struct zw_record_def {
    zw_record_kind     kind;  /* default: 200 frames                                                   */
    int64_t            count; /* steps, or frames                                                     */
    zw_quantity        interval;
    int                nfields; /* 0: the default set                                                 */
    const char *const *fields;
    zw_where           at;
} zw_record_def;

typedef struct zw_modes_def {
    bool           given;
    int            count;
    zw_modes_about about;
    bool           damped;
    const char    *critical; /* a parameter; NULL: none is sought */
    zw_quantity    from, to; /* constants; from not given: 0      */
    zw_where       at;
} zw_modes_def;

struct zw_model {
    zw_context *context;
    zw_arena    arena;
    zw_pool    *pool;
    const char *file, *title, *text; /* text: as run                                                  */
    const char *source;              /* the file as it was read: what lines and columns point into    */
    size_t      source_size;
    uint64_t    hash;

    int          slot_t, slot_s, slot_x, slot_y, slot_z; /* inputs of the pool                        */
    int          nparameters;
    const char **parameter_name;
    int         *parameter_slot;  /* -1: derived from others (substituted)                            */
    double      *parameter_value; /* as given                                                         */

    bool               gravity_given;
    zw_quantity        gravity[3]; /* of t                                                             */
    int                nframes;
    zw_frame_def      *frames;
    int                nbodies, nconstraints, nloads, nprobes;
    zw_body_def       *bodies;
    zw_constraint_def *constraints;
    zw_load_def       *loads;
    zw_probe_def      *probes;
    int                nalongs, nfoundations;
    zw_along_def      *alongs;
    zw_foundation_def *foundations;
    int                nunilaterals, nobstacles;
    zw_unilateral_def *unilaterals;
    zw_obstacle_def   *obstacles;
    zw_contact_def     contact;
    bool               run_given;
    bool               events; /* run.events: on (default), off */
    zw_run_def         run;
    zw_statics_def     statics;
    zw_record_def      record;
    zw_modes_def       modes;
};

/* may anything be reached: inequalities, limits of joints, forms that meet? what: the first such thing, for a message */
bool zw_model_meets(const zw_model *m, char *what, size_t size);
bool zw_model_forms_meet(const zw_model *m); /* forms of bodies, with each other or with obstacles */

/* in[] with t = 0, the parameters as given and 0 elsewhere; length zw_pool_inputs(m->pool) */
void zw_model_inputs(const zw_model *m, double *in);
/* value of a quantity that may use parameters only; raises with file:line:col when it is not finite */
zw_status zw_model_constant(const zw_model *m, zw_quantity q, const char *subject, double *value);
/* raises an error that points into the model file: at.line, at.col, the source line as excerpt */
#define zw_model_raise(m, code, where_at, subject, remedy, ...) \
    zw_model_raise_in((m), (code), __func__, (where_at), (subject), (remedy), __VA_ARGS__)
zw_status zw_model_raise_in(const zw_model *m, zw_status code, const char *func, zw_where at, const char *subject, const char *remedy,
                            const char *fmt, ...) ZW_PRINTF(7, 8);

#endif
