/* SPDX-License-Identifier: Apache-2.0
 * picture.c: pictures and films of the scene. The page that `zwang view` writes draws them itself (viewer/src/picture.js) in a headless Chromium and gives them back as base64: a PNG, a GIF that it
 * encodes itself, or the pictures of a film, some at a time, which ffmpeg joins to an MP4. */
#include "picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "browser.h"
#include "record/view.h"

enum { BATCH = 24, SIDE_LEAST = 64, WIDTH_MOST = 7680, HEIGHT_MOST = 4320 };

bool zw_picture_wanted(const zw_options *o) {
    return o->png || o->gif || o->mp4;
}

/* "1280x720" */
static bool read_size(const char *text, int64_t *width, int64_t *height) {
    char   number[16];
    size_t n = strcspn(text, "x");
    if (n == 0 || n >= sizeof number || text[n] != 'x') {
        return false;
    }
    memcpy(number, text, n);
    number[n] = 0;
    return zw_integer_parse(number, width) && zw_integer_parse(text + n + 1, height) && *width >= SIDE_LEAST && *width <= WIDTH_MOST &&
           *height >= SIDE_LEAST && *height <= HEIGHT_MOST;
}

bool zw_picture_check(const zw_options *o, char *wrong, size_t size) {
    int64_t     width, height;
    double      seconds;
    const char *alone = o->frame_size ? "size"
                        : o->time     ? "time"
                        : o->camera   ? "camera"
                        : o->colour   ? "colour"
                        : o->dark     ? "dark"
                        : o->fps      ? "fps"
                        : o->seconds  ? "seconds"
                                      : NULL;
    if (alone && !zw_picture_wanted(o)) {
        snprintf(wrong, size, "--%s is about pictures; give --png, --gif or --mp4 with it", alone);
        return false;
    }
    if (o->frame_size && !read_size(o->frame_size, &width, &height)) {
        snprintf(wrong, size, "--size: '%s' is not a size; give width and height such as 1280x720, from %dx%d to %dx%d", o->frame_size,
                 SIDE_LEAST, SIDE_LEAST, WIDTH_MOST, HEIGHT_MOST);
        return false;
    }
    if (o->seconds && (!zw_number_parse(o->seconds, &seconds) || !(seconds > 0.0) || seconds > 600.0)) {
        snprintf(wrong, size, "--seconds: '%s' is not a duration; give a number above 0, at most 600", o->seconds);
        return false;
    }
    return true;
}

static void wish(zw_text *t, const char *key, const char *value) {
    if (value) {
        zw_text_addf(t, "&%s=", key);
        zw_url_add(t, value, ".,-");
    }
}

/* what stands behind the # of the page's address */
static zw_status make_wish(const zw_options *o, const char *kind, zw_text *t) {
    int64_t width = strcmp(kind, "gif") == 0 ? 720 : 1280, height = strcmp(kind, "gif") == 0 ? 450 : 720;
    if (o->frame_size) {
        read_size(o->frame_size, &width, &height);
    }
    zw_text_addf(t, "picture=%s&width=%lld&height=%lld", kind, (long long)width, (long long)height);
    if (o->fps > 0) {
        zw_text_addf(t, "&fps=%d", o->fps);
    }
    wish(t, "seconds", o->seconds);
    wish(t, "t", o->time);
    wish(t, "view", o->camera);
    wish(t, "colour", o->colour);
    zw_text_addf(t, "&dark=%d", o->dark ? 1 : 0);
    return zw_text_status(t);
}

static int value_of(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* one line of base64 to bytes, in place; *next is behind the line */
static size_t decode(char *text, char **next) {
    unsigned char *out = (unsigned char *)text;
    size_t         n = 0;
    uint32_t       held = 0;
    int            bits = 0;
    while (*text && *text != '\n') {
        int v = value_of(*text++);
        if (v >= 0) {
            held = (held << 6 | (uint32_t)v) & 0xffffff;
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                out[n++] = (unsigned char)(held >> bits);
            }
        }
    }
    *next = *text ? text + 1 : text;
    return n;
}

static zw_status write_file(zw_context *c, const char *file, const char *bytes, size_t n) {
    FILE *f = fopen(file, "wb");
    bool  well = f && fwrite(bytes, 1, n, f) == n;
    int   error = errno;
    if (f && fclose(f) != 0) {
        well = false;
        error = errno;
    }
    return well ? ZW_OK
                : zw_raise(c, ZW_E_IO, file, "name a file in a directory that can be written", "writing failed: %s", strerror(error));
}

static zw_status take_one(zw_session *s, zw_browser *b, const char *page, const char *kind, const char *file) {
    zw_text asked, answer;
    zw_text_init(&asked, s->context);
    zw_text_init(&answer, s->context);
    zw_status status = make_wish(s->options, kind, &asked);
    status = status == ZW_OK ? zw_browser_ask(b, page, asked.s, &answer) : status;
    if (status == ZW_OK) {
        char  *next;
        size_t n = decode(answer.s, &next);
        status = write_file(s->context, file, answer.s, n);
    }
    zw_text_destroy(&asked);
    zw_text_destroy(&answer);
    return status;
}

/* pictures [from, from + BATCH) to ffmpeg; *count: how many there were */
static zw_status feed(zw_session *s, zw_browser *b, const char *page, int from, FILE *film, int *count) {
    zw_text asked, answer;
    zw_text_init(&asked, s->context);
    zw_text_init(&answer, s->context);
    zw_status status = make_wish(s->options, "film", &asked);
    zw_text_addf(&asked, "&from=%d&to=%d", from, from + BATCH);
    status = status == ZW_OK ? zw_text_status(&asked) : status;
    status = status == ZW_OK ? zw_browser_ask(b, page, asked.s, &answer) : status;
    *count = 0;
    for (char *at = answer.s; status == ZW_OK && at && *at;) {
        char  *next;
        size_t n = decode(at, &next);
        if (n > 0 && fwrite(at, 1, n, film) != n) {
            status = zw_raise(s->context, ZW_E_IO, "ffmpeg", "see that `ffmpeg -version` works", "it took no more pictures");
        }
        *count += n > 0;
        at = next;
    }
    zw_text_destroy(&asked);
    zw_text_destroy(&answer);
    return status;
}

static zw_status take_film(zw_session *s, zw_browser *b, const char *page, const char *file) {
    char program[1024], rate[16];
    int  pid = 0, count = BATCH;
    if (!zw_program_find("ffmpeg", program, sizeof program)) {
        return zw_raise(s->context, ZW_E_NO_INPUT, "ffmpeg",
                        "install it (Debian: apt install ffmpeg), or make an animated picture with --gif, which needs no other program",
                        "films are joined by ffmpeg, and it was not found");
    }
    snprintf(rate, sizeof rate, "%d", s->options->fps > 0 ? s->options->fps : 30);
    char *argv[] = {program,    "-v",      "error",     "-y",         "-f",   "image2pipe", "-framerate", rate,
                    "-c:v",     "png",     "-i",        "-",          "-c:v", "libx264",    "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                    "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",   "mp4",        (char *)file, NULL};
    FILE *film = zw_program_feed(s->context, argv, &pid);
    if (!film) {
        return ZW_E_IO;
    }
    zw_status status = ZW_OK;
    for (int from = 0; status == ZW_OK && count == BATCH; from += BATCH) {
        status = feed(s, b, page, from, film, &count);
    }
    bool whole = fclose(film) == 0;
    int  code = zw_program_wait(pid);
    if (status == ZW_OK && (!whole || code != 0)) {
        status = zw_raise(s->context, ZW_E_IO, file, "see its message above; the directory must be writable, and ffmpeg must have libx264",
                          "ffmpeg failed (exit code %d)", code);
    }
    return status;
}

zw_status zw_picture_take(zw_session *s, const char *viewer, size_t size) {
    const zw_options *o = s->options;
    zw_browser        b;
    zw_text           page;
    char             *written = NULL;
    ZW_TRY(zw_browser_begin(s->context, &b));
    zw_text_init(&page, s->context);
    zw_text_addf(&page, "%s/view.html", b.folder);
    zw_status status = zw_text_status(&page);
    if (status == ZW_OK) {
        zw_view_def def = {.page = viewer, .page_size = size, .file = page.s, .frames = o->frames};
        status = zw_view_write(s->context, o->argument[0], &def, &written);
        zw_string_free(s->context, written);
    }
    if (status == ZW_OK && o->png) {
        status = take_one(s, &b, page.s, "png", o->png);
    }
    if (status == ZW_OK && o->gif) {
        status = take_one(s, &b, page.s, "gif", o->gif);
    }
    if (status == ZW_OK && o->mp4) {
        status = take_film(s, &b, page.s, o->mp4);
    }
    zw_text_destroy(&page);
    zw_browser_end(&b);
    return status;
}
