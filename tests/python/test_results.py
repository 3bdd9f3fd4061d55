# SPDX-License-Identifier: Apache-2.0
"""Whole runs: the same bits as the program's, in memory and in a directory; interruption and resumption."""
import _thread
import gc
import json
import threading

import numpy as np
import pytest
import zwang
from conftest import BEAM, CLAMPED


def same(a, b):
    assert list(a) == list(b) and a.channels == b.channels
    for name in a:
        assert a[name].shape == b[name].shape and a[name].tobytes() == b[name].tobytes(), name
    assert a.constants.keys() == b.constants.keys() and all(np.array_equal(a.constants[k], b.constants[k]) for k in a.constants)
    left, right = a.summary, b.summary
    left.pop("wall_s"), right.pop("wall_s")
    left["model"].pop("file"), right["model"].pop("file")
    assert left == right
    assert a.model_text == b.model_text


@pytest.mark.parametrize("model", [BEAM, CLAMPED], ids=["beam", "clamped"])
def test_results_have_the_bits_of_the_program(tmp_path, program, model):
    path = tmp_path / "model.yaml"
    path.write_text(model if isinstance(model, str) else json.dumps(model))
    program("run", path, "-o", tmp_path / "program")
    theirs = zwang.open(tmp_path / "program")
    same(theirs, zwang.run(zwang.load(path)))
    same(theirs, zwang.run(path, tmp_path / "python"))
    same(theirs, zwang.open(tmp_path / "python"))
    s = zwang.load(path).start()
    s.run()
    body = next(iter(s.rods))
    assert np.array_equal(s.rods[body].position, theirs[f"rod/{body}/position"][-1])


def test_a_directory_holds_what_the_program_writes(tmp_path, beam, program):
    zwang.run(beam, tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} >= {"results.h5", "summary.json", "report.html", "model.yaml"}
    program("export", tmp_path / "out", "--as", "csv", "-o", tmp_path / "csv")
    zwang.run(beam, tmp_path / "bare", report=False)
    assert not (tmp_path / "bare" / "report.html").exists()


def test_arrays_are_time_node_component(beam):
    r = zwang.run(beam)
    assert r.time.shape == (20,) and r.time[0] == 0 and r.time[-1] == 0.1
    assert r["rod/beam/position"].shape == (20, 11, 3) and r["rod/beam/curvature"].shape == (20, 10, 3)
    assert r["probe/tip"].shape == (20, 3) and r["energy/total"].shape == (20,)
    assert r.channels["rod/beam/velocity"] == zwang.Channel("rod/beam/velocity", "m/s", (11, 3))
    assert r.constants["rod/beam/label"].shape == (11,)
    assert "time" in r and "none" not in r and len(r) == len(list(r))
    with pytest.raises(KeyError, match="there is no channel 'none'"):
        r["none"]


def test_arrays_in_memory_share_one_recording(beam):
    r = zwang.run(beam)
    x = r["rod/beam/position"]
    assert r["rod/beam/position"] is x and not x.flags.writeable
    tip, kept = x[:, -1], x[:, -1].copy()
    assert np.shares_memory(tip, x)
    assert np.array_equal(r["probe/tip"], kept)
    del r, x
    gc.collect()
    [zwang.run(beam) for _ in range(3)]
    assert np.array_equal(tip, kept), "an array outlives its results"


def test_arrays_of_a_directory_outlive_it(tmp_path, beam):
    r = zwang.run(beam, tmp_path / "out")
    x = r["rod/beam/position"]
    kept = x.copy()
    for p in (tmp_path / "out").iterdir():
        p.unlink()
    del r
    gc.collect()
    assert np.array_equal(x, kept)


def test_results_are_not_replaced_unasked(tmp_path, beam):
    zwang.run(beam, tmp_path / "out")
    with pytest.raises(FileExistsError) as caught:
        zwang.run(beam, tmp_path / "out")
    assert isinstance(caught.value, zwang.ExistsError) and "--force" in str(caught.value)
    zwang.run(beam, tmp_path / "out", force=True)
    with pytest.raises(ValueError):
        zwang.run(beam, tmp_path / "out", force=True, resume=True)
    with pytest.raises(ValueError):
        zwang.run(beam, force=True)
    with pytest.raises(zwang.MismatchError):
        zwang.run(zwang.Model(BEAM, set={"L": 3}), tmp_path / "out", resume=True)


def test_what_holds_no_results_cannot_be_opened(tmp_path):
    with pytest.raises(FileNotFoundError):
        zwang.open(tmp_path)
    with pytest.raises(zwang.NotFoundError):
        zwang.open(tmp_path / "none")
    (tmp_path / "results.h5").write_bytes(b"no HDF5 at all")
    with pytest.raises(zwang.InputError):
        zwang.open(tmp_path)


def test_ctrl_c_leaves_a_checkpoint_and_resuming_gives_the_same_bits(tmp_path):
    model = zwang.Model(BEAM, set={"run.until": 60, "record.frames": 50})  # more than a second
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        zwang.run(model, tmp_path / "out")
    assert any(p.name.startswith("checkpoint") for p in (tmp_path / "out").iterdir())
    part = zwang.open(tmp_path / "out")
    assert 0 < len(part.time) < 50
    whole = zwang.run(model, tmp_path / "out", resume=True)
    same(whole, zwang.run(model))
    assert np.array_equal(part["rod/beam/position"], whole["rod/beam/position"][:len(part.time)])


def test_ctrl_c_stops_a_run_in_memory(long_run):
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        zwang.run(long_run)


def test_progress_is_told_and_may_stop_the_run(tmp_path, beam, long_run, capsys):
    seen = []
    zwang.run(beam, progress=lambda *numbers: seen.append(numbers))
    assert seen[-1][:4] == (1000, 1000, 0.1, 0.1)
    zwang.run(beam, tmp_path / "out", progress=True)
    assert "100 %" in capsys.readouterr().err

    class Enough(Exception):
        pass

    def stop(step, steps, t, until, wall_s, eta_s):
        raise Enough

    for where in (None, tmp_path / "long"):
        with pytest.raises(Enough):
            zwang.run(long_run, where, progress=stop)
    assert len(zwang.open(tmp_path / "long").time) > 0


def test_a_run_that_diverges_leaves_its_results(tmp_path):
    model = zwang.Model(BEAM + "loads:\n  push: {on: beam, s: L, force: [\"1e6 * exp(2000 * t)\", 0, 0]}\n")
    with pytest.raises(zwang.DivergedError) as caught:
        zwang.run(model, tmp_path / "out")
    assert caught.value.results.summary["outcome"] == "diverged" and caught.value.results.directory == str(tmp_path / "out")


def test_notebooks_get_a_small_escaped_table(beam):
    text = zwang.run(beam)._repr_html_()
    assert text.startswith("<table>") and "Bent &lt;beam&gt;" in text and "<beam>" not in text and "rod/beam/position" in text


def test_readers_in_many_threads_get_the_same(tmp_path, beam):
    zwang.run(beam, tmp_path / "out")
    expected = zwang.open(tmp_path / "out")["rod/beam/position"]
    found = []

    def read():
        for _ in range(5):
            found.append(np.array_equal(zwang.open(tmp_path / "out")["rod/beam/position"], expected))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 20 and all(found)


def test_remarks_of_the_library_go_to_logging(caplog):
    twice = dict(CLAMPED, constraints={"root": {"clamp": "first", "s": 0}, "again": {"clamp": "first", "s": 0}})
    with caplog.at_level("WARNING", logger="zwang"):
        zwang.Model(twice).start()
    assert "redundant" in caplog.text
