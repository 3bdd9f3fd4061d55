/* SPDX-License-Identifier: Apache-2.0
 * tape.h: the inside of a tape, for evaluating (tape.c, tape_wide.c) and explaining (explain.c). */
#ifndef ZW_EXPR_TAPE_H
#define ZW_EXPR_TAPE_H

#include "expr/pool.h"

typedef struct zw_instruction {
    int32_t op, to, a, b, c; /* places in the work space; b is a number for POWI, TABLE and SLOPE */
} zw_instruction;

/* the same nodes for eight points at once. What no varying input reaches is common to all points: worked out once, as one number, and then
 * spread over a row of eight where an instruction reads it. The others are rows: work = [one number per node | rows of eight] */
typedef struct zw_tape_lanes {
    int             slots;    /* varying inputs */
    int32_t        *slot_row; /* row of each of them; -1: not used */
    zw_node        *common;   /* in the order of evaluation */
    int             commons;
    zw_node        *spread; /* common nodes that rows are made of, in rows 0, 1, .. */
    int             spreads;
    zw_instruction *code; /* places are rows */
    int             length;
    int32_t        *root_row;
    int             rows;
} zw_tape_lanes;

void zw_tape_narrow(zw_tape *t); /* drops what zw_tape_widen made */

struct zw_tape {
    zw_context     *context;
    zw_dag          dag; /* own copy of the live nodes, renumbered */
    zw_instruction *code;
    int             length;
    double         *constant; /* what the first places of the work space hold */
    int             constants;
    int32_t        *input; /* slots copied behind the constants */
    int             input_count;
    zw_node        *root;
    int             roots;
    int32_t        *place; /* of every node */
    int             work;
    zw_tape_lanes  *lanes; /* NULL until zw_tape_widen */
};

#endif
