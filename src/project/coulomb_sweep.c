/* SPDX-License-Identifier: Apache-2.0
 * coulomb_sweep.c: the law at one contact, exactly, and Gauss-Seidel over an island with it, forwards and backwards, its fixed point followed by Anderson's acceleration.
 *
 * One contact, velocity v = r + D p. Open where r_n >= 0. Otherwise u = 0 eliminates the normal,  w = b + S pt  with S = D_tt - D_tn D_nt/D_nn, and  w = -k pt  gives
 *   pt(k) = -(S + k)^-1 b,    pn(k) = -(r_n + D_nt.pt)/D_nn
 * sticking is k = 0; where that leaves the cone, |pt| - mu pn is above 0 at k = 0 and below 0 for large k: there is a root, and it slides. */
#include "project/coulomb_part.h"

#include <math.h>
#include <string.h>

enum { DEPTH = ZW_COULOMB_DEPTH, LAG = 8 };

/* 1/(mu pn) - 1/|pt| without its poles: > 0 within the cone; *slope of 1/|pt| - 1/(mu pn) */
static double outside(const zw_coulomb_contact *c, double rn, const double b[2], double k, double pt[2], double *pn, double *slope) {
    double size2 = 0.0, turn = 0.0, fall = 0.0;
    *pn = -rn;
    for (int j = 0; j < 2; j++) {
        pt[j] = -b[j] / (c->soft[j] + k);
        *pn -= c->tn[j] * pt[j];
        size2 += pt[j] * pt[j];
        turn += pt[j] * pt[j] / (c->soft[j] + k);
        fall += c->tn[j] * pt[j] / (c->soft[j] + k);
    }
    *pn /= c->D[0];
    double size = sqrt(size2), limit = c->mu * *pn;
    *slope = limit > 0.0 && size > 0.0 ? turn / (size2 * size) + c->mu * fall / (c->D[0] * limit * limit) : 0.0;
    return size - limit;
}

/* the root k, by Newton's method within what is known to hold it, from the root that the contact had last */
static void slide(zw_coulomb_contact *c, double rn, const double b[2], double pt[2], double *pn) {
    double low = 0.0, high = INFINITY, slope, k = c->k > 0.0 ? c->k : fmax(c->soft[0], c->soft[1]), size = 0.0, limit = 0.0;
    for (int i = 0; i < 120; i++) {
        double off = outside(c, rn, b, k, pt, pn, &slope);
        limit = c->mu * *pn;
        size = sqrt(pt[0] * pt[0] + pt[1] * pt[1]);
        *(off > 0.0 ? &low : &high) = k;
        if (fabs(off) <= 2e-16 * size) {
            break;
        }
        double to = slope > 0.0 ? k + off / (size * limit * slope) : -1.0; /* 1/|pt| - 1/limit = -off/(size limit) */
        to = to > low && to < high ? to : high < INFINITY ? 0.5 * (low + high) : 4.0 * k;
        if (fabs(to - k) <= 2e-16 * k) {
            break;
        }
        k = to;
    }
    c->k = k;
    for (int j = 0; j < 2 && size > 0.0 && limit > 0.0; j++) { /* the rest of the iteration: on the cone */
        pt[j] *= limit / size;
    }
}

void zw_coulomb_law(zw_coulomb_contact *c, const double r[3], double p[3]) {
    p[0] = p[1] = p[2] = 0.0;
    if (!(r[0] < 0.0) || !(c->D[0] > 0.0)) {
        return;
    }
    if (!(c->mu > 0.0)) {
        p[0] = -r[0] / c->D[0];
        return;
    }
    double t[2] = {c->turn[0] * r[1] + c->turn[1] * r[2], -c->turn[1] * r[1] + c->turn[0] * r[2]}, pt[2], pn, slope;
    double b[2] = {t[0] - c->tn[0] * r[0] / c->D[0], t[1] - c->tn[1] * r[0] / c->D[0]};
    if (outside(c, r[0], b, 0.0, pt, &pn, &slope) > 0.0) {
        slide(c, r[0], b, pt, &pn);
    }
    p[0] = fmax(pn, 0.0);
    p[1] = c->turn[0] * pt[0] - c->turn[1] * pt[1];
    p[2] = c->turn[1] * pt[0] + c->turn[0] * pt[1];
}

/* velocity at i that all others but itself make, q included */
static void others(const zw_coulomb *s, int i, double r[3]) {
    const zw_coulomb_contact *c = &s->at[i];
    r[0] = c->q[0];
    r[1] = c->q[1];
    r[2] = c->q[2];
    for (int e = s->begin[i]; e < s->begin[i + 1]; e++) {
        const zw_coulomb_term *t = &s->term[e];
        const double          *p = s->at[t->j].p, *W = t->W;
        if (t->j != i && p[0] > 0.0) {
            r[0] += W[0] * p[0] + W[1] * p[1] + W[2] * p[2];
            r[1] += W[3] * p[0] + W[4] * p[1] + W[5] * p[2];
            r[2] += W[6] * p[0] + W[7] * p[1] + W[8] * p[2];
        }
    }
}

void zw_coulomb_look(zw_coulomb *s, int i) {
    zw_coulomb_contact *c = &s->at[i];
    others(s, i, c->r);
    for (int a = 0; a < 3; a++) {
        c->r[a] += c->D[3 * a] * c->p[0] + c->D[3 * a + 1] * c->p[1] + c->D[3 * a + 2] * c->p[2];
    }
}

double zw_coulomb_missed(const zw_coulomb_contact *c, const double v[3]) {
    double most = fabs(fmin(c->p[0] * c->D[0], v[0]));
    if (c->mu > 0.0) {
        double size = hypot(v[1], v[2]), scale = c->D[0], limit = c->mu * c->p[0];
        most = fmax(most, (hypot(c->p[1], c->p[2]) - limit) * scale);
        if (size > 0.0) {
            most = fmax(most, fmin(size, scale * hypot(c->p[1] + limit * v[1] / size, c->p[2] + limit * v[2] / size)));
        }
    }
    return most;
}

double zw_coulomb_worst(zw_coulomb *s, int island, int *who) {
    double most = 0.0;
    *who = s->island.item[s->island.start[island]];
    for (int k = s->island.start[island]; k < s->island.start[island + 1]; k++) {
        int i = s->island.item[k];
        zw_coulomb_look(s, i);
        double m = zw_coulomb_missed(&s->at[i], s->at[i].r);
        if (!(m <= most)) {
            most = m;
            *who = i;
        }
    }
    return most;
}

/* ---- Gauss-Seidel */

static void update(zw_coulomb *s, int i) {
    double r[3];
    others(s, i, r);
    zw_coulomb_law(&s->at[i], r, s->at[i].p);
}

static void sweep(zw_coulomb *s, int island) {
    int first = s->island.start[island], end = s->island.start[island + 1];
    for (int k = first; k < end; k++) {
        update(s, s->island.item[k]);
    }
    for (int k = end - 2; k >= first; k--) {
        update(s, s->island.item[k]);
    }
}

/* Anderson: the combination of the last differences of residuals that leaves the least of r (normal equations by Cholesky; what adds nothing is left out). Only
 * the products with difference `fresh` are new in gram */
static void combine(int m, int fresh, size_t n, const double *past, const double *r, double gram[DEPTH][DEPTH], double *y) {
    double G[DEPTH][DEPTH];
    for (int a = 0; a < m; a++) {
        const double *da = past + (size_t)a * n, *df = past + (size_t)fresh * n;
        double        sum = 0.0, with = 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += da[i] * r[i];
            with += da[i] * df[i];
        }
        y[a] = sum;
        gram[a][fresh] = gram[fresh][a] = with;
    }
    for (int a = 0; a < m; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = gram[a][b];
            for (int j = 0; j < b; j++) {
                sum -= G[a][j] * G[b][j];
            }
            if (a == b) {
                G[a][a] = sum > 1e-12 * gram[a][a] ? sqrt(sum) : INFINITY;
            } else {
                G[a][b] = sum / G[b][b];
            }
        }
        for (int j = 0; j < a; j++) {
            y[a] -= G[a][j] * y[j];
        }
        y[a] /= G[a][a];
    }
    for (int a = m - 1; a >= 0; a--) {
        for (int j = a + 1; j < m; j++) {
            y[a] -= G[j][a] * y[j];
        }
        y[a] /= G[a][a];
    }
}

/* at the pace of the last passes it takes more than there are left; changes: of the last LAG passes, in a ring */
static bool too_slow(const double *changes, int pass, int most, double change, double aim) {
    double then = changes[pass % LAG];
    if (pass < 2 * LAG || !(change > aim)) {
        return false;
    }
    return !(change < then) || log(change / aim) / log(then / change) * LAG > most - pass;
}

double zw_coulomb_sweep(zw_coulomb *s, int island, double aim, int most, bool accelerated, int *sweeps) {
    int     first = s->island.start[island], count = s->island.start[island + 1] - first, depth = 0, filled = 0, who;
    size_t  n = 3 * (size_t)count;
    double *dR = s->past, *dG = dR + DEPTH * n, *x = s->last, *r = x + n, *last_r = r + n, *last_g = last_r + n;
    double  before = INFINITY, y[DEPTH], gram[DEPTH][DEPTH], changes[LAG];
    bool    guessed = false;
    int     at = 0;
    for (int pass = 0;; pass++) {
        double change = 0.0, size = 0.0;
        for (int k = 0; k < count; k++) {
            memcpy(x + 3 * k, s->at[s->island.item[first + k]].p, sizeof(double[3]));
        }
        sweep(s, island);
        for (int k = 0; k < count; k++) {
            const zw_coulomb_contact *c = &s->at[s->island.item[first + k]];
            for (int a = 0; a < 3; a++) {
                double d = (c->p[a] - x[3 * k + a]) * c->D[0];
                r[3 * k + a] = d;
                change = fmax(change, fabs(d));
                size += d * d;
            }
        }
        ++*sweeps;
        bool slow = pass >= most || too_slow(changes, pass, most, change, aim);
        changes[pass % LAG] = change;
        if (change <= 2.0 * aim || slow || count == 1) {
            double worst = zw_coulomb_worst(s, island, &who);
            if (worst <= aim || slow || change == 0.0 || (count == 1 && pass >= 1)) {
                return worst;
            }
        }
        if (guessed && size > 2.0 * before) { /* lost: begin again from here */
            depth = filled = 0;
            guessed = false;
        } else if (pass > 0) {
            at = filled++ % DEPTH;
            depth = depth < DEPTH ? depth + 1 : DEPTH;
            for (size_t i = 0; i < n; i++) {
                dR[(size_t)at * n + i] = r[i] - last_r[i];
                dG[(size_t)at * n + i] = s->at[s->island.item[first + (int)(i / 3)]].p[i % 3] - last_g[i];
            }
        }
        before = size;
        memcpy(last_r, r, sizeof(double) * n);
        for (size_t i = 0; i < n; i++) {
            last_g[i] = s->at[s->island.item[first + (int)(i / 3)]].p[i % 3];
        }
        if (depth > 0 && accelerated) {
            combine(depth, at, n, dR, r, gram, y);
            guessed = true;
            for (int k = 0; k < count; k++) {
                double *p = s->at[s->island.item[first + k]].p;
                for (int a = 0; a < 3; a++) {
                    for (int j = 0; j < depth; j++) {
                        p[a] -= y[j] * dG[(size_t)j * n + 3 * (size_t)k + (size_t)a];
                    }
                }
                p[0] = fmax(p[0], 0.0);
            }
        }
    }
}
