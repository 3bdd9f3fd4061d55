# SPDX-License-Identifier: Apache-2.0
"""zwang: simulation of constrained mechanical systems.

    import zwang
    model = zwang.load("beam.yaml", set={"L": 2})
    results = zwang.run(model)                    # in memory; zwang.run(model, "out") writes a directory as the program does
    results.time, results["rod/beam/position"]    # NumPy arrays (time, node, 3), SI units

    simulation = model.start()
    x = simulation.rods["beam"].position          # shares the simulation's memory
    while not simulation.done:
        simulation.step(100)
        print(simulation.t, x[-1])
"""
from . import _zwang
from ._errors import (ArgumentError, CancelledError, ConstraintError, ConvergenceError, DivergedError, Error, ExistsError, Fault, InputError,
                      MismatchError, ModelError, NotFoundError, OutOfMemoryError, RunError)
from ._events import Contact, Event, Events, JointImpulse
from ._model import Model, load
from ._results import Channel, Epoch, Ragged, Results, open, run
from ._simulation import Rod, Rods, Simulation

__version__: str = _zwang.version
__all__ = ["ArgumentError", "CancelledError", "Channel", "ConstraintError", "Contact", "ConvergenceError", "DivergedError", "Epoch", "Error", "Event", "Events",
           "ExistsError", "Fault", "InputError", "JointImpulse", "MismatchError", "Model", "ModelError", "NotFoundError", "OutOfMemoryError", "Ragged", "Results", "Rod", "Rods", "RunError", "Simulation",
           "load", "open", "run"]
