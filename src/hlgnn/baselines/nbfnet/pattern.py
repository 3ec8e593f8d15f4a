"""Who sends to whom: rows of a table of messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.graph.adjacency import Adjacency

NOTHING, QUERY, FIRST_NODE = 0, 1, 2
"""Rows of a table of messages: zeros, what the source of a query starts with, then the states."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Which messages each of R states receives, in a table of zeros, the query, N states of the background, and others.

    Attributes:
        offset: Where the messages of each state begin.  (R + 1,), int64
        column: Rows of the table; the first of each state is its boundary condition.  (int32)
        node: Which node each state belongs to.  (R,), int64
        own: Where the state itself was one step before, in a table without zeros and query.  (R,), int64
    """

    offset: npt.NDArray[np.int64]
    column: npt.NDArray[np.int32]
    node: Tensor
    own: Tensor

    @property
    def num_rows(self) -> int:
        """R."""
        return len(self.offset) - 1


def background_pattern(adjacency: Adjacency, *, self_loops: bool) -> Pattern:
    """Every node receives from its neighbours, and from itself if wanted; no node is a source."""
    count, loops = adjacency.num_nodes, int(self_loops)
    offset = adjacency.offset.numpy() + (1 + loops) * np.arange(count + 1)
    column = np.empty(int(offset[-1]), np.int32)
    rest = np.ones(len(column), np.bool_)
    column[offset[:-1]], rest[offset[:-1]] = NOTHING, False
    if loops:
        column[offset[:-1] + 1], rest[offset[:-1] + 1] = FIRST_NODE + np.arange(count), False
    column[rest] = FIRST_NODE + adjacency.neighbor.numpy()
    nodes = torch.arange(count)
    return Pattern(offset, column, nodes, nodes)


def running(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """0, the first, the first two, …  (K,) -> (K + 1,)"""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
