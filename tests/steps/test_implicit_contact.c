/* SPDX-License-Identifier: Apache-2.0
 * test_implicit_contact.c: contacts in the implicit step of energy-momentum and at rest: discrete gradients, tangents against differences, who pushes; falling, resting, colliding and sliding
 * bodies, rods and chains that overlap nowhere, gain no energy and keep momenta. */
#include "support/model.h"

#include "rows/meet_step.h"
#include "steps/energy_momentum.h"
#include "support/starve.h"

#define GRAVITY "zwang: 1\ngravity: [0, 0, -9.81]\n"
#define RUN     "run: {until: 1, integrator: energy-momentum}\n"
#define ROOM                                                                                                                       \
    "obstacles:\n  floor: {plane: {normal: [0, 0, 1], at: [0, 0, -0.5]}}\n  lid: {plane: {normal: [0, 0, -1], at: [0, 0, 0.5]}}\n" \
    "  west: {plane: {normal: [1, 0, 0], at: [-0.5, 0, 0]}}\n  east: {plane: {normal: [-1, 0, 0], at: [0.5, 0, 0]}}\n"             \
    "  south: {plane: {normal: [0, 1, 0], at: [0, -0.5, 0]}}\n  north: {plane: {normal: [0, -1, 0], at: [0, 0.5, 0]}}\n"

static const char *mixed =
    "zwang: 1\nbodies:\n  a: {rigid: {box: {size: [0.3, 0.2, 0.1]}, density: 800, turn: [0.3, 0.4, 0.2]}}\n"
    "  b: {rigid: {capsule: {radius: 0.05, length: 0.3}, density: 700, at: [0.02, 0.02, 0.3]}}\n"
    "  c: {rod: {length: 0.6, elements: 4, at: [-0.3, 0.19, 0], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
    "  d: {rigid: {sphere: {radius: 0.1}, density: 500, at: [0.1, 0.33, 0.1]}}\n"
    "contact: {}\nobstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, -0.2]}, motion: {shift: [0, 0, 0.2*t]}}}\n" RUN;

static zw_energy_momentum *inside(const stepper *s) {
    return s->self;
}

static double own(stepper *s, int which) {
    return stepper_x(s)->w[inside(s)->w_contact + which];
}

/* everybody near takes part, with random velocities and impulses */
static void stir(stepper *s, double h, zw_state *x1, uint64_t *seed) {
    zw_energy_momentum *e = inside(s);
    zw_implicit        *k = &e->k;
    zw_secant_sum       sum;
    fixture            *f = s->f;
    zw_contact_set     *set = &k->contacts->set;
    const zw_meeting   *found;
    double              speed;
    int                 n;
    fixture_must(f, zw_contact_set_gather(set, stepper_x(s), h), "gather");
    zw_meet_speed(set->meet, stepper_x(s), &speed, &set->reach);
    fixture_must(f, zw_meet_find(set->meet, stepper_x(s), 2.0 * h * speed, &n, &found), "find");
    fixture_must(f, zw_contact_set_hold(set, n), "hold");
    for (set->n = 0; set->n < n; set->n++) {
        bool changed;
        set->from[set->n] = found[set->n];
        set->gap0[set->n] = found[set->n].touch.gap;
        fixture_must(f, zw_meet_freeze(set->meet, stepper_x(s), false, &set->from[set->n], &changed), "freeze");
    }
    assert_true(k->contacts->set.n >= 20);
    fixture_must(f, zw_implicit_contacts_use(k, stepper_x(s), true), "use");
    for (int i = 0; i < k->nz; i++) {
        k->z[i] = 0.5 * noise(seed);
    }
    for (int i = 0; i < k->contacts->n; i++) {
        k->contacts->contact[i].pushes = true;
    }
    k->contacts->turns = true;
    fixture_must(f, zw_implicit_balance(k, stepper_x(s), h, x1, false, &sum), "balance");
}

static void discrete_gradients_keep_the_identity_and_momenta(void **state) {
    fixture  f;
    stepper  s;
    zw_state x1;
    uint64_t seed = 5;
    double   worst = 0.0, moment = 0.0, force = 0.0, h = 2e-2;
    (void)state;
    fixture_system(&f, mixed);
    stepper_open_by(&s, &f, "energy-momentum", h);
    fixture_must(&f, zw_state_create(f.c, &s.n, &x1), "state");
    shake(f.y, stepper_x(&s), 0.0, 0.0, 4.0, &seed);
    zw_implicit *k = &inside(&s)->k;
    for (int trial = 0; trial < 20; trial++) {
        stir(&s, h, &x1, &seed);
        for (int i = 0; i < k->contacts->n; i++) {
            const zw_implicit_contact *c = &k->contacts->contact[i];
            const zw_contact_set      *set = &k->contacts->set;
            const double              *mean = c->mean;
            double                     sum = set->tau[i], F[3] = {0.0, 0.0, 0.0}, M[3] = {0.0, 0.0, 0.0};
            for (int t = 0; t < c->ntouched; t++) {
                const zw_implicit_block *b = &k->block[c->touched[t]];
                const zw_part           *p = &k->y->part[b->part];
                zw_state                 part = zw_implicit_slice(k, b->part, &k->xm);
                zw_secant_node           n;
                double                   turn[3];
                p->ops->secant->node(p->self, &part, b->index, &n);
                for (int l = 0; l < 6; l++) {
                    sum += mean[l] * k->u[b->col0 + l];
                }
                zw_v3_cross(turn, n.x, mean + 3);
                for (int a = 0; a < 3; a++) {
                    F[a] += mean[3 + a];
                    M[a] += mean[a] + turn[a];
                }
                mean += 6;
            }
            worst = fmax(worst, fabs(h * sum - (set->gap1[i] - set->gap0[i])));
            if (set->from[i].b >= 0) {
                force = fmax(force, zw_v3_norm(F));
                moment = fmax(moment, zw_v3_norm(M));
            }
        }
    }
    check_below(worst, 1e-14, 4.3e-16);
    check_below(force, 1e-14, 1.6e-16);
    check_below(moment, 1e-14, 8.8e-17);
    zw_state_destroy(f.c, &x1);
    stepper_close(&s);
    fixture_close(&f);
}

/* y = J d, J as assembled */
static void multiply(zw_implicit *k, const double *d, double *y) {
    memset(y, 0, sizeof *y * (size_t)k->nz);
    for (int i = 0; i < k->nblocks; i++) {
        for (int j = 0; j < k->nblocks; j++) {
            bool          turned;
            const double *a = zw_blocklu_block(&k->lu, i, j, &turned);
            int           m = k->block[i].ncol + k->block[i].nrows, n = k->block[j].ncol + k->block[j].nrows;
            for (int r = 0; r < m && a != NULL; r++) {
                for (int c = 0; c < n; c++) {
                    y[k->block[i].z0 + r] += a[turned ? c * m + r : r * n + c] * d[k->block[j].z0 + c];
                }
            }
        }
    }
}

/* of the assembled equations, contacts included: J d against (r(z + d) - r(z - d))/2 */
static void tangents_agree_with_differences(void **state) {
    fixture  f;
    stepper  s;
    zw_state x1;
    uint64_t seed = 11;
    double   worst = 0.0, scale = 0.0, h = 2e-2;
    (void)state;
    fixture_system(&f, mixed);
    stepper_open_by(&s, &f, "energy-momentum", h);
    fixture_must(&f, zw_state_create(f.c, &s.n, &x1), "state");
    shake(f.y, stepper_x(&s), 0.0, 0.0, 4.0, &seed);
    zw_implicit  *k = &inside(&s)->k;
    zw_secant_sum sum;
    for (int trial = 0; trial < 5; trial++) {
        double z[200], d[200], plus[200], minus[200], step = 1e-5;
        stir(&s, h, &x1, &seed);
        assert_true(k->nz <= 200);
        memcpy(z, k->z, sizeof *z * (size_t)k->nz);
        for (int i = 0; i < k->nz; i++) {
            d[i] = noise(&seed);
        }
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < k->nz; i++) {
                k->z[i] = z[i] + (side == 0 ? step : -step) * d[i];
            }
            fixture_must(&f, zw_implicit_balance(k, stepper_x(&s), h, &x1, false, &sum), "balance");
            memcpy(side == 0 ? plus : minus, k->r, sizeof *z * (size_t)k->nz);
        }
        memcpy(k->z, z, sizeof *z * (size_t)k->nz);
        fixture_must(&f, zw_implicit_balance(k, stepper_x(&s), h, &x1, true, &sum), "balance");
        zw_implicit_contacts_put(k);
        multiply(k, d, k->dz);
        for (int i = 0; i < k->nz; i++) {
            scale = fmax(scale, fabs(k->dz[i]));
            worst = fmax(worst, fabs(k->dz[i] - (plus[i] - minus[i]) / (2.0 * step)));
        }
    }
    check_below(worst / scale, 1e-8, 2.1e-10);
    zw_state_destroy(f.c, &x1);
    stepper_close(&s);
    fixture_close(&f);
}

typedef struct seen {
    double gain, books, depth, residual, linear, angular;
    int    most;
} seen;

static seen go(const char *text, double h, int steps) {
    fixture f;
    stepper s;
    seen    r = {0};
    fixture_system(&f, text);
    stepper_open_by(&s, &f, "energy-momentum", h);
    zw_account from = stepper_account(&s);
    double     before = account_energy(&from), start = before, scale = from.kinetic;
    for (int i = 0; i < steps; i++) {
        stepper_go(&s, 1);
        zw_account    now = stepper_account(&s);
        const double *w = stepper_x(&s)->w;
        double        energy = account_energy(&now);
        scale = fmax(scale, now.kinetic);
        r.gain = fmax(r.gain, energy - before - w[ZW_W_WORK]);
        r.books = fmax(r.books, fabs(energy - start + w[ZW_W_DISSIPATED] - w[ZW_W_WORK]));
        r.depth = fmax(r.depth, own(&s, ZW_CONTACT_DEPTH));
        r.residual = fmax(r.residual, own(&s, ZW_CONTACT_RESIDUAL));
        r.most = own(&s, ZW_CONTACT_COUNT) > r.most ? (int)own(&s, ZW_CONTACT_COUNT) : r.most;
        r.linear = fmax(r.linear, largest_difference(3, now.momentum, from.momentum));
        r.angular = fmax(r.angular, largest_difference(3, now.angular, from.angular));
        before = energy - w[ZW_W_WORK];
    }
    r.gain /= scale;
    r.books /= scale;
    stepper_close(&s);
    fixture_close(&f);
    return r;
}

static void bodies_in_a_room_lose_energy_only(void **state) {
    (void)state;
    seen r =
        go(GRAVITY "bodies:\n  a: {rigid: {sphere: {radius: 0.1}, density: 500, at: [0, 0, 0.2], velocity: [1, 2, 0.5]}}\n"
                   "  b: {rigid: {sphere: {radius: 0.1}, density: 500, at: [0.05, 0, -0.2], velocity: [-1, 2, 0.5]}}\n"
                   "  c: {rigid: {box: {size: [0.2, 0.3, 0.1]}, density: 500, at: [0.3, 0.2, 0], turn: [0.3, 0.2, 0.1], spin: [3, 4, 5]}}\n"
                   "  d: {rigid: {capsule: {radius: 0.05, length: 0.3}, density: 700, at: [-0.2, -0.1, 0.3], spin: [3, -4, 5]}}\n"
                   "  e: {rigid: {box: {size: [0.2, 0.1, 0.1]}, density: 500, at: [-0.3, -0.3, 0], velocity: [2, 2, 2]}}\n" ROOM
                   "contact: {restitution: 0}\n" RUN,
           4e-3, 500);
    assert_true(r.most >= 8);
    check_below(r.gain, 1e-13, 3.4e-16);
    check_below(r.books, 1e-12, 3.6e-15);
    check_below(r.depth, 1e-13, 1.3e-15);
    check_below(r.residual, 1e-12, 1.8e-15);
}

/* falls flat on four corners, one of which is redundant, and stays */
static void a_box_falls_and_rests(void **state) {
    (void)state;
    fixture f;
    stepper s;
    double  low = 1.0;
    fixture_system(&f, GRAVITY "bodies: {c: {rigid: {box: {size: [0.2, 0.3, 0.1]}, density: 500, at: [1, 0, 0.07]}}}\n"
                               "obstacles: {floor: {plane: {normal: [0, 0, 1]}}}\ncontact: {restitution: 0}\n" RUN);
    stepper_open_by(&s, &f, "energy-momentum", 2e-3);
    stepper_go(&s, 100);
    assert_int_equal((int)own(&s, ZW_CONTACT_COUNT), 4);
    double q[7];
    memcpy(q, stepper_x(&s)->q, sizeof q);
    for (int i = 0; i < 1000; i++) {
        stepper_go(&s, 1);
        low = fmin(low, stepper_x(&s)->q[2] - 0.05);
    }
    check_below(fabs(q[2] - 0.05), 1e-14, 0.0);
    check_below(largest_difference(7, q, stepper_x(&s)->q), 1e-14, 3.9e-26);
    check_below(largest(6, stepper_x(&s)->v), 1e-14, 9.2e-33);
    check_below(-low, 1e-14, 0.0);
    stepper_close(&s);
    fixture_close(&f);
}

/* nobody else acts: both momenta are kept through the collision and while they slide over each other */
static void free_bodies_collide_and_keep_momenta(void **state) {
    (void)state;
    seen r = go(
        "zwang: 1\nbodies:\n  a: {rigid: {box: {size: [0.3, 0.2, 0.1]}, density: 800, turn: [0.3, 0.4, 0.2], spin: [2, 1, -3]}}\n"
        "  b: {rigid: {capsule: {radius: 0.05, length: 0.3}, density: 700, at: [0.02, 0.02, 0.3], velocity: [0.2, 0, -2], spin: [1, 0, 2]}}\n"
        "  c: {rod: {length: 0.6, elements: 6, at: [-0.3, 0.02, -0.25], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3}, "
        "velocity: [0, 0, 1]}}\ncontact: {restitution: 0}\n" RUN,
        2e-3, 400);
    assert_true(r.most >= 1);
    check_below(r.gain, 1e-13, 5.7e-16);
    check_below(r.linear, 1e-13, 4.4e-15);
    check_below(r.angular, 1e-13, 3.1e-15);
    check_below(r.depth, 1e-13, 1.9e-16);
}

static void a_rod_is_whipped_against_walls(void **state) {
    (void)state;
    seen r = go(
        GRAVITY
        "bodies:\n  whip: {rod: {length: 1, elements: 20, at: [0, 0, 1], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
        "  b: {rigid: {sphere: {radius: 0.1}, density: 500, at: [0.5, 0, 0.3]}}\n"
        "constraints: {root: {ball: whip, s: 0}}\nobstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n  wall: {plane: {normal: [1, 0, 0], at: [-0.2, 0, 0]}}\n"
        "contact: {restitution: 0}\n" RUN,
        2e-3, 1000);
    assert_true(r.most >= 2);
    check_below(r.gain, 1e-12, 3.2e-15);
    check_below(r.books, 2e-12, 2.8e-14);
    check_below(r.depth, 1e-13, 1.4e-16);
    check_below(r.residual, 1e-12, 3.1e-16);
}

/* links of one kind, hinged, that fall down stairs */
static void a_chain_falls_on_stairs(void **state) {
    char text[4000], *to = text;
    (void)state;
    to += sprintf(to, GRAVITY "bodies:\n");
    for (int i = 0; i < 8; i++) {
        to += sprintf(to, "  l%d: {rigid: {capsule: {radius: 0.02, length: 0.16}, density: 1000, at: [%g, 0, 0.75], turn: [0, pi/2, 0]}}\n",
                      i, 0.1 + 0.2 * i);
    }
    to += sprintf(to, "constraints:\n");
    for (int i = 0; i < 7; i++) {
        to += sprintf(to, "  j%d: {ball: [{body: l%d, at: [0, 0, 0.1]}, {body: l%d, at: [0, 0, -0.1]}]}\n", i, i, i + 1);
    }
    sprintf(to, "obstacles:\n  a: {box: {size: [1, 1, 0.4], at: [0, 0, 0.2]}}\n  b: {box: {size: [1, 1, 0.2], at: [1, 0, 0.1]}}\n"
                "  floor: {plane: {normal: [0, 0, 1]}}\ncontact: {restitution: 0}\n" RUN);
    seen r = go(text, 2e-3, 500);
    assert_true(r.most >= 4);
    check_below(r.gain, 1e-12, 1.2e-15);
    check_below(r.books, 1e-12, 7.4e-15);
    check_below(r.depth, 1e-12, 1.3e-14);
}

/* a beam clamped at one end sags onto a floor: Newton at rest, with the equations of implicit_contact.h */
static void a_beam_rests_on_a_floor(void **state) {
    fixture  f;
    zw_state x;
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {beam: {rod: {length: 1, elements: 20, along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3}}}}\n"
        "constraints: {root: {clamp: beam, s: 0}}\nobstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, -0.1]}}}\ncontact: {restitution: 0}\n" RUN);
    zw_implicit k;
    fixture_state(&f, &x);
    fixture_must(&f, zw_implicit_create(f.y, &k), "zw_implicit_create");
    fixture_must(&f, zw_implicit_contacts_create(&k), "zw_implicit_contacts_create");
    assert_non_null(k.contacts);
    fixture_must(&f, zw_implicit_contacts_near(&k, &x, 0.2), "zw_implicit_contacts_near");
    assert_true(k.contacts->n >= 10);
    double left = 1.0;
    int    rounds = 0;
    for (; rounds < 60 && left > 1e-11; rounds++) {
        fixture_must(&f, zw_implicit_equilibrium(&k, &x, true), "zw_implicit_equilibrium");
        for (int i = 0; i < k.nz; i++) {
            k.dz[i] = -k.r[i];
        }
        assert_int_equal(zw_blocklu_factor(&k.lu), -1);
        zw_blocklu_solve(&k.lu, k.dz);
        double most = 0.0, part;
        for (int b = 0; b < k.nblocks; b++) {
            for (int c = 0; c < k.block[b].ncol; c++) {
                most = fmax(most, fabs(k.dz[k.block[b].z0 + c]));
            }
        }
        part = most > 0.2 ? 0.2 / most : 1.0;
        left = most;
        for (int b = 0; b < k.nblocks; b++) {
            for (int c = 0; c < k.block[b].ncol + k.block[b].nrows; c++) {
                int at = k.block[b].z0 + c;
                if (c < k.block[b].ncol) {
                    k.u[k.block[b].col0 + c] = part * k.dz[at];
                } else {
                    k.z[at] += k.dz[at];
                }
            }
        }
        zw_state_copy(&k.n, &x, &k.near);
        const zw_part *p = &f.y->part[0];
        p->ops->secant->advance(p->self, &k.near, k.u, 1.0, &x);
        memset(x.v, 0, sizeof(double) * (size_t)k.n.nv);
    }
    fixture_must(&f, zw_implicit_equilibrium(&k, &x, false), "zw_implicit_equilibrium");
    int missed, pushing = 0;
    fixture_must(&f, zw_implicit_contacts_missed(&k, &x, &missed), "zw_implicit_contacts_missed");
    assert_int_equal(missed, 0);
    double total = 0.0, low = 0.0, pulls = 0.0;
    for (int i = 0; i < k.contacts->n; i++) {
        double p = k.z[k.block[k.contacts->contact[i].block].z0];
        pushing += p > 0.0;
        total += p;
        low = fmax(low, -k.contacts->set.gap1[i]);
        pulls = fmax(pulls, -p);
    }
    assert_true(rounds <= 15 && pushing >= 1); /* 10, 21: each node is the end of two links */
    check_below(left, 1e-12, 3.2e-16);
    check_below(low, 1e-12, 0.0);
    check_below(pulls, 1e-12, 0.0);
    double weight = 9.81 * 1000.0 * acos(-1.0) * 4e-4;
    assert_true(total > 0.6 * weight && total < 0.75 * weight); /* 8.236 N of 12.33 N */
    zw_implicit_destroy(&k);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void what_is_not_there_is_refused_by_name(void **state) {
    static const struct {
        const char *contact, *run, *part;
    } cases[] = {
        {"contact: {restitution: 0.5}\n", RUN, "plastic impacts only"},
        {"contact: {loss: 0.5}\n", RUN, "plastic impacts only"},
        {"contact: {friction: 0.3}\n", RUN, "without friction"},
        {"contact: {law: stick}\n", RUN, "plastic impacts"},
        {"contact: {}\n", "run: {until: 1, integrator: energy-momentum, events: on}\n", "locates no impacts"},
        {"contact: {}\n", "run: {until: 1, integrator: energy-momentum, tolerance: 1e-6}\n", "no tolerance chooses"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char    text[600];
        fixture f = {0};
        snprintf(
            text, sizeof text,
            GRAVITY
            "bodies: {a: {rigid: {sphere: {radius: 0.1}, density: 500, at: [0, 0, 1]}}}\nobstacles: {floor: {plane: {normal: [0, 0, 1]}}}\n%s%s",
            cases[i].contact, cases[i].run);
        assert_int_equal(zw_context_create(NULL, &f.c), ZW_OK);
        zw_status status = zw_model_parse(f.c, "test", text, strlen(text), 0, NULL, &f.m);
        if (status == ZW_OK) {
            status = zw_run_create(f.m, &f.r);
        }
        assert_int_not_equal(status, ZW_OK);
        const zw_error *e = zw_error_at(f.c, 0);
        if (strstr(e->message, cases[i].part) == NULL) {
            fail_msg("'%s' is not in '%s'", cases[i].part, e->message);
        }
        zw_run_destroy(f.r);
        zw_model_destroy(f.m);
        zw_context_destroy(f.c);
    }
}

static void memory_that_runs_out_is_reported_wherever_it_happens(void **state) {
    static const char text[] = GRAVITY
        "bodies:\n  a: {rigid: {box: {size: [0.2, 0.3, 0.1]}, density: 500, at: [1, 0, 0.051]}}\n"
        "  c: {rod: {length: 0.6, elements: 3, at: [0, 0, 0.021], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1000, young: 1e6, "
        "poisson: 0.3}}}\nobstacles: {floor: {plane: {normal: [0, 0, 1]}}}\ncontact: {restitution: 0}\n"
        "run: {until: 0.02, step: 2e-3, integrator: energy-momentum}\n";
    int tries = 0;
    (void)state;
    for (; tries < 5000; tries++) {
        starved     s = {tries};
        zw_context *c = starving_context(&s);
        zw_model   *m = NULL;
        zw_run     *r = NULL;
        if (c == NULL) {
            continue;
        }
        zw_status status = zw_model_parse(c, "test.yaml", text, strlen(text), 0, NULL, &m);
        if (status == ZW_OK) {
            status = zw_run_create(m, &r);
        }
        if (status == ZW_OK) {
            status = zw_run_advance(r, INT64_MAX);
        }
        assert_true(status == ZW_OK || status == ZW_E_MEMORY);
        zw_run_destroy(r);
        zw_model_destroy(m);
        zw_context_destroy(c);
        if (status == ZW_OK) {
            break;
        }
    }
    print_message("%d allocations failed in turn\n", tries);
    assert_true(tries > 50 && tries < 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_gradients_keep_the_identity_and_momenta),
        cmocka_unit_test(tangents_agree_with_differences),
        cmocka_unit_test(bodies_in_a_room_lose_energy_only),
        cmocka_unit_test(a_box_falls_and_rests),
        cmocka_unit_test(free_bodies_collide_and_keep_momenta),
        cmocka_unit_test(a_rod_is_whipped_against_walls),
        cmocka_unit_test(a_chain_falls_on_stairs),
        cmocka_unit_test(a_beam_rests_on_a_floor),
        cmocka_unit_test(what_is_not_there_is_refused_by_name),
        cmocka_unit_test(memory_that_runs_out_is_reported_wherever_it_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
