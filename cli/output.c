/* SPDX-License-Identifier: Apache-2.0
 * output.c: the streams of the program. A stream that is closed at the start is replaced by one that cannot be used, so that no
 * results file can ever get the number of a stream and be printed into. */
#define _DEFAULT_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "verbs.h"

void zw_output_prepare(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            /* stdin write-only, stdout and stderr read-only: every use fails, as with a closed stream */
            int other = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
            if (other != fd && other >= 0) {
                close(other);
            }
        }
    }
    signal(SIGPIPE, SIG_IGN);
}

int zw_output_finish(int code) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    failed = ferror(stdout) || failed;
    if (failed) {
        fprintf(stderr, "zwang: standard output: writing failed%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
        return code == ZW_EXIT_OK ? ZW_EXIT_IO : code;
    }
    return code;
}

bool zw_output_is_terminal(FILE *f) {
    const char *term = getenv("TERM");
    return isatty(fileno(f)) && !(term && strcmp(term, "dumb") == 0);
}

bool zw_output_has_colour(FILE *f) {
    const char *none = getenv("NO_COLOR");
    return zw_output_is_terminal(f) && !(none && none[0]);
}

int zw_output_width(void) {
    const char *columns = getenv("COLUMNS");
    int64_t     n = 0;
    if (columns && zw_integer_parse(columns, &n) && n > 0 && n < 10000) {
        return (int)n;
    }
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return 80;
}
