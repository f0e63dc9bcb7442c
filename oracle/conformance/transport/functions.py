"""The adapter to a function in Python: `module:function`, called in this process.

Functions from a data frame to a data frame, of pandas or polars, are asked as functions of rows,
and so are estimators and pipelines of scikit-learn.

Tables have named columns, as programs under test read and write them: the attributes of a case are
the columns x1, x2, ...; an answer has the same columns with released values, or says in one column
which group a record is in.
"""

from __future__ import annotations

import inspect
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from math import isfinite
from types import FrameType
from typing import Any, Protocol, runtime_checkable

from oracle.conformance.judge.model import SHAPES, Answer, Case
from oracle.conformance.transport import protocol
from refagg import errors
from refagg.data.foreign import named_rows
from refagg.language.importing import described
from refagg.language.lists import check_one_of
from refagg.language.number_texts import number_of
from refagg.language.partition import Partition

GROUP = "group"
"""The name of the column with the groups."""


def column_names(case: Case) -> list[str]:
    """Return the names of the attributes.

    They are as many as the first record has; x1 where there is none.

    >>> column_names(Case("c", "mdav", 1, (("0", "1"),)))
    ['x1', 'x2']
    """
    width = len(case.records[0]) if case.records else 1
    return [f"x{number + 1}" for number in range(width)]


def binary64_text(text: str) -> str:
    """Return a fraction as the nearest number of binary64.

    It is for programs that read no fractions.

    Any other text stays as it is. Raises OverflowError if a number is outside the range of
    binary64.

    >>> binary64_text("-7/3"), binary64_text("2.50"), binary64_text("five")
    ('-2.3333333333333335', '2.50', 'five')
    """
    try:
        value = float(number_of(text, ""))
    except (errors.NotANumber, errors.NotFinite):
        return text
    return repr(value) if "/" in text else text


def answer_of_columns(
    header: Sequence[str], rows: Sequence[Sequence[object]], names: Sequence[str]
) -> Answer:
    """Return the answer in a table. Raises Unintelligible.

    Columns that are named as those of the case are released values; `group`, beside them or alone,
    has the labels of groups, as has the only column where the case has more. A first column
    without a name is that of row names, and left out.

    >>> rows = [("1.5", "a"), ("1.5", "a")]
    >>> answer = answer_of_columns(["x1", "group"], rows, ["x1"])
    >>> answer.released, answer.groups
    ((('1.5',), ('1.5',)), ((0, 1),))
    """
    for number, row in enumerate(rows):
        if len(row) != len(header):
            raise protocol.Unintelligible(
                f"row {number + 1} of the output has {len(row)} cells; its header has {len(header)}"
            )
    kept = [j for j, name in enumerate(header) if j or name or len(header) == 1]
    labels = [j for j in kept if header[j] == GROUP]
    values = [j for j in kept if header[j] != GROUP]
    if not labels and len(values) == 1 < len(names):
        labels, values = values, []
    others = [header[j] for j in values] not in ([], list(names))
    if len(labels) > 1 or not (labels or values) or others:
        found = protocol.shown_value(",".join(map(str, header)))
        raise protocol.Unintelligible(
            f"the output has the columns {found}; expected are "
            f"{protocol.shown_value(','.join(names))} for released values, or {GROUP!r} for groups"
        )
    return Answer(
        groups=_groups([row[labels[0]] for row in rows]) if labels else None,
        released=tuple(tuple(str(row[j]) for j in values) for row in rows) if values else None,
    )


def _groups(labels: Sequence[object]) -> tuple[tuple[int, ...], ...]:
    missing = [label is None or label != label for label in labels]
    texts = ["" if no else str(label) for label, no in zip(labels, missing, strict=True)]
    if "" in texts:
        raise protocol.Unintelligible(f"row {texts.index('') + 1} of the output has no group")
    return protocol.groups_of_labels(texts)


class _Late(BaseException):
    """The time is over; nothing that catches Exception catches this."""


class Function:
    """A function that is asked case after case; an `Adapter`.

    It is called with the records as lists of floats and k, and by name with the parameters of
    the case, and `standardise`, `seed`, `kinds` and what makes records more than a table where the
    case has them. One that does not accept such a name does not take part in the case. ValueError
    is a refusal, any other exception an error. What it prints goes to standard error, each of its
    warnings once.

    The time limit works in the main thread, where the system has SIGALRM, and between two
    instructions of Python; for code that may hang in C, use a program.
    Names that are `fixed`, parameters or the scale, need not be accepted: the function has them.
    """

    def __init__(self, function: Callable[..., object], fixed: Collection[str] = ()) -> None:
        self._function = function
        self._fixed = fixed
        self._accepts = _accepted_names(function)
        self._warned: set[tuple[object, ...]] = set()

    def __call__(self, case: Case, seconds: float) -> Answer:
        began = time.monotonic()
        try:
            with _limited(seconds), redirect_stdout(sys.stderr), self._warning_once():
                answer = self._answer(case)
        except _Late:
            answer = Answer(errored=f"no answer within {seconds:g} seconds")
        except errors.MissingExtra:  # is no answer
            raise
        except protocol.Unintelligible as reason:
            answer = Answer(errored=str(reason))
        except (Exception, SystemExit) as error:
            answer = Answer(errored=described(error))
        return replace(answer, seconds=time.monotonic() - began)

    def described(self, claim: str, seconds: float) -> Any:
        """Return what the function says that it takes.

        It is its attribute `describes`, if it has one.
        """
        return getattr(self._function, "describes", None)

    def close(self) -> None:
        """Do nothing: nothing is left open."""

    @contextmanager
    def _warning_once(self) -> Iterator[None]:
        """Show each warning only once.

        What any answer has warned of before is not shown again.
        """
        with warnings.catch_warnings(record=True) as told:
            yield
        for one in told:
            place = one.category, one.filename, one.lineno
            if place not in self._warned:
                self._warned.add(place)
                warnings.showwarning(one.message, *place)

    def _answer(self, case: Case) -> Answer:
        keywords = {name: _parameter(value) for name, value in case.parameters.items()}
        if case.standardise != "none":
            keywords["standardise"] = case.standardise
        if case.seed is not None:
            keywords["seed"] = case.seed
        if case.kinds:
            keywords["kinds"] = list(case.kinds)
        keywords |= {name: _shape(name, value) for name, value in case.shape.items()}
        accepts = keywords if self._accepts is None else self._accepts
        for name in [name for name in keywords if name not in accepts]:
            if name not in self._fixed:
                return Answer(unsupported=f"the function does not take {name!r}")
            del keywords[name]
        try:
            records = _records(case)
        except OverflowError:
            return Answer(unsupported="a value is outside the range of binary64")
        try:
            result = self._function(records, case.k, **keywords)
        except errors.MissingExtra:  # is no answer
            raise
        except (ValueError, errors.RefaggError) as error:
            return Answer(refused=described(error))
        return answer_of_result(result)


def answer_of_result(result: object) -> Answer:
    """Read the answer in a function's result. Raises Unintelligible.

    A mapping has the keys of a reply. A flat sequence is labels, a sequence of sequences or sets
    is groups, as is a Partition. Arrays and series are taken as the lists that they make.

    >>> answer_of_result([0, 1, 0]).groups, answer_of_result([[0, 2], [1]]).groups
    (((0, 2), (1,)), ((0, 2), (1,)))
    """
    if isinstance(result, Answer):
        return result
    if isinstance(result, Partition):
        return Answer(groups=result.groups)
    plain = _plain(result)
    if isinstance(plain, Mapping):
        return protocol.answer_of({key: _plain(value) for key, value in plain.items()})
    if not isinstance(plain, list):
        raise protocol.Unintelligible(
            f"the function returned {protocol.shown_value(result)}, neither labels nor groups"
        )
    if not any(isinstance(item, list) for item in plain):
        return Answer(groups=protocol.groups_of_labels(plain))
    return protocol.answer_of({"groups": plain})


def _accepted_names(function: Callable[..., object]) -> set[str] | None:
    """Return the names of keywords that may be passed.

    None if any may, or if they are unknown.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())[2:]
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _records(case: Case) -> list[list[object]]:
    """Return the records: numbers as floats, categories as texts. Raises OverflowError."""
    if not case.kinds:
        return [[_float(value) for value in row] for row in case.records]
    numeric = [kind == "numeric" for kind in case.kinds]
    return [
        [_float(value) if number else value for value, number in zip(row, numeric, strict=False)]
        for row in case.records
    ]


def _float(text: str) -> object:
    """Return the float nearest to a value.

    What is not a number is passed on as it is.
    """
    try:
        return float(number_of(text, ""))
    except errors.NotFinite:
        return float(text)
    except errors.NotANumber:
        return text


def _shape(name: str, value: Any) -> Any:
    """Return a member of SHAPES as plain Python values.

    They make records more than a table: numbers as floats, blocks as lists of numbers.
    """
    if isinstance(value, str):
        return value
    if name in ("times", "sampling_weights"):
        return [_float(number) for number in value]
    return [list(item) if isinstance(item, tuple) else item for item in value]


def _parameter(text: str) -> object:
    """Return an integer, a float, or the text itself."""
    try:
        value = number_of(text, "")
    except (errors.NotANumber, errors.NotFinite):
        return text
    return int(value) if value == int(value) else _inexact(value, text)


def _inexact(value: Fraction, text: str) -> float | str:
    found = float(value)
    return found if isfinite(found) else text


def _plain(value: object) -> object:
    """Return sequences and sets as lists, two levels deep.

    Arrays and series become lists, too.
    """
    value = _listed(value)
    return [_inner(item) for item in value] if isinstance(value, (list, tuple)) else value


def _listed(value: object) -> object:
    """Return the list that NumPy, pandas or polars make of a value.

    Other values are returned as they are.
    """
    ways = [getattr(value, name) for name in ("tolist", "to_list") if hasattr(value, name)]
    return ways[0]() if ways else value


def _inner(value: object) -> object:
    value = _listed(value)
    return list(value) if isinstance(value, (list, tuple, set, frozenset, range)) else value


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise _Late in the block after `seconds`.

    That is done where it is possible.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not (in_main and hasattr(signal, "setitimer")):
        yield
        return

    def late(number: int, frame: FrameType | None) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


LIBRARIES = ("pandas", "polars")


def of_rows(function: Callable[..., object], library: str) -> Callable[..., object]:
    """Return a function of rows that asks a function of frames.

    The frames are data frames. Raises MissingExtra.

    What it answers is read as a CSV file is: columns of released values, or `group`.
    """
    check_one_of(library, LIBRARIES, "frames is")
    frame_type = errors.optional_library(library, "a data frame").DataFrame

    @wraps(function)
    def ask(records: list[list[Any]], k: int, **named: object) -> Any:
        width = len(records[0]) if records else 1
        if not width or any(len(row) != width for row in records):
            return {
                "unsupported": "rows without cells, or of different lengths, are not a data frame"
            }
        names = [f"x{number + 1}" for number in range(width)]
        columns = [_column([row[j] for row in records]) for j in range(width)]
        frame = frame_type(dict(zip(names, columns, strict=True)))
        return _told(function(frame, k, **named), names)

    return ask


def _column(values: list[object]) -> list[object]:
    """Return the cells of a column.

    They are numbers, None where one is empty; texts where one is not a number.
    """
    cells = [None if value == "" else value for value in values]
    if any(isinstance(cell, str) for cell in cells):
        return [cell if cell is None else str(cell) for cell in cells]
    return cells


def _told(result: object, names: Sequence[str]) -> Any:
    """Return the answer in a data frame or a series.

    The series has groups. Anything else is returned as it is.
    """
    if hasattr(type(result), "columns"):
        header, rows = _columns_and_rows(result)
        return answer_of_columns(list(map(str, header)), list(map(list, rows)), names)
    if hasattr(result, "to_list"):
        return answer_of_columns([GROUP], [[label] for label in result.to_list()], names)
    return result


def _columns_and_rows(frame: Any) -> tuple[Iterable[object], Iterable[Iterable[object]]]:
    """Return the header and the rows of a frame.

    Raises MissingExtra for a frame of another library.
    """
    if hasattr(frame, "itertuples"):
        return frame.columns, frame.itertuples(index=False)
    if hasattr(frame, "iter_rows"):
        return frame.columns, frame.iter_rows()
    header, rows = named_rows(frame)
    return header or (), rows


OF_CASES = ("kinds", "seed", "standardise", *SHAPES)
"""What a case has that is no parameter of an algorithm."""


@runtime_checkable
class Estimator(Protocol):
    """Interface of estimators.

    Only its methods say that it is one; scikit-learn is not imported.
    """

    def fit(self, X: Any) -> Any: ...  # noqa: N803
    def get_params(self) -> Mapping[str, object]: ...
    def set_params(self, **values: object) -> object: ...


def of_estimator(estimator: Estimator) -> Callable[..., object]:
    """Return a function of rows that asks copies of an estimator.

    Raises InvalidParameter.

    It sets `k` and the parameters of a case, by their names or, in a pipeline, `step__name`; those
    that only the algorithm has are items of `parameters`, if the estimator takes such a mapping.
    `standardise` is "none" where the case does not say it. The answer has `labels_`, and without a
    method `fit_predict` the values that `fit_transform` gives.
    """
    places = _places(estimator)
    if "k" not in places:
        known = ", ".join(sorted(places)) or "none"
        raise errors.InvalidParameter(
            f"{type(estimator).__name__} has no parameter k, the least size of a group; it has "
            f"{known}; set k in get_params and set_params"
        )

    def ask(rows: list[list[Any]], k: int, **named: object) -> dict[str, Any]:
        usual = {"standardise": "none"} if "standardise" in places else {}
        given = {**usual, **named, "k": k}
        own = {name: value for name, value in given.items() if name in places}
        rest = {name: value for name, value in given.items() if name not in places}
        for name in rest:
            if name in OF_CASES or "parameters" not in places:
                return {"unsupported": f"the estimator has no parameter {name!r}"}
        if rest:
            own["parameters"] = rest
        copy = deepcopy(estimator)
        copy.set_params(**{places[name]: value for name, value in own.items()})
        return _answer(copy, rows)

    return ask


def _places(estimator: Estimator) -> dict[str, str]:
    """Return the parameters by their last names.

    Those of the estimator itself come first.
    """
    names = sorted(estimator.get_params(), key=lambda name: -name.count("__"))
    return {name.rpartition("__")[2]: name for name in names}


def _answer(estimator: Any, rows: list[list[object]]) -> dict[str, object]:
    """Return groups and released values, as the estimator has them."""
    if hasattr(estimator, "fit_predict"):
        return {"labels": estimator.fit_predict(rows)}
    released = estimator.fit_transform(rows)
    labels = getattr(estimator, "labels_", None)
    answer = {"released": getattr(released, "to_numpy", lambda: released)()}
    return answer if labels is None else answer | {"labels": labels}
