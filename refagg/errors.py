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
    """Name the options of a message as the caller does: a command, or Python.

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
    """A table has more columns or values, or a number more digits, than are read."""


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
    """The data are neither rows of values nor an object that provides them."""


class ProbableKey(RefaggError):
    """A column that is probably a key would be judged, and was not chosen by name."""


class ShapeMismatch(RefaggError):
    """Two tables that must describe the same records do not have the same shape."""


# Requests


class InvalidK(RefaggError):
    """k is not an integer of at least 1."""


class KTooLarge(RefaggError):
    """There are fewer than k records to form one group, in the file or in a stratum."""


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
    """The kind of an attribute is not declared, or its declaration cannot be parsed."""


class NotADate(RefaggError):
    """A cell of a column of dates or datetimes holds none, or none of its kind."""


class UnfitColumn(RefaggError):
    """A column of a frame has a type that released values cannot be given back in."""


class UnknownCategory(RefaggError):
    """A value is not one of the categories that were declared."""


class InvalidMatrix(RefaggError):
    """A dissimilarity is not symmetric, or negative, or not finite, or not 0 from a record to
    itself."""


class MeasureFailed(RefaggError):
    """The caller's own dissimilarity or similarity raised an error for two records."""


class NoCentroid(RefaggError):
    """An algorithm needs averages, but these records have none."""


class NotUnivariate(RefaggError):
    """An algorithm for one attribute is given several."""


class UnsupportedArithmetic(RefaggError):
    """The algorithm is not defined in this arithmetic."""


class UndefinedMeasure(RefaggError):
    """A measure is not defined on these data, as where it divides by 0."""


class BeyondFloats(RefaggError):
    """Values are too large or too small for what is computed with them in binary64."""


# Randomness and traces


class StreamExhausted(RefaggError):
    """A random stream cannot make a draw: its script has ended or does not fit, or there is no
    stream."""


# Data sets


class UnknownDataset(RefaggError):
    """No data set has this name."""


class DatasetUnavailable(RefaggError):
    """A data set may not ship with the project, and is not available."""


class ChecksumMismatch(RefaggError):
    """The checksum of a file is not that of the data set."""


# Optima


class InvalidConstraint(RefaggError):
    """Records that must or must not share a group are named wrongly, or contradict each other."""


class NoPartition(RefaggError):
    """No partition has the requested sizes and meets the constraints."""


class InvalidReference(RefaggError):
    """A file is not what `oracle optimum --json` writes, or belongs to another request."""


class SolverUnavailable(RefaggError):
    """The requested solver is not installed."""


class CheckerUnavailable(RefaggError):
    """A checker of certificates needs a program that is not installed."""


class SolverFailed(RefaggError):
    """A solver returned what is no solution of a program that has one."""


class InvalidAudit(RefaggError):
    """A file is not what `oracle audit --json` writes."""


class InvalidCertificate(RefaggError):
    """A file is not a certificate, or not of a version that can be read."""


# Keys


class DuplicateKey(RefaggError):
    """Two records of a file have the same key."""


class UnmatchedKey(RefaggError):
    """A key of one file is not in the other."""


class ShuffledIndex(RefaggError):
    """Two frames have the same index in another order, so their rows are not the same records."""


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


def optional_library(name: str, what: str, extra: str = "") -> Any:
    """A library that not everything needs, or a part of it. Raises MissingExtra.

    It is told how to install it: by an extra of this project, if there is one with it.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        place = f"'.[{extra}]' in the checkout" if extra else package
        raise MissingExtra(f"{what} needs {package}: pip install {place}") from None


def missing_value(where: str, value: object = "") -> MissingValue:
    """The error for a missing value; `value` is the text in its place."""
    code = f" ({value})" if str(value) else ""
    return MissingValue(
        f"{where}: the value is missing{code}; choose a policy for missing values (--missing)"
    )
