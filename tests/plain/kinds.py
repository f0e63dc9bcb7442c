"""Records of declared kinds, by definition: docs/kinds.md, on Fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


class Mixed:
    """A record or a centre: cells beside what their attributes are."""

    def __init__(
        self, cells: Sequence[Fraction | str], attributes: Sequence[Attribute], gower: bool = False
    ) -> None:
        self.cells = list(cells)
        self.attributes = attributes
        self.gower = gower

    def gap(self, other: Mixed) -> Fraction:
        total = Fraction(0)
        if self.gower:
            for attribute, x, y in zip(self.attributes, self.cells, other.cells, strict=True):
                total += attribute.distance(x, y) * attribute.stretched
            return total / len(self.cells)
        for attribute, x, y in zip(self.attributes, self.cells, other.cells, strict=True):
            total += attribute.distance(x, y) ** 2
        return total


class Attribute:
    """`last`: of equally frequent categories that of the last record is the centre, else of the
    first; of two middle places the upper one, else the lower. Neither is said anywhere."""

    def __init__(self, kind: str, cells: Sequence[str], last: bool) -> None:
        self.last = last
        self.name, _, self.text = kind.partition(":")
        self.order = self.text.split("<")
        numbers = [Fraction(cell) for cell in cells] if self.name == "numeric" else [Fraction(0)]
        self.span = max(numbers) - min(numbers)
        levels = len(self.order)
        self.stretched = Fraction(levels, levels - 1) if self.name == "ordinal" else Fraction(1)
        """Times this, so that the places of Gower are divided by the categories less one."""

    def cell(self, text: str) -> Fraction | str:
        return Fraction(text) if self.name == "numeric" else text

    def distance(self, x: Fraction | str, y: Fraction | str) -> Fraction:
        if self.name == "nominal":
            return Fraction(x != y)
        if self.name == "ordinal":
            places = self.order.index(str(x)), self.order.index(str(y))
            return Fraction(abs(places[0] - places[1]), len(self.order))
        return abs(Fraction(x) - Fraction(y)) / self.span if self.span else Fraction(0)

    def centre(self, cells: Sequence[Fraction | str]) -> Fraction | str:
        if self.name == "nominal":
            return max(cells[::-1] if self.last else cells, key=cells.count)
        if self.name == "ordinal":
            places = sorted(self.order.index(str(cell)) for cell in cells)
            return self.order[places[(len(places) - (not self.last)) // 2]]
        return sum(map(Fraction, cells), Fraction(0)) / len(cells)


def mixed(
    rows: Sequence[Sequence[str]], kinds: Sequence[str], last: bool = False, gower: bool = False
) -> list[Mixed]:
    columns = list(zip(*rows, strict=True))
    attributes = [Attribute(k, column, last) for k, column in zip(kinds, columns, strict=True)]
    return [
        Mixed([a.cell(text) for a, text in zip(attributes, row, strict=True)], attributes, gower)
        for row in rows
    ]


def centre_of(points: Sequence[Mixed]) -> Mixed:
    attributes = points[0].attributes
    cells = [a.centre([point.cells[j] for point in points]) for j, a in enumerate(attributes)]
    return Mixed(cells, attributes, points[0].gower)
