/* SPDX-License-Identifier: Apache-2.0
 * unilateral_memory.c: the active set that the last solve ended with, by tile id and row: where the next one begins. What comes out does not depend on it. */
#include "project/unilateral_search.h"

static bool before(zw_unilateral_memory a, zw_unilateral_memory b) {
    return a.id < b.id || (a.id == b.id && a.k < b.k);
}

static void sift(zw_unilateral_memory *v, int i, int n) {
    for (int child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && before(v[child], v[child + 1]);
        if (!before(v[i], v[child])) {
            return;
        }
        zw_unilateral_memory t = v[i];
        v[i] = v[child];
        v[child] = t;
    }
}

static void sort(zw_unilateral_memory *v, int n) {
    for (int i = n / 2 - 1; i >= 0; i--) {
        sift(v, i, n);
    }
    for (int end = n - 1; end > 0; end--) {
        zw_unilateral_memory t = v[0];
        v[0] = v[end];
        v[end] = t;
        sift(v, 0, end);
    }
}

void zw_unilateral_recall(zw_unilateral *u, const zw_rows *N, unsigned char *set) {
    for (int i = 0; i < N->m; i++) {
        set[i] = 0;
    }
    for (int t = 0; t < N->ntiles && u->nmemory > 0; t++) {
        for (int k = 0; k < N->tile[t].m; k++) {
            zw_unilateral_memory key = {.id = N->tile[t].id, .k = k};
            int                  low = 0, high = u->nmemory;
            while (low < high) {
                int middle = low + (high - low) / 2;
                if (before(u->memory[middle], key)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            set[N->tile[t].row + k] = low < u->nmemory && u->memory[low].id == key.id && u->memory[low].k == k ? u->memory[low].hint : 0;
        }
    }
}

zw_status zw_unilateral_remember(zw_unilateral *u, const zw_rows *N, const unsigned char *set) {
    u->nmemory = 0;
    if (N->m > u->memory_room) {
        int                   room = N->m + N->m / 4;
        zw_unilateral_memory *more = zw_resize(u->context, u->memory, (size_t)room, sizeof *more, "active set");
        if (!more) {
            return ZW_E_MEMORY;
        }
        u->memory = more;
        u->memory_room = room;
    }
    for (int t = 0; t < N->ntiles; t++) {
        for (int k = 0; k < N->tile[t].m; k++) {
            if (set[N->tile[t].row + k]) {
                u->memory[u->nmemory++] = (zw_unilateral_memory){.id = N->tile[t].id, .k = k, .hint = set[N->tile[t].row + k]};
            }
        }
    }
    sort(u->memory, u->nmemory);
    return ZW_OK;
}
