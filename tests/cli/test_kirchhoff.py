#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rods whose shear or stretch is held by rows, seen from the program: what is run, told and refused."""
import math
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ProgramTest  # noqa: E402

ROD = """zwang: 1
gravity: {gravity}
bodies:
  beam:
    rod:
      length: 1
      elements: 10
      along: [1, 0, 0]
      kinematics: {kinematics}
      section: {{bending: [0.05, 0.05], torsion: 0.04, {more}mass: 0.1, inertia: 1e-5}}
      shape: {shape}
constraints:
  root: {{clamp: beam, s: 0}}
{joints}
run: {{until: 0.01, integrator: {integrator}{step}}}
"""

COLUMN = """zwang: 1
parameters: {P: 0}
bodies: {b: {rod: {length: 1, elements: 40, kinematics: inextensible, section: {bending: [1, 2.5], torsion: 1, mass: 1, inertia: 1e-4}}}}
constraints: {a: {clamp: b, s: 0, fix: [x, y, z, rz]}, e: {clamp: b, s: end, fix: [x, y]}}
loads: {p: {force: [0, 0, -P], on: b, s: end}}
statics: {vary: P, from: 0, to: 30, points: 6}
modes: {count: 2}
run: {until: 1}
"""


class Kirchhoff(ProgramTest):
    def model(self, **keys):
        start = {"gravity": "[0, 0, -9.81]", "kinematics": "inextensible", "more": "", "shape": "straight", "joints": "", "integrator": "verlet", "step": ""}
        return self.write("m.yaml", ROD.format(**{**start, **keys}))

    def run_model(self, code, **keys):
        done = self.zwang("run", self.model(**keys), "-o", self.dir / "out.zw", "--force")
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_every_integrator_runs_it(self):
        for integrator, step in (("verlet", ""), ("energy-momentum", ", step: 1e-3"), ("gauss", ", step: 1e-3")):
            self.run_model(0, integrator=integrator, step=step)

    def test_a_redundant_row_is_named(self):
        done = self.run_model(0, gravity="[-9.81, 0, 0]", joints="  top: {clamp: beam, s: end, fix: [x, rx]}")
        self.assertIn("follows from the other constraints: it is redundant; reactions are those of least norm", done.stderr)

    def test_a_taut_rod_cannot_fall(self):
        done = self.run_model(1, joints="  top: {clamp: beam, s: end, fix: [x, rx]}")
        self.assertIn("m.yaml:4:3: constraint 'beam.inextensible': stretch of link 10", done.stderr)
        self.assertIn("contradicts", done.stderr)

    def test_statics_names_it_too(self):
        path = self.model(gravity="[-9.81, 0, 0]", joints="  top: {clamp: beam, s: end}")
        done = self.zwang("statics", path, "-o", self.dir / "rest.zw", "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("follows from the other constraints: it is redundant; reactions are those of least norm", done.stderr)

    def test_a_column_without_stretch_and_shear(self):
        path = self.write("c.yaml", COLUMN)
        done = self.zwang("statics", path, "-o", self.dir / "rest.zw", "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [float(p) for p in re.findall(r"bifurcation +P = ([-+.e0-9]+)", done.stdout)]
        self.assertEqual(len(found), 2, done.stdout)
        for load, stiffness in zip(found, (1.0, 2.5)):  # the mesh of 40 links: 1 + (pi/40)^2/12
            self.assertAlmostEqual(load / (math.pi**2 * stiffness), 1 + (math.pi / 40) ** 2 / 12, delta=2e-6)
        done = self.zwang("modes", path, "-o", self.dir / "modes.zw", "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        omega = [float(w) for w in re.findall(r"^ +[12] +([-+.e0-9]+)", done.stdout, re.M)]
        for w, stiffness in zip(omega, (1.0, 2.5)):  # with rotary inertia; 3e-4 is the mesh
            self.assertAlmostEqual(w / (math.pi**2 * math.sqrt(stiffness / (1 + 1e-4 * math.pi**2))), 1, delta=1e-3)

    def test_stiffness_is_asked_for_where_a_strain_is_free(self):
        done = self.run_model(2, kinematics="unshearable")
        self.assertIn("m.yaml:10:7: bodies.beam.rod.section.stretch: is missing", done.stderr)
        self.assertIn("or say kinematics: inextensible", done.stderr)
        done = self.run_model(2, kinematics="cosserat", more="stretch: 100, ")
        self.assertIn("bodies.beam.rod.section.shear: is missing", done.stderr)

    def test_a_shape_that_does_not_fit_is_refused(self):
        done = self.run_model(2, shape="{points: [[0, 0, 0], [0.6, 0, 0], [1.2, 0, 0]]}")
        self.assertIn("m.yaml:11:14: bodies.beam.rod.shape: link 1 has a stretch of 0.2 at the start", done.stderr)
        self.assertIn("give a shape of the rod's length", done.stderr)
        done = self.run_model(2, kinematics="unshearable", more="stretch: 100, ", shape="{curve: [s, 0.3*abs(s - 0.52), 0]}")
        self.assertIn("shear along d", done.stderr)


if __name__ == "__main__":
    unittest.main()
