"""Algorithms that sort records by a number."""
