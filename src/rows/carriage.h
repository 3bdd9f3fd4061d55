/* SPDX-License-Identifier: Apache-2.0
 * carriage.h: a frame of reference that moves by itself, of t: it rests, spins steadily, or follows expressions.
 *
 *   rests     r = at                 R = R0
 *   spins     r = at                 R = exp(spin t) R0                     w = spin
 *   moves     r = at + shift(t)      R = exp(turn(t)) R0                    w = dexp_turn turn',  v = shift'
 * Velocities and accelerations are exact: the expressions are differentiated, not the motion. */
#ifndef ZW_ROWS_CARRIAGE_H
#define ZW_ROWS_CARRIAGE_H

#include "model/field.h"

typedef struct zw_carriage {
    const char *name;
    double      origin[3], R0[9];
    bool        spins, moves; /* neither: at rest */
    double      spin[3];
    zw_field    motion, rate, rate2; /* shift and turn (6), and their first and second time derivatives */
} zw_carriage;

/* def must not be carried */
zw_status zw_carriage_create(const zw_model *m, const zw_frame_def *def, zw_carriage *out);
void      zw_carriage_destroy(zw_carriage *k);
/* rate: of (w, v); NULL: not wanted */
zw_status zw_carriage_at(zw_carriage *k, double t, zw_frame *F, double rate[6]);
/* does it never leave the plane with that normal, nor tilt out of it, as far as can be told from what is written? */
bool zw_carriage_keeps(const zw_carriage *k, const zw_frame_def *def, const double normal[3]);

#endif
