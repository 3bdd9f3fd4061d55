# SPDX-License-Identifier: Apache-2.0
"""A heavy shoot that hears of its direction late (law ac with delay, natural curvature sensed), quasi-static, near upright. Its swings are exp(lambda t) with

    B exp(-lambda tau)/(1 + lambda/gamma) = mu,    th'' + mu th' + Q (1 - s) th = 0,  th(0) = 0,  th'(1) + mu th(1) = 0,  mu < 0 real,

so that they neither grow nor fade where omega tau + atan(omega/gamma) = pi and |mu| = B/sqrt(1 + (omega/gamma)^2). Runs are fitted by Prony's method; two
meshes and steps are extrapolated: (4 fine - coarse)/3. Steps are whole parts of the delay."""
import cmath
import csv
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import SOURCE, ProgramTest  # noqa: E402

UPRIGHT = """\
zwang: 1
parameters: {B: 4, Q: 5, tau: 0.8, n: 16, m: 16, A0: 1e-4}
gravity: [0, 0, -1]
bodies:
  shoot:
    rod: {length: 1, elements: n, along: [sin(A0), 0, cos(A0)], up: [cos(A0), 0, -sin(A0)],
          section: {bending: [1, 1], torsion: 1, shear: 1e7, stretch: 1e7, mass: Q, inertia: 1e-3},
          growth: {law: {ac: {beta: B, gamma: 1, toward: [0, 0, 1], senses: natural, delay: tau}}}}
constraints:
  pot: {clamp: shoot, s: 0}
run: {until: 20*tau, mode: quasi-static, step: tau/m}
record: {every: 1}
probes:
  tip: {position: shoot, s: end}
"""


def end_of(mu, Q):
    """th'(1) + mu th(1) by the power series of th with th(0) = 0, th'(0) = 1"""
    a = [0.0, 1.0]
    for n in range(80):
        a.append(-(mu * (n + 1) * a[n + 1] + Q * (a[n] - (a[n - 1] if n else 0.0))) / ((n + 2) * (n + 1)))
    return sum(n * x for n, x in enumerate(a)) + mu * sum(a)


def mu_of(Q):
    """the real one, for 1 <= Q < 7.837"""
    low, high = -10.0, 0.0
    sign = end_of(high, Q) > 0
    for _ in range(100):
        middle = (low + high) / 2
        if (end_of(middle, Q) > 0) == sign:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def threshold(B, Q):
    """omega and tau, in 1/gamma"""
    omega = math.sqrt((B / mu_of(Q)) ** 2 - 1)
    return omega, (math.pi - math.atan(omega)) / omega


def root_of(B, Q, tau):
    """lambda, by Newton's method from the threshold"""
    mu, x = mu_of(Q), 1j * threshold(B, Q)[0]
    for _ in range(50):
        e = B * cmath.exp(-x * tau)
        x -= (e - mu * (1 + x)) / (-tau * e - mu)
    return x


def prony(x, h):
    """lambda of x = c + Re(a exp(lambda t)): differences d with d[k+1] = p d[k] + q d[k-1], by least squares"""
    d = [b - a for a, b in zip(x, x[1:])]
    aa = ab = bb = ac = bc = 0.0
    for k in range(1, len(d) - 1):
        a, b, c = d[k], d[k - 1], d[k + 1]
        aa, ab, bb, ac, bc = aa + a * a, ab + a * b, bb + b * b, ac + a * c, bc + b * c
    det = aa * bb - ab * ab
    p, q = (ac * bb - bc * ab) / det, (aa * bc - ab * ac) / det
    return cmath.log(p / 2 + cmath.sqrt(p * p / 4 + q)) / h


class ShootFlutter(ProgramTest):
    def swings(self, B, Q, tau, n, m):
        sets = [word for k, v in (("B", B), ("Q", Q), ("tau", repr(tau)), ("n", n), ("m", m)) for word in ("--set", f"parameters.{k}={v}")]
        done = self.succeed("run", self.write("model.yaml", UPRIGHT), "-o", self.dir / "out", "--force", "--no-report", "--json", *sets)
        self.assertEqual(json.loads(done.stdout)["outcome"], "reached")
        self.succeed("export", self.dir / "out", "--as", "csv")
        with open(self.dir / "out/csv/probes.csv", encoding="utf-8", newline="") as f:
            x = [float(row["tip.x [m]"]) for row in csv.DictReader(f)]
        self.assertEqual(len(x), 20 * m + 1)
        found = prony(x[8 * m:], tau / m)        # the other roots have faded by then
        return complex(found.real, abs(found.imag))

    def check(self, B, Q, tau, bound):
        coarse, fine = (self.swings(B, Q, tau, k, k) for k in (16, 32))
        want, got = root_of(B, Q, tau), (4 * fine - coarse) / 3
        self.assertLess(abs(got - want), bound, (B, Q, tau, want, got))
        return got

    def test_numbers_of_the_example(self):
        self.assertAlmostEqual(mu_of(5), -1.3286918, 7)
        omega, tau = threshold(4, 5)
        text = (SOURCE / "examples/shoot-flutter.yaml").read_text(encoding="utf-8")
        for number in (f"{mu_of(5):.7f}", f"{omega:.4f}", f"{tau:.4f}"):
            self.assertIn(number, text)

    def test_threshold(self):
        for B, Q in ((4, 5), (6, 3)):
            omega, tau = threshold(B, Q)
            got = self.check(B, Q, tau, 4e-4)                     # measured 4.6e-5, 1.9e-4
            self.assertLess(abs(got.imag / omega - 1), 1e-4)      # measured 1.5e-5, 5.2e-5

    def test_either_side(self):
        self.assertGreater(self.check(4, 5, 0.8, 4e-4).real, 0.1)         # measured 1.1e-5
        self.assertLess(self.check(4, 5, 0.55, 4e-4).real, -0.1)          # measured 1.5e-4


if __name__ == "__main__":
    unittest.main()
