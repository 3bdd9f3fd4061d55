/* SPDX-License-Identifier: Apache-2.0
 * expr.h: every user function of a model. Text is parsed into a hash-consed DAG of scalar nodes (a vector is three nodes), differentiated exactly,
 * and compiled to a tape that evaluates without allocating.
 *
 *   pool    owns nodes and inputs. An input is a named scalar slot (t, a parameter, s, x, ...): one array `in[]` with one
 *           double per slot of the pool is what every tape reads.
 *   scope   which names an expression may use; the same input can be open in one scope and closed in another.
 *   value   what a text means: width 1 (scalar) or 3 (vector); comparisons give 1 or 0.
 *   tape    straight-line code for some nodes.
 *
 * Functions: sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log10 sqrt cbrt abs sign floor ceil mod pow hypot erf
 * min max clamp step (0, 1/2 at 0, 1) if(c,a,b) table(x, x1,y1, x2,y2, ...) (linear, constant outside); vectors: [a, b, c] dot cross norm unit;
 * dt(e), the total derivative by time, where the scope says what moves; constants pi, e unless the scope names them otherwise. Operators: + - * / ^ (right, unary minus below it: -x^2 = -(x^2)), < <= > >= == !=, and or not.
 * Components: v.x v.y v.z (space axes), and v.d1 v.d2 v.d3 (directors) where the symbol has them. */
#ifndef ZW_EXPR_EXPR_H
#define ZW_EXPR_EXPR_H

#include "base/context.h"
#include "base/text.h"

typedef int32_t         zw_node; /* index into the pool; 0: none */
typedef struct zw_pool  zw_pool;
typedef struct zw_scope zw_scope;
typedef struct zw_tape  zw_tape;

typedef struct zw_value {
    int     width; /* 1 or 3; 0: nothing */
    zw_node n[3];
} zw_value;

/* what is wrong with a text; col is the 1-based byte column in the text handed in */
typedef struct zw_expr_problem {
    int  col, length; /* length of the offending token, at least 1 */
    char message[300];
    char remedy[200]; /* "did you mean 'sin'?", "known here: t, s, L" */
} zw_expr_problem;

/* ---- pool and nodes */
zw_status   zw_pool_create(zw_context *c, zw_pool **out);
void        zw_pool_destroy(zw_pool *p);
int         zw_pool_input(zw_pool *p, const char *name); /* slot of the input of that name, made when new; -1 when memory is out */
int         zw_pool_inputs(const zw_pool *p);            /* how many slots there are: the length of in[] */
void        zw_pool_set_brief(zw_pool *p, bool brief);   /* brief: unknown names get no suggestion, for errors that nobody sees */
const char *zw_pool_input_name(const zw_pool *p, int slot);
zw_node     zw_node_constant(zw_pool *p, double value);
zw_node     zw_node_input(zw_pool *p, int slot);
bool        zw_node_is_constant(const zw_pool *p, zw_node n, double *value);
bool        zw_node_depends(const zw_pool *p, zw_node n, int slot); /* does the value use that input? */
zw_node     zw_node_diff(zw_pool *p, zw_node n, int slot);          /* exact derivative by that input; 0 when memory is out */
zw_node     zw_node_substitute(zw_pool *p, zw_node n, int slot, zw_node by);
zw_node     zw_node_add(zw_pool *p, zw_node a, zw_node b); /* the arithmetic that other rooms build with */
zw_node     zw_node_sub(zw_pool *p, zw_node a, zw_node b);
zw_node     zw_node_mul(zw_pool *p, zw_node a, zw_node b);
void        zw_node_print(const zw_pool *p, zw_node n, zw_text *out); /* readable text that parses back to the same node */

/* ---- derivatives of many, by one pass over the DAG. ZW_E_MEMORY is raised */
/* reverse: out[i] = d n/d slots[i] */
zw_status zw_node_gradient(zw_pool *p, zw_node n, int nslots, const int *slots, zw_node *out);
/* forward: out[k] = sum over i of d roots[k]/d slots[i] * seed[i] */
zw_status zw_node_push(zw_pool *p, int nroots, const zw_node *roots, int nslots, const int *slots, const zw_node *seed, zw_node *out);

/* ---- printing many nodes together: what several of them use gets a number, a1, a2, ... */
typedef enum zw_notation { ZW_AS_TEXT, ZW_AS_LATEX, ZW_AS_C } zw_notation;
typedef struct zw_naming { /* how inputs are written; NULL result or name: as in the pool */
    const char *(*name)(void *user, int slot);
    void *user;
} zw_naming;
typedef struct zw_sheet zw_sheet;
zw_status zw_sheet_create(zw_context *c, const zw_pool *p, const zw_node *roots, int n, zw_notation as, const zw_naming *names,
                          zw_sheet **out);
void      zw_sheet_destroy(zw_sheet *s);
int       zw_sheet_shared(const zw_sheet *s); /* how many shared sub-expressions, in order of use */
void      zw_sheet_shared_print(const zw_sheet *s, int i, zw_text *name, zw_text *definition); /* a3 and what it is, by earlier ones */
void      zw_sheet_print(const zw_sheet *s, int root, zw_text *out);

/* ---- scope */
/* asked for a name the scope does not have; returns ZW_OK with out->width 0 when it does not know it either (parameters in any order) */
typedef zw_status (*zw_scope_resolver)(void *user, const char *name, zw_value *out, zw_expr_problem *problem);

zw_status zw_scope_create(zw_pool *p, const zw_scope *parent,
                          zw_scope **out); /* parent's names are visible; NULL: only functions and constants */
void      zw_scope_destroy(zw_scope *s);
zw_status zw_scope_add_input(zw_scope *s, const char *name); /* a scalar input of the pool */
zw_status zw_scope_add_vector(zw_scope *s, const char *name,
                              bool directors); /* inputs name.x name.y name.z, and name.d1 .. .d3 when asked; alone it means x,y,z */
zw_status zw_scope_add_value(zw_scope *s, const char *name, zw_value v);     /* a named sub-expression */
zw_status zw_scope_add_hint(zw_scope *s, const char *name, const char *why); /* known elsewhere: the error says why not here */
/* what moves: dt(e) is the sum of de/d(slots[i]) rates[i], plus de/dt by slot_t. Without it, dt() is an error that says why.
 * `still`: slots that dt() must not meet (velocities whose rates are not known here); the error names the first one met */
zw_status zw_scope_set_motion(zw_scope *s, int n, const int *slots, const zw_node *rates, int slot_t, int nstill, const int *still);
void      zw_scope_set_resolver(zw_scope *s, zw_scope_resolver f, void *user);

/* ---- text to value. On ZW_E_MODEL the problem is filled (nothing is raised); ZW_E_MEMORY is raised */
typedef enum zw_relation { ZW_RELATION_EQUAL, ZW_RELATION_AT_MOST, ZW_RELATION_AT_LEAST } zw_relation;
zw_status zw_expr_parse(zw_scope *s, const char *text, zw_value *out, zw_expr_problem *problem);
zw_status zw_expr_parse_relation(zw_scope *s, const char *text, zw_value *left_minus_right, zw_relation *relation,
                                 zw_expr_problem *problem);
bool      zw_expr_is_name(const char *text); /* letter or _, then letters, digits, _ : what may be a parameter, body or probe */

/* ---- tape */
zw_status zw_tape_create(zw_context *c, const zw_pool *p, const zw_node *roots, int n, zw_tape **out);
void      zw_tape_destroy(zw_tape *t);
int       zw_tape_work(const zw_tape *t); /* doubles of work space for one evaluation */
bool      zw_tape_uses(const zw_tape *t, int slot);
void zw_tape_eval(const zw_tape *t, const double *in, double *work, double *out); /* out[i] = roots[i]; never fails; may give nan or inf */
/* after an evaluation with a result that is not finite: the first sub-expression at fault, with its operands ("log(x - 2) with x = 1 gives nan") */
void zw_tape_explain(const zw_tape *t, const double *in, zw_text *out);

/* ---- a tape over boxes: every result encloses all values that the roots take there, rounded outwards. A function that is not defined all over the
 * box (log across 0, division across 0) gives the whole line, never nan. `slope` encloses the derivative along din: d/d(tau) at in + tau din */
typedef struct zw_interval {
    double lo, hi;
} zw_interval;
void zw_tape_eval_interval(const zw_tape *t, const zw_interval *in, zw_interval *work, zw_interval *out); /* work: zw_tape_work(t) */
void zw_tape_eval_interval_slope(const zw_tape *t, const zw_interval *in, const zw_interval *din, zw_interval *work, zw_interval *out,
                                 zw_interval *slope); /* work: 2 zw_tape_work(t) */

/* after a box with a result that is the whole line: the first sub-expression that is not bounded there, with the inputs it is made of
 * ("1/x is not bounded with x from -0.1 to 0.2") */
void zw_tape_explain_box(const zw_tape *t, const zw_interval *in, zw_text *out);

/* ---- eight points at once: some inputs have a value of their own at every point, the others are common to all of them. Each point gets the
 * bits that zw_tape_eval gives there (a nan may have other bits, and is a nan) */
enum { ZW_TAPE_LANES = 8 };
zw_status zw_tape_widen(zw_tape *t, const int *slots, int n);          /* which inputs vary; before the three below */
int       zw_tape_work_wide(const zw_tape *t);                         /* doubles of work space */
void zw_tape_common(const zw_tape *t, const double *in, double *work); /* what is common; again when another input than those changes */
/* lanes[8 i + k] is the value of slots[i] at point k; out[8 i + k] that of roots[i] */
void zw_tape_eval_wide(const zw_tape *t, const double *lanes, double *work, double *out);
void zw_tape_eval_half(const zw_tape *t, const double *lanes, double *work, double *out); /* the first four points of each row alone */

#endif
