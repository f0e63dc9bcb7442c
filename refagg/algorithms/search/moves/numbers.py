"""More groups, or fewer: one is dissolved, formed, or split."""

from __future__ import annotations

from refagg.algorithms.search.moves.divisions import MOST_UNITS
from refagg.algorithms.search.moves.state import Exchange, Group, State, Unit, Units


def dissolution(state: State, group: Group) -> Exchange | None:
    """Return the dissolution of the group, if that costs less.

    Its units go to other groups.
    """
    return _if_cheaper(state, group_dissolved(state, group))


def group_dissolved(state: State, group: Group) -> Exchange | None:
    """Return the exchange that dissolves a group.

    Each unit in turn joins the group with free capacity where it adds least; None if there is none.
    """
    instance = state.instance
    hosts: dict[Group, Units] = {}
    for unit in group.units:
        row, best = instance.rows[unit], None
        for host in dict.fromkeys([state.group_of[other] for other in instance.near[unit]]):
            units = hosts.get(host, host.units)
            size = sum([instance.weights[other] for other in units]) + instance.weights[unit]
            if host is group or size > instance.largest:
                continue
            # An average distance: what a group gains when it is large anyway.
            added = instance.shares[size] * sum([row[other] for other in units])
            if best is None or added < best[0]:
                best = (added, host, (*units, unit))
        if best is None:
            return None
        hosts[best[1]] = best[2]
    return Exchange([group, *hosts], list(hosts.values()))


def formation(state: State, group: Group) -> Exchange | None:
    """Return the formation of a new group, if that costs less.

    Its units are those that other groups can do without.
    """
    for unit in group.units:
        exchange = _if_cheaper(state, formed(state, unit))
        if exchange:
            return exchange
    return None


def formed(state: State, unit: Unit) -> Exchange | None:
    """Return the exchange in which a unit forms a group.

    It does so with the nearest units that their groups can do without.
    """
    instance = state.instance
    size, members = 0, []
    left: dict[Group, int] = {}
    for other in (unit, *instance.near[unit]):
        group, weight = state.group_of[other], instance.weights[other]
        remaining = left.get(group, group.size) - weight
        if remaining >= instance.k and size + weight <= instance.largest:
            left[group] = remaining
            members.append(other)
            size += weight
        elif other == unit:
            return None
        if size >= instance.k:
            staying = [tuple([u for u in old.units if u not in members]) for old in left]
            return Exchange(list(left), [tuple(members), *staying])
    return None


def splitting(state: State, group: Group) -> Exchange | None:
    """Divide a large group between two distant units.

    The group is too large to be divided in every way.
    """
    instance = state.instance
    if group.size < 2 * instance.k or len(group.units) <= MOST_UNITS:
        return None
    first = group.units[group.links.index(max(group.links))]
    last = max(group.units, key=instance.rows[first].__getitem__)
    near, far = instance.rows[first], instance.rows[last]
    order = sorted(group.units, key=lambda unit: near[unit] - far[unit])
    size = 0
    for position, unit in enumerate(order, 1):
        size += instance.weights[unit]
        if instance.shares[size] and instance.shares[group.size - size]:
            parts = Exchange([group], [tuple(order[:position]), tuple(order[position:])])
            exchange = _if_cheaper(state, parts)
            if exchange:
                return exchange
    return None


def _if_cheaper(state: State, exchange: Exchange | None) -> Exchange | None:
    """The exchange, if it lowers the cost."""
    if exchange is None:
        return None
    cost = sum(state.make(units).cost for units in exchange.new)
    return exchange if cost < sum(group.cost for group in exchange.old) else None
