/* SPDX-License-Identifier: Apache-2.0
 * test_growth_memory.c: memory of growth laws: delay lines and filters, a signal that diffuses on growing links, splits,
 * continuing from a copy, and laws that get no memory. */
#define _GNU_SOURCE /* M_PI */
#include "support/growth.h"
#include "support/starve.h"

/* ---- delay and memory */

/* the direction cue of component 2 is R[6] with e along z; anything may be put there */
static void cue_linear(bench *b, double t) {
    for (int j = 0; j < b->rod.n; j++) {
        b->sense[j].R[6] = 0.3 + (0.7 + j) * t;
    }
}

static void cue_wave(bench *b, double t) {
    for (int j = 0; j < b->rod.n; j++) {
        b->sense[j].R[6] = sin(5.0 * t + j);
    }
}

static void a_delay_is_exact_for_what_is_linear_at_any_step(void **state) {
    bench         *b = bench_open(3, 1.0);
    zw_growth_rate r[3];
    double         t = 0.0, worst = 0.0;
    (void)state;
    b->load = cue_linear;
    b->def.sample = 0.01;
    bench_make(b, ZW_GROWTH_AC, "2", "0", "[0, 0, 1]", "0.37");
    for (int i = 0; i < 200; i++) {
        /* steps from below the least entry time to above the delay */
        double h = i % 7 == 3 ? 0.003 : i % 11 == 5 ? 0.5 : 0.011 + 0.013 * (i % 5);
        for (int k = 0; k < 2; k++) { /* at the beginning and in the middle of the step */
            double now = t + 0.5 * k * h;
            bench_must(b, zw_growth_rates(b->law, &b->rod, now, r));
            for (int j = 0; j < 3; j++) {
                worst = fmax(worst, fabs(r[j].bend[1] / 2.0 - (0.3 + (0.7 + j) * fmax(0.0, now - 0.37))));
            }
        }
        t += h;
        bench_must(b, zw_growth_push(b->law, &b->rod, t));
    }
    check_below_scaled(worst, 1e-12, 7.1e-15, 40.0);
    bench_close(b);
}

static void a_delay_of_whole_steps_gives_entries_back_bit_for_bit(void **state) {
    bench         *b = bench_open(2, 1.0);
    zw_growth_rate r[2];
    (void)state;
    b->load = cue_wave;
    b->def.sample = 0.01;
    bench_make(b, ZW_GROWTH_AC, "1", "0", "[0, 0, 1]", "0.2");
    for (int i = 0; i < 100; i++) {
        double then = i < 20 ? 0.0 : 0.01 * (i - 20);
        bench_must(b, zw_growth_push(b->law, &b->rod, 0.01 * i));
        bench_must(b, zw_growth_rates(b->law, &b->rod, 0.01 * i, r));
        for (int j = 0; j < 2; j++) {
            check_near(r[j].bend[1], sin(5.0 * then + j), 0.0);
        }
    }
    bench_close(b);
}

/* one link, A' = -a A(t - tau) with a = beta l/2 for its middle: A0 (1 - a t + a^2 (t - tau)^2/2) in tau < t < 2 tau */
static double late_error(double tau, int steps) {
    bench *b = bench_open(1, 1.0);
    char   delay[40];
    snprintf(delay, sizeof delay, "%.17g", tau);
    b->angle0 = 1e-5;
    b->def.natural = true;
    b->def.sample = 1.5 / steps;
    bench_make(b, ZW_GROWTH_AC, "3", "0", "[0, 0, 1]", delay);
    bench_run(b, 0.0, 1.5, steps);
    double A = 1e-5 + 0.5 * b->natural[1], want = 1.0 - 1.5 * 1.5 + 1.5 * 1.5 * (1.5 - tau) * (1.5 - tau) / 2.0;
    bench_close(b);
    return fabs(A / 1e-5 - want);
}

static void a_late_response_follows_the_delay_equation(void **state) {
    double error[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        error[i] = late_error(0.8, 32 << i);
    }
    /* a kink arrives inside a step, at another place of it on each mesh: order 2 on the whole, not from mesh to mesh */
    check_below(error[0], 5e-4, 1.5e-4);
    check_below(error[2], 1e-4, 3.0e-5);
    check_below(late_error(0.75, 32), 1e-9, 1.2e-11); /* whole steps: nothing is interpolated, and what comes is linear */
}

static void cue_switched(bench *b, double t) {
    (void)t;
    for (int j = 0; j < b->rod.n; j++) {
        b->sense[j].R[6] = b->data[0];
        b->sense[j].kappa[1] = b->data[1];
    }
}

static void a_filter_forgets_exponentially(void **state) {
    bench         *b = bench_open(2, 1.0);
    zw_growth_rate r[2];
    (void)state;
    b->load = cue_switched;
    b->data[0] = 0.2;
    b->data[1] = -1.0;
    bench_make(b, ZW_GROWTH_AC, "2", "3", "[0, 0, 1]", NULL, "0.5", NULL, "0.25");
    assert_int_equal(zw_growth_fields(b->law), 4);
    assert_string_equal(zw_growth_field_name(b->law, 3), "bend-2");
    b->data[0] = 0.8;
    b->data[1] = 4.0;
    bench_run(b, 0.0, 0.7, 3);
    bench_must(b, zw_growth_rates(b->law, &b->rod, 0.7, r));
    double direction = 0.8 - 0.6 * exp(-0.7 / 0.5), bend = 4.0 - 5.0 * exp(-0.7 / 0.25);
    check_below(fabs(r[1].bend[1] - (2.0 * direction - 3.0 * bend)), 1e-13, 0.0);
    bench_close(b);
}

/* ---- signal */

static double total(const bench *b) {
    double sum = 0.0;
    for (int j = 0; j < b->rod.n; j++) {
        sum += b->s[j];
    }
    return sum;
}

/* amplitude of cos(k x) in chi, x along the grown rod */
static double amplitude(const bench *b, double k) {
    double sum = 0.0, x = 0.0;
    for (int j = 0; j < b->rod.n; j++) {
        sum += 2.0 / b->rod.n * b->s[j] / b->l[j] * cos(k * (x + 0.5 * b->l[j]));
        x += b->l[j];
    }
    return sum;
}

static void diffusion_decays_as_exp_minus_D_k2_t(void **state) {
    double error[3];
    (void)state;
    for (int ring = 0; ring < 2; ring++) {
        for (int i = 0; i < 3; i++) {
            bench *b = bench_open(16 << i, 2.0);
            double k = (ring ? 2.0 : 1.0) * M_PI / 2.0;
            b->rod.closed = ring;
            bench_make(b, ZW_GROWTH_SIGNAL, ring ? "1 + 0.5*cos(pi*s)" : "1 + 0.5*cos(pi*s/2)", "0.3");
            bench_run(b, 0.0, 1.0, 4 << i);
            error[i] = fabs(amplitude(b, k) / (0.5 * exp(-0.3 * k * k)) - 1.0);
            check_below(fabs(total(b) / 2.0 - 1.0), 1e-14, 2.2e-16);
            bench_close(b);
        }
        check_order(error, 3, 2.0, 2.0, 0.15);
        check_below(error[2], ring ? 3e-3 : 3e-4, ring ? 1.35e-3 : 1.3e-4);
    }
}

/* uniform growth e^(Et) dilutes and stretches: chi' = -E chi - D k^2 e^(-2Et) chi */
static void a_signal_on_a_growing_rod_is_diluted_and_kept(void **state) {
    double error[3], E = 0.6, k = M_PI / 2.0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        bench *b = bench_open(16 << i, 2.0);
        bench_make(b, ZW_GROWTH_SIGNAL, "1 + 0.5*cos(pi*s/2)", "0.3", NULL, NULL, "0.6");
        bench_run(b, 0.0, 1.0, 8 << i);
        error[i] = fabs(amplitude(b, k * exp(-E)) / (0.5 * exp(-E - 0.3 * k * k * (1.0 - exp(-2.0 * E)) / (2.0 * E))) - 1.0);
        check_below(fabs(total(b) / 2.0 - 1.0), 1e-14, 2.2e-16);
        bench_close(b);
    }
    check_order(error, 3, 2.0, 2.0, 0.15);
    check_below(error[2], 1e-4, 3.5e-5);
    /* growth where the signal is, diffusion that differs: nothing is lost; uneven links */
    for (int ring = 0; ring < 2; ring++) {
        bench *b = bench_open(50, 1.0);
        b->rod.closed = ring;
        for (int j = 0; j < 50; j++) {
            b->l[j] *= 1.0 + 0.5 * sin(3.0 * j);
        }
        bench_make(b, ZW_GROWTH_SIGNAL, "exp(-20*s)", "0.02*(1 + s)", NULL, NULL, "chi^2/(0.1 + chi^2)");
        double before = total(b);
        bench_run(b, 0.0, 3.0, 60);
        check_below(fabs(total(b) / before - 1.0), 1e-13, 2.2e-16);
        bench_close(b);
        /* what is even stays even, whatever the links; a huge D evens out */
        b = bench_open(50, 1.0);
        b->rod.closed = ring;
        for (int j = 0; j < 50; j++) {
            b->l[j] *= 1.0 + 0.5 * sin(3.0 * j);
        }
        bench_make(b, ZW_GROWTH_SIGNAL, "if(s < 0.3, 2, 1)", "1e5");
        double mean = total(b) / bench_length(b, 50), worst = 0.0;
        bench_run(b, 0.0, 1.0, 10);
        for (int j = 0; j < 50; j++) {
            worst = fmax(worst, fabs(b->s[j] / b->l[j] / mean - 1.0));
        }
        check_below(worst, 1e-10, 2.7e-11); /* ten steps of L-stable damping, D h/l^2 = 3e7 */
        bench_close(b);
    }
    /* two links, as a chain and as a ring, where they meet twice: the difference decays at (1 or 2) D/l (1/l + 1/l) */
    for (int ring = 0; ring < 2; ring++) {
        bench *b = bench_open(2, 1.0);
        b->rod.closed = ring;
        bench_make(b, ZW_GROWTH_SIGNAL, "if(s < 0.5, 2, 1)", "0.1");
        bench_run(b, 0.0, 0.5, 200);
        check_below(fabs((b->s[0] - b->s[1]) / 0.5 / exp(-(ring + 1) * 0.1 / 0.25 * 2.0 * 0.5) - 1.0), 1e-6, 1.3e-7);
        bench_close(b);
    }
}

static void reactions_follow_their_expressions(void **state) {
    double error[3];
    bench *b = bench_open(4, 1.0);
    (void)state;
    bench_make(b, ZW_GROWTH_SIGNAL, "1", "0.1", "-50*chi", "30");
    bench_run(b, 0.0, 0.1, 2);
    check_below(fabs(b->s[2] / b->l[2] - (0.6 + 0.4 * exp(-5.0))), 1e-14, 0.0);
    bench_close(b);
    for (int i = 0; i < 3; i++) {
        b = bench_open(4, 1.0);
        bench_make(b, ZW_GROWTH_SIGNAL, "0.1", "0.1", "2*chi*(1 - chi)");
        bench_run(b, 0.0, 1.0, 10 << i);
        error[i] = fabs(b->s[1] / b->l[1] - 1.0 / (1.0 + 9.0 * exp(-2.0)));
        bench_close(b);
    }
    check_order(error, 3, 2.0, 2.0, 0.15);
    check_below(error[2], 1e-4, 3.7e-5);
}

/* Goodwin: strain that answers to calcium, P1 e_xx - P3 e = F0 chi_xx, here for the mode k of one wavelength; F0 = P1 = 1, P3 = 4 */
static void calcium_strain(bench *b, double t) {
    double k = b->data[0], a = amplitude(b, k), x = 0.0;
    (void)t;
    for (int j = 0; j < b->rod.n; j++) {
        b->sense[j].strain = k * k / (k * k + 4.0) * a * cos(k * (x + 0.5 * b->l[j]));
        x += b->l[j];
    }
}

static void strain_and_calcium_make_a_pattern_above_the_threshold(void **state) {
    const double k = 4.454260871928363, H = 1.4209164383747022, chi0 = 0.7345401776425398;
    (void)state;
    for (int i = -1; i <= 1; i++) {
        bench *b = bench_open(128, 2.0 * M_PI / k);
        char   reaction[120], start[80];
        double h = H * (1.0 + 0.1 * i), expected = 0.1 * i * H * k * k / (k * k + 4.0);
        b->rod.closed = true;
        b->data[0] = k;
        b->load = calcium_strain;
        snprintf(start, sizeof start, "%.17g + 1e-5*cos(%.17g*s)", chi0, k);
        snprintf(reaction, sizeof reaction, "(0.1 + %.17g*strain)*(2 - chi) - (chi - 0.5)*chi^2", h / (2.0 - chi0));
        bench_make(b, ZW_GROWTH_SIGNAL, start, "0.01", reaction);
        bench_run(b, 0.0, 4.0, 80);
        check_below(fabs(log(amplitude(b, k) / 1e-5) / 4.0 - expected), 1e-3, 2.5e-4);
        bench_close(b);
    }
}

/* ---- splits and copies */

static void a_split_copies_memory_and_divides_amounts(void **state) {
    const int      from[6] = {0, 1, 1, 2, 3, 3};
    const double   share[6] = {1.0, 0.5, 0.5, 1.0, 0.25, 0.75};
    bench         *b = bench_open(4, 1.0), *c = bench_open(6, 1.5);
    zw_growth_rate before[4], after[6];
    (void)state;
    b->load = cue_wave;
    b->def.sample = 0.01;
    c->def.sample = 0.01;
    bench_make(b, ZW_GROWTH_AC, "1", "0", "[0, 0, 1]", "0.2", "0.3");
    bench_make(c, ZW_GROWTH_AC, "1", "0", "[0, 0, 1]", "0.2", "0.3");
    bench_run(b, 0.0, 1.0, 70);
    bench_must(b, zw_growth_rates(b->law, &b->rod, 1.0, before));
    zw_growth_remesh(b->law, b->s, b->w, 6, from, share, c->s, c->w);
    bench_must(c, zw_growth_rates(c->law, &c->rod, 1.0, after));
    for (int j = 0; j < 6; j++) {
        check_near(after[j].bend[1], before[from[j]].bend[1], 0.0);
        check_near(after[j].field[1], before[from[j]].field[1], 0.0); /* what comes out of the delay line */
    }
    bench_close(b);
    bench_close(c);
    b = bench_open(4, 1.0);
    bench_make(b, ZW_GROWTH_SIGNAL, "1 + s", "0.1");
    double s[6], sum = 0.0;
    zw_growth_remesh(b->law, b->s, NULL, 6, from, share, s, NULL);
    for (int j = 0; j < 6; j++) {
        check_near(s[j], share[j] * b->s[from[j]], 0.0);
        sum += s[j];
    }
    check_near(sum, total(b), 1e-15);
    bench_close(b);
}

/* a checkpoint is a copy of l, natural, s, w: going on from it gives the same bits, with a law made anew */
static void going_on_from_a_copy_gives_the_same_bits(void **state) {
    bench *b = bench_open(20, 1.0), *c = bench_open(20, 1.0);
    (void)state;
    b->angle0 = c->angle0 = 1.2;
    b->def.sample = c->def.sample = 0.01;
    bench_make(b, ZW_GROWTH_ACE, "4", "1", "[0, 0, 1]", "0.13", "0.1", "0.05", NULL, "0.3*(1 + s)", "0.4");
    bench_make(c, ZW_GROWTH_ACE, "4", "1", "[0, 0, 1]", "0.13", "0.1", "0.05", NULL, "0.3*(1 + s)", "0.4");
    bench_run(b, 0.0, 0.5, 50);
    memcpy(c->l, b->l, sizeof b->l);
    memcpy(c->natural, b->natural, sizeof b->natural);
    memcpy(c->s, b->s, sizeof b->s);
    memcpy(c->w, b->w, sizeof b->w);
    bench_run(b, 0.5, 1.0, 50);
    bench_run(c, 0.5, 1.0, 50);
    assert_memory_equal(c->l, b->l, sizeof b->l);
    assert_memory_equal(c->natural, b->natural, sizeof b->natural);
    assert_memory_equal(c->s, b->s, sizeof b->s);
    assert_memory_equal(c->w, b->w, sizeof b->w);
    bench_close(b);
    bench_close(c);
}

/* every allocation of a law fails once: nothing leaks, and the status says it */
static void a_law_without_memory_is_not_made(void **state) {
    int failures = 0, made = 0;
    (void)state;
    for (int left = 0; left < 400 && !made; left++) {
        starved         memory = {1 << 30};
        zw_context     *c = starving_context(&memory);
        zw_pool        *pool;
        zw_scope       *scope;
        zw_growth_law  *law;
        zw_expr_problem problem;
        zw_growth_def   def = {.kind = ZW_GROWTH_SIGNAL, .links = 10};
        assert_non_null(c);
        assert_int_equal(zw_pool_create(c, &pool), ZW_OK);
        assert_int_equal(zw_scope_create(pool, NULL, &scope), ZW_OK);
        assert_int_equal(zw_growth_scope_open(pool, scope, ZW_GROWTH_SIGNAL), ZW_OK);
        assert_int_equal(zw_expr_parse(scope, "1 + s", &def.parameter[0], &problem), ZW_OK);
        assert_int_equal(zw_expr_parse(scope, "0.1*growth", &def.parameter[1], &problem), ZW_OK);
        assert_int_equal(zw_expr_parse(scope, "exp(-chi)*sin(strain)", &def.parameter[2], &problem), ZW_OK);
        assert_int_equal(zw_expr_parse(scope, "[kappa.d1*natural.d1, tension, 0]", &def.parameter[5], &problem), ZW_OK);
        memory.left = left;
        zw_status status = zw_growth_create(c, pool, &def, &law);
        if (status == ZW_OK) {
            made = 1;
        } else {
            failures++;
            assert_int_equal(status, ZW_E_MEMORY);
            assert_null(law);
        }
        zw_growth_destroy(law);
        zw_scope_destroy(scope);
        zw_pool_destroy(pool);
        zw_context_destroy(c);
    }
    assert_true(made);
    assert_true(failures > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_delay_is_exact_for_what_is_linear_at_any_step),
        cmocka_unit_test(a_delay_of_whole_steps_gives_entries_back_bit_for_bit),
        cmocka_unit_test(a_late_response_follows_the_delay_equation),
        cmocka_unit_test(a_filter_forgets_exponentially),
        cmocka_unit_test(diffusion_decays_as_exp_minus_D_k2_t),
        cmocka_unit_test(a_signal_on_a_growing_rod_is_diluted_and_kept),
        cmocka_unit_test(reactions_follow_their_expressions),
        cmocka_unit_test(strain_and_calcium_make_a_pattern_above_the_threshold),
        cmocka_unit_test(a_split_copies_memory_and_divides_amounts),
        cmocka_unit_test(going_on_from_a_copy_gives_the_same_bits),
        cmocka_unit_test(a_law_without_memory_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
