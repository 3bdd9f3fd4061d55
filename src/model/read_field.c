/* SPDX-License-Identifier: Apache-2.0
 * read_field.c: a field on a Lie algebra, with the checks that its own numbers allow: structure constants are antisymmetric and satisfy the Jacobi
 * identity; a Casimir c has [dc/dmu, mu]* = 0, tried at some mu with the exact derivative; the start has as many components as the algebra. */
#include "base/number.h"
#include "math/lie.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_ELEMENTS 10000000

static zw_yaml *item(const zw_yaml *list, int i) {
    zw_yaml *c = list->first;
    while (c && i-- > 0) {
        c = c->next;
    }
    return c;
}

/* a list of n things; false after reporting */
static bool is_list_of(zw_reader *r, zw_yaml *node, int n, const char *what) {
    if (node->kind != ZW_YAML_LIST) {
        zw_report(r, node, "write n lists of n lists of n numbers", "must be a list of %d %s, not %s", n, what, zw_yaml_kind_name(node));
        return false;
    }
    if (node->count != n) {
        zw_report(r, node, "structure[i][j] holds the n components of [e_i, e_j], for i and j from 1 to n", "must have %d %s and has %d", n,
                  what, node->count);
        return false;
    }
    return true;
}

static bool read_constants(zw_reader *r, zw_yaml *list, int n, double *c) {
    bool ok = true;
    for (zw_yaml *i = list->first; i; i = i->next) {
        if (!is_list_of(r, i, n, "lists")) {
            return false;
        }
        for (zw_yaml *j = i->first; j; j = j->next) {
            if (!is_list_of(r, j, n, "numbers")) {
                return false;
            }
            for (zw_yaml *k = j->first; k; k = k->next, c++) {
                zw_quantity q = {0};
                if (k->kind != ZW_YAML_SCALAR || zw_yaml_is_null(k)) {
                    zw_report(r, k, NULL, "must be a number or an expression, not %s", zw_yaml_kind_name(k));
                    ok = false;
                } else {
                    ok = zw_read_quantity(r, k, ZW_OF_NOTHING, &q) && zw_read_constant(r, k, q, c) && ok;
                }
            }
        }
    }
    return ok;
}

static bool check_constants(zw_reader *r, zw_yaml *list, int n, const double *c) {
    int    at[4];
    char   a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], sum[ZW_NUMBER_TEXT];
    double size = 0.0, defect = zw_lie_antisymmetry(n, c, at);
    for (int i = 0; i < n * n * n; i++) {
        size = fmax(size, fabs(c[i]));
    }
    if (defect > 1e-12 * size) {
        zw_report(r, item(item(list, at[0]), at[1]), "[e_j, e_i] is minus [e_i, e_j]",
                  "the constants are not antisymmetric: [e%d, e%d] has %s of e%d and [e%d, e%d] has %s; the sum must be 0 and is %s",
                  at[0] + 1, at[1] + 1, zw_number_short(c[(n * at[0] + at[1]) * n + at[2]], 6, a), at[2] + 1, at[1] + 1, at[0] + 1,
                  zw_number_short(c[(n * at[1] + at[0]) * n + at[2]], 6, b), zw_number_short(defect, 6, sum));
        return false;
    }
    defect = zw_lie_jacobi(n, c, at);
    if (defect > 1e-12 * size * size) {
        int i = at[0] + 1, j = at[1] + 1, k = at[2] + 1;
        zw_report(r, list, "check the signs of these constants",
                  "the Jacobi identity fails: [[e%d, e%d], e%d] + [[e%d, e%d], e%d] + [[e%d, e%d], e%d] has %s of e%d, and must be 0", i, j,
                  k, j, k, i, k, i, j, zw_number_short(defect, 6, sum), at[3] + 1);
        return false;
    }
    return true;
}

static bool read_algebra(zw_reader *r, zw_yaml *node, zw_field_def *f) {
    if (node == NULL || node->bad) {
        return false;
    }
    zw_yaml *list = node->kind == ZW_YAML_MAP ? zw_read_get(node, "structure") : NULL;
    if (node->kind == ZW_YAML_MAP && list == NULL) {
        return false;
    }
    int n = list == NULL ? 6 : list->kind == ZW_YAML_LIST ? list->count : 0;
    if (list && (n < 1 || n > ZW_LIE_MOST)) {
        zw_report(r, list, "write n lists of n lists of n numbers", "must be a list of 1 to %d lists, and is %s of %d", ZW_LIE_MOST,
                  zw_yaml_kind_name(list), list->count);
        return false;
    }
    double *c = zw_arena_alloc(r->arena, (size_t)(n * n * n), sizeof *c, "structure constants");
    if (c == NULL) {
        r->issues->memory = true;
        return false;
    }
    f->structure = c;
    if (list) {
        f->n = n;
        return read_constants(r, list, n, c) && check_constants(r, list, n, c);
    }
    f->algebra = node->text;
    f->n = zw_lie_known(node->text, c);
    return f->n > 0;
}

/* a scope with s, mu1 .. and, where asked, gamma1 ..; NULL when memory is out or a parameter has such a name */
static zw_scope *variables(zw_reader *r, zw_yaml *at, zw_field_def *f, bool gamma) {
    zw_model *m = r->model;
    zw_scope *scope = NULL;
    if (!zw_reader_memory(r, zw_scope_create(m->pool, r->scope[ZW_OF_FIELD], &scope))) {
        return NULL;
    }
    for (int i = 0; i < 2 * f->n; i++) {
        char name[24];
        int *slot = i < f->n ? &f->slot_mu[i] : &f->slot_gamma[i - f->n];
        snprintf(name, sizeof name, "%s%d", i < f->n ? "mu" : "gamma", i % f->n + 1);
        if (zw_names_find(&r->parameter, name) >= 0) {
            zw_report(r, at, "rename the parameter", "'%s' is a variable of the field and a parameter too", name);
            zw_scope_destroy(scope);
            return NULL;
        }
        *slot = zw_pool_input(m->pool, name);
        zw_status status = *slot < 0 ? ZW_E_MEMORY
                           : i < f->n || gamma
                               ? zw_scope_add_input(scope, name)
                               : zw_scope_add_hint(scope, name, "an invariant of the algebra is a function of mu1, mu2, .. alone");
        if (!zw_reader_memory(r, status)) {
            zw_scope_destroy(scope);
            return NULL;
        }
    }
    return scope;
}

/* [dc/dmu, mu]* = 0 at some mu */
static void check_casimir(zw_reader *r, zw_yaml *node, const zw_field_def *f, zw_node c) {
    enum { SAMPLES = 4 };
    zw_model *m = r->model;
    zw_node   slope[ZW_LIE_MOST];
    zw_tape  *tape = NULL;
    unsigned  seed = 7u;
    double    mu[ZW_LIE_MOST], d[ZW_LIE_MOST];
    for (int i = 0; i < f->n; i++) {
        slope[i] = zw_node_diff(m->pool, c, f->slot_mu[i]);
        if (slope[i] == 0) {
            r->issues->memory = true;
            return;
        }
    }
    if (!zw_reader_memory(r, zw_tape_create(r->context, m->pool, slope, f->n, &tape))) {
        return;
    }
    double *in = zw_alloc(r->context, (size_t)zw_pool_inputs(m->pool), sizeof *in, "inputs");
    double *work = zw_alloc(r->context, (size_t)zw_tape_work(tape), sizeof *work, "work space");
    if (in == NULL || work == NULL) {
        r->issues->memory = true;
    }
    for (int sample = 0; in && work && sample < SAMPLES && !node->bad; sample++) {
        double size = 0.0, defect = 0.0;
        int    worst = 0;
        char   text[ZW_NUMBER_TEXT], where[ZW_LIE_MOST * 12] = "";
        size_t used = 0;
        zw_model_inputs(m, in);
        for (int i = 0; i < f->n; i++) { /* one digit after the point, so that the message names the very numbers */
            seed = seed * 1664525u + 1013904223u;
            in[f->slot_mu[i]] = mu[i] = (double)((seed >> 16) % 19u + 1u) / 10.0;
            used += (size_t)snprintf(where + used, sizeof where - used, "%s%s", i ? ", " : "", zw_number_short(mu[i], 3, text));
        }
        zw_tape_eval(tape, in, work, d);
        for (int i = 0; i < f->n; i++) {
            double star = 0.0, parts = 0.0;
            for (int j = 0; j < f->n; j++) {
                for (int k = 0; k < f->n; k++) {
                    double term = f->structure[(f->n * j + i) * f->n + k] * d[j] * mu[k];
                    star += term;
                    parts += fabs(term);
                }
            }
            size = fmax(size, parts);
            if (!(fabs(star) <= defect)) {
                defect = fabs(star);
                worst = i;
            }
        }
        if (!(defect <= 1e-10 * size)) {
            zw_report(r, node, "give a function c with [dc/dmu, mu]* = 0 for every mu",
                      "is not an invariant of the algebra: [dc/dmu, mu]* has the component %d = %s at mu = (%s)", worst + 1,
                      zw_number_short(defect, 4, text), where);
        }
    }
    zw_free(r->context, in);
    zw_free(r->context, work);
    zw_tape_destroy(tape);
}

static void read_casimirs(zw_reader *r, zw_yaml *map, zw_field_def *f) {
    if (map == NULL || map->kind != ZW_YAML_MAP || map->count == 0) {
        return;
    }
    zw_scope *kept = r->scope[ZW_OF_FIELD], *scope = variables(r, map, f, false);
    f->casimirs = zw_arena_alloc(r->arena, (size_t)map->count, sizeof *f->casimirs, "invariants of a field");
    if (scope == NULL || f->casimirs == NULL) {
        r->issues->memory = r->issues->memory || f->casimirs == NULL;
        zw_scope_destroy(scope);
        return;
    }
    r->scope[ZW_OF_FIELD] = scope;
    for (zw_yaml *c = map->first; c; c = c->next) {
        zw_casimir_def *d = &f->casimirs[f->ncasimirs];
        double          value;
        if (c->bad || !zw_read_quantity(r, c, ZW_OF_FIELD, &d->c)) {
            continue;
        }
        d->name = c->key->text;
        f->ncasimirs++;
        if (zw_node_depends(r->model->pool, d->c.node, r->model->slot_s)) {
            zw_report(r, c, "give a function of mu1, mu2, ..", "an invariant of the algebra does not depend on s");
        } else if (zw_read_value(r, d->c, 0.0, &value)) {
            check_casimir(r, c, f, d->c.node);
        }
    }
    r->scope[ZW_OF_FIELD] = kept;
    zw_scope_destroy(scope);
}

static void read_hamiltonian(zw_reader *r, zw_yaml *node, zw_field_def *f) {
    if (node == NULL || node->bad) {
        return;
    }
    zw_scope *kept = r->scope[ZW_OF_FIELD], *scope = variables(r, node, f, true);
    if (scope) {
        r->scope[ZW_OF_FIELD] = scope;
        zw_read_quantity(r, node, ZW_OF_FIELD, &f->hamiltonian);
        r->scope[ZW_OF_FIELD] = kept;
    }
    zw_scope_destroy(scope);
}

static void read_start(zw_reader *r, zw_yaml *list, const zw_field_def *f, double length, zw_quantity *out) {
    if (list == NULL || list->bad) {
        return;
    }
    if (list->count != f->n) {
        zw_report(r, list, NULL, "must have %d values, one per component of the algebra, and has %d", f->n, list->count);
        return;
    }
    for (zw_yaml *c = list->first; c; c = c->next, out++) {
        if (!c->bad && zw_read_quantity(r, c, ZW_OF_LABEL, out)) {
            zw_read_check(r, c, *out, length, ZW_ANY_SIGN, "the start");
        }
    }
}

void zw_read_field(zw_reader *r, zw_yaml *map, zw_field_def *f, double *length) {
    zw_yaml *node = zw_read_get(map, "length"), *elements = zw_read_get(map, "elements"), *start = zw_read_get(map, "start");
    int64_t  n = 0;
    *length = node ? NAN : 1.0;
    f->elements = 100;
    zw_read_fields(r, map, f);
    if (node && !node->bad && zw_read_check(r, node, f->length, NAN, ZW_POSITIVE, "the length")) {
        zw_read_value(r, f->length, 0.0, length);
    }
    if (elements && zw_read_count(r, elements, 1.0, MAX_ELEMENTS, &n)) {
        f->elements = (int)n;
    }
    if (!read_algebra(r, zw_read_get(map, "algebra"), f)) {
        return; /* without its dimension nothing else can be told */
    }
    size_t count = (size_t)f->n;
    f->slot_mu = zw_arena_alloc(r->arena, count, sizeof(int), "a field");
    f->slot_gamma = zw_arena_alloc(r->arena, count, sizeof(int), "a field");
    f->mu = zw_arena_alloc(r->arena, count, sizeof *f->mu, "a field");
    f->gamma = zw_arena_alloc(r->arena, count, sizeof *f->gamma, "a field");
    if (!f->slot_mu || !f->slot_gamma || !f->mu || !f->gamma) {
        r->issues->memory = true;
        return;
    }
    read_hamiltonian(r, zw_read_get(map, "hamiltonian"), f);
    read_casimirs(r, zw_read_get(map, "casimirs"), f);
    if (start && start->kind == ZW_YAML_MAP) {
        read_start(r, zw_read_get(start, "mu"), f, *length, f->mu);
        read_start(r, zw_read_get(start, "gamma"), f, *length, f->gamma);
    }
}
