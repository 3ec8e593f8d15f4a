"""What an audit says: one verdict for each check."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """How bad it is."""

    CLEAN = "clean"
    NOTICE = "notice"
    LEAK = "leak"


@dataclass(frozen=True)
class Finding:
    """The outcome of one check.

    Attributes:
        check: What was checked, in a few words.
        verdict: ``clean``; ``notice`` for what a reader of the numbers should know; ``leak`` for what makes them wrong.
        message: What was found, as a sentence.
        count: How many links or pairs are concerned.
        examples: The first few of them, by the ids of their nodes.
    """

    check: str
    verdict: Verdict
    message: str
    count: int = 0
    examples: tuple[tuple[str | int, str | int], ...] = ()


@dataclass(frozen=True)
class TrivialScore:
    """What a predictor that learns nothing reaches on the test links.

    Attributes:
        predictor: Its name.
        metric: What it is measured in.
        value: The value, from 0 to 1.
        low: The lower end of the 95 % bootstrap interval.
        high: The upper end.
    """

    predictor: str
    metric: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class AuditReport:
    """All findings about one split.

    Attributes:
        subject: What was audited.
        protocol: Under which protocol it was made, if that is known.
        findings: The outcome of each check.
        trivial: What predictors that learn nothing reach.
    """

    subject: str
    protocol: str | None
    findings: tuple[Finding, ...]
    trivial: tuple[TrivialScore, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """The worst of all verdicts."""
        found = {finding.verdict for finding in self.findings}
        return next((verdict for verdict in (Verdict.LEAK, Verdict.NOTICE) if verdict in found), Verdict.CLEAN)

    @property
    def leaks(self) -> tuple[Finding, ...]:
        """The findings that make the numbers wrong."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.LEAK)

    @property
    def notices(self) -> tuple[Finding, ...]:
        """The findings that a reader of the numbers should know."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.NOTICE)
