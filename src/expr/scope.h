/* SPDX-License-Identifier: Apache-2.0
 * scope.h: names and what they mean, for the parser. */
#ifndef ZW_EXPR_SCOPE_H
#define ZW_EXPR_SCOPE_H

#include "base/names.h"
#include "expr/expr.h"

typedef struct zw_symbol {
    char    *name;
    char    *why; /* a hint: known elsewhere, and this is the reason why not here; NULL: an ordinary name */
    zw_value value;
    zw_node  director[3]; /* of a vector that has components d1 d2 d3; 0: it has none */
} zw_symbol;

/* what dt() means; one block of memory */
typedef struct zw_motion {
    int     *slot, *still;
    zw_node *rate; /* of every slot; time has rate 1 */
    int      slots, stills;
} zw_motion;

struct zw_scope {
    zw_pool          *pool;
    const zw_scope   *parent;
    zw_symbol        *symbol;
    int               symbols, room;
    zw_names          names; /* the number of a name is its place in symbol[] */
    zw_scope_resolver resolver;
    void             *user;
    zw_motion        *motion; /* NULL: that of the parent */
};

/* the innermost symbol or hint of that name; NULL when there is none */
const zw_symbol *zw_scope_find(const zw_scope *s, const char *name);
/* value of a name from symbols, then resolvers, then the constants pi and e. out->width 0: not known, and *symbol is the hint if
 * there is one. ZW_E_MODEL: a resolver filled the problem */
zw_status zw_scope_lookup(const zw_scope *s, const char *name, zw_value *out, const zw_symbol **symbol, zw_expr_problem *problem);
/* the motion of the scope or of the nearest parent that has one; NULL: nothing moves, and there is no dt() */
const zw_motion *zw_scope_motion(const zw_scope *s);
/* names that an expression of this scope may use, without hints and hidden ones; *names is freed by the caller */
zw_status zw_scope_names(const zw_scope *s, const char ***names, int *n);

#endif
