/* SPDX-License-Identifier: Apache-2.0
 * order.c: minimum degree on the quotient graph.
 *
 * Eliminating p joins its neighbours L_p to a clique. The clique is not written out: p becomes an *element* whose variables are L_p, and
 * the elements p was in are absorbed into it. A variable i keeps a list of elements E_i and of plain neighbours A_i, which together never
 * outgrow its original list: what p brings in replaces at least one entry. The degree of i after p is bounded by
 *     |A_i| + |L_p \ i| + sum over the other elements e of i of |L_e \ L_p|
 * (P. Amestoy, T. Davis, I. Duff, An approximate minimum degree ordering algorithm, 1996). Nodes count alike whatever their size: then a
 * tree always has a leaf of least degree and is eliminated from its leaves, without fill. */
#include "project/order.h"

#include <limits.h>
#include <string.h>

typedef struct quotient {
    zw_context *context;
    int         n;
    const int  *start;
    int        *list;                   /* of variable i at start[i]: ne[i] elements, then na[i] variables */
    int        *ne, *na;                /* na < 0: eliminated */
    int        *head, *next, *previous; /* variables by degree, doubly linked */
    int        *degree, least;
    int        *element0, *element_n; /* variables of element p: pool[element0 ..] ; element_n = 0: absorbed */
    int        *mark, stamp;
    int        *outside, *outside_stamp; /* |L_e \ L_p| of the current p */
    int        *pool;
    size_t      fill, room;
} quotient;

static void degree_remove(quotient *g, int i) {
    if (g->previous[i] >= 0) {
        g->next[g->previous[i]] = g->next[i];
    } else {
        g->head[g->degree[i]] = g->next[i];
    }
    if (g->next[i] >= 0) {
        g->previous[g->next[i]] = g->previous[i];
    }
}

static void degree_insert(quotient *g, int i, int degree) {
    g->degree[i] = degree;
    g->previous[i] = -1;
    g->next[i] = g->head[degree];
    if (g->next[i] >= 0) {
        g->previous[g->next[i]] = i;
    }
    g->head[degree] = i;
    g->least = degree < g->least ? degree : g->least;
}

/* L_p into the pool; its variables carry the stamp */
static zw_status element_form(quotient *g, int p) {
    size_t most = (size_t)g->na[p];
    for (int k = 0; k < g->ne[p]; k++) {
        most += (size_t)g->element_n[g->list[g->start[p] + k]];
    }
    if (g->fill + most > g->room) {
        size_t room = 2 * g->room + most + 1024;
        int   *pool = room > INT_MAX ? NULL : zw_resize(g->context, g->pool, room, sizeof *pool, "elimination order");
        if (!pool) {
            return room > INT_MAX ? zw_raise(g->context, ZW_E_LIMIT, "elimination order", "use fewer coupled rows",
                                             "the rows couple so densely that their order needs more than %d entries", INT_MAX)
                                  : ZW_E_MEMORY;
        }
        g->pool = pool;
        g->room = room;
    }
    g->stamp++;
    g->mark[p] = g->stamp;
    int first = (int)g->fill;
    for (int k = 0; k < g->ne[p] + g->na[p]; k++) {
        int        entry = g->list[g->start[p] + k];
        const int *from = k < g->ne[p] ? g->pool + g->element0[entry] : &g->list[g->start[p] + k];
        int        count = k < g->ne[p] ? g->element_n[entry] : 1;
        for (int j = 0; j < count; j++) {
            int i = from[j];
            if (g->mark[i] != g->stamp) {
                g->mark[i] = g->stamp;
                g->pool[g->fill++] = i;
            }
        }
        if (k < g->ne[p]) {
            g->element_n[entry] = 0; /* absorbed */
        }
    }
    g->element0[p] = first;
    g->element_n[p] = (int)g->fill - first;
    return ZW_OK;
}

/* drops from the lists of i in L_p what element p now stands for, and counts |L_e \ L_p| for the other elements of i */
static void variable_prune(quotient *g, int p, int i) {
    int *list = g->list + g->start[i], ne = 0, na = 0, old_ne = g->ne[i], old_na = g->na[i];
    for (int k = 0; k < old_ne; k++) {
        int e = list[k];
        if (g->element_n[e] > 0) {
            list[ne++] = e;
            if (g->outside_stamp[e] != g->stamp) {
                g->outside_stamp[e] = g->stamp;
                g->outside[e] = g->element_n[e];
            }
            g->outside[e]--;
        }
    }
    for (int k = 0; k < old_na; k++) {
        int j = list[old_ne + k];
        if (g->mark[j] != g->stamp) {
            list[ne + na++] = j;
        }
    }
    /* room for p: something was dropped above; the first plain neighbour moves to the end */
    if (na > 0) {
        list[ne + na] = list[ne];
    }
    list[ne] = p;
    g->ne[i] = ne + 1;
    g->na[i] = na;
}

static int variable_degree(const quotient *g, int p, int i) {
    const int *list = g->list + g->start[i];
    long long  degree = g->element_n[p] - 1 + g->na[i];
    for (int k = 0; k < g->ne[i] - 1; k++) {
        degree += g->outside[list[k]];
    }
    return degree < g->n ? (int)degree : g->n - 1;
}

static zw_status eliminate_all(quotient *g, int *order) {
    for (int i = g->n - 1; i >= 0; i--) { /* the lowest number of equal degree stands first */
        degree_insert(g, i, g->na[i]);
    }
    for (int done = 0; done < g->n; done++) {
        while (g->head[g->least] < 0) {
            g->least++;
        }
        int p = g->head[g->least];
        degree_remove(g, p);
        order[done] = p;
        ZW_TRY(element_form(g, p));
        g->na[p] = -1;
        const int *l = g->pool + g->element0[p];
        for (int k = 0; k < g->element_n[p]; k++) {
            variable_prune(g, p, l[k]);
        }
        for (int k = g->element_n[p] - 1; k >= 0; k--) {
            degree_remove(g, l[k]);
            degree_insert(g, l[k], variable_degree(g, p, l[k]));
        }
    }
    return ZW_OK;
}

zw_status zw_order_minimum_degree(zw_context *c, int n, const int *start, const int *adj, int *order) {
    if (n == 0) {
        return ZW_OK;
    }
    quotient g = {.context = c, .n = n, .start = start, .least = n - 1};
    size_t   edges = (size_t)start[n], count = edges + 11 * (size_t)n;
    int     *block = zw_alloc(c, count, sizeof *block, "elimination order");
    if (!block) {
        return ZW_E_MEMORY;
    }
    int **array[] = {&g.ne,        &g.na,   &g.next,    &g.previous,      &g.degree, &g.element0,
                     &g.element_n, &g.mark, &g.outside, &g.outside_stamp, &g.head};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = block + k * (size_t)n;
    }
    g.list = block + 11 * (size_t)n;
    if (edges > 0) {
        memcpy(g.list, adj, edges * sizeof *adj);
    }
    for (int i = 0; i < n; i++) {
        g.head[i] = -1;
        g.na[i] = start[i + 1] - start[i];
    }
    zw_status status = eliminate_all(&g, order);
    zw_free(c, g.pool);
    zw_free(c, block);
    return status;
}
