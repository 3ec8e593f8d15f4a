"""Sums over neighbours with a weight for each edge, differentiable in the weights and in the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numba import njit
from torch.autograd.function import once_differentiable

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float32]


def attention_sum(offset: Tensor, neighbor: Tensor, weight: Tensor, x: Tensor) -> Tensor:
    """Σ_j α_ij x_j without a row for each edge.  (N + 1,), (E,), (E,), (N, F) -> (N, F)"""
    total: Tensor = _AttentionSum.apply(offset, neighbor, weight, x)  # type: ignore[no-untyped-call]
    return total


class _AttentionSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, offset: Tensor, neighbor: Tensor, weight: Tensor, x: Tensor) -> Tensor:
        ctx.save_for_backward(offset, neighbor, weight, x)
        return torch.from_numpy(_sum(*_arrays(offset, neighbor, weight, x)))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, None, Tensor, Tensor]:
        of_weight, of_x = _pull(*_arrays(*ctx.saved_tensors, grad))
        return None, None, torch.from_numpy(of_weight), torch.from_numpy(of_x)


def _arrays(*tensors: Tensor) -> list[Any]:
    return [tensor.detach().contiguous().numpy() for tensor in tensors]


@njit(cache=True, nogil=True)
def _sum(offset: Ints, neighbor: Ints, weight: Floats, x: Floats) -> Floats:
    total = np.zeros((len(offset) - 1, x.shape[1]), dtype=x.dtype)
    for node in range(len(offset) - 1):
        for edge in range(offset[node], offset[node + 1]):
            other = neighbor[edge]
            for column in range(x.shape[1]):
                total[node, column] += weight[edge] * x[other, column]
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def _pull(offset: Ints, neighbor: Ints, weight: Floats, x: Floats, grad: Floats) -> tuple[Floats, Floats]:
    """The gradients of the weights, ⟨g_i, x_j⟩, and of the rows, Σ_i α_ij g_i."""
    of_weight, of_x = np.empty_like(weight), np.zeros_like(x)
    for node in range(len(offset) - 1):
        for edge in range(offset[node], offset[node + 1]):
            other = neighbor[edge]
            inner = np.float32(0.0)
            for column in range(x.shape[1]):
                inner += grad[node, column] * x[other, column]
            of_weight[edge] = inner
            for column in range(x.shape[1]):
                of_x[other, column] += weight[edge] * grad[node, column]
    return of_weight, of_x
