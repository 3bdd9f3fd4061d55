/* SPDX-License-Identifier: Apache-2.0
 * rod_growth_observe.c: see rod_growth_observe.h. */
#include "parts/rod_growth_observe.h"

#include "math/dense.h"
#include "parts/rod_link.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum growth_field {
    GROWTH_STRAIN,
    ELASTIC_STRAIN,
    TOTAL_STRAIN,
    BEND_ORIGINAL,
    BEND_REFERENCE,
    BEND_CURRENT,
    SHEAR_ANGLE,
    DRIVING_FORCE,
    COMPATIBILITY,
    SPIN_GROWTH,
    SPIN_ELASTIC,
    SPIN_RIGID,
    GROWTH_POWER,
    ZWANG_TIME,
    ZWANG_SPACE
} growth_field;

typedef struct field_row {
    const char *name, *unit;
    int         width; /* 0: one number of the rod */
    bool        of_links;
} field_row;

static const field_row table[ZW_ROD_GROWTH_FIELDS] = {
    [GROWTH_STRAIN] = {"growth_strain", "1", 1, true},
    [ELASTIC_STRAIN] = {"elastic_strain", "1", 1, true},
    [TOTAL_STRAIN] = {"total_strain", "1", 1, true},
    [BEND_ORIGINAL] = {"bend_twist_original", "1/m", 3, true},
    [BEND_REFERENCE] = {"bend_twist_reference", "1/m", 3, true},
    [BEND_CURRENT] = {"bend_twist_current", "1/m", 3, true},
    [SHEAR_ANGLE] = {"shear_angle", "rad", 1, true},
    [DRIVING_FORCE] = {"driving_force", "N", 1, true},
    [COMPATIBILITY] = {"compatibility", "rad/(m s)", 3, true},
    [SPIN_GROWTH] = {"spin_growth", "rad/s", 3, false},
    [SPIN_ELASTIC] = {"spin_elastic", "rad/s", 3, false},
    [SPIN_RIGID] = {"spin_rigid", "rad/s", 3, false},
    [GROWTH_POWER] = {"growth_power", "W", 0, false},
    [ZWANG_TIME] = {"zwang_time", "N^2/kg", 0, false},
    [ZWANG_SPACE] = {"zwang_space", "N/m", 0, false},
};

static const double *node_q(const zw_state *x, int node) {
    return x->q + ZW_ROD_NQ * (size_t)node;
}

static const double *node_v(const zw_state *x, int node) {
    return x->v + ZW_ROD_NV * (size_t)node;
}

static void look_at(const zw_rod *r, int i_link, const double *q, zw_link *k) {
    zw_link_strain(q + ZW_ROD_NQ * (size_t)(r->node0 + i_link), q + ZW_ROD_NQ * (size_t)zw_rod_far(r, i_link), k);
}

void zw_rod_link_lengths(const zw_rods *rods, const zw_rod *r, int i_link, const double *q, zw_rod_lengths *out) {
    zw_link k;
    look_at(r, i_link, q, &k);
    *out = (zw_rod_lengths){rods->l0[r->link0 + i_link], rods->l[r->link0 + i_link], zw_v3_norm(k.u)};
}

double zw_rod_shear_angle(const double Gamma[3]) {
    return atan2(hypot(Gamma[0], Gamma[1]), Gamma[2]);
}

double zw_rod_driving_force(const zw_rods *rods, const zw_rod *r, int i_link, const double *q) {
    double        strain[6], stress[6], full = 0.0, elastic = 0.0;
    const double *natural = rods->natural + 6 * (size_t)(r->link0 + i_link);
    zw_rod_link_strain(rods, r, i_link, q, strain);
    zw_rod_link_stress(rods, r, i_link, strain, stress);
    for (int i = 0; i < 6; i++) {
        full += stress[i] * strain[i];
        elastic += stress[i] * (strain[i] - natural[i]);
    }
    return full - 0.5 * elastic;
}

/* of l/2 e.C e, e = (w, u)/l - e0, at fixed w and u */
static double link_power(const zw_rods *rods, const zw_rod *r, int i_link, const double *q, const zw_rod_rates *rates) {
    size_t        at = (size_t)(r->link0 + i_link);
    double        strain[6], stress[6], e[6], power = 0.0, l = rods->l[at];
    const double *natural = rods->natural + 6 * at;
    if (rates->l != NULL && rates->l[at] != 0.0) {
        power -= rates->l[at] * zw_rod_driving_force(rods, r, i_link, q);
    }
    zw_rod_link_strain(rods, r, i_link, q, strain);
    zw_rod_link_stress(rods, r, i_link, strain, stress);
    for (int i = 0; i < 6; i++) {
        e[i] = strain[i] - natural[i];
        power -= rates->natural != NULL ? l * stress[i] * rates->natural[6 * at + (size_t)i] : 0.0;
    }
    if (rates->stiffness != NULL && rods->coupling != NULL) {
        double more[6];
        zw_m6_mulv(more, rates->stiffness + 36 * at, e);
        power += 0.5 * l * zw_v6_dot(e, more);
    } else if (rates->stiffness != NULL) {
        for (int i = 0; i < 6; i++) {
            power += 0.5 * l * rates->stiffness[6 * at + (size_t)i] * e[i] * e[i];
        }
    }
    return power;
}

double zw_rod_growth_power(const zw_rods *rods, const zw_rod *r, const zw_state *x, const zw_rod_rates *rates) {
    double power = 0.0;
    for (int k = 0; k < r->nlinks; k++) {
        power += link_power(rods, r, k, x->q, rates);
    }
    for (int k = r->node0; rates->mass != NULL && k < r->node0 + r->nnodes; k++) {
        const double *v = node_v(x, k);
        double        spin[3];
        zw_m3_mulv(spin, rates->inertia + 9 * (size_t)k, v);
        power += rates->mass[k] * (0.5 * zw_v3_norm2(v + 3) - zw_v3_dot(rods->gravity, node_q(x, k))) + 0.5 * zw_v3_dot(v, spin);
    }
    return power;
}

/* bend-twist per reference length and stretch |u|/l of a link */
static void link_form(const zw_rods *rods, const zw_rod *r, int i_link, const double *q, double form[4]) {
    zw_link k;
    double  inv = 1.0 / rods->l[r->link0 + i_link];
    look_at(r, i_link, q, &k);
    zw_v3_scale(form, inv, k.w);
    form[3] = inv * zw_v3_norm(k.u);
}

/* the same at a node, by the straight line through the middles of its two links (of the two nearest ones at an end); all are in the directors of the node as they stand */
static void node_form(const zw_rods *rods, const zw_rod *r, int i, const double *q, double form[4]) {
    int    left = i - 1, right = i, n = r->nlinks;
    double a[4], b[4], share;
    if (r->closed) {
        left = (left + n) % n;
    }
    if (n == 1) {
        link_form(rods, r, 0, q, form);
        return;
    }
    left = left < 0 ? 0 : right >= n ? n - 2 : left;
    right = left + 1 < n ? left + 1 : 0;
    const double la = rods->l[r->link0 + left], lb = rods->l[r->link0 + right];
    bool         base = !r->closed && i == 0, tip = !r->closed && i == n;
    share = la / (la + lb); /* of the way from the middle of left to that of right */
    share = base ? -share : tip ? 1.0 + lb / (la + lb) : share;
    link_form(rods, r, left, q, a);
    link_form(rods, r, right, q, b);
    for (int h = 0; h < 4; h++) {
        form[h] = a[h] + share * (b[h] - a[h]);
    }
}

/* rate of |u| */
static double current_rate(const zw_rod *r, int i_link, const zw_state *x) {
    int           a = r->node0 + i_link, b = zw_rod_far(r, i_link);
    const double *va = node_v(x, a), *vb = node_v(x, b);
    double        G[6][12], rate = 0.0;
    zw_link       k;
    look_at(r, i_link, x->q, &k);
    zw_link_rates(node_q(x, a), &k, G);
    for (int i = 0; i < 3; i++) {
        double udot = 0.0;
        for (int h = 0; h < 6; h++) {
            udot += G[3 + i][h] * va[h] + G[3 + i][6 + h] * vb[h];
        }
        rate += k.u[i] * udot;
    }
    return rate / zw_v3_norm(k.u);
}

void zw_rod_spin_parts(const zw_rods *rods, const zw_rod *r, const zw_state *x, const zw_rod_rates *rates, double *growth,
                       double *elastic) {
    double s_rate = 0.0, se_rate = 0.0; /* of s and se at the label of the node */
    for (int i = 0; i < r->nnodes; i++) {
        double form[4];
        node_form(rods, r, i, x->q, form);
        for (int h = 0; h < 3; h++) {
            if (growth != NULL) {
                growth[3 * i + h] = form[h] * s_rate;
            }
            if (elastic != NULL) {
                elastic[3 * i + h] = form[h] / form[3] * (se_rate - form[3] * s_rate);
            }
        }
        if (i < r->nlinks) {
            s_rate += rates->l != NULL ? rates->l[r->link0 + i] : 0.0;
            se_rate += current_rate(r, i, x);
        }
    }
}

void zw_rod_link_turning(const zw_rods *rods, const zw_rod *r, int i_link, const zw_state *x, double rate[3], double left[3]) {
    const double *oa = node_v(x, r->node0 + i_link), *ob = node_v(x, zw_rod_far(r, i_link));
    double        mean[3], change[3], turned[3];
    zw_link       k;
    (void)rods;
    look_at(r, i_link, x->q, &k);
    zw_v3_sub(change, ob, oa);
    zw_v3_add(mean, oa, ob);
    zw_v3_scale(mean, 0.5, mean);
    zw_v3_cross(turned, k.w, mean);
    zw_v3_add(rate, change, turned);
    zw_v3_cross(turned, k.w, change);
    zw_v3_cross(left, k.w, turned);
    zw_v3_scale(left, k.c, left);
}

bool zw_rod_growth_field(const zw_rod *r, int i, zw_channel *out) {
    if (i < 0 || i >= ZW_ROD_GROWTH_FIELDS) {
        return false;
    }
    const field_row *row = &table[i];
    int              rows = row->of_links ? r->nlinks : r->nnodes;
    *out = (zw_channel){.rank = row->width == 0 ? 0 : row->width == 1 ? 1 : 2};
    snprintf(out->name, sizeof out->name, "rod/%s/%s", r->name, row->name);
    snprintf(out->unit, sizeof out->unit, "%s", row->unit);
    out->shape[0] = out->rank > 0 ? rows : 0;
    out->shape[1] = out->rank > 1 ? row->width : 0;
    out->count = row->width == 0 ? 1 : (size_t)rows * (size_t)row->width;
    return true;
}

bool zw_rod_growth_field_of_balance(int i) {
    return i == ZWANG_TIME || i == ZWANG_SPACE;
}

bool zw_rod_growth_field_of_rates(int i) {
    return i == SPIN_GROWTH || i == SPIN_ELASTIC || i == GROWTH_POWER;
}

bool zw_rod_growth_field_is_time(int i) {
    return i == ZWANG_TIME;
}

static void observe_link(const zw_rods *rods, const zw_rod *r, int k, const zw_state *x, growth_field field, double *out) {
    zw_rod_lengths length;
    zw_link        link;
    look_at(r, k, x->q, &link);
    zw_rod_link_lengths(rods, r, k, x->q, &length);
    switch (field) {
    case GROWTH_STRAIN: *out = length.reference / length.original - 1.0; break;
    case ELASTIC_STRAIN: *out = length.current / length.reference - 1.0; break;
    case TOTAL_STRAIN: *out = length.current / length.original - 1.0; break;
    case BEND_ORIGINAL: zw_v3_scale(out, 1.0 / length.original, link.w); break;
    case BEND_REFERENCE: zw_v3_scale(out, 1.0 / length.reference, link.w); break;
    case BEND_CURRENT: zw_v3_scale(out, 1.0 / length.current, link.w); break;
    case SHEAR_ANGLE: *out = zw_rod_shear_angle(link.u); break;
    case DRIVING_FORCE: *out = zw_rod_driving_force(rods, r, k, x->q); break;
    default: {
        double rate[3], left[3];
        zw_rod_link_turning(rods, r, k, x, rate, left);
        zw_v3_scale(out, 1.0 / length.reference, left);
        break;
    }
    }
}

void zw_rod_growth_observe(const zw_rods *rods, const zw_rod *r, const zw_state *x, const zw_rod_rates *rates, int i, double *out) {
    growth_field field = (growth_field)i;
    if (table[i].of_links) {
        for (int k = 0; k < r->nlinks; k++) {
            observe_link(rods, r, k, x, field, out + (size_t)table[i].width * (size_t)k);
        }
        return;
    }
    switch (field) {
    case SPIN_GROWTH: zw_rod_spin_parts(rods, r, x, rates, out, NULL); break;
    case SPIN_ELASTIC: zw_rod_spin_parts(rods, r, x, rates, NULL, out); break;
    case SPIN_RIGID: { /* Omega_g + Omega_e = w_se D se/Dt does not depend on how fast the rod grows */
        static const zw_rod_rates none = {0};
        zw_rod_spin_parts(rods, r, x, &none, NULL, out);
        for (int k = 0; k < r->nnodes; k++) {
            zw_v3_sub(out + 3 * (size_t)k, node_v(x, r->node0 + k), out + 3 * (size_t)k);
        }
        break;
    }
    case GROWTH_POWER: *out = zw_rod_growth_power(rods, r, x, rates); break;
    default: *out = 0.0; break; /* of the balance: zw_rods_zwang */
    }
}
