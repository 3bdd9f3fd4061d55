# SPDX-License-Identifier: Apache-2.0
"""PyElastica's side of the roll-up: a cantilever under an end moment of one full turn, relaxed with damping; one line per request on stdin.

  ELEMENTS ERROR -> s of processor time until the tip stays within ERROR (of the length) of the root, steps taken, largest error seen after

Damping is uniform and 1.7 times the lowest frequency of the straight rod, which was the fastest of several that were tried; the moment is put on at once. PositionVerlet, as its documentation
recommends, at 0.3 of the time a wave takes through an element. Compiling does not count.
"""
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import elastica as ea  # noqa: E402
from elastica.timestepper.symplectic_steppers import PositionVerlet  # noqa: E402

LENGTH, RADIUS, YOUNG, DENSITY = 1.0, 0.01, 1e7, 1000.0


class System(ea.BaseSystemCollection, ea.Constraints, ea.Forcing, ea.Damping):
    pass


class EndMoment(ea.NoForces):
    def __init__(self, moment):
        super().__init__()
        self.moment = moment

    def apply_torques(self, system, time=0.0):  # about an axis that the rod turns about: the same in space and in the last element
        system.external_torques[..., -1] += self.moment


def make(n, dt):
    system = System()
    rod = ea.CosseratRod.straight_rod(
        n, np.zeros(3), np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), LENGTH, RADIUS, DENSITY,
        youngs_modulus=YOUNG, shear_modulus=YOUNG / 2.7)
    system.append(rod)
    system.constrain(rod).using(ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    stiffness = YOUNG * np.pi * RADIUS**4 / 4
    system.add_forcing_to(rod).using(EndMoment, np.array([2 * np.pi * stiffness / LENGTH, 0.0, 0.0]))
    lowest = 3.516 * np.sqrt(stiffness / (DENSITY * np.pi * RADIUS**2 * LENGTH**4))
    system.dampen(rod).using(ea.AnalyticalLinearDamper, uniform_damping_constant=1.7 * lowest, time_step=dt)
    system.finalize()
    return system, rod


def main():
    stepper = PositionVerlet()
    for line in sys.stdin:
        words = line.split()
        n, error = int(words[0]), float(words[1])
        dt = 0.3 * LENGTH / n * np.sqrt(DENSITY / YOUNG)
        warm, _ = make(n, dt)
        t = 0.0
        for _ in range(20):
            t = stepper.step(warm, t, dt)
        system, rod = make(n, dt)
        t, steps, within, after = 0.0, 0, None, 0.0
        start = time.process_time()
        took = float("nan")
        while t < 60.0:
            for _ in range(200):
                t = stepper.step(system, t, dt)
            steps += 200
            apart = float(np.linalg.norm(rod.position_collection[:, -1])) / LENGTH
            if apart <= error and within is None:
                within, took = steps, time.process_time() - start
            if within is not None:
                after = max(after, apart)
                if after > error:  # it swung through: not at rest yet
                    within, after = None, 0.0
                elif steps - within >= 20000:
                    break
        print(f"{took:.6g} {within} {after:.3g}", flush=True)


if __name__ == "__main__":
    main()
