"""A = D^-(1-s) Ã D^-s: between row, symmetric and column normalisation, always with the spectrum of Ã_sym."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils.checkpoint import checkpoint

from hlgnn.formulation.layer_storage import LayerStorage, groups, upper_root
from hlgnn.formulation.propagation import multiply, needs_gradient

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

ROOT = LayerStorage()
SYMMETRIC = (0.0, 1.0, 0.0, 0.0)


def tilt(normalized: Normalized, share: Tensor, dtype: torch.dtype) -> Tensor:
    """T = D^(s - ½), zero for nodes of degree zero: A = T Ã_sym T^-1.  () -> (N,)"""
    degree = normalized.degree.double()
    powers = torch.exp((share.double() - 0.5) * degree.clamp(min=1e-300).log())
    return torch.where(degree > 0, powers, 0.0).to(dtype)


def tilted_product(normalized: Normalized, share: Tensor, x: Tensor) -> Tensor:
    """D^-(1-s) Ã D^-s X, differentiable in s and X.  (), (N, F) -> (N, F)

    Example:
        >>> from hlgnn.formulation.normalization import normalize
        >>> from hlgnn.graph import path
        >>> x = torch.tensor([[6.0], [0.0], [0.0]], dtype=torch.float64)
        >>> product = tilted_product(normalize(path(3).adjacency), torch.tensor(0.0), x)  # s = 0: rows sum to one
        >>> [round(value, 6) for value in product.flatten().tolist()]
        [3.0, 2.0, 0.0]
    """
    operator = torch.tensor(SYMMETRIC, dtype=x.dtype, device=x.device)
    outside = tilt(normalized, share, x.dtype)[:, None]  # (N, 1)
    inside = tilt(normalized, 1 - share, x.dtype)[:, None]
    return outside * multiply(normalized, operator, inside * x)


def geometric(
    normalized: Normalized,
    shares: Tensor,
    beta: Tensor,
    x: Tensor,
    *,
    reading: bool = False,
    storage: LayerStorage = ROOT,
) -> Tensor:
    """Z = Σ β_l A_l ⋯ A_1 X (Eq. 2), or Σ β_l A_1 ⋯ A_l X (Eq. 1) if ``reading``.  (L,), (L + 1,), (N, F) -> (N, F)

    At most 2 ⌈√L⌉ layers are kept for the backward pass, others computed again, unless ``storage`` asks for all.
    """
    step = _read if reading else _recur
    z, total = (beta[-1] * x, x) if reading else (x, beta[0] * x)
    layers = groups(len(shares), 2 * upper_root(len(shares)))
    for segment in reversed(layers) if reading else layers:
        if needs_gradient(shares, beta, x) and storage.layers != "all":
            z, total = checkpoint(step, normalized, shares, beta, segment, z, total, use_reentrant=False)
        else:
            z, total = step(normalized, shares, beta, segment, z, total)
    return z if reading else total


def _recur(
    normalized: Normalized, shares: Tensor, beta: Tensor, segment: range, z: Tensor, total: Tensor
) -> tuple[Tensor, Tensor]:
    for level in segment:
        z = tilted_product(normalized, shares[level], z)
        total = total + beta[level + 1] * z
    return z, total


def _read(
    normalized: Normalized, shares: Tensor, beta: Tensor, segment: range, z: Tensor, x: Tensor
) -> tuple[Tensor, Tensor]:
    for level in reversed(segment):
        z = tilted_product(normalized, shares[level], z) + beta[level] * x
    return z, x
