/* SPDX-License-Identifier: Apache-2.0
 * rod_section.h: section and material of a rod, evaluated at a label s. */
#ifndef ZW_PARTS_ROD_SECTION_H
#define ZW_PARTS_ROD_SECTION_H

#include "model/field.h"

typedef struct zw_rod_section {
    const zw_model    *model;
    const zw_body_def *body;
    zw_field           main, inertia, material;
} zw_rod_section;

typedef struct zw_section_values { /* per reference length */
    double stiffness[36];          /* rotations first: N m^2, N m, N                  */
    double mass;                   /* kg/m                                            */
    double inertia[9];             /* kg m, in the directors                          */
    double area, second[2];        /* m^2, m^4 about d1 and d2; 0: not told       */
    double radius;                 /* contact and drawing radius, m                   */
    double damping;                /* Kelvin-Voigt time, s                            */
    bool   coupled;                /* stiffness has entries off its diagonal          */
} zw_section_values;

zw_status zw_rod_section_create(const zw_model *m, const zw_body_def *body, zw_rod_section *out);
zw_status zw_rod_section_at(zw_rod_section *section, double s, zw_section_values *out);
void      zw_rod_section_destroy(zw_rod_section *section);

#endif
