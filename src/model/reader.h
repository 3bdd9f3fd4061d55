/* SPDX-License-Identifier: Apache-2.0
 * reader.h: from the checked tree to the structs of model.h. Each room of the file has its reader; they share the scopes, the evaluation of
 * quantities and the reports kept here. A reader passes over what is marked bad and never stops at a mistake. */
#ifndef ZW_MODEL_READER_H
#define ZW_MODEL_READER_H

#include "base/names.h"
#include "expr/values.h"
#include "model/schema.h"

enum { ZW_LABELS = 5, ZW_PARAMETER_DEPTH = 64, ZW_PARAMETERS_MAX = 10000 }; /* labels along a rod at which fields of s are checked */

typedef struct zw_constraint_of { /* what a name under `constraints` stands for */
    int joint;                    /* index in the model; -1: none              */
    int body, row;                /* of a lagrangian; -1: none                 */
    int unilateral;               /* index in the model; -1: none              */
    int along, foundation;        /* the same                                  */
} zw_constraint_of;

typedef struct zw_reader {
    zw_context       *context;
    zw_model         *model;
    zw_arena         *arena;
    zw_issues        *issues;
    zw_yaml          *root;
    zw_scope         *parameters;         /* parent of the others: parameters only   */
    zw_scope         *scope[ZW_OF_OTHER]; /* by zw_schema_scope                      */
    bool              growth_open;        /* what laws sense is in their scopes      */
    bool             *parameter_bad;      /* its value is not known                  */
    bool             *body_bad;           /* a body this version cannot make         */
    double           *body_length;        /* NaN: not known                          */
    zw_scope        **body_scope;         /* of a lagrangian: all its names; else NULL */
    zw_constraint_of *constraint_of;
    zw_values         values;                      /* at t = 0, s = 0                         */
    zw_values         fixed, resting;              /* known: uses neither coordinate nor velocity; no velocity */
    zw_names          parameter, body, constraint; /* numbers of names as in the model */
    zw_names          frame;
} zw_reader;

/* reports: with the key path and place of a node */
#define zw_report(r, node, remedy, ...)     zw_report_in((r), ZW_E_MODEL, __func__, (node), -1, (remedy), __VA_ARGS__)
#define zw_report_key(r, node, remedy, ...) zw_report_in((r), ZW_E_MODEL, __func__, (node), -2, (remedy), __VA_ARGS__) /* at its key */
/* byte: where in a scalar's text; -1: at the value, -2: at its key */
void zw_report_in(zw_reader *r, zw_status code, const char *func, zw_yaml *node, int byte, const char *remedy, const char *fmt, ...)
    ZW_PRINTF(7, 8);
bool zw_reader_memory(zw_reader *r, zw_status status); /* notes ZW_E_MEMORY and other raised failures; true when status is ZW_OK */

/* the place of a node in the model file; line 0 when it comes from --set */
zw_where zw_read_where(const zw_reader *r, const zw_yaml *node);
/* the value of a key that is there and not bad, else NULL */
zw_yaml *zw_read_get(const zw_yaml *map, const char *key);

/* expressions; false after reporting */
bool zw_read_expression(zw_reader *r, zw_yaml *node, zw_schema_scope scope, zw_value *out);
bool zw_read_quantity(zw_reader *r, zw_yaml *node, zw_schema_scope scope, zw_quantity *out);
bool zw_read_vector(zw_reader *r, zw_yaml *node, zw_schema_scope scope, zw_quantity out[3]);
void zw_read_fields(zw_reader *r, const zw_yaml *map, void *target); /* every key whose row says where it goes */
bool zw_read_count(zw_reader *r, zw_yaml *node, double least, double most, int64_t *out);

/* values at t = 0. false: cannot be told (not given, or a parameter is wrong) */
bool zw_read_value(zw_reader *r, zw_quantity q, double s, double *value);
bool zw_read_constant(zw_reader *r, zw_yaml *node, zw_quantity q, double *value);             /* reports when it is not finite */
bool zw_read_constants(zw_reader *r, zw_yaml *node, const zw_quantity q[3], double value[3]); /* of a vector; node NULL or bad: false */
/* demands that a field of s is finite and positive (or not negative) at the labels 0 .. length */
typedef enum zw_sign { ZW_ANY_SIGN, ZW_POSITIVE, ZW_NOT_NEGATIVE } zw_sign;
bool        zw_read_check(zw_reader *r, zw_yaml *node, zw_quantity q, double length, zw_sign sign, const char *what);
const char *zw_read_unfinite(zw_reader *r, zw_quantity q, double s, char *out, size_t size); /* why a value is not finite */

int         zw_read_body(zw_reader *r, zw_yaml *node);            /* index of the body a scalar names; -1 after reporting */
int         zw_read_point(zw_reader *r, int body, zw_yaml *name); /* number of a point of a rigid or lagrangian body; -1 after reporting */
void        zw_read_points_there(zw_reader *r, int body, const char *word, char *out, size_t size); /* a remedy that names them */
bool        zw_read_moves(const zw_reader *r, const zw_place_def *p);                               /* does its label change in time? */
bool        zw_read_place(zw_reader *r, zw_yaml *node, zw_yaml *beside,
                          zw_place_def *out);   /* a place; s, at, point may stand beside it in that map */
const char *zw_read_kind(const zw_body_def *b); /* "rod", "field", "lagrangian", "rigid body" */

/* whether a place, known by its body, has axes that can be held or turned */
bool zw_read_has_axes(const zw_reader *r, const zw_place_def *p);
/* "did you mean 'near'?", or `what` and the names there are */
void zw_read_suggest(const char *word, const char *const *names, int n, const char *what, char *out, size_t size);

const char *zw_read_taken(const char *name); /* what a name means everywhere in a model, so that nothing else can have it; NULL: nothing */
void        zw_read_parameters(zw_reader *r);
void        zw_read_frames(zw_reader *r);                    /* all but who carries them */
void        zw_read_carried(zw_reader *r);                   /* after the bodies         */
int         zw_read_frame_name(zw_reader *r, zw_yaml *node); /* 1 + number of the frame that a scalar names; 0: NULL, or after reporting */
int         zw_read_placed_in(zw_reader *r, zw_yaml *map);   /* the same of the key `frame` of a body */
void        zw_read_bodies(zw_reader *r);
void        zw_read_constraints(zw_reader *r);
void        zw_read_loads(zw_reader *r);
void        zw_read_probes(zw_reader *r);
void        zw_read_run(zw_reader *r);
void        zw_read_record(zw_reader *r);
void        zw_read_statics(zw_reader *r);
void        zw_read_modes(zw_reader *r);
bool        zw_read_rod(zw_reader *r, zw_yaml *map, zw_rod_def *rod, double *length);
void        zw_read_growth(zw_reader *r, zw_yaml *map, zw_rod_def *rod, double length);
void        zw_read_field(zw_reader *r, zw_yaml *map, zw_field_def *f, double *length);
void        zw_read_rigid(zw_reader *r, zw_yaml *map, zw_rigid_def *d);
bool        zw_read_form(zw_reader *r, zw_yaml *map, zw_form_def *form); /* the form that a map names; false: wrong, or there is none */
void        zw_read_unilateral(zw_reader *r, zw_yaml *map, zw_constraint_of *of); /* constraints.N with this key */
void        zw_read_along(zw_reader *r, zw_yaml *map, zw_constraint_of *of);      /* surface, along; nonholonomic on a rod */
void        zw_read_foundation(zw_reader *r, zw_yaml *map, zw_constraint_of *of);
bool        zw_read_label(zw_reader *r, zw_yaml *node, int rod, zw_quantity *out); /* of a rod: a constant, or end; read_places.c */
bool        zw_read_fraction(zw_reader *r, zw_yaml *node, zw_quantity q, const char *what); /* a constant between 0 and 1 */
void        zw_read_obstacles(zw_reader *r);
void        zw_read_contact(zw_reader *r);
bool        zw_read_lagrangian(zw_reader *r, zw_yaml *map, int body);                      /* false: its coordinates are not known */
void        zw_read_lagrange_points(zw_reader *r, zw_yaml *map, zw_lagrangian_def *d);     /* particles, points, links */
int         zw_read_lagrange_row(zw_reader *r, int body, zw_yaml *node, const char *name); /* its number; -1: there is no room for it */
void        zw_read_nonholonomic(zw_reader *r, zw_yaml *map, zw_constraint_of *of);        /* constraints.N with this key             */
bool        zw_read_row_name(zw_reader *r, zw_yaml *node, int *body, int *row);            /* BODY.ROW                                */
bool        zw_read_coordinate_name(zw_reader *r, zw_yaml *node, int *body, int *slot);    /* BODY.NAME, BODY.NAMEdot                 */

/* set.c, emit.c */
bool zw_set_apply(zw_arena *arena, zw_issues *issues, zw_yaml *root, const char *set); /* "key.path=value" into the tree */
/* the model as run: what was set, the comment at the head of the source, all keys; NULL when memory is out */
char *zw_yaml_emit(zw_arena *arena, const zw_yaml *root, const char *source, int nsets, const char *const *sets);

#endif
