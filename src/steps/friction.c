/* SPDX-License-Identifier: Apache-2.0
 * friction.c: one kick over contacts. With  u = N x + drift - c  and sliding  w = T x + wind + bend,
 *
 *   H x = f + A' lambda + N' p + T' pt,    A x = b,    0 <= p _|_ u >= 0,    |pt| <= mu p,    pt.w = -mu p |w|      (Coulomb, maximal dissipation)
 *
 * Without friction this is one call of the kernel. With it, after De Saxce: for given s the law  u + mu s >= mu |w|  is the minimisation of 1/2 |x - xhat|^2_H over
 * a convex set, whose multipliers lie in the cone |pt| <= mu p; where s = |w| it is the law above. The cone of w is the intersection of half spaces
 *   u + mu s >= mu d.w      d of length 1
 *   sticks   s = 0, three directions; where it slips, the direction of slipping too; slipping on, it slides
 *   slides   d along the w of the pass before, s its length; the curvature of the cone there, mu p/|w| across d, is a drag: Newton's method for the direction
 * w of all that slides is followed by Anderson's acceleration. Each pass is a call of the kernel; the law itself is looked at in the end. */
#include "base/context.h"
#include "base/number.h"
#include "steps/friction_part.h"

#include <math.h>
#include <string.h>

enum { MOST = 60, SLIPS = 5, TRIES = 3, DEPTH = ZW_RUB_DEPTH };
/* of the speed: what is aimed at; what moves slower than this sticks; what is taken in the end where faces share a load in many ways, and recorded */
static const double CLOSE = 1e-12, SLOW = 1e-9, FAIR = 1e-4;

void zw_rub_slide(const zw_contact_set *s, int i, const double *x, double w[2]) {
    zw_contact_set_slide(s, i, x, w);
    w[0] += s->at[i].bend[0];
    w[1] += s->at[i].bend[1];
}

/* ---- the law */

static void inverse_diagonal(const zw_metric *H, double *z) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *p = &H->part[k];
        double          *to = z + H->v0[k];
        for (int i = 0; p->kind == ZW_DIAGONAL && i < p->n; i++) {
            to[i] = 1.0 / p->a[i];
        }
        for (int i = 0; p->kind != ZW_DIAGONAL && i < p->n / p->block; i++) {
            for (int e = p->start[i]; e < p->start[i + 1]; e++) {
                for (int j = 0; p->col[e] == i && j < p->block; j++) {
                    to[i * p->block + j] = 1.0 / p->a[((ptrdiff_t)e * p->block + j) * p->block + j];
                }
            }
        }
    }
}

double zw_rub_weight(const zw_kick *k, const zw_contact_set *s, int i) {
    const zw_tile *t = &s->N.tile[i];
    double         sum = 0.0;
    for (int e = t->block0; e < t->block0 + t->nblocks; e++) {
        const zw_block *b = &s->N.block[e];
        for (int j = 0; j < b->ncol; j++) {
            sum += s->N.a[b->a + j] * s->N.a[b->a + j] * k->inverse[b->col0 + j];
        }
    }
    return sum;
}

/* by how much a contact misses its law at x, as a speed */
static double missed(const zw_kick *k, const zw_contact_set *s, int i, const double *x) {
    const zw_contact *c = &s->at[i];
    double            scale = zw_rub_weight(k, s, i), u = zw_contact_set_rate(s, i, x) - c->c, most = fabs(fmin(c->p * scale, u));
    if (c->slide >= 0) {
        double w[2], mu = s->meeting[i].friction;
        zw_rub_slide(s, i, x, w);
        double size = hypot(w[0], w[1]);
        most = fmax(most, (hypot(c->pt[0], c->pt[1]) - mu * c->p) * scale);
        if (size > 0.0) {
            most = fmax(most, fmin(size, scale * hypot(c->pt[0] + mu * c->p * w[0] / size, c->pt[1] + mu * c->p * w[1] / size)));
        }
    }
    return most;
}

double zw_rub_worst(const zw_kick *k, const zw_contact_set *s, const double *x, int *who) {
    double most = 0.0;
    *who = 0;
    for (int i = 0; i < s->n; i++) {
        double m = s->at[i].on ? missed(k, s, i, x) : 0.0;
        if (!(m <= most)) {
            most = m;
            *who = i;
        }
    }
    return most;
}

/* ---- how it is found */

double zw_rub_allowed(int pass) {
    return pass < 10 ? CLOSE : pass < 40 ? 1e-10 : pass < 100 ? 1e-8 : 1e-6;
}

void zw_rub_face(zw_rub *r, double c, double s) {
    static const double third = 0.86602540378443864676; /* sin(2 pi/3) */
    const double        d[3][2] = {{c, s}, {-0.5 * c - third * s, -0.5 * s + third * c}, {-0.5 * c + third * s, -0.5 * s - third * c}};
    memcpy(r->d, d, sizeof d);
    r->n = 3;
}

void zw_rub_keep(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, const double *x, const double *lambda, double law) {
    if (!(law < k->best_law)) {
        return;
    }
    k->best_law = law;
    memcpy(k->best_x, x, sizeof(double) * (size_t)pb->H->n);
    if (pb->A->m > 0) {
        memcpy(k->best_lambda, lambda, sizeof(double) * (size_t)pb->A->m);
    }
    for (int i = 0; i < s->n; i++) {
        zw_contact *c = &s->at[i];
        c->best[0] = c->p;
        c->best[1] = c->pt[0];
        c->best[2] = c->pt[1];
    }
}

static void best_take(const zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda) {
    memcpy(x, k->best_x, sizeof(double) * (size_t)pb->H->n);
    if (pb->A->m > 0) {
        memcpy(lambda, k->best_lambda, sizeof(double) * (size_t)pb->A->m);
    }
    for (int i = 0; i < s->n; i++) {
        zw_contact *c = &s->at[i];
        c->p = c->best[0];
        c->pt[0] = c->best[1];
        c->pt[1] = c->best[2];
    }
}

static void stick(zw_rub *r) {
    r->slides = false;
    r->s = r->drag = 0.0;
    r->slips = 0;
}

static void start(zw_kick *k, const zw_contact_set *s, const zw_kick_problem *pb) {
    for (int i = 0; i < s->n; i++) {
        zw_rub *r = &k->rub[i];
        double  w[2], to[2];
        *r = (zw_rub){0};
        k->now[2 * i] = k->now[2 * i + 1] = k->next[2 * i] = k->next[2 * i + 1] = 0.0;
        if (!s->at[i].on || s->at[i].slide < 0) {
            continue;
        }
        zw_rub_slide(s, i, pb->before, w);
        zw_rub_slide(s, i, pb->free, to);
        double size = hypot(w[0], w[1]), way = hypot(to[0], to[1]);
        r->slides = size > SLOW * pb->speed;
        if (r->slides) {
            k->now[2 * i] = w[0];
            k->now[2 * i + 1] = w[1];
        } else if (way > SLOW * pb->speed) {
            zw_rub_face(r, to[0] / way, to[1] / way);
        } else {
            zw_rub_face(r, 1.0, 0.0);
        }
    }
}

/* the kernel need not see what is far from stiff, and would not see the rest beside what is far too stiff */
double zw_rub_drag(const zw_kick *k, const zw_contact_set *s, int i, double force, double speed) {
    double scale = zw_rub_weight(k, s, i);
    return force * scale <= 1e-3 * speed ? 0.0 : fmin(force, 1e6 * speed / scale) / speed;
}

/* directions, s and drags from what is followed */
static void aim(zw_kick *k, const zw_contact_set *s) {
    for (int i = 0; i < s->n; i++) {
        zw_rub *r = &k->rub[i];
        if (s->at[i].on && r->slides) {
            double y[2] = {k->now[2 * i], k->now[2 * i + 1]};
            r->s = hypot(y[0], y[1]);
            if (!(r->s > 0.0)) {
                stick(r);
                continue;
            }
            r->drag = zw_rub_drag(k, s, i, s->meeting[i].friction * s->at[i].p, r->s);
            zw_rub_face(r, y[0] / r->s, y[1] / r->s);
        }
    }
}

/* what each contact does now; *off: by how much what is followed was wrong; false: some changed between sticking and sliding */
static bool look(zw_kick *k, const zw_contact_set *s, const double *x, double speed, double *off) {
    bool same = true;
    *off = 0.0;
    for (int i = 0; i < s->n; i++) {
        zw_rub *r = &k->rub[i];
        double  w[2], *now = &k->now[2 * i], *next = &k->next[2 * i];
        if (!s->at[i].on || r->n == 0) {
            continue;
        }
        zw_rub_slide(s, i, x, w);
        double size = hypot(w[0], w[1]);
        double u = zw_contact_set_rate(s, i, x) - s->at[i].c, was = hypot(now[0], now[1]);
        bool   pushes = s->at[i].p > 0.0, back = w[0] * now[0] + w[1] * now[1] <= 0.0;
        bool   stops = u < -0.1 * s->meeting[i].friction * size && size < 0.5 * was && r->tries < TRIES;
        if (r->slides && pushes && (size <= SLOW * speed || back || stops)) {
            stick(r);
            r->tries++;
            double pull = hypot(s->at[i].pt[0], s->at[i].pt[1]);
            if (pull > 0.0) {
                zw_rub_face(r, -s->at[i].pt[0] / pull, -s->at[i].pt[1] / pull);
            }
            now[0] = now[1] = next[0] = next[1] = 0.0;
            same = false;
        } else if (r->slides) {
            next[0] = w[0];
            next[1] = w[1];
            *off = fmax(*off, pushes || u < 0.0 ? hypot(w[0] - now[0], w[1] - now[1]) : 0.0);
        } else if (size > CLOSE * speed) {
            *off = fmax(*off, pushes ? size : 0.0);
            same = same && !pushes;
            if (size > SLOW * speed && (r->slips >= SLIPS || (r->slips > 0 && size > 0.3 * r->slipped) || !pushes)) {
                r->slides = true;
                now[0] = next[0] = w[0];
                now[1] = next[1] = w[1];
            } else if (pushes) {
                int at = r->n < ZW_RUB_FACETS ? r->n++ : 3 + r->slips % (ZW_RUB_FACETS - 3);
                r->d[at][0] = w[0] / size;
                r->d[at][1] = w[1] / size;
                r->slips++;
                r->slipped = size;
            }
        }
    }
    return same;
}

void zw_rub_accelerate(zw_kick *k, int pairs, int *depth) {
    size_t  n = 2 * (size_t)pairs;
    double *last = k->past + 2 * DEPTH * n, *last_r = last + n, G[DEPTH][DEPTH] = {{0}}, y[DEPTH] = {0};
    if (*depth >= 0) { /* newest difference in front */
        int keep = *depth < DEPTH ? *depth : DEPTH - 1;
        memmove(k->past + 2 * n, k->past, sizeof(double) * 2 * n * (size_t)keep);
        for (size_t i = 0; i < n; i++) {
            k->past[i] = k->now[i] - last[i];
            k->past[n + i] = k->next[i] - k->now[i] - last_r[i];
        }
        *depth = keep + 1;
    } else {
        *depth = 0;
    }
    int m = *depth;
    for (size_t i = 0; i < n; i++) {
        last[i] = k->now[i];
        last_r[i] = k->next[i] - k->now[i];
    }
    for (int a = 0; a < m; a++) {
        for (size_t i = 0; i < n; i++) {
            y[a] += k->past[(2 * (size_t)a + 1) * n + i] * last_r[i];
        }
        for (int b = 0; b <= a; b++) {
            for (size_t i = 0; i < n; i++) {
                G[a][b] += k->past[(2 * (size_t)a + 1) * n + i] * k->past[(2 * (size_t)b + 1) * n + i];
            }
        }
    }
    for (int a = 0; a < m; a++) { /* Cholesky; what adds nothing is left out */
        for (int b = 0; b <= a; b++) {
            double sum = G[a][b];
            for (int j = 0; j < b; j++) {
                sum -= G[a][j] * G[b][j];
            }
            if (a == b) {
                G[a][a] = sum > 1e-10 * G[a][a] ? sqrt(sum) : INFINITY;
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
    for (size_t i = 0; i < n; i++) {
        k->now[i] = k->next[i];
        for (int a = 0; a < m; a++) {
            k->now[i] -= y[a] * (k->past[2 * (size_t)a * n + i] + k->past[(2 * (size_t)a + 1) * n + i]);
        }
    }
    double far = 0.0, step = 0.0;
    for (size_t i = 0; i < n; i++) {
        far = fmax(far, fabs(k->now[i] - k->next[i]));
        step = fmax(step, fabs(last_r[i]));
    }
    for (size_t i = 0; i + 1 < n; i += 2) { /* no guess is far from what was seen, or turns a direction round */
        if (far > 100.0 * step || k->now[i] * k->next[i] + k->now[i + 1] * k->next[i + 1] <= 0.0) {
            k->now[i] = k->next[i];
            k->now[i + 1] = k->next[i + 1];
        }
    }
}

static zw_status rough(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda) {
    double off = 0.0, last = INFINITY;
    int    depth = -1, who;
    for (int i = 0; i < s->n; i++) {
        s->at[i].p = 0.0;
    }
    k->best_law = INFINITY;
    start(k, s, pb);
    for (int pass = 0; pass < MOST; pass++) {
        aim(k, s);
        bool solved;
        ZW_TRY(zw_kick_project(k, s, pb, pass == 0, x, lambda, &solved));
        if (!solved) {
            break;
        }
        bool same = look(k, s, x, pb->speed, &off);
        off /= pb->speed;
        double law = zw_rub_worst(k, s, x, &who) / pb->speed;
        zw_rub_keep(k, s, pb, x, lambda, law);
        if ((same && off <= CLOSE && law <= 1e-10) || law <= zw_rub_allowed(pass)) {
            return ZW_OK;
        }
        bool worse = off > 1.5 * last;
        last = off;
        depth = !same || worse ? -1 : depth;
        zw_rub_accelerate(k, s->n, &depth);
        for (int i = 0; i < s->n && (worse || (pass > 30 && pass % 3 == 0)); i++) { /* half way */
            if (k->rub[i].slides) {
                k->now[2 * i] = 0.5 * (k->now[2 * i] + k->rub[i].s * k->rub[i].d[0][0]);
                k->now[2 * i + 1] = 0.5 * (k->now[2 * i + 1] + k->rub[i].s * k->rub[i].d[0][1]);
            }
        }
    }
    bool found = false;
    if (k->best_law < INFINITY) {
        best_take(k, s, pb, x, lambda);
        ZW_TRY(zw_rub_given(k, s, pb, x, lambda, &found));
    }
    if (found) {
        return ZW_OK;
    }
    if (k->best_law < INFINITY) {
        best_take(k, s, pb, x, lambda);
    }
    if (k->best_law <= FAIR) {
        return ZW_OK;
    }
    char name[160], number[ZW_NUMBER_TEXT];
    zw_rub_worst(k, s, x, &who);
    zw_meet_name(s->meet, &s->meeting[who], name, sizeof name);
    return zw_raise(k->context, ZW_E_CONVERGENCE, name,
                    "use a smaller step or less friction; where friction jams (Painleve), Coulomb's law may have no answer",
                    "friction was not found: %s of the speed is left", zw_number_short(k->best_law, 3, number));
}

zw_status zw_kick_solve(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda, double *residual) {
    bool rubs = false;
    int  who;
    ZW_TRY(zw_kick_reserve(k, s, pb));
    inverse_diagonal(pb->H, k->inverse);
    for (int i = 0; i < s->n; i++) {
        rubs = rubs || (s->at[i].on && s->at[i].slide >= 0);
    }
    ZW_TRY(rubs ? rough(k, s, pb, x, lambda) : zw_kick_smooth(k, s, pb, x, lambda));
    *residual = zw_rub_worst(k, s, x, &who) / pb->speed;
    return ZW_OK;
}
