#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Orders of the rod integrators, and error against processor time: what docs/theory/work-precision.md shows.

usage: work_precision.py BENCH_DIR OUT_DIR [--docs]

Writes OUT_DIR/work-precision.{csv,md,svg}. --docs also puts the tables into docs/theory/work-precision.md and the picture into docs/pictures.
Errors are rms distances of the nodes at t = 0.05 s. Times are processor times of the steps alone on one core, the median of ROUNDS rounds in which
all integrators take turns.
"""
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 7
LONG = 40000  # steps of a run that would go on: then the monitors look at every 100th step only
END = 0.05
REFERENCE = 3200  # elements, verlet
MESHES = (25, 50, 100, 200, 400)
SCHEMES = {  # name: keys of `run`
    "verlet": "integrator: verlet",
    "poisson": "integrator: poisson",
    "poisson, half ends": "integrator: poisson, poisson: {ends: half}",
    "poisson, half ends, new": "integrator: poisson, poisson: {ends: half, reconstruct: new}",
    "poisson, half ends, mean": "integrator: poisson, poisson: {ends: half, reconstruct: mean}",
    "poisson-consistent": "integrator: poisson-consistent",
    "hamel": "integrator: hamel",
}
DATA = {  # start of the beam: shape, velocity in directors
    "section 4": ("[0, -1, 0]", "[0, sin(pi*s/L), 1]"),
    "smooth": ("[0, -sin(pi*s/L)^2, 0]", "[0, sin(pi*s/L)^2, sin(pi*s/L)^2]"),
}
MODEL = """zwang: 1
parameters: {{L: 2*pi/3}}
bodies:
  beam:
    rod:
      length: L
      elements: {elements}
      section: {{square: 0.1}}
      material: {{density: 1000, young: 1e7, poisson: 0.35}}
      shape: {{curvature: {shape}}}
      velocity: {{director: {velocity}}}
run: {{until: {until!r}, step: {step!r}, threads: 1, {keys}}}
record: {{frames: 2}}
"""


class Bench:
    def __init__(self, directory, scratch):
        self.program = os.path.join(directory, "bench_model")
        self.scratch = scratch

    def run(self, scheme, data, elements, steps, repeats=1):
        """Positions of the nodes at the end, and ms."""
        path = os.path.join(self.scratch, "model.yaml")
        shape, velocity = DATA[data]
        with open(path, "w", encoding="utf-8") as f:
            f.write(MODEL.format(elements=elements, shape=shape, velocity=velocity, until=END / steps * max(LONG, steps), step=END / steps,
                                 keys=SCHEMES[scheme]))
        out = subprocess.run([self.program, path, "rod/beam/position", str(repeats), str(steps)], capture_output=True, text=True)
        if out.returncode != 0:
            raise SystemExit(f"{scheme}, {data}, {elements} elements, {steps} steps:\n{out.stderr}")
        head, *rows = out.stdout.splitlines()
        taken, ms = head.split(",")
        if int(taken) != steps:
            raise SystemExit(f"{scheme}: {taken} steps instead of {steps}")
        return [tuple(map(float, row.split(","))) for row in rows], float(ms)


def rms(a, b):
    """Distance at the nodes of the coarser mesh."""
    coarse, fine = (a, b) if len(a) <= len(b) else (b, a)
    every = (len(fine) - 1) // (len(coarse) - 1)
    return math.sqrt(sum(math.dist(p, fine[every * i]) ** 2 for i, p in enumerate(coarse)) / len(coarse))


def orders_of(errors):
    return [math.log2(a / b) for a, b in zip(errors, errors[1:])]


def measure_orders(bench, reference):
    """{scheme: {"dt": errors, "ds": errors, "both": errors}} on smooth data."""
    found = {}
    for scheme in SCHEMES:
        own, _ = bench.run(scheme, "smooth", 50, 40960)
        dt = [rms(bench.run(scheme, "smooth", 50, n)[0], own) for n in (160, 320, 640, 1280)]
        own, _ = bench.run(scheme, "smooth", 1600, 10240)
        ds = [rms(bench.run(scheme, "smooth", n, 10240)[0], own) for n in MESHES]
        both = [rms(bench.run(scheme, "smooth", n, 5 * n)[0], reference) for n in MESHES]
        found[scheme] = {"dt": dt, "ds": ds, "both": both}
    return found


def measure_work(bench, reference):
    """{(data, scheme): [(elements, error, ms)]}, dt = 1e-4 at 100 elements."""
    error, ms = {}, {}
    for data in DATA:
        for n in MESHES:
            repeats = max(1, 1200 // n)
            for _ in range(ROUNDS):
                for scheme in SCHEMES:
                    x, took = bench.run(scheme, data, n, 5 * n, repeats)
                    key = (data, scheme, n)
                    error[key] = rms(x, reference[data])
                    ms.setdefault(key, []).append(took)
    return {(d, s): [(n, error[d, s, n], statistics.median(ms[d, s, n])) for n in MESHES] for d in DATA for s in SCHEMES}


# ---- tables


def short(x, digits=2):
    return f"{x:.{digits - 1}e}".replace("e-0", "e-").replace("e+0", "e+")


def time_text(ms):
    return f"{ms:#.2g}" if ms < 9.95 else f"{ms:.0f}"


def table_orders(found):
    lines = ["| | dt alone | | ds alone | | dt and ds | |", "|---|---|---|---|---|---|---|", "| | errors | orders | errors | orders | errors | orders |"]
    for scheme, e in found.items():
        cells = []
        for kind in ("dt", "ds", "both"):
            cells += [", ".join(map(short, e[kind])), ", ".join(f"{p:.2f}" for p in orders_of(e[kind]))]
        lines.append(f"| {scheme} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_work(work, data):
    lines = ["| J, steps | " + " | ".join(SCHEMES) + " |", "|---" * (len(SCHEMES) + 1) + "|"]
    for i, n in enumerate(MESHES):
        lines.append(f"| {n}, {5 * n} | " + " | ".join(f"{time_text(work[data, s][i][2])} ms, {short(work[data, s][i][1])}" for s in SCHEMES) + " |")
    slopes = [math.log2(work[data, s][-2][1] / work[data, s][-1][1]) for s in SCHEMES]
    lines.append("| last order | " + " | ".join(f"{p:.2f}" for p in slopes) + " |")
    ratio = [work[data, s][2][2] / work[data, "verlet"][2][2] for s in SCHEMES]
    lines.append("| time at J = 100 / verlet's | " + " | ".join(f"{r:.2f}" for r in ratio) + " |")
    return "\n".join(lines)


def time_for(points, error):
    """Processor time for an error, by straight lines in logarithms; beyond the last mesh the last line goes on. (ms, whether it does)"""
    for (_, e0, t0), (_, e1, t1) in zip(points, points[1:]):
        if e1 <= error:
            break
    slope = math.log(t1 / t0) / math.log(e1 / e0)
    return t0 * (error / e0) ** slope, not min(e0, e1) <= error <= max(e0, e1)


def table_equal(work):
    lines = ["| error | " + " | ".join(SCHEMES) + " |", "|---" * (len(SCHEMES) + 1) + "|"]
    for data, goal in (("section 4", 8e-4), ("section 4", 1e-4), ("smooth", 1e-4), ("smooth", 1e-5)):
        cells = []
        for s in SCHEMES:
            ms, beyond = time_for(work[data, s], goal)
            last = work[data, s][-1][2]
            cells.append(f"over {time_text(4 * last)} ms" if beyond and ms > 4 * last else ("about " if beyond else "") + time_text(ms) + " ms")
        lines.append(f"| {data}, {short(goal, 1)} m | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# ---- picture


INK, FAINT, RULE = "#1d2329", "#5c6670", "#e3e7eb"
LOOK = {  # what is drawn: colour (Okabe and Ito), dashes, mark
    "verlet": ("#0072b2", "", "circle"),
    "poisson": ("#d55e00", "", "square"),
    "poisson, half ends, new": ("#009e73", "", "diamond"),
    "poisson, half ends, mean": ("#9b4f96", "", "up"),
    "poisson-consistent": ("#a67c00", "", "down"),
    "hamel": ("#1d2329", "5 4", "cross"),
}


def mark(kind, x, y, colour):
    r = 4.2
    shapes = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
        "up": [(0, -1.25), (1.2, 0.9), (-1.2, 0.9)],
        "down": [(0, 1.25), (1.2, -0.9), (-1.2, -0.9)],
    }
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{colour}"/>'
    if kind == "cross":
        return f'<path d="M{x - r:.1f} {y - r:.1f}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    points = " ".join(f"{x + 0.95 * r * a:.1f},{y + 0.95 * r * b:.1f}" for a, b in shapes[kind])
    return f'<polygon points="{points}" fill="{colour}"/>'


def power(exponent):
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def tick_time(exponent):
    return {-2: "0.01", -1: "0.1", 0: "1", 1: "10", 2: "100"}.get(exponent, power(exponent))


def picture(work):
    width, height, top, bottom, gap, left, right = 960, 500, 92, 54, 34, 62, 18
    panel = (width - left - right - gap) / 2
    points = [p for (_, name), rows in work.items() if name in LOOK for p in rows]
    x0, x1 = math.log10(min(p[2] for p in points)) - 0.12, math.log10(max(p[2] for p in points)) + 0.12
    y0, y1 = math.log10(min(p[1] for p in points)) - 0.12, math.log10(max(p[1] for p in points)) + 0.12
    low = height - bottom
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
           'aria-label="rms position error against processor time, one curve per integrator, for section-4 data and smooth data" '
           f'font-family="system-ui,-apple-system,\'Segoe UI\',Roboto,\'Helvetica Neue\',Arial,sans-serif" font-size="14" fill="{FAINT}">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>']

    def text(x, y, anchor, what, more=""):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{what}</text>')

    for k, name in enumerate(LOOK):  # legend: two rows of three
        x, y = left + (k % 3) * 290, 20 + 24 * (k // 3)
        colour, dashes, kind = LOOK[name]
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        out.append(f'<line x1="{x}" y1="{y}" x2="{x + 38}" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(mark(kind, x + 19, y, colour))
        text(x + 47, y + 5, "start", name, f' fill="{INK}"')
    for k, data in enumerate(DATA):
        a = left + k * (panel + gap)
        b = a + panel

        def at_x(v):
            return a + (math.log10(v) - x0) / (x1 - x0) * panel

        def at_y(v):
            return low - (math.log10(v) - y0) / (y1 - y0) * (low - top)

        text((a + b) / 2, top - 10, "middle", {"section 4": "section-4 data", "smooth": "smooth data"}[data], f' fill="{INK}" font-weight="600"')
        for e in range(math.ceil(y0), math.floor(y1) + 1):
            y = at_y(10.0**e)
            out.append(f'<line x1="{a:.1f}" y1="{y:.1f}" x2="{b:.1f}" y2="{y:.1f}" stroke="{RULE}"/>')
            if k == 0:
                text(a - 8, y + 5, "end", power(e))
        for e in range(math.ceil(x0), math.floor(x1) + 1):
            x = at_x(10.0**e)
            out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{low}" stroke="{RULE}"/>')
            text(x, low + 20, "middle", tick_time(e))
        for e in range(math.floor(x0), math.ceil(x1)):  # small ticks at 2..9
            for m in range(2, 10):
                if x0 <= math.log10(m * 10.0**e) <= x1:
                    x = at_x(m * 10.0**e)
                    out.append(f'<line x1="{x:.1f}" y1="{low}" x2="{x:.1f}" y2="{low - 4}" stroke="{FAINT}" stroke-width=".8"/>')
        for e in range(math.floor(y0), math.ceil(y1)):
            for m in range(2, 10):
                if y0 <= math.log10(m * 10.0**e) <= y1:
                    y = at_y(m * 10.0**e)
                    out.append(f'<line x1="{a:.1f}" y1="{y:.1f}" x2="{a + 4:.1f}" y2="{y:.1f}" stroke="{FAINT}" stroke-width=".8"/>')
        out.append(f'<rect x="{a:.1f}" y="{top}" width="{panel:.1f}" height="{low - top}" fill="none" stroke="{FAINT}" stroke-width="1.2"/>')
        text((a + b) / 2, low + 42, "middle", "processor time / ms")
        for name in LOOK:
            colour, dashes, kind = LOOK[name]
            dash = f' stroke-dasharray="{dashes}"' if dashes else ""
            line = "L".join(f"{at_x(ms):.1f} {at_y(error):.1f}" for _, error, ms in work[data, name])
            out.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dash}/>')
            out += [mark(kind, at_x(ms), at_y(error), colour) for _, error, ms in work[data, name]]
    text(18, (top + low) / 2, "middle", "rms error of the nodes / m", f' transform="rotate(-90 18 {(top + low) / 2:.1f})"')
    out.append("</svg>")
    return "\n".join(out) + "\n"


# ---- files


def machine():
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
            model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), "")
    except OSError:
        pass
    return model


def put_into_page(path, parts):
    """Replaces what stands between <!-- NAME --> and <!-- end --> for every part."""
    with open(path, encoding="utf-8") as f:
        page = f.read()
    for name, text in parts.items():
        page, count = re.subn(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", lambda m, t=text: m[1] + "\n" + t + "\n\n" + m[2], page, flags=re.S)
        if count != 1:
            raise SystemExit(f"{path}: {count} places for '{name}' instead of one")
    with open(path, "w", encoding="utf-8") as f:
        f.write(page)


def main():
    words = [w for w in sys.argv[1:] if w != "--docs"]
    if len(words) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    directory, target = words
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(directory, scratch)
        reference = {data: bench.run("verlet", data, REFERENCE, 5 * REFERENCE)[0] for data in DATA}
        found = measure_orders(bench, reference["smooth"])
        work = measure_work(bench, reference)
    parts = {"orders": table_orders(found), "section 4": table_work(work, "section 4"), "smooth": table_work(work, "smooth"), "equal error": table_equal(work)}
    svg = picture(work)
    with open(os.path.join(target, "work-precision.csv"), "w", encoding="utf-8") as f:
        f.write(f"# {machine()}; reference verlet at {REFERENCE} elements; rms position error at t = {END} s in m\ntable,data,scheme,elements,steps,error,ms\n")
        for (data, scheme), rows in work.items():
            f.writelines(f'work,{data},"{scheme}",{n},{5 * n},{error:.6e},{ms:.6g}\n' for n, error, ms in rows)
        for scheme, e in found.items():
            for kind, meshes in (("dt", [(50, 160 << i) for i in range(4)]), ("ds", [(n, 10240) for n in MESHES]), ("both", [(n, 5 * n) for n in MESHES])):
                f.writelines(f'order {kind},smooth,"{scheme}",{n},{steps},{error:.6e},\n' for (n, steps), error in zip(meshes, e[kind]))
    with open(os.path.join(target, "work-precision.md"), "w", encoding="utf-8") as f:
        f.write("\n\n".join(f"### {name}\n\n{text}" for name, text in parts.items()) + "\n")
    with open(os.path.join(target, "work-precision.svg"), "w", encoding="utf-8") as f:
        f.write(svg)
    for name, text in parts.items():
        print(f"\n{name}\n{text}")
    if "--docs" in sys.argv:
        docs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
        put_into_page(os.path.join(docs, "theory", "work-precision.md"), parts)
        with open(os.path.join(docs, "pictures", "work-precision.svg"), "w", encoding="utf-8") as f:
            f.write(svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
