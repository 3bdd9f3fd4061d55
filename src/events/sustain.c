/* SPDX-License-Identifier: Apache-2.0
 * sustain.c: contacts that last. A closed gap whose rate is 0 stays closed as long as the accelerations press it:
 *   min 1/2 |a - a_free|^2_M,   A a = -D,   N a + D_N >= 0
 * and those with N a + D_N = 0 are equations of the system from then on. They end when their multiplier reaches 0: the time is found like that of an impact.
 *
 * A body that bounces with e < 1 comes to rest after infinitely many impacts in a finite time, a geometric series: flights of 2u+/|g''|, e times shorter each
 * time. When the flights follow that series and their height is below the tolerance of the run, what is left of the sequence is replaced by one plastic
 * impact: positions and momenta at its end are those of the series (impulse and its first moment agree), and the ledger has the time of the limit. */
#include "events/contacts.h"

#include "steps/blame.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* forces, equations of the model and their right side at x, without the contacts */
static zw_status forces(zw_run *r, const zw_state *x, const zw_rows **A) {
    static const zw_rows no_rows = {0};
    zw_contacts         *c = r->contacts;
    int                  m = zw_system_rows_count(r->system);
    *A = &no_rows;
    ZW_TRY(zw_system_force(r->system, x, c->f));
    ZW_TRY(zw_system_load(r->system, x, x->t, c->f));
    zw_system_damp(r->system, x, c->f);
    zw_system_bias(r->system, x, c->f);
    if (m > 0) {
        ZW_TRY(zw_system_row_rates(r->system, x, c->b));
        for (int i = 0; i < m; i++) {
            c->b[i] = -c->b[i];
        }
        ZW_TRY(zw_system_rows(r->system, x, A));
    }
    return ZW_OK;
}

static double row_times(const zw_rows *N, int i, const double *v, bool size) {
    const zw_block *b = &N->block[i];
    double          sum = 0.0;
    for (int j = 0; j < b->ncol; j++) {
        double term = N->a[b->a + j] * v[b->col0 + j];
        sum += size ? fabs(term) : term;
    }
    return sum;
}

zw_status zw_contacts_accumulates(zw_run *r, const zw_state *x, int i, double rate_after, double e, double *limit) {
    zw_contacts       *c = r->contacts;
    zw_contact_memory *k = &c->memory[i];
    const zw_rows     *A;
    double             D, flight = x->t - k->last[0], before = k->last[0] - k->last[1];
    *limit = 0.0;
    if (k->hits < 2 || !(flight > 0.0 && flight < before)) {
        return ZW_OK;
    }
    c->N.m = c->N.ntiles = c->N.nblocks = 0;
    c->N.nvalues = 0;
    ZW_TRY(zw_side_row(c->side[i], r->system, x, i, &c->N));
    ZW_TRY(zw_side_acceleration(c->side[i], r->system, x, &D));
    ZW_TRY(forces(r, x, &A));
    ZW_TRY(zw_blame(r->system, c->solver, zw_solver_solve(c->solver, c->f, c->b, c->mu, c->lambda, NULL)));
    double pull = row_times(&c->N, 0, c->mu, false) + D, tolerance = fmax(r->tolerance, 1e-13) * k->scale;
    if (!(pull < 0.0) || !(rate_after * rate_after <= -2.0 * pull * tolerance)) {
        return ZW_OK;
    }
    double next = -2.0 * rate_after / pull, round = 16.0 * DBL_EPSILON * x->t;
    if (fabs(next - e * flight) <= 0.05 * next + round) {
        *limit = next / (1.0 - e);
    } else { /* others take part: the ratio that is seen */
        double ratio = flight / before;
        *limit = flight * ratio / (1.0 - ratio);
    }
    return ZW_OK;
}

/* ---- who holds */

static zw_status tell(zw_run *r, const zw_state *x, zw_event_kind kind, int n) {
    zw_account a;
    if (n == 0) {
        return ZW_OK;
    }
    zw_system_account(r->system, x, &a);
    double          energy = a.kinetic + a.elastic + a.potential;
    zw_event_record told = {.t = x->t,
                            .kind = kind,
                            .law = -1,
                            .ncontacts = n,
                            .contact = r->contacts->told,
                            .energy_before = energy,
                            .energy_after = energy,
                            .condition = 1.0};
    return zw_contacts_tell(r, &told);
}

zw_status zw_contacts_hold(zw_run *r, zw_state *x, const unsigned char *dropped) {
    zw_contacts       *c = r->contacts;
    int                n = 0, told = 0, nheld = 0;
    const zw_rows     *A;
    zw_unilateral_info info;
    zw_system_hold(r->system, 0, NULL);
    c->N.m = c->N.ntiles = c->N.nblocks = 0;
    c->N.nvalues = 0;
    for (int i = 0; i < c->n; i++) {
        zw_side_look at;
        ZW_TRY(zw_side_at(c->side[i], r->system, x, &at));
        double touch = zw_contacts_touch(c, i, &at), fast = 1e-10 * fmax(at.rate_size, c->look[i].rate_size);
        bool   slow = at.rate <= fast || zw_contacts_still(c, i, &at);
        bool   closed = (c->memory[i].held || at.gap <= touch) && slow && !(dropped != NULL && dropped[i]);
        if (!closed) {
            continue;
        }
        double D;
        ZW_TRY(zw_side_acceleration(c->side[i], r->system, x, &D));
        ZW_TRY(zw_side_row(c->side[i], r->system, x, i, &c->N));
        c->c[n] = -D;
        c->pick[n++] = i;
    }
    for (int i = 0; i < c->n; i++) {
        c->mark[i] = 0;
    }
    if (n > 0) {
        double *a = c->a;
        ZW_TRY(forces(r, x, &A));
        ZW_TRY(zw_unilateral_solve(c->qp, zw_system_mass(r->system, x), A, &c->N, c->f, c->b, c->c, a, c->lambda, c->mu, &info));
        for (int k = 0; k < n; k++) {
            const zw_block *b = &c->N.block[k];
            double          square = 0.0, push = row_times(&c->N, k, c->f, true);
            double          away = row_times(&c->N, k, a, false) - c->c[k], size = row_times(&c->N, k, a, true) + fabs(c->c[k]);
            for (int j = 0; j < b->ncol; j++) {
                square += c->N.a[b->a + j] * c->N.a[b->a + j];
            }
            if (c->mu[k] > 0.0 || away <= 1e-10 * size) {
                zw_contact_memory *memory = &c->memory[c->pick[k]];
                c->mark[c->pick[k]] = 1;
                memory->force = fmax(fmax(memory->force, c->mu[k]), push / fmax(square, DBL_MIN));
            }
        }
    }
    for (int i = 0; i < c->n; i++) {
        if (!c->memory[i].held && c->mark[i]) {
            c->told[told++] = (zw_event_contact){.side = i};
        }
    }
    ZW_TRY(tell(r, x, ZW_EVENT_REST, told));
    told = 0;
    for (int i = 0; i < c->n; i++) {
        if (c->memory[i].held && !c->mark[i]) {
            c->told[told++] = (zw_event_contact){.side = i};
        }
        c->memory[i].held = c->mark[i];
        if (c->mark[i]) {
            c->pick[nheld++] = i;
        }
    }
    ZW_TRY(tell(r, x, ZW_EVENT_RELEASE, told));
    zw_system_hold(r->system, nheld, c->pick);
    return ZW_OK;
}

/* ---- release */

enum { LOOKS = 8 };

/* multipliers over their scales, and the least, of the contacts that hold */
static zw_status least_force(zw_run *r, const zw_state *x, double *least, int *who) {
    zw_contacts    *c = r->contacts;
    zw_project_info info;
    int             row = zw_system_rows_count(r->system) - 1, n = 0;
    for (int i = 0; i < c->n; i++) {
        n += c->memory[i].held != 0;
    }
    ZW_TRY(zw_gauss_solve(r->gauss, x, NULL, c->lambda, &info));
    *least = INFINITY;
    for (int i = c->n - 1; i >= 0; i--) {
        if (c->memory[i].held) {
            double part = c->lambda[row--] / fmax(c->memory[i].force, DBL_MIN);
            c->held_force[--n] = part;
            if (part < *least) {
                *least = part;
                *who = i;
            }
        }
    }
    return ZW_OK;
}

/* forces at the even looks predict those at the odd ones, or the step is too long to see what they do in between */
static bool smooth(const double *force) {
    static const double weight[4][5] = {
        {35.0, 140.0, -70.0, 28.0, -5.0}, {-5.0, 60.0, 90.0, -20.0, 3.0}, {3.0, -20.0, 90.0, 60.0, -5.0}, {-5.0, 28.0, -70.0, 140.0, 35.0}};
    double most = 1e-6, apart = 0.0;
    for (int k = 0; k <= LOOKS; k++) {
        most = fmax(most, fabs(force[k]));
    }
    for (int k = 0; k < 4; k++) {
        double sum = 0.0;
        for (int j = 0; j < 5; j++) {
            sum += weight[k][j] / 128.0 * force[2 * j];
        }
        apart = fmax(apart, fabs(sum - force[2 * k + 1]));
    }
    return apart <= 1e-5 * most;
}

zw_status zw_contacts_find_release(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, bool *undecided) {
    static const double still = 1e-11;
    zw_contacts        *c = r->contacts;
    double              whole = x1->t - x0->t, lo = 0.0, hi = -1.0, at_lo = 0.0, at_hi = 0.0, force[LOOKS + 1];
    int                 who = -1, nheld = 0;
    *h = -1.0;
    *undecided = false;
    for (int i = 0; i < c->n; i++) {
        c->mark[i] = 0;
        nheld += c->memory[i].held != 0;
    }
    if (nheld == 0) {
        return ZW_OK;
    }
    double *all = c->forces; /* [nheld][LOOKS + 1] */
    for (int k = 0; k <= LOOKS; k++) {
        const zw_state *x = k == 0 ? x0 : x1;
        double          theta = (double)k / LOOKS;
        if (k > 0 && k < LOOKS) {
            r->ops->between(r->integrator, x0, x1, theta, &c->sample);
            x = &c->sample;
        }
        ZW_TRY(least_force(r, x, &force[k], &who));
        for (int i = 0; i < nheld; i++) {
            all[i * (LOOKS + 1) + k] = c->held_force[i];
        }
    }
    for (int i = 0; i < nheld; i++) {
        if (!smooth(all + (ptrdiff_t)i * (LOOKS + 1))) {
            *undecided = true;
            for (int k = 0, j = 0; k < c->n; k++) {
                c->lost = c->memory[k].held && j++ == i ? k : c->lost;
            }
            return ZW_OK;
        }
    }
    for (int k = 0; k <= LOOKS && hi < 0.0; k++) {
        if (force[k] < -still) {
            hi = (double)k / LOOKS * whole;
            at_hi = force[k];
        } else {
            lo = (double)k / LOOKS * whole;
            at_lo = force[k];
        }
    }
    if (hi < 0.0) {
        return ZW_OK;
    }
    if (hi == 0.0) { /* it pulls already */
        ZW_TRY(least_force(r, x0, &at_lo, &who));
        at_lo = 0.0;
    }
    for (int k = 0; k < 100 && at_lo > 0.0; k++) { /* regula falsi, halving where it is slow; decided by real steps */
        double mid = k % 3 == 2 ? 0.5 * (lo + hi) : lo + (hi - lo) * (at_lo / (at_lo - at_hi)), part;
        if (!(mid > lo && mid < hi)) {
            break;
        }
        ZW_TRY(zw_contacts_restep(r, x0, mid, &c->trial));
        ZW_TRY(least_force(r, &c->trial, &part, &who));
        if (part > 0.0) {
            lo = mid;
            at_lo = part;
        } else {
            hi = mid;
            at_hi = part;
        }
        if (fabs(part) <= 1e-14) {
            lo = mid;
            break;
        }
    }
    if (lo > 0.0 || who < 0) {
        double          part;
        const zw_state *x = lo < whole ? &c->trial : x1;
        if (lo < whole) {
            ZW_TRY(zw_contacts_restep(r, x0, lo > 0.0 ? lo : hi, &c->trial));
        }
        ZW_TRY(least_force(r, x, &part, &who));
    }
    c->mark[who] = 1;
    *h = lo;
    return ZW_OK;
}
