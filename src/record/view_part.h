/* SPDX-License-Identifier: Apache-2.0
 * view_part.h: what the rooms of the page share: the results, the model when it can be read, which frames are kept, the text and the arrays. */
#ifndef ZW_RECORD_VIEW_PART_H
#define ZW_RECORD_VIEW_PART_H

#include "base/arena.h"
#include "model/model.h"
#include "record/blob.h"
#include "record/epochs.h"
#include "record/json.h"
#include "record/scene_part.h"
#include "record/view.h"

typedef struct zw_view_frames { /* kept frames: k -> which of all, evenly spread, first and last among them */
    int64_t total, kept;
} zw_view_frames;

typedef struct zw_view {
    zw_context       *context;
    zw_arena          arena;
    const zw_results *results;
    zw_epochs         epochs;  /* its frames on one mesh */
    const zw_model   *model;   /* NULL: this version cannot read it */
    const zw_json    *summary; /* NULL: the run has not ended       */
    const char       *title;
    zw_scene          scene; /* obstacles and the pieces of rigid bodies, as the report draws them */
    zw_text           json;
    zw_blob           blob;
    zw_view_frames    frames, plots;
    double           *time;   /* [frames.kept] */
    size_t            budget; /* bytes of arrays */
    int               most;   /* frames asked for; 0: any */
} zw_view;

int64_t zw_view_frame(const zw_view_frames *f, int64_t k);
/* kept frames [first, first + n) of a channel */
zw_status zw_view_read(const zw_view *v, const zw_view_frames *f, int channel, int64_t first, int64_t n, double *out);

zw_status zw_view_write_channels(zw_view *v); /* view_frames.c: times, arrays of the scene, curves of the plots */
zw_status zw_view_write_bodies(zw_view *v);   /* view_bodies.c: bodies, joints, gravity                         */
zw_status zw_view_write_walls(zw_view *v);    /* view_walls.c: obstacles                                        */
zw_status zw_view_write_acts(zw_view *v);     /* view_acts.c: loads and frames of reference                     */
zw_status zw_view_write_ledger(zw_view *v);   /* view_mark.c: events, and where they were                       */

/* {"body": number, "s": label | "point": number | "r": [x, y, z]}, or null for the ground */
void zw_view_place(zw_view *v, const zw_place_def *p);
void zw_view_numbers(zw_text *t, const double *x, int n); /* [x, y, z] */
bool zw_view_constant(const zw_view *v, zw_quantity q, double otherwise, double *out);

#endif
