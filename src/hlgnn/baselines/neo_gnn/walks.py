"""S = A + β A² + …: how many short walks lead from node to node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
