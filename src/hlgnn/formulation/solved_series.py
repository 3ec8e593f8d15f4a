"""Sums over all orders by solving equations, for graphs on which walks of so many orders would take long.

Σ_{l ≥ 1} r^l A^l = (I − r A)⁻¹ − I. With S = Ã or D^-½ Ã D^-½, I − r S is symmetric and positive definite wherever the
sum converges, and the other two matrices of Table 1 are D^∓½ S D^±½. Conjugate gradients solve for a column of it in a
fraction of the products that the sum has terms, and what is left of the equations bounds the error: an eigenvalue of
I − r S is at least 1 − q with q = r λ, so that no entry is wrong by more than ‖rest‖ / (1 − q).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.formulation.blocks import BlockPlan, entries_of_blocks, plan_blocks
from hlgnn.formulation.chain import chain_of
from hlgnn.formulation.conjugate_kernels import conjugate_gradients
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.kernels.room import room
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.operators import ADJ, COL, SYM

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.blocks import Columns
    from hlgnn.formulation.chain import Chain, Floats, Nodes
    from hlgnn.formulation.operators import Operator
    from hlgnn.graph import Graph
    from hlgnn.progress import Progress

EDGES_OF_A_NODE = 4.0
"""What a step costs for each node beside the product, counted in edges."""
ARRAYS = 4
"""Columns in double precision for each one that is solved for."""
LEAST_REST = 1e-13
"""Double precision does not carry the rest of the equations further."""


@dataclass(frozen=True, eq=False)
class Equations:
    """(I − r S) X = E for one end of every pair.

    Attributes:
        chain: Ã.
        root: The diagonal of R, where S = R Ã R.  (N,)
        ratio: r.
        own: The end of each pair whose column is solved for: the side with fewer different nodes.  (P,)
        other: The entry that is wanted of it.  (P,)
        factor: What an entry of X is multiplied by.  (P,)
        unique: The different nodes of ``own``.  (U,)
        enough: The norm of the rest that is small enough for each of them.  (U,)
        most: More steps are not needed but for rounding.
    """

    chain: Chain
    root: Floats
    ratio: float
    own: Nodes
    other: Nodes
    factor: Floats
    unique: Nodes
    enough: Floats
    most: int

    @property
    def edges(self) -> float:
        """What all columns cost at most, counted in edges that are followed."""
        return float(self.most) * len(self.unique) * (self.chain.num_edges + EDGES_OF_A_NODE * self.chain.num_nodes)

    def pay(self, depth: int, memory: int) -> bool:
        """Whether they can be solved, and sooner than walks of so many orders are done, whatever steps it takes."""
        precise = float(self.enough.min(initial=1.0)) >= LEAST_REST
        fits = (ARRAYS * 8 + 2) * self.chain.num_nodes <= memory
        return precise and fits and self.edges < float(depth) * len(self.unique) * self.chain.num_edges

    def plan(self, memory: int) -> BlockPlan:
        """Blocks of columns.

        Raises:
            SettingsError: If a single column is too much.
        """
        return plan_blocks(self.chain, len(self.unique), memory, rows=False, copies=ARRAYS - 2)

    def columns(self, nodes: Nodes) -> Columns:
        """(I − r S)⁻¹ for these nodes.  (B,) -> (N, B)"""
        work = [room((self.chain.num_nodes, len(nodes))) for _ in range(ARRAYS)]
        enough = self.enough[np.searchsorted(self.unique, nodes)]
        conjugate_gradients(self.chain.weights, self.root, self.ratio, nodes, enough, 2 * self.most, *work)
        return work[0]

    def sums(self, memory: int, progress: Progress, what: str) -> Tensor:
        """Σ_{l ≥ 1} r^l A^l at each pair.  (P,)"""
        entries = entries_of_blocks(self.own, self.other, self.plan(memory), self.columns, progress=progress, what=what)
        entries -= self.own == self.other
        return torch.from_numpy(np.maximum(entries, 0.0) * self.factor)


def equations_of(
    graph: Graph, operator: Operator, ratio: float, q: float, pairs: Tensor, tolerance: float, *, self_loops: bool
) -> Equations:
    """What to solve so that no sum is wrong by more than ``tolerance``; q = r λ is below one.  (P, 2)

    Example:
        >>> from hlgnn.graph import path
        >>> from hlgnn.progress import silent
        >>> one = torch.tensor([[0, 2]])
        >>> equations = equations_of(path(3), ADJ, 0.5, 0.75, one, 1e-9, self_loops=False)
        >>> round(float(equations.sums(1 << 20, silent, "")[0]), 6)  # ½ = Σ 2^-l walks of length l
        0.5
    """
    left, right = (np.ascontiguousarray(side.numpy(), dtype=np.int64) for side in pairs.unbind(dim=1))
    chain = chain_of(Formulation("step", (ADJ,), (0.0, 1.0), self_loops=self_loops), graph)
    degree = normalize(graph.adjacency, self_loops=self_loops).degree
    root = torch.where(degree > 0, degree, 1.0).rsqrt().numpy()  # no walk comes to a node without links
    factor = _factor(operator, root, left, right)
    by_left = len(np.unique(left)) <= len(np.unique(right))
    own, other = (left, right) if by_left else (right, left)
    unique, place = np.unique(own, return_inverse=True)
    largest = np.full(len(unique), np.finfo(np.float64).tiny)
    np.maximum.at(largest, place, factor)
    enough = np.minimum(tolerance * (1 - q) / largest, 0.5)
    most = _most_steps(q, float(enough.min(initial=0.5)))
    return Equations(
        chain, np.ones_like(root) if operator == ADJ else root, ratio, own, other, factor, unique, enough, most
    )


def _factor(operator: Operator, root: Floats, left: Nodes, right: Nodes) -> Floats:
    """√(d̃_j / d̃_i) for rows that sum up to one, its inverse for columns; ``root`` is 1 / √d̃.  (P,)"""
    if operator in (ADJ, SYM):
        return np.ones(len(left))
    above, below = (left, right) if operator == COL else (right, left)
    return np.asarray(root[below] / root[above])


def _most_steps(q: float, enough: float) -> int:
    """The k with 2 √κ ((√κ − 1) / (√κ + 1))^k ≤ ``enough``, κ = (1 + q) / (1 − q) the largest condition number.

    Example:
        >>> _most_steps(0.85, 1e-10), _most_steps(0.0, 1e-10)
        (43, 1)
    """
    root = math.sqrt((1 + q) / (1 - q))
    if root <= 1:
        return 1
    return max(1, math.ceil(math.log(2 * root / enough) / math.log((root + 1) / (root - 1))))
