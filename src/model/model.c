/* SPDX-License-Identifier: Apache-2.0
 * model.c: a model from a file or from memory: text -> tree -> sets -> check -> structs. All errors of one file are raised together. */
#include "model/model.h"

#include "base/check.h"
#include "model/reader.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char hint_s[] = "s is the label along a rod and is known in rod fields and loads, not here";
static const char hint_t[] = "t is the time and is known in motions, gravity, loads and probes, not here";
static const char hint_xyz[] = "x, y, z are the place in space and are known in loads, gaps and unilateral constraints, not here";

static bool make_scopes(zw_reader *r) {
    static const struct {
        bool t, s, xyz;
    } known[ZW_OF_OTHER] = {
        [ZW_OF_NOTHING] = {0, 0, 0}, [ZW_OF_LABEL] = {0, 1, 0},  [ZW_OF_TIME] = {1, 0, 0},  [ZW_OF_PLACE] = {1, 1, 1},
        [ZW_OF_SPACE] = {1, 0, 1},   [ZW_OF_PROBES] = {1, 0, 0}, [ZW_OF_FIELD] = {0, 1, 0}, [ZW_OF_COORDINATES] = {1, 0, 0},
        [ZW_OF_MOTION] = {1, 0, 0},  [ZW_OF_GROWTH] = {1, 1, 0}, [ZW_OF_SIGNAL] = {1, 1, 0}};
    static const struct {
        const char *name, *hint;
        int         kind;
    } inputs[] = {{"t", hint_t, 0}, {"s", hint_s, 1}, {"x", hint_xyz, 2}, {"y", hint_xyz, 2}, {"z", hint_xyz, 2}};
    zw_pool *pool = r->model->pool;
    if (!zw_reader_memory(r, zw_scope_create(pool, NULL, &r->parameters))) {
        return false;
    }
    for (int i = 0; i < ZW_OF_OTHER; i++) {
        if (!zw_reader_memory(r, zw_scope_create(pool, r->parameters, &r->scope[i]))) {
            return false;
        }
        for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
            bool open = inputs[k].kind == 0 ? known[i].t : inputs[k].kind == 1 ? known[i].s : known[i].xyz;
            if (!zw_reader_memory(r, open ? zw_scope_add_input(r->scope[i], inputs[k].name)
                                          : zw_scope_add_hint(r->scope[i], inputs[k].name, inputs[k].hint))) {
                return false;
            }
        }
    }
    return true;
}

static void read_top(zw_reader *r) {
    zw_model *m = r->model;
    zw_yaml  *version = zw_read_get(r->root, "zwang"), *title = zw_read_get(r->root, "title"), *gravity = zw_read_get(r->root, "gravity");
    if (version && strcmp(version->text, "1") != 0) {
        zw_report(r, version, "this version of zwang reads `zwang: 1`", "version '%.40s' of the model file is not known", version->text);
    }
    m->title = title && title->kind == ZW_YAML_SCALAR ? title->text : "";
    zw_read_parameters(r);
    if (r->issues->memory) {
        return;
    }
    zw_read_fields(r, r->root, m);
    m->gravity_given = gravity != NULL;
    for (int k = 0; gravity && !gravity->bad && k < 3; k++) {
        double value = 0.0;
        char   why[300];
        if (zw_read_value(r, m->gravity[k], 0.0, &value) && !isfinite(value)) {
            zw_report(r, gravity, NULL, "%s at t = 0", zw_read_unfinite(r, m->gravity[k], 0.0, why, sizeof why));
        }
    }
    void (*const rooms[])(zw_reader *) = {zw_read_frames,    zw_read_bodies,  zw_read_carried, zw_read_constraints,
                                          zw_read_obstacles, zw_read_contact, zw_read_loads,   zw_read_run,
                                          zw_read_record,    zw_read_statics, zw_read_probes,  zw_read_modes};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0] && !r->issues->memory; i++) {
        rooms[i](r);
    }
}

static void make_inputs_of_places(zw_reader *r) {
    zw_model *m = r->model;
    m->slot_t = zw_pool_input(m->pool, "t");
    m->slot_s = zw_pool_input(m->pool, "s");
    m->slot_x = zw_pool_input(m->pool, "x");
    m->slot_y = zw_pool_input(m->pool, "y");
    m->slot_z = zw_pool_input(m->pool, "z");
    if (m->slot_t < 0 || m->slot_s < 0 || m->slot_x < 0 || m->slot_y < 0 || m->slot_z < 0) {
        r->issues->memory = true;
    }
}

static zw_status read_model(zw_model *m, const zw_source *source, int nsets, const char *const *sets) {
    zw_issues issues;
    zw_reader r = {.context = m->context, .model = m, .arena = &m->arena, .issues = &issues};
    zw_issues_init(&issues, &m->arena);
    zw_values_init(&r.values, m->pool);
    zw_values_init(&r.fixed, m->pool);
    zw_values_init(&r.resting, m->pool);
    zw_names_init(&r.parameter, m->context);
    zw_names_init(&r.body, m->context);
    zw_names_init(&r.constraint, m->context);
    zw_names_init(&r.frame, m->context);
    r.root = zw_yaml_parse(&m->arena, &issues, source);
    bool syntax = r.root != NULL;
    for (int i = 0; i < nsets && syntax; i++) {
        zw_set_apply(&m->arena, &issues, r.root, sets[i]);
    }
    if (syntax && !issues.memory) {
        zw_schema_check(&issues, r.root);
        if (!r.root->bad && !issues.memory) {
            make_inputs_of_places(&r);
            if (!issues.memory && make_scopes(&r)) {
                read_top(&r);
            }
            for (int i = 0; r.body_scope && i < m->nbodies; i++) {
                zw_scope_destroy(r.body_scope[i]);
            }
            for (int i = 0; i < ZW_OF_OTHER; i++) {
                zw_scope_destroy(r.scope[i]);
            }
            zw_scope_destroy(r.parameters);
        }
    }
    zw_values_destroy(&r.values);
    zw_values_destroy(&r.fixed);
    zw_values_destroy(&r.resting);
    zw_names_destroy(&r.parameter);
    zw_names_destroy(&r.body);
    zw_names_destroy(&r.constraint);
    zw_names_destroy(&r.frame);
    ZW_TRY(zw_issues_raise(&issues));
    m->text = nsets > 0 ? zw_yaml_emit(&m->arena, r.root, m->source, nsets, sets) : m->source;
    if (m->text == NULL) {
        return ZW_E_MEMORY;
    }
    m->hash = zw_hash64(0, m->text, strlen(m->text));
    return ZW_OK;
}

/* byte for byte: a NUL inside is found and reported later */
static const char *copy_text(zw_arena *arena, const char *text, size_t size) {
    char *copy = zw_arena_alloc(arena, size + 1, 1, "the model's text");
    if (copy && size > 0) {
        memcpy(copy, text, size);
    }
    return copy;
}

zw_status zw_model_parse(zw_context *c, const char *name, const char *text, size_t size, int nsets, const char *const *sets,
                         zw_model **out) {
    *out = NULL;
    if ((text == NULL && size > 0) || nsets < 0 || (nsets > 0 && sets == NULL)) {
        return zw_raise(c, ZW_E_ARG, "zw_model_parse", "give a text and as many sets as counted", "text or sets are NULL");
    }
    zw_model *m = zw_alloc(c, 1, sizeof *m, "a model");
    if (m == NULL) {
        return ZW_E_MEMORY;
    }
    m->context = c;
    zw_arena_init(&m->arena, c);
    zw_source *source = zw_arena_alloc(&m->arena, 1, sizeof *source, "the model's text");
    zw_status  status = zw_pool_create(c, &m->pool);
    if (status == ZW_OK && source) {
        source->name = zw_arena_strdup(&m->arena, name ? name : "model");
        source->text = size > ZW_YAML_BYTES ? text : copy_text(&m->arena, text, size); /* too large: it is refused before it is kept */
        source->size = size;
        if (source->name == NULL || source->text == NULL) {
            status = ZW_E_MEMORY;
        } else {
            m->file = source->name;
            m->source = source->text;
            m->source_size = size;
            status = read_model(m, source, nsets, sets);
        }
    } else if (source == NULL) {
        status = ZW_E_MEMORY;
    }
    if (status != ZW_OK) {
        zw_model_destroy(m);
        return status;
    }
    *out = m;
    return ZW_OK;
}

/* the whole file in memory, one byte more than allowed at most */
static zw_status read_file(zw_context *c, const char *path, char **text, size_t *size) {
    FILE  *f = fopen(path, "rb");
    size_t room = 64 * 1024, n = 0;
    *text = NULL;
    if (f == NULL) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        return zw_raise(c, absent ? ZW_E_NO_INPUT : ZW_E_IO, path, absent ? "check the name" : "check its permissions",
                        absent ? "there is no such file" : "the file cannot be opened");
    }
    char *buffer = zw_alloc(c, room, 1, "the model file");
    while (buffer) {
        n += fread(buffer + n, 1, room - n, f);
        if (n < room || n > ZW_YAML_BYTES) {
            break;
        }
        room = room < ZW_YAML_BYTES / 2 ? room * 2 : ZW_YAML_BYTES + 1;
        char *more = zw_resize(c, buffer, room, 1, "the model file");
        if (more == NULL) {
            zw_free(c, buffer);
        }
        buffer = more;
    }
    bool failed = ferror(f) != 0;
    fclose(f);
    if (buffer == NULL) {
        return ZW_E_MEMORY;
    }
    if (failed) { /* a directory can be opened and not read */
        zw_free(c, buffer);
        return zw_raise(c, ZW_E_IO, path, "give the name of a model file", "the file cannot be read");
    }
    *text = buffer;
    *size = n;
    return ZW_OK;
}

zw_status zw_model_load(zw_context *c, const char *path, int nsets, const char *const *sets, zw_model **out) {
    char  *text = NULL;
    size_t size = 0;
    *out = NULL;
    if (path == NULL) {
        return zw_raise(c, ZW_E_ARG, "zw_model_load", "give a path", "path is NULL");
    }
    ZW_TRY(read_file(c, path, &text, &size));
    zw_status status = zw_model_parse(c, path, text, size, nsets, sets, out);
    zw_free(c, text);
    return status;
}

void zw_model_destroy(zw_model *m) {
    if (m == NULL) {
        return;
    }
    zw_context *c = m->context;
    zw_pool_destroy(m->pool);
    zw_arena_destroy(&m->arena);
    zw_free(c, m);
}

const char *zw_model_title(const zw_model *m) {
    return m->title ? m->title : "";
}

const char *zw_model_text(const zw_model *m) {
    return m->text;
}

uint64_t zw_model_hash(const zw_model *m) {
    return m->hash;
}

bool zw_model_forms_meet(const zw_model *m) {
    const zw_contact_def *k = &m->contact;
    int                   forms = 0, rods = 0;
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *b = &m->bodies[i];
        rods += b->kind == ZW_BODY_ROD;
        forms += b->kind == ZW_BODY_ROD || (b->kind == ZW_BODY_RIGID && b->rigid.form.kind != ZW_FORM_NONE);
    }
    return k->npairs > 0 || (k->all && forms > (m->nobstacles > 0 ? 0 : 1)) || (k->self && rods > 0);
}

bool zw_model_meets(const zw_model *m, char *what, size_t size) {
    if (m->nunilaterals > 0) {
        snprintf(what, size, "'%.60s' is unilateral", m->unilaterals[0].name);
        return true;
    }
    for (int i = 0; i < m->nconstraints; i++) {
        if (m->constraints[i].limit[0].node != 0) {
            snprintf(what, size, "'%.60s' has limits", m->constraints[i].name);
            return true;
        }
    }
    if (!zw_model_forms_meet(m)) {
        return false;
    }
    if (m->nobstacles > 0) {
        snprintf(what, size, "'%.60s' is an obstacle", m->obstacles[0].name);
    } else {
        snprintf(what, size, "bodies of this model meet");
    }
    return true;
}

void zw_model_inputs(const zw_model *m, double *in) {
    int n = zw_pool_inputs(m->pool);
    for (int i = 0; i < n; i++) {
        in[i] = 0.0;
    }
    for (int i = 0; i < m->nparameters; i++) {
        if (m->parameter_slot[i] >= 0) {
            in[m->parameter_slot[i]] = m->parameter_value[i];
        }
    }
}

zw_status zw_model_constant(const zw_model *m, zw_quantity q, const char *subject, double *value) {
    zw_context *c = m->context;
    zw_tape    *tape = NULL;
    zw_status   status = ZW_OK;
    *value = NAN;
    if (q.node == 0) {
        return zw_model_raise(m, ZW_E_INTERNAL, q.at, subject, NULL, "the value was not given");
    }
    if (zw_node_is_constant(m->pool, q.node, value) && isfinite(*value)) {
        return ZW_OK;
    }
    ZW_TRY(zw_tape_create(c, m->pool, &q.node, 1, &tape));
    double *in = zw_alloc(c, (size_t)zw_pool_inputs(m->pool), sizeof(double), "inputs");
    double *work = zw_alloc(c, (size_t)zw_tape_work(tape), sizeof(double), "work space");
    if (in == NULL || work == NULL) {
        status = ZW_E_MEMORY;
    } else {
        zw_model_inputs(m, in);
        zw_tape_eval(tape, in, work, value);
        if (!isfinite(*value)) {
            zw_text why;
            zw_text_init(&why, c);
            zw_tape_explain(tape, in, &why);
            status = zw_model_raise(m, ZW_E_MODEL, q.at, subject, NULL, "its value is not finite: %.300s", why.s ? why.s : "");
            zw_text_destroy(&why);
        }
    }
    zw_free(c, in);
    zw_free(c, work);
    zw_tape_destroy(tape);
    return status;
}

zw_status zw_model_raise_in(const zw_model *m, zw_status code, const char *func, zw_where at, const char *subject, const char *remedy,
                            const char *fmt, ...) {
    char      message[400];
    zw_source source = {m->file, m->source, m->source_size};
    va_list   args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    zw_raise_in(m->context, code, func, subject, remedy, "%s", message);
    zw_error *e = zw_error_last(m->context);
    if (e) {
        snprintf(e->file, sizeof e->file, "%s", m->file);
        e->line = at.line;
        e->col = at.col;
        zw_source_excerpt(&source, at, e->excerpt, sizeof e->excerpt);
    }
    return code;
}

void zw_string_free(zw_context *c, char *s) {
    zw_free(c, s);
}
