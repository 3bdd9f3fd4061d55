# SPDX-License-Identifier: Apache-2.0
"""zwang equations: the text as SymPy reads it against the C that zwang writes (which tests/analysis holds to the engine's bits), at random states."""
import ctypes
import os
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import CANTILEVER, ProgramTest  # noqa: E402

import numpy  # noqa: E402
import sympy  # noqa: E402

HEAD = "zwang: 1\ntitle: {title}\nparameters: {parameters}\nbodies:\n  {body}:\n    lagrangian:\n"
MODELS = {
    "appell": HEAD.format(title="Appell-Hamel machine", parameters="{m: 1, a: 3/2, g: 9.81}", body="machine") + """\
      coordinates: [x, y, z]
      kinetic: m*(xdot^2 + ydot^2 + zdot^2)/2
      potential: m*g*z
      constraints: {wheel: xdot^2 + ydot^2 = a^2*zdot^2}
      start: {xdot: 0.3, ydot: 0.4, zdot: -1/3}
run: {until: 3}
""",
    "speed": HEAD.format(title="Particle at constant speed", parameters="{m: 1, g: 9.81, c: 4}", body="particle") + """\
      coordinates: [x, y, z]
      kinetic: m*(xdot^2 + ydot^2 + zdot^2)/2
      potential: m*g*z
      constraints: {speed: xdot^2 + ydot^2 + zdot^2 = c}
      start: {xdot: 1.7, ydot: 0.6, zdot: 1.6}
run: {until: 1}
""",
    "disk": HEAD.format(title="Rolling disk", parameters="{m: 1, R: 0.5, g: 9.81, I: m*R^2/4, J: m*R^2/2}", body="disk") + """\
      coordinates: [x, y, psi, theta, phi]
      define:
        cx: x - R*sin(theta)*sin(psi)
        cy: y + R*sin(theta)*cos(psi)
        cz: R*cos(theta)
        spin: phidot - psidot*sin(theta)
      kinetic: m*(dt(cx)^2 + dt(cy)^2 + dt(cz)^2)/2 + I*(thetadot^2 + (psidot*cos(theta))^2)/2 + J*spin^2/2
      potential: m*g*cz
      constraints: [xdot = R*cos(psi)*phidot, ydot = R*sin(psi)*phidot]
      start: {theta: 0.1, xdot: 3, psidot: 0.2, thetadot: 0.1, phidot: 6}
run: {until: 3}
""",
    "racer": HEAD.format(title="Roller racer", parameters="{m: 2, I1: 0.3, I2: 0.05, d1: 0.5, d2: 0.3}", body="racer") + """\
      coordinates: [x, y, theta, phi]
      kinetic: m*(xdot^2 + ydot^2)/2 + I1*thetadot^2/2 + I2*(thetadot + phidot)^2/2
      forces: {phi: 0.1*cos(2*t) - 0.5*phi}
      constraints:
        rear: -sin(theta)*xdot + cos(theta)*ydot = 0
        front: -sin(theta + phi)*xdot + cos(theta + phi)*ydot + d1*cos(phi)*thetadot + d2*(thetadot + phidot) = 0
      start: {phi: 0.3, xdot: 0.3}
run: {until: 3}
""",
    "tip": HEAD.format(title="Three links, tip at a given speed", parameters="{m: 1, l: 1, g: 9.81, k: 0.1}", body="chain") + """\
      coordinates: [th1, th2, th3]
      define:
        x2: l*sin(th1) + l*sin(th2)
        z2: -l*cos(th1) - l*cos(th2)
        x3: x2 + l*sin(th3)
        z3: z2 - l*cos(th3)
      kinetic: m/2*(l^2*th1dot^2 + dt(x2)^2 + dt(z2)^2 + dt(x3)^2 + dt(z3)^2)
      potential: m*g*(z2 + z3 - l*cos(th1))
      dissipation: k*th1dot^2/2
      constraints: {tip: dt(x3)^2 + dt(z3)^2 = 1 + 0.5*sin(t)}
      start: {th1: 0.3, th2: 0.5, th3: 0.9, th1dot: 1}
run: {until: 1}
""",
    "loop": HEAD.format(title="Every function", parameters="{double: 2, q: 0.7, a1: 0.3}", body="loop") + """\
      coordinates: [x, y, M, w]
      kinetic: double*(xdot^2 + ydot^2)/2 + q*(Mdot^2 + Mdot*wdot + wdot^2)*(2 + sin(x*y))
      potential: a1*(x^2 + y^4) + exp(w*M/3) + hypot(x, y) + cbrt(x + 3) + log10(y^2 + 2)
      forces: {w: "if(w < 0, 1, -sign(wdot)*t)", M: "table(t, 0, 1, 2, 5)*max(x, y) + mod(w, 0.3)", x: "step(y)*min(x, 1)"}
      constraints: {ring: x^2 + y^2 = 1 + 0.1*w, roll: xdot*M + wdot^3 = 0.2*Mdot + 0.1}
      start: {x: 1, Mdot: 0.3}
run: {until: 1}
""",
}


def table(x, *points):
    knots = list(zip(points[::2], points[1::2]))
    pieces = [(knots[0][1], x < knots[0][0])]
    for (x0, y0), (x1, y1) in zip(knots, knots[1:]):
        pieces.append((y0 + (y1 - y0) * (x - x0) / (x1 - x0), x < x1))
    return sympy.Piecewise(*pieces, (knots[-1][1], True))


def number(x):
    """A comparison as a number, which it is in zwang."""
    return sympy.Piecewise((1, x), (0, True)) if isinstance(x, sympy.logic.boolalg.Boolean) else x


# what SymPy calls otherwise, or does not have; as documented in docs/equations.md
FUNCTIONS = {
    "if_": lambda c, a, b: sympy.Piecewise((a, c if isinstance(c, sympy.logic.boolalg.Boolean) else sympy.Ne(c, 0)), (b, True)),
    "table": table, "step": lambda x: sympy.Heaviside(x, sympy.Rational(1, 2)), "mod": sympy.Mod, "min": sympy.Min, "max": sympy.Max,
    "abs": sympy.Abs, "hypot": lambda x, y: sympy.sqrt(x**2 + y**2), "log10": lambda x: sympy.log(x, 10), "ceil": sympy.ceiling,
    "cbrt": sympy.cbrt, "sign": sympy.sign,
}


class Equations:
    """Lines NAME = EXPRESSION and LABEL: LEFT = RIGHT, parsed by SymPy."""

    def __init__(self, text):
        self.lines = []
        self.symbols = {}
        for line in text.splitlines():
            if not line or line.startswith("#"):
                continue
            label, rest = line.split(": ", 1) if ": " in line else (None, line)
            left, right = rest.split(" = ", 1)
            self.lines.append((label or left, self.parse(left) if label else None, self.parse(right)))

    def parse(self, text):
        text = re.sub(r"\bif\(", "if_(", text.replace("^", "**"))
        names = {n for n in re.findall(r"(?<![\w.])[A-Za-z_]\w*", text) if not hasattr(sympy.functions, n) and n not in FUNCTIONS}
        names |= {n for n in re.findall(r"(?<![\w.])[A-Za-z_]\w*(?!\w*\()", text)}
        for n in names - {"and", "or", "not"}:
            self.symbols.setdefault(n, sympy.Symbol(n, real=True))
        return sympy.sympify(sympy.parsing.sympy_parser.parse_expr(text, local_dict={**FUNCTIONS, **self.symbols}))

    def evaluate(self, values):
        """label -> (left, right) at the values of all inputs"""
        known, found = dict(values), {}
        for label, left, right in self.lines:
            sides = []
            for side in (left, right):
                if side is None:
                    sides.append(None)
                    continue
                symbols = sorted(side.free_symbols, key=str)
                sides.append(float(sympy.lambdify(symbols, side, ["math", "sympy"])(*[known[str(s)] for s in symbols])))
            found[label] = tuple(sides)
            if left is None:
                known[label] = sides[1]
        return found


class CompiledC:
    def __init__(self, folder, body, name, text):
        source = folder / f"{body}_{name}.c"
        source.write_text(text, encoding="utf-8")
        library = folder / f"{body}_{name}.so"
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
        self.library = ctypes.CDLL(str(library))
        self.function = getattr(self.library, f"{body}_{name}")
        self.coordinates = re.search(r"_coordinate_name\[\] = \{(.*)\};", text)[1].replace('"', "").split(", ")
        names = re.search(r"_parameter_name\[\] = \{(.*)0\};", text)[1]
        self.parameters = re.findall(r'"(\w+)"', names)
        values = re.search(r"_parameter_value\[\] = \{(.*)\};", text)[1]
        self.values = [float(v) for v in values.split(", ")]

    def __call__(self, q, v, t, *shapes):
        arrays = [numpy.zeros(shape) for shape in shapes]
        pointer = lambda a: numpy.ascontiguousarray(a).ctypes.data_as(ctypes.POINTER(ctypes.c_double))  # noqa: E731
        keep = [numpy.array(x, dtype=float) for x in (q, v, self.values)]
        self.function(pointer(keep[0]), pointer(keep[1]), ctypes.c_double(t), pointer(keep[2]), *[pointer(a) for a in arrays])
        return arrays


class EquationsTest(ProgramTest):
    def print(self, model, *words):
        return self.succeed("equations", self.write("model.yaml", MODELS[model]), *words).stdout

    def near(self, actual, expected, scale, what):  # largest seen: 1.5e-16
        self.assertLessEqual(abs(actual - expected), 1e-12 * (abs(expected) + scale), f"{what}: {actual} and {expected}")

    def state(self, c, rng, wide=1.0):
        n = len(c.coordinates)
        q = numpy.array([rng.uniform(-1, 1) for _ in range(n)])
        v = numpy.array([rng.uniform(-1, 1) * wide for _ in range(n)])
        return q, v, rng.uniform(0.1, 1.9)

    def inputs(self, c, q, v, t):
        values = dict(zip(c.parameters, c.values), t=t)
        for i, name in enumerate(c.coordinates):
            values[name], values[name + "dot"] = q[i], v[i]
        return values

    def compile(self, model, form):
        text = self.print(model, "--form", form, "--as", "c")
        body = re.search(r"/\* body (\w+)", text)[1]
        rows = int(re.search(r"_rows = (\d+)", text)[1])
        return CompiledC(self.dir, body, "macmillan" if form == "macmillan" else "equations", text), rows

    def test_sympy_reads_matrices_and_equations_as_c_computes_them(self):
        for model in MODELS:
            with self.subTest(model=model):
                c, m = self.compile(model, "multiplier")
                n = len(c.coordinates)
                gauss = Equations(self.print(model, "--form", "gauss"))
                multiplier = Equations(self.print(model))
                labels = [label for label, _, _ in gauss.lines if label.startswith("D[")]
                rows = [label[2:-1] for label in labels]
                self.assertEqual(len(rows), m)
                rng = random.Random(3)
                for _ in range(5):
                    q, v, t = self.state(c, rng)
                    M, force, A, D = c(q, v, t, (n, n), n, (m, n), m)
                    values = self.inputs(c, q, v, t)
                    found = gauss.evaluate(values)
                    for i, a in enumerate(c.coordinates):
                        for j, b in enumerate(c.coordinates):
                            self.near(found.get(f"M[{a},{b}]", found.get(f"M[{b},{a}]", (None, 0.0)))[1], M[i, j], 1, f"M[{a},{b}]")
                        self.near(found[f"force[{a}]"][1], force[i], 1 + abs(force).max(), f"force[{a}]")
                        for b, row in enumerate(rows):
                            self.near(found.get(f"A[{row},{a}]", (None, 0.0))[1], A[b, i], 1, f"A[{row},{a}]")
                    for b, row in enumerate(rows):
                        self.near(found[f"D[{row}]"][1], D[b], 1 + abs(D[b]), f"D[{row}]")
                    acceleration = numpy.array([rng.uniform(-1, 1) for _ in range(n)])
                    reaction = numpy.array([rng.uniform(-1, 1) for _ in range(m)])
                    for i, name in enumerate(c.coordinates):
                        values[name + "ddot"] = acceleration[i]
                    for b, row in enumerate(rows):
                        values["lambda_" + row] = reaction[b]
                    found = multiplier.evaluate(values)
                    expected = M @ acceleration - force - A.T @ reaction
                    for i, name in enumerate(c.coordinates):
                        left, right = found[name]
                        self.near(left - right, expected[i], 1 + abs(left) + abs(force).max(), f"equation of {name}")
                    for b, row in enumerate(rows):
                        self.near(found[row + ", differentiated"][0], A[b] @ acceleration + D[b], 1, row)

    def admissible(self, full, m, text, rng):
        """A state on the constraints and the accelerations of the multiplier form there."""
        n = len(full.coordinates)
        rows = [label for label, left, _ in text.lines if left is not None]
        for _ in range(200):
            q, v, t = self.state(full, rng)
            holonomic = None
            for step in range(60):
                found = text.evaluate(self.inputs(full, q, v, t))
                _, _, A, _ = full(q, v, t, (n, n), n, (m, n), m)
                f = numpy.array([found[row][0] for row in rows])
                if holonomic is None:  # rows that do not change with v
                    other = text.evaluate(self.inputs(full, q, v + 1, t))
                    holonomic = numpy.array([other[row][0] == found[row][0] for row in rows])
                if holonomic.any():
                    dq = numpy.linalg.lstsq(A[holonomic], f[holonomic], rcond=None)[0]
                    q = q - dq
                    _, _, A, _ = full(q, v, t, (n, n), n, (m, n), m)
                f[holonomic] = A[holonomic] @ v  # no explicit time in the holonomic rows here
                dv = numpy.linalg.lstsq(A, f, rcond=None)[0]
                v = v - dv
                if max(abs(f)) < 1e-15 and step > 2:
                    break
            M, force, A, D = full(q, v, t, (n, n), n, (m, n), m)
            K = numpy.block([[M, -A.T], [A, numpy.zeros((m, m))]])
            if max(abs(f)) < 1e-13 and numpy.linalg.cond(K) < 1e3:
                return q, v, t, numpy.linalg.solve(K, numpy.concatenate([force, -D]))[:n]
        self.fail("no state found")

    def test_macmillan_holds_term_by_term_for_the_accelerations_of_the_multiplier_form(self):
        for model in MODELS:
            with self.subTest(model=model):
                full, m = self.compile(model, "multiplier")
                reduced, _ = self.compile(model, "macmillan")
                n = len(full.coordinates)
                printed = self.print(model, "--form", "macmillan")
                equations, rows = Equations(printed), Equations(self.print(model, "--form", "gauss"))
                independent = re.search(r"# independent velocities: (.*)", printed)[1].replace("dot", "").split(", ")
                dependent = re.search(r"# dependent velocities: (.*?), (?:chosen|as asked)", printed)[1].replace("dot", "").split(", ")
                rng = random.Random(8)
                for _ in range(4):
                    q, v, t, a = self.admissible(full, m, rows, rng)
                    values = self.inputs(full, q, v, t)
                    values.update({name + "ddot": a[i] for i, name in enumerate(full.coordinates)})
                    found = equations.evaluate(values)
                    place = {name: i for i, name in enumerate(full.coordinates)}
                    e, g = len(independent), len(dependent)
                    K, rest, B, sigma = reduced(q, v, t, (e, e), e, (g, e), g)
                    ai = numpy.array([a[place[s]] for s in independent])
                    scale = 1 + abs(K).max() * abs(ai).max()
                    for s in independent:
                        left, *right = (found[f"{word}[{s}]"][1] for word in ("left", "force", "carried", "turning"))
                        self.near(left, sum(right), scale * 10, f"equation of {s}")
                    for i, r in enumerate(K @ ai - rest):
                        self.near(r, 0.0, scale * 10, f"reduced equation of {independent[i]}")
                    for b, d in enumerate(dependent):
                        self.near(B[b] @ ai + sigma[b], a[place[d]], scale * 10, f"acceleration of {d}")
                        if f"phi[{d}]" in found:
                            self.near(found[f"phi[{d}]"][1], v[place[d]], scale, f"velocity of {d}")

    def test_left_side_of_the_particle_of_constant_speed_prints_as_0(self):
        printed = self.print("speed", "--form", "macmillan")
        self.assertEqual(re.findall(r"^left\[\w\] = (.*)$", printed, re.M), ["0", "0"])

    def test_the_convention_is_said(self):
        self.assertIn("# convention: M a + c = F + A' lambda, A = df/d(velocity); lambda_b is the generalised force per unit of the gradient of f_b = "
                      "left - right as written\n", self.print("appell"))
        self.assertIn("# substituted: J = m*R^2/2 = 0.125\n", self.print("disk"))
        self.assertIn("# ring is holonomic: its form at velocity level, dg/dt = 0, is used\n", self.print("loop", "--form", "macmillan"))

    def test_dependent_velocities_can_be_chosen(self):
        printed = self.print("speed", "--form", "macmillan", "--dependent", "z")
        self.assertIn("# dependent velocities: zdot, as asked for", printed)
        done = self.zwang("equations", self.dir / "model.yaml", "--form", "macmillan", "--dependent", "zz")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'zz' is no coordinate of particle", done.stderr)

    def test_latex_is_a_document_with_balanced_brackets(self):
        for model in MODELS:
            for form in ("multiplier", "macmillan", "gauss"):
                text = self.print(model, "--form", form, "--as", "latex")
                self.assertTrue(text.startswith("\\documentclass"))
                self.assertTrue(text.endswith("\\end{document}\n"))
                for a, b in (("{", "}"), ("\\left", "\\right"), ("\\begin{align*}", "\\end{align*}")):
                    bare = text.replace("\\{", "").replace("\\}", "")
                    self.assertEqual(bare.count(a), bare.count(b), f"{model} {form} {a}")
                fragment = self.print(model, "--form", form, "--as", "latex", "--fragment")
                self.assertIn(fragment, text)
                self.assertNotIn("documentclass", fragment)
        self.assertIn("m\\, \\ddot{x}", self.print("appell", "--as", "latex"))

    def test_output_goes_to_a_file(self):
        printed = self.print("appell")
        self.succeed("equations", self.dir / "model.yaml", "-o", self.dir / "out.txt")
        self.assertEqual((self.dir / "out.txt").read_text(encoding="utf-8"), printed)
        done = self.zwang("equations", self.dir / "model.yaml", "-o", self.dir / "missing" / "out.txt")
        self.assertEqual(done.returncode, 74)
        self.assertIn("missing", done.stderr)

    def test_wrong_usage_is_said(self):
        path = self.write("beam.yaml", CANTILEVER)
        done = self.zwang("equations", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no lagrangian body", done.stderr)
        for words, said in ((["--form", "hamilton"], "--form takes"), (["--as", "pdf"], "--as takes"), (["--dependent", "x"], "--form macmillan"),
                            (["--fragment"], "--as latex")):
            done = self.zwang("equations", path, *words)
            self.assertEqual(done.returncode, 64)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
