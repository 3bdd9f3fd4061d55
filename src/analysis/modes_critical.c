/* SPDX-License-Identifier: Apache-2.0
 * modes_critical.c: the first value of a parameter where a root gets a positive growth.
 *
 * The range is looked at in steps, the first step with a change is halved, and then the value is found from a function that is smooth through it:
 *   divergence              the smallest eigenvalue of K y = lambda M y (damping and gyroscopic terms do not matter where s = 0)
 *   flutter with damping    the growth of the root
 *   flutter without         two frequencies meet; growth^2 is smooth, where it is above 0: it is extrapolated to 0 from that side
 * Where two planes of a beam have the same roots, or roots are near each other by chance, all of these stay what they are. */
#include "analysis/modes.h"

#include "base/number.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { STEPS = 32, HALVINGS = 9, POINTS = 5, ROUNDS = 40, PACE_ROUNDS = 10 };
#define GROWS 1e-6 /* over the size of the root: round-off of a double root is its square root */

typedef struct look {
    double       value;
    zw_stability kind;
    zw_root      worst;
} look;

const zw_root *zw_modes_unstable(const zw_spectrum *s, bool damped) {
    const zw_root *worst = NULL;
    for (int i = 0; i < s->nroots; i++) {
        const zw_root *r = &s->root[i];
        double         size = hypot(r->growth, r->frequency);
        if (!r->zero && r->growth > (damped ? 1e-9 : GROWS) * size && (worst == NULL || r->growth > worst->growth)) {
            worst = r;
        }
    }
    return worst;
}

static zw_status spectrum_at(zw_modes_search *s, double value, bool without_rates, bool *dissipates, zw_spectrum *out) {
    zw_pencil p = {0};
    if (zw_context_cancelled(s->vary.c)) {
        return ZW_E_CANCELLED;
    }
    ZW_TRY(zw_vary_set(&s->vary, value));
    ZW_TRY(zw_modes_admit(s));
    ZW_TRY(zw_modes_place(s));
    ZW_TRY(zw_modes_pencil(s, &p));
    *dissipates = p.dissipates;
    p.rates = p.rates && !without_rates;
    zw_status status = zw_spectrum_find(&p, s->def->count, ZW_SPECTRUM_AUTO, out);
    zw_pencil_destroy(&p);
    s->done++;
    if (s->progress != NULL) {
        s->progress(s->user, s->done < s->of ? s->done : s->of, s->of, value);
    }
    return status;
}

static zw_status look_at(zw_modes_search *s, double value, bool *dissipates, look *out) {
    zw_spectrum spectrum = {0};
    *out = (look){.value = value};
    ZW_TRY(spectrum_at(s, value, false, dissipates, &spectrum));
    const zw_root *worst = zw_modes_unstable(&spectrum, *dissipates);
    if (worst != NULL) {
        out->worst = *worst;
        out->kind = worst->frequency > 0.0 ? ZW_FLUTTER : ZW_DIVERGENCE;
    }
    zw_spectrum_destroy(&spectrum);
    return ZW_OK;
}

/* ---- divergence */

/* smallest lambda, without as many of those nearest to 0 as there are free motions */
static zw_status softest(zw_modes_search *s, double value, int nfree, double *out) {
    zw_spectrum spectrum = {0};
    bool        dissipates;
    ZW_TRY(spectrum_at(s, value, true, &dissipates, &spectrum));
    for (int skip = 0; skip < nfree; skip++) {
        int    least = -1;
        double size = HUGE_VAL;
        for (int i = 0; i < spectrum.nroots; i++) {
            double here = hypot(spectrum.root[i].growth, spectrum.root[i].frequency);
            if (spectrum.root[i].shape >= 0 && here < size) {
                size = here;
                least = i;
            }
        }
        if (least >= 0) {
            spectrum.root[least].shape = -1;
        }
    }
    *out = HUGE_VAL;
    for (int i = 0; i < spectrum.nroots; i++) {
        const zw_root *r = &spectrum.root[i];
        if (r->shape >= 0 && (r->frequency == 0.0 || r->growth == 0.0)) {
            *out = fmin(*out, r->frequency * r->frequency - r->growth * r->growth);
        }
    }
    zw_spectrum_destroy(&spectrum);
    return ZW_OK;
}

typedef zw_status (*curve)(zw_modes_search *s, double value, const void *data, double *out);

/* a zero between a (f > 0) and b (f < 0): the Illinois rule */
static zw_status zero_between(zw_modes_search *s, curve f, const void *data, double a, double b, double *out) {
    double fa, fb;
    int    side = 0;
    ZW_TRY(f(s, a, data, &fa));
    ZW_TRY(f(s, b, data, &fb));
    if (!(fa > 0.0) || !(fb < 0.0) || !isfinite(fa)) {
        *out = 0.5 * (a + b);
        return ZW_OK; /* halved to where it is as good as it gets */
    }
    double scale = fmax(fa, -fb);
    for (int round = 0; round < ROUNDS && fabs(b - a) > 1e-13 * fmax(fabs(a), fabs(b)); round++) {
        double c = b - fb * (b - a) / (fb - fa), fc;
        ZW_TRY(f(s, c, data, &fc));
        *out = c;
        if (fabs(fc) <= 1e-14 * scale || c == a || c == b) {
            return ZW_OK;
        }
        if (fc > 0.0) {
            a = c;
            fa = fc;
            fb *= side == 1 ? 0.5 : 1.0;
            side = 1;
        } else {
            b = c;
            fb = fc;
            fa *= side == -1 ? 0.5 : 1.0;
            side = -1;
        }
    }
    *out = 0.5 * (a + b);
    return ZW_OK;
}

static zw_status softness(zw_modes_search *s, double value, const void *data, double *out) {
    return softest(s, value, *(const int *)data, out);
}

/* ---- flutter */

/* minus the growth of the root nearest to a given one */
static zw_status decay(zw_modes_search *s, double value, const void *data, double *out) {
    const zw_root *near = data;
    zw_spectrum    spectrum = {0};
    bool           dissipates;
    double         least = HUGE_VAL;
    ZW_TRY(spectrum_at(s, value, false, &dissipates, &spectrum));
    for (int i = 0; i < spectrum.nroots; i++) {
        const zw_root *r = &spectrum.root[i];
        double         apart = hypot(r->growth - near->growth, r->frequency - near->frequency);
        if (!r->zero && apart < least) {
            least = apart;
            *out = -r->growth;
        }
    }
    zw_spectrum_destroy(&spectrum);
    return ZW_OK;
}

/* y at x = 0 of the polynomial through the points */
static double through(int n, const double *x, const double *y) {
    double p[POINTS];
    memcpy(p, y, sizeof(double) * (size_t)n);
    for (int k = 1; k < n; k++) {
        for (int i = 0; i + k < n; i++) {
            p[i] = (x[i + k] * p[i] - x[i] * p[i + 1]) / (x[i + k] - x[i]);
        }
    }
    return p[0];
}

/* a: without, b: with flutter */
static zw_status coalescence(zw_modes_search *s, double a, look b, zw_modes_critical *out) {
    double square[POINTS] = {0}, value[POINTS] = {0}, omega[POINTS] = {0}, last = HUGE_VAL;
    int    n = 0;
    for (int round = 0; round < PACE_ROUNDS; round++) {
        if (n == POINTS) { /* the farthest is left behind */
            memmove(square, square + 1, sizeof(double) * (POINTS - 1));
            memmove(value, value + 1, sizeof(double) * (POINTS - 1));
            memmove(omega, omega + 1, sizeof(double) * (POINTS - 1));
            n--;
        }
        square[n] = b.worst.growth * b.worst.growth;
        value[n] = b.value;
        omega[n] = b.worst.frequency * b.worst.frequency;
        n++;
        double guess = n > 1 ? through(n, square, value) : a, next;
        if ((guess - a) * (b.value - a) < 0.0 || fabs(guess - a) > fabs(b.value - a)) {
            guess = a; /* not there: it stays between */
        }
        out->value = guess;
        out->frequency = sqrt(fmax(0.0, n > 1 ? through(n, square, omega) : omega[0]));
        if (n > 2 && fabs(guess - last) <= 3e-13 * fmax(fabs(guess), fabs(b.value))) {
            return ZW_OK;
        }
        last = guess;
        bool dissipates, found = false;
        look c = {0};
        next = guess + (n > 1 ? 0.3 : 0.5) * (b.value - guess);
        for (int tries = 0; tries < 4 && !found; tries++) { /* noise may hide a growth near to the double root */
            ZW_TRY(look_at(s, next, &dissipates, &c));
            found = c.kind == ZW_FLUTTER;
            if (!found) {
                a = fabs(next - b.value) < fabs(a - b.value) ? next : a;
                next += 0.5 * (b.value - next);
            }
        }
        if (!found) {
            return ZW_OK;
        }
        b = c;
    }
    return ZW_OK;
}

zw_status zw_modes_critical_find(zw_modes_search *s, zw_modes_critical *out) {
    const zw_model *m = s->vary.given;
    look            a, b = {0};
    bool            dissipates;
    out->sought = true;
    out->parameter = s->def->critical;
    if (s->def->from.node != 0) {
        ZW_TRY(zw_model_constant(m, s->def->from, "modes.from", &out->from));
    }
    ZW_TRY(zw_model_constant(m, s->def->to, "modes.to", &out->to));
    s->done = 0;
    s->of = STEPS + HALVINGS + 10;
    ZW_TRY(look_at(s, out->from, &dissipates, &a));
    if (a.kind != ZW_STABLE) {
        out->unstable_at_from = true;
        out->kind = a.kind;
        out->frequency = a.worst.frequency;
        out->value = out->from;
        return ZW_OK;
    }
    for (int i = 1; i <= STEPS; i++) {
        ZW_TRY(look_at(s, i == STEPS ? out->to : out->from + (out->to - out->from) * i / STEPS, &dissipates, &b));
        if (b.kind != ZW_STABLE) {
            break;
        }
        a = b;
    }
    if (b.kind == ZW_STABLE) {
        return ZW_OK;
    }
    for (int i = 0; i < HALVINGS; i++) {
        look c;
        ZW_TRY(look_at(s, 0.5 * (a.value + b.value), &dissipates, &c));
        if (c.kind == ZW_STABLE) {
            a = c;
        } else {
            b = c;
        }
    }
    out->found = true;
    out->kind = b.kind;
    if (b.kind == ZW_DIVERGENCE) {
        zw_spectrum spectrum = {0};
        bool        any;
        ZW_TRY(spectrum_at(s, a.value, true, &any, &spectrum));
        int nfree = spectrum.nfree;
        zw_spectrum_destroy(&spectrum);
        return zero_between(s, softness, &nfree, a.value, b.value, &out->value);
    }
    if (dissipates) {
        zw_root near = b.worst;
        near.growth = 0.0;
        ZW_TRY(zero_between(s, decay, &near, a.value, b.value, &out->value));
        out->frequency = near.frequency;
        zw_spectrum spectrum = {0};
        double      least = HUGE_VAL;
        ZW_TRY(spectrum_at(s, out->value, false, &dissipates, &spectrum));
        for (int i = 0; i < spectrum.nroots; i++) {
            double apart = hypot(spectrum.root[i].growth, spectrum.root[i].frequency - near.frequency);
            if (!spectrum.root[i].zero && apart < least) {
                least = apart;
                out->frequency = spectrum.root[i].frequency;
            }
        }
        zw_spectrum_destroy(&spectrum);
        return ZW_OK;
    }
    return coalescence(s, a.value, b, out);
}
