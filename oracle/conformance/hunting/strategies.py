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

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case, with_cell
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.texts import numeral
from oracle.conformance.not_taken import BEYOND_BINARY32, left_out, without_of
from oracle.conformance.taking import ANYTHING, Bounds, Taken
from oracle.conformance.vectors.casefiles import topics as case_topics
from oracle.conformance.vectors.generate import FAST, MANY_RECORDS, MOST_RECORDS
from refagg.catalogue import CATALOGUE, specification
from refagg.errors import InvalidParameter, needed
from refagg.language.lists import check_one_of
from refagg.spaces.absolute import GOWER

with needed("the hunt needs it: pip install hypothesis"):
    from hypothesis import strategies as st

Rows = Sequence[tuple[int | Fraction, ...]]

MANY = "n > 257k"
"""The topic of more groups than a byte has numbers."""

SIZES: dict[str, Callable[[int], tuple[int, int]]] = {
    "n = k": lambda k: (k, k),
    "k < n < 2k": lambda k: (k + 1, 2 * k - 1),
    "n = 2k": lambda k: (2 * k, 2 * k),
    "2k < n < 3k": lambda k: (2 * k + 1, 3 * k - 1),
    "n = 3k": lambda k: (3 * k, 3 * k),
    "n > 3k": lambda k: (3 * k + 1, 4 * k + 6),
    MANY: lambda k: (258 * k, 258 * k + 1),
}
"""How many records, for k >= 2: between the numbers at which published loops start or end.

`LARGE` has tables of as many records as are asked for where values are real, or where that is
more than `MOST`. Few tables have more groups than a byte has numbers.
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
    "real": "those of the vectors that are as files of offices, changed in their last digit",
}
"""Kinds of values, with their descriptions."""

REAL = "real"
MOVED = ("far", "decimal", "large")
"""Kinds of values whose tables can be moved near 0."""

OFFSETS = {"binary64": (10**6, 10**9, 10**12, -(10**6), -(10**12)), "binary32": (100, 1000, -1000)}
SCALES = (Fraction(1, 10), Fraction(1, 1000), Fraction(3, 8))
FACTORS = tuple(map(Fraction, (10**20, 10**39, 3 * 10**45)))

HUNTED = (
    *("strata", "series", "blocks", "constraints", "sampling_weights"),
    *("kinds", "gower", "sequences"),
)
"""Shapes that a hunt can ask about besides tables."""

WITH_KINDS = ("kinds", "gower", "sequences")
"""Shapes of records that are not only numbers: they are not moved."""

EQUATIONS = (("x1 + x2 = 0",), ("x1 = 2*x2",), ("x1 + x2 = x3",), ("x1 + x2 = x3", "x1 = 2*x2"))
"""Homogeneous constraints, which can be met on any scale."""

WEIGHTS = ("1", "2", "7", "1/2", "2.5", "1200")
"""Sampling weights of records."""

EVENTS = ("a", "ab", "b")
"""Those of sequences: joined without what stands between them, different ones look the same."""

CATEGORIES = ("medium", "Medium", "medial", "low")
"""Ordered as no alphabet has them; some are equal without case, or after four letters."""

DECLARED = ("numeric", "nominal", "ordinal:" + "<".join(CATEGORIES))


@dataclass(frozen=True, slots=True)
class Topic:
    """A size of `SIZES` and a kind of `VALUES`."""

    sizes: str
    values: str

    def __str__(self) -> str:
        return f"{self.sizes}, {self.values} values"

    @property
    def large(self) -> bool:
        """Return True if its tables are too large for many questions."""
        return self.sizes == MANY

    def holds(self, case: Case) -> bool:
        """Return True if a case has the topic's number of records."""
        if self.sizes == REFUSED:
            return bool(senseless(case))
        if self.sizes == ONE:
            return case.k == 1
        least, most = SIZES[self.sizes](case.k)
        return least <= len(case.records) and (self.sizes == LARGE or len(case.records) <= most)

    def special(self, case: Case) -> bool:
        """Return True if the values still are of the topic's kind.

        They are those after shrinking.
        """
        if self.values not in MOVED:
            return True
        cells = [Fraction(cell) for row in case.records for cell in row]
        if self.values == "far":
            return min(map(abs, cells)) > max(cells) - min(cells)
        if self.values == "large":
            return max(map(abs, cells)) >= 2**24
        return any(cell.denominator > 1 for cell in cells)


MOST = MANY_RECORDS
"""Records of a table, at most, unless more or fewer are asked for. Half of the tables of `LARGE`
have the most where values are real, or more are asked for: what goes wrong only in large tables is
rare among tables of all sizes."""

USUAL_K, USUAL_WIDTH = 5, 3
"""Where values are not real, k and the number of attributes are at most these, if they can be."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requirements that all cases share."""

    claim: str
    ks: tuple[int, int] = (2, 8)
    widths: tuple[int, int] = (1, 6)
    most: int = MOST
    parameters: Mapping[str, str] = field(default_factory=dict)
    standardise: str = "none"
    seed: int | None = None
    precision: str = "binary64"
    without: tuple[str, ...] = ()
    """Names of `NOT_TAKEN`: what is not asked."""
    taken: Taken = field(default=ANYTHING, repr=False)
    """What the implementation says that it takes."""
    shape: str = ""
    """One of HUNTED: what makes the records more than a table."""
    invalid: bool = False
    """Is invalid input asked, too?"""

    def topics(self) -> list[Topic]:
        """Return all topics with cases, the smallest first."""
        ordinary = [
            Topic(sizes, values)
            for values in VALUES
            if values != "large" or self.precision == "binary64"
            if values not in MOVED or self.shape not in WITH_KINDS
            if values != REAL or self.shape != "sequences"
            for sizes in SIZES
            if self.ks_of(Topic(sizes, values))
            if ("small" not in self.without and values != REAL) or sizes not in BELOW_2K
        ]
        ones = [Topic(ONE, "small")] if self.ks[0] == 1 else []
        refused = [Topic(REFUSED, "small")] if self.invalid and not self.shape else []
        return [*ordinary, *ones, *refused]

    @property
    def varies(self) -> bool:
        """Return True if answers to one question may differ.

        They may where a program draws, or promises little.
        """
        if self.claim == ANY_PARTITION:
            return True
        return self.seed is None and self.claim in CATALOGUE and CATALOGUE[self.claim].random

    def allows(self, case: Case) -> bool:
        """Return True if the case fits the request.

        It has a requested k and width, and only supported features.
        """
        if senseless(case):
            return self.invalid
        width = len(case.records[0])
        if left_out(case, self.without) or self.taken.gap(case) or not _in_shape(case):
            return False
        return self.ks[0] <= case.k <= self.ks[1] and self.widths[0] <= width <= self.widths[1]

    def ks_of(self, topic: Topic) -> list[int]:
        """Return the values of k with tables of a topic."""
        limits = SIZES.get(topic.sizes, _few)
        least = 2 if topic.sizes in SIZES else self.ks[0]
        ks = range(max(least, self.ks[0]), (1 if topic.sizes == ONE else self.ks[1]) + 1)
        if topic.sizes == MANY:  # of two attributes at most, and of the least k
            may = topic.values == REAL and self.claim in FAST and self.most >= MOST
            return list(ks[:1]) if may and not self.shape and self.widths[0] <= 2 else []
        able = [k for k in ks if limits(k)[0] <= min(limits(k)[1], self.most)]
        usual = [k for k in able if k <= USUAL_K]
        return able if topic.values == REAL else usual or able

    def sizes_of(self, topic: Topic, k: int) -> tuple[int, int]:
        """Return the least and greatest number of records of a table.

        The table is one of a topic.
        """
        least, most = SIZES.get(topic.sizes, _few)(k)
        if topic.sizes == LARGE and (topic.values == REAL or self.most > MOST):
            most = max(most, min(self.most, MOST_RECORDS.get(self.claim, self.most)))
        return least, most if topic.large else min(most, self.most)

    def widths_of(self, topic: Topic) -> tuple[int, int]:
        """Return the least and greatest number of attributes of a table.

        The table is one of a topic.
        """
        least, most = self.widths
        if topic.sizes == MANY:
            return min(2, most), min(2, most)
        return least, most if topic.values == REAL else max(least, min(most, USUAL_WIDTH))


def wanted(
    claim: str,
    *,
    k: int | tuple[int, int] = (2, 8),
    width: int | None = None,
    parameters: Mapping[str, str] | None = None,
    without: Collection[str] = (),
    **others: Any,
) -> Wanted:
    """Return the request for cases, checked. Raises UnknownAlgorithm, InvalidParameter.

    `k` is one number or the least and the greatest, `width` the number of attributes (default: 1
    where the claim is for one attribute or for an optimum, else up to 6), `without` what the
    implementation does not take (names of `NOT_TAKEN`). The others are: `most`, the greatest
    number of records; `standardise` and `precision`; `seed`, that of the random stream from which a
    random algorithm has to draw; `shape`, one of HUNTED, what makes all records more than a table;
    `invalid`, whether input is asked, too, that has to be refused.
    """
    ks = (k, k) if isinstance(k, int) else k
    widths = _widths((1, _widest(claim)) if width is None else (width, width), without)
    asked = Wanted(claim, ks, widths, parameters=dict(parameters or {}), **others)
    if not 1 <= ks[0] <= ks[1] <= asked.most:
        raise InvalidParameter(
            f"k is {ks[0]} to {ks[1]}; it can be from 1 to {asked.most}, the most records asked"
        )
    widths = _widths_of_shape(claim, asked.shape, widths, asked.standardise)
    return replace(asked, widths=widths, without=without_of(asked.precision, without))


def _widths_of_shape(
    claim: str, shape: str, widths: tuple[int, int], standardise: str
) -> tuple[int, int]:
    """Return the possible numbers of attributes of a shape's records.

    Raises InvalidParameter.
    """
    if shape:
        check_one_of(shape, HUNTED, "the shape is")
    if shape in ("series", *WITH_KINDS) and standardise != "none":
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
    """Return the part of a request that an implementation takes. Raises InvalidParameter."""
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
    """Return the part of a wanted range that is supported.

    Raises InvalidParameter if there is none.
    """
    least, most = max(wanted[0], taken[0]), wanted[1] if taken[1] is None else taken[1]
    if least > min(wanted[1], most):
        raise InvalidParameter(
            f"no question is possible: {what} is {wanted[0]} to {wanted[1]}, and the "
            f"implementation takes {taken[0]} to {taken[1] or 'any'}"
        )
    return least, min(wanted[1], most)


def _widths(widths: tuple[int, int], without: Collection[str]) -> tuple[int, int]:
    """Return the numbers of attributes that are left. Raises InvalidParameter."""
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
    """Return questions for an implementation of a claim.

    The claim is a named algorithm, any k-partition, or the optimum.

    Further arguments are those of `wanted`.
    """
    return cases_of(wanted(claim, **common), topic)


def cases_of(asked: Wanted, topic: Topic | None = None) -> st.SearchStrategy[Case]:
    """Return the questions of a checked request.

    Those of many groups have to be asked for.
    """
    usual = [one for one in asked.topics() if not one.large]
    topics = st.sampled_from(usual) if topic is None else st.just(topic)
    return topics.flatmap(lambda chosen: _cases(asked, chosen)).filter(asked.allows)


@st.composite
def _cases(draw: st.DrawFn, asked: Wanted, topic: Topic) -> Case:
    k = draw(st.sampled_from(asked.ks_of(topic)))
    least, most = asked.sizes_of(topic, k)
    if topic.sizes == LARGE and most > SIZES[LARGE](k)[1]:
        least = draw(st.sampled_from((least, most)))
    size = least, most, asked.widths_of(topic)
    rows = draw(_real(asked.without, *size) if topic.values == REAL else tables(*size))
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
    if asked.shape in WITH_KINDS:
        return _with_texts(case)
    return draw(_spoilt(case)) if topic.sizes == REFUSED else case


def _few(k: int) -> tuple[int, int]:
    """Return a small number of records, where the number does not matter."""
    return k, 2 * k + 6


def _spoilt(case: Case) -> st.SearchStrategy[Case]:
    """Return the case with one thing that is invalid."""
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


def _with_texts(case: Case) -> Case:
    """Replace integers by categories or by sequences of events.

    That is done where kinds declare such.
    """

    def told(kind: str, cell: str) -> str:
        number = abs(int(Fraction(cell)))
        if kind == "numeric":
            return cell
        if kind.startswith("sequence"):
            return ">".join(EVENTS[int(digit) % 3] for digit in f"{number:o}"[number == 0 :])
        return CATEGORIES[number % len(CATEGORIES)]

    return replace(case, records=tuple(tuple(map(told, case.kinds, row)) for row in case.records))


def _shapes(name: str, n: int, width: int, k: int) -> st.SearchStrategy[dict[str, Any]]:
    """Return strata, blocks, constraints, weights or times.

    They are for n records of `width` attributes.
    """
    if name == "strata":
        labels = [tuple("ab"[i % m == 0] for i in range(n)) for m in (2, 3)]
        labels += [tuple("ab"[i >= k] for i in range(n)), ("a",) * n]
        fits = [text for text in labels if all(text.count(s) >= k for s in set(text))]
        return st.sampled_from(fits[::-1]).map(lambda strata: {"strata": strata})
    if name == "series":
        times = st.sampled_from(((), tuple(str(j * (j + 1) // 2) for j in range(width))))
        return times.map(lambda chosen: {"series": "sts", "times": chosen})
    if name == "blocks":
        orders = st.tuples(st.permutations(range(width)), st.integers(1, width))
        halves = orders.map(
            lambda chosen: (tuple(chosen[0][: chosen[1]]), tuple(chosen[0][chosen[1] :]))
        )
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
    """Return True if strata and series are large enough.

    Each stratum has enough records, and each series two values.
    """
    enough = all(case.strata.count(label) >= case.k for label in case.strata)
    return enough and (not case.series or len(case.records[0]) > 1)


def moves(values: str, precision: str) -> st.SearchStrategy[tuple[Fraction, Fraction]]:
    """Return an offset and a factor for a kind of values.

    They turn small integers into values of that kind.
    """
    one, zero = Fraction(1), Fraction(0)
    if values == "far":
        offsets = [Fraction(offset) for offset in OFFSETS[precision]]
        return st.tuples(st.sampled_from(offsets), st.just(one))
    if values == "decimal":
        return st.tuples(st.just(zero), st.sampled_from(SCALES))
    if values == "large":
        beyond = st.tuples(st.just(zero), st.sampled_from(FACTORS))
        return st.one_of(beyond, st.just((Fraction(2**25), one)))
    return st.just((zero, one))


def tables(least: int, most: int, widths: tuple[int, int]) -> st.SearchStrategy[Rows]:
    """Return tables of integers.

    The bounds limit their numbers of records and attributes.
    """
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
                # in ascending order, as after sorting a file
                _rows(st.tuples(*[st.integers(-50, 50)] * width), least, most).map(sorted),
            ]
        )
    )


Column = tuple[Fraction, ...]


@cache
def real_files(without: tuple[str, ...]) -> list[tuple[Column, ...]]:
    """Return the columns of vectors that resemble real data.

    They are common vectors, and the columns are left as far as they are asked.
    """
    files = []
    for topic in case_topics("common"):
        if "real-data" in topic.flags:
            columns = [tuple((x,) for x in c) for c in zip(*topic.records, strict=True)]
            asked = [c for c in columns if not left_out(Case("", "", 1, c), without)]
            files.append(tuple(tuple(Fraction(x) for (x,) in column) for column in asked))
    return [columns for columns in files if columns]


def _real(
    without: Collection[str], least: int, most: int, widths: tuple[int, int]
) -> st.SearchStrategy[Rows]:
    """Return tables of values of real files.

    The values are of one file or of several, in any order, with another last digit.

    A value of 0 stays 0.
    """
    files = real_files(tuple({BEYOND_BINARY32}.intersection(without)))
    columns = [column for file in files for column in file]
    mixed = st.lists(st.sampled_from(columns), min_size=widths[0], max_size=widths[1])
    wide = [file[: widths[1]] for file in files if len(file) >= widths[0]]
    chosen = st.one_of(mixed, st.sampled_from(wide)) if wide else mixed
    return chosen.flatmap(lambda some: _rows(st.tuples(*map(_cells, some)), least, most))


def _cells(column: Column) -> st.SearchStrategy[Fraction]:
    """Return the values of a column, with another last digit."""
    unit = Fraction(1, 10 ** max(len(numeral(x).partition(".")[2]) for x in column))
    digits = st.integers(0, 9).map(lambda digit: unit * digit)
    return st.builds(lambda value, more: value and value + more, st.sampled_from(column), digits)


def _rows(row: st.SearchStrategy[tuple[int, ...]], least: int, most: int) -> Any:
    return st.lists(row, min_size=least, max_size=most)


def _duplicates(width: int, least: int, most: int) -> Any:
    """Return tables of at most three different records."""
    pool = st.lists(st.tuples(*[st.integers(-9, 9)] * width), min_size=1, max_size=3)
    return pool.flatmap(lambda rows: _rows(st.sampled_from(rows), least, most))


def _constant(width: int, least: int, most: int) -> Any:
    """Return tables whose first attribute is constant."""
    rest = st.tuples(*[st.integers(0, 9)] * (width - 1))
    return st.integers(-9, 9).flatmap(
        lambda value: _rows(rest.map(lambda row: (value, *row)), least, most)
    )


def _widest(claim: str) -> int:
    if claim in (ANY_PARTITION, OPTIMAL):
        return 1 if claim == OPTIMAL else 6
    return 6 if specification(claim).attributes == "any" else 1
