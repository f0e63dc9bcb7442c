"""Proofs of optima, and a small program that checks them.

Nothing here knows a solver or the code that made a proof. The format is described in
docs/certificate.md.
"""
