/* SPDX-License-Identifier: Apache-2.0
 * along_build.h: the inside of along.h: what an equation along a rod is compiled to. */
#ifndef ZW_ROWS_ALONG_BUILD_H
#define ZW_ROWS_ALONG_BUILD_H

#include "rows/along.h"

typedef struct zw_along_inputs { /* slots of the pool. Vectors in space axes; director i, component k: d[3 i + k] */
    int t, s, r[3], d[9], w[3], v[3];
    int strain[6], rate[6], rate2[6]; /* kappa, gamma and their first and second rates */
    int force[ZW_ALONG_MOST];         /* multipliers */
} zw_along_inputs;

typedef struct zw_along_tapes {
    zw_tape *value; /* [n] g; NULL: nonholonomic */
    zw_tape *first; /* [n] level 1, then [n][6 or 12]: its derivative by w, v, and by the rates of the strains */
    zw_tape *rate;  /* [n] D; NULL: not known in closed form */
    zw_tape *
        turns; /* [36] derivative of sum force_i (row i on w, v) in small turns and ways of a node; NULL: sections are links, or velocities */
    bool frames;           /* positions, directors or velocities occur */
    bool moves, nonlinear; /* t occurs; A depends on velocities */
    int  work, out;        /* doubles that the largest tape needs */
} zw_along_tapes;

ZW_MUST_USE zw_status zw_along_compile(const zw_model *m, const zw_along_def *def, zw_along_inputs *in, zw_along_tapes *out);
void                  zw_along_tapes_destroy(zw_along_tapes *t);

#endif
