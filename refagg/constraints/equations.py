"""Linear equations as text: `net + tax = gross`.

Another example is `2*(a - b)/3 = 'my column' + 10`.

Numbers are decimals, with or without an exponent, and quotients of them. A name of letters, digits,
underscores and dots that begins with a letter or an underscore stands for itself; any other is
quoted, 'net pay' or "net pay", with a quote inside it written twice.

Constraints as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from refagg.data.textfiles import read_text
from refagg.errors import InvalidConstraintText
from refagg.language.number_texts import MOST_DIGITS, shortened

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d][\w.]*)"
    r"|(?P<quoted>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")"
    r"|(?P<sign>[-+*/()=])"
    r"|(?P<blank>\s+)"
)
_LARGEST_EXPONENT, _DEEPEST, _MOST_EQUATIONS = 400, 50, 10_000
_MOST_BITS = 4000
"""Of the numerator and of the denominator of a coefficient: some 1200 digits."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of attributes, each times a number, and a number."""

    coefficients: dict[str, Fraction]
    constant: Fraction

    def plus(self, other: Linear, times: int = 1) -> Linear:
        names = dict.fromkeys([*self.coefficients, *other.coefficients])
        zero = Fraction(0)
        total = {
            name: self.coefficients.get(name, zero) + times * other.coefficients.get(name, zero)
            for name in names
        }
        return Linear(total, self.constant + times * other.constant)

    def scaled(self, factor: Fraction) -> Linear:
        return Linear({n: factor * c for n, c in self.coefficients.items()}, factor * self.constant)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int
    """Of its first character, from 1."""


def equation(text: str) -> Linear:
    """Return an equation's left side less its right side.

    The equation says that this is 0. Attributes that cancel are left out. Raises
    InvalidConstraintText.

    >>> found = equation("2*net - tax/4 = 1.5 + gross")
    >>> {name: str(number) for name, number in found.coefficients.items()}
    {'net': '2', 'tax': '-1/4', 'gross': '-1'}
    >>> found.constant
    Fraction(-3, 2)
    """
    reader = _Reader(text)
    left = reader.sum()
    reader.take("=", "an equals sign")
    right = reader.sum()
    if reader.next.kind != "end":
        raise reader.error("the constraint goes on")
    total = left.plus(right, -1)
    kept = {name: number for name, number in total.coefficients.items() if number}
    if not kept:
        why = "its attributes cancel" if total.coefficients else "it names none"
        raise InvalidConstraintText(f"constraint {text!r} is about no attribute: {why}")
    return Linear(kept, total.constant)


class _Reader:
    """Reads one equation from the left to the right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.next = next(self.tokens)
        self.depth = 0

    def error(self, what: str) -> InvalidConstraintText:
        token = self.next
        found = "its end" if token.kind == "end" else repr(token.text)
        return _error(self.text, token.position, f"{what} at {found}")

    def advance(self) -> _Token:
        token = self.next
        if token.kind != "end":
            self.next = next(self.tokens)
        return token

    def take(self, sign: str, meaning: str) -> None:
        if self.next.text != sign or self.next.kind != "sign":
            raise self.error(f"{meaning} is missing")
        self.advance()

    def at(self, signs: str) -> bool:
        return self.next.kind == "sign" and self.next.text in signs

    def sum(self) -> Linear:
        """Terms with + or - between them."""
        total = self.term()
        while self.at("+-"):
            times = 1 if self.advance().text == "+" else -1
            total = self.bounded(total.plus(self.term(), times))
        return total

    def bounded(self, total: Linear) -> Linear:
        """Return a part of the equation if its numbers are short enough.

        Raises InvalidConstraintText otherwise.
        """
        for number in (*total.coefficients.values(), total.constant):
            if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MOST_BITS:
                raise _error(self.text, self.next.position, "the numbers so far are too long")
        return total

    def term(self) -> Linear:
        """Read factors with * or / between them.

        At most one of the factors has attributes.
        """
        sign = Fraction(1)
        while self.at("+-"):
            sign *= -1 if self.advance().text == "-" else 1
        total = self.factor().scaled(sign)
        while self.at("*/"):
            start, divided = self.next.position, self.advance().text == "/"
            total = self.bounded(self.combined(total, self.factor(), divided, start))
        return total

    def combined(self, left: Linear, right: Linear, divided: bool, position: int) -> Linear:
        if divided:
            if right.coefficients:
                raise _error(self.text, position, "an attribute cannot be divided by")
            if right.constant == 0:
                raise _error(self.text, position, "0 cannot be divided by")
            return left.scaled(1 / right.constant)
        if left.coefficients and right.coefficients:
            raise _error(self.text, position, "attributes cannot be multiplied with each other")
        if right.coefficients:
            left, right = right, left
        return left.scaled(right.constant)

    def factor(self) -> Linear:
        """A number, an attribute, or a sum in parentheses."""
        if self.at("("):
            return self.inside()
        if self.next.kind not in ("number", "name", "quoted"):
            raise self.error("a number or an attribute is missing")
        token = self.next
        value = _value(self.text, token)
        self.advance()
        if self.next.kind in ("number", "name", "quoted") or self.at("("):
            raise self.error("an operator is missing (2*a, not 2a or 2 a; quote 'my column')")
        return value

    def inside(self) -> Linear:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"more than {_DEEPEST} parentheses are open")
        self.advance()
        total = self.sum()
        self.take(")", "a closing parenthesis")
        self.depth -= 1
        return total


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise _error(text, position + 1, _strange(text[position:]))
        if match.lastgroup != "blank":
            yield _Token(match.lastgroup, match.group(), position + 1)
        position = match.end()
    yield _Token("end", "", len(text) + 1)


def _strange(rest: str) -> str:
    if rest[0] in "'\"":
        return "a quote is not closed"
    if rest[0] in "<>\u2264\u2265!":
        return f"{rest[0]!r} cannot be read; a constraint is an equation"
    return f"{rest[0]!r} cannot be read; a name with it must be quoted"


def _value(text: str, token: _Token) -> Linear:
    if token.kind == "number":
        _, _, exponent = token.text.lower().partition("e")
        # The exponent is looked at before any power of ten is computed.
        if len(token.text) > MOST_DIGITS or abs(int(exponent or 0)) > _LARGEST_EXPONENT:
            raise _error(text, token.position, "the number is too long")
        return Linear({}, Fraction(token.text))
    name = token.text
    if token.kind == "quoted":
        quote = name[0]
        name = name[1:-1].replace(quote * 2, quote)
    return Linear({name: Fraction(1)}, Fraction(0))


def _error(text: str, position: int, what: str) -> InvalidConstraintText:
    return InvalidConstraintText(f"constraint {shortened(text)}, character {position}: {what}")


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
    """Read the constraints in a file, one in a line.

    What follows a # is left out. Raises FileUnreadable, InvalidConstraintText.
    """
    found: list[Constraint] = []
    for number, line in enumerate(read_text(path, "utf-8-sig").splitlines(), 1):
        text = _without_remark(line)
        if not text.strip():
            continue
        if len(found) == _MOST_EQUATIONS:
            raise InvalidConstraintText(f"{path} has more than {_MOST_EQUATIONS} constraints")
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
