# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, in the same words as the program says it."""
from __future__ import annotations

import errno
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._results import Results

_logger = logging.getLogger("zwang")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong. Places are 1-based; 0 and "" mean there is none."""

    code: str  # "ZW_E_MODEL"
    file: str
    line: int
    col: int
    subject: str  # what it is about: "bodies.beam.rod.length"
    message: str  # what is wrong, with the number
    remedy: str  # what to do about it
    excerpt: str  # the line of the model
    text: str  # all of it in one line: "file:line:col: subject: message; remedy"

    def __str__(self) -> str:
        return self.text


class Error(Exception):
    """Whatever zwang refuses or fails to do. `errors` lists every fault that was found, `code` names their kind."""

    def __init__(self, code: str = "", errors: tuple[Fault, ...] = (), sentence: str = "") -> None:
        super().__init__("\n".join(map(str, errors)) or sentence or code)
        self.code = code
        self.errors = list(errors)
        self.sentence = sentence
        self.results: Results | None = None  # what a run that failed had recorded until then

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple:  # so that it comes back whole from another process
        return type(self), (self.code, tuple(self.errors), self.sentence)


class ModelError(Error, ValueError):
    """The model is invalid, too large, or asks for what this version does not have."""


class ArgumentError(Error, ValueError):
    """A function was called with an argument it cannot take."""


class RunError(Error, ArithmeticError):
    """The run could not go on."""


class DivergedError(RunError):
    """The simulation produced a value that is not finite."""


class ConvergenceError(RunError):
    """An iteration did not converge."""


class ConstraintError(RunError):
    """Constraints contradict each other."""


class InputError(Error, OSError):
    """Files: reading or writing failed, a file is damaged, a directory is in use."""


class NotFoundError(InputError, FileNotFoundError):
    """A file or directory is missing."""

    def __init__(self, code: str = "", errors: tuple[Fault, ...] = (), sentence: str = "") -> None:
        super().__init__(code, errors, sentence)
        self.errno = errno.ENOENT


class ExistsError(InputError, FileExistsError):
    """The directory holds results already."""

    def __init__(self, code: str = "", errors: tuple[Fault, ...] = (), sentence: str = "") -> None:
        super().__init__(code, errors, sentence)
        self.errno = errno.EEXIST


class MismatchError(Error):
    """The results belong to another model, version or format."""


class OutOfMemoryError(Error, MemoryError):
    """Memory ran out."""


class CancelledError(Error):
    """The run was interrupted."""


_CLASSES: dict[str, type[Error]] = {
    "ZW_E_ARG": ArgumentError,
    "ZW_E_MODEL": ModelError,
    "ZW_E_MEMORY": OutOfMemoryError,
    "ZW_E_LIMIT": ModelError,
    "ZW_E_DIVERGED": DivergedError,
    "ZW_E_CONVERGENCE": ConvergenceError,
    "ZW_E_RANK": ConstraintError,
    "ZW_E_STEP": ModelError,
    "ZW_E_UNSUPPORTED": ModelError,
    "ZW_E_IO": InputError,
    "ZW_E_NO_INPUT": NotFoundError,
    "ZW_E_FORMAT": InputError,
    "ZW_E_EXISTS": ExistsError,
    "ZW_E_BUSY": InputError,
    "ZW_E_MISMATCH": MismatchError,
    "ZW_E_CANCELLED": CancelledError,
}
_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING)


def failure(code: str, sentence: str, items: list[tuple]) -> Error:
    """The exception for a status and its errors; called by the extension."""
    return _CLASSES.get(code, Error)(code, tuple(Fault(*item) for item in items), sentence)


def log(level: int, text: str) -> None:
    """What the library remarks on its way; called by the extension."""
    _logger.log(_LEVELS[level], "%s", text)
