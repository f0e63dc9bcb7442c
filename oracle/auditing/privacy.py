"""l-diversity and t-closeness of confidential values.

Are the values diverse among records that are alike, and distributed as in the file?

Sources: A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam 2007, l-diversity (distinct,
entropy, recursive); N. Li, T. Li, S. Venkatasubramanian 2007, t-closeness with the earth mover's
distance of ordered values and of values at equal distances. Everything is decided exactly.

>>> [asked] = promises_of("recursive:2:3")
>>> asked.kept([3, 1]), asked.kept([2, 1])
(False, True)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import exp, fsum, log
from typing import Any

from oracle.auditing.alike import Alike
from oracle.auditing.cells import AS_TEXT, declared_values
from oracle.auditing.driver import Check, check_at, driven
from oracle.auditing.other_columns import cell_as_text, value_of
from oracle.auditing.verdict import Verdict, with_checks
from refagg.data.kinds import Kind, is_mark, is_missing
from refagg.errors import (
    InvalidParameter,
    NotANumber,
    NotFinite,
    ShapeMismatch,
    UnknownCategory,
    missing_value,
)
from refagg.language.lists import check_labels, listed
from refagg.language.number_texts import number_text, rational

SHOWN = 3
"""Classes that a witness names."""

SAME = 1e-9
"""Logarithms that differ by less are compared in integers."""

Column = Sequence[Hashable]
Counted = Counter[Hashable]


@dataclass(frozen=True, slots=True)
class Diversity:
    """A promise of l-diversity: `definition` is "distinct", "entropy" or "recursive"."""

    definition: str
    least: Fraction
    c: Fraction = Fraction(2)

    @property
    def name(self) -> str:
        given = f"c = {number_text(self.c)}, " if self.definition == "recursive" else ""
        return f"{self.definition} diversity ({given}l = {number_text(self.least)})"

    def kept(self, counts: Sequence[int]) -> bool:
        """Return True if a class has the promised diversity.

        The class has `counts` records of each value.
        """
        if self.definition == "distinct":
            return len(counts) >= self.least
        if self.definition == "entropy":
            return _entropy_reaches(counts, self.least)
        falling = sorted(counts, reverse=True)
        return falling[0] < self.c * sum(falling[int(self.least) - 1 :])

    def reached(self, counts: Sequence[int]) -> float:
        """Return the diversity of a class.

        Of "recursive", it is the greatest l that the class keeps (0 for none).
        """
        if self.definition == "distinct":
            return len(counts)
        if self.definition == "entropy":
            return exp(_entropy(counts))
        numbers = range(1, len(counts) + 1)
        return max((n for n in numbers if replace(self, least=Fraction(n)).kept(counts)), default=0)


@dataclass(frozen=True, slots=True)
class Closeness:
    """A promise of t-closeness: `definition` is "ordered" or "equal", for the distances."""

    definition: str
    most: Fraction

    @property
    def name(self) -> str:
        return f"closeness by {self.definition} distance (t = {number_text(self.most)})"


Promise = Diversity | Closeness
DIVERSITIES, CLOSENESSES = ("distinct", "entropy", "recursive"), ("ordered", "equal")


def promises_of(diversity: object = (), closeness: object = ()) -> list[Promise]:
    """Return the promises that texts name.

    The texts are "distinct:3", "entropy:5/2", "recursive:3:2" (l, and c, which is 2 if it is left
    out); "ordered:0.2", "equal:0.2". Raises InvalidParameter.
    """
    found: list[Promise] = []
    for text in _texts(diversity, "l-diversity"):
        what = f"l-diversity {text!r}"
        form = "distinct:3, entropy:5/2, recursive:3 or recursive:3:2 (l, then c)"
        definition, *numbers = _parts(text, what, DIVERSITIES, form, 2)
        if len(numbers) == 2 and definition != "recursive":
            raise InvalidParameter(f"{what}: only recursive diversity has a c; write {form}")
        if definition != "entropy" and numbers[0].denominator > 1:
            raise InvalidParameter(f"{what}: l must be an integer")
        if numbers[0] < 1 or numbers[-1] <= 0:
            raise InvalidParameter(f"{what}: l must be at least 1, and c greater than 0")
        found.append(Diversity(definition, *numbers))
    for text in _texts(closeness, "t-closeness"):
        what = f"t-closeness {text!r}"
        definition, most = _parts(text, what, CLOSENESSES, "ordered:0.2 or equal:0.2", 1)
        if not 0 <= most <= 1:
            raise InvalidParameter(f"{what}: t must be from 0 to 1")
        found.append(Closeness(definition, most))
    return found


def _texts(given: object, what: str) -> list[str]:
    return [given] if isinstance(given, str) else listed(given, f"{what} is", "give texts")


def _parts(text: str, what: str, definitions: Sequence[str], form: str, most: int) -> list[Any]:
    """Return the definition and the numbers in a text.

    They have colons between them. Raises InvalidParameter.
    """
    definition, *numbers = str(text).split(":")
    if definition not in definitions or not 1 <= len(numbers) <= most:
        raise InvalidParameter(f"{what} is not understood; write {form}")
    try:
        return [definition, *(rational(number, what) for number in numbers)]
    except (NotANumber, NotFinite) as error:
        raise InvalidParameter(f"{error}; write {form}") from None


def _entropy(counts: Sequence[int]) -> float:
    m = sum(counts)
    return log(m) - fsum(count * log(count) for count in counts) / m


def _entropy_reaches(counts: Sequence[int], least: Fraction) -> bool:
    """Return True if exp(entropy) >= l.

    With m records, that is m^m >= l^m times the product of c^c.
    """
    difference = _entropy(counts) - log(least.numerator) + log(least.denominator)
    if abs(difference) > SAME:
        return difference > 0
    m, needed = sum(counts), least.numerator ** sum(counts)
    for count in counts:
        needed *= count**count
    return bool(m**m * least.denominator**m >= needed)


def equal_distances(classes: Sequence[Counted], column: Column) -> list[Fraction]:
    """Return each class's earth mover's distance at equal distances of values.

    It is half the sum of |p - q|: the class has the shares p, and the whole file the shares q.
    """
    whole, n = Counter(column), len(column)
    found = []
    for counts in classes:
        m = counts.total()
        over = sum(max(count * n - whole[value] * m, 0) for value, count in counts.items())
        found.append(Fraction(over, m * n))
    return found


def ordered_distances(classes: Sequence[Counter[int]], places: Sequence[int]) -> list[Fraction]:
    """Return each class's earth mover's distance of ordered values.

    It is the sum of |P - Q| over the distinct values but the last, divided by their number - 1.

    P and Q are the shares of values up to each, in the class and in the whole file. `places` are
    the numbers of the values, from 0, in their order, and `classes` counts them.
    """
    whole, n = Counter(places), len(places)
    below = list(accumulate(whole[place] for place in range(len(whole))))[:-1]
    sums = [0, *accumulate(below)]

    def apart(share: Fraction, first: int, end: int) -> Fraction:
        """Return the sum of |share - Q| over places, where Q rises."""
        middle = min(max(bisect_left(below, share * n), first), end)
        low = (middle - first) * share - Fraction(sums[middle] - sums[first], n)
        return low + Fraction(sums[end] - sums[middle], n) - (end - middle) * share

    found = []
    for counts in classes:
        m, points = counts.total(), sorted(counts)
        total, done = apart(Fraction(0), 0, points[0]), 0
        for first, end in zip(points, [*points[1:], len(below)], strict=True):
            done += counts[first]
            total += apart(Fraction(done, m), first, end)
        found.append(total / max(len(below), 1))
    return found


def with_promises(
    verdict: Verdict,
    alike: Alike,
    confidential: Mapping[str, Column],
    promises: Sequence[Promise],
    kinds: Mapping[str, Kind],
) -> Verdict:
    """Return the verdict with promises on confidential columns; see `promise_checks`."""
    at_hand = {"alike": alike, "confidential": confidential}
    return with_checks(verdict, list(driven(at_hand | {"promises": promises, "kinds": kinds})))


@check_at(80)
def promise_checks(
    alike: Alike,
    confidential: Mapping[str, Column],
    promises: Sequence[Promise],
    kinds: Mapping[str, Kind],
) -> list[Check]:
    """Return a check for each promise and each confidential column.

    Classes are the records that count as alike. `kinds` has the order of columns that are ordinal.
    Raises ShapeMismatch, InvalidParameter, MissingValue, UnknownCategory.
    """
    if promises and not confidential:
        raise InvalidParameter("l-diversity and t-closeness need confidential columns; name them")
    checks = []
    for name, column in confidential.items() if promises else ():
        check_confidential(name, column, alike.n)
        kind = kinds.get(name)
        values = _values(name, column, kind)
        shown = column if kind and kind.timed else values
        for promise in promises:
            if not alike.classes:
                reason = "no record has a quasi-identifier"
                checks.append(Check(f"{promise.name} of {name}", "not judged", reason))
            elif isinstance(promise, Diversity):
                checks.append(_diversity(promise, name, values, alike, shown))
            else:
                checks.append(_closeness(promise, name, values, alike, shown, kind))
    return checks


def check_confidential(name: str, column: Column, n: int) -> None:
    """Raise ShapeMismatch or InvalidParameter for a column that cannot be counted."""
    if len(column) != n:
        raise ShapeMismatch(f"{name} has {len(column)} values for {n} records")
    check_labels(column, name, InvalidParameter)


def _values(name: str, column: Column, kind: Kind | None) -> Column:
    """Return the values that are counted. Raises MissingValue."""
    for record, value in enumerate(column):
        if _lacks(value, kind):
            raise missing_value(f"record {record}, column {name!r}", value)
    return counted_values(name, column, kind)


def _lacks(value: Hashable, kind: Kind | None) -> bool:
    """Return True if a value is missing.

    Of declared categories only the empty one is.
    """
    texts = kind is not None and kind.name != "numeric" and not kind.type
    cell = value.strip() if isinstance(value, str) else None
    return is_missing(value) or cell == "" or bool(cell and not texts and is_mark(cell))


def counted_values(name: str, column: Column, kind: Kind | None) -> Column:
    """Return the values, as numbers where all are some.

    So 1 and 1.0 are equal, where no cell is a code such as 01. Raises what `declared_values` does.
    """
    if kind is not None and not any(_lacks(value, kind) for value in column):
        return declared_values(column, kind, lambda record: f"record {record}, column {name!r}")
    if not any(isinstance(value, str) and AS_TEXT.match(value) for value in column):
        with suppress(NotANumber, NotFinite):
            return [rational(value, name) for value in column]
    return [value_of(cell_as_text(value)) for value in column]


def _diversity(promise: Diversity, name: str, column: Column, alike: Alike, shown: Column) -> Check:
    all_counts = [tuple(counts.values()) for counts in alike.counts(column)]
    reached = {counts: promise.reached(counts) for counts in set(all_counts)}
    kept = {counts: promise.kept(counts) for counts in set(all_counts)}
    least = min(reached.values())
    bad = [(reached[c], number) for number, c in enumerate(all_counts) if not kept[c]]
    text = f"l reached {number_text(least)}"
    return _check(promise.name, name, text, bad, shown, alike, {"l_reached": least})


def _closeness(
    promise: Closeness,
    name: str,
    column: Column,
    alike: Alike,
    shown: Column,
    kind: Kind | None,
) -> Check:
    if promise.definition == "equal":
        distances = equal_distances(alike.counts(column), column)
    else:
        places = _places(name, column, kind)
        distances = ordered_distances(alike.counts(places), places)
    most = max(distances)
    bad = [(-float(far), number) for number, far in enumerate(distances) if far > promise.most]
    details = {"t_reached": float(most), "t_reached_exact": str(most)}
    text = f"greatest distance {number_text(most)}"
    return _check(promise.name, name, text, bad, shown, alike, details)


def _places(name: str, column: Column, kind: Kind | None) -> list[int]:
    """Return the number of each value among those of the file.

    The values of the file are numbered in their order.
    """
    if kind and kind.categories and kind.name == "ordinal":
        order: Sequence[Any] = kind.categories
        for record, value in enumerate(column):
            if value not in order:
                raise UnknownCategory(
                    f"record {record}, column {name!r}: {value!r} is not one of the categories "
                    + ", ".join(kind.categories)
                )
        present = set(column)
        order = [value for value in order if value in present]
    elif all(isinstance(value, Fraction) for value in column):
        order = sorted(set(column))
    else:
        raise InvalidParameter(
            f"ordered distance needs numbers, or the order of the categories; {name!r} has "
            f"neither: declare its kind, as {name}=ordinal:low<high, or use equal distance"
        )
    place = {value: number for number, value in enumerate(order)}
    return [place[value] for value in column]


def _check(
    promise: str,
    name: str,
    text: str,
    bad: list[tuple[float, int]],
    column: Column,
    alike: Alike,
    details: dict[str, Any],
) -> Check:
    """Return the check of a promise.

    `bad` are the classes that break it, the worst least.
    """
    details = {**details, "classes": len(bad)}
    title, number = f"{promise} of {name}", len(alike.classes)
    if not bad:
        return Check(title, "holds", f"{text}, in {number} classes", (), details)
    summary = f"{text}; {len(bad)} of {number} classes {alike.of_what} break it"
    worst = [number for _, number in sorted(bad)]
    return Check(title, "fails", summary, class_lines(alike, worst, column), details)


def class_lines(alike: Alike, numbers: Sequence[int], column: Column) -> tuple[str, ...]:
    """Return a line for each of the first classes.

    They are the first of these numbers. Another line says how many more there are.
    """
    lines = [class_line(alike.group(number), column) for number in numbers[:SHOWN]]
    return (*lines, *[f"and {len(numbers) - SHOWN} more"] * (len(numbers) > SHOWN))


def class_line(group: Sequence[int], column: Column) -> str:
    """Return the values of some records, the most frequent first."""
    counts = Counter(column[record] for record in group)
    told = ", ".join(f"{value!s} ({count})" for value, count in counts.most_common(5))
    records = " ".join(map(str, group[:12])) + " ..." * (len(group) > 12)
    return f"record{'s' * (len(group) > 1)} {records}: {told}"
