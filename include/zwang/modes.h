/* SPDX-License-Identifier: Apache-2.0
 * modes.h: frequencies, growths and shapes of small motions about a state of a model, and the parameter value where they become unstable.
 *
 * The model says what is wanted under `modes`: how many, about which state, with or without damping, which parameter. */
#ifndef ZWANG_MODES_H
#define ZWANG_MODES_H

#include "zwang/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zw_modes_about { ZW_ABOUT_EQUILIBRIUM, ZW_ABOUT_START, ZW_ABOUT_STEADY } zw_modes_about;
typedef enum zw_stability { ZW_STABLE, ZW_DIVERGENCE, ZW_FLUTTER } zw_stability; /* divergence: it leaves without swinging */

typedef struct zw_mode {
    double frequency, growth; /* of exp(growth t) cos(frequency t), rad/s and 1/s */
} zw_mode;

typedef struct zw_modes_critical {
    bool         sought, found;
    const char  *parameter;
    double       from, to;
    bool         unstable_at_from; /* nothing was searched: it is unstable from the beginning */
    double       value;            /* first value on the way where a root gets a positive growth */
    double       frequency;        /* of that root there, rad/s; 0: divergence */
    zw_stability kind;
} zw_modes_critical;

typedef struct zw_modes_summary {
    zw_modes_about    about;
    bool              damped;
    int               count; /* modes that are listed: the slowest, as many as were asked for */
    int               free;  /* motions that nothing holds (rigid bodies, mechanisms), not listed */
    int               columns, rows;
    bool              large;         /* by ARPACK, not by LAPACK */
    bool              complex_roots; /* damping, gyroscopic terms or following loads: growth may differ from 0 */
    double            left;          /* largest force or moment that is not balanced at the state: about start */
    double            scale;         /* largest of those that balance there */
    zw_stability      verdict;
    double            growth, frequency; /* of the root that grows fastest, where it is not stable */
    zw_modes_critical critical;
} zw_modes_summary;

typedef struct zw_modes zw_modes;
/* told now and then: how many of so many states were looked at; may be NULL */
typedef void (*zw_modes_progress)(void *user, int done, int of, double value);

ZW_API zw_status  zw_modes_find(const zw_model *m, zw_modes_progress progress, void *user, zw_modes **out); /* the model must outlive it */
ZW_API void       zw_modes_destroy(zw_modes *s);                                                            /* NULL is legal */
ZW_API void       zw_modes_read(const zw_modes *s, zw_modes_summary *out);
ZW_API zw_mode    zw_modes_at(const zw_modes *s,
                              int i); /* 0 .. count - 1, by rising size of growth + i frequency: without damping by rising frequency */
ZW_API zw_system *zw_modes_system(const zw_modes *s); /* the system of the states below */
/* the state moved along a mode, phase in rad: the largest way of a node is a tenth of the model's size, or the largest turn half a radian. i < 0: the state itself */
ZW_API zw_status   zw_modes_state(const zw_modes *s, int i, double phase, zw_state *x);
ZW_API const char *zw_modes_about_name(zw_modes_about about);
ZW_API const char *zw_stability_name(zw_stability kind); /* "stable", "divergence", "flutter" */

#ifdef __cplusplus
}
#endif
#endif
