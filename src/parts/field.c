/* SPDX-License-Identifier: Apache-2.0
 * field.c: the population of fields as a part: building it from the model, what can be recorded, and the ops table. */
#include "parts/field.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum field_channel { MU, GAMMA, ENERGY, BRACKET, LABEL, NCHANNELS } field_channel; /* then the invariants */

static zw_size fields_size(const void *self) {
    const zw_fields *f = self;
    return (zw_size){.ns = (int)f->nz};
}

static void fields_start(const void *self, zw_state *x) {
    const zw_fields *f = self;
    memcpy(x->s, f->start, sizeof(double) * f->nz);
}

/* ---- a field has no configuration, velocity or place: what is asked of those answers for nothing */

static void fields_retract(const void *self, const double *q, const double *dv, double *q1) {
    (void)self;
    (void)q;
    (void)dv;
    (void)q1;
}

static void fields_mass(void *self, const zw_state *x, zw_matrix *M) {
    (void)self;
    (void)x;
    *M = (zw_matrix){.kind = ZW_DIAGONAL, .block = 1};
}

static zw_status fields_force(void *self, const zw_state *x, double *f) {
    (void)self;
    (void)x;
    (void)f;
    return ZW_OK;
}

static void fields_bias(void *self, const zw_state *x, double *f) {
    (void)self;
    (void)x;
    (void)f;
}

static void fields_gravity(void *self, const zw_state *x, const double g[3], double *f) {
    (void)x;
    (void)self;
    (void)g;
    (void)f;
}

static void fields_frame(const void *self, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J) {
    (void)self;
    (void)x;
    (void)p;
    *F = (zw_frame){.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    if (J != NULL) {
        J->nblocks = 0;
    }
}

static bool fields_place(const void *self, int body, const double u[3], zw_place *out) {
    (void)self;
    (void)body;
    (void)u;
    (void)out;
    return false;
}

static int fields_stations(const void *self, int body, zw_place *out, double *weight, double *label) {
    (void)self;
    (void)body;
    (void)out;
    (void)weight;
    (void)label;
    return 0;
}

/* ---- what it does answer */

static bool fields_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out) {
    zw_fields *f = self;
    double     kinetic, elastic;
    if (what != ZW_MEASURE_ENERGY) {
        return false;
    }
    zw_chain_energy(&f->chain[p->body], x->s, &kinetic, &elastic);
    *out = kinetic + elastic;
    return true;
}

static void fields_account(void *self, const zw_state *x, zw_account *a) {
    zw_fields_bracket_ops.account(self, x, x->s, a);
}

static bool fields_at_fault(const void *self, const zw_state *x, char *text, size_t size) {
    const zw_fields *f = self;
    for (int i = 0; i < f->nchains; i++) {
        const zw_chain *c = &f->chain[i];
        for (int k = 0; k < (2 * c->nlinks + 1) * c->n; k++) {
            int    node = k / c->n, link = node - c->nlinks - 1;
            double value = link < 0 ? x->s[c->mu0 + (size_t)k] : x->s[c->gamma0 + (size_t)(link * c->n + k % c->n)];
            if (!isfinite(value)) {
                char s[ZW_NUMBER_TEXT];
                snprintf(text, size, "%s%d at %s %d of field '%s' (s = %s m)", link < 0 ? "mu" : "gamma", k % c->n + 1,
                         link < 0 ? "node" : "link", link < 0 ? node : link + 1, c->name,
                         zw_number_short(link < 0 ? node * c->ds : (link + 0.5) * c->ds, 6, s));
                return true;
            }
        }
    }
    return false;
}

static double fields_step_limit(void *self, double *length) {
    const zw_fields *f = self;
    *length = 0.0; /* of rods only: it scales displacements */
    return f->safe_step;
}

static zw_chain *find_channel(const zw_fields *f, int *i) {
    for (int k = 0; k < f->nchains; k++) {
        int count = NCHANNELS + f->chain[k].ncasimirs;
        if (*i < count) {
            return &f->chain[k];
        }
        *i -= count;
    }
    return NULL;
}

static bool fields_field(const void *self, int i, zw_channel *out, bool *constant) {
    static const char *const name[NCHANNELS] = {
        [MU] = "mu", [GAMMA] = "gamma", [ENERGY] = "energy", [BRACKET] = "bracket", [LABEL] = "label"};
    static const char *const unit[NCHANNELS] = {[MU] = "1", [GAMMA] = "1", [ENERGY] = "J", [BRACKET] = "W", [LABEL] = "m"};
    const zw_chain          *c = find_channel(self, &i);
    if (c == NULL) {
        return false;
    }
    *out = (zw_channel){.count = 1};
    *constant = i == LABEL;
    if (i >= NCHANNELS) {
        snprintf(out->name, sizeof out->name, "field/%s/casimir/%s", c->name, c->casimir_name[i - NCHANNELS]);
        snprintf(out->unit, sizeof out->unit, "1");
        return true;
    }
    snprintf(out->name, sizeof out->name, "field/%s/%s", c->name, name[i]);
    snprintf(out->unit, sizeof out->unit, "%s", unit[i]);
    if (i == MU || i == GAMMA || i == LABEL) {
        out->rank = i == LABEL ? 1 : 2;
        out->shape[0] = i == GAMMA ? c->nlinks : c->nlinks + 1;
        out->shape[1] = i == LABEL ? 0 : c->n;
        out->count = (size_t)out->shape[0] * (size_t)(i == LABEL ? 1 : c->n);
    }
    return true;
}

static void fields_observe(void *self, const zw_state *x, int i, double *out) {
    zw_fields *f = self;
    zw_chain  *c = find_channel(f, &i);
    size_t     n = (size_t)c->n, links = (size_t)c->nlinks;
    double     kinetic, elastic;
    switch (i) {
    case MU: memcpy(out, x->s + c->mu0, sizeof(double) * n * (links + 1)); break;
    case GAMMA: memcpy(out, x->s + c->gamma0, sizeof(double) * n * links); break;
    case ENERGY:
        zw_chain_energy(c, x->s, &kinetic, &elastic);
        *out = kinetic + elastic;
        break;
    case BRACKET:
        zw_chain_gradient(c, x->s, f->gradient);
        *out = zw_chain_bracket(c, f->rule.scheme, x->s, f->gradient, f->gradient);
        break;
    case LABEL:
        for (size_t k = 0; k <= links; k++) {
            out[k] = k == links ? c->length : (double)k * c->ds;
        }
        break;
    default:
        zw_chain_casimirs(c, x->s, f->casimir);
        *out = f->casimir[i - NCHANNELS];
        break;
    }
}

static void fields_destroy(void *self) {
    zw_fields *f = self;
    if (f == NULL) {
        return;
    }
    zw_context *c = f->context;
    for (int i = 0; i < f->nchains; i++) {
        zw_chain_unbind_energy(&f->chain[i]);
    }
    zw_arena_destroy(&f->arena);
    zw_free(c, f);
}

/* ---- building */

static zw_status bind_algebra(zw_fields *f, zw_chain *c, const zw_field_def *def) {
    size_t       n = (size_t)def->n, terms = zw_lie_terms(def->n, def->structure);
    zw_lie_term *term = zw_arena_alloc(&f->arena, terms + 1, sizeof *term, "an algebra");
    double      *gather = zw_arena_alloc(&f->arena, n * n * n, sizeof *gather, "an algebra");
    if (term == NULL || gather == NULL) {
        return ZW_E_MEMORY;
    }
    zw_lie_init(&c->algebra, def->n, def->structure, term, gather);
    return ZW_OK;
}

/* the start of one field: mu at nodes, gamma at middles of links */
static zw_status read_start(zw_fields *f, zw_chain *c, const zw_field_def *def) {
    for (int side = 0; side < 2; side++) {
        zw_field  at;
        char      subject[128];
        zw_status status = ZW_OK;
        snprintf(subject, sizeof subject, "bodies.%s.field.start.%s", c->name, side == 0 ? "mu" : "gamma");
        ZW_TRY(zw_field_create(f->model, c->n, side == 0 ? def->mu : def->gamma, NULL, &at));
        for (int i = 0; i < c->nlinks + (side == 0) && status == ZW_OK; i++) {
            zw_field_set_label(&at, side == 1 ? (i + 0.5) * c->ds : i == c->nlinks ? c->length : i * c->ds);
            status = zw_field_eval(&at, subject, f->start + (side == 0 ? c->mu0 : c->gamma0) + (size_t)c->n * (size_t)i);
        }
        zw_field_destroy(&at);
        ZW_TRY(status);
    }
    return ZW_OK;
}

static zw_status build(zw_fields *f) {
    const zw_model *m = f->model;
    size_t          most = 1;
    f->chain = zw_arena_alloc(&f->arena, (size_t)m->nbodies, sizeof *f->chain, "fields");
    if (f->chain == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *body = &m->bodies[i];
        if (body->kind != ZW_BODY_FIELD) {
            continue;
        }
        zw_chain           *c = &f->chain[f->nchains++];
        const zw_field_def *def = &body->field;
        char                subject[128];
        snprintf(subject, sizeof subject, "bodies.%s.field.length", body->name);
        *c = (zw_chain){.name = body->name, .at = def->hamiltonian.at, .n = def->n, .nlinks = def->elements, .mu0 = f->nmu, .length = 1.0};
        c->end = m->run.ends == ZW_ENDS_FULL ? 1.0 : 0.5;
        if (def->length.node != 0) {
            ZW_TRY(zw_model_constant(m, def->length, subject, &c->length));
        }
        c->ds = c->length / c->nlinks;
        f->nmu += (size_t)c->n * (size_t)(c->nlinks + 1);
        ZW_TRY(bind_algebra(f, c, def));
        ZW_TRY(zw_chain_bind_energy(f, c, def));
        most = (size_t)c->ncasimirs > most ? (size_t)c->ncasimirs : most;
    }
    f->nz = f->nmu;
    for (int i = 0; i < f->nchains; i++) {
        f->chain[i].gamma0 = f->nz;
        f->nz += (size_t)f->chain[i].n * (size_t)f->chain[i].nlinks;
    }
    f->start = zw_arena_alloc(&f->arena, f->nz, sizeof(double), "fields");
    f->gradient = zw_arena_alloc(&f->arena, f->nz, sizeof(double), "fields");
    f->casimir = zw_arena_alloc(&f->arena, most, sizeof(double), "fields");
    f->middle = zw_arena_alloc(&f->arena, f->nz, sizeof(double), "fields");
    f->force = zw_arena_alloc(&f->arena, f->nmu, sizeof(double), "fields");
    return f->start && f->gradient && f->casimir && f->middle && f->force ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_fields_create(const zw_model *m, void **out) {
    zw_status status = ZW_OK;
    int       k = 0;
    *out = NULL;
    zw_fields *f = zw_alloc(m->context, 1, sizeof *f, "fields");
    if (f == NULL) {
        return ZW_E_MEMORY;
    }
    f->context = m->context;
    f->model = m;
    zw_arena_init(&f->arena, m->context);
    ZW_TRY_GOTO(build(f), fail);
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind != ZW_BODY_FIELD) {
            continue;
        }
        zw_chain *c = &f->chain[k++];
        double    limit;
        ZW_TRY_GOTO(read_start(f, c, &m->bodies[i].field), fail);
        ZW_TRY_GOTO(zw_chain_check_energy(f, c, f->start), fail);
        ZW_TRY_GOTO(zw_chain_step_limit(f, c, f->start, &limit), fail);
        f->safe_step = limit > 0.0 && (f->safe_step == 0.0 || limit < f->safe_step) ? limit : f->safe_step;
    }
    *out = f;
    return ZW_OK;
fail:
    fields_destroy(f);
    return status;
}

const zw_part_ops zw_fields_ops = {
    .kind = "field",
    .size = fields_size,
    .start = fields_start,
    .retract = fields_retract,
    .mass = fields_mass,
    .force = fields_force,
    .bias = fields_bias,
    .gravity = fields_gravity,
    .frame = fields_frame,
    .place = fields_place,
    .stations = fields_stations,
    .measure = fields_measure,
    .account = fields_account,
    .field = fields_field,
    .observe = fields_observe,
    .at_fault = fields_at_fault,
    .destroy = fields_destroy,
    .step_limit = fields_step_limit,
    .bracket = &zw_fields_bracket_ops,
};
