"""Generated data: drawn from a fixed seed, the same on every platform."""

from __future__ import annotations

from refagg.data.tables import Table, table_of
from refagg.errors import InvalidParameter
from refagg.language.random_stream import RandomStream, seeded

SYNTHETIC_KINDS = ("clustered", "scattered")
SYNTHETIC_SEED = 2006
EXTENT = 10_000
RADIUS = 100
CLUSTER_SIZES = (3, 4, 5)


def synthetic(kind: str, n: int = 1000, attributes: int = 2, seed: int = SYNTHETIC_SEED) -> Table:
    """n random records of integers, the same for the same arguments on every platform.

    "scattered": every value is uniform on -EXTENT .. EXTENT.
    "clustered": the centre of a cluster is such a record; the cluster has one of CLUSTER_SIZES
    records, each differing from the centre by a uniform -RADIUS .. RADIUS in every attribute;
    clusters are drawn until there are n records (the last may be cut), and the records shuffled.

    The kinds have their names from simulated data in the literature (Solanas and
    Martinez-Balleste 2006, and Martinez-Balleste et al.), whose exact description could not be
    obtained: the definitions above are this project's own.

    Raises InvalidParameter.
    """
    if kind not in SYNTHETIC_KINDS:
        raise InvalidParameter(f"the kind is {kind!r}; it can be {', '.join(SYNTHETIC_KINDS)}")
    for name, given in (("n", n), ("attributes", attributes)):
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            raise InvalidParameter(f"{name} is {given!r}; it must be an integer of at least 1")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InvalidParameter(f"the seed is {seed!r}; it must be an integer")
    stream = seeded(seed)
    if kind == "scattered":
        return table_of([_around(0, EXTENT, attributes, stream) for _ in range(n)])
    return table_of(_clustered(n, attributes, stream))


def _clustered(n: int, attributes: int, stream: RandomStream) -> list[list[int]]:
    records: list[list[int]] = []
    while len(records) < n:
        centre = _around(0, EXTENT, attributes, stream)
        for _ in range(CLUSTER_SIZES[stream.randbelow(len(CLUSTER_SIZES))]):
            shift = _around(0, RADIUS, attributes, stream)
            records.append([c + s for c, s in zip(centre, shift, strict=True)])
    return stream.sample(records[:n], n)


def _around(middle: int, reach: int, attributes: int, stream: RandomStream) -> list[int]:
    """One uniform draw of middle - reach .. middle + reach for each attribute."""
    return [middle - reach + stream.randbelow(2 * reach + 1) for _ in range(attributes)]
