/* SPDX-License-Identifier: Apache-2.0
 * implicit_pattern.c: blocks of unknowns and the pattern of their equations; see implicit.h. */
#include "steps/implicit.h"

#include "rows/along.h"
#include "rows/bilinear.h"
#include "steps/implicit_contact.h"
#include "rows/kirchhoff.h"

#include <string.h>

zw_state zw_implicit_slice(const zw_implicit *k, int part, const zw_state *x) {
    const zw_part *p = &k->y->part[part];
    return (zw_state){.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0, .s = x->s + p->s0};
}

static zw_status list_blocks(zw_implicit *k) {
    zw_system *y = k->y;
    int        n = 0, most = 0; /* a tie that finds no home is a block of its own */
    for (int i = 0; i < y->nconstraints; i++) {
        most += zw_implicit_ties_of(&y->constraint[i]);
    }
    for (int i = 0; i < y->nparts; i++) {
        const zw_secant_ops *s = y->part[i].ops->secant;
        most += s != NULL ? s->blocks(y->part[i].self) : 1;
    }
    k->block = zw_arena_alloc(&k->arena, (size_t)most + 1, sizeof *k->block, "the integrator");
    k->part_block = zw_arena_alloc(&k->arena, (size_t)y->nparts + 1, sizeof *k->part_block, "the integrator");
    if (k->block == NULL || k->part_block == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < y->nparts; i++) {
        const zw_part       *p = &y->part[i];
        const zw_secant_ops *s = p->ops->secant;
        int                  col = p->v0;
        k->part_block[i] = n;
        if (s == NULL && (p->ops->chart_rate != NULL || p->ops->bracket != NULL)) {
            return zw_raise(k->c, ZW_E_UNSUPPORTED, "run.integrator", "use gauss", "energy-momentum does not know bodies of the kind '%s'",
                            p->ops->kind);
        }
        for (int b = 0, count = s != NULL ? s->blocks(p->self) : 1; b < count; b++) {
            int ncol = s != NULL ? s->columns(p->self, b) : p->ops->size(p->self).nv;
            k->block[n++] = (zw_implicit_block){.part = i, .index = b, .col0 = col, .ncol = ncol};
            col += ncol;
        }
    }
    k->nblocks = n;
    return ZW_OK;
}

int zw_implicit_block_of(const zw_implicit *k, int col) {
    int lo = 0, hi = k->nblocks - 1;
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (k->block[mid].ncol > 0 && k->block[mid].col0 <= col) {
            lo = mid;
        } else {
            hi = mid - 1;
        }
    }
    return lo;
}

static bool lever_of(const zw_implicit *k, const zw_place *p, zw_lever *lever, int *block) {
    const zw_part *part = &k->y->part[p->part];
    if (p->track > 0 || part->ops->secant == NULL || part->ops->secant->lever == NULL || !part->ops->secant->lever(part->self, p, lever)) {
        return false;
    }
    *block = k->part_block[p->part] + lever->block;
    return true;
}

/* all nodes that a constraint which travels along rods may come to; its impulses live in a block of their own, as no node keeps them */
static zw_status list_travelled(zw_implicit *k, zw_tie *t, int n) {
    int *column = zw_alloc(k->c, (size_t)n, sizeof *column, "the integrator");
    if (column == NULL) {
        return ZW_E_MEMORY;
    }
    zw_system_travelled(k->y, t->constraint, column);
    for (int i = 0; i < n; i++) {
        int  b = zw_implicit_block_of(k, column[i]);
        bool known = false;
        for (int j = 0; j < t->ntouched; j++) {
            known = known || t->touched[j] == b;
        }
        if (!known) {
            t->touched[t->ntouched++] = b;
            t->ncolumns += k->block[b].ncol;
        }
    }
    zw_free(k->c, column);
    t->travels = true;
    return ZW_OK;
}

/* the blocks that the rows of a constraint touch at the start, and room for its rows */
static zw_status list_touched(zw_implicit *k, const zw_state *x, zw_tie *t) {
    const zw_constraint *c = &k->y->constraint[t->constraint];
    k->rows.m = k->rows.ntiles = k->rows.nblocks = 0;
    k->rows.nvalues = 0;
    ZW_TRY(c->ops->rows(c->self, k->y, x, &k->rows));
    int most = k->rows.nblocks, travelled = zw_system_travelled(k->y, t->constraint, NULL);
    t->touched = zw_arena_alloc(&k->arena, 2 * (size_t)most + (size_t)travelled + 1, sizeof *t->touched, "the integrator");
    if (t->touched == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < k->rows.nblocks; i++) { /* a block of a row may reach over two of ours */
        int first = zw_implicit_block_of(k, k->rows.block[i].col0),
            last = zw_implicit_block_of(k, k->rows.block[i].col0 + k->rows.block[i].ncol - 1);
        for (int b = first; b <= last; b++) {
            bool known = false;
            for (int j = 0; j < t->ntouched; j++) {
                known = known || t->touched[j] == b;
            }
            if (!known && t->ntouched < 2 * most) {
                t->touched[t->ntouched++] = b;
                t->ncolumns += k->block[b].ncol;
            }
        }
    }
    ZW_TRY(travelled > 0 ? list_travelled(k, t, travelled) : ZW_OK);
    size_t room = (size_t)t->m * (size_t)t->ncolumns;
    t->mean = zw_arena_alloc(&k->arena, 2 * room + 2 * (size_t)t->m + 1, sizeof *t->mean, "the integrator");
    if (t->mean == NULL) {
        return ZW_E_MEMORY;
    }
    t->end = t->mean + room;
    t->g = t->end + room;
    t->g0 = t->g + t->m;
    return ZW_OK;
}

static zw_status list_ties(zw_implicit *k, const zw_state *x) {
    zw_system *y = k->y;
    k->nties = 0;
    for (int i = 0; i < y->nconstraints; i++) {
        k->nties += zw_implicit_ties_of(&y->constraint[i]);
    }
    k->tie = zw_arena_alloc(&k->arena, (size_t)k->nties + 1, sizeof *k->tie, "the integrator");
    int tiles = 1, rows = 1, blocks = 1, values = 1;
    for (int i = 0; i < y->nconstraints; i++) {
        int t, r, b, v;
        y->constraint[i].ops->count(y->constraint[i].self, &t, &r, &b, &v);
        tiles = t > tiles ? t : tiles;
        rows = r > rows ? r : rows;
        blocks = b > blocks ? b : blocks;
        values = v > values ? v : values;
    }
    k->rows.tile = zw_arena_alloc(&k->arena, (size_t)tiles, sizeof *k->rows.tile, "the integrator");
    k->rows.block = zw_arena_alloc(&k->arena, (size_t)blocks, sizeof *k->rows.block, "the integrator");
    k->rows.a = zw_arena_alloc(&k->arena, (size_t)values, sizeof *k->rows.a, "the integrator");
    if (k->tie == NULL || k->rows.tile == NULL || k->rows.block == NULL || k->rows.a == NULL) {
        return ZW_E_MEMORY;
    }
    zw_tie *t = k->tie;
    for (int i = 0; i < y->nconstraints; i++, t++) {
        const zw_constraint *c = &y->constraint[i];
        if (c->ops == &zw_kirchhoff_ops) {
            for (int link = 0, links = zw_implicit_ties_of(c); link < links; link++) {
                zw_implicit_link(k, i, link, link + 1 < links ? t++ : t);
            }
            continue;
        }
        if (zw_along_is(c)) {
            for (int section = 0, sections = zw_implicit_ties_of(c); section < sections; section++) {
                ZW_TRY(zw_implicit_along(k, i, section, section + 1 < sections ? t++ : t));
            }
            continue;
        }
        *t = (zw_tie){.kind = c->velocity_only ? ZW_TIE_VELOCITY : ZW_TIE_PLACES, .constraint = i, .row0 = c->row0, .m = c->m, .home = -1};
        if (c->ops == &zw_joint_ops || c->ops == &zw_joint_exact_ops) {
            const zw_joint *j = c->self;
            t->ground = j->ground;
            if (lever_of(k, &j->a, &t->lever[0], &t->block[0]) && (j->ground || lever_of(k, &j->b, &t->lever[1], &t->block[1]))) {
                t->kind = ZW_TIE_LEVERS;
                continue;
            }
        }
        ZW_TRY(list_touched(k, x, t));
    }
    return ZW_OK;
}

int zw_tie_touched(const zw_tie *t) {
    return t->kind == ZW_TIE_LEVERS || t->kind == ZW_TIE_LINK ? (t->ground ? 1 : 2) : t->ntouched;
}

int zw_tie_touched_block(const zw_tie *t, int i) {
    return t->kind == ZW_TIE_LEVERS || t->kind == ZW_TIE_LINK ? t->block[i] : t->touched[i];
}

/* A tie lives with the body it touches that has most columns left; where none has enough it is a block of its own. Supports come first, then chains outwards: the order of the model,
 * which a user writes from the root to the tip. */
static zw_status find_homes(zw_implicit *k) {
    bool done;
    ZW_TRY(zw_implicit_link_homes(k, &done));
    for (int i = 0; i < k->nties && !done; i++) {
        zw_tie *t = &k->tie[i];
        int     best = -1, left = t->m - 1;
        for (int j = 0; j < zw_tie_touched(t) && !t->travels; j++) {
            int b = zw_tie_touched_block(t, j), room = k->block[b].ncol - k->block[b].nrows;
            if (room > left) {
                left = room;
                best = b;
            }
        }
        if (best < 0) {
            best = k->nblocks++;
            k->block[best] = (zw_implicit_block){.part = -1, .index = i, .last = 1};
        }
        t->home = best;
        t->at = k->block[best].nrows;
        k->block[best].nrows += t->m;
    }
    k->nz = 0;
    for (int i = 0; i < k->nblocks; i++) {
        k->block[i].z0 = k->nz;
        k->nz += k->block[i].ncol + k->block[i].nrows;
    }
    return ZW_OK;
}

typedef struct pairs {
    int n, room, (*pair)[2];
} pairs;

static void add_pair(pairs *p, int i, int j) {
    if (i != j && p->n < p->room) {
        p->pair[p->n][0] = i;
        p->pair[p->n][1] = j;
        p->n++;
    }
}

static int compare_pair(const int a[2], const int b[2]) {
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] != b[1] ? (a[1] < b[1] ? -1 : 1) : 0;
}

static void sort_pairs(pairs *p, int (*work)[2]) { /* merge sort: no order depends on the library */
    for (int width = 1; width < p->n; width *= 2) {
        for (int lo = 0; lo < p->n; lo += 2 * width) {
            int mid = lo + width < p->n ? lo + width : p->n, hi = lo + 2 * width < p->n ? lo + 2 * width : p->n, a = lo, b = mid;
            for (int i = lo; i < hi; i++) {
                int *from = a < mid && (b >= hi || compare_pair(p->pair[a], p->pair[b]) <= 0) ? p->pair[a++] : p->pair[b++];
                work[i][0] = from[0];
                work[i][1] = from[1];
            }
        }
        memcpy(p->pair, work, sizeof *p->pair * (size_t)p->n);
    }
}

zw_status zw_implicit_pattern(zw_implicit *k, zw_arena *arena, zw_blocklu *out) {
    zw_system *y = k->y;
    size_t     room = 1;
    for (int i = 0; i < y->nparts; i++) {
        room += y->part[i].ops->secant != NULL ? (size_t)y->part[i].ops->secant->pairs(y->part[i].self) : 0;
    }
    for (int i = 0; i < k->nties; i++) {
        size_t n = (size_t)zw_tie_touched(&k->tie[i]) + 1;
        room += n * n;
    }
    room += (size_t)k->nsprings;
    int contacts = k->contacts != NULL ? k->contacts->n : 0;
    for (int i = 0; i < contacts; i++) {
        size_t n = (size_t)k->contacts->contact[i].ntouched + 1;
        room += n * n;
    }
    room *= 2;
    pairs     p = {.room = (int)room};
    zw_status status = ZW_OK;
    int(*work)[2] = zw_alloc(k->c, room, sizeof *work, "the integrator");
    int *start = zw_alloc(k->c, (size_t)k->nblocks + 1, sizeof *start, "the integrator");
    int *adj = zw_alloc(k->c, room, sizeof *adj, "the integrator"),
        *size = zw_alloc(k->c, (size_t)k->nblocks + 1, sizeof *size, "the integrator");
    unsigned char *last = zw_alloc(k->c, (size_t)k->nblocks + 1, sizeof *last, "the integrator");
    p.pair = zw_alloc(k->c, room, sizeof *p.pair, "the integrator");
    if (work == NULL || start == NULL || adj == NULL || size == NULL || last == NULL || p.pair == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    for (int i = 0; i < y->nparts; i++) {
        const zw_secant_ops *s = y->part[i].ops->secant;
        for (int n = 0, count = s != NULL ? s->pairs(y->part[i].self) : 0; n < count; n++) {
            int pair[2];
            s->pair(y->part[i].self, n, pair);
            add_pair(&p, k->part_block[i] + pair[0], k->part_block[i] + pair[1]);
            add_pair(&p, k->part_block[i] + pair[1], k->part_block[i] + pair[0]);
        }
    }
    for (int i = 0; i < k->nties; i++) { /* impulses turn with the bodies: all that it touches couple */
        const zw_tie *t = &k->tie[i];
        for (int a = 0; a < zw_tie_touched(t); a++) {
            add_pair(&p, t->home, zw_tie_touched_block(t, a));
            add_pair(&p, zw_tie_touched_block(t, a), t->home);
            for (int b = 0; b < zw_tie_touched(t); b++) {
                add_pair(&p, zw_tie_touched_block(t, a), zw_tie_touched_block(t, b));
            }
        }
    }
    for (int i = 0; i < k->nsprings; i++) {
        const zw_implicit_spring *s = &k->spring[i];
        if (s->exact && s->block[0] >= 0 && s->block[1] >= 0) {
            add_pair(&p, s->block[0], s->block[1]);
            add_pair(&p, s->block[1], s->block[0]);
        }
    }
    for (int i = 0; i < contacts; i++) {
        const zw_implicit_contact *c = &k->contacts->contact[i];
        for (int a = 0; a < c->ntouched; a++) {
            add_pair(&p, c->block, c->touched[a]);
            add_pair(&p, c->touched[a], c->block);
            for (int b = 0; b < c->ntouched; b++) {
                add_pair(&p, c->touched[a], c->touched[b]);
            }
        }
    }
    sort_pairs(&p, work);
    int count = 0, at = 0;
    for (int i = 0; i < k->nblocks; i++) {
        start[i] = count;
        size[i] = k->block[i].ncol + k->block[i].nrows;
        last[i] = k->block[i].last;
        for (; at < p.n && p.pair[at][0] == i; at++) {
            if (count == start[i] || adj[count - 1] != p.pair[at][1]) {
                adj[count++] = p.pair[at][1];
            }
        }
    }
    start[k->nblocks] = count;
    status = zw_blocklu_analyse(arena, k->nblocks, start, adj, size, last, out);
done:
    zw_free(k->c, work);
    zw_free(k->c, start);
    zw_free(k->c, adj);
    zw_free(k->c, size);
    zw_free(k->c, last);
    zw_free(k->c, p.pair);
    return status;
}

static zw_status list_springs(zw_implicit *k) {
    k->nsprings = k->y->nsprings;
    k->spring = zw_arena_alloc(&k->arena, (size_t)k->nsprings + 1, sizeof *k->spring, "the integrator");
    if (k->spring == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < k->nsprings; i++) {
        const zw_spring    *from = &k->y->spring[i];
        zw_implicit_spring *s = &k->spring[i];
        *s = (zw_implicit_spring){.spring = i, .block = {-1, -1}};
        s->exact = lever_of(k, &from->a, &s->lever[0], &s->block[0]) && (from->ground || lever_of(k, &from->b, &s->lever[1], &s->block[1]));
        if (!s->exact) {
            return zw_raise(k->c, ZW_E_UNSUPPORTED, k->y->model->constraints[from->constraint].name,
                            "fasten it to a node of the rod or to a rigid body, or use gauss",
                            "energy-momentum takes springs between rigid bodies, nodes of rods and the ground only");
        }
    }
    return ZW_OK;
}

static zw_status reserve(zw_implicit *k) {
    size_t nv = (size_t)k->n.nv, m = (size_t)k->m, nz = (size_t)k->nz;
    struct {
        double **at;
        size_t   count;
    } const list[] = {{&k->u, nv},      {&k->ru, nv},  {&k->size, nv}, {&k->f, nv}, {&k->fu, nv}, {&k->flat, 8 * nv},
                      {&k->impulse, m}, {&k->ease, m}, {&k->z, nz},    {&k->r, nz}, {&k->dz, nz}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i].at = zw_arena_alloc(&k->arena, list[i].count + 1, sizeof(double), "the integrator");
        if (*list[i].at == NULL) {
            return ZW_E_MEMORY;
        }
    }
    ZW_TRY(zw_state_create(k->c, &k->n, &k->xm));
    return zw_state_create(k->c, &k->n, &k->near);
}

zw_status zw_implicit_stays(zw_system *y, const char *what) {
    const char *name = zw_system_slides_along(y);
    return name == NULL ? ZW_OK
                        : zw_raise(zw_system_context(y), ZW_E_UNSUPPORTED, "constraints", "use run.integrator: verlet or energy-momentum",
                                   "'%s' travels along a rod, which %s cannot follow", name, what);
}

zw_status zw_implicit_create(zw_system *y, zw_implicit *k) {
    zw_status status = ZW_OK;
    *k = (zw_implicit){.y = y, .c = y->context, .n = y->size, .m = zw_system_rows_count(y), .share = 1.0};
    zw_arena_init(&k->arena, k->c);
    ZW_TRY_GOTO(list_blocks(k), fail);
    ZW_TRY_GOTO(zw_state_create(k->c, &k->n, &k->xm), fail);
    ZW_TRY_GOTO(zw_system_start(y, &k->xm), fail);
    ZW_TRY_GOTO(list_ties(k, &k->xm), fail);
    ZW_TRY_GOTO(list_springs(k), fail);
    zw_state_destroy(k->c, &k->xm);
    ZW_TRY_GOTO(find_homes(k), fail);
    ZW_TRY_GOTO(zw_implicit_pattern(k, &k->arena, &k->lu), fail);
    ZW_TRY_GOTO(reserve(k), fail);
    return ZW_OK;
fail:
    zw_implicit_destroy(k);
    return status;
}

void zw_implicit_destroy(zw_implicit *k) {
    zw_implicit_contacts_destroy(k);
    zw_state_destroy(k->c, &k->xm);
    zw_state_destroy(k->c, &k->near);
    zw_arena_destroy(&k->arena);
}

void zw_implicit_add(zw_implicit *k, int i, int j, int r0, int c0, int m, int n, const double *a) {
    bool    turned;
    double *to = zw_blocklu_block(&k->lu, i, j, &turned);
    if (to == NULL) {
        return;
    }
    int rows = k->block[i].ncol + k->block[i].nrows, cols = k->block[j].ncol + k->block[j].nrows;
    for (int r = 0; r < m; r++) {
        for (int c = 0; c < n; c++) {
            to[turned ? (c0 + c) * rows + r0 + r : (r0 + r) * cols + c0 + c] += a[r * n + c];
        }
    }
}

static void add_of_part(void *self, int i, int j, const double *a) {
    const zw_implicit_into *into = self;
    zw_implicit            *k = into->k;
    int                     b = k->part_block[into->part] + i, c = k->part_block[into->part] + j;
    zw_implicit_add(k, b, c, 0, 0, k->block[b].ncol, k->block[c].ncol, a);
}

zw_secant_sink zw_implicit_sink(zw_implicit_into *into) {
    return (zw_secant_sink){.self = into, .add = add_of_part};
}
