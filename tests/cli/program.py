# SPDX-License-Identifier: Apache-2.0
"""What the tests of the program share: where it is, how it is run, and small models."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("ZW_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
ZWANG = os.environ.get("ZWANG", str(SOURCE / "build" / "release" / "zwang"))

BEAM = """\
zwang: 1
title: Bent beam
parameters: {L: 2, a: 0.1}
bodies:
  beam:
    rod:
      length: L
      elements: 10
      section: {square: a}
      material: {density: 1000, young: 1e7, poisson: 0.35}
      shape: {curvature: [0, -1, 0]}
run: {until: 0.1, step: 1e-4}
record: {frames: 20}
probes:
  tip: {position: beam, s: L}
"""

CANTILEVER = """\
zwang: 1
title: Cantilever under its weight
gravity: [0, 0, -9.81]
bodies:
  beam:
    rod:
      length: 1
      elements: 10
      along: [1, 0, 0]
      up: [0, 0, 1]
      section: {round: 0.02}
      material: {density: 1000, young: 1e7, poisson: 0.35}
constraints:
  root: {clamp: beam, s: 0}
run: {until: 0.2}
record: {frames: 40}
probes:
  tip: {position: beam, s: 1}
  hold: {reaction: root}
"""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="zwang-test-")
        self.addCleanup(self.folder.cleanup)
        self.dir = pathlib.Path(self.folder.name)

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text, encoding="utf-8")
        return path

    def environment(self, **changes):
        env = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS"}}
        env.update({"TERM": "xterm", "LC_ALL": "C.UTF-8"})
        env.update(changes)
        return env

    def zwang(self, *words, input=None, env=None, timeout=100):
        return subprocess.run([ZWANG, *map(str, words)], cwd=self.dir, input=input, capture_output=True, text=True, timeout=timeout,
                              encoding="utf-8", env=env or self.environment(), stdin=subprocess.DEVNULL if input is None else None)

    def succeed(self, *words, **more):
        done = self.zwang(*words, **more)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done
