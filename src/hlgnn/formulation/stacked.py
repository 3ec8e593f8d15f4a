"""Z = Σ β_l S_l from products S_l = A^l X that were computed once: only the asked rows are touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import torch
from torch.autograd.function import once_differentiable

from hlgnn.formulation.kernels import choose
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

    Array = npt.NDArray[Any]

FAST = {"contract", "reassoc", "nsz"}
# Fewer entries are summed up before a second thread has started.
SINGLE_THREADED = 1 << 21


def stack_orders(normalized: Normalized, operator: Tensor, depth: int, x: Tensor, room: Tensor | None = None) -> Tensor:
    """S with S[:, l] = A^l X, the orders of a node side by side, in a given room.  (4,), (N, F) -> (N, L + 1, F)"""
    stack = torch.empty(len(x), depth + 1, x.shape[1], dtype=x.dtype) if room is None else room
    stack[:, 0] = x
    kernel, layer = choose(x), x
    for order in range(1, depth + 1):
        layer = kernel.forward(normalized, operator, layer)
        stack[:, order] = layer
    return stack


def weighted_rows(stack: Tensor, beta: Tensor, rows: Tensor) -> Tensor:
    """Σ_l β_l S[r, l] for the given rows, differentiable in β.  (N, L + 1, F), (L + 1,), (R,) -> (R, F)

    Example:
        >>> stack = torch.tensor([[[1.0], [10.0]], [[2.0], [20.0]]])
        >>> weighted_rows(stack, torch.tensor([1.0, 0.5]), torch.tensor([1, 0, 1])).flatten().tolist()
        [12.0, 6.0, 12.0]
    """
    result: Tensor = _WeightedRows.apply(stack, beta, rows)  # type: ignore[no-untyped-call]
    return result


class _WeightedRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, stack: Tensor, beta: Tensor, rows: Tensor) -> Tensor:
        ctx.save_for_backward(stack, rows)
        out = np.empty((len(rows), stack.shape[2]), stack.numpy().dtype)
        weights = beta.detach().numpy().astype(out.dtype)
        shared = (stack.numpy(), weights, rows.numpy(), out)
        run_all(_sum_orders, [(*shared, *span) for span in _spans(len(rows), stack)])
        return torch.from_numpy(out)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, None]:
        stack, rows = ctx.saved_tensors
        shared = (stack.numpy(), grad.contiguous().numpy(), rows.numpy())
        parts = run_all(_order_products, [(*shared, *span) for span in _spans(len(rows), stack)])
        return None, torch.from_numpy(np.sum(parts, axis=0)).to(stack.dtype), None


def _spans(count: int, stack: Tensor) -> list[tuple[int, int]]:
    size = count * stack.shape[1] * stack.shape[2]
    return spans(count, num_threads() if size >= SINGLE_THREADED else 1) or [(0, 0)]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _sum_orders(stack: Array, beta: Array, rows: Array, out: Array, start: int, stop: int) -> None:
    for place in range(start, stop):
        node, target = rows[place], out[place]
        for f in range(len(target)):
            target[f] = beta[0] * stack[node, 0, f]
        for order in range(1, len(beta)):
            weight, layer = beta[order], stack[node, order]
            for f in range(len(target)):
                target[f] += weight * layer[f]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _order_products(stack: Array, grad: Array, rows: Array, start: int, stop: int) -> Array:
    """Σ_r ⟨S[r, l], g_r⟩ of each order l, in double precision.  (L + 1,)"""
    products = np.zeros(stack.shape[1], np.float64)
    for place in range(start, stop):
        node, here = rows[place], grad[place]
        for order in range(stack.shape[1]):
            layer, dot = stack[node, order], here.dtype.type(0)
            for f in range(len(here)):
                dot += layer[f] * here[f]
            products[order] += dot
    return products
