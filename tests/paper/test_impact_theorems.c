/* SPDX-License-Identifier: Apache-2.0
 * test_impact_theorems.c: theorems 1 and 2 on random linked systems: planar chains (pinned or free, hit at a link or at a joint), spatial trees of ball joints
 * (against a wall, or two bodies of the tree against each other), four-bar loops, parallelograms with a third crank (their joint impulses are not unique).
 *
 * Three solutions of each impact:
 *   engine    maximal coordinates: rows and kernel, through a run; joint impulses from the ledger
 *   (2.3)/(3.1)  generalized coordinates, A = J' M J, grad f = J' n, with W and Delta as printed away from k = 1
 *   momenta   every body's momentum and angular momentum with joint impulses and one contact impulse, and the energy equation: a dense linear system and a
 *             quadratic equation, solved here
 * and the impulses of the ledger are put into the momentum equations of every body. */
#include "support/ledger.h"

#include "math/dense.h"
#include "project/unilateral.h"

enum { B = 5, JOINTS = 6, NV = 6 * B, NQ = 3 + 3 * B, SIZE = NV + 3 * JOINTS };

typedef struct body {
    double m, I[3], X[3], turn[3], R[9]; /* R: columns are the body's axes */
} body;

typedef struct joint {
    int    a, b; /* bodies; b < 0: ground */
    double at[3];
} joint;

typedef enum shape { TREE, FOUR_BAR, PARALLELOGRAM } shape;

typedef struct mechanism {
    shape  what;
    int    n, nj, d; /* bodies, joints, degrees of freedom */
    bool   planar, pinned;
    body   body[B];
    joint  joint[JOINTS]; /* of a tree: joint i hangs body a = its child to b = its parent, parents first */
    int    hit, other;    /* bodies that meet; other < 0: a wall */
    int    hit_joint;     /* < 0: it is not at a joint */
    double at[3], normal[3];
    double k;
    double qd[NQ], V[NV]; /* generalized speeds, velocities (w, v) of all bodies */
} mechanism;

static uint64_t seed = 77001;

static double uniform(double lo, double hi) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static int below(int n) {
    return (int)uniform(0.0, n - 1e-9);
}

/* ---- geometry */

static void set_body(mechanism *s, int i, const double at[3], double angle) {
    body *b = &s->body[i];
    b->m = exp(uniform(-1.2, 1.2));
    double p[3], size = b->m * uniform(0.02, 0.3);
    for (int k = 0; k < 3; k++) {
        p[k] = uniform(0.2, 1.0) * size;
        b->turn[k] = s->planar ? 0.0 : uniform(-1.5, 1.5);
    }
    b->I[0] = p[1] + p[2];
    b->I[1] = p[2] + p[0];
    b->I[2] = p[0] + p[1];
    b->turn[2] = s->planar ? angle : b->turn[2];
    memcpy(b->X, at, sizeof b->X);
    double a = zw_v3_norm(b->turn), c = cos(a), q = a > 0.0 ? sin(a) / a : 1.0, r = a > 0.0 ? (1.0 - c) / (a * a) : 0.5, *t = b->turn;
    double K[9] = {0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0};
    for (int i1 = 0; i1 < 3; i1++) {
        for (int j = 0; j < 3; j++) {
            b->R[3 * i1 + j] = (i1 == j ? c : 0.0) + q * K[3 * i1 + j] + r * t[i1] * t[j];
        }
    }
}

static void point_near(const mechanism *s, const double at[3], double reach, double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = at[k] + (s->planar && k == 2 ? 0.0 : uniform(-reach, reach));
    }
}

static void velocity_at(const double *V, const body *b, const double at[3], double out[3]) {
    double arm[3];
    zw_v3_sub(arm, at, b->X);
    zw_v3_cross(out, V, arm);
    zw_v3_add(out, out, V + 3);
}

/* velocities of all bodies from generalized speeds: what J is */
static void forward(const mechanism *s, const double *qd, double *V) {
    memset(V, 0, sizeof(double) * NV);
    if (s->what == TREE) {
        const double *at = qd;
        int           root = s->pinned ? 0 : s->planar ? 2 : 3;
        memcpy(V + 3, at, sizeof(double) * (size_t)root); /* of a free root */
        at += root;
        for (int i = 0; i < s->n; i++) {
            if (s->planar) {
                V[6 * i + 2] = *at++;
            } else {
                memcpy(V + 6 * i, at, 3 * sizeof(double));
                at += 3;
            }
        }
        for (int j = 0; j < s->nj; j++) {
            const joint *k = &s->joint[j];
            double       arm[3], turn[3], end[3] = {0, 0, 0};
            if (k->b >= 0) {
                velocity_at(V + 6 * k->b, &s->body[k->b], k->at, end);
            }
            zw_v3_sub(arm, s->body[k->a].X, k->at);
            zw_v3_cross(turn, V + 6 * k->a, arm);
            zw_v3_add(V + 6 * k->a + 3, end, turn);
        }
        return;
    }
    double w[B];
    if (s->what == FOUR_BAR) { /* w1 x AB + w2 x BC = w3 x DC */
        const double *A = s->joint[0].at, *P = s->joint[1].at, *C = s->joint[2].at, *D = s->joint[3].at;
        double        a[2] = {-(P[1] - A[1]), P[0] - A[0]}, b[2] = {-(C[1] - P[1]), C[0] - P[0]}, c[2] = {-(C[1] - D[1]), C[0] - D[0]};
        double        det = -b[0] * c[1] + b[1] * c[0];
        w[0] = qd[0];
        w[1] = qd[0] * (a[0] * c[1] - a[1] * c[0]) / det;
        w[2] = qd[0] * (-b[0] * a[1] + b[1] * a[0]) / det;
    } else {
        w[0] = w[1] = w[2] = qd[0];
        w[3] = 0.0;
    }
    static const double zero[3];
    for (int i = 0; i < s->n; i++) { /* each body but the coupler hangs on the ground */
        int           coupler = s->what == FOUR_BAR ? 1 : 3;
        const double *about = s->joint[s->what == FOUR_BAR ? (i == 0 ? 0 : 3) : i].at, *known = zero;
        double        arm[3], end[3];
        if (i == coupler) {
            about = s->joint[s->what == FOUR_BAR ? 1 : 3].at;
            velocity_at(V, &s->body[0], about, end);
            known = end;
        }
        V[6 * i + 2] = w[i];
        zw_v3_sub(arm, s->body[i].X, about);
        zw_v3_cross(V + 6 * i + 3, V + 6 * i, arm);
        zw_v3_add(V + 6 * i + 3, V + 6 * i + 3, known);
    }
}

/* ---- drawing */

static void draw_tree(mechanism *s, bool planar, bool chain) {
    double origin[3] = {0, 0, 0}, at[3];
    *s = (mechanism){.what = TREE, .planar = planar, .n = 1 + below(B), .hit_joint = -1, .other = -1};
    s->pinned = uniform(0, 1) < 0.5;
    point_near(s, origin, 0.6, at);
    set_body(s, 0, at, uniform(-3, 3));
    if (s->pinned) {
        s->joint[s->nj++] = (joint){.a = 0, .b = -1};
    }
    for (int i = 1; i < s->n; i++) {
        joint *k = &s->joint[s->nj++];
        k->a = i;
        k->b = chain ? i - 1 : below(i);
        point_near(s, s->body[k->b].X, 0.7, k->at);
        point_near(s, k->at, 0.7, at);
        set_body(s, i, at, uniform(-3, 3));
    }
    s->d = (planar ? s->n : 3 * s->n) + (s->pinned ? 0 : planar ? 2 : 3);
}

static void draw_four_bar(mechanism *s) {
    *s = (mechanism){.what = FOUR_BAR, .planar = true, .n = 3, .nj = 4, .d = 1, .hit_joint = -1, .other = -1};
    double           P[4][3] = {{0, 0, 0},
                                {uniform(-0.3, 0.5), uniform(0.4, 0.9), 0},
                                {uniform(0.9, 1.6), uniform(0.5, 1.2), 0},
                                {uniform(0.8, 1.2), uniform(-0.2, 0.1), 0}};
    static const int pair[4][2] = {{0, -1}, {0, 1}, {1, 2}, {2, -1}};
    for (int i = 0; i < 4; i++) {
        s->joint[i].a = pair[i][0];
        s->joint[i].b = pair[i][1];
        memcpy(s->joint[i].at, P[i], sizeof P[i]);
    }
    for (int i = 0; i < 3; i++) {
        double mid[3], at[3];
        zw_v3_add(mid, P[i], P[i + 1]);
        zw_v3_scale(mid, 0.5, mid);
        point_near(s, mid, 0.2, at);
        set_body(s, i, at, uniform(-3, 3));
    }
}

static void draw_parallelogram(mechanism *s) {
    *s = (mechanism){.what = PARALLELOGRAM, .planar = true, .n = 4, .nj = 6, .d = 1, .hit_joint = -1, .other = -1};
    double th = uniform(0.4, 2.6), l = uniform(0.4, 1.2), crank[3] = {l * cos(th), l * sin(th), 0},
           x[3] = {0, uniform(0.8, 1.5), uniform(0.3, 0.6)};
    for (int i = 0; i < 3; i++) {
        double at[3] = {x[i], i == 2 ? uniform(-0.3, 0.3) : 0.0, 0}, up[3], mid[3], com[3];
        zw_v3_add(up, at, crank);
        zw_v3_add(mid, at, up);
        zw_v3_scale(mid, 0.5, mid);
        s->joint[i] = (joint){.a = i, .b = -1, .at = {at[0], at[1], 0}};
        s->joint[3 + i] = (joint){.a = i, .b = 3, .at = {up[0], up[1], 0}};
        point_near(s, mid, 0.2, com);
        set_body(s, i, com, uniform(-3, 3));
    }
    double mid[3], com[3];
    zw_v3_add(mid, s->joint[3].at, s->joint[4].at);
    zw_v3_scale(mid, 0.5, mid);
    point_near(s, mid, 0.3, com);
    set_body(s, 3, com, uniform(-3, 3));
}

static double gap_rate(const mechanism *s, const double *V) { /* > 0: they come together; f' */
    double v[3], w[3] = {0, 0, 0};
    velocity_at(V + 6 * s->hit, &s->body[s->hit], s->at, v);
    if (s->other >= 0) {
        velocity_at(V + 6 * s->other, &s->body[s->other], s->at, w);
    }
    zw_v3_sub(v, v, w);
    return zw_v3_dot(s->normal, v);
}

/* where: a point of a body, or a joint and either of its bodies */
static void draw_place(mechanism *s, bool internal) {
    int j = below(s->nj > 0 ? s->nj : 1);
    s->hit_joint = s->nj > 0 && s->joint[j].b >= 0 && uniform(0, 1) < 0.4 ? j : -1;
    if (s->hit_joint >= 0) {
        s->hit = uniform(0, 1) < 0.5 ? s->joint[j].a : s->joint[j].b;
        memcpy(s->at, s->joint[j].at, sizeof s->at);
    } else {
        s->hit = below(s->n);
        point_near(s, s->body[s->hit].X, 0.7, s->at);
    }
    do {
        s->other = internal ? below(s->n) : -1;
    } while (s->other == s->hit || (s->hit_joint >= 0 && (s->other == s->joint[j].a || s->other == s->joint[j].b)));
}

static void draw_contact(mechanism *s, bool internal) {
    double share = uniform(0, 1);
    s->k = share < 0.25 ? 0.0 : share < 0.4 ? 1.0 : share < 0.5 ? 1.0 - pow(10.0, uniform(-6, -2)) : uniform(0.0, 0.99);
    do { /* until they come together, and not by a trace */
        double angle = uniform(-3.2, 3.2), z = s->planar ? 0.0 : uniform(-0.9, 0.9);
        draw_place(s, internal);
        s->normal[0] = cos(angle) * sqrt(1.0 - z * z);
        s->normal[1] = sin(angle) * sqrt(1.0 - z * z);
        s->normal[2] = z;
        for (int i = 0; i < s->d; i++) {
            s->qd[i] = uniform(-2.0, 2.0);
        }
        forward(s, s->qd, s->V);
    } while (gap_rate(s, s->V) < 0.05);
}

/* ---- dense: mass of all bodies, rows of joints, row of the contact */

static void mass_times(const mechanism *s, const double *V, double *out) {
    for (int i = 0; i < s->n; i++) {
        const body *b = &s->body[i];
        double      local[3];
        zw_m3_tmulv(local, b->R, V + 6 * i);
        for (int k = 0; k < 3; k++) {
            local[k] *= b->I[k];
            out[6 * i + 3 + k] = b->m * V[6 * i + 3 + k];
        }
        zw_m3_mulv(out + 6 * i, b->R, local);
    }
}

static void impulse_on(const mechanism *s, int i, const double at[3], const double P[3], double *out) { /* out += its generalized force */
    double arm[3], moment[3];
    zw_v3_sub(arm, at, s->body[i].X);
    zw_v3_cross(moment, arm, P);
    for (int k = 0; k < 3; k++) {
        out[6 * i + k] += moment[k];
        out[6 * i + 3 + k] += P[k];
    }
}

static void contact_push(const mechanism *s, double p, double *out) { /* p < 0: against the outward normal of f <= 0 */
    double P[3] = {p * s->normal[0], p * s->normal[1], p * s->normal[2]}, Q[3] = {-P[0], -P[1], -P[2]};
    impulse_on(s, s->hit, s->at, P, out);
    if (s->other >= 0) {
        impulse_on(s, s->other, s->at, Q, out);
    }
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double energy(const mechanism *s, const double *V) {
    double MV[NV];
    mass_times(s, V, MV);
    return 0.5 * dot(6 * s->n, V, MV);
}

/* momenta of all bodies, joints closed, for a unit impulse along the normal: [M -C'; C 0] (Z, P) = (n, 0). Redundant joints: any of the P */
static void unit_response(const mechanism *s, double *Z) {
    static double K[SIZE * SIZE];
    double        b[SIZE] = {0}, x[SIZE], tau[SIZE], work[SIZE], unit[NV], column[NV];
    int           nv = 6 * s->n, size = nv + 3 * s->nj, perm[SIZE];
    memset(K, 0, sizeof K);
    for (int j = 0; j < nv; j++) {
        memset(unit, 0, sizeof unit);
        unit[j] = 1.0;
        mass_times(s, unit, column);
        for (int i = 0; i < nv; i++) {
            K[size * i + j] = column[i];
        }
    }
    for (int j = 0; j < s->nj; j++) {
        for (int k = 0; k < 3; k++) {
            double P[3] = {k == 0, k == 1, k == 2}, Q[3] = {-P[0], -P[1], -P[2]};
            memset(column, 0, sizeof column);
            impulse_on(s, s->joint[j].a, s->joint[j].at, P, column);
            if (s->joint[j].b >= 0) {
                impulse_on(s, s->joint[j].b, s->joint[j].at, Q, column);
            }
            for (int i = 0; i < nv; i++) {
                K[size * i + nv + 3 * j + k] = -column[i];
                K[size * (nv + 3 * j + k) + i] = column[i];
            }
        }
    }
    contact_push(s, 1.0, b);
    zw_qr_factor(size, size, K, tau, perm, work);
    int rank = zw_qr_rank(size, size, K, 1e-12);
    assert_int_equal(size - rank, s->what == PARALLELOGRAM ? 1 : 0);
    zw_qr_solve(size, size, K, tau, perm, rank, b, x);
    memcpy(Z, x, sizeof(double) * (size_t)nv);
}

/* the momentum equations leave V+ = V + p Z; the energy equation E+ = E - k E_t decides, with E_t what a plastic impact loses */
static void by_momenta(const mechanism *s, double *out) {
    double Z[NV], MZ[NV], V0[NV];
    int    nv = 6 * s->n;
    unit_response(s, Z);
    mass_times(s, Z, MZ);
    double stop = -gap_rate(s, s->V) / gap_rate(s, Z), a = dot(nv, Z, MZ), b = dot(nv, s->V, MZ), p = stop;
    for (int i = 0; i < nv; i++) {
        V0[i] = s->V[i] + stop * Z[i];
    }
    if (s->k < 1.0) { /* a/2 p^2 + b p + k E_t = 0 */
        double transferred = energy(s, s->V) - energy(s, V0);
        p = -(b + sqrt(fmax(0.0, b * b - 2.0 * a * s->k * transferred))) / a;
    }
    for (int i = 0; i < nv; i++) {
        out[i] = s->V[i] + p * Z[i];
    }
}

/* (2.3) and (3.1) in generalized coordinates; *literal: how far Delta as printed, with W, is from (1 - k)(grad f . qd)^2, relative */
static void by_theorem(const mechanism *s, double *out, double *literal) {
    static double J[NQ][NV], A[NQ * NQ], L[NQ * NQ];
    double        n[NV] = {0}, MJ[NV], g[NQ], Ag[NQ], qd[NQ];
    int           d = s->d, nv = 6 * s->n;
    contact_push(s, 1.0, n);
    for (int j = 0; j < d; j++) {
        double unit[NQ] = {0};
        unit[j] = 1.0;
        forward(s, unit, J[j]);
        g[j] = Ag[j] = dot(nv, n, J[j]);
    }
    for (int j = 0; j < d; j++) {
        mass_times(s, J[j], MJ);
        for (int i = 0; i < d; i++) {
            A[d * i + j] = dot(nv, J[i], MJ);
        }
    }
    memcpy(L, A, sizeof A);
    assert_int_equal(zw_cholesky_factor(d, L), -1);
    zw_cholesky_solve(d, L, 1, Ag); /* A^-1 grad f */
    double a = dot(d, g, Ag), rate = dot(d, g, s->qd), Delta = (1.0 - s->k) * rate * rate, Wq[NQ], lost = 0.0;
    for (int i = 0; i < d; i++) { /* q'(A - W'A W)q with W = 1 - A^-1 g g'/a */
        Wq[i] = s->qd[i] - Ag[i] * rate / a;
    }
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            lost += A[d * i + j] * (s->qd[i] * s->qd[j] - Wq[i] * Wq[j]);
        }
    }
    double printed = rate * rate - s->k * a * lost;
    *literal = fmax(*literal, fabs(printed - Delta) / (rate * rate));
    double y = -(rate + (s->k == 0.0 ? rate : sqrt(Delta))) / a;
    for (int i = 0; i < d; i++) {
        qd[i] = s->qd[i] + y * Ag[i];
    }
    forward(s, qd, out);
}

/* ---- the engine */

static size_t put(char *out, size_t size, size_t at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out + at, size - at, format, args);
    va_end(args);
    assert_true(n > 0 && at + (size_t)n < size);
    return at + (size_t)n;
}

static void local_point(const body *b, const double at[3], double out[3]) {
    double arm[3];
    zw_v3_sub(arm, at, b->X);
    zw_m3_tmulv(out, b->R, arm);
}

static size_t put_place(const mechanism *s, char *out, size_t size, size_t at, int i, const double where[3]) {
    double u[3];
    local_point(&s->body[i], where, u);
    return put(out, size, at, "{body: b%d, at: [%.17g, %.17g, %.17g]}", i, u[0], u[1], u[2]);
}

static void write_model(const mechanism *s, char *out, size_t size) {
    size_t at = put(out, size, 0, "zwang: 1\nbodies:\n");
    for (int i = 0; i < s->n; i++) {
        const body   *b = &s->body[i];
        const double *V = s->V + 6 * i;
        at = put(
            out, size, at,
            "  b%d:\n    rigid: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, %.17g, %.17g], turn: [%.17g, %.17g, %.17g],\n", i,
            b->m, b->I[0], b->I[1], b->I[2], b->X[0], b->X[1], b->X[2], b->turn[0], b->turn[1], b->turn[2]);
        at = put(out, size, at, "            velocity: [%.17g, %.17g, %.17g], spin: [%.17g, %.17g, %.17g]%s", V[3], V[4], V[5], V[0], V[1],
                 V[2], s->planar ? ", plane: [0, 0, 1]" : "");
        if (i == s->hit) {
            double u[3];
            local_point(b, s->at, u);
            at = put(out, size, at, ", points: {c: [%.17g, %.17g, %.17g]}", u[0], u[1], u[2]);
        }
        at = put(out, size, at, "}\n");
    }
    at = put(out, size, at, "constraints:\n");
    for (int j = 0; j < s->nj; j++) {
        at = put(out, size, at, "  j%d: {ball: %s", j, s->joint[j].b >= 0 ? "[" : "");
        at = put_place(s, out, size, at, s->joint[j].a, s->joint[j].at);
        if (s->joint[j].b >= 0) {
            at = put(out, size, at, ", ");
            at = put_place(s, out, size, at, s->joint[j].b, s->joint[j].at);
        }
        at = put(out, size, at, "%s}\n", s->joint[j].b >= 0 ? "]" : "");
    }
    at = put(out, size, at, "  far: {unilateral: x <= 1e3, on: b%d, points: [c]}\n", s->hit);
    if (s->other < 0) {
        const double *n = s->normal;
        at = put(out, size, at, "  wall: {unilateral: \"(%.17g)*x + (%.17g)*y + (%.17g)*z <= %.17g\", on: b%d, points: [c], loss: %.17g}\n",
                 n[0], n[1], n[2], zw_v3_dot(n, s->at), s->hit, s->k);
    }
    put(out, size, at, "run: {until: 1e-3, integrator: gauss}\n");
}

typedef struct worst {
    double away, near, literal, momenta, energy, restitution;
    int    loose;
} worst;

static void engine_velocities(const mechanism *s, const ledger *l, double *V) {
    const zw_part *part;
    zw_system     *y = zw_run_system(l->f.r);
    zw_system_parts(y, &part);
    for (int i = 0; i < s->n; i++) {
        static const double centre[3];
        zw_place            p;
        zw_frame            F;
        assert_true(part[0].ops->place(part[0].self, i, centre, &p));
        zw_system_frame(y, zw_run_state(l->f.r), &p, &F, NULL);
        memcpy(V + 6 * i, F.w, sizeof F.w);
        memcpy(V + 6 * i + 3, F.v, sizeof F.v);
    }
}

static double apart(const mechanism *s, const double *a, const double *b) {
    double scale = largest(6 * s->n, s->V);
    return largest_difference(6 * s->n, a, b) / scale;
}

/* M (V+ - V-) of every body = its joint impulses + the contact's */
static void check_momenta(const mechanism *s, const zw_event_record *e, const double *before, const double *after, worst *w) {
    double sum[NV] = {0}, dV[NV], MdV[NV];
    int    loose = 0;
    for (int i = 0; i < 6 * s->n; i++) {
        dV[i] = after[i] - before[i];
    }
    mass_times(s, dV, MdV);
    contact_push(s, -e->contact[0].impulse, sum);
    for (int j = 0; j < e->njoints; j++) {
        const zw_event_joint *k = &e->joint[j];
        const joint          *where = &s->joint[k->joint];
        double                back[3];
        zw_v3_scale(back, -1.0, k->impulse + 3);
        impulse_on(s, where->a, where->at, k->impulse + 3, sum);
        if (where->b >= 0) {
            impulse_on(s, where->b, where->at, back, sum);
        }
        loose += !k->unique;
        w->momenta = fmax(w->momenta, zw_v3_norm(k->impulse)); /* a ball transmits no moment */
    }
    assert_int_equal(loose, s->what == PARALLELOGRAM ? 6 : 0);
    w->loose += loose > 0;
    w->momenta = fmax(w->momenta, largest_difference(6 * s->n, sum, MdV));
}

static void compare(const mechanism *s, worst *w) {
    static ledger l;
    static char   text[8000];
    double        before[NV], after[NV], theorem[NV], momenta[NV];
    write_model(s, text, sizeof text);
    ledger_open(&l, text);
    engine_velocities(s, &l, before);
    assert_true(largest_difference(6 * s->n, before, s->V) < 1e-12 * (1.0 + largest(6 * s->n, s->V)));
    fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
    engine_velocities(s, &l, after);
    by_theorem(s, theorem, &w->literal);
    by_momenta(s, momenta);
    double d = fmax(apart(s, after, theorem), apart(s, after, momenta));
    if (s->k > 0.9 && s->k < 1.0) {
        w->near = fmax(w->near, d);
    } else {
        w->away = fmax(w->away, d);
    }
    const zw_event_record *e = &ledger_find(&l, ZW_EVENT_IMPACT, 0)->e;
    check_momenta(s, e, before, after, w);
    w->energy = fmax(w->energy, fabs(e->energy_before - e->energy_after - e->dissipated));
    w->restitution = fmax(w->restitution, fabs(gap_rate(s, after) + sqrt(1.0 - s->k) * gap_rate(s, s->V)));
    fixture_close(&l.f);
}

static void planar_chains(void **state) {
    (void)state;
    worst     w = {0};
    mechanism s;
    for (long i = 0; i < scaled_steps(1600); i++) {
        draw_tree(&s, true, true);
        draw_contact(&s, false);
        compare(&s, &w);
    }
    check_below(w.away, 1e-12, 9.1e-14);
    check_below(w.near, 1e-10, 1.7e-12);
    check_below(w.literal, 1e-11, 5.3e-13);
    check_below(w.momenta, 1e-12, 2.1e-14);
    check_below(w.energy, 1e-12, 1.4e-14);
    check_below(w.restitution, 1e-12, 2.2e-15);
}

static void spatial_trees_against_a_wall(void **state) {
    (void)state;
    worst     w = {0};
    mechanism s;
    for (long i = 0; i < scaled_steps(500); i++) {
        draw_tree(&s, false, false);
        draw_contact(&s, false);
        compare(&s, &w);
    }
    check_below(w.away, 1e-12, 5.9e-14);
    check_below(w.near, 1e-9, 1.1e-11);
    check_below(w.literal, 1e-11, 5.3e-13);
    check_below(w.momenta, 1e-12, 3.6e-15);
    check_below(w.energy, 1e-12, 1.5e-14);
    check_below(w.restitution, 1e-12, 2.2e-15);
}

/* two bodies of a tree meet: the row of the gap is n.(v_hit - v_other), and the kernel is asked directly */
static void spatial_trees_against_themselves(void **state) {
    (void)state;
    static ledger l;
    static char   text[8000];
    worst         w = {0};
    mechanism     s;
    for (long i = 0; i < scaled_steps(500); i++) {
        do {
            draw_tree(&s, false, false);
        } while (s.n < 3);
        draw_contact(&s, true);
        double theorem[NV], momenta[NV], after[NV], dv[NV], lambda[SIZE], p, c, values[36], rate = 0.0, zero[SIZE] = {0};
        write_model(&s, text, sizeof text);
        ledger_open(&l, text);
        zw_system         *y = zw_run_system(l.f.r);
        zw_state          *x = (zw_state *)zw_run_state(l.f.r); /* a test may change it */
        zw_unilateral     *qp;
        zw_unilateral_info info;
        zw_block           block[6];
        zw_tile            tile = {.id = 1, .m = 1};
        zw_rows            N = {.m = 1, .ntiles = 1, .tile = &tile, .block = block, .a = values};
        const zw_part     *part;
        const zw_rows     *A, none = {0};
        zw_system_parts(y, &part);
        int first = s.hit < s.other ? s.hit : s.other;
        for (int k = 0; k < 2; k++) { /* blocks in rising columns */
            int      who = k == 0 ? first : s.hit + s.other - first;
            double   u[3], sign = who == s.hit ? -1.0 : 1.0; /* the gap is -f */
            zw_place place;
            zw_frame F;
            zw_jet   jet;
            local_point(&s.body[who], s.at, u);
            assert_true(part[0].ops->place(part[0].self, who, u, &place));
            zw_system_frame(y, x, &place, &F, &jet);
            for (int b = 0; b < jet.nblocks; b++) {
                block[N.nblocks++] = (zw_block){.col0 = jet.col[b], .ncol = jet.ncol[b], .a = N.nvalues};
                for (int j = 0; j < jet.ncol[b]; j++) {
                    double *a = &values[N.nvalues++];
                    *a = 0.0;
                    for (int h = 0; h < 3; h++) {
                        *a += sign * s.normal[h] * jet.J[b][6 * (3 + h) + j];
                    }
                    rate += *a * x->v[jet.col[b] + j];
                }
            }
        }
        tile.nblocks = N.nblocks;
        c = -(1.0 + sqrt(1.0 - s.k)) * rate;
        A = &none;
        if (zw_system_rows_count(y) > 0) {
            fixture_must(&l.f, zw_system_rows(y, x, &A), "zw_system_rows");
        }
        fixture_must(&l.f, zw_unilateral_create(l.f.c, &qp), "zw_unilateral_create");
        fixture_must(&l.f, zw_unilateral_solve(qp, zw_system_mass(y, x), A, &N, zero, zero, &c, dv, lambda, &p, &info),
                     "zw_unilateral_solve");
        zw_unilateral_destroy(qp);
        for (int j = 0; j < zw_system_size(y).nv; j++) {
            x->v[j] += dv[j];
        }
        engine_velocities(&s, &l, after);
        by_theorem(&s, theorem, &w.literal);
        by_momenta(&s, momenta);
        double d = fmax(apart(&s, after, theorem), apart(&s, after, momenta));
        if (s.k > 0.9 && s.k < 1.0) {
            w.near = fmax(w.near, d);
        } else {
            w.away = fmax(w.away, d);
        }
        fixture_close(&l.f);
    }
    check_below(w.away, 1e-12, 9.6e-14);
    check_below(w.near, 1e-9, 3.6e-11);
}

static void loops(void **state) {
    (void)state;
    worst     w = {0};
    mechanism s;
    for (long i = 0; i < scaled_steps(300); i++) {
        draw_four_bar(&s);
        draw_contact(&s, false);
        compare(&s, &w);
    }
    check_below(w.away, 1e-12, 1.3e-13);
    check_below(w.near, 1e-11, 2.6e-13);
    check_below(w.momenta, 1e-12, 1.1e-14);
    check_below(w.energy, 1e-12, 9.3e-15);
}

/* condition (2.2) is violated: the velocities are unique all the same, the joint impulses are not, and the ledger says so */
static void redundant_loops(void **state) {
    (void)state;
    worst     w = {0};
    mechanism s;
    long      count = scaled_steps(300);
    for (long i = 0; i < count; i++) {
        draw_parallelogram(&s);
        draw_contact(&s, false);
        compare(&s, &w);
    }
    assert_int_equal(w.loose, count);
    check_below(w.away, 1e-12, 2.3e-13);
    check_below(w.near, 1e-11, 1.1e-13);
    check_below(w.momenta, 1e-12, 1.9e-14);
    check_below(w.energy, 1e-12, 1.7e-14);
}

/* Body (or wall) on joint: three impulses at one point, P on alpha, P_beta and P_gamma on the two that the joint holds, P + P_beta + P_gamma = 0. Which of
 * the two carries the point is a matter of words: velocities and impulses are the same, and the joint's own impulse makes up the difference. */
static void a_contact_at_a_joint_has_three_impulses(void **state) {
    (void)state;
    static ledger l;
    static char   text[8000];
    mechanism     s;
    double        velocities = 0.0, impulses = 0.0, sum = 0.0;
    int           count = (int)scaled_steps(200);
    for (int i = 0; i < count; i++) {
        do {
            draw_tree(&s, i % 2 == 0, i % 4 < 2);
            draw_contact(&s, false);
        } while (s.hit_joint < 0);
        double V[2][NV], P[2][3][3] = {{{0}}}; /* carrier; alpha, beta, gamma */
        for (int carrier = 0; carrier < 2; carrier++) {
            const joint *where = &s.joint[s.hit_joint];
            s.hit = carrier == 0 ? where->a : where->b;
            write_model(&s, text, sizeof text);
            ledger_open(&l, text);
            fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
            engine_velocities(&s, &l, V[carrier]);
            const zw_event_record *e = &ledger_find(&l, ZW_EVENT_IMPACT, 0)->e;
            for (int k = 0; k < 3; k++) {
                P[carrier][0][k] = e->contact[0].impulse * s.normal[k]; /* on the wall */
                P[carrier][1 + carrier][k] -= P[carrier][0][k];
                for (int j = 0; j < e->njoints; j++) {
                    double on = e->joint[j].joint == s.hit_joint ? e->joint[j].impulse[3 + k] : 0.0;
                    P[carrier][1][k] += on;
                    P[carrier][2][k] -= on;
                }
                sum = fmax(sum, fabs(P[carrier][0][k] + P[carrier][1][k] + P[carrier][2][k]));
            }
            fixture_close(&l.f);
        }
        velocities = fmax(velocities, largest_difference(6 * s.n, V[0], V[1]));
        impulses = fmax(impulses, largest_difference(9, &P[0][0][0], &P[1][0][0]));
    }
    check_below(velocities, 1e-12, 1.7e-14);
    check_below(impulses, 1e-12, 1.2e-14);
    check_below(sum, 1e-14, 8.9e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_chains),
        cmocka_unit_test(spatial_trees_against_a_wall),
        cmocka_unit_test(spatial_trees_against_themselves),
        cmocka_unit_test(loops),
        cmocka_unit_test(redundant_loops),
        cmocka_unit_test(a_contact_at_a_joint_has_three_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
