"""What leaks and what is trivial, in any split."""

from hlgnn.audit.finding import AuditReport, Finding, TrivialScore, Verdict
from hlgnn.audit.run_checks import audit, audit_ogb, audit_pyg, audit_split
from hlgnn.audit.sources import from_ogb, from_pyg, from_split
from hlgnn.audit.subject import Part, Subject

__all__ = [
    "AuditReport",
    "Finding",
    "Part",
    "Subject",
    "TrivialScore",
    "Verdict",
    "audit",
    "audit_ogb",
    "audit_pyg",
    "audit_split",
    "from_ogb",
    "from_pyg",
    "from_split",
]
