"""X W for a sparse X: the gradient of W without a dense X."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from torch import Tensor


def sparse_product(x: csr_array, weight: Tensor) -> Tensor:
    """X W, differentiable in W.  (N, F), (F, H) -> (N, H)"""
    product: Tensor = _SparseProduct.apply(x, weight)  # type: ignore[no-untyped-call]
    return product


class _SparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: csr_array, weight: Tensor) -> Tensor:
        ctx.x = x
        return torch.from_numpy(np.ascontiguousarray(x @ weight.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor]:
        return None, torch.from_numpy(np.ascontiguousarray(ctx.x.T @ grad.numpy()))
