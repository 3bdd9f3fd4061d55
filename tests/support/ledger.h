/* SPDX-License-Identifier: Apache-2.0
 * ledger.h: a run whose events are kept, for tests of unilateral constraints. */
#ifndef ZW_TESTS_LEDGER_H
#define ZW_TESTS_LEDGER_H

#include "support/model.h"

enum { LEDGER_KEPT = 512, LEDGER_CONTACTS = 8, LEDGER_JOINTS = 16 };

typedef struct kept_event {
    zw_event_record  e;
    zw_event_contact contact[LEDGER_CONTACTS];
    zw_event_joint   joint[LEDGER_JOINTS];
} kept_event;

typedef struct ledger {
    fixture    f;
    int64_t    count; /* all of them; the first LEDGER_KEPT are kept */
    kept_event kept[LEDGER_KEPT];
} ledger;

static inline zw_status ledger_epoch(void *self, const zw_layout *layout) {
    (void)self;
    (void)layout;
    return ZW_OK;
}

static inline zw_status ledger_frame(void *self, const double *frame) {
    (void)self;
    (void)frame;
    return ZW_OK;
}

static inline zw_status ledger_event(void *self, const zw_event_record *e) {
    ledger *l = self;
    if (l->count < LEDGER_KEPT) {
        kept_event *k = &l->kept[l->count];
        k->e = *e;
        for (int i = 0; i < e->ncontacts && i < LEDGER_CONTACTS; i++) {
            k->contact[i] = e->contact[i];
        }
        for (int i = 0; i < e->njoints && i < LEDGER_JOINTS; i++) {
            k->joint[i] = e->joint[i];
        }
        k->e.contact = k->contact;
        k->e.joint = k->joint;
    }
    l->count++;
    return ZW_OK;
}

static inline void ledger_open(ledger *l, const char *text) {
    memset(l, 0, sizeof *l);
    fixture_run(&l->f, text);
    zw_recorder recorder = {.self = l, .epoch = ledger_epoch, .frame = ledger_frame, .event = ledger_event};
    zw_run_set_recorder(l->f.r, &recorder);
}

static inline void ledger_finish(ledger *l) {
    while (!zw_run_done(l->f.r)) {
        fixture_must(&l->f, zw_run_advance(l->f.r, 1 << 20), "zw_run_advance");
    }
}

/* a run that is saved after each of these numbers of steps and goes on in another one ends in the same bits */
static inline void ledger_restores(const char *text, int n, const int *at) {
    static ledger l, other;
    ledger_open(&l, text);
    size_t         size = zw_run_save_size(l.f.r);
    unsigned char *bytes = malloc(size), *end = malloc(size), *again = malloc(size);
    assert_true(bytes && end && again);
    ledger_finish(&l);
    zw_run_save(l.f.r, end);
    fixture_close(&l.f);
    for (int i = 0; i < n; i++) {
        ledger_open(&l, text);
        fixture_must(&l.f, zw_run_advance(l.f.r, at[i]), "zw_run_advance");
        zw_run_save(l.f.r, bytes);
        ledger_open(&other, text);
        fixture_must(&other.f, zw_run_restore(other.f.r, bytes, size), "zw_run_restore");
        ledger_finish(&other);
        zw_run_save(other.f.r, again);
        assert_memory_equal(end, again, size);
        fixture_close(&l.f);
        fixture_close(&other.f);
    }
    free(bytes);
    free(end);
    free(again);
}

/* the n-th event of a kind, counted from 0; fails the test when there is none */
static inline const kept_event *ledger_find(const ledger *l, zw_event_kind kind, int n) {
    for (int64_t i = 0; i < l->count && i < LEDGER_KEPT; i++) {
        if (l->kept[i].e.kind == kind && n-- == 0) {
            return &l->kept[i];
        }
    }
    fail_msg("there is no such event among %d: %s", (int)l->count, zw_event_kind_name(kind));
    return NULL;
}

static inline zw_summary ledger_summary(const ledger *l) {
    zw_summary s;
    zw_run_summary(l->f.r, &s);
    return s;
}

#endif
