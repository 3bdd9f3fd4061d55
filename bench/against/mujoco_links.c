/* SPDX-License-Identifier: Apache-2.0
 * mujoco_links.c: a model of MuJoCo run to a time: processor time of the steps alone, and how far the energy went, looked at up to 20000 times in a run of its own.
 *
 *   mujoco_links MODEL.xml UNTIL STEP INTEGRATOR REPEATS SECONDS       prints steps, ms, largest |E - E0|, contacts
 *
 * While anything touches the energy is not looked at: what a contact holds is not in it. INTEGRATOR: Euler, RK4, implicit, implicitfast. The time is the least of REPEATS runs without the energy. More than SECONDS: "slow"; not finite: "failed". */
#define _POSIX_C_SOURCE 200809L
#include <mujoco/mujoco.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double energy(const mjModel *m, mjData *d) {
    mj_energyPos(m, d);
    mj_energyVel(m, d);
    return d->energy[0] + d->energy[1];
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int         code;
    } kind[] = {{"Euler", mjINT_EULER}, {"RK4", mjINT_RK4}, {"implicit", mjINT_IMPLICIT}, {"implicitfast", mjINT_IMPLICITFAST}};
    char why[1000] = "";
    if (argc < 7) {
        fprintf(stderr, "usage: mujoco_links MODEL.xml UNTIL STEP INTEGRATOR REPEATS SECONDS\n");
        return 64;
    }
    mjModel *m = mj_loadXML(argv[1], NULL, why, sizeof why);
    if (m == NULL) {
        printf("failed %s\n", why);
        return 0;
    }
    double until = atof(argv[2]), limit = atof(argv[6]), best = HUGE_VAL, drift = 0.0;
    m->opt.timestep = atof(argv[3]);
    for (int k = 0; k < 4; k++) {
        m->opt.integrator = strcmp(kind[k].name, argv[4]) == 0 ? kind[k].code : m->opt.integrator;
    }
    long    steps = lround(ceil(until / m->opt.timestep - 1e-9));
    mjData *d = mj_makeData(m);
    for (int k = 0; k < atoi(argv[5]); k++) {
        mj_resetData(m, d);
        mj_forward(m, d);
        double start = now();
        for (long i = 0; i < steps; i++) {
            mj_step(m, d);
            if (i % 1000 == 0 && now() - start > limit) {
                printf("slow\n");
                return 0;
            }
        }
        double took = now() - start;
        best = took < best ? took : best;
    }
    mj_resetData(m, d);
    mj_forward(m, d);
    double first = energy(m, d);
    long   every = steps / 20000 + 1, touches = 0;
    bool   touched = false;
    for (long i = 0; i < steps; i++) {
        mj_step(m, d);
        touches += d->ncon > 0 && !touched;
        touched = d->ncon > 0;
        if ((i % every != 0 && i != steps - 1) || touched) { /* what a contact holds is not in the energy */
            continue;
        }
        mj_fwdPosition(m, d); /* the energy of the state after the step, not of the one before */
        mj_fwdVelocity(m, d);
        double off = fabs(energy(m, d) - first);
        drift = off > drift || !isfinite(off) ? off : drift;
        if (!isfinite(off) || d->warning[mjWARN_BADQACC].number > 0 || d->warning[mjWARN_BADQVEL].number > 0) {
            printf("failed not finite at step %ld\n", i + 1);
            return 0;
        }
    }
    printf("%ld,%.6g,%.6g,%ld\n", steps, 1e3 * best, drift, touches);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
