"""Generated routes of tourists through a town, to try things on.

Valls and Gomez-Alonso's application is routes of tourists; their data could not be obtained.
How routes are drawn here is this project's own:

1. So many plans are drawn. A plan is 3 to 6 different sights (each number equally likely) in the
   order drawn.
2. Each route follows one of the plans (each equally likely). Each sight of it is left out with
   probability 1/8. With probability 1/4, if two are left, a sight and the next change places;
   then with probability 1/4 any sight is put anywhere: so a route can come to one twice.

>>> from refagg.language.random_stream import scripted
>>> draws = [0] + [3, 1, 0]  # one plan: 3 sights
>>> draws += [0] + [5, 0, 7]  # the route: the second sight is left out
>>> draws += [0, 0]  # the first of the two changes places with the next
>>> draws += [1]  # nothing is put in
>>> routes_from(scripted(draws), n=1, plans=1)
[('beach', 'fair')]
"""

from __future__ import annotations

from refagg.data.kinds import Events
from refagg.errors import InvalidParameter
from refagg.language.random_stream import RandomStream, seeded

SIGHTS = (
    "beach",
    "castle",
    "cathedral",
    "fair",
    "garden",
    "harbour",
    "market",
    "museum",
    "park",
    "quay",
    "theatre",
    "tower",
)
PLAN_LENGTHS = (3, 4, 5, 6)
ROUTES_SEED = 2008


def routes(n: int = 60, plans: int = 10, seed: int = ROUTES_SEED) -> list[Events]:
    """n routes, the same for the same arguments on every platform. Raises InvalidParameter."""
    for name, given in (("n", n), ("plans", plans)):
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise InvalidParameter(f"{name} is {given!r}; it must be an integer of at least 1")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InvalidParameter(f"the seed is {seed!r}; it must be an integer")
    return routes_from(seeded(seed), n, plans)


def routes_from(stream: RandomStream, n: int, plans: int) -> list[Events]:
    """n routes drawn from a random stream."""
    # 1.
    planned = [
        stream.sample(SIGHTS, PLAN_LENGTHS[stream.randbelow(len(PLAN_LENGTHS))])
        for _ in range(plans)
    ]
    # 2.
    return [_followed(planned[stream.randbelow(plans)], stream) for _ in range(n)]


def _followed(plan: list[str], stream: RandomStream) -> Events:
    route = [sight for sight in plan if stream.randbelow(8) != 0]
    if stream.randbelow(4) == 0 and len(route) > 1:
        i = stream.randbelow(len(route) - 1)
        route[i], route[i + 1] = route[i + 1], route[i]
    if stream.randbelow(4) == 0:
        route.insert(stream.randbelow(len(route) + 1), SIGHTS[stream.randbelow(len(SIGHTS))])
    return tuple(route)
