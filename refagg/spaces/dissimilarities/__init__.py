"""Sequences of events: how dissimilar two are, and what represents several."""

NAMES = ("oss", "hamming", "levenshtein", "normalised-levenshtein", "lcs")
"""The named dissimilarities, each in a file of its own."""
