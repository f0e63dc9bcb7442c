"""Good partitions from any start, in exact arithmetic.

Nothing here proves anything: a result is a feasible partition, no worse than the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from refagg.algorithms.search.moves import numbers
from refagg.algorithms.search.moves.chains import chains
from refagg.algorithms.search.moves.constraints import Constraints
from refagg.algorithms.search.moves.divisions import pairs_anew, triples_anew
from refagg.algorithms.search.moves.state import (
    Exchange,
    Group,
    Matrix,
    State,
    checked_state,
    near_groups,
)
from refagg.language.partition import Partition
from refagg.language.random_stream import RandomStream

Stop = Callable[[], bool]

Neighbourhood = Callable[[State, Group], Exchange | None]

NEIGHBOURHOODS: tuple[Neighbourhood, ...] = (
    chains,
    pairs_anew,
    numbers.dissolution,
    numbers.formation,
    numbers.splitting,
    triples_anew,
)
"""Tried in this order: the cheapest to search first."""


def improved(
    problem: Constraints,
    rows: Matrix,
    start: Partition,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Partition:
    """Return the partition reached from `start` by improving exchanges.

    Each exchange lowers the SSE. `rows[i][j]` is the squared distance of two records, an integer in
    any unit. It ends when no neighbourhood has an exchange that gains, or after `seconds`, or as
    soon as `stop()` is true. Raises InvalidPartition unless `start` is feasible.
    """
    state = checked_state(problem, rows, start)
    descend_fully(state, stopping(seconds, stop))
    return state.partition()


def descend_fully(state: State, stop_now: Stop) -> None:
    """Descend until no group has an exchange that gains."""
    before = None
    while state.total != before and not stop_now():
        before = state.total
        descend(state, state.groups(), stop_now)


def descend(
    state: State,
    groups: Iterable[Group],
    stop_now: Stop,
    neighbourhoods: Sequence[Neighbourhood] = NEIGHBOURHOODS,
) -> None:
    """Carry out exchanges that gain, around these groups.

    Groups that come of them are searched too.
    """
    waiting: list[dict[Group, None]] = [{} for _ in range(len(neighbourhoods) + 1)]
    waiting[0].update(dict.fromkeys(groups))
    while any(waiting[:-1]) and not stop_now():
        level = next(level for level, some in enumerate(waiting) if some)
        group = next(iter(waiting[level]))
        del waiting[level][group]
        if not state.alive(group):
            continue
        exchange = neighbourhoods[level](state, group)
        if exchange:
            waiting[0].update(dict.fromkeys(state.carry_out(exchange)))
            if state.watch:
                state.watch(state.partition())
        else:
            waiting[level + 1][group] = None


def stopping(seconds: float | None, stop: Stop | None) -> Stop:
    """Return a test that is True after `seconds` or by `stop`."""
    end = None if seconds is None else monotonic() + seconds
    return lambda: bool((end is not None and monotonic() >= end) or (stop and stop()))


# Iterated local search


def iterated(
    problem: Constraints,
    rows: Matrix,
    start: Partition,
    *,
    rounds: Iterable[int],
    stream: RandomStream,
    watch: Callable[[Partition], None] | None = None,
) -> Partition:
    """Descend from `start`, then disturb groups and descend again.

    In each round a few groups are disturbed, and the descent goes on from there. What a round leads
    to is kept unless it costs more. The same random stream gives the same result. `watch` is told
    each partition on the way. Raises InvalidPartition unless `start` is feasible.
    """
    state = checked_state(problem, rows, start)
    forever = stopping(None, None)
    state.watch = watch
    descend_fully(state, forever)
    state.watch = None
    for _ in rounds:
        total = state.total
        perturbed(state, stream, forever)
        if watch and state.total < total:
            watch(state.partition())
    state.watch = watch
    descend_fully(state, forever)
    return state.partition()


def perturbed(state: State, stream: RandomStream, stop_now: Stop) -> None:
    """One round of `iterated`."""
    group_of, total = list(state.group_of), state.total
    exchange = _perturbation(state, stream)
    if exchange is None:
        return
    descend(state, state.carry_out(exchange), stop_now, (chains,))
    if state.total > total:
        state.group_of, state.total = group_of, total


def _perturbation(state: State, stream: RandomStream) -> Exchange | None:
    """Return a random perturbation.

    A group drawn by lot is dissolved, or a new one formed, or units are swapped by lot.
    """
    unit = stream.randbelow(len(state.group_of))
    way = stream.randbelow(4)
    if way == 0:
        return numbers.group_dissolved(state, state.group_of[unit])
    if way == 1:
        return numbers.formed(state, unit)
    return _mixed(state, state.group_of[unit], stream)


def _mixed(state: State, group: Group, stream: RandomStream) -> Exchange | None:
    """Return random swaps among a group and neighbours.

    The units swapped have the same weight.
    """
    others = near_groups(state, group, 8)
    if not others:
        return None
    old = [group, *stream.sample(others, min(len(others), 1 + stream.randbelow(4)))]
    new = [list(b.units) for b in old]
    weights = state.instance.weights
    for _ in range(3 + stream.randbelow(6)):
        a, b = stream.sample(new, 2)
        i, j = stream.randbelow(len(a)), stream.randbelow(len(b))
        if weights[a[i]] == weights[b[j]]:
            a[i], b[j] = b[j], a[i]
    return Exchange(old, list(map(tuple, new)))
