/* SPDX-License-Identifier: Apache-2.0
 * read_lagrangian.c: a system written down by its energies. Inside the body a coordinate is x and its velocity xdot; in the pool they are
 * inputs BODY.x and BODY.xdot, so that two bodies can use the same names. Definitions and the velocities of a moving frame are names for
 * their expressions. Two scopes: one with all of it, and one of coordinates and t alone, in which what depends on a velocity is closed by
 * a hint. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COORDINATES = 500, MOST_DEFINES = 10000, LONGEST_NAME = 100 };

static const char hint_velocity[] =
    "potential, particles and points depend on coordinates and time only; write velocity-dependent terms into kinetic";

typedef struct work {
    zw_reader         *r;
    zw_yaml           *map;
    const zw_body_def *body;
    zw_lagrangian_def *d;
    zw_scope          *all, *still; /* with and without velocities                              */
    zw_names           names;       /* coordinates, their velocities, those of the frame, definitions */
    int                nframe;      /* of these, the velocities of the frame: 2 n .. 2 n + nframe     */
} work;

/* ---- names */
static bool memory(work *w, bool ok) {
    w->r->issues->memory = w->r->issues->memory || !ok;
    return ok;
}

static bool add_name(work *w, const char *name) {
    return memory(w, zw_names_add(&w->names, name) >= 0);
}

/* what a name means here already; NULL: nothing */
static const char *meaning(const work *w, const char *name, char *out, size_t size) {
    const zw_lagrangian_def *d = w->d;
    const char              *taken = zw_read_taken(name);
    int                      known = zw_names_find(&w->names, name);
    if (taken || known < 0) {
        return taken ? taken : zw_names_find(&w->r->parameter, name) >= 0 ? "a parameter already" : NULL;
    }
    if (known >= d->n && known < 2 * d->n) {
        snprintf(out, size, "the velocity of the coordinate '%.100s'", d->coordinate[known - d->n]);
        return out;
    }
    return known < d->n                   ? "a coordinate of this body already"
           : known < 2 * d->n + w->nframe ? "a velocity of this body already"
                                          : "defined already";
}

/* may it be a name of this body? byte: -1 at the node, -2 at its key */
static bool name_is_free(work *w, zw_yaml *node, int byte, const char *name) {
    char        what[160];
    const char *taken = meaning(w, name, what, sizeof what);
    if (strlen(name) > LONGEST_NAME) {
        zw_report_in(w->r, ZW_E_MODEL, __func__, node, byte, "choose a shorter one", "the name has %d letters; at most %d are allowed",
                     (int)strlen(name), LONGEST_NAME);
        return false;
    }
    if (taken) {
        zw_report_in(w->r, ZW_E_MODEL, __func__, node, byte, "choose another name", "'%.100s' cannot be used as a name: it is %s", name,
                     taken);
    }
    return taken == NULL;
}

/* the slot of the input BODY.NAME; -1 when memory is out */
static int input(work *w, const char *name) {
    zw_text text;
    int     slot = -1;
    zw_text_init(&text, w->r->context);
    zw_text_addf(&text, "%s.%s", w->body->name, name);
    if (memory(w, zw_text_status(&text) == ZW_OK)) {
        slot = zw_pool_input(w->r->model->pool, text.s);
        memory(w, slot >= 0);
    }
    zw_text_destroy(&text);
    return slot;
}

static zw_node input_node(work *w, int slot) {
    zw_node n = zw_node_input(w->r->model->pool, slot);
    memory(w, n != 0);
    return n;
}

static bool open(work *w, zw_scope *scope, const char *name, zw_value v) {
    return zw_reader_memory(w->r, zw_scope_add_value(scope, name, v));
}

static bool closed(work *w, zw_scope *scope, const char *name, const char *why) {
    return zw_reader_memory(w->r, zw_scope_add_hint(scope, name, why));
}

/* does any of these use a velocity? or a coordinate or velocity? */
static bool moves(work *w, zw_values *of, const zw_value *v) {
    bool known = true, all = true;
    for (int k = 0; k < v->width; k++) {
        zw_reader_memory(w->r, zw_values_known(of, v->n[k], &known));
        all = all && known;
    }
    return !all;
}

/* ---- coordinates */
/* a definition may hide the number e, as a parameter may; what moves may not */
static bool is_euler(work *w, zw_yaml *node, int byte, const char *name) {
    if (strcmp(name, "e") == 0) {
        zw_report_in(w->r, ZW_E_MODEL, __func__, node, byte, "choose another name",
                     "'e' cannot be used as a name: it is the number 2.71828..");
    }
    return strcmp(name, "e") == 0;
}

static bool check_coordinates(work *w, zw_yaml *list) {
    zw_reader *r = w->r;
    bool       ok = true;
    if (list->count < 1 || list->count > MOST_COORDINATES) {
        if (list->count > MOST_COORDINATES) {
            zw_report(r, list, "split the system into bodies", "there are %d coordinates; at most %d are allowed", list->count,
                      MOST_COORDINATES);
        }
        return false; /* an empty list was reported */
    }
    for (zw_yaml *c = list->first; c; c = c->next) {
        if (c->bad) {
            ok = false;
        } else if (!zw_expr_is_name(c->text)) {
            zw_report(r, c, "begin with a letter, then letters, digits and _", "'%.60s' is not a name", c->text);
            ok = false;
        } else {
            ok = name_is_free(w, c, -1, c->text) && !is_euler(w, c, -1, c->text) && add_name(w, c->text) && ok;
        }
    }
    for (zw_yaml *c = list->first; c && ok; c = c->next) { /* every name stands in the list once */
        size_t n = c->n;
        int    of = n > 3 && strcmp(c->text + n - 3, "dot") == 0 ? zw_names_find_n(&w->names, c->text, n - 3) : -1;
        if (of >= 0) {
            zw_report(r, c, "choose another name", "'%.100s' is the velocity of the coordinate '%.100s'", c->text, w->names.name[of]);
            return false;
        }
    }
    return ok;
}

static bool read_coordinates(work *w, zw_yaml *list) {
    zw_reader         *r = w->r;
    zw_lagrangian_def *d = w->d;
    if (list == NULL || list->kind != ZW_YAML_LIST || !check_coordinates(w, list)) {
        return false;
    }
    size_t       n = (size_t)list->count;
    zw_node     *rate = zw_arena_alloc(r->arena, n, sizeof *rate, "coordinates");
    const char **velocity = zw_arena_alloc(r->arena, n, sizeof *velocity, "coordinates");
    d->coordinate = zw_arena_alloc(r->arena, n, sizeof *d->coordinate, "coordinates");
    d->slot_q = zw_arena_alloc(r->arena, n, sizeof(int), "coordinates");
    d->slot_v = zw_arena_alloc(r->arena, n, sizeof(int), "coordinates");
    d->force = zw_arena_alloc(r->arena, n, sizeof *d->force, "coordinates");
    d->q0 = zw_arena_alloc(r->arena, n, sizeof *d->q0, "coordinates");
    d->v0 = zw_arena_alloc(r->arena, n, sizeof *d->v0, "coordinates");
    if (!memory(w, rate && velocity && d->coordinate && d->slot_q && d->slot_v && d->force && d->q0 && d->v0)) {
        return false;
    }
    for (zw_yaml *c = list->first; c; c = c->next) {
        char name[LONGEST_NAME + 4];
        int  i = d->n++;
        snprintf(name, sizeof name,
                 "%.*s"
                 "dot",
                 LONGEST_NAME, c->text);
        d->coordinate[i] = c->text;
        velocity[i] = zw_arena_strdup(r->arena, name);
        if (!memory(w, velocity[i] != NULL)) {
            return false;
        }
    }
    bool ok = true;
    int  i = 0;
    for (zw_yaml *c = list->first; c && ok; c = c->next, i++) {
        if (zw_names_find(&r->parameter, velocity[i]) >= 0) {
            zw_report(r, c, "rename one of them", "the velocity of this coordinate is named '%.100s', and so is a parameter", velocity[i]);
            return false;
        }
        d->slot_q[i] = input(w, d->coordinate[i]);
        d->slot_v[i] = input(w, velocity[i]);
        ok = d->slot_q[i] >= 0 && d->slot_v[i] >= 0 && add_name(w, velocity[i]) &&
             zw_reader_memory(r, zw_values_set(&r->values, d->slot_q[i], NAN, false)) &&
             zw_reader_memory(r, zw_values_set(&r->values, d->slot_v[i], NAN, false)) &&
             zw_reader_memory(r, zw_values_set(&r->fixed, d->slot_q[i], 0.0, false)) &&
             zw_reader_memory(r, zw_values_set(&r->fixed, d->slot_v[i], 0.0, false)) &&
             zw_reader_memory(r, zw_values_set(&r->resting, d->slot_v[i], 0.0, false));
        if (ok) {
            zw_value q = {1, {input_node(w, d->slot_q[i])}}, v = {1, {input_node(w, d->slot_v[i])}};
            rate[i] = v.n[0];
            ok = !r->issues->memory && open(w, w->all, d->coordinate[i], q) && open(w, w->all, velocity[i], v) &&
                 open(w, w->still, d->coordinate[i], q) && closed(w, w->still, velocity[i], hint_velocity);
        }
    }
    return ok && zw_reader_memory(r, zw_scope_set_motion(w->all, d->n, d->slot_q, rate, r->model->slot_t, d->n, d->slot_v)) &&
           zw_reader_memory(r, zw_scope_set_motion(w->still, d->n, d->slot_q, rate, r->model->slot_t, d->n, d->slot_v));
}

/* ---- definitions and the velocities of a moving frame */
static void read_defines(work *w, zw_yaml *map) {
    zw_reader         *r = w->r;
    zw_lagrangian_def *d = w->d;
    if (map == NULL || map->kind != ZW_YAML_MAP || map->count == 0) {
        return;
    }
    if (map->count > MOST_DEFINES) {
        zw_report_key(r, map, NULL, "there are %d definitions; at most %d are allowed", map->count, MOST_DEFINES);
        return;
    }
    d->define = zw_arena_alloc(r->arena, (size_t)map->count, sizeof *d->define, "definitions");
    if (!memory(w, d->define != NULL)) {
        return;
    }
    for (zw_yaml *c = map->first; c; c = c->next) {
        static const char below[] = "it is defined below; move it above the one that uses it";
        const char       *name = c->key->text;
        char              what[160];
        bool              names = c->bad ? zw_expr_is_name(name) && strlen(name) <= LONGEST_NAME && !meaning(w, name, what, sizeof what)
                                         : name_is_free(w, c, -2, name); /* a wrong one has its name too */
        if (names && !(add_name(w, name) && closed(w, w->all, name, below) && closed(w, w->still, name, below))) {
            return;
        }
    }
    for (zw_yaml *c = map->first; c && !r->issues->memory; c = c->next) {
        const char *name = c->key->text;
        int         known = zw_names_find(&w->names, name);
        zw_value    v = {0};
        zw_quantity list[3] = {{0}};
        bool        ok = !c->bad;
        if (known < 2 * d->n + w->nframe) { /* the name means something else already */
            continue;
        }
        if (ok && c->kind == ZW_YAML_LIST) {
            ok = zw_read_vector(r, c, ZW_OF_MOTION, list);
            v = (zw_value){3, {list[0].node, list[1].node, list[2].node}};
        } else if (ok) {
            ok = zw_read_expression(r, c, ZW_OF_MOTION, &v);
        }
        if (!ok) { /* it still has its name, so that its uses are not reported too */
            zw_node any = input_node(w, d->slot_q[0]);
            v = (zw_value){c->kind == ZW_YAML_LIST ? 3 : 1, {any, any, any}};
        }
        if (r->issues->memory || !open(w, w->all, name, v) ||
            !(moves(w, &r->resting, &v) ? closed(w, w->still, name, hint_velocity) : open(w, w->still, name, v))) {
            return;
        }
        d->define[d->ndefines++] = (zw_named_def){name, {v.width == 1 ? v.n[0] : 0, zw_read_where(r, c)}};
    }
}

/* linear in the velocities: no second derivative by them is left */
static bool is_linear(work *w, zw_node u, zw_node *slope, zw_node *second) {
    zw_reader *r = w->r;
    zw_pool   *pool = r->model->pool;
    int        n = w->d->n;
    if (!zw_reader_memory(r, zw_node_gradient(pool, u, n, w->d->slot_v, slope))) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        zw_value v = {1, {slope[i]}};
        if (!moves(w, &r->resting, &v)) {
            continue;
        }
        if (!zw_reader_memory(r, zw_node_gradient(pool, slope[i], n, w->d->slot_v, second))) {
            return true;
        }
        for (int k = 0; k < n; k++) {
            double zero = 1.0;
            if (!zw_node_is_constant(pool, second[k], &zero) || zero != 0.0) {
                return false;
            }
        }
    }
    return true;
}

/* their names, before the definitions: those come after them in the list of names */
static void name_frame(work *w, zw_yaml *map) {
    static const char below[] = "it is a velocity of the moving frame; definitions and the other velocities are written with NAMEdot";
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    if (map->count != w->d->n) {
        zw_report_key(w->r, map, "give as many as there are coordinates", "a moving frame has %d velocities here, and these are %d",
                      w->d->n, map->count);
    }
    for (zw_yaml *c = map->first; c; c = c->next) {
        const char *name = c->key->text;
        if (!c->bad && w->nframe < MOST_COORDINATES && name_is_free(w, c, -2, name) && !is_euler(w, c, -2, name)) {
            if (!add_name(w, name) || !closed(w, w->all, name, below) || !closed(w, w->still, name, hint_velocity)) {
                return;
            }
            w->nframe++;
        }
    }
}

static void read_frame(work *w, zw_yaml *map) {
    zw_reader         *r = w->r;
    zw_lagrangian_def *d = w->d;
    size_t             n = (size_t)d->n;
    if (map == NULL || w->nframe == 0) {
        return;
    }
    zw_node  *slope = zw_arena_alloc(r->arena, 2 * n, sizeof *slope, "velocities");
    zw_value *value = zw_arena_alloc(r->arena, MOST_COORDINATES, sizeof *value, "velocities");
    d->quasi = zw_arena_alloc(r->arena, MOST_COORDINATES, sizeof *d->quasi, "velocities");
    d->slot_u = zw_arena_alloc(r->arena, MOST_COORDINATES, sizeof(int), "velocities");
    if (!memory(w, slope && value && d->quasi && d->slot_u)) {
        return;
    }
    for (zw_yaml *c = map->first; c && !r->issues->memory; c = c->next) {
        int known = zw_names_find(&w->names, c->key->text), i = d->nquasi;
        if (known < 2 * d->n || known >= 2 * d->n + w->nframe) {
            continue;
        }
        d->quasi[i].name = c->key->text;
        value[i] = (zw_value){1, {input_node(w, d->slot_v[0])}}; /* of a wrong one, so that its uses are not reported too */
        if (!c->bad && zw_read_quantity(r, c, ZW_OF_MOTION, &d->quasi[i].e)) {
            value[i].n[0] = d->quasi[i].e.node;
            if (!moves(w, &r->resting, &value[i])) {
                zw_report(r, c, "write it with NAMEdot", "must depend on a velocity");
            } else if (!is_linear(w, value[i].n[0], slope, slope + n)) {
                zw_report(r, c, "a velocity of a moving frame is a sum of velocities with factors of coordinates and t",
                          "must be linear in the velocities");
            }
        }
        d->slot_u[i] = input(w, c->key->text);
        if (d->slot_u[i] < 0 || !zw_reader_memory(r, zw_values_set(&r->values, d->slot_u[i], NAN, false))) {
            return;
        }
        d->nquasi++;
    }
    for (int i = 0; i < d->nquasi && !r->issues->memory; i++) { /* not before: they do not use each other */
        open(w, w->all, d->quasi[i].name, value[i]);
    }
}

/* ---- energies and forces */
static void read_energies(work *w) {
    zw_reader         *r = w->r;
    zw_lagrangian_def *d = w->d;
    zw_yaml           *kinetic = zw_yaml_get(w->map, "kinetic"), *potential = zw_read_get(w->map, "potential");
    zw_read_fields(r, w->map, d);
    if (kinetic == NULL && zw_yaml_get(w->map, "particles") == NULL) {
        zw_report_key(r, w->map, "give kinetic, or particles with masses", "the kinetic energy is missing");
        w->map->bad = false; /* the rest of it is looked at */
        return;
    }
    zw_value T = {1, {d->kinetic.node}}, V = {1, {d->potential.node}};
    if (kinetic && !kinetic->bad && T.n[0] && zw_yaml_get(w->map, "particles") == NULL && !moves(w, &r->resting, &T)) {
        zw_report(r, kinetic, "write it with NAMEdot, as in m*xdot^2/2", "the kinetic energy depends on no velocity");
    }
    if (potential && !potential->bad && V.n[0] && moves(w, &r->resting, &V)) {
        zw_report(r, potential, "write velocity-dependent terms into kinetic", "the potential must not depend on velocities");
    }
}

static void read_forces(work *w, zw_yaml *map) {
    zw_lagrangian_def *d = w->d;
    for (zw_yaml *c = map && map->kind == ZW_YAML_MAP ? map->first : NULL; c; c = c->next) {
        char remedy[300] = "";
        int  i = zw_names_find(&w->names, c->key->text);
        if (c->bad) {
            continue;
        }
        if (i >= 0 && i < d->n) {
            zw_read_quantity(w->r, c, ZW_OF_MOTION, &d->force[i]);
            continue;
        }
        if (!zw_issues_full(w->r->issues)) {
            zw_read_suggest(c->key->text, d->coordinate, d->n, "coordinates: ", remedy, sizeof remedy);
        }
        zw_report_key(w->r, c, remedy, "there is no coordinate '%.60s' for a force to act on", c->key->text);
    }
}

/* ---- start */
static void read_start(work *w, zw_yaml *map) {
    static const char  why[] = "a start is a number; parameters may be used";
    zw_reader         *r = w->r;
    zw_lagrangian_def *d = w->d;
    zw_scope          *kept = r->scope[ZW_OF_NOTHING], *scope = NULL;
    zw_yaml           *plain = NULL, *frame = NULL;
    int                n = d->n, named = 2 * d->n + w->nframe;
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    d->start_at = zw_read_where(r, map);
    if (!zw_reader_memory(r, zw_scope_create(r->model->pool, kept, &scope))) {
        return;
    }
    for (int i = 0; i < w->names.n && !r->issues->memory; i++) {
        closed(w, scope, w->names.name[i], why);
    }
    closed(w, scope, "t", why);
    r->scope[ZW_OF_NOTHING] = scope;
    for (zw_yaml *c = map->first; c && !r->issues->memory; c = c->next) {
        char        remedy[300] = "";
        int         i = zw_names_find(&w->names, c->key->text);
        zw_quantity q = {0};
        double      value;
        if (c->bad) {
            continue;
        }
        if (i < 0 || i >= named) {
            if (!zw_issues_full(r->issues)) {
                zw_read_suggest(c->key->text, w->names.name, named, "known here: ", remedy, sizeof remedy);
            }
            zw_report_key(r, c, remedy, "there is no coordinate or velocity '%.60s'", c->key->text);
            continue;
        }
        plain = i >= n && i < 2 * n ? c : plain;
        frame = i >= 2 * n ? c : frame;
        if (zw_read_quantity(r, c, ZW_OF_NOTHING, &q)) {
            zw_read_constant(r, c, q, &value);
        }
        if (i < n) {
            d->q0[i] = q;
        } else if (i < 2 * n) {
            d->v0[i - n] = q;
        } else if (i - 2 * n < n) {
            d->v0[i - 2 * n] = q;
        }
    }
    r->scope[ZW_OF_NOTHING] = kept;
    zw_scope_destroy(scope);
    d->start_in_quasi = frame != NULL;
    if (plain && frame) {
        zw_report_key(r, plain, "give all velocities in one way",
                      "'%.100s' and '%.100s' exclude each other: the start is given by NAMEdot, or by the velocities of the moving frame",
                      plain->key->text, frame->key->text);
    }
}

/* ---- rows */
static void read_rows(work *w, zw_yaml *node, int body) {
    int n = 0;
    for (zw_yaml *c = node && node->kind != ZW_YAML_SCALAR ? node->first : NULL; c && !w->r->issues->memory; c = c->next) {
        char        name[24];
        const char *given = c->key ? c->key->text : NULL;
        n++;
        if (c->bad || c->kind != ZW_YAML_SCALAR) {
            continue;
        }
        if (given == NULL) {
            snprintf(name, sizeof name, "c%d", n);
            given = zw_arena_strdup(w->r->arena, name);
        }
        if (memory(w, given != NULL) && zw_read_lagrange_row(w->r, body, c, given) < 0) {
            return;
        }
    }
}

bool zw_read_lagrangian(zw_reader *r, zw_yaml *map, int body) {
    zw_body_def *b = &r->model->bodies[body];
    work         w = {.r = r, .map = map, .body = b, .d = &b->lagrangian};
    zw_scope    *kept[2] = {r->scope[ZW_OF_MOTION], r->scope[ZW_OF_COORDINATES]};
    zw_names_init(&w.names, r->context);
    bool ok = zw_reader_memory(r, zw_scope_create(r->model->pool, r->parameters, &w.all)) &&
              zw_reader_memory(r, zw_scope_create(r->model->pool, r->parameters, &w.still)) &&
              zw_reader_memory(r, zw_scope_add_input(w.all, "t")) && zw_reader_memory(r, zw_scope_add_input(w.still, "t")) &&
              read_coordinates(&w, zw_read_get(map, "coordinates"));
    r->body_scope[body] = w.all; /* constraints of the model may add to it */
    if (ok) {
        zw_yaml *frame = zw_read_get(map, "velocities");
        r->scope[ZW_OF_MOTION] = w.all;
        r->scope[ZW_OF_COORDINATES] = w.still;
        name_frame(&w, frame);
        read_defines(&w, zw_read_get(map, "define"));
        read_frame(&w, frame);
        if (!r->issues->memory) {
            read_energies(&w);
            read_forces(&w, zw_read_get(map, "forces"));
            zw_read_lagrange_points(r, map, w.d);
            read_rows(&w, zw_read_get(map, "constraints"), body);
            read_start(&w, zw_read_get(map, "start"));
        }
    }
    r->scope[ZW_OF_MOTION] = kept[0];
    r->scope[ZW_OF_COORDINATES] = kept[1];
    zw_names_destroy(&w.names);
    zw_scope_destroy(w.still);
    return ok;
}
