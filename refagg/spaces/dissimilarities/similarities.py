"""The named dissimilarities of sequences of events.

>>> dissimilarity("lcs")(("a", "b"), ("b",))
Fraction(1, 2)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from refagg.language.lists import check_one_of
from refagg.spaces.dissimilarities import NAMES
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.hamming import HAMMING
from refagg.spaces.dissimilarities.lcs import LCS
from refagg.spaces.dissimilarities.levenshtein import LEVENSHTEIN, NORMALISED_LEVENSHTEIN
from refagg.spaces.dissimilarities.oss import OSS

DISSIMILARITIES: Mapping[str, Dissimilarity] = MappingProxyType(
    dict(zip(NAMES, (OSS, HAMMING, LEVENSHTEIN, NORMALISED_LEVENSHTEIN, LCS), strict=True))
)
"""Every dissimilarity by its name."""


def dissimilarity(name: str | Dissimilarity) -> Dissimilarity:
    """Return the dissimilarity of this name, or the one given.

    Raises InvalidParameter.
    """
    if isinstance(name, Dissimilarity):
        return name
    check_one_of(name, DISSIMILARITIES, "the dissimilarity is")
    return DISSIMILARITIES[name]
