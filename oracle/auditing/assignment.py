"""Test whether records were assigned by draws from their membership distributions.

Three statistics of an assignment, each with its p-value:

  likelihood   T = sum over records of log u_k,a(k), whose mean and variance are known exactly.
               Two-sided: too high if records go to near centres too often, too low if they
               hardly look at the distance.
  sizes        S = sum over classes of (N_i - E N_i)^2 / Var N_i, from E N_i = sum of u_ki and
               Var N_i = sum of u_ki (1 - u_ki). Two-sided: sizes can also be too even.
  rarest       n times the least P_k, at most 1, where P_k is the probability that record k
               goes to a class that is no likelier than its own. Exact, and conservative.

The p-values of T and S are ranks among SIMULATIONS assignments that are drawn from the
distribution, with the random stream of a fixed seed: 2 min(above, below) / (SIMULATIONS + 1),
where the assignment that is judged counts on both sides. The level is shared equally by the three.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, fsum, inf, sqrt

from refagg.language.random_stream import RandomStream, seeded

LEVEL = 0.01
"""The probability with which a right release is rejected is at most about this."""

SIMULATIONS = 1199
"""So many that a third of the level is a p-value that two extreme ranks have: 4 / 1200."""

ALTERNATIVES = 99
"""Assignments drawn for each alternative, to measure the power."""

SEED = 1
NOISE = 1e-9
"""Statistics that differ relatively by less count as equal."""

Logs = Sequence[Sequence[float]]
Assignment = Sequence[int]


@dataclass(frozen=True, slots=True)
class AssignmentDistribution:
    """The distribution of assignments: for each record the logarithms of its probabilities."""

    logs: Logs
    probabilities: list[list[float]]
    cumulated: list[list[float]]
    expected: list[float]
    variances: list[float]

    @property
    def likelihood_moments(self) -> tuple[float, float]:
        """Return the exact mean and variance of T."""
        mean, variance = [], []
        for logs, chances in zip(self.logs, self.probabilities, strict=True):
            terms = [(u, x) for u, x in zip(chances, logs, strict=True) if u]
            own = fsum(u * x for u, x in terms)
            mean.append(own)
            variance.append(fsum(u * (x - own) ** 2 for u, x in terms))
        return fsum(mean), fsum(variance)

    def likelihood(self, assignment: Assignment) -> float:
        """Return the logarithm of the likelihood, T."""
        return fsum(logs[i] for logs, i in zip(self.logs, assignment, strict=True))

    def spread_of_sizes(self, assignment: Assignment) -> float:
        """Return the spread of the sizes of classes, S.

        Classes whose size is certain count only if they have another.
        """
        sizes = [0] * len(self.expected)
        for i in assignment:
            sizes[i] += 1
        return fsum(
            (size - e) ** 2 / max(v, NOISE)
            for size, e, v in zip(sizes, self.expected, self.variances, strict=True)
        )

    def draw(self, stream: RandomStream) -> list[int]:
        """Return an assignment."""
        return [bisect_right(sums, stream.uniform() * sums[-1]) for sums in self.cumulated]


def distribution_of_logs(logs: Logs) -> AssignmentDistribution:
    """Return the distribution with these logarithms of probabilities.

    The probabilities of each row add up to 1.
    """
    chances = [[exp(x) for x in row] for row in logs]
    columns = list(zip(*chances, strict=True))
    return AssignmentDistribution(
        logs,
        chances,
        [list(accumulate(row)) for row in chances],
        [fsum(column) for column in columns],
        [max(0.0, fsum(u * (1 - u) for u in column)) for column in columns],
    )


@dataclass(frozen=True, slots=True)
class Tested:
    """Statistics and p-values of an assignment, and its test's power."""

    likelihood: float
    mean: float
    deviation: float
    p_likelihood: float
    p_sizes: float
    p_rarest: float
    rarest: int
    power: dict[str, float]

    @property
    def z(self) -> float:
        """Return T less its mean, in standard deviations.

        It is 0 where T cannot vary.
        """
        return (self.likelihood - self.mean) / self.deviation if self.deviation else 0.0

    @property
    def p(self) -> float:
        """Return the p-value of the three together."""
        return min(1.0, 3 * min(self.p_likelihood, self.p_sizes, self.p_rarest))

    @property
    def rejected(self) -> bool:
        return self.p <= LEVEL * (1 + NOISE)


@dataclass(frozen=True, slots=True)
class Null:
    """Statistics under the null hypothesis, in ascending order.

    The hypothesis is that the distribution is true.
    """

    distribution: AssignmentDistribution
    likelihoods: list[float]
    spreads: list[float]

    def p_values(self, assignment: Assignment) -> tuple[float, float, float, int]:
        """Return p-values of an assignment, and its rarest record.

        The p-values are those of likelihood, sizes and rarest.
        """
        rarest, record = rarest_of(self.distribution, assignment)
        return (
            two_sided(self.distribution.likelihood(assignment), self.likelihoods),
            two_sided(self.distribution.spread_of_sizes(assignment), self.spreads),
            min(1.0, len(assignment) * rarest),
            record,
        )

    def rejects(self, assignment: Assignment) -> bool:
        if impossible(self.distribution, assignment):
            return True
        return 3 * min(self.p_values(assignment)[:3]) <= LEVEL * (1 + NOISE)


def impossible(distribution: AssignmentDistribution, assignment: Assignment) -> list[int]:
    """Return the records whose assignment has the probability 0."""
    return [k for k, i in enumerate(assignment) if distribution.logs[k][i] == -inf]


def tested(distribution: AssignmentDistribution, assignment: Assignment) -> Tested:
    """Return the test of an assignment that is possible."""
    stream = seeded(SEED)
    drawn = [distribution.draw(stream) for _ in range(SIMULATIONS)]
    null = Null(
        distribution,
        sorted(map(distribution.likelihood, drawn)),
        sorted(map(distribution.spread_of_sizes, drawn)),
    )
    mean, variance = distribution.likelihood_moments
    p_likelihood, p_sizes, p_rarest, record = null.p_values(assignment)
    return Tested(
        distribution.likelihood(assignment),
        mean,
        sqrt(variance),
        p_likelihood,
        p_sizes,
        p_rarest,
        record,
        power(null, stream),
    )


def power(null: Null, stream: RandomStream) -> dict[str, float]:
    """Return the power of the test against each alternative.

    It is the share of wrong assignments that is rejected, for each way of being wrong.
    """
    distribution = null.distribution
    nearest = [max(range(len(row)), key=row.__getitem__) for row in distribution.logs]
    c = len(distribution.expected)

    def uniform() -> list[int]:
        return [stream.randbelow(c) for _ in nearest]

    def one_in_ten(others: Assignment) -> list[int]:
        pairs = zip(distribution.draw(stream), others, strict=True)
        return [other if stream.randbelow(10) == 0 else own for own, other in pairs]

    return {
        "all to the nearest centre": float(null.rejects(nearest)),
        "all to any centre": _share(null, uniform),
        "one in ten to the nearest centre": _share(null, lambda: one_in_ten(nearest)),
        "one in ten to any centre": _share(null, lambda: one_in_ten(uniform())),
    }


def _share(null: Null, alternative: Callable[[], Assignment]) -> float:
    return sum(null.rejects(alternative()) for _ in range(ALTERNATIVES)) / ALTERNATIVES


def two_sided(value: float, simulated: Sequence[float]) -> float:
    """Return the two-sided p-value of a statistic among simulated ones.

    The simulated ones are in ascending order.
    """
    near = NOISE * max(abs(value), 1.0)
    below = bisect_right(simulated, value + near)
    above = len(simulated) - bisect_left(simulated, value - near)
    return min(1.0, 2 * (min(below, above) + 1) / (len(simulated) + 1))


def rarest_of(distribution: AssignmentDistribution, assignment: Assignment) -> tuple[float, int]:
    """Return the least P_k, and its record."""
    found = (2.0, 0)
    for k, (chances, i) in enumerate(zip(distribution.probabilities, assignment, strict=True)):
        own = chances[i] * (1 + NOISE)
        found = min(found, (fsum(u for u in chances if u <= own), k))
    return found
