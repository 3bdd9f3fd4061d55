/* SPDX-License-Identifier: Apache-2.0
 * test_gauss_contact.c: stepping over contacts with gauss, one stage, events off: the laws of its discrete gradient (contacts give no energy, nothing overlaps), rest,
 * order, joints, moving obstacles, momentum, and what is refused. */
#include "support/model.h"

#include "events/run.h"
#include "steps/gauss_contact.h"

#define OFF     "run: {until: 10, integrator: gauss, stages: 1, events: off, step: 1e-3}\n"
#define GRAVITY "zwang: 1\ngravity: [0, 0, -9.81]\n"
#define FLOOR   "obstacles: {floor: {plane: {normal: [0, 0, 1]}}}\n"
#define ROOM                                                                                                                       \
    "obstacles:\n  floor: {plane: {normal: [0, 0, 1], at: [0, 0, -0.5]}}\n  lid: {plane: {normal: [0, 0, -1], at: [0, 0, 0.5]}}\n" \
    "  west: {plane: {normal: [1, 0, 0], at: [-0.5, 0, 0]}}\n  east: {plane: {normal: [-1, 0, 0], at: [0.5, 0, 0]}}\n"             \
    "  south: {plane: {normal: [0, 1, 0], at: [0, -0.5, 0]}}\n  north: {plane: {normal: [0, -1, 0], at: [0, 0.5, 0]}}\n"

static void begin(stepper *s, fixture *f, const char *text, double h) {
    int nw;
    fixture_system(f, text);
    *s = (stepper){.f = f, .h = h, .ops = zw_integrator_find("gauss")};
    fixture_must(f, s->ops->create(f->y, &s->self, &nw), "create of the integrator");
    s->n = zw_system_size(f->y);
    s->n.nw = nw;
    for (int i = 0; i < 2; i++) {
        fixture_must(f, zw_state_create(f->c, &s->n, &s->x[i]), "zw_state_create");
    }
    fixture_must(f, zw_system_start(f->y, stepper_x(s)), "zw_system_start");
    stepper_restart(s);
}

static void end(stepper *s, fixture *f) {
    stepper_close(s);
    fixture_close(f);
}

static zw_gauss_contact *inside(const stepper *s) {
    return ((const zw_collocation *)s->self)->contact;
}

static double own(stepper *s, int what) {
    return s->ops->observe(s->self, stepper_x(s), 1 + what);
}

typedef struct seen { /* extremes over a motion */
    double energy0, energy;
    double grown; /* energy from one step to the next          */
    double books; /* |energy - work + dissipated - its start|  */
    double depth, residual, identity;
    double count;   /* most contacts that pushed at once         */
    double overlap; /* by a search of its own, over the whole room */
} seen;

static void look(stepper *s, seen *o) {
    zw_account      a = stepper_account(s);
    const zw_state *x = stepper_x(s);
    double          e = account_energy(&a);
    o->grown = fmax(o->grown, e - o->energy);
    o->energy = e;
    o->books = fmax(o->books, fabs(e - o->energy0 - x->w[ZW_W_WORK] + x->w[ZW_W_DISSIPATED]));
    o->depth = fmax(o->depth, own(s, ZW_CONTACT_DEPTH));
    o->residual = fmax(o->residual, own(s, ZW_CONTACT_RESIDUAL));
    o->count = fmax(o->count, own(s, ZW_CONTACT_COUNT));
    o->identity = fmax(o->identity, inside(s)->identity);
}

static void search(stepper *s, seen *o) {
    const zw_meeting *m;
    int               n;
    fixture_must(s->f, zw_meet_find(inside(s)->set.meet, stepper_x(s), 0.0, &n, &m), "zw_meet_find");
    for (int i = 0; i < n; i++) {
        o->overlap = fmax(o->overlap, -m[i].touch.gap);
    }
}

static seen go(stepper *s, int64_t steps, int64_t every) {
    zw_account a = stepper_account(s);
    seen       o = {.energy0 = account_energy(&a), .energy = account_energy(&a)};
    for (int64_t i = 0; i < steps; i++) {
        stepper_go(s, 1);
        look(s, &o);
        if (i % every == 0) {
            search(s, &o);
        }
    }
    return o;
}

/* ---- where nothing is met */

#define LINKS                                                                                                                                                      \
    "bodies:\n  a: {rigid: {capsule: {radius: 0.05, length: 0.4}, mass: 1, at: [0, 0, -0.2], spin: [1, 2, 0.5], points: {top: [0, 0, 0.2], end: [0, 0, -0.2]}}}\n" \
    "  b: {rigid: {box: {size: [0.1, 0.2, 0.4]}, mass: 2, at: [0, 0, -0.6], spin: [1, 2, 0.5], velocity: [0.4, -0.2, 0], points: {top: [0, 0, 0.2]}}}\n"           \
    "constraints:\n  hook: {ball: {body: a, point: top}}\n  knee: {ball: [{body: a, point: end}, {body: b, point: top}]}\n"

static void far_from_contacts_it_is_gauss(void **state) {
    fixture f[2];
    stepper s[2];
    (void)state;
    begin(&s[0], &f[0], GRAVITY LINKS "obstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, -2]}}}\n" OFF, 1e-3);
    begin(&s[1], &f[1], GRAVITY LINKS "run: {until: 10, integrator: gauss, stages: 1, step: 1e-3}\n", 1e-3);
    assert_true(inside(&s[0]) != NULL && inside(&s[1]) == NULL);
    for (int i = 0; i < 500; i++) {
        stepper_go(&s[0], 1);
        stepper_go(&s[1], 1);
        assert_memory_equal(stepper_x(&s[0])->q, stepper_x(&s[1])->q, sizeof(double) * (size_t)s[0].n.nq);
        assert_memory_equal(stepper_x(&s[0])->v, stepper_x(&s[1])->v, sizeof(double) * (size_t)s[0].n.nv);
    }
    end(&s[0], &f[0]);
    end(&s[1], &f[1]);
}

/* ---- the discrete gradient */

/* Gbar.d + h tau = change whatever the change is, forces of a pair add up to nothing, and no motion bends nothing */
static void rows_are_bent_into_discrete_gradients(void **state) {
    fixture           f;
    stepper           s;
    uint64_t          seed = 3;
    const zw_meeting *m;
    int               n, pairs = 0;
    double            worst = 0.0, push = 0.0;
    (void)state;
    begin(
        &s, &f,
        "zwang: 1\nbodies:\n  a: {rigid: {box: {size: [0.3, 0.2, 0.1]}, density: 800, turn: [0.3, 0.4, 0.2]}}\n"
        "  b: {rigid: {capsule: {radius: 0.05, length: 0.3}, density: 700, at: [0.02, 0.02, 0.3]}}\n"
        "  c: {rod: {length: 0.6, elements: 4, at: [-0.3, 0.5, 0], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
        "contact: {}\nobstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, -0.3]}, motion: {shift: [0, 0, 0.2*t]}}}\n" OFF,
        1e-3);
    zw_gauss_contact *k = inside(&s);
    const zw_metric  *M = zw_system_mass(f.y, stepper_x(&s));
    double            v[42], a[ZW_MEET_ROW_VALUES], before[ZW_MEET_ROW_VALUES];
    zw_tile           tile[1];
    zw_block          block[ZW_MEET_ROW_BLOCKS];
    assert_int_equal(s.n.nv, 42);
    fixture_must(&f, zw_meet_find(k->set.meet, stepper_x(&s), 1.0, &n, &m), "zw_meet_find");
    assert_true(n >= 10);
    for (int trial = 0; trial < 50; trial++) {
        for (int i = 0; i < n; i++) {
            zw_rows R = {.tile = tile, .block = block, .a = a};
            fixture_must(&f, zw_meet_row(k->set.meet, stepper_x(&s), &m[i], &R), "zw_meet_row");
            memcpy(before, a, sizeof a);
            for (int l = 0; l < 42; l++) {
                v[l] = trial == 0 ? 0.0 : 4.0 * noise(&seed);
            }
            bool    pair = m[i].b >= 0;
            zw_bend bend = {
                .h = 1e-3, .v = v, .change = trial == 0 ? 1e-3 * m[i].drift : 1e-2 * noise(&seed), .drift = m[i].drift, .pair = pair};
            double tau = zw_bend_row(&k->bender, M, &bend, &R, 0, 0);
            worst = fmax(worst, fabs(1e-3 * (zw_row_times(&R, 0, 0, v) + tau) - bend.change));
            for (int e = 0; pair && e < 3; e++) {
                push = fmax(push, fabs(zw_row_times(&R, 0, 0, k->shift + (ptrdiff_t)e * 42)));
            }
            pairs += pair;
            if (trial == 0) {
                assert_memory_equal(a, before, sizeof(double) * (size_t)R.nvalues);
            }
        }
    }
    assert_true(pairs > 100);
    check_below(worst, 1e-14, 3.1e-17);
    check_below(push, 1e-13, 1.6e-14);
    end(&s, &f);
}

/* ---- energy and overlap */

/* a body in every other cell of the room, with any turn, velocity and spin */
static const char *crowd(unsigned kinds, uint64_t seed, double fill, char *text, size_t size) {
    static const char *const form[4] = {"sphere: {radius: 0.09}", "capsule: {radius: 0.05, length: 0.15}", "box: {size: [0.2, 0.14, 0.1]}",
                                        "cylinder: {radius: 0.07, length: 0.2}"};
    int                      bodies = 0;
    snprintf(text, size, GRAVITY "bodies:\n");
    for (int cell = 0; cell < 27; cell++) {
        double v[9];
        int    kind = (int)((noise(&seed) + 0.5) * 4.0);
        bool   taken = noise(&seed) + 0.5 < fill;
        for (int i = 0; i < 9; i++) {
            v[i] = (i < 6 ? 4.0 : 9.0) * noise(&seed);
        }
        while (!(kinds >> kind & 1U)) {
            kind = (kind + 1) % 4;
        }
        if (taken) {
            size_t used = strlen(text);
            snprintf(
                text + used, size - used,
                "  b%d: {rigid: {%s, density: 800, at: [%.3f, %.3f, %.3f], turn: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g], "
                "spin: [%.17g, %.17g, %.17g]}}\n",
                bodies++, form[kind], 0.3 * (cell % 3 - 1), 0.3 * (cell / 3 % 3 - 1), 0.3 * (cell / 9 - 1), v[0], v[1], v[2], v[3], v[4],
                v[5], v[6], v[7], v[8]);
        }
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, ROOM OFF);
    return text;
}

static void bodies_in_a_room(void **state) {
    static const struct {
        unsigned kinds;
        uint64_t seed;
        double   fill;
        int64_t  steps;
    } cases[] = {{1, 77, 0.5, 500}, {2, 78, 0.5, 500}, {4, 79, 0.4, 450}, {8, 80, 0.3, 400}, {15, 81, 0.5, 450}};
    char text[12000];
    seen worst = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        stepper s;
        begin(&s, &f, crowd(cases[i].kinds, cases[i].seed, cases[i].fill, text, sizeof text), 1e-3);
        seen o = go(&s, cases[i].steps, 10);
        print_message("%d bodies, kinds %u: energy %.4g -> %.4g J, most contacts %g, overlap %.2g, grown %.2g, books %.2g\n", s.n.nv / 6,
                      cases[i].kinds, o.energy0, o.energy, o.count, o.overlap, o.grown, o.books);
        assert_true(o.count >= 8.0);
        assert_true(o.energy < o.energy0 - 20.0);
        worst.grown = fmax(worst.grown, o.grown);
        worst.books = fmax(worst.books, o.books);
        worst.depth = fmax(worst.depth, o.depth);
        worst.overlap = fmax(worst.overlap, o.overlap);
        worst.residual = fmax(worst.residual, o.residual);
        worst.identity = fmax(worst.identity, o.identity);
        end(&s, &f);
    }
    check_below(worst.grown, 1e-12, 4e-14);
    check_below(worst.books, 1e-11, 1.3e-12);
    check_below(worst.depth, 1e-13, 2.9e-15);
    check_below(worst.overlap, 1e-12, 5.5e-13);
    check_below(worst.residual, 1e-12, 4.6e-15);
    check_below(worst.identity, 1e-14, 9e-16);
}

static void nothing_overlaps_for_long(void **state) {
    fixture f;
    stepper s;
    char    text[12000];
    (void)state;
    begin(&s, &f, crowd(7, 5, 0.15, text, sizeof text), 1e-3);
    seen o = go(&s, scaled_steps(10000), 20);
    check_below(o.overlap, 1e-13, 7e-17);
    check_below(o.grown, 1e-12, 1.5e-14);
    check_below(o.residual, 1e-12, 4.3e-15);
    end(&s, &f);
}

static void rods_in_a_room(void **state) {
    fixture f;
    stepper s;
    (void)state;
    begin(
        &s, &f,
        GRAVITY
        "bodies:\n"
        "  r: {rod: {length: 0.6, elements: 12, at: [-0.3, 0, -0.35], along: [1, 0.3, 0.4], section: {round: 0.02}, material: {density: 1000, young: 1e6, "
        "poisson: 0.3}, velocity: {director: [0.3, 1, 1]}}}\n"
        "  t: {rod: {length: 0.6, elements: 12, at: [-0.3, 0.1, -0.45], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, "
        "poisson: 0.3}}}\n"
        "  b: {rigid: {sphere: {radius: 0.1}, density: 500, at: [0, 0, 0.1], velocity: [0, 0, -2]}}\n" ROOM OFF,
        2e-4);
    seen o = go(&s, 1200, 20);
    print_message("energy %.4g -> %.4g J, most contacts %g\n", o.energy0, o.energy, o.count);
    assert_true(o.count >= 10.0);
    check_below(o.overlap, 1e-13, 2e-15);
    check_below(o.books, 1e-3, 1.8e-4); /* J of 16: the band of one stage over the elastic forces; contacts have no part in it */
    check_below(o.identity, 1e-14, 8.9e-16);
    end(&s, &f);
}

/* over one step T(v1) - T(v0) = work of gravity - sum p g0/h, before the impact is made plastic, which only takes */
static void work_of_a_contact_is_its_gap(void **state) {
    fixture f;
    stepper s;
    double  worst = 0.0, most = 0.0;
    (void)state;
    begin(&s, &f,
          GRAVITY
          "bodies: {b: {rigid: {box: {size: [0.2, 0.1, 0.1]}, mass: 1.6, at: [0, 0, 0.3], turn: [0.3, 0.4, 0.2], velocity: [0.2, 0, -1], "
          "spin: [1, 2, 3]}}}\n" FLOOR OFF,
          1e-3);
    for (int i = 0; i < 400; i++) {
        zw_state from;
        fixture_must(&f, zw_state_create(f.c, &s.n, &from), "zw_state_create");
        zw_state_copy(&s.n, stepper_x(&s), &from);
        stepper_go(&s, 1);
        if (own(&s, ZW_CONTACT_COUNT) > 0.0 && strstr(f.log, "halves") == NULL) {
            const zw_gauss_contact *k = inside(&s);
            zw_account              a, b;
            double                  work = 0.0;
            zw_system_account(f.y, &from, &a);
            zw_state middle = {.t = from.t + 1e-3, .q = k->end.q, .v = k->end.v, .s = from.s, .w = from.w};
            zw_system_account(f.y, &middle, &b);
            for (int j = 0; j < k->set.n; j++) {
                work -= k->set.p[j] * k->set.gap0[j] / 1e-3;
            }
            worst = fmax(worst, fabs(account_energy(&b) - account_energy(&a) - work));
            most = fmax(most, -work);
            zw_account c = stepper_account(&s);
            assert_true(account_energy(&c) <= account_energy(&b) + 1e-14);
        }
        zw_state_destroy(f.c, &from);
    }
    assert_true(most > 0.05);
    check_below(worst, 1e-12, 4.4e-15); /* J */
    end(&s, &f);
}

/* ---- rest */

static void rest_stays_rest(void **state) {
    fixture f;
    stepper s;
    (void)state;
    begin(&s, &f,
          GRAVITY "bodies:\n  a: {rigid: {box: {size: [0.4, 0.4, 0.2]}, density: 800, at: [0, 0, 0.1]}}\n"
                  "  b: {rigid: {box: {size: [0.2, 0.3, 0.1]}, density: 800, at: [0.05, 0, 0.25]}}\n"
                  "  c: {rigid: {box: {size: [0.1, 0.1, 0.2]}, density: 2000, at: [0.1, 0.05, 0.4]}}\n"
                  "  d: {rigid: {sphere: {radius: 0.1}, density: 800, at: [0.6, 0, 0.1]}}\n" FLOOR OFF,
          1e-3);
    double q0[28];
    memcpy(q0, stepper_x(&s)->q, sizeof q0);
    seen o = go(&s, 1000, 50);
    assert_int_equal((int)own(&s, ZW_CONTACT_COUNT), 13);
    check_below(largest_difference(28, stepper_x(&s)->q, q0), 1e-14, 5.6e-17);
    check_below(largest(24, stepper_x(&s)->v), 1e-14, 4.9e-30);
    check_below(o.residual, 1e-12, 9.3e-17);
    end(&s, &f);
}

/* ---- order */

/* a ball that slides in a bowl is a point on a sphere: the spherical pendulum */
static double slide(int steps, double *loss) {
    fixture f, g;
    stepper s;
    begin(&s, &f,
          GRAVITY "bodies: {b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [sin(1), 0, -cos(1)], velocity: [0, 0.7, 0]}}}\n"
                  "obstacles: {bowl: {sphere: {radius: 1.1, hollow: true}}}\n" OFF,
          1.0 / steps);
    seen o = go(&s, steps, 10);
    *loss = o.energy0 - o.energy;
    assert_true(own(&s, ZW_CONTACT_COUNT) == 1.0);
    fixture_run(
        &g,
        "zwang: 1\nbodies:\n  p: {lagrangian: {coordinates: [th, ph], kinetic: (thdot^2 + sin(th)^2*phdot^2)/2, potential: -9.81*cos(th), start: {th: 1, "
        "phdot: 0.7/sin(1)}}}\nrun: {until: 1, tolerance: 1e-13}\n");
    fixture_must(&g, zw_run_advance(g.r, INT64_MAX), "zw_run_advance");
    const double *r = g.r->x[g.r->now].q, *q = stepper_x(&s)->q;
    double        d[3] = {q[0] - sin(r[0]) * cos(r[1]), q[1] - sin(r[0]) * sin(r[1]), q[2] + cos(r[0])};
    fixture_close(&g);
    end(&s, &f);
    return zw_v3_norm(d);
}

static void sliding_is_of_order_two(void **state) {
    double loss[2], error[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        error[i] = slide(200 << i, &loss[i]);
    }
    print_message("errors %.4g %.4g m, energy lost %.3g %.3g J\n", error[0], error[1], loss[0], loss[1]);
    check_near(log2(error[0] / error[1]), 2.0, 0.02); /* 2.003 */
    check_near(log2(loss[0] / loss[1]), 3.0, 0.02);   /* what closing the velocities costs: 3.000 */
    check_below(loss[0], 2e-6, 1.3e-6);
    assert_true(loss[1] > 0.0);
}

/* ---- joints */

static void chain_lands(void **state) {
    fixture f;
    stepper s;
    char    text[4000] = GRAVITY "bodies:\n";
    double  c[32], joint = 0.0, rate = 0.0;
    (void)state;
    for (int i = 0; i < 6; i++) {
        size_t used = strlen(text);
        snprintf(
            text + used, sizeof text - used,
            "  b%d: {rigid: {capsule: {radius: 0.05, length: 0.3}, mass: 1, at: [%.1f, 0, 0.3], turn: [0, pi/2, 0], points: {a: [0, 0, -0.2], b: [0, 0, 0.2]}}}\n",
            i, 0.4 * i);
    }
    strcat(text, "constraints:\n");
    for (int i = 0; i < 5; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  j%d: {ball: [{body: b%d, point: b}, {body: b%d, point: a}]}\n", i, i, i + 1);
    }
    strcat(text, "obstacles:\n  floor: {plane: {normal: [0.3, 0.1, 1]}}\n  stone: {sphere: {radius: 0.2, at: [1, 0.05, 0]}}\n" OFF);
    begin(&s, &f, text, 1e-3);
    zw_account a = stepper_account(&s);
    seen       o = {.energy0 = account_energy(&a), .energy = account_energy(&a)};
    int        m = zw_system_rows_count(f.y);
    assert_int_equal(m, 15);
    for (int i = 0; i < 1200; i++) {
        stepper_go(&s, 1);
        look(&s, &o);
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, c), "values");
        joint = fmax(joint, largest(m, c));
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 1, c), "values");
        rate = fmax(rate, largest(m, c));
    }
    print_message("energy %.4g -> %.4g J, most contacts %g\n", o.energy0, o.energy, o.count);
    assert_true(o.count >= 5.0);
    check_below(joint, 1e-14, 5.1e-16);
    check_below(rate, 1e-13, 2.3e-15);
    check_below(o.grown, 1e-13, 7.1e-15);
    check_below(o.books, 1e-11, 7.8e-13);
    check_below(o.depth, 1e-13, 8.6e-15);
    end(&s, &f);
}

/* ---- obstacles that move */

static void floor_lifts_a_box(void **state) {
    fixture f;
    stepper s;
    (void)state;
    begin(&s, &f,
          GRAVITY
          "bodies: {b: {rigid: {box: {size: [0.2, 0.1, 0.1]}, density: 800, at: [0, 0, 0.05]}}}\n"
          "obstacles: {floor: {plane: {normal: [0, 0, 1]}, motion: {shift: [0, 0, 0.3*sin(7*t)], turn: [0.1*sin(3*t), 0, 0]}}}\n" OFF,
          1e-3);
    seen o = go(&s, 1500, 20);
    check_below(o.books, 1e-12, 5.2e-14);
    check_below(o.overlap, 1e-13, 1.8e-15);
    assert_true(stepper_x(&s)->w[ZW_W_WORK] > 5.0);
    end(&s, &f);
    /* a floor that rises steadily under a body that it has already caught: work = weight times the way */
    begin(&s, &f,
          GRAVITY "bodies: {b: {rigid: {box: {size: [0.2, 0.1, 0.1]}, mass: 2, at: [0, 0, 0.05], velocity: [0, 0, 0.5]}}}\n"
                  "obstacles: {floor: {plane: {normal: [0, 0, 1]}, motion: {shift: [0, 0, 0.5*t]}}}\n" OFF,
          1e-3);
    o = go(&s, 1000, 20);
    check_relative(stepper_x(&s)->w[ZW_W_WORK], 2 * 9.81 * 0.5, 1e-12);
    check_below(fabs(stepper_x(&s)->w[ZW_W_DISSIPATED]), 1e-12, 6.2e-14);
    end(&s, &f);
}

/* ---- momentum */

static void meet_freely(const char *bodies, double h, double *linear, double *angular) {
    fixture f;
    stepper s;
    char    text[2000];
    int     touched = 0;
    snprintf(text, sizeof text, "zwang: 1\nbodies:\n%scontact: {}\n" OFF, bodies);
    begin(&s, &f, text, h);
    zw_account a0 = stepper_account(&s);
    *linear = *angular = 0.0;
    for (int i = 0; i < (int)(0.2 / h + 0.5); i++) {
        stepper_go(&s, 1);
        zw_account a = stepper_account(&s);
        touched += own(&s, ZW_CONTACT_COUNT) > 0.0;
        for (int k = 0; k < 3; k++) {
            *linear = fmax(*linear, fabs(a.momentum[k] - a0.momentum[k]));
            *angular = fmax(*angular, fabs(a.angular[k] - a0.angular[k]));
        }
    }
    assert_true(touched > 0);
    end(&s, &f);
}

static void momentum_of_a_pair(void **state) {
    static const char
        box[] =
            "  a: {rigid: {box: {size: [0.3, 0.2, 0.1]}, density: 800, turn: [0.3, 0.4, 0.2], velocity: [0.2, 1, 0], spin: [1, 2, 3]}}\n"
            "  b: {rigid: {capsule: {radius: 0.05, length: 0.3}, density: 800, at: [0.02, 0.02, 0.4], velocity: [0.2, 1.1, -2], spin: [1, 2, 3]}}\n",
        balls[] = "  a: {rigid: {sphere: {radius: 0.2}, density: 800, velocity: [0.2, 1, 0], spin: [1, 2, 3]}}\n"
                  "  b: {rigid: {sphere: {radius: 0.1}, density: 800, at: [0.05, 0.02, 0.4], velocity: [0.2, 1.1, -2], spin: [1, 2, 3]}}\n";
    double linear[4], angular[4];
    (void)state;
    for (int i = 0; i < 2; i++) {
        meet_freely(box, 1e-3 / (1 << i), &linear[i], &angular[i]);
        meet_freely(balls, 1e-3 / (1 << i), &linear[2 + i], &angular[2 + i]);
    }
    print_message("angular momentum is off by %.3g, %.3g (box, capsule) and %.3g, %.3g kg m^2/s (balls)\n", angular[0], angular[1],
                  angular[2], angular[3]);
    check_below(largest(4, linear), 2e-13, 2.4e-14);
    check_below(angular[0], 1e-5, 1.2e-6); /* of 0.4 kg m^2/s: of second order, see docs/theory/contact-stepping.md */
    check_below(fmax(angular[2], angular[3]), 1e-12, 1.3e-14);
    assert_true(angular[1] < 0.5 * angular[0]);
}

/* ---- inequalities without forms */

static void expressions_are_contacts_too(void **state) {
    fixture f;
    stepper s;
    (void)state;
    begin(
        &s, &f,
        "zwang: 1\nbodies:\n  p: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + ydot^2)/2, potential: 9.81*y, start: {x: 0, y: 1, xdot: 1}}}\n"
        "constraints:\n  hill: {unilateral: \"y >= 0.1*cos(3*x)\", on: p}\n" OFF,
        1e-3);
    seen o = go(&s, 1000, 1);
    assert_true(own(&s, ZW_CONTACT_COUNT) == 1.0);
    const double *q = stepper_x(&s)->q;
    check_below(fabs(q[1] - 0.1 * cos(3.0 * q[0])), 1e-14, 4.4e-16);
    check_below(o.depth, 1e-14, 1e-15);
    check_below(o.grown, 1e-13, 3.6e-15);
    check_below(o.books, 1e-12, 1.6e-14);
    end(&s, &f);
}

/* ---- a step is a map */

static void a_step_depends_on_its_start_alone(void **state) {
    fixture  f;
    stepper  s;
    zw_state x0, x1[2];
    char     text[12000];
    (void)state;
    begin(&s, &f, crowd(7, 9, 0.3, text, sizeof text), 1e-3);
    stepper_go(&s, 300);
    fixture_must(&f, zw_state_create(f.c, &s.n, &x0), "zw_state_create");
    zw_state_copy(&s.n, stepper_x(&s), &x0);
    for (int i = 0; i < 2; i++) {
        fixture_must(&f, zw_state_create(f.c, &s.n, &x1[i]), "zw_state_create");
        fixture_must(&f, s.ops->step(s.self, &x0, 1e-3, &x1[i]), "step");
        stepper_go(&s, 50); /* something else in between */
    }
    assert_memory_equal(x1[0].q, x1[1].q, sizeof(double) * (size_t)s.n.nq);
    assert_memory_equal(x1[0].v, x1[1].v, sizeof(double) * (size_t)s.n.nv);
    assert_memory_equal(x1[0].w, x1[1].w, sizeof(double) * (size_t)s.n.nw);
    zw_state_destroy(f.c, &x0);
    zw_state_destroy(f.c, &x1[0]);
    zw_state_destroy(f.c, &x1[1]);
    end(&s, &f);
}

/* ---- what is refused, and what is said */

static void refused(fixture *f, const char *subject, const char *part) {
    void *self;
    int   nw;
    fixture_must(f, zw_system_create(f->m, &f->y), "zw_system_create");
    assert_int_equal(zw_integrator_find("gauss")->create(f->y, &self, &nw), ZW_E_UNSUPPORTED);
    assert_string_equal(fixture_error(f)->subject, subject);
    assert_non_null(strstr(fixture_error(f)->message, part));
    assert_true(strlen(fixture_error(f)->remedy) > 10);
    fixture_close(f);
}

#define BALL GRAVITY "bodies: {b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 1]}}}\n" FLOOR

static void what_it_cannot_do_is_refused(void **state) {
    fixture f;
    stepper s;
    (void)state;
    fixture_parse(&f, BALL OFF); /* the reader refuses more stages by itself */
    f.m->run.stages = 2;
    refused(&f, "run.stages", "with one stage only");
    fixture_parse(&f, BALL "run: {until: 1, integrator: gauss, stages: 1, tolerance: 1e-6, events: off}\n");
    refused(&f, "run.tolerance", "have one length");
    fixture_parse(&f, BALL "run: {until: 1, integrator: gauss, stages: 1, formulation: multiplier, events: off}\n");
    refused(&f, "run.formulation", "formulation: gauss");
    fixture_parse(&f, BALL "contact: {restitution: 0.5}\n" OFF);
    refused(&f, "contact.restitution", "plastic impacts only");
    fixture_parse(&f, BALL "contact: {loss: 0.5}\n" OFF);
    refused(&f, "contact.restitution", "plastic impacts only");
    /* plastic as it is, asked for by name, or left to the default: that is told */
    begin(&s, &f, BALL "contact: {restitution: 0}\n" OFF, 1e-3);
    assert_null(strstr(f.log, "plastic"));
    end(&s, &f);
    begin(&s, &f, BALL "run: {until: 1, integrator: gauss, events: off}\n", 1e-3);
    assert_non_null(strstr(f.log, "impacts are plastic"));
    stepper_go(&s, 1000);
    check_below(fabs(stepper_x(&s)->q[2] - 0.1), 1e-14, 0);
    end(&s, &f);
}

static void overlapping_start_is_refused(void **state) {
    fixture f;
    (void)state;
    fixture_parse(&f, GRAVITY "bodies: {b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 0.05]}}}\n" FLOOR OFF);
    assert_int_equal(zw_run_create(f.m, &f.r), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->message, "0.05"));
    fixture_close(&f);
}

/* an arm that lies on its end: pin and floor carry half of it each, although the state alone knows no contact */
static void reactions_hold_against_contacts(void **state) {
    fixture    f;
    zw_summary sum;
    (void)state;
    fixture_run(
        &f,
        "zwang: 1\ngravity: [0, 0, -9.81]\nparameters: {mu: 0}\nbodies:\n"
        "  arm: {rigid: {capsule: {length: 1, radius: 0.05}, mass: 2, at: [0.5, 0, 0.2], turn: [0, pi/2, 0], plane: [0, 1, 0]}}\n"
        "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\nconstraints:\n  pin: {hinge: arm, at: [0, 0, -0.5], axis: [0, 1, 0]}\n"
        "contact: {restitution: 0, friction: mu}\nrun: {until: 1, step: 1e-3, integrator: gauss, events: off}\n" /* mu is 0: no friction */
        "probes:\n  R: {reaction: pin}\n");
    fixture_advance(&f, 1000);
    zw_run_summary(f.r, &sum);
    check_below(largest_difference(3, sum.probes[0].final, (double[]){0, 0, 9.81}), 1e-12, 2.2e-15);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactions_hold_against_contacts),
        cmocka_unit_test(far_from_contacts_it_is_gauss),
        cmocka_unit_test(rows_are_bent_into_discrete_gradients),
        cmocka_unit_test(bodies_in_a_room),
        cmocka_unit_test(nothing_overlaps_for_long),
        cmocka_unit_test(rods_in_a_room),
        cmocka_unit_test(work_of_a_contact_is_its_gap),
        cmocka_unit_test(rest_stays_rest),
        cmocka_unit_test(sliding_is_of_order_two),
        cmocka_unit_test(chain_lands),
        cmocka_unit_test(floor_lifts_a_box),
        cmocka_unit_test(momentum_of_a_pair),
        cmocka_unit_test(expressions_are_contacts_too),
        cmocka_unit_test(a_step_depends_on_its_start_alone),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(overlapping_start_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
