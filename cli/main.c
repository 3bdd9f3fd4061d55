/* SPDX-License-Identifier: Apache-2.0
 * main.c: the program zwang: find the verb, read its options, perform it, and make sure that what was printed has arrived. */
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "verbs.h"

static bool wants_json(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            return true;
        }
    }
    return false;
}

static int perform(int argc, char **argv) {
    if (argc < 2) {
        zw_options_help(NULL, stderr);
        return ZW_EXIT_USAGE;
    }
    const char *word = argv[1];
    bool        json = wants_json(argc, argv);
    char        wrong[400];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("zwang %s\n", zw_version());
        return ZW_EXIT_OK;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        zw_options_help(NULL, stdout);
        return ZW_EXIT_OK;
    }
    const zw_verb *verb = zw_verb_find(word);
    if (!verb) {
        const char *near = zw_verb_nearest(word);
        if (near) {
            snprintf(wrong, sizeof wrong, "unknown verb '%.80s'; did you mean '%s'?", word, near);
        } else {
            snprintf(wrong, sizeof wrong, "unknown %s '%.80s'; see: zwang help", word[0] == '-' ? "option" : "verb", word);
        }
        return zw_usage_error(json, NULL, wrong);
    }
    if (!verb->perform) {
        for (int i = 2; i < argc; i++) {
            if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
                zw_options_help(verb, stdout);
                return ZW_EXIT_OK;
            }
        }
        snprintf(wrong, sizeof wrong, "%s", verb->sentence);
        return zw_usage_error(json, verb->name, wrong);
    }
    zw_options o;
    int        code;
    if (!zw_options_parse(verb, argc - 1, argv + 1, &o, wrong, sizeof wrong)) {
        code = zw_usage_error(json, verb->name, wrong);
    } else if (o.help) {
        zw_options_help(verb, stdout);
        code = ZW_EXIT_OK;
    } else if (o.version) {
        printf("zwang %s\n", zw_version());
        code = ZW_EXIT_OK;
    } else {
        code = verb->perform(&o);
    }
    zw_options_free(&o);
    return code;
}

int main(int argc, char **argv) {
    zw_output_prepare();
    int code = perform(argc, argv);
    return zw_output_finish(code);
}
