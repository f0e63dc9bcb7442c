"""Comparison of algorithms on one table: loss, time, distance from optimum.

The distance is that from the best result known.

An algorithm that cannot be run on the table is skipped with the reason; one that raises an
error is shown with it, and the others go on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from refagg.catalogue import CATALOGUE, specification
from refagg.comparison.references import Reference
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, NoCentroid, NotUnivariate, UnsupportedArithmetic
from refagg.language.lists import check_one_of
from refagg.language.number_texts import float_or
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification
from refagg.notebook import Columns, Overview, Tabulated, brief, lines
from refagg.options import readers
from refagg.release.masking import masked
from refagg.release.measures import information_loss, loss_within
from refagg.release.method import method_of
from refagg.release.result import Release
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.of_tables import ARITHMETICS
from refagg.terminal import NOW, kept

Status = Literal["done", "skipped", "failed"]

CHOICES = ("any", *ARITHMETICS)
"""Values of `Setting.arithmetic`."""

_PARAMETER = re.compile(r"[^:=]+=|[-+.\d/]+$")


@brief
class Contender:
    """An algorithm with its parameters; `label` is how it was asked for."""

    label: str
    specification: Specification
    given: Mapping[str, Any]
    """Parameters that are given; of attributes, the name or the number."""

    @property
    def settings(self) -> dict[str, Any]:
        """Return all parameters; of attributes, the defaults."""
        attributes = self.specification.of_attributes
        own = {name: value for name, value in self.given.items() if name not in attributes}
        return self.specification.settings(own)

    def shown(self) -> dict[str, Any]:
        """Return all parameters for a report.

        Parameters that are attributes are given by name.
        """
        spec = self.specification
        unstated = {one.name for one in spec.parameters if one.stated} - {*self.given}
        named = {name: self.given[name] for name in spec.of_attributes if name in self.given}
        return {n: v for n, v in (self.settings | named).items() if n not in unstated}


@dataclass(frozen=True, slots=True)
class ComparisonSetting:
    """The setting that all contenders share. Only random algorithms use the seed.

    `arithmetic` is one of ARITHMETICS, or "any": floats where an algorithm can be run in them.
    """

    standardise: str = "population"
    arithmetic: str = "any"
    seed: int = 1
    dissimilarity: str | Dissimilarity = "oss"
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    aggregates: Mapping[str, str] = field(default_factory=dict)

    def scaled(self, table: Table) -> Scaled:
        """The table on the scale on which losses are measured."""
        return standardise(table, self.standardise, weights=self.weights)


@brief
class Figures:
    """The figures of a run.

    Groups are counted over all blocks of attributes. `partition` is None where there are several
    blocks, each with a partition of its own, or where no groups were formed; then groups are
    classes of equal released rows.
    """

    sse: Fraction
    groups: int
    smallest: int
    largest: int
    ties: int
    seconds: float
    arithmetic: str
    partition: Partition | None


@brief
class ComparisonRow:
    """One contender at one k.

    Without figures, `note` says why; with them, what is unusual.
    """

    contender: Contender
    k: int
    status: Status
    figures: Figures | None
    note: str = ""

    @property
    def comparable(self) -> bool:
        """Return True for a partition into groups of at least k.

        Such a result can be compared with an optimum.
        """
        partition = self.figures.partition if self.figures else None
        return partition is not None and partition.smallest() >= self.k


@dataclass(frozen=True, slots=True, repr=False)
class Results(Tabulated):
    """The rows of a comparison, sorted by k."""

    table: Table
    setting: ComparisonSetting
    ks: tuple[int, ...]
    sst: Fraction
    references: tuple[Reference, ...]
    rows: tuple[ComparisonRow, ...]

    def overview(self) -> Overview:
        """Return what notebooks show; the picture has the information loss by k."""
        done = sum(row.figures is not None for row in self.rows)
        return Overview(
            f"Results: {len(self.rows)} runs ({done} done) on {self.table.n} records and "
            f"{len(self.table.names)} attributes, k = {', '.join(map(str, self.ks))}, standardise "
            f"{self.setting.standardise}",
            self._columns,
            lines(self.losses, "k", "information loss in percent"),
        )

    @property
    def losses(self) -> dict[str, dict[int, float]]:
        """Return the information loss in percent of each contender, by k.

        What is undefined or outside the range of binary64 is left out.
        """
        found: dict[str, dict[int, float]] = {}
        for row in self.rows:
            percent = self.loss(row.figures.sse) if row.figures else None
            loss = None if percent is None else float_or(None, percent)
            if loss is not None:
                found.setdefault(row.contender.label, {})[row.k] = loss
        return found

    def _columns(self) -> Columns:
        """Return the rows as a table, without figures where there are none."""
        figures = [row.figures for row in self.rows]
        losses = [None if f is None else self.loss(f.sse) for f in figures]
        return {
            "algorithm": [row.contender.label for row in self.rows],
            "k": [row.k for row in self.rows],
            "status": [row.status for row in self.rows],
            "SSE": [None if f is None else float(f.sse) for f in figures],
            "information loss %": [None if x is None else float(x) for x in losses],
            "groups": [None if f is None else f.groups for f in figures],
            "seconds": [None if f is None else f.seconds for f in figures],
            "note": [row.note for row in self.rows],
        }

    def reference(self, k: int) -> Reference | None:
        """The reference for k, if one is known."""
        return next((found for found in self.references if found.k == k), None)

    def loss(self, lost: Fraction) -> Fraction | None:
        """Information loss in percent; None where there is nothing to lose."""
        return information_loss(lost, self.sst) if self.sst else None

    def above(self, row: ComparisonRow) -> Fraction | None:
        """Return by how many percent a row's SSE exceeds its reference.

        None where there is no such comparison.
        """
        reference = self.reference(row.k)
        if reference is None or row.figures is None or not row.comparable:
            return None
        return reference.above(row.figures.sse)


def contenders_of(text: str | None) -> list[Contender]:
    """The algorithms in "A,B:gamma=1/5,test=plain,C"; without a text, the whole catalogue.

    Raises UnknownAlgorithm, UnknownParameter, InvalidParameter.

    >>> [contender.label for contender in contenders_of("md,v-mdav:gamma=1/2,test=plain,mdav")]
    ['md', 'v-mdav:gamma=1/2,test=plain', 'mdav']
    """
    labels = list(CATALOGUE) if text is None else _labels(text)
    check_labels(labels)
    return [_contender(label) for label in labels]


def check_labels(labels: Sequence[str]) -> None:
    """Raise InvalidParameter if two contenders are called the same."""
    for label in labels:
        if labels.count(label) > 1:
            raise InvalidParameter(f"algorithm {label!r} is named twice")


def _labels(text: str) -> list[str]:
    """Split a text at commas into labels with their parameters.

    A part like "test=plain" belongs to the part before it.
    """
    labels: list[str] = []
    for part in map(str.strip, text.split(",")):
        if labels and ":" in labels[-1] and _PARAMETER.match(part):
            labels[-1] += f",{part}"
        else:
            labels.append(part)
    return labels


def _contender(label: str) -> Contender:
    name, colon, given = label.partition(":")
    if colon and name not in CATALOGUE and "=" not in given.partition(":")[0]:  # module:name
        place, colon, given = given.partition(":")
        name += f":{place}"
    spec = specification(name)
    found = Contender(
        label, spec, readers.parameters(re.split(",(?=[^,=]+=)", given)) if colon else {}
    )
    found.shown()  # raises what is wrong with them
    return found


def compare_contenders(
    table: Table,
    contenders: Sequence[Contender],
    ks: Sequence[int],
    setting: ComparisonSetting = ComparisonSetting(),
    references: Sequence[Reference] = (),
    report: Callable[[ComparisonRow], None] | None = None,
) -> Results:
    """Run every contender at every k.

    `report` is called with each row when it is there. Raises InvalidK, KTooLarge, InvalidParameter.
    """
    check_ks(ks, table.n)
    check_one_of(setting.arithmetic, CHOICES, "arithmetic is")
    total = loss_within(setting.scaled(table), [range(table.n)], setting.dissimilarity)
    results = Results(table, setting, tuple(ks), total, tuple(references), ())
    rows = []
    NOW.counts(len(ks) * len(contenders), "runs")
    with kept():
        for row in _rows(contenders, results):
            NOW.step()
            rows.append(row)
            if report:
                report(row)
    return Results(table, setting, tuple(ks), results.sst, tuple(references), tuple(rows))


def check_ks(ks: Sequence[int], n: int) -> None:
    """Raise InvalidK, KTooLarge, or InvalidParameter if one is named twice."""
    for position, k in enumerate(ks):
        check_k(k, n)
        if k in ks[:position]:
            raise InvalidParameter(f"k = {k} is asked for twice")


def _rows(contenders: Sequence[Contender], results: Results) -> Iterator[ComparisonRow]:
    for k in results.ks:
        for contender in contenders:
            row = _row(results.table, contender, k, results.setting)
            above = results.above(row)
            if above is not None and above < 0:
                reference = results.reference(k)
                wrong = f"less than the {reference.kind} of {reference.source}" if reference else ""
                row = ComparisonRow(contender, k, row.status, row.figures, _both(row.note, wrong))
            yield row


def _row(table: Table, contender: Contender, k: int, setting: ComparisonSetting) -> ComparisonRow:
    spec = contender.specification
    arithmetic = _arithmetic(contender, setting, table)
    try:
        parameters = spec.stated(contender.given, table.names)
    except InvalidParameter as error:
        return ComparisonRow(contender, k, "skipped", None, str(error))
    try:
        method = method_of(
            spec,
            k if spec.takes_k else 1,
            standardise=setting.standardise,
            arithmetic=arithmetic,
            seed=setting.seed if spec.random else None,
            dissimilarity=setting.dissimilarity,
            weights=setting.weights,
            aggregates=setting.aggregates,
            parameters=parameters,
        )
        start = time.process_time()
        release = masked(table, method)
        seconds = time.process_time() - start
    except NotUnivariate:
        reason = f"works on one attribute, and there are {len(table.names)}"
        return ComparisonRow(contender, k, "skipped", None, reason)
    except (UnsupportedArithmetic, NoCentroid) as error:
        return ComparisonRow(contender, k, "skipped", None, str(error))
    except (Exception, SystemExit) as error:  # whatever is wrong with one, the others go on
        return ComparisonRow(contender, k, "failed", None, f"{type(error).__name__}: {error}")
    unusual = setting.arithmetic == "any" and arithmetic == "exact" and not table.others
    note = _both(_remark(spec, release, k), "in exact arithmetic" if unusual else "")
    return ComparisonRow(contender, k, "done", _figures(spec, release, seconds), note)


def _arithmetic(contender: Contender, setting: ComparisonSetting, table: Table) -> str:
    if setting.arithmetic != "any":
        return setting.arithmetic
    possible = contender.specification.arithmetics(contender.settings)
    if table.others and "exact" in possible:
        return "exact"
    return "float" if "float" in possible else "exact"


def _figures(spec: Specification, release: Release, seconds: float) -> Figures:
    partitions = [block.partition for block in release.blocks]
    one = len(partitions) == 1 and spec.yields == "partition"
    return Figures(
        release.sse,
        sum(len(partition.groups) for partition in partitions),
        min(partition.smallest() for partition in partitions),
        max(partition.largest() for partition in partitions),
        sum(block.ties for block in release.blocks),
        seconds,
        release.method.arithmetic,
        partitions[0] if one else None,
    )


def _remark(spec: Specification, release: Release, k: int) -> str:
    if not spec.takes_k:
        return "forms no groups: run at k = 1, classes of equal rows are counted"
    smallest = min(block.partition.smallest() for block in release.blocks)
    small = "" if smallest >= k else "not k-anonymous"
    blocks = len(release.blocks)
    return _both(small, f"each attribute by itself: {blocks} partitions" if blocks > 1 else "")


def _both(first: str, second: str) -> str:
    return "; ".join(filter(None, (first, second)))


ORDERS: dict[str, Callable[[ComparisonRow], Any]] = {
    "given": lambda row: 0,
    "name": lambda row: row.contender.label,
    "loss": lambda row: (row.figures is None, row.figures.sse if row.figures else 0),
    "time": lambda row: (row.figures is None, row.figures.seconds if row.figures else 0),
}
"""How the rows of one k can be sorted; those without figures come last where figures count."""


def in_order(results: Results, order: str) -> list[tuple[int, list[ComparisonRow]]]:
    """Return the rows of each k, sorted.

    Raises InvalidParameter.
    """
    check_one_of(order, ORDERS, "the order is")
    return [
        (k, sorted((row for row in results.rows if row.k == k), key=ORDERS[order]))
        for k in results.ks
    ]
