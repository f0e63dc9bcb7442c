"""The exact optimum, with proofs."""

from oracle.optimum.optimum import METHODS, Optimum, optimum

__all__ = ["METHODS", "Optimum", "optimum"]
