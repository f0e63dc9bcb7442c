"""Good partitions from any start, in exact arithmetic.

Nothing here proves anything: a result is a feasible partition, no worse than the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from refagg.algorithms.search.exchanges.chains import chains
from refagg.algorithms.search.exchanges.constraints import Constraints
from refagg.algorithms.search.exchanges.divisions import pairs_anew, triples_anew
from refagg.algorithms.search.exchanges.numbers import (
    dissolution,
    dissolved,
    founded,
    founding,
    splitting,
)
from refagg.algorithms.search.exchanges.state import (
    Bunch,
    Exchange,
    Matrix,
    State,
    checked_state,
    near_bunches,
)
from refagg.language.partition import Partition
from refagg.language.random_stream import RandomStream

Halt = Callable[[], bool]

Neighbourhood = Callable[[State, Bunch], Exchange | None]

NEIGHBOURHOODS: tuple[Neighbourhood, ...] = (
    chains,
    pairs_anew,
    dissolution,
    founding,
    splitting,
    triples_anew,
)
"""Tried in this order: the cheapest to search first."""


def improved(
    problem: Constraints,
    rows: Matrix,
    start: Partition,
    *,
    seconds: float | None = None,
    stop: Halt | None = None,
) -> Partition:
    """The partition that is reached from `start` by exchanges that each lower the SSE.

    `rows[i][j]` is the squared distance of two records, a whole number in any unit. It ends
    when no neighbourhood has an exchange that gains, or after so many seconds, or as soon as
    `stop()` is true. Raises InvalidPartition unless `start` is feasible.
    """
    state = checked_state(problem, rows, start)
    descend_fully(state, halting(seconds, stop))
    return state.partition()


def descend_fully(state: State, halt: Halt) -> None:
    """Descend until no bunch has an exchange that gains."""
    before = None
    while state.total != before and not halt():
        before = state.total
        descend(state, state.bunches(), halt)


def descend(
    state: State,
    bunches: Iterable[Bunch],
    halt: Halt,
    neighbourhoods: Sequence[Neighbourhood] = NEIGHBOURHOODS,
) -> None:
    """Carry out exchanges that gain, around these bunches and those that come of them."""
    waiting: list[dict[Bunch, None]] = [{} for _ in range(len(neighbourhoods) + 1)]
    waiting[0].update(dict.fromkeys(bunches))
    while any(waiting[:-1]) and not halt():
        level = next(level for level, some in enumerate(waiting) if some)
        bunch = next(iter(waiting[level]))
        del waiting[level][bunch]
        if not state.alive(bunch):
            continue
        exchange = neighbourhoods[level](state, bunch)
        if exchange:
            waiting[0].update(dict.fromkeys(state.carry_out(exchange)))
        else:
            waiting[level + 1][bunch] = None


def halting(seconds: float | None, stop: Halt | None) -> Halt:
    """Is the time over, from now on, or has `stop` become true?"""
    end = None if seconds is None else monotonic() + seconds
    return lambda: bool((end is not None and monotonic() >= end) or (stop and stop()))


# Iterated local search


def iterated(
    problem: Constraints,
    rows: Matrix,
    start: Partition,
    *,
    rounds: int,
    tape: RandomStream,
    seconds: float | None = None,
) -> Partition:
    """Descend from `start`; then, in each round, disturb a few groups and descend from there.

    What a round leads to is kept unless it costs more. The same tape gives the same result,
    unless the time ends first. Raises InvalidPartition unless `start` is feasible.
    """
    state = checked_state(problem, rows, start)
    halt = halting(seconds, None)
    descend_fully(state, halt)
    for _ in range(rounds):
        if halt():
            break
        disturbed(state, tape, halt)
    descend_fully(state, halt)
    return state.partition()


def disturbed(state: State, tape: RandomStream, halt: Halt) -> None:
    """One round of `iterated`."""
    bunch_of, total = list(state.bunch_of), state.total
    exchange = _disturbance(state, tape)
    if exchange is None:
        return
    descend(state, state.carry_out(exchange), halt, (chains,))
    if state.total > total:
        state.bunch_of, state.total = bunch_of, total


def _disturbance(state: State, tape: RandomStream) -> Exchange | None:
    """A group drawn by lot is dissolved, or a new one founded, or units are swapped by lot."""
    unit = tape.randbelow(len(state.bunch_of))
    way = tape.randbelow(4)
    if way == 0:
        return dissolved(state, state.bunch_of[unit])
    if way == 1:
        return founded(state, unit)
    return _mixed(state, state.bunch_of[unit], tape)


def _mixed(state: State, bunch: Bunch, tape: RandomStream) -> Exchange | None:
    """Some swaps by lot among a bunch and neighbours, of units of the same weight."""
    others = near_bunches(state, bunch, 8)
    if not others:
        return None
    old = [bunch, *tape.sample(others, min(len(others), 1 + tape.randbelow(4)))]
    new = [list(b.units) for b in old]
    weights = state.instance.weights
    for _ in range(3 + tape.randbelow(6)):
        a, b = tape.sample(new, 2)
        i, j = tape.randbelow(len(a)), tape.randbelow(len(b))
        if weights[a[i]] == weights[b[j]]:
            a[i], b[j] = b[j], a[i]
    return Exchange(old, list(map(tuple, new)))
