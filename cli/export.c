/* SPDX-License-Identifier: Apache-2.0
 * export.c: zwang export. */
#include <string.h>

#include "base/text.h"
#include "output.h"
#include "session.h"
#include "verbs.h"
#include "zwang/results.h"

typedef struct format {
    const char *name;
    const char *place; /* in DIR, without -o */
    const char *show;  /* the file to open, below the place; "": the place itself */
} format;

static const format formats[] = {{"csv", "csv", ""}, {"numpy", "results.npz", ""}, {"vtk", "vtk", "/rods.pvd"}};

static const format *find_format(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

static zw_status export_to(zw_session *s, const format *f, const char *out) {
    const char *directory = s->options->argument[0];
    bool        force = s->options->force;
    switch (f - formats) {
    case 0: return zw_export_csv(s->context, directory, out);
    case 1: return zw_export_numpy(s->context, directory, out, force);
    default: return zw_export_vtk(s->context, directory, out, force);
    }
}

int zw_verb_export(const zw_options *o) {
    if (!o->as) {
        return zw_usage_error(false, "export", "say which format: --as csv, --as numpy or --as vtk");
    }
    const format *f = find_format(o->as);
    if (!f) {
        char wrong[160];
        snprintf(wrong, sizeof wrong, "--as: unknown format '%.40s'; there are: csv, numpy, vtk", o->as);
        return zw_usage_error(false, "export", wrong);
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_text out;
    zw_text_init(&out, s.context);
    if (o->output) {
        zw_text_add(&out, o->output);
    } else {
        zw_text_addf(&out, "%s/%s", o->argument[0], f->place);
    }
    zw_status status = zw_text_status(&out);
    if (status == ZW_OK) {
        zw_interrupt_catch(s.context);
        status = export_to(&s, f, out.s);
        zw_interrupt_release();
    }
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        printf("%s%s\n", out.s, f->show);
    }
    zw_text_destroy(&out);
    zw_session_end(&s);
    return code;
}
