/* SPDX-License-Identifier: Apache-2.0
 * growth_part.h: the inside of a growth law, for the files growth_*.c. Contract and formulas: growth_law.h. */
#ifndef ZW_PARTS_GROWTH_PART_H
#define ZW_PARTS_GROWTH_PART_H

#include "math/vec3.h"
#include "parts/growth_law.h"

/* everything a law looks at to answer for one link */
typedef struct zw_growth_look {
    double                 t, l;
    const double          *natural; /* k0 */
    const zw_growth_sense *sense;
    const double          *field;                               /* memory s of the link */
    double                 heard[ZW_GROWTH_CUES];               /* cues as they were a delay ago */
    double                 parameter[3 * ZW_GROWTH_PARAMETERS]; /* three places for each key */
    double                 extra[8];                            /* derivatives that the kind asked for */
} zw_growth_look;

typedef struct zw_growth_ops {
    bool by_length; /* the unknown of a flow is l, not ln l: for laws that say ldot */
    int  fields;    /* most doubles of s per link */
    int  cues;      /* most doubles that a delay line hears */
    /* nodes of derivatives, evaluated with the parameters into look.extra; NULL: none */
    zw_status (*derive)(zw_pool *pool, const zw_growth_def *def, int *n, zw_node out[8]);
    zw_status (*check)(zw_growth_law *law); /* refuses what does not fit together, sets fields and delays; NULL: nothing to do */
    void (*cue)(const zw_growth_law *law, const zw_growth_look *k, double *out);
    void (*start)(const zw_growth_law *law, const zw_growth_look *k, double *field);
    void (*rate)(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out); /* out is zero */
    zw_status (*diffuse)(zw_growth_law *law, zw_growth_rod *rod, double t, double h);
    zw_status (*guard)(zw_growth_law *law, const zw_growth_rod *rod, double t); /* raises where the law has come to its end; NULL: never */
} zw_growth_ops;

extern const zw_growth_ops zw_growth_expression_ops, zw_growth_exponential_ops, zw_growth_linear_ops, zw_growth_logistic_ops,
    zw_growth_table_ops, zw_growth_tip_ops, zw_growth_lockhart_ops, zw_growth_stein_ops, zw_growth_homeostatic_ops, zw_growth_tropism_ops,
    zw_growth_signal_ops, zw_growth_flank_ops, zw_growth_thicken_ops, zw_growth_touch_ops, zw_growth_thermal_ops, zw_growth_feed_ops,
    zw_growth_sleeve_ops;

enum { ZW_GROWTH_SLOTS = 40 };

struct zw_growth_law {
    zw_context          *context;
    zw_growth_kind       kind;
    const zw_growth_ops *ops;
    bool                 dilute, natural, scaled;
    bool                 given[ZW_GROWTH_PARAMETERS];
    double               fixed[3 * ZW_GROWTH_PARAMETERS]; /* values of keys that are constant */
    int                  points;
    double              *table;
    char                 over;

    int    fields, cues;
    double delay[ZW_GROWTH_CUES];  /* of each cue, s */
    double memory[ZW_GROWTH_CUES]; /* low-pass time of each cue, s; 0: none */
    int    filter[ZW_GROWTH_CUES]; /* field of its filter; -1: none */
    int    entries;                /* of a delay line; 0: none */
    double sample;

    zw_tape *tape;
    int      roots, first[ZW_GROWTH_PARAMETERS], width[ZW_GROWTH_PARAMETERS], extra0, extras;
    int      inputs, slot[ZW_GROWTH_SLOTS], slot_t, slot_chi;
    double  *in, *work, *value;
    int      shared; /* inputs that the caller knows: what was in the pool before the law */

    /* scratch, for `links` links */
    int             links;
    zw_growth_rate *rate;  /* [2 links] */
    double         *old;   /* [(5 + fields) links] */
    double         *solve; /* [8 links] */
};

/* parameter i of the look: a number, or three */
static inline double zw_growth_number(const zw_growth_look *k, int i) {
    return k->parameter[3 * i];
}

/* the share of a link of length l, middle at the distance d from the tip, that lies in from < d < from + zone: ends of zones move smoothly over links */
static inline double zw_growth_share(double d, double l, double from, double zone) {
    double lo = fmax(d - 0.5 * l, from), hi = fmin(d + 0.5 * l, from + zone);
    return hi > lo ? (hi - lo) / l : 0.0;
}

/* R'(d3 x e) = e3 x R'e: curvature about this axis turns the tangent towards e */
static inline void zw_growth_towards(const double R[9], const double e[3], double out[3]) {
    double e1 = (R[0] * e[0] + R[3] * e[1]) + R[6] * e[2], e2 = (R[1] * e[0] + R[4] * e[1]) + R[7] * e[2];
    zw_v3_set(out, -e2, e1, 0.0);
}

/* growth_law.c: begin fills what all links share; then the look of any link, with what delay lines let it hear at time t */
void      zw_growth_look_begin(zw_growth_law *law, const zw_growth_rod *rod, double t);
void      zw_growth_look_at(zw_growth_law *law, const zw_growth_rod *rod, int j, double t, zw_growth_look *out);
zw_status zw_growth_raise(zw_growth_law *law, zw_status code, const char *remedy, const char *fmt, ...) ZW_PRINTF(4, 5);

/* growth_delay.c. w: [0] index of the newest entry, [1] how many there are, [2 ..] their times; then for each link the cues of all entries */
size_t zw_growth_delay_size(const zw_growth_law *law, int links);
void   zw_growth_delay_start(const zw_growth_law *law, double *w, double t);
void   zw_growth_delay_write(const zw_growth_law *law, double *w, int j, const double *cue);
bool   zw_growth_delay_turn(const zw_growth_law *law, double *w,
                            double t); /* makes room for an entry at t; false: too soon after the last one */
void   zw_growth_delay_hear(const zw_growth_law *law, const double *w, int j, double t, const double *now, double *out);

#endif
