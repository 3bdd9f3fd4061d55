/* SPDX-License-Identifier: Apache-2.0
 * fuzz_expr.c: expressions: parse, print and parse again (the same nodes), differentiate, evaluate at points and over boxes, explain. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "expr/expr.h"

/* inputs x y t, r.x r.y r.z, kappa.x .. .z .d1 .. .d3 */
static const double in[] = {0.5, -1.5, 2.0, 1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
static const double odd[] = {0.0, -0.0, 1e308, -1e-308, 1.0, 0.0, -1.0, 1e17, 0.0, 0.0, 0.0, 0.0};
enum { INPUTS = sizeof in / sizeof in[0], PRINTED = 1 << 16 };

static void print_and_parse(zw_context *c, zw_scope *s, zw_pool *p, zw_node n) {
    zw_text         text;
    zw_value        again;
    zw_expr_problem problem = {0};
    zw_text_init(&text, c);
    zw_node_print(p, n, &text);
    /* shared nodes print once per use, so short texts may print long: only what a model file could hold is read back */
    if (zw_text_status(&text) == ZW_OK && text.n < PRINTED) {
        zw_status status = zw_expr_parse(s, text.s, &again, &problem);
        if (status == ZW_E_MODEL && strstr(problem.message, "deep")) {
            zw_text_destroy(&text);
            return;
        }
        if (status != ZW_OK || again.width != 1 || again.n[0] != n) {
            fprintf(stderr, "printed: %s\nread back: %s\n", text.s, problem.message);
        }
        FUZZ_DEMAND(status == ZW_OK && again.width == 1 && again.n[0] == n);
    }
    zw_text_destroy(&text);
}

static void evaluate(zw_context *c, zw_pool *p, const zw_node *roots, int n) {
    zw_tape *tape;
    double   out[3], twice[3];
    if (!fuzz_ok(c, zw_tape_create(c, p, roots, n, &tape))) {
        return;
    }
    double *work = malloc(sizeof *work * ((size_t)zw_tape_work(tape) + 1));
    FUZZ_DEMAND(work != NULL);
    for (int k = 0; k < 2; k++) {
        const double *at = k == 0 ? in : odd;
        zw_text       why;
        zw_text_init(&why, c);
        zw_tape_eval(tape, at, work, out);
        zw_tape_eval(tape, at, work, twice);
        FUZZ_DEMAND(memcmp(out, twice, sizeof *out * (size_t)n) == 0);
        zw_tape_explain(tape, at, &why);
        zw_text_destroy(&why);
        for (int i = 0; i < n; i++) {
            double value;
            if (zw_node_is_constant(p, roots[i], &value)) {
                FUZZ_DEMAND(memcmp(&value, &out[i], sizeof value) == 0 || (value != value && out[i] != out[i]));
            }
        }
    }
    for (int i = 0; i < INPUTS; i++) {
        (void)zw_tape_uses(tape, i);
    }
    free(work);
    zw_tape_destroy(tape);
}

/* what the tape gives at a point lies in the enclosure of a box around it, and never is there a nan */
static void enclose(zw_context *c, zw_pool *p, const zw_node *roots, int n) {
    zw_tape    *tape;
    double      out[3];
    zw_interval box[INPUTS], along[INPUTS], value[3], slope[3];
    if (!fuzz_ok(c, zw_tape_create(c, p, roots, n, &tape))) {
        return;
    }
    size_t       size = (size_t)zw_tape_work(tape);
    double      *work = malloc(sizeof *work * (size + 1));
    zw_interval *room = malloc(sizeof *room * (2 * size + 1));
    FUZZ_DEMAND(work != NULL && room != NULL);
    for (int k = 0; k < 4; k++) {
        const double *at = k < 2 ? in : odd;
        for (int i = 0; i < INPUTS; i++) {
            double wide = k % 2 && i % 2 ? 0.75 : 0.0;
            box[i] = (zw_interval){at[i] - wide, at[i] + wide};
            along[i] = (zw_interval){i % 3 ? 0.5 : 0.0, i % 3 ? 1.0 : 0.0};
        }
        zw_tape_eval(tape, at, work, out);
        zw_tape_eval_interval_slope(tape, box, along, room, value, slope);
        for (int i = 0; i < n; i++) {
            FUZZ_DEMAND(value[i].lo <= value[i].hi && slope[i].lo <= slope[i].hi);
            FUZZ_DEMAND(out[i] != out[i] || (value[i].lo <= out[i] && out[i] <= value[i].hi));
        }
    }
    free(work);
    free(room);
    zw_tape_destroy(tape);
}

/* backward and forward give the same; x moves with y */
static void derive(zw_context *c, zw_pool *p, zw_node n) {
    const int slots[3] = {0, 1, 2};
    zw_node   gradient[3], one = zw_node_constant(p, 1.0), along;
    if (one != 0 && fuzz_ok(c, zw_node_gradient(p, n, 3, slots, gradient)) && fuzz_ok(c, zw_node_push(p, 1, &n, 1, slots, &one, &along))) {
        for (int i = 0; i < 3; i++) {
            FUZZ_DEMAND(!zw_node_depends(p, gradient[i], i) || zw_node_depends(p, n, i));
        }
        evaluate(c, p, gradient, 3);
        enclose(c, p, gradient, 3);
    }
}

static zw_status name(zw_scope *s) {
    ZW_TRY(zw_scope_add_input(s, "x"));
    ZW_TRY(zw_scope_add_input(s, "y"));
    ZW_TRY(zw_scope_add_input(s, "t"));
    ZW_TRY(zw_scope_add_vector(s, "r", false));
    ZW_TRY(zw_scope_add_vector(s, "kappa", true));
    return zw_scope_add_hint(s, "speed", "it is known in probes only");
}

/* x moves with y, and r.x is a velocity */
static zw_status move(zw_pool *p, zw_scope *s) {
    const int slot = zw_pool_input(p, "x"), still = zw_pool_input(p, "r.x");
    zw_node   rate = zw_node_input(p, zw_pool_input(p, "y"));
    return zw_scope_set_motion(s, 1, &slot, &rate, zw_pool_input(p, "t"), 1, &still);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    size_t          used;
    zw_context     *c = fuzz_context(&used);
    zw_pool        *p;
    zw_scope       *s;
    zw_value        v, difference;
    zw_relation     relation;
    zw_expr_problem problem;
    char           *text = malloc(n + 1);
    FUZZ_DEMAND(text != NULL);
    if (n > 0) {
        memcpy(text, bytes, n);
    }
    text[n] = 0;
    FUZZ_DEMAND(zw_pool_create(c, &p) == ZW_OK && zw_scope_create(p, NULL, &s) == ZW_OK && name(s) == ZW_OK && move(p, s) == ZW_OK);
    FUZZ_DEMAND(zw_pool_inputs(p) == INPUTS);
    zw_status status = zw_expr_parse(s, text, &v, &problem);
    if (status == ZW_OK) {
        FUZZ_DEMAND(v.width == 1 || v.width == 3);
        evaluate(c, p, v.n, v.width);
        enclose(c, p, v.n, v.width);
        for (int i = 0; i < v.width; i++) {
            print_and_parse(c, s, p, v.n[i]);
            derive(c, p, v.n[i]);
            for (int slot = 0; slot < 2; slot++) {
                zw_node d = zw_node_diff(p, v.n[i], slot);
                if (d != 0) {
                    FUZZ_DEMAND(!zw_node_depends(p, d, slot) || zw_node_depends(p, v.n[i], slot));
                    evaluate(c, p, &d, 1);
                    print_and_parse(c, s, p, d);
                }
            }
            zw_node by = zw_node_substitute(p, v.n[i], 0, zw_node_constant(p, 0.25));
            FUZZ_DEMAND(by == 0 || !zw_node_depends(p, by, 0));
        }
    } else if (status == ZW_E_MODEL) {
        FUZZ_DEMAND(problem.message[0] != 0 && problem.length >= 1 && problem.col >= 1 && (size_t)problem.col <= strlen(text) + 1);
    } else {
        (void)fuzz_ok(c, status);
    }
    status = zw_expr_parse_relation(s, text, &difference, &relation, &problem);
    FUZZ_DEMAND(status != ZW_E_MODEL || problem.message[0] != 0);
    (void)zw_expr_is_name(text);
    zw_scope_destroy(s);
    zw_pool_destroy(p);
    fuzz_context_end(c, &used);
    free(text);
    return 0;
}
