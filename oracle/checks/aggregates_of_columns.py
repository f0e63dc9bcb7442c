"""Are the values of columns that are compared by equality those that groups give?"""

from __future__ import annotations

from collections.abc import Iterator

from oracle.auditing.by_equality import EqualityCase, column_check
from oracle.auditing.checks import Check
from oracle.checks.driver import check
from refagg.language.partition import Partition


@check(30)
def aggregates_of_columns(equality: EqualityCase, classes: Partition) -> Iterator[Check]:
    """Judge each column that has values in both files."""
    for name in equality.released.names:
        if equality.there(name):
            yield column_check(equality, name, classes)
