"""Changed lines of Gaussian noise: of its deviates, standard deviations and correlations."""

from __future__ import annotations

from .mutant import Mutant

CORRELATED = (("kind", "correlated"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("the circle has half its radius", "gaussian-noise", "if 0 < s < 1:", "if 0 < s < 0.25:"),
    Mutant("ln is not taken twice", "gaussian-noise", "sqrt(-2 * float(", "sqrt(-1 * float("),
    Mutant("the second deviate of a pair is lost", "gaussian-noise", "yield v * length", "pass"),
    Mutant(
        "both deviates of a pair are equal",
        "gaussian-noise",
        "yield v * length",
        "yield u * length",
    ),
    Mutant(
        "deviates are from 0 to 1",
        "gaussian-noise",
        "2 * stream.uniform() - 1, 2 * stream.uniform() - 1",
        "stream.uniform(), stream.uniform()",
    ),
    Mutant(
        "the amount is a share of the deviation", "gaussian-noise", "sqrt(amount)", "float(amount)"
    ),
    Mutant(
        "the standard deviation has the divisor n-1",
        "gaussian-noise",
        "deviations, deviations)) / len(column))",
        "deviations, deviations)) / max(1, len(column) - 1))",
    ),
    Mutant(
        "a constant attribute gets noise",
        "gaussian-noise",
        "return [0.0] * len(column), 0.0",
        "return [0.0] * len(column), 1.0",
    ),
    Mutant(
        "correlations are ignored",
        "gaussian-noise",
        'if kind == "correlated" else None',
        "if not kind else None",
        parameters=CORRELATED,
    ),
    Mutant(
        "all of an attribute's noise is its own and that of others besides",
        "gaussian-noise",
        "own = row[i] - fsum(map(mul, new, new))",
        "own = row[i]",
        parameters=CORRELATED,
    ),
    Mutant(
        "the factor forgets what attributes before have explained",
        "gaussian-noise",
        "(row[j] - fsum(map(mul, new[:j], other)))",
        "row[j]",
        parameters=CORRELATED,
    ),
)
