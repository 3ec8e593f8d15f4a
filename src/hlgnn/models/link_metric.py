"""A metric of features that the known links define: which features stand at the two ends of a link.

Two nodes without a common word may still be the kind that is linked, if one is like a node k, the other like a node l,
and k and l are linked. With K = X Xᵀ, the similarity of features, that is H = K A K, an instance of A_1 A_2 A_3 (Eq. 1)
with operators that nothing has to be learned for; and K A K = X S Xᵀ with S = Xᵀ A X, so that it is the product of the
rows of X S^½, and every order of propagation has its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor


def link_metric(x: Tensor, links: Tensor) -> Tensor:
    """The root S^½ of S = Σ (x_k x_lᵀ + x_l x_kᵀ) / 2M over the links (k, l).  (N, F), (M, 2) -> (F, F)

    S need not be positive: a direction in which the ends of links differ has a negative eigenvalue, and counts nought.

    Example:
        >>> x = torch.eye(3)  # two kinds of nodes that are linked with each other, and one that is not
        >>> root = link_metric(x, torch.tensor([[0, 1]]))
        >>> (x @ root @ root @ x.T).mul(4).round().abs().int().tolist()
        [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    """
    left, right = x[links[:, 0]], x[links[:, 1]]
    product = (left.T @ right).double() / max(1, len(links))  # (F, F)
    values, vectors = torch.linalg.eigh((product + product.T) / 2)
    root: Tensor = (vectors * values.clamp(min=0).sqrt()) @ vectors.T
    return root.to(x.dtype)
