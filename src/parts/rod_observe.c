/* SPDX-License-Identifier: Apache-2.0
 * rod_observe.c: what can be recorded of rods: one channel per rod and field, "rod/NAME/FIELD", and constants once per epoch. Fields that growing rods have besides
 * are in rod_growth_observe.c, behind those of this table. */
#include "parts/rod.h"

#include "math/vec3.h"
#include "parts/rod_grow.h"
#include "parts/rod_growth_observe.h"
#include "parts/rod_zwang.h"

#include <stdio.h>
#include <string.h>

typedef enum rod_field {
    POSITION,
    ORIENTATION,
    VELOCITY,
    SPIN,
    CURVATURE,
    STRAIN,
    FORCE,
    MOMENT,
    LABEL,
    RADIUS,
    CLOSED,
    NFIELDS
} rod_field;

typedef struct field_row {
    const char *name, *unit;
    int         width;
    bool        of_links, constant;
} field_row;

static const field_row table[NFIELDS] = {
    [POSITION] = {"position", "m", 3, false, false},       /* space                             */
    [ORIENTATION] = {"orientation", "1", 4, false, false}, /* quaternion w x y z                 */
    [VELOCITY] = {"velocity", "m/s", 3, false, false},     /* space                             */
    [SPIN] = {"spin", "rad/s", 3, false, false},           /* angular velocity, directors       */
    [CURVATURE] = {"curvature", "1/m", 3, true, false},    /* directors                         */
    [STRAIN] = {"strain", "1", 3, true, false},            /* shear, shear, stretch; directors  */
    [FORCE] = {"force", "N", 3, true, false},              /* elastic, directors                */
    [MOMENT] = {"moment", "N m", 3, true, false},          /* elastic, directors                */
    [LABEL] = {"label", "m", 1, false, true},
    [RADIUS] = {"radius", "m", 1, false, true},
    [CLOSED] = {"closed", "1", 0, false, true},
};

enum { EVERY = NFIELDS + ZW_ROD_GROWTH_FIELDS };

bool zw_rods_field(const void *self, int i, zw_channel *out, bool *constant) {
    const zw_rods *rods = self;
    if (i >= EVERY * rods->nrods) {
        return false;
    }
    const zw_rod *r = &rods->rod[i / EVERY];
    *constant = false;
    if (i % EVERY >= NFIELDS) {
        return zw_rod_growth_field(r, i % EVERY - NFIELDS, out);
    }
    const field_row *row = &table[i % EVERY];
    *out = (zw_channel){0};
    snprintf(out->name, sizeof out->name, "rod/%s/%s", r->name, row->name);
    snprintf(out->unit, sizeof out->unit, "%s", row->unit);
    int rows = row->of_links ? r->nlinks : r->nnodes;
    out->rank = row->width == 0 ? 0 : row->width == 1 ? 1 : 2;
    out->shape[0] = out->rank > 0 ? rows : 0;
    out->shape[1] = out->rank > 1 ? row->width : 0;
    out->count = row->width == 0 ? 1 : (size_t)rows * (size_t)row->width;
    *constant = row->constant;
    return true;
}

void zw_rods_observe(void *self, const zw_state *x, int i, double *out) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[i / EVERY];
    if (x != NULL) {
        zw_rods_tune(rods, x);
    }
    if (i % EVERY >= NFIELDS) {
        zw_rod_rates rates = {0};
        if (zw_rod_growth_field_of_rates(i % EVERY - NFIELDS)) {
            zw_rods_link_rates(rods, i / EVERY, x, &rates);
        }
        zw_rod_growth_observe(rods, r, x, &rates, i % EVERY - NFIELDS, out);
        return;
    }
    rod_field field = (rod_field)(i % EVERY);
    if (table[field].of_links) {
        for (int k = 0; k < r->nlinks; k++) {
            double strain[6], stress[6];
            zw_rod_link_strain(rods, r, k, x->q, strain);
            zw_rod_link_stress(rods, r, k, strain, stress);
            strain[5] -= 1.0;
            const double *from = field == CURVATURE ? strain : field == STRAIN ? strain + 3 : field == MOMENT ? stress : stress + 3;
            zw_v3_copy(out + 3 * (size_t)k, from);
        }
        return;
    }
    if (field == CLOSED) {
        *out = r->closed ? 1.0 : 0.0;
        return;
    }
    for (int k = 0; k < r->nnodes; k++) {
        size_t node = (size_t)(r->node0 + k);
        switch (field) {
        case POSITION: zw_v3_copy(out + 3 * (size_t)k, x->q + ZW_ROD_NQ * node); break;
        case ORIENTATION: memcpy(out + 4 * (size_t)k, x->q + ZW_ROD_NQ * node + 3, 4 * sizeof *out); break;
        case VELOCITY: zw_v3_copy(out + 3 * (size_t)k, x->v + ZW_ROD_NV * node + 3); break;
        case SPIN: zw_v3_copy(out + 3 * (size_t)k, x->v + ZW_ROD_NV * node); break;
        case LABEL: out[k] = rods->label[node]; break;
        default: out[k] = rods->radius[node]; break;
        }
    }
}

bool zw_rods_shown(const void *self, int i) {
    const zw_rods *rods = self;
    return i % EVERY >= NFIELDS && zw_rods_growth_of(rods, i / EVERY) != NULL;
}

bool zw_rods_of_balance(const void *self, int i) {
    (void)self;
    return zw_rod_growth_field_of_balance(i % EVERY - NFIELDS);
}

void zw_rods_zwang(void *self, const zw_state *x, int i, const double *f, double *out) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[i / EVERY];
    zw_rods_tune(rods, x);
    *out = zw_rod_growth_field_is_time(i % EVERY - NFIELDS) ? zw_rod_zwang_time(rods, r, f) : zw_rod_zwang_space(rods, r, x->q, f);
}
