# SPDX-License-Identifier: Apache-2.0
"""A model set in motion, step by step."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _zwang

if TYPE_CHECKING:
    import numpy

    from ._model import Model


class Rod:
    """One rod of a simulation. Arrays are read-only, and those of the state share its memory: they show the newest step."""

    __slots__ = ("_simulation", "name")

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.name = name

    @property
    def position(self) -> numpy.ndarray:
        """(node, 3), m, in space; no copy."""
        return self._simulation._span(f"rod/{self.name}/position")

    @property
    def orientation(self) -> numpy.ndarray:
        """(node, 4), quaternions w x y z from directors to space; no copy."""
        return self._simulation._span(f"rod/{self.name}/orientation")

    @property
    def velocity(self) -> numpy.ndarray:
        """(node, 3), m/s, in space; no copy."""
        return self._simulation._span(f"rod/{self.name}/velocity")

    @property
    def spin(self) -> numpy.ndarray:
        """(node, 3), angular velocity in rad/s, in the directors; no copy."""
        return self._simulation._span(f"rod/{self.name}/spin")

    @property
    def label(self) -> numpy.ndarray:
        """(node,), m along the undeformed rod."""
        return self._simulation._constants()[f"rod/{self.name}/label"]

    @property
    def radius(self) -> numpy.ndarray:
        """(node,), m."""
        return self._simulation._constants()[f"rod/{self.name}/radius"]

    def __repr__(self) -> str:
        return f"<zwang.Rod {self.name!r}, {len(self.position)} nodes>"


class Rods(Mapping[str, Rod]):
    """The rods of a simulation by name."""

    __slots__ = ("_simulation", "_names")

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._names = [c.split("/")[1] for c in simulation._channels() if c.startswith("rod/") and c.endswith("/label")]

    def __getitem__(self, name: str) -> Rod:
        if name not in self._names:
            raise KeyError(f"there is no rod {name!r}; there are: {', '.join(self._names) or 'none'}")
        return Rod(self._simulation, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Simulation(_zwang.Simulation):
    """A model set in motion. Start one with model.start().

    step() and run() work without the GIL; a simulation belongs to one thread at a time (RuntimeError otherwise). Nothing is recorded;
    for that there is zwang.run(). The arrays q, v and those of rods share the memory of the simulation, show the newest step,
    and may outlive the simulation object.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, model: Model, *, threads: int = 1) -> Simulation:
        return super().__new__(cls, model._source, threads)

    @property
    def rods(self) -> Rods:
        """The rods by name: simulation.rods["beam"].position."""
        return Rods(self)

    @property
    def probes(self) -> dict[str, float | numpy.ndarray]:
        """The probes of the model at the state as it is now."""
        return self._look("probe/")

    @property
    def energy(self) -> dict[str, float]:
        """Energies (J) now: total, kinetic, elastic, potential, work, dissipated, drift."""
        return self._look("energy/")

    def frame(self) -> dict[str, float | numpy.ndarray]:
        """Everything that `record` asks for, at the state as it is now (copies)."""
        return self._look("")

    def summary(self) -> dict[str, Any]:
        """How the run went so far; the keys are those of `zwang run --json`. wall_s counts from the start of the simulation."""
        return json.loads(self._summary())

    def __repr__(self) -> str:
        return f"<zwang.Simulation at t = {self.t:.6g} s, step {self.steps}{', done' if self.done else ''}>"
