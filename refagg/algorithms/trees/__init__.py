"""Algorithms that cut paths and trees into groups."""
