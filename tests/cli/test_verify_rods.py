# SPDX-License-Identifier: Apache-2.0
"""zwang verify on rods: what it says of the equations of growing rods, as a table and as JSON; and what growing rods record by the names of the paper."""
import array
import ast
import json
import math
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
        self.assertFalse("rod/a/growth_strain" in z)

    def test_a_name_that_is_none_is_refused(self):
        done = self.zwang("check", self.write("beam.yaml", BEAM % ("", "record: {fields: [growth-strain]}\n")))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("growth_strain", done.stderr)

GROWING = """zwang: 1
gravity: [0, 0, -1]
bodies:
  a: {rod: {length: 1, elements: 8, along: [1, 0, 0], section: {rectangle: [0.1, 0.06]}, material: {density: 1000, young: 1e6, poisson: 0.25},
      growth: {rate: 0.3 + 0.2*s, bend: [0.4, 0.2*s, 0.3], section: 0.5, mass: true}}}
  b: {rod: {length: 1, elements: 3, at: [0, 5, 0], along: [1, 0, 0], section: {square: 0.1}, material: {density: 1000, young: 1e6, poisson: 0.25}}}
constraints: {root: {clamp: a, s: 0}, end: {clamp: a, s: 1}, hold: {clamp: b, s: 0}}
run: {until: 0.2, step: %g, integrator: %s}
record: {every: 1}
"""
NAMES = ("growth_strain", "elastic_strain", "total_strain", "bend_twist_original", "bend_twist_reference", "bend_twist_current", "shear_angle",
         "driving_force", "compatibility", "spin_growth", "spin_elastic", "spin_rigid", "growth_power", "zwang_time", "zwang_space")


class GrowingRods(ProgramTest):
    def results(self, text, name="out"):
        out = self.dir / name
        self.succeed("run", self.write("model.yaml", text), "-o", out, "--no-report")
        self.succeed("export", out, "--as", "numpy")
        return load(out / "results.npz")

    def test_growing_rods_record_the_names_of_the_paper(self):
        z = self.results(GROWING % (2e-3, "energy-momentum"))
        for name in NAMES:
            self.assertTrue("rod/a/" + name in z and "rod/b/" + name not in z, name)
        of = {name: z["rod/a/" + name][1] for name in NAMES}
        t = z["time"][1][-1]
        for i, found in enumerate(of["growth_strain"][-8:]):
            self.assertAlmostEqual(found, math.expm1((0.3 + 0.2 * (i + 0.5) / 8) * t), delta=1e-12)
        off = max(abs(e + g + e * g - all_) for e, g, all_ in zip(of["elastic_strain"], of["growth_strain"], of["total_strain"]))
        self.assertLess(off, 1e-14)  # measured: 1e-16
        off = max(abs(g + e + r - all_) for g, e, r, all_ in
                  zip(of["spin_growth"], of["spin_elastic"], of["spin_rigid"], z["rod/a/spin"][1]))
        self.assertLess(off, 1e-12)  # measured: 2e-14
        self.assertGreater(max(map(abs, of["spin_growth"])), 0.01)
        for zwang, a in zip(z["zwang"][1], of["zwang_time"]):
            self.assertLess(a, zwang * (1 + 1e-12))  # the rest is that of b

    def test_power_of_growth_adds_up_to_its_work(self):
        for integrator, step in (("energy-momentum", 2e-3), ("verlet", 4e-4)):
            off = []
            for k in range(2):
                z = self.results(GROWING % (step / 2 ** k, integrator), f"{integrator}-{k}")
                t, power = z["time"][1], z["rod/a/growth_power"][1]
                work = sum((power[i] + power[i + 1]) * (t[i + 1] - t[i]) / 2 for i in range(len(t) - 1))
                off.append(abs(work - z["growth/work"][1][-1]) / abs(z["growth/work"][1][-1]))
            self.assertLess(off[1], 1e-5)
            self.assertAlmostEqual(math.log2(off[0] / off[1]), 2, delta=0.2)  # measured: 2.00

    def test_frames_are_compatible(self):
        """equation (19) from three recorded frames: what is left is the recorded residual of the mesh, to second order in time"""
        def cross(a, b):
            return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        off, n = [], 8
        for step in (4e-4, 2e-4):
            z = self.results((GROWING % (step, "verlet")).replace("until: 0.2", "until: 0.04"), f"frames-{step}")
            t, bend, growth, spin, left = (z[name][1] for name in ("time", "rod/a/bend_twist_reference", "rod/a/growth_strain", "rod/a/spin",
                                                                   "rod/a/compatibility"))
            worst = 0.0
            for f in range(1, len(t) - 1):
                for k in range(n):
                    before, now, after = (bend[3 * (n * g + k):][:3] for g in (f - 1, f, f + 1))
                    length, at = (1 + growth[n * f + k]) / n, 3 * ((n + 1) * f + k)
                    rate = (growth[n * (f + 1) + k] - growth[n * (f - 1) + k]) / (2 * step * n * length)
                    a, b = spin[at:at + 3], spin[at + 3:at + 6]
                    turn = cross([(x + y) / 2 for x, y in zip(a, b)], now)
                    for i in range(3):
                        found = (after[i] - before[i]) / (2 * step) - ((b[i] - a[i]) / length - now[i] * rate - turn[i])
                        worst = max(worst, abs(found - left[3 * (n * f + k) + i]))
            off.append(worst)
        self.assertLess(off[1], 2e-4)  # measured: 9.8e-5 of 1.4 rad/(m s)
        self.assertAlmostEqual(math.log2(off[0] / off[1]), 2, delta=0.1)  # measured: 1.99

    def test_names_can_be_chosen(self):
        z = self.results((GROWING % (2e-3, "energy-momentum")).replace("{every: 1}", "{frames: 3, fields: [growth_strain]}"))
        self.assertEqual({n for n in z if n.startswith("rod/")}, {"rod/a/position", "rod/b/position", "rod/a/growth_strain", "rod/b/growth_strain"})
        self.assertEqual(set(z["rod/b/growth_strain"][1]), {0.0})

    def test_growth_is_verified(self):
        text = GROWING % (2e-3, "energy-momentum")
        found = json.loads(self.succeed("verify", self.write("model.yaml", text), "--states", "10", "--json").stdout)
        made = {c["check"]: c for c in found["checks"] if c["states"]}
        self.assertEqual(made["rods: growth power"]["states"], 10)
        self.assertLess(made["rods: growth power"]["largest"], 1e-11)  # measured: 1e-13

    def test_links_that_split_keep_their_names(self):
        text = (GROWING % (2e-3, "energy-momentum")).replace("mass: true", "mass: true, split: 0.13").replace("{every: 1}", "{frames: 40}")
        z = self.results(text)
        last = max(int(n.split("/")[0].removeprefix("epoch")) for n in z if n.startswith("epoch") and "/" in n)
        self.assertGreater(last, 0)
        self.assertGreater(z[f"epoch{last}/rod/a/growth_strain"][0][1], 8)
        self.assertEqual(z["rod/a/zwang_space"][0], z["time"][0])  # one number a frame, whatever the mesh
        self.assertTrue(all(math.isfinite(v) and v >= 0 for v in z["rod/a/zwang_space"][1]))


if __name__ == "__main__":
    unittest.main()
