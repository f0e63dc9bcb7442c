"""Gaussian noise: a normal deviate is added to every value.

Nothing is k-anonymous.

Source: masking by additive noise, which "Analisis de conglomerados: un caso practico aplicado a
la proteccion de datos", UOC 2016, section 1.1, names along with microaggregation. Recollected:
independent noise, and noise with the correlations of the attributes (J. Kim, "A method for limiting
disclosure in microdata based on random noise and transformation", 1986).

Steps:
  1. The standard deviations of the attributes (divisor n) and their correlations are computed.
  2. For each record one standard normal deviate for each attribute is drawn, by the polar
     method: of two numbers u, v from -1 to 1 with 0 < s = u^2 + v^2 < 1, others being drawn
     again, u and v times root(-2 ln s / s) are two deviates.
  3. `correlated`: they are multiplied by the Cholesky factor of the correlations, so that the noise
     has them too. An attribute that depends linearly on those before it gets no independent noise.
  4. The deviates are multiplied by the root of `amount` times the standard deviation.

So the covariance matrix of the noise is `amount` times that of the data, or its diagonal.
A constant attribute is released as it is.

Results repeat on every platform: roots are rounded correctly by IEEE 754, ln by `decimal`.

>>> import refagg
>>> from fractions import Fraction
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.float_space([[0, 5], [2, 5]], "population")

The standard deviations are 1 and 0. u = 1/2 and v = 0 have s = 1/4 and -2 ln s / s = 8 ln 4, so
that the first record gets half the root of that, times the root of 1/10; the second gets 0.

>>> half, three_quarters = 1 << 52, 3 << 51
>>> stream = scripted([three_quarters, half, half, three_quarters])
>>> run = refagg.specification("gaussian-noise").run
>>> rows = run(space, 1, Choices(stream=stream), Fraction(1, 10), "independent")
>>> [[round(x, 6) for x in row] for row in rows]
[[0.526554, 0.0], [0.0, 0.0]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import islice
from math import fsum, ldexp, sqrt
from operator import mul

from refagg.errors import BeyondFloats
from refagg.language.choices import Choices
from refagg.language.event import DEVIATES
from refagg.language.random_stream import RandomStream
from refagg.language.space import Coordinates
from refagg.language.specification import Specification, choice, proportion

DEPENDENT = 2.0**-40
"""An attribute of which no greater share of the variance is its own depends on those before it."""

_PRECISE = Context(prec=30, rounding=ROUND_HALF_EVEN)

MOST_EXPONENT = 1000
"""Standard deviations can be from 2^-1000 to 2^1000 or so."""

Column = Sequence[float]


def gaussian_noise(
    space: Coordinates, k: int, choices: Choices, amount: Fraction, kind: str
) -> list[list[float]]:
    """A row of deviations for each record."""
    # 1.
    columns = [unit(column) for column in zip(*space.rows, strict=True)]
    spreads = [
        _spread(number, spread, weight)
        for number, ((_, spread), weight) in enumerate(zip(columns, space.weights, strict=True), 1)
    ]
    # 3. Without correlations, each deviate is taken as it is.
    scores = [column for column, _ in columns]
    factor = cholesky(correlations(scores)) if kind == "correlated" else None
    # 2.
    deviates = normal_deviates(choices.stream)
    rows = []
    for record in range(space.n):
        drawn = list(islice(deviates, len(columns)))
        mixed = drawn if factor is None else [fsum(map(mul, row, drawn)) for row in factor]
        # 4.
        share = sqrt(amount)
        rows.append([spread * share * x for spread, x in zip(spreads, mixed, strict=True)])
        choices.step(DEVIATES, (record, *rows[-1]))
    return rows


def unit(column: Column) -> tuple[list[float], float]:
    """Return the standard scores of a column, and its standard deviation.

    The scores are zeros where the column is constant.
    """
    size = max(map(abs, column))
    if min(column) == max(column):
        return [0.0] * len(column), 0.0
    scaled = [x / size for x in column]
    mean = fsum(scaled) / len(column)
    deviations = [x - mean for x in scaled]
    spread = sqrt(fsum(map(mul, deviations, deviations)) / len(column))
    return [x / spread for x in deviations], size * spread


def _spread(number: int, spread: float, weight: Fraction) -> float:
    """Return an attribute's standard deviation on the scale of the data.

    Raises BeyondFloats.
    """
    if not spread:
        return 0.0
    square = Fraction(spread) ** 2 / weight
    exponent = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    if abs(exponent) > MOST_EXPONENT:
        raise BeyondFloats(
            f"the standard deviation of attribute {number} is about 2^{exponent}; noise is "
            f"computed in binary64, where it can be from 2^-{MOST_EXPONENT} to "
            f"2^{MOST_EXPONENT}; measure the attribute in another unit"
        )
    return spread / float_root(weight)


def float_root(square: Fraction) -> float:
    """Return the square root of a positive number of any size.

    The number may be outside the range of binary64.
    """
    half = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return ldexp(sqrt(square / Fraction(4) ** half), half)


def correlations(scores: Sequence[Column]) -> list[list[float]]:
    """The averages of the products of standard scores."""
    return [[fsum(map(mul, a, b)) / len(a) for b in scores] for a in scores]


def cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the lower triangular L with L L^T = the correlation matrix.

    The matrix may be semi-definite.
    """
    factor: list[list[float]] = []
    for i, row in enumerate(matrix):
        new = [0.0] * len(matrix)
        for j, other in enumerate(factor):
            if other[j]:
                new[j] = (row[j] - fsum(map(mul, new[:j], other))) / other[j]
        own = row[i] - fsum(map(mul, new, new))
        new[i] = sqrt(own) if own > DEPENDENT else 0.0
        factor.append(new)
    return factor


def normal_deviates(stream: RandomStream) -> Iterator[float]:
    """Independent standard normal deviates, without end."""
    while True:
        u, v = 2 * stream.uniform() - 1, 2 * stream.uniform() - 1
        s = u * u + v * v
        if 0 < s < 1:
            length = sqrt(-2 * float(_PRECISE.ln(Decimal(s))) / s)
            yield u * length
            yield v * length


SPECIFICATION = Specification(
    name="gaussian-noise",
    title="Gaussian noise (nothing is k-anonymous)",
    source="UOC 2016, Analisis de conglomerados, section 1.1; correlated: Kim 1986",
    run=gaussian_noise,
    largest_group=lambda k, **settings: None,
    smallest_group=lambda k, **settings: 1,
    guarantees="no k-anonymity: there are no groups; "
    "the noise has the mean 0 and `amount` times the variances of the data",
    ties=(),
    decisions=(43, 44),
    cost="O(n) deviates for each attribute; O(n) products for each pair of them if correlated",
    parameters=(
        proportion(
            "amount", Fraction(1, 10), "the variance of the noise, as a share of the data's"
        ),
        choice("kind", ("independent", "correlated"), "whether the noise of two attributes is"),
    ),
    needs="Coordinates",
    arithmetic=("float",),
    yields="deviations",
    random=True,
)
