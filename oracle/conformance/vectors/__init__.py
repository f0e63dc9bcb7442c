"""Vectors: cases for every algorithm, with the answers that are right and where these are from."""

from oracle.conformance.vectors.files import claims, vector_of, vectors_in, vectors_of
from oracle.conformance.vectors.vector import Expectation, Origin, Vector, meets, meets_blocks

__all__ = [
    "Expectation",
    "Origin",
    "Vector",
    "claims",
    "meets",
    "meets_blocks",
    "vector_of",
    "vectors_in",
    "vectors_of",
]
