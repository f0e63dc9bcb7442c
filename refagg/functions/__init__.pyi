"""Generated from the catalogue by `python -m refagg.functions.stubs`."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, SupportsIndex

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.language.partition import Partition
from refagg.options.fields import Rational
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own

Rows = Any

FUNCTIONS: dict[str, Callable[..., Any]]

__all__ = [
    "blocks_in_file_order",
    "cbfs",
    "clustmcdpca",
    "clustpca",
    "clustpppca",
    "constrained_k_means",
    "dba_1",
    "dba_2",
    "dbfs",
    "fuzzy",
    "gaussian_noise",
    "genetic",
    "gsms",
    "gsms_t2",
    "hac",
    "hansen_mukherjee",
    "igd",
    "imhm",
    "individual_ranking",
    "influence",
    "insensitive",
    "iv_mdav",
    "k_means",
    "k_means_split",
    "k_means_spread",
    "k_member",
    "k_modes",
    "k_ward",
    "k_ward_univariate",
    "kd_blocks",
    "kshc",
    "local_search",
    "m_c",
    "m_d",
    "mcdpca",
    "md",
    "mdav",
    "mdav_1",
    "mdav_2",
    "mdav_2k",
    "mdav_argus",
    "mdav_single",
    "mhm",
    "mondrian",
    "mstp",
    "mu_approx",
    "oka",
    "ona",
    "one_step",
    "pppca",
    "projection",
    "random_seed",
    "rmd",
    "rmd_classical",
    "second_phase",
    "secure_k_ward",
    "t_closeness_first",
    "t_closeness_k_anonymity_first",
    "t_closeness_merging",
    "tfrp_1",
    "tfrp_2",
    "two_step",
    "v_mdav",
]

def blocks_in_file_order(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def cbfs(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def clustmcdpca(
    rows: Rows,
    k: SupportsIndex,
    *,
    clusters: SupportsIndex = 8,
    starts: SupportsIndex = 10,
    attribute: SupportsIndex = 0,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def clustpca(
    rows: Rows,
    k: SupportsIndex,
    *,
    clusters: SupportsIndex = 8,
    attribute: SupportsIndex = 0,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def clustpppca(
    rows: Rows,
    k: SupportsIndex,
    *,
    clusters: SupportsIndex = 8,
    attribute: SupportsIndex = 0,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def constrained_k_means(
    rows: Rows,
    k: SupportsIndex,
    *,
    sizes: Literal["free", "even"] = "free",
    rounds: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def dba_1(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def dba_2(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def dbfs(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def fuzzy(
    rows: Rows,
    k: SupportsIndex,
    *,
    kind: Literal["fcm", "efcm"] = "fcm",
    c: SupportsIndex = 0,
    m1: Rational = "3/2",
    m2: Rational = "3/2",
    lambda1: Rational = "1",
    lambda2: Rational = "1",
    limit: SupportsIndex = 100,
    guarantee: Literal["none", "redraw", "merge"] = "none",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> FuzzyGroups: ...

def gaussian_noise(
    rows: Rows,
    *,
    amount: Rational = "1/10",
    kind: Literal["independent", "correlated"] = "independent",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> list[tuple[Fraction, ...]]: ...

def genetic(
    rows: Rows,
    k: SupportsIndex,
    *,
    population: SupportsIndex = 10,
    mutation: Rational = "1/10",
    crossover: Rational = "1/2",
    iterations: SupportsIndex = 10000,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def gsms(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def gsms_t2(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def hac(
    rows: Rows,
    k: SupportsIndex,
    *,
    linkage: Literal["ward", "single", "complete", "average", "centroid", "energy"] = "ward",
    metric: Literal["euclidean", "squared", "manhattan", "maximum", "mahalanobis"] = "euclidean",
    cap: Literal["k", "2k-1"] = "k",
    priority: Literal["none", "size"] = "none",
    leftovers: Literal["mdav", "nearest", "free-capacity"] = "mdav",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def hansen_mukherjee(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def igd(
    rows: Rows,
    k: SupportsIndex,
    *,
    start: Literal["mdav", "md", "cbfs"] = "mdav",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def imhm(
    rows: Rows,
    k: SupportsIndex,
    *,
    path: Literal["mdav", "md", "cbfs", "mdav-single", "npn", "insertion", "2-opt"] = "mdav",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def individual_ranking(
    rows: Rows,
    k: SupportsIndex,
    *,
    order: Literal["ascending", "descending", "either"] = "ascending",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> dict[str, Partition]: ...

def influence(
    rows: Rows,
    k: SupportsIndex,
    *,
    clusters: SupportsIndex = 8,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def insensitive(
    rows: Rows,
    k: SupportsIndex,
    *,
    lower: Rational = "0",
    width: Rational = "1",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def iv_mdav(
    rows: Rows,
    k: SupportsIndex,
    *,
    gamma: Rational = "29/25",
    cap: Literal["2k-1", "none"] = "2k-1",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def k_means(
    rows: Rows,
    k: SupportsIndex,
    *,
    repair: Literal["yes", "none"] = "yes",
    rounds: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def k_means_split(
    rows: Rows,
    k: SupportsIndex,
    *,
    rounds: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def k_means_spread(
    rows: Rows,
    k: SupportsIndex,
    *,
    repair: Literal["yes", "none"] = "yes",
    rounds: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def k_member(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def k_modes(
    rows: Rows,
    k: SupportsIndex,
    *,
    rounds: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def k_ward(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def k_ward_univariate(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def kd_blocks(
    rows: Rows,
    k: SupportsIndex,
    *,
    within: Literal["mdav", "cbfs"] = "mdav",
    least: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def kshc(
    rows: Rows,
    k: SupportsIndex,
    *,
    linkage: Literal["single", "complete", "average"] = "single",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def local_search(
    rows: Rows,
    k: SupportsIndex,
    *,
    start: Literal["mdav-single", "mdav"] = "mdav-single",
    rounds: SupportsIndex = 30,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def m_c(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def m_d(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mcdpca(
    rows: Rows,
    k: SupportsIndex,
    *,
    starts: SupportsIndex = 10,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def md(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mdav(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mdav_1(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mdav_2(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def mdav_2k(
    rows: Rows,
    k: SupportsIndex,
    *,
    leftovers: Literal["block", "nearest-centroid", "nearest-record", "last-group"] = "block",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mdav_argus(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mdav_single(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mhm(
    rows: Rows,
    k: SupportsIndex,
    *,
    path: Literal["mdav", "md", "cbfs", "mdav-single", "npn", "insertion", "2-opt"] = "mdav",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mondrian(
    rows: Rows,
    k: SupportsIndex,
    *,
    cut: Literal["strict", "relaxed"] = "strict",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def mstp(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def mu_approx(
    rows: Rows,
    k: SupportsIndex,
    *,
    order: Literal["any", "shortest"] = "any",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def oka(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def ona(
    rows: Rows,
    k: SupportsIndex,
    *,
    rounds: SupportsIndex = 100,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def one_step(
    rows: Rows,
    k: SupportsIndex,
    *,
    heuristic: Literal["mdav-2k", "mdav", "mdav-single"] = "mdav-2k",
    macrogroup: SupportsIndex = 6,
    population: SupportsIndex = 10,
    mutation: Rational = "1/10",
    crossover: Rational = "1/2",
    iterations: SupportsIndex = 10000,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def pppca(
    rows: Rows,
    k: SupportsIndex,
    *,
    order: Literal["ascending", "descending", "either"] = "ascending",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def projection(
    rows: Rows,
    k: SupportsIndex,
    *,
    by: Literal["first-component", "sum-of-z-scores", "attribute"] = "first-component",
    attribute: SupportsIndex = 0,
    order: Literal["either", "ascending", "descending"] = "either",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def random_seed(
    rows: Rows,
    k: SupportsIndex,
    *,
    size: Literal["fixed", "random", "minimum", "mean", "min-max"] = "fixed",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def rmd(
    rows: Rows,
    k: SupportsIndex,
    *,
    starts: SupportsIndex = 10,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
) -> Partition: ...

def rmd_classical(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def second_phase(
    rows: Rows,
    k: SupportsIndex,
    *,
    start: Literal["mdav", "md", "cbfs"] = "mdav",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def secure_k_ward(
    rows: Rows,
    k: SupportsIndex,
    *,
    eps: Rational = "1/10",
    rho: Rational = "1/2",
    tolerance: Literal["relative", "absolute"] = "relative",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def t_closeness_first(
    rows: Rows,
    k: SupportsIndex,
    *,
    confidential: SupportsIndex = 0,
    t: Rational = "1/4",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def t_closeness_k_anonymity_first(
    rows: Rows,
    k: SupportsIndex,
    *,
    confidential: SupportsIndex = 0,
    t: Rational = "1/4",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def t_closeness_merging(
    rows: Rows,
    k: SupportsIndex,
    *,
    start: Literal["mdav", "md", "cbfs"] = "mdav",
    confidential: SupportsIndex = 0,
    t: Rational = "1/4",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def tfrp_1(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def tfrp_2(
    rows: Rows,
    k: SupportsIndex,
    *,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
) -> Partition: ...

def two_step(
    rows: Rows,
    k: SupportsIndex,
    *,
    heuristic: Literal["mdav-2k", "mdav", "mdav-single"] = "mdav-2k",
    macrogroup: SupportsIndex = 6,
    population: SupportsIndex = 10,
    mutation: Rational = "1/10",
    crossover: Rational = "1/2",
    iterations: SupportsIndex = 10000,
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...

def v_mdav(
    rows: Rows,
    k: SupportsIndex,
    *,
    gamma: Rational = "1/5",
    test: Literal["squared", "plain"] = "squared",
    cap: Literal["2k-1", "none"] = "2k-1",
    standardise: Literal["population", "sample", "none", "range"] | None = None,
    arithmetic: Literal["exact", "float"] | None = None,
    ties: Literal["lowest", "highest", "random"] = "lowest",
    seed: int | None = None,
    trace: bool = False,
    kinds: Mapping[str, str] | None = None,
    weights: Mapping[str, Rational] | None = None,
    dissimilarity: str | Measure | Own | Dissimilarity | None = None,
    similarity: Measure | None = None,
) -> Partition: ...
