"""Rows or columns of H for many nodes, a block at a time, on all threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hlgnn.formulation.block_kernels import horner, recurrence
from hlgnn.formulation.kernels.room import room
from hlgnn.formulation.memory import most_columns
from hlgnn.graph.threads import num_threads, run_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from hlgnn.formulation.chain import Chain, Floats, Nodes
    from hlgnn.progress import Progress

    Columns = npt.NDArray[Any]

Result = TypeVar("Result")

# Sixteen doubles are two cache lines: wider blocks gain little and leave the cache sooner.
WIDEST = 16


@dataclass(frozen=True)
class BlockPlan:
    """How many columns a block has, how many blocks run at once, and what they take together."""

    width: int
    at_once: int
    size: int


def plan_blocks(chain: Chain, count: int, memory: int, *, rows: bool, copies: int = 0) -> BlockPlan:
    """The widest blocks of ``count`` columns that fit into ``memory``, beside ``copies`` of the result of each.

    Raises:
        SettingsError: If a single column is too much.
    """
    itemsize = chain.weights.inverse.itemsize
    fixed = 2 * chain.num_nodes  # which rows are live
    column = (_num_arrays(chain, rows=rows) + copies) * chain.num_nodes * itemsize
    most = most_columns(memory, fixed, column, what=f"one column of {chain.num_nodes} scores")
    at_once = max(1, min(num_threads(), count, memory // (fixed + column)))
    width = max(1, min(WIDEST, -(-count // at_once), most // at_once, (memory // at_once - fixed) // column))
    return BlockPlan(width, at_once, at_once * (fixed + width * column))


def each_block(
    nodes: Nodes,
    plan: BlockPlan,
    columns_of: Callable[[Nodes], Columns],
    use: Callable[[int, Columns], Result],
    *,
    progress: Progress,
    what: str,
) -> Iterator[Result]:
    """``use(start, columns)`` for each block of ``nodes``, in order; ``columns_of`` makes them.  (B,) -> (N, B)"""

    def work(start: int) -> Result:
        return use(start, columns_of(nodes[start : start + plan.width]))

    starts = range(0, len(nodes), plan.width)
    progress(what, 0, len(nodes))
    for position in range(0, len(starts), plan.at_once):
        group = starts[position : position + plan.at_once]
        yield from run_all(work, [(start,) for start in group])
        progress(what, min(group[-1] + plan.width, len(nodes)), len(nodes))


def entries_of_blocks(
    own: Nodes,
    other: Nodes,
    plan: BlockPlan,
    columns_of: Callable[[Nodes], Columns],
    *,
    progress: Progress,
    what: str,
) -> Floats:
    """Entry ``other`` of the column of ``own``, for each pair; nothing else of columns is kept.  (P,), (P,) -> (P,)"""
    unique, lane = np.unique(own, return_inverse=True)
    order = np.argsort(lane, kind="stable")
    bounds = np.searchsorted(lane[order], np.arange(len(unique) + 1))
    found = np.empty(len(own))

    def gather(start: int, columns: Columns) -> None:
        part = order[bounds[start] : bounds[start + columns.shape[1]]]
        found[part] = columns[other[part], lane[part] - start]

    for _ in each_block(unique, plan, columns_of, gather, progress=progress, what=what):
        pass
    return found


def solve(chain: Chain, nodes: Nodes, *, rows: bool) -> Columns:
    """Rows of C for ``nodes``, transposed, or columns of C.  (B,) -> (N, B)

    Columns follow Horner's rule. So do rows if all operators are the same; otherwise they need the recurrence, whose
    sum is a third array.
    """
    dtype = chain.weights.inverse.dtype
    work = [room((chain.num_nodes, len(nodes)), dtype) for _ in range(_num_arrays(chain, rows=rows))]
    operators = chain.operators[:, [0, 1, 3, 2]] if rows else chain.operators  # Aᵀ swaps row and col
    operators, betas = operators.astype(dtype), chain.betas.astype(dtype)
    if len(work) == 2:
        return np.asarray(horner(chain.weights, operators, betas, nodes, work[0], work[1]))
    recurrence(chain.weights, operators, betas, nodes, work[0], work[1], work[2])
    return work[2]


def _num_arrays(chain: Chain, *, rows: bool) -> int:
    return 3 if rows and not chain.uniform else 2
