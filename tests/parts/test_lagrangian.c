/* SPDX-License-Identifier: Apache-2.0
 * Systems written as a Lagrangian: equations of motion against differences of T and V, rates of rows, energy balance, quasi-velocities, places, the memory of
 * states, and references. */
#include "references/nonholonomic.h"
#include "support/lagrangian.h"

#define DISK_ENERGY                                                                                        \
    "      kinetic: phidot^2/16 - phidot*psidot*sin(theta)/8 + 5*psidot^2*sin(theta)^2/32 + psidot^2/32"   \
    " - psidot*xdot*sin(theta)*cos(psi)/2 - psidot*ydot*sin(psi)*sin(theta)/2 + 5*thetadot^2/32"           \
    " - thetadot*xdot*sin(psi)*cos(theta)/2 + thetadot*ydot*cos(psi)*cos(theta)/2 + xdot^2/2 + ydot^2/2\n" \
    "      potential: 981*cos(theta)/200\n"                                                                \
    "      constraints: [xdot = phidot*cos(psi)/2, ydot = phidot*sin(psi)/2]\n"
#define DISK       LAGRANGIAN "      coordinates: [x, y, psi, theta, phi]\n" DISK_ENERGY
#define DISK_START "      start: {theta: 0.1, psi: 0.3, xdot: 3, psidot: 0.2, thetadot: 0.1, phidot: 6}\n"

static const char disk[] = DISK DISK_START RUNS;
/* spin about the axes of the disk, slip along and across, with a part that is not linear */
static const char disk_frame[] =
    DISK "      velocities: {along: xdot*cos(psi) + ydot*sin(psi), across: ydot*cos(psi) - xdot*sin(psi) + 0.3*theta,"
         " w1: psidot*cos(theta), w2: thetadot, w3: phidot - psidot*sin(theta)}\n" DISK_START RUNS;

/* ---- equations of motion */

static double value_T(lone *b, const zw_state *x, int i) {
    (void)i;
    return zw_lagrangian_at(b->L, x)->T;
}

static double value_V(lone *b, const zw_state *x, int i) {
    (void)i;
    return zw_lagrangian_at(b->L, x)->potential;
}

static double value_R(lone *b, const zw_state *x, int i) {
    (void)i;
    return lone_node(b, b->L->equations.R, x);
}

static double momentum(lone *b, const zw_state *x, int i) { /* dT/dv_i by differences */
    double e[MOST] = {0};
    e[i] = 1.0;
    return lone_slope(b, x, 0.0, NULL, e, 0.06, value_T, 0);
}

static void accelerations_obey_lagrange_with_differences_of_the_energies(void **state) {
    static const char *const models[] = {rich, pendulum, disk};
    (void)state;
    for (int m = 0; m < 3; m++) {
        lone     b;
        uint64_t seed = 5;
        double   most = 0.0;
        lone_open(&b, models[m]);
        for (int trial = 0; trial < 3; trial++) {
            double a[MOST];
            lone_shake(&b, 0.5, &seed);
            for (int i = 0; i < b.n; i++) {
                a[i] = 2.0 * noise(&seed);
            }
            for (int i = 0; i < b.n; i++) {
                double e[MOST] = {0};
                e[i] = 1.0;
                double residual = lone_slope(&b, &b.x, 1.0, b.v, a, 0.02, momentum, i) -
                                  lone_slope(&b, &b.x, 0.0, e, NULL, 0.03, value_T, 0) +
                                  lone_slope(&b, &b.x, 0.0, e, NULL, 0.03, value_V, 0) +
                                  lone_slope(&b, &b.x, 0.0, NULL, e, 1e-3, value_R, 0) - lone_node(&b, b.L->equations.Q[i], &b.x);
                const zw_lagrangian_look *k = zw_lagrangian_at(b.L, &b.x);
                double                    ours = k->c[i] - k->F[i];
                for (int j = 0; j < b.n; j++) {
                    ours += k->M[b.n * i + j] * a[j];
                    assert_true(k->M[b.n * i + j] == k->M[b.n * j + i]);
                }
                most = fmax(most, fabs(ours - residual));
            }
        }
        check_below(most, 2e-11, 3.5e-12);
        lone_close(&b);
    }
}

static double first(lone *b, const zw_state *x, int i) {
    return zw_lagrangian_at(b->L, x)->first[i];
}

static double value(lone *b, const zw_state *x, int i) {
    return zw_lagrangian_at(b->L, x)->value[i];
}

static void equations_have_the_slopes_and_rates_of_differences(void **state) {
    static const char *const models[] = {rich, disk, sled, disk_frame, sled_frame};
    (void)state;
    for (int m = 0; m < 5; m++) {
        lone     b;
        uint64_t seed = 77;
        double   slopes = 0.0, rates = 0.0, firsts = 0.0;
        lone_open(&b, models[m]);
        for (int trial = 0; trial < 4; trial++) {
            lone_shake(&b, 0.4, &seed);
            zw_lagrangian_look kept = *zw_lagrangian_at(b.L, &b.x);
            double             A[3 * MOST], D[3], qdot[MOST], F[3];
            memcpy(A, kept.A, sizeof(double) * (size_t)(b.m * b.n));
            memcpy(D, kept.D, sizeof(double) * (size_t)b.m);
            memcpy(F, kept.first, sizeof(double) * (size_t)b.m);
            memcpy(qdot, kept.qdot, sizeof(double) * (size_t)b.n);
            for (int i = 0; i < b.m; i++) {
                rates = fmax(rates, fabs(D[i] - lone_slope(&b, &b.x, 1.0, qdot, NULL, 0.01, first, i)));
                if (b.L->equations.holonomic[i]) {
                    firsts = fmax(firsts, fabs(F[i] - lone_slope(&b, &b.x, 1.0, qdot, NULL, 0.01, value, i)));
                }
                for (int j = 0; j < b.n; j++) {
                    double e[MOST] = {0};
                    e[j] = 1.0;
                    slopes = fmax(slopes, fabs(A[b.n * i + j] - lone_slope(&b, &b.x, 0.0, NULL, e, 0.01, first, i)));
                }
            }
        }
        check_below(slopes, 1e-12, 3.6e-14);
        check_below(rates, 2e-12, 7.6e-14);
        check_below(firsts, 1e-12, 2.0e-14);
        lone_close(&b);
    }
}

static double energy(lone *b, const zw_state *x, int i) {
    const zw_lagrangian_look *k = zw_lagrangian_at(b->L, x);
    (void)i;
    return k->energy + k->potential;
}

static void energy_grows_by_work_less_dissipation_and_what_the_rows_do(void **state) {
    static const char *const models[] = {rich, pendulum, disk, sled, disk_frame, sled_frame};
    (void)state;
    for (int m = 0; m < 6; m++) {
        lone     b;
        uint64_t seed = 31;
        double   most = 0.0;
        lone_open(&b, models[m]);
        for (int trial = 0; trial < 4; trial++) {
            double a[MOST], lambda[3], qdot[MOST], work, dissipated;
            int    rows = m == 0 ? 2 : b.m; /* three on three coordinates leave no motion */
            lone_shake(&b, 0.4, &seed);
            const zw_lagrangian_look *k = zw_lagrangian_at(b.L, &b.x);
            lone_solve(k, b.n, rows, a, lambda);
            memcpy(qdot, k->qdot, sizeof(double) * (size_t)b.n);
            zw_lagrangian_ops.power(b.L, &b.x, &work, &dissipated);
            double power = work - dissipated;
            for (int i = 0; i < rows; i++) {
                const double *A = b.L->memo->record[b.L->memo->last].motion + b.n * b.n + 2 * b.n; /* in qdot */
                for (int j = 0; j < b.n; j++) {
                    power += lambda[i] * A[b.n * i + j] * qdot[j];
                }
            }
            most = fmax(most, fabs(power - lone_slope(&b, &b.x, 1.0, qdot, a, 0.01, energy, 0)));
        }
        check_below(most, 5e-11, 3.6e-12);
        lone_close(&b);
    }
}

/* ---- memory of states */

static void many_states_at_once_have_the_bits_of_one_at_a_time(void **state) {
    static const char *const models[] = {rich, disk, disk_frame, pendulum};
    (void)state;
    for (int m = 0; m < 4; m++) {
        for (int count = 1; count <= 8; count++) {
            lone     b, c;
            uint64_t seed = 9;
            double   q[8][MOST], v[8][MOST];
            zw_state x[8];
            lone_open(&b, models[m]);
            lone_open(&c, models[m]);
            b.L->memo->wants_points = b.L->def->npoints > 0;
            for (int i = 0; i < count; i++) {
                lone_shake(&b, 0.3, &seed);
                memcpy(q[i], b.q, sizeof b.q);
                memcpy(v[i], b.v, sizeof b.v);
                x[i] = (zw_state){.t = b.x.t, .q = q[i], .v = v[i]};
            }
            zw_lagrangian_ops.foresee(b.L, count, x);
            for (int i = 0; i < count; i++) {
                zw_lagrangian_record *one = zw_lagrangian_record_at(b.L, &x[i]), *two = zw_lagrangian_record_at(c.L, &x[i]);
                assert_int_equal(one->has_motion, count >= 3);
                const zw_lagrangian_look *k = zw_lagrangian_motion_at(b.L, &x[i]), *l = zw_lagrangian_motion_at(c.L, &x[i]);
                assert_true(k->finite && l->finite);
                assert_memory_equal(one->motion, two->motion, sizeof(double) * (size_t)b.L->tape_motion.roots);
                assert_memory_equal(k->M, l->M, sizeof(double) * (size_t)(b.n * b.n));
                assert_memory_equal(k->c, l->c, sizeof(double) * (size_t)b.n);
                if (b.m > 0) {
                    assert_memory_equal(k->A, l->A, sizeof(double) * (size_t)(b.m * b.n));
                    assert_memory_equal(k->D, l->D, sizeof(double) * (size_t)b.m);
                }
                if (b.L->def->npoints > 0) {
                    assert_memory_equal(zw_lagrangian_points_at(b.L, one), zw_lagrangian_points_at(c.L, two),
                                        sizeof(double) * (size_t)b.L->tape_point.roots);
                }
            }
            lone_close(&b);
            lone_close(&c);
        }
    }
}

/* the same arrays with other contents are another state, the same contents elsewhere the same one */
static void states_are_known_by_their_contents(void **state) {
    lone     b;
    uint64_t seed = 2;
    double   q[MOST], v[MOST], kept[MOST];
    (void)state;
    lone_open(&b, rich);
    const zw_lagrangian_look *k = zw_lagrangian_at(b.L, &b.x);
    memcpy(kept, k->F, sizeof(double) * (size_t)b.n);
    memcpy(q, b.q, sizeof q);
    memcpy(v, b.v, sizeof v);
    zw_state again = {.t = b.x.t, .q = q, .v = v};
    assert_ptr_equal(zw_lagrangian_at(b.L, &again), k);
    b.x.t += 0.25;
    assert_ptr_not_equal(zw_lagrangian_at(b.L, &b.x), k);
    b.x.t -= 0.25;
    b.v[2] = nextafter(b.v[2], 2.0);
    assert_ptr_not_equal(zw_lagrangian_at(b.L, &b.x), k);
    b.q[0] += 0.5;
    assert_true(zw_lagrangian_at(b.L, &b.x)->F[0] != kept[0]);
    for (int i = 0; i < 4; i++) { /* with those above seven others: it is still there */
        lone_shake(&b, 0.1, &seed);
        zw_lagrangian_at(b.L, &b.x);
    }
    assert_ptr_equal(zw_lagrangian_at(b.L, &again), k);
    assert_memory_equal(k->F, kept, sizeof(double) * (size_t)b.n);
    for (int i = 0; i < 40; i++) {
        lone_shake(&b, 0.1, &seed);
        zw_lagrangian_at(b.L, &b.x);
    }
    assert_memory_equal(zw_lagrangian_at(b.L, &again)->F, kept, sizeof(double) * (size_t)b.n);
    lone_close(&b);
}

/* ---- quasi-velocities */

static void moving_frames_give_the_same_accelerations(void **state) {
    static const char *const models[][2] = {{disk, disk_frame}, {sled, sled_frame}};
    (void)state;
    for (int m = 0; m < 2; m++) {
        lone     b, c;
        uint64_t seed = 21;
        double   most = 0.0, multipliers = 0.0;
        lone_open(&b, models[m][0]);
        lone_open(&c, models[m][1]);
        for (int trial = 0; trial < 10; trial++) {
            double a[MOST], udot[MOST], lambda[3], mu[3];
            lone_shake(&c, 0.4, &seed);
            b.x.t = c.x.t;
            const zw_lagrangian_look *k = zw_lagrangian_at(c.L, &c.x);
            memcpy(b.q, c.q, sizeof b.q);
            memcpy(b.v, k->qdot, sizeof(double) * (size_t)b.n);
            lone_solve(k, c.n, c.m, udot, mu);
            zw_lagrangian_record *r = zw_lagrangian_record_at(c.L, &c.x);
            const double         *rate = r->motion + c.n * c.n + 2 * c.n + c.m * (c.n + 3); /* of u at qddot = 0 */
            lone_solve(zw_lagrangian_at(b.L, &b.x), b.n, b.m, a, lambda);
            for (int i = 0; i < b.n; i++) {
                double mapped = 0.0; /* qddot = W (udot - rate) */
                for (int j = 0; j < b.n; j++) {
                    mapped += r->W[b.n * i + j] * (udot[j] - rate[j]);
                }
                most = fmax(most, fabs(mapped - a[i]));
            }
            for (int i = 0; i < b.m; i++) {
                multipliers = fmax(multipliers, fabs(lambda[i] - mu[i]));
                check_near(k->first[i], zw_lagrangian_at(b.L, &b.x)->first[i], 0.0);
            }
            check_near(k->energy, zw_lagrangian_at(b.L, &b.x)->energy, 0.0);
        }
        check_below(most, 2e-13, 8.0e-15);
        check_below(multipliers, 5e-14, 8.9e-16);
        lone_close(&b);
        lone_close(&c);
    }
}

static void charts_move_with_the_velocity(void **state) {
    lone     b;
    uint64_t seed = 4;
    double   most = 0.0;
    (void)state;
    lone_open(&b, disk_frame);
    for (int trial = 0; trial < 4; trial++) {
        double dv[MOST], q[MOST], rate[MOST], slope[MOST] = {0};
        lone_shake(&b, 0.3, &seed);
        for (int i = 0; i < b.n; i++) {
            dv[i] = 0.2 * noise(&seed);
        }
        zw_lagrangian_ops.retract(b.L, b.q, dv, q);
        zw_lagrangian_quasi_ops.chart_rate(b.L, b.q, dv, q, b.v, rate);
        for (int k = 1; k <= 4; k++) {
            for (int side = -1; side <= 1; side += 2) {
                double moved[MOST], at[MOST];
                for (int i = 0; i < b.n; i++) {
                    moved[i] = dv[i] + side * k * 0.01 * rate[i];
                }
                zw_lagrangian_ops.retract(b.L, b.q, moved, at);
                for (int i = 0; i < b.n; i++) {
                    slope[i] += side * difference8[k - 1] * at[i] / 0.01;
                }
            }
        }
        zw_state x = {.t = 0.0, .q = q, .v = b.v};
        most = fmax(most, largest_difference(b.n, slope, zw_lagrangian_at(b.L, &x)->qdot));
    }
    check_below(most, 2e-13, 7.1e-15);
    lone_close(&b);
}

static void starts_are_given_in_either_kind_of_velocity(void **state) {
    lone   b;
    double value_of;
    (void)state;
    lone_open(&b, disk_frame);
    const zw_lagrangian_def *def = b.L->def;
    assert_true(zw_lagrangian_input(b.L, &b.x, def->slot_v[0], &value_of));
    check_near(value_of, 3.0, 1e-15); /* measured 0 */
    assert_true(zw_lagrangian_input(b.L, &b.x, def->slot_v[4], &value_of));
    check_near(value_of, 6.0, 1e-15); /* measured 0 */
    assert_true(zw_lagrangian_input(b.L, &b.x, def->slot_u[1], &value_of));
    check_near(value_of, 0.03 - 3.0 * sin(0.3), 1e-15); /* measured 0 */
    assert_true(zw_lagrangian_input(b.L, &b.x, def->slot_q[3], &value_of));
    assert_true(value_of == 0.1);
    assert_false(zw_lagrangian_input(b.L, &b.x, b.f.m->slot_t, &value_of));
    lone_close(&b);
    lone_open(&b, sled_frame);
    assert_true(b.v[0] == 0.37 && b.v[1] == 0.11 && b.v[2] == 1.5 && b.q[2] == 0.7);
    lone_close(&b);
}

/* ---- places */

static double coordinate_of_point(lone *b, const zw_state *x, int i) {
    zw_place p;
    zw_frame F;
    assert_true(zw_lagrangian_ops.place(b->L, 0, (double[3]){0.0}, &p));
    zw_lagrangian_ops.frame(b->L, x, &p, &F, NULL);
    return i < 3 ? F.r[i] : F.R[i - 3];
}

static void frames_move_as_differences_of_their_places_say(void **state) {
    static const char *const models[] = {rich, sled_frame};
    (void)state;
    for (int m = 0; m < 2; m++) {
        lone     b;
        uint64_t seed = 8;
        double   speeds = 0.0, spins = 0.0, jets = 0.0;
        zw_place p;
        lone_open(&b, models[m]);
        assert_true(zw_lagrangian_ops.place(b.L, 0, (double[3]){0.0}, &p));
        assert_true(p.turns);
        for (int trial = 0; trial < 4; trial++) {
            zw_frame F, still;
            zw_jet   J;
            double   qdot[MOST], R[9], spin[9], zero[MOST] = {0};
            lone_shake(&b, 0.4, &seed);
            zw_lagrangian_ops.frame(b.L, &b.x, &p, &F, &J);
            memcpy(qdot, zw_lagrangian_at(b.L, &b.x)->qdot, sizeof(double) * (size_t)b.n);
            for (int i = 0; i < 3; i++) {
                speeds = fmax(speeds, fabs(F.v[i] - lone_slope(&b, &b.x, 1.0, qdot, NULL, 0.01, coordinate_of_point, i)));
            }
            for (int i = 0; i < 9; i++) {
                R[i] = lone_slope(&b, &b.x, 1.0, qdot, NULL, 0.01, coordinate_of_point, 3 + i);
            }
            zw_m3_mult(spin, R, F.R); /* hat(w) */
            spins = fmax(spins, fabs(spin[7] - F.w[0]) + fabs(spin[2] - F.w[1]) + fabs(spin[3] - F.w[2]));
            zw_state rest = {.t = b.x.t, .q = b.q, .v = zero};
            zw_lagrangian_ops.frame(b.L, &rest, &p, &still, NULL);
            for (int i = 0; i < 6; i++) {
                double sum = i < 3 ? still.w[i] : still.v[i - 3];
                for (int n = 0; n < J.nblocks; n++) {
                    assert_in_range(J.ncol[n], 1, 6);
                    for (int k = 0; k < J.ncol[n]; k++) {
                        sum += J.J[n][6 * i + k] * b.v[J.col[n] + k];
                    }
                }
                jets = fmax(jets, fabs(sum - (i < 3 ? F.w[i] : F.v[i - 3])));
            }
        }
        check_below(speeds, 5e-13, 1.9e-14);
        check_below(spins, 5e-13, 2.3e-14);
        check_below(jets, 1e-14, 2.2e-16);
        if (m == 0) {
            zw_frame F;
            zw_jet   J;
            assert_true(zw_lagrangian_ops.place(b.L, 0, (double[3]){1.0}, &p));
            assert_false(p.turns);
            zw_lagrangian_ops.frame(b.L, &b.x, &p, &F, &J);
            assert_int_equal(J.nblocks, 1);
            assert_int_equal(J.ncol[0], 1);
            assert_true(F.R[0] == 1.0 && F.R[1] == 0.0 && F.w[2] == 0.0);
        }
        assert_false(zw_lagrangian_ops.place(b.L, 0, (double[3]){-1.0}, &p));
        assert_false(zw_lagrangian_ops.place(b.L, 0, (double[3]){2.0}, &p));
        assert_int_equal(zw_lagrangian_ops.stations(b.L, 0, NULL, NULL, NULL), 0);
        lone_close(&b);
    }
}

static void particles_have_momentum_and_are_recorded(void **state) {
    lone       b;
    zw_channel channel;
    bool       constant;
    double     out[16];
    (void)state;
    lone_open(&b, pendulum);
    b.x.t = 0.5;
    zw_account a = {0};
    zw_lagrangian_ops.account(b.L, &b.x, &a);
    double va[3] = {cos(0.4), 0.3, sin(0.4)}, vb[3] = {cos(0.4) - 1.6 * cos(0.9), 0.1, sin(0.4) - 1.6 * sin(-0.9)};
    for (int i = 0; i < 3; i++) {
        check_near(a.momentum[i], 2.0 * va[i] + 1.5 * vb[i], 1e-14); /* measured 0 */
    }
    double T = zw_lagrangian_at(b.L, &b.x)->T;
    check_near(T, zw_v3_norm2(va) + 0.75 * zw_v3_norm2(vb), 1e-14); /* measured 0 */
    /* energy function: T2 - T0, as the motion along y is prescribed */
    check_near(a.kinetic, T - 2.0 * (0.09 + 0.75 * 0.01), 1e-14); /* measured 4.4e-16 */
    check_near(a.mass, 3.5, 0.0);
    double ra[3] = {sin(0.4), 0.15, -cos(0.4)}, rb[3] = {sin(0.4) - 0.8 * sin(0.9), 0.025, -cos(0.4) - 0.8 * cos(0.9)}, la[3], lb[3];
    zw_v3_cross(la, ra, va);
    zw_v3_cross(lb, rb, vb);
    for (int i = 0; i < 3; i++) {
        check_near(a.angular[i], 2.0 * la[i] + 1.5 * lb[i], 1e-14); /* measured 0 */
    }
    static const char *const name[] = {"coordinates", "velocities", "points"};
    for (int i = 0; i < 3; i++) {
        char full[64];
        snprintf(full, sizeof full, "lagrangian/sys/%s", name[i]);
        assert_true(zw_lagrangian_ops.field(b.L, i, &channel, &constant));
        assert_string_equal(channel.name, full);
        assert_int_equal(channel.count, i < 2 ? 2 : 6);
        assert_false(constant);
        zw_lagrangian_ops.observe(b.L, &b.x, i, out);
        check_array_near(out, i == 0 ? b.q : i == 1 ? b.v : ra, i < 2 ? 2 : 3, 1e-15); /* measured 0 */
    }
    check_array_near(out + 3, rb, 3, 1e-15); /* measured 0 */
    assert_false(zw_lagrangian_ops.field(b.L, 3, &channel, &constant));
    lone_close(&b);
    lone_open(&b, disk_frame);
    assert_true(zw_lagrangian_ops.field(b.L, 2, &channel, &constant));
    assert_string_equal(channel.name, "lagrangian/sys/quasi");
    zw_lagrangian_ops.observe(b.L, &b.x, 2, out);
    check_array_near(out, b.v, 5, 0.0);
    lone_close(&b);
}

/* ---- references */

static void accelerations_and_multipliers_are_those_of_the_references(void **state) {
    (void)state;
    for (int s = 0; s < NONHOLONOMIC_SYSTEMS; s++) {
        const nonholonomic_system *ref = &nonholonomic[s];
        char                       text[2000];
        lone                       b;
        double                     most = 0.0, multipliers = 0.0, energies = 0.0, residual = 0.0;
        snprintf(text, sizeof text, "%s%s%s", LAGRANGIAN, ref->body, RUNS);
        lone_open(&b, text);
        assert_int_equal(b.n, ref->n);
        assert_int_equal(b.m, ref->m);
        for (int i = 0; i < ref->nstates; i++) {
            const nonholonomic_state *at = &ref->state[i];
            double                    a[MOST], lambda[3];
            b.x.t = at->t;
            memcpy(b.q, at->q, sizeof at->q);
            memcpy(b.v, at->v, sizeof at->v);
            const zw_lagrangian_look *k = zw_lagrangian_at(b.L, &b.x);
            lone_solve(k, b.n, b.m, a, lambda);
            most = fmax(most, largest_difference(b.n, a, at->a) / largest(b.n, at->a));
            multipliers = fmax(multipliers, largest_difference(b.m, lambda, at->lambda) / largest(b.m, at->lambda));
            energies = fmax(energies, fabs(k->energy + k->potential - at->energy) / (k->energy + fabs(k->potential)));
            for (int r = 0; r < b.m; r++) {
                residual = fmax(residual, fabs(k->first[r]) / k->first_size[r]);
            }
        }
        print_message("%s: accelerations %.1e, multipliers %.1e, energy %.1e, |f| %.1e of its terms\n", ref->name, most, multipliers,
                      energies, residual);
        check_below(most, 5e-14, 2.8e-15);
        check_below(multipliers, 1e-14, 2.6e-16);
        check_below(energies, 1e-14, 4.5e-16);
        check_below(residual, 2e-15, 9.5e-17);
        lone_close(&b);
    }
}

/* sizes as one adds them up by hand */
static void sizes_of_equations_are_those_of_their_terms(void **state) {
    lone b;
    (void)state;
    lone_open(&b, rich);
    b.x.t = 0.5;
    double                    x = b.q[0], y = b.q[1], a = b.q[2], dx = b.v[0], dy = b.v[1], da = b.v[2];
    const zw_lagrangian_look *k = zw_lagrangian_at(b.L, &b.x);
    check_near(k->first_size[0], fabs(2 * x * dx) + fabs(2 * y * dy) + fabs(sin(0.5) * sin(a) * da) + fabs(cos(0.5) * cos(a)), 1e-15);
    check_near(k->first_size[1], fabs(dx * sin(a)) + fabs(dy * cos(a)) + fabs(0.05 * x), 1e-15);
    check_near(k->first_size[2], dx * dx + fabs(dy * dy * x) + fabs(1.25 * da), 1e-15);
    lone_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_obey_lagrange_with_differences_of_the_energies),
        cmocka_unit_test(equations_have_the_slopes_and_rates_of_differences),
        cmocka_unit_test(energy_grows_by_work_less_dissipation_and_what_the_rows_do),
        cmocka_unit_test(many_states_at_once_have_the_bits_of_one_at_a_time),
        cmocka_unit_test(states_are_known_by_their_contents),
        cmocka_unit_test(moving_frames_give_the_same_accelerations),
        cmocka_unit_test(charts_move_with_the_velocity),
        cmocka_unit_test(starts_are_given_in_either_kind_of_velocity),
        cmocka_unit_test(frames_move_as_differences_of_their_places_say),
        cmocka_unit_test(particles_have_momentum_and_are_recorded),
        cmocka_unit_test(accelerations_and_multipliers_are_those_of_the_references),
        cmocka_unit_test(sizes_of_equations_are_those_of_their_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
