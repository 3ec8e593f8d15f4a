"""The default on the CPU: one pass over the edges, whatever the mixture, on several threads."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.lib.stride_tricks import as_strided

from hlgnn.formulation.kernels.numba_rows import backward_rows, multiply_rows
from hlgnn.formulation.kernels.room import room_like
from hlgnn.graph.threads import num_threads, run_all

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

    Array = npt.NDArray[Any]

# Starting threads takes half a millisecond, in which one thread does half as many multiplications.
SINGLE_THREADED = 1 << 23
# Several ranges for each thread, so that a thread that is held up has fewer of them.
RANGES_PER_THREAD = 4


def forward(normalized: Normalized, operator: Tensor, x: Tensor) -> Tensor:
    """A X.  (4,), (N, F) -> (N, F)"""
    return _multiply(normalized, operator, x)


def shifted(
    normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, x: Tensor, out: Tensor | None = None
) -> Tensor:
    """A Z + weight · X, a step of Horner's rule.  (4,), (N, F), (), (N, F) -> (N, F)"""
    return _multiply(normalized, operator, z, weight, base=x, out=out)


def accumulated(
    normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, total: Tensor, out: Tensor | None = None
) -> Tensor:
    """A Z; adds weight · A Z to ``total`` in place, a step of the recurrence.  (4,), (N, F), (), (N, F) -> (N, F)"""
    return _multiply(normalized, operator, z, weight, total=total, out=out)


def projected(
    normalized: Normalized,
    operator: Tensor,
    z: Tensor,
    weight: Tensor,
    total: Tensor,
    x: Tensor,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """``accumulated``, and ⟨A Z, X⟩ while the rows of A Z are at hand.  -> (N, F), ()"""
    y, products = _multiply_and_project(normalized, operator, z, weight, total=total, inner=x, out=out)
    return y, torch.tensor(sum(products), dtype=z.dtype)


def backward(normalized: Normalized, operator: Tensor, x: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    """Aᵀ G, and the gradient of the operator.  (4,), (N, F), (N, F) -> (N, F), (4,)"""
    grad_x, parts = _pull_back(normalized, operator, x, grad)
    return grad_x, parts[:4].to(operator)


def pulled(
    normalized: Normalized,
    operator: Tensor,
    x: Tensor,
    grad: Tensor,
    weight: Tensor,
    base: Tensor,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """``backward`` + weight · B, and ⟨X, B⟩ while the rows are at hand.  -> (N, F), (4,), ()"""
    grad_x, parts = _pull_back(normalized, operator, x, grad, weight, base, out)
    return grad_x, parts[:4].to(operator), parts[4].to(x.dtype)


def _pull_back(
    normalized: Normalized,
    operator: Tensor,
    x: Tensor,
    grad: Tensor,
    weight: Tensor | None = None,
    base: Tensor | None = None,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    rows = _array(x)
    grad_x = room_like(x) if out is None else out
    shared = (
        *_graph(normalized, rows.dtype),
        _operator(operator, rows.dtype),
        rows,
        _array(grad),
        grad_x.numpy(),
        np.array([0.0 if weight is None else weight.item()], rows.dtype),
        np.empty((0, 0), rows.dtype) if base is None else _array(base),
    )
    parts = run_all(backward_rows, [(*shared, *span) for span in row_spans(normalized, x.shape[1])])
    return grad_x, torch.from_numpy(np.sum(parts, axis=0))


def _multiply(
    normalized: Normalized,
    operator: Tensor,
    x: Tensor,
    beta: Tensor | None = None,
    *,
    base: Tensor | None = None,
    total: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    return _multiply_and_project(normalized, operator, x, beta, base=base, total=total, out=out)[0]


def _multiply_and_project(
    normalized: Normalized,
    operator: Tensor,
    x: Tensor,
    beta: Tensor | None,
    *,
    base: Tensor | None = None,
    total: Tensor | None = None,
    inner: Tensor | None = None,
    out: Tensor | None = None,
) -> tuple[Tensor, list[float]]:
    rows = _array(x)
    absent = np.empty((0, 0), rows.dtype)
    y = room_like(x) if out is None else out
    shared = (
        *_graph(normalized, rows.dtype),
        _operator(operator, rows.dtype),
        rows,
        y.numpy(),
        np.array([0.0 if beta is None else beta.item()], rows.dtype),
        absent if base is None else _array(base),
        absent if total is None else total.numpy(),
        absent if inner is None else _array(inner),
    )
    return y, run_all(multiply_rows, [(*shared, *span) for span in row_spans(normalized, x.shape[1])])


def _graph(normalized: Normalized, dtype: np.dtype[Any]) -> tuple[Array, Array, Array, int, Array, Array]:
    """What the passes read of the graph, in the precision of the features."""
    adjacency, weight = normalized.adjacency, normalized.weight
    return (
        adjacency.offset.numpy(),
        adjacency.neighbor.numpy(),
        np.empty(0, dtype) if weight is None else weight.numpy().astype(dtype, copy=False),
        int(normalized.self_loops),
        normalized.inverse.numpy().astype(dtype, copy=False),
        normalized.root.numpy().astype(dtype, copy=False),
    )


def _operator(operator: Tensor, dtype: np.dtype[Any]) -> Array:
    return operator.detach().numpy().astype(dtype)


def _array(x: Tensor) -> Array:
    return x.detach().contiguous().numpy()


def row_starts(x: Tensor) -> Array:
    """The block of columns in place, as an array whose rows are as long as those of the matrix that it is a part of.

    Only the columns of the block may be touched: the last row goes on after the end of the matrix.
    """
    rows = x.detach().numpy()
    return as_strided(rows, (len(rows), rows.strides[0] // rows.itemsize)) if len(rows) else rows


def row_spans(normalized: Normalized, width: int) -> list[tuple[int, int]]:
    """Ranges of rows with about equally many edges, self-loops included; a single one where threads do not pay."""
    num_nodes, offset = normalized.num_nodes, normalized.adjacency.offset.numpy()
    size = num_nodes + normalized.adjacency.num_edges
    if size * width < SINGLE_THREADED or num_threads() == 1:
        return [(0, num_nodes)]
    parts = RANGES_PER_THREAD * num_threads()
    starts = [
        bisect_left(range(num_nodes), size * part // parts, key=lambda row: int(offset[row]) + row)
        for part in range(parts)
    ]
    return [(start, stop) for start, stop in pairwise([*starts, num_nodes]) if start < stop]
