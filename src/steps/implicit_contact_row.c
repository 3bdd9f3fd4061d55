/* SPDX-License-Identifier: Apache-2.0
 * implicit_contact_row.c: the discrete gradient of a gap over an implicit step. With G and the drift of the gap at the middle of the step, d = h u, W masses by column and
 * missing = (g1 - g0) - G d - h drift, of third order in d:
 *
 *   longer:    Gbar = (1 + k) G,        tau = (1 + k) drift                   k = missing/(G d + h drift)
 *   Gonzalez:  Gbar = G + kappa W d',   tau = drift + kappa h drift^2 m       kappa = missing/(d W d + m (h drift)^2),   m = 1/(G W^-1 G')
 * mixed as in gauss_contact_row.c. Between bodies that are both free d is taken without the common rigid motion of their nodes, shift and turn (least squares with W): the
 * forces of the pair have no resultant and no moment about the mean places, so momenta are kept to round-off. Where the pair moves as one rigid body nothing is missing,
 * because G at the mean places does not see such motions: the quotient stays bounded.
 * Derivatives of Gbar by central differences of the columns it touches. */
#include "steps/implicit_contact.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* a row of the system's columns at a state, in the columns of u of touched blocks */
static void to_u(zw_implicit *k, const zw_implicit_contact *c, const zw_state *x, const zw_rows *row, double *out) {
    memset(out, 0, sizeof(double) * (size_t)c->ncolumns);
    double *to = out;
    for (int t = 0; t < c->ntouched; t++) {
        const zw_implicit_block *b = &k->block[c->touched[t]];
        const zw_part           *p = &k->y->part[b->part];
        for (int j = 0; j < row->nblocks; j++) {
            const zw_block *from = &row->block[j];
            for (int l = 0; l < from->ncol; l++) {
                int at = from->col0 + l - b->col0;
                if (at >= 0 && at < b->ncol) {
                    to[at] += row->a[from->a + l];
                }
            }
        }
        if (p->ops->secant != NULL && b->ncol == 6) { /* moments: body axes to space */
            zw_secant_node n;
            zw_state       part = zw_implicit_slice(k, b->part, x);
            double         m[3] = {to[0], to[1], to[2]};
            p->ops->secant->node(p->self, &part, b->index, &n);
            for (int i = 0; i < 3; i++) {
                to[i] = n.d[0][i] * m[0] + n.d[1][i] * m[1] + n.d[2][i] * m[2];
            }
        }
        to += b->ncol;
    }
}

static zw_status row_at(zw_implicit *k, int i, const zw_state *x, zw_meeting *m, double *out) {
    zw_implicit_contacts *s = k->contacts;
    ZW_TRY(zw_meet_again(s->set.meet, x, 1, &s->set.from[i], m));
    s->row.m = s->row.ntiles = s->row.nblocks = 0;
    s->row.nvalues = 0;
    ZW_TRY(zw_meet_row(s->set.meet, x, m, &s->row));
    to_u(k, &s->contact[i], x, &s->row, out);
    return ZW_OK;
}

/* the part of a row or velocity that is done along G itself: all of it where little is missing, nothing where it is half of the change or more */
static double along(double missing, double total) {
    double part = (0.5 * fabs(total) - fabs(missing)) / (0.45 * fabs(total));
    return part >= 1.0 ? 1.0 : part > 0.0 ? part : 0.0;
}

/* rigid motions of space in the columns that a contact touches: shifts, and turns about the middle of its nodes. false: not all of them are free to follow */
static bool rigid_modes(const zw_implicit *k, const zw_implicit_contact *c, const zw_state *x0, const zw_state *xm, double h,
                        double *mode) {
    double centre[3] = {0.0, 0.0, 0.0};
    for (int pass = 0; pass < 2; pass++) {
        int at = 0;
        for (int t = 0; t < c->ntouched; t++) {
            const zw_implicit_block *b = &k->block[c->touched[t]];
            const zw_part           *p = &k->y->part[b->part];
            zw_secant_node           n;
            if (p->ops->secant == NULL) {
                return false;
            }
            zw_state part = zw_implicit_slice(k, b->part, xm), from = zw_implicit_slice(k, b->part, x0);
            p->ops->secant->node(p->self, &part, b->index, &n);
            if (pass == 0) {
                zw_v3_addscaled(centre, centre, 1.0 / c->ntouched, n.x);
                continue;
            }
            double P[36], D[36], arm[3];
            p->ops->secant->columns_of(p->self, &from, k->u + p->v0, h, b->index, P, D);
            zw_v3_sub(arm, n.x, centre);
            for (int a = 0; a < 6; a++) { /* (w, v) of the node, then P' of it: columns of P are orthonormal */
                double twist[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
                twist[a < 3 ? 3 + a : a - 3] = 1.0;
                if (a >= 3) {
                    zw_v3_cross(twist + 3, twist, arm);
                }
                for (int col = 0; col < b->ncol; col++) {
                    double sum = 0.0;
                    for (int r = 0; r < 6; r++) {
                        sum += P[r * b->ncol + col] * twist[r];
                    }
                    mode[a * c->ncolumns + at + col] = sum;
                }
            }
            at += b->ncol;
        }
    }
    return true;
}

static double inner(int n, const double *a, const double *weight, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * (weight != NULL ? weight[i] : 1.0) * b[i];
    }
    return sum;
}

/* d less what it has of the motions that leave the gap as it is: Gram-Schmidt in the metric W, twice */
static void without_rigid(const zw_implicit_contact *c, const double *G, double *mode, double *d) {
    int    n = c->ncolumns, kept = 0;
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        size += fabs(G[i]);
    }
    for (int a = 0; a < 6; a++) {
        double *m = mode + (size_t)a * (size_t)n, most = 0.0, before = inner(n, m, c->weight, m);
        for (int i = 0; i < n; i++) {
            most = fmax(most, fabs(m[i]));
        }
        if (!(fabs(inner(n, G, NULL, m)) <= 1e-9 * size * most)) {
            continue; /* a planar body against one that is not: its plane takes momentum anyway */
        }
        for (int twice = 0; twice < 2; twice++) {
            for (int e = 0; e < kept; e++) {
                const double *other = mode + (size_t)e * (size_t)n;
                double        f = inner(n, m, c->weight, other);
                for (int i = 0; i < n; i++) {
                    m[i] -= f * other[i];
                }
            }
        }
        double left = inner(n, m, c->weight, m);
        if (!(left > 1e-20 * before) || !(left > 0.0)) {
            continue;
        }
        double *to = mode + (size_t)kept * (size_t)n;
        for (int i = 0; i < n; i++) {
            to[i] = m[i] / sqrt(left);
        }
        kept++;
    }
    for (int twice = 0; twice < 2; twice++) {
        for (int e = 0; e < kept; e++) {
            const double *m = mode + (size_t)e * (size_t)n;
            double        f = inner(n, d, c->weight, m);
            for (int i = 0; i < n; i++) {
                d[i] -= f * m[i];
            }
        }
    }
}

zw_status zw_implicit_contact_mean(zw_implicit *k, int i, const zw_state *x0, const zw_state *xm, const zw_state *x1, double h,
                                   double *mean, double *tau, double *gap) {
    zw_implicit_contacts      *s = k->contacts;
    const zw_implicit_contact *c = &s->contact[i];
    zw_meeting                 m;
    int                        n = c->ncolumns;
    double                    *d = s->scratch + 6 * (size_t)s->widest;
    ZW_TRY(zw_meet_again(s->set.meet, x1, 1, &s->set.from[i], &m));
    *gap = m.touch.gap;
    ZW_TRY(row_at(k, i, xm, &m, mean));
    s->set.scale[i] = m.side >= 0 ? 1.0 : zw_contact_set_size(&s->set, &m);
    *tau = m.drift;
    if (k->share == 2.0) { /* at rest there is one state, and one gradient */
        return ZW_OK;
    }
    double *to = d;
    for (int t = 0; t < c->ntouched; t++) {
        const zw_implicit_block *b = &k->block[c->touched[t]];
        for (int l = 0; l < b->ncol; l++) {
            *to++ = h * k->u[b->col0 + l];
        }
    }
    double drift = m.drift, total = inner(n, mean, NULL, d) + h * drift, change = *gap - s->set.gap0[i], missing = change - total;
    double noise = 4.0 * DBL_EPSILON * s->set.scale[i];
    missing = fabs(missing) > noise ? missing - copysign(noise, missing) : 0.0;
    if (missing == 0.0) {
        return ZW_OK;
    }
    double part = along(missing, total), longer = part > 0.0 ? part * missing / total : 0.0, soft = 0.0;
    for (int l = 0; l < n && drift != 0.0; l++) {
        soft += c->weight[l] > 0.0 ? mean[l] * mean[l] / c->weight[l] : 0.0;
    }
    double obstacle = soft > 0.0 ? drift * drift / soft : 0.0;
    if (m.a >= 0 && m.b >= 0 && part < 1.0 && rigid_modes(k, c, x0, xm, h, s->scratch)) {
        without_rigid(c, mean, s->scratch, d);
    }
    double all = inner(n, d, c->weight, d) + h * h * obstacle, kappa = all > 0.0 ? (1.0 - part) * missing / all : 0.0;
    kappa = isfinite(kappa) ? kappa : 0.0;
    for (int l = 0; l < n; l++) {
        mean[l] += longer * mean[l] + kappa * c->weight[l] * d[l];
    }
    *tau = drift * (1.0 + longer) + kappa * h * obstacle;
    return ZW_OK;
}

zw_status zw_implicit_contact_end(zw_implicit *k, int i, const zw_state *x0, const zw_state *x1, double h, double *end) {
    zw_implicit_contacts      *s = k->contacts;
    const zw_implicit_contact *c = &s->contact[i];
    zw_meeting                 m;
    ZW_TRY(row_at(k, i, x1, &m, end));
    for (int t = 0; t < c->ntouched; t++) { /* rows at the end act on (eta, x): times D, how those follow u */
        const zw_implicit_block *b = &k->block[c->touched[t]];
        const zw_part           *p = &k->y->part[b->part];
        if (p->ops->secant != NULL) {
            double   P[36], D[36], twist[6], out[6];
            zw_state from = zw_implicit_slice(k, b->part, x0);
            p->ops->secant->columns_of(p->self, &from, k->u + p->v0, h, b->index, P, D);
            for (int r = 0; r < 6; r++) {
                twist[r] = inner(b->ncol, P + r * b->ncol, NULL, end);
            }
            for (int col = 0; col < b->ncol; col++) {
                out[col] = 0.0;
                for (int r = 0; r < 6; r++) {
                    out[col] += twist[r] * D[r * b->ncol + col];
                }
            }
            memcpy(end, out, sizeof(double) * (size_t)b->ncol);
        }
        end += b->ncol;
    }
    return ZW_OK;
}

/* the states of one block with u as it is; of a part without turning nodes all of it */
static void place_block(zw_implicit *k, const zw_implicit_block *b, const zw_state *x0, double h) {
    zw_implicit_contacts *s = k->contacts;
    int                   part = b->part;
    const zw_part        *p = &k->y->part[part];
    zw_state from = zw_implicit_slice(k, part, x0), mid = zw_implicit_slice(k, part, &s->mid), end = zw_implicit_slice(k, part, &s->end);
    if (p->ops->secant != NULL) {
        p->ops->secant->move(p->self, &from, k->u + p->v0, h, b->index, &mid, &end);
        return;
    }
    for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
        mid.q[j] = from.q[j] + 0.5 * h * k->u[p->v0 + j];
        end.q[j] = from.q[j] + h * k->u[p->v0 + j];
        mid.v[j] = k->u[p->v0 + j];
    }
}

zw_status zw_implicit_contact_turns(zw_implicit *k, int i, const zw_state *x0, double h, const zw_state *x1) {
    zw_implicit_contacts      *s = k->contacts;
    const zw_implicit_contact *c = &s->contact[i];
    double push = k->z[k->block[c->block].z0], *plus = s->scratch + 7 * (size_t)s->widest, *minus = plus + s->widest, tau, gap,
           scale = s->set.scale[i];
    bool rests = k->share == 2.0;
    if (push == 0.0) {
        return ZW_OK;
    }
    zw_state_copy(&k->n, &k->xm, &s->mid);
    zw_state_copy(&k->n, x1, &s->end);
    for (int t = 0; t < c->ntouched; t++) {
        const zw_implicit_block *b = &k->block[c->touched[t]];
        bool                     turns = k->y->part[b->part].ops->secant != NULL;
        for (int col = 0; col < b->ncol; col++) {
            double *u = &k->u[b->col0 + col], kept = *u,
                   way = turns && col >= (b->ncol == 3 ? 1 : 3) && s->set.reach > 0.0 ? s->set.reach : 1.0;
            double step = 1e-6 * way / h;
            *u = kept - step;
            place_block(k, b, x0, h);
            ZW_TRY(zw_implicit_contact_mean(k, i, x0, rests ? &s->end : &s->mid, &s->end, h, minus, &tau, &gap));
            *u = kept + step;
            place_block(k, b, x0, h);
            ZW_TRY(zw_implicit_contact_mean(k, i, x0, rests ? &s->end : &s->mid, &s->end, h, plus, &tau, &gap));
            *u = kept;
            const double *p = plus, *m = minus;
            for (int other = 0; other < c->ntouched; other++) {
                const zw_implicit_block *o = &k->block[c->touched[other]];
                double                   slope[600];
                for (int r0 = 0; r0 < o->ncol; r0 += 600) {
                    int rows = o->ncol - r0 < 600 ? o->ncol - r0 : 600;
                    for (int r = 0; r < rows; r++) {
                        slope[r] = -push * (p[r0 + r] - m[r0 + r]) / (2.0 * step);
                    }
                    zw_implicit_add(k, c->touched[other], c->touched[t], r0, col, rows, 1, slope);
                }
                p += o->ncol;
                m += o->ncol;
            }
        }
        place_block(k, b, x0, h);
    }
    s->set.scale[i] = scale;
    return ZW_OK;
}
