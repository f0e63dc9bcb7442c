"""Last check: the distance of the loss from the optimum.

It says how far a release's groups are from the least loss that any groups can have.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.auditing.cases import AuditedRelease, JudgedGroups
from oracle.auditing.driver import Check, check_at
from oracle.certificate.kernel import Rejected, certificate_of, check, data_digest, read_content
from refagg.data.known_optima import known_of
from refagg.data.standardise import Scaled, is_plain
from refagg.errors import FileUnreadable, InvalidCertificate
from refagg.language.number_texts import as_json, digits_of, number_text
from refagg.release.measures import loss_within
from refagg.release.report import loss_names
from refagg.spaces.dissimilarities.dissimilarity import Function

NAME = "distance from the optimum"


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Least loss to compare with.

    It is a certificate, or what can be proved in some seconds.
    """

    certificate: Path | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class KnownOptimum:
    """Lower bound of the SSE, and whether some groups reach it.

    It bounds the SSE of any groups.
    """

    bound: Fraction
    optimal: bool
    source: str


@check_at(60)
def distance_check(
    case: AuditedRelease,
    groups: JudgedGroups,
    scaled: Scaled,
    yardstick: Yardstick | None,
    dissimilarity: str | Function,
) -> Check | None:
    """Check the gap between a release's loss and the least possible.

    The loss is that of its groups.

    Without a yardstick, None unless the optimum of this file ships with the project.

    Raises InvalidCertificate if a certificate is given that is not accepted, or is not about
    this file, and what `oracle.optima.optimum` raises.
    """
    shipped = _shipped(case, scaled)
    if yardstick is None and (shipped is None or groups.partition.smallest() < case.k):
        return None
    if groups.partition.smallest() < case.k:
        return Check(NAME, "not judged", _NOT_COMPARED)
    if yardstick is not None and yardstick.certificate is not None:
        known = _from_certificate(yardstick.certificate, case, scaled)
    elif shipped is not None:
        known = shipped
    else:
        assert yardstick is not None
        known = _computed(case, scaled, yardstick.seconds, dissimilarity)
    what, name = loss_names(scaled.table)[::2]
    value = loss_within(scaled, groups.partition.groups, dissimilarity)
    above = 100 * (value / known.bound - 1) if known.bound else None
    details: dict[str, Any] = {
        what: as_json(value)["decimal"],
        "bound": as_json(known.bound)["decimal"],
        "bound_exact": as_json(known.bound)["exact"],
        "bound_is_the_optimum": known.optimal,
        "source": known.source,
        "above_percent": None if above is None else as_json(above)["decimal"],
    }
    lost, proved = digits_of(value, 10), digits_of(known.bound, 10)
    if value < known.bound:
        text = f"the groups have an SSE of {lost}, less than {known.source} proves possible "
        text += "for its group sizes and constraints"
        return Check(NAME, "fails", text, (), details)
    best = "the optimum" if known.optimal else "the best bound proved"
    if value == known.bound:
        summary = f"none: the groups are optimal, {name} {lost}"
    elif above is None:
        summary = f"{name} {lost}; {best} is 0"
    else:
        least = "" if known.optimal else "at most "
        percent = number_text(above) if above > 10**6 else f"{float(above):.4f}"
        summary = f"{name} {lost}, {least}{percent} % above {best}, {proved}"
    return Check(NAME, "holds", f"{summary} ({known.source})", (), details)


_NOT_COMPARED = "the release is not k-anonymous, so it is not compared with the optimum"


def _shipped(case: AuditedRelease, scaled: Scaled) -> KnownOptimum | None:
    """Return the shipped optimum for this file and k.

    It ships with the project.
    """
    if len(case.strata) > 1:
        return None
    source = "datasets/optima.json"
    found = [known for known in known_of(scaled) if known.k == case.k]
    return next((KnownOptimum(known.bound, known.optimal, source) for known in found), None)


def _from_certificate(path: Path, case: AuditedRelease, scaled: Scaled) -> KnownOptimum:
    if not is_plain(scaled):
        raise InvalidCertificate(
            f"{path} covers numeric attributes without weights or ranges; this audit has other "
            "kinds, ranges or weights"
        )
    if len(case.strata) > 1:
        raise InvalidCertificate(f"{path} is about a whole file; the groups are within strata")
    try:
        certificate = certificate_of(read_content(path), str(path))
        table = scaled.table
        rows = tuple(table.row(record) for record in range(table.n))
        if certificate.digest != data_digest(table.names, rows):
            raise Rejected("it is about another file, or about other attributes")
        asked = (case.k, scaled.how)
        about = (certificate.k, certificate.standardise)
        if asked != about:
            raise Rejected(f"its k and standardisation are {about}, not {asked}")
        if certificate.together or certificate.apart:
            raise Rejected("it covers only partitions that meet constraints")
        if certificate.largest < min(table.n, 2 * case.k - 1):
            raise Rejected(f"it covers only groups of at most {certificate.largest} records")
        check(certificate, rows)
    except (Rejected, RecursionError, ValueError) as reason:  # as of groups of a thousand records
        raise InvalidCertificate(f"{path} cannot be used: {reason}") from None
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    optimal = certificate.bound == certificate.value
    return KnownOptimum(certificate.bound, optimal, "the certificate")


def _computed(
    case: AuditedRelease, scaled: Scaled, seconds: float | None, dissimilarity: str | Function
) -> KnownOptimum:
    """Return the sum over the strata of the proved bounds.

    Each stratum has its share of the time.
    """
    from oracle.optima import solve  # needs PuLP, which other checks do not

    bound, optimal = Fraction(0), True
    for _, records in case.strata:
        stratum = scaled.take(records)
        share = None if seconds is None else seconds * len(records) / scaled.n
        found = solve(stratum, case.k, time_limit=share, dissimilarity=dissimilarity)
        bound += found.bound or 0
        optimal = optimal and found.status == "optimal"
    return KnownOptimum(bound, optimal, "computed now")
