"""A formulation on a graph, as kernels see it: arrays, and the product in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from hlgnn.errors import GraphFormatError, SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import Operator

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.formulation import Formulation
    from hlgnn.graph import Graph

    Floats = npt.NDArray[np.float64]
    Nodes = npt.NDArray[np.int64]


class Weights(NamedTuple):
    """Ã and its degrees as arrays.

    Attributes:
        offset: Where each row starts.  (N + 1,), int64
        neighbor: The neighbours, row by row.  (E,), int32
        weight: The weight of each edge, or empty when all are one.  (E,) or (0,)
        loop: The diagonal of Ã: one with self-loops, zero without.
        inverse: 1 / d̃.  (N,)
        root: 1 / √d̃.  (N,)
    """

    offset: npt.NDArray[np.int64]
    neighbor: npt.NDArray[np.int32]
    weight: npt.NDArray[Any]
    loop: float
    inverse: npt.NDArray[Any]
    root: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Chain:
    """C = Σ β_l A_1 ⋯ A_l; the formulation is s_i C_ij, or s_i C_ji when ``flipped``.

    Attributes:
        weights: Ã and its degrees.
        operators: A_1 … A_L as weights over the matrices of Table 1.  (L, 4)
        betas: β_0 … β_L.  (L + 1,)
        flipped: Whether C is the transpose of what was asked for.
        scale: s, or ``None`` for ones.  (N,)
        uniform: Whether all operators are the same, so that C is a polynomial of one matrix.
    """

    weights: Weights
    operators: Floats
    betas: Floats
    flipped: bool
    scale: Floats | None
    uniform: bool

    @property
    def num_nodes(self) -> int:
        """N."""
        return len(self.weights.offset) - 1

    @property
    def num_edges(self) -> int:
        """E, with the self-loops if there are any."""
        return len(self.weights.neighbor) + (self.num_nodes if self.weights.loop else 0)

    @property
    def depth(self) -> int:
        """L, after trailing zeros of β are dropped."""
        return len(self.operators)

    @property
    def operator(self) -> Operator | None:
        """The operator that is repeated, or ``None`` if they differ or there is none."""
        return Operator(*self.operators[0].tolist()) if self.uniform and self.depth else None


def chain_of(formulation: Formulation, graph: Graph, *, dtype: torch.dtype = torch.float64) -> Chain:
    """The arrays of ``formulation`` on ``graph``.

    The recurrence Σ β_l A_l ⋯ A_1 of Eq. 2 is the transpose of Σ β_l A_1ᵀ ⋯ A_lᵀ, which is in the reading order of
    Eq. 1.
    """
    if formulation.tilts:
        raise SettingsError(
            "Tilted operators are scored for lists of pairs only.",
            where=f"formulation {formulation.name!r}",
            hint="Ask for the scores of pairs, or train with operators 'sym' or 'mixture'.",
        )
    normal = normalize(graph.adjacency, self_loops=formulation.self_loops, dtype=dtype)
    weight = torch.zeros(0, dtype=dtype) if normal.weight is None else normal.weight
    used = max((order for order, beta in enumerate(formulation.betas) if beta != 0), default=0)
    flipped = formulation.order == "recurrence"
    operators = [each.transposed if flipped else each for each in formulation.operators[:used]]
    weights = Weights(
        graph.adjacency.offset.numpy(),
        graph.adjacency.neighbor.numpy(),
        weight.numpy(),
        float(formulation.self_loops),
        normal.inverse.numpy(),
        normal.root.numpy(),
    )
    return Chain(
        weights,
        np.array(operators, dtype=np.float64).reshape(-1, 4),
        np.array(formulation.betas[: used + 1], dtype=np.float64),
        flipped,
        degree_scale(graph, self_loops=formulation.self_loops) if formulation.degree_scale else None,
        len(set(operators)) <= 1,
    )


def degree_scale(graph: Graph, *, self_loops: bool) -> Floats:
    """d̃_i / 2M, zero on a graph without links; M counts the links, or their weight.  (N,)"""
    degree = normalize(graph.adjacency, self_loops=self_loops).degree
    twice = float(degree.sum()) - (graph.num_nodes if self_loops else 0)
    scale = degree / twice if graph.num_links else torch.zeros_like(degree)
    return np.asarray(scale.numpy())


def node_numbers(wanted: Tensor, num_nodes: int) -> Nodes:
    """Nodes as an array that kernels may trust.  (S,)

    Raises:
        GraphFormatError: If one of them is not a node of the graph.
    """
    outside = wanted[(wanted < 0) | (wanted >= num_nodes)]
    if len(outside):
        raise GraphFormatError(f"There is no node {int(outside[0])} in a graph of {num_nodes} nodes.")
    return np.ascontiguousarray(wanted.numpy(), dtype=np.int64)
