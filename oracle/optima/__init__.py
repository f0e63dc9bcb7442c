"""The exact optimum, with proofs."""

from oracle.optima.solving import METHODS, Optimum, optimum

__all__ = ["METHODS", "Optimum", "optimum"]
