"""Whether a learned model is better than the best heuristic, beyond the noise of the test links.

The heuristic is the one that is best on the validation links; the best one on the test links would be chosen by the
noise that is to be measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hlgnn.calibration.paired_bootstrap import LinkScores, paired_difference
from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import torch

    from hlgnn.evaluation import Interval, NamedMetric


class Verdict(StrEnum):
    """What training was worth."""

    BETTER = "earns its keep"
    EQUAL = "no better"
    WORSE = "worse"


@dataclass(frozen=True)
class Gate:
    """A learned model beside a heuristic.

    Attributes:
        metric: What both are measured by.
        heuristic: The heuristic that is best on the validation links.
        learned_value: The metric of the learned model on the test links.
        heuristic_value: That of the heuristic.
        difference: Learned less heuristic, with its interval.
        level: How much of the draws the interval holds.
        verdict: Whether the interval is above, around or below zero.
    """

    metric: str
    heuristic: str
    learned_value: float
    heuristic_value: float
    difference: Interval
    level: float
    verdict: Verdict

    def sentence(self) -> str:
        """The verdict in plain words."""
        low, value, high = self.difference
        noise = {
            Verdict.BETTER: "is beyond the noise of the test links",
            Verdict.EQUAL: "is within the noise of the test links",
            Verdict.WORSE: "is beyond the noise of the test links: the heuristic is better",
        }[self.verdict]
        return (
            f"The learned model reaches {_title(self.metric)} {self.learned_value:.3f}, the best heuristic "
            f"({self.heuristic}) {self.heuristic_value:.3f}; the difference {_signed(value)} "
            f"({_signed(low)} to {_signed(high)}) {noise}."
        )


def gate(
    metric: NamedMetric,
    learned: LinkScores,
    heuristics: Mapping[str, LinkScores],
    validation: Mapping[str, float],
    *,
    generator: torch.Generator,
    repeats: int = 1000,
    level: float = 0.95,
) -> Gate:
    """Compare a learned model with the heuristic that is best on the validation links.

    Args:
        metric: What to measure by.
        learned: Test scores of the model.
        heuristics: Test scores of heuristics on the same links, by name; those of the chosen one are enough.
        validation: The metric of every heuristic on the validation links, by name; the first of equals is chosen.
        generator: Where the draws come from.
        repeats: How often to draw.
        level: How much of the draws the interval holds.

    Raises:
        SettingsError: If there is no heuristic, or no scores of the chosen one.
        MetricError: If the scores are not those of the same links.
    """
    chosen = choose_heuristic(validation)
    if chosen not in heuristics:
        raise SettingsError(f"There are no test scores of {chosen!r}, the best heuristic on the validation links.")
    other = heuristics[chosen]
    difference = paired_difference(metric, learned, other, generator=generator, repeats=repeats, level=level)
    verdict = Verdict.BETTER if difference.low > 0 else Verdict.WORSE if difference.high < 0 else Verdict.EQUAL
    return Gate(metric.name, chosen, metric(*learned), metric(*other), difference, level, verdict)


def choose_heuristic(validation: Mapping[str, float]) -> str:
    """The name with the largest value, the first of equals.

    Example:
        >>> choose_heuristic({"CN": 0.4, "RA": 0.5, "AA": 0.5})
        'RA'
    """
    if not validation:
        raise SettingsError("There is no heuristic to compare with.", hint="Measure at least one on validation links.")
    return max(validation, key=lambda name: validation[name])


def _title(name: str) -> str:
    return name.replace("hits@", "Hits@") if name.startswith("hits@") else name.upper()


def _signed(value: float) -> str:
    rounded = f"{value:.3f}"
    return "0.000" if float(rounded) == 0 else rounded.replace("-", "−")
