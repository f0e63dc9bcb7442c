"""Publishing: the options of the released values, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refagg.constraints.equations import Constraint
from refagg.data.aggregate import AGGREGATIONS
from refagg.options import fields, readers
from refagg.options.fields import option
from refagg.spaces.dissimilarities.prototypes import PROTOTYPES


@dataclass(frozen=True)
class Publishing:
    """The values released for groups, checked."""

    aggregate: str = option(
        "released value of a group (default: mean)",
        "mean",
        choices=AGGREGATIONS,
        applies=(fields.AGGREGATES,),
    )
    trim: Fraction | None = option(
        "share of values that trimmed-mean drops at each end",
        type="Rational | None",
        value=readers.trim,
        applies=(fields.TRIMMED,),
    )
    aggregates: Mapping[str, str] = option(
        "released value of other kinds: ordinal=median|convex-median|mode, "
        f"nominal=joint-mode|mode, sequence={'|'.join(PROTOTYPES)}",
        type="Mapping[str, str] | None",
        flags=("--aggregate-kind",),
        metavar="KIND=OPERATOR",
        repeated=True,
        value=readers.aggregates,
        applies=(fields.KINDS,),
    )
    sampling_weights: tuple[Fraction, ...] | None = option(
        "weights for the means of groups, one for each record; they do not affect the groups",
        type="Sequence[Any] | None",
        metavar="COLUMN",
        applies=(fields.AGGREGATES, fields.MEANS, fields.UNROUNDED, fields.UNMOVED, fields.NUMBERS),
        per="record",
    )
    constraints: tuple[Constraint, ...] = option(
        "equation between attributes, such as 'net + tax = gross'; can be repeated",
        (),
        type="Sequence[Constraint | str]",
        flags=("--constraint",),
        metavar="EQUATION",
        repeated=True,
        value=readers.constraints,
        applies=(fields.MEANS, fields.UNROUNDED, fields.WHOLE),
    )
