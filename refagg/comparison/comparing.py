"""`refagg.compare`: several algorithms on one table of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, SupportsIndex

from refagg.catalogue import algorithm_of
from refagg.comparison.compare import ComparisonRow, Results, Setting, check_ks, contenders_of
from refagg.comparison.compare import compare as run_all
from refagg.comparison.own import Heuristic, own_contenders
from refagg.comparison.references import Reference, references_of, shipped_references
from refagg.data.standardise import checked_weights, usual_scale, weights_by_name
from refagg.data.standardise import standardise as on_scale
from refagg.data.tables import table_of
from refagg.errors import InvalidParameter
from refagg.language.partition import check_k
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own, measure_for, one_measure


def compare(
    rows: Any,
    k: SupportsIndex | Sequence[SupportsIndex] = 3,
    *,
    algorithms: Sequence[str | Callable[..., Any]] | None = None,
    quasi_identifiers: Sequence[str] | None = None,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Any] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
    aggregates: Mapping[str, str] | None = None,
    arithmetic: Literal["any", "exact", "float"] = "any",
    seed: int = 1,
    references: Sequence[str | Path | Reference] = (),
    report: Callable[[ComparisonRow], None] = lambda row: None,
    heuristics: Mapping[str, Heuristic] | Sequence[Heuristic] = (),
    groups: Mapping[str, Groups] | None = None,
) -> Results:
    """Run several algorithms side by side, as `refagg compare` does.

    Parameters
    ----------
    rows : n records of p attributes
        Rows, a NumPy array, a pandas or polars frame, an Arrow table, or a mapping from names to
        columns.
    k : the least size of a group, or several
    algorithms : functions as `refagg.mdav`, or names, with parameters as "v-mdav:gamma=1/5";
        without them, the whole catalogue
    quasi_identifiers : the attributes that count (all)
    standardise : the scale of distances and losses, as of `refagg.measure`
    kinds, weights, dissimilarity, similarity : as of `refagg.microaggregate`; `aggregates` are
        the operators of kinds, as {"ordinal": "median"}
    arithmetic : "any" is floats where an algorithm can be run in them
    seed : for algorithms that draw
    references : files with the optimum or a bound, as `oracle optimum --json` writes them, or
        what was read from them; those that ship with the project are known for their tables
    report : is told of each row when it is there
    heuristics : functions of your own, or such functions by name
        Each is called with the rows as lists of floats on the scale of `standardise`, and k, and
        returns groups of record numbers from 0, or a label for each record.
    groups : groups of your own, by name, as `refagg.evaluate` takes them

    Returns
    -------
    Results : `rows`, each with a `contender`, a `k`, a `status` ("done", "skipped", "failed") and
        `figures` (`sse`, `groups`, `seconds`, `partition`); `sst`; `loss(sse)` and `above(row)`

    Raises
    ------
    RefaggError: InvalidK, KTooLarge, UnknownAlgorithm, UnknownParameter, InvalidParameter,
    InvalidReference, FileUnreadable, and what reading the rows raises.

    >>> made = compare([[1], [2], [9], [8]], 2, algorithms=["mdav", "md"], standardise="none")
    >>> [(row.contender.label, str(row.figures.sse)) for row in made.rows if row.figures]
    [('mdav', '1'), ('md', '1')]
    >>> mine = compare([[1], [2], [9], [8]], 2, algorithms=["mdav"], groups={"mine": [0, 1, 0, 1]})
    >>> [str(row.figures.sse / mine.sst) for row in mine.rows if row.figures]
    ['1/50', '1']
    """
    labels = None if algorithms is None else ",".join(map(_label, algorithms))
    contenders = contenders_of(labels)
    measure, named = one_measure(dissimilarity, similarity), weights_by_name(weights)
    if kinds is None and (named or aggregates or measure not in (None, "oss")):
        raise InvalidParameter("weights and dissimilarities need declared kinds")
    table = table_of(rows, quasi_identifiers, kinds=kinds)
    ks = [check_k(one, table.n) for one in (k if isinstance(k, Sequence) else [k])]
    check_ks(ks, table.n)
    how, by = standardise or usual_scale(table), measure_for(table, measure)
    scaled = on_scale(table, how, weights=named)
    exact = checked_weights(table, named)
    stated = {name: exact[name] for name in named}
    named_heuristics = (
        heuristics
        if isinstance(heuristics, Mapping)
        else {getattr(one, "__name__", repr(one)): one for one in heuristics}
    )
    contenders += own_contenders(scaled, named_heuristics, groups or {})
    setting = Setting(how, arithmetic, seed, by, stated, dict(aggregates or {}))
    known = [reference for reference in references if isinstance(reference, Reference)]
    paths = [Path(path) for path in references if not isinstance(path, Reference)]
    known += references_of(paths, scaled, ks, stated, by)
    known += shipped_references(scaled, set(ks) - {reference.k for reference in known})
    return run_all(table, contenders, ks, setting, known, report)


def _label(algorithm: str | Callable[..., Any]) -> str:
    return algorithm if isinstance(algorithm, str) else algorithm_of(algorithm).name
