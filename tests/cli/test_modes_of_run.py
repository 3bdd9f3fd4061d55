# SPDX-License-Identifier: Apache-2.0
"""run.mode: quasi-static and overdamped: against zwang statics, where stability is lost, rods that grow between walls, in contact and by splitting links, and what is refused."""
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ProgramTest  # noqa: E402

BEAM = """\
zwang: 1
parameters: {P: 0}
bodies:
  beam:
    rod: {length: 1, elements: 20, along: [0, 0, 1], up: [1, 0, 0], section: {bending: [1, 1.2], torsion: 1, stretch: 1e4, shear: 1e4, mass: 1, inertia: 1e-4}}
constraints:
  root: {clamp: beam, s: 0}
loads:
  tip: {force: FORCE, on: beam, s: end}
probes:
  tip: {position: beam, s: end}
  root: {reaction: root}
"""

ARCH = """\
zwang: 1
parameters: {L: 1, a: 0.02, EI: 1, EA: 20*EI/a^2, q: 0}
bodies:
  arch:
    rod:
      length: L
      elements: 40
      along: [1, 0, 0]
      up: [0, 1, 0]
      shape: {curve: [s, 0, a*sin(pi*s/L)]}
      natural: start
      section: {bending: [EI, 20*EI], torsion: EI, shear: 1e3*EA, stretch: EA, mass: 1, inertia: 1e-4}
constraints:
  left: {clamp: arch, s: 0, fix: [x, y, z, rx, rz]}
  right: {clamp: arch, s: end, fix: [x, y, z, rx, rz]}
loads:
  push: {force: [0, 0, "-LOAD*sin(pi*s/L)"], on: arch, per: length}
probes:
  crown: {position: arch, s: L/2}
"""

FLOOR = """\
zwang: 1
parameters: {P: 0}
bodies:
  beam:
    rod: {length: 1, elements: 10, at: [0, 0, 0.06], along: [1, 0, 0], up: [0, 0, 1], radius: 0.01, section: {bending: [1, 1], torsion: 1, stretch: 1e4, shear: 1e4, mass: 1, inertia: 1e-4}}
obstacles:
  floor: {plane: {normal: [0, 0, 1]}}
constraints:
  root: {clamp: beam, s: 0}
loads:
  tip: {force: [0, 0, FORCE], on: beam, s: 0.7}
probes:
  tip: {position: beam, s: end}
  middle: {position: beam, s: 0.5}
  root: {reaction: root}
"""

WALLS = """\
zwang: 1
parameters: {L: 2*pi/3, a: 0.1}
bodies:
  beam:
    rod:
      length: L
      elements: 40
      along: [0, 0, 1]
      up: [1, 0, 0]
      section: {square: a}
      material: {density: 1000, young: 1e7, poisson: 0.35}
      growth: {rate: 1/(1 + t)}
constraints:
  root: {clamp: beam, s: 0}
  top: {clamp: beam, s: end}
run: {until: 0.2, step: 0.002, mode: quasi-static}
probes:
  middle: {position: beam, s: L/2}
"""

# growth between clamped walls: onset in closed form; middle over L by shooting
ONSET, MIDDLE = 1.00735398119363, {0.012: 0.04366840785436204, 0.05: 0.13322581731694272, 0.2: 0.29078075159315697}

SHOOT = """\
zwang: 1
gravity: [0, 0, -9.81]
bodies:
  shoot:
    rod:
      length: 0.2
      elements: 4
      along: [1, 0, 0]
      up: [0, 0, 1]
      section: {round: 0.01}
      material: {density: 1000, young: 1e8, poisson: 0.5}
      growth: {rate: 0.2, split: 0.06}
constraints:
  root: {clamp: shoot, s: 0}
run: {until: 4, step: 0.05, MODE}
probes:
  tip: {position: shoot, s: end}
"""


class ModesOfRun(ProgramTest):
    def run_json(self, text, *more):
        model = self.write("model.yaml", text)
        self.said = self.succeed("run", model, "-o", self.dir / "out.zw", "--force", *more).stderr
        return json.loads((self.dir / "out.zw" / "summary.json").read_text(encoding="utf-8"))

    def statics_json(self, text):
        return json.loads(self.succeed("statics", self.write("rest.yaml", text), "-o", self.dir / "rest.zw", "--force", "--json").stdout)

    def same(self, run, point, most):
        for name, value in point["probes"].items():
            self.assertLess(math.dist(run["probes"][name]["final"], value), most, name)

    def test_a_ramp_passes_the_equilibria_of_statics(self):
        rest = self.statics_json(BEAM.replace("FORCE", "[P, 0.3*P, 0]") + "statics: {vary: P, from: 0, to: 8, points: 5}\n")
        for until in (0.5, 1):
            run = self.run_json(BEAM.replace("FORCE", '["8*t", "2.4*t", 0]') + f"run: {{until: {until}, step: 0.125, mode: quasi-static}}\n")
            self.assertEqual(run["integrator"], "quasi-static")
            point = min(rest["path"], key=lambda p: abs(p["parameter"] - 8 * until))
            self.assertAlmostEqual(point["parameter"], 8 * until, delta=1e-12)
            self.same(run, point, 1e-10)

    def test_a_column_loses_stability_where_statics_finds_its_bifurcation(self):
        rest = self.statics_json(BEAM.replace("FORCE", "[0, 0, -P]") + "statics: {vary: P, from: 0, to: 4, points: 3}\n")
        run = self.run_json(BEAM.replace("FORCE", '[0, 0, "-10*t"]') + "run: {until: 0.4, step: 0.01, mode: quasi-static}\n")
        critical = rest["bifurcations"][0]["parameter"]
        self.assertAlmostEqual(run["own"]["quasi-static/lost"]["final"], critical / 10, delta=1e-10)
        self.assertEqual(run["own"]["quasi-static/snaps"]["final"], 1)
        self.assertEqual(run["own"]["quasi-static/below"]["final"], 0)
        self.assertIn("becomes unstable at t = 0.2468", self.said)
        self.assertLess(run["energy"]["drift_max"], 1e-3 * run["energy"]["scale"])

    def test_an_arch_snaps_through_where_statics_finds_its_limit(self):
        most = "4*EI*pi^4*a/L^4"
        rest = self.statics_json(ARCH.replace("LOAD", "q") + f"statics: {{vary: q, from: 0, to: {most}, points: 21}}\n")
        run = self.run_json(ARCH.replace("LOAD", f"{most}*t") + "run: {until: 1, step: 0.02, mode: quasi-static}\n")
        critical = rest["limits"][0]["parameter"] / (4 * math.pi**4 * 0.02)
        self.assertAlmostEqual(run["own"]["quasi-static/lost"]["final"], critical, delta=1e-8)
        self.assertIn("limit point", self.said)
        self.assertEqual(run["own"]["quasi-static/snaps"]["final"], 1)
        self.assertGreater(run["energy"]["dissipated"], 0.0)
        self.same(run, rest["path"][-1], 1e-9)

    def test_contacts_take_part(self):
        rest = self.statics_json(FLOOR.replace("FORCE", "-P") + "statics: {vary: P, from: 0, to: 4, points: 3}\n")
        run = self.run_json(FLOOR.replace("FORCE", '"-4*t"') + "run: {until: 1, step: 0.05, mode: quasi-static}\n")
        self.same(run, rest["path"][-1], 1e-9)
        self.assertGreater(run["probes"]["tip"]["final"][2], 0.01 - 1e-9)
        drag = self.run_json(FLOOR.replace("FORCE", '"-4*min(t, 1)"') + "run: {until: 30, step: 0.1, mode: overdamped, drag: 0.1}\n")
        self.same(drag, rest["path"][-1], 1e-8)

    def test_growth_between_walls(self):
        for t, middle in MIDDLE.items():
            run = self.run_json(WALLS, "--set", f"run.until={t}")
            self.assertAlmostEqual(1 + run["own"]["quasi-static/lost"]["final"], ONSET, delta=2e-5)
            x, y, _ = run["probes"]["middle"]["final"]
            self.assertAlmostEqual(math.hypot(x, y) / (2 * math.pi / 3), middle, delta=2e-4)
        drag = self.run_json(WALLS, "--set", "run={until: 0.05, step: 0.001, mode: overdamped, drag: 1e-3}", "--set", "bodies.beam.rod.natural={curvature: [0, 1e-3, 0]}")
        x, y, _ = drag["probes"]["middle"]["final"]
        self.assertAlmostEqual(math.hypot(x, y) / (2 * math.pi / 3), MIDDLE[0.05], delta=4e-4)

    def test_links_are_split_on_the_way(self):
        fine = self.run_json(SHOOT.replace("MODE", "mode: quasi-static").replace("elements: 4", "elements: 64").replace(", split: 0.06", ""))
        for mode in ("mode: quasi-static", "mode: overdamped, drag: 1e-6"):
            run = self.run_json(SHOOT.replace("MODE", mode))
            self.assertIn("halved", self.said)
            self.assertLess(math.dist(run["probes"]["tip"]["final"], fine["probes"]["tip"]["final"]), 5e-3)
            if "quasi" in mode:  # the other falls into its sag at once, faster than steps show
                self.assertLess(run["energy"]["drift_max"], 1e-2 * run["energy"]["scale"])

    def test_a_run_gives_the_same_numbers_again(self):
        whole = self.run_json(WALLS, "--set", "run.until=0.02")
        again = self.run_json(WALLS, "--set", "run.until=0.02")
        self.assertEqual(whole["probes"], again["probes"])
        self.assertEqual(whole["own"], again["own"])

    def test_check_says_the_mode(self):
        text = self.succeed("check", self.write("model.yaml", WALLS)).stdout
        self.assertIn("quasi-static to t = 0.2 s", text)

    def test_what_does_not_go_together_is_refused(self):
        beam = BEAM.replace("FORCE", "[0, 0, -P]")
        for run, words in (
            ("{until: 1, mode: quasi-static, integrator: verlet}", "belongs to motion with inertia"),
            ("{until: 1, mode: quasi-static, events: on}", "belongs to motion with inertia"),
            ("{until: 1, mode: quasi-static, tolerance: 1e-6}", "belongs to motion with inertia"),
            ("{until: 1, mode: quasi-static, drag: 1}", "belongs to overdamped motion"),
            ("{until: 1, drag: 1}", "belongs to overdamped motion"),
            ("{until: 1, mode: overdamped}", "needs run.drag"),
            ("{until: 1, mode: overdamped, drag: 0}", "the drag"),
            ("{until: 1, mode: overdamped, drag: -1}", "the drag"),
        ):
            done = self.zwang("run", self.write("model.yaml", beam + f"run: {run}\n"), "-o", self.dir / "no.zw")
            self.assertNotEqual(done.returncode, 0, run)
            self.assertIn(words, done.stderr + done.stdout, run)
        floating = beam.replace("constraints:\n  root: {clamp: beam, s: 0}\n", "").replace("  root: {reaction: root}\n", "")
        done = self.zwang("run", self.write("model.yaml", floating + "run: {until: 1, mode: quasi-static}\n"), "-o", self.dir / "no.zw")
        self.assertIn("has no equilibrium without a support", done.stderr)
        ball = "zwang: 1\nbodies:\n  ball: {rigid: {mass: 1, inertia: [1, 1, 1]}}\nrun: {until: 1, mode: overdamped, drag: 1}\n"
        done = self.zwang("run", self.write("model.yaml", ball), "-o", self.dir / "no.zw")
        self.assertIn("acts on rods, and there is none", done.stderr)


if __name__ == "__main__":
    unittest.main()
