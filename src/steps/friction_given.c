/* SPDX-License-Identifier: Apache-2.0
 * friction_given.c: the law of friction.c found in another way, for where contacts share a load and s does not come to rest: there the impulses jump with s.
 *   sticks   as there
 *   slides   u >= 0 and a given force -mu q d, d along w and q = p of the pass before (impulses of least norm do not jump); across d a drag mu q/|w|
 * q d of all contacts that slide is followed by Anderson's acceleration. */
#include "base/context.h"
#include "steps/friction_part.h"

#include <math.h>

enum { MOST = 120, SLIPS = 5 };
static const double CLOSE = 1e-12, SLOW = 1e-9; /* of the speed: what is aimed at; what moves slower than this sticks */

/* from where the other way got lost: its states, impulses and velocities */
static void start(zw_kick *k, const zw_contact_set *s, const double *x) {
    for (int i = 0; i < s->n; i++) {
        zw_rub *r = &k->rub[i];
        double  w[2], scale = zw_rub_weight(k, s, i);
        k->now[2 * i] = k->now[2 * i + 1] = k->next[2 * i] = k->next[2 * i + 1] = 0.0;
        r->s = r->force = r->drag = 0.0;
        if (s->at[i].on && r->slides) {
            zw_rub_slide(s, i, x, w);
            double size = hypot(w[0], w[1]);
            r->given = r->slides = size > 0.0;
            if (r->slides) {
                zw_rub_face(r, w[0] / size, w[1] / size);
                k->now[2 * i] = k->next[2 * i] = s->at[i].p * scale * w[0] / size;
                k->now[2 * i + 1] = k->next[2 * i + 1] = s->at[i].p * scale * w[1] / size;
            }
        }
    }
}

/* directions, forces and drags from what is followed; x: the last velocities */
static void aim(zw_kick *k, const zw_contact_set *s, const double *x) {
    for (int i = 0; i < s->n; i++) {
        zw_rub *r = &k->rub[i];
        if (s->at[i].on && r->slides) {
            double y[2] = {k->now[2 * i], k->now[2 * i + 1]}, size = hypot(y[0], y[1]), w[2], scale = zw_rub_weight(k, s, i);
            if (size > 0.0) {
                r->d[0][0] = y[0] / size;
                r->d[0][1] = y[1] / size;
            }
            r->force = s->meeting[i].friction * size / scale;
            zw_rub_slide(s, i, x, w);
            double speed = hypot(w[0], w[1]);
            r->drag = speed > 0.0 ? zw_rub_drag(k, s, i, r->force, speed) : 0.0;
        }
    }
}

/* what each contact does now; *off: by how much what is followed was wrong; false: some changed between sticking and sliding */
static bool look(zw_kick *k, const zw_contact_set *s, const double *x, double speed, double *off) {
    bool same = true;
    *off = 0.0;
    for (int i = 0; i < s->n; i++) {
        zw_rub *r = &k->rub[i];
        double  w[2], *now = &k->now[2 * i], *next = &k->next[2 * i], p = s->at[i].p;
        if (!s->at[i].on || r->n == 0) {
            continue;
        }
        zw_rub_slide(s, i, x, w);
        double size = hypot(w[0], w[1]), scale = zw_rub_weight(k, s, i), pull = hypot(s->at[i].pt[0], s->at[i].pt[1]);
        bool   back = w[0] * r->d[0][0] + w[1] * r->d[0][1] <= 0.0, slides = false;
        if (r->slides && pull > 0.0 && (size <= SLOW * speed || back)) {
            r->slides = r->given = false;
            r->force = r->drag = 0.0;
            r->slips = 0;
            zw_rub_face(r, -s->at[i].pt[0] / pull, -s->at[i].pt[1] / pull);
            now[0] = now[1] = next[0] = next[1] = 0.0;
            same = false;
        } else if (r->slides && size > 0.0) {
            next[0] = p * scale * w[0] / size;
            next[1] = p * scale * w[1] / size;
            *off = fmax(*off, hypot(next[0] - now[0], next[1] - now[1]));
        } else if (size > CLOSE * speed && p > 0.0) {
            *off = fmax(*off, size);
            same = false;
            slides = size > SLOW * speed && (r->slips >= SLIPS || (r->slips > 0 && size > 0.3 * r->slipped));
            if (!slides) {
                int at = r->n < ZW_RUB_FACETS ? r->n++ : 3 + r->slips % (ZW_RUB_FACETS - 3);
                r->d[at][0] = w[0] / size;
                r->d[at][1] = w[1] / size;
                r->slips++;
                r->slipped = size;
            }
        } else {
            slides = p == 0.0 && size > SLOW * speed;
        }
        if (slides) {
            r->slides = r->given = true;
            zw_rub_face(r, w[0] / size, w[1] / size);
            now[0] = next[0] = p * scale * w[0] / size;
            now[1] = next[1] = p * scale * w[1] / size;
        }
    }
    return same;
}

zw_status zw_rub_given(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda, bool *found) {
    double off = 0.0, last = INFINITY, law = INFINITY;
    int    depth = -1, who;
    start(k, s, x);
    for (int pass = 0; pass < MOST; pass++) {
        aim(k, s, x);
        bool solved;
        ZW_TRY(zw_kick_project(k, s, pb, false, x, lambda, &solved));
        if (!solved) {
            break;
        }
        law = zw_rub_worst(k, s, x, &who) / pb->speed;
        zw_rub_keep(k, s, pb, x, lambda, law);
        *found = law <= zw_rub_allowed(pass);
        if (*found) {
            return ZW_OK;
        }
        bool same = look(k, s, x, pb->speed, &off), worse = off > 1.5 * last;
        last = off;
        depth = !same || worse ? -1 : depth;
        zw_rub_accelerate(k, s->n, &depth);
        for (int i = 0; i < s->n && worse; i++) { /* half way */
            if (k->rub[i].slides) {
                double size = k->rub[i].force * zw_rub_weight(k, s, i) / s->meeting[i].friction;
                k->now[2 * i] = 0.5 * (k->now[2 * i] + size * k->rub[i].d[0][0]);
                k->now[2 * i + 1] = 0.5 * (k->now[2 * i + 1] + size * k->rub[i].d[0][1]);
            }
        }
    }
    *found = false;
    return ZW_OK;
}
