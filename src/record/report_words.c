/* SPDX-License-Identifier: Apache-2.0
 * report_words.c: the report in sentences. A drift is told as a part of its scale: below 1e-12 it is round-off, from 1e-4 on it is per cent. Model and summary may be those of another
 * version: what is not there is not told. */
#include "record/report_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/svg.h"

static const double ROUND_OFF = 1e-12;

static void number(zw_text *t, double value, int digits) {
    char text[ZW_SVG_NUMBER];
    zw_text_add(t, isnan(value) ? "\xe2\x80\x93" : zw_svg_number(value, digits, text));
}

static bool is(const zw_json *summary, const char *key, const char *word) {
    return strcmp(zw_json_string(summary, key, ""), word) == 0;
}

/* ---- what the model says of itself */

/* an empty comment ends the paragraph, and so does what is set off by four blanks (commands, formulas); lines of --set and of the licence are no part of it */
void zw_report_about(zw_text *t, const char *model_text) {
    zw_text said;
    bool    some = false;
    zw_text_init(&said, t->context);
    for (const char *line = model_text; *line == '#';) {
        size_t n = strcspn(line, "\r\n"), blank = 1 + strspn(line + 1, " \t");
        bool   empty = blank >= n, aside = strncmp(line + blank, "--set", 5) == 0 || strncmp(line + blank, "SPDX-", 5) == 0;
        if ((empty && some) || (!empty && blank > 4)) {
            break;
        }
        if (!empty && !aside) {
            zw_text_add(&said, some ? " " : "");
            zw_text_add_n(&said, line + blank, n - blank);
            some = true;
        }
        line += n;
        line += *line == '\r';
        line += *line == '\n';
    }
    if (some && zw_text_status(&said) == ZW_OK) {
        zw_text_add(t, "<p class=\"about\">");
        zw_text_html(t, said.s);
        zw_text_add(t, "</p>\n");
    }
    zw_text_destroy(&said);
}

/* ---- what was simulated */

typedef struct list { /* "a, b and c": pieces are added in a first round that counts and a second that writes */
    zw_text *t;
    int      total, written;
    bool     sentence; /* it begins one */
} list;

static bool next(list *l, bool there) {
    if (!there) {
        return false;
    }
    if (!l->t) {
        l->total++;
        return false;
    }
    zw_text_add(l->t, l->written == 0 ? "" : l->written == l->total - 1 ? " and " : ", ");
    l->written++;
    return true;
}

static void count(list *l, int n, const char *one, const char *many) {
    if (next(l, n > 0)) {
        if (n == 1) {
            zw_text_addf(l->t, "%s %s", l->written == 1 && l->sentence ? "One" : "one", one);
        } else {
            zw_text_addf(l->t, "%d %s", n, many);
        }
    }
}

typedef struct census {
    int rods, growing, rigids, lagrangians, fields, elements, coordinates, joints;
} census;

static census count_bodies(const zw_model *m) {
    census c = {.joints = m->nconstraints + m->nalongs};
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *b = &m->bodies[i];
        switch (b->kind) {
        case ZW_BODY_ROD:
            c.rods += !b->rod.growth.given;
            c.growing += b->rod.growth.given;
            c.elements += b->rod.elements;
            break;
        case ZW_BODY_FIELD:
            c.fields++;
            c.elements += b->field.elements;
            break;
        case ZW_BODY_LAGRANGIAN:
            c.lagrangians++;
            c.coordinates += b->lagrangian.n;
            break;
        case ZW_BODY_RIGID: c.rigids++; break;
        }
    }
    return c;
}

static void bodies(list *l, const census *c) {
    count(l, c->rods, "rod", "rods");
    count(l, c->growing, "rod that grows", "rods that grow");
    count(l, c->rigids, "rigid body", "rigid bodies");
    count(l, c->lagrangians, "Lagrangian system", "Lagrangian systems");
    count(l, c->fields, "field", "fields");
}

static void surroundings(list *l, const zw_model *m, const census *c) {
    count(l, c->joints, "joint or constraint", "joints and constraints");
    count(l, m->nunilaterals, "inequality", "inequalities");
    count(l, m->nfoundations, "elastic foundation", "elastic foundations");
    count(l, m->nobstacles, "obstacle", "obstacles");
    count(l, m->nloads, "load", "loads");
    count(l, m->nframes, "moving frame of reference", "frames of reference");
    if (next(l, m->gravity_given)) {
        zw_text_add(l->t, "gravity");
    }
}

static void what_there_is(zw_text *t, const zw_model *m) {
    census c = count_bodies(m);
    list   n = {0}, w = {.t = t, .sentence = true};
    bodies(&n, &c);
    w.total = n.total;
    bodies(&w, &c);
    if (c.elements > 0) {
        zw_text_addf(t, " (%d element%s%s", c.elements, c.elements == 1 ? "" : "s", c.rods + c.growing + c.fields > 1 ? " in all" : "");
        zw_text_add(t, c.coordinates > 0 ? "" : ")");
    }
    if (c.coordinates > 0) {
        zw_text_addf(t, "%s%d coordinate%s)", c.elements > 0 ? ", " : " (", c.coordinates, c.coordinates == 1 ? "" : "s");
    }
    n = (list){0};
    w = (list){.t = t};
    surroundings(&n, m, &c);
    w.total = n.total;
    zw_text_add(t, w.total > 0 ? " with " : ", free of joints, loads and gravity");
    surroundings(&w, m, &c);
    zw_text_add(t, ". ");
}

static void how_it_was_run(zw_text *t, const zw_json *s) {
    if (is(s, "analysis", "modes")) {
        zw_text_add(t, "Sought: its small motions about the ");
        zw_text_html(t, zw_json_string(s, "about", "state"));
        zw_text_add(t, ", their frequencies, growths and shapes.");
    } else if (is(s, "analysis", "statics")) {
        const char *name = zw_json_string(s, "parameter.name", NULL);
        if (name) {
            zw_text_add(t, "Followed: its equilibria while ");
            zw_text_html(t, name);
            zw_text_add(t, " goes from ");
            number(t, zw_json_number(s, "parameter.from", NAN), 6);
            zw_text_add(t, " to ");
            number(t, zw_json_number(s, "parameter.reached", NAN), 6);
            zw_text_add(t, ".");
        } else {
            zw_text_add(t, "Sought: its equilibrium.");
        }
    } else {
        const char *integrator = zw_json_string(s, "integrator", NULL);
        zw_text_add(t, "Simulated: ");
        number(t, zw_json_number(s, "t", NAN), 6);
        zw_text_add(t, "\xc2\xa0s of its motion");
        if (integrator) {
            zw_text_add(t, ", in ");
            number(t, zw_json_number(s, "steps", NAN), 15);
            zw_text_add(t, " steps of the integrator ");
            zw_text_html(t, integrator);
        }
        zw_text_add(t, ".");
    }
}

void zw_report_what(zw_text *t, const zw_model *m, const zw_json *summary) {
    if (!m && !summary) {
        return;
    }
    zw_text_add(t, "<p class=\"what\">");
    if (m) {
        what_there_is(t, m);
    }
    if (summary) {
        how_it_was_run(t, summary);
    }
    zw_text_add(t, "</p>\n");
}

/* ---- how it went */

static void fact_begin(zw_text *t, const char *name) {
    zw_text_addf(t, "<div><dt>%s</dt><dd>", name);
}

static void fact_end(zw_text *t) {
    zw_text_add(t, "</dd></div>\n");
}

/* "to round-off", "to 0.12 % of its scale 103 J" */
static void part(zw_text *t, double drift, double scale, const char *unit) {
    double x = scale > 0.0 ? drift / scale : 0.0;
    if (!(scale > 0.0)) {
        zw_text_add(t, "to ");
        number(t, drift, 2);
        zw_text_add(t, unit);
        return;
    }
    if (x <= ROUND_OFF) {
        zw_text_add(t, "to round-off: ");
        number(t, x, 2);
    } else if (x < 1e-4) {
        zw_text_add(t, "to ");
        number(t, x, 2);
    } else {
        zw_text_add(t, "to ");
        number(t, 100.0 * x, 2);
        zw_text_add(t, "\xc2\xa0%");
    }
    zw_text_add(t, " of its scale ");
    number(t, scale, 3);
    zw_text_add(t, unit);
}

static void outcome(zw_text *t, const zw_json *s) {
    bool        analysis = zw_json_string(s, "analysis", NULL) != NULL;
    const char *word = zw_json_string(s, "outcome", "");
    fact_begin(t, "Outcome");
    if (strcmp(word, "reached") == 0) {
        zw_text_add(t, analysis ? "<span class=\"good\">found</span>" : "<span class=\"good\">ran to its end</span>");
    } else if (strcmp(word, "stopped-by-event") == 0) {
        zw_text_add(t, "<span class=\"good\">stopped by an event</span>");
    } else if (strcmp(word, "diverged") == 0) {
        zw_text_add(t, "<span class=\"bad\">broke off</span>");
    } else {
        zw_text_add(t, "<span class=\"bad\">not ended</span>");
    }
    if (is(s, "analysis", "modes")) {
        zw_text_add(t, ": ");
        zw_text_html(t, zw_json_string(s, "verdict", ""));
        if (zw_json_string(s, "critical.kind", NULL)) {
            zw_text_add(t, "; ");
            zw_text_html(t, zw_json_string(s, "critical.kind", ""));
            zw_text_add(t, " from ");
            zw_text_html(t, zw_json_string(s, "critical.parameter", ""));
            zw_text_add(t, " = ");
            number(t, zw_json_number(s, "critical.value", NAN), 6);
            zw_text_add(t, " on");
        }
    } else if (analysis) {
        const zw_json *stable = zw_json_find(s, "stable");
        zw_text_add(t, stable && stable->kind == ZW_JSON_TRUE ? ": stable at the end" : ": not stable at the end");
    } else {
        zw_text_add(t, ", t = ");
        number(t, zw_json_number(s, "t", NAN), 6);
        zw_text_add(t, "\xc2\xa0s");
        if (strcmp(word, "reached") != 0) {
            zw_text_add(t, " of ");
            number(t, zw_json_number(s, "until", NAN), 6);
            zw_text_add(t, "\xc2\xa0s");
        }
    }
    fact_end(t);
}

static void energy(zw_text *t, const zw_json *s) {
    if (!zw_json_find(s, "energy.drift_max")) {
        return;
    }
    double work = zw_json_number(s, "energy.work", 0), lost = zw_json_number(s, "energy.dissipated", 0);
    double scale = zw_json_number(s, "energy.scale", 0);
    bool   exchanged = fabs(work) > ROUND_OFF * scale || fabs(lost) > ROUND_OFF * scale;
    fact_begin(t, "Energy");
    zw_text_add(t, exchanged ? "accounted for (with work and dissipation) " : "kept ");
    part(t, zw_json_number(s, "energy.drift_max", NAN), scale, "\xc2\xa0J");
    fact_end(t);
}

static void momentum(zw_text *t, const zw_json *s, const char *which, const char *name, const char *unit) {
    char path[64];
    snprintf(path, sizeof path, "momentum.%s_conserved", which);
    const zw_json *kept = zw_json_find(s, path);
    snprintf(path, sizeof path, "momentum.%s_scale", which);
    double scale = zw_json_number(s, path, 0);
    snprintf(path, sizeof path, "momentum.%s_drift_max", which);
    if (!zw_json_find(s, path) || !(scale > 0.0) || (kept && kept->kind == ZW_JSON_FALSE)) {
        return;
    }
    fact_begin(t, name);
    zw_text_add(t, "kept ");
    part(t, zw_json_number(s, path, NAN), scale, unit);
    fact_end(t);
}

static void constraints(zw_text *t, const zw_json *s) {
    double rows = zw_json_number(s, "constraint.rows", 0);
    if (rows > 0) {
        fact_begin(t, "Constraints");
        zw_text_addf(t, "%d equation%s, kept to ", (int)rows, rows == 1 ? "" : "s");
        number(t, zw_json_number(s, "constraint.position_max", NAN), 2);
        zw_text_add(t, " in place and ");
        number(t, zw_json_number(s, "constraint.velocity_max", NAN), 2);
        zw_text_add(t, " in velocity");
        fact_end(t);
    } else if (is(s, "analysis", "statics")) {
        fact_begin(t, "Balance");
        zw_text_add(t, "forces cancel to ");
        number(t, zw_json_number(s, "residual_max", NAN), 2);
        zw_text_add(t, " of the largest of them");
        fact_end(t);
    }
}

static void impacts(zw_text *t, const zw_json *s) {
    double n = zw_json_number(s, "impacts.count", 0);
    if (n > 0) {
        fact_begin(t, "Impacts");
        number(t, n, 15);
        double lost = zw_json_number(s, "impacts.dissipated", 0);
        if (fabs(lost) <= ROUND_OFF * zw_json_number(s, "energy.scale", 0)) {
            zw_text_add(t, ", without loss of energy");
        } else {
            zw_text_add(t, "; they took ");
            number(t, lost, 3);
            zw_text_add(t, "\xc2\xa0J");
        }
        fact_end(t);
    }
}

static void duration(zw_text *t, const zw_json *s) {
    double wall = zw_json_number(s, "wall_s", NAN), time = zw_json_number(s, "t", NAN), steps = zw_json_number(s, "steps", NAN);
    if (isnan(wall)) {
        return;
    }
    fact_begin(t, "Time");
    zw_text_add(t, "computed in ");
    number(t, wall, 2);
    zw_text_add(t, "\xc2\xa0s");
    if (time > 0.0 && wall > 0.0 && !zw_json_string(s, "analysis", NULL)) {
        double faster = time / wall;
        zw_text_add(t, ", ");
        number(t, faster >= 1.0 ? faster : 1.0 / faster, 2);
        zw_text_add(t, faster >= 1.0 ? " times faster than the motion" : " times slower than the motion");
        if (steps > 0.0) {
            double each = wall / steps;
            zw_text_add(t, "; ");
            number(t, each < 1e-3 ? 1e6 * each : 1e3 * each, 2);
            zw_text_add(t, each < 1e-3 ? "\xc2\xa0\xc2\xb5s for a step" : "\xc2\xa0ms for a step");
        }
    }
    fact_end(t);
}

static void warnings(zw_text *t, const zw_json *s) {
    const zw_json *all = zw_json_find(s, "warnings");
    int            n = 0;
    for (const zw_json *w = all ? all->child : NULL; w; w = w->next) {
        n++;
    }
    fact_begin(t, "Warnings");
    if (n == 0) {
        zw_text_add(t, "none");
    } else {
        zw_text_addf(t, "<span class=\"bad\">%d</span>, above", n);
    }
    fact_end(t);
}

void zw_report_facts(zw_text *t, const zw_json *summary) {
    if (!summary) {
        return;
    }
    zw_text_add(t, "<dl class=\"facts\">\n");
    outcome(t, summary);
    energy(t, summary);
    momentum(t, summary, "linear", "Momentum", "\xc2\xa0N\xc2\xa0s");
    momentum(t, summary, "angular", "Angular momentum", "\xc2\xa0N\xc2\xa0m\xc2\xa0s");
    constraints(t, summary);
    impacts(t, summary);
    duration(t, summary);
    warnings(t, summary);
    zw_text_add(t, "</dl>\n");
}

/* ---- how to cite */

void zw_report_cite(zw_text *t, const zw_json *summary) {
    const char *version = zw_json_string(summary, "version", zw_version()), *file = zw_json_string(summary, "model.file", "");
    const char *slash = strrchr(file, '/'), *hash = zw_json_string(summary, "model.hash", ""),
               *method = zw_json_string(summary, "integrator", "");
    zw_text_add(
        t, "<h2>How to cite</h2>\n<p>If this result helped your work, please name the program with its version, and give the "
           "model file with it; anybody can then have the same numbers:</p>\n<pre>@software{zwang,\n  author  = {{The zwang authors}},\n"
           "  title   = {zwang: simulation of constrained mechanical systems},\n  version = {");
    zw_text_html(t, version);
    zw_text_add(t, "},\n  note    = {model ");
    zw_text_html(t, slash ? slash + 1 : file);
    zw_text_add(t, hash[0] ? ", hash " : "");
    zw_text_html(t, hash);
    zw_text_add(t, method[0] ? ", integrator " : "");
    zw_text_html(t, method);
    zw_text_add(t, "}\n}</pre>\n<p>The methods and where they come from are told in docs/theory of the source tree.</p>\n");
}
