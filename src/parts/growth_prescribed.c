/* SPDX-License-Identifier: Apache-2.0
 * growth_prescribed.c: growth that is given: with g = l/l0,
 *
 *   exponential  g = e^(rate t)          linear  g = 1 + rate t          logistic  g = limit/(1 + (limit - 1) e^(-rate t))
 *   table        ldot/l interpolated linearly over s, d or t, constant outside
 *   tip          ldot/l = rate times the share of the link in from < d < from + zone: the rates sum up to rate times zone on any mesh */
#include "parts/growth_part.h"

static void exponential(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->rate = zw_growth_number(k, 0);
}

static void linear(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->rate = zw_growth_number(k, 0) * k->sense->label_length / k->l;
    out->rate_slope = -out->rate;
}

static void logistic(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    double r = zw_growth_number(k, 0), part = k->l / (k->sense->label_length * zw_growth_number(k, 1));
    (void)law;
    out->rate = r * (1.0 - part);
    out->rate_slope = -r * part;
}

static void table(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    double        x = law->over == 's' ? k->sense->label : law->over == 'd' ? k->sense->tip : k->t;
    const double *p = law->table;
    int           lo = 0, hi = law->points - 1;
    if (x <= p[0] || x >= p[2 * hi]) {
        out->rate = p[x <= p[0] ? 1 : 2 * hi + 1];
        return;
    }
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        *(x < p[2 * mid] ? &hi : &lo) = mid;
    }
    out->rate = p[2 * lo + 1] + (p[2 * hi + 1] - p[2 * lo + 1]) * ((x - p[2 * lo]) / (p[2 * hi] - p[2 * lo]));
}

static void tip(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->rate = zw_growth_number(k, 1) * zw_growth_share(k->sense->tip, k->l, zw_growth_number(k, 2), zw_growth_number(k, 0));
}

const zw_growth_ops zw_growth_exponential_ops = {.rate = exponential};
const zw_growth_ops zw_growth_linear_ops = {.rate = linear};
const zw_growth_ops zw_growth_logistic_ops = {.rate = logistic};
const zw_growth_ops zw_growth_table_ops = {.rate = table};
const zw_growth_ops zw_growth_tip_ops = {.rate = tip};
