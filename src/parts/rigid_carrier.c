/* SPDX-License-Identifier: Apache-2.0
 * rigid_carrier.c: the convex members of rigid bodies as pieces that contact meets.
 *
 * A point at the arm d from the centre of mass moves with xdot + w x d, so along n with  n.xdot + (d x n).w;  w = R Omega in principal axes, so the
 * coefficients of Omega are R'(d x n). A planar body: omega times n_plane.(d x n), and n.e1, n.e2. */
#include "parts/rigid.h"

#include "math/quat.h"
#include "parts/carrier.h"

/* pieces are numbered body after body; few bodies have more than one */
static const zw_rigid *body_of(const zw_rigids *all, int k, int *body, int *piece) {
    *body = all->of_piece[k];
    *piece = k - all->piece0[*body];
    return &all->body[*body];
}

static int count(const void *self) {
    const zw_rigids *all = self;
    return all->piece0[all->nbodies];
}

static void piece(const void *self, int k, zw_carried *out) {
    *out = (zw_carried){0};
    body_of(self, k, &out->body, &out->piece);
}

static void place(const void *self, const zw_state *x, int k, zw_form *own, zw_placed *out) {
    int             body, number;
    const zw_rigid *b = body_of(self, k, &body, &number);
    double          turn[4], R[9];
    (void)own;
    zw_rigid_orientation(b, x->q, turn);
    zw_q_to_matrix(turn, R);
    out->form = b->form[number].form;
    zw_m3_mulv(out->x, R, b->form[number].x);
    zw_v3_add(out->x, out->x, x->q + b->q0);
    zw_m3_mul(out->R, R, b->form[number].R);
}

static void row(const void *self, const zw_state *x, int k, const double core[3], const double off[3], const double n[3],
                zw_carrier_row *out) {
    int             body, number;
    const zw_rigid *b = body_of(self, k, &body, &number);
    double          arm[3], turn[3];
    zw_v3_add(arm, core, off);
    zw_v3_sub(arm, arm, x->q + b->q0);
    zw_v3_cross(turn, arm, n);
    out->nblocks = 1;
    out->col0[0] = b->v0;
    out->ncol[0] = b->nv;
    if (b->planar) {
        for (int i = 0; i < 3; i++) {
            out->a[0][i] = zw_v3_dot(i == 0 ? turn : n, b->plane + 3 * i);
        }
        return;
    }
    zw_q_rotate_back(x->q + b->q0 + 3, turn, out->a[0]);
    zw_v3_copy(out->a[0] + 3, n);
}

static void velocity(const void *self, const zw_state *x, int k, const double r[3], double v[3], double *spin) {
    int             body, number;
    const zw_rigid *b = body_of(self, k, &body, &number);
    double          w[3], arm[3], turned[3];
    zw_rigid_spin(b, x->q, x->v, w);
    zw_rigid_velocity(b, x->v, v);
    zw_v3_sub(arm, r, x->q + b->q0);
    zw_v3_cross(turned, w, arm);
    zw_v3_add(v, v, turned);
    *spin = zw_v3_norm(w);
}

zw_status zw_rigids_number_pieces(zw_rigids *all) {
    size_t n = (size_t)all->nbodies, pieces = 0;
    for (size_t i = 0; i < n; i++) {
        pieces += (size_t)all->body[i].nforms;
    }
    all->piece0 = zw_arena_alloc(&all->arena, n + 1, sizeof *all->piece0, "forms of rigid bodies");
    all->of_piece = zw_arena_alloc(&all->arena, pieces + 1, sizeof *all->of_piece, "forms of rigid bodies");
    if (all->piece0 == NULL || all->of_piece == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < all->nbodies; i++) {
        all->piece0[i + 1] = all->piece0[i] + all->body[i].nforms;
        for (int k = all->piece0[i]; k < all->piece0[i + 1]; k++) {
            all->of_piece[k] = i;
        }
    }
    return ZW_OK;
}

const zw_carrier_ops zw_rigids_carrier_ops = {
    .count = count,
    .piece = piece,
    .place = place,
    .row = row,
    .velocity = velocity,
};
