/* SPDX-License-Identifier: Apache-2.0
 * pieces.h: what printers of expressions still have to write, as a stack instead of recursion: a sum of any length prints. */
#ifndef ZW_EXPR_PIECES_H
#define ZW_EXPR_PIECES_H

#include "expr/sheet.h"

typedef struct zw_piece {
    const char *text; /* NULL: the node; else the printer may give a text of its own a meaning for the node */
    zw_node     node;
    int         bind; /* the node goes into brackets when it binds less */
} zw_piece;

typedef struct zw_pieces {
    zw_piece *stack;
    int       n, room;
} zw_pieces;

static inline void zw_pieces_push(zw_pieces *p, zw_text *out, const char *text, zw_node node, int bind) {
    if (p->n == p->room) {
        int       room = p->room ? p->room * 2 : 64;
        zw_piece *bigger = zw_resize(out->context, p->stack, (size_t)room, sizeof *bigger, "text of an expression");
        if (!bigger) {
            out->failed = true;
            return;
        }
        p->stack = bigger;
        p->room = room;
    }
    p->stack[p->n++] = (zw_piece){.text = text, .node = node, .bind = bind};
}

#endif
