/* SPDX-License-Identifier: Apache-2.0
 * observe.c: what a frame holds, and filling it. Channels: time; the fields of the parts; energies, momenta, rows, Zwang; the integrator's own; probes. */
#include "events/run.h"

#include "math/quat.h"
#include "rows/along.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const default_fields[] = {"position", "orientation", "velocity", "spin", "curvature", "strain"};
static const char *const energy_name[] = {"total", "kinetic", "elastic", "potential", "work", "dissipated", "drift"};
static const char *const momentum_name[] = {"linear", "angular"};
static const char *const constraint_name[] = {"position", "velocity"};

static const char *last_word(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash != NULL ? slash + 1 : name;
}

static bool wanted(const zw_model *m, const zw_part *part, int field, const char *channel) {
    const char *word = last_word(channel);
    int         n = m->record.nfields;
    if (strncmp(channel, "field/", 6) == 0 && (n == 0 || (strcmp(word, "mu") != 0 && strcmp(word, "gamma") != 0))) {
        return true; /* numbers of a field cost nothing */
    }
    if (strncmp(channel, "lagrangian/", 11) == 0) {
        return true; /* neither do the coordinates of a lagrangian body */
    }
    if (n == 0) {
        for (size_t i = 0; i < sizeof default_fields / sizeof default_fields[0]; i++) {
            if (strcmp(word, default_fields[i]) == 0) {
                return true;
            }
        }
        return part->ops->shown != NULL && part->ops->shown(part->self, field);
    }
    for (int i = 0; i < n; i++) {
        if (strcmp(word, m->record.fields[i]) == 0) {
            return true;
        }
    }
    return strcmp(word, "position") == 0; /* without positions there is nothing to look at */
}

static zw_status check_fields(zw_run *r) {
    const zw_model *m = r->model;
    const zw_part  *part;
    int             nparts = zw_system_parts(r->system, &part);
    for (int i = 0; i < m->record.nfields; i++) {
        bool found = false;
        char known[260] = "";
        for (int p = 0; p < nparts; p++) {
            zw_channel c;
            bool       constant;
            for (int k = 0; part[p].ops->field(part[p].self, k, &c, &constant); k++) {
                const char *word = last_word(c.name);
                if (constant) {
                    continue;
                }
                found = found || strcmp(word, m->record.fields[i]) == 0;
                size_t used = strlen(known);
                if (strstr(known, word) == NULL && used + strlen(word) + 3 < sizeof known) {
                    snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", word);
                }
            }
        }
        if (!found) {
            char remedy[300];
            snprintf(remedy, sizeof remedy, "choose from %s", known);
            return zw_model_raise(m, ZW_E_MODEL, m->record.at, "record.fields", remedy, "there is no field '%s'", m->record.fields[i]);
        }
    }
    return ZW_OK;
}

typedef struct builder {
    zw_run *r;
    bool    counting;
    int     nchannels, nconstants;
    size_t  width, constants_width;
} builder;

static void add(builder *b, bool constant, zw_channel c, zw_source s) {
    int    *n = constant ? &b->nconstants : &b->nchannels;
    size_t *width = constant ? &b->constants_width : &b->width;
    c.offset = *width;
    if (!b->counting) {
        zw_layout *layout = &b->r->layout;
        (constant ? layout->constant : layout->channel)[*n] = c;
        if (!constant) {
            b->r->source[*n] = s;
        }
    }
    *n += 1;
    *width += c.count;
}

static zw_channel channel(const char *group, const char *name, const char *unit, int width) {
    zw_channel c = {.rank = width > 1 ? 1 : 0, .count = (size_t)width};
    c.shape[0] = width > 1 ? width : 0;
    snprintf(c.name, sizeof c.name, "%s%s%s", group, name[0] != 0 ? "/" : "", name);
    snprintf(c.unit, sizeof c.unit, "%s", unit);
    return c;
}

static const char *probe_unit(const zw_probe_def *p) {
    switch (p->kind) {
    case ZW_PROBE_POSITION:
    case ZW_PROBE_WAY:
    case ZW_PROBE_LENGTH: return "m";
    case ZW_PROBE_ANGLE: return "rad";
    case ZW_PROBE_VELOCITY: return "m/s";
    case ZW_PROBE_CURVATURE: return "1/m";
    case ZW_PROBE_DRIVING:
    case ZW_PROBE_FORCE: return "N";
    case ZW_PROBE_MOMENT: return "N m";
    case ZW_PROBE_REACTION: return (p->along >= 0 || p->foundation >= 0) && p->place.s.node != 0 ? "N/m, N" : "N, N m";
    case ZW_PROBE_MULTIPLIER: return p->constraint >= 0 ? "N or N m" : "1";
    case ZW_PROBE_ENERGY: return "J";
    default: return "1";
    }
}

static const zw_constraint *rows_along(const zw_run *r, int i) {
    return &r->system->constraint[r->system->along_of[i]];
}

/* multipliers of equations along a rod, per label length, section by section; and the labels of these */
static void list_along(builder *b, int i) {
    const zw_run *r = b->r;
    const void   *rows = rows_along(r, i)->self;
    zw_channel    c = {.rank = 2, .unit = "1"}, label = {.rank = 1, .unit = "m"};
    c.shape[0] = label.shape[0] = zw_along_sections(rows);
    c.shape[1] = zw_along_equations(rows);
    c.count = (size_t)c.shape[0] * (size_t)c.shape[1];
    label.count = (size_t)label.shape[0];
    snprintf(c.name, sizeof c.name, "along/%.60s/multiplier", r->model->alongs[i].name);
    snprintf(label.name, sizeof label.name, "along/%.60s/label", r->model->alongs[i].name);
    add(b, false, c, (zw_source){ZW_FROM_ALONG, 0, i});
    add(b, true, label, (zw_source){ZW_FROM_ALONG, 0, i});
}

static void list_channels(builder *b) {
    zw_run        *r = b->r;
    const zw_part *part;
    int            nparts = zw_system_parts(r->system, &part);
    add(b, false, channel("time", "", "s", 1), (zw_source){ZW_FROM_TIME, 0, 0});
    for (int p = 0; p < nparts; p++) {
        zw_channel c;
        bool       constant;
        for (int i = 0; part[p].ops->field(part[p].self, i, &c, &constant); i++) {
            if (constant || wanted(r->model, &part[p], i, c.name)) {
                bool balance = part[p].ops->of_balance != NULL && part[p].ops->of_balance(part[p].self, i);
                add(b, constant, c, (zw_source){balance ? ZW_FROM_BALANCE : ZW_FROM_PART, p, i});
            }
        }
    }
    for (int i = 0; i < r->model->nframes; i++) { /* a frame that rests is told in the model */
        const zw_frame_def *of = &r->model->frames[i];
        char                name[80];
        if (of->carried || of->spins || of->moves) {
            snprintf(name, sizeof name, "%.60s/position", of->name);
            add(b, false, channel("frame", name, "m", 3), (zw_source){ZW_FROM_REFERENCE, 0, i});
            snprintf(name, sizeof name, "%.60s/orientation", of->name);
            add(b, false, channel("frame", name, "1", 4), (zw_source){ZW_FROM_REFERENCE, 1, i});
        }
    }
    for (int i = 0; i < 7; i++) {
        add(b, false, channel("energy", energy_name[i], "J", 1), (zw_source){ZW_FROM_ENERGY, 0, i});
    }
    for (int i = 0; i < 2; i++) {
        add(b, false, channel("momentum", momentum_name[i], i == 0 ? "N s" : "N m s", 3), (zw_source){ZW_FROM_MOMENTUM, 0, i});
    }
    if (r->m > 0 || r->contacts != NULL) {
        for (int i = 0; i < 2; i++) {
            add(b, false, channel("constraint", constraint_name[i], i == 0 ? "m, rad" : "m/s, rad/s", 1),
                (zw_source){ZW_FROM_CONSTRAINT, 0, i});
        }
        add(b, false, channel("zwang", "", "N^2/kg", 1), (zw_source){ZW_FROM_ZWANG, 0, 0});
    }
    for (int i = 0; i < r->model->nalongs; i++) {
        list_along(b, i);
    }
    for (int i = 0; i < r->nown; i++) {
        add(b, false, r->own[i], (zw_source){ZW_FROM_OWN, 0, i});
    }
    for (int i = 0; i < r->model->nprobes; i++) {
        const zw_probe_def *probe = &r->model->probes[i];
        add(b, false, channel("probe", probe->name, probe_unit(probe), probe->width), (zw_source){ZW_FROM_PROBE, 0, i});
    }
}

zw_status zw_run_bind_layout(zw_run *r) {
    ZW_TRY(check_fields(r));
    builder b = {.r = r, .counting = true};
    list_channels(&b);
    zw_layout *layout = &r->layout;
    *layout = (zw_layout){.nchannels = b.nchannels, .nconstants = b.nconstants, .width = b.width, .constants_width = b.constants_width};
    layout->channel = zw_arena_alloc(&r->arena, (size_t)b.nchannels, sizeof *layout->channel, "channels");
    layout->constant = zw_arena_alloc(&r->arena, (size_t)b.nconstants + 1, sizeof *layout->constant, "channels");
    r->source = zw_arena_alloc(&r->arena, (size_t)b.nchannels, sizeof *r->source, "channels");
    r->frame = zw_arena_alloc(&r->arena, b.width, sizeof(double), "a frame");
    r->constants = zw_arena_alloc(&r->arena, b.constants_width + 1, sizeof(double), "constants of the results");
    if (!layout->channel || !layout->constant || !r->source || !r->frame || !r->constants) {
        return ZW_E_MEMORY;
    }
    b = (builder){.r = r};
    list_channels(&b);
    layout->constants = r->constants;
    r->balance = NULL; /* a run on other meshes begins as a copy */
    for (int i = 0; i < layout->nchannels && r->balance == NULL; i++) {
        if (r->source[i].kind == ZW_FROM_BALANCE) {
            r->balance = zw_arena_alloc(&r->arena, (size_t)r->size.nv + 1, sizeof(double), "balance of the nodes");
            if (r->balance == NULL) {
                return ZW_E_MEMORY;
            }
        }
    }

    const zw_part *part;
    int            nparts = zw_system_parts(r->system, &part), n = 0;
    for (int p = 0; p < nparts; p++) {
        zw_channel c;
        bool       constant;
        for (int i = 0; part[p].ops->field(part[p].self, i, &c, &constant); i++) {
            if (constant) {
                part[p].ops->observe(part[p].self, NULL, i, r->constants + layout->constant[n++].offset);
            }
        }
    }
    for (int i = 0; i < r->model->nalongs; i++, n++) {
        const void *rows = rows_along(r, i)->self;
        for (int j = 0; j < zw_along_sections(rows); j++) {
            r->constants[layout->constant[n].offset + (size_t)j] = zw_along_label(rows, j);
        }
    }
    return ZW_OK;
}

static double most(int n, const double *v) {
    double out = 0.0;
    for (int i = 0; i < n; i++) {
        out = fmax(out, fabs(v[i]));
    }
    return out;
}

zw_status zw_run_take_picture(zw_run *r, const zw_state *x, bool whole, zw_picture *out) {
    *out = (zw_picture){0};
    if (r->ops->account != NULL) {
        r->ops->account(r->integrator, x, &out->account);
    } else {
        zw_system_account(r->system, x, &out->account);
    }
    for (int i = 0; i < r->nown; i++) {
        out->own[i] = r->ops->observe(r->integrator, x, i);
    }
    if (r->m > 0) {
        ZW_TRY(zw_system_values(r->system, x, 0, r->row_values));
        out->position = most(r->m, r->row_values);
        bool moves = strcmp(r->model->run.mode, "dynamic") == 0; /* without inertia velocities are no part of the state */
        if (moves) {
            ZW_TRY(zw_system_values(r->system, x, 1, r->row_values));
            out->velocity = most(r->m, r->row_values);
            ZW_TRY(zw_system_values(r->system, x, 3, r->lambda));
        }
        for (int i = 0; i < r->m && moves; i++) {
            double part = r->row_values[i] == 0.0 ? 0.0 : fabs(r->row_values[i]) / r->lambda[i];
            out->velocity_relative = fmax(out->velocity_relative, part);
        }
        if (whole) {
            zw_project_info info;
            ZW_TRY(zw_gauss_solve(r->gauss, x, NULL, r->lambda, &info));
            out->zwang = info.value;
            if (r->balance != NULL) {
                ZW_TRY(zw_system_balance(r->system, x, r->lambda, r->balance));
            }
            if (r->ops->react != NULL) { /* the state alone knows no contacts */
                r->ops->react(r->integrator, x, r->lambda);
                if (info.redundant > 0) {
                    ZW_TRY(zw_gauss_least_norm(r->gauss, r->lambda));
                }
            }
        }
    }
    return ZW_OK;
}

/* memory of growth laws is the last of w, part by part; a state that is no motion has none */
static double *growth_memory(const zw_run *r, const zw_state *x, const zw_part *part, int of) {
    if (r->ops == NULL || !zw_system_grows(r->system)) {
        return NULL;
    }
    double *w = x->w + (size_t)r->size.nw - zw_system_grow_memory(r->system);
    for (int p = 0; p < of; p++) {
        bool grows = part[p].ops->grow != NULL && part[p].ops->size(part[p].self).ns > 0;
        w += grows ? part[p].ops->grow->memory(part[p].self) : 0;
    }
    return w;
}

zw_status zw_run_fill_frame(zw_run *r, const zw_state *x, const zw_picture *p) {
    const zw_part *part;
    zw_system_parts(r->system, &part);
    const zw_account *a = &p->account;
    double            total = a->kinetic + a->elastic + a->potential, work = x->w[ZW_W_WORK], dissipated = x->w[ZW_W_DISSIPATED];
    double energy[7] = {total, a->kinetic, a->elastic, a->potential, work, dissipated, total - r->tally.energy_initial - work + dissipated};
    for (int i = 0; i < r->layout.nchannels; i++) {
        const zw_channel *c = &r->layout.channel[i];
        const zw_source  *s = &r->source[i];
        double           *out = r->frame + c->offset;
        switch (s->kind) {
        case ZW_FROM_TIME: *out = x->t; break;
        case ZW_FROM_PART: {
            const zw_part *of = &part[s->part];
            zw_state       slice = {.t = x->t, .q = x->q + of->q0, .v = x->v + of->v0, .s = x->s + of->s0};
            slice.w = growth_memory(r, x, part, s->part);
            of->ops->observe(of->self, &slice, s->index, out);
            zw_system_held_links(r->system, s->part, c->name, r->lambda, out);
            break;
        }
        case ZW_FROM_BALANCE: {
            const zw_part *of = &part[s->part];
            zw_state       slice = {.t = x->t, .q = x->q + of->q0, .v = x->v + of->v0, .s = x->s + of->s0};
            of->ops->zwang(of->self, &slice, s->index, r->balance + of->v0, out);
            break;
        }
        case ZW_FROM_ENERGY: *out = energy[s->index]; break;
        case ZW_FROM_MOMENTUM: memcpy(out, s->index == 0 ? a->momentum : a->angular, 3 * sizeof *out); break;
        case ZW_FROM_CONSTRAINT: *out = s->index == 0 ? p->position : p->velocity; break;
        case ZW_FROM_ZWANG: *out = p->zwang; break;
        case ZW_FROM_OWN: *out = p->own[s->index]; break;
        case ZW_FROM_ALONG: {
            const zw_constraint *of = rows_along(r, s->index);
            for (int j = 0, n = zw_along_equations(of->self); j < zw_along_sections(of->self); j++) {
                zw_along_multiplier(of->self, r->lambda + of->row0, j, out + (ptrdiff_t)j * n);
            }
            break;
        }
        case ZW_FROM_REFERENCE: {
            zw_frame F;
            ZW_TRY(zw_system_reference(r->system, x, s->index, &F));
            if (s->part == 0) {
                memcpy(out, F.r, sizeof F.r);
            } else {
                zw_q_from_matrix(F.R, out);
            }
            break;
        }
        case ZW_FROM_PROBE: memcpy(out, r->probe_value[s->index], c->count * sizeof *out); break;
        }
    }
    return ZW_OK;
}
