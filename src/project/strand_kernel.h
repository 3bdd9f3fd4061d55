/* SPDX-License-Identifier: Apache-2.0
 * strand_kernel.h: the loops of strand.h themselves; included once per instruction set with ZW_STRAND_ISA, ZW_STRAND_NAME and ZW_WIDE_LANES
 * defined. The eight lanes are done ZW_WIDE_LANES at a time: `lane` is the first of them. */
#include "project/strand.h"

#include "math/unroll.h"
#include "math/wide.h"

#define ZW_STRAND_PASTE2(name, isa) name##_##isa
#define ZW_STRAND_PASTE(name, isa)  ZW_STRAND_PASTE2(name, isa)

enum { B = ZW_STRAND_BLOCK };

static const double unit_block[36] = {[0] = 1.0, [7] = 1.0, [14] = 1.0, [21] = 1.0, [28] = 1.0, [35] = 1.0}, zero_block[36];

/* entry (i, k), k <= i, of a lower triangle by rows */
#define LOWER(i, k) ((i) * ((i) + 1) / 2 + (k))

/* blocks side by side: rows[e][i] = entry e of the block of lane i */
static inline void gather_blocks(const double *a, const ptrdiff_t *offset, const double *none, double rows[36][ZW_WIDTH]) {
    for (int i = 0; i < ZW_WIDTH; i++) {
        const double *from = offset[i] >= 0 ? a + offset[i] : none;
        for (int e = 0; e < 36; e++) {
            rows[e][i] = from[e];
        }
    }
}

typedef long long lanes_bits __attribute__((vector_size(8 * ZW_WIDE_LANES)));

/* x (6 x 6) <- x L^-T; rows side by side, so that their chains of operations overlap */
ZW_WIDE_INLINE void rows_solve(const zw_wide L[ZW_STRAND_LOWER], zw_wide x[36]) {
    ZW_UNROLL
    for (int c = 1; c < B; c++) {
        for (int i = 0; i < B; i++) {
            zw_wide t = x[B * i + c];
            ZW_UNROLL
            for (int k = 0; k < c; k++) {
                t -= x[B * i + k] * L[LOWER(c, k)];
            }
            x[B * i + c] = t;
        }
    }
}

/* L: unit lower triangle, 1/d on its diagonal. Returns false where d is not positive or not finite */
static bool factor_lanes(zw_strand_group *g, const double *a, int lane) {
    double     rows[36][ZW_WIDTH];
    zw_wide    L[ZW_STRAND_LOWER], below[36], far[36], scaled[36], carry[36], far_carry[36], left[36], sound = zw_wide_all(0.0);
    lanes_bits signs = (lanes_bits)sound;
    for (int e = 0; e < 36; e++) {
        carry[e] = left[e] = far_carry[e] = zw_wide_all(0.0);
    }
    for (int step = 0; step < g->steps; step++) {
        double *out = g->l + (size_t)step * (ZW_STRAND_VALUES * ZW_STRAND_LANES) + lane,
               *pivots = g->y + (size_t)step * (B * ZW_STRAND_LANES) + lane;
        gather_blocks(a, g->diagonal + (size_t)step * ZW_STRAND_LANES + lane, unit_block, rows);
        ZW_UNROLL
        for (int i = 0; i < B; i++) {
            ZW_UNROLL
            for (int k = 0; k <= i; k++) {
                L[LOWER(i, k)] = zw_wide_load(rows[B * i + k]) - carry[B * i + k];
            }
        }
        ZW_UNROLL
        for (int c = 0; c < B; c++) { /* right-looking: the next pivot is ready first */
            zw_wide pivot = L[LOWER(c, c)], inverse = 1.0 / pivot;
            zw_wide_store(pivots + c * ZW_STRAND_LANES, pivot);
            sound += 0.0 * pivot + 0.0 * inverse; /* 0 as long as all are finite */
            signs |= (lanes_bits)pivot;
            L[LOWER(c, c)] = inverse;
            ZW_UNROLL
            for (int i = c + 1; i < B; i++) {
                zw_wide t = L[LOWER(i, c)] * inverse;
                ZW_UNROLL
                for (int k = i; k < B; k++) {
                    L[LOWER(k, i)] -= L[LOWER(k, c)] * t;
                }
                scaled[i] = t;
            }
            ZW_UNROLL
            for (int i = c + 1; i < B; i++) {
                L[LOWER(i, c)] = scaled[i];
            }
        }
        gather_blocks(a, g->next + (size_t)step * ZW_STRAND_LANES + lane, zero_block, rows);
        for (int e = 0; e < 36; e++) {
            below[e] = zw_wide_load(rows[e]);
            far[e] = far_carry[e];
        }
        ptrdiff_t head[ZW_WIDTH];
        bool      begins = false;
        for (int i = 0; i < ZW_WIDTH; i++) {
            head[i] = g->begin[lane + i] == step ? g->head[lane + i] : -1;
            begins = begins || head[i] >= 0;
        }
        if (begins) {
            gather_blocks(a, head, zero_block, rows);
            for (int e = 0; e < 36; e++) {
                far[e] += zw_wide_load(rows[e]);
            }
        }
        rows_solve(L, below);
        rows_solve(L, far);
        for (int e = 0; e < ZW_STRAND_LOWER; e++) {
            zw_wide_store(out + e * ZW_STRAND_LANES, L[e]);
        }
        for (int i = 0; i < B; i++) {
            ZW_UNROLL
            for (int c = 0; c < B; c++) {
                scaled[B * i + c] = below[B * i + c] * L[LOWER(c, c)];
                zw_wide_store(out + (ZW_STRAND_LOWER + B * i + c) * ZW_STRAND_LANES, scaled[B * i + c]);
            }
        }
        for (int k = 0; k < B; k++) {
            ZW_UNROLL
            for (int i = 0; i < B; i++) {
                zw_wide cross = far[B * i] * scaled[B * k], next = below[B * i] * scaled[B * k];
                ZW_UNROLL
                for (int e = 1; e < B; e++) {
                    cross += far[B * i + e] * scaled[B * k + e];
                    next += below[B * i + e] * scaled[B * k + e];
                }
                far_carry[B * i + k] = -cross;
                carry[B * i + k] = next; /* its upper triangle is not used */
            }
        }
        for (int i = 0; i < B; i++) {
            ZW_UNROLL
            for (int c = 0; c < B; c++) {
                scaled[B * i + c] = far[B * i + c] * L[LOWER(c, c)];
                zw_wide_store(out + (ZW_STRAND_LOWER + 36 + B * i + c) * ZW_STRAND_LANES, scaled[B * i + c]);
            }
        }
        for (int k = 0; k < B; k++) {
            for (int i = k; i < B; i++) {
                zw_wide own = far[B * i] * scaled[B * k];
                ZW_UNROLL
                for (int e = 1; e < B; e++) {
                    own += far[B * i + e] * scaled[B * k + e];
                }
                left[B * i + k] += own;
            }
        }
    }
    for (int i = 0; i < B; i++) {
        for (int c = 0; c <= i; c++) {
            zw_wide_store(g->corner + LOWER(i, c) * ZW_STRAND_LANES + lane, -left[B * i + c]);
            zw_wide_store(g->corner + (ZW_STRAND_LOWER + LOWER(i, c)) * ZW_STRAND_LANES + lane, -carry[B * i + c]);
        }
    }
    for (int e = 0; e < 36; e++) {
        zw_wide_store(g->corner + (2 * ZW_STRAND_LOWER + e) * ZW_STRAND_LANES + lane, far_carry[e]);
    }
    bool good = true;
    for (int i = 0; i < ZW_WIDTH; i++) {
        good = good && sound[i] == 0.0 && signs[i] >= 0;
    }
    return good;
}

static bool factor(zw_strand_group *g, const double *a) {
    bool sound = true;
    for (int lane = 0; lane < ZW_STRAND_LANES; lane += ZW_WIDTH) {
        sound = factor_lanes(g, a, lane) && sound;
    }
    return sound;
}

static inline void gather_columns(const double *v, const int *col, double rows[B][ZW_WIDTH]) {
    for (int i = 0; i < ZW_WIDTH; i++) {
        const double *from = col[i] >= 0 ? v + col[i] : zero_block;
        for (int k = 0; k < B; k++) {
            rows[k][i] = from[k];
        }
    }
}

static inline void subtract_columns(double *v, const int *col, const zw_wide t[B]) {
    for (int i = 0; i < ZW_WIDTH; i++) {
        for (int k = 0; k < B && col[i] >= 0; k++) {
            v[col[i] + k] -= t[k][i];
        }
    }
}

static void forward_lanes(const zw_strand_group *g, int lane, double *v) {
    double  rows[B][ZW_WIDTH];
    zw_wide y[B], carry[B], left[B];
    for (int i = 0; i < B; i++) {
        carry[i] = left[i] = zw_wide_all(0.0);
    }
    for (int step = 0; step < g->steps; step++) {
        const double *l = g->l + (size_t)step * (ZW_STRAND_VALUES * ZW_STRAND_LANES) + lane, *below = l + ZW_STRAND_LOWER * ZW_STRAND_LANES,
                     *far = below + 36 * ZW_STRAND_LANES;
        gather_columns(v, g->col + (size_t)step * ZW_STRAND_LANES + lane, rows);
        ZW_UNROLL
        for (int c = 0; c < B; c++) {
            zw_wide t = zw_wide_load(rows[c]) - carry[c];
            ZW_UNROLL
            for (int k = 0; k < c; k++) {
                t -= zw_wide_load(l + LOWER(c, k) * ZW_STRAND_LANES) * y[k];
            }
            y[c] = t;
            zw_wide_store(g->y + ((size_t)step * B + (size_t)c) * ZW_STRAND_LANES + lane, y[c]);
        }
        for (int i = 0; i < B; i++) {
            zw_wide next = zw_wide_load(below + B * i * ZW_STRAND_LANES) * y[0], own = zw_wide_load(far + B * i * ZW_STRAND_LANES) * y[0];
            ZW_UNROLL
            for (int k = 1; k < B; k++) {
                next += zw_wide_load(below + (B * i + k) * ZW_STRAND_LANES) * y[k];
                own += zw_wide_load(far + (B * i + k) * ZW_STRAND_LANES) * y[k];
            }
            carry[i] = next;
            left[i] += own;
        }
    }
    subtract_columns(v, g->right + lane, carry);
    subtract_columns(v, g->left + lane, left);
}

static void backward_lanes(const zw_strand_group *g, int lane, double *v) {
    double  rows[B][ZW_WIDTH];
    zw_wide x[B], left[B];
    gather_columns(v, g->left + lane, rows);
    for (int i = 0; i < B; i++) {
        left[i] = zw_wide_load(rows[i]);
    }
    gather_columns(v, g->right + lane, rows);
    for (int i = 0; i < B; i++) {
        x[i] = zw_wide_load(rows[i]);
    }
    for (int step = g->steps - 1; step >= 0; step--) {
        const double *l = g->l + (size_t)step * (ZW_STRAND_VALUES * ZW_STRAND_LANES) + lane, *below = l + ZW_STRAND_LOWER * ZW_STRAND_LANES,
                     *far = below + 36 * ZW_STRAND_LANES;
        const int *col = g->col + (size_t)step * ZW_STRAND_LANES + lane;
        zw_wide    t[B];
        for (int c = 0; c < B; c++) {
            t[c] = zw_wide_load(g->y + ((size_t)step * B + (size_t)c) * ZW_STRAND_LANES + lane) *
                   zw_wide_load(l + LOWER(c, c) * ZW_STRAND_LANES);
        }
        for (int i = 0; i < B; i++) {
            ZW_UNROLL
            for (int c = 0; c < B; c++) {
                t[c] -= zw_wide_load(below + (B * i + c) * ZW_STRAND_LANES) * x[i] +
                        zw_wide_load(far + (B * i + c) * ZW_STRAND_LANES) * left[i];
            }
        }
        ZW_UNROLL
        for (int c = B - 1; c >= 0; c--) {
            zw_wide s = t[c];
            ZW_UNROLL
            for (int k = c + 1; k < B; k++) {
                s -= zw_wide_load(l + LOWER(k, c) * ZW_STRAND_LANES) * x[k];
            }
            x[c] = s;
            zw_wide_store(rows[c], x[c]);
        }
        for (int i = 0; i < ZW_WIDTH; i++) {
            for (int k = 0; k < B && col[i] >= 0; k++) {
                v[col[i] + k] = rows[k][i];
            }
        }
    }
}

static void forward(const zw_strand_group *g, double *v) {
    for (int lane = 0; lane < ZW_STRAND_LANES; lane += ZW_WIDTH) {
        forward_lanes(g, lane, v);
    }
}

static void backward(const zw_strand_group *g, double *v) {
    for (int lane = 0; lane < ZW_STRAND_LANES; lane += ZW_WIDTH) {
        backward_lanes(g, lane, v);
    }
}

const zw_strand_path ZW_STRAND_PASTE(zw_strand_path, ZW_STRAND_ISA) = {ZW_STRAND_NAME, factor, forward, backward};
