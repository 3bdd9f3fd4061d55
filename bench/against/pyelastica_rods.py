# SPDX-License-Identifier: Apache-2.0
"""PyElastica's side of the rod benchmarks: answers one request per line on stdin with one line on stdout.

  time ELEMENTS STEPS    -> ns of processor time per element and step, one measurement (compiled and warm)
  energy ELEMENTS STEPS  -> largest |E/E0 - 1| on the way, or nan when a value is not finite, and the step where that was seen

The rod is the one of bench_rods.c: length 2 pi/3, density 1000, E = 1e7, nu = 0.35, transverse start velocity 0.1 sin; a circular section
of the same bending stiffness class (PyElastica has round rods only). Integrator: PositionVerlet, as its documentation recommends.
"""
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import elastica as ea  # noqa: E402
from elastica.timestepper.symplectic_steppers import PositionVerlet  # noqa: E402


class System(ea.BaseSystemCollection):
    pass


def make(n, bent=False):
    system = System()
    length, radius = 2 * np.pi / 3, 0.05
    rod = ea.CosseratRod.straight_rod(
        n, np.zeros(3), np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), length, radius, 1000.0,
        youngs_modulus=1e7, shear_modulus=1e7 / 2.7)
    system.append(rod)
    system.finalize()
    if bent:  # the arc of 120 degrees and the velocities of the paper's section 4, in the rod's own axes
        s = np.linspace(0.0, length, n + 1)
        rod.position_collection[...] = np.array([1.0 - np.cos(s), np.zeros_like(s), np.sin(s)])
        mid = 0.5 * (s[1:] + s[:-1])
        tangent = np.array([np.sin(mid), np.zeros_like(mid), np.cos(mid)])
        normal = np.array([np.zeros_like(mid), np.ones_like(mid), np.zeros_like(mid)])
        rod.director_collection[0] = normal
        rod.director_collection[2] = tangent
        rod.director_collection[1] = np.cross(tangent.T, normal.T).T
        rod.velocity_collection[...] = np.array([np.sin(s), np.sin(np.pi * s / length), np.cos(s)])
    else:
        rod.velocity_collection[0, :] = 0.1 * np.sin(np.linspace(0, np.pi, n + 1))
    return system, rod


def energy(rod):
    rod.compute_internal_forces_and_torques(0.0)
    return float(rod.compute_translational_energy() + rod.compute_rotational_energy()
                 + rod.compute_bending_energy() + rod.compute_shear_energy())


def main():
    stepper = PositionVerlet()
    warm = {}
    for line in sys.stdin:
        what, n, steps = line.split()
        n, steps = int(n), int(steps)
        if what == "time":
            if n not in warm:
                warm[n] = [make(n)[0], 0.0]
                for _ in range(50):
                    warm[n][1] = stepper.step(warm[n][0], warm[n][1], 0.3e-4 * 100 / n)
            system, t = warm[n]
            dt = 0.3e-4 * 100 / n
            start = time.process_time()
            for _ in range(steps):
                t = stepper.step(system, t, dt)
            took = time.process_time() - start
            warm[n][1] = t
            print(f"{1e9 * took / (n * steps):.4g}", flush=True)
        else:
            system, rod = make(n, bent=True)
            first, worst, t, dt, seen = energy(rod), 0.0, 0.0, 1e-4 * 100 / n, steps
            for i in range(steps):
                t = stepper.step(system, t, dt)
                if i % 1000 == 999:
                    now = energy(rod)
                    worst = max(worst, abs(now / first - 1.0)) if np.isfinite(now) else float("nan")
                    if not np.isfinite(now):
                        seen = i + 1
                        break
            print(f"{worst:.3g} {seen}", flush=True)


if __name__ == "__main__":
    main()
