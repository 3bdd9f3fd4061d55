#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""zwang modes: table and JSON, critical values, shapes in the results, the report, and models that have no modes."""
import csv
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

BEAM = """zwang: 1
title: A beam
parameters: {{P: 1, m: 1}}
bodies:
  beam: {{rod: {{length: 1, elements: 12, along: [1, 0, 0], section: {{bending: [1, 2], torsion: 1, stretch: 1e4, shear: 1e4, mass: m, inertia: [1e-4, 1e-4, 2e-4]}}}}}}
{rest}
"""
CLAMPED = BEAM.format(rest="constraints: {root: {clamp: beam, s: 0}}\nloads: {push: {force: [-P, 0, 0], on: beam, s: end}}\nmodes: {count: 3, critical: P, to: 5}")


class Modes(ProgramTest):
    def modes(self, path, *more):
        return json.loads(self.succeed("modes", path, "--json", *more).stdout)

    def test_json_and_table_say_the_same(self):
        path = self.write("m.yaml", CLAMPED)
        told = self.modes(path)
        self.assertEqual((told["analysis"], told["outcome"], told["about"], told["verdict"], told["free"]), ("modes", "reached", "equilibrium", "stable", 0))
        self.assertEqual(len(told["modes"]), 3)
        self.assertEqual([m["growth"] for m in told["modes"]], [0, 0, 0])
        frequencies = [m["frequency"] for m in told["modes"]]
        self.assertEqual(frequencies, sorted(frequencies))
        self.assertEqual((told["critical"]["parameter"], told["critical"]["kind"], told["critical"]["frequency"]), ("P", "divergence", 0))
        self.assertAlmostEqual(told["critical"]["value"], math.pi**2 / 4, delta=0.01)  # Euler, but for shear and 12 elements
        text = self.succeed("modes", path).stdout
        self.assertIn("stable", text)
        self.assertIn("critical value of P: 2.4", text)
        self.assertEqual(self.succeed("modes", path, "--quiet").stdout, "")
        self.assertEqual({k: v for k, v in told.items() if k != "wall_s"}, {k: v for k, v in self.modes(path).items() if k != "wall_s"})  # every time the same

    def test_past_the_critical_value(self):
        told = self.modes(self.write("m.yaml", CLAMPED), "--set", "P=3")
        self.assertEqual(told["verdict"], "divergence")
        self.assertGreater(told["modes"][0]["growth"], 0)
        self.assertEqual(told["modes"][0]["frequency"], 0)
        told = self.modes(self.write("n.yaml", CLAMPED), "--set", "modes.from=3", "--set", "modes.to=4")
        self.assertIsNone(told["critical"]["value"])
        self.assertEqual(told["critical"]["kind"], "unstable at from")
        told = self.modes(self.write("o.yaml", CLAMPED), "--set", "modes.to=2")
        self.assertIsNone(told["critical"]["value"])
        self.assertIsNone(told["critical"]["kind"])

    def test_free_bodies_have_motions_that_nothing_holds(self):
        path = self.write("m.yaml", BEAM.format(rest=""))
        told = self.modes(path)
        self.assertEqual((told["free"], len(told["modes"])), (6, 6))
        self.assertGreater(told["modes"][0]["frequency"], 20)
        self.assertIn("6 motions that nothing holds", self.succeed("modes", path).stdout)

    def test_shapes_are_stored(self):
        out = self.dir / "out"
        path = self.write("m.yaml", CLAMPED)
        text = self.succeed("modes", path, "-o", out).stdout
        self.assertIn("report.html", text)
        summary = json.loads((out / "summary.json").read_text())
        self.assertEqual(len(summary["modes"]), 3)
        page = (out / "report.html").read_text()
        self.assertEqual(page.count("<animate "), 3)
        self.assertNotIn("<script", page)
        self.succeed("export", out, "--as", "csv")
        with open(out / "csv" / "modes.csv", encoding="utf-8") as f:
            rows = list(csv.reader(f))
        self.assertEqual(len(rows), 2 + 3 * 24)  # head, the state, three modes of 24 phases
        self.assertEqual(self.zwang("modes", path, "-o", out).returncode, 74)
        self.succeed("modes", path, "-o", out, "--force", "--no-report")
        self.assertFalse((out / "report.html").exists())
        self.succeed("report", out)
        self.assertIn("<animate ", (out / "report.html").read_text())

    def test_examples(self):
        told = self.modes(SOURCE / "examples" / "becks-column.yaml", "--set", "bodies.column.rod.elements=32")
        self.assertEqual(told["critical"]["kind"], "flutter")
        self.assertAlmostEqual(told["critical"]["value"], 20.050953619, delta=0.03)  # 0.0238 by 32 elements
        self.assertAlmostEqual(told["critical"]["frequency"], 11.01555764, delta=0.02)
        told = self.modes(SOURCE / "examples" / "rotating-blade.yaml", "--set", "bodies.blade.rod.elements=32")
        lag, flap = [m["frequency"] for m in told["modes"][:2]]
        self.assertAlmostEqual(flap**2 - lag**2, 36, delta=1e-3)

    def test_check_needs_no_run(self):
        self.assertIn("3 about the equilibrium", self.succeed("check", self.write("m.yaml", CLAMPED)).stdout)
        told = json.loads(self.succeed("check", self.write("n.yaml", BEAM.format(rest="modes: {}")), "--json").stdout)
        self.assertEqual((told["analysis"], told["degrees_of_freedom"]), ("modes", 78))

    def test_refused(self):
        for rest, more, code, part in [
                ("constraints: {root: {clamp: beam, s: 0}}\nmodes: {about: steady}", (), 2, "nothing spins steadily"),
                ("constraints: {root: {clamp: beam, s: 0, motion: {shift: [0, t, 0]}}}", (), 2, "root: it moves with time"),
                ("loads: {push: {force: [1, 0, 0], on: beam, s: 0}}", (), 2, "no equilibrium without a support"),
                ("obstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, -1]}}}", (), 2, "contact"),
                ("constraints: {root: {clamp: beam, s: 0}}\nmodes: {critical: m, from: -1, to: 1}", (), 2, "mass"),
                ("constraints: {root: {clamp: beam, s: 0}}\nmodes: {critical: q, to: 1}", (), 2, "there is no parameter 'q'")]:
            with self.subTest(rest):
                done = self.zwang("modes", self.write("m.yaml", BEAM.format(rest=rest)), *more)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(part, done.stderr)
        self.assertEqual(self.zwang("modes", self.dir / "none.yaml").returncode, 66)
        self.assertEqual(self.zwang("modes").returncode, 64)


if __name__ == "__main__":
    unittest.main()
