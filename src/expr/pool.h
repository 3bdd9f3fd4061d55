/* SPDX-License-Identifier: Apache-2.0
 * pool.h: the inside of the expression room: the table of operations, the node, the DAG that pool and tape share.
 *
 * One table says what every operation is and computes. Constant folding and the tape both expand it, so a folded constant has
 * the bits that the tape would have given.
 *
 * Invariants of a DAG: a node's operands have smaller indices than the node (so index order is evaluation order and nothing ever
 * recurses over the depth of an expression); two nodes of a pool never have the same operation and operands; building a node's
 * operation from its operands gives that node again (this is what makes printed text parse back to the same node). */
#ifndef ZW_EXPR_POOL_H
#define ZW_EXPR_POOL_H

#include "base/names.h"
#include "expr/expr.h"

#include <math.h>

enum {
    ZW_EXPR_NODES_MAX = 4000000, /* of one pool */
    ZW_EXPR_TEXT_MAX = 1 << 20,  /* bytes of one text */
    ZW_EXPR_DEPTH_MAX = 200,     /* nesting of one text */
    ZW_EXPR_POWER_MAX = 32,      /* integer powers up to here are products, beyond it pow() */
    ZW_EXPR_KNOTS_LOOSE = 64     /* points of a table whose points are not constants */
};

/* name, how it is written, TOTAL: finite for finite operands (overflow aside), what it computes.
 * min, max, sign, step and mod pass a nan on; comparisons and logic give 1 or 0. mod has the sign of its second operand. */
#define ZW_OPS_UNARY(X)                                                     \
    X(NEG, "-", 1, -a)                                                      \
    X(NOT, "not", 1, a != 0.0 ? 0.0 : 1.0)                                  \
    X(SIN, "sin", 1, sin(a))                                                \
    X(COS, "cos", 1, cos(a))                                                \
    X(TAN, "tan", 1, tan(a))                                                \
    X(ASIN, "asin", 0, asin(a))                                             \
    X(ACOS, "acos", 0, acos(a))                                             \
    X(ATAN, "atan", 1, atan(a))                                             \
    X(SINH, "sinh", 1, sinh(a))                                             \
    X(COSH, "cosh", 1, cosh(a))                                             \
    X(TANH, "tanh", 1, tanh(a))                                             \
    X(ASINH, "asinh", 1, asinh(a))                                          \
    X(ACOSH, "acosh", 0, acosh(a))                                          \
    X(ATANH, "atanh", 0, atanh(a))                                          \
    X(EXP, "exp", 1, exp(a))                                                \
    X(LOG, "log", 0, log(a))                                                \
    X(LOG10, "log10", 0, log10(a))                                          \
    X(SQRT, "sqrt", 0, sqrt(a))                                             \
    X(CBRT, "cbrt", 1, cbrt(a))                                             \
    X(ABS, "abs", 1, fabs(a))                                               \
    X(SIGN, "sign", 1, a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a == 0.0 ? 0.0 : a) \
    X(FLOOR, "floor", 1, floor(a))                                          \
    X(CEIL, "ceil", 1, ceil(a))                                             \
    X(ERF, "erf", 1, erf(a))                                                \
    X(STEP, "step", 1, a > 0.0 ? 1.0 : a < 0.0 ? 0.0 : a == 0.0 ? 0.5 : a)

#define ZW_OPS_BINARY(X)                               \
    X(ADD, "+", 1, a + b)                              \
    X(SUB, "-", 1, a - b)                              \
    X(MUL, "*", 1, (a)*b)                              \
    X(DIV, "/", 0, a / b)                              \
    X(POW, "^", 0, pow(a, b))                          \
    X(LT, "<", 1, a < b ? 1.0 : 0.0)                   \
    X(LE, "<=", 1, a <= b ? 1.0 : 0.0)                 \
    X(EQ, "==", 1, a == b ? 1.0 : 0.0)                 \
    X(NE, "!=", 1, a != b ? 1.0 : 0.0)                 \
    X(AND, "and", 1, a != 0.0 && b != 0.0 ? 1.0 : 0.0) \
    X(OR, "or", 1, a != 0.0 || b != 0.0 ? 1.0 : 0.0)   \
    X(MIN, "min", 1, a <= b ? a : b < a ? b : a + b)   \
    X(MAX, "max", 1, a >= b ? a : b > a ? b : a + b)   \
    X(ATAN2, "atan2", 1, atan2(a, b))                  \
    X(HYPOT, "hypot", 1, hypot(a, b))                  \
    X(MOD, "mod", 0, zw_expr_mod(a, b))

typedef enum zw_op {
    ZW_OP_CONSTANT, /* value */
    ZW_OP_INPUT,    /* a is the slot */
#define ZW_OP_ENUM(NAME, text, total, value) ZW_OP_##NAME,
    ZW_OPS_UNARY(ZW_OP_ENUM) ZW_OPS_BINARY(ZW_OP_ENUM)
#undef ZW_OP_ENUM
        ZW_OP_POWI, /* a to the integer b, which is the number itself and no node */
    ZW_OP_TABLE,    /* linear interpolation at a in table number b */
    ZW_OP_SLOPE,    /* its derivative; at a point the slope to the right of it */
    ZW_OP_IF,       /* a != 0 ? b : c */
    ZW_OP_COUNT
} zw_op;

typedef struct zw_expr_node {
    uint8_t  op;
    uint8_t  total; /* finite for every finite input */
    zw_node  a, b, c;
    zw_node  next; /* chain of the hash table */
    double   value;
    uint64_t mask; /* zw_slot_bit of every input that is used */
} zw_expr_node;

typedef struct zw_expr_table {
    int first, points; /* x at knots[first + 2 i], y after it */
} zw_expr_table;

typedef struct zw_dag {
    zw_expr_node  *node; /* node[0] is unused */
    int            nodes, node_room;
    zw_expr_table *table;
    int            tables, table_room;
    double        *knots;
    int            knot_count, knot_room;
    char         **input_name;
    int            inputs, input_room;
} zw_dag;

struct zw_pool {
    zw_context *context;
    zw_dag      dag;
    zw_names    inputs;  /* the number of an input name is its slot */
    zw_node    *bucket;  /* heads of the hash chains */
    int         buckets; /* a power of two */
    int         nodes_max;
    bool        full;  /* nodes_max was reached */
    bool        quiet; /* the parser is at work: it reports a full pool itself, with a column */
    bool        brief; /* nobody reads what the parser suggests */
};

/* the first slots, which are asked for most (t, s, x, y, z), have a bit of their own; the others share the rest */
enum { ZW_SLOTS_ALONE = 32 };
static inline uint64_t zw_slot_bit(int slot) {
    return (uint64_t)1 << (slot < ZW_SLOTS_ALONE ? slot : ZW_SLOTS_ALONE + slot % (64 - ZW_SLOTS_ALONE));
}

/* how many operands are nodes */
static inline int zw_op_arity(int op) {
    if (op <= ZW_OP_INPUT) {
        return 0;
    }
    if (op < ZW_OP_ADD || (op >= ZW_OP_POWI && op <= ZW_OP_SLOPE)) {
        return 1;
    }
    return op == ZW_OP_IF ? 3 : 2;
}

static inline double zw_expr_mod(double a, double b) {
    double r = fmod(a, b);
    return r != 0.0 && (r < 0.0) != (b < 0.0) ? r + b : r;
}

/* a^k as a fixed sequence of products: the same bits with every compiler and mathematics library */
static inline double zw_expr_power(double a, int k) {
    unsigned n = k < 0 ? 0u - (unsigned)k : (unsigned)k;
    double   r = 1.0;
    for (;;) {
        if (n & 1u) {
            r *= a;
        }
        n >>= 1;
        if (n == 0) {
            break;
        }
        a *= a;
    }
    return k < 0 ? 1.0 / r : r;
}

static inline double zw_expr_if(double a, double b, double c) {
    return a != a ? a : a != 0.0 ? b : c;
}

/* segment i of the table with x_i <= x < x_(i+1); -1 left of it, points - 1 right of it or at its end */
int    zw_table_segment(const double *knots, int points, double x);
double zw_table_value(const double *knots, int points, double x);
double zw_table_slope(const double *knots, int points, double x);

/* one node from the values of its operands, by a switch over the table above; constants and inputs are not asked for */
double zw_node_compute(const zw_dag *d, const zw_expr_node *n, double a, double b, double c);
/* every node up to `last`: v[i] is its value; where `keep` is given only nodes with keep[i] */
void zw_dag_compute(const zw_dag *d, int last, const uint8_t *keep, const double *in, double *v);
/* keep[i] = 1 for every node below the marked ones too; walks down from `last`, no recursion */
void zw_dag_reach(const zw_dag *d, int last, uint8_t *keep);
/* text of a node, at most about `limit` bytes: the rest becomes "..." */
void        zw_dag_print(const zw_dag *d, zw_node n, size_t limit, zw_text *out);
const char *zw_op_text(int op);
bool        zw_op_total(int op);

/* making nodes. Every one takes 0 as "memory ran out before" and hands it on */
zw_node zw_node_intern(zw_pool *p, int op, zw_node a, zw_node b, zw_node c, double value); /* no simplification */
zw_node zw_node_build(zw_pool *p, int op, zw_node a, zw_node b, zw_node c);                /* b is a number for POWI, TABLE, SLOPE */
zw_node zw_node_neg(zw_pool *p, zw_node a);
zw_node zw_node_div(zw_pool *p, zw_node a, zw_node b);
zw_node zw_node_pow(zw_pool *p, zw_node a, zw_node b);
zw_node zw_node_powi(zw_pool *p, zw_node a, int k);
int     zw_pool_table(zw_pool *p, const double *knots, int points); /* number of the table with these points; -1 when memory is out */

/* why a node could not be made; the pool has raised it */
static inline zw_status zw_pool_failure(const zw_pool *p) {
    return p->full ? ZW_E_LIMIT : ZW_E_MEMORY;
}

/* sort the operands of + * and or == != so that equal things meet */
static inline bool zw_op_commutes(int op) {
    return op == ZW_OP_ADD || op == ZW_OP_MUL || op == ZW_OP_AND || op == ZW_OP_OR || op == ZW_OP_EQ || op == ZW_OP_NE;
}

#endif
