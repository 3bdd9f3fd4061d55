/* SPDX-License-Identifier: Apache-2.0
 * adapt.c: steps whose length follows from a tolerance. A step that is refused (error too large, stages not converged, a part that cannot be evaluated on
 * the way) is tried again shorter; what the controller remembers is in the tally, so a run resumes bitwise.
 * Frames do not bend the motion: one that falls within a step is computed from the state before it by a shorter step of its own, and the run goes on
 * from the state it would have had anyway. */
#include "events/contacts.h"

#include "base/number.h"

#include <float.h>
#include <math.h>

static const double default_tolerance = 1e-13;

zw_status zw_run_choose_tolerance(zw_run *r) {
    const zw_model *m = r->model;
    bool            given = m->run.tolerance.node != 0;
    r->adaptive = m->run.step.node == 0 && r->ops->adapt != NULL && (given || r->ops->adapts(r->integrator));
    if (!r->adaptive) {
        if (given) {
            zw_log(r->context, ZW_LOG_INFO, "run.tolerance: not used, the steps of this run have one length");
        }
        return ZW_OK;
    }
    r->tolerance = r->ops->tolerance > 0.0 ? r->ops->tolerance : default_tolerance;
    if (given) {
        ZW_TRY(zw_model_constant(m, m->run.tolerance, "run.tolerance", &r->tolerance));
        r->tolerance = fmax(r->tolerance, 4.0 * DBL_EPSILON);
    }
    ZW_TRY(zw_state_create(r->context, &r->size, &r->spare));
    return ZW_OK;
}

zw_status zw_run_first_step(zw_run *r) {
    double h;
    ZW_TRY(r->ops->first(r->integrator, &r->x[0], &h));
    r->tally.h = fmin(h, 0.01 * r->until);
    return ZW_OK;
}

/* time of the k-th frame, k > 0; beyond the end: none left */
static double frame_time(const zw_run *r, int64_t k) {
    const zw_record_def *rec = &r->model->record;
    if (rec->kind == ZW_RECORD_INTERVAL) {
        return (double)k * r->frame_interval;
    }
    if (rec->kind == ZW_RECORD_FRAMES && rec->count > 1 && k < rec->count - 1) {
        return r->until * ((double)k / (double)(rec->count - 1));
    }
    return INFINITY;
}

/* frames strictly between x0 and x1 */
static zw_status frames_within(zw_run *r, const zw_state *x0, const zw_state *x1) {
    for (;;) {
        double t = frame_time(r, r->tally.next_frame), error, next;
        if (!(t < x1->t * (1.0 - 1e-12))) {
            return ZW_OK;
        }
        zw_status status = r->ops->adapt(r->integrator, x0, t - x0->t, r->tolerance, &r->spare, &error, &next);
        r->spare.t = t;
        status = status == ZW_OK ? zw_system_check_finite(r->system, &r->spare) : status;
        if (status != ZW_OK) {
            r->tally.outcome = status == ZW_E_MEMORY ? ZW_RUNNING : ZW_DIVERGED;
            return status;
        }
        r->tally.next_frame++;
        ZW_TRY(zw_run_look_at(r, &r->spare, false, true));
    }
}

/* rows of lasting contacts that become dependent on the way: before that they are chosen anew */
static bool may_choose_again(const zw_run *r, zw_status status) {
    return status == ZW_E_RANK && r->contacts != NULL && zw_contacts_holding(r->contacts) > 0;
}

static bool may_be_shorter(const zw_run *r, zw_status status) {
    return may_choose_again(r, status) || status == ZW_E_CONVERGENCE || status == ZW_E_DIVERGED || status == ZW_E_ARG ||
           status == ZW_E_MODEL;
}

static zw_status too_short(zw_run *r, double h, double t) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    return zw_raise(r->context, ZW_E_STEP, "run.tolerance", "look at the motion there: it may be singular; or allow a larger tolerance",
                    "at t = %s s not even a step of %s s stays within the tolerance", zw_number_short(t, 8, a), zw_number_short(h, 3, b));
}

zw_status zw_run_step_adaptive(zw_run *r) {
    zw_tally *tally = &r->tally;
    zw_state *x0 = &r->x[r->now], *x1 = &r->x[1 - r->now];
    double    left = r->until - x0->t, h = tally->h, error, next = 0.0, least = fmax(1e-13 * r->until, 16.0 * DBL_EPSILON * x0->t);
    double    error_before = INFINITY, h_before = h;
    bool      last = false, met = false, choose = false;
    for (bool again = false;; again = true) {
        last = h >= left * (1.0 - 1e-9);
        if (!again && !last && h > 0.5 * left) { /* two steps of the same length to the end */
            h = 0.5 * left;
        }
        double    t1 = last ? r->until : x0->t + h;
        zw_status status = r->ops->adapt(r->integrator, x0, t1 - x0->t, r->tolerance, x1, &error, &next);
        /* An error that a step half as long does not make smaller is round-off, of stiff forces say, and no step would do better */
        bool noise = status == ZW_OK && error > 1.0 && error > 0.3 * error_before && error * r->tolerance < 1e-8;
        if (status == ZW_OK && (error <= 1.0 || noise)) {
            status = zw_system_check_finite(r->system, x1);
        }
        if (status == ZW_OK && (error <= 1.0 || noise)) {
            double cut = 0.0;
            x1->t = t1;
            if (r->contacts != NULL) { /* x1 becomes the state of the first event on the way */
                ZW_TRY(zw_contacts_meet(r, x0, x1, &met, &cut));
            }
            if (cut > 0.0) { /* the way was too long to see what happens on it */
                ZW_TRY(cut < least ? zw_contacts_lost(r, x0) : ZW_OK);
                h = cut;
                tally->rejected++;
                continue;
            }
            last = last && (!met || x1->t >= r->until);
            tally->h = noise ? h_before : again ? fmin(next, t1 - x0->t) : fmax(next, last ? tally->h : 0.0);
            break;
        }
        error_before = status == ZW_OK ? error : INFINITY;
        h_before = t1 - x0->t;
        double shorter = fmin(next, 0.5 * (t1 - x0->t));
        bool   stuck = shorter < least;
        if ((status != ZW_OK && !may_be_shorter(r, status)) || stuck) {
            tally->outcome = status == ZW_E_MEMORY ? ZW_RUNNING : ZW_DIVERGED;
            return status != ZW_OK ? status : too_short(r, t1 - x0->t, x0->t);
        }
        if (status != ZW_OK) {
            choose = choose || may_choose_again(r, status);
            zw_error_clear(r->context);
        }
        h = shorter;
        tally->rejected++;
    }
    ZW_TRY(frames_within(r, x0, x1));
    if (met || choose) {
        ZW_TRY(zw_contacts_settle(r, x1));
    }
    double taken = x1->t - x0->t;
    tally->h_least = tally->step == 0 || (!last && !met && taken < tally->h_least) ? taken : tally->h_least;
    tally->h_most = fmax(tally->h_most, taken);
    bool on_time = frame_time(r, tally->next_frame) <= x1->t * (1.0 + 1e-12);
    bool frame = last || on_time || (r->model->record.kind == ZW_RECORD_EVERY && (tally->step + 1) % r->model->record.count == 0);
    r->now = 1 - r->now;
    tally->step++;
    tally->next_frame += on_time ? 1 : 0;
    ZW_TRY(zw_run_look_at(r, x1, false, frame));
    if (last) {
        tally->outcome = ZW_REACHED;
    }
    return ZW_OK;
}
