# SPDX-License-Identifier: Apache-2.0
"""Rods that come out of clamps and sleeves, by model files: the reaction M^2/(2 EI), where a sleeve rests, the account of energy, what is refused."""
import json
import os
import sys
import unittest

import h5py  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ProgramTest  # noqa: E402

BEAM = """\
zwang: 1
parameters: {n: 40, F: 1, c: 0.01, stiff: 1e6}
gravity: [0, 0, 0]
bodies:
  beam:
    rod:
      length: 1
      along: [1, 0, 0]
      up: [0, 0, 1]
      elements: n
      section: {bending: [1, 1], torsion: 1, stretch: stiff, shear: stiff, mass: 0.1, inertia: 1e-3}
      growth: {law: {feed: {speed: c}}}
constraints:
  mouth: {clamp: beam, s: 0}
loads:
  tip: {force: [0, 0, F], on: beam, s: 1}
run: {mode: quasi-static, until: 1, step: 0.1}
probes:
  P: {driving: beam, s: 0}
  hold: {reaction: mouth}
  N: {force: beam, s: 0}
  out: {length: beam}
  bent: {expression: hold.my^2/2}
"""


class Sleeve(ProgramTest):
    def run_json(self, text, *more):
        model = self.write("model.yaml", text)
        return json.loads(self.succeed("run", model, "-o", self.dir / "out.zw", "--force", "--json", *more).stdout)

    def final(self, summary, probe):
        value = summary["probes"][probe]["final"]
        return value if isinstance(value, list) and len(value) > 1 else value[0] if isinstance(value, list) else value

    def test_the_reaction_of_slow_feeding_is_half_the_moment_squared(self):
        error = []
        for n in (10, 20, 40):
            summary = self.run_json(BEAM, "--set", f"n={n}", "--set", f"c={0.1/n}")
            bent = self.final(summary, "bent")
            self.assertGreater(bent, 0.4)
            error.append(abs(self.final(summary, "P") / bent - 1))
            self.assertAlmostEqual(self.final(summary, "out"), 1 + 0.1 / n, delta=1e-6)
        self.assertLess(error[2], 1e-3)  # measured: 1.8e-4
        self.assertAlmostEqual(error[0] / error[1], 4, delta=0.3)
        self.assertAlmostEqual(error[1] / error[2], 4, delta=0.3)

    def test_a_sleeve_rests_where_its_push_is_the_reaction(self):
        # a spring inside the sleeve holds the rod: push = -k (l - l0)
        text = BEAM.replace("feed: {speed: c}", "sleeve: {push: -20*(length - 1/n), mobility: 1}").replace("until: 1, step: 0.1", "until: 2, step: 0.05")
        summary = self.run_json(text)
        P, bent, out = (self.final(summary, k) for k in ("P", "bent", "out"))
        push = -20 * (out - 1)
        self.assertLess(abs(push + P) / P, 1e-4)  # measured: 1.4e-5, the stretch of the rod in `out`
        self.assertLess(abs(-push / bent - 1), 1e-3)

    def test_what_feeding_puts_in_is_the_reaction_times_the_way(self):
        # energy of the rod and of its load: its change per length that came out is -P, by differences over a tenth of a link
        self.run_json(BEAM.replace("probes:", "record: {every: 1}\nprobes:\n  tip: {position: beam, s: 1}"), "--set", "c=0.0025")
        with h5py.File(self.dir / "out.zw" / "results.h5") as f:
            P, bent, tip = (f["probe/" + k][...] for k in ("P", "bent", "tip"))
            energy = f["energy/elastic"][...] - tip[:, 2]
        P, bent = P.ravel(), bent.ravel()
        lost = -(energy[-1] - energy[0]) / 0.0025
        self.assertLess(abs(lost / ((P[0] + P[-1]) / 2) - 1), 1e-5)
        self.assertLess(abs(lost / ((bent[0] + bent[-1]) / 2) - 1), 1e-3)

    def test_energy_is_accounted_for_to_round_off(self):
        text = BEAM.replace("gravity: [0, 0, 0]", "gravity: [-3, 0, -9.81]").replace("mode: quasi-static", "integrator: energy-momentum").replace("step: 0.1", "step: 0.01")
        summary = self.run_json(text, "--set", "n=10", "--set", "c=0.5", "--set", "stiff=1e4")
        self.assertLess(summary["energy"]["drift_max"], 1e-10 * summary["energy"]["scale"])  # measured: 7e-13
        self.assertAlmostEqual(self.final(summary, "out"), 1.5, delta=0.01)

    def test_in_verlet_the_account_is_of_order_two(self):
        text = BEAM.replace("gravity: [0, 0, 0]", "gravity: [-3, 0, -9.81]").replace("mode: quasi-static", "integrator: verlet").replace("speed: c", "speed: t*0.3")
        drift = [self.run_json(text, "--set", "n=10", "--set", "stiff=1e3", "--set", f"run.step={h}")["energy"]["drift_max"] for h in (4e-4, 2e-4, 1e-4)]
        for a, b in zip(drift, drift[1:]):
            self.assertAlmostEqual(a / b, 4, delta=1)

    def test_what_is_drawn_in_stops_the_run_with_a_message(self):
        model = self.write("model.yaml", BEAM)
        result = self.zwang("run", model, "-o", self.dir / "out.zw", "--set", "n=10", "--set", "c=-0.1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("is drawn in", result.stdout + result.stderr)
        self.assertIn("less than a tenth", result.stdout + result.stderr)

    def test_links_are_joined_where_a_rod_is_drawn_in(self):
        near = BEAM.replace("{law: {feed: {speed: c}}}", "{law: {feed: {speed: c}}, split: 0.2}")
        far = near.replace("feed: {speed: c}", "feed: {speed: c, at: 1}").replace("clamp: beam, s: 0", "clamp: beam, s: 1").replace("on: beam, s: 1", "on: beam, s: 0").replace("driving: beam, s: 0", "driving: beam, s: 1")
        final = []
        for text in (near, far):
            summary = self.run_json(text, "--set", "n=10", "--set", "c=-0.2", "--set", "run.until=3", "--set", "run.step=0.02", "--set", "stiff=1e4")
            self.assertAlmostEqual(self.final(summary, "out"), 0.4, delta=1e-4)
            final.append([self.final(summary, k) for k in ("P", "bent")])
            self.assertAlmostEqual(final[-1][0] / final[-1][1], 1, delta=0.03)  # three or four links are left
            with h5py.File(self.dir / "out.zw" / "results.h5") as f:
                self.assertGreater(len([k for k in f if k.startswith("epoch")]), 4)
        self.assertAlmostEqual(final[0][0], final[1][0], delta=1e-9)
        summary = self.run_json(near.replace("mode: quasi-static", "integrator: energy-momentum"), "--set", "n=10", "--set", "c=-0.2", "--set", "run.until=3", "--set", "run.step=0.01", "--set", "stiff=1e4")
        self.assertLess(summary["energy"]["drift_max"], 1e-10 * summary["energy"]["scale"])
        self.assertAlmostEqual(self.final(summary, "out"), 0.4, delta=0.01)

    def test_refused(self):
        for change, part in (
            (("speed: c", "speed: c, at: 1.5"), "but the rod is 1 m long"),
            (("{law: {feed: {speed: c}}}", "{law: {feed: {speed: c}}, section: 2}"), "keeps its section"),
            (("{law: {feed: {speed: c}}}", "{law: {feed: {speed: c}}, curvature: dilute}"), "natural curvature of the link at the mouth"),
            (("speed: c", "at: 0"), "speed"),
            (("feed: {speed: c}", "sleeve: {push: 1}"), "mobility"),
            (("elements: n", "elements: n\n      kinematics: inextensible"), None),
            (("feed: {speed: c}}}", "sleeve: {mobility: 1}}}\n      kinematics: inextensible"), "reaction that its sleeve does not feel"),
        ):
            model = self.write("model.yaml", BEAM.replace(*change))
            result = self.zwang("check", model)
            if part:
                self.assertNotEqual(result.returncode, 0, part)
                self.assertIn(part, result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main()
