/* SPDX-License-Identifier: Apache-2.0
 * energy_momentum_contact.c: a step of energy-momentum over contacts. First without them: where nothing overlaps at its end, no push solves the problem and the step is the
 * one without contacts, bit by bit. Otherwise all meetings near the start take part, and those that overlap at the end join until there are none (contact_set.h); the solve is
 * that of implicit_contact.h. Where contacts pushed, velocities end by a plastic impact (contact_end.h). */
#include "steps/energy_momentum.h"

#include "model/model.h"
#include "rows/meet_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

static zw_status refuse_bounce(const zw_model *m, zw_quantity e, zw_quantity loss, const char *subject) {
    static const char remedy[] = "leave it out or give 0 (loss: 1); or use gauss, which locates impacts, or verlet";
    double            value;
    if (e.node != 0 && (!zw_node_is_constant(m->pool, e.node, &value) || value != 0.0)) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, e.at, subject, remedy,
                              "energy-momentum has plastic impacts only, and a restitution other than 0 is asked for");
    }
    if (loss.node != 0 && (!zw_node_is_constant(m->pool, loss.node, &value) || value != 1.0)) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, loss.at, subject, remedy,
                              "energy-momentum has plastic impacts only, and a loss other than 1 is asked for");
    }
    return ZW_OK;
}

static zw_status check_model(const zw_energy_momentum *e) {
    const zw_model *m = e->k.y->model;
    double          mu;
    if (m->contact.friction.node != 0 && (!zw_node_is_constant(m->pool, m->contact.friction.node, &mu) || mu != 0.0)) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, m->contact.friction.at, "contact.friction", "use integrator: verlet, which has it",
                              "energy-momentum steps over contacts without friction");
    }
    if (m->run.step.node == 0 && m->run.tolerance.node != 0) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, m->run.tolerance.at, "run.tolerance", "give run.step instead",
                              "steps over contacts have one length, which no tolerance chooses");
    }
    if (m->run.step.node == 0) {
        zw_log(e->k.c, ZW_LOG_INFO, "run.step: not given; steps over contacts have one length, about a thousandth of until");
    }
    ZW_TRY(refuse_bounce(m, m->contact.restitution, m->contact.loss, "contact.restitution"));
    bool told = m->contact.restitution.node != 0 || m->contact.loss.node != 0, others = zw_model_forms_meet(m);
    for (int i = 0; i < m->nunilaterals; i++) {
        others = others || (m->unilaterals[i].restitution.node == 0 && m->unilaterals[i].loss.node == 0);
        ZW_TRY(refuse_bounce(m, m->unilaterals[i].restitution, m->unilaterals[i].loss, m->unilaterals[i].name));
    }
    if (!told && others) {
        zw_log(e->k.c, ZW_LOG_INFO, "contact: impacts are plastic with energy-momentum; for a restitution use gauss or verlet");
    }
    return ZW_OK;
}

zw_status zw_energy_momentum_contacts(zw_energy_momentum *e) {
    zw_implicit *k = &e->k;
    ZW_TRY(zw_implicit_contacts_create(k));
    if (k->contacts == NULL) {
        return ZW_OK;
    }
    ZW_TRY(check_model(e));
    size_t  nv = (size_t)k->n.nv + 1, m = (size_t)k->m + 1;
    double *room = zw_arena_alloc(&k->arena, 2 * nv + 4 * m, sizeof *room, "contacts");
    if (room == NULL) {
        return ZW_E_MEMORY;
    }
    e->end = (zw_contact_end){.y = k->y, .m = k->m, .nv = k->n.nv, .f = room, .next = room + nv, .b = room + 2 * nv};
    e->end.lambda = e->end.b + m;
    e->end.drive = e->end.lambda + m;
    e->end.value = e->end.drive + m;
    return zw_unilateral_create(k->c, &e->end.solver);
}

void zw_energy_momentum_contacts_destroy(zw_energy_momentum *e) {
    zw_unilateral_destroy(e->end.solver);
}

/* the set is solved for until nobody else overlaps at the end */
static zw_status over_contacts(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1, zw_secant_sum *sum) {
    enum { MOST = 40 };
    zw_implicit    *k = &e->k;
    zw_contact_set *set = &k->contacts->set;
    int             overlaps = 0;
    bool            more = true, crosses = false;
    for (int pass = 0; pass < MOST && more; pass++) {
        const zw_meeting *found;
        int               n;
        ZW_TRY(zw_implicit_contacts_use(k, x0, true));
        ZW_TRY(zw_energy_momentum_solve(e, x0, h, x1, sum));
        ZW_TRY(zw_meet_find(set->meet, x1, zw_contact_set_margin(set), &n, &found));
        if (!zw_contact_set_let_go(set, n, found)) {
            ZW_TRY(zw_contact_set_look(set, x0, x1, true, &overlaps, &more));
        }
    }
    if (!more) {
        zw_meeting who;
        ZW_TRY(zw_meet_crossing(set->meet, x0, x1, &crosses, &who));
    }
    return more || overlaps > 0 || crosses ? ZW_E_STEP : ZW_OK;
}

static zw_status arrive(zw_energy_momentum *e, const zw_state *x0, double h, zw_secant_sum *sum, zw_state *x1) {
    zw_contact_set *set = &e->k.contacts->set;
    double          work = 0.0, dissipated = 0.0, deepest = 0.0;
    int             count = 0;
    for (int i = 0; i < set->n; i++) {
        count += set->p[i] > 0.0;
        deepest = fmax(deepest, -set->gap1[i]);
    }
    double residual = zw_contact_set_residual(set);
    if (!(residual <= 1e-10)) {
        return ZW_E_STEP;
    }
    ZW_TRY(zw_contact_end_meet(&e->end, set, x1, &work, &dissipated));
    sum->work += work;
    sum->dissipated += dissipated;
    e->h = h;
    zw_energy_momentum_finish(e, x0, h, sum, x1);
    x1->w[e->w_mean] = -1.0; /* what was before an impact says nothing about what comes */
    x1->w[e->w_contact + ZW_CONTACT_COUNT] = count;
    x1->w[e->w_contact + ZW_CONTACT_DEPTH] = deepest;
    x1->w[e->w_contact + ZW_CONTACT_RESIDUAL] = residual;
    return ZW_OK;
}

static zw_status plain(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1, int *overlaps) {
    zw_secant_sum sum;
    bool          more;
    ZW_TRY(zw_implicit_contacts_use(&e->k, x0, false));
    ZW_TRY(zw_energy_momentum_solve(e, x0, h, x1, &sum));
    zw_energy_momentum_finish(e, x0, h, &sum, x1);
    memset(x1->w + e->w_contact, 0, sizeof(double) * ZW_CONTACT_WORDS);
    ZW_TRY(zw_contact_set_look(&e->k.contacts->set, x0, x1, false, overlaps, &more));
    if (*overlaps == 0) { /* apart, but on the other side */
        zw_meeting who;
        ZW_TRY(zw_meet_crossing(e->k.contacts->set.meet, x0, x1, &more, &who));
        *overlaps = more;
    }
    return ZW_OK;
}

static zw_status once(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1) {
    zw_contact_set *set = &e->k.contacts->set;
    zw_secant_sum   sum;
    int             overlaps = 1;
    bool            pushed = x0->w[e->w_contact + ZW_CONTACT_COUNT] > 0.0, pushes = false;
    ZW_TRY(zw_contact_set_gather(set, x0, h));
    if (!pushed || set->n == 0) {
        ZW_TRY(plain(e, x0, h, x1, &overlaps));
        if (overlaps == 0) {
            return ZW_OK;
        }
    }
    ZW_TRY(over_contacts(e, x0, h, x1, &sum));
    for (int i = 0; i < set->n; i++) {
        pushes = pushes || set->p[i] > 0.0;
    }
    if (!pushes) { /* the contacts of the last step end with this one */
        ZW_TRY(plain(e, x0, h, x1, &overlaps));
        if (overlaps == 0) {
            return ZW_OK;
        }
        ZW_TRY(over_contacts(e, x0, h, x1, &sum));
    }
    return arrive(e, x0, h, &sum, x1);
}

static bool failed(zw_status status) {
    return status == ZW_E_STEP || status == ZW_E_CONVERGENCE || status == ZW_E_RANK || status == ZW_E_DIVERGED;
}

zw_status zw_energy_momentum_over(zw_energy_momentum *e, const zw_state *x0, double h, int depth, zw_state *x1) {
    zw_implicit_contacts *s = e->k.contacts;
    s->set.frozen = s->set.whole = false;
    s->wedge = depth < 3 ? 16.0 * DBL_EPSILON : ZW_CONTACT_OVERLAP;
    zw_unilateral_forget(e->end.solver); /* a step is a map of its start: nothing is remembered beside it */
    zw_status status = once(e, x0, h, x1);
    if (failed(status) && s->set.whole) { /* nearest points that jump */
        zw_error_clear(e->k.c);
        s->set.frozen = true;
        status = once(e, x0, h, x1);
    }
    if (!failed(status)) {
        return status;
    }
    zw_error_clear(e->k.c);
    return ZW_E_STEP;
}

void zw_energy_momentum_touch(void *self, const zw_state *x, double *f) {
    zw_energy_momentum *e = self;
    if (e->k.contacts == NULL || !(x->w[e->w_contact + ZW_CONTACT_COUNT] > 0.0)) {
        return;
    }
    zw_contact_set *s = &e->k.contacts->set;
    for (int i = 0; i < s->n; i++) {
        s->N.m = s->N.ntiles = s->N.nblocks = 0;
        s->N.nvalues = 0;
        if (!(s->p[i] > 0.0) || zw_meet_row(s->meet, x, &s->from[i], &s->N) != ZW_OK) {
            continue;
        }
        for (int j = 0; j < s->N.nblocks; j++) {
            const zw_block *b = &s->N.block[j];
            for (int l = 0; l < b->ncol; l++) {
                f[b->col0 + l] += s->p[i] / e->h * s->N.a[b->a + l];
            }
        }
    }
}
