/* SPDX-License-Identifier: Apache-2.0
 * along_build.h: the inside of along.h: what an equation along a rod is compiled to, and the rows made of it. */
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

enum { ZW_ALONG_TEXT = 96, ZW_ALONG_COLUMNS = 12 };

typedef struct zw_along {
    zw_context           *context;
    const zw_model       *model;
    const zw_along_def   *def;
    const struct zw_rods *rods;
    const struct zw_rod  *rod;
    int                   part, n, sides;
    int                   first, count; /* sections: nodes or links of the rod from first on */
    double                scale[ZW_ALONG_MOST];
    zw_along_inputs       slot;
    zw_along_tapes        tape;
    double               *in, *work, *out;
    char                 *text; /* of the row named last */
} zw_along;

typedef struct zw_along_motion { /* how the inputs of a section follow the velocities (Omega body, xdot) of its nodes */
    double frame[2][36];         /* (w, v) */
    double strain[6][ZW_ALONG_COLUMNS];
} zw_along_motion;

ZW_MUST_USE zw_status zw_along_compile(const zw_model *m, const zw_along_def *def, zw_along_inputs *in, zw_along_tapes *out);
void                  zw_along_tapes_destroy(zw_along_tapes *t);

/* along.c */
double zw_along_mean_length(const zw_along *k); /* of a link: what turns are measured by */
void   zw_along_nodes(const zw_along *k, int section, const zw_state *x, const double *q[2], const double *v[2]);
/* sets all inputs; q, v: of the nodes of the section; second: second rates of strains too */
void      zw_along_look(zw_along *k, int section, double t, const double *const q[2], const double *const v[2], bool second,
                        zw_along_motion *how);
void      zw_along_row(const zw_along *k, int i, const zw_along_motion *how,
                       double row[ZW_ALONG_COLUMNS]); /* of what the tape `first` gave; not scaled */
double    zw_along_size(const zw_along *k, const double row[ZW_ALONG_COLUMNS]);
zw_status zw_along_first(zw_along *k, int section, double t, const zw_along_motion *how, double *f, double (*row)[ZW_ALONG_COLUMNS]);
zw_status zw_along_not_finite(zw_along *k, int section, double t, const zw_tape *tape);
zw_status zw_along_vanishes(zw_along *k, int section, int row, double t, double size);
void      zw_along_destroy(void *self);

#endif
