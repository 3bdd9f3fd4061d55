# SPDX-License-Identifier: Apache-2.0
"""zwang statics: equilibria and paths against closed forms, elliptic integrals and shooting; what is written; and what is said when there is no equilibrium."""
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

REFERENCE = {case["id"]: case["reference"] for case in json.loads((SOURCE / "tests/references/statics.json").read_text(encoding="utf-8"))["cases"]}

COLUMN = """\
zwang: 1
parameters: {L: 2*pi/3, a: 0.1, P: 0}
bodies:
  beam:
    rod: {length: L, elements: 40, along: [0, 0, 1], up: [1, 0, 0], section: {square: a}, material: {density: 1000, young: 1e7, poisson: 0.35}}
constraints:
SUPPORTS
loads:
  tip: {force: [0, 0, -P], on: beam, s: end}
statics: {vary: P, from: 0, to: LAST, points: 6, mesh: check}
probes:
  tip: {position: beam, s: end}
"""
SUPPORTS = {
    "clamped_free": ("  root: {clamp: beam, s: 0}", 80),
    "pinned_pinned": ("  root: {clamp: beam, s: 0, fix: [x, y, z, rz]}\n  top: {clamp: beam, s: end, fix: [x, y]}", 250),
    "clamped_clamped": ("  root: {clamp: beam, s: 0}\n  top: {clamp: beam, s: end, fix: [x, y, rx, ry]}", 900),
}

STIFF = ("--set", "bodies.beam.rod.section.shear=1e8*EI", "--set", "bodies.beam.rod.section.stretch=1e8*EI")

HELIX = """\
zwang: 1
parameters: {EI: 2, GJ: 1.5, r: 1.3, al: 0.4, w: 0.9, F: 0.565522680672855, T: 1.7278458146110351, L: 6, k: "cos(al)^2/r", tau: "sin(al)*cos(al)/r", phi: "cos(al)*L/r"}
bodies:
  helix:
    rod:
      length: L
      elements: 100
      at: [r, 0, 0]
      along: [0, cos(al), sin(al)]
      up: [-1, 0, 0]
      shape: {curvature: ["k*sin((w - tau)*s)", "k*cos((w - tau)*s)", w]}
      section: {bending: [EI, EI], torsion: GJ, shear: 1e8*EI, stretch: 1e8*EI, mass: 1, inertia: 1e-4}
constraints:
  root: {clamp: helix, s: 0}
loads:
  pull: {force: [0, 0, F], on: helix, s: end}
  turn: {moment: [-F*r*sin(phi), F*r*cos(phi), T], on: helix, s: end}
probes:
  tip: {position: helix, s: end}
"""

SPINNING = """\
zwang: 1
frames:
  hub: {spin: [0, 0, 6]}
bodies:
  beam:
    rod:
      length: 10
      elements: 40
      frame: hub
      along: [1, 0, 0]
      up: [0, 0, 1]
      section: {bending: [1.4e4, 1.4e4], torsion: 1.4e4, stretch: 2.8e7, shear: 1e7, mass: 1.2, inertia: 6e-4}
constraints:
  root: {clamp: beam, s: 0, to: hub}
probes:
  tip: {position: beam, s: end}
"""


def distance(a, b):
    return math.dist(a, b)


class Statics(ProgramTest):
    def statics(self, model, *more, **options):
        return json.loads(self.succeed("statics", model, "-o", self.dir / "out", "--force", "--json", "--no-report", *more, **options).stdout)

    def example(self, name, *more):
        return self.statics(SOURCE / "examples" / f"{name}.yaml", *more)

    def refused(self, text, code, *words):
        done = self.zwang("statics", self.write("bad.yaml", text), "-o", self.dir / "out", "--force", "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        told = json.loads(done.stdout)
        said = " ".join(f"{e['subject']}: {e['message']}; {e['remedy']}" for e in told["errors"])
        for word in words:
            self.assertIn(word, said)
        return told

    # ---- paths against references

    def test_elastica(self):
        found = self.example("elastica")
        path = {round(p["parameter"], 9): p for p in found["path"]}
        self.assertEqual(sorted(path), [0.5 * i for i in range(21)])
        self.assertTrue(all(p["stable"] for p in found["path"]))
        self.assertEqual((found["limits"], found["bifurcations"], found["outcome"]), ([], [], "reached"))
        for load, at in REFERENCE["R01"].items():
            tip = path[float(load)]["probes"]["tip"]
            self.assertLess(abs(tip[0] - at["x_over_L"]), 2e-4)  # measured: 9.5e-5 at load 10
            self.assertLess(abs(-tip[2] - at["w_over_L"]), 2e-4)  # measured: 1.54e-4 at load 10
        # reactions: dead load and its moment about the clamp
        end = found["probes"]
        self.assertLess(distance(end["R"]["final"][:3], [0, 0, 10]), 1e-11)
        self.assertLess(abs(end["R"]["final"][4] + 10 * end["tip"]["final"][0]), 1e-9)

    def test_elastica_has_order_2_and_extrapolates(self):
        errors = []
        for n in (16, 32, 64):
            tip = self.example("elastica", "--set", f"bodies.beam.rod.elements={n}", "--set", "statics.points=3", *STIFF)["probes"]["tip"]["final"]
            errors.append(math.hypot(tip[0] - REFERENCE["R01"]["10"]["x_over_L"], -tip[2] - REFERENCE["R01"]["10"]["w_over_L"]))
        self.assertAlmostEqual(math.log2(errors[0] / errors[1]), 2, delta=0.1)  # measured: 2.005
        self.assertAlmostEqual(math.log2(errors[1] / errors[2]), 2, delta=0.1)  # measured: 2.012
        tip = self.example("elastica", "--set", "bodies.beam.rod.elements=128", "--set", "statics.points=3", "--set", "statics.mesh=check",
                           *STIFF)["probes"]["tip"]
        self.assertLess(abs(tip["extrapolated"][0] - REFERENCE["R01"]["10"]["x_over_L"]), 1e-6)
        self.assertLess(abs(-tip["extrapolated"][2] - REFERENCE["R01"]["10"]["w_over_L"]), 1e-6)
        self.assertGreater(tip["mesh_error"][2], 0)

    def test_roll_up_to_four_turns_is_exact(self):
        found = self.example("roll-up")
        self.assertEqual(len(found["path"]), 33)
        for i, point in enumerate(found["path"]):
            angle = 8 * math.pi * i / 32
            x, z = (math.sin(angle) / angle, (1 - math.cos(angle)) / angle) if i else (1, 0)
            self.assertLess(distance(point["probes"]["tip"], [x, 0, z]), 1e-12, i)  # measured: 3e-15
            self.assertLess(abs(point["probes"]["curvature"][1] - angle), 1e-10)
        self.assertTrue(any("flutter" in w for w in found["warnings"]))

    def test_bend_of_45_degrees(self):
        found = self.example("bend-45")
        path = {round(p["parameter"]): p for p in found["path"]}
        for load, tip in REFERENCE["R03"]["J=1/6 (GJ=G*2I, G=E/2)"].items():
            point = path[int(load)]
            # plain: 8.8e-3 at 32 elements and load 600, of order 2; extrapolated from 16 and 32: 2e-5
            self.assertLess(distance(point["probes"]["tip"], tip), 2e-2)
            self.assertLess(distance(point["extrapolated"]["tip"], tip), 1e-3)
            self.assertLess(distance(point["probes"]["tip"], tip), 1.2 * math.hypot(*point["mesh_error"]["tip"]))

    def test_columns_buckle_where_they_should(self):
        for case, (supports, last) in SUPPORTS.items():
            text = COLUMN.replace("SUPPORTS", supports).replace("LAST", str(last))
            found = self.statics(self.write("column.yaml", text))
            exact = REFERENCE["R07"]["section4_rod_P"][case]
            self.assertEqual(len(found["bifurcations"]), 1, case)
            at = found["bifurcations"][0]
            self.assertEqual((at["kind"], at["multiplicity"], found["limits"]), ("bifurcation", 2, []))
            # 1.3e-4, 5.2e-4, 2.1e-3 with 40 elements (order 2), 1e-8, 4e-7, 8e-6 extrapolated from 20 and 40
            self.assertLess(abs(at["parameter"] / exact - 1), 3e-3, case)
            self.assertLess(abs(at["extrapolated"] / exact - 1), 2e-5, case)
            self.assertEqual([p["stable"] for p in found["path"]], [p["parameter"] < exact for p in found["path"]])

    def test_a_round_column_has_order_2_and_branches(self):
        text = COLUMN.replace("SUPPORTS", SUPPORTS["clamped_free"][0]).replace("LAST", "80").replace(", mesh: check", ", branches: all")
        values = []
        for n in (10, 20, 40):
            found = self.statics(self.write("column.yaml", text), "--set", f"bodies.beam.rod.elements={n}")
            values.append(found["bifurcations"][0]["parameter"] - REFERENCE["R07"]["section4_rod_P"]["clamped_free"])
        self.assertAlmostEqual(math.log2(values[0] / values[1]), 2, delta=0.1)
        self.assertAlmostEqual(math.log2(values[1] / values[2]), 2, delta=0.1)
        branches = {}
        for p in found["path"]:
            branches.setdefault(p["branch"], []).append(p)
        self.assertEqual(sorted(branches), [0, 1, 2])
        for b, sign in ((1, 1), (2, -1)):
            points = branches[b][1:]
            self.assertTrue(all(p["stable"] for p in points))
            self.assertEqual(points[-1]["parameter"], 80)
            ways = [math.hypot(*p["probes"]["tip"][:2]) for p in points]
            self.assertEqual(ways, sorted(ways)) if points[-1]["parameter"] < 75 else None
            side = points[-1]["probes"]["tip"]
            self.assertGreater(math.hypot(side[0], side[1]), 1)
        one, other = branches[1][-1]["probes"]["tip"], branches[2][-1]["probes"]["tip"]
        self.assertLess(math.hypot(one[0] + other[0], one[1] + other[1]), 1e-9)  # mirror images

    def test_helix_held_by_a_wrench(self):
        r, al, length = 1.3, 0.4, 6
        phi = math.cos(al) * length / r
        exact = [r * math.cos(phi), r * math.sin(phi), math.sin(al) * length]
        errors = []
        for n in (50, 100, 200):
            found = self.statics(self.write("helix.yaml", HELIX), "--set", f"bodies.helix.rod.elements={n}")
            errors.append(distance(found["probes"]["tip"]["final"], exact) / length)
        self.assertLess(errors[1], 1e-3)  # measured: 6.7e-4
        self.assertAlmostEqual(math.log2(errors[0] / errors[1]), 2, delta=0.1)
        self.assertAlmostEqual(math.log2(errors[1] / errors[2]), 2, delta=0.1)
        # twist equal to torsion: constant material strain, which the link has exactly
        found = self.statics(self.write("helix.yaml", HELIX), "--set", "w=tau", "--set", "F=(GJ*tau - EI*tau)*k/cos(al)",
                             "--set", "T=GJ*tau*sin(al) + EI*k*cos(al)", "--set", "bodies.helix.rod.elements=5")
        self.assertLess(distance(found["probes"]["tip"]["final"], exact), 1e-6)  # shear and stretch of 1e-8

    def test_steady_stretch_of_a_spinning_beam(self):
        exact = REFERENCE["R13"]["tip_extension_at_6rad_s"]
        errors = []
        for n in (20, 40, 80):
            found = self.statics(self.write("spin.yaml", SPINNING), "--set", f"bodies.beam.rod.elements={n}")
            errors.append(abs(found["probes"]["tip"]["final"][0] - 10 - exact) / exact)
        self.assertLess(errors[1], 3.5e-4)  # lumped masses: 1/(2 n^2) = 3.13e-4 with 40 elements
        self.assertAlmostEqual(math.log2(errors[0] / errors[1]), 2, delta=0.1)
        self.assertAlmostEqual(math.log2(errors[1] / errors[2]), 2, delta=0.1)
        found = self.statics(self.write("spin.yaml", SPINNING + "statics: {mesh: check}\n"))
        self.assertLess(abs(found["probes"]["tip"]["extrapolated"][0] - 10 - exact) / exact, 1e-6)

    # ---- limit points and bifurcations

    def test_shallow_arch_has_both_limits(self):
        """y = a sin(pi x/L), I/A = r^2: q(A) = EI (pi/L)^4 ((a - A) + (a^2 - A^2) A/(4 r^2)) for a/L -> 0; its turning points are the limits"""
        def limits(a, square):  # square = r^2
            turn = math.sqrt((a * a - 4 * square) / 3)
            return [math.pi ** 4 * ((a - A) + (a * a - A * A) * A / (4 * square)) for A in (turn, -turn)]

        off = []
        for a in (0.02, 0.01):
            found = self.example("shallow-arch", "--set", f"a={a}", "--set", "statics.mesh=check", "--set", "statics.points=9")
            self.assertEqual([x["extremum"] for x in found["limits"]], ["maximum", "minimum"])
            exact = limits(a, a * a / 20)
            got = [x["extrapolated"] for x in found["limits"]]
            off.append(max(abs(g - e) for g, e in zip(got, exact)) / exact[0])
            self.assertEqual(found["path"][-1]["parameter"], found["parameter"]["to"])
            self.assertTrue(found["path"][0]["stable"] and found["path"][-1]["stable"])
            between = [p for p in found["path"] if abs(p["probes"]["crown"][2]) < 0.3 * a]
            self.assertTrue(between and not any(p["stable"] for p in between))
        self.assertLess(off[0], 4e-3)  # shallow theory leaves out (pi a/L)^2 = 3.9e-3
        self.assertLess(off[1], 1e-3)
        self.assertGreater(off[0] / off[1], 3)  # and that is what differs: it falls with a^2

    def test_lateral_buckling(self):
        found = self.example("lateral-buckling", "--set", "statics.mesh=check")
        at = found["bifurcations"][0]
        exact = 4.012599 * math.sqrt(1 / (1 - 1e-3)) / math.sqrt(1 - 1e-3)  # Prandtl; bending in the plane raises it by about 1 + EI/EI'
        self.assertLess(abs(at["extrapolated"] / exact - 1), 1e-3)
        tips = [p["probes"]["tip"] for p in found["path"] if p["branch"] > 0 and p["parameter"] == 6]
        self.assertEqual(len(tips), 2)
        self.assertLess(distance(tips[0], [tips[1][0], -tips[1][1], tips[1][2]]), 1e-8)

    def test_twisted_ring_writhes(self):
        found = self.example("twisted-ring", "--set", "statics.branches=none", "--set", "statics.mesh=check", "--set", "statics.points=7")
        at = found["bifurcations"][0]
        self.assertEqual(at["multiplicity"], 2)
        self.assertLess(abs(at["extrapolated"] / (2 * math.pi * math.sqrt(3)) - 1), 1e-3)  # shear and stretch of 1e-4

    # ---- contact

    def test_a_cantilever_pressed_on_a_floor(self):
        """while only the tip touches, the floor does what a support would do that holds the height of the tip"""
        beam = """\
zwang: 1
parameters: {P: 4}
bodies:
  beam: {rod: {length: 1, elements: 20, along: [1, 0, 0], up: [0, 0, 1], radius: 0.01, section: {bending: [1, 1], torsion: 1, shear: 1e4, stretch: 1e4, mass: 1, inertia: 1e-4}}}
loads:
  push: {force: [0, 0, -P], on: beam, s: 0.5}
probes: {tip: {position: beam, s: end}, mid: {position: beam, s: 0.5}, root: {reaction: root}}
"""
        floor = beam + ("obstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, -0.11]}}}\nconstraints: {root: {clamp: beam, s: 0}}\n"
                        "statics: {vary: P, from: 0, to: 4, points: 5}\n")
        held = beam + ("constraints: {root: {clamp: beam, s: 0}, tip: {clamp: beam, s: end, fix: [z], motion: {shift: [0, 0, -u]}}}\n"
                       "statics: {vary: u, from: 0, to: 0.1, points: 5}\n")
        held = held.replace("{P: 4}", "{P: 4, u: 0}")
        found = self.statics(self.write("floor.yaml", floor))
        exact = self.statics(self.write("held.yaml", held))
        for name in ("tip", "mid", "root"):
            self.assertLess(distance(found["probes"][name]["final"], exact["probes"][name]["final"]), 1e-9, name)
        self.assertLess(abs(found["probes"]["tip"]["final"][2] + 0.1), 1e-12)
        self.assertLess(found["probes"]["root"]["final"][2], 4)  # the floor carries the rest
        self.assertEqual((found["bifurcations"], found["limits"]), ([], []))
        self.assertTrue(all(p["stable"] for p in found["path"]))

    def test_a_box_comes_to_lie_on_the_floor(self):
        text = ("zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  box: {rigid: {box: {size: [1, 0.5, 0.2]}, mass: 2, at: [0, 0, 0.4], turn: [0.1, 0.2, 0]}}\n"
                "obstacles: {floor: {plane: {normal: [0, 0, 1], at: [0, 0, 0]}}}\nprobes: {c: {position: box}, o: {orientation: box}}\n")
        found = self.statics(self.write("box.yaml", text))
        self.assertLess(abs(found["probes"]["c"]["final"][2] - 0.1), 1e-12)
        self.assertLess(math.hypot(*found["probes"]["o"]["final"][1:3]), 1e-12)
        self.assertTrue(found["stable"])
        self.refused(text + "contact: {friction: 0.3}\n", 2, "contact.friction", "equilibria with friction are many")

    # ---- one equilibrium, mechanisms, messages

    def test_a_chain_of_bodies_falls_into_place(self):
        found = self.statics(self.write("chain.yaml", """\
zwang: 1
gravity: [0, 0, -9.81]
bodies:
  a: {rigid: {box: {size: [1, 0.1, 0.1]}, mass: 2, at: [0.5, 0, 0]}}
  b: {rigid: {box: {size: [1, 0.1, 0.1]}, mass: 2, at: [1.5, 0, 0]}}
  c: {rigid: {box: {size: [1, 0.1, 0.1]}, mass: 2, at: [2.5, 0, 0]}}
constraints:
  pin: {hinge: a, at: [-0.5, 0, 0], axis: [0, 1, 0]}
  j1: {hinge: [{body: a, at: [0.5, 0, 0]}, {body: b, at: [-0.5, 0, 0]}], axis: [0, 1, 0]}
  j2: {ball: [{body: b, at: [0.5, 0, 0]}, {body: c, at: [-0.5, 0, 0]}]}
probes: {c: {position: c}, hold: {reaction: pin}}
"""))
        self.assertLess(distance(found["probes"]["c"]["final"], [0, 0, -2.5]), 1e-9)
        self.assertLess(distance(found["probes"]["hold"]["final"][:3], [0, 0, 6 * 9.81]), 1e-9)
        self.assertTrue(found["stable"])
        self.assertIsNone(found["path"][0]["parameter"])
        self.assertIn("can turn freely about", found["warnings"][0])

    def test_what_has_no_equilibrium(self):
        rod = "rod: {length: 1, elements: 4, section: {round: 0.01}, material: {density: 1000, young: 1e7, poisson: 0.3}}"
        self.refused(f"zwang: 1\nbodies: {{beam: {{{rod}}}}}\n", 2, "bodies.beam", "a floating model has no equilibrium", "clamp it")
        self.refused("zwang: 1\nbodies: {arm: {rigid: {box: {size: [1, 0.1, 0.1]}, mass: 2, at: [0.5, 0, 0]}}}\n"
                     "constraints: {rail: {clamp: arm, at: [-0.5, 0, 0], fix: [y, z, rx, ry, rz]}}\nloads: {f: {force: [1, 0, 0], on: arm}}\n",
                     1, "a load on a mechanism", "rigid body 'arm' can move freely along (1, 0, 0)", "hold that direction")

    def test_a_path_that_runs_out_is_kept(self):
        text = (SOURCE / "examples/roll-up.yaml").read_text(encoding="utf-8").replace("elements: 20", "elements: 4")
        told = self.refused(text, 1, "the path runs out at M = ", "the path so far is kept", "more elements")
        self.assertEqual(told["outcome"], "diverged")
        self.assertGreater(len(told["path"]), 10)
        self.assertLess(told["path"][-1]["parameter"], 4 * math.pi)  # pi per link
        self.succeed("export", self.dir / "out", "--as", "csv")
        self.assertIn("broke off", (self.dir / "out" / "report.html").read_text(encoding="utf-8"))

    def test_what_the_reader_says(self):
        text = (SOURCE / "examples/elastica.yaml").read_text(encoding="utf-8")
        for old, new, words in (("vary: P,", "vary: Q,", ["there is no parameter 'Q'"]), ("vary: P, ", "", ["nothing varies"]),
                                (", to: 10", "", ["a path needs an end"]), ("to: 10", "to: 0", ["ends where it begins"]),
                                ("points: 21", "points: 21, branches: some", ["none, all, or a whole number"]),
                                ("points: 21", "points: 21, mesh: check", ["cannot be halved"])):
            changed = text.replace(old, new).replace("elements: 32", "elements: 31" if "mesh" in new else "elements: 32")
            self.refused(changed, 2, *words)

    # ---- what is written

    def test_results_hold_a_frame_per_point(self):
        done = self.succeed("statics", SOURCE / "examples/elastica.yaml", "-o", self.dir / "out")
        self.assertIn("21 points, P from 0 to 10", done.stdout)
        self.assertEqual(self.zwang("statics", SOURCE / "examples/elastica.yaml", "-o", self.dir / "out").returncode, 74)  # not replaced
        self.succeed("export", self.dir / "out", "--as", "csv")
        page = (self.dir / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("Along the path", page)
        self.assertIn("Path of equilibria", page)
        rows = [line.split(",") for path in (self.dir / "out/csv").glob("*.csv") for line in path.read_text().splitlines() if "statics/parameter" in line or line]
        self.assertTrue(rows)
        summary = json.loads((self.dir / "out/summary.json").read_text(encoding="utf-8"))
        self.assertEqual(len(summary["path"]), 21)


if __name__ == "__main__":
    unittest.main()
