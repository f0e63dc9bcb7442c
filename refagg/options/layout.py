"""Layout: the roles of columns and records, as one value."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from refagg.data.missing import APART, DROP, REJECT
from refagg.options import readers
from refagg.options.fields import GROUPS, option


@dataclass(frozen=True)
class Layout:
    """The meaning of the columns and records of a table."""

    quasi_identifiers: Sequence[str] | None = option(
        "quasi-identifiers (default: all columns)",
        flags=("--columns",),
        metavar="A,B,...",
        value=readers.names,
    )
    confidential: Sequence[str] | None = option(
        "columns that are not quasi-identifiers and stay unchanged",
        metavar="C,D,...",
        value=readers.names,
    )
    drop: Sequence[str] | None = option(
        "columns that are left out of the release", metavar="A,B,...", value=readers.names
    )
    kinds: Mapping[str, str] | None = option(
        "kind of an attribute: numeric, nominal, nominal:red|green, boolean, boolean:yes|no, "
        "ordinal:low<mid<high, date, datetime, date:PATTERN where it is not ISO 8601, or "
        "sequence:> with the separator of events; without any, all are numbers",
        flags=("--kind",),
        metavar="NAME=KIND",
        repeated=True,
        value=readers.kinds,
        per="attribute",
    )
    blocks: Sequence[Sequence[str]] | None = option(
        "microaggregate blocks of attributes separately; `each` makes every attribute a block",
        metavar="A,B;C|each",
        per="block",
        applies=(GROUPS,),
    )
    strata: Sequence[Hashable] | None = option(
        "form groups only within strata: a label for each record",
        metavar="COLUMN",
        per="record",
        applies=(GROUPS,),
    )
    missing: str = option(
        "policy for missing values (docs/missing-values.md)",
        REJECT,
        type='Literal["reject", "drop", "group-apart"]',
        choices=(REJECT, DROP, APART),
    )
