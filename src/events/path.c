/* SPDX-License-Identifier: Apache-2.0
 * path.c: the motion along a step: states between its ends, real ones to measure their distance from it, and polynomials through numbers of them, on each half of
 * the step in Bernstein form: over any part they lie between the control points of that part. */
#include "events/contacts.h"

#include "rows/feature.h"

#include <string.h>

/* values at 0 1/4 1/2 3/4 1 to Bernstein control points */
void zw_path_controls(const double f[5], double c[5]) {
    c[0] = f[0];
    c[1] = (-13.0 * f[0] + 48.0 * f[1] - 36.0 * f[2] + 16.0 * f[3] - 3.0 * f[4]) / 12.0;
    c[2] = (13.0 * f[0] - 64.0 * f[1] + 120.0 * f[2] - 64.0 * f[3] + 13.0 * f[4]) / 18.0;
    c[3] = (-3.0 * f[0] + 16.0 * f[1] - 36.0 * f[2] + 48.0 * f[3] - 13.0 * f[4]) / 12.0;
    c[4] = f[4];
}

/* control points of the part [a, b] of a piece */
void zw_path_part(const double *c, double a, double b, double out[ZW_PATH_ORDER + 1]) {
    double left[ZW_PATH_ORDER + 1], w = b < 1.0 ? b : 1.0, v = w > 0.0 ? a / w : 0.0;
    memcpy(out, c, sizeof(double) * (ZW_PATH_ORDER + 1));
    left[0] = out[0];
    for (int k = 1; k <= ZW_PATH_ORDER; k++) { /* [0, b] */
        for (int i = 0; i <= ZW_PATH_ORDER - k; i++) {
            out[i] += w * (out[i + 1] - out[i]);
        }
        left[k] = out[0];
    }
    memcpy(out, left, sizeof left);
    for (int k = 1; k <= ZW_PATH_ORDER && v > 0.0; k++) { /* and of that [v, 1] */
        for (int i = 0; i <= ZW_PATH_ORDER - k; i++) {
            out[i] += v * (out[i + 1] - out[i]);
        }
    }
}

double zw_path_value(const double *c, double u) {
    double p[ZW_PATH_ORDER + 1];
    memcpy(p, c, sizeof p);
    for (int k = 1; k <= ZW_PATH_ORDER; k++) {
        for (int i = 0; i <= ZW_PATH_ORDER - k; i++) {
            p[i] += u * (p[i + 1] - p[i]);
        }
    }
    return p[0];
}

zw_status zw_contacts_follow(zw_run *r, const zw_state *x0, const zw_state *x1) {
    zw_contacts *c = r->contacts;
    for (int k = 1; k < ZW_PATH_STATES - 1; k++) {
        r->ops->between(r->integrator, x0, x1, (double)k / (ZW_PATH_STATES - 1), &c->along[k - 1]);
        c->path_of[k] = &c->along[k - 1];
    }
    c->path_of[0] = x0;
    c->path_of[ZW_PATH_STATES - 1] = x1;
    c->measured = false;
    for (int i = 0; i < c->n; i++) {
        zw_side *s = c->side[i];
        if (s->kind->angle != NULL) {
            s->anchor = c->memory[i].anchor;
            ZW_TRY(s->kind->angle(s, r->system, x0, &c->memory[i].anchor));
            s->anchor = c->memory[i].anchor;
        }
    }
    return ZW_OK;
}

zw_status zw_contacts_measure(zw_run *r, const zw_state *x0, double h) {
    zw_contacts *c = r->contacts;
    for (int half = 0; half < 2 && !c->measured; half++) {
        ZW_TRY(zw_contacts_restep(r, x0, (0.25 + 0.5 * half) * h, &c->real[half]));
    }
    c->measured = true;
    return ZW_OK;
}

void zw_path_align(const zw_side *s, const double *before, double *z) {
    for (int m = 0; m < 2 && s->pair >= 0; m++) {
        const double *p = before + ZW_MOVER_NUMBERS * (ptrdiff_t)m + 3;
        double       *q = z + ZW_MOVER_NUMBERS * (ptrdiff_t)m + 3;
        if (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0.0) {
            for (int i = 0; i < 4; i++) {
                q[i] = -q[i];
            }
        }
    }
}
