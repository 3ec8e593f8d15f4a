"""Training on all pairs of some nodes at once, links and missing ones alike, instead of on samples of them.

Where scores are a matrix product, all pairs of some nodes cost no more than that product, and one step learns from
millions of pairs in the time of some ten thousand sampled ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn.functional import softplus

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Adjacency, Graph


class AllPairs:
    """Which pairs are to be scored high, which low, and which do not count.

    Args:
        graph: All known links.
        messages: Those that the model sees; they do not count unless they are all there are.
    """

    def __init__(self, graph: Graph, messages: Graph) -> None:
        self.known = graph.adjacency
        self.seen = None if messages.num_links == graph.num_links else messages.adjacency

    def labels(self, nodes: Tensor) -> Tensor:
        """One where a pair is a known link.  (R,) -> (R, N)"""
        return _dense_rows(self.known, nodes)

    def counted(self, nodes: Tensor) -> Tensor:
        """Nought for a node with itself and for links that the model sees, one for others.  (R,) -> (R, N)"""
        counted = torch.ones(len(nodes), self.known.num_nodes)
        if self.seen is not None:
            counted -= _dense_rows(self.seen, nodes)
        counted[torch.arange(len(nodes)), nodes] = 0
        return counted


def all_pairs_cross_entropy(scores: Tensor, labels: Tensor, counted: Tensor) -> Tensor:
    """−y log σ(s) − (1 − y) log(1 − σ(s)), its mean over the pairs that count.  (R, N), (R, N), (R, N) -> ()

    Example:
        >>> zero = torch.zeros(1, 2)
        >>> round(float(all_pairs_cross_entropy(zero, zero, torch.tensor([[0.0, 1.0]]))), 4)  # log 2
        0.6931
    """
    return ((softplus(scores) - labels * scores) * counted).sum() / counted.sum().clamp(min=1)


def _dense_rows(adjacency: Adjacency, nodes: Tensor) -> Tensor:
    """Rows of the pattern.  (R,) -> (R, N)"""
    degree = adjacency.degree[nodes]
    row = torch.repeat_interleave(torch.arange(len(nodes)), degree)
    place = torch.arange(len(row)) - torch.repeat_interleave(degree.cumsum(0) - degree, degree)
    column = adjacency.neighbor[torch.repeat_interleave(adjacency.offset[nodes], degree) + place].long()
    dense = torch.zeros(len(nodes), adjacency.num_nodes)
    dense[row, column] = 1.0
    return dense
