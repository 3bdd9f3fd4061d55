/* SPDX-License-Identifier: Apache-2.0
 * rod.c: the population of rods as a part: building it from the model, mass, gravity, account, and the ops table. */
#include "parts/rod.h"

#include "base/number.h"
#include "math/dense.h"
#include "math/quat.h"
#include "model/field.h"
#include "parts/rod_link.h"
#include "parts/rod_grow.h"
#include "parts/rod_refine.h"
#include "parts/rod_section.h"
#include "parts/rod_wide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static zw_size rods_size(const void *self) {
    const zw_rods *rods = self;
    return (zw_size){.nq = ZW_ROD_NQ * rods->nnodes, .nv = ZW_ROD_NV * rods->nnodes, .ns = zw_rods_growth_fields(rods)};
}

static void rods_start(const void *self, zw_state *x) {
    const zw_rods *rods = self;
    memcpy(x->q, rods->q0, sizeof(double) * ZW_ROD_NQ * (size_t)rods->nnodes);
    memcpy(x->v, rods->v0, sizeof(double) * ZW_ROD_NV * (size_t)rods->nnodes);
    zw_rods_growth_begin(rods, x->s);
}

static void rods_carry(void *self, int body, const zw_frame *F) {
    zw_rods      *rods = self;
    const zw_rod *r = &rods->rod[body];
    double        turn[4], own[3], arm[3], moved[3];
    zw_q_from_matrix(F->R, turn);
    for (int i = r->node0; i < r->node0 + r->nnodes; i++) {
        double *q = rods->q0 + ZW_ROD_NQ * (size_t)i, *v = rods->v0 + ZW_ROD_NV * (size_t)i;
        zw_m3_mulv(arm, F->R, q);
        zw_v3_add(q, F->r, arm);
        zw_q_mul(turn, q + 3, q + 3);
        zw_q_normalize(q + 3);
        zw_m3_mulv(own, F->R, v + 3);
        zw_v3_cross(moved, F->w, arm);
        zw_v3_add(moved, moved, F->v);
        zw_v3_add(v + 3, moved, own);
        zw_q_rotate_back(q + 3, F->w, moved); /* in the directors */
        zw_v3_add(v, v, moved);
    }
}

static void rods_retract(const void *self, const double *q, const double *dv, double *q1) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        const double *from = q + ZW_ROD_NQ * (size_t)i, *d = dv + ZW_ROD_NV * (size_t)i;
        double       *to = q1 + ZW_ROD_NQ * (size_t)i, turn[4], out[4];
        zw_q_exp(d, turn);
        zw_q_mul(from + 3, turn, out);
        zw_q_normalize(out);
        zw_v3_add(to, from, d + 3);
        zw_q_copy(out, to + 3);
    }
}

/* the velocity at q turns R = R0 exp(d):  d' = dexp_{-d}^-1 Omega, with Omega in the directors */
static void rods_chart_rate(const void *self, const double *q0, const double *dv, const double *q, const double *v, double *rate) {
    const zw_rods *rods = self;
    (void)q0, (void)q;
    for (int i = 0; i < rods->nnodes; i++) {
        const double *d = dv + ZW_ROD_NV * (size_t)i, *at = v + ZW_ROD_NV * (size_t)i;
        double       *out = rate + ZW_ROD_NV * (size_t)i, back[3];
        zw_v3_negate(back, d);
        zw_so3_dexp_inv_apply(back, at, out);
        zw_v3_copy(out + 3, at + 3);
    }
}

static void rods_mass(void *self, const zw_state *x, zw_matrix *M) {
    zw_rods *rods = self;
    zw_rods_tune(rods, x);
    bool blocks = rods->inertia33 != NULL;
    *M = (zw_matrix){.kind = blocks ? ZW_SPD : ZW_DIAGONAL,
                     .n = ZW_ROD_NV * rods->nnodes,
                     .block = blocks ? 6 : 1,
                     .start = blocks ? rods->metric_start : NULL,
                     .col = blocks ? rods->metric_col : NULL,
                     .a = rods->metric_a};
}

static zw_status rods_force(void *self, const zw_state *x, double *f) {
    zw_rods      *rods = self;
    const double *g = rods->gravity;
    zw_rods_tune(rods, x);
    for (int i = 0; i < rods->nnodes; i++) {
        double *fi = f + ZW_ROD_NV * (size_t)i, m = rods->mass[i];
        fi[0] = fi[1] = fi[2] = 0.0;
        fi[3] = m * g[0];
        fi[4] = m * g[1];
        fi[5] = m * g[2];
    }
    zw_rods_elastic(rods, x->q, f);
    return ZW_OK;
}

/* Pi = J Omega of a node */
static void spin_momentum(const zw_rods *rods, int i, const double omega[3], double pi[3]) {
    if (rods->inertia33 != NULL) {
        zw_m3_mulv(pi, rods->inertia33 + 9 * (size_t)i, omega);
        return;
    }
    for (int k = 0; k < 3; k++) {
        pi[k] = rods->inertia[3 * (size_t)i + k] * omega[k];
    }
}

/* J Omega' + Omega x J Omega = torque */
static void rods_bias(void *self, const zw_state *x, double *f) {
    const zw_rods *rods = self;
    zw_rods_tune(rods, x);
    for (int i = 0; i < rods->nnodes; i++) {
        const double *omega = x->v + ZW_ROD_NV * (size_t)i;
        double        pi[3], c[3];
        spin_momentum(rods, i, omega, pi);
        zw_v3_cross(c, omega, pi);
        zw_v3_sub(f + ZW_ROD_NV * (size_t)i, f + ZW_ROD_NV * (size_t)i, c);
    }
}

static void rods_gravity(void *self, const zw_state *x, const double g[3], double *f) {
    const zw_rods *rods = self;
    zw_rods_tune(rods, x);
    for (int i = 0; i < rods->nnodes; i++) {
        zw_v3_addscaled(f + ZW_ROD_NV * (size_t)i + 3, f + ZW_ROD_NV * (size_t)i + 3, rods->mass[i], g);
    }
}

static void rods_account(void *self, const zw_state *x, zw_account *a) {
    const zw_rods *rods = self;
    zw_rods_tune(rods, x);
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        a->elastic += zw_rods_elastic_energy(rods, &rods->rod[i_rod], x->q);
    }
    for (int i = 0; i < rods->nnodes; i++) {
        const double *q = x->q + ZW_ROD_NQ * (size_t)i, *v = x->v + ZW_ROD_NV * (size_t)i;
        double        m = rods->mass[i], pi[3], arm[3], spin[3];
        spin_momentum(rods, i, v, pi);
        a->kinetic += 0.5 * m * zw_v3_norm2(v + 3) + 0.5 * zw_v3_dot(v, pi);
        a->potential -= m * zw_v3_dot(rods->gravity, q);
        a->mass += m;
        zw_v3_cross(arm, q, v + 3);
        zw_q_rotate(q + 3, pi, spin);
        for (int k = 0; k < 3; k++) {
            a->momentum[k] += m * v[3 + k];
            a->angular[k] += m * arm[k] + spin[k];
        }
    }
}

static bool rods_at_fault(const void *self, const zw_state *x, char *text, size_t size) {
    const zw_rods *rods = self;
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nnodes; i++) {
            const double *q = x->q + ZW_ROD_NQ * (size_t)(r->node0 + i), *v = x->v + ZW_ROD_NV * (size_t)(r->node0 + i);
            double        sum = 0.0;
            for (int k = 0; k < ZW_ROD_NQ; k++) {
                sum += q[k] - q[k];
            }
            for (int k = 0; k < ZW_ROD_NV; k++) {
                sum += v[k] - v[k];
            }
            if (sum != 0.0) { /* only a value that is not finite differs from itself */
                char s[ZW_NUMBER_TEXT];
                snprintf(text, size, "node %d of rod '%s' (s = %s m)", i, r->name, zw_number_short(rods->label[r->node0 + i], 6, s));
                return true;
            }
        }
    }
    int    i_rod, i_link;
    double angle;
    if (zw_rods_overbent(rods, x->q, &i_rod, &i_link, &angle)) {
        char number[ZW_NUMBER_TEXT];
        snprintf(text, size, "link %d of rod '%s', bent by %s rad: beyond what one link can describe", i_link + 1, rods->rod[i_rod].name,
                 zw_number_short(angle, 4, number));
        return true;
    }
    return false;
}

static bool rods_damps(const void *self) {
    return ((const zw_rods *)self)->damps;
}

static double rods_step_limit(void *self, double *length) {
    const zw_rods *rods = self;
    *length = rods->l[0];
    for (int i = 1; i < rods->nlinks; i++) {
        *length = fmin(*length, rods->l[i]);
    }
    return rods->safe_step;
}

static void rods_destroy(void *self) {
    zw_rods *rods = self;
    if (rods == NULL) {
        return;
    }
    zw_context *c = rods->context;
    zw_rods_growth_destroy(rods);
    zw_arena_destroy(&rods->arena);
    zw_free(c, rods);
}

/* ---- building */

/* Safe formula for the largest stable step of one link's neighbourhood: omega^2 <= max(4 EA/(rhoA l^2), 4 EI/(rhoI l^2), 4 GJ/(rhoJ l^2),
 * GA (4/(l^2 rhoA) + 1/rhoI)), h = 2/omega. Stiffness coupling is bounded by row sums. Strains that rows hold have no stiffness: what is left bounds the
 * frequencies with rows too, which only take motions away. */
static double omega_squared(const zw_section_values *v, double l) {
    double C[6], worst = 0.0;
    for (int i = 0; i < 6; i++) {
        C[i] = 0.0;
        for (int k = 0; k < 6; k++) { /* |C_ik| in units of the geometric mean of the diagonal */
            C[i] += v->stiffness[7 * k] > 0.0 ? fabs(v->stiffness[6 * i + k]) * sqrt(v->stiffness[7 * i] / v->stiffness[7 * k]) : 0.0;
        }
    }
    double values[3], vectors[9];
    zw_sym3_eigen(v->inertia, values, vectors);
    double rhoI = fmin(values[0], fmin(values[1], values[2]));
    for (int i = 0; i < 3; i++) {
        double inertia = v->inertia[1] != 0.0 || v->inertia[2] != 0.0 || v->inertia[5] != 0.0 ? rhoI : v->inertia[4 * i];
        worst = fmax(worst, 4.0 * C[i] / (inertia * l * l));
    }
    worst = fmax(worst, 4.0 * C[5] / (v->mass * l * l));
    /* shear along d1 turns about d2, along d2 about d1 */
    double J[2] = {v->inertia[4], v->inertia[0]};
    for (int i = 0; i < 2; i++) {
        double inertia = v->inertia[1] != 0.0 || v->inertia[2] != 0.0 || v->inertia[5] != 0.0 ? rhoI : J[i];
        worst = fmax(worst, C[3 + i] * (4.0 / (l * l * v->mass) + 1.0 / inertia));
    }
    return worst;
}

/* The same for a link that is bent at the start: the largest eigenvalue of M^-1 G' C G/l of the link alone with its own half masses, which bounds that of
 * the rod (node masses are sums of halves). L' G M^-1 G' L/l with C = L L' has the same one. Straight links give the formula above. */
static double bent_omega_squared(const zw_section_values *v, double l, const double *qa, const double *qb) {
    zw_link k;
    double  G[6][12], W[6][12], S[36], L[36], LS[36], inverse[9], values[6], vectors[36], most = 0.0;
    zw_link_strain(qa, qb, &k);
    if (zw_v3_norm2(k.w) < 0.04 || !zw_m3_inverse(inverse, v->inertia)) { /* below 0.2 rad the two differ by less than 0.1 % */
        return 0.0;
    }
    zw_link_rates(qa, &k, G);
    for (int i = 0; i < 6; i++) { /* W = G M^-1 */
        for (int end = 0; end < 2; end++) {
            zw_m3_tmulv(&W[i][6 * end], inverse, &G[i][6 * end]);
            zw_v3_scale(&W[i][6 * end], 2.0 / l, &W[i][6 * end]);
            zw_v3_scale(&W[i][6 * end + 3], 2.0 / (l * v->mass), &G[i][6 * end + 3]);
        }
    }
    for (int i = 0; i < 36; i++) {
        S[i] = 0.0;
        for (int h = 0; h < 12; h++) {
            S[i] += W[i / 6][h] * G[i % 6][h] / l;
        }
    }
    memcpy(L, v->stiffness, sizeof L);
    for (int i = 0; i < 6; i++) { /* what rows hold stands apart: its zeros come back below */
        L[7 * i] = v->stiffness[7 * i] > 0.0 ? L[7 * i] : 1.0;
    }
    if (zw_cholesky_factor(6, L) >= 0) {
        return 0.0;
    }
    for (int i = 0; i < 6; i++) {
        L[7 * i] = v->stiffness[7 * i] > 0.0 ? L[7 * i] : 0.0;
        for (int h = i + 1; h < 6; h++) {
            L[6 * i + h] = 0.0;
        }
    }
    zw_m6_mul(LS, S, L);
    zw_m6_tmul(S, L, LS);
    if (zw_sym_eigen(6, S, values, vectors)) {
        for (int i = 0; i < 6; i++) {
            most = fmax(most, values[i]);
        }
    }
    return most;
}

static void *nodes(zw_rods *rods, size_t width, const char *what) {
    return zw_arena_alloc(&rods->arena, (size_t)rods->nnodes * width, sizeof(double), what);
}

static void *links(zw_rods *rods, size_t width, const char *what) {
    return zw_arena_alloc(&rods->arena, (size_t)rods->nlinks * width, sizeof(double), what);
}

static zw_status allocate(zw_rods *rods) {
    rods->label = nodes(rods, 1, "labels");
    rods->radius = nodes(rods, 1, "radii");
    rods->weight = nodes(rods, 1, "weights");
    rods->mass = nodes(rods, 1, "masses");
    rods->inertia = nodes(rods, 3, "inertia");
    rods->q0 = nodes(rods, ZW_ROD_NQ, "start positions");
    rods->v0 = nodes(rods, ZW_ROD_NV, "start velocities");
    rods->l0 = links(rods, 1, "link lengths");
    rods->l = links(rods, 1, "link lengths");
    rods->natural = links(rods, 6, "natural strains");
    rods->stiffness = links(rods, 6, "stiffness");
    rods->damping = links(rods, 1, "damping");
    rods->force = nodes(rods, 6, "forces");
    bool all = rods->label && rods->radius && rods->weight && rods->mass && rods->inertia && rods->q0 && rods->v0 && rods->l0 && rods->l &&
               rods->natural && rods->stiffness && rods->damping && rods->force;
    return all ? ZW_OK : ZW_E_MEMORY;
}

/* sections along one rod; J33 collects full inertia per node [9 nnodes] and C66 full stiffness per link [36 nlinks] */
static zw_status read_sections(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r, double *J33, double *C66,
                               bool *coupled, bool *turned, double *omega2) {
    zw_rod_section    section;
    zw_section_values v;
    zw_status         status = ZW_OK;
    double            split = 0.0;
    if (body->rod.growth.split.node != 0) {
        ZW_TRY(zw_model_constant(m, body->rod.growth.split, "growth.split", &split));
    }
    ZW_TRY(zw_rod_section_create(m, body, &section));
    for (int i = 0; i < r->nlinks; i++) {
        size_t j = (size_t)(r->link0 + i);
        size_t node[2] = {(size_t)(r->node0 + i), (size_t)zw_rod_far(r, i)};
        double l = rods->l0[j];
        ZW_TRY_GOTO(zw_rod_section_at(&section, rods->label[node[0]] + 0.5 * l, &v), done);
        zw_rods_growth_section(rods, (int)j, &v);
        ZW_TRY_GOTO(zw_rod_refine_section(m, body, l, &v), done);
        rods->l[j] = l;
        rods->damping[j] = v.damping;
        rods->damps = rods->damps || v.damping > 0.0;
        if (C66 != NULL) {
            memcpy(C66 + 36 * j, v.stiffness, sizeof v.stiffness);
        }
        for (int k = 0; k < 6; k++) {
            rods->stiffness[6 * j + (size_t)k] = v.stiffness[7 * k];
        }
        *coupled = *coupled || v.coupled;
        *turned = *turned || v.inertia[1] != 0.0 || v.inertia[2] != 0.0 || v.inertia[5] != 0.0;
        *omega2 = fmax(*omega2, zw_rod_refine_limit(body) *
                                    omega_squared(&v, split > 0.0 ? fmin(l, 0.5 * split) : l)); /* what links are halved to */
        for (int end = 0; end < 2; end++) {
            bool   whole = m->run.ends == ZW_ENDS_FULL && !r->closed && i == (end == 0 ? 0 : r->nlinks - 1);
            double cell = whole ? l : 0.5 * l;
            rods->mass[node[end]] += cell * v.mass;
            rods->weight[node[end]] += 0.5 * l;
            for (int k = 0; k < 9; k++) {
                J33[9 * node[end] + (size_t)k] += cell * v.inertia[k];
            }
        }
    }
    if (body->rod.refined && m->run.ends != ZW_ENDS_FULL) {
        zw_rod_refine_ends(rods, r, J33);
    }
    for (int i = 0; i < r->nnodes; i++) {
        double s = rods->label[r->node0 + i];
        ZW_TRY_GOTO(zw_rod_section_at(&section, s < r->length ? s : r->length, &v), done);
        rods->radius[r->node0 + i] = v.radius;
    }
done:
    zw_rod_section_destroy(&section);
    return status;
}

static zw_status read_bent_limit(const zw_model *m, const zw_body_def *body, const zw_rods *rods, const zw_rod *r, double *omega2) {
    zw_rod_section    section;
    zw_section_values v;
    zw_status         status = ZW_OK;
    if (body->rod.shape.kind == ZW_SHAPE_STRAIGHT) {
        return ZW_OK;
    }
    ZW_TRY(zw_rod_section_create(m, body, &section));
    for (int i = 0; i < r->nlinks; i++) {
        double l = rods->l[r->link0 + i];
        ZW_TRY_GOTO(zw_rod_section_at(&section, rods->label[r->node0 + i] + 0.5 * l, &v), done);
        ZW_TRY_GOTO(zw_rod_refine_section(m, body, l, &v), done);
        *omega2 = fmax(*omega2, zw_rod_refine_limit(body) * bent_omega_squared(&v, l, rods->q0 + ZW_ROD_NQ * (size_t)(r->node0 + i),
                                                                               rods->q0 + ZW_ROD_NQ * (size_t)zw_rod_far(r, i)));
    }
done:
    zw_rod_section_destroy(&section);
    return status;
}

static zw_status read_velocity(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r) {
    char      subject[128];
    zw_field  field;
    zw_status status = ZW_OK;
    snprintf(subject, sizeof subject, "bodies.%s.rod.velocity", body->name);
    ZW_TRY(zw_field_create(m, 3, body->rod.velocity, NULL, &field));
    for (int i = r->node0; i < r->node0 + r->nnodes; i++) {
        double *v = rods->v0 + ZW_ROD_NV * (size_t)i + 3;
        zw_field_set_label(&field, rods->label[i]);
        ZW_TRY_GOTO(zw_field_eval(&field, subject, v), done);
        if (body->rod.velocity_in_directors) {
            zw_q_rotate(rods->q0 + ZW_ROD_NQ * (size_t)i + 3, v, v);
        }
    }
done:
    zw_field_destroy(&field);
    return status;
}

/* inertia to principal axes where it is not diagonal; mass metric */
void zw_rods_set_inertia(zw_rods *rods, const double *J33) {
    size_t n = (size_t)rods->nnodes;
    for (size_t i = 0; i < n && rods->inertia33 == NULL; i++) {
        for (size_t k = 0; k < 3; k++) {
            rods->inertia[3 * i + k] = J33[9 * i + 4 * k];
            rods->metric_a[6 * i + k] = rods->inertia[3 * i + k];
            rods->metric_a[6 * i + 3 + k] = rods->mass[i];
        }
    }
    for (size_t i = 0; i < n && rods->inertia33 != NULL; i++) {
        double vectors[9];
        memcpy(rods->inertia33 + 9 * i, J33 + 9 * i, 9 * sizeof(double));
        zw_sym3_eigen(J33 + 9 * i, rods->inertia + 3 * i, vectors);
        if (zw_m3_det(vectors) < 0.0) { /* right-handed axes */
            for (int k = 0; k < 3; k++) {
                vectors[3 * k] = -vectors[3 * k];
            }
        }
        zw_q_from_matrix(vectors, rods->principal + 4 * i);
        double *a = rods->metric_a + 36 * i;
        for (size_t k = 0; k < 3; k++) {
            for (size_t h = 0; h < 3; h++) {
                a[6 * k + h] = J33[9 * i + 3 * k + h];
            }
            a[6 * (3 + k) + 3 + k] = rods->mass[i];
        }
    }
}

static zw_status finish_inertia(zw_rods *rods, const double *J33, bool turned) {
    size_t n = (size_t)rods->nnodes;
    if (!turned) {
        rods->metric_a = nodes(rods, 6, "mass metric");
        if (rods->metric_a == NULL) {
            return ZW_E_MEMORY;
        }
        zw_rods_set_inertia(rods, J33);
        return ZW_OK;
    }
    rods->principal = nodes(rods, 4, "principal axes");
    rods->inertia33 = nodes(rods, 9, "inertia");
    rods->metric_a = nodes(rods, 36, "mass metric");
    rods->metric_start = zw_arena_alloc(&rods->arena, n + 1, sizeof(int), "mass metric");
    rods->metric_col = zw_arena_alloc(&rods->arena, n, sizeof(int), "mass metric");
    if (!rods->principal || !rods->inertia33 || !rods->metric_a || !rods->metric_start || !rods->metric_col) {
        return ZW_E_MEMORY;
    }
    zw_rods_set_inertia(rods, J33);
    for (size_t i = 0; i < n; i++) {
        rods->metric_start[i] = (int)i;
        rods->metric_col[i] = (int)i;
    }
    rods->metric_start[n] = (int)n;
    return ZW_OK;
}

/* pattern of M + h D: neighbours along the rod, and the closing ones of a ring */
static zw_status damping_pattern(zw_rods *rods) {
    if (!rods->damps) {
        return ZW_OK;
    }
    size_t n = (size_t)rods->nnodes;
    rods->damp_start = zw_arena_alloc(&rods->arena, n + 1, sizeof(int), "damping metric");
    rods->damp_col = zw_arena_alloc(&rods->arena, 3 * n, sizeof(int), "damping metric");
    if (rods->damp_start == NULL || rods->damp_col == NULL) {
        return ZW_E_MEMORY;
    }
    int fill = 0;
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nnodes; i++) {
            int  here = r->node0 + i, last = r->nnodes - 1;
            bool wraps = r->closed && r->nnodes > 2;
            rods->damp_start[here] = fill;
            if (wraps && i == last) {
                rods->damp_col[fill++] = r->node0;
            }
            if (i > 0) {
                rods->damp_col[fill++] = here - 1;
            }
            rods->damp_col[fill++] = here;
            if (i < last) {
                rods->damp_col[fill++] = here + 1;
            }
            if (wraps && i == 0) {
                rods->damp_col[fill++] = r->node0 + last;
            }
        }
    }
    rods->damp_start[n] = fill;
    rods->damp_a = zw_arena_alloc(&rods->arena, 36 * (size_t)fill, sizeof(double), "damping metric");
    return rods->damp_a != NULL ? ZW_OK : ZW_E_MEMORY;
}

static zw_status count(const zw_model *m, const zw_rod_mesh *mesh, zw_rods *rods) {
    rods->rod = zw_arena_alloc(&rods->arena, (size_t)m->nbodies, sizeof *rods->rod, "rods");
    if (rods->rod == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *body = &m->bodies[i];
        if (body->kind != ZW_BODY_ROD) {
            continue;
        }
        zw_rod *r = &rods->rod[rods->nrods++];
        char    subject[128];
        snprintf(subject, sizeof subject, "bodies.%s.rod.length", body->name);
        *r = (zw_rod){.name = body->name, .node0 = rods->nnodes, .link0 = rods->nlinks, .nlinks = body->rod.elements};
        r->nlinks = mesh != NULL ? mesh[rods->nrods - 1].nlinks : r->nlinks;
        r->closed = body->rod.shape.kind == ZW_SHAPE_RING;
        r->held = body->rod.kinematics == ZW_INEXTENSIBLE ? 3 : body->rod.kinematics == ZW_UNSHEARABLE ? 2 : 0;
        if (r->closed && r->nlinks < 3) {
            snprintf(subject, sizeof subject, "bodies.%s.rod.elements", body->name);
            return zw_model_raise(m, ZW_E_MODEL, body->at, subject, "use at least 3, better 20", "a ring of %d elements cannot be closed",
                                  r->nlinks);
        }
        r->nnodes = r->nlinks + (r->closed ? 0 : 1);
        ZW_TRY(zw_model_constant(m, body->rod.length, subject, &r->length));
        rods->nnodes += r->nnodes;
        rods->nlinks += r->nlinks;
    }
    return ZW_OK;
}

/* labels of nodes, label lengths of links */
static void set_labels(const zw_rod_mesh *mesh, zw_rods *rods) {
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        double        l = r->length / r->nlinks;
        for (int i = 0; i < r->nnodes; i++) {
            rods->label[r->node0 + i] = mesh != NULL ? mesh[i_rod].label[i] : i * l;
        }
        for (int i = 0; i < r->nlinks; i++) {
            rods->l0[r->link0 + i] = mesh != NULL ? zw_rod_far_label(rods, r, i) - rods->label[r->node0 + i] : l;
        }
    }
}

zw_status zw_rods_create(const zw_model *m, const double gravity[3], const zw_rod_mesh *mesh, void **out) {
    zw_context *c = m->context;
    zw_status   status = ZW_OK;
    double     *J33 = NULL, *C66 = NULL, omega2 = 0.0;
    bool        coupled = false, turned = false;
    *out = NULL;
    zw_rods *rods = zw_alloc(c, 1, sizeof *rods, "rods");
    if (rods == NULL) {
        return ZW_E_MEMORY;
    }
    rods->context = c;
    rods->threads = m->run.threads > 0 ? m->run.threads : zw_context_threads(c);
    zw_arena_init(&rods->arena, c);
    zw_v3_copy(rods->gravity, gravity);
    ZW_TRY_GOTO(count(m, mesh, rods), fail);
    ZW_TRY_GOTO(allocate(rods), fail);
    set_labels(mesh, rods);
    ZW_TRY_GOTO(zw_rods_growth_create(m, rods), fail);
    J33 = zw_alloc(c, 9 * (size_t)rods->nnodes, sizeof *J33, "inertia of rods");
    bool matrices = false; /* does any section come as a 6x6 matrix? */
    for (int i = 0; i < m->nbodies; i++) {
        matrices = matrices || (m->bodies[i].kind == ZW_BODY_ROD && m->bodies[i].rod.section.kind == ZW_SECTION_MATRIX);
    }
    if (matrices) {
        C66 = zw_arena_alloc(&rods->arena, 36 * (size_t)rods->nlinks, sizeof *C66, "stiffness of rods");
    }
    if (J33 == NULL || (matrices && C66 == NULL)) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    int i_rod = 0;
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_ROD) {
            const zw_rod *r = &rods->rod[i_rod++];
            ZW_TRY_GOTO(read_sections(m, &m->bodies[i], rods, r, J33, C66, &coupled, &turned, &omega2), fail);
            ZW_TRY_GOTO(zw_rod_shape(m, &m->bodies[i], rods, r), fail);
            ZW_TRY_GOTO(read_bent_limit(m, &m->bodies[i], rods, r, &omega2), fail);
            ZW_TRY_GOTO(read_velocity(m, &m->bodies[i], rods, r), fail);
        }
    }
    rods->coupling = coupled ? C66 : NULL;
    rods->safe_step = omega2 > 0.0 ? 2.0 / sqrt(omega2) : 0.0;
    ZW_TRY_GOTO(finish_inertia(rods, J33, turned), fail);
    ZW_TRY_GOTO(damping_pattern(rods), fail);
    ZW_TRY_GOTO(zw_rods_wide_create(rods), fail);
    zw_rods_growth_ready(rods, J33);
    zw_free(c, J33);
    *out = rods;
    return ZW_OK;
fail:
    zw_free(c, J33);
    rods_destroy(rods);
    return status;
}

const zw_part_ops zw_rods_ops = {
    .kind = "rod",
    .size = rods_size,
    .start = rods_start,
    .retract = rods_retract,
    .mass = rods_mass,
    .force = rods_force,
    .bias = rods_bias,
    .gravity = rods_gravity,
    .frame = zw_rods_frame,
    .place = zw_rods_place,
    .slip = zw_rods_slip,
    .stations = zw_rods_stations,
    .measure = zw_rods_measure,
    .account = rods_account,
    .field = zw_rods_field,
    .observe = zw_rods_observe,
    .shown = zw_rods_shown,
    .of_balance = zw_rods_of_balance,
    .zwang = zw_rods_zwang,
    .at_fault = rods_at_fault,
    .destroy = rods_destroy,
    .chart_rate = rods_chart_rate,
    .drift = zw_rods_drift,
    .fuses = zw_rods_fuses,
    .step_alone = zw_rods_step_alone,
    .damps = rods_damps,
    .damp = zw_rods_damp,
    .damp_metric = zw_rods_damp_metric,
    .step_limit = rods_step_limit,
    .bracket = &zw_rods_bracket_ops,
    .carrier = &zw_rods_carrier_ops,
    .secant = &zw_rods_secant_ops,
    .grow = &zw_rods_grow_ops,
    .carry = rods_carry,
};
