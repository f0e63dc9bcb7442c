"""The verdict on a release of fuzzy microaggregation, and what an intruder finds."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.auditing.anonymity import JOINT, REPORTED
from oracle.auditing.baselines import baseline_facts
from oracle.auditing.checks import AuditedRelease, Check, check_shape
from oracle.auditing.driver import driven
from oracle.auditing.fuzzy import ASSIGNMENT, CENTRES, fuzzy_facts
from oracle.auditing.fuzzy_seed import Replay, replay
from oracle.auditing.memberships import Coordinates, Fuzziness, coordinates
from oracle.auditing.observed_release import Published, Row, Seen
from oracle.auditing.tolerance import TOLERANCE
from oracle.auditing.transparency import Attack, expected_share, nearest_attack, posterior_attack
from oracle.auditing.verdict import Verdict
from refagg.constraints import System, system_of
from refagg.data.csvfiles import read_table
from refagg.data.standardise import Scaled
from refagg.data.tables import Table, table_of
from refagg.data.textfiles import read_text
from refagg.errors import FileUnreadable
from refagg.language.number_texts import number_of
from refagg.release.masking import masked
from refagg.release.method import Method, method_of
from refagg.release.report import class_facts, loss_facts, measure_lines, risk_facts
from refagg.release.risk import release_classes

NAME = "fuzzy"
"""The algorithm that is judged here."""


@dataclass(frozen=True, slots=True)
class Intruder:
    """The attacks on a release, and on one of MDAV for the same data and k."""

    nearest: Attack
    posterior: Attack
    expected: float
    mdav: Attack

    def as_data(self) -> dict[str, Any]:
        return {
            "nearest": self.nearest.as_data(),
            "posterior": self.posterior.as_data() | {"expected_share": self.expected},
            "mdav_nearest": self.mdav.as_data(),
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
    """The verdict on a release of fuzzy microaggregation; a method with a seed is run again.

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
        intruder = intrude(case, scaled, seen, published.assigning, coordinates(scaled))
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
    """Return what is known of the making of a release: the method, and published centres."""
    settings, original = method.parameters, case.original
    return Published(
        _fuzziness(settings, "1"),
        _fuzziness(settings, "2"),
        settings["c"] or max(1, original.n // case.k),
        centres,
        _system(method, original),
        method.constraints,
        settings["guarantee"],
        last_move,
    )


def _system(method: Method, original: Table) -> System | None:
    return system_of(method.constraints, original.names) if method.constraints else None


def _fuzziness(settings: dict[str, Any], stage: str) -> Fuzziness:
    if settings["kind"] == "efcm":
        return Fuzziness("efcm", float(settings[f"lambda{stage}"]))
    m = settings[f"m{stage}"]
    return Fuzziness("crisp") if m == 1 else Fuzziness("fcm", float(m))


def centres_of_rows(data: Any, names: tuple[str, ...]) -> list[Row]:
    """Centres that are given as a table with these attributes. Raises what `table_of` raises."""
    return _rows(table_of(data, names))


def read_centres(path: Path, names: tuple[str, ...]) -> tuple[list[Row], float | None]:
    """The centres in a CSV file with the attributes as columns, or in a report of `refagg mask`.

    A report also says how far they moved in the last iteration; for CSV that is None.
    Raises FileUnreadable, and what `read_table` raises.
    """
    if path.suffix.lower() != ".json":
        return _rows(read_table(path, names)), None
    try:
        data = json.loads(read_text(path))
        (block,) = data["blocks"]
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
    """Return what is known of the run, if the seed gives the release."""
    if again.check.status != "holds" or published.last_move is not None:
        return published
    return replace(published, last_move=again.last_move)


def _decided(check: Check) -> Check:
    """With a seed the run decides; other tests of draws, or unknown centres, are only reported."""
    if check.name == ASSIGNMENT or (check.name == CENTRES and check.status == "not judged"):
        summary = f"the run of the seed decides; {check.summary}"
        return replace(check, status=REPORTED, summary=summary)
    return check


def intrude(
    case: AuditedRelease, scaled: Scaled, seen: Seen, how: Fuzziness, scale: Coordinates
) -> Intruder:
    """The attacks of an intruder who knows the distribution, and the attack on MDAV."""
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
        expected_share(logs, seen.assignment, count),
        nearest_attack(seen.points, centroids, groups.labels()),
    )
