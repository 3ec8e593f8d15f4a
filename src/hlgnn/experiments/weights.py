"""Weights β_l of several seeds: their mean for each order, and as curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.entries import spread_point
from hlgnn.experiments.outcomes import Spread
from hlgnn.experiments.sheet import Point, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.experiments.outcomes import CellOutcome


def weight_spreads(outcome: CellOutcome | None, *, scaled: bool = False) -> list[Spread]:
    """β_0 … β_L over the seeds of a cell; empty if there is no result.

    Args:
        outcome: Whose results hold ``beta``.
        scaled: Whether each seed is divided by its largest magnitude first, since a head undoes any factor of Z.
    """
    found = [] if outcome is None else [result["beta"] for result in outcome.results.values() if result.get("beta")]
    if scaled:
        found = [scaled_to_one(weights) for weights in found]
    return [Spread(tuple(column)) for column in zip(*found, strict=True)]


def kept_epochs(outcome: CellOutcome | None) -> str:
    """Which epochs validation has kept, in words; nothing where that is not known."""
    results = [] if outcome is None else outcome.results.values()
    found = [each["best_epoch"] for each in results if each.get("best_epoch") is not None]
    if not found:
        return ""
    low, high = min(found), max(found)
    return f"epoch {low}" if low == high else f"epochs {low} to {high}"


def scaled_to_one(weights: Sequence[float]) -> list[float]:
    """Weights divided by the largest magnitude.

    Example:
        >>> scaled_to_one([0.5, -2.0])
        [0.25, -1.0]
    """
    largest = max(map(abs, weights), default=0.0) or 1.0
    return [weight / largest for weight in weights]


def weight_series(name: str, spreads: Sequence[Spread]) -> tuple[Series, ...]:
    """One curve over the orders, or none if there are no weights."""
    points = tuple(spread_point(float(order), spread) for order, spread in enumerate(spreads))
    return (Series(name, points),) if points else ()


def exact_series(name: str, weights: Sequence[float]) -> tuple[Series, ...]:
    """One curve over the orders of weights that are known without a spread."""
    points = tuple(Point(float(order), weight, weight, weight) for order, weight in enumerate(weights))
    return (Series(name, points),) if points else ()
