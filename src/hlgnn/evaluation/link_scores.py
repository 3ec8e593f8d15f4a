"""Scores of a whole set of links, ready for a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.data import LinkSet
    from hlgnn.evaluation.trivial import Predictor
    from hlgnn.graph import Graph


def score_links(predictor: Predictor, graph: Graph, links: LinkSet) -> tuple[Tensor, Tensor]:
    """Scores of the positives (P,), and of the negatives (Q,) or (P, K), as ``links`` holds them."""
    negative = links.negative
    return (
        predictor(graph, links.positive),
        predictor(graph, negative.reshape(-1, 2)).view(negative.shape[:-1]),
    )
