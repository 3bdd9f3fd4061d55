/* SPDX-License-Identifier: Apache-2.0
 * gauss_contact.c: stepping over contacts with gauss, one stage: set-up and the step as a whole (the scheme is told in gauss_contact.h).
 *
 * A step is tried without contacts first: where nothing overlaps at its end, no push solves the problem and the step is that of gauss, bit by bit. Otherwise all
 * contacts near the start and those that overlap at the end take part; what overlaps at the end of the solution joins until nothing does, and what pushes although
 * its features no longer face each other at the end is let go, once. A step that is not found so is done as two halves, each with the same promises. */
#include "steps/gauss_contact.h"

#include "base/number.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- set-up ---- */

static zw_status refuse(const zw_model *m, zw_where at, const char *subject, const char *remedy, const char *what) {
    return zw_model_raise(m, ZW_E_UNSUPPORTED, at, subject, remedy, "%s", what);
}

static zw_status refuse_bounce(const zw_model *m, zw_quantity e, zw_quantity k, const char *subject) {
    static const char remedy[] = "leave it out or give 0 (loss: 1); or locate the impacts: run.events: on; or use integrator: verlet";
    double            value;
    if (e.node != 0 && (!zw_node_is_constant(m->pool, e.node, &value) || value != 0.0)) {
        return refuse(m, e.at, subject, remedy,
                      "gauss with run.events: off has plastic impacts only, and a restitution other than 0 is asked for");
    }
    if (k.node != 0 && (!zw_node_is_constant(m->pool, k.node, &value) || value != 1.0)) {
        return refuse(m, k.at, subject, remedy,
                      "gauss with run.events: off has plastic impacts only, and a loss other than 1 is asked for");
    }
    return ZW_OK;
}

static zw_status check_model(const zw_collocation *k) {
    const zw_model *m = k->y->model;
    double          mu = 0.0;
    bool            told = m->contact.restitution.node != 0 || m->contact.loss.node != 0;
    if (k->s != 1) {
        return refuse(m, m->run.at, "run.stages", "give stages: 1, or locate the impacts: run.events: on",
                      "gauss steps over contacts (run.events: off) with one stage only");
    }
    if (k->formulation != ZW_BY_GAUSS) {
        return refuse(m, m->run.at, "run.formulation", "use formulation: gauss", "contacts are stepped over by formulation: gauss only");
    }
    if (m->run.step.node == 0 && m->run.tolerance.node != 0) {
        return refuse(m, m->run.tolerance.at, "run.tolerance", "give run.step, or locate the impacts: run.events: on",
                      "steps over contacts (run.events: off) have one length, which no tolerance chooses");
    }
    if (m->contact.friction.node != 0) {
        ZW_TRY(zw_model_constant(m, m->contact.friction, "contact.friction", &mu));
    }
    if (mu != 0.0) {
        return refuse(m, m->contact.friction.at, "contact.friction", "use integrator: verlet, which has it",
                      "gauss with run.events: off has no friction");
    }
    ZW_TRY(refuse_bounce(m, m->contact.restitution, m->contact.loss, "contact.restitution"));
    for (int i = 0; i < m->nunilaterals; i++) {
        ZW_TRY(refuse_bounce(m, m->unilaterals[i].restitution, m->unilaterals[i].loss, m->unilaterals[i].name));
    }
    if (!told) {
        zw_log(k->c, ZW_LOG_INFO,
               "contact: impacts are plastic with gauss and run.events: off; for a restitution use run.events: on, or integrator: verlet");
    }
    return ZW_OK;
}

void zw_gauss_contact_destroy(zw_gauss_contact *s) {
    if (s == NULL) {
        return;
    }
    zw_context *c = s->k->c;
    zw_contact_set_destroy(&s->set);
    zw_unilateral_destroy(s->solver);
    zw_unilateral_destroy(s->solver_v);
    zw_solver_destroy(s->answer);
    s->mid.s = s->mid.w = s->end.s = s->end.w = NULL; /* those of the state that a step began at */
    zw_state_destroy(c, &s->mid);
    zw_state_destroy(c, &s->end);
    for (int i = 0; i < ZW_CONTACT_HALVINGS; i++) {
        zw_state_destroy(c, &s->half[i]);
    }
    zw_free(c, s->holonomic);
    zw_free(c, s->kept);
    zw_free(c, s->bender.column);
    zw_free(c, s->bender.at);
    zw_free(c, s->A.tile);
    zw_free(c, s->A.block);
    zw_free(c, s->A.a);
    zw_free(c, s->scratch);
    zw_free(c, s);
}

/* what a shift of space along x, y, z is in velocities: M^-1 times what unit gravity is in forces */
static zw_status bind_shift(zw_gauss_contact *s) {
    static const zw_rows no_rows = {0};
    zw_collocation      *k = s->k;
    zw_state             x;
    zw_solver           *solver = NULL;
    zw_status            status;
    const zw_part       *part;
    int                  nparts = zw_system_parts(k->y, &part);
    ZW_TRY(zw_state_create(k->c, &k->n, &x));
    status = zw_solver_create(k->c, &solver);
    ZW_TRY_GOTO(status, done);
    ZW_TRY_GOTO(zw_system_start(k->y, &x), done);
    ZW_TRY_GOTO(zw_solver_factor(solver, zw_system_mass(k->y, &x), &no_rows, NULL), done);
    for (int a = 0; a < 3; a++) {
        double unit[3] = {a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0};
        memset(s->w, 0, sizeof(double) * (size_t)k->n.nv);
        for (int i = 0; i < nparts; i++) {
            if (part[i].ops->carrier != NULL && part[i].ops->gravity != NULL) {
                zw_state at = {.t = x.t, .q = x.q + part[i].q0, .v = x.v + part[i].v0, .s = x.s + part[i].s0};
                part[i].ops->gravity(part[i].self, &at, unit, s->w + part[i].v0);
            }
        }
        zw_solver_metric_inverse(solver, s->w, s->shift + (ptrdiff_t)a * k->n.nv);
    }
    memset(s->w, 0, sizeof(double) * (size_t)k->n.nv);
done:
    zw_solver_destroy(solver);
    zw_state_destroy(k->c, &x);
    return status;
}

static zw_status reserve(zw_gauss_contact *s) {
    zw_collocation      *k = s->k;
    zw_context          *c = k->c;
    size_t               nv = (size_t)k->n.nv, m = (size_t)k->m + 1, tiles = 1, blocks = 1, values = 1;
    const zw_constraint *row;
    int                  nrows = zw_system_constraints(k->y, &row);
    for (int i = 0; i < nrows; i++) {
        int t, r, b, v;
        row[i].ops->count(row[i].self, &t, &r, &b, &v);
        tiles += (size_t)t;
        blocks += (size_t)b;
        values += (size_t)v;
    }
    s->holonomic = zw_alloc(c, m, sizeof *s->holonomic, "contacts");
    s->kept = zw_alloc(c, m, sizeof *s->kept, "contacts");
    s->A.tile = zw_alloc(c, tiles, sizeof *s->A.tile, "contacts");
    s->A.block = zw_alloc(c, blocks, sizeof *s->A.block, "contacts");
    s->A.a = zw_alloc(c, values, sizeof *s->A.a, "contacts");
    s->bender.column = zw_alloc(c, nv + 1, sizeof *s->bender.column, "contacts");
    s->bender.at = zw_alloc(c, nv + 1, sizeof *s->bender.at, "contacts");
    s->scratch = zw_alloc(c, 12 * nv + 7 * m, sizeof *s->scratch, "contacts");
    if (!s->holonomic || !s->kept || !s->bender.column || !s->bender.at || !s->A.tile || !s->A.block || !s->A.a || !s->scratch) {
        return ZW_E_MEMORY;
    }
    double *p = s->scratch;
    struct {
        double **at;
        size_t   n;
    } const list[] = {{&s->shift, 3 * nv}, {&s->dv, nv},    {&s->next, nv},   {&s->xi, nv},       {&s->chart, nv}, {&s->f, nv},
                      {&s->size, nv},      {&s->d, nv},     {&s->w, nv},      {&s->extent, nv},   {&s->b, m},      {&s->lambda, m},
                      {&s->value0, m},     {&s->value1, m}, {&s->row_tau, m}, {&s->row_scale, m}, {&s->none, m}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i].at = p;
        p += list[i].n;
    }
    s->bender.shift = s->shift;
    s->bender.d = s->d;
    s->bender.w = s->w;
    for (int i = 0; i < nrows; i++) {
        for (int j = row[i].row0; j < row[i].row0 + row[i].m; j++) {
            s->holonomic[j] = !row[i].velocity_only;
        }
    }
    ZW_TRY(zw_state_create(c, &k->n, &s->mid));
    ZW_TRY(zw_state_create(c, &k->n, &s->end));
    zw_free(c, s->mid.s);
    zw_free(c, s->mid.w);
    zw_free(c, s->end.s);
    zw_free(c, s->end.w);
    s->mid.s = s->mid.w = s->end.s = s->end.w = NULL;
    ZW_TRY(zw_unilateral_create(c, &s->solver));
    ZW_TRY(zw_unilateral_create(c, &s->solver_v));
    ZW_TRY(zw_solver_create(c, &s->answer));
    return bind_shift(s);
}

zw_status zw_gauss_contact_create(zw_collocation *k) {
    zw_meet *meet = NULL;
    if (k->y->model->events) {
        return ZW_OK;
    }
    ZW_TRY(zw_meet_create(k->y, &meet));
    if (meet == NULL) {
        return ZW_OK;
    }
    zw_gauss_contact *s = zw_alloc(k->c, 1, sizeof *s, "contacts");
    if (s == NULL) {
        zw_meet_destroy(meet);
        return ZW_E_MEMORY;
    }
    s->k = k;
    s->set.context = k->c;
    s->set.meet = meet;
    k->contact = s; /* destroyed with k */
    if (k->y->model->run.stages == 0) {
        k->s = 1;
        k->T = zw_tableau_of(1);
        k->depth = k->newton ? ZW_HISTORY : 2;
    }
    ZW_TRY(check_model(k));
    return reserve(s);
}

zw_status zw_gauss_contact_start(zw_collocation *k, const zw_state *x) {
    zw_gauss_contact *s = k->contact;
    zw_size           with = k->n;
    with.nw = k->nw;
    for (int i = 0; i < ZW_CONTACT_HALVINGS && s->half[i].q == NULL; i++) {
        ZW_TRY(zw_state_create(k->c, &with, &s->half[i]));
    }
    return zw_meet_check_start(s->set.meet, x);
}

/* ---- a step ---- */

static zw_status plain(zw_collocation *k, const zw_state *x0, double h, zw_state *x1) {
    ZW_TRY(zw_collocation_plain(k, x0, h, x1));
    memset(x1->w + k->w_contact, 0, sizeof(double) * (ZW_CONTACT_WORDS + (size_t)k->m));
    return ZW_OK;
}

static zw_status overlapping(zw_gauss_contact *s, const zw_state *x, int overlaps) {
    char t[ZW_NUMBER_TEXT];
    return zw_raise(s->k->c, ZW_E_CONVERGENCE, "contacts", "use a smaller run.step, or run.events: on",
                    "%d contacts still overlap at t = %s s although they were pushed apart", overlaps, zw_number_short(x->t, 8, t));
}

static zw_status over_contacts(zw_gauss_contact *s, const zw_state *x0, double h) {
    enum { MOST = 40 };
    int  overlaps = 0;
    bool more = true;
    for (int pass = 0; pass < MOST && more; pass++) {
        const zw_meeting *found;
        int               n;
        ZW_TRY(zw_gauss_contact_solve(s, x0, h));
        ZW_TRY(zw_meet_find(s->set.meet, &s->end, zw_contact_set_margin(&s->set), &n, &found));
        if (!zw_contact_set_let_go(&s->set, n, found)) {
            ZW_TRY(zw_contact_set_look(&s->set, x0, &s->end, true, &overlaps, &more));
        }
    }
    return more || overlaps > 0 ? overlapping(s, &s->end, overlaps) : ZW_OK;
}

static zw_status once(zw_gauss_contact *s, const zw_state *x0, double h, zw_state *x1) {
    zw_collocation *k = s->k;
    int             overlaps;
    bool            more, pushed = x0->w[k->w_contact + ZW_CONTACT_COUNT] > 0.0, pushes = false;
    ZW_TRY(zw_contact_set_gather(&s->set, x0, h));
    if (!pushed || s->set.n == 0) {
        ZW_TRY(plain(k, x0, h, x1));
        ZW_TRY(zw_contact_set_look(&s->set, x0, x1, false, &overlaps, &more));
        if (overlaps == 0) {
            return ZW_OK;
        }
    }
    ZW_TRY(over_contacts(s, x0, h));
    for (int i = 0; i < s->set.n; i++) {
        pushes = pushes || s->set.p[i] > 0.0;
    }
    if (!pushes) { /* the contacts of the last step end with this one */
        ZW_TRY(plain(k, x0, h, x1));
        ZW_TRY(zw_contact_set_look(&s->set, x0, x1, false, &overlaps, &more));
        if (overlaps == 0) {
            return ZW_OK;
        }
        ZW_TRY(over_contacts(s, x0, h));
    }
    return zw_gauss_contact_arrive(s, x0, h, x1);
}

static bool failed(zw_status status) {
    return status == ZW_E_CONVERGENCE || status == ZW_E_RANK || status == ZW_E_DIVERGED;
}

static zw_status step(zw_gauss_contact *s, const zw_state *x0, double h, int depth, zw_state *x1) {
    s->set.frozen = s->set.whole = false;
    s->wedge = 16.0 * DBL_EPSILON;
    s->accept = depth < 3 ? 0.0 : 1e-8;
    zw_status status = once(s, x0, h, x1);
    if (status == ZW_E_RANK) { /* no room to push anything out */
        zw_error_clear(s->k->c);
        s->wedge = ZW_CONTACT_OVERLAP;
        status = once(s, x0, h, x1);
    }
    if (failed(status) && s->set.whole) { /* nearest points that jump */
        zw_error_clear(s->k->c);
        s->set.frozen = true;
        status = once(s, x0, h, x1);
    }
    if (!failed(status) || depth == ZW_CONTACT_HALVINGS || s->set.n == 0) {
        return status;
    }
    if (!s->told) {
        char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
        zw_log(s->k->c, ZW_LOG_INFO, "contacts: the step of %s s at t = %s s was done as two halves, as others may be; said once",
               zw_number_short(h, 4, a), zw_number_short(x0->t, 8, b));
        s->told = true;
    }
    zw_error_clear(s->k->c);
    zw_state *half = &s->half[depth];
    ZW_TRY(step(s, x0, 0.5 * h, depth + 1, half));
    ZW_TRY(step(s, half, 0.5 * h, depth + 1, x1));
    x1->t = x0->t + h;
    for (int i = s->k->w_contact + ZW_CONTACT_DEPTH; i <= s->k->w_contact + ZW_CONTACT_RESIDUAL; i++) {
        x1->w[i] = fmax(x1->w[i], half->w[i]);
    }
    return ZW_OK;
}

zw_status zw_gauss_contact_step(zw_collocation *k, const zw_state *x0, double h, zw_state *x1) {
    zw_gauss_contact *s = k->contact;
    zw_unilateral_forget(s->solver); /* a step is a map of its start: nothing is remembered beside it */
    zw_unilateral_forget(s->solver_v);
    return step(s, x0, h, 0, x1);
}
