"""Hypothesis strategies: tables on which implementations of microaggregation go wrong.

    from hypothesis import given
    from oracle.conformance.hunting.strategies import cases

    @given(cases("mdav"))
    def test_mine(case): ...

A topic says how many records there are, beside k, and what is special about their values.
Without one, any topic is drawn. Everything shrinks towards few records, few attributes, k = 2 and
small integers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.strictness import ROUNDING
from oracle.conformance.judge.texts import numeral
from oracle.conformance.not_taken import NOT_TAKEN, left_out
from oracle.conformance.taking import ANYTHING, Bounds, Taken
from refagg.catalogue import CATALOGUE, specification
from refagg.errors import InvalidParameter, MissingExtra
from refagg.spaces.absolute import GOWER

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise MissingExtra("the hunt needs Hypothesis: pip install hypothesis") from error

Rows = list[tuple[int, ...]]

SIZES: dict[str, Callable[[int], tuple[int, int]]] = {
    "n = k": lambda k: (k, k),
    "k < n < 2k": lambda k: (k + 1, 2 * k - 1),
    "n = 2k": lambda k: (2 * k, 2 * k),
    "2k < n < 3k": lambda k: (2 * k + 1, 3 * k - 1),
    "n = 3k": lambda k: (3 * k, 3 * k),
    "n > 3k": lambda k: (3 * k + 1, 4 * k + 6),
}
"""How many records, for k >= 2: between the numbers at which published loops start or end.

The last topic has larger tables where more than `MOST` records are asked for.
"""

LARGE = "n > 3k"

ONE = "k = 1"
"""The topic of groups of one: every record may be alone."""

REFUSED = "to be refused"
"""The topic of invalid input."""

BELOW_2K = ("n = k", "k < n < 2k", ONE)

VALUES = {
    "small": "integers near 0: few different ones, duplicates, constant attributes, negative",
    "far": "small integers plus an offset of up to 10^12, or minus it",
    "decimal": "multiples of 1/10 and 1/1000, few of which are binary numbers, or of 3/8",
    "large": "integers beyond the range, or the 24 bits, of binary32",
}
"""Kinds of values, with their descriptions."""

OFFSETS = {"binary64": (10**6, 10**9, 10**12, -(10**6), -(10**12)), "binary32": (100, 1000, -1000)}
SCALES = (Fraction(1, 10), Fraction(1, 1000), Fraction(3, 8))
FACTORS = (10**20, 10**39, 3 * 10**45)

HUNTED = (
    *("strata", "series", "blocks", "constraints", "sampling_weights"),
    *("kinds", "gower", "sequences"),
)
"""Shapes that a hunt can ask about besides tables."""

SMALL_ONLY = ("kinds", "gower", "sequences")
"""The kind of values that are not only numbers."""

EQUATIONS = (("x1 + x2 = 0",), ("x1 = 2*x2",), ("x1 + x2 = x3",), ("x1 + x2 = x3", "x1 = 2*x2"))
"""Homogeneous constraints, which can be met on any scale."""

WEIGHTS = ("1", "2", "7", "1/2", "2.5")
"""Sampling weights of records."""

EVENTS = ("a", "ab", "b")
"""Those of sequences: joined without what stands between them, different ones look the same."""

CATEGORIES = "abcd"
DECLARED = ("numeric", "nominal", "ordinal:" + "<".join(CATEGORIES))

PRECISIONS = tuple(ROUNDING)
"""The arithmetic of an implementation; cases that it cannot represent are left out."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A size of `SIZES` and a kind of `VALUES`."""

    sizes: str
    values: str

    def __str__(self) -> str:
        return f"{self.sizes}, {self.values} values"

    def holds(self, case: Case) -> bool:
        """Return True if a case has as many records as the topic says."""
        if self.sizes == REFUSED:
            return bool(senseless(case))
        if self.sizes == ONE:
            return case.k == 1
        least, most = SIZES[self.sizes](case.k)
        return least <= len(case.records) and (self.sizes == LARGE or len(case.records) <= most)

    def special(self, case: Case) -> bool:
        """Return True if the values, after shrinking, are still of the kind of the topic."""
        if self.values == "small":
            return True
        cells = [Fraction(cell) for row in case.records for cell in row]
        if self.values == "far":
            return min(map(abs, cells)) > max(cells) - min(cells)
        if self.values == "large":
            return max(map(abs, cells)) >= 2**24
        return any(cell.denominator > 1 for cell in cells)


MOST = 26
"""Records of a table, at most, unless more are asked for: then half of the tables of `LARGE` have
the most, as what goes wrong only in large tables is rare among tables of all sizes."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requirements that all cases share."""

    claim: str
    ks: tuple[int, int] = (2, 5)
    widths: tuple[int, int] = (1, 3)
    most: int = MOST
    parameters: Mapping[str, str] = field(default_factory=dict)
    standardise: str = "none"
    seed: int | None = None
    precision: str = "binary64"
    without: tuple[str, ...] = ()
    """Names of `NOT_TAKEN`: what is not asked."""
    taken: Taken = ANYTHING
    """What the implementation says that it takes."""
    shape: str = ""
    """One of HUNTED: what makes the records more than a table."""
    invalid: bool = False
    """Is invalid input asked, too?"""

    def topics(self) -> list[Topic]:
        """All topics of which there are cases, the smallest first."""
        ordinary = [
            Topic(sizes, values)
            for values in VALUES
            if values != "large" or self.precision == "binary64"
            if values == "small" or self.shape not in SMALL_ONLY
            for sizes, limits in SIZES.items()
            if any(self.feasible(*limits(k)) for k in range(max(2, self.ks[0]), self.ks[1] + 1))
            if "small" not in self.without or sizes not in BELOW_2K
        ]
        ones = [Topic(ONE, "small")] if self.ks[0] == 1 else []
        invalid = self.invalid and not self.shape and self.feasible(self.ks[0], self.ks[0])
        refused = [Topic(REFUSED, "small")] if invalid else []
        return [*ordinary, *ones, *refused]

    @property
    def varies(self) -> bool:
        """Return True if answers to one question may differ, as where a program draws, or promises
        little."""
        if self.claim == ANY_PARTITION:
            return True
        return self.seed is None and self.claim in CATALOGUE and CATALOGUE[self.claim].random

    def allows(self, case: Case) -> bool:
        """Return True if the case has a requested k and width, and only supported features."""
        if senseless(case):
            return self.invalid
        width = len(case.records[0])
        if left_out(case, self.without) or self.taken.gap(case) or not _in_shape(case):
            return False
        return self.ks[0] <= case.k <= self.ks[1] and self.widths[0] <= width <= self.widths[1]

    def feasible(self, least: int, most: int) -> bool:
        return least <= min(most, self.most)


def wanted(
    claim: str,
    *,
    k: int | tuple[int, int] = (2, 5),
    width: int | None = None,
    most: int = MOST,
    parameters: Mapping[str, str] | None = None,
    standardise: str = "none",
    seed: int | None = None,
    precision: str = "binary64",
    without: Collection[str] = (),
    shape: str = "",
    invalid: bool = False,
) -> Wanted:
    """The request for cases, checked. Raises UnknownAlgorithm, InvalidParameter.

    `k` is one number or the least and the greatest, `width` the number of attributes (default: 1
    where the claim is for one attribute or for an optimum, else up to 3), `most` the greatest
    number of records, `seed` that of the random stream from which a random algorithm has to draw,
    `without` what the implementation does not take (names of `NOT_TAKEN`), `shape` one of
    HUNTED, what makes all records more than a table, `invalid` says that input is asked, too, that
    has to be refused.
    """
    ks = (k, k) if isinstance(k, int) else k
    if not 1 <= ks[0] <= ks[1] <= most:
        raise InvalidParameter(
            f"k is {ks[0]} to {ks[1]}; it can be from 1 to {most}, the greatest number of records"
        )
    if precision not in PRECISIONS:
        raise InvalidParameter(f"precision is {precision!r}; it can be {', '.join(PRECISIONS)}")
    if unknown := [name for name in without if name not in NOT_TAKEN]:
        raise InvalidParameter(f"without is {unknown[0]!r}; it can be {', '.join(NOT_TAKEN)}")
    widths = (1, _widest(claim)) if width is None else (width, width)
    widths = _widths(widths, without)
    widths = _widths_of_shape(claim, shape, widths, standardise)
    given, gone = dict(parameters or {}), tuple(without)
    return Wanted(
        claim,
        ks,
        widths,
        most,
        given,
        standardise,
        seed,
        precision,
        gone,
        shape=shape,
        invalid=invalid,
    )


def _widths_of_shape(
    claim: str, shape: str, widths: tuple[int, int], standardise: str
) -> tuple[int, int]:
    """The numbers of attributes that records of a shape have. Raises InvalidParameter."""
    if shape not in ("", *HUNTED):
        raise InvalidParameter(f"the shape is {shape!r}; it can be {', '.join(HUNTED)}")
    if shape in ("series", *SMALL_ONLY) and standardise != "none":
        raise InvalidParameter(f"{shape} are not standardised")
    if shape and (claim not in CATALOGUE or specification(claim).yields != "partition"):
        raise InvalidParameter(f"{claim!r} is asked of tables only")
    if shape == "sampling_weights" and specification(claim).publish:
        raise InvalidParameter(f"{claim} takes no sampling weights: it does not publish means")
    if shape == "sequences":
        if specification(claim).needs != "Dissimilarities":
            raise InvalidParameter(
                f"{claim} takes no sequences: it needs more than dissimilarities"
            )
        return 1, 1
    if shape in ("series", "blocks", "constraints"):
        most = 3 if shape == "constraints" else 4
        return max(widths[0], 2), max(widths[1], most if widths != (widths[0],) * 2 else 2)
    return widths


def narrowed(asked: Wanted, taken: Taken) -> Wanted:
    """The part of a request that an implementation takes. Raises InvalidParameter."""
    ks = _within(asked.ks, taken.k, "k")
    widths = _within(asked.widths, taken.attributes, "the number of attributes")
    if taken.scales is not None and asked.standardise not in taken.scales:
        raise InvalidParameter(
            f"no question is possible: standardise is {asked.standardise}, and the "
            f"implementation takes {' or '.join(taken.scales)}"
        )
    small = taken.records_per_k >= 2 and "small" not in asked.without
    without = (*asked.without, "small") if small else asked.without
    return replace(asked, ks=ks, widths=widths, taken=taken, without=without)


def _within(wanted: tuple[int, int], taken: Bounds, what: str) -> tuple[int, int]:
    """The part of the numbers that is taken. Raises InvalidParameter if there is none."""
    least, most = max(wanted[0], taken[0]), wanted[1] if taken[1] is None else taken[1]
    if least > min(wanted[1], most):
        raise InvalidParameter(
            f"no question is possible: {what} is {wanted[0]} to {wanted[1]}, and the "
            f"implementation takes {taken[0]} to {taken[1] or 'any'}"
        )
    return least, min(wanted[1], most)


def _widths(widths: tuple[int, int], without: Collection[str]) -> tuple[int, int]:
    """The numbers of attributes that are left. Raises InvalidParameter."""
    least = max(widths[0], 2 if "one-attribute" in without else 1)
    most = min(widths[1], 1 if "several-attributes" in without else widths[1])
    if least > most:
        several = "one attribute" if widths == (1, 1) else f"{widths[0]} to {widths[1]} attributes"
        raise InvalidParameter(
            f"no question is possible: {several}, without "
            f"{' and '.join(name for name in without if 'attribute' in name)}"
        )
    return least, most


def cases(claim: str, topic: Topic | None = None, **common: Any) -> st.SearchStrategy[Case]:
    """Questions for an implementation of a named algorithm, of any k-partition, or the optimum.

    Further arguments are those of `wanted`.
    """
    return cases_of(wanted(claim, **common), topic)


def cases_of(asked: Wanted, topic: Topic | None = None) -> st.SearchStrategy[Case]:
    """The questions of a checked request."""
    topics = st.sampled_from(asked.topics()) if topic is None else st.just(topic)
    return topics.flatmap(lambda chosen: _cases(asked, chosen)).filter(asked.allows)


@st.composite
def _cases(draw: st.DrawFn, asked: Wanted, topic: Topic) -> Case:
    limits = SIZES.get(topic.sizes, _few)
    least_k = 2 if topic.sizes in SIZES else asked.ks[0]
    most_k = 1 if topic.sizes == ONE else asked.ks[1]
    able = [k for k in range(max(least_k, asked.ks[0]), most_k + 1) if asked.feasible(*limits(k))]
    k = draw(st.sampled_from(able))
    least, most = limits(k)
    if topic.sizes == LARGE and asked.most > MOST:
        most = asked.most
        least = draw(st.sampled_from((least, most)))
    rows = draw(tables(least, min(most, asked.most), asked.widths))
    moved = draw(moves(topic.values, asked.precision))
    shape = draw(_shapes(asked.shape, len(rows), len(rows[0]), k))
    case = Case(
        id="hunt",
        claim=asked.claim,
        k=k,
        records=tuple(tuple(numeral(moved[0] + moved[1] * x) for x in row) for row in rows),
        parameters=asked.parameters,
        standardise=asked.standardise,
        seed=asked.seed,
        **shape,
    )
    if asked.shape in SMALL_ONLY:
        return _with_texts(case)
    return draw(_spoilt(case)) if topic.sizes == REFUSED else case


def _few(k: int) -> tuple[int, int]:
    """A small number of records, where the number does not matter."""
    return k, 2 * k + 6


def _spoilt(case: Case) -> st.SearchStrategy[Case]:
    """The case with one thing that is invalid."""
    n, width = len(case.records), len(case.records[0])
    cells = st.tuples(
        st.integers(0, n - 1),
        st.integers(0, width - 1),
        st.sampled_from(("", "x", "nan", "inf", "-inf", "1,5", "NA")),
    )
    return st.one_of(
        st.sampled_from((n + 1, 2 * n, 0, -1)).map(lambda k: replace(case, k=k)),
        cells.map(lambda cell: with_cell(case, *cell)),
        st.sampled_from((case.records[0][1:], (*case.records[0], "0"))).map(
            lambda row: replace(case, records=(*case.records[:-1], row))
        ),
        st.just(replace(case, records=())),
    )


def with_cell(case: Case, i: int, j: int, text: str) -> Case:
    """The case with another text in the cell of a record and an attribute."""
    row = (*case.records[i][:j], text, *case.records[i][j + 1 :])
    return replace(case, records=(*case.records[:i], row, *case.records[i + 1 :]))


def _with_texts(case: Case) -> Case:
    """Integers as categories, or as sequences of events, where kinds declare such."""

    def told(kind: str, cell: str) -> str:
        number = abs(int(cell))
        if kind == "numeric":
            return cell
        if kind.startswith("sequence"):
            return ">".join(EVENTS[int(digit) % 3] for digit in f"{number:o}"[number == 0 :])
        return CATEGORIES[number % len(CATEGORIES)]

    return replace(case, records=tuple(tuple(map(told, case.kinds, row)) for row in case.records))


def _shapes(name: str, n: int, width: int, k: int) -> st.SearchStrategy[dict[str, Any]]:
    """Strata, blocks, constraints, weights or times for n records of so many attributes."""
    if name == "strata":
        labels = [tuple("ab"[i % m == 0] for i in range(n)) for m in (2, 3)]
        labels += [tuple("ab"[i >= k] for i in range(n)), ("a",) * n]
        fits = [text for text in labels if all(text.count(s) >= k for s in set(text))]
        return st.sampled_from(fits[::-1]).map(lambda strata: {"strata": strata})
    if name == "series":
        times = st.sampled_from(((), tuple(str(j * (j + 1) // 2) for j in range(width))))
        return times.map(lambda chosen: {"series": "sts", "times": chosen})
    if name == "blocks":
        halves = st.integers(1, width).map(lambda m: (tuple(range(m)), tuple(range(m, width))))
        return halves.map(lambda blocks: {"blocks": tuple(filter(None, blocks))})
    if name == "constraints":
        fitting = [each for each in EQUATIONS if width > 2 or "x3" not in each[0]]
        return st.sampled_from(fitting).map(lambda chosen: {"constraints": chosen})
    if name == "sampling_weights":
        weights = st.tuples(*[st.sampled_from(WEIGHTS)] * n)
        return weights.map(lambda chosen: {"sampling_weights": chosen})
    if name in ("kinds", "gower"):
        kinds = st.tuples(*[st.sampled_from(DECLARED)] * width)
        mixed = kinds.filter(lambda some: set(some) != {"numeric"})
        more = {"dissimilarity": GOWER} if name == "gower" else {}
        return mixed.map(lambda some: {"kinds": some} | more)
    if name == "sequences":
        measures = st.sampled_from(("", "hamming", "levenshtein", "normalised-levenshtein", "lcs"))
        return measures.map(lambda chosen: {"kinds": ("sequence:>",), "dissimilarity": chosen})
    return st.just({})


def _in_shape(case: Case) -> bool:
    """Return True if each stratum has enough records, and each series two values."""
    enough = all(case.strata.count(label) >= case.k for label in case.strata)
    return enough and (not case.series or len(case.records[0]) > 1)


def moves(values: str, precision: str) -> st.SearchStrategy[tuple[Fraction, Fraction]]:
    """An offset and a factor that turn small integers into values of a kind."""
    one, zero = Fraction(1), Fraction(0)
    if values == "far":
        offsets = [Fraction(offset) for offset in OFFSETS[precision]]
        return st.tuples(st.sampled_from(offsets), st.just(one))
    if values == "decimal":
        return st.tuples(st.just(zero), st.sampled_from(SCALES))
    if values == "large":
        factors = [Fraction(factor) for factor in FACTORS]
        beyond = st.tuples(st.just(zero), st.sampled_from(factors))
        return st.one_of(beyond, st.just((Fraction(2**25), one)))
    return st.just((zero, one))


def tables(least: int, most: int, widths: tuple[int, int]) -> st.SearchStrategy[Rows]:
    """Tables of so many records and attributes, of integers."""
    return st.integers(*widths).flatmap(
        lambda width: st.one_of(
            [
                _rows(st.tuples(*[cells] * width), least, most)
                for cells in (
                    st.integers(0, 3),
                    st.integers(0, 30),
                    st.integers(-3, 3),
                    st.sampled_from([0, 1, 2, 100, 101, -100]),
                    st.integers(-1000, 1000),
                )
            ]
            + [
                _duplicates(width, least, most),
                _constant(width, least, most),
                _ascending(width, least, most),
            ]
        )
    )


def _rows(row: st.SearchStrategy[tuple[int, ...]], least: int, most: int) -> Any:
    return st.lists(row, min_size=least, max_size=most)


def _duplicates(width: int, least: int, most: int) -> Any:
    """At most three different records."""
    pool = st.lists(st.tuples(*[st.integers(-9, 9)] * width), min_size=1, max_size=3)
    return pool.flatmap(lambda rows: _rows(st.sampled_from(rows), least, most))


def _constant(width: int, least: int, most: int) -> Any:
    """The first attribute is constant."""
    rest = st.tuples(*[st.integers(0, 9)] * (width - 1))
    return st.integers(-9, 9).flatmap(
        lambda value: _rows(rest.map(lambda row: (value, *row)), least, most)
    )


def _ascending(width: int, least: int, most: int) -> Any:
    """Records in ascending order, as after sorting a file."""
    return _rows(st.tuples(*[st.integers(-50, 50)] * width), least, most).map(sorted)


def _widest(claim: str) -> int:
    if claim in (ANY_PARTITION, OPTIMAL):
        return 1 if claim == OPTIMAL else 3
    return 3 if specification(claim).attributes == "any" else 1
