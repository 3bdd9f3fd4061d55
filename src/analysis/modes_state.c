/* SPDX-License-Identifier: Apache-2.0
 * modes_state.c: the state that small motions are about.
 *
 * Equilibria of what nothing holds (a free beam that spins) are not isolated: Newton's method then inverts K + d M with a small d, which leaves the free motions alone
 * because no force acts along them, and finds the same state otherwise. */
#include "analysis/modes.h"

#include "steps/equilibrium.h"
#include "base/number.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { FLOATING_ROUNDS = 40 };

/* gravity in a frame that turns must be along its axis */
static zw_status check_gravity(const zw_modes_search *s) {
    const zw_model *m = s->vary.model != NULL ? s->vary.model : s->vary.given;
    const zw_spin  *spin = &s->vary.k.spin;
    double          g[3] = {0}, across[3];
    if (!m->gravity_given) {
        return ZW_OK;
    }
    for (int i = 0; i < 3; i++) {
        ZW_TRY(zw_model_constant(m, m->gravity[i], "gravity", &g[i]));
    }
    zw_v3_cross(across, g, spin->w);
    if (zw_v3_norm(across) > 1e-12 * zw_v3_norm(g) * zw_v3_norm(spin->w)) {
        return zw_raise(s->vary.c, ZW_E_MODEL, "gravity", "leave gravity out, or let it act along the axis of the spin",
                        "gravity turns in a frame that spins about another axis, so that nothing is steady there");
    }
    return ZW_OK;
}

zw_status zw_modes_admit(const zw_modes_search *s) {
    const zw_model  *m = s->vary.given;
    const zw_system *y = s->vary.y;
    zw_context      *c = s->vary.c;
    char             what[160];
    if (y->size.nv == 0) {
        return zw_raise(c, ZW_E_MODEL, "modes", "give the model bodies", "nothing can move");
    }
    if (zw_model_meets(m, what, sizeof what)) {
        return zw_raise(c, ZW_E_UNSUPPORTED, "modes", "leave out what is met, or hold what touches by joints",
                        "small motions over contacts that open and close are not linear, and %s", what);
    }
    for (int i = 0; i < y->nconstraints; i++) {
        const zw_constraint *k = &y->constraint[i];
        if (k->velocity_only) {
            return zw_raise(c, ZW_E_UNSUPPORTED, k->name, "remove the row, or write it in coordinates where it can be integrated",
                            "it is nonholonomic: its equilibria are not isolated, and modes about them are not in this version");
        }
        if (k->moves && !s->vary.k.spin.spins) {
            return zw_raise(c, ZW_E_MODEL, k->name, "hold it still; a steady turn is written as frames: {NAME: {spin: [..]}}",
                            "it moves with time: there is no state of rest");
        }
    }
    if (s->def->about == ZW_ABOUT_STEADY && !s->vary.k.spin.spins) {
        return zw_raise(c, ZW_E_MODEL, "modes.about",
                        "give the model a frame with a constant spin that everything is placed in, or write about: equilibrium",
                        "nothing spins steadily");
    }
    return s->vary.k.spin.spins ? check_gravity(s) : ZW_OK;
}

void zw_modes_move(zw_implicit *k, const zw_state *from, const double *u, zw_state *to) {
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part *p = &k->y->part[i];
        zw_state       a = zw_implicit_slice(k, i, from), b = zw_implicit_slice(k, i, to);
        if (p->ops->secant != NULL) {
            p->ops->secant->advance(p->self, &a, u + p->v0, 1.0, &b);
            continue;
        }
        for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
            b.q[j] = a.q[j] + u[p->v0 + j];
        }
    }
    memset(to->v, 0, sizeof(double) * (size_t)k->n.nv);
}

static zw_status floating_state(zw_modes_search *s) {
    zw_implicit *k = &s->vary.k;
    zw_pencil    p = {0};
    zw_state     next = {0};
    zw_status    status = ZW_OK;
    double       change = 0.0, last = HUGE_VAL;
    double      *u = zw_alloc(k->c, (size_t)k->n.nv + 1, sizeof *u, "an equilibrium");
    if (u == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY_GOTO(zw_state_create(k->c, &k->n, &next), done);
    for (int round = 0; round < FLOATING_ROUNDS; round++) {
        ZW_TRY_GOTO(zw_pencil_create(k, &s->x, s->lambda, false, &p), done);
        memcpy(k->dz, k->r, sizeof(double) * (size_t)k->nz);
        if (!zw_pencil_factor(&p, 0.0, 1e-10 * p.fastest)) {
            break;
        }
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -k->dz[i];
        }
        zw_blocklu_solve(&k->lu, k->dz);
        zw_pencil_destroy(&p);
        change = 0.0;
        for (int i = 0; i < k->nblocks; i++) {
            const zw_implicit_block *b = &k->block[i];
            for (int c = 0; c < b->ncol; c++) {
                u[b->col0 + c] = k->dz[b->z0 + c];
                change = fmax(change, fabs(u[b->col0 + c]));
            }
        }
        for (int i = 0; i < k->nties; i++) {
            const zw_tie *t = &k->tie[i];
            for (int j = 0; j < t->m; j++) {
                s->lambda[t->row0 + j] += k->dz[k->block[t->home].z0 + k->block[t->home].ncol + t->at + j];
            }
        }
        if (!isfinite(change) || change > 1e3) {
            break;
        }
        zw_modes_move(k, &s->x, u, &next);
        zw_state_copy(&k->n, &next, &s->x);
        if (change <= 1e-13 || (change <= 1e-7 && change >= 0.3 * last)) {
            goto done;
        }
        last = change;
    }
    status = zw_raise(k->c, ZW_E_CONVERGENCE, "modes", "hold the model by a joint, or write about: start",
                      "nothing holds the model, and no state was found where the forces on it balance");
done:
    zw_pencil_destroy(&p);
    zw_state_destroy(k->c, &next);
    zw_free(k->c, u);
    return status;
}

/* forces of the rows from nothing: the last ones are of another value of the parameter, and a good guess */
static zw_status equilibrium(zw_modes_search *s) {
    zw_implicit        *k = &s->vary.k;
    zw_equilibrium_info info;
    bool                linear, angular;
    zw_system_conserves(s->vary.y, &linear, &angular);
    if (linear || angular) {
        return floating_state(s);
    }
    return zw_equilibrium_find(k, &s->x, s->lambda, &info);
}

zw_status zw_modes_place(zw_modes_search *s) {
    zw_implicit *k = &s->vary.k;
    zw_status    status = ZW_OK;
    if (s->def->about == ZW_ABOUT_START) {
        ZW_TRY(zw_system_start(s->vary.y, &s->x));
        memset(s->x.v, 0, sizeof(double) * (size_t)k->n.nv);
        return ZW_OK;
    }
    if (s->continued) {
        status = equilibrium(s);
        if (status == ZW_OK || status == ZW_E_MEMORY || status == ZW_E_CANCELLED) {
            return status;
        }
        zw_error_clear(k->c); /* from the start shape, then */
    }
    ZW_TRY(zw_system_start(s->vary.y, &s->x));
    memset(s->x.v, 0, sizeof(double) * (size_t)k->n.nv);
    memset(s->lambda, 0, sizeof(double) * (size_t)k->m);
    status = equilibrium(s);
    s->continued = status == ZW_OK;
    return status;
}

zw_status zw_modes_pencil(zw_modes_search *s, zw_pencil *out) {
    return zw_pencil_create(&s->vary.k, &s->x, s->def->about == ZW_ABOUT_START ? NULL : s->lambda, s->def->damped, out);
}
