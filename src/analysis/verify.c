/* SPDX-License-Identifier: Apache-2.0
 * verify.c: one random admissible state after the other, every check that applies at each, and the ledger of what differed most.
 * A check counts by the ratio of difference and tolerance: tolerances of accelerations grow with the conditioning of the rows at a state. */
#include "analysis/verify.h"

#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES_PER_STATE = 20, STATES_MOST = 1000000 };

zw_verify_def zw_verify_def_default(void) {
    return (zw_verify_def){.size = sizeof(zw_verify_def), .states = 100, .seed = 1};
}

double zw_verify_random(zw_verifier *k) { /* splitmix64: every seed is as good as another */
    uint64_t z = (k->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

void zw_verify_note(zw_verifier *k, zw_verify_kind kind, double difference, double tolerance, const char *where) {
    zw_verify_check *check = &k->out->check[kind];
    bool             first = check->state == 0;
    check->note[0] = 0;
    check->states += k->noted[kind] != k->state; /* once, however often it is made at a state */
    k->noted[kind] = k->state;
    bool worse = isnan(difference) || difference * check->tolerance > check->largest * tolerance;
    if (first || (worse && !isnan(check->largest))) {
        check->largest = difference;
        check->tolerance = tolerance;
        check->state = k->state;
        snprintf(check->where, sizeof check->where, "%s", where != NULL ? where : "");
    }
    check->ok = check->ok && difference <= tolerance; /* nan is not */
}

void zw_verify_skip(zw_verifier *k, zw_verify_kind kind, const char *why) {
    zw_verify_check *check = &k->out->check[kind];
    if (check->states == 0) {
        snprintf(check->note, sizeof check->note, "%s", why);
    }
}

static double *numbers(zw_verifier *k, size_t count) {
    return zw_arena_alloc(&k->arena, count + 1, sizeof(double), "a verification");
}

static zw_status create(zw_verifier *k) {
    size_t    nv = (size_t)k->n.nv, m = (size_t)k->m;
    double  **line[] = {&k->unit_q,  &k->unit_v,  &k->f,       &k->a,       &k->a_free,  &k->rate,
                        &k->line[0], &k->line[1], &k->line[2], &k->line[3], &k->line[4], &k->line[5]};
    double  **column[] = {&k->lambda, &k->D, &k->row_size, &k->column[0], &k->column[1], &k->column[2], &k->column[3]};
    zw_state *state[] = {&k->start, &k->x, &k->moved};
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        if ((*line[i] = numbers(k, nv)) == NULL) {
            return ZW_E_MEMORY;
        }
    }
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        if ((*column[i] = numbers(k, m)) == NULL) {
            return ZW_E_MEMORY;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        ZW_TRY(zw_state_create(k->c, &k->n, state[i]));
    }
    k->row = zw_arena_alloc(&k->arena, m + 1, sizeof(int), "a verification");
    k->dropped = zw_arena_alloc(&k->arena, m + 1, sizeof(int), "a verification");
    k->dense = k->n.nv <= ZW_VERIFY_DENSE;
    if (k->dense) {
        k->M = numbers(k, nv * nv);
        k->A = numbers(k, nv * m);
    }
    if (k->dense) {
        ZW_TRY(zw_principles_create(k->c, k->n.nv, k->m, &k->principles));
    }
    if (k->row == NULL || k->dropped == NULL || (k->dense && (k->M == NULL || k->A == NULL))) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_solver_create(k->c, &k->solver));
    ZW_TRY(zw_gauss_create(k->y, &k->gauss));
    ZW_TRY(zw_system_start(k->y, &k->start));
    ZW_TRY(zw_verify_growth_create(k));
    ZW_TRY(zw_verify_units(k));
    ZW_TRY(zw_verify_space_create(k));
    return zw_verify_lagrangian_create(k);
}

static void destroy(zw_verifier *k) {
    zw_verify_lagrangian_destroy(k);
    zw_verify_space_destroy(k);
    zw_principles_destroy(&k->principles);
    zw_gauss_destroy(k->gauss);
    zw_solver_destroy(k->solver);
    zw_state_destroy(k->c, &k->start);
    zw_state_destroy(k->c, &k->x);
    zw_state_destroy(k->c, &k->moved);
    zw_arena_destroy(&k->arena);
}

static zw_status check_state(zw_verifier *k) {
    ZW_TRY(zw_verify_principles(k));
    ZW_TRY(zw_verify_rows(k));
    ZW_TRY(zw_verify_forces(k));
    ZW_TRY(zw_verify_lagrangian(k));
    ZW_TRY(zw_verify_rods(k));
    ZW_TRY(zw_verify_growth(k));
    ZW_TRY(zw_verify_space(k));
    return zw_verify_power(k);
}

static zw_status check_states(zw_verifier *k, int states) {
    zw_verification *out = k->out;
    while (out->states < states) {
        zw_verify_fate fate;
        if (zw_context_cancelled(k->c)) {
            return zw_raise(k->c, ZW_E_CANCELLED, "verify", NULL, "%s", zw_status_sentence(ZW_E_CANCELLED));
        }
        if (out->tried >= 100 && out->tried >= TRIES_PER_STATE * (out->states + 1)) {
            return zw_raise(
                k->c, ZW_E_CONVERGENCE, "verify", "give start values around which the constraints can be met, or look for rank loss nearby",
                "only %d of %d random states are admissible: %d did not close their positions, %d their velocities, %d are not defined",
                out->states, out->tried, out->rejected_position, out->rejected_velocity, out->rejected_undefined);
        }
        out->tried++;
        ZW_TRY(zw_verify_random_state(k, &fate));
        if (fate == ZW_FATE_ADMISSIBLE) {
            zw_status status = zw_verify_look(k);
            if (status == ZW_E_MEMORY) {
                return status;
            }
            fate = status == ZW_OK ? ZW_FATE_ADMISSIBLE : ZW_FATE_UNDEFINED;
        }
        if (fate != ZW_FATE_ADMISSIBLE) {
            zw_error_clear(k->c);
            out->rejected++;
            out->rejected_position += fate == ZW_FATE_POSITION;
            out->rejected_velocity += fate == ZW_FATE_VELOCITY;
            out->rejected_undefined += fate == ZW_FATE_UNDEFINED;
            continue;
        }
        k->state = ++out->states;
        out->redundant_states += k->redundant > 0;
        out->redundant = k->redundant > out->redundant ? k->redundant : out->redundant;
        ZW_TRY(check_state(k));
    }
    return ZW_OK;
}

static void prepare(zw_verification *out) {
    static const char *const text[ZW_VERIFY_CHECKS][2] = {
#define TEXT(name, title, compared) {title, compared},
        ZW_VERIFY_LIST(TEXT)
#undef TEXT
    };
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
        out->check[i] = (zw_verify_check){.name = text[i][0], .compared = text[i][1], .ok = true};
        snprintf(out->check[i].note, sizeof out->check[i].note, "nothing to compare in this model");
    }
}

zw_status zw_verify(zw_system *y, const zw_verify_def *def, zw_verification *out) {
    zw_verify_def use = zw_verify_def_default();
    zw_context   *c = zw_system_context(y);
    if (def != NULL) {
        memcpy(&use, def, def->size < sizeof use ? def->size : sizeof use);
    }
    prepare(out);
    if (use.states < 1 || use.states > STATES_MOST) {
        return zw_raise(c, ZW_E_ARG, "verify", "give a number from 1 to 1000000", "%d states", use.states);
    }
    zw_verifier k = {.y = y, .c = c, .out = out, .n = zw_system_size(y), .m = zw_system_rows_count(y), .random = use.seed};
    if (k.n.nv == 0) {
        return zw_raise(c, ZW_E_UNSUPPORTED, "verify", "verify a model with rods or lagrangian bodies",
                        "nothing in the model has accelerations: fields move by their bracket alone");
    }
    out->n = k.n.nv;
    out->rows = k.m;
    zw_arena_init(&k.arena, c);
    zw_status status = create(&k);
    if (status == ZW_OK) {
        status = check_states(&k, use.states);
    }
    out->ok = status == ZW_OK;
    for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
        out->ok = out->ok && out->check[i].ok;
    }
    destroy(&k);
    return status;
}
