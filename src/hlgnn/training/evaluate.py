"""Scores of a model for many pairs, and its metrics on a part of a split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from hlgnn.errors import NumericalError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

    from hlgnn.data import LinkSet
    from hlgnn.evaluation import NamedMetric
    from hlgnn.models import LinkModel

PAIRS_AT_ONCE = 1 << 16


@torch.no_grad()
def score_pairs(model: LinkModel[Any, Any], prepared: Any, pairs: Tensor) -> Tensor:
    """The logit of every pair, in evaluation mode and in batches.  (P, 2) -> (P,)"""
    was_training = model.training
    model.eval()
    state = model.encode(prepared)
    scores = [model.score(state, batch) for batch in pairs.split(PAIRS_AT_ONCE)]
    model.train(was_training)
    return torch.cat(scores) if scores else torch.empty(0)


def link_scores(model: LinkModel[Any, Any], prepared: Any, links: LinkSet) -> tuple[Tensor, Tensor]:
    """Scores of the positives (P,) and of the negatives, (Q,) or (P, K), from one encoding.

    Raises:
        NumericalError: If a score is infinite or no number.
    """
    negative = links.negative.reshape(-1, 2)
    scores = score_pairs(model, prepared, torch.cat([links.positive, negative]))
    if not bool(scores.isfinite().all()):
        raise NumericalError(
            "The model has scores that are infinite or no numbers.",
            hint="Lower train.learning_rate or train.beta_rate, or use operators that stay bounded.",
        )
    count = len(links.positive)
    return scores[:count], scores[count:].view(links.negative.shape[:-1])


def evaluate(
    model: LinkModel[Any, Any], prepared: Any, links: LinkSet, metrics: Iterable[NamedMetric]
) -> dict[str, float]:
    """Every metric by its name that the number of negatives allows."""
    positive, negative = link_scores(model, prepared, links)
    usable = [metric for metric in metrics if metric.least_negatives <= links.negatives_per_ranking]
    return {metric.name: metric(positive, negative) for metric in usable}
