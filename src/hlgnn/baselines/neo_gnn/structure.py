"""The structural part of Neo-GNN: common neighbours whose worth is learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor, nn

from hlgnn.baselines.common_neighbors import common_neighbors
from hlgnn.baselines.neo_gnn.walks import NO_SCALES
from hlgnn.models.initialization import linear
from hlgnn.models.sparse_product import sparse_product

if TYPE_CHECKING:
    from hlgnn.baselines.neo_gnn.walks import Walks


@dataclass(frozen=True, eq=False)
class Structure:
    """What o_ij is computed from.

    Attributes:
        matrix: S.  (N, N)
        worth: x_k² of every node.  (N,)
        scale: What o_ij is divided by.
    """

    matrix: csr_array
    worth: Tensor
    scale: float = 1.0

    def overlap(self, pairs: Tensor) -> Tensor:
        """o_ij = Σ_k (S_ik x_k)(S_jk x_k), over the scale.  (P, 2) -> (P,)"""
        rows = self.matrix
        found = common_neighbors(rows.indptr.astype(np.int64), rows.indices, pairs.numpy())
        both = csr_array(
            (rows.data[found.left] * rows.data[found.right], rows.indices[found.left], found.offset),
            shape=(len(pairs), len(self.worth)),
        )
        return sparse_product(both, self.worth[:, None]).squeeze(1) / self.scale


class NodeStructure(nn.Module):
    """x_k = f_node(Σ_i f_edge(S_ik)), both perceptrons of one number.

    Where sums are ``even``, f_node sees them over the mean length of a row of S, and o_ij is taken over the mean sum of
    squares of a row: what is learned is the same family of functions, but on a dense graph it does not start with
    numbers in the thousands.
    """

    def __init__(self, edge_hidden: int, node_hidden: int, generator: torch.Generator, *, even: bool = False) -> None:
        super().__init__()
        self.even = even
        self.of_edge = number_perceptron(edge_hidden, generator)
        self.of_node = number_perceptron(node_hidden, generator)

    def forward(self, walks: Walks) -> Structure:
        """The sum over a column is that over a row, since S is symmetric."""
        scales = walks.scales() if self.even else NO_SCALES
        sums = sparse_product(walks.counts, self.of_edge(walks.distinct[:, None])) / scales.nodes  # (N, 1)
        return Structure(walks.matrix, self.of_node(sums).squeeze(1).square(), scales.pairs)


def number_perceptron(hidden: int, generator: torch.Generator) -> nn.Sequential:
    """A perceptron of one number with one hidden layer.  (…, 1) -> (…, 1)"""
    return nn.Sequential(linear(1, hidden, generator), nn.ReLU(), linear(hidden, 1, generator))
