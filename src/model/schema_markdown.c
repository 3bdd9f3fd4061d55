/* SPDX-License-Identifier: Apache-2.0
 * schema_markdown.c: the table as the reference page docs/model.md. */
#include "model/schema.h"

#include <string.h>

static const char head[] =
    "# The model file\n"
    "\n"
    "<!-- Written by `zwang schema --as markdown` from the table that drives the reader, src/model/schema_table.c:\n"
    "     edit the table and write this page again. -->\n"
    "\n"
    "A model is one YAML file in SI units. Every number may be an expression, every vector a list of three: `length: 2*pi/3`,\n"
    "`at: [0, 0, h + 0.1]`. An expression with a comma inside `[ ]` or `{ }` must be quoted: `[\"min(a, b)\", 0, 0]`.\n"
    "Duplicate keys, anchors, aliases, tags and a second document are errors. All errors of a file are reported together,\n"
    "each with line, column, key and remedy.\n"
    "\n"
    "`zwang check MODEL` reads a model without running it. `--set L=3` changes a parameter and `--set run.until=2` any key;\n"
    "the model as run is kept with the results.\n"
    "\n"
    "## Four whole models\n"
    "\n"
    "```yaml\n"
    "zwang: 1\n"
    "title: Free flight of a bent beam\n"
    "parameters: {L: 2*pi/3, a: 0.1}\n"
    "bodies:\n"
    "  beam:\n"
    "    rod:\n"
    "      length: L\n"
    "      elements: 100\n"
    "      section: {square: a}\n"
    "      material: {density: 1000, young: 1e7, poisson: 0.35}\n"
    "      shape: {curvature: [0, -1, 0]}\n"
    "      velocity: {director: [0, sin(pi*s/L), 1]}\n"
    "run: {until: 0.5, step: 1e-4}\n"
    "record: {frames: 200}\n"
    "probes:\n"
    "  tip: {position: beam, s: end}\n"
    "  energy: {energy: total}\n"
    "```\n"
    "\n"
    "```yaml\n"
    "zwang: 1\n"
    "title: A cantilever swings under its weight and a force at its end\n"
    "parameters: {L: 1, P: 0.5}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  beam:\n"
    "    rod:\n"
    "      length: L\n"
    "      elements: 40\n"
    "      along: [1, 0, 0]\n"
    "      up: [0, 0, 1]\n"
    "      section: {rectangle: [0.01, 0.02]}\n"
    "      material: {density: 1200, young: 1e8, poisson: 0.4, damping: 0.002}\n"
    "constraints:\n"
    "  root: {clamp: beam, s: 0}\n"
    "loads:\n"
    "  push: {force: [0, \"if(t < 0.1, P, 0)\", 0], on: beam, s: end}\n"
    "run: {until: 2}\n"
    "probes:\n"
    "  tip: {position: beam, s: end}\n"
    "  root: {reaction: root}\n"
    "  sag: {expression: -tip.z/L}\n"
    "```\n"
    "\n"
    "```yaml\n"
    "zwang: 1\n"
    "title: A sleigh on a blade coasts in a bend\n"
    "parameters: {m: 2, J: 0.3, l: 0.2}\n"
    "bodies:\n"
    "  sleigh:\n"
    "    lagrangian:\n"
    "      coordinates: [x, y, theta]\n"
    "      define:\n"
    "        centre: \"[x + l*cos(theta), y + l*sin(theta), 0]\"\n"
    "        v: dt(centre)\n"
    "      kinetic: m*dot(v, v)/2 + J*thetadot^2/2\n"
    "      points: {blade: [x, y, 0], centre: centre}\n"
    "      constraints: {blade: xdot*sin(theta) = ydot*cos(theta)}\n"
    "      start: {xdot: 1, thetadot: 0.5}\n"
    "run: {until: 10}\n"
    "probes:\n"
    "  blade: {position: sleigh, point: blade}\n"
    "  turn: {coordinate: sleigh.thetadot}\n"
    "  hold: {multiplier: sleigh.blade}\n"
    "```\n"
    "\n"
    "```yaml\n"
    "zwang: 1\n"
    "title: A chopstick in a bowl\n"
    "parameters: {R: 1, half: 0.6}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  stick:\n"
    "    rigid:\n"
    "      capsule: {length: 2*half, radius: 0.005}\n"
    "      mass: 0.05\n"
    "      at: [0, 0, -0.7]\n"
    "      turn: [0, pi/2 + 0.1, 0]\n"
    "      spin: [0, 0, 0.3]\n"
    "      points: {a: [0, 0, half], b: [0, 0, -half]}\n"
    "constraints:\n"
    "  bowl: {unilateral: x^2 + y^2 + z^2 <= R^2, on: stick, points: [a, b], restitution: 1}\n"
    "contact: {law: sequential}\n"
    "run: {until: 10, tolerance: 1e-12}\n"
    "probes:\n"
    "  a: {position: stick, point: a}\n"
    "  E: {energy: total}\n"
    "```\n"
    "\n"
    "```yaml\n"
    "zwang: 1\n"
    "title: A rigid body tows a rod over a plane\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  tug:\n"
    "    rigid: {box: {size: [0.2, 0.1, 0.1]}, density: 800, at: [0, 0, 0.1], velocity: [1, 0, 0]}\n"
    "  rope:\n"
    "    rod:\n"
    "      length: 1\n"
    "      elements: 40\n"
    "      at: [-0.1, 0, 0.1]\n"
    "      along: [-1, 0, 0]\n"
    "      section: {round: 0.01}\n"
    "      material: {density: 1200, young: 1e6, poisson: 0.5, damping: 1e-3}\n"
    "      velocity: [1, 0, 0]\n"
    "obstacles:\n"
    "  floor: {plane: {normal: [0, 0, 1]}}\n"
    "constraints:\n"
    "  hook: {ball: [{body: tug, at: [-0.1, 0, 0]}, {body: rope, s: 0}]}\n"
    "  rail: {clamp: tug, fix: [z, rx, ry], to: ground}\n"
    "loads:\n"
    "  pull: {force: [5, 0, 0], on: tug}\n"
    "contact: {restitution: 0, friction: 0.3}\n"
    "run: {until: 2}\n"
    "probes:\n"
    "  tow: {reaction: hook}\n"
    "```\n"
    "\n";

static const char head_of_tables[] =
    "## What an expression may use\n"
    "\n"
    "| where | names besides parameters, `pi`, `e` and functions |\n"
    "|---|---|\n"
    "| lengths, counts, places, times, rigid bodies, contact | none |\n"
    "| section, material, shape, natural, velocity of a rod | `s`, the label along the rod, m |\n"
    "| gravity, motion | `t`, the time, s |\n"
    "| gap of an obstacle | `t` and the place in space `x`, `y`, `z` |\n"
    "| loads | `t`, `s` and the place in space `x`, `y`, `z` |\n"
    "| kinetic, dissipation, define, velocities, forces, constraints of a lagrangian | `t`, its coordinates `NAME` and velocities "
    "`NAMEdot`, what `define` and `velocities` name; `dt(..)` is the derivative by time along the motion |\n"
    "| potential, particles, points of a lagrangian | `t`, its coordinates, what `define` names without velocities |\n"
    "| unilateral, its restitution and loss | `t`, and the coordinates of its lagrangian, or with `points` the place `x`, `y`, `z` of each "
    "of them |\n"
    "| probes | `t` and the probes above: `NAME`, `NAME.x .y .z`; along directors also `.d1 .d2 .d3`; "
    "orientation `.w .x .y .z`; reaction `.fx .fy .fz .mx .my .mz` |\n"
    "\n"
    "Parameters may use each other in any order. Functions: `sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh\n"
    "exp log log10 sqrt cbrt abs sign floor ceil mod pow hypot erf min max clamp step if table dot cross norm unit`,\n"
    "and `dt` in a lagrangian.\n"
    "Operators: `+ - * / ^`, comparisons, `and or not`.\n"
    "Names are letters, digits and `_`, and begin with a letter.\n"
    "\n"
    "In the tables, *later* marks what is part of the model file and not in this version: it is refused with a message that says so.\n";

/* text in a cell: | would end it */
static void cell(zw_text *out, const char *s) {
    for (; *s; s++) {
        if (*s == '|') {
            zw_text_add(out, "\\|");
        } else {
            zw_text_add_n(out, s, 1);
        }
    }
}

static void words(zw_text *out, const zw_schema_key *k) {
    for (const char *p = k->words; *p;) {
        char   word[40];
        size_t n = strcspn(p, "|");
        size_t m = n < sizeof word - 1 ? n : sizeof word - 1;
        memcpy(word, p, m);
        word[m] = 0;
        zw_text_addf(out, "`%s`%s", word, zw_schema_has_word(k->later, word) ? " (later)" : "");
        p += n;
        if (*p == '|') {
            zw_text_add(out, ", ");
            p++;
        }
    }
}

static void type_cell(zw_text *out, const zw_schema_key *k) {
    if (k->type == ZW_KEY_WORD) {
        words(out, k);
        return;
    }
    if (k->type == ZW_KEY_WORDS) {
        zw_text_add(out, "list of ");
        words(out, k);
        return;
    }
    if (k->type == ZW_KEY_WORD_OR_MAP || k->type == ZW_KEY_WORD_OR_PAIRS) {
        words(out, k);
        zw_text_add(out, k->type == ZW_KEY_WORD_OR_MAP ? ", or a map" : ", or a list of pairs of names");
        return;
    }
    cell(out, zw_schema_type_phrase(k->type));
    static const char *const of[] = {[ZW_OF_NOTHING] = "",
                                     [ZW_OF_LABEL] = " of s",
                                     [ZW_OF_TIME] = " of t",
                                     [ZW_OF_PLACE] = " of t, s, x, y, z",
                                     [ZW_OF_SPACE] = " of t, x, y, z",
                                     [ZW_OF_PROBES] = " of probes",
                                     [ZW_OF_FIELD] = " of mu1.., gamma1.., s",
                                     [ZW_OF_COORDINATES] = " of coordinates, t",
                                     [ZW_OF_MOTION] = " of coordinates, velocities, t",
                                     [ZW_OF_GROWTH] = " of t, s, d, tension, ..",
                                     [ZW_OF_SIGNAL] = " of chi, t, s, d, tension, ..",
                                     [ZW_OF_OTHER] = ""};
    zw_text_add(out, of[k->scope]);
}

static void row(zw_text *out, const zw_schema_owner *o, const zw_schema_key *k) {
    zw_text_addf(out, "| `%s`%s", k->key,
                 k->flags & ZW_KEY_REQUIRED                             ? " *"
                 : k->flags & ZW_KEY_MAIN && o->choice == ZW_CHOICE_ONE ? " +"
                                                                        : "");
    zw_text_add(out, " | ");
    type_cell(out, k);
    zw_text_add(out, " | ");
    cell(out, k->initial ? k->initial : "");
    zw_text_add(out, " | ");
    if (k->flags & ZW_KEY_LATER) {
        zw_text_add(out, "*later* ");
    }
    cell(out, k->doc);
    if (k->forms) {
        zw_text_add(out, " (with ");
        for (const char *p = k->forms; *p; p++) {
            zw_text_add_n(out, *p == '|' ? ", " : p, *p == '|' ? 2 : 1);
        }
        zw_text_add(out, ")");
    }
    zw_text_add(out, " |\n");
}

/* is every key of the map for later? */
static bool is_later(const zw_schema_owner *o) {
    for (int i = 0; i < zw_schema_nkeys; i++) {
        if (strcmp(zw_schema_keys[i].owner, o->name) == 0 && !(zw_schema_keys[i].flags & ZW_KEY_LATER)) {
            return false;
        }
    }
    return true;
}

zw_status zw_schema_markdown(zw_context *c, char **result) {
    zw_text out;
    *result = NULL;
    zw_text_init(&out, c);
    zw_text_add(&out, head);
    zw_text_add(&out, head_of_tables);
    zw_text_add(&out, "`*` required; `+` exactly one of these.\n");
    for (int later = 0; later < 2; later++) {
        if (later) {
            zw_text_add(&out, "\n# Not in this version\n\nThese parts of the model file are fixed and not built yet.\n");
        }
        for (int i = 0; i < zw_schema_nowners; i++) {
            const zw_schema_owner *o = &zw_schema_owners[i];
            if (is_later(o) != (later == 1)) {
                continue;
            }
            if (o->path[0]) {
                zw_text_addf(&out, "\n## %s\n\n%s\n\n", o->path, o->doc);
            } else {
                zw_text_addf(&out, "\n## The top of the file\n\n%s\n\n", o->doc);
            }
            zw_text_add(&out, "| key | value | default | meaning |\n|---|---|---|---|\n");
            for (int k = 0; k < zw_schema_nkeys; k++) {
                if (strcmp(zw_schema_keys[k].owner, o->name) == 0) {
                    row(&out, o, &zw_schema_keys[k]);
                }
            }
        }
    }
    zw_status status = zw_text_status(&out);
    if (status == ZW_OK) {
        *result = zw_strdup(c, out.s);
        status = *result ? ZW_OK : ZW_E_MEMORY;
    }
    zw_text_destroy(&out);
    return status;
}
