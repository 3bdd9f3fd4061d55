/* SPDX-License-Identifier: Apache-2.0
 * split.c: meshes of rods, and states carried from one to another. See split.h. */
#include "system/split.h"

#include "base/number.h"
#include "parts/rod.h"
#include "parts/rod_split.h"

#include <math.h>
#include <string.h>

/* the population of rods, and the part that it is; NULL: the model has none */
static const zw_rods *rods_of(const zw_system *y, const zw_part **part) {
    for (int i = 0; i < y->nparts; i++) {
        if (y->part[i].ops == &zw_rods_ops) {
            *part = &y->part[i];
            return y->part[i].self;
        }
    }
    return NULL;
}

void zw_meshes_destroy(zw_meshes *m) {
    if (m->context != NULL) {
        zw_free(m->context, m->rod);
        zw_free(m->context, m->label);
    }
    *m = (zw_meshes){0};
}

static zw_status allocate(zw_context *c, int nrods, size_t labels, zw_meshes *out) {
    *out = (zw_meshes){.context = c, .nrods = nrods};
    out->rod = zw_alloc(c, (size_t)nrods + 1, sizeof *out->rod, "meshes of rods");
    out->label = zw_alloc(c, labels + 1, sizeof *out->label, "meshes of rods");
    if (out->rod == NULL || out->label == NULL) {
        zw_meshes_destroy(out);
        return ZW_E_MEMORY;
    }
    return ZW_OK;
}

/* x NULL: as it is */
static zw_status meshes(const zw_system *y, const zw_state *x, zw_meshes *out) {
    const zw_part *part = NULL;
    const zw_rods *rods = rods_of(y, &part);
    size_t         n = 0;
    zw_state       own = {0};
    if (rods == NULL) {
        return allocate(y->context, 0, 0, out);
    }
    if (x != NULL) {
        own = (zw_state){.t = x->t, .q = x->q + part->q0, .v = x->v + part->v0, .s = x->s + part->s0};
    }
    for (int i = 0; i < rods->nrods; i++) {
        n += 1;
        for (int j = 0; j < rods->rod[i].nlinks; j++) {
            n += x != NULL ? (size_t)zw_rod_split_parts(rods, i, j, &own) : 1;
        }
    }
    ZW_TRY(allocate(y->context, rods->nrods, n, out));
    double *label = out->label;
    for (int i = 0; i < rods->nrods; i++) {
        const zw_rod *r = &rods->rod[i];
        out->rod[i] = (zw_rod_mesh){.label = label};
        for (int j = 0; j < r->nlinks; j++) {
            int    parts = x != NULL ? zw_rod_split_parts(rods, i, j, &own) : 1;
            double begin = rods->label[r->node0 + j], end = zw_rod_far_label(rods, r, j);
            for (int k = 0; k < parts; k++) {
                *label++ = k == 0 ? begin : begin + (end - begin) * k / parts;
            }
            out->rod[i].nlinks += parts;
            j += parts == 1 && x != NULL && zw_rod_joins(rods, i, j, &own); /* the next one goes with it */
        }
        *label++ = zw_rod_far_label(rods, r, r->nlinks - 1);
    }
    return ZW_OK;
}

zw_status zw_meshes_of(const zw_system *y, zw_meshes *out) {
    return meshes(y, NULL, out);
}

zw_status zw_meshes_split(const zw_system *y, const zw_state *x, zw_meshes *out) {
    return meshes(y, x, out);
}

size_t zw_meshes_words(const zw_meshes *m) {
    size_t n = 1;
    for (int i = 0; i < m->nrods; i++) {
        n += 2 + (size_t)m->rod[i].nlinks;
    }
    return n;
}

static unsigned char *put(unsigned char *to, const double *from, size_t n) {
    memcpy(to, from, sizeof *from * n);
    return to + sizeof *from * n;
}

void zw_meshes_write(const zw_meshes *m, void *bytes) {
    double         n = m->nrods;
    unsigned char *to = put(bytes, &n, 1);
    for (int i = 0; i < m->nrods; i++) {
        n = m->rod[i].nlinks;
        to = put(to, &n, 1);
        to = put(to, m->rod[i].label, (size_t)m->rod[i].nlinks + 1);
    }
}

zw_status zw_meshes_read(const zw_system *y, const double *words, size_t n, zw_meshes *out) {
    const zw_part *part = NULL;
    const zw_rods *rods = rods_of(y, &part);
    int            nrods = rods != NULL ? rods->nrods : 0;
    size_t         at = 1;
    bool           sound = n > 0 && words[0] == nrods;
    for (int i = 0; i < nrods && sound; i++) {
        double links = at < n ? words[at] : 0.0;
        sound = links >= 1.0 && links < 1e9 && links == floor(links) && (double)(n - at) >= links + 2.0;
        for (size_t k = 1; sound && k <= (size_t)links; k++) {
            sound = words[at + 1 + k] > words[at + k];
        }
        double end = sound ? words[at + 1 + (size_t)links] : 0.0;
        sound = sound && words[at + 1] == 0.0 && fabs(end - rods->rod[i].length) <= 1e-9 * rods->rod[i].length;
        at += sound ? 2 + (size_t)links : 0;
    }
    if (!sound || at != n) {
        *out = (zw_meshes){0};
        return zw_raise(y->context, ZW_E_FORMAT, "checkpoint", "start anew with --force", "its meshes of rods are impossible");
    }
    ZW_TRY(allocate(y->context, nrods, n, out));
    double *label = out->label;
    at = 1;
    for (int i = 0; i < nrods; i++) {
        size_t links = (size_t)words[at];
        out->rod[i] = (zw_rod_mesh){.nlinks = (int)links, .label = label};
        memcpy(label, words + at + 1, sizeof(double) * (links + 1));
        label += links + 1;
        at += links + 2;
    }
    return ZW_OK;
}

bool zw_meshes_same(const zw_meshes *a, const zw_meshes *b) {
    bool same = a->nrods == b->nrods;
    for (int i = 0; i < a->nrods && same; i++) {
        same = a->rod[i].nlinks == b->rod[i].nlinks &&
               memcmp(a->rod[i].label, b->rod[i].label, sizeof(double) * ((size_t)a->rod[i].nlinks + 1)) == 0;
    }
    return same;
}

zw_status zw_system_carry_over(const zw_system *from, const zw_state *x, const double *memory, const zw_system *to, zw_state *x1,
                               double *memory1) {
    int most = 1;
    x1->t = x->t;
    for (int i = 0; i < to->nparts; i++) {
        if (to->part[i].ops == &zw_rods_ops) {
            const zw_rods *rods = to->part[i].self;
            most = rods->nlinks > most ? rods->nlinks : most;
        }
    }
    int    *before = zw_alloc(to->context, (size_t)most, sizeof *before, "splitting of links");
    double *share = zw_alloc(to->context, (size_t)most, sizeof *share, "splitting of links");
    for (int i = 0; i < to->nparts && before != NULL && share != NULL; i++) {
        const zw_part *p0 = &from->part[i], *p1 = &to->part[i];
        zw_size        n = p1->ops->size(p1->self);
        zw_state       old = {.t = x->t, .q = x->q + p0->q0, .v = x->v + p0->v0, .s = x->s + p0->s0};
        zw_state new = {.t = x->t, .q = x1->q + p1->q0, .v = x1->v + p1->v0, .s = x1->s + p1->s0};
        if (p1->ops == &zw_rods_ops) { /* the only part that keeps memory in w */
            zw_rods_carry_over(p0->self, &old, memory, p1->self, &new, memory1, before, share);
            continue;
        }
        memcpy(new.q, old.q, sizeof(double) * (size_t)n.nq);
        memcpy(new.v, old.v, sizeof(double) * (size_t)n.nv);
        if (n.ns > 0) {
            memcpy(new.s, old.s, sizeof(double) * (size_t)n.ns);
        }
    }
    zw_system_foundation_carry(from, x, to, x1);
    bool done = before != NULL && share != NULL;
    zw_free(to->context, before);
    zw_free(to->context, share);
    return done ? ZW_OK : ZW_E_MEMORY;
}
