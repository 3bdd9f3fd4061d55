/* SPDX-License-Identifier: Apache-2.0
 * implicit_along.c: equations along rods in an implicit step and at rest. Every section is a tie of its own, so that a rod with a thousand of them costs what a thousand nodes cost;
 * how the directions of their forces change with the state is exact (rows/along.h), because statics and modes read stability from it. */
#include "steps/implicit.h"

#include "rows/along.h"

#include <string.h>

static zw_state rods_at(const zw_implicit *k, const void *rows, const zw_state *x) {
    return zw_implicit_slice(k, zw_along_part(rows), x);
}

zw_status zw_implicit_along(zw_implicit *k, int constraint, int section, zw_tie *t) {
    const zw_constraint *c = &k->y->constraint[constraint];
    int                  n = zw_along_equations(c->self), sides = zw_along_sides(c->self), first = k->part_block[zw_along_part(c->self)];
    size_t               room = 6 * (size_t)n * (size_t)sides;
    *t = (zw_tie){
        .kind = c->velocity_only ? ZW_TIE_VELOCITY : ZW_TIE_PLACES, .constraint = constraint, .along = true, .link = section, .home = -1};
    t->row0 = c->row0 + n * section;
    t->m = n;
    t->touched = zw_arena_alloc(&k->arena, (size_t)sides, sizeof *t->touched, "the integrator");
    t->mean = zw_arena_alloc(&k->arena, 2 * room + 2 * (size_t)n, sizeof *t->mean, "the integrator");
    if (t->touched == NULL || t->mean == NULL) {
        return ZW_E_MEMORY;
    }
    t->end = t->mean + room;
    t->g = t->end + room;
    t->g0 = t->g + n;
    for (int side = 0; side < sides; side++) {
        t->touched[t->ntouched++] = first + zw_along_node(c->self, section, side);
    }
    t->ncolumns = 6 * sides;
    if (sides == 2) {
        double l = zw_along_weight(c->self, section);
        k->shortest = k->shortest > 0.0 && k->shortest < l ? k->shortest : l;
    }
    return ZW_OK;
}

zw_status zw_implicit_along_values(const zw_implicit *k, const zw_tie *t, const zw_state *x, int level, double *c) {
    void    *rows = k->y->constraint[t->constraint].self;
    zw_state at = rods_at(k, rows, x);
    return zw_along_values(rows, t->link, &at, level, c);
}

zw_status zw_implicit_along_rows(const zw_implicit *k, const zw_tie *t, const zw_state *x, double *out) {
    void    *rows = k->y->constraint[t->constraint].self;
    zw_state at = rods_at(k, rows, x);
    double   row[12 * ZW_ALONG_MOST]; /* by rows; wanted: by blocks */
    ZW_TRY(zw_along_rows(rows, t->link, &at, row));
    for (int side = 0; side < t->ntouched; side++) {
        for (int i = 0; i < t->m; i++, out += 6) {
            memcpy(out, row + (ptrdiff_t)(i * t->ntouched + side) * 6, 6 * sizeof *out);
        }
    }
    return ZW_OK;
}

zw_status zw_implicit_along_turns(zw_implicit *k, const zw_tie *t, const zw_state *x, double f, double (*D)[36]) {
    void    *rows = k->y->constraint[t->constraint].self;
    zw_state at = rods_at(k, rows, x);
    int      n = 6 * t->ntouched;
    double   K[144];
    ZW_TRY(zw_along_turns(rows, t->link, &at, k->impulse + t->row0, K));
    for (int i = 0; i < t->ntouched; i++) {
        for (int j = 0; j < t->ntouched; j++) {
            double out[36];
            for (int r = 0; r < 6; r++) {
                for (int c = 0; c < 6; c++) {
                    const double *row = K + (ptrdiff_t)n * (6 * i + r) + 6 * (ptrdiff_t)j;
                    double        sum = D == NULL ? row[c] : 0.0;
                    for (int a = 0; a < 6 && D != NULL; a++) {
                        sum += row[a] * D[j][6 * a + c];
                    }
                    out[6 * r + c] = -f * sum;
                }
            }
            zw_implicit_add(k, t->touched[i], t->touched[j], 0, 0, 6, 6, out);
        }
    }
    return ZW_OK;
}
