"""Releases and originals in a store, DuckDB or Spark.

The counts and sums that the checks need are computed there.
"""
