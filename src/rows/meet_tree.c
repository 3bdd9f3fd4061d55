/* SPDX-License-Identifier: Apache-2.0
 * meet_tree.c: the triangles of a mesh in a tree of boxes, in the axes of the mesh, made once: what a piece may meet is found in a time that grows with the depth of
 * the tree and with what is found. Halves are made by the middles of the triangles along the longest side of their box. */
#include "rows/meet_part.h"

#include "base/context.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 4, DEPTH = 64 };

typedef struct sorted {
    double middle;
    int    triangle;
} sorted;

static int by_middle(const void *a, const void *b) {
    const sorted *s = a, *t = b;
    return s->middle != t->middle ? (s->middle < t->middle ? -1 : 1) : s->triangle < t->triangle ? -1 : s->triangle > t->triangle;
}

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void box_of(const zw_meet_obstacle *o, int first, int count, zw_box *out) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = INFINITY;
        out->high[k] = -INFINITY;
    }
    for (int i = first; i < first + count; i++) {
        const double *t = o->corner + 9 * (size_t)o->tree_order[i];
        for (int k = 0; k < 9; k++) {
            out->low[k % 3] = fmin(out->low[k % 3], t[k]);
            out->high[k % 3] = fmax(out->high[k % 3], t[k]);
        }
    }
}

static int grow(zw_meet_obstacle *o, int first, int count, sorted *work) {
    int           at = o->ntree++;
    zw_meet_node *node = &o->tree[at];
    *node = (zw_meet_node){.first = first, .count = count, .right = -1};
    box_of(o, first, count, &node->box);
    if (count <= LEAF) {
        return at;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = node->box.high[k] - node->box.low[k] > node->box.high[axis] - node->box.low[axis] ? k : axis;
    }
    for (int i = 0; i < count; i++) {
        const double *t = o->corner + 9 * (size_t)o->tree_order[first + i];
        work[i] = (sorted){t[axis] + t[3 + axis] + t[6 + axis], o->tree_order[first + i]};
    }
    qsort(work, (size_t)count, sizeof *work, by_middle);
    for (int i = 0; i < count; i++) {
        o->tree_order[first + i] = work[i].triangle;
    }
    grow(o, first, count / 2, work); /* the left half is the next node */
    int right = grow(o, first + count / 2, count - count / 2, work);
    o->tree[at].right = right;
    return at;
}

zw_status zw_meet_tree_create(zw_meet *s, zw_meet_obstacle *o) {
    size_t  n = (size_t)o->nsolids;
    sorted *work = zw_alloc(s->context, n, sizeof *work, "a mesh");
    o->tree = zw_arena_alloc(&s->arena, 2 * n, sizeof *o->tree, "a mesh");
    o->tree_order = zw_arena_alloc(&s->arena, n, sizeof *o->tree_order, "a mesh");
    o->tree_found = zw_arena_alloc(&s->arena, n, sizeof *o->tree_found, "a mesh");
    if (work == NULL || o->tree == NULL || o->tree_order == NULL || o->tree_found == NULL) {
        zw_free(s->context, work);
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < o->nsolids; i++) {
        o->tree_order[i] = i;
    }
    grow(o, 0, o->nsolids, work);
    zw_free(s->context, work);
    return ZW_OK;
}

/* the box in space as a box in the axes of the mesh that holds it */
static void to_mesh(const zw_meet_obstacle *o, const zw_box *b, zw_box *out) {
    double middle[3], half[3], d[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (b->low[k] + b->high[k]);
        half[k] = 0.5 * (b->high[k] - b->low[k]);
    }
    zw_v3_sub(d, middle, o->x);
    zw_m3_tmulv(middle, o->R, d);
    for (int k = 0; k < 3; k++) {
        double reach = fabs(o->R[k]) * half[0] + fabs(o->R[3 + k]) * half[1] + fabs(o->R[6 + k]) * half[2];
        reach += 4e-16 * (reach + fabs(middle[k]) + zw_v3_norm(d)); /* rounding */
        out->low[k] = middle[k] - reach;
        out->high[k] = middle[k] + reach;
    }
}

int zw_meet_tree_find(zw_meet_obstacle *o, const zw_box *box, const int **out) {
    int    stack[DEPTH], top = 0, n = 0;
    zw_box local;
    to_mesh(o, box, &local);
    stack[top++] = 0;
    while (top > 0) {
        int                 at = stack[--top];
        const zw_meet_node *node = &o->tree[at];
        if (!zw_boxes_overlap(&node->box, &local)) {
            continue;
        }
        if (node->right >= 0) {
            stack[top++] = node->right;
            stack[top++] = at + 1;
            continue;
        }
        for (int i = 0; i < node->count; i++) {
            const double *t = o->corner + 9 * (size_t)o->tree_order[node->first + i];
            bool          near = true;
            for (int k = 0; k < 3 && near; k++) {
                near = fmin(t[k], fmin(t[3 + k], t[6 + k])) <= local.high[k] && fmax(t[k], fmax(t[3 + k], t[6 + k])) >= local.low[k];
            }
            if (near) {
                o->tree_found[n++] = o->tree_order[node->first + i];
            }
        }
    }
    qsort(o->tree_found, (size_t)n, sizeof *o->tree_found, by_number);
    *out = o->tree_found;
    return n;
}

void zw_meet_tree_box(const zw_meet_obstacle *o, double margin, zw_box *out) {
    const zw_box *b = &o->tree[0].box;
    double        middle[3], half[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (b->low[k] + b->high[k]);
        half[k] = 0.5 * (b->high[k] - b->low[k]);
    }
    zw_m3_mulv(middle, o->R, middle);
    for (int k = 0; k < 3; k++) {
        const double *row = o->R + 3 * k;
        double        reach = fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
        double        at = o->x[k] + middle[k];
        reach += margin + 4e-16 * (reach + fabs(at));
        out->low[k] = at - reach;
        out->high[k] = at + reach;
    }
}
