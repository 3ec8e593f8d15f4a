"""What processes tell each other in a step, counted tensor by tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hlgnn.jobs.growth.step_size import StepSize

FLOAT = 4

Shared = Literal["pairs", "columns"]


def own_size(size: StepSize, shared: Shared, processes: int) -> StepSize:
    """What each of several processes works on."""
    return size.with_columns(processes) if shared == "columns" else size.with_pairs(processes)


def summed_bytes(size: StepSize, shared: Shared, processes: int) -> int:
    """Bytes that each process brings to sums over all of them in one step.

    By pairs these are the gradients of everything that is learned, the vectors of all nodes among them, and the loss.
    By columns they are the outputs of the head's first layer for every pair, and the gradients of what all hold alike;
    neither grows with the graph.

    Example:
        >>> from hlgnn.jobs.growth.step_size import StepSize
        >>> size = StepSize(nodes=1000, links=9000, width=16, depth=2, batch=100, hidden=8)
        >>> summed_bytes(size, "pairs", 2), summed_bytes(size, "columns", 2), summed_bytes(size, "columns", 1)
        (64596, 6480, 0)
    """
    if processes == 1:
        return 0
    if shared == "pairs":
        return FLOAT * (size.parameters + 1)
    return FLOAT * (size.pairs * size.hidden + size.common_parameters)


def sent_bytes(summed: int, processes: int) -> int:
    """Bytes that each process sends for sums of that size when they go round in a ring: 2 (P − 1) / P of them."""
    return 2 * summed * (processes - 1) // processes
