"""More groups, or fewer: one is dissolved, founded, or split."""

from __future__ import annotations

from refagg.algorithms.search.exchanges.divisions import MOST_UNITS
from refagg.algorithms.search.exchanges.state import Bunch, Exchange, State, Unit, Units


def dissolution(state: State, bunch: Bunch) -> Exchange | None:
    """The units of the bunch go to other groups, if that costs less."""
    return _if_cheaper(state, dissolved(state, bunch))


def dissolved(state: State, bunch: Bunch) -> Exchange | None:
    """Each unit in turn joins the group with room where it adds least; None if there is none."""
    instance = state.instance
    hosts: dict[Bunch, Units] = {}
    for unit in bunch.units:
        row, best = instance.rows[unit], None
        for host in dict.fromkeys([state.bunch_of[other] for other in instance.near[unit]]):
            units = hosts.get(host, host.units)
            size = sum([instance.weights[other] for other in units]) + instance.weights[unit]
            if host is bunch or size > instance.largest:
                continue
            # An average distance: what a group gains when it is large anyway.
            added = instance.shares[size] * sum([row[other] for other in units])
            if best is None or added < best[0]:
                best = (added, host, (*units, unit))
        if best is None:
            return None
        hosts[best[1]] = best[2]
    return Exchange([bunch, *hosts], list(hosts.values()))


def founding(state: State, bunch: Bunch) -> Exchange | None:
    """A new group of units that other groups can do without, if that costs less."""
    for unit in bunch.units:
        exchange = _if_cheaper(state, founded(state, unit))
        if exchange:
            return exchange
    return None


def founded(state: State, unit: Unit) -> Exchange | None:
    """A unit founds a group with the nearest that their groups can do without."""
    instance = state.instance
    size, founders = 0, []
    left: dict[Bunch, int] = {}
    for other in (unit, *instance.near[unit]):
        bunch, weight = state.bunch_of[other], instance.weights[other]
        remaining = left.get(bunch, bunch.size) - weight
        if remaining >= instance.k and size + weight <= instance.largest:
            left[bunch] = remaining
            founders.append(other)
            size += weight
        elif other == unit:
            return None
        if size >= instance.k:
            staying = [tuple([u for u in old.units if u not in founders]) for old in left]
            return Exchange(list(left), [tuple(founders), *staying])
    return None


def splitting(state: State, bunch: Bunch) -> Exchange | None:
    """A bunch too large to be divided in every way is divided between two distant units."""
    instance = state.instance
    if bunch.size < 2 * instance.k or len(bunch.units) <= MOST_UNITS:
        return None
    first = bunch.units[bunch.links.index(max(bunch.links))]
    last = max(bunch.units, key=instance.rows[first].__getitem__)
    near, far = instance.rows[first], instance.rows[last]
    order = sorted(bunch.units, key=lambda unit: near[unit] - far[unit])
    size = 0
    for position, unit in enumerate(order, 1):
        size += instance.weights[unit]
        if instance.shares[size] and instance.shares[bunch.size - size]:
            parts = Exchange([bunch], [tuple(order[:position]), tuple(order[position:])])
            exchange = _if_cheaper(state, parts)
            if exchange:
                return exchange
    return None


def _if_cheaper(state: State, exchange: Exchange | None) -> Exchange | None:
    """The exchange, if it lowers the cost."""
    if exchange is None:
        return None
    cost = sum(state.make(units).cost for units in exchange.new)
    return exchange if cost < sum(bunch.cost for bunch in exchange.old) else None
