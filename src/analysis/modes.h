/* SPDX-License-Identifier: Apache-2.0
 * modes.h: the inside of zwang/modes.h.
 *
 *   modes_state.c      the state that small motions are about, and what is refused
 *   modes_critical.c   the parameter value where the first root gets a positive growth
 *   modes.c            the result, and states moved along its shapes */
#ifndef ZW_ANALYSIS_MODES_H
#define ZW_ANALYSIS_MODES_H

#include "analysis/spectrum.h"
#include "analysis/vary.h"
#include "zwang/modes.h"

typedef struct zw_modes_search { /* the model at a value of the parameter, and its state there */
    const zw_modes_def *def;
    zw_vary             vary;
    zw_state            x;
    double             *lambda;    /* [rows] forces of the rows; about start: not used */
    bool                continued; /* x is the state at another value */
    zw_modes_progress   progress;
    void               *user;
    int                 done, of;
} zw_modes_search;

struct zw_modes {
    zw_context      *context;
    zw_modes_search  search;
    zw_modes_summary summary;
    zw_spectrum      spectrum;
    int             *listed; /* [count] numbers of roots */
};

/* refuses what has no small motions; then the state */
ZW_MUST_USE zw_status zw_modes_admit(const zw_modes_search *s);
ZW_MUST_USE zw_status zw_modes_place(zw_modes_search *s); /* s->x, s->lambda of the system at hand */
ZW_MUST_USE zw_status zw_modes_pencil(zw_modes_search *s, zw_pencil *out);
/* the fastest growing root; NULL: none grows */
const zw_root        *zw_modes_unstable(const zw_spectrum *s, bool damped);
ZW_MUST_USE zw_status zw_modes_critical_find(zw_modes_search *s, zw_modes_critical *out);
/* x along u (columns of small turns and ways) */
void zw_modes_move(zw_implicit *k, const zw_state *from, const double *u, zw_state *to);

#endif
