"""Predicted chances beside what came true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from scipy.stats import beta

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class ReliabilityBin:
    """Candidates with about the same predicted chance.

    Attributes:
        predicted: Their mean chance.
        observed: The share of them that is real.
        count: How many they are.
        low: The lower end of the interval of Jeffreys for the true share.
        high: The upper end.
    """

    predicted: float
    observed: float
    count: int
    low: float
    high: float


def reliability_curve(predicted: Tensor, real: Tensor, *, bins: int = 10, level: float = 0.9) -> list[ReliabilityBin]:
    """Bins of about as many candidates each, from the lowest chance to the highest; equal chances share a bin.

    Args:
        predicted: Chances from 0 to 1.  (P,)
        real: What turned out to be real.  (P,), bool
        bins: How many at most.
        level: How often an interval holds the true share.

    Example:
        >>> low, high = reliability_curve(torch.tensor([0.1, 0.1, 0.9, 0.9]), torch.tensor([0, 0, 1, 0]).bool(), bins=2)
        >>> low.observed, high.observed, high.count
        (0.0, 0.5, 2)
    """
    if len(predicted) != len(real) or bins < 1 or not 0 < level < 1:
        raise SettingsError(
            f"{len(predicted)} chances and {len(real)} outcomes in {bins} bins at the level {level:g} make no curve.",
            hint="Give one outcome for each chance, bins ≥ 1, and 0 < level < 1.",
        )
    chance, group = predicted.double().unique(return_inverse=True)  # ascending
    size = torch.bincount(group, minlength=len(chance))
    place = (size.cumsum(dim=0) - 1) * bins // max(1, len(predicted))  # the bin of each distinct chance
    return [
        _bin(predicted[chosen], real[chosen], level)
        for chosen in (place[group] == b for b in range(bins))
        if chosen.any()
    ]


def _bin(predicted: Tensor, real: Tensor, level: float) -> ReliabilityBin:
    count, hits = len(real), int(real.sum())
    first, second = hits + 0.5, count - hits + 0.5
    low = 0.0 if hits == 0 else float(beta.ppf((1 - level) / 2, first, second))
    high = 1.0 if hits == count else float(beta.ppf((1 + level) / 2, first, second))
    return ReliabilityBin(float(predicted.double().mean()), hits / count, count, low, high)
