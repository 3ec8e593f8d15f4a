"""Metrics of link prediction: how far the scores of positives stand above those of negatives.

A metric is called with the scores of the positives (P,) and those of the negatives: shared by all positives (Q,), or
each positive's own (P, K). Hits@K, MRR and AUC are means over the positives of a value of their rank, so that ties need
one rule only: ``rank = 1 + negatives above + share × negatives with the same score``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import torch
from sklearn.metrics import average_precision_score
from torch import Tensor

from hlgnn.errors import MetricError, SettingsError
from hlgnn.evaluation.ranks import check_scores, count_above
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

Metric = Callable[[Tensor, Tensor], float]
"""Any function ``(positive, negative) -> float``."""

Ties = Literal["optimistic", "average", "pessimistic", "strict"]
"""Whether a positive stands before, amid or behind (also called strict) the negatives that have its score."""

TIES: Registry[float] = Registry(
    "way to treat ties", {"optimistic": 0.0, "average": 0.5, "pessimistic": 1.0, "strict": 1.0}
)
"""The share of the negatives beside a positive that count as above it."""


class NamedMetric(Protocol):
    """A metric that knows what it is called; all metrics of this file do."""

    @property
    def name(self) -> str:
        """What stands in reports and what ``metric`` finds it by."""

    @property
    def least_negatives(self) -> int:
        """How many negatives a positive must be ranked among for this to mean something."""

    def __call__(self, positive: Tensor, negative: Tensor, /) -> float:
        """The value for these scores."""


@dataclass(frozen=True)
class RankMetric:
    """The mean over the positives of a value of their rank.

    Attributes:
        name: What it is called.
        value: The value of each rank among that many negatives.  (P,), int -> (P,)
        shared_ties: The share of equal negatives that count as above, where negatives are shared.
        own_ties: The same, where each positive has its own negatives.
        least_negatives: How many negatives a positive must be ranked among for this to mean something.
    """

    name: str
    value: Callable[[Tensor, int], Tensor]
    shared_ties: float
    own_ties: float
    least_negatives: int = 1

    def __call__(self, positive: Tensor, negative: Tensor, /) -> float:
        """The value for these scores; a float in double precision."""
        return float(self.each(positive, negative).mean())

    def each(self, positive: Tensor, negative: Tensor) -> Tensor:
        """The value of each positive (P,), in double precision; their mean is the metric."""
        positive, negative = check_scores(positive, negative)
        self._check_count(negative)
        ties = self.own_ties if negative.ndim == 2 else self.shared_ties
        above, equal = count_above(positive, negative)
        return self.value(1 + above + ties * equal.double(), negative.shape[-1])

    def _check_count(self, negative: Tensor) -> None:
        """Refuse fewer negatives than the metric needs, which would make it one for any scores."""
        count = negative.shape[-1]
        if count < self.least_negatives:
            kind = "negatives for each positive" if negative.ndim == 2 else "negatives"
            raise MetricError(
                f"{self.name} needs at least {self.least_negatives} {kind}, but there are {count}.",
                hint=f"Choose K of at most {count}, or draw more negatives.",
            )


@dataclass(frozen=True)
class PooledMetric:
    """A metric of all positives against all negatives at once, whether shared or own.

    Attributes:
        name: What it is called.
        function: From whether each is a positive, and its score, to the value, as in scikit-learn.
        least_negatives: One negative is enough.
    """

    name: str
    function: Callable[[NDArray[np.bool_], NDArray[np.floating]], float]
    least_negatives: int = 1

    def __call__(self, positive: Tensor, negative: Tensor, /) -> float:
        """The value for these scores."""
        positive, negative = check_scores(positive, negative)
        scores = torch.cat([positive, negative.flatten()]).cpu().numpy()
        return float(self.function(np.arange(len(scores)) < len(positive), scores))


def hits_at(k: int, ties: Ties | None = None) -> RankMetric:
    """Hits@K: the share of positives with a rank of at most K.

    With the ties of OGB, the default, a positive counts among shared negatives if it is strictly above the K-th largest
    of them (``strict``), and among its own if its ``average`` rank is at most K.

    Raises:
        MetricError: When called with fewer than K negatives.

    Example:
        >>> positive, negative = torch.tensor([0.9, 0.5, 0.1]), torch.tensor([0.7, 0.5, 0.2])
        >>> round(hits_at(2)(positive, negative), 3)
        0.333
        >>> round(hits_at(2, ties="optimistic")(positive, negative), 3)
        0.667
    """
    if k < 1:
        raise SettingsError(f"Hits@K needs a K of at least one, not {k}.")
    shared, own = (TIES["strict"], TIES["average"]) if ties is None else (TIES[ties], TIES[ties])
    return RankMetric(f"hits@{k}", lambda rank, _: (rank <= k).double(), shared, own, least_negatives=k)


def mrr(ties: Ties = "average") -> RankMetric:
    """The mean reciprocal rank, with the ties of OGB by default; shared negatives rank every positive.

    Example:
        >>> mrr()(torch.tensor([0.5]), torch.tensor([[0.5, 0.1]]))  # rank 1 or 2, so 1.5
        0.6666666666666666
    """
    return RankMetric("mrr", lambda rank, _: 1 / rank, TIES[ties], TIES[ties])


auc = RankMetric("auc", lambda rank, count: 1 - (rank - 1) / count, TIES["average"], TIES["average"])
"""The chance that a positive stands above a negative, ties counting half.

Among shared negatives it is the area under the ROC curve; among own ones, the mean over positives of such areas.
"""

average_precision = PooledMetric("ap", average_precision_score)
"""The area under precision and recall as in scikit-learn; own negatives are pooled into one list."""

METRICS: Registry[NamedMetric] = Registry(
    "metric",
    {f"hits@{k}": hits_at(k) for k in (1, 3, 10, 20, 50, 100)} | {"mrr": mrr(), "auc": auc, "ap": average_precision},
)
"""Those that are offered everywhere, by their names."""


def metric(name: str) -> NamedMetric:
    """The metric called ``hits@K`` for any K, ``mrr``, ``auc`` or ``ap``, in capitals or not.

    Example:
        >>> metric("Hits@42").name
        'hits@42'
        >>> metric("hist@50")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        hlgnn.errors.UnknownNameError: There is no metric called 'hist@50'. Did you mean 'hits@50'? All: hits@1, ...
    """
    hits = re.fullmatch(r"hits@([0-9]+)", name.strip().lower())
    return hits_at(int(hits[1])) if hits else METRICS[name]


def false_positive_rate(k: int, num_negatives: int) -> float:
    """The share of the negatives that reach the threshold of Hits@K, their K-th largest: what K stands for.

    Example:
        >>> round(false_positive_rate(100, 527), 2)
        0.19
    """
    if not 1 <= k <= num_negatives:
        raise MetricError(f"Hits@{k} means nothing among {num_negatives} negatives.")
    return k / num_negatives
