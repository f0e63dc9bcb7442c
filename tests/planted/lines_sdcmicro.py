"""Changed lines of the groupings that sdcMicro has."""

from __future__ import annotations

from .mutant import Mutant

SCATTER = "refagg.engine.scatter"
SOME = (("starts", 3),)


def pursuit(mistake: str, line: str, changed: str) -> Mutant:
    """A mistake in the projection pursuit of PPPCA."""
    return Mutant(mistake, "pppca", line, changed, "pursuit")


TWO = (("clusters", 2),)
MEDOIDS = "refagg.algorithms.centres.medoids"


def in_a_row(algorithm: str) -> Mutant:
    """Clusters that are mixed instead of put in a row."""
    mistake = f"clusters are mixed, in {algorithm}"
    return Mutant(mistake, algorithm, "before += len(members)", "before += 0", parameters=TWO)


def all_count(algorithm: str, parameters: tuple[tuple[str, int], ...]) -> Mutant:
    """The direction of all records for that of half of them."""
    return Mutant(
        f"all records determine the direction, in {algorithm}",
        algorithm,
        "half = minimum_determinant(Cloud(S.space, records), S.choices.stream, starts).records",
        "half = range(len(records))",
        "robust",
        parameters,
    )


MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "s is the farthest from the average of what remains",
        "rmd-classical",
        'R.greatest("s", D)',
        'R.farthest("s", R.average())',
    ),
    Mutant("the last group has 2k records or more, in RMD", "rmd-classical", "(2 * k)", "(3 * k)"),
    Mutant("groups of k+1, in RMD", "rmd-classical", "D), k)", "D), k + 1)"),
    Mutant(
        "only the diagonal of the inverse covariance counts",
        "rmd-classical",
        "[sum(map(mul, line, y)) for line in form]",
        "[line[i] * y[i] for i, line in enumerate(form)]",
        SCATTER,
    ),
    Mutant(
        "the set of the greatest determinant is taken",
        "rmd",
        "cloud.less(found.determinant, best.determinant)",
        "cloud.less(best.determinant, found.determinant)",
        SCATTER,
        SOME,
    ),
    Mutant(
        "half of the records is n/2", "rmd", "(n + p + 1) // 2", "max(n // 2, 1)", SCATTER, SOME
    ),
    Mutant(
        "concentration has one step",
        "rmd",
        "found is None or",
        "found is None or step is None and",
        SCATTER,
        SOME,
    ),
    Mutant("p+2 records are drawn", "rmd", "p + 1)", "min(p + 2, n))", SCATTER, SOME),
    pursuit(
        "deviations are from the centre, not from the median",
        "map(abs, _from_the_median(values))",
        "map(abs, [2 * x for x in values])",
    ),
    pursuit(
        "directions keep their lengths",
        "values.append(deviation**2 / (",
        "values.append(deviation**2 * (",
    ),
    pursuit("the least spread is taken", "values.append(deviation", "values.append(-1 * deviation"),
    pursuit(
        "the centre is halfway between the least and the greatest",
        "middle = _twice_the_median(values)",
        "middle = min(values) + max(values)",
    ),
    pursuit("the sign is that of the record", "_pointing(weighted[chosen])", "weighted[chosen]"),
    all_count("mcdpca", SOME),
    Mutant(
        "the component of the least robust variance",
        "mcdpca",
        "pairs[0][0]",
        "pairs[-1][0]",
        "components",
        SOME,
    ),
    Mutant(
        "the rest is a group of its own, in MCDPCA",
        "mcdpca",
        "while len(S) >= 2 * k:",
        "while len(S) > k:",
        "order_steps",
        SOME,
    ),
    Mutant(
        "clusters are sorted by the attribute of the least value",
        "influence",
        "greatest(attributes)",
        "greatest(replace(attributes, values=[-v for v in values]))",
        parameters=TWO,
    ),
    Mutant(
        "medoids are not exchanged",
        "influence",
        "EQUAL.greatest_tied(min(sums)) >= total",
        "True",
        MEDOIDS,
        TWO,
    ),
    in_a_row("influence"),
    Mutant(
        "values in place of z-scores in clusters",
        "clustpca",
        "scores = z_scores(centred([S.space.rows[record] for record in cluster[1]]))",
        "scores = [*zip(*centred([S.space.rows[record] for record in cluster[1]]), strict=True)]",
        parameters=TWO,
    ),
    Mutant("sums of squared distances", "clustpca", "[sqrt(squared)", "[squared", MEDOIDS, TWO),
    in_a_row("clustpca"),
    Mutant(
        "directions keep their lengths in clusters",
        "clustpppca",
        "values.append(deviation**2 / (",
        "values.append(deviation**2 * (",
        "pursuit",
        TWO,
    ),
    Mutant(
        "the centre of a cluster is halfway between the least and the greatest",
        "clustpppca",
        "middle = _twice_the_median(values)",
        "middle = min(values) + max(values)",
        "pursuit",
        TWO,
    ),
    in_a_row("clustpppca"),
    all_count("clustmcdpca", TWO),
    Mutant(
        "the component of the least robust variance in clusters",
        "clustmcdpca",
        "pairs[0][0]",
        "pairs[-1][0]",
        "components",
        TWO,
    ),
    in_a_row("clustmcdpca"),
)
