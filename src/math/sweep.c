/* SPDX-License-Identifier: Apache-2.0
 * sweep.c: overlapping boxes by grids of doubling cell size.
 *
 * A box belongs to the grid whose cell 2^level is the least that is as large as its longest side, and lies in the cell of its low corner. What
 * it may overlap in a grid as coarse or coarser has its low corner within one cell below and in the box: at most 3 x 3 x 3 cells. Cells are found
 * by hashing. Boxes of very different sizes cost no more than equal ones, and nothing is kept from call to call that could change a result. */
#include "math/sweep.h"

#include "base/context.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define LEVELS 24     /* smaller boxes share the finest grid */
#define FAR    (1e15) /* cell numbers above are not trusted: such a box is compared with all */
#define WIDE   (-1)   /* level of a box without bounds */
#define NEVER  (-2)   /* level of a box that meets nothing */

zw_status zw_sweep_init(zw_sweep *s, zw_context *c, int most, size_t room) {
    *s = (zw_sweep){.context = c, .most = most < 1 ? 1 : most, .room = room < 16 ? 16 : room, .mask = 15};
    while ((int64_t)s->mask + 1 < 2 * (int64_t)s->most && s->mask < UINT32_C(0x3fffffff)) {
        s->mask = 2 * s->mask + 1;
    }
    size_t n = (size_t)s->most;
    s->bucket = zw_alloc(c, (size_t)s->mask + 1, sizeof *s->bucket, "cells of the sweep");
    s->next = zw_alloc(c, n, sizeof *s->next, "chains of the sweep");
    s->level = zw_alloc(c, n, sizeof *s->level, "levels of the sweep");
    s->cell = zw_alloc(c, 3 * n, sizeof *s->cell, "cell numbers of the sweep");
    s->wide = zw_alloc(c, n, sizeof *s->wide, "unbounded boxes of the sweep");
    s->first = zw_alloc(c, n + 1, sizeof *s->first, "counters of the sweep");
    s->pair = zw_alloc(c, s->room, sizeof *s->pair, "pairs of the sweep");
    s->spare = zw_alloc(c, s->room, sizeof *s->spare, "pairs of the sweep");
    if (!s->bucket || !s->next || !s->level || !s->cell || !s->wide || !s->first || !s->pair || !s->spare) {
        zw_sweep_destroy(s);
        return ZW_E_MEMORY;
    }
    return ZW_OK;
}

void zw_sweep_destroy(zw_sweep *s) {
    zw_free(s->context, s->bucket);
    zw_free(s->context, s->next);
    zw_free(s->context, s->level);
    zw_free(s->context, s->cell);
    zw_free(s->context, s->wide);
    zw_free(s->context, s->first);
    zw_free(s->context, s->pair);
    zw_free(s->context, s->spare);
    *s = (zw_sweep){.context = s->context};
}

bool zw_boxes_overlap(const zw_box *a, const zw_box *b) {
    for (int k = 0; k < 3; k++) {
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) {
            return false;
        }
    }
    return true;
}

static uint32_t hash(int level, const int64_t cell[3]) {
    uint64_t h = (uint64_t)level * UINT64_C(0x9e3779b97f4a7c15);
    for (int k = 0; k < 3; k++) {
        h = (h ^ (uint64_t)cell[k]) * UINT64_C(0xbf58476d1ce4e5b9);
        h ^= h >> 29;
    }
    return (uint32_t)(h ^ (h >> 32));
}

typedef struct finding {
    zw_sweep     *s;
    const zw_box *box;
    zw_sweep_skip skip;
    void         *user;
    size_t        count;
    bool          failed;
} finding;

static void found(finding *f, int i, int j) {
    if (!zw_boxes_overlap(&f->box[i], &f->box[j])) {
        return;
    }
    if (i > j) {
        int t = i;
        i = j;
        j = t;
    }
    if (f->failed || (f->skip && f->skip(f->user, i, j))) {
        return;
    }
    zw_sweep *s = f->s;
    if (f->count == s->room) {
        zw_pair *more = zw_resize(s->context, s->pair, 2 * s->room, sizeof *more, "pairs of the sweep");
        if (!more) {
            f->failed = true;
            return;
        }
        s->pair = more;
        more = zw_resize(s->context, s->spare, 2 * s->room, sizeof *more, "pairs of the sweep");
        if (!more) {
            f->failed = true;
            return;
        }
        s->spare = more;
        s->room *= 2;
    }
    s->pair[f->count++] = (zw_pair){i, j};
}

/* by j, then by i: two counting sorts keep the order of the first within the second */
static void sort_pairs(zw_sweep *s, size_t count, int n) {
    for (int pass = 0; pass < 2; pass++) {
        const zw_pair *from = pass ? s->spare : s->pair;
        zw_pair       *to = pass ? s->pair : s->spare;
        for (int i = 0; i <= n; i++) {
            s->first[i] = 0;
        }
        for (size_t k = 0; k < count; k++) {
            s->first[(pass ? from[k].i : from[k].j) + 1]++;
        }
        for (int i = 0; i < n; i++) {
            s->first[i + 1] += s->first[i];
        }
        for (size_t k = 0; k < count; k++) {
            to[s->first[pass ? from[k].i : from[k].j]++] = from[k];
        }
    }
}

/* the exponent of the least power of two above the longest side */
static int size_class(const zw_box *b) {
    double side = 0.0;
    int    e = 0;
    for (int k = 0; k < 3; k++) {
        side = fmax(side, b->high[k] - b->low[k]);
    }
    if (!(side > 0.0)) {
        return -2000;
    }
    frexp(side * (1.0 + 4.0 * DBL_EPSILON), &e); /* the side was rounded, the true one is below the power of two */
    return e;
}

static bool bounded(const zw_box *b) {
    return zw_v3_finite(b->low) && zw_v3_finite(b->high) && isfinite(b->high[0] - b->low[0]) && isfinite(b->high[1] - b->low[1]) &&
           isfinite(b->high[2] - b->low[2]);
}

static bool cell_of(const double p[3], double size, int64_t cell[3]) {
    for (int k = 0; k < 3; k++) {
        double c = floor(p[k] / size);
        if (!(fabs(c) < FAR)) {
            return false;
        }
        cell[k] = (int64_t)c;
    }
    return true;
}

static void search_grid(finding *f, int i, int level, double size, bool own) {
    zw_sweep     *s = f->s;
    const zw_box *b = &f->box[i];
    int64_t       low[3], high[3], c[3];
    if (!cell_of(b->low, size, low) || !cell_of(b->high, size, high)) {
        return; /* cannot be: a finer grid took its number */
    }
    /* in its own grid only cells behind its own in order: those before it find it */
    for (c[0] = own ? low[0] : low[0] - 1; c[0] <= high[0]; c[0]++) {
        for (c[1] = own && c[0] == low[0] ? low[1] : low[1] - 1; c[1] <= high[1]; c[1]++) {
            for (c[2] = own && c[0] == low[0] && c[1] == low[1] ? low[2] : low[2] - 1; c[2] <= high[2]; c[2]++) {
                bool same = own && c[0] == low[0] && c[1] == low[1] && c[2] == low[2];
                for (int j = s->bucket[hash(level, c) & s->mask]; j >= 0; j = s->next[j]) {
                    const int64_t *d = s->cell + 3 * (size_t)j;
                    if (s->level[j] == level && d[0] == c[0] && d[1] == c[1] && d[2] == c[2] && (!same || i < j)) {
                        found(f, i, j);
                    }
                }
            }
        }
    }
}

zw_status zw_sweep_pairs(zw_sweep *s, const zw_box *box, int n, zw_sweep_skip skip, void *user, const zw_pair **pairs, size_t *count) {
    finding f = {.s = s, .box = box, .skip = skip, .user = user};
    *pairs = s->pair;
    *count = 0;
    if (n < 0 || n > s->most) {
        return zw_raise(s->context, ZW_E_ARG, "sweep", "size it for all boxes", "%d boxes were given to a sweep sized for %d", n, s->most);
    }
    int coarsest = -2000, n_wide = 0;
    for (int i = 0; i < n; i++) {
        bool real = box[i].low[0] <= box[i].high[0] && box[i].low[1] <= box[i].high[1] && box[i].low[2] <= box[i].high[2];
        s->level[i] = !real ? NEVER : !bounded(&box[i]) ? WIDE : 0;
        if (s->level[i] == 0) {
            int e = size_class(&box[i]);
            coarsest = e > coarsest ? e : coarsest;
        }
    }
    if (coarsest < -1000) { /* only points, or of no size worth a grid */
        coarsest = coarsest == -2000 ? 0 : -1000;
    }
    bool     present[LEVELS] = {false};
    uint32_t buckets = s->mask + 1;
    for (uint32_t k = 0; k < buckets; k++) {
        s->bucket[k] = -1;
    }
    for (int i = n - 1; i >= 0; i--) { /* chains in the order of the boxes */
        if (s->level[i] == 0) {
            int below = coarsest - size_class(&box[i]);
            s->level[i] = below > LEVELS - 1 ? LEVELS - 1 : below < 0 ? 0 : below; /* grids are counted from the coarsest down */
            int64_t high[3];
            double  size = ldexp(1.0, coarsest - s->level[i]);
            if (!cell_of(box[i].low, size, s->cell + 3 * (size_t)i) || !cell_of(box[i].high, size, high)) {
                s->level[i] = WIDE;
            }
        }
        if (s->level[i] >= 0) {
            uint32_t k = hash(s->level[i], s->cell + 3 * (size_t)i) & s->mask;
            s->next[i] = s->bucket[k];
            s->bucket[k] = i;
            present[s->level[i]] = true;
        } else if (s->level[i] == WIDE) {
            s->wide[n_wide++] = i;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int level = s->level[i]; level >= 0; level--) {
            if (present[level]) {
                search_grid(&f, i, level, ldexp(1.0, coarsest - level), level == s->level[i]);
            }
        }
    }
    for (int w = 0; w < n_wide; w++) {
        int i = s->wide[w];
        for (int j = 0; j < n; j++) {
            if (j != i && s->level[j] != NEVER && (s->level[j] != WIDE || j > i)) {
                found(&f, i, j);
            }
        }
    }
    if (f.failed) {
        return ZW_E_MEMORY;
    }
    sort_pairs(s, f.count, n);
    *pairs = s->pair;
    *count = f.count;
    return ZW_OK;
}

void zw_box_of_form(const zw_placed *p, double margin, zw_box *out) {
    const zw_form *f = p->form;
    for (int k = 0; k < 3; k++) {
        const double *row = p->R + 3 * k; /* direction k of space in the axes of the form */
        double        up = 0.0, down = 0.0;
        switch (f->shape) {
        case ZW_SHAPE_BALL: up = down = f->radius; break;
        case ZW_SHAPE_STICK: up = down = f->radius + f->half * fabs(row[2]); break;
        case ZW_SHAPE_BLOCK: up = down = f->size[0] * fabs(row[0]) + f->size[1] * fabs(row[1]) + f->size[2] * fabs(row[2]); break;
        case ZW_SHAPE_DRUM: up = down = f->radius * hypot(row[0], row[1]) + f->half * fabs(row[2]); break;
        case ZW_SHAPE_CLOUD:
            up = down = -INFINITY;
            for (int i = 0; i < f->n; i++) {
                double high = zw_v3_dot(row, f->point + 3 * i);
                up = fmax(up, high);
                down = fmax(down, -high);
            }
            break;
        }
        out->low[k] = p->x[k] - down - margin;
        out->high[k] = p->x[k] + up + margin;
    }
}
