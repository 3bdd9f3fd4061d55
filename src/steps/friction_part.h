/* SPDX-License-Identifier: Apache-2.0
 * friction_part.h: what the files of one kick share: friction.c says what the law is and finds it, friction_given.c finds it in another way, friction_rows.c puts
 * it into the rows of the kernel. */
#ifndef ZW_STEPS_FRICTION_PART_H
#define ZW_STEPS_FRICTION_PART_H

#include "steps/moreau.h"

enum { ZW_RUB_FACETS = 9, ZW_RUB_DEPTH = 5 };

typedef struct zw_rub { /* a contact with friction; n = 0: without */
    bool   slides;      /* d[0] is where to */
    int    n;           /* half spaces u + mu s >= mu d.w that stand for the cone */
    double d[ZW_RUB_FACETS][2], s;
    bool   given;        /* u >= 0 and a given force against d[0] instead */
    double force, drag;  /* N s against d[0]; N s/m across it, where it slides */
    int    slips, tries; /* how often it moved while it was taken to stick; how often it was taken to stick after it slid */
    double slipped;      /* how fast at last */
} zw_rub;

struct zw_kick {
    zw_context    *context;
    zw_unilateral *kernel;
    zw_rub        *rub; /* per contact */
    /* rows of the kernel */
    zw_tile       *tile; /* those of N that are on, without friction */
    zw_rows        R, A; /* with friction: inequalities; equalities and drags */
    double        *c, *mu;
    unsigned char *flag;
    /* the system with one more column for each drag */
    int        ndrags;
    zw_metric  H;
    zw_matrix *part;
    int       *v0;
    double    *drag, *f, *x, *b, *lambda;
    double    *best_x, *best_lambda, best_law; /* the answer nearest to the law so far */
    double    *inverse;                        /* per column: 1/H_jj */
    double    *now, *next;                     /* what is followed, and what it should be */
    double    *past;                           /* Anderson: differences of what is followed and of its residual, then the last of both */
    int        room_contacts, room_rubs, room_columns, room_rows, room_parts;
    ptrdiff_t  room_equalities, room_blocks, room_values;
};

/* sliding w = T x + wind + bend */
void zw_rub_slide(const zw_contact_set *s, int i, const double *x, double w[2]);
/* how far the worst contact is from its law, as a speed */
double zw_rub_worst(const zw_kick *k, const zw_contact_set *s, const double *x, int *who);
/* how far it may be after so many passes, over the speed; what is left is recorded */
double zw_rub_allowed(int pass);
/* the answer is kept if it is the nearest to the law so far */
void   zw_rub_keep(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, const double *x, const double *lambda, double law);
double zw_rub_drag(const zw_kick *k, const zw_contact_set *s, int i, double force, double speed); /* force/speed within bounds */
/* three directions, the first of them (c, s) */
void zw_rub_face(zw_rub *r, double c, double s);
/* Anderson: now <- next, less the combination of the last steps that leaves the least residual next - now; n pairs of numbers */
void zw_rub_accelerate(zw_kick *k, int n, int *depth);
/* friction_given.c; *found: whether it was */
zw_status zw_rub_given(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda, bool *found);
/* about N H^-1 N': has impulses in the units of rates */
double zw_rub_weight(const zw_kick *k, const zw_contact_set *s, int i);

zw_status zw_kick_reserve(zw_kick *k, const zw_contact_set *s, const zw_kick_problem *pb);
/* one call of the kernel with the contacts that are on; solved false: it got lost; recall: it begins with those that are expected to push, not with its last set */
zw_status zw_kick_smooth(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda);
zw_status zw_kick_project(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, bool recall, double *x, double *lambda, bool *solved);

#endif
