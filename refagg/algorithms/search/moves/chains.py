"""Chains: a unit moves to a group, which releases another unit.

This other unit moves to the next group, and so on.
"""

from __future__ import annotations

from heapq import nsmallest

from refagg.algorithms.search.moves.state import (
    Exchange,
    Group,
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


def chains(state: State, group: Group) -> Exchange | None:
    """Return a move, swap or chain that costs less than nothing.

    It moves a unit, swaps two, or is a chain of up to DEPTH.
    """
    for unit, link in zip(group.units, group.links, strict=True):
        exchange = _chain_from(state, group, unit, link)
        if exchange:
            return exchange
    return None


def _chain_from(state: State, group: Group, unit: Unit, link: int) -> Exchange | None:
    """Return the best gaining chain of least length from this unit.

    The first length with a chain that gains is taken, and the best chain of that length. A chain
    ends by filling the place that its first unit left, or, where the first group can do without
    that unit, by joining a group that has free capacity.
    """
    instance = state.instance
    share = instance.shares[group.size - instance.weights[unit]]
    left_pairs = group.pairs - link - instance.inner[unit]
    leaving = share * left_pairs - group.cost if share else None
    limit = max(0, -(leaving or 0))
    front: list[tuple[int, Units]] = [(0, (unit,))]
    for _ in range(DEPTH):
        best = 0
        ending: tuple[Units, Group | None] | None = None
        longer: list[tuple[int, Units]] = []
        for spent, units in front:
            filling = _filling(instance, group, unit, units[-1])
            if filling is not None and spent + filling < best:
                best, ending = spent + filling, (units, None)
            joining, host = _lengthen(state, spent, units, limit, longer)
            if leaving is not None and host and joining + leaving < best:
                best, ending = joining + leaving, (units, host)
        if ending:
            return _chain_exchange(state, *ending)
        front = nsmallest(BEAM, longer)
    return None


def _filling(instance: Instance, group: Group, out: Unit, unit: Unit) -> int | None:
    """Return the cost of replacing `out` of the group by `unit`.

    None if that is not allowed.
    """
    if unit == out:
        return None
    for cost, other in _terms(instance, group, unit).replacing:
        if other == out:
            return cost
    return None


def _lengthen(
    state: State, spent: int, units: Units, limit: int, longer: list[tuple[int, Units]]
) -> tuple[int, Group | None]:
    """Add the chains with one unit more to `longer`.

    These are the chains that have spent less than the limit.

    Returns the least cost of ending in a group that has free capacity, and the group.
    """
    instance, group_of = state.instance, state.group_of
    last = units[-1]
    least, host = 0, None
    passed = [group_of[unit] for unit in units]
    for group in dict.fromkeys([group_of[other] for other in instance.near[last]]):
        if group in passed:
            continue
        terms = group.terms.get(last) or _terms(instance, group, last)
        if terms.joining is not None and (host is None or spent + terms.joining < least):
            least, host = spent + terms.joining, group
        for cost, out in terms.replacing:
            if spent + cost < limit:
                longer.append((spent + cost, (*units, out)))
    return least, host


def _terms(instance: Instance, group: Group, unit: Unit) -> Terms:
    """Return the costs of adding a unit, and of replacing each.

    The unit is one of another group, which replaces each unit of this group.
    """
    known = group.terms.get(unit)
    if known:
        return known
    weights, inner, shares, row = (
        instance.weights,
        instance.inner,
        instance.shares,
        instance.rows[unit],
    )
    distances = [row[other] for other in group.units]
    pairs = group.pairs + sum(distances) + inner[unit]
    size = group.size + weights[unit]
    replacing = []
    for out, link, distance in zip(group.units, group.links, distances, strict=True):
        share = shares[size - weights[out]]
        if share:
            replacing.append((share * (pairs - link - distance - inner[out]) - group.cost, out))
    joining = shares[size] * pairs - group.cost if shares[size] else None
    terms = group.terms[unit] = Terms(joining, replacing)
    return terms


def _chain_exchange(state: State, chain: Units, host: Group | None) -> Exchange:
    """Return the exchange of a chain.

    Each unit takes the place of the next; the last joins the host, or takes the first's.
    """
    old = [state.group_of[unit] for unit in chain]
    arriving: list[Units] = [chain[-1:] if host is None else (), *[(unit,) for unit in chain[:-1]]]
    new = [
        (*[unit for unit in group.units if unit != leaving], *joining)
        for group, leaving, joining in zip(old, chain, arriving, strict=True)
    ]
    if host:
        old.append(host)
        new.append((*host.units, chain[-1]))
    return Exchange(old, new)
