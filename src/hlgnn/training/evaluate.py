"""Scores of a model for many pairs, and its metrics on a part of a split."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.errors import NumericalError
from hlgnn.evaluation.by_blocks import in_blocks
from hlgnn.processes import SINGLE, Processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from torch import Tensor

    from hlgnn.data import LinkSet
    from hlgnn.evaluation import NamedMetric
    from hlgnn.models import LinkModel


def score_pairs(model: LinkModel[Any, Any], prepared: Any, pairs: Tensor, processes: Processes = SINGLE) -> Tensor:
    """The logit of every pair, in evaluation mode and in batches; each process scores a share.  (P, 2) -> (P,)"""
    with _scorer(model, prepared, processes) as score:
        return score(pairs)


def link_scores(
    model: LinkModel[Any, Any], prepared: Any, links: LinkSet, processes: Processes = SINGLE
) -> tuple[Tensor, Tensor]:
    """Scores of the positives (P,) and of the negatives, (Q,) or (P, K), from one encoding.

    Raises:
        NumericalError: If a score is infinite or no number.
    """
    with _scorer(model, prepared, processes) as score:
        positive = _finite(score(links.positive))
        if not links.own_negatives:
            return positive, _finite(score(links.negative))
        negative, done = positive.new_empty(links.negative_shape), 0  # (P, K)
        for block in _own_scores(score, links, model.pairs_at_once):
            negative[done : done + len(block)] = block
            done += len(block)
        return positive, negative


def evaluate(
    model: LinkModel[Any, Any],
    prepared: Any,
    links: LinkSet,
    metrics: Iterable[NamedMetric],
    processes: Processes = SINGLE,
) -> dict[str, float]:
    """Every metric by its name that the number of negatives allows."""
    usable = [metric for metric in metrics if metric.least_negatives <= links.negatives_per_ranking]
    return measure(model, prepared, links, usable, processes)


def measure(
    model: LinkModel[Any, Any],
    prepared: Any,
    links: LinkSet,
    metrics: Sequence[NamedMetric],
    processes: Processes = SINGLE,
) -> dict[str, float]:
    """Every metric by its name, the same for all processes.

    Where each positive has its own negatives, their pairs and scores are made and forgotten block by block: memory is
    that of the encoding and of ``model.pairs_at_once`` pairs, whether there are a thousand candidates or 87 million.

    Raises:
        MetricError: If a metric means nothing for the number of negatives.
        NumericalError: If a score is infinite or no number.
    """
    if not links.own_negatives:
        scores = link_scores(model, prepared, links, processes)
        return {metric.name: metric(*scores) for metric in metrics}
    with _scorer(model, prepared, processes) as score:
        positive = _finite(score(links.positive))
        told = {metric.name: in_blocks(metric, positive) for metric in metrics}
        for block in _own_scores(score, links, model.pairs_at_once):
            for each in told.values():
                each.add(block)
        return {name: each.value() for name, each in told.items()}


@contextmanager
def _scorer(model: LinkModel[Any, Any], prepared: Any, processes: Processes) -> Iterator[Callable[[Tensor], Tensor]]:
    """What scores pairs from one encoding, in evaluation mode and in batches.  (P, 2) -> (P,)

    Processes that share the pairs score a share each, and tell the others.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            state = model.encode(prepared)

            def score(pairs: Tensor) -> Tensor:
                own = pairs[processes.pairs.share(len(pairs))]
                scores = [model.score(state, batch.long()) for batch in own.split(model.pairs_at_once)]
                found = torch.cat(scores) if scores else torch.empty(0)
                return processes.pairs.gather_shares(found, len(pairs), "scores")

            yield score
    finally:
        model.train(was_training)


def _own_scores(score: Callable[[Tensor], Tensor], links: LinkSet, at_once: int) -> Iterator[Tensor]:
    """The scores of the own negatives of some positives after the other.  -> (B, K)"""
    for negative in links.own_blocks(at_once):
        yield _finite(score(negative.flatten(0, 1))).view(negative.shape[:-1])


def _finite(scores: Tensor) -> Tensor:
    if not bool(scores.isfinite().all()):
        raise NumericalError(
            "The model has scores that are infinite or no numbers.",
            hint="Lower train.learning_rate or train.beta_rate, or use operators that stay bounded.",
        )
    return scores
