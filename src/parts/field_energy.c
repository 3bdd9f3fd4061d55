/* SPDX-License-Identifier: Apache-2.0
 * field_energy.c: the Hamiltonian density of a field as tapes: h, dh/dmu, dh/dgamma and d2h/dmu2 are exact derivatives of the user's expression.
 * Also what is made of them: energy, stability limit, and invariants of the total momentum. */
#include "parts/field.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tapes */

static zw_status make_tape(zw_fields *f, int n, const zw_node *roots, size_t *work, zw_tape **out) {
    ZW_TRY(zw_tape_create(f->context, f->model->pool, roots, n, out));
    size_t need = (size_t)zw_tape_work(*out);
    *work = need > *work ? need : *work;
    return ZW_OK;
}

/* d(from)/d(slots), n of them */
static bool differentiate(zw_pool *pool, zw_node from, int n, const int *slot, zw_node *out) {
    for (int i = 0; i < n; i++) {
        out[i] = zw_node_diff(pool, from, slot[i]);
        if (out[i] == 0) {
            return false;
        }
    }
    return true;
}

static bool depends(const zw_pool *pool, int nroots, const zw_node *root, int n, const int *slot) {
    for (int i = 0; i < nroots; i++) {
        for (int k = 0; k < n; k++) {
            if (zw_node_depends(pool, root[i], slot[k])) {
                return true;
            }
        }
    }
    return false;
}

/* so(3): m.m   se(2): n.n   se(3): n.n, m.n */
static bool known_casimirs(zw_pool *pool, const zw_field_def *def, const char **name, zw_node *out, int *count) {
    static const struct {
        const char *algebra, *name;
        int         a, b, n; /* sum over n of mu[a + i] mu[b + i] */
    } table[] = {{"so(3)", "angular", 0, 0, 3}, {"se(2)", "linear", 1, 1, 2}, {"se(3)", "linear", 3, 3, 3}, {"se(3)", "pitch", 0, 3, 3}};
    for (size_t t = 0; def->algebra != NULL && t < sizeof table / sizeof table[0]; t++) {
        if (strcmp(table[t].algebra, def->algebra) != 0) {
            continue;
        }
        zw_node sum = zw_node_constant(pool, 0.0);
        for (int i = 0; i < table[t].n && sum != 0; i++) {
            zw_node a = zw_node_input(pool, def->slot_mu[table[t].a + i]), b = zw_node_input(pool, def->slot_mu[table[t].b + i]);
            zw_node product = a != 0 && b != 0 ? zw_node_mul(pool, a, b) : 0;
            sum = product != 0 ? zw_node_add(pool, sum, product) : 0;
        }
        if (sum == 0) {
            return false;
        }
        name[*count] = table[t].name;
        out[(*count)++] = sum;
    }
    return true;
}

static zw_status bind_casimirs(zw_fields *f, zw_chain *c, const zw_field_def *def, size_t *work) {
    zw_pool *pool = f->model->pool;
    size_t   most = (size_t)def->ncasimirs + 4;
    zw_node *root = zw_arena_alloc(&f->arena, most, sizeof *root, "invariants of a field");
    c->casimir_name = zw_arena_alloc(&f->arena, most, sizeof *c->casimir_name, "invariants of a field");
    c->casimir_start = zw_arena_alloc(&f->arena, most, sizeof(double), "invariants of a field");
    if (root == NULL || c->casimir_name == NULL || c->casimir_start == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < def->ncasimirs; i++) {
        c->casimir_name[i] = def->casimirs[i].name;
        root[i] = def->casimirs[i].c.node;
    }
    c->ncasimirs = def->ncasimirs;
    if (def->ncasimirs == 0 && !known_casimirs(pool, def, c->casimir_name, root, &c->ncasimirs)) {
        return ZW_E_MEMORY;
    }
    return c->ncasimirs > 0 ? make_tape(f, c->ncasimirs, root, work, &c->casimir) : ZW_OK;
}

zw_status zw_chain_bind_energy(zw_fields *f, zw_chain *c, const zw_field_def *def) {
    zw_pool *pool = f->model->pool;
    zw_node  h = def->hamiltonian.node, zeta[ZW_LIE_MOST + ZW_LIE_SQUARE], sigma[ZW_LIE_MOST];
    size_t   work = 1;
    int      n = c->n;
    c->hamiltonian = h;
    c->slot_s = f->model->slot_s;
    c->slot_mu = def->slot_mu;
    c->slot_gamma = def->slot_gamma;
    bool ok = differentiate(pool, h, n, c->slot_mu, zeta) && differentiate(pool, h, n, c->slot_gamma, sigma);
    for (int i = 0; ok && i < n; i++) {
        ok = differentiate(pool, zeta[i], n, c->slot_mu, zeta + n + n * i);
    }
    if (!ok) {
        return ZW_E_MEMORY;
    }
    c->mixed = depends(pool, n, zeta, n, c->slot_gamma);
    c->couples = depends(pool, n, sigma, n, c->slot_mu);
    c->varies = c->couples || depends(pool, n, sigma, 1, &c->slot_s);
    ZW_TRY(make_tape(f, 1, &h, &work, &c->energy));
    ZW_TRY(make_tape(f, n, zeta, &work, &c->pace));
    ZW_TRY(make_tape(f, n + n * n, zeta, &work, &c->bend));
    ZW_TRY(make_tape(f, n, sigma, &work, &c->stress));
    ZW_TRY(bind_casimirs(f, c, def, &work));
    c->in = zw_arena_alloc(&f->arena, (size_t)zw_pool_inputs(pool), sizeof(double), "a field");
    c->work = zw_arena_alloc(&f->arena, work, sizeof(double), "a field");
    if (c->in == NULL || c->work == NULL) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(f->model, c->in);
    return ZW_OK;
}

void zw_chain_unbind_energy(zw_chain *c) {
    zw_tape_destroy(c->energy);
    zw_tape_destroy(c->pace);
    zw_tape_destroy(c->bend);
    zw_tape_destroy(c->stress);
    zw_tape_destroy(c->casimir);
}

/* ---- values */

static void set(zw_chain *c, const int *slot, const double *value) {
    for (int i = 0; i < c->n; i++) {
        c->in[slot[i]] = value != NULL ? value[i] : 0.0;
    }
}

static void set_node(zw_chain *c, int node, const double *mu) {
    c->in[c->slot_s] = node == c->nlinks ? c->length : node * c->ds;
    set(c, c->slot_mu, mu);
}

/* the mean over the links of a node of the first n values of a tape */
static void mean_over_links(zw_chain *c, const zw_tape *tape, int n, const double *z, int node, const double *mu, double *out) {
    set_node(c, node, mu);
    if (!c->mixed) {
        zw_tape_eval(tape, c->in, c->work, out);
        return;
    }
    double other[ZW_LIE_MOST + ZW_LIE_SQUARE];
    int    first = node > 0 ? node - 1 : 0, last = node < c->nlinks ? node : c->nlinks - 1;
    set(c, c->slot_gamma, zw_chain_gamma(c, z, first));
    zw_tape_eval(tape, c->in, c->work, out);
    if (last > first) {
        set(c, c->slot_gamma, zw_chain_gamma(c, z, last));
        zw_tape_eval(tape, c->in, c->work, other);
        for (int i = 0; i < n; i++) {
            out[i] = 0.5 * (out[i] + other[i]);
        }
    }
}

void zw_chain_pace(zw_chain *c, const double *z, int node, const double *mu, double *zeta) {
    mean_over_links(c, c->pace, c->n, z, node, mu, zeta);
}

void zw_chain_bend(zw_chain *c, const double *z, int node, const double *mu, double *zeta, double *slope) {
    double both[ZW_LIE_MOST + ZW_LIE_SQUARE];
    mean_over_links(c, c->bend, c->n + c->n * c->n, z, node, mu, both);
    memcpy(zeta, both, sizeof(double) * (size_t)c->n);
    memcpy(slope, both + c->n, sizeof(double) * (size_t)(c->n * c->n));
}

void zw_chain_stress(zw_chain *c, const double *z, int link, double *sigma) {
    set(c, c->slot_gamma, zw_chain_gamma(c, z, link));
    if (!c->varies) {
        zw_tape_eval(c->stress, c->in, c->work, sigma);
        return;
    }
    memset(sigma, 0, sizeof(double) * (size_t)c->n);
    for (int side = 0; side < 2; side++) {
        int    node = link + side;
        double value[ZW_LIE_MOST], rest = zw_chain_weight(c, node) - 0.5; /* what a whole end has beyond its half */
        bool   whole = rest > 0.0 && (node == 0 || node == c->nlinks);
        double share = whole ? 0.5 + rest : 0.5;
        set_node(c, node, zw_chain_mu(c, z, node));
        zw_tape_eval(c->stress, c->in, c->work, value);
        for (int i = 0; i < c->n; i++) {
            sigma[i] += share * value[i];
        }
        if (whole) {
            set_node(c, node, NULL);
            zw_tape_eval(c->stress, c->in, c->work, value);
            for (int i = 0; i < c->n; i++) {
                sigma[i] -= rest * value[i];
            }
        }
    }
}

void zw_chain_energy(zw_chain *c, const double *z, double *kinetic, double *elastic) {
    *kinetic = *elastic = 0.0;
    for (int link = 0; link < c->nlinks; link++) {
        set(c, c->slot_gamma, zw_chain_gamma(c, z, link));
        for (int side = 0; side < 2; side++) {
            int    node = link + side;
            double rest, whole, share = node == 0 || node == c->nlinks ? c->end : 0.5;
            set_node(c, node, zw_chain_mu(c, z, node));
            zw_tape_eval(c->energy, c->in, c->work, &whole);
            set_node(c, node, NULL);
            zw_tape_eval(c->energy, c->in, c->work, &rest);
            if (!isfinite(rest)) { /* the density does not exist without momentum: all of it counts as kinetic */
                rest = 0.0;
            }
            *kinetic += share * c->ds * (whole - rest);
            *elastic += 0.5 * c->ds * rest;
        }
    }
}

static zw_status explain(zw_fields *f, zw_chain *c, const zw_tape *tape, const char *what, int node) {
    zw_text text;
    char    subject[128], s[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "bodies.%s.field.hamiltonian", c->name);
    zw_text_init(&text, f->context);
    zw_tape_explain(tape, c->in, &text);
    zw_status status = zw_model_raise(f->model, ZW_E_MODEL, c->at, subject, "change the start, or guard the expression with if()",
                                      "%s is not finite at the start, node %d (s = %s m): %.200s", what, node,
                                      zw_number_short(node * c->ds, 6, s), text.s != NULL ? text.s : "");
    zw_text_destroy(&text);
    return status;
}

zw_status zw_chain_check_energy(zw_fields *f, zw_chain *c, const double *z) {
    static const char *const what[4] = {"the energy", "dh/dmu", "d2h/dmu2", "dh/dgamma"};
    for (int node = 0; node <= c->nlinks; node++) {
        double value[ZW_LIE_MOST + ZW_LIE_SQUARE];
        int    link = node < c->nlinks ? node : c->nlinks - 1;
        set(c, c->slot_gamma, zw_chain_gamma(c, z, link));
        set_node(c, node, zw_chain_mu(c, z, node));
        const zw_tape *const tape[4] = {c->energy, c->pace, c->bend, c->stress};
        const int            count[4] = {1, c->n, c->n + c->n * c->n, c->n};
        for (int t = 0; t < 4; t++) {
            zw_tape_eval(tape[t], c->in, c->work, value);
            for (int i = 0; i < count[t]; i++) {
                if (!isfinite(value[i])) {
                    return explain(f, c, tape[t], what[t], node);
                }
            }
        }
    }
    return ZW_OK;
}

/* ---- the largest frequency of small waves at z: x'' = -A x with A = -d/dt pull . d2h/dmu2 . push . d2h/dgamma2, selfadjoint for d2h/dgamma2. Power
 * iteration; the Rayleigh quotient comes from below and is within a fraction of a percent of a chain's smooth top */
typedef struct waves {
    zw_chain *c;
    bool      constant; /* the same second derivatives everywhere */
    double   *gg, *mm;  /* [links or 1][n][n], [nodes or 1][n][n] */
    double   *x, *y, *s, *p;
} waves;

static void times(int n, const double *M, const double *v, double *out) {
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int k = 0; k < n; k++) {
            out[i] += M[n * i + k] * v[k];
        }
    }
}

/* y = A x, s = d2h/dgamma2 x */
static void wave(const waves *w, const double *z) {
    const zw_chain *c = w->c;
    size_t          n = (size_t)c->n;
    double          near[ZW_LIE_MOST], far[ZW_LIE_MOST], force[ZW_LIE_MOST];
    memset(w->p, 0, sizeof(double) * n * ((size_t)c->nlinks + 1));
    for (size_t l = 0; l < (size_t)c->nlinks; l++) {
        times(c->n, w->gg + (w->constant ? 0 : n * n * l), w->x + n * l, w->s + n * l);
        zw_chain_push(c, ZW_BRACKET_POISSON, zw_chain_gamma(c, z, (int)l), w->s + n * l, near, far);
        for (size_t i = 0; i < n; i++) {
            w->p[n * l + i] += near[i];
            w->p[n * (l + 1) + i] -= far[i];
        }
    }
    for (size_t j = 0; j <= (size_t)c->nlinks; j++) {
        for (size_t i = 0; i < n; i++) {
            force[i] = w->p[n * j + i] / (zw_chain_weight(c, (int)j) * c->ds);
        }
        times(c->n, w->mm + (w->constant ? 0 : n * n * j), force, w->p + n * j);
    }
    for (size_t l = 0; l < (size_t)c->nlinks; l++) {
        zw_chain_pull(c, ZW_BRACKET_POISSON, zw_chain_gamma(c, z, (int)l), w->p + n * l, w->p + n * (l + 1), w->y + n * l);
        for (size_t i = 0; i < n; i++) {
            w->y[n * l + i] = -w->y[n * l + i];
        }
    }
}

static double iterate(waves *w, const double *z) {
    size_t   count = (size_t)w->c->n * (size_t)w->c->nlinks;
    uint64_t seed = 0x9e3779b97f4a7c15u;
    double   omega2 = 0.0;
    int64_t  passes = 4000000 / ((int64_t)w->c->nlinks + 1);
    passes = passes < 40 ? 40 : passes > 400 ? 400 : passes;
    for (size_t i = 0; i < count; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        w->x[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
    for (int64_t pass = 0; pass < passes; pass++) {
        double top = 0.0, bottom = 0.0, size = 0.0;
        wave(w, z);
        for (size_t i = 0; i < count; i++) {
            top += w->s[i] * w->y[i];
            bottom += w->s[i] * w->x[i];
            size = fmax(size, fabs(w->y[i]));
        }
        if (!(size > 0.0) || !isfinite(size)) {
            return 0.0;
        }
        omega2 = bottom > 0.0 ? top / bottom : 0.0;
        for (size_t i = 0; i < count; i++) {
            w->x[i] = w->y[i] / size;
        }
    }
    return omega2;
}

zw_status zw_chain_step_limit(zw_fields *f, zw_chain *c, const double *z, double *limit) {
    zw_pool    *pool = f->model->pool;
    zw_context *context = f->context;
    size_t      n = (size_t)c->n, links = (size_t)c->nlinks, nn = n * n;
    zw_node     root[2 * ZW_LIE_SQUARE], slope[ZW_LIE_MOST];
    zw_tape    *tape = NULL;
    zw_status   status = ZW_OK;
    waves       w = {.c = c};
    double     *scratch = NULL, *work = NULL, value[2 * ZW_LIE_SQUARE];
    *limit = 0.0;
    const int *slots[2] = {c->slot_gamma, c->slot_mu};
    for (int side = 0; side < 2; side++) {
        bool ok = differentiate(pool, c->hamiltonian, c->n, slots[side], slope);
        for (size_t i = 0; ok && i < n; i++) {
            ok = differentiate(pool, slope[i], c->n, slots[side], root + nn * (size_t)side + n * i);
        }
        if (!ok) {
            return ZW_E_MEMORY;
        }
    }
    w.constant = !depends(pool, (int)(2 * nn), root, c->n, c->slot_gamma) && !depends(pool, (int)(2 * nn), root, c->n, c->slot_mu) &&
                 !depends(pool, (int)(2 * nn), root, 1, &c->slot_s);
    ZW_TRY(zw_tape_create(context, pool, root, (int)(2 * nn), &tape));
    size_t blocks = w.constant ? 2 : 2 * links + 1;
    scratch = zw_alloc(context, nn * blocks + 3 * n * links + n * (links + 1), sizeof(double), "the stability limit");
    work = zw_alloc(context, (size_t)zw_tape_work(tape), sizeof(double), "the stability limit");
    if (scratch == NULL || work == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    w.gg = scratch;
    w.mm = w.gg + nn * (w.constant ? 1 : links);
    w.x = scratch + nn * blocks;
    w.y = w.x + n * links;
    w.s = w.y + n * links;
    w.p = w.s + n * links;
    for (size_t j = 0; j <= (w.constant ? 0 : links); j++) {
        size_t link = j < links ? j : links - 1;
        set(c, c->slot_gamma, zw_chain_gamma(c, z, (int)link));
        set_node(c, (int)j, zw_chain_mu(c, z, (int)j));
        zw_tape_eval(tape, c->in, work, value);
        if (j < links) {
            memcpy(w.gg + nn * j, value, sizeof(double) * nn);
        }
        memcpy(w.mm + nn * j, value + nn, sizeof(double) * nn);
    }
    double omega2 = iterate(&w, z);
    *limit = omega2 > 0.0 ? 2.0 / sqrt(omega2) : 0.0;
done:
    zw_tape_destroy(tape);
    zw_free(context, scratch);
    zw_free(context, work);
    return status;
}

/* ---- invariants of the total momentum, seen from node 0: M = sum of Ad'(tau(x_1) .. tau(x_j))^-1 p_j */
void zw_chain_casimirs(zw_chain *c, const double *z, double *out) {
    double M[ZW_LIE_MOST] = {0}, C[ZW_LIE_SQUARE], back[ZW_LIE_MOST], carried[ZW_LIE_MOST];
    int    n = c->n;
    for (int node = c->nlinks; node >= 0; node--) {
        const double *mu = zw_chain_mu(c, z, node);
        double        share = zw_chain_weight(c, node) * c->ds;
        if (node < c->nlinks) {
            const double *gamma = zw_chain_gamma(c, z, node);
            for (int i = 0; i < n; i++) {
                back[i] = -c->ds * gamma[i];
            }
            zw_lie_turn(&c->algebra, back, C);
            for (int i = 0; i < n; i++) {
                carried[i] = 0.0;
                for (int k = 0; k < n; k++) {
                    carried[i] += C[n * k + i] * M[k];
                }
            }
            memcpy(M, carried, sizeof(double) * (size_t)n);
        }
        for (int i = 0; i < n; i++) {
            M[i] += share * mu[i];
        }
    }
    if (c->casimir != NULL) {
        set(c, c->slot_mu, M);
        zw_tape_eval(c->casimir, c->in, c->work, out);
    }
}
