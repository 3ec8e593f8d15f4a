"""Which states of a recursion have to be computed for some queries.

After l steps a node that is farther than l from the source has the state that it would have without any source: that of
the background, which all queries share. And a node that is farther than L − l from every target does not count any
more. What is left is exact, and a small part of all nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.baselines.nbfnet.pattern import Pattern, running
from hlgnn.baselines.nbfnet.reach_kernels import reach_queries
from hlgnn.baselines.nbfnet.step_kernels import write_step
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.graph.adjacency import Adjacency

    Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Queries:
    """Sources with the targets of each.

    Attributes:
        sources: The nodes that recursions start from.  (Q,)
        first: Where the targets of each begin.  (Q + 1,)
        targets: The nodes that are read in the end.  (P,)
    """

    sources: Array
    first: Array
    targets: Array

    def part(self, low: int, high: int) -> Queries:
        """Some of them, in their order."""
        start, stop = self.first[low], self.first[high]
        return Queries(self.sources[low:high], self.first[low : high + 1] - start, self.targets[start:stop])


@dataclass(frozen=True, eq=False)
class Reach:
    """All that is computed for some queries beside the background.

    Attributes:
        num_sources: States that start as the query, before the first step.
        steps: The messages of each step.
        found: Where the state of each target is in the end: in the background's N rows or behind them.  (P,)
    """

    num_sources: int
    steps: tuple[Pattern, ...]
    found: Tensor


def group_by_source(pairs: Tensor) -> tuple[Queries, Array]:
    """The queries of directed pairs, and which pair each target is for.  (P, 2)"""
    order = torch.argsort(pairs[:, 0], stable=True)
    sources, counts = torch.unique_consecutive(pairs[order, 0], return_counts=True)
    return Queries(sources.numpy(), running(counts.numpy()), pairs[order, 1].numpy()), order.numpy()


def find_reach(adjacency: Adjacency, queries: Queries, depth: int, *, self_loops: bool) -> Reach:
    """The states that some queries need in each of ``depth`` steps."""
    offset, neighbor = adjacency.offset.numpy(), adjacency.neighbor.numpy()
    parts = [queries.part(*each) for each in spans(len(queries.sources), num_threads())] or [queries]
    calls = [(offset, neighbor, each.sources, each.first, each.targets, depth) for each in parts]
    sizes, node, near, far, place, found = _joined(run_all(reach_queries, calls))
    first = running(sizes)
    degree = (offset[1:] - offset[:-1])[node]
    first_place = running(degree)
    place = np.where(place >= 0, place + np.repeat(np.repeat(first[:-1], sizes), degree), -1)
    found = np.where(found >= 0, found + np.repeat(first[:-1], np.diff(queries.first)), -1)
    before, num_sources = _places((near == 0) & (far <= depth))
    steps = []
    for step in range(1, depth + 1):
        active = (near <= step) & (far <= depth - step)
        rows = active.nonzero()[0]
        start, column, own = write_step(
            offset, neighbor, node, near == 0, first_place, place, rows, before, int(self_loops)
        )
        steps.append(Pattern(start, column, torch.from_numpy(node[rows]).long(), torch.from_numpy(own)))
        before, _ = _places(active)
    last = before[found] if len(before) else found
    final = np.where((found >= 0) & (last >= 0), len(offset) - 1 + last, queries.targets)
    return Reach(num_sources, tuple(steps), torch.from_numpy(final))


def _places(active: Array) -> tuple[Array, int]:
    """The rank of each active item among the active ones, −1 for the others; how many are active."""
    return np.where(active, np.cumsum(active) - 1, -1), int(active.sum())


def _joined(parts: Sequence[tuple[Array, ...]]) -> list[Array]:
    return [np.concatenate(each) for each in zip(*parts, strict=True)]
