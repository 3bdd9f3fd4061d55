/* SPDX-License-Identifier: Apache-2.0
 * reader.c: what the readers of the rooms share: reports that point into the file, expressions with their exact column, evaluation
 * at t = 0. */
#include "model/reader.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void zw_report_in(zw_reader *r, zw_status code, const char *func, zw_yaml *node, int byte, const char *remedy, const char *fmt, ...) {
    char     path[128], message[400];
    zw_where at = node->at;
    va_list  args;
    if (zw_issues_full(r->issues)) {
        zw_issue_add_in(r->issues, code, func, node->source, at, NULL, NULL, "%s", fmt);
        node->bad = true;
        return;
    }
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (byte >= 0) {
        zw_where exact = zw_yaml_place(node, byte);
        if (exact.line > 0) {
            at = exact;
        } else {
            size_t n = strlen(message);
            snprintf(message + n, sizeof message - n, " (column %d of the expression)", byte + 1);
        }
    }
    if (byte == -2 && node->key) {
        at = node->key->at;
    }
    if (node->source != r->root->source) {
        at = zw_nowhere();
    }
    zw_issue_add_in(r->issues, code, func, node->source, at, zw_yaml_path(node, path, sizeof path), remedy, "%s", message);
    node->bad = true;
}

bool zw_reader_memory(zw_reader *r, zw_status status) {
    if (status != ZW_OK) {
        r->issues->memory = true;
    }
    return status == ZW_OK;
}

zw_yaml *zw_read_get(const zw_yaml *map, const char *key) {
    zw_yaml *v = zw_yaml_get(map, key);
    return v && !v->bad ? v : NULL;
}

bool zw_read_expression(zw_reader *r, zw_yaml *node, zw_schema_scope scope, zw_value *out) {
    zw_expr_problem problem = {0};
    if (node->bad) {
        return false;
    }
    zw_pool_set_brief(r->model->pool, zw_issues_full(r->issues));
    zw_status status = zw_expr_parse(r->scope[scope], node->text, out, &problem);
    if (status == ZW_E_MODEL) {
        zw_report_in(r, ZW_E_MODEL, __func__, node, problem.col > 0 ? problem.col - 1 : 0, problem.remedy[0] ? problem.remedy : NULL, "%s",
                     problem.message);
        return false;
    }
    return zw_reader_memory(r, status);
}

zw_where zw_read_where(const zw_reader *r, const zw_yaml *node) {
    return node->source == r->root->source ? node->at : zw_nowhere();
}

bool zw_read_quantity(zw_reader *r, zw_yaml *node, zw_schema_scope scope, zw_quantity *out) {
    zw_value v = {0};
    if (!zw_read_expression(r, node, scope, &v)) {
        return false;
    }
    if (v.width != 1) {
        zw_report(r, node, "take a component, .x .y or .z", "must be one number, and this is a vector");
        return false;
    }
    *out = (zw_quantity){v.n[0], zw_read_where(r, node)};
    return true;
}

static bool read_list(zw_reader *r, zw_yaml *list, zw_schema_scope scope, zw_quantity *out) {
    bool ok = true;
    int  i = 0;
    for (zw_yaml *c = list->first; c; c = c->next) {
        ok = zw_read_quantity(r, c, scope, &out[i++]) && ok;
    }
    list->bad = list->bad || !ok;
    return ok;
}

bool zw_read_vector(zw_reader *r, zw_yaml *node, zw_schema_scope scope, zw_quantity out[3]) {
    zw_value v = {0};
    if (node->bad) {
        return false;
    }
    if (node->kind == ZW_YAML_LIST) {
        return read_list(r, node, scope, out);
    }
    if (!zw_read_expression(r, node, scope, &v)) {
        return false;
    }
    if (v.width != 3) {
        zw_report(r, node, "write [x, y, z]", "must be a vector, and this is one number");
        return false;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = (zw_quantity){v.n[k], zw_read_where(r, node)};
    }
    return true;
}

static void read_field(zw_reader *r, const zw_schema_key *k, zw_yaml *c, zw_quantity *q) {
    switch (k->type) {
    case ZW_KEY_E: zw_read_quantity(r, c, k->scope, q); break;
    case ZW_KEY_V2: read_list(r, c, k->scope, q); break;
    case ZW_KEY_V3: zw_read_vector(r, c, k->scope, q); break;
    case ZW_KEY_V3_OR_MAP:
        if (c->kind != ZW_YAML_MAP) {
            zw_read_vector(r, c, k->scope, q);
        }
        break;
    case ZW_KEY_E_OR_V3:
        if (c->kind == ZW_YAML_LIST) {
            read_list(r, c, k->scope, q);
        } else if (zw_read_quantity(r, c, k->scope, q)) {
            q[1] = q[2] = q[0];
        }
        break;
    case ZW_KEY_M66:
        for (zw_yaml *row = c->first; row; row = row->next, q += 6) {
            c->bad = !read_list(r, row, k->scope, q) || c->bad;
        }
        break;
    default: break;
    }
}

void zw_read_fields(zw_reader *r, const zw_yaml *map, void *target) {
    for (zw_yaml *c = map ? map->first : NULL; c; c = c->next) {
        if (!c->bad && c->entry && c->entry->field > 0 && !(c->entry->flags & ZW_KEY_LATER)) {
            read_field(r, c->entry, c, (zw_quantity *)(void *)((char *)target + (c->entry->field - 1)));
        }
    }
}

/* ---- values */
bool zw_read_value(zw_reader *r, zw_quantity q, double s, double *value) {
    const zw_model *m = r->model;
    bool            known = false;
    if (q.node == 0 || !zw_reader_memory(r, zw_values_known(&r->values, q.node, &known)) || !known) {
        return false;
    }
    if (s != 0.0 && zw_node_depends(m->pool, q.node, m->slot_s)) {
        return zw_reader_memory(r, zw_values_with(&r->values, q.node, m->slot_s, s, value));
    }
    return zw_reader_memory(r, zw_values_get(&r->values, q.node, value));
}

const char *zw_read_unfinite(zw_reader *r, zw_quantity q, double s, char *out, size_t size) {
    zw_tape *tape = NULL;
    zw_text  text;
    snprintf(out, size, "its value is not a finite number");
    if (zw_issues_full(r->issues) || !zw_reader_memory(r, zw_values_inputs(&r->values)) ||
        !zw_reader_memory(r, zw_tape_create(r->context, r->model->pool, &q.node, 1, &tape))) {
        return out;
    }
    double *in = r->values.in;
    in[r->model->slot_s] = s;
    zw_text_init(&text, r->context);
    zw_tape_explain(tape, in, &text);
    in[r->model->slot_s] = 0.0;
    if (text.s && text.s[0]) {
        snprintf(out, size, "its value is not finite: %s", text.s);
    }
    zw_text_destroy(&text);
    zw_tape_destroy(tape);
    return out;
}

bool zw_read_constant(zw_reader *r, zw_yaml *node, zw_quantity q, double *value) {
    char why[300];
    if (!zw_read_value(r, q, 0.0, value)) {
        return false;
    }
    if (!isfinite(*value)) {
        zw_report(r, node, NULL, "%s", zw_read_unfinite(r, q, 0.0, why, sizeof why));
        return false;
    }
    return true;
}

bool zw_read_count(zw_reader *r, zw_yaml *node, double least, double most, int64_t *out) {
    zw_quantity q = {0};
    double      v = 0.0;
    char        text[ZW_NUMBER_TEXT], bound[ZW_NUMBER_TEXT];
    if (!zw_read_quantity(r, node, ZW_OF_NOTHING, &q) || !zw_read_constant(r, node, q, &v)) {
        return false;
    }
    zw_number_text(v, text);
    if (v != floor(v)) {
        zw_report(r, node, "give a number without a fraction", "must be a whole number, not %s", text);
        return false;
    }
    if (v < least) {
        zw_report(r, node, NULL, "must be at least %s, and is %s", zw_number_text(least, bound), text);
        return false;
    }
    if (v > most) {
        zw_report(r, node, NULL, "must be at most %s, and is %s", zw_number_text(most, bound), text);
        return false;
    }
    *out = (int64_t)v;
    return true;
}

bool zw_read_check(zw_reader *r, zw_yaml *node, zw_quantity q, double length, zw_sign sign, const char *what) {
    bool   varies = q.node && zw_node_depends(r->model->pool, q.node, r->model->slot_s);
    double value = 0.0, scale = isfinite(length) && length > 0.0 ? length : 1.0;
    char   text[ZW_NUMBER_TEXT], label[ZW_NUMBER_TEXT], where[64] = "", why[300];
    for (int i = 0; i < (varies ? ZW_LABELS : 1); i++) {
        double s = varies ? scale * i / (ZW_LABELS - 1) : 0.0;
        if (!zw_read_value(r, q, s, &value)) {
            return false;
        }
        if (varies) {
            snprintf(where, sizeof where, " at s = %s", zw_number_short(s, 6, label));
        }
        if (!isfinite(value)) {
            zw_report(r, node, NULL, "%s%s", zw_read_unfinite(r, q, s, why, sizeof why), where);
            return false;
        }
        if ((sign == ZW_POSITIVE && !(value > 0.0)) || (sign == ZW_NOT_NEGATIVE && value < 0.0)) {
            zw_report(r, node, sign == ZW_POSITIVE ? "give a value above 0" : "give 0 or more", "%s %s, and is %s%s", what,
                      sign == ZW_POSITIVE ? "must be positive" : "must not be negative", zw_number_short(value, 9, text), where);
            return false;
        }
    }
    return true;
}

/* ---- places */
int zw_read_body(zw_reader *r, zw_yaml *node) {
    const zw_model *m = r->model;
    const char    **names = r->body.name;
    char            remedy[300] = "";
    int             known = zw_names_find(&r->body, node->text);
    if (known >= 0) {
        return known;
    }
    if (zw_issues_full(r->issues)) {
        zw_report(r, node, NULL, "there is no such body");
        return -1;
    }
    const char *near = zw_nearest_name(node->text, names, m->nbodies);
    if (near) {
        snprintf(remedy, sizeof remedy, "did you mean '%s'?", near);
    } else if (m->nbodies > 0) {
        size_t used = (size_t)snprintf(remedy, sizeof remedy, "bodies: ");
        for (int i = 0; i < m->nbodies && used < sizeof remedy; i++) {
            used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s%s", i ? ", " : "", names[i]);
        }
    }
    zw_report(r, node, remedy, "there is no body '%.60s'", node->text);
    return -1;
}

void zw_read_suggest(const char *word, const char *const *names, int n, const char *what, char *out, size_t size) {
    const char *near = zw_nearest_name(word, names, n);
    if (near) {
        snprintf(out, size, "did you mean '%.100s'?", near);
        return;
    }
    size_t used = (size_t)snprintf(out, size, "%s", what);
    for (int i = 0; i < n && used + 60 < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", i ? ", " : "", names[i]);
    }
}

bool zw_read_has_axes(const zw_reader *r, const zw_place_def *p) {
    const zw_body_def *b = p->body >= 0 ? &r->model->bodies[p->body] : NULL;
    return b == NULL || b->kind == ZW_BODY_ROD ||
           (b->kind == ZW_BODY_LAGRANGIAN && p->point >= 0 && b->lagrangian.point[p->point].turn[0].node != 0);
}

/* a point of a lagrangian by its name */
static bool read_point(zw_reader *r, zw_yaml *name, zw_yaml *s, zw_yaml *point, zw_place_def *out) {
    const zw_lagrangian_def *d = &r->model->bodies[out->body].lagrangian;
    char                     remedy[300] = "give it `points` or `particles`";
    if (s) {
        zw_report_key(r, s, "name one of its points: `point: NAME`", "s is the label along a rod, and '%.60s' is a lagrangian", name->text);
        return false;
    }
    for (int i = 0; point && i < d->npoints; i++) {
        if (strcmp(d->point[i].name, point->text) == 0) {
            out->point = i;
            return true;
        }
    }
    if (zw_issues_full(r->issues)) {
        remedy[0] = 0;
    } else if (d->npoints > 0) {
        const char **names = zw_arena_alloc(r->arena, (size_t)d->npoints, sizeof *names, "names of points");
        if (names == NULL) {
            r->issues->memory = true;
            return false;
        }
        for (int i = 0; i < d->npoints; i++) {
            names[i] = d->point[i].name;
        }
        zw_read_suggest(point ? point->text : "", names, d->npoints, "give point: one of ", remedy, sizeof remedy);
    }
    if (point) {
        zw_report(r, point, remedy, "'%.60s' has no point '%.60s'", name->text, point->text);
    } else {
        zw_report(r, name, remedy, "which point? '%.60s' is a lagrangian, and its places are its points", name->text);
    }
    return false;
}

static bool read_label(zw_reader *r, zw_yaml *s, zw_place_def *out) {
    const zw_rod_def *rod = &r->model->bodies[out->body].rod;
    double            length = r->body_length[out->body], value = 0.0;
    char              text[ZW_NUMBER_TEXT], bound[ZW_NUMBER_TEXT];
    if (strcmp(s->text, "end") == 0) {
        out->s = (zw_quantity){rod->length.node, zw_read_where(r, s)};
        return true;
    }
    if (!zw_read_quantity(r, s, ZW_OF_NOTHING, &out->s) || !zw_read_constant(r, s, out->s, &value)) {
        return false;
    }
    /* a label that misses the end by round-off of the expression is the end */
    if (isfinite(length) && !(value >= 0.0 && value <= length * (1.0 + 1e-12))) {
        zw_report(r, s, "write `s: end` for the far end", "must lie between 0 and the rod's length %s, and is %s",
                  zw_number_short(length, 9, bound), zw_number_short(value, 9, text));
        return false;
    }
    return true;
}

bool zw_read_place(zw_reader *r, zw_yaml *node, zw_yaml *beside, zw_place_def *out) {
    zw_yaml *name = node, *s = NULL, *point = NULL;
    out->body = -1;
    out->point = -1;
    out->at = zw_read_where(r, node);
    if (node->bad) {
        return false;
    }
    static const char *const keys[] = {"s", "at", "point", "face"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) { /* what was reported already needs no second report */
        zw_yaml *given = zw_yaml_get(node->kind == ZW_YAML_MAP ? node : beside, keys[i]);
        if (given && given->bad) {
            return false;
        }
    }
    if (node->kind == ZW_YAML_MAP) {
        name = zw_read_get(node, "body");
        s = zw_read_get(node, "s");
        point = zw_read_get(node, "point");
        for (int i = 0; i < 2; i++) {
            zw_yaml *twice = beside ? zw_yaml_get(beside, i ? "point" : "s") : NULL;
            if (twice && !twice->bad) {
                zw_report(r, twice, "keep the one inside { }", "%s belongs to the place in { }", i ? "point" : "s");
            }
        }
    } else if (beside) {
        s = zw_read_get(beside, "s");
        point = zw_read_get(beside, "point");
    }
    if (name == NULL) {
        return false;
    }
    out->body = zw_read_body(r, name);
    if (out->body < 0 || r->body_bad[out->body]) {
        return false;
    }
    if (r->model->bodies[out->body].kind == ZW_BODY_FIELD) {
        zw_report(r, name, "name a rod", "'%.60s' is a field: it has no places in space", name->text);
        return false;
    }
    if (r->model->bodies[out->body].kind == ZW_BODY_LAGRANGIAN) {
        return read_point(r, name, s, point, out);
    }
    if (point) {
        zw_report_key(r, point, "give s: 0, s: end or another label", "points belong to lagrangians, and '%.60s' is a rod", name->text);
        return false;
    }
    return s == NULL || read_label(r, s, out);
}
