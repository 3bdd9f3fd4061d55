/* SPDX-License-Identifier: Apache-2.0
 * modes.c: zwang modes: the small motions of a model as a table, or as one JSON object. */
#include "zwang/modes.h"

#include "base/context.h"
#include "base/number.h"
#include "output.h"
#include "progress.h"
#include "record/directory.h"
#include "record/file.h"
#include "record/modes_json.h"
#include "session.h"
#include "verbs.h"
#include "view_page.h"

#include <math.h>
#include <sys/stat.h>

#define TWO_PI 6.283185307179586

static const char *kind_of(const zw_mode *m) {
    double size = hypot(m->growth, m->frequency);
    if (m->growth > 1e-9 * size) {
        return m->frequency > 0.0 ? "flutter: it swings and grows" : "divergence: it leaves without swinging";
    }
    return m->frequency > 0.0 ? m->growth < -1e-9 * size ? "damped" : "" : "overdamped: it comes back without swinging";
}

static void print_critical(const zw_modes_critical *c) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (!c->sought) {
        return;
    }
    if (c->unstable_at_from) {
        printf("\ncritical value of %s: it is unstable at %s already (%s); begin the search at another value\n", c->parameter,
               zw_number_short(c->from, 8, a), zw_stability_name(c->kind));
    } else if (!c->found) {
        printf("\ncritical value of %s: none from %s to %s\n", c->parameter, zw_number_short(c->from, 8, a), zw_number_short(c->to, 8, b));
    } else {
        printf("\ncritical value of %s: %s (%s", c->parameter, zw_number_short(c->value, 12, a), zw_stability_name(c->kind));
        if (c->kind == ZW_FLUTTER) {
            printf(", %s rad/s", zw_number_short(c->frequency, 8, b));
        }
        printf(")\n");
    }
}

static void print_text(const char *name, const zw_modes *s) {
    zw_modes_summary sum;
    char             a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], g[ZW_NUMBER_TEXT], d[ZW_NUMBER_TEXT];
    zw_modes_read(s, &sum);
    printf("%s: small motions about the %s%s\n", name, sum.about == ZW_ABOUT_STEADY ? "steady state" : zw_modes_about_name(sum.about),
           sum.damped ? "" : ", without damping");
    printf("%d velocit%s, %d row%s%s\n", sum.columns, sum.columns == 1 ? "y" : "ies", sum.rows, sum.rows == 1 ? "" : "s",
           sum.large ? "; ARPACK" : "");
    if (sum.about == ZW_ABOUT_START && sum.left > 1e-6 * (sum.scale > 0.0 ? sum.scale : 1.0)) {
        printf("the start is no equilibrium: up to %s N (or N m) are not balanced there\n", zw_number_short(sum.left, 3, a));
    }
    if (sum.free > 0) {
        printf("%d motion%s that nothing holds (rigid bodies, mechanisms): frequency 0, not listed\n", sum.free, sum.free == 1 ? "" : "s");
    }
    printf("\n%6s %15s %15s %14s %10s\n", "number", "rad/s", "Hz", "growth 1/s", "damping");
    for (int i = 0; i < sum.count; i++) {
        zw_mode m = zw_modes_at(s, i);
        double  size = hypot(m.frequency, m.growth);
        printf("%6d %15s %15s %14s %10s  %s\n", i + 1, zw_number_short(m.frequency, 9, a), zw_number_short(m.frequency / TWO_PI, 9, b),
               zw_number_short(m.growth, 7, g), m.growth != 0.0 && size > 0.0 ? zw_number_short(-m.growth / size, 4, d) : "", kind_of(&m));
    }
    if (sum.count == 0) {
        printf("none: nothing moves but what nothing holds\n");
    }
    if (sum.verdict == ZW_STABLE) {
        printf("\nstable\n");
    } else {
        printf("\nunstable: %s, growth %s 1/s", zw_stability_name(sum.verdict), zw_number_short(sum.growth, 7, a));
        printf(sum.frequency > 0.0 ? ", %s rad/s\n" : "\n", zw_number_short(sum.frequency, 7, b));
    }
    print_critical(&sum.critical);
}

static void tell(void *user, int done, int of, double value) {
    zw_progress at = {.step = done, .steps = of, .t = value, .until = of, .eta_s = -1.0};
    zw_progress_line_draw(user, &at);
}

/* before anything is computed */
static zw_status check_directory(zw_context *c, const char *path) {
    struct stat  there;
    zw_directory dir;
    const char  *which;
    if (stat(path, &there) != 0) {
        return ZW_OK;
    }
    zw_status status = zw_directory_open(c, path, &dir);
    if (status == ZW_OK && zw_directory_has_results(&dir, &which)) {
        status = zw_raise(c, ZW_E_EXISTS, path, "choose another directory with -o, or replace them with --force",
                          "holds results already (%s)", which);
    }
    zw_directory_close(&dir);
    return status;
}

int zw_verb_modes(const zw_options *o) {
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_model        *m = NULL;
    zw_modes        *modes = NULL;
    zw_progress_line line;
    double           began = zw_clock();
    zw_status        status = zw_session_load(&s, &m);
    if (status == ZW_OK && o->output != NULL && !o->force) {
        status = check_directory(s.context, o->output);
    }
    if (status == ZW_OK) {
        zw_progress_line_begin(&line, !o->json && !o->quiet);
        zw_interrupt_catch(s.context);
        status = zw_modes_find(m, line.bar || line.lines ? tell : NULL, &line, &modes);
        zw_interrupt_release();
        zw_progress_line_end(&line);
    }
    zw_text t;
    zw_text_init(&t, s.context);
    if (status == ZW_OK) {
        const char *warning[ZW_SESSION_WARNINGS];
        for (int i = 0; i < s.nwarnings; i++) {
            warning[i] = s.warning[i];
        }
        status = zw_modes_json(m, modes, s.model_name, zw_clock() - began, s.nwarnings, warning, &t);
    }
    if (status == ZW_OK && o->output != NULL) {
        zw_simulate_def def = zw_simulate_def_default();
        def.directory = o->output;
        def.force = o->force;
        def.report = !o->no_report;
        zw_view_ask(&def);
        status = zw_modes_store(s.context, m, modes, &def, t.s);
    }
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        if (o->json) {
            fputs(t.s, stdout);
        } else if (!o->quiet) {
            const char *title = zw_model_title(m);
            print_text(title != NULL && title[0] ? title : s.model_name, modes);
            if (o->output != NULL) {
                printf("\n  results  %s/results.h5\n", o->output);
                if (!o->no_report) {
                    printf("  report   %s/report.html\n", o->output);
                    zw_view_tell(o->output);
                }
            }
        }
    }
    zw_text_destroy(&t);
    zw_modes_destroy(modes);
    zw_model_destroy(m);
    zw_session_end(&s);
    return code;
}
