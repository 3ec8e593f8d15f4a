"""What the links of all other nodes say about a link: ridge regression of the graph on itself, in closed form.

An operator that is learned without a single step: B minimises ‖A − A B‖² + λ Σ_kj d_k B_kj² under B_jj = 0, so that
A B is an instance of A_1 A_2 (Eq. 1) whose second operator says of each node k how far a link to it speaks for one to
j. No link counts for itself, since no node is explained by itself. The same problem without degrees in the penalty is
the shallow autoencoder of Steck (2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.sparse import csr_array

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

# N × N numbers are kept for each penalty and each message graph.
MOST_NODES = 20_000


@dataclass(frozen=True, eq=False)
class GraphRegression:
    """A message graph as it is regressed on itself.

    Attributes:
        adjacency: A, without self-loops and weights.  (N, N)
        alike: D^-½ A² D^-½, whose condition with λ I added does not depend on the degrees.  (N, N)
        root: D^-½.  (N,)
    """

    adjacency: csr_array
    alike: Tensor
    root: Tensor

    def explained(self, penalty: float) -> Tensor:
        """(A B + Bᵀ A) / 2, where with P = (A² + λ D)⁻¹ the best B is I − P diag(P)⁻¹.  (N, N)

        Args:
            penalty: λ: a node of d links has to save more than λ d squared errors for a weight of one.
        """
        penalized = self.alike.clone()
        penalized.diagonal().add_(penalty)
        inverse = torch.cholesky_inverse(torch.linalg.cholesky(penalized))
        inverse.mul_(self.root[:, None]).mul_(self.root)  # P
        own = inverse.diagonal().clone()
        explained = torch.from_numpy(self.adjacency @ inverse.numpy()).div_(-own)  # -A P diag(P)⁻¹
        explained += torch.from_numpy(self.adjacency.toarray())
        return torch.add(explained, explained.T).mul_(0.5)


def graph_regression(
    pattern: Normalized, dtype: torch.dtype = torch.float32, *, where: str = "head.regression"
) -> GraphRegression:
    """What the regressions of a message graph without self-loops and weights share, whatever their penalty.

    Args:
        pattern: The graph.
        dtype: In which precision they are solved.
        where: Which setting asks for them, for the error.

    Raises:
        SettingsError: If the graph is too large for a dense matrix.

    Example:
        >>> from hlgnn.formulation.normalization import normalize
        >>> from hlgnn.graph import karate_club
        >>> found = graph_regression(normalize(karate_club().adjacency, self_loops=False)).explained(1.0)
        >>> f"{found[7, 33]:.3f} {found[14, 16]:.3f}"  # no links, the first a likely one
        '0.311 -0.003'
    """
    count = pattern.num_nodes
    if count > MOST_NODES:
        raise SettingsError(
            f"Regression takes {count:,} × {count:,} numbers; it is for at most {MOST_NODES:,} nodes.",
            where=where,
            hint="Set it to [], or choose another model." if where == "head.regression" else "Choose another model.",
        )
    adjacency = _matrix(pattern, dtype)
    root = pattern.degree.to(dtype).clamp(min=1.0).rsqrt()
    alike = torch.from_numpy((adjacency @ adjacency).toarray())
    return GraphRegression(adjacency, alike.mul_(root[:, None]).mul_(root), root)


def regressions(pattern: Normalized, penalties: tuple[float, ...], dtype: torch.dtype = torch.float32) -> Tensor:
    """One matrix for each penalty.  -> (K, N, N)"""
    shared = graph_regression(pattern, dtype)
    found = torch.empty(len(penalties), pattern.num_nodes, pattern.num_nodes, dtype=dtype)
    for penalty, out in zip(penalties, found, strict=True):
        out.copy_(shared.explained(penalty))
    return found


def regression_numbers(explained: Tensor, pairs: Tensor) -> Tensor:
    """The entries of each matrix.  (K, N, N), (P, 2) -> (P, K)"""
    return explained[:, pairs[:, 0], pairs[:, 1]].T.contiguous()


def regression_names(penalties: tuple[float, ...]) -> list[str]:
    """What the numbers are called."""
    return [f"regression on the links of other nodes, penalty {penalty:g}" for penalty in penalties]


def _matrix(pattern: Normalized, dtype: torch.dtype) -> csr_array:
    """A with its stored entries.  (N, N)"""
    adjacency = pattern.adjacency
    ones: Any = np.ones(adjacency.num_edges, dtype=torch.empty(0, dtype=dtype).numpy().dtype)
    shape = (pattern.num_nodes, pattern.num_nodes)
    return csr_array((ones, adjacency.neighbor.numpy(), adjacency.offset.numpy()), shape=shape)
