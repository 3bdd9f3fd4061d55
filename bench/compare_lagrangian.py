#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Systems written as text, in one interleaved run: from the text to the first accelerations beside SymPy, and the rolling disk beside SUNDIALS' CVODE.

usage: compare_lagrangian.py BUILD_DIR PYTHON_WITH_SYMPY|none CVODE(yes|no) [OUT.csv]

BUILD_DIR holds the program zwang and bench/. "program": zwang check, start to end. Times are processor time, the least of REPEATS measurements taken in turn; ratios are within this run.

Disk: every run goes to t = 200; its error is the largest of q and v at t = 3 against 18 digits. For each contestant the cheapest setting with an error of at
most 3e-11 counts: gauss with four stages and a fixed step, gauss with its default settings, CVODE Adams with the best hand-written right-hand side, and
CVODE Adams with the equations that zwang derived (printed as C, compiled).
"""
import json
import os
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..")
sys.path.insert(0, HERE)
from compare_rods import machine  # noqa: E402

REPEATS = 7
ERROR = 3e-11
TOLERANCES = [m * 10.0 ** -e for e in range(10, 15) for m in (3.0, 2.0, 1.5, 1.0)]
STEPS = [3 / n for n in (50, 60, 66, 70, 72, 73, 74, 75, 80, 100)]


def pendulum(n):
    """The text of examples/pendulum-8.yaml for n links."""
    links = range(1, n + 1)
    add = " + ".join
    return "\n".join(
        ["zwang: 1", "parameters: {m: 1, l: 0.5, g: 9.81}", "bodies:", "  chain:", "    lagrangian:",
         f"      coordinates: [{', '.join(f'q{i}' for i in links)}]", "      define:", '        j0: "[0, 0, 0]"']
        + [f'        j{i}: "j{i - 1} + l*[sin(q{i}), 0, -cos(q{i})]"' for i in links]
        + [f"        v{i}: dt(j{i - 1} + j{i})/2" for i in links]
        + [f"      kinetic: m*({add(f'dot(v{i}, v{i})' for i in links)})/2 + m*l^2*({add(f'q{i}dot^2' for i in links)})/24",
           f"      potential: m*g*({add(f'(j{i - 1}.z + j{i}.z)/2' for i in links)})",
           f"      start: {{{', '.join(f'q{i}: pi/2' for i in links)}}}", "run: {until: 1}", ""])


def call(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout.splitlines()


def cpu(*words):
    """Processor time of a whole program, ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(w) for w in words], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def text_to_motion(build, python, rows):
    print(f"\n{'text to first accelerations, ms':34}{'zwang':>10}{'program':>10}{'SymPy Kane':>13}{'Lagrange':>12}{'ratio':>9}")
    for n in (2, 4, 8):
        path = os.path.join(build, f"pendulum-{n}.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(pendulum(n))
        ours, program, theirs = [], [], {"kane": [], "lagrange": []}
        for turn in range(REPEATS):
            ours.append(float(call(f"{build}/bench/bench_text", "ready", path, 20)[0].split(",")[0]))
            program.append(cpu(f"{build}/zwang", "check", path))
            for method in theirs if python != "none" and turn < (3 if n < 8 else 1) else ():
                theirs[method].append(1e3 * float(call(python, f"{HERE}/against/sympy_pendulum.py", method, n)[0].split()[3]))
        best = {k: min(v) if v else float("nan") for k, v in theirs.items()}
        ratio = min(best.values()) / min(ours)
        print(f"{f'{n} links':34}{min(ours):10.3f}{min(program):10.1f}{best['kane']:13.0f}{best['lagrange']:12.0f}{ratio:9.0f}")
        rows.append(f"ready {n} links,{min(ours):.4g},{best['kane']:.4g},{best['lagrange']:.4g}")


def reference():
    with open(os.path.join(SOURCE, "tests", "references", "nonholonomic.json"), encoding="utf-8") as f:
        disk = next(s for s in json.load(f)["systems"] if s["name"] == "rolling_disk")
    at = next(s for s in disk["solution"] if s["t"] == 3)
    return [float(x) for x in at["q"] + at["v"]]


def error_of(line, exact):
    return max(abs(float(a) - b) for a, b in zip(line.split(","), exact))


class Ours:
    def __init__(self, build, step, *sets):
        self.words = (f"{build}/bench/bench_text", "move", os.path.join(SOURCE, "examples", "rolling-disk.yaml"))
        self.step, self.sets = step, sets
        self.label = f"gauss, step {step:.4g}" if step != "auto" else "gauss, default settings"

    def run(self, until, repeats):
        lines = call(*self.words, repeats, until, repr(self.step) if self.step != "auto" else "auto", *self.sets)
        steps, ms, calls, energy, drift, slip = map(float, lines[0].split(","))
        return ms, int(steps), int(calls), drift / energy, slip, lines[1]


class Rival:
    def __init__(self, program, kind, tolerance):
        self.words = (program, kind, tolerance, tolerance)
        self.label = f"CVODE Adams, {kind}, rtol {tolerance:.1e}"

    def run(self, until, repeats):
        lines = call(*self.words, until, repeats)
        steps, calls, ms, drift, slip = map(float, lines[0].split(","))
        return ms, int(steps), int(calls), drift / 11.588445185141889, slip, lines[1]


def cheapest(candidates, exact):
    """The one of least time among those accurate enough; the time of one run to 200 decides."""
    good = [c for c in candidates if error_of(c.run(3, 1)[-1], exact) <= ERROR]
    return min(good, key=lambda c: min(c.run(200, 2)[0] for _ in range(2))) if good else None


def rolling_disk(build, with_cvode, rows):
    exact = reference()
    contestants = [cheapest([Ours(build, h, "run.stages=4") for h in STEPS], exact), Ours(build, "auto")]
    if with_cvode:
        with open(os.path.join(build, "disk_equations.c"), "w", encoding="utf-8") as f:
            f.write("\n".join(call(f"{build}/zwang", "equations", os.path.join(SOURCE, "examples", "rolling-disk.yaml"), "--as", "c")) + "\n")
        program = os.path.join(build, "cvode_disk")
        call("cc", "-O3", "-march=native", f'-DDISK_EQUATIONS="{os.path.abspath(build)}/disk_equations.c"', f"{HERE}/against/cvode_disk.c", "-o",
             program, "-lsundials_cvode", "-lsundials_nvecserial", "-lsundials_sunnonlinsolfixedpoint", "-lm")
        for kind in ("hand", "derived"):
            contestants.append(cheapest([Rival(program, kind, tolerance) for tolerance in TOLERANCES], exact))
    contestants = [c for c in contestants if c is not None]
    best = {c: c.run(200, 2) for c in contestants}
    for _ in range(REPEATS):
        for c in contestants:
            got = c.run(200, 2)
            best[c] = got if got[0] < best[c][0] else best[c]
    print(f"\n{'rolling disk to t = 200':44}{'ms':>9}{'steps':>8}{'rhs calls':>11}{'error(3)':>10}{'energy':>10}{'slip':>10}{'ratio':>8}")
    for c in contestants:
        ms, steps, calls, drift, slip, _ = best[c]
        error = error_of(c.run(3, 1)[-1], exact)
        print(f"{c.label:44}{ms:9.1f}{steps:8d}{calls:11d}{error:10.1e}{drift:10.1e}{slip:10.1e}{ms / best[contestants[0]][0]:8.2f}")
        rows.append(f"disk {c.label.replace(',', '')},{ms:.4g},{calls},{error:.3g},{drift:.3g},{slip:.3g}")


def main():
    if len(sys.argv) < 4:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    build, python, with_cvode = sys.argv[1:4]
    rows = [machine(), "case,zwang_ms,other,other,..."]
    print(rows[0])
    text_to_motion(build, python, rows)
    rolling_disk(build, with_cvode == "yes", rows)
    if len(sys.argv) > 4:
        with open(sys.argv[4], "w", encoding="utf-8") as f:
            f.write("\n".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
