#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rod benchmarks in one interleaved run: zwang's integrators, PyElastica beside verlet, the paper's table 2 beside poisson and hamel.

usage: compare_rods.py BENCH_DIR PYTHON_WITH_PYELASTICA|none [OUT.csv]

Each number is the least of seven measurements, taken in turn; ratios are within this run. One core, except the line on parallel efficiency.
"""
import os
import platform
import subprocess
import sys

REPEATS = 7
TABLE2 = {"poisson": (13.5543, 15.9470), "hamel": (14.0054, 18.6285)}  # s for 1000 steps, MATLAB and Python, as printed


def zwang(bench, integrator, rods, elements, steps, threads=1):
    env = dict(os.environ, OMP_PROC_BIND="true")
    out = subprocess.run([f"{bench}/bench_rods", integrator, str(rods), str(elements), str(steps), str(threads)],
                         capture_output=True, text=True, env=env)
    if out.returncode != 0:
        raise SystemExit(out.stderr)
    return float(out.stdout.strip().splitlines()[-1].split(",")[-1])


class Rival:
    """PyElastica in a process of its own, so that it compiles once."""

    def __init__(self, python):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "against", "pyelastica_rods.py")
        self.process = subprocess.Popen([python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()


def machine():
    model = ""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    return f"# {model}; {platform.system()}; {compiler}; commit {commit}"


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    bench, python = sys.argv[1:3]
    rows = [machine(), "case,zwang_ns,rival_ns,ratio"]
    print(rows[0])
    peak = subprocess.run([f"{bench}/bench_peak"], capture_output=True, text=True).stdout.split()
    if len(peak) == 2:
        print(f"# multiply-add peak of one core: {peak[1].split(',')[0]} GFlop/s separate, {peak[1].split(',')[1]} fused")
    rival = Rival(python) if python != "none" else None

    print(f"\n{'verlet, ns per element and step':34}{'zwang':>10}{'PyElastica':>12}{'ratio':>8}")
    for rods, n in ((1, 10), (1, 100), (1, 1000), (1, 10000), (100, 100)):
        ours, theirs = [], []
        steps = max(20, 1000000 // (rods * n))
        for _ in range(REPEATS):
            ours.append(zwang(bench, "verlet", rods, n, steps))
            if rival is not None and rods == 1:
                theirs.append(float(rival.ask("time", n, max(20, 100000 // n))[0]))
        a, b = min(ours), min(theirs) if theirs else float("nan")
        print(f"{f'{rods} x {n}':34}{a:10.1f}{b:12.1f}{b / a:8.1f}")
        rows.append(f"verlet {rods}x{n},{a:.4g},{b:.4g},{b / a:.4g}")

    print(f"\n{'1000 steps of 101 nodes, ms':34}{'zwang':>10}{'MATLAB':>12}{'Python':>12}   (the last two as printed in the paper)")
    for name in ("poisson", "hamel", "poisson-consistent", "verlet"):
        try:
            ms = min(zwang(bench, name, 1, 100, 10000) for _ in range(REPEATS)) * 100 * 1000 * 1e-6
        except SystemExit as missing:
            print(f"{name:34}{'-':>10}   {str(missing).strip()[:80]}")
            continue
        paper = TABLE2.get(name)
        print(f"{name:34}{ms:10.2f}" + (f"{1e3 * paper[0]:12.0f}{1e3 * paper[1]:12.0f}" if paper else ""))
        rows.append(f"table2 {name},{ms * 1e6:.4g},,")

    print("\nparallel efficiency, 1000 rods x 50, verlet")
    one, two = [], []
    for _ in range(REPEATS):
        one.append(zwang(bench, "verlet", 1000, 50, 60, 1))
        two.append(zwang(bench, "verlet", 1000, 50, 60, 2))
    print(f"  one thread {min(one):.1f} ns, two threads {min(two):.1f} ns per element and step: {100 * min(one) / (2 * min(two)):.0f} %")
    rows.append(f"efficiency 1000x50 on 2,{min(two):.4g},{min(one):.4g},{min(one) / (2 * min(two)):.4g}")

    if rival is not None:
        worst, step = rival.ask("energy", 100, 100000)
        print(f"\nenergy of the paper's bent beam over 1e5 steps of 1e-4 s\n  PyElastica: largest relative change {worst}"
              + (f", not finite at step {step}" if worst == "nan" else ""))
        model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "arc-beam.yaml")
        program = os.path.join(bench, "..", "zwang")
        out = subprocess.run([program, "run", model, "--set", "run.until=10", "--json", "--no-report", "--force", "-o",
                              os.path.join(bench, "energy.zw")], capture_output=True, text=True)
        if out.returncode == 0:
            import json
            e = json.loads(out.stdout)["energy"]
            print(f"  zwang verlet: largest relative drift {e['drift_max'] / e['initial']:.3g}")
            rows.append(f"energy 1e5 steps,{e['drift_max'] / e['initial']:.4g},{worst},")
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as f:
            f.write("\n".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
