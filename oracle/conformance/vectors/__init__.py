"""Vectors: cases for every algorithm, with correct answers and their origins."""

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
