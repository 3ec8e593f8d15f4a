"""D^-½ (A + I) D^-½ X over a block-diagonal graph, forth and back: the operator is its own transpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import torch
from torch.autograd.function import once_differentiable

from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.baselines.seal.subgraphs import Subgraphs

    Array = npt.NDArray[Any]

FAST = {"contract", "reassoc", "nsz"}
SINGLE_THREADED = 1 << 20


def propagate(graph: Subgraphs, root: Tensor, x: Tensor) -> Tensor:
    """Each copy takes its own row and those of its neighbours, divided by √((d_i + 1)(d_j + 1)).  (S, F) -> (S, F)"""
    product: Tensor = _Propagate.apply(graph, root, x)  # type: ignore[no-untyped-call]
    return product


class _Propagate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, graph: Subgraphs, root: Tensor, x: Tensor) -> Tensor:
        ctx.graph, ctx.root = graph, root
        return _multiply(graph, root, x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, None, Tensor]:
        return None, None, _multiply(ctx.graph, ctx.root, grad)


def _multiply(graph: Subgraphs, root: Tensor, x: Tensor) -> Tensor:
    rows = x.detach().contiguous().numpy()
    out = np.empty_like(rows)
    inner = root.to(x.dtype).numpy()
    threads = 1 if len(graph.column) * rows.shape[1] < SINGLE_THREADED else num_threads()
    run_all(_rows, [(graph.offset, graph.column, inner, rows, out, *each) for each in spans(len(rows), threads)])
    return torch.from_numpy(out)


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _rows(offset: Array, column: Array, root: Array, x: Array, out: Array, start: int, stop: int) -> None:
    """Rows ``start`` to ``stop`` of the product."""
    width = x.shape[1]
    for i in range(start, stop):
        own = root[i]
        for f in range(width):
            out[i, f] = own * x[i, f]
        edge, end = offset[i], offset[i + 1]
        while edge + 1 < end:
            j, k = column[edge], column[edge + 1]
            a, b = root[j], root[k]
            for f in range(width):
                out[i, f] += a * x[j, f] + b * x[k, f]
            edge += 2
        if edge < end:
            j = column[edge]
            a = root[j]
            for f in range(width):
                out[i, f] += a * x[j, f]
        for f in range(width):
            out[i, f] *= own
