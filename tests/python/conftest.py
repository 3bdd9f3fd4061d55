# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: the program to compare with, and small models."""
import os
import pathlib
import signal
import subprocess

import pytest

# a shell that started the tests in the background left Ctrl-C ignored, and Python inherits that
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ZWANG", str(ROOT / "build" / "release" / "zwang"))

BEAM = """\
zwang: 1
title: Bent <beam>
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
  energy: {energy: total}
"""

CLAMPED = {
    "zwang": 1,
    "title": "Two rods, one clamped",
    "gravity": [0, 0, -9.81],
    "parameters": {"L": 1},
    "bodies": {
        name: {"rod": {"length": "L", "elements": n, "along": [1, 0, 0], "up": [0, 0, 1], "at": [0, y, 0], "section": {"round": 0.02},
                       "material": {"density": 1000, "young": 1e7, "poisson": 0.35}}}
        for name, n, y in [("first", 7, 0), ("second", 5, 1)]
    },
    "constraints": {"root": {"clamp": "first", "s": 0}},
    "run": {"until": 0.05},
    "record": {"frames": 9},
    "probes": {"tip": {"position": "first", "s": "L"}, "hold": {"reaction": "root"}, "twice": {"expression": "tip * 2"}},
}


@pytest.fixture
def beam():
    import zwang

    return zwang.Model(BEAM)


@pytest.fixture
def clamped():
    import zwang

    return zwang.Model(CLAMPED)


@pytest.fixture
def program():
    """Run the program; fails when it fails."""
    if not os.access(PROGRAM, os.X_OK):
        pytest.fail(f"{PROGRAM} is not there; build it (make build), or name it in ZWANG")

    def call(*words, code=0):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return call


@pytest.fixture
def long_run():
    """A model that takes minutes unless it is stopped."""
    import zwang

    return zwang.Model(BEAM, set={"run.until": 1000, "record.frames": 1000})
