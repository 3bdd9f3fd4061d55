/* SPDX-License-Identifier: Apache-2.0
 * turn.c: phi and chi by series for small z and in closed form elsewhere.
 *
 * With w = z/2:  phi = sum c_n w^n, c_n = c_(n-1) 2n/(2n+1);  z(2-z) = 4w(1-w), so chi = -1/4 sum (c_1 + .. + c_(n+1)) w^n.
 * With a = z(2-z):  phi' = (1 - (1-z) phi)/a,  phi'' = (phi - 3(1-z) phi')/a,  chi' = -(phi' + 2(1-z) chi)/a,
 *                   chi'' = (2 chi - phi'' - 4(1-z) chi')/a. These lose digits like 1/a^2, which is why the series go up to z = 0.4. */
#include "math/turn.h"

#include <math.h>

enum { TERMS = 34 }; /* of w <= 0.2: 0.2^25 below round-off, with room for the factors n^2 of second derivatives */

/* c_n, and -(c_1 + .. + c_(n+1))/4 */
static const double phi_series[TERMS] = {1.0,
                                         0.6666666666666666,
                                         0.5333333333333333,
                                         0.45714285714285713,
                                         0.40634920634920635,
                                         0.3694083694083694,
                                         0.340992340992341,
                                         0.31825951825951826,
                                         0.29953837012660545,
                                         0.2837731927515209,
                                         0.27026018357287707,
                                         0.25850974080883893,
                                         0.2481693511764854,
                                         0.23897789372550443,
                                         0.23073727670048705,
                                         0.2232941387424068,
                                         0.2165276496896066,
                                         0.21034114541276072,
                                         0.2046562495907942,
                                         0.1994086534474405,
                                         0.1945450277536005,
                                         0.19002072478258653,
                                         0.18579804200964017,
                                         0.1818448921796478,
                                         0.17813377193108357,
                                         0.17464095287361134,
                                         0.17134584055524132,
                                         0.16823046163605512,
                                         0.16527905002840504,
                                         0.1624777101974151,
                                         0.15981414117778536,
                                         0.15727740877813798,
                                         0.1548577563353974,
                                         0.15254644653934668};
static const double chi_series[TERMS] = {-0.16666666666666666, -0.3,
                                         -0.4142857142857143,  -0.5158730158730159,
                                         -0.6082251082251082,  -0.6934731934731935,
                                         -0.773038073038073,   -0.8479226655697244,
                                         -0.9188659637576047,  -0.9864310096508239,
                                         -1.0510584448530336,  -1.113100782647155,
                                         -1.1728452560785312,  -1.230529575253653,
                                         -1.2863531099392544,  -1.3404850223616562,
                                         -1.3930703087148464,  -1.444234371112545,
                                         -1.494086534474405,   -1.5427227914128052,
                                         -1.5902279726084518,  -1.636677483110862,
                                         -1.6821387061557738,  -1.7266721491385446,
                                         -1.7703323873569476,  -1.813168847495758,
                                         -1.8552264629047717,  -1.896546225411873,
                                         -1.9371656529612267,  -1.9771191882556731,
                                         -2.0164385404502077,  -2.055152979534057,
                                         -2.0932895911688933,  -2.1308734982872832};

/* how many terms w needs */
static int terms_for(double w) {
    return w <= 1e-4 ? 6 : w <= 2e-3 ? 8 : w <= 0.02 ? 12 : w <= 0.07 ? 18 : TERMS;
}

/* value and two derivatives in w of sum c[n] w^n */
static void horner(const double *c, int terms, double w, double out[3]) {
    double f = 0.0, f1 = 0.0, f2 = 0.0;
    for (int n = terms - 1; n >= 0; n--) {
        f2 = f2 * w + 2.0 * f1;
        f1 = f1 * w + f;
        f = f * w + c[n];
    }
    out[0] = f;
    out[1] = f1;
    out[2] = f2;
}

/* (p(w1) - p(w0))/(w1 - w0) and its derivative in w1: the quotient of p by w - w0, taken at w1 */
static void divided(const double *c, int terms, double w0, double w1, double *value, double *slope) {
    double q = 0.0, f = 0.0, f1 = 0.0;
    for (int n = terms - 1; n > 0; n--) {
        q = q * w0 + c[n];
        f1 = f1 * w1 + f;
        f = f * w1 + q;
    }
    *value = f;
    *slope = f1;
}

static void by_series(double z, zw_turn *out) {
    double f[3], w = 0.5 * z;
    int    terms = terms_for(w);
    horner(phi_series, terms, w, f);
    out->phi = f[0];
    out->phi1 = 0.5 * f[1];
    out->phi2 = 0.25 * f[2];
    horner(chi_series, terms, w, f);
    out->chi = f[0];
    out->chi1 = 0.5 * f[1];
    out->chi2 = 0.25 * f[2];
}

void zw_turn_at(double z, zw_turn *out) {
    if (z < 0.4) {
        by_series(z, out);
        return;
    }
    double a = z * (2.0 - z), c = 1.0 - z, sine = sqrt(a);
    out->phi = atan2(sine, c) / sine;
    out->phi1 = (1.0 - c * out->phi) / a;
    out->phi2 = (out->phi - 3.0 * c * out->phi1) / a;
    out->chi = (1.0 - out->phi) / a;
    out->chi1 = -(out->phi1 + 2.0 * c * out->chi) / a;
    out->chi2 = (2.0 * out->chi - out->phi2 - 4.0 * c * out->chi1) / a;
}

/* Where both are small, divided differences of the series are exact. Elsewhere the mean of f' over the way from z0 to z1 is the divided difference, the mean of f'' weighted by the way is its derivative. Six Gauss points are exact to
 * round-off where the way is short against the distance to the pole at 2. */
void zw_turn_between(double z0, double z1, const zw_turn *at0, const zw_turn *at1, zw_turn_secant *out) {
    static const double node[3] = {0.6612093864662645, 0.2386191860831969, 0.9324695142031521};
    static const double weight[3] = {0.3607615730481386, 0.4679139345726910, 0.1713244923791704};
    double              d = z1 - z0, nearest = 2.0 - fmax(z0, z1);
    if (fmax(z0, z1) < 0.4) {
        int terms = terms_for(0.5 * fmax(z0, z1));
        divided(phi_series, terms, 0.5 * z0, 0.5 * z1, &out->phi, &out->phi1);
        divided(chi_series, terms, 0.5 * z0, 0.5 * z1, &out->chi, &out->chi1);
        out->phi *= 0.5;
        out->chi *= 0.5;
        out->phi1 *= 0.25;
        out->chi1 *= 0.25;
        return;
    }
    if (fabs(d) > 0.05 * nearest) {
        out->phi = (at1->phi - at0->phi) / d;
        out->chi = (at1->chi - at0->chi) / d;
        out->phi1 = (at1->phi1 - out->phi) / d;
        out->chi1 = (at1->chi1 - out->chi) / d;
        return;
    }
    *out = (zw_turn_secant){0};
    for (int k = 0; k < 6; k++) {
        double  t = 0.5 + (k < 3 ? -0.5 : 0.5) * node[k % 3], w = 0.5 * weight[k % 3];
        zw_turn f;
        zw_turn_at(z0 + t * d, &f);
        out->phi += w * f.phi1;
        out->chi += w * f.chi1;
        out->phi1 += w * t * f.phi2;
        out->chi1 += w * t * f.chi2;
    }
}
