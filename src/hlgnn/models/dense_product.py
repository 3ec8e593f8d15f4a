"""Products of dense matrices, and linear layers: by the fastest way there is, and with rounded factors if wanted."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import torch
from torch import nn

from hlgnn.models.wide_product import is_wide, wide_product

if TYPE_CHECKING:
    from torch import Tensor


class Linear(nn.Linear):
    """torch's linear layer, multiplied by the fastest way."""

    def forward(self, x: Tensor) -> Tensor:
        """X Wᵀ + b.  (P, F) -> (P, H)"""
        return linear_map(x, self.weight, self.bias)


def linear_map(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """X Wᵀ + b.  (P, F), (H, F), (H,) -> (P, H)"""
    return wide_product(x, weight, bias) if is_wide(x, weight) else nn.functional.linear(x, weight, bias)


def matrix_product(left: Tensor, right: Tensor, *, low: bool = False) -> Tensor:
    """``left @ right``; with ``low`` the factors are rounded to bfloat16, which many processors multiply faster.

    Sums are kept in full precision; the result has a relative error of about 2^-9.

    Example:
        >>> one = torch.ones(2, 2)
        >>> matrix_product(one, one, low=True).tolist()
        [[2.0, 2.0], [2.0, 2.0]]
    """
    if not low:
        return wide_product(left, right.T) if is_wide(left, right.T) else left @ right
    return rounded_product(left.to(torch.bfloat16), right.to(torch.bfloat16)).float()


def rounded_product(left: Tensor, right: Tensor) -> Tensor:
    """The product of two matrices in bfloat16, itself in bfloat16, by the fastest way that the processor has.

    Where it has no instructions for bfloat16, torch imitates them four to five times slower than single precision.
    There the rounded factors are multiplied in single precision; only the order of sums differs.
    """
    if left.device.type != "cpu" or multiplies_bfloat16():
        return left @ right
    return matrix_product(left.float(), right.float()).to(torch.bfloat16)


@cache
def multiplies_bfloat16() -> bool:
    """Whether the processor has instructions for products in bfloat16; assumed where torch cannot tell."""
    if not hasattr(torch.cpu, "get_capabilities"):
        return True
    return any(there for name, there in torch.cpu.get_capabilities().items() if "bf16" in name)


def linear_product(layer: nn.Linear, x: Tensor, *, low: bool = False) -> Tensor:
    """X Wᵀ + b, with ``low`` from rounded factors.  (P, F) -> (P, H)"""
    found: Tensor = matrix_product(x, layer.weight.T, low=True) + layer.bias if low else layer(x)
    return found
