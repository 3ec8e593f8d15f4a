"""All statistics of a set of messages at once, with their gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from hlgnn.baselines.nbfnet.aggregation_kernels import aggregate_rows, spread_columns
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.baselines.nbfnet.pattern import Pattern

SINGLE_THREADED = 1 << 19
CACHE_LINE = 16  # columns of single precision: threads that share no line of memory


def aggregate(table: Tensor, pattern: Pattern) -> Tensor:
    """Sum, largest, smallest and standard deviation √max(E[m²] − E[m]², 10⁻⁶), side by side.  (T, D) -> (R, 4 D)

    Args:
        table: The messages.
        pattern: Which of them each row takes, at least one.
    """
    result: Tensor = _Aggregate.apply(table, pattern)  # type: ignore[no-untyped-call]
    return result


class _Aggregate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, pattern: Pattern) -> Tensor:
        messages = table.detach().contiguous().numpy()
        rows, width = pattern.num_rows, messages.shape[1]
        out = np.empty((rows, 4 * width), messages.dtype)
        largest, smallest = np.empty((rows, width), np.int32), np.empty((rows, width), np.int32)
        shared = (pattern.offset, pattern.column, messages, out, largest, smallest)
        run_all(aggregate_rows, [(*shared, *each) for each in spans(rows, _threads(pattern, width))])
        ctx.shared = shared
        return torch.from_numpy(out)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        messages = ctx.shared[2]
        grad_table = np.zeros_like(messages)
        width = messages.shape[1]
        parts = min(num_threads(), max(1, width // CACHE_LINE)) if len(ctx.shared[1]) * width > SINGLE_THREADED else 1
        calls = [(*ctx.shared, grad.contiguous().numpy(), grad_table, *each) for each in spans(width, parts)]
        run_all(spread_columns, calls)
        return torch.from_numpy(grad_table), None


def _threads(pattern: Pattern, width: int) -> int:
    return num_threads() if len(pattern.column) * width > SINGLE_THREADED else 1
