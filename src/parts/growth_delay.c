/* SPDX-License-Identifier: Apache-2.0
 * growth_delay.c: delay lines of growth laws: what a link sensed, at the ends of past steps, read off by linear interpolation.
 *
 * All links of a rod share the times. The present is the last point of the line, so that a delay shorter than a step works as
 * well; before the first entry everything was as then. A delay of whole steps gives back entries bit for bit, a signal linear in time is
 * exact at any delay and step. */
#include "parts/growth_part.h"

enum { NEWEST, COUNT, TIMES };

size_t zw_growth_delay_size(const zw_growth_law *law, int links) {
    return law->entries ? TIMES + (size_t)law->entries * (1 + (size_t)law->cues * (size_t)links) : 0;
}

static size_t place_of(const zw_growth_law *law, int j, int entry) {
    size_t K = (size_t)law->entries;
    return TIMES + K + ((size_t)j * K + (size_t)entry) * (size_t)law->cues;
}

void zw_growth_delay_start(const zw_growth_law *law, double *w, double t) {
    if (law->entries) {
        w[NEWEST] = 0.0;
        w[COUNT] = 1.0;
        w[TIMES] = t;
    }
}

bool zw_growth_delay_turn(const zw_growth_law *law, double *w, double t) {
    if (!law->entries) {
        return false;
    }
    int newest = (int)w[NEWEST], count = (int)w[COUNT];
    if (t - w[TIMES + newest] < law->sample * (1.0 - 1e-6)) {
        return false;
    }
    newest = (newest + 1) % law->entries;
    w[NEWEST] = (double)newest;
    w[COUNT] = (double)(count < law->entries ? count + 1 : count);
    w[TIMES + newest] = t;
    return true;
}

void zw_growth_delay_write(const zw_growth_law *law, double *w, int j, const double *cue) {
    double *to = w + place_of(law, j, (int)w[NEWEST]);
    for (int i = 0; i < law->cues; i++) {
        to[i] = cue[i];
    }
}

/* slot of the entry that is so many places older than the newest one */
static int slot_of(const zw_growth_law *law, const double *w, int age) {
    int slot = (int)w[NEWEST] - age;
    return slot < 0 ? slot + law->entries : slot;
}

void zw_growth_delay_hear(const zw_growth_law *law, const double *w, int j, double t, const double *now, double *out) {
    for (int i = 0; i < law->cues; i++) {
        out[i] = now[i];
        if (!law->entries || law->delay[i] == 0.0) {
            continue;
        }
        /* the newest entry that is not after `then`; times are rounded: what is within 1e-9 of an entry is that entry */
        double then = t - law->delay[i], near = 1e-9 * law->sample;
        int    lo = 0, hi = (int)w[COUNT] - 1; /* ages; the oldest one stands for all that was before it */
        while (lo < hi) {
            int mid = lo + (hi - lo) / 2;
            if (w[TIMES + slot_of(law, w, mid)] - near <= then) {
                hi = mid;
            } else {
                lo = mid + 1;
            }
        }
        int    before = slot_of(law, w, lo);
        double time = w[TIMES + before], value = w[place_of(law, j, before) + (size_t)i], later_time = t, later = now[i];
        if (lo > 0) {
            int after = slot_of(law, w, lo - 1);
            later_time = w[TIMES + after];
            later = w[place_of(law, j, after) + (size_t)i];
        }
        out[i] = then <= time + near ? value : value + (later - value) * ((then - time) / (later_time - time));
    }
}
