# SPDX-License-Identifier: Apache-2.0
"""zwang verify on rods: what it says of the equations of growing rods, as a table and as JSON; and the measures of Gauss in the results."""
import array
import ast
import json
import os
import sys
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import CANTILEVER, ProgramTest  # noqa: E402

ROD_CHECKS = ("rods: internal forces", "rods: strains, eq. 4", "rods: compatibility, eq. 19", "rods: zwang in space, eq. 45", "rods: reactions, eq. 34",
              "rods: equilibrium by Z_s")
BEAM = "zwang: 1\nbodies:\n  a: {rod: {length: 1, elements: 6, along: [1, 0, 0], %ssection: {rectangle: [0.1, 0.06]}, " \
       "material: {density: 1000, young: 1e6, poisson: 0.25}}}\n%s"
HELD = "gravity: [0, 0, -9.81]\nconstraints:\n  root: {clamp: a, s: 0}\n"


def load(path):
    """name: (shape, numbers) of an .npz of float64, without numpy"""
    found = {}
    with zipfile.ZipFile(path) as z:
        for name in z.namelist():
            data = z.read(name)
            start = 10 + int.from_bytes(data[8:10], "little")
            numbers = array.array("d")
            numbers.frombytes(data[start:])
            found[name.removesuffix(".npy")] = (ast.literal_eval(data[10:start].decode())["shape"], numbers)
    return found


class VerifyRods(ProgramTest):
    def verify(self, text, *words):
        return json.loads(self.succeed("verify", self.write("beam.yaml", text), "--json", *words).stdout)

    def test_held_rods_meet_every_equation(self):
        for more in ("", "kinematics: unshearable, ", "kinematics: inextensible, "):
            found = self.verify(BEAM % (more, HELD), "--states", "10")
            self.assertEqual(found["outcome"], "ok", more)
            made = {c["check"]: c for c in found["checks"] if c["states"]}
            for check in ROD_CHECKS:
                self.assertTrue(made[check]["ok"], (more, check))
            for check in ("rods: zwang in space, eq. 45", "rods: reactions, eq. 34", "zwang grows", "reactions do no work"):
                self.assertLess(made[check]["largest"], 1e-12, (more, check))
            self.assertEqual(made["rods: equilibrium by Z_s"]["states"], 1)
            self.assertLess(found["disagreement"]["largest"], 1e-12 * found["condition"])

    def test_what_does_not_apply_is_said(self):
        free = self.verify(BEAM % ("", ""), "--states", "3")
        left_out = {c["check"]: c["left_out"] for c in free["checks"] if not c["states"]}
        self.assertEqual(left_out["rods: reactions, eq. 34"], "no constraints")
        self.assertIn("no equilibrium", left_out["rods: equilibrium by Z_s"])
        self.assertEqual(left_out["rods: growth power"], "no rod grows")

    def test_table_fits(self):
        text = self.succeed("verify", self.write("beam.yaml", CANTILEVER), "--states", "3").stdout
        self.assertLessEqual(max(map(len, text.splitlines())), 140)
        for check in ROD_CHECKS:
            self.assertIn(check, text)

    def test_measures_are_recorded_where_they_are_named(self):
        text = BEAM % ("shape: {curvature: [1, 0, 0]}, ", HELD) + \
            "run: {until: 0.01, step: 1e-4}\nrecord: {frames: 4, fields: [position, zwang_time, zwang_space, total_strain, shear_angle]}\n"
        out = self.dir / "out"
        self.succeed("run", self.write("beam.yaml", text), "-o", out, "--no-report")
        self.succeed("export", out, "--as", "numpy")
        z = load(out / "results.npz")
        frames = z["time"][0][0]
        self.assertEqual(z["rod/a/total_strain"][0], (frames, 6))
        self.assertEqual(z["rod/a/zwang_space"][0], (frames,))
        zwang = z["zwang"][1]
        self.assertGreater(max(zwang), 0)
        for own, whole in zip(z["rod/a/zwang_time"][1], zwang):
            self.assertLessEqual(abs(own - whole), 1e-12 * max(zwang))
        self.assertGreater(max(z["rod/a/zwang_space"][1]), 0)
        self.assertNotIn("rod/a/growth_strain", z)

    def test_a_name_that_is_none_is_refused(self):
        done = self.zwang("check", self.write("beam.yaml", BEAM % ("", "record: {fields: [growth-strain]}\n")))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("growth_strain", done.stderr)


if __name__ == "__main__":
    unittest.main()
