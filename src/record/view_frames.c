/* SPDX-License-Identifier: Apache-2.0
 * view_frames.c: which frames the page holds, and their numbers. All of them as 32-bit floats when they fit; otherwise as 16 bits of each channel's range; otherwise only
 * what a scene shows (places, turns, and one number for each thing that colours) with 16 and 8 bits; and only then fewer frames, evenly spread. Curves of the plots are kept
 * apart from that: they are narrow, and may be finer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "record/view_part.h"

enum { PLOT_SAMPLES = 4000, PLOT_BYTES = 3000000, BLOCK = 64, PLOT_WIDTH = 12 };

typedef enum level { FULL, HALF, SHOWN } level;

typedef struct shown { /* what is left of a channel at the last level */
    const char *channel, *part;
    int         from, to; /* components [from, to): their norm, or the number itself when it is one */
} shown;

static const shown shown_of_rods[] = {
    {"velocity", "speed", 0, 3}, {"curvature", "bending", 0, 2}, {"curvature", "twist", 2, 3},
    {"strain", "stretch", 2, 3}, {"force", "tension", 2, 3},
};
enum { SHOWN_OF_RODS = sizeof shown_of_rods / sizeof shown_of_rods[0] };

int64_t zw_view_frame(const zw_view_frames *f, int64_t k) {
    return f->kept >= f->total || f->kept < 2 ? k : (int64_t)((double)k * (double)(f->total - 1) / (double)(f->kept - 1) + 0.5);
}

zw_status zw_view_read(const zw_view *v, const zw_view_frames *f, int channel, int64_t first, int64_t n, double *out) {
    if (f->kept >= f->total) {
        return zw_epochs_read(&v->epochs, channel, first, n, out);
    }
    size_t width = v->epochs.layout->channel[channel].count;
    for (int64_t k = 0; k < n; k++) {
        ZW_TRY(zw_epochs_read(&v->epochs, channel, zw_view_frame(f, first + k), 1, out + (size_t)k * width));
    }
    return ZW_OK;
}

static const char *last_word(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

/* what moves in the scene or colours it */
static bool of_scene(const zw_channel *c) {
    const char *word = last_word(c->name);
    if (begins(c->name, "rod/") || begins(c->name, "rigid/")) {
        return c->rank > 0; /* one number of a whole rod is a curve */
    }
    return (begins(c->name, "lagrangian/") && strcmp(word, "points") == 0) || (begins(c->name, "field/") && c->rank > 0);
}

static bool of_plots(const zw_channel *c) {
    return !of_scene(c) && c->count <= PLOT_WIDTH && strcmp(c->name, "time") != 0;
}

static bool is_place(const zw_channel *c) {
    const char *word = last_word(c->name);
    return strcmp(word, "position") == 0 || strcmp(word, "orientation") == 0 || strcmp(word, "points") == 0;
}

static size_t channel_bytes(const zw_channel *c, level at) {
    if (!of_scene(c)) {
        return 0;
    }
    if (at != SHOWN || !begins(c->name, "rod/")) {
        return c->count * (at == FULL ? 4 : 2);
    }
    if (is_place(c)) {
        return c->count * (strcmp(last_word(c->name), "orientation") == 0 ? 1 : 2);
    }
    if (c->rank == 1) { /* a number for each node or link */
        return c->count;
    }
    size_t bytes = 0;
    for (int k = 0; k < SHOWN_OF_RODS; k++) {
        bytes += strcmp(last_word(c->name), shown_of_rods[k].channel) == 0 && c->count % 3 == 0 ? c->count / 3 : 0;
    }
    return bytes;
}

/* what is kept of a frame: all components, or a part of them */
static void take(const double *frame, size_t count, const shown *part, double *out) {
    if (!part) {
        memcpy(out, frame, count * sizeof *out);
        return;
    }
    for (size_t i = 0; i < count / 3; i++) {
        double sum = 0.0;
        for (int k = part->from; k < part->to; k++) {
            sum += frame[3 * i + (size_t)k] * frame[3 * i + (size_t)k];
        }
        out[i] = part->to - part->from == 1 ? frame[3 * i + (size_t)part->from] : sqrt(sum);
    }
}

static zw_status write_channel(zw_view *v, const zw_view_frames *f, int channel, zw_blob_type type, const shown *part, bool *some) {
    const zw_channel *c = &v->epochs.layout->channel[channel];
    zw_arena_mark     mark = zw_arena_mark_now(&v->arena);
    size_t            width = part ? c->count / 3 : c->count;
    double           *block = zw_arena_alloc(&v->arena, BLOCK * c->count + 1, sizeof *block, "frames of a page");
    double           *kept = zw_arena_alloc(&v->arena, width + 1, sizeof *kept, "frames of a page");
    double            lo = INFINITY, hi = -INFINITY;
    size_t            at = zw_blob_begin(&v->blob);
    if (!block || !kept) {
        return ZW_E_MEMORY;
    }
    for (int pass = type == ZW_BLOB_U16 || type == ZW_BLOB_U8 ? 0 : 1; pass < 2; pass++) {
        for (int64_t k = 0; k < f->kept; k += BLOCK) {
            int64_t n = f->kept - k < BLOCK ? f->kept - k : BLOCK;
            if (zw_context_cancelled(v->context)) {
                return ZW_E_CANCELLED;
            }
            ZW_TRY(zw_view_read(v, f, channel, k, n, block));
            for (int64_t j = 0; j < n; j++) {
                take(block + (size_t)j * c->count, c->count, part, kept);
                for (size_t i = 0; pass == 0 && i < width; i++) {
                    if (isfinite(kept[i])) {
                        lo = fmin(lo, kept[i]);
                        hi = fmax(hi, kept[i]);
                    }
                }
                if (pass == 1) {
                    zw_blob_put(&v->blob, kept, width, type, lo, hi);
                }
            }
        }
        if (pass == 0 && !(lo <= hi)) {
            lo = hi = 0.0;
        }
    }
    zw_text *t = &v->json;
    zw_text_add(t, *some ? ",\n{\"name\":" : "\n{\"name\":");
    *some = true;
    zw_text_json_string(t, c->name);
    zw_text_add(t, ",\"unit\":");
    zw_text_json_string(t, c->unit);
    if (part) {
        zw_text_addf(t, ",\"part\":\"%s\",\"shape\":[%llu]", part->part, (unsigned long long)width);
    } else {
        zw_text_add(t, ",\"shape\":[");
        for (int k = 0; k < c->rank; k++) {
            zw_text_addf(t, "%s%d", k ? "," : "", c->shape[k]);
        }
        zw_text_add(t, "]");
    }
    zw_text_add(t, ",\"data\":");
    zw_blob_reference(t, at, width * (size_t)f->kept, type, lo, hi);
    zw_text_add(t, "}");
    zw_arena_release(&v->arena, mark);
    return ZW_OK;
}

/* at most that many bytes of frames; the finest level at which all of them fit */
static level choose(zw_view *v, size_t room) {
    const zw_layout *l = v->epochs.layout;
    int64_t          wanted = v->most > 0 && v->most < v->frames.total ? v->most : v->frames.total;
    size_t           bytes = 0;
    level            at;
    for (at = FULL; at <= SHOWN; at++) {
        bytes = 0;
        for (int i = 0; i < l->nchannels; i++) {
            bytes += channel_bytes(&l->channel[i], at);
        }
        if (bytes == 0 || (size_t)wanted <= room / bytes) {
            break;
        }
    }
    v->frames.kept = wanted;
    if (at > SHOWN) {
        size_t fit = room / bytes;
        at = SHOWN;
        v->frames.kept = fit < 2 ? (wanted < 2 ? wanted : 2) : (int64_t)fit;
    }
    return at;
}

static zw_status write_times(zw_view *v, const zw_view_frames *f, const char *key, double **out) {
    double *t = zw_arena_alloc(&v->arena, (size_t)f->kept + 1, sizeof *t, "times of frames");
    if (!t) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_view_read(v, f, 0, 0, f->kept, t)); /* the first channel is the time: checked when results are opened */
    zw_text_addf(&v->json, ",\n\"%s\":", key);
    zw_blob_array(&v->blob, &v->json, t, (size_t)f->kept, ZW_BLOB_F64);
    *out = t;
    return ZW_OK;
}

static zw_status write_constants(zw_view *v) {
    const zw_layout *l = v->epochs.layout;
    bool             some = false;
    zw_text_add(&v->json, ",\n\"constants\":[");
    for (int i = 0; l->constants && i < l->nconstants; i++) {
        const zw_channel *c = &l->constant[i];
        if (strcmp(last_word(c->name), "outline") == 0 && v->model) {
            continue; /* forms are better */
        }
        zw_text_add(&v->json, some ? ",\n{\"name\":" : "\n{\"name\":");
        zw_text_json_string(&v->json, c->name);
        zw_text_add(&v->json, ",\"unit\":");
        zw_text_json_string(&v->json, c->unit);
        zw_text_add(&v->json, ",\"data\":");
        zw_blob_array(&v->blob, &v->json, l->constants + c->offset, c->count, ZW_BLOB_F32);
        zw_text_add(&v->json, "}");
        some = true;
    }
    zw_text_add(&v->json, "]");
    return zw_text_status(&v->json);
}

zw_status zw_view_write_channels(zw_view *v) {
    const zw_layout *l = v->epochs.layout;
    size_t           width = 1, constants = 4 * l->constants_width;
    double          *unused;
    bool             some = false;
    v->frames.total = v->epochs.frames;
    for (int i = 0; i < l->nchannels; i++) {
        width += of_plots(&l->channel[i]) ? l->channel[i].count : 0;
    }
    v->plots.total = v->plots.kept = v->frames.total;
    int64_t samples = PLOT_BYTES / (int64_t)(8 * width);
    samples = samples > PLOT_SAMPLES ? PLOT_SAMPLES : samples < 2 ? 2 : samples;
    v->plots.kept = v->plots.total < samples ? v->plots.total : samples;
    size_t used = v->blob.bytes + constants + (size_t)v->plots.kept * (8 * width + 8);
    level  at = choose(v, v->budget > used ? v->budget - used : 1);
    zw_text_addf(&v->json, ",\n\"frames\":{\"total\":%lld,\"kept\":%lld,\"epochs\":%d,\"bits\":%d,\"samples\":%lld}",
                 (long long)v->frames.total, (long long)v->frames.kept, zw_results_epochs(v->results),
                 at == FULL   ? 32
                 : at == HALF ? 16
                              : 8,
                 (long long)v->plots.kept);
    zw_text_add(&v->json, ",\n\"time_unit\":");
    zw_text_json_string(&v->json, l->channel[0].unit);
    ZW_TRY(write_times(v, &v->frames, "time", &v->time));
    ZW_TRY(write_times(v, &v->plots, "plot_time", &unused));
    zw_text_add(&v->json, ",\n\"channels\":[");
    for (int i = 0; i < l->nchannels; i++) {
        const zw_channel *c = &l->channel[i];
        bool              rod = begins(c->name, "rod/");
        if (!of_scene(c) || c->count == 0 || v->frames.kept == 0) {
            continue;
        }
        if (at != SHOWN || !rod || is_place(c) || c->rank == 1) {
            bool coarse = rod && (c->rank == 1 || strcmp(last_word(c->name), "orientation") == 0);
            ZW_TRY(write_channel(v, &v->frames, i,
                                 at == FULL              ? ZW_BLOB_F32
                                 : at == SHOWN && coarse ? ZW_BLOB_U8
                                                         : ZW_BLOB_U16,
                                 NULL, &some));
            continue;
        }
        for (int k = 0; k < SHOWN_OF_RODS; k++) {
            if (strcmp(last_word(c->name), shown_of_rods[k].channel) == 0 && c->count % 3 == 0) {
                ZW_TRY(write_channel(v, &v->frames, i, ZW_BLOB_U8, &shown_of_rods[k], &some));
            }
        }
    }
    some = false;
    zw_text_add(&v->json, "],\n\"plots\":[");
    for (int i = 0; i < l->nchannels; i++) {
        if (of_plots(&l->channel[i]) && l->channel[i].count > 0 && v->plots.kept > 0) {
            ZW_TRY(write_channel(v, &v->plots, i, ZW_BLOB_F64, NULL, &some)); /* small drifts of large numbers */
        }
    }
    zw_text_add(&v->json, "]");
    return write_constants(v);
}
