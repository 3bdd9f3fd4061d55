/* SPDX-License-Identifier: Apache-2.0
 * report.c: DIR/report.html: what was simulated, how well it went, and what it looks like; one file that needs nothing else.
 * Every text from the model is escaped on its way into the page; numbers are those of the summary and of the results. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "model/model.h"
#include "record/directory.h"
#include "record/events.h"
#include "record/file.h"
#include "record/json.h"
#include "record/layout.h"
#include "record/modes_page.h"
#include "record/page.h"
#include "record/path_plot.h"
#include "record/plot.h"
#include "record/report_words.h"
#include "record/scene.h"
#include "zwang/results.h"

typedef struct report {
    zw_context       *context;
    zw_arena          arena;
    zw_text           page;
    const zw_results *results;
    const zw_json    *summary; /* NULL when the run has not ended */
    const zw_model   *model;   /* NULL when this version cannot read it */
    const char       *title;
    bool              has_view; /* view.html stands beside it */
} report;

/* ---- tables */

static void number(report *r, double value, int digits) {
    char text[ZW_SVG_NUMBER];
    if (isnan(value)) {
        zw_text_add(&r->page, "\xe2\x80\x93");
    } else {
        zw_text_add(&r->page, zw_svg_number(value, digits, text));
    }
}

static void row_begin(report *r, const char *name) {
    zw_text_add(&r->page, "<tr><th>");
    zw_text_html(&r->page, name);
    zw_text_add(&r->page, "</th><td>");
}

static void row_end(report *r) {
    zw_text_add(&r->page, "</td></tr>\n");
}

static void row_number(report *r, const char *name, double value, int digits, const char *unit) {
    row_begin(r, name);
    number(r, value, digits);
    zw_text_add(&r->page, unit);
    row_end(r);
}

/* drift beside its scale: "1.2e-13 J, 1e-15 of the scale 103 J" */
static void row_drift(report *r, const char *name, double drift, double scale, const char *unit) {
    row_begin(r, name);
    number(r, drift, 2);
    zw_text_add(&r->page, unit);
    if (scale > 0) {
        zw_text_add(&r->page, ", ");
        number(r, drift / scale, 2);
        zw_text_add(&r->page, " of the scale ");
        number(r, scale, 4);
        zw_text_add(&r->page, unit);
    }
    row_end(r);
}

static void outcome(report *r) {
    const char *word = zw_json_string(r->summary, "outcome", "not ended");
    bool        good = strcmp(word, "reached") == 0 || strcmp(word, "stopped-by-event") == 0;
    zw_text_addf(&r->page, "<span class=\"%s\">", good ? "good" : "bad");
    zw_text_html(&r->page, strcmp(word, "running") == 0 ? "not ended" : word);
    zw_text_add(&r->page, "</span>");
}

/* elements of a rod in an epoch; 0 where that is not recorded */
static int elements_in(const report *r, int epoch, const char *rod) {
    const zw_layout *l = zw_results_layout(r->results, epoch);
    char             name[160];
    snprintf(name, sizeof name, "rod/%.100s/label", rod);
    int label = l && l->constants ? zw_layout_constant(l, name, 0) : -1;
    snprintf(name, sizeof name, "rod/%.100s/closed", rod);
    int  closed = label >= 0 ? zw_layout_constant(l, name, label) : -1;
    bool ring = closed >= 0 && l->constant[closed].count == 1 && l->constants[l->constant[closed].offset] != 0.0;
    return label >= 0 ? (int)l->constant[label].count - (ring ? 0 : 1) : 0;
}

static void add_elements(report *r, const zw_body_def *b) {
    int epochs = zw_results_epochs(r->results), first = elements_in(r, 0, b->name), last = elements_in(r, epochs - 1, b->name);
    if (b->kind == ZW_BODY_ROD && first > 0 && last > 0 && first != last) { /* its links were split */
        zw_text_addf(&r->page, ", %d elements at the start, %d at the end", first, last);
    } else {
        zw_text_addf(&r->page, ", %d elements", b->kind == ZW_BODY_ROD ? b->rod.elements : b->field.elements);
    }
}

static void table_run(report *r) {
    const zw_json *j = r->summary;
    double         step = zw_json_number(j, "step", NAN), limit = zw_json_number(j, "limit", 0);
    double         t = zw_json_number(j, "t", NAN), until = zw_json_number(j, "until", NAN);
    zw_text_add(&r->page, "<section><h2>Run</h2><table>\n");
    row_begin(r, "outcome");
    outcome(r);
    row_end(r);
    row_begin(r, "simulated time");
    number(r, t, 6);
    if (!isnan(until)) {
        zw_text_add(&r->page, " of ");
        number(r, until, 6);
    }
    zw_text_add(&r->page, "\xc2\xa0s");
    row_end(r);
    if (zw_json_string(j, "integrator", NULL)) {
        row_begin(r, "integrator");
        zw_text_html(&r->page, zw_json_string(j, "integrator", ""));
        row_end(r);
    }
    row_number(r, "steps", zw_json_number(j, "steps", NAN), 15, "");
    double tolerance = zw_json_number(j, "tolerance", 0);
    if (tolerance > 0) { /* steps of chosen length */
        row_begin(r, "time step");
        number(r, zw_json_number(j, "step_min", NAN), 3);
        zw_text_add(&r->page, " to ");
        number(r, zw_json_number(j, "step_max", NAN), 3);
        zw_text_add(&r->page, "\xc2\xa0s, tolerance ");
        number(r, tolerance, 2);
        row_end(r);
    } else if (!isnan(step)) {
        row_begin(r, "time step");
        number(r, step, 4);
        zw_text_add(&r->page, "\xc2\xa0s");
        if (limit > 0) {
            zw_text_add(&r->page, ", ");
            number(r, step / limit, 2);
            zw_text_add(&r->page, " of the stability limit ");
            number(r, limit, 4);
            zw_text_add(&r->page, "\xc2\xa0s");
        }
        row_end(r);
    }
    row_number(r, "wall time", zw_json_number(j, "wall_s", NAN), 3, "\xc2\xa0s");
    for (int i = 0; r->model && i < r->model->nbodies; i++) {
        const zw_body_def *b = &r->model->bodies[i];
        row_begin(r, i == 0 ? (r->model->nbodies > 1 ? "bodies" : "body") : "");
        zw_text_add(&r->page, b->kind == ZW_BODY_ROD     ? "rod "
                              : b->kind == ZW_BODY_FIELD ? "field "
                              : b->kind == ZW_BODY_RIGID ? "rigid body "
                                                         : "lagrangian ");
        zw_text_html(&r->page, b->name);
        if (b->kind == ZW_BODY_RIGID) {
            zw_text_add(&r->page, b->rigid.planar ? ", in a plane" : "");
        } else if (b->kind == ZW_BODY_LAGRANGIAN) {
            int n = b->lagrangian.n, m = b->lagrangian.nrows;
            zw_text_addf(&r->page, ", %d coordinate%s, %d constraint%s", n, n == 1 ? "" : "s", m, m == 1 ? "" : "s");
        } else {
            add_elements(r, b);
        }
        row_end(r);
        if (i == 9 && r->model->nbodies > 10) {
            row_begin(r, "");
            zw_text_addf(&r->page, "and %d more", r->model->nbodies - 10);
            row_end(r);
            break;
        }
    }
    zw_text_add(&r->page, "</table></section>\n");
}

/* a field has none, nor have bodies at rest */
static bool has_momentum(const report *r, const char *which) {
    char path[64];
    snprintf(path, sizeof path, "momentum.%s_scale", which);
    return !r->summary || zw_json_number(r->summary, path, 1.0) > 0.0;
}

static void row_momentum(report *r, const char *name, const char *which, const char *unit) {
    char           path[64];
    const zw_json *drift;
    snprintf(path, sizeof path, "momentum.%s_drift_max", which);
    if (!(drift = zw_json_find(r->summary, path))) {
        return;
    }
    if (!has_momentum(r, which)) {
        return;
    }
    snprintf(path, sizeof path, "momentum.%s_conserved", which);
    const zw_json *conserved = zw_json_find(r->summary, path);
    if (drift->kind != ZW_JSON_NUMBER || (conserved && conserved->kind == ZW_JSON_FALSE)) {
        row_begin(r, name);
        zw_text_add(&r->page, "not conserved by this model (gravity, loads or supports)");
        row_end(r);
        return;
    }
    snprintf(path, sizeof path, "momentum.%s_scale", which);
    row_drift(r, name, drift->number, zw_json_number(r->summary, path, 0), unit);
}

static bool has_rows(const zw_model *m) {
    bool some = m == NULL || m->nconstraints > 0 || m->nalongs > 0 ||
                m->nunilaterals > 0; /* without the model nothing is known; contacts that last are rows */
    for (int i = 0; m != NULL && i < m->nbodies; i++) {
        some = some || (m->bodies[i].kind == ZW_BODY_LAGRANGIAN && m->bodies[i].lagrangian.nrows > 0);
    }
    return some;
}

static void table_accuracy(report *r) {
    const zw_json *j = r->summary;
    zw_text_add(&r->page, "<section><h2>Conservation and accuracy</h2><table>\n");
    if (zw_json_find(j, "energy")) {
        double scale = zw_json_number(j, "energy.scale", 0), start = zw_json_number(j, "energy.initial", NAN);
        start = fabs(start) < 1e-14 * scale ? 0 : start; /* round-off of a sum that cancels */
        row_number(r, "energy at the start", start, 10, "\xc2\xa0J");
        row_number(r, "energy at the end", zw_json_number(j, "energy.final", NAN), 10, "\xc2\xa0J");
        row_drift(r, "largest energy drift", zw_json_number(j, "energy.drift_max", NAN), scale, "\xc2\xa0J");
    }
    row_momentum(r, "linear momentum drift", "linear", "\xc2\xa0N\xc2\xa0s");
    row_momentum(r, "angular momentum drift", "angular", "\xc2\xa0N\xc2\xa0m\xc2\xa0s");
    if (zw_json_find(j, "constraint.position_max") && has_rows(r->model)) {
        row_number(r, "largest constraint residual, position", zw_json_number(j, "constraint.position_max", NAN), 2, "");
        row_number(r, "largest constraint residual, velocity", zw_json_number(j, "constraint.velocity_max", NAN), 2, "");
        row_begin(r, "Zwang");
        zw_text_add(&r->page, "greatest ");
        number(r, zw_json_number(j, "zwang.max", NAN), 4);
        zw_text_add(&r->page, ", mean ");
        number(r, zw_json_number(j, "zwang.mean", NAN), 4);
        row_end(r);
    }
    zw_text_add(&r->page, "</table></section>\n");
}

static double greatest(const zw_json *v, double so_far) {
    for (const zw_json *x = v && v->kind == ZW_JSON_ARRAY ? v->child : NULL; x; x = x->next) {
        so_far = greatest(x, so_far);
    }
    return v && v->kind == ZW_JSON_NUMBER ? fmax(so_far, fabs(v->number)) : so_far;
}

/* what is below the round-off of the greatest number of a probe is shown as 0 */
static void cell_numbers(report *r, const zw_json *v, double scale) {
    const zw_json *x = v && v->kind == ZW_JSON_ARRAY ? v->child : v;
    zw_text_add(&r->page, "<td class=\"n\">");
    do {
        double value = x && x->kind == ZW_JSON_NUMBER ? x->number : NAN;
        number(r, fabs(value) < 1e-14 * scale ? 0.0 : value, 6);
        x = v && v->kind == ZW_JSON_ARRAY && x ? x->next : NULL;
        zw_text_add(&r->page, x ? ", " : "");
    } while (x);
    zw_text_add(&r->page, "</td>");
}

static void table_probes(report *r) {
    const zw_json *all = zw_json_find(r->summary, "probes");
    if (!all || !all->child) {
        return;
    }
    zw_text_add(&r->page,
                "<h2>Probes</h2><div class=\"scroll\"><table><thead><tr><th>probe</th><th>at the end</th><th>least</th><th>greatest</th>"
                "</tr></thead><tbody>\n");
    for (const zw_json *p = all->child; p; p = p->next) {
        zw_text_add(&r->page, "<tr><td>");
        zw_text_html(&r->page, p->key ? p->key : "");
        zw_text_add(&r->page, "</td>");
        const zw_json *cell[3] = {zw_json_find(p, "final"), zw_json_find(p, "min"), zw_json_find(p, "max")};
        double         scale = greatest(cell[0], greatest(cell[1], greatest(cell[2], 0.0)));
        for (int k = 0; k < 3; k++) {
            cell_numbers(r, cell[k], scale);
        }
        zw_text_add(&r->page, "</tr>\n");
    }
    zw_text_add(&r->page, "</tbody></table></div>\n");
}

/* "warnings" and "errors" of the summary: texts, or objects with a message */
static void warnings(report *r, const char *key) {
    const zw_json *all = zw_json_find(r->summary, key);
    for (const zw_json *w = all ? all->child : NULL; w; w = w->next) {
        zw_text_add(&r->page, "<p class=\"warning\">");
        if (w->kind == ZW_JSON_STRING) {
            zw_text_html(&r->page, w->text);
        } else {
            const char *subject = zw_json_string(w, "subject", ""), *remedy = zw_json_string(w, "remedy", "");
            zw_text_html(&r->page, subject);
            zw_text_add(&r->page, subject[0] ? ": " : "");
            zw_text_html(&r->page, zw_json_string(w, "message", ""));
            zw_text_add(&r->page, remedy[0] ? "; " : "");
            zw_text_html(&r->page, remedy);
        }
        zw_text_add(&r->page, "</p>\n");
    }
}

/* why a run broke off, as long as it is known: the report is then written by the one that saw it */
static void failures(report *r) {
    const char *word = zw_json_string(r->summary, "outcome", "");
    for (int i = 0; strcmp(word, "diverged") == 0 && i < zw_error_count(r->context); i++) {
        const zw_error *e = zw_error_at(r->context, i);
        char            line[sizeof *e + 64];
        zw_error_format(e, line, sizeof line);
        zw_text_add(&r->page, "<p class=\"warning\">");
        zw_text_html(&r->page, line);
        zw_text_add(&r->page, "</p>\n");
    }
}

/* ---- plots */

static zw_status add_curve(report *r, zw_plot *p, const char *channel, const char *name, bool even_zero) {
    zw_curve    c[1];
    int         width = 0;
    const char *unit = "";
    if (p->ncurves >= ZW_PLOT_CURVES) {
        return ZW_OK;
    }
    ZW_TRY(zw_curves_read(r->results, &r->arena, channel, c, 1, &width, &unit));
    if (width == 1 && (even_zero || !zw_curve_is_zero(&c[0]))) {
        p->curve[p->ncurves] = c[0];
        snprintf(p->curve[p->ncurves++].name, sizeof c[0].name, "%s", name);
        if (unit[0]) {
            p->unit = strcmp(unit, "1") == 0 ? "" : unit;
        }
    }
    return ZW_OK;
}

static zw_status plot_components(report *r, const char *channel, const char *title, const char *unit, const char *const *names) {
    zw_plot     p = {.title = title, .unit = unit};
    const char *given = "";
    ZW_TRY(zw_curves_read(r->results, &r->arena, channel, p.curve, ZW_PLOT_CURVES, &p.ncurves, &given));
    if (given[0]) {
        p.unit = strcmp(given, "1") == 0 ? "" : given;
    }
    for (int k = 0; k < p.ncurves; k++) {
        snprintf(p.curve[k].name, sizeof p.curve[k].name, "%s", names[k]);
    }
    zw_plot_write(&r->page, &p);
    return ZW_OK;
}

static const char *const names_space[] = {"x", "y", "z", "4", "5", "6", "7", "8"};
static const char *const names_directors[] = {"d1", "d2", "d3", "4", "5", "6", "7", "8"};
static const char *const names_quaternion[] = {"w", "x", "y", "z", "5", "6", "7", "8"};
static const char *const names_wrench[] = {"force x", "force y", "force z", "moment x", "moment y", "moment z", "7", "8"};
static const char *const names_count[] = {"1", "2", "3", "4", "5", "6", "7", "8"};

static const char *const *component_names(const report *r, const char *probe, int width) {
    for (int i = 0; r->model && i < r->model->nprobes; i++) {
        const zw_probe_def *p = &r->model->probes[i];
        if (strcmp(p->name, probe) == 0) {
            switch (p->kind) {
            case ZW_PROBE_STRAIN:
            case ZW_PROBE_CURVATURE:
            case ZW_PROBE_FORCE:
            case ZW_PROBE_MOMENT: return names_directors;
            case ZW_PROBE_ORIENTATION: return names_quaternion;
            case ZW_PROBE_REACTION: return names_wrench;
            case ZW_PROBE_MULTIPLIER: return names_count;
            default: return names_space;
            }
        }
    }
    return width == 3 ? names_space : width == 4 ? names_quaternion : width == 6 ? names_wrench : names_count;
}

static zw_status plot_energy(report *r) {
    zw_plot all = {.title = "Energy", .unit = "J", .zero = true};
    zw_plot drift = {.title = "Energy drift: change minus work plus dissipation", .unit = "J"};
    ZW_TRY(add_curve(r, &all, "energy/total", "total", true));
    ZW_TRY(add_curve(r, &all, "energy/kinetic", "kinetic", false));
    ZW_TRY(add_curve(r, &all, "energy/elastic", "elastic", false));
    ZW_TRY(add_curve(r, &all, "energy/potential", "potential", false));
    ZW_TRY(add_curve(r, &all, "energy/work", "work", false));
    ZW_TRY(add_curve(r, &all, "energy/dissipated", "dissipated", false));
    zw_plot_write(&r->page, &all);
    ZW_TRY(add_curve(r, &drift, "energy/drift", "drift", true));
    zw_plot_write(&r->page, &drift);
    return ZW_OK;
}

static zw_status plot_probes(report *r) {
    const zw_layout *layout = zw_results_layout(r->results, 0);
    for (int i = 0; i < layout->nchannels; i++) {
        const zw_channel *c = &layout->channel[i];
        if (strncmp(c->name, "probe/", 6) == 0) {
            char title[128];
            snprintf(title, sizeof title, "Probe %s", c->name + 6);
            ZW_TRY(plot_components(r, c->name, title, "", component_names(r, c->name + 6, (int)c->count)));
        }
    }
    return ZW_OK;
}

/* what integrators and fields tell of themselves: Casimirs, the mismatch of frames and strains */
static zw_status plot_invariants(report *r) {
    const zw_layout *layout = zw_results_layout(r->results, 0);
    for (int i = 0; i < layout->nchannels; i++) {
        const zw_channel *c = &layout->channel[i];
        const char       *casimir = strstr(c->name, "/casimir/");
        char              title[160];
        if (c->count != 1) {
            continue;
        }
        if (casimir && strncmp(c->name, "field/", 6) == 0) {
            snprintf(title, sizeof title, "Casimir %s of %.*s", casimir + 9, (int)(casimir - c->name - 6), c->name + 6);
        } else if (strcmp(c->name, "poisson/mismatch") == 0) {
            snprintf(title, sizeof title, "Mismatch of frames and strains");
        } else {
            continue;
        }
        ZW_TRY(plot_components(r, c->name, title, "", names_count));
    }
    return ZW_OK;
}

static zw_status plots(report *r) {
    if (zw_results_epochs(r->results) == 0) {
        return ZW_OK;
    }
    zw_text_add(&r->page, "<h2>Over time</h2>\n<div class=\"figures\">\n");
    ZW_TRY(plot_probes(r));
    ZW_TRY(plot_energy(r));
    if (has_momentum(r, "linear")) {
        ZW_TRY(plot_components(r, "momentum/linear", "Linear momentum", "N s", names_space));
    }
    if (has_momentum(r, "angular")) {
        ZW_TRY(plot_components(r, "momentum/angular", "Angular momentum about the origin", "N m s", names_space));
    }
    ZW_TRY(plot_invariants(r));
    zw_plot residual = {.title = "Constraint residual", .unit = "", .log = true};
    ZW_TRY(add_curve(r, &residual, "constraint/position", "position", false));
    ZW_TRY(add_curve(r, &residual, "constraint/velocity", "velocity", false));
    zw_plot_write(&r->page, &residual);
    zw_plot touching = {.title = "Points of contact", .unit = "", .zero = true};
    ZW_TRY(add_curve(r, &touching, "contact/count", "points", false));
    zw_plot_write(&r->page, &touching);
    zw_plot kept = {.title = "Overlap in m, and what complementarity and friction miss", .unit = "", .log = true};
    ZW_TRY(add_curve(r, &kept, "contact/depth", "overlap", false));
    ZW_TRY(add_curve(r, &kept, "contact/residual", "complementarity", false));
    ZW_TRY(add_curve(r, &kept, "friction/residual", "friction", false));
    kept.unit = "";
    zw_plot_write(&r->page, &kept);
    zw_plot zwang = {.title = "Gauss's Zwang", .unit = ""};
    ZW_TRY(add_curve(r, &zwang, "zwang", "zwang", false));
    zw_plot_write(&r->page, &zwang);
    zw_text_add(&r->page, "</div>\n");
    return ZW_OK;
}

/* ---- the page */

static zw_status finish_page(report *r) {
    zw_text *t = &r->page;
    zw_text_add(t, "<h2>Model</h2>\n<details><summary>The model file as it was run</summary>\n<pre>");
    zw_text_html(t, zw_results_model_text(r->results));
    zw_text_add(t, "</pre>\n</details>\n");
    zw_report_cite(t, r->summary);
    zw_page_end(t);
    return zw_text_status(t);
}

static const char *const *path_names(const void *self, const char *probe, int width) {
    return component_names(self, probe, width);
}

static const char *path_unit(const void *self, const char *probe) {
    const report    *r = self;
    const zw_layout *layout = zw_results_epochs(r->results) > 0 ? zw_results_layout(r->results, 0) : NULL;
    for (int i = 0; layout && i < layout->nchannels; i++) {
        const zw_channel *c = &layout->channel[i];
        if (strncmp(c->name, "probe/", 6) == 0 && strcmp(c->name + 6, probe) == 0) {
            return strcmp(c->unit, "1") == 0 ? "" : c->unit;
        }
    }
    return "";
}

static zw_status write_page(report *r) {
    zw_text *t = &r->page;
    zw_page_begin(t, r->title);
    zw_text_add(t, "<h1>");
    zw_text_html(t, r->title);
    zw_text_add(t, "</h1>\n<p class=\"lead\">");
    outcome(r);
    zw_text_add(t, " \xc2\xb7 zwang ");
    zw_text_html(t, zw_json_string(r->summary, "version", zw_version()));
    const char *model = zw_json_string(r->summary, "model.file", ""), *slash = strrchr(model, '/');
    model = slash ? slash + 1 : model; /* where it lay is nobody's business */
    if (model[0]) {
        zw_text_add(t, " \xc2\xb7 ");
        zw_text_html(t, model);
    }
    zw_text_add(t, "</p>\n");
    zw_report_about(t, zw_results_model_text(r->results));
    zw_report_what(t, r->model, r->summary);
    if (r->has_view) {
        zw_text_add(t, "<p><a class=\"go\" href=\"" ZW_FILE_VIEW "\">See it move \xe2\x86\x92</a></p>\n");
    }
    failures(r);
    warnings(r, "errors");
    warnings(r, "warnings");
    if (r->summary) {
        zw_report_facts(t, r->summary);
    } else {
        zw_text_add(
            t, "<p class=\"warning\">The run has not ended: there is no summary yet. The pictures show what is recorded so far.</p>\n");
    }
    if (zw_modes_page_applies(r->summary)) {
        ZW_TRY(zw_modes_page_write(t, &r->arena, r->results, r->summary));
        return finish_page(r);
    }
    ZW_TRY(zw_scene_write(t, &r->arena, r->results, r->model));
    table_probes(r);
    zw_path_names names = {.self = r, .of = path_names, .unit = path_unit};
    ZW_TRY(zw_path_is(r->summary) ? zw_path_plots(t, &r->arena, r->summary, &names) : plots(r));
    zw_ledger ledger;
    zw_results_ledger(r->results, &ledger);
    zw_ledger_html(&ledger, t);
    if (r->summary) {
        zw_text_add(t, "<div class=\"tables\">\n");
        if (zw_path_is(r->summary)) {
            zw_path_table(t, r->summary);
        } else {
            table_run(r);
            table_accuracy(r);
        }
        zw_text_add(t, "</div>\n");
    }
    return finish_page(r);
}

/* the last component of a path that may end in slashes */
static const char *directory_title(zw_arena *a, const char *directory) {
    size_t end = strlen(directory);
    while (end > 1 && directory[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && directory[begin - 1] != '/') {
        begin--;
    }
    const char *title = zw_arena_strndup(a, directory + begin, end - begin);
    return title && title[0] ? title : "zwang";
}

zw_status zw_report_write(zw_context *c, const char *directory) {
    report       r = {.context = c};
    zw_results  *results = NULL;
    zw_model    *model = NULL;
    zw_context  *own = NULL; /* a model that this version cannot read is no error of the report */
    zw_directory dir;
    zw_status    status = zw_results_open(c, directory, &results);
    if (status != ZW_OK) {
        return status;
    }
    zw_arena_init(&r.arena, c);
    zw_text_init(&r.page, c);
    r.results = results;
    const char *text = zw_results_model_text(results), *summary = zw_results_summary(results);
    if (summary && summary[0]) {
        zw_json *j = NULL;
        ZW_TRY_GOTO(zw_json_read(&r.arena, summary, &j), done);
        r.summary = j;
    }
    if (zw_context_create(NULL, &own) == ZW_OK && zw_model_parse(own, "model.yaml", text, strlen(text), 0, NULL, &model) == ZW_OK) {
        r.model = model;
    }
    r.title = model && zw_model_title(model)[0] ? zw_model_title(model) : directory_title(&r.arena, directory);
    ZW_TRY_GOTO(zw_directory_open(c, directory, &dir), done);
    r.has_view = zw_directory_has(&dir, ZW_FILE_VIEW);
    status = write_page(&r);
    if (status == ZW_OK) {
        status = zw_file_replace(c, dir.fd, directory, ZW_FILE_REPORT, r.page.s, r.page.n);
    }
    zw_directory_close(&dir);
done:
    zw_model_destroy(model);
    zw_context_destroy(own);
    zw_text_destroy(&r.page);
    zw_arena_destroy(&r.arena);
    zw_results_close(results);
    return status;
}
