"""The exact optimum, with proofs."""

from oracle.optima.problem import METHODS
from oracle.optima.solving import Optimum, solve

__all__ = ["METHODS", "Optimum", "solve"]
