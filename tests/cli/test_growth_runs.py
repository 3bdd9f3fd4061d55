# SPDX-License-Identifier: Apache-2.0
"""Runs of growing rods: energy and momenta with growth, order in the step, links that split, going on after an interruption, and bad input."""
import json
import math
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ZWANG, ProgramTest  # noqa: E402

FREE = """\
zwang: 1
parameters: {g: 0.8, h: 1e-3}
bodies:
  rod:
    rod: {length: 1, elements: 12, section: {square: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.35, damping: 0},
          shape: {curvature: [0, -1, 0.5]}, natural: start, velocity: [0.3, "0.5*sin(pi*s)", 1], growth: {rate: "g*(1 + s)", bend: [0.3, 0, 0.2]}}
run: {until: 0.5, integrator: energy-momentum, step: h}
record: {frames: 3}
probes:
  tip: {position: rod, s: end}
"""

TIP = """\
zwang: 1
parameters: {lg: 0.06, tau: 0.2}
bodies:
  shoot:
    rod: {length: 0.07, elements: 10, section: {round: 0.002}, material: {density: 1000, young: 1e6, poisson: 0.3, damping: 0.001},
          shape: {curvature: [0, 8, 0]}, natural: start, velocity: [0, 0.2, 0], growth: {law: {tip: {zone: lg, rate: 1/tau}}, split: 0.008, mass: true}}
run: {until: 0.3, integrator: energy-momentum, step: 1e-3}
record: {frames: 20}
probes:
  tip: {position: shoot, s: end}
"""


class Runs(ProgramTest):
    def run_model(self, text, *sets, code=0):
        words = [word for s in sets for word in ("--set", s)]
        done = self.zwang("run", self.write("model.yaml", text), "-o", self.dir / "out", "--force", "--no-report", "--json", *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    # ---- accounts

    def test_energy_and_momenta_are_kept_by_energy_momentum(self):
        for damping in (0, 0.01):
            found = self.run_model(FREE, f"bodies.rod.rod.material.damping={damping}")
            energy, momentum = found["energy"], found["momentum"]
            self.assertGreater(abs(energy["work"]), 0.1 * energy["scale"])
            self.assertLess(energy["drift_max"], 1e-11 * energy["scale"])  # measured: see docs/theory/growth.md
            self.assertTrue(momentum["linear_conserved"] and momentum["angular_conserved"])
            self.assertLess(momentum["linear_drift_max"], 1e-12 * momentum["linear_scale"])
            self.assertLess(momentum["angular_drift_max"], 1e-11 * momentum["angular_scale"])
            self.assertGreaterEqual(energy["dissipated"], 0)

    def test_verlet_closes_the_account_with_order_2(self):
        drift = [self.run_model(FREE, "run.integrator=verlet", f"parameters.h={h}", "run.until=0.1")["energy"] for h in (1e-4, 5e-5)]
        self.assertAlmostEqual(math.log2(drift[0]["drift_max"] / drift[1]["drift_max"]), 2, delta=0.3)

    def test_order_2_in_the_step(self):
        for integrator, steps in (("energy-momentum", (1e-4, 5e-5, 2.5e-5)), ("verlet", (1e-4, 5e-5, 2.5e-5))):
            tips = [self.run_model(FREE, f"run.integrator={integrator}", f"parameters.h={h}", "run.until=0.04")["probes"]["tip"]["final"] for h in steps]
            order = math.log2(math.dist(tips[0], tips[1]) / math.dist(tips[1], tips[2]))
            self.assertAlmostEqual(order, 2, delta=0.2, msg=integrator)

    def test_new_mass_arrives_with_the_velocity_of_its_place(self):
        found = self.run_model(FREE, "bodies.rod.rod.growth.mass=true", "bodies.rod.rod.growth.rate=g", "bodies.rod.rod.growth.bend=[0, 0, 0]",
                               "bodies.rod.rod.velocity=[0.3, 0.2, 1]", "bodies.rod.rod.shape.curvature=[0, 0, 0]")
        # straight, in uniform flight: growth pushes both halves apart and adds no momentum but that of the new mass
        mass = 1000 * 0.05**2
        out = self.dir / "out"
        self.succeed("export", out, "--as", "csv")
        self.assertFalse(found["momentum"]["linear_conserved"])
        self.assertLess(found["energy"]["drift_max"], 1e-11 * found["energy"]["scale"])
        text = next(self.dir.glob("out/**/scalars.csv"), None) or next(self.dir.glob("out/**/*.csv"))
        head, *rows = [line.split(",") for line in text.read_text().splitlines() if line and not line.startswith("#")]
        column = [i for i, name in enumerate(head) if name.startswith("momentum/linear")]
        end = [float(rows[-1][i]) for i in column]
        for got, v in zip(end, (0.3, 0.2, 1)):
            self.assertLess(abs(got - mass * math.exp(0.8 * 0.5) * v), 1e-9)

    # ---- links that split

    def test_links_split_and_nothing_jumps(self):
        found = self.run_model(TIP)
        whole = self.run_model(TIP, "bodies.shoot.rod.elements=80", "bodies.shoot.rod.growth.split=1")
        self.assertEqual(found["outcome"], "reached")
        self.assertLess(found["energy"]["drift_max"], 1e-11 * found["energy"]["scale"])
        self.assertLess(math.dist(found["probes"]["tip"]["final"], whole["probes"]["tip"]["final"]), 2e-3)

    def test_an_interrupted_run_goes_on_with_the_same_bits(self):
        model = self.write("tip.yaml", TIP)
        sets = ("--set", "run.step=2e-5", "--no-report", "--json")
        whole = json.loads(self.succeed("run", model, "-o", self.dir / "whole", *sets).stdout)
        child = subprocess.Popen([ZWANG, "run", str(model), "-o", str(self.dir / "cut"), *sets], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 cwd=self.dir, env=self.environment())
        time.sleep(0.6 * max(whole["wall_s"], 0.3))
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
        if child.returncode == 0:
            self.skipTest("the run was over before it could be stopped")
        self.assertEqual(child.returncode, 130)
        cut = json.loads(self.succeed("run", model, "-o", self.dir / "cut", *sets, "--resume").stdout)
        for key in ("energy", "probes", "steps", "frames", "momentum"):
            self.assertEqual(cut[key], whole[key], key)

    # ---- bad input

    def refuse(self, text, *words, sets=(), code=2):
        more = [word for s in sets for word in ("--set", s)]
        done = self.zwang("run", self.write("bad.yaml", text), "-o", self.dir / "bad", "--force", "--no-report", *more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_bad_input_is_told(self):
        growth = "growth: {rate: \"g*(1 + s)\", bend: [0.3, 0, 0.2]}"
        for bad, words in (("growth: {curvature: keep}", ("how the rod grows", "give rate")),
                           ("growth: {rate: 1, law: {exponential: {rate: 1}}}", ("a law says all", "keep `law`")),
                           ("growth: {law: {lokhart: {turgor: 1}}}", ("lokhart", "lockhart")),
                           ("growth: {law: {tip: {zone: 1}}}", ("rate", "missing")),
                           ("growth: {rate: tensoin}", ("tensoin", "tension")),
                           ("growth: {rate: 1, split: 0.01}", ("links are 0.08333 m long", "more elements")),
                           ("growth: {law: {table: {over: s, at: [0, 1], rate: [1]}}}", ("has 1 numbers",)),
                           ("growth: {law: {ac: {beta: 1, gamma: 1, toward: [0, 0, 1], delay: -1}}}", ("not negative",))):
            self.refuse(FREE.replace(growth, bad), "bad.yaml:", *words)
        self.refuse(FREE.replace(growth, "growth: {rate: d}").replace("shape: {curvature: [0, -1, 0.5]}", "shape: {ring: [0, 1, 0]}"), "no tip")
        self.refuse(FREE, "cannot move rods that grow", sets=("run.integrator=gauss", "run.step=1e-3"))

    def test_a_rod_that_shrinks_to_nothing_is_told(self):
        self.refuse(FREE.replace('rate: "g*(1 + s)"', "rate: -100"), "shrunk to", "link", "t =", code=1)


if __name__ == "__main__":
    unittest.main()
