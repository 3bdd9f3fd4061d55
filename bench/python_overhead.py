#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_overhead.py [PROGRAM]: what Python adds to the work of the library.

 - a call of step(): the time of n calls step(1) against one call step(n), on the smallest rod (so that little else is measured), with and
   without a view that is kept; and step(0), the bare call
 - run(): zwang.run(model, directory) and zwang.run(model) against `zwang run`: processor time of fresh processes that alternate, a long run
   less a short one, so that starting Python and writing results does not count

Goals: step() under 300 ns, run() under 1 %. The least of several interleaved rounds counts. On a busy machine the second table is
noise; `valgrind --tool=callgrind` on the same commands counts instructions instead.
"""
import os
import pathlib
import platform
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
    """Processor time of a process, s."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"{words[0]} failed")
    return usage.ru_utime + usage.ru_stime


def run_overhead(program):
    model, short, long, rounds = str(ROOT / "examples" / "arc-beam.yaml"), 1, 10, 7
    code = "import sys, zwang; m = zwang.load(sys.argv[1], set={'run.until': sys.argv[2]}); zwang.run(m, *sys.argv[3:], force=len(sys.argv) > 3)"
    kinds = {
        "zwang run": lambda until, out: cpu(program, "run", model, "--set", f"run.until={until}", "-o", out, "--force", "--quiet"),
        "zwang.run(model, directory)": lambda until, out: cpu(sys.executable, "-c", code, model, str(until), out),
        "zwang.run(model)": lambda until, out: cpu(sys.executable, "-c", code, model, str(until)),
    }
    times = {(kind, until): [] for kind in kinds for until in (short, long)}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for kind, until in times:
                times[kind, until].append(kinds[kind](until, f"{folder}/out"))
    cost = {kind: min(times[kind, long]) - min(times[kind, short]) for kind in kinds}
    print(f"run(): arc-beam.yaml, processor time from t = {short} to {long} s, least of {rounds}")
    for kind, seconds in cost.items():
        more = f"{100 * (seconds / cost['zwang run'] - 1):+.2f} %  (goal 1)" if kind != "zwang run" else ""
        print(f"  {kind:28s}{seconds:8.4f} s  {more}")


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ZWANG", str(ROOT / "build" / "release" / "zwang"))
    print(f"zwang {zwang.__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors")
    step_overhead()
    run_overhead(program)
