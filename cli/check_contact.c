/* SPDX-License-Identifier: Apache-2.0
 * check_contact.c: zwang check on contacts: pieces, obstacles and pairs as the engine finds them, and the way it goes over them. */
#include "check_contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/number.h"
#include "rows/meet.h"

static bool has_form(const zw_body_def *b) {
    return b->kind == ZW_BODY_ROD || (b->kind == ZW_BODY_RIGID && b->rigid.form.kind != ZW_FORM_NONE);
}

static int pair_order(const void *a, const void *b) {
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* all bodies with a form, and they with all obstacles, less those that a joint joins */
static zw_status count_pairs(const zw_model *m, zw_check_contact *out) {
    int64_t forms = 0, rods = 0, joined = 0;
    int     n = 0;
    for (int i = 0; i < m->nbodies; i++) {
        forms += has_form(&m->bodies[i]);
        rods += m->bodies[i].kind == ZW_BODY_ROD;
    }
    int(*pair)[2] = zw_alloc(m->context, (size_t)m->nconstraints + 1, sizeof *pair, "joined bodies");
    if (pair == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nconstraints; i++) {
        int a = m->constraints[i].a.body, b = m->constraints[i].b.body;
        if (a >= 0 && b >= 0 && a != b && has_form(&m->bodies[a]) && has_form(&m->bodies[b]) &&
            strcmp(m->constraints[i].kind, "spring") != 0) {
            pair[n][0] = a < b ? a : b;
            pair[n++][1] = a < b ? b : a;
        }
    }
    qsort(pair, (size_t)n, sizeof *pair, pair_order);
    for (int i = 0; i < n; i++) {
        joined += i == 0 || pair_order(pair[i], pair[i - 1]) != 0;
    }
    zw_free(m->context, pair);
    out->pairs = m->contact.all ? forms * (forms - 1) / 2 - joined + forms * m->nobstacles : m->contact.npairs;
    out->pairs += m->contact.self ? rods : 0;
    return ZW_OK;
}

zw_status zw_check_contact_find(const zw_model *m, zw_run *run, zw_check_contact *out) {
    static const char *const laws[] = {"reflect", "moreau", "sequential", "compliant", "stick"};
    zw_meet                 *meet = NULL;
    char                     what[160];
    *out = (zw_check_contact){.any = zw_model_meets(m, what, sizeof what), .obstacles = m->nobstacles};
    if (!out->any) {
        return ZW_OK;
    }
    bool verlet = strcmp(m->run.integrator, "verlet") == 0;
    out->mode = verlet ? "moreau-jean" : m->events ? "event-driven" : "discrete-gradient";
    out->law = verlet ? "moreau" : m->events && (size_t)m->contact.law < sizeof laws / sizeof laws[0] ? laws[m->contact.law] : "none";
    for (int i = 0; i < m->nunilaterals; i++) {
        out->inequalities += m->unilaterals[i].npoints > 0 ? m->unilaterals[i].npoints : 1;
    }
    for (int i = 0; i < m->nconstraints; i++) {
        out->limits += m->constraints[i].limit[0].node != 0;
    }
    if (m->contact.friction.node != 0) {
        ZW_TRY(zw_model_constant(m, m->contact.friction, "contact.friction", &out->friction));
    }
    ZW_TRY(count_pairs(m, out));
    zw_status status = zw_meet_create(zw_run_system(run), &meet);
    if (status == ZW_OK && meet != NULL) {
        const zw_meeting *found;
        out->pieces = zw_meet_pieces(meet);
        status = zw_meet_find(meet, zw_run_state(run), 0.0, &out->touching, &found);
    }
    zw_meet_destroy(meet);
    return status;
}

static void count(int64_t n, const char *one, const char *more, const char *before) {
    if (n > 0) {
        printf("%s%lld %s", before, (long long)n, n == 1 ? one : more);
    }
}

void zw_check_contact_print(const zw_check_contact *k) {
    char x[ZW_NUMBER_TEXT];
    if (!k->any) {
        return;
    }
    const char *way = strcmp(k->mode, "event-driven") == 0  ? "event-driven: impacts are located in time"
                      : strcmp(k->mode, "moreau-jean") == 0 ? "time stepping of Moreau and Jean"
                                                            : "time stepping with forces along the discrete gradient of the gap";
    printf("  %-20s %s", "contact", way);
    if (strcmp(k->law, "none") != 0) {
        printf(", law %s", k->law);
    }
    if (k->friction > 0) {
        printf(", friction %s", zw_number_short(k->friction, 4, x));
    }
    printf("\n  %-20s ", "");
    count(k->pieces, "piece", "pieces", "");
    count(k->obstacles, "obstacle", "obstacles", k->pieces ? ", " : "");
    count(k->pairs, "pair", "pairs", k->pieces + k->obstacles ? ", " : "");
    count(k->inequalities, "inequality", "inequalities", k->pieces + k->obstacles + k->pairs ? ", " : "");
    count(k->limits, "joint with limits", "joints with limits", k->pieces + k->obstacles + k->pairs + k->inequalities ? ", " : "");
    count(k->touching, "point touches at the start", "points touch at the start", "; ");
    printf("\n");
}

void zw_check_contact_json(const zw_check_contact *k, zw_text *t) {
    if (!k->any) {
        return;
    }
    zw_text_addf(t,
                 ", \"contact\": {\"mode\": \"%s\", \"law\": \"%s\", \"pieces\": %d, \"obstacles\": %d, \"pairs\": %lld, "
                 "\"inequalities\": %d, \"limits\": %d, \"touching\": %d, \"friction\": ",
                 k->mode, k->law, k->pieces, k->obstacles, (long long)k->pairs, k->inequalities, k->limits, k->touching);
    zw_text_json_number(t, k->friction);
    zw_text_add(t, "}");
}
