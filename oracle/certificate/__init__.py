"""Proofs of optima, and a small program that checks them.

Nothing here knows a solver or the code that made a proof. The format is described in
docs/certificate.md.
"""


class Rejected(Exception):
    """The certificate does not prove its claim; the message says why."""


def demand(condition: object, reason: str) -> None:
    """Raise Rejected unless a condition holds."""
    if not condition:
        raise Rejected(reason)
