/* SPDX-License-Identifier: Apache-2.0
 * axis.c: ticks at k*step with step 1, 2 or 5 times a power of ten, k whole: labels are computed from k, so they carry no rounding. */
#include "record/axis.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

double zw_axis_round(double x) {
    double power = pow(10, floor(log10(x)));
    double m = x / power;
    return (m >= 5 * (1 - 1e-12) ? 5 : m >= 2 * (1 - 1e-12) ? 2 : 1) * power;
}

static void fit_log(zw_axis *a, double least, double most, int ticks) {
    a->lo = floor(log10(least) + 1e-9);
    a->hi = ceil(log10(most) - 1e-9);
    if (a->hi <= a->lo) {
        a->hi = a->lo + 1;
    }
    double every = ceil((a->hi - a->lo) / (ticks > 1 ? ticks : 1));
    every = every < 1 ? 1 : every;
    for (double e = ceil(a->lo / every) * every; e <= a->hi && a->nticks < ZW_AXIS_TICKS; e += every) {
        a->tick[a->nticks] = e;
        zw_svg_power((int)e, a->label[a->nticks++]);
    }
}

void zw_axis_fit(zw_axis *a, double least, double most, bool log, int ticks) {
    memset(a, 0, sizeof *a);
    a->log = log;
    if (log) {
        fit_log(a, least, most, ticks);
        return;
    }
    double largest = fmax(fabs(least), fabs(most));
    if (largest < 1e-300) { /* no round steps there are */
        least = most = largest = 0;
    } else if (largest > 1e300) {
        least = fmin(fmax(least, -1e300), 1e300);
        most = fmin(fmax(most, -1e300), 1e300);
        largest = 1e300;
    }
    if (!(most - least > 1e-12 * largest)) { /* constant but for round-off */
        double room = largest > 0 ? 0.5 * largest : 1;
        least -= room;
        most += room;
    }
    double want = (most - least) / ticks, step = zw_axis_round(want);
    if (want > step * 1.4) { /* the nearer of the round numbers around */
        step = zw_axis_round(step * 2.5000001);
    }
    double pad = 0.04 * (most - least);
    a->lo = least - pad;
    a->hi = most + pad;
    double k0 = ceil(a->lo / step), k1 = floor(a->hi / step);
    /* labels as k*step - offset, divided by a power of ten */
    double offset_k = 0;
    if (fmax(fabs(a->lo), fabs(a->hi)) > 1e4 * (a->hi - a->lo)) {
        offset_k = round((k0 + k1) / 20) * 10;
    }
    double shown = fmax(fabs(k0 - offset_k), fabs(k1 - offset_k)) * step;
    int    exponent = (int)floor(log10(shown) + 1e-9), power = 0;
    if (exponent >= 5 || exponent < -2) {
        power = 3 * (int)floor(exponent / 3.0);
    }
    double scale = pow(10, -power);
    for (double k = k0; k <= k1 && a->nticks < ZW_AXIS_TICKS; k++) {
        a->tick[a->nticks] = k * step;
        zw_svg_number((k - offset_k) * (step * scale), 6, a->label[a->nticks++]);
    }
    char text[ZW_SVG_NUMBER];
    if (power != 0) {
        strcat(a->note, "\xc3\x97");
        strcat(a->note, zw_svg_power(power, text));
    }
    if (offset_k != 0) {
        strcat(a->note, a->note[0] ? " + " : "+ ");
        strcat(a->note, zw_svg_number(offset_k * step, 15, text));
    }
}

double zw_axis_place(const zw_axis *a, double value) {
    double x = a->log ? (value > 0 ? log10(value) : NAN) : value;
    return (x - a->lo) / (a->hi - a->lo);
}
