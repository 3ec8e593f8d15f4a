"""The specification that every other kernel is tested against: dense matrices, literally Table 1 and Eq. 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


def matrices(normalized: Normalized) -> Tensor:
    """Ã, D^-½ Ã D^-½, D^-1 Ã and Ã D^-1 (Table 1).  (4, N, N)"""
    adjacency, inverse, root = normalized.adjacency, normalized.inverse, normalized.root
    plain = torch.zeros(normalized.num_nodes, normalized.num_nodes, dtype=inverse.dtype)
    plain[adjacency.source, adjacency.neighbor.long()] = 1 if normalized.weight is None else normalized.weight
    if normalized.self_loops:
        plain += torch.eye(len(plain), dtype=plain.dtype)
    return torch.stack([plain, root[:, None] * plain * root, inverse[:, None] * plain, plain * inverse])


def forward(normalized: Normalized, operator: Tensor, x: Tensor) -> Tensor:
    """A X.  (4,), (N, F) -> (N, F)"""
    return torch.einsum("k,kij,jf->if", operator.to(x), matrices(normalized).to(x), x)


def backward(normalized: Normalized, operator: Tensor, x: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    """Aᵀ G, and ⟨G, ∂A/∂operator X⟩ for each of the four.  (4,), (N, F), (N, F) -> (N, F), (4,)"""
    table = matrices(normalized).to(x)
    grad_x = torch.einsum("k,kij,if->jf", operator.to(x), table, grad)
    return grad_x, torch.einsum("if,kij,jf->k", grad, table, x).to(operator)


def pulled(
    normalized: Normalized,
    operator: Tensor,
    x: Tensor,
    grad: Tensor,
    weight: Tensor,
    base: Tensor,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """``backward`` + weight · B, and ⟨X, B⟩.  -> (N, F), (4,), ()"""
    grad_x, grad_operator = backward(normalized, operator, x, grad)
    return torch.add(grad_x, weight * base, out=out), grad_operator, (x * base).sum()


def shifted(
    normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, x: Tensor, out: Tensor | None = None
) -> Tensor:
    """A Z + weight · X, a step of Horner's rule.  (4,), (N, F), (), (N, F) -> (N, F)"""
    return torch.add(forward(normalized, operator, z), weight * x, out=out)


def accumulated(
    normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, total: Tensor, out: Tensor | None = None
) -> Tensor:
    """A Z; adds weight · A Z to ``total`` in place, a step of the recurrence.  (4,), (N, F), (), (N, F) -> (N, F)"""
    product = forward(normalized, operator, z)
    if out is not None:
        product = out.copy_(product)
    total += weight * product
    return product


def projected(
    normalized: Normalized,
    operator: Tensor,
    z: Tensor,
    weight: Tensor,
    total: Tensor,
    x: Tensor,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """``accumulated``, and ⟨A Z, X⟩.  -> (N, F), ()"""
    product = accumulated(normalized, operator, z, weight, total, out)
    return product, (product * x).sum()
