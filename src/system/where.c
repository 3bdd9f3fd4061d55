/* SPDX-License-Identifier: Apache-2.0
 * where.c: where in the model file a row was written, and the state of the body that it binds, for errors that know rows only. */
#include "system/system.h"

#include "base/number.h"
#include "model/issues.h"

#include <stdio.h>
#include <string.h>

/* "BODY.row" of a lagrangian body, or a joint's own name */
static zw_where where_of(const zw_model *m, const char *name) {
    for (int i = 0; i < m->nconstraints; i++) {
        if (strcmp(m->constraints[i].name, name) == 0) {
            return m->constraints[i].at;
        }
    }
    for (int i = 0; i < m->nalongs; i++) {
        if (strcmp(m->alongs[i].name, name) == 0) {
            return m->alongs[i].at;
        }
    }
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *b = &m->bodies[i];
        size_t             n = strlen(b->name);
        if (strncmp(b->name, name, n) != 0 || name[n] != '.') {
            continue;
        }
        if (b->kind == ZW_BODY_ROD) { /* "BODY.inextensible" */
            return b->at;
        }
        if (b->kind != ZW_BODY_LAGRANGIAN) {
            continue;
        }
        for (int k = 0; k < b->lagrangian.nrows; k++) {
            if (strcmp(b->lagrangian.row[k].name, name + n + 1) == 0) {
                return b->lagrangian.row[k].f.at;
            }
        }
    }
    return (zw_where){0};
}

void zw_system_row_where(const zw_system *y, int row, zw_error *e) {
    const zw_model *m = y->model;
    zw_source       source = {m->file, m->source, m->source_size};
    for (int i = 0; e != NULL && i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        zw_where             at = row >= c->row0 && row < c->row0 + c->m ? where_of(m, c->name) : (zw_where){0};
        if (at.line > 0) {
            snprintf(e->file, sizeof e->file, "%s", m->file);
            e->line = at.line;
            e->col = at.col;
            zw_source_excerpt(&source, at, e->excerpt, sizeof e->excerpt);
        }
    }
}

static size_t put(char *out, size_t size, size_t used, const char *name, const char *tail, double value) {
    char number[ZW_NUMBER_TEXT];
    int  n = used < size ? snprintf(out + used, size - used, ", %s%s = %s", name, tail, zw_number_short(value, 6, number)) : 0;
    return used + (n > 0 ? (size_t)n : 0);
}

void zw_system_row_state(const zw_system *y, int row, const zw_state *x, char *out, size_t size) {
    enum { SHOWN = 8 };
    char   number[ZW_NUMBER_TEXT];
    int    n = snprintf(out, size, "t = %s", zw_number_short(x->t, 8, number));
    size_t used = n > 0 ? (size_t)n : 0;
    for (int i = 0; i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        for (int k = 0; k < y->model->nbodies && row >= c->row0 && row < c->row0 + c->m; k++) {
            const zw_body_def       *b = &y->model->bodies[k];
            const zw_lagrangian_def *d = &b->lagrangian;
            size_t                   length = strlen(b->name);
            if (b->kind != ZW_BODY_LAGRANGIAN || strncmp(b->name, c->name, length) != 0 || c->name[length] != '.') {
                continue;
            }
            const zw_part *p = &y->part[y->body_part[k]];
            for (int j = 0; j < d->n && j < SHOWN; j++) {
                used = put(out, size, used, d->coordinate[j], "", x->q[p->q0 + j]);
            }
            for (int j = 0; j < d->n && j < SHOWN; j++) {
                bool frame = d->nquasi > 0;
                used = put(out, size, used, frame ? d->quasi[j].name : d->coordinate[j], frame ? "" : "dot", x->v[p->v0 + j]);
            }
        }
    }
}
