/* SPDX-License-Identifier: Apache-2.0
 * implicit_contact.c: who takes part, where impulses live, and who pushes; see implicit_contact.h.
 *
 * Redundant contacts (four corners of a box) stay solvable by a compliance of 1e-9 of their own. It acts between a round of Newton's method and the one before, so
 * that the gaps of the result close to round-off. What it costs is that impulses that are not unique come out near those of least norm only. */
#include "steps/implicit_contact.h"

#include "rows/meet_step.h"
#include "steps/contact_end.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double EASE = 1e-9;

zw_status zw_implicit_contacts_create(zw_implicit *k) {
    zw_meet *meet = NULL;
    ZW_TRY(zw_meet_create(k->y, &meet));
    if (meet == NULL) {
        return ZW_OK;
    }
    zw_implicit_contacts *s = zw_alloc(k->c, 1, sizeof *s, "contacts");
    if (s == NULL) {
        zw_meet_destroy(meet);
        return ZW_E_MEMORY;
    }
    int blocks, values;
    s->set.context = k->c;
    s->set.meet = meet;
    s->wedge = 16.0 * DBL_EPSILON;
    s->nblocks = k->nblocks;
    s->room = k->nz;
    s->bare = k->lu;
    k->contacts = s; /* destroyed with k */
    zw_arena_init(&s->arena, k->c);
    zw_meet_row_most(meet, &blocks, &values);
    s->row.tile = zw_arena_alloc(&s->arena, 1, sizeof *s->row.tile, "contacts");
    s->row.block = zw_arena_alloc(&s->arena, (size_t)blocks, sizeof *s->row.block, "contacts");
    s->row.a = zw_arena_alloc(&s->arena, (size_t)values, sizeof *s->row.a, "contacts");
    s->most = values;
    s->list = zw_arena_alloc(&s->arena, (size_t)values + 1, sizeof *s->list, "contacts");
    s->one = zw_arena_alloc(&s->arena, (size_t)k->n.nv + 1, sizeof *s->one, "contacts");
    if (s->row.tile == NULL || s->row.block == NULL || s->row.a == NULL || s->list == NULL || s->one == NULL) {
        return ZW_E_MEMORY;
    }
    s->empty = zw_arena_mark_now(&s->arena);
    ZW_TRY(zw_state_create(k->c, &k->n, &s->mid));
    return zw_state_create(k->c, &k->n, &s->end);
}

void zw_implicit_contacts_destroy(zw_implicit *k) {
    zw_implicit_contacts *s = k->contacts;
    if (s == NULL) {
        return;
    }
    zw_contact_set_destroy(&s->set);
    zw_state_destroy(k->c, &s->mid);
    zw_state_destroy(k->c, &s->end);
    zw_arena_destroy(&s->arena);
    zw_free(k->c, s);
    k->contacts = NULL;
}

/* ---- who takes part */

/* blocks that the row of a meeting touches; to: room for as many as it has values */
static zw_status touched_by(zw_implicit *k, const zw_state *x, const zw_meeting *m, int *to, int *count) {
    zw_implicit_contacts *s = k->contacts;
    s->row.m = s->row.ntiles = s->row.nblocks = 0;
    s->row.nvalues = 0;
    *count = 0;
    ZW_TRY(zw_meet_row(s->set.meet, x, m, &s->row));
    for (int i = 0; i < s->row.nblocks; i++) {
        const zw_block *b = &s->row.block[i];
        int             first = zw_implicit_block_of(k, b->col0), last = zw_implicit_block_of(k, b->col0 + b->ncol - 1);
        for (int j = first; j <= last; j++) {
            bool known = false;
            for (int n = 0; n < *count; n++) {
                known = known || to[n] == j;
            }
            if (!known) {
                to[(*count)++] = j;
            }
        }
    }
    return ZW_OK;
}

/* the same blocks as those that the pattern was made for? */
static zw_status same_pattern(zw_implicit *k, const zw_state *x0, bool *same) {
    zw_implicit_contacts *s = k->contacts;
    int                  *list = s->list;
    *same = s->built == s->set.n && s->built > 0;
    for (int i = 0; i < s->set.n && *same; i++) {
        int n;
        ZW_TRY(touched_by(k, x0, &s->set.from[i], list, &n));
        *same = n == s->contact[i].ntouched && memcmp(list, s->contact[i].touched, sizeof *list * (size_t)n) == 0;
    }
    return ZW_OK;
}

/* room for n more unknowns and blocks; what is there stays */
static zw_status hold(zw_implicit *k, int n) {
    zw_implicit_contacts *s = k->contacts;
    int plain = s->nblocks > 0 ? k->block[s->nblocks - 1].z0 + k->block[s->nblocks - 1].ncol + k->block[s->nblocks - 1].nrows : 0;
    if (plain + n <= s->room) {
        return ZW_OK;
    }
    int                room = plain + 2 * n + 16, blocks = s->nblocks + (room - plain);
    zw_implicit_block *block = zw_arena_alloc(&k->arena, (size_t)blocks + 1, sizeof *block, "contacts");
    double            *all = zw_arena_alloc(&k->arena, 3 * (size_t)room + 3, sizeof *all, "contacts");
    if (block == NULL || all == NULL) {
        return ZW_E_MEMORY;
    }
    memcpy(block, k->block, sizeof *block * (size_t)k->nblocks);
    memcpy(all, k->z, sizeof *all * (size_t)k->nz);
    k->block = block;
    k->z = all;
    k->r = all + room + 1;
    k->dz = k->r + room + 1;
    s->room = room;
    return ZW_OK;
}

static void nobody(zw_implicit *k) {
    zw_implicit_contacts    *s = k->contacts;
    const zw_implicit_block *last = s->nblocks > 0 ? &k->block[s->nblocks - 1] : NULL;
    s->n = 0;
    k->nblocks = s->nblocks;
    k->nz = last != NULL ? last->z0 + last->ncol + last->nrows : 0;
    k->lu = s->bare;
}

/* masses by column; turns of a node share one, so that it does not depend on axes */
static void weigh(zw_implicit *k, const zw_state *x0) {
    zw_implicit_contacts *s = k->contacts;
    const zw_metric      *M = zw_system_mass(k->y, x0);
    for (int i = 0; i < s->n; i++) {
        zw_implicit_contact *c = &s->contact[i];
        double              *w = c->weight;
        for (int t = 0; t < c->ntouched; t++) {
            const zw_implicit_block *b = &k->block[c->touched[t]];
            for (int l = 0; l < b->ncol; l++) {
                s->one[b->col0 + l] = 1.0;
                w[l] = zw_metric_times(M, b->col0 + l, s->one);
                s->one[b->col0 + l] = 0.0;
            }
            if (b->ncol == 6 && k->y->part[b->part].ops->secant != NULL) {
                w[0] = w[1] = w[2] = (w[0] + w[1] + w[2]) / 3.0;
                w[3] = w[4] = w[5] = (w[3] + w[4] + w[5]) / 3.0;
            }
            w += b->ncol;
        }
    }
}

static zw_status build(zw_implicit *k, const zw_state *x0) {
    zw_implicit_contacts *s = k->contacts;
    int                   n = s->set.n;
    size_t                columns = 0;
    s->built = 0;
    zw_arena_release(&s->arena, s->empty);
    s->contact = zw_arena_alloc(&s->arena, (size_t)n + 1, sizeof *s->contact, "contacts");
    if (s->contact == NULL) {
        return ZW_E_MEMORY;
    }
    s->widest = 1;
    for (int i = 0; i < n; i++) {
        zw_implicit_contact *c = &s->contact[i];
        c->touched = zw_arena_alloc(&s->arena, (size_t)s->most + 1, sizeof *c->touched, "contacts");
        if (c->touched == NULL) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(touched_by(k, x0, &s->set.from[i], c->touched, &c->ntouched));
        for (int t = 0; t < c->ntouched; t++) {
            c->ncolumns += k->block[c->touched[t]].ncol;
        }
        columns += (size_t)c->ncolumns;
        s->widest = c->ncolumns > s->widest ? c->ncolumns : s->widest;
        c->block = s->nblocks + i;
        c->stiff = 1.0;
    }
    double *numbers = zw_arena_alloc(&s->arena, 3 * columns + 1, sizeof *numbers, "contacts");
    s->scratch = zw_arena_alloc(&s->arena, 9 * (size_t)s->widest, sizeof *s->scratch, "contacts");
    if (numbers == NULL || s->scratch == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        zw_implicit_contact *c = &s->contact[i];
        c->mean = numbers;
        c->end = c->mean + c->ncolumns;
        c->weight = c->end + c->ncolumns;
        numbers = c->weight + c->ncolumns;
        k->block[c->block] = (zw_implicit_block){.part = -1, .index = i, .nrows = 1, .z0 = k->nz};
        k->nz++;
        k->nblocks++;
    }
    s->n = n;
    ZW_TRY(zw_implicit_pattern(k, &s->arena, &k->lu));
    s->kept = zw_arena_alloc(&s->arena, 2 * (size_t)k->lu.pattern.nvalues + 1, sizeof *s->kept, "contacts");
    s->trial = zw_arena_alloc(&s->arena, (size_t)k->nz + 1, sizeof *s->trial, "contacts");
    s->side = zw_arena_alloc(&s->arena, (size_t)k->nz + 1, sizeof *s->side, "contacts");
    if (s->kept == NULL || s->trial == NULL || s->side == NULL) {
        return ZW_E_MEMORY;
    }
    s->built = n;
    return ZW_OK;
}

zw_status zw_implicit_contacts_use(zw_implicit *k, const zw_state *x0, bool on) {
    zw_implicit_contacts *s = k->contacts;
    zw_blocklu            lu = k->lu;
    bool                  same = false, with = s->n > 0;
    if (!on || s->set.n == 0) {
        if (with) {
            s->with = lu;
        }
        nobody(k);
        return ZW_OK;
    }
    lu = with ? lu : s->with;
    ZW_TRY(same_pattern(k, x0, &same));
    nobody(k);
    if (same) {
        k->lu = lu;
        s->n = s->built;
        k->nblocks += s->n;
        k->nz += s->n;
    } else {
        ZW_TRY(hold(k, s->set.n));
        zw_status status = build(k, x0);
        if (status != ZW_OK) {
            nobody(k);
            return status;
        }
    }
    for (int i = 0; i < s->n; i++) {
        k->z[k->block[s->contact[i].block].z0] = 0.0;
        s->contact[i].pushes = false;
    }
    weigh(k, x0);
    return ZW_OK;
}

/* ---- equations */

/* what a push would do to the gap rate, by the diagonal of the tangent: sizes only */
static double softness(zw_implicit *k, const zw_implicit_contact *c) {
    const double *mean = c->mean, *end = c->end;
    double        soft = 0.0;
    bool          turned;
    for (int t = 0; t < c->ntouched; t++) {
        const zw_implicit_block *b = &k->block[c->touched[t]];
        const double            *own = zw_blocklu_block(&k->lu, c->touched[t], c->touched[t], &turned);
        int                      width = b->ncol + b->nrows;
        for (int l = 0; l < b->ncol; l++) {
            double stiff = fabs(own[(ptrdiff_t)l * width + l]);
            soft += stiff > 0.0 ? fabs(mean[l] * end[l]) / stiff : 0.0;
        }
        mean += b->ncol;
        end += b->ncol;
    }
    return soft;
}

zw_status zw_implicit_contacts_add(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum) {
    zw_implicit_contacts *s = k->contacts;
    for (int i = 0; i < s->n; i++) {
        zw_implicit_contact *c = &s->contact[i];
        double               push = k->z[k->block[c->block].z0], tau, gap, speed = 0.0;
        ZW_TRY(zw_implicit_contact_mean(k, i, x0, k->share == 2.0 ? x1 : &k->xm, x1, h, c->mean, &tau, &gap));
        if (derivative) {
            ZW_TRY(zw_implicit_contact_end(k, i, x0, x1, h, c->end));
            c->stiff = softness(k, c);
            c->stiff = c->stiff > 0.0 ? 1.0 / c->stiff : 1.0;
        }
        /* what overlaps by round-off is not pushed out, so that to stay is a solution where bodies have no room at all */
        double gap0 = s->set.gap0[i], shift = gap0 < 0.0 && gap0 >= -s->wedge * s->set.scale[i] ? gap0 : 0.0;
        s->set.gap1[i] = gap;
        s->set.tau[i] = tau;
        s->set.p[i] = push;
        c->rate = (gap - (k->share == 2.0 ? 0.0 : shift)) / h;
        if (k->share == 2.0) { /* at rest: those who share a load share it evenly, by a compliance of the whole push that no gap shows */
            double eased = EASE / c->stiff * push;
            c->rate += fabs(eased) <= 1e-13 * s->set.scale[i] ? eased : 0.0;
            c->pushes = push - c->stiff * (gap - 1e-9 * s->set.scale[i]) > 0.0; /* what is closed pushes until it turns out to pull */
        }
        k->r[k->block[c->block].z0] = c->pushes ? c->rate : push;
        const double *mean = c->mean;
        for (int t = 0; t < c->ntouched; t++) {
            const zw_implicit_block *b = &k->block[c->touched[t]];
            for (int l = 0; l < b->ncol; l++) {
                k->ru[b->col0 + l] -= mean[l] * push;
                k->size[b->col0 + l] += fabs(mean[l] * push);
                speed += mean[l] * k->u[b->col0 + l];
            }
            if (derivative) {
                for (int l = 0; l < b->ncol; l++) {
                    double minus = -mean[l];
                    zw_implicit_add(k, c->touched[t], c->block, l, 0, 1, 1, &minus);
                }
            }
            mean += b->ncol;
        }
        sum->dissipated -= push * (speed + tau);
        sum->work -= push * tau;
        if (derivative && s->turns) {
            ZW_TRY(zw_implicit_contact_turns(k, i, x0, h, x1));
        }
    }
    return ZW_OK;
}

void zw_implicit_contacts_put(zw_implicit *k) {
    zw_implicit_contacts *s = k->contacts;
    for (int i = 0; i < s->n; i++) {
        const zw_implicit_contact *c = &s->contact[i];
        const double              *end = c->end;
        double                     own = c->pushes ? EASE / c->stiff : 1.0;
        zw_implicit_add(k, c->block, c->block, 0, 0, 1, 1, &own);
        for (int t = 0; t < c->ntouched && c->pushes; t++) {
            zw_implicit_add(k, c->block, c->touched[t], 0, 0, 1, k->block[c->touched[t]].ncol, end);
            end += k->block[c->touched[t]].ncol;
        }
    }
}

/* ---- who pushes */

static void save(zw_implicit_contacts *s, const zw_blocklu *lu) {
    size_t bytes = sizeof(double) * (size_t)lu->pattern.nvalues;
    memcpy(s->kept, lu->pattern.l, bytes);
    memcpy(s->kept + lu->pattern.nvalues, lu->upper, bytes);
}

static void restore(const zw_implicit_contacts *s, zw_blocklu *lu) {
    size_t bytes = sizeof(double) * (size_t)lu->pattern.nvalues;
    memcpy(lu->pattern.l, s->kept, bytes);
    memcpy(lu->upper, s->kept + lu->pattern.nvalues, bytes);
}

/* is contact i wrong as it is, by the linear equations? */
static bool wrong(const zw_implicit *k, int i, double h, double largest) {
    const zw_implicit_contacts *s = k->contacts;
    const zw_implicit_contact  *c = &s->contact[i];
    int                         at = k->block[c->block].z0;
    if (c->pushes) {
        return k->z[at] + k->dz[at] < -1e-12 * largest;
    }
    double rate = c->rate, *end = c->end;
    for (int t = 0; t < c->ntouched; t++) {
        const zw_implicit_block *b = &k->block[c->touched[t]];
        for (int l = 0; l < b->ncol; l++) {
            rate += end[l] * k->dz[b->z0 + l];
        }
        end += b->ncol;
    }
    return rate < -16.0 * DBL_EPSILON * s->set.scale[i] / h;
}

bool zw_implicit_contacts_solve(zw_implicit *k, double h) {
    zw_implicit_contacts *s = k->contacts;
    int                   best = s->n + 1, tries = 4;
    save(s, &k->lu);
    for (s->rounds = 1; s->rounds <= 40 + 4 * s->n; s->rounds++) {
        if (s->rounds > 1) {
            restore(s, &k->lu);
        }
        zw_implicit_contacts_put(k);
        if (zw_blocklu_factor(&k->lu) >= 0) {
            return false;
        }
        double largest = 0.0;
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -k->r[i];
        }
        for (int i = 0; i < s->n; i++) {
            const zw_implicit_contact *c = &s->contact[i];
            int                        at = k->block[c->block].z0;
            k->dz[at] = c->pushes ? -c->rate : -k->z[at];
        }
        zw_blocklu_solve(&k->lu, k->dz);
        for (int i = 0; i < s->n; i++) {
            int at = k->block[s->contact[i].block].z0;
            largest = fmax(largest, fabs(k->z[at] + k->dz[at]));
        }
        int count = 0, last = -1;
        for (int i = 0; i < s->n; i++) {
            bool is = wrong(k, i, h, largest);
            s->trial[i] = is;
            count += is;
            last = is ? i : last;
        }
        if (count == 0) {
            return true;
        }
        bool all = count < best || tries > 0; /* all at once while that helps, then one at a time, which ends */
        tries = count < best ? 4 : tries - 1;
        best = count < best ? count : best;
        for (int i = all ? 0 : last; i <= last; i++) {
            s->contact[i].pushes = s->trial[i] != 0.0 ? !s->contact[i].pushes : s->contact[i].pushes;
        }
    }
    return false;
}

/* ---- at rest */

/* the row of a contact in the assembled equations, turned from one kind into the other */
static void exchange(zw_implicit *k, int i) {
    zw_implicit_contact *c = &k->contacts->contact[i];
    const double        *end = c->end;
    double               own = (c->pushes ? 1.0 : -1.0) * (1.0 - EASE / c->stiff), row[600];
    zw_implicit_add(k, c->block, c->block, 0, 0, 1, 1, &own);
    for (int t = 0; t < c->ntouched; t++) {
        int ncol = k->block[c->touched[t]].ncol;
        for (int c0 = 0; c0 < ncol; c0 += 600) {
            int n = ncol - c0 < 600 ? ncol - c0 : 600;
            for (int l = 0; l < n; l++) {
                row[l] = c->pushes ? -end[c0 + l] : end[c0 + l];
            }
            zw_implicit_add(k, c->block, c->touched[t], 0, c0, 1, n, row);
        }
        end += ncol;
    }
    c->pushes = !c->pushes;
}

static bool factor_and_solve(zw_implicit *k) {
    zw_implicit_contacts *s = k->contacts;
    memcpy(k->dz, s->side, sizeof *k->dz * (size_t)k->nz);
    for (int i = 0; i < s->n; i++) {
        const zw_implicit_contact *c = &s->contact[i];
        int                        at = k->block[c->block].z0;
        k->dz[at] = c->pushes ? -c->rate : -k->z[at];
    }
    if (zw_blocklu_factor(&k->lu) >= 0) {
        return false;
    }
    zw_blocklu_solve(&k->lu, k->dz);
    return true;
}

bool zw_implicit_contacts_settle(zw_implicit *k) {
    enum { ROUNDS = 30 };
    zw_implicit_contacts *s = k->contacts;
    int                   best = s->n + 1, tries = 3;
    save(s, &k->lu);
    memcpy(s->side, k->dz, sizeof *k->dz * (size_t)k->nz);
    for (int i = 0; i < s->n; i++) {
        s->contact[i].first = s->contact[i].pushes;
    }
    for (s->rounds = 1; s->rounds <= ROUNDS; s->rounds++) {
        double largest = 0.0;
        int    count = 0, last = -1;
        if (!factor_and_solve(k)) {
            break;
        }
        for (int i = 0; i < s->n; i++) {
            int at = k->block[s->contact[i].block].z0;
            largest = fmax(largest, fabs(k->z[at] + k->dz[at]));
        }
        for (int i = 0; i < s->n; i++) {
            s->trial[i] = wrong(k, i, 1.0, largest);
            count += s->trial[i] != 0.0;
            last = s->trial[i] != 0.0 ? i : last;
        }
        if (count == 0) {
            return true;
        }
        bool all = count < best || tries > 0;
        tries = count < best ? 3 : tries - 1;
        best = count < best ? count : best;
        restore(s, &k->lu);
        for (int i = all ? 0 : last; i <= last; i++) {
            if (s->trial[i] != 0.0) {
                exchange(k, i);
            }
        }
        save(s, &k->lu);
    }
    restore(s, &k->lu);
    for (int i = 0; i < s->n; i++) {
        if (s->contact[i].pushes != s->contact[i].first) {
            exchange(k, i);
        }
    }
    return factor_and_solve(k);
}

zw_status zw_implicit_contacts_near(zw_implicit *k, const zw_state *x, double margin) {
    zw_implicit_contacts *s = k->contacts;
    const zw_meeting     *found;
    int                   n, had = s->n;
    double                speed;
    zw_meet_speed(s->set.meet, x, &speed, &s->set.reach);
    ZW_TRY(zw_meet_find(s->set.meet, x, margin, &n, &found));
    int64_t *id = zw_alloc(k->c, (size_t)had + 1, sizeof *id, "contacts");
    double  *push = zw_alloc(k->c, (size_t)had + 1, sizeof *push, "contacts");
    if (id == NULL || push == NULL) {
        zw_free(k->c, id);
        zw_free(k->c, push);
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < had; i++) {
        id[i] = s->set.from[i].id;
        push[i] = k->z[k->block[s->contact[i].block].z0];
    }
    zw_status status = zw_contact_set_hold(&s->set, n);
    if (status == ZW_OK) {
        for (int i = 0; i < n; i++) {
            s->set.from[i] = found[i];
            s->set.gap0[i] = found[i].touch.gap;
        }
        s->set.n = n;
        status = zw_implicit_contacts_use(k, x, true);
    }
    for (int i = 0; i < s->n && status == ZW_OK; i++) {
        for (int j = 0; j < had; j++) {
            if (id[j] == s->set.from[i].id) {
                k->z[k->block[s->contact[i].block].z0] = push[j];
            }
        }
    }
    zw_free(k->c, id);
    zw_free(k->c, push);
    s->turns = true;
    return status;
}

zw_status zw_implicit_contacts_missed(zw_implicit *k, const zw_state *x, int *n) {
    zw_implicit_contacts *s = k->contacts;
    const zw_meeting     *found;
    int                   count;
    *n = 0;
    ZW_TRY(zw_meet_find(s->set.meet, x, 0.0, &count, &found));
    for (int i = 0; i < count; i++) {
        bool known = !(found[i].touch.gap < -1e-10 * zw_contact_set_size(&s->set, &found[i]));
        for (int j = 0; j < s->n && !known; j++) {
            known = s->set.from[j].id == found[i].id;
        }
        *n += !known;
    }
    return ZW_OK;
}
