"""Products of dense matrices, and linear layers, that may round their factors where that is faster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor, nn


def matrix_product(left: Tensor, right: Tensor, *, low: bool = False) -> Tensor:
    """``left @ right``; with ``low`` the factors are rounded to bfloat16, which many processors multiply faster.

    Sums are kept in full precision; the result has a relative error of about 2^-9.

    Example:
        >>> one = torch.ones(2, 2)
        >>> matrix_product(one, one, low=True).tolist()
        [[2.0, 2.0], [2.0, 2.0]]
    """
    if not low:
        return left @ right
    return (left.to(torch.bfloat16) @ right.to(torch.bfloat16)).float()


def linear_product(layer: nn.Linear, x: Tensor, *, low: bool = False) -> Tensor:
    """X Wᵀ + b, with ``low`` from rounded factors.  (P, F) -> (P, H)"""
    found: Tensor = matrix_product(x, layer.weight.T, low=True) + layer.bias if low else layer(x)
    return found
