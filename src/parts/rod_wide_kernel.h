/* SPDX-License-Identifier: Apache-2.0
 * rod_wide_kernel.h: the wide loops themselves; included once per instruction set with ZW_ROD_ISA defined. Formulas: rod_link.h and rod_drift.c, in the
 * same order of operations. Lanes beyond 0.5 rad per link (or 1 rad of turn per step) leave the polynomials' range: their group goes through the
 * scalar functions. */
#include "math/wide.h"
#include "parts/rod_wide.h"

#define ZW_ROD_PASTE2(name, isa) name##_##isa
#define ZW_ROD_PASTE(name, isa) ZW_ROD_PASTE2(name, isa)

typedef double rod_row[ZW_ROD_SLOTS + ZW_WIDTH]; /* one component of a tile; a few lanes of padding for loads at +1 */

/* component c of nodes first .. first+n-1 to rows[c]; the padding repeats the last node, so that all lanes hold sound numbers */
static void gather(const double *from, int width, int first, int n, rod_row *rows) {
    const double *p = from + (size_t)width * (size_t)first;
    int i = 0;
    for (; i < n; i++, p += width) {
        for (int c = 0; c < width; c++) {
            rows[c][i] = p[c];
        }
    }
    int end = (n + ZW_WIDTH - 1) / ZW_WIDTH * ZW_WIDTH + 1; /* whole groups, and the neighbour of the last lane */
    end = end < ZW_ROD_SLOTS + ZW_WIDTH ? end : ZW_ROD_SLOTS + ZW_WIDTH;
    for (p -= width; i < end; i++) {
        for (int c = 0; c < width; c++) {
            rows[c][i] = p[c];
        }
    }
}

ZW_WIDE_INLINE void wide_cross(const zw_wide a[3], const zw_wide b[3], zw_wide out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

ZW_WIDE_INLINE zw_wide wide_dot(const zw_wide a[3], const zw_wide b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v turned by (qw, qv): v + 2 qw (qv x v) + 2 qv x (qv x v); back: qv with the other sign */
ZW_WIDE_INLINE void wide_rotate(zw_wide qw, const zw_wide qv[3], const zw_wide v[3], zw_wide out[3]) {
    zw_wide t[3], u[3];
    wide_cross(qv, v, t);
    for (int i = 0; i < 3; i++) {
        t[i] = 2.0 * t[i];
    }
    wide_cross(qv, t, u);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + qw * t[i] + u[i];
    }
}

/* wrenches of slots g .. g+7; false when an angle is too large */
static inline bool wrench_group(const zw_rods *rods, size_t slot, const rod_row *q, int g, rod_row *out) {
    const struct zw_rods_wide *W = rods->wide;
    zw_wide xa[3], xb[3], a[4], b[4], av[3], back[3], d[3], p[3], w[3], u[3], wp[3], wwp[3];
    for (int i = 0; i < 3; i++) {
        xa[i] = zw_wide_load(&q[i][g]);
        xb[i] = zw_wide_load(&q[i][g + 1]);
        d[i] = xb[i] - xa[i];
    }
    for (int i = 0; i < 4; i++) {
        a[i] = zw_wide_load(&q[3 + i][g]);
        b[i] = zw_wide_load(&q[3 + i][g + 1]);
    }
    /* turn = conj(a) b */
    zw_wide tw = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    zw_wide tv[3] = {a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2], a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1],
                     a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]};
    zw_wide v2 = wide_dot(tv, tv);
    zw_wide size = 0.5 * (1.0 + (tw * tw + v2)) + tw; /* |q| + w for w > 0 */
    zw_wide t2 = v2 / (size * size);
    zw_wide s = zw_wide_load(W->stiffness + 5 * W->stride + slot); /* 0 where the slot joins nothing: no matter then what the angle is */
    bool far_turn = false;
    for (int i = 0; i < ZW_WIDTH; i++) {
        far_turn = far_turn || (s[i] != 0.0 && !(t2[i] < 1.0 / 256.0 && tw[i] > 0.0)); /* 0.25 rad */
    }
    if (far_turn) {
        return false;
    }
    zw_wide f = 1.0 + t2 * (-1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (-1.0 / 7.0 + t2 * (1.0 / 9.0 + t2 * (-1.0 / 11.0 + t2 * (1.0 / 13.0))))));
    f = 4.0 * f / size;
    for (int i = 0; i < 3; i++) {
        w[i] = f * tv[i];
        av[i] = a[1 + i];
        back[i] = -av[i];
    }
    wide_rotate(a[0], back, d, p);
    zw_wide th2 = wide_dot(w, w);
    zw_wide c = 1.0 / 12.0 + th2 * (1.0 / 720.0 + th2 * (1.0 / 30240.0 + th2 * (1.0 / 1209600.0 + th2 * (1.0 / 47900160.0 + th2 * (691.0 / 1307674368000.0)))));
    zw_wide c1 = 1.0 / 360.0 + th2 * (1.0 / 7560.0 + th2 * (1.0 / 201600.0 + th2 * (1.0 / 5987520.0 + th2 * (691.0 / 130767436800.0 + th2 * (1.0 / 6227020800.0)))));
    wide_cross(w, p, wp);
    wide_cross(w, wp, wwp);
    for (int i = 0; i < 3; i++) {
        u[i] = p[i] - 0.5 * wp[i] + c * wwp[i];
    }
    zw_wide inv = zw_wide_load(W->inverse_l + slot), m[3], n[3];
    for (size_t i = 0; i < 3; i++) {
        m[i] = zw_wide_load(W->stiffness + i * W->stride + slot) * (w[i] * inv - zw_wide_load(W->natural + i * W->stride + slot));
        n[i] = zw_wide_load(W->stiffness + (3 + i) * W->stride + slot) * (u[i] * inv - zw_wide_load(W->natural + (3 + i) * W->stride + slot));
    }
    zw_wide wm = wide_dot(w, m), wn = wide_dot(w, n), un = wide_dot(u, n), wu = wide_dot(w, u), mw[3], nu[3], nw[3], body[3], space[3];
    wide_cross(m, w, mw);
    wide_cross(n, u, nu);
    wide_cross(n, w, nw);
    for (int i = 0; i < 3; i++) {
        zw_wide along = w[i] * wn - th2 * n[i];
        zw_wide even = m[i] + c * (w[i] * wm - th2 * m[i]) + c * (u[i] * wn + w[i] * un - 2.0 * wu * n[i]) + c1 * wu * along;
        zw_wide odd = 0.5 * (mw[i] + nu[i]);
        zw_wide_store(&out[i][g], even - odd);
        zw_wide_store(&out[3 + i][g], even + odd);
        body[i] = n[i] - 0.5 * nw[i] + c * along;
    }
    wide_rotate(a[0], av, body, space);
    for (int i = 0; i < 3; i++) {
        zw_wide_store(&out[6 + i][g], space[i]);
    }
    return true;
}

static void wrench_scalar(const zw_rods *rods, size_t slot, const rod_row *q, int g, rod_row *out) {
    const struct zw_rods_wide *W = rods->wide;
    for (int i = g; i < g + ZW_WIDTH; i++, slot++) {
        double a[7], b[7], e0[6], C[6], Ta[3] = {0}, Tb[3] = {0}, space[3] = {0};
        for (size_t k = 0; k < 6; k++) {
            e0[k] = W->natural[k * W->stride + slot];
            C[k] = W->stiffness[k * W->stride + slot];
        }
        for (int k = 0; k < 7; k++) {
            a[k] = q[k][i];
            b[k] = q[k][i + 1];
        }
        if (C[5] != 0.0) {
            zw_rod_slot_wrench(a, b, W->inverse_l[slot], e0, C, Ta, Tb, space);
        }
        for (int k = 0; k < 3; k++) {
            out[k][i] = Ta[k];
            out[3 + k][i] = Tb[k];
            out[6 + k][i] = space[k];
        }
    }
}

/* Ta, Tb and the force in space of every slot that touches the nodes; returns how many slots stand before them (0 or 1) */
static inline int tile_wrenches(const zw_rods *rods, const double *q, int first, int n, rod_row *wrench) {
    rod_row rows[7];
    int before = first > 0 ? 1 : 0, slots = n + before;
    int nodes = slots + (first + n < rods->nnodes ? 1 : 0);
    size_t slot0 = (size_t)(first - before);
    gather(q, ZW_ROD_NQ, first - before, nodes, rows);
    for (int g = 0; g < slots; g += ZW_WIDTH) {
        if (!wrench_group(rods, slot0 + (size_t)g, (const rod_row *)rows, g, wrench)) {
            wrench_scalar(rods, slot0 + (size_t)g, (const rod_row *)rows, g, wrench);
        }
    }
    return before;
}

/* the wrench of the slot before is taken away, that of the slot behind is added, in this order */
static inline double node_sum(double base, const double *from, const double *to, int here) {
    double sum = base;
    if (here > 0) {
        sum -= to[here - 1];
    }
    return sum + from[here];
}

static void elastic(const zw_rods *rods, const double *q, int first, int n, double *f) {
    rod_row wrench[9];
    int before = tile_wrenches(rods, q, first, n, wrench);
    for (int i = 0; i < n; i++) {
        double *fi = f + ZW_ROD_NV * (size_t)(first + i);
        for (int k = 0; k < 3; k++) {
            fi[k] = node_sum(fi[k], wrench[k], wrench[3 + k], i + before);
            fi[3 + k] = node_sum(fi[3 + k], wrench[6 + k], wrench[6 + k], i + before);
        }
    }
}

static void force_kick(const zw_rods *rods, const double *q, double h, int first, int n, double *f, double *v) {
    const struct zw_rods_wide *W = rods->wide;
    const double *g = rods->gravity;
    rod_row wrench[9];
    int before = tile_wrenches(rods, q, first, n, wrench);
    for (int i = 0; i < n; i++) {
        size_t node = (size_t)(first + i);
        double *fi = f + ZW_ROD_NV * node, *vi = v + ZW_ROD_NV * node, mass = rods->mass[node];
        for (int k = 0; k < 3; k++) {
            fi[k] = node_sum(0.0, wrench[k], wrench[3 + k], i + before);
            fi[3 + k] = node_sum(mass * g[k], wrench[6 + k], wrench[6 + k], i + before);
        }
        for (size_t k = 0; k < 6; k++) {
            vi[k] = vi[k] + h * W->inverse[k * W->stride + node] * fi[k];
        }
    }
}

/* R <- R exp(r), r small: q (ew, ev) */
ZW_WIDE_INLINE void wide_turn(zw_wide q[4], zw_wide ew, const zw_wide ev[3]) {
    zw_wide w = q[0] * ew - q[1] * ev[0] - q[2] * ev[1] - q[3] * ev[2];
    zw_wide x = q[0] * ev[0] + q[1] * ew + q[2] * ev[2] - q[3] * ev[1];
    zw_wide y = q[0] * ev[1] - q[1] * ev[2] + q[2] * ew + q[3] * ev[0];
    zw_wide z = q[0] * ev[2] + q[1] * ev[1] - q[2] * ev[0] + q[3] * ew;
    q[0] = w;
    q[1] = x;
    q[2] = y;
    q[3] = z;
}

/* cos and sin(h)/(2h) of the half angle h, t = h^2 < 1/4 */
ZW_WIDE_INLINE void wide_half(zw_wide t, zw_wide *c, zw_wide *s) {
    *c = 1.0 + t * (-1.0 / 2.0 + t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t * (1.0 / 40320.0 + t * (-1.0 / 3628800.0 + t * (1.0 / 479001600.0 + t * (-1.0 / 87178291200.0)))))));
    *s = 0.5 + t * (-1.0 / 12.0 + t * (1.0 / 240.0 + t * (-1.0 / 10080.0 + t * (1.0 / 725760.0 + t * (-1.0 / 79833600.0 + t * (1.0 / 12454041600.0 + t * (-1.0 / 2615348736000.0)))))));
}

ZW_WIDE_INLINE void wide_turn_about(int axis, zw_wide angle, zw_wide q[4], zw_wide pi[3], zw_wide *largest) {
    int i = (axis + 1) % 3, k = (axis + 2) % 3;
    zw_wide t = 0.25 * (angle * angle), c, s, ev[3] = {zw_wide_all(0.0), zw_wide_all(0.0), zw_wide_all(0.0)};
    wide_half(t, &c, &s);
    ev[axis] = s * angle;
    wide_turn(q, c, ev);
    zw_wide cosine = c * c - ev[axis] * ev[axis], sine = 2.0 * c * ev[axis];
    zw_wide pi_i = cosine * pi[i] + sine * pi[k], pi_k = cosine * pi[k] - sine * pi[i];
    pi[i] = pi_i;
    pi[k] = pi_k;
    *largest = *largest + t; /* a sum of squares bounds each of them */
}

static inline bool drift_group(const zw_rods *rods, size_t node, double h, const rod_row *q, const rod_row *v, int g, bool symmetric, rod_row *q1, rod_row *v1) {
    const struct zw_rods_wide *W = rods->wide;
    zw_wide omega[3], turn[4], largest;
    for (int i = 0; i < 3; i++) {
        omega[i] = zw_wide_load(&v[i][g]);
    }
    for (int i = 0; i < 4; i++) {
        turn[i] = zw_wide_load(&q[3 + i][g]);
    }
    if (symmetric) {
        zw_wide along = zw_wide_load(W->ratio + node) * omega[2], r[3] = {h * omega[0], h * omega[1], h * along}, c, s;
        zw_wide t = 0.25 * wide_dot(r, r);
        largest = t;
        wide_half(t, &c, &s);
        for (int i = 0; i < 3; i++) {
            r[i] = s * r[i];
        }
        wide_turn(turn, c, r);
        wide_turn_about(2, h * (omega[2] - along), turn, omega, &largest);
    } else {
        zw_wide J[3], pi[3];
        for (size_t i = 0; i < 3; i++) {
            J[i] = zw_wide_load(W->inertia + i * W->stride + node);
            pi[i] = J[i] * omega[i];
        }
        largest = zw_wide_all(0.0);
        wide_turn_about(0, 0.5 * h * pi[0] / J[0], turn, pi, &largest);
        wide_turn_about(1, 0.5 * h * pi[1] / J[1], turn, pi, &largest);
        wide_turn_about(2, h * pi[2] / J[2], turn, pi, &largest);
        wide_turn_about(1, 0.5 * h * pi[1] / J[1], turn, pi, &largest);
        wide_turn_about(0, 0.5 * h * pi[0] / J[0], turn, pi, &largest);
        for (int i = 0; i < 3; i++) {
            omega[i] = pi[i] / J[i];
        }
    }
    if (zw_wide_reaches(largest, 0.25)) {
        return false;
    }
    zw_wide unit = 1.5 - 0.5 * (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int i = 0; i < 4; i++) {
        zw_wide_store(&q1[3 + i][g], unit * turn[i]);
    }
    for (int i = 0; i < 3; i++) {
        zw_wide_store(&v1[i][g], omega[i]);
        zw_wide_store(&q1[i][g], zw_wide_load(&q[i][g]) + h * zw_wide_load(&v[3 + i][g]));
    }
    return true;
}

/* nodes whose rows are in q and v (v: after the kick) */
static void drift_rows(const zw_rods *rods, double h, int first, int n, const rod_row *q, const rod_row *v, double *q1, double *v1) {
    const struct zw_rods_wide *W = rods->wide;
    rod_row q_out[7], v_out[3];
    bool symmetric = true;
    for (int i = first; i < first + n; i++) {
        symmetric = symmetric && W->inertia[i] == W->inertia[W->stride + (size_t)i];
    }
    for (int g = 0; g < n; g += ZW_WIDTH) {
        int last = g + ZW_WIDTH < n ? g + ZW_WIDTH : n;
        if (drift_group(rods, (size_t)(first + g), h, q, v, g, symmetric, q_out, v_out)) {
            for (int i = g; i < last; i++) {
                double *to_q = q1 + ZW_ROD_NQ * (size_t)(first + i), *to_v = v1 + ZW_ROD_NV * (size_t)(first + i);
                for (int k = 0; k < 7; k++) {
                    to_q[k] = q_out[k][i];
                }
                for (int k = 0; k < 3; k++) {
                    to_v[k] = v_out[k][i];
                    to_v[3 + k] = v[3 + k][i];
                }
            }
            continue;
        }
        for (int i = g; i < last; i++) {
            double q0[7], v0[6];
            for (int k = 0; k < 7; k++) {
                q0[k] = q[k][i];
            }
            for (int k = 0; k < 6; k++) {
                v0[k] = v[k][i];
            }
            zw_rod_drift_node(rods, first + i, q0, v0, h, q1 + ZW_ROD_NQ * (size_t)(first + i), v1 + ZW_ROD_NV * (size_t)(first + i));
        }
    }
}

static void drift(const zw_rods *rods, const double *q0, const double *v0, double h, int first, int n, double *q1, double *v1) {
    rod_row q[7], v[6];
    gather(q0, ZW_ROD_NQ, first, n, q);
    gather(v0, ZW_ROD_NV, first, n, v);
    drift_rows(rods, h, first, n, (const rod_row *)q, (const rod_row *)v, q1, v1);
}

static void kick_drift(const zw_rods *rods, const double *q0, const double *v0, const double *f, double h, int first, int n, double *q1, double *v1) {
    const struct zw_rods_wide *W = rods->wide;
    rod_row q[7], v[6], force[6];
    double half = 0.5 * h;
    gather(q0, ZW_ROD_NQ, first, n, q);
    gather(v0, ZW_ROD_NV, first, n, v);
    gather(f, ZW_ROD_NV, first, n, force);
    for (size_t k = 0; k < 6; k++) {
        for (int g = 0; g < n; g += ZW_WIDTH) {
            zw_wide inverse = zw_wide_load(W->inverse + k * W->stride + (size_t)(first + g));
            zw_wide_store(&v[k][g], zw_wide_load(&v[k][g]) + half * inverse * zw_wide_load(&force[k][g]));
        }
    }
    drift_rows(rods, h, first, n, (const rod_row *)q, (const rod_row *)v, q1, v1);
}

const zw_rods_path ZW_ROD_PASTE(zw_rods_path, ZW_ROD_ISA) = {ZW_ROD_NAME, elastic, drift, kick_drift, force_kick};
