/* SPDX-License-Identifier: Apache-2.0
 * test_rod_damp_lanes.c: damping in lanes is the D = sum (eta/l) G' C G of the unit wrenches, also for strongly bent links and rings, with the same bits from every
 * instruction set. */
#define ZW_WIDE_LANES 8
#include "support/model.h"

#include "parts/rod_damp.h"
#include "parts/rod_link.h"

/* the eight lanes of avx512 in the instruction set of this build: they run on every machine */
#define ZW_ROD_ISA  eight
#define ZW_ROD_NAME "eight"
#include "parts/rod_damp_kernel.h"

static const char *const three_rods =
    "zwang: 1\n"
    "bodies:\n"
    "  a: {rod: {length: 1.2, elements: 13, section: {rectangle: [0.1, 0.05]}, shape: {curvature: [1, -2, 1.5]},\n"
    "            material: {density: 100, young: 1e4, poisson: 0.3, damping: 0.02*(1 + s)}}}\n"
    "  b: {rod: {length: 1, elements: 5, along: [0, 1, 0], shape: {ring: [1, 0, 0]}, section: {round: 0.04},\n"
    "            material: {density: 100, young: 1e4, poisson: 0.3, damping: 0.01}}}\n"
    "  c: {rod: {length: 1, elements: 3, section: {round: 0.04}, material: {density: 100, young: 1e4, poisson: 0.3}}}\n";

/* h D v by the rows of G */
static void reference(const zw_rods *rods, const zw_state *x, const double *v, double *out) {
    memset(out, 0, sizeof(double) * 6 * (size_t)rods->nnodes);
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            int     node[2] = {r->node0 + i, zw_rod_far(r, i)}, j = r->link0 + i;
            double  G[6][12];
            zw_link k;
            zw_link_strain(x->q + 7 * node[0], x->q + 7 * node[1], &k);
            zw_link_rates(x->q + 7 * node[0], &k, G);
            for (int row = 0; row < 6; row++) {
                double rate = 0.0;
                for (int h = 0; h < 12; h++) {
                    rate += G[row][h] * v[6 * node[h / 6] + h % 6];
                }
                for (int h = 0; h < 12; h++) {
                    out[6 * node[h / 6] + h % 6] += rods->damping[j] / rods->l[j] * rods->stiffness[6 * j + row] * rate * G[row][h];
                }
            }
        }
    }
}

static void lanes_agree_with_the_rows_of_unit_wrenches(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 4;
    double   force_worst = 0.0, metric_worst = 0.0;
    (void)state;
    fixture_system(&f, three_rods);
    fixture_state(&f, &x);
    const zw_rods *rods = fixture_rods(&f);
    int            n = zw_system_size(f.y).nv;
    double        *want = calloc((size_t)n, sizeof *want), *got = calloc((size_t)n, sizeof *got);
    for (int trial = 0; trial < 40; trial++) {
        fixture_must(&f, zw_system_start(f.y, &x), "start");
        shake(f.y, &x, trial % 2 == 0 ? 0.05 : 0.8, 0.05, 1.0, &seed); /* within the polynomials, and beyond */
        reference(rods, &x, x.v, want);
        double scale = largest(n, want);
        memset(got, 0, sizeof(double) * (size_t)n);
        zw_system_damp(f.y, &x, got);
        for (int i = 0; i < n; i++) {
            force_worst = fmax(force_worst, fabs(got[i] + want[i]) / scale);
        }
        const zw_matrix *H = &zw_system_damp_metric(f.y, &x, 1e6)->part[0]; /* h so large that the mass is round-off */
        for (int row = 0; row < n / 6; row++) {
            for (int i = 0; i < 6; i++) {
                double sum = 0.0;
                for (int k = H->start[row]; k < H->start[row + 1]; k++) {
                    for (int h = 0; h < 6; h++) {
                        sum += H->a[36 * k + 6 * i + h] * x.v[6 * H->col[k] + h];
                        assert_true(H->col[k] != row || H->a[36 * k + 6 * i + h] == H->a[36 * k + 6 * h + i]);
                    }
                }
                double mass = i < 3 ? rods->inertia[3 * row + i] : rods->mass[row];
                metric_worst = fmax(metric_worst, fabs(1e-6 * (sum - mass * x.v[6 * row + i]) - want[6 * row + i]) / scale);
            }
        }
    }
    check_below(force_worst, 1e-14, 7.0e-16);
    check_below(metric_worst, 1e-14, 8.7e-16);
    free(want);
    free(got);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 8;
    (void)state;
    fixture_system(&f, three_rods);
    fixture_state(&f, &x);
    shake(f.y, &x, 0.3, 0.05, 1.0, &seed);
    const zw_part *part;
    zw_system_parts(f.y, &part);
    zw_rods *rods = part[0].self;
    int      n = zw_system_size(f.y).nv;
    size_t   values = 36 * (size_t)rods->damp_start[rods->nnodes];
    double  *first = calloc((size_t)n, sizeof *first), *other = calloc((size_t)n, sizeof *other), *a = calloc(values, sizeof *a);
    const zw_rods_damper *best = zw_rods_damper_best(), *const path[] = {&zw_rods_damper_any, &zw_rods_damper_eight, best,
                                                                         best == &zw_rods_damper_avx512 ? &zw_rods_damper_avx2 : best};
    print_message("best on this machine: %s\n", best->name);
    zw_rods_damper_any.force(rods, x.q, x.v, first);
    zw_system_damp_metric(f.y, &x, 0.1);
    memcpy(a, rods->damp_a, values * sizeof *a);
    for (int i = 0; i < 4; i++) {
        memset(other, 0, sizeof(double) * (size_t)n);
        path[i]->force(rods, x.q, x.v, other);
        assert_memory_equal(first, other, sizeof(double) * (size_t)n);
        for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
            int node = rods->rod[i_rod].node0;
            zw_rods_mass_block(rods, node, zw_rods_damp_block(rods, node, node));
        }
        path[i]->metric(rods, x.q, 0.1);
        assert_memory_equal(a, rods->damp_a, values * sizeof *a);
    }
    free(first);
    free(other);
    free(a);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_agree_with_the_rows_of_unit_wrenches),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
