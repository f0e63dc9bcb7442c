"""The adapter of an implementation: a function in this process, or a program of its own."""

from __future__ import annotations

from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.programs import Program

from .implementation import Implementation


def adapter_of(implementation: Implementation) -> Program | Function:
    return (
        Program(implementation.command)
        if implementation.command
        else Function(implementation.program)
    )
