# SPDX-License-Identifier: Apache-2.0
"""The examples written as Lagrangians, end to end with their own settings, against closed forms; and the ones without a closed form against what they keep."""
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

import h5py  # noqa: E402
import numpy  # noqa: E402

EXAMPLES = ["appell-hamel", "chaplygin-sleigh", "constant-speed", "pendulum-8", "roller-racer", "rolling-disk", "sleigh-and-rod"]


def gudermann(x):
    return 2 * numpy.arctan(numpy.tanh(x / 2))


class Nonholonomic(ProgramTest):
    def test_every_example_of_its_kind_is_tested_here(self):
        texts = {path.stem: path.read_text(encoding="utf-8") for path in (SOURCE / "examples").glob("*.yaml")}
        there = {name for name, text in texts.items() if "lagrangian:" in text and "unilateral:" not in text}  # those: test_impacts.py
        self.assertEqual(there, set(EXAMPLES))

    def run_example(self, name):
        out = self.dir / f"{name}.zw"
        summary = json.loads(self.succeed("run", SOURCE / "examples" / f"{name}.yaml", "-o", out, "--json").stdout)
        self.assertEqual(summary["outcome"], "reached", name)
        self.assertEqual(summary["integrator"], "gauss", name)
        with h5py.File(out / "results.h5", "r") as f:
            data = {}
            f["epoch0"].visititems(lambda key, item: data.update({key: item[()]}) if isinstance(item, h5py.Dataset) else None)
        self.assertTrue((out / "report.html").stat().st_size > 10000, name)
        return summary, data

    def near(self, got, expected, tolerance, what):
        error = float(numpy.max(numpy.abs(numpy.asarray(got) - numpy.asarray(expected))))
        self.assertLessEqual(error, tolerance, f"{what}: off by {error:.3g}")

    def test_appell_hamel_is_a_straight_line(self):
        summary, data = self.run_example("appell-hamel")
        t, a, g = data["time"], 1.5, 9.81
        k = g / (1 + a**2)
        vz = -1 / 3 - k * t
        self.near(data["probe/vz"], vz, 1e-13, "vz")  # measured 3.6e-15
        self.near(data["probe/z"], -t / 3 - k * t**2 / 2, 1e-13, "z")  # measured 3.6e-15
        self.near(data["lagrangian/machine/velocities"][:, 0], 0.3 * vz / vz[0], 1e-13, "vx keeps its ratio")  # 3.6e-15
        self.near(data["lagrangian/machine/velocities"][:, 1], 0.4 * vz / vz[0], 1e-13, "vy keeps its ratio")  # 3.6e-15
        self.near(data["probe/lambda"], -g / (2 * (1 + a**2) * vz), 1e-13, "multiplier")  # 8.9e-16
        self.assertLessEqual(summary["constraint"]["velocity_relative_max"], 8e-15)

    def test_constant_speed_falls_along_its_closed_form(self):
        summary, data = self.run_example("constant-speed")
        t, c, g = data["time"], 2.0, 9.81
        start = math.atanh(-1.6 / c)
        tau = g * t / c + start
        self.near(data["probe/down"], -c * numpy.tanh(tau), 5e-12, "vertical speed")  # 9.0e-14
        v = data["lagrangian/particle/velocities"]
        self.near(numpy.hypot(v[:, 0], v[:, 1]), c / numpy.cosh(tau), 5e-12, "horizontal speed")  # 1.1e-13
        q = data["lagrangian/particle/coordinates"]
        self.near(q[:, 2], -(c**2 / g) * numpy.log(numpy.cosh(tau) / math.cosh(start)), 5e-12, "height")  # 4.1e-14
        self.near(numpy.hypot(q[:, 0], q[:, 1]), (c**2 / g) * (gudermann(tau) - gudermann(start)), 5e-12, "way")  # 1.7e-13
        self.near(numpy.sqrt((v**2).sum(axis=1)), c, 1e-14, "speed")  # 2.2e-16
        self.assertLessEqual(summary["constraint"]["velocity_relative_max"], 8e-15)

    def test_sleigh_turns_past_a_right_angle_along_its_closed_form(self):
        summary, data = self.run_example("chaplygin-sleigh")
        t, m, inertia, a = data["time"], 2.0, 0.5, 0.3
        J = inertia + m * a**2
        energy = m * 0.4**2 / 2 + J * 1.5**2 / 2
        V, W = math.sqrt(2 * energy / m), math.sqrt(2 * energy / J)
        k, c0 = a * m * V / J, math.atanh(0.4 / V)
        self.near(data["probe/omega"], W / numpy.cosh(k * t + c0), 1e-12, "omega")  # 2.1e-14
        self.near(data["probe/heading"], (W / k) * (gudermann(k * t + c0) - gudermann(c0)), 1e-12, "theta")  # 3.3e-14
        v = data["lagrangian/sleigh/velocities"]
        theta = data["probe/heading"]
        self.near(v[:, 0] * numpy.cos(theta) + v[:, 1] * numpy.sin(theta), V * numpy.tanh(k * t + c0), 1e-12, "speed")  # 9.3e-15
        self.assertGreater(theta[-1], math.pi / 2)
        self.assertLessEqual(summary["constraint"]["velocity_relative_max"], 8e-15)

    def test_energy_and_constraints_are_kept_by_the_others(self):
        for name, allowed in (("pendulum-8", 1e-13), ("roller-racer", 5e-12), ("rolling-disk", 1e-13)):  # 2.4e-15, 9.0e-14, 5.3e-16
            summary, _ = self.run_example(name)
            energy = summary["energy"]
            self.assertLessEqual(energy["drift_max"] / energy["scale"], allowed, name)
            self.assertLessEqual(summary["constraint"]["velocity_relative_max"], 8e-15, name)

    def test_the_sleigh_tows_its_rod(self):
        summary, data = self.run_example("sleigh-and-rod")
        self.assertLessEqual(summary["constraint"]["position_max"], 1e-14)  # 4.1e-15
        self.assertLessEqual(summary["energy"]["drift_max"] / summary["energy"]["scale"], 1e-12)  # 3.4e-15
        self.assertGreater(summary["energy"]["dissipated"], 0)
        self.near(numpy.linalg.norm(data["probe/tip"] - data["probe/hitch"], axis=1), 1.0, 0.2, "the rod stays about as long as it is")  # 0.050


if __name__ == "__main__":
    unittest.main()
