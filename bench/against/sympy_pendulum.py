#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SymPy's way from the energies of an n-link pendulum to its first accelerations.

usage: sympy_pendulum.py lagrange|kane LINKS   prints: seconds to derive, to compile (lambdify with cse), to evaluate once (numpy), in all; accelerations

The import of SymPy does not count. The links are uniform rods; angles are absolute; the start is horizontal at rest.
"""
import sys
import time

import numpy
import sympy
from sympy.physics.mechanics import (KanesMethod, LagrangesMethod, Lagrangian, Point, ReferenceFrame, RigidBody, dynamicsymbols,
                                     inertia)


def bodies(n, frame, origin, q, u, m, length):
    """Rods with their angles q; rates u (Kane) or the derivatives of q (Lagrange)."""
    made, joint = [], origin
    for i in range(n):
        turned = frame.orientnew(f"A{i}", "Axis", [q[i], -frame.y])
        turned.set_ang_vel(frame, -u[i] * frame.y)
        middle = joint.locatenew(f"G{i}", -length / 2 * turned.z)
        middle.v2pt_theory(joint, frame, turned)
        end = joint.locatenew(f"J{i + 1}", -length * turned.z)
        end.v2pt_theory(joint, frame, turned)
        made.append(RigidBody(f"B{i}", middle, turned, m, (inertia(turned, 0, m * length**2 / 12, 0), middle)))
        joint = end
    return made


def main():
    method, n = sys.argv[1], int(sys.argv[2])
    start = time.process_time()
    m, length, g, t = sympy.symbols("m l g t")
    q = dynamicsymbols(f"q1:{n + 1}")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    if method == "kane":
        u = dynamicsymbols(f"u1:{n + 1}")
        rods = bodies(n, frame, origin, q, u, m, length)
        loads = [(rod.masscenter, -m * g * frame.z) for rod in rods]
        kane = KanesMethod(frame, q, u, [u[i] - q[i].diff() for i in range(n)])
        kane.kanes_equations(rods, loads)
        mass, forcing, speeds = kane.mass_matrix_full, kane.forcing_full, list(u)
    else:
        rates = [x.diff() for x in q]
        rods = bodies(n, frame, origin, q, rates, m, length)
        for rod in rods:
            rod.potential_energy = m * g * rod.masscenter.pos_from(origin).dot(frame.z)
        lagrange = LagrangesMethod(Lagrangian(frame, *rods), q)
        lagrange.form_lagranges_equations()
        mass, forcing, speeds = lagrange.mass_matrix_full, lagrange.forcing_full, rates
    derived = time.process_time()
    plain = sympy.symbols(f"v1:{n + 1}")
    change = dict(zip(speeds, plain))
    angles = sympy.symbols(f"a1:{n + 1}")
    mass, forcing = (e.subs(change).subs(dict(zip(q, angles))) for e in (mass, forcing))
    function = sympy.lambdify([angles, plain, m, length, g], [mass, forcing], modules="numpy", cse=True)
    compiled = time.process_time()
    M, f = function([numpy.pi / 2] * n, [0.0] * n, 1.0, 0.5, 9.81)
    a = numpy.linalg.solve(numpy.array(M, float), numpy.array(f, float).ravel())[n:]
    done = time.process_time()
    print(derived - start, compiled - derived, done - compiled, done - start)
    print(*a)


if __name__ == "__main__":
    main()
