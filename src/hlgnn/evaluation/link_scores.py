"""Scores of a whole set of links, ready for a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.data import LinkSet
    from hlgnn.evaluation.trivial import Predictor
    from hlgnn.graph import Graph

PAIRS_AT_ONCE = 1 << 22


def score_links(predictor: Predictor, graph: Graph, links: LinkSet) -> tuple[Tensor, Tensor]:
    """Scores of the positives (P,), and of the negatives (Q,) or (P, K), as ``links`` holds them.

    Where each positive has its own negatives, their pairs are made and scored block by block.
    """
    positive = predictor(graph, links.positive)
    if not links.own_negatives:
        return positive, predictor(graph, links.negative)
    negative, done = positive.new_empty(links.negative_shape), 0  # (P, K)
    for block in links.own_blocks(PAIRS_AT_ONCE):
        negative[done : done + len(block)] = predictor(graph, block.flatten(0, 1)).view(block.shape[:-1])
        done += len(block)
    return positive, negative
