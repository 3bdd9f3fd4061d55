# SPDX-License-Identifier: Apache-2.0
"""energy-momentum from the command line: what check says, what a run keeps and reports, what is refused by name."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import BEAM, CANTILEVER, ProgramTest  # noqa: E402

CHAIN = """\
zwang: 1
gravity: [0, 0, -9.81]
bodies:
  one: {rigid: {mass: 1, inertia: [1e-3, 0.09, 0.09], at: [0.5, 0, 0]}}
  two:
    lagrangian:
      coordinates: [x, z, th]
      kinetic: (xdot^2 + zdot^2 + 0.09*thdot^2)/2
      potential: 9.81*z
      points: {a: [x - cos(th)/2, 0, z - sin(th)/2], b: [x + cos(th)/2, 0, z + sin(th)/2]}
      start: {x: 1.5}
constraints:
  root: {ball: {body: one, at: [-0.5, 0, 0]}}
  j: {ball: [{body: one, at: [0.5, 0, 0]}, {body: two, point: a}]}
probes: {hold: {reaction: root}}
run: {until: 0.5, step: 2e-3, integrator: energy-momentum}
"""

FALL = """\
zwang: 1
gravity: [0, 0, -9.81]
bodies:
  box: {rigid: {box: {size: [0.2, 0.3, 0.1]}, density: 500, at: [0, 0, 0.3], turn: [0.3, 0.2, 0.1]}}
  rope: {rod: {length: 1, elements: 10, at: [0.5, 0, 0.2], along: [1, 0, 0.1], section: {round: 0.02}, material: {density: 1000, young: 1e7, poisson: 0.3}}}
obstacles: {floor: {plane: {normal: [0, 0, 1]}}}
contact: {restitution: 0}
run: {until: 0.8, step: 2e-3, integrator: energy-momentum}
"""

BY = "run.integrator=energy-momentum"


class EnergyMomentum(ProgramTest):
    def run_json(self, text, *more):
        model = self.write("model.yaml", text)
        return json.loads(self.succeed("run", model, "-o", self.dir / "out.zw", "--force", "--json", *more).stdout)

    def test_a_free_beam_keeps_everything_at_a_hundred_times_the_explicit_step(self):
        summary = self.run_json(BEAM, "--set", BY, "--set", "run.step=1e-2")
        self.assertEqual(summary["integrator"], "energy-momentum")
        self.assertEqual(summary["steps"], 10)
        self.assertLess(summary["energy"]["drift_max"], 1e-12 * summary["energy"]["scale"])

    def test_check_says_how_lagrangians_move(self):
        result = self.succeed("check", self.write("model.yaml", CHAIN))
        self.assertIn("midpoint rule", result.stdout + result.stderr)
        self.assertIn("energy-momentum to t = 0.5 s", result.stdout)

    def test_a_chain_of_two_kinds_reports_joints_zwang_and_reactions(self):
        summary = self.run_json(CHAIN)
        self.assertLess(summary["constraint"]["position_max"], 1e-12)
        self.assertLess(summary["energy"]["drift_max"], 1e-9 * summary["energy"]["scale"])
        self.assertGreater(summary["zwang"]["max"], 0.0)
        text = self.succeed("run", self.dir / "model.yaml", "-o", self.dir / "b.zw").stdout
        self.assertIn("newton/halvings", text)
        self.assertIn("hold", text)

    def test_the_step_is_chosen_where_none_is_given(self):
        text = self.succeed("check", self.write("model.yaml", BEAM), "--set", BY, "--set", "run={until: 0.1, integrator: energy-momentum}").stdout
        self.assertIn("chosen for tolerance 1e-6", text)

    def test_a_box_and_a_rope_fall_and_nothing_is_gained(self):
        summary = self.run_json(FALL)
        self.assertLess(summary["energy"]["drift_max"], 1e-11 * summary["energy"]["scale"])
        self.assertLess(summary["energy"]["final"], summary["energy"]["initial"])
        text = self.succeed("run", self.dir / "model.yaml", "-o", self.dir / "b.zw").stdout
        self.assertIn("contact/depth", text)
        check = self.succeed("check", self.dir / "model.yaml").stdout
        self.assertIn("discrete gradient of the gap", check)

    def test_what_it_cannot_do_is_refused_by_name(self):
        for change, part in (
            ("contact={friction: 0.2}", "without friction"),
            ("contact={restitution: 0.5}", "plastic impacts only"),
            ("run={until: 1, step: 1e-3, integrator: energy-momentum, events: on}", "locates no impacts"),
            ("run={until: 1, integrator: energy-momentum, tolerance: 1e-6}", "no tolerance chooses"),
        ):
            result = self.zwang("check", self.write("model.yaml", FALL), "--set", change)
            self.assertNotEqual(result.returncode, 0, change)
            self.assertIn(part, result.stdout + result.stderr, change)
        result = self.zwang("check", self.write("model.yaml", CANTILEVER), "--set", "run={until: 1, energy-momentum: {damping: 0.1}}")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("options of the integrator energy-momentum", result.stdout + result.stderr)

    def test_where_newton_finds_nothing_the_node_and_the_time_are_named(self):
        result = self.zwang("run", self.write("model.yaml", CANTILEVER + "loads: {m: {moment: [0, 1e9*t, 0], on: beam, s: 1}}\n"), "--set", "run={until: 1, step: 1e-2, integrator: energy-momentum}")
        self.assertNotEqual(result.returncode, 0)
        for part in ("of rod 'beam'", "no solution of the step from t = ", "use a smaller step"):
            self.assertIn(part, result.stdout + result.stderr)

    def test_damping_is_counted(self):
        kept = self.run_json(BEAM, "--set", "run={until: 1, step: 1e-2, integrator: energy-momentum, energy-momentum: {damping: 0.5}}")
        self.assertLess(kept["energy"]["drift_max"], 1e-12 * kept["energy"]["scale"])
        self.assertLess(kept["energy"]["final"], kept["energy"]["initial"])

    def test_reactions_hold_contacts_too(self):
        text = """zwang: 1
parameters: {rise: 0.3}
gravity: [0, 0, -9.81]
bodies:
  arm: {rigid: {capsule: {length: 1, radius: 0.05}, mass: 2, at: [0.5*sqrt(1 - rise^2), 0, 0.05 + rise/2], turn: [0, pi/2 + asin(rise), 0], points: {a: [0, 0, -0.5]}}}
obstacles: {floor: {plane: {normal: [0, 0, 1]}}}
constraints: {hinge: {hinge: {body: arm, point: a}, axis: [0, 1, 0], to: ground}}
contact: {restitution: 0}
run: {until: 0.5, step: 1e-2, integrator: energy-momentum}
probes: {R: {reaction: hinge}}
"""
        told = json.loads(self.succeed("run", self.write("arm.yaml", text), "-o", self.dir / "arm", "--json", "--no-report").stdout)
        force = told["probes"]["R"]["final"]
        self.assertLess(abs(force[2] - 9.81), 1e-9)  # half of the weight; the floor carries the other half. Measured: 1.5e-12
        self.assertLess(abs(force[0]) + abs(force[1]), 1e-9)


if __name__ == "__main__":
    unittest.main()
