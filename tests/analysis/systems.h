/* SPDX-License-Identifier: Apache-2.0
 * systems.h: lagrangian models for tests: five nonholonomic systems of the literature, and as many random ones as wanted. */
#ifndef ZW_TESTS_SYSTEMS_H
#define ZW_TESTS_SYSTEMS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct named_system {
    const char *name, *text;
} named_system;

static const named_system literature[] = {
    {"Appell-Hamel machine",
     "zwang: 1\nbodies:\n  b:\n    lagrangian:\n      coordinates: [x, y, z]\n      kinetic: (xdot^2 + ydot^2 + zdot^2)/2\n"
     "      potential: 9.81*z\n      constraints: [xdot^2 + ydot^2 = 9/4*zdot^2]\n      start: {xdot: 0.3, ydot: 0.4, zdot: -1/3}\n"},
    {"constant speed",
     "zwang: 1\nbodies:\n  b:\n    lagrangian:\n      coordinates: [x, y, z]\n      kinetic: (xdot^2 + ydot^2 + zdot^2)/2\n"
     "      potential: 9.81*z\n      constraints: [xdot^2 + ydot^2 + zdot^2 = 4]\n      start: {xdot: sqrt(1.08), ydot: 0.6, zdot: 1.6}\n"},
    {"Chaplygin sleigh", "zwang: 1\nparameters: {m: 2, I: 0.5, a: 0.3}\nbodies:\n  b:\n    lagrangian:\n      coordinates: [x, y, theta]\n"
                         "      kinetic: I*thetadot^2/2 + m/2*((xdot - a*thetadot*sin(theta))^2 + (ydot + a*thetadot*cos(theta))^2)\n"
                         "      constraints: {blade: -xdot*sin(theta) + ydot*cos(theta) = 0}\n      start: {xdot: 0.4, thetadot: 1.5}\n"},
    {"rolling disk",
     "zwang: 1\nbodies:\n  b:\n    lagrangian:\n      coordinates: [x, y, psi, theta, phi]\n"
     "      kinetic: phidot^2/16 - phidot*psidot*sin(theta)/8 + 5*psidot^2*sin(theta)^2/32 + psidot^2/32 - psidot*xdot*sin(theta)*cos(psi)/2 - "
     "psidot*ydot*sin(psi)*sin(theta)/2 + 5*thetadot^2/32 - thetadot*xdot*sin(psi)*cos(theta)/2 + thetadot*ydot*cos(psi)*cos(theta)/2 + "
     "xdot^2/2 + ydot^2/2\n"
     "      potential: 9.81/2*cos(theta)\n      constraints: [xdot = phidot*cos(psi)/2, ydot = phidot*sin(psi)/2]\n"
     "      start: {theta: 0.1, xdot: 3, psidot: 0.2, thetadot: 0.1, phidot: 6}\n"},
    {"roller racer",
     "zwang: 1\nbodies:\n  b:\n    lagrangian:\n      coordinates: [x, y, theta, phi]\n"
     "      kinetic: xdot^2 + ydot^2 + 3*thetadot^2/20 + (phidot + thetadot)^2/40\n      forces: {phi: cos(2*t)/10 - phi/2}\n"
     "      constraints:\n        - -xdot*sin(theta) + ydot*cos(theta) = 0\n"
     "        - 0.3*phidot + thetadot*cos(phi)/2 + 0.3*thetadot - xdot*sin(phi + theta) + ydot*cos(phi + theta) = 0\n"
     "      start: {phi: 0.3, xdot: 0.3, thetadot: 0.11400242020714551}\n"},
};
enum { LITERATURE = sizeof literature / sizeof literature[0] };

typedef struct writer {
    char    *text;
    size_t   room, used;
    uint64_t seed;
} writer;

static inline void put(writer *w, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(w->text + w->used, w->room - w->used, format, list);
    va_end(list);
    w->used += n > 0 && (size_t)n < w->room - w->used ? (size_t)n : 0;
}

static inline int pick(writer *w, int n) { /* 0 .. n-1 */
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 7;
    w->seed ^= w->seed << 17;
    return (int)((w->seed >> 33) % (uint64_t)n);
}

static inline double number(writer *w) { /* 0.2 .. 1.2 with either sign, two digits */
    double x = 0.2 + 0.01 * pick(w, 101);
    return pick(w, 2) ? x : -x;
}

/* a smooth function of the coordinates, of size 1 */
static inline void put_function(writer *w, int n) {
    static const char *const shape[] = {"sin(%.2f + q%d)", "cos(%.2f*q%d)", "(%.2f + 0.2*q%d^2)", "exp(-(%.2f*q%d)^2)", "sin(%.2f*q%d*t)"};
    int                      kind = pick(w, 14) == 0 ? 4 : pick(w, 4);
    double                   c = number(w);
    switch (kind) {
    case 0: put(w, shape[0], c, pick(w, n)); break;
    case 1: put(w, shape[1], c, pick(w, n)); break;
    case 2: put(w, shape[2], c, pick(w, n)); break;
    case 3: put(w, shape[3], c, pick(w, n)); break;
    default: put(w, shape[4], c, pick(w, n)); break;
    }
}

/* T: a sum of n + 1 squares of combinations of velocities, the k-th of them with qkdot for sure: M is positive definite and depends on q */
static inline void put_kinetic(writer *w, int n) {
    put(w, "      kinetic: ");
    for (int k = 0; k <= n; k++) {
        put(w, "%s%.2f*(", k ? " + " : "", 0.5 + 0.01 * pick(w, 100));
        put(w, "%s*q%ddot", k < n ? "2.5" : "0.7", k % n);
        for (int terms = 1 + pick(w, 2); terms > 0; terms--) {
            put(w, " + %.2f*", number(w));
            put_function(w, n);
            put(w, "*q%ddot", pick(w, n));
        }
        put(w, ")^2");
    }
    put(w, "\n");
}

/* each has a coordinate of its own that it can be solved for: lead */
static inline void put_constraint(writer *w, int n, int kind, int lead) {
    put(w, "        - ");
    if (kind == 0) { /* linear in the velocities, now and then with a part of its own */
        put(w, "1.5*q%ddot", lead);
        for (int terms = 2; terms > 0; terms--) {
            put(w, " + %.2f*", number(w));
            put_function(w, n);
            put(w, "*q%ddot", pick(w, n));
        }
        put(w, pick(w, 2) ? " = 0\n" : " = 0.3*cos(t)\n");
    } else if (kind == 1) { /* nonlinear */
        put(w, "q%ddot^2", lead);
        for (int i = 0; i < n; i++) {
            put(w, " + %.2f*q%ddot^2", fabs(number(w)), i);
        }
        put(w, " + %.2f*q%ddot*q%ddot*", 0.2 * number(w), pick(w, n), pick(w, n));
        put_function(w, n);
        put(w, pick(w, 2) ? " = 2\n" : " = 2 + 0.3*sin(3*t)\n");
    } else { /* holonomic */
        put(w, "2*q%d + 0.4*", lead);
        put_function(w, n);
        put(w, " = %.2f", 0.1 * number(w));
        put(w, pick(w, 2) ? "\n" : " + 0.1*t^2\n");
    }
}

/* one of as many systems as there are numbers: 2 .. 6 coordinates, 1 .. 3 constraints */
static inline void write_random_system(int which, char *text, size_t room) {
    writer w = {.text = text, .room = room, .seed = 0x9e3779b97f4a7c15u * (uint64_t)(which + 1)};
    int    n = 2 + which % 5, most = n - 1 < 3 ? n - 1 : 3;
    for (int i = 0; i < 8; i++) {
        pick(&w, 2);
    }
    put(&w, "zwang: 1\nbodies:\n  b:\n    lagrangian:\n      coordinates: [");
    for (int i = 0; i < n; i++) {
        put(&w, "%sq%d", i ? ", " : "", i);
    }
    put(&w, "]\n");
    put_kinetic(&w, n);
    put(&w, "      potential: ");
    for (int i = 0; i < n; i++) {
        put(&w, "%s%.2f*q%d^2 + %.2f*", i ? " + " : "", fabs(number(&w)), i, number(&w));
        put_function(&w, n);
    }
    put(&w, "\n");
    if (pick(&w, 2)) {
        put(&w, "      dissipation: %.2f*q%ddot^2\n", fabs(number(&w)), pick(&w, n));
    }
    if (pick(&w, 2)) {
        put(&w, "      forces: {q%d: %.2f*cos(2*t) - %.2f*q%ddot*q%d}\n", pick(&w, n), number(&w), number(&w), pick(&w, n), pick(&w, n));
    }
    put(&w, "      constraints:\n");
    int count = 1 + pick(&w, most), first = pick(&w, n), nonlinear = 0;
    for (int i = 0; i < count; i++) {
        int kind = pick(&w, 3);
        kind = kind == 1 && nonlinear++ > 0 ? 0 : kind; /* two speeds prescribed at once have no common solution as a rule */
        put_constraint(&w, n, kind, (first + i) % n);
    }
    put(&w, "      start: {");
    for (int i = 0; i < n; i++) {
        put(&w, "%sq%d: %.2f, q%ddot: %.2f", i ? ", " : "", i, 0.3 * number(&w), i, 0.5 * number(&w));
    }
    put(&w, "}\n");
}

#endif
