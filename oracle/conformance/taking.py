"""Capabilities that an implementation declares.

The rest is not asked, and reported as a gap.

A program answers the request "describe" with one JSON object (docs/conformance.md), a function of
Python has it as its attribute `describes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from oracle.conformance.judge.model import Case
from oracle.conformance.not_taken import NOT_TAKEN, left_out
from oracle.conformance.transport.protocol import shown_value
from oracle.conformance.vectors import Vector
from oracle.conformance.vectors.rescaled import SCALES
from refagg.data.kinds import KINDS, kind_of
from refagg.errors import InvalidKind, InvalidParameter, with_options_named
from refagg.language.lists import by_key

Bounds = tuple[int, int | None]

SHAPES = ("series", "constraints", "strata", "blocks", "sampling_weights", "gower")
"""Features that are asked only of programs that declare them: others would overlook them."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The features that an implementation supports; None stands for all."""

    scales: tuple[str, ...] | None = None
    k: Bounds = (1, None)
    records: Bounds = (1, None)
    records_per_k: int = 1
    attributes: Bounds = (1, None)
    constant: bool = True
    kinds: tuple[str, ...] | None = None
    parameters: tuple[str, ...] | None = None
    seeds: bool = True
    shapes: tuple[str, ...] | None = None
    why: str = "not supported by the implementation"
    """What a reader is told of what is not asked."""

    def gap(self, case: Case) -> str:
        """Return the unsupported feature of a case, in words.

        Empty if all are supported.

        >>> Taken(scales=("population",)).gap(Case("c", "mdav", 1, (("0",),)))
        'the scale none'
        """
        return next(self._gaps(case), "")

    def overlooked(self, case: Case) -> str:
        """Return the overlooked features that make a table another: kinds and shapes."""
        return next(self._other_than_tables(case), "")

    def _gaps(self, case: Case) -> Iterator[str]:
        yield from self._other_than_tables(case)
        if self.scales is not None and case.standardise not in self.scales and not case.kinds:
            yield f"the scale {case.standardise}"
        if case.seed is not None and not self.seeds:
            yield "the seed of a random stream"
        for name in case.parameters:
            if self.parameters is not None and name not in self.parameters:
                yield f"the parameter {name}"
        n = len(case.records)
        if not _inside(case.k, self.k):
            yield f"k {_outside_text(self.k)}"
        if not _inside(n, self.records):
            yield f"{_outside_text(self.records)} records"
        if n < self.records_per_k * case.k:
            yield f"fewer than {self.records_per_k}k records"
        if not all(_inside(len(row), self.attributes) for row in case.records):
            one = self.attributes[1] == 1
            yield f"{_outside_text(self.attributes)} attribute{'' if one else 's'}"
        if not self.constant and NOT_TAKEN["constant"][1](case):
            yield "an attribute that has one value"

    def _other_than_tables(self, case: Case) -> Iterator[str]:
        for name in SHAPES:
            if self.shapes is not None and name not in self.shapes and NOT_TAKEN[name][1](case):
                yield NOT_TAKEN[name][0]
        for text in case.kinds or ("numeric",) * bool(self.kinds):
            if self.kinds is not None and _kind_name(text) not in self.kinds:
                yield f"attributes of the kind {_kind_name(text)}"


ANYTHING = Taken()
"""The default for Python functions, whose arguments tell which shapes they support."""

SILENT = Taken(shapes=(), why="asked only of implementations that declare it")
"""The default for programs without a description, which need not support shapes."""


def taken_from(data: object) -> Taken:
    """Read the description of a program.

    Raises InvalidParameter, which names the key.

    >>> taken_from({"scales": ["sample"], "k": [2, None]}).k
    (2, None)
    """
    if not isinstance(data, Mapping):
        raise InvalidParameter(f"describes must be an object, not {shown_value(data)}")
    if unknown := set(data) - set(READERS):
        raise InvalidParameter(
            f"the description has {shown_value(sorted(map(str, unknown))[0])}; "
            f"it can have {', '.join(READERS)}"
        )
    return Taken(**{"shapes": ()} | {name: READERS[name](name, data[name]) for name in data})


def _names(known: Collection[str] | None) -> object:
    def read(name: str, value: object) -> tuple[str, ...]:
        if isinstance(value, (list, tuple)) and all(isinstance(text, str) for text in value):
            wrong = [text for text in value if known is not None and text not in known]
            if not wrong:
                return tuple(value)
        can_be = "texts" if known is None else f"some of {', '.join(known)}"
        raise InvalidParameter(f"{name} of the description is {shown_value(value)}; list {can_be}")

    return read


def _bounds(name: str, value: object) -> Bounds:
    if isinstance(value, (list, tuple)) and len(value) == 2:
        least, most = value
        if _whole(least) and (most is None or (_whole(most) and most >= least)):
            return least, most
    raise InvalidParameter(
        f"{name} of the description is {shown_value(value)}; it can be the least and the greatest, "
        "[2, 10], or [2, null]"
    )


def _number(name: str, value: Any) -> int:
    if _whole(value):
        return int(value)
    raise InvalidParameter(f"{name} of the description is {shown_value(value)}; give 1, 2, ...")


def _truth(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise InvalidParameter(f"{name} of the description is {shown_value(value)}; give true or false")


def _whole(value: object) -> bool:
    return type(value) is int and value >= 1


READERS: dict[str, Any] = {
    "scales": _names(tuple(SCALES)),
    "k": _bounds,
    "records": _bounds,
    "records_per_k": _number,
    "attributes": _bounds,
    "constant": _truth,
    "kinds": _names(KINDS),
    "parameters": _names(None),
    "seeds": _truth,
    "shapes": _names(SHAPES),
}
"""The keys of a description."""


def _inside(value: object, bounds: Bounds) -> bool:
    least, most = bounds
    return type(value) is int and least <= value and (most is None or value <= most)


def _outside_text(bounds: Bounds) -> str:
    least, most = bounds
    if most is None:
        return f"below {least}"
    return f"other than {least}" if least == most else f"other than {least} to {most}"


def _kind_name(text: str) -> str:
    try:
        return kind_of(text).name
    except InvalidKind:
        return text


@dataclass(frozen=True, slots=True)
class Gap:
    """Vectors that are not asked, and the reason.

    It is the feature they have, and who declared it unsupported.
    """

    what: str
    who: str
    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        """Name options as the caller does."""
        object.__setattr__(self, "who", with_options_named(self.who))

    def line(self) -> str:
        vectors = "vector" if len(self.ids) == 1 else "vectors"
        return f"not covered: {len(self.ids)} {vectors} with {self.what} ({self.who})"


def asked_and_gaps(
    vectors: Iterable[Vector], taken: Taken, without: Collection[str]
) -> tuple[list[Vector], list[Gap]]:
    """Return the vectors to ask, and the gaps.

    The gaps are the other vectors by the reason why they are not asked.
    """
    found = by_key((_reason(vector, taken, without), vector) for vector in vectors)
    asked = found.pop(None, [])
    gaps = ((reason, [v.id for v in left]) for reason, left in found.items() if reason)
    return asked, [Gap(*reason, tuple(ids)) for reason, ids in gaps]


def _reason(vector: Vector, taken: Taken, without: Collection[str]) -> tuple[str, str] | None:
    """Return the unsupported feature of a vector, and its declarer.

    The declarer is who declared it so.

    Invalid input must be refused by every program that would not overlook what makes it invalid.
    """
    case, rejected = vector.case, vector.expectation.kind == "reject"
    if rejected and "invalid" in without:
        return NOT_TAKEN["invalid"][0], "--without=invalid"
    words = [word for word in without if not rejected or word in OVERLOOKED]
    if word := left_out(case, words):
        return NOT_TAKEN[word][0], f"--without={word}"
    what = taken.overlooked(case) if rejected else taken.gap(case)
    return (what, taken.why) if what else None


OVERLOOKED = ("kinds", "sequences", *SHAPES)
"""Fields that change the question for a program that ignores them."""


def gap_data(gaps: Iterable[Gap]) -> list[dict[str, object]]:
    """Return the gaps, ready for JSON."""
    return [
        {"what": gap.what, "why": gap.who, "count": len(gap.ids), "ids": list(gap.ids)}
        for gap in gaps
    ]
