"""Learned operators in the memory of O(√L) layers: 2 √L are kept, the others are computed again (Sect. 4.1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.formulation.kernels import choose
from hlgnn.formulation.polynomial import dot

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


def checkpointed_recurrence(normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """``recurrence`` (Eq. 2) that keeps at most 2 ⌈√L⌉ layers.  (L, 4), (L + 1,), (N, F) -> (N, F)

    With the sums S_L = β_L ∂Z and S_(l-1) = A_lᵀ S_l + β_(l-1) ∂Z the gradients are ∂X = S_0, ∂β_l = ⟨Z_l, ∂Z⟩, and for
    the operator of layer l those of a single product of Z_(l-1) with the gradient S_l.
    """
    z: Tensor = _Recurrence.apply(normalized, operators, beta, x)  # type: ignore[no-untyped-call]
    return z


def checkpointed_horner(normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """``horner`` (Eq. 1) that keeps at most 2 ⌈√L⌉ layers.  (L, 4), (L + 1,), (N, F) -> (N, F)

    With the layers V_L = β_L X, V_(l-1) = A_l V_l + β_(l-1) X of the forward pass and G_0 = ∂Z, G_l = A_lᵀ G_(l-1) of
    the backward pass, the gradients are ∂β_l = ⟨G_l, X⟩, ∂X = Σ β_l G_l, and for the operator of layer l those of a
    single product of V_l with the gradient G_(l-1).
    """
    z: Tensor = _Horner.apply(normalized, operators, beta, x)  # type: ignore[no-untyped-call]
    return z


def segments(depth: int) -> list[range]:
    """The layers in at most 2 ⌈√L⌉ groups of equal size, each of which starts at a layer that is kept.

    Of fifteen layers seven are computed again, and ten would be with √L starts, which need a fifth less memory.

    Example:
        >>> segments(7)
        [range(0, 2), range(2, 4), range(4, 6), range(6, 7)]
    """
    starts = 2 * (math.isqrt(max(depth - 1, 0)) + 1)
    stride = -(-depth // starts) or 1
    return [range(start, min(start + stride, depth)) for start in range(0, depth, stride)]


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
        kernel, z, total, kept, room = choose(x), x, beta[0] * x, [x], None  # (N, F)
        starts = {segment.start for segment in segments(len(operators))} - {0}
        for level, (operator, weight) in enumerate(zip(operators, beta[1:], strict=True)):
            if level in starts:
                kept.append(z)
            product = kernel.accumulated(normalized, operator, z, weight, total, out=room)
            room = None if z is kept[-1] else z  # what is not kept takes the next layer
            z = product
        ctx.normalized = normalized
        ctx.save_for_backward(operators, beta, *kept)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        operators, beta, *kept = ctx.saved_tensors
        kernel, depth = choose(grad), len(operators)
        grad_operators, grad_beta = torch.zeros_like(operators), torch.zeros_like(beta)
        if depth == 0:
            grad_beta[0] = dot(kept[0], grad)
            return None, grad_operators, grad_beta, beta[0] * grad
        # The last layer is pulled back by β_L A_L: ⟨Z_L, ∂Z⟩ is then a sum of four numbers, without Z_L.
        pulled, scale = grad, beta[-1]
        room: list[Tensor] = []
        for segment, start in reversed(list(zip(segments(depth), kept, strict=True))):
            layers = [start]
            for level in segment[:-1]:
                layers.append(kernel.forward(ctx.normalized, operators[level], layers[-1]))
            for level in reversed(segment):
                z, operator, out = layers.pop(), operators[level], room.pop() if room else None
                sums = kernel.pulled(ctx.normalized, scale * operator, z, pulled, beta[level], grad, out=out)
                room += [] if pulled is grad else [pulled]
                pulled, grad_operator, grad_beta[level] = sums
                grad_operators[level] = scale * grad_operator
                if level == depth - 1:
                    grad_beta[depth] = grad_operator @ operator
                    scale = torch.ones_like(scale)
        return None, grad_operators, grad_beta, pulled


class _Horner(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor) -> Tensor:
        kernel, z, kept = choose(x), beta[-1] * x, []  # (N, F)
        ends = {segment.stop for segment in segments(len(operators))} - {len(operators)}
        for level in range(len(operators), 0, -1):
            if level in ends:
                kept.append(z)
            z = kernel.shifted(normalized, operators[level - 1], z, beta[level - 1], x)
        ctx.normalized = normalized
        ctx.save_for_backward(operators, beta, x, *kept)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        operators, beta, x, *kept = ctx.saved_tensors
        kernel, grad_operators = choose(grad), torch.zeros_like(operators)
        pulled, total, products = grad, beta[0] * grad, [dot(grad, x)]
        for segment in segments(len(operators)):
            layers = [kept.pop() if kept else beta[-1] * x]
            for level in reversed(segment[1:]):
                layers.append(kernel.shifted(ctx.normalized, operators[level], layers[-1], beta[level], x))
            for level in segment:
                z = layers.pop()
                pulled, grad_operators[level] = kernel.backward(ctx.normalized, operators[level], z, pulled)
                total.addcmul_(pulled, beta[level + 1])
                products.append(dot(pulled, x))
        return None, grad_operators, torch.stack(products).to(beta), total
