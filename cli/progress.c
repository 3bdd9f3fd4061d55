/* SPDX-License-Identifier: Apache-2.0
 * progress.c: a bar with the time left, redrawn in place on a terminal; one line per tenth on a terminal that cannot (TERM=dumb);
 * nothing when stderr is a file or a pipe. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "output.h"

void zw_progress_line_begin(zw_progress_line *p, bool wanted) {
    memset(p, 0, sizeof *p);
    p->bar = wanted && zw_output_is_terminal(stderr);
    p->lines = wanted && !p->bar && isatty(STDERR_FILENO);
    p->colour = p->bar && zw_output_has_colour(stderr);
}

static void duration_text(double s, char *out, size_t size) {
    if (s < 0) {
        snprintf(out, size, "--");
    } else if (s < 60) {
        snprintf(out, size, "%.0f s", s);
    } else if (s < 3600) {
        snprintf(out, size, "%d:%02d min", (int)(s / 60), (int)s % 60);
    } else if (s < 360000) {
        snprintf(out, size, "%d:%02d h", (int)(s / 3600), (int)(s / 60) % 60);
    } else {
        snprintf(out, size, "%.0f days", s / 86400);
    }
}

void zw_progress_line_draw(void *line, const zw_progress *at) {
    zw_progress_line *p = line;
    if (!p->bar && !p->lines) {
        return;
    }
    double done = at->until > 0 ? at->t / at->until : at->steps > 0 ? (double)at->step / (double)at->steps : 0;
    done = done < 0 ? 0 : done > 1 ? 1 : done;
    char left[32], t[ZW_NUMBER_TEXT], until[ZW_NUMBER_TEXT], tail[160];
    duration_text(at->eta_s, left, sizeof left);
    snprintf(tail, sizeof tail, "%3.0f %%  t = %s of %s s  %s left", 100 * done, zw_number_short(at->t, 4, t),
             zw_number_short(at->until, 4, until), left);
    if (p->lines) {
        int tenths = (int)(10 * done);
        if (tenths > p->tenths) {
            p->tenths = tenths;
            fprintf(stderr, "%s\n", tail);
        }
        return;
    }
    int room = zw_output_width() - (int)strlen(tail) - 4; /* brackets, a blank and the last column */
    int width = room > 40 ? 40 : room;
    fputs("\r", stderr);
    if (width >= 5) {
        int full = (int)(done * width);
        fputs(p->colour ? "[\033[36m" : "[", stderr);
        for (int i = 0; i < width; i++) {
            fputc(i < full ? '#' : i == full ? '>' : '.', stderr);
        }
        fputs(p->colour ? "\033[0m] " : "] ", stderr);
        fputs(tail, stderr);
    } else {
        fprintf(stderr, "%3.0f %%", 100 * done);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
    p->drawn = true;
}

void zw_progress_line_end(zw_progress_line *p) {
    if (p->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        p->drawn = false;
    }
}
