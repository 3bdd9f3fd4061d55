/* SPDX-License-Identifier: Apache-2.0
 * track.h: places whose label moves along a rod. See track.c. */
#ifndef ZW_SYSTEM_TRACK_H
#define ZW_SYSTEM_TRACK_H

#include "system/system.h"

typedef struct zw_track {
    int      body;  /* of the model */
    zw_node  node;  /* its label */
    zw_field field; /* label and its rate, of t */
    zw_where at;
    char     subject[128];
} zw_track;

typedef struct zw_tracks {
    int       n, most;
    bool      frozen; /* places stay on the links that they were on at that time */
    double    since;
    zw_track *of;
} zw_tracks;

zw_status zw_tracks_create(zw_system *y);
void      zw_tracks_destroy(zw_system *y);
bool      zw_place_moves(const zw_model *m, const zw_place_def *def);
zw_status zw_track_bind(const zw_system *y, const zw_place_def *def, const char *subject, int *out); /* out: number in zw_place.track */
void      zw_track_label(const zw_system *y, int track, double t, double label[2]);                  /* and its rate */
/* the place where p is now, and how its frame changes with the label: (angle, position) per m, space axes; returns the rate of the label */
double    zw_system_slip(const zw_system *y, const zw_state *x, const zw_place *p, zw_place *at, double tangent[6]);
zw_status zw_tracks_check(const zw_system *y, double t); /* raises where a label has left its rod */

#endif
