/* SPDX-License-Identifier: Apache-2.0
 * rod_field.c: see rod_field.h. */
#include "record/rod_field.h"

#include <stdio.h>
#include <string.h>

static bool is_one_of(const char *word, const char *const *words) {
    while (*words && strcmp(word, *words) != 0) {
        words++;
    }
    return *words != NULL;
}

const char *zw_rod_field(const char *channel, char *name, size_t size) {
    const char *slash = strncmp(channel, "rod/", 4) == 0 ? strchr(channel + 4, '/') : NULL;
    if (!slash || strchr(slash + 1, '/')) {
        return NULL;
    }
    snprintf(name, size, "%.*s", (int)(slash - channel - 4), channel + 4);
    return slash + 1;
}

bool zw_rod_field_of_nodes(const char *field, int rows, int nodes, bool closed) {
    static const char *const words[] = {"position", "orientation", "velocity", "label", "radius", NULL};
    bool                     known = strncmp(field, "spin", 4) == 0 || is_one_of(field, words); /* spin and its parts */
    return rows == nodes && (!closed || known);
}

bool zw_rod_field_in_directors(const char *field) {
    static const char *const words[] = {"position", "velocity", NULL};
    return !is_one_of(field, words);
}
