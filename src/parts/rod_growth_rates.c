/* SPDX-License-Identifier: Apache-2.0
 * rod_growth_rates.c: how fast lengths, natural curvature and stiffness of the links of a growing rod change, from what its law answers:
 *   l' = l rate,   kappa0' = bend,   a'/a = 2 thicken + p rate (area; rod_grow.h),   stiffness of stretch and shear as a, of bending and twist as a^2, mixed as a^(3/2)
 * and of refined links 1/K' = 1/K + l^2/(12 B). Where growth adds mass, that of a link goes as a l; its moments of inertia as mass times a. */
#include "parts/rod_growth_observe.h"

#include "parts/rod_grow.h"
#include "parts/rod_refine.h"

#include <math.h>
#include <string.h>

static void stiffness_rates(const zw_rods *rods, const zw_rod_growth *g, size_t link, double lengthens, double widens, double *out) {
    bool full = rods->coupling != NULL;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            double power = i < 3 && k < 3 ? 2.0 : i < 3 || k < 3 ? 1.5 : 1.0;
            if (full) {
                out[36 * link + (size_t)(6 * i + k)] = power * widens * rods->coupling[36 * link + (size_t)(6 * i + k)];
            } else if (i == k) {
                out[6 * link + (size_t)i] = power * widens * rods->stiffness[6 * link + (size_t)i];
            }
        }
    }
    for (int i = 0; i < 2 && g->body->rod.refined && !full; i++) { /* shear along d1 goes with bending about d2 */
        double K = rods->stiffness[6 * link + 3 + (size_t)i], B = rods->stiffness[6 * link + (size_t)(1 - i)], l = rods->l[link];
        double bend = l * l / (12.0 * B), own = 1.0 / K - bend; /* flexibilities */
        out[6 * link + 3 + (size_t)i] = K * K * (own * widens + bend * (2.0 * widens - 2.0 * lengthens));
    }
}

/* what a link adds to the rates of mass and moments of its nodes */
static void add_mass(const zw_rods *rods, const zw_rod_growth *g, int i, double lengthens, double widens, double *mass, double *inertia) {
    const zw_section_values *v = &rods->growth->section[g->rod->link0 + i];
    size_t                   link = (size_t)(g->rod->link0 + i), node[2] = {(size_t)(g->rod->node0 + i), (size_t)zw_rod_far(g->rod, i)};
    double                   rho = zw_rod_growth_radius(g, rods->growth->seen)[i], grown = rods->l[link] / rods->l0[link];
    double                   a = rho * rho * (g->exponent != 0.0 ? pow(grown, g->exponent) : 1.0);
    double                   heavy = g->mass ? a * rods->l[link] : rods->l0[link], gains = g->mass ? widens + lengthens : 0.0;
    for (int end = 0; end < 2; end++) {
        mass[node[end]] += 0.5 * heavy * gains * v->mass;
        for (size_t k = 0; k < 9; k++) {
            inertia[9 * node[end] + k] += 0.5 * heavy * a * (gains + widens) * v->inertia[k];
        }
    }
}

/* Gregory's ends weigh other than half of their links */
static void weigh(const zw_rod_growth *g, double *mass, double *inertia) {
    for (int i = 0; g->body->rod.refined && i < g->rod->nnodes; i++) {
        size_t node = (size_t)(g->rod->node0 + i);
        double factor = zw_rod_refine_weight(g->rod, i);
        mass[node] *= factor;
        for (size_t k = 0; k < 9; k++) {
            inertia[9 * node + k] *= factor;
        }
    }
}

void zw_rods_link_rates(const zw_rods *rods, int i_rod, const zw_state *x, zw_rod_rates *out) {
    const zw_rod_growth *g = zw_rods_growth_of(rods, i_rod);
    *out = (zw_rod_rates){0};
    if (g == NULL || x->w == NULL) {
        return;
    }
    struct zw_rods_growth *G = rods->growth;
    size_t                 links = (size_t)rods->nlinks;
    double                *l = G->rates, *natural = l + links, *stiffness = natural + 6 * links, *mass = stiffness + 36 * links;
    double                *inertia = mass + rods->nnodes;
    bool                   known = zw_rods_growth_rates(g, x, x->w, G->rate) == ZW_OK;
    memset(mass + g->rod->node0, 0, sizeof(double) * (size_t)g->rod->nnodes);
    memset(inertia + 9 * (size_t)g->rod->node0, 0, 9 * sizeof(double) * (size_t)g->rod->nnodes);
    for (int i = 0; i < g->rod->nlinks; i++) {
        size_t                at = (size_t)(g->rod->link0 + i);
        const zw_growth_rate *r = &G->rate[i];
        l[at] = known ? rods->l[at] * r->rate : NAN;
        for (size_t k = 0; k < 6; k++) {
            natural[6 * at + k] = k >= 3 ? 0.0 : known ? r->bend[k] : NAN;
        }
        double lengthens = known ? r->rate : NAN, widens = known ? 2.0 * r->thicken + g->exponent * r->rate : NAN;
        stiffness_rates(rods, g, at, lengthens, widens, stiffness);
        add_mass(rods, g, i, lengthens, widens, mass, inertia);
    }
    weigh(g, mass, inertia);
    *out = (zw_rod_rates){.l = l, .natural = natural, .stiffness = stiffness, .mass = mass, .inertia = inertia};
}
