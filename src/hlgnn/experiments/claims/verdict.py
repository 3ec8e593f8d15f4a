"""What a claim is, and how comparisons become a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hlgnn.experiments.outcomes import Outcomes

    Finding = tuple[bool, str]  # whether a comparison holds, and its numbers


@dataclass(frozen=True)
class Verdict:
    """What the store says about a claim.

    Attributes:
        kind: Whether it holds; ``different`` if it holds in part, ``not measured`` without enough results.
        figure: The numbers that this rests on.
    """

    kind: Literal["reproduced", "not reproduced", "different", "not measured"]
    figure: str


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper.

    Attributes:
        text: What it says.
        place: Where.
        experiment: Which experiment tries it, by name.
        judge: What its results say.
        only: Which of its cells that takes, as ``--only`` has it; all of them if it is empty.
    """

    text: str
    place: str
    experiment: str
    judge: Callable[[Outcomes], Verdict]
    only: str = ""

    @property
    def command(self) -> str:
        """What makes the results that it is judged by."""
        return f"hlgnn experiment run {self.experiment}" + (f' --only "{self.only}"' if self.only else "")


UNKNOWN = Verdict("not measured", "")


def verdict(findings: Iterable[Finding]) -> Verdict:
    """All, none or some of the comparisons hold."""
    found = list(findings)
    if not found:
        return UNKNOWN
    figure, holds = "; ".join(words for _, words in found if words), [held for held, _ in found]
    if all(holds):
        return Verdict("reproduced", figure)
    return Verdict("different" if any(holds) else "not reproduced", figure)


def by(find: Callable[..., Iterator[Finding]], *how: str | float | tuple[str, ...]) -> Callable[[Outcomes], Verdict]:
    """A judge that goes by what is found, told how to look."""
    return lambda outcomes: verdict(find(outcomes, *how))
