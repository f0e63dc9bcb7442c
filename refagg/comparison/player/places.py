"""Places of records in a picture.

They are on the axes of attributes, or near records that they resemble.

Records that are no rows of numbers are laid out by classical scaling: W. S. Torgerson,
"Multidimensional scaling: I. Theory and method", Psychometrika 17 (1952) 401-419. Of many, some
are laid out so, and the others by their distances from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from operator import mul

from refagg.comparison.principal import coordinates_along, principal_axes
from refagg.constraints.equations import Constraint
from refagg.data.standardise import Scaled
from refagg.data.tables import Attribute, Table
from refagg.errors import InvalidParameter
from refagg.linear_algebra.eigen import eigenpairs
from refagg.spaces.binary64 import FloatSpace

NUMBER = "number of the record"
"""The name of an axis of record numbers."""

ALIKE = ("first axis of classical scaling", "second axis of classical scaling")

STACKED = ": equal values above each other"
"""How the name ends of an axis on which only the records of similar values differ."""

WIDTH = 0.045
"""The share of the range in which values are similar."""

NOISE = 1e-12
"""A sum that is smaller beside its terms is 0: it is what rounding left."""

LANDMARKS = 60
"""The most records that are laid out from all dissimilarities between them."""

Values = Sequence[float]
Axes = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Places:
    """The place of each record on each axis, by axis name."""

    axes: Axes
    first: tuple[str, str]
    """The two axes that are shown first."""
    categories: Mapping[str, list[str]] = field(default_factory=dict)
    """Of axes that have categories instead of numbers, these in their order."""
    texts: Sequence[str] = ()
    """The records as texts, where numbers do not say what they are."""
    remark: str = ""
    sums: Mapping[str, tuple[Values, float]] = field(default_factory=dict)
    """Of axes that are sums of the numbers of a record: their coefficients, and a constant."""
    lines: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """By axis a value at which there is a line, and what it says."""

    def of_point(self, values: Values) -> dict[str, float]:
        """Return the place of a point on the axes.

        These are the axes that are sums of its values.
        """
        found = {}
        for name, (coefficients, constant) in self.sums.items():
            terms = [*map(mul, coefficients, values), constant]
            total = fsum(terms)
            found[name] = total if abs(total) > NOISE * fsum(map(abs, terms)) else 0.0
        return found


def places_of(
    scaled: Scaled,
    between: Callable[[int, int], float],
    constraints: Sequence[Constraint] = (),
    blocks: Sequence[Sequence[str]] = (),
) -> Places:
    """Return the places of the records of a table.

    `between` gives the squared distance of two. Raises InvalidParameter for numbers outside the
    range of binary64.
    """
    table = scaled.table
    try:
        axes = {a.name: _values(table, a.name) for a in table.attributes}
        sums = {
            name: ([float(other == name) for other in table.numbers.names], 0.0)
            for name in table.numbers.names
        }
        lines = {}
        for constraint in constraints:
            name = f"error of {constraint.text}"
            numbers = [float(constraint.coefficients.get(n, 0)) for n in table.numbers.names]
            sums[name] = numbers, -float(constraint.constant)
            lines[name] = 0.0, f"here {constraint.text}"
        places = Places(axes, (NUMBER, NUMBER), sums=sums, lines=lines)
        rows = [[axes[n][record] for n in table.numbers.names] for record in range(table.n)]
        for name in lines:
            axes[name] = [places.of_point(row)[name] for row in rows]
        alone = [*{names[0] for names in blocks or [table.names] if len(names) == 1}]
        for name in sorted({*alone} & {*sums}, key=table.names.index):
            axes[name + STACKED] = stacked_heights(axes[name])
        if len(table.columns) > 2 and not table.others and not lines:
            for name, (along, coefficients) in _components(scaled).items():
                axes[name] = along
                zero = along[0] - fsum(map(mul, coefficients, rows[0]))
                sums[name] = coefficients, zero
    except OverflowError:
        raise InvalidParameter("values outside the range of binary64 cannot be drawn") from None
    remark = ""
    if table.others:
        both, share = scaling(between, table.n)
        axes |= dict(zip(ALIKE, both, strict=True))
        remark = _of_scaling(share)
    axes[NUMBER] = [float(record) for record in range(table.n)]
    texts = [_text(table, record) for record in range(table.n)] if table.others else []
    categories = {other.name: categories_of(other) for other in table.others}
    return Places(axes, _first(table, axes, lines), categories, texts, remark, sums, lines)


def places_of_items(texts: Sequence[str], between: Callable[[int, int], float]) -> Places:
    """The places of records of which only squared distances are known."""
    both, share = scaling(between, len(texts))
    axes = dict(zip(ALIKE, both, strict=True))
    axes[NUMBER] = [float(record) for record in range(len(texts))]
    return Places(axes, ALIKE, texts=texts, remark=_of_scaling(share))


def _first(table: Table, axes: Axes, lines: Mapping[str, object]) -> tuple[str, str]:
    if table.others:
        return ALIKE
    if lines:
        return table.names[-1], next(iter(lines))
    name, *more = table.names
    if not more:
        return name, name + STACKED
    return (name, more[0]) if len(more) == 1 else ("principal component 1", "principal component 2")


def _components(scaled: Scaled) -> dict[str, tuple[list[float], list[float]]]:
    """Return records' places on principal axes, with coefficients.

    The coefficients are those of their values.
    """
    rows, roots = FloatSpace(scaled).rows, [sqrt(weight) for weight in scaled.weights]
    _, axes = principal_axes(rows)
    return {
        f"principal component {i}": (coordinates_along(rows, axis), list(map(mul, axis, roots)))
        for i, axis in enumerate(axes[:3], 1)
    }


def _of_scaling(share: float) -> str:
    return (
        "Records that are alike are near each other: this is the plane of classical scaling, "
        f"which shows {100 * share:.0f} % of the dissimilarities."
    )


def _values(table: Table, name: str) -> list[float]:
    [attribute] = table.select([name]).attributes
    if not isinstance(attribute, Attribute):
        return [float(x) for x in attribute.values(range(table.n))]
    place = {text: float(i) for i, text in enumerate(categories_of(attribute))}
    return [place[attribute.text(cell)] for cell in attribute.cells]


def _text(table: Table, record: int) -> str:
    cells = [
        a.text(a.cells[record]) if isinstance(a, Attribute) else f"{float(a[record]):.6g}"
        for a in table.attributes
    ]
    return ", ".join(cells)


def categories_of(attribute: Attribute) -> list[str]:
    """Return the categories on an axis, from the first place on.

    They are in their declared order, else sorted.

    >>> from refagg.data.kinds import kind_of
    >>> categories_of(Attribute("level", kind_of("ordinal:low<high"), ("high", "low", "high")))
    ['low', 'high']
    """
    declared = attribute.kind.categories
    return list(declared) or sorted({attribute.text(cell) for cell in attribute.cells})


def stacked_heights(values: Values) -> list[float]:
    """Return for each value the least height without a similar one.

    The least value comes first.

    >>> stacked_heights([1, 1, 5, 1])
    [0.0, 1.0, 0.0, 2.0]
    """
    near = WIDTH * (max(values) - min(values))
    ends: list[float] = []  # by height the last value that is there
    heights = [0.0] * len(values)
    for record in sorted(range(len(values)), key=values.__getitem__):
        free = (h for h, end in enumerate(ends) if values[record] > end + near)
        height = next(free, len(ends))
        ends[height : height + 1] = [values[record]]
        heights[record] = float(height)
    return heights


def scaling(
    between: Callable[[int, int], float], n: int
) -> tuple[tuple[list[float], list[float]], float]:
    """Return two coordinates of n records by classical scaling.

    Their squared distances are scaled. The share of the eigenvalues, without signs, that the two
    have is returned too.

    >>> (x, y), share = scaling(lambda a, b: (a - b) ** 2, 3)
    >>> [round(abs(value), 9) for value in x], round(share, 9)
    ([1.0, 0.0, 1.0], 1.0)
    """
    some = sorted({i * n // LANDMARKS for i in range(LANDMARKS)}) if n > LANDMARKS else range(n)
    m = len(some)
    squares = [[float(between(a, b)) for b in some] for a in some]
    means = [fsum(row) / m for row in squares]
    whole = fsum(means) / m
    centred = [
        [-(square - means[i] - means[j] + whole) / 2 for j, square in enumerate(row)]
        for i, row in enumerate(squares)
    ]
    pairs = eigenpairs(centred)
    size = fsum(abs(value) for value, _ in pairs) or 1.0
    best = [*pairs[:2], (0.0, [0.0] * m)][:2]
    coordinates: list[list[float]] = [[], []]
    for record in range(n):
        far = [float(between(record, b)) - mean for b, mean in zip(some, means, strict=True)]
        for axis, (value, vector) in zip(coordinates, best, strict=True):
            scale = 1 / sqrt(value) if value > size * 1e-12 else 0.0
            axis.append(-scale * fsum(v * d for v, d in zip(vector, far, strict=True)) / 2)
    return (coordinates[0], coordinates[1]), fsum(max(value, 0.0) for value, _ in best) / size
