/* SPDX-License-Identifier: Apache-2.0
 * rigid.c: the population of rigid bodies as a part: building it from the model, motion, mass, gravity, frames, and the ops table.
 *
 *   space       m x'' = force,   J Omega' + Omega x J Omega = torque     J = diag(principal moments), Omega in principal axes
 *   planar      m (x''.e1, x''.e2) = (force.e1, force.e2),   (n.J n) omega' = torque.n;  J n turns with the body, n.J n stays */
#include "parts/rigid.h"

#include "base/context.h"
#include "base/number.h"
#include "math/dense.h"
#include "math/quat.h"
#include "math/so3.h"
#include "math/spin.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void zw_rigid_orientation(const zw_rigid *b, const double *q, double out[4]) {
    double back[4];
    zw_q_conj(b->axes, back);
    zw_q_mul(q + b->q0 + 3, back, out);
}

void zw_rigid_spin(const zw_rigid *b, const double *q, const double *v, double out[3]) {
    if (b->planar) {
        zw_v3_scale(out, v[b->v0], b->plane);
        return;
    }
    zw_q_rotate(q + b->q0 + 3, v + b->v0, out);
}

void zw_rigid_velocity(const zw_rigid *b, const double *v, double out[3]) {
    if (b->planar) {
        zw_v3_scale(out, v[b->v0 + 1], b->plane + 3);
        zw_v3_addscaled(out, out, v[b->v0 + 2], b->plane + 6);
        return;
    }
    zw_v3_copy(out, v + b->v0 + 3);
}

static zw_size rigids_size(const void *self) {
    const zw_rigids *all = self;
    return (zw_size){.nq = ZW_RIGID_NQ * all->nbodies, .nv = all->nv};
}

static void rigids_start(const void *self, zw_state *x) {
    const zw_rigids *all = self;
    memcpy(x->q, all->q0, sizeof(double) * ZW_RIGID_NQ * (size_t)all->nbodies);
    memcpy(x->v, all->v0, sizeof(double) * (size_t)all->nv);
}

/* planar bodies are placed in space */
static void rigids_carry(void *self, int body, const zw_frame *F) {
    zw_rigids      *all = self;
    const zw_rigid *b = &all->body[body];
    double         *q = all->q0 + b->q0, *v = all->v0 + b->v0, turn[4], own[3], arm[3], moved[3];
    if (b->planar) {
        return;
    }
    zw_q_from_matrix(F->R, turn);
    zw_m3_mulv(arm, F->R, q);
    zw_v3_add(q, F->r, arm);
    zw_q_mul(turn, q + 3, q + 3);
    zw_q_normalize(q + 3);
    zw_m3_mulv(own, F->R, v + 3);
    zw_v3_cross(moved, F->w, arm);
    zw_v3_add(moved, moved, F->v);
    zw_v3_add(v + 3, moved, own);
    zw_q_rotate_back(q + 3, F->w, moved); /* in principal axes */
    zw_v3_add(v, v, moved);
}

/* x and q moved by d: turned in its own axes, or about the normal of space */
static void move(const zw_rigid *b, const double *q, const double *d, double *q1) {
    double r[3], turn[4], out[4];
    if (b->planar) {
        zw_v3_scale(r, d[0], b->plane);
        zw_q_exp(r, turn);
        zw_q_mul(turn, q + 3, out);
        zw_v3_addscaled(q1, q, d[1], b->plane + 3);
        zw_v3_addscaled(q1, q1, d[2], b->plane + 6);
    } else {
        zw_q_exp(d, turn);
        zw_q_mul(q + 3, turn, out);
        zw_v3_add(q1, q, d + 3);
    }
    zw_q_copy(out, q1 + 3);
}

static void rigids_retract(const void *self, const double *q, const double *dv, double *q1) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        move(b, q + b->q0, dv + b->v0, q1 + b->q0);
        zw_q_normalize(q1 + b->q0 + 3);
    }
}

/* the velocity at q turns R = R0 exp(d):  d' = dexp_{-d}^-1 Omega; about a fixed normal the angle is its own chart */
static void rigids_chart_rate(const void *self, const double *q0, const double *dv, const double *q, const double *v, double *rate) {
    const zw_rigids *all = self;
    (void)q0, (void)q;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        const double   *d = dv + b->v0, *at = v + b->v0;
        double         *out = rate + b->v0, back[3];
        if (b->planar) {
            zw_v3_copy(out, at);
            continue;
        }
        zw_v3_negate(back, d);
        zw_so3_dexp_inv_apply(back, at, out);
        zw_v3_copy(out + 3, at + 3);
    }
}

static void rigids_mass(void *self, const zw_state *x, zw_matrix *M) {
    const zw_rigids *all = self;
    (void)x;
    *M = (zw_matrix){.kind = ZW_DIAGONAL, .n = all->nv, .block = 1, .a = all->metric_a};
}

static void rigids_gravity(void *self, const zw_state *x, const double g[3], double *f) {
    (void)x;
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        double         *fi = f + b->v0;
        if (b->planar) {
            fi[1] += b->mass * zw_v3_dot(g, b->plane + 3);
            fi[2] += b->mass * zw_v3_dot(g, b->plane + 6);
        } else {
            zw_v3_addscaled(fi + 3, fi + 3, b->mass, g);
        }
    }
}

static zw_status rigids_force(void *self, const zw_state *x, double *f) {
    const zw_rigids *all = self;
    memset(f, 0, sizeof(double) * (size_t)all->nv);
    rigids_gravity(self, x, all->gravity, f);
    return ZW_OK;
}

static void rigids_bias(void *self, const zw_state *x, double *f) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        const double   *J = b->principal, *w = x->v + b->v0;
        double         *fi = f + b->v0;
        for (int k = 0; k < 3 && !b->planar; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            fi[k] -= (J[m] - J[l]) * w[l] * w[m];
        }
    }
}

/* flow of the kinetic energy: straight, and a free rotation */
static void drift_body(const zw_rigid *b, const zw_state *x0, double h, zw_state *x1) {
    const double *q = x0->q + b->q0, *v = x0->v + b->v0, *J = b->principal;
    double       *q1 = x1->q + b->q0, *v1 = x1->v + b->v0, turn[4], omega[3];
    if (b->planar) {
        double d[3] = {h * v[0], h * v[1], h * v[2]};
        double way[ZW_RIGID_NQ];
        move(b, q, d, way);
        zw_v3_copy(q1, way);
        zw_q_copy(way + 3, turn);
        memmove(v1, v, 3 * sizeof *v1);
    } else {
        zw_v3_copy(omega, v);
        zw_q_copy(q + 3, turn);
        if (J[0] == J[1]) {
            zw_spin_symmetric(2, J[2] / J[0], h, turn, omega);
        } else if (J[1] == J[2]) {
            zw_spin_symmetric(0, J[0] / J[1], h, turn, omega);
        } else if (J[2] == J[0]) {
            zw_spin_symmetric(1, J[1] / J[2], h, turn, omega);
        } else {
            zw_spin_split(J, h, turn, omega);
        }
        for (int k = 0; k < 3; k++) {
            q1[k] = q[k] + h * v[3 + k];
            v1[k] = omega[k];
            v1[3 + k] = v[3 + k];
        }
    }
    /* one Newton step to unit length: removes round-off only, the rotation stays */
    double scale = 1.5 - 0.5 * zw_q_dot(turn, turn);
    for (int k = 0; k < 4; k++) {
        q1[3 + k] = scale * turn[k];
    }
}

static void rigids_drift(const void *self, const zw_state *x0, double h, zw_state *x1, int nsome, const int *some) {
    const zw_rigids *all = self;
    if (some != NULL) {
        for (int i = 0; i < nsome; i++) {
            drift_body(&all->body[all->of_column[some[i]]], x0, h, x1);
        }
        return;
    }
    for (int i = 0; i < all->nbodies; i++) {
        drift_body(&all->body[i], x0, h, x1);
    }
}

/* ---- places: u is the point in body axes, from the centre of mass */

/* body axes in space, and the arm from the centre of mass to the point */
static void arm_at(const zw_rigid *b, const double *q, const double u[3], double R[9], double arm[3]) {
    double turn[4];
    zw_rigid_orientation(b, q, turn);
    zw_q_to_matrix(turn, R);
    zw_m3_mulv(arm, R, u);
}

static void rigids_frame(const void *self, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J) {
    const zw_rigids *all = self;
    const zw_rigid  *b = &all->body[p->body];
    double           arm[3], cross[3];
    arm_at(b, x->q, p->u, F->R, arm);
    zw_rigid_spin(b, x->q, x->v, F->w);
    zw_rigid_velocity(b, x->v, F->v);
    zw_v3_add(F->r, x->q + b->q0, arm);
    zw_v3_cross(cross, F->w, arm);
    zw_v3_add(F->v, F->v, cross);
    if (J == NULL) {
        return;
    }
    J->nblocks = 1;
    J->col[0] = b->v0;
    J->ncol[0] = b->nv;
    memset(J->J[0], 0, sizeof J->J[0]);
    double *out = J->J[0], turn[9], moved[3];
    if (!b->planar) {
        zw_q_to_matrix(x->q + b->q0 + 3, turn);
    }
    for (int col = 0; col < (b->planar ? 1 : 3); col++) { /* turning about an axis moves the point by axis x arm */
        double axis[3];
        if (b->planar) {
            zw_v3_copy(axis, b->plane);
        } else {
            zw_m3_column(axis, turn, col);
        }
        zw_v3_cross(moved, axis, arm);
        for (int i = 0; i < 3; i++) {
            out[6 * i + col] = axis[i];
            out[6 * (3 + i) + col] = moved[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        if (b->planar) {
            out[6 * (3 + i) + 1] = b->plane[3 + i];
            out[6 * (3 + i) + 2] = b->plane[6 + i];
        } else {
            out[6 * (3 + i) + 3 + i] = 1.0;
        }
    }
}

/* Omega stays, so w stays: R Omega' = 0 and (R Omega)' = R (Omega x Omega) = 0. The point goes on its circle: w x (w x arm) */
static bool rigids_frame_rate(const void *self, const zw_state *x, const zw_place *p, double rate[6]) {
    const zw_rigids *all = self;
    const zw_rigid  *b = &all->body[p->body];
    double           R[9], arm[3], w[3], once[3];
    arm_at(b, x->q, p->u, R, arm);
    zw_rigid_spin(b, x->q, x->v, w);
    zw_v3_cross(once, w, arm);
    zw_v3_zero(rate);
    zw_v3_cross(rate + 3, w, once);
    return true;
}

static bool rigids_place(const void *self, int body, const double u[3], zw_place *out) {
    const zw_rigid *b = &((const zw_rigids *)self)->body[body];
    *out = (zw_place){.body = body, .u = {u[0], u[1], u[2]}, .turns = true, .planar = b->planar};
    zw_v3_copy(out->normal, b->plane);
    return true;
}

static int rigids_stations(const void *self, int body, zw_place *out, double *weight, double *label) {
    static const double centre[3] = {0.0, 0.0, 0.0};
    if (out != NULL) {
        rigids_place(self, body, centre, out);
        *weight = 1.0;
        *label = 0.0;
    }
    return 1;
}

static bool rigids_at_fault(const void *self, const zw_state *x, char *text, size_t size) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        double          sum = 0.0;
        for (int k = 0; k < ZW_RIGID_NQ; k++) {
            sum += x->q[b->q0 + k] - x->q[b->q0 + k];
        }
        for (int k = 0; k < b->nv; k++) {
            sum += x->v[b->v0 + k] - x->v[b->v0 + k];
        }
        if (sum != 0.0) { /* only a value that is not finite differs from itself */
            snprintf(text, size, "rigid body '%s'", b->name);
            return true;
        }
    }
    return false;
}

static void rigids_destroy(void *self) {
    zw_rigids *all = self;
    if (all == NULL) {
        return;
    }
    zw_context *c = all->context;
    zw_arena_destroy(&all->arena);
    zw_free(c, all);
}

/* ---- building */

static zw_status vector(const zw_model *m, const zw_quantity *v, const char *subject, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        if (v[i].node != 0) {
            ZW_TRY(zw_model_constant(m, v[i], subject, &out[i]));
        }
    }
    return ZW_OK;
}

/* principal axes; the axes as written where the inertia is diagonal in them */
static void find_axes(zw_rigid *b) {
    const double *J = b->inertia;
    double        most = fmax(J[0], fmax(J[4], J[8])), vectors[9], across[3], c[3][3];
    if (fmax(fabs(J[1]), fmax(fabs(J[2]), fabs(J[5]))) <= 8.0 * DBL_EPSILON * most) {
        zw_v3_set(b->principal, J[0], J[4], J[8]);
        zw_q_identity(b->axes);
        return;
    }
    zw_sym3_eigen(J, b->principal, vectors);
    for (int k = 0; k < 3; k++) {
        zw_m3_column(c[k], vectors, k);
    }
    zw_v3_cross(across, c[0], c[1]);
    if (zw_v3_dot(across, c[2]) < 0.0) {
        zw_v3_negate(c[2], c[2]);
    }
    zw_m3_from_columns(vectors, c[0], c[1], c[2]);
    zw_q_from_matrix(vectors, b->axes);
    for (int k = 0; k < 3; k++) { /* equal moments to the last bit: the free rotation is exact then */
        int l = (k + 1) % 3;
        if (fabs(b->principal[k] - b->principal[l]) <= 8.0 * DBL_EPSILON * most) {
            b->principal[l] = b->principal[k];
        }
    }
}

/* what no body has: a mass or a moment that is not positive, a moment greater than the sum of the two others */
static zw_status check_inertia(const zw_model *m, const zw_body_def *def, const zw_rigid *b) {
    char          subject[128], n[3][ZW_NUMBER_TEXT];
    const double *J = b->principal;
    snprintf(subject, sizeof subject, "bodies.%s.rigid", def->name);
    if (!(b->mass > 0.0)) {
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "give a mass or a density greater than 0, and a form with a volume",
                              "its mass is %s kg", zw_number_short(b->mass, 6, n[0]));
    }
    double least = fmin(J[0], fmin(J[1], J[2])), sum = J[0] + J[1] + J[2], most = fmax(J[0], fmax(J[1], J[2]));
    if (b->planar ? !(b->moment > 0.0) || least < 0.0 : !(least > 0.0)) {
        return zw_model_raise(
            m, ZW_E_MODEL, def->at, subject,
            b->planar ? "give the body an inertia about the normal of its plane"
                      : "give the form a radius (a line has no inertia about itself), or let the body move in a plane only",
            "its inertia has a moment of %s kg m^2%s", zw_number_short(b->planar && least >= 0.0 ? b->moment : least, 6, n[0]),
            b->planar ? " about the normal" : "");
    }
    if (!b->planar && most > (sum - most) * (1.0 + 1e-9)) {
        for (int i = 0; i < 3; i++) {
            zw_number_short(J[i], 6, n[i]);
        }
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "no moment of a body is greater than the sum of the two others",
                              "its principal moments %s, %s, %s kg m^2 belong to no body", n[0], n[1], n[2]);
    }
    return ZW_OK;
}

static zw_status start_planar(const zw_model *m, const zw_body_def *def, const zw_rigid *b, const double velocity[3], const double spin[3],
                              double *v) {
    char   subject[128], number[ZW_NUMBER_TEXT];
    double out = zw_v3_dot(velocity, b->plane), across[3], size = zw_v3_norm(velocity) + zw_v3_norm(spin);
    v[0] = zw_v3_dot(spin, b->plane);
    v[1] = zw_v3_dot(velocity, b->plane + 3);
    v[2] = zw_v3_dot(velocity, b->plane + 6);
    zw_v3_addscaled(across, spin, -v[0], b->plane);
    double wrong = fmax(fabs(out), zw_v3_norm(across));
    if (wrong > 1e-12 * size) {
        snprintf(subject, sizeof subject, "bodies.%s.rigid", def->name);
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "start in the plane: velocity across the normal, spin along it",
                              "its start %s the plane it moves in (%s)", fabs(out) >= wrong ? "leaves" : "turns out of",
                              zw_number_short(wrong, 4, number));
    }
    return ZW_OK;
}

/* e1, e2 across the normal: the space axes where they are across it */
static zw_status read_plane(const zw_model *m, const zw_body_def *def, zw_rigid *b) {
    char   subject[128];
    double n[3], best = -1.0;
    int    axis = 0;
    if (!b->planar) {
        return ZW_OK;
    }
    snprintf(subject, sizeof subject, "bodies.%s.rigid.plane", def->name);
    ZW_TRY(vector(m, def->rigid.plane, subject, n));
    if (!(zw_v3_unit(b->plane, n) > 0.0)) {
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "give the normal of the plane, for example [0, 1, 0]", "the normal is 0");
    }
    for (int k = 2; k >= 0; k--) { /* x where it can be */
        double size = 1.0 - fabs(b->plane[k]);
        if (size >= best) {
            best = size;
            axis = k;
        }
    }
    double e[3] = {0.0, 0.0, 0.0};
    e[axis] = 1.0;
    zw_v3_addscaled(e, e, -b->plane[axis], b->plane);
    zw_v3_unit(b->plane + 3, e);
    zw_v3_cross(b->plane + 6, b->plane, b->plane + 3);
    return ZW_OK;
}

static zw_status read_points(const zw_model *m, const zw_body_def *def, zw_arena *a, zw_rigid *b) {
    const zw_rigid_def *d = &def->rigid;
    char                subject[128];
    b->npoints = d->npoints;
    b->point = zw_arena_alloc(a, 3 * (size_t)d->npoints + 1, sizeof(double), "points of a rigid body");
    b->point_name = zw_arena_alloc(a, (size_t)d->npoints + 1, sizeof(char *), "points of a rigid body");
    if (b->point == NULL || b->point_name == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < d->npoints; i++) {
        b->point_name[i] = d->point[i].name;
        snprintf(subject, sizeof subject, "bodies.%s.rigid.points.%s", def->name, d->point[i].name);
        ZW_TRY(vector(m, d->point[i].r, subject, b->point + 3 * (size_t)i));
    }
    return ZW_OK;
}

static zw_status read_body(const zw_model *m, const zw_body_def *def, zw_rigids *all, zw_rigid *b) {
    const zw_rigid_def *d = &def->rigid;
    char                subject[128];
    double              at[3], turn[3], velocity[3], spin[3], written[4], *q = all->q0 + b->q0, *v = all->v0 + b->v0;
    ZW_TRY(zw_rigid_forms(m, def, &all->arena, b));
    ZW_TRY(read_points(m, def, &all->arena, b));
    ZW_TRY(zw_rigid_outline(m, &all->arena, b));
    ZW_TRY(read_plane(m, def, b));
    find_axes(b);
    const struct {
        const char        *key;
        const zw_quantity *v;
        double            *to;
    } list[] = {{"at", d->at, at}, {"turn", d->turn, turn}, {"velocity", d->velocity, velocity}, {"spin", d->spin, spin}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        snprintf(subject, sizeof subject, "bodies.%s.rigid.%s", def->name, list[i].key);
        ZW_TRY(vector(m, list[i].v, subject, list[i].to));
    }
    zw_v3_copy(q, at);
    zw_q_exp(turn, written);
    zw_q_mul(written, b->axes, q + 3);
    zw_q_normalize(q + 3);
    if (b->planar) {
        double n[3];
        zw_q_rotate_back(q + 3, b->plane, n);
        for (int k = 0; k < 3; k++) {
            b->moment += b->principal[k] * n[k] * n[k];
        }
        all->metric_a[b->v0] = b->moment;
        all->metric_a[b->v0 + 1] = all->metric_a[b->v0 + 2] = b->mass;
        ZW_TRY(check_inertia(m, def, b));
        return start_planar(m, def, b, velocity, spin, v);
    }
    zw_q_rotate_back(q + 3, spin, v);
    zw_v3_copy(v + 3, velocity);
    for (int k = 0; k < 3; k++) {
        all->metric_a[b->v0 + k] = b->principal[k];
        all->metric_a[b->v0 + 3 + k] = b->mass;
    }
    return check_inertia(m, def, b);
}

zw_status zw_rigids_create(const zw_model *m, const double gravity[3], void **out) {
    zw_context *c = m->context;
    zw_status   status = ZW_OK;
    *out = NULL;
    zw_rigids *all = zw_alloc(c, 1, sizeof *all, "rigid bodies");
    if (all == NULL) {
        return ZW_E_MEMORY;
    }
    all->context = c;
    all->model = m;
    zw_arena_init(&all->arena, c);
    zw_v3_copy(all->gravity, gravity);
    for (int i = 0; i < m->nbodies; i++) {
        all->nbodies += m->bodies[i].kind == ZW_BODY_RIGID;
    }
    size_t n = (size_t)all->nbodies;
    all->body = zw_arena_alloc(&all->arena, n, sizeof *all->body, "rigid bodies");
    if (all->body == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    for (int i = 0, k = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind != ZW_BODY_RIGID) {
            continue;
        }
        zw_rigid *b = &all->body[k];
        b->name = m->bodies[i].name;
        b->planar = m->bodies[i].rigid.planar;
        b->nv = b->planar ? 3 : 6;
        b->q0 = ZW_RIGID_NQ * k++;
        b->v0 = all->nv;
        all->nv += b->nv;
    }
    all->q0 = zw_arena_alloc(&all->arena, ZW_RIGID_NQ * n, sizeof(double), "start of rigid bodies");
    all->v0 = zw_arena_alloc(&all->arena, (size_t)all->nv, sizeof(double), "start of rigid bodies");
    all->metric_a = zw_arena_alloc(&all->arena, (size_t)all->nv, sizeof(double), "mass of rigid bodies");
    all->of_column = zw_arena_alloc(&all->arena, (size_t)all->nv, sizeof(int), "rigid bodies");
    all->field0 = zw_arena_alloc(&all->arena, n + 1, sizeof(int), "rigid bodies");
    if (all->field0 == NULL || all->q0 == NULL || all->v0 == NULL || all->metric_a == NULL || all->of_column == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    for (int i = 0, k = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_RIGID) {
            zw_rigid *b = &all->body[k];
            for (int col = 0; col < b->nv; col++) {
                all->of_column[b->v0 + col] = k;
            }
            ZW_TRY_GOTO(read_body(m, &m->bodies[i], all, b), fail);
            k++;
        }
    }
    ZW_TRY_GOTO(zw_rigids_number_pieces(all), fail);
    zw_rigids_number_fields(all);
    *out = all;
    return ZW_OK;
fail:
    rigids_destroy(all);
    return status;
}

const zw_part_ops zw_rigids_ops = {
    .kind = "rigid",
    .size = rigids_size,
    .start = rigids_start,
    .retract = rigids_retract,
    .mass = rigids_mass,
    .force = rigids_force,
    .bias = rigids_bias,
    .gravity = rigids_gravity,
    .frame = rigids_frame,
    .place = rigids_place,
    .stations = rigids_stations,
    .measure = zw_rigids_measure,
    .account = zw_rigids_account,
    .field = zw_rigids_field,
    .observe = zw_rigids_observe,
    .at_fault = rigids_at_fault,
    .destroy = rigids_destroy,
    .chart_rate = rigids_chart_rate,
    .frame_rate = rigids_frame_rate,
    .drift = rigids_drift,
    .secant = &zw_rigids_secant_ops,
    .carrier = &zw_rigids_carrier_ops,
    .carry = rigids_carry,
};
