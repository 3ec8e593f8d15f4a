"""Σ β_l A^l X with one fixed operator, trained in the memory of X alone (Sect. 4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.errors import SettingsError
from hlgnn.formulation.kernels import choose
from hlgnn.formulation.kernels.numba_lanes import LANES
from hlgnn.formulation.propagation import TRANSPOSED, nest

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


BLOCK = 1 << 24


def polynomial(normalized: Normalized, operator: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """Z = Σ_{l=0}^{L} β_l A^l X, differentiable in ``beta`` and ``x``.  (4,), (L + 1,), (N, F) -> (N, F)

    With G_0 = ∂Z and G_(l+1) = Aᵀ G_l the gradients are ∂β_l = ⟨G_l, X⟩ and ∂X = Σ β_l G_l: no layer is kept between
    forward and backward, only X, and X only if ``beta`` is learned. Memory is O(N F) at any depth: the gradients, and
    some blocks of columns.

    Example:
        >>> from hlgnn.formulation.normalization import normalize
        >>> from hlgnn.graph import path
        >>> normalized = normalize(path(2).adjacency)
        >>> beta = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> z = polynomial(normalized, torch.tensor([1.0, 0.0, 0.0, 0.0]), beta, torch.tensor([[1.0], [0.0]]))
        >>> z.flatten().tolist()
        [3.0, 2.0]
        >>> z.sum().backward()
        >>> beta.grad.tolist()
        [1.0, 2.0]

    Raises:
        SettingsError: If the operator wants a gradient: then the layers are needed.
    """
    if operator.requires_grad:
        raise SettingsError("polynomial has no gradient for its operator.", hint="Use checkpointed_horner.")
    z: Tensor = _Polynomial.apply(normalized, operator, beta, x)  # type: ignore[no-untyped-call]
    return z


class _Polynomial(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, normalized: Normalized, operator: Tensor, beta: Tensor, x: Tensor) -> Tensor:
        ctx.normalized = normalized
        ctx.save_for_backward(operator, beta, *([x] if ctx.needs_input_grad[2] else []))
        operators, blocks = operator.expand(len(beta) - 1, -1), column_blocks(*x.shape)
        if len(blocks) == 1:
            return nest(normalized, operators, beta, x)
        z = torch.empty_like(x)  # (N, F)
        for columns in blocks:
            z[:, columns] = nest(normalized, operators, beta, x[:, columns])
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, None, Tensor | None, Tensor]:
        operator, beta, *inputs = ctx.saved_tensors
        transposed, products = operator[list(TRANSPOSED)], torch.zeros(len(beta), dtype=torch.float64)
        total = beta[0] * grad  # (N, F)
        for columns in column_blocks(*grad.shape):
            x = inputs[0][:, columns] if inputs else None
            products += _pull_back(ctx.normalized, transposed, beta, grad[:, columns], total[:, columns], x)
        return None, None, products.to(beta) if inputs else None, total


def _pull_back(
    normalized: Normalized, operator: Tensor, beta: Tensor, grad: Tensor, total: Tensor, x: Tensor | None
) -> Tensor:
    """Add β_l G_l to ``total`` for l ≥ 1, and return ⟨G_l, X⟩ for all l.  (N, B), (N, B), (N, B) -> (L + 1,)"""
    kernel, products = choose(grad), torch.zeros(len(beta), dtype=torch.float64)
    layer, spare = grad.contiguous(), None  # (N, B)
    if x is not None:
        products[0] = dot(layer, x)
    for order, weight in enumerate(beta[1:], start=1):
        if x is None:
            product = kernel.accumulated(normalized, operator, layer, weight, total, out=spare)
        else:
            product, products[order] = kernel.projected(normalized, operator, layer, weight, total, x, out=spare)
        ours = order > 1 or not grad.is_contiguous()
        layer, spare = product, layer if ours else None
    return products


def column_blocks(num_nodes: int, width: int) -> list[slice]:
    """Columns that are pulled back together, so that what exists beside the gradients is small.

    Columns do not meet in a product with A. Up to ``BLOCK`` numbers all are taken at once; more are taken in blocks of
    ``LANES``, whose rows fit into registers.

    Example:
        >>> column_blocks(1_000_000, 150)
        [slice(0, 128, None), slice(128, 150, None)]
    """
    step = width if num_nodes * width <= BLOCK else LANES
    return [slice(start, min(start + step, width)) for start in range(0, width, max(1, step))]


def dot(left: Tensor, right: Tensor) -> Tensor:
    """Σ_ij left_ij right_ij without a product of their size.  (N, F), (N, F) -> ()"""
    return torch.dot(left.reshape(-1), right.reshape(-1))
