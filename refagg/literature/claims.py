"""A printed number, and the computation that it is said to come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """One printed number.

    `readings` are the parameters that the source allows; where it allows several, the first
    that gives the printed number counts, or else the first. `doubt` says, in advance, why
    the number may not be reached; it explains a difference and does not make one.
    """

    source: str
    place: str
    printed: str
    dataset: str
    algorithm: str
    k: int
    readings: tuple[Mapping[str, str], ...] = ({},)
    measure: str = "SSE"
    standardise: str = "population"
    significant_digits: int | None = None
    doubt: str = ""
    reproducible: bool = True
    """False where no reading is known to give the number."""


SOURCES = {
    "RB": "G. S. Rawat, B. Borah, An improved variable-sized microaggregation algorithm (IV-MDAV)",
    "ALA18": "J. Alarte Aleixandre, Application of clustering techniques to privacy protection, "
    "master thesis, Universitat Oberta de Catalunya 2018",
    "SMB06": "A. Solanas, A. Martinez-Balleste, V-MDAV: a multivariate microaggregation with "
    "variable group size, COMPSTAT 2006",
    "MBS+": "A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, A genetic "
    "approach to multivariate microaggregation for database privacy",
}
