"""`oracle audit --algorithm fuzzy`: the judge of fuzzy microaggregation, and the intruder."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.auditing.anonymity import REPORTED, joint_rung
from oracle.auditing.fuzzy import ASSIGNMENT, CENTRES, fuzzy_rungs
from oracle.auditing.fuzzy_seed import Replay, replay
from oracle.auditing.ladder import Case, Rung, shape_rung
from oracle.auditing.memberships import Coordinates, Fuzziness, coordinates
from oracle.auditing.seen import Published, Row, Seen
from oracle.auditing.transparency import Attack, expected_share, nearest_attack, posterior_attack
from oracle.auditing.verdict import audit_data, rung_lines, status_of
from refagg.commands.options import quasi_identifiers
from refagg.constraints import System, system_of
from refagg.data.csvfiles import read_header, read_table, write_json
from refagg.data.standardise import Scaled
from refagg.data.tables import Table, table_of
from refagg.data.textfiles import read_text
from refagg.errors import FileUnreadable, InvalidParameter
from refagg.language.numerals import number_of
from refagg.release.facts import class_facts, loss_facts, measure_lines, risk_facts
from refagg.release.masking import Method, masked, method_of

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
            self.posterior.line("intruder, posterior")
            + f"; he expects {100 * self.expected:.2f} %",
            self.mdav.line("intruder, nearest centre, on MDAV"),
        ]


def audit_fuzzy(given: argparse.Namespace, method: Method, tolerance: Fraction) -> int:
    """Carry out the command; the exit status is that of the verdict."""
    _check_supported(given)
    names = quasi_identifiers(given, read_header(given.original, given.delimiter), given.original)
    original = read_table(given.original, names, given.missing, given.delimiter)
    released = read_table(given.released, names, given.missing, given.delimiter)
    case = Case(original, released, given.k, None, [("", list(range(original.n)))])
    shape = shape_rung(case)
    scaled = method.scaled(original)
    published = published_of(given, method, original)
    again = None
    if given.seed is not None:
        again = replay(case, method, tolerance, given.limit)
        published = _with_seed(published, again)
    rungs, seen = fuzzy_rungs(case, scaled, published, tolerance, given.anonymity)
    rungs = [shape, joint_rung(case, given.anonymity), *rungs]
    if again is not None:
        rungs = [*map(_decided, rungs), again.rung]
    facts = loss_facts(scaled, released) | class_facts(released)
    facts |= risk_facts(scaled, released, given.all_risks) | {"anonymity": given.anonymity}
    lines = rung_lines(rungs) + measure_lines(facts)
    if seen is not None:
        intruder = intrude(case, scaled, seen, published.assigning, coordinates(scaled))
        facts["transparency_attack"] = intruder.as_data()
        lines += intruder.lines()
    print("\n".join(lines))
    blocks = [(original.names, rungs)]
    if given.json:
        write_json(given.json, audit_data(blocks, facts))
    if given.report:
        from oracle.report.release import write_release

        title = f"Audit of {given.released.name}"
        write_release(blocks, facts, case, scaled.how, given.report, title, given.line)
    return status_of(rungs)


def _check_supported(given: argparse.Namespace) -> None:
    """Raise InvalidParameter for options of other audits."""
    options = ("partition", "blocks", "strata", "certificate", "optimum")
    for name in options:
        if getattr(given, name) is not None:
            raise InvalidParameter(f"--{name} is not for the audit of {NAME}")
    if given.algorithm != [NAME]:
        raise InvalidParameter(f"{NAME} is audited by itself, not beside other algorithms")


def published_of(given: argparse.Namespace, method: Method, original: Table) -> Published:
    """What the options say of how the release was made."""
    settings = method.parameters
    centres, moved = None, None
    if given.centres:
        centres, moved = read_centres(given.centres, original.names)
    return Published(
        _fuzziness(settings, "1"),
        _fuzziness(settings, "2"),
        settings["c"] or max(1, original.n // given.k),
        centres,
        _system(method, original),
        method.constraints,
        settings["guarantee"],
        moved,
    )


def _system(method: Method, original: Table) -> System | None:
    return system_of(method.constraints, original.names) if method.constraints else None


def _fuzziness(settings: dict[str, Any], stage: str) -> Fuzziness:
    if settings["kind"] == "efcm":
        return Fuzziness("efcm", float(settings[f"lambda{stage}"]))
    m = settings[f"m{stage}"]
    return Fuzziness("crisp") if m == 1 else Fuzziness("fcm", float(m))


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
        raise FileUnreadable(f"{path} is no report that lists the centres of one block") from None
    if not isinstance(values, list) or not all(isinstance(row, list) for row in values):
        raise FileUnreadable(f"{path} lists centres that are no rows of values")
    exact = [[number_of(x, str(path)) if isinstance(x, str) else x for x in row] for row in values]
    return _rows(table_of(exact, names)), moved


def _rows(table: Table) -> list[Row]:
    return [table.row(record) for record in range(table.n)]


def _with_seed(published: Published, again: Replay) -> Published:
    """What is known of the run, if the seed gives the release."""
    if again.rung.status != "holds" or published.last_move is not None:
        return published
    return replace(published, last_move=again.last_move)


def _decided(rung: Rung) -> Rung:
    """With a seed the run decides; the test of draws, and what it cannot judge, is reported."""
    if rung.name == ASSIGNMENT or (rung.name == CENTRES and rung.status == "not judged"):
        summary = f"the run of the seed decides; {rung.summary}"
        return replace(rung, status=REPORTED, summary=summary)
    return rung


def intrude(case: Case, scaled: Scaled, seen: Seen, how: Fuzziness, scale: Coordinates) -> Intruder:
    """The attacks of somebody who knows the law, and the attack on MDAV."""
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
