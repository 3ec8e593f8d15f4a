"""What a layer sums up over neighbours, by the kernel that propagates for HL-GNN too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array

from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.operators import ADJ, ROW, SYM, Operator
from hlgnn.formulation.propagation import multiply
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph


@dataclass(frozen=True, eq=False)
class NeighborSums:
    """A X for one matrix of Table 1.

    Its gradient is a product with the transposed operator on the same edges, where torch's compressed rows would be
    transposed anew in every step.

    Attributes:
        normalized: The message graph and its degrees.
        operator: Which matrix.
    """

    normalized: Normalized
    operator: Operator

    def __call__(self, x: Tensor) -> Tensor:
        """(N, H) -> (N, H)"""
        return multiply(self.normalized, torch.tensor(self.operator), x)


def symmetric_sums(graph: Graph) -> NeighborSums:
    """D̃^-½ (A + I) D̃^-½ with D̃ the row sums of A + I, weights of links included."""
    return NeighborSums(normalize(graph.adjacency, dtype=torch.float32), SYM)


def neighbor_means(graph: Graph) -> NeighborSums:
    """D^-1 A: the mean over neighbours, weighted if links are; zero for a node without any."""
    return NeighborSums(normalize(graph.adjacency, self_loops=False, dtype=torch.float32), ROW)


def means_at(nodes: Tensor, messages: NeighborSums, x: Tensor) -> Tensor:
    """The rows of D^-1 A X of some nodes, where ``messages`` are those means.  (R,), (N, H) -> (R, H)"""
    normalized, adjacency = messages.normalized, messages.normalized.adjacency
    weight = np.ones(adjacency.num_edges, np.float32) if normalized.weight is None else normalized.weight.numpy()
    shape = (normalized.num_nodes, normalized.num_nodes)
    rows = csr_array((weight, adjacency.neighbor.numpy(), adjacency.offset.numpy()), shape=shape)[nodes.numpy()]
    return normalized.inverse[nodes].unsqueeze(1) * sparse_product(rows, x)


def plain_sums(graph: Graph) -> NeighborSums:
    """A: the sum over neighbours, weighted if links are."""
    return NeighborSums(normalize(graph.adjacency, self_loops=False, dtype=torch.float32), ADJ)
