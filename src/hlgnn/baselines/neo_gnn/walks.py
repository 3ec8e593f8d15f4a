"""S = A + β A² + …: how many short walks lead from node to node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph


@dataclass(frozen=True, eq=False)
class Walks:
    """S and the different numbers in it.

    Attributes:
        matrix: S, its columns ascending within a row; symmetric.  (N, N)
        distinct: The different entries.  (D,)
        counts: How often each of them stands in each row.  (N, D)
    """

    matrix: csr_array
    distinct: Tensor
    counts: csr_array

    def scales(self) -> Scales:
        """How many entries a row has, and what the squares of a row sum up to, both on average; 1 without links."""
        num_nodes = max(self.matrix.shape[0], 1)
        squares = float(np.square(self.matrix.data, dtype=np.float64).sum())
        return Scales(self.matrix.nnz / num_nodes or 1.0, squares / num_nodes or 1.0)


class Scales(NamedTuple):
    """What sums of the structural part are divided by.

    Attributes:
        nodes: The sums of f_edge that enter f_node.
        pairs: The overlaps o_ij that enter g.
    """

    nodes: float
    pairs: float


NO_SCALES = Scales(1.0, 1.0)


def count_walks(graph: Graph, order: int, decay: float) -> Walks:
    """Σ_l β^(l-1) A^l for l from 1 to ``order``; weights of links do not count.

    Entries are sums of few different numbers, so that a perceptron has to see each of these once only.
    """
    pattern = graph.to_pattern()
    power = total = pattern
    for step in range(1, order):
        power = csr_array(power @ pattern)
        total = csr_array(total + np.float32(decay**step) * power)
    total.sort_indices()
    value, place = torch.unique(torch.from_numpy(total.data), return_inverse=True)
    ones = np.ones(total.nnz, dtype=np.float32)
    counts = csr_array((ones, place.numpy(), total.indptr.copy()), shape=(graph.num_nodes, len(value)))
    counts.sum_duplicates()
    return Walks(total, value, counts)
