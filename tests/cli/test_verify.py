# SPDX-License-Identifier: Apache-2.0
"""zwang verify: the table, the JSON object, exit codes, and models that cannot be verified."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import CANTILEVER, SOURCE, ProgramTest  # noqa: E402

MODELS = SOURCE / "tests" / "cli" / "models"
NONHOLONOMIC = ["appell-hamel", "constant-speed", "chaplygin-sleigh", "rolling-disk", "roller-racer"]


class Verify(ProgramTest):
    def verify(self, *words):
        return json.loads(self.succeed("verify", *words, "--json").stdout)

    def test_principles_agree_on_nonholonomic_systems(self):
        for name in NONHOLONOMIC:
            found = self.verify(MODELS / f"{name}.yaml")
            self.assertEqual(found["outcome"], "ok", name)
            self.assertEqual(found["states"], 100)
            self.assertLessEqual(found["disagreement"]["largest"], 1e-12 * found["condition"], name)  # measured: 6e-15
            self.assertEqual(len(found["disagreement"]["between"]), 2)
            self.assertRegex(found["disagreement"]["where"], r"^state \d+$")
            made = {c["check"]: c for c in found["checks"] if c["states"]}
            for check in ("accelerations: multiplier", "accelerations: macmillan", "accelerations: udwadia-kalaba", "multipliers", "zwang grows",
                          "reactions do no work", "variations, eq. 14", "equation 13", "rows", "rows: rate", "metric", "velocity terms",
                          "forces", "power"):
                self.assertTrue(made[check]["ok"], (name, check))
                self.assertEqual(made[check]["states"], 100, (name, check))

    def test_rods_are_verified_with_what_applies(self):
        found = self.verify(self.write("beam.yaml", CANTILEVER), "--states", "20")
        left_out = {c["check"]: c["left_out"] for c in found["checks"] if not c["states"]}
        self.assertEqual(set(left_out), {"metric", "velocity terms", "equation 13", "rods: growth power"})
        self.assertIn("lagrangian", left_out["metric"])
        self.assertEqual((found["states"], found["rows"], found["velocities"]), (20, 6, 66))

    def test_table_has_a_line_for_every_check_and_fits_a_wide_terminal(self):
        text = self.succeed("verify", MODELS / "rolling-disk.yaml", "--states", "5").stdout
        lines = text.splitlines()
        self.assertEqual(lines[-1], "ok")
        for check in ("accelerations: udwadia-kalaba", "equation 13", "power"):
            self.assertRegex(text, rf"(?m)^{check} .* ok ")
        self.assertIn("formulations agree to", text)
        self.assertLessEqual(max(map(len, lines)), 140)
        self.assertEqual(self.succeed("verify", MODELS / "rolling-disk.yaml", "--states", "5", "--quiet").stdout, "")

    def test_seed_decides_the_states(self):
        path = MODELS / "rolling-disk.yaml"
        one, same, other = (self.verify(path, "--states", "10", "--seed", k) for k in ("7", "7", "8"))
        self.assertEqual(one, same)
        self.assertNotEqual(one["condition"], other["condition"])
        self.assertEqual(one["seed"], 7)

    def test_a_constraint_that_cannot_be_met_fails_with_numbers(self):
        path = self.write("never.yaml", "zwang: 1\nbodies:\n  p:\n    lagrangian:\n      coordinates: [x, y]\n"
                          "      kinetic: xdot^2 + ydot^2\n      constraints: [xdot^2 + ydot^2 = -1]\n      start: {xdot: 1}\n")
        done = self.zwang("verify", path)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("0 of 100 random states are admissible", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_usage(self):
        for words, part in ((("verify",), "needs MODEL"), (("verify", "x", "--states", "0"), "whole number"),
                            (("verify", "x", "--seed", "-1"), "is not a seed"), (("run", "x", "--states", "3"), "belongs to: verify")):
            done = self.zwang(*words)
            self.assertEqual(done.returncode, 64, words)
            self.assertIn(part, done.stderr)
        self.assertEqual(self.zwang("verify", "missing.yaml").returncode, 66)
        self.assertIn("usage: zwang verify MODEL", self.succeed("help", "verify").stdout)

    def test_parameters_can_be_set(self):
        found = self.verify(MODELS / "chaplygin-sleigh.yaml", "--states", "5", "--set", "a=0")
        self.assertEqual(found["outcome"], "ok")


if __name__ == "__main__":
    unittest.main()
