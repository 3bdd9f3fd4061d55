#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_overhead.py [PROGRAM]: what Python adds to the work of the library.

 - a call of step(): the time of n calls step(1) against one call step(n), on the smallest rod (so that little else is measured), with and
   without a view that is kept; and step(0), the bare call
 - run(): zwang.run(model, directory) and zwang.run(model) against `zwang run`, as the summaries say (wall_s: from the first step to the last
   record, without the start of the processes); fresh processes alternate

Goals: step() under 300 ns, run() under 1 %. The minimum of several interleaved rounds counts.
"""
import json
import os
import pathlib
import platform
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
    begin = time.perf_counter_ns()
    for _ in range(CALLS):
        pass
    return (time.perf_counter_ns() - begin) / CALLS


def step_overhead():
    bare, single, viewed, many, loop = [], [], [], [], []
    for _ in range(ROUNDS):
        s = zwang.Model(SMALL).start()
        step = s.step
        begin = time.perf_counter_ns()
        for _ in range(CALLS):
            step(0)
        bare.append((time.perf_counter_ns() - begin) / CALLS)
        begin = time.perf_counter_ns()
        step(CALLS)
        many.append((time.perf_counter_ns() - begin) / CALLS)
        begin = time.perf_counter_ns()
        for _ in range(CALLS):
            step()
        single.append((time.perf_counter_ns() - begin) / CALLS)
        q = s.q
        begin = time.perf_counter_ns()
        for _ in range(CALLS):
            step()
        viewed.append((time.perf_counter_ns() - begin) / CALLS)
        del q
        loop.append(empty_loop())
    work, empty = min(many), min(loop)
    print(f"step(): a step of the smallest rod takes {work:.0f} ns; one round of an empty for loop {empty:.0f} ns (not taken off)")
    print(f"  step(0), the bare call                {min(bare):6.0f} ns")
    print(f"  step() more than a step in step({CALLS}) {min(single) - work:6.0f} ns  (goal 300)")
    print(f"  the same while a view is kept         {min(viewed) - work:6.0f} ns")


def run_overhead(program):
    model = ROOT / "examples" / "arc-beam.yaml"
    until = 10
    code = "import sys, json, zwang; m = zwang.load(sys.argv[1], set={'run.until': sys.argv[3]}); " \
           "r = zwang.run(m, sys.argv[2], force=True) if sys.argv[2] else zwang.run(m); print(json.dumps(r.summary['wall_s']))"
    times = {"program": [], "directory": [], "memory": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(15):
            done = subprocess.run([program, "run", model, "--set", f"run.until={until}", "-o", f"{folder}/a", "--force", "--json"], capture_output=True, text=True, check=True)
            times["program"].append(json.loads(done.stdout)["wall_s"])
            for kind, where in (("directory", f"{folder}/b"), ("memory", "")):
                done = subprocess.run([sys.executable, "-c", code, model, where, str(until)], capture_output=True, text=True, check=True)
                times[kind].append(float(done.stdout))
    best = {kind: min(t) for kind, t in times.items()}
    print(f"run(): {model.name} to t = {until} s, least of {len(times['program'])} (median in brackets)")
    for kind, name in (("program", "zwang run"), ("directory", "zwang.run(model, directory)"), ("memory", "zwang.run(model)")):
        more = f"{100 * (best[kind] / best['program'] - 1):+.2f} %  (goal 1)" if kind != "program" else ""
        print(f"  {name:28s}{best[kind]:8.4f} s  ({statistics.median(times[kind]):.4f})  {more}")


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ZWANG", str(ROOT / "build" / "release" / "zwang"))
    print(f"zwang {zwang.__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors")
    step_overhead()
    run_overhead(program)
