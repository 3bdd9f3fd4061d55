/* SPDX-License-Identifier: Apache-2.0
 * session.c: context, model and signals of one command. */
#define _DEFAULT_SOURCE
#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "output.h"
#include "verbs.h"

enum { STDIN_LIMIT = 64 << 20 };

static void keep_warning(void *user, zw_log_level level, const char *text) {
    zw_session *s = user;
    if (level == ZW_LOG_WARNING && s->nwarnings < ZW_SESSION_WARNINGS) {
        snprintf(s->warning[s->nwarnings++], sizeof s->warning[0], "%s", text);
    }
    if (level == ZW_LOG_INFO && s->nnotes < ZW_SESSION_WARNINGS) {
        snprintf(s->note[s->nnotes++], sizeof s->note[0], "%s", text);
    }
}

int zw_session_begin(zw_session *s, const zw_options *o) {
    memset(s, 0, sizeof *s);
    s->options = o;
    s->model_name = o->narguments > 0 ? (strcmp(o->argument[0], "-") == 0 ? "stdin" : o->argument[0]) : "";
    zw_context_def def = zw_context_def_default();
    def.threads = o->threads;
    def.log = keep_warning;
    def.log_user = s;
    zw_status status = zw_context_create(&def, &s->context);
    if (status != ZW_OK) {
        fprintf(stderr, "zwang: %s\n", zw_status_sentence(status));
        return zw_status_exit_code(status);
    }
    return ZW_EXIT_OK;
}

static zw_status read_stdin(zw_context *c, char **text, size_t *size) {
    size_t room = 1 << 16, n = 0;
    char  *s = zw_alloc(c, room, 1, "the model from standard input");
    while (s) {
        n += fread(s + n, 1, room - n, stdin);
        if (n < room) {
            break;
        }
        if (room >= STDIN_LIMIT) {
            zw_free(c, s);
            return zw_raise(c, ZW_E_LIMIT, "standard input", "give a model file", "the model is larger than %d MiB", STDIN_LIMIT >> 20);
        }
        char *larger = zw_resize(c, s, room *= 2, 1, "the model from standard input");
        if (!larger) {
            zw_free(c, s);
        }
        s = larger;
    }
    if (!s) {
        return ZW_E_MEMORY;
    }
    if (ferror(stdin)) {
        zw_free(c, s);
        return zw_raise(c, ZW_E_NO_INPUT, "standard input", "redirect a model into it", "reading failed: %s", strerror(errno));
    }
    *text = s;
    *size = n;
    return ZW_OK;
}

zw_status zw_session_load(zw_session *s, zw_model **out) {
    const zw_options *o = s->options;
    *out = NULL;
    if (strcmp(o->argument[0], "-") != 0) {
        return zw_model_load(s->context, o->argument[0], o->nsets, o->set, out);
    }
    char     *text = NULL;
    size_t    size = 0;
    zw_status status = read_stdin(s->context, &text, &size);
    if (status == ZW_OK) {
        status = zw_model_parse(s->context, "stdin", text, size, o->nsets, o->set, out);
        zw_free(s->context, text);
    }
    return status;
}

int zw_session_fail(zw_session *s, zw_status status) {
    if (zw_error_count(s->context) == 0) {
        zw_raise(s->context, status, s->model_name, NULL, "%s", zw_status_sentence(status));
    }
    zw_session_warnings(s, stderr);
    zw_output_errors(stderr, s->context);
    if (s->options->json) {
        zw_output_failure_json(s->model_name, s->context);
    }
    return zw_status_exit_code(status);
}

void zw_session_warnings(const zw_session *s, FILE *f) {
    bool colour = zw_output_has_colour(f);
    for (int i = 0; i < s->nnotes && !s->options->quiet && !s->options->json; i++) {
        fprintf(f, "%snote:%s %s\n", colour ? "\033[1;36m" : "", colour ? "\033[0m" : "", s->note[i]);
    }
    for (int i = 0; i < s->nwarnings; i++) {
        fprintf(f, "%swarning:%s %s\n", colour ? "\033[1;33m" : "", colour ? "\033[0m" : "", s->warning[i]);
    }
}

void zw_session_end(zw_session *s) {
    zw_context_destroy(s->context);
    s->context = NULL;
}

/* ---- signals: the program's business, never the library's */

static zw_context *volatile interrupted_context;
static volatile sig_atomic_t interrupts;

static void on_interrupt(int number) {
    (void)number;
    if (interrupts++ > 0) {
        _exit(ZW_EXIT_INTERRUPTED);
    }
    if (interrupted_context) {
        zw_context_cancel(interrupted_context);
    }
}

static void handle(void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void zw_interrupt_catch(zw_context *c) {
    interrupts = 0;
    interrupted_context = c;
    handle(on_interrupt);
}

void zw_interrupt_release(void) {
    handle(SIG_DFL);
    interrupted_context = NULL;
}
