"""Sums over all orders in closed form, for graphs that are small and so dense that walks are the longer way.

Σ_{l ≥ 1} r^l A^l = (I − r A)⁻¹ − I. With S = Ã or D^-½ Ã D^-½, I − r S is symmetric and positive definite wherever the
sum converges, and the other two matrices of Table 1 are D^∓½ S D^±½: one Cholesky factor serves all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array

from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.operators import Operator
    from hlgnn.graph import Graph

NANOSECONDS = 0.05
"""For N³: a factor and its inverse in double precision on one thread of a typical machine."""
MATRICES = 3
"""N × N numbers in double precision at once."""
WALKS_NANOSECONDS = 1.0
"""For an edge and a source in each order."""
WORTHWHILE = 2e10
"""Below 20 seconds walks are left alone: they are right to the last digits of the smallest scores, too."""


def closed_form_pays(graph: Graph, pairs: Tensor, depth: int, memory: int) -> bool:
    """Whether walks of so many orders take long, and dense matrices fit and are at least four times faster."""
    nodes = graph.num_nodes
    if MATRICES * 8 * nodes**2 > memory or not len(pairs):
        return False
    walks = walk_nanoseconds(graph, pairs, depth)
    return walks > WORTHWHILE and 4 * NANOSECONDS * nodes**3 < walks


def walk_nanoseconds(graph: Graph, pairs: Tensor, depth: int) -> float:
    """About what walks of so many orders take from the ends of the pairs, on one thread."""
    sources = min(len(torch.unique(side)) for side in pairs.unbind(dim=1))
    return WALKS_NANOSECONDS * sources * depth * graph.adjacency.num_edges


def closed_sums(graph: Graph, operator: Operator, ratio: float, pairs: Tensor, *, self_loops: bool) -> Tensor:
    """Σ_{l ≥ 1} r^l A^l at each pair, in double precision.  (P, 2) -> (P,)

    Example:
        >>> from hlgnn.graph import path
        >>> one = torch.tensor([[0, 2]])
        >>> round(float(closed_sums(path(3), ADJ, 0.5, one, self_loops=False)[0]), 6)  # ½ = Σ 2^-l walks of length l
        0.5
    """
    inverse = torch.cholesky_inverse(
        torch.linalg.cholesky(_one_less(graph, ratio, scaled=operator != ADJ, loops=self_loops))
    )
    left, right = pairs.unbind(dim=1)
    sums = inverse[left, right] - (left == right).double()
    if operator in (ADJ, SYM):
        return sums
    degree = normalize(graph.adjacency, self_loops=self_loops).degree.clamp(min=torch.finfo(torch.float64).tiny).sqrt()
    above, below = (right, left) if operator == ROW else (left, right)
    return torch.where(sums == 0, 0.0, sums * degree[above] / degree[below])


def has_closed_form(operator: Operator) -> bool:
    """Whether the operator is one of the four whose sums are known here."""
    return operator in (ADJ, SYM, ROW, COL)


def _one_less(graph: Graph, ratio: float, *, scaled: bool, loops: bool) -> Tensor:
    """I − r S.  (N, N)"""
    normalized, adjacency = normalize(graph.adjacency, self_loops=loops), graph.adjacency
    weights = np.ones(adjacency.num_edges) if normalized.weight is None else normalized.weight.numpy()
    shape = (graph.num_nodes, graph.num_nodes)
    dense = csr_array((weights, adjacency.neighbor.numpy(), adjacency.offset.numpy()), shape=shape).toarray()
    matrix = torch.from_numpy(dense).mul_(-ratio)
    if loops:
        matrix.diagonal().sub_(ratio)
    if scaled:
        matrix.mul_(normalized.root[:, None]).mul_(normalized.root)
    matrix.diagonal().add_(1.0)
    return matrix
