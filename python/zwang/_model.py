# SPDX-License-Identifier: Apache-2.0
"""Models: from a file, from text, or built in Python."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Union

from . import _zwang

if TYPE_CHECKING:
    from ._simulation import Simulation

Path = Union[str, "os.PathLike[str]"]


def _plain(value: Any) -> Any:
    """NumPy's arrays and numbers as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no place in a model; give numbers, text (expressions are text), lists or dicts")


def _as_json(value: Any, indent: int | None = None) -> str:
    # JSON is YAML; one key per line, so that errors name a line
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=_plain)


def _settings(changes: Mapping[str, Any] | None) -> tuple[bytes, ...]:
    """{"L": 2, "run.until": 0.5} as after --set on the command line."""
    return tuple(f"{key}={value if isinstance(value, str) else _as_json(value)}".encode() for key, value in (changes or {}).items())


class Model:
    """A model, read and checked; it does not change, and any number of simulations may be started from it.

    `model` is the text of a model file, or the same as a dict (expressions are strings). `set` changes keys or parameters,
    like `--set` of the program: `set={"L": 2, "run.until": 0.5}`. Everything that is wrong is in the ModelError.
    """

    __slots__ = ("_source",)

    def __init__(self, model: str | bytes | Mapping[str, Any], *, set: Mapping[str, Any] | None = None, name: Path = "model") -> None:
        text = _as_json(model, indent=1) if isinstance(model, Mapping) else model
        if not isinstance(text, (str, bytes)):
            raise TypeError("Model() takes text or a dict; zwang.load(path) reads a file")
        self._source = _zwang.Source(name, text, _settings(set))

    @property
    def title(self) -> str:
        """Title of the model, or ""."""
        return self._source.title

    @property
    def text(self) -> str:
        """The model as run: YAML with the settings applied."""
        return self._source.text

    @property
    def hash(self) -> str:
        """Identity of that text."""
        return self._source.hash

    def start(self, *, threads: int = 1) -> Simulation:
        """The model set in motion, at t = 0."""
        from ._simulation import Simulation

        return Simulation(self, threads=threads)

    def check(self) -> dict[str, Any]:
        """Find whatever keeps the model from running, without running it; gives the summary of a run of no steps."""
        return self.start().summary()

    def __repr__(self) -> str:
        return f"<zwang.Model {self.title or self._source.name!r}>"


def load(path: Path, set: Mapping[str, Any] | None = None) -> Model:
    """Read and check a model file; `set` as in Model."""
    model = Model.__new__(Model)
    model._source = _zwang.Source(path, None, _settings(set))
    return model
