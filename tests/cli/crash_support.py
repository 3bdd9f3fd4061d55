# SPDX-License-Identifier: Apache-2.0
"""Runs the program into a directory, kills it, and compares what is left with an uninterrupted run, bit for bit.

Used by test_crash.py (20 kills) and soak_crash.py (200). The environment variable ZWANG names the program.
"""
import contextlib
import csv
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import h5py
except ImportError:  # the comparison then uses the exported tables, whose numbers also read back exactly
    h5py = None

PROGRAM = os.environ.get("ZWANG", "zwang")

MODEL = """zwang: 1
title: A clamped rod swings under its weight
gravity: [0, 0, -9.81]
bodies:
  beam:
    rod:
      length: 1
      elements: 20
      along: [1, 0, 0]
      up: [0, 0, 1]
      section: {round: 0.01}
      material: {density: 1000, young: 1e6, poisson: 0.5}
constraints:
  root: {clamp: beam, s: 0}
run: {until: 0.05, step: 2e-5}
record: {interval: 0.001}
probes:
  tip: {position: beam, s: end}
"""


def execute(command, stdout=subprocess.PIPE, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=300, check=False, **options)


class Lab:
    """A model that runs for about `seconds`, its uninterrupted run, and a place for experiments."""

    def __init__(self, seconds):
        self.home = tempfile.mkdtemp(prefix="zwang-crash-")
        self.model = os.path.join(self.home, "swing.yaml")
        with open(self.model, "w", encoding="utf-8") as f:
            f.write(MODEL)
        trial = self.path("trial")
        done = self.run(trial)
        if done.returncode != 0:
            raise RuntimeError("the trial run failed: " + done.stderr)
        wall = max(json.loads(done.stdout)["wall_s"], 1e-3)
        until = 0.05 * seconds / wall
        # about 200 frames a second, so that a quarter second of buffering is visible
        self.sets = ["--set", "run.until=%r" % round(until, 4), "--set", "record.interval=%r" % round(until / (200 * seconds), 6)]
        shutil.rmtree(trial)
        self.reference = self.path("reference")
        begin = time.monotonic()
        done = self.run(self.reference)
        if done.returncode != 0:
            raise RuntimeError("the reference run failed: " + done.stderr)
        self.seconds = time.monotonic() - begin
        self.summary = summary_without_time(done.stdout)
        self.size = os.path.getsize(os.path.join(self.reference, "results.h5"))

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.home, name)

    def command(self, directory, *more):
        return [PROGRAM, "run", self.model, "-o", directory, "--json", "--no-report", *getattr(self, "sets", []), *more]

    def run(self, directory, *more, **options):
        return execute(self.command(directory, *more), **options)

    def start(self, directory, *more, out=subprocess.DEVNULL):
        return subprocess.Popen(self.command(directory, *more), stdin=subprocess.DEVNULL, stdout=out, stderr=out, text=True)

    def run_and_kill(self, directory, delay, *more):
        """True when the program was still running; the journal must then have been fed within the last second."""
        process = self.start(directory, *more)
        time.sleep(delay)
        killed_at = time.time()
        process.send_signal(signal.SIGKILL)
        killed = process.wait() == -signal.SIGKILL
        journal = os.path.join(directory, "journal.zwj")
        # once the last frame is written the journal rests while results.h5 is made of it
        finishing = any(name.startswith("results.h5") for name in os.listdir(directory)) if os.path.isdir(directory) else False
        if killed and os.path.exists(journal) and not finishing:
            age = killed_at - os.path.getmtime(journal)
            if age > 1.0:
                raise AssertionError("killed %.3f s after the last bytes of the journal" % age)
        return killed

    def export(self, directory, name="tables"):
        out = self.path(name)
        shutil.rmtree(out, ignore_errors=True)
        return execute([PROGRAM, "export", directory, "--as", "csv", "-o", out]), out


def summary_without_time(text):
    value = json.loads(text)
    value.pop("wall_s", None)
    return value


def tables(directory):
    """{file name: rows as text}"""
    found = {}
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), newline="", encoding="utf-8") as f:
            found[name] = list(csv.reader(f))
    return found


def datasets(directory):
    """{path: (shape, bytes)} of results.h5"""
    found = {}
    with h5py.File(os.path.join(directory, "results.h5"), "r") as f:
        def visit(name, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
                found[name] = (item.shape, item[()].tobytes())
        f.visititems(visit)
    return found


def check_prefix_tables(part, whole):
    """Every row of part is the row of whole; returns the frames in part."""
    frames = 0
    for name, rows in tables(part).items():
        reference = tables(whole)[name]
        if rows != reference[:len(rows)]:
            raise AssertionError(name + " differs from the uninterrupted run")
        if name == "energy.csv" or name == "probes.csv":
            frames = len(rows) - 1
    return frames


def check_prefix_datasets(part, whole):
    a, b = datasets(part), datasets(whole)
    if a.keys() != b.keys():
        raise AssertionError("other datasets than the uninterrupted run")
    for name, (shape, data) in a.items():
        if shape[1:] != b[name][0][1:] or data != b[name][1][:len(data)]:
            raise AssertionError(name + " differs from the uninterrupted run")


def check_equal(lab, directory, done):
    """The directory holds what the uninterrupted run gave, bit for bit, and nothing of the journal is left."""
    if done.returncode != 0:
        raise AssertionError("resume failed with %d: %s" % (done.returncode, done.stderr))
    if summary_without_time(done.stdout) != lab.summary:
        raise AssertionError("the summary differs from the uninterrupted run")
    if h5py:
        if datasets(directory) != datasets(lab.reference):
            raise AssertionError("the datasets differ from the uninterrupted run")
    else:
        _, a = lab.export(directory, "resumed")
        _, b = lab.export(lab.reference, "uninterrupted")
        if tables(a) != tables(b):
            raise AssertionError("the tables differ from the uninterrupted run")
    left = set(os.listdir(directory)) - {"results.h5", "summary.json", "model.yaml"}
    if left:
        raise AssertionError("left behind: " + ", ".join(sorted(left)))


def kill_and_resume(lab, kills, seed):
    """Kills at random moments; every time the results open and are right, and in the end they are complete. Returns counts."""
    chance = random.Random(seed)
    counts = {"kills": 0, "before the journal": 0, "too late": 0, "opened": 0, "resumed": 0, "frames": 0}
    _, reference = lab.export(lab.reference, "reference-tables")
    directory = lab.path("killed")
    while counts["kills"] < kills:
        shutil.rmtree(directory, ignore_errors=True)
        more = []
        while True:
            killed = lab.run_and_kill(directory, chance.uniform(0.0, 1.02 * lab.seconds), *more)
            counts["kills" if killed else "too late"] += 1
            if not killed:  # the machine was busier when the reference was made
                lab.seconds *= 0.9
            more = ["--resume"]
            done, out = lab.export(directory)
            if done.returncode == 66 and not os.path.exists(os.path.join(directory, "journal.zwj")):
                counts["before the journal"] += 1
            elif done.returncode != 0:
                raise AssertionError("export after a kill failed with %d: %s" % (done.returncode, done.stderr))
            else:
                counts["opened"] += 1
                counts["frames"] += check_prefix_tables(out, reference)
                if h5py and tables(out):
                    check_prefix_datasets(directory, lab.reference)
            if counts["kills"] >= kills or chance.random() < 0.6:
                break
        check_equal(lab, directory, lab.run(directory, "--resume"))
        counts["resumed"] += 1
    return counts


@contextlib.contextmanager
def small_disk(kib):
    """A file system of that size, or None where this user may not mount one. (path, resize)"""
    place = tempfile.mkdtemp(prefix="zwang-disk-")

    def mount(*options):
        return subprocess.run(["mount", *options, place], capture_output=True, check=False).returncode == 0

    try:
        if os.geteuid() != 0 or not mount("-t", "tmpfs", "-o", "size=%dk" % kib, "tmpfs"):
            yield None, None
            return
        try:
            yield place, lambda option: mount("-o", "remount," + option)
        finally:
            subprocess.run(["umount", "-l", place], check=False)
    finally:
        os.rmdir(place)


def limit_file_size(size):
    """For preexec_fn: files end at that size with an error instead of a signal."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return limit


def report(counts):
    print(", ".join("%s: %d" % item for item in counts.items()), file=sys.stderr)
