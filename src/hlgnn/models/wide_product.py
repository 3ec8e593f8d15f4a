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

LEAST_SIDE, LEAST_ROWS, BLOCK_WORK = 16, 256, 1 << 24
"""Blocks have so many products that asking for one costs little, and so many rows; narrower ones gain nothing."""


def wide_product(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """X Wᵀ + b, where ``is_wide`` holds.  (P, F), (H, F), (H,) -> (P, H)"""
    product: Tensor = _Product.apply(x, weight, bias)  # type: ignore[no-untyped-call]
    return product


def is_wide(x: Tensor, weight: Tensor) -> bool:
    """Whether X Wᵀ is a product that oneDNN does faster here."""
    plain = x.ndim == weight.ndim == 2 and x.dtype == weight.dtype == torch.float32 and x.is_cpu and weight.is_cpu
    wide = plain and min(x.shape[1], len(weight)) >= LEAST_SIDE
    return wide and len(x) >= block_rows(x.shape[1], len(weight)) and multiplies_wider()


def block_rows(inputs: int, outputs: int) -> int:
    """How many rows are given to oneDNN at once, whatever the number of rows is.

    It keeps a kernel of two megabytes for every shape that it is asked for, and takes a quarter of a millisecond to
    write one: batches that always differ in size would take gigabytes.
    """
    return max(LEAST_ROWS, BLOCK_WORK // (inputs * outputs))


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
        return _of_rows(x, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        wants_x, wants_weight, wants_bias = ctx.needs_input_grad
        return (
            _of_rows(grad, weight.t()) if wants_x else None,
            _over_rows(grad, x) if wants_weight else None,
            grad.sum(0) if wants_bias else None,
        )


def _of_rows(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """X Wᵀ + b, row after row; the rows after the last block are torch's.  (P, F), (H, F), (H,) -> (P, H)"""
    block, weight = block_rows(x.shape[1], len(weight)), _in_one_piece(weight)
    rest = len(x) // block * block
    out = x.new_empty(len(x), len(weight))
    for start in range(0, rest, block):
        out[start : start + block] = _multiply(x[start : start + block], weight, bias)
    if rest < len(x):
        out[rest:] = torch.nn.functional.linear(x[rest:], weight, bias)
    return out


def _over_rows(left: Tensor, right: Tensor) -> Tensor:
    """Lᵀ R, summed up over blocks of rows.  (P, H), (P, F) -> (H, F)"""
    block = block_rows(right.shape[1], left.shape[1])
    rest = len(left) // block * block
    total = left[rest:].t() @ right[rest:]
    for start in range(0, rest, block):
        total += _multiply(left[start : start + block].t(), _in_one_piece(right[start : start + block].t()))
    return total


def _multiply(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return product


def _in_one_piece(weight: Tensor) -> Tensor:
    """A view of a larger matrix copied: for those oneDNN has plain loops only, a thousand times slower."""
    return weight if weight.is_contiguous() or weight.t().is_contiguous() else weight.contiguous()
