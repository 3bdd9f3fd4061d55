# SPDX-License-Identifier: Apache-2.0
"""Growing rods by model files: closed forms and independent numbers of tests/references/growth.json, order 2 in mesh and step, accounts, epochs, and what is said of
bad input. Where a bound is tighter than the mesh, two meshes are extrapolated: (4 fine - coarse)/3."""
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

# sanitized programs are ten times slower: they run the same code on fewer of these models
LONG = unittest.skipIf(float(os.environ.get("ZW_TEST_SCALE", "1")) < 0.5, "long")
REFERENCE = {case["id"]: case["reference"] for case in json.loads((SOURCE / "tests/references/growth.json").read_text(encoding="utf-8"))["cases"]}

WALLS = """\
zwang: 1
parameters: {L: 2*pi/3, a: 0.1, g: 1.05, T: 2, n: 40}
bodies:
  rod:
    rod: {length: L, elements: n, along: [1, 0, 0], up: [0, 0, 1], section: {square: a}, material: {density: 1000, young: 1e7, poisson: 0.35},
          growth: {rate: log(g)/T}}
constraints:
  left: {clamp: rod, s: 0}
  right: {clamp: rod, s: end}
run: {until: T, mode: quasi-static, step: T/50}
record: {frames: 3}
probes:
  middle: {position: rod, s: L/2}
  R: {reaction: right}
"""

# hours and megapascals
LOCKHART = """\
zwang: 1
parameters: {E: 10, r: 0.02, n: 40, h: 0.004}
bodies:
  rod:
    rod: {length: 1, elements: n, along: [1, 0, 0], up: [0, 0, 1], section: {round: r}, material: {density: 1000, young: E, poisson: 0.3}, kinematics: unshearable,
          growth: {law: {lockhart: {extensibility: 0.1, turgor: 0.8, yield: 0.5}}}}
constraints:
  left: {clamp: rod, s: 0}
  right: {clamp: rod, s: end}
run: {until: 0.16, mode: quasi-static, step: h}
record: {frames: 2}
probes:
  R: {reaction: right}
"""

CELL = """\
zwang: 1
bodies:
  cell:
    rod: {length: 1, elements: 4, section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3},
          growth: {law: {lockhart: {extensibility: 0.1, turgor: 0.5, yield: 0.3, modulus: 10, conductance: 2, osmotic: 0.7}}}}
constraints:
  root: {clamp: cell, s: 0}
run: {until: 1, mode: quasi-static, step: 0.05}
record: {frames: 2}
probes:
  length: {length: cell}
"""

HANGING = """\
zwang: 1
parameters: {r: 0.02, n: 100, S0: 0.5}
gravity: [0, 0, -1]
bodies:
  stem:
    rod: {length: 1, elements: n, along: [0, 0, -1], section: {round: r}, material: {density: S0, young: 1e7, poisson: 0.3},
          growth: {law: {lockhart: {extensibility: 0.1, turgor: 0, yield: 0.2}}}}
constraints:
  root: {clamp: stem, s: 0}
run: {until: 10, mode: quasi-static, step: 0.25}
record: {frames: 2}
probes:
  length: {length: stem}
"""

TENDRIL = """\
zwang: 1
parameters: {R: 0.01, h: 0.1}
bodies:
  tendril:
    rod: {length: 0.2, elements: 8, section: {round: R}, material: {density: 1000, young: 1e7, poisson: 0.3},
          growth: {law: {flank: {plus: 0.07, minus: -0.03}}}}
constraints:
  root: {clamp: tendril, s: 0}
run: {until: 6, mode: quasi-static, step: h}
record: {frames: 2}
probes:
  bend: {curvature: tendril, s: 0.1}
  length: {length: tendril}
"""

SHOOT = """\
zwang: 1
parameters: {A0: pi/2, B: 4, n: 100, h: 0.02, T: 1, Q: 0, EI: 1}
gravity: [0, 0, -1]
bodies:
  shoot:
    rod: {length: 1, elements: n, along: [sin(A0), 0, cos(A0)], up: [cos(A0), 0, -sin(A0)],
          section: {bending: [EI, EI], torsion: EI, shear: 1e7*EI, stretch: 1e7*EI, mass: Q + 1e-12, inertia: 1e-3}, LAW}
constraints:
  root: {clamp: shoot, s: 0}
run: {until: T, mode: quasi-static, step: h}
record: {frames: 2}
probes:
  tip: {position: shoot, s: end}
  turn: {orientation: shoot, s: end}
  foot: {moment: shoot, s: 0}
"""
AC = "growth: {law: {ac: {beta: B, gamma: 1, toward: [0, 0, 1]}}}"
ACE = "growth: {law: {ace: {beta: B, gamma: 1, toward: [0, 0, 1], rate: E}}}"

SUBAPICAL = """\
zwang: 1
parameters: {L: 0.068, lg: 0.06, tau: 20}
bodies:
  shoot:
    rod: {length: L, elements: 136, section: {round: 0.0005}, material: {density: 1000, young: 1e7, poisson: 0.3},
          growth: {law: {tip: {zone: lg, rate: 1/tau}}, split: 0.001}}
constraints:
  root: {clamp: shoot, s: 0}
run: {until: 64, mode: quasi-static, step: 0.1}
record: {frames: 5}
probes:
  tip: {position: shoot, s: end}
  a: {position: shoot, s: 0.02}
  b: {position: shoot, s: 0.05}
  c: {position: shoot, s: 0.065}
"""

COLUMN = """\
zwang: 1
parameters: {n: 20, Q: 2}
gravity: [0, 0, -1]
bodies:
  stem:
    rod: {length: 1, elements: n, section: {bending: [1, 1], torsion: 1, shear: 1e6, stretch: 1e6, mass: Q, inertia: 1e-3}, growth: GROWTH}
constraints:
  root: {clamp: stem, s: 0}
run: {until: UNTIL, mode: quasi-static, step: 0.05}
record: {frames: 2}
probes:
  tip: {position: stem, s: end}
"""

WOOD = """\
zwang: 1
parameters: {n: 20, r: 0.01, h: 0.02}
gravity: [0, 0, -1e-3]
bodies:
  branch:
    rod: {length: 1, elements: n, along: [1, 0, 0], up: [0, 0, 1], section: {round: r}, material: {density: 1000, young: 1e8, poisson: 0.3},
          growth: {law: {thicken: {radius: r*(1 + t)}}, mass: true}}
constraints:
  root: {clamp: branch, s: 0}
run: {until: 1, mode: quasi-static, step: h}
record: {frames: 2}
probes:
  bend: {curvature: branch, s: 0}
"""

FOUNDATION = """\
zwang: 1
parameters: {q: sqrt(7.121244586351119), L: 4*pi/q, n: 80}
bodies:
  rod:
    rod: {length: L, elements: n, along: [1, 0, 0], up: [0, 0, 1], section: {bending: [10, 1], torsion: 10, stretch: 1000, mass: 1, inertia: 1e-3}, kinematics: unshearable,
          growth: {rate: 0.01}}
constraints:
  left: {clamp: rod, s: 0, fix: [x, y, z, rx]}
  right: {clamp: rod, s: end, fix: [x, y, z]}
  bed: {foundation: rod, stiffness: [0, 1e4, 50]}
run: {until: 1.5, mode: quasi-static, step: 0.05}
record: {frames: 2}
probes:
  a: {position: rod, s: L/8}
"""

# axial displacement xi, calcium chi:  P1 xi'' - P3 xi - F0 chi' = 0,  chi. = D chi'' + (a0 + a1 xi') (K - chi) - k1 (beta - K + chi) chi^2.
# Lengths follow F0 (chi - chi0)/P1 quickly, which moves no threshold where nothing oscillates; ends that are held without flux are those of a periodic rod
CALCIUM = """\
zwang: 1
parameters: {P1: 1, P3: 4, D: 0.01, a0: 0.1, K: 2, k1: 1, beta: 1.5, chi0: 0.7345401776425398, k: 4.454260871928363, H: 1.42, F0: 0.01, a1: "H/(F0*(K - chi0))",
             L: 8*2*pi/k, n: 160, T: 4}
bodies:
  cell:
    rod: {length: L, elements: n, along: [1, 0, 0], up: [0, 0, 1], section: {bending: [1, 1], torsion: 1, stretch: P1, mass: 1, inertia: 1e-3}, kinematics: unshearable,
          growth: {law: {signal: {start: "chi0 + 1e-6*cos(k*s)", diffusion: D, rate: "30*(F0*(chi - chi0)/P1 - (growth - 1))",
                   reaction: "(a0 + a1*((1 + strain)*growth - 1))*(K - chi) - k1*(beta - K + chi)*chi^2"}}}}
constraints:
  left: {clamp: cell, s: 0}
  right: {clamp: cell, s: end}
  bed: {foundation: cell, stiffness: [P3, 1e3, 1e3]}
run: {until: T, mode: quasi-static, step: 0.02}
record: {frames: 2}
probes:
  xi: {position: cell, s: L/32}
"""


def finer(coarse, fine, order=2):
    return fine + (fine - coarse) / (2**order - 1)


def lean(turn):
    """angle of the tangent from z, of a rotation about y"""
    w, x, y, z = turn
    return 2 * math.atan2(y, w)


class Growth(ProgramTest):
    def run_model(self, text, *sets):
        words = [word for s in sets for word in ("--set", s)]
        done = self.zwang("run", self.write("model.yaml", text), "-o", self.dir / "out", "--force", "--no-report", "--json", *words)
        return json.loads(done.stdout)

    def final(self, text, probe, *sets):
        found = self.run_model(text, *sets)
        self.assertEqual(found["outcome"], "reached", found)
        return found["probes"][probe]["final"]

    # ---- walls

    def test_lockhart_between_walls_buckles_in_time(self):
        times = [self.run_model(LOCKHART, f"parameters.n={n}", f"parameters.h={h}")["own"]["quasi-static/lost"]["final"] for n, h in ((40, 0.004), (80, 0.002))]
        want = REFERENCE["G01"]["t_c_hours"]
        self.assertLess(abs(finer(*times) - want), 1e-6)

    def test_wall_and_water(self):
        grown = math.log(self.final(CELL, "length"))
        self.assertLess(abs(grown - REFERENCE["G02"]["lnV_1h"]), 1e-9)

    def test_hanging_rod(self):
        self.assertLess(abs(self.final(HANGING, "length") - REFERENCE["G03"]["length"]), 1e-6)

    # ---- curvature

    def test_flanks(self):
        found = [self.run_model(TENDRIL, f"parameters.h={h}")["probes"] for h in (0.02, 0.01)]
        bend, length = (finer(*(f[p]["final"][1] if p == "bend" else f[p]["final"] for f in found)) for p in ("bend", "length"))
        self.assertLess(abs(abs(bend) * 0.01 - REFERENCE["G04"]["kappa0_R"]), 1e-8)
        self.assertLess(abs(length / 0.2 - REFERENCE["G04"]["length_ratio"]), 1e-8)

    def shoot(self, law, *sets, meshes=((50, 0.02), (100, 0.01))):
        """tip angle, tip place, moment at the foot, extrapolated"""
        found = []
        for n, h in meshes:
            told = self.run_model(SHOOT.replace("LAW", law), f"parameters.n={n}", f"parameters.h={h}", *sets)
            self.assertEqual(told["outcome"], "reached", told)
            p = told["probes"]
            found.append((lean(p["turn"]["final"]), *p["tip"]["final"], p["foot"]["final"][1]))
        return [finer(*pair) for pair in zip(*found)], found

    @LONG
    def test_tropism_in_time(self):
        for B, t, meshes in ((1, 1, ((50, 0.02), (100, 0.01))), (4, 1, ((200, 0.01), (400, 0.005))), (9, 0.5, ((400, 0.005), (800, 0.0025)))):
            sets = ("parameters.A0=1e-3", f"parameters.B={B}", f"parameters.T={t}")
            got = self.shoot(AC, *sets, meshes=meshes)[0][0] / 1e-3
            self.assertLess(abs(got - REFERENCE["G06"][f"B={B}"][(0.5, 1, 2, 5, 10).index(t)]), 1e-6, (B, t))

    def test_steady_posture(self):
        for B in (1, 4):
            want = REFERENCE["G08"][f"B={B}"]
            best, (_, fine) = self.shoot(AC, f"parameters.B={B}", "parameters.T=30", meshes=((100, 0.25), (200, 0.25)))
            for got, key in ((0, "tip_angle"), (1, "x_over_L"), (3, "y_over_L")):
                size = math.pi / 2 if got == 0 else 1  # what the numbers are errors of: the angle at the foot, the length
                self.assertLess(abs(fine[got] - want[key]), 1e-5 * size, (B, key))
                self.assertLess(abs(best[got] - want[key]), 1e-8, (B, key))

    @LONG
    def test_tropism_with_elongation(self):
        for E, i, t in ((0.2, 0, 1), (0.5, 1, 2)):
            law = ACE.replace("rate: E", f"rate: {E}")
            got = self.shoot(law, "parameters.B=4", f"parameters.T={t}", meshes=((100, 0.01), (200, 0.005)))[0][0]
            self.assertLess(abs(got - REFERENCE["G09"][f"E/gamma={E}"][i]), 1e-6, (E, t))

    @LONG
    def test_heavy_shoot(self):
        Q = 5
        same = REFERENCE["G08"]["B=4"]
        best = self.shoot(AC, f"parameters.Q={Q}", "parameters.T=30", meshes=((100, 0.1), (200, 0.1)))[0]
        self.assertLess(abs(best[0] - same["tip_angle"]), 1e-6)
        want = REFERENCE["G12"][f"(ii) Q={Q}"]
        law = AC.replace("toward:", "senses: natural, toward:")
        best = self.shoot(law, f"parameters.Q={Q}", "parameters.T=30", meshes=((200, 0.2), (400, 0.2)))[0]
        for got, value in ((best[0], want["tip_angle"]), (best[1], want["x"]), (best[3], want["y"]), (best[4], want["root_elastic_curvature_times_L"])):
            self.assertLess(abs(got - value), 1e-6, Q)

    # ---- length

    @LONG
    def test_subapical_growth_with_links_that_split(self):
        want = REFERENCE["G11"]
        found = self.run_model(SUBAPICAL)
        self.assertEqual(found["outcome"], "reached", found)
        at = {k: v["final"][2] for k, v in found["probes"].items()}
        self.assertLess(abs(at["tip"] - (0.068 + 0.06 * 64 / 20)), 1e-6)
        for probe, label in (("a", "label_0.02"), ("b", "label_0.05"), ("c", "label_0.065")):
            self.assertLess(abs(at[probe] - want[label]["final_s"]), 1e-6, probe)

    def lost(self, text, *sets):
        return self.run_model(text, *sets)["own"]["quasi-static/lost"]["final"]

    @LONG
    def test_columns_that_grow_buckle_under_their_weight(self):
        cases = ("tip growth or added mass (line weight constant)", "{rate: 0.5, mass: true}", 1.1), \
                ("elongation at constant mass and section", "{rate: 0.5}", 1.6), \
                ("isometric (radius grows as length, density constant)", "{rate: 0.5, mass: true, section: 2}", 3.0)
        for key, growth, until in cases:
            text = COLUMN.replace("GROWTH", growth).replace("UNTIL", str(until))
            times = [self.lost(text, f"parameters.n={n}") for n in (20, 40)]
            self.assertLess(abs(math.exp(0.5 * finer(*times)) - REFERENCE["G22"][key]), 1e-4, key)

    def test_wood_is_laid_unstressed(self):
        bends = []
        for h in (0.04, 0.02):
            start = self.run_model(WOOD, f"parameters.h={h}", "run.until=1e-6", "run.step=1e-6")["probes"]["bend"]["final"][1]
            bends.append(self.final(WOOD, "bend", f"parameters.h={h}")[1] / start)
        self.assertLess(abs(finer(*bends) - REFERENCE["G23"]["incremental_law"]), 1e-3)

    def test_growth_on_a_foundation(self):
        times = [self.lost(FOUNDATION, f"parameters.n={n}") for n in (40, 80)]
        self.assertLess(abs(math.exp(0.01 * finer(*times)) - REFERENCE["G24"]["gamma_c"]), 1e-6)

    @LONG
    def test_calcium_and_strain_make_a_pattern(self):
        want = REFERENCE["G21"]
        start = 8 * 2 * math.pi / want["k_c"] / 32
        rates = []
        for part in (0.98, 1.0, 1.02):
            way = [self.final(CALCIUM, "xi", f"parameters.H={part * want['H_c']}", f"parameters.T={T}")[0] - start for T in (2, 4)]
            rates.append(math.log(way[1] / way[0]) / 2)
        self.assertLess(abs(rates[1]), 1e-3)
        slope = (rates[2] - rates[0]) / 0.04
        self.assertLess(abs(rates[1] / slope), 1e-3)
        self.assertLess(rates[0], 0)
        self.assertGreater(rates[2], 0)

    def test_growth_between_walls_begins_to_bend(self):
        lost = self.lost(WALLS)
        self.assertLess(abs(math.exp(math.log(1.05) / 2 * lost) - REFERENCE["R14"]["onset"]["g_c"]), 2e-5)

    def test_growth_between_walls_after_buckling(self):
        for g, want in REFERENCE["R14"]["post_buckling"].items():
            found = self.run_model(WALLS, f"parameters.g={g}")
            self.assertEqual(found["outcome"], "reached", found)
            self.assertLess(abs(math.hypot(*found["probes"]["middle"]["final"][1:]) / (2 * math.pi / 3) - want["y_mid_over_L"]), 2e-4, g)


if __name__ == "__main__":
    unittest.main()
