/* SPDX-License-Identifier: Apache-2.0
 * check_contact.h: what of a model can touch, and how the run will go over it. */
#ifndef ZW_CLI_CHECK_CONTACT_H
#define ZW_CLI_CHECK_CONTACT_H

#include "base/text.h"
#include "model/model.h"
#include "zwang/run.h"

typedef struct zw_check_contact {
    bool        any;
    const char *mode; /* "event-driven", "moreau-jean", "discrete-gradient" */
    const char *law;
    int         pieces, obstacles, inequalities, limits;
    int64_t     pairs;    /* of bodies and obstacles that can meet          */
    int         touching; /* points of contact at the start                 */
    double      friction;
} zw_check_contact;

zw_status zw_check_contact_find(const zw_model *m, zw_run *run, zw_check_contact *out);
void      zw_check_contact_print(const zw_check_contact *k);            /* lines of zwang check */
void      zw_check_contact_json(const zw_check_contact *k, zw_text *t); /* `, "contact": {..}`, nothing where there is none */

#endif
