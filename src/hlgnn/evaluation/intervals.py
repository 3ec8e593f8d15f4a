"""How far a metric could have come out otherwise, had other links been drawn for the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from hlgnn.errors import SettingsError
from hlgnn.evaluation.metrics import RankMetric
from hlgnn.evaluation.ranks import check_scores, positions

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from hlgnn.evaluation.metrics import Metric


class Interval(NamedTuple):
    """A metric with the bounds that resampling gives it.

    Attributes:
        low: The lower bound.
        value: The metric of the scores as they are.
        high: The upper bound.
    """

    low: float
    value: float
    high: float


def bootstrap(
    metric: Metric,
    positive: Tensor,
    negative: Tensor,
    *,
    generator: torch.Generator,
    repeats: int = 1000,
    level: float = 0.95,
) -> Interval:
    """The percentile bootstrap: the metric of as many positives and negatives, drawn from the given ones with return.

    Own negatives move with their positive. The interval speaks of the draw of test links only, not of the seeds of
    training. Hits@K hangs on the K-th largest negative: with K below about ten the bootstrap of it is coarse.
    Bias is not corrected: the ties that drawing with return makes can move all draws of average precision to one side.

    Args:
        metric: Any metric; those of this package are resampled without sorting again.
        positive: Scores of positives.  (P,)
        negative: Scores of negatives, shared (Q,) or own (P, K).
        generator: Where the draws come from.
        repeats: How often to draw.
        level: How much of the draws the interval holds.

    Example:
        >>> from hlgnn.evaluation.metrics import auc
        >>> positive, negative = torch.arange(50, 150), torch.arange(100)
        >>> interval = bootstrap(auc, positive, negative, generator=torch.Generator().manual_seed(0))
        >>> round(interval.value, 3), interval.low < interval.value < interval.high
        (0.875, True)
    """
    if repeats < 1 or not 0 < level < 1:
        raise SettingsError(f"A bootstrap needs repeats ≥ 1 and 0 < level < 1, not {repeats} and {level}.")
    value = metric(positive, negative)
    positive, negative = check_scores(positive.cpu(), negative.cpu())
    draw = _own_draw(metric, positive, negative) if negative.ndim == 2 else _shared_draw(metric, positive, negative)
    values = torch.tensor([draw(generator) for _ in range(repeats)], dtype=torch.float64)  # (repeats,)
    tails = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.float64)
    low, high = values.quantile(tails).tolist()
    return Interval(low, value, high)


def _own_draw(metric: Metric, positive: Tensor, negative: Tensor) -> Callable[[torch.Generator], float]:
    """One resampled value at a time, from rows of a positive and its own negatives."""
    each = metric.each(positive, negative) if isinstance(metric, RankMetric) else None  # (P,)

    def draw(generator: torch.Generator) -> float:
        rows = with_return(len(positive), generator)
        return metric(positive[rows], negative[rows]) if each is None else float(each[rows].mean())

    return draw


def _shared_draw(metric: Metric, positive: Tensor, negative: Tensor) -> Callable[[torch.Generator], float]:
    """One resampled value at a time, from positives and, independently, from the negatives that they share."""
    # In ascending order the look-ups below walk through memory; what is drawn does not depend on the order.
    positive, negative = positive.sort().values, negative.sort().values
    ranked = resampled_ranks(metric, positive, negative) if isinstance(metric, RankMetric) else None

    def draw(generator: torch.Generator) -> float:
        rows, columns = with_return(len(positive), generator), with_return(len(negative), generator)
        return metric(positive[rows], negative[columns]) if ranked is None else ranked(rows, columns)

    return draw


def resampled_ranks(metric: RankMetric, positive: Tensor, negative: Tensor) -> Callable[[Tensor, Tensor], float]:
    """The metric of resampled rows and columns from ranks that are counted, not sorted: O(P + Q) for each draw."""
    count = len(negative)
    left, right = positions(positive, negative)  # (P,)
    drawn_below = torch.zeros(count + 1, dtype=torch.int64)

    def value(rows: Tensor, columns: Tensor) -> float:
        torch.cumsum(torch.bincount(columns, minlength=count), dim=0, out=drawn_below[1:])
        at_most = drawn_below[right]  # drawn negatives that are at most each positive, (P,)
        equal = at_most - drawn_below[left]
        rank = 1 + (count - at_most) + metric.shared_ties * equal.double()
        return float(metric.value(rank, count)[rows].mean())

    return value


def with_return(count: int, generator: torch.Generator) -> Tensor:
    """As many numbers below ``count`` as there are, each drawn from all.  -> (count,)"""
    return torch.randint(count, (count,), generator=generator)
