# SPDX-License-Identifier: Apache-2.0
"""The ledger of a run: what happened where unilateral constraints were reached."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy

# as zw_event_kind, and as the words of contact.law
KINDS = ("impact", "zeno", "rest", "release")
LAWS = ("reflect", "moreau", "sequential", "compliant", "stick")
CONTACT_COLUMNS = ("event", "time", "kind", "law", "side", "impulse", "rate_before", "rate_after", "energy_before", "energy_after", "dissipated", "condition",
                   "order_dependent", "slide")
JOINT_COLUMNS = ("event", "joint", "unique", "rows", "mx", "my", "mz", "fx", "fy", "fz", "row1", "row2", "row3", "row4", "row5", "row6")


@dataclass(frozen=True)
class Contact:
    """One closed gap of an event: impulse along the gradient of the gap (N s), rates of the gap before and after (m/s), impulse against sliding (N s)."""

    name: str
    impulse: float
    before: float
    after: float
    slide: float


@dataclass(frozen=True)
class JointImpulse:
    """What a joint took up: force (N s) and moment (N m s) on its first body, space axes; `rows`: its multipliers, which are all that an equation of a
    lagrangian has. Not `unique`: other equations hold the same motion, and this is the share of least norm."""

    name: str
    force: tuple[float, float, float]
    moment: tuple[float, float, float]
    rows: tuple[float, ...]
    unique: bool


@dataclass(frozen=True)
class Event:
    """kind: impact, zeno (the limit of infinitely many), rest, release. law: by which the impact was computed; None where there is none."""

    number: int
    time: float
    kind: str
    law: str | None
    contacts: tuple[Contact, ...]
    joints: tuple[JointImpulse, ...]
    energy_before: float
    energy_after: float
    dissipated: float
    condition: float
    order_dependent: bool


class Events(Sequence[Event]):
    """The events of a run, in the order of time.

    contacts   array (rows, 14), one row for each contact of each event; its columns are named in contact_columns
    joints     array (rows, 16), one row for each joint that felt an impact; joint_columns
    sides, joint_names   what the columns `side` and `joint` count in
    """

    contact_columns = CONTACT_COLUMNS
    joint_columns = JOINT_COLUMNS

    def __init__(self, sides: list[str], joint_names: list[str], contacts: numpy.ndarray, joints: numpy.ndarray) -> None:
        self.sides, self.joint_names, self.contacts, self.joints = sides, joint_names, contacts, joints
        numbers = contacts[:, 0]
        self._first = [i for i in range(len(numbers)) if i == 0 or numbers[i] != numbers[i - 1]]
        self._first_joint: dict[int, int] = {}
        for i, number in enumerate(joints[:, 0]):
            self._first_joint.setdefault(int(number), i)

    @property
    def time(self) -> numpy.ndarray:
        """Time of each event, s."""
        return self.contacts[self._first, 1]

    @property
    def kinds(self) -> list[str]:
        """Kind of each event."""
        return [_word(KINDS, self.contacts[i, 2]) or "unknown" for i in self._first]

    def __len__(self) -> int:
        return len(self._first)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"there are {len(self)} events")
        begin = self._first[index]
        end = self._first[index + 1] if index + 1 < len(self) else len(self.contacts)
        rows = self.contacts[begin:end]
        head = rows[0].tolist()
        number = int(head[0])
        contacts = tuple(Contact(_name(self.sides, r[4]), float(r[5]), float(r[6]), float(r[7]), float(r[13])) for r in rows)
        joints = []
        at = self._first_joint.get(number, len(self.joints))
        while at < len(self.joints) and self.joints[at, 0] == number:
            r = self.joints[at].tolist()
            joints.append(JointImpulse(_name(self.joint_names, r[1]), tuple(r[7:10]), tuple(r[4:7]), tuple(r[10:10 + int(r[3])]), r[2] != 0))
            at += 1
        return Event(number, head[1], _word(KINDS, head[2]) or "unknown", _word(LAWS, head[3]), contacts, tuple(joints), head[8], head[9], head[10], head[11],
                     head[12] != 0)

    def __repr__(self) -> str:
        return f"<zwang.Events {len(self)} events, {len(self.sides)} constraints>"


def _word(words: tuple[str, ...], value: float) -> str | None:
    return words[int(value)] if 0 <= value < len(words) else None


def _name(names: list[str], value: float) -> str:
    return names[int(value)] if 0 <= value < len(names) else ""
