/* SPDX-License-Identifier: Apache-2.0
 * tape.h: the inside of a tape, for evaluating (tape.c) and explaining (explain.c). */
#ifndef ZW_EXPR_TAPE_H
#define ZW_EXPR_TAPE_H

#include "expr/pool.h"

typedef struct zw_instruction {
    int32_t op, to, a, b, c; /* places in the work space; b is a number for POWI, TABLE and SLOPE */
} zw_instruction;

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
};

#endif
