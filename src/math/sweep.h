/* SPDX-License-Identifier: Apache-2.0
 * sweep.h: which of many axis-aligned boxes overlap, at a cost linear in boxes and pairs.
 *
 * Pairs come with i < j, sorted by i and then j, whatever the places of the boxes: what is computed from them in this order does not depend
 * on history. A box may be unbounded (infinite sides: a plane, an endless drum): it is compared with every other. */
#ifndef ZW_MATH_SWEEP_H
#define ZW_MATH_SWEEP_H

#include "math/form.h"

#include "zwang/base.h"

#include <stdint.h>

typedef struct zw_box {
    double low[3], high[3]; /* touching counts as overlap; low > high or not a number: meets nothing */
} zw_box;

typedef struct zw_pair {
    int i, j;
} zw_pair;

/* true: this pair never meets (joined bodies, two obstacles); asked once for each overlap, i < j */
typedef bool (*zw_sweep_skip)(void *user, int i, int j);

typedef struct zw_sweep {
    zw_context *context;
    int         most;   /* boxes                               */
    size_t      room;   /* pairs                               */
    uint32_t    mask;   /* buckets - 1                         */
    int        *bucket; /* first box of a bucket, -1: none     */
    int        *next;   /* the one behind it                   */
    int        *level;  /* size class of a box                 */
    int64_t    *cell;   /* [3 most] where its low corner is    */
    int        *wide;   /* boxes without bounds                */
    size_t     *first;  /* [most + 1] of the counting sort     */
    zw_pair    *pair, *spare;
} zw_sweep;

/* room for `most` boxes and, to begin with, `room` pairs; a search that finds more takes more memory once */
ZW_MUST_USE zw_status zw_sweep_init(zw_sweep *s, zw_context *c, int most, size_t room);
void                  zw_sweep_destroy(zw_sweep *s);
/* all overlapping pairs that skip (may be NULL) does not leave out; *pairs is valid until the next call */
ZW_MUST_USE zw_status zw_sweep_pairs(zw_sweep *s, const zw_box *box, int n, zw_sweep_skip skip, void *user, const zw_pair **pairs,
                                     size_t *count);

/* the smallest box about a placed form, grown by margin on all sides */
void zw_box_of_form(const zw_placed *p, double margin, zw_box *out);
bool zw_boxes_overlap(const zw_box *a, const zw_box *b);

#endif
