/* SPDX-License-Identifier: Apache-2.0
 * view.c: the interactive page: the viewer as the program carries it, with the results inside. The page has two marks, one for the title and one for the data, which are
 * JSON with every '<' written as \u003c, so that no text of a model can end the element it stands in, and base64. It needs no network and no other file. */
#define _POSIX_C_SOURCE 200809L
#include "record/view.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "record/directory.h"
#include "record/file.h"
#include "record/view_part.h"

#define MARK_TITLE "<!--zwang:title-->"
#define MARK_DATA  "<!--zwang:data-->"
enum { LIMIT = 20000000, ROOM = 400000 }; /* bytes of a page; of what is neither viewer nor arrays */

/* the last component of a path that may end in slashes */
static const char *last_name(zw_arena *a, const char *path) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') {
        begin--;
    }
    const char *name = zw_arena_strndup(a, path + begin, end - begin);
    return name && name[0] ? name : "zwang";
}

/* JSON as it may stand in a script element: '<' is only in texts */
static void add_shielded(zw_text *t, const char *json) {
    while (*json) {
        size_t n = strcspn(json, "<");
        zw_text_add_n(t, json, n);
        json += n;
        if (*json == '<') {
            zw_text_add(t, "\\u003c");
            json++;
        }
    }
}

static zw_status write_json(zw_view *v) {
    const char *summary = zw_results_summary(v->results);
    zw_text    *t = &v->json;
    zw_text_add(t, "{\"format\":1,\"version\":");
    zw_text_json_string(t, zw_version());
    zw_text_add(t, ",\n\"title\":");
    zw_text_json_string(t, v->title);
    zw_text_add(t, ",\n\"file\":");
    zw_text_json_string(t, last_name(&v->arena, zw_json_string(v->summary, "model.file", "")));
    zw_text_add(t, ",\n\"model\":");
    zw_text_json_string(t, zw_results_model_text(v->results));
    zw_text_add(t, ",\n\"summary\":");
    zw_text_add(t, v->summary ? summary : "null");
    if (zw_results_epochs(v->results) > 0) {
        ZW_TRY(zw_view_write_channels(v));
        ZW_TRY(zw_view_write_bodies(v));
        ZW_TRY(zw_view_write_walls(v));
        ZW_TRY(zw_view_write_acts(v));
        ZW_TRY(zw_view_write_ledger(v));
    }
    zw_text_add(t, "}");
    return zw_text_status(t);
}

static zw_status write_page(zw_view *v, const zw_view_def *def, zw_text *page) {
    const char *title = strstr(def->page, MARK_TITLE), *data = strstr(def->page, MARK_DATA);
    if (!title || !data || title > data) {
        return zw_raise(v->context, ZW_E_INTERNAL, "viewer", "build it anew with scripts/build-viewer",
                        "the page has no marks for title and data");
    }
    zw_blob_end(&v->blob);
    ZW_TRY(zw_text_status(&v->blob.text));
    zw_text_add_n(page, def->page, (size_t)(title - def->page));
    zw_text_html(page, v->title);
    title += strlen(MARK_TITLE);
    zw_text_add_n(page, title, (size_t)(data - title));
    zw_text_add(page, "<script type=\"application/json\" id=\"zwang-data\">");
    add_shielded(page, v->json.s);
    zw_text_add(page, "</script>\n<script type=\"text/plain\" id=\"zwang-arrays\">");
    if (v->blob.text.n > 0) {
        zw_text_add_n(page, v->blob.text.s, v->blob.text.n);
    }
    zw_text_add(page, "</script>\n");
    data += strlen(MARK_DATA);
    zw_text_add_n(page, data, def->page_size - (size_t)(data - def->page));
    return zw_text_status(page);
}

/* beside the results, or wherever somebody wants it; *written is where */
static zw_status put(zw_context *c, const char *directory, const char *file, const zw_text *page, char **written) {
    zw_text      place;
    zw_directory d;
    zw_status    status;
    zw_text_init(&place, c);
    if (!file) {
        ZW_TRY(zw_directory_open(c, directory, &d));
        status = zw_file_replace(c, d.fd, directory, ZW_FILE_VIEW, page->s, page->n);
        zw_directory_close(&d);
        zw_text_addf(&place, "%s%sview.html", directory, directory[0] && directory[strlen(directory) - 1] == '/' ? "" : "/");
    } else {
        const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
        zw_text     folder;
        zw_text_init(&folder, c);
        zw_text_add_n(&folder, slash ? file : ".", slash ? (size_t)(slash - file) + (slash == file) : 1);
        status = zw_text_status(&folder);
        if (status == ZW_OK && name[0] == 0) {
            status = zw_raise(c, ZW_E_ARG, file, "give the name of a file, such as view.html", "is a directory");
        }
        if (status == ZW_OK) {
            status = zw_directory_open(c, folder.s, &d);
        }
        if (status == ZW_OK) {
            status = zw_file_replace(c, d.fd, folder.s, name, page->s, page->n);
            zw_directory_close(&d);
        }
        zw_text_destroy(&folder);
        zw_text_add(&place, file);
    }
    if (status == ZW_OK) {
        status = zw_text_status(&place);
    }
    if (status == ZW_OK && written) {
        *written = place.s;
    } else {
        zw_text_destroy(&place);
    }
    return status;
}

static void note(const zw_view *v) {
    if (v->frames.kept < v->frames.total) {
        zw_log(v->context, ZW_LOG_INFO, "the page shows %lld of %lld frames, so that it stays small; the curves have %lld points",
               (long long)v->frames.kept, (long long)v->frames.total, (long long)v->plots.kept);
    }
}

zw_status zw_view_text(zw_context *c, const char *directory, const zw_view_def *def, zw_text *page) {
    if (!c || !directory || !def || !def->page || !page) {
        return ZW_E_ARG;
    }
    zw_view     v = {.context = c};
    zw_results *results = NULL;
    zw_model   *model = NULL;
    zw_context *own = NULL; /* a model that this version cannot read is no error of the page */
    zw_status   status = zw_results_open(c, directory, &results);
    if (status != ZW_OK) {
        return status;
    }
    zw_arena_init(&v.arena, c);
    zw_text_init(&v.json, c);
    zw_blob_init(&v.blob, c);
    v.results = results;
    zw_epochs_init(&v.epochs, &v.arena, results);
    v.most = def->frames;
    const char *text = zw_results_model_text(results), *summary = zw_results_summary(results);
    size_t      limit = def->limit ? def->limit : LIMIT, fixed = def->page_size + ROOM + 2 * strlen(text);
    v.budget = limit > fixed ? (limit - fixed) / 4 * 3 : 0;
    if (summary && summary[0]) {
        zw_json *j = NULL;
        ZW_TRY_GOTO(zw_json_read(&v.arena, summary, &j), done);
        v.summary = j;
    }
    if (zw_context_create(NULL, &own) == ZW_OK && zw_model_parse(own, "model.yaml", text, strlen(text), 0, NULL, &model) == ZW_OK) {
        v.model = model;
    }
    v.title = model && zw_model_title(model)[0] ? zw_model_title(model) : last_name(&v.arena, directory);
    v.scene = (zw_scene){.context = model ? model->context : NULL, .model = model};
    if (zw_results_epochs(results) > 0) {
        ZW_TRY_GOTO(zw_scene_read(&v.scene, &v.arena, results), done);
        ZW_TRY_GOTO(zw_scene_walls_read(&v.scene, &v.arena), done);
    }
    ZW_TRY_GOTO(write_json(&v), done);
    ZW_TRY_GOTO(write_page(&v, def, page), done);
    note(&v);
done:
    zw_scene_walls_end(&v.scene);
    zw_model_destroy(model);
    zw_context_destroy(own);
    zw_text_destroy(&v.json);
    zw_blob_destroy(&v.blob);
    zw_arena_destroy(&v.arena);
    zw_results_close(results);
    return status;
}

zw_status zw_view_write(zw_context *c, const char *directory, const zw_view_def *def, char **written) {
    zw_text page;
    zw_text_init(&page, c);
    zw_status status = zw_view_text(c, directory, def, &page);
    if (status == ZW_OK) {
        status = put(c, directory, def->file, &page, written);
    }
    zw_text_destroy(&page);
    return status;
}
