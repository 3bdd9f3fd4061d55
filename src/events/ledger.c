/* SPDX-License-Identifier: Apache-2.0
 * ledger.c: every event is counted and handed to the recorder: time, kind, law, contacts with their impulses and rates, energy, condition, and whether the
 * order of simultaneous impacts mattered. */
#include "events/contacts.h"

#include "system/system.h"

const char *zw_event_kind_name(zw_event_kind kind) {
    static const char *const name[] = {"impact", "zeno", "rest", "release"};
    return name[kind];
}

const char *zw_event_law_name(int law) {
    static const char *const name[] = {"reflect", "moreau", "sequential", "compliant", "stick"};
    return law >= 0 && law < 5 ? name[law] : "none";
}

int zw_run_sides(const zw_run *r) {
    return r->contacts != NULL ? r->contacts->n : 0;
}

const char *zw_run_side_name(const zw_run *r, int side) {
    return side >= 0 && side < zw_run_sides(r) ? zw_side_name(r->contacts->side[side]) : "";
}

int zw_run_joints(const zw_run *r) {
    return r->contacts != NULL ? r->system->nfixed : 0;
}

const char *zw_run_joint_name(const zw_run *r, int joint) {
    const zw_constraint *list;
    if (joint < 0 || joint >= zw_run_joints(r)) {
        return "";
    }
    zw_system_constraints(r->system, &list);
    return list[joint].name;
}

zw_status zw_contacts_tell(zw_run *r, const zw_event_record *e) {
    zw_tally *t = &r->tally;
    t->events++;
    t->impacts += e->kind == ZW_EVENT_IMPACT || e->kind == ZW_EVENT_ZENO;
    t->zenos += e->kind == ZW_EVENT_ZENO;
    t->rests += e->kind == ZW_EVENT_REST;
    t->releases += e->kind == ZW_EVENT_RELEASE;
    t->order_dependent += e->order_dependent;
    for (int i = 0; i < e->ncontacts; i++) {
        t->impulse_max = e->contact[i].impulse > t->impulse_max ? e->contact[i].impulse : t->impulse_max;
    }
    if (r->recording && r->recorder.event != NULL) {
        zw_event_record numbered = *e;
        numbered.number = t->events;
        return r->recorder.event(r->recorder.self, &numbered);
    }
    return ZW_OK;
}

zw_status zw_contacts_tell_change(zw_run *r, const zw_state *x, zw_event_kind kind, int n) {
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
