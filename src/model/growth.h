/* SPDX-License-Identifier: Apache-2.0
 * growth.h: growth laws by name, their keys, and the names that their expressions may use. What they do: parts/growth_law.h. */
#ifndef ZW_MODEL_GROWTH_H
#define ZW_MODEL_GROWTH_H

#include "expr/expr.h"

typedef enum zw_growth_kind {
    ZW_GROWTH_EXPRESSION,
    ZW_GROWTH_EXPONENTIAL,
    ZW_GROWTH_LINEAR,
    ZW_GROWTH_LOGISTIC,
    ZW_GROWTH_TABLE,
    ZW_GROWTH_TIP,
    ZW_GROWTH_LOCKHART,
    ZW_GROWTH_STEIN,
    ZW_GROWTH_HOMEOSTATIC,
    ZW_GROWTH_AC,
    ZW_GROWTH_ACE,
    ZW_GROWTH_SIGNAL,
    ZW_GROWTH_FLANK,
    ZW_GROWTH_THICKEN,
    ZW_GROWTH_TOUCH,
    ZW_GROWTH_THERMAL,
    ZW_GROWTH_FEED,
    ZW_GROWTH_SLEEVE,
    ZW_GROWTH_KINDS
} zw_growth_kind;

enum { ZW_GROWTH_PARAMETERS = 9, ZW_GROWTH_FIELDS = 4, ZW_GROWTH_CUES = 4 };

/* a key of a law in the model file */
typedef struct zw_growth_key {
    const char *name; /* NULL: no further key */
    int         width;
    bool        required, constant; /* constant: may not change in time or along the rod */
    double      otherwise;          /* value of every component where it is not given */
} zw_growth_key;

const char          *zw_growth_name(zw_growth_kind kind);                   /* "lockhart" */
bool                 zw_growth_find(const char *name, zw_growth_kind *out); /* false: no law of that name */
const zw_growth_key *zw_growth_keys(zw_growth_kind kind);                   /* [ZW_GROWTH_PARAMETERS + 1] at most, ended by a NULL name */


/* names that parameters may use: s d length growth tension strain driving moment kappa natural tangent contact (vectors with .x .. .d3), chi in a signal */
enum { ZW_GROWTH_SCALARS = 7, ZW_GROWTH_VECTORS = 5 };
extern const char *const zw_growth_scalars[ZW_GROWTH_SCALARS], *const zw_growth_vectors[ZW_GROWTH_VECTORS];
/* the input of the pool that such a name means: growth.NAME, so that parameters of the same name stay what they are; s is s. -1: memory is out */
int       zw_growth_input(zw_pool *pool, const char *name);
zw_status zw_growth_scope_open(zw_pool *pool, zw_scope *scope, zw_growth_kind kind);

#endif
