/* SPDX-License-Identifier: Apache-2.0
 * panel.c: panels found, values placed, the sparse loops over them.
 *
 * The order of elimination and the pattern of L are those of blockchol.h, columns renumbered by a postorder of the elimination tree with the child of the longest
 * column last: then columns that can share a panel follow each other. A column joins the panel of its child when it is its parent and the rows that the
 * child lacks, stored as zeros, stay a small share of the panel. The rows of a panel are those of its last column. */
#include "project/panel.h"

#include "project/blockchol.h"

#include <string.h>

const zw_panel_path *zw_panel_path_best(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        return &zw_panel_path_avx2;
    }
#endif
    return &zw_panel_path_any;
}

/* ---- pattern ---- */

typedef struct tree { /* over the blocks of L, by position in the order of blockchol.h */
    int *parent, *child, *sibling, *stack;
    int *post; /* [nb] k-th in the postorder */
    int *at;   /* [nb] the other way */
} tree;

static int length(const zw_blockchol *f, int j) {
    return f->start[j + 1] - f->start[j];
}

static zw_status tree_make(zw_arena *scratch, const zw_blockchol *f, tree *t) {
    int **array[] = {&t->parent, &t->child, &t->sibling, &t->stack, &t->post, &t->at};
    for (int k = 0; k < 6; k++) {
        *array[k] = zw_arena_alloc(scratch, (size_t)f->nb + 1, sizeof(int), "panels");
        if (!*array[k]) {
            return ZW_E_MEMORY;
        }
    }
    for (int j = 0; j < f->nb; j++) {
        t->child[j] = -1;
    }
    int roots = -1;
    for (int j = f->nb - 1; j >= 0; j--) { /* lists begin with the child of the shortest column; ties by number */
        t->parent[j] = length(f, j) > 1 ? f->row[f->start[j] + 1] : -1;
        int *link = t->parent[j] < 0 ? &roots : &t->child[t->parent[j]];
        while (*link >= 0 && t->parent[j] >= 0 && length(f, *link) < length(f, j)) {
            link = &t->sibling[*link];
        }
        t->sibling[j] = *link;
        *link = j;
    }
    int depth = 0, count = 0;
    for (int root = roots; root >= 0; root = t->sibling[root]) {
        t->stack[depth++] = root;
        while (depth > 0) {
            int j = t->stack[depth - 1], next = t->child[j];
            if (next >= 0) {
                t->child[j] = t->sibling[next];
                t->stack[depth++] = next;
            } else {
                t->at[j] = count;
                t->post[count++] = j;
                depth--;
            }
        }
    }
    return ZW_OK;
}

/* last[k]: position k of the postorder ends a panel; returns how many do */
static int panels_cut(const zw_blockchol *f, const tree *t, unsigned char *last) {
    int       npanels = 0;
    ptrdiff_t width = 0, zeros = 0; /* in blocks; of the panel that is open */
    for (int k = 0; k < f->nb; k++) {
        int       j = t->post[k], rows = length(f, j);
        ptrdiff_t more = width > 0 ? width * (rows - (length(f, t->post[k - 1]) - 1)) : 0;
        bool      joins = width > 0 && t->parent[t->post[k - 1]] == j;
        ptrdiff_t area = (width + 1) * rows + width * (width + 1) / 2;
        if (joins && zeros + more > (width < 4 ? area / 3 : area / 8)) {
            joins = false;
        }
        if (k > 0) {
            last[k - 1] = !joins;
            npanels += !joins;
        }
        zeros = joins ? zeros + more : 0;
        width = joins ? width + 1 : 1;
    }
    if (f->nb > 0) {
        last[f->nb - 1] = 1;
        npanels++;
    }
    return npanels;
}

static ptrdiff_t padded(ptrdiff_t n) {
    return (n + ZW_PANEL_ROWS - 1) / ZW_PANEL_ROWS * ZW_PANEL_ROWS;
}

static int search_row(const zw_panel *p, int row) {
    int low = 0, high = p->below;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* the panels, their rows and the largest pieces of work; first[k]: first scalar column of position k of the postorder */
static zw_status panels_fill(zw_arena *arena, const zw_blockchol *f, const tree *t, const unsigned char *last, const int *first,
                             unsigned char *mark, zw_panels *out) {
    int       count = 0, open = 0;
    ptrdiff_t most_packed = 1, most_update = 1, most_rows = 1;
    for (int k = 0; k < f->nb; k++) {
        if (!last[k]) {
            continue;
        }
        zw_panel *p = &out->panel[count];
        int       j = t->post[k];
        p->first = first[open];
        p->width = first[k + 1] - first[open];
        for (int q = f->start[j] + 1; q < f->start[j + 1]; q++) {
            int at = t->at[f->row[q]];
            p->below += first[at + 1] - first[at];
            mark[at] = 1;
        }
        p->row = zw_arena_alloc(arena, (size_t)p->below, sizeof *p->row, "panels");
        if (!p->row) {
            return ZW_E_MEMORY;
        }
        for (int up = t->parent[j], i = 0; i < p->below;
             up = t->parent[up]) { /* they are among the ancestors, which rise in the new order */
            int at = t->at[up];
            for (int c = first[at]; mark[at] && c < first[at + 1]; c++) {
                p->row[i++] = c;
            }
            mark[at] = 0;
        }
        for (int c = p->first; c < p->first + p->width; c++) {
            out->panel_of[c] = count;
        }
        p->at = out->nvalues;
        p->ld = padded(p->width + p->below);
        out->nvalues += p->ld * p->width;
        most_packed = padded(p->below) * p->width > most_packed ? padded(p->below) * p->width : most_packed;
        most_rows = p->below > most_rows ? p->below : most_rows;
        count++;
        open = k + 1;
    }
    for (int s = 0; s < count; s++) {
        const zw_panel *p = &out->panel[s];
        for (int i = 0; i < p->below;) {
            const zw_panel *to = &out->panel[out->panel_of[p->row[i]]];
            int             end = search_row(p, to->first + to->width);
            ptrdiff_t       area = padded(p->below - i) * padded(end - i);
            most_update = area > most_update ? area : most_update;
            i = end;
        }
    }
    out->l = zw_arena_alloc(arena, (size_t)out->nvalues + 2 * ZW_PANEL_ROWS, sizeof(double), "panels");
    out->packed = zw_arena_alloc(arena, (size_t)most_packed + 2 * ZW_PANEL_ROWS, sizeof(double), "panels");
    out->update = zw_arena_alloc(arena, (size_t)most_update, sizeof(double), "panels");
    out->work = zw_arena_alloc(arena, (size_t)out->n + (size_t)most_rows, sizeof(double), "panels");
    out->list = zw_arena_alloc(arena, (size_t)most_rows, sizeof(int), "panels");
    out->into = zw_arena_alloc(arena, (size_t)most_rows, sizeof(int), "panels");
    return out->l && out->packed && out->update && out->work && out->list && out->into ? ZW_OK : ZW_E_MEMORY;
}

static zw_status analyse(zw_arena *arena, zw_arena *scratch, int nb, const int *start, const int *adj, const int *size, zw_panels *out) {
    zw_blockchol   f;
    tree           t;
    size_t         room = (size_t)nb + 1;
    unsigned char *last = zw_arena_alloc(scratch, room, 1, "panels"), *mark = zw_arena_alloc(scratch, room, 1, "panels");
    int *first = zw_arena_alloc(scratch, room, sizeof(int), "panels"), *column = zw_arena_alloc(scratch, room, sizeof(int), "panels");
    if (!last || !mark || !first || !column) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_blockchol_analyse(scratch, nb, start, adj, size, &f));
    ZW_TRY(tree_make(scratch, &f, &t));
    out->n = f.n;
    out->npanels = panels_cut(&f, &t, last);
    out->panel = zw_arena_alloc(arena, (size_t)out->npanels, sizeof *out->panel, "panels");
    out->from = zw_arena_alloc(arena, (size_t)f.n, sizeof(int), "panels");
    out->place = zw_arena_alloc(arena, (size_t)f.n, sizeof(int), "panels");
    out->panel_of = zw_arena_alloc(arena, (size_t)f.n, sizeof(int), "panels");
    if (!out->panel || !out->from || !out->place || !out->panel_of) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < nb; i++) {
        column[i + 1] = column[i] + size[i];
    }
    for (int k = 0; k < nb; k++) {
        int block = f.order[t.post[k]];
        first[k + 1] = first[k] + size[block];
        for (int c = 0; c < size[block]; c++) {
            out->from[first[k] + c] = column[block] + c;
            out->place[column[block] + c] = first[k] + c;
        }
    }
    return panels_fill(arena, &f, &t, last, first, mark, out);
}

zw_status zw_panels_analyse(zw_arena *arena, int nb, const int *start, const int *adj, const int *size, zw_panels *out) {
    zw_arena scratch;
    zw_arena_init(&scratch, arena->context);
    *out = (zw_panels){.path = zw_panel_path_best()};
    zw_status status = analyse(arena, &scratch, nb, start, adj, size, out);
    zw_arena_destroy(&scratch);
    return status;
}

void zw_panels_zero(zw_panels *f) {
    memset(f->l, 0, (size_t)f->nvalues * sizeof *f->l);
}

ptrdiff_t zw_panels_find(const zw_panels *f, int i, int j, ptrdiff_t *stride) {
    int             row = f->place[i], column = f->place[j];
    const zw_panel *p = &f->panel[f->panel_of[column]];
    *stride = p->ld;
    if (row < p->first + p->width) {
        return row >= column ? p->at + (row - p->first) + (column - p->first) * p->ld : -1;
    }
    return p->at + p->width + search_row(p, row) + (column - p->first) * p->ld;
}

/* ---- values ---- */

/* the rows under the triangle that are not zero; returns how many */
static int rows_used(const zw_panels *f, const zw_panel *p) {
    const double *a = f->l + p->at + p->width;
    double       *sum = f->work;
    int           count = 0;
    memset(sum, 0, (size_t)p->below * sizeof *sum);
    for (int c = 0; c < p->width; c++) {
        for (int i = 0; i < p->below; i++) {
            sum[i] += a[i + c * p->ld] * a[i + c * p->ld];
        }
    }
    for (int i = 0; i < p->below; i++) {
        if (sum[i] != 0.0) {
            f->list[count++] = i;
        }
    }
    return count;
}

/* takes a a' from the panels of its rows */
static void spread(zw_panels *f, const zw_panel *p, int count, const double *a, ptrdiff_t lda) {
    for (int i = 0; i < count;) {
        const zw_panel *to = &f->panel[f->panel_of[p->row[f->list[i]]]];
        int             cols = i, end = to->first + to->width;
        while (cols < count && p->row[f->list[cols]] < end) {
            f->into[cols] = p->row[f->list[cols]] - to->first;
            cols++;
        }
        for (int k = cols, q = 0; k < count; k++) {
            while (to->row[q] != p->row[f->list[k]]) {
                q++;
            }
            f->into[k] = to->width + q;
        }
        int       rows = count - i;
        ptrdiff_t ldc = padded(rows);
        cols -= i;
        f->path->product(rows, cols, p->width, a + i, lda, a + i, lda, f->update, ldc);
        const int *into = f->into + i;
        for (int c = 0; c < cols; c++) {
            double       *column = f->l + to->at + into[c] * to->ld;
            const double *from = f->update + c * ldc;
            for (int k = c; k < rows; k++) {
                column[into[k]] -= from[k];
            }
        }
        i += cols;
    }
}

bool zw_panels_factor(zw_panels *f) {
    for (int s = 0; s < f->npanels; s++) {
        const zw_panel *p = &f->panel[s];
        double         *a = f->l + p->at;
        if (f->path->factor(p->width + p->below, p->width, a, p->ld) >= 0) {
            return false;
        }
        int count = rows_used(f, p);
        if (4 * count > 3 * p->below) {
            for (int i = 0; i < p->below; i++) {
                f->list[i] = i;
            }
            spread(f, p, p->below, a + p->width, p->ld);
        } else if (count > 0) {
            ptrdiff_t ld = padded(count);
            for (int c = 0; c < p->width; c++) {
                for (int i = 0; i < count; i++) {
                    f->packed[i + c * ld] = a[p->width + f->list[i] + c * p->ld];
                }
            }
            spread(f, p, count, f->packed, ld);
        }
    }
    return true;
}

/* sum a_i b_i in eight parts, the same on every machine */
static double dot(int n, const double *a, const double *b) {
    double part[8] = {0.0}, sum = 0.0;
    int    i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            part[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum + (((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7])));
}

void zw_panels_solve(const zw_panels *f, double *v) {
    double *x = f->work, *t = f->work + f->n;
    for (int c = 0; c < f->n; c++) {
        x[c] = v[f->from[c]];
    }
    for (int s = 0; s < f->npanels; s++) {
        const zw_panel *p = &f->panel[s];
        double         *y = x + p->first;
        memset(t, 0, (size_t)p->below * sizeof *t);
        for (int c = 0; c < p->width; c++) {
            const double *a = f->l + p->at + c * p->ld, *under = a + p->width;
            double        z = y[c] / a[c];
            y[c] = z;
            for (int i = c + 1; i < p->width; i++) {
                y[i] -= a[i] * z;
            }
            for (int i = 0; i < p->below; i++) {
                t[i] += under[i] * z;
            }
        }
        for (int i = 0; i < p->below; i++) {
            x[p->row[i]] -= t[i];
        }
    }
    for (int s = f->npanels - 1; s >= 0; s--) {
        const zw_panel *p = &f->panel[s];
        double         *y = x + p->first;
        for (int i = 0; i < p->below; i++) {
            t[i] = x[p->row[i]];
        }
        for (int c = p->width - 1; c >= 0; c--) {
            const double *a = f->l + p->at + c * p->ld;
            double        z = y[c] - dot(p->below, a + p->width, t);
            y[c] = (z - dot(p->width - 1 - c, a + c + 1, y + c + 1)) / a[c];
        }
    }
    for (int c = 0; c < f->n; c++) {
        v[f->from[c]] = x[c];
    }
}
