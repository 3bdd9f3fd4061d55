/* SPDX-License-Identifier: Apache-2.0
 * modes.c: the small motions of a model as its file asks for them; see zwang/modes.h. */
#include "analysis/modes.h"

#include "model/model.h"
#include "steps/rest.h"

#include <math.h>
#include <string.h>

const char *zw_modes_about_name(zw_modes_about about) {
    return about == ZW_ABOUT_START ? "start" : about == ZW_ABOUT_STEADY ? "steady" : "equilibrium";
}

const char *zw_stability_name(zw_stability kind) {
    return kind == ZW_FLUTTER ? "flutter" : kind == ZW_DIVERGENCE ? "divergence" : "stable";
}

static zw_status list_modes(zw_modes *s) {
    const zw_spectrum *all = &s->spectrum;
    s->listed = zw_alloc(s->context, (size_t)all->nroots + 1, sizeof *s->listed, "modes");
    if (s->listed == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < all->nroots && s->summary.count < s->search.def->count; i++) {
        if (!all->root[i].zero) {
            s->listed[s->summary.count++] = i;
        }
    }
    return ZW_OK;
}

static zw_status spectrum_of_model(zw_modes *s) {
    zw_pencil         p = {0};
    zw_modes_summary *sum = &s->summary;
    zw_modes_search  *search = &s->search;
    ZW_TRY(zw_modes_admit(search));
    ZW_TRY(zw_modes_place(search));
    ZW_TRY(zw_modes_pencil(search, &p));
    sum->left = p.left;
    sum->scale = p.size;
    sum->complex_roots = p.rates || !p.symmetric;
    zw_status status = zw_spectrum_find(&p, search->def->count, ZW_SPECTRUM_AUTO, &s->spectrum);
    bool      dissipates = p.dissipates;
    zw_pencil_destroy(&p);
    ZW_TRY(status);
    sum->free = s->spectrum.nfree;
    sum->large = s->spectrum.iterated;
    const zw_root *worst = zw_modes_unstable(&s->spectrum, dissipates);
    if (worst != NULL) {
        sum->verdict = worst->frequency > 0.0 ? ZW_FLUTTER : ZW_DIVERGENCE;
        sum->growth = worst->growth;
        sum->frequency = worst->frequency;
    }
    return list_modes(s);
}

static zw_status search_begin(zw_modes_search *s, const zw_model *m, const char *parameter, zw_modes_progress progress, void *user) {
    *s = (zw_modes_search){.def = &m->modes, .progress = progress, .user = user};
    ZW_TRY(zw_vary_create(m, parameter, &s->vary));
    ZW_TRY(zw_state_create(s->vary.c, &s->vary.k.n, &s->x));
    s->lambda = zw_alloc(s->vary.c, (size_t)s->vary.k.m + 1, sizeof *s->lambda, "modes");
    return s->lambda != NULL ? ZW_OK : ZW_E_MEMORY;
}

static void search_end(zw_modes_search *s) {
    if (s->vary.c != NULL) {
        zw_state_destroy(s->vary.c, &s->x);
        zw_free(s->vary.c, s->lambda);
        zw_vary_destroy(&s->vary);
    }
}

zw_status zw_modes_find(const zw_model *m, zw_modes_progress progress, void *user, zw_modes **out) {
    zw_status status = ZW_OK;
    zw_modes *s = zw_alloc(m->context, 1, sizeof *s, "modes");
    *out = NULL;
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->context = m->context;
    s->summary.about = m->modes.about;
    s->summary.damped = m->modes.damped;
    ZW_TRY_GOTO(search_begin(&s->search, m, NULL, NULL, NULL), fail);
    s->summary.columns = s->search.vary.k.n.nv;
    s->summary.rows = s->search.vary.k.m;
    ZW_TRY_GOTO(spectrum_of_model(s), fail);
    if (m->modes.critical != NULL) {
        zw_modes_search search;
        status = search_begin(&search, m, m->modes.critical, progress, user);
        if (status == ZW_OK) {
            status = zw_modes_critical_find(&search, &s->summary.critical);
        }
        search_end(&search);
        ZW_TRY_GOTO(status, fail);
    }
    *out = s;
    return ZW_OK;
fail:
    zw_modes_destroy(s);
    return status;
}

void zw_modes_destroy(zw_modes *s) {
    if (s == NULL) {
        return;
    }
    zw_spectrum_destroy(&s->spectrum);
    search_end(&s->search);
    zw_free(s->context, s->listed);
    zw_free(s->context, s);
}

void zw_modes_read(const zw_modes *s, zw_modes_summary *out) {
    *out = s->summary;
}

zw_mode zw_modes_at(const zw_modes *s, int i) {
    const zw_root *r = &s->spectrum.root[s->listed[i]];
    return (zw_mode){.frequency = r->frequency, .growth = r->growth};
}

zw_system *zw_modes_system(const zw_modes *s) {
    return s->search.vary.y;
}

zw_status zw_modes_state(const zw_modes *s, int i, double phase, zw_state *x) {
    const zw_implicit *k = &s->search.vary.k;
    zw_state_copy(&k->n, &s->search.x, x);
    if (i < 0) {
        return ZW_OK;
    }
    const double *re = s->spectrum.shape + (ptrdiff_t)s->spectrum.root[s->listed[i]].shape * 2 * s->spectrum.n, *im = re + s->spectrum.n;
    double        way = 0.1 * zw_rest_reach(k, &s->search.x), most = 0.0;
    for (int b = 0; b < k->nblocks; b++) {
        const zw_implicit_block *block = &k->block[b];
        bool                     turns = block->part >= 0 && k->y->part[block->part].ops->secant != NULL;
        for (int c = 0; c < block->ncol; c++) {
            double limit = turns && c >= (block->ncol == 3 ? 1 : 3) ? way : 0.5;
            most = fmax(most, hypot(re[block->col0 + c], im[block->col0 + c]) / limit);
        }
    }
    double *u = zw_alloc(s->context, (size_t)k->n.nv + 1, sizeof *u, "modes");
    if (u == NULL) {
        return ZW_E_MEMORY;
    }
    for (int j = 0; j < s->spectrum.n && most > 0.0; j++) { /* the real part of shape exp(i phase) */
        u[j] = (re[j] * cos(phase) - im[j] * sin(phase)) / most;
    }
    zw_implicit moving = *k;
    zw_modes_move(&moving, &s->search.x, u, x);
    zw_free(s->context, u);
    return ZW_OK;
}
