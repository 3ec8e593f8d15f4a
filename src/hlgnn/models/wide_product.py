"""Products in single precision by oneDNN, on processors where torch's own way leaves half of the speed unused.

torch multiplies by MKL, which has 512-bit instructions for Intel's processors alone. oneDNN, which comes with torch,
has them for all processors, but torch asks it for products in bfloat16 only.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

if TYPE_CHECKING:
    from torch import Tensor

LEAST_SIDE, LEAST_WORK = 16, 1 << 22
"""With fewer rows or columns nothing is gained, and with fewer products less than a kernel for a new shape costs."""


def wide_product(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """X Wᵀ + b, where ``is_wide`` holds.  (P, F), (H, F), (H,) -> (P, H)"""
    product: Tensor = _Product.apply(x, weight, bias)  # type: ignore[no-untyped-call]
    return product


def is_wide(x: Tensor, weight: Tensor) -> bool:
    """Whether X Wᵀ is a product that oneDNN does faster here."""
    plain = x.ndim == weight.ndim == 2 and x.dtype == weight.dtype == torch.float32 and x.is_cpu and weight.is_cpu
    large = plain and min(*x.shape, len(weight)) >= LEAST_SIDE and x.numel() * len(weight) >= LEAST_WORK
    return large and multiplies_wider()


@cache
def multiplies_wider() -> bool:
    """Whether the processor has 512-bit instructions that MKL does not use, and this torch a way to them."""
    if not (torch.backends.mkldnn.is_available() and hasattr(torch.cpu, "get_capabilities")):
        return False
    known = torch.cpu.get_capabilities()
    intel = "intel" in str(known.get("cpu_name", "")).lower()
    return bool(known.get("avx512_f", False)) and not intel and hasattr(torch.ops.mkldnn, "_linear_pointwise")


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        return _multiply(x, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        grad = grad.contiguous()
        wants_x, wants_weight, wants_bias = ctx.needs_input_grad
        return (
            _multiply(grad, weight.t()) if wants_x else None,
            _multiply(grad.t(), x.t()) if wants_weight else None,
            grad.sum(0) if wants_bias else None,
        )


def _multiply(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, _in_one_piece(weight), bias, "none", [], "")
    return product


def _in_one_piece(weight: Tensor) -> Tensor:
    """A view of a larger matrix copied: for those oneDNN has plain loops only, a thousand times slower."""
    return weight if weight.is_contiguous() or weight.t().is_contiguous() else weight.contiguous()
