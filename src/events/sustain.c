/* SPDX-License-Identifier: Apache-2.0
 * sustain.c: contacts that last. A closed gap whose rate is 0 stays closed as long as the accelerations press it:
 *   min 1/2 |a - a_free|^2_M,   A a = -D,   N a + D_N >= 0
 * and those with N a + D_N = 0 are equations of the system from then on. They end when their multiplier reaches 0: the time is found like that of an impact.
 *
 * A body that bounces with e < 1 comes to rest after infinitely many impacts in a finite time, a geometric series: flights of 2u+/|g''|, e times shorter each
 * time. When the flights follow that series and their height is below the tolerance of the run, what is left of the sequence is replaced by one plastic
 * impact: positions and momenta at its end are those of the series (impulse and its first moment agree), and the ledger has the time of the limit. */
#include "events/contacts.h"

#include "base/number.h"
#include "steps/blame.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double opened = 1e-9; /* an acceleration away, over its terms */

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
    double pull = zw_side_row_times(&c->N, 0, c->mu, false) + D, tolerance = fmax(r->tolerance, 1e-13) * k->scale;
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

/* no accelerations keep all of the n contacts of c->pick closed or opening: who they are, and when */
static zw_status blame_sides(zw_run *r, const zw_state *x, int n, zw_status status) {
    char   subject[400] = "contacts", time[ZW_NUMBER_TEXT];
    size_t used = 0;
    if (status != ZW_E_RANK) {
        return status;
    }
    for (int k = 0; k < n && k < 3; k++) {
        used += (size_t)snprintf(subject + used, sizeof subject - used, "%s'%s'", k > 0 ? ", " : "",
                                 zw_side_name(r->contacts->side[r->contacts->pick[k]]));
    }
    zw_error_clear(r->context);
    return zw_raise(r->context, ZW_E_RANK, subject, "see whether obstacles that move, or joints, press a body from two sides here",
                    "no motion keeps these%s contacts, %d in all, from closing further at t = %s s", n > 3 ? " and other" : "", n,
                    zw_number_short(x->t, 10, time));
}

/* ---- who holds */

/* accelerations that the forces would give alone, in c->v_before: what those within the contacts are differences of */
static zw_status free_accelerations(zw_run *r, const zw_state *x, const zw_rows *A) {
    zw_contacts *c = r->contacts;
    ZW_TRY(zw_solver_factor(c->solver, zw_system_mass(r->system, x), A, NULL));
    zw_solver_metric_inverse(c->solver, c->f, c->v_before);
    return ZW_OK;
}

/* |N| |f| of the velocities that row i moves: forces across the gap count too, their round-off does */
static double across(const zw_rows *N, int i, const double *f) {
    const zw_tile *tile = &N->tile[i];
    double         sum = 0.0;
    for (int k = 0; k < tile->nblocks; k++) {
        const zw_block *b = &N->block[tile->block0 + k];
        for (int j = 0; j < b->ncol; j++) {
            sum += f[b->col0 + j] * f[b->col0 + j];
        }
    }
    return sqrt(sum * zw_side_row_square(N, i));
}

/* how fast contact k of c->N opens, over the terms of that */
static double opens(const zw_contacts *c, int k) {
    double away = zw_side_row_times(&c->N, k, c->a, false) - c->c[k];
    double size = zw_side_row_times(&c->N, k, c->a, true) + zw_side_row_times(&c->N, k, c->v_before, true) + fabs(c->c[k]);
    return size > 0.0 ? away / size : 0.0;
}

/* Of the rows of the n contacts that hold (c->pick, rows c->N, multipliers c->mu), those that the others do not imply: a block on a floor has four corners and
 * three equations. Elimination in G = N P N', the most pressed first, then those that depend least on the ones before; the rest ride along. c->mark: 1 equation,
 * 2 rides */
static zw_status choose_equations(zw_run *r, const zw_rows *A, int n) {
    static const double dependent = 1e-10;
    zw_contacts        *c = r->contacts;
    int                 nv = r->size.nv;
    double             *G = c->impact.G, *diagonal = c->impact.work;
    memset(c->b, 0, sizeof(double) * (size_t)(A->m + 1));
    for (int i = 0; i < n; i++) {
        double *y = c->dense + (ptrdiff_t)i * nv;
        if (!c->mark[c->pick[i]]) {
            continue;
        }
        memset(c->f, 0, sizeof(double) * (size_t)nv);
        zw_side_row_put(&c->N, i, c->f);
        ZW_TRY(zw_blame(r->system, c->solver, zw_solver_solve(c->solver, c->f, c->b, y, c->lambda, NULL)));
        for (int j = 0; j < n; j++) {
            G[(ptrdiff_t)i * n + j] = zw_side_row_times(&c->N, j, y, false);
        }
        diagonal[i] = G[(ptrdiff_t)i * n + i];
        c->mark[c->pick[i]] = 3; /* not decided */
    }
    for (bool first = true;; first = false) {
        int    best = -1;
        double value = -INFINITY;
        for (int i = 0; i < n; i++) {
            double here = first ? c->mu[i] : floor(1e3 * G[(ptrdiff_t)i * n + i] / diagonal[i]); /* coarse: round-off does not choose */
            if (c->mark[c->pick[i]] == 3 && (best < 0 || here > value || (here == value && c->mu[i] > c->mu[best]))) {
                best = i;
                value = here;
            }
        }
        if (best < 0) {
            return ZW_OK;
        }
        double pivot = G[(ptrdiff_t)best * n + best];
        if (!(pivot > dependent * diagonal[best])) {
            c->mark[c->pick[best]] = 2;
            continue;
        }
        c->mark[c->pick[best]] = 1;
        for (int i = 0; i < n; i++) {
            double part = c->mark[c->pick[i]] == 3 ? G[(ptrdiff_t)i * n + best] / pivot : 0.0;
            for (int j = 0; j < n && part != 0.0; j++) {
                G[(ptrdiff_t)i * n + j] -= part * G[(ptrdiff_t)best * n + j];
            }
        }
    }
}

zw_status zw_contacts_hold(zw_run *r, zw_state *x, const unsigned char *dropped) {
    zw_contacts       *c = r->contacts;
    int                n = 0, told = 0, nheld = 0;
    const zw_rows     *A;
    zw_unilateral_info info;
    if (c->stick != NULL) {
        return zw_stick_hold(r, x, dropped);
    }
    zw_system_hold(r->system, 0, NULL);
    c->N.m = c->N.ntiles = c->N.nblocks = 0;
    c->N.nvalues = 0;
    for (int i = 0; i < c->n; i++) {
        zw_side_look at;
        ZW_TRY(zw_side_at(c->side[i], r->system, x, &at));
        double touch = zw_contacts_touch(c, i, &at), fast = 1e-10 * fmax(at.rate_size, c->look[i].rate_size);
        bool   slow = at.rate <= fast || zw_contacts_still(c, i, &at);
        bool   closed =
            (c->memory[i].held == 1 || at.gap <= (c->memory[i].held == 2 ? 64.0 : 1.0) * touch) && slow && !(dropped != NULL && dropped[i]);
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
        ZW_TRY(blame_sides(
            r, x, n, zw_unilateral_solve(c->qp, zw_system_mass(r->system, x), A, &c->N, c->f, c->b, c->c, a, c->lambda, c->mu, &info)));
        ZW_TRY(free_accelerations(r, x, A));
        for (int k = 0; k < n; k++) {
            double square = zw_side_row_square(&c->N, k), push = fmax(zw_side_row_times(&c->N, k, c->f, true), across(&c->N, k, c->f));
            if (c->mu[k] > 0.0 || opens(c, k) <= 0.5 * opened) {
                zw_contact_memory *memory = &c->memory[c->pick[k]];
                c->mark[c->pick[k]] = 1;
                memory->force = fmax(fmax(memory->force, c->mu[k]), push / fmax(square, DBL_MIN));
            }
        }
        ZW_TRY(choose_equations(r, A, n));
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
        if (c->mark[i] == 1) {
            c->pick[nheld++] = i;
        }
    }
    ZW_TRY(zw_contacts_tell_change(r, x, ZW_EVENT_RELEASE, told));
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
        n += c->memory[i].held == 1;
    }
    ZW_TRY(zw_gauss_solve(r->gauss, x, NULL, c->lambda, &info));
    *least = INFINITY;
    for (int i = c->n - 1; i >= 0; i--) {
        if (c->memory[i].held == 1) {
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

/* Where all that hold are let free to: how fast the first of them opens at x, over its terms (0: none does), and which do (c->mark) */
static zw_status opening(zw_run *r, const zw_state *x, double *most) {
    zw_contacts       *c = r->contacts;
    const zw_rows     *A;
    zw_unilateral_info info;
    zw_status          status = ZW_OK;
    int                n = 0, nheld = 0;
    *most = 0.0;
    zw_system_hold(r->system, 0, NULL);
    c->N.m = c->N.ntiles = c->N.nblocks = 0;
    c->N.nvalues = 0;
    for (int i = 0; i < c->n && status == ZW_OK; i++) {
        double D;
        c->mark[i] = 0;
        if (!c->memory[i].held) {
            continue;
        }
        status = zw_side_acceleration(c->side[i], r->system, x, &D);
        status = status == ZW_OK ? zw_side_row(c->side[i], r->system, x, i, &c->N) : status;
        c->c[n] = -D;
        c->pick[n++] = i;
    }
    status = status == ZW_OK ? forces(r, x, &A) : status;
    if (status == ZW_OK) {
        status = zw_unilateral_solve(c->qp, zw_system_mass(r->system, x), A, &c->N, c->f, c->b, c->c, c->a, c->lambda, c->mu, &info);
        status = blame_sides(r, x, n, status);
    }
    status = status == ZW_OK ? free_accelerations(r, x, A) : status;
    for (int k = 0; k < n && status == ZW_OK; k++) {
        double part = c->mu[k] > 0.0 ? 0.0 : opens(c, k);
        *most = fmax(*most, part);
        c->mark[c->pick[k]] = part > opened;
    }
    for (int i = 0; i < c->n; i++) {
        if (c->memory[i].held == 1) {
            c->pick[nheld++] = i;
        }
    }
    zw_system_hold(r->system, nheld, c->pick);
    return status;
}

/* More contacts than equations: multipliers of a choice of equations may vanish without anything coming loose, the others press more then. What tells are the
 * accelerations with all of them free: none opens, or some do. Looks along the step; then real steps, by the line through the last two openings */
static zw_status find_opening(zw_run *r, const zw_state *x0, const zw_state *x1, double *h) {
    zw_contacts *c = r->contacts;
    double       whole = x1->t - x0->t, lo = 0.0, hi = -1.0, far = 0.0, at_hi = 0.0, at_far = 0.0, most;
    *h = -1.0;
    for (int k = 0; k < ZW_PATH_STATES && hi < 0.0; k++) {
        ZW_TRY(opening(r, c->path_of[k], &most));
        if (most > opened) {
            hi = whole * k / (ZW_PATH_STATES - 1);
            at_hi = most;
        } else {
            lo = whole * k / (ZW_PATH_STATES - 1);
        }
    }
    if (hi < 0.0) {
        return ZW_OK;
    }
    for (int k = 0; k < 60 && hi > 0.0 && at_hi > 2.0 * opened && hi - lo > 1e-13 * whole; k++) {
        double mid = at_far > at_hi ? hi - at_hi * (far - hi) / (at_far - at_hi) : 0.5 * (lo + hi);
        mid = mid > lo && mid < hi ? mid : 0.5 * (lo + hi);
        if (!(mid > lo && mid < hi)) {
            break;
        }
        ZW_TRY(zw_contacts_restep(r, x0, mid, &c->trial));
        ZW_TRY(opening(r, &c->trial, &most));
        if (most > opened) {
            far = hi;
            at_far = at_hi;
            hi = mid;
            at_hi = most;
        } else {
            lo = mid;
        }
    }
    if (hi > 0.0 && hi < whole) {
        ZW_TRY(zw_contacts_restep(r, x0, hi, &c->trial));
    }
    ZW_TRY(opening(r, hi <= 0.0 ? x0 : hi < whole ? &c->trial : x1, &most)); /* c->mark */
    *h = hi;
    return ZW_OK;
}

/* where the polynomial through the looks at a force is lowest, if that is below 0; -1: its control points, or it, are not */
static double deepest(const double *force, double still) {
    double theta = -1.0, least = -still;
    for (int half = 0; half < 2; half++) {
        double control[ZW_PATH_ORDER + 1], bound = INFINITY;
        zw_path_controls(force + (ptrdiff_t)ZW_PATH_ORDER * half, control);
        for (int k = 0; k <= ZW_PATH_ORDER; k++) {
            bound = fmin(bound, control[k]);
        }
        for (int k = 1; k < 64 && bound < -still; k++) { /* 16 places between two looks */
            double value = zw_path_value(control, k / 64.0);
            if (value < least) {
                least = value;
                theta = 0.5 * half + 0.5 * k / 64.0;
            }
        }
    }
    return theta;
}

zw_status zw_contacts_find_release(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, bool *undecided) {
    static const double still = 1e-11, gone = 1e-12;
    zw_contacts        *c = r->contacts;
    double              whole = x1->t - x0->t, lo = 0.0, hi = -1.0, at_lo = 0.0, at_hi = 0.0, force[LOOKS + 1];
    int                 who = -1, nheld = 0, riders = 0;
    *h = -1.0;
    *undecided = false;
    for (int i = 0; i < c->n; i++) {
        c->mark[i] = 0;
        nheld += c->memory[i].held == 1;
        riders += c->memory[i].held == 2;
    }
    if (nheld == 0) {
        return ZW_OK;
    }
    if (riders > 0 && c->stick == NULL) {
        return find_opening(r, x0, x1, h);
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
                c->lost = c->memory[k].held == 1 && j++ == i ? k : c->lost;
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
    for (int i = 0; i < nheld && hi < 0.0; i++) { /* below 0 between two looks, and back again? */
        double theta = deepest(all + (ptrdiff_t)i * (LOOKS + 1), still), part;
        int    k = (int)(theta * LOOKS);
        if (theta >= 0.0) {
            r->ops->between(r->integrator, x0, x1, theta, &c->sample);
            ZW_TRY(least_force(r, &c->sample, &part, &who));
            if (part < -still) {
                hi = theta * whole;
                at_hi = part;
                lo = (double)k / LOOKS * whole;
                at_lo = force[k];
            }
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
    for (int i = 0, k = 0; i < c->n; i++) { /* where bodies are symmetric, others reach 0 at the same time */
        c->mark[i] = c->memory[i].held == 1 && c->held_force[k++] <= gone;
    }
    c->mark[who] = 1;
    *h = lo;
    return ZW_OK;
}
