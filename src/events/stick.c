/* SPDX-License-Identifier: Apache-2.0
 * stick.c: the law `stick`, plastic and rough. Points that touch and come on stay where they touch: with S the contacts that stick,
 *   M (v+ - v-) = A' lambda + sum_S (N' p + T' s),   A v+ = b,   N v+ + g_t = 0 and T v+ = 0 on S,   p >= 0 on S,   N v+ + g_t >= 0 elsewhere,
 * T being what slide.h says. A contact that would have to be pulled (p < 0) is not in S: it lets go and may slide. Which contacts are in S is found by leaving out
 * the one that is pulled most, or taking in the one that would be pierced most, beginning with all that come on or rest; few contacts are tried in all
 * combinations, the largest first, when that does not end. Without friction's cone this is a law and not a limit of Coulomb's: it takes any impulse along the wall.
 * There are states that it has no answer for (a rod that turns about its foot: where the foot is not pressed any more, what kept it from sliding still pushes it into
 * the floor): that is an error.
 *
 * Contacts that last hold in the same way: N a + D = 0, T a + D = 0, mu >= 0 (zw_system_hold gives the rows), and end when mu reaches 0 (sustain.c). */
#include "events/contacts.h"

#include "base/number.h"
#include "rows/slide.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FEW = 12 };

typedef struct zw_stick {
    zw_solver     *solver;
    unsigned char *in;   /* [n] candidates in S */
    int           *held; /* [n] sides of S      */
    int           *of;   /* [n] candidates      */
    double        *b, *lambda, *x, *f;
    double        *press; /* [n] multipliers of the gaps of candidates, 0 outside S */
    double        *rate;  /* [n] what the gap does after                             */
    double        *size;  /* [n] the terms of it                                     */
    double        *goal;  /* [n] -rate before, or -D */
} zw_stick;

static bool sticks(const zw_run *r) {
    return r->contacts->law == ZW_LAW_STICK;
}

zw_status zw_stick_reserve(zw_run *r) {
    zw_contacts *c = r->contacts;
    zw_arena    *a = &r->arena;
    size_t       n = (size_t)c->n, nv = (size_t)r->size.nv, m = (size_t)zw_system_rows_count(r->system);
    if (!sticks(r)) {
        return ZW_OK;
    }
    for (int i = 0; i < r->model->nunilaterals; i++) {
        const zw_unilateral_def *d = &r->model->unilaterals[i];
        if (d->restitution.node != 0 || d->loss.node != 0) {
            return zw_model_raise(r->model, ZW_E_MODEL, d->at, d->name, "leave it out, or use another law",
                                  "it has a %s, and the law stick is plastic: nothing rebounds",
                                  d->loss.node != 0 ? "loss" : "restitution");
        }
    }
    zw_stick *k = zw_arena_alloc(a, 1, sizeof *k, "contacts that stick");
    double   *p = zw_arena_alloc(a, 2 * (m + 3 * n) + 2 * nv + 4 * n + 8, sizeof *p, "contacts that stick");
    if (k == NULL || p == NULL) {
        return ZW_E_MEMORY;
    }
    c->stick = k;
    k->in = zw_arena_alloc(a, n + 1, sizeof *k->in, "contacts that stick");
    k->held = zw_arena_alloc(a, 2 * n + 1, sizeof *k->held, "contacts that stick");
    if (k->in == NULL || k->held == NULL) {
        return ZW_E_MEMORY;
    }
    k->of = k->held + n;
    k->b = p;
    k->lambda = k->b + m + 3 * n;
    k->x = k->lambda + m + 3 * n;
    k->f = k->x + nv;
    k->press = k->f + nv;
    k->rate = k->press + n;
    k->size = k->rate + n;
    k->goal = k->size + n;
    return zw_solver_create(r->context, &k->solver);
}

void zw_stick_destroy(zw_run *r) {
    if (r->contacts->stick != NULL) {
        zw_solver_destroy(r->contacts->stick->solver);
    }
}

/* S as equations of the system: rows of the gaps are the last */
static void hold(zw_run *r, int n) {
    zw_stick *k = r->contacts->stick;
    int       held = 0;
    for (int i = 0; i < n; i++) {
        if (k->in[i]) {
            k->held[held++] = k->of[i];
        }
    }
    zw_system_hold(r->system, held, k->held);
}

/* the motion for the S of k->in: velocities (a jump, no forces) or accelerations */
static zw_status solve(zw_run *r, const zw_state *x, int n, bool velocities) {
    static const zw_rows no_rows = {0};
    zw_contacts         *c = r->contacts;
    zw_stick            *k = c->stick;
    const zw_rows       *A = &no_rows;
    const zw_constraint *list;
    hold(r, n);
    zw_system_constraints(r->system, &list);
    int m = zw_system_rows_count(r->system), nv = r->size.nv,
        fixed = r->system->nfixed > 0 ? list[r->system->nfixed - 1].row0 + list[r->system->nfixed - 1].m : 0;
    memset(k->f, 0, sizeof(double) * (size_t)nv);
    if (velocities) {
        if (m > 0) {
            ZW_TRY(zw_system_values(r->system, x, 1, k->b));
        }
        memset(k->b, 0, sizeof(double) * (size_t)fixed);
    } else {
        ZW_TRY(zw_system_force(r->system, x, k->f));
        ZW_TRY(zw_system_load(r->system, x, x->t, k->f));
        zw_system_damp(r->system, x, k->f);
        zw_system_bias(r->system, x, k->f);
        ZW_TRY(m > 0 ? zw_system_row_rates(r->system, x, k->b) : ZW_OK);
    }
    for (int i = 0; i < m; i++) {
        k->b[i] = -k->b[i];
    }
    if (m > 0) {
        ZW_TRY(zw_system_rows(r->system, x, &A));
    }
    ZW_TRY(zw_solver_factor(k->solver, zw_system_mass(r->system, x), A, NULL));
    ZW_TRY(zw_solver_solve(k->solver, k->f, k->b, k->x, k->lambda, NULL));
    for (int i = n - 1, row = m - 1; i >= 0; i--) {
        k->press[i] = k->in[i] ? k->lambda[row--] : 0.0;
        k->rate[i] = zw_side_row_times(&c->N, i, k->x, false) - k->goal[i];
        k->size[i] = zw_side_row_times(&c->N, i, k->x, true) + fabs(k->goal[i]);
    }
    return ZW_OK;
}

/* who is pulled most, or else who is pierced most; -1: nobody, this is the answer */
static int fault(const zw_stick *k, int n) {
    double most = 0.0, worst = 0.0;
    int    who = -1;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(k->press[i]));
    }
    for (int i = 0; i < n; i++) {
        if (k->in[i] && k->press[i] < -1e-10 * most && k->press[i] < worst) {
            worst = k->press[i];
            who = i;
        }
    }
    for (int i = 0; i < n && worst == 0.0; i++) {
        if (!k->in[i] && k->rate[i] < -1e-10 * k->size[i] && (who < 0 || k->rate[i] < k->rate[who])) {
            who = i;
        }
    }
    return who;
}

/* n candidates in k->of with rows in c->N and k->goal; k->in: where to begin. Leaves the answer in k, and the system holding S */
static zw_status find_set(zw_run *r, const zw_state *x, int n, bool velocities) {
    zw_stick *k = r->contacts->stick;
    for (int round = 0; round < 3 * n + 3; round++) {
        ZW_TRY(solve(r, x, n, velocities));
        int who = fault(k, n);
        if (who < 0) {
            return ZW_OK;
        }
        k->in[who] = !k->in[who];
    }
    for (int size = n; size >= 0 && n <= FEW; size--) {
        for (unsigned set = 0; set < 1u << n; set++) {
            int count = 0;
            for (int i = 0; i < n; i++) {
                k->in[i] = (set >> i) & 1u;
                count += k->in[i];
            }
            if (count == size) {
                ZW_TRY(solve(r, x, n, velocities));
                if (fault(k, n) < 0) {
                    return ZW_OK;
                }
            }
        }
    }
    char time[ZW_NUMBER_TEXT];
    return zw_raise(
        r->context, ZW_E_CONVERGENCE, "contact.law", "use another law",
        "stick has no answer for the %d contacts at t = %s s: what sticks would be pulled, and what lets go would come on again", n,
        zw_number_short(x->t, 8, time));
}

/* T v of a contact: its size, and that of its terms */
static zw_status sliding(zw_run *r, const zw_state *x, int side, double *speed, double *size) {
    zw_slide *s = r->system->slide[side];
    double    value[2] = {0.0, 0.0}, terms[2] = {0.0, 0.0};
    ZW_TRY(zw_slide_ops.values(s, r->system, x, 1, value));
    ZW_TRY(zw_slide_ops.values(s, r->system, x, 3, terms));
    *speed = hypot(value[0], value[1]);
    *size = hypot(terms[0], terms[1]);
    return ZW_OK;
}

/* the contacts of the impact, whose rows are in c->N; dv, p, after, the impulses against sliding in k->other, and what they take */
zw_status zw_stick_impact(zw_run *r, const zw_state *x, double *dv, double *push, double *lost) {
    zw_contacts         *c = r->contacts;
    zw_impact           *impact = &c->impact;
    zw_stick            *k = c->stick;
    int                  n = impact->n, nv = r->size.nv;
    const zw_constraint *list;
    *lost = 0.0;
    for (int i = 0; i < n; i++) {
        k->of[i] = impact->side[i];
        k->in[i] = impact->before[i] <= 0.0;
        k->goal[i] = -impact->before[i];
    }
    ZW_TRY(find_set(r, x, n, true));
    int count = zw_system_constraints(r->system, &list);
    memset(push, 0, sizeof(double) * (size_t)nv);
    for (int i = 0; i < n; i++) {
        impact->p[i] = k->press[i];
        impact->after[i] = k->in[i] ? 0.0 : k->rate[i];
        impact->other[i] = 0.0;
        for (int h = r->system->nfixed; h < count && k->in[i]; h++) {
            if (list[h].ops == &zw_slide_ops && list[h].self == r->system->slide[k->of[i]]) {
                for (int j = 0; j < list[h].m; j++) { /* b is minus the sliding before */
                    double s = k->lambda[list[h].row0 + j];
                    impact->other[i] = hypot(impact->other[i], s);
                    *lost += 0.5 * s * k->b[list[h].row0 + j];
                }
            }
        }
    }
    /* all that S pushes with, without the equations of the model: M dv - A' lambda */
    int fixed = r->system->nfixed > 0 ? list[r->system->nfixed - 1].row0 + list[r->system->nfixed - 1].m : 0;
    memset(k->lambda, 0, sizeof(double) * (size_t)fixed);
    zw_solver_force(k->solver, k->lambda, push);
    memcpy(dv, k->x, sizeof(double) * (size_t)nv);
    zw_system_hold(r->system, 0, NULL);
    return ZW_OK;
}

/* ---- contacts that last */

zw_status zw_stick_hold(zw_run *r, zw_state *x, const unsigned char *dropped) {
    zw_contacts *c = r->contacts;
    zw_stick    *k = c->stick;
    int          n = 0, told = 0;
    zw_system_hold(r->system, 0, NULL);
    c->N.m = c->N.ntiles = c->N.nblocks = 0;
    c->N.nvalues = 0;
    memset(c->mark, 0, (size_t)c->n);
    for (int i = 0; i < c->n; i++) {
        zw_side_look at;
        double       speed, size, D;
        ZW_TRY(zw_side_at(c->side[i], r->system, x, &at));
        ZW_TRY(sliding(r, x, i, &speed, &size));
        double touch = zw_contacts_touch(c, i, &at), fast = 1e-10 * fmax(at.rate_size, c->look[i].rate_size);
        bool   slow = at.rate <= fast || zw_contacts_still(c, i, &at);
        bool   still = speed <= fmax(1e-10 * size, 16.0 * DBL_EPSILON * c->memory[i].speed);
        if (!((c->memory[i].held || at.gap <= touch) && slow && still) || (dropped != NULL && dropped[i])) {
            continue;
        }
        ZW_TRY(zw_side_acceleration(c->side[i], r->system, x, &D));
        ZW_TRY(zw_side_row(c->side[i], r->system, x, i, &c->N));
        k->goal[n] = -D;
        k->in[n] = 1;
        k->of[n++] = i;
    }
    if (n > 0) {
        ZW_TRY(find_set(r, x, n, false));
        for (int i = 0; i < n; i++) {
            zw_contact_memory *memory = &c->memory[k->of[i]];
            double             square = zw_side_row_square(&c->N, i), pushed = zw_side_row_times(&c->N, i, k->f, true);
            c->mark[k->of[i]] = k->in[i];
            if (k->in[i]) {
                memory->force = fmax(fmax(memory->force, k->press[i]), pushed / fmax(square, DBL_MIN));
            }
        }
    }
    for (int i = 0; i < c->n; i++) {
        if (!c->memory[i].held && c->mark[i]) {
            c->told[told++] = (zw_event_contact){.side = i};
        }
    }
    ZW_TRY(zw_contacts_tell_change(r, x, ZW_EVENT_REST, told));
    told = 0;
    for (int i = 0; i < c->n; i++) {
        if (c->memory[i].held && !c->mark[i]) {
            c->told[told++] = (zw_event_contact){.side = i};
        }
        c->memory[i].held = c->mark[i];
    }
    ZW_TRY(zw_contacts_tell_change(r, x, ZW_EVENT_RELEASE, told));
    int held = 0;
    for (int i = 0; i < c->n; i++) {
        if (c->memory[i].held) {
            k->held[held++] = i;
        }
    }
    zw_system_hold(r->system, held, k->held);
    return ZW_OK;
}

/* a closed contact that rests along its normal and is pressed must not slide: it comes to rest at once */
zw_status zw_stick_slides(zw_run *r, const zw_state *x, int side, const zw_side_look *at, bool *out) {
    zw_contacts *c = r->contacts;
    double       speed, size;
    *out = false;
    if (!sticks(r)) {
        return ZW_OK;
    }
    ZW_TRY(sliding(r, x, side, &speed, &size));
    *out = at->rate <= 0.0 && speed > fmax(1e-10 * size, 16.0 * DBL_EPSILON * c->memory[side].speed);
    return ZW_OK;
}
