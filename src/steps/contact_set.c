/* SPDX-License-Identifier: Apache-2.0
 * contact_set.c: who takes part in a step over contacts; see contact_set.h. */
#include "steps/contact_set.h"

#include "base/context.h"
#include "rows/meet_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t DETAIL = 0x7fff; /* of an id: numbers within two kinds of features */

void zw_contact_set_destroy(zw_contact_set *s) {
    zw_context *c = s->context;
    if (c == NULL) {
        return;
    }
    zw_meet_destroy(s->meet);
    zw_free(c, s->from);
    zw_free(c, s->now);
    zw_free(c, s->freed);
    zw_free(c, s->gap0);
    zw_free(c, s->N.tile);
    zw_free(c, s->N.block);
    zw_free(c, s->N.a);
    *s = (zw_contact_set){0};
}

bool zw_contact_own(int i, zw_channel *out) {
    static const char *const name[ZW_CONTACT_WORDS] = {"contact/count", "contact/depth", "contact/residual"};
    static const char *const unit[ZW_CONTACT_WORDS] = {"1", "m", "1"};
    if (i >= ZW_CONTACT_WORDS) {
        return false;
    }
    *out = (zw_channel){.rank = 0, .count = 1};
    snprintf(out->name, sizeof out->name, "%s", name[i]);
    snprintf(out->unit, sizeof out->unit, "%s", unit[i]);
    return true;
}

zw_status zw_contact_set_hold(zw_contact_set *s, int n) {
    if (n <= s->room) {
        return ZW_OK;
    }
    zw_context *c = s->context;
    size_t      room = (size_t)n + (size_t)n / 2 + 16;
    int         blocks, values;
    zw_meet_row_most(s->meet, &blocks, &values);
    zw_meeting    *from = zw_alloc(c, room, sizeof *from, "contacts"), *now = zw_alloc(c, room, sizeof *now, "contacts");
    unsigned char *freed = zw_alloc(c, room, 1, "contacts");
    double   *numbers = zw_alloc(c, 9 * room, sizeof *numbers, "contacts"), *a = zw_alloc(c, room * (size_t)values, sizeof *a, "contacts");
    zw_tile  *tile = zw_alloc(c, room, sizeof *tile, "contacts");
    zw_block *block = zw_alloc(c, room * (size_t)blocks, sizeof *block, "contacts");
    if (!from || !now || !freed || !numbers || !a || !tile || !block) {
        zw_free(c, from);
        zw_free(c, now);
        zw_free(c, freed);
        zw_free(c, numbers);
        zw_free(c, a);
        zw_free(c, tile);
        zw_free(c, block);
        return ZW_E_MEMORY;
    }
    if (s->n > 0) { /* numbers are made anew in every solve, but for gap0 */
        memcpy(from, s->from, sizeof *from * (size_t)s->n);
        memcpy(freed, s->freed, (size_t)s->n);
        memcpy(numbers, s->gap0, sizeof *numbers * (size_t)s->n);
    }
    zw_free(c, s->from);
    zw_free(c, s->now);
    zw_free(c, s->freed);
    zw_free(c, s->gap0);
    zw_free(c, s->N.a);
    zw_free(c, s->N.tile);
    zw_free(c, s->N.block);
    s->from = from;
    s->now = now;
    s->freed = freed;
    s->N = (zw_rows){.tile = tile, .block = block, .a = a};
    double **at[9] = {&s->gap0, &s->gap1, &s->tau, &s->scale, &s->p, &s->c, &s->push, &s->total, &s->rate};
    for (int i = 0; i < 9; i++) {
        *at[i] = numbers + (size_t)i * room;
    }
    s->room = (int)room;
    return ZW_OK;
}

double zw_contact_set_size(const zw_contact_set *s, const zw_meeting *m) {
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fmax(fabs(m->touch.a[i]), fabs(m->touch.b[i])));
    }
    return m->side >= 0 ? 1.0 : most + s->reach;
}

static int find(const zw_contact_set *s, int64_t id) {
    for (int i = 0; i < s->n; i++) {
        if (s->from[i].id == id) {
            return i;
        }
    }
    return -1;
}

/* takes in a contact, with its gap at the start of the step. One that was open there by the forms but overlaps by its features has no gap to work over:
 * it counts as closed, so that it can give nothing */
static zw_status take(zw_contact_set *s, const zw_state *x0, const zw_meeting *m) {
    zw_meeting at0;
    ZW_TRY(zw_meet_again(s->meet, x0, 1, m, &at0));
    ZW_TRY(zw_contact_set_hold(s, s->n + 1));
    s->from[s->n] = at0;
    s->freed[s->n] = 0;
    s->gap0[s->n] = at0.touch.gap < -1e-9 * zw_contact_set_size(s, &at0) ? 0.0 : at0.touch.gap;
    s->n++;
    return ZW_OK;
}

double zw_contact_set_margin(const zw_contact_set *s) {
    return 1e-9 * (s->reach > 0.0 ? s->reach : 1.0);
}

/* may it close in the step? Twice the rate of now, which forces and pushes change; what does so all the same joins where it overlaps */
static zw_status comes(zw_contact_set *s, const zw_state *x0, double h, const zw_meeting *m, bool *out) {
    double rate = m->drift;
    *out = m->side >= 0 || m->touch.gap <= zw_contact_set_margin(s);
    if (*out) {
        return ZW_OK;
    }
    s->N.m = s->N.ntiles = s->N.nblocks = 0;
    s->N.nvalues = 0;
    ZW_TRY(zw_meet_row(s->meet, x0, m, &s->N));
    for (int j = 0; j < s->N.nblocks; j++) {
        const zw_block *b = &s->N.block[j];
        for (int l = 0; l < b->ncol; l++) {
            rate += s->N.a[b->a + l] * x0->v[b->col0 + l];
        }
    }
    *out = m->touch.gap + 2.0 * h * rate <= 0.0;
    return ZW_OK;
}

zw_status zw_contact_set_gather(zw_contact_set *s, const zw_state *x0, double h) {
    const zw_meeting *found;
    int               n;
    s->n = 0;
    double speed;
    zw_meet_speed(s->meet, x0, &speed, &s->reach);
    ZW_TRY(zw_meet_find(s->meet, x0, 2.0 * h * speed + zw_contact_set_margin(s), &n, &found));
    ZW_TRY(zw_contact_set_hold(s, n));
    for (int i = 0; i < n; i++) {
        bool changed, near;
        ZW_TRY(comes(s, x0, h, &found[i], &near));
        if (!near) {
            continue;
        }
        zw_meeting *m = &s->from[s->n];
        *m = found[i];
        ZW_TRY(zw_meet_freeze(s->meet, x0, s->frozen, m, &changed));
        s->freed[s->n] = changed; /* its id is not among those that are found */
        s->whole = s->whole || (m->side < 0 && m->fa.kind == ZW_FEATURE_WHOLE);
        s->gap0[s->n++] = found[i].touch.gap;
    }
    return ZW_OK;
}

zw_status zw_contact_set_look(zw_contact_set *s, const zw_state *x0, const zw_state *x, bool solved, int *overlaps, bool *more) {
    const zw_meeting *found;
    int               n;
    *overlaps = 0;
    *more = false;
    ZW_TRY(zw_meet_find(s->meet, x, zw_contact_set_margin(s), &n, &found));
    for (int i = 0; i < n; i++) {
        if (found[i].touch.gap < -ZW_CONTACT_OVERLAP * zw_contact_set_size(s, &found[i])) {
            *overlaps += 1;
            zw_meeting m = found[i]; /* the list is lost when it is asked for again */
            bool       changed;
            ZW_TRY(zw_meet_freeze(s->meet, x, s->frozen, &m, &changed));
            s->whole = s->whole || (m.side < 0 && m.fa.kind == ZW_FEATURE_WHOLE);
            int at = find(s, m.id);
            if (at >= 0 && solved &&
                s->gap1[at] >= -ZW_CONTACT_OVERLAP * s->scale[at]) { /* another point under the same number, as around a rim */
                do {
                    m.id = (m.id & ~DETAIL) | ((m.id + 1) & DETAIL);
                } while ((at = find(s, m.id)) >= 0);
            }
            if (at < 0) {
                ZW_TRY(take(s, x0, &m));
                s->freed[s->n - 1] = 1; /* it faces someone now; it stays */
                *more = true;
            }
        }
    }
    return ZW_OK;
}

bool zw_contact_set_let_go(zw_contact_set *s, int n, const zw_meeting *found) {
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        bool faces = s->p[i] <= 0.0 || s->freed[i] || s->from[i].side >= 0;
        for (int low = 0, high = n; low < high && !faces;) { /* the list is sorted */
            int middle = (low + high) / 2;
            faces = found[middle].id == s->from[i].id;
            low = found[middle].id < s->from[i].id ? middle + 1 : low;
            high = found[middle].id < s->from[i].id ? high : middle;
        }
        if (!faces) {
            s->freed[i] = 2;
            any = true;
        }
    }
    int kept = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->freed[i] != 2) {
            s->from[kept] = s->from[i];
            s->freed[kept] = s->freed[i];
            s->gap0[kept] = s->gap0[i];
            kept++;
        }
    }
    s->n = any ? kept : s->n;
    return any;
}

double zw_contact_set_residual(const zw_contact_set *s) {
    double most = 0.0, worst = 0.0;
    for (int i = 0; i < s->n; i++) {
        most = fmax(most, s->p[i]);
    }
    for (int i = 0; i < s->n; i++) {
        double push = most > 0.0 ? s->p[i] / most : 0.0, gap = s->gap1[i] / s->scale[i];
        worst = fmax(worst, fabs(fmin(push, gap)));
    }
    return worst;
}
