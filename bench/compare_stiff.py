#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stiff rods: energy-momentum beside verlet at equal error, and statics beside PyElastica's relaxation, in one interleaved run.

usage: compare_stiff.py BENCH_DIR PYTHON_WITH_PYELASTICA|none [OUT.csv]

Thin rod (examples/thin-rod.yaml): root mean square distance of the nodes at t = 0.5 s to a run with four times the elements and a twelfth of the step. The longest
step of energy-momentum whose error is not above verlet's counts. Processor time, least of five taken in turn.
"""
import math
import os
import subprocess
import sys

REPEATS, END, LIMIT = 5, 0.5, 1.6e-5
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "examples")


def run(bench, elements, integrator, steps):
    out = subprocess.run([f"{bench}/bench_model", os.path.join(EXAMPLES, "thin-rod.yaml"), "rod/beam/position", "1", str(steps), "run.until=1000",
                          f"bodies.beam.rod.elements={elements}", f"run.integrator={integrator}", f"run.step={END / steps!r}"],
                         capture_output=True, text=True)
    if out.returncode != 0:
        raise SystemExit(out.stderr)
    lines = out.stdout.split()
    return float(lines[0].split(",")[1]), [[float(x) for x in line.split(",")] for line in lines[1:]]


def distance(nodes, fine):
    every = (len(fine) - 1) // (len(nodes) - 1)
    return math.sqrt(sum(sum((a - b) ** 2 for a, b in zip(p, fine[i * every])) for i, p in enumerate(nodes)) / len(nodes))


def thin_rod(bench, rows):
    fine = run(bench, 200, "verlet", 120000)[1]
    cases = [("verlet", round(END / LIMIT))] + [("energy-momentum", n) for n in (200, 100, 50, 40, 25, 20)]
    times, errors = {c: [] for c in cases}, {}
    for _ in range(REPEATS):
        for case in cases:
            ms, nodes = run(bench, 50, *case)
            times[case].append(ms)
            errors[case] = distance(nodes, fine)
    base, allowed = min(times[cases[0]]), errors[cases[0]]
    print(f"{'thin rod, 50 elements, 0.5 s':34}{'step, s':>10}{'error, m':>12}{'ms':>10}{'ratio':>8}")
    best = 0.0
    for case in cases:
        ms = min(times[case])
        if case[0] != "verlet" and errors[case] <= allowed:
            best = max(best, base / ms)
        print(f"{case[0]:34}{END / case[1]:10.3g}{errors[case]:12.3g}{ms:10.2f}{base / ms:8.1f}")
        rows.append(f"thin rod {case[0]} {END / case[1]:.3g},{ms:.4g},{errors[case]:.4g},{base / ms:.4g}")
    print(f"at verlet's error or less: {best:.1f} times less processor time (goal 20)")


def roll_up(bench, python, rows):
    process = None
    if python != "none":
        process = subprocess.Popen([python, os.path.join(HERE, "against", "pyelastica_rollup.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True)
    print(f"\n{'roll-up to one turn, elements':34}{'zwang ms':>10}{'tip, m':>12}{'PyElastica ms (tip 1e-6 m)':>28}{'ratio':>8}")
    for n in (16, 32, 64):
        ours, theirs, tip = [], [], 0.0
        for _ in range(3):
            out = subprocess.run([f"{bench}/bench_statics", os.path.join(EXAMPLES, "roll-up.yaml"), "5", f"bodies.strip.rod.elements={n}", "M=2*pi*EI/L"],
                                 capture_output=True, text=True)
            if out.returncode != 0:
                raise SystemExit(out.stderr)
            first, second = out.stdout.split()[:2]
            ours.append(float(first.split(",")[0]))
            tip = math.sqrt(sum(float(x) ** 2 for x in second.split(",")))
            if process is not None and len(theirs) < 1:  # seconds each; it varies by a few per cent only
                process.stdin.write(f"{n} 1e-6\n")
                process.stdin.flush()
                theirs.append(1e3 * float(process.stdout.readline().split()[0]))
        a, b = min(ours), min(theirs) if theirs else float("nan")
        print(f"{n:<34}{a:10.3f}{tip:12.2g}{b:28.0f}{b / a:8.0f}")
        rows.append(f"roll-up {n},{a:.4g},{b:.4g},{b / a:.4g}")


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    rows = ["case,zwang_ms,other,ratio"]
    thin_rod(sys.argv[1], rows)
    roll_up(sys.argv[1], sys.argv[2], rows)
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as f:
            f.write("\n".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
