"""Learned operators in the memory of O(√L) layers, of all, or of none: the others are computed again (Sect. 4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.formulation.kernels import choose
from hlgnn.formulation.layer_storage import LayerStorage, segments
from hlgnn.formulation.polynomial import dot
from hlgnn.formulation.propagation import needs_gradient, nest, recur

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

ROOT = LayerStorage()


def checkpointed_recurrence(
    normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor, storage: LayerStorage = ROOT
) -> Tensor:
    """``recurrence`` (Eq. 2) that keeps at most 3 ⌈√L⌉ layers by default.  (L, 4), (L + 1,), (N, F) -> (N, F)

    With the sums S_L = β_L ∂Z and S_(l-1) = A_lᵀ S_l + β_(l-1) ∂Z the gradients are ∂X = S_0, ∂β_l = ⟨Z_l, ∂Z⟩, and for
    the operator of layer l those of a single product of Z_(l-1) with the gradient S_l.
    """
    if not needs_gradient(operators, beta, x):
        return recur(normalized, operators, beta, x)
    z: Tensor = _Recurrence.apply(normalized, operators, beta, x, storage)  # type: ignore[no-untyped-call]
    return z


def checkpointed_horner(
    normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor, storage: LayerStorage = ROOT
) -> Tensor:
    """``horner`` (Eq. 1) that keeps at most 3 ⌈√L⌉ layers by default.  (L, 4), (L + 1,), (N, F) -> (N, F)

    With the layers V_L = β_L X, V_(l-1) = A_l V_l + β_(l-1) X of the forward pass and G_0 = ∂Z, G_l = A_lᵀ G_(l-1) of
    the backward pass, the gradients are ∂β_l = ⟨G_l, X⟩, ∂X = Σ β_l G_l, and for the operator of layer l those of a
    single product of V_l with the gradient G_(l-1).
    """
    if not needs_gradient(operators, beta, x):
        return nest(normalized, operators, beta, x)
    z: Tensor = _Horner.apply(normalized, operators, beta, x, storage)  # type: ignore[no-untyped-call]
    return z


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor, storage: LayerStorage
    ) -> Tensor:
        kernel, z, total, kept, room = choose(x), x, beta[0] * x, [x], None  # (N, F)
        starts = {segment.start for segment in segments(len(operators), storage.layers)} - {0}
        for level, (operator, weight) in enumerate(zip(operators, beta[1:], strict=True)):
            if level in starts:
                kept.append(_stored(z, storage))
            product = kernel.accumulated(normalized, operator, z, weight, total, out=room)
            room = None if z is kept[-1] or z is x else z  # what is not kept takes the next layer
            z = product
        ctx.normalized, ctx.storage = normalized, storage
        ctx.save_for_backward(operators, beta, *kept)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, Tensor, Tensor, None]:
        operators, beta, *kept = ctx.saved_tensors
        kernel, depth = choose(grad), len(operators)
        grad_operators, grad_beta = torch.zeros_like(operators), torch.zeros_like(beta)
        if depth == 0:
            grad_beta[0] = dot(kept[0], grad)
            return None, grad_operators, grad_beta, beta[0] * grad, None
        # The last layer is pulled back by β_L A_L: ⟨Z_L, ∂Z⟩ is then a sum of four numbers, without Z_L.
        pulled, scale = grad, beta[-1]
        room: list[Tensor] = []
        for segment in reversed(segments(depth, ctx.storage.layers)):
            layers = _recurred(ctx, operators, kept.pop().to(grad.dtype), segment)
            for level, z in zip(reversed(segment), layers, strict=True):
                operator, out = operators[level], room.pop() if room else None
                sums = kernel.pulled(ctx.normalized, scale * operator, z, pulled, beta[level], grad, out=out)
                room += [] if pulled is grad else [pulled]
                pulled, grad_operator, grad_beta[level] = sums
                grad_operators[level] = scale * grad_operator
                if level == depth - 1:
                    grad_beta[depth] = grad_operator @ operator
                    scale = torch.ones_like(scale)
        return None, grad_operators, grad_beta, pulled, None


class _Horner(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, normalized: Normalized, operators: Tensor, beta: Tensor, x: Tensor, storage: LayerStorage
    ) -> Tensor:
        kernel, z, kept = choose(x), beta[-1] * x, []  # (N, F)
        ends = {segment.stop for segment in segments(len(operators), storage.layers)} - {len(operators)}
        for level in range(len(operators), 0, -1):
            if level in ends:
                kept.append(_stored(z, storage))
            z = kernel.shifted(normalized, operators[level - 1], z, beta[level - 1], x)
        ctx.normalized, ctx.storage = normalized, storage
        ctx.save_for_backward(operators, beta, x, *kept)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, Tensor, Tensor, None]:
        operators, beta, x, *kept = ctx.saved_tensors
        kernel, grad_operators = choose(grad), torch.zeros_like(operators)
        pulled, total, products = grad, beta[0] * grad, [dot(grad, x)]
        for segment in segments(len(operators), ctx.storage.layers):
            last = kept.pop().to(x.dtype) if kept else beta[-1] * x
            for level, z in zip(segment, _nested(ctx, operators, beta, x, last, segment), strict=True):
                pulled, grad_operators[level] = kernel.backward(ctx.normalized, operators[level], z, pulled)
                total.addcmul_(pulled, beta[level + 1])
                products.append(dot(pulled, x))
        return None, grad_operators, torch.stack(products).to(beta), total, None


def _stored(z: Tensor, storage: LayerStorage) -> Tensor:
    return z if storage.dtype is None else z.to(storage.dtype)


def _recurred(ctx: Any, operators: Tensor, start: Tensor, segment: range) -> Iterator[Tensor]:
    """Z_l that enter the layers of a segment, the last one first, from the one that was kept."""
    kernel = choose(start)
    if ctx.storage.layers == "none":
        for level in reversed(segment):
            z = start
            for before in range(segment.start, level):
                z = kernel.forward(ctx.normalized, operators[before], z)
            yield z
        return
    layers = [start]
    for level in segment[:-1]:
        layers.append(kernel.forward(ctx.normalized, operators[level], layers[-1]))
    while layers:
        yield layers.pop()


def _nested(ctx: Any, operators: Tensor, beta: Tensor, x: Tensor, last: Tensor, segment: range) -> Iterator[Tensor]:
    """V_l that enter the layers of a segment, the first one first, from the one that was kept."""
    kernel = choose(x)
    if ctx.storage.layers == "none":
        for level in segment:
            z = last
            for after in range(segment.stop - 1, level, -1):
                z = kernel.shifted(ctx.normalized, operators[after], z, beta[after], x)
            yield z
        return
    layers = [last]
    for level in reversed(segment[1:]):
        layers.append(kernel.shifted(ctx.normalized, operators[level], layers[-1], beta[level], x))
    while layers:
        yield layers.pop()
