"""The judge of fuzzy microaggregation: a release that was drawn at random.

Given are the original, the release, and what is published: the kind and fuzziness of the two
stages, the number of centres c, perhaps the centres and constraints. The rungs:

  released rows    Each released row is a centre, as far as its decimals show.
  constraints      Each released row satisfies them (`oracle.audit.edits`).
  centres          They are where alternating optimisation ends: one more step moves them hardly.
  assignment       It is a draw from the membership distribution (`oracle.audit.assignment`).
  group sizes      At least k records for each centre on average. Nothing more is promised.
  raw records      No released row is an original record that fewer than k originals share.

Centres that are not published are the distinct released rows, provided that these are c. If they
are fewer, some centres have no record, and neither centres nor assignment can be judged.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from oracle.audit.assignment import LEVEL, SIMULATIONS, impossible, law_of_logs, tested
from oracle.audit.edits import edit_rung
from oracle.audit.ladder import Case, Rung
from oracle.audit.memberships import Coordinates, coordinates, next_centres
from oracle.audit.seen import Published, Row, Seen, Stray, row_text, see
from refagg.risk import release_classes
from refagg.standardise import Scaled

STILL = 1e-5
"""How far centres may move in one more step, as a share of the widest range of an attribute."""

LIKE_LAST = 2
"""How much farther than in the last iteration centres may move, if they have not converged."""

AMPLIFIED = 10
"""How much one step may enlarge what rounding has done to the centres."""


def row_rung(seen: Seen | Stray, published: Published) -> Rung:
    """Is each released row a centre?"""
    name = "released rows"
    if isinstance(seen, Stray):
        witness = (
            f"record {seen.record} is released with {row_text(seen.row)}; the nearest centre is "
            f"{row_text(seen.nearest)}",
        )
        return Rung(name, "fails", "a released row is no centre", witness)
    count = len(seen.classes.groups)
    if published.centres is not None:
        text = f"{count} distinct rows, each one of the {len(published.centres)} centres published"
        return Rung(name, "holds", text)
    if count > published.c:
        text = f"{count} distinct rows, but there are {published.c} centres"
        record = min(seen.classes.groups, key=len)[0]
        row = row_text(seen.places[seen.assignment[record]])
        return Rung(name, "fails", text, (f"record {record} is released with {row}",))
    return Rung(name, "holds", f"{count} distinct rows are taken for the centres")


def centre_rung(seen: Seen, published: Published, scale: Coordinates) -> Rung:
    """Would one more step of the algorithm move the centres?"""
    name = "centres"
    if not seen.complete:
        return Rung(name, "not judged", _unseen(seen, published))
    after = next_centres(seen.points, seen.centres, published.forming)
    if published.system is not None:
        origin = scale.origin
        project = published.system.float_projector(origin, [Fraction(u) for u in scale.units])
        after = [project(centre) for centre in after]
    width = seen.width
    moved = [
        max(abs(x - y) for x, y in zip(a, b, strict=True)) / width
        for a, b in zip(seen.centres, after, strict=True)
    ]
    worst = max(range(len(moved)), key=moved.__getitem__)
    allowed = max(STILL, LIKE_LAST * published.last_move) + AMPLIFIED * seen.rounding / width
    text = f"one more step with {published.forming.text} moves them by {moved[worst]:.2g}"
    details = {"moved": moved[worst], "allowed": allowed}
    if moved[worst] <= allowed:
        text += " of the widest range"
        if published.last_move > STILL:
            text += "; they have not converged, as published"
        return Rung(name, "holds", text, (), details)
    witness = (
        f"centre {row_text(seen.places[seen.place_of[worst]])} moves to "
        f"{row_text(scale.row(after[worst]))}",
    )
    text += f" of the widest range; {allowed:.2g} is allowed"
    return Rung(name, "fails", text, witness, details)


def _unseen(seen: Seen, published: Published) -> str:
    return (
        f"{len(seen.classes.groups)} of {published.c} centres have records; the others are not "
        "known, unless the centres are published"
    )


def assignment_rung(seen: Seen, published: Published) -> Rung:
    """Is the assignment a draw from the memberships?"""
    name = "assignment"
    if not seen.complete:
        return Rung(name, "not judged", _unseen(seen, published))
    if published.guarantee != "none":
        reason = f"with the guarantee {published.guarantee} it is no plain draw from memberships"
        return Rung(name, "not judged", reason)
    law, own = law_of_logs(seen.logs(published.assigning)), seen.assignment
    if lost := impossible(law, own):
        witness = (
            f"record {lost[0]} is released with {row_text(seen.places[own[lost[0]]])}, of which "
            f"its membership is 0 ({published.assigning.text})",
        )
        return Rung(name, "fails", f"{len(lost)} records cannot be where they are", witness)
    found = tested(law, own)
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
        "expected_sizes": law.expected,
        "standard_deviations_of_sizes": [sqrt(variance) for variance in law.variances],
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
            "where it hardly can be"
        )
    return Rung(name, "fails" if found.rejected else "holds", text, tuple(lines), details)


def size_rung(case: Case, published: Published) -> Rung:
    """What k means here: an average, and what was realised."""
    classes, n = release_classes(case.released), case.original.n
    sizes = classes.sizes()
    small = sum(size * count for size, count in sizes.items() if size < case.k)
    details = {
        "sizes": {str(size): count for size, count in sizes.items()},
        "records_in_groups_below_k": small,
        "expected": n / published.c,
        "guarantee": published.guarantee,
    }
    text = (
        f"{n}/{published.c} = {n / published.c:.4g} records for a centre on average; realised "
        f"{classes.smallest()} to {classes.largest()}, {small} records in groups of fewer than k "
        f"= {case.k}"
    )
    if n < case.k * published.c:
        return Rung("group sizes", "fails", f"{text}; the average is less than k", (), details)
    if published.guarantee != "none" and small:
        return Rung("group sizes", "fails", f"{text}; k was guaranteed", (), details)
    if published.guarantee == "none":
        text += "; nothing is guaranteed, this is not k-anonymity"
    return Rung("group sizes", "holds", text, (), details)


def raw_rung(case: Case) -> Rung:
    """Is a released row an original record that fewer than k originals share?"""
    originals: dict[Row, list[int]] = {}
    for record in range(case.original.n):
        originals.setdefault(case.original.row(record), []).append(record)
    for record in range(case.released.n):
        own = originals.get(case.released.row(record))
        if own and len(own) < case.k:
            witness = (
                f"record {record} is released with {row_text(case.released.row(record))}, which is "
                f"what record {own[0]} was",
            )
            return Rung("raw records", "fails", "an original record is released", witness)
    return Rung("raw records", "holds", "no released row is an original one that is rare")


def fuzzy_rungs(
    case: Case, scaled: Scaled, published: Published, tolerance: Fraction
) -> tuple[list[Rung], Seen | None]:
    """All rungs, and the release beside its centres if its rows are centres."""
    seen = see(case, scaled, published, tolerance)
    rungs = [row_rung(seen, published)]
    ends = [size_rung(case, published), raw_rung(case)]
    if isinstance(seen, Stray) or rungs[0].status == "fails":
        return rungs + ends, None
    if published.constraints:
        rungs.append(edit_rung(case, published.constraints, tolerance))
    rungs.append(centre_rung(seen, published, coordinates(scaled)))
    rungs.append(assignment_rung(seen, published))
    return rungs + ends, seen
