"""What the links of all other nodes say about a link: ridge regression of the graph on itself, in closed form.

An operator that is learned without a single step: B minimises ‖A − A B‖² + λ Σ_kj d_k B_kj² under B_jj = 0, so that
A B is an instance of A_1 A_2 (Eq. 1) whose second operator says of each node k how far a link to it speaks for one to
j. No link counts for itself, since no node is explained by itself. The same problem without degrees in the penalty is
the shallow autoencoder of Steck (2019).
"""

from __future__ import annotations

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


def regression(pattern: Normalized, penalties: tuple[float, ...], dtype: torch.dtype = torch.float32) -> Tensor:
    """(A B + Bᵀ A) / 2 for each penalty.  -> (K, N, N)

    With P = (A² + λ D)⁻¹ the best B is I − P diag(P)⁻¹. It is computed as D^-½ A² D^-½ + λ I, whose condition does not
    depend on the degrees.

    Args:
        pattern: The message graph without self-loops and weights.
        penalties: λ: a node of d links has to gain more than λ d squared errors for a weight of one.
        dtype: What it is computed in.

    Raises:
        SettingsError: If the graph is too large for a dense matrix.

    Example:
        >>> from hlgnn.formulation.normalization import normalize
        >>> from hlgnn.graph import karate_club
        >>> found = regression(normalize(karate_club().adjacency, self_loops=False), (1.0,))
        >>> f"{found[0, 7, 33]:.3f} {found[0, 14, 16]:.3f}"  # no links, the first a likely one
        '0.311 -0.003'
    """
    count = pattern.num_nodes
    if count > MOST_NODES:
        raise SettingsError(
            f"Regression keeps {count:,} × {count:,} numbers, for at most {MOST_NODES:,} nodes.",
            where="head.regression",
            hint="Set it to [].",
        )
    adjacency = _matrix(pattern, dtype)
    root = pattern.degree.to(dtype).clamp(min=1.0).rsqrt()  # (N,)
    alike = torch.from_numpy((adjacency @ adjacency).toarray())  # (N, N)
    alike.mul_(root[:, None]).mul_(root)
    found = torch.empty(len(penalties), count, count, dtype=dtype)
    for penalty, out in zip(penalties, found, strict=True):
        out.copy_(_explained(adjacency, alike, root, penalty))
    return found


def regression_numbers(explained: Tensor, pairs: Tensor) -> Tensor:
    """The entries of each matrix.  (K, N, N), (P, 2) -> (P, K)"""
    return explained[:, pairs[:, 0], pairs[:, 1]].T.contiguous()


def regression_names(penalties: tuple[float, ...]) -> list[str]:
    """What the numbers are called."""
    return [f"regression on the links of other nodes, penalty {penalty:g}" for penalty in penalties]


def _explained(adjacency: csr_array, alike: Tensor, root: Tensor, penalty: float) -> Tensor:
    """(A B + Bᵀ A) / 2.  (N, N)"""
    penalized = alike.clone()
    penalized.diagonal().add_(penalty)
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(penalized))
    inverse.mul_(root[:, None]).mul_(root)  # P
    own = inverse.diagonal().clone()
    explained = torch.from_numpy(adjacency @ inverse.numpy()).div_(-own)  # -A P diag(P)⁻¹
    explained += torch.from_numpy(adjacency.toarray())
    return torch.add(explained, explained.T).mul_(0.5)


def _matrix(pattern: Normalized, dtype: torch.dtype) -> csr_array:
    """A with its stored entries.  (N, N)"""
    adjacency = pattern.adjacency
    ones: Any = np.ones(adjacency.num_edges, dtype=torch.empty(0, dtype=dtype).numpy().dtype)
    shape = (pattern.num_nodes, pattern.num_nodes)
    return csr_array((ones, adjacency.neighbor.numpy(), adjacency.offset.numpy()), shape=shape)
