/* SPDX-License-Identifier: Apache-2.0
 * set.c: `--set key.path=value` and `--set parameter=value`, applied to the tree before it is checked. The value is YAML; an item of
 * a list is named by its number from 0 (`bodies.beam.rod.at.2=1`). A new key may be made in a map that is there, a new section at
 * the top. */
#include "model/reader.h"

#include <stdio.h>
#include <string.h>

typedef struct setting {
    zw_arena  *arena;
    zw_issues *issues;
    zw_source *source; /* its name is the whole --set, its text the value */
    zw_yaml   *root;
} setting;

static bool refuse(const setting *s, const char *subject, const char *remedy, const char *message) {
    zw_issue_add(s->issues, ZW_E_MODEL, s->source, zw_nowhere(), subject, remedy, "%s", message);
    return false;
}

static bool no_such_key(const setting *s, const zw_yaml *map, const char *path, const char *word) {
    const char **names = zw_arena_alloc(s->arena, (size_t)map->count + 1, sizeof(char *), "names");
    char         remedy[300] = "", message[120];
    int          n = 0;
    if (names == NULL) {
        s->issues->memory = true;
        return false;
    }
    for (const zw_yaml *c = map->first; c && map->kind == ZW_YAML_MAP; c = c->next) {
        names[n++] = c->key->text;
    }
    const char *near = zw_nearest_name(word, names, n);
    if (near) {
        snprintf(remedy, sizeof remedy, "did you mean '%s'?", near);
    } else if (n > 0) {
        size_t used = (size_t)snprintf(remedy, sizeof remedy, "there are: ");
        for (int i = 0; i < n && used < sizeof remedy; i++) {
            used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s%s", i ? ", " : "", names[i]);
        }
    }
    snprintf(message, sizeof message, "the model has no '%.80s' there", word);
    return refuse(s, path, remedy, message);
}

static zw_yaml *list_item(const zw_yaml *list, const char *word) {
    int index = 0;
    if (word[0] == 0 || strlen(word) > 7) {
        return NULL;
    }
    for (const char *p = word; *p; p++) {
        if (*p < '0' || *p > '9') {
            return NULL;
        }
        index = 10 * index + (*p - '0');
    }
    zw_yaml *c = list->first;
    while (c && index-- > 0) {
        c = c->next;
    }
    return c;
}

static zw_yaml *append_key(const setting *s, zw_yaml *map, const char *key, zw_yaml *value) {
    zw_yaml *name = zw_arena_alloc(s->arena, 1, sizeof *name, "a key"), *last = map->first;
    if (name == NULL) {
        s->issues->memory = true;
        return NULL;
    }
    name->text = key;
    name->n = strlen(key);
    name->source = s->source;
    value->key = name;
    value->parent = map;
    while (last && last->next) {
        last = last->next;
    }
    if (last) {
        last->next = value;
    } else {
        map->first = value;
    }
    map->count++;
    return value;
}

/* value takes the place of old among its siblings */
static void replace(zw_yaml *old, zw_yaml *value) {
    zw_yaml **link = &old->parent->first;
    while (*link != old) {
        link = &(*link)->next;
    }
    value->key = old->key;
    value->parent = old->parent;
    value->next = old->next;
    *link = value;
}

static bool put(const setting *s, const char *path, zw_yaml *value) {
    zw_yaml *at = s->root;
    char    *words = zw_arena_strdup(s->arena, path);
    if (words == NULL) {
        s->issues->memory = true;
        return false;
    }
    zw_yaml *parameters = zw_yaml_get(s->root, "parameters");
    if (strchr(path, '.') == NULL) {
        if (parameters && parameters->kind == ZW_YAML_MAP && zw_yaml_get(parameters, path)) {
            at = parameters;
        } else if (zw_schema_find("top", path, NULL) == NULL) {
            if (parameters && parameters->count > 0) {
                return no_such_key(s, parameters, path, path);
            }
            return refuse(s, path, "write key.path=value, e.g. run.until=2", "the model has no parameter of that name");
        }
    }
    for (char *word = words;;) {
        size_t k = strcspn(word, ".");
        bool   last = word[k] == 0;
        word[k] = 0;
        zw_yaml *next = at->kind == ZW_YAML_MAP ? zw_yaml_get(at, word) : at->kind == ZW_YAML_LIST ? list_item(at, word) : NULL;
        if (last && next) {
            replace(next, value);
            return true;
        }
        if (next == NULL) {
            bool section = at == s->root && zw_schema_find("top", word, NULL) != NULL;
            if (at->kind != ZW_YAML_MAP || word[0] == 0 || !(last || section)) {
                return no_such_key(s, at, path, word);
            }
            if (last) {
                return append_key(s, at, word, value) != NULL;
            }
            next = zw_arena_alloc(s->arena, 1, sizeof *next, "a section");
            if (next == NULL) {
                s->issues->memory = true;
                return false;
            }
            next->kind = ZW_YAML_MAP;
            next->source = s->source;
            next->text = "";
            if (!append_key(s, at, word, next)) {
                return false;
            }
        }
        at = next;
        word += k + 1;
    }
}

bool zw_set_apply(zw_arena *arena, zw_issues *issues, zw_yaml *root, const char *set) {
    const char *equal = strchr(set, '=');
    size_t      n = strlen(set) + 8;
    char       *name = zw_arena_alloc(arena, n, 1, "--set");
    zw_source  *source = zw_arena_alloc(arena, 1, sizeof *source, "--set");
    if (name == NULL || source == NULL) {
        issues->memory = true;
        return false;
    }
    snprintf(name, n, "--set %s", set);
    source->name = name;
    setting s = {arena, issues, source, root};
    if (root->kind != ZW_YAML_MAP) {
        return true; /* reported by the check */
    }
    if (equal == NULL || equal == set) {
        return refuse(&s, "", "write --set key.path=value or --set parameter=value", "there is no '=' with a name before it");
    }
    char *path = zw_arena_strndup(arena, set, (size_t)(equal - set));
    source->text = zw_arena_strdup(arena, equal + 1);
    if (path == NULL || source->text == NULL) {
        issues->memory = true;
        return false;
    }
    source->size = strlen(source->text);
    if (source->size == 0) {
        return refuse(&s, path, "give a value after the '='", "the value is empty");
    }
    zw_yaml *value = zw_yaml_parse(arena, issues, source);
    return value != NULL && put(&s, path, value);
}
