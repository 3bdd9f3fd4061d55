/* SPDX-License-Identifier: Apache-2.0
 * kirchhoff.c: rows of a rod whose shear, or shear and stretch, keep their natural values; see kirchhoff.h.
 *
 * The rate D = -d^2(l Gamma)/dt^2 at constant velocities (Omega of both nodes in their directors, xdot in space), by differentiating the formula of rod_link.h twice:
 *   p'  = Ra'd' - Wa x p,  p'' = -Wa x (p' + Ra'd')             d = xb - xa
 *   w'  = y + w x y/2 + c w x (w x y),                           y = Wb - A'Wa,  y' = y x A'Wa
 *   c'  = c1 w.w',  c1' = c2 w.w'                                c1 = (dc/dth)/th, c2 = (dc1/dth)/th */
#include "rows/kirchhoff.h"

#include "base/number.h"
#include "parts/rod.h"
#include "parts/rod_bond.h"
#include "parts/rod_link.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_OFF 0.05 /* strain of a start shape that is still moved onto the rows: coarse meshes of curved shapes stay far below */

typedef struct kirchhoff {
    zw_context    *context;
    const zw_rods *rods;
    const zw_rod  *rod;
    int            part, n;
    char          *text; /* of the row named last */
} kirchhoff;

enum { TEXT = 64 };

bool zw_kirchhoff_wanted(const struct zw_rods *rods, int rod) {
    return rods->rod[rod].held > 0;
}

const char *zw_kirchhoff_word(const struct zw_rods *rods, int rod) {
    return rods->rod[rod].held == 3 ? "inextensible" : "unshearable";
}

static const char *component(int i) {
    static const char *const name[3] = {"shear along d1", "shear along d2", "stretch"};
    return name[i];
}

zw_status zw_kirchhoff_create(const zw_model *m, const zw_body_def *body, struct zw_rods *rods, int part, int rod, zw_constraint *out) {
    const zw_rod *r = &rods->rod[rod];
    for (int i = 0; i < r->nlinks; i++) {
        double strain[6], worst = 0.0;
        int    which = 0;
        zw_rod_link_strain(rods, r, i, rods->q0, strain);
        for (int k = 0; k < r->held; k++) {
            double off = strain[3 + k] - rods->natural[6 * (size_t)(r->link0 + i) + 3 + (size_t)k];
            if (!(fabs(off) <= fabs(worst))) {
                worst = off;
                which = k;
            }
        }
        if (!(fabs(worst) <= MOST_OFF)) {
            char subject[128], number[ZW_NUMBER_TEXT];
            snprintf(subject, sizeof subject, "bodies.%s.rod.shape", body->name);
            return zw_model_raise(m, ZW_E_MODEL, body->rod.shape.at.line > 0 ? body->rod.shape.at : body->at, subject,
                                  "give a shape of the rod's length that follows its directors, or use kinematics: cosserat",
                                  "link %d has a %s of %s at the start, which a rod that is %s does not allow", i + 1, component(which),
                                  zw_number_short(worst, 3, number), zw_kirchhoff_word(rods, rod));
        }
    }
    kirchhoff *k = zw_alloc(m->context, 1, sizeof *k, "rows of a rod");
    char      *text = zw_alloc(m->context, TEXT, 1, "rows of a rod");
    if (k == NULL || text == NULL) {
        zw_free(m->context, k);
        zw_free(m->context, text);
        return ZW_E_MEMORY;
    }
    *k = (kirchhoff){.context = m->context, .rods = rods, .rod = r, .part = part, .n = r->held, .text = text};
    out->ops = &zw_kirchhoff_ops;
    out->self = k;
    out->m = k->n * r->nlinks;
    return ZW_OK;
}

static void kirchhoff_destroy(void *self) {
    kirchhoff *k = self;
    if (k != NULL) {
        zw_free(k->context, k->text);
        zw_free(k->context, k);
    }
}

static void kirchhoff_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const kirchhoff *k = self;
    *tiles = k->rod->nlinks;
    *rows = k->n * k->rod->nlinks;
    *blocks = 2 * k->rod->nlinks;
    *values = 12 * *rows;
}

static const zw_part *part_of(const kirchhoff *k, const zw_system *y) {
    const zw_part *part;
    zw_system_parts(y, &part);
    return &part[k->part];
}

static int near_node(const kirchhoff *k, int link) {
    return k->rod->node0 + link;
}

/* row i of a link on (Omega body, xdot space) of its two nodes: what a unit of stress n_i puts on them */
static void link_rows(const double *qa, const zw_link *link, int n, double row[3][12]) {
    static const double none[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        double unit[3] = {i == 0, i == 1, i == 2}, Ta[3], Tb[3], body[3], space[3];
        zw_link_wrench(link, none, unit, Ta, Tb, body);
        zw_q_rotate(qa + 3, body, space);
        for (int h = 0; h < 3; h++) {
            row[i][h] = Ta[h];
            row[i][3 + h] = space[h];
            row[i][6 + h] = -Tb[h];
            row[i][9 + h] = -space[h];
        }
    }
}

static zw_status kirchhoff_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    const kirchhoff *k = self;
    const zw_part   *p = part_of(k, y);
    const double    *q = x->q + p->q0;
    zw_rods_tune(k->rods, &(zw_state){.s = x->s + p->s0});
    for (int j = 0; j < k->rod->nlinks; j++) {
        int     a = near_node(k, j), b = zw_rod_far(k->rod, j);
        zw_link link;
        double  row[3][12];
        zw_link_strain(q + ZW_ROD_NQ * (size_t)a, q + ZW_ROD_NQ * (size_t)b, &link);
        link_rows(q + ZW_ROD_NQ * (size_t)a, &link, k->n, row);
        A->tile[A->ntiles] = (zw_tile){.id = A->ntiles, .row = A->m, .m = k->n, .block0 = A->nblocks, .nblocks = 2, .kind = ZW_ROW_EQUAL};
        for (int side = 0; side < 2; side++) {
            A->block[A->nblocks++] = (zw_block){.col0 = p->v0 + ZW_ROD_NV * (side == 0 ? a : b), .ncol = ZW_ROD_NV, .a = A->nvalues};
            for (int i = 0; i < k->n; i++) {
                memcpy(A->a + A->nvalues, &row[i][6 * side], 6 * sizeof(double));
                A->nvalues += 6;
            }
        }
        A->ntiles++;
        A->m += k->n;
    }
    return ZW_OK;
}

static zw_status kirchhoff_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    const kirchhoff *k = self;
    const zw_part   *p = part_of(k, y);
    const double    *q = x->q + p->q0, *v = x->v + p->v0;
    zw_rods_tune(k->rods, &(zw_state){.s = x->s + p->s0});
    for (int j = 0; j < k->rod->nlinks; j++, c += k->n) {
        size_t  a = (size_t)near_node(k, j), b = (size_t)zw_rod_far(k->rod, j), at = (size_t)(k->rod->link0 + j);
        zw_link link;
        double  row[3][12];
        if (level == 2) {
            memset(c, 0, sizeof(double) * (size_t)k->n);
            continue;
        }
        zw_link_strain(q + ZW_ROD_NQ * a, q + ZW_ROD_NQ * b, &link);
        if (level == 0) {
            for (int i = 0; i < k->n; i++) {
                c[i] = k->rods->l[at] * k->rods->natural[6 * at + 3 + (size_t)i] - link.u[i];
            }
            continue;
        }
        link_rows(q + ZW_ROD_NQ * a, &link, k->n, row);
        for (int i = 0; i < k->n; i++) {
            c[i] = 0.0;
            for (int h = 0; h < 6; h++) {
                double near = row[i][h] * v[ZW_ROD_NV * a + (size_t)h], far = row[i][6 + h] * v[ZW_ROD_NV * b + (size_t)h];
                c[i] += level == 1 ? near + far : fabs(near) + fabs(far);
            }
        }
    }
    return ZW_OK;
}

/* (dc1/dth)/th: series below, and from y c1 = 1/4 - 3 c + c^2 y (y = th^2), which x cot x gives, differentiated */
static double third_coefficient(double y, double c, double c1) {
    if (y < 0.25) {
        static const double a[7] = {1.0 / 30240.0,
                                    1.0 / 1209600.0,
                                    1.0 / 47900160.0,
                                    691.0 / 1307674368000.0,
                                    1.0 / 74724249600.0,
                                    3617.0 / 10670622842880000.0,
                                    43867.0 / 5109094217170944000.0};
        double              sum = 0.0;
        for (int j = 6; j >= 0; j--) {
            sum = sum * y + 4.0 * (j + 2) * (j + 1) * a[j];
        }
        return sum;
    }
    return 2.0 * (c * c - 2.5 * c1 + c * c1 * y) / y;
}

/* out += f a x b */
static void add_cross(double out[3], double f, const double a[3], const double b[3]) {
    double t[3];
    zw_v3_cross(t, a, b);
    zw_v3_addscaled(out, out, f, t);
}

/* out += f a x (b x d) */
static void add_twice(double out[3], double f, const double a[3], const double b[3], const double d[3]) {
    double t[3];
    zw_v3_cross(t, b, d);
    add_cross(out, f, a, t);
}

void zw_link_second_rate(const double *qa, const double *qb, const double *va, const double *vb, double turn2[3], double out[3]) {
    zw_link link;
    double  turn[4], back[4], p[3], d[3], e[3], p1[3] = {0}, p2[3] = {0}, seen[3], y[3], y1[3] = {0}, w1[3], w2[3];
    zw_link_strain(qa, qb, &link);
    const double *w = link.w;
    double        c = link.c, c1 = link.c1, c2 = third_coefficient(zw_v3_norm2(w), c, c1);
    zw_v3_sub(d, qb, qa);
    zw_q_rotate_back(qa + 3, d, p);
    zw_v3_sub(d, vb + 3, va + 3);
    zw_q_rotate_back(qa + 3, d, e);
    zw_v3_copy(p1, e);
    add_cross(p1, -1.0, va, p);
    add_cross(p2, -1.0, va, p1);
    add_cross(p2, -1.0, va, e);
    zw_q_conj_mul(qa + 3, qb + 3, turn);
    zw_q_conj(turn, back);
    zw_q_rotate(back, va, seen);
    zw_v3_sub(y, vb, seen);
    add_cross(y1, 1.0, y, seen);
    zw_v3_copy(w1, y);
    add_cross(w1, 0.5, w, y);
    add_twice(w1, c, w, w, y);
    double ww = zw_v3_dot(w, w1), rate = c1 * ww;
    zw_v3_copy(w2, y1);
    add_cross(w2, 0.5, w1, y);
    add_cross(w2, 0.5, w, y1);
    add_twice(w2, rate, w, w, y);
    add_twice(w2, c, w1, w, y);
    add_twice(w2, c, w, w1, y);
    add_twice(w2, c, w, w, y1);
    zw_v3_copy(turn2, w2);
    double rate2 = c2 * ww * ww + c1 * (zw_v3_norm2(w1) + zw_v3_dot(w, w2));
    zw_v3_copy(out, p2);
    add_cross(out, -0.5, w2, p);
    add_cross(out, -1.0, w1, p1);
    add_cross(out, -0.5, w, p2);
    add_twice(out, rate2, w, w, p);
    add_twice(out, 2.0 * rate, w1, w, p);
    add_twice(out, 2.0 * rate, w, w1, p);
    add_twice(out, 2.0 * rate, w, w, p1);
    add_twice(out, c, w2, w, p);
    add_twice(out, c, w, w2, p);
    add_twice(out, c, w, w, p2);
    add_twice(out, 2.0 * c, w1, w1, p);
    add_twice(out, 2.0 * c, w1, w, p1);
    add_twice(out, 2.0 * c, w, w1, p1);
}

static zw_status kirchhoff_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    const kirchhoff *k = self;
    const zw_part   *p = part_of(k, y);
    const double    *q = x->q + p->q0, *v = x->v + p->v0;
    zw_rods_tune(k->rods, &(zw_state){.s = x->s + p->s0});
    for (int j = 0; j < k->rod->nlinks; j++) {
        size_t a = (size_t)near_node(k, j), b = (size_t)zw_rod_far(k->rod, j);
        double turn[3], rate[3];
        zw_link_second_rate(q + ZW_ROD_NQ * a, q + ZW_ROD_NQ * b, v + ZW_ROD_NV * a, v + ZW_ROD_NV * b, turn, rate);
        for (int i = 0; i < k->n; i++) {
            *D++ = -rate[i];
        }
    }
    return ZW_OK;
}

/* inside the rod: nothing acts from outside */
static void kirchhoff_reaction(void *self, const zw_system *y, const zw_state *x, const double *lambda, double wrench[6]) {
    (void)self, (void)y, (void)x, (void)lambda;
    memset(wrench, 0, 6 * sizeof *wrench);
}

static const char *kirchhoff_row_name(const void *self, int row) {
    const kirchhoff *k = self;
    snprintf(k->text, TEXT, "%s of link %d", component(row % k->n), row / k->n + 1);
    return k->text;
}

int zw_kirchhoff_part(const void *self) {
    return ((const kirchhoff *)self)->part;
}

int zw_kirchhoff_links(const void *self) {
    return ((const kirchhoff *)self)->rod->nlinks;
}

int zw_kirchhoff_held(const void *self) {
    return ((const kirchhoff *)self)->n;
}

int zw_kirchhoff_rod(const void *self) {
    const kirchhoff *k = self;
    return (int)(k->rod - k->rods->rod);
}

int zw_kirchhoff_node(const void *self, int link, int side) {
    const kirchhoff *k = self;
    return side == 0 ? near_node(k, link) : zw_rod_far(k->rod, link);
}

double zw_kirchhoff_length(const void *self, int link) {
    const kirchhoff *k = self;
    return k->rods->l[k->rod->link0 + link];
}

double zw_kirchhoff_ease(const void *self, int link) {
    const kirchhoff *k = self;
    size_t           at = (size_t)(k->rod->link0 + link);
    double           l = k->rods->l[at], B = fmax(k->rods->stiffness[6 * at], k->rods->stiffness[6 * at + 1]);
    return l * l * l / B;
}

void zw_kirchhoff_secant(const void *self, int link, const zw_secant_node a[2], const zw_secant_node b[2], double g[3], double mean[3][12],
                         double end[3][12]) {
    const kirchhoff *k = self;
    size_t           at = (size_t)(k->rod->link0 + link);
    zw_bond          bond;
    zw_rod_bond(&a[0], &b[0], &a[1], &b[1], k->n, &bond);
    for (int i = 0; i < k->n; i++) {
        g[i] = k->rods->l[at] * k->rods->natural[6 * at + 3 + (size_t)i] - bond.gamma[i];
        for (int c = 0; c < 12; c++) {
            mean[i][c] = -bond.mean[i][c];
            end[i][c] = -bond.end[i][c];
        }
    }
}

void zw_kirchhoff_turns(const void *self, int link, const zw_secant_node a[2], const zw_secant_node b[2], const double *force, double *K) {
    const kirchhoff *k = self;
    double           pull[3] = {0.0, 0.0, 0.0};
    (void)link;
    for (int i = 0; i < k->n; i++) {
        pull[i] = -force[i];
    }
    zw_rod_bond_turns(&a[0], &b[0], &a[1], &b[1], pull, K);
}

void zw_kirchhoff_force(const void *self, const zw_place *p, const double *lambda, double force[3]) {
    const kirchhoff *k = self;
    int              links[2];
    double           share[2];
    int              count = zw_rod_measured_links(k->rods, k->rod, p, links, share);
    zw_v3_zero(force);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < k->n; j++) {
            force[j] += share[i] * lambda[k->n * links[i] + j];
        }
    }
}

const zw_constraint_ops zw_kirchhoff_ops = {
    .kind = "kirchhoff",
    .count = kirchhoff_count,
    .rows = kirchhoff_rows,
    .values = kirchhoff_values,
    .rate = kirchhoff_rate,
    .reaction = kirchhoff_reaction,
    .row_name = kirchhoff_row_name,
    .destroy = kirchhoff_destroy,
};
