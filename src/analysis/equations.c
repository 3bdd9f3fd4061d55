/* SPDX-License-Identifier: Apache-2.0
 * equations.c: the equations of every lagrangian body of a model in one form and one notation, from the bodies' definitions to a text. */
#include "analysis/outline.h"

#include "model/yaml.h"

#include <stdio.h>
#include <string.h>

typedef struct asked {
    const zw_model         *model;
    const zw_equations_ask *ask;
    zw_arena               *arena;
    zw_outline             *outline;
    int                     n;
} asked;

/* ---- parameters */

static bool line_uses(const zw_outline *o, int slot) {
    for (int i = 0; i < o->n; i++) {
        const zw_line *l = &o->line[i];
        if (l->kind == ZW_LINE_EQUATION &&
            (zw_node_depends(o->model->pool, l->right, slot) || (l->left && zw_node_depends(o->model->pool, l->left, slot)))) {
            return true;
        }
    }
    return false;
}

/* definitions of derived parameters are in the text of the model only */
static zw_yaml *find_definitions(const zw_outline *o) {
    zw_source *source = zw_arena_alloc(o->arena, 1, sizeof *source, "the model's text");
    zw_issues  issues;
    if (!source || !o->model->text) {
        return NULL;
    }
    *source = (zw_source){o->model->file, o->model->text, strlen(o->model->text)};
    zw_issues_init(&issues, o->arena);
    zw_yaml *root = zw_yaml_parse(o->arena, &issues, source);
    return root && root->kind == ZW_YAML_MAP ? zw_yaml_get(root, "parameters") : NULL;
}

zw_status zw_outline_parameters(const zw_outline *o, zw_parameter_use **list, int *n) {
    const zw_model   *m = o->model;
    zw_parameter_use *all = zw_arena_alloc(o->arena, (size_t)m->nparameters, sizeof *all, "parameters of equations");
    zw_yaml          *map = NULL;
    *n = 0;
    *list = all;
    if (!all) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nparameters; i++) {
        zw_parameter_use use = {.name = m->parameter_name[i], .value = m->parameter_value[i], .slot = m->parameter_slot[i]};
        if (use.slot >= 0 && !line_uses(o, use.slot)) {
            continue;
        }
        if (use.slot < 0) {
            map = map ? map : find_definitions(o);
            zw_yaml *is = map && map->kind == ZW_YAML_MAP ? zw_yaml_get(map, use.name) : NULL;
            use.definition = is && is->kind == ZW_YAML_SCALAR ? is->text : "(derived)";
        }
        all[(*n)++] = use;
    }
    return ZW_OK;
}

/* ---- partition */

static zw_status read_dependent(const asked *a, zw_outline *o, bool *only, int *count) {
    const char *s = a->ask->dependent;
    while (*s) {
        size_t skip = strspn(s, ", "), n = strcspn(s + skip, ", ");
        if (n == 0) {
            break;
        }
        int found = -1;
        for (int i = 0; i < o->def->n; i++) {
            size_t m = strlen(o->def->coordinate[i]);
            bool   as_velocity = n == m + 3 && memcmp(s + skip + m, "dot", 3) == 0;
            if ((n == m || as_velocity) && memcmp(o->def->coordinate[i], s + skip, m) == 0) {
                found = i;
            }
        }
        if (found < 0) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)(n < 60 ? n : 60), s + skip);
            const char *near = zw_nearest_name(word, o->def->coordinate, o->def->n);
            return zw_raise(a->model->context, ZW_E_ARG, "dependent velocities",
                            near ? zw_outline_text(o, "did you mean '%s'?", near) : NULL, "'%s' is no coordinate of %s", word, o->body);
        }
        *count += !only[found];
        only[found] = true;
        s += skip + n;
    }
    return ZW_OK;
}

static double noise(uint64_t *seed) { /* -1 .. 1 */
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* at the start; where constraints have no gradient there (a velocity that only enters squared, at rest), at a state beside it */
static zw_status choose(const asked *a, zw_outline *o, zw_partition *part, const char **where) {
    const zw_model *m = a->model;
    double         *in = zw_arena_alloc(a->arena, (size_t)zw_pool_inputs(m->pool), sizeof *in, "the start");
    bool           *only = zw_arena_alloc(a->arena, (size_t)o->def->n, sizeof *only, "dependent velocities");
    bool            consistent = true;
    int             asked_for = 0;
    uint64_t        seed = 1234567;
    if (!in || !only) {
        return ZW_E_MEMORY;
    }
    if (a->ask->dependent) {
        ZW_TRY(read_dependent(a, o, only, &asked_for));
    }
    ZW_TRY(zw_lagrange_start(m, o->def, o->y, a->arena, in, &consistent));
    ZW_TRY(zw_partition_choose(m, o->def, o->y, in, a->ask->dependent ? only : NULL, a->arena, part));
    *where = consistent ? "the start" : "the start as written (it is not on the constraints)";
    if (part->nredundant > 0) {
        zw_partition beside;
        for (int i = 0; i < o->def->n; i++) {
            in[o->def->slot_q[i]] += 0.1 * noise(&seed);
            in[o->def->slot_v[i]] += 0.1 * noise(&seed);
        }
        ZW_TRY(zw_partition_choose(m, o->def, o->y, in, a->ask->dependent ? only : NULL, a->arena, &beside));
        if (beside.g > part->g) {
            *part = beside;
            *where = "a state beside the start, where the constraints lose rank";
        }
    }
    if (a->ask->dependent && part->g != asked_for) {
        return zw_raise(m->context, ZW_E_ARG, "dependent velocities", "name other coordinates, or none to have them chosen",
                        "the constraints of %s determine %d of the %d velocities asked for at the start", o->body, part->g, asked_for);
    }
    if (a->ask->dependent && part->nredundant > 0) {
        bool        *all = zw_arena_alloc(a->arena, (size_t)o->def->n, sizeof *all, "dependent velocities");
        zw_partition full;
        for (int i = 0; all && i < o->def->n; i++) {
            all[i] = true;
        }
        ZW_TRY(all ? zw_partition_choose(m, o->def, o->y, in, all, a->arena, &full) : ZW_E_MEMORY);
        if (full.g > part->g) {
            return zw_raise(m->context, ZW_E_ARG, "dependent velocities", "name as many as there are independent constraints",
                            "the constraints of %s make %d velocities dependent, and %d are named", o->body, full.g, part->g);
        }
    }
    return ZW_OK;
}

/* ---- bodies */

static zw_status build(asked *a, int body) {
    const zw_model    *m = a->model;
    const zw_body_def *b = &m->bodies[body];
    zw_outline        *o = &a->outline[a->n];
    zw_lagrange       *y = zw_arena_alloc(a->arena, 1, sizeof *y, "equations");
    if (!y) {
        return ZW_E_MEMORY;
    }
    *o = (zw_outline){.model = m, .body = b->name, .def = &b->lagrangian, .y = y, .form = a->ask->form, .arena = a->arena};
    ZW_TRY(zw_lagrange_derive(m, o->def, a->arena, y));
    switch (a->ask->form) {
    case ZW_FORM_MULTIPLIER: zw_outline_multiplier_form(o); break;
    case ZW_FORM_GAUSS: zw_outline_gauss_form(o); break;
    case ZW_FORM_MACMILLAN: {
        zw_macmillan *k = zw_arena_alloc(a->arena, 1, sizeof *k, "equations");
        zw_partition  part;
        const char   *where;
        if (!k) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(choose(a, o, &part, &where));
        ZW_TRY(zw_macmillan_derive(m, b->name, o->def, y, &part, a->arena, k));
        o->macmillan = k;
        zw_outline_macmillan_form(o, !a->ask->dependent, where);
        break;
    }
    }
    a->n++;
    return o->status;
}

static zw_status no_body(const asked *a) {
    const zw_model *m = a->model;
    const char    **names = zw_arena_alloc(a->arena, (size_t)m->nbodies, sizeof *names, "names of bodies");
    int             n = 0;
    if (!names) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_LAGRANGIAN) {
            names[n++] = m->bodies[i].name;
        }
    }
    if (n == 0) {
        return zw_raise(m->context, ZW_E_UNSUPPORTED, "equations", "write the system as a lagrangian body",
                        "%s has no lagrangian body; equations are printed for those only", m->file ? m->file : "the model");
    }
    char        remedy[160];
    const char *near = zw_nearest_name(a->ask->body, names, n);
    snprintf(remedy, sizeof remedy, near ? "did you mean '%.80s'?" : "'%.80s' is one", near ? near : names[0]);
    return zw_raise(m->context, ZW_E_ARG, "equations", remedy, "'%.80s' is no lagrangian body of the model", a->ask->body);
}

static zw_status print(const asked *a, zw_text *out) {
    bool latex = a->ask->as == ZW_AS_LATEX;
    if (a->ask->as == ZW_AS_C) {
        return zw_outlines_print_c(a->outline, a->n, out);
    }
    if (latex && !a->ask->fragment) {
        zw_text_add(
            out, "\\documentclass[11pt]{article}\n\\usepackage[a4paper,margin=2cm]{geometry}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n"
                 "\\begin{document}\n");
    }
    for (int i = 0; i < a->n; i++) {
        zw_text_add(out, i ? "\n" : "");
        ZW_TRY(latex ? zw_outline_print_latex(&a->outline[i], out) : zw_outline_print_text(&a->outline[i], out));
    }
    if (latex && !a->ask->fragment) {
        zw_text_add(out, "\\end{document}\n");
    }
    return zw_text_status(out);
}

zw_status zw_equations_print(const zw_model *m, const zw_equations_ask *ask, zw_text *out) {
    zw_arena  arena;
    asked     a = {.model = m, .ask = ask, .arena = &arena};
    zw_status status = ZW_OK;
    zw_arena_init(&arena, m->context);
    a.outline = zw_arena_alloc(&arena, (size_t)m->nbodies, sizeof *a.outline, "equations");
    status = a.outline ? ZW_OK : ZW_E_MEMORY;
    for (int i = 0; i < m->nbodies && status == ZW_OK; i++) {
        if (m->bodies[i].kind == ZW_BODY_LAGRANGIAN && (!ask->body || strcmp(ask->body, m->bodies[i].name) == 0)) {
            status = build(&a, i);
        }
    }
    if (status == ZW_OK && a.n == 0) {
        status = no_body(&a);
    }
    if (status == ZW_OK) {
        status = print(&a, out);
    }
    zw_arena_destroy(&arena);
    return status;
}
