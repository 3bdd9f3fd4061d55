/* SPDX-License-Identifier: Apache-2.0
 * rod_grow.c: what the fields of growing rods say: lengths, sections, masses; and growth itself, one law for each rod. See rod_grow.h. */
#include "parts/rod_grow.h"

#include "base/number.h"
#include "math/quat.h"
#include "parts/rod_link.h"
#include "parts/rod_refine.h"
#include "parts/rod_split.h"
#include "parts/rod_wide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int zw_rods_growth_fields(const zw_rods *rods) {
    return rods->growth != NULL ? (int)rods->growth->ns : 0;
}

const zw_rod_growth *zw_rods_growth_of(const zw_rods *rods, int i_rod) {
    for (int i = 0; rods->growth != NULL && i < rods->growth->n; i++) {
        if (rods->growth->of[i].rod == &rods->rod[i_rod]) {
            return &rods->growth->of[i];
        }
    }
    return NULL;
}

void zw_rods_growth_begin(const zw_rods *rods, double *s) {
    const struct zw_rods_growth *G = rods->growth;
    for (int i = 0; G != NULL && i < G->n; i++) {
        const zw_rod_growth *g = &G->of[i];
        memset(s + g->s0, 0, sizeof(double) * (size_t)g->rod->nlinks * (size_t)(5 + zw_growth_fields(g->law)));
        for (int j = 0; j < g->rod->nlinks; j++) {
            size_t link = (size_t)(g->rod->link0 + j);
            zw_rod_growth_l(g, s)[j] = rods->l0[link];
            zw_rod_growth_radius(g, s)[j] = 1.0;
            zw_v3_copy(zw_rod_growth_natural(g, s) + 3 * (size_t)j, G->natural0 + 6 * link);
        }
    }
}

/* ---- what the fields say */

/* area over that of the start */
static double area_factor(const zw_rod_growth *g, double growth, double rho) {
    return rho * rho * (g->exponent != 0.0 ? pow(growth, g->exponent) : 1.0);
}

/* stiffness of a link whose area is a times that of the start */
static void stiffness_of(const zw_section_values *v, bool refined, double a, double l, double C[36]) {
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            int turns = (i < 3) + (k < 3);
            C[6 * i + k] = v->stiffness[6 * i + k] * (turns == 2 ? a * a : turns == 1 ? a * sqrt(a) : a);
        }
    }
    for (int i = 0; i < 2 && refined; i++) { /* rod_refine.h */
        C[7 * (3 + i)] = 1.0 / (1.0 / C[7 * (3 + i)] + l * l / (12.0 * C[7 * (1 - i)]));
    }
}

static void place_link(zw_rods *rods, const zw_rod_growth *g, int i, double *s) {
    struct zw_rods_growth   *G = rods->growth;
    const zw_rod            *r = g->rod;
    size_t                   j = (size_t)(r->link0 + i), node[2] = {(size_t)(r->node0 + i), (size_t)zw_rod_far(r, i)};
    const zw_section_values *v = &G->section[j];
    double                   l = zw_rod_growth_l(g, s)[i], a = area_factor(g, l / rods->l0[j], zw_rod_growth_radius(g, s)[i]), C[36];
    double                   heavy = g->mass ? a * l : rods->l0[j]; /* length of the first section that weighs as much */
    rods->l[j] = l;
    zw_v3_copy(rods->natural + 6 * j, zw_rod_growth_natural(g, s) + 3 * (size_t)i);
    zw_v3_copy(rods->natural + 6 * j + 3, G->natural0 + 6 * j + 3);
    for (size_t k = 0; k < 6; k++) {
        rods->natural[6 * j + k] += rods->damping[j] * G->pace[6 * j + k];
    }
    stiffness_of(v, g->body->rod.refined, a, l, C);
    if (rods->coupling != NULL) {
        memcpy(rods->coupling + 36 * j, C, sizeof C);
    }
    for (int k = 0; k < 6; k++) {
        rods->stiffness[6 * j + (size_t)k] = C[7 * k];
    }
    for (int end = 0; end < 2; end++) {
        rods->mass[node[end]] += 0.5 * heavy * v->mass;
        rods->radius[node[end]] += 0.5 * sqrt(a) * G->radius0[node[end]];
        for (int k = 0; k < 9; k++) {
            G->J33[9 * node[end] + (size_t)k] += 0.5 * heavy * a * v->inertia[k];
        }
    }
}

void zw_rods_grow(zw_rods *rods, double *s) {
    struct zw_rods_growth *G = rods->growth;
    if (memcmp(G->seen, s, sizeof(double) * G->ns) == 0) {
        return;
    }
    for (int k = 0; k < G->n; k++) {
        const zw_rod_growth *g = &G->of[k];
        const zw_rod        *r = g->rod;
        size_t               first = (size_t)r->node0, count = (size_t)r->nnodes;
        memset(rods->mass + first, 0, sizeof(double) * count);
        memset(rods->radius + first, 0, sizeof(double) * count);
        memset(G->J33 + 9 * first, 0, 9 * sizeof(double) * count);
        for (int i = 0; i < r->nlinks; i++) {
            place_link(rods, g, i, s);
        }
        for (int end = 0; end < 2 && !r->closed; end++) { /* radii are means of the links on both sides */
            rods->radius[end == 0 ? r->node0 : r->node0 + r->nnodes - 1] *= 2.0;
        }
        if (g->body->rod.refined) {
            zw_rod_refine_ends(rods, r, G->J33);
        }
    }
    zw_rods_set_inertia(rods, G->J33);
    if (rods->wide != NULL) {
        zw_rods_wide_fill(rods);
    }
    memcpy(G->seen, s, sizeof(double) * G->ns);
}

/* ---- what laws feel */

/* P = -dE/dl of E = l/2 e.C e, e = (w, u)/l - e0, at fixed w and u, and its derivative by ln l; C of refined links depends on l: rod_refine.h */
static void feel_driving(const zw_rod_growth *g, const double C[36], const double e[6], const zw_link *k, double l, zw_growth_sense *out) {
    double P = 0.0, slope = 0.0, whole[6];
    zw_v3_scale(whole, 1.0 / l, k->w);
    zw_v3_scale(whole + 3, 1.0 / l, k->u);
    for (int i = 0; i < 6; i++) {
        double of_strain = 0.0, of_whole = 0.0;
        for (int n = 0; n < 6; n++) {
            of_strain += C[6 * i + n] * e[n];
            of_whole += C[6 * i + n] * whole[n];
        }
        P += of_strain * (whole[i] - 0.5 * e[i]);
        slope -= of_whole * whole[i];
    }
    for (int i = 0; i < 2 && g->body->rod.refined; i++) { /* dC/dl = -C^2 l/(6 B): -l/2 e.(dC/dl) e */
        double n = C[7 * (3 + i)] * e[3 + i];
        P += n * n * l * l / (12.0 * C[7 * (1 - i)]);
    }
    out->driving = P;
    out->driving_slope = slope;
}

static void feel_link(const zw_rods *rods, const zw_rod_growth *g, int i, zw_growth_sense *out) {
    const struct zw_rods_growth *G = rods->growth;
    const zw_rod                *r = g->rod;
    size_t                       j = (size_t)(r->link0 + i), node[2] = {(size_t)(r->node0 + i), (size_t)zw_rod_far(r, i)};
    const zw_section_values     *v = &G->section[j];
    const double                *qa = G->q + ZW_ROD_NQ * node[0], *qb = G->q + ZW_ROD_NQ * node[1];
    const double                *k0 = g->view.natural + 3 * (size_t)i;
    double                       l = g->view.l[i], a = area_factor(g, l / rods->l0[j], g->view.radius[i]), C[36], e[6], half[4], q[4];
    zw_link                      k;
    zw_link_strain(qa, qb, &k);
    stiffness_of(v, g->body->rod.refined, a, l, C);
    for (int h = 0; h < 3; h++) {
        out->kappa[h] = k.w[h] / l;
        e[h] = out->kappa[h] - k0[h];
        e[3 + h] = k.u[h] / l - G->natural0[6 * j + 3 + (size_t)h];
    }
    out->label = rods->label[node[0]] + 0.5 * rods->l0[j];
    out->from = rods->label[node[0]];
    out->to = zw_rod_far_label(rods, r, i);
    out->last = !r->closed && i == r->nlinks - 1;
    out->label_length = rods->l0[j];
    out->strain = e[5];
    out->tension = 0.0;
    for (int h = 0; h < 6; h++) {
        out->tension += C[6 * 5 + h] * e[h];
    }
    out->tension_slope = -C[35] * k.u[2] / l;
    for (int h = 0; h < 3; h++) {
        out->moment[h] = 0.0;
        for (int n = 0; n < 6; n++) {
            out->moment[h] += C[6 * h + n] * e[n];
        }
        out->moment_slope[h] = -C[7 * h];
    }
    feel_driving(g, C, e, &k, l, out);
    out->weight = g->mass ? 0.5 * a * v->mass * (zw_v3_dot(rods->gravity, qb) - zw_v3_dot(rods->gravity, qa)) : 0.0;
    zw_v3_scale(e, 0.5, k.w);
    zw_q_exp(e, half);
    zw_q_mul(qa + 3, half, q);
    zw_q_to_matrix(q, out->R);
    out->area = a * v->area;
    out->second[0] = a * a * v->second[0];
    out->second[1] = a * a * v->second[1];
    out->radius = sqrt(a) * v->radius;
}

/* force per reference length at a node */
static void contact_at(const zw_rods *rods, const zw_rod_growth *g, int i, double out[3]) {
    const zw_rod *r = g->rod;
    double        share = 0.0;
    share += r->closed || i > 0 ? 0.5 * g->view.l[(i + r->nlinks - 1) % r->nlinks] : 0.0;
    share += i < r->nlinks ? 0.5 * g->view.l[i] : 0.0;
    zw_v3_scale(out, 1.0 / share, rods->growth->contact + ZW_ROD_NV * (size_t)(r->node0 + i) + 3);
}

static zw_status feel(void *user, double t, zw_growth_rod *view) {
    const zw_rod_growth *g = user;
    double               behind = 0.0;
    (void)t;
    for (int i = view->n - 1; i >= 0; i--) {
        zw_growth_sense *out = &view->sense[i];
        double           a[3] = {0}, b[3] = {0};
        feel_link(g->rods, g, i, out);
        out->tip = behind + 0.5 * view->l[i];
        behind += view->l[i];
        if (g->touched) {
            contact_at(g->rods, g, i, a);
            contact_at(g->rods, g, g->rod->closed ? (i + 1) % g->rod->nnodes : i + 1, b);
        }
        for (int k = 0; k < 3; k++) {
            out->contact[k] = 0.5 * (a[k] + b[k]);
        }
    }
    return ZW_OK;
}

/* ---- growth */

static void look_at(zw_rod_growth *g, const double *q, double *s, const double *w) {
    g->view.l = zw_rod_growth_l(g, s);
    g->view.natural = zw_rod_growth_natural(g, s);
    g->view.radius = zw_rod_growth_radius(g, s);
    g->view.s = zw_rod_growth_memory(g, s);
    g->view.w = w != NULL ? (double *)w + g->w0 : NULL; /* written by start and push alone */
    g->rods->growth->q = q;
}

static size_t grow_memory(const void *self) {
    return ((const zw_rods *)self)->growth->nw;
}

static zw_status grow_start(void *self, zw_state *x, double *w) {
    struct zw_rods_growth *G = ((zw_rods *)self)->growth;
    for (int i = 0; i < G->n; i++) {
        look_at(&G->of[i], x->q, x->s, w);
        ZW_TRY(zw_growth_start(G->of[i].law, &G->of[i].view, x->t));
    }
    return ZW_OK;
}

static zw_status grow_predict(void *self, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1) {
    struct zw_rods_growth *G = ((zw_rods *)self)->growth;
    if (x1->s != x0->s) {
        memcpy(x1->s, x0->s, sizeof(double) * G->ns);
    }
    for (int i = 0; i < G->n; i++) {
        look_at(&G->of[i], x0->q, x1->s, w);
        ZW_TRY(zw_growth_predict(G->of[i].law, &G->of[i].view, x0->t, h, follows));
    }
    return ZW_OK;
}

static zw_status too_short(const zw_rod_growth *g, int i, double t) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], c[ZW_NUMBER_TEXT], subject[128];
    snprintf(subject, sizeof subject, "growth of rod '%s'", g->rod->name);
    return zw_raise(g->rods->context, ZW_E_DIVERGED, subject, "see that the law does not shrink the rod to nothing, or take shorter steps",
                    "link %d (s = %s m) has shrunk to %s of its first length at t = %s s", i + 1,
                    zw_number_short(g->rods->label[g->rod->node0 + i], 6, a),
                    zw_number_short(g->view.l[i] / g->rods->l0[g->rod->link0 + i], 3, b), zw_number_short(t, 8, c));
}

static zw_status grow_correct(void *self, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1) {
    struct zw_rods_growth *G = ((zw_rods *)self)->growth;
    for (int i = 0; i < G->n; i++) {
        zw_rod_growth *g = &G->of[i];
        look_at(g, x1->q, x1->s, w);
        ZW_TRY(zw_growth_correct(g->law, &g->view, x0->t, h, follows));
        for (int j = 0; j < g->rod->nlinks; j++) {
            if (!(g->view.l[j] > 1e-6 * G->rods->l0[g->rod->link0 + j])) {
                return too_short(g, j, x0->t + h);
            }
        }
    }
    return ZW_OK;
}

/* l eta p' C p of a link */
static double pace_power(const zw_rods *rods, const zw_rod_growth *g, int i, const double p[6]) {
    size_t j = (size_t)(g->rod->link0 + i);
    double l = g->view.l[i], a = area_factor(g, l / rods->l0[j], g->view.radius[i]), C[36], sum = 0.0;
    stiffness_of(&rods->growth->section[j], g->body->rod.refined, a, l, C);
    for (int k = 0; k < 36; k++) {
        sum += p[k / 6] * C[k] * p[k % 6];
    }
    return l * rods->damping[j] * sum;
}

static zw_status grow_pace(void *self, const zw_state *x, const double *w, double *power) {
    struct zw_rods_growth *G = ((zw_rods *)self)->growth;
    if (!G->rods->damps) {
        return ZW_OK;
    }
    memset(G->pace, 0, 6 * sizeof(double) * (size_t)G->rods->nlinks);
    G->seen[0] = NAN; /* lengths are numbers: the arrays of the rods are made anew */
    for (int i = 0; i < G->n && w != NULL; i++) {
        zw_rod_growth *g = &G->of[i];
        look_at(g, x->q, x->s, w);
        ZW_TRY(zw_growth_rates(g->law, &g->view, x->t, g->rate));
        for (int j = 0; j < g->rod->nlinks; j++) {
            double *p = G->pace + 6 * (size_t)(g->rod->link0 + j);
            zw_link k;
            zw_link_strain(x->q + ZW_ROD_NQ * (size_t)(g->rod->node0 + j), x->q + ZW_ROD_NQ * (size_t)zw_rod_far(g->rod, j), &k);
            for (int h = 0; h < 3; h++) {
                p[h] = g->rate[j].bend[h] + k.w[h] / g->view.l[j] * g->rate[j].rate;
                p[3 + h] = k.u[h] / g->view.l[j] * g->rate[j].rate;
            }
            *power += pace_power(G->rods, g, j, p);
        }
    }
    return ZW_OK;
}

static zw_status grow_push(void *self, const zw_state *x, double *w) {
    struct zw_rods_growth *G = ((zw_rods *)self)->growth;
    for (int i = 0; i < G->n; i++) {
        look_at(&G->of[i], x->q, x->s, w);
        ZW_TRY(zw_growth_push(G->of[i].law, &G->of[i].view, x->t));
    }
    return ZW_OK;
}

static bool grow_touched(const void *self) {
    const struct zw_rods_growth *G = ((const zw_rods *)self)->growth;
    for (int i = 0; i < G->n; i++) {
        if (G->of[i].touched) {
            return true;
        }
    }
    return false;
}

static void grow_contact(void *self, const double *f) {
    const zw_rods *rods = self;
    memcpy(rods->growth->contact, f, sizeof(double) * ZW_ROD_NV * (size_t)rods->nnodes);
}

static double grow_longest(const void *self, const zw_state *x) {
    const struct zw_rods_growth *G = ((const zw_rods *)self)->growth;
    double                       most = 0.0;
    for (int i = 0; i < G->n; i++) {
        const zw_rod_growth *g = &G->of[i];
        for (int j = 0; g->split > 0.0 && j < g->rod->nlinks; j++) {
            most = fmax(most, zw_rod_growth_l(g, x->s)[j] / g->split);
            most = zw_rod_joins(g->rods, (int)(g->rod - g->rods->rod), j, x) ? fmax(most, 2.0) : most;
        }
    }
    return most;
}

bool zw_rods_growth_driving(const zw_rods *rods, const zw_place *p, const zw_state *x, double *out) {
    zw_rod_growth  *g = (zw_rod_growth *)zw_rods_growth_of(rods, p->body);
    zw_growth_sense sense;
    if (g == NULL) {
        return false;
    }
    look_at(g, x->q, x->s, NULL);
    feel_link(rods, g, p->element, &sense);
    *out = sense.driving + 2.0 * (0.5 - p->u[0]) * sense.weight;
    return true;
}

zw_status zw_rods_growth_rates(const zw_rod_growth *g, const zw_state *x, const double *w, zw_growth_rate *out) {
    zw_rod_growth *own = (zw_rod_growth *)g;
    look_at(own, x->q, x->s, w);
    return zw_growth_rates(own->law, &own->view, x->t, out);
}

const zw_grow_ops zw_rods_grow_ops = {
    .memory = grow_memory,
    .start = grow_start,
    .predict = grow_predict,
    .correct = grow_correct,
    .pace = grow_pace,
    .push = grow_push,
    .touched = grow_touched,
    .contact = grow_contact,
    .longest = grow_longest,
};

/* ---- building */

static bool uses_contact(const zw_model *m, const zw_rod_growth_def *d) {
    static const char *const axes[6] = {"x", "y", "z", "d1", "d2", "d3"};
    bool                     uses = d->kind == ZW_GROWTH_TOUCH;
    for (int i = 0; i < 6 * ZW_GROWTH_PARAMETERS; i++) {
        char            name[24];
        const zw_value *v = &d->parameter[i / 6];
        snprintf(name, sizeof name, "contact.%s", axes[i % 6]);
        int slot = zw_pool_input(m->pool, name);
        for (int k = 0; slot >= 0 && k < v->width; k++) {
            uses = uses || zw_node_depends(m->pool, v->n[k], slot);
        }
    }
    return uses;
}

static zw_status create_one(zw_rods *rods, const zw_body_def *body, const zw_rod *r, zw_rod_growth *g) {
    struct zw_rods_growth   *G = rods->growth;
    const zw_model          *m = G->model;
    const zw_rod_growth_def *d = &body->rod.growth;
    zw_growth_def            def = {.kind = d->kind,
                                    .dilute = d->dilute,
                                    .natural = d->natural,
                                    .scaled = d->scaled,
                                    .points = d->points,
                                    .table = d->table,
                                    .over = d->over,
                                    .links = r->nlinks,
                                    .in = G->in};
    char                     subject[128];
    *g = (zw_rod_growth){.rods = rods, .body = body, .rod = r, .mass = d->mass, .touched = uses_contact(m, d), .s0 = G->ns, .w0 = G->nw};
    memcpy(def.parameter, d->parameter, sizeof def.parameter);
    snprintf(subject, sizeof subject, "bodies.%s.rod.growth", body->name);
    if (m->run.step.node != 0) {
        ZW_TRY(zw_model_constant(m, m->run.step, "run.step", &def.sample));
    }
    if (d->section.node != 0) {
        ZW_TRY(zw_model_constant(m, d->section, subject, &g->exponent));
    }
    if (d->split.node != 0) {
        ZW_TRY(zw_model_constant(m, d->split, subject, &g->split));
    }
    ZW_TRY(zw_growth_create(rods->context, m->pool, &def, &g->law));
    g->view = (zw_growth_rod){.n = r->nlinks, .closed = r->closed, .stride = 3, .in = G->in, .feel = feel, .user = g};
    g->view.sense = zw_arena_alloc(&rods->arena, (size_t)r->nlinks, sizeof *g->view.sense, "growth of rods");
    g->rate = zw_arena_alloc(&rods->arena, (size_t)r->nlinks, sizeof *g->rate, "growth of rods");
    G->ns += (size_t)r->nlinks * (size_t)(5 + zw_growth_fields(g->law));
    G->nw += zw_growth_memory(g->law, r->nlinks);
    return g->view.sense != NULL && g->rate != NULL ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_rods_growth_create(const zw_model *m, zw_rods *rods) {
    int growing = 0, i_rod = 0;
    for (int i = 0; i < m->nbodies; i++) {
        growing += m->bodies[i].kind == ZW_BODY_ROD && m->bodies[i].rod.growth.given;
    }
    if (growing == 0) {
        return ZW_OK;
    }
    struct zw_rods_growth *G = zw_arena_alloc(&rods->arena, 1, sizeof *G, "growth of rods");
    if (G == NULL) {
        return ZW_E_MEMORY;
    }
    rods->growth = G;
    *G = (struct zw_rods_growth){.model = m, .rods = rods};
    size_t nodes = (size_t)rods->nnodes, links = (size_t)rods->nlinks;
    G->of = zw_arena_alloc(&rods->arena, (size_t)growing, sizeof *G->of, "growth of rods");
    G->section = zw_arena_alloc(&rods->arena, links, sizeof *G->section, "growth of rods");
    G->natural0 = zw_arena_alloc(&rods->arena, 6 * links, sizeof(double), "growth of rods");
    G->radius0 = zw_arena_alloc(&rods->arena, nodes, sizeof(double), "growth of rods");
    G->J33 = zw_arena_alloc(&rods->arena, 9 * nodes, sizeof(double), "growth of rods");
    G->pace = zw_arena_alloc(&rods->arena, 6 * links, sizeof(double), "growth of rods");
    G->contact = zw_arena_alloc(&rods->arena, 6 * nodes, sizeof(double), "growth of rods");
    G->in = zw_arena_alloc(&rods->arena, (size_t)zw_pool_inputs(m->pool) + 1, sizeof(double), "growth of rods");
    if (!G->of || !G->section || !G->natural0 || !G->radius0 || !G->J33 || !G->pace || !G->contact || !G->in) {
        return ZW_E_MEMORY;
    }
    G->rate = zw_arena_alloc(&rods->arena, links, sizeof *G->rate, "growth of rods");
    G->rates = zw_arena_alloc(&rods->arena, 43 * links + 10 * nodes, sizeof(double), "growth of rods");
    if (!G->rate || !G->rates) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(m, G->in);
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *body = &m->bodies[i];
        if (body->kind == ZW_BODY_ROD && body->rod.growth.given) {
            ZW_TRY(create_one(rods, body, &rods->rod[i_rod], &G->of[G->n++]));
        }
        i_rod += body->kind == ZW_BODY_ROD;
    }
    G->seen = zw_arena_alloc(&rods->arena, G->ns, sizeof(double), "growth of rods");
    return G->seen != NULL ? ZW_OK : ZW_E_MEMORY;
}

void zw_rods_growth_section(zw_rods *rods, int link, const zw_section_values *v) {
    if (rods->growth != NULL) {
        rods->growth->section[link] = *v;
    }
}

void zw_rods_growth_ready(zw_rods *rods, const double *J33) {
    struct zw_rods_growth *G = rods->growth;
    if (G == NULL) {
        return;
    }
    memcpy(G->natural0, rods->natural, 6 * sizeof(double) * (size_t)rods->nlinks);
    memcpy(G->radius0, rods->radius, sizeof(double) * (size_t)rods->nnodes);
    memcpy(G->J33, J33, 9 * sizeof(double) * (size_t)rods->nnodes);
    for (size_t i = 0; i < G->ns; i++) {
        G->seen[i] = NAN;
    }
}

void zw_rods_growth_destroy(zw_rods *rods) {
    for (int i = 0; rods->growth != NULL && i < rods->growth->n; i++) {
        zw_growth_destroy(rods->growth->of[i].law);
    }
}
