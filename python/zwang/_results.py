# SPDX-License-Identifier: Apache-2.0
"""Whole runs and what they recorded."""
from __future__ import annotations

import html
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from . import _zwang
from ._errors import Error
from ._events import Events
from ._model import Model, Path, load

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Channel:
    """One recorded array: its name, unit, and shape in one frame."""

    name: str
    unit: str
    shape: tuple[int, ...]


class _Named(Mapping[str, Any]):
    """Arrays by the names of their channels; two of them are equal only if they are the same."""

    channels: dict[str, Channel]

    def __contains__(self, name: object) -> bool:
        return name in self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.channels)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class Epoch(_Named):
    """A stretch of a run in which no size changes: epoch["rod/beam/position"] is an array (time, node, 3) of its frames.

    `first` is the number of its first frame among all, `frames` how many it has; `channels` and `constants` are those of its mesh.
    """

    def __init__(self, store: _zwang.Store, number: int, first: int, frames: int) -> None:
        self._store = store
        self._arrays: dict[str, numpy.ndarray] = {}
        self.number = number
        self.first = first
        self.frames = frames

    @cached_property
    def channels(self) -> dict[str, Channel]:
        """{name: Channel}, with the shapes of this epoch."""
        return {c[0]: Channel(*c) for c in self._store.channels(self.number)}

    @cached_property
    def constants(self) -> dict[str, float | numpy.ndarray]:
        """What does not change in this epoch, labels of nodes among them."""
        return self._store.constants(self.number)

    @property
    def time(self) -> numpy.ndarray:
        """Times of its frames, s."""
        return self["time"]

    def __getitem__(self, name: str) -> numpy.ndarray:
        if name not in self._arrays:
            if name not in self.channels:
                raise KeyError(f"there is no channel {name!r}; there are: {', '.join(self.channels)}")
            array = self._store.read(name, self.number)
            assert array is not None
            self._arrays[name] = array
        return self._arrays[name]

    def __repr__(self) -> str:
        return f"<zwang.Epoch {self.number}: {self.frames} frames from {self.first}>"


class Ragged(Sequence["numpy.ndarray"]):
    """A channel whose size changes in the course of the run: ragged[i] is the array of frame i, ragged.epochs are the arrays (time, ...) of the epochs."""

    def __init__(self, name: str, epochs: list[numpy.ndarray]) -> None:
        self.name = name
        self.epochs = epochs

    def __len__(self) -> int:
        return sum(len(e) for e in self.epochs)

    def __getitem__(self, frame: Any) -> Any:
        if isinstance(frame, slice):
            return [self[i] for i in range(*frame.indices(len(self)))]
        at = frame if frame >= 0 else frame + len(self)
        for array in self.epochs if at >= 0 else []:
            if at < len(array):
                return array[at]
            at -= len(array)
        raise IndexError(f"there is no frame {frame}; there are {len(self)}")

    def __iter__(self) -> Iterator[numpy.ndarray]:
        for array in self.epochs:
            yield from array

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise ValueError(f"{self.name}: its size changes in the course of the run, so that it is no array; take a frame, or one of .epochs")

    def __repr__(self) -> str:
        return f"<zwang.Ragged {self.name}: {' + '.join(str(e.shape) for e in self.epochs)}>"


class Results(_Named):
    """What a run recorded: results["rod/beam/position"] is an array (time, node, 3) in SI units, read-only.

    Arrays are read when they are asked for, once; results of a run in memory share the memory of the recording. Where links of a rod were split in the
    run there are several `epochs`: what keeps its size is still one array over all frames, and what does not is a Ragged. `channels` and `constants`
    are those of the last epoch that has frames.
    """

    def __init__(self, store: _zwang.Store, directory: str | None = None) -> None:
        self._store = store
        self._arrays: dict[str, numpy.ndarray | Ragged] = {}
        self._events: Events | None = None
        self.directory = directory
        first, epochs = 0, []
        for number, frames in enumerate(store.frames()):
            epochs.append(Epoch(store, number, first, frames))
            first += frames
        self.epochs: tuple[Epoch, ...] = tuple(epochs)
        last = next((e for e in reversed(epochs) if e.frames), epochs[-1] if epochs else None)
        self.channels: dict[str, Channel] = last.channels if last else {}
        self.constants: dict[str, float | numpy.ndarray] = last.constants if last else {}

    @property
    def time(self) -> numpy.ndarray:
        """Times of the frames, s."""
        return self["time"]

    def epoch(self, frame: int) -> Epoch:
        """The epoch that a frame belongs to; its mesh is in the constants of the epoch."""
        total = sum(e.frames for e in self.epochs)
        at = frame if frame >= 0 else frame + total
        for e in self.epochs:
            if e.first <= at < e.first + e.frames:
                return e
        raise IndexError(f"there is no frame {frame}; there are {total}")

    @property
    def summary(self) -> dict[str, Any]:
        """How the run went; the keys are those of `zwang run --json`. Empty while the run has not ended."""
        return json.loads(self._store.summary or "{}")

    @property
    def events(self) -> Events:
        """The ledger: impacts, rests and releases of unilateral constraints, in the order of time."""
        if self._events is None:
            self._events = Events(*self._store.ledger())
        return self._events

    @property
    def model_text(self) -> str:
        """The model as run."""
        return self._store.model_text

    def __getitem__(self, name: str) -> Any:
        if name not in self._arrays:
            if name not in self.channels:
                raise KeyError(f"there is no channel {name!r}; there are: {', '.join(self.channels)}")
            array = self._store.read(name, -1)
            self._arrays[name] = array if array is not None else Ragged(name, [e[name] for e in self.epochs if e.frames and name in e])
        return self._arrays[name]

    def __repr__(self) -> str:
        return f"<zwang.Results {len(self.time)} frames, {len(self)} channels{f', {self.directory!r}' if self.directory else ''}>"

    def _repr_html_(self) -> str:
        s = self.summary
        title = s.get("model", {}).get("title") or self.directory or "zwang"
        rows = [("outcome", s.get("outcome", "not ended")), ("t", f"{s['t']:.6g} s" if "t" in s else ""), ("steps", s.get("steps", "")),
                ("frames", len(self.time)), ("energy drift", f"{s['energy']['drift_max']:.3g} J of {s['energy']['scale']:.3g} J" if "energy" in s else "")]
        rows += [(c.name, f"{' × '.join(map(str, c.shape)) or 'number'}, {c.unit}") for c in list(self.channels.values())[:20]]
        if len(self) > 20:
            rows.append(("…", f"and {len(self) - 20} more channels"))
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(str(k))}</th><td>{html.escape(str(v))}</td></tr>" for k, v in rows)
        return f"<table><caption>{html.escape(str(title))}</caption>{cells}</table>"


class _Line:
    """Progress in one line of stderr."""

    def __init__(self) -> None:
        self.drawn = False

    def __call__(self, step: int, steps: int, t: float, until: float, wall_s: float, eta_s: float) -> None:
        left = f", {eta_s:.0f} s left" if eta_s >= 0 else ""
        sys.stderr.write(f"\r{100 * step // max(steps, 1):3d} %  t = {t:.6g} of {until:.6g} s{left}    ")
        sys.stderr.flush()
        self.drawn = True

    def end(self) -> None:
        if self.drawn:
            sys.stderr.write("\n")


def run(model: Model | Path | Mapping[str, Any], directory: Path | None = None, *, progress: bool | Callable[..., None] = False, force: bool = False,
        resume: bool = False, report: bool = True, threads: int = 1) -> Results:
    """Run a model (a Model, a dict, or the path of a model file) to its end.

    With a directory it does what `zwang run MODEL -o DIRECTORY` does: results.h5, summary.json, report.html, checkpoints; `force` replaces
    results that are there, `resume` goes on with them. Without one, what is recorded stays in memory. Ctrl-C stops the run
    (in a directory: with a checkpoint). `progress` is True for a line on stderr, or a function (step, steps, t, until, wall_s, eta_s).
    """
    if not isinstance(model, Model):
        model = Model(model) if isinstance(model, Mapping) else load(model)
    line = _Line() if progress is True else None
    tell = line or progress or None
    results: Results | None = None
    try:
        if directory is None:
            if force or resume:
                raise ValueError("force and resume need a directory")
            store, failed = _zwang.record(model._source, threads, tell)
            results = Results(store)
        else:
            directory = os.fspath(directory)
            summary, failed = _zwang.simulate(model._source, directory, force, resume, report, threads, tell)
            try:
                results = open(directory) if summary else None
            except Error:
                if not failed:
                    raise  # otherwise the failure itself says more
    finally:
        if line:
            line.end()
    if failed:
        failed.results = results
        raise failed
    assert results is not None
    return results


def open(directory: Path) -> Results:
    """The results that `zwang run -o DIRECTORY` or zwang.run(model, DIRECTORY) wrote; after a crash they are recovered first."""
    directory = os.fspath(directory)
    return Results(_zwang.open(directory), directory)
