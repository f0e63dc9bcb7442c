"""Every way in which a request can be wrong, one exception each.

All of them are raised before any work is done, and their message says what was
given, what is allowed and, for tables and files, where (file, row, column).
Rows of a file are counted as its lines are: the header is line 1.

A message names an option as a shell takes it, --missing or --missing=drop. Where no command is
carried out, it is named as in Python, missing= or missing='drop'; a command in backticks stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

KEYWORDS = {
    "aggregate-kind": "aggregates",
    "case": "cases",
    "columns": "quasi_identifiers",
    "constraint": "constraints",
    "flag": "flags",
    "kind": "kinds",
    "param": "parameters",
    "weight": "weights",
}
"""The keywords of options that have another name on a command."""

_LISTED = ("case", "constraint", "flag", "without")
"""Those that a command takes one by one, and Python in a list."""

_OPTION = re.compile(
    r"`[^`]*`|(?<![\w=])'[^']*'(?!\w)"  # commands, and what was given, stay as they are
    r"|(?<![\w-])--([a-z][a-z-]*)(?:=('[^']*'|[^\s;:()]*[^\s;:(),.]))?"
)

_commanded = False


@contextmanager
def on_a_command() -> Iterator[None]:
    """Let messages name options as a shell takes them."""
    global _commanded
    before, _commanded = _commanded, True
    try:
        yield
    finally:
        _commanded = before


def with_options_named(message: str) -> str:
    """Name a message's options as the caller does.

    The caller is a command, or Python.

    >>> with_options_named("choose a policy (--missing); --kind=born=date reads it")
    "choose a policy (missing=); kinds={'born': 'date'} reads it"
    >>> with_options_named("'--none' is not a number, an attribute's name (--key) is")
    "'--none' is not a number, an attribute's name (key=) is"
    """
    if _commanded:
        return message
    return _OPTION.sub(_keyword, message).replace("} kinds={", ", ")


def _keyword(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[0]
    name = KEYWORDS.get(found[1], found[1].replace("-", "_"))
    if found[2] is None:
        return f"{name}="
    value = found[2].strip("'")
    if found[1] in _LISTED:
        return f"{name}=[{value!r}]"
    key, equals, rest = value.rpartition("=")
    return f"{name}={{{key!r}: {rest!r}}}" if equals else f"{name}={value!r}"


class RefaggError(Exception):
    """The base of all errors that this project raises on purpose."""

    def __init__(self, message: object = "", *others: object) -> None:
        super().__init__(with_options_named(str(message)), *others)


# Tables and files


class FileUnreadable(RefaggError):
    """A file is missing, is not text, or cannot be opened."""


class OutputUnwritable(RefaggError):
    """An output file cannot be written, or would overwrite an input."""


class EmptyTable(RefaggError):
    """A table has no record or no attribute."""


class RaggedRow(RefaggError):
    """A row has more or fewer cells than the table has columns."""


class TooLarge(RefaggError):
    """A table or number is too large.

    A table has more columns or values, or a number more digits, than are read.
    """


class DuplicateColumn(RefaggError):
    """Two columns have the same name, or one column is named twice."""


class UnknownColumn(RefaggError):
    """The table has no column of the requested name."""


class MissingValue(RefaggError):
    """A value is missing, and the policy for missing values is `reject`."""


class NotFinite(RefaggError):
    """A cell is NaN or infinite."""


class NotANumber(RefaggError):
    """A cell of a numeric column is not a number."""


class NotATable(RefaggError):
    """The data are neither rows nor an object that provides them.

    Rows are rows of values.
    """


class ProbableKey(RefaggError):
    """A column looks like a record key; exclude it or name it.

    It would be judged as a quasi-identifier, and was not chosen by name.
    """


class ShapeMismatch(RefaggError):
    """Two tables of the same records have different shapes."""


# Requests


class InvalidK(RefaggError):
    """k is not an integer of at least 1."""


class KTooLarge(RefaggError):
    """A file or a stratum has fewer than k records.

    They are too few to form one group.
    """


class UnknownAlgorithm(RefaggError):
    """No algorithm of the catalogue has this name."""


class UnknownParameter(RefaggError):
    """The algorithm has no parameter of this name."""


class InvalidParameter(RefaggError):
    """A parameter has a value that is not allowed."""


class InvalidPartition(RefaggError):
    """Groups do not form a partition of the records."""


class InvalidBlocks(RefaggError):
    """Blocks of attributes do not form a partition of the attributes."""


class InvalidKind(RefaggError):
    """The kind of an attribute is not declared, or cannot be parsed."""


class NotADate(RefaggError):
    """A cell of a column of dates holds no valid date.

    This includes datetimes: the cell holds none, or none of the column's kind.
    """


class UnfitColumn(RefaggError):
    """A column's type cannot hold released values.

    The column is one of a frame.
    """


class UnknownCategory(RefaggError):
    """A value is not one of the categories that were declared."""


class InvalidMatrix(RefaggError):
    """A dissimilarity is not valid.

    It is not symmetric, or negative, or not finite, or not 0 from a record to itself.
    """


class MeasureFailed(RefaggError):
    """The caller's own dissimilarity or similarity raised an error for two records."""


class NoCentroid(RefaggError):
    """An algorithm needs averages, but these records have none."""


class NotUnivariate(RefaggError):
    """An algorithm for one attribute is given several."""


class UnsupportedArithmetic(RefaggError):
    """The algorithm is not defined in this arithmetic."""


class UndefinedMeasure(RefaggError):
    """A measure is not defined on these data.

    It divides by 0, for example.
    """


class BeyondFloats(RefaggError):
    """Values are too large or too small for binary64.

    What is computed with them in binary64 is out of range.
    """


# Randomness and traces


class StreamExhausted(RefaggError):
    """A random stream cannot make a draw.

    Its script has ended or does not fit, or there is no stream.
    """


# Data sets


class UnknownDataset(RefaggError):
    """No data set has this name."""


class DatasetUnavailable(RefaggError):
    """A data set is not available.

    It may not ship with the project.
    """


class ChecksumMismatch(RefaggError):
    """The checksum of a file is not that of the data set."""


# Optima


class InvalidConstraint(RefaggError):
    """Pairs that must or must not share a group are wrong.

    Their records are named wrongly, or the pairs contradict each other.
    """


class NoPartition(RefaggError):
    """No partition has the requested sizes and meets the constraints."""


class InvalidReference(RefaggError):
    """A file does not fit as a reference.

    It is not what `oracle optimum --json` writes, or belongs to another request.
    """


class SolverUnavailable(RefaggError):
    """The requested solver is not installed."""


class CheckerUnavailable(RefaggError):
    """A checker of certificates needs a program that is not installed."""


class SolverFailed(RefaggError):
    """A solver returned a wrong solution.

    It is no solution of the program, which has one.
    """


class InvalidAudit(RefaggError):
    """A file is not what `oracle audit --json` writes."""


class InvalidCertificate(RefaggError):
    """A file is not a readable certificate.

    It is not a certificate at all, or not of a version that can be read.
    """


# Keys


class DuplicateKey(RefaggError):
    """Two records of a file have the same key."""


class UnmatchedKey(RefaggError):
    """A key of one file is not in the other."""


class ShuffledIndex(RefaggError):
    """Two frames have the same index in another order.

    So their rows are not the same records.
    """


# Packages


class MissingExtra(RefaggError):
    """The request needs a package that is not installed."""


# Memory and iterations


class BeyondMemory(RefaggError):
    """A run is predicted to take more memory than is free."""


class TimeOver(RefaggError):
    """A time limit was reached before there was an answer."""


class NotConverged(RefaggError):
    """An iteration that must converge has not converged within its limit."""


# Edit constraints


class InvalidConstraintText(RefaggError):
    """A text is not a linear equation of attributes."""


class InconsistentConstraints(RefaggError):
    """No values meet all constraints at once."""


@contextmanager
def needed(how: str) -> Iterator[None]:
    """Raise MissingExtra where an import fails.

    `how` says how to install what is missing.
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtra(f"{error.name} is not installed: {how}") from None


def optional_library(name: str, what: str, extra: str = "") -> Any:
    """Import an optional library, or a part of it.

    Not everything needs it. Raises MissingExtra. The error says how to install it: by an extra of
    this project, if there is one with it.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        place = f"'.[{extra}]' in the checkout" if extra else package
        raise MissingExtra(f"{what} needs {package}: pip install {place}") from None


def missing_value(where: str, value: object = "") -> MissingValue:
    """Return the error for a missing value.

    `value` is the text in its place.
    """
    code = f" ({value})" if str(value) else ""
    told = "leave such records out, or choose a policy where there is one (--missing)"
    return MissingValue(f"{where}: the value is missing{code}; {told}")
