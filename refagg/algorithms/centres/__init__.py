"""Algorithms that assign records to centres."""
