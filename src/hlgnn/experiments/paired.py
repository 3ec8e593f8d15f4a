"""How far two cells are apart, seed by seed: both have the same split for the same seed."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

import numpy as np

from hlgnn.experiments.outcomes import value_at
from hlgnn.experiments.sheet import Entry
from hlgnn.report.numbers import MISSING, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.experiments.outcomes import CellOutcome

# Quantiles 97.5 % of Student's distribution for one to nine degrees of freedom, and for more.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
MANY = 2.26


def paired_differences(
    first: CellOutcome | None, second: CellOutcome | None, *path: str, scale: float = 1.0
) -> list[float]:
    """The number of the first less that of the second for every seed that both have."""
    if first is None or second is None:
        return []
    seeds = [seed for seed in first.results if seed in second.results]
    pairs = [(value_at(first.results[seed], path), value_at(second.results[seed], path)) for seed in seeds]
    return [scale * (ours - theirs) for ours, theirs in pairs if ours is not None and theirs is not None]


def bootstrap_interval(differences: Sequence[float], draws: int = 10_000) -> tuple[float, float]:
    """The paired bootstrap of the mean: quantiles 2.5 % and 97.5 % over as many seeds, drawn with return.

    The draws are always the same, so that a page is. Of five seeds it tends to be too narrow.

    Example:
        >>> bootstrap_interval([1.0, 1.0, 1.0])
        (1.0, 1.0)
    """
    numbers, generator = np.asarray(differences, np.float64), np.random.default_rng(0)
    means = numbers[generator.integers(len(numbers), size=(draws, len(numbers)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def bootstrap_entry(first: CellOutcome | None, second: CellOutcome | None, *path: str, scale: float = 1.0) -> Entry:
    """The interval of ``bootstrap_interval``; marked if it is on one side of nought."""
    found = paired_differences(first, second, *path, scale=scale)
    if len(found) < 2:
        return Entry(MISSING, mark="missing")
    low, high = bootstrap_interval(found)
    text, note = f"[{signed(low, 2)}, {signed(high, 2)}]", f"{len(found)} seeds"
    if low <= 0 <= high:
        return Entry(text, note=note)
    return Entry(text, mark="above" if low > 0 else "below", note=note)


def paired_entry(first: CellOutcome | None, second: CellOutcome | None, *path: str, scale: float = 1.0) -> Entry:
    """Their mean with an interval of 95 % by Student's distribution; marked if the interval is on one side of nought.

    A seed is a split, weights and an order of training at once, so that the interval holds all that a seed moves.
    """
    found = paired_differences(first, second, *path, scale=scale)
    if not found:
        return Entry(MISSING, mark="missing")
    mean = statistics.mean(found)
    if len(found) == 1:
        return Entry(signed(mean, 2), note="one seed")
    quantile = STUDENT[len(found) - 2] if len(found) - 2 < len(STUDENT) else MANY
    reach = quantile * statistics.stdev(found) / math.sqrt(len(found))
    text = f"{signed(mean, 2)} [{signed(mean - reach, 2)}, {signed(mean + reach, 2)}]"
    if abs(mean) <= reach:
        return Entry(text, note=f"{len(found)} seeds")
    return Entry(text, mark="above" if mean > 0 else "below", note=f"{len(found)} seeds")
