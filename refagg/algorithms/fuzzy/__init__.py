"""Fuzzy c-means, with and without linear constraints, and microaggregation by it."""
