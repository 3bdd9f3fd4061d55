/* SPDX-License-Identifier: Apache-2.0
 * growth_feed.c: rods that come out of a clamp or a sleeve, or are drawn into it. Outside of the mouth such a rod is one whose link at the mouth gets more
 * reference length, made of the material that the link has already.
 *
 *   feed     ldot = speed                         the rod is pushed out (or, negative, drawn in) at a given speed
 *   sleeve   ldot = mobility (push + P + G)       the rod slides through the mouth by itself, against a viscous resistance; at rest push = -(P + G)
 *
 *   P = n.Gamma + m.kappa - (energy per length) = -dE/dl at fixed nodes: N + M^2/(2 EI) + .., the reaction of a frictionless sleeve
 *   G = rho A g.(r_far - r_mouth)/2: weight of the half of the link that the node at the mouth carries; P is that of the middle of the link without it
 *
 * P + G is what the whole energy loses when material passes the mouth, so it is of order 2 in the mesh at the mouth itself, though n and m are those of the middle:
 * P only changes along a rod by the forces along it (Noether), and half a link of weight is G.
 * The unknown is l itself, not its logarithm: a constant speed is exact. */
#include "base/number.h"
#include "parts/growth_part.h"

enum { AT, SPEED };
enum { PUSH = 1, MOBILITY };

/* does the link hold the label? At a node it is the link behind it, at the end of an open rod the last one */
static bool fed(const zw_growth_look *k) {
    double at = zw_growth_number(k, AT);
    return at >= k->sense->from && (at < k->sense->to || (k->sense->last && at <= k->sense->to));
}

static void feed(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    if (fed(k)) {
        out->rate = zw_growth_number(k, SPEED) / k->l;
        out->rate_slope = -out->rate;
    }
}

static void sleeve(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    const zw_growth_sense *a = k->sense;
    (void)law;
    if (fed(k)) {
        double far = zw_growth_number(k, AT) - a->from <= 0.5 * (a->to - a->from) ? 1.0 : -1.0; /* which of its nodes is the mouth */
        double b = zw_growth_number(k, MOBILITY) / k->l;
        out->rate = b * (zw_growth_number(k, PUSH) + a->driving + far * a->weight);
        out->rate_slope = b * a->driving_slope - out->rate;
    }
}

/* a link that is drawn in is used up: what is left of it must not become too small to count on */
static zw_status guard(zw_growth_law *law, const zw_growth_rod *rod, double t) {
    for (int j = 0; j < rod->n; j++) {
        const zw_growth_sense *a = &rod->sense[j];
        zw_growth_look         k = {.sense = a};
        k.parameter[3 * AT] = law->fixed[3 * AT];
        double whole = rod->n == 1 ? a->label_length : rod->l[j + 1 < rod->n ? j + 1 : j - 1];
        if (fed(&k) && rod->l[j] < 0.1 * whole) {
            char place[ZW_NUMBER_TEXT], left[ZW_NUMBER_TEXT], full[ZW_NUMBER_TEXT], when[ZW_NUMBER_TEXT];
            return zw_growth_raise(
                law, ZW_E_DIVERGED,
                "give growth.split, 1.6 of the length of links or more: they are joined then; or end the run before that",
                "the link at s = %s m is drawn in: %s m of it are left at t = %s s, less than a tenth of the %s m of the next one",
                zw_number_short(law->fixed[3 * AT], 6, place), zw_number_short(rod->l[j], 3, left), zw_number_short(t, 8, when),
                zw_number_short(whole, 3, full));
        }
    }
    return ZW_OK;
}

double zw_growth_mouth(const zw_growth_law *law) {
    return law->kind == ZW_GROWTH_FEED || law->kind == ZW_GROWTH_SLEEVE ? law->fixed[3 * AT] : -1.0;
}

const zw_growth_ops zw_growth_feed_ops = {.by_length = true, .rate = feed, .guard = guard};
const zw_growth_ops zw_growth_sleeve_ops = {.by_length = true, .rate = sleeve, .guard = guard};
