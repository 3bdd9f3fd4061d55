/* SPDX-License-Identifier: Apache-2.0
 * test_arena.c: alignment, zeroing, marks, reuse of released blocks, and failure. */
#include "support/check.h"

#include "base/arena.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#if defined(WITH_ASAN)
#include <sanitizer/asan_interface.h>
#endif

typedef struct counter {
    int  calls, live;
    bool refuse;
} counter;

static void *counting_realloc(void *user, void *p, size_t size) {
    counter *n = user;
    if (size == 0) {
        n->live -= p ? 1 : 0;
        free(p);
        return NULL;
    }
    if (n->refuse) {
        return NULL;
    }
    n->calls++;
    n->live += p ? 0 : 1;
    return realloc(p, size);
}

static zw_context *context_with(counter *n) {
    zw_context_def def = zw_context_def_default();
    def.realloc = counting_realloc;
    def.realloc_user = n;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(&def, &c), ZW_OK);
    return c;
}

static void assert_zero(const unsigned char *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(p[i], 0);
    }
}

static void blocks_are_aligned_zero_and_disjoint(void **state) {
    (void)state;
    counter     n = {0};
    zw_context *c = context_with(&n);
    zw_arena    a;
    zw_arena_init(&a, c);
    enum { COUNT = 400 };
    unsigned char *p[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        p[i] = zw_arena_alloc(&a, i, 7, "part");
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % 64, 0);
        assert_zero(p[i], 7 * i);
        memset(p[i], (int)(i % 251) + 1, 7 * i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < 7 * i; j++) {
            assert_int_equal(p[i][j], (int)(i % 251) + 1);
        }
    }
    assert_true(a.used >= 7 * COUNT * (COUNT - 1) / 2);
    assert_int_equal(a.peak, a.used);
    zw_arena_destroy(&a);
    assert_int_equal(n.live, 1);
    zw_context_destroy(c);
}

static void one_request_may_exceed_every_block_size(void **state) {
    (void)state;
    counter     n = {0};
    zw_context *c = context_with(&n);
    zw_arena    a;
    zw_arena_init(&a, c);
    zw_arena_alloc(&a, 1, 1, "small");
    double *big = zw_arena_alloc(&a, 2000000, sizeof *big, "big");
    assert_non_null(big);
    big[1999999] = 1.0;
    assert_int_equal(big[1000000] == 0.0, 1);
    zw_arena_destroy(&a);
    zw_context_destroy(c);
    assert_int_equal(n.live, 0);
}

static void released_memory_comes_back_zeroed_without_asking_the_allocator(void **state) {
    (void)state;
    counter     n = {0};
    zw_context *c = context_with(&n);
    zw_arena    a;
    zw_arena_init(&a, c);
    double       *kept = zw_arena_alloc(&a, 10, sizeof *kept, "kept");
    size_t        used = a.used;
    zw_arena_mark mark = zw_arena_mark_now(&a);
    int           calls = 0;
    kept[9] = 9.0;
    for (int round = 0; round < 5; round++) {
        for (size_t i = 1; i < 60; i++) {
            unsigned char *p = zw_arena_alloc(&a, i * (size_t)(round + 1) % 61, 113, "scratch");
            assert_zero(p, i * (size_t)(round + 1) % 61 * 113);
            memset(p, 0xAB, i * (size_t)(round + 1) % 61 * 113);
        }
        unsigned char *large = zw_arena_alloc(&a, 300000, 1, "large");
        assert_zero(large, 300000);
        memset(large, 0xCD, 300000);
        zw_arena_release(&a, mark);
        assert_int_equal(a.used, used);
    }
    check_near(kept[9], 9.0, 0.0);
    for (int round = 0; round < 50; round++) { /* the same pattern over and over */
        zw_arena_alloc(&a, 60000, 1, "a");
        zw_arena_alloc(&a, 300000, 1, "b");
        zw_arena_release(&a, mark);
        if (round == 0) {
            calls = n.calls;
        }
    }
    assert_int_equal(n.calls, calls);
    assert_true(a.peak > a.used + 300000);
    zw_arena_destroy(&a);
    zw_context_destroy(c);
    assert_int_equal(n.live, 0);
}

static void mark_of_an_empty_arena_releases_everything(void **state) {
    (void)state;
    counter     n = {0};
    zw_context *c = context_with(&n);
    zw_arena    a;
    zw_arena_init(&a, c);
    zw_arena_mark mark = zw_arena_mark_now(&a);
    zw_arena_release(&a, mark);
    char *first = zw_arena_alloc(&a, 100, 1, "first");
    zw_arena_alloc(&a, 100000, 1, "second");
    zw_arena_release(&a, mark);
    assert_int_equal(a.used, 0);
    int calls = n.calls;
    assert_ptr_equal(zw_arena_alloc(&a, 100, 1, "again"), first);
    zw_arena_alloc(&a, 100000, 1, "again");
    assert_int_equal(n.calls, calls);
    zw_arena_destroy(&a);
    zw_arena_destroy(&a); /* twice is harmless */
    zw_context_destroy(c);
    assert_int_equal(n.live, 0);
}

static void nested_marks_release_in_turn(void **state) {
    (void)state;
    counter     n = {0};
    zw_context *c = context_with(&n);
    zw_arena    a;
    zw_arena_init(&a, c);
    char         *outer = zw_arena_strdup(&a, "outer");
    zw_arena_mark one = zw_arena_mark_now(&a);
    char         *middle = zw_arena_strndup(&a, "middle text", 6);
    zw_arena_mark two = zw_arena_mark_now(&a);
    for (int i = 0; i < 10; i++) {
        zw_arena_alloc(&a, 10000, 1, "inner");
    }
    zw_arena_release(&a, two);
    assert_string_equal(middle, "middle");
    zw_arena_alloc(&a, 50000, 1, "inner");
    zw_arena_release(&a, one);
    assert_string_equal(outer, "outer");
    assert_ptr_equal(zw_arena_strdup(&a, ""), middle);
    assert_string_equal(middle, "");
    zw_arena_destroy(&a);
    zw_context_destroy(c);
}

static void overflow_and_refusal_raise_and_leave_the_arena_usable(void **state) {
    (void)state;
    counter     n = {0};
    zw_context *c = context_with(&n);
    zw_arena    a;
    zw_arena_init(&a, c);
    assert_null(zw_arena_alloc(&a, SIZE_MAX / 8, 16, "huge"));
    assert_null(zw_arena_alloc(&a, PTRDIFF_MAX, 1, "huge"));
    assert_null(zw_arena_alloc(&a, (size_t)PTRDIFF_MAX - 1, 1, "huge"));
    assert_int_equal(zw_error_count(c), 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(zw_error_at(c, i)->code, ZW_E_MEMORY);
        assert_string_equal(zw_error_at(c, i)->subject, "huge");
    }
    char *p = zw_arena_strdup(&a, "kept");
    n.refuse = true;
    assert_null(zw_arena_alloc(&a, 1 << 20, 1, "refused"));
    assert_string_equal(p, "kept");
    assert_non_null(zw_arena_alloc(&a, 64, 1, "fits the block at hand"));
    n.refuse = false;
    assert_non_null(zw_arena_alloc(&a, 1 << 20, 1, "now"));
    zw_arena_destroy(&a);
    zw_context_destroy(c);
    assert_int_equal(n.live, 0);
}

static void released_memory_is_poisoned_under_address_sanitizer(void **state) {
    (void)state;
#if defined(WITH_ASAN)
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_arena a;
    zw_arena_init(&a, c);
    zw_arena_mark mark = zw_arena_mark_now(&a);
    char         *p = zw_arena_alloc(&a, 100, 1, "p"), *q = zw_arena_alloc(&a, 128, 1, "q");
    assert_false(__asan_address_is_poisoned(p + 99));
    assert_true(__asan_address_is_poisoned(p + 104));
    assert_true(__asan_address_is_poisoned(q + 128));
    zw_arena_release(&a, mark);
    assert_true(__asan_address_is_poisoned(p));
    assert_true(__asan_address_is_poisoned(q));
    zw_arena_destroy(&a);
    zw_context_destroy(c);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_zero_and_disjoint),
        cmocka_unit_test(one_request_may_exceed_every_block_size),
        cmocka_unit_test(released_memory_comes_back_zeroed_without_asking_the_allocator),
        cmocka_unit_test(mark_of_an_empty_arena_releases_everything),
        cmocka_unit_test(nested_marks_release_in_turn),
        cmocka_unit_test(overflow_and_refusal_raise_and_leave_the_arena_usable),
        cmocka_unit_test(released_memory_is_poisoned_under_address_sanitizer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
