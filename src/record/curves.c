/* SPDX-License-Identifier: Apache-2.0
 * curves.c: reads the components of a channel as curves of at most ZW_CURVE_POINTS points. A long record is cut into equal stretches;
 * of each the least and the greatest value stay, in their order, so that no peak is lost. Memory does not grow with the record. */
#include "record/plot.h"

#include <math.h>
#include <string.h>

enum { STRETCHES = ZW_CURVE_POINTS / 2, CHUNK = 4096, WIDTH_MOST = 64 };

typedef struct stretch {
    double t[2], y[2]; /* least, greatest */
    bool   some;
} stretch;

static int find_channel(const zw_layout *layout, const char *name) {
    for (int i = 0; i < layout->nchannels; i++) {
        if (strcmp(layout->channel[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void take(stretch *s, double t, double y) {
    if (isnan(y)) {
        return;
    }
    if (!s->some || y < s->y[0]) {
        s->t[0] = t;
        s->y[0] = y;
    }
    if (!s->some || y > s->y[1]) {
        s->t[1] = t;
        s->y[1] = y;
    }
    s->some = true;
}

static void put(zw_curve *c, double t, double y) {
    if (c->n < ZW_CURVE_POINTS) {
        c->x[c->n] = t;
        c->y[c->n++] = y;
    }
}

static void flush(zw_curve *c, stretch *s, double t_end) {
    if (!s->some) {
        put(c, t_end, NAN);
    } else {
        int first = s->t[0] <= s->t[1] ? 0 : 1;
        put(c, s->t[first], s->y[first]);
        if (s->t[0] != s->t[1]) {
            put(c, s->t[!first], s->y[!first]);
        }
    }
    s->some = false;
}

/* total frames and width of a channel over all epochs; one that changes its width is read where it is as wide as at first */
static int64_t survey(const zw_results *r, const char *name, int *width, const char **unit) {
    int64_t total = 0;
    *width = 0;
    for (int e = 0; e < zw_results_epochs(r); e++) {
        const zw_layout *layout = zw_results_layout(r, e);
        int              i = find_channel(layout, name);
        if (i < 0) {
            continue;
        }
        if (*width == 0) {
            *width = (int)layout->channel[i].count;
            *unit = layout->channel[i].unit;
        }
        if ((int)layout->channel[i].count == *width) {
            total += zw_results_frames(r, e);
        }
    }
    return total;
}

zw_status zw_curves_read(const zw_results *r, zw_arena *a, const char *channel, zw_curve *out, int room, int *width, const char **unit) {
    *unit = "";
    int64_t total = survey(r, channel, width, unit), seen = 0;
    if (*width == 0 || *width > room || *width > WIDTH_MOST || total == 0) {
        *width = 0;
        return ZW_OK;
    }
    int w = *width;
    for (int k = 0; k < w; k++) {
        size_t points = (size_t)(total < ZW_CURVE_POINTS ? total : ZW_CURVE_POINTS);
        memset(&out[k], 0, sizeof out[k]);
        out[k].x = zw_arena_alloc(a, points, sizeof(double), "a curve");
        out[k].y = zw_arena_alloc(a, points, sizeof(double), "a curve");
        if (!out[k].x || !out[k].y) {
            return ZW_E_MEMORY;
        }
    }
    zw_arena_mark mark = zw_arena_mark_now(a);
    double       *t = zw_arena_alloc(a, CHUNK, sizeof *t, "a stretch of a record");
    double       *y = zw_arena_alloc(a, (size_t)CHUNK * (size_t)w, sizeof *y, "a stretch of a record");
    if (!t || !y) {
        return ZW_E_MEMORY;
    }
    stretch   s[WIDTH_MOST] = {0};
    bool      whole = total <= ZW_CURVE_POINTS;
    zw_status status = ZW_OK;
    for (int e = 0; e < zw_results_epochs(r) && status == ZW_OK; e++) {
        const zw_layout *layout = zw_results_layout(r, e);
        int              i = find_channel(layout, channel), time = find_channel(layout, "time");
        if (i < 0 || time < 0 || (int)layout->channel[i].count != w) {
            continue;
        }
        int64_t frames = zw_results_frames(r, e);
        for (int64_t first = 0; first < frames && status == ZW_OK; first += CHUNK) {
            int64_t count = frames - first < CHUNK ? frames - first : CHUNK;
            status = zw_results_read(r, e, time, first, count, t);
            if (status == ZW_OK) {
                status = zw_results_read(r, e, i, first, count, y);
            }
            for (int64_t f = 0; f < count && status == ZW_OK; f++, seen++) {
                bool last = whole || seen * STRETCHES / total != (seen + 1) * STRETCHES / total || seen + 1 == total;
                for (int k = 0; k < w; k++) {
                    take(&s[k], t[f], y[f * w + k]);
                    if (last) {
                        flush(&out[k], &s[k], t[f]);
                    }
                }
            }
        }
    }
    zw_arena_release(a, mark);
    return status;
}
