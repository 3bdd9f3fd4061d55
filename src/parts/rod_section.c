/* SPDX-License-Identifier: Apache-2.0
 * rod_section.c: from a drawn section and a material to stiffness and inertia per length.
 *
 * Area A, second moments I1 (about d1) and I2 (about d2). As in the papers: bending E I, torsion G (I1 + I2), stretch E A, shear G A (no
 * shear factor, no warping), mass rho A, inertia rho (I1, I2, I1 + I2). Whoever wants St Venant's torsion or a shear factor
 * gives the section explicitly. */
#define _GNU_SOURCE /* M_PI */
#include "parts/rod_section.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

zw_status zw_rod_section_create(const zw_model *m, const zw_body_def *body, zw_rod_section *out) {
    const zw_rod_def      *rod = &body->rod;
    const zw_section_def  *d = &rod->section;
    const zw_material_def *mat = &rod->material;
    *out = (zw_rod_section){.model = m, .body = body};
    zw_status   status = ZW_OK;
    zw_quantity material[6] = {mat->density, mat->young, mat->poisson, mat->shear, mat->damping, rod->radius};
    double      missing[6] = {0, 0, 0, 0, 0, -1.0};
    ZW_TRY_GOTO(zw_field_create(m, 6, material, missing, &out->material), fail);
    if (d->kind == ZW_SECTION_MATRIX) {
        ZW_TRY_GOTO(zw_field_create(m, 36, d->stiffness66, NULL, &out->main), fail);
        ZW_TRY_GOTO(zw_field_create(m, 36, d->inertia66, NULL, &out->inertia), fail);
    } else if (d->kind == ZW_SECTION_EXPLICIT) {
        zw_quantity q[9] = {d->bending[0], d->bending[1], d->torsion,    d->stretch,   d->shear,
                            d->mass,       d->inertia[0], d->inertia[1], d->inertia[2]};
        ZW_TRY_GOTO(zw_field_create(m, 9, q, NULL, &out->main), fail);
    } else {
        ZW_TRY_GOTO(zw_field_create(m, 2, d->size, NULL, &out->main), fail);
    }
    return ZW_OK;
fail:
    zw_rod_section_destroy(out);
    return status;
}

void zw_rod_section_destroy(zw_rod_section *section) {
    zw_field_destroy(&section->main);
    zw_field_destroy(&section->inertia);
    zw_field_destroy(&section->material);
}

static zw_status must_be_positive(zw_rod_section *section, double value, double s, const char *what) {
    if (value > 0.0) {
        return ZW_OK;
    }
    char subject[128], number[ZW_NUMBER_TEXT], label[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "bodies.%s.rod.section", section->body->name);
    return zw_model_raise(section->model, ZW_E_MODEL, section->body->rod.section.at, subject, "make it positive all along the rod",
                          "%s is %s at s = %s", what, zw_number_short(value, 6, number), zw_number_short(s, 6, label));
}

static zw_status drawn(zw_rod_section *section, double s, const double size[2], const double mat[6], zw_section_values *out) {
    double rho = mat[0], E = mat[1], G = section->body->rod.material.shear.node != 0 ? mat[3] : E / (2.0 * (1.0 + mat[2]));
    double A = 0.0, I1 = 0.0, I2 = 0.0;
    switch (section->body->rod.section.kind) {
    case ZW_SECTION_SQUARE: {
        double a = size[0];
        A = a * a;
        I1 = I2 = a * a * a * a / 12.0;
        out->radius = 0.5 * a;
        break;
    }
    case ZW_SECTION_ROUND: {
        double r = size[0];
        A = M_PI * r * r;
        I1 = I2 = 0.25 * M_PI * r * r * r * r;
        out->radius = r;
        break;
    }
    case ZW_SECTION_RECTANGLE: {
        double a = size[0], b = size[1]; /* along d1, along d2 */
        A = a * b;
        I1 = a * b * b * b / 12.0;
        I2 = b * a * a * a / 12.0;
        out->radius = 0.5 * fmin(a, b);
        break;
    }
    default: { /* tube */
        double a = size[0], b = size[1];
        A = M_PI * (a * a - b * b);
        I1 = I2 = 0.25 * M_PI * (a * a * a * a - b * b * b * b);
        out->radius = a;
        break;
    }
    }
    ZW_TRY(must_be_positive(section, A, s, "the area"));
    ZW_TRY(must_be_positive(section, rho, s, "the density"));
    ZW_TRY(must_be_positive(section, E, s, "Young's modulus"));
    ZW_TRY(must_be_positive(section, G, s, "the shear modulus"));
    double stiffness[6] = {E * I1, E * I2, G * (I1 + I2), G * A, G * A, E * A};
    for (int i = 0; i < 6; i++) {
        out->stiffness[7 * i] = stiffness[i];
    }
    out->area = A;
    out->second[0] = I1;
    out->second[1] = I2;
    out->mass = rho * A;
    out->inertia[0] = rho * I1;
    out->inertia[4] = rho * I2;
    out->inertia[8] = rho * (I1 + I2);
    return ZW_OK;
}

/* strains that rows hold carry no energy: their forces are those of the rows */
static void take_away_held(zw_kinematics kinematics, zw_section_values *out) {
    int n = kinematics == ZW_INEXTENSIBLE ? 3 : kinematics == ZW_UNSHEARABLE ? 2 : 0;
    out->coupled = false;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            if ((i >= 3 && i < 3 + n) || (k >= 3 && k < 3 + n)) {
                out->stiffness[6 * i + k] = 0.0;
            }
            out->coupled = out->coupled || (i != k && out->stiffness[6 * i + k] != 0.0);
        }
    }
}

static zw_status explicit_data(zw_rod_section *section, double s, const double v[9], zw_section_values *out) {
    static const char *const name[9] = {"bending about d1", "bending about d2", "torsion",         "stretch", "shear", "mass",
                                        "inertia about d1", "inertia about d2", "inertia about d3"};
    zw_kinematics            kinematics = section->body->rod.kinematics;
    for (int i = 0; i < 9; i++) {
        bool held = (i == 3 && kinematics == ZW_INEXTENSIBLE) || (i == 4 && kinematics != ZW_COSSERAT);
        ZW_TRY(held ? ZW_OK : must_be_positive(section, v[i], s, name[i]));
    }
    double stiffness[6] = {v[0], v[1], v[2], v[4], v[4], v[3]};
    for (int i = 0; i < 6; i++) {
        out->stiffness[7 * i] = stiffness[i];
    }
    out->mass = v[5];
    for (int i = 0; i < 3; i++) {
        out->inertia[4 * i] = v[6 + i];
    }
    out->radius = 0.0;
    return ZW_OK;
}

static zw_status matrix_data(zw_rod_section *section, const double K[36], const double M[36], zw_section_values *out) {
    const zw_body_def *body = section->body;
    char               subject[128];
    snprintf(subject, sizeof subject, "bodies.%s.rod.section.inertia", body->name);
    memcpy(out->stiffness, K, sizeof out->stiffness);
    double m = M[21], scale = 1e-12 * m;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out->inertia[3 * i + k] = M[6 * i + k];
            double want = i == k ? m : 0.0;
            if (fabs(M[6 * (3 + i) + 3 + k] - want) > scale) {
                return zw_model_raise(section->model, ZW_E_MODEL, body->rod.section.at, subject,
                                      "give mass * identity in rows and columns 4 to 6",
                                      "the translational block must be the mass per length times the identity");
            }
            if (fabs(M[6 * i + 3 + k]) > 1e-12 * sqrt(fabs(m * M[7 * i])) || fabs(M[6 * (3 + k) + i]) > 1e-12 * sqrt(fabs(m * M[7 * i]))) {
                return zw_model_raise(section->model, ZW_E_UNSUPPORTED, body->rod.section.at, subject,
                                      "put the rod's line through the centre of mass of its sections",
                                      "a centre of mass off the line is not in this version");
            }
        }
    }
    out->mass = m;
    out->radius = 0.0;
    return ZW_OK;
}

zw_status zw_rod_section_at(zw_rod_section *section, double s, zw_section_values *out) {
    char   subject[128];
    double main[36], material[6];
    snprintf(subject, sizeof subject, "bodies.%s.rod.section", section->body->name);
    *out = (zw_section_values){0};
    zw_field_set_label(&section->main, s);
    zw_field_set_label(&section->material, s);
    ZW_TRY(zw_field_eval(&section->main, subject, main));
    ZW_TRY(zw_field_eval(&section->material, subject, material));
    out->damping = material[4];
    switch (section->body->rod.section.kind) {
    case ZW_SECTION_MATRIX: {
        double inertia[36];
        zw_field_set_label(&section->inertia, s);
        ZW_TRY(zw_field_eval(&section->inertia, subject, inertia));
        ZW_TRY(matrix_data(section, main, inertia, out));
        break;
    }
    case ZW_SECTION_EXPLICIT: ZW_TRY(explicit_data(section, s, main, out)); break;
    default: ZW_TRY(drawn(section, s, main, material, out)); break;
    }
    if (material[5] >= 0.0) {
        out->radius = material[5];
    }
    take_away_held(section->body->rod.kinematics, out);
    return ZW_OK;
}
