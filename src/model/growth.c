/* SPDX-License-Identifier: Apache-2.0
 * growth.c: the keys of growth laws as a table. See growth.h. */
#include "model/growth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct zw_growth_row {
    const char   *name;
    zw_growth_key key[ZW_GROWTH_PARAMETERS + 1];
} zw_growth_row;

#define NUMBER(name, otherwise) \
    { (name), 1, false, false, (otherwise) }
#define REQUIRED(name) \
    { (name), 1, true, false, 0.0 }
#define CONSTANT(name, otherwise) \
    { (name), 1, false, true, (otherwise) }
#define VECTOR(name, required) \
    { (name), 3, (required), false, 0.0 }
#define END \
    { NULL, 0, false, false, 0.0 }
#define TROPISM                                                                                                   \
    REQUIRED("beta"), REQUIRED("gamma"), VECTOR("toward", true), CONSTANT("delay", 0.0), CONSTANT("memory", 0.0), \
        CONSTANT("bend_delay", 0.0), CONSTANT("bend_memory", 0.0)

/* the files of the kinds read parameters by their place in these rows */
static const zw_growth_row rows[ZW_GROWTH_KINDS] = {
    [ZW_GROWTH_EXPRESSION] = {"expression", {NUMBER("rate", 0.0), VECTOR("bend", false), END}},
    [ZW_GROWTH_EXPONENTIAL] = {"exponential", {REQUIRED("rate"), END}},
    [ZW_GROWTH_LINEAR] = {"linear", {REQUIRED("rate"), END}},
    [ZW_GROWTH_LOGISTIC] = {"logistic", {REQUIRED("rate"), REQUIRED("limit"), END}},
    [ZW_GROWTH_TABLE] = {"table", {END}},
    [ZW_GROWTH_TIP] = {"tip", {REQUIRED("zone"), REQUIRED("rate"), NUMBER("from", 0.0), END}},
    [ZW_GROWTH_LOCKHART] = {"lockhart",
                            {REQUIRED("extensibility"), REQUIRED("turgor"), REQUIRED("yield"), NUMBER("modulus", 0.0),
                             NUMBER("conductance", 0.0), NUMBER("osmotic", 0.0), END}},
    [ZW_GROWTH_STEIN] = {"stein", {NUMBER("rate", 0.0), REQUIRED("gain"), NUMBER("bending", 0.0), END}},
    [ZW_GROWTH_HOMEOSTATIC] = {"homeostatic", {REQUIRED("gain"), REQUIRED("target"), END}},
    [ZW_GROWTH_AC] = {"ac", {TROPISM, END}},
    [ZW_GROWTH_ACE] = {"ace", {TROPISM, REQUIRED("rate"), NUMBER("zone", HUGE_VAL), END}},
    [ZW_GROWTH_SIGNAL] = {"signal",
                          {REQUIRED("start"), REQUIRED("diffusion"), NUMBER("reaction", 0.0), NUMBER("source", 0.0), NUMBER("rate", 0.0),
                           VECTOR("bend", false), END}},
    [ZW_GROWTH_FLANK] = {"flank", {REQUIRED("plus"), REQUIRED("minus"), NUMBER("radius", 0.0), NUMBER("angle", 0.0), END}},
    [ZW_GROWTH_THICKEN] = {"thicken", {REQUIRED("radius"), END}},
    [ZW_GROWTH_THERMAL] = {"thermal", {REQUIRED("temperature"), REQUIRED("expansion"), VECTOR("gradient", false), END}},
    [ZW_GROWTH_TOUCH] = {"touch", {REQUIRED("gain"), NUMBER("threshold", 0.0), NUMBER("rate", 0.0), END}},
    [ZW_GROWTH_FEED] = {"feed", {CONSTANT("at", 0.0), REQUIRED("speed"), END}},
    [ZW_GROWTH_SLEEVE] = {"sleeve", {CONSTANT("at", 0.0), NUMBER("push", 0.0), REQUIRED("mobility"), END}},
};

const char *zw_growth_name(zw_growth_kind kind) {
    return rows[kind].name;
}

bool zw_growth_find(const char *name, zw_growth_kind *out) {
    for (int i = 0; i < ZW_GROWTH_KINDS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *out = (zw_growth_kind)i;
            return true;
        }
    }
    return false;
}

const zw_growth_key *zw_growth_keys(zw_growth_kind kind) {
    return rows[kind].key;
}

/* ---- names that expressions may use: numbers first, then vectors with three components in space and three in directors */
const char *const zw_growth_scalars[ZW_GROWTH_SCALARS] = {"s", "d", "length", "growth", "tension", "strain", "driving"};
const char *const zw_growth_vectors[ZW_GROWTH_VECTORS] = {"moment", "kappa", "natural", "tangent", "contact"};

int zw_growth_input(zw_pool *pool, const char *name) {
    char full[32];
    if (strcmp(name, "s") == 0 || strchr(name, '.') != NULL) { /* components of vectors have names that nothing else has */
        return zw_pool_input(pool, name);
    }
    snprintf(full, sizeof full, "growth.%s", name);
    return zw_pool_input(pool, full);
}

static zw_status add_scalar(zw_pool *pool, zw_scope *scope, const char *name) {
    int slot = zw_growth_input(pool, name);
    if (slot < 0) {
        return ZW_E_MEMORY;
    }
    return zw_scope_add_value(scope, name, (zw_value){.width = 1, .n = {zw_node_input(pool, slot)}});
}

zw_status zw_growth_scope_open(zw_pool *pool, zw_scope *scope, zw_growth_kind kind) {
    for (int i = 0; i < ZW_GROWTH_SCALARS; i++) {
        ZW_TRY(add_scalar(pool, scope, zw_growth_scalars[i]));
    }
    for (int i = 0; i < ZW_GROWTH_VECTORS; i++) {
        ZW_TRY(zw_scope_add_vector(scope, zw_growth_vectors[i], true));
    }
    if (kind == ZW_GROWTH_SIGNAL) {
        return add_scalar(pool, scope, "chi");
    }
    return zw_scope_add_hint(scope, "chi", "only a signal law has a concentration");
}
