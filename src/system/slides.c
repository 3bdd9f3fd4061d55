/* SPDX-License-Identifier: Apache-2.0
 * slides.c: contacts that stick (contact.law: stick): each side gets rows that keep its point from sliding, for as long as it holds (hold.c). */
#include "system/system.h"

#include "rows/slide.h"

zw_status zw_system_bind_slides(zw_system *y, const zw_state *x) {
    if (y->model->contact.law != ZW_LAW_STICK || y->nsides == 0 || !y->model->events) {
        return ZW_OK;
    }
    zw_slide     **slide = zw_arena_alloc(&y->arena, (size_t)y->nsides + 1, sizeof *slide, "contacts that stick");
    zw_constraint *constraint =
        zw_arena_alloc(&y->arena, (size_t)y->nconstraints + 2 * (size_t)y->nsides + 1, sizeof *constraint, "contacts that stick");
    if (slide == NULL || constraint == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < y->nconstraints; i++) {
        constraint[i] = y->constraint[i];
    }
    y->constraint = constraint;
    y->slide = slide; /* zeroed: those not made yet are NULL */
    for (int i = 0; i < y->nsides; i++) {
        ZW_TRY(zw_slide_create(y->side[i], y, x, &slide[i]));
    }
    return ZW_OK;
}
