"""How far two methods are apart on the same links, and how much of that is the draw of the links.

Both are measured on the same links, so that most of the noise is common to them: links are drawn with return, and both
are measured on each draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from hlgnn.errors import MetricError, SettingsError
from hlgnn.evaluation.intervals import Interval, resampled_ranks, with_return
from hlgnn.evaluation.metrics import NamedMetric, RankMetric
from hlgnn.evaluation.ranks import check_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    Values = Callable[[Tensor, Tensor], float]


class LinkScores(NamedTuple):
    """Scores of the test links.

    Attributes:
        positive: Of the links.  (P,)
        negative: Of the pairs that they are ranked among: shared (Q,), or each link's own (P, K).
    """

    positive: Tensor
    negative: Tensor


def paired_difference(
    metric: NamedMetric,
    first: LinkScores,
    second: LinkScores,
    *,
    generator: torch.Generator,
    repeats: int = 1000,
    level: float = 0.95,
) -> Interval:
    """The metric of the first less that of the second, with the interval of a paired bootstrap.

    Every draw takes positives and, if they are shared, negatives with return, the same ones for both; own negatives
    move with their positive. The interval holds the middle of the draws and its mirror image about the difference
    (percentile and basic bootstrap): for a metric that hangs on the few best negatives, as MRR among shared ones does,
    either alone is too narrow.
    """
    if repeats < 1 or not 0 < level < 1:
        raise SettingsError(f"A bootstrap needs repeats ≥ 1 and 0 < level < 1, not {repeats} and {level}.")
    if first.positive.shape != second.positive.shape or first.negative.shape != second.negative.shape:
        raise MetricError(
            "The scores are not those of the same links: "
            f"{tuple(first.positive.shape)} and {tuple(first.negative.shape)} beside "
            f"{tuple(second.positive.shape)} and {tuple(second.negative.shape)}.",
        )
    values = [_values(metric, each) for each in (first, second)]
    num_positives, own = len(first.positive), first.negative.ndim == 2
    differences = torch.empty(repeats, dtype=torch.float64)
    for repeat in range(repeats):
        rows = with_return(num_positives, generator)
        columns = rows if own else with_return(len(first.negative), generator)
        differences[repeat] = values[0](rows, columns) - values[1](rows, columns)
    tails = torch.tensor([(1 - level) / 2, (1 + level) / 2], dtype=torch.float64)
    low, high = differences.quantile(tails).tolist()
    value = metric(*first) - metric(*second)
    return Interval(min(low, 2 * value - high), value, max(high, 2 * value - low))


def _values(metric: NamedMetric, scores: LinkScores) -> Values:
    """The metric of drawn rows and columns; ranks are counted, not sorted, wherever the metric allows it."""
    positive, negative = check_scores(scores.positive.cpu(), scores.negative.cpu())
    if not isinstance(metric, RankMetric):
        return lambda rows, columns: metric(positive[rows], negative[columns])
    if negative.ndim == 2:
        each = metric.each(positive, negative)  # (P,)
        return lambda rows, _: float(each[rows].mean())
    ascending, order = negative.sort()
    place = torch.empty_like(order).scatter_(0, order, torch.arange(len(order)))  # of each negative in ``ascending``
    ranked = resampled_ranks(metric, positive, ascending)
    return lambda rows, columns: ranked(rows, place[columns])
