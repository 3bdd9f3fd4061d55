/* SPDX-License-Identifier: Apache-2.0
 * rubs.h: bodies in contact with friction, six columns (v, omega) each, for the tests of the kernel with friction, and a second look at Coulomb's law. */
#ifndef ZW_TESTS_PROJECT_RUBS_H
#define ZW_TESTS_PROJECT_RUBS_H

#include "project/coulomb.h"
#include "tests/project/contacts.h"

typedef struct rubs {
    contacts    q; /* N and A */
    zw_rows     T;
    zw_coulomb *s;
    int        *slide, count;
    double     *mu, *c, *wind, *p, *pt, speed;
} rubs;

static inline void rubs_open(rubs *r, uint64_t seed) {
    *r = (rubs){.speed = 1.0};
    contacts_open(&r->q, NULL, seed);
    assert_int_equal(zw_coulomb_create(r->q.p.context, &r->s), ZW_OK);
}

static inline void rubs_clear(rubs *r) {
    void *all[] = {r->T.tile, r->T.block, r->T.a, r->slide, r->mu, r->c, r->wind, r->p, r->pt};
    contacts_clear(&r->q);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    zw_coulomb *s = r->s;
    contacts    q = r->q;
    *r = (rubs){.s = s, .q = q, .speed = 1.0};
}

static inline void rubs_close(rubs *r) {
    rubs_clear(r);
    zw_coulomb_destroy(r->s);
    contacts_close(&r->q);
}

static inline void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void across(const double n[3], double t[2][3]) {
    double e[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0.0}, size;
    cross(n, e, t[0]);
    size = sqrt(t[0][0] * t[0][0] + t[0][1] * t[0][1] + t[0][2] * t[0][2]);
    for (int k = 0; k < 3; k++) {
        t[0][k] /= size;
    }
    cross(n, t[0], t[1]);
}

/* body a at its point ra touches b (-1: the ground) at its point rb; n points from b to a; mu < 0: no rows of T */
static inline void add_rub(rubs *r, int a, const double ra[3], int b, const double rb[3], const double n[3], double mu) {
    double t[2][3], row[3][12], arm[3];
    int    col[2] = {6 * a, 6 * b}, sides = b < 0 ? 1 : 2, i = r->count++;
    across(n, t);
    for (int k = 0; k < 3; k++) {
        const double *d = k == 0 ? n : t[k - 1];
        for (int side = 0; side < sides; side++) {
            double sign = side == 0 ? 1.0 : -1.0;
            cross(side == 0 ? ra : rb, d, arm);
            for (int j = 0; j < 3; j++) {
                row[k][6 * side + j] = sign * d[j];
                row[k][6 * side + 3 + j] = sign * arm[j];
            }
        }
    }
    add_contact(&r->q, sides, col, 6, row[0]);
    r->slide = realloc(r->slide, sizeof(int) * (size_t)r->count);
    r->mu = realloc(r->mu, sizeof(double) * (size_t)r->count);
    r->slide[i] = mu < 0.0 ? -1 : r->T.ntiles;
    r->mu[i] = fmax(mu, 0.0);
    if (mu >= 0.0) {
        zw_rows   A = r->q.p.rows;
        ptrdiff_t at = r->T.nvalues;
        r->q.p.rows = r->T;
        add_tile(&r->q.p, 2, sides, col, 6);
        r->T = r->q.p.rows;
        r->q.p.rows = A;
        for (int side = 0; side < sides; side++) {
            for (int k = 0; k < 2; k++) {
                memcpy(r->T.a + at + 12 * side + 6 * k, row[1 + k] + 6 * side, sizeof(double[6]));
            }
        }
    }
}

static inline void add_bodies(rubs *r, int count, double mass, double inertia) {
    add_diagonal(&r->q.p, 6 * count, 0.0);
    for (int k = 0; k < 6 * count; k++) {
        r->q.p.part[r->q.p.metric.nparts - 1].a[k] = k % 6 < 3 ? mass : inertia;
    }
}

static inline void rubs_make(rubs *r) { /* right sides, all zero */
    size_t n = (size_t)r->count + 1;
    vectors_make(&r->q);
    r->c = calloc(n, sizeof(double));
    r->wind = calloc(2 * n, sizeof(double));
    r->p = calloc(n, sizeof(double));
    r->pt = calloc(2 * n, sizeof(double));
}

static inline zw_coulomb_problem rubs_problem(const rubs *r) {
    return (zw_coulomb_problem){.H = &r->q.p.metric,
                                .A = &r->q.p.rows,
                                .N = &r->q.N,
                                .T = &r->T,
                                .slide = r->slide,
                                .f = r->q.f,
                                .b = r->q.b,
                                .c = r->c,
                                .mu = r->mu,
                                .wind = r->wind,
                                .speed = r->speed};
}

static inline zw_status rubs_solve(rubs *r, bool again, zw_coulomb_info *info) {
    zw_coulomb_problem pb = rubs_problem(r);
    pb.again = pb.guess = again;
    return zw_coulomb_solve(r->s, &pb, r->q.x, r->q.lambda, r->p, r->pt, info);
}

typedef struct verdict {
    double balance, equal, gap, sign, slack, cone,
        dissipation; /* of forces, rows, speeds, impulses and powers, each relative to its largest */
} verdict;

/* the conditions of the law one by one, from the input alone */
static inline verdict rubs_look(const rubs *r) {
    const contacts *q = &r->q;
    int             nv = q->p.metric.n, m = q->p.rows.m, n = r->count;
    double *z = calloc((size_t)nv + 1, sizeof *z), *terms = calloc((size_t)nv + 1, sizeof *z), *w = calloc(2 * (size_t)n + 2, sizeof *w);
    double *one = calloc((size_t)(nv + m + 2 * n) + 2, sizeof *one), *u = calloc((size_t)n + 1, sizeof *u),
           *e = calloc((size_t)m + 1, sizeof *e);
    double *push = calloc(2 * (size_t)n + 2, sizeof *push), force = 1e-300, impulse = 1e-300, speed = r->speed;
    verdict v = {0};
    metric_product(&q->p, q->x, z, terms);
    for (int i = 0; i < m; i++) {
        one[i] = -q->lambda[i];
    }
    rows_transposed(&q->p.rows, one, z, terms);
    for (int i = 0; i < n; i++) {
        one[i] = -r->p[i];
        impulse = fmax(impulse, r->p[i]);
        for (int k = 0; k < 2 && r->slide[i] >= 0; k++) {
            push[2 * r->slide[i] + k] = -r->pt[2 * i + k];
        }
    }
    rows_transposed(&q->N, one, z, terms);
    rows_transposed(&r->T, push, z, terms);
    for (int j = 0; j < nv; j++) {
        force = fmax(force, terms[j] + fabs(q->f[j]));
    }
    for (int j = 0; j < nv; j++) {
        v.balance = fmax(v.balance, fabs(z[j] - q->f[j]) / force);
    }
    double *size = calloc((size_t)nv + 1, sizeof *size), *scrap = calloc((size_t)(m + 2 * n) + 2, sizeof *scrap);
    rows_product(&q->p.rows, q->x, size, e, scrap);
    rows_product(&q->N, q->x, size, u, scrap);
    rows_product(&r->T, q->x, size, w, scrap);
    for (int i = 0; i < m; i++) {
        v.equal = fmax(v.equal, fabs(e[i] - q->b[i]) / speed);
    }
    for (int i = 0; i < n; i++) {
        double gap = u[i] - r->c[i], t[2] = {0}, pull = hypot(r->pt[2 * i], r->pt[2 * i + 1]), limit = r->mu[i] * r->p[i];
        for (int k = 0; k < 2 && r->slide[i] >= 0; k++) {
            t[k] = w[2 * r->slide[i] + k] + r->wind[2 * i + k];
        }
        v.gap = fmax(v.gap, -gap / speed);
        v.sign = fmax(v.sign, -r->p[i] / impulse);
        v.slack = fmax(v.slack, fabs(gap) * r->p[i] / (speed * impulse));
        v.cone = fmax(v.cone, (pull - limit) / impulse);
        v.dissipation =
            fmax(v.dissipation, fabs(r->pt[2 * i] * t[0] + r->pt[2 * i + 1] * t[1] + limit * hypot(t[0], t[1])) / (speed * impulse));
    }
    void *all[] = {z, terms, w, one, u, e, push, size, scrap};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    return v;
}

static inline double verdict_worst(verdict v) {
    return fmax(fmax(fmax(v.balance, v.equal), fmax(v.gap, v.sign)), fmax(fmax(v.slack, v.cone), v.dissipation));
}

/* ---- spheres of radius 1/2 and mass 1 in a box, each layer in the hollows of the one below; shake: random velocities beside that of falling */
static inline void pile_of_spheres(rubs *r, int wide, int layers, double mu, double shake, double disorder) {
    int     n = wide * wide * layers;
    double *at = malloc(3 * (size_t)n * sizeof *at), wall = wide - 1.0 + 0.5;
    add_bodies(r, n, 1.0, 0.1);
    for (int k = 0; k < n; k++) {
        int    layer = k / (wide * wide);
        double shift = layer % 2 == 1 ? 0.5 : 0.0;
        at[3 * k] = k % wide + shift + disorder * random_unit(&r->q.p);
        at[3 * k + 1] = k / wide % wide + shift + disorder * random_unit(&r->q.p);
        at[3 * k + 2] = sqrt(0.5) * layer + disorder * random_unit(&r->q.p);
    }
    for (int k = 0; k < n; k++) {
        for (int l = k + 1; l < n && l < k + 3 * wide * wide; l++) {
            double d[3] = {at[3 * l] - at[3 * k], at[3 * l + 1] - at[3 * k + 1], at[3 * l + 2] - at[3 * k + 2]};
            double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (size < 1.0 + 1e-9 + 4.0 * disorder) {
                double e[3] = {d[0] / size, d[1] / size, d[2] / size}, ra[3] = {-0.5 * e[0], -0.5 * e[1], -0.5 * e[2]},
                       rb[3] = {0.5 * e[0], 0.5 * e[1], 0.5 * e[2]};
                add_rub(r, l, ra, k, rb, e, mu);
            }
        }
        for (int side = 0; side < 5; side++) {
            double e[3] = {side == 0 ? 1.0 : side == 1 ? -1.0 : 0.0, side == 2 ? 1.0 : side == 3 ? -1.0 : 0.0, side == 4 ? 1.0 : 0.0};
            double x = side < 2 ? at[3 * k] : side < 4 ? at[3 * k + 1] : at[3 * k + 2];
            double ra[3] = {-0.5 * e[0], -0.5 * e[1], -0.5 * e[2]};
            if (side == 1 || side == 3 ? x > wall - 4.0 * disorder - 1e-9 : x < 4.0 * disorder + 1e-9) {
                add_rub(r, k, ra, -1, NULL, e, mu);
            }
        }
    }
    rubs_make(r);
    for (int k = 0; k < 6 * n; k++) {
        r->q.f[k] = shake * random_unit(&r->q.p) * (k % 6 < 3 ? 1.0 : 0.1) - (k % 6 == 2 ? 1.0 : 0.0);
    }
    free(at);
}

#endif
