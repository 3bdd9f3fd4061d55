/* SPDX-License-Identifier: Apache-2.0
 * tally.c: what is added up along a run, and the summary made of it.
 * Energy drift = change of energy - work of loads and moving rows + dissipation. Scales: the largest kinetic plus elastic energy (and work), sqrt(2 T m) for
 * linear momentum (no less than |P|), the largest |L| for angular momentum. */
#include "events/run.h"

#include "math/vec3.h"

#include <math.h>

const char *zw_outcome_name(zw_outcome o) {
    static const char *const name[] = {"running", "reached", "stopped-by-event", "diverged"};
    return name[o];
}

void zw_run_monitor(zw_run *r, const zw_state *x, const zw_picture *p, bool first) {
    zw_tally         *t = &r->tally;
    const zw_account *a = &p->account;
    double            energy = a->kinetic + a->elastic + a->potential, work = x->w[ZW_W_WORK], dissipated = x->w[ZW_W_DISSIPATED];
    if (first) {
        t->energy_initial = energy;
        zw_v3_copy(t->linear_initial, a->momentum);
        zw_v3_copy(t->angular_initial, a->angular);
    }
    double drift = energy - t->energy_initial - work + dissipated;
    t->drift_max = fmax(t->drift_max, fabs(drift));
    t->energy_scale = fmax(t->energy_scale, fmax(a->kinetic + a->elastic, fabs(work)));
    t->kinetic = a->kinetic;
    t->elastic = a->elastic;
    t->potential = a->potential;
    zw_v3_copy(t->linear, a->momentum);
    zw_v3_copy(t->angular, a->angular);
    t->linear_scale = fmax(t->linear_scale, sqrt(2.0 * a->kinetic * a->mass));
    t->angular_scale = fmax(t->angular_scale, zw_v3_norm(a->angular));
    t->linear_drift_max = fmax(t->linear_drift_max, zw_v3_distance(a->momentum, t->linear_initial));
    t->angular_drift_max = fmax(t->angular_drift_max, zw_v3_distance(a->angular, t->angular_initial));
    t->position_max = fmax(t->position_max, p->position);
    t->velocity_max = fmax(t->velocity_max, p->velocity);
    if (!first) { /* a start at rest has no terms to compare with */
        t->velocity_relative_max = fmax(t->velocity_relative_max, p->velocity_relative);
    }
    for (int i = 0; i < r->nown; i++) {
        t->own[i] = p->own[i];
        t->own_max[i] = fmax(t->own_max[i], p->own[i]);
    }
    t->monitors++;
}

int64_t zw_run_frames(const zw_run *r) {
    return r->tally.frames;
}

void zw_run_summary(const zw_run *r, zw_summary *out) {
    const zw_tally *t = &r->tally;
    const zw_state *x = &r->x[r->now];
    *out = (zw_summary){
        .outcome = (zw_outcome)t->outcome,
        .t = x->t,
        .until = r->until,
        .step = r->adaptive ? t->h : r->h,
        .adaptive = r->adaptive,
        .tolerance = r->tolerance,
        .step_least = r->adaptive ? t->h_least : r->h,
        .step_most = r->adaptive ? t->h_most : r->h,
        .rejected = t->rejected,
        .steps = t->step,
        .steps_total = r->adaptive ? t->step + (int64_t)fmin(ceil((r->until - x->t) / t->h), 9e15) : r->nsteps,
        .frames = t->frames,
        .limit = r->limit,
        .integrator = r->ops->name,
        .energy_initial = t->energy_initial,
        .energy_final = t->kinetic + t->elastic + t->potential,
        .energy_drift_max = t->drift_max,
        .energy_scale = t->energy_scale,
        .kinetic = t->kinetic,
        .elastic = t->elastic,
        .potential = t->potential,
        .work = x->w[ZW_W_WORK],
        .dissipated = x->w[ZW_W_DISSIPATED],
        .linear_drift_max = r->linear_conserved ? t->linear_drift_max : 0.0,
        .angular_drift_max = r->angular_conserved ? t->angular_drift_max : 0.0,
        .linear_scale = t->linear_scale,
        .angular_scale = t->angular_scale,
        .linear_conserved = r->linear_conserved,
        .angular_conserved = r->angular_conserved,
        .constraint_position_max = t->position_max,
        .constraint_velocity_max = t->velocity_max,
        .constraint_velocity_relative_max = t->velocity_relative_max,
        .rows = r->m,
        .redundant = r->redundant,
        .zwang_max = t->zwang_max,
        .zwang_mean = t->zwang_count > 0.0 ? t->zwang_sum / t->zwang_count : 0.0,
        .events = t->events,
        .impacts = t->impacts,
        .zenos = t->zenos,
        .rests = t->rests,
        .releases = t->releases,
        .order_dependent = t->order_dependent,
        .impact_loss = t->lost,
        .impulse_max = t->impulse_max,
        .sides = zw_run_sides(r),
        .nown = r->nown,
        .own = r->own_summary,
        .nprobes = r->model->nprobes,
        .probes = r->probe_summary,
    };
    zw_v3_copy(out->linear, t->linear);
    zw_v3_copy(out->angular, t->angular);
    for (int i = 0; i < r->nown; i++) {
        r->own_summary[i] = (zw_own_summary){.name = r->own[i].name, .final = t->own[i], .max = t->own_max[i]};
    }
    for (int i = 0; i < r->model->nprobes; i++) {
        zw_probe_summary *s = &r->probe_summary[i];
        s->name = r->model->probes[i].name;
        s->width = r->model->probes[i].width;
        for (int k = 0; k < ZW_PROBE_WIDTH; k++) {
            s->final[k] = r->probe_tally[i].final[k];
            s->min[k] = r->probe_tally[i].min[k];
            s->max[k] = r->probe_tally[i].max[k];
        }
    }
}
