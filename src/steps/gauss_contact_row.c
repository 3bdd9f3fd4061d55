/* SPDX-License-Identifier: Apache-2.0
 * gauss_contact_row.c: the discrete gradient of a gap. With d = h v_mid over the columns that the row touches, G and the drift at the middle, and
 * what is missing = (g1 - g0) - G d - h drift, of third order in d, there are two ways to make up for it:
 *
 *   longer:    Gbar = (1 + k) G,         tau = (1 + k) drift                   k = missing/(G d + h drift)
 *   Gonzalez:  Gbar = G + kappa (M d)',  tau = drift + kappa h drift^2 m       kappa = missing/(d M d + m (h drift)^2),   m = 1/(G M^-1 G')
 * and any mixture of them has Gbar d + h tau = g1 - g0 exactly. The first leaves the direction of the force alone, so that contacts of one face stay what they are to
 * each other and momenta are those of G; but it makes no sense where the gap hardly changes, in lasting contact. There the second takes over. It puts the motion of an
 * obstacle on one scale with that of the body. Between two bodies M d is taken relative to their common centre: forces of the pair then add up to nothing and
 * linear momentum is kept. (Doing the same for rotations would make the denominator vanish for bodies that turn together, while the chart still changes the gap
 * by h^3.) Both divide round-off by |d|: what is within the round-off of the gaps is not bent for. */
#include "steps/gauss_contact.h"

#include <math.h>

/* the columns that a row moves and where its entries are. A row may name a body that it does not touch, as the far node of a link: that is left out, so that rows
 * that say the same remain the same */
static void columns(zw_bender *s, const zw_rows *R, const zw_tile *t, int i) {
    double most = 0.0;
    s->n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = t->block0; j < t->block0 + t->nblocks; j++) {
            const zw_block *b = &R->block[j];
            ptrdiff_t       at = b->a + (ptrdiff_t)i * b->ncol;
            double          largest = 0.0;
            for (int l = 0; l < b->ncol; l++) {
                largest = fmax(largest, fabs(R->a[at + l]));
            }
            most = fmax(most, largest);
            for (int l = 0; pass == 1 && largest > 1e-12 * most && l < b->ncol; l++) {
                s->column[s->n] = b->col0 + l;
                s->at[s->n++] = at + l;
            }
        }
    }
}

/* out = M d on the columns, d being 0 elsewhere */
static void multiply(const zw_bender *s, const zw_metric *M, const double *d, double *out) {
    for (int j = 0; j < s->n; j++) {
        out[s->column[j]] = zw_metric_times(M, s->column[j], d);
    }
}

static double inner(const zw_bender *s, const double *a, const double *b) {
    double sum = 0.0;
    for (int j = 0; j < s->n; j++) {
        sum += a[s->column[j]] * b[s->column[j]];
    }
    return sum;
}

/* does a shift of space leave the gap as it is? */
static bool invariant(const zw_bender *s, const zw_rows *R, const double *Z) {
    double sum = 0.0, size = 0.0;
    for (int j = 0; j < s->n; j++) {
        double part = R->a[s->at[j]] * Z[s->column[j]];
        sum += part;
        size += fabs(part);
    }
    return fabs(sum) <= 1e-9 * size;
}

/* d less the motion of the common centre: K c = Z' M d, K = Z' M Z. M couples within bodies only, so Z need not be cut to the columns */
static void without_centre(const zw_bender *s, const zw_metric *M, const zw_rows *R, double *d, double *w) {
    const double *Z[3] = {s->shift, s->shift + M->n, s->shift + 2 * (ptrdiff_t)M->n};
    double        c[3], K[3][3], most = 0.0;
    if (!invariant(s, R, Z[0]) || !invariant(s, R, Z[1]) || !invariant(s, R, Z[2])) {
        return; /* a planar body against one that is not: its plane takes momentum anyway */
    }
    multiply(s, M, d, w);
    for (int a = 0; a < 3; a++) {
        c[a] = inner(s, Z[a], w);
    }
    for (int a = 0; a < 3; a++) {
        multiply(s, M, Z[a], w);
        for (int e = 0; e < 3; e++) {
            K[a][e] = inner(s, Z[e], w);
        }
        most = fmax(most, K[a][a]);
    }
    for (int a = 0; a < 3; a++) { /* elimination; directions without mass (across planar bodies) are left out */
        for (int r = a + 1; r < 3 && K[a][a] > 1e-12 * most; r++) {
            double f = K[r][a] / K[a][a];
            for (int e = a; e < 3; e++) {
                K[r][e] -= f * K[a][e];
            }
            c[r] -= f * c[a];
        }
    }
    for (int a = 2; a >= 0; a--) {
        for (int e = a + 1; e < 3; e++) {
            c[a] -= K[a][e] * c[e];
        }
        c[a] = K[a][a] > 1e-12 * most ? c[a] / K[a][a] : 0.0;
    }
    for (int j = 0; j < s->n; j++) {
        int l = s->column[j];
        d[l] -= c[0] * Z[0][l] + c[1] * Z[1][l] + c[2] * Z[2][l];
    }
}

/* drift^2 / (G M^-1 G'), the latter by the diagonal of M; d is 0 before and after */
static double weight_of_drift(const zw_bender *s, const zw_metric *M, const zw_rows *R, double drift, double *d) {
    double soft = 0.0;
    for (int j = 0; j < s->n && drift != 0.0; j++) {
        d[s->column[j]] = 1.0;
        soft += R->a[s->at[j]] * R->a[s->at[j]] / zw_metric_times(M, s->column[j], d);
        d[s->column[j]] = 0.0;
    }
    return soft > 0.0 ? drift * drift / soft : 0.0;
}

/* how much of the bending is done along G itself: all of it where little is missing, nothing where it is half of the change or more */
static double along(double missing, double total) {
    double part = (0.5 * fabs(total) - fabs(missing)) / (0.45 * fabs(total));
    return part >= 1.0 ? 1.0 : part > 0.0 ? part : 0.0;
}

double zw_bend_row(zw_bender *s, const zw_metric *M, const zw_bend *b, zw_rows *R, int tile, int i) {
    double total = b->h * (zw_row_times(R, tile, i, b->v) + b->drift), missing = b->change - total;
    missing = fabs(missing) > b->noise ? missing - copysign(b->noise, missing) : 0.0;
    if (missing == 0.0) {
        return b->drift;
    }
    double part = along(missing, total), longer = part > 0.0 ? part * missing / total : 0.0, tau = b->drift * (1.0 + longer);
    columns(s, R, &R->tile[tile], i);
    double obstacle = weight_of_drift(s, M, R, b->drift, s->d);
    for (int j = 0; j < s->n; j++) {
        s->d[s->column[j]] = b->h * b->v[s->column[j]];
    }
    if (b->pair) {
        without_centre(s, M, R, s->d, s->w);
    }
    multiply(s, M, s->d, s->w);
    double all = inner(s, s->d, s->w) + b->h * b->h * obstacle, kappa = all > 0.0 ? (1.0 - part) * missing / all : 0.0;
    kappa = isfinite(kappa) ? kappa : 0.0;
    for (int j = 0; j < s->n; j++) {
        R->a[s->at[j]] += longer * R->a[s->at[j]] + kappa * s->w[s->column[j]];
        s->d[s->column[j]] = 0.0;
    }
    return tau + kappa * b->h * obstacle;
}
