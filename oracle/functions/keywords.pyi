"""Generated from the options of functions by `python -m oracle.functions.stubs`."""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from refagg.constraints import Constraint
from refagg.options.fields import Rational
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own

class AuditOptions(TypedDict, total=False):
    parameters: Mapping[str, Any] | None
    standardise: Literal["population", "sample", "none", "range"] | None
    significant_digits: int | None
    seed: int | None
    series: Literal["euclidean", "sts"] | None
    times: Sequence[Rational] | None
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
    confidential: Mapping[str, Sequence[Hashable]] | None
    l_diversity: str | Sequence[str]
    t_closeness: str | Sequence[str]

class AloneOptions(TypedDict, total=False):
    quasi_identifiers: Sequence[str] | None
    kinds: Mapping[str, str] | None
    missing: Literal["own-category", "matches-anything", "suppressed", "reject"]
    sets: int | Sequence[Sequence[str]] | None
    confidential: Mapping[str, Sequence[Hashable]] | None
    l_diversity: str | Sequence[str]
    t_closeness: str | Sequence[str]

class StoredOptions(TypedDict, total=False):
    standardise: str | None
    anonymity: str
    tolerance: Rational | None
    all_risks: bool
