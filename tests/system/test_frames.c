/* SPDX-License-Identifier: Apache-2.0
 * test_frames.c: frames of reference: their motion against differences, the start of what is placed in them, joints held to them in every integrator, carried frames against
 * joints between the bodies, probes seen from them, and when a model rests in a frame that spins. */
#include "support/model.h"

#include "math/quat.h"
#include "math/so3.h"
#include "rows/carriage.h"

#include <math.h>
#include <string.h>

/* a frame that moves in every way */
#define WILD \
    "  wild: {at: [1, 2, 3], turn: [0.3, -0.2, 0.5], motion: {shift: [0.2*sin(3*t), t^2/2, 0.1*t], turn: [0.4*sin(2*t), 0.3*t, t^2 - 0.2*t]}}\n"

static int channel(const fixture *f, const char *name) {
    const zw_layout *l = zw_run_layout(f->r);
    for (int i = 0; i < l->nchannels; i++) {
        if (strcmp(l->channel[i].name, name) == 0) {
            return (int)l->channel[i].offset;
        }
    }
    fail_msg("there is no channel %s", name);
    return 0;
}

static const double *look(const fixture *f, const char *name) {
    const double *frame;
    fixture_must(f, zw_run_look(f->r, &frame), "zw_run_look");
    return frame + channel(f, name);
}

static void run_to_end(fixture *f) {
    zw_summary sum;
    do {
        fixture_advance(f, 1000);
        zw_run_summary(f->r, &sum);
    } while (sum.outcome == ZW_RUNNING);
    assert_int_equal(sum.outcome, ZW_REACHED);
}

/* R(t + h) R(t)' and r by differences of eighth order, and the same of the velocities */
static void motions_know_their_velocity_and_acceleration(void **unused) {
    (void)unused;
    fixture f;
    fixture_parse(&f, "zwang: 1\nframes:\n" WILD "  round: {at: [1, 0, 0], turn: [1, 0, 0], spin: [0.3, -2, 1]}\n  still: {at: [0, 1, 0]}\n"
                      "bodies:\n  a: {rigid: {sphere: {radius: 1}, mass: 1}}\n");
    for (int which = 0; which < 3; which++) {
        zw_carriage k;
        double      worst = 0.0, h = 0.02;
        fixture_must(&f, zw_carriage_create(f.m, &f.m->frames[which], &k), "zw_carriage_create");
        for (int step = 0; step <= 4; step++) {
            zw_frame F, G[2];
            double   rate[6], w[3] = {0}, v[3] = {0}, a[6] = {0}, t = 0.7 * step;
            fixture_must(&f, zw_carriage_at(&k, t, &F, rate), "zw_carriage_at");
            for (int i = 0; i < 4; i++) {
                double turn[2][3], Q[9];
                for (int side = 0; side < 2; side++) {
                    fixture_must(&f, zw_carriage_at(&k, t + (side == 0 ? 1.0 : -1.0) * (i + 1) * h, &G[side], NULL), "zw_carriage_at");
                    zw_m3_mult(Q, G[side].R, F.R);
                    assert_false(zw_so3_log(Q, turn[side]));
                }
                for (int n = 0; n < 3; n++) {
                    w[n] += difference8[i] * (turn[0][n] - turn[1][n]) / h;
                    v[n] += difference8[i] * (G[0].r[n] - G[1].r[n]) / h;
                    a[n] += difference8[i] * (G[0].w[n] - G[1].w[n]) / h;
                    a[3 + n] += difference8[i] * (G[0].v[n] - G[1].v[n]) / h;
                }
            }
            worst = fmax(worst, fmax(largest_difference(3, w, F.w), largest_difference(3, v, F.v)));
            worst = fmax(worst, largest_difference(6, a, rate));
        }
        print_message("frame %d: off by %.2e\n", which, worst);
        check_below(worst, which == 0 ? 1e-9 : 1e-12, which == 0 ? 1.4e-10 : 2.5e-14);
        zw_carriage_destroy(&k);
    }
    fixture_close(&f);
}

static void bodies_start_with_the_motion_of_their_frame(void **unused) {
    (void)unused;
    fixture  f;
    zw_state x;
    /* the frame at (1, 2, 0), its x axis along space y, spinning about z */
    fixture_system(
        &f,
        "zwang: 1\nframes:\n  car: {at: [1, 2, 0], turn: [0, 0, pi/2], spin: [0, 0, 3]}\nbodies:\n"
        "  a:\n    rod:\n      length: 2\n      elements: 4\n      frame: car\n      at: [1, 0, 0.5]\n      along: [1, 0, 0]\n      up: [0, 0, 1]\n"
        "      velocity: [0, 0.5, s]\n      section: {round: 0.1}\n      material: {density: 1000, young: 1e6, poisson: 0.3}\n"
        "  b: {rigid: {box: {size: [1, 2, 3]}, mass: 1, frame: car, at: [0, 1, 0], turn: [0.3, 0, 0], velocity: [1, 0, 0], spin: [0, 1, 0]}}\n");
    fixture_state(&f, &x);
    double worst = 0.0;
    for (int i = 0; i <= 4; i++) {
        double  s = 0.5 * i, r[3] = {1.0, 2.0 + 1.0 + s, 0.5}, v[3] = {-3.0 * (1.0 + s) - 0.5, 0.0, s}, w[3];
        double *q = x.q + 7 * i, *u = x.v + 6 * i, d3[3] = {0, 0, 1}, up[3] = {0, 1, 0}, spin[3] = {0, 0, 3};
        zw_q_rotate(q + 3, d3, d3);
        zw_q_rotate(q + 3, u, w);
        worst = fmax(worst, fmax(largest_difference(3, q, r), largest_difference(3, u + 3, v)));
        worst = fmax(worst, fmax(largest_difference(3, d3, up), largest_difference(3, w, spin)));
    }
    zw_place p = {.part = 1};
    zw_frame F;
    double   r[3] = {0.0, 2.0, 0.0}, v[3] = {0.0, -3.0 + 1.0, 0.0}, w[3] = {-1.0, 0.0, 3.0}, quarter[3] = {0, 0, 0.5 * acos(-1.0)},
           own[3] = {0.3, 0, 0};
    double R0[9], R1[9], R[9];
    zw_so3_exp(quarter, R0);
    zw_so3_exp(own, R1);
    zw_m3_mul(R, R0, R1);
    zw_system_frame(f.y, &x, &p, &F, NULL);
    worst = fmax(worst, fmax(largest_difference(3, F.r, r), largest_difference(3, F.v, v)));
    worst = fmax(worst, fmax(largest_difference(3, F.w, w), largest_difference(9, F.R, R)));
    print_message("start off by %.2e\n", worst);
    check_below(worst, 1e-14, 2.2e-15);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* a body clamped to a spinning frame goes in a circle; a bead on a spoke flies out by r cosh(W t); a body at rest in a frame that is left alone flies straight on */
static void bodies_go_where_the_frame_takes_them(void **unused) {
    (void)unused;
    static const char *const by[] = {"gauss, tolerance: 1e-12", "verlet, step: 1e-4", "energy-momentum, step: 1e-3"};
    static const double      bound[] = {5e-11, 1e-6, 1e-5}, measured[] = {9.8e-13, 2.6e-8, 1.9e-6};
    for (int i = 0; i < 3; i++) {
        char    text[2000];
        fixture f;
        snprintf(text, sizeof text,
                 "zwang: 1\nframes:\n  wheel: {at: [0, 1, 0], spin: [0, 0, 2]}\nbodies:\n"
                 "  a: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 2, frame: wheel, at: [1, 0, 0.5]}}\n"
                 "  bead: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 2, frame: wheel, at: [0.5, 0, 0]}}\n"
                 "  free: {rigid: {sphere: {radius: 0.1}, mass: 2, frame: wheel, at: [0, 1, 0]}}\n"
                 "constraints:\n  hold: {clamp: a, to: wheel}\n  spoke: {slider: bead, axis: [1, 0, 0], to: wheel}\n"
                 "run: {until: 1, integrator: %s}\nprobes:\n  a: {position: a}\n  va: {velocity: a}\n  ain: {position: a, in: wheel}\n"
                 "  vin: {velocity: a, in: wheel}\n  qin: {orientation: a, in: wheel}\n  bead: {position: bead, in: wheel}\n"
                 "  vbead: {velocity: bead, in: wheel}\n  free: {position: free}\n  force: {reaction: hold, in: wheel}\n",
                 by[i]);
        fixture_run(&f, text);
        run_to_end(&f);
        double c = cos(2.0), s = sin(2.0);
        double a[3] = {c, 1.0 + s, 0.5}, ain[3] = {1, 0, 0.5}, zero[3] = {0}, one[4] = {1, 0, 0, 0}, bead[3] = {0.5 * cosh(2.0), 0, 0};
        double vbead[3] = {sinh(2.0), 0, 0}, flown[3] = {-2.0, 2.0, 0}, force[6] = {-8.0, 0, 0, 0, 0, 0}, va[3] = {-2 * s, 2 * c, 0};
        double place = fmax(largest_difference(3, look(&f, "probe/a"), a), largest_difference(3, look(&f, "probe/ain"), ain));
        place = fmax(place, fmax(largest_difference(3, look(&f, "probe/free"), flown), largest_difference(4, look(&f, "probe/qin"), one)));
        double motion = fmax(largest_difference(3, look(&f, "probe/va"), va), largest_difference(3, look(&f, "probe/vin"), zero));
        double out = fmax(largest_difference(3, look(&f, "probe/bead"), bead), largest_difference(3, look(&f, "probe/vbead"), vbead));
        double pull = largest_difference(6, look(&f, "probe/force"), force), drift = fabs(*look(&f, "energy/drift"));
        print_message("%s: circle %.2e, its velocity %.2e, bead %.2e, reaction %.2e, energy %.2e\n", by[i], place, motion, out, pull,
                      drift);
        check_below(place, 1e-12, 1.9e-13);
        check_below(motion, i == 2 ? 1e-5 : 1e-14, i == 2 ? 9.5e-7 : 4.5e-16);
        check_below(out, bound[i], measured[i]);
        check_below(pull, i == 2 ? 1e-4 : 1e-13, i == 2 ? 7.6e-6 : 1.8e-15);
        check_below(drift, i == 1 ? 1e-6 : 1e-11, i == 1 ? 1.8e-7 : 4.7e-13);
        double recorded[3], q[4];
        memcpy(recorded, look(&f, "frame/wheel/position"), sizeof recorded);
        memcpy(q, look(&f, "frame/wheel/orientation"), sizeof q);
        check_near(recorded[1], 1.0, 0.0);
        check_near(fabs(q[3]), sin(1.0), 1e-15);
        fixture_close(&f);
    }
}

/* rows of joints of every kind to a wild frame: level 1 is the rate of level 0, b(t) what it lacks, D the rate of level 1 */
static void rows_to_a_frame_agree_with_differences(void **unused) {
    (void)unused;
    fixture  f;
    zw_state x, at;
    uint64_t seed = 7;
    fixture_system(
        &f, "zwang: 1\nframes:\n" WILD
            "bodies:\n  a: {rigid: {box: {size: [1, 2, 3]}, mass: 1}}\n  b: {rigid: {box: {size: [1, 2, 3]}, mass: 1, at: [1, 0, 0]}}\n"
            "  c: {rigid: {box: {size: [1, 2, 3]}, mass: 1, at: [0, 1, 0], frame: wild}}\n"
            "constraints:\n  clamp: {clamp: a, at: [0.1, 0.2, 0.3], to: wild}\n"
            "  some: {clamp: a, to: wild, fix: [x, z, ry], motion: {shift: [t^2, 0.3*t, sin(t)], turn: [0.2*t, 0.1*t^2, 0.3*t]}}\n"
            "  hinge: {hinge: b, axis: [1, 2, 3], to: wild}\n  slider: {slider: b, axis: [0, 2, 3], to: wild}\n"
            "  universal: {universal: c, axis: [0, 1, 0], to: wild}\n  ball: {ball: c, to: wild, motion: {shift: [t, 0, 0]}}\n");
    int     m = zw_system_rows_count(f.y);
    zw_size n = zw_system_size(f.y);
    double *g = calloc((size_t)(8 * m), sizeof *g), *D = g + m, *one = D + m, *two = one + m, *slope0 = two + m, *slope1 = slope0 + m,
           *plus = slope1 + m, *minus = plus + m;
    double *dv = calloc((size_t)n.nv, sizeof *dv);
    fixture_state(&f, &x);
    fixture_must(&f, zw_state_create(f.c, &n, &at), "zw_state_create");
    fixture_must(&f, zw_system_values(f.y, &x, 0, g), "zw_system_values");
    print_message("%d rows, at the start %.2e\n", m, largest(m, g));
    check_below(largest(m, g), 1e-14, 0.0);
    shake(f.y, &x, 0.2, 0.1, 0.5, &seed);
    x.t = 0.4;
    const double h = 0.01;
    for (int k = 0; k < 4; k++) { /* q moves with v by exp(t v), for bodies exactly */
        for (int side = 0; side < 2; side++) {
            double s = (side == 0 ? 1.0 : -1.0) * (k + 1) * h;
            for (int i = 0; i < n.nv; i++) {
                dv[i] = s * x.v[i];
            }
            zw_system_retract(f.y, x.q, dv, at.q);
            memcpy(at.v, x.v, sizeof(double) * (size_t)n.nv);
            at.t = x.t + s;
            fixture_must(&f, zw_system_values(f.y, &at, 0, plus), "zw_system_values");
            fixture_must(&f, zw_system_values(f.y, &at, 1, minus), "zw_system_values");
            for (int i = 0; i < m; i++) {
                slope0[i] += (side == 0 ? 1.0 : -1.0) * difference8[k] * plus[i] / h;
                slope1[i] += (side == 0 ? 1.0 : -1.0) * difference8[k] * minus[i] / h;
            }
        }
    }
    fixture_must(&f, zw_system_values(f.y, &x, 1, one), "zw_system_values");
    fixture_must(&f, zw_system_row_rates(f.y, &x, D), "zw_system_row_rates");
    double level1 = largest_difference(m, one, slope0), rates = largest_difference(m, D, slope1);
    /* A v - level 1 = level 2 */
    const zw_rows *A;
    fixture_must(&f, zw_system_values(f.y, &x, 2, two), "zw_system_values");
    fixture_must(&f, zw_system_rows(f.y, &x, &A), "zw_system_rows");
    memset(plus, 0, sizeof(double) * (size_t)m);
    for (int t = 0; t < A->ntiles; t++) {
        for (int b = 0; b < A->tile[t].nblocks; b++) {
            const zw_block *block = &A->block[A->tile[t].block0 + b];
            for (int i = 0; i < A->tile[t].m; i++) {
                for (int c = 0; c < block->ncol; c++) {
                    plus[A->tile[t].row + i] += A->a[block->a + (ptrdiff_t)i * block->ncol + c] * x.v[block->col0 + c];
                }
            }
        }
    }
    for (int i = 0; i < m; i++) {
        minus[i] = plus[i] - one[i];
    }
    print_message("level 1 %.2e, level 2 %.2e, rates %.2e\n", level1, largest_difference(m, minus, two), rates);
    check_below(level1, 1e-12, 5.7e-14);
    check_below(largest_difference(m, minus, two), 1e-14, 4.5e-16);
    check_below(rates, 1e-12, 1.4e-13);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &at);
    free(g);
    free(dv);
    fixture_close(&f);
}

/* rods and bodies held to a frame that moves in every way: what it gives is what they have, in every integrator */
static void energy_accounts_close(void **unused) {
    (void)unused;
    static const char *const by[] = {"gauss, stages: 2, step: 1e-2", "verlet, step: 2e-4", "energy-momentum, step: 1e-2"};
    static const double      bound[] = {1e-6, 1e-6, 1e-13}, measured[] = {1.8e-7, 8.8e-8, 2.9e-15};
    for (int i = 0; i < 3; i++) {
        char    text[2500];
        fixture f;
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [0, 0, -9.81]\nframes:\n" WILD "bodies:\n"
            "  rod:\n    rod:\n      length: 1\n      elements: 8\n      frame: wild\n      at: [0.2, 0, 0]\n      along: [1, 0, 0]\n      section: {round: 0.05}\n"
            "      material: {density: 1000, young: 1e6, poisson: 0.3}\n"
            "  box: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 1, frame: wild, at: [0, 1, 0]}}\n"
            "constraints:\n  root: {clamp: rod, s: 0, to: wild}\n  pin: {hinge: box, at: [0, 0, 0.15], axis: [1, 0, 0], to: wild}\n"
            "  rail: {clamp: rod, s: end, to: wild, fix: [y]}\nrun: {until: 2, integrator: %s}\n",
            by[i]);
        fixture_run(&f, text);
        run_to_end(&f);
        double kinetic = *look(&f, "energy/kinetic"), drift = fabs(*look(&f, "energy/drift")), work = *look(&f, "energy/work");
        print_message("%s: kinetic %.4g J, work %.4g J, energy - work %.2e J\n", by[i], kinetic, work, drift);
        assert_true(fabs(work) > 10.0);
        check_below(drift / fabs(work), bound[i], measured[i]);
        fixture_close(&f);
    }
}

/* in a frame that goes straight on, everything is as at rest */
static void a_steady_shift_is_not_felt(void **unused) {
    (void)unused;
    static const char *const frame[] = {"{at: [0, 0, 0]}", "{motion: {shift: [3*t, -2*t, 0.5*t]}}",
                                        "{turn: [0, 0, 1], motion: {shift: [3*t, -2*t, 0.5*t]}}"};
    double                   tip[3][3], swing[3][3], speed[3][3];
    for (int i = 0; i < 3; i++) {
        char    text[2500];
        fixture f;
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [0, 0, -9.81]\nframes:\n  car: %s\nbodies:\n"
            "  rod:\n    rod:\n      length: 1\n      elements: 8\n      frame: car\n      along: [1, 0, 0]\n      velocity: [0, s, 0]\n      section: {round: 0.05}\n"
            "      material: {density: 1000, young: 1e6, poisson: 0.3}\n"
            "  box: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 1, frame: car, at: [0, 1, 0], turn: [1, 0, 0]}}\n"
            "constraints:\n  root: {clamp: rod, s: 0, to: car}\n  pin: {hinge: box, at: [0, 0, 0.15], axis: [1, 0, 0], to: car}\n"
            "run: {until: 1, integrator: verlet, step: 1e-4}\nprobes:\n  tip: {position: rod, s: end, in: car}\n  box: {position: box, in: car}\n"
            "  speed: {velocity: rod, s: end, in: car}\n",
            frame[i]);
        fixture_run(&f, text);
        run_to_end(&f);
        memcpy(tip[i], look(&f, "probe/tip"), sizeof tip[i]);
        memcpy(swing[i], look(&f, "probe/box"), sizeof swing[i]);
        memcpy(speed[i], look(&f, "probe/speed"), sizeof speed[i]);
        fixture_close(&f);
        if (i > 0) {
            double apart = fmax(largest_difference(3, tip[i], tip[0]),
                                fmax(largest_difference(3, swing[i], swing[0]), largest_difference(3, speed[i], speed[0])));
            print_message("apart %.2e\n", apart);
            check_below(apart, 1e-10, 1.3e-12);
        }
    }
}

/* a rod on a tumbling body: held to a frame that the body carries, or joined to it; placed in the frame, or in space */
static void carried(const char *integrator, const char *ship, const char *rod, const char *root, const char *rail, double out[6]) {
    char    text[2500];
    fixture f;
    snprintf(
        text, sizeof text,
        "zwang: 1\ngravity: [0, 0, -9.81]\nframes:\n  deck: {carried: ship}\n  side: {carried: ship, at: [1, 0, 0], turn: [0, 0, pi/2]}\nbodies:\n"
        "  ship: {rigid: {box: {size: [0.3, 0.2, 0.4]}, mass: 10, at: [1, 2, 3]%s}}\n"
        "  rod: {rod: {length: 1, elements: 8, %s, along: [1, 0, 0], section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
        "constraints:\n  root: {%s}\n  rail: {%s}\nrun: {until: 0.25, integrator: %s}\n"
        "probes:\n  tip: {position: rod, s: end}\n  ship: {position: ship, at: [1, 1, 1]}\n  seen: {position: rod, s: 0, in: deck}\n",
        ship, rod, root, rail, integrator);
    fixture_run(&f, text);
    run_to_end(&f);
    memcpy(out, look(&f, "probe/tip"), 3 * sizeof *out);
    memcpy(out + 3, look(&f, "probe/ship"), 3 * sizeof *out);
    double held[3] = {0, 0, 0.2};
    check_below(largest_difference(3, look(&f, "probe/seen"), held), 1e-14, 3.8e-16);
    fixture_close(&f);
}

static void a_carried_frame_is_its_carrier(void **unused) {
    (void)unused;
    static const char *const by[] = {"gauss, stages: 2, step: 1e-2", "verlet, step: 2e-4", "energy-momentum, step: 1e-2"};
    static const char        tumbles[] = ", turn: [0.3, 0.2, 0.1], velocity: [0, 0, 1], spin: [1, 2, 3]";
    static const char        placed[] = "frame: deck, at: [0, 0, 0.2]";
    for (int i = 0; i < 3; i++) {
        double held[6], joined[6], aside[6], rest[6], space[6];
        carried(by[i], tumbles, placed, "clamp: rod, s: 0, to: deck", "clamp: rod, s: end, to: deck, fix: [y, z]", held);
        carried(by[i], tumbles, placed, "clamp: [{body: rod, s: 0}, {body: ship}]", "clamp: rod, s: end, to: {body: ship}, fix: [y, z]",
                joined);
        carried(by[i], tumbles, placed, "clamp: rod, s: 0, to: side", "clamp: rod, s: end, to: side, fix: [x, z]",
                aside); /* its x is y of the ship */
        carried(by[i], "", placed, "clamp: rod, s: 0, to: deck", "clamp: rod, s: end, to: deck, fix: [y, z]", rest);
        carried(by[i], "", "at: [1, 2, 3.2]", "fixed: rod, s: 0, to: ship", "clamp: rod, s: end, to: {body: ship}, fix: [y, z]", space);
        assert_true(largest_difference(6, held, rest) > 0.1);
        print_message("%s: held or joined %.2e, placed in the frame or in space %.2e\n", by[i], largest_difference(6, held, joined),
                      largest_difference(6, rest, space));
        print_message("held to a frame that is turned: %.2e\n", largest_difference(6, held, aside));
        check_below(largest_difference(6, held, aside), 1e-12, 8.0e-15);
        check_below(largest_difference(6, held, joined), 1e-15, 0.0);
        check_below(largest_difference(6, rest, space), 1e-12, 0.0);
    }
}

/* frames carried by a rod, turned and set off, one on the other; motion on top is along the axes of the frame */
static void carried_frames_turn_and_follow(void **unused) {
    (void)unused;
    fixture  f;
    zw_state x;
    zw_frame A, B;
    fixture_run(
        &f,
        "zwang: 1\nframes:\n  tip: {carried: {body: arm, s: end}, at: [0.1, 0.2, 0.3], turn: [0.4, -0.3, 0.2]}\n"
        "  next: {carried: {body: box, at: [0, 0, 0.5]}, turn: [0, 0, 1]}\nbodies:\n"
        "  box: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 1, frame: tip, at: [0.5, 0, 0], velocity: [0, 1, 0]}}\n"
        "  ball: {rigid: {sphere: {radius: 0.2}, mass: 1, frame: next, at: [0, 0, 1]}}\n"
        "  arm: {rod: {length: 1, elements: 4, at: [1, 0, 0], along: [0, 1, 1], velocity: [s, 0, 1], section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
        "constraints:\n  held: {clamp: ball, to: tip, fix: [x, y, z], motion: {shift: [0.1*t, 0, 0.2*t^2]}}\n"
        "run: {until: 0.1, integrator: verlet, step: 1e-4}\nprobes:\n  ball: {position: ball, in: tip}\n");
    zw_place arm = {.part = 0, .element = 3, .u = {1.0}};
    zw_size  n = zw_system_size(fixture_y(&f));
    fixture_must(&f, zw_state_create(f.c, &n, &x), "zw_state_create");
    fixture_must(&f, zw_system_start(fixture_y(&f), &x), "zw_system_start");
    zw_system_frame(fixture_y(&f), &x, &arm, &A, NULL);
    fixture_must(&f, zw_system_reference(fixture_y(&f), &x, 0, &B), "zw_system_reference");
    double off[3] = {0.1, 0.2, 0.3}, turn[3] = {0.4, -0.3, 0.2}, arm3[3], R[9], at[3], v[3];
    zw_so3_exp(turn, R);
    zw_m3_mul(R, A.R, R);
    zw_m3_mulv(arm3, A.R, off);
    zw_v3_add(at, A.r, arm3);
    zw_v3_cross(v, A.w, arm3);
    zw_v3_add(v, v, A.v);
    double worst = fmax(largest_difference(3, B.r, at), fmax(largest_difference(3, B.v, v), largest_difference(9, B.R, R)));
    /* what is placed in it: the box, with a velocity on top; the ball in the frame of the box, at rest there */
    const double from[2][3] = {{0.5, 0, 0}, {0, 0, 1}}, with[2][3] = {{0, 1, 0}, {0, 0, 0}};
    for (int i = 0; i < 2; i++) {
        zw_place p = {.part = 1, .body = i};
        double   own[3];
        zw_system_frame(fixture_y(&f), &x, &p, &A, NULL);
        fixture_must(&f, zw_system_reference(fixture_y(&f), &x, i, &B), "zw_system_reference");
        zw_m3_mulv(arm3, B.R, from[i]);
        zw_v3_add(at, B.r, arm3);
        zw_v3_cross(v, B.w, arm3);
        zw_v3_add(v, v, B.v);
        zw_m3_mulv(own, B.R, with[i]);
        zw_v3_add(v, v, own);
        worst = fmax(worst, fmax(largest_difference(3, A.r, at), largest_difference(3, A.v, v)));
        worst = fmax(worst, fmax(largest_difference(3, A.w, B.w), largest_difference(9, A.R, B.R)));
    }
    double ball[3], first[3];
    print_message("start off by %.2e\n", worst);
    check_below(worst, 1e-14, 3.4e-16);
    memcpy(first, look(&f, "probe/ball"), sizeof first);
    run_to_end(&f);
    memcpy(ball, look(&f, "probe/ball"), sizeof ball);
    double moved[3] = {first[0] + 0.01, first[1], first[2] + 0.002};
    print_message("moved along the frame, off by %.2e\n", largest_difference(3, ball, moved));
    check_below(largest_difference(3, ball, moved), 1e-13, 4.5e-16);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* a point of a lagrangian that also moves with t: what is held to it starts with it, and its work is accounted; a frame that it carries is the same */
static void points_that_move_by_themselves_do_work(void **unused) {
    (void)unused;
    static const char *const root[] = {"clamp: box, to: arm", "fixed: box, to: {body: p, point: e}"};
    double                   end[2][3];
    for (int i = 0; i < 2; i++) {
        char    text[1500];
        fixture f;
        snprintf(
            text, sizeof text,
            "zwang: 1\nframes:\n  arm: {carried: {body: p, point: e}}\ngravity: [0, 0, -9.81]\nbodies:\n  p:\n    lagrangian:\n      coordinates: [a]\n"
            "      kinetic: adot^2/2\n      potential: -9.81*cos(a)\n"
            "      points: {e: {position: [sin(a) + 0.1*sin(5*t), 0, -cos(a)], turn: [0, -a, 0]}}\n      start: {a: 1}\n"
            "  box: {rigid: {box: {size: [0.1, 0.2, 0.1]}, mass: 0.1, frame: arm, at: [0, 0, -0.2]}}\nconstraints:\n  root: {%s}\n"
            "run: {until: 1, tolerance: 1e-12}\nprobes:\n  box: {position: box}\n  held: {position: box, in: arm}\n",
            root[i]);
        fixture_run(&f, text);
        check_below(*look(&f, "constraint/velocity"), 1e-14, 0.0);
        run_to_end(&f);
        double held[3] = {0, 0, -0.2};
        print_message("energy - work %.2e J, held to %.2e\n", fabs(*look(&f, "energy/drift")),
                      largest_difference(3, look(&f, "probe/held"), held));
        assert_true(fabs(*look(&f, "energy/work")) > 0.01);
        check_below(fabs(*look(&f, "energy/drift")), 1e-10, 1.6e-12);
        check_below(largest_difference(3, look(&f, "probe/held"), held), 1e-14, 1.2e-16);
        memcpy(end[i], look(&f, "probe/box"), sizeof end[i]);
        fixture_close(&f);
    }
    check_below(largest_difference(3, end[0], end[1]), 1e-15, 0.0);
}

/* planar bodies: a frame that stays in their plane leaves the rows along its normal away, one that does not keeps them */
static void planar_bodies_are_held_to_frames_in_their_plane(void **unused) {
    (void)unused;
    static const struct {
        const char *frame;
        int         rows;
    } of[] = {{"spin: [0, 0, 2]", 3},
              {"motion: {shift: [t, t^2, 0], turn: [0, 0, sin(t)]}", 3},
              {"motion: {shift: [0, 0, t]}", 6},
              {"spin: [0, 1, 0]", 6}};
    for (int i = 0; i < 4; i++) {
        char    text[600];
        fixture f;
        snprintf(
            text, sizeof text,
            "zwang: 1\nframes:\n  car: {%s}\nbodies:\n  a: {rigid: {box: {size: [1, 1, 1]}, mass: 1, plane: [0, 0, 1], at: [1, 0, 0]}}\n"
            "constraints:\n  c: {clamp: a, to: car}\n",
            of[i].frame);
        fixture_system(&f, text);
        assert_int_equal(zw_system_rows_count(f.y), of[i].rows);
        fixture_close(&f);
    }
}

static void steady_spin_is_told_with_reasons(void **unused) {
    (void)unused;
    static const struct {
        const char *frames, *more, *why; /* why NULL: it spins; "": nothing moves */
    } of[] = {
        {"hub: {at: [1, 2, 3], spin: [0, 0, 3]}", "", NULL},
        {"hub: {at: [1, 2, 3], spin: [0, 0, 3]}\n  tip: {carried: {body: a, s: end}}\n  still: {at: [1, 0, 0]}", "gravity: [0, 0, -9.81]\n",
         NULL},
        {"hub: {spin: [0, 0, 3]}", "loads:\n  l: {force: [0, 0, -1], on: a, s: end}\n  m: {force: [1, 2, s], on: a, axes: directors}\n",
         NULL},
        {"hub: {spin: [0, 0, 0]}", "", ""},
        {"hub: {at: [1, 0, 0]}", "gravity: [0, 1, 0]\n", ""},
        {"hub: {motion: {turn: [0, 0, 3*t]}}", "", "frame 'hub' moves as prescribed"},
        {"hub: {spin: [0, 0, 3]}\n  other: {spin: [0, 0, 1]}", "", "frames 'hub' and 'other' both move"},
        {"hub: {spin: [0, 0, 3]}", "gravity: [0, 1, -9.81]\n", "gravity is not along the axis"},
        {"hub: {spin: [0, 0, 3]}", "gravity: [0, 0, -9.81*t]\n", "gravity depends on t"},
        {"hub: {spin: [0, 0, 3]}", "loads:\n  l: {force: [0, 1, 0], on: a, s: end}\n", "load 'l' is not along the axis"},
        {"hub: {spin: [0, 0, 3]}", "loads:\n  l: {force: [0, 0, t], on: a, s: end}\n", "load 'l' depends on t"},
        {"hub: {spin: [0, 0, 3]}", "loads:\n  l: {force: [0, 0, x], on: a, s: end}\n", "load 'l' depends on the place"},
        {"hub: {spin: [0, 0, 3]}", "loads:\n  l: {force: [0, s, 1], on: a}\n", "load 'l' is not along the axis"},
        {"hub: {spin: [0, 0, 3]}", "obstacles:\n  o: {plane: {normal: [0, 0, 1], at: [0, 0, -5]}}\n", "obstacle 'o' does not turn"},
        {"hub: {spin: [0, 0, 3]}\n  rest: {at: [0, 0, 1]}", "  end: {ball: a, s: end, to: rest}\n",
         "constraint 'end' holds to what does not turn with 'hub'"},
        {"hub: {spin: [0, 0, 3]}", "  end: {ball: a, s: end}\n", "constraint 'end' holds to what does not turn with 'hub'"},
        {"hub: {spin: [0, 0, 3]}", "  end: {ball: a, s: end, to: hub, motion: {shift: [t, 0, 0]}}\n",
         "constraint 'end' has a motion of its own"},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        char    text[1500];
        fixture f;
        zw_spin spin;
        snprintf(
            text, sizeof text,
            "zwang: 1\nframes:\n  %s\nbodies:\n  a: {rod: {length: 1, elements: 4, section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
            "constraints:\n  root: {clamp: a, s: 0, to: hub}\n%s",
            of[i].frames, of[i].more);
        fixture_system(&f, text);
        bool spins = zw_system_spin(f.y, &spin);
        assert_int_equal(spins, spin.spins);
        assert_int_equal(spins, of[i].why == NULL);
        if (of[i].why == NULL) {
            check_near(spin.w[2], 3.0, 0.0);
            check_near(spin.centre[1], i < 2 ? 2.0 : 0.0, 0.0);
            assert_string_equal(spin.why, "");
        } else if (of[i].why[0] == '\0') {
            assert_string_equal(spin.why, "");
        } else if (strstr(spin.why, of[i].why) == NULL) {
            fail_msg("case %d: '%s'", (int)i, spin.why);
        }
        fixture_close(&f);
    }
}

static void motions_that_do_not_start_at_0_are_refused(void **unused) {
    (void)unused;
    fixture f;
    fixture_parse(
        &f,
        "zwang: 1\nframes:\n  hub: {motion: {turn: [0, 0, cos(t)]}}\nbodies:\n  a: {rigid: {sphere: {radius: 1}, mass: 1, frame: hub}}\n");
    assert_int_equal(zw_system_create(f.m, &f.y), ZW_E_MODEL);
    const zw_error *e = fixture_error(&f);
    assert_int_equal(e->line, 3);
    assert_non_null(strstr(e->message, "turn[3] is 1 at t = 0, not 0"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_know_their_velocity_and_acceleration),
        cmocka_unit_test(bodies_start_with_the_motion_of_their_frame),
        cmocka_unit_test(bodies_go_where_the_frame_takes_them),
        cmocka_unit_test(rows_to_a_frame_agree_with_differences),
        cmocka_unit_test(energy_accounts_close),
        cmocka_unit_test(a_steady_shift_is_not_felt),
        cmocka_unit_test(a_carried_frame_is_its_carrier),
        cmocka_unit_test(carried_frames_turn_and_follow),
        cmocka_unit_test(points_that_move_by_themselves_do_work),
        cmocka_unit_test(planar_bodies_are_held_to_frames_in_their_plane),
        cmocka_unit_test(steady_spin_is_told_with_reasons),
        cmocka_unit_test(motions_that_do_not_start_at_0_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
