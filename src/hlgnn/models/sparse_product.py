"""X W for a sparse X: the gradient of W without a dense X."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from hlgnn.graph.threads import num_threads, run_all, spans
from hlgnn.models.sparse_kernels import add_transposed, multiply

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array
    from torch import Tensor

NARROW = 8
"""Tables of fewer columns are left to scipy."""
SINGLE_THREADED = 1 << 20
"""Starting threads takes longer than so many products do."""


def sparse_product(x: csr_array, weight: Tensor) -> Tensor:
    """X W, differentiable in W.  (N, F), (F, H) -> (N, H)"""
    product: Tensor = _SparseProduct.apply(x, weight)  # type: ignore[no-untyped-call]
    return product


class _SparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: csr_array, weight: Tensor) -> Tensor:
        ctx.x = x
        table = weight.detach().contiguous().numpy()
        if not _is_wide(x, table):
            return torch.from_numpy(np.ascontiguousarray(x @ table))
        out = np.empty((x.shape[0], table.shape[1]), dtype=table.dtype)
        shared = (x.indptr, x.indices, x.data, table, out)
        run_all(multiply, [(*shared, *span) for span in spans(len(out), _threads(x, table))])
        return torch.from_numpy(out)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor]:
        x, table = ctx.x, grad.contiguous().numpy()
        if not _is_wide(x, table):
            return None, torch.from_numpy(np.ascontiguousarray(x.T @ table))
        out = np.zeros((x.shape[1], table.shape[1]), dtype=table.dtype)
        shared = (x.indptr, x.indices, x.data, table, out)
        run_all(add_transposed, [(*shared, *span) for span in spans(table.shape[1], _threads(x, table))])
        return None, torch.from_numpy(out)


def _is_wide(x: csr_array, table: npt.NDArray[Any]) -> bool:
    return bool(table.shape[1] >= NARROW and x.dtype == table.dtype)


def _threads(x: csr_array, table: npt.NDArray[Any]) -> int:
    return num_threads() if x.nnz * table.shape[1] > SINGLE_THREADED else 1
