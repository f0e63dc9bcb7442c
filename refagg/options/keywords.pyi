"""Generated from options by `python -m tests.stubs`."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from refagg.comparison.compare import ComparisonRow
from refagg.comparison.comparing import Heuristic
from refagg.comparison.references import Reference
from refagg.constraints.equations import Constraint
from refagg.options.fields import Rational
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own

class MethodOptions(TypedDict, total=False):
    parameters: Mapping[str, Any] | None
    standardise: str | None
    series: str | None
    times: Sequence[Rational] | None
    significant_digits: int | None
    arithmetic: str | None
    ties: str
    seed: int | None
    trace: bool
    dissimilarity: str | Measure | Own | Dissimilarity | None
    weights: Mapping[str, Rational] | None
    aggregate: str
    trim: Rational | None
    aggregates: Mapping[str, str] | None
    sampling_weights: Sequence[Any] | None
    constraints: Sequence[Constraint | str]

class MicroaggregateOptions(TypedDict, total=False):
    parameters: Mapping[str, Any] | None
    standardise: Literal["population", "sample", "none", "range"] | None
    series: Literal["euclidean", "sts"] | None
    times: Sequence[Rational] | None
    significant_digits: int | None
    arithmetic: Literal["exact", "float"] | None
    ties: Literal["lowest", "highest", "random"]
    seed: int | None
    trace: bool
    dissimilarity: str | Measure | Own | Dissimilarity | None
    similarity: Measure | None
    weights: Mapping[str, Rational] | None
    aggregate: str
    trim: Rational | None
    aggregates: Mapping[str, str] | None
    sampling_weights: Sequence[Any] | None
    constraints: Sequence[Constraint | str]
    quasi_identifiers: Sequence[str] | None
    drop: Sequence[str] | None
    kinds: Mapping[str, str] | None
    blocks: Sequence[Sequence[str]] | None
    strata: Sequence[Hashable] | None
    progress: bool

class MeasureOptions(TypedDict, total=False):
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    missing: Literal["reject", "drop", "group-apart"]
    standardise: Literal["population", "sample", "none", "range"] | None
    weights: Mapping[str, Rational] | None
    dissimilarity: str | Measure | Own | Dissimilarity | None
    similarity: Measure | None
    constraints: Sequence[Constraint | str]
    all_risks: bool
    measures: Sequence[str] | Literal["all"]
    progress: bool

class EvaluateOptions(TypedDict, total=False):
    standardise: Literal["population", "sample", "none", "range"] | None
    weights: Mapping[str, Rational] | None
    dissimilarity: str | Measure | Own | Dissimilarity | None
    similarity: Measure | None
    kinds: Mapping[str, str] | None
    progress: bool

class FuzzyOptions(TypedDict, total=False):
    trace: bool
    progress: bool

class CompareOptions(TypedDict, total=False):
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    standardise: Literal["population", "sample", "none", "range"] | None
    weights: Mapping[str, Rational] | None
    dissimilarity: str | Measure | Own | Dissimilarity | None
    similarity: Measure | None
    aggregates: Mapping[str, str] | None
    algorithms: Sequence[str | Callable[..., Any]] | None
    arithmetic: Literal["any", "exact", "float"]
    seed: int
    references: Sequence[str | Path | Reference]
    report: Callable[[ComparisonRow], None] | None
    heuristics: Mapping[str, Heuristic] | Sequence[Heuristic]
    groups: Mapping[str, Groups] | None
    progress: bool
