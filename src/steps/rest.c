/* SPDX-License-Identifier: Apache-2.0
 * rest.c: sizes, steps and names of the equations of rest. See rest.h. */
#include "steps/rest.h"

#include "model/model.h"
#include "steps/implicit_contact.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONTACTS = 64 };
#define MOST_TURN 0.35 /* rad that a node may turn in one Newton step */

static bool turns(const zw_implicit *k, const zw_implicit_block *b) {
    return b->part >= 0 && k->y->part[b->part].ops->secant != NULL;
}

/* columns of a block that are angles: planar bodies have one */
static int angles(const zw_implicit *k, const zw_implicit_block *b) {
    return !turns(k, b) ? 0 : b->ncol == 3 ? 1 : 3;
}

double zw_rest_reach(const zw_implicit *k, const zw_state *x) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        if (!turns(k, b)) {
            continue;
        }
        zw_secant_node n;
        zw_state       part = zw_implicit_slice(k, b->part, x);
        k->y->part[b->part].ops->secant->node(k->y->part[b->part].self, &part, b->index, &n);
        for (int j = 0; j < 3; j++) {
            low[j] = fmin(low[j], n.x[j]);
            high[j] = fmax(high[j], n.x[j]);
        }
    }
    for (int j = 0; j < 3; j++) {
        size = fmax(size, high[j] - low[j]);
    }
    return size > 0.0 && isfinite(size) ? size : 1.0;
}

zw_status zw_rest_create(zw_implicit *k, const zw_state *x, zw_rest *out) {
    *out = (zw_rest){.c = k->c, .subject = "statics", .scale = 1.0, .nz = k->nz, .m = k->m, .reach = zw_rest_reach(k, x)};
    char what[160];
    out->meets = zw_model_meets(k->y->model, what, sizeof what);
    out->room = k->nz + (out->meets ? CONTACTS + 4 * k->nblocks : 0);
    out->margin = 0.02 * out->reach;
    size_t nz = (size_t)out->room;
    size_t nb = (size_t)k->nblocks;
    out->blocks = k->nblocks;
    out->weight = zw_alloc(k->c, 6 * nz + 7 * nb + 1, sizeof(double), "an equilibrium");
    out->flip = zw_alloc(k->c, nz + 1, 1, "an equilibrium");
    out->parent = zw_alloc(k->c, nb + 1, sizeof(int), "an equilibrium");
    if (out->weight == NULL || out->flip == NULL || out->parent == NULL || zw_rest_pushes_create(out, &out->kept) != ZW_OK ||
        zw_state_create(k->c, &k->n, &out->from) != ZW_OK || zw_state_create(k->c, &k->n, &out->good) != ZW_OK) {
        zw_rest_destroy(out);
        return ZW_E_MEMORY;
    }
    out->diagonal = out->weight + nz;
    out->left = out->diagonal + nz;
    out->z0 = out->left + nz;
    out->back = out->z0 + nz;
    out->phi = out->back + nz;
    out->base = out->phi + nz;
    out->place = out->base + 3 * nb;
    out->share = out->place + 3 * nb;
    memset(out->flip + k->nz, 1, nz - (size_t)k->nz);
    double n = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        n += k->block[i].part >= 0 ? 1.0 : 0.0;
    }
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol + b->nrows; c++) {
            bool way = turns(k, b) && c >= angles(k, b);
            out->weight[b->z0 + c] = c >= b->ncol ? 0.0 : way ? 1.0 / (n * out->reach * out->reach) : 1.0 / n;
            out->flip[b->z0 + c] = c >= b->ncol;
        }
    }
    zw_status status = zw_rest_use(out, k);
    if (status != ZW_OK) {
        zw_rest_destroy(out);
    }
    return status;
}

void zw_rest_destroy(zw_rest *s) {
    if (s->k != NULL) {
        s->k->lu.flip = NULL; /* which is freed here */
    }
    if (s->c != NULL) {
        zw_free(s->c, s->weight);
        zw_free(s->c, s->flip);
        zw_free(s->c, s->parent);
        zw_state_destroy(s->c, &s->from);
        zw_state_destroy(s->c, &s->good);
        zw_rest_pushes_destroy(s, &s->kept);
    }
    *s = (zw_rest){0};
}

zw_status zw_rest_use(zw_rest *s, zw_implicit *k) {
    if (k->nz != s->nz || k->m != s->m) {
        return zw_raise(s->c, ZW_E_INTERNAL, s->subject, "please report it", "equations of %d unknowns became %d", s->nz, k->nz);
    }
    if (s->meets && k->contacts == NULL) {
        ZW_TRY(zw_implicit_contacts_create(k));
    }
    ZW_TRY(zw_blocklu_count(&k->arena, &k->lu, s->flip));
    s->count = k->lu.room;
    s->k = k;
    return ZW_OK;
}

zw_status zw_rest_pushes_create(const zw_rest *s, zw_rest_pushes *out) {
    size_t n = (size_t)(s->room - s->nz) + 1;
    *out = (zw_rest_pushes){.id = zw_alloc(s->c, n, sizeof *out->id, "contacts"), .p = zw_alloc(s->c, n, sizeof *out->p, "contacts")};
    return out->id != NULL && out->p != NULL ? ZW_OK : ZW_E_MEMORY;
}

void zw_rest_pushes_destroy(const zw_rest *s, zw_rest_pushes *p) {
    zw_free(s->c, p->id);
    zw_free(s->c, p->p);
    *p = (zw_rest_pushes){0};
}

void zw_rest_pushes_copy(const zw_rest_pushes *from, zw_rest_pushes *to) {
    to->n = from->n;
    memcpy(to->id, from->id, sizeof *to->id * (size_t)from->n);
    memcpy(to->p, from->p, sizeof *to->p * (size_t)from->n);
}

void zw_rest_pushes_keep(const zw_rest *s, zw_rest_pushes *out) {
    const zw_implicit_contacts *c = s->k->contacts;
    out->n = 0;
    for (int i = 0; c != NULL && i < c->n && i < s->room - s->nz; i++) {
        out->id[i] = c->set.from[i].id;
        out->p[i] = s->k->z[s->k->block[c->contact[i].block].z0];
        out->n++;
    }
}

/* who is near takes part, with the push that it had */
static zw_status find_contacts(zw_rest *s, const zw_state *x) {
    zw_implicit          *k = s->k;
    zw_implicit_contacts *c = k->contacts;
    ZW_TRY(zw_implicit_contacts_near(k, x, s->margin));
    if (k->nz > s->room) {
        return zw_raise(s->c, ZW_E_LIMIT, s->subject, "use fewer elements, or forms with fewer corners",
                        "%d contacts at once are more than statics can take", c->n);
    }
    for (int i = 0; i < c->n && s->recall; i++) {
        for (int j = 0; j < s->kept.n; j++) {
            if (s->kept.id[j] == c->set.from[i].id) {
                k->z[k->block[c->contact[i].block].z0] = s->kept.p[j];
            }
        }
    }
    s->recall = false;
    k->lu.flip = s->flip; /* the factor may be another one; blocks of pushes are smaller than those that the scratch was made for */
    k->lu.room = s->count;
    return ZW_OK;
}

/* differences between K and its transpose, before it is factored. Lower and upper blocks are stored in the same order, see blocklu.h */
static void note_asymmetry(zw_rest *s) {
    const zw_blocklu   *f = &s->k->lu;
    const zw_blockchol *p = &f->pattern;
    double              most = 0.0, apart = 0.0;
    for (int j = 0; j < p->nb; j++) {
        int n = p->row0[j + 1] - p->row0[j], cj = f->first[p->order[j]];
        for (int q = p->start[j]; q < p->start[j + 1]; q++) {
            int           i = p->row[q], m = p->row0[i + 1] - p->row0[i], ci = f->first[p->order[i]];
            const double *lower = p->l + p->value[q], *upper = q == p->start[j] ? NULL : f->upper + p->value[q];
            for (int a = 0; a < m; a++) {
                for (int b = 0; b < n; b++) {
                    if (s->flip[ci + a] || s->flip[cj + b]) {
                        continue;
                    }
                    double other = upper != NULL ? upper[a * n + b] : lower[b * n + a], one = lower[a * n + b];
                    double scale = s->weight[ci + a] * s->weight[cj + b], square = one * one, step = (one - other) * (one - other);
                    most =
                        square > most * scale ? square / scale : most; /* squares: roots are slow, and this is each number of the matrix */
                    apart = step > apart * scale ? step / scale : apart;
                }
            }
        }
    }
    s->asymmetry = most > 0.0 ? sqrt(apart / most) : 0.0;
}

/* Rows get a compliance far below that of what they act on, so that redundant ones stay solvable: K <= stiff W, so A K^-1 A' >= A W^-1 A'/stiff */
static void ease_rows(zw_rest *s) {
    zw_implicit *k = s->k;
    double       stiff = s->stiff + s->sigma;
    for (int i = 0; i < k->nties && stiff > 0.0; i++) {
        const zw_tie            *t = &k->tie[i];
        const zw_implicit_block *home = &k->block[t->home];
        bool                     turned;
        double                  *own = zw_blocklu_block(&k->lu, t->home, t->home, &turned);
        int                      width = home->ncol + home->nrows;
        for (int n = 0; n < t->m; n++) {
            double sum = 0.0;
            int    row = home->ncol + t->at + n;
            for (int a = 0; a < zw_tie_touched(t); a++) {
                int                      at = zw_tie_touched_block(t, a);
                const zw_implicit_block *b = &k->block[at];
                const double            *v = zw_blocklu_block(&k->lu, t->home, at, &turned);
                for (int c = 0; v != NULL && c < b->ncol; c++) {
                    double one = v[turned ? (ptrdiff_t)c * width + row : (ptrdiff_t)row * (b->ncol + b->nrows) + c];
                    sum += one * one / s->weight[b->z0 + c];
                }
            }
            own[(ptrdiff_t)row * width + row] = 1e-14 * sum / stiff;
        }
    }
}

/* sizes of the stiffness and of the forces as they are just now */
static void note_diagonal(zw_rest *s) {
    const zw_implicit *k = s->k;
    s->stiff = s->force = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        bool                     turned;
        const double            *d = zw_blocklu_block(&s->k->lu, i, i, &turned);
        int                      width = b->ncol + b->nrows;
        for (int c = 0; c < b->ncol; c++) {
            s->diagonal[b->z0 + c] = fabs(d[(ptrdiff_t)c * width + c]);
            s->stiff = fmax(s->stiff, s->diagonal[b->z0 + c] / s->weight[b->z0 + c]);
            s->force = fmax(s->force, fmax(fabs(k->r[b->z0 + c]), k->size[b->col0 + c]) / sqrt(s->weight[b->z0 + c]));
        }
    }
    s->stiff = fmax(s->stiff, s->force); /* what only hangs has no stiffness but that of its load */
}

zw_status zw_rest_look(zw_rest *s, const zw_state *x, bool derivative) {
    zw_implicit *k = s->k;
    if (k->contacts != NULL && derivative) {
        ZW_TRY(find_contacts(s, x));
    }
    ZW_TRY(zw_implicit_equilibrium(k, x, derivative));
    if (derivative) {
        note_diagonal(s);
        s->elastic = s->stiff;
    }
    if (s->drag > 0.0) {
        zw_rest_add_drag(s, x, derivative);
    }
    if (!derivative) {
        return ZW_OK;
    }
    if (s->drag > 0.0) {
        note_diagonal(s);
    }
    ease_rows(s);
    note_asymmetry(s);
    for (int i = 0; i < s->nholds; i++) {
        int    block = zw_rest_block(s, s->hold[i]), c = s->hold[i] - k->block[block].z0;
        double add = fmax(s->diagonal[s->hold[i]], 1e-3 * s->stiff * s->weight[s->hold[i]]);
        zw_implicit_add(k, block, block, c, c, 1, 1, &add);
    }
    double all = s->sigma + (s->soft ? 1e-12 * s->stiff : 0.0), least = s->meets ? 1e-9 * s->stiff : 0.0;
    for (int i = 0; i < k->nblocks && (all > 0.0 || least > 0.0); i++) {
        for (int c = 0; c < k->block[i].ncol; c++) { /* pushes are eliminated last: what only they hold needs a pivot of its own */
            /* a drag may be larger than all stiffness: then only what has none at all */
            bool   bare = s->diagonal[k->block[i].z0 + c] <= (s->drag > 0.0 ? 0.0 : least * s->weight[k->block[i].z0 + c]);
            double add = (all + (bare ? least : 0.0)) * s->weight[k->block[i].z0 + c];
            zw_implicit_add(k, i, i, c, c, 1, 1, &add);
        }
    }
    return ZW_OK;
}

bool zw_rest_factor(zw_rest *s, int *below) {
    int failed = zw_blocklu_factor(&s->k->lu);
    *below = s->k->lu.below - s->m - (s->k->nz - s->nz);
    return failed < 0;
}

double zw_rest_product(const zw_rest *s, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < s->nz; i++) {
        sum += s->weight[i] * a[i] * b[i];
    }
    return sum;
}

void zw_rest_scale(zw_rest *s, double scale) {
    double by = scale / s->scale;
    for (int i = 0; i < s->nz; i++) {
        s->weight[i] *= by * by;
    }
    s->scale = scale;
}

double zw_rest_change(const zw_rest *s, const double *dz) {
    const zw_implicit *k = s->k;
    double             change = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            double size = fabs(dz[b->z0 + c]) / (turns(k, b) && c >= angles(k, b) ? s->reach : 1.0);
            change = size > change || isnan(size) ? size : change;
            if (isnan(size)) {
                return size;
            }
        }
    }
    return change;
}

double zw_rest_allowed(const zw_rest *s, const double *dz) {
    const zw_implicit *k = s->k;
    double             part = 1.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            double size = fabs(dz[b->z0 + c]), most = c < angles(k, b) ? MOST_TURN : turns(k, b) ? 0.5 * s->reach : 0.5;
            if (size * part > most) {
                part = most / size;
            }
        }
    }
    return part;
}

void zw_rest_move(zw_rest *s, const double *dz, double part, zw_state *x) {
    zw_implicit *k = s->k;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            k->u[b->col0 + c] = part * dz[b->z0 + c];
        }
        for (int c = b->ncol; c < b->ncol + b->nrows; c++) {
            k->z[b->z0 + c] += dz[b->z0 + c]; /* they enter linearly */
        }
    }
    zw_state_copy(&k->n, x, &k->near);
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part *p = &k->y->part[i];
        zw_state       from = zw_implicit_slice(k, i, &k->near), to = zw_implicit_slice(k, i, x);
        if (p->ops->secant != NULL) {
            p->ops->secant->advance(p->self, &from, k->u + p->v0, 1.0, &to);
        } else {
            for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
                to.q[j] += k->u[p->v0 + j];
            }
        }
    }
    memset(x->v, 0, sizeof(double) * (size_t)k->n.nv);
}

void zw_rest_left(const zw_rest *s, double *force, double *rows, int *where) {
    const zw_implicit *k = s->k;
    double             left = -1.0, size = 0.0, row = 0.0;
    int                worst = 0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) { /* moments are compared with forces by the reach */
            double by = c < angles(k, b) ? s->reach : 1.0, f = fabs(k->r[b->z0 + c]) / by;
            size = fmax(size, fmax(k->size[b->col0 + c], 1e-6 * s->diagonal[b->z0 + c] * (c < angles(k, b) ? 1.0 : s->reach)) /
                                  by); /* or of a small strain */
            if (f > left || isnan(f)) {
                left = f;
                worst = b->z0 + c;
            }
        }
        for (int c = b->ncol; c < b->ncol + b->nrows; c++) {
            row = fmax(row, fabs(k->r[b->z0 + c]));
        }
    }
    *force = size > 0.0 ? left / size : left;
    *rows = row;
    *where = worst;
}

/* strains are rounded to eps of 1: forces to eps of the stiffness times the size */
static double rounding_of(const zw_rest *s, const zw_implicit_block *b, int c) {
    return s->diagonal[b->z0 + c] * (c < angles(s->k, b) ? 1.0 : s->reach) + s->k->size[b->col0 + c];
}

double zw_rest_rounding(const zw_rest *s, const double *way) {
    double sum = 0.0;
    for (int i = 0; i < s->k->nblocks; i++) {
        const zw_implicit_block *b = &s->k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            sum += DBL_EPSILON * rounding_of(s, b, c) * fabs(way[b->z0 + c]);
        }
    }
    return sum;
}

bool zw_rest_is_roundoff(const zw_rest *s) {
    const zw_implicit *k = s->k;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            if (!(fabs(k->r[b->z0 + c]) <= 64.0 * DBL_EPSILON * rounding_of(s, b, c))) {
                return false;
            }
        }
        for (int c = b->ncol; c < b->ncol + b->nrows; c++) {
            if (!(fabs(k->r[b->z0 + c]) <= 1e-12 * fmax(1.0, s->reach))) {
                return false;
            }
        }
    }
    return true;
}

void zw_rest_forces(const zw_rest *s, const double *z, double *lambda) {
    const zw_implicit *k = s->k;
    for (int i = 0; i < k->nties; i++) {
        const zw_tie *t = &k->tie[i];
        memcpy(lambda + t->row0, z + k->block[t->home].z0 + k->block[t->home].ncol + t->at, sizeof(double) * (size_t)t->m);
    }
}

void zw_rest_set_forces(const zw_rest *s, const double *lambda, double *z) {
    const zw_implicit *k = s->k;
    memset(z, 0, sizeof(double) * (size_t)s->nz);
    for (int i = 0; i < k->nties; i++) {
        const zw_tie *t = &k->tie[i];
        memcpy(z + k->block[t->home].z0 + k->block[t->home].ncol + t->at, lambda + t->row0, sizeof(double) * (size_t)t->m);
    }
}

int zw_rest_block(const zw_rest *s, int unknown) {
    const zw_implicit *k = s->k;
    for (int i = 0; i < k->nblocks; i++) {
        if (unknown < k->block[i].z0 + k->block[i].ncol + k->block[i].nrows) {
            return i;
        }
    }
    return k->nblocks - 1;
}

/* the body of the model that a block belongs to, and its node where it is a rod */
static int body_of(const zw_implicit *k, const zw_implicit_block *b, int *node) {
    const zw_system *y = k->y;
    *node = -1;
    if (b->part < 0) {
        return -1;
    }
    const zw_secant_ops *of = y->part[b->part].ops->secant;
    int                  body = of != NULL ? of->whose(y->part[b->part].self, b->index, node) : -1;
    for (int i = 0; i < y->model->nbodies; i++) {
        if (y->body_part[i] == b->part && (body < 0 || y->body_index[i] == body)) {
            return i;
        }
    }
    return -1;
}

const char *zw_rest_body(const zw_rest *s, int block) {
    int node, i = body_of(s->k, &s->k->block[block], &node);
    return i >= 0 ? s->k->y->model->bodies[i].name : "";
}

void zw_rest_name(const zw_rest *s, int unknown, char *out, size_t size) {
    const zw_implicit       *k = s->k;
    int                      block = zw_rest_block(s, unknown), node;
    const zw_implicit_block *b = &k->block[block];
    if (unknown >= b->z0 + b->ncol) {
        for (int i = 0; i < k->nties; i++) {
            const zw_tie *t = &k->tie[i];
            int           at = unknown - b->z0 - b->ncol - t->at;
            if (t->home == block && at >= 0 && at < t->m) {
                zw_system_row_name(k->y, t->row0 + at, out, size);
                return;
            }
        }
        snprintf(out, size, "a constraint");
        return;
    }
    int body = body_of(k, b, &node);
    if (body < 0) {
        snprintf(out, size, "the model");
        return;
    }
    const zw_body_def *d = &k->y->model->bodies[body];
    if (node >= 0) {
        snprintf(out, size, "node %d of rod '%s'", node, d->name);
    } else {
        snprintf(out, size, "%s '%s'", d->kind == ZW_BODY_RIGID ? "rigid body" : "lagrangian", d->name);
    }
}
