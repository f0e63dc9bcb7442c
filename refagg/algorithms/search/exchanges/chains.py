"""Chains: a unit goes to another group, which lets go of one of its own, and so on."""

from __future__ import annotations

from heapq import nsmallest

from refagg.algorithms.search.exchanges.state import (
    Bunch,
    Exchange,
    Instance,
    State,
    Terms,
    Unit,
    Units,
)

DEPTH = 6
"""A chain moves so many units at most."""

BEAM = 5
"""So many chains of each length are continued."""


def chains(state: State, bunch: Bunch) -> Exchange | None:
    """Moves of a unit, swaps of two, and chains of up to DEPTH that cost less than nothing."""
    for unit, link in zip(bunch.units, bunch.links, strict=True):
        exchange = _chain_from(state, bunch, unit, link)
        if exchange:
            return exchange
    return None


def _chain_from(state: State, bunch: Bunch, unit: Unit, link: int) -> Exchange | None:
    """The first length of chain from this unit that gains, and the best of that length.

    A chain ends by filling the place that its first unit left, or, where the first group
    can do without that unit, by joining a group that has room.
    """
    instance = state.instance
    share = instance.shares[bunch.size - instance.weights[unit]]
    left_pairs = bunch.pairs - link - instance.inner[unit]
    leaving = share * left_pairs - bunch.cost if share else None
    limit = max(0, -(leaving or 0))
    front: list[tuple[int, Units]] = [(0, (unit,))]
    for _ in range(DEPTH):
        best = 0
        ending: tuple[Units, Bunch | None] | None = None
        longer: list[tuple[int, Units]] = []
        for spent, units in front:
            filling = _filling(instance, bunch, unit, units[-1])
            if filling is not None and spent + filling < best:
                best, ending = spent + filling, (units, None)
            joining, host = _lengthen(state, spent, units, limit, longer)
            if leaving is not None and host and joining + leaving < best:
                best, ending = joining + leaving, (units, host)
        if ending:
            return _chain_exchange(state, *ending)
        front = nsmallest(BEAM, longer)
    return None


def _filling(instance: Instance, bunch: Bunch, out: Unit, unit: Unit) -> int | None:
    """What it costs the bunch to have the unit for another; None if that is impossible."""
    if unit == out:
        return None
    for cost, other in _terms(instance, bunch, unit).replacing:
        if other == out:
            return cost
    return None


def _lengthen(
    state: State, spent: int, units: Units, limit: int, longer: list[tuple[int, Units]]
) -> tuple[int, Bunch | None]:
    """Add to `longer` the chains with one unit more that have spent less than the limit.

    Returns the least cost of ending in a group that has room, and the group.
    """
    instance, bunch_of = state.instance, state.bunch_of
    last = units[-1]
    least, host = 0, None
    passed = [bunch_of[unit] for unit in units]
    for bunch in dict.fromkeys([bunch_of[other] for other in instance.near[last]]):
        if bunch in passed:
            continue
        terms = bunch.terms.get(last) or _terms(instance, bunch, last)
        if terms.joining is not None and (host is None or spent + terms.joining < least):
            least, host = spent + terms.joining, bunch
        for cost, out in terms.replacing:
            if spent + cost < limit:
                longer.append((spent + cost, (*units, out)))
    return least, host


def _terms(instance: Instance, bunch: Bunch, unit: Unit) -> Terms:
    """The terms on which the bunch takes in a unit of another."""
    known = bunch.terms.get(unit)
    if known:
        return known
    weights, inner, shares, row = (
        instance.weights,
        instance.inner,
        instance.shares,
        instance.rows[unit],
    )
    distances = [row[other] for other in bunch.units]
    pairs = bunch.pairs + sum(distances) + inner[unit]
    size = bunch.size + weights[unit]
    replacing = []
    for out, link, distance in zip(bunch.units, bunch.links, distances, strict=True):
        share = shares[size - weights[out]]
        if share:
            replacing.append((share * (pairs - link - distance - inner[out]) - bunch.cost, out))
    joining = shares[size] * pairs - bunch.cost if shares[size] else None
    terms = bunch.terms[unit] = Terms(joining, replacing)
    return terms


def _chain_exchange(state: State, chain: Units, host: Bunch | None) -> Exchange:
    """Each unit takes the place of the next; the last joins the host, or takes the first's."""
    old = [state.bunch_of[unit] for unit in chain]
    arriving: list[Units] = [chain[-1:] if host is None else (), *[(unit,) for unit in chain[:-1]]]
    new = [
        (*[unit for unit in bunch.units if unit != leaving], *joining)
        for bunch, leaving, joining in zip(old, chain, arriving, strict=True)
    ]
    if host:
        old.append(host)
        new.append((*host.units, chain[-1]))
    return Exchange(old, new)
