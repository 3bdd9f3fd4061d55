/* SPDX-License-Identifier: Apache-2.0
 * modes_store.c: small motions into a directory: frame 0 is the state, then each mode over one period, so that everything which reads results sees the shapes move.
 *
 * time: 0, then number of the mode + part of its period, from 1 on. modes/number, modes/phase (rad), modes/frequency and modes/growth go with every frame. */
#include "analysis/modes.h"
#include "analysis/still.h"
#include "model/model.h"
#include "record/begin.h"
#include "record/file.h"
#include "record/pages.h"
#include "record/recover.h"
#include "zwang/results.h"

#include <string.h>

enum { PHASES = 24 };
#define TWO_PI 6.283185307179586

static zw_status write_frames(const zw_modes *s, zw_still *still, zw_journal_writer *journal) {
    zw_modes_summary sum;
    zw_state         x = {0};
    zw_status        status = ZW_OK;
    zw_modes_read(s, &sum);
    ZW_TRY(zw_state_create(s->context, &s->search.vary.k.n, &x));
    ZW_TRY_GOTO(zw_journal_epoch(journal, &still->run.layout), done);
    for (int frame = 0; frame <= sum.count * PHASES; frame++) {
        int     mode = frame == 0 ? -1 : (frame - 1) / PHASES, step = frame == 0 ? 0 : (frame - 1) % PHASES;
        double  phase = TWO_PI * step / PHASES, own[ZW_OWN_MOST] = {0};
        zw_mode of = {0};
        if (mode >= 0) {
            of = zw_modes_at(s, mode);
        }
        own[0] = mode + 1;
        own[1] = phase;
        own[2] = of.frequency;
        own[3] = of.growth;
        ZW_TRY_GOTO(zw_modes_state(s, mode, phase, &x), done);
        ZW_TRY_GOTO(zw_still_take(still, &x, s->search.lambda, mode < 0 ? 0.0 : mode + 1 + (double)step / PHASES, own, NULL), done);
        ZW_TRY_GOTO(zw_journal_frame(journal, still->run.frame, still->run.layout.width), done);
    }
done:
    zw_state_destroy(s->context, &x);
    return status;
}

static zw_status write_files(zw_directory *d, const zw_model *m, const zw_modes *s, const zw_simulate_def *def, const char *json) {
    static const char *const own[ZW_OWN_MOST] = {"modes/number", "modes/phase", "modes/frequency", "modes/growth"};
    zw_journal_writer       *journal = NULL;
    zw_still                 still;
    const char              *which;
    zw_status                status;
    ZW_TRY(zw_directory_lock(d));
    if (!def->force && zw_directory_has_results(d, &which)) {
        return zw_raise(d->context, ZW_E_EXISTS, d->path, "choose another directory with -o, or replace them with --force",
                        "holds results already (%s)", which);
    }
    ZW_TRY(zw_record_begin(d, m, def->force, &journal));
    status = zw_still_create_named(m, zw_modes_system(s), own, &still);
    if (status == ZW_OK) {
        status = write_frames(s, &still, journal);
        zw_still_destroy(&still);
    }
    status = status == ZW_OK ? zw_journal_end(journal, (int)ZW_REACHED, json) : status;
    status = status == ZW_OK ? zw_journal_sync(journal) : status;
    zw_journal_close(journal);
    ZW_TRY(status);
    ZW_TRY(zw_results_make(d));
    ZW_TRY(zw_file_replace(d->context, d->fd, d->path, ZW_FILE_SUMMARY, json, strlen(json)));
    ZW_TRY(zw_pages_write(d->context, def));
    return zw_directory_tidy(d);
}

zw_status zw_modes_store(zw_context *c, const zw_model *m, const zw_modes *s, const zw_simulate_def *given, const char *summary_json) {
    zw_simulate_def def = zw_simulate_def_default();
    zw_directory    dir = {.context = c, .fd = -1, .lock = -1};
    if (!given || given->size < sizeof given->size || given->size > sizeof def) {
        return zw_raise(c, ZW_E_ARG, "zw_modes_store", "begin with zw_simulate_def_default()", "the def has no valid size");
    }
    memcpy(&def, given, given->size);
    zw_status status = zw_directory_create(c, def.directory, &dir);
    status = status == ZW_OK ? write_files(&dir, m, s, &def, summary_json) : status;
    zw_directory_close(&dir);
    return status;
}
