"""Memberships from distances: formulas of FCM, EFCM and crisp clusters.

FCM:    u_ki is proportional to (1 / d_ki^2)^(1/(m-1)); a centre weighs records by u^m.
EFCM:   u_ki is proportional to exp(-lambda d_ki^2); a centre weighs records by u.
crisp:  u_ki is shared by the nearest centres; the limit of FCM as m falls to 1.

Everything is computed with logarithms of memberships, less the greatest of the row, so that nothing
overflows and nothing is divided by 0. With FCM a record that is exactly on centres belongs to these
alone, in equal parts: the limit of the formula.

>>> membership = membership_function("fcm", m=2)
>>> [round(exp(x), 12) for x in membership.logs([1.0, 2.0, 2.0])]
[1.0, 0.25, 0.25]
>>> [round(exp(x), 12) for x in membership.logs([0.0, 2.0, 0.0])]
[1.0, 0.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, expm1, fsum, inf, isfinite, log, log1p

from refagg.errors import InvalidParameter
from refagg.language.lists import check_one_of

KINDS = ("fcm", "efcm", "crisp")

Distances = Sequence[float]


@dataclass(frozen=True, slots=True)
class MembershipFunction:
    """Memberships from distances, and weights from memberships."""

    kind: str
    logs: Callable[[Distances], list[float]]
    """The logarithms of u_k1 .. u_kc, less the greatest of them."""
    level: Callable[[Distances, Sequence[float]], float]
    """The generalised mean of a record's squared distances, from them and its `logs`.

    With the memberships of the formula the objective is J = c^(1-m) times the sum of these over
    records (FCM), or that sum - n log(c) / lambda (EFCM). The sum is of the size of squared
    distances where J itself is less than all floats, or is nothing but its constant.
    """
    exponent: float
    """A centre weighs records by u to this power."""
    parameter: float
    """m, or lambda."""

    def of(self, distances: Iterable[Distances]) -> tuple[list[list[float]], float]:
        """Return the logarithms of all memberships, and the objective's level.

        Memberships add to 1 for each record.
        """
        result, levels = [], []
        for of_record in distances:
            logs = self.logs(of_record)
            levels.append(self.level(of_record, logs))
            whole = log(sum(map(exp, logs)))
            result.append([x - whole for x in logs])
        return result, fsum(levels)

    def weights(self, logs: Sequence[float]) -> list[float]:
        """Return the weights of the records in a centre's mean.

        They are u^m, or u, up to a factor.
        """
        greatest = max(logs)
        if greatest == -inf:
            return [0.0] * len(logs)
        return [exp(self.exponent * (x - greatest)) for x in logs]

    def objective(self, level: float, n: int, c: int) -> float:
        """J, from the sum of the levels of n records."""
        if self.kind == "efcm":
            return level - n * log(c) / self.parameter
        return level * exp((1 - self.exponent) * log(c)) if level else 0.0


def membership_function(
    kind: str, m: float | None = None, lam: float | None = None
) -> MembershipFunction:
    """The membership function of this kind, for m or lambda. Raises InvalidParameter."""
    check_one_of(kind, KINDS, "the kind is")
    if (m is None) != (kind != "fcm") or (lam is None) != (kind != "efcm"):
        raise InvalidParameter(f"{kind} has {_TAKES[kind]}; m is {m}, lambda is {lam}")
    if m is not None:
        return _fcm(float(m))
    if lam is not None:
        return _efcm(float(lam))
    return MembershipFunction(
        kind, crisp_logs, lambda distances, logs: min(distances) ** 2, 1.0, 1.0
    )


_TAKES = {"fcm": "an m and no lambda", "efcm": "a lambda and no m", "crisp": "no m and no lambda"}


def _fcm(m: float) -> MembershipFunction:
    if not (isfinite(m) and m > 1):
        raise InvalidParameter(f"m is {m}; it must be greater than 1 and finite (1 is crisp)")
    slope = 2 / (m - 1)

    def level(distances: Distances, logs: Sequence[float]) -> float:
        nearest = min(distances)
        return exp(2 * log(nearest) + (1 - m) * _log_mean(logs)) if nearest else 0.0

    return MembershipFunction("fcm", lambda distances: fcm_logs(distances, slope), level, m, m)


def _efcm(lam: float) -> MembershipFunction:
    if not (isfinite(lam) and lam > 0):
        raise InvalidParameter(f"lambda is {lam}; it must be greater than 0 and finite")

    def level(distances: Distances, logs: Sequence[float]) -> float:
        nearest = min(distances)
        return nearest * nearest - _log_mean(logs) / lam

    return MembershipFunction("efcm", lambda distances: efcm_logs(distances, lam), level, 1.0, lam)


def fcm_logs(distances: Distances, slope: float) -> list[float]:
    """-slope log d, less the greatest; slope is 2/(m-1)."""
    if not min(distances):
        return crisp_logs(distances)
    logs = list(map(log, distances))
    least = min(logs)
    return [slope * (least - x) for x in logs]


def efcm_logs(distances: Distances, lam: float) -> list[float]:
    """Return -lambda d^2, less the greatest.

    It is computed as a product, so that near squares are not subtracted.
    """
    least = min(distances)
    return [lam * ((least - d) * (least + d)) for d in distances]


def crisp_logs(distances: Distances) -> list[float]:
    """0 for the nearest, minus infinity for all others."""
    least = min(distances)
    return [0.0 if d == least else -inf for d in distances]


def _log_mean(logs: Sequence[float]) -> float:
    """Return the logarithm of the mean of e^x.

    No x is above 0, and one is 0.
    """
    c = len(logs)
    mean = sum(map(exp, logs)) / c
    # Near 1 the mean has lost the digits that the logarithm consists of.
    return log(mean) if mean < 0.5 else log1p(sum(map(expm1, logs)) / c)
