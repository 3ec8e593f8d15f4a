"""A graph as an operator sees it: weights of edges and loops, and the degrees that divide them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Adjacency


@dataclass(frozen=True, eq=False)
class Normalized:
    """Ã and its row sums.

    With ``self_loops`` Ã = A + I, as the paper has it; without them Ã = A, as networkx counts. On a weighted graph the
    entries of A are the weights, a self-loop weighs one, and a degree is a sum of weights.

    Attributes:
        adjacency: The pattern, without self-loops.
        self_loops: Whether every node is its own neighbour.
        degree: d̃, the row sums of Ã.  (N,)
        inverse: 1 / d̃, zero where d̃ is.  (N,)
        root: 1 / √d̃, zero where d̃ is.  (N,)
        weight: The weight of each stored edge, or ``None`` when all are one.  (E,)
    """

    adjacency: Adjacency
    self_loops: bool
    degree: Tensor
    inverse: Tensor
    root: Tensor
    weight: Tensor | None

    @property
    def num_nodes(self) -> int:
        """N."""
        return self.adjacency.num_nodes


def normalize(adjacency: Adjacency, *, self_loops: bool = True, dtype: torch.dtype = torch.float64) -> Normalized:
    """Sum up the rows of Ã and invert the sums.

    In numpy on the calling thread: the threads of torch go on waiting for work for a while, and would take the
    processors from the kernels that come next.
    """
    weight = None if adjacency.weight is None else adjacency.weight.to(dtype)
    if adjacency.weight is None:
        degree = adjacency.degree.numpy().astype(np.float64)
    else:
        edges = adjacency.weight.double().numpy()
        sums = np.bincount(adjacency.source.numpy(), weights=edges, minlength=adjacency.num_nodes)
        degree = sums.astype(np.float64)  # without edges they are whole numbers
    if self_loops:
        degree = degree + 1.0
    inverse = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    as_tensor = functools.partial(torch.as_tensor, dtype=dtype)
    return Normalized(adjacency, self_loops, as_tensor(degree), as_tensor(inverse), as_tensor(np.sqrt(inverse)), weight)
