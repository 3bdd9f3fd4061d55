/* SPDX-License-Identifier: Apache-2.0
 * contacts.h: what a run knows about its unilateral constraints. Shared by
 *
 *   contacts.c     creation, the start, the hook of the advance loop
 *   path.c         the motion along a step
 *   locate.c       the first event on the way from one state to the next, certified
 *   impact.c       the map v- -> v+ at an event, by the named law
 *   impact_laws.c  the laws in the space of contacts
 *   impact_joints.c  what joints take up
 *   stick.c        the law stick
 *   sustain.c      contacts that last, their release, and the limit of infinitely many impacts
 *   ledger.c       what is told about each event */
#ifndef ZW_EVENTS_CONTACTS_H
#define ZW_EVENTS_CONTACTS_H

#include "events/run.h"
#include "project/unilateral.h"
#include "rows/unilateral.h"

/* what is remembered of one side: plain numbers, part of a checkpoint */
typedef struct zw_contact_memory {
    int64_t held; /* 1: it is an equation of the system now; 2: it rides along: closed, and kept so by those that are */
    int64_t hits;
    double  scale;   /* largest terms of its gap so far: what touching is measured by */
    double  slope;   /* largest |N| so far                                */
    double  speed;   /* largest terms of its rate so far: what its round-off is measured by */
    double  force;   /* what its multiplier is measured by, N             */
    double  last[2]; /* times of its last impacts, newest first           */
    double  let_go;  /* 1 + time at which it was let go last, 0: never    */
    double  anchor;  /* an angle's value at the start of the last step: it is counted on from there */
} zw_contact_memory;

typedef struct zw_impact { /* contacts at an event, in their own space: rates u, impulses p, u+ = u- + G p */
    int     n;
    int    *side; /* [n] */
    double *G;    /* [n n] N P N', P the inverse metric within the equations */
    double *e;    /* [n] */
    double *before, *after, *p;
    double *u, *other, *work; /* [n], [n], [many] for the laws */
    int    *order;
    double  condition;
    bool    order_dependent;
} zw_impact;

enum { ZW_PATH_ORDER = 4, ZW_PATH_STATES = 2 * ZW_PATH_ORDER + 1 };

struct zw_contacts {
    int                n;
    zw_side *const    *side;
    zw_contact_memory *memory;
    zw_impact_law      law;
    zw_solver         *solver;
    zw_unilateral     *qp;
    zw_state           trial, sample, from; /* with w */
    int                lost;                /* the side that could not be decided */
    /* rows of some sides, and of the model */
    zw_rows        N, A;
    int            room;  /* contacts at once that dense, impact.G and impact.work have room for */
    double        *grown; /* what they point into */
    double        *dense; /* [room nv] P N' of the contacts */
    double        *f, *b, *a, *lambda, *mu, *c;
    zw_side_look  *look;
    double        *v_before, *forces, *held_force; /* forces: of the contacts that hold, along a step */
    int           *pick;
    unsigned char *mark, *dropped, *bound; /* scratch; contacts that end here; what the integrator was made for */
    /* along a step, the same for all sides: states of the polynomial at eighths of it (the ends are those of the step), real ones at 1/4 and 3/4 */
    zw_state              along[ZW_PATH_STATES - 2], real[2];
    const zw_state       *path_of[ZW_PATH_STATES]; /* the ends among them */
    bool                  measured;
    unsigned char        *near;      /* [pairs of forms] they may touch in this step; 2: a contact of theirs lasts */
    double               *near_from; /* and not before this part of it */
    double                surely;    /* by this part of the step some of them overlap, if nothing is done; 1: not known */
    struct zw_mover_path *mover;
    /* control points of the inputs of a side, on two halves */
    double           *path, *slack, *z, *check;
    zw_interval      *box, *dbox;
    zw_impact         impact;
    zw_event_contact *told;
    zw_event_joint   *joint_told; /* [joints] */
    struct zw_stick  *stick;      /* NULL: contacts slide */
    double            slid;       /* J that the impact took along the walls */
    double           *push;       /* [nv] N' p of the impact */
    double           *loose;      /* [2 rows] */
    int              *loose_row;
    /* counters are in the tally of the run */
};

/* contacts.c */
zw_status zw_contacts_create(zw_run *r); /* r->contacts stays NULL when there are none; raises an interpenetrating start */
void      zw_contacts_destroy(zw_run *r);
zw_status zw_contacts_begin(zw_run *r); /* at the start of the run: impacts and contacts of the first state */
zw_status zw_contacts_rebind(zw_run   *r,
                             zw_state *x); /* an integrator for the equations that hold now; x goes on from here without a past */
zw_status zw_contacts_resume(zw_run *r, const zw_state *x); /* after the memories were restored */
/* an accepted step x0 -> x1: cuts it at the first event, if there is one: x1 is the state there, then, and *met says so. ZW_E_STEP, not raised: shorten */
zw_status zw_contacts_meet(zw_run *r, const zw_state *x0, zw_state *x1, bool *met, double *shorter);
zw_status zw_contacts_settle(zw_run *r, zw_state *x);     /* what happens at the state of an event */
zw_status zw_contacts_lost(zw_run *r, const zw_state *x); /* raises: it cannot be told whether a gap closes after x */
zw_status zw_contacts_step(zw_run *r, const zw_state *x0, double h, double t1,
                           zw_state *x1); /* a step of given length, with all events on its way */
size_t    zw_contacts_save_size(const zw_run *r);
bool      zw_contacts_still(const zw_contacts *c, int i, const zw_side_look *at); /* its rate is round-off */
double    zw_contacts_touch(const zw_contacts *c, int i, const zw_side_look *at); /* gaps up to here are closed */
int       zw_contacts_holding(const zw_contacts *c);                              /* contacts that are equations now */
zw_status zw_contacts_make_room(zw_run *r, int n);                                /* for n contacts at once */
zw_status zw_contacts_restep(zw_run *r, const zw_state *x0, double h, zw_state *x1);

/* path.c: states along a step, for all that look at it */
zw_status zw_contacts_follow(zw_run *r, const zw_state *x0, const zw_state *x1);
zw_status zw_contacts_measure(zw_run *r, const zw_state *x0, double h); /* c->real, once in a step */
/* control points from values at 0, 1/4, 1/2, 3/4, 1, and the value of the polynomial */
void   zw_path_controls(const double f[ZW_PATH_ORDER + 1], double c[ZW_PATH_ORDER + 1]);
double zw_path_value(const double *c, double u);
void   zw_path_part(const double *c, double a, double b, double out[ZW_PATH_ORDER + 1]); /* control points of the part [a, b] */
/* quaternions among the inputs of a feature get the sign of those before: one that is made of a matrix may come with the other */
void zw_path_align(const zw_side *s, const double *before, double *z);
/* locate.c */
/* earliest root; *h < 0: none; *undecided: the bounds do not tell, a shorter step would */
zw_status zw_contacts_locate(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, bool *undecided);
/* advance.c: after zw_contacts_follow */
zw_status zw_contacts_reserve_pairs(zw_run *r);
zw_status zw_contacts_find_near(zw_run *r, const zw_state *x0, double h); /* c->near */
zw_status zw_contacts_overlap(zw_run *r, const zw_state *x, bool *overlap);
zw_status zw_contacts_check_pairs(zw_run *r, const zw_state *x); /* raises an interpenetrating start */
zw_status zw_contacts_find_end(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, int *who); /* of the feature of a contact */
zw_status zw_contacts_watch_riders(zw_run *r, const zw_state *x1, bool *closed);
/* sustain.c */
zw_status zw_contacts_find_release(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, bool *undecided);
zw_status zw_contacts_hold(zw_run *r, zw_state *x,
                           const unsigned char *dropped); /* who holds from here on: the accelerations tell; ledger */
zw_status zw_contacts_accumulates(zw_run *r, const zw_state *x, int i, double rate_after, double e,
                                  double *limit); /* *limit > 0: duration of what is left of a Zeno sequence */
/* impact.c */
zw_status zw_contacts_impact(zw_run *r, zw_state *x, bool *hit);
/* impact_joints.c: set-up; then, with the solver as the impact left it and push = N' p, the joints of the record */
zw_status zw_impact_joints_reserve(zw_run *r);
zw_status zw_impact_joints(zw_run *r, const zw_state *x, const double *push, zw_event_record *e);
/* stick.c: nothing is reserved for other laws */
zw_status zw_stick_reserve(zw_run *r);
void      zw_stick_destroy(zw_run *r);
zw_status zw_stick_impact(zw_run *r, const zw_state *x, double *dv, double *push,
                          double *lost);                                       /* the contacts of c->impact, rows in c->N */
zw_status zw_stick_hold(zw_run *r, zw_state *x, const unsigned char *dropped); /* zw_contacts_hold by this law */
zw_status zw_stick_slides(zw_run *r, const zw_state *x, int side, const zw_side_look *at, bool *out);
/* impact_laws.c */
zw_status zw_impact_apply(zw_context *c, zw_impact *k, zw_impact_law law, double t);
zw_status zw_impact_sequential(zw_context *c, zw_impact *k, const int *order, double *u, double *p);
zw_status zw_impact_compliant(zw_context *c, zw_impact *k);
double    zw_impact_condition(zw_impact *k);
/* ledger.c */
zw_status zw_contacts_tell(zw_run *r, const zw_event_record *e);
zw_status zw_contacts_tell_change(zw_run *r, const zw_state *x, zw_event_kind kind, int n); /* rest or release of the first n of c->told */

#endif
