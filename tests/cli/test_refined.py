#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""links: refined. The reference cases of statics and modes at the tolerances and numbers of elements that they state, which plain links miss; orders; explicit steps; what is refused."""
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402
from test_statics import COLUMN, REFERENCE, SPINNING, STIFF, SUPPORTS  # noqa: E402

MODES = json.loads((SOURCE / "tests/references/modes.json").read_text(encoding="utf-8"))

FREE = """\
zwang: 1
bodies:
  beam: {rod: {length: 2*pi/3, elements: 100, section: {square: 0.1}, material: {density: 1000, young: 1e7, poisson: 0.35}, links: refined}}
modes: {count: 12, about: start}
"""

BLADE = """\
zwang: 1
parameters: {eta: 5}
frames: {hub: {spin: [0, 0, eta]}}
bodies:
  blade:
    rod:
      length: 1
      elements: 64
      links: refined
      frame: hub
      along: [1, 0, 0]
      section: {bending: [1, 1], torsion: 1, stretch: 1e8, shear: 1e8, mass: 1, inertia: [1e-9, 1e-9, 2e-9]}
constraints: {root: {clamp: blade, s: 0, to: hub}}
modes: {count: 4, about: steady}
"""


class Refined(ProgramTest):
    def ask(self, verb, model, *more):
        out = ("-o", self.dir / "out", "--force", "--no-report") if verb == "statics" else ()
        return json.loads(self.succeed(verb, model, "--json", *out, *more).stdout)

    def refined(self, verb, name, rod, *more):
        return self.ask(verb, SOURCE / "examples" / f"{name}.yaml", "--set", f"bodies.{rod}.rod.links=refined", *more)

    def test_45_degree_bend_at_32_elements(self):
        found = self.refined("statics", "bend-45", "bend", "--set", "statics.mesh=given")
        path = {round(p["parameter"]): p["probes"]["tip"] for p in found["path"]}
        for load, tip in REFERENCE["R03"]["J=1/6 (GJ=G*2I, G=E/2)"].items():
            self.assertLess(max(abs(a - b) for a, b in zip(path[int(load)], tip)), 1e-3)  # measured: 4.9e-4 at 600; plain 8.8e-3

    def test_elastica_has_order_4(self):
        errors = []
        for n in (8, 16, 32):
            tip = self.refined("statics", "elastica", "beam", "--set", f"bodies.beam.rod.elements={n}", "--set", "statics.points=3", *STIFF)["probes"]["tip"]["final"]
            errors.append(math.hypot(tip[0] - REFERENCE["R01"]["10"]["x_over_L"], -tip[2] - REFERENCE["R01"]["10"]["w_over_L"]))
        self.assertAlmostEqual(math.log2(errors[0] / errors[1]), 4, delta=0.2)  # measured: 3.97
        self.assertLess(errors[2], 1e-6)  # measured: 1.5e-7, of which 1e-7 is the stretch; plain 1.8e-4

    def test_columns_at_40_elements(self):
        for case, (supports, last) in SUPPORTS.items():
            text = COLUMN.replace("SUPPORTS", supports).replace("LAST", str(last)).replace(", mesh: check", "").replace("along:", "links: refined, along:")
            value = self.ask("statics", self.write("column.yaml", text))["bifurcations"][0]["parameter"]
            self.assertLess(abs(value / REFERENCE["R07"]["section4_rod_P"][case] - 1), 1e-3)  # measured: 3.9e-7, 6.2e-6, 9.6e-5; plain 2.1e-3

    def test_clamped_and_pinned_column_at_40_elements(self):
        text = """zwang: 1
parameters: {P: 0}
bodies:
  beam: {rod: {length: 1, elements: 40, links: refined, section: {bending: [1, 3], torsion: 1, shear: 1e8, stretch: 1e8, mass: 1, inertia: 1e-4}}}
constraints: {root: {clamp: beam, s: 0}, top: {clamp: beam, s: end, fix: [x, y]}}
loads: {tip: {force: [0, 0, -P], on: beam, s: end}}
statics: {vary: P, from: 0, to: 25, points: 6}
"""
        value = self.ask("statics", self.write("column.yaml", text))["bifurcations"][0]["parameter"]
        exact = REFERENCE["R07"]["inextensible_P_over_EI_L2"]["clamped_pinned"]
        self.assertLess(abs(value / exact - 1), 1e-3)  # measured: 1.7e-6; plain 1.2e-3

    def test_spinning_beam_at_40_elements(self):
        text = SPINNING.replace("elements: 40", "elements: 40\n      links: refined") + "statics: {}\n"
        tip = self.ask("statics", self.write("spin.yaml", text))["probes"]["tip"]["final"]
        self.assertLess(abs((tip[0] - 10) / REFERENCE["R13"]["tip_extension_at_6rad_s"] - 1), 1e-4)  # measured: 8.1e-9; plain 3.1e-4

    def test_becks_column_at_64_elements(self):
        told = self.refined("modes", "becks-column", "column")["critical"]
        exact = MODES["follower_columns"]
        self.assertEqual(told["kind"], "flutter")
        self.assertLess(abs(told["value"] / float(exact["beck_p"]) - 1), 1e-4)  # measured: 3.1e-8; plain 3.0e-4
        self.assertLess(abs(told["frequency"] / float(exact["beck_omega"]) - 1), 1e-4)  # measured: 7.4e-7

    def test_rotating_cantilever_at_64_elements(self):
        path = self.write("blade.yaml", BLADE)
        for eta, row in MODES["rotating_cantilever"]["rows"].items():
            if "hub" in eta:
                continue
            about = "steady" if float(eta) > 0 else "equilibrium"
            found = [m["frequency"] for m in self.ask("modes", path, "--set", f"eta={eta}", "--set", f"modes.about={about}")["modes"]]
            for exact in [float(row["flap"][0]), float(row["flap"][1]), float(row["lag"][0]), float(row["lag"][1])]:
                off = min(abs(f / exact - 1) for f in found)
                self.assertLess(off, 1e-4)  # measured: 2.2e-6; plain 1.6e-4, first lag at eta 12 3.3e-4

    def test_free_frequencies_of_a_thick_beam(self):
        found = [m["frequency"] for m in self.ask("modes", self.write("free.yaml", FREE))["modes"]]
        for exact in MODES["timoshenko_frequencies"]["reference"]["free_free_omega"][:3]:
            off = min(abs(f / exact - 1) for f in found)
            self.assertLess(off, 1e-4)  # measured: 2.8e-5; plain 3.3e-4

    def test_explicit_steps_of_a_thin_rod_are_longer_and_stable(self):
        model = SOURCE / "examples" / "thin-rod.yaml"
        limit = {}
        for links in ("plain", "refined"):
            done = self.succeed("run", model, "-o", self.dir / links, "--force", "--no-report", "--json", "--set", "run={until: 0.2, integrator: verlet}", "--set",
                                f"bodies.beam.rod.links={links}")
            told = json.loads(done.stdout)
            limit[links] = told["t"] / told["steps"]
            self.assertLess(told["energy"]["drift_max"], 1e-4 * told["energy"]["scale"])  # measured: 2.0e-6, 1.0e-5
        self.assertGreater(limit["refined"], 6 * limit["plain"])  # measured: 11 times

    def test_what_it_does_not_go_with(self):
        text = FREE.replace("links: refined", "links: refined, kinematics: unshearable")
        done = self.zwang("check", self.write("a.yaml", text))
        self.assertEqual(done.returncode, 2)
        self.assertIn("it corrects shear strains", done.stderr)
        text = COLUMN.replace("SUPPORTS", SUPPORTS["clamped_free"][0]).replace("LAST", "80").replace("along:", "links: refined, along:")
        done = self.zwang("check", self.write("b.yaml", text))
        self.assertEqual(done.returncode, 2)
        self.assertIn("not of the second order", done.stderr)


if __name__ == "__main__":
    unittest.main()
