/* SPDX-License-Identifier: Apache-2.0
 * Every file in tests/model/bad is a wrong model that ends in lines `# expect: LINE:COL: KEY.PATH: part of the message`. Reading it
 * must give exactly these errors, in this order, in one pass. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zwang/model.h"

enum { MAX_FILES = 1000, MAX_EXPECTED = 64, MAX_BYTES = 1 << 16 };

static const char *source_dir(void) {
    const char *dir = getenv("ZW_SOURCE_DIR");
#ifdef ZW_SOURCE_DIR
    return dir ? dir : ZW_SOURCE_DIR;
#else
    return dir ? dir : ".";
#endif
}

/* the texts after "# expect: ", found byte by byte because a file may hold NUL; returns how many */
static int find_expected(char *text, size_t n, const char *expected[MAX_EXPECTED]) {
    static const char mark[] = "# expect: ";
    int               count = 0;
    bool              line_begins = true;
    for (size_t i = 0; i < n; i++) {
        bool here = line_begins;
        line_begins = text[i] == '\n';
        if (here && n - i > sizeof mark && memcmp(text + i, mark, sizeof mark - 1) == 0) {
            size_t end = i + sizeof mark - 1;
            assert_true(count < MAX_EXPECTED);
            expected[count++] = text + end;
            while (end < n && text[end] != '\n') {
                end++;
            }
            text[end] = 0;
            i = end;
            line_begins = true;
        }
    }
    return count;
}

/* "L:C: subject: part" against an error; the part may stand in "message; remedy" */
static int matches(const zw_error *e, const char *expected) {
    char        head[200], body[800];
    size_t      n = (size_t)snprintf(head, sizeof head, "%d:%d: %s: ", e->line, e->col, e->subject);
    const char *part = expected + n;
    snprintf(body, sizeof body, "%s; %s", e->message, e->remedy);
    return strncmp(expected, head, n) == 0 && *part && strstr(body, part) != NULL;
}

static int check_file(const char *path) {
    static char text[MAX_BYTES];
    const char *expected[MAX_EXPECTED];
    zw_context *c = NULL;
    zw_model   *m = NULL;
    FILE       *f = fopen(path, "rb");
    int         wrong = 0;
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_true(n < sizeof text - 1);
    text[n] = 0;
    int count = find_expected(text, n, expected);
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_status status = zw_model_load(c, path, 0, NULL, &m);
    if (status == ZW_OK || m != NULL) {
        print_message("%s: was accepted\n", path);
        wrong++;
    }
    if (count == 0 || count != zw_error_count(c)) {
        print_message("%s: %d errors expected, %d raised\n", path, count, zw_error_count(c));
        wrong++;
    }
    for (int i = 0; i < zw_error_count(c); i++) {
        const zw_error *e = zw_error_at(c, i);
        if (i >= count || !matches(e, expected[i])) {
            char line[1500];
            zw_error_format(e, line, sizeof line);
            print_message("%s\n    expected: %s\n", line, i < count ? expected[i] : "nothing");
            wrong++;
        }
        if (e->line > 0 && e->excerpt[0] && (int)strlen(e->excerpt) + 1 < e->col) {
            print_message("%s: column %d lies beyond the line shown\n", path, e->col);
            wrong++;
        }
    }
    zw_model_destroy(m);
    zw_context_destroy(c);
    return wrong;
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

static void wrong_models_give_exactly_the_expected_errors(void **state) {
    static char    names[MAX_FILES][300];
    char           dir[1000], path[1400]; /* room for dir, a slash and a name */
    struct dirent *entry = NULL;
    size_t         n = 0;
    int            wrong = 0;
    (void)state;
    snprintf(dir, sizeof dir, "%s/tests/model/bad", source_dir());
    DIR *d = opendir(dir);
    assert_non_null(d);
    while ((entry = readdir(d)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && length < sizeof names[0] && strcmp(entry->d_name + length - 5, ".yaml") == 0) {
            assert_true(n < MAX_FILES);
            memcpy(names[n++], entry->d_name, length + 1);
        }
    }
    closedir(d);
    assert_true(n >= 70);
    qsort(names, n, sizeof names[0], by_name);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%.999s/%.299s", dir, names[i]);
        wrong += check_file(path);
    }
    print_message("%d wrong models read\n", (int)n);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_models_give_exactly_the_expected_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
