"""References: the least known SSE of a table.

Algorithms are compared with it.

It comes from the optima that ship with the project, where the table has the values of a reference
data set, or from a file that `oracle optimum --json` wrote for the same table. Partitions are
not taken at their word: their SSE is computed here. That nothing is less is what the file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from refagg.data.known_optima import known_of
from refagg.data.standardise import Scaled
from refagg.data.textfiles import read_json
from refagg.errors import InvalidPartition, InvalidReference
from refagg.language.number_texts import as_json
from refagg.language.partition import Partition
from refagg.release.measures import loss_within, sse
from refagg.release.report import loss_names
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.of_tables import name_of

FORMAT = "refagg optimum 1"

_FRACTION = re.compile(r"\d+(/[1-9]\d*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reference:
    """A lower bound: no partition has an SSE below `least`.

    The partitions are those of the table into groups of at least k. With a partition it is reached
    (an "optimum"), without it may not be (a "bound").
    """

    k: int
    least: Fraction
    partition: Partition | None
    source: str

    @property
    def kind(self) -> str:
        return "bound" if self.partition is None else "optimum"

    def above(self, lost: Fraction) -> Fraction | None:
        """Return by how many percent an SSE exceeds it.

        None for more than nothing above 0.
        """
        if self.least:
            return 100 * (lost / self.least - 1)
        return None if lost else Fraction(0)


def shipped_references(scaled: Scaled, ks: Iterable[int]) -> list[Reference]:
    """Return the shipped optima and bounds that fit the table.

    They fit if the table has the values of one of their data sets.
    """
    ks = set(ks)
    return [
        Reference(known.k, sse(scaled, known.partition), known.partition, "datasets/optima.json")
        if known.optimal
        else Reference(known.k, known.bound, None, "datasets/optima.json")
        for known in known_of(scaled)
        if known.k in ks
    ]


def references_of(
    paths: Sequence[Path],
    scaled: Scaled,
    ks: Sequence[int],
    weights: Mapping[str, Fraction] | None = None,
    dissimilarity: str | Dissimilarity = "oss",
) -> list[Reference]:
    """The references in some files, at most one for each k.

    `weights` are those of attributes by name, `dissimilarity` is that of sequences.

    Raises FileUnreadable, InvalidReference.
    """
    found: dict[int, Reference] = {}
    for path in paths:
        reference = read_reference(path, scaled, ks, weights, dissimilarity)
        if reference.k in found:
            other = found[reference.k].source
            raise InvalidReference(f"{other} and {path} are both for k = {reference.k}")
        found[reference.k] = reference
    return list(found.values())


def read_reference(
    path: Path,
    scaled: Scaled,
    ks: Sequence[int],
    weights: Mapping[str, Fraction] | None = None,
    dissimilarity: str | Dissimilarity = "oss",
) -> Reference:
    """Read the reference that `oracle optimum --json` wrote.

    It is checked that it fits the table. The file does not say for which k it was made. It was made
    for the size of its smallest group or for less, and is right for that size in either case; where
    it has one group of fewer than 2k records, for k too. Raises FileUnreadable, InvalidReference.
    """
    data = read_json(path, InvalidReference)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidReference(f"{path} is not a file that `oracle optimum --json` writes")
    if data.get("objective", "sse") != "sse":
        raise InvalidReference(f"{path} is about absolute deviations, not about the SSE")
    if data.get("standardise") != scaled.how:
        raise InvalidReference(
            f"{path} is for standardisation {data.get('standardise')!r}, not {scaled.how!r}"
        )
    own = {name: str(weight) for name, weight in (weights or {}).items()}
    name = name_of(dissimilarity)
    same = data.get("dissimilarity", name) == name
    if (data.get("weights") or {}) != own or not same:
        raise InvalidReference(f"{path} is for other weights, or another dissimilarity")
    partition = _partition(path, data.get("groups"), scaled.n)
    lost = loss_within(scaled, partition.groups, dissimilarity)
    key, _, name = loss_names(scaled.table)
    if as_json(lost) != {"decimal": data.get(key), "exact": data.get(f"{key}_exact")}:
        raise InvalidReference(f"{path} was made for another table: its {name} is not that of this")
    k = _k(path, partition, ks)
    if data.get("status") == "optimal":
        word = ", on a solver's word" if data.get("proof") == "solver" else ""
        return Reference(k, lost, partition, f"{path}{word}")
    return Reference(k, _bound(path, data.get("bound_exact"), lost), None, str(path))


def _partition(path: Path, groups: Any, n: int) -> Partition:
    whole = isinstance(groups, list) and all(
        isinstance(group, list) and all(type(record) is int for record in group) for group in groups
    )
    if not whole:
        raise InvalidReference(f"{path} has no groups of record numbers")
    try:
        return Partition.of(groups, n)
    except InvalidPartition as error:
        raise InvalidReference(f"{path} does not divide the {n} records: {error}") from None


def _k(path: Path, partition: Partition, ks: Sequence[int]) -> int:
    smallest = partition.smallest()
    if smallest in ks:
        return smallest
    for k in ks:
        if len(partition.groups) == 1 and partition.n < 2 * k:
            return k
    asked = ", ".join(map(str, ks))
    raise InvalidReference(
        f"the smallest group of {path} has {smallest} records; k = {asked} is compared"
    )


def _bound(path: Path, text: object, lost: Fraction) -> Fraction:
    if not isinstance(text, str) or not _FRACTION.fullmatch(text):
        raise InvalidReference(f"{path} has neither an optimum nor a bound")
    try:
        bound = Fraction(text)
    except ValueError:  # more digits than Python reads
        raise InvalidReference(f"{path} has a bound of {len(text)} characters") from None
    if bound > lost:
        raise InvalidReference(f"{path} contradicts itself: its bound is above its SSE")
    return bound
