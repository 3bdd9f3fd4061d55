/* SPDX-License-Identifier: Apache-2.0
 * rod_wide_kernel.h: the wide loops themselves; included once per instruction set with ZW_ROD_ISA, ZW_ROD_NAME and ZW_WIDE_LANES defined. Formulas: rod_link.h and
 * rod_drift.c. Row k of a tile stands for node first-1+k: row 0 is the neighbour before, rows 1..n are the tile's own nodes, row n+1 the neighbour behind.
 * Slot k joins rows k and k+1. Lanes beyond 0.25 rad per link (or 1 rad of turn per step) leave the polynomials' range and are done again
 * by the scalar functions, lane by lane. */
#include "math/wide3.h"
#include "parts/rod_wide.h"

#define ZW_ROD_PASTE2(name, isa) name##_##isa
#define ZW_ROD_PASTE(name, isa)  ZW_ROD_PASTE2(name, isa)

typedef double rod_row[ZW_ROD_ROWS + 8]; /* one component of a tile, and lanes to fill the last group */

ZW_WIDE_INLINE int groups_end(int rows) {
    return (rows + ZW_WIDTH - 1) / ZW_WIDTH * ZW_WIDTH;
}

/* components of the nodes first-1 .. first+n to rows; where there is no such node its neighbour is repeated: sound numbers in every lane */
ZW_WIDE_INLINE void gather(const zw_rods *rods, const double *from, const int width, int first, int n, rod_row *rows) {
    int lo = first > 0 ? 0 : 1, hi = first + n < rods->nnodes ? n + 2 : n + 1, end = groups_end(n + 1) + 1;
    end = end > groups_end(n + 2) ? end : groups_end(n + 2); /* groups begin at row 0 or at row 1 */
    const double *p = from + (size_t)width * (size_t)(first - 1 + lo);
    for (int i = lo; i < hi; i++, p += width) {
        for (int c = 0; c < width; c++) {
            rows[c][i] = p[c];
        }
    }
    for (int c = 0; c < width; c++) {
        if (lo == 1) {
            rows[c][0] = rows[c][1];
        }
        for (int i = hi; i < end; i++) {
            rows[c][i] = rows[c][hi - 1];
        }
    }
}

ZW_WIDE_INLINE void scatter(const rod_row *rows, const int width, int first, int n, double *to) {
    double *p = to + (size_t)width * (size_t)first;
    for (int i = 1; i <= n; i++, p += width) {
        for (int c = 0; c < width; c++) {
            p[c] = rows[c][i];
        }
    }
}

/* one slot by the scalar formula */
static void slot_again(const zw_rods *rods, size_t slot, const rod_row *q, int k, rod_row *out) {
    const struct zw_rods_wide *W = rods->wide;
    double                     a[7], b[7], e0[6], C[6], Ta[3], Tb[3], space[3];
    for (size_t i = 0; i < 6; i++) {
        e0[i] = W->natural[i * W->stride + slot];
        C[i] = W->stiffness[i * W->stride + slot];
    }
    for (int i = 0; i < 7; i++) {
        a[i] = q[i][k];
        b[i] = q[i][k + 1];
    }
    zw_rod_slot_wrench(a, b, W->inverse_l[slot], e0, C, Ta, Tb, space);
    for (int i = 0; i < 3; i++) {
        out[i][k] = Ta[i];
        out[3 + i][k] = Tb[i];
        out[6 + i][k] = space[i];
    }
}

/* wrenches of slots k .. k+ZW_WIDTH-1: Ta, Tb and the force in space */
ZW_WIDE_INLINE void slot_group(const zw_rods *rods, size_t slot, const rod_row *q, int k, rod_row *out) {
    const struct zw_rods_wide *W = rods->wide;
    const double              *stiffness = W->stiffness + slot, *natural = W->natural + slot;
    zw_wide                    a[4], b[4], d[3], p[3], w[3], u[3], wp[3], wwp[3];
    for (int i = 0; i < 4; i++) {
        a[i] = zw_wide_load(&q[3 + i][k]);
        b[i] = zw_wide_load(&q[3 + i][k + 1]);
    }
    /* turn = conj(a) b */
    zw_wide tw = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    zw_wide tv[3] = {a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2], a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1],
                     a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]};
    zw_wide v2 = zw_wide3_dot(tv, tv);
    zw_wide inverse = 1.0 / (0.5 * (1.0 + (tw * tw + v2)) + tw); /* 1/(|q| + w) for w > 0 */
    zw_wide t2 = v2 * inverse * inverse;
    /* w < 0 or far: t2 is then beyond 1/256 (tan^2 of a quarter of the angle), also where the denominator changes sign */
    unsigned again = zw_wide_reach(t2, 1.0 / 256.0);
    zw_wide  f = 1.0 + t2 * (-1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (-1.0 / 7.0 + t2 * (1.0 / 9.0 + t2 * (-1.0 / 11.0 + t2 * (1.0 / 13.0))))));
    f = 4.0 * f * inverse;
    zw_wide back[3];
    for (int i = 0; i < 3; i++) {
        w[i] = f * tv[i];
        back[i] = -a[1 + i];
        d[i] = zw_wide_load(&q[i][k + 1]) - zw_wide_load(&q[i][k]);
    }
    zw_wide3_rotate(a[0], back, d, p);
    zw_wide th2 = zw_wide3_dot(w, w);
    zw_wide c =
        1.0 / 12.0 +
        th2 * (1.0 / 720.0 + th2 * (1.0 / 30240.0 + th2 * (1.0 / 1209600.0 + th2 * (1.0 / 47900160.0 + th2 * (691.0 / 1307674368000.0)))));
    zw_wide c1 = 1.0 / 360.0 +
                 th2 * (1.0 / 7560.0 +
                        th2 * (1.0 / 201600.0 + th2 * (1.0 / 5987520.0 + th2 * (691.0 / 130767436800.0 + th2 * (1.0 / 6227020800.0)))));
    zw_wide3_cross(w, p, wp);
    zw_wide3_cross(w, wp, wwp);
    zw_wide inv = zw_wide_load(W->inverse_l + slot), m[3], n[3];
    for (size_t i = 0; i < 3; i++) {
        u[i] = p[i] - 0.5 * wp[i] + c * wwp[i];
        m[i] = zw_wide_load(stiffness + i * W->stride) * (w[i] * inv - zw_wide_load(natural + i * W->stride));
        n[i] = zw_wide_load(stiffness + (3 + i) * W->stride) * (u[i] * inv - zw_wide_load(natural + (3 + i) * W->stride));
    }
    zw_wide wm = zw_wide3_dot(w, m), wn = zw_wide3_dot(w, n), un = zw_wide3_dot(u, n), wu = zw_wide3_dot(w, u), mw[3], nu[3], nw[3],
            body[3], space[3];
    zw_wide3_cross(m, w, mw);
    zw_wide3_cross(n, u, nu);
    zw_wide3_cross(n, w, nw);
    zw_wide c1wu = c1 * wu, cm = 1.0 - c * th2;
    for (int i = 0; i < 3; i++) {
        zw_wide along = w[i] * wn - th2 * n[i];
        zw_wide even = cm * m[i] + c * (w[i] * (wm + un) + u[i] * wn - 2.0 * wu * n[i]) + c1wu * along;
        zw_wide odd = 0.5 * (mw[i] + nu[i]);
        zw_wide_store(&out[i][k], even - odd);
        zw_wide_store(&out[3 + i][k], even + odd);
        body[i] = n[i] - 0.5 * nw[i] + c * along;
    }
    zw_wide3_rotate(a[0], a + 1, body, space);
    for (int i = 0; i < 3; i++) {
        zw_wide_store(&out[6 + i][k], space[i]);
    }
    for (int lane = 0; again != 0; lane++, again >>= 1) {
        if (again & 1u) {
            slot_again(rods, slot + (size_t)lane, q, k + lane, out);
        }
    }
}

/* all slots that touch the tile's nodes: 0 .. n */
ZW_WIDE_INLINE void tile_slots(const zw_rods *rods, int first, int n, const rod_row *q, rod_row *wrench) {
    for (int k = 0; k < n + 1; k += ZW_WIDTH) {
        slot_group(rods, (size_t)(first + k) + ZW_ROD_FRONT - 1, q, k, wrench);
    }
}

/* sums at the tile's own nodes: the slot before is taken away, the one behind is added */
ZW_WIDE_INLINE zw_wide node_torque(zw_wide base, const rod_row *wrench, int i, int k) {
    return base - zw_wide_load(&wrench[3 + i][k - 1]) + zw_wide_load(&wrench[i][k]);
}

ZW_WIDE_INLINE zw_wide node_force(zw_wide base, const rod_row *wrench, int i, int k) {
    return base - zw_wide_load(&wrench[6 + i][k - 1]) + zw_wide_load(&wrench[6 + i][k]);
}

static void elastic(const zw_rods *rods, const double *q, int first, int n, double *f) {
    rod_row rows[7], wrench[9];
    gather(rods, q, ZW_ROD_NQ, first, n, rows);
    tile_slots(rods, first, n, (const rod_row *)rows, wrench);
    for (int i = 1; i <= n; i++) {
        double *fi = f + ZW_ROD_NV * (size_t)(first + i - 1);
        for (int k = 0; k < 3; k++) {
            fi[k] = fi[k] - wrench[3 + k][i - 1] + wrench[k][i];
            fi[3 + k] = fi[3 + k] - wrench[6 + k][i - 1] + wrench[6 + k][i];
        }
    }
}

/* q <- q (ew, ev) */
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

/* cos h and sin(h)/(2h) of the half angle h, t = h^2 < 1/4 */
ZW_WIDE_INLINE void wide_half(zw_wide t, zw_wide *c, zw_wide *s) {
    *c = 1.0 +
         t * (-1.0 / 2.0 +
              t * (1.0 / 24.0 + t * (-1.0 / 720.0 +
                                     t * (1.0 / 40320.0 + t * (-1.0 / 3628800.0 + t * (1.0 / 479001600.0 + t * (-1.0 / 87178291200.0)))))));
    *s = 0.5 + t * (-1.0 / 12.0 +
                    t * (1.0 / 240.0 +
                         t * (-1.0 / 10080.0 +
                              t * (1.0 / 725760.0 + t * (-1.0 / 79833600.0 + t * (1.0 / 12454041600.0 + t * (-1.0 / 2615348736000.0)))))));
}

/* q <- q exp(angle e_axis), Pi <- turned back; q has no other component to multiply with */
ZW_WIDE_INLINE void wide_turn_about(const int axis, zw_wide angle, zw_wide q[4], zw_wide pi[3], zw_wide *largest) {
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    zw_wide   t = 0.25 * (angle * angle), c, s;
    wide_half(t, &c, &s);
    s = s * angle;
    zw_wide w = q[0] * c - q[1 + axis] * s, a = q[1 + axis] * c + q[0] * s, qi = q[1 + i] * c + q[1 + k] * s,
            qk = q[1 + k] * c - q[1 + i] * s;
    q[0] = w;
    q[1 + axis] = a;
    q[1 + i] = qi;
    q[1 + k] = qk;
    zw_wide cosine = c * c - s * s, sine = 2.0 * c * s;
    zw_wide pi_i = cosine * pi[i] + sine * pi[k], pi_k = cosine * pi[k] - sine * pi[i];
    pi[i] = pi_i;
    pi[k] = pi_k;
    *largest = *largest + t; /* a sum of squares bounds each of them */
}

/* free rotation with J1 = J2; largest: a bound for the squares of the half angles */
ZW_WIDE_INLINE void turn_symmetric(const struct zw_rods_wide *W, size_t node, double h, zw_wide turn[4], zw_wide omega[3],
                                   zw_wide *largest) {
    zw_wide along = zw_wide_load(W->ratio + node) * omega[2], r[3] = {h * omega[0], h * omega[1], h * along}, c, s;
    zw_wide t = 0.25 * zw_wide3_dot(r, r);
    *largest = t;
    wide_half(t, &c, &s);
    for (int i = 0; i < 3; i++) {
        r[i] = s * r[i];
    }
    wide_turn(turn, c, r);
    wide_turn_about(2, h * (omega[2] - along), turn, omega, largest);
}

ZW_WIDE_INLINE void turn_general(const struct zw_rods_wide *W, size_t node, double h, zw_wide turn[4], zw_wide omega[3], zw_wide *largest) {
    zw_wide J[3], pi[3];
    for (size_t i = 0; i < 3; i++) {
        J[i] = zw_wide_load(W->inertia + i * W->stride + node);
        pi[i] = J[i] * omega[i];
    }
    *largest = 0.0 * J[0];
    wide_turn_about(0, 0.5 * h * pi[0] / J[0], turn, pi, largest);
    wide_turn_about(1, 0.5 * h * pi[1] / J[1], turn, pi, largest);
    wide_turn_about(2, h * pi[2] / J[2], turn, pi, largest);
    wide_turn_about(1, 0.5 * h * pi[1] / J[1], turn, pi, largest);
    wide_turn_about(0, 0.5 * h * pi[0] / J[0], turn, pi, largest);
    for (int i = 0; i < 3; i++) {
        omega[i] = pi[i] / J[i];
    }
}

/* each lane by its own kind of inertia, whatever its neighbours are */
static void turn_mixed(const struct zw_rods_wide *W, size_t node, double h, zw_wide turn[4], zw_wide omega[3], zw_wide *largest) {
    zw_wide turn_s[4], omega_s[3], largest_s;
    memcpy(turn_s, turn, sizeof turn_s);
    memcpy(omega_s, omega, sizeof omega_s);
    turn_symmetric(W, node, h, turn_s, omega_s, &largest_s);
    turn_general(W, node, h, turn, omega, largest);
    for (int lane = 0; lane < ZW_WIDTH; lane++) {
        if (W->inertia[node + (size_t)lane] == W->inertia[W->stride + node + (size_t)lane]) {
            for (int i = 0; i < 4; i++) {
                turn[i][lane] = turn_s[i][lane];
            }
            for (int i = 0; i < 3; i++) {
                omega[i][lane] = omega_s[i][lane];
            }
            (*largest)[lane] = largest_s[lane];
        }
    }
}

/* rows k .. of q and v become those after the drift */
ZW_WIDE_INLINE void drift_group(const zw_rods *rods, int first, double h, bool symmetric, int k, rod_row *q, rod_row *v) {
    const struct zw_rods_wide *W = rods->wide;
    size_t                     node = (size_t)(first + k) + ZW_ROD_FRONT - 1;
    zw_wide                    omega[3], turn[4], largest;
    for (int i = 0; i < 3; i++) {
        omega[i] = zw_wide_load(&v[i][k]);
    }
    for (int i = 0; i < 4; i++) {
        turn[i] = zw_wide_load(&q[3 + i][k]);
    }
    if (symmetric) {
        turn_symmetric(W, node, h, turn, omega, &largest);
    } else {
        turn_mixed(W, node, h, turn, omega, &largest);
    }
    unsigned again = zw_wide_reach(largest, 0.25), lanes = again;
    double   q_again[8][7], v_again[8][6];
    for (int lane = 0; lanes != 0; lane++, lanes >>= 1) {
        double q0[7], v0[6];
        if (lanes & 1u) {
            for (int i = 0; i < 7; i++) {
                q0[i] = q[i][k + lane];
            }
            for (int i = 0; i < 6; i++) {
                v0[i] = v[i][k + lane];
            }
            zw_rod_drift_node(rods, zw_rod_row_node(rods, first, k + lane), q0, v0, h, q_again[lane], v_again[lane]);
        }
    }
    zw_wide unit = 1.5 - 0.5 * (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int i = 0; i < 4; i++) {
        zw_wide_store(&q[3 + i][k], unit * turn[i]);
    }
    for (int i = 0; i < 3; i++) {
        zw_wide_store(&v[i][k], omega[i]);
        zw_wide_store(&q[i][k], zw_wide_load(&q[i][k]) + h * zw_wide_load(&v[3 + i][k]));
    }
    for (int lane = 0; again != 0; lane++, again >>= 1) {
        if (again & 1u) {
            for (int i = 0; i < 7; i++) {
                q[i][k + lane] = q_again[lane][i];
            }
            for (int i = 0; i < 3; i++) {
                v[i][k + lane] = v_again[lane][i];
            }
        }
    }
}

ZW_WIDE_INLINE void tile_drift(const zw_rods *rods, double h, int first, int n, rod_row *q, rod_row *v) {
    bool symmetric = rods->wide->symmetric;
    for (int k = 0; k < n + 2; k += ZW_WIDTH) {
        drift_group(rods, first, h, symmetric, k, q, v);
    }
}

static void drift(const zw_rods *rods, const double *q0, const double *v0, double h, int first, int n, double *q1, double *v1) {
    rod_row q[7], v[6];
    gather(rods, q0, ZW_ROD_NQ, first, n, q);
    gather(rods, v0, ZW_ROD_NV, first, n, v);
    tile_drift(rods, h, first, n, q, v);
    scatter((const rod_row *)q, ZW_ROD_NQ, first, n, q1);
    scatter((const rod_row *)v, ZW_ROD_NV, first, n, v1);
}

/* a whole step of kick, drift, force, kick; the neighbours' drift is done here once more, so tiles need nothing of each other */
static void step(const zw_rods *rods, const double *q0, const double *v0, const double *f0, double h, int first, int n, double *q1,
                 double *v1, double *f1) {
    const struct zw_rods_wide *W = rods->wide;
    const double              *inverse = W->inverse + (size_t)first + ZW_ROD_FRONT - 1, *mass = W->mass + (size_t)first + ZW_ROD_FRONT - 1,
                 half = 0.5 * h;
    rod_row q[7], v[6], f[6], wrench[9];
    gather(rods, q0, ZW_ROD_NQ, first, n, q);
    gather(rods, v0, ZW_ROD_NV, first, n, v);
    gather(rods, f0, ZW_ROD_NV, first, n, f);
    for (size_t i = 0; i < 6; i++) {
        for (int k = 0; k < n + 2; k += ZW_WIDTH) {
            zw_wide_store(&v[i][k],
                          zw_wide_load(&v[i][k]) + half * zw_wide_load(inverse + i * W->stride + (size_t)k) * zw_wide_load(&f[i][k]));
        }
    }
    tile_drift(rods, h, first, n, q, v);
    tile_slots(rods, first, n, (const rod_row *)q, wrench);
    for (int k = 1; k <= n; k += ZW_WIDTH) {
        zw_wide m = zw_wide_load(mass + k);
        for (int i = 0; i < 3; i++) {
            zw_wide torque = node_torque(0.0 * m, (const rod_row *)wrench, i, k),
                    force = node_force(m * rods->gravity[i], (const rod_row *)wrench, i, k);
            zw_wide_store(&f[i][k], torque);
            zw_wide_store(&f[3 + i][k], force);
            zw_wide_store(&v[i][k], zw_wide_load(&v[i][k]) + half * zw_wide_load(inverse + (size_t)i * W->stride + (size_t)k) * torque);
            zw_wide_store(&v[3 + i][k],
                          zw_wide_load(&v[3 + i][k]) + half * zw_wide_load(inverse + (size_t)(3 + i) * W->stride + (size_t)k) * force);
        }
    }
    scatter((const rod_row *)q, ZW_ROD_NQ, first, n, q1);
    scatter((const rod_row *)v, ZW_ROD_NV, first, n, v1);
    scatter((const rod_row *)f, ZW_ROD_NV, first, n, f1);
}

const zw_rods_path ZW_ROD_PASTE(zw_rods_path, ZW_ROD_ISA) = {ZW_ROD_NAME, elastic, drift, step};
