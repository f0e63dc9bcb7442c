"""Tables with named columns, as programs under test read and write them.

The attributes of a case are the columns x1, x2, ...; an answer has the same columns with released
values, or says in one column which group a record is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.transport.protocol import Unintelligible, groups_of_labels, shown_value
from refagg.errors import NotANumber, NotFinite
from refagg.language.number_texts import number_of

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
    except (NotANumber, NotFinite):
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
            raise Unintelligible(
                f"row {number + 1} of the output has {len(row)} cells; its header has {len(header)}"
            )
    kept = [j for j, name in enumerate(header) if j or name or len(header) == 1]
    labels = [j for j in kept if header[j] == GROUP]
    values = [j for j in kept if header[j] != GROUP]
    if not labels and len(values) == 1 < len(names):
        labels, values = values, []
    if len(labels) > 1 or not (labels or values):
        raise Unintelligible(_expected(header, names))
    if values and [header[j] for j in values] != list(names):
        raise Unintelligible(_expected(header, names))
    answer = Answer()
    if values:
        answer = replace(answer, released=tuple(tuple(str(row[j]) for j in values) for row in rows))
    if labels:
        answer = replace(answer, groups=_groups([row[labels[0]] for row in rows]))
    return answer


def _groups(labels: Sequence[object]) -> tuple[tuple[int, ...], ...]:
    missing = [label is None or label != label for label in labels]
    texts = ["" if no else str(label) for label, no in zip(labels, missing, strict=True)]
    if "" in texts:
        raise Unintelligible(f"row {texts.index('') + 1} of the output has no group")
    return groups_of_labels(texts)


def _expected(header: Sequence[str], names: Sequence[str]) -> str:
    return (
        f"the output has the columns {shown_value(','.join(map(str, header)))}; expected are "
        f"{shown_value(','.join(names))} for released values, or {GROUP!r} for groups"
    )
