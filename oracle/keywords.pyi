"""Generated from the options of functions by `python -m tests.stubs`."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Literal, TypedDict

from oracle.functions.arguments import Algorithm
from oracle.optima.clock import Report
from refagg.constraints.equations import Constraint
from refagg.language.partition import Partition
from refagg.options.fields import Rational
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own

class AuditOptions(TypedDict, total=False):
    parameters: Mapping[str, Any] | None
    standardise: Literal["population", "sample", "none", "range"] | None
    series: Literal["euclidean", "sts"] | None
    times: Sequence[Rational] | None
    significant_digits: int | None
    seed: int | None
    dissimilarity: str | Measure | Own | Dissimilarity | None
    similarity: Measure | None
    weights: Mapping[str, Rational] | None
    aggregate: str
    trim: Rational | None
    aggregates: Mapping[str, str] | None
    sampling_weights: Sequence[Any] | None
    constraints: Sequence[Constraint | str]
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    blocks: Sequence[Sequence[str]] | None
    strata: Sequence[Hashable] | None
    key: str | None
    may_change: Sequence[str] | None
    partition: Groups | None
    anonymity: Literal["joint", "each-block", "on-average", "none"]
    tolerance: Rational | None
    optimum: bool
    certificate: str | Path | None
    centres: Any
    max_replays: int
    time_limit: float
    all_risks: bool
    sets: int | Sequence[Sequence[str]] | None
    confidential: Mapping[str, Sequence[Hashable]] | Sequence[str] | None
    l_diversity: str | Sequence[str]
    t_closeness: str | Sequence[str]
    progress: bool

class AloneOptions(TypedDict, total=False):
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    missing: Literal["own-category", "matches-anything", "suppressed", "reject"]
    sets: int | Sequence[Sequence[str]] | None
    confidential: Mapping[str, Sequence[Hashable]] | Sequence[str] | None
    l_diversity: str | Sequence[str]
    t_closeness: str | Sequence[str]
    progress: bool

class ConformOptions(TypedDict, total=False):
    tolerance: Rational | None
    vectors: str | Path | None
    cases: Sequence[str] | None
    flags: Collection[str]
    standardise: Literal["population", "sample", "none", "range"] | None
    frames: Literal["pandas", "polars"] | None
    csv: bool
    restart_per_case: bool
    answer_timeout: float
    precision: Literal["binary64", "binary32"]
    without: Collection[Literal["small", "constant", "one-attribute", "several-attributes", "kinds", "sequences", "series", "constraints", "strata", "blocks", "sampling_weights", "gower", "invalid", "beyond-binary32", "seeds"]]
    parameters: Mapping[str, Any] | None
    nondeterministic: bool
    known_failures: str | Path | None
    progress: bool

class HuntOptions(TypedDict, total=False):
    standardise: Literal["population", "sample", "none", "range"]
    k: int | tuple[int, int]
    attributes: int | None
    max_records: int
    max_questions: int
    time_limit: float
    seed: int
    algorithm_seed: int | None
    shape: Literal["", "strata", "series", "blocks", "constraints", "sampling_weights", "kinds", "gower", "sequences"]
    all_failures: bool
    frames: Literal["pandas", "polars"] | None
    csv: bool
    restart_per_case: bool
    answer_timeout: float
    precision: Literal["binary64", "binary32"]
    without: Collection[Literal["small", "constant", "one-attribute", "several-attributes", "kinds", "sequences", "series", "constraints", "strata", "blocks", "sampling_weights", "gower", "invalid", "beyond-binary32", "seeds"]]
    parameters: Mapping[str, Any] | None
    nondeterministic: bool
    known_failures: str | Path | None
    progress: bool

class IdentifyOptions(TypedDict, total=False):
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    missing: Literal["reject", "drop", "group-apart"]
    strata: Sequence[Hashable] | None
    partition: Groups | None
    tolerance: Rational | None
    algorithm: Algorithm | Sequence[Algorithm]
    parameters: Mapping[str, Sequence[Any]] | None
    standardise: str | Sequence[str] | None
    seed: int | None
    max_replays: int
    time_limit: float
    progress: bool

class OptimumOptions(TypedDict, total=False):
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    standardise: Literal["population", "sample", "none", "range"] | None
    weights: Mapping[str, Rational] | None
    dissimilarity: str | Measure | Own | Dissimilarity | None
    similarity: Measure | None
    objective: Literal["sse", "absolute"]
    cost: Callable[[Any], Any] | None
    method: Literal["auto", "exhaustive", "subsets", "ilp", "columns", "semidefinite", "univariate"]
    largest: int | None
    together: Iterable[tuple[int, int]]
    apart: Iterable[tuple[int, int]]
    time_limit: float | None
    solver: Literal["cbc", "highs"] | None
    executor: Executor | None
    report: Report | None
    state: str | Path | None
    start: Partition | None
    progress: bool

class SearchOptions(TypedDict, total=False):
    objective: str
    cost: Callable[[Any], Any] | None
    largest: int | None
    together: Iterable[tuple[int, int]]
    apart: Iterable[tuple[int, int]]
    time_limit: float | None
    solver: str | None
    executor: Executor | None
    report: Report | None
    state: str | Path | None
    start: Partition | None

class StoredOptions(TypedDict, total=False):
    standardise: str | None
    anonymity: str
    tolerance: Rational | None
    all_risks: bool
