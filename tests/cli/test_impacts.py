#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples with walls, floors and balls that meet: they run, and their ledgers hold what mechanics says."""
import csv
import json
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
        for arguments in (["run", str(SOURCE / "examples" / f"{name}.yaml"), "-o", str(out), *more], ["export", str(out), "--as", "csv", "--force"]):
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

    def test_cradle_under_each_law(self):
        expected = {"sequential": [0, 0, 0, 0, 1], "moreau": [-0.6, 0.4, 0.4, 0.4, 0.4],
                    "compliant": [-0.07108502, -0.03027376, -0.01446363, 0.12704499, 0.98877742]}
        for law, speeds in expected.items():
            for name in ("cradle", "cradle-form"):
                rows = [row for row in self.ledger(name, "--force", "--set", f"contact.law={law}", "--set", "run.until=0.365") if row["kind"] == "impact"]
                rows = [row for row in rows if row["event"] == rows[0]["event"]]
                came, rates = -float(rows[0]["rate_before [m/s]"]), [float(row["rate_after [m/s]"]) for row in rows]
                first = (came - sum((4 - i) * rate for i, rate in enumerate(rates))) / 5  # momentum is kept
                for i, speed in enumerate(speeds):
                    self.assertAlmostEqual((first + sum(rates[:i])) / came, speed, delta=2e-8 if law == "compliant" else 1e-13)

    def test_cradle_by_forms_hangs_still_in_the_middle(self):
        summary = self.summary("cradle-form")
        self.assertEqual(summary["outcome"], "reached")
        self.assertLess(summary["energy"]["drift_max"], 1e-12)
        self.assertGreater(summary["probes"]["last"]["max"][0], 0.65)

    def summary(self, name, *more):
        out = self.dir / f"{name}-{len(list(self.dir.iterdir()))}"
        return json.loads(self.succeed("run", SOURCE / "examples" / f"{name}.yaml", "-o", out, "--no-report", "--json", *more).stdout)

    def test_chopstick_keeps_its_energy(self):
        self.assertGreater(len(self.ledger("chopstick")), 100)
        self.assertLess(self.summary("chopstick")["energy"]["drift_max"], 1e-14)  # 6.1e-16 J of 0.044 J

    def test_chopstick_swings_with_the_frequencies_of_the_bowl(self):
        h, rate = 0.8, 1e-5  # sqrt(R^2 - a^2); start of a swing about the middle of the ball
        quiet = ["--set", "e=0", "--set", "lean=0", "--set", "bodies.stick.rigid.at=[0, 0, -0.8]"]
        for velocity, spin, which, arm, omega in (([0, rate * h, 0], [rate, 0, 0], 1, 0.8, math.sqrt(9.81 / h)),
                                                  ([-rate * h, 0, 0], [0, rate, 0], 2, 0.6, math.sqrt(9.81 * h / (h * h + 0.12)))):
            start = ["--set", f"bodies.stick.rigid.velocity={velocity}", "--set", f"bodies.stick.rigid.spin={spin}"]
            at = [self.summary("chopstick", *quiet, *start, "--set", f"run.until={part * math.pi / omega!r}")["probes"]["left"]["final"][which]
                  + (h if which == 2 else 0) for part in (0.5, 1, 2)]
            self.assertAlmostEqual(abs(at[0]) * omega / (rate * arm), 1, delta=1e-5)  # 1.0e-12 and 2.1e-6: the swing is not infinitely small
            self.assertLess(max(abs(at[1]), abs(at[2])) * omega / (rate * arm), 1e-8)  # 3.2e-12 and 1.8e-10: it is back after its period

    def test_chopstick_by_forms_is_the_same(self):
        times = [[float(row["time [s]"]) for row in self.ledger(name)] for name in ("chopstick", "chopstick-form")]
        self.assertEqual(len(times[0]), len(times[1]))
        self.assertLess(max(abs(a - b) for a, b in zip(*times)), 1e-11)  # 5e-14: 129 impacts, by the inequality and by the forms

    def test_ladder_leaves_the_wall_at_two_thirds_of_its_height(self):
        rows = self.ledger("ladder")
        leaves = [row for row in rows if row["kind"] == "release"]
        self.assertEqual([row["side"] for row in leaves], ["wall"])
        top = self.summary("ladder", "--set", f"run.until={leaves[0]['time [s]']}")["probes"]["top"]["final"][2]
        self.assertAlmostEqual(top / (4 * math.sin(1.2)), 2 / 3, delta=1e-12)  # 5e-15
        self.assertEqual(rows[-1]["kind"], "rest")

    def stepped(self, name, *more):
        """A run that steps over contacts: nothing enters anything, and energy is lost only."""
        summary = self.summary(name, *more)
        self.assertEqual(summary["outcome"], "reached")
        self.assertLess(summary["own"]["contact/depth"]["max"], 1e-10)
        self.assertLess(summary["own"]["contact/residual"]["max"], 1e-10)
        self.assertGreater(summary["energy"]["dissipated"], 0)
        self.assertLess(summary["energy"]["final"], summary["energy"]["initial"] + summary["energy"]["work"])
        self.assertLess(summary["energy"]["drift_max"], 5e-3 * summary["energy"]["scale"])
        return summary

    def test_whip_does_not_enter_the_wall(self):
        summary = self.stepped("whip")  # depth 0, residual 3e-15, drift 1.6e-3
        self.assertLess(summary["probes"]["tip"]["max"][0], 0.05 - 0.008 + 1e-12)
        self.assertGreater(summary["probes"]["tip"]["max"][0], 0.03)

    def test_tug_pulls_its_rope_over_the_plane(self):
        summary = self.stepped("tug")  # depth 7e-18, residual 3e-15, drift 3.4e-5
        self.assertGreater(summary["probes"]["end"]["min"][2], 0.01 - 1e-10)
        self.assertLess(summary["probes"]["end"]["final"][2], 0.011)
        out = next(self.dir.glob("tug-*"))
        self.succeed("export", out, "--as", "csv")
        with open(out / "csv" / "momentum.csv", encoding="utf-8") as file:
            first, *_, last = csv.reader(list(file)[1:])
        self.assertAlmostEqual(float(last[1]) - float(first[1]), 5 * float(last[0]), delta=1e-5)  # 1.9e-6 N s of 9.5: F t

    def test_chain_lies_at_the_foot_of_the_stairs(self):
        summary = self.stepped("stairs")  # depth 3.9e-15, residual 7e-13, drift 7e-4
        for probe in ("head", "tail"):
            self.assertGreater(summary["probes"][probe]["final"][0], 1.6)
            self.assertGreater(summary["probes"][probe]["min"][2], -0.2 + 0.03 - 1e-10)

    def test_check_names_the_way_over_contacts(self):
        def contact(name, *more):
            return json.loads(self.succeed("check", SOURCE / "examples" / f"{name}.yaml", "--json", *more).stdout)["contact"]

        self.assertEqual(contact("chopstick"), {"mode": "event-driven", "law": "sequential", "pieces": 0, "obstacles": 0, "pairs": 0, "inequalities": 2, "limits": 0,
                                                "touching": 0, "friction": 0})
        self.assertEqual(contact("ladder")["touching"], 2)
        stairs = contact("stairs")
        self.assertEqual((stairs["mode"], stairs["law"]), ("moreau-jean", "moreau"))
        self.assertEqual((stairs["pieces"], stairs["obstacles"], stairs["pairs"]), (10, 6, 45 - 9 + 60))
        self.assertEqual(contact("stairs", "--set", "run.integrator=gauss", "--set", "run.events=off", "--set", "contact={}")["mode"], "discrete-gradient")
        text = self.succeed("check", SOURCE / "examples" / "stairs.yaml").stdout
        self.assertIn("time stepping of Moreau and Jean, law moreau", text)
        self.assertIn("10 pieces, 6 obstacles, 96 pairs", text)
        self.assertNotIn("contact", json.loads(self.succeed("check", SOURCE / "examples" / "chain.yaml", "--json").stdout))


if __name__ == "__main__":
    unittest.main()
