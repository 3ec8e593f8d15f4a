"""Σ β_l A^l X with one fixed operator, trained in the memory of X alone (Sect. 4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from hlgnn.errors import SettingsError
from hlgnn.formulation.column_blocks import column_blocks, lane_blocks
from hlgnn.formulation.diagonal_sums import DiagonalSums
from hlgnn.formulation.kernels import KERNELS, choose
from hlgnn.formulation.kernels.room import room_like
from hlgnn.formulation.kernels.sum_lanes import LANES, WIDEST
from hlgnn.formulation.propagation import TRANSPOSED, nest

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


BLOCK = 1 << 18
"""Numbers in a matrix from which on a block of columns after the other goes through all layers, where that can be."""


def polynomial(
    normalized: Normalized,
    operator: Tensor,
    beta: Tensor,
    x: Tensor,
    *,
    storage: torch.dtype | None = None,
    columns: int = 0,
) -> Tensor:
    """Z = Σ_{l=0}^{L} β_l A^l X, differentiable in ``beta`` and ``x``.  (4,), (L + 1,), (N, F) -> (N, F)

    With G_0 = ∂Z and G_(l+1) = Aᵀ G_l the gradients are ∂β_l = ⟨G_l, X⟩ and ∂X = Σ β_l G_l: no layer is kept between
    forward and backward, only X, and X only if ``beta`` is learned. Memory is O(N F) at any depth: the gradients, and
    two blocks of columns of more than ``BLOCK`` numbers. With the ``storage`` bfloat16 layers are rounded to it between
    products; X, Z and the gradients are not. Blocks have ``columns`` columns if that is fewer.

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
    z: Tensor = _Polynomial.apply(normalized, operator, beta, x, storage, columns)  # type: ignore[no-untyped-call]
    return z


class _Polynomial(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        normalized: Normalized,
        operator: Tensor,
        beta: Tensor,
        x: Tensor,
        storage: torch.dtype | None,
        columns: int,
    ) -> Tensor:
        x = x.contiguous()  # kernels read blocks of columns in place, row by row
        ctx.normalized, ctx.storage, ctx.columns = normalized, storage, columns
        ctx.save_for_backward(operator, beta, *([x] if ctx.needs_input_grad[2] else []))
        sums, operators = _large_sums(normalized, operator, beta, x, storage), operator.expand(len(beta) - 1, -1)
        blocks = _blocks(x, sums, columns)
        if len(blocks) == 1 and sums is None:
            return nest(normalized, operators, beta, x)
        z = room_like(x)  # (N, F)
        for block in blocks:
            if sums is not None and _full(block):
                sums.summed(beta, x[:, block], z[:, block])
            else:
                z[:, block] = nest(normalized, operators, beta, x[:, block].contiguous())
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, None, Tensor | None, Tensor, None, None]:
        operator, beta, *inputs = ctx.saved_tensors
        transposed, products = operator[list(TRANSPOSED)], torch.zeros(len(beta), dtype=torch.float64)
        sums = _large_sums(ctx.normalized, transposed, beta, grad, ctx.storage)
        total = torch.mul(grad, beta[0], out=room_like(grad))  # (N, F)
        if inputs:
            products[0] = dot(grad, inputs[0])
        for block in _blocks(grad, sums, ctx.columns):
            x = inputs[0][:, block] if inputs else None
            if sums is not None and _full(block):
                products += sums.pulled_back(beta, grad[:, block], total[:, block], x)
            else:
                products += _pull_back(ctx.normalized, transposed, beta, grad[:, block], total[:, block], x)
        return None, None, products.to(beta) if inputs else None, total, None, None


def _blocks(x: Tensor, sums: DiagonalSums | None, columns: int) -> list[slice]:
    """Columns that go through all layers together: they do not meet in a product with A."""
    width = x.shape[1]
    if not width:
        return [slice(0, 0)]
    if sums is None:
        return column_blocks(width, min(width, columns or width))
    widest = WIDEST[sums.storage.itemsize]
    return lane_blocks(width, min(widest, columns or widest))


def _large_sums(
    normalized: Normalized, operator: Tensor, beta: Tensor, x: Tensor, storage: torch.dtype | None
) -> DiagonalSums | None:
    """How large matrices are multiplied, or ``None`` for those that take all columns at once."""
    small = x.numel() <= BLOCK and storage is None
    compiled = choose(x) is KERNELS["numba"] if x.device.type == "cpu" else False
    if small or not compiled or len(beta) == 1 or not len(x):
        return None
    return DiagonalSums.of(normalized, operator, x, storage)


def _full(columns: slice) -> bool:
    return columns.stop - columns.start in LANES


def _pull_back(
    normalized: Normalized, operator: Tensor, beta: Tensor, grad: Tensor, total: Tensor, x: Tensor | None
) -> Tensor:
    """Add β_l G_l to ``total`` for l ≥ 1, and return ⟨G_l, X⟩ for these.  (N, B), (N, B), (N, B) -> (L + 1,)"""
    kernel, products = choose(grad), torch.zeros(len(beta), dtype=torch.float64)
    grad, x = grad.contiguous(), None if x is None else x.contiguous()  # each layer reads them
    layer, spare = grad, None  # (N, B)
    for order, weight in enumerate(beta[1:], start=1):
        if x is None:
            product = kernel.accumulated(normalized, operator, layer, weight, total, out=spare)
        else:
            product, products[order] = kernel.projected(normalized, operator, layer, weight, total, x, out=spare)
        layer, spare = product, None if layer is grad else layer
    return products


def dot(left: Tensor, right: Tensor) -> Tensor:
    """Σ_ij left_ij right_ij without a product of their size.  (N, F), (N, F) -> ()"""
    return torch.dot(left.reshape(-1), right.reshape(-1))
