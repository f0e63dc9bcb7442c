"""The judge of fuzzy microaggregation: a release that was drawn at random.

Given are the original, the release, and what is published: the kind and fuzziness of the two
stages, the number of centres c, perhaps the centres and constraints. The checks:

  released rows    Each released row is a centre, as far as its decimals show.
  constraints      Each released row satisfies them (`oracle.auditing.edits`).
  centres          They are where alternating optimisation ends: one more step moves them hardly.
  assignment       It is a draw from the membership distribution (`oracle.auditing.assignment`).
  group sizes      At least k records for each centre on average. Nothing more is promised.
  raw records      No released row is an original record that fewer than k originals share.

Centres that are not published are the distinct released rows, provided that these are c. If they
are fewer, some centres have no record, and neither centres nor assignment can be judged.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor, sqrt
from random import Random
from typing import Any

from oracle.auditing.assignment import LEVEL, SIMULATIONS, distribution_of_logs, impossible, tested
from oracle.auditing.cases import AuditedRelease
from oracle.auditing.checks import JOINT, REPORTED, as_promised
from oracle.auditing.driver import Check, check_at
from oracle.auditing.observed_release import (
    CLAMP,
    OutlyingRow,
    Published,
    Row,
    ScaledCoordinates,
    Seen,
    next_centres,
    row_text,
    scaled_coordinates,
    see,
)
from oracle.auditing.rendering import BINARY64, granted
from refagg.data.standardise import Scaled, span
from refagg.data.tables import Table
from refagg.language.lists import by_key
from refagg.language.number_texts import number_text
from refagg.release.risk import release_classes

CENTRES, ASSIGNMENT = "centres", "assignment"
"""Checks that a seed makes unnecessary where they cannot be judged."""

WRITTEN = 8 * BINARY64
"""How far a released row may be from its centre, beside its largest value: both are written."""

STILL = 1e-5
"""How far centres may move in one more step, as a share of the widest range of an attribute."""

LIKE_LAST = 2
"""How much farther than in the last iteration centres may move, if they have not converged."""

ENDED = 1e-6
"""Centres are found when none moves by more than this share of the widest range."""

TRIALS = 4
"""How often centres are moved by so much, to see what that does to the next step."""

AMPLIFIED = 10
"""How much one step may enlarge what rounding has done to the centres."""


@check_at(22)
def released_row_check(observed: Seen | OutlyingRow, published: Published) -> Check:
    """Check that each released row is a centre."""
    name = "released rows"
    if isinstance(observed, OutlyingRow):
        whose = "is" if observed.holder is None else f"is that of record {observed.holder},"
        line = (
            f"record {observed.record} is released with {row_text(observed.row)}; the nearest "
            f"centre {whose} {row_text(observed.nearest)}, which differs by "
            f"{number_text(observed.off)}"
        )
        return Check(name, "fails", "a released row is not a centre", (line,))
    count = len(observed.classes.groups)
    if published.centres is not None:
        centres = f"the {len(published.centres)} published centres"
        return Check(name, "holds", f"each of {count} distinct rows is one of {centres}")
    if count > published.c:
        text = f"{count} distinct rows, but there are {published.c} centres"
        record = min(observed.classes.groups, key=len)[0]
        row = row_text(observed.places[observed.assignment[record]])
        return Check(name, "fails", text, (f"record {record} is released with {row}",))
    return Check(name, "holds", f"the {count} distinct rows are taken as the centres")


@check_at(42)
def centre_check(seen: Seen, published: Published, coordinates: ScaledCoordinates) -> Check:
    """Check that one more step of the algorithm keeps the centres."""
    name = CENTRES
    if not seen.complete:
        return Check(name, "not judged", _unseen(seen, published))
    after = _stepped(seen.centres, seen, published, coordinates)
    moved = _farthest(after, seen.centres, seen.width)
    worst = max(range(len(moved)), key=moved.__getitem__)
    last = published.last_move or 0.0
    allowed = max(STILL, LIKE_LAST * last) + AMPLIFIED * seen.rounding / seen.width
    text = (
        f"one more step with {published.forming.text} moves them by {moved[worst]:.2g} of the "
        "widest range"
    )
    details = {"moved": moved[worst], "allowed": allowed}
    if moved[worst] <= allowed:
        if last > STILL:
            text += "; the published run had not converged"
        return Check(name, "holds", text, (), details)
    text += f"; at most {allowed:.2g} is allowed"
    if published.last_move is None:
        text += " if they have converged, but whether they have is not published"
        return Check(name, "not judged", text, (), details)
    if _spread(after, seen, published, coordinates, max(last, ENDED)) > moved[worst] / AMPLIFIED:
        text += ", but a change smaller than the last move of the centres changes this step too"
        return Check(name, "not judged", text, (), details)
    witness = (
        f"centre {row_text(seen.places[seen.place_of[worst]])} moves to "
        f"{row_text(coordinates.row(after[worst]))}",
    )
    return Check(name, "fails", text, witness, details)


def _stepped(
    centres: list[list[float]], seen: Seen, published: Published, scale: ScaledCoordinates
) -> list[list[float]]:
    """Return the centres after one more step.

    They are on the constraints, if there are any.
    """
    after = next_centres(seen.points, centres, published.forming)
    if published.system is None:
        return after
    return list(map(published.system.float_projector(scale.origin, scale.units), after))


def _spread(
    after: list[list[float]],
    seen: Seen,
    published: Published,
    scale: ScaledCoordinates,
    share: float,
) -> float:
    """Return how far a step takes moved centres.

    They are first moved by this share; the distance is from `after`.
    """
    random, size = Random(1), share * seen.width
    found = []
    for _ in range(TRIALS):
        moved = [[x + random.choice((-size, size)) for x in centre] for centre in seen.centres]
        other = _stepped(moved, seen, published, scale)
        found.append(max(_farthest(other, after, seen.width)))
    return max(found)


def _farthest(one: list[list[float]], other: list[list[float]], width: float) -> list[float]:
    """Return for each centre the greatest difference of a coordinate.

    It is a share of the widest range.
    """
    return [
        max(abs(x - y) for x, y in zip(a, b, strict=True)) / width
        for a, b in zip(one, other, strict=True)
    ]


def _unseen(seen: Seen, published: Published) -> str:
    return (
        f"{len(seen.classes.groups)} of {published.c} centres have records; the others are "
        "unknown, because the centres are not published"
    )


@check_at(44)
def assignment_check(seen: Seen, published: Published) -> Check:
    """Check that the assignment is a draw from the memberships."""
    name = ASSIGNMENT
    if not seen.complete:
        return Check(name, "not judged", _unseen(seen, published))
    if published.guarantee != "none":
        reason = (
            f"with the guarantee {published.guarantee} the assignment is not an independent draw "
            "from the memberships"
        )
        return Check(name, "not judged", reason)
    distribution, own = distribution_of_logs(seen.logs(published.assigning)), seen.assignment
    if lost := impossible(distribution, own):
        witness = (
            f"record {lost[0]} is released with {row_text(seen.places[own[lost[0]]])}, a centre "
            f"in which its membership is 0 ({published.assigning.text})",
        )
        text = f"{len(lost)} records are assigned to centres in which their membership is 0"
        return _rejected(seen, text, witness, {})
    found = tested(distribution, own)
    details = {
        "test": "likelihood, sizes, rarest record; level shared by Bonferroni",
        "level": LEVEL,
        "simulations": SIMULATIONS,
        "likelihood": found.likelihood,
        "mean": found.mean,
        "deviation": found.deviation,
        "z": found.z,
        "p_likelihood": found.p_likelihood,
        "p_sizes": found.p_sizes,
        "p_rarest": found.p_rarest,
        "p": found.p,
        "power": found.power,
        "expected_sizes": distribution.expected,
        "standard_deviations_of_sizes": [sqrt(variance) for variance in distribution.variances],
        "realised_sizes": [own.count(place) for place in range(len(seen.places))],
    }
    text = (
        f"p = {found.p:.3g}, level {LEVEL:g} ({published.assigning.text}; likelihood z = "
        f"{found.z:+.2f}, p = {found.p_likelihood:.3g}; sizes p = {found.p_sizes:.3g}; rarest "
        f"record p = {found.p_rarest:.3g}; {SIMULATIONS} simulations)"
    )
    powers = ", ".join(f"{how} {share:.2f}" for how, share in found.power.items())
    lines = [f"power: {powers}"]
    if found.rejected and found.p_rarest == min(found.p_rarest, found.p_likelihood, found.p_sizes):
        lines.append(
            f"record {found.rarest} is released with {row_text(seen.places[own[found.rarest]])}, "
            "a centre to which its memberships assign it with a low probability"
        )
    if found.rejected:
        return _rejected(seen, text, tuple(lines), details)
    return Check(name, "holds", text, tuple(lines), details)


def _rejected(seen: Seen, text: str, lines: tuple[str, ...], details: dict[str, Any]) -> Check:
    """Return the check of an assignment that is no draw.

    It is not judged where centres are known roughly only.
    """
    if seen.rounding <= CLAMP * seen.width:
        return Check(ASSIGNMENT, "fails", text, lines, details)
    text += "; but the rows are rounded, which may explain it: --centres gives exact ones"
    return Check(ASSIGNMENT, "not judged", text, (), details)


@check_at(46)
def group_sizes(
    drawn: AuditedRelease, published: Published, sight: Seen | None, promise: str
) -> Check:
    """Check that the average size of groups is at least k."""
    return as_promised(average_check(drawn, published, sight), promise)


def average_check(case: AuditedRelease, published: Published, seen: Seen | None) -> Check:
    """Report the average group size, which k bounds here.

    Reported, too, are the expected and realised sizes.
    """
    classes, n = release_classes(case.released), case.original.n
    c = max(published.c, len(published.centres or ()))
    sizes = classes.sizes()
    small = sum(size * count for size, count in sizes.items() if size < case.k)
    details: dict[str, Any] = {
        "sizes": {str(size): count for size, count in sizes.items()},
        "records_in_groups_below_k": small,
        "expected": n / c,
        "guarantee": published.guarantee,
    }
    expected = ""
    if seen is not None and seen.complete:
        drawn = distribution_of_logs(seen.logs(published.assigning)).expected
        expected = f"expected {min(drawn):.4g} to {max(drawn):.4g}, "
        details["expected_sizes"] = drawn
    text = (
        f"{n}/{c} = {n / c:.4g} records per centre on average; {expected}"
        f"realised {classes.smallest()} to {classes.largest()}, {small} records in groups of fewer "
        f"than k = {case.k}"
    )
    if n < case.k * c:
        return Check("group sizes", "fails", f"{text}; the average is less than k", (), details)
    if published.guarantee != "none" and small:
        return Check("group sizes", "fails", f"{text}; k was guaranteed", (), details)
    if published.guarantee == "none":
        text += "; no group size is guaranteed: this is not k-anonymity"
    return Check("group sizes", "holds", text, (), details)


@check_at(48)
def raw_check(drawn: AuditedRelease, promise: str) -> Check:
    """Check that no released row is a rare original record.

    It is rare if fewer than k originals share it.

    It fails where k-anonymity is promised and fewer than k records have that row.
    """
    name, place = "raw records", _places(drawn.original)
    originals = by_key((place(drawn.original.row(i)), i) for i in range(drawn.original.n))
    found = []
    for group in release_classes(drawn.released).groups:
        row = drawn.released.row(group[0])
        own = originals.get(place(row))
        if own and len(own) < drawn.k:
            line = f"record {group[0]} is released with {row_text(row)}, the original row of "
            found.append((len(group), group[0], f"{line}record {own[0]}"))
    if not found:
        return Check(name, "holds", _NO_ORIGINAL)
    size, _, line = min(found)
    if promise == JOINT and size < drawn.k:
        return Check(name, "fails", "an original record is released", (line,))
    rows = "row is an original record" if len(found) == 1 else "rows are original records"
    summary = f"{len(found)} released {rows}, which the promise does not rule out"
    return Check(name, REPORTED, summary, (line,))


def _places(table: Table) -> Callable[[Row], Row]:
    """Return the function from rows to places, which nearly equal rows share.

    A place is as wide as SAME of the range of each attribute; where one ends is no round number, at
    which many rows would be.
    """
    ranges = [(Fraction(min(c.numerators), c.denominator), SAME * span(c)) for c in table.columns]

    def place(row: Row) -> Row:
        steps = zip(row, ranges, strict=True)
        return tuple(
            Fraction(floor((x - least) / width + SHIFT)) if width else x
            for x, (least, width) in steps
        )

    return place


SAME, SHIFT = Fraction(1, 10**9), Fraction(381_966, 10**6)
"""The share of the range of an attribute in which values are the same; the share of that at which
the first place begins."""

_NO_ORIGINAL = "no released row equals an original row that fewer than k records have"


def fuzzy_facts(
    case: AuditedRelease,
    scaled: Scaled,
    published: Published,
    tolerance: Fraction | None,
    promise: str = JOINT,
) -> tuple[dict[str, object], Seen | None]:
    """Return the facts for checks, and the release beside its centres.

    The latter is None unless the rows of the release are centres.
    """
    found = see(case, scaled, published, WRITTEN if tolerance is None else tolerance)
    fits = released_row_check(found, published).status != "fails"
    seen = found if fits and isinstance(found, Seen) else None
    at_hand: dict[str, object] = {"k": case.k, "classes": release_classes(case.released)}
    at_hand |= {"drawn": case, "sight": seen, "observed": found}
    at_hand |= {"published": published, "promise": promise}
    if seen is not None:
        at_hand |= {"case": case, "granted": granted(tolerance)}
        at_hand |= {"seen": seen, "coordinates": scaled_coordinates(scaled)}
        at_hand |= {"constraints": published.constraints} if published.constraints else {}
    return at_hand, seen


NEAR = 1e-12
"""Scores of classes that differ by less, relatively, count as equal."""
