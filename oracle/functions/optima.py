"""`oracle.optimum` and `oracle.verify`: least cost of a k-partition, with proof."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import inf
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING, SupportsIndex

from oracle.certificate import kernel
from oracle.certificate.kernel import Rejected, check
from oracle.optima.searching import OPTIONS, Searching
from oracle.optima.solving import Optimum, solve
from refagg.data.standardise import RANGE, Scaled
from refagg.data.tables import table_of
from refagg.errors import InvalidParameter
from refagg.language.number_texts import float_or
from refagg.language.partition import check_k
from refagg.notebook import Overview, Tabulated, bars
from refagg.options.fields import given_options, keywords, options_of
from refagg.options.scales import scaled_and_measure
from refagg.spaces.dissimilarities.own import measure_for, one_measure
from refagg.terminal import watchable

if TYPE_CHECKING:
    from typing import Unpack

    from oracle.keywords import OptimumOptions


@keywords(OPTIONS)
def optimum(rows: object, k: SupportsIndex = 3, **options: Unpack[OptimumOptions]) -> Optimum:
    """Return the cheapest partition of records into groups of at least k.

    Parameters
    ----------
    rows : n records of p attributes
        Rows of numbers, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping
        from names to columns. With `cost`, a sequence of anything.
    k : the least size of a group
    OPTIONS

    Returns
    -------
    Optimum : `status`, `partition`, `value` and `bound` (exact), `gap`, `certificate`

    Raises
    ------
    RefaggError: InvalidK, KTooLarge, InvalidParameter, InvalidConstraint, NoPartition,
    SolverUnavailable, SolverFailed, MissingExtra without PuLP, and what reading the rows raises.

    >>> import oracle
    >>> found = oracle.optimum([[1], [2], [3], [10], [11], [13]], k=3, standardise="none")
    >>> found.status, found.partition.groups, str(found.value)
    ('optimal', ((0, 1, 2), (3, 4, 5)), '20/3')
    >>> rows = [[1], [2], [9], [8], [30]]
    >>> oracle.optimum(rows, k=2, objective="absolute", standardise="none").value
    Fraction(23, 1)
    """
    given, least = given_options(options, OPTIONS, "optimum"), check_k(k, maxsize)
    given["state"] = None if given["state"] is None else Path(given["state"])
    common = {name: given[name] for name in options_of(Searching)}
    if given["cost"] is not None:
        if given["kinds"] is not None:
            raise InvalidParameter("kinds have a cost of their own; give kinds or a cost")
        return solve(rows, least, **common)
    if isinstance(rows, Scaled):
        measure = one_measure(given["dissimilarity"], given["similarity"])
        return solve(rows, least, dissimilarity=measure_for(rows.table, measure), **common)
    if given["objective"] == "absolute":
        given["standardise"] = given["standardise"] or RANGE
    scaled, by = scaled_and_measure(rows, given, OPTIONS)
    return solve(scaled, least, dissimilarity=by, **common)


TEN = Context(prec=10, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Ten significant digits of numbers of any magnitude."""


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Tabulated):
    """An accepted certificate, and the nodes and groups that were examined."""

    certificate: kernel.Certificate
    nodes: int
    groups: int

    def overview(self) -> Overview:
        """Return what notebooks show."""
        known = {"value": float_or(inf, self.value), "bound": float_or(inf, self.bound)}
        return Overview(
            f"Proof: {'; '.join(self.lines())}",
            lambda: {"number": list(known), "SSE": list(known.values())},
            bars(known, "SSE"),
        )

    @property
    def value(self) -> Fraction:
        """Return the SSE of the partition, exactly."""
        return self.certificate.value

    @property
    def bound(self) -> Fraction:
        """Return the proved lower bound: no partition has a smaller SSE."""
        return self.certificate.bound

    @property
    def optimal(self) -> bool:
        """Return True if the bound is the value."""
        return self.value == self.bound

    def lines(self) -> list[str]:
        """Return lines about the proved claim and what was examined."""
        c, value = self.certificate, short_number(self.value)
        seen = f"proof: {self.nodes} nodes, {self.groups} groups within their gaps"
        if self.optimal:
            claim = f"SSE {value} is optimal: no partition {_partitions(c)} has less"
            return [f"accepted: {claim}; {_scale(c)}", seen]
        claim = f"no partition {_partitions(c)} has an SSE below {short_number(self.bound)}"
        return [f"accepted: {claim}; {_scale(c)}", f"the partition has {value}", seen]


def check_name(name: object) -> None:
    """Raise Rejected for a path with a character that is not printed."""
    if isinstance(name, (str, Path)) and not str(name).isprintable():
        raise Rejected(f"{str(name)!r} is not the name of a file")


@watchable
def verify(
    certificate: str | Path | Mapping[str, object],
    rows: object,
    *,
    delimiter: str = ",",
    progress: bool = False,
) -> Proof:
    """Check what a certificate proves of some rows, exactly and independently.

    Nothing that made the certificate is used.

    Parameters
    ----------
    certificate : the path of one, or what `oracle.optimum(...).certificate` holds
    rows : the table that it is about
        The path of a CSV file, or a table of any kind that `oracle.optimum` takes, with its names.
    delimiter : between the cells of a CSV file
    progress : show how far the work is, after two seconds: in a notebook, or on standard error

    Returns
    -------
    Proof : `value`, `bound` (exact), `optimal`, and `lines()` for a reader

    Raises
    ------
    Rejected : with the place and the reason, if it is not a proof, or not for these rows
    OSError : if a file cannot be read
    RefaggError : what reading the rows raises

    >>> import oracle
    >>> rows = [[1], [2], [9], [8]]
    >>> found = oracle.optimum(rows, k=2, method="columns", standardise="none")
    >>> oracle.verify(found.certificate, rows).value
    Fraction(1, 1)
    """
    check_name(certificate)
    check_name(rows)
    if isinstance(certificate, (str, Path)):
        read = kernel.certificate_of(kernel.read_content(Path(certificate)), str(certificate))
    else:
        try:
            text = json.dumps(certificate)
        except (TypeError, ValueError, RecursionError) as error:
            raise Rejected(f"the certificate is not JSON: {error}") from None
        read = kernel.certificate_of(text, "the certificate")
    if isinstance(rows, (str, Path)):
        values = kernel.read_rows(Path(rows), read.attributes, delimiter)
    else:
        table = table_of(rows)
        if missing := [name for name in read.attributes if name not in table.names]:
            raise Rejected(f"the rows have no attribute {missing[0]!r}, which the certificate has")
        table = table.select(read.attributes)
        values = tuple(map(table.row, range(table.n)))
    try:
        return Proof(read, *check(read, values))
    except (RecursionError, ValueError) as error:  # groups too large, more digits than are written
        raise Rejected(f"this is too large for Python: {error}") from None


def short_number(value: Fraction) -> str:
    """Write a number exactly if that is short.

    A number that is too long to read is written in ten digits.
    """
    decimal = f"{TEN.divide(Decimal(value.numerator), Decimal(value.denominator))}"
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 64:
        return f"about {decimal}"
    exact = str(value)
    return exact if len(exact) <= 10 else f"{exact} (about {decimal})"


def _partitions(c: kernel.Certificate) -> str:
    """Return the partitions that a certificate is about."""
    sizes = f"{c.k}" if c.k == c.largest else f"{c.k} to {c.largest}"
    text = f"of the {c.records} records into groups of {sizes} (k = {c.k})"
    pairs = [
        f"{', '.join(f'{a}-{b}' for a, b in named)} {name}"
        for name, named in (("together", c.together), ("apart", c.apart))
        if named
    ]
    return f"{text} with {' and '.join(pairs)}" if pairs else text


def _scale(c: kernel.Certificate) -> str:
    """Return the attributes, and what they are divided by."""
    divisor = {"population": "n", "sample": "n - 1"}.get(c.standardise)
    divided = f"each divided by its standard deviation (divisor {divisor})"
    names = ", ".join(
        name if re.fullmatch(r"[\w.-]+", name) else json.dumps(name) for name in c.attributes
    )
    return f"attributes {names}, {divided if divisor else 'as they are'}"
