"""Changed lines of local search; the right one draws from the same random stream."""

from __future__ import annotations

from .mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant("no group is ever disturbed", "local-search", "rounds=every", "rounds=()"),
    Mutant(
        "the start is always MDAV",
        "local-search",
        "STARTS[start].run(",
        'STARTS["mdav"].run(',
        parameters=(("rounds", 0),),
    ),
    Mutant(
        "what a disturbance leads to is kept where it costs more, and not where it costs less",
        "local-search",
        "if state.total > total:",
        "if state.total < total:",
        "moves.descent",
    ),
)
