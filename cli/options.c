/* SPDX-License-Identifier: Apache-2.0
 * options.c: the table of options, and the three readers of it: command line, help, shell completion.
 *
 * Accepted: --name, --name VALUE, --name=VALUE, -o VALUE, -oVALUE; options and arguments in any order; "--" ends the options; "-"
 * is an argument (standard input). An option of another verb is refused, with the verbs that have it. */
#include "options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "output.h"
#include "verbs.h"

typedef enum option_kind { FLAG, TEXT, LIST, COUNT, SEED } option_kind;

typedef struct option {
    const char *name;
    char        letter; /* 0: none */
    option_kind kind;
    size_t      offset;  /* in zw_options */
    const char *verbs;   /* "run check": who takes it; "": everybody */
    const char *value;   /* how the value is called in help; NULL for a flag */
    const char *choices; /* for completion: the words, "DIR" for a directory, "FILE" for a file; NULL: anything */
    const char *help;    /* NULL: not shown */
} option;

#define AT(field) offsetof(zw_options, field)
static const option options[] = {
    {"output", 'o', TEXT, AT(output), "run", "DIR", "DIR", "where the results go (the model's name without extension, with .zw)"},
    {"output", 'o', TEXT, AT(output), "statics", "DIR", "DIR",
     "where the results go (the model's name without extension, with .statics.zw)"},
    {"output", 'o', TEXT, AT(output), "modes", "DIR", "DIR", "where shapes and report go (nothing is stored without it)"},
    {"output", 'o', TEXT, AT(output), "export", "OUT", "DIR", "where it goes: csv, vtk a directory, numpy a file (beside the results)"},
    {"output", 'o', TEXT, AT(output), "equations", "FILE", "FILE", "where it goes (standard output)"},
    {"output", 'o', TEXT, AT(output), "view", "FILE", "FILE", "where the page goes (DIR/view.html)"},
    {"set", 0, LIST, AT(set), "run check modes verify equations statics", "KEY=VALUE", NULL,
     "give a parameter or any key of the model another value; repeatable"},
    {"json", 0, FLAG, AT(json), "run check modes validate verify statics", NULL, NULL,
     "print one JSON object on standard output and nothing else there"},
    {"resume", 0, FLAG, AT(resume), "run", NULL, NULL, "go on from the last checkpoint in DIR"},
    {"force", 0, FLAG, AT(force), "run modes statics", NULL, NULL, "replace results that are in DIR already"},
    {"force", 0, FLAG, AT(force), "export", NULL, NULL, "replace an earlier export to numpy or vtk"},
    {"no-report", 0, FLAG, AT(no_report), "run modes statics", NULL, NULL, "do not write DIR/report.html and DIR/view.html"},
    {"quiet", 'q', FLAG, AT(quiet), "run check modes validate verify statics", NULL, NULL,
     "no progress and no summary; errors and the exit code remain"},
    {"threads", 0, COUNT, AT(threads), "run check validate statics", "N", NULL, "how many threads to use (1)"},
    {"as", 0, TEXT, AT(as), "export", "FORMAT", "csv numpy vtk", "csv: tables; numpy: one .npz file; vtk: for ParaView"},
    {"as", 0, TEXT, AT(as), "schema", "FORMAT", "json markdown", "json (default), or markdown: the reference page"},
    {"as", 0, TEXT, AT(as), "equations", "FORMAT", "text latex c", "text (default), latex: a document, c: a file that compiles"},
    {"form", 0, TEXT, AT(form), "equations", "FORM", "multiplier macmillan gauss", "multiplier (default), macmillan or gauss"},
    {"body", 0, TEXT, AT(body), "equations", "NAME", NULL, "of this body only"},
    {"dependent", 0, TEXT, AT(dependent), "equations", "X,Y", NULL, "macmillan: the velocities to eliminate (chosen by pivoting)"},
    {"fragment", 0, FLAG, AT(fragment), "equations", NULL, NULL, "latex: without preamble"},
    {"deflate", 0, COUNT, AT(deflate), "pack", "N", NULL, "from 1 (fast) to 9 (small); 4 without it"},
    {"states", 0, COUNT, AT(states), "verify", "N", NULL, "at how many states (100)"},
    {"seed", 0, SEED, AT(seed), "verify", "K", NULL, "a whole number that the random states come from (1)"},
    {"frames", 0, COUNT, AT(frames), "view", "N", NULL, "of the scene at most (as many as fit)"},
    {"page", 0, TEXT, AT(page), "view", "FILE", "FILE", "the viewer to fill (the one inside the program)"},
    {"png", 0, TEXT, AT(png), "view", "FILE", "FILE", "a picture instead of the page; drawn by a headless Chromium"},
    {"gif", 0, TEXT, AT(gif), "view", "FILE", "FILE", "the whole motion as an animated GIF"},
    {"mp4", 0, TEXT, AT(mp4), "view", "FILE", "FILE", "the whole motion as a film; joined by ffmpeg"},
    {"size", 0, TEXT, AT(frame_size), "view", "WxH", NULL, "of pictures (1280x720; of a GIF 720x450)"},
    {"time", 0, TEXT, AT(time), "view", "T", NULL,
     "of a picture: seconds, start, end or a part such as 30%; of a path the number of the point, of modes that of the mode"},
    {"camera", 0, TEXT, AT(camera), "view", "WHERE", "front top side iso fit",
     "front, top, side, iso, fit, or degrees around and above such as 30,20"},
    {"colour", 0, TEXT, AT(colour), "view", "WHAT", "body speed bending twist stretch tension energy",
     "what pictures are coloured by: body, speed, bending, ..."},
    {"dark", 0, FLAG, AT(dark), "view", NULL, NULL, "pictures on dark ground"},
    {"seconds", 0, TEXT, AT(seconds), "view", "S", NULL, "how long a GIF (5) or film (8) plays"},
    {"fps", 0, COUNT, AT(fps), "view", "N", NULL, "pictures in a second of a GIF (15) or film (30)"},
    {"live", 0, FLAG, AT(live), "view", NULL, NULL, "serve the page on this computer and follow a run that is going on; Ctrl-C ends it"},
    {"port", 0, COUNT, AT(port), "view", "N", NULL, "with --live: the port on 127.0.0.1 (any that is free)"},
    {"list", 0, FLAG, AT(list), "validate", NULL, NULL, "name the cases without running them"},
    {"completion", 0, TEXT, AT(completion), "help", "SHELL", "bash", NULL},
    {"help", 'h', FLAG, AT(help), "", NULL, NULL, "show this text"},
    {"version", 0, FLAG, AT(version), "", NULL, NULL, NULL},
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* is word one of the words of list? */
static bool has_word(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += n) {
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0)) {
            return true;
        }
    }
    return false;
}

static bool takes(const zw_verb *verb, const option *p) {
    return p->verbs[0] == 0 || has_word(p->verbs, verb->name);
}

/* the option of that name which the verb takes; otherwise one that another verb takes; NULL when it is unknown */
static const option *find(const zw_verb *verb, const char *name, size_t n, char letter) {
    const option *found = NULL;
    for (int i = 0; i < OPTIONS; i++) {
        const option *p = &options[i];
        bool          same = letter ? p->letter == letter : strlen(p->name) == n && memcmp(p->name, name, n) == 0;
        if (same && (!found || takes(verb, p))) {
            found = p;
        }
    }
    return found;
}

static void unknown_option(const zw_verb *verb, const char *word, char *wrong, size_t size) {
    const char *names[OPTIONS];
    int         n = 0;
    for (int i = 0; i < OPTIONS; i++) {
        if (takes(verb, &options[i]) && options[i].help) {
            names[n++] = options[i].name;
        }
    }
    char   bare[64];
    size_t skip = strspn(word, "-"), len = strcspn(word + skip, "=");
    snprintf(bare, sizeof bare, "%.*s", (int)(len < 60 ? len : 60), word + skip);
    const char *near = zw_nearest_name(bare, names, n);
    if (near) {
        snprintf(wrong, size, "unknown option '%s'; did you mean --%s?", word, near);
    } else {
        snprintf(wrong, size, "unknown option '%s'; see: zwang help %s", word, verb->name);
    }
}

static void *field(zw_options *o, const option *p) {
    return (char *)o + p->offset;
}

static bool store(zw_options *o, const option *p, const char *value, char *wrong, size_t size) {
    switch (p->kind) {
    case FLAG: *(bool *)field(o, p) = true; break;
    case TEXT: *(const char **)field(o, p) = value; break;
    case LIST: o->set[o->nsets++] = value; break; /* the only list */
    case COUNT: {
        int64_t n = 0;
        int64_t most = p->offset == AT(port) ? 65535 : 4096;
        if (!zw_integer_parse(value, &n) || n < 1 || n > most) {
            snprintf(wrong, size, "--%s: '%s' is not a count; give a whole number from 1 to %d", p->name, value, (int)most);
            return false;
        }
        *(int *)field(o, p) = (int)n;
        break;
    }
    case SEED: {
        if (!zw_integer_parse(value, (int64_t *)field(o, p)) || o->seed < 0) {
            snprintf(wrong, size, "--%s: '%s' is not a seed; give a whole number from 0 on", p->name, value);
            return false;
        }
        o->seeded = true;
        break;
    }
    }
    return true;
}

bool zw_options_parse(const zw_verb *verb, int argc, char **argv, zw_options *o, char *wrong, size_t size) {
    memset(o, 0, sizeof *o);
    o->verb = verb;
    o->argument = calloc((size_t)argc + 1, sizeof *o->argument);
    o->set = calloc((size_t)argc + 1, sizeof *o->set);
    if (!o->argument || !o->set) {
        snprintf(wrong, size, "memory ran out");
        return false;
    }
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (only_arguments || word[0] != '-' || word[1] == 0) {
            o->argument[o->narguments++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_arguments = true;
            continue;
        }
        bool          is_long = word[1] == '-';
        size_t        len = is_long ? strcspn(word + 2, "=") : 1;
        const option *p = is_long ? find(verb, word + 2, len, 0) : find(verb, "", 0, word[1]);
        const char   *value = is_long ? (word[2 + len] == '=' ? word + 3 + len : NULL) : (word[2] ? word + 2 : NULL);
        if (!p) {
            unknown_option(verb, word, wrong, size);
            return false;
        }
        if (!takes(verb, p)) {
            snprintf(wrong, size, "zwang %s has no option --%s (it belongs to: %s); see: zwang help %s", verb->name, p->name, p->verbs,
                     verb->name);
            return false;
        }
        if (p->kind == FLAG && value) {
            snprintf(wrong, size, "--%s takes no value; leave out '%s'", p->name, value);
            return false;
        }
        if (p->kind != FLAG && !value) {
            if (i + 1 >= argc) {
                snprintf(wrong, size, "--%s needs a value: --%s %s", p->name, p->name, p->value);
                return false;
            }
            value = argv[++i];
        }
        if (!store(o, p, value, wrong, size)) {
            return false;
        }
    }
    if (o->help || o->version) {
        return true;
    }
    if (o->narguments < verb->least) {
        snprintf(wrong, size, "zwang %s needs %s: zwang %s %s", verb->name, verb->arguments, verb->name, verb->arguments);
        return false;
    }
    if (verb->most >= 0 && o->narguments > verb->most) {
        snprintf(wrong, size, "'%s' is one argument too many; usage: zwang %s %s", o->argument[verb->most], verb->name, verb->arguments);
        return false;
    }
    return true;
}

void zw_options_free(zw_options *o) {
    free(o->argument);
    free(o->set);
    o->argument = o->set = NULL;
}

static void help_option(const option *p, FILE *out) {
    char left[40];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", p->letter ? '-' : ' ', p->letter ? p->letter : ' ', p->letter ? ", " : "  ", p->name,
             p->value ? " " : "", p->value ? p->value : "");
    fprintf(out, "  %-22s %s\n", left, p->help);
}

void zw_options_help(const zw_verb *verb, FILE *out) {
    if (verb) {
        fprintf(out, "usage: zwang %s %s%s\n\n%s\n", verb->name, verb->arguments, verb->perform ? " [options]" : "", verb->sentence);
        if (verb->details[0]) {
            fprintf(out, "\n%s\n", verb->details);
        }
        fprintf(out, "\noptions:\n");
        for (int i = 0; i < OPTIONS; i++) {
            if (options[i].help && takes(verb, &options[i])) {
                help_option(&options[i], out);
            }
        }
        return;
    }
    fprintf(out, "usage: zwang VERB [arguments] [options]\n\nSimulates constrained mechanical systems.\n\n");
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        if (v->perform) {
            fprintf(out, "  %-9s %-11s %s\n", v->name, v->arguments, v->sentence);
        }
    }
    fprintf(out, "\nnot in this version:");
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        if (!v->perform) {
            fprintf(out, " %s", v->name);
        }
    }
    fprintf(out, "\n\nzwang help VERB shows the options of a verb; zwang --version the version.\n"
                 "exit codes: 0 done, 1 the run failed, 2 the model is invalid, 64 wrong usage, 66 no input, 74 input/output, "
                 "130 interrupted\n");
}

/* what may follow an option that takes a value: "run:--set | check:--set) return ;;" */
static void complete_value(const option *p, FILE *out) {
    const char *bar = "    ";
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        if (v->perform && takes(v, p)) {
            fprintf(out, "%s%s:--%s", bar, v->name, p->name);
            if (p->letter) {
                fprintf(out, " | %s:-%c", v->name, p->letter);
            }
            bar = " | ";
        }
    }
    if (!p->choices) {
        fprintf(out, ") return ;;\n");
    } else if (strcmp(p->choices, "FILE") == 0) {
        fprintf(out, ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n");
    } else if (strcmp(p->choices, "DIR") == 0) {
        fprintf(out, ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n");
    } else {
        fprintf(out, ") COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", p->choices);
    }
}

void zw_options_completion_bash(FILE *out) {
    fprintf(out, "# bash completion for zwang, written by: zwang help --completion bash\n"
                 "_zwang() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} options=\n"
                 "    COMPREPLY=()\n"
                 "    if ((COMP_CWORD == 1)); then\n"
                 "        COMPREPLY=($(compgen -W '");
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        fprintf(out, "%s ", v->perform ? v->name : "");
    }
    fprintf(out, "--help --version' -- \"$word\"))\n        return\n    fi\n    case $verb:$last in\n");
    for (int i = 0; i < OPTIONS; i++) {
        if (options[i].kind != FLAG) {
            complete_value(&options[i], out);
        }
    }
    fprintf(out, "    esac\n    case $verb in\n");
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        if (!v->perform) {
            continue;
        }
        fprintf(out, "    %s) options='", v->name);
        for (int i = 0; i < OPTIONS; i++) {
            if (options[i].help && takes(v, &options[i])) {
                fprintf(out, "--%s ", options[i].name);
            }
        }
        fprintf(out, "' ;;\n");
    }
    fprintf(out, "    esac\n"
                 "    if [[ $word == -* ]]; then\n"
                 "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                 "    elif [[ $verb == help ]]; then\n"
                 "        COMPREPLY=($(compgen -W '");
    for (const zw_verb *v = zw_verbs; v->name; v++) {
        fprintf(out, "%s ", v->name);
    }
    fprintf(out, "' -- \"$word\"))\n"
                 "    else\n"
                 "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                 "    fi\n"
                 "}\n"
                 "complete -o filenames -F _zwang zwang\n");
}

int zw_usage_error(bool json, const char *verb, const char *wrong) {
    fprintf(stderr, "zwang%s%s: %s\n", verb ? " " : "", verb ? verb : "", wrong);
    if (json) {
        zw_error e = {.code = ZW_E_ARG};
        snprintf(e.subject, sizeof e.subject, "command line");
        snprintf(e.message, sizeof e.message, "%s", wrong);
        zw_output_error_json("", &e);
    }
    return ZW_EXIT_USAGE;
}
