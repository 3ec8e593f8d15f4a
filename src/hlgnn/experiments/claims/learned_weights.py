"""Claims about β after training: Figures 4 and 5."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hlgnn.experiments.entries import LEAST_SEEDS
from hlgnn.experiments.weights import kept_epochs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import Outcomes


def features_weigh_most(outcomes: Outcomes, row: str, columns: tuple[str, ...]) -> Iterator[Finding]:
    """Figure 4: β_0 has the largest magnitude, for most seeds."""
    return _most_seeds(outcomes, row, columns, lambda beta: largest(beta) == 0)


def weights_fall(outcomes: Outcomes, row: str, columns: tuple[str, ...]) -> Iterator[Finding]:
    """Figure 4: no weight is above the one before, for most seeds."""
    return _most_seeds(outcomes, row, columns, lambda beta: all(after <= before for before, after in pairwise(beta)))


def order_weighs_most(outcomes: Outcomes, row: str, columns: tuple[str, ...], order: float) -> Iterator[Finding]:
    """Figure 4: this order has the largest magnitude, for most seeds."""
    return _most_seeds(outcomes, row, columns, lambda beta: largest(beta) == order)


def late_weights_are_negative(outcomes: Outcomes, row: str, columns: tuple[str, ...]) -> Iterator[Finding]:
    """Figure 4: the last weight is below nought, for most seeds."""
    return _most_seeds(outcomes, row, columns, lambda beta: beta[-1] < 0)


def rings_are_found(outcomes: Outcomes, recipe: str) -> Iterator[Finding]:
    """Figure 5: the order that closes the ring has the largest weight, for most seeds on both networks."""
    for column in outcomes.columns():
        outcome = outcomes.at(recipe, column)
        results = list(outcome.results.values()) if outcome is not None else []
        if len(results) >= LEAST_SEEDS:
            hits = sum(each["largest"] == each["expected"] for each in results)
            yield 2 * hits > len(results), f"{column} {hits} of {len(results)} seeds"


def largest(beta: Sequence[float]) -> int:
    """The order whose weight has the largest magnitude.

    Example:
        >>> largest([0.5, -2.0, 1.0])
        1
    """
    return max(range(len(beta)), key=lambda order: abs(beta[order]))


def _most_seeds(
    outcomes: Outcomes, row: str, columns: tuple[str, ...], holds: Callable[[Sequence[float]], bool]
) -> Iterator[Finding]:
    for column in columns:
        outcome = outcomes.at(row, column)
        weights = [] if outcome is None else [each["beta"] for each in outcome.results.values() if each.get("beta")]
        if len(weights) >= LEAST_SEEDS:
            hits, kept = sum(map(holds, weights)), kept_epochs(outcome)
            words = f"{column} {hits} of {len(weights)} seeds"
            yield 2 * hits > len(weights), f"{words}, weights of {kept}" if kept else words
