/* SPDX-License-Identifier: Apache-2.0
 * growth_flow.c: growth over a time h: two stages, exact in what the slopes of the law say (formula in growth_law.h);
 * start, push and remesh of memory.
 *
 * Lengths go by their logarithm, so that they stay positive and exponential growth is exact. */
#include "base/number.h"
#include "parts/growth_part.h"

#include <string.h>

/* (e^z - 1)/z */
static double phi1(double z) {
    return fabs(z) < 1e-300 ? 1.0 : expm1(z) / z;
}

/* (e^z - 1 - z)/z^2; the series where the difference would cancel */
static double phi2(double z) {
    if (fabs(z) > 0.5) {
        return (expm1(z) - z) / (z * z);
    }
    double sum = 0.0;
    for (int k = 16; k >= 2; k--) {
        sum = (1.0 + sum * z) / (double)k;
    }
    return sum; /* 1/2 (1 + z/3 (1 + z/4 (...))) */
}

static zw_status not_finite(zw_growth_law *law, const zw_growth_rod *rod, int j, const char *what, double value) {
    char    number[ZW_NUMBER_TEXT], place[ZW_NUMBER_TEXT];
    zw_text why;
    zw_text_init(&why, law->context);
    for (int i = 0; i < law->roots; i++) {
        if (!isfinite(law->value[i])) {
            zw_tape_explain(law->tape, law->in, &why);
            break;
        }
    }
    zw_status status = zw_growth_raise(law, ZW_E_DIVERGED, "look at its expressions, or take shorter steps",
                                       "%s of link %d at s = %s is %s%s%s", what, j, zw_number_short(rod->sense[j].label, 6, place),
                                       zw_number_text(value, number), why.s ? ": " : "", why.s ? why.s : "");
    zw_text_destroy(&why);
    return status;
}

zw_status zw_growth_rates(zw_growth_law *law, zw_growth_rod *rod, double t, zw_growth_rate *out) {
    ZW_TRY(rod->feel(rod->user, t, rod));
    ZW_TRY(law->ops->guard ? law->ops->guard(law, rod, t) : ZW_OK);
    zw_growth_look_begin(law, rod, t);
    for (int j = 0; j < rod->n; j++) {
        zw_growth_look  k;
        zw_growth_rate *r = &out[j];
        zw_growth_look_at(law, rod, j, t, &k);
        memset(r, 0, sizeof *r);
        law->ops->rate(law, &k, r);
        if (!isfinite(r->rate)) {
            return not_finite(law, rod, j, "the rate of growth", r->rate);
        }
        for (int i = 0; i < 3; i++) {
            if (law->dilute) {
                r->bend[i] -= k.natural[i] * r->rate;
                r->bend_slope[i] -= r->rate;
            }
            if (!isfinite(r->bend[i])) {
                return not_finite(law, rod, j, "the rate of natural curvature", r->bend[i]);
            }
        }
        for (int i = 0; i < law->fields; i++) {
            if (!isfinite(r->field[i])) {
                return not_finite(law, rod, j, "the rate of its memory", r->field[i]);
            }
        }
    }
    return ZW_OK;
}

/* the second stage: what is added to y* */
static double correct(double h, double slope, double f0, double f1, double moved) {
    double g = f1 - f0 - slope * moved;
    return g == 0.0 ? 0.0 : h * phi2(slope * h) * g;
}

/* y* - y */
static double predict(double h, double slope, double f) {
    return f == 0.0 ? 0.0 : h * phi1(slope * h) * f;
}

/* what a length gains because its field moves: d rate/d field int_0^h (y - y0) dt, y' = f + c (y - y0) */
static double led(double h, const zw_growth_rate *r) {
    return r->rate_field == 0.0 ? 0.0 : h * h * phi2(r->field_slope[0] * h) * r->rate_field * r->field[0];
}

/* the slope that a stage counts on */
static double slope(bool follows, double of_law) {
    return follows ? 0.0 : of_law;
}

/* length after a stage from l: two stages where b != NULL. By logarithm, ln l' = rate; or by length, l' = rate l, whose slope by l is rate + d rate/d(ln l) */
static double lengthen(const zw_growth_law *law, double h, bool follows, double l, double l_star, const zw_growth_rate *a,
                       const zw_growth_rate *b) {
    bool   by = law->ops->by_length;
    double c = slope(follows, by ? a->rate + a->rate_slope : a->rate_slope), f = by ? a->rate * l : a->rate, moved = predict(h, c, f);
    if (b != NULL) {
        double by_field = a->rate_field == 0.0 ? 0.0 : a->rate_field * predict(h, a->field_slope[0], a->field[0]);
        moved += correct(h, c, f, by ? b->rate * l_star : b->rate - by_field, moved);
    }
    return by ? l + moved : l * exp(moved + led(h, a));
}

zw_status zw_growth_predict(zw_growth_law *law, zw_growth_rod *rod, double t, double h, bool follows) {
    int             n = rod->n, nf = law->fields;
    zw_growth_rate *r0 = law->rate;
    double         *length = law->old, *natural = length + n, *field = natural + 3 * (size_t)n;
    if (n > law->links) {
        return zw_growth_raise(law, ZW_E_ARG, "call zw_growth_reserve after a split", "the rod has %d links and the law room for %d", n,
                               law->links);
    }
    if (law->ops->diffuse) {
        ZW_TRY(law->ops->diffuse(law, rod, t, 0.5 * h));
    }
    ZW_TRY(zw_growth_rates(law, rod, t, r0));
    for (int j = 0; j < n; j++) {
        double *k0 = rod->natural + (size_t)rod->stride * (size_t)j, *s = nf ? rod->s + (size_t)nf * (size_t)j : NULL;
        length[j] = rod->l[j];
        rod->l[j] = lengthen(law, h, follows, length[j], 0.0, &r0[j], NULL);
        for (int i = 0; i < 3; i++) {
            natural[3 * j + i] = k0[i];
            k0[i] += predict(h, slope(follows, r0[j].bend_slope[i]), r0[j].bend[i]);
        }
        if (rod->radius) {
            field[nf * n + j] = rod->radius[j];
            rod->radius[j] *= exp(h * r0[j].thicken);
        }
        for (int i = 0; i < nf; i++) {
            field[nf * j + i] = s[i];
            s[i] += predict(h, r0[j].field_slope[i], r0[j].field[i]);
        }
    }
    return ZW_OK;
}

zw_status zw_growth_correct(zw_growth_law *law, zw_growth_rod *rod, double t, double h, bool follows) {
    int             n = rod->n, nf = law->fields;
    zw_growth_rate *r0 = law->rate, *r1 = law->rate + n;
    double         *length = law->old, *natural = length + n, *field = natural + 3 * (size_t)n;
    ZW_TRY(zw_growth_rates(law, rod, t + h, r1));
    for (int j = 0; j < n; j++) {
        const zw_growth_rate *a = &r0[j], *b = &r1[j];
        double               *k0 = rod->natural + (size_t)rod->stride * (size_t)j, *s = nf ? rod->s + (size_t)nf * (size_t)j : NULL;
        rod->l[j] = lengthen(law, h, follows, length[j], rod->l[j], a, b);
        if (!isfinite(rod->l[j]) || !(rod->l[j] > 0.0)) {
            return not_finite(law, rod, j, "the length", rod->l[j]);
        }
        for (int i = 0; i < 3; i++) {
            k0[i] += correct(h, slope(follows, a->bend_slope[i]), a->bend[i], b->bend[i], k0[i] - natural[3 * j + i]);
        }
        for (int i = 0; i < nf; i++) {
            s[i] += correct(h, a->field_slope[i], a->field[i], b->field[i], s[i] - field[nf * j + i]);
        }
        if (rod->radius) {
            rod->radius[j] = field[nf * n + j] * exp(0.5 * h * (a->thicken + b->thicken));
        }
    }
    if (law->ops->diffuse) {
        ZW_TRY(law->ops->diffuse(law, rod, t + h, 0.5 * h));
    }
    return ZW_OK;
}

zw_status zw_growth_flow(zw_growth_law *law, zw_growth_rod *rod, double t, double h) {
    ZW_TRY(zw_growth_predict(law, rod, t, h, false));
    return zw_growth_correct(law, rod, t, h, false);
}

zw_status zw_growth_start(zw_growth_law *law, zw_growth_rod *rod, double t) {
    ZW_TRY(rod->feel(rod->user, t, rod));
    zw_growth_look_begin(law, rod, t);
    zw_growth_delay_start(law, rod->w, t);
    for (int j = 0; j < rod->n; j++) {
        zw_growth_look k;
        if (law->fields) {
            memset(rod->s + (size_t)law->fields * (size_t)j, 0, sizeof(double) * (size_t)law->fields);
        }
        if (law->entries) { /* first, so that the look below hears it */
            double none[ZW_GROWTH_CUES] = {0};
            zw_growth_delay_write(law, rod->w, j, none);
        }
        zw_growth_look_at(law, rod, j, t, &k);
        if (law->cues) {
            double now[ZW_GROWTH_CUES];
            law->ops->cue(law, &k, now);
            if (law->entries) {
                zw_growth_delay_write(law, rod->w, j, now);
            }
            memcpy(k.heard, now, sizeof(double) * (size_t)law->cues);
        }
        if (law->ops->start && law->fields) {
            double *s = rod->s + (size_t)law->fields * (size_t)j;
            law->ops->start(law, &k, s);
            for (int i = 0; i < law->fields; i++) {
                if (!isfinite(s[i])) {
                    return not_finite(law, rod, j, "the start of its memory", s[i]);
                }
            }
        }
    }
    return ZW_OK;
}

zw_status zw_growth_push(zw_growth_law *law, zw_growth_rod *rod, double t) {
    if (!law->entries) {
        return ZW_OK;
    }
    ZW_TRY(rod->feel(rod->user, t, rod));
    if (!zw_growth_delay_turn(law, rod->w, t)) {
        return ZW_OK;
    }
    zw_growth_look_begin(law, rod, t);
    for (int j = 0; j < rod->n; j++) {
        zw_growth_look k;
        double         now[ZW_GROWTH_CUES];
        zw_growth_look_at(law, rod, j, t, &k);
        law->ops->cue(law, &k, now);
        zw_growth_delay_write(law, rod->w, j, now);
    }
    return ZW_OK;
}

void zw_growth_remesh(const zw_growth_law *law, const double *s, const double *w, int n, const int *from, const double *share,
                      double *s_out, double *w_out) {
    size_t nf = (size_t)law->fields, line = (size_t)law->entries * (size_t)law->cues;
    for (int j = 0; j < n; j++) {
        for (size_t i = 0; i < nf; i++) {
            double value = s[nf * (size_t)from[j] + i];
            s_out[nf * (size_t)j + i] = law->kind == ZW_GROWTH_SIGNAL ? value * share[j] : value;
        }
    }
    if (law->entries) {
        size_t head = zw_growth_delay_size(law, 0);
        memcpy(w_out, w, head * sizeof(double));
        for (int j = 0; j < n; j++) {
            memcpy(w_out + head + line * (size_t)j, w + head + line * (size_t)from[j], line * sizeof(double));
        }
    }
}
