"""What a verdict says, for a reader. No check relies on anything here."""

from __future__ import annotations

from oracle.certificate.check import Proof, number
from oracle.certificate.reading import Certificate, Data
from oracle.certificate.table import shown


def lines(verdict: Proof) -> list[str]:
    """What was proved, of what, and what was looked at for that."""
    certificate, value = verdict.certificate, number(verdict.value)
    which, scale = _partitions(certificate), _scale(certificate.instance)
    seen = f"proof: {verdict.nodes} nodes, {verdict.groups} groups within their gaps"
    if verdict.optimal:
        return [f"accepted: SSE {value} is optimal: no partition {which} has less; {scale}", seen]
    claim = f"no partition {which} has an SSE below {number(verdict.bound)}"
    return [f"accepted: {claim}; {scale}", f"the partition has {value}", seen]


def _partitions(c: Certificate) -> str:
    """The partitions that a certificate is about."""
    sizes = f"{c.k}" if c.k == c.largest else f"{c.k} to {c.largest}"
    text = f"of the {c.instance.records} records into groups of {sizes} (k = {c.k})"
    pairs = [
        f"{', '.join(f'{a}-{b}' for a, b in named)} {name}"
        for name, named in (("together", c.together), ("apart", c.apart))
        if named
    ]
    return f"{text} with {' and '.join(pairs)}" if pairs else text


def _scale(data: Data) -> str:
    """The attributes, and what they are divided by."""
    divisor = {"population": "n", "sample": "n - 1"}.get(data.standardise)
    divided = f"each divided by its standard deviation (divisor {divisor})"
    names = ", ".join(map(shown, data.attributes))
    return f"attributes {names}, {divided if divisor else 'as they are'}"
