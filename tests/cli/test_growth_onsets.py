# SPDX-License-Identifier: Apache-2.0
"""Where growing rods of examples/ give way: closed forms against quasi-static runs of two meshes, extrapolated, (4 fine - coarse)/3, and how they go on from there."""
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

REFERENCE = {case["id"]: case["reference"] for case in json.loads((SOURCE / "tests/references/growth.json").read_text(encoding="utf-8"))["cases"]}


def ring(EA, EI, k, R, n):
    """growth at which a ring tied to its circle gives way to n waves, by bisection"""
    def det(g):
        r = (EA + k * R * R) / (EA / (g * R) + k * R)
        P, S, K = EA * (r / (g * R) - 1) / r + EI * n * n / (g * R * r * r), EA / (g * R), k * R
        return (n * n * P + S + K) * (P + n * n * S + K) - n * n * (P + S) ** 2
    low = high = 1.0
    while det(high) > 0:
        low, high = high, high + 1e-3
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if det(middle) > 0 else (low, middle)
    return low


class Onsets(ProgramTest):
    def run_example(self, name, *sets):
        words = [word for s in sets for word in ("--set", s)]
        done = self.succeed("run", SOURCE / f"examples/{name}.yaml", "-o", self.dir / "out", "--force", "--no-report", "--json", *words)
        found = json.loads(done.stdout)
        self.assertEqual(found["outcome"], "reached", found)
        return found

    def lost(self, name, body, meshes, *sets):
        """times at which the first shape is lost: of the fine mesh, and extrapolated"""
        times = []
        for n in meshes:
            own = self.run_example(name, f"bodies.{body}.rod.elements={n}", *sets)["own"]
            self.assertEqual(own["quasi-static/snaps"]["final"], 1)
            times.append(own["quasi-static/lost"]["final"])
        return times[1], (4 * times[1] - times[0]) / 3

    def test_walls(self):
        best = self.lost("walls", "bar", (20, 40), "run.until=0.2")[1]
        self.assertLess(abs(1.05**best - REFERENCE["R14"]["onset"]["g_c"]), 1e-7)   # measured 5.3e-8
        aside = [self.run_example("walls", f"bodies.bar.rod.elements={n}")["probes"]["aside"]["final"] for n in (20, 40)]
        want = REFERENCE["R14"]["post_buckling"]["1.05"]["y_mid_over_L"]
        self.assertLess(abs(aside[1] - want), 3e-5)                                 # measured 1.9e-5
        self.assertLess(abs((4 * aside[1] - aside[0]) / 3 - want), 4e-6)            # measured 1.6e-6

    def test_soft_ground(self):
        fine, best = self.lost("foundation", "shoot", (60, 120), "run.until=0.1")
        self.assertLess(abs(1.25**fine - REFERENCE["G24"]["gamma_c"]), 1e-4)        # measured 4.1e-5
        self.assertLess(abs(1.25**best - REFERENCE["G24"]["gamma_c"]), 2e-6)        # measured 9.5e-7

    def test_tied_ring(self):
        onsets = {n: ring(1000, 1, 50, 2, n) for n in range(2, 12)}
        first = min(onsets, key=onsets.get)
        self.assertEqual(first, 6)
        best = self.lost("tethered-ring", "ring", (60, 120), "run.until=0.4")[1]
        self.assertLess(abs(1.3**best - onsets[6]), 2e-5)                           # measured 1.0e-5
        probes = self.run_example("tethered-ring")["probes"]
        self.assertGreater(math.hypot(*probes["lobe"]["final"]), 2.4)
        self.assertLess(math.hypot(*probes["valley"]["final"]), 1.8)

    def test_tendril(self):
        fine, best = self.lost("tendril-perversion", "tendril", (100, 200), "run.until=0.53")
        want = math.sqrt(0.8 * (1 + 4 * math.pi**2 / 30**2))
        self.assertLess(abs(1.8 * fine - want), 1e-4)                               # measured 3.9e-5
        self.assertLess(abs(1.8 * best - want), 1e-7)                               # measured 2.2e-8
        bend = self.run_example("tendril-perversion")["probes"]
        left, right = bend["left"]["final"], bend["right"]["final"]
        self.assertLess(left[2] * right[2], -0.1)                                   # the helices turn opposite ways
        self.assertLess(bend["hold"]["final"][0], 12)


if __name__ == "__main__":
    unittest.main()
