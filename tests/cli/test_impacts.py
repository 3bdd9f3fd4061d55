#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples with walls, floors and balls that meet: they run, and their ledgers hold what mechanics says."""
import csv
import math
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ZWANG, ProgramTest  # noqa: E402


class Impacts(ProgramTest):
    def ledger(self, name, *more):
        out = self.dir / name
        for arguments in (["run", str(SOURCE / "examples" / f"{name}.yaml"), "-o", str(out), *more], ["export", str(out), "--as", "csv"]):
            done = subprocess.run([ZWANG, *arguments], capture_output=True, text=True, timeout=100, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(out, "csv", "events.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_bouncing_ball_rests_at_the_limit(self):
        rows = self.ledger("bouncing-ball")
        limit = [float(row["time [s]"]) for row in rows if row["kind"] == "zeno"]
        self.assertEqual(len(limit), 1)
        self.assertAlmostEqual(limit[0], math.sqrt(2 / 9.81) * 1.8 / 0.2, delta=1e-12)
        self.assertEqual(rows[-1]["kind"], "rest")

    def test_double_pendulum_loses_nothing(self):
        rows = self.ledger("double-pendulum-wall")
        self.assertEqual({row["side"] for row in rows}, {"wall.upper", "wall.lower"})
        for row in rows:
            self.assertAlmostEqual(float(row["rate_after [m/s]"]), -float(row["rate_before [m/s]"]), delta=1e-12)
            self.assertEqual(float(row["dissipated [J]"]), 0)

    def test_cradle_passes_the_speed_on(self):
        rows = [row for row in self.ledger("cradle") if row["event"] == "2"]
        self.assertEqual([row["side"] for row in rows], ["c12", "c23", "c34", "c45"])
        self.assertAlmostEqual(float(rows[3]["rate_after [m/s]"]), -float(rows[0]["rate_before [m/s]"]), delta=1e-12)


if __name__ == "__main__":
    unittest.main()
