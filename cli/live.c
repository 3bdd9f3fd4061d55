/* SPDX-License-Identifier: Apache-2.0
 * live.c: zwang view --live: the page on http://127.0.0.1:PORT/ for a run that is going on. Two addresses: "/" is the page with what is recorded now, "/stamp" a line that changes when the results do;
 * the page asks for the stamp every second, and for itself when it has changed (viewer/src/live.js).
 *
 * Only this computer can reach it: it listens on the loopback interface, and a request that names another host is refused, so that no page of the network can read along. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "live.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "output.h"
#include "record/directory.h"

enum { REQUEST_MOST = 8192, PATIENCE_S = 5 };

static const char waiting[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\"><title>zwang: waiting</title></head>"
    "<body style=\"font:16px system-ui,sans-serif;padding:3rem\"><p>There are no results yet. This page looks again every second.</p></body></html>\n";

/* ---- what is served */

static void stamp_file(const zw_session *s, const char *name, zw_text *t) {
    struct stat info;
    zw_text     path;
    zw_text_init(&path, s->context);
    zw_text_addf(&path, "%s/%s", s->options->argument[0], name);
    if (zw_text_status(&path) == ZW_OK && stat(path.s, &info) == 0) {
        zw_text_addf(t, "%s %lld %lld.%09ld;", name, (long long)info.st_size, (long long)info.st_mtim.tv_sec, (long)info.st_mtim.tv_nsec);
    }
    zw_text_destroy(&path);
}

/* changes when the results do; ends with "over" when the run has left its journal behind */
static void put_stamp(const zw_session *s, zw_text *t) {
    struct stat info;
    zw_text     path;
    stamp_file(s, ZW_FILE_JOURNAL, t);
    stamp_file(s, ZW_FILE_RESULTS, t);
    stamp_file(s, ZW_FILE_SUMMARY, t);
    zw_text_init(&path, s->context);
    zw_text_addf(&path, "%s/%s", s->options->argument[0], ZW_FILE_JOURNAL);
    zw_text_add(t, zw_text_status(&path) == ZW_OK && stat(path.s, &info) != 0 && t->n > 0 ? " over\n" : " going on\n");
    zw_text_destroy(&path);
}

static void replace_once(zw_text *t, const char *whole, const char *what, const char *by) {
    const char *at = strstr(whole, what);
    zw_text_add_n(t, whole, at ? (size_t)(at - whole) : strlen(whole));
    if (at) {
        zw_text_add(t, by);
        zw_text_add(t, at + strlen(what));
    }
}

/* the page as it is served: it knows that it is, and may ask its own server */
static zw_status put_page(zw_session *s, const zw_view_def *def, zw_text *t) {
    zw_text plain, marked;
    zw_text_init(&plain, s->context);
    zw_text_init(&marked, s->context);
    zw_status status = zw_view_text(s->context, s->options->argument[0], def, &plain);
    if (status == ZW_OK) {
        replace_once(&marked, plain.s, "<html ", "<html data-live=\"yes\" ");
        status = zw_text_status(&marked);
    }
    if (status == ZW_OK) {
        replace_once(t, marked.s, "img-src data: blob:", "img-src data: blob:; connect-src 'self'");
        status = zw_text_status(t);
    }
    zw_text_destroy(&plain);
    zw_text_destroy(&marked);
    return status;
}

/* ---- the server */

static bool send_all(int fd, const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        n -= (size_t)sent;
    }
    return true;
}

static void answer(int fd, const char *status, const char *type, const char *body, size_t n) {
    char head[320];
    int  length = snprintf(
         head, sizeof head,
         "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %llu\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
          "Connection: close\r\n\r\n",
         status, type, (unsigned long long)n);
    if (send_all(fd, head, (size_t)length)) {
        send_all(fd, body, n);
    }
}

static void refuse(int fd, const char *status) {
    answer(fd, status, "text/plain", status, strlen(status));
}

/* up to the empty line; false: too long, too slow or gone */
static bool read_request(int fd, char *out, size_t size) {
    size_t n = 0;
    while (n + 1 < size) {
        ssize_t got = recv(fd, out + n, size - n - 1, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        n += (size_t)got;
        out[n] = 0;
        if (strstr(out, "\r\n\r\n")) {
            return true;
        }
    }
    return false;
}

/* is it asked for under a name of this computer? Otherwise a page from elsewhere has its own name resolve to 127.0.0.1 */
static bool is_local(const char *request) {
    for (const char *line = strstr(request, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, "host:", 5) == 0) {
            const char *host = line + 7;
            host += strspn(host, " \t");
            size_t n = strcspn(host, ":\r\n");
            return (n == 9 && strncmp(host, "127.0.0.1", 9) == 0) || (n == 9 && strncasecmp(host, "localhost", 9) == 0);
        }
    }
    return false;
}

static void serve_one(zw_session *s, const zw_view_def *def, int fd) {
    char           request[REQUEST_MOST];
    struct timeval patience = {.tv_sec = PATIENCE_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!read_request(fd, request, sizeof request)) {
        return;
    }
    if (strncmp(request, "GET ", 4) != 0) {
        refuse(fd, "405 Method Not Allowed");
    } else if (!is_local(request)) {
        refuse(fd, "403 Forbidden");
    } else if (strncmp(request + 4, "/stamp ", 7) == 0) {
        zw_text t;
        zw_text_init(&t, s->context);
        put_stamp(s, &t);
        answer(fd, "200 OK", "text/plain", t.s ? t.s : "", t.n);
        zw_text_destroy(&t);
    } else if (strncmp(request + 4, "/ ", 2) == 0) {
        zw_text t;
        zw_text_init(&t, s->context);
        if (put_page(s, def, &t) == ZW_OK) {
            answer(fd, "200 OK", "text/html", t.s, t.n);
        } else {
            zw_error_clear(s->context);
            answer(fd, "503 Service Unavailable", "text/html", waiting, sizeof waiting - 1);
        }
        zw_text_destroy(&t);
    } else {
        refuse(fd, "404 Not Found");
    }
}

static zw_status listen_here(zw_context *c, int port, int *out, int *got) {
    struct sockaddr_in at;
    socklen_t          size = sizeof at;
    int                yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    memset(&at, 0, sizeof at);
    at.sin_family = AF_INET;
    at.sin_port = htons((uint16_t)port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(fd, 16) != 0 || getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        int error = errno;
        if (fd >= 0) {
            close(fd);
        }
        return zw_raise(c, ZW_E_IO, "zwang view --live", "choose another one with --port, or leave it out",
                        "port %d of 127.0.0.1 cannot be had: %s", port, strerror(error));
    }
    *out = fd;
    *got = ntohs(at.sin_port);
    return ZW_OK;
}

zw_status zw_live_serve(zw_session *s, const zw_view_def *def) {
    int door = -1, port = 0;
    ZW_TRY(listen_here(s->context, s->options->port, &door, &port));
    printf("http://127.0.0.1:%d/\n", port);
    fflush(stdout);
    fprintf(stderr, "zwang: serving %s to this computer; Ctrl-C ends it\n", s->options->argument[0]);
    while (!zw_context_cancelled(s->context)) {
        struct pollfd p = {.fd = door, .events = POLLIN};
        if (poll(&p, 1, 300) > 0) {
            int fd = accept(door, NULL, NULL);
            if (fd >= 0) {
                serve_one(s, def, fd);
                close(fd);
            }
        }
    }
    close(door);
    return ZW_OK;
}
