# SPDX-License-Identifier: Apache-2.0
"""Models from files, text and dicts; what is wrong with them."""
import json
import pickle

import numpy as np
import pytest
import zwang
from conftest import BEAM, CLAMPED


def test_text_file_and_dict_give_the_same_model(tmp_path):
    path = tmp_path / "beam.yaml"
    path.write_text(BEAM)
    a, b = zwang.load(path), zwang.Model(BEAM)
    assert a.title == b.title == "Bent <beam>"
    assert a.text == b.text and a.hash == b.hash
    c, d = zwang.Model(CLAMPED), zwang.Model(json.dumps(CLAMPED))
    assert json.loads(c.text) == json.loads(d.text) == CLAMPED
    assert np.array_equal(zwang.run(c)["probe/tip"], zwang.run(d)["probe/tip"])


def test_the_text_of_a_model_is_that_model():
    for model in (zwang.Model(BEAM), zwang.Model(CLAMPED)):
        again = zwang.Model(model.text)
        assert again.text == model.text and again.hash == model.hash


def test_settings_change_parameters_and_keys():
    model = zwang.Model(BEAM, set={"L": 3, "run.until": 0.2, "bodies.beam.rod.shape.curvature": [0, -0.5, 0], "a": "L / 30"})
    simulation = model.start()
    assert simulation.summary()["until"] == 0.2
    assert simulation.rods["beam"].label[-1] == 3
    assert simulation.rods["beam"].radius[0] == pytest.approx(zwang.Model(BEAM).start().rods["beam"].radius[0])


def test_numpy_numbers_and_arrays_stand_in_dicts():
    model = dict(CLAMPED, gravity=np.array([0, 0, -9.81]), parameters={"L": np.float64(1)})
    assert json.loads(zwang.Model(model).text) == CLAMPED


def test_a_lagrangian_is_built_from_a_dict_and_runs():
    machine = {
        "coordinates": ["x", "y", "z"],
        "kinetic": "m*(xdot^2 + ydot^2 + zdot^2)/2",
        "potential": "m*g*z",
        "points": {"hub": ["x", "y", "z"]},
        "constraints": {"wheel": "xdot^2 + ydot^2 = a^2*zdot^2"},
        "start": {"xdot": 0.3, "ydot": 0.4, "zdot": np.float64(-1 / 3)},
    }
    text = {
        "zwang": 1,
        "parameters": {"m": 1, "a": 1.5, "g": 9.81},
        "bodies": {"machine": {"lagrangian": machine}},
        "run": {"until": 0.5},
        "record": {"frames": 5},
        "probes": {"vz": {"coordinate": "machine.zdot"}, "hub": {"position": "machine", "point": "hub"}},
    }
    results = zwang.run(zwang.Model(text))
    q = results["lagrangian/machine/coordinates"]
    assert q.shape == (len(results.time), 3) and results.time[-1] == 0.5 and np.array_equal(q, results["probe/hub"])
    v = results["lagrangian/machine/velocities"]
    assert np.array_equal(v[:, 2], results["probe/vz"])
    assert np.abs(v[:, 0] ** 2 + v[:, 1] ** 2 - 2.25 * v[:, 2] ** 2).max() < 1e-14  # 1.8e-15
    machine["constraints"] = {"wheel": "xdot = zzdot"}
    with pytest.raises(zwang.ModelError, match="unknown name 'zzdot'"):
        zwang.Model(text)


def test_what_no_model_can_hold_is_refused_by_type():
    with pytest.raises(TypeError, match="object has no place in a model"):
        zwang.Model({"zwang": object()})
    with pytest.raises(TypeError, match="zwang.load"):
        zwang.Model(3)
    with pytest.raises(ValueError):
        zwang.Model({"zwang": float("nan")})


def test_all_errors_come_at_once_with_place_and_remedy(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(BEAM.replace("elements: 10", "elements: -1").replace("length: L", "lenth: L"))
    with pytest.raises(zwang.ModelError) as caught:
        zwang.load(path)
    e = caught.value
    assert isinstance(e, (zwang.Error, ValueError)) and e.code == "ZW_E_MODEL" and len(e.errors) == 3
    nearest = next(fault for fault in e.errors if "lenth" in fault.subject)
    assert (nearest.file, nearest.line, nearest.col) == (str(path), 7, 7)
    assert "did you mean 'length'?" in nearest.message + nearest.remedy and "lenth: L" in nearest.excerpt
    assert str(e) == "\n".join(map(str, e.errors)) and str(e).startswith(f"{path}:")


def test_errors_are_the_words_of_the_program(tmp_path, program):
    path = tmp_path / "wrong.yaml"
    path.write_text(BEAM.replace("elements: 10", "elements: -1").replace("length: L", "lenth: L"))
    with pytest.raises(zwang.ModelError) as caught:
        zwang.load(path)
    told = json.loads(program("check", path, "--json", code=2).stdout)["errors"]
    assert [(e["file"], e["line"], e["col"], e["code"], e["subject"], e["message"], e["remedy"]) for e in told] == \
        [(e.file, e.line, e.col, e.code, e.subject, e.message, e.remedy) for e in caught.value.errors]


def test_errors_in_a_dict_name_a_line():
    with pytest.raises(zwang.ModelError) as caught:
        zwang.Model(dict(CLAMPED, gravty=[0, 0, 1]), name="here")
    (fault,) = caught.value.errors
    assert fault.file == "here" and fault.line > 1 and "gravity" in str(fault)


def test_check_finds_what_keeps_a_model_from_running():
    assert zwang.Model(BEAM).check()["steps_total"] == 1000
    with pytest.raises(zwang.ModelError, match="stability limit") as caught:
        zwang.Model(BEAM.replace("step: 1e-4", "step: 0.05"), name="beam.yaml").check()
    assert caught.value.code == "ZW_E_STEP" and caught.value.errors[0].line == 12


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        zwang.load(tmp_path / "none.yaml")
    assert isinstance(caught.value, zwang.InputError) and "no such file" in str(caught.value)


def test_errors_pass_between_processes():
    with pytest.raises(zwang.ModelError) as caught:
        zwang.Model("zwang: 1\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is zwang.ModelError and str(again) == str(caught.value) and again.errors == caught.value.errors


def test_names_that_are_no_text_pass(tmp_path):
    path = tmp_path / "b\udce9am.yaml"
    path.write_text("zwang: 1\n")
    with pytest.raises(zwang.ModelError):
        zwang.load(path)
    with pytest.raises(ValueError, match="null"):
        zwang.load("a\0b")
