#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frames of reference through the program: the spin-up example seen from its hub, the recorded frame, checks, and models that are refused."""
import csv
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

MODEL = """zwang: 1
frames:
  hub: {frame}
bodies:
  beam: {{rod: {{length: 1, elements: 8, along: [1, 0, 0], {placed}section: {{round: 0.05}}, material: {{density: 1000, young: 1e6, poisson: 0.3}}}}}}
  box: {{rigid: {{box: {{size: [1, 1, 1]}}, mass: 1, at: [0, 2, 0]}}}}
constraints:
  root: {{{root}}}
run: {{until: 0.1, integrator: verlet}}
probes:
  tip: {{position: beam, s: end, in: hub}}
"""


def model(frame="{spin: [0, 0, 2]}", placed="frame: hub, ", root="clamp: beam, s: 0, to: hub"):
    return MODEL.format(frame=frame, placed=placed, root=root)


class Frames(ProgramTest):
    def test_spin_up_is_seen_from_its_hub(self):
        out = self.dir / "out.zw"
        self.succeed("run", SOURCE / "examples" / "spin-up.yaml", "-o", out, "--set", "bodies.beam.rod.elements=16", "--set", "run.step=0.025")
        summary = json.loads((out / "summary.json").read_text())
        tip = summary["probes"]["tip"]
        self.assertAlmostEqual(tip["min"][1], -0.5738, delta=5e-3)  # 1.5e-3 by the mesh, 2.4e-3 by the step
        self.assertAlmostEqual(tip["final"][0], 10.000514, delta=2e-5)
        self.succeed("export", out, "--as", "csv")
        with open(out / "csv" / "frame.csv", encoding="utf-8") as f:
            rows = list(csv.reader(f))
        last = dict(zip(rows[0], map(float, rows[-1])))
        self.assertEqual(last["time [s]"], 20.0)
        angle = 6 * (20 - 7.5)  # about z; a quaternion and its negative are the same
        turn = [v for k, v in last.items() if "orientation" in k]
        self.assertEqual(len(turn), 4)
        self.assertAlmostEqual(abs(turn[0]), abs(math.cos(angle / 2)), delta=1e-12)
        self.assertAlmostEqual(abs(turn[3]), abs(math.sin(angle / 2)), delta=1e-12)

    def test_check_lists_frames(self):
        path = self.write("m.yaml", model().replace("bodies:", "  deck: {carried: box}\nbodies:", 1))
        done = self.succeed("check", path)
        self.assertIn("'hub' spins steadily", done.stdout)
        self.assertIn("'deck' is carried by box", done.stdout)

    def test_a_model_without_the_motion_of_its_frame_says_what_it_changed(self):
        path = self.write("m.yaml", model(placed=""))
        done = self.succeed("run", path, "-o", self.dir / "out.zw")
        self.assertIn("start velocities were changed", done.stdout + done.stderr)

    def refused(self, text, *wanted):
        path = self.write("m.yaml", text)
        done = self.zwang("check", path)
        self.assertNotEqual(done.returncode, 0)
        for part in wanted:
            self.assertIn(part, done.stderr)

    def test_wrong_frames_are_named_with_their_line(self):
        self.refused(model(placed="frame: hup, "), "m.yaml:5:", "bodies.beam.rod.frame: there is no frame 'hup'; did you mean 'hub'?")
        self.refused(model(root="clamp: beam, s: 0, to: hb"), "m.yaml:8:", "did you mean 'hub'?")
        self.refused(model(frame="{spin: [0, 0, 1], motion: {turn: [t, 0, 0]}}"), "m.yaml:3:", "'spin' and 'motion' exclude each other")
        self.refused(model(frame="{carried: {body: beam, s: end}}"), "m.yaml:3:", "goes in a circle: 'beam' is placed in this frame, and carries it")
        self.refused(model(frame="{motion: {shift: [1 + t, 0, 0]}}"), "m.yaml:3:", "shift[1] is 1 at t = 0, not 0", "subtract its value at t = 0")


if __name__ == "__main__":
    unittest.main()
