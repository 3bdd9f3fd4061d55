/* SPDX-License-Identifier: Apache-2.0
 * schema.h: the model file as one table. Reader, checker, JSON Schema and reference page all follow from it: a key is added by
 * adding a row. */
#ifndef ZW_MODEL_SCHEMA_H
#define ZW_MODEL_SCHEMA_H

#include "model/yaml.h"

typedef enum zw_schema_type {
    ZW_KEY_E,               /* a number or an expression                          */
    ZW_KEY_V2,              /* a list of two of them                              */
    ZW_KEY_V3,              /* three of them, or an expression that is a vector   */
    ZW_KEY_E_OR_V3,         /* one for all three, or three                        */
    ZW_KEY_VN,              /* a list of as many as there are                     */
    ZW_KEY_M66,             /* six rows of six                                    */
    ZW_KEY_POINTS,          /* a list of vectors                                  */
    ZW_KEY_COUNT,           /* a whole number                                     */
    ZW_KEY_LABEL,           /* an expression, or `end`                            */
    ZW_KEY_TEXT,            /* any text                                           */
    ZW_KEY_RELATION,        /* an equation or inequality as text                  */
    ZW_KEY_WORD,            /* one of words                                       */
    ZW_KEY_WORDS,           /* a list of words                                    */
    ZW_KEY_BOOL,            /* true or false                                      */
    ZW_KEY_NAME,            /* the name of something in the model                 */
    ZW_KEY_NAMES,           /* a list of names                                    */
    ZW_KEY_PAIRS,           /* a list of pairs of names                           */
    ZW_KEY_MAP,             /* the map `of`                                       */
    ZW_KEY_NAMED,           /* names, each with a map `of`                        */
    ZW_KEY_NAMED_E,         /* names, each with a number or an expression         */
    ZW_KEY_NAMED_V3,        /* names, each with a vector                          */
    ZW_KEY_NAMED_E_OR_V3,   /* names, each with an expression or a vector       */
    ZW_KEY_NAMED_V3_OR_MAP, /* names, each with a vector or the map `of`      */
    ZW_KEY_RELATIONS,       /* equations as texts: a list, or names for them      */
    ZW_KEY_E_OR_VN,         /* an expression, or a list of them                   */
    ZW_KEY_RELATION_OR_VN,  /* an equation as text, or a list of them             */
    ZW_KEY_WORD_OR_MAP,     /* one of words, or the map `of`                    */
    ZW_KEY_V3_OR_MAP,       /* a vector, or the map `of`                          */
    ZW_KEY_V3_OR_M33,       /* a vector, or three rows of three                   */
    ZW_KEY_POINTS_OR_MAP,   /* a list of vectors, or the map `of`                 */
    ZW_KEY_TRIANGLES,       /* a list of three whole numbers each                 */
    ZW_KEY_MAPS,            /* a list of maps `of`                                */
    ZW_KEY_WORD_OR_PAIRS,   /* one of words, or a list of pairs of names          */
    ZW_KEY_PLACE,           /* a body's name with s beside it, or the map `place` */
    ZW_KEY_PLACES,          /* a place, or a list of two                          */
    ZW_KEY_TO,              /* ground, a frame, or a place                        */
    ZW_KEY_ANY              /* anything: rooms that are not built yet             */
} zw_schema_type;

/* what an expression may use besides parameters */
typedef enum zw_schema_scope {
    ZW_OF_NOTHING,
    ZW_OF_LABEL,
    ZW_OF_TIME,
    ZW_OF_PLACE,
    ZW_OF_SPACE, /* the place in space and t, without a label */
    ZW_OF_PROBES,
    ZW_OF_FIELD,
    ZW_OF_COORDINATES, /* of a lagrangian body, and t     */
    ZW_OF_MOTION,      /* and the velocities of the body */
    ZW_OF_GROWTH,      /* what a growth law senses        */
    ZW_OF_SIGNAL,      /* and its concentration chi       */
    ZW_OF_OTHER
} zw_schema_scope;

enum {
    ZW_KEY_REQUIRED = 1,
    ZW_KEY_MAIN = 2, /* names the form of its map: of these keys one is given               */
    ZW_KEY_LATER = 4 /* in the contract of the model file, not in this version              */
};

typedef struct zw_schema_key {
    const char     *owner, *key;
    zw_schema_type  type;
    unsigned        flags;
    zw_schema_scope scope;
    size_t          field;   /* where it goes: 1 + offset in the struct that holds the owner; 0: the reader knows */
    const char     *forms;   /* "clamp|ball": only beside one of these main keys; NULL: always          */
    const char     *of;      /* the owner of what is inside                                             */
    const char     *words;   /* "a|b|c"                                                                 */
    const char     *later;   /* those of the words that are not in this version                         */
    const char     *initial; /* what holds when it is not given; NULL: nothing to say                   */
    const char     *instead; /* LATER: what this version has                                            */
    const char     *doc;     /* one sentence without its full stop                                      */
} zw_schema_key;

typedef enum zw_schema_choice { ZW_CHOICE_NONE, ZW_CHOICE_ONE, ZW_CHOICE_AT_MOST_ONE } zw_schema_choice;

typedef struct zw_schema_owner {
    const char      *name;   /* "rod"                                   */
    const char      *phrase; /* "a rod": for messages                   */
    const char      *path;   /* "bodies.NAME.rod": for the reference page */
    zw_schema_choice choice;
    const char      *doc;
} zw_schema_owner;

extern const zw_schema_key   zw_schema_keys[];
extern const int             zw_schema_nkeys;
extern const zw_schema_owner zw_schema_owners[];
extern const int             zw_schema_nowners;

const zw_schema_owner *zw_schema_owner_find(const char *name);
/* the row of a key; where several forms have it, that of the form given (NULL: the first) */
const zw_schema_key *zw_schema_find(const char *owner, const char *key, const char *form);
bool                 zw_schema_has_word(const char *words, const char *word); /* is word one of "a|b|c"? words may be NULL */
const char          *zw_schema_type_phrase(zw_schema_type type);              /* "a number or an expression"               */

/* walks the tree by the table: unknown and missing keys, wrong types, words, forms, what is not in this version. Every node that
 * passes knows its row. */
void zw_schema_check(zw_issues *issues, zw_yaml *root);

#endif
