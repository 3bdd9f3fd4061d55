/* SPDX-License-Identifier: Apache-2.0
 * implicit_links.c: strains of rods that are held, in an implicit step: Gamma at the END of the step, forces along discrete gradients (rows/kirchhoff.h), so that they
 * do no work and have no moment.
 *
 * Where their multipliers live. Rows of a link act on the places of both of its nodes, and without them nothing holds those places in statics. Eliminating blocks in any order
 * is sound when each block brings at most the rows that hold its own place: from the clamps outwards, each node is given the link or joint by which it is reached first. Rows
 * that would reach a node a second time close a loop; they, and joints that leave a way free, are blocks of their own behind all others. Where nothing clamps a network, one node begins
 * and comes last of all, with the rows that are left to it: until then nothing need hold it. A tree has no loops: its cost is linear. */
#include "steps/implicit.h"

#include "rows/along.h"
#include "rows/bilinear.h"
#include "rows/kirchhoff.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define EASE \
    1e-12 /* what redundant rows give way, of the compliance of their nodes: far above round-off of long rods, far below what slows Newton */

int zw_implicit_ties_of(const zw_constraint *c) {
    return c->ops == &zw_kirchhoff_ops ? zw_kirchhoff_links(c->self) : zw_along_is(c) ? zw_along_sections(c->self) : 1;
}

void zw_implicit_link(zw_implicit *k, int constraint, int link, zw_tie *t) {
    const zw_constraint *c = &k->y->constraint[constraint];
    int                  held = zw_kirchhoff_held(c->self), first = k->part_block[zw_kirchhoff_part(c->self)];
    *t = (zw_tie){.kind = ZW_TIE_LINK, .constraint = constraint, .row0 = c->row0 + held * link, .m = held, .link = link, .home = -1};
    for (int side = 0; side < 2; side++) {
        t->block[side] = first + zw_kirchhoff_node(c->self, link, side);
    }
    double l = zw_kirchhoff_length(c->self, link);
    k->shortest = k->shortest > 0.0 && k->shortest < l ? k->shortest : l;
}

/* ---- homes */

typedef struct walk {
    zw_implicit   *k;
    int           *start, *list; /* ties of each block */
    int           *queue, head, tail;
    unsigned char *reached, *linked; /* blocks; linked: a node of a rod that holds strains */
} walk;

/* does a tie hold the place of what it acts on, all of it? */
static bool holds_place(const zw_implicit *k, const zw_tie *t) {
    const zw_constraint *c = &k->y->constraint[t->constraint];
    return t->kind == ZW_TIE_LINK || ((c->ops == &zw_joint_ops || c->ops == &zw_joint_exact_ops) && ((const zw_joint *)c->self)->npos == 3);
}

static void give_home(walk *w, zw_tie *t, int block) {
    t->home = block;
    t->at = w->k->block[block].nrows;
    w->k->block[block].nrows += t->m;
}

static void reach(walk *w, int block) {
    w->reached[block] = 1;
    w->queue[w->tail++] = block;
}

static bool takes(const walk *w, int block, const zw_tie *t) {
    return !w->reached[block] && w->k->block[block].nrows == 0 && w->k->block[block].ncol >= t->m;
}

static void spread(walk *w) {
    while (w->head < w->tail) {
        int b = w->queue[w->head++];
        for (int i = w->start[b]; i < w->start[b + 1]; i++) {
            zw_tie *t = &w->k->tie[w->list[i]];
            for (int j = 0; t->home < 0 && holds_place(w->k, t) && j < zw_tie_touched(t); j++) {
                int to = zw_tie_touched_block(t, j);
                if (takes(w, to, t)) {
                    give_home(w, t, to);
                    reach(w, to);
                }
            }
        }
    }
}

static void own_block(zw_implicit *k, zw_tie *t, int number) {
    k->block[k->nblocks] = (zw_implicit_block){.part = -1, .index = number, .last = 1, .nrows = t->m};
    t->home = k->nblocks++;
    t->at = 0;
}

/* a support that holds a place: as the beginning of what hangs on it. whole: turns are held too */
static void begin_at_supports(walk *w, bool whole) {
    zw_implicit *k = w->k;
    for (int i = 0; i < k->nties; i++) {
        zw_tie *t = &k->tie[i];
        int     b = zw_tie_touched(t) == 1 ? zw_tie_touched_block(t, 0) : -1;
        if (b < 0 || !holds_place(k, t) || !takes(w, b, t) || (whole && t->m < k->block[b].ncol)) {
            continue;
        }
        give_home(w, t, b);
        reach(w, b);
        if (!whole && w->linked[b]) {
            k->block[b].last = 2;
            spread(w); /* one is enough: what else holds it closes a loop */
        }
    }
    spread(w);
}

/* what is left: with a body that has columns for it, or with one that comes last of all, but not with another node of such a rod */
static void place_rest(walk *w) {
    zw_implicit *k = w->k;
    for (int i = 0; i < k->nties; i++) {
        zw_tie *t = &k->tie[i];
        int     best = -1, left = t->m - 1;
        for (int j = 0; t->home < 0 && j < zw_tie_touched(t); j++) {
            int  b = zw_tie_touched_block(t, j), room = k->block[b].last == 2 ? INT_MAX : k->block[b].ncol - k->block[b].nrows;
            bool own = t->along && t->ntouched == 1; /* a section's rows act on its node alone: with it the cost stays linear */
            if ((!w->linked[b] || k->block[b].last == 2 || own) && room > left) {
                left = room;
                best = b;
            }
        }
        if (t->home < 0 && best >= 0) {
            give_home(w, t, best);
        } else if (t->home < 0) {
            own_block(k, t, i);
        }
    }
}

static void walk_all(walk *w, int nblocks) {
    begin_at_supports(w, true);
    begin_at_supports(w, false);
    for (int b = 0; b < nblocks; b++) { /* networks that no support holds */
        if (w->linked[b] && !w->reached[b]) {
            w->k->block[b].last = 2;
            reach(w, b);
            spread(w);
        }
    }
    place_rest(w);
}

zw_status zw_implicit_link_homes(zw_implicit *k, bool *found) {
    size_t nblocks = (size_t)k->nblocks, room = 0;
    *found = false;
    for (int i = 0; i < k->nties; i++) {
        *found = *found || k->tie[i].kind == ZW_TIE_LINK;
        room += (size_t)zw_tie_touched(&k->tie[i]);
    }
    if (!*found) {
        return ZW_OK;
    }
    ZW_TRY(zw_implicit_stays(k->y, "a model of rods that hold strains, in implicit steps,"));
    walk w = {.k = k};
    w.start = zw_arena_alloc(&k->arena, nblocks + 2, sizeof *w.start, "the integrator");
    w.list = zw_arena_alloc(&k->arena, room + 1, sizeof *w.list, "the integrator");
    w.queue = zw_arena_alloc(&k->arena, nblocks + 1, sizeof *w.queue, "the integrator");
    w.reached = zw_arena_alloc(&k->arena, nblocks + 1, sizeof *w.reached, "the integrator");
    w.linked = zw_arena_alloc(&k->arena, nblocks + 1, sizeof *w.linked, "the integrator");
    if (w.start == NULL || w.list == NULL || w.queue == NULL || w.reached == NULL || w.linked == NULL) {
        return ZW_E_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) { /* count, then fill; the starts move by one block while filling */
        for (int i = 0; i < k->nties; i++) {
            const zw_tie *t = &k->tie[i];
            for (int j = 0; j < zw_tie_touched(t); j++) {
                int b = zw_tie_touched_block(t, j);
                if (pass == 0) {
                    w.start[b + 2]++;
                    w.linked[b] = w.linked[b] || t->kind == ZW_TIE_LINK;
                } else {
                    w.list[w.start[b + 1]++] = i;
                }
            }
        }
        for (size_t b = 2; b <= nblocks && pass == 0; b++) {
            w.start[b] += w.start[b - 1];
        }
    }
    walk_all(&w, (int)nblocks);
    return ZW_OK;
}

/* ---- rows */

static const zw_part *part_of(const zw_implicit *k, int block) {
    return &k->y->part[k->block[block].part];
}

static void node_of(const zw_implicit *k, int block, const zw_state *x, zw_secant_node *out) {
    zw_state part = zw_implicit_slice(k, k->block[block].part, x);
    part_of(k, block)->ops->secant->node(part_of(k, block)->self, &part, k->block[block].index, out);
}

/* D: turns and ways of the step per change of u, over h: 6 x 6 */
static void ways_of(const zw_implicit *k, int block, const zw_state *x0, double h, double *D) {
    const zw_part *p = part_of(k, block);
    zw_state       part = zw_implicit_slice(k, k->block[block].part, x0);
    double         P[36]; /* the columns of a rod are (w, v) themselves */
    p->ops->secant->columns_of(p->self, &part, k->u + p->v0, h, k->block[block].index, P, D);
}

/* out (m x 6) = a (m rows of 12, half of them from `from` on) D */
static void times_ways(int m, const double *a, int from, const double *D, double f, double *out) {
    for (int i = 0; i < m; i++) {
        for (int c = 0; c < 6; c++) {
            double sum = 0.0;
            for (int n = 0; n < 6; n++) {
                sum += a[12 * i + from + n] * D[6 * n + c];
            }
            out[6 * i + c] = f * sum;
        }
    }
}

void zw_implicit_link_rows(zw_implicit *k, zw_tie *t, const zw_state *x0, double h, const zw_state *x1, bool derivative,
                           zw_secant_sum *sum) {
    const void              *rows = k->y->constraint[t->constraint].self;
    const zw_implicit_block *home = &k->block[t->home];
    const double            *impulse = k->impulse + t->row0;
    zw_secant_node           node[2][2]; /* side, time */
    double                   g[3], mean[3][12], end[3][12], D[2][36], K[144], block[36];
    for (int side = 0; side < 2; side++) {
        node_of(k, t->block[side], x0, &node[side][0]);
        node_of(k, t->block[side], x1, &node[side][1]);
    }
    zw_kirchhoff_secant(rows, t->link, node[0], node[1], g, mean, end);
    for (int i = 0; i < t->m; i++) {
        k->r[home->z0 + home->ncol + t->at + i] = g[i] / h;
        for (int c = 0; c < 12; c++) {
            int    column = k->block[t->block[c / 6]].col0 + c % 6;
            double moved = mean[i][c] * impulse[i];
            k->ru[column] -= moved;
            k->size[column] += fabs(moved);
            sum->work += moved * k->u[column];
        }
    }
    if (!derivative) {
        return;
    }
    zw_kirchhoff_turns(rows, t->link, node[0], node[1], impulse, K);
    for (int side = 0; side < 2; side++) {
        int           b = t->block[side], width = k->block[b].ncol + k->block[b].nrows;
        double        push[18];
        bool          flipped;
        const double *own = zw_blocklu_block(&k->lu, b, b, &flipped);
        ways_of(k, b, x0, h, D[side]);
        times_ways(t->m, &end[0][0], 6 * side, D[side], 1.0, block);
        zw_implicit_add(k, t->home, b, home->ncol + t->at, 0, t->m, 6, block);
        for (int i = 0; i < t->m; i++) {
            for (int c = 0; c < 6; c++) {
                double stiff = fabs(own[(ptrdiff_t)c * width + c]), size = fabs(mean[i][6 * side + c] * end[i][6 * side + c]);
                double least = c < 3 ? 0.0 : h * h / zw_kirchhoff_ease(rows, t->link); /* at rest nothing but rows holds a place */
                push[t->m * c + i] = -mean[i][6 * side + c];
                k->ease[t->row0 + i] += stiff > least ? EASE * size / stiff : least > 0.0 ? EASE * size / least : 0.0;
            }
        }
        zw_implicit_add(k, b, t->home, 0, home->ncol + t->at, 6, t->m, push);
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            times_ways(6, K + 72 * i, 6 * j, D[j], -h * k->share, block);
            zw_implicit_add(k, t->block[i], t->block[j], 0, 0, 6, 6, block);
        }
    }
}
