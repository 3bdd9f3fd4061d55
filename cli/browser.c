/* SPDX-License-Identifier: Apache-2.0
 * browser.c: starts a headless Chromium on a page and reads what it prints; finds programs along PATH.
 *
 * The browser gets a profile of its own below TMPDIR, talks to nobody, and draws in software, so that it works without a display and without a graphics card. It runs in a process
 * group of its own: an interrupt or a browser that never ends takes all of its processes with it. As root it cannot have its sandbox; elsewhere it is tried with it first. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_MOST_S = 900, ANSWER_MOST = 1 << 30 };

bool zw_program_find(const char *name, char *out, size_t size) {
    const char *path = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(out, size, "%s", name);
        return access(out, X_OK) == 0;
    }
    for (path = path ? path : "/usr/local/bin:/usr/bin:/bin"; *path;) {
        size_t n = strcspn(path, ":");
        int    wrote = snprintf(out, size, "%.*s/%s", (int)n, path, name);
        if (n > 0 && wrote > 0 && (size_t)wrote < size && access(out, X_OK) == 0) {
            return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

void zw_url_add(zw_text *t, const char *word, const char *keep) {
    for (const unsigned char *p = (const unsigned char *)word; *p; p++) {
        bool plain = (*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z') || strchr(keep, *p);
        zw_text_addf(t, plain ? "%c" : "%%%02X", *p);
    }
}

zw_status zw_browser_begin(zw_context *c, zw_browser *b) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
                                        "chrome",   "microsoft-edge"};
    const char              *named = getenv("CHROMIUM"), *room = getenv("TMPDIR");
    memset(b, 0, sizeof *b);
    b->context = c;
    bool found = named && named[0] && zw_program_find(named, b->program, sizeof b->program);
    for (size_t i = 0; !found && !(named && named[0]) && i < sizeof names / sizeof *names; i++) {
        found = zw_program_find(names[i], b->program, sizeof b->program);
    }
    if (!found) {
        return zw_raise(
            c, ZW_E_NO_INPUT, named && named[0] ? named : "Chromium",
            "install it (Debian: apt install chromium), or name such a browser with CHROMIUM=/path; DIR/view.html opens in any browser meanwhile",
            "pictures are drawn by a headless Chromium, and none was found");
    }
    snprintf(b->folder, sizeof b->folder, "%s/zwang-view-XXXXXX", room && room[0] ? room : "/tmp");
    if (!mkdtemp(b->folder)) {
        int error = errno;
        b->folder[0] = 0;
        return zw_raise(c, ZW_E_IO, room && room[0] ? room : "/tmp",
                        "name a writable directory with TMPDIR=", "no directory could be made there: %s", strerror(error));
    }
    return ZW_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info;
    (void)kind;
    (void)at;
    remove(path);
    return 0;
}

void zw_browser_end(zw_browser *b) {
    if (b->folder[0]) {
        nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        b->folder[0] = 0;
    }
}

/* everything the program prints, until it ends, the context is cancelled, or it takes too long */
static zw_status read_all(zw_context *c, int fd, zw_text *out) {
    static char block[1 << 16];
    int         waited = 0;
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int           ready = poll(&p, 1, 200);
        if (zw_context_cancelled(c)) {
            return ZW_E_CANCELLED;
        }
        if (ready == 0 && ++waited > 5 * WAIT_MOST_S) {
            return zw_raise(c, ZW_E_LIMIT, "Chromium", "ask for fewer or smaller pictures", "it did not end within %d s", WAIT_MOST_S);
        }
        if (ready <= 0) {
            continue;
        }
        ssize_t n = read(fd, block, sizeof block);
        if (n < 0 && errno != EINTR) {
            return zw_raise(c, ZW_E_IO, "Chromium", "try again", "reading what it printed failed: %s", strerror(errno));
        }
        if (n == 0) {
            return zw_text_status(out);
        }
        zw_text_add_n(out, block, n > 0 ? (size_t)n : 0);
        if (out->n > ANSWER_MOST) {
            return zw_raise(c, ZW_E_LIMIT, "Chromium", "ask for fewer or smaller pictures", "its answer is larger than 1 GB");
        }
    }
}

static zw_status run(zw_context *c, char *const *argv, zw_text *out) {
    int ends[2];
    if (pipe(ends) != 0) {
        return zw_raise(c, ZW_E_IO, argv[0], "close other programs and try again", "no pipe could be made: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDWR);
        setpgid(0, 0);
        dup2(nothing, 0);
        dup2(ends[1], 1);
        dup2(nothing, 2);
        close(ends[0]);
        close(ends[1]);
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return zw_raise(c, ZW_E_IO, argv[0], "close other programs and try again", "it could not be started: %s", strerror(errno));
    }
    setpgid(pid, pid);
    zw_status status = read_all(c, ends[0], out);
    close(ends[0]);
    if (status != ZW_OK) {
        kill(-pid, SIGKILL);
    }
    zw_program_wait(pid);
    return status;
}

/* the text of the element with that id; NULL: there is none */
static char *element(zw_text *page, const char *id, size_t *n) {
    char mark[64];
    snprintf(mark, sizeof mark, "<pre id=\"%s\">", id);
    char *at = page->s ? strstr(page->s, mark) : NULL;
    if (at) {
        at += strlen(mark);
        *n = strcspn(at, "<");
    }
    return at;
}

zw_status zw_browser_ask(zw_browser *b, const char *file, const char *wish, zw_text *out) {
    zw_text   address, profile, answer;
    zw_status status = ZW_OK;
    zw_text_init(&address, b->context);
    zw_text_init(&profile, b->context);
    zw_text_add(&address, "file://");
    zw_url_add(&address, file, "/._-");
    zw_text_addf(&address, "#%s", wish);
    zw_text_addf(&profile, "--user-data-dir=%s/profile", b->folder);
    ZW_TRY_GOTO(zw_text_status(&address), done);
    ZW_TRY_GOTO(zw_text_status(&profile), done);
    for (int open = geteuid() == 0 ? 1 : 0; open < 2; open++) {
        char  *argv[] = {b->program,
                         profile.s,
                         "--headless",
                         "--disable-gpu",
                         "--use-angle=swiftshader",
                         "--enable-unsafe-swiftshader",
                         "--ignore-gpu-blocklist",
                         "--no-first-run",
                         "--disable-quic",
                         "--disable-background-networking",
                         "--disable-component-update",
                         "--disable-sync",
                         "--disable-extensions",
                         "--hide-scrollbars",
                         "--dump-dom",
                         address.s,
                        open ? "--no-sandbox" : NULL,
                         NULL};
        size_t n = 0;
        char  *said;
        zw_text_init(&answer, b->context);
        status = run(b->context, argv, &answer);
        if (status == ZW_OK && (said = element(&answer, "zwang-error", &n)) != NULL) {
            status = zw_raise(b->context, ZW_E_ARG, "zwang view", NULL, "%.*s", (int)(n < 600 ? n : 600), said);
        } else if (status == ZW_OK && (said = element(&answer, "zwang-picture", &n)) != NULL) {
            zw_text_add_n(out, said, n);
            status = zw_text_status(out);
            zw_text_destroy(&answer);
            break;
        } else if (status == ZW_OK && open) {
            status =
                zw_raise(b->context, ZW_E_IO, b->program, "see that it runs with --headless; another one can be named with CHROMIUM=/path",
                         "it ended without a picture");
        }
        zw_text_destroy(&answer);
        if (status != ZW_OK) {
            break;
        }
    }
done:
    zw_text_destroy(&address);
    zw_text_destroy(&profile);
    return status;
}

FILE *zw_program_feed(zw_context *c, char *const *argv, int *pid) {
    int ends[2];
    if (pipe(ends) != 0) {
        zw_raise(c, ZW_E_IO, argv[0], "close other programs and try again", "no pipe could be made: %s", strerror(errno));
        return NULL;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    *pid = fork();
    if (*pid == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(ends[0], 0);
        dup2(nothing, 1);
        close(ends[0]);
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[0]);
    if (*pid < 0) {
        close(ends[1]);
        zw_raise(c, ZW_E_IO, argv[0], "close other programs and try again", "it could not be started: %s", strerror(errno));
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN); /* a program that ends early is seen by its exit code */
    return fdopen(ends[1], "wb");
}

int zw_program_wait(int pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
