/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_check.c: why a lagrangian body cannot be evaluated at a state: which expression of the model is not finite there and what is wrong in it,
 * or along which velocity there is no kinetic energy. Only after something went wrong: it may take its time and memory. */
#include "parts/lagrangian_part.h"

#include "base/number.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 8 }; /* coordinates that a message has room for */

static void add_numbers(zw_text *out, int n, const char *const *name, const char *tail, const double *value) {
    for (int i = 0; i < n && i < SHOWN; i++) {
        zw_text_addf(out, ", %s%s = ", name[i], tail);
        zw_text_short(out, value[i], 6);
    }
    zw_text_add(out, n > SHOWN ? ", ..." : "");
}

/* "t = 0.5, x = 1, xdot = 2" */
static void add_state(const zw_lagrangian *L, const zw_state *x, zw_text *out) {
    zw_text_add(out, "t = ");
    zw_text_short(out, x->t, 8);
    add_numbers(out, L->n, L->def->coordinate, "", x->q);
    if (!L->quasi) {
        add_numbers(out, L->n, L->def->coordinate, "dot", x->v);
        return;
    }
    for (int i = 0; i < L->n && i < SHOWN; i++) {
        add_numbers(out, 1, &L->def->quasi[i].name, "", &x->v[i]);
    }
}

/* ---- what is not finite */

/* the nodes that one key of the model gives rise to */
typedef struct suspect {
    const zw_lagrangian *L;
    const zw_state      *x;
    const zw_interval   *box; /* NULL: what is not finite at x; else what is not bounded in it */
    zw_where             at;
    char                 key[128];
    bool                 found;
} suspect;

static zw_status look_at(suspect *s, zw_where at, const zw_node *roots, int n, const char *key, const char *name) {
    const zw_lagrangian *L = s->L;
    zw_tape             *tape = NULL;
    if (s->found || n == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_tape_create(L->context, L->model->pool, roots, n, &tape));
    size_t       room = (size_t)zw_tape_work(tape) + (size_t)n;
    double      *work = zw_alloc(L->context, room, sizeof *work, "an explanation");
    zw_interval *wide = zw_alloc(L->context, room, sizeof *wide, "an explanation");
    zw_status    status = work != NULL && wide != NULL ? ZW_OK : ZW_E_MEMORY;
    if (status == ZW_OK && s->box != NULL) {
        zw_interval *out = wide + zw_tape_work(tape);
        zw_tape_eval_interval(tape, s->box, wide, out);
        for (int i = 0; i < n; i++) {
            s->found = s->found || (out[i].lo == -INFINITY && out[i].hi == INFINITY);
        }
    } else if (status == ZW_OK) {
        double *out = work + zw_tape_work(tape);
        zw_tape_eval(tape, L->memo->in, work, out);
        for (int i = 0; i < n; i++) {
            s->found = s->found || !isfinite(out[i]);
        }
    }
    if (s->found) {
        zw_text text;
        zw_text_init(&text, L->context);
        if (s->box != NULL) {
            zw_tape_explain_box(tape, s->box, &text);
        } else {
            zw_tape_explain(tape, L->memo->in, &text);
        }
        zw_text_add(&text, " at ");
        add_state(L, s->x, &text);
        snprintf(s->key, sizeof s->key, "bodies.%s.lagrangian.%s%s%s", L->body->name, key, name != NULL ? "." : "",
                 name != NULL ? name : "");
        status = zw_text_status(&text);
        if (status == ZW_OK) {
            status = zw_model_raise(L->model, ZW_E_DIVERGED, at, s->key,
                                    "guard the expression with if(), keep the motion away from there, or choose other coordinates", "%s",
                                    text.s);
        }
        zw_text_destroy(&text);
    }
    zw_free(L->context, work);
    zw_free(L->context, wide);
    zw_tape_destroy(tape);
    return status;
}

/* e itself and its derivatives by the slots */
static zw_status look_at_slopes(suspect *s, zw_where at, zw_node e, const int *slots, const char *key) {
    const zw_lagrangian *L = s->L;
    zw_node             *root = zw_alloc(L->context, (size_t)L->n + 1, sizeof *root, "an explanation");
    zw_status            status = root != NULL ? ZW_OK : ZW_E_MEMORY;
    if (status == ZW_OK) {
        root[0] = e;
        status = zw_node_gradient(L->model->pool, e, L->n, slots, root + 1);
        status = status == ZW_OK ? look_at(s, at, root, L->n + 1, key, NULL) : status;
    }
    zw_free(L->context, root);
    return status;
}

static zw_status look_everywhere(suspect *s) {
    const zw_lagrangian     *L = s->L;
    const zw_lagrange       *e = &L->equations;
    const zw_lagrangian_def *def = L->def;
    zw_where                 kinetic = def->kinetic.at;
    for (int i = 0; i < def->npoints; i++) { /* particles before T, which is made of them */
        const zw_lagrange_point_def *p = &def->point[i];
        const char                  *key = p->mass.node != 0 ? "particles" : "points";
        ZW_TRY(look_at(s, p->r[0].at, L->point_root + L->point[i].r, 6 + 3 * L->n, key, p->name));
        if (L->point[i].turns) {
            ZW_TRY(look_at(s, p->turn[0].at, L->point_root + L->point[i].turn, 6 + 3 * L->n, key, p->name));
        }
        kinetic = kinetic.line == 0 && p->mass.node != 0 ? p->r[0].at : kinetic;
    }
    for (int i = 0; i < def->nquasi; i++) {
        ZW_TRY(look_at(s, def->quasi[i].e.at, &def->quasi[i].e.node, 1, "velocities", def->quasi[i].name));
    }
    const char *kinetic_key = def->kinetic.node != 0 ? "kinetic" : "particles";
    ZW_TRY(look_at(s, kinetic, &e->T, 1, kinetic_key, NULL));
    ZW_TRY(look_at(s, kinetic, e->M, L->n * L->n, kinetic_key, NULL));
    ZW_TRY(look_at(s, kinetic, e->c, L->n, kinetic_key, NULL));
    ZW_TRY(look_at_slopes(s, def->potential.at, e->V, def->slot_q, "potential"));
    ZW_TRY(look_at_slopes(s, def->dissipation.at, e->R, def->slot_v, "dissipation"));
    for (int i = 0; i < L->n; i++) {
        ZW_TRY(look_at(s, def->force != NULL ? def->force[i].at : kinetic, &e->Q[i], 1, "forces", def->coordinate[i]));
    }
    for (int i = 0; i < L->m; i++) {
        const zw_lagrange_row_def *row = &def->row[i];
        ZW_TRY(look_at(s, row->f.at, &e->value[i], 1, "constraints", row->name));
        ZW_TRY(look_at(s, row->f.at, &e->first[i], 1, "constraints", row->name));
        ZW_TRY(look_at(s, row->f.at, e->A + (size_t)i * (size_t)L->n, L->n, "constraints", row->name));
        ZW_TRY(look_at(s, row->f.at, &e->D[i], 1, "constraints", row->name));
    }
    return ZW_OK;
}

static void set_inputs(const zw_lagrangian *L, const zw_state *x, const double *qdot) {
    for (int i = 0; i < L->n; i++) {
        L->memo->in[L->def->slot_q[i]] = x->q[i];
        L->memo->in[L->def->slot_v[i]] = qdot[i];
    }
    L->memo->in[L->model->slot_t] = x->t;
}

static zw_status raise_at(const zw_lagrangian *L, zw_status code, zw_where at, const char *key, const char *remedy, const zw_state *x,
                          const char *what) {
    char    subject[128];
    zw_text text;
    zw_text_init(&text, L->context);
    zw_text_addf(&text, "%s at ", what);
    add_state(L, x, &text);
    snprintf(subject, sizeof subject, "bodies.%s.lagrangian%s%s", L->body->name, key[0] != 0 ? "." : "", key);
    zw_status status = zw_text_status(&text);
    if (status == ZW_OK) {
        status = zw_model_raise(L->model, code, at, subject, remedy, "%s", text.s);
    }
    zw_text_destroy(&text);
    return status;
}

zw_status zw_lagrangian_explain(const zw_lagrangian *L, const zw_state *x) {
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    suspect               s = {.L = L, .x = x};
    char                  what[128];
    if (zw_lagrangian_at_fault(L, x, what, sizeof what)) {
        return raise_at(L, ZW_E_DIVERGED, L->body->at, "", "use a smaller step; results up to here are kept", x, "the state is not finite");
    }
    set_inputs(L, x, r->look.qdot);
    if (!r->axes_regular) {
        return raise_at(L, ZW_E_DIVERGED, L->def->quasi[0].e.at, "velocities",
                        "choose velocities of the frame that determine those of every coordinate, or leave them out", x,
                        "the velocities of the moving frame do not determine those of the coordinates");
    }
    ZW_TRY(look_everywhere(&s));
    return raise_at(L, ZW_E_DIVERGED, L->body->at, "", "look at the size of parameters and coordinates", x,
                    "the equations of motion are not finite");
}

/* ---- directions without mass */

/* "0.71 xdot - 0.71 ydot" */
static void add_direction(const zw_lagrangian *L, const double *d, zw_text *out) {
    double most = 0.0;
    int    shown = 0;
    for (int i = 0; i < L->n; i++) {
        most = fmax(most, fabs(d[i]));
    }
    for (int i = 0; i < L->n; i++) {
        char number[ZW_NUMBER_TEXT];
        if (fabs(d[i]) <= 1e-6 * most) {
            continue;
        }
        if (shown == SHOWN) {
            zw_text_add(out, " + ...");
            return;
        }
        zw_text_add(out, shown == 0 ? (d[i] < 0.0 ? "-" : "") : d[i] < 0.0 ? " - " : " + ");
        zw_number_short(fabs(d[i]), 2, number);
        zw_text_addf(out, "%s%s%sdot", strcmp(number, "1") == 0 ? "" : number, strcmp(number, "1") == 0 ? "" : " ", L->def->coordinate[i]);
        shown++;
    }
}

/* least eigenvalue of M in units of its diagonal, and its direction d [n], largest entry positive and length 1; false: M is not finite */
static bool weakest(int n, const double *M, double *a, double *values, double *vectors, double *d, double *least) {
    int empty = -1;
    for (int i = 0; i < n; i++) {
        values[i] = sqrt(fabs(M[n * i + i]));
        empty = values[i] == 0.0 ? i : empty;
    }
    if (empty >= 0) { /* nothing on the diagonal: along that coordinate alone */
        memset(d, 0, sizeof(double) * (size_t)n);
        d[empty] = 1.0;
        *least = 0.0;
        return true;
    }
    for (int i = 0; i < n * n; i++) {
        a[i] = M[i] / (values[i / n] * values[i % n]);
    }
    memcpy(d, values, sizeof(double) * (size_t)n);
    if (!zw_sym_eigen(n, a, values, vectors)) {
        return false;
    }
    double length = 0.0;
    int    top = 0;
    for (int i = 0; i < n; i++) {
        d[i] = vectors[n * i] / d[i];
        length += d[i] * d[i];
        top = fabs(d[i]) > fabs(d[top]) * (1.0 + 1e-9) ? i : top;
    }
    double scale = (d[top] < 0.0 ? -1.0 : 1.0) / sqrt(length);
    for (int i = 0; i < n; i++) {
        d[i] *= scale;
    }
    *least = values[0];
    return true;
}

static zw_status check_mass(const zw_lagrangian *L, const zw_state *x, const zw_lagrangian_record *r) {
    size_t  n = (size_t)L->n;
    double *room = zw_alloc(L->context, 2 * n * n + 2 * n, sizeof *room, "a check of the mass matrix"), least = 1.0;
    if (room == NULL) {
        return ZW_E_MEMORY;
    }
    double   *a = room, *vectors = a + n * n, *values = vectors + n * n, *d = values + n;
    zw_status status = ZW_OK;
    if (weakest(L->n, r->motion, a, values, vectors, d, &least) && !(least > 8.0 * (double)n * DBL_EPSILON)) {
        const zw_lagrangian_def *def = L->def;
        zw_text                  text;
        zw_text_init(&text, L->context);
        zw_text_add(&text, least < -8.0 * (double)n * DBL_EPSILON ? "negative kinetic energy along " : "no kinetic energy along ");
        add_direction(L, d, &text);
        status = zw_text_status(&text);
        zw_where at = def->kinetic.at;
        for (int i = 0; i < def->npoints && def->kinetic.node == 0; i++) {
            at = at.line == 0 && def->point[i].mass.node != 0 ? def->point[i].r[0].at : at;
        }
        if (status == ZW_OK) {
            status = raise_at(L, ZW_E_MODEL, at, def->kinetic.node != 0 ? "kinetic" : "particles",
                              "give that velocity a mass, or leave out a coordinate that the others determine", x, text.s);
        }
        zw_text_destroy(&text);
    }
    zw_free(L->context, room);
    return status;
}

zw_status zw_lagrangian_check(void *self, const zw_state *x) {
    const zw_lagrangian  *L = self;
    bool                  finite = zw_lagrangian_motion_at(L, x)->finite;
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    for (int i = 0; L->memo->wants_points && i < L->tape_point.roots; i++) {
        finite = finite && isfinite(zw_lagrangian_points_at(L, r)[i]);
    }
    return finite ? check_mass(L, x, r) : zw_lagrangian_explain(L, x);
}

/* everything that the motion can reach from x, with room to spare: four steps at the present velocity, and a millionth of the coordinates' size */
zw_status zw_lagrangian_near(void *self, const zw_state *x, double h) {
    const zw_lagrangian  *L = self;
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    int                   n = zw_pool_inputs(L->model->pool);
    zw_interval          *box = zw_alloc(L->context, (size_t)n + 1, sizeof *box, "an explanation");
    if (box == NULL) {
        return ZW_E_MEMORY;
    }
    set_inputs(L, x, r->look.qdot);
    for (int i = 0; i < n; i++) {
        box[i] = (zw_interval){L->memo->in[i], L->memo->in[i]};
    }
    for (int i = 0; i < L->n; i++) {
        double q = x->q[i], v = r->look.qdot[i], way = 4.0 * h * fabs(v) + 1e-6 * fmax(1.0, fabs(q));
        box[L->def->slot_q[i]] = (zw_interval){q - way, q + way};
        box[L->def->slot_v[i]] = (zw_interval){v - 1e-6 * fabs(v), v + 1e-6 * fabs(v)};
    }
    suspect   s = {.L = L, .x = x, .box = box};
    zw_status status = look_everywhere(&s);
    zw_free(L->context, box);
    return status;
}
