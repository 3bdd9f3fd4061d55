/* SPDX-License-Identifier: Apache-2.0
 * moreau.c: verlet over contacts, after Moreau and Jean, with the position level of RATTLE.
 *
 *   impact       v0 -> v0'   min 1/2 |v' - v0|^2_M,  A v' = b,  N0 v' + drift >= -e (N0 v0 + drift),  where a gap would close in this step at a rate that bounces
 *   first kick   v+ = v0' + M^-1 (h/2 f0 + A0' lam + N0' p),    0 <= p _|_ g(q1) >= 0              q1 the end of the drift, as for the rows of RATTLE; friction
 *                                                               opposes the sliding of the points that touch between q0 and q1
 *   second kick  v1 = v* + M^-1 (h/2 f1 + A1' mu + N1' r),      0 <= r _|_ N1 v1 + drift >= 0       contacts closed at q1
 *
 * - A body that comes on is reflected before it arrives, less than one step's way in front of the obstacle: M is that of q0, so H(q0, v) is kept to round-off where
 *   e = 1, and falls where e < 1. Without a bounce (e = 0, or one whose flight the forces end within the step) the first kick stops it at gap 0, the second
 *   takes its speed. Contacts that last are RATTLE's rows with a sign: nothing sinks, nothing creeps.
 * - All pairs nearer than the farthest two points can come in the step are looked at, so nothing tunnels; seen from one step a form is the half space beyond the
 *   tangent plane of its nearest feature. What features that first appear within the step still overlap is solved for again, and what is left is recorded.
 * - Every projection is on a set that holds v = 0 (walls at rest): energy is only taken. Impacts with different e at once, or with friction, could give some: then
 *   the restitution of that impact is lowered to what gives none.
 * - Account: impulse times mean rate. What forces do in a kick and what their potential loses in the drift agree only where both kicks are alike; what an impulse
 *   adds to that, h/4 (f1 M^-1 N1' r - f0 M^-1 N0' p), is its own doing: the means are those of v0' - h/2 M^-1 f0 and v+, of v* + h/2 M^-1 f1 and v1.
 * - The sets that the kernel begins with come from w (a few bits for each contact that pushed, found by hashes of its id): a step depends on the state alone. */
#include "base/context.h"
#include "base/number.h"
#include "rows/meet_pace.h"
#include "rows/meet_step.h"
#include "steps/moreau_part.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT, DEPTH, RESIDUAL, FRICTION, MEMORY, TRIES = 8, PASSES = 80, CONTACT_PASSES = 14, FREE_PASSES = 60, HELD_FROM = 4 };
static const double TOUCH = 1e-10, NOISE = 1e-12; /* of sizes; of speeds */

void zw_moreau_destroy(zw_moreau *k) {
    if (k != NULL) {
        zw_context *c = zw_system_context(k->y);
        zw_contact_set_release(&k->here);
        zw_contact_set_release(&k->there);
        zw_kick_destroy(k->kick);
        zw_solver_destroy(k->solver);
        zw_meet_destroy(k->meet);
        zw_free(c, k->v0);
        zw_free(c, k);
    }
}

zw_status zw_moreau_create(zw_system *y, const zw_mass *mass, zw_moreau **out) {
    zw_context *c = zw_system_context(y);
    zw_meet    *meet = NULL;
    *out = NULL;
    ZW_TRY(zw_meet_create(y, &meet));
    if (meet == NULL) {
        return ZW_OK;
    }
    zw_moreau *k = zw_alloc(c, 1, sizeof *k, "contacts");
    if (k == NULL) {
        zw_meet_destroy(meet);
        return ZW_E_MEMORY;
    }
    k->y = y;
    k->meet = meet;
    k->mass = mass;
    k->nv = zw_system_size(y).nv;
    k->m = zw_system_rows_count(y);
    k->nwords = zw_meet_pieces(meet) + 16;
    k->nslots = zw_meet_friction(meet) > 0.0 ? 8 * zw_meet_pieces(meet) + 32 : 0;
    size_t    nv = (size_t)k->nv, m = (size_t)k->m;
    zw_status status = zw_kick_create(c, &k->kick);
    if (status == ZW_OK) {
        status = zw_solver_create(c, &k->solver);
    }
    k->v0 = status == ZW_OK ? zw_alloc(c, 6 * nv + 4 * m, sizeof(double), "contacts") : NULL;
    if (k->v0 == NULL) {
        zw_moreau_destroy(k);
        return status != ZW_OK ? status : ZW_E_MEMORY;
    }
    k->free = k->v0 + nv;
    k->v = k->free + nv;
    k->f = k->v + nv;
    k->plastic = k->f + nv;
    k->full = k->plastic + nv;
    k->b = k->full + nv;
    k->g = k->b + m;
    k->lambda = k->g + m;
    k->held = k->lambda + m;
    zw_contact_set_init(c, meet, &k->here);
    zw_contact_set_init(c, meet, &k->there);
    *out = k;
    return ZW_OK;
}

/* ---- what is kept in w */

int zw_moreau_memory(const zw_moreau *k) {
    return MEMORY + zw_moreau_memory_size(k) + k->m;
}

void zw_moreau_be_strict(zw_moreau *k, bool strict) {
    k->strict = strict;
}

zw_status zw_moreau_start(zw_moreau *k, const zw_state *x, double *w) {
    double speed, size;
    memset(w, 0, sizeof(double) * (size_t)zw_moreau_memory(k));
    ZW_TRY(zw_meet_check_start(k->meet, x));
    ZW_TRY(zw_meet_pace(k->meet, x, &speed, &size));
    ZW_TRY(zw_contact_set_find(&k->here, x, 0.0));
    for (int i = 0; i < k->here.n; i++) {
        const zw_meeting *m = &k->here.meeting[i];
        if (m->side >= 0 && m->touch.gap < -TOUCH * size) {
            char name[160], number[ZW_NUMBER_TEXT];
            zw_meet_name(k->meet, m, name, sizeof name);
            return zw_raise(zw_system_context(k->y), ZW_E_MODEL, name, "change the start so that it holds",
                            "interpenetrating start: its gap is %s, and must not be negative", zw_number_short(m->touch.gap, 9, number));
        }
    }
    return ZW_OK;
}

void zw_moreau_finish(zw_moreau *k, const double *w0, double *w1, double *work, double *dissipated) {
    int pushing = 0;
    zw_moreau_remember(k, w1 + MEMORY, &k->there);
    for (int i = 0; i < k->m; i++) {
        w1[MEMORY + zw_moreau_memory_size(k) + i] = k->held[i] / k->h;
    }
    for (int i = 0; i < k->there.n; i++) {
        pushing += k->there.at[i].on && k->there.at[i].p > 0.0;
    }
    w1[COUNT] = pushing;
    w1[DEPTH] = fmax(w0[DEPTH], k->depth);
    w1[RESIDUAL] = fmax(w0[RESIDUAL], fmax(k->residual, k->second_residual));
    w1[FRICTION] = fmax(w0[FRICTION], zw_kick_missed(k->kick));
    *work += k->work + k->second_work;
    *dissipated += k->dissipated + k->second_dissipated;
}

void zw_moreau_react(const zw_moreau *k, const double *w, double *lambda) {
    for (int i = 0; i < k->m; i++) {
        lambda[i] += w[MEMORY + zw_moreau_memory_size(k) + i];
    }
}

void zw_moreau_touch(const zw_moreau *k, double *f) {
    double *sum = k->full; /* free between steps */
    memset(sum, 0, sizeof(double) * (size_t)k->nv);
    for (int i = 0; i < k->here.n; i++) {
        zw_contact_set_push(&k->here, i, sum);
    }
    for (int i = 0; k->arrived && i < k->there.n; i++) {
        zw_contact_set_push(&k->there, i, sum);
    }
    for (int i = 0; i < k->nv && k->h > 0.0; i++) {
        f[i] += sum[i] / k->h;
    }
}

bool zw_moreau_own(const zw_moreau *k, int i, zw_channel *out) {
    static const char *const name[] = {"contact/count", "contact/depth", "contact/residual", "friction/residual"}, *const unit[] = {
                                                                                                                       "1", "m", "1", "1"};
    if (i > (k->nslots > 0 ? FRICTION : RESIDUAL)) {
        return false;
    }
    *out = (zw_channel){.count = 1};
    snprintf(out->name, sizeof out->name, "%s", name[i]);
    snprintf(out->unit, sizeof out->unit, "%s", unit[i]);
    return true;
}

double zw_moreau_observe(const double *w, int i) {
    return w[i];
}

/* ---- products */

static void multiply(const zw_metric *H, const double *v, double *out) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *p = &H->part[k];
        const double    *from = v + H->v0[k];
        double          *to = out + H->v0[k];
        for (int i = 0; p->kind == ZW_DIAGONAL && i < p->n; i++) {
            to[i] = p->a[i] * from[i];
        }
        for (int row = 0; p->kind != ZW_DIAGONAL && row < p->n; row++) {
            int    i = row / p->block;
            double sum = 0.0;
            for (int e = p->start[i]; e < p->start[i + 1]; e++) {
                const double *a = p->a + ((ptrdiff_t)e * p->block + row % p->block) * p->block;
                for (int j = 0; j < p->block; j++) {
                    sum += a[j] * from[p->col[e] * p->block + j];
                }
            }
            to[row] = sum;
        }
    }
}

static void rows_times(const zw_rows *A, const double *v, double *out) {
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int e = tile->block0; e < tile->block0 + tile->nblocks; e++) {
                const zw_block *b = &A->block[e];
                const double   *a = A->a + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    sum += a[j] * v[b->col0 + j];
                }
            }
            out[tile->row + i] = sum;
        }
    }
}

/* ---- first kick */

/* gaps of the contacts that are on at x1, in s->later[].touch.gap; *off: the largest that is wrong */
static zw_status gaps_at(zw_moreau *k, const zw_state *x1, double *off) {
    zw_contact_set *s = &k->here;
    *off = k->deep = 0.0;
    for (int i = 0; i < s->n; i++) {
        if (!s->at[i].on) {
            continue;
        }
        int last = i;
        while (last + 1 < s->n && s->at[last + 1].on) {
            last++;
        }
        ZW_TRY(zw_meet_again(k->meet, x1, last - i + 1, s->meeting + i, s->later + i));
        for (; i <= last; i++) {
            double gap = s->later[i].touch.gap, before = fmin(s->meeting[i].touch.gap, 0.0); /* what overlaps may stay so */
            *off = fmax(*off, gap < before ? before - gap : s->at[i].p > 0.0 ? gap : 0.0);
            if (before - gap > k->deep) {
                k->deep = before - gap;
                k->deepest = i;
            }
        }
        i = last;
    }
    return ZW_OK;
}

/* sliding between q0 and x1 as it is; *off: the largest change of it that is new, as a length */
static zw_status bend(zw_moreau *k, const zw_state *x0, const zw_state *x1, double h, double *off) {
    zw_contact_set *s = &k->here;
    for (int i = 0; s->rubs > 0 && i < s->n; i++) {
        zw_contact *c = &s->at[i];
        if (c->on && c->slide >= 0) {
            double d[2], w[2];
            ZW_TRY(zw_meet_slip(k->meet, x0, x1, &s->meeting[i], d));
            zw_contact_set_slide(s, i, k->v, w);
            for (int j = 0; j < 2; j++) {
                double more = d[j] / h - w[j] - c->bend[j];
                c->bend[j] += more;
                *off = fmax(*off, c->p > 0.0 ? h * fabs(more) : 0.0);
            }
        }
    }
    return ZW_OK;
}

static zw_status not_closed(zw_moreau *k, double t, int row, double residual, int passes) {
    char subject[128], r[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
    zw_system_row_name(k->y, row, subject, sizeof subject);
    return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, subject,
                    "make the constraints agree with each other and with the contacts, or use a smaller step or a slower motion",
                    "could not be closed at t = %s s: residual %s after %d passes", zw_number_short(t, 8, time),
                    zw_number_short(residual, 3, r), passes);
}

static zw_status not_apart(zw_moreau *k, double t, int passes) {
    char subject[220], depth[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
    zw_meet_name(k->meet, &k->here.meeting[k->deepest], subject, sizeof subject);
    return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, subject, "use a smaller step or a slower motion",
                    "they overlap by %s m at t = %s s after %d passes", zw_number_short(k->deep, 3, depth), zw_number_short(t, 8, time),
                    passes);
}

/* links and other sticks that are on the other side of one another at the end: a shorter step sees them coming */
static zw_status not_through(zw_moreau *k, const zw_state *x0, const zw_state *x1) {
    char       subject[220], time[ZW_NUMBER_TEXT];
    zw_meeting who;
    bool       through;
    ZW_TRY(zw_meet_crossing(k->meet, x0, x1, &through, &who));
    if (!through) {
        return ZW_OK;
    }
    zw_meet_name(k->meet, &who, subject, sizeof subject);
    return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, subject, "use a smaller step or a slower motion",
                    "they would go through each other in the step to t = %s s", zw_number_short(x1->t, 8, time));
}

static bool any_on(const zw_contact_set *s) {
    for (int i = 0; i < s->n; i++) {
        if (s->at[i].on) {
            return true;
        }
    }
    return false;
}

/* contacts that were left out and close all the same are on from now; true: there are some */
static bool join(zw_moreau *k, double h) {
    zw_contact_set *s = &k->here;
    bool            any = false;
    for (int i = 0; i < s->n; i++) {
        double u = zw_contact_set_rate(s, i, k->v);
        if (!s->at[i].on && u < -k->noise && fmax(s->meeting[i].touch.gap, 0.0) + h * u < 0.0) {
            s->at[i].on = any = true;
        }
    }
    return any;
}

/* v+ of the contacts that are on: rows and gaps closed at the end of the drift. *more: with friction, others joined before that was done */
static zw_status close_positions(zw_moreau *k, const zw_state *x0, double h, const zw_metric *H, const zw_rows *A, bool first, zw_state *x1,
                                 bool *more) {
    zw_contact_set *s = &k->here;
    zw_state        middle = {.t = x0->t, .q = x0->q, .v = k->v, .s = x0->s, .w = x0->w};
    bool            creeps = false;
    double          last_gap = HUGE_VAL, last_row = HUGE_VAL, residual = 0.0;
    zw_kick_problem pb = {.H = H, .A = A, .f = k->f, .b = k->b, .speed = k->speed};
    for (int i = 0; i < s->n; i++) {
        if (first || s->rubs == 0 || !s->at[i].met) { /* with friction, what the last round found is where the next one begins */
            s->at[i].c = -fmax(s->meeting[i].touch.gap, 0.0) / h;
            s->at[i].bend[0] = s->at[i].bend[1] = 0.0;
        }
        s->at[i].met = s->at[i].on;
    }
    k->arrived = *more = false;
    if (k->m == 0 && !any_on(s)) {
        memcpy(k->v, k->free, sizeof(double) * (size_t)k->nv);
        zw_system_drift(k->y, &middle, h, x1, false);
        return ZW_OK;
    }
    multiply(H, k->free, k->f);
    if (k->m > 0) {
        ZW_TRY(zw_system_values(k->y, x0, 2, k->b));
    }
    for (int pass = 0;; pass++) {
        double off, rows = 0.0;
        int    worst = 0;
        pb.again = pass > 0;
        pb.hold = pass < HELD_FROM ? 0.0 : pass < 2 * HELD_FROM ? 1e-6 : pass < 4 * HELD_FROM ? 1e-4 : 1e-2; /* who of two at one place? */
        ZW_TRY(zw_kick_solve(k->kick, s, &pb, k->v, k->lambda, &residual));
        zw_system_drift(k->y, &middle, h, x1, false);
        ZW_TRY(gaps_at(k, x1, &off));
        ZW_TRY(bend(k, x0, x1, h, &off));
        if (k->m > 0) {
            ZW_TRY(zw_system_values(k->y, x1, 0, k->g));
            for (int i = 0; i < k->m; i++) {
                if (!(fabs(k->g[i]) <= rows)) {
                    rows = fabs(k->g[i]);
                    worst = i;
                }
            }
        }
        if (pass == 0 && s->rubs > 0 && join(k, h)) { /* passes over too few contacts are in vain */
            *more = true;
            return ZW_OK;
        }
        bool row_closed = rows <= 1e-15 || (rows < 1e-11 && rows >= 0.5 * last_row);
        bool gap_closed = off <= 1e-2 * k->touch || (off <= 0.1 * k->touch && off >= 0.5 * last_gap) ||
                          pass >= (s->rubs > 0 ? CONTACT_PASSES : FREE_PASSES);
        if (row_closed && gap_closed) {
            if (k->strict && s->rubs == 0 && k->deep > 4.0 * k->touch) {
                return not_apart(k, x1->t, pass);
            }
            k->residual = fmax(k->residual, residual);
            return ZW_OK;
        }
        if (!isfinite(rows) || !isfinite(off) || pass == PASSES) {
            return not_closed(k, x1->t, worst, rows, pass);
        }
        double before = last_gap;
        last_gap = off;
        last_row = rows;
        for (int i = 0; i < s->n; i++) {
            if (s->at[i].on) {
                double gap = s->meeting[i].touch.gap, aim = gap < -k->touch ? gap : 0.0; /* no deep overlap is pushed apart: energy */
                s->at[i].next = zw_contact_set_rate(s, i, k->v) - (s->later[i].touch.gap - aim) / h;
                s->at[i].guess = s->at[i].p > 0.0;
            }
        }
        creeps = s->rubs == 0 && pass >= 3 && (creeps || off > 0.1 * before);
        zw_moreau_mix(s, pass, creeps);
        if (k->m > 0) {
            rows_times(A, k->v, k->b);
            for (int i = 0; i < k->m; i++) {
                k->b[i] -= k->g[i] / h;
            }
        }
    }
}

/* contacts that were left out and close all the same; features that were not seen from q0. *more: there are some, and they are on now */
static zw_status find_more(zw_moreau *k, const zw_state *x0, double h, const zw_state *x1, bool *more) {
    zw_contact_set *s = &k->here;
    *more = join(k, h);
    if (*more) {
        return ZW_OK;
    }
    ZW_TRY(zw_contact_set_find(&k->there, x1, k->touch));
    k->arrived = true;
    for (int i = 0; i < k->there.n; i++) {
        const zw_meeting *m = &k->there.meeting[i];
        if (m->touch.gap < -k->touch) { /* where it cannot be helped */
            int number = zw_contact_set_number(s, m->id);
            if (number < 0) {
                number = s->n;
                ZW_TRY(zw_contact_set_add(s, x0, m));
            }
            if (!s->at[number].on) {
                s->at[number].on = *more = true;
            }
        }
    }
    return ZW_OK;
}

/* contacts that stop what should bounce at them, because something else than the forces drove it there: they are struck too */
static bool mark_due(zw_moreau *k) {
    zw_contact_set *s = &k->here;
    bool            any = false;
    for (int i = 0; i < s->n && k->rounds < ZW_MOREAU_ROUNDS; i++) {
        if (s->at[i].on && s->at[i].p > 0.0) {
            double u = zw_contact_set_rate(s, i, k->v0), kick = zw_contact_set_rate(s, i, k->free) - u;
            s->at[i].due = zw_moreau_bounces(k, &s->meeting[i], u, kick);
            any = any || s->at[i].due;
        }
    }
    return any;
}

/* impacts, then the first kick, over the contacts of k->here */
static zw_status kick_over(zw_moreau *k, const zw_state *x0, double h, const zw_metric *H, const zw_rows *A, zw_state *x1) {
    zw_contact_set *s = &k->here;
    bool            hit = true, more = true, due = false;
    while (hit) {
        ZW_TRY(zw_moreau_strike(k, x0, h, A, &hit));
    }
    for (int i = 0; i < s->n; i++) { /* most that are closed and do not push never will; the others are found */
        bool closed = s->meeting[i].touch.gap <= k->touch;
        s->at[i].on = closed ? k->cold || s->at[i].guess || zw_contact_set_rate(s, i, k->free) < -k->noise : zw_moreau_closes(k, i, h);
    }
    for (int round = 0; more && round < TRIES; round++) {
        for (int i = 0; i < s->n && round == TRIES / 2; i++) {
            s->at[i].on =
                s->at[i].on || s->meeting[i].touch.gap <= k->touch + h * k->speed; /* a row of them, each found by the one before */
        }
        for (int joined = 0; joined == 0 || more; joined++) { /* at most as often as there are contacts */
            ZW_TRY(close_positions(k, x0, h, H, A, round + joined == 0, x1, &more));
        }
        due = mark_due(k);
        if (due) {
            break;
        }
        ZW_TRY(find_more(k, x0, h, x1, &more));
    }
    return due ? kick_over(k, x0, h, H, A, x1) : ZW_OK; /* at most ZW_MOREAU_ROUNDS deep: each strikes once */
}

static zw_status find_here(zw_moreau *k, const zw_state *x0, double h, const double *v) {
    zw_state moving = {.t = x0->t, .q = x0->q, .v = k->v, .s = x0->s, .w = x0->w};
    double   speed, size;
    ZW_TRY(zw_meet_pace(k->meet, x0, &speed, &size));
    k->speed = fmax(k->speed, speed);
    if (v != k->v) {
        memcpy(k->v, v, sizeof(double) * (size_t)k->nv);
    }
    ZW_TRY(zw_meet_pace(k->meet, &moving, &speed, &size));
    k->speed = fmax(fmax(k->speed, speed), DBL_MIN);
    k->touch = TOUCH * size;
    k->noise = NOISE * k->speed;
    return zw_contact_set_find(&k->here, x0, 2.02 * h * k->speed + k->touch);
}

/* ---- account */

/* what contacts took, together with the reactions of the rows to them: J = N' p + T' pt + A' lambda, lambda with A H^-1 J = 0; without these h/4 f M^-1 A' lambda would
 * be missing, and what rows do while they are closed at the end of a drift. b: rates of the rows, which are their work */
static zw_status account(zw_moreau *k, const zw_contact_set *s, const zw_state *x, const zw_metric *H, const zw_rows *A,
                         const double *before, const double *after, double *taken, double *work) {
    bool any = false;
    zw_contact_set_account(s, before, after, taken, work);
    memset(k->f, 0, sizeof(double) * (size_t)k->nv);
    for (int i = 0; i < s->n && k->m > 0; i++) {
        any = zw_contact_set_push(s, i, k->f) || any;
    }
    if (!any) {
        return ZW_OK;
    }
    memset(k->b, 0, sizeof(double) * (size_t)k->m);
    ZW_TRY(zw_solver_factor(k->solver, H, A, NULL));
    ZW_TRY(zw_solver_solve(k->solver, k->f, k->b, k->full, k->lambda, NULL));
    for (int i = 0; i < k->m; i++) {
        k->held[i] += k->lambda[i];
    }
    for (int side = 0; side < 2; side++) {
        rows_times(A, side == 0 ? before : after, k->g);
        for (int i = 0; i < k->m; i++) {
            *taken -= 0.5 * k->lambda[i] * k->g[i];
        }
    }
    if (zw_system_rows_move(k->y)) {
        ZW_TRY(zw_system_values(k->y, x, 2, k->b));
        for (int i = 0; i < k->m; i++) {
            *taken += k->lambda[i] * k->b[i];
        }
    }
    return ZW_OK;
}

zw_status zw_moreau_first(zw_moreau *k, const zw_state *x0, const double *w0, double h, const zw_metric *H, const double *f0, double *mid,
                          zw_state *x1, double *lambda, const double **struck, bool *met) {
    static const zw_rows none = {0};
    const zw_rows       *A = &none;
    size_t               bytes = sizeof(double) * (size_t)k->nv;
    *struck = x0->v;
    *met = k->arrived = false;
    k->cold = w0[COUNT] == 0.0;
    zw_kick_begin(k->kick);
    k->speed = 0.0;
    k->h = h;
    memcpy(k->v, mid, bytes);
    for (int i = 0; i < TRIES; i++) {
        double speed, size;
        k->depth = k->residual = k->work = k->dissipated = k->second_work = k->second_dissipated = k->second_residual = 0.0;
        k->rounds = 0;
        memset(k->held, 0, sizeof(double) * (size_t)k->m);
        ZW_TRY(find_here(k, x0, h, k->v));
        if (k->here.n == 0) {
            return ZW_OK;
        }
        zw_moreau_recall(k, w0 + MEMORY, &k->here);
        memcpy(k->v0, x0->v, bytes);
        memcpy(k->free, mid, bytes);
        if (k->m > 0) {
            ZW_TRY(zw_system_rows(k->y, x0, &A));
        }
        ZW_TRY(kick_over(k, x0, h, H, A, x1));
        *met = true;
        zw_state moving = {.t = x0->t, .q = x0->q, .v = k->v, .s = x0->s, .w = x0->w};
        ZW_TRY(zw_meet_pace(k->meet, &moving, &speed, &size));
        if (speed <= k->speed * 1.01) { /* the margin held all that could be reached */
            break;
        }
        k->arrived = false;
    }
    ZW_TRY(*met ? not_through(k, x0, x1) : ZW_OK);
    memcpy(mid, k->v, bytes);
    if (k->rounds > 0) {
        *struck = k->v0;
    }
    if (*met) {
        for (int i = 0; i < k->m; i++) {
            lambda[i] = 2.0 / h * k->lambda[i];
        }
        zw_mass_kick(k->mass, k->v0, -0.5 * h, f0, k->plastic);
        ZW_TRY(account(k, &k->here, x0, H, A, k->plastic, k->v, &k->dissipated, &k->work));
    }
    return ZW_OK;
}

/* ---- second kick */

zw_status zw_moreau_arrive(zw_moreau *k, double h, const double *force, const zw_state *x1, int *closed) {
    zw_contact_set *s = &k->there;
    *closed = 0;
    if (!k->arrived) {
        ZW_TRY(zw_contact_set_find(s, x1, k->touch));
        k->arrived = true;
    }
    if (s->n == 0) {
        return ZW_OK;
    }
    zw_mass_kick(k->mass, x1->v, 0.5 * h, force, k->free);
    for (int i = 0; i < s->n; i++) {
        const zw_meeting *m = &s->meeting[i];
        zw_contact       *c = &s->at[i];
        int               from = zw_contact_set_number(&k->here, m->id);
        double            u = zw_contact_set_rate(s, i, x1->v), kick = zw_contact_set_rate(s, i, k->free) - u;
        c->guess = from >= 0 && k->here.at[from].on && k->here.at[from].p > 0.0;
        if (c->guess) {
            c->p = k->here.at[from].p;
            c->pt[0] = k->here.at[from].pt[0];
            c->pt[1] = k->here.at[from].pt[1];
        }
        c->due = c->guess || !zw_moreau_bounces(k, m, u, kick); /* what bounces does so at the beginning of the next step */
        c->on = c->due && (k->cold || c->guess || u + kick < -k->noise);
        c->c = 0.0;
        k->depth = fmax(k->depth, -m->touch.gap);
        *closed += c->due;
    }
    return ZW_OK;
}

zw_status zw_moreau_second(zw_moreau *k, double h, const zw_metric *H, const double *f, const double *f1, const double *drifted,
                           zw_state *x1, double *lambda) {
    static const zw_rows none = {0};
    const zw_rows       *A = &none;
    if (k->m > 0) {
        ZW_TRY(zw_system_rows(k->y, x1, &A));
        ZW_TRY(zw_system_values(k->y, x1, 2, k->b));
    }
    zw_kick_problem pb = {.H = H, .A = A, .f = f, .b = k->b, .speed = k->speed};
    bool            more = true;
    for (int round = 0; more; round++) {
        zw_contact_set *s = &k->there;
        ZW_TRY(zw_kick_solve(k->kick, s, &pb, x1->v, lambda, &k->second_residual));
        more = false;
        for (int i = 0; i < s->n; i++) { /* as in the first kick */
            zw_contact *c = &s->at[i];
            c->guess = c->on && c->p > 0.0;
            if (c->due && !c->on && (round >= TRIES / 2 || zw_contact_set_rate(s, i, x1->v) < -k->noise)) {
                c->on = more = true;
            }
        }
    }
    k->second_work = k->second_dissipated = 0.0;
    zw_mass_kick(k->mass, drifted, 0.5 * h, f1, k->plastic);
    return account(k, &k->there, x1, H, A, k->plastic, x1->v, &k->second_dissipated, &k->second_work);
}
