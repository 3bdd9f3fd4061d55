/* SPDX-License-Identifier: Apache-2.0
 * resume.c: decides how to go on in a results directory.
 *
 * A checkpoint counts only if the journal is sound up to the offset it names and holds as many frames there as it says; otherwise the
 * older one is tried. Going on from it repeats the steps behind it, bit for bit. */
#include "record/resume.h"

#include "record/journal.h"
#include "record/layout.h"
#include "record/recover.h"

#include <string.h>

static zw_status check_identity(zw_directory *d, const char *file, uint64_t hash, uint64_t found, const char *version) {
    if (found != hash) {
        return zw_raise(
            d->context, ZW_E_MISMATCH, d->path, "resume with the model it was started with (DIR/model.yaml), or start anew with --force",
            "%s belongs to another model (hash %016llx, not %016llx)", file, (unsigned long long)found, (unsigned long long)hash);
    }
    if (strcmp(version, zw_version()) != 0) {
        return zw_raise(d->context, ZW_E_MISMATCH, d->path, "resume with that version, or start anew with --force",
                        "%s was written by zwang %s; this is zwang %s", file, version, zw_version());
    }
    return ZW_OK;
}

static zw_status take_finished(zw_directory *d, const zw_hdf5 *h, uint64_t hash, zw_resume *out) {
    ZW_TRY(check_identity(d, ZW_FILE_RESULTS, hash, h->hash, h->version));
    out->kind = ZW_RESUME_FINISHED;
    out->outcome = h->outcome;
    out->summary = zw_strdup(d->context, h->summary);
    return out->summary ? ZW_OK : ZW_E_MEMORY;
}

/* does the journal agree with the checkpoint? */
static zw_status use_checkpoint(zw_directory *d, const zw_checkpoint *k, uint64_t hash, zw_run *run, zw_resume *out, bool *used) {
    *used = false;
    ZW_TRY(check_identity(d, "the checkpoint", hash, k->hash, k->version));
    zw_journal *j;
    ZW_TRY(zw_journal_open(d->context, d->fd, d->path, k->journal_offset, &j));
    zw_status status = ZW_OK;
    if (j->valid != k->journal_offset || j->frames != k->frames) {
        zw_log(d->context, ZW_LOG_WARNING, "%s: the checkpoint with %lld frames does not fit the journal, which has %lld there", d->path,
               (long long)k->frames, (long long)j->frames);
    } else {
        status = zw_run_restore(run, k->bytes, k->size);
        *used = status == ZW_OK;
    }
    if (*used) {
        out->kind = ZW_RESUME_ON;
        out->offset = k->journal_offset;
        out->wall_s = k->wall_s;
        const char *names[2] = {j->sides, j->joint_names};
        for (int i = 0; i < 2; i++) {
            out->names[i] = names[i] ? zw_strdup(d->context, names[i]) : NULL;
            status = names[i] && !out->names[i] ? ZW_E_MEMORY : status;
        }
        if (status == ZW_OK && j->nepochs > 0) {
            out->layout = zw_layout_copy(d->context, j->epoch[j->nepochs - 1].layout);
            status = out->layout ? ZW_OK : ZW_E_MEMORY;
        }
    }
    zw_journal_destroy(j);
    return status;
}

static zw_status try_checkpoints(zw_directory *d, uint64_t hash, zw_run *run, zw_resume *out) {
    zw_checkpoint k[2];
    int           n;
    bool          used = false, present = zw_directory_has(d, ZW_FILE_CHECKPOINT_A) || zw_directory_has(d, ZW_FILE_CHECKPOINT_B);
    ZW_TRY(zw_checkpoint_load(d, k, &n));
    zw_status status = ZW_OK;
    for (int i = 0; i < n; i++) {
        out->sequence = k[i].sequence > out->sequence ? k[i].sequence : out->sequence;
        if (status == ZW_OK && !used) {
            status = use_checkpoint(d, &k[i], hash, run, out, &used);
        }
        zw_free(d->context, k[i].bytes);
    }
    if (status == ZW_OK && !used) {
        zw_log(d->context, present ? ZW_LOG_WARNING : ZW_LOG_INFO, "%s: %s; the run starts anew", d->path,
               present ? "neither checkpoint can be used" : "there is no checkpoint yet");
    }
    return status;
}

zw_status zw_resume_prepare(zw_directory *d, uint64_t hash, zw_run *run, zw_resume *out) {
    *out = (zw_resume){.kind = ZW_RESUME_ANEW};
    zw_hdf5 *h;
    ZW_TRY(zw_results_current(d, &h));
    if (h && h->complete) {
        zw_status status = take_finished(d, h, hash, out);
        zw_hdf5_close(h);
        return status;
    }
    zw_hdf5_close(h);
    if (!zw_directory_has(d, ZW_FILE_JOURNAL)) {
        if (zw_directory_has_results(d, NULL)) {
            return zw_raise(d->context, ZW_E_FORMAT, d->path, "start anew with --force", "has no journal to go on with");
        }
        zw_log(d->context, ZW_LOG_INFO, "%s: there is nothing to resume; the run starts anew", d->path);
        return ZW_OK;
    }
    zw_journal *j;
    ZW_TRY(zw_journal_open(d->context, d->fd, d->path, UINT64_MAX, &j));
    zw_status status = check_identity(d, ZW_FILE_JOURNAL, hash, j->hash, j->version);
    if (status == ZW_OK && j->ended) {
        out->kind = ZW_RESUME_ENDED;
        out->outcome = j->outcome;
        out->summary = zw_strdup(d->context, j->summary);
        status = out->summary ? ZW_OK : ZW_E_MEMORY;
    }
    zw_journal_destroy(j);
    if (status == ZW_OK && out->kind != ZW_RESUME_ENDED) {
        status = try_checkpoints(d, hash, run, out);
    }
    return status;
}
