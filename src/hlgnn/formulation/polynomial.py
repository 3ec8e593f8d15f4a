"""Σ β_l A^l X with one fixed operator, trained in the memory of X alone (Sect. 4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.errors import SettingsError
from hlgnn.formulation.kernels import choose
from hlgnn.formulation.propagation import TRANSPOSED, nest

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


def polynomial(normalized: Normalized, operator: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """Z = Σ_{l=0}^{L} β_l A^l X, differentiable in ``beta`` and ``x``.  (4,), (L + 1,), (N, F) -> (N, F)

    With G_0 = ∂Z and G_(l+1) = Aᵀ G_l the gradients are ∂β_l = ⟨G_l, X⟩ and ∂X = Σ β_l G_l: no layer is kept between
    forward and backward, only X, and X only if ``beta`` is learned. Memory is O(N F) at any depth.

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
        return nest(normalized, operator.expand(len(beta) - 1, -1), beta, x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, None, Tensor | None, Tensor]:
        operator, beta, *inputs = ctx.saved_tensors
        kernel, transposed = choose(grad), operator[list(TRANSPOSED)]
        layer, spare, total = grad, None, beta[0] * grad  # (N, F)
        products = [dot(grad, x) for x in inputs]
        for weight in beta[1:]:
            if inputs:
                product, inner = kernel.projected(
                    ctx.normalized, transposed, layer, weight, total, inputs[0], out=spare
                )
                products.append(inner)
            else:
                product = kernel.accumulated(ctx.normalized, transposed, layer, weight, total, out=spare)
            layer, spare = product, None if layer is grad else layer
        return None, None, torch.stack(products).to(beta) if products else None, total


def dot(left: Tensor, right: Tensor) -> Tensor:
    """Σ_ij left_ij right_ij without a product of their size.  (N, F), (N, F) -> ()"""
    return torch.dot(left.reshape(-1), right.reshape(-1))
