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
    case ZW_KEY_V3_OR_M33:
        if (c->kind != ZW_YAML_LIST || c->first == NULL || c->first->kind != ZW_YAML_LIST) {
            zw_read_vector(r, c, k->scope, q);
            break;
        }
        for (zw_yaml *row = c->first; row; row = row->next, q += 3) {
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

bool zw_read_constants(zw_reader *r, zw_yaml *node, const zw_quantity q[3], double value[3]) {
    zw_yaml *c = node && node->kind == ZW_YAML_LIST ? node->first : node;
    bool     ok = node != NULL && !node->bad;
    for (int k = 0; k < 3 && ok; k++) {
        ok = zw_read_constant(r, c ? c : node, q[k], &value[k]);
        c = c && node->kind == ZW_YAML_LIST ? c->next : c;
    }
    if (node && !ok) {
        node->bad = true;
    }
    return ok;
}
