"""Microaggregation as a transformer of scikit-learn; the extra `frames` installs it.

>>> from refagg.sklearn import Microaggregation
>>> Microaggregation(k=2).fit_transform([[1.0], [3.0], [20.0], [30.0]]).tolist()
[[2.0], [2.0], [25.0], [25.0]]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from sys import maxsize
from typing import Any

from refagg.data.tables import table_of
from refagg.errors import InvalidParameter, needed
from refagg.language.partition import check_k
from refagg.release.masking import Algorithm, microaggregate
from refagg.release.nearest import nearest_rows
from refagg.release.result import Release

with needed("pip install '.[frames]' in the checkout"):
    import numpy as np
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data


class Microaggregation(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Microaggregation of numeric columns.

    `fit_transform` gives the release: each record with the aggregate of its group. `transform`
    gives each record the aggregate of the nearest group, the first of equally near ones; the
    result is k-anonymous only for the records that were fitted. `labels_` are the groups of these
    records, `cluster_centers_` the values released for each group, and `release_` is the
    `refagg.Release`, which holds the records: publish neither it nor the estimator.

    Parameters
    ----------
    k : minimum group size
    algorithm : a name of the catalogue, or a function such as `refagg.mdav`; it must yield one
        partition
    parameters, standardise, ties, seed, arithmetic, aggregate, trim, constraints : as in
        `refagg.microaggregate`; names are those of the columns, x1, x2, ... if they have none

    Raises
    ------
    ValueError for arrays that scikit-learn refuses or that have fewer than k records;
    RefaggError as `refagg.microaggregate` does.
    """

    def __init__(
        self,
        k: int = 3,
        algorithm: Algorithm = "mdav",
        *,
        parameters: Mapping[str, object] | None = None,
        standardise: object = None,
        ties: object = "lowest",
        seed: int | None = None,
        arithmetic: object = None,
        aggregate: str = "mean",
        trim: object = None,
        constraints: Sequence[object] = (),
    ) -> None:
        self.k = k
        self.algorithm = algorithm
        self.parameters = parameters
        self.standardise = standardise
        self.ties = ties
        self.seed = seed
        self.arithmetic = arithmetic
        self.aggregate = aggregate
        self.trim = trim
        self.constraints = constraints

    def fit(self, X: object, y: object = None) -> Microaggregation:  # noqa: N803
        """Form the groups of these records."""
        least = check_k(self.k, maxsize)
        rows = validate_data(self, X, dtype=np.float64, ensure_min_samples=least)
        release = microaggregate(self._columns(rows), **self.get_params(deep=False))
        if release.method.specification.yields != "partition" or len(release.blocks) > 1:
            name = release.method.specification.name
            raise InvalidParameter(f"{name} yields no partition of the records; choose another")
        self.release_: Release = release
        self.labels_ = np.array(release.partition.labels())
        firsts = [group[0] for group in release.partition.groups]
        made = release.released.take(firsts)
        self.cluster_centers_ = np.array([list(map(float, made.row(i))) for i in range(made.n)])
        return self

    def fit_transform(self, X: object, y: object = None) -> Any:  # noqa: N803
        """Form the groups, and return the values released for each record."""
        return self.fit(X, y).cluster_centers_[self.labels_]

    def transform(self, X: object) -> Any:  # noqa: N803
        """Return the values released for each record's nearest group."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        release = self.release_
        groups = release.released.take([group[0] for group in release.partition.groups])
        scaled = replace(release.method.scaled(release.original), table=groups)
        near = nearest_rows(scaled, table_of(self._columns(rows)))
        return self.cluster_centers_[[near.row.index(min(rows)) for rows in near.found]]

    def _columns(self, rows: Any) -> dict[str, list[float]]:
        """Return the columns of an array by their names."""
        own = getattr(self, "feature_names_in_", None)
        names = [f"x{j + 1}" for j in range(rows.shape[1])] if own is None else own
        return {str(name): rows[:, j].tolist() for j, name in enumerate(names)}
