# SPDX-License-Identifier: Apache-2.0
"""A rod that grows and whose links are split: its epochs in results.h5 and in every export, and killed and resumed runs that end with the same bits."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ZWANG, ProgramTest  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    if os.environ.get("CI"):
        raise
    h5py = None

VINE = """\
zwang: 1
title: Vine
gravity: [0, 0, -1]
bodies:
  vine:
    rod:
      length: 1
      elements: 4
      section: {round: 0.05}
      material: {density: 1000, young: 1e6, poisson: 0.35}
      growth: {rate: 2*(1 + s), split: 0.3}
  twig:
    rod: {length: 1, elements: 3, at: [0, 1, 0], section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.35}}
constraints:
  root: {clamp: vine, s: 0}
run: {until: 0.6, step: 1e-4}
record: {frames: 20}
probes:
  tip: {position: vine, s: 1}
"""


def numbers(path):
    """{name: array} of results.h5, links followed."""
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" else None)
    return found


@unittest.skipIf(h5py is None, "h5py and NumPy are not installed")
class Epochs(ProgramTest):
    def call(self, *words):
        done = subprocess.run([ZWANG, *map(str, words)], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def vine(self, out, *more):
        model = self.dir / "vine.yaml"
        model.write_text(VINE, encoding="utf-8")
        self.call("run", model, "-o", self.dir / out, *more)
        return numbers(self.dir / out / "results.h5")

    def test_files_and_exports_hold_every_epoch(self):
        found, here = self.vine("out"), self.dir / "out"
        with h5py.File(here / "results.h5") as f:
            epochs = int(f.attrs["epochs"])
            self.assertNotIn("rod/vine/position", f)
        self.assertGreater(epochs, 3)
        nodes = [found[f"epoch{n}/rod/vine/position"].shape[1] for n in range(epochs)]
        frames = [len(found[f"epoch{n}/time"]) for n in range(epochs)]
        self.assertEqual(nodes, sorted(set(nodes)))  # only finer, and a new epoch only when it is
        self.assertTrue(all(frames), "an epoch without a frame")
        self.assertEqual(sum(frames), 20)
        for name in ("time", "energy/total", "probe/tip", "rod/twig/position"):
            self.assertEqual(found[name].tobytes(), b"".join(found[f"epoch{n}/{name}"].tobytes() for n in range(epochs)), name)
        for n in range(epochs):
            label, x = found[f"epoch{n}/constant/rod/vine/label"], found[f"epoch{n}/rod/vine/position"]
            self.assertEqual(label.shape, (nodes[n],))
            self.assertTrue((numpy.diff(label) > 0).all() and label[0] == 0 and label[-1] == 1)
            self.assertEqual(found[f"epoch{n}/rod/vine/strain"].shape[1], nodes[n] - 1)
            self.assertEqual(x[:, -1].tobytes(), found[f"epoch{n}/probe/tip"].tobytes())

        self.call("export", here, "--as", "csv", "-o", self.dir / "csv")
        self.assertEqual((self.dir / "csv" / "probes.csv").read_text().count("\n"), 21)
        self.assertEqual((self.dir / "csv" / "rod-vine.csv").read_text().count("\n"), 1 + sum(n * k for n, k in zip(nodes, frames)))
        self.call("export", here, "--as", "vtk", "-o", self.dir / "vtk")
        text = (self.dir / "vtk" / "rods_000019.vtp").read_bytes()
        self.assertIn(b'NumberOfPoints="%d"' % (nodes[-1] + 4), text)
        self.call("export", here, "--as", "numpy", "-o", self.dir / "x.npz")
        z = numpy.load(self.dir / "x.npz")
        self.assertEqual(z["probe/tip"].tobytes(), found["probe/tip"].tobytes())
        last = f"epoch{epochs - 1}/rod/vine/position"
        self.assertEqual(z[last].tobytes(), found[last].tobytes())

        (self.dir / "page.html").write_text("<!--zwang:title--><!--zwang:data-->")
        self.call("view", here, "--page", self.dir / "page.html")
        page = (here / "view.html").read_text()
        begin = page.index('"frames":{') + 9
        head = json.loads(page[begin:page.index("}", begin) + 1])
        self.assertEqual((head["total"], head["kept"], head["epochs"]), (20, 20, epochs))
        self.assertIn(f'"rod/vine/position","unit":"m","shape":[{nodes[-1]},3]', page)
        self.assertIn(f"4 elements at the start, {nodes[-1] - 1} at the end", (here / "report.html").read_text())

        self.call("pack", here)
        packed = numbers(here / "results.h5")
        self.assertEqual({k: v.tobytes() for k, v in packed.items()}, {k: v.tobytes() for k, v in found.items()})

    def test_killed_runs_recover_and_resume_to_the_same_bits(self):
        begin = time.monotonic()
        whole = self.vine("whole", "--no-report", "--set", "run.step=1e-5")
        pause = max(0.6, 0.3 * (time.monotonic() - begin))  # the first checkpoint comes after half a second
        model, out, kills = self.dir / "vine.yaml", self.dir / "killed", 0
        begin = time.monotonic()
        for attempt in range(40):
            words = [ZWANG, "run", model, "-o", out, "--no-report", "--set", "run.step=1e-5", *(["--resume"] if attempt else [])]
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(pause + 0.05 * attempt)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            if process.wait() == 0:
                break
            kills += 1
            if (out / "journal.zwj").exists() and kills % 2 == 1:  # what there is is the beginning of the whole
                self.call("export", out, "--as", "numpy", "-o", self.dir / "part.npz", "--force")
                part = numpy.load(self.dir / "part.npz")
                n = len(part["time"])
                self.assertEqual(part["time"].tobytes(), whole["time"][:n].tobytes())
                self.assertEqual(part["probe/tip"].tobytes(), whole["probe/tip"][:n].tobytes())
            if time.monotonic() - begin > 60:
                self.call("run", model, "-o", out, "--no-report", "--set", "run.step=1e-5", "--resume")
                break
        self.assertGreater(kills, 0)
        found = numbers(out / "results.h5")
        self.assertEqual(found.keys(), whole.keys())
        for name in whole:
            self.assertEqual(found[name].tobytes(), whole[name].tobytes(), name)


if __name__ == "__main__":
    unittest.main()
