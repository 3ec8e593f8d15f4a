"""Metrics of positives that have negatives of their own, told the scores of negatives block by block.

Nothing of the size of all negatives is kept: a rank metric needs the value of each positive, and average precision the
number of negatives between the scores of neighbouring positives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import torch

from hlgnn.evaluation.metrics import RankMetric, average_precision
from hlgnn.evaluation.ranks import check_scores

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.evaluation.metrics import NamedMetric


class BlockMetric(Protocol):
    """A metric of all positives, whose negatives come in blocks of rows."""

    def add(self, negative: Tensor) -> None:
        """The scores of the negatives of the next positives.  (B, K)"""

    def value(self) -> float:
        """The metric, once the negatives of all positives were added."""


def in_blocks(metric: NamedMetric, positive: Tensor) -> BlockMetric:
    """What ``metric(positive, negative)`` is, with the rows of ``negative`` (P, K) given in blocks.  (P,)

    Example:
        >>> from hlgnn.evaluation.metrics import mrr
        >>> told = in_blocks(mrr(), torch.tensor([0.5, 0.5]))
        >>> told.add(torch.tensor([[0.9, 0.1]]))
        >>> told.add(torch.tensor([[0.2, 0.1]]))
        >>> told.value()
        0.75
    """
    if isinstance(metric, RankMetric):
        return _Ranks(metric, positive)
    return _Precision(positive) if metric is average_precision else _Scores(metric, positive)


class _Ranks:
    """The mean of a value of each positive."""

    def __init__(self, metric: RankMetric, positive: Tensor) -> None:
        self.metric, self.positive = metric, positive
        self.values = torch.empty(len(positive), dtype=torch.float64)
        self.done = 0

    def add(self, negative: Tensor) -> None:
        rows = slice(self.done, self.done + len(negative))
        self.values[rows] = self.metric.each(self.positive[rows], negative)
        self.done = rows.stop

    def value(self) -> float:
        return float(self.values.mean())


class _Precision:
    """Σ over the scores t of positives of (share of positives at t) · (positives from t up) / (all from t up)."""

    def __init__(self, positive: Tensor) -> None:
        self.positive = positive
        self.thresholds, self.here = positive.unique(return_counts=True)  # (T,), (T,), ascending
        self.reached = torch.zeros(len(self.thresholds) + 1, dtype=torch.int64)  # negatives by thresholds reached
        self.done = 0

    def add(self, negative: Tensor) -> None:
        _, negative = check_scores(self.positive[self.done : self.done + len(negative)], negative)
        count = torch.searchsorted(self.thresholds.to(negative.dtype), negative.flatten(), right=True)
        self.reached += torch.bincount(count, minlength=len(self.reached))
        self.done += len(negative)

    def value(self) -> float:
        negatives, positives = (_from_here_up(each).double() for each in (self.reached[1:], self.here))  # (T,)
        shares = self.here.double() / self.here.sum()
        return float((shares * positives / (positives + negatives)).sum())


class _Scores:
    """Any other metric gets all scores in the end."""

    def __init__(self, metric: NamedMetric, positive: Tensor) -> None:
        self.metric, self.positive = metric, positive
        self.negative: list[Tensor] = []

    def add(self, negative: Tensor) -> None:
        self.negative.append(negative)

    def value(self) -> float:
        return self.metric(self.positive, torch.cat(self.negative))


def _from_here_up(counts: Tensor) -> Tensor:
    """The sum of each entry and all behind it.  (T,) -> (T,)"""
    return counts.flip(0).cumsum(dim=0).flip(0)
