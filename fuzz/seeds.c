/* SPDX-License-Identifier: Apache-2.0
 * seeds.c: writes a journal and a checkpoint of a small run into DIRECTORY, and a journal and a results.h5 of very few numbers into
 * DIRECTORY/few, and of a rod whose link is split twice into DIRECTORY/split: first inputs for the targets that read those formats. To be
 * run again when a format changes; not a target itself. */
#define _POSIX_C_SOURCE 200809L
#include "small_model.h"

#include "record/checkpoint.h"
#include "record/hdf5_file.h"
#include "record/journal.h"
#include "zwang/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tape {
    zw_journal_writer *journal;
    size_t             width;
} tape;

static zw_status take_epoch(void *self, const zw_layout *layout) {
    tape *t = self;
    t->width = layout->width;
    return zw_journal_epoch(t->journal, layout);
}

static zw_status take_frame(void *self, const double *frame) {
    tape *t = self;
    return zw_journal_frame(t->journal, frame, t->width);
}

static zw_status write_all(zw_context *c, zw_directory *d) {
    zw_model *m;
    zw_run   *r;
    ZW_TRY(zw_model_parse(c, "small.yaml", small_model, strlen(small_model), 0, NULL, &m));
    ZW_TRY(zw_run_create(m, &r));
    zw_run_label label = {.hash = zw_model_hash(m), .seed = 1, .title = zw_model_title(m), .text = zw_model_text(m)};
    tape         t = {0};
    zw_recorder  recorder = {.self = &t, .epoch = take_epoch, .frame = take_frame};
    ZW_TRY(zw_journal_create(c, d->fd, d->path, &label, &t.journal));
    zw_run_set_recorder(r, &recorder);
    ZW_TRY(zw_run_advance(r, 20));
    zw_checkpoint k = {.sequence = 1, .hash = label.hash, .frames = zw_run_frames(r), .size = zw_run_save_size(r)};
    ZW_TRY(zw_journal_sync(t.journal));
    k.journal_offset = zw_journal_offset(t.journal);
    k.bytes = zw_alloc(c, k.size, 1, "a checkpoint");
    if (!k.bytes) {
        return ZW_E_MEMORY;
    }
    zw_run_save(r, k.bytes);
    ZW_TRY(zw_checkpoint_write(d, &k));
    zw_free(c, k.bytes);
    ZW_TRY(zw_journal_end(t.journal, ZW_REACHED, "{\"outcome\": \"reached\"}\n"));
    zw_journal_close(t.journal);
    zw_run_destroy(r);
    zw_model_destroy(m);
    return ZW_OK;
}

/* small files keep the mutations where the structure is: each group of HDF5 costs about a kilobyte */
static zw_status write_few(zw_context *c, zw_directory *d) {
    zw_run_label       label = {.hash = 0x1234, .seed = 42, .title = "few", .text = "zwang: 1\n"};
    zw_channel         channel[2] = {{.name = "time", .unit = "s", .count = 1},
                                     {.name = "rod/a/strain", .unit = "1", .rank = 2, .shape = {1, 3}, .count = 3, .offset = 1}};
    zw_channel         constant = {.name = "label", .unit = "m", .rank = 1, .shape = {2}, .count = 2};
    double             values[2] = {0.0, 1.0}, frame[4] = {0.0, 1.0, 2.0, 3.0};
    zw_layout          layout = {2, 1, channel, &constant, 4, 2, values};
    zw_journal_writer *w;
    zw_journal        *j;
    ZW_TRY(zw_journal_create(c, d->fd, d->path, &label, &w));
    for (int epoch = 0; epoch < 2; epoch++) {
        ZW_TRY(zw_journal_epoch(w, &layout));
        for (int i = 0; i < 3; i++) {
            frame[0] += 0.5;
            ZW_TRY(zw_journal_frame(w, frame, 4));
        }
    }
    ZW_TRY(zw_journal_end(w, ZW_REACHED, "{}"));
    zw_journal_close(w);
    ZW_TRY(zw_journal_open(c, d->fd, d->path, UINT64_MAX, &j));
    ZW_TRY(zw_hdf5_write(d, j));
    zw_journal_destroy(j);
    return ZW_OK;
}

/* three epochs of 1, 2 and 4 links; the second has no frame */
static zw_status write_split(zw_context *c, zw_directory *d) {
    zw_run_label       label = {.hash = 0x1234, .seed = 42, .title = "split", .text = "zwang: 1\n"};
    double             values[5] = {0.0, 0.25, 0.5, 0.75, 1.0}, frame[16] = {0.0, 1.0, 2.0, 3.0};
    zw_journal_writer *w;
    zw_journal        *j;
    ZW_TRY(zw_journal_create(c, d->fd, d->path, &label, &w));
    for (int links = 1; links <= 4; links *= 2) {
        zw_channel channel[3] = {
            {.name = "time", .unit = "s", .count = 1},
            {.name = "rod/a/strain", .unit = "1", .rank = 2, .shape = {links, 3}, .count = 3 * (size_t)links, .offset = 1},
            {.name = "probe/p", .unit = "m", .count = 1, .offset = 1 + 3 * (size_t)links}};
        zw_channel constant = {.name = "rod/a/label", .unit = "m", .rank = 1, .shape = {links + 1}, .count = (size_t)links + 1};
        zw_layout  layout = {3, 1, channel, &constant, 2 + 3 * (size_t)links, constant.count, values};
        ZW_TRY(zw_journal_epoch(w, &layout));
        for (int i = 0; i < 2 && links != 2; i++) {
            frame[0] += 0.5;
            ZW_TRY(zw_journal_frame(w, frame, layout.width));
        }
    }
    ZW_TRY(zw_journal_end(w, ZW_REACHED, "{}"));
    zw_journal_close(w);
    ZW_TRY(zw_journal_open(c, d->fd, d->path, UINT64_MAX, &j));
    ZW_TRY(zw_hdf5_write(d, j));
    zw_journal_destroy(j);
    return ZW_OK;
}

int main(int argc, char **argv) {
    zw_context  *c;
    zw_directory d;
    char         below[4096];
    if (argc != 2 || zw_context_create(NULL, &c) != ZW_OK) {
        fprintf(stderr, "usage: fuzz_seeds DIRECTORY\n");
        return 64;
    }
    zw_status status = zw_directory_create(c, argv[1], &d);
    if (status == ZW_OK) {
        status = write_all(c, &d);
        zw_directory_close(&d);
    }
    if (status == ZW_OK) {
        snprintf(below, sizeof below, "%s/few", argv[1]);
        status = zw_directory_create(c, below, &d);
    }
    if (status == ZW_OK) {
        status = write_few(c, &d);
        zw_directory_close(&d);
        snprintf(below, sizeof below, "%s/split", argv[1]);
    }
    if (status == ZW_OK) {
        status = zw_directory_create(c, below, &d);
    }
    if (status == ZW_OK) {
        status = write_split(c, &d);
        zw_directory_close(&d);
    }
    for (int i = 0; i < zw_error_count(c); i++) {
        char line[2000];
        zw_error_format(zw_error_at(c, i), line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    zw_context_destroy(c);
    return status == ZW_OK ? 0 : 1;
}
