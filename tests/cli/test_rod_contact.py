# SPDX-License-Identifier: Apache-2.0
"""Rods that meet themselves and obstacles, by the examples: knots, rings that supercoil, a vine on its pole; and starts that overlap."""
import csv
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

INSIDE = """\
zwang: 1
bodies:
  rope: {rod: {length: 1, elements: 10, at: [0, 0, 0.005], along: [1, 0, 0], section: {round: 0.01}, material: {density: 1200, young: 1e7, poisson: 0.4}}}
obstacles:
  stone: {sphere: {radius: 0.1, at: [0.5, 0, 0]}}
constraints: {end: {clamp: rope, s: 0}}
run: {until: 0.01, step: 1e-5}
"""
COILED = """\
zwang: 1
bodies:
  rope: {rod: {length: 3, elements: 60, shape: {curvature: [0, 2*pi, 0.05]}, section: {round: 0.02}, material: {density: 1200, young: 1e6, poisson: 0.4}}}
contact: {self: true, restitution: 0}
constraints: {end: {clamp: rope, s: 0}}
run: {until: 0.01, step: 1e-5}
"""
# A ring that is twisted by four turns, more than twice what it can bear in its plane, and let go
WRITHING = """\
zwang: 1
parameters: {L: 2*pi}
bodies:
  ring:
    rod:
      length: L
      elements: 80
      along: [1, 0, 0]
      up: [0, 0, 1]
      shape: {ring: [0, 0, 1]}
      natural: {curvature: ["0.03*cos(2*pi*s/L)", "0.02*sin(4*pi*s/L)", 4]}
      section: {bending: [1, 1], torsion: 1, shear: 1e3, stretch: 1e3, mass: 1, inertia: 1e-2}
      radius: 0.08
contact: {self: true, restitution: 0}
run: {until: 8, integrator: energy-momentum, step: 0.02, energy-momentum: {damping: 1}}
record: {frames: 20}
"""


def distance(p, q, r, t):
    """of two segments: ends of one against the other, and the crossing"""
    sub = lambda a, b: [x - y for x, y in zip(a, b)]  # noqa: E731
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))  # noqa: E731
    u, v, w = sub(q, p), sub(t, r), sub(p, r)
    uu, vv, uv, uw, vw = dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)
    best, clamp = math.inf, lambda x: min(1.0, max(0.0, x))  # noqa: E731
    inner = clamp((uv * vw - vv * uw) / (uu * vv - uv * uv)) if uu * vv - uv * uv > 1e-14 * uu * vv else 0.5
    for a in (0.0, 1.0, inner):
        for _ in range(3):
            b = clamp((uv * a + vw) / vv)
            a = clamp((uv * b - uw) / uu)
        best = min(best, math.dist([x + a * y for x, y in zip(p, u)], [x + b * y for x, y in zip(r, v)]))
    return best


class RodContact(ProgramTest):
    def run_model(self, model, *more):
        return json.loads(self.succeed("run", model, "-o", self.dir / "out", "--force", "--no-report", "--json", *more).stdout)

    def frames(self, rod):
        """{time: [positions of nodes]} of the last run"""
        self.succeed("export", self.dir / "out", "--as", "csv", "-o", self.dir / "csv")
        found = {}
        with open(self.dir / "csv" / f"rod-{rod}.csv", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                keys = [k for k in row if k.startswith("position")]
                found.setdefault(row["time [s]"], []).append([float(row[k]) for k in keys[:3]])
        return found

    def nearest(self, nodes, closed, diameter):
        """least distance of links with at least pi/2 diameters of rod between them"""
        ring = nodes + nodes[:1] if closed else nodes
        along = [0.0]
        for a, b in zip(ring, ring[1:]):
            along.append(along[-1] + math.dist(a, b))
        least, links = math.inf, len(ring) - 1
        for i in range(links):
            for j in range(i + 1, links):
                way = along[j] - along[i + 1]
                way = min(way, along[-1] - along[j + 1] + along[i]) if closed else way
                if way >= 1.05 * math.pi / 2 * diameter and math.dist(ring[i], ring[j]) < 5 * diameter:
                    least = min(least, distance(ring[i], ring[i + 1], ring[j], ring[j + 1]))
        return least

    def test_a_trefoil_holds(self):
        summary = self.run_model(SOURCE / "examples/trefoil.yaml")
        self.assertEqual(summary["outcome"], "reached")
        self.assertLess(summary["own"]["contact/depth"]["max"], 1e-8 * 0.015)  # 3.5e-12 m
        self.assertGreater(summary["own"]["contact/count"]["final"], 5)

    def test_a_twisted_ring_winds_around_itself(self):
        summary = self.run_model(self.write("ring.yaml", WRITHING))
        self.assertEqual(summary["outcome"], "reached")
        self.assertGreater(summary["own"]["contact/count"]["max"], 5)
        self.assertLess(summary["own"]["contact/depth"]["max"], 1e-8 * 0.16)
        last = list(self.frames("ring").values())[-1]
        self.assertLess(1 - self.nearest(last, True, 0.16) / 0.16, 1e-8)

    def test_a_growing_ring_supercoils(self):
        summary = self.run_model(SOURCE / "examples/supercoil.yaml")
        self.assertEqual(summary["outcome"], "reached")
        self.assertGreater(summary["own"]["contact/count"]["final"], 5)
        self.assertLess(summary["own"]["contact/depth"]["max"], 1e-8 * 0.12)  # 1.9e-15 m
        self.assertAlmostEqual(summary["probes"]["length"]["final"] / (2 * math.pi * math.e), 1, delta=0.01)
        frames = list(self.frames("ring").values())
        for nodes in frames[len(frames) // 2::8] + frames[-1:]:
            self.assertLess(1 - self.nearest(nodes, True, 0.12) / 0.12, 1e-8)

    def test_a_vine_winds_around_its_pole(self):
        summary = self.run_model(SOURCE / "examples/vine.yaml")
        self.assertEqual(summary["outcome"], "reached")
        self.assertGreater(summary["probes"]["length"]["final"], 0.3)
        turns, pole = 0.0, ([0, 0, -1], [0, 0, 1])
        for nodes in self.frames("vine").values():
            for a, b in zip(nodes, nodes[1:]):
                self.assertLess(1 - distance(a, b, *pole) / 0.012, 1e-8)
        for a, b in zip(nodes, nodes[1:]):  # the last
            turns += math.remainder(math.atan2(b[1], b[0]) - math.atan2(a[1], a[0]), 2 * math.pi) / (2 * math.pi)
        self.assertGreater(turns, 3.5)
        self.assertLess(1 - self.nearest(nodes, False, 0.004) / 0.004, 1e-8)

    def test_a_root_slides_along_a_stone(self):
        summary = self.run_model(SOURCE / "examples/root.yaml")
        self.assertEqual(summary["outcome"], "reached")
        self.assertLess(summary["probes"]["tip"]["final"][2], -0.08)  # below the stone
        middle, touched = [0.015, 0, -0.055], 0
        for nodes in self.frames("root").values():
            near = min(distance(a, b, middle, [0.015, 1e-9, -0.055]) for a, b in zip(nodes, nodes[1:]))
            self.assertLess(1 - near / 0.021, 1e-8)
            touched += near < 0.021 * (1 + 1e-6)
        self.assertGreater(touched, 20)

    def test_starts_that_overlap(self):
        ways = [["check"]] + [["run", "--set", f"run.integrator={name}"] for name in ("verlet", "energy-momentum")]
        ways += [["run", "--set", "run.integrator=gauss", "--set", "run.events=off"], ["statics"], ["run", "--set", "run.mode=quasi-static"],
                 ["run", "--set", "run.mode=overdamped", "--set", "run.drag=1"]]
        for text, said in ((INSIDE, ("m.yaml:3:3: rope.5 and stone: they overlap at the start by 0.105 m", "move them apart")),
                           (COILED, ("m.yaml:3:3: rope.10 and rope.29: they overlap at the start by 0.032043 m", "start the rod farther from itself"))):
            self.write("m.yaml", text)
            for verb, *more in ways:
                with self.subTest(verb=verb, more=more):
                    done = self.zwang(verb, "m.yaml", *more, *([] if verb == "check" else ["-o", self.dir / "o", "--force"]))
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    for words in said:
                        self.assertIn(words, done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main()
