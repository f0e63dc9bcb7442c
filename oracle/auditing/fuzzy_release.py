"""Verdict on a release of fuzzy microaggregation.

It includes the run from a seed, and what intruders find.

A release that is written as the project's own run would write it is right. Another one is compared
with the run up to rounding, as the answers of other programs are (`oracle.auditing.drawn`):
the last digits of exp and log are not the same on every platform.

In the transparency attack the intruder knows the original attributes of a person, the released
file, the centres and the distribution by which records were assigned to them; not the draws. For
each record he names one released row as that person's. Rows that are equal cannot be distinguished:
a record that was released in a class of s equal rows counts 1/s if its class is named, and 0 if
another is.

  nearest     names the class whose row is nearest to the person.
  posterior   names the class with the greatest u_ki / s_i: u_ki is the probability that record k
              was assigned to class i, and 1/s_i that the row drawn from the class is the right
              one. That other records were assigned too is left out of account.

Classes that are equally good are named in equal parts. The share of a release is the mean over
all records. At most it can be the number of classes divided by n, which an intruder reaches who
knows every record's class: for MDAV at most 1/k. `worst` is the greatest 1/s of a record whose
class is named: 1 if a record is found for certain.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import dist, exp, fsum, log
from pathlib import Path
from typing import Any

from oracle.auditing.cases import AuditedRelease, check_shape
from oracle.auditing.checks import JOINT, REPORTED
from oracle.auditing.conclusion import baseline_facts
from oracle.auditing.drawn import Reading, replayed
from oracle.auditing.driver import Check, check_at, driven
from oracle.auditing.fuzzy import ASSIGNMENT, CENTRES, NEAR, fuzzy_facts
from oracle.auditing.observed_release import (
    Fuzziness,
    Point,
    Published,
    Row,
    ScaledCoordinates,
    Seen,
    scaled_coordinates,
)
from oracle.auditing.rendering import TOLERANCE, decimal_places, written_unit
from oracle.auditing.verdict import Verdict
from refagg.constraints.system import system_of
from refagg.data.csvfiles import decimal_text, read_table
from refagg.data.moments import rounded_to
from refagg.data.standardise import Scaled
from refagg.data.tables import Column, Table, column_of, table_of
from refagg.data.textfiles import read_text
from refagg.errors import FileUnreadable
from refagg.language.number_texts import number_of
from refagg.release.edits import rounding_that_meets
from refagg.release.masking import masked
from refagg.release.method import Method, method_of
from refagg.release.report import class_facts, loss_facts, measure_lines, risk_facts
from refagg.release.risk import release_classes

NAME = "fuzzy"
"""The algorithm that is judged here."""


@dataclass(frozen=True, slots=True)
class Intruder:
    """Attacks on a release, and one on MDAV for comparison.

    MDAV has the same data and k.
    """

    nearest: Attack
    posterior: Attack
    expected: float
    mdav: Attack

    def as_data(self) -> dict[str, Any]:
        return {
            "nearest": asdict(self.nearest),
            "posterior": asdict(self.posterior) | {"expected_share": self.expected},
            "mdav_nearest": asdict(self.mdav),
        }

    def lines(self) -> list[str]:
        return [
            self.nearest.line("intruder, nearest centre"),
            self.posterior.line("intruder, posterior") + f"; expected {100 * self.expected:.2f} %",
            self.mdav.line("intruder, nearest centre, on MDAV"),
        ]


def judge_fuzzy(
    case: AuditedRelease,
    method: Method,
    tolerance: Fraction | None,
    centres: Published | None = None,
    *,
    limit: int = 2000,
    all_risks: bool = False,
    anonymity: str = JOINT,
) -> Verdict:
    """Return the verdict on a release of fuzzy microaggregation.

    A method with a seed is run again.

    `centres` says what was published beside the release (see `published_of`). Without a tolerance,
    what rounding can do to these data is granted. Raises ShapeMismatch, InvalidK, KTooLarge.
    """
    check_shape(case)
    original, released = case.original, case.released
    scaled = method.scaled(original)
    published = centres or published_of(case, method)
    again: Replay | None = None
    if method.seed is not None:
        within = TOLERANCE if tolerance is None else tolerance
        again = replay(case, method, within, limit)
        published = _with_seed(published, again)
    at_hand, seen = fuzzy_facts(case, scaled, published, tolerance, anonymity)
    at_hand |= {"shape": case.shape, "several": case} | ({"again": again} if again else {})
    checks = list(driven(at_hand))
    if again is not None:
        checks = list(map(_decided, checks))
    facts = loss_facts(scaled, released) | class_facts(released)
    facts |= risk_facts(scaled, released, all_risks) | {"anonymity": anonymity}
    facts |= {"n": original.n, "k": case.k}
    linked = facts["record_linkage"] is not None
    facts |= baseline_facts(scaled, [(original.names, release_classes(released))], linked)
    lines = measure_lines(facts)
    if seen is not None:
        intruder = intrude(case, scaled, seen, published.assigning, scaled_coordinates(scaled))
        facts["transparency_attack"] = intruder.as_data()
        lines += intruder.lines()
    blocks = [(original.names, checks)]
    return Verdict(blocks, facts, [], tuple(lines), at_hand=frozenset(at_hand))


def published_of(
    case: AuditedRelease,
    method: Method,
    centres: list[Row] | None = None,
    last_move: float | None = None,
) -> Published:
    """Return what is known of the making of a release.

    That is the method, and published centres.
    """
    settings, original = method.parameters, case.original
    return Published(
        _fuzziness(settings, "1"),
        _fuzziness(settings, "2"),
        settings["c"] or max(1, original.n // case.k),
        centres,
        system_of(method.constraints, original.names) if method.constraints else None,
        method.constraints,
        settings["guarantee"],
        last_move,
    )


def _fuzziness(settings: dict[str, Any], stage: str) -> Fuzziness:
    if settings["kind"] == "efcm":
        return Fuzziness("efcm", float(settings[f"lambda{stage}"]))
    m = settings[f"m{stage}"]
    return Fuzziness("crisp") if m == 1 else Fuzziness("fcm", float(m))


def centres_of_rows(data: object, names: tuple[str, ...]) -> list[Row]:
    """Return centres given as a table with these attributes.

    Raises what `table_of` raises.
    """
    return _rows(table_of(data, names))


def read_centres(path: Path, names: tuple[str, ...]) -> tuple[list[Row], float | None]:
    """Read centres from a CSV file or a report.

    The CSV file has the attributes as columns; the report is one of `refagg mask`.

    A report also says how far they moved in the last iteration; for CSV that is None.
    Raises FileUnreadable, and what `read_table` raises.
    """
    if path.suffix.lower() != ".json":
        return _rows(read_table(path, names)), None
    try:
        (block,) = json.loads(read_text(path))["blocks"]
        (centres,) = block["centres"]
        values, moved = centres["values"], float(centres["last_move"])
    except (ValueError, LookupError, TypeError, RecursionError):
        raise FileUnreadable(
            f"{path} is not a report that lists the centres of one block"
        ) from None
    if not isinstance(values, list) or not all(isinstance(row, list) for row in values):
        raise FileUnreadable(f"{path} lists centres that are not rows of values")
    exact = [[number_of(x, str(path)) if isinstance(x, str) else x for x in row] for row in values]
    return _rows(table_of(exact, names)), moved


def _rows(table: Table) -> list[Row]:
    return [table.row(record) for record in range(table.n)]


def _with_seed(published: Published, again: Replay) -> Published:
    """Return the published facts, with the run if its seed fits.

    The seed fits if it gives the release. The run says how far centres moved last.
    """
    if again.check.status != "holds" or published.last_move is not None:
        return published
    return replace(published, last_move=again.last_move)


def _decided(check: Check) -> Check:
    """Report a test of draws, where the seed decides.

    With a seed the run decides; other tests of draws, or unknown centres, are only reported.
    """
    if check.name == ASSIGNMENT or (check.name == CENTRES and check.status == "not judged"):
        summary = f"the run of the seed decides; {check.summary}"
        return replace(check, status=REPORTED, summary=summary)
    return check


def intrude(
    case: AuditedRelease, scaled: Scaled, seen: Seen, how: Fuzziness, scale: ScaledCoordinates
) -> Intruder:
    """Return the attacks of an intruder, and the attack on MDAV.

    The intruder knows the distribution.
    """
    count = len(seen.classes.groups)
    rows = [scale.point(row) for row in seen.places[:count]]
    logs = [row[:count] for row in seen.logs(how)]
    method = method_of("mdav", case.k, standardise=scaled.how, arithmetic="float")
    made = masked(case.original, method)
    groups = made.blocks[0].partition
    centroids = [scale.point(made.released.row(group[0])) for group in groups.groups]
    return Intruder(
        nearest_attack(seen.points, rows, seen.assignment),
        posterior_attack(logs, seen.assignment, count),
        expected_share(logs, seen.assignment),
        nearest_attack(seen.points, centroids, groups.labels()),
    )


MOST_DECIMALS = 20
"""Roundings that meet constraints are tried with so many decimals at most."""

SECONDS = 30.0
"""After so many seconds no further run is begun."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Verdict on the seed, with the last move of centres.

    It says how far centres moved in the last iteration of the run of the seed.
    """

    check: Check
    last_move: float


def replay(case: AuditedRelease, method: Method, tolerance: Fraction, limit: int) -> Replay:
    """Check that the seed that is claimed gives this release."""
    ours = masked(case.original, method)
    if _written(ours.released, case.released, method):
        check = Check("", "holds", f"the seed {method.seed} gives this release")
    else:
        reading = Reading(release_classes(case.released), case.released, None)
        bounds = limit, SECONDS
        check = replayed(case.original, method, reading, tolerance, bounds, centred=True)
        if check.status == "holds" and not _alike(ours.released, case.released):
            reason = "up to rounding, but other records are equal, possibly because of rounding"
            check = Check("", "not judged", f"the seed {method.seed} gives this release {reason}")
    [(_, made)] = ours.blocks[0].centres
    name = f"run of {method.specification.name}"
    return Replay(replace(check, name=name), made.clustering.moved)


def _alike(mine: Table, theirs: Table) -> bool:
    """Return True if the same records have equal rows.

    They are equal as far as the release's digits show.
    """
    columns = []
    for own, other in zip(mine.columns, theirs.columns, strict=True):
        values, unit = own.values(range(mine.n)), written_unit(other)
        shown = values if unit is None else [rounded_to(value, unit) for value in values]
        columns.append(column_of(own.name, shown))
    return release_classes(Table(tuple(columns))) == release_classes(theirs)


def _written(mine: Table, theirs: Table, method: Method) -> bool:
    """Return True if these are the values as written.

    They are written with all digits, or rounded to some decimals.
    """
    pairs = zip(mine.columns, theirs.columns, strict=True)
    return all(_column_written(*pair) for pair in pairs) or (
        bool(method.constraints) and _rounded_together(mine, theirs, method)
    )


def _column_written(mine: Column, theirs: Column) -> bool:
    records = range(len(mine.numerators))
    right, found = mine.values(records), theirs.values(records)
    unit = written_unit(theirs)
    return [Fraction(Decimal(decimal_text(value))) for value in right] == found or (
        unit is not None and [rounded_to(value, unit) for value in right] == found
    )


def _rounded_together(mine: Table, theirs: Table, method: Method) -> bool:
    """Return True if these are the values, rounded to meet the constraints."""
    most = max((decimal_places(column) or 0 for column in theirs.columns), default=0)
    for decimals in range(min(most, MOST_DECIMALS) + 1):
        rounding = rounding_that_meets(method.constraints, mine.names, decimals)
        if rounding and _rows(rounding.rounded(mine)) == _rows(theirs):
            return True
    return False


@check_at(50)
def run_again(again: Replay) -> Check:
    """Check that the seed gives this release."""
    return again.check


@dataclass(frozen=True, slots=True)
class Attack:
    """Success of an attack.

    It is the share of records that are found, the most that is possible, and the worst record.
    """

    share: float
    most: float
    worst: float

    def line(self, name: str) -> str:
        return (
            f"{name}: {100 * self.share:.2f} % of records found, at most {100 * self.most:.2f} % "
            f"if all classes were known; worst record {100 * self.worst:.4g} %"
        )


def nearest_attack(
    points: Sequence[Point], rows: Sequence[Point], classes: Sequence[int]
) -> Attack:
    """Return the attack that names the nearest released row.

    `rows` are the released rows of the classes; `classes` says in which each record is.
    """

    def scores(k: int) -> list[float]:
        return [-dist(points[k], row) for row in rows]

    return _attack(scores, classes, len(rows))


def posterior_attack(logs: Sequence[Sequence[float]], classes: Sequence[int], count: int) -> Attack:
    """Return the attack that names the class with greatest u_ki / s_i.

    `logs` are those of u_ki, for the `count` classes that are in the release.
    """
    sizes = Counter(classes)

    def scores(k: int) -> list[float]:
        return [x - log(sizes[i]) for i, x in enumerate(logs[k])]

    return _attack(scores, classes, count)


def _attack(scores: Callable[[int], list[float]], classes: Sequence[int], count: int) -> Attack:
    sizes = Counter(classes)
    found = []
    for k, own in enumerate(classes):
        of_all = scores(k)
        best = max(of_all)
        margin = NEAR * max(1.0, abs(best))
        named = [i for i, score in enumerate(of_all) if score >= best - margin]
        found.append(1 / (sizes[own] * len(named)) if own in named else 0.0)
    return Attack(fsum(found) / len(found), count / len(found), max(found))


def expected_share(logs: Sequence[Sequence[float]], classes: Sequence[int]) -> float:
    """Return the intruder's expectation by the posterior.

    It is the mean over records of max u_ki / s_i.
    """
    sizes = Counter(classes)
    return fsum(max(exp(x) / sizes[i] for i, x in enumerate(row)) for row in logs) / len(logs)
