"""How many values of a confidential column are there among records that are alike?"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from oracle.auditing.alike import Alike
from oracle.auditing.alone import diversity_check
from oracle.auditing.checks import Check
from oracle.checks.driver import check


@check(35)
def diversity(
    alike: Alike,
    columns_alone: Mapping[str, Sequence[Hashable]],
    diverse: Mapping[str, Sequence[Mapping[Hashable, int]]],
) -> Iterator[Check]:
    """Report the least diversity of each column of a release alone."""
    for name, counts in diverse.items():
        yield diversity_check(alike, name, columns_alone[name], counts)
