#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models with contacts that cannot be run: each gives a clear error with the body, the number, the place in the file and a remedy; nothing is computed silently."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ProgramTest  # noqa: E402

BALL = """zwang: 1
parameters: {{k: 3}}
gravity: [0, 0, -9.81]
bodies:
  ball: {{rigid: {{sphere: {{radius: 0.1}}, mass: 1, at: {at}, velocity: [1, 0, 0], points: {{c: [0, 0, 0], low: [0, 0, -0.1]}}}}}}
constraints:
  floor: {{unilateral: {f}, on: ball, points: [{point}], restitution: {e}}}
run: {{until: 1}}
"""
LINKS = """zwang: 1
gravity: [0, 0, -9.81]
bodies:
  a: {{rigid: {{capsule: {{length: 1, radius: 0.05}}, mass: 1, at: [0, 0, 0.5]}}}}
  b: {{rigid: {{capsule: {{length: 1, radius: 0.05}}, mass: 1, at: [{x}, 0, 1.5]}}}}
constraints:
  low:  {{hinge: a, at: [0, 0, -0.5], axis: [0, 1, 0]}}
  mid:  {{ball: [{{body: a, at: [0, 0, 0.5]}}, {{body: b, at: [0, 0, -0.5]}}]}}
  high: {{ball: b, at: [0, 0, 0.5], motion: {{shift: {shift}}}}}
run: {{until: 1}}
"""
FORMS = """zwang: 1
gravity: [0, 0, -9.81]
bodies:
  ball:  {{rigid: {{sphere: {{radius: 0.1}}, mass: 1, at: [0, 0, {z}]}}}}
  block: {{rigid: {{box: {{size: [0.2, 0.2, 0.2]}}, mass: 1, at: [{x}, 0, 0.3]}}}}
  rope:  {{rod: {{length: 1, elements: 10, at: [2, 0, {low}], section: {{round: 0.01}}, material: {{density: 1000, young: 1e6, poisson: 0.3}}}}}}
obstacles:
  floor: {{plane: {{normal: [0, 0, 1]}}}}
  other: {other}
{more}
run: {{until: 0.01, integrator: {integrator}}}
"""


class Refused(ProgramTest):
    def refused(self, code, text, *wanted, verb="run"):
        path = self.write("m.yaml", text)
        done = self.zwang(verb, path, *(["-o", self.dir / "out.zw", "--force"] if verb == "run" else []))
        self.assertEqual(done.returncode, code, done.stderr)
        for part in wanted:
            self.assertIn(part, done.stderr)
        return done

    def ball(self, **keys):
        return BALL.format(**{"at": "[0.2, 0, 0.5]", "f": "z >= 0", "point": "c", "e": "1", **keys})

    def links(self, **keys):
        return LINKS.format(**{"x": 0, "shift": "[0, 0, 0]", **keys})

    def test_interpenetrating_start_of_a_point(self):
        self.refused(2, self.ball(at="[0, 0, -0.2]", point="low"), "m.yaml:7:3: constraint 'floor", "interpenetrating start", "-0.3",
                     "change the start so that z >= 0")

    def test_gap_that_is_not_finite_at_the_start(self):
        self.refused(1, self.ball(at="[0, 0, 0]", f="z/x >= 0"), "m.yaml:7:3: constraint 'floor", "not finite at t = 0 s", "gives nan")

    def test_gradient_that_vanishes_at_the_contact(self):
        self.refused(2, self.ball(f="z^3 >= 0"), "m.yaml:7:3: constraint 'floor", "the gradient of f vanishes at the contact at t = 0.3192",
                     "write f so that its gradient does not vanish where it is 0")

    def test_restitution_outside_0_and_1(self):
        self.refused(2, self.ball(e="k/2"), "m.yaml:7:67: constraints.floor.restitution: the restitution must lie between 0 and 1, and is 1.5",
                     "an impact cannot add energy")
        self.refused(2, self.ball(e="k*x"), "m.yaml:7:67: constraint 'floor", "its restitution is 1.55783 at the impact at t = 0.31927543 s")
        self.refused(2, self.ball(e="-k*x"), "its restitution is -1.55783 at the impact")

    def test_zero_mass_and_inertia(self):
        self.refused(2, self.ball().replace("mass: 1", "mass: 0"), "m.yaml:5:47: bodies.ball.rigid.mass: the mass must be positive, and is 0")
        flat = self.ball().replace("sphere: {radius: 0.1}, mass: 1", "mass: 1, inertia: [1, 1, 0]")
        self.refused(2, flat, "bodies.ball.rigid.inertia: a moment of inertia is 0: nothing resists a spin about its axis", "give it a radius")

    def test_loop_that_cannot_close(self):
        self.refused(2, self.links(x=5), "m.yaml:8:3: constraints.mid: the points of the ball joint are 5 m apart at the start",
                     "place the bodies so that the two points meet")
        self.refused(2, self.links(shift="[0, 0, 0.3*t]"), "m.yaml:8:3: constraint 'mid'", "contradicts them by 1 of its scale", "at t = 0")
        self.refused(2, self.links(shift="[0, 0, 0.3]"), "constraints.high.motion: shift[3] is 0.3 at t = 0, not 0")

    def test_constraints_that_contradict_each_other(self):
        twice = self.ball().replace("run:", "  here:  {ball: ball, motion: {shift: [0, 0, t]}}\n  there: {ball: ball, motion: {shift: [0, 0, -t]}}\nrun:")
        self.refused(2, twice, "m.yaml:9:3: constraint 'there', z", "contradicts them by 1 of its scale",
                     "remove one of the constraints that ask for the same motion")

    def forms(self, **keys):
        return FORMS.format(**{"z": 0.3, "x": 1, "low": 0.1, "other": "{sphere: {radius: 1, at: [0, 0, -5]}}", "more": "contact: {}",
                               "integrator": "verlet", **keys})

    def test_interpenetrating_start_of_forms(self):
        self.succeed("check", self.write("good.yaml", self.forms()))
        for how in ("verlet", "gauss, stages: 1, events: off"):
            for verb in ("run", "check"):
                self.refused(2, self.forms(z=0.04, integrator=how), "m.yaml:4:3: ball and floor: they overlap at the start by 0.06 m", "move them apart", verb=verb)
            self.refused(2, self.forms(x=0.15, integrator=how), "m.yaml:4:3: ball and block: they overlap at the start by 0.05 m", "contact.pairs")
            self.refused(2, self.forms(low=-0.2, integrator=how), "m.yaml:6:3: rope", "and floor: they overlap at the start by 0.2")
        self.refused(2, self.forms(other="{sphere: {radius: 1, hollow: true}}", low=1), "m.yaml:6:3: rope.10 and other: they overlap at the start by 1.83843 m")
        self.refused(2, self.forms(other="{mesh: {points: [[-1, -1, 0.25], [1, -1, 0.25], [0, 1, 0.25]], triangles: [[0, 1, 2]]}}"),
                     "ball and other: they overlap at the start by 0.05 m")
        self.refused(2, self.forms(other="{gap: z - 0.25 + 10*(x - 1)}", x=0.5), "ball and other: they overlap at the start by ")

    def test_gaps_without_a_distance(self):
        self.refused(1, self.forms(other="{gap: z + log(x - 5)}"), "m.yaml:9:16: obstacles.other.gap: log(x - 5) with x = 2 gives nan")
        self.refused(1, self.forms(other="{gap: (z - 0.1)^3}"), "m.yaml:9:16: obstacles.other.gap: its gradient is", "not 0 where it is 0")

    def test_motion_that_does_not_begin_at_0(self):
        self.refused(2, self.forms(other="{plane: {normal: [0, 0, 1], at: [0, 0, -1]}, motion: {shift: [0, 0, 0.05 + t]}}"),
                     "m.yaml:9:78: obstacles.other", "shift[3] is 0.05 at t = 0, not 0", "subtract its value at t = 0")

    def test_limits_that_leave_out_the_start(self):
        limits = self.links().replace("low:  {hinge: a, at: [0, 0, -0.5], axis: [0, 1, 0]", "low:  {hinge: a, at: [0, 0, -0.5], axis: [0, 1, 0], limits: [0.1, 0.3]")
        self.refused(2, limits, "m.yaml:7:63: constraints.low.limits: the joint starts at 0, which is not between 0.1 and 0.3")

    def test_laws_that_do_not_go_with_the_integrator(self):
        self.refused(2, self.forms(more="contact: {law: compliant}"), "m.yaml:10:16: contact.law: verlet steps over contacts with Moreau's law, and this is compliant")
        self.refused(2, self.forms(integrator="hamel"), "m.yaml:11:32: run.integrator: hamel cannot move the rigid body 'ball'")
        self.refused(2, self.forms(integrator="gauss, events: off, stages: 3"), "run.stages: with events off one stage steps over contacts, and these are 3")
        self.refused(2, self.forms(integrator="gauss", more="contact: {friction: 0.3}"), "m.yaml:10:21: contact.friction: ", "use integrator: verlet")
        self.refused(2, self.forms(integrator="gauss, events: off", more="contact: {restitution: 0.5}"), "m.yaml:10:24: contact.restitution", "plastic")


if __name__ == "__main__":
    unittest.main()
