#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_overhead.py [PROGRAM] [--pairs N]: what Python adds to the work of the library.

 - a call of step(): the time of n calls step(1) against one call step(n), on the smallest rod (so that little else is measured), with and
   without a view that is kept; and step(0), the bare call
 - run(): zwang.run(model, directory) and zwang.run(model) against `zwang run`, in processor time of fresh processes (getrusage of the
   child). Each round runs program, Python, Python, program (and the same for the run in memory), so that a slow drift of the machine
   falls on both alike. Starting the interpreter, importing (NumPy too) and reading the model are taken off: a Python process tells what it had used
   before run(). What a run of one step takes is taken off as well (its median): making and closing the results. Told is the
   median of the ratios of neighbours and the 95 % interval of that median by bootstrap, once for user and system time, which the kernel counts
   exactly, and once for user time, which it splits off by its clock ticks.

Goals: step() under 300 ns, run() under 1 %. Processor time sees other processes only through shared caches and cores; how much that is, the
line "program against itself" tells: the same ratios between the two runs of the program in a round.
"""
import argparse
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time

import zwang

ROOT = pathlib.Path(__file__).resolve().parents[1]
SMALL = """\
zwang: 1
bodies: {rod: {rod: {length: 1, elements: 1, section: {square: 0.1}, material: {density: 1000, young: 1e7, poisson: 0.35}}}}
run: {until: 1e5, step: 5e-4}
record: {frames: 2}
"""
CALLS, ROUNDS = 100_000, 9


def empty_loop():
    begin = time.thread_time_ns()
    for _ in range(CALLS):
        pass
    return (time.thread_time_ns() - begin) / CALLS


def step_overhead():
    bare, single, viewed, many, loop = [], [], [], [], []
    for _ in range(ROUNDS):
        s = zwang.Model(SMALL).start()
        step = s.step
        begin = time.thread_time_ns()
        for _ in range(CALLS):
            step(0)
        bare.append((time.thread_time_ns() - begin) / CALLS)
        begin = time.thread_time_ns()
        step(CALLS)
        many.append((time.thread_time_ns() - begin) / CALLS)
        begin = time.thread_time_ns()
        for _ in range(CALLS):
            step()
        single.append((time.thread_time_ns() - begin) / CALLS)
        q = s.q
        begin = time.thread_time_ns()
        for _ in range(CALLS):
            step()
        viewed.append((time.thread_time_ns() - begin) / CALLS)
        del q
        loop.append(empty_loop())
    work, empty = min(many), min(loop)
    print(f"step(): a step of the smallest rod takes {work:.0f} ns; one round of an empty for loop {empty:.0f} ns (not taken off)")
    print(f"  step(0), the bare call                {min(bare):6.0f} ns")
    print(f"  step() more than a step in step({CALLS}) {min(single) - work:6.0f} ns  (goal 300)")
    print(f"  the same while a view is kept         {min(viewed) - work:6.0f} ns")


def cpu(*words):
    """Processor time of a process, s: (user and system, user) in all, and the same until the work began, where the process tells it."""
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    told = child.stdout.read().split()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    child.stdout.close()
    if status != 0:
        sys.exit(f"{words[0]} failed")
    user, system = (float(t) for t in told) if told else (0.0, 0.0)
    return (usage.ru_utime + usage.ru_stime, usage.ru_utime), (user + system, user)


def median_interval(values, draws=4000):
    """Median, and the 2.5 and 97.5 percent points of the medians of samples drawn with replacement."""
    generator = random.Random(1)
    medians = sorted(statistics.median(generator.choices(values, k=len(values))) for _ in range(draws))
    return statistics.median(values), medians[draws // 40], medians[-draws // 40 - 1]


def run_overhead(program, pairs):
    model, one_step, long = str(ROOT / "examples" / "arc-beam.yaml"), 1e-4, 20
    code = ("import resource, sys, numpy, zwang; m = zwang.load(sys.argv[1], set={'run.until': sys.argv[2]}); u = resource.getrusage(resource.RUSAGE_SELF); "
            "print(u.ru_utime, u.ru_stime); zwang.run(m, *sys.argv[3:], force=len(sys.argv) > 3)")
    base = "zwang run"
    kinds = {
        base: lambda until, out: cpu(program, "run", model, "--set", f"run.until={until}", "-o", out, "--force", "--quiet"),
        "zwang.run(model, directory)": lambda until, out: cpu(sys.executable, "-c", code, model, str(until), out),
        "zwang.run(model)": lambda until, out: cpu(sys.executable, "-c", code, model, str(until)),
    }
    others = [kind for kind in kinds if kind != base]
    start, cost = {kind: [] for kind in kinds}, {kind: [] for kind in kinds}
    pair, again = {kind: [] for kind in others}, []
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out"
        for kind in kinds:  # files and libraries into memory
            kinds[kind](one_step, out)
        for _ in range((pairs + 1) // 2):
            for kind in kinds:
                start[kind].append(kinds[kind](one_step, out))
            for kind in others:
                a, b, c, d = (kinds[k](long, out) for k in (base, kind, kind, base))
                pair[kind] += [(a, b), (d, c)]
                again.append((a, d))
                cost[base] += [a, d]
                cost[kind] += [b, c]
    load = os.getloadavg()[0]
    print(f"run(): arc-beam.yaml, {round(long / one_step)} steps; load {load:.1f} on {os.cpu_count()} processors")
    for part, what in enumerate(("user and system time", "user time")):
        def after(t):  # less what came before the work
            return t[0][part] - t[1][part]
        began = {kind: statistics.median(t[1][part] for t in start[kind] + cost[kind]) for kind in kinds}
        fixed = {kind: statistics.median(after(t) for t in start[kind]) for kind in kinds}
        print(f"  {what}, s: before run(), one step, the other steps (medians); more than the program, median of {len(pair[others[0]])} pairs, 95 % interval")
        for kind in kinds:
            work = statistics.median(after(t) for t in cost[kind]) - fixed[kind]
            more = ""
            if kind != base:
                ratios = [(after(b) - fixed[kind]) / (after(a) - fixed[base]) - 1 for a, b in pair[kind]]
                more = "  {:+.2f} % [{:+.2f}, {:+.2f}]  (goal 1)".format(*(100 * x for x in median_interval(ratios)))
            print(f"    {kind:28s}{began[kind]:8.4f}{fixed[kind]:9.4f}{work:9.4f}{more}")
        ratios = [(after(d) - fixed[base]) / (after(a) - fixed[base]) - 1 for a, d in again]
        print("    {:54s}  {:+.2f} % [{:+.2f}, {:+.2f}]; single pairs {:+.1f} to {:+.1f} %".format(
            "program against itself", *(100 * x for x in median_interval(ratios)), 100 * min(ratios), 100 * max(ratios)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="what Python adds to the work of the library")
    parser.add_argument("program", nargs="?", default=os.environ.get("ZWANG", str(ROOT / "build" / "release" / "zwang")))
    parser.add_argument("--pairs", type=int, default=40, help="pairs of runs for each way of running (40)")
    options = parser.parse_args()
    print(f"zwang {zwang.__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors")
    step_overhead()
    run_overhead(options.program, options.pairs)
