"""The adapter of an implementation: a function in this process, or a program of its own."""

from __future__ import annotations

from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.programs import Program

from .animal import Animal


def adapter_of(animal: Animal) -> Program | Function:
    return Program(animal.command) if animal.command else Function(animal.program)
