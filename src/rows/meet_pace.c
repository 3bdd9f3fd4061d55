/* SPDX-License-Identifier: Apache-2.0
 * meet_pace.c: |v(r)| <= |v(middle)| + spin reach for each piece; obstacles that turn: as far as the farthest piece is. A material point keeps its place in the
 * axes of its piece. */
#include "rows/meet_pace.h"

#include "base/context.h"
#include "math/form_core.h"
#include "math/vec3.h"
#include "rows/meet_part.h"
#include "rows/unilateral.h"

#include <math.h>

zw_status zw_meet_pace(zw_meet *s, const zw_state *x, double *speed, double *size) {
    *speed = *size = 0.0;
    for (int i = 0; i < s->npieces; i++) {
        const zw_meet_piece  *p = &s->piece[i];
        const zw_carrier_ops *ops = s->part[p->part].ops->carrier;
        const void           *self = s->part[p->part].self;
        zw_state              own = zw_meet_slice(s, p, x);
        zw_form               form;
        zw_placed             at;
        double                v[3], spin;
        ops->place(self, &own, p->k, &form, &at);
        ops->velocity(self, &own, p->k, at.x, v, &spin);
        double reach = zw_form_reach(at.form);
        *speed = fmax(*speed, zw_v3_norm(v) + spin * reach);
        *size = fmax(*size, zw_v3_norm(at.x) + reach);
    }
    for (int i = 0; i < s->nobstacles; i++) {
        zw_meet_obstacle *o = &s->obstacle[i];
        if (o->moves) {
            ZW_TRY(zw_meet_obstacle_at(s, o, x->t));
            *speed = fmax(*speed, zw_v3_norm(o->v) + zw_v3_norm(o->w) * (*size + zw_v3_norm(o->x)));
        }
    }
    for (int i = 0; i < s->nsides; i++) {
        zw_side_look look;
        ZW_TRY(zw_side_at(s->side[i], s->y, x, &look));
        *speed = fmax(*speed, fabs(look.rate));
        *size = fmax(*size, look.size);
    }
    return ZW_OK;
}

/* r at x0 carried on to x1 */
static void carry(const zw_meet *s, const zw_state *x0, const zw_state *x1, int i, const double r[3], double out[3]) {
    const zw_meet_piece *p = &s->piece[i];
    zw_state             from = zw_meet_slice(s, p, x0), to = zw_meet_slice(s, p, x1);
    zw_form              form;
    zw_placed            at;
    double               arm[3];
    s->part[p->part].ops->carrier->place(s->part[p->part].self, &from, p->k, &form, &at);
    zw_v3_sub(arm, r, at.x);
    zw_m3_tmulv(arm, at.R, arm);
    s->part[p->part].ops->carrier->place(s->part[p->part].self, &to, p->k, &form, &at);
    zw_m3_mulv(arm, at.R, arm);
    zw_v3_add(out, at.x, arm);
}

zw_status zw_meet_slip(zw_meet *s, const zw_state *x0, const zw_state *x1, const zw_meeting *m, double d[2]) {
    double t[3], u[3], a[3], b[3], apart[3];
    d[0] = d[1] = 0.0;
    if (m->side >= 0) {
        return ZW_OK;
    }
    carry(s, x0, x1, m->a, m->touch.a, a);
    zw_v3_copy(b, m->touch.b);
    if (m->b >= 0) { /* where they rub, as in zw_meet_slide */
        double middle[3];
        zw_meet_middle(m, middle);
        carry(s, x0, x1, m->a, middle, a);
        carry(s, x0, x1, m->b, middle, b);
    } else if (s->obstacle[-1 - m->b].moves) {
        zw_meet_obstacle *o = &s->obstacle[-1 - m->b];
        ZW_TRY(zw_meet_obstacle_at(s, o, x0->t));
        zw_v3_sub(b, b, o->x);
        zw_m3_tmulv(b, o->R, b);
        ZW_TRY(zw_meet_obstacle_at(s, o, x1->t));
        zw_m3_mulv(b, o->R, b);
        zw_v3_add(b, b, o->x);
    }
    zw_v3_sub(apart, b, a); /* at x0 they are apart along n only */
    zw_any_square_to(t, m->touch.n);
    zw_v3_cross(u, m->touch.n, t);
    d[0] = zw_v3_dot(t, apart);
    d[1] = zw_v3_dot(u, apart);
    return ZW_OK;
}
