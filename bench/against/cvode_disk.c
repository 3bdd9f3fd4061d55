/* SPDX-License-Identifier: Apache-2.0
 * cvode_disk.c: the rolling disk of examples/rolling-disk.yaml by SUNDIALS' CVODE (Adams, fixed-point iteration).
 *
 *   cvode_disk hand|derived RTOL ATOL UNTIL REPEATS
 *       first line: steps, right-hand sides, least processor time in ms, largest energy error at 200 times, largest slip (xdot - R phidot cos psi);
 *       then q and v at UNTIL, in the order x y psi theta phi
 *
 * hand      the best right-hand side there is: velocities of the contact eliminated by hand, 8 equations, reduced equations solved and simplified:
 *               psi'' = 2 phi' theta'/cos(theta),  theta'' = (16/5)(g R sin(theta) - (3/8) phi' psi' cos(theta) + (5/16) psi'^2 sin(theta) cos(theta)) (m = 1, R = 1/2)
 *               phi'' = sin(theta) psi'' + (5/3) psi' theta' cos(theta)
 * derived   what a program that knows only the text can do: M, c, F, A, D as compiled C from `zwang equations --as c` (disk_equations.c) and a small dense solve,
 *           10 equations; nothing holds the constraints but the accelerations */
#define _POSIX_C_SOURCE 200809L
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef DISK_EQUATIONS
#include DISK_EQUATIONS
#endif

static const double radius = 0.5, weight = 9.81;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* z = x y psi theta phi psi' theta' phi' */
static int hand(realtype t, N_Vector Z, N_Vector R, void *user) {
    const double *z = NV_DATA_S(Z);
    double       *r = NV_DATA_S(R), s = sin(z[3]), c = cos(z[3]), psi = z[5], theta = z[6], phi = z[7];
    (void)t;
    (void)user;
    r[0] = radius * phi * cos(z[2]);
    r[1] = radius * phi * sin(z[2]);
    r[2] = psi;
    r[3] = theta;
    r[4] = phi;
    r[5] = 2.0 * phi * theta / c;
    r[6] = 3.2 * (weight * radius * s - 0.375 * phi * psi * c + 0.3125 * psi * psi * s * c);
    r[7] = s * r[5] + 5.0 / 3.0 * psi * theta * c;
    return 0;
}

#ifdef DISK_EQUATIONS
/* M a = force + A' lambda, A a + D = 0: Cholesky of M, then of A M^-1 A' */
static int derived(realtype t, N_Vector Z, N_Vector R, void *user) {
    enum { N = 5, G = 2 };
    const double *z = NV_DATA_S(Z);
    double       *r = NV_DATA_S(R), M[N * N], f[N], A[G * N], D[G], over[N] = {0};
    (void)user;
    disk_equations(z, z + N, t, disk_parameter_value, M, f, A, D);
    for (int i = 0; i < N; i++) { /* M = L L', L below, 1/diagonal in over */
        for (int j = 0; j <= i; j++) {
            double sum = M[i * N + j];
            for (int k = 0; k < j; k++) {
                sum -= M[i * N + k] * M[j * N + k];
            }
            if (i == j) {
                over[i] = 1.0 / sqrt(sum);
            } else {
                M[i * N + j] = sum * over[j];
            }
        }
    }
    for (int i = 0; i < N; i++) { /* L^-1 of force and of the rows */
        for (int k = 0; k < i; k++) {
            f[i] -= M[i * N + k] * f[k];
            A[i] -= M[i * N + k] * A[k];
            A[N + i] -= M[i * N + k] * A[N + k];
        }
        f[i] *= over[i];
        A[i] *= over[i];
        A[N + i] *= over[i];
    }
    double s[3] = {0, 0, 0}, b[G] = {-D[0], -D[1]};
    for (int i = 0; i < N; i++) {
        s[0] += A[i] * A[i];
        s[1] += A[i] * A[N + i];
        s[2] += A[N + i] * A[N + i];
        b[0] -= A[i] * f[i];
        b[1] -= A[N + i] * f[i];
    }
    double det = s[0] * s[2] - s[1] * s[1], l0 = (s[2] * b[0] - s[1] * b[1]) / det, l1 = (s[0] * b[1] - s[1] * b[0]) / det;
    for (int i = N - 1; i >= 0; i--) {
        double sum = f[i] + l0 * A[i] + l1 * A[N + i];
        for (int k = i + 1; k < N; k++) {
            sum -= M[k * N + i] * r[N + k];
        }
        r[N + i] = sum * over[i];
        r[i] = z[N + i];
    }
    return 0;
}
#endif

static double energy(const double *q, const double *v) {
    double s = sin(q[3]), c = cos(q[3]), vx = v[0], vy = v[1], psi = v[2], theta = v[3], phi = v[4], sp = sin(q[2]), cp = cos(q[2]);
    return phi * phi / 16 - phi * psi * s / 8 + 5 * psi * psi * s * s / 32 + psi * psi / 32 - psi * vx * s * cp / 2 -
           psi * vy * sp * s / 2 + 5 * theta * theta / 32 - theta * vx * sp * c / 2 + theta * vy * cp * c / 2 + vx * vx / 2 + vy * vy / 2 +
           weight * radius * c;
}

static void look(int n, const double *z, double *q, double *v) {
    memcpy(q, z, 5 * sizeof *q);
    if (n == 8) {
        memcpy(v + 2, z + 5, 3 * sizeof *v);
        v[0] = radius * z[7] * cos(z[2]);
        v[1] = radius * z[7] * sin(z[2]);
    } else {
        memcpy(v, z + 5, 5 * sizeof *v);
    }
}

int main(int argc, char **argv) {
    enum { LOOKS = 200 };
    if (argc != 6) {
        fprintf(stderr, "usage: cvode_disk hand|derived RTOL ATOL UNTIL REPEATS\n");
        return 64;
    }
    CVRhsFn rhs = hand;
    int     n = 8;
    if (strcmp(argv[1], "hand") != 0) {
#ifdef DISK_EQUATIONS
        rhs = derived;
        n = 10;
#else
        fprintf(stderr, "cvode_disk: made without derived equations\n");
        return 64;
#endif
    }
    double rtol = atof(argv[2]), atol = atof(argv[3]), until = atof(argv[4]), best = 1e300, drift = 0.0, slip = 0.0, q[5], v[5];
    long   steps = 0, calls = 0;
    for (int k = 0, repeats = atoi(argv[5]); k < repeats; k++) {
        SUNContext context;
        SUNContext_Create(NULL, &context);
        N_Vector            z = N_VNew_Serial(n, context);
        static const double start8[8] = {0, 0, 0, 0.1, 0, 0.2, 0.1, 6}, start10[10] = {0, 0, 0, 0.1, 0, 3, 0, 0.2, 0.1, 6};
        memcpy(NV_DATA_S(z), n == 8 ? start8 : start10, (size_t)n * sizeof(double));
        void              *cvode = CVodeCreate(CV_ADAMS, context);
        SUNNonlinearSolver fixed = SUNNonlinSol_FixedPoint(z, 0, context);
        if (CVodeInit(cvode, rhs, 0.0, z) != 0 || CVodeSStolerances(cvode, rtol, atol) != 0 || CVodeSetNonlinearSolver(cvode, fixed) != 0 ||
            CVodeSetMaxNumSteps(cvode, 100000000) != 0) {
            return 1;
        }
        look(n, NV_DATA_S(z), q, v);
        double t = 0.0, start_energy = energy(q, v), took = 0.0;
        for (int i = 1; i <= LOOKS; i++) {
            double begin = now();
            if (CVode(cvode, until * i / LOOKS, z, &t, CV_NORMAL) != CV_SUCCESS) {
                return 1;
            }
            took += now() - begin;
            look(n, NV_DATA_S(z), q, v);
            drift = fmax(drift, fabs(energy(q, v) - start_energy));
            slip = fmax(slip, hypot(v[0] - radius * v[4] * cos(q[2]), v[1] - radius * v[4] * sin(q[2])));
        }
        best = took < best ? took : best;
        CVodeGetNumSteps(cvode, &steps);
        CVodeGetNumRhsEvals(cvode, &calls);
        SUNNonlinSolFree(fixed);
        CVodeFree(&cvode);
        N_VDestroy(z);
        SUNContext_Free(&context);
    }
    printf("%ld,%ld,%.6g,%.4g,%.4g\n", steps, calls, 1e3 * best, drift, slip);
    for (int i = 0; i < 10; i++) {
        printf("%s%.17g", i > 0 ? "," : "", i < 5 ? q[i] : v[i - 5]);
    }
    printf("\n");
    return 0;
}
