# SPDX-License-Identifier: Apache-2.0
"""What goes wrong with a system written as a Lagrangian says what, where in the file, in which expression and at which state; and keeps what was computed."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

MODEL = """zwang: 1
bodies:
  b:
    lagrangian:
      coordinates: [x, y]
      kinetic: {kinetic}
      potential: {potential}
      constraints: {constraints}
      start: {{x: 1}}
run: {{until: {until}}}
"""


class Refused(ProgramTest):
    def model(self, **keys):
        text = MODEL.format(**{"kinetic": "(xdot^2 + ydot^2)/2", "potential": "0*x", "constraints": "[]", "until": 1, **keys})
        path = self.dir / "m.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def refused(self, code, path, *wanted, options=()):
        done = self.zwang("run", path, "-o", self.dir / "out.zw", "--force", *options)
        self.assertEqual(done.returncode, code, done.stderr)
        for text in wanted:
            self.assertIn(text, done.stderr)
        return done

    def test_a_velocity_without_mass_is_named(self):
        self.refused(2, self.model(kinetic="(xdot + ydot)^2/2"), "m.yaml:6:16: bodies.b.lagrangian.kinetic: no kinetic energy along 0.71 xdot - 0.71 ydot",
                     "t = 0, x = 1, y = 0, xdot = 0, ydot = 0")

    def test_constraints_that_contradict_each_other(self):
        self.refused(2, self.model(constraints="{a: xdot = ydot, c: xdot - ydot = 1}"), "constraint 'b.c': xdot - ydot = 1", "m.yaml:8:40:", "contradicts them by 1", "at t = 0, x = 1, y = 0")

    def test_redundant_constraints_are_solved_and_named(self):
        done = self.zwang("run", self.model(constraints="[xdot = ydot, 2*xdot = 2*ydot]"), "-o", self.dir / "out.zw")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("constraint 'b.c2': 2*xdot = 2*ydot follows from the other constraints", done.stderr)

    def test_a_start_that_cannot_be_made_consistent(self):
        self.refused(2, self.model(constraints="{circle: x^2 + y^2 = -1}"), "constraint 'b.circle': x^2 + y^2 = -1: inconsistent start", "m.yaml:8:29:", "at t = 0, x = ")

    def test_a_start_that_was_changed_is_told(self):
        done = self.zwang("run", self.model(constraints="[x^2 + y^2 = 4]"), "-o", self.dir / "out.zw")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: start: b.x was changed from 1 to 2 to agree with the constraints", done.stderr)

    def test_a_division_by_zero_on_the_way(self):
        for options in ((), ("--set", "run.step=0.01")):
            self.refused(1, self.model(potential="-1/x", until=5), "m.yaml:7:18: bodies.b.lagrangian.potential: -1/", "is not bounded with", ", xdot = -", options=options)
            opened = self.zwang("export", self.dir / "out.zw", "--as", "csv", "-o", self.dir / "csv", "--force")
            self.assertEqual(opened.returncode, 0, opened.stderr)

    def test_a_logarithm_that_ends(self):
        self.refused(1, self.model(potential="log(x - 0.5)", until=5), "m.yaml:7:18: bodies.b.lagrangian.potential: log(b.x - 0.5) is not bounded")

    def test_a_constraint_that_loses_its_rank(self):
        text = (SOURCE / "examples" / "appell-hamel.yaml").read_text(encoding="utf-8").replace("zdot: -1/3", "zdot: 1/3")
        path = self.dir / "up.yaml"
        path.write_text(text, encoding="utf-8")
        for options in ((), ("--set", "run.step=0.01"), ("--set", "run.step=0.0123")):
            done = self.refused(1, path, "constraint 'machine.wheel': xdot^2 + ydot^2 = a^2*zdot^2", "up.yaml:12:28:", "its gradient by the velocities vanishes", options=options)
            self.assertRegex(done.stderr, r"t = 0\.1104315")  # (1/3)(1 + a^2)/g


if __name__ == "__main__":
    unittest.main()
