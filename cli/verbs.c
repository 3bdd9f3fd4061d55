/* SPDX-License-Identifier: Apache-2.0
 * verbs.c: the table of verbs, and `zwang help`. Verbs that are known but not in this version stand in it too, so that somebody who
 * read about them learns where they are instead of "unknown verb". */
#include "verbs.h"

#include <string.h>

#include "base/text.h"

const zw_verb zw_verbs[] = {
    {"run", "MODEL", 1, 1, "simulate a model; results, summary and report go to a directory",
     "MODEL is a YAML file, or - for standard input. DIR is locked while running and never overwritten without --force.\n"
     "Ctrl-C writes a checkpoint and exits with 130; --resume goes on from there, with the same bits as without interruption.",
     zw_verb_run},
    {"check", "MODEL", 1, 1, "find everything that can be wrong with a model, without running it",
     "Reads and binds the model, and says what it found: bodies, degrees of freedom, constraints, time step, size of the results.",
     zw_verb_check},
    {"modes", "MODEL", 1, 1, "frequencies, growths and shapes of small motions; where they become unstable",
     "About the equilibrium, the start or the steady state in a spinning frame, with stresses, damping, gyroscopic terms and loads that follow. `modes:` in\n"
     "the model says how many, about which state, and which parameter's critical value is sought.",
     zw_verb_modes},
    {"verify", "MODEL", 1, 1, "check the mechanics of a model against itself at random admissible states",
     "Accelerations by every principle (Gauss, multipliers, Mac-Millan, Udwadia-Kalaba), derivatives against differences, Gauss's minimum, work of\n"
     "the reactions, balance of power. The model needs no run. Exit code 1 when something differs by more than its tolerance.",
     zw_verb_verify},
    {"statics", "MODEL", 1, 1, "find an equilibrium, or follow a path of equilibria along a parameter",
     "Newton's method from the start shape; with `statics: {vary: P, from: 0, to: 10}` the path by arc length, its limit points and bifurcations, and the\n"
     "stability of each point. Results, summary and report go to a directory, one frame per point. When a path ends early what was found is kept.",
     zw_verb_statics},
    {"validate", "[CASE...]", 0, -1, "run the shipped reference cases and compare with their numbers",
     "A word selects the cases whose name begins with it. Exit code 1 when a number is outside its tolerance.", zw_verb_validate},
    {"equations", "MODEL", 1, 1, "print the derived equations of a model's lagrangian bodies",
     "--form multiplier (default) is Lagrange's and Chetaev's form with its multipliers, gauss the quantities of the least constraint, macmillan the\n"
     "reduced equations term by term. --as text parses as expressions of model files, latex is a document, c a file that compiles by itself.",
     zw_verb_equations},
    {"export", "DIR", 1, 1, "write results for other programs: tables, NumPy, ParaView",
     "--as csv writes one table per kind of quantity to DIR/csv, --as numpy all arrays to DIR/results.npz for numpy.load,\n"
     "--as vtk a file per frame and the collection DIR/vtk/rods.pvd for ParaView. It also works while a run is going on.",
     zw_verb_export},
    {"pack", "DIR", 1, 1, "compress DIR/results.h5 without losing a bit",
     "The packed file takes the old one's place when all of it reads back bit for bit; every program that reads HDF5 reads it as before.",
     zw_verb_pack},
    {"report", "DIR", 1, 1, "write DIR/report.html anew from the results", "", zw_verb_report},
    {"view", "DIR", 1, 1, "write DIR/view.html: the motion in three dimensions, with plots and events",
     "One page that needs no network and no other file: open it in any browser. It stays under 20 MB: of long records it shows evenly spread frames, and says so.\n"
     "It also works while a run is going on.",
     zw_verb_view},
    {"schema", "", 0, 0, "print the JSON Schema of the model file",
     "Editors complete and check model files with it. --as markdown prints the reference page.", zw_verb_schema},
    {"help", "[VERB]", 0, 1, "show help", "", zw_verb_help},
    {"bench", "", 0, -1, "the benchmarks are not in the program of this version; scripts/bench in the source tree runs them", "", NULL},
    {NULL, NULL, 0, 0, NULL, NULL, NULL},
};

const zw_verb *zw_verb_find(const char *name) {
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        if (strcmp(v->name, name) == 0) {
            return v;
        }
    }
    return NULL;
}

const char *zw_verb_nearest(const char *word) {
    const char *names[sizeof zw_verbs / sizeof zw_verbs[0]];
    int         n = 0;
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        names[n++] = v->name;
    }
    return zw_nearest_name(word, names, n);
}

int zw_verb_help(const zw_options *o) {
    if (o->completion) {
        if (strcmp(o->completion, "bash") != 0) {
            return zw_usage_error(false, "help", "completion is there for bash only: zwang help --completion bash");
        }
        zw_options_completion_bash(stdout);
        return ZW_EXIT_OK;
    }
    const zw_verb *verb = NULL;
    if (o->narguments > 0 && !(verb = zw_verb_find(o->argument[0]))) {
        char        wrong[200];
        const char *near = zw_verb_nearest(o->argument[0]);
        snprintf(wrong, sizeof wrong, "unknown verb '%.80s'; %s%s%s", o->argument[0], near ? "did you mean '" : "see: zwang help",
                 near ? near : "", near ? "'?" : "");
        return zw_usage_error(false, "help", wrong);
    }
    zw_options_help(verb, stdout);
    return ZW_EXIT_OK;
}
