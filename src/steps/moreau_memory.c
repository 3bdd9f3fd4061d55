/* SPDX-License-Identifier: Apache-2.0
 * moreau_memory.c: what verlet keeps of its contacts in state.w, so that a step depends on the state alone and a run that is resumed has the same bits: which contacts pushed
 * (a few bits each, as in a Bloom filter, found by hashes of their id) and, with friction, their impulses in a table by hashes, with which the next search begins. What
 * does not find room in the table, or another's place, is a worse guess and nothing else. */
#include "steps/moreau_part.h"

#include <math.h>
#include <string.h>

enum { WORD = 48, MARKS = 3, PROBES = 16, SLOT = 4 };

static uint64_t hash(int64_t id, int mark) {
    uint64_t h = ((uint64_t)id + (uint64_t)mark * 0x632be59bd9b4e019u) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
}

static void place_of(const zw_moreau *k, int64_t id, int mark, int *word, double *bit) {
    uint64_t h = hash(id, mark) % ((uint64_t)k->nwords * WORD);
    *word = (int)(h / WORD);
    *bit = ldexp(1.0, (int)(h % WORD));
}

static bool bit_in(double word, double bit) {
    return fmod(floor(word / bit), 2.0) == 1.0;
}

/* the slot of a contact: key, p, pt; or the free one where it would go; NULL: neither is near */
static const double *slot_of(const zw_moreau *k, const double *table, int64_t id) {
    uint64_t h = hash(id, MARKS);
    double   key = (double)(hash(id, MARKS + 1) >> 12) + 1.0;
    for (int probe = 0; probe < PROBES && k->nslots > 0; probe++) {
        const double *slot = table + SLOT * ((h + (uint64_t)probe) % (uint64_t)k->nslots);
        if (slot[0] == key || slot[0] == 0.0) {
            return slot;
        }
    }
    return NULL;
}

int zw_moreau_memory_size(const zw_moreau *k) {
    return k->nwords + SLOT * k->nslots;
}

void zw_moreau_recall(const zw_moreau *k, const double *memory, zw_contact_set *s) {
    for (int i = 0; i < s->n; i++) {
        zw_contact *c = &s->at[i];
        bool        known = true;
        for (int mark = 0; mark < MARKS && known; mark++) {
            int    word;
            double bit;
            place_of(k, s->meeting[i].id, mark, &word, &bit);
            known = bit_in(memory[word], bit);
        }
        c->guess = c->pushed = known;
        const double *slot = c->slide >= 0 ? slot_of(k, memory + k->nwords, s->meeting[i].id) : NULL;
        if (slot != NULL && slot[0] != 0.0) {
            c->p = slot[1];
            c->pt[0] = slot[2];
            c->pt[1] = slot[3];
        }
    }
}

void zw_moreau_remember(const zw_moreau *k, double *memory, const zw_contact_set *s) {
    memset(memory, 0, sizeof(double) * (size_t)zw_moreau_memory_size(k));
    for (int i = 0; i < s->n; i++) {
        const zw_contact *c = &s->at[i];
        if (!c->on || !(c->p > 0.0)) {
            continue;
        }
        for (int mark = 0; mark < MARKS; mark++) {
            int    word;
            double bit;
            place_of(k, s->meeting[i].id, mark, &word, &bit);
            memory[word] += bit_in(memory[word], bit) ? 0.0 : bit;
        }
        const double *slot = c->slide >= 0 ? slot_of(k, memory + k->nwords, s->meeting[i].id) : NULL;
        if (slot != NULL) {
            double *to = memory + (slot - memory);
            to[0] = (double)(hash(s->meeting[i].id, MARKS + 1) >> 12) + 1.0;
            to[1] = c->p;
            to[2] = c->pt[0];
            to[3] = c->pt[1];
        }
    }
}
