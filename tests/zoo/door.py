"""The door to an animal: a function in this process, or a program of its own."""

from __future__ import annotations

from oracle.conformance.transport.doors import Program
from oracle.conformance.transport.functions import Function

from .animal import Animal


def door_of(animal: Animal) -> Program | Function:
    return Program(animal.command) if animal.command else Function(animal.program)
