"""Adapters between the conformance suite and implementations of others.

Python functions for packages from PyPI, and whole programs in other languages to be copied.
Nothing here is imported by the rest of the project.
"""
