/* SPDX-License-Identifier: Apache-2.0
 * moreau_part.h: the inside of the scheme of moreau.c, which its impacts (moreau_impact.c) share. */
#ifndef ZW_STEPS_MOREAU_PART_H
#define ZW_STEPS_MOREAU_PART_H

#include "steps/moreau.h"

struct zw_moreau {
    zw_system     *y;
    zw_meet       *meet;
    zw_kick       *kick;
    zw_solver     *solver; /* of the account */
    const zw_mass *mass;
    int            nv, m, nwords, nslots; /* of the memory: words of bits; places of impulses, 0 without friction */
    zw_contact_set here, there;           /* at q0, at q1 */
    bool           arrived;               /* there was found at this x1 */
    bool           cold;                  /* nothing is known of the last step */
    int            rounds;                /* of impacts in this step */
    double         touch;                 /* gaps up to this are closed, m */
    double         speed;                 /* of what moves fastest in this step, m/s */
    double         noise;                 /* rates up to this are round-off */
    double         depth, residual, work, dissipated, second_work, second_dissipated, second_residual;
    /* v0 after impacts; kicked by the forces alone; answer of the law; right side; for impacts */
    double *v0, *free, *v, *f, *plastic, *full;
    double *b, *g, *lambda; /* of the rows */
    double *held;           /* [m] impulses with which rows hold against those of contacts, of this step */
    double  h;              /* of this step */
    bool    strict;         /* gaps that do not close are an error */
    double  deep;           /* largest overlap at the end of the drift that was not there before, m */
    int     deepest;        /* whose */
};

enum { ZW_MOREAU_ROUNDS = 10 }; /* of impacts in a step; what comes after them does not bounce */

/* a rate that bounces: more than round-off, and forces that change it by `kick` in half a step do not end the flight within the step */
bool zw_moreau_bounces(const zw_moreau *k, const zw_meeting *m, double rate, double kick);
/* will the gap be closed at the end of the step, or is it already? */
bool zw_moreau_closes(const zw_moreau *k, int i, double h);
/* all bounces of now at once, by Moreau's law; k->v0 and k->free change. *hit: there were some */
zw_status zw_moreau_strike(zw_moreau *k, const zw_state *x0, double h, const zw_rows *A, bool *hit);

/* moreau_mix.c: c of the next pass from c->next of this one; creeps: mixed with what the last ones changed */
void zw_moreau_mix(zw_contact_set *s, int pass, bool creeps);

/* moreau_memory.c: guesses of s from the memory of the last step; the memory of this one */
int  zw_moreau_memory_size(const zw_moreau *k);
void zw_moreau_recall(const zw_moreau *k, const double *memory, zw_contact_set *s);
void zw_moreau_remember(const zw_moreau *k, double *memory, const zw_contact_set *s);

#endif
