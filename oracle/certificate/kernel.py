"""Check of an optimality certificate in exact arithmetic, from the data alone.

docs/soundness.md proves, lemma by lemma, that what is accepted is true. Nothing here knows a solver
or the code that made a proof. Costs are integers: squared distances rounded down to multiples of
1 / per_unit, added over the pairs of a group, times lcm(sizes) / size, times `parts`. A partition
that is cheaper than the one in the certificate costs at most the *target*.

Some classes are the format of docs/certificate.md: a JSON object has the keys of its class, all of
them and no others, and each value has the type of its field. What is not so is rejected with its
place. Functions that read untrusted files come last.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nsmallest
from io import BytesIO, StringIO
from itertools import accumulate, chain, combinations, starmap
from math import ceil, gcd, lcm
from operator import mul, sub
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

MOST_PACKED, MOST_BYTES, MOST_TIMES, ALLOWED = 200_000_000, 500_000_000, 110, 1 << 20
"""Bytes of a file as it is stored, and unpacked: at most this multiple, and some more."""

MOST_DIGITS, MOST_OBJECTS, DEEPEST = 2200, 100_000, 300
"""Digits of an integer, numerator, denominator or cell; objects; nodes above a node."""

MOST_GROUPS, MOST_STEPS, LONGEST, MOST_VECTOR, MOST_ENTRY = 2_000_000, 10**10, 160, 9_000, 10**6
"""Groups within the gap of duals; steps: records that could join a group, groups of a list, records
of cuts; digits of a squared distance in units of 1 / per_unit; entries of a vector, and the
greatest."""

Row = tuple[Fraction, ...]
Pair = tuple[int, int]
Group = tuple[int, ...]
Listed = list[tuple[int, Group]]
"""Whole costs and their groups."""


class Rejected(Exception):
    """The certificate does not prove its claim; the message says why."""


def demand(condition: object, reason: str) -> None:
    """Raise Rejected unless a condition holds."""
    if not condition:
        raise Rejected(reason)


class Duals(NamedTuple):
    """Prices of constraints, in multiples of a unit.

    The price of a cut comes with the number of the cut.
    """

    unit: int
    records: list[int]
    fewest: int
    most: int
    cuts: list[Pair]


class Leaf(NamedTuple):
    """Duals prove a bound, on costs that are rounded or exact."""

    filters: list[Duals]
    costs: Literal["rounded", "exact"]
    duals: Duals


class Division(NamedTuple):
    """The records of a pair share a group, or they do not."""

    filters: list[Duals]
    pair: Pair
    together: Node
    apart: Node


class Conic(NamedTuple):
    """Vectors that prove a bound, each with a scale; no filters."""

    filters: list[Duals]
    unit: int
    records: list[int]
    most: int
    scales: list[int]
    vectors: list[list[int]]
    triangles: list[tuple[int, int, int, int]]


Node = Leaf | Division | Conic


class Certificate(NamedTuple):
    """A claim and its proof."""

    format: Literal["refagg certificate 3"]
    records: int
    attributes: list[str]
    standardise: Literal["none", "population", "sample"]
    digest: str
    k: int
    largest: int
    together: list[Pair]
    apart: list[Pair]
    partition: list[list[int]]
    value: Fraction
    bound: Fraction
    per_unit: Fraction
    parts: int
    cuts: list[tuple[list[int], list[int], int]]
    proof: Node
    seal: str

    def __repr__(self) -> str:
        return f"<Certificate for {self.records} records, k = {self.k}>"


def check(c: Certificate, rows: Sequence[Row]) -> tuple[int, int]:
    """Accept a certificate for some rows; count nodes and groups.

    Raises Rejected, with reasons.
    """
    same = len(rows) == c.records and c.digest == data_digest(c.attributes, rows)
    demand(same, "certificate.digest: it is about other data")
    check_request(c)
    checker = Checker(c, Distances(rows, c.standardise, c.per_unit))
    checker.check_partition()
    proved = checker.node(c.proof, Scope(c.together, c.apart, None))
    bound = c.value if proved > checker.target else max(proved, 0) / checker.units
    demand(c.bound <= bound, f"certificate.bound: {c.bound!s:.60} is claimed, which is not proved")
    return checker.nodes, checker.groups


def check_request(c: Certificate) -> None:
    """Raise Rejected unless the parameters of a certificate make sense.

    Those are its sizes, scale, constraints and cuts.
    """
    n, known = c.records, set(range(c.records))
    sizes = 1 <= c.k <= c.largest <= n and c.per_unit > 0 and c.parts > 0
    demand(sizes, f"certificate: expected 1 <= k <= largest <= {n}, per_unit > 0, parts > 0")
    for pair in (*c.together, *c.apart):
        demand(len(known & {*pair}) == 2, f"certificate.together, apart: no pair: {pair!s:.60}")
    for i, (records, p, q) in enumerate(c.cuts):
        right = len(known & {*records}) == len(records) == len(p) and min([q - 1, *p]) >= 0
        demand(right, f"certificate.cuts[{i}]: expected different records, weights, a divisor")


def keeps(group: Group, asked: Certificate | Scope) -> bool:
    """Return True if a group keeps the constraints."""
    joined = all((a in group) == (b in group) for a, b in asked.together)
    return joined and not any(a in group and b in group for a, b in asked.apart)


class Distances:
    """Squared distances in units of 1 / per_unit.

    They have a common denominator (Lemmas 1 to 3).
    """

    def __init__(self, rows: Sequence[Row], standardise: str, per_unit: Fraction) -> None:
        finest = lcm(*(value.denominator for row in rows for value in row))
        self.points = [[int(value * finest) for value in row] for row in rows]
        columns = zip(*self.points, strict=True)
        factors = [per_unit * weight(column, standardise, finest) for column in columns]
        self.common = lcm(*(factor.denominator for factor in factors))
        self.factors = [int(factor * self.common) for factor in factors]

    def exact(self, i: int, j: int) -> int:
        """Return the squared distance of two records, times the common denominator."""
        gaps = list(map(sub, self.points[i], self.points[j]))
        return sum(map(mul, self.factors, map(mul, gaps, gaps)))

    def rounded(self) -> list[list[int]]:
        """Return the matrix of distances, rounded down.

        Raises Rejected for numbers of more than LONGEST digits.
        """
        rows: list[list[int]] = []
        for i in range(len(self.points)):
            rows.append([self.exact(i, j) // self.common for j in range(i)] + [0])
            demand(max(rows[i]) < 10**LONGEST, f"certificate.per_unit: limit of {LONGEST} digits")
        return [row + [later[i] for later in rows[i + 1 :]] for i, row in enumerate(rows)]


def weight(column: Sequence[int], standardise: str, finest: int) -> Fraction:
    """Return the weight of a squared difference.

    The values were multiplied by `finest`.
    """
    n = len(column)
    spread = n * sum(p * p for p in column) - sum(column) ** 2
    if standardise == "none":
        return Fraction(1, finest * finest)
    divisor = n if standardise == "population" else n - 1
    return Fraction(n * divisor, spread) if spread else Fraction(0)


class Scope(NamedTuple):
    """Groups of a node: those that keep the constraints.

    They are all such groups or, once groups are listed, the listed ones.
    """

    together: Sequence[Pair]
    apart: Sequence[Pair]
    groups: Listed | None


class Prices:
    """Duals in units of costs, with their bound (Lemmas 5 to 7).

    Raises Rejected.
    """

    def __init__(self, c: Certificate, duals: Duals, where: str) -> None:
        n, unit = c.records, duals.unit
        right = unit >= 1 and len(duals.records) == n and duals.fewest >= 0 >= duals.most
        right = right and len(dict(duals.cuts)) == len(duals.cuts)
        demand(right, f"{where}: expected {n} prices, unit > 0, most <= 0 <= fewest, no cut twice")
        self.records = [unit * price for price in duals.records]
        self.each = unit * (duals.fewest + duals.most)
        self.cuts, self.weights = list[Pair](), dict[int, list[Pair]]()
        for place, (number, price) in enumerate(duals.cuts):
            right = 0 <= number < len(c.cuts) and price <= 0
            demand(right, f"{where}.cuts[{place}]: expected a cut and a price <= 0")
            records, weights, divisor = c.cuts[number]
            self.cuts.append((unit * price, divisor))
            for record, share in zip(records, weights, strict=True):
                self.weights.setdefault(record, []).append((place, share))
        number = unit * (duals.fewest * -(-n // c.largest) + duals.most * (n // c.k))
        self.bound = self.paid(range(n)) - self.each + number

    def paid(self, group: Sequence[int]) -> int:
        """Return the price of a group.

        The cost of the group less this price is its reduced cost.
        """
        shares: dict[int, int] = {}
        for record in group:
            for place, share in self.weights.get(record, ()):
                shares[place] = shares.get(place, 0) + share
        cuts = [self.cuts[i][0] * (share // self.cuts[i][1]) for i, share in shares.items()]
        return self.each + sum(map(self.records.__getitem__, group)) + sum(cuts)


class Checker:
    """Checker that walks the tree, and counts what it sees."""

    def __init__(self, c: Certificate, between: Distances) -> None:
        self.c, self.between, self.near = c, between, between.rounded()
        # of each record, the sums of its least 1, 2, ... distances, that to itself included
        self.least = [list(accumulate(sorted(row)[: c.largest])) for row in self.near]
        self.sizes = range(c.k, c.largest + 1)
        whole = lcm(*self.sizes)
        self.share = {size: c.parts * whole // size for size in self.sizes}
        self.units = c.per_unit * whole * c.parts
        self.target = c.parts * (ceil(c.value * c.per_unit * whole) - 1)
        self.sse = c.value * self.units * between.common
        self.exact_target = int(self.sse) - max(1, c.parts * gcd(*between.factors))
        self.nodes, self.groups, self.steps, self.where = 0, 0, 0, "certificate.proof"

    def check_partition(self) -> None:
        """Raise Rejected unless the partition is allowed and has the value."""
        c, sse = self.c, 0
        everyone = sorted(chain(*c.partition)) == list(range(c.records))
        demand(everyone, "certificate.partition: expected each record in one group")
        for number, group in enumerate(map(tuple, c.partition)):
            allowed = len(group) in self.sizes and keeps(group, c)
            demand(allowed, f"certificate.partition[{number}]: {group} is not allowed")
            sse += self.exact(group)
        demand(sse == self.sse, f"certificate.value: {c.value!s:.60} is not the partition's SSE")

    def node(self, node: Node, scope: Scope, where: str = "certificate.proof") -> int:
        """Return the bound that a node proves.

        It is above the target, by one, if nothing in the node is cheaper (Lemma 11).
        """
        self.nodes, bounds = self.nodes + 1, list[int]()
        for place, duals in enumerate(node.filters):
            bound, groups = self.within(duals, scope, f"{where}.filters[{place}]", leaf=False)
            bounds, scope = [*bounds, bound], Scope([], [], groups)
        return min(max([*bounds, self.after(node, scope, where)]), self.target + 1)

    def after(self, node: Node, scope: Scope, where: str) -> int:
        """Return the bound of what follows the filters of a node."""
        if isinstance(node, Division):
            joined = scope._replace(together=[*scope.together, node.pair])
            separated = scope._replace(apart=[*scope.apart, node.pair])
            bound = self.node(node.together, joined, f"{where}.together")
            return min(bound, self.node(node.apart, separated, f"{where}.apart"))
        if isinstance(node, Conic):
            demand(scope.groups is None, f"{where}: expected vectors before groups are listed")
            return conic_bound(node, self.near, self.sizes, self.c.parts, where)
        if node.costs == "rounded":
            return self.within(node.duals, scope, f"{where}.duals", leaf=True)[0]
        demand(scope.groups is not None, f"{where}: expected groups that a filter has listed")
        exact = scope._replace(groups=[(self.exact(one), one) for _, one in scope.groups or ()])
        bound = self.within(node.duals, exact, f"{where}.duals", leaf=True)[0]
        demand(bound > self.exact_target, f"{where}: expected the value as the bound")
        return self.target + 1

    def within(self, duals: Duals, scope: Scope, where: str, leaf: bool) -> tuple[int, Listed]:
        """Return the bound of duals, and the groups within the gap.

        A leaf needs no groups. Lemmas 8 and 10 are about both. Raises Rejected for a negative
        reduced cost.
        """
        prices, kept, self.where = Prices(self.c, duals, where), Listed(), where
        limit = -1 if leaf else max(self.target - prices.bound, -1)
        self.step(len(scope.groups or ()) + sum(map(len, prices.weights.values())))
        for cost, group in self.search(prices, limit) if scope.groups is None else scope.groups:
            if keeps(group, scope) and (reduced := cost - prices.paid(group)) <= limit:
                demand(reduced >= 0, f"{where}: group {group} has a negative reduced cost")
                kept.append((cost, group))
                demand(len(kept) <= MOST_GROUPS, f"{where}: over the limit of {MOST_GROUPS} groups")
        self.groups += len(kept)
        return prices.bound, kept

    def search(self, prices: Prices, limit: int) -> Iterator[tuple[int, Group]]:
        """Yield all groups of a small reduced cost, and some others.

        A reduced cost is small if it is at most the limit (Lemma 9).
        """
        keys = [(-price, record) for record, price in enumerate(prices.records)]
        for size, share in self.share.items():
            for group in self.completed((), size, keys, limit + prices.each):
                yield share * sum(self.near[i][j] for i, j in combinations(group, 2)), group

    def completed(self, part: Group, size: int, keys: list[Pair], slack: int) -> Iterator[Group]:
        """Yield the groups that hold the part and fit in the slack.

        The keys and the distances of the other records have to fit in it. Each pair of these has
        two ends, so that half of its least distances is what a record adds at least to its key.
        """
        missing, share = size - len(part), self.share[size]
        if missing == 0:
            yield tuple(sorted(part))
            return
        self.step(len(keys))
        found = sorted((key + share * self.least[j][missing - 1] // 2, key, j) for key, j in keys)
        most = slack - sum(bound for bound, _, _ in found[: missing - 1])
        found = [entry for entry in found if entry[0] <= most]
        for place, (_, key, j) in enumerate(found[: max(0, len(found) - missing + 1)]):
            if sum(bound for bound, _, _ in found[place : place + missing]) > slack:
                return
            rest = [(k + share * self.near[j][i], i) for _, k, i in found[place + 1 :]]
            yield from self.completed((*part, j), size, rest, slack - key)

    def exact(self, group: Group) -> int:
        """Return the exact cost of a group (Lemma 3)."""
        return self.share[len(group)] * sum(starmap(self.between.exact, combinations(group, 2)))

    def step(self, steps: int) -> None:
        """Count steps. Raises Rejected."""
        self.steps += steps
        demand(self.steps <= MOST_STEPS, f"{self.where}: over the limit of {MOST_STEPS} steps")


def conic_bound(cone: Conic, near: list[list[int]], sizes: range, parts: int, where: str) -> int:
    """Return a whole cost that no partition is below.

    Lemma 12 is about it. Raises Rejected.
    """
    n, unit, vectors = len(near), cone.unit, cone.vectors
    right = len(vectors) == len(cone.scales) == len(cone.records) == n and unit > 0 >= cone.most
    demand(right, f"{where}: expected {n} vectors, scales, prices; unit >= 1, most <= 0")
    rows = [[parts * distance for distance in row] for row in near]
    for i, (row, v, y) in enumerate(zip(rows, vectors, cone.records, strict=True)):
        right = len(v) <= MOST_VECTOR and max(map(abs, v), default=0) <= MOST_ENTRY
        demand(right, f"{where}.vectors[{i}]: over the limit of {MOST_VECTOR} to {MOST_ENTRY}")
        for j in range(i + 1):
            product = cone.scales[i] * cone.scales[j] * sum(map(mul, v, vectors[j]))
            row[j] -= product + unit * (y + cone.records[j])
            rows[j][i] = row[j]
        row[i] -= unit * cone.most
    for place, (i, j, m, price) in enumerate(cone.triangles):
        right = min(i, j, m, price) >= 0 and max(i, j, m) < n
        demand(right, f"{where}.triangles[{place}]: expected records and a price >= 0")
        for a, b, sign in ((i, j, 1), (i, m, 1), (i, i, -1), (j, m, -1)):
            rows[a][b] += sign * unit * price
    twice = sum(least(row, i, sizes) for i, row in enumerate(rows))
    twice += lcm(*sizes) * unit * (2 * sum(cone.records) + cone.most * (n // sizes[0]))
    return -(-twice // 2)


def least(row: list[int], own: int, sizes: range) -> int:
    """Return the least cost of a record and others of its row.

    The minimum is over the sizes of a group.
    """
    sums = list(accumulate(nsmallest(sizes[-1] - 1, row[:own] + row[own + 1 :]), initial=row[own]))
    return min(lcm(*sizes) // size * sums[size - 1] for size in sizes)


def read_content(path: Path) -> str:
    """Return the text of a file, unpacked if gzip has compressed it.

    Raises Rejected, OSError.
    """
    with path.open("rb") as file:
        content = file.read((most := MOST_PACKED) + 1)
    try:
        if content.startswith(b"\x1f\x8b") and len(content) <= most:
            most = min(MOST_BYTES, MOST_TIMES * len(content) + ALLOWED)
            content = gzip.GzipFile(fileobj=BytesIO(content)).read(most + 1)
        demand(len(content) <= most, f"{path}: more than {most} bytes, which is the limit")
        return content.decode("utf-8-sig")
    except (EOFError, OSError, zlib.error, UnicodeDecodeError) as error:
        raise Rejected(f"{path} cannot be unpacked, or is not UTF-8: {error}") from None


def read_rows(path: Path, attributes: Sequence[str], delimiter: str = ",") -> tuple[Row, ...]:
    """Read the values of these attributes.

    Raises Rejected if the file has others, OSError.
    """
    try:
        table = csv.reader(StringIO(read_content(path), newline=""), delimiter=delimiter)
        names, *lines = [[cell.strip(" \t") for cell in line] for line in table if line] or [[]]
    except csv.Error as error:
        raise Rejected(f"{path} cannot be read: {error}") from None
    wrong = [name for name in attributes if names.count(name) != 1]
    demand(not wrong, f"{path}: expected the attributes {wrong!s:.60} once in the first line")
    demand(len({*attributes}) == len(attributes), "certificate.attributes: a name is there twice")
    return tuple(
        tuple(_number(cells.get(name, ""), f"{path}: record {i}, {name!r}") for name in attributes)
        for i, cells in enumerate(dict(zip(names, line, strict=False)) for line in lines)
    )


def _number(text: str, where: str) -> Fraction:
    right = len(text) <= MOST_DIGITS and _DECIMAL.fullmatch(text)
    demand(right, f"{where}: expected a number, found {text!r:.60}")
    return Fraction(text)


_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)


def data_digest(attributes: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the SHA-256 of a table.

    Hashed are the names as JSON and, each row in a line, the values in lowest terms.

    >>> data_digest(["a"], [(Fraction(1, 2),), (Fraction(3),)])[:12]
    'bafae5389fde'
    """
    lines = [json.dumps(list(attributes)), *(",".join(map(str, row)) for row in rows)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def seal(data: Mapping[str, object]) -> str:
    """Return the SHA-256 of a certificate whose seal is empty.

    Its JSON has sorted keys and no blanks.
    """
    text = json.dumps({**data, "seal": ""}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def certificate_of(text: str, where: str) -> Certificate:
    """Read a certificate from a text; messages name it `where`. Raises Rejected."""
    demand(text.count("{") <= MOST_OBJECTS, f"{where}: over the limit of {MOST_OBJECTS} objects")
    try:
        data = json.loads(text, parse_int=_integer, object_pairs_hook=_object)
        certificate: Certificate = _read(Certificate, data, "certificate")
    except (json.JSONDecodeError, RecursionError) as error:
        raise Rejected(f"{where} cannot be read as JSON: {error}") from None
    demand(certificate.seal == seal(data), "certificate.seal: something was changed")
    return certificate


def _integer(text: str) -> object:
    """Return an integer, or what is none if it is too long."""
    return int(text) if len(text) <= MOST_DIGITS else b"over the limit of %d digits" % MOST_DIGITS


def _object(pairs: list[tuple[str, object]]) -> object:
    """Return an object, or bytes if a key is there twice."""
    data = dict(pairs)
    return data if len(data) == len(pairs) else b"an object with the same key twice"


def _read(kind: Any, data: Any, where: str) -> Any:
    """Return the data as a value of a type.

    Raises Rejected, with the place, for other data.
    """
    inner, origin = get_args(kind), get_origin(kind)
    if kind == Node and isinstance(data, dict) and where.count(".") <= DEEPEST + 1:
        kind = max(inner, key=lambda one: len(data.keys() & one._fields))
    if isinstance(data, dict) and hasattr(kind, "_fields"):
        types = get_type_hints(kind)
        values = {key: _read(types[key], data.get(key), f"{where}.{key}") for key in types}
        others = [key for key in data if key not in types]
        demand(not others, f"{where}: expected only the keys {[*types]}, found {others!s:.60}")
        return kind(**values)
    if isinstance(data, list) and (origin is list or (origin is tuple and len(data) == len(inner))):
        if inner[0] is int and all(type(value) is int for value in data):
            return origin(data)  # most of a certificate is this
        kinds = inner if origin is tuple else inner * len(data)
        return origin(_read(kinds[i], value, f"{where}[{i}]") for i, value in enumerate(data))
    if kind is Fraction and type(data) is str and _FRACTION.fullmatch(data):
        return Fraction(data)
    if type(data) is kind or (type(data) is str and data in inner):
        return data
    name = kind.__name__ if isinstance(kind, type) else str(kind).removeprefix("typing.Literal")
    raise Rejected(f"{where}: expected {_NAMES.get(kind, name)}, found {data!r:.60}")


_FRACTION = re.compile(rf"(-?\d{{1,{MOST_DIGITS}}})(?:/([1-9]\d{{0,{MOST_DIGITS - 1}}}))?", re.A)

_NAMES = {Fraction: f'"p" or "p/q" (limit: {MOST_DIGITS})', Node: f"a node (limit: {DEEPEST} deep)"}
