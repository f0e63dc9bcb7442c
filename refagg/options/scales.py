"""Tables on their scale, made from data and options.

The dissimilarity of the sequences is found too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refagg.data.foreign import check_order
from refagg.data.standardise import Scaled, standardise, usual_scale
from refagg.data.tables import Table, table_of
from refagg.options.fields import Options, refuse, unmet_kinds
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import measure_for, one_measure


def table_and_measure(
    rows: Any, given: Mapping[str, Any], options: Options
) -> tuple[Table, str | Dissimilarity]:
    """Return the table of the quasi-identifiers, and the dissimilarity of its sequences.

    Raises InvalidParameter, InvalidMatrix, ShuffledIndex, and what reading the rows raises.
    """
    refuse(given, options, unmet_kinds(given))
    check_order(rows, given)
    measure = one_measure(given.get("dissimilarity"), given.get("similarity"))
    table = table_of(rows, given.get("quasi_identifiers"), kinds=given.get("kinds"))
    return table, measure_for(table, measure)


def scaled_and_measure(
    rows: Any, given: Mapping[str, Any], options: Options
) -> tuple[Scaled, str | Dissimilarity]:
    """Return the scaled table and the dissimilarity.

    The scale is the one that is given, or the usual one.
    """
    table, measure = table_and_measure(rows, given, options)
    how = given.get("standardise") or usual_scale(table)
    return standardise(table, how, weights=given.get("weights")), measure
