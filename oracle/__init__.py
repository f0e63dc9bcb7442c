"""Judge of microaggregated files and of implementations.

It answers two questions: is a claim about a file true, and could this algorithm have made it?

>>> import oracle
>>> oracle.audit([[1], [2], [8], [9]], [[1.5], [1.5], [8.5], [8.5]], k=2, algorithm="mdav").ok
True

Nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle.auditing.audit_files import read_audit
    from oracle.certificate.kernel import Rejected
    from oracle.functions.audits import Audit, audit, audit_release
    from oracle.functions.identification import Identification, identify
    from oracle.functions.implementations import Conformance, conform, hunt, vectors
    from oracle.functions.optima import optimum, verify

__all__ = [
    "Audit",
    "Conformance",
    "Identification",
    "Rejected",
    "audit",
    "audit_release",
    "conform",
    "hunt",
    "identify",
    "optimum",
    "read_audit",
    "vectors",
    "verify",
]

_NAMES = {
    "oracle.auditing.audit_files": ("read_audit",),
    "oracle.certificate.kernel": ("Rejected",),
    "oracle.functions.audits": ("Audit", "audit", "audit_release"),
    "oracle.functions.identification": ("Identification", "identify"),
    "oracle.functions.implementations": ("Conformance", "conform", "hunt", "vectors"),
    "oracle.functions.optima": ("optimum", "verify"),
}
"""The public names by their modules."""


if not TYPE_CHECKING:  # for type checkers there are only the names imported above

    def __getattr__(name: str) -> object:
        """Return a public name."""
        for module, names in _NAMES.items():
            if name in names:
                globals()[name] = getattr(import_module(module), name)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
