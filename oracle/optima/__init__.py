"""The exact optimum, with proofs."""

from oracle.optima.solving import METHODS, Optimum, solve

__all__ = ["METHODS", "Optimum", "solve"]
