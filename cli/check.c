/* SPDX-License-Identifier: Apache-2.0
 * check.c: zwang check: the model is read, bound and started, but not advanced; what was found is printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "check_contact.h"
#include "check_still.h"
#include "model/model.h"
#include "output.h"
#include "session.h"
#include "verbs.h"
#include "zwang/run.h"

enum { REDUNDANT_SHOWN = 12 };

/* The condition (2.2) of linked rigid bodies, d = 3 mn - 3 n - m t: with n bodies in m dimensions and t joints at points (a pivot on the ground is a joint, the
 * ground no body), d is what n bodies have less what t points take. Where it holds, momenta, joint impulses and one contact impulse are as many as their
 * equations; where a loop is closed redundantly it does not. The engine projects in the metric and asks for the rank alone: it does not need it. */
typedef struct counting {
    int  dimension, bodies, joints, expected, freedom;
    bool other; /* joints that hold more or less than a point */
} counting;

typedef struct findings {
    const zw_model  *m;
    zw_run          *run;
    const zw_layout *layout;
    zw_summary       sum;
    zw_size          size;
    int              constraints, rows, nredundant, redundant[REDUNDANT_SHOWN];
    double           frames, bytes;
    bool             linked; /* rigid bodies that joints link: the counting condition means something */
    counting         count;
    zw_check_contact contact;
} findings;

static double expected_frames(const zw_model *m, const zw_summary *sum) {
    const zw_record_def *r = &m->record;
    double               interval = 0;
    switch (r->kind) {
    case ZW_RECORD_EVERY: return r->count > 0 ? ceil((double)sum->steps_total / (double)r->count) + 1 : 0;
    case ZW_RECORD_INTERVAL:
        return zw_model_constant(m, r->interval, "record.interval", &interval) == ZW_OK && interval > 0
                   ? ceil(sum->until / interval - 1e-9) + 1
                   : 0;
    case ZW_RECORD_FRAMES: break;
    }
    if (sum->adaptive) { /* frames fall between steps */
        return (double)r->count;
    }
    double most = (double)sum->steps_total + 1;
    return (double)r->count + 1 < most ? (double)r->count + 1 : most;
}

/* rows that are combinations of others, by the kernel's own rank decision at the start */
static zw_status find_redundant(findings *f, zw_context *c) {
    zw_solver *solver = NULL;
    if (f->rows == 0) {
        return ZW_OK;
    }
    zw_status status = zw_solver_create(c, &solver);
    if (status == ZW_OK) {
        zw_system      *y = zw_run_system(f->run);
        const zw_state *x = zw_run_state(f->run);
        const zw_rows  *A = NULL;
        zw_project_info info;
        status = zw_system_rows(y, x, &A);
        if (status == ZW_OK) {
            status = zw_solver_factor(solver, zw_system_mass(y, x), A, &info);
        }
        if (status == ZW_OK) {
            f->nredundant = zw_solver_redundant(solver, f->redundant, REDUNDANT_SHOWN);
        }
        zw_solver_destroy(solver);
    }
    return status;
}

static int fixed_by(const zw_constraint_def *c) {
    int n = 0;
    for (unsigned fix = c->fix; fix != 0; fix &= fix - 1) {
        n++;
    }
    return n;
}

/* only where all bodies are rigid ones of one dimension */
static void find_counting(findings *f) {
    const zw_model *m = f->m;
    counting       *k = &f->count;
    f->linked = m->nbodies > 0;
    for (int i = 0; i < m->nbodies; i++) {
        int dimension = m->bodies[i].kind != ZW_BODY_RIGID ? 0 : m->bodies[i].rigid.planar ? 2 : 3;
        f->linked = f->linked && dimension > 0 && (i == 0 || dimension == k->dimension);
        k->dimension = dimension;
    }
    k->bodies = m->nbodies;
    for (int i = 0; i < m->nconstraints; i++) {
        const zw_constraint_def *c = &m->constraints[i];
        if (strcmp(c->kind, "spring") == 0) {
            continue;
        }
        bool point = c->fix == ZW_FIX_POSITION || (k->dimension == 2 && strcmp(c->kind, "hinge") == 0);
        k->other = k->other || !point || fixed_by(c) == 0;
        k->joints++;
    }
    f->linked = f->linked && k->joints > 0;
    k->expected = 3 * k->dimension * k->bodies - 3 * k->bodies - k->dimension * k->joints;
    k->freedom = f->size.nv - f->rows + f->nredundant;
}

static zw_status find_all(findings *f, zw_context *c) {
    ZW_TRY(zw_run_create(f->m, &f->run));
    f->layout = zw_run_layout(f->run);
    zw_run_summary(f->run, &f->sum);
    f->size = zw_system_size(zw_run_system(f->run));
    f->rows = zw_system_rows_count(zw_run_system(f->run));
    const zw_constraint *all;
    f->constraints = zw_system_constraints(zw_run_system(f->run), &all);
    ZW_TRY(find_redundant(f, c));
    find_counting(f);
    ZW_TRY(zw_check_contact_find(f->m, f->run, &f->contact));
    f->frames = expected_frames(f->m, &f->sum);
    f->bytes = 8 * ((double)f->layout->width * f->frames + (double)f->layout->constants_width);
    return ZW_OK;
}

/* nodes of a rod, from its labels; 0 when the body has none */
static int rod_nodes(const zw_layout *layout, const char *name) {
    char label[160];
    snprintf(label, sizeof label, "rod/%s/label", name);
    for (int i = 0; i < layout->nconstants; i++) {
        if (strcmp(layout->constant[i].name, label) == 0) {
            return (int)layout->constant[i].count;
        }
    }
    return 0;
}

static void size_text(double bytes, char *out, size_t size) {
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    int                      i = 0;
    for (; bytes >= 1000 && i < 4; i++) {
        bytes /= 1000;
    }
    char x[ZW_NUMBER_TEXT];
    snprintf(out, size, "%s %s", zw_number_short(bytes, 3, x), unit[i]);
}

static void print_text(const findings *f) {
    const zw_model *m = f->m;
    char            x[ZW_NUMBER_TEXT], y[ZW_NUMBER_TEXT], z[ZW_NUMBER_TEXT], size[32];
    printf("%s\n", m->title && m->title[0] ? m->title : m->file);
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *b = &m->bodies[i];
        printf("  %-20s ", i == 0 ? (m->nbodies == 1 ? "body" : "bodies") : "");
        switch (b->kind) {
        case ZW_BODY_ROD: printf("rod '%s': %d elements, %d nodes\n", b->name, b->rod.elements, rod_nodes(f->layout, b->name)); break;
        case ZW_BODY_FIELD: printf("field '%s': %d elements\n", b->name, b->field.elements); break;
        case ZW_BODY_LAGRANGIAN:
            printf("lagrangian '%s': %d coordinate%s, %d constraint%s\n", b->name, b->lagrangian.n, b->lagrangian.n == 1 ? "" : "s",
                   b->lagrangian.nrows, b->lagrangian.nrows == 1 ? "" : "s");
            break;
        case ZW_BODY_RIGID: printf("rigid '%s': %d degrees of freedom\n", b->name, b->rigid.planar ? 3 : 6); break;
        }
    }
    printf("  %-20s %d\n", "degrees of freedom", f->size.nv);
    for (int i = 0; i < m->nframes; i++) {
        const zw_frame_def *k = &m->frames[i];
        printf("  %-20s '%s' %s%s\n", i == 0 ? "frames" : "", k->name,
               k->carried ? "is carried by "
               : k->spins ? "spins steadily"
               : k->moves ? "moves as prescribed"
                          : "rests",
               k->carried ? m->bodies[k->place.body].name : "");
    }
    printf("  %-20s %d with %d row%s\n", "constraints", f->constraints, f->rows, f->rows == 1 ? "" : "s");
    for (int i = 0; i < f->nredundant && i < REDUNDANT_SHOWN; i++) {
        char name[160];
        zw_system_row_name(zw_run_system(f->run), f->redundant[i], name, sizeof name);
        printf("  %-20s %s\n", i == 0 ? "redundant rows" : "", name);
    }
    if (f->nredundant > REDUNDANT_SHOWN) {
        printf("  %-20s and %d more\n", "", f->nredundant - REDUNDANT_SHOWN);
    }
    if (f->linked && f->count.other) {
        printf(
            "  %-20s %d remain; joints that hold more than a point are not counted by d = 3mn - 3n - mt, which the engine does not need\n",
            "free motions", f->count.freedom);
    } else if (f->linked) {
        const counting *k = &f->count;
        printf("  %-20s d = %d, and 3mn - 3n - mt = %d with m = %d, n = %d, t = %d: %s\n", "free motions", k->freedom, k->expected,
               k->dimension, k->bodies, k->joints,
               k->freedom == k->expected ? "the counting condition holds (the engine does not need it)"
                                         : "the counting condition does not hold, and the engine does not need it");
    }
    zw_check_contact_print(&f->contact);
    printf("  %-20s %d, %d\n", "loads, probes", m->nloads, m->nprobes);
    printf("  %-20s %s to t = %s s\n", strcmp(m->run.mode, "dynamic") == 0 ? "integrator" : "mode",
           f->sum.integrator ? f->sum.integrator : "-", zw_number_short(f->sum.until, 6, x));
    if (f->sum.limit > 0) {
        printf("  %-20s %s s, %s of the stability limit %s s\n", "time step", zw_number_short(f->sum.step, 4, x),
               zw_number_short(f->sum.step / f->sum.limit, 2, y), zw_number_short(f->sum.limit, 4, z));
    } else if (f->sum.adaptive) {
        printf("  %-20s chosen for tolerance %s, the first one %s s\n", "time step", zw_number_short(f->sum.tolerance, 2, x),
               zw_number_short(f->sum.step, 2, y));
    } else {
        printf("  %-20s %s s\n", "time step", zw_number_short(f->sum.step, 4, x));
    }
    if (!f->sum.adaptive) {
        printf("  %-20s %lld\n", "steps", (long long)f->sum.steps_total);
    }
    size_text(f->bytes, size, sizeof size);
    printf("  %-20s %s frames, about %s\n", "results", zw_number_short(f->frames, 15, x), size);
    printf("ok\n");
}

static void json_number(zw_text *t, const char *key, double value) {
    zw_text_addf(t, ", \"%s\": ", key);
    zw_text_json_number(t, value);
}

static void print_json(const findings *f, const zw_session *s) {
    zw_text t;
    zw_text_init(&t, s->context);
    zw_text_add(&t, "{\"version\": ");
    zw_text_json_string(&t, zw_version());
    zw_text_add(&t, ", \"model\": {\"title\": ");
    zw_text_json_string(&t, zw_model_title(f->m));
    zw_text_add(&t, ", \"file\": ");
    zw_text_json_string(&t, s->model_name);
    zw_text_addf(&t, ", \"hash\": \"%016llx\"}, \"outcome\": \"ok\", \"bodies\": [", (unsigned long long)zw_model_hash(f->m));
    for (int i = 0; i < f->m->nbodies; i++) {
        const zw_body_def *b = &f->m->bodies[i];
        zw_text_add(&t, i ? ", {\"name\": " : "{\"name\": ");
        zw_text_json_string(&t, b->name);
        switch (b->kind) {
        case ZW_BODY_ROD:
            zw_text_addf(&t, ", \"kind\": \"rod\", \"elements\": %d, \"nodes\": %d}", b->rod.elements, rod_nodes(f->layout, b->name));
            break;
        case ZW_BODY_FIELD: zw_text_addf(&t, ", \"kind\": \"field\", \"elements\": %d}", b->field.elements); break;
        case ZW_BODY_LAGRANGIAN:
            zw_text_addf(&t, ", \"kind\": \"lagrangian\", \"coordinates\": %d, \"constraints\": %d}", b->lagrangian.n, b->lagrangian.nrows);
            break;
        case ZW_BODY_RIGID: zw_text_addf(&t, ", \"kind\": \"rigid\", \"degrees_of_freedom\": %d}", b->rigid.planar ? 3 : 6); break;
        }
    }
    zw_text_addf(&t, "], \"degrees_of_freedom\": %d, \"constraints\": %d, \"rows\": %d, \"redundant\": [", f->size.nv, f->constraints,
                 f->rows);
    for (int i = 0; i < f->nredundant && i < REDUNDANT_SHOWN; i++) {
        char name[160];
        zw_system_row_name(zw_run_system(f->run), f->redundant[i], name, sizeof name);
        zw_text_add(&t, i ? ", " : "");
        zw_text_json_string(&t, name);
    }
    zw_text_addf(&t, "], \"redundant_rows\": %d", f->nredundant);
    if (f->linked) {
        zw_text_addf(&t, ", \"free_motions\": %d", f->count.freedom);
    }
    if (f->linked && !f->count.other) {
        zw_text_addf(&t, ", \"counting\": {\"dimension\": %d, \"bodies\": %d, \"joints\": %d, \"expected\": %d, \"holds\": %s}",
                     f->count.dimension, f->count.bodies, f->count.joints, f->count.expected,
                     f->count.freedom == f->count.expected ? "true" : "false");
    }
    zw_check_contact_json(&f->contact, &t);
    zw_text_add(&t, ", \"mode\": ");
    zw_text_json_string(&t, f->m->run.mode);
    zw_text_add(&t, ", \"integrator\": ");
    zw_text_json_string(&t, f->sum.integrator ? f->sum.integrator : "");
    json_number(&t, "until", f->sum.until);
    json_number(&t, "step", f->sum.step);
    json_number(&t, "limit", f->sum.limit);
    json_number(&t, "tolerance", f->sum.tolerance);
    json_number(&t, "steps", (double)f->sum.steps_total);
    json_number(&t, "frames", f->frames);
    json_number(&t, "results_bytes", f->bytes);
    zw_text_add(&t, ", \"warnings\": [");
    for (int i = 0; i < s->nwarnings; i++) {
        zw_text_add(&t, i ? ", " : "");
        zw_text_json_string(&t, s->warning[i]);
    }
    zw_text_add(&t, "]}\n");
    if (zw_text_status(&t) == ZW_OK) {
        fputs(t.s, stdout);
    }
    zw_text_destroy(&t);
}

int zw_verb_check(const zw_options *o) {
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_model *m = NULL;
    findings  f = {0};
    zw_status status = zw_session_load(&s, &m);
    bool      still = status == ZW_OK && !m->run_given && (m->statics.given || m->modes.given);
    if (status == ZW_OK && !still) {
        f.m = m;
        status = find_all(&f, s.context);
    }
    if (still) {
        code = zw_check_still(&s, m);
    } else if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        if (o->json) {
            print_json(&f, &s);
        } else if (!o->quiet) {
            print_text(&f);
        }
    }
    zw_run_destroy(f.run);
    zw_model_destroy(m);
    zw_session_end(&s);
    return code;
}
