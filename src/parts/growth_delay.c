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

void zw_growth_delay_hear(const zw_growth_law *law, const double *w, int j, double t, const double *now, double *out) {
    for (int i = 0; i < law->cues; i++) {
        out[i] = now[i];
        if (!law->entries || law->delay[i] == 0.0) {
            continue;
        }
        /* times of the line are rounded: what is within 1e-9 of an entry is that entry */
        double then = t - law->delay[i], near = 1e-9 * law->sample, later_time = t, later = now[i];
        int    entry = (int)w[NEWEST];
        for (int back = 0; back < (int)w[COUNT]; back++) {
            double time = w[TIMES + entry], value = w[place_of(law, j, entry) + (size_t)i];
            if (then >= time - near) {
                double span = later_time - time;
                out[i] = then <= time + near ? value : value + (later - value) * ((then - time) / span);
                break;
            }
            out[i] = later = value;
            later_time = time;
            entry = entry > 0 ? entry - 1 : law->entries - 1;
        }
    }
}
