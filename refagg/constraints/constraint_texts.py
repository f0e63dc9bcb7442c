"""Constraints as they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from refagg.constraints.equations import equation
from refagg.data.textfiles import read_text
from refagg.errors import InvalidConstraintText


@dataclass(frozen=True, slots=True)
class Constraint:
    """The sum of coefficient times attribute is the constant."""

    coefficients: Mapping[str, Fraction]
    constant: Fraction
    text: str


def parse_constraint(text: str) -> Constraint:
    """The constraint that an equation states. Raises InvalidConstraintText.

    >>> parse_constraint("net + tax = gross - 1/2").constant
    Fraction(-1, 2)
    """
    found = equation(text)
    return Constraint(found.coefficients, -found.constant, text.strip())


def read_constraints(path: Path) -> list[Constraint]:
    """The constraints in a file, one in a line; what follows a # is left out.

    Raises FileUnreadable, InvalidConstraintText.
    """
    found = []
    for number, line in enumerate(read_text(path, "utf-8-sig").splitlines(), 1):
        text = _without_remark(line)
        if not text.strip():
            continue
        try:
            found.append(parse_constraint(text))
        except InvalidConstraintText as error:
            raise InvalidConstraintText(f"{path}, line {number}: {error}") from None
    if not found:
        raise InvalidConstraintText(f"{path} has no constraint")
    return found


def _without_remark(line: str) -> str:
    """The line up to a # that is in no quoted name."""
    quote = ""
    for position, sign in enumerate(line):
        if sign == "#" and not quote:
            return line[:position]
        if sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
    return line
