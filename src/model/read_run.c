/* SPDX-License-Identifier: Apache-2.0
 * read_run.c: how the motion is computed, and what is kept of it. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_EXACT_INTEGER 9007199254740992.0 /* 2^53 */

static bool positive(zw_reader *r, zw_yaml *node, zw_quantity q, const char *what, double *value) {
    return node && !node->bad && zw_read_check(r, node, q, NAN, ZW_POSITIVE, what) && zw_read_value(r, q, 0.0, value);
}

/* the printed schemes and their options */
static void read_poisson(zw_reader *r, zw_yaml *map, zw_run_def *run) {
    bool printed = strcmp(run->integrator, "poisson") == 0 || strcmp(run->integrator, "hamel") == 0;
    run->ends = printed ? ZW_ENDS_FULL : ZW_ENDS_HALF;
    if (map == NULL) {
        return;
    }
    if (!printed) {
        zw_report_key(r, map, "add `integrator: poisson` or remove the options",
                      "these are options of the integrators poisson and hamel, and this is %s", run->integrator);
        return;
    }
    zw_yaml *ends = zw_read_get(map, "ends"), *reconstruct = zw_read_get(map, "reconstruct");
    if (ends) {
        run->ends = strcmp(ends->text, "half") == 0 ? ZW_ENDS_HALF : ZW_ENDS_FULL;
    }
    if (reconstruct) {
        run->reconstruct = strcmp(reconstruct->text, "new") == 0    ? ZW_RECONSTRUCT_NEW
                           : strcmp(reconstruct->text, "mean") == 0 ? ZW_RECONSTRUCT_MEAN
                                                                    : ZW_RECONSTRUCT_OLD;
    }
}

/* what runs when no integrator is given: gauss where there are lagrangians; verlet where rods are in contact or there is friction, which are stepped over */
static const char *chosen_integrator(zw_reader *r) {
    const zw_model *m = r->model;
    bool            rigid = false, rod = false;
    double          mu = 0.0;
    char            what[160];
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_LAGRANGIAN) {
            return "gauss";
        }
        rigid = rigid || m->bodies[i].kind == ZW_BODY_RIGID;
        rod = rod || m->bodies[i].kind == ZW_BODY_ROD;
    }
    bool steps = (rod && zw_model_meets(m, what, sizeof what)) ||
                 (m->contact.friction.node && zw_read_value(r, m->contact.friction, 0.0, &mu) && mu > 0.0);
    return rigid && !steps ? "gauss" : "verlet";
}

/* which integrators move what, as remedies; NULL: this one does */
static const char *other_integrator(const zw_body_def *b, const char *name) {
    bool verlet = strcmp(name, "verlet") == 0, gauss = strcmp(name, "gauss") == 0, implicit = strcmp(name, "energy-momentum") == 0;
    switch (b->kind) {
    case ZW_BODY_LAGRANGIAN:
        if (implicit && b->lagrangian.nquasi > 0) {
            return "it has quasi-velocities: use gauss, or write it in the rates of its coordinates";
        }
        return gauss || implicit ? NULL : "use gauss or energy-momentum";
    case ZW_BODY_RIGID: return gauss || verlet || implicit ? NULL : "use gauss, verlet or energy-momentum";
    case ZW_BODY_FIELD:
        return verlet              ? "use poisson-consistent, poisson or hamel"
               : gauss || implicit ? "fields are moved by poisson-consistent, poisson or hamel; put them into a model of their own"
                                   : NULL;
    case ZW_BODY_ROD: break;
    }
    return NULL;
}

static void refuse(zw_reader *r, zw_yaml *node, zw_yaml *map, const char *remedy, const char *what) {
    zw_report_in(r, ZW_E_UNSUPPORTED, __func__, node ? node : map, node ? -1 : -2, remedy, "%s", what);
}

/* Four ways over contacts: gauss locates impacts in time; verlet steps over them with Moreau's law; gauss with one stage and events off steps over them with
 * forces along the discrete gradient of the gap, and so does energy-momentum. What does not go with the way that was chosen is said where it stands */
static void check_contact(zw_reader *r, zw_yaml *map, zw_yaml *given) {
    const zw_model *m = r->model;
    zw_run_def     *run = &r->model->run;
    zw_yaml        *contact = zw_read_get(r->root, "contact"), *law = contact ? zw_read_get(contact, "law") : NULL;
    zw_yaml        *friction = contact ? zw_read_get(contact, "friction") : NULL, *events = zw_read_get(map, "events");
    zw_yaml        *stages = zw_read_get(map, "stages");
    bool            gauss = strcmp(run->integrator, "gauss") == 0, verlet = strcmp(run->integrator, "verlet") == 0;
    bool            off = events && strcmp(events->text, "off") == 0;
    double          mu = 0.0;
    char            what[160], text[300];
    if (!zw_model_meets(m, what, sizeof what)) {
        return;
    }
    bool implicit = strcmp(run->integrator, "energy-momentum") == 0;
    if (!gauss && !verlet && !implicit) {
        snprintf(text, sizeof text, "%s knows no contact, and %s", run->integrator, what);
        refuse(r, given, map, "use verlet, gauss or energy-momentum", text);
        return;
    }
    if (implicit && law && strcmp(law->text, "moreau") != 0) {
        snprintf(text, sizeof text, "energy-momentum steps over contacts with plastic impacts, and this is %.40s", law->text);
        refuse(r, law, map, "leave the law out, or use integrator: gauss", text);
    }
    if (implicit && events && !off) {
        refuse(r, events, map, "remove it, or use integrator: gauss", "energy-momentum steps over contacts and locates no impacts");
    }
    if (implicit && friction && zw_read_value(r, m->contact.friction, 0.0, &mu) && mu > 0.0) {
        refuse(r, friction, map, "use integrator: verlet, or leave friction out", "energy-momentum steps over contacts without friction");
    }
    if (verlet && law && strcmp(law->text, "moreau") != 0) {
        snprintf(text, sizeof text, "verlet steps over contacts with Moreau's law, and this is %.40s", law->text);
        refuse(r, law, map, "write law: moreau, or use integrator: gauss", text);
    }
    if (gauss && off && law && strcmp(law->text, "stick") == 0) {
        refuse(r, law, map, "leave events on, or leave the law out",
               "gauss with events off steps over contacts that slide without friction");
    }
    if (verlet && events && !off) {
        refuse(r, events, map, "remove it, or use integrator: gauss", "verlet steps over contacts and locates no impacts");
    }
    if (gauss && friction && zw_read_value(r, m->contact.friction, 0.0, &mu) && mu > 0.0) {
        refuse(r, friction, map, "use integrator: verlet, or leave friction out",
               off ? "gauss with events off steps over contacts without friction"
                   : "impacts that are located in time are without friction");
    }
    if (gauss && off && stages && strcmp(stages->text, "1") != 0) {
        snprintf(text, sizeof text, "with events off one stage steps over contacts, and these are %.20s", stages->text);
        refuse(r, stages, map, "write stages: 1, or leave events on", text);
    } else if (gauss && off) {
        run->stages = 1;
    }
}

/* a default that cannot is said too */
static void check_integrator(zw_reader *r, zw_yaml *map, zw_yaml *given) {
    const zw_model *m = r->model;
    const char     *name = m->run.integrator;
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *b = &m->bodies[i];
        const char        *other = other_integrator(b, name);
        if (other) {
            zw_report_in(r, ZW_E_UNSUPPORTED, __func__, given ? given : map, given ? -1 : -2, other, "%s%s cannot move the %s '%s'", name,
                         given ? "" : ", which runs when no integrator is given,", zw_read_kind(b), b->name);
            return;
        }
    }
    check_contact(r, map, given);
}

static void read_energy_momentum(zw_reader *r, zw_yaml *map, zw_run_def *run) {
    double value = 0.0;
    if (map == NULL) {
        return;
    }
    if (strcmp(run->integrator, "energy-momentum") != 0) {
        zw_report_key(r, map, "add `integrator: energy-momentum` or remove the options",
                      "these are options of the integrator energy-momentum, and this is %s", run->integrator);
        return;
    }
    zw_read_fields(r, map, run);
    zw_yaml *damping = zw_read_get(map, "damping");
    char     text[ZW_NUMBER_TEXT];
    if (damping && !damping->bad && zw_read_check(r, damping, run->damping, NAN, ZW_NOT_NEGATIVE, "the damping") &&
        zw_read_value(r, run->damping, 0.0, &value) && value > 1.0) {
        zw_report(r, damping, "0.1 is a lot", "the damping is at most 1, and is %s", zw_number_short(value, 9, text));
    }
}

/* what belongs to gauss */
static void read_gauss(zw_reader *r, zw_yaml *map, zw_run_def *run) {
    static const char *const keys[] = {"stages", "formulation"};
    bool                     gauss = strcmp(run->integrator, "gauss") == 0;
    int64_t                  count = 0;
    for (int i = 0; i < 2; i++) {
        zw_yaml *node = zw_read_get(map, keys[i]);
        if (node && !gauss) {
            zw_report_key(r, node, "add `integrator: gauss` or remove it", "this is an option of the integrator gauss, and this is %s",
                          run->integrator);
        } else if (node && i == 0 && zw_read_count(r, node, 1.0, 4.0, &count)) {
            run->stages = (int)count;
        } else if (node && i == 1) {
            run->formulation = node->text;
        }
    }
}

static bool slow(const zw_run_def *run) {
    return strcmp(run->mode, "dynamic") != 0;
}

/* motion without inertia: what belongs to integrators is refused where it stands */
static void read_slow(zw_reader *r, zw_yaml *map, zw_run_def *run) {
    static const char *const keys[] = {"integrator", "events", "tolerance", "stages", "formulation", "poisson", "energy-momentum"};
    const zw_model          *m = r->model;
    zw_yaml                 *mode = zw_read_get(map, "mode"), *drag = zw_read_get(map, "drag");
    bool                     overdamped = strcmp(run->mode, "overdamped") == 0, rods = false;
    double                   value = 0.0;
    run->integrator = run->mode;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        zw_yaml *node = zw_read_get(map, keys[i]);
        if (node) {
            zw_report_key(r, node, "remove it, or use mode: dynamic", "this belongs to motion with inertia, and this is mode: %s",
                          run->mode);
        }
    }
    for (int i = 0; i < m->nbodies; i++) {
        rods = rods || m->bodies[i].kind == ZW_BODY_ROD;
        if (m->bodies[i].kind == ZW_BODY_FIELD) {
            zw_report(r, mode, "put the field into a model of its own", "a field has no %s motion, and '%s' is one", run->mode,
                      m->bodies[i].name);
        }
    }
    if (overdamped && !rods) {
        zw_report(r, mode, "use mode: quasi-static, or add a rod", "the drag of overdamped motion acts on rods, and there is none");
    }
    if (overdamped && drag == NULL && zw_yaml_get(map, "drag") == NULL) {
        zw_report(r, mode, "add for example  drag: 1e-3", "overdamped motion needs run.drag, in N s/m^2");
    }
    if (overdamped) {
        positive(r, drag, run->drag, "the drag", &value);
    }
}

/* growth is done around steps of verlet and energy-momentum, and in slow motion; rows that hold lengths would have to move with it */
static void check_growth(zw_reader *r, zw_yaml *map, zw_yaml *integrator) {
    const zw_model *m = r->model;
    const char     *name = m->run.integrator;
    for (int i = 0; i < m->nbodies && !slow(&m->run); i++) {
        const zw_body_def *b = &m->bodies[i];
        if (b->kind != ZW_BODY_ROD || !b->rod.growth.given) {
            continue;
        }
        if (strcmp(name, "verlet") != 0 && strcmp(name, "energy-momentum") != 0) {
            zw_report_in(r, ZW_E_UNSUPPORTED, __func__, integrator ? integrator : map, integrator ? -1 : -2,
                         "use verlet, energy-momentum, or mode: quasi-static or overdamped", "%s cannot move rods that grow, and '%s' does",
                         name, b->name);
            return;
        }
        if (b->rod.kinematics == ZW_INEXTENSIBLE) {
            zw_report_in(r, ZW_E_UNSUPPORTED, __func__, map, -2, "use kinematics: unshearable, or mode: quasi-static or overdamped",
                         "the rod '%s' is inextensible and grows, which motion with inertia does not have", b->name);
            return;
        }
    }
}

void zw_read_run(zw_reader *r) {
    zw_yaml    *map = zw_read_get(r->root, "run");
    zw_run_def *run = &r->model->run;
    double      until = 0.0, step = 0.0, tolerance = 0.0;
    int64_t     count = 0;
    char        a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    run->integrator = chosen_integrator(r);
    run->formulation = "gauss";
    run->mode = "dynamic";
    r->model->events = true;
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    r->model->run_given = true;
    run->at = zw_read_where(r, map);
    zw_read_fields(r, map, run);
    zw_yaml *until_node = zw_read_get(map, "until"), *step_node = zw_read_get(map, "step"), *tolerance_node = zw_read_get(map, "tolerance");
    zw_yaml *integrator = zw_read_get(map, "integrator"), *seed = zw_read_get(map, "seed"), *threads = zw_read_get(map, "threads");
    zw_yaml *events = zw_read_get(map, "events");
    bool     has_until = positive(r, until_node, run->until, "the end of the motion", &until);
    if (positive(r, step_node, run->step, "the step", &step) && has_until && step > until) {
        zw_report(r, step_node, "make it smaller, or leave it out: it is then chosen", "the step %s is longer than the whole motion of %s",
                  zw_number_short(step, 9, a), zw_number_short(until, 9, b));
    }
    if (positive(r, tolerance_node, run->tolerance, "the tolerance", &tolerance) && tolerance >= 1.0) {
        zw_report(r, tolerance_node, "1e-10 is a good value", "the tolerance must be less than 1, and is %s",
                  zw_number_short(tolerance, 9, a));
    }
    if (integrator) {
        run->integrator = integrator->text;
        run->integrator_given = true;
    }
    zw_yaml *mode = zw_read_get(map, "mode"), *drag = zw_read_get(map, "drag");
    run->mode = mode ? mode->text : run->mode;
    check_growth(r, map, integrator);
    if (drag && strcmp(run->mode, "overdamped") != 0) {
        zw_report_key(r, drag, "add `mode: overdamped` or remove it", "the drag belongs to overdamped motion, and this is %s", run->mode);
    }
    if (slow(run)) {
        read_slow(r, map, run);
    } else if (integrator || !zw_yaml_get(map, "integrator")) { /* a wrong one was reported */
        read_poisson(r, zw_read_get(map, "poisson"), run);
        read_energy_momentum(r, zw_read_get(map, "energy-momentum"), run);
        read_gauss(r, map, run);
        check_integrator(r, map, integrator);
    }
    r->model->events =
        (events == NULL || strcmp(events->text, "off") != 0) && strcmp(run->integrator, "energy-momentum") != 0 && !slow(run);
    if (seed && zw_read_count(r, seed, 0.0, MAX_EXACT_INTEGER, &count)) {
        run->seed = (uint64_t)count;
    }
    if (threads && zw_read_count(r, threads, 0.0, 4096.0, &count)) {
        run->threads = (int)count;
    }
}

void zw_read_record(zw_reader *r) {
    zw_yaml       *map = zw_read_get(r->root, "record");
    zw_record_def *d = &r->model->record;
    double         interval = 0.0;
    d->kind = ZW_RECORD_FRAMES;
    d->count = 200;
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    d->at = zw_read_where(r, map);
    zw_read_fields(r, map, d);
    zw_yaml *every = zw_read_get(map, "every"), *interval_node = zw_read_get(map, "interval"), *frames = zw_read_get(map, "frames");
    zw_yaml *fields = zw_read_get(map, "fields");
    if (every && zw_read_count(r, every, 1.0, MAX_EXACT_INTEGER, &d->count)) {
        d->kind = ZW_RECORD_EVERY;
    } else if (interval_node) {
        positive(r, interval_node, d->interval, "the interval", &interval);
        d->kind = ZW_RECORD_INTERVAL;
    } else if (frames) {
        zw_read_count(r, frames, 1.0, 1e9, &d->count);
    }
    if (fields && fields->kind == ZW_YAML_LIST) {
        const char **names = zw_arena_alloc(r->arena, (size_t)fields->count + 1, sizeof(char *), "recorded fields");
        if (names == NULL) {
            r->issues->memory = true;
            return;
        }
        for (zw_yaml *c = fields->first; c; c = c->next) {
            names[d->nfields++] = c->text;
        }
        d->fields = names;
    }
}
