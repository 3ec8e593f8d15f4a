"""The structural part of Neo-GNN: common neighbours whose worth is learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor, nn

from hlgnn.baselines.common_neighbors import common_neighbors
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
    """

    matrix: csr_array
    worth: Tensor

    def overlap(self, pairs: Tensor) -> Tensor:
        """o_ij = Σ_k (S_ik x_k)(S_jk x_k).  (P, 2) -> (P,)"""
        rows = self.matrix
        found = common_neighbors(rows.indptr.astype(np.int64), rows.indices, pairs.numpy())
        both = csr_array(
            (rows.data[found.left] * rows.data[found.right], rows.indices[found.left], found.offset),
            shape=(len(pairs), len(self.worth)),
        )
        return sparse_product(both, self.worth[:, None]).squeeze(1)


class NodeStructure(nn.Module):
    """x_k = f_node(Σ_i f_edge(S_ik)), both perceptrons of one number."""

    def __init__(self, edge_hidden: int, node_hidden: int, generator: torch.Generator) -> None:
        super().__init__()
        self.of_edge = number_perceptron(edge_hidden, generator)
        self.of_node = number_perceptron(node_hidden, generator)

    def forward(self, walks: Walks) -> Structure:
        """The sum over a column is that over a row, since S is symmetric."""
        sums = sparse_product(walks.counts, self.of_edge(walks.distinct[:, None]))  # (N, 1)
        return Structure(walks.matrix, self.of_node(sums).squeeze(1).square())


def number_perceptron(hidden: int, generator: torch.Generator) -> nn.Sequential:
    """A perceptron of one number with one hidden layer.  (…, 1) -> (…, 1)"""
    return nn.Sequential(linear(1, hidden, generator), nn.ReLU(), linear(hidden, 1, generator))
