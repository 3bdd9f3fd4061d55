/* SPDX-License-Identifier: Apache-2.0
 * bench_peak.c: this machine's multiply-add peak on one core, measured: independent chains of a*b + c in registers, with and without fusing.
 * One line of CSV: GFlop/s of separate multiply and add (what zwang's kernels may use: contraction is off) and of fused ones. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

#if defined(__x86_64__)
#define ZW_TARGET(t) __attribute__((target(t), noinline))
#else
#define ZW_TARGET(t) __attribute__((noinline))
#endif

enum { CHAINS = 10, ROUNDS = 4000000 };
typedef double wide __attribute__((vector_size(32)));

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

ZW_TARGET("avx2") static double separate(void) {
    wide x[CHAINS], a = {1.0000001, 1.0000001, 1.0000001, 1.0000001}, b = {1e-9, 1e-9, 1e-9, 1e-9};
    for (int i = 0; i < CHAINS; i++) {
        x[i] = a * (double)(i + 1);
    }
    double start = now();
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < CHAINS; i++) {
            x[i] = x[i] * a + b;
        }
    }
    double took = now() - start, sum = 0.0;
    for (int i = 0; i < CHAINS; i++) {
        sum += x[i][0];
    }
    return sum > 0.0 ? 8.0 * CHAINS * ROUNDS / took : 0.0;
}

ZW_TARGET("avx2,fma") static double fused(void) {
    wide x[CHAINS], a = {1.0000001, 1.0000001, 1.0000001, 1.0000001}, b = {1e-9, 1e-9, 1e-9, 1e-9};
    for (int i = 0; i < CHAINS; i++) {
        x[i] = a * (double)(i + 1);
    }
    double start = now();
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < CHAINS; i++) {
            for (int k = 0; k < 4; k++) {
                x[i][k] = __builtin_fma(x[i][k], a[k], b[k]);
            }
        }
    }
    double took = now() - start, sum = 0.0;
    for (int i = 0; i < CHAINS; i++) {
        sum += x[i][0];
    }
    return sum > 0.0 ? 8.0 * CHAINS * ROUNDS / took : 0.0;
}

int main(void) {
    double best_separate = 0.0, best_fused = 0.0;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        fprintf(stderr, "bench_peak: this processor has no AVX2 and FMA; the peak is measured for those only\n");
        return 0;
    }
#endif
    for (int i = 0; i < 7; i++) {
        double a = separate(), b = fused();
        best_separate = a > best_separate ? a : best_separate;
        best_fused = b > best_fused ? b : best_fused;
    }
    printf("multiply_add_gflops,fused_gflops\n%.2f,%.2f\n", 1e-9 * best_separate, 1e-9 * best_fused);
    return 0;
}
