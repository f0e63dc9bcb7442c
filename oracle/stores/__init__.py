"""Releases and originals in a store, DuckDB or Spark: what the checks ask is counted there."""
