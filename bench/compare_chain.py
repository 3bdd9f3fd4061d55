#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frictionless hinge chains in gravity beside MuJoCo, and a link that bounces off a wall, in one interleaved run.

usage: compare_chain.py BENCH_DIR PYTHON_WITH_MUJOCO|none [OUT.csv] [--quick]

BENCH_DIR holds bench_links. Links of 0.1 kg and 0.1 m, straight and at rest at the start, 0.5 rad from hanging or level; 10 s. Both engines get the same
masses, inertias and start. The error of a run is max |E - E0| over m g n l/2 (1 - cos start), the energy of the swing. For every error asked for, each engine takes its
cheapest setting that meets it: MuJoCo (constraint solver and contacts off) Euler, implicit, implicitfast or RK4 with a step; zwang verlet or energy-momentum with a step, gauss with 1 to 4 stages and a
step, gauss with a tolerance; with rigid bodies on hinges, and as a system of angles written as text. Steps are tried from large to small by factors
of sqrt 2 (--quick: 2, and no gauss for bodies, no level start of 100 links); the best settings of both are then measured in turn. Times are processor time of the motion alone, the least of REPEATS runs; ratios are within this run.
"""
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from compare_rods import machine  # noqa: E402

REPEATS = 5
UNTIL = 10.0
MASS, LENGTH, GRAVITY = 0.1, 0.1, 9.81
ERRORS = (1e-4, 1e-6, 1e-9)
CASES = ((2, 0.5), (2, math.pi / 2), (10, 0.5), (10, math.pi / 2), (100, 0.5), (100, math.pi / 2))
ACROSS, ALONG = MASS * LENGTH ** 2 / 12, MASS * (0.1 * LENGTH) ** 2 / 2


def rigid(n, start):
    """zwang: rigid bodies on hinges; the links point down along their third axes."""
    s, c = math.sin(start), -math.cos(start)
    lines = ["zwang: 1", f"gravity: [0, 0, {-GRAVITY}]", "bodies:"]
    for i in range(n):
        r = (i + 0.5) * LENGTH
        lines.append(f"  l{i}: {{rigid: {{mass: {MASS}, inertia: [{ACROSS!r}, {ACROSS!r}, {ALONG!r}], at: [{r * s!r}, 0, {r * c!r}], "
                     f"turn: [0, {math.pi - start!r}, 0]}}}}")
    lines += ["constraints:", f"  j0: {{hinge: l0, at: [0, 0, {-LENGTH / 2}], axis: [0, 1, 0]}}"]
    for i in range(1, n):
        lines.append(f"  j{i}: {{hinge: [{{body: l{i - 1}, at: [0, 0, {LENGTH / 2}]}}, {{body: l{i}, at: [0, 0, {-LENGTH / 2}]}}], axis: [0, 1, 0]}}")
    return "\n".join(lines + [f"run: {{until: {UNTIL}, integrator: gauss}}", "record: {frames: 2}", ""])


def angles(n, start):
    """zwang: the same written as text, with the angles of the links from hanging."""
    links = range(1, n + 1)
    add = " + ".join
    return "\n".join(
        ["zwang: 1", f"parameters: {{m: {MASS}, l: {LENGTH}, g: {GRAVITY}, I: {ACROSS!r}}}", "bodies:", "  chain:", "    lagrangian:",
         f"      coordinates: [{', '.join(f'q{i}' for i in links)}]", "      define:", '        j0: "[0, 0, 0]"']
        + [f'        j{i}: "j{i - 1} + l*[sin(q{i}), 0, -cos(q{i})]"' for i in links]
        + [f"        v{i}: dt(j{i - 1} + j{i})/2" for i in links]
        + [f"      kinetic: m*({add(f'dot(v{i}, v{i})' for i in links)})/2 + I*({add(f'q{i}dot^2' for i in links)})/2",
           f"      potential: m*g*({add(f'(j{i - 1}.z + j{i}.z)/2' for i in links)})",
           f"      start: {{{', '.join(f'q{i}: {start!r}' for i in links)}}}", f"run: {{until: {UNTIL}}}", "record: {frames: 2}", ""])


def mjcf(n, start):
    head = (f'<mujoco><compiler angle="radian"/><option gravity="0 0 {-GRAVITY}"><flag constraint="disable" contact="disable" equality="disable" '
            'frictionloss="disable" limit="disable" actuation="disable" warmstart="disable"/></option><worldbody>')
    body = ""
    for i in reversed(range(n)):
        where = f'pos="0 0 0" euler="0 {math.pi - start!r} 0"' if i == 0 else f'pos="0 0 {LENGTH}"'
        body = (f'<body {where}><joint type="hinge" axis="0 1 0"/><inertial pos="0 0 {LENGTH / 2}" mass="{MASS}" '
                f'diaginertia="{ACROSS!r} {ACROSS!r} {ALONG!r}"/>{body}</body>')
    return head + body + "</worldbody></mujoco>\n"


def call(words):
    out = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    text = out.stdout.strip()
    if out.returncode != 0 or not text:
        return None, (out.stderr or "no answer").strip()
    if text.startswith(("slow", "failed")):
        return None, text
    return [float(x) for x in text.split(",")], ""


class Setting:
    """One engine, model and integrator; its step or tolerance is what is searched for."""

    def __init__(self, engine, label, command, values):
        self.engine, self.label, self.command, self.values = engine, label, command, values
        self.seen = []  # (value, ms, error)
        self.why = ""

    def run(self, value, repeats, seconds):
        return call(self.command(value, repeats, seconds))

    def sweep(self, scale, least, seconds):
        """From coarse to fine until the smallest error is met, or nothing improves, or it takes too long."""
        worse = 0
        for value in self.values:
            got, why = self.run(value, 1, seconds)
            if got is None:
                self.why = why
                if why.startswith("slow"):
                    return
                continue
            error = got[2] / scale
            worse = worse + 1 if self.seen and error > 0.7 * min(e for _, _, e in self.seen) else 0
            self.seen.append((value, got[1], error))
            if error <= least or worse >= 6:
                return

    def best(self, error):
        good = [s for s in self.seen if s[2] <= error]
        return min(good, key=lambda s: s[1]) if good else None


def steps(first, last, quick):
    out, h = [], first
    while h >= last:
        out.append(UNTIL / round(UNTIL / h))
        h /= 2 if quick else math.sqrt(2)
    return out


def ours(bench, path, label, quick):
    """As text: gauss. As bodies: verlet, and gauss where there is time."""
    program = os.path.join(bench, "bench_links")

    def fixed(*sets):
        return lambda value, repeats, seconds: [program, path, repeats, seconds, f"run.step={value!r}", *sets]

    out = []
    if label == "bodies":
        out.append(Setting("zwang", f"{label}, verlet, step", fixed("run.integrator=verlet"), steps(0.02, 1e-6, quick)))
        # keeps the energy at any step: what is asked here does not bound its steps, so that they are not longer than the longest of verlet
        out.append(Setting("zwang", f"{label}, energy-momentum, step", fixed("run.integrator=energy-momentum"), steps(0.02, 1e-3, quick)))
    if label == "angles" or not quick:
        for stages in (4, 3, 2) if quick else (4, 3, 2, 1):
            out.append(Setting("zwang", f"{label}, gauss, {stages} stages, step", fixed(f"run.stages={stages}"), steps(0.16, 1e-5, quick)))
        out.append(Setting("zwang", f"{label}, gauss, tolerance", lambda v, k, s: [program, path, k, s, f"run.tolerance={v!r}"],
                           [10.0 ** -e for e in range(2, 13)]))
    return out


def theirs(program, path, quick):
    def fixed(kind):
        return lambda value, repeats, seconds: [program, path, UNTIL, repr(value), kind, repeats, seconds]

    return [Setting("MuJoCo", f"{kind}, step", fixed(kind), steps(0.02, 1e-7, quick)) for kind in ("RK4", "Euler", "implicitfast", "implicit")]


def build_rival(python, where):
    """The comparison program against the library that the package brings; None where it cannot be had."""
    if python == "none":
        return None, ""
    found = subprocess.run([python, "-c", "import mujoco, os; print(os.path.dirname(mujoco.__file__)); print(mujoco.__version__)"],
                           capture_output=True, text=True)
    if found.returncode != 0:
        return None, ""
    folder, version = found.stdout.split()
    library = next(os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.startswith("libmujoco.so"))
    program = os.path.join(where, "mujoco_links")
    done = subprocess.run(["cc", "-O3", "-march=native", os.path.join(HERE, "against", "mujoco_links.c"), "-I", os.path.join(folder, "include"), "-o",
                           program, library, f"-Wl,-rpath,{folder}", "-lm"], capture_output=True, text=True)
    return (program, version) if done.returncode == 0 else (None, "")


def chains(bench, rival, rows, quick):
    print(f"\n{'10 s of hinge chains':26}{'error':>8}   {'zwang':>10}{'MuJoCo':>11}{'ratio':>8}   settings")
    for n, start in CASES:
        if quick and n == 100 and start > 1.0:
            continue
        case = f"{n} links, {'level' if start > 1.0 else f'{start} rad'}"
        scale = MASS * GRAVITY * n * n * LENGTH / 2 * (1 - math.cos(start))
        paths = {}
        for kind, make in (("rigid", rigid), ("angles", angles), ("mujoco", mjcf)):
            paths[kind] = os.path.join(bench, f"chain-{kind}-{n}-{start:.2f}." + ("xml" if kind == "mujoco" else "yaml"))
            with open(paths[kind], "w", encoding="utf-8") as f:
                f.write(make(n, start))
        contestants = ours(bench, paths["angles"], "angles", quick) + ours(bench, paths["rigid"], "bodies", quick)
        contestants += theirs(rival, paths["mujoco"], quick) if rival else []
        for c in contestants:
            known = [o.best(min(ERRORS)) for o in contestants if o.engine == c.engine and o.best(min(ERRORS))]
            most = (20 if n == 100 else 3) if quick else 120
            c.sweep(scale, min(ERRORS), min([most] + [1.3e-3 * k[1] for k in known]))  # what takes longer than the best at the least error is of no use
        for error in ERRORS:
            best = {}
            for engine in ("zwang", "MuJoCo"):
                good = [(c.best(error), c) for c in contestants if c.engine == engine and c.best(error)]
                if good:
                    best[engine] = min(good, key=lambda g: g[0][1])
            least = {e: math.inf for e in best}
            for _ in range(2 if quick else REPEATS):  # in turn
                for engine, (s, c) in best.items():
                    got, _ = c.run(s[0], 1, 600)
                    least[engine] = min(least[engine], got[1] if got else math.inf)
            a, b = least.get("zwang", math.nan), least.get("MuJoCo", math.nan)
            words = "; ".join(f"{c.label} {s[0]:.3g} ({s[2]:.1e})" for s, c in best.values())
            if "MuJoCo" not in best and rival:
                finest = min((s[2] for c in contestants if c.engine == "MuJoCo" for s in c.seen), default=math.nan)
                words += f"; MuJoCo does not in the time allowed: best {finest:.1e}"
            if "zwang" not in best:
                finest = min((s[2] for c in contestants if c.engine == "zwang" for s in c.seen), default=math.nan)
                words += f"; zwang does not in the time allowed: best {finest:.1e}"
            print(f"{case:26}{error:8.0e}   {a:8.2f} ms{b:8.2f} ms{b / a:8.2f}   {words}", flush=True)
            rows.append(f"{case.replace(',', '')} {error:.0e},{a:.4g},{b:.4g},{b / a:.4g},{words.replace(',', '')}")


def wall_mjcf(stiffness):
    """examples/double-pendulum-wall.yaml: masses on massless links, small spheres in front of a plane; a contact is a spring without damping."""
    upper, lower = -math.pi / 2, -2 * math.pi / 3
    ball = (f'<inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/><geom type="sphere" size="0.01" pos="0 0 -1" contype="1" conaffinity="0" '
            f'condim="1" solref="{-stiffness!r} 0" solimp="0.9999 0.9999 0.001 0.5 1"/>')
    return (f'<mujoco><compiler angle="radian"/><option gravity="0 0 {-GRAVITY}" cone="elliptic" tolerance="1e-12" iterations="50" impratio="1"/><worldbody>'
            f'<geom type="plane" size="5 5 1" pos="0.51 0 0" euler="0 {-math.pi / 2!r} 0" contype="0" conaffinity="1" condim="1" '
            f'solref="{-stiffness!r} 0" solimp="0.9999 0.9999 0.001 0.5 1"/>'
            f'<body euler="0 {-upper!r} 0"><joint type="hinge" axis="0 1 0"/>{ball}'
            f'<body pos="0 0 -1" euler="0 {-(lower - upper)!r} 0"><joint type="hinge" axis="0 1 0"/>{ball}</body></body></worldbody></mujoco>\n')


def wall(bench, rival, rows):
    """The double pendulum beside a wall without loss: largest error of the energy between the impacts in 10 s, over the energy it has above hanging."""
    scale = GRAVITY * (2 + 1) + GRAVITY * (-2 * math.cos(math.pi / 2) - math.cos(2 * math.pi / 3))
    model = os.path.join(HERE, "..", "examples", "double-pendulum-wall.yaml")
    print(f"\n{'double pendulum and a wall, e = 1':44}{'ms':>9}{'energy':>10}{'impacts':>9}")
    got, why = call([os.path.join(bench, "bench_links"), model, REPEATS, 60])
    if got:
        print(f"{'zwang, default settings':44}{got[1]:9.2f}{got[2] / scale:10.1e}{int(got[3]):9d}")
        rows.append(f"wall zwang,{got[1]:.4g},{got[2] / scale:.3g},{int(got[3])}")
    else:
        print(f"zwang: {why}")
    for step in (1e-3, 1e-4, 1e-5) if rival else ():
        best = None
        for share in (0.001, 0.01, 0.03, 0.1, 0.3) if step > 5e-5 else (0.001, 0.01):  # stiffness, kg/step^2: few steps in a contact, or many
            path = os.path.join(bench, "wall.xml")
            stiffness = share / step ** 2
            with open(path, "w", encoding="utf-8") as f:
                f.write(wall_mjcf(stiffness))
            for kind in ("Euler", "implicitfast", "RK4") if step > 5e-5 else ("RK4",):
                got, why = call([rival, path, UNTIL, step, kind, 1, 60])
                if got and got[3] > 0 and (best is None or got[2] < best[0][2]):
                    best = (got, stiffness, kind)
        if best:
            label = f"MuJoCo {best[2]}, step {step:.0e}, stiffness {best[1]:.1e}"
            print(f"{label:44}{best[0][1]:9.2f}{best[0][2] / scale:10.1e}{int(best[0][3]):9d}", flush=True)
            rows.append(f"wall {label.replace(',', '')},{best[0][1]:.4g},{best[0][2] / scale:.3g},{int(best[0][3])}")


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    if len(words) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    bench, python = words[:2]
    rows = [machine(), "case,zwang_ms,mujoco_ms,ratio,settings"]
    print(rows[0])
    rival, version = build_rival(python, bench)
    print(f"# MuJoCo {version}" if rival else "# MuJoCo is not here: zwang alone")
    if "--chains" not in sys.argv:
        wall(bench, rival, rows)
    chains(bench, rival, rows, "--quick" in sys.argv)
    if len(words) > 2:
        with open(words[2], "w", encoding="utf-8") as f:
            f.write("\n".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
