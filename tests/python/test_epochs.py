# SPDX-License-Identifier: Apache-2.0
"""Results of a run whose links were split: read from a journal that is written here after docs/results.md, and of a rod that grows."""
import struct

import numpy as np
import pytest
import zwang

LABELS = [[0.0, 1.0, 2.0], [0.0, 0.5, 1.0, 2.0], [0.0, 0.5, 1.0, 1.5, 2.0]]
FRAMES = [5, 7, 4]
MODEL = "zwang: 1\ntitle: Split\n"
VINE = """\
zwang: 1
title: Vine
gravity: [0, 0, -1]
bodies:
  vine:
    rod: {length: 1, elements: 4, section: {round: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.35}, growth: {rate: 2*(1 + s), split: 0.3}}
constraints:
  root: {clamp: vine, s: 0}
run: {until: 0.5, step: 1e-4}
record: {frames: 15}
probes:
  tip: {position: vine, s: 1}
"""


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class Journal:
    def __init__(self):
        head = b"zwjourn\n" + struct.pack("=IIQ32sI", 1, 0x01020304, 0x1234, zwang.__version__.encode(), 0)
        self.bytes = head + struct.pack("=I", crc32c(head))
        self.record(1, struct.pack("=QQQ", 42, 5, len(MODEL)) + b"Split" + MODEL.encode())

    def record(self, kind, payload):
        padded = payload + bytes(-len(payload) % 8)
        crc = crc32c(struct.pack("=QQQ", len(self.bytes), kind, len(payload)) + padded)
        self.bytes += struct.pack("=IIQ", kind, crc, len(payload)) + padded

    def epoch(self, channels, constants):
        entries, widths = b"", []
        for table in (channels, constants):
            at = 0
            for name, unit, shape in table:
                count = int(np.prod(shape))
                entries += struct.pack("=96s16s4iQQ", name.encode(), unit.encode(), len(shape), *shape, *[0] * (3 - len(shape)), at, count)
                at += count
            widths.append(at)
        values = b"".join(np.asarray(v, "=f8").tobytes() for v in self.constants)
        self.record(2, struct.pack("=5Q", len(channels), len(constants), *widths, 0) + entries + values)

    def frame(self, numbers):
        self.record(3, np.asarray(numbers, "=f8").tobytes())


def position(labels, t):
    return np.array([[s, s * t, 0.5] for s in labels])


@pytest.fixture(params=["whole", "cut"])
def split(tmp_path, request):
    """A directory with the journal of three epochs; cut: inside the last frame."""
    j, n = Journal(), 0
    for labels, frames in zip(LABELS, FRAMES):
        nodes = len(labels)
        j.constants = [labels, [2.5]]
        j.epoch([("time", "s", ()), ("rod/beam/position", "m", (nodes, 3)), ("rod/beam/strain", "1", (nodes - 1, 3)), ("energy/total", "J", ()),
                 ("probe/tip", "m", (3,))], [("rod/beam/label", "m", (nodes,)), ("rigid/ball/mass", "kg", ())])
        for _ in range(frames):
            t, p = 0.125 * n, position(labels, 0.125 * n)
            j.frame([t, *p.ravel(), *np.full(3 * nodes - 3, n), 100 + n, *p[-1]])
            n += 1
    (tmp_path / "journal.zwj").write_bytes(j.bytes if request.param == "whole" else j.bytes[:-11])
    return tmp_path, n - (request.param == "cut")


def test_what_keeps_its_size_is_one_array(split):
    r, n = zwang.open(split[0]), split[1]
    assert np.array_equal(r.time, 0.125 * np.arange(n)) and np.array_equal(r["energy/total"], 100 + np.arange(n))
    assert r["probe/tip"].shape == (n, 3) and np.array_equal(r["probe/tip"][:, 1], 2 * r.time)
    assert r["time"] is r.time and not r.time.flags.writeable
    assert repr(r).startswith(f"<zwang.Results {n} frames, 5 channels")
    assert r.channels["rod/beam/position"].shape == (5, 3) and r.constants["rigid/ball/mass"] == 2.5
    assert list(r.constants["rod/beam/label"]) == LABELS[-1]
    assert "Split" in r.model_text and r.summary == {}
    assert "<table>" in r._repr_html_()


def test_what_does_not_is_ragged(split):
    r, n = zwang.open(split[0]), split[1]
    x = r["rod/beam/position"]
    assert isinstance(x, zwang.Ragged) and len(x) == n and x is r["rod/beam/position"]
    assert [e.shape for e in x.epochs] == [(5, 3, 3), (7, 4, 3), (n - 12, 5, 3)]
    for i, frame in enumerate(x):
        epoch = r.epoch(i)
        assert epoch is r.epochs[0 if i < 5 else 1 if i < 12 else 2]
        assert np.array_equal(frame, position(epoch.constants["rod/beam/label"], 0.125 * i)) and np.array_equal(frame, x[i])
    assert np.array_equal(x[-1], x[n - 1]) and len(x[4:6]) == 2 and x[4:6][1].shape == (4, 3)
    with pytest.raises(IndexError, match=f"there is no frame {n}; there are {n}"):
        x[n]
    with pytest.raises(IndexError):
        x[-n - 1]
    with pytest.raises(ValueError, match="its size changes in the course of the run"):
        np.asarray(x)
    assert "(7, 4, 3)" in repr(x)


def test_epochs_are_results_of_their_own(split):
    r, n = zwang.open(split[0]), split[1]
    assert [(e.number, e.first, e.frames) for e in r.epochs] == [(0, 0, 5), (1, 5, 7), (2, 12, n - 12)]
    for e, labels in zip(r.epochs, LABELS):
        assert list(e.constants["rod/beam/label"]) == labels and e.channels["rod/beam/strain"].shape == (len(labels) - 1, 3)
        assert np.array_equal(e.time, r.time[e.first:e.first + e.frames]) and e["rod/beam/strain"][0, 0, 0] == e.first
        assert "time" in e and list(e) == list(r) and len(e) == 5 and "frames from" in repr(e)
        with pytest.raises(KeyError, match="there is no channel 'none'"):
            e["none"]
    assert r.epoch(-1) is r.epochs[2]
    with pytest.raises(IndexError):
        r.epoch(n)


def test_a_run_without_splits_has_one_epoch(beam, tmp_path):
    for r in (zwang.run(beam), zwang.run(beam, tmp_path / "out")):
        assert len(r.epochs) == 1 and r.epochs[0].channels == r.channels and r.epoch(3) is r.epochs[0]
        assert np.array_equal(r.epochs[0]["rod/beam/position"], r["rod/beam/position"])


def test_exports_hold_all_epochs(split, program):
    directory, n = split
    program("export", directory, "--as", "numpy", "-o", directory / "x.npz")
    z = np.load(directory / "x.npz")
    assert np.array_equal(z["time"], 0.125 * np.arange(n)) and z["probe/tip"].shape == (n, 3)
    assert z["epoch1/rod/beam/position"].shape == (7, 4, 3) and np.array_equal(z["epoch1/time"], z["time"][5:12])
    assert z["constant/rigid/ball/mass"] == 2.5 and list(z["epoch1/constant/rod/beam/label"]) == LABELS[1]
    assert "epoch1/energy/total" not in z and "rod/beam/position" not in z
    program("export", directory, "--as", "csv", "-o", directory / "csv")
    table = np.genfromtxt(directory / "csv" / "rod-beam.csv", delimiter=",", skip_header=1)
    assert len(table) == 5 * 3 + 7 * 4 + (n - 12) * 5
    assert np.array_equal(table[:, 2], table[:, 3]), "x is the label"
    program("report", directory)
    (directory / "page.html").write_text("<!--zwang:title--><!--zwang:data-->")
    program("view", directory, "--page", directory / "page.html")
    assert f'"frames":{{"total":{n},"kept":{n},"epochs":3' in (directory / "view.html").read_text()
    program("pack", directory)
    assert np.array_equal(zwang.open(directory)["rod/beam/position"][6], position(LABELS[1], 0.75))


def test_a_growing_rod_has_the_same_bits_in_memory_and_on_disk(tmp_path):
    model = zwang.Model(VINE)
    memory, disk = zwang.run(model), zwang.run(model, tmp_path / "out", report=False)
    assert len(memory.epochs) == len(disk.epochs) > 3 and memory.channels == disk.channels and list(memory) == list(disk)
    assert memory.time.shape == (15,) and np.array_equal(memory["probe/tip"], [x[-1] for x in memory["rod/vine/position"]])
    for a, b in zip(memory.epochs, disk.epochs):
        assert (a.first, a.frames) == (b.first, b.frames) and a.frames > 0 and a.channels == b.channels
        assert all(np.array_equal(a.constants[k], b.constants[k]) for k in a.constants)
        assert all(a[name].tobytes() == b[name].tobytes() for name in a)
    for name in memory:
        one, two = memory[name], disk[name]
        assert type(one) is type(two)
        assert all(np.array_equal(x, y, equal_nan=True) for x, y in zip(one, two)) and len(one) == len(two) == 15
    tip, kept = memory["rod/vine/position"][-1], memory["rod/vine/position"][-1].copy()
    del memory, one, a
    assert np.array_equal(tip, kept), "an array outlives its results"


def test_views_of_the_state_keep_links_from_being_split():
    s = zwang.Model(VINE).start()
    x = s.rods["vine"].position
    with pytest.raises(zwang.Error, match="links are to be split"):
        s.run()
    assert len(x) == 5
    del x
