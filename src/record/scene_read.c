/* SPDX-License-Identifier: Apache-2.0
 * scene_read.c: bodies at up to eight times of the record, the ways of points, where impacts were, and the box around all of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "parts/rigid.h"
#include "record/epochs.h"
#include "record/scene_part.h"

/* NAME of "KIND/NAME/what"; false when the channel is something else */
static bool body_channel(const char *channel, const char *kind, const char *what, char *name, size_t size) {
    size_t n = strlen(channel), head = strlen(kind) + 1, tail = strlen(what) + 1;
    if (n < head + tail + 1 || strncmp(channel, kind, head - 1) != 0 || channel[head - 1] != '/' || channel[n - tail] != '/' ||
        strcmp(channel + n - tail + 1, what) != 0) {
        return false;
    }
    snprintf(name, size, "%.*s", (int)(n - head - tail), channel + head);
    return true;
}

static bool rod_channel(const char *channel, const char *what, char *name, size_t size) {
    return body_channel(channel, "rod", what, name, size);
}

/* value of a constant of a rod, the greatest when it has several; 0 when it is not there */
static double rod_constant(const zw_layout *layout, const char *name, const char *what) {
    char   of[96];
    double most = 0;
    for (int i = 0; i < layout->nconstants; i++) {
        const zw_channel *k = &layout->constant[i];
        if (layout->constants && rod_channel(k->name, what, of, sizeof of) && strcmp(of, name) == 0) {
            for (size_t j = 0; j < k->count; j++) {
                most = fmax(most, layout->constants[k->offset + j]);
            }
        }
    }
    return most;
}

/* which points of a lagrangian body are joined by lines */
static void read_links(const zw_layout *layout, const char *name, zw_scene_shape *one) {
    char of[96];
    for (int i = 0; i < layout->nconstants; i++) {
        const zw_channel *k = &layout->constant[i];
        if (layout->constants && body_channel(k->name, "lagrangian", "links", of, sizeof of) && strcmp(of, name) == 0) {
            one->nlinks = (int)(k->count / 2);
            one->link = layout->constants + k->offset;
        }
    }
}

static const zw_channel *find_constant(const zw_layout *layout, const char *name, const char *what) {
    char of[96];
    for (int i = 0; layout->constants && i < layout->nconstants; i++) {
        if (body_channel(layout->constant[i].name, "rigid", what, of, sizeof of) && strcmp(of, name) == 0) {
            return &layout->constant[i];
        }
    }
    return NULL;
}

/* counts a shape, and keeps the names of the first ones for the legend */
static void name_body(zw_scene *s, zw_scene_moment *m, const char *name) {
    if (m->nshapes < ZW_SCENE_TIMES && m->nshapes >= s->nbodies) {
        snprintf(s->body[s->nbodies++], sizeof s->body[0], "%.79s", name);
    }
    m->nshapes++;
}

/* the convex pieces of the rigid bodies of the model; a body that cannot be made has none, and its outline is drawn */
static zw_status make_solids(zw_scene *s, zw_arena *a) {
    const zw_model *m = s->model;
    s->solids_of = zw_arena_alloc(a, (size_t)(m ? m->nbodies : 0) + 1, sizeof *s->solids_of, "solids of a picture");
    if (!s->solids_of) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; m && i < m->nbodies; i++) {
        zw_rigid  body = {0};
        zw_status status = m->bodies[i].kind == ZW_BODY_RIGID ? zw_rigid_forms(m, &m->bodies[i], a, &body) : ZW_E_MODEL;
        if (status == ZW_E_MEMORY) {
            return status;
        }
        zw_scene_solid *solid = zw_arena_alloc(a, (size_t)body.nforms + 1, sizeof *solid, "solids of a picture");
        if (!solid) {
            return ZW_E_MEMORY;
        }
        for (int k = 0; status == ZW_OK && k < body.nforms; k++) {
            solid[k].at = body.form[k];
            ZW_TRY(zw_scene_solid_lines(a, &solid[k], false));
        }
        s->solids_of[i].nsolids = status == ZW_OK ? body.nforms : 0;
        s->solids_of[i].solid = solid;
    }
    return ZW_OK;
}

static void find_solids(const zw_scene *s, const char *name, zw_scene_shape *out) {
    int n = s->model ? s->model->nbodies : 0;
    for (int k = 0; k < n; k++) { /* bodies mostly come in the order of the model */
        int i = (s->at[s->nmoments].nshapes + k) % n;
        if (strcmp(s->model->bodies[i].name, name) == 0) {
            out->nsolids = s->solids_of[i].nsolids;
            out->solid = s->solids_of[i].solid;
            return;
        }
    }
}

/* the outline of a rigid body as it lies at a frame; without one a cross at its place is not invented: n = 0 */
static zw_status read_rigid(const zw_scene *s, zw_arena *a, const zw_results *r, int epoch, int64_t frame, int channel, const char *name,
                            zw_scene_shape *out) {
    enum { MOST = 20000 }; /* lines of a picture: more than that nobody sees */
    const zw_layout  *layout = zw_results_layout(r, epoch);
    const zw_channel *outline = find_constant(layout, name, "outline");
    char              turn[128];
    double            x[3], q[4] = {1, 0, 0, 0};
    snprintf(turn, sizeof turn, "rigid/%s/orientation", name);
    ZW_TRY(zw_results_read(r, epoch, channel, frame, 1, x));
    for (int i = 0; i < layout->nchannels; i++) {
        if (strcmp(layout->channel[i].name, turn) == 0 && layout->channel[i].count == 4) {
            ZW_TRY(zw_results_read(r, epoch, i, frame, 1, q));
        }
    }
    size_t  n = outline != NULL && outline->count <= 6 * MOST ? outline->count / 3 : 0;
    double *p = zw_arena_alloc(a, 3 * n + 3, sizeof *p, "outline of a rigid body");
    if (!p) {
        return ZW_E_MEMORY;
    }
    for (size_t j = 0; j < n; j++) {
        zw_q_rotate(q, layout->constants + outline->offset + 3 * j, p + 3 * j);
        zw_v3_add(p + 3 * j, p + 3 * j, x);
    }
    if (n == 0) {
        zw_v3_copy(p, x);
    }
    *out = (zw_scene_shape){.n = n > 0 ? (int)n : 1, .p = p, .pairs = n > 0, .points = n == 0};
    zw_v3_copy(out->x, x);
    zw_q_to_matrix(q, out->R);
    find_solids(s, name, out);
    return ZW_OK;
}

static zw_status read_moment(zw_scene *s, zw_arena *a, const zw_results *r, int epoch, int64_t frame) {
    const zw_layout *layout = zw_results_layout(r, epoch);
    zw_scene_moment *m = &s->at[s->nmoments];
    char             name[96];
    m->shape = zw_arena_alloc(a, (size_t)layout->nchannels, sizeof *m->shape, "the shapes of a picture");
    m->order = zw_arena_alloc(a, (size_t)layout->nchannels + 1, sizeof *m->order, "the shapes of a picture");
    if (!m->shape || !m->order) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < layout->nchannels; i++) {
        const zw_channel *c = &layout->channel[i];
        if (strcmp(c->name, "time") == 0) {
            ZW_TRY(zw_results_read(r, epoch, i, frame, 1, &m->t));
        }
        if (body_channel(c->name, "rigid", "position", name, sizeof name) && c->count == 3) {
            ZW_TRY(read_rigid(s, a, r, epoch, frame, i, name, &m->shape[m->nshapes]));
            m->shape[m->nshapes].body = m->nshapes;
            name_body(s, m, name);
            continue;
        }
        bool points = body_channel(c->name, "lagrangian", "points", name, sizeof name);
        if ((!points && !rod_channel(c->name, "position", name, sizeof name)) || c->rank != 2 || c->shape[1] != 3 || c->shape[0] < 1) {
            continue;
        }
        double *p = zw_arena_alloc(a, c->count, sizeof *p, "positions of a picture");
        if (!p) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(zw_results_read(r, epoch, i, frame, 1, p));
        zw_scene_shape *one = &m->shape[m->nshapes];
        *one = (zw_scene_shape){.n = c->shape[0], .p = p, .body = m->nshapes, .points = points};
        if (points) {
            read_links(layout, name, one);
        } else {
            one->radius = rod_constant(layout, name, "radius");
            one->closed = rod_constant(layout, name, "closed") > 0;
        }
        name_body(s, m, name);
    }
    s->nmoments += m->nshapes > 0;
    return ZW_OK;
}

int zw_scene_links_of(const zw_scene_shape *one, int point) {
    int n = 0;
    for (int i = 0; i < 2 * one->nlinks; i++) {
        n += (int)one->link[i] == point;
    }
    return n;
}

/* the way of every point of the lagrangian bodies, whose sizes never change */
static zw_status read_trails(zw_scene *s, zw_arena *a, const zw_results *r, int64_t total) {
    enum { MOST = 600, TRAILS = 64 };
    int64_t every = total > MOST ? total / MOST + 1 : 1;
    char    name[96];
    s->trail = zw_arena_alloc(a, TRAILS, sizeof *s->trail, "trails");
    if (!s->trail) {
        return ZW_E_MEMORY;
    }
    zw_epochs all;
    zw_epochs_init(&all, a, r);
    const zw_layout *first = all.layout;
    int              body = 0;
    for (int i = 0; i < first->nchannels; i++) {
        const zw_channel *c = &first->channel[i];
        if (body_channel(c->name, "rigid", "position", name, sizeof name) && c->count == 3) {
            body++;
            continue;
        }
        bool points = body_channel(c->name, "lagrangian", "points", name, sizeof name);
        if ((!points && !rod_channel(c->name, "position", name, sizeof name)) || c->rank != 2 || c->shape[1] != 3 || c->shape[0] < 1) {
            continue;
        }
        if (points && s->ntrails + c->shape[0] <= TRAILS) {
            size_t  room = (size_t)((total + every - 1) / every);
            double *one = zw_arena_alloc(a, c->count, sizeof *one, "trails");
            double *p = zw_arena_alloc(a, room * c->count, sizeof *p, "trails");
            if (!one || !p) {
                return ZW_E_MEMORY;
            }
            size_t n = 0;
            for (int64_t frame = 0; frame < total && n < room; frame += every, n++) {
                ZW_TRY(zw_epochs_read(&all, i, frame, 1, one));
                for (int k = 0; k < c->shape[0]; k++) {
                    memcpy(p + 3 * (room * (size_t)k + n), one + 3 * k, 3 * sizeof *p);
                }
            }
            zw_scene_shape linked = {0};
            read_links(first, name, &linked);
            for (int k = 0; k < c->shape[0] && n > 1; k++) {
                if (zw_scene_links_of(&linked, k) > 1) {
                    continue;
                }
                s->trail[s->ntrails++] = (zw_scene_shape){.n = (int)n, .p = p + 3 * room * (size_t)k, .body = body};
            }
        }
        body++;
    }
    return ZW_OK;
}

void zw_scene_include(zw_scene *s, int n, const double *p, bool *some) {
    for (int j = 0; j < 3 * n; j++) {
        if (isfinite(p[j])) {
            s->lo[j % 3] = *some || j > 2 ? fmin(s->lo[j % 3], p[j]) : p[j];
            s->hi[j % 3] = *some || j > 2 ? fmax(s->hi[j % 3], p[j]) : p[j];
        }
    }
    *some = true;
}

zw_status zw_scene_read(zw_scene *s, zw_arena *a, const zw_results *r) {
    int64_t total = zw_results_total(r), within = 0;
    int     e = 0;
    ZW_TRY(make_solids(s, a));
    int64_t wanted = total < ZW_SCENE_TIMES ? total : ZW_SCENE_TIMES;
    for (int64_t k = 0; k < wanted; k++) { /* each on the mesh that it had */
        if (zw_results_locate(r, wanted == 1 ? 0 : (total - 1) * k / (wanted - 1), &e, &within)) {
            ZW_TRY(read_moment(s, a, r, e, within));
        }
    }
    bool some = false;
    for (int m = 0; m < s->nmoments; m++) {
        for (int i = 0; i < s->at[m].nshapes; i++) {
            zw_scene_include(s, s->at[m].shape[i].n, s->at[m].shape[i].p, &some);
        }
    }
    if (s->nmoments > 0) {
        ZW_TRY(read_trails(s, a, r, total));
    }
    for (int i = 0; i < s->ntrails; i++) {
        zw_scene_include(s, s->trail[i].n, s->trail[i].p, &some);
    }
    return ZW_OK;
}
