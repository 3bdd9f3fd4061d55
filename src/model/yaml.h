/* SPDX-License-Identifier: Apache-2.0
 * yaml.h: YAML text as a tree in which every node knows its place. What a model file has no use for is refused with a plain sentence:
 * duplicate keys, aliases, anchors, tags, several documents, more than 64 levels, other encodings than UTF-8. */
#ifndef ZW_MODEL_YAML_H
#define ZW_MODEL_YAML_H

#include "model/issues.h"

enum { ZW_YAML_DEPTH = 64, ZW_YAML_NODES = 1000000, ZW_YAML_BYTES = 16 * 1024 * 1024 };

typedef enum zw_yaml_kind { ZW_YAML_SCALAR, ZW_YAML_LIST, ZW_YAML_MAP } zw_yaml_kind;
typedef enum zw_yaml_style { ZW_YAML_PLAIN, ZW_YAML_SINGLE, ZW_YAML_DOUBLE, ZW_YAML_BLOCK } zw_yaml_style; /* BLOCK: literal or folded */

typedef struct zw_yaml zw_yaml;
struct zw_yaml {
    zw_yaml_kind                kind;
    zw_yaml_style               style;   /* of scalars                                              */
    bool                        flow;    /* written with [ ] or { }; a scalar: it stands inside one */
    bool                        bad;     /* found wrong already: nobody need look again             */
    zw_where                    at, end; /* column in characters; end is one past the last          */
    const zw_source            *source;
    const char                 *text; /* scalars: decoded, ends in 0                                */
    size_t                      n;
    zw_yaml                    *key;          /* in a map: the scalar that names this value         */
    zw_yaml                    *first, *next; /* children of lists and maps; siblings               */
    zw_yaml                    *parent;
    int                         count; /* children                                                  */
    const struct zw_schema_key *entry; /* the row of the schema that describes it        */
};

/* before libyaml sees the text: size, encoding, control characters, depth of brackets; false when refused */
bool zw_yaml_scan(zw_issues *issues, const zw_source *source);
/* NULL when something is wrong, which is then in the issues; source must live as long as the tree */
zw_yaml    *zw_yaml_parse(zw_arena *arena, zw_issues *issues, const zw_source *source);
zw_yaml    *zw_yaml_get(const zw_yaml *map, const char *key); /* the value of a key, NULL when absent                         */
bool        zw_yaml_is_null(const zw_yaml *node);             /* nothing written, or ~ or null                                */
int         zw_yaml_parentheses(const zw_yaml *node);         /* of a plain scalar: how many ( are not closed, negative for ) */
zw_where    zw_yaml_place(const zw_yaml *node, int byte); /* of byte `byte` (0-based) of a scalar's text; line 0 when it cannot be told */
const char *zw_yaml_path(const zw_yaml *node, char *out, size_t size); /* "bodies.beam.rod.at[1]"; out                    */
const char *zw_yaml_kind_name(const zw_yaml *node);                    /* "a list", "a map", "nothing", "text"                          */

#endif
