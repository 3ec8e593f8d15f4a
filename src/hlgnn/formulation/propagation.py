"""H X without H: products with one operator, and the two orders in which Eq. 1 and Eq. 2 chain them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.formulation.kernels import choose
from hlgnn.formulation.kernels.room import room_like

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

# Transposing an operator (adj, sym, row, col) swaps its last two weights.
TRANSPOSED = (0, 1, 3, 2)


def multiply(normalized: Normalized, operator: Tensor, x: Tensor) -> Tensor:
    """A X with A = adj Ã + sym D^-½ Ã D^-½ + row D^-1 Ã + col Ã D^-1 (Eq. 3).  (4,), (N, F) -> (N, F)

    Differentiable in ``operator`` and ``x``.

    Example:
        >>> from hlgnn.formulation.normalization import normalize
        >>> from hlgnn.graph import path
        >>> normalized = normalize(path(3).adjacency)
        >>> x = torch.tensor([[6.0], [0.0], [0.0]], dtype=torch.float64)
        >>> multiply(normalized, torch.tensor([0.0, 0.0, 1.0, 0.0]), x).flatten().tolist()
        [3.0, 2.0, 0.0]
    """
    product: Tensor = _Multiply.apply(normalized, operator, x)  # type: ignore[no-untyped-call]
    return product


def recurrence(normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """Z = Σ_l β_l Z_l with Z_0 = X and Z_l = A_l Z_(l-1) (Eq. 2).  (L, 4), (L + 1,), (N, F) -> (N, F)

    That is Σ β_l A_l ⋯ A_1 X. Differentiable in everything; autograd then keeps all layers, which
    ``polynomial`` and ``checkpointed_recurrence`` do not.
    """
    if not needs_gradient(operators, beta, x):
        return recur(normalized, operators, beta, x)
    z, total = x, beta[0] * x  # (N, F)
    for operator, weight in zip(operators, beta[1:], strict=True):
        z = multiply(normalized, operator, z)
        total = total + weight * z
    return total


def horner(normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """H X with H = Σ_l β_l A_1 ⋯ A_l (Eq. 1), as β_0 X + A_1 (β_1 X + A_2 (β_2 X + …)).

    (L, 4), (L + 1,), (N, F) -> (N, F). Differentiable in everything; autograd then keeps all layers, which
    ``polynomial`` and ``checkpointed_horner`` do not.
    """
    if not needs_gradient(operators, beta, x):
        return nest(normalized, operators, beta, x)
    z = beta[-1] * x  # (N, F)
    for operator, weight in zip(operators.flip(0), beta[:-1].flip(0), strict=True):
        z = multiply(normalized, operator, z) + weight * x
    return z


def recur(normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """``recurrence`` without gradients: sums are formed in the pass of the product, and two layers exist at a time."""
    kernel = choose(x)
    z, spare, total = x, None, beta[0] * x  # (N, F)
    for operator, weight in zip(operators, beta[1:], strict=True):
        product = kernel.accumulated(normalized, operator, z, weight, total, out=spare)
        z, spare = product, None if z is x else z
    return total


def nest(normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """``horner`` without gradients, two layers at a time."""
    kernel = choose(x)
    z, spare = torch.mul(x, beta[-1], out=room_like(x)), None  # (N, F)
    for operator, weight in zip(operators.flip(0), beta[:-1].flip(0), strict=True):
        z, spare = kernel.shifted(normalized, operator, z, weight, x, out=spare), z
    return z


def needs_gradient(*tensors: Tensor) -> bool:
    """Whether autograd would record an operation on these."""
    return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)


class _Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, normalized: Normalized, operator: Tensor, x: Tensor) -> Tensor:
        ctx.normalized = normalized
        ctx.save_for_backward(operator, *([x] if ctx.needs_input_grad[1] else []))
        return choose(x).forward(normalized, operator, x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor | None, Tensor]:
        operator, *inputs = ctx.saved_tensors
        kernel = choose(grad)
        if not inputs:
            return None, None, kernel.forward(ctx.normalized, operator[list(TRANSPOSED)], grad)
        grad_x, grad_operator = kernel.backward(ctx.normalized, operator, inputs[0], grad)
        return None, grad_operator, grad_x
