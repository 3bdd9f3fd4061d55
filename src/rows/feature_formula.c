/* SPDX-License-Identifier: Apache-2.0
 * feature_formula.c: the gap of each kind of feature, written as text and differentiated exactly.
 *
 * A mover is at x, turned by the quaternion (r, i), and moves with v and w, so that  x' = v,  r' = -w.i/2,  i' = (r w + w x i)/2;  what is fixed in it
 * at p is at  x + p + 2 r i x p + 2 i x (i x p). Velocities stay along the motion where none acts, so the second derivative at constant v, w is D. */
#include "rows/feature_part.h"

#include "base/context.h"

#include <stdio.h>
#include <string.h>

static const char *const mover_vector[2][4] = {{"xa", "ia", "va", "wa"}, {"xb", "ib", "vb", "wb"}};
static const char *const mover_scalar[2] = {"ra", "rb"}, *const mover_length[2] = {"la", "lb"};
static const char *const constant_vector[5] = {"p", "f", "e", "u", "o"};
static const char *const constant_scalar[4] = {"d", "s", "rho", "phi"};

static const struct {
    const char *name, *text;
} helper[] = {
    {"pa", "xa + p + 2*ra*cross(ia, p) + 2*cross(ia, cross(ia, p))"},
    {"fa", "f + 2*ra*cross(ia, f) + 2*cross(ia, cross(ia, f))"},
    {"eb", "xb + e + 2*rb*cross(ib, e) + 2*cross(ib, cross(ib, e))"},
    {"ub", "u + 2*rb*cross(ib, u) + 2*cross(ib, cross(ib, u))"},
    {"oa", "o + 2*ra*cross(ia, o) + 2*cross(ia, cross(ia, o))"},
    {"ab", "eb - pa"},
    /* rim and edge: where the edge passes the plane of the rim, from the middle; the square of what is left of the chord */
    {"pass", "ab - (dot(fa, ab)/dot(fa, ub))*ub"},
    {"chord", "dot(cross(fa, ub), cross(fa, ub))*rho^2 - dot(fa, cross(ab, ub))^2"},
    {"height", "dot(fa, ab) + dot(fa, ub)*(s*sqrt(chord) - dot(cross(fa, ab), cross(fa, ub)))/dot(cross(fa, ub), cross(fa, ub))"},
    /* rim and rim: where the first passes the plane of the second, from both middles */
    {"sine", "dot(cross(fa, ub), cross(fa, ub))"},
    {"root", "sine*rho^2 - dot(ab, ub)^2"},
    {"cut", "(dot(ab, ub)*(ub - dot(ub, fa)*fa) + s*sqrt(root)*cross(fa, ub))/sine"},
    {"far", "cut - ab"},
    /* rim and round edge: from the line to the place on the rim */
    {"way", "cross(ab - rho*cos(phi)*oa - rho*sin(phi)*cross(fa, oa), ub)"},
};

static const char *const gap_text[ZW_FORMULAS] = {
    [ZW_CORNER_FACE] = "dot(ub, pa - xb) - d",
    [ZW_CORNER_EDGE] = "norm(cross(pa - eb, ub)) - d",
    [ZW_CORNER_CORNER] = "norm(pa - eb) - d",
    [ZW_CORNER_BALL_ROOM] = "d - norm(pa - eb)",
    [ZW_CORNER_PIPE] = "d - norm(cross(pa - eb, ub))",
    [ZW_EDGE_EDGE] = "s*dot(cross(fa, ub), pa - eb)/norm(cross(fa, ub)) - d",
    [ZW_RIM_FACE] = "dot(ub, pa - xb) - d - rho*norm(cross(ub, fa))",
    [ZW_RIM_BALL_ROOM] = "d - hypot(dot(pa - eb, fa), norm(cross(pa - eb, fa)) + rho)",
    [ZW_CORNER_RIM] = "hypot(dot(pa - eb, ub), norm(cross(pa - eb, ub)) - rho) - d",
    [ZW_RIM_EDGE] = "(norm(pass) - rho)/hypot(1, dot(pass, ub)/(norm(pass)*dot(fa, ub)))",
    [ZW_RIM_EDGE_CHORD] = "height/hypot(1, rho*dot(fa, ub)/sqrt(chord))",
    [ZW_RIM_RIM] = "(norm(far) - d)/hypot(1, dot(far, cross(fa, cut))/(norm(far)*sqrt(root)))",
    [ZW_RIM_ROUND] = "s*norm(way) - d",
};

/* square of the sine between what crosses */
static const char *const across_text[ZW_FORMULAS] = {
    [ZW_EDGE_EDGE] = "dot(cross(fa, ub), cross(fa, ub))",
    [ZW_RIM_FACE] = "dot(cross(fa, ub), cross(fa, ub))",
    [ZW_RIM_EDGE] = "dot(fa, ub)^2",
    [ZW_RIM_EDGE_CHORD] = "chord/rho^2",
    [ZW_RIM_RIM] = "root/rho^2",
};

static zw_status parse(zw_context *c, zw_scope *scope, const char *text, zw_value *out) {
    zw_expr_problem problem;
    zw_status       status = zw_expr_parse(scope, text, out, &problem);
    return status == ZW_E_MODEL ? zw_raise(c, ZW_E_INTERNAL, text, NULL, "%s", problem.message) : status;
}

static zw_status make_scope(zw_context *c, zw_formulas *f, zw_scope *scope) {
    char name[16];
    int  n = 0;
    for (int k = 0; k < 2; k++) { /* in the order of the numbers of a mover */
        for (int i = 0; i < 4; i++) {
            ZW_TRY(zw_scope_add_vector(scope, mover_vector[k][i], false));
        }
        ZW_TRY(zw_scope_add_input(scope, mover_scalar[k]));
        ZW_TRY(zw_scope_add_input(scope, mover_length[k]));
        for (int i = 0; i < 4; i++) {
            if (i == 1) {
                f->slot[n++] = zw_pool_input(f->pool, mover_scalar[k]);
            }
            for (int j = 0; j < 3; j++) {
                snprintf(name, sizeof name, "%s.%c", mover_vector[k][i], "xyz"[j]);
                f->slot[n++] = zw_pool_input(f->pool, name);
            }
        }
        f->slot[n++] = zw_pool_input(f->pool, mover_length[k]); /* of no formula */
    }
    n = 0;
    for (int i = 0; i < 5; i++) {
        ZW_TRY(zw_scope_add_vector(scope, constant_vector[i], false));
        for (int j = 0; j < 3; j++) {
            snprintf(name, sizeof name, "%s.%c", constant_vector[i], "xyz"[j]);
            f->constant[n++] = zw_pool_input(f->pool, name);
        }
    }
    for (int i = 0; i < 4; i++) {
        ZW_TRY(zw_scope_add_input(scope, constant_scalar[i]));
        f->constant[n++] = zw_pool_input(f->pool, constant_scalar[i]);
    }
    for (size_t i = 0; i < sizeof helper / sizeof helper[0]; i++) {
        zw_value v;
        ZW_TRY(parse(c, scope, helper[i].text, &v));
        ZW_TRY(zw_scope_add_value(scope, helper[i].name, v));
    }
    return ZW_OK;
}

/* rates of x, r, i of both movers */
static zw_status make_rates(zw_context *c, const zw_formulas *f, zw_scope *scope, int slot[14], zw_node rate[14]) {
    static const char *const text[2][3] = {{"va", "-0.5*dot(wa, ia)", "0.5*(ra*wa + cross(wa, ia))"},
                                           {"vb", "-0.5*dot(wb, ib)", "0.5*(rb*wb + cross(wb, ib))"}};
    for (int k = 0, n = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            zw_value v;
            ZW_TRY(parse(c, scope, text[k][i], &v));
            for (int j = 0; j < v.width; j++, n++) {
                rate[n] = v.n[j];
                slot[n] = f->slot[ZW_MOVER_NUMBERS * k + n - 7 * k];
            }
        }
    }
    return ZW_OK;
}

static zw_status make_formula(zw_context *c, zw_formulas *f, zw_scope *scope, int kind, const int slot[14], const zw_node rate[14]) {
    zw_formula *to = &f->of[kind];
    zw_node     root[ZW_AT_ROOTS], bend;
    zw_value    v;
    int         moving[12];
    ZW_TRY(parse(c, scope, gap_text[kind], &v));
    root[ZW_AT_GAP] = v.n[0];
    ZW_TRY(zw_node_push(f->pool, 1, &root[ZW_AT_GAP], 14, slot, rate, &root[ZW_AT_RATE]));
    ZW_TRY(zw_node_push(f->pool, 1, &root[ZW_AT_RATE], 14, slot, rate, &bend));
    for (int i = 0; i < 12; i++) {
        moving[i] = f->slot[(i < 6 ? 7 : ZW_MOVER_NUMBERS + 1) + i];
    }
    ZW_TRY(zw_node_gradient(f->pool, root[ZW_AT_RATE], 12, moving, root + ZW_AT_SLOPES));
    ZW_TRY(zw_tape_create(c, f->pool, root, ZW_AT_ROOTS, &to->at));
    ZW_TRY(zw_tape_create(c, f->pool, &root[ZW_AT_GAP], 1, &to->gap));
    ZW_TRY(zw_tape_create(c, f->pool, &root[ZW_AT_RATE], 1, &to->rate));
    ZW_TRY(zw_tape_create(c, f->pool, &bend, 1, &to->bend));
    if (across_text[kind] != NULL) {
        ZW_TRY(parse(c, scope, across_text[kind], &v));
        ZW_TRY(zw_tape_create(c, f->pool, v.n, 1, &to->across));
    }
    if (kind == ZW_RIM_ROUND) {
        int     angle = f->constant[ZW_FORMULA_NUMBERS - 1];
        zw_node round_root[ZW_ROUND_ROOTS];
        ZW_TRY(parse(c, scope, "norm(way)", &v));
        round_root[ZW_ROUND_WAY] = v.n[0];
        ZW_TRY(parse(c, scope, "0.5*s*dot(way, way)", &v));
        round_root[ZW_ROUND_SLOPE] = zw_node_diff(f->pool, v.n[0], angle);
        round_root[ZW_ROUND_BEND] = round_root[ZW_ROUND_SLOPE] != 0 ? zw_node_diff(f->pool, round_root[ZW_ROUND_SLOPE], angle) : 0;
        round_root[ZW_ROUND_RATE] = zw_node_diff(f->pool, root[ZW_AT_RATE], angle);
        if (round_root[ZW_ROUND_SLOPE] == 0 || round_root[ZW_ROUND_BEND] == 0 || round_root[ZW_ROUND_RATE] == 0) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(zw_tape_create(c, f->pool, round_root, ZW_ROUND_ROOTS, &to->round));
    }
    return ZW_OK;
}

/* a corner as it is seen from b */
static zw_status make_relative(zw_context *c, zw_formulas *f, zw_scope *scope, const int slot[14], const zw_node rate[14]) {
    zw_node  root[3];
    zw_value v;
    ZW_TRY(parse(c, scope, "pa - xb - 2*rb*cross(ib, pa - xb) + 2*cross(ib, cross(ib, pa - xb))", &v));
    ZW_TRY(zw_node_push(f->pool, 3, v.n, 14, slot, rate, root));
    ZW_TRY(zw_tape_create(c, f->pool, v.n, 3, &f->relative));
    return zw_tape_create(c, f->pool, root, 3, &f->relative_rate);
}

zw_status zw_formulas_create(zw_context *c, zw_formulas *f) {
    zw_scope *scope = NULL;
    zw_status status = ZW_OK;
    int       slot[14], work = 1;
    zw_node   rate[14];
    ZW_TRY(zw_pool_create(c, &f->pool));
    ZW_TRY(zw_scope_create(f->pool, NULL, &scope));
    ZW_TRY_GOTO(make_scope(c, f, scope), done);
    ZW_TRY_GOTO(make_rates(c, f, scope, slot, rate), done);
    for (int k = 0; k < ZW_FORMULAS; k++) {
        ZW_TRY_GOTO(make_formula(c, f, scope, k, slot, rate), done);
        const zw_tape *tape[6] = {f->of[k].at, f->of[k].gap, f->of[k].rate, f->of[k].bend, f->of[k].across, f->of[k].round};
        for (int i = 0; i < 6; i++) {
            int n = tape[i] != NULL ? zw_tape_work(tape[i]) : 0;
            work = n > work ? n : work;
        }
    }
    ZW_TRY_GOTO(make_relative(c, f, scope, slot, rate), done);
    work = zw_tape_work(f->relative) > work ? zw_tape_work(f->relative) : work;
    work = zw_tape_work(f->relative_rate) > work ? zw_tape_work(f->relative_rate) : work;
    f->ninputs = zw_pool_inputs(f->pool);
    f->in = zw_alloc(c, (size_t)f->ninputs, sizeof *f->in, "features");
    f->work = zw_alloc(c, (size_t)work + 1, sizeof *f->work, "features");
    f->box = zw_alloc(c, (size_t)f->ninputs, sizeof *f->box, "features");
    f->slope = zw_alloc(c, (size_t)f->ninputs, sizeof *f->slope, "features");
    f->box_work = zw_alloc(c, 2 * (size_t)work + 1, sizeof *f->box_work, "features");
    if (!f->in || !f->work || !f->box || !f->slope || !f->box_work) {
        status = ZW_E_MEMORY;
    }
done:
    zw_scope_destroy(scope);
    return status;
}

void zw_formulas_destroy(zw_context *c, zw_formulas *f) {
    for (int k = 0; k < ZW_FORMULAS; k++) {
        zw_tape_destroy(f->of[k].at);
        zw_tape_destroy(f->of[k].gap);
        zw_tape_destroy(f->of[k].rate);
        zw_tape_destroy(f->of[k].bend);
        zw_tape_destroy(f->of[k].across);
        zw_tape_destroy(f->of[k].round);
    }
    zw_tape_destroy(f->relative);
    zw_tape_destroy(f->relative_rate);
    zw_free(c, f->level_in);
    zw_free(c, f->level_work);
    zw_free(c, f->in);
    zw_free(c, f->work);
    zw_free(c, f->box);
    zw_free(c, f->slope);
    zw_free(c, f->box_work);
    zw_pool_destroy(f->pool);
}
