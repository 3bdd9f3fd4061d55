/* SPDX-License-Identifier: Apache-2.0
 * view.c: zwang view. The viewer is carried inside the program where Node.js was there when it was built; otherwise a page that scripts/build-viewer made is named by --page. */
#include <fcntl.h>
#include <string.h>

#include "live.h"
#include "output.h"
#include "picture.h"
#include "record/directory.h"
#include "record/file.h"
#include "record/view.h"
#include "session.h"
#include "verbs.h"
#include "view_page.h"

enum { PAGE_MOST = 16 << 20 };

#ifndef ZW_HAVE_VIEWER /* set by the build when it wrote the table */
const unsigned char *const zw_view_page = NULL;
const size_t               zw_view_page_size = 0;
#endif

void zw_view_ask(zw_simulate_def *def) {
    def->view_page = (const char *)zw_view_page;
    def->view_page_size = zw_view_page_size;
}

void zw_view_tell(const char *directory) {
    if (zw_view_page) {
        printf("  view     %s/view.html\n", directory);
    } else {
        printf("  view     not written: this program was built without its viewer; `zwang view %s` says what to do\n", directory);
    }
}

/* the page named by --page, for zw_free */
static zw_status read_page(zw_session *s, char **page, size_t *size) {
    const char  *file = s->options->page;
    zw_directory here;
    ZW_TRY(zw_directory_open(s->context, file[0] == '/' ? "/" : ".", &here));
    zw_status status = zw_file_read(s->context, here.fd, here.path, file[0] == '/' ? file + 1 : file, PAGE_MOST, page, size);
    zw_directory_close(&here);
    return status;
}

/* *written (zw_string_free): where the page is; pictures and a served page have told it themselves */
static zw_status write_view(zw_session *s, char **written) {
    const zw_options *o = s->options;
    zw_view_def       def = {.file = o->output, .frames = o->frames, .page = (const char *)zw_view_page, .page_size = zw_view_page_size};
    char             *page = NULL;
    if (o->page) {
        ZW_TRY(read_page(s, &page, &def.page_size));
        def.page = page;
    }
    if (!def.page) {
        return zw_raise(
            s->context, ZW_E_ARG, "zwang view",
            "install Node.js 18 or newer and npm, run scripts/build-viewer in the source tree, and build again or give its page with --page; "
            "DIR/report.html has plots and pictures meanwhile",
            "this program was built without its viewer");
    }
    zw_status status = o->live                ? zw_live_serve(s, &def)
                       : zw_picture_wanted(o) ? zw_picture_take(s, def.page, def.page_size)
                                              : zw_view_write(s->context, o->argument[0], &def, written);
    zw_free(s->context, page);
    return status;
}

int zw_verb_view(const zw_options *o) {
    char wrong[240];
    if (!zw_picture_check(o, wrong, sizeof wrong)) {
        return zw_usage_error(false, "view", wrong);
    }
    if (o->port && !o->live) {
        return zw_usage_error(false, "view", "--port is about a page that is served; give --live with it");
    }
    if (o->live && (zw_picture_wanted(o) || o->output)) {
        return zw_usage_error(false, "view", "--live serves the page and writes nothing; leave out -o, --png, --gif and --mp4");
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    char *written = NULL;
    zw_interrupt_catch(s.context);
    zw_status status = write_view(&s, &written);
    zw_interrupt_release();
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        const char *file[] = {written, o->png, o->gif, o->mp4};
        for (int i = 0; i < 4; i++) {
            if (file[i]) {
                printf("%s\n", file[i]);
            }
        }
    }
    zw_string_free(s.context, written);
    zw_session_end(&s);
    return code;
}
