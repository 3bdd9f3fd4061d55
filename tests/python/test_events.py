# SPDX-License-Identifier: Apache-2.0
"""The ledger of a run in Python: from memory, from a directory, and as the program exports it."""
import csv

import numpy as np
import pytest
import zwang

BALL = """\
zwang: 1
bodies: {ball: {lagrangian: {coordinates: [y], kinetic: ydot^2/2, potential: 9.81*y, start: {y: 1}}}}
constraints: {floor: {unilateral: y >= 0, on: ball, restitution: 0.5}, roof: {unilateral: y <= 3, on: ball}}
run: {until: 2, integrator: gauss}
"""

PENDULUM = """\
zwang: 1
bodies:
  a: {rigid: {mass: 2, inertia: [1, 1, 0.2], at: [0, -0.5, 0], spin: [0, 0, 1], velocity: [0.5, 0, 0], plane: [0, 0, 1], points: {c: [0, -0.5, 0]}}}
constraints:
  pin: {ball: a, at: [0, 0.5, 0]}
  wall: {unilateral: x <= 0, on: a, points: [c]}
run: {until: 1e-3, integrator: gauss}
"""


def model(tmp_path, text):
    path = tmp_path / "model.yaml"
    path.write_text(text)
    return path


def test_events_are_the_same_from_memory_and_from_a_directory(tmp_path, program):
    path = model(tmp_path, BALL)
    here, there = zwang.run(zwang.load(path)).events, zwang.run(path, tmp_path / "out").events
    assert here.sides == there.sides == ["floor", "roof"]
    assert here.contacts.tobytes() == there.contacts.tobytes() and here.joints.tobytes() == there.joints.tobytes()
    assert list(here) == list(there)
    program("export", tmp_path / "out", "--as", "csv", "-o", tmp_path / "csv")
    rows = list(csv.DictReader((tmp_path / "csv" / "events.csv").open()))
    assert len(rows) == len(here.contacts)
    assert [float(r["time [s]"]) for r in rows] == here.contacts[:, 1].tolist() and [r["kind"] for r in rows] == here.kinds
    assert [name.split(" ")[0] for name in rows[0]] == list(zwang.Events.contact_columns)


def test_a_ball_bounces_and_rests(tmp_path):
    events = zwang.run(zwang.load(model(tmp_path, BALL))).events
    assert len(events) == 23 and repr(events) == "<zwang.Events 23 events, 2 constraints>"
    first, rest = events[0], events[-1]
    assert first.kind == "impact" and first.law == "reflect" and first.number == 1 and not first.order_dependent
    assert first.time == pytest.approx((2 / 9.81) ** 0.5, abs=1e-14)
    assert first.contacts[0].name == "floor" and first.contacts[0].after == pytest.approx(-0.5 * first.contacts[0].before, rel=1e-14)
    assert first.energy_before - first.energy_after == pytest.approx(first.dissipated, rel=1e-13)
    assert events[-2].kind == "zeno" and rest.kind == "rest" and rest.law is None and rest.joints == ()
    assert np.array_equal(events.time, [e.time for e in events]) and [e.kind for e in events[:3]] == events.kinds[:3]
    with pytest.raises(IndexError, match="there are 23 events"):
        events[23]


def test_joints_tell_what_they_took_up(tmp_path):
    events = zwang.run(zwang.load(model(tmp_path, PENDULUM))).events
    hit = events[0]
    assert events.joint_names == ["pin"] and [j.name for j in hit.joints] == ["pin"]
    pin, wall = hit.joints[0], hit.contacts[0]
    assert pin.unique and len(pin.rows) == 2 and pin.moment == (0, 0, 0)
    assert pin.force[0] - wall.impulse == pytest.approx(2 * (-0.5 - 0.5), abs=1e-13)  # m (v+ - v-), the wall pushes to -x


def test_a_simulation_runs_to_its_end_by_steps_of_chosen_length(tmp_path):
    source = zwang.load(model(tmp_path, BALL))
    whole, stepped = source.start(), source.start()
    whole.run()
    stepped.run(0.5)
    assert stepped.t >= 0.5 and not stepped.done
    stepped.run()
    assert whole.done and stepped.done and whole.t == stepped.t == 2
    assert whole.q.tolist() == stepped.q.tolist() and whole.summary()["impacts"] == stepped.summary()["impacts"]
    assert whole.summary()["impacts"]["zeno"] == 1


def test_a_run_without_contacts_has_no_events(beam):
    events = zwang.run(beam).events
    assert len(events) == 0 and list(events) == [] and events.contacts.shape == (0, 14) and events.joints.shape == (0, 16) and len(events.time) == 0
