/* SPDX-License-Identifier: Apache-2.0
 * growth_law.c: laws by kind; creation, the inputs of a law's expressions, what a link looks like to its law. */
#include "base/number.h"
#include "parts/growth_part.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const zw_growth_ops *const kinds[ZW_GROWTH_KINDS] = {
    [ZW_GROWTH_EXPRESSION] = &zw_growth_expression_ops,
    [ZW_GROWTH_EXPONENTIAL] = &zw_growth_exponential_ops,
    [ZW_GROWTH_LINEAR] = &zw_growth_linear_ops,
    [ZW_GROWTH_LOGISTIC] = &zw_growth_logistic_ops,
    [ZW_GROWTH_TABLE] = &zw_growth_table_ops,
    [ZW_GROWTH_TIP] = &zw_growth_tip_ops,
    [ZW_GROWTH_LOCKHART] = &zw_growth_lockhart_ops,
    [ZW_GROWTH_STEIN] = &zw_growth_stein_ops,
    [ZW_GROWTH_HOMEOSTATIC] = &zw_growth_homeostatic_ops,
    [ZW_GROWTH_AC] = &zw_growth_tropism_ops,
    [ZW_GROWTH_ACE] = &zw_growth_tropism_ops,
    [ZW_GROWTH_SIGNAL] = &zw_growth_signal_ops,
    [ZW_GROWTH_FLANK] = &zw_growth_flank_ops,
    [ZW_GROWTH_THICKEN] = &zw_growth_thicken_ops,
    [ZW_GROWTH_TOUCH] = &zw_growth_touch_ops,
    [ZW_GROWTH_THERMAL] = &zw_growth_thermal_ops,
    [ZW_GROWTH_FEED] = &zw_growth_feed_ops,
    [ZW_GROWTH_SLEEVE] = &zw_growth_sleeve_ops,
};
static const char *const axes[6] = {"x", "y", "z", "d1", "d2", "d3"};

zw_status zw_growth_raise(zw_growth_law *law, zw_status code, const char *remedy, const char *fmt, ...) {
    char    subject[64], message[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    snprintf(subject, sizeof subject, "growth law '%s'", zw_growth_name(law->kind));
    return zw_raise(law->context, code, subject, remedy, "%s", message);
}

static zw_status find_slots(zw_growth_law *law, zw_pool *pool) {
    int n = 0;
    for (int i = 0; i < ZW_GROWTH_SCALARS; i++) {
        law->slot[n++] = zw_growth_input(pool, zw_growth_scalars[i]);
    }
    for (int i = 0; i < ZW_GROWTH_VECTORS; i++) {
        for (int k = 0; k < 6; k++) {
            char full[24];
            snprintf(full, sizeof full, "%s.%s", zw_growth_vectors[i], axes[k]);
            law->slot[n++] = zw_pool_input(pool, full);
        }
    }
    law->slot_t = zw_pool_input(pool, "t");
    law->slot_chi = zw_growth_input(pool, "chi");
    for (int i = 0; i < n; i++) {
        if (law->slot[i] < 0) {
            return ZW_E_MEMORY;
        }
    }
    return law->slot_t < 0 || law->slot_chi < 0 ? ZW_E_MEMORY : ZW_OK;
}

static bool senses(const zw_growth_law *law, const zw_pool *pool, zw_node n) {
    bool any = zw_node_depends(pool, n, law->slot_t) || zw_node_depends(pool, n, law->slot_chi);
    for (int i = 0; i < ZW_GROWTH_SCALARS + 6 * ZW_GROWTH_VECTORS; i++) {
        any = any || zw_node_depends(pool, n, law->slot[i]);
    }
    return any;
}

/* one tape for all parameters and the derivatives of the kind */
static zw_status compile(zw_growth_law *law, zw_pool *pool, const zw_growth_def *def) {
    zw_node              root[3 * ZW_GROWTH_PARAMETERS + 8];
    const zw_growth_key *key = zw_growth_keys(law->kind);
    for (int i = 0; i < ZW_GROWTH_PARAMETERS && key[i].name; i++) {
        const zw_value *v = &def->parameter[i];
        law->given[i] = v->width > 0;
        if (!law->given[i]) {
            if (key[i].required) {
                return zw_growth_raise(law, ZW_E_MODEL, "give it", "'%s' is missing", key[i].name);
            }
            for (int k = 0; k < 3; k++) {
                law->fixed[3 * i + k] = key[i].otherwise;
            }
            continue;
        }
        if (v->width != key[i].width) {
            return zw_growth_raise(law, ZW_E_MODEL,
                                   key[i].width == 3 ? "give a vector [a, b, c]" : "give a number or an expression for one",
                                   "'%s' has %d components, not %d", key[i].name, v->width, key[i].width);
        }
        if (key[i].constant && senses(law, pool, v->n[0])) {
            return zw_growth_raise(law, ZW_E_MODEL, "give a number, or an expression of parameters", "'%s' depends on time or place",
                                   key[i].name);
        }
        law->first[i] = law->roots;
        law->width[i] = v->width;
        for (int k = 0; k < v->width; k++) {
            root[law->roots++] = v->n[k];
        }
    }
    law->extra0 = law->roots;
    if (law->ops->derive) {
        ZW_TRY(law->ops->derive(pool, def, &law->extras, root + law->roots));
        law->roots += law->extras;
    }
    law->inputs = zw_pool_inputs(pool);
    if (law->roots > 0) {
        ZW_TRY(zw_tape_create(law->context, pool, root, law->roots, &law->tape));
    }
    law->in = zw_alloc(law->context, (size_t)law->inputs, sizeof(double), "inputs of a growth law");
    law->work = zw_alloc(law->context, law->tape ? (size_t)zw_tape_work(law->tape) : 1, sizeof(double), "work of a growth law");
    law->value = zw_alloc(law->context, (size_t)law->roots + 1, sizeof(double), "parameters of a growth law");
    return law->in && law->work && law->value ? ZW_OK : ZW_E_MEMORY;
}

/* keys that are constant get their values now: they decide how much memory there is */
static zw_status evaluate_constants(zw_growth_law *law, const zw_growth_def *def) {
    const zw_growth_key *key = zw_growth_keys(law->kind);
    if (def->in && law->shared > 0) {
        memcpy(law->in, def->in, sizeof(double) * (size_t)law->shared);
    }
    if (law->tape) {
        zw_tape_eval(law->tape, law->in, law->work, law->value);
    }
    for (int i = 0; i < ZW_GROWTH_PARAMETERS && key[i].name; i++) {
        if (key[i].constant && law->given[i]) {
            double value = law->value[law->first[i]];
            if (!(value >= 0.0) || !isfinite(value)) {
                char number[ZW_NUMBER_TEXT];
                return zw_growth_raise(law, ZW_E_MODEL, "give a number that is not negative", "'%s' is %s", key[i].name,
                                       zw_number_text(value, number));
            }
            law->fixed[3 * i] = value;
        }
    }
    return ZW_OK;
}

static zw_status copy_table(zw_growth_law *law, const zw_growth_def *def) {
    if (law->kind != ZW_GROWTH_TABLE) {
        return ZW_OK;
    }
    if (def->points < 1 || !def->table || (def->over != 's' && def->over != 'd' && def->over != 't')) {
        return zw_growth_raise(law, ZW_E_MODEL, "give at least one pair of a place and a rate, over s, d or t", "the table has %d points",
                               def->points);
    }
    law->points = def->points;
    law->over = def->over;
    law->table = zw_alloc(law->context, 2 * (size_t)def->points, sizeof(double), "table of growth");
    if (!law->table) {
        return ZW_E_MEMORY;
    }
    memcpy(law->table, def->table, 2 * (size_t)def->points * sizeof(double));
    for (int i = 0; i < 2 * law->points; i++) {
        if (!isfinite(law->table[i]) || (i >= 2 && i % 2 == 0 && !(law->table[i] > law->table[i - 2]))) {
            char number[ZW_NUMBER_TEXT];
            return zw_growth_raise(law, ZW_E_MODEL, "places must rise and all numbers be finite", "point %d of the table has %s", i / 2 + 1,
                                   zw_number_text(law->table[i], number));
        }
    }
    return ZW_OK;
}

static zw_status set_up_delay(zw_growth_law *law, const zw_growth_def *def) {
    double longest = 0.0;
    for (int i = 0; i < law->cues; i++) {
        longest = fmax(longest, law->delay[i]);
    }
    if (longest == 0.0) {
        return ZW_OK;
    }
    law->sample = fmax(def->sample, longest / 4096.0); /* between entries a line is drawn: finer ones would change nothing that is seen */
    law->entries = (int)ceil(longest / (law->sample * (1.0 - 1e-6))) + 2; /* one on each side of the delay, whatever rounding does */
    return ZW_OK;
}

zw_status zw_growth_create(zw_context *c, zw_pool *pool, const zw_growth_def *def, zw_growth_law **out) {
    zw_growth_law *law = zw_alloc(c, 1, sizeof *law, "growth law");
    zw_status      status = ZW_OK;
    *out = NULL;
    if (!law) {
        return ZW_E_MEMORY;
    }
    law->context = c;
    law->kind = def->kind;
    law->ops = kinds[def->kind];
    law->dilute = def->dilute;
    law->natural = def->natural;
    law->scaled = def->scaled;
    law->fields = law->ops->fields;
    law->cues = law->ops->cues;
    law->shared = zw_pool_inputs(pool);
    ZW_TRY_GOTO(find_slots(law, pool), failed);
    ZW_TRY_GOTO(compile(law, pool, def), failed);
    ZW_TRY_GOTO(evaluate_constants(law, def), failed);
    ZW_TRY_GOTO(copy_table(law, def), failed);
    if (law->ops->check) {
        ZW_TRY_GOTO(law->ops->check(law), failed);
    }
    ZW_TRY_GOTO(set_up_delay(law, def), failed);
    ZW_TRY_GOTO(zw_growth_reserve(law, def->links), failed);
    *out = law;
    return ZW_OK;
failed:
    zw_growth_destroy(law);
    return status;
}

void zw_growth_destroy(zw_growth_law *law) {
    if (law) {
        zw_context *c = law->context;
        zw_tape_destroy(law->tape);
        zw_free(c, law->in);
        zw_free(c, law->work);
        zw_free(c, law->value);
        zw_free(c, law->table);
        zw_free(c, law->rate);
        zw_free(c, law->old);
        zw_free(c, law->solve);
        zw_free(c, law);
    }
}

zw_status zw_growth_reserve(zw_growth_law *law, int links) {
    if (links <= law->links) {
        return ZW_OK;
    }
    size_t          n = (size_t)links;
    zw_growth_rate *rate = zw_alloc(law->context, 2 * n, sizeof *rate, "rates of growth");
    double         *old = zw_alloc(law->context, (size_t)(5 + law->fields) * n, sizeof *old, "state before growth");
    double         *solve = zw_alloc(law->context, 8 * n, sizeof *solve, "diffusion along a rod");
    if (!rate || !old || !solve) {
        zw_free(law->context, rate);
        zw_free(law->context, old);
        zw_free(law->context, solve);
        return ZW_E_MEMORY;
    }
    zw_free(law->context, law->rate);
    zw_free(law->context, law->old);
    zw_free(law->context, law->solve);
    law->rate = rate;
    law->old = old;
    law->solve = solve;
    law->links = links;
    return ZW_OK;
}

int zw_growth_fields(const zw_growth_law *law) {
    return law->fields;
}

size_t zw_growth_memory(const zw_growth_law *law, int links) {
    return zw_growth_delay_size(law, links);
}

const char *zw_growth_field_name(const zw_growth_law *law, int i) {
    static const char *const cue[ZW_GROWTH_CUES] = {"direction-1", "direction-2", "bend-1", "bend-2"};
    if (i < 0 || i >= law->fields) {
        return NULL;
    }
    for (int k = 0; k < law->cues; k++) {
        if (law->filter[k] == i) {
            return cue[k];
        }
    }
    return law->kind == ZW_GROWTH_SIGNAL ? "amount" : "turgor";
}

/* ---- what a link looks like to its law */

void zw_growth_look_begin(zw_growth_law *law, const zw_growth_rod *rod, double t) {
    if (rod->in && law->shared > 0) {
        memcpy(law->in, rod->in, sizeof(double) * (size_t)law->shared);
    }
    law->in[law->slot_t] = t;
}

/* both sets of components of a vector; out[0..5] are slots */
static void set_vector(double *in, const int slot[6], const double R[9], const double v[3], bool body) {
    double other[3];
    for (int i = 0; i < 3; i++) {
        other[i] = body ? (R[3 * i] * v[0] + R[3 * i + 1] * v[1]) + R[3 * i + 2] * v[2] /* R v  */
                        : (R[i] * v[0] + R[3 + i] * v[1]) + R[6 + i] * v[2];            /* R' v */
    }
    for (int i = 0; i < 3; i++) {
        in[slot[i]] = body ? other[i] : v[i];
        in[slot[3 + i]] = body ? v[i] : other[i];
    }
}

void zw_growth_look_at(zw_growth_law *law, const zw_growth_rod *rod, int j, double t, zw_growth_look *out) {
    const zw_growth_sense *a = &rod->sense[j];
    const int             *slot = law->slot;
    const double           tangent[3] = {a->R[2], a->R[5], a->R[8]};
    double                *in = law->in;
    out->t = t;
    out->l = rod->l[j];
    out->natural = rod->natural + (size_t)rod->stride * (size_t)j;
    out->sense = a;
    out->field = law->fields ? rod->s + (size_t)law->fields * (size_t)j : NULL;
    memcpy(out->parameter, law->fixed, sizeof out->parameter);
    if (law->tape) {
        in[slot[0]] = a->label;
        in[slot[1]] = a->tip;
        in[slot[2]] = out->l;
        in[slot[3]] = out->l / a->label_length;
        in[slot[4]] = a->tension;
        in[slot[5]] = a->strain;
        in[slot[6]] = a->driving;
        slot += ZW_GROWTH_SCALARS;
        set_vector(in, slot, a->R, a->moment, true);
        set_vector(in, slot + 6, a->R, a->kappa, true);
        set_vector(in, slot + 12, a->R, out->natural, true);
        set_vector(in, slot + 18, a->R, tangent, false);
        set_vector(in, slot + 24, a->R, a->contact, false);
        if (law->kind == ZW_GROWTH_SIGNAL) {
            in[law->slot_chi] = out->field[0] / out->l;
        }
        zw_tape_eval(law->tape, in, law->work, law->value);
        for (int i = 0; i < ZW_GROWTH_PARAMETERS; i++) {
            for (int k = 0; k < law->width[i]; k++) {
                out->parameter[3 * i + k] = law->value[law->first[i] + k];
            }
        }
        for (int i = 0; i < law->extras; i++) {
            out->extra[i] = law->value[law->extra0 + i];
        }
    }
    if (law->cues) {
        double now[ZW_GROWTH_CUES];
        law->ops->cue(law, out, now);
        zw_growth_delay_hear(law, rod->w, j, t, now, out->heard);
    }
}
