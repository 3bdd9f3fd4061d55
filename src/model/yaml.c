/* SPDX-License-Identifier: Apache-2.0
 * yaml.c: libyaml's events become a tree. libyaml by itself accepts duplicate keys and expands aliases; here duplicates are errors
 * and an alias, an anchor or a tag is refused where it stands, while the rest of the file is still read, so that all errors show in
 * one pass. */
#include "model/yaml.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { NODES_PER_BLOCK = 64, TEXT_BLOCK = 32 * 1024 };

typedef struct builder {
    zw_arena        *arena;
    zw_issues       *issues;
    const zw_source *source;
    zw_yaml         *block; /* nodes and texts come from larger pieces: arena pieces are 64 bytes at least */
    int              block_used;
    char            *text;
    size_t           text_left;
    int              nodes;
    zw_yaml         *open; /* the list or map being filled */
    zw_yaml         *key;  /* its key that waits for a value */
    zw_yaml         *last; /* its newest child */
    int              depth, flow_depth;
    zw_yaml         *root;
} builder;

static zw_where where_of(yaml_mark_t m) {
    return (zw_where){(int)m.line + 1, (int)m.column + 1};
}

static zw_yaml *node_new(builder *b, zw_yaml_kind kind, const yaml_event_t *e) {
    if (b->block == NULL || b->block_used == NODES_PER_BLOCK) {
        b->block = zw_arena_alloc(b->arena, NODES_PER_BLOCK, sizeof(zw_yaml), "the model's tree");
        b->block_used = 0;
    }
    if (b->block == NULL) {
        b->issues->memory = true;
        return NULL;
    }
    zw_yaml *n = &b->block[b->block_used++];
    n->kind = kind;
    n->source = b->source;
    n->at = where_of(e->start_mark);
    n->end = where_of(e->end_mark);
    n->text = "";
    return n;
}

static const char *text_copy(builder *b, const char *text, size_t n) {
    if (n == 0) {
        return "";
    }
    if (n + 1 > b->text_left) {
        size_t room = n + 1 > TEXT_BLOCK ? n + 1 : TEXT_BLOCK;
        b->text = zw_arena_alloc(b->arena, room, 1, "the model's text");
        b->text_left = b->text ? room : 0;
        if (b->text == NULL) {
            b->issues->memory = true;
            return NULL;
        }
    }
    char *copy = b->text;
    memcpy(copy, text, n);
    copy[n] = 0;
    b->text += n + 1;
    b->text_left -= n + 1;
    return copy;
}

const char *zw_yaml_path(const zw_yaml *node, char *out, size_t size) {
    const zw_yaml *chain[ZW_YAML_DEPTH + 4];
    int            n = 0;
    size_t         used = 0;
    out[0] = 0;
    for (; node && node->parent && n < ZW_YAML_DEPTH + 4; node = node->parent) {
        chain[n++] = node;
    }
    while (n-- > 0 && used < size) {
        int wrote = 0;
        if (chain[n]->key) {
            wrote = snprintf(out + used, size - used, "%s%s", used ? "." : "", chain[n]->key->text);
        } else {
            int i = 0;
            for (const zw_yaml *c = chain[n]->parent->first; c && c != chain[n]; c = c->next) {
                i++;
            }
            wrote = snprintf(out + used, size - used, "[%d]", i);
        }
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return out;
}

static void refuse(builder *b, const zw_yaml *node, zw_where at, const char *what, const char *remedy) {
    char path[128];
    zw_issue_add(b->issues, ZW_E_MODEL, b->source, at, zw_issues_full(b->issues) ? "" : zw_yaml_path(node, path, sizeof path), remedy, "%s",
                 what);
}

/* puts a finished scalar, or a list or map that begins, where it belongs */
static bool attach(builder *b, zw_yaml *n) {
    if (++b->nodes > ZW_YAML_NODES) {
        zw_issue_add(b->issues, ZW_E_LIMIT, b->source, n->at, "", "describe it by expressions", "the model has more than %d values",
                     ZW_YAML_NODES);
        return false;
    }
    n->parent = b->open;
    if (b->open == NULL) {
        b->root = n;
        return true;
    }
    if (b->open->kind == ZW_YAML_MAP) {
        if (b->key == NULL) {
            if (n->kind != ZW_YAML_SCALAR) {
                refuse(b, b->open, n->at, "a list or a map cannot be a key", "a key is a name; text that begins with [ or { needs quotes");
                return false;
            }
            b->key = n;
            return true;
        }
        n->key = b->key;
        b->key = NULL;
    }
    if (b->last) {
        b->last->next = n;
    } else {
        b->open->first = n;
    }
    b->last = n;
    b->open->count++;
    return true;
}

static bool open_node(builder *b, zw_yaml *n) {
    if (n == NULL || !attach(b, n)) {
        return false;
    }
    if (++b->depth > ZW_YAML_DEPTH) {
        zw_issue_add(b->issues, ZW_E_LIMIT, b->source, n->at, "", "a model needs fewer than ten",
                     "lists and maps are nested more than %d deep", ZW_YAML_DEPTH);
        return false;
    }
    b->flow_depth += n->flow;
    b->open = n;
    b->last = NULL;
    return true;
}

static int by_key(const void *left, const void *right) {
    const zw_yaml *a = *(const zw_yaml *const *)left, *b = *(const zw_yaml *const *)right;
    int            order = strcmp(a->key->text, b->key->text);
    if (order == 0 && a->at.line != b->at.line) {
        order = a->at.line < b->at.line ? -1 : 1;
    }
    if (order == 0 && a->at.col != b->at.col) {
        order = a->at.col < b->at.col ? -1 : 1;
    }
    return order;
}

/* the second value of a key is reported and taken out; sorting keeps large maps cheap */
static bool drop_duplicates(builder *b, zw_yaml *map) {
    if (map->count < 2) {
        return true;
    }
    zw_arena_mark mark = zw_arena_mark_now(b->arena);
    zw_yaml     **sorted = zw_arena_alloc(b->arena, (size_t)map->count, sizeof(zw_yaml *), "keys of a map");
    int           n = 0;
    bool          any = false;
    if (sorted == NULL) {
        b->issues->memory = true;
        return false;
    }
    for (zw_yaml *c = map->first; c; c = c->next) {
        sorted[n++] = c;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    for (int i = 1, first = 0; i < n; i++) {
        if (strcmp(sorted[i]->key->text, sorted[first]->key->text) != 0) {
            first = i;
            continue;
        }
        sorted[i]->bad = any = true;
        sorted[i]->end.line = sorted[first]->key->at.line; /* a dropped node needs its end no more */
    }
    zw_arena_release(b->arena, mark);
    if (!any) {
        return true;
    }
    zw_yaml **link = &map->first;
    while (*link) {
        zw_yaml *c = *link;
        if (!c->bad) {
            link = &c->next;
            continue;
        }
        char path[128];
        zw_issue_add(b->issues, ZW_E_MODEL, b->source, c->key->at, zw_yaml_path(c, path, sizeof path), "keep one of the two",
                     "is given twice; the first stands in line %d", c->end.line);
        *link = c->next;
        map->count--;
    }
    return true;
}

static bool close_node(builder *b) {
    zw_yaml *n = b->open;
    if (n->kind == ZW_YAML_MAP && !drop_duplicates(b, n)) {
        return false;
    }
    b->depth--;
    b->flow_depth -= n->flow;
    b->open = n->parent;
    b->last = n;
    return true;
}

static const char *mark_text(const builder *b, yaml_mark_t m, size_t *left) {
    size_t      n = 0;
    const char *line = zw_source_line(b->source, (int)m.line + 1, &n);
    if (line && m.line == 0 && n >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        n -= 3;
    }
    for (size_t column = m.column; line && n > 0; line++, n--) {
        if (((unsigned char)*line & 0xC0) != 0x80 && column-- == 0) {
            break;
        }
    }
    *left = line ? n : 0;
    return line;
}

/* libyaml's words for a mistake, in plain words with what to do */
static void syntax_error(builder *b, const yaml_parser_t *p) {
    static const struct {
        const char *context, *problem, *message, *remedy;
        bool        at_context;
    } words[] = {
        {"quoted scalar", "end of stream", "the quote that opens here is not closed", "put the closing quote at the end of the text", true},
        {"quoted scalar", "document indicator", "the quote that opens here is not closed", "put the closing quote at the end of the text",
         true},
        {"quoted scalar", "escape", "a backslash in \" \" quotes begins an escape, and this one is not known",
         "write \\\\ for a backslash, or use ' ' quotes", false},
        {"flow sequence", "expected ',' or ']'", "the list that opens here is not closed, or a comma is missing in it",
         "close it with ]; text with : [ ] { } or , inside needs quotes", true},
        {"flow mapping", "expected ',' or '}'", "the map that opens here is not closed, or a comma is missing in it",
         "close it with }; text with : [ ] { } or , inside needs quotes", true},
        {"block mapping", "expected key", "this does not fit under the lines above",
         "indent the keys of one map equally, and write each as `key: value`", false},
        {"block collection", "'-' indicator", "this does not fit in the list above", "begin each item with - at the same indentation",
         false},
        {"simple key", "could not find expected ':'", "here a `key: value` is expected, and the : is missing",
         "write `key: value` with a blank after the :", true},
        {"", "mapping values are not allowed", "a : cannot stand here",
         "indent the line like its neighbours; text with `: ` inside needs quotes", false},
        {"", "block sequence entries are not allowed", "a list item (-) cannot stand here", "begin the list on its own line below the key",
         false},
        {"node", "expected node content", "a value is missing here",
         "write a value; text that begins with a sign such as , ] } needs quotes", false},
        {"alias", "", "an alias (*name) may not stand in a model file",
         "write the value again, or make it a parameter; text that begins with * needs quotes", true},
        {"anchor", "", "an anchor (&name) may not stand in a model file",
         "make the value a parameter; text that begins with & needs quotes", true},
        {"tag", "", "a tag (!name) may not stand in a model file", "remove it; text that begins with ! needs quotes", true},
        {"", "undefined tag handle", "a tag (!name) may not stand in a model file", "remove it; text that begins with ! needs quotes",
         false},
        {"", "expected <document start>", "the model ends above this line", "a model file holds one map; indent what belongs to it", false},
        {"block scalar", "tab character", "a tab stands where blanks must indent", "indent with blanks", false},
        {"directive", "", "a line may not begin with %", "comments begin with #", true},
    };
    const char *context = p->context ? p->context : "", *problem = p->problem ? p->problem : "it is not YAML";
    if (p->error == YAML_MEMORY_ERROR) {
        zw_raise(b->issues->context, ZW_E_MEMORY, b->source->name, NULL, "memory ran out while reading the file");
        b->issues->memory = true;
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(context, words[i].context) && strstr(problem, words[i].problem)) {
            bool     use_context = words[i].at_context && p->context && p->context_mark.line <= p->problem_mark.line;
            zw_where at = where_of(use_context ? p->context_mark : p->problem_mark);
            zw_issue_add(b->issues, ZW_E_MODEL, b->source, at, "", words[i].remedy, "%s", words[i].message);
            return;
        }
    }
    zw_where at = where_of(p->problem_mark);
    if (strstr(problem, "cannot start any token")) {
        size_t      left = 0;
        const char *here = mark_text(b, p->problem_mark, &left);
        if (left > 0 && *here == '\t') {
            zw_issue_add(b->issues, ZW_E_MODEL, b->source, at, "", "indent with blanks", "a tab stands where blanks must indent");
        } else {
            zw_issue_add(b->issues, ZW_E_MODEL, b->source, at, "", "put the text in quotes", "text cannot begin with %.*s",
                         left > 0 ? 1 : 0, left > 0 ? here : "");
        }
        return;
    }
    zw_issue_add(b->issues, ZW_E_MODEL, b->source, at, "", "check indentation, quotes and brackets on this line and above", "%s%s%s",
                 context, context[0] ? ": " : "", problem);
}

static bool scalar_event(builder *b, const yaml_event_t *e) {
    zw_yaml *n = node_new(b, ZW_YAML_SCALAR, e);
    if (n == NULL) {
        return false;
    }
    yaml_scalar_style_t style = e->data.scalar.style;
    n->style = style == YAML_SINGLE_QUOTED_SCALAR_STYLE   ? ZW_YAML_SINGLE
               : style == YAML_DOUBLE_QUOTED_SCALAR_STYLE ? ZW_YAML_DOUBLE
               : style == YAML_PLAIN_SCALAR_STYLE         ? ZW_YAML_PLAIN
                                                          : ZW_YAML_BLOCK;
    n->flow = b->flow_depth > 0;
    n->n = e->data.scalar.length;
    n->text = text_copy(b, (const char *)e->data.scalar.value, n->n);
    if (n->text == NULL) {
        return false;
    }
    if (memchr(n->text, 0, n->n)) { /* "\0" in a quoted text */
        refuse(b, b->open, n->at, "the text holds a NUL character", "remove it");
        n->n = strlen(n->text);
    }
    return attach(b, n);
}

static void check_properties(builder *b, const yaml_event_t *e, const yaml_char_t *anchor, const yaml_char_t *tag) {
    if (anchor) {
        refuse(b, b->open, where_of(e->start_mark), "an anchor (&name) may not stand in a model file", "make the value a parameter");
    }
    if (tag) {
        refuse(b, b->open, where_of(e->start_mark), "a tag (!name) may not stand in a model file", "remove it");
    }
}

/* one event; *done at the end of the document */
static bool take_event(builder *b, const yaml_event_t *e, bool *done) {
    zw_yaml *n = NULL;
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->root) {
            zw_issue_add(b->issues, ZW_E_MODEL, b->source, where_of(e->start_mark), "", "keep one model per file",
                         "a second document begins here");
            return false;
        }
        return true;
    case YAML_ALIAS_EVENT:
        refuse(b, b->open, where_of(e->start_mark), "an alias (*name) may not stand in a model file",
               "write the value again, or make it a parameter");
        n = node_new(b, ZW_YAML_SCALAR, e);
        if (n == NULL) {
            return false;
        }
        n->bad = true;
        return attach(b, n);
    case YAML_SCALAR_EVENT: check_properties(b, e, e->data.scalar.anchor, e->data.scalar.tag); return scalar_event(b, e);
    case YAML_SEQUENCE_START_EVENT:
        check_properties(b, e, e->data.sequence_start.anchor, e->data.sequence_start.tag);
        n = node_new(b, ZW_YAML_LIST, e);
        if (n) {
            n->flow = e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
        }
        return open_node(b, n);
    case YAML_MAPPING_START_EVENT:
        check_properties(b, e, e->data.mapping_start.anchor, e->data.mapping_start.tag);
        n = node_new(b, ZW_YAML_MAP, e);
        if (n) {
            n->flow = e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
        }
        return open_node(b, n);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: b->open->end = where_of(e->end_mark); return close_node(b);
    case YAML_STREAM_END_EVENT: *done = true; return true;
    default: return true;
    }
}

zw_yaml *zw_yaml_parse(zw_arena *arena, zw_issues *issues, const zw_source *source) {
    builder       b = {.arena = arena, .issues = issues, .source = source};
    yaml_parser_t parser;
    bool          done = false, ok = true;
    if (!zw_yaml_scan(issues, source)) {
        return NULL;
    }
    if (!yaml_parser_initialize(&parser)) {
        zw_raise(issues->context, ZW_E_MEMORY, source->name, NULL, "memory ran out before reading the file");
        issues->memory = true;
        return NULL;
    }
    size_t mark = source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* in front of UTF-8 by some editors */
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text + mark, source->size - mark);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    while (ok && !done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            syntax_error(&b, &parser);
            ok = false;
            break;
        }
        ok = take_event(&b, &event, &done);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (ok && b.root == NULL) {
        zw_issue_add(issues, ZW_E_MODEL, source, zw_nowhere(), "", "begin with `zwang: 1`", "the file is empty");
        ok = false;
    }
    return ok ? b.root : NULL;
}

zw_yaml *zw_yaml_get(const zw_yaml *map, const char *key) {
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return NULL;
    }
    for (zw_yaml *c = map->first; c; c = c->next) {
        if (strcmp(c->key->text, key) == 0) {
            return c;
        }
    }
    return NULL;
}

bool zw_yaml_is_null(const zw_yaml *n) {
    return n->kind == ZW_YAML_SCALAR && n->style == ZW_YAML_PLAIN &&
           (n->n == 0 || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

const char *zw_yaml_kind_name(const zw_yaml *n) {
    double value = 0.0;
    if (n->kind != ZW_YAML_SCALAR) {
        return n->kind == ZW_YAML_LIST ? "a list" : "a map";
    }
    return zw_yaml_is_null(n) ? "nothing" : zw_number_parse(n->text, &value) ? "a single number" : "text";
}

int zw_yaml_parentheses(const zw_yaml *n) {
    int open = 0;
    if (n->kind != ZW_YAML_SCALAR || n->style != ZW_YAML_PLAIN) {
        return 0;
    }
    for (const char *p = n->text; *p; p++) {
        open += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    }
    return open;
}

/* how many characters of the source, and bytes of the decoded text, the piece at p stands for inside quotes of that kind */
static int quoted_piece(zw_yaml_style style, const char *p, const char *end, int *bytes) {
    *bytes = 1;
    if (style == ZW_YAML_SINGLE && *p == '\'' && p + 1 < end) {
        return 2;
    }
    if (style == ZW_YAML_DOUBLE && *p == '\\' && p + 1 < end) {
        int digits = p[1] == 'x' ? 2 : p[1] == 'u' ? 4 : p[1] == 'U' ? 8 : 0;
        if (digits > 0 && end - p >= 2 + digits) {
            char          hex[9] = {0};
            unsigned long code = 0;
            memcpy(hex, p + 2, (size_t)digits);
            code = strtoul(hex, NULL, 16);
            *bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        } else if (p[1] == 'N' || p[1] == '_') {
            *bytes = 2;
        } else if (p[1] == 'L' || p[1] == 'P') {
            *bytes = 3;
        }
        return 2 + digits;
    }
    return 1;
}

zw_where zw_yaml_place(const zw_yaml *n, int byte) {
    zw_where at = n->at;
    if (n->kind != ZW_YAML_SCALAR || n->style == ZW_YAML_BLOCK || n->at.line != n->end.line || n->source == NULL || n->at.line < 1) {
        return (zw_where){0, 0};
    }
    size_t      length = 0;
    yaml_mark_t mark = {0, (size_t)n->at.line - 1, (size_t)n->at.col - 1};
    builder     b = {.source = n->source};
    const char *p = mark_text(&b, mark, &length), *end = p != NULL ? p + length : NULL;
    if (n->style != ZW_YAML_PLAIN && p && p < end) {
        p++;
        at.col++;
    }
    while (byte > 0 && p && p < end) {
        int bytes = 1, step = n->style == ZW_YAML_PLAIN ? 1 : quoted_piece(n->style, p, end, &bytes);
        for (int i = 0; i < step && p < end; i++, p++) {
            at.col += ((unsigned char)*p & 0xC0) != 0x80;
        }
        byte -= bytes;
    }
    return at;
}
