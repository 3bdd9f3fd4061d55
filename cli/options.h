/* SPDX-License-Identifier: Apache-2.0
 * options.h: the options of all verbs. One table (options.c) drives parsing, help and shell completion. */
#ifndef ZWANG_CLI_OPTIONS_H
#define ZWANG_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct zw_verb zw_verb;

typedef struct zw_options {
    const zw_verb *verb;
    const char   **argument; /* what is not an option */
    int            narguments;
    const char    *output; /* -o */
    const char   **set;    /* --set, in order */
    int            nsets;
    const char    *as;                         /* --as */
    const char    *form;                       /* --form */
    const char    *body;                       /* --body */
    const char    *dependent;                  /* --dependent */
    const char    *completion;                 /* --completion */
    const char    *page;                       /* --page */
    const char    *png, *gif, *mp4;            /* files of --png, --gif, --mp4 */
    const char    *frame_size, *time, *camera; /* --size, --time, --camera */
    const char    *colour, *seconds;           /* --colour, --seconds */
    int            fps, port;                  /* --fps, --port; 0: not given */
    int            threads;                    /* 0: not given */
    int            deflate;                    /* --deflate; 0: not given */
    int            states;                     /* --states; 0: not given */
    int            frames;                     /* --frames; 0: not given */
    int64_t        seed;                       /* --seed */
    bool           seeded;                     /* it was given */
    bool           json, resume, force, no_report, quiet, list, help, version, fragment, dark, live;
} zw_options;

/* argv[0] is the verb. False when something is wrong: then `wrong` says what, and what to do about it */
bool zw_options_parse(const zw_verb *verb, int argc, char **argv, zw_options *o, char *wrong, size_t size);
void zw_options_free(zw_options *o);
void zw_options_help(const zw_verb *verb, FILE *out); /* usage, options and details of a verb; of the program when NULL */
void zw_options_completion_bash(FILE *out);           /* a script for bash */

/* says on stderr what is wrong with the command line (and on stdout, with json) and gives the exit code for that */
int zw_usage_error(bool json, const char *verb, const char *wrong);

#endif
