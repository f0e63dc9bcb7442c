"""Proofs of optima, and three programs that check them.

The kernel is in Python, checker.js its twin, and the one in `proved` is extracted from Coq. The
format is described in docs/certificate.md.
"""
