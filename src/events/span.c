/* SPDX-License-Identifier: Apache-2.0
 * span.c: which recorded arrays lie in the state as they are, so that they can be looked at without being copied:
 * of rods, position and orientation in q, spin and velocity in v (layout: parts/rod.h); of lagrangian bodies, coordinates in q and, where the velocities
 * are not those of a moving frame, velocities in v, else quasi; of rigid bodies, position in q, velocity in v where they are not planar, and where the axes as
 * written are the principal ones orientation and spin too. */
#include "events/run.h"

#include "parts/rigid.h"
#include "parts/rod.h"
#include "system/system.h"

#include <string.h>

typedef struct field_row {
    const char *name;
    bool        of_v;
    int         first, width; /* in the numbers of a node */
} field_row;

static const field_row table[] = {
    {"position", false, 0, 3},
    {"orientation", false, 3, 4},
    {"spin", true, 0, 3},
    {"velocity", true, 3, 3},
};

static const zw_rod *find_rod(const zw_rods *rods, const char *name, size_t n) {
    for (int i = 0; i < rods->nrods; i++) {
        if (strlen(rods->rod[i].name) == n && memcmp(rods->rod[i].name, name, n) == 0) {
            return &rods->rod[i];
        }
    }
    return NULL;
}

static bool lagrangian_span(const zw_run *r, const char *name, zw_span *out) {
    const char     *slash = strrchr(name, '/');
    const zw_part  *part;
    const zw_state *x = &r->x[r->now];
    zw_system_parts(r->system, &part);
    for (int i = 0; slash != NULL && i < r->model->nbodies; i++) {
        const zw_body_def *b = &r->model->bodies[i];
        if (b->kind != ZW_BODY_LAGRANGIAN || strlen(b->name) != (size_t)(slash - name) ||
            memcmp(b->name, name, (size_t)(slash - name)) != 0) {
            continue;
        }
        int  p = r->system->body_part[i];
        bool velocities = strcmp(slash + 1, b->lagrangian.nquasi > 0 ? "quasi" : "velocities") == 0;
        if (!velocities && strcmp(slash + 1, "coordinates") != 0) {
            return false;
        }
        *out = (zw_span){.data = velocities ? x->v + part[p].v0 : x->q + part[p].q0, .rank = 1, .shape = {b->lagrangian.n}, .stride = {1}};
        return true;
    }
    return false;
}

static bool rigid_span(const zw_run *r, const char *name, zw_span *out) {
    const char     *slash = strrchr(name, '/');
    const zw_part  *part;
    const zw_state *x = &r->x[r->now];
    int             nparts = zw_system_parts(r->system, &part);
    for (int p = 0; slash != NULL && p < nparts; p++) {
        const zw_rigids *all = part[p].ops == &zw_rigids_ops ? part[p].self : NULL;
        for (int i = 0; all != NULL && i < all->nbodies; i++) {
            const zw_rigid *b = &all->body[i];
            if (strlen(b->name) != (size_t)(slash - name) || memcmp(b->name, name, (size_t)(slash - name)) != 0) {
                continue;
            }
            bool as_written = b->axes[0] == 1.0;
            for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
                const field_row *row = &table[k];
                bool             turned = row->first == (row->of_v ? 0 : 3); /* orientation and spin are of the principal axes */
                if (strcmp(slash + 1, row->name) == 0 && !(row->of_v && b->planar) && (as_written || !turned)) {
                    *out = (zw_span){.data = (row->of_v ? x->v + part[p].v0 + b->v0 : x->q + part[p].q0 + b->q0) + row->first,
                                     .rank = 1,
                                     .shape = {row->width},
                                     .stride = {1}};
                    return true;
                }
            }
            return false;
        }
    }
    return false;
}

bool zw_run_span(const zw_run *r, const char *channel, zw_span *out) {
    if (strncmp(channel, "lagrangian/", 11) == 0) {
        return lagrangian_span(r, channel + 11, out);
    }
    if (strncmp(channel, "rigid/", 6) == 0) {
        return rigid_span(r, channel + 6, out);
    }
    if (strncmp(channel, "rod/", 4) != 0) {
        return false;
    }
    const char      *name = channel + 4, *slash = strrchr(name, '/');
    const field_row *row = NULL;
    for (size_t i = 0; slash != NULL && i < sizeof table / sizeof *table; i++) {
        row = strcmp(slash + 1, table[i].name) == 0 ? &table[i] : row;
    }
    const zw_part  *part;
    int             nparts = zw_system_parts(r->system, &part);
    const zw_state *x = &r->x[r->now];
    for (int p = 0; row != NULL && p < nparts; p++) {
        const zw_rod *rod = part[p].ops == &zw_rods_ops ? find_rod(part[p].self, name, (size_t)(slash - name)) : NULL;
        if (rod != NULL) {
            int           every = row->of_v ? ZW_ROD_NV : ZW_ROD_NQ;
            const double *of_part = row->of_v ? x->v + part[p].v0 : x->q + part[p].q0;
            *out = (zw_span){.data = of_part + (ptrdiff_t)every * rod->node0 + row->first,
                             .rank = 2,
                             .shape = {rod->nnodes, row->width},
                             .stride = {every, 1}};
            return true;
        }
    }
    return false;
}
