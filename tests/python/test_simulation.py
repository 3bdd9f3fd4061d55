# SPDX-License-Identifier: Apache-2.0
"""Stepping, and looking at the state without copying it."""
import _thread
import gc
import os
import threading
import time
import weakref

import numpy as np
import pytest
import zwang
from conftest import BEAM


def test_steps_are_counted_and_end_with_the_run(beam):
    s = beam.start()
    assert (s.t, s.steps, s.done) == (0.0, 0, False)
    assert s.step() == 1 and s.step(5) == 5 and s.step(0) == 0
    assert s.steps == 6 and s.t == pytest.approx(6e-4, rel=1e-15)
    assert s.run(0.05) == 494 and s.t == pytest.approx(0.05, rel=1e-15)
    assert s.run(0.01) == 0, "the past"
    assert s.run() == 500 and s.done and s.t == 0.1
    assert s.step(3) == 0 and s.run() == 0


def test_arguments_are_checked(beam):
    s = beam.start()
    for call, error in [(lambda: s.step(-1), ValueError), (lambda: s.step(1.5), TypeError), (lambda: s.step(1, 2), TypeError),
                        (lambda: s.run(float("nan")), ValueError), (lambda: s.run("x"), TypeError), (lambda: s.step(2**70), OverflowError),
                        (lambda: beam.start(threads=-1), ValueError), (lambda: s.rods["beem"], KeyError)]:
        with pytest.raises(error):
            call()
    assert s.steps == 0


def test_views_share_the_memory_of_the_state(beam):
    s = beam.start()
    q, v, rod = s.q, s.v, s.rods["beam"]
    assert q.shape == (77,) and v.shape == (66,)
    assert rod.position.shape == (11, 3) and rod.orientation.shape == (11, 4) and rod.velocity.shape == (11, 3) and rod.spin.shape == (11, 3)
    for part in (rod.position, rod.orientation):
        assert np.shares_memory(part, q) and not np.shares_memory(part, v)
    for part in (rod.velocity, rod.spin):
        assert np.shares_memory(part, v)
    nodes = q.reshape(11, 7)
    assert np.array_equal(nodes[:, :3], rod.position) and np.array_equal(nodes[:, 3:], rod.orientation)
    assert np.array_equal(v.reshape(11, 6)[:, 3:], rod.velocity) and np.array_equal(v.reshape(11, 6)[:, :3], rod.spin)


def test_rods_of_a_population_lie_one_behind_the_other(clamped):
    s = clamped.start()
    assert list(s.rods) == ["first", "second"] and len(s.rods) == 2 and "third" not in s.rods
    s.step(20)
    frame = s.frame()
    for name, n in [("first", 8), ("second", 6)]:
        rod = s.rods[name]
        assert rod.position.shape == (n, 3)
        for field in ("position", "orientation", "velocity", "spin"):
            assert np.array_equal(getattr(rod, field), frame[f"rod/{name}/{field}"])


@pytest.mark.parametrize("n", [1, 2, 3, 100])
def test_views_show_the_newest_step_however_many_were_taken(beam, n):
    s, other = beam.start(), beam.start()
    q, x = s.q, s.rods["beam"].position
    for _ in range(3):
        s.step(n)
        other.step(n)
        assert np.array_equal(q, other.q) and np.array_equal(x, other.rods["beam"].position), "the other one has a fresh view each time"
        assert np.shares_memory(q, s.q)


def test_looking_changes_no_bit(clamped):
    plain, looked_at = clamped.start(), clamped.start()
    plain.run()
    views = [looked_at.q]
    while not looked_at.done:
        looked_at.step(7)
        views.append(looked_at.v)
        looked_at.probes, looked_at.energy
        if len(views) % 5 == 0:
            views.clear()
    assert np.array_equal(plain.q, looked_at.q) and np.array_equal(plain.v, looked_at.v)
    a, b = plain.summary(), looked_at.summary()
    a.pop("wall_s"), b.pop("wall_s")
    assert a == b


def test_views_are_read_only(beam):
    s = beam.start()
    with pytest.raises(ValueError):
        s.q[0] = 1
    with pytest.raises(ValueError):
        s.q.flags.writeable = True
    with pytest.raises((TypeError, BufferError)):
        memoryview(s.q.base)[0] = 1.0


def test_a_view_outlives_its_simulation(beam):
    s = beam.start()
    s.step(11)
    alive = weakref.ref(s)
    q, x = s.q, s.rods["beam"].position[2:4]
    kept_q, kept_x = q.copy(), x.copy()
    del s, beam
    gc.collect()
    assert alive() is not None, "the view keeps it"
    churn = [zwang.Model(BEAM).start() for _ in range(20)]
    assert np.array_equal(q, kept_q) and np.array_equal(x, kept_x)
    del churn, q
    gc.collect()
    assert alive() is not None
    del x
    gc.collect()
    assert alive() is None


def test_the_buffer_protocol_alone_will_do(beam):
    s = beam.start()
    view = memoryview(s.rods["beam"].position)
    assert view.shape == (11, 3) and view.strides == (56, 8) and view.format == "d" and view.readonly
    assert view[10, 2] == s.rods["beam"].position[10, 2]


def test_probes_and_energy_are_those_of_now(clamped):
    s = clamped.start()
    assert np.array_equal(s.probes["tip"], s.rods["first"].position[-1]), "before the first step"
    s.step(13)
    probes = s.probes
    assert np.allclose(probes["tip"], s.rods["first"].position[-1], rtol=0, atol=1e-15) and np.array_equal(probes["twice"], 2 * probes["tip"])
    energy = s.energy
    assert energy["total"] == energy["kinetic"] + energy["elastic"] + energy["potential"]
    kept = probes["tip"].copy()
    s.step(5)
    assert np.array_equal(probes["tip"], kept), "probes are copies"


def test_a_run_that_diverges_says_where_and_says_so_again(beam):
    model = zwang.Model(BEAM + "loads:\n  push: {on: beam, s: L, force: [\"1e6 * exp(2000 * t)\", 0, 0]}\n")
    s = model.start()
    with pytest.raises(zwang.DivergedError) as caught:
        s.run()
    assert "rod 'beam'" in str(caught.value) and s.done and s.summary()["outcome"] == "diverged"
    with pytest.raises(zwang.DivergedError):
        s.step()
    assert np.isfinite(s.q).all(), "the last good state stays"
    with pytest.raises(zwang.DivergedError) as caught:
        zwang.run(model)
    assert caught.value.results.summary["outcome"] == "diverged" and len(caught.value.results.time) > 0


def test_the_gil_is_free_while_a_simulation_runs(long_run):
    s = long_run.start()
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    try:
        begin = time.perf_counter()
        s.step(1000)
        rate = 1000 / (time.perf_counter() - begin)
        begin = time.perf_counter()
        s.step(int(rate * 0.5) + 1)
        end = time.perf_counter()
    finally:
        stop.set()
        other.join()
    inside = [t for t in ticks if begin < t < end]
    longest = max(np.diff([begin, *inside, end]))
    assert len(inside) > 50, f"{len(inside)} ticks in {end - begin:.3f} s"  # measured: about 400
    assert longest < 0.04, "less than one slice"


def test_two_simulations_run_at_the_same_time_to_the_same_bits(beam):
    alone = beam.start()
    alone.run()
    several = [beam.start() for _ in range(4)]
    threads = [threading.Thread(target=s.run) for s in several]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(s.q, alone.q) for s in several)


def test_a_second_thread_is_refused():
    s = zwang.Model(BEAM, set={"run.until": 50}).start()  # about a second
    q, rods = s.q, s.rods
    other = threading.Thread(target=s.run)
    other.start()
    refused = 0
    while other.is_alive() and not refused:
        try:
            s.t
        except RuntimeError:
            refused = 1
    for use in (s.step, s.run, s.summary, lambda: s.q, lambda: rods["beam"].position, lambda: s.probes, lambda: s.steps, lambda: s.done):
        with pytest.raises(RuntimeError, match="in use by another thread"):
            use()
    assert refused and np.isfinite(q).all()
    other.join()
    assert s.done and s.t == 50


def test_ctrl_c_stops_a_simulation_that_can_go_on(long_run):
    s = long_run.start()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        s.run()
    assert time.perf_counter() - begin < 5
    steps = s.steps
    assert steps > 0 and not s.done
    other = long_run.start()
    other.step(steps + 10)
    s.step(10)
    assert np.array_equal(s.q, other.q)


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_is_given_back(beam, clamped):
    def cycle():
        for model in (beam, clamped):
            s = model.start()
            x, q = s.rods[next(iter(s.rods))].position, s.q
            s.step(2)
            s.probes
            del s
            x.sum(), q.sum()
            r = zwang.run(model)
            r["time"], r.constants
        with pytest.raises(zwang.ModelError):
            zwang.Model("zwang: 1\nbodies: 3\n")
        with pytest.raises(KeyError):
            r["none"]

    for _ in range(20):
        cycle()
    gc.collect()
    before = resident()
    for _ in range(150):
        cycle()
    gc.collect()
    assert resident() - before < 4 << 20  # measured: 24 kB; 150 simulations that are kept take 30 MB
